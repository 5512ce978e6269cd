#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
r"""against.py REV BLOCK [SIZES] [options]: proves that a module's RTL does in every cycle what it did at the revision REV.

The old and the new module run side by side on the same inputs at SIZES (tiny; or tiny.FRAMES3.LINES4,
scripts/config_args.py). Reset comes at any time. From the third cycle of reset on every output must be equal in every
cycle. Registers and RAMs (ram_sdp, ram_tdp) are paired by name; a module in between may add a prefix to a name, on
either side. Paired registers start with the same unknown value. Paired RAMs return the same words, which are
arbitrary; the read addresses and the written words of both RAMs must be equal. abc proves that no comparison ever
fails, for all time, or shows a comparison that fails. All clocks count as one clock. Logs: build/against/BLOCK-SIZES.
Exit status 0: proved; 1: the two differ; 3: undecided.

    against.py HEAD fault_queue                              file and module are found under rtl/, as x or gmmu_x
    against.py HEAD turns --module turns=rr_arbiter          a module of another name: NEW=OLD
    against.py HEAD ppuc --protocol                          the callers keep to the protocol of scripts/miter.py
    against.py HEAD segment --rename 'rest_(.*)=left_\1'     part of the name of a register or RAM that changed, NEW=OLD
    against.py HEAD learner --apart ref_rit ppuc             these modules are cut out: their inputs are compared,
                                                             their outputs are free and the same on both sides
    against.py HEAD walk_pipe --set SAMP_W=6                 a parameter that SIZES does not give, on both sides
    against.py HEAD side_port --zero                         all registers start at 0; for RTL with many new names

Ports. A new port may have the name and the bits of a bundle or stream of config/gmmu.json. If the old RTL has no such
port, the new port is split: field `asid` of port `w9` is the old port `w9_asid`; field `asid` of port `w3_page` is
`w3_asid`, where the bundle is `page`. The ports of the old RTL are split likewise, by the layouts of its time. Options
state all other pairs. A port of an instance that was cut out is INSTANCE.PORT, there and in these options:

    --bundle d_data=decision:d         the port d_data has the layout of the bundle or stream `decision`; its fields (or
                                       the first fields, as many as the port has bits for) are d_...
    --field held.asid=f_asid           name of the field in the old RTL
    --old 's3_fill=side.valid && side.kind == 4'\''d1'   an old port as an expression of new ports and PORT.FIELD: the
                                       expression feeds an input; an output must be equal to the expression
    --gone stat_old                    an output of the old RTL that the new RTL lacks; all other missing outputs are errors
    @FILE                              options from a file, one a line: --field=held.asid=f_asid
    --bits 'w(\d)[walk.asid]=w\1[21:20]'  bits of a register, NEW[RANGE]=OLD[RANGE]; a range is H:L, N, LAYOUT.FIELD or empty
"""
import argparse
import copy
import glob
import io
import json
import os
import re
import subprocess
import sys
import tarfile

import blocks
import config_args
import miter
import tools
from gen import description

ROUNDS = 12  # of letting a register that differs go on its own
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# RAM -> its ports, what answers, and what is compared: name, width as of the port, condition
RAMS = {
    "ram_sdp": {"ports": "input wire we, re, input wire [ADDR_W-1:0] waddr, raddr, input wire [WIDTH-1:0] wdata, output wire [WIDTH-1:0] rdata",
                "answers": ["rdata"], "asks": [("re", None), ("raddr", "re"), ("we", None), ("waddr", "we"), ("wdata", "we")]},
    "ram_tdp": {"ports": "input wire a_we, input wire [ADDR_W-1:0] a_addr, b_addr, input wire [WIDTH-1:0] a_d, output wire [WIDTH-1:0] a_q, b_q",
                "answers": ["a_q", "b_q"], "asks": [("a_we", None), ("a_addr", None), ("a_d", "a_we"), ("b_addr", None)]},
}
RAM = """module %(name)s #(
    parameter WIDTH = 8, parameter DEPTH = 16, parameter FLIPS = 1, parameter ONCE = 0, parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input wire clk, %(ports)s
);
%(body)sendmodule
"""
SIDE = """read_verilog %(defines)s %(include)s %(files)s
%(rams)s
%(chparam)s
hierarchy -check -top %(top)s
rename -top %(block)s
proc
%(keep)s
flatten
write_rtlil %(out)s-flat.il
write_json %(out)s-flat.json
"""
CUT = """read_rtlil %(out)s-flat.il
%(cut)s
hierarchy -top %(block)s
memory_collect
memory_map
setundef -zero
opt_clean
write_rtlil %(out)s.il
write_json %(out)s.json
"""
BOTH = """read_rtlil %(dir)s/gold.il
rename %(block)s gold
read_rtlil %(dir)s/gate.il
rename %(block)s gate
read_verilog -formal %(dir)s/same.v
prep -flatten -top same
async2sync
dffunmap
setundef -undriven -zero
opt_clean
techmap
dffunmap
opt_clean
abc -g AND -fast
opt_clean
%(zero)s
write_aiger -zinit -map %(dir)s/same.map -ascii %(dir)s/same.aag
"""


