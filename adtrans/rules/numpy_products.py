"""Products of vectors, matrices and tensors.

>>> from adtrans.ir.expr import Const, Name
>>> from adtrans.ir.kinds import Array
>>> from adtrans.rules import lookup
>>> import numpy as np
>>> product = lookup(np.matmul)
>>> bound = product.bind((Name("w"), Name("x")), ())
>>> matrix, vector = Array("float64", (None, None)), Array("float64", (None,))
>>> print(product.pullback("a", bound, {"a": matrix, "b": vector})[0])
y_bar[:, None] * b
>>> print(product.pullback("b", bound, {"a": matrix, "b": vector})[0])
y_bar @ a
>>> einsum = lookup(np.einsum)
>>> bound = einsum.bind((Const("ij,jk->ik"), Name("u"), Name("v")), ())
>>> square = Array("float64", (None, None), frozenset({0, 1}))
>>> print(einsum.pullback("operands[0]", bound, {"operands[0]": square})[0])
np.einsum('ik,jk->ij', y_bar, operands[1])
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from adtrans.ir.affine import Affine
from adtrans.ir.expr import Const, Expr, Sequence, Star
from adtrans.ir.kinds import TEXT, Array
from adtrans.rules.declare import VECTOR, Site, Thin, multilinear
from adtrans.rules.signature import item, literal
from adtrans.rules.site import Text


def _turned(site: Site) -> bool:
    """Whether it is said which axes are those of the matrices."""
    return "axes" in site.bound and site.const("axes") is not None


def _turned_refusal(site: Site) -> str | None:
    plain = not _turned(site) or all((site.ndim(v) or 0) >= 2 for v in "ab")
    return None if plain else "with `axes=` its rule is for two matrices, or stacks of them"


def matmul_a(site: Site) -> Text:
    """The adjoint of the left operand of `a @ b`."""
    if _turned(site):
        return ("np.moveaxis(matmul_left(np.moveaxis(y_bar, axes[2], (-2, -1)), "
                "moved_shape(np.shape(a), axes[0]), np.moveaxis(b, axes[1], (-2, -1))), "
                "(-2, -1), axes[0])")  # fmt: skip
    match site.ndim("a"), site.ndim("b"):
        case 2, 2:
            return "y_bar @ b.T"
        case 1, 1:
            return "y_bar * b"
        case 2, 1:
            return "y_bar[:, None] * b"
        case 1, 2:
            return "b @ y_bar"
        case _:
            return "matmul_left(y_bar, np.shape(a), b)"


def matmul_b(site: Site) -> Text:
    """The adjoint of the right operand of `a @ b`."""
    if _turned(site):
        return ("np.moveaxis(matmul_right(np.moveaxis(y_bar, axes[2], (-2, -1)), "
                "np.moveaxis(a, axes[0], (-2, -1)), moved_shape(np.shape(b), axes[1])), "
                "(-2, -1), axes[1])")  # fmt: skip
    match site.ndim("a"), site.ndim("b"):
        case 2, 2:
            return "a.T @ y_bar"
        case 1, 1:
            return "y_bar * a"
        case 2, 1:
            return "y_bar @ a"
        case 1, 2:
            return "a[:, None] * y_bar"
        case _:
            return "matmul_right(y_bar, a, np.shape(b))"


def dot_a(site: Site) -> Text:
    """The adjoint of the left operand of `np.dot`."""
    a, b = site.ndim("a"), site.ndim("b")
    if a in (1, 2) and b in (1, 2):
        return matmul_a(site)
    return "y_bar * b" if a == 0 and b == 0 else "dot_left(y_bar, np.shape(a), b)"


def dot_b(site: Site) -> Text:
    """The adjoint of the right operand of `np.dot`."""
    a, b = site.ndim("a"), site.ndim("b")
    if a in (1, 2) and b in (1, 2):
        return matmul_b(site)
    return "y_bar * a" if a == 0 and b == 0 else "dot_right(y_bar, a, np.shape(b))"


def _one_dimensional(site: Site, *names: str) -> bool:
    return all(site.ndim(n) == 1 for n in names)


def outer_a(site: Site) -> Text:
    """The adjoint of the left operand of `np.outer`."""
    if _one_dimensional(site, "a", "b"):
        return "y_bar @ b"
    return "np.reshape(y_bar @ np.ravel(b), np.shape(a))"


def outer_b(site: Site) -> Text:
    """The adjoint of the right operand of `np.outer`."""
    if _one_dimensional(site, "a", "b"):
        return "a @ y_bar"
    return "np.reshape(np.ravel(a) @ y_bar, np.shape(b))"


def vdot(mine: str, other: str) -> Callable[[Site], Text]:
    """An adjoint of `np.vdot`, which flattens its operands."""

    def write(site: Site) -> Text:
        if _one_dimensional(site, "a", "b"):
            return f"y_bar * {other}"
        return f"np.reshape(y_bar * np.ravel({other}), np.shape({mine}))"

    return write


def inner_a(site: Site) -> Text:
    """The adjoint of the left operand of `np.inner`."""
    match site.ndim("a"), site.ndim("b"):
        case 1, 1:
            return "y_bar * b"
        case 2, 2:
            return "y_bar @ b"
        case _:
            return "inner_left(y_bar, np.shape(a), b)"


def inner_b(site: Site) -> Text:
    """The adjoint of the right operand of `np.inner`."""
    match site.ndim("a"), site.ndim("b"):
        case 1, 1:
            return "y_bar * a"
        case 2, 2:
            return "y_bar.T @ a"
        case _:
            return "inner_right(y_bar, a, np.shape(b))"


def output_of(subscripts: str) -> tuple[list[str], str]:
    """The inputs and the output of an einsum specification, the implicit output spelled out.

    >>> output_of("ij,jk"), output_of("ii")
    ((['ij', 'jk'], 'ik'), (['ii'], ''))
    """
    left, arrow, out = subscripts.replace(" ", "").partition("->")
    inputs = left.split(",")
    if not arrow:
        letters = "".join(inputs)
        out = "".join(sorted(c for c in set(letters) if letters.count(c) == 1))
    return inputs, out


def einsum_item(site: Site, i: int) -> Text:
    """The adjoint of the i-th operand of `np.einsum`: another einsum."""
    text, n = site.const("subscripts"), site.items("operands")
    if n is None or i < 0 or not (isinstance(text, str) or site.kind("subscripts") == TEXT):
        return None
    general = f"einsum_pullback(y_bar, {i}, subscripts, np.shape(operands[{i}]), operands)"
    if not isinstance(text, str) or "." in text:
        operands = ", ".join("None" if k == i else f"operands[{k}]" for k in range(n))
        return general.replace(", operands)", f", ({operands},))")
    inputs, out = output_of(text)
    if len(inputs) != n:
        return None
    mine = inputs[i]
    others = [k for k in range(n) if k != i]
    available = set(out).union(*(inputs[k] for k in others))
    full = _full_size(site, i, inputs)
    if len(set(mine)) < len(mine) or (not full and not set(mine) <= available):
        operands = ", ".join("None" if k == i else f"operands[{k}]" for k in range(n))
        return general.replace(", operands)", f", ({operands},))")
    kept = "".join(c for c in mine if c in available)
    spec = ",".join([out] + [inputs[k] for k in others]) + "->" + kept
    arguments = ", ".join(["y_bar"] + [f"operands[{k}]" for k in others])
    value = f"np.einsum({spec!r}, {arguments})" if others or kept != out else "y_bar"
    if kept != mine:
        value += "[" + ", ".join(":" if c in available else "None" for c in mine) + "]"
        if not kept:
            value = "y_bar" if value.startswith("y_bar[") else value
    if not full:
        return f"unbroadcast({value}, np.shape(operands[{i}]))"
    thin = kept != mine or not _all_there(site, i, inputs, out)
    return Thin(value) if thin else value


def _full_size(site: Site, i: int, inputs: list[str]) -> bool:
    """Whether no axis of operand i is known to be stretched from length 1 by another operand."""
    kind = site.kind(item("operands", i))
    if not isinstance(kind, Array) or kind.dims is None or len(kind.dims) != len(inputs[i]):
        return False
    for axis, letter in enumerate(inputs[i]):
        size = kind.dims[axis]
        if axis in kind.not_one or (size is not None and size.value not in (None, 1)):
            continue
        for k, other in enumerate(inputs):
            if k == i or letter not in other:
                continue
            theirs = site.kind(item("operands", k))
            if not isinstance(theirs, Array) or theirs.dims is None or size is None:
                return False
            if theirs.dims[other.index(letter)] != size:
                return False
    return True


def _all_there(site: Site, i: int, inputs: list[str], out: str) -> bool:
    """Whether each axis of operand i that is not one of the result is as long in another operand,
    and not stretched there from length 1."""
    mine = site.kind(item("operands", i))
    for axis, letter in enumerate(inputs[i]):
        if letter in out:
            continue
        size = mine.dims[axis] if isinstance(mine, Array) and mine.dims is not None else None
        found = False
        for k, other in enumerate(inputs):
            theirs = site.kind(item("operands", k))
            if k != i and letter in other and isinstance(theirs, Array):
                at = other.index(letter)
                same = theirs.dims is not None and size is not None and theirs.dims[at] == size
                found = found or same or at in theirs.not_one
        if not found:
            return False
    return True


_MATMUL_TAIL = "out=None, *, casting='same_kind', order='K', dtype=None, subok=True"
multilinear(f"np.matmul(a, b, /, {_MATMUL_TAIL}, axes=None)", refuses=_turned_refusal,
            a=matmul_a, b=matmul_b)  # fmt: skip
multilinear("np.dot(a, b, out=None)", a=dot_a, b=dot_b, methods=("dot",))
multilinear("np.vdot(a, b, /)", a=vdot("a", "b"), b=vdot("b", "a"))
multilinear("np.inner(a, b, /)", a=inner_a, b=inner_b)
multilinear("np.outer(a, b, out=None)", a=outer_a, b=outer_b)
multilinear("np.multiply.outer(a, b, /, *, out=None, dtype=None)",
            a="multiply_outer_left(y_bar, np.shape(a), b)",
            b="multiply_outer_right(y_bar, a, np.shape(b))")  # fmt: skip
multilinear("np.tensordot(a, b, axes=2)", a="tensordot_left(y_bar, np.shape(a), b, axes)",
            b="tensordot_right(y_bar, a, np.shape(b), axes)")  # fmt: skip


def einsum_copies(bound: Mapping[str, Expr]) -> bool:
    """Whether the result is new memory: of one operand whose axes are only rearranged, it is not.

    >>> from adtrans.ir.expr import Const, Name
    >>> einsum_copies({"subscripts": Const("ii->i"), "operands": Sequence("tuple", (Name("u"),))})
    False
    """
    text, operands = literal(bound.get("subscripts")), bound.get("operands")
    if not isinstance(text, str) or not isinstance(operands, Sequence):
        return False
    if len(operands.items) > 1 and not any(isinstance(i, Star) for i in operands.items):
        return True
    inputs, out = output_of(text)
    return "." not in text and bool(set(inputs[0]) - set(out))


def rearranges(bound: Mapping[str, Expr]) -> bool:
    """Whether `np.einsum` gives a view of its one operand, which can be written through.

    >>> from adtrans.ir.expr import Const, Name
    >>> one = Sequence("tuple", (Name("u"),))
    >>> rearranges({"subscripts": Const("ii->i"), "operands": one})
    True
    >>> rearranges({"subscripts": Const("ij->i"), "operands": one})
    False
    """
    text, operands = literal(bound.get("subscripts")), bound.get("operands")
    if not isinstance(text, str) or not isinstance(operands, Sequence) or len(operands.items) != 1:
        return False
    inputs, out = output_of(text)
    usual = {"out": None, "optimize": False, "dtype": None, "order": "K"}
    plain = all(literal(bound.get(name, Const(value))) == value for name, value in usual.items())
    return plain and "." not in text and set(inputs[0]) == set(out)


multilinear("np.einsum(subscripts, *operands, out=None, optimize=False, dtype=None, order='K', "
            "casting='safe')", operands=einsum_item,
            result="maybe_view", of="operands", fresh_if=einsum_copies)  # fmt: skip
multilinear("np.kron(a, b)", a="kron_left(y_bar, np.shape(a), b)",
            b="kron_right(y_bar, a, np.shape(b))")  # fmt: skip


def _cross(left: str, right: str, mine: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        last = all(site.const(k) == -1 for k in ("axisa", "axisb", "axisc"))
        if last and site.const("axis") is None and all(_is_spatial(site, v) for v in "ab"):
            return f"np.cross({left}, {right})"
        return f"cross_{mine}(y_bar, a, b, axisa, axisb, axisc, axis)"

    return write


def _is_spatial(site: Site, name: str) -> bool:
    """Whether an operand is one vector that certainly has three components."""
    kind = site.kind(name)
    return isinstance(kind, Array) and kind.dims == (Affine.const(3),)


multilinear("np.cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None)",
            a=_cross("b", "y_bar", "left"), b=_cross("y_bar", "a", "right"))  # fmt: skip
_VECTORS = {"a": VECTOR, "v": VECTOR}
def _convolved(name: str, other: str) -> Callable[[Site], str]:
    """A formula for vectors, of which a number is one, too."""

    def write(site: Site) -> str:
        line = other if site.ndim(other) == 1 else f"np.atleast_1d({other})"
        if site.ndim(name) == 1:
            return f"convolve_pullback(y_bar, np.shape({name}), {line}, mode)"
        found = f"convolve_pullback(y_bar, np.shape(np.atleast_1d({name})), {line}, mode)"
        return f"np.reshape({found}, np.shape({name}))[()]"

    return write


_LINES = {"a": (0, 1), "v": (0, 1)}
multilinear("np.convolve(a, v, mode='full')", ranks=_LINES,
            a=_convolved("a", "v"), v=_convolved("v", "a"))  # fmt: skip
multilinear("np.correlate(a, v, mode='valid')", ranks=_VECTORS,
            a="correlate_left(y_bar, np.shape(a), v, mode)",
            v="correlate_right(y_bar, a, np.shape(v), mode)")  # fmt: skip


def vecdot(mine: str, other: str) -> Callable[[Site], Text]:
    def write(site: Site) -> Text:
        keepdims = site.const("keepdims") if "keepdims" in site.bound else False
        if keepdims not in (True, False):
            return None
        if _one_dimensional(site, "a", "b"):
            return f"y_bar * {other}"
        seed = "np.squeeze(y_bar, axis)" if keepdims else "y_bar"
        return f"vecdot_pullback({seed}, np.shape({mine}), {other}, axis)"

    return write


multilinear(f"np.vecdot(a, b, /, {_MATMUL_TAIL}, keepdims=False, axis=-1)",
            a=vecdot("a", "b"), b=vecdot("b", "a"))  # fmt: skip
multilinear(f"np.matvec(a, b, /, {_MATMUL_TAIL})",
            a="unbroadcast(np.expand_dims(y_bar, -1) * np.expand_dims(b, -2), np.shape(a))",
            b="unbroadcast((np.swapaxes(a, -1, -2) @ np.expand_dims(y_bar, -1))[..., 0], "
              "np.shape(b))")  # fmt: skip
multilinear(f"np.vecmat(a, b, /, {_MATMUL_TAIL})",
            a="unbroadcast((b @ np.expand_dims(y_bar, -1))[..., 0], np.shape(a))",
            b="unbroadcast(np.expand_dims(a, -1) * np.expand_dims(y_bar, -2), "
              "np.shape(b))")  # fmt: skip
