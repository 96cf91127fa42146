"""`adtrans check` on source trees: nothing runs, everything is said, in each format."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pytest

import adtrans as ad
from adtrans.cli.main import main
from tests.documents import ROOT, blocks
from tests.schema import problems

FILES = {
    "pkg/__init__.py": "",
    "pkg/solver.py": """\
import sys
from typing import TYPE_CHECKING

import numpy as np
from adtrans import differentiable

from . import helpers
from .helpers import clear as wipe

if TYPE_CHECKING:
    from numpy.typing import NDArray

open("ran.txt", "w").close()
sys.exit("this file is not for running")

DT = 0.5 * 10**-1
TABLE = load("table.npy")


@differentiable
def accepted(u: "float64[:]", steps: int = 3):
    u = u.copy()
    for _ in range(steps):
        u[1:-1] += DT * helpers.RATE * (u[2:] - u[:-2])
    return np.sum(u)


@differentiable(wrt="w", on_overwrite="save")
def saved(n: int, w: "float64[:]"):
    z = w * 2.0
    s = np.sum(z * z)
    z[0] = 1.0
    return s + np.sum(z) + n


@differentiable
def refused(x: "float64[:]"):
    z = x * 2.0
    s = np.sum(z * z)
    wipe(z)
    return s


@differentiable
def uses_a_table(x: np.ndarray):
    return np.sum(TABLE * x)


@differentiable
def unclear(x: "float64[:]", y):
    z = x * 2.0
    y += z
    return np.sum(y * y) + np.sum(z)


class Model:
    factor = 2.0

    @differentiable
    @staticmethod
    def cost(x: float):
        return x * x


def not_decorated(x: "NDArray[np.float32]"):
    return x * x
""",
    "pkg/helpers.py": """\
import numpy as np
from pkg import solver        # imports this file in turn

RATE = 2.0


def clear(a):
    inner = a[1:]
    inner[0] = 0.0
