"""Tables that could change while a function runs are compared where it looks at them.

for f in TABLE:                    check_table(TABLE_outside, TABLE_held)
    s += f(x)               ->     for f in TABLE:
                                       check_table(TABLE_outside, TABLE_held)
                                       s += f(x)
                                   else:
                                       check_table(TABLE_outside, TABLE_held)

What a loop takes out in a turn was there at the end of the turn before; nothing is looked at after
the last check.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

import gast

from adtrans.lower.opaque import name_node
from adtrans.lower.small_trees import assignment
from adtrans.lower.syntax import Comprehension, Scope, map_bodies, own_fields


class Checked:
    """Puts checks into the body of a function, in place. `seen`: how many uses are guarded."""

    def __init__(
        self, tables: list[str], check: Callable[[str, gast.AST], gast.stmt],
        fresh: Callable[[], str],
    ) -> None:  # fmt: skip
        self.tables, self.check, self.fresh = tables, check, fresh
        self.seen: Counter[str] = Counter()

    def block(self, body: list[gast.stmt]) -> list[gast.stmt]:
        """A block with its checks."""
        return [made for s in body for made in self.statement(s)]

    def statement(self, s: gast.stmt) -> Iterator[gast.stmt]:
        """A statement with the checks before and after it."""
        used: Counter[str] = Counter()
        later: set[str] = set()
        if not isinstance(s, gast.While | gast.FunctionDef | gast.ClassDef):
            for field in own_fields(s):
                held = getattr(s, field)
                for node in held if isinstance(held, list) else [held]:
                    if isinstance(node, gast.AST):
                        self.uses(node, used, later, inside=False)
        self.seen += used
        map_bodies(s, self.block)
        yield from (self.check(name, s) for name in sorted(used))
        if isinstance(s, gast.For) and used:
            s.body = [*(self.check(name, s) for name in sorted(used)), *s.body]
            s.orelse = [*(self.check(name, s) for name in sorted(used)), *s.orelse]
        after = [self.check(name, s) for name in sorted(later)]
        if after and isinstance(s, gast.Return) and s.value is not None:
            result = self.fresh()
            yield assignment(name_node(result, s, gast.Store()), s.value, s)
            yield from after
            s.value = name_node(result, s)
            yield s
            return
        yield s
        if not isinstance(s, gast.Return | gast.Raise):
            yield from after

    def uses(self, node: gast.AST, used: Counter[str], later: set[str], inside: bool) -> None:
        """The tables in an expression; `inside` what is computed element by element."""
        if isinstance(node, Scope):
            return
        if isinstance(node, gast.Name) and node.id in self.tables:
            used[node.id] += 1
            if inside:
                later.add(node.id)
            return
        inside = inside or isinstance(node, (*Comprehension, gast.Call))
        for child in gast.iter_child_nodes(node):
            self.uses(child, used, later, inside)
