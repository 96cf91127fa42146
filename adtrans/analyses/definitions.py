"""Where variables are defined, what encloses each statement, and what is defined again later.

>>> from adtrans.diagnostics.span import Span
>>> from adtrans.ir.expr import Const, Name
>>> here = Span("f.py", 1, 0, 1, 1)
>>> body = (S.Bind("y", Name("i"), site=2, span=here),)
>>> loop = S.For("i", S.Elements("x"), body, site=1, span=here)
>>> d = definitions(S.Function("f", (S.Param("x"),), (loop,), here))
>>> d.sites["y"], d.loops[2], sorted(d.redefined_after(2))
((2,), (1,), ['i', 'y'])
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from adtrans.analyses import dataflow
from adtrans.ir import stmt as S
from adtrans.ir import walk

__all__ = ["Definitions", "definitions"]


@dataclass(frozen=True, slots=True)
class Definitions:
    """Facts about the text of a function.

    `statements` by site; `sites`: each variable's defining statements in textual order; `params`:
    the variables that are bound on entry; `loops`: the sites of the loops around a statement,
    outermost first; `parents`: of all statements around it. `later`: see `redefined_after`.
    """

    statements: Mapping[int, S.Stmt]
    sites: Mapping[str, tuple[int, ...]]
    params: frozenset[str]
    loops: Mapping[int, tuple[int, ...]]
    parents: Mapping[int, tuple[int, ...]]
    later: Mapping[int, frozenset[str]]

    def redefined_after(self, site: int) -> frozenset[str]:
        """The variables that may be bound (or deleted) once more after the statement has run.

        For a loop: after the loop has ended. What is not in the set still has at the end of the
        function the value that it has just behind the statement.
        """
        return self.later.get(site, frozenset())

    def is_single(self, var: str) -> bool:
        """Whether `var` is defined at one place only, and outside all loops."""
        sites = self.sites.get(var, ())
        if var in self.params:
            return not sites
        return len(sites) == 1 and not self._repeats(sites[0])

    def _repeats(self, site: int) -> bool:
        return bool(self.loops[site]) or isinstance(self.statements[site], S.For)

    def is_loop_local(self, var: str, loop: int) -> bool:
        """Whether every definition of `var` stands inside the loop (its own targets included)."""
        sites = self.sites.get(var, ())
        return var not in self.params and all(s == loop or loop in self.loops[s] for s in sites)


def definitions(fn: S.Function) -> Definitions:
    """The definitions of all variables of `fn`."""
    statements: dict[int, S.Stmt] = {}
    sites: dict[str, list[int]] = {}
    loops: dict[int, tuple[int, ...]] = {}
    parents: dict[int, tuple[int, ...]] = {}

    def visit(block: S.Block, inside: tuple[int, ...], around: tuple[int, ...]) -> None:
        for s in block:
            statements[s.site] = s
            loops[s.site], parents[s.site] = inside, around
            for var in walk.binds_of(s):
                if s.site not in sites.setdefault(var, []):
                    sites[var].append(s.site)
            deeper = (*inside, s.site) if isinstance(s, S.For | S.While) else inside
            for inner in walk.blocks_of(s):
                visit(inner, deeper, (*around, s.site))

    visit(fn.body, (), ())
    return Definitions(
        statements,
        {var: tuple(where) for var, where in sites.items()},
        frozenset(p.name for p in fn.params),
        loops,
        parents,
        _later(fn),
    )


def _later(fn: S.Function) -> Mapping[int, frozenset[str]]:
    nothing: frozenset[str] = frozenset()

    def transfer(s: S.Stmt, defined: frozenset[str]) -> frozenset[str]:
        unbound = s.unbinds if isinstance(s, S.Keep) else ()
        return defined | {*walk.binds_of(s), *unbound}

    return dataflow.backward(fn.body, nothing, transfer, frozenset.union, bottom=nothing).after
