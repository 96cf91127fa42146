"""What an expression gives where that is known before the program runs: integers, texts, truths.

>>> known({"i": 2}, E.Binary("+", E.Const("W"), E.Name("i"))) is UNTOLD  # which raises
True
>>> known({"i": 2}, E.Binary("%", E.Const("W%d"), E.Name("i")))
'W2'
>>> known({"sizes": (3, 4, 1)}, E.Call(E.Ref("len", len), (E.Name("sizes"),)))
3
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

import gast

from adtrans.ir import expr as E

UNTOLD: Final = object()
_PLAIN = (int, str, bool, float, type(None))
_LONG = 300  # characters of a text
_LARGE = 10**9
_BINARY: Mapping[str, Callable[[Any, Any], object]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv,
    "%": operator.mod,
}  # fmt: skip
_COMPARED: Mapping[str, Callable[[Any, Any], object]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge, "in": lambda a, b: a in b,
    "not in": lambda a, b: a not in b,
}  # fmt: skip
_IN_TREES: Mapping[type, str] = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.FloorDiv: "//", gast.Mod: "%"
}
_ASKED = frozenset({
    "startswith", "endswith", "lower", "upper", "replace", "strip", "format", "removeprefix",
    "removesuffix", "join", "isdigit", "count", "find", "capitalize", "zfill",
})  # fmt: skip
Known = Mapping[str, object]
_MANY = 64  # items of a table


@dataclass(frozen=True)
class Table:
    """A list or a dictionary that a global name means, or a view of one, of what is known; of a
    dictionary the pairs of keys and values."""

    kind: type
    items: tuple[object, ...]

    def elements(self) -> tuple[object, ...]:
        """What a loop goes through."""
        pairs = self.items if self.kind is dict else ()
        return tuple(p[0] for p in pairs if isinstance(p, tuple)) if pairs else self.items

    def at(self, key: object) -> object:
        """The item for a key."""
        if self.kind is list:
            return item_of(self.items, key)
        for p in self.items if self.kind is dict else ():
            if isinstance(p, tuple) and type(p[0]) is type(key) and p[0] == key:
                return p[1]
        return UNTOLD


def frozen(value: object, depth: int = 0) -> object:
    """What is known of the value of a global name."""
    if type(value) in _PLAIN:
        return value
    if type(value) not in (tuple, list, dict) or depth > 4:
        return UNTOLD
    assert isinstance(value, tuple | list | dict)
    if len(value) > _MANY:
        return UNTOLD
    if isinstance(value, dict):
        if not all(type(k) in (str, int) for k in value):
            return UNTOLD
        held = [(k, frozen(v, depth + 1)) for k, v in value.items()]
        told = all(v is not UNTOLD for _, v in held)
        return Table(dict, tuple(held)) if told else UNTOLD
    items = tuple(frozen(v, depth + 1) for v in value)
    if any(v is UNTOLD for v in items):
        return UNTOLD
    return items if type(value) is tuple else Table(list, items)


def known(values: Known, e: E.Expr, name: Callable[[str], str] = lambda v: v) -> object:
    """The value of an expression, `UNTOLD` where only the run tells. `values`: of variables;
    `name`: what the user calls a variable, as it stands in f-strings."""
    match e:
        case E.Const(value=value) if type(value) in _PLAIN:
            return value
        case E.Name(id=var):
            return values.get(var, UNTOLD)
        case E.Ref(value=value):
            return frozen(value)
        case E.Binary(op=op, left=left, right=right) if op in _BINARY:
            return _computed(op, known(values, left, name), known(values, right, name))
        case E.Unary(op="-", operand=operand):
            inner = known(values, operand, name)
            return -inner if type(inner) is int else UNTOLD
        case E.Unary(op="not", operand=operand):
            inner = known(values, operand, name)
            return UNTOLD if inner is UNTOLD or isinstance(inner, Table) else not inner
        case E.Compare(left=left, ops=(op,), rights=(right,)):
            return _compared(op, known(values, left, name), known(values, right, name))
        case E.BoolOp(op=op, values=parts):
            return _in_turn(op, [known(values, p, name) for p in parts])
        case E.IfExp(test=test, then=then, orelse=orelse):
            told = known(values, test, name)
            if told is UNTOLD or isinstance(told, Table):
                return UNTOLD
            return known(values, then if told else orelse, name)
        case E.Index(base=base, items=(item,)):
            return item_of(known(values, base, name), known(values, item, name))
        case E.Sequence(kind="tuple", items=items):
            each = tuple(known(values, i, name) for i in items)
            return UNTOLD if any(v is UNTOLD for v in each) else each
        case E.Call(fn=E.Ref(value=fn), args=args, kwargs=()):
            return _called(fn, [known(values, a, name) for a in args])
        case E.Call(fn=E.Attribute(base=base, attr=attr), args=args, kwargs=()):
            of = known(values, base, name)
            if isinstance(of, Table) and of.kind is dict and not args:
                return _view(of, attr)
            if not isinstance(of, str) or attr not in _ASKED:
                return UNTOLD
            return _asked(of, attr, [known(values, a, name) for a in args])
        case E.Verbatim(node=gast.JoinedStr(values=parts), reads=reads):
            called = {name(v): values[v] for v in reads if v in values}
            called |= {at: v for at, v in values.items() if "." in at}  # of attributes
            return _joined(called, parts)
        case _:
            return UNTOLD


def _view(table: Table, attr: str) -> object:
    """What a loop over `table.items()` and the like goes through."""
    match attr:
        case "items":
            return Table(type({}.items()), table.items)
        case "keys":
            return Table(type({}.keys()), table.elements())
        case "values":
            held = tuple(p[1] for p in table.items if isinstance(p, tuple))
            return Table(type({}.values()), held)
        case _:
            return UNTOLD


def is_plain(value: object) -> bool:
    """Whether a value is a number, a text, a truth or None, or a tuple of such: nothing changes
    it."""
    return type(value) in _PLAIN or (type(value) is tuple and all(map(is_plain, value)))


def item_of(base: object, key: object) -> object:
    """An item of a tuple, a text or a table."""
    if isinstance(base, Table):
        return base.at(key)
    if not isinstance(base, tuple | str) or type(key) is not int:
        return UNTOLD
    return base[key] if -len(base) <= key < len(base) else UNTOLD


def _small(value: object) -> object:
    """What has not become too large."""
    if isinstance(value, str):
        return value if len(value) <= _LONG else UNTOLD
    if type(value) is int:
        return value if abs(value) <= _LARGE else UNTOLD
    return value


def _computed(op: str, a: object, b: object) -> object:
    texts = op == "+" and type(a) is str and type(b) is str
    filled = op == "%" and type(a) is str and is_plain(b)
    if not texts and not filled and not (type(a) is int and type(b) is int):
        return UNTOLD
    return _tried(lambda: _BINARY[op](a, b))


def _compared(op: str, a: object, b: object) -> object:
    if a is UNTOLD or b is UNTOLD:
        return UNTOLD
    if op in ("is", "is not"):
        nothing = a is None or b is None
        return (a is b) is (op == "is") if nothing else UNTOLD
    if op in ("in", "not in") and isinstance(b, Table):
        b = b.elements()
    if isinstance(a, Table) or isinstance(b, Table):
        return UNTOLD
    return _tried(lambda: bool(_COMPARED[op](a, b))) if op in _COMPARED else UNTOLD


def _in_turn(op: str, values: list[object]) -> object:
    """What `and` and `or` give."""
    for v in values:
        if isinstance(v, Table):
            return UNTOLD
        if v is UNTOLD or bool(v) is (op == "or"):
            return v
    return values[-1]


def _called(fn: object, args: list[object]) -> object:
    if any(a is UNTOLD for a in args) or len(args) != 1:
        return UNTOLD
    if fn is len and isinstance(args[0], Table):
        return len(args[0].items)
    if fn is len and isinstance(args[0], str | tuple):
        return len(args[0])
    given = args[0]
    if fn is str and isinstance(given, int | str):
        return _small(str(given))
    if fn is int and isinstance(given, int | str):
        return _tried(lambda: int(given))
    return UNTOLD


def _asked(of: str, attr: str, args: list[object]) -> object:
    """What a method of a text gives."""
    if any(a is UNTOLD for a in args):
        return UNTOLD
    return _tried(lambda: getattr(of, attr)(*args))


def _tried(compute: Callable[[], object]) -> object:
    """A value, `UNTOLD` where computing it raises, as it will when the program runs."""
    try:
        return _small(compute())
    except (TypeError, ValueError, ArithmeticError, LookupError, AttributeError):
        return UNTOLD


def _joined(values: Known, parts: Iterable[gast.AST]) -> object:
    """What an f-string gives."""
    found = ""
    for p in parts:
        match p:
            case gast.Constant(value=str(text)):
                found += text
            case gast.FormattedValue(value=value, conversion=-1, format_spec=form):
                inner = _of_tree(values, value)
                spec = "" if form is None else _joined(values, getattr(form, "values", []))
                if type(inner) not in (int, str, bool) or not isinstance(spec, str):
                    return UNTOLD
                shown = _formatted(inner, spec)
                if not isinstance(shown, str):
                    return UNTOLD
                found += shown
            case _:
                return UNTOLD
    return _small(found)


def _formatted(value: object, spec: str) -> object:
    return _tried(lambda: format(value, spec))


def _of_tree(values: Known, node: gast.AST) -> object:
    """What an expression inside an f-string gives."""
    match node:
        case gast.Constant(value=value) if type(value) in _PLAIN:
            return value
        case gast.Name(id=name):
            return values.get(name, UNTOLD)
        case gast.Attribute(value=gast.Name(id=name), attr=attr):
            return values.get(f"{name}.{attr}", UNTOLD)
        case gast.BinOp(left=left, op=op, right=right) if type(op) in _IN_TREES:
            return _computed(_IN_TREES[type(op)], _of_tree(values, left), _of_tree(values, right))
        case _:
            return UNTOLD
