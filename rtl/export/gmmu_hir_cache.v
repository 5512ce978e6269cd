// SPDX-License-Identifier: Apache-2.0
// gmmu_hir_cache: records for the driver which pages walks hit, and how often (docs/reference/blocks/hir_cache.md).
//
// One walk a cycle, always. A hit looks up its page set in a set of WAYS entries (read at w5, decided at w8, written at w9).
// A page set without an entry takes the next way. The hit then counts in the counters of the entry (read at w10, written at
// w12). A fault that makes a swap due moves later walks to the other bank, if that bank is free. The swap travels down the
// stages like a hit, so the log and the counters of the old bank are complete when the drain reads them. In the cycle of
// the swap one set's header is scrubbed, so no header outlives the wrap of the generation.
//
// A set's header is {generation, ways taken}. Ways are taken in order and kept as bits, the low bits first. Within an
// interval no way is released, so several earlier walks leave a set with the OR of their ways.
// A walk reads its set before up to four earlier walks have written their sets: the ways and masks of these walks are forwarded.
// Only the walk just before is in the loop at w8.
//
// PARITY: a set with a corrupt header is *spoilt* until the next interval. Which ways are taken is unknown, so no way
// is taken, and no way matches; the log has room for all logged hits. A tag is compared with its parity bit, so a corrupt tag
// matches no walk. Corrupt counters stay odd through all hits counted in them, and are checked when they leave. A record
// with a corrupt log word or corrupt counters leaves empty.
// Source: HPE IV.B, V.C.
`default_nettype none
module gmmu_hir_cache #(
    parameter VPN_W     = 52,
    parameter ASID_W    = 8,
    // sets, a power of two
    parameter HIR_SETS  = 128,
    // ways of a set, 1 and more; HIR_SETS * HIR_WAYS is at most 65535
    parameter HIR_WAYS  = 8,
    // pages of a page set, a power of two
    parameter HIR_PAGES = 16,
    // bits of a counter, HIR_PAGES * HIR_CNT_W at most 64
    parameter HIR_CNT_W = 2,
    // 1: words in RAM have a parity bit, an entry's counters up to four
    parameter PARITY    = 1,
    // 1: the walks' pages at w5 to w9 come from outside, where walks have the same stages; 0: the block keeps them
    parameter PAGES_COME = 0,
    // derived, not to be set
    parameter REC_BITS  = ASID_W + VPN_W - $clog2(HIR_PAGES) + HIR_PAGES * HIR_CNT_W,
    parameter HIR_BITS  = REC_BITS > 48 ? REC_BITS : 48
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [15:0]         cfg_transfer, // faults from swap to swap, as in the cycle before a fault; 0: no swap
    // clearing after reset: one set in each cycle with `clear`
    input  wire                clear,        // the next set is cleared
    output wire                cleared,      // all sets are cleared; walks come only then
    // a walk: a hit of the page, or a fault
    input  wire                walk_valid,   // a walk comes
    input  wire                walk_fault,   // the walk is a fault; else a hit
    input  wire [ASID_W-1:0]   walk_asid,    // address space of the walk
    input  wire [VPN_W-1:0]    walk_vpn,     // page of the walk
    input  wire [5*(ASID_W+VPN_W)-1:0] pages, // PAGES_COME: page {asid, vpn} of the hit at w9, w8, w7, w6, w5; without a hit any page
    // packets: {seq, n, dropped}, then n records
    output reg  [HIR_BITS-1:0] m_tdata,      // a beat of m_axis_hir
    output reg                 m_tvalid,     // a beat is offered
    output reg                 m_tlast,      // the beat is the last beat of its packet
    input  wire                m_tready,     // the consumer takes the beat
    output wire                idle,         // no walk is under way and no packet leaves
    output reg                 turned,       // PARITY: toggles with each hit that met a corrupt header, and with each record of a corrupt word
    output wire [31:0]         stat_drops,   // number of hits dropped because no way was free
    output wire [31:0]         stat_skipped, // number of swaps skipped because the other bank was not free
    // tvi, about the walk of five cycles ago
    output wire                tvi_hit,      // the walk is a HIT
    output wire [1:0]          tvi_outcome,  // outcome of the HIT: 0 counted, 1 first touch, 2 dropped
    output wire                tvi_fault,    // the walk is a FAULT
    output wire                tvi_due,      // the FAULT makes DRAIN_SWAP due
    output wire                tvi_swap      // the DRAIN_SWAP closes a packet
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
    localparam TAG_W   = ASID_W + HIGH_W;          // {upper page-set number, asid}; tag and set number give page set and asid
    localparam CNTS_W  = PAGES * HIR_CNT_W;
    // a set is scrubbed every SETS swaps; twice as many generations
    localparam GEN_W   = LOW + 1;
    localparam N_W     = $clog2(SETS * WAYS + 1);
    localparam LOG_W   = SETS * WAYS > 1 ? $clog2(SETS * WAYS) : 1;
    localparam LONG    = 97;                       // longer than asid and page set together
    localparam [LONG-1:0] LOW_ONES = (97'd1 << LOW) - 1'b1;
    // 1: outputs of RAMs are early. Tags, counters and log words are then read a stage later or two, and have no registers behind the RAM.
    // Both ways the word that is used is the same: no tag and no counter that is not forwarded changes meanwhile.
`ifdef GMMU_ASIC_RAM
    localparam EARLY = 1;
