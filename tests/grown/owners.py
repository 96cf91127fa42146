"""Objects with arrays and numbers in attributes, under several names; functions that are kept."""

from tests.grown.growing import Theme

HELPERS = """
import copy
import dataclasses
import functools


class Tank:
    gain = 0.5

    def __init__(self, grid, level):
        self.grid = grid
        self.level = level

    def fill(self, v):
        self.grid[...] = self.grid * v
        self.level += v
        return self.grid

    def take(self, other):
        self.grid = other.grid
        other.level *= self.level
        return self

    @property
    def total(self):
        return np.sum(self.grid) * self.level

    @property
    def tail(self):
        return self.grid[1:]

    def __getitem__(self, k):
        return self.grid[k]

    def __setitem__(self, k, v):
        self.grid[k] = v

    def __iadd__(self, v):
        self.level = self.level + v
        return self

    def __mul__(self, v):
        return Tank(self.grid * v, self.level)

    def __call__(self, v):
        self.level = v * self.level
        return self.level

    def __len__(self):
        return len(self.grid)

    def __iter__(self):
        for v in self.grid:
            yield v * self.gain

    def __enter__(self):
        self.level *= 0.5
        return self

    def __exit__(self, kind, value, where):
        self.level += self.grid[0]
        return kind is ValueError


class Valve(Tank):
    gain = 0.25

    def fill(self, v):
        return super().fill(v * self.gain)[::-1]


@dataclasses.dataclass
class Point:
    a: float
    b: float = 0.5
    trail: list = dataclasses.field(default_factory=list)

    def move(self, v):
        self.trail.append(self.a)
        self.a, self.b = self.b, self.a * v
        return self

    def __add__(self, other):
        return Point(self.a + other.a, self.b + other.b)

    def __lt__(self, other):
        return self.a < other.a


def scaled(a, v):
    a *= v
    return a


def opened(a, v):
    a[0] = v
    return a[:2]


def drained(tank):
    level, tank.level = tank.level, 0.1
    return level
"""

OWNERS = Theme(
    "owners",
    (
        "$new = Tank($A, $v)", "$new = Tank($a * 1.0, $v)", "$new = Valve($A, $v)",
        "$new = Point($v)", "$new = Point($v, $v2)", "$new = $O", "$new = [$O, $O]",
        "$new = [$O, $O2]", "$new = ($O, $v)", "$new = {'p': $O, 'q': $O2}",
        "$new = copy.copy($O)", "$new = copy.deepcopy($O)", "$new = dataclasses.replace($O, a=$v)",
        "$O.level = $v", "$O.level *= $v", "$O.grid = $A", "$O.grid = $O2.grid",
        "$O.grid[$i] = $v", "$O.grid *= $v", "$O.grid[1:] += $v", "$O.a = $v",
        "$O.a, $O.b = $O.b, $O.a", "$O.a += $O2.b", "$O.other = $O2",
        "$O.other = $O2\n$O.other.level = $v", "$new = $O.fill($v)",
        "$new = $O.fill($v)\n$new[0] = $v2", "$new = $O.take($O2)", "$new = $O.total",
        "$new = $O.tail", "$O.tail[...] = $v", "$new = $O(v=$v)", "$new = $O($v)", "$O[$i] = $v",
        "$O[1:] *= $v", "$new = $O[$i] * $v", "$new = $O[::-1]", "$O += $v",
        "$new = $O\n$new += $v", "$new = $O * $v", "$new = $O + $O2", "$new = sum($O)",
        "$new = [u for u in $O]", "$new = $O.move($v)", "$O.move($v).move($v2)",
        "$O.trail.append($v)", "$new = $O.trail", "$new = $O < $O2", "$new = min($O, $O2)",
        "$new = sorted([$O, $O2])[0]", "$new = max([$O, $O2], key=lambda u: u.level)",
        "with $O:\n    $block",
        "with $O as $new:\n    $new.grid[0] = $v\n    if $t:\n        raise ValueError\n"
        "    $block",
        "for $new in [$O, $O2]:\n    $new.level *= $v", "for $new in [$O, $O]:\n    $new.fill($v)",
        "for $new in $L:\n    $new.level += $v", "$new = getattr($O, 'level')",
        "setattr($O, 'level', $v)", "setattr($O, 'extra', $v)", "$new = vars($O)['level']",
        "$new = hasattr($O, 'extra') and $O.extra", "$O.__dict__['level'] = $v", "$O.gain = $v",
        "$new = $O.gain * $v", "del $O.level\n$O.level = $v", "$new = $O.fill\n$new($v)",
        "$new = $O.fill\n$new = $new($v)[0]", "$new = [$O.fill, $O2.fill]\n$new[0]($v)",
        "$new = [scaled, opened]\n$new = $new[$i]($A, $v)",
        "$new = {'p': scaled, 'q': opened}[$k]($A, $v)",
        "$O.rule = opened\n$new = $O.rule($A, $v)", "$new = scaled($O.grid, $v)",
        "$new = opened($O.grid, $v)\n$new *= $v2", "$new = drained($O)",
        "$new = functools.partial(scaled, v=$v)\n$new = $new($A)",
        "$new = functools.partial($O.fill, $v)\n$new()", "$new = lambda u: u * $V",
        "def $new(u):\n    $O.level *= u\n    return $O.level",
        "def $new(u):\n    $A[0] = u\n    return $A[1:]", "$new = $F($v)",
        "$new = [$F, $F]\n$new = $new[$i]($v)", "$V = $F($v)", "$O.rule = $F\n$new = $O.rule($v)",
        "for $new in range(2):\n    $block", "if $t:\n    $block\nelse:\n    $block",
        "$new = $O if $t else $O2\n$new.level = $v", "$new = isinstance($O, Valve) * $v",
        "$new = len($O) * $v", "$new = type($O)($A, $v)", "$new = $O is $O2",
        "$new = [u.level for u in $L]",
        "match $O:\n    case Valve(level=y0):\n        $new = y0 * $v\n"
        "    case Point(a=y00):\n        $new = y00\n    case _:\n        $new = $v2",
    ),
    HELPERS,
    makers=(
        "$new = Tank($A, $v)", "$new = Tank($a * 1.0, $v)", "$new = Valve($A, $v)",
        "$new = Point($v)", "$new = Point($v, $v2)\n$new2 = $new",
        "$new = Tank($A, $v)\n$new2 = Valve($new.grid, $v2)",
    ),
)  # fmt: skip
