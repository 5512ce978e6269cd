#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""blas_operations.py [--no-doc] [N ...]: counts the operations of LAPACK's drivers that iterate, beside the drop-in's estimates.

The library is Debian's reference LAPACK, in double precision, on random matrices of order N (200). Valgrind's
callgrind says how often each instruction of it ran; additions, multiplications, divisions and roots are counted, by the
numbers that an instruction has. The estimate is what libgmmu_blas.so writes into a trace. The table is put into
docs/guide/blas.md. Without valgrind (Debian) nothing is counted.
"""
import argparse
import collections
import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLAS, OUT, DOC = "build/libgmmu_blas.so", "build/bench", "docs/guide/blas.md"
BEGIN, END = "<!-- scripts/blas_operations.py -->\n", "<!-- end -->"
# routine, letters, rows by columns and right-hand sides in N, what the table says of it
ROWS = [("dgesdd", "N", 1, 0, ""), ("dgesdd", "S", 1, 0, ""), ("dgesdd", "S", 2, 0, "2 N × N"), ("dgesdd", "A", 2, 0, "2 N × N"),
        ("dgesvd", "NN", 1, 0, ""), ("dgesvd", "SN", 1, 0, ""), ("dgesvd", "SS", 1, 0, ""), ("dgesvd", "SS", 2, 0, "2 N × N"),
        ("dsyev", "N", 1, 0, ""), ("dsyev", "V", 1, 0, ""), ("dsyevd", "V", 1, 0, ""), ("dsyevr", "V", 1, 0, ""),
        ("dsygv", "V", 1, 0, ""), ("dsygvd", "V", 1, 0, ""), ("dgees", "N", 1, 0, ""), ("dgees", "V", 1, 0, ""),
        ("dgeev", "NN", 1, 0, ""), ("dgeev", "NV", 1, 0, ""), ("dgeev", "VV", 1, 0, ""), ("dgeevx", "BVVB", 1, 0, ""),
        ("dggev", "NN", 1, 0, ""), ("dggev", "NV", 1, 0, ""), ("dggev", "VV", 1, 0, ""), ("dggevx", "BNVV", 1, 0, ""),
        ("dgelsd", "-", 2, 0.5, "2 N × N, N / 2 right sides"), ("dgelss", "-", 2, 0.5, "2 N × N, N / 2 right sides"),
        ("dgelsy", "-", 2, 0.5, "2 N × N, N / 2 right sides"), ("dgecon", "-", 1, 0, ""), ("dpocon", "-", 1, 0, ""),
        ("dgesvx", "N", 1, 0.25, "N / 4 right sides"), ("dposvx", "N", 1, 0.25, "N / 4 right sides")]
COUNTED = re.compile(r"\s*([0-9a-f]+):\s+v?(?:add|sub|mul|div|sqrt)(sd|pd)\b")
NUMBERS = {"sd": 1, "pd": 2}


def instructions(path, known={}):  # pylint: disable=dangerous-default-value
    """{address: numbers} of the instructions of an object that compute."""
    if path not in known:
        text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
        known[path] = {int(m[1], 16): NUMBERS[m[2]] for m in map(COUNTED.match, text.splitlines()) if m}
    return known[path]


def counted(command, folder):
    """The operations within the reference, of COMMAND."""
    out = os.path.join(folder, "callgrind")
    subprocess.run(["valgrind", "--tool=callgrind", "--dump-instr=yes", "--compress-pos=no", "--compress-strings=no",
                    "--callgrind-out-file=" + out] + command, capture_output=True, check=True)
    total, numbers, inclusive = collections.Counter(), {}, False
    with open(out, encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("ob="):
                path = line[3:].strip()
                is_library = re.search(r"/lib(blas|lapack)\.so", path) is not None
                numbers = instructions(path) if is_library else {}
            elif line.startswith("calls="):
                inclusive = True  # the next line is what the call took with all that it calls
            elif line.startswith("0x"):
                if not inclusive:
                    address, _, times = line.split()[:3]
                    total["all"] += numbers.get(int(address, 16), 0) * int(times)
                inclusive = False
    return total["all"]


def estimated(command, folder):
    """The operations of the call of a driver, by the drop-in."""
    trace = os.path.join(folder, "trace.sem")
    env = {k: v for k, v in os.environ.items() if not k.startswith("GMMU_")}
    env.update(LD_PRELOAD=os.path.join(ROOT, BLAS), GMMU_MIN="0", GMMU_TRACK="calls", GMMU_TRACE=trace)
    subprocess.run(command, env=env, check=True, capture_output=True)
    with open(trace, encoding="utf-8") as lines:
        return int(next(line.split()[4] for line in lines if line.startswith("call ")))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("order", metavar="N", type=int, nargs="*", default=[200])
    parser.add_argument("--no-doc", action="store_true", help="leave docs/guide/blas.md as it is")
    args = parser.parse_args()
    os.chdir(ROOT)
    if shutil.which("valgrind") is None:
        sys.exit("blas_operations: found no valgrind, expected Debian's package valgrind")
    os.makedirs(OUT, exist_ok=True)
    program = OUT + "/operations"
    subprocess.run(["gcc", "-std=gnu17", "-O1", "-w", "tb/blas/operations.c", "-o", program, "-l:liblapack.so.3", "-l:libblas.so.3"],
                   check=True)
    head = "| driver | letters | shape | " + " | ".join("counted, N = %d | estimate | ratio" % n for n in args.order) + " |"
    table = [head, "|" + "---|" * (3 + 3 * len(args.order))]
    with tempfile.TemporaryDirectory() as folder:
        for routine, letters, rows, sides, shape in ROWS:
            cells = []
            for n in args.order:
                command = [program, routine, letters, str(rows * n), str(n), str(max(1, int(sides * n)))]
                found, guess = counted(command, folder), estimated(command, folder)
                scale = n ** 2 if routine in ("dgecon", "dpocon") else n ** 3
                cells.append("%.2f | %.2f | %.2f" % (found / scale, guess / scale, guess / found))
            table.append("| %s | %s | %s | %s |" % (routine[1:].upper(), letters, shape, " | ".join(cells)))
            print(table[-1], flush=True)
    if args.no_doc:
        return
    with open(DOC, encoding="utf-8") as file:
        text = file.read()
    before, rest = text.split(BEGIN, 1)
    with open(DOC, "w", encoding="utf-8") as file:
        file.write(before + BEGIN + "\n".join(table) + "\n" + END + rest.split(END, 1)[1])


main()
