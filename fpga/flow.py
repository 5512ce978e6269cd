# SPDX-License-Identifier: Apache-2.0
"""What `make fpga` runs: Yosys and nextpnr on a block, their figures kept with a digest of what they were made from."""
import concurrent.futures
import functools
import hashlib
import json
import os
import re
import shutil
import statistics
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import blocks as listed  # noqa: E402
import paths  # noqa: E402
from placer import cells, cells_ice40, outreg, rams  # noqa: E402

OUT = "build/fpga"
with open(os.path.join(ROOT, "config", "gmmu.json"), encoding="utf-8") as _file:
    WANTED = json.load(_file)["fpga"]
VENV = "build/fpga-venv/bin/"  # fpga/setup.sh
# Placed devices. has: what a chip has; cells: column: {Yosys' cell, or how it begins: how many of it}; used: column: nextpnr's name
DEVICES = {
    "hx8k": {"title": "iCE40 HX8K", "synth": "synth_ice40 -abc9 -device hx", "tool": "nextpnr-ice40", "freq": 160, "plans": True,
             "args": ["--hx8k", "--package", "ct256", "--pcf", "fpga/constraints/hx8k.pcf", "--pcf-allow-unconstrained"],
             "plan_args": ["--placer-heap-timingweight", "30", "--placer-heap-critexp", "4"],
             "has": {"lut": 7680, "ff": 7680, "ram": 32},
             "cells": {"lut": {"SB_LUT4": 1}, "ff": {"SB_DFF": 1}, "ram": {"SB_RAM40": 1}},
             "used": {"lut": "ICESTORM_LC", "ram": "ICESTORM_RAM"}, "names": ("LC", "FF", "RAM of 4 Kbit", "DSP")},
    "up5k": {"title": "iCE40 UP5K", "synth": "synth_ice40 -abc9 -device u -dsp", "tool": "nextpnr-ice40", "freq": 60,
             "args": ["--up5k", "--package", "sg48", "--pcf", "fpga/constraints/up5k.pcf", "--pcf-allow-unconstrained"],
             "has": {"lut": 5280, "ff": 5280, "ram": 30, "dsp": 8},
             "cells": {"lut": {"SB_LUT4": 1}, "ff": {"SB_DFF": 1}, "ram": {"SB_RAM40": 1}, "dsp": {"SB_MAC16": 1}},
             "used": {"lut": "ICESTORM_LC", "ram": "ICESTORM_RAM", "dsp": "ICESTORM_DSP"}, "names": ("LC", "FF", "RAM of 4 Kbit", "DSP")},
    "ecp5-85k": {"title": "ECP5-85F, speed 6", "synth": "synth_ecp5 -abc9", "tool": "nextpnr-ecp5", "freq": 125, "outreg": True, "plans": True,
                 "args": ["--85k", "--speed", "6", "--package", "CABGA756", "--lpf", "fpga/constraints/ecp5-85k.lpf", "--lpf-allow-unconstrained"],
                 "has": {"lut": 83640, "ff": 83640, "ram": 208, "dsp": 156},
                 "cells": {"lut": {"LUT4": 1, "CCU2C": 2, "TRELLIS_DPR16X4": 6}, "ff": {"TRELLIS_FF": 1}, "ram": {"DP16KD": 1},
                           "dsp": {"MULT18X18D": 1}},
                 "used": {"lut": "TRELLIS_COMB", "ff": "TRELLIS_FF", "ram": "DP16KD", "dsp": "MULT18X18D"},
                 "names": ("COMB", "FF", "DP16KD", "MULT18X18D")},
}
# ECP5: memories that fill at most a third of the block RAMs that they take are LUTs' RAM, as vendors' tools have them: Yosys takes
# block RAMs for them, of which there are few, and whose word without its output register comes 5.8 ns after the clock. Not those that
# nobody writes: a table (csr's registers) is no RAM of LUTs, but LUTs.
SMALL_RAMS = ("t:$mem_v2 r:SIZE<=64 %i r:WIDTH<=96 %i r:WR_PORTS>0 %i", "t:$mem_v2 r:SIZE<=128 %i r:WIDTH<=56 %i r:WR_PORTS>0 %i")
# abc9 maps to LUTs four times, each time from the LUTs of the time before, and with what a wire takes between two LUTs once they are placed (ps;
# Yosys' own, 250 and 300, is what the shortest takes): decision U76.
MAPPED = {"synth_ice40 -abc9 -device hx": 700, "synth_ecp5 -abc9": 600}
MAP = "+&scorr;,&sweep;,&dc2;," + ";,&st;,".join(["&dch,-f;,&if,{C},-W,%d,{D},{R},-v;,&mfs"] * 4)
# Families of which Yosys counts cells: how it is made; {column: (title, {cell: how many of it})}
FAMILIES = {
    "ecp5": ("ECP5", "synth_ecp5", {
        "lut4": ("LUT4", {"LUT4": 1}), "ccu2c": ("CCU2C (carry, 2 LUT4)", {"CCU2C": 1}), "ff": ("FF", {"TRELLIS_FF": 1}),
        "ram": ("DP16KD", {"DP16KD": 1}), "lutram": ("TRELLIS_DPR16X4", {"TRELLIS_DPR16X4": 1}),
        "dsp": ("MULT18X18D", {"MULT18X18D": 1})}),
    "xc7": ("Artix-7", "synth_xilinx -family xc7 -flatten -noiopad", {
        "lut": ("LUT", {**{"LUT%d" % n: 1 for n in range(1, 7)}, "INV": 1, "SRL16E": 1, "SRLC32E": 1, "RAM32M": 4, "RAM64M": 4,
                        "RAM32X1D": 2, "RAM64X1D": 2, "RAM128X1D": 4}),
        "lutram": ("of them RAM and shift registers", {"SRL16E": 1, "SRLC32E": 1, "RAM32M": 4, "RAM64M": 4, "RAM32X1D": 2,
                                                  "RAM64X1D": 2, "RAM128X1D": 4}),
        "ff": ("FF", {c: 1 for c in ("FDRE", "FDSE", "FDCE", "FDPE")}),
        "ram": ("RAMB36 (RAMB18: 0.5)", {"RAMB36E1": 1, "RAMB18E1": 0.5}), "dsp": ("DSP48", {"DSP48E1": 1})}),
    "cyclonev": ("Cyclone V", "synth_intel_alm -family cyclonev -noiopad", {
        "lut": ("ALUT", {**{"MISTRAL_ALUT%d" % n: 1 for n in range(2, 7)}, "MISTRAL_ALUT_ARITH": 1, "MISTRAL_NOT": 1}),
        "ff": ("FF", {"MISTRAL_FF": 1}), "ram": ("M10K", {"MISTRAL_M10K": 1}), "lutram": ("MLAB, 32 × 1 bit each", {"MISTRAL_MLAB": 1}),
        "dsp": ("DSP", {"MISTRAL_MUL%s" % n: 1 for n in ("9X9", "18X18", "27X27")})}),
}


