# SPDX-License-Identifier: Apache-2.0
# cocotb_test.py: gmmu.cocotb: what needs no simulator, and the bench of tb/kit under Icarus.
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gmmu
from gmmu import cocotb as kit
from gmmu import layouts

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(gmmu.__file__).resolve().parent


def python(program, **env):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, env={**os.environ, **env})


def missing(module, wanted):
    return f"ImportError: gmmu.cocotb: found no module {module}, expected it: pip install '{wanted}' in a clone of gmmu-tier"


def test_without_cocotb():
    done = python("import sys; sys.modules['cocotb'] = None; import gmmu.cocotb")
    assert done.returncode == 1 and done.stderr.splitlines()[-1] == missing("cocotb", ".[cocotb]")


def test_without_cocotbext_axi():
    done = python("import sys; sys.modules['cocotbext'] = None; import gmmu.cocotb as k; k.Registers.of(None, None)")
    assert done.stderr.splitlines()[-1] == missing("cocotbext.axi", ".[cocotb]"), done.stderr


def test_as_installed_without_the_compiled_package(tmp_path):
    (tmp_path / "gmmu").mkdir()
    for name in ("beats.py", "layouts.py"):
        shutil.copy(PACKAGE / name, tmp_path / "gmmu")
    shutil.copytree(PACKAGE / "cocotb", tmp_path / "gmmu" / "cocotb")
    for other in PACKAGE.parent.iterdir():  # all but the installed gmmu, which would be found first
        if not other.name.startswith("gmmu"):
            (tmp_path / other.name).symlink_to(other)
    done = python(f"import sys; sys.path[:] = [p for p in sys.path if 'site-packages' not in p] + [{str(tmp_path)!r}]\n"
                  "from gmmu import cocotb as kit, layouts; print(kit.__file__)\n"
                  "from gmmu.cocotb.scoreboard import model; model(layouts.config('tiny'), {})")
    assert done.stdout.startswith(str(tmp_path))
    assert done.stderr.splitlines()[-1] == missing("gmmu._unit", "."), done.stderr


