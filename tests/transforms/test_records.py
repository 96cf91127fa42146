"""Records of outermost loops are iterated over backwards; those of inner loops are popped."""

from __future__ import annotations

from adtrans.transforms.records import iterate_records, popped
from tests.transforms.written import body, text


def test_outermost() -> None:
    code = body("for i in reversed(n):\n    t = t_saved.pop()\n    y[i] += t\n")
    made, lists = iterate_records(code, {"t_saved", "u_saved"})
    assert lists == {"t_saved"}
    assert text(made) == (
        "for i, t in zip(reversed(n), reversed(t_saved)):\n    y[i] += t\n"
    )


def test_without_a_counter() -> None:
    code = body("for _ in range(n):\n    t = t_saved.pop()\n    y += t\n")
    made, _ = iterate_records(code, {"t_saved", "u_saved"})
    assert text(made) == "for t in reversed(t_saved):\n    y += t\n"


def test_inner_loops_and_branches_keep_their_stacks() -> None:
    code = body(
        "for i in n:\n    for j in m:\n        t = t_saved.pop()\n        y += t\n"
        "    if c > 0:\n        s = s_saved.pop()\n        y += s\n"
    )
    made, lists = iterate_records(code, {"t_saved", "u_saved"})
    assert made == code and not lists


def test_popped() -> None:
    (yes,) = body("t = a.pop()\n")
    (no,) = body("t = a.pop(0)\n")
    found = popped(yes)
    assert found is not None and found[1] == "a"
    assert popped(no) is None
