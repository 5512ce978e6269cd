// SPDX-License-Identifier: Apache-2.0
// trace_sampler: reuse intervals of a hash-selected sample of pages (docs/blocks/trace_sampler.md).
//
// Set-associative table of pages {valid, page, class, last}. One slot a cycle, read at x2, done at
// x5: the ACCESS of a walk whose hash is below the threshold, or a SCRUB, which visits the entries
// round robin and removes what is too old or no longer in the sample. A SCRUB takes slots that
// accesses leave empty; one that waited 2^WAIT_W - 1 cycles takes the next, whosever it is.
// Within a cycle: THRESH, then SCRUB, then ACCESS.
//
// The page is kept as its name {folded rest of the key, hash}: CRC-32C maps the key's low 32 bits one
// to one for any rest, so names are equal if and only if hash and folded rest are. The set needs no
// storing then, and a SCRUB has the hash at hand.
//
// A slot writes one way of its set, three cycles after its read. The three slots before it may write
// to the same set meanwhile: of the ways only bits are carried along (valid, match, which of two is
// older), and each of those slots changes them when its way is known.
// Source: LEU 3.3 (Trace Sampler); SHARDS (FAST '15), fixed size.
`default_nettype none
module trace_sampler #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    // WAYS times a power of two
    parameter ENTRIES = 1024,
    parameter WAYS    = 4,
    // bits of a name beyond the hash, to which the rest of the key is folded
    parameter REST_W  = 13,
    // a SCRUB waits at most 2^WAIT_W - 1 cycles
    parameter WAIT_W  = 6,
    parameter INDEX_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [3:0]         cfg_sample,   // the first threshold is 65536 >> cfg_sample
    // clearing after reset: one set a cycle until `cleared`; no walks yet
    input  wire               clear,
    output wire               cleared,
    // walks, hit or fault; x5 is five cycles after p4
    input  wire               p4_valid,
    input  wire [ASID_W-1:0]  p4_asid,
    input  wire [VPN_W-1:0]   p4_vpn,
    input  wire [CLASS_W-1:0] x5_class,
    input  wire [TIME_W-1:0]  x5_time,      // of this walk: now + 1; where there is none, of the one before: now
    input  wire [TIME_W-1:0]  now,          // walks before this cycle's x5
    // pulse: one SCRUB is owed; done within 2^WAIT_W + 4 cycles; pulses 2^WAIT_W apart are never lost
    input  wire               scrub_owed,
    input  wire               scrub_calm,   // a SCRUB that is not overdue waits for this
    output wire               scrubbing,    // one is on its way to x5
    // records of ACCESS and of SCRUB (always censored); at most one of them in a cycle
    output wire               rec_valid,
    output wire [CLASS_W-1:0] rec_class,
    output wire [TIME_W-1:0]  rec_interval,
    output wire               rec_censored,
    output wire               srec_valid,
    output wire [CLASS_W-1:0] srec_class,
    output wire [TIME_W-1:0]  srec_interval,
    output wire               idle,         // nothing owed, nothing under way after x5
    output reg  [31:0]        stat_stolen,  // selected accesses that were not sampled
    // tvi: the actions of this cycle, in order
    output reg                tvi_thresh_valid,
    output wire [16:0]        tvi_thresh,   // the threshold (after THRESH)
    output wire               tvi_scrub_valid,
    output wire [INDEX_W-1:0] tvi_scrub_index,
    output wire               tvi_scrub_removed,
    output wire               tvi_selected, // of the walk at x5
    output wire               tvi_stolen,
    output wire               tvi_hit
);

    localparam SETS   = ENTRIES / WAYS;
    localparam SET_W  = SETS > 1 ? $clog2(SETS) : 1;
    localparam WAYI_W = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam LOW    = SETS > 1 ? SET_W : 0; // hash bits that the set stands for
    localparam KEY_W  = ASID_W + VPN_W;
    localparam FOLD_W = KEY_W > 32 + REST_W ? REST_W : KEY_W > 32 ? KEY_W - 32 : 0;
    localparam NAME_W = 32 + FOLD_W;
    localparam TAG_W  = NAME_W - LOW;
    localparam RANK   = 16 - LOW;             // where the rank stands in a tag
    localparam E_W    = 1 + TAG_W + CLASS_W + TIME_W;
    localparam LAST_W = CLASS_W + TIME_W;     // {class, last}
    localparam COUNT_W = $clog2(ENTRIES + 1);
    localparam FULL   = ENTRIES - ENTRIES / 8;
    localparam LAST_WAY = WAYS - 1;
    localparam LAST_SET = SETS - 1;
    localparam LAST_WAIT = (1 << WAIT_W) - 2;

    generate
        if (SETS * WAYS != ENTRIES || (SETS & (SETS - 1)) != 0 || SETS > 65536) begin : g_bad_entries
            ENTRIES_must_be_WAYS_times_a_power_of_two_up_to_65536 stop_here();
        end
        if (TIME_W < 3 || TIME_W > 32) begin : g_bad_time
            TIME_W_out_of_range stop_here();
        end
    endgenerate

    // ---- clearing after reset
    reg [SET_W:0] clear_at;
    assign cleared = clear_at[LOW]; // SETS is a power of two
    wire clearing = clear && !cleared;
    always @(posedge clk)
        if (rst)
            clear_at <= 0;
        else if (clearing)
            clear_at <= clear_at + 1'b1;

    // ---- p4: the page's name; x1: is it in the sample
    wire [KEY_W-1:0]  p4_key = {p4_asid, p4_vpn};
    wire [31:0]       p4_hash;
    wire [NAME_W-1:0] p4_name;
    crc32c #(.WIDTH(KEY_W)) page_hash (.valid(p4_valid), .data(p4_key), .hash(p4_hash));
    generate
        if (KEY_W > 32) begin : g_rest
            // where VPN_W > 32, {upper page number, asid}: the address space is not folded first
            wire [KEY_W-33:0] rest;
            if (VPN_W > 32) begin : g_wide
                assign rest = {p4_vpn[VPN_W-1:32], p4_asid};
            end else begin : g_narrow
                assign rest = p4_key[KEY_W-1:32];
            end
            reg  [FOLD_W-1:0] fold;
            integer f;
            always @* begin
                fold = {FOLD_W{1'bx}}; // as the hash: undefined without a walk
                if (p4_valid) begin
                    fold = 0;
                    for (f = 0; f < KEY_W - 32; f = f + 1)
                        fold[f % FOLD_W] = fold[f % FOLD_W] ^ rest[f];
                end
            end
            assign p4_name = {fold, p4_hash};
        end else begin : g_no_rest
            assign p4_name = p4_hash;
        end
    endgenerate

    reg              x1_valid, x2_selected;
    reg [NAME_W-1:0] x1_name, x2_name;
    reg [16:0]       x1_threshold; // runs four cycles before `threshold`, which x5 sees
    always @(posedge clk) begin
        x1_valid    <= p4_valid && !rst;
        x2_selected <= x1_valid && {1'b0, x1_name[31:16]} < x1_threshold && !rst;
        if (p4_valid)
            x1_name <= p4_name;
        if (x1_valid)
            x2_name <= x1_name;
    end

    // ---- x2: whose slot it is
    reg                scrub_due;   // asked for by scrub_owed
    reg  [COUNT_W-1:0] pass;        // SCRUBs of a pass that are still to be issued
    reg                passing;     // pass > 0
    reg  [WAIT_W-1:0]  refused;     // cycles that the SCRUB has waited for a slot
    reg                overdue;     // refused is at its end
    reg  [SET_W-1:0]   scrub_set;
    reg  [WAYI_W-1:0]  scrub_way;
    reg  [4:1]         lowering;    // a THRESH is on its way
    wire wanted   = scrub_due || passing;
    // not just behind an ACCESS that was compared with the threshold before THRESH, whose entry it would remove
    wire x2_scrub = wanted && !lowering[2] && ((!x2_selected && scrub_calm) || overdue) && !clear;
    wire [SET_W-1:0] x2_of_walk = SETS > 1 ? x2_name[SET_W-1:0] : {SET_W{1'b0}};
    wire [SET_W-1:0] x2_set = clearing ? clear_at[SET_W-1:0] : x2_scrub ? scrub_set : x2_of_walk;
    always @(posedge clk)
        if (rst) begin
            scrub_due <= 1'b0;
            pass      <= 0;
            passing   <= 1'b0;
            refused   <= 0;
            overdue   <= 1'b0;
            scrub_set <= 0;
            scrub_way <= 0;
        end else begin
            // one that is on its way when the pulse comes, for a pass, will do
            scrub_due <= !clear && ((scrub_owed && !x2_scrub && !x3_scrub && !x4_scrub) || (scrub_due && !x2_scrub));
            if (lowering[1]) begin
                pass    <= ENTRIES[COUNT_W-1:0];
                passing <= 1'b1;
            end else if (x2_scrub && passing) begin
                pass    <= pass - 1'b1;
                passing <= pass[COUNT_W-1:1] != 0; // it was not the last one
            end
            refused <= x2_scrub || !wanted ? {WAIT_W{1'b0}} : refused + 1'b1;
            overdue <= !x2_scrub && wanted && (overdue || refused == LAST_WAIT[WAIT_W-1:0]);
            if (x2_scrub) begin
                scrub_way <= scrub_way == LAST_WAY[WAYI_W-1:0] ? {WAYI_W{1'b0}} : scrub_way + 1'b1;
                if (scrub_way == LAST_WAY[WAYI_W-1:0])
                    scrub_set <= scrub_set == LAST_SET[SET_W-1:0] ? {SET_W{1'b0}} : scrub_set + 1'b1;
            end
        end

    reg              x3_selected, x3_scrub, x3_lookup, x3_clear, x3_pass;
    reg              x4_selected, x4_scrub, x4_lookup, x4_clear, x4_pass;
    reg              x5_selected, x5_scrub, x5_lookup, x5_clear, x5_pass;
    reg [TAG_W-1:0]  x3_tag, x4_tag, x5_tag;
    reg [15:0]       x6_rank;
    reg [SET_W-1:0]  x3_set, x4_set, x5_set;
    reg [WAYI_W-1:0] x3_way, x4_way, x5_way; // of a SCRUB
    reg [WAYS-1:0]   x4_mine;                // the same, one bit a way; 0 without SCRUB
    // is there anything in the slot? Else it keeps what it had, and what follows from that is undefined.
    wire x2_live = x2_selected || wanted || clearing;
    wire x3_live = x3_lookup || x3_scrub || x3_clear;
    wire x4_live = x4_lookup || x4_scrub || x4_clear;
    wire x5_live = x5_lookup || x5_scrub;
    integer w;
    always @(posedge clk) begin
        x3_selected <= x2_selected && !rst;
        x3_scrub    <= x2_scrub && !rst;
        x3_lookup   <= x2_selected && !x2_scrub && !rst;
        x3_clear    <= clearing && !rst;
        x3_pass     <= passing && !rst;
        x4_selected <= x3_selected && !rst;
        x4_scrub    <= x3_scrub && !rst;
        x4_lookup   <= x3_lookup && !rst;
        x4_clear    <= x3_clear && !rst;
        x4_pass     <= x3_pass && !rst;
        x5_selected <= x4_selected && !rst;
        x5_scrub    <= x4_scrub && !rst;
        x5_lookup   <= x4_lookup && !rst;
        x5_clear    <= x4_clear && !rst;
        x5_pass     <= x4_pass && !rst;
        if (x2_live) begin
            x3_tag <= x2_name[NAME_W-1:LOW];
            x3_set <= x2_set;
            x3_way <= scrub_way;
        end
        if (x3_live) begin
            x4_tag <= x3_tag;
            x4_set <= x3_set;
            x4_way <= x3_way;
        end
        if (x4_live) begin
            x5_tag <= x4_tag;
            x5_set <= x4_set;
            x5_way <= x4_way;
        end
        if (x5_live)
            x6_rank <= x5_tag[RANK +: 16];
        for (w = 0; w < WAYS; w = w + 1)
            x4_mine[w] <= x3_scrub && x3_way == w[WAYI_W-1:0];
    end

    // ---- the slots before: what they write, one bit a way
    reg  [WAYS-1:0]   x5_ways;              // the way that the slot is about
    wire              x5_removed;
    wire [WAYS-1:0]   x5_put  = x5_ways & {WAYS{x5_lookup}};  // ACCESS writes it
    wire [WAYS-1:0]   x5_gone = x5_ways & {WAYS{x5_removed}}; // SCRUB removes it
    reg  [WAYS-1:0]   x6_put, x6_gone;
    wire [LAST_W-1:0] x5_last = {x5_class, x5_time};
    reg  [LAST_W-1:0] x6_last;
    // seen from x2: the slot at x3 (1), x4 (2), x5 (3) is at the same set, has the same tag
    wire [3:1] set_of_walk  = {x5_set == x2_of_walk, x4_set == x2_of_walk, x3_set == x2_of_walk};
    wire [3:1] set_of_scrub = {x5_set == scrub_set, x4_set == scrub_set, x3_set == scrub_set};
    wire [TAG_W-1:0] x2_tag = x2_name[NAME_W-1:LOW];
    reg  x3_set1, x3_set2, x3_set3, x3_tag1, x3_tag2, x3_tag3, x4_tag1;
    reg  x3_puts2, x4_puts1; // the same set, and slot 2, 1 is an ACCESS
    always @(posedge clk) begin
        if (x2_live) begin
            {x3_set3, x3_set2, x3_set1} <= x2_scrub ? set_of_scrub : set_of_walk;
            x3_puts2 <= x4_lookup && (x2_scrub ? set_of_scrub[2] : set_of_walk[2]);
            {x3_tag3, x3_tag2, x3_tag1} <= {x5_tag == x2_tag, x4_tag == x2_tag, x3_tag == x2_tag};
        end
        if (x3_live) begin
            x4_puts1 <= x4_lookup && x3_set1;
            x4_tag1  <= x3_tag1;
        end
    end

    // ---- x3: the set, a RAM a way: {valid, tag, class, last}; x4: as the slots 2 and 3 leave it
    // A tag is compared in PARTS, which come together at x4.
    localparam PARTS  = 2;
    localparam PART_W = (TAG_W + PARTS - 1) / PARTS;
    reg  [WAYS-1:0]        x4_valid, x4_known, x4_same; // known: `same` says whether it matches, not the parts
    wire [WAYS-1:0]        x4_equal;
    wire [WAYS*TIME_W-1:0] x3_times;
    wire [WAYS*16-1:0]     x3_ranks;
    wire [WAYS*LAST_W-1:0] x5_lasts;
    wire [WAYS-1:0]        x3_put2 = x5_ways & {WAYS{x3_puts2}};
    wire [WAYS-1:0]        x3_put3 = x6_put & {WAYS{x3_set3}};
    wire [WAYS-1:0]        x4_put1 = x5_ways & {WAYS{x4_puts1}};
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            wire              valid;
            wire [TAG_W-1:0]  tag;
            wire [LAST_W-1:0] last;
            reg  [LAST_W-1:0] x4_last, x5_way_last;
            reg  [PARTS-1:0]  x3_parts, x4_parts;
            wire [PARTS*PART_W-1:0] differ = {{PARTS*PART_W-TAG_W{1'b0}}, tag ^ x3_tag};
            integer c;
            always @*
                for (c = 0; c < PARTS; c = c + 1)
                    x3_parts[c] = differ[c*PART_W +: PART_W] == 0;
            assign x4_equal[g] = &x4_parts;
            ram_sdp #(.WIDTH(E_W), .DEPTH(SETS), .ADDR_W(SET_W)) way_ram (
                .clk(clk), .we(x5_clear || x5_put[g] || x5_gone[g]), .waddr(x5_set),
                .wdata({x5_lookup, x5_tag, x5_last}), .re(1'b1), .raddr(x2_set), .rdata({valid, tag, last})
            );
            wire gone = (x3_set2 && x5_gone[g]) || (x3_set3 && x6_gone[g]);
            always @(posedge clk) begin
                if (x3_live) begin
                    x4_valid[g] <= x3_put2[g] || (!(x3_set2 && x5_gone[g]) && x3_put3[g]) || (valid && !gone);
                    x4_parts    <= x3_parts;
                    x4_known[g] <= x3_put2[g] || x3_put3[g] || gone || !valid || x3_scrub; // a SCRUB matches nothing
                    x4_same[g]  <= !x3_scrub &&
                                   (x3_put2[g] ? x3_tag2 : !(x3_set2 && x5_gone[g]) && x3_put3[g] && x3_tag3);
                    x4_last     <= x3_put2[g] ? x5_last : x3_put3[g] ? x6_last : last;
                end
                if (x4_live)
                    x5_way_last <= x4_put1[g] ? x5_last : x4_last;
            end
            assign x3_times[g*TIME_W +: TIME_W] = last[TIME_W-1:0];
            assign x3_ranks[g*16 +: 16]         = tag[RANK +: 16];
            assign x5_lasts[g*LAST_W +: LAST_W] = x5_way_last;
        end
    endgenerate

    // which of two ways is older: by the RAM, and what the slots 2 and 3 make of it. No age reaches
    // 2^(TIME_W-1): the difference of two stamps has the sign of their order.
    localparam PAIRS = WAYS * WAYS;
    reg  [PAIRS-1:0] x4_older, x4_older_set, x4_older_clear; // bit i * WAYS + j, i < j: i is older, or equal
    reg  [PAIRS-1:0] x3_older;
    reg  [TIME_W-1:0] newer;
    wire unused_newer = &{1'b0, newer};
    integer i, j;
    always @* begin
        x3_older = 0;
        newer    = 0;
        if (x3_lookup)
            for (i = 0; i < WAYS; i = i + 1)
                for (j = i + 1; j < WAYS; j = j + 1) begin
                    newer = x3_times[j*TIME_W +: TIME_W] - x3_times[i*TIME_W +: TIME_W];
                    x3_older[i*WAYS + j] = !newer[TIME_W-1];
                end
        else
            x3_older = {PAIRS{1'bx}};
    end
    integer n;
    always @(posedge clk)
        if (x3_lookup) begin
            x4_older <= x3_older;
            for (n = 0; n < WAYS; n = n + 1) begin
                x4_older_set[n*WAYS +: WAYS]   <= x3_put2 | (x3_put3 & {WAYS{!x3_put2[n]}});
                x4_older_clear[n*WAYS +: WAYS] <= {WAYS{x3_put2[n]}} | (~x3_put2 & {WAYS{x3_put3[n]}});
            end
        end

    // the entry that a SCRUB visits
    reg  [15:0]       x3_rank, x4_rank;
    reg  [TIME_W-1:0] x3_time, x4_time;
    reg               x3_was2, x3_was3;
    integer k;
    always @* begin
        x3_rank = 0;
        x3_time = 0;
        x3_was2 = 1'b0;
        x3_was3 = 1'b0;
        if (x3_scrub)
            for (k = 0; k < WAYS; k = k + 1) begin
                x3_rank = x3_rank | (x3_ranks[k*16 +: 16] & {16{x3_way == k[WAYI_W-1:0]}});
                x3_time = x3_time | (x3_times[k*TIME_W +: TIME_W] & {TIME_W{x3_way == k[WAYI_W-1:0]}});
                x3_was2 = x3_was2 || (x3_put2[k] && x3_way == k[WAYI_W-1:0]);
                x3_was3 = x3_was3 || (x3_put3[k] && x3_way == k[WAYI_W-1:0]);
            end
        else
            {x3_rank, x3_time, x3_was2, x3_was3} = {18+TIME_W{1'bx}};
    end
    always @(posedge clk)
        if (x3_scrub) begin
            x4_rank <= x3_was2 ? x5_tag[RANK +: 16] : x3_was3 ? x6_rank : x3_rank;
            x4_time <= x3_was2 ? x5_time : x3_was3 ? x6_last[TIME_W-1:0] : x3_time;
        end

    // ---- x4: slot 1 too; the way that it is about: that of SCRUB; the hit; the first free; the oldest.
    // Whether slot 1 is a SCRUB that removes its entry is known late in the cycle: `less` is that case.
    // `held` is a match but for slot 1.
    reg  [WAYS-1:0] held, valid, match, free, oldest, older, behind, valid_less, match_less, free_less, way;
    reg             any, any_less, x4_was1, x4_there;
    reg  [16:0]     x4_threshold; // of x5 in the next cycle
    reg             x5_hit, x5_full, x5_there, x5_there1, x5_in; // there1: and the slot behind is at the same set
    reg  [1:0]      x5_age;       // its upper bits
    wire            x5_out  = !x5_in || x5_age != 0;
    wire            less    = x5_there1 && x5_out;
    wire [17:0]     x4_over = {2'b00, x4_rank} - {1'b0, x4_threshold};
    wire [TIME_W-1:0] x4_age = x5_time - x4_time; // x5_time is `now` of the next cycle
    wire unused_age = &{1'b0, x4_age[TIME_W-3:0], x4_over[16:0]};

    function [WAYS-1:0] lowest_zero(input [WAYS-1:0] v);
        integer l;
        reg     all;
        begin
            all = 1'b1;
            for (l = 0; l < WAYS; l = l + 1) begin
                lowest_zero[l] = all && !v[l];
                all = all && v[l];
            end
        end
    endfunction

    integer m;
    always @* begin
        held     = {WAYS{1'bx}};
        valid    = {WAYS{1'bx}};
        match    = {WAYS{1'bx}};
        free     = {WAYS{1'bx}};
        oldest   = {WAYS{1'bx}};
        {older, behind} = {2*WAYS{1'bx}};
        way      = {WAYS{1'bx}};
        {valid_less, match_less, free_less} = {3*WAYS{1'bx}};
        {any, any_less, x4_was1, x4_there}  = 4'bxxxx;
        if (x4_live) begin
            held     = x4_same | (~x4_known & x4_equal);
            valid    = x4_put1 | x4_valid;
            match    = (x4_put1 & {WAYS{x4_tag1}}) | (held & ~x4_put1);
            free     = lowest_zero(valid);
            any      = match != 0;
            valid_less = x4_valid & ~x5_ways;
            match_less = (held & ~x5_ways) | x4_mine;
            free_less  = lowest_zero(valid_less);
            any_less   = match_less != 0;
            oldest   = {WAYS{1'b1}};
            for (m = 0; m < WAYS; m = m + 1) begin // m against each way behind it: is m older
                behind = {WAYS{1'b1}} << m << 1;
                older  = x4_put1 | ({WAYS{!x4_put1[m]}} & (x4_older_set[m*WAYS +: WAYS] |
                                    (~x4_older_clear[m*WAYS +: WAYS] & x4_older[m*WAYS +: WAYS])));
                oldest = oldest & ~(older & behind);
                if ((~older & behind) != 0)
                    oldest[m] = 1'b0;
            end
            x4_was1  = (x4_put1 & x4_mine) != 0;
            x4_there = (x4_valid & ~(x5_ways & {WAYS{less}}) & x4_mine) != 0;
            way      = less || x4_scrub ? (any_less ? match_less : free_less) :
                       any ? match : free | (oldest & {WAYS{&valid}});
        end
    end
    always @(posedge clk) begin
        if (x4_live) begin
            x5_ways <= way;
            x5_hit  <= less ? any_less : any;
            x5_full <= &valid && !less;
            x5_in   <= x4_over[17];
            x5_age  <= x4_age[TIME_W-1:TIME_W-2];
        end
        // what slot 1 has just put is in the sample (see x2_scrub) and young
        x5_there  <= x4_scrub && !x4_was1 && x4_there;
        x5_there1 <= x4_scrub && !x4_was1 && x4_there && x3_set1;
        if (rst) begin
            x5_there  <= 1'b0;
            x5_there1 <= 1'b0;
        end
    end

    // ---- x5: the entry, and what it becomes
    assign x5_removed = x5_there && x5_out;
    reg  [LAST_W-1:0] was;
    integer q;
    always @* begin
        was = 0;
        if (x5_live)
            for (q = 0; q < WAYS; q = q + 1)
                was = was | (x5_lasts[q*LAST_W +: LAST_W] & {LAST_W{x5_ways[q]}});
        else
            was = {LAST_W{1'bx}};
    end
    wire [TIME_W-1:0] interval = (x5_scrub ? now : x5_time) - was[TIME_W-1:0];
    always @(posedge clk) begin
        x6_put  <= rst ? {WAYS{1'b0}} : x5_put;
        x6_gone <= rst ? {WAYS{1'b0}} : x5_gone;
        if (x5_live)
            x6_last <= x5_last;
    end

    reg  [16:0] threshold;
    assign rec_valid     = x5_lookup && (x5_hit || x5_full);
    assign rec_class     = was[LAST_W-1:TIME_W];
    assign rec_interval  = interval;
    assign rec_censored  = !x5_hit;
    assign srec_valid    = x5_removed;
    assign srec_class    = was[LAST_W-1:TIME_W];
    assign srec_interval = interval;

    // ---- fixed size: at 7/8 full the threshold falls by an eighth, then one pass of SCRUBs
    reg  [COUNT_W-1:0] occupied;
    reg                x6_lookup, thresh_owed;
    wire [16:0]        step = x1_threshold[16:3] == 0 ? 17'd1 : {3'd0, x1_threshold[16:3]};
    wire               x5_grows = x5_lookup && !x5_hit && !x5_full;
    always @(posedge clk) begin
        x6_lookup   <= x5_lookup && !rst;
        occupied    <= occupied + {{COUNT_W-1{1'b0}}, x5_grows} - {{COUNT_W-1{1'b0}}, x5_removed};
        stat_stolen <= stat_stolen + {31'd0, tvi_stolen};
        // done in the order of x5: x1 compares with the new threshold four cycles earlier, x4 one
        lowering    <= {lowering[3:1], thresh_owed && lowering == 0};
        tvi_thresh_valid <= lowering[4];
        if (thresh_owed && lowering == 0)
            x1_threshold <= x1_threshold - step;
        if (lowering[3])
            x4_threshold <= x1_threshold;
        if (lowering[4])
            threshold <= x1_threshold;
        if (lowering[4])
            thresh_owed <= 1'b0;
        else if (x6_lookup && occupied >= FULL[COUNT_W-1:0] && !x5_pass && threshold != 17'd1)
            thresh_owed <= 1'b1;
        if (rst || clearing) begin
            threshold    <= 17'd65536 >> cfg_sample;
            x4_threshold <= 17'd65536 >> cfg_sample;
            x1_threshold <= 17'd65536 >> cfg_sample;
        end
        if (rst) begin
            occupied    <= 0;
            stat_stolen <= 32'd0;
            lowering    <= 4'd0;
            thresh_owed <= 1'b0;
            tvi_thresh_valid <= 1'b0;
        end
    end

    assign scrubbing = x3_scrub || x4_scrub || x5_scrub;
    assign idle = !wanted && !scrubbing && !x5_lookup && !x6_lookup &&
                  !thresh_owed && !tvi_thresh_valid && !clear;

    wire [31:0] x5_index = x5_set * WAYS + {{32-WAYI_W{1'b0}}, x5_way};
    wire unused_index = &{1'b0, x5_index[31:INDEX_W]};
    assign tvi_thresh        = threshold;
    assign tvi_scrub_valid   = x5_scrub;
    assign tvi_scrub_index   = x5_index[INDEX_W-1:0];
    assign tvi_scrub_removed = x5_removed;
    assign tvi_selected      = x5_selected;
    assign tvi_stolen        = x5_selected && x5_scrub;
    assign tvi_hit           = x5_lookup && x5_hit;

endmodule
`default_nettype wire
