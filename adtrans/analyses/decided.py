"""Takes out the branches that a version never takes: conditions that the kinds decide.

    if z is None:                          (z is an array)
        z = np.ones(3)            ->
    if not isinstance(x, np.ndarray):      (x is an array)
        x = np.array(x)

A version is compiled for the kinds of its arguments and chosen by them, so such a condition has one
outcome in it. What is read from the attributes of an object may change while the function runs
without being seen; nothing is concluded from it.
"""

from __future__ import annotations

import operator
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from types import BuiltinFunctionType, MethodType, UnionType
from typing import Any, get_args

import numpy as np

from adtrans.analyses.kinds import Kinds
from adtrans.analyses.new_objects import makes_new
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.affine import Affine
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    Scalar,
    TupleOf,
    Unknown,
)
from adtrans.ir.walk import binds_of, map_blocks, names_in, reads_of, statements
from adtrans.lower.kept_syntax import assigns_attributes

_Known = dict[str, bool]

_SAMPLES: dict[str, tuple[object, ...]] = {
    "bool": (True, np.True_),
    "int": (1, np.int64(1)),
    "float": (1.0, np.float64(1.0)),
    "complex": (1j, np.complex128(1j)),
}
_ARRAY = np.zeros(1)
_CERTAIN = (Scalar, Array, TupleOf, ListOf, DictOf, Known, Instance)
_ORDERS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_HARMLESS = (
    print, isinstance, type, id, repr, str, callable, hasattr, len,
)  # fmt: skip


def decided(fn: S.Function, kinds: Kinds) -> S.Function:
    """`fn` without the branches that are never taken; the same object where there are none."""
    asks = (E.Call, E.Compare, E.Unary)
    if not any(
        isinstance(s, S.If) or (isinstance(s, S.Bind) and isinstance(s.value, asks))
        for s in statements(fn.body)
    ):
        return fn
    bound = Counter(v for s in statements(fn.body) for v in binds_of(s))
    bound.update(p.name for p in fn.params)
    run = _Decided(kinds, bound)
    body = tuple(run.block(fn.body, {}))
    left = {v for s in statements(body) for v in binds_of(s)} | {p.name for p in fn.params}
    if any((reads_of(s) & bound.keys()) - left for s in statements(body)):
        return fn  # a variable that is never bound would be taken for a global name
    return replace(fn, body=body) if run.found else fn


def outcome(kind: Kind, classes: tuple[type, ...]) -> bool | None:
    """Whether what is of this kind is of one of the classes, None where the kind does not tell."""
    return _agreed(isinstance(v, classes) for v in _samples(kind))


def is_exposed(fn: S.Function, kinds: Kinds) -> bool:
    """Whether code that is not followed gets hold of an object, and might change its attributes.

    Then nothing is certain of what another function is given from an attribute, either.
    """

    def holds(site: int, e: E.Expr) -> bool:
        return any(_has_attributes(kinds.at(site, n)) for n in names_in(e)) or (
            isinstance(e, E.Ref) and _has_attributes(kinds.expr(site, e))
        )

    def is_followed(site: int, e: E.Expr) -> bool:
        kind = kinds.expr(site, e)
        return not _has_attributes(kind) or (isinstance(kind, Instance) and kind.followed)

    reads = Counter(
        v for s in statements(fn.body) if not isinstance(s, S.Unpack) for v in reads_of(s)
    )
    for s in statements(fn.body):
        match s:
            case S.Pack(kind="tuple", target=target) if not reads[target]:
                pass  # it is only unpacked again
            case S.Keep(form="plain", only_names=False) if not s.text.startswith(
                ("print(", "assert ")
            ):
                if assigns_attributes(s.node) or any(holds(s.site, E.Name(n)) for n in s.reads):
                    return True
            case S.Bind(value=E.Call(fn=E.Ref(value=f), args=args)) if f not in _HARMLESS:
                if not makes_new(f) and any(holds(s.site, a) for a in args):
                    return True
            case S.Bind(value=E.Verbatim() as e):
                if any(holds(s.site, E.Name(n)) for n in e.reads):
                    return True
            case S.Pack(kind="tuple", items=items) if all(is_followed(s.site, i) for i in items):
                pass  # whoever gets hold of the tuple, and is not followed, loses the objects
            case S.Pack(items=items) if any(holds(s.site, i) for i in items):
                return True
            case S.Store(value=value) if holds(s.site, value):
                return True
            case S.Edit(args=args) if any(holds(s.site, a) for a in args):
                return True
    return False


