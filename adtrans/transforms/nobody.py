"""The name for what nobody reads: `_`, unless that means something to the user."""

from __future__ import annotations

from adtrans.analyses.facts import Facts
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import reads_of

NOBODY = "_"


def nobody(names: NameAllocator) -> str:
    """A name for what nobody reads.

    >>> nobody(NameAllocator()), nobody(NameAllocator({"_"}))
    ('_', 'unused')
    """
    return NOBODY if not names.is_taken(NOBODY) else names.fresh("unused")


def nobody_in(facts: Facts, names: NameAllocator) -> str:
    """The same beside statements of the user's, who may have the name for nobody's, too."""
    of = facts.fn.source_name
    theirs = NOBODY in {*map(of, facts.definitions.sites), *(p.name for p in facts.fn.params)}
    stmts = facts.structure.stmts.values()
    if theirs and not any(of(v) == NOBODY for s in stmts for v in reads_of(s)):
        return NOBODY
    return nobody(names)
