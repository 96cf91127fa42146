"""Rules of users: for one function object, by formulas or by Python functions.

A function that gives adjoints is, to the compiler, a formula that calls it: what its parameters
name is what it needs.

>>> def root(c):
...     return c ** (1 / 3)
>>> @rule(root)
... def root_pullback(y_bar, y):
...     return y_bar / (3 * y * y)
>>> print(lookup(root).pullback("c", {"c": Name("u")}, {})[0])
root_pullback(y_bar, y, shapes=(np.shape(c),))[0]
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from adtrans.api.declared import (
    Adjoints,
    Contents,
    Tangents,
    misfit,
    parameters_of,
    refuse,
    shapes_of,
)
from adtrans.dispatch.dispatcher import forget_versions
from adtrans.dispatch.recipes import plain_name
from adtrans.ir.expr import Name
from adtrans.ir.kinds import Array, Container, Kind, TupleOf
from adtrans.rules import formula, lookup, registry
from adtrans.rules import signature as signatures
from adtrans.rules.rule import Custom, Rule
from adtrans.rules.site import Form, Site
from adtrans.source.unwrap import in_python

__all__ = ["Name", "constant", "lookup", "rule"]

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])


@dataclass(frozen=True)
class Given:
    """What a user says about a function.

    `formulas` by parameter (`x`, `x_dot`); `pullback` and `pushforward` are Python functions whose
    parameters are among `y`, `y_bar`, `<param>_dot` and those of the function. `writes`: the
    parameter that is written; `y` is its final contents then. `like`: the parameter that the result
    is like, in dtype and shape.
    """

    formulas: Mapping[str, Any] = field(default_factory=dict)
    pullback: Callable[..., Any] | None = None
    pushforward: Callable[..., Any] | None = None
    form: Form = "general"
    wrt: tuple[str, ...] | None = None
    inert: tuple[str, ...] = ()
    writes: str | None = None
    like: str | None = None
    impure: bool = False
    of: object = None  # the function whose source tells the kind of the result
    again: object = None  # what a checkpoint is of
    formal: bool = False  # the functions call parameters as formulas do (`formal_names`)

    @property
    def modes(self) -> tuple[str, ...]:
        """The directions that can be had."""
        dots = any(n.endswith("_dot") for n in self.formulas)
        reverse = self.pullback is not None or len(self.formulas) > 0
        forward = self.pushforward is not None or dots or self.form != "general"
        return ("reverse",) * reverse + ("forward",) * forward


def rule(
    fn: Any,
    pullback: Callable[..., Any] | None = None,
    pushforward: Callable[..., Any] | None = None,
    *,
    signature: str | None = None,
    elementwise: bool = False,
    linear: bool = False,
    wrt: str | tuple[str, ...] | None = None,
    inert: str | tuple[str, ...] = (),
    writes: str | None = None,
    like: str | None = None,
    impure: bool = False,
    **formulas: Any,
) -> Any:
    """Declare the derivative of a function: one in C, a jitted one, or one you know better.

    Where a formula is enough, it is given for each parameter, in the words of the built-in rules:
    `y` is the result (unless a parameter is called so), `y_bar` its adjoint; `x_dot=` gives the
    tangent. Otherwise functions:

        @ad.rule(solve)
        def solve_pullback(y_bar, y, a, b): ...        # -> adjoints of a and b

        @ad.rule(solve).pushforward
        def solve_pushforward(a_dot, b_dot, y, a): ... # -> tangent of the result

    Their parameters say what they need; arrays are read-only. A pullback returns a tuple over the
    parameters of the function, or over `wrt`; or a dict; None is zero. `inert` names parameters
    whose derivative is ignored, `like` one that the result has the dtype and shape of. With
    `writes="a"` the function writes `a` and returns nothing; `a` stands for the contents on entry,
    `y` for the final ones.

    `signature="f(x, n=2)"` is needed for compiled functions that do not tell theirs. A rule may be
    declared at any time: what was compiled without it is compiled again.

    >>> import adtrans
    >>> def cube(x):
    ...     return x * x * x
    >>> _ = rule(cube, elementwise=True, x="3 * x * x")
    >>> adtrans.grad(lambda t: 2.0 * cube(t))(5.0)
    150.0

    Raises:
        InputError: AD410 for a signature that cannot be read, and names that are no parameters;
            AD412 for a function that does not fit, and, when it is used, for what it returns.
    """
    if elementwise and linear:
        refuse("`elementwise` and `linear` exclude each other", "element-wise ones are simpler.")
    form: Form = "elementwise" if elementwise else "linear" if linear else "general"
    given = Given(
        formulas, pullback, pushforward, form, _tuple(wrt), _tuple(inert) or (), writes, like,
        impure,
    )  # fmt: skip
    taught = Taught(fn, signature, given)
    if formulas or pullback is not None or pushforward is not None:
        taught.declare(given)
        return fn
    return taught


def constant(fn: T) -> T:
    """Say that a function's result carries no derivative, whatever is passed to it.

    It is called as it is, and not differentiated: for helpers that look up tables, print or log.
    It must not write into arrays that carry a derivative: an AD412, where its source can be read.
    Where that cannot be read, what it does to its arguments is your affair.

    >>> import adtrans
    >>> @constant
    ... def nearest(x):
    ...     return round(x)
    >>> adtrans.grad(lambda x: x * nearest(x))(2.7)
    3.0
    """
    stem = plain_name(fn)
    custom = Custom(fn, None, name=stem)
    any_active = frozenset({"*"})
    registry.add_object(
        fn, Rule(stem, "", "constant", impure=True, inert_ok=any_active, custom=custom)
    )
    forget_versions()
    return fn


class Taught:
    """`ad.rule(f)`: a decorator for a pullback, with `.pushforward` one for a pushforward."""

    def __init__(self, fn: Any, signature: str | None, given: Given) -> None:
        self.fn, self.signature, self.given = fn, signature, given

    def __call__(self, pullback: F) -> F:
        """Declare the pullback."""
        self.declare(replace(self.given, pullback=pullback))
        return pullback

    def pushforward(self, pushforward: F) -> F:
        """Declare the pushforward, beside a pullback that is declared already."""
        before = _GIVEN.get(id(self.fn))
        given, text = (self.given, self.signature) if before is None else before[1:3]
        self.signature = text
        self.declare(replace(given, pushforward=pushforward))
        return pushforward

    def declare(self, given: Given) -> None:
        formulas = declare(self.fn, self.signature, given).formulas
        _GIVEN[id(self.fn)] = self.fn, given, self.signature, formulas
        forget_versions()


_GIVEN: dict[int, tuple[Any, Given, str | None, Mapping[str, Any]]] = {}


def _tuple(names: str | tuple[str, ...] | None) -> tuple[str, ...] | None:
    return (names,) if isinstance(names, str) else None if names is None else tuple(names)


def given_for(fn: object) -> Given | None:
    """What was declared for `fn`, its formulas as they are read."""
    found = _GIVEN.get(id(fn))
    return None if found is None else replace(found[1], formulas=found[3])


def declare(fn: Any, text: str | None, given: Given) -> Given:
    """Register the rule for `fn`; it replaces an earlier one. What was given is returned in the
    words of formulas, where a parameter `y` has another name.

    Raises:
        InputError: AD410 for a signature that cannot be read, and names that are no parameters.
    """
    stem = plain_name(fn)
    text = _signature(fn) if text is None else "(" + text.partition("(")[2]
    names = [p.name for p in signatures.parse(f"f{text}")[1]]
    own = formula.formal_names(names)
    _check_names(fn, [*own.values()] if given.formal else names, given)
    words = {} if given.formal else own
    given, text = _in_formulas(given, own), signatures.renamed(text, own)
    called = {formal: name for name, formal in own.items()}
    params = signatures.parse(f"f{text}")[1]
    names = [p.name for p in params]
    active = [n for n in names if n not in given.inert]
    if given.wrt is not None:
        active = list(given.wrt)
    elif given.pullback is None:
        active = [n for n in names if n in given.formulas or f"{n}_dot" in given.formulas] or active
    pullbacks: dict[str, Any] = {n: given.formulas.get(n) for n in active}
    added: list[str] = []
    dots = {n: given.formulas[f"{n}_dot"] for n in active if f"{n}_dot" in given.formulas}
    if given.pullback is not None:
        name = _named(Adjoints(given.pullback, stem, tuple(called[n] for n in active)), added)
        handed = [words.get(n, n) for n in parameters_of(given.pullback)]
        start = f"{name}({', '.join((*handed, shapes_of(given.pullback)))}="
        pullbacks = {n: _item_of(start, tuple(active), i) for i, n in enumerate(active)}
    if given.pushforward is not None:
        name = _named(Tangents(given.pushforward, stem), added)
        dots = {n: _tangent(name, given, n, words) for n in active}
    elif given.form == "general":
        dots = {**dict.fromkeys(active), **dots}  # not to be taken from the pullback
    rule = Rule(
        spelling=stem,
        text=f"f{text}",
        form=given.form,
        impure=given.impure,
        inert_ok=frozenset(given.inert),
        pullbacks=pullbacks,
        pushforwards=dots,
        stands_for=getattr(fn, "stands_for", ""),
        custom=Custom(
            given.of or fn,
            given.writes or given.like,
            given.pullback is not None,
            formula.add_name(stem, fn) if given.form == "linear" else stem,
            tuple(added),
            given.again,
        ),
    )
    _check_formulas(rule, given)
    if given.writes is None:
        registry.add_object(fn, rule)
        return given
    contents = Contents(fn, [called[n] for n in names], called[given.writes])
    name = _named(contents, added)
    assert rule.custom is not None
    custom = replace(rule.custom, names=tuple(added), contents=given.writes)
    registry.add_object(contents, replace(rule, custom=custom))
    call = ", ".join(f"{called[n]}={n}" if p.form == "keyword" else n
                     for n, p in zip(names, params, strict=True))  # fmt: skip
    registry.add_object(
        fn,
        Rule(
            spelling=stem,
            text=f"f{text}",
            form="writes",
            writes=(given.writes,),
            inert_ok=frozenset(given.inert),
            expansion=f"{given.writes}[...] = {name}({call})",
            custom=Custom(fn, None, name=stem, names=(name,)),
        ),
    )
    return given


def _item_of(call: str, params: tuple[str, ...], place: int) -> Callable[[Site], str]:
    """One of the adjoints that a call gives which is told the forms of all: the shapes of numbers
    and of arrays of float64, zeros of others and for what holds several."""

    def form(name: str, kind: Kind) -> str:
        if isinstance(kind, TupleOf | Container):
            return f"zeros_of({name}), "
        plain = not isinstance(kind, Array) or kind.dtype == "float64"
        return f"np.shape({name}), " if plain else f"np.zeros(np.shape({name}), {name}.dtype), "

    def formula(site: Site) -> str:
        forms = "".join(form(n, site.kind(n)) for n in params)
        return f"{call}({forms.strip()}))[{place}]"

    return formula


def _named(obj: Any, added: list[str]) -> str:
    added.append(formula.add_name(obj.__name__, obj))
    return added[-1]


def _in_formulas(given: Given, own: Mapping[str, str]) -> Given:
    """The same with parameters as formulas name them. A parameter `y` hides the result."""
    if all(name == formal for name, formal in own.items()):
        return given
    formulas = {}
    words = {**{f"{n}_dot": f"{formal}_dot" for n, formal in own.items()}, **own}
    for key, text in given.formulas.items():
        root = key.removesuffix("_dot")
        formal = own[key] if key in own else f"{own[root]}_dot"
        texts = text if isinstance(text, tuple) else (text,)
        read = tuple(formula.respelled(str(one), words) for one in texts)
        formulas[formal] = read if isinstance(text, tuple) else read[0]
    return replace(
        given,
        formulas=formulas,
        wrt=None if given.wrt is None else tuple(own[n] for n in given.wrt),
        inert=tuple(own[n] for n in given.inert),
        writes=own.get(given.writes or "", given.writes),
        like=own.get(given.like or "", given.like),
    )


def _tangent(name: str, given: Given, param: str, own: Mapping[str, str]) -> str:
    assert given.pushforward is not None
    args = []
    for n in parameters_of(given.pushforward):
        root = n.removesuffix("_dot")
        if n in own or root == n:
            args.append(own.get(n, n))
        else:
            other = own.get(root, root)
            args.append("dot" if other == param else f"np.zeros(np.shape({other}))")
    return f"{name}({', '.join(args)}, result=y)"


def _signature(fn: Any) -> str:
    try:
        parameters = inspect.signature(in_python(fn)).parameters.values()
    except (TypeError, ValueError):
        refuse(f"the signature of `{getattr(fn, '__name__', fn)}` cannot be read",
                "it is a compiled function that does not tell it.",
                'write it: `ad.rule(f, signature="f(x, n=2)")`')  # fmt: skip
    kept = []
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            refuse(f"`{getattr(fn, '__name__', fn)}` collects arguments",
                    "a rule names the parameters that it is about.",
                    'write those that you use: `signature="f(x, n=2)"`')  # fmt: skip
        plain_default = p.default is p.empty or isinstance(p.default, int | float | str | None)
        if not plain_default:
            refuse(f"the default of `{p.name}` is no number or string",
                    "a rule writes defaults out.", "give `signature=`")  # fmt: skip
        kept.append(p.replace(annotation=p.empty))
    return str(inspect.Signature(kept))


def _check_names(fn: Any, names: list[str], given: Given) -> None:
    what = getattr(fn, "__name__", "the function")
    said = [*(given.wrt or ()), *given.inert, *filter(None, (given.writes, given.like))]
    said += [n if n in names else n.removesuffix("_dot") for n in given.formulas]
    for n in said:
        if n not in names:
            refuse(f"`{n}` is no parameter of `{what}`",
                    f"its parameters are {', '.join(f'`{p}`' for p in names)}.")  # fmt: skip
    if (clash := _ambiguous(names, given)) is not None:
        refuse(f"`{clash}` is a parameter of `{what}`, and a word of its rule",
                "what the rule means by it cannot be told.",
                "give the parameter another name")  # fmt: skip
    for rule, seeds in ((given.pullback, {"y_bar"}), (given.pushforward, set())):
        if rule is None:
            continue
        allowed = {"y", *names, *seeds, *(() if seeds else (f"{n}_dot" for n in names))}
        for n in parameters_of(rule):
            if n not in allowed:
                misfit(rule, f"the rule for `{what}` has a parameter `{n}`",
                        f"it may have {', '.join(f'`{a}`' for a in sorted(allowed))}.")  # fmt: skip


def _ambiguous(names: list[str], given: Given) -> str | None:
    """A parameter that is called what the rule calls an adjoint or a tangent."""
    reverse = given.pullback is not None or any(n in names for n in given.formulas)
    forward = any(n not in names for n in given.formulas)
    words = {"y_bar"} if reverse else set()
    if given.pushforward is not None or given.formulas:
        words |= {f"{n}_dot" for n in names}
    return next((n for n in names if n in words or (n == "dot" and forward)), None)


def _check_formulas(rule: Rule, given: Given) -> None:
    names = frozenset(p.name for p in rule.params)
    for what, text in given.formulas.items():
        for one in text if isinstance(text, tuple) else (text,):
            try:
                formula.parse(str(one), names)
            except (ValueError, SyntaxError, AttributeError) as error:
                refuse(f"the formula for `{what}` cannot be read: {one!r}",
                        f"{error}.", "a formula names parameters, `y`, `y_bar`, `np` and `math`; "
                        "for anything else give a function")  # fmt: skip


