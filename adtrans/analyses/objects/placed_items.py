"""Lists that are made of None and filled at once, as one display: so does generated code.

    pair = [None, None]
    first = a                       first = a
    pair[0] = first         ->      second = b
    second = b                      pair = [first, second]
    pair[1] = second

Nothing but names is bound in between, so nothing sees the list before it is whole.
"""

from __future__ import annotations

from dataclasses import replace

from adtrans.analyses.objects.displays import is_item, key_of, named
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements, without_origins


def with_placed_items(fn: S.Function) -> S.Function:
    """`fn` with such lists made when they are whole; `fn` itself where there are none."""
    if not any(_is_blank(s) for s in statements(fn.body)):
        return fn
    touched: set[int] = set()

    def block(body: S.Block) -> S.Block:
        """In a `try` or `with`, a name that is not bound may leave the list half made."""
        out: list[S.Stmt] = []
        waiting = list(body)
        while waiting:
            s = waiting.pop(0)
            made = _whole(s, waiting) if isinstance(s, S.Pack) and _is_blank(s) else None
            if made is None:
                out.append(s if isinstance(s, S.Try | S.With) else map_blocks(s, block))
                continue
            between, display, count = made
            touched.update(t.origin for t in (s, *waiting[:count]))
            out += [*between, display]
            del waiting[:count]
        return tuple(out)

    body = block(fn.body)
    return replace(fn, body=named(fn, without_origins(body, touched))) if touched else fn


def _is_blank(s: S.Stmt) -> bool:
    """Whether a statement makes a list of None."""
    match s:
        case S.Pack(kind="list", items=items, cls=None):
            return bool(items) and all(i == E.NONE for i in items)
        case _:
            return False


def _whole(s: S.Pack, body: list[S.Stmt]) -> tuple[list[S.Stmt], S.Pack, int] | None:
    """What stands between, the display, and how many statements these were; None where the list
    is not filled at once."""
    between: list[S.Stmt] = []
    items: dict[int, E.Atom] = {}
    for count, t in enumerate(body, 1):
        put = _put(t, s.target)
        if put is not None:
            k, value = put
            if k in items or not 0 <= k < len(s.items) or value == E.Name(s.target):
                return None
            items[k] = value
            if len(items) == len(s.items):
                return between, replace(s, items=tuple(items[n] for n in sorted(items))), count
            continue
        match t:
            case S.Alias() | S.Bind(value=E.Name() | E.Const() | E.Ref()):
                kept = {i.id for i in items.values() if isinstance(i, E.Name)} | {s.target}
                if kept & {*binds_of(t), *(reads_of(t) & {s.target})}:
                    return None
                between.append(t)
            case _:
                return None
    return None


def _put(s: S.Stmt, made: str) -> tuple[int, E.Atom] | None:
    """The place in a list where a statement puts something, and what."""
    match s:
        case S.Store(base=base, items=(E.Const(value=int() as k),), value=value) if base == made:
            return (k, value) if isinstance(value, E.Name | E.Const | E.Ref) else None
        case S.SetAttr(base=E.Name(id=base), attr=attr, value=value) if (
            base == made and is_item(attr) and isinstance(key := key_of(attr), int)
        ):
            return key, value
        case _:
            return None
