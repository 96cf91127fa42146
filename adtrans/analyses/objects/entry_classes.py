"""Questions about the classes of arguments, answered before objects are followed.

    def __add__(self, other):                                          (other is a Vec)
        other = other if isinstance(other, Vec) else Vec(other)   ->   return Vec(self.x + other.x)
        return Vec(self.x + other.x)

An argument that is an object which is followed has a class. Of any other one it may be assumed that
it is a number or an array; what the version is called with tells whether that was right, once
kinds are known (`refuted`). A question is answered as long as the parameter is not bound again.
"""

from __future__ import annotations

from abc import ABCMeta
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from adtrans.analyses.decided import outcome
from adtrans.analyses.objects.classes import can_follow
from adtrans.analyses.objects.displays import CONTAINERS
from adtrans.analyses.objects.method_objects import stands_for
from adtrans.analyses.objects.model import Shape
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Kind
from adtrans.ir.walk import binds_of, map_blocks, statements, without_origins

_Known = dict[str, bool]
_CHECKS = (type.__instancecheck__, ABCMeta.__instancecheck__)


def with_answers(
    fn: S.Function, shapes: Mapping[str, Shape], *, assume: bool
) -> tuple[S.Function, bool]:
    """`fn` with these questions answered, the same object where there are none; and whether some
    are about what is no object that is followed. `assume`: these are answered, too."""
    params = {p.name for p in fn.params}
    of = {p: classes for p, shape in shapes.items() if (classes := _of(shape))}
    run = _Answers(of, params - shapes.keys(), assume)
    body = run.block(fn.body, {}, params)
    if not run.origins or any(map(_ends, body)):
        return fn, run.open  # what leaves the work to another method is refused where it is called
    body = without_origins(body, run.origins)
    return replace(fn, body=body, assumed=(*fn.assumed, *run.assumed)), run.open


def refuted(fn: S.Function, kinds: Mapping[str, Kind]) -> Iterator[str]:
    """The parameters of which something was assumed that arguments of these kinds do not tell."""
    for name, classes, assumed in fn.assumed:
        if name not in kinds or outcome(kinds[name], classes) is not assumed:
            yield name


def _of(shape: Shape) -> tuple[type, ...]:
    """The classes that an argument may have; none where it may be something else."""
    if shape.cls in CONTAINERS:
        return ()
    return (stands_for(shape.cls),)


@dataclass
class _Answers:
    """`of`: the classes of parameters, `plain`: those that are no objects which are followed."""

    of: Mapping[str, tuple[type, ...]]
    plain: set[str]
    assume: bool
    assumed: list[tuple[str, tuple[type, ...], bool]] = field(default_factory=list)
    origins: set[int] = field(default_factory=set)
    open: bool = False

    def block(self, body: S.Block, known: _Known, own: set[str]) -> S.Block:
        """`known`: variables whose truth is, `own`: parameters that are what was passed."""
        done: list[S.Stmt] = []
        for s in body:
            done += self.one(s, known, own)
            if done and _ends(done[-1]):
                break
        return tuple(done)

    def one(self, s: S.Stmt, known: _Known, own: set[str]) -> S.Block:
        match s:
            case S.If():
                told = self.truth(s.test, known, own)
                if told is not None:
                    self.origins.add(s.origin)
                    return self.block(s.then if told else s.orelse, known, own)
                made = map_blocks(s, lambda b: self.block(b, dict(known), set(own)))
            case S.Bind() if not E.is_atom(s.value):
                told = self.truth(s.value, known, own)
                if told is not None:
                    self.origins.add(s.origin)
                    s = replace(s, value=E.Const(told))
                self.forget((s,), known, own)
                if told is not None:
                    known[s.target] = told
                return (s,)
            case S.For() | S.While() | S.Try() | S.With() | S.Onward():
                self.forget((s,), known, own)  # it may come round again, or stop anywhere
                return (map_blocks(s, lambda b: self.block(b, dict(known), set(own))),)
            case _:
                made = s
        self.forget((s,), known, own)
        return (made,)

    def forget(self, body: S.Block, known: _Known, own: set[str]) -> None:
        for v in (v for s in statements(body) for v in (*binds_of(s), *_unbound(s))):
            known.pop(v, None)
            own.discard(v)

    def truth(self, e: E.Expr, known: _Known, own: set[str]) -> bool | None:
        match e:
            case E.Name(id=name):
                return known.get(name)
            case E.Unary(op="not", operand=operand):
                told = self.truth(operand, known, own)
                return None if told is None else not told
            case E.BoolOp(op=op, values=values):
                for v in values:  # one after the other, as Python does
                    told = self.truth(v, known, own)
                    if told is None or told is (op == "or"):
                        return told
                return op == "and"
            case E.Call(fn=E.Ref(value=fn), args=(E.Name(id=name), of)) if (
                fn is isinstance and name in own and (classes := _classes(of)) is not None
            ):
                if name in self.of:
                    answers = {issubclass(cls, classes) for cls in self.of[name]}
                    return answers.pop() if len(answers) == 1 else None
                return self.assumption(name, classes) if name in self.plain else None
            case _:
                return None

    def assumption(self, name: str, classes: tuple[type, ...]) -> bool | None:
        """Numbers and arrays are no objects of the user's classes, and of others that are named."""
        users = [can_follow(c) for c in classes]
        if any(users) and not all(users):
            return None
        self.open = True
        if not self.assume:
            return None
        self.assumed.append((name, classes, not any(users)))
        return not any(users)


def _ends(s: S.Stmt) -> bool:
    """Whether nothing of a block is run behind a statement."""
    return isinstance(s, S.Break | S.Continue) or (isinstance(s, S.Keep) and s.form == "raise")


def _unbound(s: S.Stmt) -> tuple[str, ...]:
    return tuple(s.unbinds) if isinstance(s, S.Keep) else ()


def _classes(e: E.Expr) -> tuple[type, ...] | None:
    """The classes that a question names, where inheritance decides it."""
    given = e.items if isinstance(e, E.Sequence) and e.kind == "tuple" else (e,)
    found = tuple(i.value for i in given if isinstance(i, E.Ref) and isinstance(i.value, type))
    plain = all(type(c).__instancecheck__ in _CHECKS for c in found)
    return found if found and len(found) == len(given) and plain else None
