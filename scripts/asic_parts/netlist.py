# SPDX-License-Identifier: Apache-2.0
"""Netlists of the library's cells, a block at a time: Yosys elaborates the top, synthesises each block without the blocks in it, and Python joins them.

RAMs stay boxes. A block's netlist is kept in build/asic under a digest of all that the netlist depends on.
"""
import collections
import gzip
import hashlib
import inspect
import json
import os
import re
import subprocess

import blocks as listed
import config_args
from asic_parts import gates, liberty

RAMS = {"gmmu_ram_sdp": "1R1W", "gmmu_ram_tdp": "1RW1R"}  # the templates of all RAMs: ports of each
RAM_OUTPUTS = ("rdata", "a_q", "b_q")
GENERIC = "read_rtlil {il}; hierarchy -top \\top; proc; delete -output top/w:tvi_*; flatten; synth -run coarse:check -noabc; opt -full; techmap; opt -fast; "
# -D 1 (ps) is never met: abc makes cells on long paths larger as long as that helps
CELLS = "read_json {generic}; dfflibmap -liberty {lib}; opt; abc -liberty {lib} -constr {constr} -D 1{script}; opt_clean -purge; write_json {out}"
# how gates are found, from the smallest to the fastest: Yosys' own script of abc, whose dc2 saves gates and makes the carries of sums long; a mapping that
# leaves them as they are, and takes small gates where others take longer; the same with the fastest gates
WAYS = [""] + [" -script +strash;&get,-n;&dch,-f;&nf%s;&put;buffer,-c;topo;upsize,{D};dnsize,{D};stime,-p" % relaxed for relaxed in (",-R,1000", "")]
SHARE = 0.6  # of a period, what a block's gates may take, or the next way is used: paths lead through more than one block, and registers take time, too
# with the polarities that gates.py knows; opt_dff would not keep the kinds
ENABLES = "opt; dfflegalize -cell $_DFF_P_ 01 -cell $_DFFE_PP_ 01 -cell $_SDFF_PP?_ 01 -cell $_SDFFE_PP?P_ 01 -cell $_SDFFCE_PP?P_ 01; " \
          "opt_expr; opt_merge; opt_clean; "
# what drives a block's inputs, and what its outputs drive: abc sizes cells by it
CONSTRAINTS = "set_driving_cell %s\nset_load %g\n"
LOAD = 10.0


class Failure(Exception):
    pass


