"""Options are checked when they are made, and the error names the caller's line."""

from __future__ import annotations

import pytest

from adtrans.diagnostics.errors import InputError
from adtrans.driver.options import Options


@pytest.mark.parametrize(
    "bad",
    [
        {"wrt": 1.5},
        {"wrt": True},
        {"wrt": ()},
        {"wrt": ("x", "x")},
        {"wrt": ("x", None)},
        {"on_overwrite": "copy"},
        {"on_unproven": "save"},
        {"backend": "fortran"},
    ],
)
def test_bad_options(bad):
    with pytest.raises(InputError) as caught:
        Options(**bad)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.code == "AD410"
    assert diagnostic.primary.span.file == __file__
    assert "AD410" in str(caught.value)


def test_good_options():
    assert Options(wrt=["x", 1]).wrt == ("x", 1)
    assert Options() == Options(None, "refuse", "check", "numpy")
    assert len({Options(wrt="x"), Options(wrt="x")}) == 1
