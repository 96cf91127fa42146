"""Which rules hold for complex numbers, and how their formulas change.

The adjoint of a complex `z = a + ib` is `dL/da + i dL/db` for the real number `L` in the end. Then

- the adjoint of a linear map is its conjugate transpose: what moves, copies or adds elements keeps
  its formula; in products the other factors are conjugated;
- for a holomorphic function the partial derivative is conjugated. Those here have real
  coefficients, so that this is the partial at the conjugates (off the branch cuts);
- a real operand of a complex result takes the real part.

Tangents are not conjugated. A rule that is in none of the lists is refused for complex numbers.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from adtrans.ir import expr as E
from adtrans.ir.expr import Expr
from adtrans.ir.kinds import (
    Array,
    DictOf,
    Instance,
    Kind,
    ListOf,
    Mixed,
    Scalar,
    TupleOf,
    Unknown,
    present,
)
from adtrans.ir.walk import rebuild, substitute
from adtrans.rules.formula import SHAPE_CALLS, Formula, is_seed, make

_CONJ = E.Ref("np.conj", np.conj)
_BUILTINS = ("max", "len")
_MOVES = (
    "sum mean cumsum reshape ravel transpose permute_dims matrix_transpose swapaxes moveaxis "
    "rollaxis squeeze expand_dims flip fliplr flipud rot90 roll concatenate concat stack hstack "
    "vstack dstack column_stack tile repeat broadcast_to copy array asarray asanyarray "
    "ascontiguousarray asfortranarray take diagonal diag trace atleast_1d atleast_2d atleast_3d "
    "append tril triu where add subtract negative positive diff full full_like pad "
    "take_along_axis delete insert select compress extract add.reduce add.accumulate "
    "linalg.trace linalg.diagonal linalg.matrix_transpose diagflat split array_split hsplit vsplit "
    "dsplit unstack broadcast_arrays meshgrid block resize ediff1d choose add.reduceat astype "
    "cumulative_sum lib.stride_tricks.sliding_window_view polyadd polysub polyder polyint "
    "r_.__getitem__ c_.__getitem__"
)
MOVES = frozenset({
    *(f"np.{name}" for name in _MOVES.split()),
    *(f"ndarray.{name}" for name in (
        "T", "mT", "astype", "flatten", "ravel", "reshape", "copy", "squeeze", "transpose",
        "swapaxes", "take", "repeat", "diagonal", "trace", "compress", "view",
    )), "scipy.linalg.block_diag", "scipy.linalg.circulant", "scipy.linalg.hankel",
    "+", "-", "sum", "complex", "unbroadcast", "expand_reduced",
    *(f"np.polynomial.{module}.{stem}{name}" for module, stem in (
        ("polynomial", "poly"), ("chebyshev", "cheb"), ("legendre", "leg"), ("hermite", "herm"),
        ("hermite_e", "herme"), ("laguerre", "lag")) for name in ("add", "sub", "der", "int")),
})  # fmt: skip
"""Real coefficients: elements are moved, copied, added."""
_PRODUCTS = (
    "matmul dot inner outer tensordot einsum kron convolve cross matvec multiply.outer "
    "linalg.matmul linalg.outer linalg.tensordot linalg.cross linalg.multi_dot"
)
PRODUCTS = frozenset({
    "@", "scipy.linalg.khatri_rao", *(f"np.{name}" for name in _PRODUCTS.split())
})  # fmt: skip
_SMOOTH = (
    "multiply divide exp exp2 expm1 log log2 log10 log1p sqrt square reciprocal sin cos tan arctan "
    "arcsin arccos arcsinh arctanh sinh cosh tanh"
)
_CMATH = "exp log sqrt sin cos tan sinh cosh tanh log10 asin acos atan asinh atanh"
_ALGEBRAIC = (
    "prod cumprod multiply.reduce multiply.accumulate linalg.inv linalg.solve linalg.det "
    "linalg.matrix_power polyval vander cumulative_prod linalg.tensorsolve linalg.tensorinv"
)
HOLOMORPHIC = frozenset({
    "*", "/", *(f"np.{name}" for name in _SMOOTH.split()),
    *(f"np.{name}" for name in _ALGEBRAIC.split()), "scipy.special.lambertw",
    *(f"scipy.linalg.{name}" for name in (
        "inv", "det", "solve", "solve_triangular", "solve_banded", "solve_sylvester", "expm",
        "sinm", "cosm", "tanm", "sinhm", "coshm", "tanhm", "logm", "sqrtm")),
    *(f"cmath.{name}" for name in _CMATH.split()),
})  # fmt: skip
"""Formulas of products and quotients: they hold with conjugated operands and results."""
POWERS = frozenset({"**", "np.power"})
"""Holomorphic in the base where the exponent is written out."""
SQUARES = frozenset({
    "np.var", "np.std", "np.linalg.norm", "np.linalg.vector_norm", "np.linalg.matrix_norm",
})  # fmt: skip
"""Real numbers from sums of squares of absolute values: the slopes are those of real operands, and
a tangent is the real part of the product with their conjugates."""
_DECOMPOSED = "cholesky qr svd svdvals eigh eigvalsh pinv lstsq"
HERMITIAN = frozenset({
    *(f"{m}.linalg.{name}" for m in ("np", "scipy") for name in _DECOMPOSED.split()),
    *(f"{m}.linalg.{name}" for m in ("np", "scipy") for name in ("eig", "eigvals")),
    "np.linalg.slogdet",
    *(f"scipy.linalg.{name}" for name in ("cho_factor", "cho_solve", "lu", "lu_factor",
                                          "lu_solve")),
})  # fmt: skip
"""Their helpers take conjugate transposes: the formulas hold for complex numbers as they are."""
NORMS = ("norm_weights", "vector_norm_weights", "matrix_norm_weights")
"""Helpers that hold for complex numbers: they give the adjoint, at conjugates its conjugate."""
SPECTRA = frozenset({
    *(f"{module}.fft.{name}{many}" for module in ("np", "scipy")
      for name in ("fft", "ifft", "rfft") for many in ("", "2", "n")),
    "np.fft.ihfft", "scipy.fft.ihfft", "scipy.signal.hilbert",
})  # fmt: skip
"""They make complex numbers of real ones."""
SESQUILINEAR = frozenset({"np.vdot", "np.vecdot", "np.linalg.vecdot", "np.vecmat"})
"""Products of the conjugate of the first operand with the second."""
EXPLICIT: Mapping[str, tuple[str, str]] = {
    "np.absolute": ("y_bar * direction({})", "np.real(np.conj(direction({})) * dot)"),
    "np.real": ("y_bar + 0j", "np.real(dot)"),
    "ndarray.real": ("y_bar + 0j", "dot.real"),
    "np.imag": ("1j * y_bar", "np.imag(dot)"),
    "ndarray.imag": ("1j * y_bar", "dot.imag"),
    "np.angle": ("1j * y_bar * {0} / np.abs({0}) ** 2",
                 "np.imag(np.conj({0}) * dot) / np.abs({0}) ** 2"),
    "np.conjugate": ("np.conj(y_bar)", "np.conj(dot)"),
}  # fmt: skip
"""Neither linear nor holomorphic: pullback and pushforward for a complex operand.

