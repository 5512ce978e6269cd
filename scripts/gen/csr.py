# SPDX-License-Identifier: Apache-2.0
"""The registers behind the bus: rtl/bus/gmmu_csr.v, cmodel/include/gmmu/csr.h, the map in docs/reference/registers.md."""
import os
import re
from typing import NamedTuple

from gen.description import NOTE, ROOT, width_in, with_derived

TEMPLATE = os.path.join(ROOT, "scripts", "gen", "gmmu_csr.v.in")

# byte addresses; a register has eight bytes, of which most use four
CONTROL, SIZES, REGISTERS, COUNTERS = 0x000, 0x100, 0x200, 0x300
WORDS = [("id", "r", "0x554D4D47: \"GMMU\" from the lowest byte on"),
         ("version", "r", "major, minor, patch: bits 23:16, 15:8, 7:0"),
         ("control", "w", "bit 0: soft reset, as at power-up; bit 1: snapshot, all counters are copied in one cycle; bit 2: reset of the unit alone, registers "
                          "keep their values. Reads 0"),
         ("status", "r", "bit 0: `quiet`; bit 1: a reset by `control` waits for the memory port or is under way, and no write is taken; "
                         "bit 2: a register waits for `quiet`, or one of its two words for the other"),
         ("irq", "w1c", "events that have happened, a bit each; writing 1 clears the bit, unless the event happens again in the same cycle"),
         ("irq_enable", "rw", "events that raise the interrupt `irq`")]
EVENTS = [("rit", "a batch left on `m_axis_rit`"), ("hir", "a packet left on `m_axis_hir`"), ("xfer", "a packet left on `m_axis_xfer`"),
          ("decision", "a decision waits"), ("drop", "`stat_fault_drops`, `rec_drops`, `touch_drops`, `rit_drops` or `hir_drops` counted"),
          ("error", "`stat_drv_errors`, `stat_parity` or `stat_watchdog` counted")]


class Register(NamedTuple):
    """A register as the bus has it. Its number is its place in config/gmmu.json."""
    name: str  # cfg_NAME
    width: str  # bits, an expression of sizes
    reset: str  # a figure, or a size
    address: int
    wide: bool  # has two words
    waits: bool  # comes into force only while the unit is quiet

    @property
    def short(self):
        return self.name[4:]


def sizes(src):
    return [p[0] for p in src["parameters"] if len(p) == 2]


def counters(src):
    return [name for name, _ in src["counters"]]


def most_bits(src, width):
    return max(width_in(width, with_derived(src, c)) for c in src["configurations"])


def registers(src):
    rows = [Register(name, width, reset, REGISTERS + 8 * i, most_bits(src, width) > 32, name in src["quiet_registers"])
            for i, (name, width, reset, _) in enumerate(src["registers"])]
    if REGISTERS + 8 * len(rows) > COUNTERS or SIZES + 4 * len(sizes(src)) > REGISTERS:
        raise ValueError("gmmu.json: too many registers or sizes for the map of scripts/gen/csr.py")
    for reg in rows:
        if reg.wide and reg.waits:
            raise ValueError("gmmu.json: %s has two words and waits for quiet, which the C twin does not have" % reg.name)
    return rows


def vector(width):
    """The range in a declaration of WIDTH bits, an expression; blank for one bit."""
    if width == "1":
        return "       "
    if width.isdigit():
        return "[%d:0]" % (int(width) - 1)
    name, _, more = width.replace(" ", "").partition("+")
    above = int(more or 0) - 1
    return "[%s%s:0]" % (name, "%+d" % above if above else "")


def number(name):
    return name[4:].upper()


# ======== rtl/bus/gmmu_csr.v: the template scripts/gen/gmmu_csr.v.in, with the sections that follow from the description in place of its lines @NAME

REGISTER = """\
wire [%(read)d:0] read_%(short)s; // `%(name)s` is read as it is written.
gmmu_csr_reg #(
    .WORD(%(word)d),
    .WIDTH(%(width)s),
    .RESET(%(reset)s),
    .WAITS(%(waits)d),
    .WORDS(%(words)d),
    .PATIENCE_W(PATIENCE_W)
) reg_%(short)s (
    .clk(clk),
    .rst(all_rst),
    .write(write),
    .word(req_word),
    .data(req_data),
    .mask(bytes),
    .was_calm(was_calm),
    .read(read_%(short)s),
    .value(%(name)s),
    .pending(waiting[%(number)d])
);
"""

WATCHED = """\
localparam %(NAME)s_BITS = %(bits)d;
reg  [%(NAME)s_BITS-1:0] was_%(name)s; // Their bits a cycle ago.
wire [%(NAME)s_BITS-1:0] is_%(name)s = {
    %(counters)s
};"""


def register_port(reg):
    waits = " // The register waits for quiet." if reg.waits else ""
    return "output wire %-15s %s,%s" % (vector(reg.width), reg.name, waits)


def register_instance(i, reg):
    words = 2 if reg.wide else 1
    return REGISTER % {"short": reg.short, "name": reg.name, "number": i, "word": reg.address // 4, "width": reg.width, "reset": reg.reset,
                       "waits": reg.waits, "words": words, "read": 32 * words - 1}


