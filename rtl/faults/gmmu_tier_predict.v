// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_predict: predicts the tier of a page that leaves Tier 1 from the tiers that were right before (docs/reference/blocks/tier_predict.md).
//
//   op ─► p0: hash ─► p1: waits for a write ─► p2, p3: tags ─► p4: way ─► p5 to p7: entry ─► p8: distance, weights
//                                              ▲                                                after the last tier │
//                                              └──────────── p10: entry, answer ◄─ p9: right tier, predicted tier ◄┘
//
// One LOOK is taken a cycle. All operations wait while an operation that may write is under way.
// A flush of an address space clears all entries: a tag is a hash, which does not name one address space. Until the entries are
// cleared, no page has an entry and no page gets an entry.
// PARITY: a way with a corrupt tag is free. The history in a corrupt entry is unknown until the entry's page leaves again.
// Source: GMT (Chang et al., ASPLOS '24) 2.1.3, Fig. 5, 2.2.
`default_nettype none
module gmmu_tier_predict #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    parameter TP_SETS  = 4096,
    parameter TP_WAYS  = 4,
    // bits of a tag: bits of the page's hash, above those of the set
    parameter TP_TAG_W = 19,
    // bits of a weight
    parameter TP_CNT_W = 4,
    // number of pages that left last, from which the share of Tier 3 is known; at most 64
    parameter TP_WINDOW = 64,
    // 1: corrupt words in RAM are reported
    parameter PARITY   = 1,
    // derived, not to be set
    parameter INDEX_W  = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,            // the reset sequence is under way; no operation comes meanwhile
    output wire               cleared,          // no page has an entry
    input  wire               flushes,          // toggles with each flush that begins
    output reg                forgetting,       // the entries are cleared after a flush
    // registers, as they are in the cycle before an operation is taken
    input  wire [2:0]         cfg_tier,         // policy, PLACE_*
    input  wire               cfg_tier_default, // tier of a page without history: 0 Tier 2, 1 by chance
    input  wire               cfg_tier_model,   // cfg_tier_near and cfg_tier_far are valid
    input  wire [TIME_W-1:0]  cfg_tier_near,    // distance in walks below which Tier 1 was right
    input  wire [TIME_W-1:0]  cfg_tier_far,     // distance in walks below which Tier 2 was right, if Tier 1 was not
    // operations
    input  wire               op_valid,         // an operation is offered
    output wire               op_ready,         // the operation is taken
    input  wire [2:0]         op_kind,          // kind of the operation, TP_*
    input  wire [ASID_W-1:0]  op_asid,          // address space of the operation's page
    input  wire [VPN_W-1:0]   op_vpn,           // virtual page number of the operation's page
    input  wire [TIME_W-1:0]  op_time,          // RETURN, LEAVE, AGE: present time
    input  wire [INDEX_W-1:0] op_index,         // AGE: the entry, {way, set}
    // answers, in order, eleven cycles after the operation is taken, if it does not wait
    output reg                r_valid,          // an operation is answered
    output reg  [2:0]         r_kind,           // kind of the answered operation, TP_*
    output reg                r_found,          // the page has an entry (not AGE)
    output reg  [1:0]         r_pred,           // predicted tier; 0: no history, or no model (not AGE)
    output reg  [1:0]         r_right,          // RETURN: the tier that was right; 0: not learnt
    output reg  [1:0]         r_tier,           // LEAVE: tier of the page, 2 or 3
    output reg                r_forced,         // LEAVE: the page is predicted for Tier 3, and goes to Tier 2 all the same
    output reg                r_clamped,        // AGE clamps: the last departure moves to an age of 2^(TIME_W-2)
    output reg                r_lost,           // PARITY: the page's entry was corrupt
    output reg                turned,           // PARITY: toggles with each operation that met a corrupt word
    output wire               idle,             // no operation is under way
    output wire               forgets           // a flush is pending, or the entries are cleared
);

`include "gmmu_codes.vh"
    localparam S_W   = $clog2(TP_SETS);       // 0: one set
    localparam SET_W = S_W > 0 ? S_W : 1;
    localparam W_W   = $clog2(TP_WAYS);       // 0: one way
    localparam WAY_W = W_W > 0 ? W_W : 1;
    localparam HASH_W = S_W + TP_TAG_W;
    localparam ROW_W  = 3 * TP_CNT_W;         // bits of the weights after one tier
    localparam DATA_W = 1 + TIME_W + 2 + 3 * ROW_W; // {away, left, last, weights after 3, 2, 1}
    localparam [6:0]  MOST = TP_WINDOW * 4 / 5; // 80 % of the window
    localparam [TP_CNT_W-1:0] ONE = 1;
    localparam [31:0] POLY = 32'h8020_0003;
    generate
        if (TP_SETS != 1 << S_W || TP_WAYS != 1 << W_W || WAY_W > 16) begin : g_bad_sizes
            TP_SETS_and_TP_WAYS_must_be_powers_of_two_and_TP_WAYS_at_most_65536 stop_here();
        end
        if (HASH_W > 32 || TP_TAG_W < 1) begin : g_bad_tag
            TP_TAG_W_must_be_at_least_1_and_with_log2_of_TP_SETS_at_most_32 stop_here();
        end
        if (TP_CNT_W < 1 || TP_CNT_W > 8) begin : g_bad_weight
            TP_CNT_W_must_be_1_to_8 stop_here();
        end
        if (TP_WINDOW < 2 || TP_WINDOW > 64 || TIME_W < 4) begin : g_bad_window
            TP_WINDOW_must_be_2_to_64_and_TIME_W_at_least_4 stop_here();
        end
    endgenerate

    reg [SET_W:0] clear_at;
    assign cleared = clear_at[S_W]; // TP_SETS
    wire clearing  = (clear || forgetting) && !cleared;
    reg  flushed;                             // `flushes` of the cycle before
    reg  owed;                                // a flush is pending: it waits until no operation is under way
    wire start     = owed && idle;
    assign forgets = owed || forgetting;
    always @(posedge clk) begin
        clear_at   <= rst || start ? {SET_W+1{1'b0}} : clear_at + {{SET_W{1'b0}}, clearing};
        flushed    <= !rst && flushes;
        owed       <= !rst && !start && ((flushes != flushed && !forgetting) || owed); // a flush that is pending or under way serves this flush too
        forgetting <= !rst && (start || (forgetting && !cleared));
    end

    // ---- the registers: a new value is taken when no operation is under way
    localparam CFG_W = 3 + 1 + 1 + 2 * TIME_W;
    wire [CFG_W-1:0]  cfg = {cfg_tier, cfg_tier_default, cfg_tier_model, cfg_tier_near, cfg_tier_far};
    reg  [CFG_W-1:0]  held; // the registers' values in use
    wire [2:0]        policy;
    wire              by_chance, model;
    wire [TIME_W-1:0] near, far;
    assign {policy, by_chance, model, near, far} = held;
    reg [10:0] valid; // bit i: an operation is at p<i>
    reg same;         // the registers had the values in use
    assign idle = valid == 0;

    // ---- p0: the operation, and the hash of its page
    reg  [2:0]         p0_op;
    reg  [ASID_W-1:0]  p0_asid;
    reg  [VPN_W-1:0]   p0_vpn;
    reg  [INDEX_W-1:0] p0_index;
    reg  [TIME_W-1:0]  p0_time;
    reg                p0_blind;
    wire [HASH_W-1:0]  hash;
    gmmu_crc32c #(
        .WIDTH(ASID_W + VPN_W),
        .BITS(HASH_W)
    ) page_hash (
        .valid(valid[0]),
        .data({p0_asid, p0_vpn}),
        .hash(hash)
    );
    wire [31:0] p0_set = p0_op == TP_AGE ? {{32 - INDEX_W{1'b0}}, p0_index} : {{32 - HASH_W{1'b0}}, hash};
    wire [31:0] p0_way = {{32 - INDEX_W{1'b0}}, p0_index} >> S_W;
    wire unused_op = &{1'b0, p0_set[31:SET_W], p0_way[31:WAY_W]};
    wire wait1; // the operation at p1 waits
    wire go   = valid[1] && !wait1;
    wire move = valid[0] && (!valid[1] || go);
    // (at most one of two operations that wait may write)
    assign op_ready = same && !clear && !owed && (valid[0] ? move && p0_op == TP_LOOK : !valid[1] || go);
    wire take = op_valid && op_ready;

    // ---- p1: the tags are read unless the set is about to change
    always @(posedge clk) begin
        same <= !rst && cfg == held;
        if (idle && !same) // so no operation is taken in this cycle
            held <= cfg;
    end
    reg [2:0]          p1_op, p2_op, p3_op, p4_op, p5_op, p6_op, p7_op, p8_op, p9_op;
    reg [SET_W-1:0]    p1_set, p2_set, p3_set, p4_set;
    reg [WAY_W-1:0]    p1_way, p2_way, p3_way, p4_age, p5_way, p6_way, p7_way, p8_way, p9_way, p10_way;
    reg [TP_TAG_W-1:0] p1_tag, p2_tag, p3_tag;
    reg [TIME_W-1:0]   p1_time;
    // the writer: the operation under way that may write; no operation follows the writer behind p1
    reg                p1_writes; // the operation at p1 may write
    reg                writer;    // a writer is under way
    reg [7:0]          since;     // stage of the writer, one-hot
    reg [SET_W-1:0]    its_set;   // set of the writer
    reg [TP_TAG_W-1:0] its_tag;   // tag of the writer
    reg [TIME_W-1:0]   its_time;  // time of the writer
    reg [9:1]          blind;     // per stage: the operation came while the entries were cleared
    assign wait1 = writer;
    always @(posedge clk) begin
        valid[0] <= (take || (valid[0] && !move)) && !rst;
        valid[1] <= (move || (valid[1] && wait1)) && !rst;
        if (take) begin
            {p0_op, p0_asid, p0_vpn, p0_index, p0_time} <= {op_kind, op_asid, op_vpn, op_index, op_time};
            p0_blind <= forgetting;
        end
        if (move) begin
            p1_op   <= p0_op;
            p1_writes <= p0_op != TP_LOOK;
            p1_set  <= S_W > 0 ? p0_set[SET_W-1:0] : {SET_W{1'b0}};
            p1_tag  <= hash[S_W +: TP_TAG_W];
            p1_way  <= W_W > 0 ? p0_way[WAY_W-1:0] : {WAY_W{1'b0}};
            p1_time <= p0_time;
            blind[1] <= p0_blind;
        end
        blind[9:2] <= blind[8:1];
        valid[10:2] <= rst ? 9'd0 : {valid[9:2], go};
        since  <= rst ? 8'd0 : {since[6:0], go && p1_writes};
        writer <= !rst && ((go && p1_writes) || (writer && since != 0));
        if (go && p1_writes)
            {its_set, its_tag, its_time} <= {p1_set, p1_tag, p1_time};
        {p2_op, p2_set, p2_tag, p2_way} <= {p1_op, p1_set, p1_tag, p1_way};
        {p3_op, p3_set, p3_tag, p3_way} <= {p2_op, p2_set, p2_tag, p2_way};
    end

    // a register behind a RAM moves in front of the RAM if outputs are early, as in an ASIC; an operation that may write is the last
    // under way, so that the word is the same
`ifdef GMMU_ASIC_RAM
    localparam EARLY = 1;
`else
    localparam EARLY = 0;
`endif

    // ---- p2: the tags of the set are read; p3: the tags are compared
    wire [TP_WAYS-1:0] p3_valid; // per way: the way has a tag
    wire [TP_WAYS-1:0] p3_same;  // per way: the tag is the page's
    reg  [TP_WAYS-1:0] p4_valid, p4_hit;      // p3_valid and p3_same of the operation at p4
    localparam PAR = PARITY != 0 ? 1 : 0;     // parity bits of a word in RAM: word and parity together are even
    wire [TP_WAYS-1:0] p3_odd;   // per way: the tag is corrupt
    reg                p4_odd, p5_odd, p6_odd, p7_odd, p8_odd; // a tag of the set was corrupt
    reg                p10_tag_we;            // the tag is written
    genvar g;
    generate
        for (g = 0; g < TP_WAYS; g = g + 1) begin : g_way
            wire [TP_TAG_W+PAR:0] tag, kept, p3_is;
            wire mine = p10_way == g;
            if (PARITY != 0) begin : g_tag_parity
                assign kept = clearing ? {TP_TAG_W+2{1'b0}} : {!(^its_tag), 1'b1, its_tag};
                assign p3_odd[g] = ^p3_is;
            end else begin : g_tag_bare
                assign kept = {!clearing, its_tag};
                assign p3_odd[g] = 1'b0;
            end
            gmmu_ram_sdp #(
                .WIDTH(1 + TP_TAG_W + PAR),
                .DEPTH(TP_SETS),
                .ADDR_W(SET_W)
            ) tag_ram (
                .clk(clk),
                .we(clearing || (p10_tag_we && mine)),
                .waddr(clearing ? clear_at[SET_W-1:0] : its_set),
                .wdata(kept),
                .re(EARLY != 0 ? valid[2] : go),
                .raddr(EARLY != 0 ? p2_set : p1_set),
                .rdata(tag)
            );
            if (EARLY != 0) begin : g_early
                assign p3_is = tag;
            end else begin : g_late
                reg [TP_TAG_W+PAR:0] was_tag;
                always @(posedge clk)
                    was_tag <= tag;
                assign p3_is = was_tag;
            end
            assign p3_valid[g] = p3_is[TP_TAG_W] && !p3_odd[g] && !blind[3];
            assign p3_same[g]  = p3_valid[g] && p3_is[TP_TAG_W-1:0] == p3_tag;
        end
    endgenerate

    // chance: a step with each page that leaves
    reg [31:0]      lfsr;
    reg             p4_chance, p5_chance, p6_chance, p7_chance, p8_chance, p9_chance;
    reg [WAY_W-1:0] p4_any;
    always @(posedge clk) begin
        if (rst)
            lfsr <= 32'd1;
        else if (valid[3] && p3_op == TP_LEAVE)
            lfsr <= {1'b0, lfsr[31:1]} ^ (lfsr[0] ? POLY : 32'd0);
        {p4_chance, p4_any} <= {lfsr[0], lfsr[8 +: WAY_W]};
        {p4_hit, p4_valid}  <= {p3_same, p3_valid};
        {p4_odd, p5_odd, p6_odd, p7_odd, p8_odd} <= {p3_odd != 0 && !blind[3], p4_odd, p5_odd, p6_odd, p7_odd};
        {p4_op, p4_set, p4_age} <= {p3_op, p3_set, p3_way};
    end

    // ---- p4: the way: the page's own way, else a free way, else a random way; or AGE's way
    reg [WAY_W-1:0] hit_way, free_way;
    integer w;
    always @* begin
        hit_way  = 0;
        free_way = 0;
        for (w = TP_WAYS - 1; w >= 0; w = w - 1) begin
            if (p4_hit[w])
                hit_way = hit_way | w[WAY_W-1:0];
            if (!p4_valid[w])
                free_way = w[WAY_W-1:0];
        end
    end
    wire               p4_found  = p4_op != TP_AGE && p4_hit != 0;
    wire [TP_WAYS-1:0] p4_aged   = p4_valid >> p4_age;
    wire               p4_exists = p4_op == TP_AGE ? p4_aged[0] : p4_hit != 0;
    wire [WAY_W-1:0]   p4_new    = &p4_valid ? (W_W > 0 ? p4_any : {WAY_W{1'b0}}) : free_way;
    wire [WAY_W-1:0]   p4_way    = p4_op == TP_AGE ? p4_age : p4_hit != 0 ? hit_way : p4_new;
    wire [31:0]        p4_index  = {{32 - WAY_W{1'b0}}, p4_way} << S_W | {{32 - SET_W{1'b0}}, p4_set};
    wire [31:0]        p10_index = {{32 - WAY_W{1'b0}}, p10_way} << S_W | {{32 - SET_W{1'b0}}, its_set};
    wire unused_way = &{1'b0, p4_aged, p4_index[31:INDEX_W], p10_index[31:INDEX_W]};
    reg  [DATA_W-1:0]     p10_data; // the entry that is written
    reg  [INDEX_W-1:0]    p5_index; // the entry that is read; a register of its own, as the RAMs are many and far away
    wire [DATA_W+PAR-1:0] read;     // the entry as read, with parity
    wire [DATA_W+PAR-1:0] p10_kept; // p10_data with parity
    wire [DATA_W+PAR-1:0] p7_data;  // the entry at p7, with parity
    wire                  reads;    // the entry is read
    wire [INDEX_W-1:0]    read_at;  // number of the entry that is read
    reg                   p10_we;   // the entry is written
    generate
        if (PARITY != 0) begin : g_parity
            assign p10_kept = {^p10_data, p10_data};
        end else begin : g_bare
            assign p10_kept = p10_data;
        end
    endgenerate
    gmmu_ram_rows #(
        .WIDTH(DATA_W + PAR),
        .BINS(TP_SETS * TP_WAYS),
        .ADDR_W(INDEX_W)
    ) entries (
        .clk(clk),
        .we(p10_we),
        .waddr(p10_index[INDEX_W-1:0]),
        .wdata(p10_kept),
        .re(reads),
        .raddr(read_at),
        .rdata(read)
    );
    generate
        if (EARLY != 0) begin : g_entry_early
            reg [INDEX_W-1:0] p6_index;
            always @(posedge clk)
                p6_index <= p5_index;
            assign {reads, read_at, p7_data} = {valid[6], p6_index, read};
        end else begin : g_entry_late
            reg [DATA_W+PAR-1:0] was_read;
            always @(posedge clk)
                was_read <= read;
            assign {reads, read_at, p7_data} = {valid[5], p5_index, was_read};
        end
    endgenerate

    // ---- p5 to p7: the entry; a page without an entry has no history. p8: the distance, and the weights after the last tier
    reg                p5_found, p5_exists, p6_found, p6_exists, p7_found, p7_exists, p8_found, p8_exists, p9_found, p8_away, p9_away;
    reg  [TIME_W-1:0]  p8_distance;
    reg  [1:0]         p8_last, p9_last, p9_right, p9_pred;
    reg                p9_history;       // the page has a history: its weights are not 0
    reg  [ROW_W-1:0]   p8_row, p9_row;
    reg                p9_old;           // the last departure is old
    reg                p8_lost, p9_lost; // the entry was corrupt
    wire               p7_away;          // the page is away from Tier 1
    wire [TIME_W-1:0]  p7_left;          // time of the last departure
    wire [1:0]         p7_last;          // tier that was right last
    wire [3*ROW_W-1:0] p7_weights;       // weights after tiers 3, 2, 1
    assign {p7_away, p7_left, p7_last, p7_weights} = p7_data[DATA_W-1:0];
    always @(posedge clk) begin
        {p5_op, p5_way, p5_chance} <= {p4_op, p4_way, p4_chance};
        {p5_found, p5_exists, p5_index} <= {p4_found, p4_exists, p4_index[INDEX_W-1:0]};
        {p6_op, p6_way, p6_chance} <= {p5_op, p5_way, p5_chance};
        {p6_found, p6_exists} <= {p5_found, p5_exists};
        {p7_op, p7_way, p7_chance} <= {p6_op, p6_way, p6_chance};
        {p7_found, p7_exists} <= {p6_found, p6_exists};
        {p8_op, p8_way, p8_chance, p8_found, p8_exists} <= {p7_op, p7_way, p7_chance, p7_found, p7_exists};
        p8_lost     <= PARITY != 0 && p7_exists && ^p7_data;
        p8_away     <= p7_exists && p7_away;
        p8_distance <= its_time - p7_left; // (used of a writer alone)
        p8_last     <= p7_exists ? p7_last : 2'd0;
        p8_row      <= p7_last == 2'd1 ? p7_weights[0 +: ROW_W] : p7_last == 2'd2 ? p7_weights[ROW_W +: ROW_W] :
                       p7_weights[2*ROW_W +: ROW_W];
    end

    // ---- p9: the tier that was right, and the predicted tier: the heaviest. Among equal tiers the last tier wins, else the lower tier.
    wire [TP_CNT_W-1:0] w1 = p8_row[0 +: TP_CNT_W], w2 = p8_row[TP_CNT_W +: TP_CNT_W], w3 = p8_row[2*TP_CNT_W +: TP_CNT_W];
    wire g12 = w1 > w2, g21 = w2 > w1, g13 = w1 > w3, g31 = w3 > w1, g23 = w2 > w3, g32 = w3 > w2;
    wire [1:0] heaviest = p8_last == 2'd1 ? (!g21 && !g31 ? 2'd1 : !g32 ? 2'd2 : 2'd3) :
                          p8_last == 2'd2 ? (!g12 && !g32 ? 2'd2 : !g31 ? 2'd1 : 2'd3) :
                                            (!g13 && !g23 ? 2'd3 : !g21 ? 2'd1 : 2'd2);
    always @(posedge clk) begin
        {p9_op, p9_way, p9_chance, p9_found, p9_row, p9_lost} <= {p8_op, p8_way, p8_chance, p8_found, p8_row, p8_lost};
        {p9_away, p9_last, p9_history} <= p8_lost ? 4'd0 : {p8_away, p8_last, p8_exists};
        turned   <= !rst && turned != (valid[8] && (p8_lost || p8_odd));
        p9_right <= p8_distance < near ? 2'd1 : p8_distance < far ? 2'd2 : 2'd3;
        p9_old   <= p8_distance[TIME_W-1:TIME_W-2] != 0;
        p9_pred  <= model && p8_last != 0 && !p8_lost && p8_op != TP_AGE ? heaviest : 2'd0;
    end

    // ---- p10: the new entry, and the answer
    wire p9_learns = p9_op == TP_RETURN && p9_away && model;
    wire p9_leaves = p9_op == TP_LEAVE;
    wire p9_clamps = p9_op == TP_AGE && p9_away && p9_old;
    // (the entry of a writer stays at the RAM's output, and in p7_data, as no operation follows)
    wire [3*ROW_W-1:0] p9_weights = p9_history ? p7_weights : {3*ROW_W{1'b0}};
    reg [ROW_W-1:0] row;
    reg             full;
    wire [31:0]     right = {30'd0, p9_right};
    integer t;
    always @* begin
        row  = p9_row;
        full = 1'b0;
        for (t = 0; t < 3; t = t + 1)
            full = full || (right == t[31:0] + 32'd1 && &p9_row[t*TP_CNT_W +: TP_CNT_W]);
        for (t = 0; t < 3; t = t + 1)
            row[t*TP_CNT_W +: TP_CNT_W] = (full ? p9_row[t*TP_CNT_W +: TP_CNT_W] >> 1 : p9_row[t*TP_CNT_W +: TP_CNT_W]) +
                                          (right == t[31:0] + 32'd1 ? ONE : {TP_CNT_W{1'b0}});
    end
    reg  [TP_WINDOW-1:0] window; // per page of the last ones that left: predicted for Tier 3; bit 0 is the newest
    reg  [6:0]  in_window;       // number of ones in the window
    wire        many = in_window > MOST;
    wire        far3 = p9_pred == 2'd3;
    wire [1:0]  chance = p9_chance ? 2'd2 : 2'd3;
    wire [1:0]  reused = p9_pred == 2'd0 ? (by_chance ? chance : 2'd2) : far3 && !many ? 2'd3 : 2'd2;
    always @(posedge clk) begin
        p10_way    <= p9_way;
        p10_tag_we <= valid[9] && p9_leaves && !p9_found && !blind[9] && !rst;
        p10_we     <= valid[9] && !rst && (p9_leaves || p9_clamps || (p9_away && (p9_op == TP_RETURN || p9_op == TP_STAY)));
        // (the time of departure of a page in Tier 1 is never used)
        p10_data   <= {p9_leaves || p9_clamps, its_time[TIME_W-1:TIME_W-2] - {1'b0, p9_clamps}, its_time[TIME_W-3:0],
                      p9_learns ? p9_right : p9_last,
                      p9_learns && p9_last == 2'd3 ? row : p9_weights[2*ROW_W +: ROW_W],
                      p9_learns && p9_last == 2'd2 ? row : p9_weights[ROW_W +: ROW_W],
                      p9_learns && p9_last == 2'd1 ? row : p9_weights[0 +: ROW_W]};
        if (rst) begin
            window    <= {TP_WINDOW{1'b0}};
            in_window <= 7'd0;
        end else if (valid[9] && p9_leaves) begin
            window    <= {window[TP_WINDOW-2:0], far3};
            in_window <= in_window + {6'd0, far3} - {6'd0, window[TP_WINDOW-1]};
        end
        r_valid   <= valid[9] && !rst;
        r_kind    <= p9_op;
        r_found   <= p9_found;
        r_pred    <= p9_pred;
        r_right   <= p9_learns ? p9_right : 2'd0;
        r_tier    <= policy == PLACE_RANDOM ? chance : policy == PLACE_REUSE ? reused : 2'd2;
        r_forced  <= p9_leaves && policy == PLACE_REUSE && far3 && many;
        r_clamped <= p9_clamps;
        r_lost    <= p9_lost;
    end

endmodule
`default_nettype wire
