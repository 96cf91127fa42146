"""Takes out the containers of which only items are used, once the items have variables.

`pair = [a, b]; return pair[0] * pair[1]` keeps the two variables and no list.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from adtrans.analyses.objects.displays import is_item
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import binds_of, map_blocks, reads_of, statements
from adtrans.lower.opaque import without_deleted


def without_unused(body: S.Block, tuples: AbstractSet[str] = frozenset()) -> S.Block:
    """`body` without the containers that nothing but their items is used of; `tuples` are some."""
    packs = [s for s in statements(body) if isinstance(s, S.Pack)]
    made = {s.target for s in packs if s.kind != "tuple" or s.target in tuples}
    filled = {
        s.base.id
        for s in statements(body)
        if isinstance(s, S.SetAttr) and is_item(s.attr) and isinstance(s.base, E.Name)
    }
    names = {s.target for s in statements(body) if isinstance(s, S.Alias)}
    unused = made | names
    while True:
        used: set[str] = set()
        for s in statements(body):
            match s:
                case S.SetAttr(base=E.Name(id=base)) if is_item(s.attr) and base in unused:
                    used |= {v for v in reads_of(s) if v != base}
                case S.Alias() if s.target in unused:
                    pass
                case S.Keep(form="unsupported"):
                    used |= {*reads_of(s), *binds_of(s), *s.unbinds}
                case _:
                    used |= set(reads_of(s))
                    if not isinstance(s, S.Alias | S.Pack):
                        used |= set(binds_of(s))
        for s in statements(body):  # names of one container are used together
            if isinstance(s, S.Alias) and (s.source in used) != (s.target in used):
                used |= {s.source} if s.source in made | names else set()
                used |= {s.target}
        left = unused - used
        if left == unused:
            break
        unused = left
    gone = {v for v in unused if v in filled or v in made}
    while more := {
        v
        for s in statements(body)
        if isinstance(s, S.Alias) and s.target in unused and {s.source, s.target} & gone
        for v in (s.source, s.target)
        if v in unused
    } - gone:
        gone |= more

    def kept(s: S.Stmt) -> bool:
        match s:
            case S.Pack() | S.Alias():
                return s.target not in gone
            case S.SetAttr(base=E.Name(id=base)):
                return not (is_item(s.attr) and base in gone)
            case _:
                return True

    def block(b: S.Block) -> S.Block:
        left = (without_deleted(s, gone) if isinstance(s, S.Keep) else s for s in b if kept(s))
        return tuple(map_blocks(s, block) for s in left if s is not None)

    return block(body)
