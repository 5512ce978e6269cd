// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_named: a bit for each slot of Tier 2: an undecided fault names the slot.
//
// PARITY: each bit is stored three times, and two decide.
`default_nettype none
module gmmu_fault_queue_named #(
    // slots, at least 1; a slot beyond these is never named
    parameter T2_SLOTS = 8192,
    parameter PARITY   = 1,
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1
) (
    input  wire            clk,
    input  wire            we,     // the bit of a slot changes
    input  wire [T2_W-1:0] w_slot, // the slot
    input  wire            w_bit,  // its bit
    input  wire [T2_W-1:0] n_slot, // the slot that is looked up
    output reg             named   // two cycles later: its bit, with all changes before this cycle
);

    localparam COPIES = PARITY != 0 ? 3 : 1;

    wire [COPIES-1:0] copies;    // the bit of the slot of the cycle before
    reg  [T2_W-1:0]   is_slot;   // the slot of the cycle before
    reg               was_write; // the bit of was_slot changed in the cycle before
    reg               was_bit;
    reg  [T2_W-1:0]   was_slot;
    wire found; // what the RAM says
    wire is_one, was_one; // the slot of the write, of the cycle before exists
    gmmu_ram_sdp #(
        .WIDTH(COPIES),
        .DEPTH(T2_SLOTS),
        .FLIPS(COPIES > 1),
        .ADDR_W(T2_W)
    ) bits (
        .clk(clk),
        .we(we && is_one),
        .waddr(w_slot),
        .wdata({COPIES{w_bit}}),
        .re(1'b1),
        .raddr(n_slot),
        .rdata(copies)
    );
    generate
        if (COPIES == 3) begin : g_three
            assign found = (copies[0] && copies[1]) || (copies[0] && copies[2]) || (copies[1] && copies[2]);
        end else begin : g_one
            assign found = copies[0];
        end
    endgenerate
    generate
        if (T2_SLOTS == 1 << T2_W) begin : g_all
            assign {is_one, was_one} = 2'b11;
        end else begin : g_some
            assign is_one  = w_slot < T2_SLOTS[T2_W-1:0];
            assign was_one = is_slot < T2_SLOTS[T2_W-1:0];
        end
    endgenerate
    always @(posedge clk) begin
        is_slot   <= n_slot;
        was_write <= we;
        was_slot  <= w_slot;
        was_bit   <= w_bit;
        named     <= was_one && (we && w_slot == is_slot ? w_bit : was_write && was_slot == is_slot ? was_bit : found);
    end

endmodule
`default_nettype wire
