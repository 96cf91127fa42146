"""Functions that create arrays: constant in their arguments but for fills and end points.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> full = lookup(np.full)
>>> print(full.pullback("fill_value", full.bind((Name("n"), Name("v")), ()), {})[0])
unbroadcast(y_bar, np.shape(fill_value))
"""

from __future__ import annotations

from collections.abc import Callable

from adtrans.rules.declare import Site, constant, rule
from adtrans.rules.rule import Text

constant(
    "np.zeros", "np.ones", "np.empty", "np.eye", "np.identity", "np.tri", "np.indices",
    "np.ndindex",
    "np.zeros_like", "np.ones_like", "np.empty_like", "np.ix_", "np.diag_indices",
    "np.diag_indices_from",
    "np.tril_indices", "np.triu_indices", "np.tril_indices_from", "np.triu_indices_from",
    "np.fromstring", "np.mask_indices", "np.hanning", "np.hamming", "np.blackman", "np.bartlett",
    "np.s_",
)  # fmt: skip
constant("np.load", "np.loadtxt", "np.fromfile", "np.genfromtxt", "np.save", "np.savetxt",
    impure=True)
constant("np.kaiser", "np.logspace", "np.geomspace", "np.histogram", "np.vander", "np.fromiter",
         "np.unique", "np.ndenumerate", inert=())  # fmt: skip


def _fill(site: Site) -> Text:
    if site.is_scalar("fill_value"):
        return "np.sum(y_bar)"
    return "unbroadcast(y_bar, np.shape(fill_value))"


rule("np.full(shape, fill_value, dtype=None, order='C')", fill_value=_fill, inert=("shape",),
     fill_value_dot="np.full(shape, dot)")  # fmt: skip
rule("np.full_like(a, fill_value, dtype=None, order='K', subok=True, shape=None)", fill_value=_fill,
     inert=("a",), fill_value_dot="np.full(np.shape(y), dot)")  # fmt: skip


def _plain_linspace(site: Site) -> str | None:
    if site.const("retstep") is not False or site.const("axis") != 0:
        return "`retstep=` and `axis=` are not supported while the end points carry a derivative"
    return None


rule("np.linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0)",
     start="linspace_pullback(y_bar, np.shape(start), num, endpoint, 0)",
     stop="linspace_pullback(y_bar, np.shape(stop), num, endpoint, 1)",
     start_dot="np.linspace(dot, 0.0, num, endpoint)",
     stop_dot="np.linspace(0.0, dot, num, endpoint)",
     refuses=_plain_linspace)  # fmt: skip


def _from_start(if_one: str, otherwise: str) -> Callable[[Site], Text]:
    """`np.arange(n)` does not vary with `n`; in `np.arange(start, stop)` all elements follow."""
    return lambda site: if_one if site.const("stop") is None else otherwise


rule("np.arange(start, stop=None, step=1, dtype=None)", inert=("stop",),
     start=_from_start("0.0", "np.sum(y_bar)"),
     start_dot=_from_start("np.zeros_like(y)", "np.full(np.shape(y), dot)"),
     step="np.sum(y_bar * np.arange(len(y_bar)))", step_dot="dot * np.arange(len(y))")  # fmt: skip
