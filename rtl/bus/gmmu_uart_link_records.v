// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_records: beats of the unit and answers of registers as records of bytes (docs/blocks/uart_link.md).
//
//   s_axis_decision, s_axis_rit, s_axis_hir, s_axis_xfer ─► the first one that has a beat ─┐
//                                                                                          ├─► tag, bytes
//   an access's answer ────────────────────────────────────────────────────────────────────┘
//
// A beat stays on its stream until its last byte is given. A stream that is not listened to is drained.
`default_nettype none
module gmmu_uart_link_records #(
    parameter DEC_BITS  = 200,
    parameter RIT_BITS  = 100,
    parameter HIR_BITS  = 54,
    parameter XFER_BITS = 115
) (
    input  wire                 clk,
    // What comes from the unit.
    input  wire [2:0]           listen,     // The streams that are listened to: m_axis_rit, _hir, _xfer.
    output wire                 comes,      // A beat comes from the unit.
    output reg  [6:0]           beat_bytes, // The beat has this number of bytes.
    // The answer of an access of a register.
    input  wire                 of_access,  // The next record is that of an access, else that of a beat.
    input  wire                 wrote,      // The access wrote, and has no word to tell.
    input  wire                 refused,    // The access was an error.
    input  wire [31:0]          word,       // The word that was read.
    // The record.
    input  wire                 records,    // A byte of the record is taken in each cycle,
    output wire [7:0]           byte_out,   // this one,
    output wire                 recorded,   // and is the last one.
    input  wire [DEC_BITS-1:0]  s_axis_decision_tdata,
    input  wire                 s_axis_decision_tvalid,
    output wire                 s_axis_decision_tready,
    input  wire [RIT_BITS-1:0]  s_axis_rit_tdata,
    input  wire                 s_axis_rit_tvalid,
    input  wire                 s_axis_rit_tlast,
    output wire                 s_axis_rit_tready,
    input  wire [HIR_BITS-1:0]  s_axis_hir_tdata,
    input  wire                 s_axis_hir_tvalid,
    input  wire                 s_axis_hir_tlast,
    output wire                 s_axis_hir_tready,
    input  wire [XFER_BITS-1:0] s_axis_xfer_tdata,
    input  wire                 s_axis_xfer_tvalid,
    input  wire                 s_axis_xfer_tlast,
    output wire                 s_axis_xfer_tready
);
    localparam DEC_N = (DEC_BITS + 7) / 8;
    localparam RIT_N = (RIT_BITS + 7) / 8;
    localparam HIR_N = (HIR_BITS + 7) / 8;
    localparam XFER_N = (XFER_BITS + 7) / 8;
    localparam [2:0] FROM_DEC = 3'd0;
    localparam [2:0] FROM_RIT = 3'd1;
    localparam [2:0] FROM_HIR = 3'd2;
    localparam [2:0] FROM_XFER = 3'd3;
    localparam [2:0] FROM_WRITE = 3'd4;
    localparam [2:0] FROM_READ = 3'd5;

    // ======== which beat comes first
    wire       rit_comes = s_axis_rit_tvalid && listen[0];
    wire       hir_comes = s_axis_hir_tvalid && listen[1];
    wire       xfer_comes = s_axis_xfer_tvalid && listen[2];
    reg  [2:0] first; // The stream whose beat goes into the next record.
    assign comes = s_axis_decision_tvalid || rit_comes || hir_comes || xfer_comes;
    always @*
        if (s_axis_decision_tvalid) {first, beat_bytes} = {FROM_DEC, DEC_N[6:0]};
        else if (rit_comes) {first, beat_bytes} = {FROM_RIT, RIT_N[6:0]};
        else if (hir_comes) {first, beat_bytes} = {FROM_HIR, HIR_N[6:0]};
        else {first, beat_bytes} = {FROM_XFER, XFER_N[6:0]};

    // ======== the record: a tag, then bytes from the lowest one on
    reg  [2:0] from;  // The record's source.
    reg        tag;   // The tag is the next byte.
    reg  [6:0] index; // The number of the next byte behind the tag.
    always @(posedge clk)
        if (!records) begin
            from  <= !of_access ? first : wrote ? FROM_WRITE : FROM_READ;
            tag   <= 1'b1;
            index <= 7'd0;
        end else begin
            tag   <= 1'b0;
            index <= tag ? 7'd0 : index + 7'd1;
        end

    // ======== the source's bytes
    wire [8*DEC_N-1:0]  dec_bytes = {{8*DEC_N-DEC_BITS{1'b0}}, s_axis_decision_tdata};
    wire [8*RIT_N-1:0]  rit_bytes = {{8*RIT_N-RIT_BITS{1'b0}}, s_axis_rit_tdata};
    wire [8*HIR_N-1:0]  hir_bytes = {{8*HIR_N-HIR_BITS{1'b0}}, s_axis_hir_tdata};
    wire [8*XFER_N-1:0] xfer_bytes = {{8*XFER_N-XFER_BITS{1'b0}}, s_axis_xfer_tdata};
    wire [39:0]         read_bytes = {word, 7'd0, refused}; // A write's answer is the lowest byte alone.
    reg  [7:0] data;   // The byte with number `index`.
    reg  [6:0] bytes;  // The number of bytes behind the tag.
    reg        tlast;  // The beat is the last one of its packet.
    always @*
        case (from)
            FROM_DEC:   {data, bytes, tlast} = {dec_bytes[8*index +: 8], DEC_N[6:0], 1'b0};
            FROM_RIT:   {data, bytes, tlast} = {rit_bytes[8*index +: 8], RIT_N[6:0], s_axis_rit_tlast};
            FROM_HIR:   {data, bytes, tlast} = {hir_bytes[8*index +: 8], HIR_N[6:0], s_axis_hir_tlast};
            FROM_XFER:  {data, bytes, tlast} = {xfer_bytes[8*index +: 8], XFER_N[6:0], s_axis_xfer_tlast};
            FROM_WRITE: {data, bytes, tlast} = {read_bytes[7:0], 7'd1, 1'b0};
            default:    {data, bytes, tlast} = {read_bytes[8*index[2:0] +: 8], 7'd5, 1'b0};
        endcase
    assign byte_out = tag ? {tlast, 4'd0, from} : data;
    assign recorded = records && !tag && index == bytes - 7'd1;

    // ======== the beat is taken with its last byte
    assign s_axis_decision_tready = recorded && from == FROM_DEC;
    assign s_axis_rit_tready  = !listen[0] || (recorded && from == FROM_RIT);
    assign s_axis_hir_tready  = !listen[1] || (recorded && from == FROM_HIR);
    assign s_axis_xfer_tready = !listen[2] || (recorded && from == FROM_XFER);
endmodule
`default_nettype wire
