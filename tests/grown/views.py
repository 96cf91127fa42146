"""Views and copies of memory in any order, and writes through them."""

from tests.grown.growing import Theme

HELPERS = """
def tail(a):
    return a[1:]


def turned(a):
    a *= 0.5
    return a.T


def spoiled(a, v):
    a[...] = a * v
    return a.reshape(-1)


def same(a):
    return a


def both(a, c):
    a[...] = a * 0.7
    c += a * a
    return c
"""

VIEWS = Theme(
    "views",
    (
        "$new = $A[::-1]", "$new = $A[1:]", "$new = $A[::2]", "$new = $A[:-1]",
        "$new = $A[-1:0:-1]", "$new = $A.T", "$new = $A[None]", "$new = $A[..., None]",
        "$new = $A[:, $i]", "$new = $A[$i]", "$new = $A[:, ::-1]", "$new = $A[1:, 1:]",
        "$new = $A[:, None, :]", "$new = np.swapaxes($A, 0, 1)", "$new = np.squeeze($A)",
        "$new = $A.squeeze()", "$new = np.atleast_2d($A)", "$new = np.expand_dims($A, 0)",
        "$new = np.moveaxis($A, 0, -1)", "$new = np.asarray($A)",
        "$new = np.broadcast_to($A, (2,) + $A.shape)", "$new = $A", "$new = np.flip($A)",
        "$new = np.diagonal($A)", "$new = np.transpose($A)", "$new = $A.view()",
        "$new = $A.ravel()", "$new = $A.reshape(-1)", "$new = np.ravel($A)",
        "$new = $A.ravel('K')", "$new = $A.reshape(-1, order='F')",
        "$new = np.reshape($A, (2, -1))", "$new = $A.T.ravel()", "$new = np.ascontiguousarray($A)",
        "$new = np.asfortranarray($A)", "$new = $A.flatten()",
        "$new = np.atleast_1d($A).reshape($A.shape[::-1])", "$new = $A.copy(order='K')",
        "$new = $A[[0, -1]]", "$new = $A[$A > 0.6]", "$new = $A.astype(float, copy=False)",
        "$new = np.array($A, copy=None)", "$new = np.require($A, requirements='C')",
        "$new = np.array($A, order='F')", "$new = $A.astype(np.float32)",
        "$new = np.zeros_like($A)", "$new = np.empty_like($A)\n$new[...] = $a",
        "$new = np.concatenate([$A, $a])", "$new = np.stack([$A, $a])[1]",
        "$new = np.zeros((3, 4))", "$A[...] = $a", "$A[:] = $v", "$A += $a", "$A *= $a",
        "$A -= $v", "$A[::-1] += $a", "$A[1:] = $A[:-1]", "$A[:-1] *= $A[1:]", "$A[:] = $A[::-1]",
        "$A.T[...] = $a", "$A[:, $i] = $v", "$A[:, 0] += $A[:, -1]", "$A[$i] = $A[$i] * $v",
        "$A[0], $A[-1] = $A[-1], $A[0]", "$A[[0, -1]] = $A[[-1, 0]]", "$A.flat[$i] = $v",
        "$A.ravel()[$i] = $v", "$A.reshape(-1)[1:] *= $v", "$A[None][0] += $v",
        "np.transpose($A)[0] = $v", "$A[$A > 0.6] *= $v", "$A.sort()", "$A.fill($v)",
        "np.copyto($A, $a)", "np.copyto($A, $a2)", "np.add($A, $a, out=$A)",
        "np.multiply($a, $v, out=$A)", "np.sin($A, out=$A)", "np.sin($A[::-1], out=$A)",
        "$A[1:] += $A[:-1]", "$A.T[$i] *= $v", "for $new in $A:\n    $new *= $v",
        "for $new in $A.T:\n    $new[0] = $v", "for $new in range(2):\n    $block",
        "if $t:\n    $block\nelse:\n    $block", "$new = tail($A)", "$new = turned($A)",
        "$new = spoiled($A, $v)", "$new = same($A)", "tail($A)[...] = $v", "both($A, $A)",
        "both($A, $a)", "$new = both($A, $A[::-1])", "same($A)[$i] = $v",
        "$new = both(A=0, *[]) if w > 2 else same($A)",
    ),
    HELPERS,
    layouts=True,
)  # fmt: skip
