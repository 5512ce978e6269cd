#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mutate.py BLOCK [MUTANTS [SEED [MODULE] [again]]]: counts the small changes of a block's RTL that the block's bench notices.

Yosys lists MUTANTS mutants of the block at its `tiny` sizes, and builds all of them into one netlist that chooses a mutant
at run time. A mutant is a bit of a word-level cell that is inverted, constant or mixed with another bit; in arrays that
are no RAM also the reading and writing cells are mutated. gmmu_ram_sdp and gmmu_ram_tdp stay as they are, with their
collision models. The block's own bench runs unchanged, once for each mutant (tb/mutants.cpp). Each surviving mutant is
compared with the original, under the block's protocol by abc (scripts/miter.py), or without a protocol by Yosys'
induction; a proof makes the mutant `equivalent`. docs/reference/signoff/mutants.csv lists surviving and proved mutants,
docs/reference/signoff/mutants.md has the block's numbers.

`again`: only the survivors of the last run with these numbers, and the mutants that this run did not reach, meet the
present bench. MODULE, a module in the block: only mutants of that file itself: its cells, and its wires and ports where
they are used or driven, also by the modules inside. GMMU_PROOFS=0: no comparisons. Results: build/mutate/BLOCK/report.txt,
for a module build/mutate/BLOCK.MODULE/report.txt.
"""
import csv
import glob
import json
import os
import re
import resource
import subprocess
import sys

import blocks
import miter
import page
import tools

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RAMS = [blocks.path_of("ram_sdp"), blocks.path_of("ram_tdp")]
LISTED, PAGE = "docs/reference/signoff/mutants.csv", "docs/reference/signoff/mutants.md"
LISTED_FIELDS = ["block", "number", "source", "what", "verdict", "reason"]
COUNTED = ["block", "release", "mutants", "killed", "proved equal", "survive", "of those"]
PROOF_S = 30  # of one attempt at a proof
PROVED = "equal by proof"  # the reason of one that was proved so
CARRIED = "? before: "  # a reason that was written of a mutant at the same place of another line
# tests that look at no RTL
NO_RTL = "-*Twin*:RefRit.Crc32c*"
# the whole unit's bench takes minutes: those of its tests that are short
TESTS = {"gmmu_tier": "*ManyShortRuns*:*GmmuTierScenes*", "gmmu_tier: range_port": "GmmuTier.RecordedCalls:*ManyShortRuns*"}
# and the others for those that survive them, as long as in `make test`: random runs with registers of each kind
LONGER = {"gmmu_tier": "*Epochs*:*Owed*:*Turned*:*Tiers*:*RandomLockstep*:*.Time:*OldPagesLeave*:*TimeWraps*:*SlotsGrowOld*:*RecordedCalls*:*.Many*"}


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
    lib = [f for f in sorted(glob.glob(blocks.LIBRARY + "*.v")) if f not in RAMS]
    return [f for f in blocks.modules(block).values() if not f.startswith(blocks.LIBRARY)] + lib


def live_bits(module):
    """Bits of the netlist that an output or a RAM depends on, whatever the values."""
    driver = {}  # bit -> bits that it depends on
    live = [b for p in module["ports"].values() if p["direction"] == "output" for b in p["bits"]]
    for cell in module["cells"].values():
        kind, pins = cell["type"], cell["connections"]
        if kind in ("gmmu_ram_sdp", "gmmu_ram_tdp") or kind.startswith("$mem"):
            live += [b for port, bits in pins.items() if port not in ("rdata", "a_q", "b_q") for b in bits]
            continue
        data = {p: b for p, b in pins.items() if p not in ("Y", "Q")}
        for out in ("Y", "Q"):
            for n, bit in enumerate(pins.get(out, [])):
                needs = []
                for port, bits in data.items():
                    if kind in ("$mux", "$pmux", "$and", "$or", "$xor", "$not") and port in "AB":
                        needs += bits[n % len(pins[out])::len(pins[out])] if kind == "$pmux" else bits[n:n + 1]
                    elif port == "D":
                        needs.append(bits[n])
                    elif kind in ("$add", "$sub"):
                        needs += bits[:n + 1]
                    else:
                        needs += bits
                driver[bit] = needs
    seen = set(live)
    while live:
        for bit in driver.get(live.pop(), []):
            if bit not in seen:
                seen.add(bit)
                live.append(bit)
    return seen


def changes(line, module, live):
    """Is the mutated bit of any use? Synthesis removes what is of none."""
    port, bit = re.findall(r"-port \\?(\S+)", line)[0], int(re.findall(r"-portbit (\d+)", line)[0])
    cell = module["cells"][re.findall(r"-cell \\?(\S+)", line)[0]]
    bits = cell["connections"][port]
    if bits[bit] == {"const0": "0", "const1": "1"}.get(re.findall(r"-mode (\S+)", line)[0]):
        return False  # it is that already
    if port in ("Y", "Q", "rdata"):
        return bits[bit] in live
    if cell["type"].startswith("$memrd") and port == "EN":
        return False  # always read; write_verilog knows no other
    kind, width = cell["type"], len(cell["connections"].get("Y", cell["connections"].get("Q", [])))
    if (kind in ("$mux", "$pmux", "$and", "$or", "$xor", "$not") and port in "AB") or port == "D":
        out = cell["connections"]["Q" if port == "D" else "Y"]
        return out[bit % width if kind == "$pmux" else bit] in live
    if kind in ("$add", "$sub"):
        return any(b in live for b in cell["connections"]["Y"][bit:])
    return True


def of_module(name, design):
    """Is a mutant of what stands in the file of NAME itself?"""
    held = blocks.modules(name)
    file = held.pop(blocks.module_of(name))

    def stands_in(thing):  # its places are its own and those of the instances that hold it
        files = {s.split(":")[0] for s in thing["attributes"].get("src", "").split("|")}
        return file in files and not files & set(held.values())
    nets = {wire: n["bits"] for wire, n in design["netnames"].items() if stands_in(n)}
    clocks = {b for wire, bits in nets.items() if wire.split(".")[-1] in ("clk", "rst", "gated") for b in bits}
    wires = {b for bits in nets.values() for b in bits if not isinstance(b, str)} - clocks

    def is_of(line):
        cell = design["cells"][re.findall(r"-cell \\?(\S+)", line)[0]]
        port, bit = re.findall(r"-port \\?(\S+)", line)[0], int(re.findall(r"-portbit (\d+)", line)[0])
        return cell["connections"][port][bit] in wires or stands_in(cell)
    return is_of


def own(block):
    """Is a mutant not in a block inside, which has its own bench?"""
    others = [f for b in blocks.inside(block) for f in blocks.parts(b)]
    mine = blocks.parts(block)
    return lambda line: not others or any(" -src " + f in line for f in mine) and not any(" -src " + f in line for f in others)


def counts_from(name="COUNTS_FROM"):
    """What the counters of events start from, so that their upper bits are seen, too: no run is long enough for these. WENT_FROM: what the
    unit's count of walks does."""
    with open("tb/lockstep/counters.h", encoding="utf-8") as file:
        return int(re.search(name + r" = (0x\w+)", file.read()).group(1), 16)


