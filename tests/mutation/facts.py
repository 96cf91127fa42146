"""Mutants of what the rules of primitives say about memory, entry by entry of the registry.

A rule that is a view becomes a copy, or a view of another argument; one that may be a view always
is one; an argument that is written is not; what is drawn once may be drawn again.

>>> for m in of_rule("numpy.reshape", lookup_rule("numpy.reshape")):
...     print(m.name)
rules: the result of numpy.reshape is new memory
rules: the result of numpy.reshape is a view
rules: the result of numpy.reshape is that of `shape`
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from adtrans.rules import all_rules, registry
from adtrans.rules.rule import Rule
from tests.mutation.model import Mutant

UNSEEN = ("numpy.positive.at", "ndarray.itemset")
"""What is written is what was there; the method is gone in NumPy 2."""
VIEWS = frozenset({
    "adtrans.stop_gradient", "max", "min", "sum", "ndarray.real", "numpy.atleast_1d",
    "numpy.atleast_2d", "numpy.atleast_3d", "numpy.broadcast_arrays", "numpy.histogram",
    "numpy.histogram_bin_edges",
})  # fmt: skip
"""Of arrays they always are views, where they are arrays."""
FIRST = {
    "result": "tests/rules/test_sharing.py::test_what_is_seldom_a_view",
    "of": "tests/rules/test_sharing.py::test_what_is_seldom_a_view",
    "writes": "tests/rules/test_sharing.py::test_in_place",
    "impure": "tests/rules/test_sharing.py::test_what_is_drawn_is_not_drawn_again",
}
BY = ("tests/rules/test_sharing.py", "tests/rules/test_registry.py")


def facts() -> tuple[Mutant, ...]:
    """The mutants of all rules; one that has several names is taken once."""
    registry.resolve("math.pi")
    found: dict[int, tuple[str, Rule]] = {}
    methods = ((f"{owner}.{name}", r) for (owner, name), r in sorted(registry._METHODS.items()))
    for name, rule in (*all_rules(), *methods):
        if not is_another_name(rule):
            found.setdefault(id(rule), (name, rule))
    return tuple(m for name, rule in found.values() for m in of_rule(name, rule))


def is_another_name(rule: Rule) -> bool:
    """Whether the function has another rule, under a name that comes first: `np.intp`."""
    try:
        found = registry.lookup(registry.resolve(rule.spelling))
    except LookupError:
        return False
    return found is not None and rule.call == "function" and found is not rule


def lookup_rule(name: str) -> Rule:
    """The rule of this name."""
    return dict(all_rules())[name]


def of_rule(name: str, rule: Rule) -> Iterator[Mutant]:
    """The mutants of one rule."""
    if rule.result != "fresh":
        what = f"the result of {name}"
        yield entry(f"{what} is new memory", rule, result="fresh", of=None)
        sure = rule.result.removeprefix("maybe_")
        if sure != rule.result and name not in VIEWS:
            yield entry(f"{what} is a view", rule, result="view", fresh_if=None)
        others = [p.name for p in rule.params if p.name != rule.of]
        if others:
            yield entry(f"{what} is that of `{others[0]}`", rule, of=others[0])
    for p in rule.writes if name not in UNSEEN else ():
        left = tuple(q for q in rule.writes if q != p)
        yield entry(f"{name} does not write `{p}`", rule, writes=left)
    if rule.impure:
        yield entry(f"{name} may be done again", rule, impure=False)


def entry(what: str, rule: Rule, **new: Any) -> Mutant:
    """A mutant that changes these fields of a rule, in the running process."""
    first = FIRST[next(iter(new))]
    by = (f"{first}[{rule.spelling}(", f"{first}[v.{rule.spelling.rpartition('.')[2]}")
    if "impure" in new:
        by = (first,)
    return Mutant(f"rules: {what}", "adtrans/rules", "", "", by, put=changing(rule, new))


def changing(rule: Rule, new: dict[str, Any]) -> Callable[[], None]:
    def put() -> None:
        for field, value in new.items():
            object.__setattr__(rule, field, value)

    return put
