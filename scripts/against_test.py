#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""against_test.py: tests scripts/against.py: it must prove equal modules and find differences.

Small modules stand for the old and the new RTL: a module with another name in a folder, ports that became a bundle, RAMs,
and an instance that is cut out. Exit status 0: all results are as expected.
"""
import os
import shutil
import sys

import against
from gen import description

FOLDER = "build/against_test"
SIZES = {"parameters": [], "configurations": {"tiny": {"ASID_W": 2, "VPN_W": 5, "FRAMES": 8, "CLASSES": 4, "GEN_W": 2}},
         "derived": [["FRAME_W", "FRAMES", ""], ["ROW_W", "CLASSES", ""]], "module_parameters": {"CLASS_W": "ROW_W + GEN_W"},
         "blocks": [], "streams": [{"name": "s_axis_walk", "fields": [["vpn", "VPN_W", ""], ["asid", "ASID_W", ""]]}]}
BUNDLES = {**SIZES, "bundles": [{"name": "w9", "key": "W9", "of": "a walk", "fields": [
    ["valid", "1", ""], ["asid", "ASID_W", ""], ["vpn", "VPN_W", ""], ["class", "CLASS_W", ""]]},
    {"name": "held", "key": "HELD", "of": "a frame", "fields": [["asid", "ASID_W", ""], ["frame", "FRAME_W", ""], ["row", "ROW_W", ""], ["more", "2", ""]]}]}

COUNT = """module %s #(
    parameter VPN_W = 9
) (input wire clk, rst, input wire up, output reg [VPN_W-1:0] %s);
    always @(posedge clk)
        %s <= rst ? {VPN_W{1'b0}} : %s + {{VPN_W-1{1'b0}}, up};
endmodule
"""
# in: w9, out: held
OLD_STAGE = """module stage #(
    parameter ASID_W = 1,
    parameter VPN_W = 1,
    parameter FRAME_W = 9,
    parameter CLASS_W = 9,
    parameter ROW_W = 9
) (
    input wire clk, rst, w9_valid, input wire [ASID_W-1:0] w9_asid, input wire [CLASS_W-1:0] w9_class, input wire [FRAME_W-1:0] frame,
    input wire kind_fill,
    output reg [ASID_W-1:0] f_asid, output reg [FRAME_W-1:0] held_frame, output wire [ROW_W-1:0] held_row
);
    reg [CLASS_W-1:0] kept;
    assign held_row = kept[CLASS_W-1 -: ROW_W];
    always @(posedge clk) begin
        held_frame <= frame;
        if (w9_valid && kind_fill) begin
            f_asid <= w9_asid;
            kept   <= w9_class;
        end
    end
endmodule
"""
NEW_STAGE = """module gmmu_stage #(
    parameter ASID_W = 1,
    parameter VPN_W = 1,
    parameter FRAME_W = 9,
    parameter CLASS_W = 9,
    parameter ROW_W = 9
) (
    input wire clk, rst, input wire [ASID_W+VPN_W+CLASS_W:0] w9, input wire [FRAME_W-1:0] frame, input wire [1:0] kind,
    output wire [ASID_W+FRAME_W+ROW_W+1:0] held
);
    reg [ASID_W-1:0] f_asid;
    reg [FRAME_W-1:0] held_frame;
    reg [CLASS_W-1:0] kept;
    wire [ROW_W-1:0] row = kept[CLASS_W-1 -: ROW_W];
    assign held = {2'd3, %s};
    always @(posedge clk) begin
        held_frame <= frame;
        if (w9[0] && kind == 2'd2) begin
            f_asid <= w9[1 +: ASID_W];
            kept   <= w9[1+ASID_W+VPN_W +: CLASS_W];
        end
    end
endmodule
"""
FIELDS = ["--field", "held.asid=f_asid", "--old", "kind_fill=kind == 2'd2"]
# a register of three fields became two registers
OLD_PACKED = """module packed (input wire clk, rst, input wire [1:0] asid, input wire [4:0] vpn, input wire take, output wire [6:0] q);
    reg [6:0] w;
    assign q = w + 7'd1;
    always @(posedge clk) if (take) w <= {asid, vpn};
endmodule
"""
NEW_PACKED = """module packed (input wire clk, rst, input wire [1:0] asid, input wire [4:0] vpn, input wire take, output wire [6:0] q);
    reg [1:0] kept_asid;
    reg [4:0] kept_vpn;
    assign q = {kept_asid, kept_vpn} + 7'd1;
    always @(posedge clk) if (take) {kept_vpn, kept_asid} <= {vpn, asid};
endmodule
"""
RAMS = """module %(p)sram_sdp #(parameter WIDTH = 8, parameter DEPTH = 16, parameter ADDR_W = $clog2(DEPTH)) (
    input wire clk, input wire we, input wire [ADDR_W-1:0] waddr, input wire [WIDTH-1:0] wdata,
    input wire re, input wire [ADDR_W-1:0] raddr, output reg [WIDTH-1:0] rdata);
endmodule
""", """module %(p)sram_tdp #(parameter WIDTH = 8, parameter DEPTH = 16, parameter ADDR_W = $clog2(DEPTH)) (
    input wire clk, input wire a_we, input wire [ADDR_W-1:0] a_addr, input wire [WIDTH-1:0] a_d, output reg [WIDTH-1:0] a_q,
    input wire [ADDR_W-1:0] b_addr, output reg [WIDTH-1:0] b_q);