def most(reg):
    """Bits that the words of REG have."""
    return 64 if reg.wide else 32


def too_wide(reg):
    """The error of a register that is wider than its words."""
    return "%s_has_more_than_%d_bits" % (reg.name, most(reg))


def limits(regs):
    """A size that makes a register wider than its words stops every tool at elaboration, with the register's name as the reason."""
    out = ["// An unknown module stops every tool at elaboration, with its name as the reason.", "generate"]
    for reg in regs:
        if not reg.width.isdigit():
            out += ["    if (%s > %d) begin : g_bad_%s" % (reg.width, most(reg), reg.short), "        %s stop_here();" % too_wide(reg), "    end"]
    return out + ["endgenerate", ""]


def register_reads(i, reg):
    """The lines of a read of register I: one for each of its words."""
    lower = "6'd%d: from_registers <= read_%s%s;" % (2 * i, reg.short, "[31:0]" if reg.wide else "")
    return [lower] + ["6'd%d: from_registers <= read_%s[63:32];" % (2 * i + 1, reg.short)] * reg.wide


def watched(src, name):
    """The counters that raise event NAME when they count."""
    if name == "drop":
        return [c for c in counters(src) if c.endswith("_drops")]
    return ["stat_drv_errors", "stat_parity", "stat_watchdog"]  # not stat_t2_stale, which races of a correct driver count too


def watch(src, name):
    of = watched(src, name)
    return WATCHED % {"name": name, "NAME": name.upper(), "bits": 2 * len(of), "counters": ",\n    ".join("%s[1:0]" % c for c in of)}


def numbers(src, version):
    """What the template counts."""
    major, minor, patch = (int(x) for x in version.split("."))
    return ["localparam [31:0] VERSION = 32'd%d; // %s" % (major << 16 | minor << 8 | patch, version),
            "localparam EVENTS = %d;" % len(EVENTS),
            "// Words of each group; a register has two words on the bus, of which most use the lower one alone.",
            "localparam WORDS = %d;" % len(WORDS),
            "localparam SIZES = %d;" % len(sizes(src)),
            "localparam REGISTERS = %d;" % len(src["registers"]),
            "localparam COUNTERS = %d;" % len(src["counters"])]


def second_word(regs):
    """Which odd words there are among those of registers."""
    found = ["at == 6'd%d" % (2 * i + 1) for i, reg in enumerate(regs) if reg.wide]
    return ["wire second_word = %s; // A register has an upper word there." % (" || ".join(found) or "1'b0")]


def sections(src, version):
    """{name: lines} of what stands in place of the template's @NAME."""
    regs, counts = registers(src), counters(src)
    return {
        "note": ["// (%s)" % NOTE.replace("from", "from VERSION,")],
        "event_ports": ["input  wire        event_%s, // An interrupt: %s." % (name, text.replace("`", "")) for name, text in EVENTS[:4]],
        "register_ports": [register_port(reg) for reg in regs],
        "counter_ports": ["input  wire [31:0] %s%s" % (name, "" if name == counts[-1] else ",") for name in counts],
        "numbers": numbers(src, version),
        "watched": [watch(src, name) for name in ("drop", "error")],
        "events": ["wire [EVENTS-1:0] events = {%s}; // What happens in this cycle." % ", ".join("event_" + name for name, _ in reversed(EVENTS))],
        "counters": ["reg  [31:0] k_%s;" % c[5:] for c in counts],
        "forget": ["k_%s <= 32'd0;" % c[5:] for c in counts],
        "snapshot": ["k_%s <= %s;" % (c[5:], c) for c in counts],
        "limits": limits(regs),
        "registers": [register_instance(i, reg) for i, reg in enumerate(regs)],
        "second_word": second_word(regs),
        "read_sizes": ["6'd%d: from_sizes <= %s;" % (i, par) for i, par in enumerate(sizes(src))],
        "read_registers": [line for i, reg in enumerate(regs) for line in register_reads(i, reg)],
        "read_counters": ["6'd%d: from_counters <= k_%s;" % (i, c[5:]) for i, c in enumerate(counts)],
    }


def verilog(src, version):
    with open(TEMPLATE, encoding="utf-8") as file:
        template = file.read()
    found = sections(src, version)

    def section(line):
        return re.sub("^(?=.)", line.group(1), "\n".join(found[line.group(2)]), flags=re.M)
    return re.sub(r"^( *)@(\w+)$", section, template, flags=re.M)


def wires(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_cfg_wires.vh: the unit's registers and counters as wires (%s)" % NOTE,
           "// Include it where FRAME_W and T2_W are in scope."]
    out += ["wire %s %s;" % (vector(width), name) for name, width, *_ in src["registers"]]
    return "\n".join(out + ["wire [31:0] %s;" % name for name, _ in src["counters"]] + [""])


def inputs(src):
    """The registers as ports of the unit."""
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_cfg_inputs.vh: the registers as inputs of gmmu_tier (%s)" % NOTE]
    lines = ["input wire %s// %s" % ((vector(width).strip() + " " + name + ", ").lstrip(), plain(what)) for name, width, _, what in src["registers"]]
    return "\n".join(out + lines + [""])


