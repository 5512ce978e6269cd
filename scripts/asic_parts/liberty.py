# SPDX-License-Identifier: Apache-2.0
"""What a liberty says of its cells: areas, functions, registers. Cells are found by what they do, not by their names.

A library may lie in several files, as ASAP7's does. Tools get one file of it, without the cells that its owner does not want used.
"""
import gzip
import hashlib
import itertools
import json
import os
import re

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|/\*.*?\*/|//[^\n]*|\\\r?\n|[{}();:,\n]|[^\s"{}();:,\\]+', re.S)
GATE_PINS = ("clock", "enable", "test", "out")
UNITS = {"ps": 1e-3, "ns": 1.0, "us": 1e3}


class Bad(Exception):
    pass


class Group:
    """A group of a liberty: its kind, arguments, attributes (the last of a name) and groups in it."""

    def __init__(self, kind, args):
        self.kind, self.args, self.attributes, self.groups = kind, args, {}, []

    def all(self, kind):
        return [g for g in self.groups if g.kind == kind]

    def get(self, name, default=None):
        return self.attributes.get(name, default)


def text_of(path):
    if not os.path.exists(path):
        raise Bad("found no file %s, expected a liberty: LIB=path.lib, also .lib.gz" % path)
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="latin-1") as file:
            return file.read()
    except OSError as bad:
        raise Bad("%s: %s, expected a liberty" % (path, bad)) from bad


def parse(text, path):
    """The group `library`, and of each cell where its text begins and ends."""
    stack, root, spans = [], None, {}  # STACK: the open groups, each with the place of its first word
    words, args, depth, began = [], None, 0, 0  # of a statement: its words, those between ( and ), how many ( are open, its place in TEXT

    def ends():
        nonlocal words, args
        if stack and words:
            stack[-1][0].attributes[words[0]] = args if args is not None else " ".join(words[2:]).strip('"')
        words, args = [], None
    for match in TOKEN.finditer(text):
        token = match.group()
        if token.startswith(("/*", "//", "\\")):
            continue
        if token == "{":
            if len(words) != 1 or args is None:
                raise Bad('%s: found "{" behind "%s", expected a liberty' % (path, " ".join(words)[:60]))
            group = Group(words[0], args)
            if stack:
                stack[-1][0].groups.append(group)
            elif root is None:
                root = group
            stack.append((group, began))
            words, args = [], None
        elif token == "}":
            ends()
            if not stack:
                raise Bad('%s: found "}" without "{", expected a liberty' % path)
            group, start = stack.pop()
            if group.kind == "cell" and len(stack) == 1:
                spans[group.args[0]] = (start, match.end())
        elif token == "(":
            depth += 1
            args = [] if depth == 1 else args
        elif token == ")":
            depth -= 1
        elif depth:
            if token not in (",", "\n"):
                args.append(token.strip('"'))
        elif token == ";":
            ends()
        elif token == "\n":
            # the end of `name : value` without a semicolon; behind `name (...)` a "{" may follow in another line
            if ":" in words[1:2] and len(words) > 2:
                ends()
        else:
            if args is not None and token != ":":
                ends()  # `name (...)` without a semicolon
            if not words:
                began = match.start()
            words.append(token)
    if root is None or root.kind != "library":
        raise Bad("%s: found no group `library`, expected a liberty" % path)
    if stack:
        raise Bad("%s: found %d groups without end, expected a liberty" % (path, len(stack)))
    return root, spans


# ======== functions
def evaluator(expression):
    """A liberty's Boolean expression as (its names, a Python expression)."""
    words = re.findall(r"[A-Za-z_][\w\[\]]*|[01]|[!'&*|+^()]", expression)
    at, names = 0, []

    def peek():
        return words[at] if at < len(words) else None

    def take():
        nonlocal at
        at += 1
        return words[at - 1]

    def atom():
        word = take()
        if word == "!":
            value = "(not %s)" % atom()
        elif word == "(":
            value = either()
            if peek() != ")":
                raise ValueError(expression)
            take()
        elif word in ("0", "1"):
            value = "bool(%s)" % word
        elif re.match(r"[A-Za-z_]", word):
            if word not in names:
                names.append(word)
            value = "of[%r]" % word
        else:
            raise ValueError(expression)
        while peek() == "'":
            take()
            value = "(not %s)" % value
        return value

    def differ():
        value = atom()
        while peek() == "^":
            take()
            value = "(%s != %s)" % (value, atom())
        return value

    def both():
        value = differ()
        while peek() is not None and peek() not in ("|", "+", ")"):
            if peek() in ("&", "*"):
                take()
            value = "(%s and %s)" % (value, differ())
        return value

    def either():
        value = both()
        while peek() in ("|", "+"):
            take()
            value = "(%s or %s)" % (value, both())
        return value
    try:
        value = either()
    except IndexError as bad:
        raise ValueError(expression) from bad
    if at != len(words):
        raise ValueError(expression)
    return names, value


