"""What code may reach: numbers and other values on the way do not end the search."""

from __future__ import annotations

from adtrans.source.reach import reached, reached_by_any


def test_many_values_lead_to_a_function():
    scope = {f"n{k}": float(k) for k in range(900)}
    body = "".join(f"    n{k}\n" for k in range(900))
    exec(f"def last(x):\n    return x\ndef f(x):\n    last\n{body}    return x\n", scope)
    for found in (reached(scope["f"]), reached_by_any(scope["f"])):
        assert [fn.__name__ for fn in found] == ["f", "last"]


def test_methods_of_classes_and_what_is_bound():
    class Model:
        def act(self, v):
            return v

    class Other(Model):
        def __call__(self, v):
            return v

    model = Other()

    def f(x):
        return model(x)

    assert {fn.__name__ for fn in reached_by_any(f)} == {"f", "act", "__call__"}
