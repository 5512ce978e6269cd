// SPDX-License-Identifier: Apache-2.0
// Proofs about ppuc_counts: one bin, from its counts to the end, whatever the sums over the bins above are. In the first cycle the
// counts come and the block rests; all other state is anything. So each property that holds within these cycles holds always.
//: steps 13
//: pdr 120 s
`default_nettype none
module formal_ppuc_counts #(
    parameter CNT_W = 3,
    parameter N_W   = 4,
    parameter SUM_W = 9
) (
    input wire               clk,
    input wire               in_cold,
    input wire [4*CNT_W-1:0] counts,
    input wire [N_W-1:0]     in_n
);

    reg  [3:0]       t = 0;
    reg              cold;
    reg  [N_W-1:0]   n;
    wire             done, massless;
    wire [SUM_W-1:0] mass, beyond, from, at_risk;
    gmmu_ppuc_counts #(.CNT_W(CNT_W), .N_W(N_W), .SUM_W(SUM_W)) dut (
        .clk(clk), .rst(1'b0), .clear(1'b0), .take(t == 0), .counts(counts), .cold(cold), .n_global(n),
        .done(done), .next(1'b0), .mass(mass), .massless(massless), .beyond(beyond), .from(from), .at_risk(at_risk)
    );
    (* hierconn *) wire [2:0] \dut.state ;
    always @* assume (t != 0 || \dut.state == 0);

    // ---- what the bin must yield
    wire [CNT_W-1:0] reuse, censored, greuse, gcensored;
    assign {gcensored, greuse, censored, reuse} = counts;
    reg  [SUM_W-1:0] g_mass, g_lost, g_risk, g_from;
    reg              ended;
    always @(posedge clk) begin
        t     <= t == 15 ? t : t + 1'b1;
        ended <= t != 0 && (ended || done);
        if (t == 0) begin
            cold   <= in_cold;
            n      <= in_n;
            g_mass <= in_cold ? reuse * in_n + 8 * greuse : reuse;
            g_lost <= in_cold ? censored * in_n + 8 * gcensored : censored;
            g_risk <= at_risk;
            g_from <= beyond;
        end
    end

    always @* begin
        // A warm row's bin takes five cycles after that of its counts, a cold one's eleven.
        counts_end: assert (t == 0 || done == (t == (cold ? 11 : 5)));
        rests_after: assert (t == 0 || !ended || \dut.state == 0);
        // What comes out is the count, or with few observations count * N and eight times that of row 0.
        mass_right: assert (t == 0 || !ended || (mass == g_mass && massless == (g_mass == 0)));
        // The sums over the bins.
        from_right: assert (t == 0 || !ended || (from == g_from + g_mass && beyond == g_from));
        at_risk_right: assert (t == 0 || !ended || at_risk == g_risk + g_mass + g_lost);
    end

endmodule
`default_nettype wire
