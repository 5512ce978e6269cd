// SPDX-License-Identifier: Apache-2.0
// gmmu_ring_fetcher: reads entries of the in channels from memory, one burst at a time.
//
//   pick ── count: how many lie in a row ── border: how many before a border of 4 KiB ── AR ── R ─► words ─► push, ends
//
// A burst has the entries from `from` to TAIL that lie in a row, are not beyond the end of the ring or a border of 4 KiB, and
// have places in the channel. These are at most 16 entries of at most 64 bytes, so a burst has at most 256 beats.
`default_nettype none
module gmmu_ring_fetcher #(
    parameter BYTES  = 32, // most bytes of an entry, a power of two
    parameter ADDR_W = 64, // bits of an address in memory
    parameter DATA_W = 64  // bits of the data bus
) (
    input  wire               clk,
    input  wire               rst,
    output wire               ready,         // no burst is under way: a channel may be picked
    // the picked channel, in this cycle
    input  wire               pick,          // a burst begins
    input  wire [2:0]         pick_k,        // log2 of the bytes of an entry
    input  wire [ADDR_W-1:0]  base,          // address of entry 0
    input  wire [15:0]        from,          // the entry that is read first
    input  wire [15:0]        tail,          // the entry behind the newest
    input  wire [15:0]        size,          // entries of the ring
    input  wire [4:0]         places,        // operations that the channel has places for, 1 to 16
    // the burst under way
    output wire               counted,       // `entries` is known; 1 for one cycle
    output reg  [4:0]         entries,       // entries of the burst
    output wire               push,          // `word` is an entry
    output wire [8*BYTES-1:0] word,          // the entry; in the high bytes, if the channel's entries are shorter
    output wire               ends,          // the burst is over
    output wire               ends_ok,       // all beats of the burst were OKAY
    // AXI4
    output reg  [ADDR_W-1:0]  m_axi_araddr,  // address of the burst
    output reg  [7:0]         m_axi_arlen,   // beats of the burst, less one
    output reg                m_axi_arvalid, // a read address is offered
    input  wire               m_axi_arready, // the read address is taken
    input  wire [DATA_W-1:0]  m_axi_rdata,   // data of the burst
    input  wire [1:0]         m_axi_rresp,   // answer to the beat: 0 OKAY
    input  wire               m_axi_rlast,   // the beat is the last of the burst
    input  wire               m_axi_rvalid   // a beat is offered
);
    localparam B = $clog2(DATA_W / 8); // log2 of the bytes of a beat

    // ======== p1, p2: address and length. Sixteen or more entries count as 16
    reg              busy;                                          // a burst is under way
    reg              p1;                                            // a channel was picked in the cycle before
    reg              p2;                                            // two cycles before
    reg              p3;                                            // three cycles before
    reg              asked;                                         // AR has gone
    reg  [2:0]       k;                                             // log2 of the bytes of an entry
    reg              folded;                                        // entries lie at the end and at the beginning of the ring
    reg  [15:0]      to_tail;                                       // entries to TAIL, if not folded
    reg  [15:0]      to_end;                                        // entries to the end of the ring
    reg  [4:0]       most;                                          // p1: places; p2: the least of places and entries in a row
    reg  [ADDR_W-1:0] start;                                        // address of entry 0
    reg  [21:0]      by;                                            // bytes from entry 0 to the first
    wire [15:0]      in_row    = folded ? to_end : to_tail;         // entries in a row
    wire [4:0]       row       = in_row[15:4] != 12'd0 ? 5'd16 : {1'b0, in_row[3:0]}; // at most 16 of them
    wire [11:0]      page      = m_axi_araddr[11:0] >> k;           // p2: number of the entry in its 4 KiB
    wire [11:0]      page_end  = ~(12'hfff << (4'd12 - {1'b0, k})); // p2: number of the last entry there
    wire [11:0]      to_border = page_end ^ page;                   // p2: entries before the border, less one: page_end is all ones
    wire [3:0]       border    = to_border[11:4] != 8'd0 ? 4'd15 : to_border[3:0]; // p2: at most 15 of them
    wire [4:0]       most_less = most - 5'd1;                       // p2: the least of places and entries in a row, less one
    wire [3:0]       least     = border < most_less[3:0] ? border : most_less[3:0]; // p2: entries of the burst, less one
    wire [3:0]       beats     = ~(4'hf << (k - B[2:0]));           // beats of an entry, less one
    assign ready   = !busy;
    assign counted = p3;
    always @(posedge clk) begin
        p1 <= pick;
        p2 <= p1;
        p3 <= p2;
        if (pick) begin
            busy    <= 1'b1;
            asked   <= 1'b0;
            k       <= pick_k;
            folded  <= tail < from;
            to_tail <= tail - from;
            to_end  <= size - from;
            most    <= places;
            start   <= base;
            by      <= {6'd0, from} << pick_k;
        end
        if (p1) begin
            m_axi_araddr <= start + {{ADDR_W-22{1'b0}}, by};
            if (row < most) most <= row;
        end
        if (p2) begin
            entries       <= {1'b0, least} + 5'd1;
            m_axi_arlen   <= ({4'd0, least} << (k - B[2:0])) | {4'd0, beats};
            m_axi_arvalid <= 1'b1;
        end
        if (m_axi_arvalid && m_axi_arready) {m_axi_arvalid, asked} <= 2'b01;
        if (ends) {busy, asked} <= 2'b00;
        if (rst) {busy, p1, p2, p3, m_axi_arvalid, asked} <= 6'd0;
    end

    // ======== data, a cycle late; an entry is whole with its last beat
    reg                r_valid;                                     // a beat came
    reg                r_last;                                      // the beat is the last of the burst
    reg                r_bad;                                       // the beat is not OKAY
    reg  [DATA_W-1:0]  r_data;                                      // the beat
    reg                any_bad;                                     // a beat before is not OKAY
    reg  [3:0]         beat;                                        // number of the beat in its entry
    reg  [8*BYTES-1:0] words;                                       // the beats before, the newest highest
    wire [8*BYTES+DATA_W-1:0] all = {r_data, words};                // the last beats, the newest highest
    wire               unused_first = &{1'b0, all[DATA_W-1:0]};     // of an entry that came before
    assign word    = all[8*BYTES+DATA_W-1:DATA_W];
    assign push    = r_valid && beat == beats;
    assign ends    = r_valid && r_last;
    assign ends_ok = !any_bad && !r_bad;
    always @(posedge clk) begin
        r_valid <= m_axi_rvalid && asked && !ends && !rst;
        r_last  <= m_axi_rlast;
        r_bad   <= m_axi_rresp != 2'b00;
        r_data  <= m_axi_rdata;
        if (r_valid) begin
            words   <= word;
            any_bad <= any_bad || r_bad;
            beat    <= push ? 4'd0 : beat + 4'd1;
        end
        if (pick || rst) {any_bad, beat} <= 5'd0;
    end
    wire unused_sign = most_less[4];
endmodule
`default_nettype wire
