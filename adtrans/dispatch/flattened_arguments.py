"""A function of tuples and dictionaries, as one that is given their items.

quad_of_g(a, b, p=p)   ->   quad_of_g(a, b, p_k=p["k"])

    def g(t, *, p_k):
        p = {"k": p_k}
        return handed(t, p=p)

Its derivative is one by numbers and arrays then.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType
from typing import Any, TypeAlias

from adtrans.emit.load import load
from adtrans.emit.words import Words

Path: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Made:
    """What a value is made of: `cls` is `tuple`, a class of named tuples, or `dict`; None stands
    for a part that is taken as it is."""

    cls: type
    parts: tuple[tuple[object, Made | None], ...]

    def leaves(self, before: Path = ()) -> Iterator[Path]:
        """How the parts are reached that are taken as they are."""
        for key, part in self.parts:
            path = (*before, key)
            if part is None:
                yield path
            else:
                yield from part.leaves(path)

    def read(self, of: str, path: Path) -> str:
        """The expression for a part of `of`."""
        found, at = of, self
        for key in path:
            found += f"[{key!r}]" if at.cls in (tuple, dict) else f".{key}"
            at = dict(at.parts)[key] or at
        return found


def with_parts(
    fn: Any,
    positional: tuple[str, ...],
    keywords: tuple[str, ...],
    forms: Mapping[str, Made],
) -> tuple[FunctionType, dict[str, dict[Path, str]]]:
    """`fn`, of these parameters, as a function that is given the parts of those in `forms`, by
    keyword; and the names of the parts."""
    own = Words({*positional, *keywords})
    lines: list[str] = []
    names: dict[str, dict[Path, str]] = {}
    for n, form in forms.items():
        names[n] = {p: own["_".join((n, *map(word, p)))] for p in form.leaves()}
        lines += making(n, form, (), names[n], own)
    handed = own.of("handed", fn)
    code = getattr(fn, "__code__", None)
    line = "" if code is None else f"_{code.co_firstlineno}"
    stem = str(getattr(fn, "__name__", "f"))
    name = own[f"{stem if stem.isidentifier() else 'inner'}{line}"]
    given = [*positional, *(f"{n}={n}" for n in keywords)]
    left = [n for n in positional if n not in forms]
    extra = [n for n in keywords if n not in forms]
    extra += [n for by_path in names.values() for n in by_path.values()]
    head = ", ".join([*left, *(["*", *extra] if extra else [])])
    text = f"def {name}({head}):\n    " + "\n    ".join([
        *lines, f"return {handed}({', '.join(given)})"
    ]) + "\n"  # fmt: skip
    return load(text, name, own.objects)[name], names


def word(key: object) -> str:
    text = "".join(c if c.isalnum() else "_" for c in str(key))
    return text.strip("_") or "part"


def making(
    target: str, form: Made, path: Path, names: Mapping[Path, str], own: Words
) -> Iterator[str]:
    """The statements that put a value together."""
    parts: list[tuple[object, str]] = []
    for key, part in form.parts:
        at = (*path, key)
        if part is None:
            parts.append((key, names[at]))
            continue
        name = own["_".join((target, word(key)))]
        yield from making(name, part, at, names, own)
        parts.append((key, name))
    if form.cls is tuple:
        yield f"{target} = ({''.join(f'{n}, ' for _, n in parts)})"
    elif form.cls is dict:
        yield f"{target} = {{{', '.join(f'{k!r}: {n}' for k, n in parts)}}}"
    else:
        yield f"{target} = {own.of(form.cls.__name__, form.cls)}({', '.join(n for _, n in parts)})"
