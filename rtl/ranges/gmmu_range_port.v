// SPDX-License-Identifier: Apache-2.0
// gmmu_range_port: range_dir in the unit: packs the ports of range_dir into beats (docs/reference/formats.md) and gates its clock.
//
// The clock rests while no operation is offered or under way. RANGES 0: there is no range_dir, and no operation is taken.
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
    input  wire                  test_en,         // scan test: the clock of range_dir runs
    input  wire [ADDR_W-1:0]     cfg_range_bytes, // bytes of GPU memory for records in G and S
    input  wire [RANGE_BITS-1:0] s_tdata,         // an operation, a beat of s_axis_range
    input  wire                  s_tvalid,        // an operation is offered
    output wire                  s_tready,        // the operation is accepted
    output wire [XFER_BITS-1:0]  m_tdata,         // a transfer or an answer, a beat of m_axis_xfer
    output wire                  m_tvalid,        // a beat is offered
    output wire                  m_tlast,         // the beat is an answer
    input  wire                  m_tready,        // the consumer takes the beat
    output wire                  turned,          // PARITY: toggles with each operation that met a corrupt word
    output wire                  idle             // no operation is under way, and no beat waits
);

    generate
        if (RANGES != 0) begin : g_ranges
            if (ADDR_W > 64) begin : g_bad
                VPN_W_must_be_at_most_52_with_RANGES stop_here();
            end
            wire              gated;        // clock of range_dir
            wire              whole;        // s_whole of range_dir
            wire              pin;          // s_pin of range_dir
            wire              hit;          // m_hit of range_dir
            wire              base_ok;      // m_base_ok of range_dir
            wire [3:0]        op;           // s_op of range_dir
            wire [7:0]        s_tag;        // tag of the operation
            wire [7:0]        m_tag;        // tag of the answer
            wire [1:0]        kind;         // m_kind of range_dir
            wire [1:0]        state;        // m_state of range_dir
            wire [2:0]        code;         // m_code of range_dir
            wire [ASID_W-1:0] s_asid;       // address space of the operation
            wire [ASID_W-1:0] m_asid;       // address space of the beat
            wire [ADDR_W-1:0] s_start;      // first byte of the operation
            wire [ADDR_W-1:0] s_last;       // last byte of the operation
            wire [ADDR_W-1:0] m_start;      // first byte of the beat
            wire [ADDR_W-1:0] m_last;       // last byte of the beat
            wire [ADDR_W-1:0] base;         // m_base of range_dir
            wire              busy = !idle; // range_dir is not idle
            assign {pin, whole, s_last, s_start, s_asid, s_tag, op} = s_tdata;
            assign m_tdata = {base, m_last, m_start, m_asid, base_ok, hit, state, m_tag, code, kind};
            gmmu_clk_gate gate (
                .clk(clk),
                .rst(rst),
                .test_en(test_en),
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
            wire unused = &{1'b0, clk, rst, test_en, cfg_range_bytes, s_tdata, s_tvalid, m_tready};
        end
    endgenerate

endmodule
`default_nettype wire
