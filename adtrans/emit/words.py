"""The own names of a text that is written by hand around parameters of the user's.

Such a text has variables, and calls functions, beside parameters that may be called anything. Each
name of its own is taken as an attribute of `Words`: it is clear of the parameters.

>>> own = Words(("y", "np"))
>>> own.y, own.y, own.residuals
('y_2', 'y_2', 'residuals')
>>> own.of("np", 1), own.objects
('np_2', {'np_2': 1})
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Iterable

from adtrans.ir.names import NameAllocator


class Words:
    """Names for the variables of one text, and for the `objects` that it uses."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._names = NameAllocator(taken)
        self._known: dict[str, str] = {}
        self.objects: dict[str, object] = {}

    def __getattr__(self, word: str) -> str:
        """The name for a variable: the same one each time."""
        if word.startswith("__"):
            raise AttributeError(word)
        return self[word]

    def __getitem__(self, word: str) -> str:
        """The same for words that are put together."""
        if word not in self._known:
            self._known[word] = self._names.fresh(word)
        return self._known[word]

    def of(self, word: str, obj: object) -> str:
        """The name under which the text finds an object."""
        name = self[word]
        self.objects[name] = obj
        return name

    def head(self, signature: inspect.Signature) -> str:
        """The parameters of the text with their defaults, which are written out or named.

        >>> Words(("x", "k")).head(inspect.signature(lambda x=[], k=2: x))
        '(x=x_default, k=2)'
        """
        return str(inspect.Signature([
            p.replace(annotation=p.empty, default=self._default(p))
            for p in signature.parameters.values()
        ]))  # fmt: skip

    def _default(self, p: inspect.Parameter) -> object:
        if p.default is p.empty or type(p.default) in (int, bool, str, type(None)):
            return p.default
        if type(p.default) is float and math.isfinite(p.default):
            return p.default
        return _Named(self.of(f"{p.name}_default", p.default))


class _Named:
    """What a signature shows as a name."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __repr__(self) -> str:
        return self.name
