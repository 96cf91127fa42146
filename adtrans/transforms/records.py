"""Records of an outermost loop are iterated over backwards instead of popped from a copy.

for i in reversed(range(n)):              for i, t in zip(reversed(range(n)), reversed(t_saved)):
    t = t_saved.pop()                ->       ...

>>> pop = C.Assign((E.Name("t"),), E.Call(E.Attribute(E.Name("t_saved"), "pop"), ()))
>>> body, lists = iterate_records((C.ForEach(E.Name("_"), E.Name("run"), (pop,)),), {"t_saved"})
>>> print(body[0].iter, sorted(lists))
reversed(t_saved) ['t_saved']
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from adtrans.ir import code as C
from adtrans.ir import expr as E


def iterate_records(body: C.Body, records: Set[str]) -> tuple[C.Body, frozenset[str]]:
    """The body with outermost loops over their `records`, and those that no longer are stacks."""
    done: set[str] = set()

    def visit(inner: C.Body) -> C.Body:
        return tuple(one(c) for c in inner)

    def one(c: C.Code) -> C.Code:
        match c:
            case C.Branch():
                return replace(c, then=visit(c.then), orelse=visit(c.orelse))
            case C.Within():
                return replace(c, body=visit(c.body))
            case C.ForEach():
                return over_records(c)
            case _:
                return c

    def over_records(c: C.ForEach) -> C.Code:
        pops = [(i, p) for i, s in enumerate(c.body) if (p := popped(s)) is not None]
        lists = [(i, p) for i, p in pops if p[1] in records]
        if not lists:
            return c
        done.update(stack for _, (_, stack) in lists)
        gone = {i for i, _ in lists}
        rest = tuple(s for i, s in enumerate(c.body) if i not in gone)
        targets: list[E.Expr] = [name for _, (name, _) in lists]
        sources: list[E.Expr] = [_backwards(E.Name(stack)) for _, (_, stack) in lists]
        if c.target != E.Name("_"):
            targets.insert(0, c.target)
            sources.insert(0, c.iter)
        if len(targets) == 1:
            return replace(c, target=targets[0], iter=sources[0], body=rest)
        zipped = E.Call(E.Ref("zip", zip), tuple(sources))
        return replace(c, target=E.Sequence("tuple", tuple(targets)), iter=zipped, body=rest)

    return visit(body), frozenset(done)


def _backwards(e: E.Expr) -> E.Expr:
    return E.Call(E.Ref("reversed", reversed), (e,))


def popped(c: C.Code) -> tuple[E.Expr, str] | None:
    """(name, list) of `name = list.pop()`."""
    match c:
        case C.Assign(
            targets=(E.Name() as name,),
            value=E.Call(fn=E.Attribute(base=E.Name(id=stack), attr="pop"), args=()),
        ):
            return name, stack
        case _:
            return None
