"""Numbers that are read out of texts: `float(str(v))`.

A text carries no derivative, so a number that was written into one and read again would pass for
a constant. What becomes of a text otherwise, on the screen or as the name of a key, is no matter.
"""

from __future__ import annotations

from collections.abc import Iterator

from adtrans.analyses.facts import Facts
from adtrans.analyses.kinds.texts import is_text_kind
from adtrans.diagnostics.diagnostic import Diagnostic, Fix, Label
from adtrans.ir import expr as E
from adtrans.ir import stmt as S
from adtrans.ir.kinds import Array, Known, Scalar, Unknown, is_differentiable
from adtrans.ir.walk import binds_of, reads_of, statements
from adtrans.lower.opaque import printed_into

_TEXTS = ("str", "repr", "ascii", "format", "bin", "hex", "oct", "builtins.str.format", "np.str_",
          "np.array2string", "np.array_str", "np.array_repr", "np.format_float_positional",
          "np.format_float_scientific")  # fmt: skip


def read_out_of_texts(facts: Facts) -> Iterator[Diagnostic]:
    """Where a number comes out of a text that was made of a value that varies."""
    stmts = [s for s in statements(facts.fn.body) if not isinstance(s, S.If | S.While | S.Try)]
    made = {s.site: v for s in stmts if (v := _written(s, facts)) is not None}
    if not made:
        return
    first = facts.structure.stmts
    of: dict[str, str] = {}  # the variable of which a text, or what holds some, was made
    for site, v in made.items():
        of.update(dict.fromkeys(receiving(first[site]), v))
    while True:
        before = len(of)
        for s in stmts:
            source = next((of[v] for v in sorted(reads_of(s)) if v in of), None)
            if source is not None:
                for t in receiving(s):
                    if t not in of and not _is_number(t, facts):
                        of[t] = source
        if len(of) == before:
            break
    for s in stmts:
        source = next((of[v] for v in sorted(reads_of(s)) if v in of), None)
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


def _written(s: S.Stmt, facts: Facts) -> str | None:
    """A value that varies, of which a statement makes a text."""
    if isinstance(s, S.Keep):
        return next((v for v in s.reads if v in facts.activity.varied and printed_into(s)), None)
    if not isinstance(s, S.Bind):
        return None
    if not (is_text_kind(facts.kinds.var(s.target)) or _makes_text(s, facts)):
        return None
    varied = (v for v in sorted(reads_of(s)) if v in facts.activity.varied)
    return next((v for v in varied if is_differentiable(facts.kinds.at(s.site, v))), None)


def _makes_text(s: S.Bind, facts: Facts) -> bool:
    app = facts.apps.get(s.site)
    return app is not None and app.rule.spelling in _TEXTS


def receiving(s: S.Stmt) -> Iterator[str]:
    """The variables that what a statement reads may get into."""
    yield from binds_of(s)
    match s:
        case S.Store() | S.Update() | S.Edit():
            yield s.base
        case S.Keep():
            yield from printed_into(s)
        case S.Bind(value=E.Call(fn=E.Attribute(base=E.Name(id=base)))):
            yield base
        case S.Invoke(args=args):
            yield from (a.id for a in args if isinstance(a, E.Name))
        case _:
            pass


def _is_number(var: str, facts: Facts) -> bool:
    return isinstance(facts.kinds.var(var), Scalar | Array | Known)


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
            return any(is_differentiable(facts.kinds.var(t)) for t in numbers)
