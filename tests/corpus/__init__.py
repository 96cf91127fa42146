"""Small programs, each with example arguments and what must become of it."""

from tests.corpus import (
    bad_input,
    chosen,
    closures,
    containers,
    control,
    expressions,
    functions,
    holders,
    inplace,
    iterated,
    language,
    mutation,
    mutation_more,
    numerics,
    objects,
    positions,
    precision,
    rows,
    trips,
    updates,
    views,
    writers,
)
from tests.corpus.model import Case

CASES: tuple[Case, ...] = (
    *mutation.CASES,
    *mutation_more.CASES,
    *language.CASES,
    *expressions.CASES,
    *numerics.CASES,
    *containers.CASES,
    *control.CASES,
    *closures.CASES,
    *views.CASES,
    *positions.CASES,
    *writers.CASES,
    *objects.CASES,
    *bad_input.CASES,
    *precision.CASES,
    *rows.CASES,
    *inplace.CASES,
    *holders.CASES,
    *functions.CASES,
    *chosen.CASES,
    *trips.CASES,
    *updates.CASES,
    *iterated.CASES,
)

__all__ = ["CASES", "Case"]
