"""What `np.vectorize` makes: a function of elements, or with a signature one of rows and matrices.

>>> import adtrans as ad
>>> halves = np.vectorize(lambda s: s / 2.0)
>>> ad.grad(lambda x: np.sum(halves(x) * x))(np.array([1.0, 3.0]))
array([1., 3.])
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

import numpy as np

from adtrans.handed.elements import Vectorized
from adtrans.handed.several import Several, items_of
from adtrans.handed.vectorized_signatures import BySignature, ranks
from adtrans.ir.kinds import Kind


class _VectorizedCall:
    """`np.vectorize(f)`, of which it is known when it is called how many arguments there are.

    What a call leaves out is no operand: the function has the default itself, of whatever kind.
    """

    stands_in = True
    keeps_defaults = True

    def __init__(self, fn: Any, otypes: Any, signature: str | None) -> None:
        self.fn, self.otypes, self.signature = fn, otypes, signature
        self.versions = 0
        whole = Vectorized(fn, otypes, 0)
        self.captured = whole.captured
        self.__differentiates__ = whole.__differentiates__
        self.__name__ = whole.__name__
        self.__signature__ = whole.recipe.target.public_signature()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        held = {n: kwargs.pop(n) for n in self.captured}
        fn = partial(self.fn, **held) if held else self.fn
        return np.vectorize(fn, otypes=self.otypes, signature=self.signature)(*args, **kwargs)

    def of(self, count: int) -> Vectorized:
        """The function for so many arguments."""
        if self.signature is None:
            return Vectorized(self.fn, self.otypes, count)
        return BySignature(self.fn, self.otypes, self.signature, count)

    def function_for(self, kinds: Mapping[str, Kind]) -> Any:
        """The function for arguments of these kinds."""
        inner = self.of(len(kinds) - len(self.captured))
        inner.versions = self.versions
        self.versions += 1
        plain = [n for n in kinds if n not in inner.captured]
        if self.signature is None and (items := items_of(inner, kinds)):
            inner = Several(self.fn, self.otypes, len(plain), items)
            inner.versions = self.versions
        renamed = dict(zip(inner.passed, (kinds[n] for n in plain), strict=True))
        return inner.function_for({**renamed, **{n: kinds[n] for n in inner.captured}})


def vectorized(
    pyfunc: Any, otypes: Any = None, doc: Any = None, excluded: Any = None, cache: bool = False,
    signature: Any = None,
) -> Any:  # fmt: skip
    """What stands for `np.vectorize`; None for a form of it that is not differentiated."""
    if excluded is not None or cache or not callable(pyfunc):
        return None
    if signature is not None and (not isinstance(signature, str) or ranks(signature) is None):
        return None
    if isinstance(otypes, tuple):
        otypes = list(otypes)
    return _VectorizedCall(pyfunc, otypes, signature)
