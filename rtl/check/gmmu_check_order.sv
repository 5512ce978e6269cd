// SPDX-License-Identifier: Apache-2.0
// gmmu_check_order: the order of walks, decisions and operations of the driver: whose page is in which frame, which fault has which
// decision, and which decision has its answer (docs/guide/integration.md#order-rules-of-walker-and-driver).
//
// The checker sees the three streams alone, and keeps a book as a driver does. Within a cycle a decision counts first, then the
// driver's operation, then the walk. What the ports do not show stays open:
//
//   - A DECIDE in the unit is some cycles before its decision is taken. An operation between the two may change the frame that the
//     decision names. DECIDE comes behind the decision before, as one decision waits at a time. So a rule about the victim's frame
//     counts the operations up to the decision before, and excuses the later ones (`recent`). Of slots it excuses pages that an operation
//     took out of their slot since then (`moved`).
//   - An operation that is offered when a decision is taken may meet the decision. So a rule about the driver counts the decisions up to
//     the operation's offer (`offered`).
//   - The unit may refuse a CANCEL with `ahead`. Until the frame's next operation or decision the frame may be leaving or not (`unsure`).
//   - The unit may drop a fault, and a fault may be late. So a page may have more faults than decisions, never more decisions than
//     faults (`asks`); while the unit is quiet no fault waits.
//
// Tables of frames and slots have the unit's sizes. Tables of pages are associative: `decided` has at most FAULTS entries, `asks` the
// pages that faulted since the unit was quiet, `faulted` all pages that faulted.
`default_nettype none
/* verilator lint_off UNUSED */ // a checker uses some sizes, and some fields of a beat
`include "gmmu_config.vh"
`include "gmmu_check.svh"
/* verilator lint_off BLKSEQ */ // the book is kept operation by operation; the rules see registers
module gmmu_check_order #(
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
    , parameter PATIENCE = 0 // cycles within which the driver answers a decision; 0: any number
    , parameter WALK_PORT = 8 // bits of the ports' tdata
    , parameter DRV_PORT = 8
    , parameter DEC_PORT = 8
) (
    input wire                 clk,
    input wire                 rst,
    input wire [FRAME_W:0]     cfg_frames,
    input wire [T2_W:0]        cfg_t2_slots,
    input wire [2:0]           cfg_tier,
    input wire [ASID_W:0]      cfg_flush,
    input wire                 quiet,
    input wire                 walk_valid, // a walk is taken
    input wire [WALK_PORT-1:0] walk,
    input wire                 drv_offered, // an operation is offered
    input wire                 drv_valid,  // an operation is taken
    input wire [DRV_PORT-1:0]  drv,
    input wire                 dec_valid,  // a decision is taken
    input wire [DEC_PORT-1:0]  dec
);
`include "gmmu_streams.vh"
`include "gmmu_codes.vh"
    localparam SLOTS = T2_SLOTS != 0 ? T2_SLOTS : 1;
    typedef logic [ASID_W+VPN_W-1:0] page_t; // {asid, vpn}
    typedef enum logic [1:0] {EMPTY, HELD, LEAVING, RISING} place_t;

    // ======== the book: frames
    place_t            state [0:FRAMES-1];      // of the frame, as the driver believes
    page_t             page [0:FRAMES-1];       // in the frame, or the last one there
    page_t             prior [0:FRAMES-1];      // in the frame before that
    logic              used [0:FRAMES-1];       // `page` was there ever
    logic              used_prior [0:FRAMES-1]; // `prior` was there ever
    logic              unsure [0:FRAMES-1];     // a CANCEL with `ahead` was perhaps refused
    logic              ahead [0:FRAMES-1];      // LEAVING by a decision ahead
    logic              to_2 [0:FRAMES-1];       // LEAVING for Tier 2
    page_t             coming [0:FRAMES-1];     // LEAVING, not ahead: the page that comes
    logic              again [0:FRAMES-1];      // LEAVING: an earlier decision named the frame, and has no answer either
    page_t             earlier [0:FRAMES-1];    // its page
    int                named [0:FRAMES-1];      // LEAVING: number of the decision
    int                named_at [0:FRAMES-1];   // LEAVING: the cycle in which the decision was taken
    int                changed [0:FRAMES-1];    // decisions that were taken before the frame's last operation
    logic              twice [0:FRAMES-1];      // two operations on the frame since the decision of that number
    logic              pinned [0:FRAMES-1];
    int                pins;                    // frames that are pinned
    int                pinned_at [0:FRAMES-1];  // decisions that were taken before the PIN
    int                filled [0:FRAMES-1];     // FILLs up to that of the page, or to the CANCEL by which the page stays
    logic              arrived [0:FRAMES-1];    // the page has not left since its FILL
    logic [FRAME_W-1:0] frame_of [page_t];      // the frame that the page was filled into last, while it is there
    // slots of Tier 2
    place_t            slot [0:SLOTS-1];
    page_t             slot_page [0:SLOTS-1];
    logic [T2_W-1:0]   slot_of [page_t];
    logic [T2_W-1:0]   moved [page_t];          // pages that an operation took out of a slot since the last decision: the slot
    // faults and decisions
    int                asks [page_t];           // faults and ASKs that may still get a decision
    logic              faulted [page_t];        // the page faulted ever, also before a reset
    logic              too_late [page_t];       // the page faulted while it was there: more than LATE FILLs after its FILL
    int                decided [page_t];        // number of the decision that waits for its answer
    logic [FRAME_W:0]  goes [page_t];           // of it: {a victim, its frame}
    logic              swaps [page_t];          // of it: swap
    page_t             victim_of [page_t];      // of it: the victim's page
    page_t             order_page [$];          // decisions in their order, some of which have an answer: page
    int                order_number [$];        // number
    int                order_at [$];            // cycle in which it was taken
    int                now;                     // cycles
    int                decisions;               // that were taken
    int                offered;                 // decisions that were taken before the operation was offered
    logic              waits;                   // the operation was offered in the cycle before, and not taken
    logic [SEQ_W-1:0]  next_seq;            // number of the next decision
    int                fills;               // FILLs that were taken
    int                held;                // frames that hold a page and are not leaving
    logic              own_way;          // the driver filled an empty frame without a decision, or a CANCEL ahead is unsure
    logic              flushed;          // bit go of cfg_flush in the cycle before
    logic              flushing;         // a flush may be under way, which forgets the pages that arrived
    logic [FRAME_W:0]  was_frames;          // cfg_frames in the cycle before
    logic [1:0]        calm;             // cycles for which the unit has been quiet and nothing came

    // ======== rules: which applied in the cycle before, which were broken
    typedef enum int {
        HIT_FILLED, HIT_MAPPED, REPLAY_FAULTED, FAULT_IN_TIME,
        ANSWERED, FILL_HELD, FILL_OTHERS, FILL_ONE_FRAME, FILL_GOING, ONE_TIER, CANCEL_ASKED, CANCEL_FRAME, CANCEL_AHEAD,
        SLOT_LEAVING, SLOT_EMPTY, SWAP_ASKED, SLOT_CANCEL,
        DEC_SEQ, DEC_ASKED, DEC_ONCE, DEC_BOUND, DEC_CREDIT, DEC_LATE, VICTIM_HELD, VICTIM_PIN, RISE_HELD, LEAVER_HELD
    } rule_t;
    logic [LEAVER_HELD:0]   seen, bad;       // registers
    logic [LEAVER_HELD:0]   v_seen, v_bad;       // of this cycle
    logic [FRAME_W-1:0] walk_frame, drv_frame, dec_frame, late_frame; // of the beats of the cycle before, for messages
    page_t              walk_page, drv_page, dec_page, late_page;
    function automatic void rule(input int which, input logic holds);
        v_seen[which] = 1'b1;
        if (!holds) v_bad[which] = 1'b1;
    endfunction

    // The page of F is not there any more.
    function automatic void unmap(input logic [FRAME_W-1:0] f);
        if (frame_of.exists(page[f]) != 0)
            if (frame_of[page[f]] == f) frame_of.delete(page[f]);
        if (too_late.exists(page[f]) != 0) too_late.delete(page[f]);
    endfunction
    // An operation on F is taken.
    function automatic void touch(input logic [FRAME_W-1:0] f);
        twice[f]   = changed[f] == decisions;
        changed[f] = decisions;
        unsure[f]  = 1'b0;
    endfunction
    function automatic void pin(input logic [FRAME_W-1:0] f, input logic to);
        if (to && !pinned[f]) pinned_at[f] = decisions;
        pins      = pins + (to ? 1 : 0) - (pinned[f] ? 1 : 0);
        pinned[f] = to;
    endfunction
    function automatic void set(input logic [FRAME_W-1:0] f, input place_t to);
        held     = held + (to == HELD ? 1 : 0) - (state[f] == HELD ? 1 : 0);
        state[f] = to;
    endfunction
    function automatic void ends(input page_t p); // the decision of P
        if (decided.exists(p) != 0) begin
            decided.delete(p);
            goes.delete(p);
            swaps.delete(p);
            victim_of.delete(p);
        end
    endfunction
    function automatic void empty_slot(input logic [T2_W-1:0] s);
        if (slot_of.exists(slot_page[s]) != 0)
            if (slot_of[slot_page[s]] == s) slot_of.delete(slot_page[s]);
        if (slot[s] == HELD) moved[slot_page[s]] = s;
        slot[s] = EMPTY;
    endfunction
    function automatic void put_slot(input logic [T2_W-1:0] s, input page_t p);
        empty_slot(s);
        slot[s]      = HELD;
        slot_page[s] = p;
        slot_of[p]   = s;
    endfunction

    // ======== a decision is taken
    function automatic void decision(input page_t p, input page_t v, input page_t t, input logic [FRAME_W-1:0] f, input logic [T2_W-1:0] s,
                                     input logic [1:0] tier, input logic for_none, input logic rises, input logic swap, input logic t2_valid);
        logic victim, recent;
        victim = tier == TIER_2[1:0] || tier == TIER_3[1:0];
        if (!for_none) begin
            rule(DEC_ASKED, asks.exists(p) != 0);
            if (asks.exists(p) != 0) begin
                asks[p] = asks[p] - 1;
                if (asks[p] == 0) asks.delete(p);
            end
            rule(DEC_ONCE, decided.exists(p) == 0);
            if (LATE != 0 && tier != TIER_NONE[1:0] && fills != 0) begin
                rule(DEC_LATE, 1'b1);
                if (frame_of.exists(p) != 0)
                    if (arrived[frame_of[p]] && state[frame_of[p]] == HELD && changed[frame_of[p]] < decisions && !unsure[frame_of[p]] &&
                        {1'b0, frame_of[p]} < cfg_frames)
                        rule(DEC_LATE, fills - filled[frame_of[p]] >= LATE);
            end
            if (tier != TIER_NONE[1:0]) begin
                decided[p] = decisions + 1;
                goes[p]    = {victim, f};
                swaps[p]   = swap;
                victim_of[p] = v;
                if (PATIENCE != 0) begin
                    order_page.push_back(p);
                    order_number.push_back(decisions + 1);
                    order_at.push_back(now);
                end
                rule(DEC_BOUND, decided.num() <= FAULTS);
            end
        end
        if (victim && {1'b0, f} < cfg_frames) begin
            recent = changed[f] == decisions && used[f];
            if (!recent) rule(VICTIM_HELD, used[f] && page[f] == v && (state[f] == HELD || unsure[f]));
            else if (!twice[f]) rule(VICTIM_HELD, page[f] == v || (used_prior[f] && prior[f] == v));
            if (pins != 0) rule(VICTIM_PIN, !pinned[f] || pinned_at[f] >= decisions);
            if (state[f] == HELD && page[f] == v) begin
                set(f, LEAVING);
                ahead[f]   = for_none;
                to_2[f]    = tier == TIER_2[1:0];
                again[f]   = 1'b0;
                if (decided.exists(coming[f]) != 0)
                    if (coming[f] != p && goes[coming[f]] == {1'b1, f}) again[f] = 1'b1;
                earlier[f] = coming[f];
                coming[f]  = p;
                named[f]   = decisions + 1;
                named_at[f] = now;
                arrived[f] = 1'b0;
                pin(f, 1'b0);
                unsure[f]  = 1'b0;
            end
        end
        if (!for_none && tier == TIER_FREE[1:0] && !own_way) rule(DEC_CREDIT, held + decided.num() <= int'(cfg_frames));
        if (rises) begin
            rule(RISE_HELD, moved.exists(p) != 0);
            if (slot_of.exists(p) != 0) begin
                if (slot[slot_of[p]] == HELD) v_bad[RISE_HELD] = 1'b0;
                slot[slot_of[p]] = RISING;
            end
        end
        if (t2_valid && {1'b0, s} < cfg_t2_slots) begin
            rule(LEAVER_HELD, slot[s] == HELD && slot_page[s] == t);
            if (moved.exists(t) != 0)
                if (moved[t] == s) v_bad[LEAVER_HELD] = 1'b0;
            if (slot[s] == HELD && slot_page[s] == t) begin
                slot[s] = LEAVING;
                slot_of.delete(t);
            end
        end
        moved.delete();
        decisions = decisions + 1;
    endfunction

    // ======== an operation is taken
    // FILL, or the half of T2_SWAP that fills
    function automatic void fill(input page_t p, input logic [FRAME_W-1:0] f);
        logic asked, own;
        logic [FRAME_W-1:0] g;
        asked = decided.exists(p) != 0;
        own   = state[f] == HELD && page[f] == p;
        if (!own && !unsure[f]) begin
            rule(FILL_HELD, state[f] != HELD); // a CANCEL that met the decision may have ended that the victim leaves
            if (asked && state[f] == HELD)
                if (goes[p] == {1'b1, f} && page[f] == victim_of[p]) v_bad[FILL_HELD] = 1'b0;
        end
        if (state[f] == LEAVING && !ahead[f]) rule(FILL_OTHERS, coming[f] == p || page[f] == p);
        if (frame_of.exists(p) != 0) begin
            g = frame_of[p];
            if (g != f && state[g] == HELD && !unsure[g]) rule(FILL_ONE_FRAME, 1'b0);
            else rule(FILL_ONE_FRAME, 1'b1);
            if (g != f && state[g] == LEAVING && asked) rule(FILL_GOING, named[g] < decided[p] || named[g] > offered);
        end else rule(FILL_ONE_FRAME, 1'b1);
        if (asked) rule(FILL_GOING, 1'b1);
        if (!asked && !own) own_way = 1'b1;
        ends(p);
        if (used[f] && page[f] != p) begin
            unmap(f);
            prior[f]      = page[f];
            used_prior[f] = 1'b1;
        end
        touch(f);
        set(f, HELD);
        page[f]     = p;
        used[f]     = 1'b1;
        pin(f, 1'b0);
        fills       = fills + 1;
        filled[f]   = fills;
        arrived[f]  = !flushing;
        frame_of[p] = f;
    endfunction
    function automatic void empty(input logic [FRAME_W-1:0] f);
        unmap(f);
        touch(f);
        set(f, EMPTY);
        pin(f, 1'b0);
        arrived[f] = 1'b0;
    endfunction
    function automatic void cancel(input page_t p, input logic [FRAME_W-1:0] f, input logic for_none);
        if (for_none) begin
            rule(CANCEL_AHEAD, (state[f] == LEAVING && ahead[f]) || unsure[f]);
            own_way = 1'b1;
        end else begin
            // a FILL of the driver's own accord may have ended the decision before the driver looked into its page table (rule 7)
            rule(CANCEL_ASKED, decided.exists(p) != 0 || frame_of.exists(p) != 0);
            if (frame_of.exists(p) != 0 && too_late.exists(p) != 0)
                if (state[frame_of[p]] == HELD) rule(FAULT_IN_TIME, !too_late[p]);
            // the frame of this decision, while its victim is there; else one that is leaving for no other page
            if (decided.exists(p) != 0) begin
                if (goes[p][FRAME_W] && state[goes[p][FRAME_W-1:0]] == LEAVING && coming[goes[p][FRAME_W-1:0]] == p) begin
                    rule(CANCEL_FRAME, goes[p][FRAME_W-1:0] == f || again[goes[p][FRAME_W-1:0]]);
                    if (again[goes[p][FRAME_W-1:0]]) coming[goes[p][FRAME_W-1:0]] = earlier[goes[p][FRAME_W-1:0]];
                end else rule(CANCEL_FRAME, state[f] != LEAVING || page[f] == p || named[f] > offered);
            end
            ends(p);
        end
        if (state[f] == LEAVING) begin
            touch(f);
            set(f, HELD);
            filled[f]         = fills;
            frame_of[page[f]] = f;
            unsure[f]         = for_none;
        end
    endfunction
    function automatic void operation(input logic [3:0] op, input page_t p, input logic [FRAME_W-1:0] f, input logic [T2_W-1:0] s,
                                      input logic in_tiers, input logic t2, input logic for_none);
        logic in_frame, in_slot, slot_fits;
        page_t leaver;
        in_frame  = {1'b0, f} < cfg_frames;
        in_slot   = T2_SLOTS != 0 && {1'b0, s} < cfg_t2_slots;
        slot_fits = in_slot && slot[s] != EMPTY && slot_page[s] == p;
        case (op)
            OP_FILL: if (in_frame) begin
                fill(p, f);
                if (in_tiers) rule(ONE_TIER, slot_of.exists(p) == 0 || (t2 && slot_fits));
                if (t2 && slot_fits) empty_slot(s);
            end
            OP_FREE: if (in_frame) empty(f);
            OP_PIN: if (in_frame) pin(f, 1'b1);
            OP_UNPIN: if (in_frame) pin(f, 1'b0);
            OP_CANCEL: if (in_frame) begin
                cancel(p, f, for_none);
                if (t2 && slot_fits && slot[s] == RISING) slot[s] = HELD;
            end
            OP_ASK: asks[p] = asks.exists(p) != 0 ? asks[p] + 1 : 1;
            OP_T2_FILL_DONE: if (in_frame && in_slot) begin
                rule(SLOT_LEAVING, unsure[f] || (state[f] == LEAVING && to_2[f]));
                rule(SLOT_EMPTY, slot[s] == EMPTY || slot[s] == LEAVING);
                put_slot(s, page[f]);
                empty(f);
            end
            OP_T2_FREE: if (in_slot) empty_slot(s);
            OP_T2_CANCEL: if (in_slot) begin
                rule(SLOT_CANCEL, slot[s] == LEAVING);
                if (slot[s] == LEAVING) begin
                    rule(ONE_TIER, frame_of.exists(slot_page[s]) == 0);
                    put_slot(s, slot_page[s]);
                end
            end
            OP_T2_SWAP: if (in_frame && in_slot) begin
                rule(SWAP_ASKED, decided.exists(p) != 0 && swaps[p] && goes[p][FRAME_W-1:0] == f && state[f] == LEAVING
                    && slot[s] == RISING && slot_page[s] == p);
                leaver = page[f];
                fill(p, f);
                put_slot(s, leaver);
            end
            default: ;
        endcase
    endfunction

    // ======== all decisions are looked at, now and then
    function automatic void look();
        while (order_page.size() != 0) begin // the oldest decision without an answer
            if (decided.exists(order_page[0]) != 0)
                if (decided[order_page[0]] == order_number[0]) break;
            void'(order_page.pop_front());
            void'(order_number.pop_front());
            void'(order_at.pop_front());
        end
        if (order_page.size() != 0) begin
            rule(ANSWERED, now - order_at[0] < PATIENCE);
            if (now - order_at[0] >= PATIENCE) {late_page, late_frame} = {order_page[0], goes[order_page[0]][FRAME_W-1:0]};
        end
        for (int f = 0; f < FRAMES; f = f + 1)
            if (state[f] == LEAVING) begin
                rule(ANSWERED, now - named_at[f] < PATIENCE);
                if (now - named_at[f] >= PATIENCE) {late_page, late_frame} = {page[f], FRAME_W'(f)};
            end
    endfunction

    // ======== a walk is taken
    function automatic void walked(input page_t p, input logic [FRAME_W-1:0] f, input logic fault, input logic replay);
        logic here;
        if (fault) begin
            if (frame_of.exists(p) != 0 && !replay)
                if (state[frame_of[p]] == HELD && !unsure[frame_of[p]]) begin // late; or the driver has unmapped the page, and FREE comes
                    if (fills - filled[frame_of[p]] > LATE) too_late[p] = 1'b1;
                    else rule(FAULT_IN_TIME, 1'b1);
                end
            asks[p] = asks.exists(p) != 0 ? asks[p] + 1 : 1;
        end else if ({1'b0, f} < cfg_frames) begin
            here = used[f] && page[f] == p;
            rule(HIT_MAPPED, !((here && state[f] == EMPTY) || (!here && used_prior[f] && prior[f] == p)));
            rule(HIT_FILLED, here || (used_prior[f] && prior[f] == p));
        end
        if (replay) rule(REPLAY_FAULTED, faulted.exists(p) != 0);
        else if (fault) faulted[p] = 1'b1;
    endfunction

    page_t w_page, o_page, d_page;
    assign w_page = {walk[WALK_ASID_O +: ASID_W], walk[WALK_VPN_O +: VPN_W]};
    assign o_page = {drv[DRV_ASID_O +: ASID_W], drv[DRV_VPN_O +: VPN_W]};
    assign d_page = {dec[DECISION_ASID_O +: ASID_W], dec[DECISION_VPN_O +: VPN_W]};
    initial begin
        decisions = 0;
        offered = 0;
        waits = 0;
        next_seq = 0;
        fills = 0;
        held = 0;
        pins = 0;
        now = 0;
        own_way = 0;
        flushed = 0;
        flushing = 0;
        was_frames = 0;
        calm = 0;
        seen = 0;
        bad = 0;
    end
    integer i;
    always @(posedge clk) begin
        v_seen = 0;
        v_bad  = 0;
        if (rst) begin
            for (i = 0; i < FRAMES; i = i + 1) begin
                state[i]       = EMPTY;
                used[i]        = 1'b0;
                used_prior[i] = 1'b0;
                unsure[i]      = 1'b0;
                ahead[i]       = 1'b0;
                to_2[i]        = 1'b0;
                changed[i]     = -1;
                twice[i]       = 1'b0;
                pinned[i]      = 1'b0;
                arrived[i]     = 1'b0;
            end
            for (i = 0; i < SLOTS; i = i + 1) slot[i] = EMPTY;
            frame_of.delete();
            slot_of.delete();
            moved.delete();
            asks.delete();
            too_late.delete();
            decided.delete();
            goes.delete();
            swaps.delete();
            victim_of.delete();
            order_page.delete();
            order_number.delete();
            order_at.delete();
            decisions = 0;
            waits     = 1'b0;
            next_seq  = 0;
            fills     = 0;
            held      = 0;
            pins      = 0;
            own_way   = 1'b0;
            now       = 0;
            flushing  = 1'b0;
            calm      = 2'd0;
        end else begin
            if (!waits) offered = decisions;
            waits = drv_offered && !drv_valid;
            if (dec_valid) begin
                rule(DEC_SEQ, dec[DECISION_SEQ_O +: SEQ_W] == next_seq);
                next_seq = dec[DECISION_SEQ_O +: SEQ_W] + 1'b1;
                decision(d_page, {dec[DECISION_V_ASID_O +: ASID_W], dec[DECISION_V_VPN_O +: VPN_W]},
                         {dec[DECISION_T2_ASID_O +: ASID_W], dec[DECISION_T2_VPN_O +: VPN_W]}, dec[DECISION_FRAME_O +: FRAME_W],
                         dec[DECISION_T2_SLOT_O +: T2_W], dec[DECISION_TIER_O +: 2], dec[DECISION_AHEAD_O], dec[DECISION_RISE_O],
                         dec[DECISION_SWAP_O], dec[DECISION_T2_VALID_O]);
            end
            if (drv_valid)
                operation(drv[DRV_OP_O +: 4], o_page, drv[DRV_FRAME_O +: FRAME_W], drv[DRV_SLOT_O +: T2_W],
                          T2_SLOTS != 0 && cfg_tier != PLACE_NONE, drv[DRV_T2_O] && T2_SLOTS != 0 && cfg_tier != PLACE_NONE, drv[DRV_AHEAD_O]);
            if (walk_valid) walked(w_page, walk[WALK_FRAME_O +: FRAME_W], walk[WALK_FAULT_O], walk[WALK_REPLAY_O]);
            if (cfg_flush[0] && !flushed) begin
                flushing = 1'b1;
                for (i = 0; i < FRAMES; i = i + 1) arrived[i] = 1'b0;
            end
            if (cfg_frames != was_frames) own_way = 1'b1;
            if (PATIENCE != 0 && now % 1024 == 0) look();
            now = now + 1;
            calm = quiet && !walk_valid && !drv_valid && !dec_valid ? {calm[0], 1'b1} : 2'd0;
            if (calm == 2'd3) begin
                asks.delete();
                flushing = 1'b0;
            end
        end
        flushed    = cfg_flush[0];
        was_frames = cfg_frames;
        seen       <= v_seen;
        bad        <= v_bad;
        walk_page  <= w_page;
        walk_frame <= walk[WALK_FRAME_O +: FRAME_W];
        drv_page   <= o_page;
        drv_frame  <= drv[DRV_FRAME_O +: FRAME_W];
        dec_page   <= d_page;
        dec_frame  <= dec[DECISION_FRAME_O +: FRAME_W];
    end

    // ======== the rules
    localparam string WALKER = "the walker", DRIVER = "the driver", MAPPED = "the driver's page table, or a walker that changes the order of a page's walks";
    localparam string ORDER = "docs/guide/integration.md#order-rules-of-walker-and-driver", DRIVING = "docs/guide/integration.md#the-driver";
    localparam string TIERS = "docs/guide/integration.md#three-tiers", AHEAD = "docs/guide/integration.md#frames-ahead-of-need";
    localparam string UNIT = "docs/reference/blocks/fault_unit.md#decisions", PLACES = "docs/reference/blocks/tier_place.md#actions";
`define GMMU_ORDER(KIND, NAME, RULE, WHO, SAYS, SEE, PAGE, FRAME) \
    `GMMU_RULE(KIND, NAME, rst, seen[RULE], !bad[RULE], WHO, $sformatf("%s (page %h, frame %0d)", SAYS, $sampled(PAGE), $sampled(FRAME)), SEE)
`define GMMU_WALK(NAME, RULE, WHO, SAYS, SEE) `GMMU_ORDER(`GMMU_ASSUME, NAME, RULE, WHO, SAYS, SEE, walk_page, walk_frame)
`define GMMU_DRIVES(NAME, RULE, SAYS, SEE) `GMMU_ORDER(`GMMU_ASSUME, NAME, RULE, DRIVER, SAYS, SEE, drv_page, drv_frame)
`define GMMU_DECIDES(NAME, RULE, SAYS, SEE) `GMMU_ORDER(assert, NAME, RULE, "the unit", SAYS, SEE, dec_page, dec_frame)
    `GMMU_WALK(hit_filled, HIT_FILLED, MAPPED, "rule 1: a hit of a page in a frame into which no FILL brought the page", ORDER)
    `GMMU_WALK(hit_mapped, HIT_MAPPED, MAPPED, "rule 2: a hit of a page that has left the frame by FREE, T2_FILL_DONE or FILL of another page", ORDER)
    `GMMU_WALK(replay_faulted, REPLAY_FAULTED, WALKER, "rule 3: a replay of a page that did not fault before", ORDER)
    `GMMU_ORDER(`GMMU_ASSUME, fault_in_time, FAULT_IN_TIME, WALKER,
        "rule 6: a fault of the page came more than LATE FILLs after the page's FILL, and was decided again", ORDER, drv_page, drv_frame)
    `GMMU_DRIVES(fill_one_frame, FILL_ONE_FRAME, "rule 7: FILL of a page that another frame holds", ORDER)
    `GMMU_DRIVES(fill_going, FILL_GOING, "rule 9: FILL of a page that a later decision names as victim", ORDER)
    `GMMU_DRIVES(one_tier, ONE_TIER,
        "a page in a frame and in a slot: FILL without t2 of a page that a slot holds, or T2_CANCEL of a slot whose page is in a frame", TIERS)
    `GMMU_DRIVES(fill_held, FILL_HELD, "FILL into a frame that holds another page, which no decision named",
        "docs/guide/integration.md#a-rule-of-fill")
    `GMMU_DRIVES(fill_others, FILL_OTHERS, "FILL into a frame whose victim leaves for another page", DRIVING)
    `GMMU_ORDER(`GMMU_ASSUME, dec_answered, ANSWERED, DRIVER, "a decision, or a frame whose victim leaves, has no answer for PATIENCE cycles",
        DRIVING, late_page, late_frame)
    `GMMU_DRIVES(cancel_asked, CANCEL_ASKED, "CANCEL of a page that is not there, without a decision that waits for its answer", DRIVING)
    `GMMU_DRIVES(cancel_frame, CANCEL_FRAME, "CANCEL of another frame than the decision's, or of a frame that leaves for another page", DRIVING)
    `GMMU_DRIVES(cancel_ahead, CANCEL_AHEAD, "CANCEL with ahead of a frame that does not leave ahead of need", AHEAD)
    `GMMU_DRIVES(slot_leaving, SLOT_LEAVING, "T2_FILL_DONE of a frame that does not leave for Tier 2", TIERS)
    `GMMU_DRIVES(slot_empty, SLOT_EMPTY, "T2_FILL_DONE into a slot that holds a page", TIERS)
    `GMMU_DRIVES(slot_cancel, SLOT_CANCEL, "T2_CANCEL of a slot whose page does not leave", TIERS)
    `GMMU_DRIVES(swap_asked, SWAP_ASKED, "T2_SWAP that answers no decision with swap, or rule 10: whose frame is empty", TIERS)
    `GMMU_DECIDES(dec_seq, DEC_SEQ, "a decision's seq does not follow the one before", UNIT)
    `GMMU_DECIDES(dec_asked, DEC_ASKED, "a decision of a page for which no fault or ASK waits", UNIT)
    `GMMU_DECIDES(dec_once, DEC_ONCE, "a second decision of a page whose decision waits for its answer", UNIT)
    `GMMU_DECIDES(dec_bound, DEC_BOUND, "more than FAULTS decisions wait for their answers", UNIT)
    `GMMU_DECIDES(dec_credit, DEC_CREDIT, "FREE, and no frame is free: pages held and pages promised are more than cfg_frames",
        "docs/reference/blocks/fault_unit.md#credit")
    `GMMU_DECIDES(dec_late, DEC_LATE, "a late fault is decided: the page arrived at most LATE FILLs ago, and is there",
        "docs/reference/blocks/fault_queue.md#actions")
    `GMMU_DECIDES(victim_held, VICTIM_HELD, "a victim that is not in its frame, or leaves already", UNIT)
    `GMMU_DECIDES(victim_pin, VICTIM_PIN, "a victim in a pinned frame", UNIT)
    `GMMU_DECIDES(rise_held, RISE_HELD, "rise of a page that no slot holds, or that rises already", PLACES)
    `GMMU_DECIDES(leaver_held, LEAVER_HELD, "a page leaves a slot that does not hold the page", PLACES)
endmodule
/* verilator lint_on BLKSEQ */
/* verilator lint_on UNUSED */
`default_nettype wire
