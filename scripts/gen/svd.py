# SPDX-License-Identifier: Apache-2.0
"""CMSIS-SVD of the registers behind the bus, for a unit of given sizes."""
from xml.sax.saxutils import escape

from gen import register_map
from gen.expression import value

ACCESS = {"r": "read-only", "rw": "read-write", "w1c": "read-write", "w": "write-only"}


def register_access(fields):
    kinds = {ACCESS[f.access] for f in fields}
    return kinds.pop() if len(kinds) == 1 else "read-write"


def codes(src, group, indent):
    out = [indent + "<enumeratedValues>"]
    found, = [g for g in src["codes"] if g["group"] == group]
    for number, name, text in found["codes"]:
        out += [indent + "  <enumeratedValue>", indent + "    <name>%s</name>" % (name if name[0].isalpha() else "%s_%s" % (group, name)),
                indent + "    <description>%s</description>" % escape(text), indent + "    <value>%d</value>" % number, indent + "  </enumeratedValue>"]
    return out + [indent + "</enumeratedValues>"]


def field(src, f, env):
    indent = " " * 12
    out = ["          <field>", indent + "<name>%s</name>" % f.name]
    if f.text:
        out.append(indent + "<description>%s</description>" % escape(f.text))
    out += [indent + "<bitOffset>%d</bitOffset>" % value(f.lsb, env), indent + "<bitWidth>%d</bitWidth>" % value(f.width, env),
            indent + "<access>%s</access>" % ACCESS[f.access]]
    if f.access == "w1c":
        out.append(indent + "<modifiedWriteValues>oneToClear</modifiedWriteValues>")
    if f.codes:
        out += codes(src, f.codes, indent)
    return out + ["          </field>"]


def register(src, e, env):
    reset, mask = 0, 0
    for f in e.fields:
        if f.reset is not None:
            reset |= value(f.reset, env) << value(f.lsb, env)
            mask |= ((1 << value(f.width, env)) - 1) << value(f.lsb, env)
    out = ["        <register>", "          <name>%s</name>" % e.name, "          <description>%s</description>" % escape(e.text),
           "          <addressOffset>0x%03x</addressOffset>" % e.address, "          <access>%s</access>" % register_access(e.fields),
           "          <resetValue>0x%08x</resetValue>" % reset, "          <resetMask>0x%08x</resetMask>" % mask, "          <fields>"]
    return out + [line for f in e.fields for line in field(src, f, env)] + ["          </fields>", "        </register>"]


def device(src, version, env, of):
    """The unit of ENV's sizes as a device with one peripheral at address 0. OF: what to call the sizes."""
    out = ['<?xml version="1.0" encoding="utf-8"?>', "<!-- SPDX-License-Identifier: Apache-2.0 -->",
           "<!-- registers of gmmu_tier_axil, %s (made by scripts/descriptions.py from config/gmmu.json) -->" % of,
           '<device schemaVersion="1.3" xmlns:xs="http://www.w3.org/2001/XMLSchema-instance" xs:noNamespaceSchemaLocation="CMSIS-SVD.xsd">',
           "  <name>gmmu_tier</name>", "  <version>%s</version>" % version,
           "  <description>memory-tiering unit of a GPU's memory management unit, %s</description>" % of,
           "  <addressUnitBits>8</addressUnitBits>", "  <width>32</width>", "  <size>32</size>", "  <peripherals>", "    <peripheral>",
           "      <name>GMMU</name>", "      <description>registers of gmmu_tier_axil; the base address is the integrator's</description>",
           "      <baseAddress>0x00000000</baseAddress>", "      <addressBlock>", "        <offset>0x0</offset>", "        <size>0x1000</size>",
           "        <usage>registers</usage>", "      </addressBlock>", "      <registers>"]
    for e, present in register_map.words(src, version):
        if value(present, env):
            out += register(src, e, env)
    return "\n".join(out + ["      </registers>", "    </peripheral>", "  </peripherals>", "</device>", ""])