def table(expression, inputs):
    """The values of EXPRESSION for all values of INPUTS, or None if EXPRESSION has other names or is none."""
    try:
        names, value = evaluator(expression)
    except ValueError:
        return None
    if not set(names) <= set(inputs):
        return None
    code = compile(value, expression, "eval")
    return [bool(eval(code, {"of": dict(zip(inputs, of)), "bool": bool})) for of in itertools.product((False, True), repeat=len(inputs))]


# ======== energies
def units_of(root):
    """{"farad", "volt", "watt"}: the units of loads and of energies at 1 V, the voltage, the unit of leakage."""
    load = root.get("capacitive_load_unit") or ["1", "pf"]
    leak = re.fullmatch(r"(\d+)([munp])W", root.get("leakage_power_unit", "1nW"))
    return {"farad": float(load[0]) * {"ff": 1e-15, "pf": 1e-12}[load[1].lower()], "volt": float(root.get("nom_voltage", 1)),
            "watt": int(leak.group(1)) * {"m": 1e-3, "u": 1e-6, "n": 1e-9, "p": 1e-12}[leak.group(2)] if leak else 0.0}


def numbers(texts):
    return [float(n) for text in texts for n in re.split(r"[\s,]+", text) if n]


def axes(table, templates):
    """{what an axis means: its points}, and the values of a table; the axes in their order."""
    template = templates.get(table.args[0] if table.args else "", None)
    names = [template.get("variable_%d" % i) for i in (1, 2, 3) if template.get("variable_%d" % i)] if template else []
    points = [numbers(table.get("index_%d" % (i + 1)) or template.get("index_%d" % (i + 1)) or []) for i in range(len(names))]
    return list(zip(names, points)), numbers(table.get("values") or ["0"])


