# SPDX-License-Identifier: Apache-2.0
"""Clock gates in place of multiplexers: registers of one clock and one enable get a gated clock.

Yosys gives registers an enable and a reset of their own. Each group of one enable is cut into as few and as small gates as the load that the library's
gates may drive allows. Where a reset overrides the enable, the gate opens for the reset too. Groups that are too small stay as they are.
The gates of the RTL, lib/gmmu_clk_gate, make whole blocks rest, and are not in a netlist of this flow.
"""
import math

# kind of register: does a reset override the enable, and the value of the reset
ENABLED = {"$_DFFE_PP_": (False, None), "$_SDFFE_PP0P_": (True, 0), "$_SDFFE_PP1P_": (True, 1), "$_SDFFCE_PP0P_": (False, 0), "$_SDFFCE_PP1P_": (False, 1)}
PLAIN, OR, AND_NOT = "$_DFF_P_", "$_OR_", "$_ANDNOT_"


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
    """Changes MODULE, Yosys' JSON of a module: groups of FEWEST registers of ENABLED and more get gates, and are PLAIN then.
    Returns how many gates there are, and how many registers behind them."""
    cells = module["cells"]
    groups = {}
    for name in sorted(c for c, d in cells.items() if d["type"] in ENABLED):
        pins = cells[name]["connections"]
        overrides, _ = ENABLED[cells[name]["type"]]
        groups.setdefault((pins["C"][0], pins["E"][0], pins["R"][0] if overrides else None), []).append(name)
    fresh = 1 + max((b for d in [*cells.values(), *module["netnames"].values(), *module["ports"].values()]
                     for bits in (d["connections"].values() if "connections" in d else [d["bits"]]) for b in bits if isinstance(b, int)), default=1)
    placed = gated = 0

    def add(name, kind, pins, out):
        """A new cell, and the net that it drives."""
        nonlocal fresh
        fresh += 1
        connections = {**{p: [n] for p, n in pins.items()}, out: [fresh - 1]}
        cells[name] = {"hide_name": 1, "type": kind, "parameters": {}, "attributes": {}, "connections": connections,
                       "port_directions": {p: "output" if p == out else "input" for p in connections}}
        return fresh - 1
    for (clock, enable, reset), names in groups.items():
        chosen = choose(library, len(names)) if len(names) >= fewest and isinstance(enable, int) else []
        if chosen and reset is not None:
            enable = add("$opens$" + names[0], OR, {"A": enable, "B": reset}, "Y")
        at = 0
        for kind, number in chosen:
            gate = library.cells[kind]["gate"]
            behind = add("$clock_gate$%d" % placed, kind, {gate["clock"]: clock, gate["enable"]: enable, **({gate["test"]: "0"} if gate["test"] else {})},
                         gate["out"])
            for name in names[at:at + number]:
                pins, (_, value) = cells[name]["connections"], ENABLED[cells[name]["type"]]
                data = pins["D"][0]
                if value is not None:
                    data = add("$reset$" + name, OR if value else AND_NOT, {"A": data, "B": pins["R"][0]}, "Y")
                cells[name].update({"type": PLAIN, "connections": {"C": [behind], "D": [data], "Q": pins["Q"]},
                                    "port_directions": {"C": "input", "D": "input", "Q": "output"}})
            at, gated, placed = at + number, gated + number, placed + 1
    return placed, gated
