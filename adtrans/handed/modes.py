"""What is made of a function for a mode that is called inside another function.

    y, dot = jvp_of(f, "2 10")(x, k, tangent_0=v)

    def jvp_of_f(x, k, *, tangent_0):
        return f_pushforward(x, k, x_dot=tangent_0)

    y, back, kept = vjp_of(f, "1")(x)

    def vjp_of_f(x):
        x = x.copy()                              # later changes of it do not concern the pullback
        y, residuals = f_forward(x)
        return y.copy(), f_back, (residuals, y.shape)

The first number of the layout is that of the primals; the mask behind it says which of the tangents
are given, and are not None.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from adtrans import runtime
from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds.values import param_kinds
from adtrans.checkpoints import check_repeatable
from adtrans.derivative import Gradient, recipe_of
from adtrans.dispatch import Version
from adtrans.emit.load import load
from adtrans.inputs import refuse
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Container,
    Instance,
    Kind,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
)
from adtrans.ir.names import NameAllocator
from adtrans.ir.walk import statements
from adtrans.options import Options
from adtrans.recipes import Recipe, plain_name
from adtrans.tangents import tangent_names

_KEYWORD = inspect.Parameter.KEYWORD_ONLY
_HELPERS = {n: getattr(runtime, n) for n in ("check_same_shape", "duplicate")}


class Mode:
    """A mode of one function, with parameters for the primals and the tangents.

    Variables that the function captures have become keyword parameters of it.
    """

    name: ClassVar[str] = "mode"
    again: ClassVar[bool] = False  # whether it is the gradient that is differentiated

    def __init__(self, fn: Any, layout: str, **options: Any) -> None:
        count, mask = layout.partition(" ")[::2]
        wrt = options.pop("argnums", options.pop("wrt", None))
        given = getattr(fn, "_options", Options())
        kept = {"on_overwrite": given.on_overwrite, "on_unproven": given.on_unproven}
        wrt = given.wrt if wrt is None else wrt
        self.recipe: Recipe = recipe_of(fn, Options(**{**kept, **options}))
        self.wrt = wrt
        target = self.recipe.target
        parameters = target.signature.parameters.values()
        collects = any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in parameters)
        if collects or target.bound or target.keywords:
            refuse("AD410", f"`{self.name}` of `{target.fn.__name__}` cannot be differentiated",
                   "it collects arguments, or some are bound already")  # fmt: skip
        self.primals = target.params[: int(count)]
        self.wanted = self.primals if wrt is None else target.select(wrt)
        if self.again:
            gradient = Gradient(self.recipe, wrt, has_aux=False, with_value=False)
            self.recipe = recipe_of(gradient, self.recipe.options)
        self.tangents = tuple(f"tangent_{k}" for k, c in enumerate(mask) if c == "1")
        self.mask = mask
        self.version: Version | None = None  # the one that was compiled last
        self.made: dict[object, tuple[Version | None, FunctionType]] = {}
        self.__name__ = f"{self.name}_of_{plain_name(target.fn)}"
        self.__differentiates__ = target.fn
        own = [p for p in parameters if p.name not in self.tangents]
        words = [inspect.Parameter(t, _KEYWORD) for t in self.tangents]
        self.__signature__ = inspect.Signature([*own, *words])

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """What generated code does where nothing carries a derivative."""
        assert isinstance(self.__signature__, inspect.Signature)
        bound = self.__signature__.bind(*args, **kwargs)
        bound.apply_defaults()
        kinds = param_kinds(bound.arguments)
        key = tuple(kinds.items())
        version, made = self.made.get(key, (None, None))
        if version is None or made is None or not version.holds():
            made = self.function_for(kinds)
            self.made[key] = self.version, made
        return made(*args, **kwargs)

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        """The mode as one function, for arguments of these kinds."""
        raise NotImplementedError

    def along(self) -> dict[str, str]:
        """The parameters with a tangent, and the name of that."""
        if len(self.mask) != len(self.wanted):
            refuse("AD405", f"there are {len(self.wanted)} arguments and {len(self.mask)} tangents",
                   "each argument that is differentiated has one tangent.",
                   "None stands for zero")  # fmt: skip
        pairs = zip(self.wanted, self.mask, strict=True)
        return {n: f"tangent_{k}" for k, (n, c) in enumerate(pairs) if c == "1"}

    def passed(self, names: Mapping[str, str] | None = None) -> str:
        """The arguments of a call that passes all parameters on, as source."""
        to = names or {}
        return ", ".join(
            f"{p.name}={to.get(p.name, p.name)}" if p.kind is _KEYWORD else to.get(p.name, p.name)
            for p in self.recipe.target.signature.parameters.values()
        )

    def written(
        self, lines: list[str], names: Mapping[str, object], more: str = ""
    ) -> FunctionType:
        """The function of that body; `more` are functions in front of it."""
        assert isinstance(self.__signature__, inspect.Signature)
        parameters = self.__signature__.parameters.values()
        plain = inspect.Signature([p.replace(default=p.empty) for p in parameters])
        text = "\n".join([f"{more}def {self.__name__}{plain}:", *(f"    {x}" for x in lines), ""])
        return load(text, self.__name__, {"np": np, **_HELPERS, **names})[self.__name__]

    def pushforward(
        self, kinds: Mapping[str, Kind], along: Mapping[str, str]
    ) -> tuple[Version, list[str], str]:
        """The pushforward, the checks of the tangents, and the call, as source."""
        for n in along:
            if not isinstance(kinds.get(n), Scalar | Array | TupleOf | Container | Unknown):
                refuse("AD402", f"cannot differentiate with respect to `{n}`",
                       "it carries no derivative")  # fmt: skip
        given = {n: k for n, k in kinds.items() if n not in self.tangents}
        order = tuple(n for n in self.recipe.target.params if n in along)
        version = self.recipe.dispatcher(order, "pushforward").compile(given)
        self.version = version
        words = tangent_names(self.recipe.target, version.functions[0])
        checks, seeds = [], []
        for n, word in zip(order, words, strict=True):
            value = self.fitting(n, along[n], kinds.get(n), kinds.get(along[n]))
            checks += value[0]
            # the tangent of what is written is written, too
            seed = f"duplicate({value[1]})" if n in version.written else value[1]
            seeds.append(f"{word}={seed}")
        call = f"{version.functions[0].__name__}({', '.join([self.passed(), *seeds])})"
        return version, checks, call

    def fitting(
        self, name: str, tangent: str, of: Kind | None, kind: Kind | None
    ) -> tuple[list[str], str]:
        """The check that a tangent has the form of its primal, and what is passed on for it."""
        match of, kind:
            case Scalar(type="float"), Scalar(type="int" | "bool"):
                return [], f"1.0 * {tangent}"
            case Array(), Array():
                check = [f"check_same_shape({tangent}.shape, {name}.shape)"]
                whole = kind.dtype is not None and kind.dtype.startswith(("int", "uint", "bool"))
                return check, f"1.0 * {tangent}" if whole else tangent
            case (Array(), Scalar()) | (Scalar(), Array()):
                refuse("AD405", f"the tangent of `{name}` does not have its shape",
                       f"`{name}` is of kind {of}, its tangent of kind {kind}.")  # fmt: skip
            case _:
                return [], tangent

    def copies(self, version: Version, kinds: Mapping[str, Kind]) -> list[str]:
        """Copies of the arguments, so that later changes do not concern what is kept of them."""
        if version.written:
            names = ", ".join(f"`{n}`" for n in sorted(version.written))
            refuse("AD409", f"`{self.name}` is not differentiated in this form",
                   f"`{self.recipe.target.fn.__name__}` writes its argument {names}.",
                   "pass a copy to a function that does not write")  # fmt: skip
        if _returns_argument(version.compiled.facts):
            refuse("AD409", f"`{self.name}` is not differentiated in this form",
                   f"`{self.recipe.target.fn.__name__}` returns what it is given, or a view of it.",
                   "return a copy")  # fmt: skip
        found = []
        for p in self.recipe.target.params:
            kind = kinds.get(p)
            if isinstance(kind, Unknown | Instance):
                refuse("AD409", f"`{self.name}` is not differentiated in this form",
                       f"it is not known what `{p}` is")  # fmt: skip
            if isinstance(kind, Array):
                found.append(f"{p} = {p}.copy()")
            elif isinstance(kind, TupleOf | Container):
                found.append(f"{p} = duplicate({p})")
        return found


class Jvp(Mode):
    """`jvp(f, primals, tangents)`."""

    name = "jvp"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        version, checks, call = self.pushforward(kinds, self.along())
        names = {f.__name__: f for f in version.functions}
        return self.written([*checks, f"return {call}"], names)


class Hvp(Mode):
    """`hvp(f, primals, tangents)`: the derivative of the gradient along a direction."""

    name = "hvp"
    again = True

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        version, checks, call = self.pushforward(kinds, self.along())
        names = {f.__name__: f for f in version.functions}
        return self.written([*checks, f"y, y_dot = {call}", "return y_dot"], names)


class Vjp(Mode):
    """`vjp(f, *primals)`: the value, and the pullback with what it needs."""

    name = "vjp"

    def compiled(self, kinds: Mapping[str, Kind]) -> tuple[Version, str]:
        """The forward function and the pullback, and the tuple of gradients, as source."""
        given = {n: k for n, k in kinds.items() if n not in self.tangents}
        active = [n for n in self.wanted if _carries(kinds.get(n))]
        if not active:
            refuse("AD402", f"nothing in the arguments of `{self.__name__}` carries a derivative",
                   "there is no array and no number of floating point among them")  # fmt: skip
        self.version = version = self.recipe.dispatcher(tuple(active)).compile(given)
        at = {n: f"found[{k}]" for k, n in enumerate(active)} if len(active) > 1 else {}
        parts = [at.get(n, "found") if n in active else "None" for n in self.wanted]
        return version, f"({', '.join(parts)},)"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        version, gradients = self.compiled(kinds)
        forward, pullback = (f.__name__ for f in version.functions)
        names = NameAllocator({*self.recipe.target.params, "found"})
        y, residuals = names.fresh("y"), names.fresh("residuals")
        kind = version.compiled.facts.kinds.result
        check, shape = _seed_check(kind)
        back = f"{self.__name__}_back"
        text = "\n".join([
            f"def {back}(kept, y_bar):",
            "    residuals, shape = kept",
            *check,
            f"    found = {pullback}(residuals, y_bar)",
            f"    return {gradients}\n\n\n",
        ])  # fmt: skip
        lines = [
            *self.copies(version, kinds),
            f"{y}, {residuals} = {forward}({self.passed()})",
            f"return {_own(y, kind)}, {back}, ({residuals}, {shape.replace('y', y, 1)})",
        ]
        return self.written(lines, {f.__name__: f for f in version.functions}, text)


class VjpAt(Vjp):
    """`vjp(f, *primals)[1](y_bar)`."""

    name = "vjp_at"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        version, gradients = self.compiled(kinds)
        forward, pullback = (f.__name__ for f in version.functions)
        names = NameAllocator({*self.recipe.target.params, *self.tangents})
        y, residuals, found = (names.fresh(n) for n in ("y", "residuals", "found"))
        check, _ = _seed_check(version.compiled.facts.kinds.result)
        checks = [c.strip().replace("y_bar", "tangent_0").replace("shape)", f"{y}.shape)")
                  for c in check]  # fmt: skip
        lines = [
            f"{y}, {residuals} = {forward}({self.passed()})",
            *checks,
            f"{found} = {pullback}({residuals}, tangent_0)",
            f"return {gradients.replace('found', found)}",
        ]
        return self.written(lines, {f.__name__: f for f in version.functions})


class Linearize(Mode):
    """`linearize(f, *primals)`: the value, and the pushforward at that point."""

    name = "linearize"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        along = {n: f"tangent_{k}" for k, n in enumerate(self.wanted)}
        version, checks, call = self.pushforward(kinds, along)
        check_repeatable(version)
        params = self.recipe.target.params
        linear = f"{self.__name__}_linear"
        text = "\n".join([
            f"def {linear}(kept, {', '.join(along.values())}):",
            f"    {', '.join(params)}, = kept",
            *(f"    {c}" for c in checks),
            f"    y, y_dot = {call}",
            "    return y_dot\n\n\n",
        ])  # fmt: skip
        value = self.recipe.target.fn
        name = NameAllocator(params).fresh("value_of")
        lines = [
            *self.copies(version, kinds),
            f"return {name}({self.passed()}), {linear}, ({', '.join(params)},)",
        ]
        names = {f.__name__: f for f in version.functions}
        return self.written(lines, {**names, name: value}, text)


class LinearizeAt(Mode):
    """`linearize(f, *primals)[1](*tangents)`."""

    name = "linearize_at"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        version, checks, call = self.pushforward(kinds, self.along())
        names = {f.__name__: f for f in version.functions}
        return self.written([*checks, f"y, y_dot = {call}", "return y_dot"], names)


class Maker:
    """`vjp_of`: makes the function for a function and a layout."""

    makes_functions = True

    def __init__(self, made: type[Mode]) -> None:
        self.made = made

    def __call__(self, fn: Any, layout: str, **options: Any) -> Mode | None:
        return self.made(fn, layout, **options) if callable(fn) else None


MAKERS = {m.name: Maker(m) for m in (Jvp, Hvp, Vjp, VjpAt, Linearize, LinearizeAt)}


def _returns_argument(facts: Facts) -> bool:
    """Whether a result may share memory with an argument: a copy in its place would not."""
    returns = [s for s in statements(facts.fn.body) if isinstance(s, S.Return)]
    found = (o for s in returns for v in s.values for o in facts.memory.of(v))
    return any(o.form in ("param", "held", "global") for o in found)


def _carries(kind: Kind | None) -> bool:
    return kind is not None and is_differentiable(kind)


def _seed_check(kind: Kind) -> tuple[list[str], str]:
    """The check of a cotangent for a result of this kind, as source, and what it needs of `y`."""
    if isinstance(kind, Array):
        return ["    check_same_shape(y_bar.shape, shape)"], "y.shape"
    if isinstance(kind, Scalar):
        return ["    y_bar = 1.0 * y_bar"], "()"
    return [], "()"


def _own(y: str, kind: Kind) -> str:
    """A result that the caller may change."""
    if isinstance(kind, Array):
        return f"{y}.copy()"
    return y if isinstance(kind, Scalar) else f"duplicate({y})"
