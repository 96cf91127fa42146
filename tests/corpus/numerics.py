"""Programs that people write: simulations, filters, factorisations, likelihoods."""

from __future__ import annotations

import numpy as np

from tests.corpus.model import Programs, later, mat, spd, vec

CASES = Programs("numerics")


@CASES.add(vec(8), 0.2, wrt=(0, 1))
def heat_1d(u, nu):
    u = u.copy()
    for _ in range(3):
        lap = u[2:] - 2.0 * u[1:-1] + u[:-2]
        u[1:-1] = u[1:-1] + nu * lap
    return np.sum(u * u)


@CASES.add(mat(5, 5), 0.1, wrt=0)
def heat_2d_with_boundaries(u, nu):
    u = u.copy()
    for _ in range(2):
        new = u.copy()
        new[1:-1, 1:-1] += nu * (u[2:, 1:-1] + u[:-2, 1:-1] + u[1:-1, 2:] + u[1:-1, :-2])
        new[0, :] = 0.0
        new[:, -1] = u[:, 0]
        u = new
    return np.sum(u**2)


@CASES.add(np.array([0.1, 0.2, 0.6]), vec(8) - 1.0, wrt=(0, 1))
def garch(theta, r):
    omega, alpha, beta = theta
    n = len(r)
    h = np.empty(n)
    h[0] = 0.5
    for t in range(1, n):
        h[t] = omega + alpha * r[t - 1] ** 2 + beta * h[t - 1]
    return 0.5 * np.sum(np.log(h) + r**2 / h)


@CASES.add(mat(2, 2) * 0.5, mat(1, 2), spd(2), np.array([[0.7]]), mat(4, 1), wrt=(0, 1, 2, 3, 4))
def kalman(F, H, Q, R, ys):
    x = np.zeros(2)
    P = np.eye(2)
    nll = 0.0
    for y in ys:
        x = F @ x
        P = F @ P @ F.T + Q
        e = y - H @ x
        S = H @ P @ H.T + R
        K = P @ H.T @ np.linalg.inv(S)
        x = x + K @ e
        P = P - K @ H @ P
        nll += 0.5 * (np.log(np.linalg.det(S)) + e @ np.linalg.solve(S, e))
    return nll


def _lorenz(s, p):
    return np.array([p[0] * (s[1] - s[0]), s[0] * (p[1] - s[2]) - s[1], s[0] * s[1] - p[2] * s[2]])


@CASES.add(vec(3), np.array([1.0, 2.8, 0.6]), wrt=(0, 1))
def rk4(s, p):
    h = 0.05
    for _ in range(3):
        k1 = _lorenz(s, p)
        k2 = _lorenz(s + 0.5 * h * k1, p)
        k3 = _lorenz(s + 0.5 * h * k2, p)
        k4 = _lorenz(s + h * k3, p)
        s = s + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    return np.sum(s * s)


@CASES.add(vec(3) - 1.0, mat(6, 3) - 1.0, np.array([0.0, 1.0, 1.0, 0.0, 1.0, 0.0]), wrt=(0, 1))
def logistic_regression(w, X, t):
    z = X @ w
    p = 1.0 / (1.0 + np.exp(-z))
    return -np.mean(t * np.log(p) + (1.0 - t) * np.log(1.0 - p)) + 0.1 * np.sum(w**2)


@CASES.add(vec(2), mat(2, 3), vec(2), mat(4, 3, 0.3), wrt=(0, 1, 2))
def gmm_log_likelihood(logits, means, log_s, X):
    logw = logits - np.log(np.sum(np.exp(logits)))
    n, k = X.shape[0], means.shape[0]
    lp = np.empty((n, k))
    for j in range(k):
        d = (X - means[j]) / np.exp(log_s[j])
        lp[:, j] = logw[j] - 0.5 * np.sum(d * d, axis=1) - 3.0 * log_s[j]
    m = np.max(lp, axis=1, keepdims=True)
    return np.sum(m[:, 0] + np.log(np.sum(np.exp(lp - m), axis=1)))


@CASES.add(
    mat(3, 4) - 1.0, vec(4), mat(4, 2) - 1.0, vec(2), mat(5, 3), mat(5, 2), wrt=(0, 1, 2, 3, 4)
)
def mlp(W1, b1, W2, b2, X, Y):
    h = np.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    return np.mean((out - Y) ** 2)


@CASES.add(
    [mat(3, 4) - 1.0, vec(4), mat(4, 2) - 1.0, vec(2)], mat(5, 3), mat(5, 2), **later("AD207")
)
def mlp_with_a_list_of_weights(params, X, Y):
    W1, b1, W2, b2 = params
    h = np.tanh(X @ W1 + b1)
    out = h @ W2 + b2
    return np.mean((out - Y) ** 2)


@CASES.add(mat(3, 3), vec(3), wrt=(0, 1))
def layers_in_a_loop(W, x):
    h = x
    for _ in range(3):
        h = np.tanh(W @ h)
    return np.sum(h)


