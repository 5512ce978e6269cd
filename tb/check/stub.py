#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""stub.py OUTDIR: gmmu_tier_axil, gmmu_tier_ring, gmmu_ring and gmmu_tier without content: modules of their names and ports, all of which are inputs.

gmmu_bind.sv binds the checkers to these modules as it does to the unit. A bench then plays the unit as well as its neighbours,
and may break any rule (broken.cpp). Beside the unit stand checkers that the unit has at other sizes only: of the memory port,
of a stream with reserved bits, of packets with short records, and of the AXI4 master of gmmu_tier_ring.
"""
import os
import re
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
RTL = os.path.join(ROOT, "rtl")
MORE = """`include "gmmu_cfg_inputs.vh"
`include "gmmu_stat_outputs.vh"
    input  wire                  spare_tvalid, // a stream with reserved bits, to the unit
    input  wire                  spare_tready,
    input  wire [15:0]           spare_tdata,
    input  wire                  given_tvalid, // a stream with reserved bits, from the unit
    input  wire                  given_tready,
    input  wire [15:0]           given_tdata,
    input  wire                  parcel_tvalid, // packets whose records are shorter than their headers
    input  wire                  parcel_tlast,
    input  wire [63:0]           parcel_tdata,
"""
BODY = """
    gmmu_tier unit (.*);
    gmmu_check_memory #(.FRAMES(FRAMES), .FRAME_W(FRAME_W), .WORD_W(WORD_BITS), .LINES(LINES)) memory (
        .clk(clk), .rst(rst), .frames(cfg_frames), .ar_valid(m_frame_ar_valid), .ar_ready(m_frame_ar_ready), .ar_addr(m_frame_ar_addr),
        .r_valid(m_frame_r_valid), .r_data(m_frame_r_data), .w_valid(m_frame_w_valid), .w_ready(m_frame_w_ready),
        .w_addr(m_frame_w_addr), .w_data(m_frame_w_data), .b_valid(m_frame_b_valid));
    gmmu_check_stream #(.W(16), .USED(10), .STREAM("spare"), .WHO("the walker")) spare (
        .clk(clk), .rst(rst), .valid(spare_tvalid), .ready(spare_tready), .last(1'b1), .data(spare_tdata));
    gmmu_check_stream #(.W(16), .USED(10), .UNIT(1), .STREAM("given"), .WHO("the driver")) given (
        .clk(clk), .rst(rst), .valid(given_tvalid), .ready(given_tready), .last(1'b1), .data(given_tdata));
    gmmu_check_packets #(.W(64), .RECORD(40), .STREAM("parcel")) parcel (
        .clk(clk), .rst(rst), .valid(parcel_tvalid), .ready(1'b1), .last(parcel_tlast), .data(parcel_tdata), .record());
"""
AXI = {"ADDR_W": 64, "DATA_W": 64, "WRITES": 4}


def inputs(text):
    return re.sub(r"\boutput\b(\s+(?:wire|reg))?", lambda m: "input " + (m.group(1) or "").replace("reg", "wire"), text)


def header(name, folder="."):
    with open(os.path.join(RTL, folder, name + ".v"), encoding="utf-8") as file:
        text = file.read()
    begin = text.index("module %s" % name)
    return inputs(text[begin:text.index("\n);\n", begin)])


def axi():
    """(ports, instance) of the checker of an AXI4 master: its ports with the prefix m_axi_."""
    with open(os.path.join(RTL, "check", "gmmu_check_axi.sv"), encoding="utf-8") as file:
        found = re.findall(r"^    input wire +(\[[^]]*\])? *(\w+),?$", file.read(), flags=re.M)
    ports = [(re.sub("|".join(AXI), lambda m: str(AXI[m.group(0)]), bits), name) for bits, name in found if name not in ("clk", "rst")]
    return ("".join("    input  wire %s m_axi_%s,\n" % port for port in ports),
            "    gmmu_check_axi #(%s) axi (\n        .clk(clk), .rst(rst)%s);\n" % (
                ", ".join(".%s(%d)" % size for size in AXI.items()), "".join(", .%s(m_axi_%s)" % (name, name) for _, name in ports)))


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    head = '// SPDX-License-Identifier: Apache-2.0\n`include "gmmu_config.vh"\n'
    with open(os.path.join(RTL, "gmmu_stat_outputs.vh"), encoding="utf-8") as file:
        written = {"gmmu_stat_outputs.vh": inputs(file.read())}
    written["gmmu_tier.v"] = head + header("gmmu_tier") + "\n);\nendmodule\n"
    more, instance = axi()
    bus = re.sub(r"^\) \($", lambda m: m.group(0) + "\n" + MORE + more, header("gmmu_tier_axil"), flags=re.M)
    written["gmmu_tier_axil.v"] = head + bus + "\n);" + BODY + instance + "endmodule\n"
    for name, folder in (("gmmu_tier_ring", "."), ("gmmu_ring", "ring")):  # not used: names for gmmu_bind.sv
        written[name + ".v"] = head + header(name, folder) + "\n);\nendmodule\n"
    for name, text in written.items():
        with open(os.path.join(out, name), "w", encoding="utf-8") as file:
            file.write(text)


if __name__ == "__main__":
    main()