endmodule
"""
TABLE = """module %(p)stable (input wire clk, rst, write, input wire [3:0] at, other, input wire [7:0] d, output wire [7:0] q, output reg [7:0] r);
    wire [7:0] b, s;
    reg was;
    always @(posedge clk) begin
        was <= write && !rst;
        r   <= b ^ s;
    end
    %(p)sram_tdp #(.WIDTH(8), .DEPTH(16)) ram (.clk(clk), .a_we(%(we)s), .a_addr(at), .a_d(d), .a_q(q), .b_addr(other), .b_q(b));
    %(p)sram_sdp #(.WIDTH(8), .DEPTH(16)) side (.clk(clk), .we(was), .waddr(at), .wdata(%(d)s), .re(write), .raddr(other), .rdata(s));
endmodule
"""
OLD_SHELL = """module shell (input wire clk, rst, input wire go, input wire [1:0] asid, output reg done);
    wire valid, room;
    reg [1:0] a;
    wire [1:0] f;
    inner #(.N(4)) queue (.clk(clk), .w9_valid(valid), .w9_asid(a), .w9_vpn(5'd3), .w9_class(4'd1), .room(room), .f_asid(f));
    assign valid = go && room;
    always @(posedge clk) begin
        a    <= asid;
        done <= f == asid && !rst;
    end
endmodule
module inner #(parameter N = 1) (
    input wire clk, w9_valid, input wire [1:0] w9_asid, input wire [4:0] w9_vpn, input wire [3:0] w9_class, output wire room, output wire [1:0] f_asid);
    assign room = ^{w9_asid, w9_vpn, w9_class, w9_valid};
    assign f_asid = w9_asid;
endmodule
"""
NEW_SHELL = """module gmmu_shell (input wire clk, rst, input wire go, input wire [1:0] asid, output reg done);
    wire room;
    reg [1:0] a;
    wire [8:0] held;
    wire [11:0] w9 = {4'd1, 5'd3, %s, go && room};
    gmmu_inner #(.N(%d)) queue (.clk(clk), .w9(w9), .room(room), .held(held));
    always @(posedge clk) begin
        a    <= asid;
        done <= held[1:0] == asid && !rst;
    end
