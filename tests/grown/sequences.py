"""Lists, tuples and dictionaries of numbers and arrays: changed, shared, sorted, unpacked."""

from tests.grown.growing import Theme

HELPERS = """
import collections
import copy


def put_last(items, v):
    items.append(v)
    return items


def kept(v, seen=None):
    seen = [] if seen is None else seen
    seen.append(v)
    return seen


def shown(seen, v):
    seen.append(v)
    return v


def least(items):
    best = items[0]
    for item in items[1:]:
        if item < best:
            best = item
    return best


def pairs(items):
    for a, b in zip(items, items[1:]):
        yield a * b
"""

SEQUENCES = Theme(
    "sequences",
    (
        "$new = [$v, $v2, $v3]", "$new = [$v]", "$new = [$a, $a2]", "$new = [$A, $A]",
        "$new = list($A)", "$new = {'p': $v, 'q': $v2}", "$new = {'p': $A, 'q': $a}",
        "$new = {'p': [$v, $v2], 'q': [$v3]}", "$new = ($v, $v2, $v3)", "$new = ($A, $v)",
        "$new = ($A, $A2)", "$new = [($v, $a), ($v2, $a2)]", "$new = [[$v, $v2], [$v3]]",
        "$new = [$L, $L]", "$new = $L", "$new = $D", "$new = list($L)", "$new = $L[:]",
        "$new = $L + [$v]", "$new = [$v] * 3", "$new = $L[::-1]", "$new = $L * 2",
        "$new = dict($D)", "$new = copy.copy($L)", "$new = copy.deepcopy($L)",
        "$new = copy.deepcopy($D)", "$new = {**$D, 'r': $v}", "$new = $D | {'q': $v}",
        "$new = collections.deque([$v, $v2], maxlen=2)\n$new.append($v3)\n$new = list($new)",
        "$new = [u * $v for u in $L]", "$new = [u for u in $L if u > 0.5]",
        "$new = {k: u * $v for k, u in $D.items()}", "$new = [shown($L, u) for u in ($v, $v2)]",
        "$new = [b for a in [$L, $L] for b in a]", "$new = sum(u * u for u in $L)",
        "$new = sum($L)", "$new = max($L)", "$new = least($L)", "$new = list(pairs($L))",
        "$new = sum($D.values())", "$new = [a * b for a, b in zip($L, $A)]", "$new = np.array($L)",
        "$new = np.stack($L)", "$new = max($L, key=lambda u: -u)", "$new = sorted($L)",
        "$new = sorted($L, key=lambda u: -u)[0]", "$new = min($D, key=$D.get)\n$new = $D[$new]",
        "$new = sorted($D.items(), key=lambda u: u[1])[0][1]", "$L.append($v)", "$L.append($a)",
        "$L.append($A)", "$L.pop()", "$L.pop(0)", "$new = $L.pop()", "$new = $L.pop($i)",
        "$L.insert(1, $v)", "$L[$i] = $v", "$L[$i] = $a", "$L[$i] *= $v", "$L[$i] += $v",
        "$L[1:2] = [$v, $v2]", "$L[:1] = []", "$L[1:] = [$v]", "$L[::2] = [$v] * len($L[::2])",
        "$L[0], $L[-1] = $L[-1], $L[0]", "$L.reverse()", "$L.sort()", "$L.sort(key=lambda u: -u)",
        "$L.extend($L2)", "$L.extend([$v, $v2])", "$L += [$v]", "$L *= 2", "del $L[0]",
        "del $L[1:]", "$L.clear()\n$L.append($v)", "$L[:] = [u * $v for u in $L]",
        "$L[0][$i] = $v", "$L[0] = $L[-1]", "for $new in $L:\n    $new *= $v",
        "for $new in range(len($L)):\n    $L[$new] = $L[$new] * $v",
        "for $new, $new2 in enumerate($L):\n    $L[$new] = $new2 * $v",
        "for $new in $L[:]:\n    $L.append($new * $v)",
        "for $new in $L:\n    if $new > 0.6:\n        $L.append($new * 0.5)\n"
        "    if len($L) > 5:\n        break",
        "while len($L) > 1:\n    $L[0] += $L.pop()", "$D[$k] = $v", "$D[$k] = $a", "$D[$k] *= $v",
        "$D[$k] += $v", "$D['pq'[$i % 2]] = $v", "$D.update(q=$v)",
        "$D.setdefault('r', []).append($v)", "$new = $D.get('r', $v)", "$new = $D.pop('q', $v)",
        "del $D['q']", "$D['p'], $D['q'] = $D['q'], $D['p']",
        "for $new in $D:\n    $D[$new] = $D[$new] * $v",
        "for $new, $new2 in $D.items():\n    $new2 *= $v",
        "for $new in list($D):\n    $D[$new + 'r'] = $D[$new]",
        "$new = {(i, i % 2): u for i, u in enumerate($L)}\n$new[0, 0] += $v\n"
        "$new = $new[0, 0] * $v2",
        "$new, *$new2 = $L", "*$new, $new2 = $L", "$new, *$new2, $new3 = $L + [$v]",
        "$new, $new2 = $U", "$new, $new2, *$new3 = $A", "$new = (*$U, $v)", "$new = [*$L, *$L2]",
        "($new, $new2), $new3 = ($v, $v2), $v3", "$U[0][$i] = $v", "$U[0][...] *= $v",
        "$new = put_last($L, $v)", "$new = kept($v)", "$new = kept($v, $L)",
        "$new = put_last($L, $L[0] * $v)[-1]", "for $new in range(2):\n    $block",
        "if $t:\n    $block\nelse:\n    $block",
        "$new = []\nfor $new2 in range(3):\n    $new.append($v * $new2)\n    $block",
        "$new = []\nfor $new2 in $A:\n    $new.append($new2 * $v)",
        "$new = [None] * 3\n$new[$i] = $v\n$new = [u for u in $new if u is not None]",
        "$new = $L[0] if $t else $L[-1]", "$new = $L or [$v]", "$new = ($t and $v) or $v2",
        "$new = len($L) * $v", "$new = list(map(lambda u: u * $v, $L))",
        "$new = list(filter(lambda u: u > 0.5, $L))", "$new = list(reversed($L))",
        "$new = [i for i, u in enumerate($L) if u > 0.5]\n$new = len($new) * $v",
        "$L.remove($L[0])", "$new = $L.index($L[-1]) * $v",
    ),
    HELPERS,
    makers=(
        "$new = [$v, $v2, $v3]", "$new = [$a, $a2]", "$new = {'p': $v, 'q': $v2}",
        "$new = {'p': $A, 'q': $a}", "$new = {'p': [$v, $v2], 'q': [$v3]}", "$new = ($A, $v)",
        "$new = [[$v, $v2], [$v3]]", "$new = list($A)",
    ),
)  # fmt: skip