def is_advanced(block):
    """Does the block's bench expect its counters to start there (GMMU_COUNTS_FROM)?"""
    benches = ["tb/unit/%s_test.cpp" % block] + glob.glob("tb/unit/%s/*.h" % block)
    texts = []
    for path in benches:
        with open(path, encoding="utf-8") as file:
            texts.append(file.read())
    return block == blocks.UNIT or "GMMU_COUNTS_FROM" in "".join(texts)


def advance_counters(block, path):
    """The counters of events, of the unit its own, start where the bench expects it (counts_from)."""
    start = counts_from()
    with open(path, encoding="utf-8") as file:
        text = file.read()
    of, place = r"\\(\S+\.)?", r"\S+"
    if block == blocks.UNIT:  # the counters of the blocks inside are their benches'
        of = r".*\b(?:%s)(?:\.g_\w+)*\." % "|".join(blocks.name_of(os.path.basename(f)[:-2]) for f in blocks.parts(block))
        place = of + r"\w+"
    counter = re.compile(r"connect \\Q %sstat_" % of)
    half = re.compile(r'src "[^"]*/gmmu_event_count\.v:.*?connect \\Q %s\.(low|high)\n' % place, re.S)
    went = re.compile(r"connect \\Q \\walk_pipe\.went\n")
    cells = re.split(r"(?m)^(?=  attribute |  cell |  end$)", text)
    found = 0
    for n, cell in enumerate(cells):
        if not cell.startswith("  cell $sdff ") and not went.search(cell):
            continue
        of_half = half.search(cells[n - 1] + cell)
        if of_half:
            width, value = 16, start >> 16 if of_half.group(1) == "high" else start & 0xffff
        elif counter.search(cell):
            width, value = 32, start
        elif went.search(cell):
            width, value = 32, counts_from("WENT_FROM")
        else:
            continue
        cells[n] = re.sub(r"SRST_VALUE (\d+')?0+\n", "SRST_VALUE %d'%s\n" % (width, format(value, "0%db" % width)), cell)
        found += 1
    if not found:
        stop("no counters in " + path)
    with open(path, "w", encoding="utf-8") as file:
        file.write("".join(cells))


