// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_search: how many records end before a range starts, by binary search; one a cycle (docs/blocks/range_dir.md).
//
// Record i of the sorted table stands in the level of as many bits as i has ones at its end. The search goes from the
// top level down, and each adds its bit to the place if the record that it asks for is used and ends before the range:
//
//   level 2:        3          range ──► [3]? ──► [1 or 5]? ──► [0, 2, 4 or 6]? ──► place: 0 … used
//   level 1:    1       5                 two stages a level: the RAM is read; compared. Between them a register
//   level 0:  0   2   4   6              for the word of a RAM of more than FAST words, which comes late
`default_nettype none
module gmmu_range_dir_search #(
    parameter RANGES = 16,
    parameter ADDR_W = 32,
    parameter ASID_W = 2,
    // words of a RAM whose word can be compared as it comes
    parameter FAST   = 16,
    // 1: a search that used a record's end that turned bad is told
    parameter PARITY = 1,
    // derived, not to be set: of a place, 0 to RANGES; of {asid, address}
    parameter PLACE_W = $clog2(RANGES + 1),
    parameter KEY_W   = ASID_W + ADDR_W
) (
    input  wire               clk,
    input  wire               flush,   // what is under way is void
    input  wire [PLACE_W-1:0] used,    // records; stands still while a search is under way
    // a record's end, written to its level
    input  wire               we,
    input  wire [PLACE_W-1:0] w_place,
    input  wire [KEY_W-1:0]   w_last,  // {asid, last}
    input  wire               w_par,   // PARITY: what makes it even, or, if it is to be bad, odd
    // a range; 2 * PLACE_W cycles later, and one for each level of more than FAST records, its place
    input  wire               in_valid,
    input  wire [KEY_W-1:0]   in_start, // {asid, start}
    input  wire               in_bad,  // the place will be wrong
    output wire               out_valid,
    output wire               out_bad,
    output wire [PLACE_W-1:0] out_place
);

    wire [PLACE_W:0]           level_bad;
    wire [PLACE_W:0]           level_valid;            // at the entry of level b: bit b + 1; bit 0: done
    wire [(PLACE_W+1)*KEY_W-1:0]   level_start;
    wire [(PLACE_W+1)*PLACE_W-1:0] level_place;
    assign level_valid[PLACE_W]                      = in_valid;
    assign level_start[PLACE_W*KEY_W +: KEY_W]       = in_start;
    assign level_place[PLACE_W*PLACE_W +: PLACE_W]   = {PLACE_W{1'b0}};
    assign out_valid = level_valid[0];
    assign level_bad[PLACE_W] = in_bad;
    assign out_bad   = level_bad[0];
    assign out_place = level_place[0 +: PLACE_W];
    wire unused_start = &{1'b0, level_start[0 +: KEY_W]};

    genvar b;
    generate
        for (b = PLACE_W - 1; b >= 0; b = b - 1) begin : g_level
            localparam DEPTH = (RANGES + (1 << b)) >> (b + 1);
            localparam A     = DEPTH > 1 ? $clog2(DEPTH) : 1;
            localparam [PLACE_W:0] ONES = (1 << b) - 1;
            localparam [PLACE_W:0] MASK = (2 << b) - 1;
            wire [KEY_W-1:0]   start = level_start[(b+1)*KEY_W +: KEY_W];
            wire [PLACE_W-1:0] place = level_place[(b+1)*PLACE_W +: PLACE_W];
            // of a place that has no record of this level nothing is used
            wire [PLACE_W:0]   r_at  = {1'b0, place} >> (b + 1);
            wire [PLACE_W:0]   w_at  = {1'b0, w_place} >> (b + 1);
            localparam KEPT_W = KEY_W + (PARITY != 0 ? 1 : 0);
            wire [KEPT_W-1:0]  word, kept;
            wire unused_at = &{1'b0, r_at, w_at};
            if (PARITY != 0) begin : g_parity
                assign kept = {w_par, w_last};
            end else begin : g_bare
                wire unused_par = &{1'b0, w_par};
                assign kept = w_last;
            end
            gmmu_ram_sdp #(
                .WIDTH(KEPT_W),
                .DEPTH(DEPTH)
            ) ram (
                .clk(clk),
                .we(we && ({1'b0, w_place} & MASK) == ONES),
                .waddr(w_at[A-1:0]),
                .wdata(kept),
                .re(1'b1),
                .raddr(r_at[A-1:0]),
                .rdata(word)
            );
            reg                a_valid, a_bad;
            reg  [KEY_W-1:0]   a_start;
            reg  [PLACE_W-1:0] a_place;
            always @(posedge clk) begin
                a_valid <= level_valid[b+1] && !flush;
                a_bad   <= level_bad[b+1];
                a_start <= start;
                a_place <= place;
            end
            // what is compared
            wire [KEPT_W-1:0]  got;
            wire [KEY_W-1:0]   last = got[KEY_W-1:0];
            wire [KEY_W-1:0]   b_start;
            wire [PLACE_W-1:0] b_place;
            wire               b_valid, b_bad;
            if (DEPTH > FAST) begin : g_slow
                reg [KEPT_W-1:0]  word_r;
                reg [KEY_W-1:0]   start_r;
                reg [PLACE_W-1:0] place_r;
                reg               valid_r, bad_r;
                always @(posedge clk) begin
                    bad_r   <= a_bad;
                    valid_r <= a_valid && !flush;
                    word_r  <= word;
                    start_r <= a_start;
                    place_r <= a_place;
                end
                assign {b_valid, b_bad, got, b_start, b_place} = {valid_r, bad_r, word_r, start_r, place_r};
            end else begin : g_fast
                assign {b_valid, b_bad, got, b_start, b_place} = {a_valid, a_bad, word, a_start, a_place};
            end
            // the comparison in two halves, which the next level puts together
            localparam HALF = KEY_W / 2;
            reg                d_valid, d_used, d_odd, d_bad, high_less, high_same, low_less;
            reg  [KEY_W-1:0]   d_start;
            reg  [PLACE_W-1:0] d_place;
            wire [PLACE_W-1:0] behind = {{PLACE_W-1{1'b0}}, d_used && (high_less || (high_same && low_less))} << b;
            assign level_valid[b]                    = d_valid;
            assign level_bad[b]                      = PARITY != 0 && (d_bad || (d_used && d_odd));
            assign level_start[b*KEY_W +: KEY_W]     = d_start;
            assign level_place[b*PLACE_W +: PLACE_W] = d_place | behind;
            always @(posedge clk) begin
                d_valid <= b_valid && !flush;
                d_bad   <= b_bad;
                d_odd   <= ^got;
                d_start <= b_start;
                d_place <= b_place;
                d_used    <= (b_place | ONES[PLACE_W-1:0]) < used;
                high_less <= last[KEY_W-1:HALF] < b_start[KEY_W-1:HALF];
                high_same <= last[KEY_W-1:HALF] == b_start[KEY_W-1:HALF];
                low_less  <= last[HALF-1:0] < b_start[HALF-1:0];
            end
        end
    endgenerate

endmodule
`default_nettype wire
