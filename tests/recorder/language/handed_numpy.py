"""Expressions that hand `x`, `float(x[0])` or `x[1]` to functions of NumPy, one a line."""

EXPRESSIONS = r"""
np.frombuffer(x.tobytes())[0]
np.frombuffer(x)[0]
x.view(np.int64).view(float)[0]
y = x.view(np.int64) + 0; y.view(float)[1]
x.view(np.recarray)[0]
np.asarray(Box(x))[0]
np.array(Box(x))[0]
np.sum(Box(x))
np.array([Box(a).v])[0]
np.sin(Box(x))
np.array(list(Box(a)))[0]
np.ndarray.__add__(x, x)[0]
np.ndarray.sum(x)
x.sum(where=np.array([True, False, True, True]))
np.fromfunction(lambda i: x[0] * i, (3,)).sum()
np.fromiter(x, float).sum()
np.frompyfunc(lambda v: v * 2, 1, 1)(x).sum()
np.vectorize(lambda v: v * 2)(x).sum()
np.vectorize(lambda v: v @ v, signature="(n)->()")(x)
np.piecewise(x, [x > 0.8], [lambda v: v * 2, 0.0]).sum()
np.apply_over_axes(np.sum, x.reshape(2, 2), [0, 1]).sum()
np.lib.stride_tricks.sliding_window_view(x, 2).sum()
np.nditer(x).__next__()
sum(float(v) for v in np.nditer(x))
y = np.zeros(4); y.put([1], a); y.sum()
y = np.zeros(4); np.put(y, [1, 2], x[:2]); y.sum()
y = np.zeros(4); np.place(y, y == 0, x); y.sum()
y = np.zeros((2, 2)); np.fill_diagonal(y, a); y.sum()
y = np.zeros(4); y.fill(a); y.sum()
y = np.zeros(4); y[...] = a; y.sum()
y = np.zeros(4); y.itemset(0, a) if hasattr(y, "itemset") else y.__setitem__(0, a); y.sum()
y = np.zeros(4); y.__setitem__(slice(0, 2), x[:2]); y.sum()
y = np.zeros(4); np.copyto(y, x); y.sum()
y = np.zeros(4); y.flat = x; y.sum()
y = np.zeros(4); y.flat[1] = a; y.sum()
y = np.zeros(4); y.real = x; y.sum()
y = np.zeros(4, complex); y.imag = x; y.imag.sum()
y = np.zeros(4); y[:2].data[0] = a; y.sum()
y = bytearray(32); np.frombuffer(y)[...] = x; np.frombuffer(y).sum()
list(map(np.sin, x))[0]
functools.reduce(np.add, x)
sum(itertools.chain.from_iterable(np.array([x, x])))
float(np.float32(a)) * 0 + a
np.float64(a) * 2
np.float64([a, b]).sum()
np.double(a)
np.array(a)[()]
np.array(a).item()
np.asarray(a) * 2
np.array([a, b]).sum()
np.array([[a, b], x[:2]]).sum()
np.array([x, x]).sum()
np.array(x, dtype=complex).real.sum()
np.array((a, (b))).sum()
np.full(3, a).sum()
np.full_like(x, a).sum()
np.linspace(a, b, 4)[1]
np.arange(a, 3.0)[0]
np.geomspace(a, b, 4)[1]
np.logspace(a, b, 3)[1]
np.diag(x).sum()
np.tri(3).sum() * a
np.eye(2).dot(x[:2]).sum()
np.interp(a, [0, 1], x[:2])
np.trapezoid(x) if hasattr(np, "trapezoid") else np.trapz(x)
np.convolve(x, x).sum()
np.gradient(x).sum()
np.cross(x[:3], x[1:])[0]
np.polyfit([1.0, 2, 3, 4], x, 1)[0]
np.poly1d(x)(0.5)
np.polynomial.Polynomial(x)(0.5)
np.polynomial.polynomial.polyval(0.5, x)
np.histogram(x, weights=x)[0].sum()
np.bincount([0, 1, 1, 0], weights=x)[1]
np.unique(x).sum()
np.array_split(x, 2)[0].sum()
np.r_[x, a].sum()
np.c_[x, x].sum()
np.s_[0:2] and x[np.s_[0:2]].sum()
np.ix_([0, 1]) and x[np.ix_([0, 1])].sum()
np.insert(x, 1, a).sum()
np.delete(x, 1).sum()
np.append(x, a).sum()
np.nan_to_num(x).sum()
np.real_if_close(x).sum()
np.require(x).sum()
np.ma.masked_array(x, [0, 1, 0, 0]).sum()
np.matrix([[a, b]]).sum()
np.char.add("a", "b") == "ab" and a
np.asarray([Box(a).v, b], dtype=object).sum()
np.array([a, b], dtype=object)[0]
(np.array([a, b], dtype=object) * 2).sum()
np.dot(np.array([a, b], dtype=object), [1.0, 2.0])
np.array([a, b], dtype=object).astype(float).sum()
np.sum(np.array([a, b], dtype=object))
np.array(x.astype(object).tolist()).sum()
np.rec.fromarrays([x, x], names="a,b")["a"].sum()
np.rec.array([(a, b)], dtype=[("p", float), ("q", float)])["p"].sum()
np.array([(a, b)], dtype=[("p", float), ("q", float)])["p"].sum()
y = np.zeros(2, dtype=[("p", float)]); y["p"] = x[:2]; y["p"].sum()
y = np.zeros(2, dtype=[("p", float)]); y["p"] = x[:2]; y[0]["p"]
y = np.zeros(2, dtype=[("p", float)]); y["p"] = x[:2]; y[["p"]]["p"].sum()
y = np.zeros(2, dtype=[("p", float)]); y["p"] = x[:2]; y.copy()["p"].sum()
y = np.zeros(2, dtype=[("p", float)]); y[0] = (a,); y["p"].sum()
y = np.zeros(2, dtype=[("p", float)]); y[0]["p"] = a; y["p"].sum()
y = x.view([("p", float), ("q", float)]); y["q"].sum()
y = x.view(complex); abs(y).sum()
np.random.default_rng(1).normal(a, b)
np.random.default_rng(1).uniform(a, 2.0)
np.random.default_rng(1).choice(x)
np.random.default_rng(1).permutation(x)[0]
y = x.copy(); np.random.default_rng(1).shuffle(y); y[0]
np.random.RandomState(1).normal(a, b)
functools.partial(np.multiply, x)(x).sum()
float(np.array(a))
[v for v in np.nditer(x)][0] * 1.0
np.einsum("i,i->", x, x)
np.linalg.norm(x)
np.linalg.solve(np.diag(x), x).sum()
np.fft.fft(x).real.sum()
np.save and a
np.array_equal(x, x) * a
np.testing.assert_allclose(x, x) or a
np.set_printoptions() or a
np.array2string(x) and a
np.ndarray((4,), float, x)[0]
np.ndarray.__getitem__(x, 0)
np.add(x, x, np.zeros(4)).sum()
np.add.at(y := np.zeros(4), [0, 0], x[:2]) or y.sum()
np.lexsort((x,)).sum() * a
np.digitize(x, [0.8]).sum() * a
np.ediff1d(x)[0]
np.trim_zeros(x)[0]
np.asfarray(x)[0] if hasattr(np, "asfarray") else a
np.kron(x, x)[1]
np.tensordot(x, x, 1)
np.cov(x)
np.corrcoef(x, x[::-1])[0, 1]
np.quantile(x, 0.3)
np.average(x, weights=x)
np.ptp(x)
np.roots([1.0, a, -b])[0]
np.select([x > 0.8], [x]).sum()
np.take_along_axis(x, np.array([1, 0]), 0).sum()
np.block([x, x]).sum()
np.lib.stride_tricks.as_strided(x, (2,), (8,)).sum()
np.broadcast_to(a, (3,)).sum()
np.nditer([x, x]).__class__ and a
sum(u * v for u, v in np.nditer([x, x]))
sum(u * v for u, v in np.broadcast(x, x))
[v for (_,), v in np.ndenumerate(x)][1]
"""
