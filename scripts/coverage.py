#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""coverage.py [TEST...]: reports the lines, branches and bits that the tests reach.

C: gcov over the C tests, the tests of the command line, of libgmmu_blas.so and of the board, and the block benches. RTL: line and toggle
coverage by Verilator over the bench of each block and of gmmu_tier at the sizes `tiny`, all instances of a module together.

Without names all tests run, from nothing. With names, such as `ppuc_test`, `cli_test`, `c` (all tests without RTL) or
`rtl`, only these tests run again; the counts of other tests stay while their sources do not change. `report` runs nothing.
`benches` runs the block benches for the C model alone, with the RTL as `make test` builds it, in a tenth of the time. With
`collect` among the names the exit status is that of the tests alone, so a whole run can be made in parts that end with
`report`. A test that fails or exceeds its time keeps its counts.

The table of all files is printed as gcov and Verilator count (`raw`), and without asserts and waivers
(tb/coverage_waivers.txt). In build/coverage: table.txt; missing.txt, the parts that are not reached; annotated, the RTL
with counts. Exit status 1: a test failed, a waiver is stale, or a target is missed.
"""
import glob
import gzip
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time

import blocks
import notation
import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OUT = "build/coverage"
VERSION = ['-DGMMU_VERSION="%s"']
WAIVERS = "tb/coverage_waivers.txt"
SECONDS = 600  # a test may take
SCRIPT_SECONDS = 3600  # that starts many programs
# Lock-step to its first so many actions: Verilator's toggle counters make it ten times slower.
ACTIONS = {"gmmu_tier": "30000"}
BLOCK_ACTIONS = "300000"
# tests that are no GoogleTest: the command; a variable names what it tests
SCRIPTS = {"cli_test": ["scripts/pytest.sh", "-q", "tb/cli"], "blas_drop_in": ["tb/blas_test.sh"], "blas_track": ["tb/blas_track_test.sh"],
           "board": ["tb/board_test.sh"]}
BOARD = "build/board-sim"  # the other end of that test, not counted
PRELOAD = "cmodel/blas/preload/"
TARGET = {"cmodel": (100, 100, 0), "rtl": (99, 0, 95)}  # lines, branches, toggles


def run(args, log, fatal=True, seconds=None, **more):
    """Runs to the end, or stops it; True if all is well."""
    log = os.path.join(OUT, "log", log)
    with open(log, "w", encoding="utf-8") as out:
        with subprocess.Popen(args, stdout=out, stderr=subprocess.STDOUT, **more) as process:
            try:
                code = process.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                print("coverage.py: %s stopped after %d seconds" % (args[0], seconds), file=sys.stderr)
                process.terminate()  # it writes its counts (tb/cover.cpp)
                try:
                    code = process.wait(timeout=60)
                except subprocess.TimeoutExpired:
                    process.kill()
                    code = process.wait()
    if code:
        print("coverage.py: %s failed: %s" % (args[0], log), file=sys.stderr)
        if fatal:
            sys.exit(1)
    return code == 0


def older(target, sources):
    return not os.path.exists(target) or any(os.path.getmtime(s) > os.path.getmtime(target) for s in sources)


def made_of(target):
    """The texts of which TARGET was compiled."""
    if not os.path.exists(target + ".of"):
        return ""
    with open(target + ".of", encoding="utf-8") as file:
        return file.read()


TEXTS = {}  # of the C files as they were compiled


def build_c():
    headers = glob.glob("cmodel/*/*.h") + glob.glob("cmodel/*/*/*.h")
    TEXTS.update({p: text_hash(p) for p in [*headers, *glob.glob("cmodel/*/*.c"), *glob.glob("cmodel/*/*/*.c")]})
    # by content: a copied folder's times say nothing
    common = hashlib.md5("".join(text_hash(path) for path in [*sorted(headers), "scripts/notation.py"]).encode()).hexdigest()
    objects, preloaded = [], []
    for src in sorted(glob.glob("cmodel/*/*.c") + glob.glob("cmodel/*/*/*.c")):
        obj = os.path.join(OUT, "c", src.replace("/", "@")[:-2] + ".o")
        if made_of(obj) != (of := " ".join([TEXTS[src], common])):
            # atomic: several threads count
            hidden = ["-fvisibility=hidden"] if src.startswith(PRELOAD) else []
            run(["gcc", "-std=gnu17", "-O0", "-g", "-fPIC", "--coverage", "-fprofile-update=atomic", "-Icmodel/include",
                 "-Icmodel", *hidden, *VERSION, *notation.FLAGS, "-c", written_out(src), "-o", obj], "cc.log")
            with open(obj + ".of", "w", encoding="utf-8") as file:
                file.write(of)
        (preloaded if src.startswith(PRELOAD) else objects).append(obj)
    run(["g++", "-std=gnu++20", "-O1", "-c", "tb/cover.cpp", "-o", OUT + "/cover.o"], "cc.log")
    run(["gcc", "-std=gnu17", "-O1", "-fPIC", "-c", "tb/cover_end.c", "-o", OUT + "/cover_end.o"], "cc.log")
    ends = [OUT + "/cover_end.o", *["-Wl,--wrap=" + name for name in ("raise", "kill", "_exit")]]
    run(["gcc", "--coverage", *printed("print-PLUGIN_HOST"), *objects, OUT + "/cover.o", *ends, "-ljansson", "-lzstd", "-llzma", "-lz",
         "-lm", "-o", OUT + "/gmmu"], "link.log")
    # as the Makefile links it: of the library what it uses
    archive = OUT + "/libgmmu.a"
    if os.path.exists(archive):
        os.remove(archive)
    run(["ar", "rcs", archive, *[o for o in objects if "/cmodel@cli@" not in o]], "link.log")
    run(["gcc", "-shared", "--coverage", "-Wl,--exclude-libs,ALL", "-Wl,-z,defs", *preloaded, archive, *ends, "-o",
         OUT + "/libgmmu_blas.so", "-lm", "-lpthread", "-ldl"], "link.log")
    return objects


def written_out(src):
    """SRC, or where it is with the notation of kernels written out (scripts/notation.py)."""
    with open(src, encoding="utf-8") as file, open(notation.HEADER, encoding="utf-8") as header:
        text = file.read()
        if '#include "simt/warp.h"' not in text:
            return src
        text = notation.spread(src, text, header.read())
    path = os.path.join(OUT, "c", src.replace("/", "@"))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return path


def printed(*goal):
    """The words that the Makefile's GOAL prints."""
    return subprocess.check_output(["make", "--no-print-directory", "-s", *goal], text=True).split()


