"""The words in which rules are declared. A rule is data: a signature and formulas as text.

In a formula `y` is the result and `y_bar` its adjoint; other names are the parameters. An
element-wise formula without `y_bar` is a partial derivative. A tuple gives alternatives: the one
whose values survive is used, the first if several do.

>>> from adtrans.rules.rule import Site
>>> sinh = elementwise("np.sinh(x)", x="np.cosh(x)", register=False)
>>> from adtrans.ir.expr import Name
>>> print(sinh.pullback("x", {"x": Name("u")}, {})[0])
y_bar * np.cosh(x)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from adtrans.ir.expr import Expr
from adtrans.rules import registry, signature
from adtrans.rules.rule import Rule
from adtrans.rules.signature import NotLiteral, literal
from adtrans.rules.site import Each, Form, Site, Thin

__all__ = [
    "MATRICES",
    "MATRIX",
    "SOME",
    "VECTOR",
    "Each",
    "Site",
    "Thin",
    "constant",
    "constant_ufunc",
    "elementwise",
    "fresh",
    "linear",
    "multilinear",
    "refused",
    "rule",
    "scatter",
    "ufunc",
    "unknown",
    "unless",
    "view",
    "writes",
]  # fmt: skip

_UFUNC_TAIL = (
    ", /, out=None, *, where=True, casting='same_kind', order='K', dtype=None, subok=True)"
)


VECTOR, MATRIX, MATRICES, SOME = (1, 1), (2, 2), (2, 64), (1, 64)
"""Numbers of axes: one vector, one matrix, matrices in stacks, at least one axis."""


def _declare(
    form: Form,
    text: str,
    formulas: Mapping[str, Any],
    *,
    aliases: Iterable[str] = (),
    methods: Iterable[str] = (),
    inert: Iterable[str] = (),
    register: bool = True,
    **facts: Any,
) -> Rule:
    path = text.partition("(")[0]
    parameters = f"f({text.partition('(')[2]}"
    pullbacks = {k: v for k, v in formulas.items() if not k.endswith("_dot")}
    pushforwards = {k[:-4]: v for k, v in formulas.items() if k.endswith("_dot")}
    made = Rule(
        spelling=path,
        text=parameters,
        form=form,
        inert_ok=frozenset(inert),
        pullbacks=pullbacks,
        pushforwards=pushforwards,
        **facts,
    )
    if register:
        registry.add(made, path, *aliases)
        for name in methods:
            registry.add_method(name, made)
    return made


_FACTS = (
    "aliases", "methods", "inert", "register", "impure", "cheap", "result", "of", "tuple_result",
    "refuses", "call", "expansion", "returns", "writes", "multilinear", "fresh_if", "reals_only",
    "partial", "without", "ranks", "like", "lands", "stands_for",
)  # fmt: skip


def _split(words: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """What a declaration says about the rule itself, and its formulas."""
    facts = {k: v for k, v in words.items() if k in _FACTS}
    return facts, {k: v for k, v in words.items() if k not in _FACTS}


def elementwise(text: str, /, **words: Any) -> Rule:
    """A primitive that acts on each element; formulas are partials, or mention `y_bar`."""
    facts, formulas = _split(words)
    return _declare("elementwise", text, formulas, **facts)


def ufunc(text: str, /, **words: Any) -> Rule:
    """An element-wise primitive with the keyword arguments of NumPy's universal functions."""
    facts, formulas = _split(words)
    facts.setdefault("refuses", masked_without_out)
    return _declare("elementwise", text.removesuffix(")") + _UFUNC_TAIL, formulas, **facts)


def constant_ufunc(text: str, /, **facts: Any) -> None:
    """A universal function without a derivative."""
    constant(text.removesuffix(")") + _UFUNC_TAIL, **facts)


def linear(text: str, /, **words: Any) -> Rule:
    """A primitive that is jointly linear in its active parameters; its tangent is itself."""
    facts, formulas = _split(words)
    return _declare("linear", text, formulas, **facts)


def multilinear(text: str, /, **words: Any) -> Rule:
    """A primitive that is linear in each active parameter, such as a product."""
    facts, formulas = _split(words)
    return _declare("general", text, formulas, multilinear=True, **facts)


