"""Writes the pairs of a sparse matrix and its entries, and what uses them; see `sparse`."""

from __future__ import annotations

import copy

import gast
import numpy as np

from adtrans.ir.names import NameAllocator
from adtrans.lower.sparse_matrices import Algebra, Joined, Made, Use
from adtrans.runtime import find


class Making:
    """`objects`: what the names in the new expressions mean; `algebra`: what is sparse."""

    def __init__(self, names: NameAllocator, objects: dict[str, object]) -> None:
        self.names, self.objects = names, objects
        self.algebra: Algebra | None = None

    def matrix(self, node: gast.expr) -> gast.expr:
        """The pair for a sparse matrix."""
        algebra = self.algebra
        assert algebra is not None
        made = algebra.made(node)
        if made is not None:
            return _placed(self.made(made), node)
        again = algebra.again(node)
        if again is not None:
            assert isinstance(node, gast.Call)
            return self.helper("sparse_again", node, node.func, self.matrix(again))
        if not algebra.is_known(node) and algebra.scaled(node) is not None:
            return self.operation(node)
        if not algebra.is_known(node) or algebra.is_constant(node):
            plain = copy.deepcopy(node)
            if isinstance(plain, gast.Call) and algebra.is_constant(node):
                plain = self.call(find("plain_matrix"), "plain", [plain.func, *plain.args],
                                  plain.keywords)  # fmt: skip
            return self.helper("sparse_constant", node, plain)
        return self.operation(node)

    def operation(self, node: gast.expr) -> gast.expr:
        """The pair for what is computed of sparse matrices."""
        assert self.algebra is not None
        joined = self.algebra.joined(node)
        if joined is not None:
            assert isinstance(node, gast.Call)
            return _placed(self.joined(node, joined), node)
        match node:
            case gast.BinOp(left=left, op=gast.Add() | gast.Sub() as op, right=right):
                sign: gast.expr = gast.Constant(1 if isinstance(op, gast.Add) else -1, None)
                return self.helper(
                    "sparse_added", node, self.matrix(left), self.matrix(right), sign
                )
            case gast.BinOp(left=left, op=gast.MatMult(), right=right):
                return self.helper("sparse_product", node, self.matrix(left), self.matrix(right))
            case gast.BinOp(left=left, op=gast.Mult() | gast.Div() as op, right=right):
                given = self.algebra.operands(node)
                if len(given) == 2:
                    pairs = (self.matrix(left), self.matrix(right))
                    return self.helper("sparse_starred", node, *pairs)
                if given and given[0] is right:
                    return self.helper("scaled_sparse", node, left, self.matrix(right))
                word = gast.Constant("/" if isinstance(op, gast.Div) else "*", None)
                return self.helper("sparse_scaled", node, self.matrix(left), right, word)
            case gast.UnaryOp(operand=operand):
                return self.helper("sparse_negated", node, self.matrix(operand))
            case gast.Attribute(value=base):
                return self.helper("sparse_turned", node, self.matrix(base))
            case gast.Call(func=gast.Attribute(value=base, attr="dot"), args=[other]):
                return self.helper("sparse_product", node, self.matrix(base), self.matrix(other))
            case gast.Call(func=gast.Attribute(value=base, attr="transpose")):
                return self.helper("sparse_turned", node, self.matrix(base))
            case gast.Call(func=gast.Attribute(value=base, attr="asformat"), args=[form]):
                return self.helper("sparse_format", node, self.matrix(base), form)
            case gast.Call(func=gast.Attribute(value=base, attr=method)):
                return self.helper(
                    "sparse_as", node, self.matrix(base), gast.Constant(method, None)
                )
        assert isinstance(node, gast.Name) or self.algebra.called(node) is not None
        return copy.deepcopy(node)

    def joined(self, node: gast.Call, joined: Joined) -> gast.expr:
        """The pair for a matrix that is put together of others: their entries one after the other,
        or each of the one times each of the other."""
        form = joined.form or gast.Constant(None, None)
        if joined.how == "kron":
            pairs = (self.matrix(e) for e in joined.parts)
            return self.helper("sparse_kron", node, node.func, *pairs, form)
        matrices: list[gast.expr] = []
        entries: list[gast.expr] = []
        for e in joined.parts:
            name = self.names.fresh("block")
            pair = self.walrus(name, self.matrix(e))
            matrices.append(gast.Subscript(pair, gast.Constant(0, None), gast.Load()))
            entries.append(gast.Subscript(_name(name), gast.Constant(1, None), gast.Load()))
        count = iter(range(len(matrices)))
        grid = gast.Tuple([
            gast.Tuple([gast.Constant(None if e is None else next(count), None) for e in row],
                       gast.Load()) for row in joined.grid
        ], gast.Load())  # fmt: skip
        given = [copy.deepcopy(node.func), gast.Constant(joined.how, None), grid,
                 copy.deepcopy(form), *matrices]  # fmt: skip
        made = self.call(find("matrix_of_blocks"), "matrix_of", given)
        data = self.call(np.concatenate, "joined", [gast.Tuple(entries, gast.Load())])
        return gast.Tuple([made, data], gast.Load())

    def factored(self, node: gast.Call, matrix: gast.expr) -> gast.expr:
        """The pair for a factorization."""
        return self.helper("sparse_factored", node, node.func, self.matrix(matrix))

    def use(self, node: gast.AST, use: Use) -> gast.expr:
        """A product, a solution, or the elements of a matrix."""
        assert self.algebra is not None
        of = use.of
        factorized = self.algebra.factored(of)
        if factorized is not None:
            assert isinstance(of, gast.Call)
            pair = self.factored(of, factorized)
        else:
            pair = copy.deepcopy(of) if self.algebra.is_factored(of) else self.matrix(of)
        before: list[gast.expr] = [] if use.other is None else [copy.deepcopy(use.other)]
        first: gast.expr = pair
        if isinstance(pair, gast.Name):
            name = pair.id
        else:
            name = self.names.fresh("matrix")
            first = gast.NamedExpr(gast.Name(name, gast.Store(), None, None), pair)
        parts: list[gast.expr] = [
            gast.Subscript(base, gast.Constant(k, None), gast.Load())
            for k, base in enumerate((first, _name(name)))
        ]
        if use.helper == "shape":
            return _placed(self.shape(first, name), node)
        args = [*before, *parts] if use.first else [*parts, *before]
        if use.helper == "sparse_toarray":
            args.append(self.shape(_name(name), name))
        return _placed(self.call(find(use.helper), use.helper, args), node)

    def shape(self, first: gast.expr, name: str) -> gast.expr:
        """The rows and columns of a matrix, so that two axes are seen."""
        sizes: list[gast.expr] = []
        for k, base in enumerate((first, _name(name))):
            part = gast.Subscript(base, gast.Constant(0, None), gast.Load())
            sizes.append(self.size("size_along", part, gast.Constant(k, None)))
        return gast.Tuple(sizes, gast.Load())

    def size(self, helper: str, *args: gast.expr) -> gast.expr:
        """A number that is seen to be an integer."""
        return self.call(int, "int", [self.call(find(helper), "size", list(args))])

    def made(self, made: Made) -> gast.expr:
        """The pair for a matrix that is made of values."""
        call, parts = made.call, [copy.deepcopy(p) for p in made.parts]
        words = list(copy.deepcopy(made.options))
        fn = copy.deepcopy(call.func)
        if made.form == "diagonals":
            return self.diagonals(call, *made.parts)
        if made.form == "lines":
            return self.lines(fn, parts, words)
        count = 1 if made.form == "elements" else 3
        kept = [self.names.fresh(n) for n in ("entries", "rows", "columns")[:count]]
        values = [self.walrus(n, e) for n, e in zip(kept, parts, strict=False)]
        given = [fn, *values, *parts[count:]]
        matrix = self.call(find(f"matrix_of_{made.form}"), "matrix_of", given, words)
        # what happens to the arguments later is no matter
        data = self.call(find("elements_of") if count == 1 else np.array, "array", [_name(kept[0])])
        if count == 1:  # there is one axis, also where that is not seen
            data = self.call(np.reshape, "reshape", [data, gast.Constant(-1, None)])
        return gast.Tuple([matrix, data], gast.Load())

    def diagonals(
        self, call: gast.Call, values: gast.expr, where: gast.expr | None = None
    ) -> gast.expr:
        """Of diagonals, which the function of SciPy is given as they are written: its entries are
        these, one after the other."""
        matrix, offsets = self.names.fresh("matrix"), self.names.fresh("offsets")
        made = copy.deepcopy(call)
        lines: list[gast.expr]
        stands: dict[int, gast.expr] = {}
        several = True
        if isinstance(values, gast.List | gast.Tuple):
            kept = [self.names.fresh("diagonal") for _ in values.elts]
            shown: list[gast.expr] = [
                self.walrus(n, copy.deepcopy(d)) for n, d in zip(kept, values.elts, strict=True)
            ]
            lines = [_name(n) for n in kept]
            stands[id(values)] = type(values)(shown, gast.Load())
        else:
            name = self.names.fresh("diagonals")
            lines = [_name(name)]
            several = isinstance(where, gast.List | gast.Tuple)
            if isinstance(where, gast.List | gast.Tuple):
                lines = [_item(name, k) for k in range(len(where.elts))]
            stands[id(values)] = self.walrus(name, copy.deepcopy(values))
        places: list[gast.expr] = [gast.Constant(0, None)]
        if where is not None:
            stands[id(where)] = self.walrus(offsets, copy.deepcopy(where))
            places = [_name(offsets)]
            if several:
                places = [_item(offsets, k) for k in range(len(lines))]
        args = [stands.get(id(a)) or b for a, b in zip(call.args, made.args, strict=True)]
        words = [gast.keyword(k.arg, stands.get(id(k.value)) or m.value)
                 for k, m in zip(call.keywords, made.keywords, strict=True)]  # fmt: skip
        found = self.call(find("matrix_of_diagonals"), "matrix_of",
                          [made.func, gast.Constant(len(lines) * several, None), *args],
                          words)  # fmt: skip
        spread: list[gast.expr] = []
        for line, place in zip(lines, places, strict=True):
            length = self.call(find("diagonal_length"), "length", [_name(matrix), place])
            size = self.names.fresh("length")
            flat = self.call(np.reshape, "reshape", [line, gast.Constant(-1, None)])
            used = gast.Slice(None, self.walrus(size, length), None)  # SciPy cuts off the rest
            cut = gast.Subscript(flat, used, gast.Load())
            shape = gast.Tuple([_name(size)], gast.Load())
            spread.append(self.call(np.broadcast_to, "broadcast", [cut, shape]))
        data = self.call(np.concatenate, "joined", [gast.Tuple(spread, gast.Load())])
        return gast.Tuple([self.walrus(matrix, found), data], gast.Load())

    def lines(self, fn: gast.expr, parts: list[gast.expr], words: list[gast.keyword]) -> gast.expr:
        """Of diagonals as `spdiags` is given them."""
        matrix, lines, where = (self.names.fresh(n) for n in ("matrix", "lines", "offsets"))
        given = [fn, self.walrus(lines, parts[0]), self.walrus(where, parts[1]), *parts[2:]]
        made = self.call(find("matrix_of_lines"), "matrix_of", given, words)
        shape = gast.Tuple([self.size("entry_count", _name(matrix))], gast.Load())
        which = self.call(find("diagonal_numbers"), "which", [_name(matrix), _name(where), shape])
        columns = self.call(find("columns_of"), "columns", [_name(matrix), copy.deepcopy(shape)])
        data = self.call(find("lines_entries"), "entries", [_name(lines), columns, which])
        return gast.Tuple([self.walrus(matrix, made), data], gast.Load())

    def helper(self, name: str, node: gast.expr, *args: gast.expr) -> gast.expr:
        return _placed(self.call(find(name), name, [copy.deepcopy(a) for a in args]), node)

    def call(
        self, obj: object, hint: str, args: list[gast.expr],
        keywords: list[gast.keyword] | None = None,
    ) -> gast.Call:  # fmt: skip
        """A call of an object."""
        name = self.names.fresh(hint)
        self.objects[name] = obj
        return gast.Call(_name(name), args, keywords or [])

    def walrus(self, name: str, value: gast.expr) -> gast.NamedExpr:
        """A value that gets a name."""
        return gast.NamedExpr(gast.Name(name, gast.Store(), None, None), value)


def _name(name: str) -> gast.Name:
    return gast.Name(name, gast.Load(), None, None)


def _item(name: str, k: int) -> gast.Subscript:
    return gast.Subscript(_name(name), gast.Constant(k, None), gast.Load())


def _placed(made: gast.expr, like: gast.AST) -> gast.expr:
    for n in gast.walk(made):
        if not hasattr(n, "lineno"):
            gast.copy_location(n, like)
    return made
