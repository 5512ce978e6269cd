// SPDX-License-Identifier: Apache-2.0
// gmmu_ram_rmw3_port: what one port of ram_rmw3 makes of the RAM's word: the writes that the read did not see go in.
`default_nettype none
module gmmu_ram_rmw3_port #(
    parameter WIDTH  = 8,
    // bits of a word in the RAM: one more with parity, or three times as many
    parameter KEPT_W = WIDTH,
    parameter ADDR_W = 4,
    // 1: in_addr is that of stage 0 a cycle later
    parameter EARLY  = 0
) (
    input  wire              clk,
    input  wire [ADDR_W-1:0] in_addr,
    input  wire [KEPT_W-1:0] in_ram,  // the RAM's word, a cycle after in_addr
    output wire [ADDR_W-1:0] p2_addr,
    output wire [WIDTH-1:0]  p2_q,    // but for w_d,
    output wire              p2_fwd,  // which it is
    output wire [WIDTH-1:0]  p3_q,
    output wire              p3_fwd,
    output wire              p3_bad,
    // port A's address at stage 3; the writes that stood there one, two, three cycles ago
    input  wire [ADDR_W-1:0] a3_addr,
    input  wire              w_we,
    input  wire [ADDR_W-1:0] w_addr,
    input  wire [WIDTH-1:0]  w_d,
    input  wire              v_we,
    input  wire [ADDR_W-1:0] v_addr,
    input  wire [WIDTH-1:0]  v_d,
    input  wire              u_we,
    input  wire [WIDTH-1:0]  u_d,
    input  wire              w_poison, v_poison, u_poison
);

    wire [ADDR_W-1:0] p0_addr;
    reg  [ADDR_W-1:0] p1_addr, q2_addr;
    reg               same_2, same_3; // at stages 2 and 3 the word is that of w
    reg  [WIDTH-1:0]  p3_word;
    reg               p3_odd;
    wire              p2_odd;
    always @(posedge clk) begin
        p3_odd  <= p2_fwd ? w_poison : p2_odd;
        p1_addr <= p0_addr;
        q2_addr <= p1_addr;
        same_2  <= p1_addr == a3_addr;
        same_3  <= q2_addr == a3_addr;
        p3_word <= p2_fwd ? w_d : p2_q;
    end

    // the RAM's word, a cycle later: what it says, and whether it turned bad
    reg  [KEPT_W-1:0] ram;
    wire [WIDTH-1:0]  ram_word;
    wire              ram_odd;
    always @(posedge clk)
        ram <= in_ram;
    generate
        if (KEPT_W == 3 * WIDTH) begin : g_thrice
            wire [WIDTH-1:0] ram0, ram1, ram2;
            assign {ram2, ram1, ram0} = ram;
            assign ram_word = (ram0 & ram1) | (ram0 & ram2) | (ram1 & ram2);
            assign ram_odd  = ram0 != ram1 || ram0 != ram2;
        end else begin : g_once
            assign ram_word = ram[WIDTH-1:0];
            assign ram_odd  = KEPT_W != WIDTH && ^ram;
        end
    endgenerate

    wire [WIDTH-1:0] p2_word;
    generate
        if (EARLY != 0) begin : g_early
            reg [ADDR_W-1:0] addr;
            reg [WIDTH-1:0]  word;
            reg              same_w, same_v, same_u, odd; // at stage 1 it is that of w, of v, of u
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
            reg [WIDTH-1:0]  write;
            reg              given, poison; // given: the word is not the RAM's
            // (compared at stage 1: the address may come late in stage 0)
            wire             same_w = p1_addr == w_addr, same_v = p1_addr == v_addr;
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
