#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutate.py BLOCK [MUTANTS [SEED [again]]]: how many small changes of a block's RTL its bench notices.

Yosys lists so many mutants of the block at its `tiny` sizes (a bit of a word-level cell inverted,
constant, or mixed with another bit) and builds them all into one netlist that chooses at run time.
ram_sdp stays as it is, with its collision models. The block's own bench, unchanged, runs once for
each mutant (tb/mutants.cpp). What survives is compared with the original by Yosys' induction: a
proof makes it `equivalent`. With `again` only the survivors of the last run with these numbers meet the
bench, as it is now. Results: build/mutate/BLOCK/report.txt.
"""
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCKS = ["frame_table", "frame_mem", "ref_rit", "ppuc", "victim_select", "trace_sampler", "rit_export", "gmmu_tier"]
# tests that look at no RTL
NO_RTL = "-*Twin*:RefRit.Crc32c*"


def stop(text):
    sys.exit("mutate.py: " + text)


def run(args, log):
    with open(log, "w", encoding="utf-8") as out:
        if subprocess.run(args, stdout=out, stderr=subprocess.STDOUT, check=False).returncode:
            with open(log, encoding="utf-8") as text:
                sys.stderr.write("".join(text.readlines()[-20:]))
            stop("%s failed: %s" % (args[0], log))


def yosys(script, folder, name):
    path = os.path.join(folder, name + ".ys")
    with open(path, "w", encoding="utf-8") as file:
        file.write(script)
    run(["yosys", "-q", path], os.path.join(folder, name + ".log"))


def sources(block):
    lib = [f for f in sorted(glob.glob("rtl/lib/*.v")) if not f.endswith("ram_sdp.v")]
    return sorted(glob.glob("rtl/*.v")) + lib if block == "gmmu_tier" else ["rtl/%s.v" % block] + lib


def netlists(block, mutants, seed, folder):
    args = subprocess.check_output(["scripts/config_args.py", "tiny", "rtl/%s.v" % block], text=True)
    sizes = " ".join("-set %s %s" % tuple(a[2:].split("=")) for a in args.split())
    yosys("""read_verilog -D GMMU_CONFIG_TINY -Irtl %s
read_verilog -lib rtl/lib/ram_sdp.v
%s
hierarchy -top %s
rename -top %s
proc
flatten
opt -full
wreduce
opt_clean
write_rtlil %s/gold.il
mutate -list %d -seed %d -ctrl mutsel 16 1 -o %s/mutants.ys
""" % (" ".join(sources(block)), "chparam %s %s" % (sizes, block) if sizes else "", block, block, folder,
       mutants + mutants // 4 + 20, seed, folder), folder, "list")
    # not of clock pins: a gated clock is no mistake of this kind, and simulates slowly
    with open(folder + "/mutants.ys", encoding="utf-8") as file:
        lines = [s for s in file if s.startswith("mutate ") and "-port CLK" not in s][:mutants]
    lines = [re.sub(r"-ctrl mutsel 16 \d+ ", "-ctrl mutsel 16 %d " % n, s) for n, s in enumerate(lines, 1)]
    with open(folder + "/mutants.ys", "w", encoding="utf-8") as file:
        file.writelines(lines)
    # a vector with a bit that depends on another of its bits is a loop to Verilator: split
    yosys("read_rtlil %s/gold.il\nscript %s/mutants.ys\nsplitnets -driver\nopt_clean\nwrite_verilog -noattr %s/mutated.v\n"
          % (folder, folder, folder), folder, "apply")
    path = os.path.join(folder, "mutated.v")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # from a port to what the simulation asks for once
    text = re.sub(r"(?m)^(module %s\(.*?), mutsel\);" % block, r"\1);", text, flags=re.S)
    text = text.replace("  wire [15:0] mutsel;\n", "", 1)
    text, found = re.subn(r"(?m)^  input \[15:0\] mutsel;\n", """  import "DPI-C" function int gmmu_mutant();
  reg [31:0] mutnow;
  initial mutnow = gmmu_mutant();
  wire [15:0] mutsel = mutnow[15:0];
""", text)
    if found != 1:
        stop("no mutants in " + path)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def build(block, folder):
    model = os.path.join(folder, "model")
    run(["verilator", "--cc", "-O3", "-Wno-lint", "-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique",
         "+define+GMMU_SIM", "--prefix", "Vdut", "-CFLAGS", "-DVL_TIME_CONTEXT", "--top-module", block, "--Mdir",
         model, folder + "/mutated.v", "rtl/lib/ram_sdp.v"], folder + "/verilator.log")
    with open(model + "/lib.mk", "w", encoding="utf-8") as file:
        file.write("libverilated.a: $(VK_GLOBAL_OBJS)\n\t$(AR) rcs $@ $^\n")
    run(["make", "-s", "-C", model, "-f", "Vdut.mk", "-f", "lib.mk", "OPT_FAST=-O2", "OPT_SLOW=-O0",
         "Vdut__ALL.a", "libverilated.a"], folder + "/make.log")
    include = subprocess.check_output(["verilator", "-getenv", "VERILATOR_ROOT"], text=True).strip() + "/include"
    run(["g++", "-std=gnu++17", "-O1", "-Icmodel/include", "-Icmodel", "-Itb", '-DGMMU_CONFIG_NAME="tiny"',
         "-I" + include, "-I" + include + "/vltstd", "-I" + model, "tb/unit/%s_test.cpp" % block,
         "tb/mutants.cpp", model + "/Vdut__ALL.a", model + "/libverilated.a", "build/c/libgmmu.a", "-lgtest",
         "-lpthread", "-ljansson", "-lzstd", "-lm", "-o", folder + "/bench"], folder + "/link.log")


def proved(block, line, folder):
    """Yosys shows by induction that the mutant never differs, whatever the inputs."""
    change = re.sub(r"-ctrl \S+ \d+ \d+ ", "", line).replace("-module " + block, "-module gate")
    script = """read_rtlil {f}/gold.il
