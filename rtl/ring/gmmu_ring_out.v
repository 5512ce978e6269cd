// SPDX-License-Identifier: Apache-2.0
// gmmu_ring_out: a channel from the unit: a stream goes into a ring in memory, or is read in a window of registers.
//
//   s_ ─► turn of the writer ─► entry {last byte, 0, beat} at `put` ─► ring_writer
//     └─► window ─► bus                                                    │
//                            TAIL ◄── written: memory has the entry ◄──────┘
//
// DROPS: the ring decides on a packet at its header: all of the packet is taken, or all is discarded. Else the stream waits.
// A beat takes the turn for two cycles or more, so `room` may be a cycle old.
`default_nettype none
module gmmu_ring_out #(
    parameter PACKETS = 0,  // 1: beats have TLAST
    parameter DROPS   = 0,  // 1: a packet without room is dropped; the channel has no window
    parameter BITS    = 64, // bits of a beat
    parameter K       = 4,  // log2 of the bytes of an entry
    parameter N_O     = 16, // DROPS: place of the number of records in a header
    parameter N_W     = 8,  // DROPS: bits of the number of records
    parameter ADDR_W  = 64  // bits of an address in memory
) (
    input  wire              clk,
    input  wire              rst,     // all registers are reset
    input  wire              clear,   // the channel is reset with the unit
    input  wire              stops,   // no beat is taken
    // an access to a word of the channel
    input  wire              sel,     // the access is to this channel
    input  wire              write,   // the access is a write
    input  wire [5:0]        at,      // number of the word in the channel
    input  wire [31:0]       data,    // the word that is written
    input  wire [3:0]        strb,    // byte strobes of the write
    input  wire [31:0]       mask,    // bits of strobed bytes are 1
    output wire [31:0]       read,    // the word that is read
    output wire              bad,     // the word cannot be written
    output wire              irq,     // an enabled status bit is set
    // the stream
    input  wire [BITS-1:0]   s_tdata, // a beat
    input  wire              s_tlast, // the beat is the last of its packet
    input  wire              s_tvalid, // a beat is offered
    output wire              s_tready, // the beat is taken
    // the writer
    output wire              wants,   // the channel has a beat for the writer's turn
    input  wire              turn,    // the turn is this channel's, if the channel wants it
    output wire              takes,   // the beat becomes an entry
    output wire [(8<<K)-1:0] entry,   // the entry
    output wire [ADDR_W-1:0] base,    // address of entry 0
    output reg  [15:0]       put,     // number of the entry in the ring
    input  wire              done,    // memory has answered the oldest entry of the channel
    input  wire              done_ok  // memory has the entry
);
    wire        enabled; // work may begin
    wire        mode;    // the channel is a window
    wire        error;   // memory has answered with an error
    wire        resets;  // the reset of the channel ends
    wire        puts;    // HEAD is written
    wire        goes;    // the beat in the window is taken
    wire        drops;   // a packet is dropped
    wire [15:0] to;      // HEAD as written
    wire [15:0] head;    // the oldest entry
    wire [15:0] size;    // entries of the ring
    reg  [5:0]  count;   // entries under way
    wire        packet;  // a packet that is taken has begun and not ended
    wire        fails = done && !done_ok; // memory has answered with an error

    wire        unused_fills; // out channels take no words
    wire [15:0] unused_tail;  // the entry behind the newest, for the bus alone
    gmmu_ring_regs #(
        .IN(0),
        .PACKETS(PACKETS),
        .DROPS(DROPS),
        .BITS(BITS),
        .K(K),
        .ADDR_W(ADDR_W)
    ) regs (
        .clk(clk),
        .rst(rst),
        .clear(clear),
        .sel(sel),
        .write(write),
        .at(at),
        .data(data),
        .strb(strb),
        .mask(mask),
        .read(read),
        .bad(bad),
        .puts(puts),
        .to(to),
        .goes(goes),
        .fills(unused_fills),
        .irq(irq),
        .moves(done && done_ok && !error),
        .fails(fails),
        .drops(drops),
        .busy(count != 6'd0 || packet),
        .shown(s_tvalid),
        .shown_last(PACKETS != 0 ? s_tlast : 1'b1),
        .beat(s_tdata),
        .enabled(enabled),
        .mode(mode),
        .error(error),
        .resets(resets),
        .head(head),
        .tail(unused_tail),
        .size(size),
        .base(base)
    );

    // ======== the next entry
    reg         phase;                                                   // phase of the pass through the ring
    reg  [15:0] behind;                                                  // the entry behind `put`
    wire [15:0] behind_plus = behind + 16'd1;                            // the entry behind `behind`, but at the end of the ring
    wire [7:0]  flags       = {phase, 6'd0, PACKETS != 0 ? s_tlast : 1'b1}; // the last byte of the entry
    assign entry = {flags, {(8<<K)-8{1'b0}}} | {{(8<<K)-BITS{1'b0}}, s_tdata};
    always @(posedge clk) begin
        if (takes) begin
            put    <= behind;
            behind <= behind_plus == size ? 16'd0 : behind_plus;
            if (behind == 16'd0) phase <= !phase;
        end
        count <= count + {5'd0, takes} - {5'd0, done};
        if (resets || rst) {put, behind, phase} <= {16'd0, 16'd1, 1'b1};
        if (rst) count <= 6'd0;
    end

    // ======== room, and who takes a beat
    generate
        if (DROPS != 0) begin : g_drops
            reg            amid;                                                     // a packet has begun and not ended
            reg            discards;                                                 // the packet is discarded
            reg  [15:0]    room;                                                     // entries of room in the ring
            // late select: whether the write of HEAD is good arrives last
            wire [16:0]    kept      = {1'b0, head} - {1'b0, behind};                // room if HEAD stays, modulo 2^17
            wire [16:0]    left      = {1'b0, to} - {1'b0, behind};                  // room if HEAD is written, modulo 2^17
            wire [15:0]    kept_room = kept[15:0] + (kept[16] ? size : 16'd0);       // room if HEAD stays
            wire [15:0]    left_room = left[15:0] + (left[16] ? size : 16'd0);       // room if HEAD is written
            wire [N_W-1:0] n    = s_tdata[N_O +: N_W];                               // records behind the header
            wire           fits = {{17-N_W{1'b0}}, n} < {1'b0, room};                // the packet has room
            wire           mine = amid ? !discards : enabled;                        // the beat needs the writer's turn
            assign wants    = s_tvalid && mine;
            assign s_tready = mine ? turn : !stops;
            assign takes    = wants && turn && (amid || fits);
            assign drops    = wants && turn && !amid && !fits;
            assign packet   = amid && !discards;
            always @(posedge clk) begin
                room <= puts ? left_room : kept_room;
                if (s_tvalid && s_tready) begin
                    amid     <= !s_tlast;
                    discards <= !s_tlast && !takes;
                end
                if (fails && (s_tvalid && s_tready ? !s_tlast : amid)) discards <= 1'b1;
                if (clear || rst) {amid, discards} <= 2'b00;
            end
            wire unused_window = &{1'b0, goes, mode};
        end else begin : g_waits
            reg  room;                                       // the ring has room for an entry
            wire able = enabled && !mode && room;            // a beat may become an entry
            assign wants    = s_tvalid && able;
            assign s_tready = (able && turn) || goes;
            assign takes    = wants && turn;
            assign drops    = 1'b0;
            always @(posedge clk) room <= puts ? to != behind : head != behind;
            assign packet   = 1'b0;
            wire unused_stops = stops;
        end
    endgenerate
endmodule
`default_nettype wire
