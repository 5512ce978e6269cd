// SPDX-License-Identifier: Apache-2.0
// gmmu_trace_sampler: reuse intervals of a hash-selected sample of pages (docs/reference/blocks/trace_sampler.md).
//
// A set-associative table holds pages as entries {valid, page, class, last}. Each cycle has one turn at w5: an ACCESS, a SCRUB, or
// none. The turn reads its set at w5 and takes effect at w9. An ACCESS is a walk whose hash is below the threshold. A SCRUB
// visits the entries round robin, and removes an entry that is too old or not in the sample. A SCRUB takes a turn that no
// ACCESS wants. After 2^WAIT_W - 1 cycles of waiting the SCRUB takes the next turn in any case; an access of that cycle is lost.
// Within a cycle: THRESH, then SCRUB, then ACCESS.
//
//   w3 ─► w4 ─────► w5 ──────────► w6 ───────► w7 ───────────► w8 ────────────► w9
//   name  sampled?  turn, set is   RAM's word  word compared,  turn 1 applied,  effect: entry is written,
//                   read                       turns 2 to 4    way is known     record
//
// An entry keeps the page as a name {folded rest of the key, hash}. CRC-32C maps the key's low 32 bits one to one for any rest,
// so names are equal if and only if hash and folded rest are equal. The address implies the set, and a SCRUB has the hash at hand.
//
// A turn writes one way of its set, four cycles after its read. The RAM's word comes late: a register takes the word at w6, and the
// word is compared from w7 on. Up to four turns before may write to the same set meanwhile. Of each way only bits travel along
// (valid, match, which of two ways is older), and each of the four turns changes these bits when its own way is known.
// Source: LEU 3.3 (Trace Sampler); SHARDS (FAST '15), fixed size.
`default_nettype none
module gmmu_trace_sampler #(
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
    // 1: a corrupt entry is reported, and counts as none
    parameter PARITY  = 1,
    parameter INDEX_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [3:0]         cfg_sample,        // register sample: the first threshold is 65536 >> cfg_sample
    // clearing after reset: one set a cycle, no walks
    input  wire               clear,             // the reset sequence is under way
    output wire               cleared,           // all sets are empty
    // walks, hit or fault; w9 is six cycles after w3
    input  wire               w3_valid,          // a walk is at w3
    input  wire [ASID_W-1:0]  w3_asid,           // address space of the walk at w3
    input  wire [VPN_W-1:0]   w3_vpn,            // page number of the walk at w3
    input  wire [CLASS_W-1:0] w9_class,          // class of the walk at w9
    input  wire [TIME_W-1:0]  w9_time,           // time of the walk at w9: now + 1; without a walk at w9: now
    input  wire [TIME_W-1:0]  now,               // number of walks before the walk at w9
    // SCRUB: done within 2^WAIT_W + 5 cycles of its pulse; pulses 2^WAIT_W cycles apart are never lost
    input  wire               scrub_owed,        // pulse: a SCRUB is due
    input  wire               scrub_calm,        // a SCRUB that is not overdue may take a turn
    output wire               scrubbing,         // a SCRUB is at w6 to w9
    // records of ACCESS and of SCRUB; at most one of the two in a cycle
    output wire               rec_valid,         // the ACCESS at w9 gives a record
    output wire [CLASS_W-1:0] rec_class,         // class of ACCESS's record
    output wire [TIME_W-1:0]  rec_interval,      // interval of ACCESS's record
    output wire               rec_censored,      // ACCESS's record is the age of the page that ACCESS replaced
    output wire               srec_valid,        // the SCRUB at w9 gives a record: the age of the page that SCRUB removed
    output wire [CLASS_W-1:0] srec_class,        // class of SCRUB's record
    output wire [TIME_W-1:0]  srec_interval,     // age of SCRUB's record
    output wire               idle,              // nothing is pending, and nothing is under way after w9
    output reg                turned,            // PARITY: bit that toggles with each turn that met a corrupt entry
    output reg  [31:0]        stat_stolen,       // number of selected accesses whose turn went to a SCRUB
    // tvi: the actions of this cycle, in order
    output reg                tvi_thresh_valid,  // THRESH takes effect
    output wire [16:0]        tvi_thresh,        // the threshold, after THRESH
    output wire               tvi_scrub_valid,   // SCRUB takes effect
    output wire [INDEX_W-1:0] tvi_scrub_index,   // SCRUB: number of the entry
    output wire               tvi_scrub_removed, // SCRUB: the entry is removed
    output wire               tvi_selected,      // the page of the walk at w9 is in the sample
    output wire               tvi_stolen,        // the turn of the walk at w9 went to a SCRUB
    output wire               tvi_hit            // the page of the walk at w9 has an entry
);

    localparam SETS   = ENTRIES / WAYS;
    localparam SET_W  = SETS > 1 ? $clog2(SETS) : 1;
    localparam WAYI_W = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam LOW    = SETS > 1 ? SET_W : 0; // hash bits that the set implies
    localparam KEY_W  = ASID_W + VPN_W;
    localparam FOLD_W = KEY_W > 32 + REST_W ? REST_W : KEY_W > 32 ? KEY_W - 32 : 0;
    localparam NAME_W = 32 + FOLD_W;
    localparam TAG_W  = NAME_W - LOW;
    localparam RANK   = 16 - LOW;             // lowest bit of the rank in a tag
    localparam E_W    = 1 + TAG_W + CLASS_W + TIME_W; // an entry: {valid, tag, class, last}
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
            TIME_W_must_be_3_to_32 stop_here();
        end
    endgenerate

    // ---- clearing after reset
    reg [SET_W:0] clear_at; // number of the set that is cleared next
    assign cleared = clear_at[LOW]; // SETS is a power of two
    wire clearing = clear && !cleared; // set clear_at is cleared
    always @(posedge clk)
        if (rst)
            clear_at <= 0;
        else if (clearing)
            clear_at <= clear_at + 1'b1;

    // ---- w3: the page's name; w4: is the page in the sample
    wire [KEY_W-1:0]  w3_key = {w3_asid, w3_vpn};
    wire [31:0]       w3_hash; // CRC-32C of the key
    wire [NAME_W-1:0] w3_name; // name of the page: {folded rest of the key, hash}
    gmmu_crc32c #(.WIDTH(KEY_W)) page_hash (
        .valid(w3_valid),
        .data(w3_key),
        .hash(w3_hash)
    );
    generate
        if (KEY_W > 32) begin : g_rest
            // where VPN_W > 32, {upper page number, asid}: the address space is not folded first
            wire [KEY_W-33:0] rest;
            if (VPN_W > 32) begin : g_wide
                assign rest = {w3_vpn[VPN_W-1:32], w3_asid};
            end else begin : g_narrow
                assign rest = w3_key[KEY_W-1:32];
            end
            reg [FOLD_W-1:0] fold; // the rest of the key, folded to FOLD_W bits
            integer f;
            always @* begin
                f = 0;
                fold = {FOLD_W{1'bx}}; // undefined without a walk, as the hash
                if (w3_valid) begin
                    fold = 0;
                    for (f = 0; f < KEY_W - 32; f = f + 1)
                        fold[f % FOLD_W] = fold[f % FOLD_W] ^ rest[f];
                end
            end
            assign w3_name = {fold, w3_hash};
        end else begin : g_no_rest
            assign w3_name = w3_hash;
        end
    endgenerate

    reg              w4_valid;     // a walk is at w4
    reg              w5_selected;  // the page of the walk at w5 is in the sample
    reg [NAME_W-1:0] w4_name;      // name of the page of the walk at w4
    reg [NAME_W-1:0] w5_name;      // name of the page of the walk at w5
    reg [16:0]       w4_threshold; // the threshold for the walk at w4: five cycles ahead of `threshold`, which is for w9
    always @(posedge clk) begin
        w4_valid    <= w3_valid && !rst;
        w5_selected <= w4_valid && {1'b0, w4_name[31:16]} < w4_threshold && !rst;
        if (w3_valid)
            w4_name <= w3_name;
        if (w4_valid)
            w5_name <= w4_name;
    end

    // ---- w5: whose turn it is
    // _selected: the walk's page is in the sample; _scrub: the turn is a SCRUB's; _lookup: the turn is an ACCESS's; _clear: the set
    // is cleared; _pass: a pass of SCRUBs was under way at w5
    reg                w6_selected;
    reg                w6_scrub;
    reg                w6_lookup;
    reg                w6_clear;
    reg                w6_pass;
    reg                w7_selected;
    reg                w7_scrub;
    reg                w7_lookup;
    reg                w7_clear;
    reg                w7_pass;
    reg                w8_selected;
    reg                w8_scrub;
    reg                w8_lookup;
    reg                w8_clear;
    reg                w8_pass;
    reg                w9_selected;
    reg                w9_scrub;
    reg                w9_lookup;
    reg                w9_clear;
    reg                w9_pass;

    reg                scrub_due; // a SCRUB that scrub_owed asked for is pending
    reg  [COUNT_W-1:0] pass;      // number of SCRUBs of the pass that are still to come
    reg                passing;   // pass > 0
    reg  [WAIT_W-1:0]  refused;   // number of cycles that the SCRUB has waited for a turn
    reg                overdue;   // refused is at its end: the SCRUB takes the next turn
    reg  [SET_W-1:0]   scrub_set; // set of the next SCRUB
    reg  [WAYI_W-1:0]  scrub_way; // way of the next SCRUB
    reg  [5:1]         lowering;  // bit k: a THRESH began k cycles ago
    wire               wanted   = scrub_due || passing; // a SCRUB is pending
    // An ACCESS that was compared with the threshold before THRESH is followed by a turn without a SCRUB (reserved turn): a SCRUB would
    // remove the entry of this ACCESS.
    wire               w5_scrub = wanted && !lowering[2] && ((!w5_selected && scrub_calm) || overdue) && !clear;
    // the set of the walk at w5; the set that the turn reads
    wire [SET_W-1:0]   w5_of_walk = SETS > 1 ? w5_name[SET_W-1:0] : {SET_W{1'b0}};
    wire [SET_W-1:0]   w5_set = clearing ? clear_at[SET_W-1:0] : w5_scrub ? scrub_set : w5_of_walk;
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
            // a SCRUB of a pass that is at w5 to w8 at the pulse serves the pulse too
            scrub_due <= !clear && ((scrub_owed && !w5_scrub && !w6_scrub && !w7_scrub && !w8_scrub) || (scrub_due && !w5_scrub));
            if (lowering[1]) begin
                pass    <= ENTRIES[COUNT_W-1:0];
                passing <= 1'b1;
            end else if (w5_scrub && passing) begin
                pass    <= pass - 1'b1;
                passing <= pass[COUNT_W-1:1] != 0; // this SCRUB was not the last of the pass
            end
            refused <= w5_scrub || !wanted ? {WAIT_W{1'b0}} : refused + 1'b1;
            overdue <= !w5_scrub && wanted && (overdue || refused == LAST_WAIT[WAIT_W-1:0]);
            if (w5_scrub) begin
                scrub_way <= scrub_way == LAST_WAY[WAYI_W-1:0] ? {WAYI_W{1'b0}} : scrub_way + 1'b1;
                if (scrub_way == LAST_WAY[WAYI_W-1:0])
                    scrub_set <= scrub_set == LAST_SET[SET_W-1:0] ? {SET_W{1'b0}} : scrub_set + 1'b1;
            end
        end

    reg  [TAG_W-1:0]  w6_tag;   // tag of the page of the walk at w6, and so on
    reg  [TAG_W-1:0]  w7_tag;
    reg  [TAG_W-1:0]  w8_tag;
    reg  [TAG_W-1:0]  w9_tag;
    reg  [15:0]       w10_rank; // rank of the page of the turn that was at w9 in the cycle before
    reg  [15:0]       w11_rank; // rank of the page of the turn that was at w9 two cycles before
    reg  [SET_W-1:0]  w6_set;   // set of the turn at w6, and so on
    reg  [SET_W-1:0]  w7_set;
    reg  [SET_W-1:0]  w8_set;
    reg  [SET_W-1:0]  w9_set;
    reg  [WAYI_W-1:0] w6_way;   // way of the SCRUB at w6, and so on
    reg  [WAYI_W-1:0] w7_way;
    reg  [WAYI_W-1:0] w8_way;
    reg  [WAYI_W-1:0] w9_way;
    reg  [WAYS-1:0]   w7_mine;  // way of the SCRUB at w7, one bit a way; 0 without a SCRUB
    reg  [WAYS-1:0]   w8_mine;  // way of the SCRUB at w8, one bit a way; 0 without a SCRUB
    // _live: the stage holds a turn or a set to clear. Else its registers keep their values, and signals that follow from the registers are undefined.
    wire              w5_live = w5_selected || wanted || clearing;
    wire              w6_live = w6_lookup || w6_scrub || w6_clear;
    wire              w7_live = w7_lookup || w7_scrub || w7_clear;
    wire              w8_live = w8_lookup || w8_scrub || w8_clear;
    wire              w9_live = w9_lookup || w9_scrub;
    reg               w10_live;
    integer w;
    always @(posedge clk) begin
        w6_selected <= w5_selected && !rst;
        w6_scrub    <= w5_scrub && !rst;
        w6_lookup   <= w5_selected && !w5_scrub && !rst;
        w6_clear    <= clearing && !rst;
        w6_pass     <= passing && !rst;
        w7_selected <= w6_selected && !rst;
        w7_scrub    <= w6_scrub && !rst;
        w7_lookup   <= w6_lookup && !rst;
        w7_clear    <= w6_clear && !rst;
        w7_pass     <= w6_pass && !rst;
        w8_selected <= w7_selected && !rst;
        w8_scrub    <= w7_scrub && !rst;
        w8_lookup   <= w7_lookup && !rst;
        w8_clear    <= w7_clear && !rst;
        w8_pass     <= w7_pass && !rst;
        w9_selected <= w8_selected && !rst;
        w9_scrub    <= w8_scrub && !rst;
        w9_lookup   <= w8_lookup && !rst;
        w9_clear    <= w8_clear && !rst;
        w9_pass     <= w8_pass && !rst;
        w10_live    <= w9_live && !rst;
        if (w5_live) begin
            w6_tag <= w5_name[NAME_W-1:LOW];
            w6_set <= w5_set;
            w6_way <= scrub_way;
        end
        if (w6_live) begin
            w7_tag <= w6_tag;
            w7_set <= w6_set;
            w7_way <= w6_way;
        end
        if (w7_live) begin
            w8_tag <= w7_tag;
            w8_set <= w7_set;
            w8_way <= w7_way;
        end
        if (w8_live) begin
            w9_tag <= w8_tag;
            w9_set <= w8_set;
            w9_way <= w8_way;
        end
        if (w9_live)
            w10_rank <= w9_tag[RANK +: 16];
        if (w10_live)
            w11_rank <= w10_rank;
        for (w = 0; w < WAYS; w = w + 1)
            w7_mine[w] <= w6_scrub && w6_way == w[WAYI_W-1:0];
        w8_mine <= w7_mine;
    end

    // ---- the turns before: the ways that these turns write, one bit a way
    reg  [WAYS-1:0]   w9_ways;    // the way that the turn at w9 is about
    wire              w9_removed; // the SCRUB at w9 removes its entry
    wire [WAYS-1:0]   w9_put  = w9_ways & {WAYS{w9_lookup}};  // the way that the ACCESS at w9 writes
    wire [WAYS-1:0]   w9_gone = w9_ways & {WAYS{w9_removed}}; // the way that the SCRUB at w9 removes
    reg  [WAYS-1:0]   w10_put;    // w9_put, a cycle later
    reg  [WAYS-1:0]   w10_gone;   // w9_gone, a cycle later
    wire [LAST_W-1:0] w9_last = {w9_class, w9_time}; // class and last access that the ACCESS at w9 writes
    reg  [LAST_W-1:0] w10_last;   // w9_last, a cycle later
    reg  [LAST_W-1:0] w11_last;   // w9_last, two cycles later
    // Seen from w5, the turns at w6, w7, w8, w9 are turns 1, 2, 3, 4. Early compare: has turn k the same set, the same tag?
    wire [4:1]        set_of_walk  = {w9_set == w5_of_walk, w8_set == w5_of_walk, w7_set == w5_of_walk, w6_set == w5_of_walk};
    wire [4:1]        set_of_scrub = {w9_set == scrub_set, w8_set == scrub_set, w7_set == scrub_set, w6_set == scrub_set};
    wire [TAG_W-1:0]  w5_tag = w5_name[NAME_W-1:LOW];
    reg  [4:1]        w6_sets;    // bit k: turn k is at the set of the turn at w6
    reg  [4:1]        w6_tags;    // bit k: turn k has the tag of the turn at w6
    reg  [4:1]        w7_tags;    // bit k: turn k has the tag of the turn at w7
    reg  [3:1]        w7_sets;    // bit k: turn k is at the set of the turn at w7
    reg               w8_tag1;    // turn 1 has the tag of the turn at w8
    reg               w7_puts2;   // turn 2 is an ACCESS of the same set
    reg               w8_puts1;   // turn 1 is an ACCESS of the same set
    reg  [WAYS-1:0]   w7_put4;    // the way of the same set that turn 4 has written
    reg  [WAYS-1:0]   w7_gone4;   // the way of the same set that turn 4 has removed
    always @(posedge clk) begin
        if (w5_live) begin
            w6_sets <= w5_scrub ? set_of_scrub : set_of_walk;
            w6_tags <= {w9_tag == w5_tag, w8_tag == w5_tag, w7_tag == w5_tag, w6_tag == w5_tag};
        end
        if (w6_live) begin
            w7_sets  <= w6_sets[3:1];
            w7_tags  <= w6_tags;
            w7_puts2 <= w8_lookup && w6_sets[2];
            w7_put4  <= w10_put & {WAYS{w6_sets[4]}};
            w7_gone4 <= w10_gone & {WAYS{w6_sets[4]}};
        end
        if (w7_live) begin
            w8_puts1 <= w8_lookup && w7_sets[1];
            w8_tag1  <= w7_tags[1];
        end
    end

    // ---- w6: the set comes, a RAM a way: {valid, tag, class, last}; w7: the set as read; w8: the set after the turns 2 to 4
    // A tag is compared in PARTS, whose results meet at w8.
    // With EARLY the set is read at w6 instead of w5, without a register behind the RAM. What the turns write that are in front is forwarded
    // both ways.
    localparam PARTS  = 2;
    localparam PART_W = (TAG_W + PARTS - 1) / PARTS;
`ifdef GMMU_ASIC_RAM
    localparam EARLY = 1; // outputs of RAMs are early
