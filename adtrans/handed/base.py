"""What is made of a primitive and the function that it is handed.

    quad(f, a, b, args=(p,))   ->   quad_of_f(a, b, p)

    def quad_of_f(a, b, args_0):
        found = evaluate(a, b, args_0)                    # the primitive itself: a constant
        return attach(found[0], a, b, args_0), found[1]   # the same number, with its derivative

`evaluate` calls the primitive as the user does. `attach` has a rule, whose pullback runs the
compiled derivative of `f` (compare `checkpoints`). As there, `f` must do nothing beside computing
its result.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from types import FunctionType
from typing import Any, ClassVar

import numpy as np

from adtrans.analyses.analyse import Question
from adtrans.api.checkpoints import check_repeatable, not_again
from adtrans.api.derived import recipe_of
from adtrans.api.gradients import Gradient
from adtrans.api.pullbacks import differentiable
from adtrans.api.pushforwards import push
from adtrans.api.user_rules import Given, declare
from adtrans.arguments.cotangents import conform
from adtrans.arguments.inputs import refuse
from adtrans.dispatch.compiled_version import Version
from adtrans.dispatch.flattened_arguments import Made, with_parts
from adtrans.dispatch.recipes import Recipe, plain_name
from adtrans.driver.options import Options
from adtrans.driver.program import Program
from adtrans.emit.load import load
from adtrans.handed.delegating import delegating
from adtrans.ir.kinds import UNKNOWN, Container, Instance, Kind, ListOf, Scalar, TupleOf, Unknown
from adtrans.ir.names import NameAllocator
from adtrans.lower.collected import for_call
from adtrans.rules import registry
from adtrans.rules.formula import is_seed
from adtrans.rules.registry import resolve
from adtrans.rules.rule import Custom, Rule
from adtrans.source.reach import asks_identity, codes, reached_by_any

_INTERNAL = frozenset({  # names of the texts that are made here
    "fn", "found", "np", "other", "residuals", "seed", "value", "y", "y_bar",
})  # fmt: skip
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD
_KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Handed:
    """A primitive with its function. `layout`: what the arguments are, in their order; `args.0` is
    the first of those that are passed on to the function, `**` a dictionary of options. Variables
    that the function captures have become keyword parameters of it.

    `fixed`: what the function is given by the primitive, before `args`; `stub`: an expression of
    the kind of the result, over the parameters; `solution`: where it is in what the primitive
    returns; `rest`: what else is returned; `inert`: arguments whose derivative is zero.
    """

    makes_functions: ClassVar[bool] = False
    reads_only: ClassVar[bool] = True  # what it is given, as SciPy does
    fixed: ClassVar[int] = 1
    function: ClassVar[str] = "f"
    solution: ClassVar[str] = "found"
    rest: ClassVar[str] = ""
    stub: ClassVar[str] = "1.0"
    inert: ClassVar[tuple[str, ...]] = ()

    def __init__(self, spelling: str, fn: Any, layout: str) -> None:
        self.layout, self.whole = tuple(layout.split()), fn
        given = sum(part.startswith("args.") for part in self.layout)
        if isinstance(fn, FunctionType):  # `*args` of it are those that are passed on
            fn = for_call(fn, self.fixed + given, (), {})
        self.spelling, self.fn = spelling, fn
        self.run: Any = fn  # what the primitive calls
        self.recipe: Recipe = recipe_of(fn, Options())
        parameters = self.recipe.target.signature.parameters.values()
        self.captured = tuple(
            p.name for p in parameters if p.kind is _KEYWORD and p.default is p.empty
        )
        needed = [p for p in parameters if p.kind is not _KEYWORD and p.default is p.empty]
        ordinary = [p for p in needed if p.kind is not inspect.Parameter.VAR_POSITIONAL]
        told = "args" not in self.layout and spelling.startswith("scipy.")
        if told and len(ordinary) > self.fixed + given:
            refuse("AD409", f"`{spelling}` cannot be differentiated in this form",
                   f"its function has a default for `{ordinary[-1].name}` that is computed",
                   "pass it by `args=`")  # fmt: skip
        taken = {*self.captured, *_INTERNAL}
        self.names: dict[str, str] = {}  # the parameter for each part of the layout
        for part in self.layout:
            name = "options" if part == "**" else self.called(part)
            while name in taken or is_seed(name):
                name += "_"
            taken.add(name)
            self.names[part] = name
        self.params = (*self.names.values(), *self.captured)
        self.formal = {n: n for n in self.names.values()}  # what is written in generated text
        for n in self.captured:
            name = n
            while is_seed(name) or (name in taken and (name != n or name in _INTERNAL)):
                name += "_"
            taken.add(name)
            self.formal[n] = name
        self.passed = tuple(n for part, n in self.names.items() if part.startswith("args."))
        self.__name__ = f"{spelling.rpartition('.')[2]}_of_{plain_name(fn)}"
        self.__differentiates__ = self.recipe.target.fn
        self.versions = 0
        self.by_parts: dict[object, Any] = {}
        # of what is not known yet it cannot be said: that counts where nothing else is told
        self.pure_for: dict[bool, list[bool]] = {False: [], True: []}
        self.__signature__ = inspect.Signature([
            *(inspect.Parameter(n, _POSITIONAL) for n in self.names.values()),
            *(inspect.Parameter(n, _KEYWORD) for n in self.captured),
        ])  # fmt: skip

    def called(self, part: str) -> str:
        """What a part of the layout is called."""
        return part.replace(".", "_")

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self.__signature__.bind(*args, **kwargs).arguments
        found = self.taken_apart(self.evaluate(*(given[n] for n in self.params)))
        parts = f"{self.solution}, {self.rest}" if self.rest else self.solution
        text = f"def parts_of(found):\n    return {parts}\n"
        return load(text, "parts_of", {"np": np})["parts_of"](found)

    # -- what it is made for -------------------------------------------------------------------

    def parameters_of(self) -> tuple[Any, dict[str, str]]:
        """The function that is handed over, and its parameters by those of ours."""
        given = self.recipe.target.params[self.fixed :]
        return self.run, {**dict(zip(self.passed, given, strict=False)),
                          **{n: n for n in self.captured}}  # fmt: skip

    def in_parts_of(self, made: dict[str, Made]) -> Any:
        """The same for what some parameters are made of."""
        key = tuple(sorted(made.items(), key=lambda item: item[0]))
        if key not in self.by_parts:
            formal = self.parameters_of()[1]
            params = self.recipe.target.params[: self.fixed + len(self.passed)]
            fn, parts = with_parts(
                self.run, params, self.captured, {formal[n]: m for n, m in made.items()}
            )
            layout = [p for p in self.layout if self.names[p] not in made]
            other = type(self)(self.spelling, fn, " ".join(layout))
            self.by_parts[key] = other, {n: [*parts[formal[n]].items()] for n in made}
        return self.by_parts[key]

    # -- the primitive -------------------------------------------------------------------------

    def evaluate(self, *values: Any) -> Any:
        """What the primitive returns."""
        table = dict(zip(self.params, values, strict=True))
        held = {n: table[n] for n in self.captured}

        def handed(*given: Any) -> Any:
            return self.run(*given, **held)

        return self.primitive(self.run if not held else handed, self.options(table),
                              tuple(table[n] for n in self.passed))  # fmt: skip

    def taken_apart(self, found: Any) -> Any:
        """What generated code is given of it: `solution` and `rest` are read of that."""
        return found

    def options(self, table: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of the primitive itself."""
        plain = {p: table[n] for p, n in self.names.items() if not p.startswith(("args.", "**"))}
        return {**plain, **table.get(self.names.get("**", ""), {})}

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it."""
        if args:
            arguments["args"] = args
        call: Any = resolve(self.spelling)
        return call(**{self.function: fn}, **arguments)

    # -- as source -----------------------------------------------------------------------------

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        """The same as one function, for arguments of these kinds."""
        # a name means one thing in generated code, where there may be several such functions
        stem = f"{self.__name__}_{self.recipe.target.fn.__code__.co_firstlineno}"
        stem += f"_{self.versions}" if self.versions else ""
        self.versions += 1
        evaluate, attach = _Evaluate(self, f"{stem}_evaluate"), _Attach(stem, self)
        apart = delegating(self, kinds)
        if apart is not None:
            self.is_pure(kinds)  # what it writes is seen here
            return apart
        self.check_kinds(kinds)
        pure = self.is_pure(kinds)
        given = (kinds.get(self.formal[n], UNKNOWN) for n in (*self.passed, *self.captured))
        self.pure_for[any(isinstance(kind, Unknown) for kind in given)].append(pure)
        names = ", ".join(self.params)
        self.attached(attach, stem, kinds)
        own = Rule(f"{stem}_evaluate", "", "constant", impure=not pure, inert_ok=frozenset({"*"}),
                   custom=Custom(evaluate, None, name=f"{stem}_evaluate"))  # fmt: skip
        registry.add_object(evaluate, own)
        head = ", ".join(self.names.values())
        if self.captured:
            head += (", " if head else "") + "*, " + ", ".join(self.captured)
        local = NameAllocator(self.params)
        found, value = local.fresh("found"), local.fresh("value")
        whole, rest = (s.replace("found", found, 1) for s in (self.solution, self.rest))
        text = "\n".join([
            f"def {self.__name__}({head}):",
            f"    {found} = {evaluate.__name__}({names})",
            f"    {value} = {stem}({whole}, {names})",
            f"    return {f'{value}, {rest}' if rest else value}\n",
        ])  # fmt: skip
        objects = {evaluate.__name__: evaluate, stem: attach, "np": np}
        return load(text, self.__name__, objects)[self.__name__]

    def attached(self, attach: Any, stem: str, kinds: Mapping[str, Kind]) -> None:
        """Declare the derivative of what is returned, for arguments of these kinds."""
        formals = ", ".join(self.formal.values())
        active = [n for p, n in self.names.items() if self.carries(p)]
        active += [n for n in self.captured if not isinstance(kinds.get(n), Instance)]
        inert = (self.names[p] for p in self.layout if p in (*self.inert, "**"))
        stub = load(f"def {stem}_kind(value, {formals}):\n    return {self.kind(kinds)}\n",
                    f"{stem}_kind", {"np": np})  # fmt: skip
        declare(attach, f"(value, {formals})", Given(
            pullback=_Pullback(self, tuple(active)), pushforward=_Pushforward(self, tuple(active)),
            wrt=tuple(self.formal[n] for n in active), inert=("value", *inert),
            of=stub[f"{stem}_kind"],
        ))  # fmt: skip

    def check_kinds(self, kinds: Mapping[str, Kind]) -> None:
        """Refuse tuples, dictionaries and lists of arrays among what the function is given."""
        for n in (*self.passed, *self.captured):
            kind = kinds.get(n)
            numbers = isinstance(kind, ListOf) and isinstance(kind.item, Scalar)
            if isinstance(kind, TupleOf | Container) and not numbers:
                refuse("AD409", f"`{self.spelling}` cannot be differentiated in this form",
                       f"its function is given `{n}`, which is no number and no array",
                       "give it the items by themselves")  # fmt: skip

    def is_pure(self, kinds: Mapping[str, Kind]) -> bool:
        """Whether the function does nothing but compute.

        One that writes what it is given, or what outlives it, is refused: the primitive calls it
        out of sight.
        """
        target = recipe_of(self.fn, Options()).target
        arrays = [n for n in (*self.passed, *self.captured)
                  if not isinstance(kinds.get(self.formal[n]), Scalar)]  # fmt: skip
        looked_at = (c for f in reached_by_any(target.fn) for c in codes(f.__code__))
        if len(arrays) > 1 and any(map(asks_identity, looked_at)):
            refuse("AD409", f"`{self.spelling}` cannot be differentiated in this form",
                   f"its function `{target.fn.__name__}` asks which object something is, and its "
                   "derivative is given others", "compare what they hold")  # fmt: skip
        given = dict(zip(target.params[self.fixed :], self.passed, strict=False))
        given |= {n: n for n in self.captured}
        known = {p: kinds.get(self.formal[n], UNKNOWN) for p, n in given.items()}
        params = {p: known.get(p, UNKNOWN) for p in target.params} | self.kinds_given(kinds)
        program = Program(Options(), NameAllocator())
        member = program.member(target.fn, Question(params, ()))
        facts = member.facts
        assert facts is not None
        outside = (o for o in facts.memory.written if o.form in ("param", "held", "global"))
        named = {o.key.rpartition(".")[2]: o.form for o in outside}
        for name in sorted(n for n in named if not isinstance(params.get(n), Scalar)):
            if isinstance(params.get(name), Instance):
                refuse("AD409", f"`{self.spelling}` cannot be differentiated in this form",
                       f"its function `{target.fn.__name__}` is given `{name}`, an object that it "
                       "does not only read, or that cannot be followed here",
                       "give it what it reads: numbers, arrays, and tuples of these")  # fmt: skip
            what = "a list or dictionary" if named[name] == "held" else f"`{name}`"
            refuse("AD409", f"`{self.spelling}` cannot be differentiated in this form",
                   f"its function `{target.fn.__name__}` writes {what}, which others see",
                   "write into an array that the function makes")  # fmt: skip
        return member.unit.summary.repeatable and not member.unit.summary.assigns

    def kinds_given(self, kinds: Mapping[str, Kind]) -> dict[str, Kind]:
        """The kinds of what the primitive itself gives to the function, where they are known."""
        return {}

    def carries(self, part: str) -> bool:
        """Whether an argument of the primitive carries a derivative."""
        return part.startswith("args.")

    def kind(self, kinds: Mapping[str, Kind]) -> str:
        """An expression of the kind of the result."""
        return self.stub

    # -- derivatives ---------------------------------------------------------------------------

    def version(
        self, table: Mapping[str, Any], fixed: tuple[Any, ...], active: tuple[str, ...]
    ) -> tuple[Version, tuple[Any, ...], dict[str, Any], tuple[str, ...]]:
        """The compiled function for what it is given: `fixed` by the primitive, then `args`; the
        arguments of a call, and its parameters that are differentiated, all of ours by name."""
        target = self.recipe.target
        given = (*fixed, *(table[n] for n in self.passed))
        values = target.arguments(given, {n: table[n] for n in self.captured})
        wanted = [n for n in target.params[: self.fixed] if n in self.by_primitive]
        outer = dict(zip(self.passed, target.params[self.fixed :], strict=False))
        wanted += [outer.get(n, n) for n in active]
        names = differentiable(target, values, tuple(wanted))
        version = self.recipe.dispatcher(names).version(values)
        check_repeatable(version, self.spelling)
        positional, keywords = target.call_form(values)
        return version, positional, keywords, names

    def check_pure(self) -> None:
        """Refuse a function that does something, before it is run again."""
        if not all(self.pure_for[False] or self.pure_for[True]):
            raise not_again(recipe_of(self.fn, Options()).target.fn, self.spelling)

    def tangent(
        self, table: Mapping[str, Any], fixed: tuple[Any, ...], dots: Mapping[str, Any]
    ) -> Any:
        """The tangent of what the function returns; `dots` by its parameters and by ours."""
        target = self.recipe.target
        given = (*fixed, *(table[n] for n in self.passed))
        values = target.arguments(given, {n: table[n] for n in self.captured})
        outer = dict(zip(self.passed, target.params[self.fixed :], strict=False))
        inner = {outer.get(n, n): dot for n, dot in dots.items()}
        names = differentiable(target, values, tuple(inner))
        by_name = dict(zip(target.params, values, strict=True))
        forms = {n: conform(inner[n], by_name[n]) for n in target.params if n in names}
        if names and not isinstance(self.recipe.origin, Gradient):
            pushforward = self.recipe.dispatcher(names, "pushforward").version(values)
            check_repeatable(pushforward, self.spelling)
        else:
            self.check_pure()
        return _whole(*push(self.recipe, values, forms))

    @property
    def by_primitive(self) -> tuple[str, ...]:
        """The parameters of the function whose derivative is needed although they are made by the
        primitive."""
        return self.recipe.target.params[: self.fixed]

    def ours(self, bars: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
        """Adjoints by the names of our parameters."""
        outer = dict(zip(self.passed, self.recipe.target.params[self.fixed :], strict=False))
        found = {n: bars.get(outer.get(n, n)) for n in (*self.passed, *self.captured)}
        return {n: conform(b, like[n]) for n, b in found.items() if b is not None}

    def pulled(self, y_bar: Any, y: Any, table: Mapping[str, Any], active: tuple[str, ...]
               ) -> dict[str, Any]:  # fmt: skip
        """Adjoints of our parameters, by name; one that is missing is zero."""
        raise NotImplementedError

    def pushed(self, dots: Mapping[str, Any], y: Any, table: Mapping[str, Any]) -> Any:
        """The tangent of the result: by default the pullback, once for each number of it."""
        basis = np.eye(np.size(y)).reshape((np.size(y), *np.shape(y)))
        total = np.zeros(np.size(y))
        for k, row in enumerate(basis):
            seed = row if np.ndim(y) else 1.0
            bars = self.pulled(seed, y, table, tuple(dots))
            moving = (n for n in bars if n in dots and np.any(dots[n]))
            total[k] = sum(float(np.sum(np.asarray(bars[n]) * dots[n])) for n in moving)
        return total.reshape(np.shape(y)) if np.ndim(y) else total[0]


class _Evaluate:
    """The primitive as generated code calls it."""

    def __init__(self, handed: Handed, name: str) -> None:
        self.handed, self.__name__ = handed, name
        self.runs_again = handed.recipe.target.fn

    def __call__(self, *values: Any) -> Any:
        return self.handed.taken_apart(self.handed.evaluate(*values))


class _Attach:
    """Its first argument, with the derivative of the primitive."""

    def __init__(self, name: str, handed: Handed) -> None:
        self.__name__ = name
        self.stands_for = f"`{handed.spelling}`"

    def __call__(self, value: Any, *values: Any) -> Any:
        return value


def evaluation(handed: Handed, name: str) -> Any:
    """The primitive as generated code calls it."""
    return _Evaluate(handed, name)


def attachment(handed: Handed, name: str) -> Any:
    """What is called with what a primitive returns, and has its derivative."""
    return _Attach(name, handed)


class _Pullback:
    """The pullback of `attach`."""

    def __init__(self, handed: Handed, active: tuple[str, ...]) -> None:
        self.handed, self.active = handed, active
        self.runs_again = handed.recipe.target.fn
        self.__signature__ = _signature("y_bar", "y", *handed.formal.values())
        if hasattr(handed, "pullback_for"):
            self.function_for: Callable[[Mapping[str, Kind]], FunctionType] = self.again

    def __call__(self, y_bar: Any, y: Any, *values: Any) -> tuple[Any, ...]:
        table = dict(zip(self.handed.params, values, strict=True))
        found = self.handed.pulled(y_bar, y, table, self.active)
        return tuple(found.get(n) for n in self.active)

    def again(self, kinds: Mapping[str, Kind]) -> FunctionType:
        """The same as one function, to be differentiated in its turn."""
        made: FunctionType = self.handed.pullback_for(kinds, self.active)  # type: ignore[attr-defined]  # some have it
        return made


class _Pushforward:
    """The pushforward of `attach`."""

    def __init__(self, handed: Handed, active: tuple[str, ...]) -> None:
        self.handed, self.active = handed, active
        dots = (f"{handed.formal[n]}_dot" for n in active)
        self.__signature__ = _signature(*dots, "y", *handed.formal.values())

    def __call__(self, *given: Any) -> Any:
        n = len(self.active)
        table = dict(zip(self.handed.params, given[n + 1 :], strict=True))
        dots = dict(zip(self.active, given[:n], strict=True))
        return self.handed.pushed(dots, given[n], table)


class Maker:
    """`quad_of`: makes the function for a function and a layout."""

    makes_functions = True

    def __init__(self, made: type[Handed], spelling: str) -> None:
        self.made, self.spelling = made, spelling

    def __call__(self, fn: Any, layout: str) -> Handed | None:
        return self.made(self.spelling, fn, layout) if callable(fn) else None


def _whole(value: Any, dot: Any) -> Any:
    """A tangent with zeros for what has none: ints, which are numbers like others here."""
    if dot is None:
        return np.zeros(np.shape(value)) if np.ndim(value) else 0.0
    if isinstance(dot, list | tuple):
        return [_whole(v, d) for v, d in zip(value, dot, strict=True)]
    return dot


def _signature(*names: str) -> inspect.Signature:
    return inspect.Signature([inspect.Parameter(n, _POSITIONAL) for n in names])