def test_sources(name):
    """Of a test: a file, or the sources in a folder."""
    return [f for f in ["tb/unit/%s.cpp" % name, *sorted(glob.glob("tb/unit/%s/*.cpp" % name.removesuffix("_test")))]
            if os.path.exists(f)]


def build_test(name, objects, module=None, plain=False):
    """PLAIN: with RTL that does not count."""
    args = ["g++", "-std=gnu++20", "-O1", "-Icmodel/include", "-Icmodel", "-Itb", "-Itb/unit", *VERSION]
    models, opened = [], "tb/unit/%s/open.vlt" % module if module and not plain else ""
    if module:
        folder = "build/rtl/tiny/" + module if plain else os.path.join(OUT, "rtl", module)
        if plain:
            run(["make", "-s", folder + "/done", "build/rtl/libverilated.a"], module + ".log")
        elif older(folder + "/libverilated.a", blocks.files() + blocks.headers()):
            config = subprocess.check_output(["scripts/config_args.py", "tiny", blocks.path_of(module)], text=True).split()
            config += printed("print-top-flags", "TOP=" + module)
            run(["verilator", "--cc", "-O3", "-fno-const-bit-op-tree", "-Wall", "--coverage-line", "--coverage-toggle", "--x-assign", "unique",
                 "--x-initial", "unique", "+define+GMMU_SIM", "+define+GMMU_TVI", "+define+GMMU_CLK_GATE",
                 "--prefix", "Vdut", "-CFLAGS", "-DVL_TIME_CONTEXT",
                 *config, "--top-module", blocks.module_of(module), "--Mdir", folder, *blocks.includes(), *[opened] * os.path.exists(opened),
                 blocks.path_of(module)], module + ".log")
            with open(folder + "/lib.mk", "w", encoding="utf-8") as file:
                file.write("libverilated.a: $(VK_GLOBAL_OBJS)\n\t$(AR) rcs $@ $^\n")
            run(["make", "-s", "-C", folder, "-f", "Vdut.mk", "-f", "lib.mk", "OPT_FAST=-O1", "OPT_SLOW=-O0",
                 "Vdut__ALL.a", "libverilated.a"], module + ".log")
        include = tools.verilator_headers()
        args += ['-DGMMU_CONFIG_NAME="tiny"', "-I" + include, "-I" + include + "/vltstd", "-I" + folder]
        args += [] if plain else ["-DVM_COVERAGE=1", "-include", "tb/cover.h"]
        args += ["-DGMMU_OPEN"] * os.path.exists(opened)
        models = [folder + "/Vdut__ALL.a", ("build/rtl" if plain else folder) + "/libverilated.a"]
    # what the Makefile links a test with beside the library
    beside = printed("print-test-link", "TEST=" + name)
    args += [word for word in beside if word.startswith("-I")]
    cli = OUT + "/c/cmodel@cli@"
    parts = [o for o in objects if not o.startswith(cli)]
    if name == "fail_test":  # it runs the command, too
        run(["objcopy", "--redefine-sym", "main=gmmu_main", cli + "main.o", OUT + "/gmmu_main.o"], "link.log")
        parts = [o for o in objects if o != cli + "main.o"] + [OUT + "/gmmu_main.o"]
    binary = os.path.join(OUT, name + ("-plain" if plain else ""))
    sources = test_sources(name)
    if older(binary, [*sources, *objects, *models, *glob.glob("tb/**/*.h", recursive=True)]):
        tests = []
        for src in (word for word in beside if word.endswith(".c")):  # of neither the library nor the test: no counts
            tests.append(binary + "." + os.path.basename(src) + ".o")
            run(["gcc", "-std=gnu17", "-O1", *[a for a in args if a.startswith("-I")], "-c", src, "-o", tests[-1]], name + ".cc.log")
        for src in sources:
            obj = binary + "." + os.path.basename(src) + ".o"
            flags, text = [], written_out(src)
            if text != src:  # the notation's own test: it counts, too
                obj = os.path.join(OUT, "c", os.path.basename(obj))
                flags = ["-O0", "-g", "--coverage", "-fno-exceptions", "-I" + os.path.dirname(src), *notation.FLAGS]
            run([*args, *flags, "-c", text, "-o", obj], name + ".cc.log")
            tests.append(obj)
        run(["g++", *tests, *models, *parts, OUT + "/cover.o", "--coverage", *[word for word in beside if not word.endswith(".c")], "-lgtest",
             "-lgtest_main", "-lpthread", "-ljansson", "-lzstd", "-llzma", "-lz", "-lm", "-o", binary], name + ".link.log")
    return binary


