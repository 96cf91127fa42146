"""Tuples and dictionaries among what a function is given: the primitive for their items instead.

quad(g, a, b, args=pair)       ->   quad_of_g(a, b, pair[0], pair[1])
quad(g, a, b, args=({"k": k},))   ->   quad_of_g(a, b, args_0_k=args_0["k"])

Of a dictionary some keys are known, and not their order. Where the function does more than read
items at keys that are literals, it is looked at that there are no others, in this order.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

from adtrans.dispatch.flattened_arguments import Made
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.handed.read import Read
from adtrans.ir.kinds import Array, DictOf, Kind, Scalar, TupleOf
from adtrans.lower.only_items import only_items
from adtrans.runtime.failures import DerivativeError

_ONE = ("quad", "brentq", "brenth", "bisect", "ridder", "toms748", "minimize", "root", "fsolve",
        "minimize_scalar", "root_scalar")  # fmt: skip
_OTHER = (
    "a dictionary has other keys than {}, or has them in another order, and the function that is "
    "handed to `{}` may ask for that"
)


def delegating(handed: Any, kinds: Mapping[str, Kind]) -> FunctionType | None:
    """A function that gives the items by themselves; None where nothing is given that has items."""
    spread = _args(handed, kinds)
    if spread is not None:
        return spread
    formal = {n: kinds.get(handed.formal[n]) for n in (*handed.passed, *handed.captured)}
    forms = {n: f for n, kind in formal.items() if (f := _form(kind)) is not None}
    if not forms:
        return None
    other, parts = handed.in_parts_of(forms)
    own = Words({*handed.params})
    of = own.of("handed", other)
    lines: list[str] = []
    named = handed.parameters_of()[1]
    for n, f in forms.items():
        flat = f.cls is dict and not any(map(_has_dict, (p for _, p in f.parts if p is not None)))
        if _has_dict(f) and not (flat and only_items(handed.run, named[n])):
            check = Read("check_keys", "value, form", _Check(handed.spelling))
            lines.append(f"{own.of('check_keys', check)}({n}, {own.of(f'form_of_{n}', f)})")
    given = [n for n in handed.names.values() if n not in forms]
    given += [f"{n}={n}" for n in handed.captured if n not in forms]
    given += [f"{new}={forms[n].read(n, path)}" for n in forms for path, new in parts[n]]
    return _loaded(handed, [*lines, f"return {of}({', '.join(given)})"], own)


def _loaded(handed: Any, lines: list[str], own: Words) -> FunctionType:
    head = ", ".join(handed.names.values())
    if handed.captured:
        head += (", " if head else "") + "*, " + ", ".join(handed.captured)
    text = f"def {handed.__name__}({head}):\n    " + "\n    ".join(lines) + "\n"
    return load(text, handed.__name__, own.objects)[handed.__name__]


def _args(handed: Any, kinds: Mapping[str, Kind]) -> FunctionType | None:
    """`args` that is a variable: its items are what the function is given."""
    name = handed.names.get("args")
    kind = None if name is None else kinds.get(name)
    if name is None or kind is None:
        return None
    own = Words({*handed.params})
    if isinstance(kind, TupleOf) and kind.cls is None:
        items = [f"{name}[{k}]" for k in range(len(kind.items))]
    elif isinstance(kind, Scalar | Array | DictOf) and handed.spelling.endswith(_ONE):
        items = [name]  # SciPy puts what is no tuple into one
    else:
        return None
    layout: list[str] = []
    given: list[str] = []
    for part in handed.layout:
        if part == "args":
            layout += [f"args.{k}" for k in range(len(items))]
            given += items
        else:
            layout.append(part)
            given.append(handed.names[part])
    made = type(handed)(handed.spelling, handed.whole, " ".join(layout))
    given += [f"{n}={n}" for n in handed.captured]
    return _loaded(handed, [f"return {own.of('handed', made)}({', '.join(given)})"], own)


def _form(kind: Kind | None) -> Made | None:
    """What a tuple or a dictionary is made of."""
    match kind:
        case TupleOf(items=items, cls=None):
            return Made(tuple, tuple((k, _form(item)) for k, item in enumerate(items)))
        case TupleOf(items=items, cls=type() as cls):
            names = getattr(cls, "_fields", ())
            return Made(cls, tuple((n, _form(i)) for n, i in zip(names, items, strict=True)))
        case DictOf(fields=fields) if fields:
            return Made(dict, tuple((key, _form(item)) for key, item in fields))
        case _:
            return None


def _has_dict(form: Made) -> bool:
    inner = [part for _, part in form.parts if part is not None]
    return form.cls is dict or any(map(_has_dict, inner))


class _Check:
    """Raises where a dictionary is not as it is put together."""

    def __init__(self, spelling: str) -> None:
        self.spelling = spelling

    def __call__(self, value: Any, form: Made) -> None:
        if form.cls is dict and list(value) != [key for key, _ in form.parts]:
            said = ", ".join(repr(key) for key, _ in form.parts)
            raise DerivativeError(_OTHER.format(said, self.spelling), code="AD601")
        for key, part in form.parts:
            if part is not None:
                named = form.cls is not dict and form.cls is not tuple
                self(getattr(value, str(key)) if named else value[key], part)