@CASES.add(vec(5), 0.8, wrt=(0, 1))
def horner(c, x):
    y = c[-1]
    for k in range(len(c) - 2, -1, -1):
        y = y * x + c[k]
    return y


@CASES.add(np.array([4.0, 1.0, 0.5, 0.3]), vec(4), wrt=(0, 1), default="ok/AD301/AD302/AD304")
def levinson(r, b):
    n = len(b)
    f = np.zeros(n)
    x = np.zeros(n)
    f[0] = 1.0 / r[0]
    x[0] = b[0] / r[0]
    for k in range(1, n):
        ef = 0.0
        ex = 0.0
        for i in range(k):
            ef += r[k - i] * f[i]
            ex += r[k - i] * x[i]
        d = 1.0 - ef * ef
        g = np.zeros(n)
        for i in range(k + 1):
            front = f[i] if i < k else 0.0
            back = f[k - i] if i > 0 else 0.0
            g[i] = (front - ef * back) / d
        f = g
        for i in range(k + 1):
            x[i] += (b[k] - ex) * f[k - i]
    return np.sum(x * x)


@CASES.add(mat(5, 5), mat(5, 5, 0.1), wrt=(0, 1))
def red_black_sweep(u, rhs):
    u = u.copy()
    for colour in range(2):
        for i in range(1, 4):
            for j in range(1, 4):
                if (i + j) % 2 == colour:
                    u[i, j] = 0.25 * (
                        u[i - 1, j] + u[i + 1, j] + u[i, j - 1] + u[i, j + 1] - rhs[i, j]
                    )
    return np.sum(u * u)


@CASES.add(vec(6), vec(3) * 0.3, vec(2) * 0.2, wrt=(0, 1, 2))
def iir_filter(x, b, a):
    y = np.zeros(len(x))
    for n in range(len(x)):
        acc = 0.0
        for k in range(len(b)):
            if n - k >= 0:
                acc += b[k] * x[n - k]
        for k in range(len(a)):
            if n - k - 1 >= 0:
                acc -= a[k] * y[n - k - 1]
        y[n] = acc
    return np.sum(y**2)


@CASES.add(vec(4), vec(5, 0.3), wrt=(0, 1))
def dynamic_time_warping(a, b):
    m, n = len(a), len(b)
    D = np.full((m + 1, n + 1), 1e3)
    D[0, 0] = 0.0
    for i in range(1, m + 1):
        for j in range(1, n + 1):
            cost = (a[i - 1] - b[j - 1]) ** 2
            D[i, j] = cost + min(D[i - 1, j], D[i, j - 1], D[i - 1, j - 1])
    return D[m, n]


@CASES.add(mat(3, 3), mat(3, 4), vec(3), wrt=(0, 1, 2))
def hidden_markov_forward(A, B, pi):
    alpha = np.zeros((4, 3))
    alpha[0] = pi * B[:, 0]
    for t in range(1, 4):
        alpha[t] = (alpha[t - 1] @ A) * B[:, t]
    return np.log(np.sum(alpha[3]))


@CASES.add(spd(3))
def power_iteration(A):
    v = np.ones(3)
    k = 0
    while k < 5:
        w = A @ v
        v = w / np.sqrt(np.sum(w * w))
        k += 1
    return v @ A @ v


@CASES.add(2.7)
def newton_square_root(a):
    x = a
    while abs(x * x - a) > 1e-13:
        x = 0.5 * (x + a / x)
    return x


@CASES.add(1.7, 10)
def power_by_squaring(x, n):
    y = 1.0
    while n > 0:
        if n % 2 == 1:
            y = y * x
        x = x * x
        n = n // 2
    return y


@CASES.add(1.5, 0.3, wrt=(0, 1))
def spring(k, c):
    x, v = 1.0, 0.0
    dt = 0.1
    for _ in range(6):
        a = -k * x - c * v
        v += dt * a
        x += dt * v
    return x * x + v * v


@CASES.add(vec(4), vec(4) * 0.0 + 0.2, 1.5, wrt=(0, 1, 2))
def spring_chain(x, v, k):
    x = x.copy()
    v = v.copy()
    for _ in range(4):
        f = np.zeros(4)
        f[1:] -= k * (x[1:] - x[:-1])
        f[:-1] += k * (x[1:] - x[:-1])
        v += 0.1 * f
        x += 0.1 * v
    return np.sum(x * x)


@CASES.add(mat(3, 2) * 2.0, vec(3), wrt=(0, 1))
def n_body(pos, mass):
    vel = np.zeros((3, 2))
    pos = pos.copy()
    for _ in range(2):
        acc = np.zeros((3, 2))
        for i in range(3):
            for j in range(3):
                if i != j:
                    d = pos[j] - pos[i]
                    r2 = np.sum(d * d) + 0.1
                    acc[i] += mass[j] * d / (r2 * np.sqrt(r2))
        vel += 0.05 * acc
        pos += 0.05 * vel
    return np.sum(pos * pos) + np.sum(vel)


