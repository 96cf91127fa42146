"""Operations of deques, spelled out as those of lists.

q = deque(v, maxlen=n)     ->   q = edit v: queue(n)
q.popleft()                ->   edit q: pop(0)
q.append(e)                ->   full = is_full(q); if full: edit q: pop(0); edit q: append(e)

The last one of a deque that may be bounded: what goes has to be seen, because its adjoint comes
back then.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace

from adtrans import runtime
from adtrans.analyses.class_entries import ClassEntries
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, ListOf, TupleOf

_ALIKE: dict[tuple[str, int], S.EditOp] = {
    ("pop", 0): "pop",
    ("clear", 0): "clear",
    ("reverse", 0): "reverse",
    ("copy", 0): "copy",
    ("index", 1): "index",
    ("count", 1): "count",
    ("insert", 2): "insert",
}


@dataclass(frozen=True)
class Queues(ClassEntries):
    """Rewrites the statements of one function that are about deques."""

    def queue(self, e: E.Expr, site: int) -> ListOf | None:
        """The kind of a variable that holds a deque; None for all else."""
        kind = self.kinds.expr(site, e) if isinstance(e, E.Name) else None
        return kind if isinstance(kind, ListOf) and kind.queue else None

    def made_queue(self, s: S.Invoke) -> Iterator[S.Stmt] | None:
        """`deque(values, maxlen)`."""
        words = dict(s.kwargs)
        given = (*s.args, *(words[k] for k in ("iterable", "maxlen") if k in words))
        if s.target is None or len(given) > 2 or words.keys() - {"maxlen"}:
            return None
        if any(isinstance(a, E.Star) for a in s.args):
            return None
        values = s.args[0] if s.args else None
        sizes = tuple(a for a in given[bool(s.args) :] if a != E.NONE)
        if values is None:
            return self.of_values(s, s.target, None, sizes)
        kind = self.kinds.expr(s.site, values)
        if isinstance(values, E.Name) and isinstance(kind, ListOf | TupleOf | Array):
            return self.of_values(s, s.target, values, sizes, listed=isinstance(kind, ListOf))
        return None

    def of_values(
        self, s: S.Invoke, target: str, values: E.Name | None, sizes: tuple[E.Atom, ...],
        *, listed: bool = False,
    ) -> Iterator[S.Stmt]:  # fmt: skip
        made = self.names.fresh("t") if values is None or not listed else values.id
        if values is None:
            yield S.Pack(made, "list", (), **self.place(s))
        elif not listed:
            yield S.Invoke(made, E.Ref("list", list), (values,), **self.place(s))
        yield S.Edit(target, "queue", made, sizes, **S.place(s, s.site))

    def of_queue(self, s: S.Bind, base: str, call: E.Call, kind: ListOf) -> Iterator[S.Stmt] | None:
        """A method of a deque; None for one that is not followed."""
        assert isinstance(call.fn, E.Attribute)
        attr, count = call.fn.attr, len(call.args)
        if call.kwargs:
            return None
        if (op := _ALIKE.get((attr, count))) is not None:
            return self.spelled(s, op, base, call.args)
        first = attr == "__delitem__" and call.args == (E.Const(0),)
        if first or (attr == "popleft" and not count):
            return self.spelled(s, "pop", base, (E.Const(0),))
        if attr in ("append", "appendleft") and count == 1:
            return self.put(s, base, attr, call.args[0], kind)
        if attr in ("extend", "extendleft") and count == 1:
            return self.put_each(s, base, attr[6:], call.args[0], kind)
        return None

    def put(self, s: S.Bind, base: str, attr: str, value: E.Expr, kind: ListOf) -> Iterator[S.Stmt]:
        """`q.append(e)`, `q.appendleft(e)`."""
        atom = yield from self.atom(s, value)
        yield from self.placed_in(s, base, attr, atom, kind)
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))

    def placed_in(
        self, s: S.Stmt, base: str, attr: str, atom: E.Atom, kind: ListOf
    ) -> Iterator[S.Stmt]:
        left = attr == "appendleft"
        if kind.queue == "bounded":
            full = self.names.fresh("full")
            test = E.Call(E.Ref("is_full", runtime.is_full), (E.Name(base),))
            gone = S.Edit(None, "pop", base, () if left else (E.Const(0),), **self.place(s))
            yield S.Bind(full, test, **self.place(s))
            yield S.If(E.Name(full), (gone,), (), **self.place(s))
        op: S.EditOp = "insert" if left else "append"
        yield S.Edit(None, op, base, (E.Const(0), atom) if left else (atom,), **self.place(s))

    def put_each(
        self, s: S.Bind, base: str, attr: str, values: E.Expr, kind: ListOf
    ) -> Iterator[S.Stmt]:
        """`q.extend(values)`, one after the other."""
        given = yield from self.atom(s, values)
        if isinstance(given, E.Name):
            if self.queue(given, s.site) is not None:  # perhaps the same one, which gets longer
                held, given = given.id, E.Name(self.names.fresh("t"))
                yield S.Edit(given.id, "list", held, (), **self.place(s))
            item = self.names.fresh("item")
            body = tuple(self.placed_in(s, base, f"append{attr}", E.Name(item), kind))
            yield S.For(item, S.Elements(given.id), body, **S.place(s, s.site))
        else:
            yield replace(s, value=E.Call(E.Attribute(E.Name(base), f"extend{attr}"), (given,)))
        if s.target in self.read:
            yield S.Bind(s.target, E.NONE, **self.place(s))

    def spelled(
        self, s: S.Bind, op: S.EditOp, base: str, args: tuple[E.Expr, ...]
    ) -> Iterator[S.Stmt]:
        """The operation, its arguments in variables."""
        atoms: list[E.Atom] = []
        for a in args:
            atom = yield from self.atom(s, a)
            atoms.append(atom)
        silent = op in S.CHANGES and (op != "pop") and s.target not in self.read
        target = None if silent else s.target
        yield S.Edit(target, op, base, tuple(atoms), **S.place(s, s.site))


def makes_queue(fn: E.Expr) -> bool:
    """Whether a function that is called is `deque`."""
    return isinstance(fn, E.Ref) and fn.value is deque
