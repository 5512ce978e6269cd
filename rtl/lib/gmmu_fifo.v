// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo: first-in first-out queue in RAM, one push and one pop a cycle, first word falls through.
//
// A push is made only with `room`. A pop is made only with `valid`, and takes the word in `rdata`.
// A word is valid at most three cycles after its push, or in the cycle after the pop of the word before it.
// `empty` says that no word is in the queue at the start of the cycle; `room`, that another one fits into the RAM.
// The RAM holds DEPTH words, and the two oldest words stand in registers.
//
// fifo_parity guards the words; fifo_places counts places that are given back later than by the pop, and fifo_heal mends that count.
`default_nettype none
module gmmu_fifo #(
    // bits of a word
    parameter WIDTH = 8,
    // words, a power of two, at least 4
    parameter DEPTH = 16,
    // 0: +flip leaves the words alone (ram_sdp)
    parameter FLIPS = 0
) (
    input  wire             clk,
    input  wire             rst,
    input  wire             push,  // The word `wdata` comes.
    input  wire [WIDTH-1:0] wdata, // The word that comes.
    output wire             room,  // There is room for a word.
    input  wire             pop,   // The word `rdata` leaves.
    output wire             valid, // The oldest word is in `rdata`.
    output wire [WIDTH-1:0] rdata, // The oldest word.
    output wire             empty  // There is no word.
);

    localparam A = $clog2(DEPTH);

    generate
        if (DEPTH < 4 || (DEPTH & (DEPTH - 1)) != 0) begin : g_bad
            DEPTH_must_be_a_power_of_two_and_at_least_4 stop_here();
        end
    endgenerate

    // ======== the RAM: a bit more than the address tells full from empty
    reg  [A:0]       wp;     // The place of the next word that comes.
    reg  [A:0]       rp;     // The place of the next word that is fetched.
    reg              busy;   // A word comes out of the RAM in this cycle.
    wire             fetch;  // The next word is fetched.
    wire [A:0]       in_ram; // The number of words that are not fetched.
    wire [WIDTH-1:0] ram_q;  // The word that comes out of the RAM.
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

    // ======== look-ahead: words are fetched while the registers can take what is under way
    reg              one;    // There is a word in `head`.
    reg              two;    // There is another in `spare`.
    reg  [WIDTH-1:0] head;   // The oldest word.
    reg  [WIDTH-1:0] spare;  // The word behind it.
    wire             left_one = pop ? two : one; // As `one`, behind the pop.
    wire             left_two = two && !pop;     // As `two`, behind the pop.
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