""",
    "pkg/broken.py": "def f(x:\n",
    "pkg/latin.py": b"# caf\xe9\nimport adtrans\n",
    "pkg/nul.py": b"x = 1\0\n",
    "pkg/folder.py/inner.txt": "",
    ".hidden/no.py": "def f(:\n",
    "env/pyvenv.cfg": "",
    "env/lib.py": "def f(:\n",
}


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
    (tmp_path / "pkg" / "gone.py").symlink_to(tmp_path / "nowhere.py")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], *argv: str) -> dict:
    main(["check", *argv, "--format", "json"])
    return json.loads(capsys.readouterr().out)


def test_a_tree_is_read_and_not_run(tree, capsys):
    assert main(["check", "."]) == 1
    out, err = capsys.readouterr()
    assert not (tree / "ran.txt").exists()
    assert "pkg/solver.py:accepted" in out and "pkg/solver.py:saved" in out
    assert "pkg/helpers.py" in err, "the error shows the file of the callee, too"
    assert "error[AD303]" in err and "5 checked, 1 with errors, 1 unclear, 5 skipped" in err
    assert "`TABLE` is computed when the module runs" in err
    assert "say what `y` is" in err
    for name in ("broken", "latin", "nul", "gone"):
        assert f"skipped pkg/{name}.py: " in err
    assert "no.py" not in err and "lib.py" not in err and "not_decorated" not in out + err


def test_what_each_function_comes_to(tree, capsys):
    found = {f["name"].rpartition(":")[2]: f for f in checked(capsys, "pkg")["functions"]}
    assert {k: f["status"] for k, f in found.items()} == {
        "accepted": "accepted",
        "saved": "accepted",
        "refused": "refused",
        "unclear": "unclear",
        "Model.cost": "accepted",
    }
    assert found["unclear"]["missing"] == ["y"]
    (write,) = found["saved"]["report"]["functions"][0]["writes"]
    assert (write["verdict"], write["kept_bytes"]) == ("saved", "8 * w.shape[0]")


def test_more_is_known_with_types_and_more_is_checked_with_all(tree, capsys):
    found = checked(capsys, "pkg", "--types", "y=float64[:]", "--all")
    names = [f["name"].rpartition(":")[2] for f in found["functions"]]
    assert "not_decorated" in names and "clear" in names
    assert found["summary"]["unclear"] == 0


def test_strict(tree, capsys):
    good = tree / "good.py"
    good.write_text("import adtrans\nlost = input()\n\n\n@adtrans.differentiable\n"
                    "def f(x: float):\n    return x * lost\n")  # fmt: skip
    assert main(["check", str(good)]) == 0
    assert main(["check", str(good), "--strict"]) == 1


def test_modules_run_where_that_is_asked_for(tree, capsys):
    assert main(["check", "pkg/solver.py", "--run-modules"]) == 2
    assert (tree / "ran.txt").exists()


def test_usage(tree, capsys):
    assert main(["check", "nothing_there"]) == 2
    assert main(["check", "pkg", "--format", "xml"]) == 2
    assert main(["check", "pkg", "--types", "y=flot"]) == 2


def test_json_has_the_documented_form(tree, capsys):
    page = (ROOT / "docs" / "report.md").read_text(encoding="utf-8")
    (schema,) = [json.loads(b.text) for b in blocks(page) if b.language == "json"]
    found = checked(capsys, ".", "--all")
    assert problems(schema, found) == []
    report = found["functions"][0]["report"]
    report["functions"][0]["writes"][0]["verdict"] = "fine"
    del found["skipped"][0]["reason"]
    assert len(problems(schema, found)) == 2, "the schema can fail"


def test_github(tree, capsys):
    assert main(["check", ".", "--format", "github"]) == 1
    lines = capsys.readouterr().out.splitlines()
    command = re.compile(r"::(error|warning|notice) file=[^,:]+(,\w+=[^,:]*)*::.+")
    assert all(command.fullmatch(line) for line in lines)
    errors = [line for line in lines if line.startswith("::error")]
    assert len(errors) == 1 and "file=pkg/solver.py," in errors[0] and "title=AD303" in errors[0]
    assert "helpers.py:9" in errors[0] and "%0A" in errors[0]
    assert sum(line.startswith("::notice") for line in lines) == 6


MESSAGE = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}
SARIF = {
    "type": "object",
    "required": ["version", "runs"],
    "additionalProperties": False,
    "properties": {
        "$schema": {"type": "string"},
        "version": {"const": "2.1.0"},
        "runs": {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/run"}},
    },
    "$defs": {
        "run": {
            "type": "object",
            "required": ["tool", "results"],
            "additionalProperties": False,
            "properties": {
                "tool": {
                    "type": "object",
                    "required": ["driver"],
                    "properties": {"driver": {"$ref": "#/$defs/driver"}},
                    "additionalProperties": False,
                },
                "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
                "invocations": {"type": "array", "items": {"$ref": "#/$defs/invocation"}},
                "results": {"type": "array", "items": {"$ref": "#/$defs/result"}},
            },
        },
        "driver": {
            "type": "object",
            "required": ["name", "rules"],
            "additionalProperties": False,
            "properties": {
                "name": {"type": "string"},
                "version": {"type": "string"},
                "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
            },
        },
        "rule": {
            "type": "object",
            "required": ["id"],
            "additionalProperties": False,
            "properties": {
                "id": {"type": "string"},
                "shortDescription": MESSAGE,
                "fullDescription": MESSAGE,
                "help": MESSAGE,
                "defaultConfiguration": {
                    "type": "object",
                    "properties": {"level": {"enum": ["none", "note", "warning", "error"]}},
                },
            },
        },
        "invocation": {
            "type": "object",
            "required": ["executionSuccessful"],
            "additionalProperties": False,
            "properties": {
                "executionSuccessful": {"type": "boolean"},
                "toolExecutionNotifications": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["message"],
                        "additionalProperties": False,
                        "properties": {
                            "level": {"enum": ["none", "note", "warning", "error"]},
                            "message": MESSAGE,
                            "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                        },
                    },
                },
            },
        },
        "result": {
            "type": "object",
            "required": ["message", "ruleId"],
            "additionalProperties": False,
            "properties": {
                "ruleId": {"type": "string"},
                "ruleIndex": {"type": "integer", "minimum": 0},
                "level": {"enum": ["none", "note", "warning", "error"]},
                "message": MESSAGE,
                "locations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                "relatedLocations": {"type": "array", "items": {"$ref": "#/$defs/location"}},
                "fixes": {"type": "array", "items": {"$ref": "#/$defs/fix"}},
            },
        },
        "location": {
            "type": "object",
            "additionalProperties": False,
            "properties": {
                "id": {"type": "integer", "minimum": 0},
                "message": MESSAGE,
                "physicalLocation": {
                    "type": "object",
                    "required": ["artifactLocation"],
                    "additionalProperties": False,
                    "properties": {
                        "artifactLocation": {"$ref": "#/$defs/artifact"},
                        "region": {"$ref": "#/$defs/region"},
                    },
                },
            },
        },
        "artifact": {
            "type": "object",
            "additionalProperties": False,
            "properties": {"uri": {"type": "string", "pattern": "^[^ \\\\]*$"}},
        },
        "region": {
            "type": "object",
            "additionalProperties": False,
            "required": ["startLine"],
            "properties": {
                key: {"type": "integer", "minimum": 1}
                for key in ("startLine", "startColumn", "endLine", "endColumn")
            },
        },
        "fix": {
            "type": "object",
            "required": ["artifactChanges"],
            "additionalProperties": False,
            "properties": {
                "description": MESSAGE,
                "artifactChanges": {
                    "type": "array",
                    "minItems": 1,
                    "items": {
                        "type": "object",
                        "required": ["artifactLocation", "replacements"],
                        "additionalProperties": False,
                        "properties": {
                            "artifactLocation": {"$ref": "#/$defs/artifact"},
                            "replacements": {
                                "type": "array",
                                "minItems": 1,
                                "items": {
                                    "type": "object",
                                    "required": ["deletedRegion"],
                                    "additionalProperties": False,
                                    "properties": {
                                        "deletedRegion": {"$ref": "#/$defs/region"},
                                        "insertedContent": MESSAGE,
                                    },
                                },
                            },
                        },
                    },
                },
            },
        },
    },
}


def test_sarif(tree, capsys):
    assert main(["check", ".", "--format", "sarif"]) == 1
    log = json.loads(capsys.readouterr().out)
    assert problems(SARIF, log) == []
    (run,) = log["runs"]
    (result,) = run["results"]
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "AD303"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "pkg/solver.py"
    uris = {r["physicalLocation"]["artifactLocation"]["uri"] for r in result["relatedLocations"]}
    assert uris == {"pkg/solver.py", "pkg/helpers.py"}
    assert len(run["invocations"][0]["toolExecutionNotifications"]) == 6


def test_the_fix_of_a_sarif_result_repairs_the_file(tree, capsys):
    main(["check", "pkg/solver.py", "--format", "sarif"])
    (result,) = json.loads(capsys.readouterr().out)["runs"][0]["results"]
    (change,) = result["fixes"][0]["artifactChanges"]
    path = Path(unquote(change["artifactLocation"]["uri"]))
    (edit,) = change["replacements"]
    region, lines = edit["deletedRegion"], path.read_text().splitlines(keepends=True)
    assert region["startColumn"] == region["endColumn"] == 1
    new = edit["insertedContent"]["text"].splitlines(keepends=True)
    lines[region["startLine"] - 1 : region["endLine"] - 1] = new
    path.write_text("".join(lines))
    assert main(["check", "pkg/solver.py"]) == 0


def test_a_line_is_explained(tree, capsys):
    lines = FILES["pkg/solver.py"].splitlines()
    at = next(n for n, text in enumerate(lines, 1) if "wipe(z)" in text)
    assert main(["explain", f"pkg/solver.py:{at}"]) == 1
    out = capsys.readouterr().out
    assert "writes `z`: refused; line" in out and "error[AD303]" in out
    assert "`clear` writes `inner` (helpers.py:9)" in out
    at = next(n for n, text in enumerate(lines, 1) if "np.sum(z * z)" in text)
    assert main(["explain", f"pkg/solver.py:{at}"]) == 0
    out = capsys.readouterr().out
    assert "what it reads is overwritten" in out and "saved" in out
    assert "needs `z`: the derivative of `z * z`" in out
    assert main(["explain", "pkg/solver.py:1"]) == 2
    assert main(["explain", "pkg/none.py:1"]) == 2
    assert main(["explain", "pkg/broken.py:1"]) == 2
    assert not os.path.exists("ran.txt")


def test_a_file_that_is_not_python_is_a_finding(tree, capsys):
    assert main(["check", "pkg/broken.py"]) == 1
    assert "not Python" in capsys.readouterr().err


def test_what_is_neither_a_code_nor_a_line(tree, capsys):
    assert main(["explain", "pkg/solver.py:abc"]) == 2
    assert "a line is written as FILE:14" in capsys.readouterr().err


def test_what_a_module_does_when_it_is_looked_into_is_not_done(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    lazy = "def __getattr__(name):\n    open('ran.txt', 'w').close()\n    raise NameError(name)\n"
    (tmp_path / "lazy.py").write_text(lazy)
    user = "from lazy import later\n\ndef f(x: float):\n    return x * x\n"
    (tmp_path / "user.py").write_text(user)
    assert main(["check", "user.py", "--all"]) == 0
    assert "1 checked, 0 with errors" in capsys.readouterr().err
    assert not (tmp_path / "ran.txt").exists()


OBJECTS = """\
from dataclasses import dataclass
import numpy as np

