"""What a function looks like before its objects are looked for."""

from __future__ import annotations

from adtrans.analyses.chosen import told_apart
from adtrans.analyses.objects.constructions import spelled_out
from adtrans.analyses.webs import webs
from adtrans.ir import stmt as S


def prepared_for_objects(fn: S.Function) -> S.Function:
    """A function with one name for each value, one call for each function that may be meant, and
    objects that are made in single steps."""
    return spelled_out(told_apart(webs(fn)))