class Failure(Exception):
    pass


class Missing(Exception):
    """No figure is kept, and none is to be made."""


def own(block, device):
    return WANTED["tops"].get(block, {}).get(device, {})


def target(block, device):
    """MHz that BLOCK is to reach on DEVICE, or None."""
    if "mhz" in own(block, device):
        return own(block, device)["mhz"]
    if device == "hx8k" and block in listed.NAMES:
        return listed.entry(block).get("mhz")
    return WANTED["devices"].get(device, {}).get("mhz")


def tail(path, lines):
    with open(path, encoding="utf-8", errors="replace") as f:
        text = f.read().strip().splitlines()
    return [t for t in text if t.startswith("ERROR")][-lines:] or text[-lines:]


def run(args, log):
    with open(log, "w", encoding="utf-8") as f:
        code = subprocess.call(args, stdout=f, stderr=subprocess.STDOUT)
    if code:
        raise Failure("%s failed (%d), see %s: %s" % (args[0], code, log, " | ".join(tail(log, 3))))


# ======== tools
def program(tool):
    """The command that is TOOL: setup-fpga's, or the system's, also as YoWASP names it."""
    for path in (VENV + tool, VENV + "yowasp-" + tool):
        if os.path.exists(path):
            return path
    return shutil.which(tool) or shutil.which("yowasp-" + tool)


