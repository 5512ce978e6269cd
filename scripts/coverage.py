#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py [TEST...]: which lines, branches and bits the tests reach.

C: gcov over the C tests, the command line's test and the block benches. RTL: Verilator's line and
toggle coverage over the bench of each block and of gmmu_tier, sizes `tiny`, all instances of a
module together. Prints a table of all files; build/coverage/table.txt has it too, build/coverage/c and
build/coverage/annotated the sources with counts.
With names, as `ppuc_test`, only those tests run.
"""
import glob
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/coverage"
MODULES = ["frame_table", "frame_mem", "ref_rit", "ppuc", "victim_select", "trace_sampler", "rit_export", "gmmu_tier"]
VERSION = '-DGMMU_VERSION="0"'


def run(args, log, fatal=True, **more):
    with open(os.path.join(OUT, log), "w", encoding="utf-8") as out:
        code = subprocess.run(args, stdout=out, stderr=subprocess.STDOUT, check=False, **more).returncode
    if code:
        print("coverage.py: %s failed: %s/%s" % (args[0], OUT, log), file=sys.stderr)
        if fatal:
            sys.exit(1)


def build_c():
    objects = []
    for src in sorted(glob.glob("cmodel/*/*.c") + glob.glob("cmodel/*/*/*.c")):
        obj = os.path.join(OUT, "c", src.replace("/", "@")[:-2] + ".o")
        run(["gcc", "-std=gnu17", "-O0", "-g", "--coverage", "-Icmodel/include", "-Icmodel", VERSION, "-c", src,
             "-o", obj], "cc.log")
        objects.append(obj)
    library = [o for o in objects if "cmodel@cli@" not in o]
    run(["gcc", "--coverage", *objects, "-o", OUT + "/gmmu", "-ljansson", "-lzstd", "-lm"], "link.log")
    return library


def build_test(name, library, module=None):
    args = ["g++", "-std=gnu++17", "-O1", "-Icmodel/include", "-Icmodel", "-Itb", VERSION]
    models = []
    if module:
        folder = os.path.join(OUT, "rtl", module)
        config = subprocess.check_output(["scripts/config_args.py", "tiny", "rtl/%s.v" % module], text=True).split()
        run(["verilator", "--cc", "-O3", "-Wall", "--coverage-line", "--coverage-toggle", "--x-assign", "unique",
             "--x-initial", "unique", "+define+GMMU_SIM", "--prefix", "Vdut", "-CFLAGS", "-DVL_TIME_CONTEXT",
             *config, "--top-module", module, "--Mdir", folder, "-Irtl", "-Irtl/lib", "rtl/%s.v" % module],
            module + ".log")
        with open(folder + "/lib.mk", "w", encoding="utf-8") as file:
            file.write("libverilated.a: $(VK_GLOBAL_OBJS)\n\t$(AR) rcs $@ $^\n")
        run(["make", "-s", "-C", folder, "-f", "Vdut.mk", "-f", "lib.mk", "OPT_FAST=-O2", "OPT_SLOW=-O0",
             "Vdut__ALL.a", "libverilated.a"], module + ".log")
        include = subprocess.check_output(["verilator", "-getenv", "VERILATOR_ROOT"], text=True).strip() + "/include"
        args += ['-DGMMU_CONFIG_NAME="tiny"', "-DVM_COVERAGE=1", "-I" + include, "-I" + include + "/vltstd",
                 "-I" + folder, "-include", "tb/cover.h"]
        models = [folder + "/Vdut__ALL.a", folder + "/libverilated.a"]
    binary = os.path.join(OUT, name)
    run([*args, "tb/unit/%s.cpp" % name, *models, *library, "--coverage", "-lgtest", "-lgtest_main", "-lpthread",
         "-ljansson", "-lzstd", "-lm", "-o", binary], name + ".link.log")
    return binary


def rtl_table():
    points = {}  # (file, kind) -> {point: count}
    run(["verilator_coverage", "--write", OUT + "/merged.dat", *sorted(glob.glob(OUT + "/dat/*.dat"))], "merge.log")
    run(["verilator_coverage", "--annotate", OUT + "/annotated", "--annotate-all", OUT + "/merged.dat"],
        "annotate.log")
    with open(OUT + "/merged.dat", encoding="utf-8", errors="replace") as file:
        for row in file:
            match = re.match(r"C '(.*)' (\d+)$", row)
            if not match:
                continue
            key = dict(k.split("\x02", 1) for k in match.group(1).split("\x01") if "\x02" in k)
            page = key["page"].split("/")[0][2:]
            # all instances and parameter sets of a module together
            point = (key["l"], key.get("n"), key.get("o"))
            kind = points.setdefault((key["f"], page), {})
            kind[point] = kind.get(point, 0) + int(match.group(2))
    return {k: (sum(c > 0 for c in p.values()), len(p)) for k, p in points.items()}


def c_table():
    rows = {}
    text = subprocess.run(["gcov", "-b", "-c", "-s", ROOT, *[os.path.basename(f) for f in
                           glob.glob(OUT + "/c/*.gcda")]], cwd=OUT + "/c", capture_output=True, text=True,
                          check=False).stdout
    for name, body in re.findall(r"File '([^']+)'\n(.*?)(?=\nFile |\Z)", text, flags=re.S):
        if not name.startswith("cmodel/"):
            continue
        def part(label, body=body):
            found = re.search(label + r":([\d.]+)% of (\d+)", body)
            return (round(float(found.group(1)) * int(found.group(2)) / 100), int(found.group(2))) if found else (0, 0)
        rows[name] = (part("Lines executed"), part("Taken at least once"))
    return rows


def percent(pair):
    return "%6.1f %5d" % (100.0 * pair[0] / pair[1], pair[1]) if pair[1] else "%6s %5s" % ("-", "")


def main():
    os.chdir(ROOT)
    shutil.rmtree(OUT, ignore_errors=True)
    for folder in ("c", "dat", "rtl", "annotated"):
        os.makedirs(os.path.join(OUT, folder))
    library = build_c()
    environment = dict(os.environ, GMMU_ROOT=ROOT, GMMU_BIN=os.path.join(ROOT, OUT, "gmmu"),
                       GMMU_COVERAGE=OUT + "/dat")
    modules = [m for m in MODULES if os.path.exists("tb/unit/%s_test.cpp" % m)]
    tests = [os.path.basename(t)[:-4] for t in sorted(glob.glob("tb/unit/*_test.cpp"))]
    tests.sort(key=lambda t: t.startswith("gmmu_tier"))  # the longest one last
    tests = [t for t in tests if t in sys.argv[1:] or len(sys.argv) == 1]
    for test in tests:
        print("coverage of " + test, flush=True)
        module = test[:-len("_test")]
        binary = build_test(test, library, module if module in modules else None)
        run([binary, "--gtest_color=no"], test + ".log", fatal=False, env=environment)
    with open("tb/cli_test.sh", encoding="utf-8") as file:  # with the command built here
        script = file.read().replace("gmmu=build/gmmu-asan", "gmmu=%s/gmmu" % OUT)
    run(["bash", "-c", script, "tb/cli_test.sh"], "cli_test.log", fatal=False, env=environment)
    lines = ["%-36s %12s %12s %12s" % ("file", "lines % of", "branches % of", "toggles % of")]
    rtl, sums = rtl_table(), {}
    for name in sorted({f for f, _ in rtl}):
        row = [rtl.get((name, k), (0, 0)) for k in ("line", "branch", "toggle")]
        lines.append("%-36s %s %s %s" % (name, *map(percent, row)))
        sums["rtl"] = [tuple(map(sum, zip(a, b))) for a, b in zip(sums.get("rtl", [(0, 0)] * 3), row)]
    for name, row in sorted(c_table().items()):
        row = [*row, (0, 0)]
        lines.append("%-36s %s %s %s" % (name, *map(percent, row)))
        sums["cmodel"] = [tuple(map(sum, zip(a, b))) for a, b in zip(sums.get("cmodel", [(0, 0)] * 3), row)]
    for name, row in sums.items():
        lines.append("%-36s %s %s %s" % ("all of " + name, *map(percent, row)))
    with open(OUT + "/table.txt", "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    print("\n".join(lines))


if __name__ == "__main__":
    main()
