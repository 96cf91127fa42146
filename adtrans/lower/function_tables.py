"""Tables of functions from outside that a function only reads, written out where it begins.

BASIS = (one, square)                        def f(c, t):
def f(c, t):                                     BASIS = (one, square)
    return sum(c * f(t)                 ->       return sum(c * f(t)
               for c, f in zip(c, BASIS))                   for c, f in zip(c, BASIS))

What a list or a dictionary holds is compared at each call (see `captured`), and where it is looked
at, because what is called meanwhile may change it (see `table_checks`).
"""

from __future__ import annotations

import copy
import types
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

import gast
import numpy as np

from adtrans.ir.names import NameAllocator
from adtrans.lower.local_names import LocalNames
from adtrans.lower.makers import meaning
from adtrans.lower.opaque import name_node
from adtrans.lower.replacing import Replacing, defined
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import mentioned, nodes_in, parameters
from adtrans.lower.table_checks import Checked
from adtrans.runtime.table_guards import check_table
from adtrans.source import MISSING, SourceFunction
from adtrans.source.libraries import is_library
from adtrans.source.made import made_functions

_MOST = 32
_FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, np.ufunc, partial)
_GOES_OVER = (zip, enumerate, reversed, len, map, filter)
_VIEWS = ("items", "keys", "values", "get")


def with_tables(source: SourceFunction) -> SourceFunction:
    """The function with its tables as variables; `source` itself where there are none."""
    node = source.node
    if not isinstance(node, gast.FunctionDef | gast.Lambda):
        return source
    used = _used(source, node)
    if not used:
        return source
    names = NameAllocator(mentioned(node) | set(source.fn.__code__.co_freevars))
    others: dict[str, object] = {}
    made = defined(copy.deepcopy(node), source.name)
    body = _checked(made.body, used, names, others)
    if not used:
        return source
    shown = [_displayed(source, name, table, names, others, made) for name, table in used.items()]
    asked = _Asked(dict(zip(used, shown, strict=True)))
    for s in body:
        asked.visit(s)
    start = [assignment(name_node(n, made, gast.Store()), e, made.body[0])
             for n, e in zip(used, shown, strict=True)]  # fmt: skip
    first = made.body[:1]
    documented = isinstance(first[0], gast.Expr) and isinstance(first[0].value, gast.Constant)
    made.body = [*body[:1], *start, *body[1:]] if documented else [*start, *body]
    return made_functions(replace(source, node=made), made, [], others)


def _checked(
    body: list[gast.stmt], used: dict[str, object], names: NameAllocator,
    others: dict[str, object],
) -> list[gast.stmt]:  # fmt: skip
    """The body with checks of what can change; tables that are also read elsewhere are left out."""
    while changing := [name for name, table in used.items() if not isinstance(table, tuple)]:
        taken = {n: (names.fresh(f"{n}_outside"), names.fresh(f"{n}_held")) for n in changing}
        check = names.fresh("check_table")

        comparison = partial(_comparison, check, taken)
        work = Checked(changing, comparison, partial(names.fresh, "result"))
        made = work.block(copy.deepcopy(body))
        every = Counter(n.id for s in body for n in gast.walk(s) if isinstance(n, gast.Name))
        left = [name for name in changing if every[name] > work.seen[name]]
        if not left:
            others[check] = check_table
            for name, (outside, held) in taken.items():
                table = used[name]
                others[outside] = table
                assert isinstance(table, list | dict)
                others[held] = tuple(table.items() if isinstance(table, dict) else table)
            return made
        for name in left:
            del used[name]
    return body


def _comparison(
    check: str, taken: dict[str, tuple[str, str]], name: str, like: gast.AST
) -> gast.stmt:
    """`check_table(outside, held)`."""
    args: list[gast.expr] = [name_node(n, like) for n in taken[name]]
    call = gast.Call(name_node(check, like), args, [])
    made = gast.Expr(call)
    for part in (call, made):
        gast.copy_location(part, like)
    return made


def _used(source: SourceFunction, node: gast.FunctionDef | gast.Lambda) -> dict[str, object]:
    """The tables that are read, by the names of the function for them."""
    found: dict[str, object] = {}
    local = LocalNames(node)
    names = [n for n in nodes_in(node) if isinstance(n, gast.Name)]
    for name in sorted({n.id for n in names} - local.own):
        table = source.resolve(name)
        if type(table) in (tuple, list, dict) and is_table(table):
            found[name] = table
    if not found:
        return {}
    bound_names = {n.id for n in names if isinstance(n.ctx, gast.Store | gast.Del)}
    bound = {n.id for n in names if not isinstance(n.ctx, gast.Load)}
    for n in nodes_in(node):
        if isinstance(n, gast.Global | gast.Nonlocal):
            bound |= set(n.names)
    read = {id(n) for n in _read(source, node, local, found)}
    given = {p.id for p in parameters(node.args)} - bound_names
    named = {id(n.value) for n in nodes_in(node) if isinstance(n, gast.Assign)}
    plain = {
        id(of)
        for n in nodes_in(node)
        if (of := _known_table(n, found, given)) is not None
        and not (id(n) in named and _is_class(n, found[of.id]))
    }
    return {
        name: table
        for name, table in found.items()
        if name not in bound
        and all(id(n) in read for n in names if n.id == name)
        and not all(id(n) in plain for n in names if n.id == name)
    }


def is_table(value: object) -> bool:
    """Whether a container holds functions, and rows of functions and constants, and no more."""
    items = list(value.values()) if isinstance(value, dict) else list(value)  # type: ignore[call-overload]  # a list or tuple
    if isinstance(value, dict) and not all(type(k) is str for k in value):
        return False
    return 0 < len(items) <= _MOST and all(map(_is_row, items)) and any(map(_calls, items))


