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
from adtrans.api.checkpoints import check_repeatable
from adtrans.api.derived import recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.pushforwards import tangent_names
from adtrans.arguments.inputs import refuse
from adtrans.dispatch.compiled_version import Version
from adtrans.dispatch.recipes import Recipe, plain_name
from adtrans.driver.options import Options
from adtrans.emit.load import load
from adtrans.emit.words import Words
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
from adtrans.ir.walk import statements

_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Mode:
    """A mode of one function, with parameters for the primals and the tangents.

    Variables that the function captures have become keyword parameters of it.
    """

    name: ClassVar[str] = "mode"
    again: ClassVar[bool] = False  # whether it is the gradient that is differentiated
    reads_only: ClassVar[bool] = True  # as no derivative writes into what it is given
    keeps: ClassVar[bool] = False  # whether its result holds what other generated code reads

    def __init__(self, fn: Any, layout: str, **options: Any) -> None:
        self.given = fn, layout, {**options}
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
        self.written_as = f"ad.{self.name.removesuffix('_at')}({target.fn.__name__}, ...)"
        if clash := next((p.name for p in parameters if p.name in self.tangents), None):
            refuse("AD410", f"`{self.name}` of `{target.fn.__name__}` cannot be differentiated",
                   f"its parameter `{clash}` is called like a tangent in generated code",
                   "give the parameter another name")  # fmt: skip
        own = list(parameters)
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

    def words(self) -> Words:
        """The names that a body may use beside the parameters."""
        return Words((*self.recipe.target.params, *self.tangents))

    def written(self, lines: list[str], own: Words, more: str = "") -> FunctionType:
        """The function of that body; `more` are functions in front of it."""
        assert isinstance(self.__signature__, inspect.Signature)
        head = own.head(self.__signature__)
        text = "\n".join([f"{more}def {self.__name__}{head}:", *(f"    {x}" for x in lines), ""])
        return load(text, self.__name__, own.objects)[self.__name__]

    def pushforward(
        self, kinds: Mapping[str, Kind], along: Mapping[str, str], own: Words
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
            value = self.fitting(n, along[n], kinds.get(n), kinds.get(along[n]), own)
            checks += value[0]
            # the tangent of what is written is written, too
            seed = f"{_duplicate(own)}({value[1]})" if n in version.written else value[1]
            seeds.append(f"{word}={seed}")
        forward = version.functions[0]
        call = f"{own.of(forward.__name__, forward)}({', '.join([self.passed(), *seeds])})"
        return version, checks, call

    def fitting(
        self, name: str, tangent: str, of: Kind | None, kind: Kind | None, own: Words
    ) -> tuple[list[str], str]:
        """The check that a tangent has the form of its primal, and what is passed on for it."""
        match of, kind:
            case Scalar(type="float"), Scalar(type="int" | "bool"):
                return [], f"1.0 * {tangent}"
            case Array(), Array():
                check = [f"{_same_shape(own)}({tangent}.shape, {name}.shape)"]
                whole = kind.dtype is not None and kind.dtype.startswith(("int", "uint", "bool"))
                return check, f"1.0 * {tangent}" if whole else tangent
            case (Array(dims=() | None), Scalar()) | (Scalar(), Array(dims=() | None)):
                refuse("AD409", f"`{self.name}` is not differentiated in this form",
                       f"of `{name}` and its tangent one is a number, and the other an array that "
                       "may have no axes")  # fmt: skip
            case (Array(), Scalar()) | (Scalar(), Array()):
                refuse("AD405", f"the tangent of `{name}` does not have its shape",
                       f"`{name}` is of kind {of}, its tangent of kind {kind}.")  # fmt: skip
            case _:
                return [], tangent

    def copies(self, version: Version, kinds: Mapping[str, Kind], own: Words) -> list[str]:
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
                found.append(f"{p} = {_duplicate(own)}({p})")
        return found


class Jvp(Mode):
    """`jvp(f, primals, tangents)`."""

    name = "jvp"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        own = self.words()
        _, checks, call = self.pushforward(kinds, self.along(), own)
        return self.written([*checks, f"return {call}"], own)


class _Slope(Mode):
    """A pushforward without the value."""

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        own = self.words()
        _, checks, call = self.pushforward(kinds, self.along(), own)
        return self.written([*checks, f"{own.y}, {own.y_dot} = {call}", f"return {own.y_dot}"], own)


class Hvp(_Slope):
    """`hvp(f, primals, tangents)`: the derivative of the gradient along a direction."""

    name = "hvp"
    again = True


class Vjp(Mode):
    """`vjp(f, *primals)`: the value, and the pullback with what it needs."""

    name = "vjp"
    keeps = True

    def compiled(self, kinds: Mapping[str, Kind], found: str) -> tuple[Version, str]:
        """The forward function and the pullback, and the tuple of gradients, as source."""
        given = {n: k for n, k in kinds.items() if n not in self.tangents}
        active = [n for n in self.wanted if _carries(kinds.get(n))]
        if not active:
            refuse("AD402", f"nothing in the arguments of `{self.__name__}` carries a derivative",
                   "there is no array and no number of floating point among them")  # fmt: skip
        self.version = version = self.recipe.dispatcher(tuple(active)).compile(given)
        at = {n: f"{found}[{k}]" for k, n in enumerate(active)} if len(active) > 1 else {}
        parts = [at.get(n, found) if n in active else "None" for n in self.wanted]
        return version, f"({', '.join(parts)},)"

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        own = self.words()
        version, gradients = self.compiled(kinds, own.found)
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        kind, back = version.compiled.facts.kinds.result, own[f"{self.__name__}_back"]
        check, shape = _seed_check(kind, own.y_bar, own.shape, own)
        text = "\n".join([
            f"def {back}({own.kept}, {own.y_bar}):",
            f"    {own.residuals}, {own.shape} = {own.kept}",
            *(f"    {c}" for c in check),
            f"    {own.found} = {pullback}({own.residuals}, {own.y_bar})",
            f"    return {gradients}\n\n\n",
        ])  # fmt: skip
        lines = [
            *self.copies(version, kinds, own),
            f"{own.y}, {own.residuals} = {forward}({self.passed()})",
            f"return {_own(own.y, kind, own)}, {back}, ({own.residuals}, "
            f"{f'{own.y}.shape' if shape else '()'})",
        ]
        return self.written(lines, own, text)


class VjpAt(Vjp):
    """`vjp(f, *primals)[1](y_bar)`."""

    name = "vjp_at"
    keeps = False

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        own = self.words()
        version, gradients = self.compiled(kinds, own.found)
        forward, pullback = (own.of(f.__name__, f) for f in version.functions)
        kind = version.compiled.facts.kinds.result
        lines = [
            f"{own.y}, {own.residuals} = {forward}({self.passed()})",
            *_seed_check(kind, "tangent_0", f"{own.y}.shape", own)[0],
            f"{own.found} = {pullback}({own.residuals}, tangent_0)",
            f"return {gradients}",
        ]
        return self.written(lines, own)


class Linearize(Mode):
    """`linearize(f, *primals)`: the value, and the pushforward at that point."""

    name = "linearize"
    keeps = True

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        along = {n: f"tangent_{k}" for k, n in enumerate(self.wanted)}
        params = self.recipe.target.params
        own = Words((*params, *along.values()))
        version, checks, call = self.pushforward(kinds, along, own)
        check_repeatable(version)
        linear = own[f"{self.__name__}_linear"]
        text = "\n".join([
            f"def {linear}({own.kept}, {', '.join(along.values())}):",
            f"    {', '.join(params)}, = {own.kept}",
            *(f"    {c}" for c in checks),
            f"    {own.y}, {own.y_dot} = {call}",
            f"    return {own.y_dot}\n\n\n",
        ])  # fmt: skip
        value = own.of("value_of", self.recipe.target.fn)
        lines = [
            *self.copies(version, kinds, own),
            f"return {value}({self.passed()}), {linear}, ({', '.join(params)},)",
        ]
        return self.written(lines, own, text)


class LinearizeAt(_Slope):
    """`linearize(f, *primals)[1](*tangents)`."""

    name = "linearize_at"


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


def _seed_check(kind: Kind, seed: str, shape: str, own: Words) -> tuple[list[str], bool]:
    """The check of a cotangent for a result of this kind, as source, and whether it needs the
    shape of that."""
    if isinstance(kind, Array):
        given = f"{own.of('shape_of', np.shape)}({seed})"  # of a number, where there are no axes
        return [f"{_same_shape(own)}({given}, {shape})"], True
    return ([f"{seed} = 1.0 * {seed}"] if isinstance(kind, Scalar) else []), False


def _own(y: str, kind: Kind, own: Words) -> str:
    """A result that the caller may change."""
    if isinstance(kind, Array):
        return f"{y}.copy()"
    return y if isinstance(kind, Scalar) else f"{_duplicate(own)}({y})"


def _duplicate(own: Words) -> str:
    return own.of("duplicate", runtime.duplicate)


def _same_shape(own: Words) -> str:
    return own.of("check_same_shape", runtime.check_same_shape)
