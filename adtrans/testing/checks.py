"""`check_grads`: one call that compares a derivative with everything it can be compared with.

    check_grads(f, (x, 0.5), wrt="x")

raises `GradientMismatch`, naming the argument, the element, what was expected and what was found.
"""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from adtrans.analyses.kinds.values import plain_attributes
from adtrans.emit.load import load
from adtrans.emit.words import Words
from adtrans.testing import value_trees
from adtrans.testing.numerical import finite_difference_jvp, finite_difference_vjp, quietly

_MODES = ("reverse", "forward")


class GradientMismatch(AssertionError):
    """A derivative, a value or a side effect is not what it must be."""


@dataclass(frozen=True, slots=True)
class _Tolerance:
    rtol: float
    atol: float


def check_grads(
    f: Callable[..., Any],
    args: tuple[Any, ...],
    *,
    wrt: int | str | tuple[int | str, ...] = 0,
    order: int = 1,
    modes: tuple[str, ...] = _MODES,
    final: tuple[str, ...] = (),
    eps: float | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    seed: int = 0,
    **options: Any,
) -> None:
    """Check the derivatives of `f` at `args`; `f` and adtrans both work on copies of them.

    Compared are: the value and what `f` writes and prints (bit for bit), the pullback with finite
    differences in every element, two calls of the pullback with each other, structure, shape and
    dtype of the gradients, the pushforward with finite differences along a random direction, and
    `<y_bar, J x_dot>` with `<J^T y_bar, x_dot>`. `order=2` compares the derivative of the gradient,
    too. `final` names parameters whose contents after the call count as results. `options` are
    those of `adtrans.vjp`. Raises `GradientMismatch`; errors of adtrans pass through.
    """
    if not set(modes) <= set(_MODES) or not modes:
        raise ValueError(f"modes are {_MODES}, not {modes!r}")
    names = list(inspect.signature(f).parameters)
    chosen = tuple(_position(w, names) for w in (wrt if isinstance(wrt, tuple) else (wrt,)))
    single = _has_single(args)
    eps = (2e-2 if single else 1e-4) if eps is None else eps
    rtol = (2e-2 if single else 1e-6) if rtol is None else rtol
    atol = (2e-3 if single else 1e-7) if atol is None else atol
    check = _Check(f, args, names, chosen, final, eps, _Tolerance(rtol, atol), options, seed)
    gradient = check.reverse() if "reverse" in modes else None
    if "forward" in modes:
        check.forward(gradient)
    if order > 1:
        _check_second_order(check, order)


def _opened(value: object) -> object:
    """An object as its attributes, so that what a program did to it is seen."""
    own = plain_attributes(value)
    if isinstance(value, np.ndarray | np.generic | type) or callable(value) or not own:
        return value
    return {name: _opened(v) for name, v in own.items()}


