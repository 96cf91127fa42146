"""Sparse matrices made of values that vary: the matrix, and beside it its entries and places.

A = csr_matrix((d, (i, j)), shape=s)   ->   A = (csr_matrix(...), d, i, j)
y = A @ v                              ->   y = sparse_times(*A, v)
x = spsolve(A, b)                      ->   x = sparse_solved(*A, b)

The matrix itself carries no derivative then; the products and solutions do, by its entries.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import TypeAlias

import gast
import numpy as np

from adtrans.ir.names import NameAllocator
from adtrans.rules.registry import resolve
from adtrans.runtime import find

Meaning: TypeAlias = "Callable[[gast.AST], object]"
_BY_PLACES = tuple(
    f"scipy.sparse.{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("matrix", "array")
)
_BY_DIAGONALS = ("scipy.sparse.diags", "scipy.sparse.diags_array")
_SOLVE = "scipy.sparse.linalg.spsolve"


def _is(obj: object, *spellings: str) -> bool:
    """Whether an object is one of these functions; SciPy is not imported for that."""
    module = str(getattr(obj, "__module__", ""))
    if not module.startswith("scipy.sparse"):
        return False
    for s in spellings:
        try:
            if resolve(s) is obj:
                return True
        except LookupError:
            continue
    return False


def is_maker(obj: object) -> bool:
    """Whether a function makes sparse matrices of entries."""
    return _is(obj, *_BY_PLACES, *_BY_DIAGONALS)


def entries(node: gast.AST, meaning: Meaning) -> list[gast.expr] | None:
    """The entries, rows and columns, or the diagonals, that a call makes a matrix of."""
    match node:
        case gast.Call(
            func=fn,
            args=[gast.Tuple(elts=[data, gast.Tuple(elts=[rows, columns])]), *_],
        ) if _is(meaning(fn), *_BY_PLACES):
            return [data, rows, columns]
        case gast.Call(func=fn, args=[diagonal]) if _is(meaning(fn), *_BY_DIAGONALS):
            display = isinstance(diagonal, gast.List | gast.Tuple)
            given = any(k.arg in (None, "offsets", "diagonals") for k in node.keywords)
            return None if display or given else [diagonal]
        case gast.Call(
            func=fn, args=[gast.List(elts=diagonals) | gast.Tuple(elts=diagonals), where]
        ) if _is(meaning(fn), *_BY_DIAGONALS):
            places = where.elts if isinstance(where, gast.List | gast.Tuple) else []
            starred = any(isinstance(d, gast.Starred) for d in diagonals)
            return diagonals if len(places) == len(diagonals) and not starred else None
        case _:
            return None


def used(node: gast.AST, meaning: Meaning) -> tuple[str, gast.expr, str] | None:
    """A product or a solution: the variable of the matrix, the other operand, the helper."""
    match node:
        case gast.BinOp(left=gast.Name(id=name), op=gast.MatMult(), right=other):
            return name, other, "sparse_times"
        case gast.Call(
            func=gast.Attribute(value=gast.Name(id=name), attr="dot"), args=[other], keywords=[]
        ):
            return name, other, "sparse_times"
        case gast.Call(func=fn, args=[gast.Name(id=name), other], keywords=[]):
            return (name, other, "sparse_solved") if _is(meaning(fn), _SOLVE) else None
        case _:
            return None


def variables(body: gast.AST, meaning: Meaning) -> dict[str, gast.Call]:
    """The variables that are bound once, to such a matrix that is only used in these ways."""
    bound: dict[str, int] = {}
    found: dict[str, gast.Call] = {}
    times: dict[str, int] = {}
    for n in gast.walk(body):
        if isinstance(n, gast.Name):
            change = -1 if isinstance(n.ctx, gast.Load) else 0
            times[n.id] = times.get(n.id, 0) + change
            bound[n.id] = bound.get(n.id, 0) + 1 + change
        if (use := used(n, meaning)) is not None:
            times[use[0]] = times.get(use[0], 0) + 1
        match n:
            case gast.Assign(targets=[gast.Name(id=name)], value=gast.Call() as call):
                if entries(call, meaning) is not None:
                    found[name] = call
    return {v: c for v, c in found.items() if bound[v] == 1 and times[v] == 0}


class Making:
    """Writes the tuples, and what uses them; `objects`: what the names in them mean."""

    def __init__(self, names: NameAllocator, objects: dict[str, object]) -> None:
        self.names, self.objects = names, objects

    def parts(self, call: gast.Call, meaning: Meaning) -> gast.expr:
        """The tuple for a matrix."""
        found = entries(call, meaning)
        assert found is not None
        made = copy.deepcopy(call)
        if len(found) == 3 and isinstance(made.args[0], gast.Tuple):
            kept = [self.names.fresh(n) for n in ("entries", "rows", "columns")]
            values = [self.walrus(n, e) for n, e in zip(kept, found, strict=True)]
            given = [made.func, *values, *made.args[1:]]
            made = self.call(find("matrix_of_entries"), "matrix_of", given, made.keywords)
            # what happens to the arguments later is no matter
            items: list[gast.expr] = [
                made, *(self.call(np.array, "array", [_name(n)]) for n in kept)
            ]
        else:
            items = self.diagonals(made, found)
        whole = gast.Tuple(items, gast.Load())
        for n in gast.walk(whole):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, call)
        return whole

    def diagonals(self, made: gast.Call, found: list[gast.expr]) -> list[gast.expr]:
        """The matrix, the entries of its diagonals one after the other, and their places."""
        matrix, where = self.names.fresh("matrix"), self.names.fresh("offsets")
        kept = [self.names.fresh("diagonal") for _ in found]
        given: list[gast.expr] = [
            self.walrus(n, d) for n, d in zip(kept, found, strict=True)
        ]
        offsets: gast.expr = gast.Tuple([gast.Constant(0, None)], gast.Load())
        several = len(made.args) > 1
        if several:
            offsets = gast.Tuple(list(_items(made.args[1])), gast.Load())
        bound = self.walrus(where, copy.deepcopy(offsets))
        made = self.call(find("matrix_of_diagonals"), "matrix_of", [made.func, bound, *given],
                         made.keywords)  # fmt: skip
        offsets = _name(where)
        spread: list[gast.expr] = []
        for k, name in enumerate(kept):
            place = gast.Subscript(copy.deepcopy(offsets), gast.Constant(k, None), gast.Load())
            length = self.call(find("diagonal_length"), "length", [_name(matrix), place])
            shape = gast.Tuple([length], gast.Load())
            spread.append(self.call(np.broadcast_to, "broadcast", [_name(name), shape]))
        data = self.call(np.concatenate, "joined", [gast.Tuple(spread, gast.Load())])
        places = [self.call(find(f"diagonal_{n}"), n, [_name(matrix), copy.deepcopy(offsets)])
                  for n in ("rows", "columns")]  # fmt: skip
        return [self.walrus(matrix, made), data, *places]

    def use(self, node: gast.AST, use: tuple[str, gast.expr, str]) -> gast.expr:
        """A product or a solution."""
        name, other, helper = use
        parts: list[gast.expr] = [
            gast.Subscript(_name(name), gast.Constant(k, None), gast.Load()) for k in range(4)
        ]
        made = self.call(find(helper), helper, [*parts, other])
        for n in gast.walk(made):
            if not hasattr(n, "lineno"):
                gast.copy_location(n, node)
        return made

    def call(
        self, obj: object, hint: str, args: list[gast.expr],
        keywords: list[gast.keyword] | None = None,
    ) -> gast.Call:  # fmt: skip
        name = self.names.fresh(hint)
        self.objects[name] = obj
        return gast.Call(_name(name), args, keywords or [])

    def walrus(self, name: str, value: gast.expr) -> gast.NamedExpr:
        return gast.NamedExpr(gast.Name(name, gast.Store(), None, None), value)


def _items(node: gast.expr) -> list[gast.expr]:
    assert isinstance(node, gast.List | gast.Tuple)
    return node.elts


def _name(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


