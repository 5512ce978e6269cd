// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue: notes of faults, the outstanding faults and the pages that arrived lately, in RAM; the head is the oldest
// undecided fault (docs/reference/blocks/fault_queue.md).
//
//   walk ──► notes ──ENTER──► outstanding faults ──► order of the undecided ──► head ──► search, DECIDE
//                                 │  ▲ chained hash                              FILL, CANCEL, ASK
//                                 ▼  │
//                             ring of the last LATE FILLs ──► EXPIRE
//
// One engine does one job at a time. Jobs that belong to an action of the unit (a driver operation, DECIDE, EXPIRE) begin when the
// action is asked for, and end behind its effect. Twin: cmodel/blocks/fault_queue.h.
//
// Nodes: entry i is {0, i}, place j of the ring is {1, j}. Three RAMs have a word a node: page, link to the next node, and all else.
// The RAM of links also has the buckets, so `at`, the address of the link to a node, is a bucket or a node:
//
//   HASH ► HEAD ► FIRST ► READ ► CMP ► STEP ─► READ (the next node), or the end of the walk, or CUT of the node
//
// PARITY: a corrupt word of these RAMs, or a walk that is longer than there are nodes, ends all outstanding faults and arrived pages
// (`forgot`), and the buckets are cleared as after reset. A corrupt note is dropped.
`default_nettype none
module gmmu_fault_queue #(
    parameter VPN_W    = 52,
    parameter ASID_W   = 8,
    parameter TIME_W   = 24,
    parameter CLASS_W  = 10,
    parameter SEQ_W    = 16,
    // entries
    parameter FAULTS   = 512,
    // notes, a power of two, at least 2
    parameter NOTES    = 64,
    // places of the ring, a power of two; 0: none
    parameter LATE     = 256,
    parameter FRAME_W  = 12,
    // slots of Tier 2; 0: no fault names a slot
    parameter T2_SLOTS = 8192,
    // bits of a slot of Tier 2
    parameter T2_W     = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1,
    // 1: words in RAM have a parity bit
    parameter PARITY   = 1,
    parameter IDX_W    = FAULTS > 1 ? $clog2(FAULTS) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               clear,         // the reset sequence is under way: no job begins
    output wire               cleared,       // all buckets are empty
    input  wire [FRAME_W:0]   cfg_frames,    // number of enabled frames; changes only while nothing is noted or asked for
    input  wire               epoch_ends,    // an epoch of walks and replays ends, behind the actions of this cycle
    input  wire               flush,         // FLUSH begins: no page counts as arrived
    // walk
    input  wire               w_fault,       // the walk at w9 is a fault
    input  wire [ASID_W-1:0]  w_asid,        // address space of the walk
    input  wire [VPN_W-1:0]   w_vpn,         // virtual page number of the walk
    input  wire [CLASS_W-1:0] w_class,       // class of the walk's reference
    input  wire [TIME_W-1:0]  w_time,        // time of the walk
    input  wire               w_write,       // the walk writes
    input  wire               w_t2,          // the page is in w_slot
    input  wire [T2_W-1:0]    w_slot,        // slot that the walk names
    input  wire               w_replay,      // the access was asked for before
    output wire               w_full,        // no room for a note: the fault is dropped
    // ENTER
    output reg                enter_valid,   // ENTER takes effect
    output reg  [2:0]         enter_outcome, // outcome of ENTER, FAULT_*
    output reg  [IDX_W-1:0]   enter_entry,   // entry of the fault; 0 when dropped or late
    // the driver offers an operation: FILL, FREE, CANCEL, ASK, T2_FILL_DONE or T2_SWAP
    input  wire               find_req,      // an operation is offered; stable, with its page, until find_take
    input  wire [ASID_W-1:0]  find_asid,     // address space of the operation
    input  wire [VPN_W-1:0]   find_vpn,      // virtual page number of the operation
    output wire               find_ready,    // its page is looked up, and the engine waits for the operation
    input  wire               find_take,     // the operation is granted; one of s_fill, s_free, s_cancel, s_ask, s_refused follows
    // the operation takes effect
    input  wire               s_fill,        // FILL; with s_left also T2_SWAP
    input  wire               s_free,        // FREE or T2_FILL_DONE; may come with s_fill
    input  wire               s_cancel,      // CANCEL
    input  wire               s_ask,         // ASK
    input  wire               s_refused,     // the operation does nothing here
    input  wire [FRAME_W-1:0] s_frame,       // FILL, FREE: frame of the operation
    input  wire [TIME_W-1:0]  s_time,        // time of the operation
    input  wire               s_t2,          // ASK: the page is in s_slot
    input  wire [T2_W-1:0]    s_slot,        // ASK: slot that the driver names
    input  wire               s_force,       // ASK: the search may take fresh frames
    input  wire               s_fresh,       // FILL of an outstanding page makes its frame fresh
    input  wire [CLASS_W-1:0] s_else_class,  // ASK of a page without a fault: class of its last access
    input  wire [TIME_W-1:0]  s_else_last,   // ASK of a page without a fault: time of its last access
    input  wire               s_left,        // FILL, FREE: the frame held a page, that of s_left_*
    input  wire [ASID_W-1:0]  s_left_asid,   // address space of the page that the frame held
    input  wire [VPN_W-1:0]   s_left_vpn,    // virtual page number of the page that the frame held
    // answers to the operation, from find_ready to its effect
    output wire               s_hit,         // the page has a fault
    output wire               s_decided,     // the page has a fault, and the fault is decided
    output wire [IDX_W-1:0]   s_entry,       // entry of the page's fault, or the entry that ASK takes
    output wire               s_full,        // no entry is free
    output wire               s_late,        // the page has no fault, and has arrived
    output wire [CLASS_W-1:0] s_class,       // class of the last access of the page's fault; without a fault 0
    output wire [TIME_W-1:0]  s_last,        // time of the last access of the page's fault; without a fault s_time
    output wire               s_dirty,       // the page of the fault was written
    // DECIDE
    input  wire               decide_req,    // DECIDE is to come: of the head, or without an undecided fault ahead of need
    output wire               decide_ok,     // the engine waits for DECIDE
    input  wire               decide_take,   // DECIDE is granted; d_done follows
    input  wire               d_done,        // the outcome of DECIDE came; none of d_claims, d_give_up: RETRY
    input  wire               d_claims,      // the head is decided, and keeps its entry until FILL or CANCEL
    input  wire               d_give_up,     // the head ends without a frame
    input  wire               d_takes,       // with d_claims, or ahead of need: a victim leaves d_frame
    input  wire [FRAME_W-1:0] d_frame,       // frame of the victim
    input  wire [ASID_W-1:0]  d_asid,        // address space of the victim
    input  wire [VPN_W-1:0]   d_vpn,         // virtual page number of the victim
    // EXPIRE
    output wire               expire_req,    // EXPIRE is due, and the engine waits for it
    output wire [FRAME_W-1:0] expire_frame,  // frame of EXPIRE
    input  wire               expire_take,   // EXPIRE is granted; s_expire follows
    input  wire               s_expire,      // EXPIRE takes effect
    // AGE of an entry
    input  wire               age_req,       // AGE is to come; falls in the cycle behind age_done
    input  wire [IDX_W-1:0]   age_entry,     // its entry
    input  wire [TIME_W-1:0]  age_time,      // time of the cycle
    output wire               age_done,      // AGE takes effect
    output wire               age_clamped,   // AGE clamps: the last access moves to an age of 2^(TIME_W-2)
    // the head
    output reg                head_valid,    // the oldest undecided fault is at head_*
    output reg  [IDX_W-1:0]   head_entry,    // entry of the head
    output reg                head_filled,   // the page of the head was filled meanwhile
    output reg  [ASID_W-1:0]  head_asid,     // address space of the head
    output reg  [VPN_W-1:0]   head_vpn,      // virtual page number of the head
    output reg  [SEQ_W-1:0]   head_seq,      // number of the head, counted over all faults
    output reg                head_t2,       // the head names a slot
    output reg  [T2_W-1:0]    head_slot,     // slot that the head names
    output reg                head_lost,     // the head is a replay: its page left before its use
    output reg                head_force,    // an ASK with s_force asked for the page of the head
    output wire               waiting,       // a note or an undecided fault exists
    output wire               busy,          // the engine has work of its own
    // slots of Tier 2
    input  wire [T2_W-1:0]    n_slot,        // a slot at s1
    output wire               s_named,       // at s3: an undecided fault names this slot
    // PARITY
    output reg                turned,        // toggles with each use of a corrupt word
    output reg                forgot         // all outstanding faults and arrived pages are lost, by a corrupt word
);

    localparam P_W = ASID_W + VPN_W;
    localparam B_W = FAULTS + LATE > 1 ? $clog2(FAULTS + LATE) : 1; // buckets
    localparam L_W = LATE > 1 ? $clog2(LATE) : 1;
    localparam I_W = IDX_W > L_W ? IDX_W : L_W;
    localparam N_W = 1 + I_W;                                       // nodes
    localparam A_W = 1 + (N_W > B_W ? N_W : B_W);                   // links
    localparam K_W = CLASS_W + TIME_W;
    localparam E_W = 7 + T2_W + K_W;                                // all else of a node
    localparam M_W = P_W + K_W + 3 + T2_W;                          // a note
    localparam C_W = T2_SLOTS > 0 && T2_W > B_W ? T2_W : B_W;       // clearing
    localparam EQ = (P_W + 7) / 8;                                  // parts of a page that are compared
    localparam HALF = (FRAME_W + 1) / 2;
    localparam [IDX_W:0] ALL = FAULTS[IDX_W:0];
    localparam END = FAULTS - 1;
    localparam [IDX_W-1:0] LAST = END[IDX_W-1:0];
    localparam [TIME_W-1:0] OLD = {2'b01, {TIME_W-2{1'b0}}};        // the age that AGE clamps to
    localparam [2:0] QUEUED = 3'd1, JOINED = 3'd2, DROPPED = 3'd3, AGAIN = 3'd4, LOST = 3'd5, IS_LATE = 3'd6; // as in gmmu_codes.vh

    generate
        if (FAULTS < 1) begin : g_bad_faults
            FAULTS_must_be_at_least_1 stop_here();
        end
        if (LATE < 0 || (LATE & (LATE - 1)) != 0) begin : g_bad_late
            LATE_must_be_0_or_a_power_of_two stop_here();
        end
        if (NOTES < 2 || (NOTES & (NOTES - 1)) != 0) begin : g_bad_notes
            NOTES_must_be_a_power_of_two_at_least_2 stop_here();
        end
        if (FRAME_W > TIME_W) begin : g_bad_frame
            FRAME_W_above_TIME_W stop_here();
        end
    endgenerate

    localparam [4:0] IDLE = 5'd0,   // no job
                     HASH = 5'd1,   // the page's bucket
                     HEAD = 5'd2,   // reads the link at `at`
                     FIRST = 5'd3,  // the first node of the chain
                     READ = 5'd4,   // reads the node
                     CMP = 5'd5,    // compares
                     STEP = 5'd6,   // does what the job asks of the node
                     CUT = 5'd7,    // the node leaves its chain
                     PUSH = 5'd8,   // the entry becomes free
                     AFTER = 5'd9,  // is more to be done?
                     READY = 5'd10, // the operation may come
                     COMES = 5'd11, // the operation comes
                     ENTERS = 5'd12, // ENTER, but for the RAMs
                     RING = 5'd13,  // a place of the ring is taken
                     NEW0 = 5'd14,  // a node is written
                     NEW1 = 5'd15,  // and the next free entry is known
                     INS1 = 5'd16,  // the node becomes the first of its chain
                     INS2 = 5'd17,
                     INS3 = 5'd18,
                     PUT = 5'd19,   // a node is written anew
                     ORDER = 5'd20, // reads the oldest entry of the order
                     FRONT = 5'd21, // the entry is known
                     MAY = 5'd22,   // DECIDE may come
                     DECIDES = 5'd23, // DECIDE comes
                     DUE = 5'd24,   // EXPIRE may come
                     EXPIRES = 5'd25, // EXPIRE comes
                     AGES = 5'd26,  // AGE
                     WIPE = 5'd27;  // the buckets are cleared
    localparam [3:0] J_ENTER = 4'd0, // ENTER looks the note's page up
                     J_FIND = 4'd1,  // the operation's page is looked up
                     J_LEFT = 4'd2,  // the place of the page that left its frame ends
                     J_NEXT = 4'd3,  // the place that is taken anew ends
                     J_GIVE = 4'd4,  // the head ends
                     J_CLAIM = 4'd5, // the head is decided
                     J_AGE = 4'd6,   // AGE
                     J_LOOK = 4'd7,  // is the place fresh?
                     J_LOAD = 4'd8;  // the head is loaded

    reg [4:0] state;
    reg [3:0] job;
    reg       walks;    // a chain is walked; else one node is read

    // ---- registers of a job
    reg [P_W-1:0]     page;     // the page that is looked up
    reg [A_W-1:0]     at;       // address of the link to `node`, or of the end of the chain
    reg [N_W-1:0]     node;     // the node
    reg [N_W-1:0]     target;   // J_NEXT, J_GIVE: the node that is looked for
    reg [N_W:0]       steps;    // nodes that were read
    reg [B_W-1:0]     hash;     // bucket of the node that is to be cut
    reg [FRAME_W-1:0] frame;    // J_LEFT: the frame that the page left; RING: the frame of FILL
    reg               leaves;   // J_LEFT is to be done
    reg               filling;  // the ring is to take a place
    reg               makes;    // its frame is fresh
    // what CMP found, in parts, as the outputs of RAMs are late
    reg [EQ-1:0]      same_parts; // these parts of the page are equal
    reg [1:0]         frame_parts; // these parts of the frame
    reg               is_target;  // the node is `target`
    reg [4:0]         page_odd;   // parities of the words
    reg [4:0]         info_odd;
    reg               hit;      // the page has a fault: `node`
    reg               late;     // the page has arrived
    reg               listed;   // the new entry was in the list of free ones
    // all else of the node: {valid, decided or fresh, filled, dirty, force, lost, t2, slot, class, last or frame}
    reg               i_valid, i_decided, i_filled, i_dirty, i_force, i_lost, i_t2;
    reg [T2_W-1:0]    i_slot;
    reg [CLASS_W-1:0] i_class;
    reg [TIME_W-1:0]  i_last;
    wire in_ring = node[N_W-1];

    // ---- entries that are free, the order of the undecided
    reg [IDX_W:0]   taken;     // entries that have ever been taken
    reg             some_free; // a list of free entries begins at `freed`
    reg [IDX_W-1:0] freed;
    reg [IDX_W:0]   undecided; // undecided faults
    reg [IDX_W-1:0] first;     // place of the oldest undecided fault
    reg [IDX_W-1:0] last;      // place of the next one
    wire             unused_up = taken != ALL;              // some entry was never taken
    wire [IDX_W-1:0] fresh_one = unused_up ? taken[IDX_W-1:0] : freed;
    wire             none_free = !unused_up && !some_free;

    // ---- words of the RAMs
    wire [P_W-1:0]   r_page;
    wire [E_W-1:0]   r_info;
    wire [N_W:0]     r_link;                               // {there is a next node, the node}
    wire [4:0]       odd_page, odd_info;
    wire [3:0]       odd_link;
    wire             more = r_link[N_W];
    wire [N_W-1:0]   next_node = r_link[N_W-1:0];
    wire [IDX_W-1:0] r_order;
    wire [2:0]       odd_order;
    wire [M_W-1:0]   note;
    wire             noted, note_here, note_bad;
    wire [P_W-1:0]   note_page;
    wire [CLASS_W-1:0] note_class;
    wire [TIME_W-1:0] note_time;
    wire             note_write, note_t2, note_replay;
    wire [T2_W-1:0]  note_slot;
    assign {note_page, note_class, note_time, note_write, note_t2, note_slot, note_replay} = note;

    wire [EQ-1:0] equal; // these parts of the node's page and of `page` are equal
    genvar g;
    generate
        for (g = 0; g < EQ; g = g + 1) begin : g_equal
            localparam HIGH = 8*g + 8 < P_W ? 8*g + 8 : P_W;
            assign equal[g] = r_page[HIGH-1:8*g] == page[HIGH-1:8*g];
        end
    endgenerate

    // ---- buckets
    wire [B_W-1:0] page_bucket, node_bucket, left_bucket, victim_bucket;
    gmmu_fault_queue_hash #(
        .P_W(P_W),
        .B_W(B_W)
    ) of_page (
        .page(page),
        .bucket(page_bucket)
    );
    gmmu_fault_queue_hash #(
        .P_W(P_W),
        .B_W(B_W)
    ) of_node (
        .page(r_page),
        .bucket(node_bucket)
    );
    gmmu_fault_queue_hash #(
        .P_W(P_W),
        .B_W(B_W)
    ) of_left (
        .page({s_left_asid, s_left_vpn}),
        .bucket(left_bucket)
    );
    gmmu_fault_queue_hash #(
        .P_W(P_W),
        .B_W(B_W)
    ) of_victim (
        .page({d_asid, d_vpn}),
        .bucket(victim_bucket)
    );
    function [A_W-1:0] bucket(input [B_W-1:0] number);
        begin
            bucket = 0;
            bucket[B_W-1:0] = number;
        end
    endfunction
    function [A_W-1:0] link(input [N_W-1:0] number);
        begin
            link = 0;
            link[A_W-1] = 1'b1;
            link[N_W-1:0] = number;
        end
    endfunction
    function [N_W-1:0] entry(input [IDX_W-1:0] number);
        begin
            entry = 0;
            entry[IDX_W-1:0] = number;
        end
    endfunction
    function [N_W-1:0] place(input [L_W-1:0] number);
        begin
            place = 0;
            place[N_W-1] = 1'b1;
            place[L_W-1:0] = number;
        end
    endfunction

    // ---- what happens in this cycle
    wire late_now = late && !hit && !flush;
    // A word that was read in the cycle before is corrupt, or a chain has no end, or not the node that must be there. It is known a
    // cycle later, as parities are late: the step of that cycle has no effect outside.
    reg        checks_link, checks_order, fails;
    reg  [N_W:0] link_was;  // r_link of the cycle before
    reg  [3:0] link_odd;    // and its parities
    reg  [2:0] order_odd;
    wire broken   = fails || (checks_link && ^link_odd) || (checks_order && ^order_odd);
    wire wrong    = ^page_odd || ^info_odd || ^link_odd;
    wire same     = &same_parts;
    wire mine     = job == J_LEFT ? in_ring && &frame_parts : is_target;
    wire enters   = state == ENTERS && !broken;
    wire coming   = state == COMES && !rst;
    wire fills    = coming && s_fill;
    wire asks_new = coming && s_ask && !hit && !s_late && !none_free;
    wire enter_new = enters && !note_bad && !hit && !late_now && !none_free;
    wire begins   = asks_new || enter_new;
    wire decides  = state == DECIDES && d_done && (d_claims || d_give_up);
    wire to_end   = hit && i_decided; // FILL, CANCEL: the fault ends
    wire wiping   = state == WIPE;
    wire must_be  = job == J_NEXT || job == J_GIVE; // the walk must find its node
    wire lost     = (state == FIRST && !more && must_be) ||
                    (state == STEP && (wrong || (walks && (more ? steps[N_W] : must_be && !mine))));
    wire anew = rst || broken;

    // ---- ring
    wire [L_W-1:0]     r_next, r_oldest;
    wire [FRAME_W-1:0] known_frame;
    wire               wrapped, look, owes, due, ring_full, counts;
    wire is_fresh = i_valid && i_decided;
    generate
        if (LATE != 0) begin : g_ring
            wire looked = state == STEP && job == J_LOOK;
            gmmu_fault_queue_ring #(
                .LATE(LATE),
                .FRAME_W(FRAME_W)
            ) ring (
                .clk(clk),
                .rst(anew),
                .flush(flush),
                .fill(fills),
                .advance(state == INS3 && in_ring),
                .pass((looked && !is_fresh) || (state == EXPIRES && s_expire)),
                .know(looked && is_fresh),
                .doubt(state == CUT && in_ring),
                .know_frame(i_last[FRAME_W-1:0]),
                .adding(fills || (filling && state != IDLE)),
                .tick(epoch_ends),
                .place(node[L_W-1:0]),
                .next(r_next),
                .wrapped(wrapped),
                .oldest(r_oldest),
                .look(look),
                .owes(owes),
                .due(due),
                .full(ring_full),
                .counts(counts),
                .frame(known_frame)
            );
        end else begin : g_none
            assign r_next = {L_W{1'b0}};
            assign r_oldest = {L_W{1'b0}};
            assign known_frame = {FRAME_W{1'b0}};
            assign {wrapped, look, owes, ring_full, counts} = 5'd0;
            assign due = 1'b0;
            wire unused_ring = &{1'b0, epoch_ends, is_fresh, fills, flush};
        end
    endgenerate

    // ---- RAMs
    localparam CLEARS = T2_SLOTS > 1 << B_W ? T2_SLOTS : 1 << B_W;
    localparam WIPES = CLEARS - 1;
    reg  [C_W-1:0] wiped; // buckets, and slots, that are cleared
    wire         wipes_bucket = wiping && wiped >> B_W == 0;
    wire         link_by_at = state == CUT || state == INS3;
    wire [N_W:0] free_link;
    assign free_link = {some_free, entry(freed)};
    gmmu_fault_queue_ram #(
        .WIDTH(N_W + 1),
        .DEPTH(1 << A_W),
        .PARITY(PARITY),
        .PARTS(4)
    ) links (
        .clk(clk),
        .we(wipes_bucket || link_by_at || state == PUSH || state == INS2),
        .waddr(wiping ? bucket(wiped[B_W-1:0]) : link_by_at ? at : link(node)),
        .wdata(wiping ? {N_W+1{1'b0}} : state == PUSH ? free_link : state == INS3 ? {1'b1, node} : link_was),
        .re(state == HEAD || state == READ || state == NEW0 || state == NEW1),
        .raddr(state == NEW1 ? bucket(page_bucket) : state == HEAD ? at : link(node)),
        .rdata(r_link),
        .odd(odd_link)
    );
    gmmu_fault_queue_ram #(
        .WIDTH(P_W),
        .DEPTH(1 << N_W),
        .PARITY(PARITY),
        .PARTS(5)
    ) pages (
        .clk(clk),
        .we(state == NEW0),
        .waddr(node),
        .wdata(page),
        .re(state == READ),
        .raddr(node),
        .rdata(r_page),
        .odd(odd_page)
    );
    gmmu_fault_queue_ram #(
        .WIDTH(E_W),
        .DEPTH(1 << N_W),
        .PARITY(PARITY),
        .PARTS(5)
    ) infos (
        .clk(clk),
        .we(state == NEW0 || state == PUT || state == CUT),
        .waddr(node),
        .wdata({i_valid && state != CUT, i_decided, i_filled, i_dirty, i_force, i_lost, i_t2, i_slot, i_class, i_last}),
        .re(state == READ),
        .raddr(node),
        .rdata(r_info),
        .odd(odd_info)
    );
    gmmu_fault_queue_ram #(
        .WIDTH(IDX_W),
        .DEPTH(FAULTS),
        .PARITY(PARITY),
        .PARTS(3)
    ) order (
        .clk(clk),
        .we(state == NEW0 && !in_ring),
        .waddr(last),
        .wdata(node[IDX_W-1:0]),
        .re(state == ORDER),
        .raddr(first),
        .rdata(r_order),
        .odd(odd_order)
    );
    reg entering; // an ENTER is under way
    reg gone;     // the operation was withdrawn since its look-up began: the look-up is void
    gmmu_fault_queue_notes #(
        .WIDTH(M_W),
        .NOTES(NOTES),
        .PARITY(PARITY)
    ) notes (
        .clk(clk),
        .rst(rst),
        .push(w_fault),
        .wdata({w_asid, w_vpn, w_class, w_time, w_write, w_t2 && T2_SLOTS != 0, w_slot, w_replay}),
        .full(w_full),
        .some(noted),
        .hold(entering),
        .pop(enters),
        .valid(note_here),
        .rdata(note),
        .bad(note_bad)
    );
    generate
        if (T2_SLOTS != 0) begin : g_named
            wire names   = state == NEW0 && i_t2 && enter_valid;
            wire asks_t2 = asks_new && s_t2;
            gmmu_fault_queue_named #(
                .T2_SLOTS(T2_SLOTS),
                .T2_W(T2_W),
                .PARITY(PARITY)
            ) slots (
                .clk(clk),
                .we(wiping || names || asks_t2 || (decides && head_t2)),
                .w_slot(wiping ? wiped[T2_W-1:0] : names ? i_slot : asks_t2 ? s_slot : head_slot),
                .w_bit(names || asks_t2),
                .n_slot(n_slot),
                .named(s_named)
            );
        end else begin : g_no_slots
            assign s_named = 1'b0;
            wire unused_slot = &{1'b0, n_slot};
        end
    endgenerate

    // ---- which job is next: AGE, the head; then a place of the ring and anything else in turn; then a note and something else in
    // turn
    reg        ring_last; // a place was looked at last: anything else is next
    reg        others;    // something else is next
    reg  [1:0] who;       // of these: 0 EXPIRE, 1 DECIDE, 2 an operation
    wire may_find   = find_req && !ring_full;
    wire may_decide = decide_req && (head_valid || undecided == 0); // without a fault: a decision ahead of need
    wire some_other = due || may_decide || may_find;
    wire look_next  = look && !(ring_last && (note_here || some_other));
    wire enter_next = note_here && !(others && some_other);
    wire [1:0] other = who == 2'd0 ? (due ? 2'd0 : may_decide ? 2'd1 : 2'd2) :
                       who == 2'd1 ? (may_decide ? 2'd1 : may_find ? 2'd2 : 2'd0) :
                                     (may_find ? 2'd2 : due ? 2'd0 : 2'd1);

    always @(posedge clk) begin
        enter_valid <= 1'b0;
        forgot      <= broken && !rst;
        link_was     <= r_link;
        link_odd     <= odd_link;
        order_odd    <= odd_order;
        checks_link  <= (state == FIRST || (state == NEW1 && listed) || state == INS1) && !anew;
        checks_order <= state == FRONT && !anew;
        fails        <= lost && !anew;
        if (flush)
            late <= 1'b0;
        gone <= state != IDLE && (gone || !find_req);
        case (state)
            IDLE: begin
                hit      <= 1'b0;
                late     <= 1'b0;
                leaves   <= 1'b0;
                filling  <= 1'b0;
                entering <= 1'b0;
                walks    <= 1'b0;
                page     <= enter_next ? note_page : {find_asid, find_vpn};
                if (clear)
                    state <= IDLE;
                else if (age_req) begin
                    job     <= J_AGE;
                    node    <= entry(age_entry);
                    i_valid <= 1'b0;
                    state   <= {1'b0, age_entry} < taken ? READ : AGES;
                end else if (undecided != 0 && !head_valid)
                    state <= ORDER;
                else if (look_next) begin
                    job       <= J_LOOK;
                    ring_last <= 1'b1;
                    node      <= place(r_oldest);
                    state     <= READ;
                end else if (enter_next) begin
                    job       <= J_ENTER;
                    ring_last <= 1'b0;
                    entering  <= 1'b1;
                    walks     <= 1'b1;
                    others    <= 1'b1;
                    state     <= note_bad ? ENTERS : HASH;
                end else if (some_other) begin
                    job       <= J_FIND;
                    ring_last <= 1'b0;
                    walks     <= 1'b1;
                    others    <= 1'b0;
                    who       <= other == 2'd2 ? 2'd0 : other + 2'd1;
                    state     <= other == 2'd0 ? DUE : other == 2'd1 ? MAY : HASH;
                end
            end
            HASH: begin
                at    <= bucket(page_bucket);
                state <= HEAD;
            end
            HEAD: begin
                steps <= {N_W+1{1'b0}};
                state <= FIRST;
            end
            FIRST: begin
                node  <= next_node;
                state <= more ? READ : job == J_ENTER ? ENTERS : job == J_FIND ? READY : AFTER;
            end
            READ: begin
                steps <= steps + 1'b1;
                state <= CMP;
            end
            CMP: begin
                same_parts  <= equal;
                frame_parts <= {r_info[FRAME_W-1:0] >> HALF == frame >> HALF, r_info[HALF-1:0] == frame[HALF-1:0]};
                is_target   <= node == target;
                page_odd    <= odd_page;
                info_odd    <= odd_info;
                {i_valid, i_decided, i_filled, i_dirty, i_force, i_lost, i_t2, i_slot, i_class, i_last} <= r_info;
                if (job == J_NEXT || job == J_GIVE)
                    hash <= node_bucket;
                state <= STEP;
            end
            STEP:
                if (walks) begin
                    at    <= link(node);
                    node  <= next_node;
                    state <= more ? READ : job == J_ENTER ? ENTERS : job == J_FIND ? READY : AFTER;
                    if (job == J_ENTER || job == J_FIND) begin
                        if (same && !in_ring) begin
                            hit   <= 1'b1;
                            at    <= at;
                            node  <= node;
                            state <= job == J_ENTER ? ENTERS : READY;
                        end else if (same && counts && !flush && {1'b0, i_last[FRAME_W-1:0]} < cfg_frames)
                            late <= 1'b1;
                    end else if (mine) begin
                        at    <= at;
                        node  <= node;
                        state <= CUT;
                    end
                end else begin
                    state <= IDLE;
                    case (job)
                        J_NEXT, J_GIVE: begin
                            at    <= bucket(hash);
                            walks <= 1'b1;
                            state <= !i_valid && job == J_NEXT ? RING : HEAD;
                        end
                        J_CLAIM: begin
                            i_decided <= 1'b1;
                            state     <= PUT;
                        end
                        J_AGE: state <= AGES;
                        J_LOAD: begin
                            head_valid  <= !wrong;
                            head_entry  <= node[IDX_W-1:0];
                            head_filled <= i_filled;
                            head_force  <= i_force;
                            head_lost   <= i_lost;
                            head_t2     <= i_t2;
                            head_slot   <= i_slot;
                            {head_asid, head_vpn} <= r_page;
                        end
                        default: state <= IDLE;
                    endcase
                end
            CUT:
                if (job == J_LEFT) begin
                    node  <= next_node;
                    state <= more ? READ : AFTER;
                end else
                    state <= job == J_NEXT ? RING : PUSH;
            PUSH: begin
                some_free <= 1'b1;
                freed     <= node[IDX_W-1:0];
                state     <= AFTER;
            end
            AFTER: begin
                at     <= bucket(hash);
                leaves <= 1'b0;
                walks  <= leaves;
                job    <= leaves ? J_LEFT : J_NEXT;
                node   <= place(r_next);
                target <= place(r_next);
                state  <= leaves ? HEAD : !filling ? IDLE : wrapped ? READ : RING;
            end
            READY:
                if (find_take)
                    state <= COMES;
                else if (gone || !find_req)
                    state <= IDLE;
            COMES: begin
                hash    <= left_bucket;
                frame   <= s_frame;
                makes   <= s_fresh && hit;
                leaves  <= (s_fill || s_free) && s_left && LATE != 0;
                filling <= s_fill && LATE != 0;
                if (s_fill)
                    i_filled <= 1'b1;
                if (s_ask && s_force && !i_decided)
                    i_force <= 1'b1;
                if (asks_new) begin
                    node   <= entry(fresh_one);
                    listed <= !unused_up;
                    {i_valid, i_decided, i_filled, i_dirty, i_force, i_lost} <= {4'b1000, s_force, 1'b0};
                    {i_t2, i_slot, i_class, i_last} <= {s_t2 && T2_SLOTS != 0, s_slot, s_else_class, s_else_last};
                end
                if (s_fill || s_cancel)
                    state <= to_end ? CUT : hit ? PUT : AFTER;
                else if (s_ask)
                    state <= asks_new ? NEW0 : hit ? PUT : IDLE;
                else if (s_free)
                    state <= AFTER;
                else if (s_refused)
                    state <= IDLE;
            end
            ENTERS: begin
                enter_valid   <= 1'b1;
                enter_outcome <= note_bad ? DROPPED : hit ? (note_replay ? AGAIN : JOINED) : late_now ? IS_LATE :
                                 none_free ? DROPPED : note_replay ? LOST : QUEUED;
                enter_entry   <= note_bad ? {IDX_W{1'b0}} : hit ? node[IDX_W-1:0] : enter_new ? fresh_one : {IDX_W{1'b0}};
                i_dirty       <= note_write || (hit && i_dirty);
                if (!hit || !note_replay)
                    {i_class, i_last} <= {note_class, note_time};
                if (enter_new) begin
                    node   <= entry(fresh_one);
                    listed <= !unused_up;
                    {i_valid, i_decided, i_filled, i_force, i_lost} <= {4'b1000, note_replay};
                    {i_t2, i_slot} <= {note_t2, note_slot};
                end
                state <= note_bad ? IDLE : hit ? PUT : enter_new ? NEW0 : IDLE;
            end
            RING: begin
                node <= place(r_next);
                {i_valid, i_decided} <= {1'b1, makes};
                i_last[FRAME_W-1:0] <= frame;
                listed <= 1'b0;
                state  <= NEW0;
            end
            NEW0: state <= NEW1;
            NEW1: begin
                if (listed) begin
                    some_free <= more;
                    freed     <= next_node[IDX_W-1:0];
                end
                at    <= bucket(page_bucket);
                state <= INS1;
            end
            INS1: state <= INS2;
            INS2: state <= INS3;
            INS3: state <= IDLE;
            PUT: begin
                if (!in_ring && head_entry == node[IDX_W-1:0])
                    {head_filled, head_force} <= {i_filled, i_force};
                state <= AFTER;
            end
            ORDER: state <= FRONT;
            FRONT: begin
                job   <= J_LOAD;
                node  <= entry(r_order);
                state <= READ;
            end
            MAY:
                if (decide_take)
                    state <= DECIDES;
                else if (!decide_req)
                    state <= IDLE;
            DECIDES: begin
                node   <= entry(head_entry);
                target <= entry(head_entry);
                hash   <= victim_bucket;
                frame  <= d_frame;
                leaves <= d_takes && LATE != 0;
                job    <= d_claims ? J_CLAIM : J_GIVE;
                walks  <= 1'b0;
                if (d_done) begin
                    head_valid <= head_valid && !(d_claims || d_give_up);
                    state      <= d_claims || d_give_up ? READ : d_takes ? AFTER : IDLE;
                end
            end
            DUE:
                if (expire_take)
                    state <= EXPIRES;
            EXPIRES: // the place is not looked at again
                if (s_expire)
                    state <= IDLE;
            AGES: begin
                i_last <= age_time - OLD;
                state  <= age_clamped ? PUT : IDLE;
            end
            WIPE: begin
                wiped <= wiped + 1'b1;
                {i_valid, i_decided, i_filled, i_dirty, i_force, i_lost, i_t2, i_slot, i_class, i_last} <= {E_W{1'b0}};
                if (wiped == WIPES[C_W-1:0])
                    state <= IDLE;
            end
            default: state <= IDLE;
        endcase
        if (decides) begin
            first    <= first == LAST ? {IDX_W{1'b0}} : first + 1'b1;
            head_seq <= head_seq + 1'b1;
        end
        if (state == NEW0 && !in_ring)
            last <= last == LAST ? {IDX_W{1'b0}} : last + 1'b1;
        if (begins && unused_up)
            taken <= taken + 1'b1;
        undecided <= undecided + {{IDX_W{1'b0}}, begins} - {{IDX_W{1'b0}}, decides};
        turned    <= turned ^ (broken || (enters && note_bad));
        if (anew) begin
            state      <= WIPE;
            wiped      <= 0;
            taken      <= 0;
            some_free  <= 1'b0;
            freed      <= {IDX_W{1'b0}}; // goes into the first link of the free entries, with its parity
            undecided  <= 0;
            first      <= 0;
            last       <= 0;
            head_valid <= 1'b0;
            entering   <= 1'b0;
            filling    <= 1'b0;
            hit        <= 1'b0;
            late       <= 1'b0;
            enter_valid <= 1'b0;
        end
        if (rst) begin
            ring_last <= 1'b0;
            others    <= 1'b0;
            who       <= 2'd0;
            head_seq  <= 0;
            turned    <= 1'b0;
        end
    end

    // ---- answers
    assign cleared      = !wiping && !rst;
    assign find_ready   = state == READY && !broken && !gone;
    assign decide_ok    = state == MAY;
    assign expire_req   = state == DUE;
    assign expire_frame = known_frame;
    wire [TIME_W-1:0] age = age_time - i_last;
    wire unused_age = &{1'b0, age};
    assign age_done     = state == AGES && !broken;
    assign age_clamped  = age_done && i_valid && age[TIME_W-1 -: 2] != 0; // >= OLD
    assign s_hit        = hit;
    assign s_decided    = to_end;
    assign s_entry      = hit ? node[IDX_W-1:0] : fresh_one;
    assign s_full       = none_free;
    assign s_late       = late && !hit;
    assign s_class      = hit ? i_class : {CLASS_W{1'b0}};
    assign s_last       = hit ? i_last : s_time;
    assign s_dirty      = hit && i_dirty;
    assign waiting      = noted || enter_valid || undecided != 0;
    assign busy         = state != IDLE || broken || enter_valid || noted || (undecided != 0 && !head_valid) || look || owes || due;

endmodule
`default_nettype wire
