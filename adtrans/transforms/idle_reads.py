"""Leaves out the statements that only read a name where the next one reads it first.

f                      ->    y = f(x)
y = f(x)

See `lower/named_reads.py`, which writes them.
"""

from __future__ import annotations

from adtrans.ir import code as C
from adtrans.ir import expr as E
from adtrans.lower.named_reads import named_in
from adtrans.transforms.evaluation import ahead
from adtrans.transforms.prune import reads


def without_repeated(body: C.Body) -> C.Body:
    """`body` without these."""
    out: list[C.Code] = []
    for c in reversed(body):
        name = named_in(c.node) if isinstance(c, C.Original) else None
        if name is not None and out and _reads_first(out[-1], name):
            continue
        nested = isinstance(c, C.Branch | C.ForEach | C.Loop | C.Attempt | C.Within)
        out.append(C.map_bodies(c, without_repeated) if nested else c)
    return tuple(reversed(out))


def _reads_first(c: C.Code, name: str) -> bool:
    if isinstance(c, C.Original) or name not in reads(c):
        return False
    before, surely = ahead(c, name)
    return surely and all(isinstance(e, E.Name | E.Const | E.Ref) for e in before)
