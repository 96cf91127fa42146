"""What a handler of a signal raises while adtrans works passes as it is."""

from __future__ import annotations

import signal
import threading

import numpy as np
import pytest

import adtrans as ad
from adtrans.dispatch import dispatcher


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="a signal")
def test_a_timeout_while_compiling(monkeypatch: pytest.MonkeyPatch) -> None:
    def late(number: int, frame: object) -> None:
        raise TimeoutError("too late")

    def slow(*args: object, **kwargs: object) -> None:
        signal.raise_signal(signal.SIGINT)

    before = signal.signal(signal.SIGINT, late)
    try:
        with monkeypatch.context() as changed:
            changed.setattr(dispatcher, "compile_function", slow)
            with pytest.raises(TimeoutError, match="too late"):
                ad.grad(lambda x: np.sum(x * x))(np.ones(2))
    finally:
        signal.signal(signal.SIGINT, before)
    assert ad.grad(lambda x: np.sum(x * x))(np.ones(2)).tolist() == [2.0, 2.0]
