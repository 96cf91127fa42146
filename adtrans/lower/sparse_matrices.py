"""Sparse matrices made of values that vary: where they stand, and what is asked of them.

A = csr_matrix((d, (i, j)), shape=s)   ->   A = (matrix_of_entries(...), d)
B = (A + dt * L).tocsc()               ->   B = sparse_as(sparse_added(A, ...), "tocsc")
y = A @ v                              ->   y = sparse_times(A[0], A[1], v)
x = spsolve(B, b)                      ->   x = sparse_solved(B[0], B[1], b)

The matrix itself carries no derivative then; the products and solutions do, by its entries. What
is sparse for certain is told by how it is written: by what makes it. `sparse_making` writes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

import gast

from adtrans.lower.plain_numbers import Numbers, is_given, numbers_in
from adtrans.lower.syntax import bound_again, in_scope
from adtrans.rules.registry import resolve
from adtrans.rules.scipy_sparse import is_sparse

Meaning: TypeAlias = "Callable[[gast.AST], object]"
_FORMS = tuple(
    f"scipy.sparse.{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("matrix", "array")
)
_DIAGONALS = ("scipy.sparse.diags", "scipy.sparse.diags_array")
_LINES = ("scipy.sparse.spdiags",)
_UNITS = tuple(f"scipy.sparse.{n}" for n in ("identity", "eye", "eye_array"))
_SOLVE = "scipy.sparse.linalg.spsolve"
_FACTORS = ("scipy.sparse.linalg.splu", "scipy.sparse.linalg.factorized")
_STACKS = {n: f"scipy.sparse.{n}" for n in ("hstack", "vstack", "block_diag", "bmat",
                                            "block_array")}  # fmt: skip
_KRON = "scipy.sparse.kron"
_AS = ("tocsr", "tocsc", "tocoo", "todia", "tolil", "tobsr", "copy")
"""Methods that return the same matrix in another form."""


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
    """Whether a function makes sparse matrices, or solves systems with them."""
    joins = (*_STACKS.values(), _KRON)
    return _is(obj, *_FORMS, *_DIAGONALS, *_LINES, *_UNITS, _SOLVE, *_FACTORS, *joins)


@dataclass(frozen=True)
class Joined:
    """A matrix that is put together of others: how (`kron`, `hstack`, ...), those in a grid, which
    has None where there is none, and the form that is asked for."""

    how: str
    grid: tuple[tuple[gast.expr | None, ...], ...]
    form: gast.expr | None

    @property
    def parts(self) -> tuple[gast.expr, ...]:
        """All of them."""
        return tuple(e for row in self.grid for e in row if e is not None)


@dataclass(frozen=True)
class Made:
    """A matrix that is made of values: of `entries`, `rows`, `elements`, `diagonals` or `lines`."""

    form: str
    call: gast.Call
    parts: tuple[gast.expr, ...]
    options: tuple[gast.keyword, ...]


@dataclass(frozen=True)
class Use:
    """What is asked of a matrix: the helper, the matrix and the other operand."""

    helper: str
    of: gast.expr
    other: gast.expr | None = None
    first: bool = False


class Algebra:
    """Tells which expressions are sparse for certain; `names`: the variables that are."""

    def __init__(self, meaning: Meaning, given: frozenset[str] = frozenset()) -> None:
        self.meaning, self.given = meaning, given
        self.numbers = Numbers(meaning)
        self.names: set[str] = set()
        self.factors: set[str] = set()
        self.makers: dict[str, list[gast.expr]] = {}  # local functions, and what they return
        self._found: dict[tuple[str, int], tuple[gast.AST, bool]] = {}

    def told(
        self, names: set[str], factors: set[str], makers: Mapping[str, list[gast.expr]]
    ) -> None:
        """Which variables are matrices, which are factorizations, and what returns matrices."""
        self.names, self.factors, self.makers = names, factors, {**makers}
        self._found.clear()

    def returned(self, node: gast.AST) -> gast.expr | None:
        """The matrix in a `return` of a local function that makes matrices."""
        value = node.value if isinstance(node, gast.Return) else None
        return value if any(value is v for vs in self.makers.values() for v in vs) else None

    def called(self, node: gast.AST) -> gast.Name | None:
        """The local function that a call makes a matrix with."""
        match node:
            case gast.Call(func=gast.Name(id=name) as fn) if name in self.makers:
                return fn
        return None

    # --- matrices

    def is_sure(self, node: gast.AST) -> bool:
        """Whether an expression is a sparse matrix that is made here, and may vary."""
        return self._once("sure", node, self._is_sure)

    def is_known(self, node: gast.AST) -> bool:
        """Whether an expression is sparse for certain."""
        return self._once("known", node, self._is_known)

    def _once(self, what: str, node: gast.AST, ask: Callable[[gast.AST], bool]) -> bool:
        """The answer to a question, which is asked again for all that an expression is part of."""
        key = (what, id(node))
        if key not in self._found:
            self._found[key] = (node, ask(node))  # the node stays, and its identity
        return self._found[key][1]

    def _is_sure(self, node: gast.AST) -> bool:
        match node:
            case gast.Name(id=name) if name in self.names:
                return True
            case gast.Call() if self.made(node) is not None or self.again(node) is not None:
                return True
            case gast.Call() if self.called(node) is not None:
                return True
            case gast.Call(func=fn) if _is(self.meaning(fn), *_UNITS):
                return True
            case gast.Call() if self.joined(node) is not None:
                return True
            case gast.BinOp() | gast.UnaryOp():  # of constant ones it is a matrix that is made here
                return any(self.is_known(p) for p in self.operands(node))
        return any(self.is_sure(p) for p in self.operands(node))

    def is_constant(self, node: gast.AST) -> bool:
        """Whether an expression is a sparse matrix that does not vary, for certain."""
        match node:
            case gast.Name() | gast.Attribute() if is_given(node, self.given):
                return True
            case gast.Name() | gast.Attribute() if is_sparse(type(self.meaning(node))):
                return True
            case gast.Call(func=fn) if _is(self.meaning(fn), *_UNITS):
                return True
        return False

    def _is_known(self, node: gast.AST) -> bool:
        if self.is_sure(node) or self.is_constant(node):
            return True
        return any(self.is_known(p) for p in self.operands(node))

    def operands(self, node: gast.AST) -> tuple[gast.expr, ...]:
        """The operands of which one tells that all of them and the result are sparse."""
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub(), right=right):
                return left, right
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                both = self.is_known(left) and self.is_known(right)
                return (left, right) if both else ()
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
                if isinstance(op, gast.Div) or self.numbers.is_number(right):
                    return (left,)
                if self.is_known(left):
                    return (left, right) if self.is_known(right) else ()
                return (right,)
            case gast.UnaryOp(op=gast.USub(), operand=operand):
                return (operand,)
            case gast.Attribute(value=base, attr="T"):
                return (base,)
            case gast.Call() if (joined := self.joined(node)) is not None:
                return joined.parts
            case gast.Call(func=gast.Attribute(value=base, attr=attr), args=args, keywords=[]):
                if (attr in (*_AS, "transpose") and not args) or (
                    attr == "asformat" and len(args) == 1
                ):
                    return (base,)
                if attr == "dot" and len(args) == 1:
                    both = self.is_known(base) and self.is_known(args[0])
                    return (base, args[0]) if both else ()
        return ()

    def scaled(self, node: gast.AST) -> gast.expr | None:
        """The matrix in `a * c`, of which it is known by where it stands that it is one, too."""
        match node:
            case gast.BinOp(left=left, op=gast.Mult()) if self.is_known(left):
                return left
        return None

    def is_product(self, node: gast.BinOp) -> bool:
        """Whether `a @ b` is one of two sparse matrices."""
        return self.is_known(node.left) and self.is_known(node.right)

    def joined(self, node: gast.AST) -> Joined | None:
        """A call that puts sparse matrices together: all of them are sparse for certain."""
        if not isinstance(node, gast.Call) or any(k.arg != "format" for k in node.keywords):
            return None
        meant, args = self.meaning(node.func), list(node.args)
        count = 2 if _is(meant, _KRON) else 1
        form = [*args[count:], *(k.value for k in node.keywords)]
        if len(args) < count or len(form) > 1:
            return None
        how = "kron" if count == 2 else next((n for n, s in _STACKS.items() if _is(meant, s)), "")
        rows = [args[:2]] if how == "kron" else _grid(how, args[0]) if how else None
        if not rows or not all(rows) or len({len(row) for row in rows}) > 1:
            return None
        grid = tuple(tuple(None if _is_none(e) else e for e in row) for row in rows)
        found = Joined(how, grid, form[0] if form else None)
        return found if found.parts and all(map(self.is_known, found.parts)) else None

    def again(self, node: gast.AST) -> gast.expr | None:
        """The matrix in `csr_matrix(a)`."""
        match node:
            case gast.Call(func=fn, args=[given], keywords=[]) if _is(self.meaning(fn), *_FORMS):
                return given if self.is_known(given) else None
        return None

    def made(self, node: gast.AST) -> Made | None:
        """A call that makes a matrix of values."""
        if not isinstance(node, gast.Call) or any(isinstance(a, gast.Starred) for a in node.args):
            return None
        maker, words = self.meaning(node.func), {k.arg: k.value for k in node.keywords}
        if None in words:
            return None
        if _is(maker, *_DIAGONALS):
            return self.diagonals(node, words)
        if _is(maker, *_LINES) and len(node.args) in (4, 5) and set(words) <= {"format"}:
            form = [gast.keyword("format", a) for a in node.args[4:]]
            return Made("lines", node, tuple(node.args[:4]), (*form, *node.keywords))
        if not _is(maker, *_FORMS) or not node.args or set(words) - {"shape", "dtype"}:
            return None
        rest = tuple(node.keywords)
        more = tuple(node.args[1:])
        match node.args[0]:
            case gast.Tuple(elts=[data, gast.Tuple(elts=[i, j])]):
                return Made("entries", node, (data, i, j, *more), rest)
            case gast.Tuple(elts=[data, indices, starts]) if not _is(
                maker, "scipy.sparse.coo_matrix", "scipy.sparse.coo_array"
            ):
                return Made("rows", node, (data, indices, starts, *more), rest)
            case gast.Tuple() | gast.List():
                return None
            case a:
                plain = not more and not self.is_known(a) and not words
                return Made("elements", node, (a,), ()) if plain else None

    def diagonals(self, node: gast.Call, words: dict[str | None, gast.expr]) -> Made | None:
        """`diags(diagonals, offsets)`, where one tells how many there are: the parts are what is
        given for the one and, where it is written, the other."""
        given = dict(zip(("diagonals", "offsets"), node.args, strict=False))
        if len(node.args) > 2 or given.keys() & words.keys():
            return None
        given |= {n: words[n] for n in ("diagonals", "offsets") if n in words}
        values, where = given.get("diagonals"), given.get("offsets")
        if values is None or _count(values, where) is None:
            return None
        return Made("diagonals", node, (values,) if where is None else (values, where), ())

    # --- what is asked of them

    def used(self, node: gast.AST) -> Use | None:
        """A product, a solution, or the elements of a matrix that may vary."""
        match node:
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                if self.is_product(node):
                    return None
                if self.is_sure(left):
                    return Use("sparse_times", left, right)
                return Use("times_sparse", right, left, True) if self.is_sure(right) else None
            case gast.BinOp(left=left, op=gast.Mult(), right=right) if self.is_sure(left):
                plain = self.numbers.is_number(right) or self.is_known(right)
                return None if plain else Use("sparse_star", left, right)
            case gast.Call(
                func=gast.Attribute(value=base, attr=attr), args=args, keywords=[]
            ) if self.is_sure(base):
                if attr == "dot" and len(args) == 1 and not self.is_known(args[0]):
                    return Use("sparse_times", base, args[0])
                if not args and attr in ("toarray", "diagonal", "sum"):
                    return Use(f"sparse_{attr}", base)
            case gast.Attribute(value=base, attr="shape") if self.is_sure(base):
                return Use("shape", base)
            case gast.Call(func=fn, args=[matrix, other], keywords=[]) if (
                _is(self.meaning(fn), _SOLVE) and self.is_sure(matrix) and not self.is_known(other)
            ):
                return Use("sparse_solved", matrix, other)
        return self.solved(node)

    def solved(self, node: gast.AST) -> Use | None:
        """What a factorization is asked: `lu.solve(b)`, `solve(b)`, `splu(A).solve(b)`."""
        match node:
            case gast.Call(
                func=gast.Attribute(value=base, attr="solve"), args=[other, *trans], keywords=[]
            ) if self.is_factored(base):
                turns = {"N": "sparse_solved", "T": "turned_solved"}
                match trans:
                    case []:
                        return Use("sparse_solved", base, other)
                    case [gast.Constant(value=str() as way)] if way in turns:
                        return Use(turns[way], base, other)
            case gast.Call(func=base, args=[other], keywords=[]) if self.is_factored(base):
                return Use("sparse_solved", base, other)
        return None

    def is_factored(self, node: gast.AST) -> bool:
        """Whether an expression is a factorization that is made here."""
        if isinstance(node, gast.Name):
            return node.id in self.factors
        return self.factored(node) is not None

    def factored(self, node: gast.AST) -> gast.expr | None:
        """The matrix that a call factorizes."""
        match node:
            case gast.Call(func=fn, args=[matrix], keywords=[]) if _is(self.meaning(fn), *_FACTORS):
                return matrix if self.is_known(matrix) else None
        return None


def _grid(how: str, given: gast.expr) -> list[list[gast.expr]] | None:
    """The blocks of a matrix as they are written, row by row."""
    if not isinstance(given, gast.List | gast.Tuple) or _starred(given):
        return None
    items = list(given.elts)
    if how == "hstack":
        return [items]
    if how == "vstack":
        return [[e] for e in items]
    if how == "block_diag":
        none = gast.Constant(None, None)
        return [[e if k == i else none for k in range(len(items))] for i, e in enumerate(items)]
    rows = [e for e in items if isinstance(e, gast.List | gast.Tuple) and not _starred(e)]
    return [list(row.elts) for row in rows] if len(rows) == len(items) else None


def _count(values: gast.expr, where: gast.expr | None) -> int | None:
    """How many diagonals a matrix has, for certain; 0 where what stands there is the only one."""
    shown = len(values.elts) if isinstance(values, gast.List | gast.Tuple) else None
    if shown is not None and (shown == 0 or _starred(values)):
        return None
    match where:
        case gast.List(elts=places) | gast.Tuple(elts=places):
            plain = places and not _starred(where)
            return len(places) if plain and shown in (None, len(places)) else None
        case gast.Name():
            return shown
        case None | gast.Constant() | gast.UnaryOp(operand=gast.Constant()):
            return 0 if shown is None else None
    return None


def _starred(node: gast.expr) -> bool:
    return any(isinstance(e, gast.Starred) for e in getattr(node, "elts", ()))


def _is_none(node: gast.AST) -> bool:
    return isinstance(node, gast.Constant) and node.value is None


def unchanged(node: gast.FunctionDef | gast.Lambda, given: frozenset[str]) -> frozenset[str]:
    """The parameters, and attributes of them, among these that stay what is given."""
    if not given:
        return given
    stored = {
        n.attr for n in gast.walk(node)
        if isinstance(n, gast.Attribute) and not isinstance(n.ctx, gast.Load)
    }  # fmt: skip
    body = [gast.Expr(node.body)] if isinstance(node, gast.Lambda) else node.body
    again = {m for m in {text.partition(".")[0] for text in given} if bound_again(m, body)}
    return frozenset(
        text for text in given
        if text.partition(".")[0] not in again and text.partition(".")[2] not in stored
    )  # fmt: skip


def variables(
    body: gast.FunctionDef, meaning: Meaning, bound: Mapping[str, int],
    matrices: frozenset[str] = frozenset(), numbers: frozenset[str] = frozenset(),
) -> Algebra:  # fmt: skip
    """The variables that are only bound to such matrices, and of which only that is asked;
    `bound`: how often variables are bound; `matrices`, `numbers`: what is given as such."""
    found = Algebra(meaning, matrices)
    found.numbers = numbers_in(body, meaning, numbers)
    values: dict[str, list[gast.expr]] = {}
    declared: set[str] = set()
    functions: dict[str, list[gast.expr]] = {}
    for n in gast.walk(body):
        match n:
            case gast.Assign(targets=[gast.Name(id=name)], value=value):
                values.setdefault(name, []).append(value)
            case gast.Nonlocal(names=names):
                declared.update(names)
            case gast.FunctionDef(name=name) if n is not body and bound.get(name) == 1:
                functions[name] = _returned(n)
    candidates = {v for v, given in values.items() if bound.get(v) == len(given)} - declared
    growing = True
    while growing:
        sure = {v for v in candidates if any(found.is_sure(e) for e in values[v])}
        made = {v for v in candidates if any(found.factored(e) is not None for e in values[v])}
        makers = {f: r for f, r in functions.items() if any(map(found.is_sure, r))}
        growing = (sure, made, makers) != (found.names, found.factors, found.makers)
        found.told(sure, made, makers)
    while True:
        sure = {v for v in found.names if all(found.is_sure(e) for e in values[v])}
        made = {v for v in found.factors if all(found.factored(e) is not None for e in values[v])}
        makers = {f: r for f, r in found.makers.items() if all(map(found.is_sure, r))}
        if (sure, made, makers) == (found.names, found.factors, found.makers):
            lost = _lost(body, found)
            if not lost:
                return found
            sure, made = sure - lost, made - lost
            makers = {f: r for f, r in makers.items() if f not in lost}
        found.told(sure, made, makers)


def _returned(fn: gast.FunctionDef) -> list[gast.expr]:
    """What a function returns that has no other way out; nothing where it may have."""
    own = list(in_scope(fn.body))
    plain = not fn.decorator_list and isinstance(fn.body[-1], gast.Return)
    if not plain or any(isinstance(n, gast.Yield | gast.YieldFrom) for n in own):
        return []
    values = [n.value for n in own if isinstance(n, gast.Return)]
    found = [v for v in values if v is not None]
    return found if len(found) == len(values) else []


def _lost(body: gast.FunctionDef, found: Algebra) -> set[str]:
    """The variables that are read elsewhere than in what is understood."""
    expected: set[int] = set()

    def matrix(node: gast.AST) -> None:
        expected.add(id(node))
        expected.add(id(found.called(node)))
        again = found.again(node)
        if again is not None:
            matrix(again)
        for operand in found.operands(node) if found.is_known(node) else ():
            matrix(operand)

    for n in gast.walk(body):
        use = found.used(n)
        if use is not None:
            expected.add(id(use.of)) if found.solved(n) is not None else matrix(use.of)
        factored = found.factored(n)
        if factored is not None:
            matrix(factored)
        returned = found.returned(n)
        if returned is not None:
            matrix(returned)
        if isinstance(n, gast.Assign) and found.is_sure(n.value):
            match n.targets:
                case [gast.Name(id=name)] if name in found.names:
                    matrix(n.value)
    return {
        n.id for n in gast.walk(body)
        if isinstance(n, gast.Name) and isinstance(n.ctx, gast.Load)
        and n.id in found.names | found.factors | found.makers.keys() and id(n) not in expected
    }  # fmt: skip
