# SPDX-License-Identifier: Apache-2.0
"""The worst path of a nextpnr report in the source's names."""
import json
import re

OUTER = ("dut", "in", "out", "q", "sr", "l", "clk", "si", "so", "load")  # names of fpga/tops/between.v


def names(netlist):
    """{net as Yosys names it: (signal, file:line of its declaration)} of the signals that the sources name."""
    with open(netlist, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    mod = next(m for m in modules.values() if int(m["attributes"].get("top", "0"), 2))
    out = {}
    for net, d in mod["netnames"].items():
        a = d.get("attributes", {})
        if "hdlname" in a or (net in OUTER and not d.get("hide_name")):
            out[net] = (net[4:] if net.startswith("dut.") else "wrapper's " + net, declared(a.get("src", ""), net.rsplit(".", 1)[-1]))
    return out


def declared(src, name):
    """Of the places that flattening has gathered, FILE:LINE of the declaration: it is as wide as the name."""
    for place in src.split("|"):
        m = re.fullmatch(r"(?:.*/)?([^/]+):(\d+)\.(\d+)-(\d+)\.(\d+)", place)
        if m and m.group(2) == m.group(4) and int(m.group(5)) - int(m.group(3)) == len(name):
            return "%s:%s" % (m.group(1), m.group(2))
    return ""


def signal(cell, known):
    """The signal that CELL is named for: the longest known name that it begins with."""
    cell = re.sub(r"\[\d+\]$", "", cell)
    while cell:
        if cell in known:
            return cell
        cut = max(cell.rfind("_"), cell.rfind("."), cell.rfind("["))
        cell = cell[:cut] if cut > 0 else ""
    return ""


def late(report, known, than, wanted):
    """CSV of the registers' pins that nextpnr's detailed report says a signal reaches later than THAN ns after the clock edge, by the source's
    names: the latest of a name's, how many are that late, how many later than WANTED ns, a cycle of what the block is to run at."""
    found = {}
    for net in report["detailed_net_timings"]:
        for end in net["endpoints"]:
            ns = end["delay"][1] if isinstance(end["delay"], list) else end["delay"]  # least and most, or, for iCE40, the one
            if "posedge" in end["event"] and ns > than:
                found.setdefault((signal(end["cell"], known) or end["cell"], re.sub(r"\d+$", "", end["port"])), []).append(ns)
    rows = ["ns,pins,pins later than %.1f ns,signal,pin,declared" % wanted]
    for (name, pin), ns in sorted(found.items(), key=lambda f: -max(f[1])):
        called, declared = known.get(name, (name, ""))[:2]
        rows.append("%.2f,%d,%d,%s,%s,%s" % (max(ns), len(ns), sum(n > wanted for n in ns), called, pin, declared))
    return "\n".join(rows) + "\n"


def worst(report, known):
    """{from, to: [signal, file:line], through: signals, ns, logic: ns, levels} of the slowest path from clock to clock."""
    paths = [p for p in report["critical_paths"] if "async" not in p["from"] + p["to"] and p["from"] == p["to"]]
    if not paths:
        return None
    path = max(paths, key=lambda p: sum(s["delay"] for s in p["path"]))["path"]
    total = sum(s["delay"] for s in path)
    hops = []  # signals in turn
    for step in path:
        for text in ([step["from"]["cell"]] if not hops else []) + ([step["net"]] if step["type"] == "routing" else []) + [step["to"]["cell"]]:
            net = signal(text, known)
            if net and (not hops or hops[-1] != net):
                hops.append(net)
    hops = list(dict.fromkeys(hops)) or [path[0]["from"]["cell"], path[-1]["to"]["cell"]]
    last = signal(path[-1]["to"]["cell"], known) or hops[-1]
    middle = [h for h in hops[1:] if h != last and h not in OUTER]  # an output has two names
    told = [list(known.get(h, (h, ""))) for h in [hops[0]] + middle + [last]]
    return {"from": told[0], "to": told[-1], "through": [t[0] for t in told[1:-1]], "ns": round(total, 2),
            "routing_ns": round(sum(s["delay"] for s in path if s["type"] == "routing"), 2),
            "levels": sum(s["type"] == "logic" for s in path)}


def short(name):
    return name if len(name) <= 60 else name[:28] + "…" + name[-28:]


def text(path, through=4):
    """A line about what worst() found."""
    def at(end):
        return "`%s`%s" % (short(end[0]), " (%s)" % end[1] if end[1] else "")
    middle = path["through"]
    if len(middle) > through:
        middle = middle[:through // 2] + ["…"] + middle[-(through - through // 2):]
    return "%s → %s%s: %.1f ns, %.1f of them wires, %d levels" % (
        at(path["from"]), "".join("`%s` → " % short(m) if m != "…" else "… → " for m in middle), at(path["to"]), path["ns"], path["routing_ns"],
        path["levels"])
