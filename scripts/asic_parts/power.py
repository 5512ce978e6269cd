# SPDX-License-Identifier: Apache-2.0
"""Power of a block that is played: the inputs of a simulation, as a VCD of its ports, go into the netlist, and each toggle costs what the library says.

Without wires, the clock's tree and glitches, and without the RAMs: their accesses are counted.
"""
import collections
import os
import re
import subprocess

from asic_parts import liberty
from asic_parts.netlist import Failure

PLAYER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "player.c")
INPUTS = 6
FIELDS = ("we", "waddr", "wdata", "re", "raddr", "rdata", "", "", "")
FIELDS_TDP = ("a_we", "a_addr", "a_d", "!a_we", "a_addr", "a_q", "1", "b_addr", "b_q")
WALK = "s_axis_walk_tvalid"


# ======== the recorded ports
def recorded(path, clock="clk"):
    """(ports: bits, [{port: value}] of the changes before each rising edge of CLOCK). Values are texts of bits, the first the highest."""
    ports, names, cycles, now, last = {}, {}, [], {}, None
    with open(path, encoding="ascii", errors="replace") as file:
        for line in file:
            words = line.split()
            if words[:1] == ["$var"] and words[4] not in ports:  # the outermost is the first
                ports[words[4]] = int(words[2])
                names.setdefault(words[3], []).append(words[4])
            elif words[:1] == ["$enddefinitions"]:
                break
        if clock not in ports:
            raise Failure("%s: found no port %s, expected the VCD of the block's ports" % (path, clock))
        for line in file:
            line = line.strip()
            if line[:1] in ("b", "B"):
                value, code = line[1:].split()
            elif line[:1] in tuple("01xzXZ"):
                value, code = line[0], line[1:]
            else:
                continue
            for name in names.get(code, ()):
                if name == clock:
                    if value == "1" and last == "0":
                        cycles.append(now)
                        now = {}
                    last = value
                else:
                    now[name] = value.lower()
    return ports, cycles


def write_cycles(cycles, inputs, outputs, path):
    """INPUTS and OUTPUTS: [(port, bit)]. Returns the cycle of the first walk, and how many cycles from there on have a walk at the port."""
    place = {}
    for index, (port, bit) in enumerate(inputs + outputs):
        place.setdefault(port, []).append((bit, index))
    row = bytearray(b"0" * len(inputs) + b"x" * len(outputs))
    first, walks, walk = None, 0, "0"
    with open(path, "wb") as file:
        for number, changes in enumerate(cycles):
            for port, value in changes.items():
                for bit, index in place.get(port, ()):
                    of = value[-1 - bit] if bit < len(value) else "0" if value[0] in "01" else "x"
                    row[index] = ord(of if of in "01" else "x")
            walk = changes.get(WALK, walk)
            if walk == "1":
                first = number if first is None else first
                walks += 1
            file.write(row)
    return first, walks


# ======== the netlist
def table_of(function, pins):
    """(truth table over all INPUTS nets, nets of FUNCTION), the last inputs without effect."""
    names = sorted(pins)
    if len(names) > INPUTS:
        raise Failure("found a cell of %d inputs, expected at most %d" % (len(names), INPUTS))
    values = liberty.table(function, names[::-1])  # the last of product() changes first
    if values is None:
        raise Failure('found the function "%s", expected one of the pins %s' % (function, " ".join(names)))
    nets = [pins[n] for n in names]
    return sum(1 << i for i in range(1 << INPUTS) if values[i % len(values)]), nets + [0] * (INPUTS - len(nets))


