"""Arrays of integers and masks that change, and what is written where they say; nan by value."""

from tests.grown.growing import Theme

HELPERS = """
def flipped(m):
    m[0] = not m[0]
    return m


def shifted(k, n):
    k += 1
    k %= n
    return k


def placed(a, k, v):
    a[k] = v
    return a[k]
"""

INTEGERS = Theme(
    "integers",
    (
        "$new = np.arange(len($A))", "$new = np.array([0, 2, 1])", "$new = np.zeros(3, dtype=int)",
        "$new = np.argsort($A)", "$new = $A > $v", "$new = $A.argmax()",
        "$new = np.nonzero($A > $v)[0]", "$new = ~$M", "$new = $M", "$new = $M.copy()",
        "$new = $I", "$new = $I[::-1]", "$new = $M[::-1]", "$new = np.where($M)[0]",
        "$new = $I[$I > 0]", "$new = $M.nonzero()[0]", "$new = np.isnan($A)", "$I[$i] = $i2",
        "$I += 1", "$I %= 3", "$I[::-1] = $I.copy()", "$I *= 2", "$I.sort()",
        "$I[0], $I[1] = $I[1], $I[0]", "$I[$I > 1] = 0", "np.add.at($I, [0, 0, 1], 1)",
        "$M[$i] = not $M[$i]", "$M &= $A > $v", "$M[:] = False", "$M |= $M[::-1]", "$M ^= True",
        "np.logical_not($M, out=$M)", "$M[$I] = True", "np.less($A, $v, out=$M)", "$new = $A[$I]",
        "$new = $A[$M]", "$new = $A[$I, $i]", "$new = $A[:, $I]", "$new = $A[$I][$I]",
        "$new = np.take($A, $I)", "$new = np.take($A, $I, axis=0)", "$new = np.compress($M, $A)",
        "$new = np.where($M, $a, $v)", "$new = np.where($M, $a, $a2)",
        "$new = np.choose($I % 2, [$a, $a2])", "$A[$I] = $v", "$A[$I] += $v", "$A[$I] *= $A2[$I]",
        "$A[$M] = $v", "$A[$M] *= $v", "$A[$M] += $A[$M]", "$A[$M] = $A2[$M]",
        "$A[$I] = $A[$I[::-1]]", "$A[~$M] -= $v", "$A[:, $I] = $v", "$A[$I, $I] *= $v",
        "np.add.at($A, $I, $v)", "np.add.at($A, $I, $A2[$I])", "np.subtract.at($A, $I, $v)",
        "np.multiply.at($A, $I, $v)", "if $A.size:\n    np.copyto($A, 1.0 * $a, where=$M)",
        "np.copyto($A, $v, where=$A > $v2)",
        "if x.size:\n    np.copyto(x, $v, where=[True, False, True, False, True][:len(x)])",
        "np.add($A, $a, out=$A, where=$M)", "np.multiply($a, $v, out=$A, where=$A > $v2)",
        "np.putmask($A, $M, $v)", "np.put($A, $I, $v)", "np.place($A, $M, [$v, $v2])",
        "np.take($A, $I, out=$A2)", "np.minimum($A, $v, out=$A)", "np.cumsum($A, axis=0, out=$A)",
        "np.clip($A, 0.4, 0.8, out=$A)", "np.fill_diagonal($A, $v)",
        "np.maximum.accumulate($A, out=$A)", "$new = np.bincount($I, weights=$A2[$I])",
        "$new = np.unique($I)", "$new = $A[np.ix_([0, 1], [1, 2])]",
        "$A[np.ix_([0, -1], [0, -1])] *= $v", "$new = np.sort($A)[::-1]",
        "$new = np.add.reduceat($A, [0, 2])", "$new = $A[np.argsort($A)]", "$A[$A.argmax()] = $v",
        "$A[np.unravel_index($A.argmax(), $A.shape)] *= $v", "$A[$i] = np.nan",
        "$new = np.nansum($A)", "$A[np.isnan($A)] = $v", "$A[$A != $A] = 0.5",
        "$new = np.nan_to_num($A, nan=0.3)", "np.nan_to_num($A, copy=False)",
        "$new = np.nanmax($A)", "$new = np.fmax($A, $v)", "$new = np.where(np.isnan($A), $v, $A)",
        "$new = placed($A, $I, $v)", "$new = placed($A, $M, $v)", "$new = flipped($M)",
        "$new = shifted($I, 3)", "for $new in $I:\n    $A[$new] *= $v",
        "for $new, $new2 in enumerate($I):\n    $A[$new] += $A[$new2]",
        "for $new in range(2):\n    $block", "if $M[$i]:\n    $block",
        "for $new in np.flatnonzero($M):\n    $A[$new] = $v",
        "$new = np.zeros(4, dtype=np.float32)", "$new = $A.astype(np.float32)[$I]",
        "$new = int($I[$i])", "$new = np.zeros(0)", "$new = np.ones(1)", "$new = $A[:0]",
        "$new = $A[:1]",
    ),
    HELPERS,
    makers=(
        "$new = np.arange(len($A))", "$new = np.array([0, 2, 1])", "$new = np.zeros(3, dtype=int)",
        "$new = np.argsort($A)", "$new = $A > $v", "$new = np.array([True, False, True])",
    ),
    layouts=True,
)  # fmt: skip