endmodule
module gmmu_inner #(parameter N = 1) (input wire clk, input wire [11:0] w9, output wire room, output wire [8:0] held);
    assign room = ^w9;
    assign held = {7'd0, w9[2:1]};
endmodule
"""
CUT = ["--apart", "inner", "--field", "queue.held.asid=f_asid"]


def table(prefix="", we="write", d="d"):
    return {name + ".v": text % {"p": prefix, "we": we, "d": d} for name, text in (("table", TABLE), ("lib/sdp", RAMS[0]), ("lib/tdp", RAMS[1]))}


# what, module, old files, new files, options, exit status (a text: what it stops with)
CASES = [
    ("another name, in a folder", "count", {"tally.v": COUNT % (("tally",) + 3 * ("q",))}, {"sums/gmmu_count.v": COUNT % (("gmmu_count",) + 3 * ("q",))},
     ["--module", "count=tally"], 0),
    ("an output that is missing", "count", {"count.v": COUNT % (("count",) + 3 * ("q",))}, {"gmmu_count.v": COUNT % (("gmmu_count",) + 3 * ("sum",))},
     [], "no output q"),
    ("an output of another name", "count", {"count.v": COUNT % (("count",) + 3 * ("q",))}, {"gmmu_count.v": COUNT % (("gmmu_count",) + 3 * ("sum",))},
     ["--old", "q=sum", "--rename", "^sum$=q"], 0),
    ("bundles", "stage", {"lib/stage.v": OLD_STAGE}, {"a/gmmu_stage.v": NEW_STAGE % "row, held_frame, f_asid"}, FIELDS, 0),
    ("two fields swapped", "stage", {"stage.v": OLD_STAGE}, {"gmmu_stage.v": NEW_STAGE % "row, f_asid, held_frame"}, FIELDS, 1),
    ("another decoding of a field", "stage", {"stage.v": OLD_STAGE}, {"gmmu_stage.v": NEW_STAGE % "row, held_frame, f_asid"},
     FIELDS[:3] + ["kind_fill=kind == 2'd1"], 1),
    ("a field without its old name", "stage", {"stage.v": OLD_STAGE}, {"gmmu_stage.v": NEW_STAGE % "row, held_frame, f_asid"}, FIELDS[2:], "no output f_asid"),
    ("a bundle on both sides", "stage", {"stage.v": NEW_STAGE % "row, held_frame, f_asid"}, {"gmmu_stage.v": NEW_STAGE % "row, held_frame, f_asid"}, [], 0),
    ("a layout that has not the port's bits", "packed", {"packed.v": OLD_PACKED}, {"packed.v": NEW_PACKED}, ["--bundle", "q=w9"], "found 7 bits"),
    ("a register cut into fields", "packed", {"packed.v": OLD_PACKED}, {"packed.v": NEW_PACKED},
     ["--bundle", "q=walk", "--old", "q=q", "--bits", "kept_(.*)sid[]=w[6:5]", "--bits", "kept_vpn[]=w[walk.vpn]"], 0),
    ("the same, its bits paired the wrong way", "packed", {"packed.v": OLD_PACKED}, {"packed.v": NEW_PACKED},
     ["--bits", "kept_asid[]=w[4:3]", "--bits", "kept_vpn[]=w[walk.vpn]"], 1),
    ("the same, its bits not paired", "packed", {"packed.v": OLD_PACKED}, {"packed.v": NEW_PACKED}, [], 1),
    ("the same, from registers that are 0", "packed", {"packed.v": OLD_PACKED}, {"packed.v": NEW_PACKED}, ["--zero"], 0),
    ("RAMs", "table", table(), table("gmmu_"), [], 0),
    ("another write enable of a ram_tdp", "table", table(), table("gmmu_", we="write && !rst"), [], 1),
    ("another word for a ram_sdp", "table", table(), table("gmmu_", d="d ^ 8'd4"), [], 1),
    ("an instance cut out", "shell", {"shell.v": OLD_SHELL}, {"gmmu_shell.v": NEW_SHELL % ("a", 4)}, CUT, 0),
    ("another value at its bundle", "shell", {"shell.v": OLD_SHELL}, {"gmmu_shell.v": NEW_SHELL % ("asid", 4)}, CUT, 1),
    ("another parameter of an instance cut out", "shell", {"shell.v": OLD_SHELL}, {"gmmu_shell.v": NEW_SHELL % ("a", 5)}, CUT, 1),
]


def main():
    os.chdir(description.ROOT)
    shutil.rmtree(FOLDER, ignore_errors=True)
    wrong = 0
    for n, (what, block, old, new, options, expected) in enumerate(CASES):
        folder = "%s/%d" % (FOLDER, n)
        for side, files in (("old", old), ("new", new)):
            for name, text in files.items():
                os.makedirs(os.path.dirname("%s/%s/%s" % (folder, side, name)), exist_ok=True)
                with open("%s/%s/%s" % (folder, side, name), "w", encoding="utf-8") as file:
                    file.write("`default_nettype none\n%s`default_nettype wire\n" % text)
        args = against.parse(["the old one", block, "tiny"] + options)
        args.seconds = 5
        both = "gmmu_stage" in "".join(old.values())
        try:
            found = against.compare_folders(block, folder + "/old", folder + "/new", folder, args, BUNDLES if both else SIZES, BUNDLES)
        except SystemExit as end:
            found = str(end.code)
        right = expected in found if isinstance(expected, str) and isinstance(found, str) else found == expected
        print("%s: %s%s" % (what, found, "" if right else "; expected %s" % expected), flush=True)
        wrong += not right
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