def keep_counts(test):
    """The counts of one run: {file: {text: hash, lines: {line: count}, branches: {line: [counts]}}}."""
    folder = os.path.join(OUT, "counts", test)
    for notes in glob.glob(OUT + "/c/*.gcno"):
        os.symlink(os.path.abspath(notes), os.path.join(folder, os.path.basename(notes)))
    data = [os.path.basename(f) for f in glob.glob(folder + "/*.gcda")]
    files = {}
    if data:
        subprocess.run(["gcov", "-j", "-b", "-s", ROOT, *data], cwd=folder, stdout=subprocess.DEVNULL, check=True)
    for name in glob.glob(folder + "/*.gcov.json.gz"):
        with gzip.open(name, "rt") as file:
            report = json.load(file)
        for part in report["files"]:
            path = part["file"]
            for row in part["lines"]:
                home, n, function = path, row["line_number"], row.get("function_name", "")
                counts = [b["count"] for b in row["branches"]]
                if n > notation.FIRST:  # wherever a macro of the notation stands, its branches are the same two
                    home, n, function = notation.HEADER, n - notation.FIRST, ""
                    sides = {b["fallthrough"] for b in row["branches"]}
                    counts = [sum(b["count"] for b in row["branches"] if b["fallthrough"] == s) for s in sorted(sides)]
                if home in TEXTS:
                    kept = files.setdefault(home, {"text": TEXTS[home], "lines": {}, "branches": {}})
                    kept["lines"][n] = kept["lines"].get(n, 0) + row["count"]
                    # one function in several programs or lines in several functions: the branches side by side
                    add_branches(kept["branches"], n, function, counts)
    for path in glob.glob(folder + "/*.gc*"):
        os.remove(path)
    for kept in files.values():
        kept["branches"] = [[*key, counts] for key, counts in kept["branches"].items()]
    with open(OUT + "/counts/%s.json" % test, "w", encoding="utf-8") as file:
        json.dump(files, file)


