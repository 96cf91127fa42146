"""Names that may mean one of several arrays."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from adtrans.analyses.alias_paths import users
from adtrans.analyses.facts import Facts
from adtrans.analyses.kept_arguments import rebindings
from adtrans.analyses.needed_checks import tangent_assumptions
from adtrans.analyses.stretched import STRETCHED, stretched
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Container, Kind, TupleOf

UNCLEAR = "cannot tell which array is written here"


def rebound_arguments(facts: Facts) -> Iterator[Diagnostic]:
    """Written arguments whose name may stand for something else when the function ends."""
    for p, sites in rebindings(facts):
        name = facts.fn.source_name(p)
        for d in sites:
            yield Diagnostic(
                "AD206",
                f"cannot tell which array `{name}` means when the function ends",
                Label(facts.structure.stmts[d].span, f"`{name}` is bound again here"),
                why="the contents of a written argument are a result, and are followed by its name",
                fixes=[Fix(f"use another name than `{name}` here")],
            )


def unclear_update(s: S.Update, facts: Facts) -> Diagnostic:
    """The error at `name op= value` of a kind that is not known, and at `base[...] op= value`,
    where the name is a temporary that means nothing but an array."""
    made = [facts.structure.stmts[d] for d in facts.definitions.sites.get(s.base, ())]
    if any(isinstance(m, S.Load) and m.items == (E.ELLIPSIS,) for m in made):
        return Diagnostic(
            "AD206",
            UNCLEAR,
            s.span,
            why="adtrans must know to which array's derivative the write belongs",
            fixes=[Fix("keep each array that is written in a variable of its own")],
        )
    name = facts.fn.source_name(s.base)
    taken = next((m.base for m in made if isinstance(m, S.Load)), None)
    if name not in facts.fn.reserved and taken is not None:  # out of a list, to be put back
        name = f"{facts.fn.source_name(users(taken, facts))}[...]"
    return Diagnostic(
        "AD205",
        f"`{name} {s.op}= ...` may rebind a number or change an array in place",
        s.span,
        why=f"the kind of `{name}` is not known here, and others may see an array that it means",
        fixes=[
            Fix("say what the arguments are: by annotations, a call, or `--types`"),
            Fix(f"write `{name} = {name} {s.op} ...`, if it is a number"),
        ],
    )


def bindings(var: str, facts: Facts) -> list[Label]:
    """The places where a name that may mean several arrays is bound."""
    found = []
    name = facts.fn.source_name(users(var, facts))
    for site in facts.definitions.sites.get(var, ()):
        s = facts.structure.stmts[site]
        if isinstance(s, S.Alias):
            found.append(Label(s.span, f"`{name}` may mean `{facts.fn.source_name(s.source)}`"))
        elif not isinstance(s, S.Update):
            taken = facts.fn.source_name(var) != name
            text = f"taken out of `{name}` here" if taken else f"`{name}` is bound here"
            found.append(Label(s.span, text))
    return found or [Label(facts.fn.span, f"`{name}` comes from outside")]


def ambiguous(
    facts: Facts, left_out: Callable[[str], bool] = lambda var: False
) -> Iterator[Diagnostic]:
    """Names that may stand for one array or another while that is written."""
    for var, site in facts.sharing.ambiguous.items():
        if facts.activity.active(var) and not left_out(var):
            write = facts.structure.stmts[site]
            if isinstance(write, S.Update) and write.items is None:
                continue  # AD205: perhaps no array at all
            name = facts.fn.source_name(users(var, facts))
            why = "adtrans must know to which array's derivative the write belongs"
            fixes = _advice(name, facts.kinds.var(users(var, facts)))
            if (made := _in_one_place(var, facts)) is not None:
                why = f"elements of what `{made}` returns are one place in memory"
                fixes = [Fix(f"keep what `{made}` is given, and call it where its result is read")]
            yield Diagnostic(
                "AD206",
                f"cannot tell which array `{name}` means when it is written",
                Label(write.span, "written here"),
                labels=bindings(var, facts),
                why=why,
                fixes=fixes,
            )


def _in_one_place(var: str, facts: Facts) -> str | None:
    """The function that made what a variable may mean, if elements of that share memory."""
    names = {a.rule.spelling for a in facts.apps.values()} & STRETCHED
    return next((n for n in sorted(names) if var in stretched(facts, frozenset({n}))), None)


def _advice(name: str, kind: Kind) -> list[Fix]:
    if isinstance(kind, Container | TupleOf):
        return [Fix(f"keep what `{name}` holds in variables, or in one array with another axis")]
    return [
        Fix(f"write under one name in each branch, not through `{name}`"),
        Fix(f"`{name} = {name}.copy()` first, if only `{name}` is to change"),
    ]


def view_or_copy(facts: Facts) -> Iterator[Diagnostic]:
    """Views or copies, nobody knows which, whose tangents may be the other while one is written."""
    for a in tangent_assumptions(facts):
        if facts.activity.active(a.source):
            target, source = (facts.fn.source_name(v) for v in a.names)
            yield Diagnostic(
                "AD206",
                f"cannot tell whether `{target}` is a view of `{source}` or a copy",
                Label(facts.structure.stmts[a.site].span, "one for the value, one for its tangent"),
                why="that depends on how they lie in memory, and one of them is written",
                fixes=[Fix("make a copy where one is meant, with `.copy()`")],
            )
