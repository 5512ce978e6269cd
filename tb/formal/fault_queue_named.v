// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue_named: the bit of a golden slot, any one.
//: pdr 60 s
//: bmc3 20 frames 20 s
//: find 1804 1805
`default_nettype none
module formal_fault_queue_named #(
    parameter T2_SLOTS = 3,
    parameter T2_W     = 2
) (
    input wire            clk,
    input wire            we, w_bit,
    input wire [T2_W-1:0] w_slot, n_slot
);

    reg [1:0] first = 2'b11; // two cycles: what was looked up before them nobody knows
    always @(posedge clk)
        first <= first << 1;
    wire named;
    gmmu_fault_queue_named #(.T2_SLOTS(T2_SLOTS), .PARITY(1), .T2_W(T2_W)) dut (
        .clk(clk), .we(we), .w_slot(w_slot), .w_bit(w_bit), .n_slot(n_slot), .named(named)
    );
    (* anyconst *) wire [T2_W-1:0] slot;
    reg            known = 1'b0; // the slot's bit was written
    reg            golden;
    reg [T2_W-1:0] is_slot, was_slot; // n_slot of the cycle before, of two cycles before
    always @(posedge clk) begin
        {is_slot, was_slot} <= {n_slot, is_slot};
        if (we && w_slot == slot)
            {known, golden} <= {1'b1, w_bit};
    end
    // The bit is the one last written, up to the cycle before; a slot beyond T2_SLOTS has none.
    always @* begin
        bit_right: assert (first != 0 || was_slot != slot || (slot < T2_SLOTS ? !known || named == golden : !named));
    end

endmodule
`default_nettype wire