The adjoint of a complex number is complex even where it happens to be real: more is added to it.
"""
ALIASES = {"abs": "np.absolute", "np.abs": "np.absolute", "ndarray.conj": "np.conjugate",
           "ndarray.conjugate": "np.conjugate", "cmath.phase": "np.angle"}  # fmt: skip
FOURIER = frozenset(
    f"{module}.fft.{name}{dims}"
    for module in ("np", "scipy")
    for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
    for dims in ("", "2", "n")
) | {
    *(f"{m}.fft.{n}" for m in ("np", "scipy") for n in ("fftshift", "ifftshift")),
    "scipy.signal.hilbert",
    *(f"{n}_{do}" for n in ("dft", "half_dft", "irfft") for do in ("adjoint", "again")),
}

_KNOWN = (MOVES, PRODUCTS, HOLOMORPHIC, POWERS, SQUARES, HERMITIAN, SPECTRA, SESQUILINEAR, FOURIER)


def takes_complex(spelling: str) -> bool:
    """Whether there are formulas of a rule for complex numbers, operands or results.

    >>> takes_complex("np.exp"), takes_complex("np.abs"), takes_complex("np.arctan2")
    (True, True, False)
    """
    own = ALIASES.get(spelling, spelling)
    return own in EXPLICIT or any(own in names for names in _KNOWN) or own.startswith("cmath.")


def is_complex(kind: Kind) -> bool:
    """Whether values of this kind are complex for certain."""
    if isinstance(kind, Scalar):
        return kind.type == "complex"
    dtype = kind.dtype if isinstance(kind, Array) else None
    return dtype is not None and dtype.startswith(("complex", "clongdouble"))


def is_real(kind: Kind) -> bool:
    """Whether values of this kind are real for certain, in a tuple or a list all of them."""
    if isinstance(kind, TupleOf):
        return all(is_real(item) for item in kind.items)
    if isinstance(kind, ListOf):
        return is_real(kind.item)
    if isinstance(kind, Mixed):
        return all(map(is_real, kind.alternatives()))
    known = isinstance(kind, Scalar) or (isinstance(kind, Array) and kind.dtype is not None)
    return known and not is_complex(kind)


def may_be_complex(kind: Kind) -> bool:
    """Whether a value of this kind is a complex number, or holds some, for all that is known.

    >>> may_be_complex(ListOf(Scalar("complex"))), may_be_complex(ListOf(Scalar("float")))
    (True, False)
    >>> may_be_complex(Array(None, None))
    True
    """
    return holds_complex(kind, unsure=True)


def holds_complex(kind: Kind, *, unsure: bool = False) -> bool:
    """Whether values of this kind are complex numbers, or contain some; `unsure`: or may.

    >>> holds_complex(TupleOf((Scalar("float"), Scalar("complex"))))
    True
    """
    match present(kind):
        case TupleOf(items=items):
            return any(holds_complex(i, unsure=unsure) for i in items)
        case ListOf(item=item):
            return holds_complex(item, unsure=unsure)
        case DictOf(item=item, fields=fields):
            held = (item, *(k for _, k in fields))
            return any(holds_complex(k, unsure=unsure) for k in held)
        case Mixed() as several:
            return any(holds_complex(k, unsure=unsure) for k in several.alternatives())
        case Array(dtype=None) | Unknown():
            return unsure
        case one:
            return is_complex(one)


def explicit(spelling: str, param: str, x: Kind) -> tuple[str, str] | None:
    """Pullback and pushforward of what is neither linear nor holomorphic, of a complex operand."""
    texts = EXPLICIT.get(ALIASES.get(spelling, spelling))
    if texts is None or not is_complex(x):
        return None
    return texts[0].format(param), texts[1].format(param)


def pullbacks(
    spelling: str, found: tuple[Formula, ...], x: Kind, y: Kind, kinds: Mapping[str, Kind],
    name: str, literal_exponent: bool,
) -> tuple[Formula, ...]:  # fmt: skip
    """The formulas of a rule for complex numbers; none where they are not known to hold.

    `x` and `y` are the kinds of the operand and the result; one of all operands and the result is
    complex, or holds complex numbers. `kinds`: those of numbers, and of what is known.
    """
    if spelling in SQUARES and is_complex(x):
        return found if all(_is_plain(f.expr) for f in found) else ()
    if spelling in HERMITIAN:
        if is_complex(x) or (isinstance(x, TupleOf) and holds_complex(x)):  # or a factor in a pair
            return found
        if is_real(x):  # beside one that is complex
            return tuple(_replaced(f, E.Call(E.Ref("np.real", np.real), (f.expr,))) for f in found)
        return ()
    whole = isinstance(y, TupleOf) and any(is_complex(i) for i in y.items)
    if whole and isinstance(y, TupleOf):  # what is only moved keeps its formula beside real items
        whole = all(is_complex(i) or (is_real(i) and spelling in MOVES) for i in y.items)
    if isinstance(y, ListOf):
        whole = is_complex(y.item)
    if not (is_complex(x) or is_real(x)) or not (is_complex(y) or whole or spelling in FOURIER):
        return ()
    powers = spelling in POWERS and literal_exponent and name == "a"
    if spelling in SESQUILINEAR:
        seed = {"y_bar": E.Call(_CONJ, (E.Name("y_bar"),))} if name == "a" else {}
        found = tuple(_replaced(f, substitute(f.expr, seed)) for f in found)
    elif spelling in PRODUCTS or spelling in HOLOMORPHIC or powers:
        held = [n for n, k in kinds.items() if isinstance(k, Instance)]
        found = tuple(
            _replaced(f, _from_outside(f.expr) if f.values.intersection(held) else
                      conjugated(f.expr, kinds)) for f in found)  # fmt: skip
    elif spelling not in MOVES and spelling not in FOURIER:
        return ()
    if is_real(x):
        found = tuple(_replaced(f, E.Call(E.Ref("np.real", np.real), (f.expr,))) for f in found)
    return found


def tangent(spelling: str, e: Expr, x: Kind, kinds: Mapping[str, Kind]) -> Expr:
    """The formula for a tangent of a complex operand, given that for a real one.

    Raises:
        LookupError: if it is not known.
    """
    if spelling not in SQUARES or not is_complex(x):
        return e
    if not _is_plain(e):
        raise LookupError(f"{spelling}: no tangent for complex numbers")
    return E.Call(E.Ref("np.real", np.real), (conjugated(e, kinds),))


def _is_plain(e: Expr) -> bool:
    """Whether a formula is made of functions of NumPy: most helpers are for real numbers."""
    known = ("expand_reduced", *_BUILTINS, *NORMS)
    own = isinstance(e, E.Ref) and not e.text.startswith("np.") and e.text not in known
    return not own and all(_is_plain(c) for c in E.children(e))


def conjugated(e: Expr, kinds: Mapping[str, Kind]) -> Expr:
    """`e` with complex operands and results conjugated; shapes are left alone.

    So is what may be complex: of a real number `np.conj` gives the number.

    >>> from adtrans.ir.kinds import Array
    >>> from adtrans.rules.formula import parse
    >>> print(conjugated(parse("y_bar @ b.T", frozenset("b")), {"b": Array("complex128", None)}))
    y_bar @ np.conj(b).T
    """
    match e:
        case E.Name(id=name):
            if is_seed(name) or not may_be_complex(kinds.get(name, Scalar("float"))):
                return e
            return E.Call(_CONJ, (e,))
        case E.Call(fn=E.Ref(text=text), args=(E.Name(),)) if text in SHAPE_CALLS:
            return e
        case E.Attribute(base=E.Name(), attr="shape" | "size" | "ndim" | "dtype"):
            return e
        case _:
            return rebuild(e, lambda child: conjugated(child, kinds))


def _from_outside(e: Expr) -> Expr:
    """The same as `conjugated` where an operand is an object, such as a sparse matrix."""
    seed = E.Call(_CONJ, (E.Name("y_bar"),))
    return E.Call(_CONJ, (substitute(e, {"y_bar": seed}),))


def _replaced(f: Formula, expr: Expr) -> Formula:
    return make(expr, elementwise=f.elementwise, thin=f.thin)