class _Check:
    """One function at one point: the reference run, the seeds, and what is compared with them."""

    def __init__(
        self,
        f: Callable[..., Any],
        args: tuple[Any, ...],
        names: list[str],
        wrt: tuple[int, ...],
        final: tuple[str, ...],
        eps: float,
        tolerance: _Tolerance,
        options: dict[str, Any],
        seed: int,
    ) -> None:
        self.f, self.args, self.names, self.wrt = f, args, names, wrt
        self.final, self.eps, self.tolerance, self.options = final, eps, tolerance, options
        self.ran_on, self.value, self.printed = _run(f, args)
        self.rng = np.random.default_rng(seed)
        self.y_bar = value_trees.rebuild(self.value, self._random)
        self.final_bar = {
            n: value_trees.rebuild(self.ran_on[names.index(n)], self._random) for n in final
        }
        self.x_dot = tuple(value_trees.rebuild(args[k], self._random) for k in wrt)

    def reverse(self) -> tuple[Any, ...]:
        """Everything about `vjp`; returns the gradient for a random seed."""
        from adtrans.api.differentiable import vjp

        args = copy.deepcopy(self.args)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), np.errstate(all="ignore"):
            value, pullback = vjp(self.f, *args, wrt=self.wrt, **self.options)
        self._same_run("vjp", value, args, out.getvalue())
        before = copy.deepcopy((args, value, self.y_bar, self.final_bar))
        seeds = {"final": self.final_bar} if self.final else {}
        with np.errstate(all="ignore"):
            first = pullback(self.y_bar, **seeds)
            kept = copy.deepcopy(first)
            second = pullback(self.y_bar, **seeds)
        _identical("a second call of the pullback", second, kept)
        _identical("the first gradient after the second call of the pullback", first, kept)
        after = (args, value, self.y_bar, self.final_bar)
        _identical("arguments, result or seed after the pullback", after, before)

        expected = finite_difference_vjp(
            self._reference(), self._wide(), (self.y_bar, self.final_bar), self.wrt, self.eps
        )
        for k, found, wanted in zip(self.wrt, kept, expected, strict=True):
            _same_form(self.names[k], found, self.args[k])
            _close(f"the gradient by `{self.names[k]}`", found, wanted, self.tolerance)
        if not self.final:
            return tuple(kept)
        with np.errstate(all="ignore"):
            return tuple(pullback(self.y_bar))

    def forward(self, gradient: tuple[Any, ...] | None) -> None:
        """Everything about `jvp`; `gradient` is what the pullback gave for the same seed."""
        from adtrans.api.differentiable import jvp

        args, dots = copy.deepcopy(self.args), copy.deepcopy(self.x_dot)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), np.errstate(all="ignore"):
            value, y_dot = jvp(self.f, args, dots, wrt=self.wrt, **self.options)
        self._same_run("jvp", value, args, out.getvalue())
        _identical("the tangents of the arguments after `jvp`", dots, self.x_dot)
        expected = finite_difference_jvp(self.f, self._wide(), self.x_dot, self.wrt, self.eps)
        _close("the tangent of the result", y_dot, expected, self.tolerance)
        if gradient is not None:
            forward = value_trees.inner(self.y_bar, y_dot)
            backward = value_trees.inner(gradient, self.x_dot)
            what = "<y_bar, J x_dot>, compared with <J^T y_bar, x_dot>,"
            _close(what, forward, backward, self.tolerance)

    def _same_run(self, what: str, value: object, args: tuple[Any, ...], printed: str) -> None:
        _identical(f"the value that `{what}` computes", value, self.value)
        for name, found, wanted in zip(self.names, args, self.ran_on, strict=False):
            _identical(f"`{name}` after `{what}`", _opened(found), _opened(wanted))
        if printed != self.printed:
            raise GradientMismatch(f"`{what}` printed {printed!r}, the function {self.printed!r}")

    def _reference(self) -> Callable[..., Any]:
        """The function as one without side effects: its result and the final contents asked for."""

        def reference(*args: Any) -> Any:
            value = self.f(*args)
            return value, {n: args[self.names.index(n)] for n in self.final}

        return reference

    def _wide(self) -> tuple[Any, ...]:
        """The arguments with single precision made double: differences need the digits."""
        seen: dict[int, Any] = {}

        def widen(path: str, leaf: Any) -> Any:
            if isinstance(leaf, np.ndarray) and leaf.dtype in (np.float16, np.float32):
                return seen.setdefault(id(leaf), leaf.astype(np.float64))
            if isinstance(leaf, np.float16 | np.float32):
                return np.float64(leaf)
            return leaf

        return tuple(value_trees.rebuild(a, widen) for a in self.args)

    def _random(self, path: str, leaf: Any) -> Any:
        if not value_trees.is_float(leaf):
            return None
        value = self.rng.uniform(0.5, 1.5, np.shape(leaf)) * self.rng.choice([-1.0, 1.0])
        if np.iscomplexobj(leaf):
            value = value + 1j * self.rng.uniform(0.5, 1.5, np.shape(leaf))
        if isinstance(leaf, np.ndarray):
            return value.astype(leaf.dtype)
        return type(leaf)(value)


