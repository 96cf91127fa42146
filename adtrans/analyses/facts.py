"""Everything that the analyses found out about one function, as the transforms receive it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from adtrans.analyses.activity import Activity
from adtrans.analyses.aliasing import Aliasing
from adtrans.analyses.apply import Application
from adtrans.analyses.definitions import Definitions
from adtrans.analyses.effects import Summary
from adtrans.analyses.guard import Guard
from adtrans.analyses.influence import Influence
from adtrans.analyses.kinds import Kinds
from adtrans.analyses.liveness import Liveness
from adtrans.analyses.needed import Needs
from adtrans.analyses.places import Places
from adtrans.analyses.points_to import Memory
from adtrans.analyses.sharing import Sharing
from adtrans.analyses.structure import Structure
from adtrans.ir import stmt as S


@dataclass(frozen=True, slots=True)
class Unit:
    """A compiled callee as the code of its callers names it.

    `tangents`: what the pushforward calls the tangents of the parameters.
    """

    forward: str
    pullback: str
    pushforward: str
    summary: Summary
    tangents: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Facts:
    """The resolved function and all results about it.

    `saved`: (site, variable, after?) whose contents are copied there because they are overwritten
    later. `units`: the compiled callee of each `Invoke`. `same`: for a callee, the parameter that
    it always returns; the cotangent of that is part of the parameter's final one. `dead_clears`:
    see `clears`. `guards`: the conflicts that are decided at run time; `ordered`: the
    overlapping copies of which the run decides whether their order matters. `inner`: another
    function calls this one, and may change what it has lists of. `behind`: see there.
    """

    fn: S.Function
    wrt: tuple[str, ...]
    finals: tuple[str, ...]
    kinds: Kinds
    apps: Mapping[int, Application]
    memory: Memory
    activity: Activity
    needs: Needs
    live: Liveness
    definitions: Definitions
    structure: Structure
    places: Places
    sharing: Sharing
    units: Mapping[int, Unit]
    saved: frozenset[tuple[int, str, bool]]
    same: str | None = None
    dead_clears: frozenset[int] = frozenset()
    aliasing: Aliasing = field(default_factory=lambda: Aliasing({}))
    guards: tuple[Guard, ...] = ()
    ordered: frozenset[int] = frozenset()
    influence: Influence = field(kw_only=True)
    inner: bool = False
    behind: Mapping[int, Summary] = field(default_factory=dict)
