// SPDX-License-Identifier: Apache-2.0
// hir_cache: which pages walks hit, and how often, for the driver (docs/blocks/hir_cache.md).
//
// One walk a cycle, always. A hit looks its page set up in a set of WAYS entries (read at s1, decided at s4,
// written at s5), takes the next way if it has none, and counts in its entry's counters (read at s6, written
// at s8). A fault that makes a swap due takes the other bank for the walks behind it, if the bank is free: it
// goes down the stages like a hit, so that the log and the counters of the bank before are complete when the
// drain reads them. In its slot one set's header is scrubbed, so that no header outlives the wrap of the
// generation.
//
// A set's header is {generation, ways taken}; ways are taken in order and kept as bits, the low ones first. Within
// an interval they only become more: what several walks before make of a set is the OR of it.
// Up to four walks before have not written yet what a walk reads: their ways and masks are handed on; only that
// of the walk just before is in the loop at s4.
// Source: HPE IV.B, V.C.
`default_nettype none
module hir_cache #(
    parameter VPN_W     = 52,
    parameter ASID_W    = 8,
    // a power of two
    parameter HIR_SETS  = 128,
    // 1 and more, HIR_SETS * HIR_WAYS at most 65535
    parameter HIR_WAYS  = 8,
    // pages of a page set, a power of two
    parameter HIR_PAGES = 16,
    // bits of a counter, HIR_PAGES * HIR_CNT_W at most 64
    parameter HIR_CNT_W = 2,
    // derived, not to be set
    parameter REC_BITS  = ASID_W + VPN_W - $clog2(HIR_PAGES) + HIR_PAGES * HIR_CNT_W,
    parameter HIR_BITS  = REC_BITS > 48 ? REC_BITS : 48
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [15:0]         cfg_transfer, // faults to a swap, as in the cycle before a fault; 0: none ever
    // clearing after reset: one set in each cycle with `clear`; no walks until `cleared`
    input  wire                clear,
    output wire                cleared,
    // a walk: a hit of the page, or a fault
    input  wire                walk_valid, walk_fault,
    input  wire [ASID_W-1:0]   walk_asid,
    input  wire [VPN_W-1:0]    walk_vpn,
    // packets: {seq, n, dropped}, then n records
    output reg  [HIR_BITS-1:0] m_tdata,
    output reg                 m_tvalid,
    output reg                 m_tlast,
    input  wire                m_tready,
    output wire                idle,         // no walk under way, no packet leaving
    output reg  [31:0]         stat_drops,   // hits without a way
    output reg  [31:0]         stat_skipped, // swaps skipped as the other bank was not free
    // tvi: the walk that came five cycles before: HIT and its outcome (0 counted, 1 first touch, 2 dropped);
    // FAULT, whether it made DRAIN_SWAP due, and whether that closed a packet
    output wire                tvi_hit,
    output wire [1:0]          tvi_outcome,
    output wire                tvi_fault,
    output wire                tvi_due,
    output wire                tvi_swap
);

    localparam SETS    = HIR_SETS;
    localparam WAYS    = HIR_WAYS;
    localparam PAGES   = HIR_PAGES;
    localparam LOW     = $clog2(SETS);             // bits of a set, 0 if there is one
    localparam SET_W   = LOW > 0 ? LOW : 1;
    localparam WAY_B   = $clog2(WAYS);
    localparam WAY_W   = WAY_B > 0 ? WAY_B : 1;
    localparam ENTRY_W = LOW + WAY_B > 0 ? LOW + WAY_B : 1; // an entry's place: {set, way}
    localparam PAGE_B  = $clog2(PAGES);
    localparam PAGE_W  = PAGE_B > 0 ? PAGE_B : 1;
    localparam PSA_W   = VPN_W - PAGE_B;           // bits of a page set's number
    localparam HIGH_W  = PSA_W > LOW ? PSA_W - LOW : 0;
    localparam TAG_W   = ASID_W + HIGH_W;          // {upper page-set number, asid}: with the set, all of it
    localparam CNTS_W  = PAGES * HIR_CNT_W;
    // a set is scrubbed every SETS swaps; twice as many generations
    localparam GEN_W   = LOW + 1;
    localparam N_W     = $clog2(SETS * WAYS + 1);
    localparam LOG_W   = SETS * WAYS > 1 ? $clog2(SETS * WAYS) : 1;
    localparam LONG    = 97;                       // longer than asid and page set together
    localparam [LONG-1:0] LOW_ONES = (97'd1 << LOW) - 1'b1;

    generate
        if ((SETS & (SETS - 1)) != 0 || SETS < 1 || WAYS < 1 || SETS * WAYS > 65535) begin : g_bad_sets
            HIR_SETS_must_be_a_power_of_two_and_HIR_SETS_times_HIR_WAYS_1_to_65535 stop_here();
        end
        if ((PAGES & (PAGES - 1)) != 0 || PAGES < 1 || HIR_CNT_W < 1 || CNTS_W > 64) begin : g_bad_pages
            HIR_PAGES_must_be_a_power_of_two_and_HIR_PAGES_times_HIR_CNT_W_1_to_64 stop_here();
        end
        if (VPN_W > 64 || PSA_W < 1 || ASID_W < 1 || ASID_W > 32) begin : g_bad_walk
            VPN_W_or_ASID_W_out_of_range stop_here();
        end
    endgenerate

    // ---- p: where the walk goes; clearing after reset
    reg  [SET_W:0]   clear_at;
    reg  [SET_W-1:0] scrub_at;
    reg  [2:0]       written;       // the last set is being written
    assign cleared = written[2];
    wire clearing = clear && !clear_at[LOW]; // SETS is a power of two
    always @(posedge clk) begin
        written  <= rst ? 3'd0 : {written[1:0], clear_at[LOW]};
        clear_at <= rst ? {SET_W+1{1'b0}} : clear_at + {{SET_W{1'b0}}, clearing};
    end

    wire [LONG-1:0] p_asid  = {{LONG-ASID_W{1'b0}}, walk_asid};
    wire [LONG-1:0] p_set   = {{LONG-PSA_W{1'b0}}, walk_vpn[VPN_W-1:PAGE_B]};
    wire [LONG-1:0] p_index = (p_set ^ p_asid) & LOW_ONES;
    wire [LONG-1:0] p_tag   = (p_set >> LOW << ASID_W) | p_asid;
    wire unused_p = &{1'b0, p_index[LONG-1:SET_W], p_tag[LONG-1:TAG_W]};

    reg              s1_hit, s1_fault, s1_clear;
    reg [SET_W-1:0]  s1_index, s2_index, s3_index, s4_index, s5_index;
    reg [TAG_W-1:0]  s1_tag, s2_tag, s3_tag, s4_tag, s5_tag, s6_tag;
    reg [PAGE_W-1:0] s1_page, s2_page, s3_page, s4_page, s5_page, s6_page;
    always @(posedge clk) begin
        s1_hit   <= walk_valid && !walk_fault && !rst;
        s1_fault <= walk_valid && walk_fault && !rst;
        s1_clear <= clearing && !rst;
        if (walk_valid || clearing) begin
            // (a fault that swaps scrubs)
            s1_index <= clearing ? clear_at[SET_W-1:0] : walk_fault ? scrub_at : p_index[SET_W-1:0];
            s1_tag   <= p_tag[TAG_W-1:0];
            s1_page  <= PAGES > 1 ? walk_vpn[PAGE_W-1:0] : {PAGE_W{1'b0}};
        end
    end

    // ---- s1: FAULT and DRAIN_SWAP; the directory is read, the walks before are compared
    // Whether the next fault is due is worked out a cycle ahead: of what is counted, and of one fault more
    reg  [15:0]      minus, minus1; // -cfg_transfer, one more
    reg              one, none, never; // cfg_transfer is 1; 0; 0, as s1 takes it
    reg              reached;       // a fault at s1 is due
    reg  [15:0]      faults;        // since the last that was due; less than 65535
    reg              other_free;    // the other bank: its last beat was taken
    reg              bank;          // of the walks at s1, s2
    reg  [GEN_W-1:0] gen;           // likewise
    wire             s1_due  = s1_fault && reached;
    wire             s1_swap = s1_due && other_free;
    wire             s1_anew = reached || never;
    // (the lowest bit carries a one in)
    wire [17:0]      as_is   = {1'b0, faults, 1'b1} + {1'b0, minus, 1'b1};
    wire [17:0]      one_up  = {1'b0, faults, 1'b1} + {1'b0, minus1, 1'b1};
    wire unused_s1 = &{1'b0, as_is[16:0], one_up[16:0]};
    always @(posedge clk) begin
        minus   <= 16'd0 - cfg_transfer;
        minus1  <= 16'd1 - cfg_transfer;
        one     <= cfg_transfer == 16'd1;
        none    <= cfg_transfer == 16'd0;
        never   <= none;
        reached <= one || (s1_fault ? !s1_anew && one_up[17] : as_is[17]);
        if (s1_fault)
            faults <= s1_anew ? 16'd0 : faults + 1'b1;
        if (s1_swap) begin
            bank     <= !bank;
            gen      <= gen + 1'b1;
            scrub_at <= LOW > 0 ? scrub_at + 1'b1 : {SET_W{1'b0}};
        end
        other_free <= !s1_swap && (other_free || (m_tvalid && m_tready && m_tlast));
        if (rst) begin
            faults     <= 16'd0;
            bank       <= 1'b0;
            gen        <= 0;
            scrub_at   <= 0;
            other_free <= 1'b1;
        end
    end

    reg s2_hit, s2_fault, s2_due, s2_swap, s2_wipe; // wipe: the header is written with no way taken
    reg s3_hit, s3_fault, s3_due, s3_swap, s3_wipe, s3_bank;
    reg s4_hit, s4_fault, s4_due, s4_swap, s4_wipe, s4_bank;
    reg s5_hit, s5_fault, s5_due, s5_swap, s5_wipe, s5_bank;
    reg s6_swap, s6_skip, s6_drop, s6_first, s6_counts, s6_bank; // first: starts from 0
    reg s7_swap, s7_counts, s7_bank;
    reg s8_counts, s8_bank;
    reg s5_first;
    wire s2_live = s2_hit || s2_wipe;
    wire s3_live = s3_hit || s3_wipe;
    wire s4_live = s4_hit || s4_wipe;
    wire s5_live = s5_hit || s5_wipe;

    // Hits before, the last to the fourth last: at the same set in the same interval; with the same tag
    // too. A tag is compared in PARTS.
    localparam PART_W = 8;
    localparam PARTS  = (TAG_W + PART_W - 1) / PART_W;
    function [PARTS-1:0] parts(input [TAG_W-1:0] a, input [TAG_W-1:0] b);
        integer i;
        reg [PART_W*PARTS-1:0] differ;
        begin
            differ = 0;
            differ[TAG_W-1:0] = a ^ b;
            for (i = 0; i < PARTS; i = i + 1)
                parts[i] = differ[PART_W*i +: PART_W] == 0;
        end
    endfunction
    wire [4:1] s1_at   = {s5_index == s1_index, s4_index == s1_index, s3_index == s1_index, s2_index == s1_index};
    wire [4:1] s1_bank = {s5_bank == bank, s4_bank == bank, s3_bank == bank, 1'b1};
    wire [4:1] s1_set  = s1_at & s1_bank & {s5_hit, s4_hit, s3_hit, s2_hit};
    wire       s5_writes = s5_first || s5_wipe;
    reg  [4:1] s2_set;
    reg        s2_clash; // the header was written while it was read, and a way with it unless it was scrubbed
    reg  [PARTS-1:0] s2_parts1, s2_parts2, s2_parts3, s2_parts4;
    always @(posedge clk) begin
        s2_hit   <= s1_hit && !rst;
        s2_fault <= s1_fault && !rst;
        s2_due   <= s1_due && !rst;
        s2_swap  <= s1_swap && !rst;
        s2_wipe  <= (s1_swap || s1_clear) && !rst;
        if (s1_hit || s1_fault || s1_clear) begin
            s2_index <= s1_index;
            s2_tag   <= s1_tag;
            s2_page  <= s1_page;
        end
        if (s1_hit) begin
            s2_set    <= s1_set;
            s2_clash  <= s1_at[4] && s5_writes;
            s2_parts1 <= parts(s1_tag, s2_tag);
            s2_parts2 <= parts(s1_tag, s3_tag);
            s2_parts3 <= parts(s1_tag, s4_tag);
            s2_parts4 <= parts(s1_tag, s5_tag);
        end
    end

    // ---- s2: the set as the RAMs have it
    reg  [WAYS-1:0]  s5_way, s5_mask;  // the walk's way, none if it was dropped; ways taken after it
    reg  [WAYS-1:0]  s6_way, s6_mask, s6_before;
    reg  [WAYS-1:0]  s7_way, s7_mask;
    reg  [GEN_W-1:0] s5_gen;
    wire [GEN_W-1:0] h_gen;
    wire [WAYS-1:0]  h_mask;
    ram_sdp #(.WIDTH(GEN_W + WAYS), .DEPTH(SETS), .ADDR_W(SET_W)) header_ram (
        .clk(clk), .we(s5_writes), .waddr(s5_index), .wdata({s5_gen, s5_mask}),
        .re(s1_hit), .raddr(s1_index), .rdata({h_gen, h_mask})
    );
    wire s2_now  = h_gen == gen && !s2_clash;
    wire s2_prev = s2_clash && s2_set[4];
    reg  [WAYS-1:0] s3_mask;  // ways taken when the RAMs were read
    wire [WAYS-1:0] s3_equal;
    reg  [4:1]      s3_same;  // set and tag
    reg  [4:1]      s3_set;
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            wire [TAG_W-1:0] tag;
            reg  [PARTS-1:0] s3_parts;
            ram_sdp #(.WIDTH(TAG_W), .DEPTH(SETS), .ADDR_W(SET_W)) tag_ram (
                .clk(clk), .we(s5_first && s5_way[g]), .waddr(s5_index), .wdata(s5_tag),
                .re(s1_hit), .raddr(s1_index), .rdata(tag)
            );
            always @(posedge clk)
                if (s2_hit)
                    s3_parts <= parts(s2_tag, tag);
            assign s3_equal[g] = &s3_parts;
        end
    endgenerate
    always @(posedge clk) begin
        s3_hit   <= s2_hit && !rst;
        s3_fault <= s2_fault && !rst;
        s3_due   <= s2_due && !rst;
        s3_swap  <= s2_swap && !rst;
        s3_wipe  <= s2_wipe && !rst;
        s3_bank  <= bank && !rst;
        if (s2_live) begin
            s3_index <= s2_index;
            s3_tag   <= s2_tag;
            s3_page  <= s2_page;
        end
        if (s2_hit) begin
            s3_mask <= ({WAYS{s2_now}} & h_mask) | ({WAYS{s2_prev}} & s6_before);
            s3_same <= s2_set & {&s2_parts4, &s2_parts3, &s2_parts2, &s2_parts1};
            s3_set  <= s2_set;
        end
    end

    // ---- s3: the set as the walks two to four before leave it. Walks of one tag have one way, or all none.
    wire [WAYS-1:0] s3_match = (s3_equal & s3_mask) | (s5_way & {WAYS{s3_same[2]}}) |
                               (s6_way & {WAYS{s3_same[3]}}) | (s7_way & {WAYS{s3_same[4]}});
    reg  [WAYS-1:0] s4_match, s4_mask;
    reg             s4_found, s4_set1, s4_same1, s4_same2;
    always @(posedge clk) begin
        s4_hit   <= s3_hit && !rst;
        s4_fault <= s3_fault && !rst;
        s4_due   <= s3_due && !rst;
        s4_swap  <= s3_swap && !rst;
        s4_wipe  <= s3_wipe && !rst;
        s4_bank  <= s3_bank && !rst;
        if (s3_live) begin
            s4_index <= s3_index;
            s4_tag   <= s3_tag;
            s4_page  <= s3_page;
        end
        if (s3_hit) begin
            s4_match <= s3_match;
            s4_found <= s3_match != 0;
            s4_mask  <= s3_mask | (s5_mask & {WAYS{s3_set[2]}}) | (s6_mask & {WAYS{s3_set[3]}}) |
                        (s7_mask & {WAYS{s3_set[4]}});
            s4_set1  <= s3_set[1];
            s4_same1 <= s3_same[1];
            s4_same2 <= s3_same[2];
        end
    end

    // ---- s4: HIT: its way: that of the walk before, the one found, or the next, if there is one
    wire [WAYS-1:0] s4_taken = s4_mask | (s5_mask & {WAYS{s4_set1}});
    wire [WAYS:0]   s4_more  = {s4_taken, 1'b1}; // its highest bit: the set is full
    wire            s4_none  = !s4_same1 && !s4_found;
    reg             s5_same1, s5_same2;
    always @(posedge clk) begin
        s5_hit   <= s4_hit && !rst;
        s5_fault <= s4_fault && !rst;
        s5_due   <= s4_due && !rst;
        s5_swap  <= s4_swap && !rst;
        s5_wipe  <= s4_wipe && !rst;
        s5_bank  <= s4_bank && !rst;
        s5_first <= s4_hit && s4_none && !s4_more[WAYS] && !rst;
        s5_gen   <= rst ? {GEN_W{1'b0}} : s4_swap ? s5_gen + 1'b1 : s5_gen;
        if (s4_live) begin
            s5_index <= s4_index;
            s5_tag   <= s4_tag;
            s5_page  <= s4_page;
            s5_way   <= s4_same1 ? s5_way : s4_found ? s4_match : s4_more[WAYS-1:0] & ~s4_taken;
            s5_mask  <= s4_wipe ? {WAYS{1'b0}} : s4_none ? s4_more[WAYS-1:0] : s4_taken;
            s5_same1 <= s4_same1;
            s5_same2 <= s4_same2;
        end
    end

    // ---- s5: the directory is written; the place of the entry
    reg  [WAY_W-1:0] s5_number;
    integer e;
    always @* begin
        s5_number = 0;
        for (e = 0; e < WAYS; e = e + 1)
            s5_number = s5_number | ({WAY_W{s5_way[e]}} & e[WAY_W-1:0]);
    end
    wire [31:0] s5_entry = ({{32-SET_W{1'b0}}, s5_index} << WAY_B) | {{32-WAY_W{1'b0}}, s5_number};
    wire unused_s5 = &{1'b0, s5_entry[31:ENTRY_W]};
    reg  [ENTRY_W-1:0] s6_entry, s7_entry, s8_entry;
    reg  s6_same1, s6_same2;
    always @(posedge clk) begin
        s6_swap   <= s5_swap && !rst;
        s6_skip   <= s5_due && !s5_swap && !rst;
        s6_drop   <= s5_hit && s5_way == 0 && !rst;
        s6_counts <= s5_hit && s5_way != 0 && !rst;
        s6_first  <= s5_first && !rst;
        s6_bank   <= s5_bank && !rst;
        if (s5_live) begin
            s6_way    <= s5_way;
            s6_mask   <= s5_mask;
            s6_before <= s5_mask & ~s5_way; // as it was, if it is a first touch
            s6_tag    <= s5_tag;
            s6_page   <= s5_page;
            s6_entry  <= s5_entry[ENTRY_W-1:0];
            s6_same1  <= s5_same1;
            s6_same2  <= s5_same2;
        end
        s7_way  <= s6_way;
        s7_mask <= s6_mask;
    end
    assign tvi_hit     = s5_hit;
    assign tvi_outcome = {s5_hit && s5_way == 0, s5_first};
    assign tvi_fault   = s5_fault;
    assign tvi_due     = s5_due;
    assign tvi_swap    = s5_swap;

    // ---- s6: the log is written, the counters are read; what is counted for the next header
    reg  [N_W-1:0]    n;
    reg  [15:0]       seq, dropped;
    wire [16:0]       n_wide = {{17-N_W{1'b0}}, n};
    wire unused_n = &{1'b0, n_wide[16]};
    reg  [47:0]       head; // {dropped, n, seq}
    wire [ENTRY_W+TAG_W-1:0] log_word;
    reg               some;     // n is not 0
    reg  [N_W-1:0]    to_read;  // records of the packet whose log is still to be read
    reg               more;     // it is not 0
    reg  [LOG_W-1:0]  read_at;
    wire              moves = !m_tvalid || m_tready;
    wire              reads = moves && more;
    wire              drained = !s6_bank; // the bank that no walk at s6 has
    ram_sdp #(.WIDTH(ENTRY_W + TAG_W), .DEPTH(2 << LOG_W), .ADDR_W(LOG_W + 1)) log_ram (
        .clk(clk), .we(s6_first), .waddr({s6_bank, n[LOG_W-1:0]}), .wdata({s6_entry, s6_tag}),
        .re(reads), .raddr({drained, read_at}), .rdata(log_word)
    );
    always @(posedge clk) begin
        n    <= n + {{N_W-1{1'b0}}, s6_first};
        some <= some || s6_first;
        if (s6_drop && dropped != 16'hFFFF)
            dropped <= dropped + 1'b1;
        stat_drops   <= stat_drops + {31'd0, s6_drop};
        stat_skipped <= stat_skipped + {31'd0, s6_skip};
        if (s6_swap) begin
            n       <= 0;
            some    <= 1'b0;
            dropped <= 16'd0;
            head    <= {dropped, n_wide[15:0], seq};
            seq     <= seq + 1'b1;
        end
        if (rst) begin
            n            <= 0;
            some         <= 1'b0;
            seq          <= 16'd0;
            dropped      <= 16'd0;
            stat_drops   <= 32'd0;
            stat_skipped <= 32'd0;
        end
    end

    // ---- s7: the counters, or those of the walk one or two before; one more; s8: written
    reg  [CNTS_W-1:0] s7_handed, s8_counters;
    reg  [PAGES-1:0]  s6_pages, s7_pages;
    reg               s7_from_ram, s7_same1;
    wire [CNTS_W-1:0] counters0, counters1; // of bank 0, 1
    wire [CNTS_W-1:0] s7_was = ((s7_bank ? counters1 : counters0) & {CNTS_W{s7_from_ram}}) |
                               (s7_same1 ? s8_counters : s7_handed);
    wire [ENTRY_W-1:0] d1_entry = log_word[TAG_W +: ENTRY_W];
    ram_sdp #(.WIDTH(CNTS_W), .DEPTH(1 << ENTRY_W), .ADDR_W(ENTRY_W)) counter_ram0 (
        .clk(clk), .we(s8_counts && !s8_bank), .waddr(s8_entry), .wdata(s8_counters),
        .re(drained ? s6_counts : moves), .raddr(drained ? s6_entry : d1_entry), .rdata(counters0)
    );
    ram_sdp #(.WIDTH(CNTS_W), .DEPTH(1 << ENTRY_W), .ADDR_W(ENTRY_W)) counter_ram1 (
        .clk(clk), .we(s8_counts && s8_bank), .waddr(s8_entry), .wdata(s8_counters),
        .re(drained ? moves : s6_counts), .raddr(drained ? d1_entry : s6_entry), .rdata(counters1)
    );
    reg  [CNTS_W-1:0] s7_now;
    integer c;
    always @* begin
        for (c = 0; c < PAGES; c = c + 1)
            s6_pages[c] = s6_page == c[PAGE_W-1:0];
        s7_now = s7_was;
        for (c = 0; c < PAGES; c = c + 1)
            if (s7_pages[c] && !(&s7_was[c*HIR_CNT_W +: HIR_CNT_W]))
                s7_now[c*HIR_CNT_W +: HIR_CNT_W] = s7_was[c*HIR_CNT_W +: HIR_CNT_W] + 1'b1;
    end
    always @(posedge clk) begin
        s7_swap   <= s6_swap && !rst;
        s7_counts <= s6_counts && !rst;
        s7_bank   <= s6_bank && !rst;
        s8_counts <= s7_counts && !rst;
        s8_bank   <= s7_bank && !rst;
        if (s6_counts) begin
            s7_entry    <= s6_entry;
            s7_pages    <= s6_pages;
            s7_same1    <= s6_same1;
            s7_handed   <= s6_same2 ? s8_counters : {CNTS_W{1'b0}};
            s7_from_ram <= !s6_first && !s6_same1 && !s6_same2;
        end
        if (s7_counts) begin
            s8_entry    <= s7_entry;
            s8_counters <= s7_now;
        end
    end

    // ---- the drain: d1: the log's word, d2: the counters; then the port
    reg                      heading, d1_valid, d1_last, d2_valid, d2_last;
    reg  [ENTRY_W+TAG_W-1:0] d2_word;
    wire [LONG-1:0]     d2_entry = {{LONG-ENTRY_W{1'b0}}, d2_word[TAG_W +: ENTRY_W]};
    wire [LONG-1:0]     d2_tag   = {{LONG-TAG_W{1'b0}}, d2_word[TAG_W-1:0]};
    wire [LONG-1:0]     d2_set   = (d2_tag >> ASID_W << LOW) | (((d2_entry >> WAY_B) ^ {{LONG-ASID_W{1'b0}}, d2_tag[ASID_W-1:0]}) & LOW_ONES);
    wire unused_d2 = &{1'b0, d2_set[LONG-1:PSA_W]};
    wire [REC_BITS-1:0] record   = {drained ? counters1 : counters0, d2_set[PSA_W-1:0], d2_tag[ASID_W-1:0]};
    wire [HIR_BITS:0]   record_wide = {{HIR_BITS+1-REC_BITS{1'b0}}, record};
    wire [HIR_BITS:0]   head_wide   = {{HIR_BITS+1-48{1'b0}}, head};
    wire unused_wide = &{1'b0, record_wide[HIR_BITS], head_wide[HIR_BITS]};
    always @(posedge clk) begin
        if (moves) begin
            d1_valid <= more;
            d1_last  <= to_read == 1;
            d2_valid <= d1_valid;
            d2_last  <= d1_last;
            heading  <= 1'b0;
            m_tvalid <= heading || d2_valid;
            if (d1_valid)
                d2_word <= log_word;
            if (heading || d2_valid) begin
                m_tdata <= heading ? head_wide[HIR_BITS-1:0] : record_wide[HIR_BITS-1:0];
                m_tlast <= heading ? !d1_valid : d2_last; // the first record is at d1 then
            end
        end
        if (reads) begin
            to_read <= to_read - 1'b1;
            read_at <= read_at + 1'b1;
            more    <= to_read != 1;
        end
        // the packet before has gone: nothing stands still
        if (s6_swap) begin
            to_read <= n;
            read_at <= 0;
            more    <= some;
        end
        if (s7_swap)
            heading <= 1'b1;
        if (rst) begin
            more     <= 1'b0;
            d1_valid <= 1'b0;
            d2_valid <= 1'b0;
            heading  <= 1'b0;
            m_tvalid <= 1'b0;
        end
    end

    wire hits   = s1_hit || s2_hit || s3_hit || s4_hit || s5_hit || s6_drop || s6_counts || s7_counts || s8_counts;
    wire misses = s1_fault || s2_fault || s3_fault || s4_fault || s5_fault || s6_skip;
    assign idle = other_free && !hits && !misses;

endmodule
`default_nettype wire
