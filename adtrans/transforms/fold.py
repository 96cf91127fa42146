"""Folds temporaries that are used once back into the expression that uses them.

    t = np.tanh(w * h)
    y = t + b           ->   y = np.tanh(w * h) + b

A temporary moves only past statements that cannot change what it reads.

>>> h = C.Assign((E.Name("t"),), E.Binary("*", E.Name("w"), E.Name("h")))
>>> y = C.Assign((E.Name("y"),), E.Binary("+", E.Name("t"), E.Name("b")))
>>> print(*[c.value for c in fold((h, y), lambda n: n == "t", lambda a, b: False)])
w * h + b
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.ir.walk import names_in, substitute, walk
from adtrans.rules import lookup

_ACTING = frozenset(
    {"append", "clear", "extend", "fill", "insert", "partition", "pop", "reverse", "sort"}
)
_TAKERS = frozenset({  # of `runtime.containers`
    "add_each", "add_each_part", "add_entry", "add_from", "add_items", "add_joined",
    "add_repeated", "merge", "put_back", "put_picked", "refill", "spliced_back", "spread_at",
    "taken_off", "taken_out",
})  # fmt: skip
LIMIT = 40  # nodes of an expression that a reader still takes in at a glance


def fold(
    body: C.Body, foldable: Callable[[str], bool], quiet: Callable[[str, str], bool]
) -> C.Body:
    """`body` with temporaries folded. `foldable` tells temporaries from the user's names.

    `quiet(a, b)`: writing into the array `a` certainly changes nothing that `b` stands for.
    """
    uses = Counter(n for c in all_code(body) for n in _read_names(c))
    defs = Counter(n for c in all_code(body) for n in bound_by(c))
    return _block(body, lambda n: foldable(n) and uses[n] == 1 and defs[n] == 1, quiet)


def all_code(body: C.Body) -> Iterator[C.Code]:
    """All statements of a body in textual order, those inside others included."""
    for c in body:
        yield c
        for inner in C.bodies(c):
            yield from all_code(inner)


def expressions(c: C.Code) -> Iterator[E.Expr]:
    """The expressions that a statement evaluates once, where it stands."""
    match c:
        case C.Assign():
            yield c.value
            yield from (t for t in c.targets if not isinstance(t, E.Name | E.Sequence))
        case C.AugAssign():
            yield c.value
            yield c.target
        case C.Do() | C.Result():
            yield c.value
        case C.Branch() | C.Loop():
            yield c.test
        case C.ForEach():
            yield c.iter
        case C.Within():
            yield c.context
        case C.Attempt():
            yield from (h.type for h in c.handlers if h.type is not None)
        case C.Original() | C.Leave():
            return


def _read_names(c: C.Code) -> Iterator[str]:
    for e in expressions(c):
        for sub in walk(e):
            if isinstance(sub, E.Name):
                yield sub.id
            elif isinstance(sub, E.Verbatim):
                yield from (r for r in sub.reads for _ in range(2))  # never folded into
    if isinstance(c, C.Original):
        yield from (r for r in c.reads for _ in range(2))


def bound_by(c: C.Code) -> Iterator[str]:
    """The names that a statement binds itself, not those inside it."""
    match c:
        case C.Assign():
            yield from c.bound
        case C.AugAssign(target=E.Name(id=name)):
            yield name
        case C.ForEach():
            yield from names_in(c.target)
        case C.Original():
            yield from c.binds
        case C.Attempt():
            yield from (h.name for h in c.handlers if h.name is not None)
        case C.Within(target=str() as name):
            yield name
        case _:
            return


def _guarded(body: C.Body, once: Callable[[str], bool]) -> C.Body:
    """What a handler may see half done: a temporary moves into the next statement, no further."""
    out = [C.map_bodies(c, lambda inner: _guarded(inner, once)) for c in body]
    i = 0
    while i + 1 < len(out):
        c = out[i]
        match c:
            case C.Assign(targets=(E.Name(id=name),)) if once(name):
                if _user(out[: i + 2], i, name, c.value, lambda a, b: False) == i + 1:
                    out[i : i + 2] = [_put(out[i + 1], name, c.value)]
                    i = max(i - 1, 0)
                    continue
            case _:
                pass
        i += 1
    return tuple(out)


def _block(body: C.Body, once: Callable[[str], bool], quiet: Callable[[str, str], bool]) -> C.Body:
    out = [_inside(c, once, quiet) for c in body]
    i = 0
    while i < len(out):
        c = out[i]
        if isinstance(c, C.Assign) and len(c.targets) == 1 and isinstance(c.targets[0], E.Name):
            name = c.targets[0].id
            if once(name):
                j = _user(out, i, name, c.value, quiet)
                if j is not None:
                    out[j] = _put(out[j], name, c.value)
                    del out[i]
                    i = max(i - 1, 0)
                    continue
            merged = _merge_copy(c, out[i + 1] if i + 1 < len(out) else None)
            if merged is not None:
                out[i : i + 2] = [merged]
                continue
        filled = _fill_cleared(c, out[i + 1] if i + 1 < len(out) else None, quiet)
        if filled is not None:
            out[i : i + 2] = [filled]
            continue
        i += 1
    return tuple(out)


def _fill_cleared(
    c: C.Code, after: C.Code | None, quiet: Callable[[str, str], bool]
) -> C.Code | None:
    """`a[i] = 0.0` followed by `a[i] += e` as `a[i] = e`, where `e` does not look at `a`."""
    match c, after:
        case (
            C.Assign(targets=(E.Index() as target,), value=E.Const(value=0.0)),
            C.AugAssign(op="+" | "-" as op, target=E.Index() as same, value=value, note=note),
        ) if target == same:
            root = root_of(target)
            if root is None or not all(quiet(root, n) for n in names_in(value)):
                return None
            return C.Assign((target,), value if op == "+" else E.Unary("-", value), note)
        case _:
            return None


def _merge_copy(c: C.Assign, after: C.Code | None) -> C.Code | None:
    """`t = e` followed by `t = f(t)` as one statement."""
    if (
        isinstance(after, C.Assign)
        and after.targets == c.targets
        and isinstance(c.targets[0], E.Name)
    ):
        name = c.targets[0].id
        count = sum(isinstance(s, E.Name) and s.id == name for s in walk(after.value))
        if count == 1 and size(c.value) + size(after.value) <= LIMIT:
            return replace(after, value=substitute(after.value, {name: c.value}))
    return None


def _inside(c: C.Code, once: Callable[[str], bool], quiet: Callable[[str, str], bool]) -> C.Code:
    match c:
        case C.Attempt():
            return C.map_bodies(c, lambda body: _guarded(body, once))
        case _:
            return C.map_bodies(c, lambda body: _block(body, once, quiet))


def size(e: E.Expr) -> int:
    """The number of nodes of an expression."""
    return sum(1 for _ in walk(e))


def _user(
    out: list[C.Code], i: int, name: str, value: E.Expr, quiet: Callable[[str, str], bool]
) -> int | None:
    """The statement of the same block that uses the temporary, if it may be moved there."""
    looks = names_in(value)
    calls = any(isinstance(s, E.Call) and _may_act(s) for s in walk(value))
    for j in range(i + 1, len(out)):
        c = out[j]
        if name in set(_read_names(c)):
            here = sum(1 for e in expressions(c) for s in walk(e) if s == E.Name(name))
            if here != 1 or isinstance(c, C.Loop | C.Attempt | C.Within):
                return None
            if calls and changed(value) & set(_read_names(c)):
                return None  # `a[-1] + a.pop()`: what stands before it would see `a` as it was
            if _reads_memory(value) and any(map(_takes_out, expressions(c))):
                return None  # `bars.pop(a_at), t`: what stands behind it would see zeros
            if isinstance(c, C.AugAssign) and isinstance(c.target, E.Name) and c.target.id in looks:
                return None
            total = max((size(e) for e in expressions(c)), default=0) + size(value)
            return j if total <= LIMIT else None
        if not isinstance(c, C.Assign | C.AugAssign):
            return None
        if set(bound_by(c)) & looks or calls:
            return None
        for target in c.targets if isinstance(c, C.Assign) else (c.target,):
            root = root_of(target)
            in_place = isinstance(c, C.AugAssign) or not isinstance(target, E.Name)
            if in_place and (root is None or any(not quiet(root, n) for n in looks)):
                return None
            if in_place and not looks and not E.is_atom(value):
                return None  # `1/TOL` of the user's: where it raises, nothing is written yet
        if any(
            isinstance(s, E.Call) and _may_act(s) for e in expressions(c) for s in walk(e)
        ) and _reads_memory(value):
            return None
    return None


def _reads_memory(e: E.Expr) -> bool:
    return not E.is_atom(e)


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


def _takes_out(e: E.Expr) -> bool:
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
            return call.fn.text in _TAKERS
        return rule is None or rule.impure or bool(rule.writes)
    if isinstance(call.fn, E.Attribute):
        return call.fn.attr in _ACTING
    return True


def root_of(target: E.Expr) -> str | None:
    """The array that a subscript ends at."""
    while isinstance(target, E.Index | E.Attribute):
        target = target.base
    return target.id if isinstance(target, E.Name) else None


def _put(c: C.Code, name: str, value: E.Expr) -> C.Code:
    def f(e: E.Expr) -> E.Expr:
        return substitute(e, {name: value})

    match c:
        case C.Assign():
            names = E.Name | E.Sequence
            targets = tuple(t if isinstance(t, names) else f(t) for t in c.targets)
            return replace(c, targets=targets, value=f(c.value))
        case C.AugAssign():
            target = c.target if isinstance(c.target, E.Name) else f(c.target)
            return replace(c, target=target, value=f(c.value))
        case C.Do() | C.Result():
            return replace(c, value=f(c.value))
        case C.Branch():
            return replace(c, test=f(c.test))
        case C.ForEach():
            return replace(c, iter=f(c.iter))
        case _:
            raise AssertionError(f"nothing to fold into: {c}")
