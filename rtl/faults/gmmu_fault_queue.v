// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue: the outstanding faults, found by page; the head is the oldest undecided fault (docs/reference/blocks/fault_queue.md).
//
// Two ports take one operation each a cycle, and both take effect at once. The side operation comes first, and the walk sees
// its effect (docs/guide/schedule.md). Twin: cmodel/blocks/fault_queue.h.
//
// Early compare:
//
//   ports  stage   step
//   b_     s1, w7  compares the pages with those that may be written in the next cycles
//   a_     s2, w8  compares the pages with those of the entries
//   s_ w_  s3, w9  selects among the entries in use: hits, ends, begins
//
// The content of a free entry means nothing, and is written whenever there may be a fault to write: ASK's page into the entry
// that ASK would take, the walk's page into all others. The entry that is taken is known last, and changes states and order only.
`default_nettype none
module gmmu_fault_queue #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    parameter CLASS_W = 10,
    parameter SEQ_W   = 16,
    // entries
    parameter FAULTS  = 8,
    // bits of a slot of Tier 2
    parameter T2_W    = 1,
    // 1: pages are known one cycle ahead only, and are compared in that cycle
    parameter FRAME_MEM = 0,
    parameter IDX_W   = FAULTS > 1 ? $clog2(FAULTS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    // two cycles ahead (FRAME_MEM 0)
    input  wire [ASID_W-1:0]  b_s_asid,     // address space of the side operation at s1
    input  wire [ASID_W-1:0]  b_w_asid,     // address space of the walk at w7
    input  wire [VPN_W-1:0]   b_s_vpn,      // virtual page number of the side operation at s1
    input  wire [VPN_W-1:0]   b_w_vpn,      // virtual page number of the walk at w7
    input  wire [T2_W-1:0]    b_s_slot,     // slot of the side operation at s1
    // one cycle ahead
    input  wire [ASID_W-1:0]  a_s_asid,     // address space of the side operation at s2
    input  wire [ASID_W-1:0]  a_w_asid,     // address space of the walk at w8
    input  wire [VPN_W-1:0]   a_s_vpn,      // virtual page number of the side operation at s2
    input  wire [VPN_W-1:0]   a_w_vpn,      // virtual page number of the walk at w8
    input  wire [T2_W-1:0]    a_s_slot,     // slot of the side operation at s2
    input  wire [T2_W-1:0]    a_w_slot,     // slot of the walk at w8
    input  wire [TIME_W-1:0]  a_time,       // time of the side operation at s2
    // side operation: FILL, CANCEL, ASK
    input  wire               s_fill,       // FILL takes effect
    input  wire               s_cancel,     // CANCEL takes effect
    input  wire               s_ask,        // ASK takes effect
    input  wire [ASID_W-1:0]  s_asid,       // address space of the operation at s3
    input  wire [VPN_W-1:0]   s_vpn,        // virtual page number of the operation at s3
    input  wire [TIME_W-1:0]  s_time,       // time of the operation at s3
    input  wire               s_t2,         // ASK: the page is in s_slot
    input  wire [T2_W-1:0]    s_slot,       // slot of the operation at s3
    input  wire [CLASS_W-1:0] s_else_class, // ASK of a page without a fault: class of its last access
    input  wire [TIME_W-1:0]  s_else_last,  // ASK of a page without a fault: time of its last access
    output wire               s_named,      // a fault names s_slot
    output wire               s_hit,        // the page has a fault
    output wire               s_decided,    // the page has a fault, and the fault is decided
    output wire [IDX_W-1:0]   s_entry,      // entry of the page's fault, or the entry that ASK takes
    output wire               s_full,       // ASK finds no free entry
    output wire [CLASS_W-1:0] s_class,      // class of the last access of the page's fault; without a fault 0
    output wire [TIME_W-1:0]  s_last,       // time of the last access of the page's fault; without a fault s_time
    output wire               s_dirty,      // the page of the fault was written
    // side operation: AGE of an entry, not in two cycles in succession
    input  wire               s_age,        // AGE takes effect
    input  wire [IDX_W-1:0]   s_age_entry,  // entry of the AGE, valid in the cycle before too
    output wire               s_clamped,    // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    // side operation: DECIDE of the head, from the second cycle on in which the head is valid
    input  wire               s_decide,     // the head is decided, and keeps its entry until FILL or CANCEL
    input  wire               s_give_up,    // the head ends without a frame
    output wire               waiting,      // a fault is undecided
    output wire [FAULTS-1:0]  are_decided,  // per entry: the fault is decided
    output wire               head_valid,   // the oldest undecided fault is at head_*, from the third cycle after it became the oldest
    output wire [IDX_W-1:0]   head_entry,   // entry of the head
    output wire               head_filled,  // the page of the head was filled meanwhile
    output wire [ASID_W-1:0]  head_asid,    // address space of the head
    output wire [VPN_W-1:0]   head_vpn,     // virtual page number of the head
    output reg  [SEQ_W-1:0]   head_seq,     // number of the head, counted over all faults
    output wire               head_t2,      // the head names a slot
    output wire [T2_W-1:0]    head_slot,    // slot that the head names
    // walk
    input  wire               w_fault,      // the walk at w9 is a fault
    input  wire [ASID_W-1:0]  w_asid,       // address space of the walk
    input  wire [VPN_W-1:0]   w_vpn,        // virtual page number of the walk
    input  wire [CLASS_W-1:0] w_class,      // class of the walk's reference
    input  wire [TIME_W-1:0]  w_time,       // time of the walk
    input  wire               w_write,      // the walk writes
    input  wire               w_t2,         // the page is in w_slot
    input  wire [T2_W-1:0]    w_slot,       // slot that the walk names
    output wire               w_joined,     // the fault joins an outstanding fault of its page
    output wire               w_full,       // the fault finds no free entry
    output wire [IDX_W-1:0]   w_entry       // entry of the fault
);

    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};
    localparam P_W = ASID_W + VPN_W, H_W = P_W + T2_W + 1, L_W = CLASS_W + TIME_W;

    function [IDX_W-1:0] number(input [FAULTS-1:0] one_hot);
        integer k;
        begin
            number = 0;
            for (k = 0; k < FAULTS; k = k + 1)
                if (one_hot[k])
                    number = number | k[IDX_W-1:0];
        end
    endfunction

    // ---- entries: one bit each. An entry is free, waits or is decided; an entry without a state, after a corrupt bit, becomes free.
    reg  [FAULTS-1:0]     free;     // the entry has no fault
    reg  [FAULTS-1:0]     waits;    // the fault waits for its decision
    reg  [FAULTS-1:0]     decided;  // the fault is decided
    reg  [FAULTS-1:0]     filled;   // the page was filled while the fault waits
    reg  [FAULTS-1:0]     dirty;    // the page was written
    reg  [FAULTS-1:0]     s_eq;     // the entry, in use or free, holds the side operation's page
    reg  [FAULTS-1:0]     w_eq;     // the entry, in use or free, holds the walk's page
    reg  [FAULTS-1:0]     n_eq;     // the entry, in use or free, names the side operation's slot
    wire                  same;     // the side operation and the walk are of one page
    wire [FAULTS*H_W-1:0] holds;    // page, whether the fault names a slot, slot
    wire [FAULTS*L_W-1:0] accessed; // class and time of the last access
    wire [FAULTS-1:0]     olds;     // the last access is old, without the write of this cycle

    // ---- side
    wire [FAULTS-1:0] s_waits = s_eq & waits, s_ends = s_eq & decided;
    // complement: registers of their own, as the answers to the operation go far
    reg  [FAULTS-1:0] s_differs; // ~s_eq
    reg  [FAULTS-1:0] in_use;    // ~free
    wire [FAULTS-1:0] s_on = ~s_differs & in_use;
    wire              has_one = (s_eq & ~free) != 0; // s_hit
    wire              none = free == 0;
    wire [FAULTS-1:0] longest;  // the entry that is free longest
    wire [FAULTS-1:0] shortest; // the entry that is free shortest
    wire [FAULTS-1:0] oldest;   // the entry that waits longest
    reg  [FAULTS-1:0] head;     // the oldest undecided fault
    wire [FAULTS-1:0] given_up = head & {FAULTS{s_give_up}};
    wire [FAULTS-1:0] freed = (s_ends & {FAULTS{s_fill || s_cancel}}) | (given_up);
    wire [FAULTS-1:0] asks  = shortest & {FAULTS{s_ask && !has_one}};
    assign s_decided = s_ends != 0;
    assign s_hit     = s_on != 0;
    assign s_full    = none;
    assign s_entry   = number(has_one ? s_eq & ~free : shortest);

    // ---- walk: the fault joins, or takes an entry that was free, or else the entry that the side operation frees
    wire [FAULTS-1:0] w_waits = w_eq & waits, w_ends = w_eq & decided;
    wire [FAULTS-1:0] takes   = longest | (freed & {FAULTS{none}}); // the entry that the walk takes, but for ASK's
    wire joins_one = (w_waits & ~given_up) != 0 || (w_ends != 0 && !(same && (s_fill || s_cancel)));
    wire joins = joins_one || (same && s_ask && !none);
    wire wants = w_fault && !joins;
    wire [FAULTS-1:0] place = takes & ~asks;
    assign w_joined = w_fault && joins;
    assign w_full   = place == 0;
    assign w_entry  = joins ? number((w_eq & ~free) | (asks & {FAULTS{same}})) : number(place);

    gmmu_fault_queue_order #(.FAULTS(FAULTS)) order (
        .clk(clk),
        .rst(rst),
        .s_moves(freed | (shortest & {FAULTS{s_ask}})),
        .w_moves(takes),
        .w_does(wants),
        .free(free),
        .waits(waits),
        .longest(longest),
        .shortest(shortest),
        .oldest(oldest)
    );

    // ---- the content that is written to an entry, whether or not the entry will be in use
    wire [P_W-1:0] s_page = {s_asid, s_vpn}, w_page = {w_asid, w_vpn}, a_s_page = {a_s_asid, a_s_vpn}, a_w_page = {a_w_asid, a_w_vpn};
    // ASK's page is written to these; but not to the only free entry if ASK's page has a fault, as the walk may take the entry
    wire [FAULTS-1:0] may  = shortest & {FAULTS{s_ask}} & ~(longest & {FAULTS{has_one}});
    wire [FAULTS-1:0] puts = (free & {FAULTS{w_fault || s_ask}}) | (freed & {FAULTS{w_fault}}); // a page: ASK's, or the walk's
    wire [FAULTS-1:0] joined = w_eq & {FAULTS{w_fault}};                              // the walk's access
    // late select: two events arrive last and select last. (`keep`: the mapper would merge the two with earlier signals.)
    // ends_w: the entry ends and is the walk's at once. hit_w: the only free entry stays the walk's, as ASK's page has a fault.
    (* keep *) wire [FAULTS-1:0] ends_w, hit_w;
    assign ends_w = s_ends & {FAULTS{(s_fill || s_cancel) && w_fault}};
    assign hit_w  = shortest & longest & {FAULTS{s_ask && has_one}};
    wire [FAULTS-1:0] set  = {FAULTS{w_fault}} & ((may & {FAULTS{same}}) | (~may & (puts | joined)));
    wire [FAULTS-1:0] ages = s_age ? {{FAULTS-1{1'b0}}, 1'b1} << s_age_entry : {FAULTS{1'b0}};
    reg  [H_W-1:0]    was_w_at; // page and slot of the walk of the cycle before
    reg  [H_W-1:0]    was_s_at; // page and slot of the side operation of the cycle before
    // X_as_Y: the page (s side operation, w walk) or the slot (n) that comes in the next cycle is that of s or w of this cycle, or of
    // was_s or was_w, which are written in this cycle
    wire s_as_s, s_as_w, w_as_s, w_as_w, s_as_was_s, s_as_was_w, w_as_was_s, w_as_was_w;
    wire n_is_s, n_is_w, n_as_was_s, n_as_was_w;
    wire n_as_s = s_t2 && n_is_s;
    wire n_as_w = w_t2 && n_is_w;
    generate
        if (FRAME_MEM != 0) begin : g_late
            wire [P_W-1:0] was_s_page = was_s_at[H_W-1 -: P_W], was_w_page = was_w_at[H_W-1 -: P_W];
            assign {s_as_s, s_as_w, w_as_s, w_as_w} = {a_s_page == s_page, a_s_page == w_page, a_w_page == s_page, a_w_page == w_page};
            assign {s_as_was_s, s_as_was_w, w_as_was_s, w_as_was_w} =
                {a_s_page == was_s_page, a_s_page == was_w_page, a_w_page == was_s_page, a_w_page == was_w_page};
            assign {n_is_s, n_is_w} = {a_s_slot == s_slot, a_s_slot == w_slot};
            assign {n_as_was_s, n_as_was_w} = {was_s_at[T2_W:0] == {1'b1, a_s_slot}, was_w_at[T2_W:0] == {1'b1, a_s_slot}};
            reg alike;
            always @(posedge clk)
                alike <= a_s_page == a_w_page;
            assign same = alike;
            wire unused_b = &{1'b0, b_s_asid, b_w_asid, b_s_vpn, b_w_vpn, b_s_slot, a_w_slot};
        end else begin : g_ahead
            wire [P_W-1:0] b_s_page = {b_s_asid, b_s_vpn}, b_w_page = {b_w_asid, b_w_vpn};
            reg  [11:0]    as;
            reg  [1:0]     alike;
            assign {s_as_s, s_as_w, w_as_s, w_as_w, s_as_was_s, s_as_was_w, w_as_was_s, w_as_was_w, n_is_s, n_is_w, n_as_was_s, n_as_was_w} = as;
            assign same = alike[1];
            always @(posedge clk) begin
                as <= {b_s_page == a_s_page, b_s_page == a_w_page, b_w_page == a_s_page, b_w_page == a_w_page,
                       b_s_page == s_page, b_s_page == w_page, b_w_page == s_page, b_w_page == w_page,
                       b_s_slot == a_s_slot, b_s_slot == a_w_slot, s_t2 && b_s_slot == s_slot, w_t2 && b_s_slot == w_slot};
                alike <= {alike[0], b_s_page == b_w_page};
            end
        end
    endgenerate
    wire [TIME_W-1:0] s_set_last = s_age ? s_time - OLD : s_else_last;
    // Page, last access and the dirty bit are written a cycle later: the choice of the entry arrives late, and goes to many bits.
    reg  [FAULTS-1:0] was_new;     // a page is written
    reg  [FAULTS-1:0] was_may;     // ASK's page is written
    reg  [FAULTS-1:0] was_put;     // a last access is written
    reg  [FAULTS-1:0] was_ages;    // AGE visits the entry
    reg  [FAULTS-1:0] was_set;     // the walk's access is written
    reg  [FAULTS-1:0] was_asked;   // ASK's access alone is written
    reg  [FAULTS-1:0] was_write;   // the walk writes its page
    reg               was_clamped; // AGE clamps
    wire [FAULTS-1:0] was_aged = was_ages & {FAULTS{was_clamped}};
    reg  [L_W-1:0]    was_w;       // class and time of the walk's access
    reg  [L_W-1:0]    was_s;       // class and time of the side operation's access
    wire [FAULTS-1:0] is_dirty = was_write | (dirty & ~was_new);
    always @(posedge clk) begin
        {was_new, was_may, was_put, was_set, was_asked} <= {puts, may, puts | joined, set, may & ~set};
        {was_w_at, was_s_at} <= {w_page, w_t2, w_slot, s_page, s_t2, s_slot};
        {was_ages, was_clamped} <= {ages, s_clamped};
        was_write <= set & {FAULTS{w_write}};
        {was_w, was_s} <= {w_class, w_time, s_else_class, s_set_last};
        dirty     <= is_dirty;
    end
    wire [FAULTS-1:0] s_is, w_is, n_is;
    wire pop = s_decide || s_give_up;
    reg  popped;
    genvar g;
    generate
        for (g = 0; g < FAULTS; g = g + 1) begin : g_entry
            reg [P_W-1:0]     its_page;
            reg [T2_W:0]      its_place;
            reg [CLASS_W-1:0] its_class;
            reg [TIME_W-1:0]  its_last;
            assign holds[g*H_W +: H_W]    = {its_page, its_place};
            wire [TIME_W-1:0] age = a_time - its_last;
            assign olds[g] = (age[TIME_W-1 -: 2] != 0);
            wire unused_age = &{1'b0, age};
            // the comparison with the entry as in this cycle
            assign s_is[g] = was_new[g] ? (was_may[g] ? s_as_was_s : s_as_was_w) : a_s_page == its_page;
            assign w_is[g] = was_new[g] ? (was_may[g] ? w_as_was_s : w_as_was_w) : a_w_page == its_page;
            assign n_is[g] = was_new[g] ? (was_may[g] ? n_as_was_s : n_as_was_w) : its_place == {1'b1, a_s_slot};
            // the comparison with the entry as in the next cycle, without ends_w and hit_w
            wire its_ask = shortest[g] && s_ask, its_walk = (free[g] && (w_fault || s_ask)) || (given_up[g] && w_fault);
            wire s_else = its_ask ? s_as_s : its_walk ? s_as_w : s_is[g];
            wire w_else = its_ask ? w_as_s : its_walk ? w_as_w : w_is[g];
            wire n_else = its_ask ? n_as_s : its_walk ? n_as_w : n_is[g];
            wire will_be_free = ((free[g] && !asks[g]) || freed[g] || !(free[g] || waits[g] || decided[g])) && !(place[g] && wants);
            wire [L_W-1:0] its_new = was_set[g] ? was_w : was_s;
            assign accessed[g*L_W +: L_W] = {was_put[g] ? its_new[L_W-1:TIME_W] : its_class,
                                             was_put[g] || was_aged[g] ? its_new[TIME_W-1:0] : its_last};
            always @(posedge clk) begin
                if (was_new[g])
                    {its_page, its_place} <= was_may[g] ? was_s_at : was_w_at;
                {its_class, its_last} <= accessed[g*L_W +: L_W];
                filled[g]  <= (filled[g] && !free[g] && !freed[g]) || (s_fill && s_waits[g]);
                free[g]    <= rst || will_be_free;
                in_use[g]  <= !rst && !will_be_free;
                waits[g]   <= !rst && ((waits[g] && !(head[g] && pop)) || asks[g] || (place[g] && wants));
                decided[g] <= !rst && ((decided[g] && !freed[g]) || (head[g] && s_decide));
                s_eq[g]    <= ends_w[g] || hit_w[g] ? s_as_w : s_else;
                s_differs[g] <= ends_w[g] || hit_w[g] ? !s_as_w : !s_else;
                w_eq[g]    <= ends_w[g] || hit_w[g] ? w_as_w : w_else;
                n_eq[g]    <= ends_w[g] || hit_w[g] ? n_as_w : n_else;
            end
        end
    endgenerate

    // ---- answers to the operation: the page's fault, the head, a slot
    reg  [L_W-1:0]    s_access; // class and time of the last access of the page's fault
    reg  [H_W-1:0]    head_is;  // page and slot of the head
    integer i;
    always @* begin
        s_access = 0;
        head_is  = 0;
        for (i = 0; i < FAULTS; i = i + 1) begin
            s_access = s_access | (accessed[i*L_W +: L_W] & {L_W{s_on[i]}});
            head_is  = head_is | (holds[i*H_W +: H_W] & {H_W{head[i]}});
        end
    end
    assign s_named = (n_eq & ~free) != 0;
    assign {s_class, s_last} = s_hit ? s_access : {{CLASS_W{1'b0}}, s_time};
    assign s_dirty = (s_on & is_dirty) != 0;

    // The head is read a cycle after it became the head, and is valid, with is_filled, a cycle later. Faults are numbered in the order
    // in which they come, which is the order in which they leave. Late count: nobody reads head_seq in the cycle of the event.
    reg stands;    // the head is valid
    reg is_filled; // the page of the head was filled
    assign waiting     = waits != 0;
    assign are_decided = decided;
    assign head_valid  = stands;
    assign head_entry  = number(head);
    assign head_filled = is_filled;
    assign {head_asid, head_vpn, head_t2, head_slot} = head_is;
    always @(posedge clk) begin
        popped   <= pop && !rst;
        stands    <= head != 0 && !pop && !popped && !rst;
        is_filled <= (head & (filled | (s_waits & {FAULTS{s_fill}}))) != 0;
        head     <= rst ? {FAULTS{1'b0}} : oldest;
        head_seq <= rst ? {SEQ_W{1'b0}} : head_seq + {{SEQ_W-1{1'b0}}, popped};
    end

    // ---- AGE: late select. The age of each entry is computed a cycle before, and the age of the accesses that are written then.
    reg  [TIME_W-1:0] was_time; // time of the AGE
    reg  [TIME_W-1:0] was_else; // ASK's access
    wire [TIME_W-1:0] else_age = was_time - was_else;
    wire [TIME_W-1:0] age_w = a_time - was_w[TIME_W-1:0], age_s = a_time - was_s[TIME_W-1:0]; // ages of the accesses that are written now
    wire unused_ages = &{1'b0, else_age, age_w, age_s};
    reg  [FAULTS-1:0] were_old; // per entry: the access that the entry held is old
    reg  old_w;                 // the walk's access is old
    reg  old_s;                 // the side operation's access is old
    reg  by_w;                  // AGE's entry has the walk's access
    reg  by_s;                  // AGE's entry has the side operation's access
    wire else_old = else_age[TIME_W-1 -: 2] != 0;
    always @(posedge clk) begin
        {were_old, old_w, old_s} <= {olds, age_w[TIME_W-1 -: 2] != 0, age_s[TIME_W-1 -: 2] != 0};
        {by_w, by_s} <= {was_set[s_age_entry], was_put[s_age_entry] || was_aged[s_age_entry]};
        {was_time, was_else} <= {a_time, s_else_last};
    end
    wire old = by_w ? old_w : by_s ? old_s : were_old[s_age_entry];
    wire its_old = was_asked[s_age_entry] ? else_old : old;
    assign s_clamped = s_age && !was_set[s_age_entry] && its_old && !free[s_age_entry];

endmodule
`default_nettype wire
