# SPDX-License-Identifier: Apache-2.0
"""Registers behind block RAMs of an ECP5 become the RAMs' own output registers, which Yosys leaves unused.

A RAM's word comes 5.8 ns after the clock, the word of its output register 1.0 ns after the next clock (nextpnr's data, speed 6). A port is changed
if each bit in use goes to a flip-flop and nowhere else, and the flip-flops have the port's clock, one enable or none, no reset and no first value.
The output register then has the flip-flops' value in every cycle.
"""
from placer import netlist


def loads_of(mod):
    """{bit: how many cells' inputs and ports of the module take it}"""
    loads = {}
    for port in mod["ports"].values():
        if port["direction"] != "input":
            for bit in port["bits"]:
                loads[bit] = loads.get(bit, 0) + 1
    for cell in mod["cells"].values():
        for name, bits in cell["connections"].items():
            if cell["port_directions"][name] != "output":
                for bit in bits:
                    loads[bit] = loads.get(bit, 0) + 1
    return loads


def plain(ff, clock, firsts):
    """It has the port's clock, no reset, no first value."""
    p, c = ff["parameters"], ff["connections"]
    return (c["CLK"] == clock and p.get("CLKMUX", "CLK") == "CLK" and p.get("CEMUX", "1").strip() in ("1", "CE") and c.get("LSR", ["0"]) == ["0"] and
            p.get("LSRMUX", "LSR") == "LSR" and p.get("REGSET", "RESET") == "RESET" and c["Q"][0] not in firsts)


def enable(ff):
    return ff["connections"]["CE"] if ff["parameters"].get("CEMUX", "1").strip() == "CE" else ["1"]


def outputs(ram, half):
    return {name: bits[0] for name, bits in ram["connections"].items() if name.startswith("DO" + half) and ram["port_directions"][name] == "output"}


def pack_module(mod):
    """How many flip-flops went into RAMs."""
    loads = loads_of(mod)
    firsts = {bit for net in mod["netnames"].values() if "init" in net.get("attributes", {})
              for bit, value in zip(net["bits"], reversed(net["attributes"]["init"])) if value != "x"}
    takes = {}  # bit: flip-flop that has it
    for name, cell in mod["cells"].items():
        if cell["type"] == "TRELLIS_FF":
            for port in ("DI", "M"):
                if port in cell["connections"]:
                    takes[cell["connections"][port][0]] = name
    packed = 0
    for ram in [c for c in mod["cells"].values() if c["type"] == "DP16KD"]:
        wide = int(ram["parameters"]["DATA_WIDTH_A"], 2) == 36 or int(ram["parameters"]["DATA_WIDTH_B"], 2) == 36  # both halves are one port
        for halves in ["AB"] if wide else ["A", "B"]:
            used = {name: bit for half in halves for name, bit in outputs(ram, half).items() if loads.get(bit)}
            ffs = {name: takes[bit] for name, bit in used.items() if bit in takes and loads[bit] == 1}
            clock = ram["connections"]["CLK" + halves[-1]]
            if not used or len(ffs) != len(used) or any(ram["parameters"]["REGMODE_" + h] != "NOREG" or
                                                        ram["parameters"].get("CLK%sMUX" % h, "CLK" + h) != "CLK" + h for h in halves):
                continue
            cells = [mod["cells"][ff] for ff in ffs.values()]
            if not all(plain(ff, clock, firsts) for ff in cells) or len({str(enable(ff)) for ff in cells}) != 1:
                continue
            for half in halves:
                ram["parameters"]["REGMODE_" + half] = "OUTREG"
                ram["connections"]["OCE" + half] = enable(cells[0])
            for name, ff in ffs.items():
                ram["connections"][name] = mod["cells"].pop(ff)["connections"]["Q"]
            packed += len(ffs)
    return packed


def pack(path, out=None):
    """Changes the file PATH (Yosys' JSON), or writes the file OUT; returns how many flip-flops are gone."""
    design = netlist.load(path)
    packed = sum(pack_module(mod) for mod in design["modules"].values() if not int(mod.get("attributes", {}).get("blackbox", "0"), 2))
    netlist.save(design, out or path)
    return packed
