#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""miter.py: does a mutant of a block ever differ from the original, while its callers keep to the protocol?

Used by scripts/mutate.py. Original and mutant stand side by side on the same inputs, registers of the
same name start with the same unknown value, reset comes at any time. Compared are the outputs, each
while it means something, and the words of the RAMs: of each RAM one word at an unknown constant
address is followed, the others return anything, the same in both if both read the same address, which is
right as long as no word has differed. abc's `pdr` proves that no comparison ever fails, for all time.
A proof is of the block within this protocol; what is not proved in time may be equivalent all the same.
"""
import json
import os
import re
import subprocess

RAM = """module gmmu_ram_sdp #(
    parameter WIDTH = 8, parameter DEPTH = 16, parameter FLIPS = 1, parameter ONCE = 0, parameter ADDR_W = DEPTH > 1 ? $clog2(DEPTH) : 1
) (
    input wire clk, we, re, input wire [ADDR_W-1:0] waddr, raddr, input wire [WIDTH-1:0] wdata,
    output reg [WIDTH-1:0] rdata
);
    wire [31:0] track;
    wire [WIDTH-1:0] noise;
    reg  [WIDTH-1:0] word;
    always @(posedge clk) begin
        if (we && waddr == track[ADDR_W-1:0])
            word <= wdata;
        if (re)
            rdata <= raddr != track[ADDR_W-1:0] || (we && waddr == raddr) ? noise : word;
    end
