"""`np.fft` and `scipy.fft`: the transforms are linear, so that the tangent is the transform.

>>> from adtrans.ir.expr import Name
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> rule = lookup(np.fft.fft)
>>> print(rule.pushforward("a", rule.bind((Name("x"),), ()), {}))
np.fft.fft(a_dot)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from adtrans.rules.complexes import is_real
from adtrans.rules.declare import Site, constant, linear, rule, unless
from adtrans.rules.site import Text


def _text(name: str) -> str:
    """The adjoint of a transform over `axes` with sizes `s`."""
    if name in ("hfft", "ihfft"):
        norm = "'ortho' if norm == 'ortho' else 'backward' if norm == 'forward' else 'forward'"
        if name == "hfft":
            return f"np.conj(irfft_adjoint(y_bar, np.shape(a), {{axes}}, {norm}))"
        return f"half_dft_adjoint(np.conj(y_bar), np.shape(a), {{s}}, {{axes}}, {norm})"
    if name.startswith("irfft"):
        return "irfft_adjoint(y_bar, np.shape(a), {axes}, norm)"
    if name.startswith("rfft"):
        return "half_dft_adjoint(y_bar, np.shape(a), {s}, {axes}, norm)"
    return f"dft_adjoint(y_bar, np.shape(a), {{s}}, {{axes}}, norm, {name.startswith('fft')})"


def _filled(name: str, many: bool) -> Callable[[Site], Text]:
    sizes, axes = ("s", "axes") if many else ("n", "axis")
    filled = _text(name).format(s=sizes, axes=axes)
    back = "np.fft." + (name[1:] if name.startswith("i") else f"i{name}")
    whole = name[:3] == "fft" or name[:4] == "ifft"
    usual = (-2, -1) if name.endswith("2") else None if many else -1

    def write(site: Site) -> Text:
        norm = site.const("norm")
        if whole and site.const(sizes) is None and isinstance(norm, str | None):
            along = "" if site.const(axes) == usual else f", {axes}={axes}"
            scaled = {"forward": "", "ortho": ", norm='ortho'"}.get(norm or "", ", norm='forward'")
            return f"{back}(y_bar{along}{scaled})"
        halves = name.startswith(("irfft", "hfft"))  # real numbers may be passed to these, too
        return f"np.real({filled})" if halves and is_real(site.kind("a")) else filled

    return write


_IN_PLACE = {"x": (0, 1)}
OVER_AXES: dict[str, Any] = {"result": "maybe_same", "fresh_if": unless("axes", (), None)}
"""Along no axis at all, as in a number, the argument itself is returned."""
_REALS = ("rfft", "ihfft", "rfft2", "rfftn")


def _real_only(site: Site) -> str | None:
    kind = str(getattr(site.kind("a"), "dtype", None))
    return "it takes real numbers only" if kind.startswith("complex") else None


_NAMES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft", "fft2", "ifft2", "rfft2", "irfft2",
          "fftn", "ifftn", "rfftn", "irfftn")  # fmt: skip
for _module in ("np", "scipy"):
    for _name in _NAMES:
        _many = _name[-1] in "2n"
        _default = "(-2, -1)" if _name.endswith("2") else "None"
        _where = f"s=None, axes={_default}" if _many else "n=None, axis=-1"
        _param, _tail = ("a", ", out=None") if _module == "np" else (
            "a: 'x'", ", overwrite_x=False, workers=None, *, plan=None")  # fmt: skip
        if _module == "np" and _name in ("hfft", "ifft2", "irfft2"):
            _tail = ""  # NumPy 2.0 to 2.4 take `out=` there and do not write it
        linear(f"{_module}.fft.{_name}({_param}, {_where}, norm=None{_tail})",
               a=_filled(_name, _many), refuses=_real_only if _name in _REALS else None,
               **(OVER_AXES | {"of": "a"} if _name in ("fftn", "ifftn") else {}),
               )  # fmt: skip
    linear(f"{_module}.fft.fftshift(x, axes=None)", x="np.fft.ifftshift(y_bar, axes)")
    linear(f"{_module}.fft.ifftshift(x, axes=None)", x="np.fft.fftshift(y_bar, axes)")
    _more = "device=None" if _module == "np" else "*, xp=None, device=None"
    for _name in ("fftfreq", "rfftfreq"):
        rule(f"{_module}.fft.{_name}(n, d=1.0, {_more})", inert=("n", "xp", "device"),
             d="unbroadcast(-y_bar * y / d, np.shape(d))", d_dot="-d_dot * y / d")  # fmt: skip


def _cosines(name: str, size: str) -> Callable[[Site], str]:
    helper = "many_cosines_adjoint" if name.endswith("n") else "cosines_adjoint"
    said = f"np.shape(x), type, {size}, norm, '{name.removesuffix('n')}'"

    def write(site: Site) -> str:
        more = "" if site.const("orthogonalize") is None else ", orthogonalize"
        return f"{helper}(y_bar, {said}{more})"

    return write


for _name in ("dct", "idct", "dst", "idst"):
    _tail = "norm=None, overwrite_x=False, workers=None"
    linear(f"scipy.fft.{_name}(x, type=2, n=None, axis=-1, {_tail}, orthogonalize=None)",
           x=_cosines(_name, "n, axis"), lands=_IN_PLACE)  # fmt: skip
    linear(f"scipy.fft.{_name}n(x, type=2, s=None, axes=None, {_tail}, *, orthogonalize=None)",
           **OVER_AXES, of="x", x=_cosines(f"{_name}n", "s, axes"), lands=_IN_PLACE)  # fmt: skip
constant("scipy.fft.next_fast_len", "scipy.fft.get_workers", inert=())
