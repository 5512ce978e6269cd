# SPDX-License-Identifier: Apache-2.0
# conftest.py: what the tests share: the command and the committed traces.
import csv
import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


class Command:
    """The command $GMMU_BIN, or build/gmmu."""

    def __init__(self):
        self.program = ROOT / os.environ.get("GMMU_BIN", "build/gmmu")
        if not self.program.exists():
            pytest.exit(f"found no {self.program}, expected the command: make build/gmmu", 2)

    def run(self, *arguments):
        return subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)

    def rows(self, *arguments):
        done = self.run(*arguments, "-F", "csv")
        assert done.returncode == 0, done.stderr
        return list(csv.DictReader(done.stdout.splitlines()))

    def refuses(self, *arguments):
        done = self.run(*arguments)
        assert done.returncode == 2, done.stdout
        line = done.stderr.splitlines()[0]
        return line.split(": ", 1)[1]


@pytest.fixture(scope="session")
def command():
    return Command()


@pytest.fixture(scope="session")
def traces():
    return ROOT / "sim" / "traces"
