# SPDX-License-Identifier: Apache-2.0
"""IP-XACT (IEEE 1685-2014) of gmmu_tier_axil and gmmu_tier_ring: ports, bus interfaces, parameters, registers, files; and of the buses that no one
else defines.

With expressions of parameters, or, for a unit of given sizes, in figures, as some readers take figures alone.
"""
import glob
import os
import re
from xml.sax.saxutils import escape

from gen import csr, ports, rdl, register_map, ring
from gen.description import NOTE, ROOT
from gen.expression import value

TOP, RINGS = "gmmu_tier_axil", "gmmu_tier_ring"
SPACE = "http://www.accellera.org/XMLSchema/IPXACT/1685-2014"
OWN = ("gmmu-tier", "interface")
AMBA = ("amba.com", "AMBA4")
AXIL, AXIS, AXI = ("AXI4-Lite", "r0p0_0"), ("AXI4Stream", "r0p0_1"), ("AXI4", "r0p0_0")
# buses that are defined here: name: (what, [(logical port, driven by the master, qualifier, bits, what)])
BUSES = {
    "clock": ("a clock", [("CLK", True, "isClock", "1", "the clock")]),
    "reset": ("a synchronous reset, active high", [("RST", True, "isReset", "1", "the reset")]),
    "interrupt": ("a level-sensitive interrupt, active high; the master raises the interrupt", [("IRQ", True, None, "1", "the interrupt")]),
    "frame_memory": ("words of frames in a memory of any latency, read and written at once, answered in order (docs/reference/blocks/frame_mem.md)", [
        ("AR_VALID", True, None, "1", "a read is offered"), ("AR_READY", False, None, "1", "the memory accepts the read"),
        ("AR_ADDR", True, "isAddress", None, "frame of the read"), ("R_VALID", False, None, "1", "the memory answers a read"),
        ("R_DATA", False, "isData", None, "word of the answer"), ("W_VALID", True, None, "1", "a write is offered"),
        ("W_READY", False, None, "1", "the memory accepts the write"), ("W_ADDR", True, "isAddress", None, "frame of the write"),
        ("W_DATA", True, "isData", None, "word of the write"), ("B_VALID", False, None, "1", "the memory reports a write as done")])}
ACCESS = {"r": "read-only", "rw": "read-write", "w1c": "read-write", "w": "write-only"}


class Writer:
    """Lines of XML. ENV: figures in place of expressions."""

    def __init__(self, env=None):
        self.lines, self.open, self.env = [], [], env

    def figure(self, text):
        return text if self.env is None else str(value(text, self.env))

    def begin(self, tag, **attributes):
        self.lines.append("  " * len(self.open) + "<ipxact:%s%s>" % (tag, written(attributes)))
        self.open.append(tag)
        return self

    def __enter__(self):
        return self

    def __exit__(self, *_):
        tag = self.open.pop()
        self.lines.append("  " * len(self.open) + "</ipxact:%s>" % tag)

    def put(self, tag, text=None, **attributes):
        line = "<ipxact:%s%s" % (tag, written(attributes)) + ("/>" if text is None else ">%s</ipxact:%s>" % (escape(text), tag))
        self.lines.append("  " * len(self.open) + line)

    def text(self):
        return "\n".join(self.lines + [""])


def written(attributes):
    return "".join(' %s="%s"' % (name, escape(text, {'"': "&quot;"})) for name, text in attributes.items())


def opened(tag, vlnv, env, note):
    w = Writer(env)
    w.lines = ['<?xml version="1.0" encoding="utf-8"?>', "<!-- SPDX-License-Identifier: Apache-2.0 -->", "<!-- (%s) -->" % note]
    w.begin(tag, **{"xmlns:ipxact": SPACE, "xmlns:xsi": "http://www.w3.org/2001/XMLSchema-instance", "xsi:schemaLocation": "%s %s/index.xsd" % (SPACE, SPACE)})
    for name, text in zip(("vendor", "library", "name", "version"), vlnv):
        w.put(name, text)
    return w


