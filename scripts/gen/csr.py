# SPDX-License-Identifier: Apache-2.0
"""The registers behind the bus: rtl/csr.v, cmodel/include/gmmu/csr.h, the map in docs/registers.md."""
import re

from gen.description import NOTE, width_in, with_derived

# byte addresses; a register has eight bytes, of which most use four
CONTROL, SIZES, REGISTERS, COUNTERS = 0x000, 0x100, 0x200, 0x300
WORDS = [("id", "r", "0x554D4D47: \"GMMU\" from the lowest byte on"),
         ("version", "r", "major, minor, patch: bits 23:16, 15:8, 7:0"),
         ("control", "w", "bit 0: soft reset, as at power-up; bit 1: snapshot, all counters are taken in one cycle; bit 2: reset of the unit alone, registers "
                          "stay. Reads 0"),
         ("status", "r", "bit 0: `quiet`; bit 1: a reset is under way, nothing can be written; bit 2: a register waits for `quiet`"),
         ("irq", "w1c", "what has happened, a bit each; writing 1 forgets it, unless it happens again in that cycle"),
         ("irq_enable", "rw", "which of them pull `irq`")]
EVENTS = [("rit", "a batch left on `m_axis_rit`"), ("hir", "a packet left on `m_axis_hir`"), ("xfer", "a packet left on `m_axis_xfer`"),
          ("decision", "a decision waits"), ("drop", "`stat_fault_drops`, `rec_drops`, `touch_drops`, `rit_drops` or `hir_drops` counted"),
          ("error", "`stat_drv_errors`, `stat_t2_stale`, `stat_parity` or `stat_watchdog` counted")]


def sizes(src):
    return [p[0] for p in src["parameters"] if len(p) == 2]


def most_bits(src, width):
    return max(width_in(width, with_derived(src, c)) for c in src["configurations"])


def registers(src):
    """[(name, width, reset, address, two words, waits for quiet)]"""
    rows = [(name, width, reset, REGISTERS + 8 * i, most_bits(src, width) > 32, name in src["quiet_registers"])
            for i, (name, width, reset, _) in enumerate(src["registers"])]
    if REGISTERS + 8 * len(rows) > COUNTERS or SIZES + 4 * len(sizes(src)) > REGISTERS:
        raise ValueError("gmmu.json: too many registers or sizes for the map of scripts/gen/csr.py")
    return rows


def top(width):
    """The highest bit of WIDTH bits."""
    if width.isdigit():
        return str(int(width) - 1)
    name, plus, more = width.partition("+")
    return "%s%s" % (name.strip(), "-1" if not plus else "" if int(more) == 1 else "+%d" % (int(more) - 1))


def vector(width):
    return "       " if width == "1" else "[%s:0]" % top(width)


def number(name):
    return name[4:].upper()


