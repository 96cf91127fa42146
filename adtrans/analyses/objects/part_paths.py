"""The texts that name a part of an argument: `self.Q`, `layers[0].w`, `nets['a'].b`.

>>> steps("nets['a.b'].layers[0].w")
('nets', "['a.b']", 'layers', '[0]', 'w')
>>> joined(steps('nets["a.b"].layers'))
"nets['a.b'].layers"
"""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable

from adtrans.analyses.objects.displays import is_item, name_of


@functools.lru_cache(4096)
def steps(path: str) -> tuple[str, ...]:
    """The parameter, and the attributes and items that lead on from there.

    Raises:
        ValueError: if `path` is no such text.
    """
    found: list[str] = []
    try:
        at: ast.expr = ast.parse(path.strip(), mode="eval").body
        while not isinstance(at, ast.Name):
            if isinstance(at, ast.Attribute):
                found.append(at.attr)
            elif isinstance(at, ast.Subscript):
                key = ast.literal_eval(at.slice)
                if not is_key(key):
                    raise ValueError("no key")
                found.append(name_of(key))
            else:
                raise ValueError("no name")
            at = at.value
    except (SyntaxError, ValueError):
        raise ValueError(f"`{path}` is no path to a part of an argument") from None
    return (at.id, *reversed(found))


def joined(parts: Iterable[str]) -> str:
    """The text of a path."""
    root, *others = parts
    return root + "".join(p if is_item(p) else f".{p}" for p in others)


def is_key(key: object) -> bool:
    """Whether the item under a key can be named."""
    return isinstance(key, int | str) and not isinstance(key, bool)
