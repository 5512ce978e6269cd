# SPDX-License-Identifier: Apache-2.0
# types_test.py: mypy --strict over a client and over the package; what is public has a docstring.
import inspect
import subprocess
import sys
from pathlib import Path

import pytest

import gmmu

HERE = Path(__file__).resolve().parent


def mypy(cache, *words):
    return subprocess.run([sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(cache), *words], capture_output=True, text=True, check=False,
                          cwd=cache)


def test_mypy(tmp_path):
    for words in ([str(HERE / "client.py")], ["-p", "gmmu"]):
        done = mypy(tmp_path, *words)
        assert done.returncode == 0, done.stdout
    wrong = tmp_path / "wrong.py"
    wrong.write_text("import gmmu\ngmmu.read(3)\ngmmu.replay('t', 5)\nrows: int = gmmu.replay('t')\n")
    done = mypy(tmp_path, str(wrong))
    assert [line.split(":")[1] for line in done.stdout.splitlines()[:3]] == ["2", "3", "4"], done.stdout


def test_the_client(traces):
    done = subprocess.run([sys.executable, str(HERE / "client.py"), str(traces / "2mm.gwt")], capture_output=True, text=True, check=True)
    assert float(done.stderr.splitlines()[-1]) > 1 and done.stdout.startswith("# gmmu-walk 1 page_shift=16")


@pytest.mark.parametrize("name", [n for n in gmmu.__all__ if callable(getattr(gmmu, n))])
def test_docstrings(name):
    thing = getattr(gmmu, name)
    assert name == "Walk" or len(inspect.getdoc(thing) or "") > 20