def _has_attributes(kind: Kind) -> bool:
    return isinstance(kind, Instance) and kind.cls is not tuple  # such as `np.shape(a)`


def _doubtful(s: S.Stmt, doubts: set[str], kinds: Kinds) -> bool:
    """Whether what `s` binds comes from an attribute of an object, as it is."""
    match s:
        case S.Bind(value=E.Attribute(base=base)):
            return isinstance(kinds.expr(s.site, base), Instance | Unknown)
        case S.Bind(value=E.Name() | E.IfExp() | E.BoolOp() | E.Index() | E.Sequence()):
            return bool(names_in(s.value) & doubts)
        case S.Alias() | S.Unpack():
            return s.source in doubts
        case S.Load():
            return s.base in doubts
        case S.Pack():
            return any(isinstance(i, E.Name) and i.id in doubts for i in s.items)
        case S.Invoke():
            given = [*s.args, *(v for _, v in s.kwargs)]
            return isinstance(s.fn, E.Attribute) or any(
                isinstance(kinds.expr(s.site, a), Instance | Unknown) for a in given
            )
        case _:
            return False


class _Decided:
    """Goes through the function with what is known of its conditions."""

    def __init__(self, kinds: Kinds, bound: Mapping[str, int]) -> None:
        self.kinds, self.found, self.bound = kinds, False, bound
        self.doubts: set[str] = set()
        self.unions: dict[str, tuple[type, ...]] = {}  # `int | float`

    def block(self, body: S.Block, known: _Known) -> list[S.Stmt]:
        done: list[S.Stmt] = []
        for s in body:
            done += self.one(s, known)
        return done

    def one(self, s: S.Stmt, known: _Known) -> list[S.Stmt]:
        if not isinstance(s, S.If):
            self.doubt(s)
        match s:
            case S.If():
                outcome = self.truth(s.test, s.site, known)
                if outcome is not None:
                    self.found = True
                    return self.block(s.then if outcome else s.orelse, known)
                ways, before = (dict(known), dict(known)), set(self.doubts)
                then = tuple(self.block(s.then, ways[0]))
                between, self.doubts = self.doubts, before
                orelse = tuple(self.block(s.orelse, ways[1]))
                self.doubts |= between
                known.clear()
                known.update({k: v for k, v in ways[0].items() if ways[1].get(k) is v})
                return [map_blocks_to(s, then, orelse)]
            case S.Bind():
                union = self.classes(s.value, s.site) if isinstance(s.value, E.Binary) else None
                if union is not None and self.bound[s.target] == 1:
                    self.unions[s.target] = union
                outcome = self.truth(s.value, s.site, known)
                self.forget(known, [s.target])
                if outcome is None:
                    return [s]
                known[s.target] = outcome
                if E.is_atom(s.value) or not isinstance(s.value, E.Call | E.Compare | E.Unary):
                    return [s]
                self.found = True  # a caller that asks is told by the kind of the result
                return [replace(s, value=E.Const(outcome))]
            case S.Alias():
                outcome = known.get(s.source)
                self.forget(known, [s.target])
                if outcome is not None:
                    known[s.target] = outcome
                return [s]
            case _:
                inside = [v for t in statements((s,)) for v in binds_of(t)]
                self.forget(known, inside)
                doubts = set(self.doubts)
                made = map_blocks(s, lambda b: tuple(self.block(b, dict(known))))
                self.doubts |= doubts
                return [made]

    def doubt(self, s: S.Stmt) -> None:
        """What becomes doubtful by `s`; in a loop, before and after it."""
        inner = list(statements((s,)))
        if len(inner) == 1:
            made = set(binds_of(s))
            self.doubts = (
                self.doubts | made if _doubtful(s, self.doubts, self.kinds) else self.doubts - made
            )
            return
        while True:
            before = len(self.doubts)
            for t in inner:
                if _doubtful(t, self.doubts, self.kinds):
                    self.doubts |= set(binds_of(t))
            if len(self.doubts) == before:
                return

    def forget(self, known: _Known, names: Iterable[str]) -> None:
        for name in names:
            known.pop(name, None)

    # -- conditions ----------------------------------------------------------------------------

    def truth(self, e: E.Expr, site: int, known: _Known) -> bool | None:
        """Whether the condition holds, None where only the run tells."""
        match e:
            case E.Name():
                outcome = known.get(e.id)
                return _truth(self.certain(e, site)) if outcome is None else outcome
            case E.Const(value=value):
                return bool(value)
            case E.Unary(op="not", operand=operand):
                inner = self.truth(operand, site, known)
                return None if inner is None else not inner
            case E.BoolOp(op=op, values=values):
                return self.several(op, [self.truth(v, site, known) for v in values])
            case E.Compare(left=left, ops=(op,), rights=(right,)):
                return self.compared(op, self.certain(left, site), self.certain(right, site))
            case E.Call(fn=E.Ref(value=f), args=args, kwargs=()):
                return self.asked(f, args, site)
            case _:
                return None

    def several(self, op: str, values: list[bool | None]) -> bool | None:
        ends = op == "or"
        for v in values:  # one after the other, as Python does
            if v is None:
                return None
            if v is ends:
                return ends
        return not ends

    def certain(self, e: E.Expr, site: int) -> Kind | None:
        """The kind of what cannot have become something else meanwhile."""
        if isinstance(e, E.Const | E.Ref):
            return self.kinds.expr(site, e)
        if not isinstance(e, E.Name) or e.id in self.doubts:
            return None
        kind = self.kinds.before(site).get(e.id)
        return kind if isinstance(kind, _CERTAIN) else None

    def compared(self, op: str, left: Kind | None, right: Kind | None) -> bool | None:
        if left is None or right is None:
            return None
        if op in ("is", "is not"):
            same = _identical(left, right)
            return None if same is None else same is (op == "is")
        if op in _ORDERS and (difference := _difference(left, right)) is not None:
            return bool(_ORDERS[op](difference, 0))
        if op in ("==", "!=") and _is_text(left) and _is_text(right):
            assert isinstance(left, Known) and isinstance(right, Known)
            return (left.value == right.value) is (op == "==")
        if op in ("in", "not in") and _is_text(left) and isinstance(right, TupleOf):
            if all(_is_text(item) for item in right.items):
                return (left in right.items) is (op == "in")
        return None

    def asked(self, f: object, args: tuple[E.Expr, ...], site: int) -> bool | None:
        kind = self.certain(args[0], site) if args else None
        samples = _samples(kind)
        if f is callable and len(args) == 1:
            samples = (kind.value,) if isinstance(kind, Known) else samples
            return _agreed(callable(v) for v in samples)
        if f is np.isscalar and len(args) == 1:
            return _agreed(np.isscalar(v) for v in samples)
        if f is isinstance and len(args) == 2:
            classes = self.classes(args[1], site)
            if classes is None or any(issubclass(c, tuple) and c is not tuple for c in classes):
                return None  # what `np.linalg.eigh` returns is a tuple of a class of its own
            return _agreed(isinstance(v, classes) for v in samples)
        return None

    def classes(self, e: E.Expr, site: int) -> tuple[type, ...] | None:
        """The classes that an `isinstance` names, where these decide by inheritance alone."""
        given: list[object]
        match e:
            case E.Ref():
                given = [e.value]
            case E.Sequence(kind="tuple", items=items) if all(isinstance(i, E.Ref) for i in items):
                given = [i.value for i in items if isinstance(i, E.Ref)]
            case E.Binary(op="|", left=left, right=right):
                ways = self.classes(left, site), self.classes(right, site)
                return None if ways[0] is None or ways[1] is None else (*ways[0], *ways[1])
            case E.Name() if e.id in self.unions:
                return self.unions[e.id]
            case E.Name() if isinstance(kind := self.certain(e, site), TupleOf):
                given = [i.value if isinstance(i, Known) else None for i in kind.items]
            case _:
                return None
        given = [get_args(g) if isinstance(g, UnionType) else g for g in given]
        flat = [c for g in given for c in (g if isinstance(g, tuple) else (g,))]
        if not all(isinstance(c, type) and _is_plain(c) for c in flat):
            return None
        return tuple(c for c in flat if isinstance(c, type))


