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
from types import FunctionType
from typing import Any, TypeVar

import numpy as np

from adtrans.diagnostics.diagnostic import Diagnostic, Fix
from adtrans.diagnostics.errors import InputError
from adtrans.diagnostics.span import Span
from adtrans.dispatch import forget_versions
from adtrans.emit.load import load
from adtrans.ir.expr import Name
from adtrans.options import caller_span
from adtrans.recipes import plain_name
from adtrans.rules import formula, lookup, registry
from adtrans.rules import signature as signatures
from adtrans.rules.rule import Custom, Rule
from adtrans.rules.signature import FormalParam
from adtrans.rules.site import Form

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
    `y` is the result, `y_bar` its adjoint; `x_dot=` gives the tangent. Otherwise functions:

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
        _refuse("`elementwise` and `linear` exclude each other", "element-wise ones are simpler.")
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

    It is called as it is, and not looked into: for helpers that look up tables, print or log. What
    it does to its arguments is your affair: it must not write into arrays that are differentiated.

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
        given, text = (self.given, self.signature) if before is None else before[1:]
        self.signature = text
        self.declare(replace(given, pushforward=pushforward))
        return pushforward

    def declare(self, given: Given) -> None:
        declare(self.fn, self.signature, given)
        _GIVEN[id(self.fn)] = self.fn, given, self.signature
        forget_versions()


_GIVEN: dict[int, tuple[Any, Given, str | None]] = {}


def _tuple(names: str | tuple[str, ...] | None) -> tuple[str, ...] | None:
    return (names,) if isinstance(names, str) else None if names is None else tuple(names)


def given_for(fn: object) -> Given | None:
    """What was declared for `fn`."""
    found = _GIVEN.get(id(fn))
    return None if found is None else found[1]


