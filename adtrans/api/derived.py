"""Functions made from others by differentiation, and the recipes that they are made by.

>>> from adtrans.driver.options import Options
>>> recipe_of(abs, Options()).target.params
('x',)
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable
from types import FunctionType
from typing import Any

from adtrans.arguments.inputs import refuse, target_of
from adtrans.diagnostics.errors import InputError
from adtrans.dispatch.recipes import Family, Recipe, primitive
from adtrans.dispatch.spelled_calls import collected, collecting, spelled
from adtrans.driver.options import Options, Wrt
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.ir.kinds import Kind


def recipe_of(fn: object, options: Options, *, method: bool = False) -> Recipe:
    """The recipe for a callable; what was compiled for the same function before is found again."""
    if isinstance(fn, Derived):
        return Recipe(fn, fn.recipe.target, options, fn.family, fn.function_for)
    origin, fn = fn, primitive(fn)
    target = target_of(fn, method=method)
    family = target.fn.__dict__.get("__adtrans__")
    if not isinstance(family, Family) or family.fn is not target.fn:
        family = target.fn.__dict__["__adtrans__"] = Family(target.fn)
    return Recipe(origin, target, options, family)


def callee(recipe: Recipe) -> Any:
    """What is called with the values of all parameters, where a function is recorded."""
    return recipe.origin if isinstance(recipe.origin, Derived) else recipe.target.fn


def as_called(recipe: Recipe, wrt: Wrt, count: int, keywords: Iterable[str]) -> Recipe:
    """The recipe for a call with so many arguments by position and these by name."""
    chosen = recipe.options.wrt if wrt is None else wrt
    if not collected(recipe.target, recipe.origin, chosen, count):
        return recipe
    return recipe_of(_spelled(recipe.origin, count, tuple(keywords)), recipe.options)


def _spelled(origin: object, count: int, keywords: tuple[str, ...]) -> object:
    if isinstance(origin, Derived):
        return origin.for_call(count, keywords)
    found = spelled(origin, count, keywords)
    if found is None:
        refuse("AD403", "the arguments are not those that the function is said to have",
               f"{inspect.signature(origin)}.")  # type: ignore[arg-type]  # fmt: skip
    return found


class OtherOrder(InputError):
    """There is no function that does the same as this derivative; its tangents can be had."""


class Derived:
    """A function made from another one by differentiation, with the same parameters.

    What it does with arguments of certain kinds can be had as plain source (`function_for`), to be
    differentiated again. `single`: whether one parameter was selected, and not a tuple.
    """

    __name__: str
    reads_only = True  # as no derivative writes into what it is given
    recorded_as = "rewritten"  # a call in recorded code: what it computes is recorded, too

    def __init__(self, recipe: Recipe, wrt: Wrt, has_aux: bool, what: str, noun: str) -> None:
        self.recipe, self.has_aux = recipe, has_aux
        self.__differentiates__ = recipe.target.fn
        chosen = recipe.options.wrt if wrt is None else wrt
        self.collects = collected(recipe.target, recipe.origin, chosen)
        self.shapes: dict[tuple[int, tuple[str, ...]], Any] = {}
        self.wrt = collecting(recipe.target) if self.collects else recipe.select(wrt)
        self.single = len(self.wrt) == 1 and not isinstance(chosen, tuple)
        params = recipe.target.params
        self.at = tuple(params.index(n) if n in params else -1 for n in self.wrt)
        fn = recipe.target.fn
        of: str = (recipe.origin if isinstance(recipe.origin, Derived) else fn).__name__
        self.__name__ = f"{what}_of_{of}"
        self.__qualname__ = self.__name__
        self.__module__ = fn.__module__
        by = ", ".join(f"`{name}`" for name in self.wrt)
        self.__signature__ = recipe.target.public_signature()
        self.family = recipe.family.of(what, recipe.options, self.wrt, self.single, has_aux)
        self.__doc__ = f"The {noun} of `{of}` with respect to {by}."

    def __repr__(self) -> str:
        by = self.wrt[0] if self.single else f"({', '.join(self.wrt)})"
        return f"<{self.__name__}{self.__signature__}, wrt {by}>"

    def function_for(self, kinds: dict[str, Kind]) -> FunctionType:
        """One function that does the same for arguments of these kinds."""
        raise NotImplementedError

    def for_call(self, count: int, keywords: tuple[str, ...]) -> Any:
        """The same for the arguments of a call, of a function that collects those selected."""
        key = count, keywords
        if key not in self.shapes:
            remake, (origin, *rest) = self.__reduce__()
            self.shapes[key] = remake(_spelled(origin, count, keywords), *rest)
        return self.shapes[key]

    def __reduce__(self) -> tuple[Any, ...]:
        raise NotImplementedError

    def again(self) -> str:
        """The arguments of a call that passes all parameters on, as source.

        Raises:
            InputError: AD410, where they are collected.
        """
        parameters = self.recipe.target.signature.parameters.values()
        if self.collects:
            refuse("AD410", f"`{self.__name__}` cannot be differentiated again",
                   "it collects the arguments it is by, and how many there are is not known",
                   "give it a parameter for each")  # fmt: skip
        if any(p.kind is p.VAR_KEYWORD for p in parameters):
            refuse(
                "AD410",
                f"`{self.__name__}` cannot be differentiated again",
                "it collects arguments by their names: `**kwargs`",
            )
        forms: dict[object, str] = {
            inspect.Parameter.KEYWORD_ONLY: "{0}={0}",
            inspect.Parameter.VAR_POSITIONAL: "*{0}",
        }
        return ", ".join(forms.get(p.kind, "{0}").format(p.name) for p in parameters)

    def words(self) -> Words:
        """The names that a body may use beside the parameters."""
        return Words(p.name for p in self.recipe.target.signature.parameters.values())

    def written(self, lines: list[str], own: Words) -> FunctionType:
        """The function of that body, with the parameters of the original."""
        name = re.sub(r"\W", "", self.__name__)
        head = own.head(self.recipe.target.signature)
        text = "\n".join([f"def {name}{head}:", *(f"    {line}" for line in lines)]) + "\n"
        return load(text, name, own.objects)[name]