class Played:
    """A netlist with nets that count from 0, in the form of player.c: cells in the order of evaluation."""

    def __init__(self, netlist, library):
        self.netlist, self.library, self.index = netlist, library, {"0": 0, "1": 1, "x": 0}
        gates, self.registers = {}, []
        for at, (kind, pins, _, _) in enumerate(netlist.cells):
            if kind in netlist.gates:
                gates[pins[netlist.gates[kind]["out"]]] = len(gates)
        self.enables, waits = [], []
        for at, (kind, pins, _, _) in enumerate(netlist.cells):
            cell, of = library.cells[kind], {p: self.net(n) for p, n in pins.items()}
            ins = {p: n for p, n in of.items() if p in cell["inputs"]}
            if kind in netlist.gates:
                gate = netlist.gates[kind]
                self.enables.append(self.net(("enable", at)))
                waits.append((" + ".join(gate[p] for p in ("enable", "test") if gate[p]), {gate[p]: of[gate[p]] for p in ("enable", "test") if gate[p]},
                              self.enables[-1]))
                continue
            if "ff" in cell:
                clock = pins[netlist.registers[kind]]
                state, after = self.net(("state", at)), self.net(("next", at))
                self.registers.append((after, state, gates.get(clock, -1), at))
                waits.append((cell["ff"]["next"], {p: n for p, n in ins.items() if p != netlist.registers[kind]}, after))
                for pin, function in cell["outputs"].items():
                    if pin in of:
                        other = function.strip("()!' ") == cell["ff"]["state"][1]
                        text = re.sub(r"\b(%s|%s)\b" % tuple(cell["ff"]["state"]), "S", function)
                        waits.append(("!(%s)" % text if other else text, {"S": state}, of[pin]))
                continue
            waits += [(function, ins, of[p]) for p, function in cell["outputs"].items() if p in of]
        sources = {out: (function, ins) for function, ins, out in waits}
        self.cells = [(*table_of(*sources[out]), out) for out in order({out: list(ins.values()) for out, (_, ins) in sources.items()})]
        self.rams = [self.ram(*r[:4]) for r in netlist.rams]
        self.inputs = [(p, i, self.net(n)) for p, (d, nets) in netlist.ports.items() if d == "input" for i, n in enumerate(nets)]
        self.outputs = [(p, i, self.net(n)) for p, (d, nets) in netlist.ports.items() if d == "output" for i, n in enumerate(nets)]

    def net(self, net):
        return 0 if net == "x" else self.index.setdefault(net, len(self.index))

    def ram(self, template, words, width, pins):
        out = [words, width]
        for field in FIELDS if template == "gmmu_ram_sdp" else FIELDS_TDP:
            if field in ("1", "!a_we"):
                nets = [1]  # port A's output after a write is of no use to the blocks
            else:
                nets = [self.net(n) for n in pins.get(field, ())]
            out.append(nets)
        return out

    def write(self, path):
        def nets(of):
            return "%d %s\n" % (len(of), " ".join(map(str, of)))
        with open(path, "w", encoding="ascii") as file:
            file.write("%d %d\n" % (len(self.index), len(self.cells)))
            file.writelines("%x %s %d\n" % (table, " ".join(map(str, of)), out) for table, of, out in self.cells)
            file.write(nets(self.enables))
            file.write("%d\n" % len(self.registers))
            file.writelines("%d %d %d\n" % r[:3] for r in self.registers)
            file.write("%d\n" % len(self.rams))
            for ram in self.rams:
                file.write("%d %d\n" % tuple(ram[:2]) + "".join(nets(of) for of in ram[2:]))
            file.write(nets([n for _, _, n in self.inputs]) + nets([n for _, _, n in self.outputs]))


def order(sources):
    """The nets of SOURCES, {net: nets that it depends on}, each behind what it depends on."""
    users, waits = collections.defaultdict(list), {}
    for out, ins in sources.items():
        before = {n for n in ins if n in sources}
        waits[out] = len(before)
        for net in before:
            users[net].append(out)
    todo, done = [n for n, count in waits.items() if not count], []
    while todo:
        net = todo.pop()
        done.append(net)
        for user in users[net]:
            waits[user] -= 1
            if not waits[user]:
                todo.append(user)
    if len(done) != len(sources):
        raise Failure("found a loop of %d gates in the netlist, expected none" % (len(sources) - len(done)))
    return done


