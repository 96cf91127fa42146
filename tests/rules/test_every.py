"""Every call of the samples with other ranks, layouts, dtypes, numbers, and without elements.

What NumPy accepts has a derivative that differences confirm, of the shape of its argument, without
warnings that the call itself does not give; or it is refused, for a reason that is listed in
`refused_variants.txt`.

    python -m tests.rules.test_every            # counts what is exercised, and writes that list
"""

from __future__ import annotations

import re
import sys
import warnings
from collections import Counter, defaultdict
from pathlib import Path
from zlib import crc32

import pytest

from .every import TEXTS, Outcome, outcome, samples
from .variants import ASPECTS, EMPTY, Variant

LIST = Path(__file__).with_name("refused_variants.txt")
DISTRIBUTIONS = ("logpdf", "pdf", "cdf", "sf", "logcdf", "logsf", "ppf", "isf")
_NOTHING = "SciPy filters an image without pixels, its derivative does not"
_COARSE = "LAPACK has no routines for it; SciPy computes in another precision"
NOT_MENDED = {
    "scipy.ndimage.": (tuple(EMPTY), _NOTHING), "scipy.signal.": (tuple(EMPTY), _NOTHING),
    "scipy.spatial.": (tuple(EMPTY), "SciPy measures no points, the derivative does not"),
    "scipy.spatial.distance.jensenshannon(": (
        ("stack", "stack2", "stack3", "one_first"), "distributions of one element are all alike"),
    "scipy.stats.": (("longdouble", *EMPTY), "of no sample there is no mean"),
    "np.hypot.reduce(m, axis=1, where": (("stack2", "stack3", "one_last"), "it warns where y is 0"),
    "np.sort(m, axis=None)": (("float",), "a number that is sorted is no array"),
    "np.polynomial.": (("stack2", "stack3", "one_last", "two_last", *EMPTY),
                       "NumPy moves the axes of zeros: with `m` beyond the degree"),
    "scipy.ndimage.correlate(": (("spread",), "SciPy reads other elements of what repeats one"),
    "scipy.linalg.": (("float16", "longdouble", "spread"), _COARSE),  # spread ones are singular
    "scipy.linalg.eigh(q)": (("itself", "turned"), "the sign of a vector flips between neighbours"),
    "np.linalg.": (("float16", "longdouble", "spread"), _COARSE),
    "np.linalg.pinv(qs, hermitian=True)": (("none_last",), "it is told to be square, and is not"),
    "np.linalg.pinv(q, hermitian=True)": (
        ("none_first", "none_last"), "it is told to be square, and is not"),
    "np.mean(m, axis=0, where=mm": (("spread",), "a column of which nothing counts has no mean"),
    "np.std(": (("two_first", "two_last"), "it warns where a deviation is 0"),
    "np.nanstd(": (("two_first", "two_last"), "it warns where a deviation is 0"),
    "np.corrcoef(": (tuple(EMPTY), "of no variables there is no correlation"),
    "np.fromiter(": (tuple(EMPTY), "it iterates over rows where there are none"),
    "np.poly(": (tuple(EMPTY), "the polynomial without roots is a number"),
    "scipy.ndimage.prewitt(": (("float32", *EMPTY), "SciPy's convolution warns"),
    "np.partition(": (("longdouble",), "it orders the rest in another way than that of doubles"),
    "scipy.linalg.solve_discrete_lyapunov(": (
        ("one_last",), "SciPy takes a matrix that is not square"),
    "scipy.special.logsumexp(": (("no_axes", "float"), "SciPy makes an array with one axis of it"),
    "scipy.signal.sosfiltfilt(": (("item", *EMPTY), "SciPy takes a section as a filter"),
    "scipy.integrate.trapezoid(": (("item", "no_axes", "float", *EMPTY), "a place is no places"),
    "scipy.ndimage.convolve(": (("spread", *EMPTY), "as for `correlate`"),
    "np.linalg.tensorsolve(": (tuple(EMPTY), "the sizes of its axes are told from each other"),
    "np.interp(": (("long", "longdouble", "spread"), "NumPy does not look whether places increase"),
}  # fmt: skip
"""By the beginning of a call: variants of which the derivative is an internal error; why."""


def chosen() -> list[str]:
    """All samples; of the distributions, which are made by one pattern, some."""
    patterned = [t for t in TEXTS if t.startswith("scipy.stats.")
                 and t.partition("(")[0].rpartition(".")[2] in DISTRIBUTIONS]  # fmt: skip
    skipped = set(patterned) - set(patterned[::23])
    skipped.add("float.__float__(s)")  # the same as `float(s)`
    return [t for t in TEXTS if t not in skipped]


CHOSEN = chosen()
SOME = {t for t in CHOSEN if crc32(t.encode()) % 5 == 0}  # whatever samples come and go


def reasons(found: Outcome) -> set[str]:
    """Why something is refused, for any number of axes."""
    return {re.sub(r"\d+ axes", "so many axes", note) for note in found.notes}


def is_listed(text: str, variant: Variant) -> bool:
    """Whether it is known that this has no derivative, and no refusal."""
    return any(
        text.startswith(start) and variant.name.partition(":")[0] in names
        for start, (names, _) in NOT_MENDED.items()
    )


@pytest.mark.parametrize("text", [
    t if t in SOME else pytest.param(t, marks=pytest.mark.slow) for t in CHOSEN
])  # fmt: skip
def test_every_variant(text: str) -> None:
    refused = listed().get(text.partition("(")[0], set())
    for variant in samples(text, *ASPECTS):
        found = outcome(text, variant)
        if found.what == "refused":
            assert reasons(found) <= refused, f"{variant.name}: {found.notes}"
        elif not is_listed(text, variant):
            assert found.what != "wrong", f"{variant.name}: {found.notes}"


def listed() -> dict[str, set[str]]:
    """The reasons in the list, by function."""
    found: dict[str, set[str]] = defaultdict(set)
    for line in LIST.read_text(encoding="utf-8").splitlines():
        name, _, why = line.partition(": ")
        found[name].add(why)
    return found


def test_the_list_is_in_order() -> None:
    lines = LIST.read_text(encoding="utf-8").splitlines()
    assert lines == sorted(set(lines)) and len(lines) > 50


if __name__ == "__main__":
    part, parts = (int(a) for a in sys.argv[1:3]) if len(sys.argv) > 2 else (0, 1)
    counts: Counter[tuple[str, str]] = Counter()
    why: set[str] = set(LIST.read_text(encoding="utf-8").splitlines()) if parts > 1 else set()
    for text in CHOSEN[part::parts]:
        for aspect in ASPECTS:
            for variant in samples(text, aspect)[1:]:
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    found = outcome(text, variant)
                counts[aspect, found.what] += 1
                if found.what == "refused":
                    why |= {f"{text.partition('(')[0]}: {r}" for r in reasons(found)}
                if found.what == "wrong" and not is_listed(text, variant):
                    print(text, "@", variant.name, found.notes[:2], flush=True)
    for (aspect, what), n in sorted(counts.items()):
        print(f"{aspect:10}{what:10}{n:7}")
    LIST.write_text("".join(f"{line}\n" for line in sorted(why)), encoding="utf-8")
