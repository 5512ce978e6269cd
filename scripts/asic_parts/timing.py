# SPDX-License-Identifier: Apache-2.0
"""The longest paths of a netlist, by OpenSTA: from register to register, behind RAMs, in front of RAMs. Wires have no length and no load of their own."""
import os
import re
import shutil
import subprocess

from asic_parts.netlist import RAM_OUTPUTS, Failure

PERIOD_NS = 100.0
SCRIPT = """read_liberty {lib}
read_verilog {base}.v
link_design top
create_clock -name clk -period {period} [get_ports {{{clk}}}]
puts "== registers"
report_checks -format full -digits 4
set_input_delay 0 -clock clk [get_ports -quiet {{{outs}}}]
puts "== behind"
report_checks -from [get_ports -quiet {{{outs}}}] -format full -digits 4
set_output_delay 0 -clock clk [get_ports -quiet {{{ins}}}]
puts "== front"
report_checks -from [all_registers -clock_pins] -to [get_ports -quiet {{{ins}}}] -format full -digits 4
"""


def tool():
    """The program of OpenSTA, or None."""
    return shutil.which("sta")


def version():
    done = subprocess.run([tool(), "-version"], capture_output=True, text=True, check=False)
    return "OpenSTA " + (done.stdout + done.stderr).strip()


def write_verilog(netlist, path):
    """One module, whose nets and cells are numbers. RAMs are cut out: their outputs are ports of the module, and their inputs too.
    Returns (ports of clocks, ports that RAMs drive, ports that drive RAMs). A block may have several inputs for the one clock."""
    def name(net):
        return "n%d" % net if isinstance(net, int) else "1'b1" if net == "1" else "1'b0"
    driven, inputs, outs, ins = set(), set(), set(), set()
    for kind, pins, _, _ in netlist.cells:
        driven.update(n for p, n in pins.items() if p in netlist.outputs[kind])
    for _, (direction, nets) in netlist.ports.items():
        if direction == "input":
            inputs.update(n for n in nets if isinstance(n, int))
    ungated = {pins[netlist.gates[kind]["out"]]: pins[netlist.gates[kind]["clock"]] for kind, pins, _, _ in netlist.cells if kind in netlist.gates}
    clocks = {pins[netlist.registers[kind]] for kind, pins, _, _ in netlist.cells if kind in netlist.registers}
    clocks = {ungated.get(c, c) for c in clocks}
    if not clocks <= inputs:
        raise Failure("found registers whose clock is no input of the block and no clock gate's, expected one of these")
    for template, _, _, pins, _ in netlist.rams:
        for pin, nets in pins.items():
            nets = {n for n in nets if isinstance(n, int)}
            if pin in RAM_OUTPUTS:
                outs |= nets - driven
            elif pin != "clk":
                ins |= nets
    ins = {n for n in ins if n in driven}
    inputs |= outs
    used = {n for _, pins, _, _ in netlist.cells for n in pins.values() if isinstance(n, int)}
    inputs = {n for n in inputs if n in used}
    outs &= inputs
    with open(path, "w", encoding="utf-8") as file:
        file.write("module top (%s);\n" % ", ".join(name(n) for n in sorted(inputs) + sorted(ins - inputs)))
        file.writelines("input %s;\n" % name(n) for n in sorted(inputs))
        file.writelines("output %s;\n" % name(n) for n in sorted(ins - inputs))
        for index, (kind, pins, _, _) in enumerate(netlist.cells):
            file.write("%s c%d (%s);\n" % (kind, index, ", ".join(".%s(%s)" % (p, name(n)) for p, n in pins.items())))
        file.write("endmodule\n")
    return sorted(name(n) for n in clocks), sorted(name(n) for n in outs), sorted(name(n) for n in ins - inputs)


def named(netlist, what):
    """The name in the source of a port or a cell of write_verilog()'s; a clock gate is that of the register behind it whose name is the shortest."""
    if what.startswith("n"):
        return netlist.names.get(int(what[1:]), what)
    kind, pins, _, _ = found = netlist.cells[int(what[1:])]
    if kind in netlist.gates:
        behind = [c for c in netlist.cells if c[0] in netlist.registers and c[1][netlist.registers[c[0]]] == pins[netlist.gates[kind]["out"]]]
        return "gate of " + min((n for c in behind for n in names_of(netlist, c)), key=lambda n: (len(n), n), default=behind[0][3])
    return min(names_of(netlist, found), key=len, default=found[3])