def versions(tools):
    out = {}
    for tool in tools:
        path = program(tool)
        if path is None:
            raise Failure("found no %s, expected it: make setup-fpga" % tool)
        text = subprocess.run([path, "--version" if tool != "yosys" else "-V"], capture_output=True, text=True, check=False)
        if text.returncode:
            raise Failure("%s --version failed (%d): %s" % (path, text.returncode, " ".join((text.stdout + text.stderr).split())[-200:]))
        said = (text.stdout + text.stderr).strip()
        number = re.search(r"(?:Yosys|\(Version(?: nextpnr-)?) *([^\s)]+)", said)
        out[tool] = "%s %s" % (tool.replace("yosys", "Yosys"), number.group(1) if number else said.split("\n")[0])
    return out


# ======== sources
@functools.lru_cache(maxsize=None)
def arguments(config, path):
    return subprocess.run(["scripts/config_args.py", config, path], capture_output=True, text=True, check=False)


def parameters(block, config):
    if listed.module_of(block) not in listed.all_modules():
        raise Failure('found block "%s", expected one in rtl/' % block)
    done = arguments(config, listed.path_of(block))
    if done.returncode != 0:
        raise Failure('found configuration "%s", expected tiny, default, onchip or large, or one of them with sizes changed '
                      "(default.FRAMES256)" % config)
    return dict(re.findall(r"-G(\w+)=(\d+)", done.stdout))


def sources(block):
    """The block's file and those of all modules in it, and the headers that these include."""
    files, headers = list(listed.modules(block).values()), set()
    todo = list(files)
    while todo:
        with open(todo.pop(), encoding="utf-8") as f:
            new = {"rtl/" + h for h in re.findall(r'^\s*`include\s+"([^"]+)"', f.read(), flags=re.M)} - headers
        headers |= new
        todo += sorted(new)
    return files, sorted(headers & set(listed.headers()))


def texts(block):
    out = []
    for group in sources(block):
        for path in group:
            with open(path, encoding="utf-8") as f:
                out.append(f.read())
    return out


def hashed(parts):
    digest = hashlib.sha256()
    for text in parts:
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def state(block, config, device):
    """A digest of what a figure depends on but the tools: with it a page knows which of its figures are of older sources. Comments do not count."""
    command = DEVICES[device]["synth"] if device in DEVICES else ""
    how = [MAP, str(MAPPED[command])] if command in MAPPED else []
    bare = [" ".join(re.sub(r"//.*|/\*.*?\*/", "", text).split()) for text in texts(block)]
    return hashed([json.dumps(parameters(block, config), sort_keys=True)] + how + bare)[:16]


def read(block):
    return "read_verilog -Irtl " + " ".join(sources(block)[0])


def top(block, par):
    """The tvi port is for simulation, and open in a chip."""
    return "hierarchy -top %s %s; proc; delete -output A:top/w:tvi_*" % (
        listed.module_of(block), " ".join("-chparam %s %s" % p for p in par.items()))