def reference(w, tag, vlnv):
    w.put(tag, **dict(zip(("vendor", "library", "name", "version"), vlnv)))


# ======== what the RTL says

def derived():
    """[(name, expression)] of rtl/gmmu_derived.vh."""
    text = re.sub(r"//.*|/\*.*?\*/", "", ports.read("rtl/gmmu_derived.vh"))
    found = re.findall(r"parameter\s+(\w+)\s*=\s*(.*?)\s*(?=,\s*parameter\b|\Z)", text, flags=re.S)
    return [(name, re.sub(r"\s+", " ", expression)) for name, expression in found]


def port_list(top):
    """[(name, in or out, leftmost bit or None, comment)] of the top; without the ports of verification."""
    return [(name, way, None if bits is None else bits[1:-1].split(":")[0].strip(), what)
            for _, way, bits, names, what in ports.port_list("rtl/%s.v" % top) for name in names if not name.startswith("tvi_")]


def streams(top):
    return [name[:-7] for name, *_ in port_list(top) if name.endswith("_tvalid")]


# ======== the component

def interface(w, name, what, bus, mode, maps, memory_map=None):
    """A bus interface. BUS: vendor, library, name, version; MAPS: (logical port, port of the top[, inverted])."""
    with w.begin("busInterface"):
        w.put("name", name)
        w.put("description", what)
        reference(w, "busType", bus)
        with w.begin("abstractionTypes"), w.begin("abstractionType"):
            reference(w, "abstractionRef", bus[:2] + (bus[2] + "_rtl", bus[3]))
            with w.begin("portMaps"):
                for logical, physical, *inverted in maps:
                    with w.begin("portMap", **({"invert": "true"} if inverted else {})):
                        with w.begin("logicalPort"):
                            w.put("name", logical)
                        with w.begin("physicalPort"):
                            w.put("name", physical)
        if memory_map:
            with w.begin(mode):
                w.put("memoryMapRef", memoryMapRef=memory_map)
        else:
            w.put(mode)


def interfaces(w, top):
    every, clocked = [name for name, *_ in port_list(top)], [("ACLK", "clk"), ("ARESETn", "rst", True)]

    def logical(prefix):
        return [(name[len(prefix):].upper(), name) for name in every if name.startswith(prefix)]

    def own(name):
        return OWN + (name, "1.0")
    with w.begin("busInterfaces"):
        interface(w, "clk", "the clock of all ports", own("clock"), "slave", [("CLK", "clk")])
        interface(w, "rst", "the reset of the unit and its registers", own("reset"), "slave", [("RST", "rst")])
        interface(w, "irq", "an enabled event has happened and was not cleared", own("interrupt"), "master", [("IRQ", "irq")])
        interface(w, "s_axil", "the registers", AMBA + AXIL, "slave", clocked + logical("s_axil_"), "registers")
        for stream in streams(top):
            what = {name: text for name, _, _, text in port_list(top)}[stream + "_tdata"]
            interface(w, stream, what, AMBA + AXIS, "slave" if stream.startswith("s_") else "master", clocked + logical(stream + "_"))
        interface(w, "m_frame", "FRAME_MEM: the memory of the frame table", own("frame_memory"), "master", logical("m_frame_"))
        if top == RINGS:
            interface(w, "m_axi", "memory with the rings", AMBA + AXI, "master", clocked + logical("m_axi_"))


def field(src, w, f):
    with w.begin("field"):
        w.put("name", f.name)
        if f.text:
            w.put("description", f.text)
        w.put("bitOffset", w.figure(f.lsb))
        if f.reset is not None:
            with w.begin("resets"), w.begin("reset"):
                w.put("value", w.figure(f.reset))
        w.put("bitWidth", w.figure(f.width))
        w.put("volatile", "true" if f.of_unit or f.access == "w" else "false")
        w.put("access", ACCESS[f.access])
        if f.codes:
            with w.begin("enumeratedValues"):
                for number, name, text in [g for g in src["codes"] if g["group"] == f.codes][0]["codes"]:
                    with w.begin("enumeratedValue"):
                        w.put("name", name if name[0].isalpha() else "%s_%s" % (f.codes, name))
                        w.put("description", text)
                        w.put("value", str(number))
        if f.access == "w1c":
            w.put("modifiedWriteValue", "oneToClear")
        if f.side_effect:
            w.put("testable", "false")