def test_an_error_inside_a_module_is_handed_on(tmp_path, monkeypatch):
    (tmp_path / "kit_broken.py").write_text("import kit_nowhere\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="No module named 'kit_nowhere'"):
        kit.missing.require("kit_broken", ".[cocotb]")


def test_fold_ref():
    # CRC-32C of "12345678" by its definition; 16 bits of it
    assert kit.fold_ref(int.from_bytes(b"12345678", "little"), 16) == 0x6087809A & 0xFFFF
    assert kit.fold_ref(0xFFFF, 16) == 0xFFFF and kit.fold_ref(1 << 63, 64) == 1 << 63
    # as the C model folds: the same victims and priorities as of references that need no folding
    rng = np.random.default_rng(1)
    vpn, long = rng.zipf(1.2, 4000) % 200, rng.integers(1 << 20, 1 << 60, 12)[rng.integers(0, 12, 4000)]
    short = [kit.fold_ref(int(ref), 16) for ref in long]
    rows = [gmmu.Memory(50, config="tiny").walks({"vpn": vpn, "ref": np.array(ref)}) for ref in (long, short)]
    assert np.array_equal(*rows) and (rows[0]["victim_to"] != 0).sum() > 1000
    other = gmmu.Memory(50, config="tiny").walks({"vpn": vpn, "ref": np.array(short)[::-1].copy()})
    assert not np.array_equal(rows[0], other)


def test_page_table():
    table, seen = kit.PageTable(), []
    table.on_map.append(lambda page, frame: seen.append(("came", page, frame)))
    table.on_unmap.append(lambda page, frame: seen.append(("left", page, frame)))
    page = kit.Page(1, 7)
    table.map(page, 3)
    assert table.frame(page) == 3 and table.page(3) == page and table.frame(kit.Page(0, 7)) is None
    for again in (lambda: table.map(kit.Page(0, 8), 3), lambda: table.map(page, 4), lambda: table.unmap(4)):
        with pytest.raises(ValueError, match="^page table: found .*, expected"):
            again()
    table.store(page)
    assert table.unmap(3) is True and table.frame(page) is None and seen == [("came", page, 3), ("left", page, 3)]


def test_pauses():
    one, two, other = ([f() for _ in range(2000)] for f in (kit.pauses(0.3, 1), kit.pauses(0.3, 1), kit.pauses(0.3, 2)))
    assert one == two and one != other and 500 < sum(one) < 700
    with pytest.raises(ValueError, match="found a share of 1, expected 0 or more, and less than 1"):
        kit.pauses(1, 1)


def test_addresses():
    address = kit.Registers.address
    assert address("cfg_sample") == (layouts.REGISTERS["cfg_sample"].address, False) and address("cfg_range_bytes")[1]
    assert address("stat_walks")[0] == layouts.COUNTERS["stat_walks"].address and address("FRAMES")[0] == layouts.SIZES["frames"]
    assert address("status") == (layouts.Csr.STATUS, False) and address(0x10) == (0x10, False)
    with pytest.raises(ValueError, match="registers: found 'cfg_nothing', expected a register"):
        address("cfg_nothing")


def test_actions_one_by_one():
    """Actions in an order that is not the standard schedule's; one that is not owed does nothing."""
    unit = gmmu.Unit("tiny", cfg_frames=2)
    act = unit._unit.act
    assert act("ENTER", 0, 0) is None and act("INSTALL", 0, 0) is None and act("HALVE", 99, 0) is None
    unit.walk(7, 0x20, fault=True, settle=False)
    unit.walk(8, 0x20, fault=True, settle=False)
    assert act("ENTER", 0, 0)[0] == act("ENTER", 0, 0)[0] == layouts.Fault.QUEUED
    assert act("ENTER", 0, 0) is None and unit.decision() is None
    assert act("DECIDE", 0, 0)[0] == layouts.Tier.FREE
    assert unit.decision().vpn == 7 and unit.decision() is None
    with pytest.raises(gmmu.Error, match="found action JUMP"):
        act("JUMP", 0, 0)


def under_icarus(folder, *words):
    """(status and lines of run.py, text of the simulator)"""
    log = folder / "log"
    env = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run([sys.executable, str(ROOT / "tb/kit/run.py"), "--log", str(log), "--build", str(folder), *words], env=env, capture_output=True,
                          text=True, check=False, timeout=900)
    text = log.read_text() if log.exists() else ""
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:] + text[-4000:]
    return done.stdout, text


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog: make setup")
def test_candidates_that_never_held_a_page(tmp_path):
    """Searches that meet promised frames, whose state is unknown at power-up: the unit's answers are known all the same."""
    told, _ = under_icarus(tmp_path, "--size", "odd", "--walks", "400", "--test", "in_any")
    assert "kit: odd under icarus, 400 walks, seed 1: ok" in told


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog: make setup")
def test_under_icarus(tmp_path):
    """A thousand accesses of the first size, and every error that the bench builds in; the bench of the page."""
    told, text = under_icarus(tmp_path, "--walks", "1000")
    assert re.search(r"TESTS=18 PASS=18 FAIL=0", text), text[-4000:]
    assert "kit: tiny under icarus, 1000 walks, seed 1: ok" in told
    page = (ROOT / "docs/guide/cocotb.md").read_text(encoding="utf-8")
    bench = re.search(r"<!-- bench -->\n```python\n(.*?)```", page, re.S).group(1)
    assert len(bench.splitlines()) <= 34
    (tmp_path / "bench_of_page.py").write_text(bench)
    _, text = under_icarus(tmp_path, "--bench", str(tmp_path / "bench_of_page.py"))
    assert re.search(r"TESTS=1 PASS=1 FAIL=0", text) and re.search(r"[1-9]\d* evictions, [1-9]\d* late faults", text), text[-4000:]


@pytest.mark.skipif(shutil.which("iverilog") is None, reason="no iverilog: make setup")
def test_rings_under_icarus(tmp_path):
    """A thousand accesses by a driver that sees registers and rings in memory alone, and every error that the bench builds in; ranges at another size."""
    told, text = under_icarus(tmp_path, "--rings", "--walks", "1000")
    assert re.search(r"TESTS=11 PASS=10 FAIL=0 SKIP=1", text), text[-4000:]
    assert "kit: tiny with rings under icarus, 1000 walks, seed 1: ok" in told
    told, text = under_icarus(tmp_path, "--rings", "--size", "odd", "--walks", "400", "--test", "ranges_")
    assert re.search(r"TESTS=1 PASS=1 FAIL=0", text), text[-4000:]
