// SPDX-License-Identifier: Apache-2.0
// gmmu_range_port: range_dir in the unit: its streams as beats (docs/formats.md), and its clock, which rests while nothing
// is asked and nothing is under way. RANGES 0: no range_dir, and no operation is taken.
`default_nettype none
module gmmu_range_port #(
    parameter RANGES = 16,
    parameter ASID_W = 2,
    parameter VPN_W  = 20,
    parameter PARITY = 1,
    // derived, not to be set
    parameter ADDR_W     = VPN_W + 12,
    parameter RANGE_BITS = 14 + ASID_W + 2 * ADDR_W,
    parameter XFER_BITS  = 17 + ASID_W + 3 * ADDR_W
) (
    input  wire                  clk,
    input  wire                  rst,
    input  wire [ADDR_W-1:0]     cfg_range_bytes,
    input  wire [RANGE_BITS-1:0] s_tdata,
    input  wire                  s_tvalid,
    output wire                  s_tready,
    output wire [XFER_BITS-1:0]  m_tdata,
    output wire                  m_tvalid, m_tlast,
    input  wire                  m_tready,
    output wire                  turned,     // PARITY: over with each operation for which a word had turned bad
    output wire                  idle        // no operation is under way, and no beat waits
);

    generate
        if (RANGES != 0) begin : g_ranges
            if (ADDR_W > 64) begin : g_bad
                VPN_W_must_be_at_most_52_with_RANGES stop_here();
            end
            wire              gated, whole, pin, hit, base_ok;
            wire [3:0]        op;
            wire [7:0]        s_tag, m_tag;
            wire [1:0]        kind, state;
            wire [2:0]        code;
            wire [ASID_W-1:0] s_asid, m_asid;
            wire [ADDR_W-1:0] s_start, s_last, m_start, m_last, base;
            wire              busy = !idle;
            assign {pin, whole, s_last, s_start, s_asid, s_tag, op} = s_tdata;
            assign m_tdata = {base, m_last, m_start, m_asid, base_ok, hit, state, m_tag, code, kind};
            gmmu_clk_gate gate (
                .clk(clk),
                .rst(rst),
                .wake(s_tvalid || busy),
                .gated(gated)
            );
            gmmu_range_dir #(
                .ASID_W(ASID_W),
                .ADDR_W(ADDR_W),
                .RANGES(RANGES),
                .PARITY(PARITY)
            ) range_dir (
                .clk(gated),
                .rst(rst),
                .cfg_range_bytes(cfg_range_bytes),
                .s_valid(s_tvalid),
                .s_ready(s_tready),
                .s_op(op),
                .s_tag(s_tag),
                .s_asid(s_asid),
                .s_start(s_start),
                .s_last(s_last),
                .s_whole(whole),
                .s_pin(pin),
                .m_valid(m_tvalid),
                .m_ready(m_tready),
                .m_tlast(m_tlast),
                .m_kind(kind),
                .m_code(code),
                .m_tag(m_tag),
                .m_state(state),
                .m_hit(hit),
                .m_asid(m_asid),
                .m_start(m_start),
                .m_last(m_last),
                .m_base(base),
                .m_base_ok(base_ok),
                .turned(turned),
                .idle(idle)
            );
        end else begin : g_none
            assign {s_tready, m_tvalid, m_tlast, turned, idle} = 5'b00001;
            assign m_tdata = {XFER_BITS{1'b0}};
            wire unused = &{1'b0, clk, rst, cfg_range_bytes, s_tdata, s_tvalid, m_tready};
        end
    endgenerate

endmodule
`default_nettype wire
