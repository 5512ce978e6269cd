// SPDX-License-Identifier: Apache-2.0
// Proofs about hir_cache: a golden model of one page of one page set (both unknown constants), of the faults, and of the packets. The
// model takes the outcome of hits of other page sets from the block. Each outcome is proved, because the followed page set may be any.
//: pdr 20 s
//: bmc3 30 frames 240 s
//: find 192 198 212 214 315:idle_right 317:skipped_counted 314:record_in_order 316:drops_counted
//: find 208:first_or_dropped 206:one_way,entry_stays 312:drain_alone 194:drain_done,swap_right,swaps_apart
//: find 313:header_right 217:last_right 219:beat_held 204:no_stale_header 318:no_gap 319:beat_expected
//: find 320:header_in_time 321:walk_after_five
`default_nettype none
module formal_hir_cache #(
    parameter VPN_W     = 3,
    parameter ASID_W    = 1,
    parameter HIR_SETS  = 2,
    parameter HIR_WAYS  = 2,
    parameter HIR_PAGES = 2,
    parameter HIR_CNT_W = 2,
    parameter PSA_W     = 2,
    parameter N_W       = 3,
    parameter REC_BITS  = ASID_W + PSA_W + HIR_PAGES * HIR_CNT_W,
    parameter HIR_BITS  = 48
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
    wire walk = walk_in && run;

    wire [HIR_BITS-1:0] data;
    wire                valid, last, idle;
    wire [31:0]         drops, skipped;
    wire                is_hit, is_fault, is_due, is_swap;
    wire [1:0]          outcome;
    gmmu_hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clearing), .cleared(cleared),
        .walk_valid(walk), .walk_fault(walk_fault), .walk_asid(walk_asid), .walk_vpn(walk_vpn),
        .m_tdata(data), .m_tvalid(valid), .m_tlast(last), .m_tready(ready), .idle(idle),
        .stat_drops(drops), .stat_skipped(skipped),
        .tvi_hit(is_hit), .tvi_outcome(outcome), .tvi_fault(is_fault), .tvi_due(is_due), .tvi_swap(is_swap)
    );
    (* hierconn *) wire                \dut.w7_hit ;
    (* hierconn *) wire                \dut.w7_now ;
    (* hierconn *) wire [0:0]          \dut.w6_index ;
    (* hierconn *) wire                \dut.w7_swap ;
    (* hierconn *) wire                \dut.w8_swap ;
    (* hierconn *) wire                \dut.w10_swap ;
    (* hierconn *) wire                \dut.w8_hit ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.w8_match ;
    (* hierconn *) wire [HIR_WAYS-1:0] \dut.w9_way ;
    (* hierconn *) wire                \dut.w9_writes ;
    (* hierconn *) wire [0:0]          \dut.w9_index ;
    (* hierconn *) wire                \dut.w10_bank ;
    (* hierconn *) wire                \dut.w11_counts ;
    (* hierconn *) wire                \dut.w11_bank ;
    (* hierconn *) wire                \dut.w12_counts ;
    (* hierconn *) wire                \dut.w12_bank ;
    (* hierconn *) wire                \dut.d1_valid ;
    (* hierconn *) wire                \dut.d2_valid ;
    (* hierconn *) wire                \dut.d3_valid ;
    (* hierconn *) wire                \dut.d4_valid ;
    (* hierconn *) wire                \dut.heading ;
    (* hierconn *) wire                \dut.more ;

    // the walks, up to where the block tells what became of them
    reg  [5:1]        w_hit, w_fault, w_due, w_swap;
    reg  [5*ASID_W:1] w_asid;
    reg  [5*VPN_W:1]  w_vpn;
    // FAULT and DRAIN_SWAP, where the block looks whether the other bank is free
    reg  [15:0]       transfer0, transfer, faults;
    reg               free;
    wire              due  = w_fault[1] && transfer != 0 && {1'b0, faults} + 1'b1 >= {1'b0, transfer};
    wire              swap = due && free;
    always @(posedge clk) begin
        w_hit    <= {w_hit[4:1], walk && !walk_fault};
        w_fault  <= {w_fault[4:1], walk && walk_fault};
        w_due    <= {w_due[4:2], due, 1'b0};
        w_swap   <= {w_swap[4:2], swap, 1'b0};
        w_asid   <= {w_asid, walk_asid};
        w_vpn    <= {w_vpn, walk_vpn};
        transfer0 <= cfg_transfer; // (that of the cycle before the walk)
        transfer  <= transfer0;
        if (w_fault[1])
            faults <= due || transfer == 0 ? 16'd0 : faults + 1'b1;
        free <= !swap && (free || (valid && ready && last));
        if (rst) begin
            w_hit   <= 0;
            w_fault <= 0;
            w_due   <= 0;
            w_swap  <= 0;
            faults  <= 0;
            free    <= 1'b1;
        end
    end

    // the followed page
    (* anyconst *) wire [ASID_W-1:0] asid;
    (* anyconst *) wire [VPN_W-1:0]  vpn;
    wire [PSA_W-1:0] set     = vpn[VPN_W-1:1];
    wire [VPN_W-1:0] vpn5    = w_vpn[4*VPN_W+1 +: VPN_W];
    wire [ASID_W-1:0] asid5  = w_asid[4*ASID_W+1 +: ASID_W];
    wire             ours    = w_hit[5] && asid5 == asid && vpn5[VPN_W-1:1] == set; // its page set
    wire             in_set  = w_hit[5] && (asid5[0] ^ vpn5[1]) == (asid[0] ^ vpn[1]);
    wire             touch   = w_hit[5] && outcome == 1;
    wire             drop    = w_hit[5] && outcome == 2;

    // the interval
    reg                 touched;      // the page set has an entry,
    reg  [HIR_WAYS-1:0] way;          // this,
    reg  [N_W-1:0]      rank;         // with so many before it
    reg  [1:0]          taken;        // ways of its set
    reg  [1:0]          count;        // hits of the page
    reg  [N_W-1:0]      n;
    reg  [15:0]         dropped, seq;
    // the packet that leaves
    reg                 leaving, q_touched, held;
    reg  [N_W-1:0]      q_rank, q_n, at; // at: 0 the header
    reg  [1:0]          q_count;
    reg  [15:0]         q_dropped, q_seq;
    reg  [HIR_BITS-1:0] held_data;
    reg                 held_last;
    reg  [5:1]          swapped;
    // counted so far, two cycles later
    reg  [31:0]         all_drops, all_skipped;
    reg                 drop6, skip6, drop7, skip7;
    // sets whose header was written since the swap, now and a cycle ago
    reg  [HIR_SETS-1:0] fresh, was_fresh;
    reg                 fresh7;          // that of the walk at w7 was, when it was read
    reg  [7:1]          rests;           // no walk in the cycles before
    always @(posedge clk) begin
        if (ours && outcome != 2 && vpn5[0] == vpn[0] && count != 3)
            count <= count + 1'b1;
        if (ours && touch) begin
            touched <= 1'b1;
            rank    <= n;
            way     <= \dut.w9_way ;
        end
        taken   <= taken + (in_set && touch);
        n       <= n + touch;
        dropped <= dropped + (drop && dropped != 16'hFFFF);
        drop6   <= drop;
        skip6   <= w_due[5] && !w_swap[5];
        drop7   <= drop6;
        skip7   <= skip6;
        all_drops   <= all_drops + drop7;
        all_skipped <= all_skipped + skip7;
        held      <= valid && !ready;
        held_data <= data;
        held_last <= last;
        if (valid && ready) begin
            at      <= at + 1'b1;
            leaving <= at != q_n;
        end
        swapped   <= {swapped, w_swap[5]};
        fresh7    <= was_fresh[\dut.w6_index ] && !\dut.w7_swap && !\dut.w8_swap && !w_swap[5] && !\dut.w10_swap ;
        was_fresh <= fresh;
        if (w_swap[5]) begin
            leaving   <= 1'b1;
            at        <= 0;
            q_touched <= touched;
            q_rank    <= rank;
            q_count   <= count;
            q_n       <= n;
            q_dropped <= dropped;
            q_seq     <= seq;
            touched   <= 1'b0;
            count     <= 0;
            taken     <= 0;
            n         <= 0;
            dropped   <= 0;
            seq       <= seq + 1'b1;
            fresh     <= 0;
        end
        if (\dut.w9_writes )
            fresh[\dut.w9_index ] <= 1'b1;
        if (rst) begin
            touched     <= 1'b0;
            count       <= 0;
            taken       <= 0;
            n           <= 0;
            dropped     <= 0;
            seq         <= 0;
            leaving     <= 1'b0;
            held        <= 1'b0;
            swapped     <= 0;
            drop6       <= 1'b0;
            skip6       <= 1'b0;
            drop7       <= 1'b0;
            skip7       <= 1'b0;
            all_drops   <= 0;
            all_skipped <= 0;
            fresh       <= 0;
            was_fresh   <= 0;
        end
    end

    wire [REC_BITS-1:0] record = data[REC_BITS-1:0];
    wire is_record = valid && at != 0;
    wire is_ours   = record[0 +: ASID_W] == asid && record[ASID_W +: PSA_W] == set;
    wire [1:0] record_count = record[ASID_W + PSA_W + HIR_CNT_W * vpn[0] +: HIR_CNT_W];
    wire d_bank = !\dut.w10_bank ; // the bank that is drained
    wire [HIR_WAYS-1:0] match = \dut.w8_match ;

    always @* if (run) begin
        // What became of a walk is told five cycles later.
        walk_after_five: assert (is_hit == w_hit[5] && is_fault == w_fault[5]);
        // The cfg_transfer-th fault makes a swap due; it comes if the last packet's last beat was taken.
        due_right: assert (is_due == w_due[5]);
        swap_right: assert (is_swap == w_swap[5]);
        // Swaps are eight cycles apart at least (hir_cache_lookup.v relies on it).
        swaps_apart: assert (!swap || (w_swap == 0 && swapped[3:1] == 0));
        // No two entries with one tag in a set: at most one way has a tag.
        one_way: assert (!\dut.w8_hit || (match & (match - 1'b1)) == 0);
        // An entry is not lost within its interval: a page set that has one is found, in the way it took.
        entry_stays: assert (!(ours && touched) || (outcome == 0 && \dut.w9_way == way));
        // One that has none takes a way if there is one, and is dropped only if there is none.
        first_or_dropped: assert (!(ours && !touched) || outcome == (taken == HIR_WAYS ? 2 : 1));
        // An entry is of one page set.
        entry_ours: assert (!(in_set && !ours && touched && outcome != 2) || \dut.w9_way != way);
        // A header counts only if it was written in this interval, however near the next swap and its scrub are.
        no_stale_header: assert (!(\dut.w7_hit && \dut.w7_now ) || fresh7);
        // The drain reads a bank's counters when no hit of it is under way, and all are written.
        drain_alone: assert (!\dut.d2_valid || !((\dut.w11_counts && \dut.w11_bank == d_bank) ||
                                                  (\dut.w12_counts && \dut.w12_bank == d_bank)));
        // At a swap nothing of the packet before is left.
        drain_done: assert (!\dut.w10_swap || !(valid || \dut.heading || \dut.d1_valid || \dut.d2_valid || \dut.d3_valid || \dut.d4_valid || \dut.more ));
        // Nothing comes but a packet's beats; header and records without a gap, the header six cycles after its swap.
        beat_expected: assert (!valid || leaving);
        header_in_time: assert (!(leaving && at == 0 && swapped == 0 && !w_swap[5]) || valid);
        no_gap: assert (!(leaving && at != 0) || valid);
        // As many records as touched page sets, the last one marked; the header says how many, and what was dropped.
        header_right: assert (!(valid && at == 0) || (data[47:32] == q_dropped && data[31:16] == q_n && data[15:0] == q_seq));
        last_right: assert (!valid || last == (at == q_n));
        // A page set has one record if it was touched, in the order of first touches, and none else.
        record_in_order: assert (!is_record || is_ours == (q_touched && at == q_rank + 1));
        // Its count is the number of hits in the interval, or the most that it holds.
        count_exact: assert (!(is_record && is_ours) || record_count == q_count);
        // A beat that is not taken stays.
        beat_held: assert (!held || (valid && data == held_data && last == held_last));
        // Drops and skipped swaps are counted.
        drops_counted: assert (drops == all_drops);
        skipped_counted: assert (skipped == all_skipped);
        // idle: nothing is under way.
        idle_right: assert (!idle || (w_hit == 0 && w_fault == 0 && !leaving && !valid));
    end

endmodule
`default_nettype wire
