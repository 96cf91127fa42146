"""A refusal is no exception of the program's: no handler, manager or `finally` of it drops one."""

from __future__ import annotations

import contextlib

import numpy as np
import pytest

import adtrans as ad


def by_its_class(x):
    try:
        return float(str(x)) * x
    except Exception:
        return x * 5.0


def by_a_bare_handler(x):
    try:
        return float(str(x)) * x
    except:  # noqa: E722
        return x * 5.0


def by_a_handler_further_out(x):
    def inner(v):
        try:
            return float(str(v)) * v
        except ValueError:
            return v

    try:
        return inner(x)
    except Exception as error:
        return x * len(str(error))


def by_suppress(x):
    with contextlib.suppress(Exception):
        return float(str(x)) * x
    return x * 5.0


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, *error):
        return True


def by_a_manager(x):
    with Quiet():
        return float(str(x)) * x
    return x * 5.0


@contextlib.contextmanager
def quietly():
    try:
        yield 1.0
    except Exception:
        return


def by_a_manager_that_is_a_generator(x):
    with quietly() as one:
        return float(str(x)) * x * one
    return x * 5.0


def by_an_exit_stack(x):
    with contextlib.ExitStack() as stack:
        stack.enter_context(contextlib.suppress(Exception))
        return float(str(x)) * x
    return x * 5.0


def by_return_in_finally(x):
    y = x * 5.0
    try:
        y = float(str(x)) * x
    finally:
        return y  # noqa: B012


def by_break_in_finally(x):
    y = x * 5.0
    for _ in range(3):
        try:
            y = float(str(x)) * x
        finally:
            break  # noqa: B012
    return y


def in_a_generator(x):
    def values():
        try:
            yield float(str(x)) * x
        except Exception:
            yield x * 5.0

    return sum(values())


def behind_a_property(x):
    class Held:
        @property
        def v(self):
            return float(str(x))

    return getattr(Held(), "v", 5.0) * x


CASES = [
    by_its_class, by_a_bare_handler, by_a_handler_further_out, by_suppress, by_a_manager,
    by_a_manager_that_is_a_generator, by_an_exit_stack, by_return_in_finally, by_break_in_finally,
    in_a_generator, behind_a_property,
]  # fmt: skip


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
@pytest.mark.parametrize("f", CASES)
def test_a_refusal_comes_out(f):
    modes = (
        lambda: ad.grad(f)(2.0), lambda: ad.recorded(f).grad(2.0),
        lambda: ad.jvp(ad.recorded(f), (2.0,), (1.0,)),
        lambda: ad.recorded(lambda x: ad.grad(f)(x)).grad(2.0),
    )  # fmt: skip
    for mode in modes:
        with pytest.raises(ad.AdtransError):
            mode()


def overwriting(x):
    y = x * 1.0
    s = np.sum(y * y)
    try:
        y[0] = 3.0
    except Exception:
        s = s * 2.0
    return s + y[1]


def test_so_does_an_overwrite():
    x = np.array([2.0, 3.0])
    with pytest.raises(ad.MutationError):
        ad.recorded(overwriting).grad(x)
    assert ad.recorded(overwriting, on_overwrite="save").grad(x).tolist() == [4.0, 7.0]


def handled(x):
    try:
        return {}[x]
    except KeyError as error:
        found = error.args[0] * 2.0
    try:
        raise ValueError(found)
    except (KeyError, ValueError) as error:
        found = error.args[0] * x
    for _ in range(3):
        try:
            raise RuntimeError
        finally:
            break  # noqa: B012
    with Quiet():
        raise LookupError
    with contextlib.suppress(ZeroDivisionError):
        found = found + 1 / 0
    return found


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_exceptions_of_the_program_are_its_own():
    for mode in (ad.grad(handled), ad.recorded(handled).grad):
        assert mode(3.0) == 12.0
