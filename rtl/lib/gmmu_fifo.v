// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo: first-in first-out queue in RAM, one push and one pop a cycle, first word falls through.
//
// A push is made only with `room`. A pop is made only with `valid`, and takes the word in `rdata`.
// A word is valid at most three cycles after its push, or in the cycle after the pop of the word before.
// `empty` reports that the queue has no word at the start of the cycle; `room` reports that the RAM has space for a word.
// The RAM holds DEPTH words; the two oldest words are in registers.
//
// fifo_parity adds parity to the words. fifo_places counts places that are released later than by the pop, and fifo_heal
// repairs that count.
`default_nettype none
module gmmu_fifo #(
    // bits of a word
    parameter WIDTH = 8,
    // words, a power of two, at least 4
    parameter DEPTH = 16,
    // 0: the plusarg +flip does not corrupt words (ram_sdp)
    parameter FLIPS = 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // the word `wdata` is pushed
    input  wire [WIDTH-1:0] wdata, // the word that is pushed
    output wire             room,  // the RAM has space for a word
    input  wire             pop,   // the word `rdata` is popped
    output wire             valid, // `rdata` is the oldest word
    output wire [WIDTH-1:0] rdata, // the oldest word
    output wire             empty  // the queue has no word
);

    localparam A = $clog2(DEPTH);

    generate
        if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad
            DEPTH_must_be_a_power_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    // ======== the RAM: pointers have one bit more than the address, which distinguishes full from empty
    reg  [A:0]       wp;     // place of the next word to push
    reg  [A:0]       rp;     // place of the next word to fetch
    reg              busy;   // a fetched word leaves the RAM in this cycle
    wire             fetch;  // the next word is fetched from the RAM
    wire [A:0]       in_ram; // number of words not yet fetched
    wire [WIDTH-1:0] ram_q;  // the fetched word
    assign in_ram = wp - rp;
    assign room   = !in_ram[A];
    gmmu_ram_sdp #(
        .WIDTH(WIDTH),
        .DEPTH(DEPTH),
        .FLIPS(FLIPS)
    ) ram (
        .clk(clk),
        .we(push),
        .waddr(wp[A-1:0]),
        .wdata(wdata),
        .re(fetch),
        .raddr(rp[A-1:0]),
        .rdata(ram_q)
    );
    always @(posedge clk) begin
        wp   <= rst ? {A+1{1'b0}} : wp + {{A{1'b0}}, push};
        rp   <= rst ? {A+1{1'b0}} : rp + {{A{1'b0}}, fetch};
        busy <= !rst && fetch;
    end

    // ======== look-ahead: words are fetched while the registers can take all fetched words
    reg              one;                        // `head` holds a word
    reg              two;                        // `spare` holds a word
    reg  [WIDTH-1:0] head;                       // the oldest word
    reg  [WIDTH-1:0] spare;                      // the second oldest word
    wire             left_one = pop ? two : one; // `one` behind the pop
    wire             left_two = two && !pop;     // `two` behind the pop
    assign fetch = rp != wp && (pop ? !(two && busy) : !(two || (one && busy)));
    assign valid = one;
    assign rdata = head;
    assign empty = rp == wp && !busy && !one;
    always @(posedge clk) begin
        one <= !rst && (left_one || busy);
        two <= !rst && left_one && (left_two || busy);
        if (pop)
            head <= spare;
        if (busy && !left_one)
            head <= ram_q;
        if (busy && left_one && !left_two)
            spare <= ram_q;
    end

endmodule
`default_nettype wire