def declare(fn: Any, text: str | None, given: Given) -> None:
    """Register the rule for `fn`; it replaces an earlier one.

    Raises:
        InputError: AD410 for a signature that cannot be read, and names that are no parameters.
    """
    stem = plain_name(fn)
    text = _signature(fn) if text is None else "(" + text.partition("(")[2]
    params = signatures.parse(f"f{text}")[1]
    names = [p.name for p in params]
    _check_names(fn, names, given)
    active = [n for n in names if n not in given.inert]
    if given.wrt is not None:
        active = list(given.wrt)
    elif given.pullback is None:
        active = [n for n in names if n in given.formulas or f"{n}_dot" in given.formulas] or active
    pullbacks: dict[str, Any] = {n: given.formulas.get(n) for n in active}
    added: list[str] = []
    dots = {n: given.formulas[f"{n}_dot"] for n in active if f"{n}_dot" in given.formulas}
    if given.pullback is not None:
        name = _named(Adjoints(given.pullback, stem, tuple(active)), added)
        shapes = "".join(f"np.shape({n}), " for n in active).strip()
        args = ", ".join([*_parameters(given.pullback), f"shapes=({shapes})"])
        pullbacks = {n: f"{name}({args})[{i}]" for i, n in enumerate(active)}
    if given.pushforward is not None:
        name = _named(Tangents(given.pushforward, stem), added)
        dots = {n: _tangent(name, given, n) for n in active}
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
        ),
    )
    _check_formulas(rule, given)
    if given.writes is None:
        registry.add_object(fn, rule)
        return
    contents = Contents(fn, params, given.writes)
    name = _named(contents, added)
    assert rule.custom is not None
    custom = replace(rule.custom, names=tuple(added))
    registry.add_object(contents, replace(rule, custom=custom))
    call = ", ".join(f"{n}={n}" if p.form == "keyword" else n
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


class Adjoints:
    """A user's pullback as generated code calls it: a tuple over the active parameters."""

    def __init__(self, fn: Callable[..., Any], of: str, active: tuple[str, ...]) -> None:
        self.fn, self.of, self.active = fn, of, active
        self.__name__ = f"{of}_pullback"
        self.__differentiates__ = fn

    def __call__(self, *args: Any, shapes: tuple[tuple[int, ...], ...]) -> tuple[Any, ...]:
        found = _called(self.fn, self.of, args)
        if isinstance(found, Mapping):
            for name in found:
                if name not in self.active:
                    self.misfit(f"an adjoint for `{name}`", "no such parameter is differentiated")
            found = tuple(found.get(n) for n in self.active)
        elif len(self.active) == 1 and not isinstance(found, tuple):
            found = (found,)
        if not isinstance(found, tuple) or len(found) != len(self.active):
            had = f"{len(found)} adjoints" if isinstance(found, tuple) else "one adjoint"
            wanted = ", ".join(f"`{n}`" for n in self.active)
            self.misfit(had, f"there are {len(self.active)} differentiated parameters: {wanted}")
        return tuple(self.fitting(*item) for item in zip(self.active, found, shapes, strict=True))

    def fitting(self, name: str, value: Any, shape: tuple[int, ...]) -> Any:
        """The adjoint of one parameter, of its shape; None stands for zero."""
        if value is None:
            return np.zeros(shape) if shape else 0.0
        if np.shape(value) != shape:
            self.misfit(
                f"an adjoint of shape {np.shape(value)} for `{name}`", f"`{name}` is of {shape}"
            )
        if np.asarray(value).dtype.kind not in "fciub":
            self.misfit(
                f"an adjoint of type {type(value).__name__} for `{name}`", "adjoints are numbers"
            )
        return _own(np.asarray(value) if shape else value)

    def misfit(self, had: str, why: str) -> None:
        _misfit(self.fn, f"the rule for `{self.of}` returned {had}", f"{why}.")

    def function_for(self, kinds: Mapping[str, Any]) -> FunctionType:
        """The user's function in this form, so that it can be differentiated in its turn."""
        rule: Any = self.fn
        if hasattr(rule, "function_for"):
            rule = rule.function_for(kinds)
        args = ", ".join(_parameters(self.fn))
        result = f"rule({args})"
        if len(self.active) == 1:
            result = f"({result},)"
        text = f"def {self.__name__}({args}, shapes):\n    return {result}\n"
        return load(text, self.__name__, {"rule": rule})[self.__name__]

    @property
    def __signature__(self) -> inspect.Signature:
        kind = inspect.Parameter.POSITIONAL_OR_KEYWORD
        names = [*_parameters(self.fn), "shapes"]
        return inspect.Signature([inspect.Parameter(n, kind) for n in names])


class Tangents:
    """A user's pushforward as generated code calls it."""

    def __init__(self, fn: Callable[..., Any], of: str) -> None:
        self.fn, self.of = fn, of
        self.__name__ = f"{of}_pushforward"
        self.__differentiates__ = fn

    def __call__(self, *args: Any, result: Any) -> Any:
        found = _called(self.fn, self.of, args)
        several = isinstance(result, tuple)
        if several and (not isinstance(found, tuple) or len(found) != len(result)):
            _misfit(self.fn, f"the rule for `{self.of}` returned no tuple of tangents",
                    f"the result is a tuple of {len(result)}.")  # fmt: skip
        pairs = zip(found, result, strict=True) if several else [(found, result)]
        for dot, value in pairs:
            if np.shape(dot) != np.shape(value) and dot is not None:
                _misfit(
                    self.fn,
                    f"the rule for `{self.of}` returned a tangent of shape {np.shape(dot)}",
                    f"the result is of shape {np.shape(value)}.",
                )
        return tuple(map(_own, found)) if several else _own(found)


class Contents:
    """A function that writes one of its parameters as one that returns the final contents."""

    def __init__(self, fn: Any, params: tuple[FormalParam, ...], writes: str) -> None:
        self.fn, self.params, self.writes = fn, params, writes
        self.at = [p.name for p in params].index(writes)
        self.__name__ = f"{getattr(fn, '__name__', 'function')}_contents"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = list(args)
        written = given[self.at] if self.at < len(given) else kwargs[self.writes]
        copy = written.copy("K")
        if self.at < len(given):
            given[self.at] = copy
        else:
            kwargs[self.writes] = copy
        found = self.fn(*given, **kwargs)
        if found is not None:
            _misfit(self.fn, f"`{self.fn.__name__}` returns something beside what it writes",
                    "its rule says that it writes, and then its result is None.")  # fmt: skip
        return copy


def _called(fn: Callable[..., Any], of: str, args: tuple[Any, ...]) -> Any:
    """What a user's function gives for `args`, which others hold, too: it cannot write them.

    Raises:
        InputError: AD412 if it does.
    """
    try:
        return fn(*_read_only(args))
    except ValueError as error:
        if "read-only" not in str(error):
            raise
        _misfit(fn, f"the rule for `{of}` writes into what it is handed",
                "adjoints and values are used by others, too; copy before writing.")  # fmt: skip


def _read_only(value: Any) -> Any:
    if type(value) is tuple:
        return tuple(map(_read_only, value))
    if type(value) is not np.ndarray:
        return value
    view = value.view()
    view.flags.writeable = False
    return view


def _own(found: Any) -> Any:
    """A result that others may write: a copy, where it is, or looks into, what cannot be."""
    return found.copy("K") if isinstance(found, np.ndarray) and not found.flags.writeable else found


def _named(obj: Any, added: list[str]) -> str:
    added.append(formula.add_name(obj.__name__, obj))
    return added[-1]


def _tangent(name: str, given: Given, param: str) -> str:
    assert given.pushforward is not None
    args = []
    for n in _parameters(given.pushforward):
        other = n.removesuffix("_dot")
        dot = n.endswith("_dot")
        if other == param and dot:
            args.append("dot")
        else:
            args.append(f"np.zeros(np.shape({other}))" if dot else n)
    return f"{name}({', '.join(args)}, result=y)"


def _parameters(fn: Callable[..., Any]) -> list[str]:
    return list(inspect.signature(fn).parameters)


def _signature(fn: Any) -> str:
    plain = getattr(fn, "py_func", fn)
    try:
        parameters = inspect.signature(plain).parameters.values()
    except (TypeError, ValueError):
        _refuse(f"the signature of `{getattr(fn, '__name__', fn)}` cannot be read",
                "it is a compiled function that does not tell it.",
                'write it: `ad.rule(f, signature="f(x, n=2)")`')  # fmt: skip
    kept = []
    for p in parameters:
        if p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD):
            _refuse(f"`{getattr(fn, '__name__', fn)}` collects arguments",
                    "a rule names the parameters that it is about.",
                    'write those that you use: `signature="f(x, n=2)"`')  # fmt: skip
        plain_default = p.default is p.empty or isinstance(p.default, int | float | str | None)
        if not plain_default:
            _refuse(f"the default of `{p.name}` is no number or string",
                    "a rule writes defaults out.", "give `signature=`")  # fmt: skip
        kept.append(p.replace(annotation=p.empty))
    return str(inspect.Signature(kept))


