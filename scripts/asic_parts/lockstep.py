# SPDX-License-Identifier: Apache-2.0
"""A netlist beside its RTL: both get the same random inputs in each cycle, and all outputs are compared.

Cells do what the library's functions say; a clock gate is a latch that is open while the clock is low, and an AND. RAMs are the RTL's template. Verilator
runs both, from registers and RAMs that are 0. The first cycles are a reset, and each later one is with 1 to RARE.
"""
import os
import re
import subprocess

import blocks as listed
from asic_parts import liberty
from asic_parts.netlist import RAMS, Failure

RESET, RARE, SHOWN = 8, 2048, 5
MAIN = """#include "Vpair.h"
#include "verilated.h"
int main() {
    VerilatedContext context;
    Vpair pair{&context};
    for (long at = 0; at < 2L * %d; at++) {
        pair.clk = at & 1;
        pair.eval();
    }
    pair.final();
}
"""
PAIR = """module pair (input wire clk);
    reg rst = 1'b1;
    reg [31:0] cycle = 0, bad = 0;
{declared}
    {top} #(
        {sizes}
    ) rtl (
        {rtl}
    );
    netlist cells (
        {cells}
    );
    always @(posedge clk) begin
        cycle <= cycle + 1;
        rst <= cycle < {reset} || $random % {rare} == 0;
{random}
    end
    always @(negedge clk) begin
{compared}
    end
    integer opened = 0, closed = 0;
{seen}
    final begin
{counted}
        $display("lockstep: %0d outputs differ in %0d cycles, %0d gates opened, %0d closed", bad, cycle, opened, closed);
    end
endmodule
"""


def expression(function, pins):
    """A liberty's FUNCTION over the nets PINS, as Verilog and as C."""
    _, text = liberty.evaluator(function)
    text = re.sub(r"of\['([^']+)'\]", lambda m: pins[m.group(1)], text)
    for word, sign in ((r"bool\(([01])\)", r"\1"), (r"\(not ", "(!"), (" and ", " & "), (" or ", " | "), (" != ", " ^ ")):
        text = re.sub(word, sign, text)
    return text


def logic(netlist, library, name):
    """([(net, its function)], [(clock, register's state, its next state)]) of the cells of NETLIST; NAME(net) is a net's name."""
    gates, registers = [], []
    for index, (kind, pins, _, _) in enumerate(netlist.cells):
        cell = library.cells[kind]
        of = {p: name(n) for p, n in pins.items()}
        if "ff" in cell:
            if not cell["ff"]["plain"] or "!" in cell["ff"]["clock"] + "'" * ("'" in cell["ff"]["clock"]):
                raise Failure("found the cell %s in the netlist, expected of registers such with the rising edge, no set and no reset" % kind)
            of.update({cell["ff"]["state"][0]: "s%d" % index, cell["ff"]["state"][1]: "(!s%d)" % index})
            registers.append((of[netlist.registers[kind]], "s%d" % index, expression(cell["ff"]["next"], of)))
        if kind not in netlist.gates:
            gates += [(of[p], expression(f, of)) for p, f in cell["outputs"].items() if p in of]
    return gates, registers


def write(netlist, library, path):
    """The module `netlist`, with the ports of the block. Returns the numbers of its clock gates."""
    def name(net):
        return "n%d" % net if isinstance(net, int) else "1'b1" if net == "1" else "1'b0"
    functions, registers = logic(netlist, library, name)
    gates = [(i, {p: name(n) for p, n in pins.items()}, netlist.gates[kind]) for i, (kind, pins, _, _) in enumerate(netlist.cells) if kind in netlist.gates]
    inputs = {n for d, nets in netlist.ports.values() if d == "input" for n in nets}
    nets = {n for _, pins, _, _ in netlist.cells for n in pins.values()} | {n for r in netlist.rams for of in r[3].values() for n in of}
    nets |= {n for _, of in netlist.ports.values() for n in of}
    with open(path, "w", encoding="utf-8") as file:
        file.write("module netlist (%s);\n" % ", ".join(netlist.ports))
        for port, (direction, bits) in netlist.ports.items():
            file.write("%s [%d:0] %s;\n" % (direction, len(bits) - 1, port))
        file.writelines("wire %s;\n" % name(n) for n in sorted(n for n in nets if isinstance(n, int)))
        for port, (direction, bits) in netlist.ports.items():
            for index, net in enumerate(bits):
                if direction == "output":
                    file.write("assign %s[%d] = %s;\n" % (port, index, name(net)))
                elif port == "clk" or net in inputs:
                    file.write("assign %s = %s[%d];\n" % (name(net), port, index))
        file.writelines("assign %s = %s;\n" % f for f in functions)
        clocks = {}
        for clock, state, after in registers:
            file.write("reg %s;\n" % state)
            clocks.setdefault(clock, []).append("    %s <= %s;\n" % (state, after))
        for clock, lines in clocks.items():
            file.write("always @(posedge %s) begin\n%send\n" % (clock, "".join(lines)))
        for index, pins, gate in gates:
            enable = " | ".join(pins[gate[p]] for p in ("enable", "test") if gate[p])
            file.write("reg g%d;\nalways @* if (!%s) g%d = %s;\nassign %s = %s & g%d;\n" % (
                index, pins[gate["clock"]], index, enable, pins[gate["out"]], pins[gate["clock"]], index))
        for index, (template, words, width, pins, _) in enumerate(netlist.rams):
            file.write("%s #(.WIDTH(%d), .DEPTH(%d)) m%d (%s);\n" % (template, width, words, index, ", ".join(
                ".%s({%s})" % (p, ", ".join(name(n) for n in reversed(of))) for p, of in pins.items())))
        file.write("endmodule\n")
    return [i for i, _, _ in gates]


