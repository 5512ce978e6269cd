// SPDX-License-Identifier: Apache-2.0
// tier_predict: to which tier a page goes that leaves Tier 1, foretold from where it should have gone before (docs/blocks/tier_predict.md).
//
//   op ─► p1: hash; waits for a write ─► p2: tags ─► p3: which way ─► p4: its entry ─► p5: distance, weights after the last tier
//                             ▲                                                                            │
//                             └────────────────────────── p7: entry, answer ◄─ p6: right tier, foretold one ◄─┘
//
// A LOOK a cycle; all wait while an operation is under way that may write.
// Source: GMT (Chang et al., ASPLOS '24) 2.1.3, Fig. 5, 2.2.
`default_nettype none
module tier_predict #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    parameter TP_SETS  = 4096,
    parameter TP_WAYS  = 4,
    // bits of the page's hash, above those of its set, that stand for it
    parameter TP_TAG_W = 19,
    // bits of a weight
    parameter TP_CNT_W = 4,
    // pages that left of late, at most 64
    parameter TP_WINDOW = 64,
    // derived, not to be set
    parameter INDEX_W  = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,          // after reset: no page has an entry; nothing is asked meanwhile
    output wire               cleared,
    // registers: an operation is by what they are in the cycle before it is taken
    input  wire [2:0]         cfg_tier,         // PLACE_...
    input  wire               cfg_tier_default, // no history: 0 Tier 2, 1 by chance
    input  wire               cfg_tier_model,   // the next two hold
    input  wire [TIME_W-1:0]  cfg_tier_near,    // walks away, below it: Tier 1
    input  wire [TIME_W-1:0]  cfg_tier_far,     // else, below it: Tier 2
    // operations
    input  wire               op_valid,
    output wire               op_ready,
    input  wire [2:0]         op_kind,        // TP_...
    input  wire [ASID_W-1:0]  op_asid,
    input  wire [VPN_W-1:0]   op_vpn,
    input  wire [TIME_W-1:0]  op_time,        // RETURN, LEAVE, AGE: now
    input  wire [INDEX_W-1:0] op_index,       // AGE: the entry, {way, set}
    // answers, in order, seven cycles after an operation that did not wait
    output reg                r_valid,
    output reg  [2:0]         r_kind,         // which operation
    output reg                r_found,        // the page has an entry (not AGE)
    output reg  [1:0]         r_pred,         // the tier foretold; 0: no history, or no model (not AGE)
    output reg  [1:0]         r_right,        // RETURN: the tier that was right; 0: not learnt
    output reg  [1:0]         r_tier,         // LEAVE: where it goes, 2 or 3
    output reg                r_forced,       // LEAVE: foretold for Tier 3, and goes to Tier 2 all the same
    output reg                r_clamped,      // AGE: made younger
    output wire               idle            // nothing is under way
);

`include "gmmu_codes.vh"
    localparam S_W   = $clog2(TP_SETS);       // 0: one set
    localparam SET_W = S_W > 0 ? S_W : 1;
    localparam W_W   = $clog2(TP_WAYS);       // 0: one way
    localparam WAY_W = W_W > 0 ? W_W : 1;
    localparam HASH_W = S_W + TP_TAG_W;
    localparam ROW_W  = 3 * TP_CNT_W;         // weights after one tier
    localparam DATA_W = 1 + TIME_W + 2 + 3 * ROW_W; // {away, left, last, weights after 3, 2, 1}
    localparam [6:0]  MOST = TP_WINDOW * 4 / 5; // 80 % of the window
    localparam [TP_CNT_W-1:0] ONE = 1;
    localparam [31:0] POLY = 32'h8020_0003;
    generate
        if (TP_SETS != 1 << S_W || TP_WAYS != 1 << W_W || HASH_W > 32 || TP_TAG_W < 1 || TP_CNT_W < 1 || TP_CNT_W > 8 ||
            TP_WINDOW < 2 || TP_WINDOW > 64 || TIME_W < 4 || WAY_W > 16) begin : g_bad_sizes
            TP_SETS_and_TP_WAYS_must_be_powers_of_two_and_a_hash_at_most_32_bits stop_here();
        end
    endgenerate

    reg [SET_W:0] clear_at;
    assign cleared = clear_at == TP_SETS[SET_W:0];
    wire clearing  = clear && !cleared;
    always @(posedge clk)
        clear_at <= rst ? {SET_W+1{1'b0}} : clear_at + {{SET_W{1'b0}}, clearing};

    // ---- the registers: another value is taken when nothing is under way
    localparam CFG_W = 3 + 1 + 1 + 2 * TIME_W;
    wire [CFG_W-1:0]  cfg = {cfg_tier, cfg_tier_default, cfg_tier_model, cfg_tier_near, cfg_tier_far};
    reg  [CFG_W-1:0]  held;
    wire [2:0]        policy;
    wire              by_chance, model;
    wire [TIME_W-1:0] near, far;
    assign {policy, by_chance, model, near, far} = held;
    reg [7:1] valid;
    reg same; // they were what is held
    assign idle = valid == 0;

    // ---- p1: the hash; the tags are read unless the set is about to change
    wire [HASH_W-1:0] hash;
    crc32c #(.WIDTH(ASID_W + VPN_W), .BITS(HASH_W)) page_hash (.valid(op_valid), .data({op_asid, op_vpn}), .hash(hash));
    wire [31:0] op_set  = op_kind == TP_AGE ? {{32 - INDEX_W{1'b0}}, op_index} : {{32 - HASH_W{1'b0}}, hash};
    wire [31:0] op_way  = {{32 - INDEX_W{1'b0}}, op_index} >> S_W;
    wire unused_op = &{1'b0, op_set[31:SET_W], op_way[31:WAY_W]};
    wire wait1;
    wire go   = valid[1] && !wait1;
    assign op_ready = same && !clear && (!valid[1] || go);
    wire take = op_valid && op_ready;
    always @(posedge clk) begin
        same <= cfg == held;
        if (idle && !take)
            held <= cfg;
    end
    reg [2:0]          p1_op, p2_op, p3_op, p4_op, p5_op, p6_op;
    reg [SET_W-1:0]    p1_set, p2_set, p3_set;
    reg [WAY_W-1:0]    p1_way, p2_way, p3_age, p4_way, p5_way, p6_way, p7_way;
    reg [TP_TAG_W-1:0] p1_tag, p2_tag;
    reg [TIME_W-1:0]   p1_time, p2_time, p3_time, p4_time, p5_time, p6_time;
    // the one that may write, as long as it is under way
    reg                p1_writes, writer;
    reg [5:0]          since;
    reg [SET_W-1:0]    its_set;
    reg [TP_TAG_W-1:0] its_tag;
    assign wait1 = writer;
    always @(posedge clk) begin
        valid[1] <= (take || (valid[1] && wait1)) && !rst;
        if (take) begin
            p1_op   <= op_kind;
            p1_writes <= op_kind != TP_LOOK;
            p1_set  <= S_W > 0 ? op_set[SET_W-1:0] : {SET_W{1'b0}};
            p1_tag  <= hash[S_W +: TP_TAG_W];
            p1_way  <= W_W > 0 ? op_way[WAY_W-1:0] : {WAY_W{1'b0}};
            p1_time <= op_time;
        end
        valid[7:2]  <= rst ? 6'd0 : {valid[6:2], go};
        since  <= rst ? 6'd0 : {since[4:0], go && p1_writes};
        writer <= !rst && ((go && p1_writes) || (writer && !since[5]));
        if (go && p1_writes)
            {its_set, its_tag} <= {p1_set, p1_tag};
        {p2_op, p2_set, p2_tag, p2_way, p2_time} <= {p1_op, p1_set, p1_tag, p1_way, p1_time};
    end

    // ---- p2: the tags of the set
    wire [TP_WAYS-1:0] p2_valid, p2_same;
    reg  [TP_WAYS-1:0] p3_valid, p3_hit;
    reg                p7_tag_we;
    genvar g;
    generate
        for (g = 0; g < TP_WAYS; g = g + 1) begin : g_way
            wire [TP_TAG_W-1:0] tag;
            wire mine = p7_way == g;
            ram_sdp #(.WIDTH(1 + TP_TAG_W), .DEPTH(TP_SETS), .ADDR_W(SET_W)) tag_ram (
                .clk(clk), .we(clearing || (p7_tag_we && mine)), .waddr(clearing ? clear_at[SET_W-1:0] : its_set),
                .wdata({!clearing, its_tag}), .re(go), .raddr(p1_set), .rdata({p2_valid[g], tag})
            );
            assign p2_same[g] = p2_valid[g] && tag == p2_tag;
        end
    endgenerate

    // chance: a step with each page that leaves
    reg [31:0]      lfsr;
    reg             p3_chance, p4_chance, p5_chance, p6_chance;
    reg [WAY_W-1:0] p3_any;
    always @(posedge clk) begin
        if (rst)
            lfsr <= 32'd1;
        else if (valid[2] && p2_op == TP_LEAVE)
            lfsr <= {1'b0, lfsr[31:1]} ^ (lfsr[0] ? POLY : 32'd0);
        {p3_chance, p3_any} <= {lfsr[0], lfsr[8 +: WAY_W]};
        {p3_hit, p3_valid}  <= {p2_same, p2_valid};
        {p3_op, p3_set, p3_age, p3_time} <= {p2_op, p2_set, p2_way, p2_time};
    end

    // ---- p3: the way: the page's own, a free one, any; or AGE's
    reg [WAY_W-1:0] hit_way, free_way;
    integer w;
    always @* begin
        hit_way  = 0;
        free_way = 0;
        for (w = TP_WAYS - 1; w >= 0; w = w - 1) begin
            if (p3_hit[w])
                hit_way = hit_way | w[WAY_W-1:0];
            if (!p3_valid[w])
                free_way = w[WAY_W-1:0];
        end
    end
    wire               p3_found  = p3_op != TP_AGE && p3_hit != 0;
    wire [TP_WAYS-1:0] p3_aged   = p3_valid >> p3_age;
    wire               p3_exists = p3_op == TP_AGE ? p3_aged[0] : p3_hit != 0;
    wire [WAY_W-1:0]   p3_new    = &p3_valid ? (W_W > 0 ? p3_any : {WAY_W{1'b0}}) : free_way;
    wire [WAY_W-1:0]   p3_way    = p3_op == TP_AGE ? p3_age : p3_hit != 0 ? hit_way : p3_new;
    wire [31:0]        p3_index  = {{32 - WAY_W{1'b0}}, p3_way} << S_W | {{32 - SET_W{1'b0}}, p3_set};
    wire [31:0]        p7_index  = {{32 - WAY_W{1'b0}}, p7_way} << S_W | {{32 - SET_W{1'b0}}, its_set};
    wire unused_way = &{1'b0, p3_aged, p3_index[31:INDEX_W], p7_index[31:INDEX_W]};
    reg  [DATA_W-1:0]  p7_data;
    wire [DATA_W-1:0]  p4_data;
    reg                p7_we;
    ram_sdp #(.WIDTH(DATA_W), .DEPTH(TP_SETS * TP_WAYS), .ADDR_W(INDEX_W)) entries (
        .clk(clk), .we(p7_we), .waddr(p7_index[INDEX_W-1:0]), .wdata(p7_data),
        .re(valid[3]), .raddr(p3_index[INDEX_W-1:0]), .rdata(p4_data)
    );

    // ---- p4: the entry; of a page without one, nothing is known. p5: how long it was away, and what followed its last tier
    reg                p4_found, p4_exists, p5_found, p6_found, p5_away, p6_away;
    reg  [TIME_W-1:0]  p5_distance;
    reg  [1:0]         p5_last, p6_last, p6_right, p6_pred;
    reg  [3*ROW_W-1:0] p5_weights, p6_weights;
    reg  [ROW_W-1:0]   p5_row, p6_row;
    reg                p6_old;
    wire               p4_away;
    wire [TIME_W-1:0]  p4_left;
    wire [1:0]         p4_last;
    wire [3*ROW_W-1:0] p4_weights;
    assign {p4_away, p4_left, p4_last, p4_weights} = p4_data;
    always @(posedge clk) begin
        {p4_op, p4_way, p4_time, p4_chance} <= {p3_op, p3_way, p3_time, p3_chance};
        {p4_found, p4_exists} <= {p3_found, p3_exists};
        {p5_op, p5_way, p5_time, p5_chance, p5_found} <= {p4_op, p4_way, p4_time, p4_chance, p4_found};
        p5_away     <= p4_exists && p4_away;
        p5_distance <= p4_time - p4_left;
        p5_last     <= p4_exists ? p4_last : 2'd0;
        p5_weights  <= p4_exists ? p4_weights : {3*ROW_W{1'b0}};
        p5_row      <= p4_last == 2'd1 ? p4_weights[0 +: ROW_W] : p4_last == 2'd2 ? p4_weights[ROW_W +: ROW_W] :
                       p4_weights[2*ROW_W +: ROW_W];
    end

    // ---- p6: the tier that was right, and the one foretold: the heaviest; of equal ones the last time's, else the lower
    wire [TP_CNT_W-1:0] w1 = p5_row[0 +: TP_CNT_W], w2 = p5_row[TP_CNT_W +: TP_CNT_W], w3 = p5_row[2*TP_CNT_W +: TP_CNT_W];
    wire g12 = w1 > w2, g21 = w2 > w1, g13 = w1 > w3, g31 = w3 > w1, g23 = w2 > w3, g32 = w3 > w2;
    wire [1:0] heaviest = p5_last == 2'd1 ? (!g21 && !g31 ? 2'd1 : !g32 ? 2'd2 : 2'd3) :
                          p5_last == 2'd2 ? (!g12 && !g32 ? 2'd2 : !g31 ? 2'd1 : 2'd3) :
                                            (!g13 && !g23 ? 2'd3 : !g21 ? 2'd1 : 2'd2);
    always @(posedge clk) begin
        {p6_op, p6_way, p6_time, p6_chance, p6_found, p6_away, p6_last, p6_weights, p6_row} <=
            {p5_op, p5_way, p5_time, p5_chance, p5_found, p5_away, p5_last, p5_weights, p5_row};
        p6_right <= p5_distance < near ? 2'd1 : p5_distance < far ? 2'd2 : 2'd3;
        p6_old   <= p5_distance[TIME_W-1:TIME_W-2] != 0;
        p6_pred  <= model && p5_last != 0 && p5_op != TP_AGE ? heaviest : 2'd0;
    end

    // ---- p7: the entry as it is from now on, and the answer
    wire p6_learns = p6_op == TP_RETURN && p6_away && model;
    wire p6_leaves = p6_op == TP_LEAVE;
    wire p6_clamps = p6_op == TP_AGE && p6_away && p6_old;
    reg [ROW_W-1:0] row;
    reg             full;
    wire [31:0]     right = {30'd0, p6_right};
    integer t;
    always @* begin
        row  = p6_row;
        full = 1'b0;
        for (t = 0; t < 3; t = t + 1)
            full = full || (right == t + 1 && &p6_row[t*TP_CNT_W +: TP_CNT_W]);
        for (t = 0; t < 3; t = t + 1)
            row[t*TP_CNT_W +: TP_CNT_W] = (full ? p6_row[t*TP_CNT_W +: TP_CNT_W] >> 1 : p6_row[t*TP_CNT_W +: TP_CNT_W]) +
                                          (right == t + 1 ? ONE : {TP_CNT_W{1'b0}});
    end
    reg  [TP_WINDOW-1:0] window; // of the last pages that left: foretold for Tier 3; the newest is bit 0
    reg  [6:0]  in_window;
    wire        many = in_window > MOST;
    wire        far3 = p6_pred == 2'd3;
    wire [1:0]  chance = p6_chance ? 2'd2 : 2'd3;
    wire [1:0]  reused = p6_pred == 2'd0 ? (by_chance ? chance : 2'd2) : far3 && !many ? 2'd3 : 2'd2;
    always @(posedge clk) begin
        p7_way    <= p6_way;
        p7_tag_we <= valid[6] && p6_leaves && !p6_found && !rst;
        p7_we     <= valid[6] && !rst && (p6_leaves || p6_clamps || (p6_away && (p6_op == TP_RETURN || p6_op == TP_STAY)));
        // of a page at home nobody asks when it left
        p7_data   <= {p6_leaves || p6_clamps, p6_time[TIME_W-1:TIME_W-2] - {1'b0, p6_clamps}, p6_time[TIME_W-3:0],
                      p6_learns ? p6_right : p6_last,
                      p6_learns && p6_last == 2'd3 ? row : p6_weights[2*ROW_W +: ROW_W],
                      p6_learns && p6_last == 2'd2 ? row : p6_weights[ROW_W +: ROW_W],
                      p6_learns && p6_last == 2'd1 ? row : p6_weights[0 +: ROW_W]};
        if (rst) begin
            window    <= {TP_WINDOW{1'b0}};
            in_window <= 7'd0;
        end else if (valid[6] && p6_leaves) begin
            window    <= {window[TP_WINDOW-2:0], far3};
            in_window <= in_window + {6'd0, far3} - {6'd0, window[TP_WINDOW-1]};
        end
        r_valid   <= valid[6] && !rst;
        r_kind    <= p6_op;
        r_found   <= p6_found;
        r_pred    <= p6_pred;
        r_right   <= p6_learns ? p6_right : 2'd0;
        r_tier    <= policy == PLACE_RANDOM ? chance : policy == PLACE_REUSE ? reused : 2'd2;
        r_forced  <= p6_leaves && policy == PLACE_REUSE && far3 && many;
        r_clamped <= p6_clamps;
    end

endmodule
`default_nettype wire
