"""Other names for what generated code refers to, where a variable of the user's has the name.

>>> from adtrans.ir.code import Def, Result
>>> d = Def("f", (), (Result(E.Call(E.Ref("len", len), (E.Name("len"),))),))
>>> d = unshadowed(d, {"len"}, {}, lambda name, value: f"{name}_2")
>>> print(d.body[0].value)
len_2(len)
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import reduce

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.walk import rebuild, walk
from adtrans.transforms.fold import all_code, expressions
from adtrans.transforms.map_expressions import map_code


def refers_to(d: C.Def) -> set[str]:
    """The names that a function refers to, but for those in what is printed as it was written."""
    found = (sub for c in all_code(d.body) for e in expressions(c) for sub in walk(e))
    spelled = (sub for e in found for sub in walk(_spelled(e)))
    return {e.root for e in spelled if isinstance(e, E.Ref)}


def _spelled(e: E.Expr) -> E.Expr:
    """A constant as the call that it is printed as, if it has no literal.

    >>> print(_spelled(E.Const(float("-inf"))), _spelled(E.Const(2.0)))
    -float('inf') 2.0
    """
    if not isinstance(e, E.Const):
        return e
    match e.value:
        case float() as v if math.isnan(v):
            return E.Call(_FLOAT, (E.Const("nan"),))
        case float() as v if math.isinf(v):
            made = E.Call(_FLOAT, (E.Const("inf"),))
            return made if v > 0 else E.Unary("-", made)
        case complex(real=re, imag=im) if not _is_imaginary(re, im):
            parts = (_spelled(E.Const(re)), _spelled(E.Const(im)))
            return E.Call(E.Ref("complex", complex), parts)
        case tuple() as items:
            spelled = tuple(_spelled(E.Const(i)) for i in items)
            plain = all(isinstance(i, E.Const) for i in spelled)
            return e if plain else E.Sequence("tuple", spelled)
        case _:
            return e


def _is_imaginary(re: float, im: float) -> bool:
    """Whether a complex number has a literal."""
    return repr(re) == "0.0" and math.isfinite(im) and math.copysign(1.0, im) > 0


_FLOAT = E.Ref("float", float)


def unshadowed(
    d: C.Def,
    names: AbstractSet[str],
    modules: Mapping[str, object],
    other: Callable[[str, object], str],
) -> C.Def:
    """A function in which nothing that is referred to is called by one of `names`.

    `modules`: what the first parts of dotted names mean; `other`: gives another name to an object.
    """

    def visit(e: E.Expr) -> E.Expr:
        if isinstance(e, E.Const):
            spelled = _spelled(e)
            return e if spelled == e else visit(spelled)
        if not isinstance(e, E.Ref):
            return rebuild(e, visit)
        if e.root not in names or e.value is None:
            return e
        if e.text == e.root:
            return E.Ref(other(e.text, e.value), e.value)
        module, path = modules.get(e.root), e.text.split(".")[1:]
        if module is None or reduce(lambda o, n: getattr(o, n, None), path, module) is not e.value:
            return e
        first: E.Expr = E.Ref(other(e.root, module), module)
        return reduce(E.Attribute, path, first)

    return replace(d, body=tuple(map_code(c, visit) for c in d.body))