def by_load(table, templates):
    """[(load, energy)] of a table of energies, at the middle one of its input's slews."""
    of, values = axes(table, templates)
    if len(values) == 1 or not of:
        return [(0.0, values[0])]
    if len(of) == 1:
        return list(zip(of[0][1], values)) if "capacitance" in of[0][0] else [(0.0, values[len(values) // 2])]
    (first, rows), (_, columns) = of[:2]
    if "capacitance" in first:
        return [(load, values[i * len(columns) + len(columns) // 2]) for i, load in enumerate(rows)]
    middle = len(rows) // 2 * len(columns)
    return list(zip(columns, values[middle:middle + len(columns)]))


def holds(when, cell, rule):
    """Whether RULE is true of any values of a cell's pins at which WHEN is, and whether it is false of any."""
    state = cell["ff"]["state"] if "ff" in cell else []
    found = set()
    names = cell["inputs"] + state[:1]
    for values in itertools.product((False, True), repeat=len(names)):
        of = dict(zip(names, values))
        if state:
            of[state[1]] = not of[state[0]]
        of.update({p: evaluate(f, of) for p, f in cell["outputs"].items() if f})
        # a gate's output is no function of its inputs
        if when is None or evaluate(when, {**{p: False for p in cell["outputs"]}, **of}):
            found.add(bool(rule(of)))
    return found


def evaluate(expression, of):
    names, value = evaluator(expression)
    return bool(eval(value, {"of": of, "bool": bool})) if all(n in of for n in names) else False


def energies(cell, out, templates):
    """What transitions cost, in the library's units: "in": of an input, "out": of an output by its load, "clock": a cycle of the clock of a register that
    keeps its value, or of a gate that is closed; the same of a register that changes, or of a gate that is open. The mean over what is not told apart."""
    got = {"in": {}, "out": {}, "clock": [0.0, 0.0]}
    gate = out.get("gate")
    clock = gate["clock"] if gate else out["ff"]["clock"].strip("()!' ") if "ff" in out else None
    for pin in cell.all("pin"):
        name = pin.args[0]
        tables = [(g.get("when"), rise.kind, by_load(rise, templates)) for g in pin.all("internal_power")
                  for rise in g.all("rise_power") + g.all("fall_power") + g.all("power")]
        if not tables:
            continue
        if name == clock:
            def moves(of):
                return of[gate["enable"]] if gate else evaluate(out["ff"]["next"], of) != of[out["ff"]["state"][0]]
            for index in (0, 1):
                for kinds in (("rise_power", "power"), ("fall_power", "power")):
                    of = [points[0][1] for when, kind, points in tables if kind in kinds and bool(index) in holds(when, out, moves)]
                    got["clock"][index] += sum(of) / max(len(of), 1)
        elif name in out["inputs"]:
            got["in"][name] = sum(points[0][1] for _, _, points in tables) / len(tables)
        else:
            tables = [p for _, _, p in tables if len(p) > 1] or [p for _, _, p in tables]
            longest = max(tables, key=len)
            got["out"][name] = [(load, sum(value_at(p, load) for p in tables) / len(tables)) for load, _ in longest]
    for name in out["outputs"]:
        got["out"].setdefault(name, [(0.0, 0.0)])
    return got


def value_at(points, load):
    """The energy of POINTS, [(load, energy)], at LOAD: on the line through the two points around it, or through the last two."""
    if len(points) == 1:
        return points[0][1]
    (x0, y0), (x1, y1) = next((pair for pair in zip(points, points[1:]) if load <= pair[1][0]), points[-2:])
    return y0 + (y1 - y0) * (load - x0) / (x1 - x0)


def described(cell, templates):
    """What is kept of a cell."""
    pins = {p.args[0]: p for p in cell.all("pin")}
    inputs = [n for n, p in pins.items() if p.get("direction") == "input"]
    outputs = {n: p.get("function", "") for n, p in pins.items() if p.get("direction") == "output"}
    out = {"area": float(cell.get("area", 0)), "inputs": inputs, "outputs": outputs, "use": cell.get("dont_use", "false").lower() != "true"}
    registers = cell.all("ff")
    if registers:
        ff = registers[0]
        out["ff"] = {"state": ff.args[:2], "clock": ff.get("clocked_on", ""), "next": ff.get("next_state", ""),
                     "plain": not any(ff.get(a) for a in ("clear", "preset"))}
    out["latch"] = bool(cell.all("latch"))
    out["load"] = {n: float(p.get("capacitance", 0)) for n, p in pins.items() if n in inputs}
    if cell.get("clock_gating_integrated_cell"):
        at = {what: next((n for n, p in pins.items() if p.get("clock_gate_%s_pin" % what, "").lower() == "true"), None) for what in GATE_PINS}
        out["gate"] = {**at, "kind": cell.get("clock_gating_integrated_cell"), "max": float(pins[at["out"]].get("max_capacitance", 0)) if at["out"] else 0}
    try:
        out["power"] = {**energies(cell, out, templates), "leak": float(cell.get("cell_leakage_power", 0))}
    except ValueError:  # a function that is none: the cell is not taken
        out["power"] = {"in": {}, "out": {}, "clock": [0.0, 0.0], "leak": 0.0}
    return out


def is_nand2(cell):
    if len(cell["inputs"]) != 2 or len(cell["outputs"]) != 1 or "ff" in cell or cell["latch"]:
        return False
    return table(next(iter(cell["outputs"].values())), cell["inputs"]) == [True, True, True, False]


def is_inverter(cell):
    if len(cell["inputs"]) != 1 or len(cell["outputs"]) != 1 or "ff" in cell or cell["latch"]:
        return False
    return table(next(iter(cell["outputs"].values())), cell["inputs"]) == [True, False]


def is_dff(cell):
    """A register with clock and one data pin: rising edge, no set, no reset, no scan."""
    ff = cell.get("ff")
    return bool(ff) and ff["plain"] and ff["clock"].strip("() ") in cell["inputs"] and ff["next"].strip("()!' ") in cell["inputs"]


def is_clock_gate(cell):
    """A clock gate with a latch for the rising edge, and no pins but clock, enable, test enable and gated clock."""
    gate = cell.get("gate")
    return (bool(gate) and gate["kind"] in ("latch_posedge", "latch_posedge_precontrol", "latch_posedge_postcontrol")
            and set(cell["inputs"]) == {gate[p] for p in ("clock", "enable", "test")} - {None} and list(cell["outputs"]) == [gate["out"]])


def is_mux2(cell):
    """A multiplexer of two inputs, in any order of its pins."""
    if len(cell["inputs"]) != 3 or len(cell["outputs"]) != 1 or "ff" in cell or cell["latch"]:
        return False
    function = next(iter(cell["outputs"].values()))
    return any(table(function, pins) == [False, False, True, True, False, True, False, True] for pins in itertools.permutations(cell["inputs"]))


def is_or2(cell):
    if len(cell["inputs"]) != 2 or len(cell["outputs"]) != 1 or "ff" in cell or cell["latch"]:
        return False
    return table(next(iter(cell["outputs"].values())), cell["inputs"]) == [False, True, True, True]


class Library:
    """The cells of the liberties PATHS, and one file of them for tools, kept in FOLDER."""

    def __init__(self, paths, folder):
        self.paths = paths
        texts = [(p, text_of(p)) for p in paths]
        self.digest = hashlib.sha256("\0".join(t for _, t in texts).encode("latin-1")).hexdigest()[:16]
        self.file = os.path.join(folder, "lib-%s.lib" % self.digest)
        kept = self.file + ".json"
        with open(__file__, encoding="utf-8") as file:
            own = hashlib.sha256(file.read().encode()).hexdigest()
        try:
            with open(kept, encoding="utf-8") as file:
                got = json.load(file)
            if got["by"] != own or not os.path.exists(self.file):
                raise ValueError
        except (OSError, ValueError, KeyError):
            got = {"by": own, **self.make(texts)}
            with open(kept, "w", encoding="utf-8") as file:
                json.dump(got, file)
        self.name, self.cells, self.ns, self.corner = got["name"], got["cells"], got["ns"], got["corner"]
        self.power = got["power"]
        used = {n: c for n, c in self.cells.items() if c["use"]}
        self.nand2 = self.least(used, is_nand2)
        self.dff = self.least(used, is_dff)
        self.inverter = self.least(used, is_inverter)
        missing = [what for what, name in (
            ("NAND gate of two inputs (one output, whose `function` is that of a NAND)", self.nand2),
            ("inverter", self.inverter),
            ("D flip-flop (group `ff` with `clocked_on` a pin, `next_state` a pin, neither `clear` nor `preset`)", self.dff)) if name is None]
        if missing:
            raise Bad("%s: found no %s, expected a library of standard cells with its combinational cells and its registers "
                      "(several files between blanks are one library: LIB=\"a.lib b.lib\")" % (" ".join(paths), ", and no ".join(missing)))
        self.nand2_area = self.cells[self.nand2]["area"]
        self.dff_clock = self.cells[self.dff]["ff"]["clock"].strip("() ")
        gates = {n: c for n, c in self.cells.items() if is_clock_gate(c)}
        # an owner who wants no gates as logic may want them as gates: such gates are used if there are no others; without a test pin if there are
        self.gates = min(({n for n, c in gates.items() if ok(c)} for ok in (
            lambda c: c["use"] and not c["gate"]["test"], lambda c: c["use"], lambda c: not c["gate"]["test"], lambda c: True)), key=lambda g: not g)
        self.gates = sorted(self.gates, key=lambda g: (gates[g]["area"], g))
        mux2, or2 = self.least(used, is_mux2), self.least(used, is_or2)
        # without such cells: three NAND and an inverter, a NAND and two inverters
        self.mux2_area = self.cells[mux2]["area"] if mux2 else 3 * self.nand2_area + self.cells[self.inverter]["area"]
        self.or2_area = self.cells[or2]["area"] if or2 else self.nand2_area + 2 * self.cells[self.inverter]["area"]
        if not self.nand2_area > 0:
            raise Bad("%s: found the area %s of %s, expected an area above 0" % (" ".join(paths), self.nand2_area, self.nand2))

    @staticmethod
    def least(cells, kind):
        """The name of the smallest cell of a kind."""
        return min(((c["area"], n) for n, c in cells.items() if kind(c)), default=(0, None))[1]

    def make(self, texts):
        cells, name, ns, out, corner, power = {}, None, None, [], {}, None
        for path, text in texts:
            root, spans = parse(text, path)
            if name is None:
                name = root.args[0] if root.args else path
                unit = re.fullmatch(r"(1|10|100)(ps|ns|us)", str(root.get("time_unit", "1ns")))
                if unit is None:
                    raise Bad("%s: found the time_unit %s, expected 1ns, 100ps, 10ps or 1ps" % (path, root.get("time_unit")))
                ns = int(unit.group(1)) * UNITS[unit.group(2)]
                corner = {k: root.get(k) for k in ("nom_process", "nom_voltage", "nom_temperature") if root.get(k)}
            templates = {g.args[0]: g for g in root.groups if g.kind.endswith("lut_template") or g.kind.endswith("table_template")}
            own = {g.args[0]: described(g, templates) for g in root.all("cell")}
            if power is None:
                power = units_of(root)
            # the file for tools: the first one's head, then the cells of all
            at, parts = 0, []
            for cell, (begin, end) in sorted(spans.items(), key=lambda s: s[1]):
                parts.append((text[at:begin], cell, text[begin:end]))
                at = end
            head = parts[0][0] if parts else text
            out.append((head, [p[2] for p in parts if (own[p[1]]["use"] or "gate" in own[p[1]]) and p[1] not in cells], text[at:], [p[0] for p in parts[1:]]))
            cells.update({c: d for c, d in own.items() if c not in cells})
        with open(self.file + ".new", "w", encoding="latin-1") as file:
            file.write(out[0][0] + "\n".join(t for _, texts_of, _, _ in out for t in texts_of) + "".join(out[0][3]) + out[0][2])
        os.replace(self.file + ".new", self.file)
        return {"name": name, "cells": cells, "ns": ns, "corner": corner, "power": power}