def add_branches(branches, line, function, counts):
    if not counts:
        return
    old = branches.get((line, function), [0] * len(counts))
    branches[(line, function)] = [a + b for a, b in zip(old, counts)]


def text_hash(path):
    with open(path, "rb") as file:
        return hashlib.md5(file.read()).hexdigest()


def c_points():
    """{file: ({line: count}, {(line, function): [counts]})} of all tests together."""
    total, stale = {}, {}
    for name in sorted(glob.glob(OUT + "/counts/*.json")):
        with open(name, encoding="utf-8") as file:
            files = json.load(file)
        for path, kept in files.items():
            if not os.path.exists(path) or kept["text"] != text_hash(path):
                stale.setdefault(os.path.basename(name)[:-5], []).append(path)
                continue
            lines, branches = total.setdefault(path, ({}, {}))
            for n, count in kept["lines"].items():
                lines[int(n)] = lines.get(int(n), 0) + count
            for n, function, counts in kept["branches"]:
                add_branches(branches, n, function, counts)
    for test, paths in stale.items():
        print("coverage.py: %d files have changed since %s ran, which counts for them no more" % (len(paths), test),
              file=sys.stderr)
    return total


def rtl_points():
    """{file: {kind: {(line, what): count}}}; all instances and parameter sets of a module together."""
    points = {}
    data = sorted(glob.glob(OUT + "/dat/*/*.dat"))
    if not data:
        return points
    run(["verilator_coverage", "--write", OUT + "/merged.dat", *data], "merge.log")
    run(["verilator_coverage", "--annotate", OUT + "/annotated", "--annotate-all", OUT + "/merged.dat"],
        "annotate.log")
    with open(OUT + "/merged.dat", encoding="utf-8", errors="replace") as file:
        for row in file:
            match = re.match(r"C '(.*)' (\d+)$", row)
            if not match:
                continue
            key = dict(k.split("\x02", 1) for k in match.group(1).split("\x01") if "\x02" in k)
            page = key["page"].split("/")[0][2:]
            point = (int(key["l"]), key.get("n"), key.get("o"))
            kind = points.setdefault(key["f"], {}).setdefault(page, {})
            kind[point] = kind.get(point, 0) + int(match.group(2))
    return points


def assert_lines(text):
    """Numbers of the lines of asserts: their branches are those of the message, which no test may reach."""
    found, depth = set(), 0
    for n, line in enumerate(text, 1):
        if depth == 0 and not re.search(r"\bassert\(", line):
            continue
        part = line if depth else line[re.search(r"\bassert\(", line).start():]
        depth += part.count("(") - part.count(")")
        found.add(n)
    return found


