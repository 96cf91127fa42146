"""Numbers that are read out of texts: `float(str(v))`.

A text carries no derivative, so a number that was written into one and read again would pass for
a constant. What becomes of a text otherwise, on the screen or as the name of a key, is no matter.
"""

from __future__ import annotations

import types
from collections.abc import Iterable, Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds.text_kinds import is_text_kind
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import (
    Array,
    Instance,
    Kind,
    Known,
    ListOf,
    Maybe,
    Mixed,
    Never,
    Scalar,
    TupleOf,
    Unknown,
    is_differentiable,
)
from adtrans.ir.walk import binds_of, operands, reads_of, statements, walk
from adtrans.lower.opaque import attributes_in, printed_into, shown_in

_TEXTS = ("str", "repr", "ascii", "format", "bin", "hex", "oct", "builtins.str.format", "np.str_",
          "np.array2string", "np.array_str", "np.array_repr", "np.format_float_positional",
          "np.format_float_scientific")  # fmt: skip


def read_out_of_texts(facts: Facts) -> Iterator[Diagnostic]:
    """Where a number comes out of a text that was made of a value that varies."""
    of = _holding(facts)
    for s in _plain(facts) if of else ():
        source = next((of[v] for v in sorted(_reads(s)) if v in of), None)
        if source is not None and _reads_a_number(s, of, facts):
            name = facts.fn.source_name(source)
            shown = f"`{name}`" if name in facts.fn.reserved else "what varies"
            yield Diagnostic(
                "AD202",
                "a number is read out of a text",
                Label(s.span, f"the text was made of {shown}"),
                why="a text carries no derivative, so the number would pass for a constant",
                fixes=[
                    Fix("keep the number beside the text, and use that"),
                    Fix("write `adtrans.stop_gradient(...)` around it, if a constant is meant"),
                ],
            )


def texts_left(facts: Facts) -> frozenset[str]:
    """Where a function may leave a text that was made of what varies: the attributes, `.name`, and
    "" for what it returns or was given."""
    of = _holding(facts)
    returned = {v for s in _plain(facts) if isinstance(s, S.Return) for v in reads_of(s)}
    outside = any(
        v in returned
        or any(o.form in ("param", "held", "global") for o in facts.memory.objects(v))
        for v in of
        if not _is_attribute(v)
    )
    return frozenset(filter(_is_attribute, of)) | ({""} if outside else set())


def _plain(facts: Facts) -> list[S.Stmt]:
    return [s for s in statements(facts.fn.body) if not isinstance(s, S.If | S.While | S.Try)]


def _holding(facts: Facts) -> dict[str, str]:
    """The variables, and the attributes of what is not followed, that are or may hold texts which
    were made of what varies; with the variable of which these were made."""
    stmts = _plain(facts)
    of = {v: source for s in stmts for v, source in _made(s, facts)}
    of |= dict(_caught(facts))
    if not of:
        return {}
    while True:
        before = len(of)
        _through_others(of, facts)
        for s in stmts:
            source = next((of[v] for v in sorted(_reads(s)) if v in of), None)
            if source is not None:
                for t in receiving(s):
                    if t not in of and _may_hold(t, facts):
                        of[t] = source
        if len(of) == before:
            return of


def _through_others(of: dict[str, str], facts: Facts) -> None:
    """What a container holds is held under each of its names."""
    where = {o: v for v in of for o in facts.memory.objects(v)}
    own = {v for s in _plain(facts) for v in (*binds_of(s), *reads_of(s))}
    for v in sorted(own):
        if v not in of and _may_hold(v, facts):
            source = next((where[o] for o in facts.memory.objects(v) if o in where), None)
            if source is not None:
                of[v] = of[source]


def _made(s: S.Stmt, facts: Facts) -> Iterator[tuple[str, str]]:
    """The variables into which a statement puts texts of what varies, with that."""
    if isinstance(s, S.Invoke):
        left = facts.units[s.site].summary.texts if s.site in facts.units else frozenset()
        source = next((v for v in sorted(reads_of(s)) if v in facts.activity.varied), None)
        if left and source is not None:  # what else it returns or writes is no text
            into = filter(_is_attribute, left) if "" not in left else (*left - {""}, *receiving(s))
            yield from ((v, source) for v in into if _may_hold(v, facts))
    elif (source := _written(s, facts)) is not None:
        yield from ((v, source) for v in receiving(s))


def _caught(facts: Facts) -> Iterator[tuple[str, str]]:
    """The exceptions that a callee may have given a text, with what it was given."""
    for s in statements(facts.fn.body):
        names = [h.name for h in s.handlers if h.name] if isinstance(s, S.Try) else []
        if isinstance(s, S.Try) and names:
            inside = [c for c in statements(s.body) if isinstance(c, S.Invoke | S.Keep)]
            given = (v for c in inside for v in sorted(reads_of(c)) if v in facts.activity.varied)
            source = next(given, None)
            yield from ((n, source) for n in names if source is not None)


