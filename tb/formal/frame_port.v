// SPDX-License-Identifier: Apache-2.0
// Proofs about gmmu_frame_port, whose counts have 3 bits here. The unit holds a request until the request is taken. The memory answers
// the requests that the memory took. Both take any time.
//: pdr 60 s
//: bmc3 40 frames 20 s
//: find 990 991 992 993 994
`default_nettype none
module formal_frame_port #(
    parameter COUNT_W = 3
) (
    input wire clk,
    input wire reset, stops, ar_asks, w_asks, ar_ready, w_ready, r_answers, b_answers
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    wire m_ar, m_w, unit_ar_ready, unit_w_ready, rests;
    reg  ar_stands, w_stands; // the unit lets them stand until they are taken
    reg  [2:0] reads, writes; // that the memory has taken and not answered
    reg  stop;                // stands until the port rests, and as long as it likes behind that
    wire unit_ar = (ar_asks || ar_stands) && !rst, unit_w = (w_asks || w_stands) && !rst;
    // no more than a count can tell
    wire take_ar = ar_ready && reads != 7, take_w = w_ready && writes != 7;
    wire r_valid = r_answers && reads != 0, b_valid = b_answers && writes != 0;
    gmmu_frame_port #(.COUNT_W(COUNT_W)) dut (
        .clk(clk),
        .rst(rst),
        .stop(stop),
        .rests(rests),
        .unit_ar_valid(unit_ar),
        .unit_ar_ready(unit_ar_ready),
        .unit_w_valid(unit_w),
        .unit_w_ready(unit_w_ready),
        .m_frame_ar_valid(m_ar),
        .m_frame_ar_ready(take_ar),
        .m_frame_r_valid(r_valid),
        .m_frame_w_valid(m_w),
        .m_frame_w_ready(take_w),
        .m_frame_b_valid(b_valid)
    );

    reg       ar_waited, w_waited; // offered to the memory in the cycle before, and not taken
    reg [2:0] still;               // cycles of a stop in which all that was asked for is taken and answered
    wire      all_done = !(m_ar && !take_ar) && !(m_w && !take_w) && reads == 0 && writes == 0;
    reg       was_stop;            // the cycle behind a stop
    always @(posedge clk) begin
        was_stop  <= stop && !rst;
        stop      <= !rst && (stops || (stop && !rests));
        ar_stands <= unit_ar && !unit_ar_ready;
        w_stands  <= unit_w && !unit_w_ready;
        ar_waited <= m_ar && !take_ar && !rst;
        w_waited  <= m_w && !take_w && !rst;
        reads     <= rst ? 3'd0 : reads + {2'd0, m_ar && take_ar} - {2'd0, r_valid};
        writes    <= rst ? 3'd0 : writes + {2'd0, m_w && take_w} - {2'd0, b_valid};
        still     <= rst || !stop || !all_done || m_ar || m_w ? 3'd0 : still + {2'd0, still != 7};
    end

    always @* if (!rst) begin
        // At rest nothing is under way at the memory, and nothing is offered to it.
        rest_right: assert (!(rests && stop) || (reads == 0 && writes == 0 && !m_ar && !m_w));
        // A request that was offered to the memory is not taken back.
        read_stands: assert (!ar_waited || m_ar);
        write_stands: assert (!w_waited || m_w);
        // The unit and the memory agree about what is taken.
        taken_right: assert ((unit_ar && unit_ar_ready) == (m_ar && take_ar) && (unit_w && unit_w_ready) == (m_w && take_w));
        // Where nothing waits to be taken or answered the port rests three cycles later.
        comes_to_rest: assert (still < 3 || rests);
        // Without a stop the port is as if it were not there.
        passes: assert (stop || was_stop || (m_ar == unit_ar && m_w == unit_w));
    end

endmodule
`default_nettype wire
