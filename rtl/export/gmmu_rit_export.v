// SPDX-License-Identifier: Apache-2.0
// gmmu_rit_export: sends batches of records to the RIMM host (docs/reference/blocks/rit_export.md).
//
// The block takes a side record and the walk's event in each cycle, in this order. A word of the queue holds the records
// of one cycle, and `waiting` counts records. SEND closes a batch: the records of the batch belong to the packet at once, and
// leave while the next records gather. With a full queue, records are dropped and counted.
//
//   stage e0: will a SEND go before?     e1: SEND, count, push; read the names     e2: names     queue: 2 * RITQ words
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
    // 1: a corrupt record or name is reported and left out
    parameter PARITY  = 1,
    // derived, not to be set
    parameter ROW_W   = CLASSES > 1 ? $clog2(CLASSES) : 1,
    parameter CLASS_W = ROW_W + GEN_W,
    parameter REC_BITS  = 3 + ASID_W + REF_W + TIME_W, // record part of a beat
    parameter BEAT_BITS = REC_BITS + 2 + ASID_W + VPN_W + REF_W + TIME_W,
    parameter HEAD_BITS = 40 + TIME_W,
    parameter RIT_BITS  = BEAT_BITS > HEAD_BITS ? BEAT_BITS : HEAD_BITS
) (
    input  wire                clk,
    input  wire                rst,
    input  wire [7:0]          cfg_batch,     // cfg_rit_batch: records of a batch; 0: no record is taken. In force a cycle later than cfg_fault and cfg_wait
    input  wire                cfg_fault,     // cfg_rit_fault: each fault is sent
    input  wire [3:0]          cfg_wait,      // cfg_rit_wait: log2 of the cycles until a batch is due
    input  wire [TIME_W-1:0]   now,           // time before this cycle's walk
    // a record of the side port or of a SCRUB; always censored
    input  wire                side_valid,    // a side record comes
    input  wire [CLASS_W-1:0]  side_class,    // class of the side record
    input  wire [TIME_W-1:0]   side_age,      // age of the side record
    // the walk of this cycle, and its record
    input  wire                walk_valid,    // a walk takes effect
    input  wire                walk_fault,    // the walk is a fault
    input  wire [ASID_W-1:0]   walk_asid,     // address space of the walk
    input  wire [VPN_W-1:0]    walk_vpn,      // page of the walk
    input  wire [REF_W-1:0]    walk_ref,      // reference of the walk
    input  wire                walk_alloc,    // the walk's reference is given a row
    input  wire                walk_gone,     // a row becomes unowned; never with walk_alloc
    input  wire [CLASS_W-1:0]  walk_class,    // row and generation of walk_alloc or walk_gone
    input  wire                rec_valid,     // the walk has a record; only with walk_valid
    input  wire [CLASS_W-1:0]  rec1_class,    // class of the walk's record, a cycle later
    input  wire [TIME_W-1:0]   rec1_interval, // interval of the walk's record, a cycle later
    input  wire                rec_censored,  // the walk's record is censored
    // packets
    output wire [RIT_BITS-1:0] m_tdata,       // a beat of m_axis_rit
    output reg                 m_tvalid,      // a beat is offered
    output reg                 m_tlast,       // the beat is the last beat of its packet
    input  wire                m_tready,      // the consumer takes the beat
    output wire                idle,          // no batch is due or leaving
    output wire                rests,         // the block is idle and no record waits: the clock may rest
    output reg                 turned,        // PARITY: toggles with each corrupt record or name
    output reg  [31:0]         stat_drops,    // number of dropped records
    // tvi, in the order SEND, side, walk; outcomes are 0 none, 1 queued, 2 dropped
    output wire                tvi_send,      // a SEND goes before this cycle's side record and walk
    output wire [1:0]          tvi_side,      // outcome of the side record of the cycle before
    output wire [1:0]          tvi_walk       // outcome of the walk of the cycle before
);

    localparam A      = $clog2(RITQ);
    localparam ID_W   = ASID_W + REF_W; // {ref, asid}
    localparam NAME_W = GEN_W + ID_W;
    localparam SIDE_W = 1 + ID_W + TIME_W; // known, asid, ref, age
    localparam WALK_W = REC_BITS + 1 + ASID_W + VPN_W + REF_W;
    localparam WORD_W = 2 + TIME_W + SIDE_W + WALK_W;
    localparam WAIT_W = 16;
    localparam RITQ_W = A + 1; // an address of the queue
    localparam P      = PARITY != 0 ? 1 : 0;
    localparam NAMES_W = 2 * (ID_W + 1);
    localparam LATE_W = NAMES_W + 2 * P; // PARITY: {parity of the rest, parity of the word's first part, names}
