// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_cleaner: writes changed lines back before the hand comes (docs/blocks/frame_mem.md).
//
// It looks at one line a cycle: l0: number of its last operation, in use; l1: found again, changed, age of the number;
// l2: is that operation under way; l3: decides. A line with an operation under way, or one to be written while there is no
// room, it looks at again. What comes to a line behind its back finds it again, so the hand will pass it.
`default_nettype none
module gmmu_frame_mem_cleaner #(
    parameter LINES = 128,
    // bits of an operation's number
    parameter N_W   = 9,
    parameter L_W   = $clog2(LINES)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINES-1:0] used,
    input  wire [LINES-1:0] again,     // found since the hand was here
    input  wire [L_W:1]     left,      // lines before these two have left the hand
    output wire [L_W:1]     seen,      // it has passed all lines before these two, a round before the hand after reset
    output reg  [LINES-1:0] wiped,     // written back, when it was here last
    // operations that come to c3, and that are done
    input  wire             c3_valid,
    input  wire             c3_none,
    input  wire [L_W-1:0]   c3_line,
    input  wire             w_valid,
    input  wire             w_changed, // its word is another than before
    input  wire [L_W-1:0]   w_line,
    // a line to be written, at l3
    input  wire             w_free,    // there is room
    output wire             wipe,
    output wire [L_W-1:0]   l3_line
);

    reg  [L_W:0]     cleaner;                 // all lines up to here are seen and clean
    reg  [LINES-1:0] changed;                 // and not written back
    reg  [N_W-1:0]   issued, done, under_way; // operations that came to c3, that are done, and the difference
    reg  [L_W:0]     look;                    // the line at l0
    reg              l1_valid, l2_valid, l3_valid;
    reg  [L_W-1:0]   l1_line;
    reg              l1_used, l2_used, l2_again, l2_changed, l3_used, l3_again, l3_changed;
    reg              l1_now, l2_now;          // an operation on it came to c3 at l0
    wire [N_W-1:0]   l1_number;               // its last operation
    reg  [N_W-1:0]   l2_since, l2_under_way;
    reg              l3_busy;                 // an operation on it is under way
    wire may  = l3_used && (l3_again || !l3_busy);
    wire to_w = l3_changed && !l3_again;
    wire pass = l3_valid && may && (!to_w || w_free);
    wire back = l3_valid && !pass;            // it looks at the line again
    assign wipe    = pass && to_w;
    assign l3_line = cleaner[L_W-1:0];
    assign seen    = cleaner[L_W:1];
    gmmu_ram_sdp #(
        .WIDTH(N_W),
        .DEPTH(LINES)
    ) numbers (
        .clk(clk),
        .we(c3_valid && !c3_none),
        .waddr(c3_line),
        .wdata(issued),
        .re(1'b1),
        .raddr(look[L_W-1:0]),
        .rdata(l1_number)
    );
    always @(posedge clk) begin
        issued    <= issued + {{N_W-1{1'b0}}, c3_valid};
        done      <= done + {{N_W-1{1'b0}}, w_valid};
        under_way <= under_way + {{N_W-1{1'b0}}, c3_valid} - {{N_W-1{1'b0}}, w_valid};
        look     <= back ? cleaner : look + {{L_W{1'b0}}, look != {left, 1'b0}};
        l1_valid <= look != {left, 1'b0} && !back;
        l1_line  <= look[L_W-1:0];
        l1_used  <= used[look[L_W-1:0]];
        l1_now   <= c3_valid && !c3_none && c3_line == look[L_W-1:0];
        l2_now   <= l1_now;
        l2_valid <= l1_valid && !back;
        l2_used  <= l1_used;
        l2_again <= again[l1_line];
        l2_changed   <= changed[l1_line];
        l2_since     <= l1_number - done;
        l2_under_way <= under_way;
        l3_valid   <= l2_valid && !back;
        l3_used    <= l2_used;
        l3_again   <= l2_again;
        l3_changed <= l2_changed;
        l3_busy    <= l2_now || l2_since < l2_under_way;
        if (pass) begin
            cleaner <= cleaner + 1'b1;
            wiped[l3_line] <= wipe;
        end
        if (wipe)
            changed[l3_line] <= 1'b0;
        if (w_changed)
            changed[w_line] <= 1'b1;
        if (rst) begin
            changed   <= 0;
            wiped     <= 0;
            cleaner   <= {1'b1, {L_W{1'b0}}};
            look      <= {1'b1, {L_W{1'b0}}};
            l1_valid  <= 1'b0;
            l2_valid  <= 1'b0;
            l3_valid  <= 1'b0;
            issued    <= 0;
            done      <= 0;
            under_way <= 0;
        end
    end

endmodule
`default_nettype wire
