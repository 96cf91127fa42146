"""Globals, defaults and class attributes that are written and read, by helpers and by name."""

from tests.grown.growing import Theme

HELPERS = """
RATE = 0.5
BUFFER = np.zeros(3)
BOOK = {}
LEDGER = []


class Shop:
    price = 0.5
    stock = []


class Config:
    pass


CONFIG = Config()


def reset():
    global RATE
    RATE = 0.5
    BUFFER[...] = [0.1, 0.2, 0.3]
    BOOK.clear()
    BOOK["p"] = 0.4
    LEDGER.clear()
    Shop.price = 0.5
    Shop.stock = [0.2]
    CONFIG.__dict__.clear()
    CONFIG.rate = 0.3
    CONFIG.grid = np.ones(3)
    remember.__defaults__[0].clear()
    counted.calls = 0.0


def set_rate(v):
    global RATE
    RATE = RATE * v
    return RATE


def with_rate(v):
    return v * RATE


def with_book(v):
    return v * BOOK["p"]


def noted(v):
    LEDGER.append(v)
    return LEDGER[0] * v


def remember(v, seen=[]):
    seen.append(v)
    return sum(seen)


def counted(v):
    counted.calls += v
    return counted.calls * v


def buffered(v):
    BUFFER[1:] = BUFFER[:-1] * v
    return BUFFER[:2]


def configured(v):
    CONFIG.rate = CONFIG.rate * v
    return CONFIG.grid


def applied(g, v):
    return g(v) + g(v * 0.5)


READERS = [with_rate, with_book]
"""

OUTSIDE = Theme(
    "outside",
    (
        "$new = set_rate($v)", "set_rate($v)", "$new = with_rate($v)", "$new = with_book($v)",
        "BOOK['p'] = $v", "BOOK['p'] *= $v", "BOOK[$k] = $v", "$new = BOOK.get($k, $v)",
        "$new = noted($v)", "LEDGER.append($v)", "LEDGER.append($A)\n$new = LEDGER.pop()",
        "$new = sum(LEDGER)", "$new = LEDGER", "$new = BUFFER", "$new = BUFFER[::-1]",
        "BUFFER[$i] = $v", "BUFFER[:] *= $v", "BUFFER[...] = BUFFER[::-1] * $v",
        "$new = BUFFER * $v", "$new = buffered($v)", "$new = buffered($v)\n$new *= $v2",
        "$new = configured($v)", "CONFIG.rate = $v", "CONFIG.rate += $v", "CONFIG.grid[$i] = $v",
        "CONFIG.grid = CONFIG.grid * $v", "CONFIG.grid = $A", "$new = CONFIG.grid",
        "$new = CONFIG.rate * $v", "CONFIG.extra = $v\n$new = CONFIG.extra", "$new = CONFIG",
        "Shop.price = $v", "Shop.price *= $v", "$new = Shop.price * $v", "Shop.stock.append($v)",
        "$new = Shop().stock", "$new = sum(Shop.stock) * $v",
        "$new = Shop()\n$new.price = $v\n$new = $new.price + Shop.price", "$new = remember($v)",
        "$new = remember($v, [$v2])", "$new = counted($v)", "counted.calls = $v",
        "$new = counted.calls * $v", "$new = applied(with_rate, $v)",
        "$new = applied(set_rate, $v)", "$new = applied(noted, $v)", "$new = applied(counted, $v)",
        "$new = [g($v) for g in READERS]", "$new = READERS[$i]($v)", "READERS[0]($v)",
        "$new = {'p': with_rate, 'q': noted}[$k]($v)", "$new = sum(map(with_rate, $A))",
        "$new = sum(map(noted, $A))", "$new = [noted(u) for u in ($v, $v2)]",
        "$new = noted($v) * noted($v2)", "$new = (set_rate($v), with_rate($v2))",
        "def $new(u):\n    BOOK['p'] = u\n    return with_book(u)",
        "def $new(u, k=RATE):\n    return u * k", "$new = $F($v)", "$new = applied($F, $v)",
        "$new = lambda u: with_rate(u) * $V", "def $new(u):\n    return u * BOOK['p'] + BUFFER[0]",
        "for $new in range(2):\n    $block", "if $t:\n    $block\nelse:\n    $block",
        "for $new in LEDGER:\n    $block", "for $new in BUFFER:\n    $block",
        "try:\n    set_rate($v)\n    if $t:\n        raise ValueError\n    noted($v)\n"
        "except ValueError:\n    $block",
        "$A[...] = $v", "$A[$i] = with_rate($v)", "$new = globals()['RATE'] * $v",
        "$new = BOOK\n$new['p'] = $v", "$new = LEDGER\n$new.append($v)", "x[0] = RATE",
        "BUFFER[$i] += RATE", "CONFIG.rate, $V = $V, CONFIG.rate",
    ),
    HELPERS,
    start=("reset()",),
)  # fmt: skip