def _written(s: S.Stmt, facts: Facts) -> str | None:
    """A value that varies, of which a statement makes a text."""
    if isinstance(s, S.Keep):
        return next((v for v in s.reads if v in facts.activity.varied and printed_into(s)), None)
    if isinstance(s, S.Update):
        into = is_text_kind(facts.kinds.at(s.site, s.base))
        return next((v for v in sorted(reads_of(s)) if into and v in facts.activity.varied), None)
    if not isinstance(s, S.Bind):
        return None
    if not (is_text_kind(facts.kinds.var(s.target)) or _makes_text(s, facts)):
        return None
    varied = (v for v in sorted(reads_of(s)) if v in facts.activity.varied)
    found = next((v for v in varied if is_differentiable(facts.kinds.at(s.site, v))), None)
    return found or _shown(s, facts) or _held(reads_of(s), facts)


def _held(names: Iterable[str], facts: Facts) -> str | None:
    """What varies in an object whose parts are variables, and which is only kept up to date."""
    parts: dict[str, list[str]] = {}
    for s in statements(facts.fn.body):
        match s:
            case S.SetAttr(base=E.Name(id=base), value=E.Name(id=value)):
                parts.setdefault(base, []).append(value)
            case S.Alias() | S.Pack():
                parts.setdefault(s.target, []).extend(reads_of(s))
            case _:
                pass
    left, seen = sorted(names), set[str]()
    while left:
        name = left.pop()
        if name in facts.activity.varied and is_differentiable(facts.kinds.var(name)):
            return name
        if name not in seen:
            seen.add(name)
            left += parts.get(name, [])
    return None


def _shown(s: S.Bind, facts: Facts) -> str | None:
    """An object that says what it holds, where something varies."""
    for e in walk(s.value):
        names = [a.id for a in E.children(e) if isinstance(a, E.Name)]
        if isinstance(e, E.Verbatim):
            names = [*shown_in(e.node)]
        for v in names if not isinstance(e, E.Attribute) else ():
            kind = facts.kinds.at(s.site, v)
            if isinstance(kind, Instance) and _speaks(kind) and facts.activity.varied:
                return v
    return None


def _speaks(kind: Instance) -> bool:
    """Whether the texts of objects are made by a method of the user's."""
    texts = ("__str__", "__repr__", "__format__")
    return any(isinstance(getattr(kind.cls, name, None), types.FunctionType) for name in texts)


def _makes_text(s: S.Bind, facts: Facts) -> bool:
    app = facts.apps.get(s.site)
    return app is not None and app.rule.spelling in _TEXTS


def _reads(s: S.Stmt) -> Iterator[str]:
    """The variables that a statement reads, and the attributes."""
    yield from reads_of(s)
    for e in operands(s):
        yield from (f".{sub.attr}" for sub in walk(e) if isinstance(sub, E.Attribute))
    if isinstance(s, S.Keep):
        yield from (f".{a}" for a in attributes_in(s.node))


def _is_attribute(name: str) -> bool:
    return name.startswith(".")


def receiving(s: S.Stmt) -> Iterator[str]:
    """The variables, and attributes, that what a statement reads may get into."""
    yield from binds_of(s)
    match s:
        case S.Store() | S.Update() | S.Edit():
            yield s.base
        case S.Keep():
            yield from printed_into(s)
            yield from (f".{a}" for a in attributes_in(s.node, stored=True))
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base)))):
            yield base
        case S.Invoke(args=args, kwargs=kwargs):
            given = (*args, *(v for _, v in kwargs))
            yield from (a.id for a in given if isinstance(a, E.Name))
        case _:
            pass


def _is_number(var: str, facts: Facts) -> bool:
    return isinstance(facts.kinds.var(var), Scalar | Array | Known)


def _may_hold(name: str, facts: Facts) -> bool:
    """Whether a variable may be a text, or hold one; any attribute may."""
    return _is_attribute(name) or _holds_texts(facts.kinds.var(name))


def _holds_texts(kind: Kind) -> bool:
    match kind:
        case Scalar() | Array() | Mixed() | Known() | Never():
            return False
        case TupleOf(items=items):
            return any(_holds_texts(k) for k in items)
        case ListOf(item=item) | Maybe(item=item):
            return _holds_texts(item)
        case _:
            return True


def _reads_a_number(s: S.Stmt, of: dict[str, str], facts: Facts) -> bool:
    """Whether a statement makes a number, on which the result depends, out of a text."""
    useful = facts.activity.useful
    match s:
        case S.Store(base=base) | S.Update(base=base):
            texts = isinstance(s.value, E.Name) and s.value.id in of
            return texts and base in useful and isinstance(facts.kinds.at(s.site, base), Array)
        case S.Return(values=values):  # of a text it is known that it is one
            found = (v.id for v in values if isinstance(v, E.Name) and v.id in of)
            return any(isinstance(facts.kinds.at(s.site, v), Unknown) for v in found)
        case S.Bind(value=E.Binary()) if not _is_number(s.target, facts):
            return False
        case _:
            into = [t for t in binds_of(s) if t in useful and t not in of]
            numbers = (t for t in into if _is_number(t, facts))
            taken = isinstance(s, S.Load | S.Unpack)  # an item is a text, or was a number before
            return not taken and any(is_differentiable(facts.kinds.var(t)) for t in numbers)