def _check_second_order(check: _Check, order: int) -> None:
    """The gradient is itself a function over NumPy: check that one, one order less."""
    from adtrans.api.differentiable import grad, jvp

    if order > 2:
        raise ValueError("order is 1 or 2")
    gradient = grad(_weighted(check), wrt=check.wrt, **check.options)
    args = copy.deepcopy(check.args)
    with np.errstate(all="ignore"):
        _, found = jvp(gradient, args, check.x_dot, wrt=check.wrt)
    expected = finite_difference_jvp(
        lambda *a: quietly(gradient, list(a)), check._wide(), check.x_dot, check.wrt, check.eps
    )
    _close("the tangent of the gradient", found, expected, check.tolerance)


def _weighted(check: _Check) -> Callable[..., Any]:
    """The function, if its result is a number; else that of the sum of its results, weighted."""
    if isinstance(check.value, float | np.floating):
        return check.f
    leaves = [(path, leaf) for path, leaf in value_trees.leaves(check.y_bar) if leaf is not None]
    parameters = inspect.signature(check.f).parameters.values()
    own = Words(p.name for p in parameters)
    weights = [own.of(f"weight_{k}", leaf) for k, (_, leaf) in enumerate(leaves)]
    f, np_, value = own.of("f", check.f), own.of("np", np), own.value
    terms = [f"{np_}.sum({w} * {value}{path})"
             for w, (path, _) in zip(weights, leaves, strict=True)]  # fmt: skip
    plain = inspect.Signature([p.replace(default=p.empty) for p in parameters])
    forms: dict[object, str] = {inspect.Parameter.VAR_POSITIONAL: "*{0}"}
    given = ", ".join(forms.get(p.kind, "{0}").format(p.name) for p in parameters)
    text = f"def weighted{plain}:\n    {value} = {f}({given})\n    return {' + '.join(terms)}\n"
    return load(text, "weighted", own.objects)["weighted"]


def _run(f: Callable[..., Any], args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Any, str]:
    own = copy.deepcopy(args)
    out = io.StringIO()
    with contextlib.redirect_stdout(out), np.errstate(all="ignore"):
        value = f(*own)
    return own, copy.deepcopy(value), out.getvalue()


def _position(which: int | str, names: list[str]) -> int:
    if isinstance(which, int) and -len(names) <= which < len(names):
        return which % len(names)
    if which not in names:
        raise ValueError(f"there is no parameter `{which}`, only {', '.join(names)}")
    return names.index(which)


def _has_single(args: tuple[Any, ...]) -> bool:
    return any(
        getattr(leaf, "dtype", None) in (np.dtype(np.float16), np.dtype(np.float32))
        for _, leaf in value_trees.leaves(args)
    )


def _identical(what: str, found: object, wanted: object) -> None:
    """Bit for bit: structure, type, dtype, shape and every bit of the numbers (NaNs included)."""
    found_leaves, wanted_leaves = dict(value_trees.leaves(found)), dict(value_trees.leaves(wanted))
    if found_leaves.keys() != wanted_leaves.keys():
        raise GradientMismatch(f"{what}: has the structure {found!r}, expected {wanted!r}")
    for path, want in wanted_leaves.items():
        have = found_leaves[path]
        if type(have) is not type(want):
            raise GradientMismatch(
                f"{what}{path}: is of type {type(have).__name__}, expected {type(want).__name__}"
            )
        if not _same_bits(have, want):
            raise GradientMismatch(f"{what}{path}: is {have!r}, expected {want!r}")


def _same_bits(have: Any, want: Any) -> bool:
    if isinstance(want, np.ndarray):
        if have.dtype != want.dtype or have.shape != want.shape:
            return False
        if want.dtype == object:
            return bool(np.all(have == want))
        return bool(have.tobytes() == want.tobytes())
    if isinstance(want, float | complex | np.generic):
        return bool(np.asarray(have).tobytes() == np.asarray(want).tobytes())
    if isinstance(want, int | str | bytes | bool | type(None)):
        return bool(have == want)
    return True  # a generator, a function, ...: there is no telling


