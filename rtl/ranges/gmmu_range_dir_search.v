// SPDX-License-Identifier: Apache-2.0
// gmmu_range_dir_search: counts the records that end before a range starts, by binary search; one search a cycle.
//
// Record i of the sorted table is in level n if the number i ends with n ones in binary. The search goes from the top
// level down. Each level adds its bit to the place if the level's record exists and ends before the range (docs/reference/blocks/range_dir.md):
//
//   level 2:        3          range ──► [3]? ──► [1 or 5]? ──► [0, 2, 4 or 6]? ──► place: 0 … used
//   level 1:    1       5                 two stages a level: the RAM is read; compared. A RAM of more than FAST
//   level 0:  0   2   4   6              words is slow, and has a register between the two stages. EARLY: one stage
`default_nettype none
module gmmu_range_dir_search #(
    parameter RANGES = 16,
    parameter ADDR_W = 32,
    parameter ASID_W = 2,
    // words of a RAM whose output can be compared without a register
    parameter FAST   = 16,
    // 1: a search that used a corrupt end of a record is reported
    parameter PARITY = 1,
    // 1: a RAM's output is early, as in an ASIC: a level takes one cycle
    parameter EARLY  = 0,
    // derived, not to be set: bits of a place, 0 to RANGES, and of {asid, address}
    parameter PLACE_W = $clog2(RANGES + 1),
    parameter KEY_W   = ASID_W + ADDR_W
) (
    input  wire               clk,
    input  wire               flush,     // all searches under way are void
    input  wire [PLACE_W-1:0] used,      // number of records; constant while a search is under way
    // the end of a record, written to the record's level
    input  wire               we,        // the end of a record is written
    input  wire [PLACE_W-1:0] w_place,   // place of the written record
    input  wire [KEY_W-1:0]   w_last,    // end of the written record: {asid, last}
    input  wire               w_par,     // PARITY: bit that makes w_last even, or odd if w_last is to be corrupt
    // a range; its place comes 2 * PLACE_W cycles later, plus a cycle for each level of more than FAST records; with EARLY PLACE_W cycles later
    input  wire               in_valid,  // a range comes
    input  wire [KEY_W-1:0]   in_start,  // start of the range: {asid, start}
    input  wire               in_bad,    // the start of the range is corrupt: the place will be wrong
    output wire               out_valid, // a place is reported
    output wire               out_bad,   // the search used a corrupt word: the place is wrong
    output wire [PLACE_W-1:0] out_place  // number of records that end before the range
);

    wire [PLACE_W:0]               level_bad;   // a corrupt word was used, at the entry of level b: bit b + 1; bit 0: the result
    wire [PLACE_W:0]               level_valid; // a search is at the entry of level b: bit b + 1; bit 0: the result
    wire [(PLACE_W+1)*KEY_W-1:0]   level_start; // start of the range at the entry of each level
    wire [(PLACE_W+1)*PLACE_W-1:0] level_place; // place so far at the entry of each level
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
            wire [KEY_W-1:0]   start = level_start[(b+1)*KEY_W +: KEY_W]; // start of the range
            wire [PLACE_W-1:0] place = level_place[(b+1)*PLACE_W +: PLACE_W]; // place so far
            // (a place without a record of this level is read and not used)
            wire [PLACE_W:0] r_at = {1'b0, place} >> (b + 1);   // place that is read in the level's RAM
            wire [PLACE_W:0] w_at = {1'b0, w_place} >> (b + 1); // place that is written in the level's RAM
            localparam KEPT_W = KEY_W + (PARITY != 0 ? 1 : 0);
            wire [KEPT_W-1:0] word; // end of a record, as read
            wire [KEPT_W-1:0] kept; // end of a record, as written
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
            reg               a_valid; // a search is at the RAM's output
            reg               a_bad;   // a corrupt word was used
            reg [KEY_W-1:0]   a_start; // start of the range
            reg [PLACE_W-1:0] a_place; // place so far
            always @(posedge clk) begin
                a_valid <= level_valid[b+1] && !flush;
                a_bad   <= level_bad[b+1];
                a_start <= start;
                a_place <= place;
            end
            // the inputs of the comparison
            wire [KEPT_W-1:0]  got;                   // end of a record, for the comparison
            wire [KEY_W-1:0]   last = got[KEY_W-1:0]; // end of a record, without the parity bit
            wire [KEY_W-1:0]   b_start;               // start of the range
            wire [PLACE_W-1:0] b_place;               // place so far
            wire               b_valid;               // a search is compared
            wire               b_bad;                 // a corrupt word was used
            if (DEPTH > FAST && EARLY == 0) begin : g_slow
                reg [KEPT_W-1:0]  word_r;  // end of a record, registered
                reg [KEY_W-1:0]   start_r; // start of the range
                reg [PLACE_W-1:0] place_r; // place so far
                reg               valid_r; // a search is at the register
                reg               bad_r;   // a corrupt word was used
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
            wire b_used; // the record exists
            assign b_used = (b_place | ONES[PLACE_W-1:0]) < used;
            if (EARLY != 0) begin : g_early
                wire behind; // the bit that this level adds to the place
                assign behind = b_used && last < b_start;
                assign level_valid[b]                    = b_valid;
                assign level_bad[b]                      = PARITY != 0 && (b_bad || (b_used && ^got));
                assign level_start[b*KEY_W +: KEY_W]     = b_start;
                assign level_place[b*PLACE_W +: PLACE_W] = b_place | {{PLACE_W-1{1'b0}}, behind} << b;
            end else begin : g_late
                // the comparison, in two halves; the next level combines the halves
                localparam HALF = KEY_W / 2;
                reg                d_valid;   // a search was compared
                reg                d_used;    // the record exists
                reg                d_odd;     // the end of the record is corrupt
                reg                d_bad;     // a corrupt word was used
                reg                high_less; // the upper half of the end is less
                reg                high_same; // the upper halves are equal
                reg                low_less;  // the lower half of the end is less
                reg  [KEY_W-1:0]   d_start;   // start of the range
                reg  [PLACE_W-1:0] d_place;   // place so far
                wire [PLACE_W-1:0] behind = {{PLACE_W-1{1'b0}}, d_used && (high_less || (high_same && low_less))} << b; // what the level adds to the place
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
                    d_used    <= b_used;
                    high_less <= last[KEY_W-1:HALF] < b_start[KEY_W-1:HALF];
                    high_same <= last[KEY_W-1:HALF] == b_start[KEY_W-1:HALF];
                    low_less  <= last[HALF-1:0] < b_start[HALF-1:0];
                end
            end
        end
    endgenerate

endmodule
`default_nettype wire
