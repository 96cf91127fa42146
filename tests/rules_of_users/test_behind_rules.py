"""Functions with a rule of the user's, and checkpoints, that do more than their rule tells."""

import numpy as np
import pytest

import adtrans as ad
from adtrans.testing import check_grads

X = np.array([0.3, 1.2, -0.7])


@ad.checkpoint
def doubled_in_place(u):
    u *= 2.0


@ad.checkpoint
def stepped(u):
    for i in range(u.size):
        u[i] += 0.1 * np.sin(u[i])
    return u


@ad.checkpoint
def some_steps(u, n):
    for _ in range(n):
        u = u * np.sin(u)
    return u


def scaled(u, k):
    u *= k
    return np.sum(u)


@ad.rule(scaled)
def scaled_pullback(y_bar, u, k):
    return y_bar * k * np.ones(u.shape), y_bar * np.sum(u)


def scaled_by_a_helper(u, k):
    return scaled(u, k)


@ad.rule(scaled_by_a_helper)
def helper_pullback(y_bar, u, k):
    return y_bar * k * np.ones(u.shape), y_bar * np.sum(u)


def reversed_gradient(u):
    return u


ad.rule(reversed_gradient, linear=True, u="-y_bar", u_dot="-u_dot")


def one_of(u, v, k):
    return u if k > 0 else v


@ad.rule(one_of, wrt=("u", "v"))
def one_of_pullback(y_bar, u, v, k):
    return (y_bar, None) if k > 0 else (None, y_bar)


@ad.rule(one_of).pushforward
def one_of_pushforward(u_dot, v_dot, k):
    return u_dot if k > 0 else v_dot


def check_forward(f):
    """A checkpoint is followed in forward mode: what it writes and returns is seen."""
    check_grads(f, (X.copy(),), modes=("forward",))


def changed_by_a_statement(x):
    b = x * 1.0
    doubled_in_place(b)
    return np.sum(b**2)


def changed_in_a_loop(x):
    b = x.copy()
    for _ in range(3):
        stepped(b)
    return np.sum(b**2)


def changed_constant(x):
    b = np.ones(3)
    c = x * b
    doubled_in_place(b)
    return np.sum(c * b)


@pytest.mark.parametrize("f", [changed_by_a_statement, changed_in_a_loop, changed_constant])
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_a_checkpoint_that_writes_its_argument_is_refused(f, mode):
    with pytest.raises(ad.CompileError, match=r"AD413.*writes its argument `u`"):
        ad.grad(f, on_overwrite=mode)(X.copy())
    check_forward(f)


@pytest.mark.parametrize("called", [scaled, scaled_by_a_helper])
def test_a_rule_of_a_function_that_writes_says_so(called):
    def f(x):
        b = x * 1.0
        y = called(b, 2.0)
        return np.sum(b**2) + y

    with pytest.raises(ad.CompileError, match=r"AD412.*its rule does not say so"):
        ad.grad(f)(X)


def test_what_unknown_code_might_write_does_not_count():
    lapack = pytest.importorskip("scipy.linalg.lapack")

    def root(a):
        c, info = lapack.dpotrf(a, lower=1)
        return c[0, 0] + info

    ad.rule(root, a="y_bar * 0.5 / y * np.array([[1.0, 0.0], [0.0, 0.0]])")
    check_grads(lambda x: root(np.array([[x[0], 0.0], [0.0, x[1]]])) ** 2, (np.array([1.3, 2.0]),),
                modes=("reverse",))  # fmt: skip


def result_is_written(x):
    b = x * 1.0
    y = reversed_gradient(b)
    y[0] = 5.0
    return np.sum(b**2)


def argument_is_written(x):
    b = x * 1.0
    y = one_of(b, 2.0 * x, 1)
    b[0] = 3.0
    return np.sum(y)


def loop_that_may_do_nothing(x):
    u = x * 1.0
    for k in range(3):
        u = some_steps(u, k)
        u[0] = 0.0
    return np.sum(u**2)


