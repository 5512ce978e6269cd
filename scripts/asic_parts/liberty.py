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


def described(cell):
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
        cells, name, ns, out, corner = {}, None, None, [], {}
        for path, text in texts:
            root, spans = parse(text, path)
            if name is None:
                name = root.args[0] if root.args else path
                unit = re.fullmatch(r"(1|10|100)(ps|ns|us)", str(root.get("time_unit", "1ns")))
                if unit is None:
                    raise Bad("%s: found the time_unit %s, expected 1ns, 100ps, 10ps or 1ps" % (path, root.get("time_unit")))
                ns = int(unit.group(1)) * UNITS[unit.group(2)]
                corner = {k: root.get(k) for k in ("nom_process", "nom_voltage", "nom_temperature") if root.get(k)}
            own = {g.args[0]: described(g) for g in root.all("cell")}
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
        return {"name": name, "cells": cells, "ns": ns, "corner": corner}