endmodule
"""

# block -> registers of which more is known than the outputs show: they are compared too, in a first attempt, each
# while its condition holds; a proof is easier with it
INNER = {  # name, bits compared, width, condition
    "victim_select": [
        ("kept", "", "[3:0]", "1"), ("valid", "", "[3:0]", "1"), ("ask_valid", "", "", "1"),
        ("best", "", "[44:0]", "\\gold.best_valid ")],
}

# block -> what its callers promise (a register `ok` of the wrapper, `rst`, outputs as g_NAME), and when
# an output means something: name -> condition; outputs that are not named always do
PROTOCOL = {
    "victim_select": ("""
    // up to eight candidates under way, HANDs in search clock; the answers come in order
    reg  [63:0] asked;
    reg  [3:0]  open;
    reg         deciding, was_wanted;
    reg  [1:0]  was_search;
    reg  [8:0]  was_frames;
    wire        done = decide_done && !decide_retry;
    wire [19:0] age = now - ans_last;
    wire        came = ans_valid || hand_valid;
    (* anyconst *) wire [19:0] now;
    always @(posedge clk) begin
        open <= open + {3'd0, cand_grant} - {3'd0, came};
        if (came)
            asked <= asked >> 8;
        if (cand_grant)
            asked[(open - {3'd0, came})*8 +: 8] <= g_cand_frame;
        deciding   <= decide_grant || (deciding && !decide_done);
        was_wanted <= wanted && !done;
        was_search <= cfg_search;
        was_frames <= cfg_frames;
        if (rst) begin
            open       <= 0;
            deciding   <= 1'b0;
            was_wanted <= 1'b0;
        end
    end
    always @* begin
        assume (cfg_frames != 0 && cfg_frames <= 256);
        assume (rst || g_idle || (cfg_search == was_search && cfg_frames == was_frames));
        assume (!cand_grant || (g_cand_req && open != 8));
        assume (!ans_valid || (open != 0 && !g_cand_hand && ans_frame == asked[7:0]));
        assume (!hand_valid || (open != 0 && g_cand_hand && hand_frame == asked[7:0]));
        assume (!decide_grant || g_decide_req);
        assume (!decide_done || deciding);
        assume (!(decide_done && decide_retry && decide_taken));
        assume (!(decide_done && decide_taken) || g_decide_have);
        assume (!decide_kept || (decide_done && decide_retry && g_cand_hand));
        assume (!was_wanted || wanted);
        assume (!age[19]);
    end
""", {"cand_frame": "g_cand_req", "cand_hand": "g_cand_req", "hand_void": "hand_valid", "hand_takes": "hand_valid",
      "decide_have": "g_decide_req || deciding", "decide_tired": "g_decide_req || deciding",
      "decide_frame": "(g_decide_req || deciding) && g_decide_have",
      "decide_priority": "(g_decide_req || deciding) && g_decide_have",
      "decide_last": "(g_decide_req || deciding) && g_decide_have"}),
    "ppuc": ("""
    // after snap_start all bins of a snapshot in turn; INSTALL when asked for
    reg        loading, busy, was_pseudo;
    reg  [4:0] at;
    always @(posedge clk) begin
        was_pseudo <= cfg_pseudo;
        busy       <= (busy || snap_start) && !install && !rst;
        loading    <= (loading || snap_start) && !(snap_valid && snap_last) && !rst;
        at         <= snap_start ? 5'd0 : at + {4'd0, snap_valid};
    end
    always @* begin
        assume (rst || !snap_start || (!busy && g_state_idle));
        assume (rst || !busy || cfg_pseudo == was_pseudo);
        assume (rst || !snap_valid || (loading && snap_bin == at));
        assume (!snap_valid || snap_last == (at == 5'd31));
        assume (rst || !install || g_install_req);
        assume (!install || !l0_valid);
    end
    wire g_state_idle = g_idle || snap_start;
""", {"install_row": "g_install_req", "install_gen": "g_install_req", "tvi_serving": "l0_valid",
      "l6_priority": "g_l6_valid", "l6_tag": "g_l6_valid",
      "tvi_prio": "g_tvi_prio_valid", "tvi_prio_bin": "g_tvi_prio_valid"}),
}


def wrapper(block, folder, inner):
    """The module `same`: both, the protocol, the comparisons."""
    with open(folder + "/gold.json", encoding="utf-8") as file:
        module = json.load(file)["modules"][block]
    text, protocol = [RAM, "module same (\n    input wire clk, reset"], PROTOCOL[block]
    wires, pins, check = [], [[], []], []
    for name, port in module["ports"].items():
        width = "[%d:0] " % (len(port["bits"]) - 1)
        if port["direction"] == "input":
            if name not in ("clk", "rst"):
                text.append(",\n    input wire %s%s" % (width, name))
            for p in pins:
                p.append(".%s(%s)" % (name, name))
        else:
            for p, who in zip(pins, "gt"):
                wires.append("    wire %s%s_%s;\n" % (width, who, name))
                p.append(".%s(%s_%s)" % (name, who, name))
            check.append("        assert (!compare || !(%s) || g_%s == t_%s);\n" % (protocol[1].get(name, "1"), name, name))
    text.append("\n);\n")
    text += wires
    text.append("    reg [1:0] young = 0;\n    always @(posedge clk) if (young != 3) young <= young + 1'b1;\n"
                "    wire rst = young != 3 || reset;\n    wire compare = !rst;\n    (* anyconst *) wire [31:0] track;\n")
    text.append(protocol[0])
    for who, p in zip(("gold", "gate"), pins):
        text.append("    %s %s (%s);\n" % (who, who, ", ".join(p)))
    for n, (name, cell) in enumerate(sorted(module["cells"].items())):
        if cell["type"] != "gmmu_ram_sdp":
            continue
        width, addr = len(cell["connections"]["rdata"]), len(cell["connections"]["raddr"])
        text.append("    (* anyseq *) wire [%d:0] n%d, m%d;\n" % (width - 1, n, n))
        for who in ("gold", "gate"):
            for wire, w in (("noise", width), ("word", width), ("track", 32), ("raddr", addr), ("re", 1)):
                text.append("    (* hierconn *) wire [%d:0] \\%s.%s.%s ;\n" % (w - 1, who, name, wire))
            text.append("    assign \\%s.%s.track  = track;\n" % (who, name))
        text.append("    assign \\gold.%s.noise  = n%d;\n    assign \\gate.%s.noise  = \\gold.%s.raddr  == \\gate.%s.raddr  && "
                    "\\gold.%s.re  == \\gate.%s.re  ? n%d : m%d;\n" % (name, n, name, name, name, name, name, n, n))
        check.append("        assert (!compare || !(%s) || \\gold.%s.word  == \\gate.%s.word );\n"
                     % (protocol[1].get("*", "1"), name, name))
    seen = set()
    for base, part, width, when in INNER.get(block, []) if inner else []:
        if base not in seen:
            seen.add(base)
            text.append("".join("    (* hierconn *) wire %s \\%s.%s ;\n" % (width, who, base) for who in ("gold", "gate")))
        check.append("        assert (!compare || !(%s) || \\gold.%s %s == \\gate.%s %s);\n"
                     % (when, base, part, base, part))
    return "".join(text + ["    always @* begin\n"] + check + ["    end\nendmodule\n"])


def merge(aag, mapped, out, free, old=None):
    """Writes a binary AIGER file in which the mutant's registers start with the values of the original's, and
    but for those in free have them in every cycle; what they take next is compared instead. A register gate.NAME of
    the mutant is gold.NAME of the original, or as the table `old` says. Returns the
    number of comparisons that the wrapper makes, and the names of these registers."""
    with open(aag, encoding="ascii", errors="replace") as file:
        head = [int(n) for n in file.readline().split()[1:]] + [0, 0, 0, 0]
        inputs, latches, outputs, ands, bad, constraints = head[1:7]
        rows = [[int(n) for n in file.readline().split()] for _ in range(inputs + latches + outputs + bad + constraints + ands)]
    latch = rows[inputs:inputs + latches]
    bads, holds = [r[0] for r in rows[inputs + latches:][:outputs + bad]], [r[0] for r in rows[len(rows) - ands - constraints:len(rows) - ands]]
    gates = rows[len(rows) - ands:]
    start, state = {}, {}
    with open(mapped, encoding="utf-8") as file:
        for line in file:
            kind, at, bit, name = line.split()
            if kind == "init":
                start[(name, bit)] = rows[int(at)][0]
            elif kind in ("latch", "invlatch"):
                state[(name, bit)] = (int(at), kind == "invlatch")
    def gold(name):
        return old.get(name) if old is not None else "gold" + name[4:]

    change = {literal: start[(gold(name), bit)] for (name, bit), literal in start.items()
              if name.startswith("gate.") and (gold(name), bit) in start}
    pairs, base, names = [], len(bads), []
    for (name, bit), (at, inverted) in state.items():
        twin = state.get((gold(name), bit))
        if name.startswith("gate.") and twin is not None and (name, bit) not in free:
            flip = inverted != twin[1]
            change[latch[at][0]] = latch[twin[0]][0] ^ flip
            pairs.append((latch[at][1] ^ flip, latch[twin[0]][1], (name, bit)))

    def of(literal):
        return change.get(literal & ~1, literal & ~1) ^ (literal & 1)

    settled = latch[state[("young", "1")][0]][0]  # from the third cycle of reset on
    top, found, rows, gates = inputs + latches, {}, gates, []
    for lhs, a, b in rows:  # equal gates become one, so that only what differs is compared
        high, low = sorted((of(a), of(b)), reverse=True)
        if low == 0 or high == low ^ 1:
            change[lhs] = 0
        elif low == 1 or high == low:
            change[lhs] = high
        else:
            if (high, low) not in found:
                top += 1
                found[high, low] = 2 * top
                gates.append([2 * top, high, low])
            change[lhs] = found[high, low]
    bads = [of(literal) for literal in bads]  # those that follow are of the new numbers
    for a, b, name in ((of(a), of(b), name) for a, b, name in pairs):
        if a != b:
            names.append(name)
            for x, y in ((a, b ^ 1), (a ^ 1, b), (2 * top + 3, 2 * top + 5), (2 * top + 7, settled)):
                top += 1
                gates.append([2 * top] + sorted((x, y), reverse=True))
            bads.append(2 * top)
    with open(out, "wb") as file:
        file.write(b"aig %d %d %d 0 %d %d %d\n" % (top, inputs, latches, len(gates), len(bads), len(holds)))
        for row in latch:
            file.write(b"%d\n" % of(row[1]))
        for literal in bads + [of(literal) for literal in holds]:
            file.write(b"%d\n" % literal)
        for lhs, high, low in gates:
            for delta in (lhs - high, high - low):
                while delta >= 128:
                    file.write(bytes([delta & 127 | 128]))
                    delta >>= 7
                file.write(bytes([delta]))
    return base, names


def abc(commands, limit, path):
    try:
        text = subprocess.run(["yosys-abc", "-c", commands], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                              errors="replace", timeout=20 * limit + 60, check=False).stdout
    except subprocess.TimeoutExpired:
        text = ""
    with open(path + "/abc.log", "a", encoding="utf-8") as file:
        file.write(text)
    return text


def same(block, line, folder, seconds):
    """Is the mutant of this line of mutants.ys proved equal? Returns proved | differs | undecided."""
    if block not in PROTOCOL:
        return "undecided"
    found = "undecided"
    for inner, limit in ((False, 5), (True, seconds), (False, seconds)):
        if found == "undecided" and (block in INNER or not inner):
            found = attempt(block, line, folder, limit, inner)
            if inner and found == "differs":  # what it keeps, not what it does
                found = "undecided"
    return found


def attempt(block, line, folder, seconds, inner):
    path = folder + "/miter"
    os.makedirs(path, exist_ok=True)
    if not os.path.exists(folder + "/gold.json"):
        subprocess.run(["yosys", "-q", "-p", "read_rtlil %s/gold.il; write_json %s/gold.json" % (folder, folder)], check=True)
    with open(path + "/same.v", "w", encoding="utf-8") as file:
        file.write(wrapper(block, folder, inner))
    change = re.sub(r"-ctrl \S+ \d+ \d+ ", "", line).replace("-module " + block, "-module gate")
    with open(path + "/same.ys", "w", encoding="utf-8") as file:
        file.write("""read_rtlil {f}/gold.il
rename {b} gold
read_rtlil {f}/gold.il
rename {b} gate
{c}
read_verilog -formal {p}/same.v
prep -flatten -top same
async2sync
dffunmap
setundef -undriven -zero
opt_clean
techmap
dffunmap
delete -output
opt_clean
abc -g AND -fast
opt_clean
write_aiger -zinit -map {p}/same.map -ascii {p}/same.aag
""".format(f=folder, b=block, c=change, p=path))
    log = path + "/same.log"
    if subprocess.run(["yosys", "-q", "-l", log, "-s", path + "/same.ys"], stdout=subprocess.DEVNULL,
                      stderr=subprocess.DEVNULL, check=False).returncode:
        raise RuntimeError("Yosys failed: " + log)
    free, text = set(), ""
    known = {row[0] for row in INNER.get(block, [])}
    for _ in range(40):
        base, names = merge(path + "/same.aag", path + "/same.map", path + "/same.aig", free)
        weak = {key for key in names if inner and key[0][5:] in known}
        if weak:  # compared by the wrapper, while they mean something
            free |= weak
            continue
        read = "read_aiger %s/same.aig; fold; strash; " % path
        text = abc(read + "orpos; scorr; pdr -T %d" % seconds, 2 * seconds, path)
        if "Property proved" in text or "Networks are equivalent" in text:
            return "proved"
        # a register that differs gets a copy in the mutant, and on
        text = abc(read + "bmc3 -F 60 -T %d" % seconds, 2 * seconds, path)
        differ = {int(n) for n in re.findall(r"Output\s+(\d+)\s.*asserted in frame", text)}
        if any(n < base for n in differ):
            return "differs"
        if not differ:
            return "undecided"
        more = {names[n - base][0] for n in differ}
        free |= {key for key in names if key[0] in more}
    return "undecided"
