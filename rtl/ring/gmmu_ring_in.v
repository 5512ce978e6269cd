// SPDX-License-Identifier: Apache-2.0
// gmmu_ring_in: a channel to the unit: operations come from a ring in memory, or from a window of registers.
//
//   ring_fetcher ─► queue of operations ─┐
//                                        ├─► m_ ─► HEAD goes on
//            bus ─► window ──────────────┘
//
// Operations of a burst are given to the unit when memory has answered all of the burst without an error.
`default_nettype none
module gmmu_ring_in #(
    parameter BITS   = 64, // bits of a beat
    parameter K      = 4,  // log2 of the bytes of an entry
    parameter OPS    = 8,  // operations that are read ahead; a power of two, 2 to 16
    parameter ADDR_W = 64  // bits of an address in memory
) (
    input  wire              clk,
    input  wire              rst,      // all registers are reset
    input  wire              clear,    // the channel is reset with the unit
    // an access to a word of the channel
    input  wire              sel,      // the access is to this channel
    input  wire              write,    // the access is a write
    input  wire [5:0]        at,       // number of the word in the channel
    input  wire [31:0]       data,     // the word that is written
    input  wire [3:0]        strb,     // byte strobes of the write
    input  wire [31:0]       mask,     // bits of strobed bytes are 1
    output wire [31:0]       read,     // the word that is read
    output wire              bad,      // the word cannot be written
    output wire              irq,      // an enabled status bit is set
    output wire              holds,    // an operation waits for the unit
    // the stream
    output wire [BITS-1:0]   m_tdata,  // an operation
    output wire              m_tvalid, // an operation is offered
    input  wire              m_tready, // the unit takes the operation
    // the fetcher
    output wire              wants,    // operations are to be read
    input  wire              pick,     // the burst that begins is this channel's
    output wire [ADDR_W-1:0] base,     // address of entry 0
    output reg  [15:0]       from,     // the entry that is read next
    output wire [15:0]       tail,     // the entry behind the newest
    output wire [15:0]       size,     // entries of the ring
    output wire [4:0]        places,   // operations that the channel has places for
    input  wire              counted,  // the number of entries of the burst is known
    input  wire [4:0]        entries,  // entries of the burst
    input  wire              push,     // `word` is an entry of the burst
    input  wire [BITS-1:0]   word,     // the operation of the entry
    input  wire              ends,     // the burst is over
    input  wire              ends_ok   // all of the burst was OKAY
);
    localparam A = $clog2(OPS);
    localparam WORDS = (BITS + 31) / 32; // words of the window
    localparam [4:0] ALL = OPS[4:0];

    wire            enabled;  // work may begin
    wire            mode;     // the channel is a window
    wire            resets;   // the reset of the channel ends
    wire            goes;     // the beat in the window is offered
    wire            fills;    // a word of the window is written
    reg             reading;  // the burst under way is this channel's
    reg             offered;  // the beat in the window is offered and not taken
    reg  [BITS-1:0] window;   // the beat in the window
    reg             valid;    // the oldest operation of the queue is offered
    reg  [4:0]      count;    // operations in the queue
    wire            taken = m_tvalid && m_tready; // the unit takes an operation
    wire            fails = reading && ends && !ends_ok; // memory has answered with an error
    wire            comes = reading && ends && ends_ok;  // the operations of the burst are in the queue

    wire        unused_puts;  // TAIL is written
    wire        unused_error; // memory has answered with an error: the channel is disabled
    wire [15:0] unused_to;    // TAIL as written
    wire [15:0] unused_head;  // the oldest entry, for the bus alone
    gmmu_ring_regs #(
        .IN(1),
        .PACKETS(0),
        .DROPS(0),
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
        .puts(unused_puts),
        .to(unused_to),
        .goes(goes),
        .fills(fills),
        .irq(irq),
        .moves(taken && !mode),
        .fails(fails),
        .drops(1'b0),
        .busy(reading || offered || count != 5'd0),
        .shown(offered),
        .shown_last(1'b0),
        .beat(window),
        .enabled(enabled),
        .mode(mode),
        .error(unused_error),
        .resets(resets),
        .head(unused_head),
        .tail(tail),
        .size(size),
        .base(base)
    );

    // ======== the queue: pointers have one bit more than the address, which distinguishes full from empty
    reg  [A:0]      put;                          // place of the next operation from memory
    reg  [A:0]      known;                        // place behind the last burst that was OKAY
    reg  [A:0]      get;                          // place of the next operation for the unit
    wire            next = !valid && get != known; // the next operation is read
    wire [BITS-1:0] queued;                       // the oldest operation
    gmmu_ram_sdp #(
        .WIDTH(BITS),
        .DEPTH(OPS),
        .FLIPS(0)
    ) queue (
        .clk(clk),
        .we(reading && push),
        .waddr(put[A-1:0]),
        .wdata(word),
        .re(next),
        .raddr(get[A-1:0]),
        .rdata(queued)
    );
    always @(posedge clk) begin
        if (reading && push) put <= put + 1'b1;
        if (comes) known <= put + 1'b1; // the last entry is pushed in this cycle
        if (fails) put <= known;
        if (next) get <= get + 1'b1;
        valid <= next || (valid && !m_tready);
        count <= count + (comes ? entries : 5'd0) - {4'd0, taken && !mode};
        if (clear || rst) {put, known, get, valid, count} <= {3*A+9{1'b0}};
    end

    // ======== what is to be read
    wire [16:0] reach = {1'b0, from} + {12'd0, entries}; // the entry behind the burst, but at the end of the ring
    assign places = ALL - count;
    assign wants  = enabled && !mode && from != tail && count != ALL;
    always @(posedge clk) begin
        if (reading && counted) from <= reach == {1'b0, size} ? 16'd0 : reach[15:0];
        if (pick) reading <= 1'b1;
        else if (ends) reading <= 1'b0;
        if (resets || rst) from <= 16'd0;
        if (clear || rst) reading <= 1'b0;
    end

    // ======== the window
    wire [32*WORDS-1:0] shown = {{32*WORDS-BITS{1'b0}}, window}; // the beat in whole words
    wire [32*WORDS-1:0] filled;                                  // the beat behind the write
    genvar i;
    generate
        for (i = 0; i < WORDS; i = i + 1) begin : g_word
            localparam [3:0] NUMBER = i[3:0];
            assign filled[32*i +: 32] = fills && at[3:0] == NUMBER ? (shown[32*i +: 32] & ~mask) | (data & mask) : shown[32*i +: 32];
        end
    endgenerate
    always @(posedge clk) begin
        window  <= filled[BITS-1:0];
        offered <= goes || (offered && !m_tready);
        if (resets || rst) window <= {BITS{1'b0}};
        if (clear || rst) offered <= 1'b0;
    end
    assign m_tvalid = valid || offered;
    assign m_tdata  = mode ? window : queued;
    assign holds    = offered || count != 5'd0;

    wire unused_filled = &{1'b0, filled};
endmodule
`default_nettype wire
