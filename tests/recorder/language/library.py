"""Modules of the standard library given active values."""

from __future__ import annotations

import cmath
import io
import logging
import math
import statistics
import threading
import types
from fractions import Fraction

from tests.recorder.language.judge import program, world


@program(0.6, 1.3)
def math_functions(a, b):
    t = math.sin(a) * math.cos(b) + math.tan(a) + math.exp(a) + math.log(b) + math.log(b, 3.0)
    t += math.log1p(a) + math.expm1(a) + math.log2(b) + math.log10(b) + math.sqrt(a)
    t += math.atan2(a, b) + math.hypot(a, b) + math.hypot(a, b, 1.0) + math.pow(a, b)
    t += math.asin(a) + math.acos(a) + math.atan(b) + math.sinh(a) + math.tanh(b) + math.cosh(a)
    t += math.erf(a) + math.erfc(b) + math.gamma(b) + math.lgamma(b) + math.fabs(-a)
    t += (
        math.copysign(a, -b)
        + math.fmod(b, a)
        + math.ldexp(a, 2)
        + math.degrees(a)
        + math.radians(b)
    )
    t += math.fsum([a, b, a * b]) + math.prod([a, b, 2.0]) + math.dist([a, b], [0.0, 1.0])
    t += math.modf(b)[0] + math.frexp(a)[0] * math.frexp(b)[1] + math.remainder(b, a)
    return t + math.floor(b) * a + math.ceil(a) + math.trunc(b) + math.asinh(a) + math.isclose(a, b)


@program(0.6, 1.3)
def complex_numbers(a, b):
    z = complex(a, b)
    w = z * z + cmath.exp(1j * z) - z.conjugate() / (2 + 1j)
    r, phi = cmath.polar(z)
    t = abs(w) * w.real + w.imag + r * phi + cmath.phase(w)
    return t + (cmath.sqrt(z) * cmath.rect(r, phi)).real + abs(complex(a)) + (z**2).imag + (-z).real


@program()
def statistics_of_numbers(x):
    v = x.tolist()
    return statistics.fmean(v) * v[0] + sorted(v)[1]


@program()
def rounded_and_divided(x):
    a = float(x[0])
    q, r = divmod(x[2], 0.5)
    return (
        round(a, 1) * x[1]
        + q * r
        + x[2] // 0.4 * x[0]
        + x[2] % 0.4
        + abs(-a)
        + pow(a, 3)
        + int(a * 7) * x[3]
    )


@program()
def said_and_logged(x):
    out = io.StringIO()
    print(x[0], float(x[1]), file=out)
    print(f"{x[2]:.3f} {x!r}", [float(v) for v in x], {"a": x[0]})
    logging.getLogger("quiet").debug("%s %.2f", x[0], x[1])
    out.write("%d %s" % (x[2], x[3]))
    return x[0] * (len(out.getvalue()) > 3) * x[1]


@program()
def simple_namespaces(x):
    n = types.SimpleNamespace(a=x[0], b=[x[1]])
    n.c = n.a * n.b[0]
    n.__dict__["d"] = x[2]
    return n.c * n.d + sum(v for v in vars(n).values() if not isinstance(v, list))


@program()
def locals_of_threads(x):
    box = threading.local()
    lock = threading.Lock()
    with lock:
        box.v = x[0] * 2
    return box.v * x[1]


@world()
def logged_by_a_handler():
    kept = []

    class Handler(logging.Handler):
        def emit(self, record):
            kept.append(record.getMessage())

    log = logging.getLogger("tests.recorder.language")
    log.handlers[:] = [Handler()]
    log.propagate = False
    log.setLevel(logging.INFO)

    def f(x):
        log.info("value %s of %s", x[0] * 2, float(x[1]))
        return x[0] * x[1]

    return f, [kept]


@program()
def constants_of_fractions(x):
    return float(Fraction(1, 3)) * x[0] + x[1] * float(Fraction("0.25") + 1)


@program()
def attributes_of_numbers(x):
    a = float(x[0])
    z = a + 2j
    return (
        a.real * a.real
        + a.imag
        + a.conjugate()
        + z.real * z.imag
        + a.is_integer()
        + x[1].real
        + x[1].size
    )
