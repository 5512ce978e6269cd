// SPDX-License-Identifier: Apache-2.0
// Proofs about fault_queue_ring: a golden place, any one. A FILL takes effect, and later its place is written; `look` is answered.
//: pdr 60 s
//: bmc3 30 frames 20 s
//: find 372 373 1800 1801 1802 1803 1823
`default_nettype none
module formal_fault_queue_ring #(
    parameter LATE    = 4,
    parameter FRAME_W = 1,
    parameter L_W     = 2
) (
    input wire               clk,
    input wire               reset, flush, tick, fills, writes, makes, looks, expires, leaves,
    input wire [L_W-1:0]     left,
    input wire [FRAME_W-1:0] its_frame
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first || reset;
    wire [L_W-1:0] next, oldest;
    wire           wrapped, look, owes, due, full, counts;
    wire [FRAME_W-1:0] frame;
    reg            filling;   // a FILL took effect, and its place is not written yet
    reg            is_due;    // due may be asked for
    wire fill    = fills && !filling && !full && !expires && !(looks && look);
    wire advance = filling && writes;
    wire answers = looks && look && !filling;
    (* anyconst *) wire [L_W-1:0] place;
    reg              fresh, known;  // the golden place is fresh; it was found so
    reg              taken;   // it was taken, and no flush since
    reg              was;     // it was taken
    reg [FRAME_W-1:0] golden;
    reg [1:0]        ends;    // epochs that ended since its FILL took effect, 2: two or more
    (* anyseq *) wire other;  // whether another place is fresh
    wire is_fresh = oldest == place ? fresh : other;
    wire expire = expires && due && !filling;
    wire leave  = leaves && !filling && !answers && !expire; // the page of `left` leaves
    wire know   = answers && is_fresh;
    wire pass   = (answers && !is_fresh) || expire;
    gmmu_fault_queue_ring #(.LATE(LATE), .FRAME_W(FRAME_W), .L_W(L_W)) dut (
        .clk(clk), .rst(rst), .flush(flush), .fill(fill), .advance(advance), .pass(pass), .know(know), .doubt(leave),
        .know_frame(oldest == place ? golden : its_frame),
        .adding(fill || filling), .tick(tick), .place(place),
        .next(next), .wrapped(wrapped), .oldest(oldest), .look(look), .owes(owes), .due(due), .full(full), .counts(counts), .frame(frame)
    );
    wire here = next == place; // the FILL under way takes the golden place
    reg  was_filling; // in the cycle before
    wire takes = fill && here;
    wire old   = full || !taken || ends[1]; // the golden place, fresh longest, is to be expired
    always @(posedge clk) begin
        filling <= !rst && (fill || (filling && !advance));
        was_filling <= filling || fill;
        if (takes)
            {taken, was} <= 2'b11;
        if (flush)
            taken <= 1'b0;
        if (advance && here)
            {fresh, golden} <= {makes, its_frame};
        if (takes || tick)
            ends <= takes ? {1'b0, tick} : ends == 0 ? 2'd1 : 2'd2;
        if ((expire && oldest == place) || (leave && left == place))
            fresh <= 1'b0;
        known <= known ? !(advance || leave || pass) : know && oldest == place;
        is_due <= known && !advance && !leave && !pass && old;
        if (rst)
            {taken, was, fresh, known, is_due} <= 5'd0;
    end
    always @* if (!rst) begin
        // Between FILLs the place counts exactly while no flush and no FILL of its place came.
        counts_right: assert (filling || counts == taken);
        // A fresh place is among those that may be fresh, until it is expired: no FILL takes it.
        fresh_is_kept: assert (!takes || !fresh);
        // A place that may be fresh is looked at, or known.
        looked_at: assert (!(fresh && !filling && oldest == place && !known) || look);
        // EXPIRE names its frame.
        frame_right: assert (!(known && oldest == place) || frame == golden);
        owes_right: assert (!known || filling || owes == old);
        // Between FILLs EXPIRE of the known place is due exactly by its age, a flush, or as the next FILL takes it, a cycle later.
        due_right: assert (!known || was_filling || due == is_due);
    end

endmodule
`default_nettype wire
