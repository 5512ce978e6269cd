// SPDX-License-Identifier: Apache-2.0
// Proofs about rit_export: a scoreboard follows one record, any one that `pick` marks; counts of all.
//: pdr 120 s
//: bmc3 16 frames 150 s
//: find 120 126 127 129 132
`default_nettype none
module formal_rit_export #(
    parameter VPN_W   = 1,
    parameter ASID_W  = 1,
    parameter REF_W   = 1,
    parameter TIME_W  = 1,
    parameter CLASSES = 2,
    parameter GEN_W   = 1,
    parameter RITQ    = 4,
    parameter CLASS_W = 2,
    parameter REC_BITS  = 3 + ASID_W + REF_W + TIME_W,
    parameter BEAT_BITS = REC_BITS + 2 + ASID_W + VPN_W + REF_W + TIME_W,
    parameter RIT_BITS  = 40 + TIME_W
) (
    input wire               clk,
    input wire               reset, pick_side, pick_walk,
    input wire [TIME_W-1:0]  now,
    input wire               side_valid, walk_valid, walk_fault, walk_alloc, walk_gone, rec_valid, rec_censored, ready,
    input wire [CLASS_W-1:0] side_class, walk_class, rec_class,
    input wire [TIME_W-1:0]  side_age, rec1_interval,
    input wire [ASID_W-1:0]  walk_asid,
    input wire [VPN_W-1:0]   walk_vpn,
    input wire [REF_W-1:0]   walk_ref
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    (* anyconst *) wire [7:0] cfg_batch;
    (* anyconst *) wire       cfg_fault;
    (* anyconst *) wire [3:0] cfg_wait;
    always @* assume (!rec_valid || walk_valid);

    wire [RIT_BITS-1:0] data;
    wire                valid, last, send;
    wire [1:0]          side_is, walk_is;
    wire [31:0]         drops;
    gmmu_rit_export #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .TIME_W(TIME_W), .CLASSES(CLASSES), .GEN_W(GEN_W), .RITQ(RITQ), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .cfg_batch(cfg_batch), .cfg_fault(cfg_fault), .cfg_wait(cfg_wait), .now(now),
        .side_valid(side_valid), .side_class(side_class), .side_age(side_age),
        .walk_valid(walk_valid), .walk_fault(walk_fault), .walk_asid(walk_asid), .walk_vpn(walk_vpn),
        .walk_ref(walk_ref), .walk_alloc(walk_alloc), .walk_gone(walk_gone), .walk_class(walk_class),
        .rec_valid(rec_valid), .rec1_class(rec_class), .rec1_interval(rec1_interval), .rec_censored(rec_censored),
        .m_tdata(data), .m_tvalid(valid), .m_tlast(last), .m_tready(ready), .stat_drops(drops),
        .tvi_send(send), .tvi_side(side_is), .tvi_walk(walk_is)
    );

    // what should be taken, from the inputs and a count of its own
    wire want_side = cfg_batch != 0 && side_valid;
    wire want_walk = cfg_batch != 0 && walk_valid && (rec_valid || (walk_fault && cfg_fault));
    reg  [2:0] waiting;               // in no packet yet
    wire [2:0] most = cfg_batch == 0 || cfg_batch > RITQ ? 3'd4 : cfg_batch[2:0];
    wire [2:0] n    = waiting < most ? waiting : most;
    wire [2:0] left = send ? waiting - n : waiting;
    wire put_side = want_side && left < RITQ;
    wire [2:0] then_left = left + {2'd0, put_side};
    wire put_walk = want_walk && then_left < RITQ;
    wire [1:0] lost = {1'b0, want_side && !put_side} + {1'b0, want_walk && !put_walk};

    // the outcome is told a cycle later, drops are counted two more later
    reg  [1:0] side_was, walk_was, lost_1, lost_2;
    reg  [3:0] inside;                // taken and not left
    reg  [3:0] drops_seen, untold;    // modulo 16
    reg  [2:0] packet;                // records of the packet that are to come
    reg        in_packet, heading, held;
    reg        closed;                // the next packet, which waits for this one's last beat
    reg  [2:0] closed_n;
    reg  [3:0] closed_told, told;     // what the header must tell
    reg  [RIT_BITS-1:0] held_data;
    wire record_left = valid && ready && in_packet && !heading;
    wire packet_left = record_left && packet == 1;
    // the picked record: how many are before it, what it must look like where that is known at once
    reg        picked, is_side;
    reg  [3:0] ahead;
    reg  [TIME_W-1:0] time_is;
    reg  [VPN_W-1:0]  vpn_is;
    wire [3:0] then_inside = inside - {3'd0, record_left};
    always @(posedge clk) begin
        waiting    <= then_left + {2'd0, put_walk};
        inside     <= then_inside + {3'd0, put_side} + {3'd0, put_walk};
        side_was   <= {want_side && !put_side, put_side};
        walk_was   <= {want_walk && !put_walk, put_walk};
        lost_1     <= lost;
        lost_2     <= lost_1;
        drops_seen <= drops_seen + {2'd0, lost_2};
        untold     <= (send ? 4'd0 : untold) + {2'd0, lost};
        held       <= valid && !ready;
        held_data  <= data;
        if (valid && ready && heading)
            heading <= 1'b0;
        if (record_left) begin
            packet <= packet - 1'b1;
            if (packet == 1)
                in_packet <= 1'b0;
        end
        if (closed && (!in_packet || packet_left)) begin
            in_packet <= 1'b1;
            heading   <= 1'b1;
            packet    <= closed_n;
            told      <= closed_told;
            closed    <= 1'b0;
        end
        if (send) begin
            closed      <= 1'b1;
            closed_n    <= n;
            closed_told <= untold;
        end
        if (picked && record_left) begin
            ahead  <= ahead - 1'b1;
            picked <= ahead != 0;
        end
        if (!picked && put_side && pick_side) begin
            picked  <= 1'b1;
            is_side <= 1'b1;
            ahead   <= then_inside;
            time_is <= now;
            vpn_is  <= 0;
        end else if (!picked && put_walk && pick_walk) begin
            picked  <= 1'b1;
            is_side <= 1'b0;
            ahead   <= then_inside + {3'd0, put_side};
            time_is <= now + 1'b1;
            vpn_is  <= walk_vpn;
        end
        if (rst) begin
            waiting <= 0;
            inside <= 0;
            drops_seen <= 0;
            untold <= 0;
            packet <= 0;
            side_was <= 0;
            walk_was <= 0;
            lost_1 <= 0;
            lost_2 <= 0;
            closed <= 1'b0;
            in_packet <= 1'b0;
            heading <= 1'b0;
            held <= 1'b0;
            picked <= 1'b0;
        end
    end

    wire at_picked = picked && ahead == 0 && valid && !heading;
    always @* if (!rst) begin
        // A record is taken if the queue has room, and dropped only if it has none.
        taken_or_dropped: assert (side_is == side_was && walk_is == walk_was);
        // Every dropped record is counted.
        drops_counted: assert (drops[3:0] == drops_seen);
        // A header tells the drops since the one before, and the number of its records.
        header_true: assert (!(valid && heading) || (data[18:16] == packet && data[23:19] == 0));
        // A packet has exactly as many records as its header says, and the last one says so.
        n_beats: assert (!valid || (in_packet && last == (!heading && packet == 1)));
        // A record comes out once, after exactly those that were taken before it, as what it is.
        record_in_order: assert (!at_picked || (data[BEAT_BITS-1 -: TIME_W] == time_is &&
                                 data[REC_BITS] == !is_side && data[REC_BITS+2+ASID_W +: VPN_W] == vpn_is));
        // Nothing is sent that was not taken.
        nothing_new: assert (!(valid && !heading) || inside != 0);
        // A beat that is not taken stays as it is.
        beat_held: assert (!held || (valid && data == held_data));
        // A batch is closed only when the packet before has left, or its last beat stands at the port.
        one_packet: assert (!send || (waiting != 0 && !closed && (!in_packet || (valid && !heading && packet == 1))));
        // A packet leaves without a gap.
        no_gap: assert (!(in_packet && !heading) || valid);
        // (modulo 16; saturation is tested, not proved)
        drops_told: assert (!(valid && heading) || data[27:24] == told);
    end

endmodule
`default_nettype wire