@CASES.add(mat(2, 2), mat(2, 2, 0.2), wrt=(0, 1))
def matrix_recurrence(A, B):
    X = np.eye(2)
    for k in range(4):
        X = A @ X + k * B @ X.T
    return np.trace(X)


@CASES.add(spd(3))
def matrix_series(A):
    term = np.eye(3)
    total = np.eye(3)
    for k in range(1, 5):
        term = term @ A / (10.0 * k)
        total += term
    return np.sum(total)


@CASES.add(spd(4), vec(4), wrt=(0, 1))
def conjugate_gradient(A, b):
    x = np.zeros(4)
    r = b - A @ x
    p = r.copy()
    for _ in range(3):
        Ap = A @ p
        alpha = (r @ r) / (p @ Ap)
        x = x + alpha * p
        new = r - alpha * Ap
        beta = (new @ new) / (r @ r)
        p = new + beta * p
        r = new
    return np.sum(x)


@CASES.add(spd(4), vec(4), wrt=(0, 1))
def gauss_seidel(A, b):
    x = np.zeros(4)
    for _ in range(3):
        for i in range(4):
            s = b[i]
            for j in range(4):
                if j != i:
                    s -= A[i, j] * x[j]
            x[i] = s / A[i, i]
    return np.sum(x * x)


@CASES.add(spd(4), default="ok/AD301/AD302/AD304")
def lu_by_rows(a):
    a = a.copy()
    n = a.shape[0]
    for k in range(n):
        for i in range(k + 1, n):
            a[i, k] /= a[k, k]
            a[i, k + 1 :] -= a[i, k] * a[k, k + 1 :]
    return np.sum(np.log(np.diag(a)))


@CASES.add(vec(5), 0.3, wrt=(0, 1))
def exponential_smoothing(x, a):
    level = x[0]
    err = 0.0
    for t in range(1, len(x)):
        err += (x[t] - level) ** 2
        level = a * x[t] + (1.0 - a) * level
    return err


@CASES.add(vec(7), np.array([0.2, 0.5, 0.3]), wrt=(0, 1))
def convolution(x, k):
    out = np.zeros(5)
    for i in range(3):
        out += k[i] * x[i : i + 5]
    return np.sum(out * out)


@CASES.add(vec(6))
def softmax_attention_row(x):
    q = x.reshape(3, 2)
    scores = q @ q.T / np.sqrt(2.0)
    scores -= np.max(scores, axis=1, keepdims=True)
    e = np.exp(scores)
    e /= np.sum(e, axis=1, keepdims=True)
    return np.sum((e @ q) ** 2)


@CASES.add(vec(5), 100.0, 0.05, wrt=(0, 1, 2))
def option_tree(z, s0, r):
    n = 4
    v = np.zeros(n + 1)
    for i in range(n + 1):
        v[i] = np.maximum(s0 * np.exp(0.2 * (2 * i - n)) - 95.0, 0.0) + z[i]
    for step in range(n, 0, -1):
        for i in range(step):
            v[i] = np.exp(-r * 0.25) * (0.48 * v[i] + 0.52 * v[i + 1])
    return v[0]


@CASES.add(vec(4), vec(4, 1.1), wrt=(0, 1))
def lotka_volterra_euler(p, y0):
    y = np.empty((5, 2))
    y[0, 0] = y0[0]
    y[0, 1] = y0[1]
    for t in range(4):
        a, b = y[t, 0], y[t, 1]
        y[t + 1, 0] = a + 0.1 * (p[0] * a - p[1] * a * b)
        y[t + 1, 1] = b + 0.1 * (p[2] * a * b - p[3] * b)
    return np.sum(y)


@CASES.add(vec(5), np.array([1.4, 0.2, 0.9, 1.0, 0.3]), np.array([0.8, 1.6, 0.4, 1.7, 0.5]),
           wrt=(0, 1, 2))  # fmt: skip
def clipped_by_bounds_that_cross(x, low, high):
    a = np.clip(x, low, high)
    s = np.sum(a * a)
    for k in range(5):
        s = s + np.clip(x[k], low[k], high[k]) ** 3
    return s


@CASES.refused(mat(4, 3), vec(4), wrt=(0, 1))
def fitted_and_then_rewritten(a, b):
    w = a * 1.0
    c = np.linalg.lstsq(w, w[:, 0] * b, rcond=None)[0]
    w[0] = w[1] * c
    w[:, 1] += c[0]
    return np.sum(w) + np.sum(c)


@CASES.refused(vec(4), code="AD302")
def writes_what_was_trimmed(x):
    a = x * 1.0
    inner = np.trim_zeros(a)  # looks into `a`
    inner *= 2.0
    return np.sum(a * inner)
