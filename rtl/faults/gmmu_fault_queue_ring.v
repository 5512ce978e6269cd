// SPDX-License-Identifier: Apache-2.0
// gmmu_fault_queue_ring: which places of the ring of arrived pages count, and the frame that is fresh longest.
//
//        older                    live
//   ──┬───┴───────────────────────┬┴──────────────────┬──
//     │ may be fresh, the oldest first                │ next: the place that the next FILL takes
//     │ `known`: the oldest one is │ count as arrived  │
//
// The oldest place that may be fresh is looked at by the engine, place by place, until one is fresh: then this place is known.
`default_nettype none
module gmmu_fault_queue_ring #(
    // places, a power of two
    parameter LATE    = 256,
    parameter FRAME_W = 12,
    parameter L_W     = LATE > 1 ? $clog2(LATE) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire               flush,      // no place counts any more
    input  wire               fill,       // a FILL takes effect: its place counts
    input  wire               advance,    // the place of a FILL is written
    input  wire               pass,       // the oldest place that may be fresh is not
    input  wire               know,       // the oldest place that may be fresh is: `known` from now on
    input  wire               doubt,      // the known place may have ended
    input  wire [FRAME_W-1:0] know_frame, // its frame
    input  wire               adding,     // a place of a FILL is to be written: `advance` follows, or comes now
    input  wire               tick,       // an epoch ends, behind the actions of this cycle
    input  wire [L_W-1:0]     place,      // a place
    output reg  [L_W-1:0]     next,       // place that the next FILL takes
    output reg                wrapped,    // every place has been taken
    output wire [L_W-1:0]     oldest,     // the oldest place that may be fresh
    output wire               look,       // this place is to be looked at
    output wire               owes,       // this place is to be expired, if it does not end now
    output reg                due,        // a cycle later: this place is to be expired
    output wire               full,       // the place that the next FILL takes may be fresh
    output wire               counts,     // `place` counts
    output reg  [FRAME_W-1:0] frame       // frame of the known place
);

    localparam END = LATE - 1;
    localparam [L_W:0] ALL = LATE[L_W:0];
    localparam [L_W-1:0] LAST = END[L_W-1:0];

    reg  [L_W:0] live;  // so many of the newest places count
    reg  [L_W:0] older; // so many of the newest places may be fresh
    reg          known; // the oldest of these is fresh
    wire [L_W-1:0] age = (next - place - 1'b1) & LAST;
    // of the places that may be fresh, the oldest: so many were there when the epoch ended last, and when it ended before
    reg  [L_W:0] mature;
    reg  [L_W:0] overdue;
    wire goes = pass && !advance;
    assign oldest = (next - older[L_W-1:0]) & LAST;
    assign full   = older == ALL;
    assign look   = older != 0 && !known;
    assign counts = {1'b0, age} < live;
    assign owes   = known && (full || older > live || overdue != 0);
    always @(posedge clk) begin
        if (know)
            frame <= know_frame;
        due   <= !rst && owes && !doubt && !pass && !advance;
        known <= !rst && (know || (known && !doubt && !pass && !advance));
        if (advance) begin
            next    <= (next + 1'b1) & LAST;
            wrapped <= wrapped || next == LAST;
        end
        if (advance ? !full : pass)
            older <= advance ? older + 1'b1 : older - 1'b1;
        mature  <= tick ? older + {{L_W{1'b0}}, adding} - {{L_W{1'b0}}, goes} : mature - {{L_W{1'b0}}, goes && mature != 0};
        overdue <= tick ? mature - {{L_W{1'b0}}, goes && mature != 0} : overdue - {{L_W{1'b0}}, goes && overdue != 0};
        if (fill && live != ALL)
            live <= live + 1'b1;
        if (flush)
            live <= 0;
        if (rst) begin
            next    <= 0;
            wrapped <= 1'b0;
            older   <= 0;
            mature  <= 0;
            overdue <= 0;
            live    <= 0;
        end
    end

endmodule
`default_nettype wire