`ifdef GMMU_ASIC_RAM
    localparam EARLY = 1; // outputs of RAMs are early: the RAM's output is `word`
`else
    localparam EARLY = 0;
`endif

    generate
        if (RITQ < 4 || RITQ > 128 || (RITQ & (RITQ - 1)) != 0) begin : g_bad
            RITQ_must_be_a_power_of_two_from_4_to_128 stop_here();
        end
    endgenerate

    // ======== e0: records that come
    reg               on;                                  // the export is on
    reg  [A:0]        batch;                               // records of a batch, at most RITQ
    reg  [WAIT_W-1:0] wait_bits;                           // the wait is over when a bit of this mask is 1 in `waited`
    wire              side_new  = on && side_valid;        // a side record comes and is to be sent
    wire              fault_new = walk_fault && cfg_fault; // a fault comes and is to be sent
    wire              walk_new  = on && walk_valid && (rec_valid || fault_new); // a walk comes and is to be sent

    // ======== e1: records that are taken, and records that are dropped
    reg       e_side;  // a side record is at e1
    reg       e_walk;  // a walk is at e1
    reg       e_fault; // the walk at e1 is a fault that is sent at once
    reg [A:0] waiting; // records that wait and are in no batch
    reg       last;    // the queue has room for exactly one record
    // late count: `over` is wrong in the cycle after a SEND, and `due` a cycle later. No SEND comes so early: the header of the packet is
    // then still to leave
    reg  [A:0]        over;                                // waiting - most; negative: the batch is not full
    reg  [A:0]        most;                                // `batch`, as used in `over`
    reg               one;                                 // `most` is 1
    reg               flush;                               // a fault is among the waiting records
    wire              busy;                                // a packet is leaving
    reg  [WAIT_W-1:0] waited;                              // cycles since records wait, or since the last SEND
    reg               due;                                 // a batch is due
    reg               send;                                // SEND takes effect
    wire              partial  = over[A];                  // the batch is not full
    wire              none     = waiting[A];               // the queue has no room
    wire              due_now  = !partial || flush || (waited & wait_bits) != 0; // a batch becomes due
    wire              send_now = due && !busy && !send;    // SEND is decided; it takes effect in the next cycle
    wire [A:0]        n        = partial ? waiting : most; // records of the batch
    wire [A:0]        left     = !send ? waiting : partial ? {A+1{1'b0}} : over; // records that wait behind the SEND

    // a SEND makes room for at least one record; the room is for both unless SEND takes one of RITQ records
    wire side_put = e_side && (send || !none); // the side record is queued
    wire walk_put = e_walk && !(send ? e_side && none && one : none || (e_side && last)); // the walk is queued
    localparam [A:0] LAST = RITQ[A:0] - 1'b1, TWO = 2;
    wire [A:0] more_wait = {{A-1{1'b0}}, side_put && walk_put, side_put != walk_put}; // records queued in this cycle

    reg  [1:0]  lost;                                          // records dropped in the cycle before
    reg  [15:0] dropped;                                       // records dropped since the last SEND, without `lost`
    wire [16:0] dropped_sum = {1'b0, dropped} + {15'd0, lost}; // records dropped since the last SEND
    wire [15:0] dropped_now = dropped_sum[16] ? 16'hFFFF : dropped_sum[15:0]; // records dropped since the last SEND, saturating
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
        // `waited` stops at the longest wait
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

    // ---- inputs, a cycle later: the class of the walk's record is known last. Absent fields are 0, because the parity of a word covers them
    reg               c_rec;        // the walk has a record
    reg               c_censored;   // the walk's record is censored
    reg               c_alloc;      // a name of a row is written
    reg               c_gone;       // the row becomes unowned
    reg [CLASS_W-1:0] c_side_class; // class of the side record
    reg [CLASS_W-1:0] c_walk_class; // row and generation that are named
    reg [TIME_W-1:0]  c_age;        // age of the side record
    reg [TIME_W-1:0]  c_now;        // time before the walk
    reg [ASID_W-1:0]  c_asid;       // address space of the walk
    reg [VPN_W-1:0]   c_vpn;        // page of the walk
    reg [REF_W-1:0]   c_ref;        // reference of the walk
    always @(posedge clk) begin
        {c_rec, c_censored, c_gone} <= {rec_valid, rec_censored, walk_gone};
        c_alloc <= !rst && (walk_gone || (walk_valid && walk_alloc));
        {c_side_class, c_age}   <= side_valid ? {side_class, side_age} : {CLASS_W + TIME_W{1'b0}};
        {c_asid, c_vpn, c_ref}  <= walk_valid ? {walk_asid, walk_vpn, walk_ref} : {ASID_W + VPN_W + REF_W{1'b0}};
        {c_walk_class, c_now}   <= {walk_class, now};
    end

    // ---- names of the rows. An allocation is written a cycle late: the side record of its cycle still reads the old
    // name of the row, the walk's record reads the new name.
    reg                 p_valid;                                 // a name is written
    reg  [ROW_W-1:0]    p_row;                                   // row of the written name
    reg  [NAME_W-1:0]   p_name;                                  // the written name
    wire [ROW_W-1:0]    side_row = c_side_class[GEN_W +: ROW_W]; // row of the side record
    wire [ROW_W-1:0]    rec_row  = rec1_class[GEN_W +: ROW_W];   // row of the walk's record
    wire [ROW_W-1:0]    walk_row = c_walk_class[GEN_W +: ROW_W]; // row that is named
    wire [NAME_W-1:0]   new_name = {c_walk_class[GEN_W-1:0], c_gone ? {REF_W + ASID_W{1'b0}} : {c_ref, c_asid}}; // name of that row: {generation, ref, asid}
    wire [NAME_W+P-1:0] side_ram;                                // the RAM's name for the side record
    wire [NAME_W+P-1:0] rec_ram;                                 // the RAM's name for the walk's record
    wire [NAME_W+P-1:0] p_kept;                                  // the written name, with its parity bit
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

    // ======== e1, too: the first part of the word, into the queue
    wire push = side_put || walk_put; // the first part of a word is written

    // ======== e2: the names
    reg               q_side;       // a side record is at e2
    reg               q_walk;       // a walk is at e2
    reg               q_push;       // the word's first part was written
    reg               q_rec;        // the walk has a record
    reg               q_side_by;    // the side record's name is forwarded
    reg               q_rec_by;     // the walk's name is forwarded
    reg [CLASS_W-1:0] q_side_class; // class of the side record
    reg [CLASS_W-1:0] q_rec_class;  // class of the walk's record
    reg [TIME_W-1:0]  q_interval;   // interval of the walk's record
    reg               q_rec_new;    // the forwarded name for the walk's record is the name of this cycle's allocation
    reg [NAME_W-1:0]  q_name;       // p_name, a cycle later: forwarded name for the side record
    reg               q_par;        // parity of the fields at e2, without the interval
    always @(posedge clk) begin
        e_fault <= fault_new;
        p_valid <= c_alloc && !rst;
        if (c_alloc) begin
            p_row  <= walk_row;
            p_name <= new_name;
        end
        {q_side, q_walk, q_push} <= rst ? 3'd0 : {e_side, e_walk, push};
        q_side_class <= c_side_class;
        q_side_by    <= p_valid && p_row == side_row;
        q_name       <= p_name;
        q_rec        <= c_rec;
        q_par        <= ^{c_now, c_age, c_ref, c_vpn, c_asid, e_fault, c_rec && c_censored, c_rec};
        q_rec_class  <= rec1_class;
        q_interval   <= rec1_interval;
        q_rec_by     <= (c_alloc && walk_row == rec_row) || (p_valid && p_row == rec_row);
        q_rec_new    <= c_alloc && walk_row == rec_row;
    end
    wire [NAME_W-1:0] side_name = q_side_by ? q_name : side_ram[NAME_W-1:0]; // name for the side record
    wire [NAME_W-1:0] rec_name  = q_rec_by ? (q_rec_new ? p_name : q_name) : rec_ram[NAME_W-1:0]; // name for the walk's record
    wire side_named = q_side_class[GEN_W +: ROW_W] != 0 &&
                      side_name[ID_W +: GEN_W] == q_side_class[GEN_W-1:0];
    wire rec_named  = q_rec && q_rec_class[GEN_W +: ROW_W] != 0 &&
                      rec_name[ID_W +: GEN_W] == q_rec_class[GEN_W-1:0];
    // a corrupt name is not known
    wire side_odd   = PARITY != 0 && !q_side_by && ^side_ram; // the side record's name is corrupt
    wire rec_odd    = PARITY != 0 && !q_rec_by && ^rec_ram;   // the walk's name is corrupt
    wire side_known = side_named && !side_odd;                // the side record has a reference
    wire rec_known  = rec_named && !rec_odd;                  // the walk's record has a reference

    // ======== e3: names and their validity arrive late: they are written two cycles after the rest of their word, which is read in this
    // cycle at the earliest. A name that is not known is written as 0
    reg               r_push;                          // a late part is written
    reg               r_side_known;                    // the side record has a reference
    reg               r_rec_known;                     // the walk's record has a reference
    reg               r_par;                           // parity of the word's first part
    reg  [RITQ_W-1:0] r_at;                            // place of the late part
    reg  [ID_W-1:0]   r_side_id;                       // reference of the side record
    reg  [ID_W-1:0]   r_rec_id;                        // reference of the walk's record
    reg               side_met;                        // the side record met a corrupt name, a cycle ago
    reg               rec_met;                         // the walk's record met a corrupt name, a cycle ago
    localparam Q = RITQ_W;
    reg  [Q:0]        wp;    // write pointer; one bit more than the address distinguishes full from empty
    reg  [Q:0]        wp_at; // wp, a cycle later: place of the word at e2, which is not read yet
    reg  [Q:0]        rp;    // read pointer
    wire [LATE_W-1:0] late;  // late part of the word: names and parity
    always @(posedge clk) begin
        r_push       <= q_push && !rst;
        r_at         <= wp_at[RITQ_W-1:0];
        r_side_known <= side_known;
        r_rec_known  <= rec_known;
        r_side_id    <= side_name[ID_W-1:0];
        r_rec_id     <= rec_name[ID_W-1:0];
        r_par        <= q_par ^ ^(q_rec ? q_interval : {TIME_W{1'b0}});
        side_met     <= !rst && q_side && side_named && side_odd;
        rec_met      <= !rst && q_walk && rec_named && rec_odd;
    end

    // ======== queue: at most RITQ records that wait, and at most RITQ records that leave. A word goes from the RAM's output to
    // `word`; the RAM's output holds the next word meanwhile. With EARLY the word stays at the RAM's output: the word is read a cycle later
    // than at the earliest, when the word before has left. Both ways `word` is the next word in the same cycle.
    reg word_valid; // `word` holds a word
    // PARITY: a word stores three times which records it holds, {walk, side}: all counted records leave, whatever bit flipped
    localparam HOLDS_W = 2 + 4 * P, REST_W = WORD_W - 2 - NAMES_W, FIRST_W = HOLDS_W + REST_W;
    // first part of a word, without the bits that say which records it holds
    wire [REST_W-1:0] rest = {c_ref, c_vpn, c_asid, e_fault, c_rec ? rec1_interval : {TIME_W{1'b0}}, c_rec && c_censored, c_rec, c_age, c_now};
    // names of both records
    wire [NAMES_W-1:0]        names      = {r_rec_id & {ID_W{r_rec_known}}, r_rec_known, r_side_id & {ID_W{r_side_known}}, r_side_known};
    wire [FIRST_W-1:0]        first;                                     // first part of a word
    wire [FIRST_W-1:0]        first_ram;                                 // the RAM's first part
    wire [LATE_W-1:0]         late_ram;                                  // the RAM's late part
    wire [LATE_W+REST_W-1:0]  word;                                      // the word whose records leave; at_side and pair say which records are left
    wire [1:0]                holds;                                     // the records that the word at the RAM's output holds, {walk, side}
    wire                      spoilt;                                    // `word` is corrupt
    wire [HOLDS_W-1:0]        kept_holds = first_ram[REST_W +: HOLDS_W]; // `holds`, as stored
    generate
        if (PARITY != 0) begin : g_parity
            assign p_kept = {^p_name, p_name};
            assign first  = {{3{walk_put, side_put}}, rest};
            assign late   = {^{r_par, names}, r_par, names};
            assign spoilt = ^{word[NAMES_W+REST_W], word[REST_W-1:0]} || ^word[REST_W +: LATE_W]; // each RAM may flip a bit
            wire [1:0] twice = kept_holds[1:0] & kept_holds[3:2]; // records on which the first two copies agree
            assign holds  = twice | ((kept_holds[1:0] | kept_holds[3:2]) & kept_holds[5:4]);
        end else begin : g_bare
            assign p_kept = p_name;
            assign first  = {walk_put, side_put, rest};
            assign late   = names;
            assign spoilt = 1'b0;
            assign holds  = kept_holds;
            wire unused_par = r_par;
        end
    endgenerate
    wire take;                                         // the last record of `word` leaves
    wire load  = take || !word_valid;                  // `word` takes the next word
    wire fetch;                                        // a word is read from the RAM
    wire came;                                         // `word` is the next word from the next cycle on; only with `load`
    wire at_side;                                      // the side record of `word` comes next
    wire pair;                                         // the walk of `word` comes after the side record
    wire step;                                         // a record goes to the port; its word was pushed before the SEND
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
    generate
        if (EARLY != 0) begin : g_early
            reg [Q:0] wp_read; // wp_at, a cycle later: the late parts of the words before are in the RAM
            reg       half;    // the side record of `word` has left, and its walk has not
            always @(posedge clk) begin
                wp_read <= rst ? {Q+1{1'b0}} : wp_at;
                half    <= !load && (half || step);
            end
            assign fetch   = rp != wp_read && load;
            assign came    = fetch;
            assign word    = {late_ram, first_ram[REST_W-1:0]};
            assign at_side = holds[0] && !half;
            assign pair    = &holds && !half;
        end else begin : g_late
            reg                      ram_valid; // the RAM's output holds a word
            reg                      is_fresh;  // the late part was written while its word was read: `fresh` replaces the RAM's output
            reg [LATE_W-1:0]         fresh;     // late part written in the cycle of the read
            reg [LATE_W+REST_W-1:0]  kept;      // `word`
            reg                      first_one; // `at_side`
            reg                      both;      // `pair`
            always @(posedge clk) begin
                if (fetch) begin
                    is_fresh <= r_push && r_at == rp[Q-1:0];
                    fresh    <= late;
                end
                ram_valid <= !rst && (fetch || (ram_valid && !load));
                if (load && ram_valid)
                    kept <= {is_fresh ? fresh : late_ram, first_ram[REST_W-1:0]};
                if (load) begin
                    first_one <= holds[0];
                    both      <= holds == 2'b11;
                end else if (step) begin // (a packet may end between the two records of a word)
                    first_one <= 1'b0;
                    both      <= 1'b0;
                end
            end
            assign fetch   = rp != wp_at && !(ram_valid && !load);
            assign came    = ram_valid;
            assign word    = kept;
            assign at_side = first_one;
            assign pair    = both;
        end
    endgenerate
    always @(posedge clk) begin
        wp         <= wp + {{Q{1'b0}}, push};
        wp_at      <= rst ? {Q+1{1'b0}} : wp;
        rp         <= rp + {{Q{1'b0}}, fetch};
        word_valid <= !load || came;
        if (rst) begin
            wp         <= 0;
            rp         <= 0;
            word_valid <= 1'b0;
        end
    end

    // ======== packets
    reg  [A:0]             to_go;       // records of the packet that have not left
    reg                    heading;     // the packet's header comes next
    reg                    body;        // the packet's records come next
    reg  [15:0]            seq;         // sequence number of the packet
    reg  [HEAD_BITS-1:0]   head;        // header of the packet
    wire [TIME_W-1:0]      w_time;      // time before the walk
    wire [TIME_W-1:0]      w_age;       // age of the side record
    wire [1:0]             w_rec;       // the walk's record: {censored, valid}
    wire [WALK_W-4-ID_W:0] w_access;    // access of the walk, with the record's interval
    wire [ID_W:0]          w_side_name; // name of the side record
    wire [ID_W:0]          w_rec_name;  // name of the walk's record
    assign {w_rec_name, w_side_name, w_access, w_rec, w_age, w_time} = word[NAMES_W+REST_W-1:0];
    wire [SIDE_W-1:0]   w_side      = {w_age, w_side_name};          // the side record
    wire [WALK_W-1:0]   w_walk      = {w_access, w_rec_name, w_rec}; // the walk
    wire [TIME_W-1:0]   w_walk_time = w_time + 1'b1;                 // time of the walk
    wire [REC_BITS-1:0] rec_part    = at_side ? {w_side, 2'b11} : w_walk[REC_BITS-1:0]; // record part of the beat
    wire [BEAT_BITS-1:0] beat = {at_side ? w_time : w_walk_time,
                                 at_side ? {WALK_W-REC_BITS{1'b0}} : w_walk[WALK_W-1:REC_BITS], !at_side,
                                 rec_part};
    wire moves   = !m_tvalid || m_tready; // the port can take a beat
    wire closing = to_go == 1;            // the next record is the last record of the packet
    assign step  = moves && body;
    assign take = step && !pair;
    assign busy = heading || body;

    // late select: the records of a corrupt word leave blank, so that the packet has n records. `spoilt` arrives late, and selects
    // behind the port's register
    reg                  m_spoilt;                                   // the beat at the port comes from a corrupt word
    reg                  met;                                        // a record of a corrupt word left, a cycle ago
    reg  [TIME_W-1:0]    m_time;                                     // time of the packet's header
    reg  [RIT_BITS-1:0]  m_data;                                     // the beat, as if its word were good
    wire [BEAT_BITS-1:0] blank = {m_time, {BEAT_BITS-TIME_W{1'b0}}}; // the beat of a corrupt word: the packet's time, and 0
    wire [RIT_BITS-1:0]  head_wide;                                  // header, in the width of the port
    wire [RIT_BITS-1:0]  beat_wide;                                  // beat of a record, in the width of the port
    wire [RIT_BITS-1:0]  blank_wide;                                 // blank beat, in the width of the port
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
        met    <= !rst && step && spoilt;
        turned <= !rst && turned != (met || side_met || rec_met);
        if (step) begin
            to_go <= to_go - 1'b1;
            body  <= !closing;
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