def map_blocks_to(s: S.If, then: S.Block, orelse: S.Block) -> S.If:
    """The branch with these blocks."""
    blocks = iter((then, orelse))
    made = map_blocks(s, lambda _: next(blocks))
    assert isinstance(made, S.If)
    return made


def _is_plain(cls: type) -> bool:
    own = type(cls).__instancecheck__
    return own is type.__instancecheck__ or cls.__module__ in ("numbers", "collections.abc")


def _identical(left: Kind, right: Kind) -> bool | None:
    """Whether two values are one object: functions, classes and modules, and None."""
    if _is_none(left) or _is_none(right):
        return _is_none(left) and _is_none(right)
    if isinstance(left, Known) and isinstance(right, Known):
        # these may be made anew where they are read
        fleeting = str | bytes | MethodType | BuiltinFunctionType | np.dtype
        if isinstance(left.value, fleeting) or isinstance(right.value, fleeting):
            return None
        return left.value is right.value
    return None


def _difference(left: Kind, right: Kind) -> int | None:
    """By how much one known integer exceeds another, such as a rank or the length of a tuple."""
    if not (isinstance(left, Scalar) and isinstance(right, Scalar)):
        return None
    if left.value is None or right.value is None:
        return None
    return (left.value - right.value).value


def _truth(kind: Kind | None) -> bool | None:
    """Whether a value counts as true, None where its kind does not tell."""
    match kind:
        case Scalar(type="bool"):
            return kind.truth
        case Scalar(type="int", value=Affine(value=int() as value)):
            return value != 0
        case Known(value=None):
            return False
        case Known(value=str() as text):
            return text != ""
        case _:
            return None