def kept(path, made_from, make, may_make=True):
    """What make() gives, and whether it was made now: kept in a file with a digest of what it was made from."""
    digest = hashed(made_from)
    try:
        with open(path, encoding="utf-8") as f:
            got = json.load(f)
        if got["made_from"] == digest:
            return got["figures"], False
    except (OSError, ValueError, KeyError):
        pass
    if not may_make:
        raise Missing
    figures = make()
    with open(path + ".new", "w", encoding="utf-8") as f:
        json.dump({"made_from": digest, "figures": figures}, f, indent=1)
    os.replace(path + ".new", path)
    return figures, True


def cells_of(stat):
    with open(stat, encoding="utf-8") as f:
        return json.load(f)["design"]["num_cells_by_type"]


def synth(command, top, netlist):
    """Yosys' commands from the sources that are read to the file NETLIST; TOP: "-top NAME", or nothing."""
    mapped = "scratchpad -set abc9.script \"%s\"; " % (MAP.replace("%d", str(MAPPED[command]))) if command in MAPPED else ""
    if not command.startswith("synth_ecp5"):
        return "%s%s %s -json %s" % (mapped, command, top, netlist)
    small = "; ".join('setattr -set ram_style "distributed" ' + rams for rams in SMALL_RAMS)
    return "%s%s %s -run begin:map_ram; %s; %s -run map_ram: -json %s" % (mapped, command, top, small, command, netlist)


# ======== counts
def counts(block, config, family, o):
    base = "%s/%s-%s.%s" % (OUT, block, config, family)
    par = parameters(block, config)
    script = "%s; %s; %s; tee -q -o %s.stat.json stat -json" % (read(block), top(block, par), FAMILIES[family][1], base)

    def make():
        run([program("yosys"), "-q", "-p", script], base + ".log")
        return cells_of(base + ".stat.json")
    cells, new = kept(base + ".json", [o.version["yosys"], script] + texts(block), make, o.make)
    row = {"block": block, "config": config, "device": family}
    for column, (_, weights) in FAMILIES[family][2].items():
        row[column] = sum(cells.get(c, 0) * w for c, w in weights.items())
    return row, new


