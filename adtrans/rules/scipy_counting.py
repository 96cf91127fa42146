"""`scipy.special`: numbers of arrangements, which are smooth for real numbers; derivatives of
Bessel functions, whose order is an argument; and the Voigt profile.

>>> from adtrans.rules.registry import all_rules
>>> dict(all_rules())["scipy.special.comb"].active_params
('N', 'k')
"""

from __future__ import annotations

from adtrans.rules import registry
from adtrans.rules.declare import Site, elementwise, ufunc
from adtrans.rules.scipy_special import _spelled


def _exact(site: Site) -> str | None:
    """With `exact=True` they count integers."""
    plain = all(site.const(n) is False for n in ("exact", "repetition") if n in site.bound)
    return None if plain else (
        "only `exact=False` has a rule, without `repetition=`: others count integers"
    )  # fmt: skip


def _zero(site: Site) -> str | None:
    plain = site.const("exact") is False and site.const("extend") in (None, "zero")
    return None if plain else "only `exact=False` has a rule, for real numbers"


_ABOVE = "@digamma(N + 1) - @digamma(N - k + 1)"
elementwise("scipy.special.comb(N, k, *, exact=False, repetition=False)", refuses=_exact,
            N=_spelled(f"where_positive(y, {_ABOVE})"),
            k=_spelled("where_positive(y, @digamma(N - k + 1) - @digamma(k + 1))"))  # fmt: skip
elementwise("scipy.special.perm(N, k, exact=False)", refuses=_exact,
            N=_spelled(f"where_positive(y, {_ABOVE})"),
            k=_spelled("where_positive(y, @digamma(N - k + 1))"))  # fmt: skip
elementwise("scipy.special.factorial(n, exact=False, extend='zero')", refuses=_zero,
            n=_spelled("where_positive(y, @digamma(n + 1))"))  # fmt: skip
for _name in ("jvp", "yvp", "ivp", "kvp"):
    elementwise(f"scipy.special.{_name}(v, z, n=1)", z=f"scipy.special.{_name}(v, z, n + 1)",
                without={"v": "only that of the place has a rule"})  # fmt: skip
elementwise("scipy.special.assoc_laguerre(x, n, k=0.0)",
            x="-scipy.special.assoc_laguerre(x, n - 1, k + 1)",
            without={"k": "only that of the place has a rule"})  # fmt: skip

# with `z = (x + i gamma) / (sigma sqrt 2)`, the profile and its dispersion are parts of `wofz(z)`
_X = "(gamma * {q} - x * {p}) / sigma**2"
_G = "(x * {q} + gamma * {p} - 1 / np.pi) / sigma**2"
_P = {"p": "y", "q": "voigt_dispersion(x, sigma, gamma)"}
_Q = {"p": "scipy.special.voigt_profile(x, sigma, gamma)", "q": "y"}


def _scaled(x: str, gamma: str) -> str:
    """Both are shorter by as much as their arguments are longer."""
    return f"-(y + x * {x} + gamma * {gamma}) / sigma"


_OF_X, _OF_G = _X.format(**_P), _G.format(**_P)
ufunc("scipy.special.voigt_profile(x, sigma, gamma)", x=_OF_X, gamma=_OF_G,
            sigma=_scaled(_OF_X, _OF_G))  # fmt: skip
_OF_X, _OF_G = f"-({_G.format(**_Q)})", _X.format(**_Q)
registry.add_helper(elementwise("voigt_dispersion(x, sigma, gamma)", x=_OF_X, gamma=_OF_G,
                                sigma=_scaled(_OF_X, _OF_G), register=False))  # fmt: skip
