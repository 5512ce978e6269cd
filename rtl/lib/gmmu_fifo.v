// SPDX-License-Identifier: Apache-2.0
// gmmu_fifo: first-in first-out queue in RAM, one push and one pop a cycle, first word falls through.
//
// A push is made only with `room`. A pop is made only with `valid`, and takes the word in `rdata`.
// A word is valid at most three cycles after its push, or in the cycle after the pop of the word before.
// `empty` reports that the queue has no word at the start of the cycle; `room` reports that the RAM has space for a word.
// The RAM holds DEPTH words; the oldest word is in a register, the second oldest in the register of the RAM's output.
// COUNTED with GMMU_ASIC_RAM: the oldest word is in the register of the RAM's output, as outputs of RAMs are early. All outputs but `room` are
// the same in every cycle.
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
    parameter FLIPS = 0,
    // 1: the caller counts words: with the oldest there are at most DEPTH
    parameter COUNTED = 0,
    // derived, not to be set but by proofs: the oldest word is at the RAM's output
`ifdef GMMU_ASIC_RAM
    parameter EARLY = COUNTED
`else
    parameter EARLY = 0
`endif
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
    wire             fetch;  // the next word is fetched from the RAM
    wire [A:0]       in_ram; // number of words not yet fetched
    wire [WIDTH-1:0] ram_q;  // the word that was fetched last
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
    end

    generate
        if (EARLY != 0) begin : g_early
            // ======== a word is fetched when the word before is popped, and two cycles after its push at the earliest
            reg       one;   // the RAM's output holds the oldest word
            reg [A:0] wp_at; // wp, a cycle later
            assign fetch = rp != wp_at && (pop || !one);
            assign valid = one;
            assign rdata = ram_q;
            assign empty = rp == wp && !one;
            always @(posedge clk) begin
                one   <= !rst && (fetch || (one && !pop));
                wp_at <= rst ? {A+1{1'b0}} : wp;
            end
            wire unused_counted = COUNTED != 0;
        end else begin : g_late
            // ======== look-ahead: a word is fetched while `head` or the RAM's output can take the word
            reg              one;              // `head` holds a word
            reg              two;              // the RAM's output holds a word that `head` has not taken
            reg  [WIDTH-1:0] head;             // the oldest word
            wire             on = pop || !one; // `head` takes the word of the RAM's output
            assign fetch = rp != wp && !(two && !on);
            assign valid = one;
            assign rdata = head;
            assign empty = rp == wp && !two && !one;
            always @(posedge clk) begin
                one <= !rst && (two || !on);
                two <= !rst && (fetch || (two && !on));
                if (on)
                    head <= ram_q;
            end
            wire unused_counted = COUNTED != 0;
        end
    endgenerate

endmodule
`default_nettype wire
