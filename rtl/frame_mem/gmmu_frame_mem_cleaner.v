// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_mem_cleaner: writes changed lines back before the hand comes (docs/reference/blocks/frame_mem.md).
//
// The cleaner looks at one line a cycle:
//
//   l0  reads the number of the line's last operation, and whether the line is in use
//   l1  reads whether the line was found again and changed; computes the number's age
//   l2  compares: is that operation under way?
//   l3  decides
//
// The cleaner looks again at a line with an operation under way, and at a line to be written while there is no room. An
// operation that comes to a line behind the cleaner marks the line as found again, so that the hand passes the line.
`default_nettype none
module gmmu_frame_mem_cleaner #(
    parameter LINES = 128,
    // bits of an operation's number
    parameter N_W   = 9,
    parameter L_W   = $clog2(LINES)
) (
    input  wire             clk,
    input  wire             rst,
    input  wire [LINES-1:0] used,      // per line: the line has a frame
    input  wire [LINES-1:0] again,     // per line: the line was found since the hand's visit
    input  wire [L_W:1]     left,      // all lines before this pair have left the hand
    output wire [L_W:1]     seen,      // the cleaner has passed all lines before this pair of lines; after reset the cleaner is a round before the hand
    output reg  [LINES-1:0] wiped,     // per line: the line was written back at the cleaner's last visit
    // operations that come to c3, and that are done
    input  wire             c3_valid,  // an operation comes to c3
    input  wire             c3_none,   // the operation at c3 needs no frame
    input  wire [L_W-1:0]   c3_line,   // line of the operation at c3
    input  wire             w_valid,   // a cycle after stage 3: there was an operation
    input  wire             w_changed, // a cycle after stage 3: the operation changed its word
    input  wire [L_W-1:0]   w_line,    // a cycle after stage 3: line of the operation
    // a line to be written, at l3
    input  wire             w_free,    // there is room for a word to be written back
    output wire             wipe,      // the line at l3 is written back
    output wire [L_W-1:0]   l3_line    // the line at l3
);

    reg  [L_W:0]     cleaner;      // all lines before this one are seen and clean
    reg  [LINES-1:0] changed;      // per line: the word was changed and not written back
    reg  [N_W-1:0]   issued;       // number of operations that came to c3
    reg  [N_W-1:0]   done;         // number of operations that are done
    reg  [N_W-1:0]   under_way;    // operations between c3 and stage 3
    reg  [L_W:0]     look;         // the line at l0
    reg              l1_valid;     // a line is at this stage
    reg              l2_valid;     // a line is at this stage
    reg              l3_valid;     // a line is at this stage
    reg  [L_W-1:0]   l1_line;      // the line at l1
    reg              l1_used;      // the line at this stage has a frame
    reg              l2_used;      // the line at this stage has a frame
    reg              l2_again;     // the line at l2 was found since the hand's visit
    reg              l2_changed;   // the line at l2 was changed
    reg              l3_used;      // the line at l3 has a frame
    reg              l3_again;     // the line at l3 was found since the hand's visit
    reg              l3_changed;   // the line at l3 was changed
    reg              l1_now;       // an operation on the line came to c3 when the line was at l0
    reg              l2_now;       // l1_now of the line at l2
    wire [N_W-1:0]   l1_number;    // number of the line's last operation
    reg  [N_W-1:0]   l2_since;     // l1_number less the number of operations that are done
    reg  [N_W-1:0]   l2_under_way; // operations that were under way
    reg              l3_busy;      // an operation on the line is under way
    wire may  = l3_used && (l3_again || !l3_busy);
    wire to_w = l3_changed && !l3_again;
    wire pass = l3_valid && may && (!to_w || w_free);
    wire back = l3_valid && !pass;            // the cleaner looks at the line again
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
