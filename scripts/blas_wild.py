#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""blas_wild.py same|cost [--only NAME,...] [--modes MODE,...] [--pairs N] [--share X]: libgmmu_blas.so with programs that this project did not write.

same: each program prints the same without and with the library, in every mode (a few minutes).
cost: the programs' CPU time, user and system, with the library over without, in interleaved pairs: the medians, and
build/blas-wild/cost.csv with all pairs. With 5 pairs of 20 s of work it takes half an hour; --share 0.1 has a tenth of the work.
The programs are those of `make setup-blas-wild`. One that is not there is an error.
"""
import argparse
import csv
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT, WILD = os.path.join(ROOT, "build/blas-wild"), os.path.join(ROOT, "tb/blas/wild")
BLAS = os.path.join(ROOT, "build/libgmmu_blas.so")
OPENBLAS = os.path.join(OUT, "usr/lib/x86_64-linux-gnu/openblas-pthread")
SCALAPACK = "/usr/lib/x86_64-linux-gnu/scalapack/openmpi-tests"
ESPRESSO = "/usr/share/espresso/pseudo/Si.pz-vbc.UPF"
PYTHON = os.path.join(OUT, "venv/bin/python3")
MPI = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "mpi_yield_when_idle", "1", "-np", "2"]
MODES = {"default": {}, "calls": {"GMMU_TRACK": "calls", "GMMU_MIN": "0"}, "writes": {"GMMU_TRACK": "writes"}, "full": {"GMMU_TRACK": "full"},
         "shadow": {"GMMU_SHADOW": "500"}}
# in modes where each call is tracked, all of the calls are
ALL = {"writes": {"GMMU_MIN": "0"}, "full": {"GMMU_MIN": "0"}}
# R's own LD_LIBRARY_PATH comes before ours
OPEN = {"LD_PRELOAD": " ".join(os.path.join(OPENBLAS, lib) for lib in ("libblas.so.3", "liblapack.so.3"))}
ONE = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
# bounds of `cost`: the median of the ratios
BOUNDS = {"default": 1.05, "writes": 2.0}


class Program:
    """A program: its command for an amount of work, the lines of its output that must be the same, the amount that takes 20 s."""

    def __init__(self, name, command, env=None, keep=None, work=1, modes="default calls writes full shadow", measured="", there=(), idle=0):
        self.name, self.command, self.env, self.keep = name, command, dict(ONE, **(env or {})), keep
        self.work, self.modes, self.measured, self.there = work, modes.split(), measured.split(), there
        # GMMU_SHADOW_THREADS; None: shadow execution refuses the program's threads
        self.idle = idle


def wild(name):
    return os.path.join(WILD, name)


def built(name):
    return os.path.join(OUT, name)


def hpl_input(n):
    """hpcc's input: Debian's with other sizes."""
    with open("/usr/share/doc/hpcc/examples/_hpccinf.txt", encoding="utf-8") as file:
        lines = file.read().split("\n")
    lines[5], lines[10], lines[11] = "%d Ns" % n, "1 Ps", "2 Qs"
    return "\n".join(lines)


def hpcc(n):
    size = 400 if n == 0 else int(round(400 * (1 + n) ** (1 / 3)))
    with open("hpccinf.txt", "w", encoding="utf-8") as file:
        file.write(hpl_input(size))
    return ["sh", "-c", "rm -f hpccoutf.txt; %s hpcc && cat hpccoutf.txt" % " ".join(MPI)]


def scalapack(name, data):
    def command(_):
        shutil.copy(os.path.join("/usr/share/scalapack", data), data)
        return MPI + [os.path.join(SCALAPACK, name)]
    return command


R, OCTAVE = "/usr/bin/Rscript", "/usr/bin/octave-cli"
PASSED = r"PASSED|FAILED|tests completed|\|\|A|^.. *[0-9]+ tests"
PROGRAMS = [
    Program("r-reference", lambda n: [R, wild("linear.R"), str(n)], there=[R]),
    Program("r-openblas", lambda n: [R, wild("linear.R"), str(n)], OPEN, work=480, measured="default writes", there=[R, OPENBLAS]),
    Program("octave-reference", lambda n: [OCTAVE, "-qf", wild("linear.m"), str(n)], there=[OCTAVE], idle=1),
    Program("octave-openblas", lambda n: [OCTAVE, "-qf", wild("linear.m"), str(n)], OPEN, work=830, measured="default writes",
            there=[OCTAVE, OPENBLAS], idle=1),
    Program("pypi", lambda n: [PYTHON, wild("learn.py"), str(n)], work=140, measured="default", there=[PYTHON]),
    Program("pypi-threads", lambda n: [PYTHON, wild("learn.py"), str(n)], {"OPENBLAS_NUM_THREADS": "2"}, there=[PYTHON], idle=None),
    Program("hpcc", hpcc, keep=r"^\|\|Ax-b|FAILED|Success=", work=100, modes="default calls writes full", measured="default", there=["/usr/bin/hpcc"]),
    Program("scalapack-llt", scalapack("xdllt", "LLT.dat"), keep=PASSED, modes="default calls writes full", there=[SCALAPACK]),
    Program("scalapack-lu", scalapack("xdlu", "LU.dat"), keep=PASSED, modes="default calls writes full", there=[SCALAPACK]),
    Program("scalapack-qr", scalapack("xzqr", "QR.dat"), keep=PASSED, modes="default calls writes full", there=[SCALAPACK]),
    Program("scilab", lambda n: ["/usr/bin/scilab-cli", "-nb", "-f", wild("linear.sce")], keep=r"^[-0-9.e+]+$", there=["/usr/bin/scilab-cli"], idle=2),
    Program("espresso", lambda n: ["/usr/bin/pw.x", "-in", wild("si.in")], keep=r"^!? *total energy|convergence has|the Fermi|number of",
            there=["/usr/bin/pw.x", ESPRESSO], idle=2),
    Program("armadillo", lambda n: [built("armadillo")], there=[built("armadillo")]),
    Program("eigen", lambda n: [built("eigen")], there=[built("eigen")]),
    Program("suitesparse", lambda n: [built("sparse")], there=[built("sparse")]),
    Program("gsl", lambda n: [built("fit")], there=[built("fit")]),
]


def run(program, work, mode, settings, folder):
    """(exit status, lines that must be the same, CPU seconds)."""
    env = {k: v for k, v in os.environ.items() if not k.startswith("GMMU_") and k != "LD_PRELOAD"}
    env.update(program.env)
    if mode is not None:
        env.update(MODES[mode], **settings, GMMU_SHADOW_THREADS=str(program.idle or 0), LD_PRELOAD=" ".join([BLAS] + env.get("LD_PRELOAD", "").split()))
        env.setdefault("GMMU_REPORT", os.path.join(folder, "report.txt"))
    command = program.command(work)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, env=env, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, errors="replace",
                          check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    lines = [line for line in done.stdout.split("\n") if program.keep is None or re.search(program.keep, line)]
    # ScaLAPACK's tables have times and rates
    lines = [re.sub(r"\s+", " ", re.sub(r" [0-9]+\.[0-9]+(?= |$)", " t", line)) if program.keep == PASSED else line for line in lines]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return done.returncode, lines, cpu, done.stderr


def same(programs, modes):
    bad = 0
    for p in programs:
        status, lines, _, _ = run(p, 1, None, {}, ".")
        if status != 0 or not lines:
            print("FAIL  %s: exit status %d, %d lines, expected 0 and some" % (p.name, status, len(lines)), flush=True)
            bad += 1
            continue
        for mode in [m for m in p.modes if modes is None or m in modes]:
            if os.path.exists("report.txt"):
                os.remove("report.txt")
            is_status, is_lines, cpu, errors = run(p, 1, mode, ALL.get(mode, {}), ".")
            reported = os.path.exists("report.txt") and os.path.getsize("report.txt") > 0
            if mode == "shadow":
                reported = re.search("found a second thread" if p.idle is None else "shadow execution: [1-9][0-9]* calls on the GPU", errors) is not None
            good = is_status == status and is_lines == lines and reported
            why = "other output" if is_lines != lines else "no report, or no call on the GPU"
            print("%s %s, %s: %s" % ("ok   " if good else "FAIL ", p.name, mode, "prints the same, %.1f s" % cpu if good else
                                     "exit status %d (%d), %s" % (is_status, status, why)), flush=True)
            if is_lines != lines:
                print("\n".join(["      < %s\n      > %s" % two for two in zip(lines, is_lines) if two[0] != two[1]][:3]))
            bad += not good
    return bad


def cost(programs, pairs, share):
    bad, rows, medians = 0, [], []
    for p in programs:
        for mode in p.measured:
            work, ratios = max(1, round(p.work * share)), []
            for i in range(pairs):
                without, with_it = run(p, work, None, {}, ".")[2], run(p, work, mode, {}, ".")[2]
                ratios.append(with_it / without)
                rows.append([p.name, mode, i, work, "%.3f" % without, "%.3f" % with_it, "%.4f" % ratios[-1]])
                print("      %s, %s: %.2f s without, %.2f s with: %.3f" % (p.name, mode, without, with_it, ratios[-1]), flush=True)
            medians.append((p.name, mode, statistics.median(ratios)))
    with open(os.path.join(OUT, "cost.csv"), "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["program", "mode", "pair", "work", "cpu_s_without", "cpu_s_with", "ratio"])
        table.writerows(rows)
    for name, mode, median in medians:
        good = median <= BOUNDS[mode]
        print("%s %s, %s: median %.3f, bound %.2f" % ("ok   " if good else "FAIL ", name, mode, median, BOUNDS[mode]), flush=True)
        bad += not good
    return bad


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("what", choices=["same", "cost"])
    parser.add_argument("--only", help="programs, with commas between")
    parser.add_argument("--modes", help="of same, with commas between: " + ", ".join(MODES))
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--share", type=float, default=1.0, help="of the work of cost")
    args = parser.parse_args()
    for mode in (args.modes or "").split(","):
        if mode and mode not in MODES:
            sys.exit("blas_wild: found the mode %s, expected one of %s" % (mode, ", ".join(MODES)))
    names = [p.name for p in PROGRAMS] if args.only is None else args.only.split(",")
    for name in names:
        if name not in [p.name for p in PROGRAMS]:
            sys.exit("blas_wild: found the program %s, expected one of %s" % (name, ", ".join(p.name for p in PROGRAMS)))
    programs = [p for p in PROGRAMS if p.name in names and (args.what == "same" or p.measured)]
    for p in programs:
        for path in p.there:
            if not os.path.exists(path):
                sys.exit("blas_wild: found no %s, expected what make setup-blas-wild installs" % path)
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        bad = same(programs, args.modes and args.modes.split(",")) if args.what == "same" else cost(programs, args.pairs, args.share)
    if bad:
        sys.exit("%d failed" % bad)


main()