def netlists(block, module, mutants, seed, folder):
    args = subprocess.check_output(["scripts/config_args.py", "tiny", blocks.path_of(block)], text=True)
    sizes = " ".join("-set %s %s" % tuple(a[2:].split("=")) for a in args.split())
    yosys("""read_verilog -D GMMU_CONFIG_TINY -D GMMU_TVI -Irtl %s
read_verilog -lib %s
%s
hierarchy -top %s
rename -top %s
proc
flatten
opt -full
wreduce
opt_clean
techmap t:$shiftx
opt_clean
write_rtlil %s/gold.il
write_json %s/gold.json
mutate -list %d -seed %d -ctrl mutsel 16 1 -o %s/mutants.ys
""" % (" ".join(sources(block)), " ".join(RAMS), "chparam %s %s" % (sizes, blocks.module_of(block)) if sizes else "", blocks.module_of(block), block,
       folder, folder,
       30000 if module else (mutants + mutants // 2 + 20) * (12 if blocks.inside(block) else 1), seed, folder), folder, "list")
    if is_advanced(block):
        advance_counters(block, folder + "/gold.il")
    # not of clock pins: a gated clock is no mistake of this kind, and simulates slowly
    with open(folder + "/gold.json", encoding="utf-8") as file:
        design = json.load(file)["modules"][block]
    mine = of_module(module, design) if module else own(block)
    with open(folder + "/mutants.ys", encoding="utf-8") as file:
        lines = [s for s in file if s.startswith("mutate ") and "-port CLK" not in s and mine(s)]
    live = live_bits(design)
    # nor of logic that synthesis removes
    lines = [s for s in lines if changes(s, design, live)][:mutants]
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
    text = re.sub(r"(?m)^(module %s\(.*?), mutsel\s*\);" % block, r"\1);", text, flags=re.S)
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


def opened(block, folder):
    """The mutated netlist, with what the bench writes of it open to it (tb/unit/BLOCK/open.vlt): registers by a comment, as they have
    other names here, RAMs by a file of their own."""
    mutated, config = folder + "/mutated.v", "tb/unit/%s/open.vlt" % block
    if not os.path.exists(config):
        return [mutated]
    with open(config, encoding="utf-8") as file:
        lines = file.readlines()
    with open(mutated, encoding="utf-8") as file:
        text = file.read()
    rtl = ""
    for path in sources(block):
        with open(path, encoding="utf-8") as file:
            rtl += file.read()
    for module, name in re.findall(r'-module "(?!gmmu_ram_)(\w+)" -var "(\w+)"', "".join(lines)):
        instances = re.findall(r"\b%s\s*(?:#\((?:[^()]|\([^()]*\))*\)\s*)?(\w+)\s*\(" % module, rtl)
        text = re.sub(r"(?m)^(  reg(?: \[[^\]]*\])? \\(?:\S*\.)?(?:%s)(?:\.g_\w+)*\.%s) ;" % ("|".join(instances), name),
                      r"\1 /*verilator public_flat_rw*/;", text)
    with open(folder + "/opened.v", "w", encoding="utf-8") as file:
        file.write(text)
    with open(folder + "/open.vlt", "w", encoding="utf-8") as file:
        file.writelines(s for s in lines if not s.startswith("public") or '"gmmu_ram_' in s)
    return [folder + "/open.vlt", folder + "/opened.v"]


def build(block, folder):
    model = os.path.join(folder, "model")
    # Verilator 5.006 loses an inversion among the XORs of a parity that a mutant stands in (its issues 4059, 5186)
    run(["verilator", "--cc", "-O3", "-fno-const-bit-op-tree", "-Wno-lint", "-Wno-fatal", "--x-assign", "unique", "--x-initial", "unique",
         "+define+GMMU_SIM", "--prefix", "Vdut", "-CFLAGS", "-DVL_TIME_CONTEXT", "--top-module", block, "--Mdir",
         model, *opened(block, folder), *RAMS], folder + "/verilator.log")
    with open(model + "/lib.mk", "w", encoding="utf-8") as file:
        file.write("libverilated.a: $(VK_GLOBAL_OBJS)\n\t$(AR) rcs $@ $^\n")
    run(["make", "-s", "-C", model, "-f", "Vdut.mk", "-f", "lib.mk", "OPT_FAST=-O2", "OPT_SLOW=-O0",
         "Vdut__ALL.a", "libverilated.a"], folder + "/make.log")
    include = tools.verilator_headers()
    run(["g++", "-std=gnu++20", "-O1", "-Icmodel/include", "-Icmodel", "-Itb", "-Itb/unit", '-DGMMU_CONFIG_NAME="tiny"', "-DGMMU_MUTANTS", "-DGMMU_OPEN",
         "-DGMMU_COUNTS_FROM=%d" % (counts_from() if is_advanced(block) else 0),
         "-I" + include, "-I" + include + "/vltstd", "-I" + model, "tb/unit/%s_test.cpp" % block,
         "tb/mutants.cpp", model + "/Vdut__ALL.a", model + "/libverilated.a", "build/c/libbench.a", "-lgtest",
         "-lpthread", "-ljansson", "-lzstd", "-llzma", "-lz", "-lm", "-o", folder + "/bench"], folder + "/link.log")


def induction(block, line, folder):
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
    # three minutes of processor time, however busy the machine is
    return subprocess.run(["yosys", "-q", path], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (180, 180))).returncode == 0


def proved(block, line, folder):
    if os.environ.get("GMMU_PROOFS") == "0":
        return False
    if block in miter.PROTOCOL:
        return miter.same(block, line, folder, PROOF_S) == "proved"
    return induction(block, line, folder)


def place(line):
    """Source lines, and wire or cell with the change, of a line of mutants.ys."""
    def of(option):
        return re.findall(r" -%s (\S+)" % option, line)
    src = sorted({re.sub(r"\.\d+-.*", "", s) for s in of("src")} or {"?"})
    what = "%s[%s]" % (of("wire")[0], of("wirebit")[0]) if of("wire") else \
        "%s.%s[%s]" % (of("cell")[0], of("port")[0], of("portbit")[0])
    return " ".join(src), "%s (%s)" % (what, of("mode")[0])


def unnumbered(what):
    """A mutant's place without the numbers of lines and of Yosys' cells, which change with every edit before it."""
    return re.sub(r"(\.v:|\$)\d+", r"\1", what)


def reasons(rows):
    """{place: reason} of ROWS of the list, by the place as it is; and, where that says which, without its numbers: which mutant of the line that is
    has to be looked at again, and the reason begins with a question mark."""
    alike = {}
    for row in rows:
        alike.setdefault(unnumbered(row["source"] + " " + row["what"]), set()).add(row["reason"])
    return {**{where: CARRIED + why.pop().removeprefix(CARRIED) for where, why in alike.items() if len(why) == 1},
            **{r["source"] + " " + r["what"]: r["reason"] for r in rows}}


def describe(title, lines, outcome):
    """The block's rows of LISTED, and its row of PAGE; what was written there as the reason of a mutant stays, also where only numbers of lines
    are others now."""
    with open(LISTED, encoding="utf-8", newline="") as file:
        old = list(csv.DictReader(file))
    why = reasons([r for r in old if r["block"] == title])
    rows = []
    for n, line in enumerate(lines, 1):
        if outcome.get(n) in ("survived", "equivalent"):
            source, what = (re.sub(r"\brtl/(\w+/)?", "", text).replace("/usr/bin/../share/", "").replace("|", "") for text in place(line))
            verdict = "proved" if outcome[n] == "equivalent" else "survives"
            reason = why.get(source + " " + what, why.get(unnumbered(source + " " + what), "?"))
            if verdict == "proved" or reason in (PROVED, CARRIED + PROVED, CARRIED + "?"):
                reason = PROVED if verdict == "proved" else "?"
            rows.append(dict(zip(LISTED_FIELDS, (title, str(n), source, what, verdict, reason))))
    with open(LISTED, "w", encoding="utf-8", newline="") as file:
        out = csv.DictWriter(file, LISTED_FIELDS, lineterminator="\n")
        out.writeheader()
        out.writerows(sorted([r for r in old if r["block"] != title] + rows, key=lambda r: (r["block"], int(r["number"]))))
    tried = sum(n in outcome for n in range(1, len(lines) + 1))
    proofs = sum(r["verdict"] == "proved" for r in rows)
    with open("VERSION", encoding="utf-8") as file:
        release = file.read().strip()
    with open(PAGE, encoding="utf-8") as file:
        table = [page.cells(line) for line in page.blocks("mutants").search(file.read()).group(2).splitlines()[2:]]
    mine = ["`%s`" % title, release, *map(str, (tried, tried - len(rows), proofs, len(rows) - proofs)), "?"]
    rows = sorted([r for r in table if r[0] != mine[0]] + [mine], key=lambda r: r[0].strip("`"))
    page.fill(PAGE, "mutants", {"blocks": page.markdown(COUNTED, rows)}, kept={"blocks": 1})


def main():
    os.chdir(ROOT)
    if not 2 <= len(sys.argv) <= 6 or sys.argv[1] not in blocks.NAMES:
        stop("expected BLOCK [MUTANTS [SEED [MODULE] [again]]]; blocks: " + " ".join(blocks.NAMES))
    tools.expect("mutate", "yosys", "yosys-abc", "verilator", "g++")
    block = sys.argv[1]
    mutants = int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    if not 1 <= mutants <= 60000:
        stop("expected 1 to 60000 mutants")
    again = sys.argv[4:][-1:] == ["again"]
    module = "".join(sys.argv[4:len(sys.argv) - again])
    inside = [blocks.name_of(m) for m in blocks.modules(block)]
    if module and module not in inside:
        stop("found module %s, expected one of %s: %s" % (module, block, " ".join(inside)))
    title = block + (module and ": " + module)
    folder = os.path.join("build", "mutate", title.replace(": ", "."))
    os.makedirs(folder, exist_ok=True)
    outcome = {}
    if again:  # now.txt: of a run that was cut off
        for path in [p for p in (folder + "/outcomes.txt", folder + "/now.txt") if os.path.exists(p)]:
            with open(path, encoding="utf-8") as file:
                outcome.update({int(n): how for n, how in (s.split() for s in file if len(s.split()) == 2)})
        with open(folder + "/outcomes.txt", "w", encoding="utf-8") as file:
            file.writelines("%d %s\n" % row for row in sorted(outcome.items()))
    else:
        for path in [p for p in (folder + "/outcomes.txt", folder + "/now.txt") if os.path.exists(p)]:
            os.remove(path)
        netlists(block, module, mutants, seed, folder)
    with open(folder + "/mutants.ys", encoding="utf-8") as file:
        lines = [s.strip() for s in file if s.startswith("mutate ")]
    build(block, folder)
    todo = [n for n in range(1, len(lines) + 1) if outcome.get(n, "survived") == "survived"]
    for tests, more in [(TESTS.get(title, TESTS.get(block, NO_RTL)), {})] + [(LONGER[b], {"GMMU_QUICK": "1"}) for b in LONGER if b == block]:
        done = subprocess.run([folder + "/bench", "--gtest_filter=" + tests, folder + "/now.txt", *map(str, todo or [0])],
                              env={**os.environ, **more}, stdout=subprocess.DEVNULL, check=False)
        if done.returncode:
            stop("the bench failed: %s/bench /dev/null 1" % folder)
        with open(folder + "/now.txt", encoding="utf-8") as file:
            outcome.update({int(n): how for n, how in (s.split() for s in file) if n != "0"})
        with open(folder + "/outcomes.txt", "w", encoding="utf-8") as file:
            file.writelines("%d %s\n" % row for row in sorted(outcome.items()))
        todo = [n for n in todo if outcome[n] == "survived"]
    count = dict.fromkeys(["killed", "died", "hung", "equivalent", "survived"], 0)
    listed = []
    for n, line in enumerate(lines, 1):
        how = outcome[n]
        if how == "survived" and proved(block, line, folder):
            how = outcome[n] = "equivalent"
        if how in ("equivalent", "survived"):
            listed.append("%s %d: %s" % (how, n, " ".join(place(line))))
        count[how] += 1
    with open(folder + "/outcomes.txt", "w", encoding="utf-8") as file:
        file.writelines("%d %s\n" % row for row in sorted(outcome.items()))
    describe(title, lines, outcome)
    real = len(lines) - count["equivalent"]
    killed = count["killed"] + count["died"] + count["hung"]
    summary = ("%s: %d mutants (seed %d): %d killed (%d of them by a crash, %d by no end), %d equivalent by proof, "
               "%d survive; killed %.1f %% of all, %.1f %% of those not proved equivalent"
               % (title, len(lines), seed, killed, count["died"], count["hung"], count["equivalent"], count["survived"],
                  100.0 * killed / len(lines), 100.0 * killed / max(1, real)))
    with open(folder + "/report.txt", "w", encoding="utf-8") as file:
        file.write("\n".join([summary] + sorted(listed)) + "\n")
    print("\n".join(sorted(listed) + [summary]))


if __name__ == "__main__":
    main()
