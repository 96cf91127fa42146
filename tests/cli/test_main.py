"""The commands end to end, in this process: exit codes, and what goes where."""

from __future__ import annotations

import json
import zlib

import pytest

from adtrans.cli.command_targets import load
from adtrans.cli.exit_codes import UsageError
from adtrans.cli.main import main

GOOD = """\
import numpy as np
import adtrans as ad


@ad.differentiable
def energy(u, dt: float, steps: int):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += dt * (u[2:] - 2.0 * u[1:-1] + u[:-2])
    return np.sum(u * u)


class Model:
    @staticmethod
    def cost(x: float):
        return x * x


def lossy(x):
    y = x * 2.0
    z = y * y
    y[0] = 3.0
    return np.sum(z)


def broken(x):
    raise KeyError("mine")


LIMIT = 3
"""


@pytest.fixture
def module(tmp_path, request):
    path = tmp_path / f"energies_{zlib.crc32(request.node.name.encode()):08x}.py"
    path.write_text(GOOD)
    return path


@pytest.mark.parametrize(
    "argv",
    [
        [],
        ["nonsense"],
        ["show"],
        ["show", "no_colon"],
        ["show", "no.such.module:f"],
        ["show", "missing.py:f"],
        ["explain", "AD000"],
        ["show", "json:dumps", "--check"],
        ["show", "json:dumps", "--stage", "ir", "--standalone"],
        ["show", "json:dumps", "--types", "x=flot"],
        ["check", "missing_dir/"],
        ["verify", "json:dumps"],
        ["verify", "json:dumps", "--args", "1 +"],
    ],
)
def test_usage_errors(argv, capsys):
    assert main(argv) == 2
    out, err = capsys.readouterr()
    assert out == "" and "Traceback" not in err and err.strip()


def test_help_and_version(capsys):
    assert main(["--help"]) == 0
    assert "TARGET" in capsys.readouterr().out
    assert main(["--version"]) == 0


def test_explain(capsys):
    assert main(["explain", "ad301"]) == 0
    assert "AD301" in capsys.readouterr().out


