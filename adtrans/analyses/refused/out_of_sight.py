"""Objects that a call makes of which it was not known, when objects were followed, what it calls.

    def f(x, key):
        make = TABLE[key]
        return make(x).get()              # AD201: what the object holds is in no variables of `f`

What varies in an object that is followed is in variables of the function that made it, and goes to
its callers beside the object. Nobody took it here.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import DictOf, Instance, Kind, ListOf, Maybe, TupleOf
from adtrans.ir.walk import reads_of


def made_out_of_sight(s: S.Invoke, facts: Facts) -> Iterator[Diagnostic]:
    """The error for a call of what is known by its kind only that makes objects of what varies."""
    unit = facts.units[s.site]
    if isinstance(s.fn, E.Ref) or not reads_of(s) & facts.activity.varied:
        return
    made = (unit.summary.result, *(kind for _, kind in unit.summary.puts))
    if any(_is_followed(kind) for kind in made):
        yield Diagnostic(
            "AD201",
            "what this call makes cannot be followed",
            Label(s.span, "a value that carries a derivative enters here"),
            why="the function is known by a variable, an attribute or an item only, and makes an "
            "object, whose attributes are followed where it is called by its name",
            fixes=[Fix("call it by its own name, or hand it over in a call: `use(make, v)`")],
        )


def _is_followed(kind: Kind) -> bool:
    """Whether a value is, or holds, an object that somebody follows."""
    match kind:
        case Instance():
            return kind.followed
        case Maybe() | ListOf():
            return _is_followed(kind.item)
        case TupleOf(items=items):
            return any(map(_is_followed, items))
        case DictOf():
            return any(map(_is_followed, (kind.item, *(k for _, k in kind.fields))))
        case _:
            return False