def memory_map(src, version, w, top):
    with w.begin("memoryMaps"), w.begin("memoryMap"):
        w.put("name", "registers")
        with w.begin("addressBlock"):
            for tag, text in (("name", "gmmu_registers"), ("baseAddress", "0"), ("range", "4096"), ("width", "32"), ("usage", "register")):
                w.put(tag, text)
            for e, present in register_map.words(src, version):
                if present != "1" and w.env is not None and not value(present, w.env):
                    continue
                with w.begin("register"):
                    w.put("name", e.name)
                    w.put("description", e.text)
                    if present != "1" and w.env is None:
                        w.put("isPresent", present)
                    w.put("addressOffset", "'h%x" % e.address)
                    w.put("size", "32")
                    for f in e.fields:
                        field(src, w, f)
        if top == RINGS:
            rings(src, w)
        w.put("addressUnitBits", "8")


def rings(src, w):
    """The page of the rings: a word of a channel is CHANNEL_WORD."""
    of = ring.checked(src)
    with w.begin("addressBlock"):
        for tag, text in (("name", "gmmu_rings"), ("baseAddress", str(of["behind"])), ("range", "4096"), ("width", "32"), ("usage", "register")):
            w.put(tag, text)
        words = [(name, at, access, what, fields, False) for name, at, access, what, fields in of["page"]]
        words += [("%s_%s" % (channel, name), of["first"] + of["length"] * i + at, access, what, fields, "RANGES 0" in stream)
                  for i, (channel, _, stream) in enumerate(of["channels"]) for name, at, access, what, fields in of["words"]]
        for name, at, access, what, fields, ranges in sorted(words, key=lambda word: word[1]):
            short = name.split("_", 1)[-1]
            low = 6 if short == "BASE" else 0
            with w.begin("register"):
                w.put("name", name)
                if what:
                    w.put("description", csr.plain(what))
                if ranges:
                    w.put("isPresent", "RANGES != 0")
                if short == "WINDOW":
                    w.put("dim", "16")
                w.put("addressOffset", "'h%x" % at)
                w.put("size", "32")
                for field_name, lsb, width, text in fields or [(short, low, len(of["channels"]) if name == "IRQ" else 32 - low, "")]:
                    own = "w" if field_name == "RESET" else "r" if field_name in rdl.RINGS_OWN else access
                    with w.begin("field"):
                        w.put("name", field_name)
                        if text:
                            w.put("description", csr.plain(text))
                        w.put("bitOffset", str(lsb))
                        w.put("bitWidth", str(width))
                        w.put("volatile", "true" if own != "rw" or field_name in rdl.RINGS_BOTH else "false")
                        w.put("access", ACCESS[own])
                        if own == "w1c":
                            w.put("modifiedWriteValue", "oneToClear")


def sizes_of(src, top):
    """The sizes that TOP has as parameters."""
    return list(csr.sizes(src)) + [p[0] for p in src["parameters"] if top == RINGS and p[2:] == ["ring"]]


def model(src, w, top):
    with w.begin("model"):
        with w.begin("views"), w.begin("view"):
            w.put("name", "rtl")
            w.put("envIdentifier", "verilogSource:*:*")
            w.put("componentInstantiationRef", "verilog")
        with w.begin("instantiations"), w.begin("componentInstantiation"):
            w.put("name", "verilog")
            w.put("language", "verilog")
            w.put("moduleName", top)
            with w.begin("moduleParameters"):
                for par in sizes_of(src, top):
                    with w.begin("moduleParameter", dataType="integer", parameterId="module_" + par):
                        w.put("name", par)
                        w.put("value", w.figure(par))
            with w.begin("fileSetRef"):
                w.put("localName", "rtl")
        with w.begin("ports"):
            for name, way, left, what in port_list(top):
                with w.begin("port"):
                    w.put("name", name)
                    if what:
                        w.put("description", csr.plain(what))
                    with w.begin("wire"):
                        w.put("direction", way)
                        if left is not None:
                            with w.begin("vectors"), w.begin("vector"):
                                w.put("left", w.figure(left))
                                w.put("right", "0")


