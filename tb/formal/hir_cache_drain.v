// SPDX-License-Identifier: Apache-2.0
// Proofs about hir_cache's swaps, log and packets, without bound. Any fault may make a swap due. Any first touch or drop may be at w10
// in any cycle without a swap. There are no more first touches than entries (tb/formal/hir_cache_lookup.v: first_or_dropped). One first
// touch of an interval is followed; its rank is an unknown constant. All assertions together are inductive.
//: together
//: pdr 60 s
//: bmc3 40 frames 20 s
//: ram ram_words
//: cut reached w10_first w10_drop w10_counts w10_entry w10_tag w10_same1 w10_same2 w10_page
//: find 194 195 215 217 218 219 195:drain_done 312:drain_alone 313:header_right 194:swaps_apart
//: find 318:beats_come
`default_nettype none
module formal_hir_cache_drain #(
    parameter VPN_W     = 3,
    parameter ASID_W    = 1,
    parameter HIR_SETS  = 2,
    parameter HIR_WAYS  = 2,
    parameter HIR_PAGES = 2,
    parameter HIR_CNT_W = 2,
    parameter CNTS_W    = 4,
    parameter WORD_W    = 4,
    parameter N_W       = 3,
    parameter HIR_BITS  = 48
) (
    input wire              clk,
    input wire              reset, clear, walk_in, walk_fault, ready,
    input wire [ASID_W-1:0] walk_asid,
    input wire [VPN_W-1:0]  walk_vpn,
    input wire [15:0]       cfg_transfer
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire [HIR_BITS-1:0] data;
    wire                valid, last;
    gmmu_hir_cache #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS), .HIR_PAGES(HIR_PAGES),
        .HIR_CNT_W(HIR_CNT_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .cfg_transfer(cfg_transfer), .clear(clear), .walk_valid(walk_in), .walk_fault(walk_fault),
        .walk_asid(walk_asid), .walk_vpn(walk_vpn),
        .m_tdata(data), .m_tvalid(valid), .m_tlast(last), .m_tready(ready)
    );
    (* hierconn *) wire \dut.w10_first , \dut.w10_drop , \dut.w10_counts , \dut.w10_swap , \dut.w11_swap , \dut.w12_swap , \dut.w13_swap ;
    (* hierconn *) wire \dut.w5_fault , \dut.w5_due , \dut.w5_swap , \dut.w6_swap , \dut.w7_swap , \dut.w8_swap , \dut.w9_swap ;
    (* hierconn *) wire \dut.bank , \dut.w7_bank , \dut.w8_bank , \dut.w9_bank , \dut.other_free ;
    (* hierconn *) wire \dut.w10_bank , \dut.w11_bank , \dut.w12_bank ;
    (* hierconn *) wire [1:0] \dut.w10_entry , \dut.w10_tag , \dut.read_at ;
    (* hierconn *) wire [N_W-1:0] \dut.n , \dut.to_read ;
    (* hierconn *) wire \dut.some , \dut.more , \dut.heading , \dut.d1_valid , \dut.d1_last , \dut.d2_valid , \dut.d2_last , \dut.d3_valid , \dut.d3_last ;
    (* hierconn *) wire \dut.d4_valid , \dut.d4_last ;
    (* hierconn *) wire [15:0] \dut.dropped , \dut.seq ;
    (* hierconn *) wire [47:0] \dut.head ;
    (* hierconn *) wire [WORD_W-1:0] \dut.log_word , \dut.g_drain_late.d2_word , \dut.d3_word , \dut.d4_word ;
    (* hierconn *) wire [CNTS_W-1:0] \dut.d4_counters ;
    (* hierconn *) wire [8*WORD_W-1:0] \dut.log_ram.words ;
    (* hierconn *) wire [CNTS_W-1:0] \dut.counters0 , \dut.counters1 ;
    (* hierconn *) wire [4*CNTS_W-1:0] \dut.counter_ram0.words , \dut.counter_ram1.words ;

    (* anyconst *) wire [1:0] rank;

    // the interval, and the packet that leaves
    reg  [N_W-1:0]    n, q_n, at;         // first touches; records of the packet; beats taken
    reg  [15:0]       dropped, seq, q_dropped, q_seq;
    reg  [WORD_W-1:0] word, q_word;       // {entry, tag} of the followed first touch
    reg               leaving, held;
    reg               free;               // the last beat was taken of the packet before
    reg  [8:2]        swapped;            // the last swaps
    reg  [HIR_BITS-1:0] held_data;
    reg               held_last;
    always @(posedge clk) begin
        free    <= !\dut.w5_swap && (free || (valid && ready && last));
        swapped <= {swapped, \dut.w5_swap };
        if (\dut.w10_first ) begin
            n <= n + 1'b1;
            if (n == {1'b0, rank})
                word <= {\dut.w10_entry , \dut.w10_tag };
        end
        if (\dut.w10_drop && dropped != 16'hFFFF)
            dropped <= dropped + 1'b1;
        if (valid && ready) begin
            at      <= at + 1'b1;
            leaving <= at != q_n;
        end
        held      <= valid && !ready;
        held_data <= data;
        held_last <= last;
        if (\dut.w10_swap ) begin
            leaving   <= 1'b1;
            at        <= 0;
            q_n       <= n;
            q_dropped <= dropped;
            q_seq     <= seq;
            q_word    <= word;
            n         <= 0;
            dropped   <= 0;
            seq       <= seq + 1'b1;
        end
        if (rst) begin
            n       <= 0;
            dropped <= 0;
            seq     <= 0;
            leaving <= 1'b0;
            held    <= 1'b0;
            free    <= 1'b1;
            swapped <= 0;
        end
    end
    always @* begin
        assume (!\dut.w10_swap || (!\dut.w10_first && !\dut.w10_drop && !\dut.w10_counts ));
        assume (!\dut.w10_first || n != HIR_SETS * HIR_WAYS);
    end

    // the drained bank: counters of the followed record's entry; what its record must be
    wire [4*CNTS_W-1:0] words = \dut.w10_bank ? \dut.counter_ram0.words : \dut.counter_ram1.words ;
    wire [CNTS_W-1:0]   port  = \dut.w10_bank ? \dut.counters0 : \dut.counters1 ;
    wire [CNTS_W-1:0]   count = words[CNTS_W*q_word[3:2] +: CNTS_W];
    // {counters, page set, asid}: the page set's upper bit and the address space are the tag, its lower bit the set xor asid
    wire [HIR_BITS-1:0] record = {count, q_word[1], q_word[3] ^ q_word[0], q_word[0]};
    wire                is_record = valid && at != 0;
    wire                ours      = at == {1'b0, rank} + 1'b1;
    wire [N_W-1:0]      left      = q_n - at; // records behind the beat at the port
    wire [N_W-1:0]      read      = q_n - \dut.to_read ; // words read from the log
    wire [N_W-1:0]      in_d2     = read - 1'b1 - \dut.d1_valid , in_d3 = in_d2 - \dut.d2_valid , in_d4 = in_d3 - \dut.d3_valid ;
    wire [8*WORD_W-1:0] log_words = \dut.log_ram.words ;

    always @* if (!rst) begin
        // A swap that is due comes just if the last beat of the packet before was taken; swaps are eight cycles apart at
        // least (hir_cache_lookup.v relies on it), and nothing is left of the packet before.
        swap_right: assert (\dut.w5_swap == (\dut.w5_due && free) && (!\dut.w5_due || \dut.w5_fault ));
        swaps_apart: assert (!\dut.w5_swap || swapped == 0);
        drain_done: assert (!\dut.w10_swap || (!leaving && !valid && !\dut.heading && !\dut.d1_valid && !\dut.d2_valid && !\dut.d3_valid && !\dut.d4_valid &&
                            !\dut.more ));
        // Nothing comes but a packet's beats; the header five cycles after its swap, records without a gap.
        beat_expected: assert (!valid || leaving);
        beats_come: assert (!leaving || \dut.w11_swap || \dut.w12_swap || \dut.w13_swap || \dut.heading || valid);
        // The header says how many page sets were touched, how many hits dropped (at most 65535), and counts.
        header_right: assert (!(valid && at == 0) || data == {q_dropped, 13'd0, q_n, q_seq});
        // As many records as first touches, the last one marked.
        last_right: assert (!valid || (at <= q_n && last == (at == q_n)));
        // A record tells the page set that was touched as that one of the interval, and its entry's counters.
        record_right: assert (!(is_record && ours) || data == record);
        // A beat that is not taken stays.
        beat_held: assert (!held || (valid && data == held_data && last == held_last));
        // The drain never reads a word that is written in that cycle.
        drain_alone: assert (!\dut.d2_valid || (\dut.w11_bank == \dut.w10_bank && \dut.w12_bank == \dut.w10_bank ));

        // Why these hold.
        counts_kept: assert (\dut.n == n && \dut.some == (n != 0) && n <= 4 && \dut.dropped == dropped && \dut.seq == seq);
        pipeline: assert ({\dut.w11_swap , \dut.w10_swap , \dut.w9_swap , \dut.w8_swap , \dut.w7_swap , \dut.w6_swap } == swapped[7:2]);
        one_at_most: assert (free == (swapped[6:2] == 0 && !leaving) && (swapped & (swapped - 1'b1)) == 0 &&
                             (swapped[6:2] == 0 || !leaving) && (swapped[8:7] == 0 || leaving));
        free_right: assert (\dut.other_free == free);
        banks: assert (\dut.bank == (\dut.w7_bank ^ \dut.w6_swap ) && \dut.w7_bank == (\dut.w8_bank ^ \dut.w7_swap ) &&
                       \dut.w8_bank == (\dut.w9_bank ^ \dut.w8_swap ) && \dut.w9_bank == (\dut.w10_bank ^ \dut.w9_swap ) &&
                       \dut.w10_bank == (\dut.w11_bank ^ \dut.w10_swap ) && \dut.w11_bank == (\dut.w12_bank ^ \dut.w11_swap ));
        log_true: assert (n <= {1'b0, rank} || log_words[WORD_W*{\dut.w11_bank , rank} +: WORD_W] == word);
        log_stays: assert (!leaving || q_n <= {1'b0, rank} ||
                           log_words[WORD_W*{!\dut.w11_bank , rank} +: WORD_W] == q_word);
        head_stays: assert (!leaving || \dut.head == {q_dropped, 13'd0, q_n, q_seq});
        steps: assert ({1'b0, \dut.w11_swap } + \dut.w12_swap + \dut.w13_swap + \dut.heading + valid == {1'b0, leaving} && (at == 0 || valid || !leaving));
        rests: assert (leaving || (!\dut.more && !\dut.d1_valid && !\dut.d2_valid && !\dut.d3_valid && !\dut.d4_valid ));
        read_1: assert (!\dut.w11_swap || (q_n <= 4 && \dut.to_read == q_n && !\dut.d1_valid && !\dut.d2_valid && !\dut.d3_valid && !\dut.d4_valid ));
        read_2: assert (!\dut.w12_swap || (q_n <= 4 && \dut.to_read == (q_n == 0 ? 0 : q_n - 1'b1) &&
                        \dut.d1_valid == (q_n != 0) && (!\dut.d1_valid || \dut.d1_last == (q_n == 1)) && !\dut.d2_valid && !\dut.d3_valid && !\dut.d4_valid ));
        read_3: assert (!\dut.w13_swap || (q_n <= 4 && \dut.to_read == (q_n <= 2 ? 0 : q_n - 2'd2) &&
                        \dut.d1_valid == (q_n >= 2) && (!\dut.d1_valid || \dut.d1_last == (q_n == 2)) &&
                        \dut.d2_valid == (q_n >= 1) && (!\dut.d2_valid || \dut.d2_last == (q_n == 1)) && !\dut.d3_valid && !\dut.d4_valid ));
        read_4: assert (!\dut.heading || (q_n <= 4 && \dut.to_read == (q_n <= 3 ? 0 : q_n - 2'd3) &&
                        \dut.d1_valid == (q_n >= 3) && (!\dut.d1_valid || \dut.d1_last == (q_n == 3)) &&
                        \dut.d2_valid == (q_n >= 2) && (!\dut.d2_valid || \dut.d2_last == (q_n == 2)) &&
                        \dut.d3_valid == (q_n >= 1) && (!\dut.d3_valid || \dut.d3_last == (q_n == 1)) && !\dut.d4_valid ));
        read_5: assert (!valid || (q_n <= 4 && \dut.to_read == (left <= 4 ? 0 : left - 3'd4) &&
                        \dut.d1_valid == (left >= 4) && (!\dut.d1_valid || \dut.d1_last == (left == 4)) &&
                        \dut.d2_valid == (left >= 3) && (!\dut.d2_valid || \dut.d2_last == (left == 3)) &&
                        \dut.d3_valid == (left >= 2) && (!\dut.d3_valid || \dut.d3_last == (left == 2)) &&
                        \dut.d4_valid == (left >= 1) && (!\dut.d4_valid || \dut.d4_last == (left == 1))));
        more_reads: assert (!leaving || (\dut.more == (\dut.to_read != 0) && \dut.read_at == read[1:0]));
        word_1: assert (!(\dut.d1_valid && read == {1'b0, rank} + 1'b1) || \dut.log_word == q_word);
        word_2: assert (!(\dut.d2_valid && in_d2 == {1'b0, rank}) || \dut.g_drain_late.d2_word == q_word);
        word_3: assert (!(\dut.d3_valid && in_d3 == {1'b0, rank}) || (\dut.d3_word == q_word && port == count));
        word_4: assert (!(\dut.d4_valid && in_d4 == {1'b0, rank}) || (\dut.d4_word == q_word && \dut.d4_counters == count));
    end

endmodule
`default_nettype wire