def rule(text: str, /, **words: Any) -> Rule:
    """Any other primitive: formulas for `x` (full contributions) and `x_dot`."""
    facts, formulas = _split(words)
    return _declare("general", text, formulas, **facts)


def view(text: str, /, **words: Any) -> Rule:
    """A linear primitive whose result shares memory with its first parameter (or may)."""
    facts, formulas = _split(words)
    facts = {"result": "view", "of": signature.first(text), **facts}
    return _declare("view", text, formulas, **facts)


def unless(param: str, *values: object) -> Callable[[Mapping[str, Expr]], bool]:
    """For `fresh_if`: whether an argument is written out, and is none of these values.

    >>> from adtrans.ir.expr import Const, Name
    >>> unless("n", 0)({"n": Const(1)}), unless("n", 0)({"n": Const(0)})
    (True, False)
    >>> unless("n", 0)({"n": Name("k")})
    False
    """

    def fresh_if(bound: Mapping[str, Expr]) -> bool:
        found = literal(bound.get(param))
        return not isinstance(found, NotLiteral) and found not in values

    return fresh_if


def fresh(text: str, /, **words: Any) -> Rule:
    """A copy: a linear primitive whose result shares nothing."""
    facts, formulas = _split(words)
    return _declare("fresh", text, formulas, **facts)


def constant(*names: str, methods: Iterable[str] = (), **facts: Any) -> None:
    """Primitives without a derivative: their results do not vary with any argument, or jump.

    A name may come with its signature, where an `out` can be passed by position.
    `inert=()` says that they do vary: an active argument is then an error, never ignored.
    """
    inert = frozenset(facts.pop("inert", ("*",)))
    for name in names:
        path, bracket, rest = name.partition("(")
        text = f"f({rest}" if bracket else ""
        registry.add(Rule(path, text, "constant", inert_ok=inert, **facts), path)
    for name in methods:
        path, bracket, rest = name.partition("(")
        text = f"f({rest}" if bracket else ""
        owner, _, attr = path.rpartition(".")
        made = Rule(
            f"{owner or 'ndarray'}.{attr}", text, "constant", call="method", inert_ok=inert, **facts
        )
        registry.add_method(attr, made, owner or "ndarray")


def refused(why: str, *names: str, **facts: Any) -> None:
    """Primitives whose result varies with their arguments, but whose derivative has no rule."""
    for name in names:
        path, bracket, rest = name.partition("(")
        text = f"f({rest}" if bracket else ""
        made = Rule(path, text, "constant", refused=why, refuses=lambda site: why, **facts)
        registry.add(made, path)


def unknown(why: str, *names: str) -> None:
    """Functions without a rule, and without a word about what they do to memory; the reason."""
    for name in names:
        registry.add_reason(name, why)


def writes(
    text: str,
    expansion: str | Callable[[Site], str | None] | None,
    /,
    *,
    into: str | None = None,
    method: str | None = None,
    returns: str | None = None,
    inert: Iterable[str] = (),
    impure: bool = False,
) -> Rule:
    """A primitive that writes its parameter `into` (default: the first), as plain statements."""
    path = text.partition("(")[0]
    made = Rule(
        spelling=path,
        text="f(" + text.partition("(")[2],
        form="writes",
        call="method" if method else "function",
        expansion=expansion,
        returns=returns,
        writes=(into or signature.first(text),),
        inert_ok=frozenset(inert),
        impure=impure,
    )
    if method:
        registry.add_method(method, made, path.rpartition(".")[0])
    else:
        registry.add(made, path)
    return made


def scatter(name: str, sign: Any, /) -> None:
    """`np.add.at` and `np.subtract.at`: `a[indices] += b` where repeated indices all count."""
    registry.add(
        Rule(name, "f(a, indices, b)", "scatter", scatter=sign, writes=("a",),
             pullbacks={"b": "y_bar"}),
        name,
    )  # fmt: skip


def masked_without_out(site: Site) -> str | None:
    """Why `where=` without `out=` is refused: the other elements are whatever was in memory."""
    if site.bound.get("out") is None or site.const("out") is not None:
        return None
    if site.const("where") is True or "where" not in site.bound:
        return None
    return "`where=` without `out=` leaves the other elements undefined: pass `out=np.zeros(...)`"
