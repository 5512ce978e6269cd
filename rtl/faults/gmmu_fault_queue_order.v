// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_order: the order in which the entries of fault_queue last began or ended.
//
// `ahead` has a bit for each pair of entries. An entry that begins or ends goes behind all others, the side operation's entry
// before the walk's. A fault of a walk takes the entry that is free longest, ASK the entry that is free shortest: neither choice
// depends on whether the other port takes an entry. The fault that waits longest is the head.
// A corrupt bit can leave several entries none of which is first: then the order begins anew.
`default_nettype none
module gmmu_fault_queue_order #(
    parameter FAULTS = 8
) (
    input  wire              clk,
    input  wire              rst,
    input  wire [FAULTS-1:0] s_moves,  // entries that begin or end by the side operation, or are free last
    input  wire [FAULTS-1:0] w_moves,  // entries that begin or end by the walk, if w_does
    input  wire              w_does,   // the walk takes an entry; w_does arrives last
    input  wire [FAULTS-1:0] free,     // entries that are free
    input  wire [FAULTS-1:0] waits,    // entries that wait for their decision
    output wire [FAULTS-1:0] longest,  // one-hot: the entry that is free longest
    output wire [FAULTS-1:0] shortest, // one-hot: the entry that is free shortest
    output wire [FAULTS-1:0] oldest    // one-hot: the entry that waits longest
);

    wire [FAULTS-1:0] ahead [0:FAULTS-1]; // ahead[j][i]: entry i is before entry j
    wire [FAULTS-1:0] behind [0:FAULTS-1]; // behind[j][i]: entry i is behind entry j
    reg  none; // no entry is first, though there are entries: a bit is corrupt
    always @(posedge clk)
        none <= !rst && ((free != 0 && longest == 0) || (free != 0 && shortest == 0) || (waits != 0 && oldest == 0));
    wire anew = rst || none;
    genvar i, j;
    generate
        for (j = 0; j < FAULTS; j = j + 1) begin : g_entry
            assign ahead[j][j] = 1'b0;
            assign behind[j][j] = 1'b0;
            for (i = 0; i < j; i = i + 1) begin : g_pair
                reg first; // i is before j
                wire side = s_moves[i] || s_moves[j] ? !s_moves[i] : first;
                wire both = w_moves[i] || w_moves[j] ? !w_moves[i] : side; // late select: w_does arrives last
                always @(posedge clk)
                    first <= anew || (w_does ? both : side);
                assign ahead[j][i] = first;
                assign behind[j][i] = !first;
                assign ahead[i][j] = !first;
                assign behind[i][j] = first;
            end
            if (FAULTS == 1) begin : g_alone
                wire unused = &{1'b0, anew, s_moves, w_moves, w_does};
            end
            assign longest[j]  = free[j] && (free & ahead[j]) == 0;
            assign shortest[j] = free[j] && (free & behind[j]) == 0;
            assign oldest[j]   = waits[j] && (waits & ahead[j]) == 0;
        end
    endgenerate

endmodule
`default_nettype wire
