"""The tangent of what is linear in its active parameters: the primitive itself, of tangents.

>>> from adtrans.rules import lookup
>>> concatenate = lookup(np.concatenate)
>>> arrays = E.Sequence("list", (Name("u"), Name("v")))
>>> print(tangent(concatenate, {"arrays[0]"}, Site(concatenate.bind((arrays,)), {})))
np.concatenate([arrays[0]_dot, np.zeros_like(arrays[1])])
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.expr import Const, Expr, Name, Ref
from adtrans.rules.formula import Formula, make, refine
from adtrans.rules.signature import item, leaves, literal
from adtrans.rules.site import Site
from adtrans.rules.spelled import call

if TYPE_CHECKING:
    from adtrans.rules.rule import Rule


def tangent(rule: Rule, names: set[str], site: Site) -> Formula:
    """The primitive itself, applied to tangents; what carries none counts as zero."""
    replaced: dict[str, Expr] = {}
    for p in rule.params:
        active = p.name in rule.active_params
        replaced[p.name] = _tangent_of(rule, p.name, names, site) if active else Name(p.name)
    return make(refine(call(rule, site, replaced, {"out"}), site.kinds))


def _tangent_of(rule: Rule, name: str, names: set[str], site: Site) -> Expr:
    if name in names:
        return Name(f"{name}_dot")
    inside = any(n.startswith(f"{name}[") for n in names)
    if rule.multilinear and "[" not in name and not inside:
        return Name(name)  # another factor, as it is
    value = site.bound.get(name)
    flat = "[" in name and not rule.param(name.partition("[")[0]).nested
    constant = flat and not any(n.startswith(f"{name}[") for n in names)
    if isinstance(value, E.Sequence) and constant and rule.multilinear:
        return Name(name)  # another factor, written as its items
    if isinstance(value, E.Sequence) and constant:
        return _zeros(name)
    if isinstance(value, E.Sequence) and not rule.param(name.partition("[")[0]).sequence:
        return _zeros(name)  # one array, written as its items
    if isinstance(value, E.Sequence) and leaves(site.bound, name) != (name,):
        parts = [_tangent_of(rule, item(name, i), names, site) for i in range(len(value.items))]
        return E.Sequence(value.kind, tuple(parts))
    if "[" in name and isinstance(value, Const):
        return Const(0.0)
    if rule.multilinear or literal(site.bound.get(name)) is None:
        return Name(name)
    return _zeros(name)


def _zeros(name: str) -> Expr:
    return E.Call(Ref("np.zeros_like", np.zeros_like), (Name(name),))