@pytest.mark.parametrize("f", [result_is_written, argument_is_written, loop_that_may_do_nothing])
def test_a_result_that_is_an_argument_is_noticed_when_one_of_them_is_written(f):
    with pytest.raises(ad.MutationError, match="AD206"):
        ad.grad(f, on_overwrite="save")(X.copy())
    if f is loop_that_may_do_nothing:
        check_forward(f)
        return
    with pytest.raises(ad.MutationError, match="AD206"):
        ad.jvp(f, (X.copy(),), (X,))


def other_argument_is_written(x):
    b = x * 1.0
    y = one_of(b, 2.0 * x, 0)
    b[0] = 3.0
    return np.sum(y**2) + np.sum(b)


def new_result_is_written(x):
    u = some_steps(x * 1.0, 2)
    u[0] = 0.0
    return np.sum(u**2)


@pytest.mark.parametrize("f", [other_argument_is_written, new_result_is_written])
def test_a_new_result_may_be_written(f):
    check_grads(f, (X.copy(),), on_overwrite="save")


def test_nothing_is_looked_at_where_nothing_is_written():
    def f(x):
        return np.sum(reversed_gradient(x) ** 2) + np.sum(one_of(x, 2.0 * x, 1) * x)

    compiled = ad.differentiable(f)
    assert np.allclose(compiled.grad(X), 0.0)
    assert "memory" not in compiled.source


def test_out_of_a_users_function_is_a_parameter_like_others():
    def work(a, out=None):
        if out is None:
            out = np.empty_like(a)
        np.multiply(a, 2.0, out=out)
        return out

    ad.rule(work, wrt="a", a="2.0 * y_bar")
    check_grads(lambda x: np.sum(work(x) ** 2), (X,), modes=("reverse",))

    def into(x):
        b = np.zeros(3)
        work(x, b)
        return np.sum(b**2)

    with pytest.raises(ad.CompileError, match=r"AD412.*writes its argument `out`"):
        ad.grad(into)(X)


def test_no_pushforward_where_nobody_needs_the_result():
    def f(x):
        y = one_sided(x)
        return np.sum(x) + 0.0 * np.size(y)

    with pytest.raises(ad.CompileError, match=r"AD409.*no derivative"):
        ad.jvp(f, (X,), (X,))


def one_sided(u):
    return u * 2.0


@ad.rule(one_sided)
def one_sided_pullback(y_bar, u):
    return 2.0 * y_bar


LOG = []


@ad.constant
def recorded(a):
    LOG.append(a)


@pytest.mark.recorded
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_what_a_constant_function_keeps_is_changed_in_its_place(mode):
    def f(x):
        y = 2.0 * x
        recorded(y)
        y *= x
        return np.sum(y)

    LOG.clear()
    try:
        ad.grad(f, on_overwrite=mode)(X)
    except ad.CompileError as error:
        assert mode == "refuse" and error.diagnostics[0].code == "AD301"
    else:
        np.testing.assert_allclose(LOG, [2.0 * X * X])


def same(u):
    return u


ad.rule(same, linear=True, u="y_bar", u_dot="u_dot")


def writes_what_it_is_given(v):
    w = same(v)
    w[0] = 2.0


def puts_it(v, values):
    values.append(same(v))


@ad.checkpoint
def pair(u, v):
    return 2.0 * u, v


@ad.checkpoint
def item(d):
    return d["a"]


@ad.checkpoint
def new_pair(u, v):
    return 2.0 * u, v * 3.0


def in_a_callee(x):
    b = x * 1.0
    writes_what_it_is_given(b)
    return np.sum(b * b)


def in_a_list(x):
    b, values = x * 1.0, []
    puts_it(b, values)
    values[0][0] = x[1]
    return np.sum(b * b)


def in_a_tuple(x):
    b = x * 1.0
    _, y = pair(x, b)
    y[0] = x[1]
    return np.sum(b * b)


def out_of_a_dictionary(x):
    d = {"a": x * 1.0, "b": x}
    y = item(d)
    y[0] = x[1]
    return np.sum(d["a"] ** 2)


