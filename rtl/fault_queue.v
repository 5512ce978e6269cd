// SPDX-License-Identifier: Apache-2.0
// fault_queue: the outstanding faults, found by page; the oldest undecided one comes first.
//
// Two ports, one operation each a cycle, both at once effective; the side operation comes first and the walk
// sees its effect (docs/schedule.md). Twin: cmodel/blocks/fault_queue.h.
`default_nettype none
module fault_queue #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter SEQ_W   = 16,
    // entries
    parameter FAULTS  = 8,
    // bits of a slot of Tier 2
    parameter T2_W    = 1,
    parameter IDX_W   = FAULTS > 1 ? $clog2(FAULTS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // side: by page
    input  wire               s_fill, s_cancel, s_ask,
    input  wire [ASID_W-1:0]  s_asid,
    input  wire [VPN_W-1:0]   s_vpn,
    input  wire [TIME_W-1:0]  s_time,
    input  wire               s_t2,       // ASK: the page is in s_slot
    input  wire [T2_W-1:0]    s_slot,
    input  wire [CLASS_W-1:0] s_else_class, // class and last access of a page that has no fault
    input  wire [TIME_W-1:0]  s_else_last,
    output wire               s_named,    // a fault has s_slot
    output wire               s_hit,      // the page has a fault
    output wire               s_decided,  // and it is decided
    output reg  [IDX_W-1:0]   s_entry,    // of the hit, or of the one that ASK takes
    output wire               s_full,     // ASK finds no entry
    output wire [CLASS_W-1:0] s_class,
    output wire [TIME_W-1:0]  s_last,
    output wire               s_dirty,
    // side: AGE of an entry
    input  wire               s_age,
    input  wire [IDX_W-1:0]   s_age_entry,
    output wire               s_clamped,
    // side: DECIDE of the head
    input  wire               s_decide,   // it keeps its entry until FILL or CANCEL
    input  wire               s_give_up,  // it ends
    output wire               head_valid,
    output wire [IDX_W-1:0]   head_entry,
    output wire               head_filled,
    output wire [ASID_W-1:0]  head_asid,
    output wire [VPN_W-1:0]   head_vpn,
    output wire [SEQ_W-1:0]   head_seq,
    output wire               head_t2,
    output wire [T2_W-1:0]    head_slot,
    // walk: a fault
    input  wire               w_fault,
    input  wire [ASID_W-1:0]  w_asid,
    input  wire [VPN_W-1:0]   w_vpn,
    input  wire [CLASS_W-1:0] w_class,
    input  wire [TIME_W-1:0]  w_time,
    input  wire               w_write,
    input  wire               w_t2,
    input  wire [T2_W-1:0]    w_slot,
    output wire               w_joined,
    output wire               w_full,
    output reg  [IDX_W-1:0]   w_entry
);

    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};

    reg [FAULTS-1:0]  valid, decided, filled, dirty, t2;
    reg [T2_W-1:0]    slot [0:FAULTS-1];
    reg [ASID_W-1:0]  asid [0:FAULTS-1];
    reg [VPN_W-1:0]   vpn  [0:FAULTS-1];
    reg [CLASS_W-1:0] cls  [0:FAULTS-1];
    reg [TIME_W-1:0]  last [0:FAULTS-1];
    reg [SEQ_W-1:0]   seq  [0:FAULTS-1];
    reg [SEQ_W-1:0]   next_seq;

    // undecided entries, oldest first
    reg [IDX_W-1:0]   order [0:FAULTS-1];
    reg [IDX_W:0]     waiting;

    function [IDX_W-1:0] lowest(input [FAULTS-1:0] v);
        integer k;
        begin
            lowest = 0;
            for (k = FAULTS - 1; k >= 0; k = k - 1)
                if (v[k])
                    lowest = k[IDX_W-1:0];
        end
    endfunction

    function [FAULTS-1:0] only(input [IDX_W-1:0] k, input yes);
        begin
            only    = 0;
            only[k] = yes;
        end
    endfunction

    // Undefined where nobody asks, and so is what follows: a simulator need not work it out.
    wire s_asks = s_fill || s_cancel || s_ask;
    wire [FAULTS-1:0] s_match, w_match, s_names;
    genvar g;
    generate
        for (g = 0; g < FAULTS; g = g + 1) begin : g_match
            assign s_match[g] = s_asks ? valid[g] && vpn[g] == s_vpn && asid[g] == s_asid : 1'bx;
            assign s_names[g] = valid[g] && t2[g] && slot[g] == s_slot;
            assign w_match[g] = w_fault ? valid[g] && vpn[g] == w_vpn && asid[g] == w_asid : 1'bx;
        end
    endgenerate

    // ---- side
    wire s_new = s_ask && !s_hit && !s_full;
    assign s_hit     = |s_match;
    assign s_full    = &valid;
    assign s_decided = s_hit && decided[s_entry];
    assign s_class   = s_hit ? cls[s_entry] : s_else_class;
    assign s_last    = s_hit ? last[s_entry] : s_else_last;
    assign s_dirty   = s_hit && dirty[s_entry];
    wire [TIME_W-1:0] aged = s_time - last[s_age_entry];
    assign s_clamped = s_age && valid[s_age_entry] && aged >= OLD;

    assign head_valid  = waiting != 0;
    assign head_entry  = order[0];
    assign head_filled = filled[order[0]];
    assign head_asid   = asid[order[0]];
    assign head_vpn    = vpn[order[0]];
    assign head_seq    = seq[order[0]];
    assign head_t2     = t2[order[0]];
    assign head_slot   = slot[order[0]];
    assign s_named     = |s_names;

    wire [FAULTS-1:0] s_freed = only(s_entry, (s_fill || s_cancel) && s_decided) | only(head_entry, s_give_up);
    wire [FAULTS-1:0] s_taken = only(s_entry, s_new);
    wire              pop     = s_decide || s_give_up;

    // ---- walk
    wire same_page = s_new && s_vpn == w_vpn && s_asid == w_asid;
    wire [FAULTS-1:0] w_hits = (w_match & ~s_freed) | (same_page ? s_taken : {FAULTS{1'b0}});
    wire [FAULTS-1:0] w_free = (~valid | s_freed) & ~s_taken;
    wire w_new = w_fault && !w_joined && !w_full;
    assign w_joined = w_fault && |w_hits;
    assign w_full   = w_free == 0;

    always @* begin
        s_entry = {IDX_W{1'bx}};
        w_entry = {IDX_W{1'bx}};
        if (s_asks)
            s_entry = s_ask && !s_hit ? (s_full ? {IDX_W{1'b0}} : lowest(~valid)) : lowest(s_match);
        if (w_fault)
            w_entry = w_joined ? lowest(w_hits) : lowest(w_free);
    end

    wire [IDX_W:0] kept  = waiting - {{IDX_W{1'b0}}, pop};   // after the side's decision
    wire [IDX_W:0] asked = kept + {{IDX_W{1'b0}}, s_new};    // after the side's ASK
    integer i;
    always @(posedge clk) begin
        // side
        if (s_fill && s_hit && !s_decided)
            filled[s_entry] <= 1'b1;
        if (s_clamped)
            last[s_age_entry] <= s_time - OLD;
        if (s_decide)
            decided[head_entry] <= 1'b1;
        if (s_new) begin
            decided[s_entry] <= 1'b0;
            filled[s_entry]  <= 1'b0;
            dirty[s_entry]   <= 1'b0;
            asid[s_entry] <= s_asid;
            vpn[s_entry]  <= s_vpn;
            cls[s_entry]  <= s_else_class;
            last[s_entry] <= s_else_last;
            t2[s_entry]   <= s_t2;
            slot[s_entry] <= s_slot;
            seq[s_entry]  <= next_seq;
        end
        // walk
        if (w_new) begin
            decided[w_entry] <= 1'b0;
            filled[w_entry]  <= 1'b0;
            asid[w_entry] <= w_asid;
            vpn[w_entry]  <= w_vpn;
            seq[w_entry]  <= next_seq + {{SEQ_W-1{1'b0}}, s_new};
            t2[w_entry]   <= w_t2;
            slot[w_entry] <= w_slot;
        end
        if (w_new || w_joined) begin
            dirty[w_entry] <= w_write || (w_joined && !same_page && dirty[w_entry]);
            cls[w_entry]   <= w_class;
            last[w_entry]  <= w_time;
        end
        valid    <= (valid & ~s_freed) | s_taken | only(w_entry, w_new);
        next_seq <= next_seq + {{SEQ_W-1{1'b0}}, s_new} + {{SEQ_W-1{1'b0}}, w_new};
        waiting  <= asked + {{IDX_W{1'b0}}, w_new};
        for (i = 0; i < FAULTS; i = i + 1) begin
            if (pop && i + 1 < FAULTS)
                order[i] <= order[(i + 1) % FAULTS];
            if (s_new && i[IDX_W:0] == kept)
                order[i] <= s_entry;
            if (w_new && i[IDX_W:0] == asked)
                order[i] <= w_entry;
        end
        if (rst) begin
            valid    <= 0;
            waiting  <= 0;
            next_seq <= 0;
        end
    end

endmodule
`default_nettype wire