# ======== place and route
def ports(block, par, base):
    run([program("yosys"), "-q", "-p", "%s; %s; write_json %s.ports.json" % (read(block), top(block, par), base)], base + ".ports.log")
    with open(base + ".ports.json", encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    for mod in modules.values():
        if int(mod["attributes"].get("top", "0"), 2):
            return {p: (d["direction"], len(d["bits"])) for p, d in mod["ports"].items()}
    raise Failure("found no top in %s.ports.json" % base)


def wrapper(block, par, io, base):
    """Writes the block between shift registers (fpga/tops/between.v); returns how many they are."""
    conn, size = ["        .clk(clk)"], {"input": 0, "output": 0}
    for p, (d, w) in io.items():
        if p != "clk":
            conn.append("        .%s(%s[%d +: %d])" % (p, d[:-3], size[d], w))
            size[d] += w
    with open("fpga/tops/between.v", encoding="utf-8") as f:
        text = f.read()
    for mark, put in (("IN_BITS", size["input"]), ("OUT_BITS", size["output"]), ("BLOCK", listed.module_of(block)),
                      ("PARAMETERS", ", ".join(".%s(%s)" % p for p in par.items())), ("PORTS", ",\n".join(conn).lstrip())):
        text = text.replace("/*%s*/" % mark, str(put))
    with open(base + ".wrap.v", "w", encoding="utf-8") as f:
        f.write(text)
    return size["input"] + 2 * size["output"] + 1


def count(cells, weights):
    """iCE40's flip-flops and RAMs have many names with one beginning."""
    return sum(n * next((w for begin, w in weights.items() if c == begin or (begin[:3] == "SB_" and c.startswith(begin))), 0)
               for c, n in cells.items())


def netlist(block, config, device, yosys, may_make=True):
    """Yosys' netlist of the block between shift registers: ({wrapper_ff, cells}, whether it was made now, what it was made from, how to make
    its file BASE.netlist.json again)."""
    d = DEVICES[device]
    base = "%s/%s-%s.%s" % (OUT, block, config, device)
    par = parameters(block, config)
    script = "%s %s.wrap.v; %s; tee -q -o %s.stat.json stat -json" % (
        read(block), base, synth(d["synth"], "-top fpga_wrap", base + ".netlist.json"), base)

    def make():
        ff = wrapper(block, par, ports(block, par, base), base)
        run([program("yosys"), "-q", "-p", script], base + ".log")
        used = cells_of(base + ".stat.json")
        if d.get("outreg"):
            used["TRELLIS_FF"] = used.get("TRELLIS_FF", 0) - outreg.pack(base + ".netlist.json")
        return {"wrapper_ff": ff, "cells": used}
    with open("fpga/tops/between.v", encoding="utf-8") as f:
        made_from = [yosys, script, json.dumps(par), f.read()] + texts(block)
    if d.get("outreg"):
        with open(outreg.__file__, encoding="utf-8") as f:
            made_from.append(f.read())
    made, new = kept(base + ".json", made_from, make, may_make)
    return made, new, made_from, make


PLACER = [sys.executable, os.path.join(ROOT, "fpga", "placer")]


def by_script(tool):
    """Whether TOOL takes places from a script, as nextpnr-ice40 does."""
    return "nextpnr-ice40" in tool


def placed(command, netlist, seed, mine, with_plan, mhz, last, log):
    """[(command, its log)] of an ECP5's or an iCE40's place and route: block RAMs (WITH_PLAN), nextpnr's placer, cells, nextpnr's router. COMMAND:
    nextpnr with what both take; MHZ: wanted; LAST: what the router takes besides, and LOG; MINE: how the files begin that are needed meanwhile (tidy)."""
    seeded = ["--seed", str(seed)]
    steps = []
    if with_plan:
        steps.append((PLACER + ["rams", netlist, mine + "netlist.json"] + seeded, mine + "rams.log"))
        netlist = mine + "netlist.json"
    chip, moved = ("ice40", mine + "places.py") if by_script(command[0]) else ("ecp5", mine + "cells.json")
    route = ["--json", netlist, "--pre-place", moved] if by_script(command[0]) else ["--json", moved, "--no-pack", "--no-place"]
    return steps + [
        (command + ["--json", netlist, "--no-route", "--write", mine + "placed.json"], mine + "place.log"),
        (PLACER + ["cells", mine + "placed.json", moved, "--chip", chip, "--mhz", str(mhz)] + seeded, mine + "cells.log"),
        (command + route + last, log)]


def tidy(mine):
    for end in ("netlist.json", "placed.json", "cells.json", "places.py"):
        if os.path.exists(mine + end):
            os.remove(mine + end)


def rates(got):
    """{mhz_median, mhz_min, mhz_max, seeds} of the figures of some seeds."""
    mhz = [round(g["mhz"], 1) for g in got]
    return {"mhz_median": round(statistics.median(mhz), 1), "mhz_min": min(mhz), "mhz_max": max(mhz), "seeds": len(got)}


def stock(block, config, device, o):
    """place()'s row, and as row["stock"] the rates of the same netlist by nextpnr's own placer, with its own weights."""
    row, new = place(block, config, device, o)
    if not row["fits"]:
        return row, new
    by_nextpnr, more = place(block, config, device, o, planned=False)
    row["stock"] = {k: v for k, v in by_nextpnr.items() if k in ("mhz_median", "mhz_min", "mhz_max", "seeds", "why")}
    return row, new or more


def place(block, config, device, o, planned=True):
    """A row: the block between shift registers, on DEVICE, with all seeds of O. PLANNED: the placer moves RAMs and cells where the device has one."""
    d = DEVICES[device]
    base = "%s/%s-%s.%s" % (OUT, block, config, device)
    made, new, made_from, make = netlist(block, config, device, o.version["yosys"], o.make)
    row = {"block": block, "config": config, "device": device, "sources": state(block, config, device), "wrapper_ff": made["wrapper_ff"]}
    for column, weights in d["cells"].items():
        row[column] = count(made["cells"], weights)
    row["fits"] = all(row[what] <= has for what, has in d["has"].items())
    if not row["fits"]:
        return row, new

    planned = planned and bool(d.get("plans"))
    with_plan = planned and made["cells"].get("DP16KD", 0) >= rams.LEAST
    mhz = target(block, device) or 100
    planned_by = ["%g" % mhz] if planned else []  # what it depends on besides
    for path in (rams.SOURCES if with_plan else []) + ((cells_ice40 if by_script(d["tool"]) else cells).SOURCES if planned else []):
        with open(path, encoding="utf-8") as f:
            planned_by.append(f.read())
    args = d["args"] + (d.get("plan_args", []) if planned else [])
    names = base + ("" if planned or not d.get("plans") else ".stock")  # of each seed's files

    def one(seed):
        mine = "%s.%d." % (names, seed)
        rep, log = mine + "report.json", mine + "log"
        if not os.path.exists(base + ".netlist.json"):
            make()
        command = [program(d["tool"])] + args + ["--timing-allow-fail", "--freq", str(d["freq"]), "--seed", str(seed)]
        last = ["--report", rep, "--detailed-timing-report"] + (["--write", names + ".placed.json"] if seed == 1 else [])
        steps = placed(command, base + ".netlist.json", seed, mine, with_plan, mhz, last, log) if planned else [
            (command + ["--json", base + ".netlist.json"] + last, log)]
        try:
            for step, log in steps:
                run(step, log)
        except Failure:
            why = " | ".join(tail(log, 1))
            if re.search(r"[Uu]nable to (place|find)|no (Bels|BELs) remaining|[Ff]ailed to (expand|place)", why):
                return {"no_place": re.sub(r"^ERROR: ", "", why)[:160]}
            raise
        finally:
            tidy(mine)
        with open(rep, encoding="utf-8") as f:
            r = json.load(f)
        known = paths.names(base + ".netlist.json")
        with open(mine + "late.csv", "w", encoding="utf-8") as f:
            f.write(paths.late(r, known, 1000 / d["freq"], 1000 / mhz))
        figures = {"mhz": max(f["achieved"] for f in r["fmax"].values()), "used": {k: v["used"] for k, v in r["utilization"].items()}}
        figures["path"] = paths.worst(r, known)
        return figures
    of, now = made_from + planned_by + [o.version[d["tool"]], " ".join(args)], set()

    def seen(seed):
        figures, made_now = kept("%s.%d.json" % (names, seed), of, lambda: one(seed), o.make)
        if made_now:
            now.add(seed)
            if o.seeds > 1:
                o.tell("%s %s %s%s: seed %d of %d: %s" % (block, config, device, ", nextpnr alone" if names != base else "", seed, o.seeds,
                                                          "%.1f MHz" % figures["mhz"] if "mhz" in figures else figures["no_place"]))
        return figures
    if o.make and o.at_once > 1 and o.seeds > 1:
        if not os.path.exists(base + ".netlist.json"):
            make()
        with concurrent.futures.ThreadPoolExecutor(o.at_once) as pool:
            list(pool.map(seen, range(1, o.seeds + 1)))
    got = []
    for seed in range(1, o.seeds + 1):
        try:
            figures = seen(seed)
        except Missing:
            if got:  # fewer seeds are kept
                break
            raise
        new |= seed in now
        if "no_place" in figures:
            row.update(fits=False, why=figures["no_place"])
            return row, new
        got.append(figures)
    median = sorted(got, key=lambda g: g["mhz"])[(len(got) - 1) // 2]
    row.update(rates(got), path=median["path"])
    row.update({column: got[0]["used"].get(name, 0) for column, name in d["used"].items()})
    return row, new