def _is_function(item: object) -> bool:
    if isinstance(item, type):  # a class of the user's, whose objects may be followed
        return isinstance(getattr(item, "__init__", None), types.FunctionType) and not is_library(
            item.__module__
        )
    return isinstance(item, _FUNCTIONS)


def _is_row(item: object) -> bool:
    """Whether an item is a function, or a tuple of functions and constants."""
    if type(item) is tuple:
        return all(_is_function(i) or _is_constant(i) for i in item)
    return _is_function(item)


def _calls(item: object) -> bool:
    return any(map(_is_function, item)) if isinstance(item, tuple) else _is_function(item)


def _is_constant(item: object) -> bool:
    return type(item) in (int, float, bool, str, type(None))


def _read(
    source: SourceFunction, node: gast.AST, local: LocalNames, tables: dict[str, object]
) -> Iterator[gast.AST]:
    """The names of tables that stand where nothing is done but to look at what they hold."""
    for n in nodes_in(node):
        match n:
            case gast.For(iter=over) | gast.comprehension(iter=over):
                yield over
            case gast.Subscript(value=value, slice=where, ctx=gast.Load()):
                if not isinstance(where, gast.Slice):
                    yield value
            case gast.Attribute(value=gast.Name(id=name) as value, attr=attr):
                if isinstance(tables.get(name), dict) and attr in _VIEWS:
                    yield value
            case gast.Compare(ops=[gast.In() | gast.NotIn()], comparators=[gast.Name() as held]):
                if isinstance(tables.get(held.id), dict):
                    yield held
            case gast.Call(func=fn, args=args) if any(
                meaning(fn, source, local) is f for f in _GOES_OVER
            ):
                yield from args


def _known_table(
    node: gast.AST, tables: dict[str, object], given: set[str]
) -> gast.Name | None:
    """The table in `TABLE["name"]`, which is known without this; of classes, also where the name is
    one of the parameters in `given` (see `given.reads_by_name`)."""
    match node:
        case gast.Subscript(value=gast.Name(id=name) as value, slice=key) | (
            gast.Compare(ops=[gast.In() | gast.NotIn()], left=key,
                         comparators=[gast.Name(id=name) as value])
        ) if getattr(key, "id", None) in given or (
            isinstance(key, gast.Constant) and isinstance(node, gast.Compare)
        ):  # fmt: skip
            table = tables.get(name)
            classes = isinstance(table, dict) and any(isinstance(v, type) for v in table.values())
            return value if classes else None
        case gast.Subscript(value=gast.Name(id=name) as value, slice=gast.Constant(value=str())):
            return value if isinstance(tables.get(name), dict) else None
        case _:
            return None


def _is_class(node: gast.AST, table: object) -> bool:
    """Whether `TABLE["name"]` is a class, of which more is known where the table is written out."""
    match node:
        case gast.Subscript(slice=gast.Constant(value=str(key))) if isinstance(table, dict):
            return isinstance(table.get(key), type)
        case _:
            return False


class _Asked(Replacing):
    """`TABLE["name"]` and `TABLE.get("name", default)` of tables that are written out, as the
    function or the class that it gives."""

    def __init__(self, displays: dict[str, gast.expr]) -> None:
        self.displays = displays

    def replacement(self, node: gast.AST) -> gast.AST | None:
        match node:
            case gast.Subscript(
                value=gast.Name(id=name), slice=gast.Constant(value=str(key)), ctx=gast.Load()
            ):
                return self.item(name, key, None)
            case gast.Call(
                func=gast.Attribute(value=gast.Name(id=name), attr="get"),
                args=[gast.Constant(value=str(key)), *rest], keywords=[],
            ) if len(rest) < 2 and all(isinstance(d, gast.Name | gast.Constant) for d in rest):
                return self.item(name, key, rest[0] if rest else None)
            case _:
                return None

    def item(self, name: str, key: str, absent: gast.expr | None) -> gast.expr | None:
        display = self.displays.get(name)
        if not isinstance(display, gast.Dict):
            return None
        for k, value in zip(display.keys, display.values, strict=True):
            if isinstance(k, gast.Constant) and k.value == key:
                return copy.deepcopy(value) if isinstance(value, gast.Name) else None
        return absent


def _displayed(
    source: SourceFunction, name: str, value: object, names: NameAllocator,
    others: dict[str, object], like: gast.AST,
) -> gast.expr:  # fmt: skip
    """The display of a table, or of an item of one; functions without a name get one."""
    made: gast.expr
    if isinstance(value, dict):
        keys: list[gast.expr | None] = [gast.Constant(k, None) for k in value]
        shown = [_displayed(source, f"{name}_{k}", v, names, others, like)
                 for k, v in enumerate(value.values())]  # fmt: skip
        made = gast.Dict(keys, shown)
    elif isinstance(value, tuple | list):
        shown = [_displayed(source, f"{name}_{k}", v, names, others, like)
                 for k, v in enumerate(value)]  # fmt: skip
        form = gast.Tuple if isinstance(value, tuple) else gast.List
        made = form(shown, gast.Load())
    elif _is_constant(value):
        made = gast.Constant(value, None)
    else:
        own = getattr(value, "__name__", "")
        if own not in mentioned(source.node) and source.resolve(own) is value is not MISSING:
            made = name_node(own, like)
        else:
            fresh = names.fresh(name)
            others[fresh] = value
            made = name_node(fresh, like)
    for part in gast.walk(made):
        if isinstance(part, gast.expr) and not hasattr(part, "lineno"):
            gast.copy_location(part, like)
    return made
