"""Which programs of the corpus are compiled, and which are recorded: `ways.txt` names them all.

A program that was compiled must not be recorded unnoticed. `python -m tests.corpus.ways` writes the
list anew; the difference is then read.
"""

from __future__ import annotations

import copy
from pathlib import Path

import numpy as np

from adtrans.api.differentiable import vjp
from adtrans.diagnostics.errors import AdtransError, CompileError
from tests.corpus.model import Case

LIST = Path(__file__).with_name("ways.txt")
LINES = LIST.read_text(encoding="utf-8").splitlines() if LIST.exists() else []
WAYS = {name: way for name, way in map(str.split, LINES)}


def fate(case: Case) -> str:
    """Whether a program is "compiled", or else "recorded", or "refused" in both ways."""
    for how, way in (("refuse", "compiled"), ("record", "recorded")):
        try:
            _differentiate(case, how)
        except CompileError:
            continue
        except AdtransError:
            return "refused"
        except Exception:
            return way if case.raises is not None else "refused"
        return way
    return "refused"


def _differentiate(case: Case, how: str) -> None:
    wrt = case.wrt if isinstance(case.wrt, tuple) else (case.wrt,)
    options = {"on_unfollowed": how, **case.options}
    with np.errstate(all="ignore"):
        vjp(case.fn, *copy.deepcopy(case.args), wrt=wrt, **options)


def write() -> None:
    from tests.corpus import CASES

    lines = [f"{c.name} {way}" for c in CASES if (way := fate(c)) != "refused"]
    LIST.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")


if __name__ == "__main__":
    write()
