"""The rules as a list, and which public functions of a module have one.

>>> import math
>>> [e.status for e in survey(math) if e.name in ("math.sin", "math.floor")]
['constant', 'rule']
>>> sine = next(e for e in entries("math.sin") if e.name == "math.sin")
>>> sine.pullback, sine.needs
({'x': ('y_bar * math.cos(x)',)}, ('x',))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import ModuleType
from typing import Literal, TypeAlias

from adtrans.ir.expr import Const, Expr, Name, Sequence
from adtrans.rules import registry
from adtrans.rules.complexes import takes_complex
from adtrans.rules.formula import Formula
from adtrans.rules.higher_order import TAKERS, taker
from adtrans.rules.in_python import in_python
from adtrans.rules.registry import is_maker
from adtrans.rules.rule import Rule
from adtrans.rules.scipy_classified import THROUGH
from adtrans.rules.scipy_splines import FOLLOWED
from adtrans.rules.signature import item
from adtrans.rules.written import form_of

Status: TypeAlias = Literal["rule", "constant", "through", "refused", "unclassified"]
"""`through`: a Python function, which adtrans differentiates as it is."""


@dataclass(frozen=True)
class Entry:
    """What is known about one function; formulas are those for arguments of unknown kind.

    `dtypes`: of which numbers there is a derivative, where it has one: a result has the dtype that
    the function gives it, and an adjoint that of its argument.
    """

    name: str
    status: Status
    signature: str = ""
    form: str = ""
    pullback: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    pushforward: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    result: str = ""
    writes: tuple[str, ...] = ()
    why: str = ""
    dtypes: tuple[str, ...] = ()
    expansion: str = ""  # plain statements that do the same, and are differentiated


def entries(prefix: str = "") -> list[Entry]:
    """All that have a rule and whose full name begins with `prefix`, sorted by name."""
    found = [_entry(name, rule) for name, rule in registry.all_rules()]
    found += [_handed(name) for name in TAKERS]
    return sorted((e for e in found if e.name.startswith(prefix)), key=lambda e: e.name)


def _handed(name: str) -> Entry:
    """A primitive whose derivative is made from that of the function that it is handed."""
    return Entry(name, "rule", f"{name}(...)", "handed", result="fresh",
                 why="from the derivative of the function that it is handed")  # fmt: skip


def survey(module: ModuleType) -> list[Entry]:
    """Every public function of a module, with what adtrans does with it."""
    public = getattr(module, "__all__", None) or [n for n in vars(module) if n[0] != "_"]
    found = []
    for name in sorted(set(public)):
        obj = getattr(module, name, None)
        if not callable(obj) or name.startswith("_"):
            continue
        if isinstance(obj, type) and issubclass(obj, Exception | Warning):
            continue
        rule = registry.lookup(obj)
        full = f"{module.__name__}.{name}"
        why = registry.reason(obj) if rule is None else None
        if taker(obj) is not None or is_maker(obj):
            found.append(_handed(full))
        elif full in FOLLOWED:
            found.append(Entry(full, "rule", f"{full}(...)", "made", result="fresh", why=why or ""))
        elif rule is not None:
            found.append(_entry(full, rule))
        else:
            status: Status = "refused" if why else "unclassified"
            status = "through" if full in THROUGH or in_python(obj) is not None else status
            why = why or (f"of the form `{full}{form}`" if (form := form_of(obj)) else None)
            found.append(Entry(full, status, why=why or ""))
    return found


def status_of(rule: Rule) -> Status:
    """What a rule says in one word."""
    if rule.refused:
        return "refused"
    carries = rule.active_params or rule.expansion is not None or rule.scatter
    if rule.form == "writes" and not rule.expansion:
        return "refused"
    return "rule" if carries else "constant"


FIXED = "an argument that varies is refused"


def is_fixed(rule: Rule) -> bool:
    """Whether a constant is one only as long as its arguments are.

    >>> import numpy as np
    >>> import scipy.special
    >>> [is_fixed(r) for f in (scipy.special.roots_jacobi, np.floor) if (r := registry.lookup(f))]
    [True, False]
    """
    return status_of(rule) == "constant" and not rule.inert_ok and not rule.refused


def _entry(name: str, rule: Rule) -> Entry:
    """What a rule says. Formulas may name what this version of NumPy, or SciPy, does not have."""
    backward: dict[str, tuple[Formula, ...]] = {}
    forward: dict[str, str] = {}
    try:
        backward, forward = dict(_formulas(rule)), dict(_tangents(rule))
    except (AttributeError, ValueError, LookupError):
        backward = {}
    named = {p for text in backward.values() for f in text for p in f.values}
    shown = ", ".join(str(p) for p in rule.params if p.name not in ("casting", "order", "subok"))
    return Entry(
        name,
        status_of(rule),
        f"{name}({'...' if rule.any_arguments else shown})",
        rule.form,
        {p: tuple(str(f) for f in found) for p, found in backward.items()},
        forward,
        tuple(sorted(named)),
        rule.result if rule.of is None else f"{rule.result.replace('_', ' ')} of {rule.of}",
        rule.writes,
        rule.refused or (FIXED if is_fixed(rule) else ""),
        _dtypes(rule),
        rule.expansion if isinstance(rule.expansion, str) else "",
    )


def _dtypes(rule: Rule) -> tuple[str, ...]:
    """Functions of the standard library compute with numbers of Python."""
    if status_of(rule) != "rule":
        return ()
    if rule.spelling.startswith(("math.", "cmath.")):
        return ("complex",) if rule.spelling.startswith("c") else ("float",)
    real = ("float32", "float64")
    return (*real, "complex64", "complex128") if takes_complex(rule.spelling) else real


def _typical(rule: Rule) -> dict[str, Expr]:
    """Arguments of which nothing is known; of a sequence two items are there."""
    bound: dict[str, Expr] = {}
    for p in rule.params:
        if p.sequence:
            items = tuple(Name(item(p.name, i)) for i in range(2))
            bound[p.name] = Sequence("list", items)
            bound.update({n.id: n for n in items})
        else:
            active = p.name in rule.active_params
            default = p.default if p.default is not None else Name(p.name)
            bound[p.name] = Name(p.name) if active and default == Const(None) else default
    return bound


def _formulas(rule: Rule) -> Iterator[tuple[str, tuple[Formula, ...]]]:
    bound = _typical(rule)
    for name in rule.active_in(bound):
        found = rule.pullback(name, bound, {})
        if found:
            yield name, found


def _tangents(rule: Rule) -> Iterator[tuple[str, str]]:
    bound = _typical(rule)
    for name in rule.active_in(bound):
        try:
            yield name, str(rule.pushforward(name, bound, {}))
        except LookupError:
            continue  # not for arguments of unknown kind

