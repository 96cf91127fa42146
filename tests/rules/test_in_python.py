"""What is written in Python does to its lists what the functions in C do."""

from __future__ import annotations

import bisect
import heapq

import numpy as np
import pytest

from adtrans.rules import in_python


@pytest.mark.parametrize("seed", range(20))
def test_heaps_are_laid_out_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    values = [int(v) for v in rng.integers(0, 8, 25)]
    theirs, ours = values[:10], values[:10]
    heapq.heapify(theirs)
    in_python.heapify(ours)
    assert theirs == ours
    for v in values[10:]:
        for name in ("heappush", "heappop", "heapreplace", "heappushpop"):
            args = () if name == "heappop" else (v,)
            given = getattr(heapq, name)(theirs, *args)
            assert given == getattr(in_python, name)(ours, *args)
            assert theirs == ours
    for n in (-1, 0, 1, 3, 30):
        assert heapq.nsmallest(n, values) == in_python.nsmallest(n, values)
        assert heapq.nlargest(n, values) == in_python.nlargest(n, values)


@pytest.mark.parametrize("name", ["insort_left", "insort_right"])
def test_items_go_to_the_same_place(name: str) -> None:
    rng = np.random.default_rng(1)
    theirs: list[tuple[int, int]] = []
    ours: list[tuple[int, int]] = []
    for k, v in enumerate(rng.integers(0, 5, 30)):
        item = (int(v), k)
        getattr(bisect, name)(theirs, item)
        getattr(in_python, name)(ours, item)
        getattr(bisect, name)(theirs, item, 1, len(theirs) - 1)
        getattr(in_python, name)(ours, item, 1, len(ours) - 1)
        assert theirs == ours
    with pytest.raises(ValueError, match="non-negative"):
        getattr(in_python, name)(ours, (0, 0), -1)
