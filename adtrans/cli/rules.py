"""`adtrans rules [PREFIX]`: the functions that have a derivative rule, and what the rules say.

adtrans rules np.linalg
adtrans rules np --format names       # what has a derivative, is constant, or is refused
adtrans rules np.sum --format json    # formulas for both directions, needs, memory
adtrans rules np --coverage           # every public function of a module
adtrans rules --format counts         # how many there are
"""

from __future__ import annotations

import argparse
import difflib
import importlib
import json
import re
import textwrap
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING

import numpy as np

from adtrans.cli.exit_codes import FINDINGS, FINE
from adtrans.cli.output import say

if TYPE_CHECKING:
    from adtrans.rules.rule_listing import Entry

FORMATS = ("text", "names", "counts", "markdown", "json")
TITLES = {
    "rule": "with a derivative", "through": "differentiated through", "constant": "constant",
    "fixed": "constant where no argument varies, refused otherwise",
    "refused": "refused, with a reason", "unclassified": "unclassified",
}  # fmt: skip


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the sub-command."""
    parser = commands.add_parser("rules", help="list the functions that have a rule")
    parser.add_argument("prefix", metavar="PREFIX", nargs="?", default="", help="such as np.linalg")
    parser.add_argument("--format", choices=FORMATS, default="text")
    parser.add_argument(
        "--coverage", action="store_true", help="every public function of the module PREFIX"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Print the rules whose name begins with the prefix, or the functions of a module."""
    from adtrans.rules import all_rules, describe
    from adtrans.rules.rule_listing import entries, survey

    prefix = re.sub(r"^np\b", "numpy", args.prefix)
    if args.coverage:
        try:
            found = survey(importlib.import_module(prefix))
        except (ImportError, ValueError):
            modules = {n.rpartition(".")[0] for n, _ in all_rules()}
            alike = [n for n in near(prefix, modules) if n in modules]
            more = f"; there is {', '.join(f'`{n}`' for n in alike)}" if alike else ""
            say(f"no module `{args.prefix}`{more}")
            return FINDINGS
    else:
        found = whole(entries(prefix), prefix)
    if not found:
        alike = near(prefix, [n for n, _ in all_rules()])
        more = f"; there is {', '.join(f'`{n}`' for n in alike)}" if alike else ""
        say(f"no rule for `{args.prefix}`{more}")
        return FINDINGS
    if args.format == "json":
        print(json.dumps([asdict(e) for e in found], indent=1))
    elif args.format == "markdown":
        print(markdown(found))
    elif args.format == "counts":
        print(counts(found))
    elif args.format == "names" or args.coverage:
        print(names(found))
    else:
        lines = {e.name: f"{e.signature}  {e.why}" for e in found if e.form == "handed"}
        shown = {e.name for e in found}
        lines.update({n: describe(r) for n, r in all_rules() if n in shown})
        width = max(len(name) for name in lines)
        for name, text in sorted(lines.items()):
            print(f"{name:<{width}}  {text}")
    return FINDINGS if any(e.status == "unclassified" for e in found) else FINE


def whole(found: list[Entry], name: str) -> list[Entry]:
    """Of what begins with a name, what is called so or is in it: not `exp2` for `exp`. All, where
    nothing is."""
    inside = [e for e in found if e.name == name or e.name.startswith(f"{name.rstrip('.')}.")]
    return inside or found


def near(prefix: str, known: Iterable[str]) -> list[str]:
    """A few names, of functions and of what they are in, that are like one that there is not.

    >>> near("numpy.linlag", ["numpy.linalg.inv", "numpy.linalg.svd", "numpy.sin"])
    ['numpy.linalg']
    >>> near("tanhh", ["numpy.tanh", "math.tanh", "numpy.sin"])
    ['math.tanh', 'numpy.tanh']
    >>> near("arctan2", ["numpy.arctan2", "numpy.arctan2.outer", "math.atan2"])
    ['numpy.arctan2', 'numpy.arctan2.outer']
    """
    known = sorted(known)
    wanted = prefix.strip(".").lower()
    last = wanted.rpartition(".")[2]
    if not last:
        return []
    exact = [n for n in known if last in n.split(".")[1:]][:4]
    if exact:
        return exact
    whole = dict.fromkeys([*known, *(n.rpartition(".")[0] for n in known if "." in n)])
    if "." in wanted:
        return difflib.get_close_matches(wanted, whole, 4, 0.85)
    by_last: dict[str, list[str]] = {}
    for n in whole:
        by_last.setdefault(n.rpartition(".")[2], []).append(n)
    close = difflib.get_close_matches(last, by_last, 4, 0.8)
    return [n for word in close for n in by_last[word]][:4]


