"""What evaluating an expression may do: act on something, raise an exception; and in which order.

>>> t = E.Binary("/", E.Const(1.0), E.Name("a"))
>>> sorted(Raised(numbers=frozenset({"a"})).by(t))
['ZeroDivisionError']
>>> changed(E.Call(E.Attribute(E.Name("items"), "pop"), ()))
{'items'}
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from adtrans.analyses.facts import Facts
from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.kinds import Array, Kind, Scalar
from adtrans.ir.walk import names_in, walk
from adtrans.rules import lookup
from adtrans.rules.registry import method

_ACTING = frozenset(
    {"append", "clear", "extend", "fill", "insert", "partition", "pop", "reverse", "sort"}
)
_TAKERS = frozenset({  # of `runtime.containers`
    "add_each", "add_each_part", "add_entry", "add_from", "add_items", "add_joined",
    "add_repeated", "merge", "put_back", "put_picked", "refill", "spliced_back", "spread_at",
    "taken_off", "taken_out",
})  # fmt: skip
_LOOKING = frozenset(  # methods of other things than arrays that only look
    {"count", "endswith", "format", "get", "index", "items", "join", "keys", "lower", "replace",
     "split", "startswith", "strip", "upper", "values"}
)  # fmt: skip
_OF_ARRAYS = frozenset({"T", "shape", "size", "ndim", "dtype", "real", "imag", "flat"})


def acts(e: E.Expr) -> bool:
    """Whether evaluating `e` may do more than compute a value."""
    return any(isinstance(s, E.Call) and _may_act(s) for s in walk(e))


def changed(e: E.Expr) -> set[str]:
    """The lists that evaluating `e` changes."""
    found: set[str] = set()
    for s in walk(e):
        match s:
            case E.Call(fn=E.Attribute(base=base, attr=attr)) if attr in _ACTING:
                found |= names_in(base)
            case E.Call(fn=E.Ref(text=text), args=(first, *_)) if text in _TAKERS:
                found |= names_in(first)
            case _:
                pass
    return found


def takes_out(e: E.Expr) -> bool:
    """Whether evaluating `e` takes adjoints out of an `AdjointMemory`: its views see zeros then."""
    return any(
        isinstance(s, E.Call)
        and isinstance(s.fn, E.Attribute)
        and s.fn.attr == "pop"
        and isinstance(s.fn.base, E.Name)
        and s.fn.base.id.startswith("bars")
        for s in walk(e)
    )


def _may_act(call: E.Call) -> bool:
    """Whether a call may do more than compute a value."""
    if isinstance(call.fn, E.Ref):
        rule = lookup(call.fn.value)
        module = getattr(call.fn.value, "__module__", "") or ""
        if module.startswith("adtrans.runtime"):
            return call.fn.text in _TAKERS or call.fn.text == "call_frozen"
        return rule is None or rule.impure or bool(rule.writes)
    if isinstance(call.fn, E.Attribute):
        attr = call.fn.attr
        if attr in _ACTING:
            return True
        rule = method(attr)
        return attr not in _LOOKING and (rule is None or rule.impure or bool(rule.writes))
    return True


@dataclass(frozen=True, slots=True)
class Raised:
    """The exceptions that an expression may end in. `numbers`, among them floats of NumPy, which
    only warn, and `arrays`: the names that stand for nothing else; `unheeded`: those whose values'
    exceptions do not matter."""

    numbers: frozenset[str] = frozenset()
    warning: frozenset[str] = frozenset()
    arrays: frozenset[str] = frozenset()
    unheeded: frozenset[str] = frozenset()

    def by(self, e: E.Expr) -> frozenset[str]:
        """What evaluating `e` may raise."""
        found: set[str] = set()
        for s in walk(e):
            found |= self._alone(s)
        return frozenset(found)

    def before(self, c: C.Code, name: str) -> frozenset[str]:
        """What a statement may raise before it reads `name`."""
        return frozenset().union(*(self._alone(s) for s in ahead(c, name)[0]))

    def _alone(self, e: E.Expr) -> frozenset[str]:
        """The same without what is inside of it."""
        match e:
            case E.Binary(op=op, left=left, right=right):
                return self._operator(op, left, right)
            case E.Compare():
                plain = all(map(self.is_number, E.children(e)))
                return _NOTHING if plain else _SHAPES
            case E.Index(base=base, items=items):
                if all(_is_part(i) for i in items):
                    return _NOTHING
                known = isinstance(base, E.Name) and base.id in self.arrays
                return frozenset({"IndexError"} if known else {"IndexError", "KeyError"})
            case E.Attribute(attr=attr):
                return _NOTHING if attr in _OF_ARRAYS else frozenset({"AttributeError"})
            case E.Call(fn=E.Attribute(base=base, attr=attr)):
                told = method(attr) is not None
                return _SHAPES if told and not isinstance(base, E.Ref) else _ANY
            case E.Call(fn=E.Ref(text=text, value=value)):
                return _of_function(text, value)
            case E.Call() | E.Verbatim():
                return _ANY
            case _:
                return _NOTHING

    def _operator(self, op: str, left: E.Expr, right: E.Expr) -> frozenset[str]:
        numbers = self.is_number(left) and self.is_number(right)
        if op in ("+", "-", "*", "@"):
            return _NOTHING if numbers else _SHAPES
        if self.is_array(left) or self.is_array(right):
            return _SHAPES
        if numbers and not self.warning.isdisjoint(names_in(left) | names_in(right)):
            return _NOTHING
        if op == "**":
            whole = isinstance(right, E.Const) and right.value in (1, 2, 3, 4)
            alone = frozenset({"OverflowError"} if whole else {"OverflowError", _BY_ZERO})
        else:
            alone = frozenset({_BY_ZERO})
        if isinstance(right, E.Const) and op in ("/", "//", "%") and right.value:
            alone = _NOTHING
        return alone if numbers else alone | _SHAPES

    def is_number(self, e: E.Expr) -> bool:
        """Whether `e` is certainly a number."""
        match e:
            case E.Name(id=name):
                return name in self.numbers
            case E.Const(value=value):
                return isinstance(value, int | float | complex)
            case E.Binary(left=left, right=right):
                return self.is_number(left) and self.is_number(right)
            case E.Unary(operand=operand):
                return self.is_number(operand)
            case E.Call(fn=E.Ref(text=text)):
                return text.startswith("math.") or text in ("float", "int", "len")
            case _:
                return False

    def is_array(self, e: E.Expr) -> bool:
        """Whether `e` is certainly an array."""
        match e:
            case E.Name(id=name):
                return name in self.arrays
            case E.Binary(left=left, right=right):
                return self.is_array(left) or self.is_array(right)
            case E.Unary(operand=operand):
                return self.is_array(operand)
            case E.Index(base=base, items=items):
                return self.is_array(base) and all(isinstance(i, E.Slice) for i in items)
            case _:
                return False


def raised_in(facts: Facts, dots: Mapping[str, str] = MappingProxyType({})) -> Raised:
    """What the code of a function may raise; `dots`: the tangents of its names, whose exceptions
    are nobody's."""
    of: dict[str, list[Kind]] = {}
    for v in (*facts.definitions.sites, *(p.name for p in facts.fn.params)):
        of.setdefault(facts.fn.source_name(v), []).append(facts.kinds.var(v))
    numbers = {n for n, kinds in of.items() if all(isinstance(k, Scalar) for k in kinds)}
    arrays = {n for n, kinds in of.items() if all(isinstance(k, Array) for k in kinds)}
    warning = {n for n, kinds in of.items() if all(map(_only_warns, kinds))}

    def with_tangents(names: set[str]) -> frozenset[str]:
        return frozenset(names | {dots[n] for n in names if n in dots})

    tangents = frozenset(dots.values())
    return Raised(with_tangents(numbers), with_tangents(warning), with_tangents(arrays), tangents)


