"""What is kept, asked again or calculated again is what it was where the statement got to it."""

import numpy as np
import pytest

from adtrans import differentiable, grad, jvp, vjp
from adtrans.testing import check_grads

X = np.array([0.4, 1.3, 0.7])


def joined_with_popped(x):
    xs = [x[0], x[1], x[2]]
    ys = xs + [xs.pop(0), 1.0]
    return ys[0] + ys[1] * 2 + ys[2] * x[1] + ys[3] * x[0]


def joined_with_last(x):
    xs = [x[0], x[1], x[2]]
    ys = xs + [xs.pop()]
    return ys[0] + ys[1] * 2 + ys[2] * x[1]


def joined_in_a_loop(x):
    xs = [x[0], x[1]]
    s = 0.0
    for i in range(3):
        ys = xs + [xs.pop(0), x[i]]
        s = s + sum(ys) * x[0]
        xs = ys
    return s


def append_square(xs, v):
    xs.append(v)
    return v * v


def behind_a_call(x):
    xs = [x[0] * 2, x[1], x[2]]
    ys = xs + [append_square(xs, x[1]), 1.0] + xs
    return ys[0] + ys[1] * 2 + ys[2] * x[1] + ys[5] * x[0]


@pytest.mark.parametrize(
    "f", [joined_with_popped, joined_with_last, joined_in_a_loop, behind_a_call]
)
@pytest.mark.parametrize("mode", ["refuse", "save"])
def test_lengths(f, mode):
    check_grads(f, (X,), on_overwrite=mode)
    assert vjp(f, X, on_overwrite=mode)[0] == f(X) == jvp(f, (X,), (X,))[0]


class Asked:
    def __init__(self):
        self.times = 0.0

    def __gt__(self, other):
        self.times += 1.0
        return True

    def tick(self):
        self.times += 1.0
        return self.times


def asked_once(x, c):
    y = x * 2.0
    k = 3 if c > 2 else 4
    print(c.tick(), k)
    return y * c.times * k


def test_a_condition_is_asked_once_in_both_directions(capsys):
    value = asked_once(1.3, Asked())
    said = capsys.readouterr().out
    for call in (lambda f, *args: vjp(f, *args, wrt=0), lambda f, *args: jvp(f, args, (1.0, None))):
        c = Asked()
        assert call(asked_once, 1.3, c)[0] == value
        assert capsys.readouterr().out == said and c.times == 2.0


def test_an_index_is_calculated_again_as_it_was():
    def f(x, h, n):
        y = x * 1.0
        for k in range(n):
            y[int(0.1 * (k * h) / 0.1)] *= x[1]
        return np.sum(y)

    def g(x, h, n):
        s = x[0]
        for k in range(n):
            i = int(0.1 * (k * h) / 0.1)
            x[i] = s * x[i]
            s = s + x[i]
        return s

    apart = [
        (k, h)
        for k in range(1, 60)
        for h in np.arange(0.1, 4.0, 0.1)
        if k * h < 20 and int(0.1 * (k * h) / 0.1) != int(0.1 * k * h / 0.1)
    ]
    assert apart
    for k, h in apart[:3]:
        x = np.random.default_rng(1).uniform(0.9, 1.1, 30)
        for each in (f, g):
            check_grads(each, (x, float(h), k + 1), wrt=(0,), on_overwrite="save")


def test_a_condition_is_calculated_again_as_it_was():
    def f(x, h, n):
        s = 0.0
        for k in range(n):
            t = 0.1 * (k * h)
            if t > 0.3:
                s = s + x[0] * x[1] * k
            else:
                s = s + x[1] * x[1] * t
        return s

    def by_hand(x, h, n):
        ts = [0.1 * (k * h) for k in range(n)]
        first = sum(k * x[1] for k, t in enumerate(ts) if t > 0.3)
        second = sum(k * x[0] if t > 0.3 else 2 * x[1] * t for k, t in enumerate(ts))
        return [first, second]

    x = np.array([0.7, 1.9])
    for k, h in ((5, 0.6), (10, 0.3)):
        assert (0.1 * (k * h) > 0.3) != (0.1 * k * h > 0.3)
        np.testing.assert_allclose(grad(f)(x, h, k + 1), by_hand(x, h, k + 1))
        d = differentiable(f)
        d.grad(x, h, k + 1)
        assert "0.1 * k * h" not in d.source
