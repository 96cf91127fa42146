"""Jacobians, Hessians, linear functions: every mode but the gradient and the two products.

The options are those of `grad`: `wrt` (or `argnums`), `on_overwrite`, `on_unproven`, `backend`.

>>> import numpy as np
>>> def f(x, k):
...     return k * x * x
>>> jacobian(f)(np.array([1.0, 2.0]), 3.0)
array([[ 6.,  0.],
       [ 0., 12.]])
>>> elementwise_grad(f)(np.array([1.0, 2.0]), 3.0)
array([ 6., 12.])
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from adtrans.api.differentiable import recipe_for, with_aux
from adtrans.api.elementwise import ElementwiseGradient
from adtrans.api.jacobians import Hessian, Jacobian
from adtrans.api.linearized import Linear, run_linearize
from adtrans.api.pushforwards import run_hvp
from adtrans.driver.options import Wrt


def jacfwd(
    f: Callable[..., Any], wrt: Wrt = None, has_aux: bool = False, *, argnums: Wrt = None,
    **options: Any,
) -> Callable[..., Any]:  # fmt: skip
    """The Jacobian of `f`, column by column: one pushforward for each number in the arguments.

    It has the structure of the result and, inside, of the argument (of a tuple of arguments where
    `wrt` is a tuple); an array of shape `m` by one of shape `n` gives one of shape `(*m, *n)`. With
    `has_aux`, `f` returns `(value, aux)` and the Jacobian comes as `(jacobian, aux)`.

    `f` runs several times; one that may not (it prints, draws random numbers, writes) is taken by
    pullbacks instead, as `jacrev` does.

    >>> jacfwd(lambda x, k: (k * x, x * x))(3.0, 2)
    (2.0, 6.0)
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return Jacobian(recipe, wrt, has_aux, "forward")


def jacrev(
    f: Callable[..., Any], wrt: Wrt = None, has_aux: bool = False, *, argnums: Wrt = None,
    **options: Any,
) -> Callable[..., Any]:  # fmt: skip
    """The Jacobian of `f`, row by row: `f` runs once, its pullback once for each result.

    As `jacfwd` otherwise. Better where there are fewer results than arguments.

    >>> import numpy as np
    >>> jacrev(lambda x: np.array([x[0] * x[1], x[0]]))(np.array([2.0, 5.0]))
    array([[5., 2.],
           [1., 0.]])
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return Jacobian(recipe, wrt, has_aux, "reverse")


jacobian = jacrev


def hessian(
    f: Callable[..., Any], wrt: Wrt = None, has_aux: bool = False, *, argnums: Wrt = None,
    **options: Any,
) -> Callable[..., Any]:  # fmt: skip
    """The second derivatives of `f`, whose result is a number: forward over reverse.

    An array of shape `n` gives one of shape `(*n, *n)`; a tuple in `wrt` gives a tuple of tuples.

    >>> import numpy as np
    >>> hessian(lambda x: x[0] ** 2 * x[1])(np.array([2.0, 5.0]))
    array([[10.,  4.],
           [ 4.,  0.]])
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return Hessian(recipe, wrt, has_aux)


def hvp(
    f: Callable[..., Any], primals: tuple[Any, ...], tangents: tuple[Any, ...], wrt: Wrt = None, *,
    argnums: Wrt = None, has_aux: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """The Hessian of `f` times a vector, at about the cost of a few gradients.

    That is the derivative of the gradient along `tangents`, of which there is one for each primal
    (None for zero), or for each of `wrt`. With `has_aux`, `f` returns `(value, aux)` and the
    product comes as `(product, aux)`.

    >>> import numpy as np
    >>> x, v = np.array([2.0, 5.0]), np.array([1.0, 0.0])
    >>> hvp(lambda x: x[0] ** 2 * x[1], (x,), (v,))
    array([10.,  4.])
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return run_hvp(recipe, primals, tangents, wrt, has_aux=has_aux)


def elementwise_grad(
    f: Callable[..., Any], wrt: Wrt = None, *, argnums: Wrt = None, **options: Any
) -> Callable[..., Any]:
    """The derivative of each element of the result by the same element of the argument.

    That is the gradient of the sum of the results where `f` treats all elements separately. That it
    does is checked, in each call, where the result has the shape of the argument; inside a function
    that is differentiated it is not. A result that is a tuple, a dictionary or the like gives the
    derivatives of each part, in its structure, unless the arguments have that structure themselves.

    >>> import numpy as np
    >>> elementwise_grad(lambda x: x * np.abs(x))(np.array([-2.0, 3.0]))
    array([4., 6.])

    Raises:
        DerivativeError: where an element of the result depends on other elements of the argument.
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    return ElementwiseGradient(recipe, wrt)


def linearize(
    f: Callable[..., Any], *primals: Any, wrt: Wrt = None, argnums: Wrt = None,
    has_aux: bool = False, **options: Any,
) -> Any:  # fmt: skip
    """The value of `f`, and its derivative at that point as a linear function of tangents:
    `(out, f_jvp)`, or `(out, f_jvp, aux)` where `f` returns `(value, aux)` and `has_aux` is given.

    There is one tangent for each primal, or for each of `wrt`; None stands for zero. Later changes
    of the arguments do not concern it, and `f` does nothing twice: where it prints, draws random
    numbers or writes, the linear function is the transposed pullback.

    >>> out, f_jvp = linearize(lambda x, k: k * x * x, 3.0, 2)
    >>> out, f_jvp(1.0, None), f_jvp(10.0, None)
    (18.0, 12.0, 120.0)
    """
    recipe, wrt = recipe_for(f, wrt, argnums, options)
    out, f_jvp = run_linearize(recipe, primals, wrt)
    if not has_aux:
        return out, f_jvp
    value, aux = with_aux(out)
    return value, partial(_of_the_value, f_jvp), aux


def _of_the_value(f_jvp: Linear, *tangents: Any) -> Any:
    """The tangent of the value, without that of what is returned beside it."""
    return f_jvp(*tangents)[0]
