"""Whether the body of a loop changes how many items a container has that the loop goes over.

    for t in rows:
        if len(rows) < 6:
            rows.append(2.0 * t)    the loop goes on with what is put in

Such a loop cannot be written out turn by turn.
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.analyses.objects.grown_behind import RESIZING, Behind
from adtrans.analyses.objects.model import Key
from adtrans.analyses.objects.object_facts import Objects
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import names_in, operands, statements, walk


def changes_size(
    body: S.Block,
    over: set[Key],
    at: set[str],
    o: Objects,
    called: Callable[[object], S.Block | None],
    whole: S.Block,
) -> bool:
    """Whether `body` may change the size of one of the containers `over`. `at`: variables whose
    values are keys of these; `called` gives the body of a function, None where it is not known;
    `whole` is that of the function with the loop."""
    named = {s.target: s.source for s in statements(body) if isinstance(s, S.Alias)}

    def means(var: str, seen: frozenset[str] = frozenset()) -> bool:
        if var in attributes or not over.isdisjoint(map(o.one, o.values.get(var, ()))):
            return True
        return var in named and var not in seen and means(named[var], seen | {var})

    def reached(e: E.Expr) -> bool:
        """Whether an attribute is one of the containers."""
        if not isinstance(e, E.Attribute):
            return False
        held = (o.contents.get((k, e.attr), ()) for k in o.values_of(e.base))
        return any(not over.isdisjoint(map(o.one, ks)) for ks in held)

    attributes = {s.target for s in statements(body) if isinstance(s, S.Bind) and reached(s.value)}

    def there(key: object) -> bool:
        """Whether a key is in all of the dictionaries before the loop."""
        keys = {k for k in over if o.classes.get(k) is dict}
        known = all(f"[{key!r}]" in (o.items.get(k) or ()) for k in keys)
        if any(k[0] == "new" for k in keys):  # made in this function
            known = known and key in stored_outside(body, whole, called)
        return known or not keys

    def adds(s: S.Stmt) -> bool:
        """Whether a statement may give one of the dictionaries another key, if it is about it."""
        match s:
            case S.Store(items=(E.Const(value=key),)):
                return not there(key)
            case _:
                return False

    def passed(s: S.Invoke) -> bool:
        args = (*s.args, *(v for _, v in s.kwargs))
        if not any(means(n) for a in args for n in names_in(a)):
            return False
        inside = called(s.fn.value) if isinstance(s.fn, E.Ref) else None
        return inside is None or any(
            changed(t) is not None or isinstance(t, S.Invoke) or adds(t) for t in statements(inside)
        )

    def opens(s: S.Stmt) -> bool:
        """Whether a dictionary gets a key that it may not have."""
        match s:
            case S.Store(base=base, items=(E.Name(id=key),)) if key in at:
                return False
            case S.Store(base=base, items=(E.Const(),)):
                return means(base) and adds(s)
            case S.Store(base=base):
                keys = {k for k in over if o.classes.get(k) is dict}
                return bool(keys) and means(base)
            case _:
                return False

    attrs = frozenset(a for (_, a), ks in o.contents.items() if not over.isdisjoint(map(o.one, ks)))
    if Behind(attrs - {""}, there, frozenset(_types(o)), called).by(body):
        return True
    for s in statements(body):
        base = changed(s)
        if (base is not None and means(base)) or (isinstance(s, S.Invoke) and passed(s)):
            return True
        if opens(s):
            return True
    return False


def stored_outside(
    body: S.Block, whole: S.Block, called: Callable[[object], S.Block | None]
) -> frozenset[object]:
    """The constant keys at which something is stored elsewhere in a function, or by what makes
    objects there."""
    inside = {s.site for s in statements(body)}
    found: list[S.Stmt] = [s for s in statements(whole) if s.site not in inside]
    made = {
        e.value for s in found for own in operands(s) for e in walk(own)
        if isinstance(e, E.Ref) and isinstance(e.value, type)
    }  # fmt: skip
    for cls in made:
        found += statements(called(getattr(cls, "__init__", None)) or ())
    return frozenset(
        i.value for s in found if isinstance(s, S.Store) for i in s.items if isinstance(i, E.Const)
    )


def _types(o: Objects) -> set[type]:
    return {c for c in o.classes.values() if isinstance(c, type)}


def changed(s: S.Stmt) -> str | None:
    """The variable whose size a statement changes, if it is a container."""
    match s:
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base), attr=attr))):
            return base if attr in RESIZING else None
        case S.Edit(base=base, op=op):
            return base if op in S.CHANGES else None
        case S.Update(base=base, items=None):
            return base
        case S.Store(base=base, items=items) if any(isinstance(i, E.Slice) for i in items):
            return base
        case _:
            return None
