# SPDX-License-Identifier: Apache-2.0
"""The registers behind the bus with their fields, as gen/rdl.py, gen/ipxact.py and gen/svd.py write them."""
import re
from typing import List, NamedTuple, Optional

from gen import csr, doc_tables

ID = 0x554D4D47
CSR = "tier_csr.registers"  # the instance of gmmu_csr in gmmu_tier_axil
CONTROL_BITS, STATUS_BITS = ("reset", "snapshot", "unit_reset"), ("quiet", "resetting", "pending")
# registers with more than one field, from bit 0 on; of the others the one field is VALUE
PARTS = {"cfg_flush": [("go", "1", "each time that go becomes 1, the unit forgets what it learnt from the address space"),
                       ("asid", "ASID_W", "address space")],
         "stat_parity_last": [("index", "24", "number of a frame or slot"), ("where", "8", "where a corrupt word was used; 0: nowhere")]}
# fields whose values have names: the group of codes
NAMED = {("cfg_search", "value"): "SEARCH", ("cfg_feed", "value"): "FEED", ("cfg_tier", "value"): "PLACE", ("stat_parity_last", "where"): "PARITY"}


class Field(NamedTuple):
    """Bits of a register. Widths, places and resets are figures, or expressions of sizes."""
    name: str
    lsb: str
    width: str
    access: str  # r: read; rw; w1c: read, writing 1 clears; w: written, reads 0
    reset: Optional[str]  # None: follows the unit
    of_unit: bool  # the unit changes the field, not software alone
    side_effect: bool  # writing resets the unit or the registers
    codes: Optional[str]  # group of codes
    text: str


class Entry(NamedTuple):
    """A register, of one word, or of two."""
    name: str
    address: int
    words: int
    fields: List[Field]
    text: str
    path: Optional[str]  # of the flip-flops, below gmmu_tier_axil


def control_fields(names, text, access, reset, **more):
    """Fields of one bit from a text `bit 0: …; bit 1: …`."""
    told = re.findall(r"bit \d: (.*?)(?=; bit \d|\. Reads|$)", text)
    if len(told) != len(names):
        raise ValueError('register_map.py: found %d bits in "%s", expected %d' % (len(told), text, len(names)))
    return [Field(name, str(i), "1", access, reset, more.get("of_unit", False), name in more.get("effects", ()), None, csr.plain(what))
            for i, (name, what) in enumerate(zip(names, told))]


def control_words(version):
    """The words from address 0 on."""
    major, minor, patch = (int(x) for x in version.split("."))
    texts = {name: text for name, _, text in csr.WORDS}

    def event_fields(access, of_unit):
        return [Field(name, str(i), "1", access, "0", of_unit, False, None, csr.plain(text)) for i, (name, text) in enumerate(csr.EVENTS)]
    fields = {
        "id": [Field("value", "0", "32", "r", str(ID), False, False, None, "")],
        "version": [Field("patch", "0", "8", "r", str(patch), False, False, None, "patch"),
                    Field("minor", "8", "8", "r", str(minor), False, False, None, "minor"),
                    Field("major", "16", "8", "r", str(major), False, False, None, "major")],
        "control": control_fields(CONTROL_BITS, texts["control"], "w", "0", effects=("reset", "unit_reset")),
        "status": control_fields(STATUS_BITS, texts["status"], "r", None, of_unit=True),
        "irq": event_fields("w1c", True),
        "irq_enable": event_fields("rw", False)}
    paths = {"irq": "happened", "irq_enable": "enabled"}
    return [Entry(name, csr.CONTROL + 4 * i, 1, fields[name], sentence(text), "%s.%s" % (CSR, paths[name]) if name in paths else None)
            for i, (name, _, text) in enumerate(csr.WORDS)]


def parts(name, width, access, reset, of_unit):
    """The fields of a register of WIDTH bits."""
    found, lsb = [], "0"
    for part, bits, what in PARTS.get(name, [("value", width, "")]):
        found.append(Field(part, lsb, bits, access, reset, of_unit, False, NAMED.get((name, part)), what))
        lsb = str(int(lsb) + int(bits)) if bits.isdigit() else lsb + " + " + bits
    return found


def sentence(text):
    """TEXT of a page as a sentence in plain ASCII."""
    text = csr.plain(text).replace("PARITY_…", "PARITY_*").replace("WATCHDOG_…", "WATCHDOG_*")
    return text[0].upper() + text[1:] + ("" if text.endswith(".") else ".")


def entries(src, version):
    """All registers in the order of their addresses."""
    out = control_words(version)
    about = {par: text for par, text, *_ in src["parameters"]}
    for i, par in enumerate(csr.sizes(src)):
        field = Field("value", "0", "32", "r", par, False, False, None, "")
        out.append(Entry("size_" + par.lower(), csr.SIZES + 4 * i, 1, [field], "Parameter %s: %s" % (par, csr.plain(about[par]) + "."), None))
    for reg, (name, width, reset, text) in zip(csr.registers(src), src["registers"]):
        more = " In force: %s." % doc_tables.in_force(src, name).replace("`", "")
        out.append(Entry(name, reg.address, 2 if reg.wide else 1, parts(name, width, "rw", reset, False), sentence(text) + more,
                         "%s.reg_%s.written" % (CSR, reg.short)))
    for i, (name, text) in enumerate(src["counters"]):
        out.append(Entry(name, csr.COUNTERS + 4 * i, 1, parts(name, "32", "r", "0", True),
                         sentence(text) + " As at the last snapshot.", "%s.k_%s" % (CSR, name[5:])))
    return out


def words(src, version):
    """The registers as words of 32 bits, each with the expression that says whether the word has bits; the upper word of two is NAME_upper."""
    for e in entries(src, version):
        if e.words == 1:
            yield e, "1"
            continue
        field, = e.fields
        if field.reset != "0":
            raise ValueError("register_map.py: %s: found reset %s, expected 0 of a register with two words" % (e.name, field.reset))
        wide = "%s > 32" % field.width
        yield e._replace(words=1, fields=[field._replace(width="%s ? 32 : %s" % (wide, field.width))], text=e.text + " Lower word."), "1"
        yield e._replace(name=e.name + "_upper", address=e.address + 4, words=1, fields=[field._replace(width="%s - 32" % field.width)],
                         text="Upper word of %s." % e.name), wide