def play(design, netlist, library, cycles, base):
    """Plays CYCLES random cycles. Returns {"differ": outputs that differ, "first": the first of them, "gates", "opened", "closed": how many clock
    gates there are, and how many had a cycle with, and one without, the clock behind them}."""
    gates = write(netlist, library, base + "-netlist.v")
    clocks = {pins[netlist.registers[kind]] for kind, pins, _, _ in netlist.cells if kind in netlist.registers}
    clocks |= {pins[netlist.gates[kind]["clock"]] for kind, pins, _, _ in netlist.cells if kind in netlist.gates}
    clocks |= {n for _, _, _, pins, _ in netlist.rams for n in pins["clk"]}
    declared, random, compared, pins = [], [], [], {"rtl": [], "cells": []}
    for port, (direction, bits) in netlist.ports.items():
        width = len(bits)
        if direction == "output":
            declared.append("    wire [%d:0] rtl_%s, cells_%s;" % (width - 1, port, port))
            compared.append('        if (rtl_%s !== cells_%s) begin\n            bad = bad + 1;\n            if (bad <= %d)\n                '
                            '$display("lockstep: cycle %%0d, %s: %%h of the RTL, %%h of the netlist", cycle, rtl_%s, cells_%s);\n        end' % (
                                port, port, SHOWN, port, port, port))
        elif port not in ("clk", "rst") and not clocks & set(bits):
            declared.append("    reg [%d:0] %s = 0;" % (width - 1, port))
            random.append("        %s <= {%s};" % (port, ", ".join(["$random"] * -(-width // 32))))
        for side, of in pins.items():
            of.append(".%s (%s)" % (port, "%s_%s" % (side, port) if direction == "output" else "clk" if clocks & set(bits) else port))
    seen = ["    reg [1:0] saw%d = 0;\n    always @(posedge clk)\n        if (!rst && cycle > %d)\n            saw%d[cells.g%d] <= 1'b1;" % (
        g, RESET + 2, g, g) for g in gates]
    counted = ["        opened = opened + {31'd0, saw%d[1]};\n        closed = closed + {31'd0, saw%d[0]};" % (g, g) for g in gates]
    with open(base + "-pair.v", "w", encoding="utf-8") as file:
        file.write(PAIR.format(
            top=listed.module_of(design.block), sizes=",\n        ".join(".%s (%s)" % s for s in design.parameters), reset=RESET, rare=RARE,
            declared="\n".join(declared), random="\n".join(random), compared="\n".join(compared), seen="\n".join(seen), counted="\n".join(counted),
            **{side: ",\n        ".join(of) for side, of in pins.items()}))
    with open(base + "-main.cpp", "w", encoding="utf-8") as file:
        file.write(MAIN % cycles)
    folder = os.path.abspath(base + "-obj")
    files = [os.path.abspath(base + end) for end in ("-pair.v", "-netlist.v", "-main.cpp")]
    command = ["verilator", "--cc", "--exe", "--build", "-Wno-fatal", "-Wno-lint", "-Wno-style", "-Wno-LATCH", "-Wno-UNOPTFLAT", "--x-initial", "0",
               "--x-assign", "0", "-O3", "--output-split", "20000", "-CFLAGS", "-O1", "-j", "2", "--Mdir", folder, "--top-module", "pair", "-Irtl",
               *("-D" + m for m in design.macros), *files, *sorted({*listed.modules(design.block).values(), *(listed.path_of(r) for r in RAMS)})]
    for step in (command, [os.path.join(folder, "Vpair")]):
        done = subprocess.run(step, cwd=listed.ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        with open(base + "-lockstep.log", "w", encoding="utf-8") as file:
            file.write(done.stdout)
        if done.returncode:
            raise Failure("%s failed (%d), see %s-lockstep.log: %s" % (os.path.basename(step[0]), done.returncode, base, " | ".join(
                [t for t in done.stdout.splitlines() if t.startswith("%Error")][:1] or done.stdout.splitlines()[-1:])))
    bad, opened, closed = (int(n) for n in re.search(r"lockstep: (\d+) outputs differ in \d+ cycles, (\d+) gates opened, (\d+) closed", done.stdout).groups())
    return {"differ": bad, "opened": opened, "closed": closed, "gates": len(gates),
            "first": re.findall(r"^lockstep: (cycle .*)$", done.stdout, flags=re.M)[:1]}
