"""Expressions that hand `x`, `float(x[0])` or `x[1]` to functions of Python, one a line."""

EXPRESSIONS = r"""
statistics.mean(x.tolist())
statistics.median(x.tolist())
statistics.stdev(x.tolist())
statistics.variance(list(x))
statistics.fmean(x)
statistics.linear_regression([1.0,2.0,3.0,4.0], x.tolist()).slope
statistics.NormalDist(a, b).cdf(1.0)
statistics.geometric_mean(x.tolist())
statistics.harmonic_mean(x.tolist())
float(fractions.Fraction(a))
float(decimal.Decimal(a))
a.as_integer_ratio()[0] / a.as_integer_ratio()[1]
float.fromhex(a.hex())
struct.unpack("d", struct.pack("d", a))[0]
array.array("d", [a, b])[0]
array.array("d", x)[1]
pickle.loads(pickle.dumps(a))
pickle.loads(pickle.dumps(x))[1]
copy.deepcopy(Box(x)).v[0]
memoryview(x)[0]
x.data[0]
math.sin(Box(a))
float(Box(a))
sum(Box(a))
list(Box(a))[0]
x.__getitem__(0)
x.__array__()[0]
x.__iter__().__next__()
x.__mul__(2)[0]
x.__rmul__(2)[0]
float.__add__(a, 2.0)
float.__mul__(a, a)
a.__mul__(a)
a.__rsub__(1.0)
a.__pow__(2)
x[0].__mul__(3.0)
x.dot(x)
x.tolist()[0]
x.item(0)
x.flat[0]
x.take([0, 1]).sum()
x.searchsorted(0.8) * 1.0
y = x.copy(); y.resize(2); y.sum()
y = x.copy(); y.shape = (2, 2); y[0].sum()
y = x.copy(); y.partition(2); y[2]
y = x.copy(); y.sort(); y[0]
y = x.copy(); y.byteswap(True); y.byteswap(True); y.sum()
y = [0.0] * 3; y[::2] = x[:2]; sum(y)
y = [1.0]; y.extend(x); sum(y)
y = [1.0]; y += x.tolist(); sum(y)
d = dict.fromkeys("ab", a); d["a"]
d = dict(zip("abcd", x)); d["b"]
d = dict([("a", a)]); d["a"]
d = {}; d.update(zip("ab", x)); d["b"]
d = {}; d.update([["k", a]]); d["k"]
d = {}; d.__setitem__("k", a); d.get("k")
d = collections.defaultdict(lambda: b); d["q"]
d = collections.Counter({"a": a}); d["a"]
d = collections.Counter(); d["a"] += a; d.most_common(1)[0][1]
d = collections.OrderedDict([("a", a)]); d.popitem()[1]
d = collections.ChainMap({"a": a}); d["a"]
d = collections.deque(x); d[0] * d[-1]
d = collections.deque(x, 2); sum(d)
d = types.MappingProxyType({"a": a}); d["a"]
d = types.SimpleNamespace(a=a); d.a
sum(x)
sum(x, 1.0)
sum([x, x]).sum()
sum(v for v in x if v > 0.8)
min(x)
max(x, key=lambda v: -v)
max(*x)
min([a, b])
sorted(x)[0]
sorted(x, key=lambda v: -v)[0]
list(map(lambda v: v * 2, x))[0]
list(map(float, x))[0]
list(map(math.sin, x))[0]
list(map(operator.mul, x, x))[1]
list(map(abs, x))[1]
list(map(pow, x, [2, 2, 2, 2]))[1]
list(map(str.upper, "ab"))[0] == "A" and a
sum(filter(None, x))
sum(filter(lambda v: v > 0.8, x))
sum(itertools.accumulate(x, operator.mul))
sum(itertools.accumulate(x, max))
sum(itertools.starmap(pow, zip(x, [2, 3, 2, 2])))
sum(itertools.starmap(operator.mul, zip(x, x)))
functools.reduce(operator.add, x)
functools.reduce(max, x)
functools.reduce(lambda p, q: p * q, x, 2.0)
sum(itertools.chain(x, x))
sum(itertools.chain(*[x, x]))
sum(itertools.chain.from_iterable([x, x]))
sum(v for p in itertools.batched(x, 2) for v in p) if hasattr(itertools, "batched") else a
sum(v for p in zip(*[iter(x)] * 2) for v in p)
next(iter(x))
next(reversed(x))
next(zip(x, x))[1]
next(enumerate(x))[1]
next(itertools.islice(x, 2, None))
next(iter([x]))[1]
next(itertools.repeat(x))[2]
sum(sum(g) for k, g in itertools.groupby(x, key=lambda v: v > 0.8))
[*x][0] * [*x][1]
(lambda *v: v[0])(*x)
(lambda p, *v: v[1] * p)(*x)
"{:.17g}".format(a) and a
any(x > 2) or b
all([a, b]) and a
(a and b)
(x[0] or b)
abs(-x).sum()
abs(complex(a, b))
divmod(x[2], 0.5)[1]
divmod(x, 0.5)[1].sum()
pow(a, 2)
pow(x, 2).sum()
round(x[0], 1) * b
round(a) * b
x.astype(object).sum()
x.astype(object)[0]
x.astype(object).astype(float)[0]
random.Random(1).gauss(a, b)
random.Random(1).uniform(a, b)
random.Random(1).choice(x.tolist())
random.Random(1).sample(x.tolist(), 2)[0]
random.Random(1).choices(x.tolist(), k=2)[0]
random.Random(1).expovariate(a)
random.Random(1).triangular(a, 2.0)
random.Random(1).choice(x)
heapq.nsmallest(2, x)[1]
heapq.nlargest(2, x.tolist())[1]
bisect.bisect([0.5, 1.0], a) * b
json.loads(json.dumps({"a": 1.0}))["a"] * a
operator.itemgetter(0)(x)
operator.itemgetter(0, 1)(x)[1]
operator.attrgetter("v")(Box(a))
operator.attrgetter("v.real")(Box(a))
operator.methodcaller("get")(Box(a))
operator.methodcaller("sum")(x)
functools.partial(operator.mul, a)(b)
functools.partial(Box, a)().v
weakref.ref(Box)() is Box and a
getattr(Box(a), "v")
getattr(x, "T").sum()
vars(Box(a))["v"]
Box(a).__dict__["v"]
Box.__call__(a).v if False else Box(a).get()
Box.get(Box(a))
types.MethodType(Box.get, Box(a))()
inspect.getattr_static(Box(a), "v")
object.__getattribute__(Box(a), "v")
y = Box(0.0); object.__setattr__(y, "v", a); y.v
y = Box(0.0); setattr(y, "v", a); y.v
y = Box(0.0); y.__setattr__("v", a); y.v
y = Box(0.0); y.__dict__.update(v=a); y.v
type(a)(b)
type(x[0])(a)
type(Box(a))(b).v
x.__class__((2,)).shape[0] * a
float(str(1.5)) * a
float(x[:1].sum())
float(x[0:1][0])
int(a * 7) * b
complex(a, b).imag
complex(x[0]).real
math.fsum(x)
math.prod(x)
math.hypot(*x)
math.dist(x, [0, 0, 0, 0])
math.sumprod(x, x) if hasattr(math, "sumprod") else a
math.nextafter(a, 2.0)
math.ulp(a) * 0 + a
math.cbrt(a) if hasattr(math, "cbrt") else a
math.exp2(a) if hasattr(math, "exp2") else a
cmath.exp(a).real
cmath.phase(complex(a, b))
slice(a, b).start
range(3)[1] * a
Box(a).v if Box(a) else b
x.tolist().count(0.9) * a
(x.tolist() * 2)[5]
([a] + [b])[1]
tuple(x)[0] + (a, b)[1]
(a, b) < (b, a) and a
max((a, 1), (b, 2))[0]
max([(a, "p"), (b, "q")])[0]
set([a, b]).pop() * 0 + a
sum({a, b})
sum(frozenset((a, b)))
{a: b}[a]
list({a: b}.items())[0][0]
len({a, b}) * a
repr(x) and str(x) and a
copy.copy(x)[0]
copy.copy([x])[0][0]
copy.deepcopy({"a": [x, a]})["a"][1]
copy.replace(1) if False else a
contextlib.nullcontext(a).__enter__()
string.Template("$a").substitute(a=1) and a
collections.namedtuple("P", "p q")(a, b).q
collections.namedtuple("P", "p q")._make(x[:2]).q
collections.namedtuple("P", "p q")(*x[:2])._replace(p=b).p
tuple.__new__(tuple, x)[0]
tuple.__getitem__((a, b), 1)
list.__getitem__([a, b], 1)
y = [b]; list.append(y, a); y[1]
y = {}; dict.__setitem__(y, "a", a); y["a"]
y = {}; dict.update(y, a=a); y["a"]
y = []; list.extend(y, x); y[0]
y = collections.deque(); y.extend(x); y[1]
y = collections.deque(); y.extendleft(x); y[0]
y = collections.deque(x); y.rotate(1); y[0]
iter(lambda: a, None).__next__()
(v for v in x).__next__()
[].__class__(x)[0]
"""