def test_rules(capsys):
    assert main(["rules", "np.ta"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("numpy.tanh ") for line in lines)
    assert main(["rules", "numpy.tanh"]) == 0
    assert main(["rules", "no.such"]) == 1
    capsys.readouterr()
    assert main(["rules", "np.exp"]) == 0, "`exp2` is another function"
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert names == ["numpy.exp", "numpy.exp.at"]


def test_rules_as_data(capsys):
    assert main(["rules", "np.tanh", "--format", "json"]) == 0
    entry, at = json.loads(capsys.readouterr().out)
    assert at["name"] == "numpy.tanh.at", "what stands below it is listed, too"
    assert entry["pullback"]["x"][0] == "y_bar * (1 - y * y)" and entry["needs"] == ["x", "y"]
    assert main(["rules", "np.tanh", "--format", "markdown"]) == 0
    assert "| `numpy.tanh` | with a derivative | `x`: `y_bar" in capsys.readouterr().out


def test_coverage_of_a_module(capsys):
    assert main(["rules", "math", "--coverage"]) == 0
    out = capsys.readouterr().out
    assert "with a derivative" in out and "constant" in out and "unclassified" not in out
    assert main(["rules", "no.such", "--coverage"]) == 1
    assert main(["rules", "string", "--coverage"]) == 1, "unclassified functions are findings"


def test_load(module):
    assert load(f"{module}:energy").__name__ == "energy"
    assert load(f"{module}:energy") is load(f"{module}:energy"), "one file is imported once"
    assert load(f"{module}:Model.cost").__qualname__ == "Model.cost"
    with pytest.raises(UsageError, match="has no `nothing`"):
        load(f"{module}:nothing")
    with pytest.raises(UsageError, match="not a function but int"):
        load(f"{module}:LIMIT")


def test_a_file_that_fails_to_import(tmp_path):
    path = tmp_path / "fails_to_import.py"
    path.write_text("raise RuntimeError('no')\n")
    with pytest.raises(UsageError, match="RuntimeError: no"):
        load(f"{path}:f")


def test_show(module, capsys):
    assert main(["show", f"{module}:energy", "--types", "u=float64[:]"]) == 0
    out, _ = capsys.readouterr()
    compile(out, "out", "exec")
    assert "def energy_forward(" in out and "def energy_pullback(" in out
    assert "\x1b" not in out


@pytest.mark.parametrize("stage", ["source", "ast", "ir", "needs", "output"])
def test_stages(module, stage, capsys):
    assert main(["show", f"{module}:energy", "--types", "u=float64[:]", "--stage", stage]) == 0
    assert capsys.readouterr().out.strip()


def test_show_pushforward(module, capsys):
    assert main(["show", f"{module}:Model.cost", "--mode", "pushforward"]) == 0
    assert "def cost_pushforward(" in capsys.readouterr().out


def test_standalone_runs_without_adtrans(module, tmp_path, capsys):
    out = tmp_path / "energy_grad.py"
    command = ["show", f"{module}:energy", "--types", "u=float64[:]", "--standalone"]
    command += ["-o", str(out)]
    assert main(command) == 0
    assert main([*command, "--check"]) == 0
    text = out.read_text()
    assert "adtrans" not in "".join(line for line in text.splitlines() if "import" in line)
    namespace: dict = {}
    exec(compile(text, str(out), "exec"), namespace)
    assert callable(namespace["energy_pullback"])
    out.write_text(text + "# edited\n")
    assert main([*command, "--check"]) == 1
    assert "-# edited" in capsys.readouterr().out


def test_check(module, capsys):
    assert main(["check", str(module)]) == 0
    out, err = capsys.readouterr()
    assert "energy" in out and "lossy" not in out and "1 checked" in err
    assert main(["check", f"{module}:lossy", "--types", "x=float64[:]"]) == 1
    _, err = capsys.readouterr()
    assert "AD301" in err and "y[0] = 3.0" in err
    assert main(["check", f"{module}:lossy", "--types", "x=float64[:]", "--json"]) == 1
    found = json.loads(capsys.readouterr().out)["functions"][0]
    assert found["status"] == "refused" and found["diagnostics"][0]["code"] == "AD301"
    assert [w["verdict"] for w in found["report"]["functions"][0]["writes"]] == ["refused"]


def test_verify(module, capsys):
    arguments = ["--args", "np.linspace(0.5, 1, 6), 0.1, 3", "--wrt", "u,dt"]
    assert main(["verify", f"{module}:energy", *arguments]) == 0
    out, err = capsys.readouterr()
    assert out == "" and "agree" in err
    command = ["verify", f"{module}:lossy", "--args", "np.ones(3)"]
    assert main(command) == 1
    assert main([*command, "--on-overwrite", "save"]) == 0
    assert main(["verify", f"{module}:broken", "--args", "1.0"]) == 2
    assert "KeyError: 'mine'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("--wrt", "nope"), 1, "AD403"),
        (("--wrt", "steps"), 1, "AD402"),
        (("--types", "zz=int"), 2, "no parameter `zz`"),
    ],
)
def test_what_is_asked_of_parameters_must_make_sense(module, capsys, arguments, code, words):
    assert main(["show", f"{module}:energy", *arguments]) == code
    err = capsys.readouterr().err
    assert words in err
    assert "__main__" not in err and "sys.exit" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["check", "gone.py"], "there is no file `gone.py`"),
        (["show", "here.py"], "`here.py` names no function; write `here.py:NAME`"),
        (["rules", "arctan2"], "no rule for `arctan2`; there is"),
        (["rules", "np.linlag"], "no rule for `np.linlag`; there is `numpy.linalg`"),
        (["rules", "np.tanhh"], "there is `numpy.tanh`"),
        (["rules", "np.linlag", "--coverage"], "no module `np.linlag`; there is `numpy.linalg`"),
        (["check", "."], "`--all` checks every function"),
    ],
)
def test_what_is_named_wrongly_is_put_right(words, said, tmp_path, monkeypatch, capsys):
    (tmp_path / "here.py").write_text("class C:\n    def __init__(self, a):\n        self.a = a\n")
    monkeypatch.chdir(tmp_path)
    main(words)
    assert said in capsys.readouterr().err


def test_constructors_are_not_checked_by_themselves(tmp_path, monkeypatch, capsys):
    (tmp_path / "here.py").write_text("class C:\n    def __init__(self, a):\n        self.a = a\n")
    monkeypatch.chdir(tmp_path)
    assert main(["check", "here.py"]) == 0
    assert "0 checked, 0 with errors" in capsys.readouterr().err
