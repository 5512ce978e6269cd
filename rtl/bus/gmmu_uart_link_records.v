// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_records: packs beats of the unit and answers of registers into records of bytes (docs/reference/blocks/uart_link.md).
//
//   s_axis_decision, s_axis_rit, s_axis_hir, s_axis_xfer ─► the first stream with a beat ─┐
//                                                                                         ├─► tag, bytes
//   an access's answer ───────────────────────────────────────────────────────────────────┘
//
// A beat stays on its stream until its last byte is recorded. A stream that is not listened to is drained.
`default_nettype none
module gmmu_uart_link_records #(
    parameter DEC_BITS  = 200,
    parameter RIT_BITS  = 100,
    parameter HIR_BITS  = 54,
    parameter XFER_BITS = 115
) (
    input  wire                 clk,
    // beats of the unit
    input  wire [2:0]           listen,                 // streams that are listened to: bit 0 m_axis_rit, 1 m_axis_hir, 2 m_axis_xfer
    output wire                 comes,                  // a beat comes from the unit
    output reg  [6:0]           beat_bytes,             // bytes of the beat
    // the answer of a register access
    input  wire                 of_access,              // the next record is an access's answer; else a beat
    input  wire                 wrote,                  // the access wrote, and has no word
    input  wire                 refused,                // the access was an error
    input  wire [31:0]          word,                   // the word that was read
    // the record
    input  wire                 records,                // a byte of the record is taken in each cycle
    output wire [7:0]           byte_out,               // byte of the record
    output wire                 recorded,               // the byte is the last byte of the record
    input  wire [DEC_BITS-1:0]  s_axis_decision_tdata,  // a decision, a beat of m_axis_decision
    input  wire                 s_axis_decision_tvalid, // a decision is offered
    output wire                 s_axis_decision_tready, // the link takes a decision
    input  wire [RIT_BITS-1:0]  s_axis_rit_tdata,       // a beat of records, a beat of m_axis_rit
    input  wire                 s_axis_rit_tvalid,      // a beat of records is offered
    input  wire                 s_axis_rit_tlast,       // the beat of m_axis_rit is the last of its packet
    output wire                 s_axis_rit_tready,      // the link takes a beat of records
    input  wire [HIR_BITS-1:0]  s_axis_hir_tdata,       // a beat of hit records, a beat of m_axis_hir
    input  wire                 s_axis_hir_tvalid,      // a beat of hit records is offered
    input  wire                 s_axis_hir_tlast,       // the beat of m_axis_hir is the last of its packet
    output wire                 s_axis_hir_tready,      // the link takes a beat of hit records
    input  wire [XFER_BITS-1:0] s_axis_xfer_tdata,      // a transfer or an answer, a beat of m_axis_xfer
    input  wire                 s_axis_xfer_tvalid,     // a transfer or an answer is offered
    input  wire                 s_axis_xfer_tlast,      // the beat of m_axis_xfer is the last of its packet
    output wire                 s_axis_xfer_tready      // the link takes a transfer or an answer
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

    // ======== the beat that comes first
    wire       rit_comes  = s_axis_rit_tvalid && listen[0];  // a beat of m_axis_rit comes
    wire       hir_comes  = s_axis_hir_tvalid && listen[1];  // a beat of m_axis_hir comes
    wire       xfer_comes = s_axis_xfer_tvalid && listen[2]; // a beat of m_axis_xfer comes
    reg  [2:0] first;                                        // stream whose beat goes into the next record
    assign comes = s_axis_decision_tvalid || rit_comes || hir_comes || xfer_comes;
    always @*
        if (s_axis_decision_tvalid) {first, beat_bytes} = {FROM_DEC, DEC_N[6:0]};
        else if (rit_comes) {first, beat_bytes} = {FROM_RIT, RIT_N[6:0]};
        else if (hir_comes) {first, beat_bytes} = {FROM_HIR, HIR_N[6:0]};
        else {first, beat_bytes} = {FROM_XFER, XFER_N[6:0]};

    // ======== the record: a tag, then bytes, the lowest first
    reg [2:0] from;  // source of the record
    reg       tag;   // the tag is the next byte
    reg [6:0] index; // number of the next byte behind the tag
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
    wire [8*DEC_N-1:0]  dec_bytes  = {{8*DEC_N-DEC_BITS{1'b0}}, s_axis_decision_tdata}; // beat of m_axis_decision, in whole bytes
    wire [8*RIT_N-1:0]  rit_bytes  = {{8*RIT_N-RIT_BITS{1'b0}}, s_axis_rit_tdata}; // beat of m_axis_rit, in whole bytes
    wire [8*HIR_N-1:0]  hir_bytes  = {{8*HIR_N-HIR_BITS{1'b0}}, s_axis_hir_tdata}; // beat of m_axis_hir, in whole bytes
    wire [8*XFER_N-1:0] xfer_bytes = {{8*XFER_N-XFER_BITS{1'b0}}, s_axis_xfer_tdata}; // beat of m_axis_xfer, in whole bytes
    wire [39:0]         read_bytes = {word, 7'd0, refused}; // answer of an access; a write's answer is the lowest byte alone
    reg  [7:0]          data;                               // the byte with number `index`
    reg  [6:0]          bytes;                              // number of bytes behind the tag
    reg                 tlast;                              // the beat is the last beat of its packet
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
