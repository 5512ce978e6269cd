// SPDX-License-Identifier: Apache-2.0
// Proof that each job of fault_queue's engine ends, whatever the words in RAM are, corrupt or not. The first state is any, and the
// engine rests, or waits for the unit, within MOST cycles. So a job never lasts longer.
//: free fault_queue_ram
//: steps 80
//: pdr 300 s
//: find 371
`default_nettype none
module formal_fault_queue_ends #(
    parameter FAULTS   = 2,
    parameter LATE     = 2,
    parameter MOST     = 75
) (
    input wire        clk,
    input wire        flush, w_fault, find_req, find_take, s_fill, s_free, s_cancel, s_ask, s_refused, s_left, s_fresh, s_force,
    input wire        decide_req, decide_take, d_done, d_claims, d_give_up, d_takes, expire_take, s_expire, age_req,
    input wire        epoch_ends,
    input wire [1:0]  cfg_frames
);

    reg [6:0] t = 0;
    reg       rested = 0;
    gmmu_fault_queue #(
        .VPN_W(2), .ASID_W(1), .TIME_W(3), .CLASS_W(1), .SEQ_W(2), .FAULTS(FAULTS), .NOTES(2), .LATE(LATE), .FRAME_W(1), .T2_SLOTS(0), .T2_W(1),
        .PARITY(1), .IDX_W(1)
    ) dut (
        .clk(clk), .rst(1'b0), .clear(1'b0), .cfg_frames(cfg_frames), .epoch_ends(epoch_ends), .flush(flush),
        .w_fault(w_fault), .w_asid(1'b0), .w_vpn(2'b0), .w_class(1'b0), .w_time(3'd0), .w_write(1'b0), .w_t2(1'b0), .w_slot(1'b0), .w_replay(1'b0),
        .find_req(find_req), .find_asid(1'b0), .find_vpn(2'd0), .find_take(find_take),
        .s_fill(s_fill), .s_free(s_free), .s_cancel(s_cancel), .s_ask(s_ask), .s_refused(s_refused), .s_frame(1'b0), .s_time(3'd0),
        .s_t2(1'b0), .s_slot(1'b0), .s_force(s_force), .s_fresh(s_fresh), .s_else_class(1'b0), .s_else_last(3'd0),
        .s_left(s_left), .s_left_asid(1'b0), .s_left_vpn(2'd0),
        .decide_req(decide_req), .decide_take(decide_take), .d_done(d_done), .d_claims(d_claims), .d_give_up(d_give_up), .d_takes(d_takes),
        .d_frame(1'b0), .d_asid(1'b0), .d_vpn(2'd0), .expire_take(expire_take), .s_expire(s_expire),
        .age_req(age_req), .age_entry(1'b0), .age_time(3'd0), .n_slot(1'b0)
    );
    (* hierconn *) wire [4:0] \dut.state ;
    // IDLE, or READY, COMES, MAY, DECIDES, DUE, EXPIRES
    wire rests = \dut.state == 5'd0 || \dut.state == 5'd10 || \dut.state == 5'd11 || (\dut.state >= 5'd22 && \dut.state <= 5'd25);
    always @(posedge clk) begin
        t      <= t == 7'd127 ? t : t + 1'b1;
        rested <= rested || rests;
    end
    // A job ends, by any words in RAM.
    always @* begin
        ends: assert (t != MOST || rested);
    end

endmodule
`default_nettype wire
