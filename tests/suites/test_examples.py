"""The examples run, small, and find what they look for."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from adtrans.cli.main import main as adtrans
from adtrans.testing import check_grads

pytest.importorskip("scipy")

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def example(monkeypatch):
    """Imports an example by its name, as when it is run from its directory."""
    before = set(sys.modules)
    monkeypatch.syspath_prepend(EXAMPLES)

    def load(name: str) -> ModuleType:
        return importlib.import_module(name)

    yield load
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(EXAMPLES)):
            del sys.modules[name]


def numbers(text: str) -> list[float]:
    return [float(v) for v in re.findall(r"-?\d+\.\d+", text)]


def test_heat_inverse_finds_diffusivity_and_initial_state(example, capsys):
    heat = example("heat_inverse")
    experiment = heat.measure(31, 40, sensors=150, noise=0.005, seed=1)
    u, kappa, history = heat.recover(experiment, smoothness=0.05, iterations=80)
    assert abs(kappa - heat.KAPPA) < 0.1 < abs(heat.FIRST_GUESS - heat.KAPPA)
    assert heat.error(u, 31) < 0.2 < heat.error(0 * u, 31)
    assert history[-1] < 0.05 * history[0]
    assert "iteration   1" in capsys.readouterr().out


def test_heat_inverse_has_the_right_gradient(example):
    heat = example("heat_inverse")
    experiment = heat.measure(6, 20, sensors=5, noise=0.01, seed=0)
    theta = np.append(heat.truth(6).ravel() + 0.1, 0.7)
    known = experiment.arguments(smoothness=0.1)
    check_grads(heat.misfit.__wrapped__, (theta, *known), rtol=1e-5)


def test_heat_inverse_reports(example, capsys, tmp_path):
    heat = example("heat_inverse")
    picture = tmp_path / "heat.png"
    small = ["--cells", "12", "--steps", "20", "--iterations", "5", "--picture", str(picture)]
    assert heat.main([*small, "--no-picture"]) == 0
    out = capsys.readouterr().out
    assert "before:" in out and "after:" in out and "noise 0.01" in out
    assert "def misfit_pullback(residuals, y_bar):" in out
    assert not picture.exists()
    pytest.importorskip("matplotlib")
    assert heat.main(small) == 0
    assert picture.stat().st_size > 1000


@pytest.mark.filterwarnings("ignore:Values in x were outside bounds:RuntimeWarning")  # SciPy 1.15
def test_garch_estimates_with_both_gradients_agree(example, capsys):
    garch = example("garch")
    r = garch.returns(400, seed=0)
    ours, differences = (garch.estimate(r, gradient=g) for g in (True, False))
    np.testing.assert_allclose(ours.x, differences.x, rtol=1e-2)
    assert ours.fun <= garch.negative_log_likelihood(garch.TRUE, r)
    assert ours.nfev < differences.nfev
    assert garch.main(["--days", "60"]) == 0
    assert "def negative_log_likelihood_pullback" in capsys.readouterr().out


def test_groundwater_goes_through_the_unmodified_solver(example, capsys):
    groundwater = example("groundwater")
    wells = np.array([1, 4])
    args = groundwater.truth(8), wells, np.array([1.0, 0.7]), 0.1, 0.5
    check_grads(groundwater.misfit.__wrapped__, args, rtol=1e-5)
    assert "adtrans" not in (EXAMPLES / "tridiagonal.py").read_text()
    assert groundwater.main(["--cells", "24", "--wells", "8"]) == 0
    out = capsys.readouterr().out
    slope, measured = numbers(re.search("slope along.*", out)[0])
    assert measured == pytest.approx(slope, rel=1e-6)
    before, after = numbers(re.search("error of the log.*", out)[0])
    assert after < 0.4 * before
    assert "def thomas_pullback" in out


def test_the_solver_solves(example):
    n = 6
    rng = np.random.default_rng(0)
    lower, diag, upper, rhs = rng.random(n - 1), 3 + rng.random(n), rng.random(n - 1), rng.random(n)
    full = np.diag(diag) + np.diag(lower, -1) + np.diag(upper, 1)
    found = example("tridiagonal").thomas(lower, diag.copy(), upper, rhs.copy())
    np.testing.assert_allclose(found, np.linalg.solve(full, rhs))


def test_the_shipped_gradient_is_what_would_be_generated(example, capsys):
    """If this fails, `orbit_grad.py` is old: run the command in the docstring of `orbit.py`."""
    words = re.search(r"adtrans show(.*?)\n\n", example("orbit").__doc__, re.DOTALL)[1]
    pieces = re.findall(r"'[^']*'|[^\s\\]+", words)
    argv = ["show", *(p.strip("'") for p in pieces)]
    for k, word in enumerate(argv):
        if word.startswith("examples/"):
            argv[k] = word.replace("examples", str(EXAMPLES), 1)
    assert adtrans([*argv, "--check"]) == 0, capsys.readouterr().out


def test_the_shipped_gradient_is_right(example):
    orbit, shipped = example("orbit"), example("orbit_grad")
    args = np.array([0.1, 0.9]), np.array([1.0, 0.1]), np.array([-1.0, 0.4]), 0.02, 50
    value, residuals = shipped.miss_forward(*args)
    assert value == orbit.miss(*args)
    gradient = shipped.miss_pullback(residuals, 1.0)
    for k, e in enumerate(1e-6 * np.eye(2)):
        up, down = (orbit.miss(args[0] + s * e, *args[1:]) for s in (1, -1))
        assert gradient[k] == pytest.approx((up - down) / 2e-6, rel=1e-6)


def test_aiming_needs_no_adtrans():
    code = (
        "import runpy, sys; sys.modules['adtrans'] = None; sys.argv = ['aim.py', '--steps', '100'];"
        f"runpy.run_path({str(EXAMPLES / 'aim.py')!r}, run_name='__main__')"
    )
    code = f"import sys; sys.path.insert(0, {str(EXAMPLES)!r}); {code}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    guess, aimed = (float(v) for v in re.findall(r"misses by ([^,\s]+)", done.stdout))
    assert aimed < 1e-6 < guess


def test_sensitivities(example):
    module = example("sensitivities")
    by_gradient, by_jacobian, by_solver, through_the_method = module.main()
    np.testing.assert_allclose(by_gradient, module.TRUE, rtol=0.03)
    np.testing.assert_allclose(by_jacobian, module.TRUE, rtol=0.03)
    np.testing.assert_allclose(by_solver, through_the_method, rtol=2e-3)
