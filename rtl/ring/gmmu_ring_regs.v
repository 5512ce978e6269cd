// SPDX-License-Identifier: Apache-2.0
// gmmu_ring_regs: words of a channel on the bus, HEAD and TAIL of its ring, its operation in progress, status and interrupt.
//
//   bus ─► words ─► enabled, mode, base, size ─► channel
//            │                                     │
//            └─► the bus' pointer ─┐               │
//                                  ├─► fill ─► status ─► irq
//                the unit's ◄──────┼───────────────┘
//
// A write is judged by the registers of its cycle. The pointer of software is HEAD of an out channel and TAIL of an in channel.
`default_nettype none
module gmmu_ring_regs #(
    parameter IN      = 0,  // 1: the channel brings operations to the unit
    parameter PACKETS = 0,  // 1: beats have TLAST
    parameter DROPS   = 0,  // 1: a packet without room is dropped; the channel has no window
    parameter BITS    = 64, // bits of a beat
    parameter K       = 4,  // log2 of the bytes of an entry
    parameter ADDR_W  = 64  // bits of an address in memory
) (
    input  wire              clk,
    input  wire              rst,        // all registers are reset
    input  wire              clear,      // the channel is reset with the unit
    // an access to a word of the channel
    input  wire              sel,        // the access is to this channel
    input  wire              write,      // the access is a write; 0 while `stops`
    input  wire [5:0]        at,         // number of the word in the channel
    input  wire [31:0]       data,       // the word that is written
    input  wire [3:0]        strb,       // byte strobes of the write
    input  wire [31:0]       mask,       // bits of strobed bytes are 1
    output reg  [31:0]       read,       // the word that is read
    output wire              bad,        // the word cannot be written
    output wire              puts,       // the pointer of software takes `to`
    output wire [15:0]       to,         // the pointer that is written
    output wire              goes,       // out: the beat in the window is taken; in: the beat in the window is offered
    output wire              fills,      // in: a word of the window is written
    output wire              irq,        // an enabled status bit is set
    // the channel's work
    input  wire              moves,      // the pointer of the unit goes on by an entry
    input  wire              fails,      // memory has answered with an error
    input  wire              drops,      // a packet is dropped
    input  wire              busy,       // something of the channel is under way
    input  wire              shown,      // out: the stream offers a beat; in: the unit has not taken the beat in the window
    input  wire              shown_last, // out: the offered beat is the last of its packet
    input  wire [BITS-1:0]   beat,       // the beat in the window
    output reg               enabled,    // work may begin
    output reg               mode,       // 1: the channel is a window, 0: a ring in memory
    output reg               error,      // memory has answered with an error since the last reset
    output wire              resets,     // the reset of the channel ends: pointers become 0
    output reg  [15:0]       head,       // the oldest entry
    output reg  [15:0]       tail,       // the entry behind the newest
    output reg  [15:0]       size,       // entries of the ring
    output wire [ADDR_W-1:0] base        // address of entry 0
);
    // words of a channel
    localparam [5:0] CAP0 = 6'h00, CAP0_HIGH = 6'h01, CAP1_HIGH = 6'h03, CONF0 = 6'h10, CONF1_HIGH = 6'h13, CONF2 = 6'h14, STATUS = 6'h18,
                     STATUS_HIGH = 6'h19, POINTERS = 6'h1a, BASE = 6'h1c, BASE_HIGH = 6'h1d, SIZE = 6'h1e, WAIT = 6'h1f, ENTRY = 6'h20,
                     DROPPED = 6'h21, MODE = 6'h22, GO = 6'h23;
    localparam [1:0] NONE = 2'd0, DISABLE = 2'd2, RESET = 2'd3; // operations in progress
    localparam WORDS = (BITS + 31) / 32; // words of the window
    localparam [15:0] TDATA = BITS[15:0];
    localparam [7:0]  LOG2 = K[7:0];

    reg  [1:0]  op;        // the operation in progress
    reg  [12:9] flags;     // CONF0: status bits that ask for an interrupt: error, time, level, overflow
    reg  [15:0] threshold; // CONF2: fill of the level bit; 0: none
    reg  [4:0]  log2_wait; // WAIT: log2 of the cycles until the time bit; 0: off
    reg  [31:6] low;       // BASE, without the bits that are 0
    wire [63:0] place;     // BASE in 64 bits
    assign base = place[ADDR_W-1:0];

    // ======== what a write means, and whether it is bad
    wire        w = sel && write;                                     // a word is written
    wire        w_conf0  = w && at == CONF0;                          // CONF0 is written
    wire        w_status = w && at == STATUS_HIGH && strb[1];         // the status bits are cleared
    wire        now      = strb[2] ? data[16] : enabled;              // CONF0 as written: enable
    wire        reset    = strb[2] && data[17];                       // CONF0 as written: reset
    wire        cannot   = error || (!mode && size[15:1] == 15'd0);   // the channel cannot be enabled
    wire        conf0_ok = op == NONE && (reset || !now || !cannot);  // the write of CONF0 is good
    wire        at_rest  = !enabled && op == NONE && head == 16'd0 && tail == 16'd0; // the ring may change its place
    wire [15:0] new_size = (size & ~mask[15:0]) | (data[15:0] & mask[15:0]); // SIZE as written
    wire        size_ok  = at_rest && new_size[15:1] != 15'd0;        // the write of SIZE is good
    wire        new_mode = strb[0] ? data[0] : mode;                  // MODE as written
    wire        mode_ok  = at_rest && !(DROPS != 0 && new_mode);      // the write of MODE is good

    // the pointer of software must stay in the ring, HEAD between HEAD and TAIL, TAIL between TAIL and HEAD - 1
    wire [1:0]  both   = IN != 0 ? strb[3:2] : strb[1:0];             // strobes of the pointer
    wire        below  = IN != 0 ? to < head : to <= tail;            // the new pointer does not pass the other from below
    wire        above  = IN != 0 ? to >= tail : to >= head;           // the new pointer does not go back
    wire        folded = tail < head;                                 // entries lie at the end and at the beginning
    wire        real_one = to < size;                                 // the new pointer is an entry
    wire        fits   = folded == (IN != 0) ? below && above : (above && real_one) || below; // the new pointer is in its part of the ring
    wire        ring   = !mode && size[15:1] != 15'd0;                // the channel has a ring
    wire        pointers_ok = ring && (both == 2'b00 || (both == 2'b11 && fits)); // the write of HEAD and TAIL is good
    assign to   = IN != 0 ? data[31:16] : data[15:0];
    assign puts = w && at == POINTERS && pointers_ok && both == 2'b11;

    wire        go_ok   = DROPS == 0 && enabled && mode && (!(data[0] && strb[0]) || (IN != 0 ? !shown : shown)); // the write of GO is good
    wire        fill_ok = IN != 0 && mode && !shown && at[5:4] == 2'b11 && {28'd0, at[3:0]} < WORDS; // the write of the window is good
    assign goes  = w && at == GO && go_ok && data[0] && strb[0];
    assign fills = w && fill_ok;
    reg         good;                                                 // the word can be written as it is
    always @* begin
        case (at)
            CONF0: good = conf0_ok;
            CONF2, STATUS_HIGH, WAIT: good = 1'b1;
            POINTERS: good = pointers_ok;
            BASE, BASE_HIGH: good = at_rest;
            SIZE: good = size_ok;
            MODE: good = mode_ok;
            GO: good = go_ok;
            default: good = fill_ok;
        endcase
    end
    assign bad = !good;

    // ======== configuration
    always @(posedge clk) begin
        if (w_conf0 && conf0_ok && strb[1]) flags <= data[12:9];
        if (w && at == CONF2) threshold <= (threshold & ~mask[15:0]) | (data[15:0] & mask[15:0]);
        if (w && at == WAIT && strb[0]) log2_wait <= data[4:0];
        if (w && at == BASE && at_rest) low <= (low & ~mask[31:6]) | (data[31:6] & mask[31:6]);
        if (w && at == SIZE && size_ok) size <= new_size;
        if (w && at == MODE && mode_ok) mode <= new_mode;
        if (rst) begin
            flags       <= 4'd0;
            threshold   <= 16'd0;
            log2_wait   <= 5'd0;
            low       <= 26'd0;
            size      <= 16'd0;
            mode      <= 1'b0;
        end
    end
    generate
        if (ADDR_W > 32) begin : g_high
            reg [ADDR_W-33:0] high; // BASE, bits 32 and up
            always @(posedge clk)
                if (rst) high <= {ADDR_W-32{1'b0}};
                else if (w && at == BASE_HIGH && at_rest) high <= (high & ~mask[ADDR_W-33:0]) | (data[ADDR_W-33:0] & mask[ADDR_W-33:0]);
            if (ADDR_W < 64) begin : g_short
                assign place = {{64-ADDR_W{1'b0}}, high, low, 6'd0};
            end else begin : g_whole
                assign place = {high, low, 6'd0};
            end
        end else begin : g_low
            assign place = {32'd0, low, 6'd0};
        end
    endgenerate

    // ======== enable, disable, reset; an operation ends when nothing of the channel is under way
    wire ends = op != NONE && !busy; // the operation in progress ends
    assign resets = clear || (op == RESET && !busy);
    always @(posedge clk) begin
        if (w_conf0 && conf0_ok) begin
            enabled <= now && !reset;
            if (reset) op <= RESET;
            else if (enabled && !now) op <= DISABLE;
        end
        if (fails) begin
            enabled <= 1'b0;
            error   <= 1'b1;
            if (op != RESET && !(w_conf0 && conf0_ok && reset)) op <= DISABLE;
        end
        if (ends) op <= NONE;
        if (resets) error <= 1'b0;
        if (clear || rst) begin
            enabled <= 1'b0;
            error   <= 1'b0;
            op      <= NONE;
        end
    end

    // ======== HEAD and TAIL
    wire [15:0] mine      = IN != 0 ? head : tail;                             // the pointer of the unit
    wire [15:0] mine_plus = mine + 16'd1;                                      // the next entry, but at the end of the ring
    wire [15:0] mine_next = !moves ? mine : mine_plus == size ? 16'd0 : mine_plus; // the pointer of the unit, behind this cycle
    always @(posedge clk) begin
        if (IN != 0) begin
            head <= mine_next;
            if (puts) tail <= to;
        end else begin
            tail <= mine_next;
            if (puts) head <= to;
        end
        if (resets || rst) {head, tail} <= 32'd0;
    end

    // ======== status
    wire        overflow; // a packet was dropped
    wire        level;    // the fill has reached the threshold, or a beat waits in the window
    wire        late;     // entries have waited long enough
    wire [31:0] dropped;  // packets dropped
    generate
        if (IN == 0) begin : g_status
            // TAIL never reaches HEAD from below, so an entry more is no pass through the ring
            reg  [15:0] fill;                                                              // entries in the ring
            wire [16:0] left      = {1'b0, tail} - {1'b0, to};                             // fill if HEAD is written, modulo 2^17
            wire [15:0] left_fill = left[15:0] + (left[16] ? size : 16'd0);                // fill if HEAD is written
            wire [15:0] now_fill  = puts ? left_fill : fill;                               // fill, without an entry that comes
            reg  [31:0] timer;                                                             // cycles since entries wait, or since the last write of HEAD
            reg         is_level;                                                          // the level bit is set
            reg         is_late;                                                           // the time bit is set
            wire        reached   = (timer >> log2_wait) != 32'd0;                         // the timer has reached its end
            wire        has_level = mode ? enabled && shown : threshold != 16'd0 && fill >= threshold; // the condition of the level bit
            wire        has_late  = log2_wait != 5'd0 && fill != 16'd0 && reached;         // the condition of the time bit
            always @(posedge clk) begin
                fill     <= now_fill + {15'd0, moves};
                is_level <= (is_level && !(w_status && data[9])) || has_level;
                is_late  <= (is_late && !(w_status && data[10])) || has_late;
                if (fill == 16'd0 || puts) timer <= 32'd0;
                else if (!timer[31]) timer <= timer + 32'd1;
                if (resets || rst) begin
                    fill     <= 16'd0;
                    is_level <= 1'b0;
                    is_late  <= 1'b0;
                    timer    <= 32'd0;
                end
            end
            assign {level, late} = {is_level, is_late};
        end else begin : g_no_status
            assign {level, late} = 2'b00;
        end
        if (DROPS != 0) begin : g_drops
            reg        is_overflow; // the overflow bit is set
            reg [31:0] count;       // packets dropped
            always @(posedge clk) begin
                is_overflow <= (is_overflow && !(w_status && data[8])) || drops;
                count       <= count + {31'd0, drops};
                if (resets || rst) {is_overflow, count} <= 33'd0;
            end
            assign {overflow, dropped} = {is_overflow, count};
        end else begin : g_no_drops
            assign {overflow, dropped} = 33'd0;
        end
    endgenerate
    assign irq = (flags & {error, late, level, overflow}) != 4'd0;

    // ======== reads
    wire           window = DROPS == 0 && (IN != 0 || (mode && enabled && shown)); // the window shows the beat
    wire [511:0]   words  = {{512-BITS{1'b0}}, window ? beat : {BITS{1'b0}}};      // the window
    always @* begin
        read = 32'd0;
        case (at)
            CAP0: read = {26'd0, IN == 0, DROPS != 0, 4'd0};
            CAP0_HIGH: read = 32'hffff0000;
            CAP1_HIGH: read = 32'h00020000;
            CONF0: read = {15'd0, enabled, 3'd0, flags, 9'd0};
            CONF1_HIGH: read = 32'h00000100;
            CONF2: read = {16'd0, threshold};
            STATUS: read = {14'd0, op, 15'd0, enabled};
            STATUS_HIGH: read = {20'd0, error, late, level, overflow, 8'd0};
            POINTERS: read = {tail, head};
            BASE: read = {place[31:6], 6'd0};
            BASE_HIGH: read = place[63:32];
            SIZE: read = {16'd0, size};
            WAIT: read = {27'd0, log2_wait};
            ENTRY: read = {TDATA, 4'd0, DROPS == 0, DROPS != 0, PACKETS != 0, IN != 0, LOG2};
            DROPPED: read = dropped;
            MODE: read = {31'd0, mode};
            GO: read = {30'd0, DROPS == 0 && IN == 0 && window && shown_last, DROPS == 0 && (IN != 0 ? shown : window)};
            default: if (at[5:4] == 2'b11) read = words[32*at[3:0] +: 32];
        endcase
    end

    wire unused_ring_regs = &{1'b0, drops, w_status, place, beat, shown_last, mask};
endmodule
`default_nettype wire