def stop(text):
    sys.exit("against.py: " + text)


def run_yosys(script, folder, name):
    path = os.path.join(folder, name)
    with open(path + ".ys", "w", encoding="utf-8") as file:
        file.write(script)
    if subprocess.run(["yosys", "-q", "-l", path + ".log", "-s", path + ".ys"], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        stop("Yosys failed: %s.log" % path)


def bare(name):
    return name[len(blocks.PREFIX):] if name.startswith(blocks.PREFIX) else name


# ======== sizes and layouts


def sizes_of(src, sizes, sets):
    """Every size of SIZES, the derived ones and those of modules among them."""
    config, *changes = sizes.split(".")
    src = copy.deepcopy(src)
    values = src["configurations"][config]
    for change in changes:
        name, value = re.fullmatch(r"([A-Z][A-Z_0-9]*?)(\d+)", change).groups()
        values[name] = int(value)
    values = description.with_derived(src, config)
    for name, terms in src["module_parameters"].items():
        values[name] = sum(int(t) if t.isdigit() else values[t] for t in terms.split(" + "))
    return {**values, **sets}


def layouts_of(src, values):
    """{name: [(field, offset, width)]} of bundles and streams, by name and key; without those whose sizes are not known."""
    found = {}
    for entry in src["streams"] + src.get("bundles", []):
        try:
            fields, at = [], 0
            for field, width, *_ in entry["fields"]:
                fields.append((field, at, description.width_in(width, values)))
                at += fields[-1][2]
        except KeyError:
            continue
        for name in {entry["name"], description.key_of(entry), description.key_of(entry).lower()}:
            found[name] = fields
    return found


# ======== a side's netlist


def find(rtl, name):
    """(file, module) of the module NAME, with or without prefix, anywhere under the folder rtl."""
    for module in (name, blocks.PREFIX + name):
        for path in sorted(glob.glob(rtl + "/**/*.v", recursive=True)):
            with open(path, encoding="utf-8") as file:
                if re.search(r"^\s*module\s+%s\b" % module, file.read(), flags=re.M):
                    return path, module
    return None, None


def kind(cell):
    """The module of a cell, without its parameters."""
    found = re.match(r"\$paramod(?:\$[0-9a-f]+)?\\(\w+)", cell)
    return found.group(1) if found else cell


def parameters(module):
    return {n: int(v, 2) for n, v in module.get("parameter_default_values", {}).items() if isinstance(v, str) and re.fullmatch("[01]+", v)}


def elaborate(block, name, rtl, folder, args, src):
    """A flat netlist of the module but for its RAMs and what is cut out; its module as JSON, the values of its parameters, and the same of each
    instance that was cut out. A module is called as in the new RTL, on both sides."""
    olds = args.modules if name == "gold" else {}
    path, top = find(rtl, olds.get(block, block))
    if path is None:
        stop("found no module %s under %s" % (olds.get(block, block), rtl))
    header = "%s/%s.v" % (folder, blocks.module_of(block))  # as config_args knows it
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[re.search(r"^\s*module\s+%s\b" % top, text, flags=re.M).start():]
    with open(header, "w", encoding="utf-8") as file:
        file.write(text)
    sets = dict(a[2:].split("=") for a in config_args.arguments(src, args.sizes, header, {}).split())
    for par, default in re.findall(r"\bparameter\s+(\w+)\s*=\s*(\d+)\s*[,\n/]", text.split(") (", 1)[0]):
        if par in {d[0] for d in src["derived"]} or par in args.sets:
            sets.setdefault(par, args.values.get(par, default))
    sets.update({p: v for p, v in args.sets.items() if p in sets})
    rams = [r for r in (find(rtl, r)[0] for r in RAMS) if r]
    folders = sorted({os.path.dirname(p) for p in glob.glob(rtl + "/**/*.v*", recursive=True)})
    apart = [a for m in args.apart for a in (find(rtl, olds.get(m, m))[1],) if a]
    if len(apart) < len(args.apart):
        stop("found not all of %s under %s" % (" ".join(olds.get(m, m) for m in args.apart), rtl))
    out = "%s/%s" % (folder, name)
    defines = ["GMMU_CONFIG_" + args.sizes.split(".")[0].upper(), "GMMU_TVI"] + args.define
    run_yosys(SIDE % {"defines": " ".join("-D " + d for d in defines), "include": " ".join("-I" + f for f in folders), "block": block, "out": out, "top": top,
                      "files": " ".join(p for p in sorted(glob.glob(rtl + "/**/*.v", recursive=True)) if p not in rams),
                      "rams": "\n".join("read_verilog -lib " + r for r in rams),
                      "chparam": "chparam %s %s" % (" ".join("-set %s %s" % s for s in sets.items()), top) if sets else "",
                      "keep": "\n".join("setattr -mod -set keep_hierarchy 1 $paramod$*\\\\%s $paramod\\\\%s\\\\* %s" % (a, a, a) for a in apart)},
              folder, name + "-flat")
    with open(out + "-flat.json", encoding="utf-8") as file:
        modules = json.load(file)["modules"]
    cells = {n: c["type"] for n, c in modules[block]["cells"].items() if kind(c["type"]) in apart}
    last = [n.split(".")[-1] for n in cells]
    names = {n: re.sub(r"\W", "_", n if last.count(n.split(".")[-1]) > 1 else n.split(".")[-1]) for n in cells}
    cut = ["rename %s apart_%s" % pair for pair in names.items()]
    if cut:
        cut = ["cd " + block] + cut + ["cd ..", "expose -evert -sep __ %s/c:apart_*" % block]
    run_yosys(CUT % {"out": out, "block": block, "cut": "\n".join(cut)}, folder, name)
    with open(out + ".json", encoding="utf-8") as file:
        module = json.load(file)["modules"][block]
    return module, parameters(modules[block]), {names[n]: parameters(modules[c]) for n, c in cells.items()}


# ======== pairing by name


def partner(name, olds, renames):
    """The one of the old names that is this new one but for a prefix on either side; None if none or several."""
    for new, old in renames:
        name = re.sub(new, old, name)
    if name in olds:
        return name
    found = [o for o in olds if name.endswith("." + o)] or [o for o in olds if o.endswith("." + name)]
    longest = [o for o in found if len(o) == max(map(len, found))]
    return longest[0] if len(longest) == 1 else None


def rams_of(module):
    """{name: (kind, {port: width})}."""
    return {n: (bare(c["type"]), {p: len(b) for p, b in c["connections"].items() if p != "clk"})
            for n, c in module["cells"].items() if bare(c["type"]) in RAMS}


class Leaf:
    """A port, or a field of a port that is split. `flat` is its name as a port of its own, `said` how options call it,
    INSTANCE.PORT.FIELD at most; `of` is the "INSTANCE." of that, `whole` the part before the field."""

    def __init__(self, port, flat, said, whole, of, low, width, way):
        self.port, self.flat, self.said, self.whole, self.of, self.low, self.width, self.way = port, flat, said, whole, of, low, width, way


def leaves(module, layouts, others, args):
    """The ports of one side, split. OTHERS: the other side's ports, which are not split without being told. ARGS: None for the old side."""
    found = []
    for port, about in sorted(module["ports"].items()):
        cut = re.fullmatch(r"apart_(.+)__(\w+?)", port)
        own, before, of = (cut.group(2), "apart_%s__" % cut.group(1), cut.group(1) + ".") if cut else (port, "", "")
        width, way, layout, prefix = len(about["bits"]), about["direction"], None, own
        told = args and (args.bundles.get(of + own) or args.bundles.get(own))
        if told:
            if told[0] not in layouts:
                stop("port %s: found no layout %s, or not all of its sizes (--set)" % (of + own, told[0]))
            layout, prefix = [f for f in layouts[told[0]] if f[1] < width], told[1] or own  # perhaps the first fields alone
        elif port not in others:
            for name in sorted(layouts, key=len):
                if (own == name or own.endswith("_" + name)) and sum(w for *_, w in layouts[name]) == width:
                    layout, prefix = layouts[name], own if own == name else own[:-len(name) - 1]
        bits = sum(w for *_, w in layout) if layout else width
        if bits != width:
            stop("port %s: found %d bits, expected %d of its layout" % (of + own, width, bits))
        if layout is None:
            found.append(Leaf(port, before + own, of + own, of + own, of, 0, width, way))
            continue
        for field, low, wide in layout:
            name = "%s.%s" % (own, field)
            flat = (args.fields.get(of + name) or args.fields.get(name)) if args else None
            found.append(Leaf(port, before + (flat or "%s_%s" % (prefix, field)).split(".")[-1], of + name, of + own, of, low, wide, way))
    return found


# ======== the module `same`


def wire(width, name):
    return "[%d:0] %s" % (width - 1, name)


def ports(gold, gate, args, means, compare):
    """Text of the module `same`: its inputs, its wires, and both instances. The new RTL's inputs are free; an old input is an
    expression of them, or free if there is none. Inputs of the old RTL have their own names, so that a protocol speaks of them;
    outputs are g_NAME."""
    inputs, text, pins, names, tied = [], [], {"g": [], "t": []}, {}, {}
    olds = leaves(gold, args.old_layouts, gate["ports"], None)
    news = leaves(gate, args.layouts, gold["ports"], args)
    for side, module, parts in (("g", gold, olds), ("t", gate, news)):
        for port, about in module["ports"].items():
            if port in ("clk", "rst"):
                pins[side].append(".%s(%s)" % (port, port))
                continue
            vector, mine = "v_%s_%s" % (side, port), [p for p in parts if p.port == port]
            text.append("    wire %s;\n" % wire(len(about["bits"]), vector))
            pins[side].append(".%s(%s)" % (port, vector))
            if about["direction"] == "output":
                for p in mine:
                    name = "%s_%s" % ("g" if side == "g" else "new_", p.flat)
                    if side == "t":
                        name += "_%d" % len([o for o in tied.get(p.flat, []) if o[0].way == "output"])
                        tied.setdefault(p.flat, []).append((p, name))
                        names[p.said] = name
                    text.append("    wire %s = %s[%d:%d];\n" % (wire(p.width, name), vector, p.low + p.width - 1, p.low))
            elif side == "t":
                for p in mine:
                    same = [n for o, n in tied.get(p.flat, []) if o.way == "input"]
                    names[p.said] = same[0] if same else "new__" + p.flat
                    if not same:
                        inputs.append(wire(p.width, names[p.said]))
                    tied.setdefault(p.flat, []).append((p, names[p.said]))
                text.append("    assign %s = {%s};\n" % (vector, ", ".join(names[p.said] for p in reversed(mine))))
            else:
                text.append("    assign %s = {%s};\n" % (vector, ", ".join(p.flat for p in reversed(mine))))
            if side == "t" and mine[0].said != mine[0].whole:
                names[mine[0].whole] = vector

    used = set()

    def expression(said, of):
        def name(match):
            word = match.group(0)
            if "'" in word:
                return word
            for whole in (of + word, word):
                if whole in names:
                    used.update({names[whole]} | {names[p.said] for p in news if p.whole == whole and p.said in names})
                    return names[whole]
            return stop("--old %s: found %s, expected a port or PORT.FIELD of the new RTL" % (said, word))
        return re.sub(r"\d*'[bdho][0-9a-f]+|[A-Za-z_]\w*(?:\.\w+)*", name, args.old[said])

    free, gone = [], []
    for p in olds:
        if p.port in ("clk", "rst"):
            continue
        same = [(o, n) for o, n in tied.get(p.flat, []) if o.way == p.way]
        for o, _ in same:
            if o.width != p.width and p.said not in args.old:
                stop("%s: found %d bits, expected %d as in the old RTL" % (o.said, o.width, p.width))
        values = [expression(p.said, p.of)] if p.said in args.old else [n for _, n in same]
        used.update(values)
        if p.way == "output":
            for value in values:
                compare(p.said, "%s || g_%s == (%s)" % ("!(%s)" % means[p.flat] if p.flat in means else "1'b0", p.flat, value))
            if not values and p.said not in args.gone:
                gone.append(p.said)
        elif values:
            text.append("    wire %s = %s;\n" % (wire(p.width, p.flat), values[0]))
        else:
            free.append(p.said)
            inputs.append(wire(p.width, p.flat))
    more = {way: [p.said for p in news if p.way == way and p.said in names and names[p.said] not in used] for way in ("input", "output")}
    for what, found in (("inputs of the old RTL only, free: ", free), ("inputs of the new RTL only, free: ", more["input"]),
                        ("outputs of the new RTL only, not compared: ", more["output"])):
        if found:
            print("note: " + what + " ".join(found))
    if gone:
        stop("the new RTL has no output %s of the old RTL (--old, --field, --gone)" % " ".join(gone))
    for said in set(args.old) - {p.said for p in olds}:
        stop("--old: found no port %s in the old RTL" % said)
    return inputs, text, pins


def wrapper(block, gold, gate, args):
    """The module `same`: both, and one output bit for each comparison, 1 where the comparison fails. Returns the module and the
    comparisons' names."""
    promise, means = miter.PROTOCOL[block] if args.protocol else ("", {})
    compared, checks, text = [], [], []

    def compare(name, condition):
        checks.append("    assign bad[%d] = compare && !(%s); // %s\n" % (len(compared), condition, name))
        compared.append(name)

    inputs, wires, pins = ports(gold, gate, args, means, compare)
    text += wires + [promise, "    gold gold (%s);\n    gate gate (%s);\n" % (", ".join(pins["g"]), ", ".join(pins["t"]))]
    old, new = rams_of(gold), rams_of(gate)
    for n, (name, about) in enumerate(sorted(new.items())):
        twin = partner(name, old, args.renames)
        if twin is None or old[twin] != about:
            stop("RAM %s: found %s in the old RTL" % (name, twin))
        del old[twin]
        ram, (_, width) = RAMS[about[0]], about
        for port in ram["answers"]:
            text.append("    (* anyseq *) wire %s;\n" % wire(width[port], "answer%d_%s" % (n, port)))
        for path in ("gold." + twin, "gate." + name):
            for port in ram["answers"] + [a for a, _ in ram["asks"]]:
                text.append("    (* hierconn *) wire [%d:0] \\%s.is_%s ;\n" % (width[port] - 1, path, port))
            for port in ram["answers"]:
                text.append("    assign \\%s.is_%s  = answer%d_%s;\n" % (path, port, n, port))
        for port, when in ram["asks"]:
            compare(name + "." + port, ("!\\gold.%s.is_%s || " % (twin, when) if when else "") +
                "\\gold.%s.is_%s == \\gate.%s.is_%s " % (twin, port, name, port))
    if old:
        stop("RAMs of the old RTL only: " + " ".join(sorted(old)))
    rams = [RAM % {"name": prefix + name, "ports": ram["ports"],
                   "body": "".join("    wire %s is_%s;\n    assign %s = is_%s;\n" % ("[WIDTH-1:0]", p, p, p) for p in ram["answers"]) +
                           "".join("    wire %s is_%s = %s;\n" % ("[ADDR_W-1:0]" if "addr" in p else "" if p.endswith("e") else "[WIDTH-1:0]", p, p)
                                   for p, _ in ram["asks"])}
            for name, ram in RAMS.items() for prefix in ("", blocks.PREFIX)]
    head = "module same (\n    input wire clk, reset,\n%s    output wire %s\n);\n" % (
        "".join("    input wire %s,\n" % i for i in inputs), wire(max(len(compared), 1), "bad"))
    young = ("    reg [1:0] young = 0;\n    always @(posedge clk) if (young != 3) young <= young + 1'b1;\n"
             "    wire rst = young != 3 || reset;\n    wire compare = young == 3;\n")
    return "".join(rams + [head, young] + text + checks + ["endmodule\n"]), compared


def bits_of(text, layouts):
    """One side of --bits: the name, its lowest bit, how many (None: all)."""
    name, span = re.fullmatch(r"(.*)\[([^\[\]]*)\]", text).groups()
    if re.fullmatch(r"\d+(:\d+)?", span):
        high, low = [int(n) for n in (span if ":" in span else "%s:%s" % (span, span)).split(":")]
        return name, low, high - low + 1
    if span:
        layout, field = span.split(".")
        low, width = [(o, w) for f, o, w in layouts[layout] if f == field][0]
        return name, low, width
    return name, 0, None


def pairs(mapped, args):
    """(register of the new RTL, bit) -> that of the old one, for merge(). A bit of a register has the names of all wires that are the
    same; most names decide which bit it is."""
    old, new, at = {}, {}, ({}, {})  # name -> bits; latch -> its names; (name, bit) -> latch
    outputs = re.compile(r"(?:g_|new__)(.*?)(?:_\d+)?$")  # an output's register, wrapper's names
    with open(mapped, encoding="utf-8") as file:
        for what, latch, bit, name in map(str.split, file):
            if what not in ("latch", "invlatch"):
                continue
            side = 0 if name.startswith(("gold.", "g_")) else 1
            if name.startswith(("g_", "new__")):
                at[side]["%" + (name[2:] if side == 0 else outputs.match(name).group(1)), int(bit)] = latch
            elif name.startswith(("gold.", "gate.")):
                at[side][name[5:], int(bit)] = latch
                (old, new)[side].setdefault(name[5:], set()).add(int(bit))
    moved = [bits_of(t.split("=", 1)[0], args.layouts) + bits_of(t.split("=", 1)[1], args.layouts)[:2] for t in args.bits]
    votes, twins = {}, {name: partner(name, old, args.renames) for name in new}
    for (name, bit), latch in at[1].items():
        if name.startswith("%"):
            said = [((name, bit), 3)]
        else:
            said = [((twins[name], bit), 4 if twins[name] == name else 1)]
            for fresh, low, wide, was, to in moved:
                if re.search(r"(?:^|\.)(?:%s)$" % fresh, name) and low <= bit and (wide is None or bit < low + wide):
                    said.append(((partner(re.sub("(?:%s)$" % fresh, was, name), old, args.renames), bit - low + to), 1000))
        for key, weight in said:
            if key in at[0]:
                votes[latch, at[0][key]] = votes.get((latch, at[0][key]), 0) + weight
    names = [{}, {}]
    for side in (0, 1):
        for (name, bit), latch in at[side].items():
            if not name.startswith("%"):
                names[side].setdefault(latch, (("gold.", "gate.")[side] + name, str(bit)))
    chosen, taken = {}, set()
    for (latch, was), _ in sorted(votes.items(), key=lambda v: (-v[1], int(v[0][0]))):
        if latch not in chosen and was not in taken and latch in names[1] and was in names[0]:
            chosen[latch] = was
            taken.add(was)
    return {names[1][t]: names[0][g] for t, g in chosen.items()}, "%d of %d bits of registers paired" % (len(chosen), len(names[1]))


def compare_folders(block, old_rtl, new_rtl, folder, args, old_src, src):
    """The whole comparison; its exit status."""
    args.values = sizes_of(src, args.sizes, args.sets)
    gold, old_values, old_cut = elaborate(block, "gold", old_rtl, folder, args, src)
    gate, values, new_cut = elaborate(block, "gate", new_rtl, folder, args, src)
    args.layouts = layouts_of(src, {**args.values, **values})
    args.old_layouts = layouts_of(old_src, {**sizes_of(old_src, args.sizes, args.sets), **old_values})
    if set(old_cut) != set(new_cut):
        stop("cut out: found %s, expected %s" % (" ".join(sorted(new_cut)), " ".join(sorted(old_cut))))
    other = ["%s.%s: found %d, expected %d" % (i, p, v, old_cut[i][p])
             for i, sets in sorted(new_cut.items()) for p, v in sorted(sets.items()) if old_cut[i].get(p, v) != v]
    if other:
        print("differs: parameter " + "; ".join(other))
        return 1
    text, compared = wrapper(block, gold, gate, args)
    with open(folder + "/same.v", "w", encoding="utf-8") as file:
        file.write(text)
    run_yosys(BOTH % {"dir": folder, "block": block, "zero": "zinit -all" if args.zero else ""}, folder, "same")
    old_name, how_many = pairs(folder + "/same.map", args)
    print("%s (%s): %d comparisons, %s" % (block, args.sizes, len(compared), how_many), flush=True)
    with open(folder + "/same.map", encoding="utf-8") as file:
        outputs = {int(o[1]): compared[int(o[2])] for o in map(str.split, file) if o[0] == "output"}
    return prove(folder, old_name, outputs, args)


def prove(folder, old_name, outputs, args):
    free = set()
    for _ in range(ROUNDS):
        base, names = miter.merge(folder + "/same.aag", folder + "/same.map", folder + "/same.aig", free, old_name)
        if names:
            print("next values to compare: " + " ".join(sorted({key[0][5:] for key in names})), flush=True)
        read = "read_aiger %s/same.aig; fold; strash; " % folder
        found = miter.abc(read + "orpos; scorr; pdr -T %d" % args.seconds, 2 * args.seconds, folder)
        if "Property proved" in found or "Networks are equivalent" in found:
            print("proved for all time: the outputs of %s are those of %s" % (args.block, args.rev))
            return 0
        found = miter.abc(read + "bmc3 -F 60 -T %d" % args.seconds, 2 * args.seconds, folder)
        differ = {int(n): int(f) for n, f in re.findall(r"Output\s+(\d+)\s.*asserted in frame\s+(\d+)", found)}
        wrong = {n: f for n, f in differ.items() if n < base}
        if wrong:
            for n, f in wrong.items():
                print("differs: %s in cycle %d (comparison %d of %d, %s)" % (outputs.get(n), f, n, base, folder + "/same.v"))
            if not args.zero:
                print("    The cycle may follow a state that no reset leads to; from registers that are 0 on: --zero.")
            return 1
        if not differ:
            break
        more = {names[n - base][0] for n in differ}
        print("differ, and go on their own: " + " ".join(sorted(m[5:] for m in more)))
        free |= {key for key in names if key[0] in more}
    print("undecided: %s/abc.log" % folder)
    return 3


# ======== the command line


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0], fromfile_prefix_chars="@")
    parser.add_argument("rev")
    parser.add_argument("block")
    parser.add_argument("sizes", nargs="?", default="tiny")
    parser.add_argument("--rename", action="append", default=[], help="NEW=OLD: what in a register's or RAM's name")
    parser.add_argument("--module", action="append", default=[], help="NEW=OLD: a module")
    parser.add_argument("--apart", nargs="+", action="extend", default=[], help="modules that are cut out")
    parser.add_argument("--bundle", action="append", default=[], help="PORT=LAYOUT[:OLDPREFIX]")
    parser.add_argument("--field", action="append", default=[], help="PORT.FIELD=OLDPORT")
    parser.add_argument("--old", action="append", default=[], help="OLDPORT=EXPRESSION of new ports")
    parser.add_argument("--gone", nargs="+", action="extend", default=[], help="outputs that the new RTL has no more")
    parser.add_argument("--bits", action="append", default=[], help="NEW[RANGE]=OLD[RANGE]: bits of registers")
    parser.add_argument("--set", action="append", default=[], help="NAME=VALUE: a parameter")
    parser.add_argument("--define", nargs="+", action="extend", default=[], help="macros")
    parser.add_argument("--zero", action="store_true", help="registers start at 0")
    parser.add_argument("--protocol", action="store_true")
    parser.add_argument("--seconds", type=int, default=60, help="of one attempt")
    args = parser.parse_args(arguments)
    try:
        config_args.sizes(description.load(), args.sizes)
    except config_args.Bad as bad:
        stop(str(bad))
    args.renames = [tuple(r.split("=")) for r in args.rename]
    args.modules = dict(m.split("=") for m in args.module)
    args.bundles = {p: (b.split(":") + [None])[:2] for p, b in (t.split("=") for t in args.bundle)}
    args.fields = dict(f.split("=") for f in args.field)
    args.old = dict(o.split("=", 1) for o in args.old)
    args.sets = {n: int(v) for n, v in (s.split("=") for s in args.set)}
    if args.protocol and args.block not in miter.PROTOCOL:
        stop("no protocol of %s in scripts/miter.py" % args.block)
    return args


def checkout(rev, folder):
    """rtl/ and config/gmmu.json of the revision under FOLDER; the latter, read."""
    subprocess.run(["rm", "-rf", folder], check=True)
    archive = subprocess.check_output(["git", "archive", rev, "rtl", "config/gmmu.json"])
    with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
        tar.extractall(folder)
    with open(folder + "/config/gmmu.json", encoding="utf-8") as file:
        return json.load(file)


def main():
    args = parse(None)
    tools.expect("against", "yosys", "yosys-abc")
    os.chdir(ROOT)
    folder = "build/against/%s-%s" % (args.block, args.sizes)
    os.makedirs(folder, exist_ok=True)
    old_src = checkout(args.rev, folder + "/old")
    return compare_folders(args.block, folder + "/old/rtl", "rtl", folder, args, old_src, description.load())


if __name__ == "__main__":
    sys.exit(main())
