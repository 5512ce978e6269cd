// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw3_port: one port of gmmu_ram_rmw3: adds to the RAM's word the writes that the RAM read could not see.
`default_nettype none
module gmmu_ram_rmw3_port #(
    parameter WIDTH  = 8,
    // bits of a word in the RAM: one more with parity, or three times as many
    parameter KEPT_W = WIDTH,
    parameter ADDR_W = 4,
    // 1: in_addr comes a cycle before stage 0
    parameter EARLY  = 0
) (
    input  wire              clk,
    input  wire [ADDR_W-1:0] in_addr,  // the word to read
    input  wire [KEPT_W-1:0] in_ram,   // the RAM's word, a cycle after in_addr
    output wire [ADDR_W-1:0] p2_addr,  // stage 2: the address
    output wire [WIDTH-1:0]  p2_q,     // stage 2: the word, but see p2_fwd
    output wire              p2_fwd,   // stage 2: w_d is the word, instead of p2_q
    output wire [WIDTH-1:0]  p3_q,     // stage 3: the word, with all writes of earlier cycles
    output wire              p3_fwd,   // stage 3: the word was written a cycle ago
    output wire              p3_bad,   // stage 3: the word is corrupt
    // port A of gmmu_ram_rmw3 at stage 3, and the writes there of one (w_), two (v_) and three (u_) cycles ago
    input  wire [ADDR_W-1:0] a3_addr,  // address of port A at stage 3
    input  wire              w_we,     // w_ is a write
    input  wire [ADDR_W-1:0] w_addr,   // address of w_
    input  wire [WIDTH-1:0]  w_d,      // value of w_
    input  wire              v_we,     // v_ is a write
    input  wire [ADDR_W-1:0] v_addr,   // address of v_
    input  wire [WIDTH-1:0]  v_d,      // value of v_
    input  wire              u_we,     // u_ is a write
    input  wire [WIDTH-1:0]  u_d,      // value of u_
    input  wire              w_poison, // w_ is poisoned
    input  wire              v_poison, // v_ is poisoned
    input  wire              u_poison  // u_ is poisoned
);

    wire [ADDR_W-1:0] p0_addr; // address at stage 0
    reg  [ADDR_W-1:0] p1_addr; // address at stage 1
    reg  [ADDR_W-1:0] q2_addr; // address at stage 2
    reg               same_2;  // the word at stage 2 is the word of w_
    reg               same_3;  // the word at stage 3 is the word of w_
    reg  [WIDTH-1:0]  p3_word; // the word at stage 3, without w_
    reg               p3_odd;  // the word at stage 3, without w_, is corrupt
    wire              p2_odd;  // the word at stage 2, without w_, is corrupt
    always @(posedge clk) begin
        p3_odd  <= p2_fwd ? w_poison : p2_odd;
        p1_addr <= p0_addr;
        q2_addr <= p1_addr;
        same_2  <= p1_addr == a3_addr;
        same_3  <= q2_addr == a3_addr;
        p3_word <= p2_fwd ? w_d : p2_q;
    end

    // the RAM's word, registered: its value, and whether the word is corrupt
    reg  [KEPT_W-1:0] ram;      // the RAM's word, registered
    wire [WIDTH-1:0]  ram_word; // value of the RAM's word
    wire              ram_odd;  // the RAM's word is corrupt
    always @(posedge clk)
        ram <= in_ram;
    generate
        if (KEPT_W == 3 * WIDTH) begin : g_thrice
            wire [WIDTH-1:0] ram0; // first copy of the word
            wire [WIDTH-1:0] ram1; // second copy of the word
            wire [WIDTH-1:0] ram2; // third copy of the word
            assign {ram2, ram1, ram0} = ram;
            assign ram_word = (ram0 & ram1) | (ram0 & ram2) | (ram1 & ram2);
            assign ram_odd  = ram0 != ram1 || ram0 != ram2;
        end else begin : g_once
            assign ram_word = ram[WIDTH-1:0];
            assign ram_odd  = KEPT_W != WIDTH && ^ram;
        end
    endgenerate

    wire [WIDTH-1:0] p2_word; // the word at stage 2, without w_
    generate
        if (EARLY != 0) begin : g_early
            reg [ADDR_W-1:0] addr;   // address at stage 0
            reg [WIDTH-1:0]  word;   // the word, with the writes known at stage 1
            reg              same_w; // the word at stage 1 is the word of w_
            reg              same_v; // the word at stage 1 is the word of v_
            reg              same_u; // the word at stage 1 is the word of u_
            reg              odd;    // the word is corrupt
            always @(posedge clk) begin
                addr   <= in_addr;
                same_w <= addr == a3_addr;
                same_v <= addr == w_addr;
                same_u <= (addr == v_addr);
                word   <= same_w && w_we ? w_d : same_v && v_we ? v_d : same_u && u_we ? u_d : ram_word;
                odd    <= same_w && w_we ? w_poison : same_v && v_we ? v_poison : same_u && u_we ? u_poison : ram_odd;
            end
            assign p0_addr = addr;
            assign p2_word = word;
            assign p2_odd  = odd;
        end else begin : g_late
            reg [WIDTH-1:0] write;  // value of the newest write of the word
            reg             given;  // the word comes from a write, not from the RAM
            reg             poison; // the newest write of the word is poisoned
            // (comparison at stage 1, because the address may arrive late in stage 0)
            wire same_w = p1_addr == w_addr; // the word at stage 1 is the word of w_
            wire same_v = p1_addr == v_addr; // the word at stage 1 is the word of v_
            always @(posedge clk) begin
                given <= (same_w && w_we) || (same_v && v_we);
                write <= same_w && w_we ? w_d : v_d;
                poison <= same_w && w_we ? w_poison : v_poison;
            end
            assign p0_addr = in_addr;
            assign p2_word = given ? write : ram_word;
            assign p2_odd  = given ? poison : ram_odd;
            wire unused = &{1'b0, u_we, u_d, u_poison};
        end
    endgenerate

    assign p2_addr = q2_addr;
    assign p2_q    = p2_word;
    assign p2_fwd  = same_2 && w_we;
    assign p3_fwd  = same_3 && w_we;
    assign p3_q    = p3_fwd ? w_d : p3_word;
    assign p3_bad  = p3_fwd ? w_poison : p3_odd;

endmodule
`default_nettype wire
