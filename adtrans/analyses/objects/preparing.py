"""What a function looks like before its objects are looked for, and which loops are written out."""

from __future__ import annotations

from adtrans.analyses.chosen import told_apart
from adtrans.analyses.objects.constructions import spelled_out
from adtrans.analyses.objects.displays import beside, sources
from adtrans.analyses.objects.filled_lists import with_filled_lists
from adtrans.analyses.objects.object_facts import Objects
from adtrans.analyses.webs import webs
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements


def prepared_for_objects(fn: S.Function) -> S.Function:
    """A function with one name for each value, one call for each function that may be meant, and
    objects that are made in single steps."""
    return with_filled_lists(spelled_out(told_apart(webs(fn))))


def filled_before(fn: S.Function, o: Objects) -> set[int]:
    """The loops over containers that another loop fills, which has to be written out first."""
    loops = [s for s in statements(fn.body) if isinstance(s, S.For) and s.site in o.loops]
    filled = {
        s.site: {
            o.of(E.Name(t.base))
            for t in statements(s.body)
            if isinstance(t, S.Store | S.Update | S.Edit)
        }
        | {
            o.of(t.value.fn.base)
            for t in statements(s.body)
            if isinstance(t, S.Bind)
            and isinstance(t.value, E.Call)
            and isinstance(t.value.fn, E.Attribute)
        }
        for s in loops
    }
    over = {
        s.site: {
            o.of(E.Name(o.views.get(v, (v, ""))[0]))
            for v in sources(s.iter)
            if v not in o.rows and v not in beside(s.iter, o)
        }
        for s in loops
    }
    return {
        k
        for k, keys in over.items()
        for n, held in filled.items()
        if n != k and not (keys & held).issubset({None})
    }


def lost_sources(s: S.For, o: Objects) -> bool:
    """Whether a container that a loop goes over is not followed any more."""
    over = (v for v in sources(s.iter) if v not in o.rows and v not in beside(s.iter, o))
    keys = (o.of(E.Name(o.views.get(v, (v, ""))[0])) for v in over)
    return any(k is None or k in o.lost for k in keys)
