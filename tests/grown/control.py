"""Branches, loops, exits, exceptions, generators and closures around writes."""

from tests.grown.growing import Theme

HELPERS = """
class Full(ValueError):
    def __init__(self, amount):
        super().__init__("full")
        self.amount = amount


def checked(a, v):
    a[0] = v
    if v > 0.6:
        raise Full(v * a[-1])
    return a[1] * v


def first_above(a, v):
    for k, u in enumerate(a):
        if u > v:
            a[k] = u * v
            return a[k:]
    else:
        v = v * 0.5
    return a


def halves(a, v):
    try:
        for k in range(len(a)):
            a[k] *= v
            yield a[k:]
    finally:
        a[0] = 0.3


def running(v):
    total = v
    while total < 4.0:
        got = yield total
        total = total + (v if got is None else got)


def tried(a, v):
    try:
        if v > 0.7:
            return a[0] * v
        a[0] = v
    finally:
        a[-1] = v * v
    return a[0]


def down(a, n, v):
    if n == 0:
        return a
    a[n - 1] = a[n - 1] * v
    return down(a[::-1], n - 1, v * 0.9)


def delegated(a, v):
    last = yield from halves(a, v)
    yield a * v
"""

CONTROL = Theme(
    "control",
    (
        "for $new in range(3):\n    $block", "for $new in range(2, -1, -1):\n    $block",
        "for $new in reversed(range(1, 3)):\n    $block",
        "for $new in range(3):\n    $block\n    if $t:\n        break\n    $block\nelse:\n"
        "    $block",
        "for $new in range(3):\n    if $t:\n        continue\n    $block",
        "for $new in $A:\n    $block",
        "for $new in $A:\n    if np.sum($new) > $v:\n        break\n    $block\nelse:\n"
        "    $block",
        "$new = 0\nwhile $new < 2:\n    $block\n    $new += 1",
        "$new = $v\nwhile $new < 2.0:\n    $new += 0.5 + $V * $V\n    $block",
        "$new = 0\nwhile True:\n    $new += 1\n    $block\n    if $t or $new > 2:\n"
        "        break",
        "if $t:\n    $block\nelif $t2:\n    $block\nelse:\n    $block", "if $t:\n    $block",
        "if not ($t and $t2):\n    $block",
        "try:\n    $block\n    if $t:\n        raise ValueError\n    $block\n"
        "except ValueError:\n    $block",
        "try:\n    $block\n    if $t:\n        raise Full($v)\nexcept Full as error:\n"
        "    $V = error.amount\nelse:\n    $block\nfinally:\n    $block",
        "try:\n    $new = checked($A, $v)\nexcept Full as error:\n    $new = error.amount",
        "try:\n    checked($A, $v)\nexcept ValueError:\n    $block",
        "try:\n    $new = {'p': $v}[$k]\nexcept KeyError:\n    $new = $v2",
        "try:\n    $new = [$v][$i]\nexcept IndexError:\n    $new = $v2\nfinally:\n"
        "    $A[0] = $new",
        "try:\n    try:\n        $new = checked($A, $v)\n    finally:\n"
        "        $A[-1] = $v2\nexcept Full as error:\n    $new = error.args[0] == 'full'",
        "for $new in range(3):\n    try:\n        if $t:\n            continue\n"
        "        $block\n    finally:\n        $block",
        "$new = first_above($A, $v)", "$new = tried($A, $v)", "$new = down($A, 2, $v)",
        "$new = [u[0] * 1.0 for u in halves($A, $v)]",
        "for $new in halves($A, $v):\n    $new[0] += 0.1",
        "for $new in halves($A, $v):\n    if $t:\n        break\n    $block",
        "for $new in delegated($A, $v):\n    $block",
        "$new = running($v)\n$new2 = next($new) + $new.send($v2)",
        "$new = sum(running(0.5 + $v * $v))",
        "$new = (u * $v for u in $A)\n$A[0] = $v2\n$new = sum($new)",
        "$new = [(u, $A[0]) for u in $A]\n$new = $new[0]",
        "$new = iter($A)\n$new2 = next($new)\n$A[1] = $v\n$new2 += next($new)",
        "$new = sum(u * v for u, v in zip($A, $A[1:]))",
        "def $new(u):\n    nonlocal_free = u * $V\n    return nonlocal_free",
        "def $new(u, k=$v):\n    return u * k", "def $new(u):\n    $A[0] = u\n    return $A",
        "def $new(u):\n    for k in range(3):\n        if u > 1.0:\n"
        "            return u * k\n        u = u + $V\n    return u",
        "$new = $v\ndef $new2(u):\n    nonlocal $new\n    $new = $new * u\n"
        "    return $new\n$new2($v2)\n$new2($v3)",
        "$new = []\nfor $new2 in range(3):\n"
        "    $new.append(lambda u, k=$new2: u * k * $V)\n$new = $new[$i]($v)",
        "$new = []\nfor $new2 in range(3):\n    $new.append(lambda u: u * $new2 * $V)\n"
        "$new = $new[$i]($v)",
        "$new = $F($v)", "$V = $F($v)", "$new = $F($v)\n$new = $F($v2)", "$V += $v", "$V *= $v",
        "$V -= $v * $V", "$V **= 2", "$V /= 1.5", "if $t:\n    return np.sum($A) * $v",
        "if $t:\n    return $A", "$new = $v if $t else $v2", "$new = $A if $t else $a", "$V = 0.5",
        "$A[$i] = $v", "$A[1:] *= $v", "$A = $A * $v", "$A = $a * 1.0", "$A[$i], $V = $V, $A[$i]",
        "$new = ($V := $v) * $V", "$A += $a", "$new = $V\n$V = $v\n$V += $new",
        "$new = $A.copy()\n$A *= $v\n$A += $new", "del $V\n$V = $v",
        "$new = $A\n$A = $A + 1.0\n$new *= $v",
        "match $i:\n    case 0:\n        $block\n    case 1 | 2:\n        $block\n"
        "    case _:\n        pass",
        "assert $v == $v", "with np.errstate(all='ignore'):\n    $block",
    ),
    HELPERS,
    makers=(
        "$new = $v", "$new = $a * 1.0", "$new = $v * $v2", "$new = np.zeros(3)",
    ),
)  # fmt: skip
