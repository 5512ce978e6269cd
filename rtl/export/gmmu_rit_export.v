// SPDX-License-Identifier: Apache-2.0
// gmmu_rit_export: batches of records for the RIMM host (docs/blocks/rit_export.md).
//
// Takes, in each cycle, a side record and the walk's event, in this order; a word of the queue holds
// what came in one cycle, and `waiting` counts records. SEND closes a batch: its records belong to
// the packet at once and leave while the next ones gather. A full queue drops and counts.
//
//   stage e0: will a SEND go before?     e1: SEND, count; read the names     e2: push     queue: 2 * RITQ words
//
//   packet: {seq, n, dropped, time}, n records, the last one with m_tlast
`default_nettype none
module gmmu_rit_export #(
    parameter VPN_W   = 20,
    parameter ASID_W  = 2,
    parameter REF_W   = 16,
    parameter TIME_W  = 20,
    parameter CLASSES = 8,
    parameter GEN_W   = 4,
    // records that wait; a power of two, 4 to 128
    parameter RITQ    = 32,
    // 1: a record, or a name, that turned bad is told and left out
    parameter PARITY  = 1,
    // derived, not to be set
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter CLASS_W = ROW_W + GEN_W,
    parameter REC_BITS  = 3 + ASID_W + REF_W + TIME_W, // record part of a beat
    parameter BEAT_BITS = REC_BITS + 2 + ASID_W + VPN_W + REF_W + TIME_W,
    parameter HEAD_BITS = 40 + TIME_W,
    parameter RIT_BITS  = BEAT_BITS > HEAD_BITS ? BEAT_BITS : HEAD_BITS
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [7:0]         cfg_batch, // 0: nothing is taken; a cycle later than the rest
    input  wire               cfg_fault,
    input  wire [3:0]         cfg_wait,
    input  wire [TIME_W-1:0]  now,       // time before this cycle's walk
    // a record of the side port or of a SCRUB: censored
    input  wire               side_valid,
    input  wire [CLASS_W-1:0] side_class,
    input  wire [TIME_W-1:0]  side_age,
    // the walk of this cycle, and its record
    input  wire               walk_valid, walk_fault,
    input  wire [ASID_W-1:0]  walk_asid,
    input  wire [VPN_W-1:0]   walk_vpn,
    input  wire [REF_W-1:0]   walk_ref,
    input  wire               walk_alloc, // its reference was given a row
    input  wire               walk_gone,  // or: a row was given to nobody; without walk_alloc
    input  wire [CLASS_W-1:0] walk_class, // that row, and its generation from now on
    input  wire               rec_valid,  // only with walk_valid
    input  wire [CLASS_W-1:0] rec1_class, // a cycle later
    input  wire [TIME_W-1:0]  rec1_interval, // a cycle later
    input  wire               rec_censored,
    // packets
    output wire [RIT_BITS-1:0] m_tdata,
    output reg                m_tvalid,
    output reg                m_tlast,
    input  wire               m_tready,
    output wire               idle,       // no batch is due or leaving
    output wire               rests,      // and no record waits: nothing happens without an input
    output reg                turned,     // PARITY: over with each record or name that had turned bad
    output reg  [31:0]        stat_drops,
    // in the order SEND, side, walk: SEND goes before this cycle's side record and walk; what became of
    // those of the cycle before: 0 none, 1 queued, 2 dropped
    output wire               tvi_send,
    output wire [1:0]         tvi_side, tvi_walk
);

    localparam A      = $clog2(RITQ);
    localparam ID_W   = ASID_W + REF_W; // ref, asid
    localparam NAME_W = GEN_W + ID_W;
    localparam SIDE_W = 1 + ID_W + TIME_W; // known, asid, ref, age
    localparam WALK_W = REC_BITS + 1 + ASID_W + VPN_W + REF_W;
    localparam WORD_W = 2 + TIME_W + SIDE_W + WALK_W;
    localparam WAIT_W = 16;
    localparam RITQ_W = A + 1; // an address of the queue
    localparam P      = PARITY != 0 ? 1 : 0;
    localparam NAMES_W = 2 * (ID_W + 1);
    localparam LATE_W = NAMES_W + 2 * P; // PARITY: {of what follows, of the word's first part, names}

    generate
        if (RITQ < 4 || RITQ > 128 || (RITQ & (RITQ - 1)) != 0) begin : g_bad
            RITQ_must_be_a_power_of_two_from_4_to_128 stop_here();
        end
    endgenerate

    // ======== e0: what comes
    reg        on;
    reg  [A:0] batch;
    reg  [WAIT_W-1:0] wait_bits; // the wait is over when one of these is 1
    wire side_new  = on && side_valid;
    wire fault_new = walk_fault && cfg_fault;
    wire walk_new  = on && walk_valid && (rec_valid || fault_new);

    // ======== e1: what is taken, and what is dropped
    reg        e_side, e_walk, e_fault;
    reg  [A:0] waiting;   // records in no batch yet
    reg        last;      // there is room for one more
    // waiting - most; below 0: the batch is not full. Wrong in the cycle after a SEND, so that `due` is in the
    // one after that: the packet's header has not left by then
    reg  [A:0] over;
    reg  [A:0] most;      // `batch` as it was when `over` was made
    reg        one;       // it was 1
    reg        flush;     // a fault is among them
    wire       busy;      // a packet is leaving
    reg  [WAIT_W-1:0] waited; // cycles since records wait, or since the last SEND
    reg        due, send;
    wire       partial  = over[A];
    wire       none     = waiting[A]; // no room
    wire       due_now  = !partial || flush || (waited & wait_bits) != 0;
    wire       send_now = due && !busy && !send;
    wire [A:0] n        = partial ? waiting : most;
    wire [A:0] left     = !send ? waiting : partial ? {A+1{1'b0}} : over;

    // a SEND makes room for one record at least, for both unless it takes one of RITQ
    wire side_put = e_side && (send || !none);
    wire walk_put = e_walk && !(send ? e_side && none && one : none || (e_side && last));
    localparam [A:0] LAST = RITQ[A:0] - 1'b1, TWO = 2;
    wire [A:0] more_wait = {{A-1{1'b0}}, side_put && walk_put, side_put != walk_put};

    reg  [1:0]  lost;    // in the cycle before
    reg  [15:0] dropped; // since the last SEND, without `lost`
    wire [16:0] dropped_sum = {1'b0, dropped} + {15'd0, lost};
    wire [15:0] dropped_now = dropped_sum[16] ? 16'hFFFF : dropped_sum[15:0];
    always @(posedge clk) begin
        on         <= cfg_batch != 0;
        batch      <= cfg_batch != 0 && cfg_batch <= RITQ[7:0] ? cfg_batch[A:0] : RITQ[A:0];
        wait_bits  <= {WAIT_W{1'b1}} << cfg_wait;
        e_side     <= side_new;
        e_walk     <= walk_new;
        waiting    <= left + more_wait;
        last       <= side_put && walk_put ? left == LAST - TWO : side_put != walk_put ? left == LAST - 1'b1 : left == LAST;
        over       <= waiting - batch + more_wait;
        most       <= batch;
        one        <= batch == 1;
        flush      <= (flush && !(send && (partial || over == 0))) || (walk_put && e_fault);
        // it stands still at the longest wait
        waited     <= send || waiting == 0 ? {WAIT_W{1'b0}} : waited + {{WAIT_W-1{1'b0}}, !waited[WAIT_W-1]};
        due        <= due_now;
        send       <= send_now;
        lost       <= {1'b0, e_side && !side_put} + {1'b0, e_walk && !walk_put};
        dropped    <= send ? 16'd0 : dropped_now;
        stat_drops <= stat_drops + {30'd0, lost};
        if (rst) begin
            e_side     <= 1'b0;
            e_walk     <= 1'b0;
            waiting    <= 0;
            last       <= 1'b0;
            over       <= {A+1{1'b1}};
            flush      <= 1'b0;
            waited     <= 0;
            due        <= 1'b0;
            send       <= 1'b0;
            lost       <= 2'd0;
            dropped    <= 16'd0;
            stat_drops <= 32'd0;
        end
    end

    // ---- what came, a cycle later: of whom the record is, is known last. What did not come is 0: a word's parity covers it
    reg               c_rec, c_censored, c_alloc, c_gone;
    reg [CLASS_W-1:0] c_side_class, c_walk_class;
    reg [TIME_W-1:0]  c_age, c_now;
    reg [ASID_W-1:0]  c_asid;
    reg [VPN_W-1:0]   c_vpn;
    reg [REF_W-1:0]   c_ref;
    always @(posedge clk) begin
        {c_rec, c_censored, c_gone} <= {rec_valid, rec_censored, walk_gone};
        c_alloc <= !rst && (walk_gone || (walk_valid && walk_alloc));
        {c_side_class, c_age}   <= side_valid ? {side_class, side_age} : {CLASS_W + TIME_W{1'b0}};
        {c_asid, c_vpn, c_ref}  <= walk_valid ? {walk_asid, walk_vpn, walk_ref} : {ASID_W + VPN_W + REF_W{1'b0}};
        {c_walk_class, c_now}   <= {walk_class, now};
    end

    // ---- names of the rows. An allocation is written a cycle late: the side record of its cycle
    // still sees the row as it was, the walk's record the new one.
    reg                p_valid;
    reg  [ROW_W-1:0]   p_row;
    reg  [NAME_W-1:0]  p_name;
    wire [ROW_W-1:0]   side_row = c_side_class[GEN_W +: ROW_W];
    wire [ROW_W-1:0]   rec_row  = rec1_class[GEN_W +: ROW_W];
    wire [ROW_W-1:0]   walk_row = c_walk_class[GEN_W +: ROW_W];
    wire [NAME_W-1:0]  new_name = {c_walk_class[GEN_W-1:0], c_gone ? {REF_W + ASID_W{1'b0}} : {c_ref, c_asid}};
    wire [NAME_W+P-1:0] side_ram, rec_ram, p_kept;
    gmmu_ram_sdp #(
        .WIDTH(NAME_W + P),
        .DEPTH(CLASSES)
    ) side_names (
        .clk(clk),
        .we(p_valid),
        .waddr(p_row),
        .wdata(p_kept),
        .re(e_side),
        .raddr(side_row),
        .rdata(side_ram)
    );
    gmmu_ram_sdp #(
        .WIDTH(NAME_W + P),
        .DEPTH(CLASSES)
    ) rec_names (
        .clk(clk),
        .we(p_valid),
        .waddr(p_row),
        .wdata(p_kept),
        .re(e_walk),
        .raddr(rec_row),
        .rdata(rec_ram)
    );

    // ======== e2: the records, into the queue
    reg               q_side, q_walk, q_side_put, q_walk_put;
    reg               q_rec, q_censored, q_fault, q_side_by, q_rec_by;
    reg [CLASS_W-1:0] q_side_class, q_rec_class;
    reg [TIME_W-1:0]  q_age, q_interval, q_now;
    reg [ASID_W-1:0]  q_asid;
    reg [VPN_W-1:0]   q_vpn;
    reg [REF_W-1:0]   q_ref;
    reg [NAME_W-1:0]  q_side_name, q_rec_name;
    reg               q_par;
    always @(posedge clk) begin
        e_fault <= fault_new;
        p_valid <= c_alloc && !rst;
        if (c_alloc) begin
            p_row  <= walk_row;
            p_name <= new_name;
        end
        {q_side, q_walk, q_side_put, q_walk_put} <= rst ? 4'd0 : {e_side, e_walk, side_put, walk_put};
        q_side_class <= c_side_class;
        q_age        <= c_age;
        q_side_by    <= p_valid && p_row == side_row;
        q_side_name  <= p_name;
        q_now        <= c_now;
        q_rec        <= c_rec;
        q_censored   <= c_censored;
        q_par        <= ^{c_now, c_age, c_ref, c_vpn, c_asid, e_fault, c_rec && c_censored, c_rec};
        q_fault      <= e_fault;
        q_rec_class  <= rec1_class;
        q_interval   <= rec1_interval;
        q_asid       <= c_asid;
        q_vpn        <= c_vpn;
        q_ref        <= c_ref;
        q_rec_by     <= (c_alloc && walk_row == rec_row) || (p_valid && p_row == rec_row);
        q_rec_name   <= c_alloc && walk_row == rec_row ? new_name : p_name;
    end
    wire [NAME_W-1:0] side_name = q_side_by ? q_side_name : side_ram[NAME_W-1:0];
    wire [NAME_W-1:0] rec_name  = q_rec_by ? q_rec_name : rec_ram[NAME_W-1:0];
    wire side_named = q_side_class[GEN_W +: ROW_W] != 0 &&
                      side_name[ID_W +: GEN_W] == q_side_class[GEN_W-1:0];
    wire rec_named  = q_rec && q_rec_class[GEN_W +: ROW_W] != 0 &&
                      rec_name[ID_W +: GEN_W] == q_rec_class[GEN_W-1:0];
    // a name that turned bad is not known
    wire side_odd   = PARITY != 0 && !q_side_by && ^side_ram;
    wire rec_odd    = PARITY != 0 && !q_rec_by && ^rec_ram;
    wire side_known = side_named && !side_odd;
    wire rec_known  = rec_named && !rec_odd;

    // ======== e3: names, and whether they are known, come late: they are written a cycle after the rest of their word,
    // where a name that is not known is 0
    reg              r_push, r_side_known, r_rec_known, r_par;
    reg  [RITQ_W-1:0] r_at;
    reg  [ID_W-1:0]  r_side_id, r_rec_id;
    reg              side_met, rec_met; // a bad name, in the cycle before
    wire              push  = q_side_put || q_walk_put;
    localparam Q = RITQ_W;
    reg  [Q:0]        wp, rp;  // one bit more than the address: equal means nothing to read
    wire [LATE_W-1:0] late;
    always @(posedge clk) begin
        r_push       <= push && !rst;
        r_at         <= wp[RITQ_W-1:0];
        r_side_known <= side_known;
        r_rec_known  <= rec_known;
        r_side_id    <= side_name[ID_W-1:0];
        r_rec_id     <= rec_name[ID_W-1:0];
        r_par        <= q_par ^ ^(q_rec ? q_interval : {TIME_W{1'b0}});
        side_met     <= q_side && side_named && side_odd;
        rec_met      <= q_walk && rec_named && rec_odd;
    end

    // ======== queue: what waits (at most RITQ records) and what is leaving (at most RITQ). A word goes from
    // the RAM's output to `word`, or to `next` while that stands still; so m_tready decides no read.
    reg               ram_valid, next_valid, word_valid;
    // PARITY: what a word holds, {walk, side}, stands in it three times: what is counted leaves, whatever turned over
    localparam HOLDS_W = 2 + 4 * P, REST_W = WORD_W - 2 - NAMES_W, FIRST_W = HOLDS_W + REST_W;
    wire [REST_W-1:0]  rest = {q_ref, q_vpn, q_asid, q_fault, q_rec ? q_interval : {TIME_W{1'b0}}, q_rec && q_censored, q_rec, q_age, q_now};
    wire [NAMES_W-1:0] names = {r_rec_id & {ID_W{r_rec_known}}, r_rec_known, r_side_id & {ID_W{r_side_known}}, r_side_known};
    wire [FIRST_W-1:0] first, first_ram;
    wire [LATE_W-1:0]  late_ram;
    reg                is_fresh; // of the word that was read the late part was written in that cycle: `fresh`
    reg  [LATE_W-1:0]  fresh;
    wire [LATE_W+FIRST_W-1:0] ram_word = {is_fresh ? fresh : late_ram, first_ram};
    reg  [LATE_W+FIRST_W-1:0] next;
    wire [LATE_W+FIRST_W-1:0] coming = next_valid ? next : ram_word;
    reg  [LATE_W+REST_W-1:0]  word; // (what it holds: at_side, pair)
    wire [1:0]         holds;
    wire               spoilt;
    wire [HOLDS_W-1:0] kept_holds = coming[REST_W +: HOLDS_W];
    generate
        if (PARITY != 0) begin : g_parity
            assign p_kept = {^p_name, p_name};
            assign first  = {{3{q_walk_put, q_side_put}}, rest};
            assign late   = {^{r_par, names}, r_par, names};
            assign spoilt = ^{word[NAMES_W+REST_W], word[REST_W-1:0]} || ^word[REST_W +: LATE_W]; // each RAM may turn a bit over
            wire [1:0] twice = kept_holds[1:0] & kept_holds[3:2];
            assign holds  = twice | ((kept_holds[1:0] | kept_holds[3:2]) & kept_holds[5:4]);
        end else begin : g_bare
            assign p_kept = p_name;
            assign first  = {q_walk_put, q_side_put, rest};
            assign late   = names;
            assign spoilt = 1'b0;
            assign holds  = kept_holds;
            wire unused_par = r_par;
        end
    endgenerate
    wire              fetch = rp != wp && !(ram_valid && next_valid);
    wire              take; // of the last record of `word`
    wire              load  = take || !word_valid;
    gmmu_ram_sdp #(
        .WIDTH(FIRST_W),
        .DEPTH(2 * RITQ)
    ) queue (
        .clk(clk),
        .we(push),
        .waddr(wp[Q-1:0]),
        .wdata(first),
        .re(fetch),
        .raddr(rp[Q-1:0]),
        .rdata(first_ram)
    );
    gmmu_ram_sdp #(
        .WIDTH(LATE_W),
        .DEPTH(2 * RITQ)
    ) late_queue (
        .clk(clk),
        .we(r_push),
        .waddr(r_at),
        .wdata(late),
        .re(fetch),
        .raddr(rp[Q-1:0]),
        .rdata(late_ram)
    );
    always @(posedge clk) begin
        if (fetch) begin
            is_fresh <= r_push && r_at == rp[Q-1:0];
            fresh    <= late;
        end
        wp         <= wp + {{Q{1'b0}}, push};
        rp         <= rp + {{Q{1'b0}}, fetch};
        ram_valid  <= fetch || (ram_valid && next_valid && !load);
        next_valid <= load ? next_valid && ram_valid : next_valid || ram_valid;
        word_valid <= !load || next_valid || ram_valid;
        if (ram_valid && load == next_valid)
            next <= ram_word;
        if (load && (next_valid || ram_valid))
            word <= {coming[FIRST_W +: LATE_W], coming[REST_W-1:0]};
        if (rst) begin
            wp         <= 0;
            rp         <= 0;
            ram_valid  <= 1'b0;
            next_valid <= 1'b0;
            word_valid <= 1'b0;
        end
    end

    // ======== packets
    reg  [A:0]        to_go;     // records of the packet that have not left
    reg               heading;   // its header comes next
    reg               body;      // its records come next
    reg               at_side;   // of `word` the side record comes next
    reg               pair;      // and the walk's after it
    reg  [15:0]       seq;
    reg  [HEAD_BITS-1:0] head;
    wire [TIME_W-1:0] w_time, w_age;
    wire [1:0]        w_rec; // {censored, there is one}
    wire [WALK_W-4-ID_W:0] w_access; // with its interval
    wire [ID_W:0]     w_side_name, w_rec_name;
    assign {w_rec_name, w_side_name, w_access, w_rec, w_age, w_time} = word[NAMES_W+REST_W-1:0];
    wire [SIDE_W-1:0] w_side = {w_age, w_side_name};
    wire [WALK_W-1:0] w_walk = {w_access, w_rec_name, w_rec};
    wire [TIME_W-1:0] w_walk_time = w_time + 1'b1;
    wire [REC_BITS-1:0] rec_part = at_side ? {w_side, 2'b11} : w_walk[REC_BITS-1:0];
    wire [BEAT_BITS-1:0] beat = {at_side ? w_time : w_walk_time,
                                 at_side ? {WALK_W-REC_BITS{1'b0}} : w_walk[WALK_W-1:REC_BITS], !at_side,
                                 rec_part};
    wire              moves   = !m_tvalid || m_tready;
    wire              closing = to_go == 1;
    wire              step    = moves && body; // a record comes to the port: its word was put before the SEND
    assign take = step && !pair;
    assign busy = heading || body;

    // of a word that turned bad its records leave, so that the packet has its n, but tell nothing: neither a reuse nor an access
    // (whether it is one is known late, and has its part behind the port's register)
    reg                m_spoilt, met; // met: one left, in the cycle before
    reg [TIME_W-1:0]   m_time;
    reg [RIT_BITS-1:0] m_data;
    wire [BEAT_BITS-1:0] blank = {m_time, {BEAT_BITS-TIME_W{1'b0}}};
    wire [RIT_BITS-1:0] head_wide, beat_wide, blank_wide;
    assign m_tdata = m_spoilt ? blank_wide : m_data;
    generate
        if (BEAT_BITS > HEAD_BITS) begin : g_wide
            assign head_wide = {{BEAT_BITS-HEAD_BITS{1'b0}}, head};
            assign {beat_wide, blank_wide} = {beat, blank};
        end else if (BEAT_BITS < HEAD_BITS) begin : g_narrow
            assign head_wide = head;
            assign {beat_wide, blank_wide} = {{HEAD_BITS-BEAT_BITS{1'b0}}, beat, {HEAD_BITS-BEAT_BITS{1'b0}}, blank};
        end else begin : g_even
            assign head_wide = head;
            assign {beat_wide, blank_wide} = {beat, blank};
        end
    endgenerate

    always @(posedge clk) begin
        if (moves) begin
            m_tvalid <= busy;
            heading  <= 1'b0;
            if (heading)
                body <= 1'b1;
            if (busy) begin
                m_tlast <= !heading && closing;
                m_data  <= heading ? head_wide : beat_wide;
                m_spoilt <= !heading && spoilt;
                m_time  <= head[HEAD_BITS-1 -: TIME_W];
            end
        end
        met    <= step && spoilt;
        turned <= !rst && turned != (met || side_met || rec_met);
        if (step) begin
            to_go <= to_go - 1'b1;
            body  <= !closing;
        end
        if (load) begin
            at_side <= holds[0];
            pair    <= holds == 2'b11;
        end else if (step) begin // a packet may end between the two records of a word
            at_side <= 1'b0;
            pair    <= 1'b0;
        end
        if (send) begin
            heading <= 1'b1;
            to_go   <= n;
            head    <= {c_now, dropped_now, {{7-A{1'b0}}, n}, seq};
            seq     <= seq + 1'b1;
        end
        if (rst) begin
            m_tvalid <= 1'b0;
            m_tlast  <= 1'b0;
            heading  <= 1'b0;
            body     <= 1'b0;
            seq      <= 16'd0;
        end
    end

    assign idle     = !e_side && !e_walk && !due_now && !due && !send && !busy && !m_tvalid;
    assign rests    = idle && waiting == 0;
    assign tvi_send = send_now;
    assign tvi_side = {e_side && !side_put, side_put};
    assign tvi_walk = {e_walk && !walk_put, walk_put};

endmodule
`default_nettype wire