def files(w, root):
    """The RTL; ROOT leads from the component's folder to that of rtl."""
    with w.begin("fileSets"), w.begin("fileSet"):
        w.put("name", "rtl")
        for pattern in ("rtl/*.vh", "rtl/*.v", "rtl/*/*.v"):
            for path in sorted(glob.glob(os.path.join(ROOT, pattern))):
                with w.begin("file"):
                    w.put("name", "%s/%s" % (root, os.path.relpath(path, ROOT)))
                    w.put("fileType", "verilogSource")
                    if pattern.endswith(".vh"):
                        w.put("isIncludeFile", "true")


def parameters(src, w, env, top):
    about = {par: text for par, text, *_ in src["parameters"]}
    with w.begin("parameters"):
        for par in sizes_of(src, top):
            with w.begin("parameter", parameterId=par, type="longint", resolve="user" if w.env is None else "immediate"):
                w.put("name", par)
                w.put("description", csr.plain(about[par]))
                w.put("value", str(env[par]))
        for par, expression in derived():
            with w.begin("parameter", parameterId=par, type="longint", resolve="immediate"):
                w.put("name", par)
                w.put("description", "follows from the sizes; not to be set")
                w.put("value", w.figure(expression))


def environment(sizes):
    """SIZES with what rtl/gmmu_derived.vh makes of them."""
    env = dict(sizes)
    for par, expression in derived():
        env[par] = value(expression, env)
    return env


def component(src, version, sizes=None, root="..", of=None, top=TOP):
    """The top; in figures for SIZES, called OF."""
    note = NOTE.replace("from", "from rtl, VERSION,") if sizes is None else "%s; made by scripts/descriptions.py from config/gmmu.json and rtl" % of
    w = opened("component", ("gmmu-tier", "gmmu", top, version), environment(sizes) if sizes else None, note)
    with w:
        interfaces(w, top)
        memory_map(src, version, w, top)
        model(src, w, top)
        files(w, root)
        w.put("description", "memory-tiering unit of a GPU's memory management unit, registers behind AXI4-Lite" +
              (", rings in memory behind AXI4" if top == RINGS else "") + (", " + of if of else ""))
        parameters(src, w, sizes or src["configurations"]["default"], top)
    return w.text()


# ======== buses

def definitions():
    """{file: text} of the buses that are defined here."""
    out = {}
    for name, (what, logical) in BUSES.items():
        w = opened("busDefinition", OWN + (name, "1.0"), None, NOTE.replace(" from config/gmmu.json", ""))
        with w:
            w.put("directConnection", "false")
            w.put("broadcast", "true" if name in ("clock", "reset") else "false")
            w.put("isAddressable", "false")
            w.put("description", what)
        out[name + ".xml"] = w.text()
        w = opened("abstractionDefinition", OWN + (name + "_rtl", "1.0"), None, NOTE.replace(" from config/gmmu.json", ""))
        with w:
            reference(w, "busType", OWN + (name, "1.0"))
            with w.begin("ports"):
                for port, by_master, qualifier, bits, text in logical:
                    with w.begin("port"):
                        w.put("logicalName", port)
                        w.put("description", text)
                        with w.begin("wire"):
                            if qualifier:
                                with w.begin("qualifier"):
                                    w.put(qualifier, "true")
                            for side, out_of in (("onMaster", by_master), ("onSlave", not by_master)):
                                with w.begin(side):
                                    w.put("presence", "required")
                                    if bits:
                                        w.put("width", bits)
                                    w.put("direction", "out" if out_of else "in")
            w.put("description", what + ", as wires")
        out[name + "_rtl.xml"] = w.text()
    return out