`else
    localparam EARLY = 0;
`endif

    generate
        if ((SETS & (SETS - 1)) != 0 || SETS < 1 || WAYS < 1 || SETS * WAYS > 65535) begin : g_bad_sets
            HIR_SETS_must_be_a_power_of_two_and_HIR_SETS_times_HIR_WAYS_1_to_65535 stop_here();
        end
        if ((PAGES & (PAGES - 1)) != 0 || PAGES < 1 || HIR_CNT_W < 1 || CNTS_W > 64) begin : g_bad_pages
            HIR_PAGES_must_be_a_power_of_two_and_HIR_PAGES_times_HIR_CNT_W_1_to_64 stop_here();
        end
        if (VPN_W > 64 || PSA_W < 1) begin : g_bad_page
            VPN_W_must_be_above_log2_of_HIR_PAGES_and_at_most_64 stop_here();
        end
        if (ASID_W < 1 || ASID_W > 32) begin : g_bad_space
            ASID_W_must_be_1_to_32 stop_here();
        end
    endgenerate

    // ---- p: set and tag of the walk; clearing after reset
    reg [SET_W:0]   clear_at; // next set to clear; the upper bit: all are cleared
    reg [SET_W-1:0] scrub_at; // next set to scrub
    reg [2:0]       written;  // the last set is being written, in a shift register
    assign cleared = written[2];
    wire clearing = clear && !clear_at[LOW]; // a set is cleared
    always @(posedge clk) begin
        written  <= rst ? 3'd0 : {written[1:0], clear_at[LOW]};
        clear_at <= rst ? {SET_W+1{1'b0}} : clear_at + {{SET_W{1'b0}}, clearing};
    end

    wire [LONG-1:0] p_asid  = {{LONG-ASID_W{1'b0}}, walk_asid};  // address space of the walk
    wire [LONG-1:0] p_set   = {{LONG-PSA_W{1'b0}}, walk_vpn[VPN_W-1:PAGE_B]}; // page set of the walk
    wire [LONG-1:0] p_index = (p_set ^ p_asid) & LOW_ONES;       // set of the walk
    wire [LONG-1:0] p_tag   = (p_set >> LOW << ASID_W) | p_asid; // tag of the walk
    wire [PAGE_W-1:0] p_page = PAGES > 1 ? walk_vpn[PAGE_W-1:0] : {PAGE_W{1'b0}}; // page of the walk in its page set
    wire unused_p = &{1'b0, p_index[LONG-1:SET_W], p_tag, p_page};

    reg             w5_hit;   // w5: a walk hits
    reg             w5_fault; // w5: a walk faults
    reg             w5_clear; // w5: a set is cleared
    reg [SET_W-1:0] w5_index; // w5: set of the walk
    reg [SET_W-1:0] w6_index; // w6: set of the walk
    reg [SET_W-1:0] w7_index; // w7: set of the walk
    reg [SET_W-1:0] w8_index; // w8: set of the walk
    reg [SET_W-1:0] w9_index; // w9: set of the walk
    wire [TAG_W-1:0] w5_tag;  // w5: tag of the walk
    wire [TAG_W-1:0] w6_tag;  // w6: tag of the walk
    wire [TAG_W-1:0] w7_tag;  // w7: tag of the walk
    wire [TAG_W-1:0] w8_tag;  // w8: tag of the walk
    wire [TAG_W-1:0] w9_tag;  // w9: tag of the walk
    reg  [TAG_W-1:0] w10_tag; // w10: tag of the walk
    localparam PAR = PARITY != 0 ? 1 : 0; // parity bits of a word: even parity
    reg              w6_par;   // w6: parity of the tag
    reg              w7_par;   // w7: parity of the tag
    reg              w8_par;   // w8: parity of the tag
    reg              w9_par;   // w9: parity of the tag
    reg              w10_par;  // w10: parity of the tag
    wire [PAGE_W-1:0] w5_page; // w5: page of the walk in its page set
    wire [PAGE_W-1:0] w6_page; // w6: page of the walk in its page set
    wire [PAGE_W-1:0] w7_page; // w7: page of the walk in its page set
    wire [PAGE_W-1:0] w8_page; // w8: page of the walk in its page set
    wire [PAGE_W-1:0] w9_page; // w9: page of the walk in its page set
    reg [PAGE_W-1:0] w10_page; // w10: page of the walk in its page set
    always @(posedge clk) begin
        w5_hit   <= walk_valid && !walk_fault && !rst;
        w5_fault <= walk_valid && walk_fault && !rst;
        w5_clear <= clearing && !rst;
        if (walk_valid || clearing) begin
            // (a fault that swaps scrubs a set)
            w5_index <= clearing ? clear_at[SET_W-1:0] : walk_fault ? scrub_at : p_index[SET_W-1:0];
        end
    end

    // ---- w5: FAULT and DRAIN_SWAP; the directory is read, earlier walks are compared
    // as-if register: `reached` is computed a cycle ahead, for the present number of faults and for one fault more
    reg  [15:0]      minus;                          // -cfg_transfer
    reg  [15:0]      minus1;                         // 1 - cfg_transfer
    reg              one;                            // cfg_transfer is 1
    reg              none;                           // cfg_transfer is 0
    reg              never;                          // `none`, as valid at w5
    reg              reached;                        // a fault at w5 is due
    reg  [15:0]      faults;                         // faults since the last due fault; less than 65535
    reg              other_free;                     // the other bank is free: the last beat of its packet was taken
    reg              bank;                           // bank of the walks at w5 and w6
    reg  [GEN_W-1:0] gen;                            // generation of the walks at w5 and w6
    wire             w5_due  = w5_fault && reached;  // w5: the fault makes a swap due
    wire             w5_swap = w5_due && other_free; // w5: the fault swaps the banks
    wire             w5_anew = reached || never;     // the count of faults starts again
    // (the lowest bit of both sums is a carry in)
    wire [17:0] as_is  = {1'b0, faults, 1'b1} + {1'b0, minus, 1'b1};  // faults - cfg_transfer; the top bit: the difference is not negative
    wire [17:0] one_up = {1'b0, faults, 1'b1} + {1'b0, minus1, 1'b1}; // faults + 1 - cfg_transfer; the top bit: the difference is not negative
    wire unused_w5 = &{1'b0, as_is[16:0], one_up[16:0]};
    always @(posedge clk) begin
        minus   <= 16'd0 - cfg_transfer;
        minus1  <= 16'd1 - cfg_transfer;
        one     <= cfg_transfer == 16'd1;
        none    <= cfg_transfer == 16'd0;
        never   <= none;
        reached <= one || (w5_fault ? !w5_anew && one_up[17] : as_is[17]);
        if (w5_fault)
            faults <= w5_anew ? 16'd0 : faults + 1'b1;
        if (w5_swap) begin
            bank     <= !bank;
            gen      <= gen + 1'b1;
            scrub_at <= LOW > 0 ? scrub_at + 1'b1 : {SET_W{1'b0}};
        end
        other_free <= !w5_swap && (other_free || (m_tvalid && m_tready && m_tlast));
        if (rst) begin
            faults     <= 16'd0;
            bank       <= 1'b0;
            gen        <= 0;
            scrub_at   <= 0;
            other_free <= 1'b1;
        end
    end

    reg  w6_hit;                      // w6: a walk hits
    reg  w6_fault;                    // w6: a walk faults
    reg  w6_due;                      // w6: the fault makes a swap due
    reg  w6_swap;                     // w6: the fault swaps the banks
    reg  w6_wipe;                     // w6: the header is written without a taken way
    reg  w7_hit;                      // w7: a walk hits
    reg  w7_fault;                    // w7: a walk faults
    reg  w7_due;                      // w7: the fault makes a swap due
    reg  w7_swap;                     // w7: the fault swaps the banks
    reg  w7_wipe;                     // w7: the header is written without a taken way
    reg  w7_bank;                     // w7: bank of the walk
    reg  w8_hit;                      // w8: a walk hits
    reg  w8_fault;                    // w8: a walk faults
    reg  w8_due;                      // w8: the fault makes a swap due
    reg  w8_swap;                     // w8: the fault swaps the banks
    reg  w8_wipe;                     // w8: the header is written without a taken way
    reg  w8_bank;                     // w8: bank of the walk
    reg  w9_hit;                      // w9: a walk hits
    reg  w9_fault;                    // w9: a walk faults
    reg  w9_due;                      // w9: the fault makes a swap due
    reg  w9_swap;                     // w9: the fault swaps the banks
    reg  w9_wipe;                     // w9: the header is written without a taken way
    reg  w9_bank;                     // w9: bank of the walk
    reg  w10_swap;                    // w10: the fault swaps the banks
    reg  w10_skip;                    // w10: a due swap was skipped
    reg  w10_drop;                    // w10: the hit was dropped
    reg  w10_first;                   // w10: the hit is a first touch
    reg  w10_counts;                  // w10: the hit is counted
    reg  w10_bank;                    // w10: bank of the walk
    reg  w11_swap;                    // w11: the fault swaps the banks
    reg  w11_counts;                  // w11: the hit is counted
    reg  w11_bank;                    // w11: bank of the walk
    reg  w12_swap;                    // w12: the fault swaps the banks
    reg  w12_counts;                  // w12: the hit is counted
    reg  w12_bank;                    // w12: bank of the walk
    reg  w13_swap;                    // w13: the fault swaps the banks
    reg  w9_first;                    // w9: the hit is a first touch
    wire w6_live = w6_hit || w6_wipe; // w6: a hit or a wipe is at this stage
    wire w7_live = w7_hit || w7_wipe; // w7: a hit or a wipe is at this stage
    wire w8_live = w8_hit || w8_wipe; // w8: a hit or a wipe is at this stage
    wire w9_live = w9_hit || w9_wipe; // w9: a hit or a wipe is at this stage

    // tags and pages of the walks at the stages
    localparam NAME_W = TAG_W + PAGE_W;
    generate
        if (PAGES_COME != 0) begin : g_come
            wire [5*NAME_W-1:0] names; // {page, tag} at w9, w8, w7, w6, w5
            genvar s;
            for (s = 0; s < 5; s = s + 1) begin : g_stage
                wire [ASID_W-1:0] asid = pages[s*(ASID_W+VPN_W)+VPN_W +: ASID_W];
                wire [VPN_W-1:0]  vpn  = pages[s*(ASID_W+VPN_W) +: VPN_W];
                wire [LONG-1:0]   tag  = ({{LONG-PSA_W{1'b0}}, vpn[VPN_W-1:PAGE_B]} >> LOW << ASID_W) | {{LONG-ASID_W{1'b0}}, asid};
                wire unused_tag = &{1'b0, tag[LONG-1:TAG_W]};
                assign names[s*NAME_W +: NAME_W] = {PAGES > 1 ? vpn[PAGE_W-1:0] : {PAGE_W{1'b0}}, tag[TAG_W-1:0]};
            end
            assign {w9_page, w9_tag, w8_page, w8_tag, w7_page, w7_tag, w6_page, w6_tag, w5_page, w5_tag} = names;
        end else begin : g_kept
            reg [NAME_W-1:0] w5_name; // w5: {page, tag} of the walk
            reg [NAME_W-1:0] w6_name; // w6: {page, tag} of the walk
            reg [NAME_W-1:0] w7_name; // w7: {page, tag} of the walk
            reg [NAME_W-1:0] w8_name; // w8: {page, tag} of the walk
            reg [NAME_W-1:0] w9_name; // w9: {page, tag} of the walk
            always @(posedge clk) begin
                if (walk_valid || clearing)
                    w5_name <= {p_page, p_tag[TAG_W-1:0]};
                if (w5_hit || w5_fault || w5_clear)
                    w6_name <= w5_name;
                if (w6_live)
                    w7_name <= w6_name;
                if (w7_live)
                    w8_name <= w7_name;
                if (w8_live)
                    w9_name <= w8_name;
            end
            assign {w9_page, w9_tag, w8_page, w8_tag, w7_page, w7_tag, w6_page, w6_tag, w5_page, w5_tag} =
                {w9_name, w8_name, w7_name, w6_name, w5_name};
        end
    endgenerate
    wire unused_pages = &{1'b0, pages, w8_page, w7_page, w6_page, w5_page};

    // early compare: the last four hits before, [1] the last to [4] the fourth last: same set in the same interval, and same tag. Tags
    // are compared in PARTS. Tags from a RAM arrive late, and are compared in smaller parts, a LUT each.
    localparam PART_W = 4, RAM_PART_W = 2;
    localparam PARTS  = (TAG_W + PART_W - 1) / PART_W, RAM_PARTS = (TAG_W + RAM_PART_W - 1) / RAM_PART_W;
    function [PARTS-1:0] parts(input [TAG_W-1:0] a, input [TAG_W-1:0] b);
        integer i;
        reg [PART_W*PARTS-1:0] differ;
        begin
            differ = 0;
            differ[TAG_W-1:0] = a ^ b;
            parts = {PARTS{1'b0}};
            for (i = 0; i < PARTS; i = i + 1)
                parts[i] = differ[PART_W*i +: PART_W] == 0;
        end
    endfunction
    function [RAM_PARTS-1:0] ram_parts(input [TAG_W-1:0] a, input [TAG_W-1:0] b);
        integer i;
        reg [RAM_PART_W*RAM_PARTS-1:0] differ;
        begin
            differ = 0;
            differ[TAG_W-1:0] = a ^ b;
            ram_parts = {RAM_PARTS{1'b0}};
            for (i = 0; i < RAM_PARTS; i = i + 1)
                ram_parts[i] = differ[RAM_PART_W*i +: RAM_PART_W] == 0;
        end
    endfunction
    // earlier walks that have the same index
    wire [4:1]       w5_at     = {w9_index == w5_index, w8_index == w5_index, w7_index == w5_index, w6_index == w5_index};
    wire [4:1]       w5_bank   = {w9_bank == bank, w8_bank == bank, w7_bank == bank, 1'b1}; // earlier walks that have the same bank
    wire [4:1]       w5_set    = w5_at & w5_bank & {w9_hit, w8_hit, w7_hit, w6_hit}; // earlier hits at the same set in the same interval
    reg              w9_spoilt;                                    // w9: the header was corrupt, and is written as spoilt
    wire             w9_writes = w9_first || w9_wipe || w9_spoilt; // w9: the header is written
    reg  [4:1]       w6_set;                                       // earlier hits at the same set in the same interval
    reg              w6_clash; // the header was written during the read: header and the way taken with this write are undefined
    reg  [PARTS-1:0] w6_parts1;                                    // parts of the tag that equal the tag of the last hit
    reg  [PARTS-1:0] w6_parts2;                                    // parts of the tag that equal the tag of the second last hit
    reg  [PARTS-1:0] w6_parts3;                                    // parts of the tag that equal the tag of the third last hit
    reg  [PARTS-1:0] w6_parts4;                                    // parts of the tag that equal the tag of the fourth last hit
    always @(posedge clk) begin
        w6_hit   <= w5_hit && !rst;
        w6_fault <= w5_fault && !rst;
        w6_due   <= w5_due && !rst;
        w6_swap  <= w5_swap && !rst;
        w6_wipe  <= (w5_swap || w5_clear) && !rst;
        if (w5_hit || w5_fault || w5_clear) begin
            w6_index <= w5_index;
            w6_par   <= ^w5_tag;
        end
        if (w5_hit) begin
            w6_set    <= w5_set;
            w6_clash  <= w5_at[4] && w9_writes;
            w6_parts1 <= parts(w5_tag, w6_tag);
            w6_parts2 <= parts(w5_tag, w7_tag);
            w6_parts3 <= parts(w5_tag, w8_tag);
            w6_parts4 <= parts(w5_tag, w9_tag);
        end
    end

    // ---- w6: the set, as read from the RAMs
    reg  [WAYS-1:0]  w9_way;     // w9: the walk's way, one bit; 0 if the walk was dropped
    reg  [WAYS-1:0]  w9_mask;    // w9: ways taken behind the walk
    reg  [WAYS-1:0]  w10_way;    // w10: the walk's way, one bit; 0 if the walk was dropped
    reg  [WAYS-1:0]  w10_mask;   // w10: ways taken behind the walk
    reg  [WAYS-1:0]  w10_before; // w10: ways taken before the walk
    reg  [WAYS-1:0]  w11_way;    // w11: the walk's way, one bit; 0 if the walk was dropped
    reg  [WAYS-1:0]  w11_mask;   // w11: ways taken behind the walk
    reg  [GEN_W-1:0] w9_gen;     // w9: generation of the bank
    wire [GEN_W-1:0] h_gen;      // generation in the header
    localparam H_W = GEN_W + WAYS + 2 * PAR; // {parity, spoilt, generation, ways taken}
    wire [H_W-1:0] h_word; // the header, as read
    wire [H_W-1:0] h_kept; // the header, as written
    assign h_gen = h_word[WAYS +: GEN_W];
    generate
        if (PARITY != 0) begin : g_parity
            wire [WAYS-1:0] mask = w9_mask & ~{WAYS{w9_spoilt}}; // ways taken, as written
            assign h_kept = {^{w9_spoilt, w9_gen, mask}, w9_spoilt, w9_gen, mask};
        end else begin : g_bare
            assign h_kept = {w9_gen, w9_mask};
            wire unused_par = &{1'b0, w6_par, w9_par, w10_par};
        end
    endgenerate
    gmmu_ram_sdp #(
        .WIDTH(H_W),
        .DEPTH(SETS),
        .ADDR_W(SET_W)
    ) header_ram (
        .clk(clk),
        .we(w9_writes),
        .waddr(w9_index),
        .wdata(h_kept),
        .re(w5_hit),
        .raddr(w5_index),
        .rdata(h_word)
    );
    wire w6_prev = w6_clash && w6_set[4]; // a hit of the same interval wrote the header during the read
    // ways taken when the RAMs were read: of the header, if the header is of this interval, or before the walk that wrote the header
    reg [H_W-1:0] w7_word; // the header, as read
    // the header says that the set is spoilt, if the header is of this interval
    wire             w7_was    = PARITY != 0 && w7_word[PARITY != 0 ? GEN_W + WAYS : 0];
    reg              w7_clash;                                             // the header was written during the read
    wire             w7_odd    = PARITY != 0 && !w7_clash && ^w7_word;     // w7: the header is corrupt
    reg              w8_odd;                                               // w8: the header is corrupt
    reg  [GEN_W-1:0] w7_differ;                                            // difference of the header's generation and the walk's generation
    reg  [WAYS-1:0]  w7_before;                                            // ways taken before the walk that wrote the header during the read
    wire [WAYS-1:0]  w7_header = w7_word[WAYS-1:0];                        // ways taken, by the header
    wire             w7_now    = w7_differ == 0 && !w7_clash;              // the header is of this interval, and valid
    wire [WAYS-1:0]  w7_mask   = ({WAYS{w7_now}} & w7_header) | w7_before; // ways taken, without the last three walks
    wire [WAYS-1:0]  w7_equal;                                             // ways whose tag equals the walk's tag
    reg  [4:1]       w7_same;                                              // earlier hits of the same set and tag
    reg  [4:1]       w7_set;                                               // earlier hits at the same set in the same interval
    genvar g;
    generate
        for (g = 0; g < WAYS; g = g + 1) begin : g_way
            wire [TAG_W+PAR-1:0] tag;      // tag of the way, as read
            wire [TAG_W+PAR-1:0] kept;     // tag of the way, as written
            if (PARITY != 0) begin : g_tag_parity
                assign kept = {w9_par, w9_tag};
            end else begin : g_tag_bare
                assign kept = w9_tag;
            end
            gmmu_ram_sdp #(
                .WIDTH(TAG_W + PAR),
                .DEPTH(SETS),
                .ADDR_W(SET_W)
            ) tag_ram (
                .clk(clk),
                .we(w9_first && w9_way[g]),
                .waddr(w9_index),
                .wdata(kept),
                .re(EARLY != 0 ? w6_hit : w5_hit),
                .raddr(EARLY != 0 ? w6_index : w5_index),
                .rdata(tag)
            );
            if (EARLY != 0) begin : g_early
                assign w7_equal[g] = tag[TAG_W-1:0] == w7_tag && (PARITY == 0 || tag[TAG_W+PAR-1] == w7_par);
            end else begin : g_late
                reg [RAM_PARTS-1:0] w7_parts; // parts of the way's tag that equal the walk's tag
                reg                 w7_even;  // the tag's parity bit equals the parity of the walk's tag
                always @(posedge clk)
                    if (w6_hit) begin
                        w7_parts <= ram_parts(w6_tag, tag[TAG_W-1:0]);
                        w7_even  <= PARITY == 0 || tag[TAG_W+PAR-1] == w6_par;
                    end
                assign w7_equal[g] = &{w7_even, w7_parts};
            end
        end
    endgenerate
    always @(posedge clk) begin
        w7_hit   <= w6_hit && !rst;
        w7_fault <= w6_fault && !rst;
        w7_due   <= w6_due && !rst;
        w7_swap  <= w6_swap && !rst;
        w7_wipe  <= w6_wipe && !rst;
        w7_bank  <= bank && !rst;
        if (w6_live) begin
            w7_index <= w6_index;
            w7_par   <= w6_par;
        end
        if (w6_hit) begin
            w7_word   <= h_word;
            w7_differ <= h_gen ^ gen;
            w7_clash  <= w6_clash;
            w7_before <= {WAYS{w6_prev}} & w10_before;
            w7_same <= w6_set & {&w6_parts4, &w6_parts3, &w6_parts2, &w6_parts1};
            w7_set  <= w6_set;
        end
    end

    // ---- w7: the set behind the second last to fourth last walks. Walks of one tag have the same way, or all have none.
    wire [WAYS-1:0] w7_match = (w7_equal & w7_mask) | (w9_way & {WAYS{w7_same[2]}}) |
                               (w10_way & {WAYS{w7_same[3]}}) | (w11_way & {WAYS{w7_same[4]}});
    reg [WAYS-1:0] w8_match; // the way of the walk's page set, without the walk before
    reg [WAYS-1:0] w8_mask;  // ways taken, without the walk before
    reg            w8_found; // w8_match is not 0
    reg            w8_set1;  // w8: the hit before is of the same set
    reg            w8_same1; // w8: the hit before is of the same tag
    reg            w8_same2; // w8: the second last hit is of the same tag
    always @(posedge clk) begin
        w8_hit   <= w7_hit && !rst;
        w8_fault <= w7_fault && !rst;
        w8_due   <= w7_due && !rst;
        w8_swap  <= w7_swap && !rst;
        w8_wipe  <= w7_wipe && !rst;
        w8_bank  <= w7_bank && !rst;
        if (w7_live) begin
            w8_index <= w7_index;
            w8_par   <= w7_par;
        end
        if (w7_hit) begin
            w8_match <= w7_match;
            w8_found <= w7_match != 0;
            w8_mask  <= w7_mask | {WAYS{w7_now && w7_was}} | (w9_mask & {WAYS{w7_set[2]}}) | (w10_mask & {WAYS{w7_set[3]}}) |
                        (w11_mask & {WAYS{w7_set[4]}});
            w8_odd   <= w7_odd;
            w8_set1  <= w7_set[1];
            w8_same1 <= w7_same[1];
            w8_same2 <= w7_same[2];
        end
    end

    // ---- w8: HIT: the way is the way of the walk before, the matching way, or the next free way, if any
    wire [WAYS-1:0] w8_taken = w8_mask | (w9_mask & {WAYS{w8_set1}}) | {WAYS{w8_odd}}; // ways taken
    wire [WAYS:0]   w8_more  = {w8_taken, 1'b1};       // ways taken if the next way is taken; the highest bit: the set is full
    wire            w8_finds = w8_found && !w8_odd;    // the page set has a way, without the walk before
    wire            w8_none  = !w8_same1 && !w8_finds; // the page set has no way
    reg             w9_same1;                          // w9: the hit before is of the same tag
    reg             w9_same2;                          // w9: the second last hit is of the same tag
    always @(posedge clk) begin
        w9_hit   <= w8_hit && !rst;
        w9_fault <= w8_fault && !rst;
        w9_due   <= w8_due && !rst;
        w9_swap  <= w8_swap && !rst;
        w9_wipe  <= w8_wipe && !rst;
        w9_bank  <= w8_bank && !rst;
        w9_first <= w8_hit && w8_none && !w8_more[WAYS] && !rst;
        w9_spoilt <= w8_hit && w8_odd && !rst;
        w9_gen   <= rst ? {GEN_W{1'b0}} : w8_swap ? w9_gen + 1'b1 : w9_gen;
        if (w8_live) begin
            w9_index <= w8_index;
            w9_par   <= w8_par;
            w9_way   <= w8_same1 ? w9_way : w8_finds ? w8_match : w8_more[WAYS-1:0] & ~w8_taken;
            w9_mask  <= w8_wipe ? {WAYS{1'b0}} : w8_none ? w8_more[WAYS-1:0] : w8_taken;
            w9_same1 <= w8_same1;
            w9_same2 <= w8_same2 && w10_counts; // (behind a corrupt header a hit may count and the next hit of that tag may not)
        end
    end

    // ---- w9: the directory is written; the number of the entry
    reg [WAY_W-1:0] w9_number; // number of the walk's way
    integer e;
    always @* begin
        w9_number = 0;
        for (e = 0; e < WAYS; e = e + 1)
            w9_number = w9_number | ({WAY_W{w9_way[e]}} & e[WAY_W-1:0]);
    end
    wire [31:0] w9_entry = ({{32-SET_W{1'b0}}, w9_index} << WAY_B) | {{32-WAY_W{1'b0}}, w9_number}; // entry of the walk, in 32 bits
    wire unused_w9 = &{1'b0, w9_entry[31:ENTRY_W]};
    reg [ENTRY_W-1:0] w10_entry; // w10: entry of the walk
    reg [ENTRY_W-1:0] w11_entry; // w11: entry of the walk
    reg [ENTRY_W-1:0] w12_entry; // w12: entry of the walk
    reg               w10_same1; // w10: the hit before is of the same tag
    reg               w10_same2; // w10: the second last hit is of the same tag
    always @(posedge clk) begin
        w10_swap   <= w9_swap && !rst;
        w10_skip   <= w9_due && !w9_swap && !rst;
        w10_drop   <= w9_hit && w9_way == 0 && !rst;
        w10_counts <= w9_hit && w9_way != 0 && !rst;
        w10_first  <= w9_first && !rst;
        w10_bank   <= w9_bank && !rst;
        if (w9_live) begin
            w10_way    <= w9_way;
            w10_mask   <= w9_mask;
            w10_before <= w9_mask & ~w9_way & ~{WAYS{w9_spoilt}}; // ways taken before, if the hit is a first touch
            w10_tag    <= w9_tag;
            w10_par    <= w9_par;
            w10_page   <= w9_page;
            w10_entry  <= w9_entry[ENTRY_W-1:0];
            w10_same1  <= w9_same1;
            w10_same2  <= w9_same2;
        end
        w11_way  <= w10_way;
        w11_mask <= w10_mask;
    end
    assign tvi_hit     = w9_hit;
    assign tvi_outcome = {w9_hit && w9_way == 0, w9_first};
    assign tvi_fault   = w9_fault;
    assign tvi_due     = w9_due;
    assign tvi_swap    = w9_swap;

    // ---- w10: the log is written, the counters are read; fields of the next header are counted
    reg  [N_W-1:0] n;                            // records of the next packet so far
    reg  [15:0]    seq;                          // sequence number of the packet
    reg  [15:0]    dropped;                      // hits dropped since the last swap, saturating
    wire [16:0]    n_wide = {{17-N_W{1'b0}}, n}; // n, in 17 bits
    wire unused_n = &{1'b0, n_wide[16]};
    reg [47:0] head; // header of the packet that leaves: {dropped, n, seq}
    localparam LOG_BITS = ENTRY_W + TAG_W + PAR;
    wire [LOG_BITS-1:0] log_word;                        // word of the log, as read
    wire [LOG_BITS-1:0] log_kept;                        // word of the log, as written
    reg                 some;                            // n is not 0
    reg  [N_W-1:0]      to_read;                         // records of the packet whose log words are still to be read
    reg                 more;                            // to_read is not 0
    reg  [LOG_W-1:0]    read_at;                         // place of the next log word
    wire                moves   = !m_tvalid || m_tready; // the drain moves: the port can take a beat
    wire                reads   = moves && more;         // a log word is read
    wire                drained = !w10_bank;             // bank that drains: the bank of no walk at w10
    generate
        if (PARITY != 0) begin : g_log_parity
            assign log_kept = {w10_par ^ ^w10_entry, w10_entry, w10_tag};
        end else begin : g_log_bare
            assign log_kept = {w10_entry, w10_tag};
        end
    endgenerate
    wire             log_reads;   // a word of the log is read: at d0, with EARLY at d2
    wire [LOG_W-1:0] log_read_at; // place of that word
    gmmu_ram_sdp #(
        .WIDTH(LOG_BITS),
        .DEPTH(2 << LOG_W),
        .ADDR_W(LOG_W + 1)
    ) log_ram (
        .clk(clk),
        .we(w10_first),
        .waddr({w10_bank, n[LOG_W-1:0]}),
        .wdata(log_kept),
        .re(log_reads),
        .raddr({drained, log_read_at}),
        .rdata(log_word)
    );
    gmmu_event_count count_drops   (
        .clk(clk),
        .rst(rst),
        .happens(w10_drop),
        .count(stat_drops)
    );
    gmmu_event_count count_skipped (
        .clk(clk),
        .rst(rst),
        .happens(w10_skip),
        .count(stat_skipped)
    );
    always @(posedge clk) begin
        n    <= n + {{N_W-1{1'b0}}, w10_first};
        some <= some || w10_first;
        if (w10_drop && dropped != 16'hFFFF)
            dropped <= dropped + 1'b1;
        if (w10_swap) begin
            n       <= 0;
            some    <= 1'b0;
            dropped <= 16'd0;
            head    <= {dropped, n_wide[15:0], seq};
            seq     <= seq + 1'b1;
        end
        if (rst) begin
            n       <= 0;
            some    <= 1'b0;
            seq     <= 16'd0;
            dropped <= 16'd0;
        end
    end

    // ---- w11: the counters are read; w12: or forwarded from the last or second last walk; incremented and written
    localparam GROUPS = PAGES > 4 ? 4 : 1, GROUP = PAGES / GROUPS; // groups of pages that share a parity bit: one parity of all pages would be the longest path
    localparam C_W = CNTS_W + PAR * GROUPS; // an entry's counters and their parity
    wire [C_W-1:0]           w12_read;                             // w12: the counters from the RAM
    reg  [C_W-1:0]           w12_handed;                           // w12: counters of the second last hit, if of the same entry; else 0
    reg  [C_W-1:0]           w12_counters;                         // w12: counters behind the hit, with their parity
    reg  [C_W-1:0]           w13_counters;                         // w13: counters behind the hit, with their parity
    reg  [PAGES-1:0]         w10_pages;                            // w10: page of the walk, one bit a page
    reg  [PAGES-1:0]         w11_pages;                            // w11: page of the walk, one bit a page
    reg  [PAGES-1:0]         w12_pages;                            // w12: page of the walk, one bit a page
    reg                      w11_from_ram;                         // w11: the counters come from the RAM
    reg                      w11_same1;                            // w11: the hit before is of the same tag
    reg                      w11_same2;                            // w11: the second last hit is of the same tag
    reg                      w12_from_ram;                         // w12: the counters come from the RAM
    reg                      w12_same1;                            // w12: the hit before is of the same tag
    wire [C_W-1:0]           counters0;                            // RAM output of bank 0
    wire [C_W-1:0]           counters1;                            // RAM output of bank 1
    wire [C_W-1:0]           w12_was  = (w12_read & {C_W{w12_from_ram}}) | (w12_same1 ? w13_counters : w12_handed); // w12: counters before the hit
    wire [ENTRY_W+TAG_W-1:0] d3_word;                              // d3: word of the log
    reg  [ENTRY_W+TAG_W-1:0] d4_word;                              // d4: word of the log
    // the counters are read at w10 and at d2, with EARLY at w11 and at d3
    wire                     walks0     = EARLY != 0 ? !w11_bank : drained;     // walks read bank 0, and the drain reads bank 1
    wire                     walk_reads = EARLY != 0 ? w11_counts : w10_counts; // the counters of a walk are read
    wire [ENTRY_W-1:0]       walk_entry = EARLY != 0 ? w11_entry : w10_entry;   // entry of that walk
    wire [ENTRY_W-1:0]       d2_entry;                             // entry of the record whose counters are read
    gmmu_ram_sdp #(
        .WIDTH(C_W),
        .DEPTH(1 << ENTRY_W),
        .FLIPS(PAR),
        .ONCE(1),
        .ADDR_W(ENTRY_W)
    ) counter_ram0 (
        .clk(clk),
        .we(w12_counts && !w12_bank),
        .waddr(w12_entry),
        .wdata(w12_counters),
        .re(walks0 ? walk_reads : moves),
        .raddr(walks0 ? walk_entry : d2_entry),
        .rdata(counters0)
    );
    gmmu_ram_sdp #(
        .WIDTH(C_W),
        .DEPTH(1 << ENTRY_W),
        .FLIPS(PAR),
        .ONCE(1),
        .ADDR_W(ENTRY_W)
    ) counter_ram1 (
        .clk(clk),
        .we(w12_counts && w12_bank),
        .waddr(w12_entry),
        .wdata(w12_counters),
        .re(walks0 ? moves : walk_reads),
        .raddr(walks0 ? d2_entry : walk_entry),
        .rdata(counters1)
    );
    integer c;
    reg [HIR_CNT_W-1:0] c_was;  // counter of a page before the hit
    reg [HIR_CNT_W-1:0] c_next; // counter of a page behind the hit
    reg [PAGES-1:0]     turns;  // pages whose counter changes its parity
    always @* begin
        for (c = 0; c < PAGES; c = c + 1)
            w10_pages[c] = w10_page == c[PAGE_W-1:0];
        w12_counters = w12_was;
        for (c = 0; c < PAGES; c = c + 1) begin
            c_was  = w12_was[c*HIR_CNT_W +: HIR_CNT_W];
            c_next = c_was + {{HIR_CNT_W-1{1'b0}}, !(&c_was)};
            if (w12_pages[c])
                w12_counters[c*HIR_CNT_W +: HIR_CNT_W] = c_next;
            turns[c] = w12_pages[c] && ^c_was != ^c_next;
        end
        if (PARITY != 0)
            for (c = 0; c < GROUPS; c = c + 1)
                w12_counters[CNTS_W + c] = w12_was[CNTS_W + c] != (turns[c*GROUP +: GROUP] != 0);
    end
    always @(posedge clk) begin
        w11_swap   <= w10_swap && !rst;
        w11_counts <= w10_counts && !rst;
        w11_bank   <= w10_bank && !rst;
        w12_swap   <= w11_swap && !rst;
        w13_swap   <= w12_swap && !rst;
        w12_counts <= w11_counts && !rst;
        w12_bank   <= w11_bank && !rst;
        if (w10_counts) begin
            w11_entry    <= w10_entry;
            w11_pages    <= w10_pages;
            w11_same1    <= w10_same1;
            w11_same2    <= w10_same2;
            w11_from_ram <= !w10_first && !w10_same1 && !w10_same2;
        end
        if (w11_counts) begin
            w12_entry    <= w11_entry;
            w12_pages    <= w11_pages;
            w12_same1    <= w11_same1;
            w12_handed   <= w11_same2 ? w13_counters : {C_W{1'b0}};
            w12_from_ram <= w11_from_ram;
        end
        if (w12_counts)
            w13_counters <= w12_counters;
    end

    generate
        if (EARLY != 0) begin : g_read_early
            assign w12_read = w12_bank ? counters1 : counters0;
        end else begin : g_read_late
            reg [C_W-1:0] read; // `w12_read`
            always @(posedge clk)
                if (w11_counts)
                    read <= w11_bank ? counters1 : counters0;
            assign w12_read = read;
        end
    endgenerate

    // ---- the drain: d1: word of the log, d2: registered, d3: counters, d4: registered; then the port. With EARLY d3: word of the log,
    // d4: counters
    reg             heading;                                             // the header leaves next
    reg             d1_valid;                                            // d1: a record is at this stage
    reg             d1_last;                                             // d1: the record is the last record of the packet
    reg             d2_valid;                                            // d2: a record is at this stage
    reg             d2_last;                                             // d2: the record is the last record of the packet
    reg             d3_valid;                                            // d3: a record is at this stage
    reg             d3_last;                                             // d3: the record is the last record of the packet
    wire            d3_odd;                                              // d3: the word of the log is corrupt
    reg             d4_valid;                                            // d4: a record is at this stage
    reg             d4_last;                                             // d4: the record is the last record of the packet
    reg             d4_odd;                                              // d4: the word of the log is corrupt
    wire [C_W-1:0]  d4_counters;                                         // d4: counters of the entry
    wire [LONG-1:0] d4_entry = {{LONG-ENTRY_W{1'b0}}, d4_word[TAG_W +: ENTRY_W]}; // d4: entry of the record
    wire [LONG-1:0] d4_tag   = {{LONG-TAG_W{1'b0}}, d4_word[TAG_W-1:0]}; // d4: tag of the record
    // d4: page set of the record
    wire [LONG-1:0] d4_set = (d4_tag >> ASID_W << LOW) | (((d4_entry >> WAY_B) ^ {{LONG-ASID_W{1'b0}}, d4_tag[ASID_W-1:0]}) & LOW_ONES);
    wire unused_d4 = &{1'b0, d4_set[LONG-1:PSA_W]};
    wire [GROUPS-1:0] d4_odds; // groups of counters that are corrupt
    genvar d;
    generate
        for (d = 0; d < GROUPS; d = d + 1) begin : g_odds
            if (PARITY != 0) begin : g_odds_parity
                assign d4_odds[d] = d4_counters[CNTS_W + d] ^ ^d4_counters[d*GROUP*HIR_CNT_W +: GROUP*HIR_CNT_W];
            end else begin : g_odds_bare
                assign d4_odds[d] = 1'b0;
            end
        end
    endgenerate
    wire                d4_bad      = d4_odd || d4_odds != 0; // the record leaves empty: its log word or counters are corrupt, and the header with n has left
    wire [REC_BITS-1:0] record      = {d4_counters[CNTS_W-1:0], d4_set[PSA_W-1:0], d4_tag[ASID_W-1:0]}; // the record
    wire [HIR_BITS:0]   record_wide = {{HIR_BITS+1-REC_BITS{1'b0}}, record}; // the record, in the width of the port
    wire [HIR_BITS:0]   head_wide   = {{HIR_BITS+1-48{1'b0}}, head}; // the header, in the width of the port
    wire unused_wide = &{1'b0, record_wide[HIR_BITS], head_wide[HIR_BITS]};
    always @(posedge clk) begin
        if (moves) begin
            d1_valid <= more;
            d1_last  <= to_read == 1;
            d2_valid <= d1_valid;
            d2_last  <= d1_last;
            d3_valid <= d2_valid;
            d3_last  <= d2_last;
            d4_valid <= d3_valid;
            d4_last  <= d3_last;
            heading  <= 1'b0;
            m_tvalid <= heading || d4_valid;
            d4_word  <= d3_word;
            d4_odd   <= d3_odd;
            if (heading || d4_valid) begin
                m_tdata <= heading ? head_wide[HIR_BITS-1:0] : d4_bad ? {HIR_BITS{1'b0}} : record_wide[HIR_BITS-1:0];
                m_tlast <= heading ? !d3_valid : d4_last; // the first record is then at d3
            end
        end
        turned <= !rst && turned != (w9_spoilt || (moves && d4_valid && d4_bad));
        if (reads) begin
            to_read <= to_read - 1'b1;
            read_at <= read_at + 1'b1;
            more    <= to_read != 1;
        end
        // the packet before has left, so no stage of the drain is held
        if (w10_swap) begin
            to_read <= n;
            read_at <= 0;
            more    <= some;
        end
        if (w13_swap)
            heading <= 1'b1;
        if (rst) begin
            more     <= 1'b0;
            d1_valid <= 1'b0;
            d2_valid <= 1'b0;
            d3_valid <= 1'b0;
            d4_valid <= 1'b0;
            heading  <= 1'b0;
            m_tvalid <= 1'b0;
            m_tlast  <= 1'b0;
        end
    end

    generate
        if (EARLY != 0) begin : g_drain_early
            reg [LOG_W-1:0] d1_at; // d1: place of the word
            reg [LOG_W-1:0] d2_at; // d2: place of the word
            always @(posedge clk)
                if (moves) begin
                    d1_at <= read_at;
                    d2_at <= d1_at;
                end
            assign log_reads    = moves && d2_valid;
            assign log_read_at  = d2_at;
            assign d3_word      = log_word[ENTRY_W+TAG_W-1:0];
            assign d3_odd       = PARITY != 0 && ^log_word;
            assign d2_entry = log_word[TAG_W +: ENTRY_W];
            assign d4_counters  = drained ? counters1 : counters0;
        end else begin : g_drain_late
            reg [LOG_BITS-1:0]      d2_word; // d2: word of the log
            reg [ENTRY_W+TAG_W-1:0] word;    // `d3_word`
            reg                     odd;     // `d3_odd`
            reg [C_W-1:0]           read;    // `d4_counters`
            always @(posedge clk)
                if (moves) begin
                    d2_word <= log_word;
                    word    <= d2_word[ENTRY_W+TAG_W-1:0];
                    odd     <= PARITY != 0 && ^d2_word;
                    read    <= drained ? counters1 : counters0;
                end
            assign log_reads    = reads;
            assign log_read_at  = read_at;
            assign d3_word      = word;
            assign d3_odd       = odd;
            assign d2_entry = d2_word[TAG_W +: ENTRY_W];
            assign d4_counters  = read;
        end
    endgenerate

    wire hits   = w5_hit || w6_hit || w7_hit || w8_hit || w9_hit || w10_drop || w10_counts || w11_counts || w12_counts; // a hit is under way
    wire misses = w5_fault || w6_fault || w7_fault || w8_fault || w9_fault || w10_skip; // a fault is under way
    assign idle = other_free && !hits && !misses;

endmodule
`default_nettype wire
