"""The generator of random programs: they run, the same seed gives the same, and all forms occur."""

from __future__ import annotations

import random

import numpy as np

from tests.programs import arguments, build, generate


def test_programs_run_and_repeat():
    for seed in range(100):
        source = generate(random.Random(seed))
        assert source == generate(random.Random(seed))
        with np.errstate(all="ignore"):
            assert np.ndim(build(source)(*arguments())) == 0


def test_every_form_occurs():
    text = "\n".join(generate(random.Random(seed)) for seed in range(200))
    forms = ["for ", "while ", "if ", "break", "continue", "else:", "out=", ".fill(", "[::2]"]
    calls = ["touch(", "blend(", "later(", "half(", "first(", "np.sin(", "[i - 1]", " > 0.7] = "]
    assert [form for form in forms + calls if form not in text] == []