@pytest.mark.parametrize("f", [in_a_callee, in_a_list, in_a_tuple, out_of_a_dictionary])
def test_where_no_check_can_tell_it_is_refused(f):
    for mode in ("refuse", "save"):
        with pytest.raises(ad.CompileError, match=r"AD41[23].*may return"):
            ad.grad(f, on_overwrite=mode)(X.copy())
    if f in (in_a_tuple, out_of_a_dictionary):
        check_forward(f)
        return
    with pytest.raises(ad.CompileError, match=r"AD41[23].*may return"):
        ad.jvp(f, (X.copy(),), (X,))


def test_two_parameters_and_a_tuple():
    def f(x):
        a, b = new_pair(x, x * x)
        return np.sum(a * b)

    check_grads(f, (X,))


@pytest.mark.parametrize("f", [result_is_written, argument_is_written, loop_that_may_do_nothing])
def test_nothing_is_left_to_a_check_where_that_is_asked(f):
    with pytest.raises(ad.CompileError, match=r"AD41[23].*may return"):
        ad.grad(f, on_overwrite="save", on_unproven="refuse")(X.copy())
    assert ad.grad(new_result_is_used, on_unproven="refuse")(X).shape == (3,)


def new_result_is_used(x):
    return np.sum(some_steps(x * 1.0, 2) ** 2)


class Holder:
    pass


def out_of_an_object(u):
    held = Holder()
    held.u = u
    return held.u


def windows_of_one(u):
    return np.lib.stride_tricks.sliding_window_view(u, 1, writeable=True)[:, 0]


def by_the_constructor(u):
    return np.ndarray(u.shape, u.dtype, u)


def through_a_masked_array(u):
    return np.ma.array(u).data


SHARING = [out_of_an_object, windows_of_one, by_the_constructor, through_a_masked_array]
for shares in SHARING:
    ad.rule(shares, linear=True, u="y_bar", u_dot="u_dot")


@pytest.mark.parametrize("shares", SHARING)
@pytest.mark.parametrize("result", [True, False])
def test_memory_that_is_handed_on_unseen_does_not_count_as_new(shares, result):
    def f(x):
        u = x * 1.0
        y = shares(u)
        written, read = (y, u) if result else (u, y)
        written[0] = 5.0 * x[1]
        return np.sum(read * read)

    for mode in ("refuse", "save"):
        with pytest.raises(ad.AdtransError, match=r"AD(301|412|206|606)"):
            ad.grad(f, on_overwrite=mode)(X.copy())
    with pytest.raises(ad.AdtransError, match=r"AD(412|206|606)"):
        ad.jvp(f, (X.copy(),), (X,))
    check_grads(lambda x: np.sum(shares(x) ** 2), (X,))


def made_a_column(u):
    u.shape = (3, 1)
    return 2.0 * u[:, 0]


ad.rule(made_a_column, linear=True, u="2 * y_bar", u_dot="2 * u_dot")


def called_by_another(u):
    return made_a_column(u)


@pytest.mark.parametrize("called", [made_a_column, called_by_another])
def test_a_function_that_assigns_the_shape_of_its_argument_writes_it(called):
    def f(x):
        u = x * 1.0
        return np.sum(called(u) * u)

    with pytest.raises(ad.CompileError, match=r"AD412.*writes its argument `u`"):
        ad.grad(f)(X)
    with pytest.raises(ad.CompileError, match="AD412"):
        ad.jvp(f, (X,), (X,))


COUNTED = 0


def counted(u):
    global COUNTED
    COUNTED += 1
    return u * 2.0


ad.rule(counted, linear=True, u="2 * y_bar", u_dot="2 * u_dot")


def test_a_global_that_only_the_function_with_the_rule_names_stands_in_nobodys_way():
    def f(x):
        u = x * 1.0
        w = counted(u)
        w[0] = 5.0 * x[1]
        return np.sum(u * w)

    check_grads(f, (X,))
    check_grads(lambda x: np.sum(counted(x) * x), (X,))
