// SPDX-License-Identifier: Apache-2.0
// gmmu_ref_rit_keys: the ways of a set that hold the key of an execution or a look (docs/reference/blocks/ref_rit.md).
//
// Each way has a RAM, read at w3 and written by an allocation at w8. A read does not see the executions that are at w3 to w8. So the
// keys of these executions are compared with this key on the way (early compare), and w8_new, w9_new say which of them
// got a new way. A look gets no new way. A FLUSH asks for its address space alone.
`default_nettype none
module gmmu_ref_rit_keys #(
    parameter ASID_W = 8,
    parameter REF_W = 32,
    parameter WAYS  = 4,
    parameter SETS  = 16,
    // 1: a corrupt key is reported, and matches none
    parameter PARITY = 1,
    // 1: the walks' references at w3 to w8 come from outside, where walks have the same stages; 0: they are kept here
    parameter REFS_COME = 0,
    parameter KEY_W = ASID_W + REF_W,
    parameter SET_W = SETS > 1 ? $clog2(SETS) : 1
) (
    input  wire             clk,
    input  wire [7:2]       live,         // bit k: stage k takes something in
    input  wire [KEY_W-1:0] w2_key,       // key of the execution, look or FLUSH at w2
    input  wire [6*REF_W-1:0] refs,       // REFS_COME: reference of the execution or look at w8, w7, w6, w5, w4, w3
    input  wire [SET_W-1:0] w3_set,       // set of the execution, look or FLUSH at w3
    input  wire [SET_W-1:0] w8_set,       // set of the execution, look or FLUSH at w8
    input  wire             w4_valid,     // an execution, a look or a FLUSH is at w4
    input  wire             w3_flush,     // a FLUSH is at w3: only its address space counts, and the FLUSH leaves no key
    input  wire [8:5]       flush,        // bit k: a FLUSH is at stage k
    input  wire [5:4]       w4_same_set,  // bit k: the set at w4 is the set of the execution k cycles before
    input  wire             w5_same_set3, // the set at w5 is the set of the execution 3 cycles before
    input  wire [WAYS-1:0]  w8_new,       // the way that is given to the key at w8
    input  wire [WAYS-1:0]  w9_new,       // the way that is given to the key at w9
    output reg  [WAYS-1:0]  w6_bad,       // the ways whose key is corrupt, and that no execution before has replaced
    output reg  [WAYS-1:0]  w6_match,     // the ways that hold the key at w6, but for the executions at w7, w8
    output reg  [2:1]       w6_same_key   // bit k: the key at w6 is the key of the execution k cycles before (1: not asked behind a FLUSH)
);

    // Keys are compared in parts of eight bits, whose results meet a cycle later.
    localparam ASID_P = (ASID_W + 7) / 8, REF_P = (REF_W + 7) / 8, PARTS = ASID_P + REF_P;
    function [PARTS-1:0] same_parts(input [KEY_W-1:0] a, input [KEY_W-1:0] b);
        reg [8*PARTS-1:0] x;
        integer i;
        begin
            x = 0;
            x[REF_W-1:0] = a[REF_W-1:0] ^ b[REF_W-1:0];
            x[8*REF_P +: ASID_W] = a[KEY_W-1:REF_W] ^ b[KEY_W-1:REF_W];
            same_parts = {PARTS{1'b0}};
            for (i = 0; i < PARTS; i = i + 1)
                same_parts[i] = x[8*i +: 8] == 0;
        end
    endfunction

    function [PARTS-1:0] all_but_asid(input yes);
        all_but_asid = {{ASID_P{1'b0}}, {REF_P{yes}}};
    endfunction

    reg  [ASID_W-1:0] w3_asid;    // address space at w3, and so on
    reg  [ASID_W-1:0] w4_asid;
    reg  [ASID_W-1:0] w5_asid;
    reg  [ASID_W-1:0] w6_asid;
    reg  [ASID_W-1:0] w7_asid;
    reg  [ASID_W-1:0] w8_asid;
    wire [REF_W-1:0] w3_ref;      // reference at w3, and so on; of a FLUSH any reference
    wire [REF_W-1:0] w4_ref;
    wire [REF_W-1:0] w5_ref;
    wire [REF_W-1:0] w6_ref;
    wire [REF_W-1:0] w7_ref;
    wire [REF_W-1:0] w8_ref;
    wire [KEY_W-1:0] w3_key = {w3_asid, w3_ref}; // key at w3, and so on
    wire [KEY_W-1:0] w4_key = {w4_asid, w4_ref};
    wire [KEY_W-1:0] w5_key = {w5_asid, w5_ref};
    wire [KEY_W-1:0] w6_key = {w6_asid, w6_ref};
    wire [KEY_W-1:0] w7_key = {w7_asid, w7_ref};
    wire [KEY_W-1:0] w8_key = {w8_asid, w8_ref};
    generate
        if (REFS_COME != 0) begin : g_come
            assign {w8_ref, w7_ref, w6_ref, w5_ref, w4_ref, w3_ref} = refs;
        end else begin : g_kept
            reg [REF_W-1:0] ref3; // w3_ref, and so on
            reg [REF_W-1:0] ref4;
            reg [REF_W-1:0] ref5;
            reg [REF_W-1:0] ref6;
            reg [REF_W-1:0] ref7;
            reg [REF_W-1:0] ref8;
            always @(posedge clk) begin
                if (live[2])
                    ref3 <= w2_key[REF_W-1:0];
                if (live[3])
                    ref4 <= ref3;
                if (live[4])
                    ref5 <= ref4;
                if (live[5])
                    ref6 <= ref5;
                if (live[6])
                    ref7 <= ref6;
                if (live[7])
                    ref8 <= ref7;
            end
            assign {w8_ref, w7_ref, w6_ref, w5_ref, w4_ref, w3_ref} = {ref8, ref7, ref6, ref5, ref4, ref3};
            wire unused_refs = &{1'b0, refs};
        end
    endgenerate
    reg  [PARTS-1:0] w3_parts1;   // the parts in which the key at w3 is the key 1 cycle before, and so on
    reg  [PARTS-1:0] w3_parts2;
    reg  [PARTS-1:0] w3_parts3;
    reg  [PARTS-1:0] w3_parts4;
    reg  [PARTS-1:0] w3_parts5;
    // the parts that a FLUSH does not compare
    wire [PARTS-1:0] w3_mask = all_but_asid(w3_flush);
    wire [PARTS-1:0] w5_mask = all_but_asid(flush[5]);
    reg  [5:1]       w4_same_key; // bit k: the key at w4 is the key of the execution k cycles before
    reg  [3:1]       w5_same_key; // bit k: the key at w5 is the key of the execution k cycles before
    always @(posedge clk) begin
        if (live[2]) begin
            w3_asid   <= w2_key[KEY_W-1:REF_W];
            w3_parts1 <= same_parts(w2_key, w3_key);
            w3_parts2 <= same_parts(w2_key, w4_key);
            w3_parts3 <= same_parts(w2_key, w5_key);
            w3_parts4 <= same_parts(w2_key, w6_key);
            w3_parts5 <= same_parts(w2_key, w7_key);
        end
        if (live[3]) begin
            w4_asid     <= w3_asid;
            w4_same_key <= {&(w3_parts5 | w3_mask) && !flush[8], &(w3_parts4 | w3_mask) && !flush[7],
                            &(w3_parts3 | w3_mask) && !flush[6], &(w3_parts2 | w3_mask) && !flush[5], &(w3_parts1 | w3_mask)};
        end
        if (live[4]) begin
            w5_asid     <= w4_asid;
            w5_same_key <= w4_same_key[3:1];
        end
        if (live[5]) begin
            w6_asid     <= w5_asid;
            w6_same_key <= w5_same_key[2:1];
        end
        if (live[6])
            w7_asid <= w6_asid;
        if (live[7])
            w8_asid <= w7_asid;
    end

    wire [WAYS*PARTS-1:0] w4_parts;   // the parts in which the key of each way, as read, is the key at w4
    reg  [WAYS*PARTS-1:0] w5_parts;   // w4_parts, a cycle later
    wire [WAYS-1:0]       w4_odd;     // the ways whose key, as read, is corrupt
    reg  [WAYS-1:0]       w5_odd;     // w4_odd, a cycle later
    reg  [WAYS-1:0]       w5_over;    // the ways whose key was replaced after the read
    reg  [WAYS-1:0]       w5_over_is; // with w5_over: the new key is the key at w5
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_key
            localparam KEPT_W = KEY_W + (PARITY != 0 ? 1 : 0);
            wire [KEPT_W-1:0] word; // word that the RAM reads
            wire [KEPT_W-1:0] kept; // word that the RAM writes
            wire [KEY_W-1:0]  q = word[KEY_W-1:0]; // key of the way, as read
            assign w4_odd[g] = PARITY != 0 && ^word;
            if (PARITY != 0) begin : g_parity
                assign kept = {^w8_key, w8_key};
            end else begin : g_bare
                assign kept = w8_key;
            end
            gmmu_ram_sdp #(
                .WIDTH(KEPT_W),
                .DEPTH(SETS)
            ) ram (
                .clk(clk),
                .we(w8_new[g]),
                .waddr(w8_set),
                .wdata(kept),
                .re(1'b1),
                .raddr(w3_set),
                .rdata(word)
            );
            reg [PARTS-1:0] parts; // the parts in which q is the key at w4; undefined without an execution, look or FLUSH
            always @*
                if (w4_valid)
                    parts = same_parts(q, w4_key);
                else
                    parts = {PARTS{1'bx}};
            assign w4_parts[g*PARTS +: PARTS] = parts;
        end
    endgenerate
    integer k;
    always @(posedge clk) begin
        if (live[4]) begin
            w5_parts <= w4_parts;
            w5_odd   <= w4_odd;
            for (k = 0; k < WAYS; k = k + 1) begin
                w5_over[k]    <= (w8_new[k] && w4_same_set[4]) || (w9_new[k] && w4_same_set[5]);
                w5_over_is[k] <= w8_new[k] && w4_same_set[4] ? w4_same_key[4] : w4_same_key[5];
            end
        end
        if (live[5])
            for (k = 0; k < WAYS; k = k + 1) begin
                w6_match[k] <= w8_new[k] && w5_same_set3 ? w5_same_key[3] :
                               w5_over[k] ? w5_over_is[k] : &(w5_parts[k*PARTS +: PARTS] | w5_mask) && !w5_odd[k];
                w6_bad[k]   <= !(w8_new[k] && w5_same_set3) && !w5_over[k] && w5_odd[k];
            end
    end

endmodule
`default_nettype wire
