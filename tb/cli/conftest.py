# SPDX-License-Identifier: Apache-2.0
"""conftest.py: what the tests of the command line are given: the command, and small traces in a folder that goes away.

The command is $GMMU_BIN, or build/gmmu-asan: the command with sanitizers."""
import os

import pytest

from command import ROOT, Command

BELADY = (1, 2, 3, 4, 1, 2, 5, 1, 2, 3, 4, 5)  # Belady, Nelson, Shedler, CACM 1969: FIFO has more faults with more memory


def pytest_sessionstart():
    os.chdir(ROOT)


def write(path, *lines):
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture(scope="session")
def gmmu():
    program = os.path.join(ROOT, os.environ.get("GMMU_BIN", "build/gmmu-asan"))
    if not os.access(program, os.X_OK):
        pytest.exit("found no %s, expected the command: make build/gmmu-asan, or GMMU_BIN=PATH" % program, 2)
    return Command(program)


@pytest.fixture
def file(tmp_path):
    """file(name, line...): a text file in the test's folder."""
    return lambda name, *lines: write(tmp_path / name, *lines)


@pytest.fixture(scope="session")
def belady(tmp_path_factory):
    """Belady's trace, 12 walks to 5 pages."""
    return write(tmp_path_factory.mktemp("belady") / "belady.walk", "# gmmu-walk 1 page_shift=12", *["%d,0x10,r" % page for page in BELADY])


@pytest.fixture
def bad_walk(file):
    """A trace whose second walk, on line 3, is neither a read nor a write."""
    return file("bad.walk", "# gmmu-walk 1 page_shift=12", "1,2,r", "1,2,x")


@pytest.fixture
def lackey(file):
    """A log of valgrind's lackey: a load, a fetch, a store across two pages, a modification."""
    return file("small.lackey", " L 1000,8", "I  04001000,3", " S 2ffc,8", " M 1008,4")


@pytest.fixture
def table(file):
    """A csv with a column that is ignored; its first access crosses a page."""
    return file("t.csv", "addr;size;rw;warp", "0x1ffc;8;r;1", "8192;;Store;2")


@pytest.fixture(scope="session")
def hints(gmmu, tmp_path_factory):
    """A recorded kernel with the hints of a driver, in both forms."""
    folder = tmp_path_factory.mktemp("hints")
    gmmu("record spmv --size 3000 --l1-tlb 4 --l2-tlb 16 --hints -o", folder / "hints.gwt")
    gmmu("trace convert", folder / "hints.gwt", "-o", folder / "hints.walk")
    return folder


@pytest.fixture(scope="session")
def bfs_gwt(gmmu, tmp_path_factory):
    """sim/traces/bfs.walk as .gwt."""
    path = tmp_path_factory.mktemp("bfs") / "bfs.gwt"
    gmmu("trace convert sim/traces/bfs.walk -o", path)
    return path
