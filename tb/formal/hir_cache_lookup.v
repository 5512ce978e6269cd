// SPDX-License-Identifier: Apache-2.0
// Proofs about hir_cache's directory, without bound: which entry a hit has. A swap may come with any fault, if none
// came in the seven walks' time before (tb/formal/hir_cache.v proves that: swaps_apart). Of one page set, an unknown
// constant, the directory and every stage of the pipeline are described; all assertions together carry themselves
// from one cycle to the next.
`default_nettype none
module formal_hir_cache_lookup #(
    parameter VPN_W     = 3,
    parameter ASID_W    = 1,
    parameter HIR_SETS  = 2,
    parameter HIR_WAYS  = 2,
    parameter HIR_PAGES = 2,
    parameter HIR_CNT_W = 2,
    parameter TAG_W     = 2,
    parameter GEN_W     = 2
) (
    input wire              clk,
    input wire              reset, walk_in, walk_fault, ready,
    input wire [ASID_W-1:0] walk_asid,
    input wire [VPN_W-1:0]  walk_vpn,
    input wire [15:0]       cfg_transfer
);

    // reset, at any time; then clearing until the block says so
    reg  first = 1'b1;
    reg  clearing;
    wire cleared;
    wire rst = first || reset;
    always @(posedge clk) begin
        first    <= 1'b0;
        clearing <= rst || (clearing && !cleared);
    end
    wire run  = !rst && !clearing;
    reg  ran; // the last header is written as well
    always @(posedge clk)
        ran <= run;
    wire walk = walk_in && run;

    wire [1:0] outcome;
    hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W)
    ) dut (
        .clk(clk), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clearing), .cleared(cleared),
        .walk_valid(walk), .walk_fault(walk_fault), .walk_asid(walk_asid), .walk_vpn(walk_vpn), .m_tready(ready),
        .tvi_outcome(outcome)
    );
    (* hierconn *) wire                      \dut.s1_swap ;
    (* hierconn *) wire [GEN_W-1:0]          \dut.gen ;
    (* hierconn *) wire [GEN_W-1:0]          \dut.s5_gen ;
    (* hierconn *) wire                      \dut.bank ;
    (* hierconn *) wire [0:0]                \dut.scrub_at ;
    (* hierconn *) wire [1:0]                \dut.clear_at ;
    (* hierconn *) wire [2:0]                \dut.written ;
    (* hierconn *) wire                      \dut.s1_clear ;
    (* hierconn *) wire [0:0]                \dut.s1_index ;
    (* hierconn *) wire \dut.s2_hit , \dut.s3_hit , \dut.s4_hit , \dut.s5_hit ;
    (* hierconn *) wire \dut.s2_swap , \dut.s3_swap , \dut.s4_swap , \dut.s5_swap , \dut.s6_swap ;
    (* hierconn *) wire \dut.s2_wipe , \dut.s3_wipe , \dut.s4_wipe , \dut.s5_wipe ;
    (* hierconn *) wire \dut.s3_bank , \dut.s4_bank , \dut.s5_bank , \dut.s6_bank , \dut.s7_bank ;
    (* hierconn *) wire [0:0] \dut.s2_index , \dut.s3_index , \dut.s4_index , \dut.s5_index ;
    (* hierconn *) wire [TAG_W-1:0] \dut.s2_tag , \dut.s3_tag , \dut.s4_tag , \dut.s5_tag , \dut.s6_tag ;
    (* hierconn *) wire \dut.s1_hit , \dut.s1_page , \dut.s2_page , \dut.s3_page , \dut.s4_page , \dut.s5_page ;
    (* hierconn *) wire [TAG_W-1:0] \dut.s1_tag ;
    (* hierconn *) wire [4:1] \dut.s2_set , \dut.s3_set , \dut.s3_same ;
    (* hierconn *) wire \dut.s2_parts1 , \dut.s2_parts2 , \dut.s2_parts3 , \dut.s2_parts4 ;
    (* hierconn *) wire \dut.s2_clash ;
    (* hierconn *) wire [GEN_W-1:0]    \dut.h_gen ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.h_mask ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.s3_mask , \dut.s3_equal , \dut.s4_mask , \dut.s4_match ;
    (* hierconn *) wire \dut.s4_found , \dut.s4_set1 , \dut.s4_same1 , \dut.s4_same2 , \dut.s5_same1 , \dut.s5_same2 ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.s5_way , \dut.s5_mask , \dut.s6_way , \dut.s6_mask , \dut.s6_before ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.s7_way , \dut.s7_mask ;
    (* hierconn *) wire \dut.s5_first , \dut.s5_writes , \dut.s6_first ;
    (* hierconn *) wire [1:0] \dut.s6_entry ;
    (* hierconn *) wire [2*(GEN_W+HIR_WAYS)-1:0] \dut.header_ram.words ;
    (* hierconn *) wire [2*TAG_W-1:0] \dut.g_way[0].tag_ram.words , \dut.g_way[1].tag_ram.words ;
    (* hierconn *) wire [TAG_W-1:0] \dut.g_way[0].tag , \dut.g_way[1].tag ;

    // walks beyond the stages that the block keeps: hits, places, tags, swaps
    reg  [7:6] hit, at;
    reg  [8:7] swapped;
    reg  [TAG_W-1:0] tag7;
    reg  wrote6;
    wire swapping = \dut.s2_swap || \dut.s3_swap || \dut.s4_swap || \dut.s5_swap || \dut.s6_swap ;
    wire [8:2] swaps = {swapped, \dut.s6_swap , \dut.s5_swap , \dut.s4_swap , \dut.s3_swap , \dut.s2_swap };
    always @(posedge clk) begin
        hit     <= rst ? 0 : {hit[6], \dut.s5_hit };
        at      <= {at[6], \dut.s5_index };
        swapped <= rst ? 0 : {swapped[7], \dut.s6_swap };
        tag7    <= \dut.s6_tag ;
        wrote6  <= !rst && \dut.s5_writes ;
    end
    always @* assume (!\dut.s1_swap || !(swapping || swapped != 0));

    // the walks as they came: {page, tag, place}; 0 the last
    reg  [5*4-1:0] came;
    reg  [5:1]     hits;
    always @(posedge clk) begin
        came <= {came, walk_vpn[0], walk_vpn[2], walk_asid, walk_vpn[1] ^ walk_asid};
        hits <= rst ? 0 : {hits, walk && !walk_fault};
    end

    // the followed page set
    (* anyconst *) wire            place;
    (* anyconst *) wire [TAG_W-1:0] tag;

    // its set after all walks beyond s5; a cycle ago; two cycles ago
    reg                touched, touched1, touched2;
    reg [HIR_WAYS-1:0] way;
    reg [HIR_WAYS-1:0] taken, taken1, taken2; // ways taken
    reg                fresh;                 // its header was written since the swap
    wire in_set = \dut.s5_hit && \dut.s5_index == place;
    wire ours   = in_set && \dut.s5_tag == tag;
    always @(posedge clk) begin
        touched1 <= touched;
        touched2 <= touched1;
        taken1   <= taken;
        taken2   <= taken1;
        if (ours && outcome == 1) begin
            touched <= 1'b1;
            way     <= \dut.s5_way ;
        end
        if (in_set && outcome == 1)
            taken <= {taken, 1'b1};
        if (\dut.s5_swap ) begin
            touched <= 1'b0;
            taken   <= 0;
            fresh   <= 1'b0;
        end
        if (\dut.s5_writes && \dut.s5_index == place)
            fresh <= 1'b1;
        if (rst) begin
            touched  <= 0;
            touched1 <= 0;
            touched2 <= 0;
            taken    <= 0;
            taken1   <= 0;
            taken2   <= 0;
            fresh    <= 1'b0;
        end
    end

    wire [GEN_W-1:0]    now_gen = \dut.s5_gen - \dut.s5_swap ;         // of the walk at s6
    wire [GEN_W+HIR_WAYS-1:0] header = \dut.header_ram.words [(GEN_W+HIR_WAYS)*place +: GEN_W+HIR_WAYS];
    wire [TAG_W-1:0]    tag_0  = \dut.g_way[0].tag_ram.words [TAG_W*place +: TAG_W];
    wire [TAG_W-1:0]    tag_1  = \dut.g_way[1].tag_ram.words [TAG_W*place +: TAG_W];
    wire [HIR_WAYS-1:0] holds  = {tag_1 == tag, tag_0 == tag} & taken; // ways that hold its tag
    wire [HIR_WAYS-1:0] next   = {taken, 1'b1} & ~taken;               // the way that a first touch takes
    wire [HIR_WAYS-1:0] was    = touched ? way : 2'd0;
    wire here2 = \dut.s2_hit && \dut.s2_index == place;
    wire here3 = \dut.s3_hit && \dut.s3_index == place;
    wire here4 = \dut.s4_hit && \dut.s4_index == place;
    wire ours3 = here3 && \dut.s3_tag == tag;
    wire ours4 = here4 && \dut.s4_tag == tag;
    wire cut3  = \dut.s4_swap || \dut.s5_swap || \dut.s6_swap || swapped[7]; // a swap is among the four before s3
    wire [HIR_WAYS-1:0] taken_3 = cut3 ? 2'd0 : taken2;
    wire [HIR_WAYS-1:0] taken_4 = \dut.s5_swap ? 2'd0 : taken;
    wire [HIR_WAYS-1:0] was_3   = cut3 || !touched2 ? 2'd0 : way;
    wire [HIR_WAYS-1:0] was_4   = \dut.s5_swap ? 2'd0 : was;
    wire [HIR_WAYS-1:0] equal   = \dut.s3_equal & \dut.s3_mask ;

    // the walk in a stage before is in the set, in the interval, with the tag, of that in stage 2, 3, 4, 5
    wire [4:1] near2 = {hit[6] && at[6] == \dut.s2_index && \dut.s6_bank == \dut.bank ,
                        \dut.s5_hit && \dut.s5_index == \dut.s2_index && \dut.s5_bank == \dut.bank ,
                        \dut.s4_hit && \dut.s4_index == \dut.s2_index && \dut.s4_bank == \dut.bank ,
                        \dut.s3_hit && \dut.s3_index == \dut.s2_index && \dut.s3_bank == \dut.bank };
    wire [4:1] alike2 = {\dut.s6_tag == \dut.s2_tag , \dut.s5_tag == \dut.s2_tag ,
                         \dut.s4_tag == \dut.s2_tag , \dut.s3_tag == \dut.s2_tag };
    wire [4:1] near3 = {hit[7] && at[7] == \dut.s3_index && \dut.s7_bank == \dut.s3_bank ,
                        hit[6] && at[6] == \dut.s3_index && \dut.s6_bank == \dut.s3_bank ,
                        \dut.s5_hit && \dut.s5_index == \dut.s3_index && \dut.s5_bank == \dut.s3_bank ,
                        \dut.s4_hit && \dut.s4_index == \dut.s3_index && \dut.s4_bank == \dut.s3_bank };
    wire [4:1] alike3 = {tag7 == \dut.s3_tag , \dut.s6_tag == \dut.s3_tag ,
                         \dut.s5_tag == \dut.s3_tag , \dut.s4_tag == \dut.s3_tag };
    wire [2:1] near4 = {hit[6] && at[6] == \dut.s4_index && \dut.s6_bank == \dut.s4_bank ,
                        \dut.s5_hit && \dut.s5_index == \dut.s4_index && \dut.s5_bank == \dut.s4_bank };
    wire [2:1] alike4 = {\dut.s6_tag == \dut.s4_tag , \dut.s5_tag == \dut.s4_tag };
    wire [2:1] near5 = {hit[7] && at[7] == \dut.s5_index && \dut.s7_bank == \dut.s5_bank ,
                        hit[6] && at[6] == \dut.s5_index && \dut.s6_bank == \dut.s5_bank };
    wire [2:1] alike5 = {tag7 == \dut.s5_tag , \dut.s6_tag == \dut.s5_tag };

    wire [2:1] same5  = {\dut.s5_same2 , \dut.s5_same1 };
    wire [2:1] alike_way5 = {\dut.s7_way == \dut.s5_way , \dut.s6_way == \dut.s5_way };
    wire [2:1] counts5 = near5 & alike_way5;

    always @* if (!rst) begin
        // An entry is not lost within its interval: a page set that has one is found, in the way it took.
        entry_stays: assert (!(ours && touched) || (outcome == 0 && \dut.s5_way == way));
        // One that has none takes the next way, and is dropped only if there is none.
        first_or_dropped: assert (!(ours && !touched) || (taken == 2'd3 ? outcome == 2 && \dut.s5_way == 0
                                                                        : outcome == 1 && \dut.s5_way == next));
        // No two entries with one tag in a set: the way that was taken holds it, and no other; none if none was.
        one_entry: assert (!fresh || holds == was);
        one_way: assert (!ours4 || \dut.s4_match == was_4);
        // An entry is of one page set: no other's hits are counted in it.
        entry_ours: assert (!(in_set && !ours) || (\dut.s5_way & was) == 0);
        // A header has the generation of the interval if and only if it was written in it: scrubbing is in time.
        no_stale_header: assert (!ran || (header[HIR_WAYS +: GEN_W] == now_gen) == fresh);

        // What hits count in: the walks one and two before count in the same entry just if the block says so, and a first
        // touch's entry has no hit before (hir_cache_counts.v relies on it).
        handed_on: assert (!(ours && \dut.s5_way != 0) || (same5 == counts5 && !(\dut.s5_first && same5 != 0)));
        entry_6: assert (!(hit[6] && at[6] == place && \dut.s6_tag == tag && touched) || \dut.s6_entry == {place, way[1]});

        // The walk in each stage is that which came so many cycles before.
        walks: assert (hits == {\dut.s5_hit , \dut.s4_hit , \dut.s3_hit , \dut.s2_hit , \dut.s1_hit });
        came_1: assert (!hits[1] || {\dut.s1_page , \dut.s1_tag , \dut.s1_index } == came[0 +: 4]);
        came_2: assert (!hits[2] || {\dut.s2_page , \dut.s2_tag , \dut.s2_index } == came[4 +: 4]);
        came_3: assert (!hits[3] || {\dut.s3_page , \dut.s3_tag , \dut.s3_index } == came[8 +: 4]);
        came_4: assert (!hits[4] || {\dut.s4_page , \dut.s4_tag , \dut.s4_index } == came[12 +: 4]);
        came_5: assert (!hits[5] || {\dut.s5_page , \dut.s5_tag , \dut.s5_index } == came[16 +: 4]);

        // Why these hold. The directory:
        taken_in_order: assert (taken != 2'd2 && taken1 != 2'd2 && taken2 != 2'd2);
        way_taken: assert (!touched || (fresh && (way == 2'd1 || way == 2'd2) && (way & taken) != 0));
        taken_fresh: assert (taken == 0 || fresh);
        header_true: assert (!fresh || header == {now_gen, taken});
        header_old: assert (!ran || fresh || header[HIR_WAYS +: GEN_W] == now_gen - 1'b1);
        scrub_next: assert (!ran || fresh || place == now_gen[0]);
        // Generations, banks, places of scrubs
        gens: assert (\dut.gen == now_gen + (\dut.s2_swap || \dut.s3_swap || \dut.s4_swap || \dut.s5_swap ));
        one_swap: assert ((swaps & (swaps - 1'b1)) == 0);
        banks: assert (\dut.bank == (\dut.s3_bank ^ \dut.s2_swap ) && \dut.s3_bank == (\dut.s4_bank ^ \dut.s3_swap ) &&
                       \dut.s4_bank == (\dut.s5_bank ^ \dut.s4_swap ) && \dut.s5_bank == (\dut.s6_bank ^ \dut.s5_swap ) &&
                       \dut.s6_bank == (\dut.s7_bank ^ \dut.s6_swap ));
        scrubs: assert (\dut.scrub_at == \dut.gen [0] && (!\dut.s2_swap || (\dut.s2_wipe && \dut.s2_index == now_gen[0])) &&
                        (!\dut.s3_swap || (\dut.s3_wipe && \dut.s3_index == now_gen[0])) &&
                        (!\dut.s4_swap || (\dut.s4_wipe && \dut.s4_index == now_gen[0])) &&
                        (!\dut.s5_swap || (\dut.s5_wipe && \dut.s5_index == now_gen[0])));
        wipes_swap: assert (!ran || (\dut.s2_wipe == \dut.s2_swap && \dut.s3_wipe == \dut.s3_swap &&
                                     \dut.s4_wipe == \dut.s4_swap && \dut.s5_wipe == \dut.s5_swap ));
        either: assert (!(\dut.s2_hit && \dut.s2_wipe ) && !(\dut.s3_hit && \dut.s3_wipe ) &&
                        !(\dut.s4_hit && \dut.s4_wipe ) && !(\dut.s5_hit && \dut.s5_wipe ) && !(hit[6] && \dut.s6_swap ));
        // Clearing after reset writes every header, and nothing else is under way.
        clears: assert (ran || (now_gen == 0 && !swapping && swapped == 0 && !touched && taken == 0 && taken1 == 0 &&
                                taken2 == 0 && hit == 0 && !\dut.s2_hit && !\dut.s3_hit && !\dut.s4_hit && !\dut.s5_hit ));
        clear_sets: assert (ran || fresh || \dut.clear_at <= {1'b0, place} ||
                            (\dut.s1_clear && \dut.s1_index == place) || (\dut.s2_wipe && \dut.s2_index == place) ||
                            (\dut.s3_wipe && \dut.s3_index == place) || (\dut.s4_wipe && \dut.s4_index == place) ||
                            (\dut.s5_wipe && \dut.s5_index == place));
        // Stage 2: the RAMs' words, unless they were written while they were read.
        clash_2: assert (!\dut.s2_hit || \dut.s2_clash == (wrote6 && at[6] == \dut.s2_index ));
        header_2: assert (!here2 || \dut.s2_clash || {\dut.h_gen , \dut.h_mask } == header);
        tags_2: assert (!here2 || ((\dut.g_way[0].tag == tag_0 || (\dut.s6_first && at[6] == place && \dut.s6_way [0])) &&
                                   (\dut.g_way[1].tag == tag_1 || (\dut.s6_first && at[6] == place && \dut.s6_way [1]))));
        near_2: assert (!\dut.s2_hit || (\dut.s2_set == near2 && (near2 & alike2) ==
                        (near2 & {\dut.s2_parts4 , \dut.s2_parts3 , \dut.s2_parts2 , \dut.s2_parts1 })));
        // Stage 3: the set as it was two cycles ago; which of the four walks before it are of the set, and of the tag.
        mask_3: assert (!here3 || \dut.s3_mask == taken_3);
        equal_3: assert (!here3 || (ours3 ? equal == was_3 : (equal & was_3) == 0));
        near_3: assert (!\dut.s3_hit || (\dut.s3_set == near3 && \dut.s3_same == (near3 & alike3)));
        // Stage 4: the set as the walk at s6 left it.
        mask_4: assert (!here4 || \dut.s4_mask == taken_4);
        match_4: assert (!here4 || ours4 || (\dut.s4_match & was_4) == 0);
        found_4: assert (!\dut.s4_hit || \dut.s4_found == (\dut.s4_match != 0));
        near_4: assert (!\dut.s4_hit || (\dut.s4_set1 == near4[1] && \dut.s4_same1 == (near4[1] && alike4[1]) &&
                                         \dut.s4_same2 == (near4[2] && alike4[2])));
        // Stages 5 to 7: what the hits made of the set.
        ways_4: assert (!\dut.s4_hit || (\dut.s4_match & ~\dut.s4_mask ) == 0);
        ways_5: assert (!\dut.s5_hit || (\dut.s5_way & ~\dut.s5_mask ) == 0);
        ways_6: assert (!hit[6] || (\dut.s6_way & ~\dut.s6_mask ) == 0);
        ways_7: assert (!hit[7] || (\dut.s7_way & ~\dut.s7_mask ) == 0);
        first_5: assert (!\dut.s5_first || \dut.s5_hit );
        set_5: assert (!in_set || (\dut.s5_first ? taken != 2'd3 && \dut.s5_way == next && \dut.s5_mask == (taken | next)
                                                 : \dut.s5_mask == taken));
        near_5: assert (!\dut.s5_hit || (\dut.s5_same1 == (near5[1] && alike5[1]) && \dut.s5_same2 == (near5[2] && alike5[2])));
        wipe_5: assert (!\dut.s5_wipe || \dut.s5_mask == 0);
        set_6: assert (!(hit[6] && at[6] == place) || (\dut.s6_mask == taken && (!\dut.s6_first || \dut.s6_before == taken1) &&
                       (\dut.s6_tag == tag ? \dut.s6_way == was : (\dut.s6_way & was) == 0)));
        first_6: assert (!\dut.s6_first || (hit[6] && wrote6));
        wrote_6: assert (!(wrote6 && hit[6]) || \dut.s6_first );
        set_7: assert (!(hit[7] && at[7] == place) || (\dut.s7_mask == taken1 &&
                       (tag7 == tag ? \dut.s7_way == (touched1 ? way : 2'd0) : (\dut.s7_way & (touched1 ? way : 2'd0)) == 0)));
        before_6: assert (\dut.s6_swap || (taken1 & ~taken) == 0);
        before_7: assert (swapped[7] || (taken2 & ~taken1) == 0);
        same_7: assert (!(touched1 && !touched) || \dut.s6_swap );
    end

endmodule
`default_nettype wire