# ======== toggles times energies
def energies(netlist, library, played, toggles, opened, cycles):
    """{"clock", "registers", "gates", "logic"}: joules of all CYCLES; and watts of leakage."""
    unit, volts = library.power["farad"], library.power["volt"]
    loads = collections.defaultdict(float)
    for kind, pins, _, _ in netlist.cells:
        for pin, farads in library.cells[kind]["load"].items():
            if pin in pins:
                loads[pins[pin]] += farads
    number = {pins[netlist.gates[kind]["out"]]: i for i, (kind, pins) in enumerate((k, p) for k, p, _, _ in netlist.cells if k in netlist.gates)}
    runs = {net: opened[i] for net, i in number.items()}  # cycles of each gated clock
    out = collections.Counter(clock=0, registers=0, gates=0, logic=0)
    leak = 0.0
    clocks = set()
    for kind, pins, _, _ in netlist.cells:
        cell = library.cells[kind]
        power = cell["power"]
        leak += power["leak"]
        group = "registers" if kind in netlist.registers else "gates" if kind in netlist.gates else "logic"
        clock = netlist.registers.get(kind) or netlist.gates.get(kind, {}).get("clock")

        def count(pin):
            return toggles[played.index[pins[pin]]] if pins[pin] in played.index else 0
        if clock:
            edges = runs.get(pins[clock], cycles)
            clocks.add(pins[clock])
            busy = runs[pins[netlist.gates[kind]["out"]]] if kind in netlist.gates else min(edges, max(count(p) for p in cell["outputs"] if p in pins))
            out["clock"] += (edges - busy) * power["clock"][0] + busy * power["clock"][1]
        for pin, energy in power["in"].items():
            if pin in pins and pin != clock:
                out[group] += count(pin) * energy
        for pin, points in power["out"].items():
            if pin in pins:
                load = loads[pins[pin]]
                times = 2 * runs[pins[pin]] if pins[pin] in runs else count(pin)
                out["clock" if pins[pin] in runs else group] += times * (liberty.value_at(points, load) + load * volts * volts / 2)
            elif kind in netlist.registers:  # the output that is not used turns over with the other one
                out[group] += max(count(p) for p in cell["outputs"] if p in pins) * points[0][1]
    # what drives the block's clock, and its inputs, is outside; their pins are here
    out["clock"] += sum(cycles * loads[n] * volts * volts for n in clocks if n not in runs)
    inputs = {n for d, nets in netlist.ports.values() if d == "input" for n in nets} - clocks
    out["logic"] += sum(toggles[played.index[n]] * loads[n] * volts * volts / 2 for n in inputs if n in played.index)
    return {k: v * unit for k, v in out.items()}, leak * library.power["watt"]


def measure(netlist, library, path, base):
    """Plays the VCD PATH. Returns what asic.py prints."""
    ports, cycles = recorded(path)
    played = Played(netlist, library)
    missing = sorted({p for p, _, _ in played.inputs if p not in ports} - {"clk"})
    if missing:
        raise Failure("%s: found no port %s, expected the ports of the block" % (path, " ".join(missing[:5])))
    played.inputs = [i for i in played.inputs if i[0] != "clk"]
    played.write(base + ".played")
    first, walks = write_cycles(cycles, [i[:2] for i in played.inputs], [o[:2] for o in played.outputs], base + ".cycles")
    if first is None:
        raise Failure("%s: found no walk, expected %s 1 in a cycle" % (path, WALK))
    said = []
    for command in (["cc", "-std=c17", "-O2", "-o", base + ".player", PLAYER], [base + ".player", base + ".played", base + ".cycles", str(first)]):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise Failure("%s failed (%d): %s" % (command[0], done.returncode, done.stderr.strip()[:300]))
        said = done
    numbers = [int(n) for n in said.stdout.split()]
    count, differ, never = numbers[:3]
    numbers = numbers[3:]
    nets, gates = len(played.index), len(played.enables)
    toggles, opened, rams = numbers[:nets], numbers[nets:nets + gates], numbers[nets + gates:]
    joules, leak = energies(netlist, library, played, toggles, opened, count)
    where = [int(w) for w in re.findall(r"^differ \d+ (\d+)$", said.stderr, flags=re.M)]
    for end in (".played", ".cycles", ".player"):
        os.remove(base + end)
    return {"cycles": count, "from": first, "walks": walks, "differ": differ, "never": never, "at": sorted({played.outputs[w][0] for w in where}),
            "joules": joules, "leak": leak,
            "clocked": sum(opened[g] if g >= 0 else count for _, _, g, _ in played.registers) / (count * max(len(played.registers), 1)),
            "reads": [(r[0], r[1], a, b) for r, a, b in zip(netlist_sizes(netlist), rams[::2], rams[1::2])]}


def netlist_sizes(netlist):
    return [(words, width) for _, words, width, _, _ in netlist.rams]