class Waivers:
    """`file | source text | reason`: a line with this text, or all such lines, need not be reached; behind
    the text, (+2): nor the two lines that follow."""

    def __init__(self):
        self.rows, self.complaints, self.used = [], [], set()
        if os.path.exists(WAIVERS):
            with open(WAIVERS, encoding="utf-8") as file:
                for n, row in enumerate(file, 1):
                    if row.strip() and not row.startswith("#"):
                        parts = [p.strip() for p in row.split(" | ")]
                        if len(parts) != 3 or not all(parts):
                            self.complaints.append("%s:%d: found %d fields, expected file | text | reason" %
                                                   (WAIVERS, n, len(parts)))
                        else:
                            self.rows.append((n, *parts))

    def lines(self, path, text, missed):
        """Lines of PATH that are waived. MISSED: lines with something that is not reached."""
        waived = set()
        for n, file, wanted, _ in self.rows:
            if file != path:
                continue
            self.used.add(n)
            more = re.search(r" \(\+(\d+)\)$", wanted)
            wanted = wanted[:more.start()] if more else wanted
            found = [i for i, line in enumerate(text, 1) if line.strip() == wanted]
            lines = {i + k for i in found for k in range(int(more.group(1)) + 1 if more else 1)}
            if not lines:
                self.complaints.append("%s:%d: no line of %s is \"%s\"" % (WAIVERS, n, path, wanted))
            elif not lines & missed:
                self.complaints.append("%s:%d: \"%s\" of %s is reached now" % (WAIVERS, n, wanted, path))
            waived |= lines
        return waived


def percent(pair):
    # 100.0 is for all of it
    return "%6.1f %5d" % (min(100.0 * pair[0] / pair[1], 100.0 if pair[0] == pair[1] else 99.9), pair[1]) \
        if pair[1] else "%6s %5s" % ("-", "")


def report(whole):
    waivers = Waivers()
    rows, missing = [], []  # (file, raw, waived) with (lines, branches, toggles) each
    for path, kinds in sorted(rtl_points().items()):
        with open(path, encoding="utf-8") as file:
            text = file.read().split("\n")
        zero = {(k, p) for k, points in kinds.items() for p, count in points.items() if count == 0}
        waived = waivers.lines(path, text, {p[0] for _, p in zero})
        raw, cut = [], []
        for kind in ("line", "branch", "toggle"):
            points = kinds.get(kind, {})
            raw.append((sum(c > 0 for c in points.values()), len(points)))
            left = [c for p, c in points.items() if c > 0 or p[0] not in waived]
            cut.append((sum(c > 0 for c in left), len(left)))
        missing += ["%s:%d: %s %s: %s" % (path, p[0], k, p[2] or "", text[p[0] - 1].strip())
                    for k, p in sorted(zero, key=lambda z: (z[1][0], z[0], str(z[1]))) if p[0] not in waived]
        rows.append((path, raw, cut))
    for path, (lines, branches) in sorted(c_points().items()):
        with open(path, encoding="utf-8") as file:
            text = file.read().split("\n")
        asserts = assert_lines(text)
        zero = {n for n, c in lines.items() if c == 0} | \
            {n for (n, _), counts in branches.items() if 0 in counts and n not in asserts}
        waived = waivers.lines(path, text, zero)
        every = [c for counts in branches.values() for c in counts]
        raw = [(sum(c > 0 for c in lines.values()), len(lines)), (sum(c > 0 for c in every), len(every)), (0, 0)]
        left = [c for n, c in lines.items() if c > 0 or n not in waived]
        some = [c for (n, _), counts in branches.items() for c in counts
                if c > 0 or (n not in waived and n not in asserts)]
        cut = [(sum(c > 0 for c in left), len(left)), (sum(c > 0 for c in some), len(some)), (0, 0)]
        for n in sorted(zero - waived):
            if lines.get(n) == 0:
                what = "line"
            else:
                counts = [c for (m, _), cs in sorted(branches.items()) if m == n for c in cs]
                what = "branch %s of %d" % (",".join(str(i) for i, c in enumerate(counts) if c == 0), len(counts))
            missing.append("%s:%d: %s: %s" % (path, n, what, text[n - 1].strip()))
        rows.append((path, raw, cut))
    if whole:
        waivers.complaints += ["%s:%d: no test counts %s" % (WAIVERS, n, file) for n, file, *_ in waivers.rows
                               if n not in waivers.used]
    lines = ["%-36s %12s %12s %12s   %12s %12s %12s" % ("", "raw", "", "", "with waivers", "", ""),
             "%-36s %12s %12s %12s   %12s %12s %12s" % ("file", *["lines % of", "branches % of", "toggles % of"] * 2)]
    good = not waivers.complaints
    for path, raw, cut in rows:
        lines.append("%-36s %s %s %s   %s %s %s" % (path, *map(percent, raw), *map(percent, cut)))
    for part, targets in TARGET.items():
        sums = [[tuple(map(sum, zip(*(r[which][i] for r in rows if r[0].startswith(part + "/"))))) or (0, 0)
                 for i in range(3)] for which in (1, 2)]
        lines.append("%-36s %s %s %s   %s %s %s" % ("all of " + part, *map(percent, sums[0]), *map(percent, sums[1])))
        good = good and all(100 * s[0] >= t * s[1] for s, t in zip(sums[1], targets))
    lines += waivers.complaints
    for name, body in (("table", lines), ("missing", missing)):
        with open(OUT + "/%s.txt" % name, "w", encoding="utf-8") as file:
            file.write("".join(line + "\n" for line in body))
    print("\n".join(lines))
    print("%d lines and branches are not reached: %s/missing.txt" % (len(missing), OUT))
    return good


