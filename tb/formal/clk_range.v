// SPDX-License-Identifier: Apache-2.0
// Proof that the clock of range_dir may rest: range_port wakes range_dir in every cycle in which an operation is offered or work is
// pending. In a cycle of rest nothing is valid in the queue, the search, the stages and the queue of beats, nothing is written, and the
// engine has no step: the next state would be the same. RAM returns anything.
//
// The proof is plain induction: the other properties state where an operation and a beat can be, and that each late register has a
// cycle to settle.
//: gated
//: inductive
//: pdr 120 s
//: without op_ram start_ram fix_ram next_ram use_ram ram *.ram
//: find 352 353 354
`default_nettype none
module formal_clk_range #(
    parameter RANGES = 3,
    parameter ASID_W = 1,
    parameter ADDR_W = 2
) (
    input wire                           clk,
    input wire                           reset, s_valid, m_ready,
    input wire [ADDR_W-1:0]              limit,
    input wire [13+ASID_W+2*ADDR_W:0]    s_data
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    wire s_ready, m_valid, m_last, idle;
    wire [16+ASID_W+3*ADDR_W:0] m_data;
    gmmu_range_port #(.RANGES(RANGES), .ASID_W(ASID_W), .ADDR_W(ADDR_W)) dut (
        .clk(clk), .rst(rst), .test_en(1'b0), .cfg_range_bytes(limit), .s_tdata(s_data), .s_tvalid(s_valid), .s_tready(s_ready),
        .m_tdata(m_data), .m_tvalid(m_valid), .m_tlast(m_last), .m_tready(m_ready), .idle(idle)
    );

    (* hierconn *) wire       \dut.g_ranges.gated ;
    (* hierconn *) wire [7:0] \dut.g_ranges.gate.hold ;
    (* hierconn *) wire [5:0] \dut.g_ranges.range_dir.put , \dut.g_ranges.range_dir.sent , \dut.g_ranges.range_dir.came ,
                              \dut.g_ranges.range_dir.done , \dut.g_ranges.range_dir.credit , \dut.g_ranges.range_dir.back ;
    (* hierconn *) wire       \dut.g_ranges.range_dir.i_valid , \dut.g_ranges.range_dir.x1_valid , \dut.g_ranges.range_dir.x2_valid ,
                              \dut.g_ranges.range_dir.x3_valid , \dut.g_ranges.range_dir.x4_valid , \dut.g_ranges.range_dir.x5_fast ,
                              \dut.g_ranges.range_dir.x5_slow , \dut.g_ranges.range_dir.x5_writes , \dut.g_ranges.range_dir.e_push ,
                              \dut.g_ranges.range_dir.e_void ,
                              \dut.g_ranges.range_dir.room , \dut.g_ranges.range_dir.fix_we , \dut.g_ranges.range_dir.e_use_we ;
    (* hierconn *) wire       \dut.g_ranges.range_dir.search.g_level[0].b_valid , \dut.g_ranges.range_dir.search.g_level[0].g_late.d_valid ,
                              \dut.g_ranges.range_dir.search.g_level[1].b_valid , \dut.g_ranges.range_dir.search.g_level[1].g_late.d_valid ;
    (* hierconn *) wire [15:0] \dut.g_ranges.range_dir.the_engine.on ;
    (* hierconn *) wire       \dut.g_ranges.range_dir.the_engine.finds , \dut.g_ranges.range_dir.the_engine.frees ;
    (* hierconn *) wire [5:0] \dut.g_ranges.range_dir.beats.wp , \dut.g_ranges.range_dir.beats.rp ;
    (* hierconn *) wire       \dut.g_ranges.range_dir.beats.g_late.one , \dut.g_ranges.range_dir.beats.g_late.two ;

    wire       runs = \dut.g_ranges.gated ;
    wire [7:0] hold = \dut.g_ranges.gate.hold ;
    wire [5:0] put = \dut.g_ranges.range_dir.put , sent = \dut.g_ranges.range_dir.sent , came = \dut.g_ranges.range_dir.came ;
    wire [5:0] done = \dut.g_ranges.range_dir.done , credit = \dut.g_ranges.range_dir.credit ;
    wire [5:0] to_read = \dut.g_ranges.range_dir.beats.wp - \dut.g_ranges.range_dir.beats.rp ;
    wire       pushed = \dut.g_ranges.range_dir.e_push , room = \dut.g_ranges.range_dir.room ;
    wire [5:0] back = \dut.g_ranges.range_dir.back ;
    wire       void = \dut.g_ranges.range_dir.e_void ;
    wire [1:0] have = {1'b0, \dut.g_ranges.range_dir.beats.g_late.one } + {1'b0, \dut.g_ranges.range_dir.beats.g_late.two };
    wire [5:0] count = to_read + {4'd0, have}; // beats that wait
    wire [15:0] on = \dut.g_ranges.range_dir.the_engine.on ;
    wire       fast = \dut.g_ranges.range_dir.x5_fast , slow = \dut.g_ranges.range_dir.x5_slow , writes = \dut.g_ranges.range_dir.x5_writes ;
    wire       late = \dut.g_ranges.range_dir.fix_we || \dut.g_ranges.range_dir.e_use_we ;
    // operations in the search, in the stages, with the engine
    wire [5:0] searched = {5'd0, \dut.g_ranges.range_dir.i_valid } +
                          {5'd0, \dut.g_ranges.range_dir.search.g_level[0].b_valid } + {5'd0, \dut.g_ranges.range_dir.search.g_level[0].g_late.d_valid } +
                          {5'd0, \dut.g_ranges.range_dir.search.g_level[1].b_valid } + {5'd0, \dut.g_ranges.range_dir.search.g_level[1].g_late.d_valid };
    wire [5:0] decided  = {5'd0, \dut.g_ranges.range_dir.x1_valid } + {5'd0, \dut.g_ranges.range_dir.x2_valid } + {5'd0, \dut.g_ranges.range_dir.x3_valid } +
                          {5'd0, \dut.g_ranges.range_dir.x4_valid } + {5'd0, fast} + {5'd0, slow};
    wire       engine   = !on[0];
    wire [5:0] waiting  = put - done, under_way = sent - done;

    always @* one_kind: assert (!(\dut.g_ranges.range_dir.the_engine.finds && \dut.g_ranges.range_dir.the_engine.frees ));
    always @* if (!first) begin
        // It is awake when an operation is offered, in reset, and while an operation or a beat is under way.
        hears: assert (!(rst || s_valid || !idle) || runs);
        // While it rests nothing is under way, nothing is written, and each count stays.
        rests_empty: assert (runs || (put == done && sent == done && came == done && searched == 0 && decided == 0 && !engine));
        rests_taken: assert (runs || (credit == 6'd32 && back == 0 && count == 0 && to_read == 0 && have == 0 && !pushed && !void && room));
        rests_unwritten: assert (runs || (!late && !writes));

        // An operation is in one place; the engine has one, and nothing else is under way then.
        one_step: assert (on != 0 && (on & (on - 1'b1)) == 0);
        in_search: assert (sent - came == searched);
        in_stages: assert (came - done == decided + {5'd0, engine});
        engine_alone: assert (!(engine || pushed) || (searched == 0 && decided == 0));
        one_way: assert (!(fast && slow) && (!writes || fast));
        queue_holds: assert (waiting <= 6'd32 && under_way <= waiting);
        // A beat of room is with each operation under way, with each beat, with one that is void, free, or comes back.
        room_counted: assert ({2'd0, credit} + {2'd0, under_way} + {2'd0, count} + {7'd0, pushed} + {7'd0, void} + {2'd0, back} == 8'd32);
        void_alone: assert (!void || (!pushed && searched == 0 && decided == 0));
        room_there: assert (!room || credit != 0);
        beats_counted: assert (to_read <= 6'd32);
        // What lags behind an operation has a cycle.
        lag_short: assert (!(late || !room) || (&hold));
    end

endmodule
`default_nettype wire