def names(found: list[Entry]) -> str:
    """The names of the functions by what is done with them, with their numbers.

    >>> from adtrans.rules.rule_listing import entries
    >>> print(names(entries("math.f")))
    math: 5 with a derivative
      fabs fma fmod frexp fsum
    math: 2 constant
      factorial floor
    """
    parts = []
    for module, by_status in by_module(found).items():
        for status, title in TITLES.items():
            if status in by_status:
                listed = by_status[status]
                text = textwrap.fill(" ".join(listed), 96, initial_indent="  ",
                                     subsequent_indent="  ", break_on_hyphens=False)  # fmt: skip
                parts.append(f"{module}: {len(listed)} {title}\n{text}")
    return "\n".join(parts)


def by_module(found: list[Entry]) -> dict[str, dict[str, list[str]]]:
    """The names in each module, by what is done with them; methods count with the module.

    >>> from adtrans.rules.rule_listing import entries
    >>> by_module(entries("math.fa"))
    {'math': {'rule': ['fabs'], 'constant': ['factorial']}}
    """
    modules: dict[str, dict[str, list[str]]] = {}
    for e in found:
        module, _, name = e.name.rpartition(".")
        owner, _, of = module.rpartition(".")
        inside = of in ("r_", "c_") or isinstance(vars(np).get(of), np.ufunc)
        if owner == "scipy.stats" or (owner == "numpy" and inside):
            module, name = owner, f"{of}.{name}"  # of a distribution, or a universal function
        elif e.name.startswith("operator "):
            module = "operators"
        status = "fixed" if e.status == "constant" and e.why else e.status
        modules.setdefault(module or "builtins", {}).setdefault(status, []).append(name)
    return modules


def counts(found: list[Entry]) -> str:
    """How many functions there are in each module, and in all.

    >>> from adtrans.rules.rule_listing import entries
    >>> print(counts(entries("math.f")))
                with a derivative  constant  refused
    math                        5         2        0
    """
    shown = ("rule", "constant", "refused")
    modules = by_module(found)
    parts = {"constant": ("constant", "fixed")}
    rows = {m: [sum(len(s.get(p, ())) for p in parts.get(k, (k,))) for k in shown]
            for m, s in modules.items()}  # fmt: skip
    if len(rows) > 1:
        rows["in all"] = [sum(column) for column in zip(*rows.values(), strict=True)]
    width = max(10, *(len(m) for m in rows))
    heads = ("with a derivative", "constant", "refused")
    lines = [f"{'':<{width}}" + "".join(f"  {h}" for h in heads)]
    for module, numbers in rows.items():
        cells = (f"  {n:>{len(h)}}" for n, h in zip(numbers, heads, strict=True))
        lines.append(f"{module:<{width}}" + "".join(cells))
    return "\n".join(lines)


def markdown(found: list[Entry]) -> str:
    """A table with the formulas, and what each function returns and writes."""
    lines = ["| function | | derivative | result |", "|---|---|---|---|"]
    for e in found:
        formulas = "<br>".join(f"`{p}`: `{f[0]}`" for p, f in e.pullback.items())
        if e.status == "rule" and not formulas and not e.why:
            formulas = f"of `{e.expansion}`" if e.expansion else "depends on the arguments"
        memory = e.result + "".join(f", writes {w}" for w in e.writes)
        memory += "; complex" if "complex128" in e.dtypes else ""
        formulas = formulas.replace("|", "\\|").replace("\n", "; ")
        lines.append(f"| `{e.name}` | {TITLES[e.status]} | {formulas or e.why} | {memory} |")
    return "\n".join(lines)
