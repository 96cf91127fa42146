"""Attributes of arrays.

>>> from adtrans.rules import attribute
>>> print(attribute("T").pullback("a", {}, {})[0])
y_bar.T
"""

from __future__ import annotations

from adtrans.rules import registry
from adtrans.rules.complexes import is_real
from adtrans.rules.rule import Rule
from adtrans.rules.site import Form, ResultForm, Site, Spec, Text


def _attribute(
    name: str,
    form: Form,
    formula: Spec,
    result: ResultForm = "fresh",
    *,
    cheap: bool = False,
) -> None:
    made = Rule(
        spelling=f"ndarray.{name}",
        text="f(a)",
        form=form,
        call="attribute",
        result=result,
        of=None if result == "fresh" else "a",
        cheap=cheap,
        inert_ok=frozenset() if formula else frozenset({"a"}),
        pullbacks={"a": formula} if formula else {},
    )
    registry.add_attribute(name, made)


def _imaginary(site: Site) -> Text:
    """The formula for real numbers; `complexes` has that for complex ones."""
    return "0.0 * y_bar" if is_real(site.kind("a")) else None


_attribute("T", "view", "y_bar.T", "view")
_attribute("mT", "view", "np.swapaxes(y_bar, -1, -2)", "view")
_attribute("real", "view", "y_bar", "maybe_same")
for _name in ("shape", "size", "ndim", "dtype", "itemsize", "nbytes"):
    _attribute(_name, "constant", None, cheap=True)
for _name in ("flags", "strides"):
    _attribute(_name, "constant", None)
_attribute("imag", "view", _imaginary, "maybe_view")
