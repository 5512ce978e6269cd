// SPDX-License-Identifier: Apache-2.0
// gmmu_ring_writer: writes entries to memory, one burst an entry, and tells each channel in order when memory has its entry.
//
//   load ─► shift register ─► W        load ─► base + place ─► AW
//   load ─► order of the channels ─► done, one bit a channel ◄─ B, a cycle later
//
// AW and the first beat of W are offered two cycles behind `load`. The next entry is taken when AW and all beats have gone.
`default_nettype none
module gmmu_ring_writer #(
    parameter CHANNELS = 4,  // channels, 2 to 4
    parameter BYTES    = 64, // most bytes of an entry, a power of two
    parameter WRITES   = 8,  // entries under way, 1 to 32
    parameter ADDR_W   = 64, // bits of an address in memory
    parameter DATA_W   = 64  // bits of the data bus
) (
    input  wire                clk,
    input  wire                rst,
    output wire                ready,        // an entry may be loaded
    output wire                rests,        // no entry is under way
    input  wire [CHANNELS-1:0] load,         // the entry of the channel is loaded; at most one
    input  wire [8*BYTES-1:0]  entry,        // the entry, in the low bytes
    input  wire [ADDR_W-1:0]   base,         // address of entry 0 of the channel's ring
    input  wire [21:0]         place,        // bytes from entry 0 to the entry
    input  wire [3:0]          last_beat,    // beats of the entry, less one
    output wire [CHANNELS-1:0] done,         // memory has answered the oldest entry of the channel
    output wire                done_ok,      // memory has the entry
    // AXI4
    output reg  [ADDR_W-1:0]   m_axi_awaddr, // address of the entry
    output reg  [3:0]          m_axi_awlen,  // beats of the entry, less one
    output reg                 m_axi_awvalid, // a write address is offered
    input  wire                m_axi_awready, // the write address is taken
    output wire [DATA_W-1:0]   m_axi_wdata,  // data of the entry
    output wire                m_axi_wlast,  // the beat is the last of the entry
    output reg                 m_axi_wvalid, // a beat of the entry is offered
    input  wire                m_axi_wready, // the beat is taken
    input  wire [1:0]          m_axi_bresp,  // answer to the oldest entry: 0 OKAY
    input  wire                m_axi_bvalid  // an answer is offered
);
    localparam DEPTH = WRITES > 1 ? WRITES : 2; // of the queue of channels

    // ======== the entry under way to the bus
    reg               fresh;                                        // the entry was loaded in the cycle before
    reg               open;                                         // AW or beats have not gone
    reg [8*BYTES-1:0] shift;                                        // the entry, the next beat lowest
    reg [3:0]         left;                                         // beats behind the next beat
    reg [ADDR_W-1:0]  from;                                         // address of entry 0
    reg [21:0]        by;                                           // bytes from entry 0
    wire              loads   = load != {CHANNELS{1'b0}};           // an entry is loaded
    wire              aw_goes = m_axi_awvalid && m_axi_awready;     // AW is taken
    wire              w_goes  = m_axi_wvalid && m_axi_wready;       // a beat is taken
    wire              aw_left = fresh || (m_axi_awvalid && !m_axi_awready); // AW has not gone behind this cycle
    wire              w_left  = fresh || (m_axi_wvalid && !(m_axi_wready && m_axi_wlast)); // beats have not gone behind this cycle
    assign m_axi_wdata = shift[DATA_W-1:0];
    assign m_axi_wlast = left == 4'd0;
    always @(posedge clk) begin
        fresh <= loads;
        if (loads) {shift, left, from, by} <= {entry, last_beat, base, place};
        if (fresh) begin
            m_axi_awaddr <= from + {{ADDR_W-22{1'b0}}, by};
            m_axi_awlen  <= left;
        end
        if (w_goes) begin
            shift <= shift >> DATA_W;
            left  <= left - 4'd1;
        end
        if (fresh) {m_axi_awvalid, m_axi_wvalid} <= 2'b11;
        if (aw_goes) m_axi_awvalid <= 1'b0;
        if (w_goes && m_axi_wlast) m_axi_wvalid <= 1'b0;
        open <= loads || aw_left || w_left;
        if (rst) {fresh, open, m_axi_awvalid, m_axi_wvalid} <= 4'd0;
    end

    // ======== entries that memory has not answered
    wire [DEPTH-1:0]    full;    // bit i: more than i entries are under way
    wire [CHANNELS-1:0] oldest;  // channel of the oldest entry
    reg                 b_valid; // an answer came in the cycle before
    reg                 b_ok;    // the answer is OKAY
    wire                pop = b_valid && full[0]; // the oldest entry is answered; an answer without an entry does not count
    gmmu_short_fifo #(
        .WIDTH(CHANNELS),
        .DEPTH(DEPTH)
    ) order (
        .clk(clk),
        .rst(rst),
        .push(loads),
        .wdata(load),
        .pop(pop),
        .full(full),
        .head(oldest)
    );
    always @(posedge clk) begin
        b_valid <= m_axi_bvalid && !rst;
        b_ok    <= m_axi_bresp == 2'b00;
    end
    assign done    = pop ? oldest : {CHANNELS{1'b0}};
    assign done_ok = b_ok;
    assign ready   = !open && !full[WRITES-1];
    assign rests   = !full[0];
endmodule
`default_nettype wire
