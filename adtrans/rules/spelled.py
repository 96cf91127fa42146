"""The call of a rule, spelled out: as a person would write it, and as plain statements.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> total = lookup(np.cumsum)
>>> site = Site(total.bind((Name("u"),), {"out": Name("v")}), {})
>>> expand(total, site)
Expansion(source='out[...] = np.cumsum(a)', result='out')
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from adtrans import runtime
from adtrans.ir import expr as E
from adtrans.ir.expr import Const, Expr, Name, Ref
from adtrans.ir.kinds import Array, Scalar
from adtrans.rules.site import Site

if TYPE_CHECKING:
    from adtrans.rules.rule import Rule


@dataclass(frozen=True)
class Expansion:
    """A writer as plain statements over the formal parameters; the call returns `result`."""

    source: str
    result: str | None


def expand(rule: Rule, site: Site) -> Expansion | None:
    """A call as plain statements over its parameters, if it writes (also by `out=`)."""
    if rule.expansion is not None:
        text = rule.expansion if isinstance(rule.expansion, str) else rule.expansion(site)
        if text is not None and rule.returns and site.bound.get("out", E.NONE) != E.NONE:
            return Expansion(f"{text}\nout[...] = {rule.returns}", "out")
        return None if text is None else Expansion(text, rule.returns)
    if rule.custom is None and site.bound.get("out", E.NONE) != E.NONE:
        return _into_out(rule, site)  # what a user's function does with its `out` is not known
    return None


def _into_out(rule: Rule, site: Site) -> Expansion:
    reduces = any(p.name == "axis" for p in rule.params)  # `where=` is of its operand
    masked = not reduces and site.bound.get("where", Const(True)) != Const(True)
    drop = {"out"} if reduces else {"out", "where"}

    def operand(name: str) -> Expr:
        if not masked or isinstance(site.bound[name], Const) or site.is_scalar(name):
            return Name(name)
        shape = E.Attribute(Name("out"), "shape")
        whole = E.Call(Ref("np.broadcast_to", np.broadcast_to), (Name(name), shape))
        return E.Index(whole, (Name("mask"),))

    if rule.any_arguments:
        names = [n for n in site.bound if n.startswith("arg")]
        kwargs = tuple((n, Name(n)) for n in site.bound if n not in {*names, *drop})
        args = tuple(operand(n) for n in names)
        if rule.call == "method":
            bound_method = E.Attribute(args[0], rule.spelling.rpartition(".")[2])
            value: Expr = E.Call(bound_method, args[1:], kwargs)
        else:
            value = E.Call(function(rule), args, kwargs)
    else:
        replaced = {p.name: operand(p.name) for p in rule.params if p.name not in drop}
        value = call(rule, site, replaced, drop)
    if not masked:
        if isinstance(value, E.Call) and _rounds_on_the_way(rule, site):
            return Expansion(f"out[...] = valued({_exactly(rule, value)}, {value})", "out")
        return Expansion(f"out[...] = {value}", "out")
    mask = f"mask = np.broadcast_to({mask_of(site)}, out.shape)"
    return Expansion(f"{mask}\nout[mask] = {value}", "out")


def mask_of(site: Site) -> str:
    """What `where=` chooses, as a mask: as an index, numbers would mean something else."""
    kind = site.kind("where")
    plain = isinstance(kind, Array) and kind.dtype == "bool"
    return "where" if plain or kind == Scalar("bool") else "as_mask(where)"


_PICKED = frozenset((
    "max", "min", "amax", "amin", "nanmax", "nanmin", "take", "compress", "choose", "clip",
    "matmul",
))  # fmt: skip


def _rounds_on_the_way(rule: Rule, site: Site) -> bool:
    """Whether the numbers are other ones in an `out` of this type: what comes before the result
    is rounded to it, too. Of functions of each element, and what picks elements, it is not."""
    if rule.form == "elementwise" or rule.spelling.rpartition(".")[2] in _PICKED:
        return False
    out = site.kind("out")
    types = {k.dtype for n, k in site.kinds.items() if isinstance(k, Array) and n != "out"}
    types = {t for t in types if t is None or t.startswith("float")}
    into = out.dtype if isinstance(out, Array) else None
    if into is not None and into.startswith("complex"):  # of numbers that are as precise
        into = {"complex64": "float32"}.get(into, "float64")
    return bool(types) and types != {into}


def _exactly(rule: Rule, value: E.Call) -> Expr:
    """The call with an `out` of its own, as a constant."""
    fn, args = value.fn, value.args
    if isinstance(value.fn, E.Attribute):
        fn = Ref(rule.spelling, getattr(np.ndarray, value.fn.attr))
        args = (value.fn.base, *args)
    word = next(p.keyword for p in rule.params if p.name == "out")
    given = (fn, Name("out"), Const(word), *args)
    return E.Call(Ref("computed_into", runtime.computed_into), given, value.kwargs)


def function(rule: Rule) -> Expr:
    """The function as formulas name it."""
    if rule.custom is not None:
        return Ref(rule.custom.name, rule.custom.fn)
    from adtrans.rules.registry import resolve  # it imports `rule`, which imports this module

    return Ref(rule.spelling, resolve(rule.spelling))


def call(rule: Rule, site: Site, replaced: Mapping[str, Expr], drop: set[str]) -> Expr:
    """A call as a person would write it: default values are left out, but for a `None` that
    somebody wrote: `np.clip(x, 0)` is none of `np.clip(x, 0, None)`."""
    if rule.call == "operator":
        args = [replaced[p.name] for p in rule.params]
        op = rule.spelling
        return E.Unary(op, args[0]) if len(args) == 1 else E.Binary(op, args[0], args[1])
    if rule.call == "attribute":
        return E.Attribute(replaced[rule.params[0].name], rule.spelling.rpartition(".")[2])
    args, kwargs = [], []
    in_order = True
    for p in rule.params:
        value = replaced.get(p.name, Name(p.name))
        given = site.bound.get(p.name)
        default = p.default is not None and given == p.default
        default = default and (given is p.default or p.default != E.NONE)
        if p.form == "varargs":
            bare = isinstance(value, E.Sequence)
            args.extend(value.items if bare and isinstance(value,
                E.Sequence) else [E.Star(value)])
        elif p.name in drop or (default and p.form != "positional"):
            in_order = False
        elif p.form in ("positional", "standard") and in_order:
            args.append(value)
        else:
            kwargs.append((p.keyword, value))
    if rule.call == "method":
        attr = rule.spelling.rpartition(".")[2]
        return E.Call(E.Attribute(args[0], attr), tuple(args[1:]), tuple(kwargs))
    return E.Call(function(rule), tuple(args), tuple(kwargs))
