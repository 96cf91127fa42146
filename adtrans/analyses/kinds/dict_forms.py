"""The kinds of dictionaries of `collections`: those of plain ones that make items of their own.

>>> from collections import OrderedDict, defaultdict
>>> form_of(OrderedDict(a=1.0)), form_of(defaultdict(float)), form_of(defaultdict(print))
(('OrderedDict', ''), ('defaultdict', '0.0'), None)
>>> print(of_form(DictOf(NEVER), "defaultdict", "0.0"))
defaultdict[float]
"""

from __future__ import annotations

import ast
import collections
import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from types import FunctionType

from adtrans.analyses.kinds.lattice import join
from adtrans.analyses.kinds.text_kinds import is_text_kind
from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    NEVER,
    PY_FLOAT,
    PY_INT,
    TEXT,
    UNKNOWN,
    DictForm,
    DictOf,
    Kind,
    Known,
    ListOf,
    Scalar,
    present,
)

_CLASSES: dict[type, DictForm] = {
    dict: "",
    collections.OrderedDict: "OrderedDict",
    collections.defaultdict: "defaultdict",
    collections.Counter: "Counter",
}
_FACTORIES: dict[object, str] = {
    None: "", float: "0.0", int: "0", complex: "0j", list: "[]", dict: "{}"
}  # fmt: skip
_NEW: dict[type, Kind] = {
    float: PY_FLOAT,
    int: PY_INT,
    complex: Scalar("complex"),
    list: ListOf(NEVER),
    dict: DictOf(NEVER, (), NEVER),
}


def is_dictionary(cls: type) -> bool:
    """Whether objects of exactly this class are dictionaries that are followed."""
    return cls in _CLASSES


def form_of(obj: dict[object, object]) -> tuple[DictForm, str] | None:
    """Of which form a dictionary is, and what it makes for a key that it lacks, as source; None for
    one that is not followed."""
    form = _CLASSES.get(type(obj))
    if form is None:
        return None
    if isinstance(obj, collections.defaultdict):
        new = new_item(obj.default_factory)
        return None if new is None else (form, new)
    return form, "0" if form == "Counter" else ""


def new_item(factory: object) -> str | None:
    """What a factory makes each time, as source; None where that is not known."""
    if isinstance(factory, FunctionType):
        code = factory.__code__
        if code.co_names or code.co_freevars or code.co_argcount or code.co_kwonlyargcount:
            return None
        made = factory() if code.co_flags & 0x2A0 == 0 and len(code.co_code) <= 16 else None
        plain = type(made) in (int, float) and math.isfinite(made)  # type: ignore[arg-type]
        return repr(made) if plain else None
    return next((text for f, text in _FACTORIES.items() if f is factory), None)


def class_of_form(form: DictForm) -> type:
    """The class of the dictionaries of a form."""
    return next(cls for cls, name in _CLASSES.items() if name == form)


def kind_of_new_item(kind: DictOf) -> Kind:
    """The kind of what a dictionary makes for a key that it lacks."""
    return _NEW[type(ast.literal_eval(kind.new))] if kind.new else NEVER


def of_form(kind: DictOf, form: DictForm, new: str) -> DictOf:
    """The kind of a dictionary of another class with the same entries."""
    made = replace(kind, form=form, new=new)
    return replace(made, item=join(kind.item, kind_of_new_item(made)))


def made_by(cls: object, args: Sequence[Kind], factory: object = None) -> DictOf | None:
    """What a call of one of the classes makes; None where it is none of them, or that is not known.
    `factory`: what is given to a `defaultdict` first."""
    form = _CLASSES.get(cls) if isinstance(cls, type) else None
    if not form:
        return None
    new: str | None = "0" if form == "Counter" else ""
    if form == "defaultdict":
        new, args = new_item(factory), args[1:]
    held = present(args[0]) if args else DictOf(NEVER, (), NEVER)
    if new is None or len(args) > 1 or not isinstance(held, DictOf):
        return None
    return of_form(held, form, new)


def counted(items: Kind) -> DictOf | None:
    """What a `Counter` makes of a list of what carries no derivative."""
    key = items.item if isinstance(items, ListOf) else UNKNOWN
    whole = isinstance(key, Scalar) and key.type in ("int", "bool")
    if not whole and not is_text_kind(key):
        return None
    return of_form(DictOf(PY_INT, (), TEXT if not whole else PY_INT), "Counter", "0")


def recast(base: DictOf, args: Sequence[Kind]) -> Kind:
    """What a class makes of a dictionary; `args`: it, and what it gets before that."""
    cls, *given = (a.value if isinstance(a, Known) else UNKNOWN for a in args)
    if cls is dict:
        return replace(base, form="", new="")
    before = [UNKNOWN] * len(given)
    return made_by(cls, [*before, base], *given[:1]) or UNKNOWN


def entry_of(base: DictOf, items: tuple[Expr, ...], look: Callable[[Expr], Kind]) -> Kind:
    """The kind of what is in a dictionary under a key."""
    if len(items) > 1:  # a tuple is the key
        return base.item
    key = items[0].value if isinstance(items[0], E.Const) else None
    if isinstance(items[0], E.Name) and isinstance(known := look(items[0]), Known):
        key = known.value if type(known.value) is str else None
    return base.item if key is None else base.field(key)