rename {b} gold
read_rtlil {f}/gold.il
rename {b} gate
{c}
simplemap
splitnets
opt_clean -purge
equiv_make gold gate both
hierarchy -top both
opt_merge -share_all
equiv_simple -undef
equiv_induct -undef
equiv_status -assert
""".format(f=folder, b=block, c=change)
    path = os.path.join(folder, "proof.ys")
    with open(path, "w", encoding="utf-8") as file:
        file.write(script)
    try:
        return subprocess.run(["yosys", "-q", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=90, check=False).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def place(line):
    """Source line, wire or cell, and the change, of a line of mutants.ys."""
    def of(option):
        return re.findall(r" -%s (\S+)" % option, line)
    src = sorted({re.sub(r"\.\d+-.*", "", s) for s in of("src")} or {"?"})
    what = "%s[%s]" % (of("wire")[0], of("wirebit")[0]) if of("wire") else \
        "%s.%s[%s]" % (of("cell")[0], of("port")[0], of("portbit")[0])
    return "%s %s (%s)" % (" ".join(src), what, of("mode")[0])


def main():
    os.chdir(ROOT)
    if not 2 <= len(sys.argv) <= 5 or sys.argv[1] not in BLOCKS:
        stop("expected BLOCK [MUTANTS [SEED]]; blocks: " + " ".join(BLOCKS))
    block = sys.argv[1]
    mutants = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if not 1 <= mutants <= 60000:
        stop("expected 1 to 60000 mutants")
    folder = os.path.join("build", "mutate", block)
    os.makedirs(folder, exist_ok=True)
    again = sys.argv[4:] == ["again"]
    outcome = {}
    if again:
        with open(folder + "/outcomes.txt", encoding="utf-8") as file:
            outcome = {int(n): how for n, how in (s.split() for s in file if len(s.split()) == 2)}
    else:
        netlists(block, mutants, seed, folder)
    with open(folder + "/mutants.ys", encoding="utf-8") as file:
        lines = [s.strip() for s in file if s.startswith("mutate ")]
    build(block, folder)
    tried = [n for n, how in outcome.items() if how == "survived"]
    for n in tried:  # a proof is quicker than the bench
        if proved(block, lines[n - 1], folder):
            outcome[n] = "equivalent"
    todo = [n for n in range(1, len(lines) + 1) if outcome.get(n, "survived") == "survived"]
    done = subprocess.run([folder + "/bench", "--gtest_filter=" + NO_RTL, folder + "/now.txt",
                           *map(str, todo or [0])], stdout=subprocess.DEVNULL, check=False)
    if done.returncode:
        stop("the bench failed: %s/bench /dev/null 1" % folder)
    with open(folder + "/now.txt", encoding="utf-8") as file:
        outcome.update({int(n): how for n, how in (s.split() for s in file) if n != "0"})
    with open(folder + "/outcomes.txt", "w", encoding="utf-8") as file:
        file.writelines("%d %s\n" % row for row in sorted(outcome.items()))
    count = dict.fromkeys(["killed", "died", "hung", "equivalent", "survived"], 0)
    listed = []
    for n, line in enumerate(lines, 1):
        how = outcome[n]
        if how == "survived":
            if n not in tried and proved(block, line, folder):
                how = "equivalent"
        if how in ("equivalent", "survived"):
            listed.append("%s %d: %s" % (how, n, place(line)))
        count[how] += 1
    real = len(lines) - count["equivalent"]
    killed = count["killed"] + count["died"] + count["hung"]
    summary = ("%s: %d mutants (seed %d): %d killed (%d of them by a crash, %d by no end), %d equivalent by proof, "
               "%d survive; killed %.1f %% of all, %.1f %% of those not proved equivalent"
               % (block, len(lines), seed, killed, count["died"], count["hung"], count["equivalent"], count["survived"],
                  100.0 * killed / len(lines), 100.0 * killed / max(1, real)))
    with open(folder + "/report.txt", "w", encoding="utf-8") as file:
        file.write("\n".join([summary] + sorted(listed)) + "\n")
    print("\n".join(sorted(listed) + [summary]))


if __name__ == "__main__":
    main()