@dataclass
class State:
    x: np.ndarray
    v: np.ndarray

class Heat:
    def __init__(self, n: int):
        self.u = np.zeros(n)
        self.seen = []

    def step(self, k: float) -> np.ndarray:
        self.u[1:-1] += k * (self.u[2:] - 2 * self.u[1:-1] + self.u[:-2])
        return self.u

    def scale(self, k: float):
        self.u *= k
        self.u *= self.u
        return np.sum(self.u)

    def energy(self):
        return np.sum(self.u**2)

    def watched(self, k: float):
        self.seen.append(k)
        return np.sum(k * self.u)

def leap(s: State, dt: float):
    s.v -= dt * s.x
    s.x += dt * s.v
    return np.sum(s.x)

def main():
    print(leap)
"""


def test_methods_and_functions_of_objects(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "heat.py").write_text(OBJECTS)
    found = checked(capsys, "heat.py")
    assert {f["name"]: f["status"] for f in found["functions"]} == {
        "heat.py:Heat.step": "accepted",
        "heat.py:Heat.scale": "refused",
        "heat.py:Heat.energy": "accepted",
        "heat.py:Heat.watched": "unclear",
        "heat.py:leap": "accepted",
    }
    refused = next(f for f in found["functions"] if f["status"] == "refused")
    assert {d["code"] for d in refused["diagnostics"]} == {"AD301"}


def test_an_array_without_a_known_rank_has_an_axis(tmp_path, monkeypatch, capsys):
    (tmp_path / "steps.py").write_text(
        "import numpy as np\n"
        "def settle(y: np.ndarray, k: int):\n"
        "    t = y * 1.0\n"
        "    z = t * t\n"
        "    if k > 2:\n"
        "        t[0] = 1.0\n"
        "    return np.sum(z)\n"
    )
    monkeypatch.chdir(tmp_path)
    (found,) = checked(capsys, "steps.py")["functions"]
    assert found["status"] == "accepted"
    assert [w["verdict"] for w in found["report"]["functions"][0]["writes"]] == ["checked"]


def test_what_never_runs_is_said_to_be_left_out(tmp_path, capsys):
    (tmp_path / "m.py").write_text(
        "def f(x: float):\n    return x * x\n\n"
        "if True:\n    raise ImportError('no backend')\n\n"
        "def g(x: float):\n    return x\n\n"
        "class C:\n    def step(self, x: float):\n        return x\n"
    )
    assert main(["check", str(tmp_path / "m.py")]) == 0
    err = capsys.readouterr().err
    assert "1 checked, 0 with errors, 2 skipped" in err
    assert "m.py:g: `g` is in a part of the file that never runs" in err
    assert "m.py:C.step: " in err


TWICE = """\
import decimal

