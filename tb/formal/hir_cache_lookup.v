// SPDX-License-Identifier: Apache-2.0
// Proofs about hir_cache's directory, without bound: the entry of each hit. A swap may come with any fault, if no swap came in the seven
// cycles before (tb/formal/hir_cache.v proves this: swaps_apart). The properties describe the directory and every stage of the pipeline
// for one page set, an unknown constant. All assertions together are inductive.
//: together
//: pdr 120 s
//: bmc3 40 frames 20 s
//: ram ram_words
//: cut reached other_free
//: find 196 198 200 207 202:one_way 206:one_entry,one_way,entry_stays 208:first_or_dropped 209:entry_stays
//: find 207:entry_ours
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
    gmmu_hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clearing), .cleared(cleared),
        .walk_valid(walk), .walk_fault(walk_fault), .walk_asid(walk_asid), .walk_vpn(walk_vpn), .m_tready(ready),
        .tvi_outcome(outcome)
    );
    (* hierconn *) wire                      \dut.w5_swap ;
    (* hierconn *) wire [GEN_W-1:0]          \dut.gen ;
    (* hierconn *) wire [GEN_W-1:0]          \dut.w9_gen ;
    (* hierconn *) wire                      \dut.bank ;
    (* hierconn *) wire [0:0]                \dut.scrub_at ;
    (* hierconn *) wire [1:0]                \dut.clear_at ;
    (* hierconn *) wire [2:0]                \dut.written ;
    (* hierconn *) wire                      \dut.w5_clear ;
    (* hierconn *) wire [0:0]                \dut.w5_index ;
    (* hierconn *) wire \dut.w6_hit , \dut.w7_hit , \dut.w8_hit , \dut.w9_hit ;
    (* hierconn *) wire \dut.w6_swap , \dut.w7_swap , \dut.w8_swap , \dut.w9_swap , \dut.w10_swap ;
    (* hierconn *) wire \dut.w6_wipe , \dut.w7_wipe , \dut.w8_wipe , \dut.w9_wipe ;
    (* hierconn *) wire \dut.w7_bank , \dut.w8_bank , \dut.w9_bank , \dut.w10_bank , \dut.w11_bank ;
    (* hierconn *) wire [0:0] \dut.w6_index , \dut.w7_index , \dut.w8_index , \dut.w9_index ;
    (* hierconn *) wire [TAG_W-1:0] \dut.w6_tag , \dut.w7_tag , \dut.w8_tag , \dut.w9_tag , \dut.w10_tag ;
    (* hierconn *) wire \dut.w5_hit , \dut.w5_page , \dut.w6_page , \dut.w7_page , \dut.w8_page , \dut.w9_page ;
    (* hierconn *) wire [TAG_W-1:0] \dut.w5_tag ;
    (* hierconn *) wire [4:1] \dut.w6_set , \dut.w7_set , \dut.w7_same ;
    (* hierconn *) wire \dut.w6_parts1 , \dut.w6_parts2 , \dut.w6_parts3 , \dut.w6_parts4 ;
    (* hierconn *) wire \dut.w6_clash ;
    (* hierconn *) wire [GEN_W+HIR_WAYS-1:0] \dut.h_word ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.w7_mask , \dut.w7_equal , \dut.w8_mask , \dut.w8_match ;
    (* hierconn *) wire \dut.w8_found , \dut.w8_set1 , \dut.w8_same1 , \dut.w8_same2 , \dut.w9_same1 , \dut.w9_same2 ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.w9_way , \dut.w9_mask , \dut.w10_way , \dut.w10_mask , \dut.w10_before ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.w11_way , \dut.w11_mask ;
    (* hierconn *) wire \dut.w11_counts ;
    (* hierconn *) wire \dut.w9_first , \dut.w9_writes , \dut.w10_first ;
    (* hierconn *) wire [1:0] \dut.w10_entry ;
    (* hierconn *) wire [2*(GEN_W+HIR_WAYS)-1:0] \dut.header_ram.words ;
    (* hierconn *) wire [2*TAG_W-1:0] \dut.g_way[0].tag_ram.words , \dut.g_way[1].tag_ram.words ;
    (* hierconn *) wire [TAG_W-1:0] \dut.g_way[0].tag , \dut.g_way[1].tag ;

    // walks beyond the stages that the block keeps: hits, places, tags, swaps
    reg  [7:6] hit, at;
    reg  [8:7] swapped;
    reg  [TAG_W-1:0] tag7;
    reg  wrote6;
    wire swapping = \dut.w6_swap || \dut.w7_swap || \dut.w8_swap || \dut.w9_swap || \dut.w10_swap ;
    wire [8:2] swaps = {swapped, \dut.w10_swap , \dut.w9_swap , \dut.w8_swap , \dut.w7_swap , \dut.w6_swap };
    always @(posedge clk) begin
        hit     <= rst ? 0 : {hit[6], \dut.w9_hit };
        at      <= {at[6], \dut.w9_index };
        swapped <= rst ? 0 : {swapped[7], \dut.w10_swap };
        tag7    <= \dut.w10_tag ;
        wrote6  <= !rst && \dut.w9_writes ;
    end
    always @* assume (!\dut.w5_swap || !(swapping || swapped != 0));

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

    // its set after all walks beyond w9; a cycle ago; two cycles ago
    reg                touched, touched1, touched2;
    reg [HIR_WAYS-1:0] way;
    reg [HIR_WAYS-1:0] taken, taken1, taken2; // ways taken
    reg                fresh;                 // its header was written since the swap
    wire in_set = \dut.w9_hit && \dut.w9_index == place;
    wire ours   = in_set && \dut.w9_tag == tag;
    always @(posedge clk) begin
        touched1 <= touched;
        touched2 <= touched1;
        taken1   <= taken;
        taken2   <= taken1;
        if (ours && outcome == 1) begin
            touched <= 1'b1;
            way     <= \dut.w9_way ;
        end
        if (in_set && outcome == 1)
            taken <= {taken, 1'b1};
        if (\dut.w9_swap ) begin
            touched <= 1'b0;
            taken   <= 0;
            fresh   <= 1'b0;
        end
        if (\dut.w9_writes && \dut.w9_index == place)
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

    wire [GEN_W-1:0]    now_gen = \dut.w9_gen - \dut.w9_swap ;         // of the walk at w10
    wire [GEN_W+HIR_WAYS-1:0] header = \dut.header_ram.words [(GEN_W+HIR_WAYS)*place +: GEN_W+HIR_WAYS];
    wire [TAG_W-1:0]    tag_0  = \dut.g_way[0].tag_ram.words [TAG_W*place +: TAG_W];
    wire [TAG_W-1:0]    tag_1  = \dut.g_way[1].tag_ram.words [TAG_W*place +: TAG_W];
    wire [HIR_WAYS-1:0] holds  = {tag_1 == tag, tag_0 == tag} & taken; // ways that hold its tag
    wire [HIR_WAYS-1:0] next   = {taken, 1'b1} & ~taken;               // the way that a first touch takes
    wire [HIR_WAYS-1:0] was    = touched ? way : 2'd0;
    wire here2 = \dut.w6_hit && \dut.w6_index == place;
    wire here3 = \dut.w7_hit && \dut.w7_index == place;
    wire here4 = \dut.w8_hit && \dut.w8_index == place;
    wire ours3 = here3 && \dut.w7_tag == tag;
    wire ours4 = here4 && \dut.w8_tag == tag;
    wire cut3  = \dut.w8_swap || \dut.w9_swap || \dut.w10_swap || swapped[7]; // a swap is among the four before w7
    wire [HIR_WAYS-1:0] taken_3 = cut3 ? 2'd0 : taken2;
    wire [HIR_WAYS-1:0] taken_4 = \dut.w9_swap ? 2'd0 : taken;
    wire [HIR_WAYS-1:0] was_3   = cut3 || !touched2 ? 2'd0 : way;
    wire [HIR_WAYS-1:0] was_4   = \dut.w9_swap ? 2'd0 : was;
    wire [HIR_WAYS-1:0] equal   = \dut.w7_equal & \dut.w7_mask ;

    // the walk in a stage before is in the set, in the interval, with the tag, of that in stage 2, 3, 4, 5
    wire [4:1] near2 = {hit[6] && at[6] == \dut.w6_index && \dut.w10_bank == \dut.bank ,
                        \dut.w9_hit && \dut.w9_index == \dut.w6_index && \dut.w9_bank == \dut.bank ,
                        \dut.w8_hit && \dut.w8_index == \dut.w6_index && \dut.w8_bank == \dut.bank ,
                        \dut.w7_hit && \dut.w7_index == \dut.w6_index && \dut.w7_bank == \dut.bank };
    wire [4:1] alike2 = {\dut.w10_tag == \dut.w6_tag , \dut.w9_tag == \dut.w6_tag ,
                         \dut.w8_tag == \dut.w6_tag , \dut.w7_tag == \dut.w6_tag };
    wire [4:1] near3 = {hit[7] && at[7] == \dut.w7_index && \dut.w11_bank == \dut.w7_bank ,
                        hit[6] && at[6] == \dut.w7_index && \dut.w10_bank == \dut.w7_bank ,
                        \dut.w9_hit && \dut.w9_index == \dut.w7_index && \dut.w9_bank == \dut.w7_bank ,
                        \dut.w8_hit && \dut.w8_index == \dut.w7_index && \dut.w8_bank == \dut.w7_bank };
    wire [4:1] alike3 = {tag7 == \dut.w7_tag , \dut.w10_tag == \dut.w7_tag ,
                         \dut.w9_tag == \dut.w7_tag , \dut.w8_tag == \dut.w7_tag };
    wire [2:1] near4 = {hit[6] && at[6] == \dut.w8_index && \dut.w10_bank == \dut.w8_bank ,
                        \dut.w9_hit && \dut.w9_index == \dut.w8_index && \dut.w9_bank == \dut.w8_bank };
    wire [2:1] alike4 = {\dut.w10_tag == \dut.w8_tag , \dut.w9_tag == \dut.w8_tag };
    wire [2:1] near5 = {hit[7] && at[7] == \dut.w9_index && \dut.w11_bank == \dut.w9_bank ,
                        hit[6] && at[6] == \dut.w9_index && \dut.w10_bank == \dut.w9_bank };
    wire [2:1] alike5 = {tag7 == \dut.w9_tag , \dut.w10_tag == \dut.w9_tag };

    wire [2:1] same5  = {\dut.w9_same2 , \dut.w9_same1 };
    wire [2:1] alike_way5 = {\dut.w11_way == \dut.w9_way , \dut.w10_way == \dut.w9_way };
    wire [2:1] counts5 = near5 & alike_way5;

    always @* if (!rst) begin
        // An entry is not lost within its interval: a page set that has one is found, in the way it took.
        entry_stays: assert (!(ours && touched) || (outcome == 0 && \dut.w9_way == way));
        // One that has none takes the next way, and is dropped only if there is none.
        first_or_dropped: assert (!(ours && !touched) || (taken == 2'd3 ? outcome == 2 && \dut.w9_way == 0
                                                                        : outcome == 1 && \dut.w9_way == next));
        // No two entries with one tag in a set: the way that was taken holds it, and no other; none if none was.
        one_entry: assert (!fresh || holds == was);
        one_way: assert (!ours4 || \dut.w8_match == was_4);
        // An entry is of one page set: no other's hits are counted in it.
        entry_ours: assert (!(in_set && !ours) || (\dut.w9_way & was) == 0);
        // A header has the generation of the interval if and only if it was written in it: scrubbing is in time.
        no_stale_header: assert (!ran || (header[HIR_WAYS +: GEN_W] == now_gen) == fresh);

        // What hits count in: the walks one and two before count in the same entry just if the block says so, and a first
        // touch's entry has no hit before (hir_cache_counts.v relies on it).
        handed_on: assert (!(ours && \dut.w9_way != 0) || (same5 == counts5 && !(\dut.w9_first && same5 != 0)));
        entry_6: assert (!(hit[6] && at[6] == place && \dut.w10_tag == tag && touched) || \dut.w10_entry == {place, way[1]});

        // The walk in each stage is that which came so many cycles before.
        walks: assert (hits == {\dut.w9_hit , \dut.w8_hit , \dut.w7_hit , \dut.w6_hit , \dut.w5_hit });
        came_1: assert (!hits[1] || {\dut.w5_page , \dut.w5_tag , \dut.w5_index } == came[0 +: 4]);
        came_2: assert (!hits[2] || {\dut.w6_page , \dut.w6_tag , \dut.w6_index } == came[4 +: 4]);
        came_3: assert (!hits[3] || {\dut.w7_page , \dut.w7_tag , \dut.w7_index } == came[8 +: 4]);
        came_4: assert (!hits[4] || {\dut.w8_page , \dut.w8_tag , \dut.w8_index } == came[12 +: 4]);
        came_5: assert (!hits[5] || {\dut.w9_page , \dut.w9_tag , \dut.w9_index } == came[16 +: 4]);

        // Why these hold. The directory:
        taken_in_order: assert (taken != 2'd2 && taken1 != 2'd2 && taken2 != 2'd2);
        way_taken: assert (!touched || (fresh && (way == 2'd1 || way == 2'd2) && (way & taken) != 0));
        taken_fresh: assert (taken == 0 || fresh);
        header_true: assert (!fresh || header == {now_gen, taken});
        header_old: assert (!ran || fresh || header[HIR_WAYS +: GEN_W] == now_gen - 1'b1);
        scrub_next: assert (!ran || fresh || place == now_gen[0]);
        // Generations, banks, places of scrubs
        gens: assert (\dut.gen == now_gen + (\dut.w6_swap || \dut.w7_swap || \dut.w8_swap || \dut.w9_swap ));
        one_swap: assert ((swaps & (swaps - 1'b1)) == 0);
        banks: assert (\dut.bank == (\dut.w7_bank ^ \dut.w6_swap ) && \dut.w7_bank == (\dut.w8_bank ^ \dut.w7_swap ) &&
                       \dut.w8_bank == (\dut.w9_bank ^ \dut.w8_swap ) && \dut.w9_bank == (\dut.w10_bank ^ \dut.w9_swap ) &&
                       \dut.w10_bank == (\dut.w11_bank ^ \dut.w10_swap ));
        scrubs: assert (\dut.scrub_at == \dut.gen [0] && (!\dut.w6_swap || (\dut.w6_wipe && \dut.w6_index == now_gen[0])) &&
                        (!\dut.w7_swap || (\dut.w7_wipe && \dut.w7_index == now_gen[0])) &&
                        (!\dut.w8_swap || (\dut.w8_wipe && \dut.w8_index == now_gen[0])) &&
                        (!\dut.w9_swap || (\dut.w9_wipe && \dut.w9_index == now_gen[0])));
        wipes_swap: assert (!ran || (\dut.w6_wipe == \dut.w6_swap && \dut.w7_wipe == \dut.w7_swap &&
                                     \dut.w8_wipe == \dut.w8_swap && \dut.w9_wipe == \dut.w9_swap ));
        either: assert (!(\dut.w6_hit && \dut.w6_wipe ) && !(\dut.w7_hit && \dut.w7_wipe ) &&
                        !(\dut.w8_hit && \dut.w8_wipe ) && !(\dut.w9_hit && \dut.w9_wipe ) && !(hit[6] && \dut.w10_swap ));
        // Clearing after reset writes every header, and nothing else is under way.
        clears: assert (ran || (now_gen == 0 && !swapping && swapped == 0 && !touched && taken == 0 && taken1 == 0 &&
                                taken2 == 0 && hit == 0 && !\dut.w6_hit && !\dut.w7_hit && !\dut.w8_hit && !\dut.w9_hit ));
        clear_sets: assert (ran || fresh || \dut.clear_at <= {1'b0, place} ||
                            (\dut.w5_clear && \dut.w5_index == place) || (\dut.w6_wipe && \dut.w6_index == place) ||
                            (\dut.w7_wipe && \dut.w7_index == place) || (\dut.w8_wipe && \dut.w8_index == place) ||
                            (\dut.w9_wipe && \dut.w9_index == place));
        // Stage 2: the RAMs' words, unless they were written while they were read.
        clash_2: assert (!\dut.w6_hit || \dut.w6_clash == (wrote6 && at[6] == \dut.w6_index ));
        header_2: assert (!here2 || \dut.w6_clash || \dut.h_word == header);
        tags_2: assert (!here2 || ((\dut.g_way[0].tag == tag_0 || (\dut.w10_first && at[6] == place && \dut.w10_way [0])) &&
                                   (\dut.g_way[1].tag == tag_1 || (\dut.w10_first && at[6] == place && \dut.w10_way [1]))));
        near_2: assert (!\dut.w6_hit || (\dut.w6_set == near2 && (near2 & alike2) ==
                        (near2 & {\dut.w6_parts4 , \dut.w6_parts3 , \dut.w6_parts2 , \dut.w6_parts1 })));
        // Stage 3: the set as it was two cycles ago; which of the four walks before it are of the set, and of the tag.
        mask_3: assert (!here3 || \dut.w7_mask == taken_3);
        equal_3: assert (!here3 || (ours3 ? equal == was_3 : (equal & was_3) == 0));
        near_3: assert (!\dut.w7_hit || (\dut.w7_set == near3 && \dut.w7_same == (near3 & alike3)));
        // Stage 4: the set as the walk at w10 left it.
        mask_4: assert (!here4 || \dut.w8_mask == taken_4);
        match_4: assert (!here4 || ours4 || (\dut.w8_match & was_4) == 0);
        found_4: assert (!\dut.w8_hit || \dut.w8_found == (\dut.w8_match != 0));
        near_4: assert (!\dut.w8_hit || (\dut.w8_set1 == near4[1] && \dut.w8_same1 == (near4[1] && alike4[1]) &&
                                         \dut.w8_same2 == (near4[2] && alike4[2])));
        // Stages 5 to 7: what the hits made of the set.
        ways_4: assert (!\dut.w8_hit || (\dut.w8_match & ~\dut.w8_mask ) == 0);
        ways_5: assert (!\dut.w9_hit || (\dut.w9_way & ~\dut.w9_mask ) == 0);
        ways_6: assert (!hit[6] || (\dut.w10_way & ~\dut.w10_mask ) == 0);
        ways_7: assert (!hit[7] || (\dut.w11_way & ~\dut.w11_mask ) == 0);
        first_5: assert (!\dut.w9_first || \dut.w9_hit );
        set_5: assert (!in_set || (\dut.w9_first ? taken != 2'd3 && \dut.w9_way == next && \dut.w9_mask == (taken | next)
                                                 : \dut.w9_mask == taken));
        near_5: assert (!\dut.w9_hit || (\dut.w9_same1 == (near5[1] && alike5[1]) && \dut.w9_same2 == (near5[2] && alike5[2] && \dut.w11_counts )));
        wipe_5: assert (!\dut.w9_wipe || \dut.w9_mask == 0);
        set_6: assert (!(hit[6] && at[6] == place) || (\dut.w10_mask == taken && (!\dut.w10_first || \dut.w10_before == taken1) &&
                       (\dut.w10_tag == tag ? \dut.w10_way == was : (\dut.w10_way & was) == 0)));
        first_6: assert (!\dut.w10_first || (hit[6] && wrote6));
        wrote_6: assert (!(wrote6 && hit[6]) || \dut.w10_first );
        set_7: assert (!(hit[7] && at[7] == place) || (\dut.w11_mask == taken1 &&
                       (tag7 == tag ? \dut.w11_way == (touched1 ? way : 2'd0) : (\dut.w11_way & (touched1 ? way : 2'd0)) == 0)));
        before_6: assert (\dut.w10_swap || (taken1 & ~taken) == 0);
        before_7: assert (swapped[7] || (taken2 & ~taken1) == 0);
        same_7: assert (!(touched1 && !touched) || \dut.w10_swap );
    end

endmodule
`default_nettype wire
