// SPDX-License-Identifier: Apache-2.0
// Proofs about hir_cache's counters, without bound. Any hit of any entry may be at w10 in any cycle, and any entry may be read for the
// drain. Two assumptions about the stages before: the marks that the two walks before count in the same entry are right, and an entry's
// first hit is a first touch (tb/formal/hir_cache_lookup.v: handed_on, first_or_dropped). The counter of one page of one entry of one
// bank, all unknown constants, is followed. All assertions together are inductive.
//: together
//: pdr 60 s
//: bmc3 40 frames 20 s
//: ram ram_words
//: cut w10_counts w10_first w10_entry w10_bank w10_same1 w10_same2 w10_page moves d2_entry
//: find 210 211 212 213 211:word_exact,drain_exact 322:under_way,drain_rests
`default_nettype none
module formal_hir_cache_counts #(
    parameter VPN_W     = 3,
    parameter ASID_W    = 1,
    parameter HIR_SETS  = 2,
    parameter HIR_WAYS  = 2,
    parameter HIR_PAGES = 2,
    parameter HIR_CNT_W = 2,
    parameter CNTS_W    = 4,
    parameter C_W       = 5 // with their parity
) (
    input wire              clk,
    input wire              reset, drains, clear, walk_in, walk_fault, ready,
    input wire [ASID_W-1:0] walk_asid,
    input wire [VPN_W-1:0]  walk_vpn,
    input wire [15:0]       cfg_transfer
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    gmmu_hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W), .PARITY(1)
    ) dut (
        .clk(clk), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clear), .walk_valid(walk_in), .walk_fault(walk_fault),
        .walk_asid(walk_asid), .walk_vpn(walk_vpn), .m_tready(ready)
    );
    (* hierconn *) wire \dut.w10_counts , \dut.w11_counts , \dut.w12_counts ;
    (* hierconn *) wire \dut.w10_bank , \dut.w11_bank , \dut.w12_bank ;
    (* hierconn *) wire [1:0] \dut.w10_entry , \dut.w11_entry , \dut.w12_entry , \dut.d2_entry ;
    (* hierconn *) wire \dut.w10_first , \dut.w10_same1 , \dut.w10_same2 , \dut.w10_page ;
    (* hierconn *) wire \dut.w11_same1 , \dut.w11_same2 , \dut.w11_from_ram , \dut.w12_same1 , \dut.w12_from_ram , \dut.moves ;
    (* hierconn *) wire [1:0] \dut.w11_pages , \dut.w12_pages ;
    (* hierconn *) wire [C_W-1:0] \dut.w12_read , \dut.w12_handed , \dut.w12_counters , \dut.w13_counters , \dut.counters0 , \dut.counters1 ;
    (* hierconn *) wire [4*C_W-1:0] \dut.counter_ram0.words , \dut.counter_ram1.words ;

    // the followed counter
    (* anyconst *) wire       bank, page;
    (* anyconst *) wire [1:0] entry;
    wire ours6 = \dut.w10_counts && \dut.w10_bank == bank && \dut.w10_entry == entry;
    wire ours7 = \dut.w11_counts && \dut.w11_bank == bank && \dut.w11_entry == entry;
    wire ours8 = \dut.w12_counts && \dut.w12_bank == bank && \dut.w12_entry == entry;

    reg                 live;             // it had a first touch
    reg [HIR_CNT_W-1:0] count;            // hits, or the most that it holds: with that at w11,
    reg [HIR_CNT_W-1:0] count8, count9;   // with that at w12, with those behind it
    reg                 live8, live9, ours9, first7, first8, counted7, counted8;
    reg                 drained;          // the bank's port has its word for the drain
    wire drains_ours = drains && \dut.moves && \dut.w10_bank != bank;
    always @(posedge clk) begin
        if (ours6) begin
            live <= 1'b1;
            count <= (\dut.w10_first ? 2'd0 : count) +
                     (\dut.w10_page == page && (\dut.w10_first || count != {HIR_CNT_W{1'b1}}));
        end
        count8   <= count;
        count9   <= count8;
        live8    <= live;
        live9    <= live8;
        ours9    <= ours8;
        first7   <= \dut.w10_first ;
        first8   <= first7;
        counted7 <= \dut.w10_page == page;
        counted8 <= counted7;
        drained  <= drains_ours ? \dut.d2_entry == entry : drained && !\dut.moves && \dut.w10_bank != bank;
        if (rst) begin
            live    <= 1'b0;
            live8   <= 1'b0;
            live9   <= 1'b0;
            ours9   <= 1'b0;
            drained <= 1'b0;
            count   <= 0;
            count8  <= 0;
            count9  <= 0;
        end
    end

    always @* begin
        assume (!\dut.w10_first || \dut.w10_counts );
        assume (!\dut.w10_counts || \dut.w10_same1 == (\dut.w11_counts && \dut.w11_bank == \dut.w10_bank &&
                                                      \dut.w11_entry == \dut.w10_entry ));
        assume (!\dut.w10_counts || \dut.w10_same2 == (\dut.w12_counts && \dut.w12_bank == \dut.w10_bank &&
                                                      \dut.w12_entry == \dut.w10_entry ));
        assume (!\dut.w10_first || (!\dut.w10_same1 && !\dut.w10_same2 ));
        assume (!ours6 || \dut.w10_first || live);
        // (tb/formal/hir_cache.v: drain_alone)
        assume (!drains_ours || !((\dut.w11_counts && \dut.w11_bank == bank) || (\dut.w12_counts && \dut.w12_bank == bank)));
    end

    wire [4*C_W-1:0] words = bank ? \dut.counter_ram1.words : \dut.counter_ram0.words ;
    wire [C_W-1:0]   word  = words[C_W*entry +: C_W];
    wire [C_W-1:0]   port  = bank ? \dut.counters1 : \dut.counters0 ;
    wire [C_W-1:0]   from7 = (port & {C_W{\dut.w11_from_ram }}) | (\dut.w13_counters & {C_W{\dut.w11_same2 }});
    wire [C_W-1:0]   from8 = (\dut.w12_read & {C_W{\dut.w12_from_ram }}) | \dut.w12_handed ;
    always @* if (!rst) begin
        // A hit leaves the count of the hits since the first touch, itself with them, or the most that a counter holds.
        counted: assert (!ours8 || \dut.w12_counters [HIR_CNT_W*page +: HIR_CNT_W] == count8);
        // So the entry's word holds it, when no hit of it is under way.
        word_exact: assert (!live9 || word[HIR_CNT_W*page +: HIR_CNT_W] == count9);
        under_way: assert ((!live || ours7 || ours8 || live9) && (ours7 || count == count8) && (ours8 || count8 == count9));
        // What the drain reads is the count.
        drain_exact: assert (!(drained && live) || port[HIR_CNT_W*page +: HIR_CNT_W] == count);
        // Nor is it odd, as what was turned over is.
        drain_even: assert (!(drained && live) || !(^port));
        drain_rests: assert (!drained || (live == live9 && count == count9 && !ours7 && !ours8));

        // Why these hold.
        written_9: assert (!ours9 || (live9 && \dut.w13_counters [HIR_CNT_W*page +: HIR_CNT_W] == count9));
        same_7: assert (!ours7 || (live && \dut.w11_same1 == ours8 && \dut.w11_same2 == ours9 &&
                                   !((\dut.w11_same1 || \dut.w11_same2 ) && \dut.w11_from_ram )));
        same_8: assert (!ours8 || (live8 && \dut.w12_same1 == ours9 && !(\dut.w12_same1 && \dut.w12_from_ram )));
        before_7: assert (!(ours7 && !\dut.w11_same1 ) || from7[HIR_CNT_W*page +: HIR_CNT_W] == (first7 ? 2'd0 : count8));
        before_8: assert (!(ours8 && !\dut.w12_same1 ) || from8[HIR_CNT_W*page +: HIR_CNT_W] == (first8 ? 2'd0 : count9));
        page_7: assert (!ours7 || (\dut.w11_pages == 2'd1 << page) == counted7);
        one_page: assert (!ours7 || \dut.w11_pages == 2'd1 || \dut.w11_pages == 2'd2);
        even_7: assert (!(ours7 && !\dut.w11_same1 ) || !(^from7));
        even_8: assert (!(ours8 && !\dut.w12_same1 ) || !(^from8));
        even_9: assert ((!ours9 || !(^\dut.w13_counters )) && (!live9 || !(^word)));
        pages_8: assert (!ours8 || ((\dut.w12_pages == 2'd1 || \dut.w12_pages == 2'd2) && (\dut.w12_pages == 2'd1 << page) == counted8));
    end

endmodule
`default_nettype wire