def names_of(netlist, cell):
    kind, pins, _, _ = cell
    return [netlist.names[n] for p, n in pins.items() if p in netlist.outputs[kind] and n in netlist.names]


def path_of(text, netlist, ns):
    """{ns, from, to, levels} of a report's first path, or None. Names are those of the source."""
    start = re.search(r"^Startpoint: (\S+)", text, re.M)
    if start is None or "No paths found" in text:
        return None
    slack = re.search(r"^\s+(-?[\d.]+)\s+slack", text, re.M)
    end = re.search(r"^Endpoint: (\S+)", text, re.M)
    steps = re.findall(r"^\s+[\d.-]+\s+[\d.-]+ [\^v] (\S+)/\S+ \((\S+)\)", text, re.M)
    cells = {s[0] for s in steps}
    registers = {c for c in (start.group(1), end.group(1)) if c.startswith("c")}
    return {"ns": round((PERIOD_NS / ns - float(slack.group(1))) * ns, 3), "from": named(netlist, start.group(1)), "to": named(netlist, end.group(1)),
            "levels": len(cells - registers)}


def paths(netlist, library, base):
    """{"registers", "behind", "front"}: the longest path from register to register, from a RAM's output to a register, from a register to
    a RAM's input. The RAM's own time is in none of them."""
    clocks, outs, ins = write_verilog(netlist, base + ".v")
    with open(base + ".tcl", "w", encoding="utf-8") as file:
        file.write(SCRIPT.format(lib=library.file, base=base, period=PERIOD_NS / library.ns, clk=" ".join(clocks), outs=" ".join(outs), ins=" ".join(ins)))
    done = subprocess.run([tool(), "-no_splash", "-no_init", "-exit", base + ".tcl"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    with open(base + ".sta.log", "w", encoding="utf-8") as file:
        file.write(done.stdout)
    parts = re.split(r"^== (\w+)$", done.stdout, flags=re.M)
    if done.returncode or len(parts) != 7:
        raise Failure("sta failed (%d), see %s.sta.log: %s" % (done.returncode, base, " | ".join(done.stdout.strip().splitlines()[-2:])))
    for end in (".v", ".tcl"):
        os.remove(base + end)
    return {what: path_of(text, netlist, library.ns) for what, text in zip(parts[1::2], parts[2::2])}


def levels(netlist, _library):
    """As paths(), without OpenSTA: the number of cells of the longest path from register to register, and no time."""
    driver, users, waits, depth = {}, {}, {}, {}
    gates = {i for i, c in enumerate(netlist.cells) if c[0] in netlist.gates}  # paths end there, and none begins
    registers = [i for i, c in enumerate(netlist.cells) if c[0] in netlist.registers]
    for index, (kind, pins, _, _) in enumerate(netlist.cells):
        for pin, net in pins.items():
            if pin in netlist.outputs[kind]:
                driver[net] = index
    for index, (kind, pins, _, _) in enumerate(netlist.cells):
        sources = {driver[n] for p, n in pins.items() if p not in netlist.outputs[kind] and n in driver}
        if kind not in netlist.registers and index not in gates:
            waits[index] = len(sources)
        for source in sources - gates:
            users.setdefault(source, []).append(index)
    # (cells on the path, the register where the path begins); none begins at a port or a RAM
    depth = {i: (0, i) for i in registers}
    todo, best = registers + [i for i, n in waits.items() if n == 0], None
    while todo:
        index = todo.pop()
        for user in users.get(index, ()):
            if user in waits:
                if index in depth:
                    depth[user] = max(depth.get(user, (0, index)), (depth[index][0] + 1, depth[index][1]))
                waits[user] -= 1
                if waits[user] == 0:
                    todo.append(user)
            elif index in depth:
                best = max(best or (0, index, user), depth[index] + (user,))
    if best is None:
        return {"registers": None, "behind": None, "front": None}
    return {"registers": {"ns": None, "from": named(netlist, "c%d" % best[1]), "to": named(netlist, "c%d" % best[2]), "levels": best[0]},
            "behind": None, "front": None}
