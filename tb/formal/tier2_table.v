// SPDX-License-Identifier: Apache-2.0
// Proofs about tier2_table: a golden slot, any one, under any operations of side_port's protocol.
//: pdr 60 s
//: bmc3 30 frames 20 s
//: find 51 52 53 54 55 56 57 58 332:never_read_where_written 333:state_right
`default_nettype none
module formal_tier2_table #(
    parameter T2_SLOTS = 3,
    parameter T2_W    = 2,
    parameter VPN_W   = 2,
    parameter ASID_W  = 1,
    parameter TIME_W  = 3,
    parameter CLASS_W = 1
) (
    input wire               clk,
    input wire               reset, clear, s0_valid, s0_writes,
    input wire [T2_W-1:0]    s0_slot,
    input wire [T2_W:0]      cfg_slots,
    input wire [ASID_W-1:0]  s2_asid, put_asid,
    input wire [VPN_W-1:0]   s2_vpn, put_vpn,
    input wire [TIME_W-1:0]  s2_time, s2_expect, put_last,
    input wire [CLASS_W-1:0] put_class,
    input wire               put_dirty, s3_put, s3_empty, s3_rise, s3_leave, s3_stay, s3_age
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;

    // An operation that may write is followed by none for four cycles; the one at s3 is that of s0 three cycles before. Operations
    // begin when all slots are clear, which happens while nothing is under way.
    reg            v1, v2, v3, w1, w2, w3;
    reg [2:0]      quiet;
    reg [T2_W-1:0] slot1, slot2, slot3;
    reg            open, open2; // cleared
    reg            wrote;       // something was done to the slot at s3
    wire           cleared;
    always @(posedge clk) begin
        {v1, v2, v3, w1, w2, w3} <= rst ? 6'd0 : {s0_valid, v1, v2, s0_valid && s0_writes, w1, w2};
        {slot1, slot2, slot3} <= {s0_slot, slot1, slot2};
        quiet <= rst ? 3'd0 : s0_valid && s0_writes ? 3'd4 : quiet == 0 ? 3'd0 : quiet - 1'b1;
        open  <= !rst && cleared;
        open2 <= !rst && open;
        wrote <= !rst && any;
    end
    wire [T2_W-1:0] s3_slot = slot3;
    wire any = s3_put || s3_empty || s3_rise || s3_leave || s3_stay || s3_age;
    always @* begin
        assume (!s0_valid || (quiet == 0 && open && !rst));
        assume (!any || (v3 && w3 && s3_slot < T2_SLOTS));
        assume ({2'd0, s3_put} + s3_empty + s3_rise + s3_leave + s3_stay + s3_age <= 3'd1);
    end

    wire s3_enabled, s3_held, s3_rising, s3_leaving, s3_mine, s3_expected, s3_clamped, s3_dirty;
    wire [ASID_W-1:0]  s3_asid;
    wire [VPN_W-1:0]   s3_vpn;
    wire [CLASS_W-1:0] s3_class;
    wire [TIME_W-1:0]  s3_last, s3_interval;
    gmmu_tier2_table #(
        .VPN_W(VPN_W), .ASID_W(ASID_W), .TIME_W(TIME_W), .CLASS_W(CLASS_W), .T2_SLOTS(T2_SLOTS), .T2_W(T2_W), .PARITY(0)
    ) dut (
        .clk(clk), .rst(rst), .clear(clear), .cleared(cleared), .s1_valid(v1), .s0_slot(s0_slot), .cfg_slots(cfg_slots),
        .s2_asid(s2_asid), .s2_vpn(s2_vpn), .s2_time(s2_time), .s2_expect(s2_expect), .s3_slot(s3_slot), .s3_put(s3_put),
        .put_asid(put_asid), .put_vpn(put_vpn), .put_class(put_class), .put_last(put_last), .put_dirty(put_dirty), .put_bad(1'b0),
        .s3_empty(s3_empty), .s3_rise(s3_rise), .s3_leave(s3_leave), .s3_stay(s3_stay), .s3_age(s3_age), .s3_enabled(s3_enabled),
        .s3_held(s3_held), .s3_rising(s3_rising), .s3_leaving(s3_leaving), .s3_mine(s3_mine), .s3_expected(s3_expected),
        .s3_clamped(s3_clamped), .s3_dirty(s3_dirty), .s3_asid(s3_asid), .s3_vpn(s3_vpn), .s3_class(s3_class), .s3_last(s3_last),
        .s3_interval(s3_interval)
    );
    (* hierconn *) wire            \dut.slots.we ;
    (* hierconn *) wire [T2_W-1:0] \dut.slots.waddr , \dut.slots.raddr ;

    (* anyconst *) wire [T2_W-1:0] here;
    always @* assume (here < T2_SLOTS);
    localparam FREE = 2'd0, HELD = 2'd1, RISING = 2'd2, LEAVING = 2'd3;
    localparam [TIME_W-1:0] OLD = 1 << (TIME_W - 2);
    reg  [1:0]         state;
    reg                dirty;
    reg  [CLASS_W-1:0] class;
    reg  [TIME_W-1:0]  last;
    reg  [ASID_W-1:0]  asid;
    reg  [VPN_W-1:0]   vpn;
    // what came at s2, and s1
    reg  [ASID_W-1:0]  asid3;
    reg  [VPN_W-1:0]   vpn3;
    reg  [TIME_W-1:0]  time3, expect3;
    reg                on2, on3;
    wire [TIME_W-1:0]  age = time3 - last;
    wire               clamps = s3_age && state != FREE && age >= OLD;
    always @(posedge clk) begin
        {asid3, vpn3, time3, expect3} <= {s2_asid, s2_vpn, s2_time, s2_expect};
        {on2, on3} <= {{1'b0, slot1} < cfg_slots, on2};
        if (v3 && s3_slot == here) begin
            if (s3_put)
                {state, dirty, class, last, asid, vpn} <= {HELD, put_dirty, put_class, put_last, put_asid, put_vpn};
            if (s3_empty)
                state <= FREE;
            if (s3_rise)
                state <= RISING;
            if (s3_leave)
                state <= LEAVING;
            if (s3_stay)
                state <= HELD;
            if (clamps)
                last <= time3 - OLD;
        end
        if (!open)
            state <= FREE;
    end
    // a slot that was never filled has no page: nobody moves it
    always @* assume (!(v3 && s3_slot == here && state == FREE) || !(s3_rise || s3_leave || s3_stay));

    wire see = !rst && open && v3 && s3_slot == here;
    always @* begin
        // State, and whether it is one of the enabled slots.
        state_right: assert (!see || (s3_held == (state == HELD) && s3_rising == (state == RISING) && s3_leaving == (state == LEAVING)));
        enabled_right: assert (!see || s3_enabled == on3);
        // The page, its class, last access and dirty bit, as they were put there or clamped.
        page_right: assert (!(see && state != FREE) || (s3_asid == asid && s3_vpn == vpn && s3_class == class && s3_dirty == dirty));
        last_right: assert (!(see && state != FREE) || (s3_last == last && s3_interval == age));
        // What it is compared with: the whole page, the whole time.
        mine_right: assert (!(see && state != FREE) || s3_mine == (asid == asid3 && vpn == vpn3));
        expected_right: assert (!(see && state != FREE) || s3_expected == (last == expect3));
        // AGE clamps exactly the ages of a quarter of the range and more, of slots that are not free.
        age_clamps: assert (!see || s3_clamped == clamps);
        // What an operation reads is not written in that cycle, so the RAM's collisions do not matter.
        never_read_where_written: assert (rst || !(\dut.slots.we && s0_valid && \dut.slots.waddr == \dut.slots.raddr ));
        // No slot is cleared once operations may come.
        cleared_once: assert (rst || !(open2 && !wrote) || !\dut.slots.we );
    end

endmodule
`default_nettype wire