def verilog(src, version):
    regs, counts = registers(src), [name for name, _ in src["counters"]]
    major, minor, patch = (int(x) for x in version.split("."))
    out = ["// SPDX-License-Identifier: Apache-2.0",
           "// csr: the unit's registers, counters and interrupts (docs/registers.md).",
           "// (%s)" % NOTE.replace("from", "from VERSION,"),
           "//",
           "// What cannot be read or written is answered as bad, and nothing changes. A register that may change only while",
           "// the unit is quiet waits for that: it is in force from the cycle after the first one in which nothing is under",
           "// way and nothing comes.",
           "`default_nettype none", "`include \"gmmu_config.vh\"",
           "module csr #(", "`include \"gmmu_parameters.vh\" // sizes, of config/gmmu.json", "    // derived, not to be set",
           "    parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1, parameter T2_W = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1",
           ") (",
           "    input  wire        clk, rst,",
           "    // a request (axil_port), which has its answer two cycles later",
           "    input  wire        req_valid, req_write,",
           "    input  wire [9:0]  req_word, // number of the word of 32 bits",
           "    input  wire [31:0] req_data,",
           "    input  wire [3:0]  req_strb,",
           "    output reg         ans_valid, ans_bad,",
           "    output reg  [31:0] ans_data,",
           "    output reg         irq,",
           "    // the unit",
           "    output wire        unit_rst, // rst, or a reset by a register",
           "    output wire        stops, // a reset by a register waits for `rests`, or is under way",
           "    input  wire        rests, // nothing is under way at the memory port, so that a reset may begin; without that port 1",
           "    input  wire        quiet, // nothing is under way or owed in the unit",
           "    input  wire        comes, // a walk or an operation is offered to it"]
    out += ["    input  wire        event_%s, // %s" % (name, text.replace("`", "")) for name, text in EVENTS[:4]]
    out += ["    output wire %s %s,%s" % (vector(width), name, " // waits for quiet" if waits else "")
            for name, width, _, _, _, waits in regs]
    out += ["    input  wire [31:0] %s%s" % (name, "," if name != counts[-1] else "") for name in counts]
    out += [");",
             "    localparam EVENTS = %d;" % len(EVENTS),
            "",
            "    // ======== resets by a register, of eight cycles once the memory port rests: not of the bus, whose write has its answer",
            "    reg [3:0] left;",
            "    reg  keep; // registers stay",
            "    wire hold = left != 4'd0, resets = hold && (left != 4'd8 || rests), all_rst = rst || (resets && !keep);",
            "    assign unit_rst = rst || resets;",
            "    assign stops = hold;",
            "    wire write = req_valid && req_write && !hold;",
            "    wire [31:0] bytes = {{8{req_strb[3]}}, {8{req_strb[2]}}, {8{req_strb[1]}}, {8{req_strb[0]}}};",
            "    wire w_control = write && req_word == 10'd2 && req_strb[0], w_irq = write && req_word == 10'd4 && req_strb[0];",
            "    wire w_enable = write && req_word == 10'd5 && req_strb[0];",
            "    always @(posedge clk)",
            "        if (rst) {left, keep} <= 5'd0;",
            "        else if (w_control && (req_data[0] || req_data[2])) {left, keep} <= {4'd8, !req_data[0]};",
            "        else if (resets) left <= left - 4'd1;",
            "",
            "    // ======== interrupts"]
    watched = {"drop": [c for c in counts if c.endswith("_drops")], "error": ["stat_drv_errors", "stat_t2_stale", "stat_parity", "stat_watchdog"]}
    for name, of in watched.items():
        out += ["    reg  [%d:0] was_%s; // the lowest bits of its counters, which count at most three a cycle" % (2 * len(of) - 1, name),
                "    wire [%d:0] is_%s = {%s};" % (2 * len(of) - 1, name, ", ".join("%s[1:0]" % c for c in of)),
                "    wire event_%s = was_%s != is_%s && !hold;" % (name, name, name)]
    out += ["    wire [EVENTS-1:0] events = {%s};" % ", ".join("event_" + name for name, _ in reversed(EVENTS)),
            "    reg  [EVENTS-1:0] happened, enabled;",
            "    always @(posedge clk) begin",
            "        was_drop  <= is_drop;",
            "        was_error <= is_error;",
            "        happened  <= (happened & ~(w_irq ? req_data[EVENTS-1:0] : {EVENTS{1'b0}})) | events;",
            "        if (w_enable) enabled <= req_data[EVENTS-1:0];",
            "        irq <= |(happened & enabled);",
            "        if (all_rst) {happened, enabled, irq} <= {(2 * EVENTS + 1){1'b0}};",
            "        if (unit_rst) {was_drop, was_error} <= {%d{1'b0}};" % (2 * len(watched["drop"]) + 2 * len(watched["error"])),
            "    end",
            "",
            "    // ======== counters: all at once",
            "    wire take = w_control && req_data[1];"]
    for c in counts:
        out += ["    reg  [31:0] k_%s;" % c[5:],
                "    always @(posedge clk)",
                "        if (all_rst) k_%s <= 32'd0;" % c[5:],
                "        else if (take) k_%s <= %s;" % (c[5:], c)]
    out += [
        "",
            "    // ======== registers: q_ in force, n_ written, h_ the upper word of the next write; of those that wait q_ was in",
            "    // force and p_ written a cycle ago, and which of the two is in force is known in time: calm comes late",
            "    wire calm = quiet && !comes;",
            "    reg  was_calm;",
            "    always @(posedge clk) was_calm <= (calm || resets) && !all_rst;"]
    for name, width, reset, at, wide, waits in regs:
        w, n, value = width if width.isdigit() else "(%s)" % width, name[4:], reset
        out += ["    reg  %s q_%s%s;" % (vector(width), n, ", n_%s, p_%s" % (n, n) if waits else "")]
        to, word = ("n_" if waits else "q_") + n, at // 4
        if wide:
            out += ["    reg  [31:0] h_%s;" % n,
                    "    wire [64:0] v_%s = {{(65-%s){1'b0}}, %s};" % (n, w, to),
                    "    wire [63:0] u_%s = {h_%s, (v_%s[31:0] & ~bytes) | (req_data & bytes)};" % (n, n, n)]
        else:
            out += ["    wire [32:0] v_%s = {{(33-%s){1'b0}}, %s};" % (n, w, to),
                    "    wire [31:0] u_%s = (v_%s[31:0] & ~bytes) | (req_data & bytes);" % (n, n)]
        out += ["    always @(posedge clk)",
                "        if (all_rst) %s <= %s;" % (to, reset_value(width, value)),
                "        else if (write && req_word == 10'd%d) %s <= u_%s[%s];" % (word, to, n, "0" if width == "1" else top(width) + ":0")]
        if waits:
            out += ["    always @(posedge clk) p_%s <= n_%s;" % (n, n),
                    "    always @(posedge clk)",
                    "        if (all_rst) q_%s <= %s;" % (n, reset_value(width, value)),
                    "        else q_%s <= %s;" % (n, name)]
        if wide:
            out += ["    always @(posedge clk)",
                    "        if (all_rst) h_%s <= 32'd0;" % n,
                    "        else if (write && req_word == 10'd%d) h_%s <= (h_%s & ~bytes) | (req_data & bytes);" % (word + 1, n, n)]
        out += ["    assign %s = was_calm ? p_%s : q_%s;" % (name, n, n) if waits else "    assign %s = q_%s;" % (name, n)]
    unused = ["v_%s[%d], u_%s" % (r[0][4:], 64 if r[4] else 32, r[0][4:]) for r in regs]
    waiting = ["%s != n_%s" % (r[0], r[0][4:]) for r in regs if r[5]]
    out += ["    reg  pending;",
            "    always @(posedge clk)",
            "        pending <= !all_rst && (%s);" % " ||\n                                ".join(waiting),
            "",
            "    // ======== reads: each group's word, then the answer",
            "    reg  asked, asked_write;",
            "    reg  [1:0] group;",
            "    reg  good;",
            "    reg  [31:0] from_control, from_sizes, from_registers, from_counters;",
            "    wire [5:0] at = req_word[5:0];",
            "    always @(posedge clk) begin",
            "        asked       <= req_valid && !rst;",
            "        asked_write <= req_write;",
            "        group       <= req_word[7:6];",
            "        case (req_word[9:6])",
            "            4'd0: good <= req_write ? at == 6'd2 || at == 6'd4 || at == 6'd5 : at < 6'd%d;" % len(WORDS),
            "            4'd1: good <= !req_write && at < 6'd%d;" % len(sizes(src)),
            "            4'd2: good <= at < 6'd%d && (!at[0] || %s);" % (2 * len(regs), wides(regs)),
            "            4'd3: good <= !req_write && at < 6'd%d;" % len(counts),
            "            default: good <= 1'b0;",
            "        endcase",
            "        if (req_write && hold) good <= 1'b0;",
            "        case (at)",
            "            6'd0: from_control <= 32'h554D4D47;",
            "            6'd1: from_control <= 32'd%d; // %s" % (major << 16 | minor << 8 | patch, version),
            "            6'd3: from_control <= {29'd0, pending, hold, quiet};",
            "            6'd4: from_control <= {{32 - EVENTS{1'b0}}, happened};",
            "            6'd5: from_control <= {{32 - EVENTS{1'b0}}, enabled};",
            "            default: from_control <= 32'd0;",
            "        endcase",
            "        case (at)"]
    out += ["            6'd%d: from_sizes <= %s;" % (i, par) for i, par in enumerate(sizes(src))]
    out += ["            default: from_sizes <= 32'd0;", "        endcase", "        case (at)"]
    for name, _, _, at, wide, _ in regs:
        out += ["            6'd%d: from_registers <= v_%s[31:0];" % ((at - REGISTERS) // 4, name[4:])]
        if wide:
            out += ["            6'd%d: from_registers <= v_%s[63:32];" % ((at - REGISTERS) // 4 + 1, name[4:])]
    out += ["            default: from_registers <= 32'd0;", "        endcase", "        case (at)"]
    out += ["            6'd%d: from_counters <= k_%s;" % (i, name[5:]) for i, name in enumerate(counts)]
    out += ["            default: from_counters <= 32'd0;", "        endcase",
            "        ans_valid <= asked && !rst;",
            "        ans_bad   <= !good;",
            "        case (group)",
            "            2'd0: ans_data <= from_control;",
            "            2'd1: ans_data <= from_sizes;",
            "            2'd2: ans_data <= from_registers;",
            "            default: ans_data <= from_counters;",
            "        endcase",
            "        if (!good || asked_write) ans_data <= 32'd0;",
            "    end",
            "",
            "    wire unused_csr = &{1'b0, %s};" % ",\n                        ".join(unused),
            "endmodule", ""]
    return "\n".join(out)


def wires(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_cfg_wires.vh: the unit's registers and counters as wires (%s)" % NOTE,
           "// Include it where FRAME_W and T2_W are in scope."]
    out += ["wire %s %s;" % (vector(width), name) for name, width, *_ in src["registers"]]
    return "\n".join(out + ["wire [31:0] %s;" % name for name, _ in src["counters"]] + [""])


def ports(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// gmmu_cfg_ports.vh: those wires as the ports of an instance of csr or gmmu_tier (%s)" % NOTE]
    return "\n".join(out + [".%s(%s)," % (name, name) for name, *_ in src["registers"] + src["counters"]] + [""])


def wides(regs):
    found = ["at == 6'd%d" % ((r[3] - REGISTERS) // 4 + 1) for r in regs if r[4]]
    return " || ".join(found) or "1'b0"


def reset_value(width, reset):
    if width.isdigit():
        return "%s'd%s" % (width, reset)
    return "{(%s){1'b0}}" % width if reset == "0" else "%s[%s:0]" % (reset, top(width))


def c_header(src):
    out = ["// SPDX-License-Identifier: Apache-2.0", "// csr.h: where the unit's registers are behind the bus (docs/registers.md)", "// (%s)." % NOTE,
           "// clang-format off", "#ifndef GMMU_CSR_H", "#define GMMU_CSR_H", "", "#include \"gmmu/config.h\"", "",
           "// Byte addresses; words have 32 bits.", "enum {"]
    out += ["    GMMU_CSR_%s = 0x%03x, // %s" % (name.upper(), CONTROL + 4 * i, text) for i, (name, _, text) in enumerate(WORDS)]
    out += ["    GMMU_CSR_SIZES = 0x%03x, // of the parameters of config/gmmu.json, in its order" % SIZES]
    out += ["    GMMU_CSR_SIZE_%s = 0x%03x," % (par, SIZES + 4 * i) for i, par in enumerate(sizes(src))]
    out += ["    GMMU_CSR_REGISTERS = 0x%03x, // cfg_NAME, eight bytes each: of more than 32 bits the upper word is written first" % REGISTERS]
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
    return ["| address | | access | |", "|---|---|---|---|"] + \
        ["| 0x%03x | `%s` | %s | %s |" % (CONTROL + 4 * i, name, access, text) for i, (name, access, text) in enumerate(WORDS)] + \
        ["| 0x%03x… | | r | the sizes of config/gmmu.json, in its order |" % SIZES,
         "| 0x%03x… | | rw | the registers below, eight bytes each: of more than 32 bits the upper word is written first |" % REGISTERS,
         "| 0x%03x… | | r | the counters below, as they were at the last snapshot |" % COUNTERS]


def events_table(_):
    return ["| bit of `irq` | | |", "|---|---|---|"] + ["| %d | %s | %s |" % (i, name, text) for i, (name, text) in enumerate(EVENTS)]