def outputs(src):
    """The counters as ports of the unit."""
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_stat_outputs.vh: the counters as outputs of gmmu_tier (%s)" % NOTE]
    return "\n".join(out + ["output wire [31:0] %s, // %s" % (name, plain(what)) for name, what in src["counters"]] + [""])


def plain(text):
    """TEXT of a page without its links."""
    return re.sub(r"\s*\(\[[^\]]*\]\([^)]*\)\)", "", text).replace("`", "")


def ports(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_cfg_ports.vh: those wires as the ports of an instance of csr or gmmu_tier (%s)" % NOTE]
    return "\n".join(out + [".%s(%s)," % (name, name) for name, *_ in src["registers"] + src["counters"]] + [""])


def c_header(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// csr.h: where the unit's registers are behind the bus (docs/reference/registers.md)", "// (%s)." % NOTE,
           "// clang-format off", "#ifndef GMMU_CSR_H", "#define GMMU_CSR_H", "", "#include \"gmmu/config.h\"", "",
           "// Byte addresses; words have 32 bits.", "enum {"]
    out += ["    GMMU_CSR_%s = 0x%03x, // %s" % (name.upper(), CONTROL + 4 * i, text) for i, (name, _, text) in enumerate(WORDS)]
    out += ["    GMMU_CSR_SIZES = 0x%03x, // of the parameters of config/gmmu.json, in its order" % SIZES]
    out += ["    GMMU_CSR_SIZE_%s = 0x%03x," % (par, SIZES + 4 * i) for i, par in enumerate(sizes(src))]
    out += ["    GMMU_CSR_REGISTERS = 0x%03x, // cfg_NAME, eight bytes each: of more than 32 bits both words, in either order" % REGISTERS]
    out += ["    GMMU_CSR_%s = 0x%03x," % (number(name), at) for name, _, _, at, _, _ in registers(src)]
    out += ["    GMMU_CSR_COUNTERS = 0x%03x, // stat_NAME, as it was at the last snapshot" % COUNTERS]
    out += ["    GMMU_CSR_STAT_%s = 0x%03x," % (name[5:].upper(), COUNTERS + 4 * i) for i, (name, _) in enumerate(src["counters"])]
    out += ["};", "", "// Bits of GMMU_CSR_CONTROL, of GMMU_CSR_STATUS, of GMMU_CSR_IRQ and GMMU_CSR_IRQ_ENABLE.",
            "enum { GMMU_CSR_RESET = 1, GMMU_CSR_SNAPSHOT = 2, GMMU_CSR_UNIT_RESET = 4 };",
            "enum { GMMU_CSR_QUIET = 1, GMMU_CSR_RESETTING = 2, GMMU_CSR_PENDING = 4 };", "enum {"]
    out += ["    GMMU_CSR_IRQ_%s = 1 << %d, // %s" % (name.upper(), i, text.replace("`", "")) for i, (name, text) in enumerate(EVENTS)]
    out += ["    GMMU_CSR_IRQS = 1 << %d," % len(EVENTS)]
    derived = {d[0]: "gmmu_index_bits(c->%s)" % d[1].lower() for d in src["derived"]}

    def width(expr):
        return re.sub(r"\b[A-Z]\w*", lambda m: derived.get(m.group(0), "c->" + m.group(0).lower()), expr)
    out += ["};", "", "// X of each register: name, its address, its bits and its value at reset in configuration C, whether it has two words, whether it",
            "// waits for the unit to be quiet.", "#define GMMU_CSR_LIST(X) \\"]
    out += ["    X(%s, 0x%03x, %s, %s, %d, %d) \\" % (name[4:], at, width(w), reset if reset.isdigit() else "c->" + reset.lower(), wide, waits)
            for name, w, reset, at, wide, waits in registers(src)]
    out[-1] = out[-1][:-2]
    out += ["// X of each size: its name, its address.", "#define GMMU_CSR_SIZE_LIST(X) \\"]
    out += ["    X(%s, 0x%03x) \\" % (par.lower(), SIZES + 4 * i) for i, par in enumerate(sizes(src))]
    out[-1] = out[-1][:-2]
    return "\n".join(out + ["", "#endif", ""])


def words_table(_):
    return ["| address | word | access | meaning |", "|---|---|---|---|"] + \
        ["| 0x%03x | `%s` | %s | %s |" % (CONTROL + 4 * i, name, access, text) for i, (name, access, text) in enumerate(WORDS)] + \
        ["| 0x%03x… | | r | the parameters of config/gmmu.json, in the order of the file |" % SIZES,
         "| 0x%03x… | | rw | the registers below, eight bytes each; of a register above 32 bits both words are written, in either order |" % REGISTERS,
         "| 0x%03x… | | r | the counters below, with their values of the last snapshot |" % COUNTERS]


def events_table(_):
    return ["| bit of `irq` | event | meaning |", "|---|---|---|"] + ["| %d | %s | %s |" % (i, name, text) for i, (name, text) in enumerate(EVENTS)]