def _check_names(fn: Any, names: list[str], given: Given) -> None:
    what = getattr(fn, "__name__", "the function")
    said = [*(given.wrt or ()), *given.inert, *filter(None, (given.writes, given.like))]
    said += [n.removesuffix("_dot") for n in given.formulas]
    for n in said:
        if n not in names:
            _refuse(f"`{n}` is no parameter of `{what}`",
                    f"its parameters are {', '.join(f'`{p}`' for p in names)}.")  # fmt: skip
    for rule, seeds in ((given.pullback, {"y_bar"}), (given.pushforward, set())):
        if rule is None:
            continue
        allowed = {"y", *names, *seeds, *(() if seeds else (f"{n}_dot" for n in names))}
        for n in _parameters(rule):
            if n not in allowed:
                _misfit(rule, f"the rule for `{what}` has a parameter `{n}`",
                        f"it may have {', '.join(f'`{a}`' for a in sorted(allowed))}.")  # fmt: skip


def _check_formulas(rule: Rule, given: Given) -> None:
    names = frozenset(p.name for p in rule.params)
    for what, text in given.formulas.items():
        for one in text if isinstance(text, tuple) else (text,):
            try:
                formula.parse(str(one), names)
            except (ValueError, SyntaxError, AttributeError) as error:
                _refuse(f"the formula for `{what}` cannot be read: {one!r}",
                        f"{error}.", "a formula names parameters, `y`, `y_bar`, `np` and `math`; "
                        "for anything else give a function")  # fmt: skip


def _refuse(title: str, why: str, fix: str | None = None) -> Any:
    fixes = () if fix is None else (Fix(fix),)
    raise InputError(Diagnostic("AD410", title, caller_span(), why=why, fixes=fixes))


def _misfit(fn: Any, title: str, why: str) -> Any:
    code = getattr(fn, "__code__", None)
    if code is None:
        return _refuse(title, why)
    span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0)
    raise InputError(Diagnostic("AD412", title, span, why=why))