def _is_none(kind: Kind) -> bool:
    return isinstance(kind, Known) and kind.value is None


def _is_text(kind: Kind) -> bool:
    return isinstance(kind, Known) and type(kind.value) is str


def _samples(kind: Kind | None) -> tuple[object, ...]:
    """Values of every type that one of the kind may have."""
    match kind:
        case Scalar(dtype=None):  # what is no Python number is one of the default precision
            return _SAMPLES[kind.type]
        case Scalar(dtype="?"):
            return (_SAMPLES[kind.type][0], *_of_numpy(kind.type))
        case Scalar(dtype=str(dtype)):
            exact: object = np.dtype(dtype).type(1)
            default = _SAMPLES[kind.type]
            return default if type(exact) is type(default[1]) else (exact,)
        case Array():
            return (_ARRAY,)
        case ListOf():
            return ([], *([()] if kind.frozen else []))
        case TupleOf(cls=None):
            return ((),)
        case DictOf():
            return ({},)
        case Known() if kind.value is None or type(kind.value) is str:
            return (kind.value,)
        case _:
            return ()


def _of_numpy(name: str) -> tuple[object, ...]:
    """Numbers of all classes of NumPy that are of a form."""
    form = {
        "bool": np.bool_, "int": np.integer, "float": np.floating, "complex": np.complexfloating,
    }  # fmt: skip
    classes: Iterable[Any] = dict.fromkeys(np.sctypeDict.values())
    return tuple([c(1) for c in classes if issubclass(c, form[name])])


def _agreed(answers: Iterable[object]) -> bool | None:
    """The answer for all samples, None where there is none or there are two."""
    found = {bool(a) for a in answers}
    return found.pop() if len(found) == 1 else None