`else
    localparam EARLY = 0;
`endif
    reg  [WAYS-1:0]        w7_odd;   // the entry is corrupt in the RAM, and none of the turns 2 to 4 has changed the entry
    reg  [WAYS-1:0]        w8_odd;   // w7_odd, of the turn at w8
    reg  [WAYS-1:0]        w8_was;   // bit valid of the entry as read
    reg                    met_odd;  // late count: the turn that was at w8 met a corrupt entry
    reg  [WAYS-1:0]        w8_valid; // the entry is valid, but for turn 1
    reg  [WAYS-1:0]        w8_known; // w8_same says whether the entry matches; else w8_equal does
    reg  [WAYS-1:0]        w8_same;  // the entry has the tag, after the writes of turns 2 to 4
    wire [WAYS-1:0]        w8_equal; // the entry as read has the tag
    wire [WAYS*TIME_W-1:0] w7_times; // time of the last access, of the entries as read
    wire [WAYS*16-1:0]     w7_ranks; // rank, of the entries as read
    wire [WAYS*LAST_W-1:0] w9_lasts; // {class, last}, of the entries that the turn at w9 meets; with EARLY those of w8, as turn 1 leaves them
    // the way that turn k (1, 2, 3) writes or removes, if turn k is at the same set
    wire [WAYS-1:0]        w7_put2  = w9_ways & {WAYS{w7_puts2}};
    wire [WAYS-1:0]        w7_put3  = w10_put & {WAYS{w7_sets[3]}};
    wire [WAYS-1:0]        w7_gone2 = w9_gone & {WAYS{w7_sets[2]}};
    wire [WAYS-1:0]        w7_gone3 = w10_gone & {WAYS{w7_sets[3]}};
    wire [WAYS-1:0]        w8_put1  = w9_ways & {WAYS{w8_puts1}};
    // as the turns 3 and 4 leave the set: turn 3 does not remove an entry that turn 4 has written (see w5_scrub)
    wire [WAYS-1:0]        w7_put34 = w7_put3 | w7_put4;
    wire [WAYS-1:0]        w7_tag34 = (w7_put3 & {WAYS{w7_tags[3]}}) | (~w7_put3 & {WAYS{w7_tags[4]}});
    wire [WAYS-1:0]        w7_other = w7_put3 | w7_put4 | w7_gone3 | w7_gone4; // the entry is not the RAM's
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            localparam KEPT_W = E_W + (PARITY != 0 ? 1 : 0);
            wire [E_W-1:0]    put = {w9_lookup, w9_tag, w9_last};
            wire [KEPT_W-1:0] ram;   // word that the RAM reads
            wire [KEPT_W-1:0] kept;  // word that the RAM writes
            wire [KEPT_W-1:0] word;  // the word as read, at w7
            wire              valid; // bit valid of the word
            wire [TAG_W-1:0]  tag;   // tag of the word
            wire [LAST_W-1:0] last;  // {class, last} of the word
            assign {valid, tag, last} = word[E_W-1:0];
            wire              odd = PARITY != 0 && ^word;
            if (PARITY != 0) begin : g_parity
                assign kept = {^put, put};
            end else begin : g_bare
                assign kept = put;
            end
            reg  [LAST_W-1:0]       w8_last;     // {class, last} of the way as the turns 2 to 4 leave the way
            reg  [PARTS-1:0]        w7_parts;    // the parts of the tag that are equal
            reg  [PARTS-1:0]        w8_parts;    // w7_parts, a cycle later
            wire [PARTS*PART_W-1:0] differ = {{PARTS*PART_W-TAG_W{1'b0}}, tag ^ w7_tag};
            integer c;
            always @*
                for (c = 0; c < PARTS; c = c + 1)
                    w7_parts[c] = differ[c*PART_W +: PART_W] == 0;
            assign w8_equal[g] = &w8_parts;
            gmmu_ram_sdp #(
                .WIDTH(KEPT_W),
                .DEPTH(SETS),
                .ADDR_W(SET_W)
            ) way_ram (
                .clk(clk),
                .we(w9_clear || w9_put[g] || w9_gone[g]),
                .waddr(w9_set),
                .wdata(kept),
                .re(1'b1),
                .raddr(EARLY != 0 ? w6_set : w5_set),
                .rdata(ram)
            );
            if (EARLY != 0) begin : g_early
                assign word = ram;
            end else begin : g_late
                reg [KEPT_W-1:0] ram_later; // in every cycle: the mapper may use the RAM's output register
                always @(posedge clk)
                    ram_later <= ram;
                assign word = ram_later;
            end
            // An ACCESS takes a corrupt entry for free. A SCRUB removes the entry without a record.
            always @*
                w7_odd[g] = odd && !w7_put2[g] && !w7_gone2[g] && !w7_other[g];
            always @(posedge clk) begin
                if (w7_live) begin
                    w8_odd[g]   <= w7_odd[g];
                    w8_was[g]   <= valid;
                    w8_valid[g] <= w7_put2[g] || (!w7_gone2[g] && (w7_put34[g] || (odd ? w7_scrub && !w7_other[g] : valid && !w7_other[g])));
                    w8_parts    <= w7_parts;
                    w8_known[g] <= w7_put2[g] || w7_gone2[g] || w7_other[g] || !valid || odd || w7_scrub; // a SCRUB matches nothing
                    w8_same[g]  <= !w7_scrub &&
                                   (w7_put2[g] ? w7_tags[2] : !w7_gone2[g] && w7_put34[g] && w7_tag34[g]);
                    w8_last     <= w7_put2[g] ? w9_last : w7_put3[g] ? w10_last : w7_put4[g] ? w11_last : last;
                end
            end
            wire [LAST_W-1:0] w8_way_last = w8_put1[g] ? w9_last : w8_last; // {class, last} of the way as turn 1 leaves the way
            if (EARLY != 0) begin : g_one_last
                assign w9_lasts[g*LAST_W +: LAST_W] = w8_way_last;
            end else begin : g_each_last
                reg [LAST_W-1:0] w9_way_last; // w8_way_last, a cycle later
                always @(posedge clk)
                    if (w8_live)
                        w9_way_last <= w8_way_last;
                assign w9_lasts[g*LAST_W +: LAST_W] = w9_way_last;
            end
            assign w7_times[g*TIME_W +: TIME_W] = last[TIME_W-1:0];
            assign w7_ranks[g*16 +: 16]         = tag[RANK +: 16];
        end
    endgenerate

    // Which of two ways is older: by the RAM, then after the writes of turns 2 to 4. No age reaches 2^(TIME_W-1): the difference of two
    // stamps has the sign of their order.
    localparam PAIRS = WAYS * WAYS;
    reg  [PAIRS-1:0]  w8_older;     // bit i * WAYS + j, i < j: way i is older than way j, or equal, by the RAM
    reg  [PAIRS-1:0]  w8_older_set; // bit i * WAYS + j: way i is older than way j, as the turns 2 to 4 wrote way j, and not way i later
    reg  [WAYS-1:0]   w8_younger;   // bit i: the turns 2 to 4 wrote way i: by the RAM nothing is known of the way
    reg  [PAIRS-1:0]  w7_older;     // w8_older, a cycle before
    reg  [TIME_W-1:0] newer;        // difference of two stamps
    wire              unused_newer = &{1'b0, newer};
    integer i, j;
    always @* begin
        {i, j} = 0;
        w7_older = 0;
        newer    = 0;
        if (w7_lookup)
            for (i = 0; i < WAYS; i = i + 1)
                for (j = i + 1; j < WAYS; j = j + 1) begin
                    newer = w7_times[j*TIME_W +: TIME_W] - w7_times[i*TIME_W +: TIME_W];
                    w7_older[i*WAYS + j] = !newer[TIME_W-1];
                end
        else
            w7_older = {PAIRS{1'bx}};
    end
    integer n;
    always @(posedge clk)
        if (w7_lookup) begin
            w8_older   <= w7_older;
            w8_younger <= w7_put2 | w7_put3 | w7_put4;
            for (n = 0; n < WAYS; n = n + 1)
                w8_older_set[n*WAYS +: WAYS] <= w7_put2 | ({WAYS{!w7_put2[n]}} & (w7_put3 | (w7_put4 & {WAYS{!w7_put3[n]}})));
        end

    // the entry that a SCRUB visits
    reg [15:0]       w7_rank; // rank of the entry as read
    reg [15:0]       w8_rank; // rank of the entry as the turns 2 to 4 leave the entry
    reg [TIME_W-1:0] w7_time; // time of the last access of the entry as read
    reg [TIME_W-1:0] w8_time; // time of the last access as the turns 2 to 4 leave the entry
    reg              w7_was2; // turn 2 writes the entry
    reg              w7_was3; // turn 3 writes the entry
    reg              w7_was4; // turn 4 writes the entry
    integer k;
    always @* begin
        k = 0;
        w7_rank = 0;
        w7_time = 0;
        {w7_was2, w7_was3, w7_was4} = 3'b000;
        if (w7_scrub)
            for (k = 0; k < WAYS; k = k + 1) begin
                w7_rank = w7_rank | (w7_ranks[k*16 +: 16] & {16{w7_mine[k]}});
                w7_time = w7_time | (w7_times[k*TIME_W +: TIME_W] & {TIME_W{w7_mine[k]}});
                w7_was2 = w7_was2 || (w7_put2[k] && w7_mine[k]);
                w7_was3 = w7_was3 || (w7_put3[k] && w7_mine[k]);
                w7_was4 = w7_was4 || (w7_put4[k] && w7_mine[k]);
            end
        else
            {w7_rank, w7_time, w7_was2, w7_was3, w7_was4} = {19+TIME_W{1'bx}};
    end
    always @(posedge clk)
        if (w7_scrub) begin
            w8_rank <= w7_was2 ? w9_tag[RANK +: 16] : w7_was3 ? w10_rank : w7_was4 ? w11_rank : w7_rank;
            w8_time <= w7_was2 ? w9_time : w7_was3 ? w10_last[TIME_W-1:0] : w7_was4 ? w11_last[TIME_W-1:0] : w7_time;
        end

    // ---- w8: turn 1 is applied, and the way of the turn is known: the way of SCRUB; the hit; the first free way; the oldest way
    // Late select: `less` arrives last. less: turn 1 is a SCRUB of the same set that removes its entry. The names with _less
    // are the outcomes for less 1.
    reg  [WAYS-1:0]   held;         // the ways that match, but for turn 1
    reg  [WAYS-1:0]   valids;       // the ways that are valid
    reg  [WAYS-1:0]   match;        // the ways that match
    reg  [WAYS-1:0]   free;         // the first free way
    reg  [WAYS-1:0]   oldest;       // the way whose last access is the oldest, the lowest of equals
    reg  [WAYS-1:0]   older;        // the ways that way m is older than
    reg  [WAYS-1:0]   behind;       // the ways above way m
    reg  [WAYS-1:0]   valid_less;
    reg  [WAYS-1:0]   match_less;   // for a SCRUB: its own way
    reg  [WAYS-1:0]   free_less;
    reg  [WAYS-1:0]   way;          // the way that the turn is about
    reg               any;          // some way matches
    reg               any_less;
    reg               w8_was1;      // turn 1 writes the entry of the SCRUB at w8
    reg               w8_there;     // the entry of the SCRUB at w8 is valid, but for the write of turn 1
    reg               w8_lost;      // the entry of the SCRUB at w8 is corrupt
    reg               w8_empty;     // the entry of the SCRUB at w8 is invalid in the RAM
    reg  [16:0]       w8_threshold; // the threshold for w9 in the next cycle
    reg  [WAYS-1:0]   w9_bad;       // the corrupt entries that count: an ACCESS that replaces such an entry adds none
    reg               w9_lost;      // the entry of the SCRUB at w9 is corrupt
    reg               w9_empty;     // the entry of the SCRUB at w9 is corrupt, and invalid in the RAM
    reg               w9_hit;       // the page of the ACCESS at w9 has an entry
    reg               w9_full;      // all ways of the set are valid
    reg               w9_there;     // the entry of the SCRUB at w9 is valid, and not just written by turn 1
    reg               w9_there1;    // w9_there, and the turn at w8 is at the same set
    reg               w9_in;        // the entry of the SCRUB at w9 is below the threshold, and not corrupt
    reg  [1:0]        w9_age;       // upper bits of the age of the entry of the SCRUB at w9: 0 while young enough
    wire              w9_out  = !w9_in || w9_age != 0;
    wire              less    = w9_there1 && w9_out;
    wire [17:0]       w8_over = {2'b00, w8_rank} - {1'b0, w8_threshold};
    wire [TIME_W-1:0] w8_age = w9_time - w8_time; // w9_time is `now` of the next cycle
    wire              unused_age = &{1'b0, w8_age[TIME_W-3:0], w8_over[16:0]};

    function [WAYS-1:0] lowest_zero(input [WAYS-1:0] v);
        integer l;
        reg     all;
        begin
            all = 1'b1;
            lowest_zero = {WAYS{1'b0}};
            for (l = 0; l < WAYS; l = l + 1) begin
                lowest_zero[l] = all && !v[l];
                all = all && v[l];
            end
        end
    endfunction

    integer m;
    always @* begin
        m = 0;
        held     = {WAYS{1'bx}};
        valids   = {WAYS{1'bx}};
        match    = {WAYS{1'bx}};
        free     = {WAYS{1'bx}};
        oldest   = {WAYS{1'bx}};
        {older, behind} = {2*WAYS{1'bx}};
        way      = {WAYS{1'bx}};
        {valid_less, match_less, free_less} = {3*WAYS{1'bx}};
        {any, any_less, w8_was1, w8_there, w8_lost, w8_empty} = 6'bxxxxxx;
        if (w8_live) begin
            held     = w8_same | (~w8_known & w8_equal);
            valids   = w8_put1 | w8_valid;
            match    = (w8_put1 & {WAYS{w8_tag1}}) | (held & ~w8_put1);
            free     = lowest_zero(valids);
            any      = match != 0;
            valid_less = w8_valid & ~w9_ways;
            match_less = (held & ~w9_ways) | w8_mine;
            free_less  = lowest_zero(valid_less);
            any_less   = match_less != 0;
            oldest   = {WAYS{1'b1}};
            for (m = 0; m < WAYS; m = m + 1) begin // way m against each way above m: is way m older
                behind = {WAYS{1'b1}} << m << 1;
                older  = w8_put1 | ({WAYS{!w8_put1[m]}} & (w8_older_set[m*WAYS +: WAYS] |
                                    ({WAYS{!w8_younger[m]}} & w8_older[m*WAYS +: WAYS])));
                oldest = oldest & ~(older & behind);
                if ((~older & behind) != 0)
                    oldest[m] = 1'b0;
            end
            w8_was1  = (w8_put1 & w8_mine) != 0;
            w8_lost  = w8_scrub && (w8_odd & ~w8_put1 & w8_mine) != 0;
            w8_empty = (w8_was & w8_mine) == 0;
            w8_there = (w8_valid & ~(w9_ways & {WAYS{less}}) & w8_mine) != 0;
            way      = less || w8_scrub ? (any_less ? match_less : free_less) :
                       any ? match : free | (oldest & {WAYS{&valids}});
        end
    end
    always @(posedge clk) begin
        if (w8_live) begin
            w9_ways <= way;
            w9_hit  <= less ? any_less : any;
            w9_full <= &valids && !less;
            w9_in   <= w8_over[17] && !w8_lost;
            w9_bad  <= w8_odd & w8_was & ~w8_put1 & ~(w9_ways & {WAYS{less}});
            w9_lost  <= w8_lost;
            w9_empty <= w8_lost && w8_empty;
            w9_age  <= w8_age[TIME_W-1:TIME_W-2];
        end
        // an entry that turn 1 has just written is in the sample (see w5_scrub) and young
        w9_there  <= w8_scrub && !w8_was1 && w8_there;
        w9_there1 <= w8_scrub && !w8_was1 && w8_there && w7_sets[1];
        if (rst) begin
            w9_there  <= 1'b0;
            w9_there1 <= 1'b0;
        end
    end

    // ---- w9: the entry before and after the turn
    assign w9_removed = w9_there && w9_out;
    // late select: the way is known last, so an FPGA selects behind the registers of all ways. With EARLY one register behind is all.
    wire [LAST_W-1:0] was; // {class, last} of the entry before
    reg  [LAST_W-1:0] chosen; // {class, last} of the way that the turn is about
    wire [WAYS-1:0]   chooses = EARLY != 0 ? way : w9_ways;
    integer q;
    always @* begin
        q = 0;
        chosen = 0;
        if (EARLY != 0 ? w8_live : w9_live)
            for (q = 0; q < WAYS; q = q + 1)
                chosen = chosen | (w9_lasts[q*LAST_W +: LAST_W] & {LAST_W{chooses[q]}});
        else
            chosen = {LAST_W{1'bx}};
    end
    generate
        if (EARLY != 0) begin : g_was_early
            reg [LAST_W-1:0] w9_was;
            always @(posedge clk)
                if (w8_live)
                    w9_was <= chosen;
            assign was = w9_was;
        end else begin : g_was_late
            assign was = chosen;
        end
    endgenerate
    wire [TIME_W-1:0] interval = (w9_scrub ? now : w9_time) - was[TIME_W-1:0];
    always @(posedge clk) begin
        w10_put  <= rst ? {WAYS{1'b0}} : w9_put;
        w10_gone <= rst ? {WAYS{1'b0}} : w9_gone;
        if (w9_live)
            w10_last <= w9_last;
        if (w10_live)
            w11_last <= w10_last;
    end

    reg [16:0] threshold; // the threshold at w9
    assign rec_valid     = w9_lookup && (w9_hit || w9_full);
    assign rec_class     = was[LAST_W-1:TIME_W];
    assign rec_interval  = interval;
    assign rec_censored  = !w9_hit;
    assign srec_valid    = w9_removed && !w9_lost;
    assign srec_class    = was[LAST_W-1:TIME_W];
    assign srec_interval = interval;

    // ---- fixed size: at 7/8 full the threshold falls by an eighth, then one pass of SCRUBs
    reg  [COUNT_W-1:0] occupied;    // number of valid entries
    reg                w10_lookup;  // late count: an ACCESS was at w9
    reg                thresh_owed; // a THRESH is pending
    wire [16:0]        step = w4_threshold[16:3] == 0 ? 17'd1 : {3'd0, w4_threshold[16:3]};
    wire               some = occupied != 0; // (a corrupt word may be removed where no entry was)
    wire               w9_grows = w9_lookup && !w9_hit && !w9_full && (w9_ways & w9_bad) == 0;
    always @(posedge clk) begin
        w10_lookup   <= w9_lookup && !rst;
        occupied    <= occupied + {{COUNT_W-1{1'b0}}, w9_grows} - {{COUNT_W-1{1'b0}}, w9_removed && !w9_empty && some};
        met_odd     <= !rst && ((w8_lookup && w8_odd != 0) || (w8_scrub && (w8_odd & w8_mine) != 0));
        turned      <= !rst && turned != met_odd;
        stat_stolen <= stat_stolen + {31'd0, tvi_stolen};
        // THRESH takes effect in the order of w9: w4 compares with the new threshold five cycles before, w8 one cycle before
        lowering    <= {lowering[4:1], thresh_owed && lowering == 0};
        tvi_thresh_valid <= lowering[5];
        if (thresh_owed && lowering == 0)
            w4_threshold <= w4_threshold - step;
        if (lowering[4])
            w8_threshold <= w4_threshold;
        if (lowering[5])
            threshold <= w4_threshold;
        if (lowering[5])
            thresh_owed <= 1'b0;
        else if (w10_lookup && occupied >= FULL[COUNT_W-1:0] && !w9_pass && threshold != 17'd1)
            thresh_owed <= 1'b1;
        if (rst || clearing) begin
            threshold    <= 17'd65536 >> cfg_sample;
            w8_threshold <= 17'd65536 >> cfg_sample;
            w4_threshold <= 17'd65536 >> cfg_sample;
        end
        if (rst) begin
            occupied    <= 0;
            stat_stolen <= 32'd0;
            lowering    <= 5'd0;
            thresh_owed <= 1'b0;
            tvi_thresh_valid <= 1'b0;
        end
    end

    assign scrubbing = w6_scrub || w7_scrub || w8_scrub || w9_scrub;
    assign idle = !wanted && !scrubbing && !w9_lookup && !w10_lookup &&
                  !thresh_owed && !tvi_thresh_valid && !clear;

    wire [31:0] w9_index = w9_set * WAYS + {{32-WAYI_W{1'b0}}, w9_way};
    wire unused_index = &{1'b0, w9_index[31:INDEX_W]};
    assign tvi_thresh        = threshold;
    assign tvi_scrub_valid   = w9_scrub;
    assign tvi_scrub_index   = w9_index[INDEX_W-1:0];
    assign tvi_scrub_removed = w9_removed;
    assign tvi_selected      = w9_selected;
    assign tvi_stolen        = w9_selected && w9_scrub;
    assign tvi_hit           = w9_lookup && w9_hit;

endmodule
`default_nettype wire