import numpy as np
import scipy.linalg
import scipy.special


def in_c(x: float):
    return x * float(decimal.Decimal(x))


def by_order(v: float):
    return scipy.special.jve(v, 2.0)


def factor(a: "float64[:,:]"):
    return np.sum(scipy.linalg.lapack.dpotrf(a)[0])


def sent(x: float):
    def process():
        got = yield x
        yield got * x

    running = process()
    next(running)
    return running.send(2.0 * x)
"""


@pytest.mark.recorded
def test_what_recording_refuses_is_not_said_to_be_recorded(tmp_path, monkeypatch, capsys):
    (tmp_path / "twice.py").write_text(TWICE)
    monkeypatch.chdir(tmp_path)
    found = checked(capsys, "twice.py", "--all")["functions"]
    told = {f["name"].partition(":")[2]: f["status"] for f in found}
    names: dict = {}
    exec(compile(TWICE, str(tmp_path / "twice.py"), "exec"), names)
    given = {"factor": np.eye(2)}
    happens = {}
    for name in told:
        try:
            ad.recorded(names[name]).grad(given.get(name, 2.0))
        except ad.AdtransError as error:
            assert error.diagnostics[0].code == "AD401"
            happens[name] = "refused"
        else:
            happens[name] = "recorded"
    assert told == happens == {
        "in_c": "refused", "by_order": "refused", "factor": "refused",
        "sent": "recorded",
    }  # fmt: skip