def _same_form(name: str, gradient: object, primal: object) -> None:
    """A gradient has the structure, shapes and dtypes of its argument."""
    found, wanted = dict(value_trees.leaves(gradient)), dict(value_trees.leaves(primal))
    if found.keys() != wanted.keys():
        raise GradientMismatch(
            f"the gradient by `{name}` has the structure {gradient!r}, the argument {primal!r}"
        )
    for path, leaf in wanted.items():
        g = found[path]
        if not value_trees.is_float(leaf):
            if g is not None:
                raise GradientMismatch(f"the gradient by `{name}{path}` is {g!r}, expected None")
        elif isinstance(leaf, np.ndarray):
            if not isinstance(g, np.ndarray) or (g.dtype, g.shape) != (leaf.dtype, leaf.shape):
                raise GradientMismatch(
                    f"the gradient by `{name}{path}` is {_form(g)}, the argument {_form(leaf)}"
                )
        elif not value_trees.is_float(g) or np.shape(g) != ():
            raise GradientMismatch(
                f"the gradient by `{name}{path}` is {_form(g)}, the argument {_form(leaf)}"
            )


def _form(value: Any) -> str:
    if isinstance(value, np.ndarray):
        return f"an array of {value.dtype} and shape {value.shape}"
    return f"a {type(value).__name__}"


def _close(what: str, found: object, wanted: object, tolerance: _Tolerance) -> None:
    """Every floating leaf agrees; the message shows the element that is furthest off."""
    have = dict(value_trees.leaves(found))
    for path, want in value_trees.leaves(wanted):
        if want is None:
            continue
        got = have.get(path)
        if got is None:
            got = np.zeros(np.shape(want))  # no derivative flows: the same as zero
        if np.shape(got) != np.shape(want):
            raise GradientMismatch(
                f"{what}{path} has the shape {np.shape(got)}, expected {np.shape(want)}"
            )
        a, b = np.asarray(got), np.asarray(want)
        scale = tolerance.atol + tolerance.rtol * max(1.0, float(np.max(np.abs(b), initial=0.0)))
        off = np.where(np.isnan(a) & np.isnan(b), 0.0, np.abs(a - b))
        if a.size and not np.all(off <= scale):
            worst = np.unravel_index(int(np.argmax(np.nan_to_num(off, nan=np.inf))), a.shape)
            place = f"[{', '.join(str(int(i)) for i in worst)}]" if worst else ""
            raise GradientMismatch(
                f"{what}{path} is wrong in {int(np.sum(~(off <= scale)))} of {a.size} elements;"
                f" the worst is {place or 'the value'}: {a[worst]!r}, expected {b[worst]!r}"
            )


def check_rule(f: Callable[..., Any], args: tuple[Any, ...], **options: Any) -> None:
    """Check what `adtrans.rule` declares for `f`, at `args`: pullback and pushforward.

    All arguments that can carry a derivative are checked, but those that the rule ignores; the
    options are those of `check_grads`.

    >>> import adtrans
    >>> def square(x):
    ...     return x * x
    >>> _ = adtrans.rule(square, elementwise=True, x="3 * x")
    >>> try:
    ...     check_rule(square, (2.0,))
    ... except GradientMismatch as wrong:
    ...     print(str(wrong)[:47])
    the gradient by `x` is wrong in 1 of 1 elements

    Raises:
        GradientMismatch: if the rule is wrong.
        ValueError: if there is no rule for `f`.
    """
    from adtrans.api.user_rules import given_for
    from adtrans.dispatch.recipes import primitive

    rule = given_for(f)
    if rule is None:
        raise ValueError(f"no rule is declared for {f!r}")
    call = primitive(f)
    assert callable(call)
    names = list(inspect.signature(call).parameters)
    active = [
        n for n, a in zip(names, args, strict=False)
        if n not in rule.inert
        and any(value_trees.is_float(leaf) for _, leaf in value_trees.leaves(a))
    ]  # fmt: skip
    options.setdefault("wrt", tuple(active))
    if rule.writes:
        options.setdefault("final", (rule.writes,))
    options.setdefault("modes", rule.modes)
    check_grads(call, args, **options)
