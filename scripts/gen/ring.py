# SPDX-License-Identifier: Apache-2.0
"""The words of the block ring: cmodel/include/gmmu/ring.h, and the tables of docs/reference/blocks/ring.md."""
import json

from gen import c_header as c
from gen.csr import plain

OPERATIONS = [("NONE", 0), ("DISABLE", 2), ("RESET", 3)]


def checked(src):
    """The description; an error if words or fields lie on one another."""
    ring = src["ring"]
    for words in (ring["page"], ring["words"]):
        places = [word[1] for word in words]
        if places != sorted(set(places)) or any(at % 4 for at in places):
            raise ValueError("gmmu.json: ring: words must ascend by their addresses, which are multiples of 4: %s" % places)
        for name, _, _, _, fields in words:
            bits = [bit for _, low, width, _ in fields for bit in range(low, low + width)]
            if bits != sorted(set(bits)) or any(bit > 31 for bit in bits):
                raise ValueError("gmmu.json: ring: fields of %s must ascend, and end with bit 31: %s" % (name, json.dumps(fields)))
    return ring


def enum(title, rows):
    def line(row):
        code, _, what = row.partition(" // ")
        return "    GMMU_RING_%s,%s" % (code, what and " // " + what)
    return ["// " + title, "enum {"] + [line(row) for row in rows] + ["};", ""]


def bits(word, fields):
    """A mask for a field of one bit, the lowest bit of a wider one."""
    return ["%s_%s = 1 << %d // %s" % (word, name, low, plain(text)) if width == 1 else
            "%s_%s = %d // the lowest of %d bits: %s" % (word, name, low, width, plain(text)) for name, low, width, text in fields]


def header(src):
    ring = checked(src)
    out = c.opening("ring", "channels and words of the block ring (docs/reference/blocks/ring.md)")
    out += enum("Channels: out, from the unit to memory; in, from memory to the unit.",
                ["%s = %d // %s, %s" % (name, i, way, plain(what)) for i, (name, way, what) in enumerate(ring["channels"])] +
                ["CHANNELS = %d" % len(ring["channels"])])
    out += enum("Byte addresses in the page; words have 32 bits.",
                ["PAGE = 0x%x // of the page itself, behind gmmu_tier_ring" % ring["behind"], "FIRST = 0x%03x // of channel 0" % ring["first"],
                 "LENGTH = 0x%03x // from a channel to the next" % ring["length"]] +
                ["%s = 0x%03x // %s" % (name, at, plain(what)) for name, at, _, what, _ in ring["page"]])
    out += enum("Byte addresses in a channel.", ["%s = 0x%02x // %s" % (name, at, plain(what)) if what else "%s = 0x%02x" % (name, at)
                                                for name, at, _, what, _ in ring["words"]])
    out += enum("Fields of the words: a mask, or the lowest bit of a field of several bits.",
                [row for words in (ring["page"], ring["words"]) for name, _, _, _, fields in words for row in bits(name, fields)])
    out += enum("Values of OPERATION_IN_PROG.", ["OP_%s = %d" % op for op in OPERATIONS])
    out += enum("The last byte of an entry of an out channel.", bits("BYTE", ring["entry"]))
    return "\n".join(out + ["#endif", ""])


def place(low, width):
    return str(low) if width == 1 else "%d:%d" % (low + width - 1, low)


def words_table(src):
    ring = checked(src)
    out = ["| at | word | | bits | field | meaning |", "|---|---|---|---|---|---|"]
    for title, words, form in (("in the page", ring["page"], "0x%03x"), ("in the channel", ring["words"], "0x%02x")):
        out.append("| | | | | | **%s** |" % title)
        for name, at, access, what, fields in words:
            rows = [("", "", what)] if what else []
            rows += [(place(low, width), "`%s`" % field, text) for field, low, width, text in fields]
            for i, row in enumerate(rows):
                first = (form % at, "`%s`" % name, access) if i == 0 else ("", "", "")
                out.append(("| %s | %s | %s | " % first + "%s | %s | %s |" % row).replace("|  |", "| |").replace("|  |", "| |"))
    return out


def channels_table(src):
    out = ["| channel | at | | stream |", "|---|---|---|---|"]
    ring = checked(src)
    for i, (name, way, what) in enumerate(ring["channels"]):
        out.append("| %d `%s` | 0x%03x | %s | %s |" % (i, name, ring["first"] + ring["length"] * i, way, what))
    return out


def entry_table(src):
    rows = ["| %s | `%s` | %s |" % (place(low, width), name, text) for name, low, width, text in checked(src)["entry"]]
    return ["| bit | | meaning |", "|---|---|---|"] + rows