def _only_warns(kind: Kind) -> bool:
    """Whether a number is certainly a float of NumPy."""
    return isinstance(kind, Scalar) and kind.type == "float" and kind.dtype not in (None, "?")


_BY_ZERO = "ZeroDivisionError"
_NOTHING: frozenset[str] = frozenset()
_SHAPES = frozenset({"ValueError"})  # shapes that do not match
_ANY = frozenset({"any"})
_TOTAL = ("abs", "float", "int", "len", "min", "max", "range", "slice", "tuple", "list", "bool")


def _is_part(item: E.Expr) -> bool:
    return isinstance(item, E.Slice) or item in (E.ELLIPSIS, E.NONE)


def _of_function(text: str, value: object) -> frozenset[str]:
    module = getattr(value, "__module__", "") or ""
    if text in _TOTAL:
        return _NOTHING
    if module == "math" or text.startswith("math."):
        return frozenset({"ValueError", "OverflowError"})
    if "linalg" in text:
        return frozenset({"ValueError", "LinAlgError"})
    rule = lookup(value)
    if rule is not None and rule.custom is None and not rule.impure:
        return _SHAPES
    return _SHAPES if module.startswith("adtrans.runtime") else _ANY


def exchange(a: frozenset[str], b: frozenset[str]) -> bool:
    """Whether somebody could see that what raises `a` is evaluated behind what raises `b`."""
    both = a | b
    return bool(a and b) and (len(both) > 1 or "any" in both)


def ahead(c: C.Code, name: str) -> tuple[list[E.Expr], bool]:
    """What a statement evaluates before it reads `name`, and whether it reads it for sure."""
    found: list[E.Expr] = []
    match c:
        case C.Assign():
            order = [c.value, *c.targets]
        case C.AugAssign():
            order = [c.target, c.value]
        case C.Do() | C.Result():
            order = [c.value]
        case C.Branch() | C.Loop():
            order = [c.test]
        case C.ForEach():
            order = [c.iter]
        case _:
            return found, False
    for e in order:
        sure = _ahead_in(e, name, found)
        if sure is not None:
            return found, sure
    return found, True


def _ahead_in(e: E.Expr, name: str, found: list[E.Expr]) -> bool | None:
    """Add what is evaluated before `name` is read in `e`; whether it is read for sure, None if it
    is not in it."""
    if isinstance(e, E.Name) and e.id == name:
        return True
    for k, child in enumerate(E.children(e)):
        if k == 0 and isinstance(e, E.Call) and isinstance(child, E.Attribute):
            child = child.base  # which method it is, does not change
        inside = _ahead_in(child, name, found)
        if inside is not None:
            perhaps = isinstance(e, E.BoolOp | E.IfExp) and k > 0
            perhaps |= isinstance(e, E.Compare) and k > 1
            return inside and not perhaps
    if isinstance(e, E.Verbatim) and name in e.reads:
        return False
    found.append(e)
    return None


def is_plain(e: E.Expr) -> bool:
    """Whether an operand stands for the same, whatever happens after it was evaluated: it was not
    read from memory."""
    return isinstance(e, E.Name | E.Const | E.Ref | E.Sequence | E.Slice | E.Star)
