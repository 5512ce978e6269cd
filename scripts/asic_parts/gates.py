# SPDX-License-Identifier: Apache-2.0
"""Clock gates in place of multiplexers: registers of one clock and one enable get a gated clock.

Yosys brings registers with an enable to $_DFFE_PP_; a synchronous reset becomes part of enable and data there. Each group of them is cut into as few
and as small gates as the load that the library's gates may drive allows. Groups that are too small get multiplexers.
The gates of the RTL, lib/gmmu_clk_gate, make whole blocks rest, and are not in a netlist of this flow.
"""
import math

ENABLED, PLAIN, MUX = "$_DFFE_PP_", "$_DFF_P_", "$_MUX_"


def least(library):
    """From how many registers on a gate pays: the multiplexers' area exceeds that of a gate and of the OR by which a reset opens it. 0: no gates there."""
    if not library.gates:
        return 0
    gate = min(library.cells[g]["area"] for g in library.gates)
    return math.floor((gate + library.or2_area) / library.mux2_area) + 1


def choose(library, number):
    """Gates for NUMBER registers: [(cell, registers behind it)], the least area whose loads are allowed."""
    load = library.cells[library.dff]["load"].get(library.dff_clock, 0)
    best = None
    for kind in library.gates:
        cell = library.cells[kind]
        most = number if not load or not cell["gate"]["max"] else int(cell["gate"]["max"] // load)
        if most:
            best = min(best or (math.inf,), (math.ceil(number / most) * cell["area"], kind, math.ceil(number / most)))
    if best is None:
        return []
    _, kind, count = best
    return [(kind, number // count + (i < number % count)) for i in range(count)]


def insert(module, library, fewest):
    """Changes MODULE, Yosys' JSON of a module: no register of ENABLED is left. Returns how many gates there are, and how many registers behind them."""
    cells = module["cells"]
    groups = {}
    for name in sorted(c for c, d in cells.items() if d["type"] == ENABLED):
        pins = cells[name]["connections"]
        groups.setdefault((pins["C"][0], pins["E"][0]), []).append(name)
    fresh = 1 + max((b for d in [*cells.values(), *module["netnames"].values(), *module["ports"].values()]
                     for bits in (d["connections"].values() if "connections" in d else [d["bits"]]) for b in bits if isinstance(b, int)), default=1)
    placed = gated = 0

    def add(name, kind, pins, out):
        cells[name] = {"hide_name": 1, "type": kind, "parameters": {}, "attributes": {}, "connections": pins,
                       "port_directions": {p: "output" if p == out else "input" for p in pins}}
    for (clock, enable), names in groups.items():
        chosen = choose(library, len(names)) if len(names) >= fewest and isinstance(enable, int) else []
        at = 0
        for kind, number in chosen:
            gate = library.cells[kind]["gate"]
            pins = {gate["clock"]: [clock], gate["enable"]: [enable], gate["out"]: [fresh], **({gate["test"]: ["0"]} if gate["test"] else {})}
            add("$clock_gate$%d" % placed, kind, pins, gate["out"])
            placed += 1
            for name in names[at:at + number]:
                change(cells[name], fresh)
            at, gated, fresh = at + number, gated + number, fresh + 1
        for name in names[at:]:
            pins = cells[name]["connections"]
            add("$keep$" + name, MUX, {"A": pins["Q"], "B": pins["D"], "S": [enable], "Y": [fresh]}, "Y")
            change(cells[name], clock, [fresh])
            fresh += 1
    return placed, gated


def change(cell, clock, data=None):
    """The register CELL without its enable: at CLOCK it takes DATA (else what it took with the enable)."""
    pins = cell["connections"]
    cell["type"] = PLAIN
    cell["connections"] = {"C": [clock], "D": data or pins["D"], "Q": pins["Q"]}
    cell["port_directions"] = {"C": "input", "D": "input", "Q": "output"}
