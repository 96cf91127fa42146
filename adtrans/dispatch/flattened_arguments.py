"""A function of objects, as one that is given the parts of the objects.

quad_of_g(a, b, p=p)   ->   quad_of_g(a, b, p_k=p.k)       # where `g` reads nothing but `p.k`

    def g(t, *, p_k):
        p = object.__new__(Planck)
        object.__setattr__(p, "k", p_k)
        return handed(t, p=p)

Its derivative is one by numbers and arrays then. The same is done with tuples and dictionaries.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import Signature
from types import FunctionType, MappingProxyType
from typing import Any, TypeAlias

from adtrans.emit.load import load
from adtrans.emit.words import Words

Path: TypeAlias = tuple[object, ...]


@dataclass(frozen=True)
class Made:
    """What a value is made of: `cls` is a class of objects, whose attributes have names, or `tuple`
    or `dict`; None stands for a part that is taken as it is."""

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


def _is_named(cls: type) -> bool:
    return issubclass(cls, tuple)


def form(tree: Any) -> Made:
    """What is made of a class and pairs of attributes and trees, or None."""
    cls, parts = tree
    return Made(cls, tuple((key, None if part is None else form(part)) for key, part in parts))


def can_be_made(made: Made) -> bool:
    """Whether a value can be put together from its parts, unseen."""
    inner = [part for _, part in made.parts if part is not None]
    return _is_plain(made.cls) and all(map(can_be_made, inner))


def _is_plain(cls: type) -> bool:
    if cls in (tuple, dict) or _is_named(cls):
        return True
    if hasattr(cls, "__del__") or issubclass(cls, BaseException):
        return False
    if cls.__new__ is not object.__new__ or cls.__getattribute__ is not object.__getattribute__:
        return False
    try:
        object.__new__(cls)
    except TypeError:
        return False
    return not hasattr(cls, "__getattr__")


def with_parts(
    fn: Any,
    positional: tuple[str, ...],
    keywords: tuple[str, ...],
    forms: Mapping[str, Made],
    defaults: Mapping[str, object] = MappingProxyType({}),
) -> tuple[FunctionType, dict[str, dict[Path, str]]]:
    """`fn`, of these parameters, as a function that is given the parts of those in `forms`, by
    keyword; and the names of the parts. `defaults`: those that stay, constants."""
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
    said = {n: f"{n}={value!r}" for n, value in defaults.items()}
    left = [said.get(n, n) for n in positional if n not in forms]
    extra = [said.get(n, n) for n in keywords if n not in forms]
    extra += [n for by_path in names.values() for n in by_path.values()]
    head = ", ".join([*left, *(["*", *extra] if extra else [])])
    text = f"def {name}({head}):\n    " + "\n    ".join([
        *lines, f"return {handed}({', '.join(given)})"
    ]) + "\n"  # fmt: skip
    return load(text, name, own.objects)[name], names


def for_parts(
    fn: Any, signature: Signature, trees: Mapping[str, Any]
) -> tuple[FunctionType, dict[str, list[tuple[Path, str]]]] | None:
    """`fn` as a function that is given the parts of some parameters, and the names of the parts;
    None where that cannot be."""
    made = {n: form(tree) for n, tree in trees.items()}
    given = signature.parameters.values()
    if any(p.kind in (p.VAR_POSITIONAL, p.VAR_KEYWORD) for p in given):
        return None
    if not all(map(can_be_made, made.values())):
        return None
    words = tuple(p.name for p in given if p.kind is p.KEYWORD_ONLY)
    plain = tuple(p.name for p in given if p.kind is not p.KEYWORD_ONLY)
    defaults = {p.name: p.default for p in given if _is_literal(p.default)}
    found, names = with_parts(fn, plain, words, made, defaults)
    return found, {n: [*by_path.items()] for n, by_path in names.items()}


def _is_literal(value: object) -> bool:
    finite = type(value) is float and math.isfinite(value)
    return finite or type(value) in (int, bool, str, type(None))


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
    elif _is_named(form.cls):
        yield f"{target} = {own.of(form.cls.__name__, form.cls)}({', '.join(n for _, n in parts)})"
    else:
        yield f"{target} = object.__new__({own.of(form.cls.__name__, form.cls)})"
        yield from (f"object.__setattr__({target}, {k!r}, {n})" for k, n in parts)
