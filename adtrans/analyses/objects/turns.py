"""What loops over containers do with their items in turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from adtrans.analyses.objects.displays import sources
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.walk import statements


def elements(
    target: S.Target, it: S.Iter, views: Mapping[str, tuple[str, str]]
) -> Iterator[tuple[str, str | None]]:
    """The variables that a loop binds, with what each is an element of; `views`: names for views of
    dictionaries."""
    match target, it:
        case (str() as key, str() as value), S.Elements(source=source) if (
            views.get(source, ("", ""))[1] == "items"
        ):
            yield key, None
            yield value, source
        case str(), S.Elements(source=source) if views.get(source, ("", ""))[1] == "items":
            yield "", None
        case str(), S.Elements(source=source):
            yield target, source
        case _, S.Reversed(inner=inner):
            yield from elements(target, inner, views)
        case (str() as number, rest), S.Enumerate(inner=inner):
            yield number, None
            yield from elements(rest, inner, views)
        case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
            for t, inner in zip(target, inners, strict=True):
                yield from elements(t, inner, views)
        case _:
            yield "", None


def pairs_taken(target: S.Target, it: S.Iter) -> Iterator[tuple[str, bool]]:
    """The variables that a loop goes over, and whether their items get one name."""
    match target, it:
        case _, S.Elements(source=source):
            yield source, isinstance(target, str)
        case _, S.Reversed(inner=inner):
            yield from pairs_taken(target, inner)
        case (_, rest), S.Enumerate(inner=inner):
            yield from pairs_taken(rest, inner)
        case tuple(), S.Zip(inners=inners) if len(target) == len(inners):
            for t, inner in zip(target, inners, strict=True):
                yield from pairs_taken(t, inner)
        case _, S.Enumerate() | S.Zip():
            yield from ((v, True) for v in sources(it))


def called(body: S.Block) -> set[str]:
    """The variables that the statements call as functions."""
    found: set[str] = set()
    for s in statements(body):
        match s:
            case S.Invoke(fn=E.Name(id=name)) | S.Bind(value=E.Call(fn=E.Name(id=name))):
                found.add(name)
            case _:
                pass
    return found


def called_in_turn(body: S.Block) -> frozenset[str]:
    """The variables that loops go over to call what they hold."""
    loops = [s for s in statements(body) if isinstance(s, S.For)]
    return frozenset(
        source
        for s in loops
        for target, source in elements(s.target, s.iter, {})
        if source is not None and target in called(s.body)
    )
