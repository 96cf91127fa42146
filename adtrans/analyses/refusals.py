"""What cannot be differentiated, said to the user: all errors of a function at once.

>>> import adtrans, numpy as np
>>> def f(x):
...     n = np.zeros(3, dtype=np.int64)
...     n[0] = x[0]
...     return np.sum(np.roots(x)) + n[0]
>>> try:
...     adtrans.grad(f, on_unfollowed="refuse")(np.ones(3))
... except adtrans.CompileError as error:
...     print(*[d.code for d in error.diagnostics])
AD306 AD401
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from adtrans.analyses.abstract import CACHED
from adtrans.analyses.activity import values_in
from adtrans.analyses.facts import Facts
from adtrans.analyses.loops import leaves
from adtrans.analyses.order import order_matters
from adtrans.analyses.overwritten import Lines, conflicts
from adtrans.analyses.points_to import elements_in
from adtrans.analyses.refused.active_keys import varying_keys
from adtrans.analyses.refused.active_object_arrays import arrays_in_objects
from adtrans.analyses.refused.ambiguous_names import (
    UNCLEAR,
    ambiguous,
    rebound_arguments,
    unclear_update,
    view_or_copy,
)
from adtrans.analyses.refused.blocks import managers, through_exceptions
from adtrans.analyses.refused.calls_without_rule import (
    METHODS,
    effects,
    holds_methods,
    left_twice,
    operations,
    overlapping,
    unknown_calls,
    without_tangent,
    writers,
    written_outside,
)
from adtrans.analyses.refused.consequences import (
    has_root,
    is_unclear,
    without_consequences,
    without_tainted,
)
from adtrans.analyses.refused.files import read_out_of_files
from adtrans.analyses.refused.foreign_operands import foreign_operands
from adtrans.analyses.refused.frames import got_from_frames
from adtrans.analyses.refused.lost_objects import told_of_objects
from adtrans.analyses.refused.numbers_in_texts import read_out_of_texts
from adtrans.analyses.refused.out_of_sight import made_out_of_sight
from adtrans.analyses.refused.overlapping_fills import written_and_read
from adtrans.analyses.refused.remembered import done_once
from adtrans.analyses.refused.tuple_identity import told_of_results
from adtrans.analyses.refused.undeclared import undeclared
from adtrans.analyses.refused.unfollowed_containers import (
    adds_containers,
    container,
    joins,
    lost_attribute,
    one_form_or_another,
    taken_apart,
    tuple_or_list,
    unfollowed,
)
from adtrans.analyses.refused.unknown_complexes import complex_values
from adtrans.analyses.refused.unknown_stores import (
    changed_in_form,
    into_integers,
    into_objects,
    into_unknown,
    may_be_kept,
    of_records,
    read_while_stored,
    unclear_holder,
    unclear_index,
)
from adtrans.analyses.stretched import written_stretched
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    NEVER,
    UNKNOWN,
    Array,
    DictOf,
    Instance,
    Kind,
    Known,
    ListOf,
    TupleOf,
)
from adtrans.ir.walk import binds_of, statements

_GLOBAL = "a global {} is written"


def refusals(
    facts: Facts,
    line: Lines,
    *,
    reverse: bool = True,
    prove: bool = False,
    given_up: Mapping[type, str] = MappingProxyType({}),
) -> tuple[Diagnostic, ...]:
    """Every reason why the function cannot be compiled, in textual order.

    `reverse` False: for the pushforward, which runs with the primal, so that nothing is overwritten
    before it is used, and whose tangents are views and aliases wherever the primals are. `prove`:
    nothing is left to checks at run time. `given_up`: why objects of these classes are not
    followed.
    """
    found = told_of_objects([*language(facts, reverse, given_up)], facts, given_up)
    found += written_stretched(facts)
    unclear = has_root(found, facts)
    if unclear:
        found = without_tainted(without_consequences(found, facts), facts)
    if reverse:
        lost = unclear or any(d.code == "AD401" for d in found)
        left_out = (lambda v: is_unclear(v, facts)) if lost else (lambda v: False)
        found += [*conflicts(facts, line, left_out), *ambiguous(facts, left_out)]
    elif prove:
        found += view_or_copy(facts)
    without_rule = {d.primary.span for d in found if d.code == "AD401"}
    if without_rule:  # what is not known may be a global object, for all that is known
        found = [d for d in found if d.title != _GLOBAL.format("object")]
        inside = {span.line for span in without_rule}
        found = [d for d in found if not (d.title == _GLOBAL.format("list")
                 and d.primary.span.line in inside)]  # fmt: skip
    found = [d for d in found if d.code != "AD307" or d.primary.span not in without_rule]
    rebinding = {d.primary.span for d in found if d.code == "AD205" or d.title == UNCLEAR}
    found = [d for d in found if d.code != "AD301" or d.primary.span not in rebinding]
    places = {d.primary.span for d in found if d.title == UNCLEAR}
    found = [d for d in found if d.code != "AD302" or d.primary.span not in places]
    unique = {(d.code, d.primary.span, d.title): d for d in found}
    return tuple(sorted(unique.values(), key=lambda d: (d.primary.span, d.code)))


# -- language --------------------------------------------------------------------------------------


def language(facts: Facts, reverse: bool, given_up: Mapping[type, str]) -> Iterator[Diagnostic]:
    """Statements and functions that are not understood, where an active value meets them."""
    act = facts.activity
    yield from complex_values(facts)
    yield from varying_keys(facts)
    yield from read_out_of_texts(facts)
    yield from arrays_in_objects(facts)
    yield from read_out_of_files(facts)
    yield from told_of_results(facts)
    if reverse:
        yield from rebound_arguments(facts)
    for s in statements(facts.fn.body):
        yield from foreign_operands(s, facts)
        match s:
            case S.Return() if facts.kinds.before(s.site) and any(
                isinstance(v, E.Name) and facts.kinds.at(s.site, v.id) == NEVER for v in s.values
            ):
                yield Diagnostic(
                    "AD202",
                    "cannot tell what is returned here",
                    s.span,
                    why="no value is known to reach this place, so no derivative can either",
                )
            case S.Return() if reverse and any(of_any_length(v, s, facts) for v in s.values):
                yield Diagnostic(
                    "AD201",
                    "this statement cannot be differentiated yet",
                    Label(s.span, "tuples of several lengths are returned here"),
                    why="adtrans does not know how many derivatives come back",
                    fixes=[Fix("return a tuple of the same length on every path")],
                )
            case S.Keep(form="unsupported"):
                form = list(changed_in_form(s, facts))
                yield from form
                if not form and any(
                    act.active(v) or v in act.varied for v in (*s.reads, *s.binds)
                ):
                    carried = next(
                        v for v in (*s.reads, *s.binds) if act.active(v) or v in act.varied
                    )
                    yield Diagnostic(
                        "AD201",
                        "this statement cannot be differentiated yet",
                        Label(
                            s.span,
                            f"`{facts.fn.source_name(carried)}` carries a derivative into it",
                        ),
                        why=f"adtrans does not know what `{_head(s.text)}` does to the derivative"
                        + _not_followed(s, facts, given_up),
                        fixes=[
                            Fix(
                                "rewrite it with plain assignments, or keep active values out of it"
                            )
                        ],
                    )
            case S.Unpack() if act.active(s.source) and (
                s.star is not None
                or (reverse and not isinstance(facts.kinds.at(s.site, s.source), TupleOf))
            ):
                yield Diagnostic(
                    "AD201",
                    "this statement cannot be differentiated yet",
                    Label(s.span, "what is unpacked here has no known length"),
                    why="its kind is not known here",
                    fixes=[Fix("return a tuple of the same length on every path")],
                )
            case S.Try():
                yield from through_exceptions(s, facts)
            case S.With():
                yield from managers(s, facts)
            case S.Bind() if (shared := written_and_read(s, facts)) is not None:
                yield shared
            case S.Bind() if s.site in facts.behind and (more := undeclared(s, facts)) is not None:
                yield more
            case S.Bind(value=E.Binary()) if act.active(s.target) and joins(s, facts):
                yield container(s.span, facts.fn.source_name(s.target))
            case S.Bind() if act.active(s.target):
                yield from operations(s, facts, reverse)
            case S.Bind(value=E.Attribute()) if lost_attribute(s, facts):
                yield Diagnostic(
                    "AD201",
                    "this attribute cannot be followed",
                    s.span,
                    why="the object was made here, and adtrans has lost sight of what it holds",
                    fixes=[Fix("keep each object in a variable of its own")],
                )
            case S.Bind():
                app = facts.apps.get(s.site)
                if app is None and isinstance(s.value, E.Call):
                    yield from effects(s, facts)
                elif app is not None and app.rule.form in ("writes", "scatter"):
                    yield from writers(s, facts)
                elif app is not None and not reverse:
                    yield from without_tangent(s, app, facts)
            case S.Invoke() if s.site not in facts.units:
                yield from unknown_calls(s, facts)
                yield from got_from_frames(s, facts)
            case S.Invoke():
                yield from written_outside(s, facts)
                yield from made_out_of_sight(s, facts)
                yield from got_from_frames(s, facts)
                yield from done_once(s, facts)
                if reverse:
                    yield from overlapping(s, facts)
                    yield from left_twice(s, facts)
            case S.Update(items=None) if act.active(s.base):
                yield unclear_update(s, facts)
            case S.Store() | S.Update() if (lost := [*into_objects(s, facts)]):
                yield from lost
            case S.Store() if not reverse and may_be_kept(s, facts):
                yield unclear_holder(s, facts)
            case S.Store() if reverse and s.site not in facts.ordered and order_matters(s, facts):
                yield Diagnostic(
                    "AD302",
                    "overlapping parts of one array are copied with different steps",
                    Label(s.span, "what is read here is partly overwritten on the way"),
                    why="NumPy copies one-dimensional parts in place, element by element, so that "
                    "the result depends on the order in which it goes through them",
                    fixes=[Fix("copy what is read: `a[::2] = a[:n].copy()`")],
                )
            case S.Store() if act.varied & {getattr(s.value, "id", "")}:
                yield from into_integers(s, facts)
            case S.For() if any(act.active(v) for v in binds_of(s)):
                known = leaves(s, facts.kinds)
                for v in binds_of(s):
                    if act.active(v) and v not in known:
                        yield _loop(s, facts)
            case S.Load() | S.Store() if of_records(s, facts):
                yield Diagnostic(
                    "AD202",
                    "the field of a record array cannot be differentiated yet",
                    Label(s.span, "a value that carries a derivative lives in a field"),
                    why="adjoints are kept for arrays of floats, not for records",
                    fixes=[Fix("use an array for each field")],
                )
            case S.Load() | S.Store() if unclear_index(s, facts):
                yield Diagnostic(
                    "AD202",
                    "cannot tell what this subscript selects",
                    s.span,
                    why="whether it is an integer, a slice, a mask or an index array is not known",
                    fixes=[Fix("make the index an int or an array: `int(i)`, `np.asarray(i)`")],
                )
            case S.Load() if act.active(s.target):
                kind = facts.kinds.at(s.site, s.base)
                inside = any(act.active(n) for i in s.items for n in values_in(i))
                if isinstance(kind, Instance | Known) or inside:
                    yield container(s.span, facts.fn.source_name(s.base))
                yield from unfollowed(s.base, s, facts)
            case S.Pack(kind="list") if act.active(s.target):
                yield from unfollowed(s.target, s, facts)
            case S.Edit(op="sum") if adds_containers(s, facts):
                yield container(s.span, facts.fn.source_name(s.base))
            case S.Edit() if act.active(s.base):
                yield from unfollowed(s.base, s, facts)
            case _:
                pass
        yield from tuple_or_list(s, facts)
        if reverse:
            yield from one_form_or_another(s, facts)
        if isinstance(s, S.Bind):
            yield from read_while_stored(s, facts)
        if isinstance(s, S.For):
            yield from taken_apart(s, facts)
        if isinstance(s, S.Store) and act.active(s.base):
            yield from unfollowed(s.base, s, facts)
        writes = facts.memory.at(s.site)
        into = [w.var for w in writes if any(o.form == "global" for o in w.objects)]
        plain = isinstance(s, S.Store | S.Update | S.Edit) or s.site in facts.apps
        if plain or s.site in facts.units:
            yield from into_unknown(s, facts)
        if into and (plain or s.site in facts.units):
            what = _word(facts.kinds.at(s.site, into[0]))
            why = "the gradient would depend on what other code does with it"
            fix = f"pass the {what} as an argument"
            if any(o.key == CACHED for w in writes for o in w.objects):
                why, fix = "a cached function returns the same one again", f"copy the {what} first"
            yield Diagnostic("AD203", _GLOBAL.format(what), s.span, why=why, fixes=[Fix(fix)])


def _loop(s: S.For, facts: Facts) -> Diagnostic:
    """The error at a loop that goes through something unknown."""
    why = "it iterates over neither a range, an array, a list nor a tuple"
    fix = "loop over `range(len(...))` and index"
    made = (facts.definitions.sites.get(v, ()) for v in elements_in(s.iter))
    for d in (facts.definitions.statements[d] for sites in made for d in sites):
        if isinstance(d, S.Bind) and holds_methods(d.value):
            why, fix = METHODS, "put the objects there, and call the method of each"
    what = "this loop cannot be differentiated"
    return Diagnostic("AD201", what, s.span, why=why, fixes=[Fix(fix)])


def _word(kind: Kind) -> str:
    """What a value of this kind is called."""
    for cls, word in ((Array, "array"), (ListOf, "list"), (DictOf, "dictionary")):
        if isinstance(kind, cls):
            return word
    return "object"


def of_any_length(value: E.Expr, s: S.Stmt, facts: Facts) -> bool:
    """Whether a value that carries a derivative may be one of several tuples."""
    if not isinstance(value, E.Name) or not facts.activity.active(value):
        return False
    made = (facts.structure.stmts[d] for d in facts.definitions.sites.get(value.id, ()))
    unknown = facts.kinds.at(s.site, value.id) == UNKNOWN
    return unknown and any(isinstance(m, S.Pack) and m.kind == "tuple" for m in made)


def _not_followed(s: S.Keep, facts: Facts, given_up: Mapping[type, str]) -> str:
    """Why the object whose attribute a statement assigns is not followed, where that is known."""
    for v in s.reads[:1]:
        kind = facts.kinds.at(s.site, v)
        if not isinstance(kind, Instance) or not isinstance(kind.cls, type):
            continue
        why = given_up.get(kind.cls)
        if why is not None:
            name = kind.name.rpartition(".")[2]
            why = re.sub(r"^it (is|may|takes part)", r"one of them \1", why)
            return f"; objects of `{name}` are not followed: {why}"
    return ""


def _head(text: str) -> str:
    return text.strip().partition("\n")[0][:40]