def run_yosys(script, log):
    with open(log, "w", encoding="utf-8") as file:
        done = subprocess.run(["yosys", "-p", script], cwd=listed.ROOT, stdout=file, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        with open(log, encoding="utf-8", errors="replace") as file:
            lines = file.read().strip().splitlines()
        said = [t for t in lines if t.startswith("ERROR")] or lines[-3:]
        raise Failure("yosys failed (%d), see %s: %s" % (done.returncode, log, " | ".join(said)))


def yosys_version():
    done = subprocess.run(["yosys", "-V"], capture_output=True, text=True, check=False)
    return done.stdout.split(" (")[0].strip()


def digest(*parts):
    out = hashlib.sha256()
    for part in parts:
        out.update(part.encode() + b"\0")
    return out.hexdigest()[:16]


def plain(text):
    """TEXT, RTLIL, without lines of the source, and with Yosys' numbers counted anew: the same for a block in any design."""
    numbers = {}

    def number(match):
        return "$" + str(numbers.setdefault(match.group(1), len(numbers)))
    text = re.sub(r"^ *attribute \\src [^\n]*\n", "", text, flags=re.M)
    return re.sub(r"(?<!\$paramod)\$(\d+)(?!\d)", number, re.sub(r"(rtl/[\w/]+\.vh?):[\d.|-]+", r"\1", text))


class Design:
    """BLOCK with the sizes of CONFIG, elaborated: its modules as Yosys' text, and which of them are blocks with netlists of their own."""

    def __init__(self, block, config, folder, macros=(), registers=0):
        """MACROS: what is defined. RAMs of at most REGISTERS bits are no boxes, but parts: joined with others, equal copies of a word would become one."""
        self.block, self.config, self.macros = block, config, macros
        top = listed.module_of(block)
        with open(os.path.join(listed.ROOT, "config", "gmmu.json"), encoding="utf-8") as file:
            sizes = config_args.arguments(json.load(file), config, os.path.join(listed.ROOT, listed.path_of(block)), [])
        self.parameters = re.findall(r"-G(\w+)=(\d+)", sizes)
        base = os.path.join(folder, "elaborated-%s-%s%s" % (block, config, "".join("-" + m for m in macros)))
        files = sorted(listed.modules(block).values())
        script = "read_verilog -Irtl %s %s; hierarchy -check -top %s %s; write_rtlil %s.il; delete */p:*; write_json %s.json" % (
            " ".join("-D " + m for m in macros), " ".join(files), top,
            " ".join("-chparam %s %s" % p for p in self.parameters), base, base)
        run_yosys(script, base + ".log")
        with open(base + ".il", encoding="utf-8") as file:
            text = file.read()
        with open(base + ".json", encoding="utf-8") as file:
            modules = json.load(file)["modules"]
        self.text = {m.group(1): m.group(0) for m in re.finditer(r"^(?:attribute [^\n]*\n)*module (\S+)\n.*?^end\n", text, re.M | re.S)}
        self.cells = {}  # module: {cell: module}
        self.sizes = {}  # RAM's module: (template, words, bits of a word)
        for name, module in modules.items():
            key = name if name.startswith("$") else "\\" + name
            self.cells[key] = {c: (t if t.startswith("$") else "\\" + t) for c, t in ((c, d["type"]) for c, d in module["cells"].items()) if t in modules}
            source = module["attributes"].get("hdlname", name).split("\\")[-1]
            self.cells[key]["source"] = source
            if source in RAMS:
                size = {p: int(v, 2) for p, v in module["parameter_default_values"].items() if set(v) <= set("01")}
                if size["DEPTH"] * size["WIDTH"] > registers:
                    self.sizes[key] = (source, size["DEPTH"], size["WIDTH"])
            if int(module["attributes"].get("top", "0"), 2):
                self.top = key
        self.source = {n: c.pop("source") for n, c in self.cells.items()}
        self.parts = {self.top} | {n for n, s in self.source.items() if s in RAMS and n not in self.sizes}
        self._find_parts(self.top)
        self._texts = {part: self._make_text(part) for part in self.parts}

    def _below(self, name, seen):
        if name not in seen:
            seen.add(name)
            for cell in self.cells[name].values():
                self._below(cell, seen)
        return seen

    def _find_parts(self, name):
        """Blocks, and what holds blocks or stands in the unit itself, have netlists of their own."""
        for cell in self.cells[name].values():
            source = self.source[cell]
            if source in RAMS or cell in self.parts or listed.all_modules()[source].startswith(listed.LIBRARY):
                continue
            is_block = listed.name_of(source) in listed.NAMES
            holds = any(listed.name_of(self.source[n]) in listed.NAMES for n in self._below(cell, set()) - {cell})
            if is_block or holds or listed.name_of(self.source[name]) == listed.UNIT:
                self.parts.add(cell)
                self._find_parts(cell)

    def stub(self, name):
        """Module NAME as a box."""
        lines = re.findall(r"^  (?:parameter [^\n]*|wire [^\n]*(?:input|output|inout) [^\n]*)\n", self.text[name], re.M)
        return "attribute \\blackbox 1\nmodule %s\n%send\n" % (name, "".join(lines))

    def text_of(self, part):
        return self._texts[part]

    def _make_text(self, part):
        """The RTLIL of PART as \\top, with RAMs and the parts in it as boxes."""
        out, seen, todo = [], {part}, [part]
        while todo:
            name = todo.pop()
            if name != part and (name in self.parts or name in self.sizes):
                out.append(self.stub(name))
                continue
            text = self.text[name].replace("module %s\n" % name, "module \\top\n") if name == part else self.text[name]
            out.append(text)
            new = sorted(set(self.cells[name].values()) - seen)
            seen.update(new)
            todo += new
        return plain("\n".join(out))


class Part:
    """The netlist of one block without the blocks in it: {"cells": {name: [type, {pin: bits}]}, "ports", "nets": {bit: name}}."""

    def __init__(self, data):
        self.cells, self.ports, self.nets = data["cells"], data["ports"], {int(b): n for b, n in data["nets"].items()}


def synthesise(design, part, library, how, tell):
    """The netlist of PART by the cells of LIBRARY: kept, or made now; and its digest.
    HOW: the folder for what is kept, from how many registers on a clock gate is used (0: never), and the clock rate that is aimed at, in MHz."""
    folder, least, mhz = how
    name = listed.name_of(design.source[part])
    text = design.text_of(part)
    constr = CONSTRAINTS % (library.inverter, LOAD)
    key = digest(text, library.digest, GENERIC, CELLS, *WAYS, "%g %g" % (SHARE, mhz), constr, yosys_version(), inspect.getsource(synthesise),
                 *([ENABLES, str(least), inspect.getsource(gates), inspect.getsource(liberty)] if least else []))
    base = os.path.join(folder, "%s-%s" % (name, key))
    kept = base + ".net.gz"
    if os.path.exists(kept):
        with gzip.open(kept, "rt", encoding="utf-8") as file:
            return Part(json.load(file)), key
    tell("%s: synthesis" % name)
    with open(base + ".il", "w", encoding="utf-8") as file:
        file.write(text)
    with open(base + ".constr", "w", encoding="utf-8") as file:
        file.write(constr)
    files = {"il": base + ".il", "lib": library.file, "constr": base + ".constr", "generic": base + ".generic.json", "out": base + ".json"}
    run_yosys((GENERIC + (ENABLES if least else "") + "write_json {generic}").format(**files), base + ".generic.log")
    if least:
        with open(files["generic"], encoding="utf-8") as file:
            generic = json.load(file)
        gates.insert(generic["modules"]["top"], library, least)
        with open(files["generic"], "w", encoding="utf-8") as file:
            json.dump(generic, file)
    for script in WAYS:
        run_yosys(CELLS.format(script=script, **files), base + ".log")
        with open(base + ".log", encoding="utf-8", errors="replace") as file:
            delays = [float(d) for d in re.findall(r"^ABC: .*\bDelay = *([\d.]+) ps", file.read(), re.M)]
        if max(delays, default=0) <= SHARE * 1e6 / mhz:
            break
    with open(base + ".json", encoding="utf-8") as file:
        module = json.load(file)["modules"]["top"]
    nets = {}
    for net, of in module["netnames"].items():
        if not of["hide_name"]:
            for index, bit in enumerate(of["bits"]):
                if isinstance(bit, int):
                    named = net if len(of["bits"]) == 1 else "%s[%d]" % (net, index)
                    # tvi_ is for simulation
                    if bit not in nets or ("tvi_" in named, len(named)) < ("tvi_" in nets[bit], len(nets[bit])):
                        nets[bit] = named
    data = {"cells": {c: [d["type"], d["connections"]] for c, d in module["cells"].items()},
            "ports": {p: [d["direction"], d["bits"]] for p, d in module["ports"].items()}, "nets": nets}
    with gzip.open(kept + ".new", "wt", encoding="utf-8", compresslevel=3) as file:
        json.dump(data, file)
    os.replace(kept + ".new", kept)
    for end in (".il", ".constr", ".json", ".generic.json"):
        os.remove(base + end)
    return Part(data), key


class Netlist:
    """The parts of a block joined, with one number for each net: registers, gates and RAMs, each with its place in the source's names."""

    def __init__(self, design, parts, library, top):
        self.cells = []   # (type, {pin: net}, place of the block, place and name)
        self.rams = []    # (template, words, bits, {pin: nets}, place)
        self.names = {}   # net: its name in the source
        self._alias = {}
        self.outputs = {kind: set(cell["outputs"]) for kind, cell in library.cells.items()}
        self.registers = {kind: cell["ff"]["clock"].strip("()!' ") for kind, cell in library.cells.items() if "ff" in cell}  # cell: its clock's pin
        self.gates = {kind: library.cells[kind]["gate"] for kind in library.gates}  # cell: its pins
        self._design, self._parts, self._library = design, parts, library
        self._next = 2
        self.ports = {p: (d, [self._new() if isinstance(b, int) else b for b in bits]) for p, (d, bits) in parts[top].ports.items()}
        self.rows = {}    # place: module, of each block
        self.used = set() # all modules in it
        self._join(top, "", "", {p: bits for p, (_, bits) in self.ports.items()})
        self.cells = [(t, {p: self.net(n) for p, n in pins.items()}, at, name) for t, pins, at, name in self.cells]
        self.rams = [(t, w, b, {p: [self.net(n) for n in nets] for p, nets in pins.items()}, at) for t, w, b, pins, at in self.rams]
        for net, name in sorted(self.names.items(), key=lambda n: len(n[1]), reverse=True):
            self.names[self.net(net)] = name
        self.ports = {p: (d, [self.net(b) for b in bits]) for p, (d, bits) in self.ports.items()}
        self._check()

    def _check(self):
        """Each net has a driver, and one alone."""
        drivers = collections.Counter(n for d, nets in self.ports.values() if d == "input" for n in nets)
        for kind, pins, _, _ in self.cells:
            drivers.update(n for p, n in pins.items() if p in self.outputs[kind])
        for _, _, _, pins, _ in self.rams:
            drivers.update(n for p in RAM_OUTPUTS for n in pins.get(p, ()))
        used = {n for _, pins, _, _ in self.cells for n in pins.values()} | {n for r in self.rams for nets in r[3].values() for n in nets}
        bad = [n for n in used if isinstance(n, int) and drivers[n] != 1]
        if bad:
            raise Failure("%s: found %d nets with no driver or with several, expected one for each: %s" % (
                self._design.block, len(bad), " ".join(sorted(self.names.get(n, str(n)) for n in bad)[:5])))

    def _new(self):
        self._next += 1
        return self._next

    def net(self, bit):
        while bit in self._alias:
            bit = self._alias[bit]
        return bit

    def _join(self, part, at, block, outer):
        """Adds PART, whose place is AT in the block at BLOCK; OUTER: {port: nets of what holds PART}."""
        of = self._parts[part]
        self.used.add(part)
        if self._design.source[part] not in RAMS:
            block = at
            self.rows[at] = part
        mine = {}  # bit of PART: net
        for port, (direction, bits) in of.ports.items():
            for bit, net in zip(bits, outer.get(port, [None] * len(bits))):
                if net is None:
                    continue
                if isinstance(bit, int) and bit not in mine:
                    mine[bit] = net
                elif direction == "output":  # a constant, or an input or output once more
                    driver = mine[bit] if isinstance(bit, int) else bit
                    if self.net(net) != self.net(driver) and isinstance(self.net(net), int):
                        self._alias[self.net(net)] = self.net(driver)

        def net(bit):
            if not isinstance(bit, int):
                return bit
            if bit not in mine:
                mine[bit] = self._new()
            return mine[bit]
        dot = at + "." if at else ""
        driven = set()
        for cell, (kind, pins) in of.cells.items():
            module = kind if kind.startswith("$") else "\\" + kind
            if module in self._design.sizes:
                self.rams.append(self._design.sizes[module] + ({p: [net(b) for b in bits] for p, bits in pins.items()}, dot + cell))
            elif module in self._parts:
                self._join(module, dot + cell, block, {p: [net(b) for b in bits] for p, bits in pins.items()})
            elif kind in self._library.cells:
                self.cells.append((kind, {p: net(bits[0]) for p, bits in pins.items() if bits}, block, dot + cell))
                driven.update(bits[0] for p, bits in pins.items() if bits and p in self.outputs[kind])
            else:
                raise Failure("found the cell %s of %s in the netlist of %s, expected a cell of %s" % (cell, kind, listed.name_of(
                    self._design.source[part]), self._library.name))
        for bit, name in of.nets.items():
            if bit in driven:
                self.names[mine[bit]] = dot + name
            elif bit in mine:
                self.names.setdefault(mine[bit], dot + name)
