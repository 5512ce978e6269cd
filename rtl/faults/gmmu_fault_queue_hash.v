// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_hash: the bucket of a page.
//
// The page is cut into slices as wide as a bucket's number, and every second slice is reversed; the bucket is the XOR of the
// slices. Pages that follow each other have buckets of their own, and so have the pages of a tile of a matrix.
`default_nettype none
module gmmu_fault_queue_hash #(
    // bits of a page: address space and virtual page number
    parameter P_W = 60,
    // bits of a bucket's number
    parameter B_W = 10
) (
    input  wire [P_W-1:0] page,  // the page
    output wire [B_W-1:0] bucket // its bucket
);

    localparam SLICES = (P_W + B_W - 1) / B_W;

    wire [SLICES*B_W:0] padded = {{SLICES*B_W+1-P_W{1'b0}}, page}; // (with a bit more, as no width may be 0)
    wire unused_pad = padded[SLICES*B_W];
    genvar b, i;
    generate
        for (b = 0; b < B_W; b = b + 1) begin : g_bit
            wire [SLICES-1:0] mixed; // the bit of each slice
            for (i = 0; i < SLICES; i = i + 1) begin : g_slice
                assign mixed[i] = padded[i*B_W + (i % 2 == 0 ? b : B_W-1-b)];
            end
            assign bucket[b] = ^mixed;
        end
    endgenerate

endmodule
`default_nettype wire