def main():
    os.chdir(ROOT)
    tools.expect("coverage", "gcc", "g++", "gcov", "verilator")
    wanted = sys.argv[1:]
    if not wanted:
        shutil.rmtree(OUT, ignore_errors=True)
    for folder in ("c", "counts", "dat", "rtl", "annotated", "log"):
        os.makedirs(os.path.join(OUT, folder), exist_ok=True)
    modules = {m + "_test": m for m in [*blocks.NAMES, *printed("print-tops")] if os.path.exists("tb/unit/%s_test.cpp" % m)}
    tests = sorted({os.path.basename(t)[:-4] for t in glob.glob("tb/unit/*_test.cpp")} |
                   {os.path.basename(os.path.dirname(t)) + "_test" for t in glob.glob("tb/unit/*/*.cpp")}) + list(SCRIPTS)
    tests.sort(key=lambda t: (t in modules, t.startswith("gmmu_tier")))  # the longest one last
    unknown = set(wanted) - set(tests) - {"c", "rtl", "benches", "report", "collect"}
    if unknown:
        sys.exit("coverage.py: found %s, expected c, rtl, benches, report or some of %s" %
                 (", ".join(sorted(unknown)), " ".join(tests)))
    plain, collect = "benches" in wanted, "collect" in wanted
    tests = [t for t in tests if not wanted or t in wanted or ("rtl" if t in modules else "c") in wanted
             or plain and t in modules]
    with open("VERSION", encoding="utf-8") as file:
        VERSION[0] %= file.read().strip()
    objects = build_c() if tests else []
    good = True
    for test in tests:
        start = time.time()
        print("coverage of " + test, end="", flush=True)
        counts, dat = os.path.join(OUT, "counts", test), os.path.join(OUT, "dat", test)
        for folder in [counts] + [dat] * (not plain):
            shutil.rmtree(folder, ignore_errors=True)
            os.makedirs(folder)
        actions = ACTIONS if not plain else {}
        extra = {"GMMU_ACTIONS": actions.get(modules[test], BLOCK_ACTIONS)} if test in modules else {}
        environment = dict(os.environ, GMMU_ROOT=ROOT, GMMU_BIN=os.path.join(ROOT, OUT, "gmmu"), GMMU_COVERAGE=dat,
                           GMMU_BLAS=os.path.join(ROOT, OUT, "libgmmu_blas.so"),
                           GCOV_PREFIX=os.path.abspath(counts),
                           GCOV_PREFIX_STRIP=str(len(os.path.abspath(OUT + "/c").split("/")) - 1), **extra)
        if test in SCRIPTS:
            if test == "board":
                run(["make", "-s", BOARD], "board-sim.log")
            args = SCRIPTS[test]
        else:
            args = [build_test(test, objects, modules.get(test), plain), "--gtest_color=no"]
        built = time.time()
        good &= run(args, test + ".log", fatal=False, seconds=SCRIPT_SECONDS if test in SCRIPTS else SECONDS, env=environment)
        print(": built in %.0f s, ran for %.0f s" % (built - start, time.time() - built), flush=True)
        keep_counts(test)
    sys.exit(0 if (report(not wanted) or collect) and good else 1)


if __name__ == "__main__":
    main()
