"""`np.vectorize` of a function of several results: an array for each of them.

>>> import adtrans as ad
>>> import numpy as np
>>> powers = np.vectorize(lambda s: (s * s, s**3))
>>> def f(x):
...     squares, cubes = powers(x)
...     return np.sum(squares) + np.sum(cubes)
>>> ad.grad(f)(np.array([1.0, 2.0]))
array([ 5., 16.])

Each has the derivative of a function that returns one of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import FunctionType
from typing import Any

import numpy as np

from adtrans.analyses.kinds.values import kind_of_default
from adtrans.diagnostics.errors import AdtransError
from adtrans.emit.load import load
from adtrans.handed.base import attachment, evaluation
from adtrans.handed.elements import Vectorized
from adtrans.ir.kinds import Kind, Scalar, TupleOf
from adtrans.ir.names import NameAllocator
from adtrans.rules import registry
from adtrans.rules.rule import Custom, Rule
from adtrans.runtime.failures import DerivativeError


def items_of(whole: Vectorized, kinds: Mapping[str, Kind]) -> tuple[bool, ...]:
    """Of each result whether it is a float; none where there is one result, or where these are no
    numbers for certain."""
    plain = [n for n in kinds if n not in whole.captured]
    renamed = dict(zip(whole.passed, (kinds[n] for n in plain), strict=False))
    given = whole.kinds_given({**renamed, **kinds})
    params = whole.recipe.target.params
    given.update({n: kinds[n] for n in whole.captured})
    if not set(given) <= set(params):
        return ()
    for p in whole.recipe.target.signature.parameters.values():
        if p.name not in given and p.default is not p.empty:
            given[p.name] = kind_of_default(p.default)
    try:
        version = whole.recipe.dispatcher(()).compile(given)
    except AdtransError:
        return ()  # it will be said where the function is differentiated
    result = version.compiled.facts.kinds.result
    if not isinstance(result, TupleOf) or not all(isinstance(k, Scalar) for k in result.items):
        return ()
    return tuple(isinstance(k, Scalar) and k.type == "float" for k in result.items)


class Several(Vectorized):
    """Such a function; `items`: of each result whether it is a float."""

    def __init__(self, fn: Any, otypes: Any, count: int, items: tuple[bool, ...]) -> None:
        super().__init__(fn, otypes, count)
        self.items = items

    def primitive(self, fn: Any, arguments: dict[str, Any], args: tuple[Any, ...]) -> Any:
        """Calls it, and sees to it that there are arrays of floats where they should be."""
        found = np.vectorize(fn, otypes=self.otypes)(*args)
        right = isinstance(found, tuple) and len(found) == len(self.items)
        if not right or any(f != (a.dtype.kind == "f")
                            for f, a in zip(self.items, found, strict=True)):  # fmt: skip
            raise DerivativeError(
                f"`np.vectorize` returns other arrays for `{self.fn.__name__}` than its results "
                "say: what it returns for the first element decides",
                code="AD601",
            )
        return found

    def item(self, k: int) -> Vectorized:
        """The function that returns one of the results."""
        given = self.recipe.target.params[: len(self.passed)]
        local = NameAllocator({*given, *self.captured})
        name, of = local.fresh(f"item_{k}"), local.fresh("results_of")
        head = [*given, *(["*"] if self.captured else []), *self.captured]
        passed = [*given, *(f"{n}={n}" for n in self.captured)]
        text = f"def {name}({', '.join(head)}):\n    return {of}({', '.join(passed)})[{k}]\n"
        return Vectorized(load(text, name, {of: self.fn})[name], None, len(self.passed))

    def function_for(self, kinds: Mapping[str, Kind]) -> FunctionType:
        """The same as one function, for arguments of these kinds."""
        stem = f"{self.__name__}_{self.recipe.target.fn.__code__.co_firstlineno}"
        stem += f"_{self.versions}" if self.versions else ""
        self.check_kinds(kinds)
        evaluate = evaluation(self, f"{stem}_evaluate")
        registry.add_object(evaluate, Rule(
            evaluate.__name__, "", "constant", impure=not self.is_pure(kinds),
            inert_ok=frozenset({"*"}), custom=Custom(evaluate, None, name=evaluate.__name__),
        ))  # fmt: skip
        names = ", ".join(self.params)
        objects: dict[str, Any] = {evaluate.__name__: evaluate}
        local = NameAllocator({*self.params, *objects})
        results = []
        found = local.fresh("found")
        for k, is_float in enumerate(self.items):
            if not is_float:
                results.append(f"{found}[{k}]")
                continue
            one = self.item(k)
            own = dict(zip(one.params, (kinds[n] for n in self.params if n in kinds), strict=True))
            one.pure_for[True].append(one.is_pure(own))
            attach = attachment(one, f"{stem}_item_{k}")
            one.attached(attach, attach.__name__, own)
            objects[attach.__name__] = attach
            results.append(f"{attach.__name__}({found}[{k}], {names})")
        head = ", ".join(self.names.values())
        if self.captured:
            head += (", " if head else "") + "*, " + ", ".join(self.captured)
        text = "\n".join([
            f"def {self.__name__}({head}):",
            f"    {found} = {evaluate.__name__}({names})",
            f"    return {', '.join(results)},\n",
        ])  # fmt: skip
        return load(text, self.__name__, objects)[self.__name__]
