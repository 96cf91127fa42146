"""Names for generated variables: readable, deterministic, clear of everything that is taken.

>>> names = NameAllocator({"x_bar"})
>>> names.fresh("t"), names.fresh("t"), names.fresh("x_bar"), names.fresh("lambda")
('t', 't_2', 'x_bar_2', 'lambda_2')
"""

from __future__ import annotations

import builtins
import keyword
import re
import unicodedata
from collections.abc import Iterable

# `_`, `match` and the like are ordinary names to Python, but not to a reader.
_NEVER = frozenset(keyword.kwlist) | frozenset(keyword.softkwlist) | frozenset(dir(builtins))


class NameAllocator:
    """Hands out each name once.

    `reserved`: names that are taken from the start (those of the user's function, say), also under
    which variables such as `t@2` are written.

    >>> NameAllocator({"t@2"}).fresh("t")
    't_2'
    """

    def __init__(self, reserved: Iterable[str] = ()) -> None:
        self._taken = {n for name in reserved for n in (name, name.partition("@")[0])}
        self._next: dict[str, int] = {}  # the lowest number that may be free, by stem

    def reserve(self, names: Iterable[str]) -> None:
        """Marks more names as taken."""
        self._taken.update(n for name in names for n in (name, name.partition("@")[0]))

    def is_taken(self, name: str) -> bool:
        """Whether something has this name."""
        return name in self._taken

    def is_free(self, name: str) -> bool:
        """Whether `name` is an identifier that nothing else uses."""
        return name.isidentifier() and name not in self._taken and name not in _NEVER

    def fresh(self, hint: str) -> str:
        """`hint` made an identifier, with a number when it is taken; taken from now on.

        >>> NameAllocator({"t_2"}).fresh("t_2"), NameAllocator().fresh("u@2")
        ('t_3', 'u')
        """
        base = _identifier(hint)
        candidate, number = base, 2
        numbered = re.fullmatch(r"(.*[^_\d])_([1-9]\d*)", base)
        if numbered and not self.is_free(candidate):
            base, number = numbered[1], int(numbered[2]) + 1
            candidate = f"{base}_{number}"
        number = max(number, self._next.get(base, 2))
        while not self.is_free(candidate):
            candidate = f"{base}_{number}"
            number += 1
            self._next[base] = number
        self._taken.add(candidate)
        return candidate


def plain_name(name: str) -> str:
    """The name of a function without the underscores of a special method.

    >>> plain_name("__init__"), plain_name("_own")
    ('init', '_own')
    """
    special = name.startswith("__") and name.endswith("__")
    return name.strip("_") or name if special else name


def _identifier(hint: str) -> str:
    text = unicodedata.normalize("NFKC", hint.partition("@")[0])  # as Python reads identifiers
    text = re.sub(r"\W", "_", text)
    candidates = (text, f"_{text}") if text.strip("_") else ()
    return next((c for c in candidates if c.isidentifier()), "t")
