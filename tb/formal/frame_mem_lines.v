// SPDX-License-Identifier: Apache-2.0
// Proofs about frame_mem_lines, frame_mem_hand and frame_mem_cleaner, connected as in frame_mem. One frame, any frame, is followed
// through its lines. Operations are done in order, any time from four cycles after c3 on (tb/formal/frame_mem_words.v: not_before).
// Writes are done in order too, from the next cycle on.
//: pdr 20 s
//: bmc3 34 frames 60 s
//: ram ram_words
//: find 172:written_last 176:at_rest 177:at_rest 181:at_rest 185:one_line 186:one_line
`default_nettype none
module formal_frame_mem_lines #(
    parameter FRAME_W = 2,
    parameter LINES   = 4,
    parameter ENOUGH  = 2,
    parameter N_W     = 4,
    parameter P_W     = 1,
    parameter OPS     = 3,
    parameter L_W     = 2
) (
    input wire               clk,
    input wire               comes, a_none, goes, changes, w_free, acks,
    input wire [FRAME_W-1:0] a_frame
);

    reg first = 1'b1;
    always @(posedge clk)
        first <= 1'b0;
    wire rst = first;

    // ======== the parts
    wire               a_go, c3_valid, c3_touch, c3_none, c3_take, c_idle, given, pick, room, wipe, w_valid, w_changed, done;
    wire [L_W-1:0]     c3_line, pick_line, l3_line, w_line;
    wire [FRAME_W-1:0] c3_frame;
    wire [P_W-1:0]     c3_what;
    wire [LINES-1:0]   used, again, away, wiped;
    wire [L_W:1]       seen, left;
    gmmu_frame_mem_lines #(.FRAME_W(FRAME_W), .LINES(LINES), .ENOUGH(ENOUGH), .P_W(P_W)) lines (
        .clk(clk), .rst(rst), .a_go(a_go), .a_any(comes), .a_touch(1'b0), .a_none(a_none), .a_frame(a_frame),
        .a_what({P_W{1'b0}}), .c3_valid(c3_valid), .c3_touch(c3_touch), .c3_none(c3_none), .c3_take(c3_take),
        .c3_line(c3_line), .c3_frame(c3_frame), .c3_what(c3_what), .idle(c_idle), .used(used), .again(again),
        .away(away), .given(given), .pick(pick), .pick_line(pick_line), .room(room)
    );
    gmmu_frame_mem_hand #(.LINES(LINES)) hands (
        .clk(clk), .rst(rst), .again(again), .wiped(wiped), .seen(seen), .done(done), .room(room),
        .away(away), .given(given), .pick(pick), .pick_line(pick_line), .left(left)
    );
    gmmu_frame_mem_cleaner #(.LINES(LINES), .N_W(N_W)) cleans (
        .clk(clk), .rst(rst), .used(used), .again(again), .left(left), .seen(seen), .wiped(wiped), .c3_valid(c3_valid),
        .c3_none(c3_none), .c3_line(c3_line), .w_valid(w_valid), .w_changed(w_changed), .w_line(w_line),
        .w_free(w_free), .wipe(wipe), .l3_line(l3_line)
    );
    (* hierconn *) wire [LINES-1:0]  \lines.match ;
    (* hierconn *) wire              \lines.c2_valid ;
    (* hierconn *) wire [ENOUGH+1:0] \lines.spares ;

    // ======== who lets operations in: with a spare line for each (frame_mem_turns), at most OPS
    reg [2:0] free, inside;
    wire      spared = c3_valid && !c3_take;
    assign a_go = comes && free != 0 && inside < OPS;

    // ======== operations from c3 to their end: {on the frame, without a frame, line}, the oldest one first
    (* anyconst *) wire [FRAME_W-1:0] frame;
    wire             c3_ours = c3_valid && !c3_none && c3_frame == frame;
    localparam W = 2 + L_W;
    reg  [1:0]       queued;
    reg  [W*OPS-1:0] queue;
    reg  [2:0]       came;   // in the three cycles before
    wire [1:0]       ripe = queued - came[0] - came[1] - came[2];
    assign w_valid   = goes && ripe != 0;
    assign w_line    = queue[L_W-1:0];
    wire   w_ours    = w_valid && queue[W-1];
    assign w_changed = w_valid && changes && !queue[W-2];
    wire [1:0]       queued_left = queued - w_valid;
    wire [W*OPS-1:0] queue_left  = w_valid ? queue >> W : queue;

    // ======== writes that are not done, the oldest one first: is it the frame's
    reg  [2:0] writes;
    reg  [3:0] ours;
    wire [2:0] writes_left = writes - done;
    wire [3:0] ours_left   = done ? ours >> 1 : ours;
    assign     done = acks && writes != 0;

    // ======== the frame
    reg           has;     // it was given `line`, which no other one was given since
    reg [L_W-1:0] line;
    reg [2:0]     on_it;   // operations on it under way since c3
    reg           dirty;   // changed and not written
    reg [2:0]     fresh;   // in the three cycles before an operation on it came that did not take its line
    wire          writes_ours = wipe && has && l3_line == line;
    integer i;
    always @(posedge clk) begin
        free   <= free + pick + spared - a_go;
        inside <= inside + a_go - w_valid;
        queued <= queued_left + c3_valid;
        came   <= {came[1:0], c3_valid};
        for (i = 0; i < OPS; i = i + 1)
            queue[i*W +: W] <= c3_valid && queued_left == i ? {c3_ours, c3_none, c3_line} : queue_left[i*W +: W];
        writes <= writes_left + wipe;
        ours   <= ours_left | (writes_ours ? 4'd1 << writes_left : 4'd0);
        on_it  <= on_it + c3_ours - w_ours;
        fresh  <= {fresh[1:0], c3_ours && !c3_take};
        if (c3_take) begin
            has <= c3_ours || (has && c3_line != line);
            if (c3_ours)
                line <= c3_line;
        end
        if (writes_ours)
            dirty <= 1'b0;
        if (w_changed && w_ours)
            dirty <= 1'b1;
        if (rst) begin
            free   <= 0;
            inside <= 0;
            queued <= 0;
            came   <= 3'd0;
            writes <= 0;
            ours   <= 0;
            on_it  <= 0;
            fresh  <= 3'd0;
            has    <= 1'b0;
            dirty  <= 1'b0;
        end
    end
    always @*
        assume (!w_free || writes < 4);

    always @* if (!rst) begin
        // An operation on the frame has its line, if it has one and does not take another.
        found_right: assert (!(c3_ours && !c3_take) || (has && c3_line == line));
        // No other frame's operation has it, unless it takes it for itself.
        ours_alone: assert (!(c3_valid && !c3_none && !c3_ours && !c3_take) || !has || c3_line != line);
        // The frame or its line is taken only when nothing is under way: no operation, no change, no write. So no update is
        // lost, no word is read while it is written, and it is written once at a time.
        at_rest: assert (!(c3_take && (c3_ours || (has && c3_line == line))) || (on_it == 0 && !dirty && ours == 0));
        write_once: assert (!writes_ours || ours == 0);
        // What is written is what the last operation left: another one may only just have come (frame_mem_words_line: clean_right).
        written_last: assert (!writes_ours || on_it == {2'd0, fresh[0]} + fresh[1] + fresh[2]);
        // No frame has two lines.
        one_line: assert (!\lines.c2_valid || (\lines.match & (\lines.match - 1'b1)) == 0);
        // A line is taken from a store that has one; the store never overflows.
        store_right: assert (!(c3_take && !\lines.spares [0]) && !(pick && \lines.spares [ENOUGH+1]));
    end

endmodule
`default_nettype wire
