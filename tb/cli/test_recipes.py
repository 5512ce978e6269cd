# SPDX-License-Identifier: Apache-2.0
"""test_recipes.py: the commands of docs/guide/reading_traces.md do what the page says, and its table has every form."""
import os
import re
import sqlite3
import subprocess

import pytest

PAGE = "docs/guide/reading_traces.md"


def recipe(name):
    with open(PAGE, encoding="utf-8") as file:
        return re.search(r"<!-- recipe %s -->\n```\n(.*?)^```" % name, file.read(), re.M | re.S).group(1)


@pytest.fixture
def folder(gmmu, tmp_path):
    """A folder, and a function that runs a recipe there."""
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "gmmu").symlink_to(gmmu.program)
    path = "%s:%s" % (tmp_path / "bin", os.environ["PATH"])

    def run(name):
        done = subprocess.run(["sh", "-e", "-c", recipe(name)], cwd=tmp_path, env=dict(os.environ, PATH=path, LC_ALL="C.UTF-8"), capture_output=True,
                              check=False)
        assert done.returncode == 0, done.stderr.decode()
        return done.stderr.decode()
    return tmp_path, run


def walks(path):
    return [line for line in path.read_text().splitlines() if not line.startswith("#")]


def test_table(folder):
    path, run = folder
    (path / "a.txt").write_text("4104,r,5\n0x12ff8,w,6\n")
    (path / "b.txt").write_text("w: 7ffe0010 8\nr: 0x7fff0000 4\n")
    (path / "c.csv").write_text("Id,Fault Address,Dir\n1,7ffe0010,READ\n2,7fff0000,WRITE\n")
    (path / "d.txt").write_text("alpha r\nbeta w\nalpha w\n")
    assert run("table") == 'gmmu trace: columns ignored: "Id"\n'
    assert walks(path / "a.walk") == ["0x1,0x0,r,0,0,5", "0x12,0x0,w,0,0,6"]
    assert walks(path / "b.walk") == ["0x7ffe0,0x0,w", "0x7fff0,0x0,r"]
    assert walks(path / "c.walk") == ["0x7ffe0,0x0,r", "0x7fff0,0x0,w"]
    assert walks(path / "d.walk") == ["0x0,0x0,r", "0x1,0x0,w", "0x0,0x0,w"]


def test_nsight(folder):
    path, run = folder
    with sqlite3.connect(path / "report.sqlite") as base:
        base.execute("CREATE TABLE CUDA_UM_GPU_PAGE_FAULT_EVENTS (start INTEGER NOT NULL, end INTEGER NOT NULL, globalPid INTEGER NOT NULL, "
                     "deviceId INTEGER NOT NULL, address INTEGER NOT NULL, numberOfPageFaults INTEGER NOT NULL, faultAccessType INTEGER NOT NULL)")
        base.executemany("INSERT INTO CUDA_UM_GPU_PAGE_FAULT_EVENTS VALUES (?, 0, 1, 0, ?, 3, ?)",
                         [(900, 0x7f0000020000, 2), (100, 0x7f0000010000, 1), (300, 0x7f0000010000, 3), (400, 0x7f0000030000, 4)])
    assert run("nsight") == ""
    assert walks(path / "faults.walk") == ["0x7f000001,0x0,r,0,0,100", "0x7f000001,0x0,w,0,0,300", "0x7f000003,0x0,r,0,0,400", "0x7f000002,0x0,w,0,0,900"]


def test_mgpusim(folder):
    path, run = folder
    with sqlite3.connect(path / "trace.sqlite3") as base:
        base.execute("CREATE TABLE memory_transactions (ID TEXT, Location TEXT, What TEXT, StartTime REAL, EndTime REAL, Address INTEGER, ByteSize INTEGER)")
        base.executemany("INSERT INTO memory_transactions VALUES (?, ?, ?, ?, 0, ?, ?)",
                         [("b", "GPU[1].L2Cache[0]", "*mem.WriteReq", 2e-9, 0x1ff8, 64), ("a", "GPU[1].L2Cache[3]", "*mem.ReadReq", 1e-9, 0x5000, 64),
                          ("c", "GPU[1].SA[0].L1VCache[0]", "*mem.ReadReq", 1.5e-9, 0x9000, 4)])
    assert run("mgpusim") == ""
    assert walks(path / "requests.walk") == ["0x5,0x0,r,0,0,1000", "0x1,0x0,w,0,0,2000", "0x2,0x0,w,0,0,2000"]


def test_damon(folder):
    path, run = folder
    (path / "script.txt").write_text(
        "kdamond.0 46568 [027] 79357.842179: damon:damon_aggregated: target_id=0 nr_regions=3 122509119488-122509131776: 4 864\n"
        "kdamond.0 46568 [027] 79357.842180: damon:damon_aggregated: target_id=1 nr_regions=3 140662370467840-140662370471936: 1 2\n"
        "kdamond.0 46568 [027] 79357.842181: damon:damon_aggregated: target_id=1 nr_regions=3 140662370471936-140662372970496: 0 545\n")
    assert run("damon") == ""
    first, second = 122509119488 >> 12, 140662370467840 >> 12
    assert walks(path / "regions.walk") == ["0x%x,0x0,r" % (first + i) for i in range(3)] + ["0x%x,0x0,r,0,1" % second]


def test_tlb(folder):
    path, run = folder
    (path / "mem.log").write_text(" L 1000,8\n S 1010,8\n L 2ffc,8\n L 3000,1\n")
    assert run("tlb") == "gmmu trace: 3 walks, and 2 accesses that hit a TLB\n"
    assert (path / "walks.gwt").read_bytes()[1:4] == b"GWT"


def test_write(folder):
    path, run = folder
    (path / "mine.walk").write_text("# gmmu-walk 1 page_shift=12\n1,0x10,r\n2,0x10,w,0,0,7\n")
    assert run("write") == ""
    assert (path / "dram.trace").read_text() == "0x1000 R\n0x2000 W\n"
    assert (path / "loadstore.trace").read_text() == "LD 0x1000\nST 0x2000\n"
    assert (path / "dramsim3.trace").read_text() == "0x1000 READ 0\n0x2000 WRITE 7\n"


def test_every_form_is_on_the_page_and_in_the_reference(gmmu):
    message = gmmu.refuses("trace digest --from nonesuch", "x")
    forms = message[message.index("auto, ") + 6:].split(", ")
    page = open(PAGE, encoding="utf-8").read()
    reference = open("docs/reference/formats.md", encoding="utf-8").read()
    assert len(forms) > 25
    for form in forms:
        assert form in ("text", "gwt") or re.search(r"--from %s\b" % form, page), form
        assert form in ("text", "gwt") or "`%s`" % form in reference, form
