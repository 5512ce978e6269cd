// SPDX-License-Identifier: Apache-2.0
// Proofs about range_dir: any one operation on any correct table, and the table after the operation. The proof begins with any table,
// and after 88 cycles nothing is under way (`rests`): a search of this depth is a proof without bound. Only one operation comes at a time;
// tb/unit/range_dir_test.cpp covers operations that overtake answers.
//
// One byte, any byte, is followed: does the CPU have its newest value, does the GPU? Transfers copy the value, accesses renew the value.
//: ram ram_given
//: cut used
//: steps 89
//: at_once
//: pdr 2400 s
//: bmc3 34 frames 12 s
//: find 162:table_right 339:one_contains 340:limit_kept 188:pinned_stays,pinned_lies 341:answered 342:once 343:tag_right
//: find 344:refused_whole 349:up_newest 348:down_newest 168:drop_safe,not_lost 346:gpu_reads 347:cpu_reads 345:state_true 350:rests
`default_nettype none
module formal_range_dir #(
    parameter RANGES = 3,
    parameter ADDR_W = 2,
    parameter ASID_W = 1,
    parameter Q      = 2
) (
    input wire              clk,
    input wire              s_valid, s_whole, s_pin,
    input wire [3:0]        s_op,
    input wire [7:0]        s_tag,
    input wire [ASID_W-1:0] s_asid,
    input wire [ADDR_W-1:0] s_start, s_last
);

    localparam PLACE_W = 2, KEY_W = ASID_W + ADDR_W, FIX_W = KEY_W + ADDR_W, USE_W = 15 + ADDR_W, BEAT_W = 17 + FIX_W + ADDR_W;
    localparam [6:0] LONGEST = 7'd82; // cycles from reset to the answer
    localparam [1:0] C = 2'd0, G = 2'd1, S = 2'd2;
    localparam [1:0] K_UP = 2'd0, K_DOWN = 2'd1, K_DROP = 2'd2, K_ANSWER = 2'd3;
    localparam [2:0] OK = 3'd0, MISS = 3'd1, NOSPACE = 3'd4;
    localparam [3:0] READ_GPU = 4'd1, WRITE_GPU = 4'd2, READ_CPU = 4'd3, WRITE_CPU = 4'd4, RELEASE = 4'd5, INV_GPU = 4'd8, INV_CPU = 4'd9,
                     UNPIN = 4'd10;

    // ======== the operation: one, after reset
    reg first = 1'b1, taken = 1'b0;
    reg [6:0] cycle = 7'd0;
    always @(posedge clk) begin
        first <= 1'b0;
        cycle <= &cycle ? cycle : cycle + 1'b1;
    end
    (* anyconst *) wire [ADDR_W-1:0] limit;
    wire s_ready, m_valid, m_tlast, m_hit, m_base_ok, turned, idle;
    wire [1:0] m_kind, m_state;
    wire [2:0] m_code;
    wire [7:0] m_tag;
    wire [ASID_W-1:0] m_asid;
    wire [ADDR_W-1:0] m_start, m_last, m_base;
    wire valid = s_valid && cycle == 7'd1;
    gmmu_range_dir #(.RANGES(RANGES), .ADDR_W(ADDR_W), .ASID_W(ASID_W), .Q(Q), .PARITY(0)) dut (
        .clk(clk), .rst(first), .cfg_range_bytes(limit), .s_valid(valid), .s_ready(s_ready), .s_op(s_op), .s_tag(s_tag),
        .s_asid(s_asid), .s_start(s_start), .s_last(s_last), .s_whole(s_whole), .s_pin(s_pin), .m_valid(m_valid), .m_ready(1'b1),
        .m_tlast(m_tlast), .m_kind(m_kind), .m_code(m_code), .m_tag(m_tag), .m_state(m_state), .m_hit(m_hit), .m_asid(m_asid),
        .m_start(m_start), .m_last(m_last), .m_base(m_base), .m_base_ok(m_base_ok), .turned(turned), .idle(idle)
    );
    reg [3:0]        op;
    reg [7:0]        tag;
    reg [ASID_W-1:0] asid;
    reg [ADDR_W-1:0] start, last;
    reg              whole, pin;
    always @(posedge clk)
        if (valid && s_ready) begin
            taken <= 1'b1;
            {op, tag, asid, start, last, whole, pin} <= {s_op, s_tag, s_asid, s_start, s_last, s_whole, s_pin};
        end

    // ======== the table: what it was, and what it is
    (* anyconst *) wire [PLACE_W-1:0] used_0;
    reg  [PLACE_W-1:0] used;
    (* hierconn *) wire [PLACE_W-1:0] \dut.used , \dut.used_n , \dut.w_place ;
    (* hierconn *) wire               \dut.fix_we , \dut.use_we , \dut.push , \dut.engine_busy ;
    (* hierconn *) wire [FIX_W-1:0]   \dut.fix_w ;
    (* hierconn *) wire [USE_W-1:0]   \dut.use_w ;
    (* hierconn *) wire [BEAT_W-1:0]  \dut.beats.wdata ;
    (* hierconn *) wire [RANGES*FIX_W-1:0] \dut.fix_ram.given ;
    (* hierconn *) wire [RANGES*KEY_W-1:0] \dut.next_ram.given ;
    (* hierconn *) wire [RANGES*USE_W-1:0] \dut.use_ram.given ;
    (* hierconn *) wire [2*KEY_W-1:0]  \dut.search.g_level[0].ram.given ;
    (* hierconn *) wire [KEY_W-1:0]    \dut.search.g_level[1].ram.given ;
    always @(posedge clk)
        used <= first ? used_0 : \dut.used_n ;
    always @* assume (\dut.used == (first ? used_0 : used));

    reg  [RANGES*FIX_W-1:0] fix;
    reg  [RANGES*USE_W-1:0] use_;
    genvar g;
    generate
        for (g = 0; g < RANGES; g = g + 1) begin : g_table
            always @(posedge clk) begin
                if (first || (\dut.fix_we && \dut.w_place == g))
                    fix[g*FIX_W +: FIX_W] <= first ? \dut.fix_ram.given [g*FIX_W +: FIX_W] : \dut.fix_w ;
                if (first || (\dut.use_we && \dut.w_place == g))
                    use_[g*USE_W +: USE_W] <= first ? \dut.use_ram.given [g*USE_W +: USE_W] : \dut.use_w ;
            end
            // the copies agree
            always @* begin
                assume (\dut.next_ram.given [g*KEY_W +: KEY_W] == \dut.fix_ram.given [g*FIX_W+ADDR_W +: KEY_W]);
                assume ((g == 1 ? \dut.search.g_level[1].ram.given : \dut.search.g_level[0].ram.given [(g/2)*KEY_W +: KEY_W]) ==
                        {\dut.fix_ram.given [g*FIX_W+2*ADDR_W +: ASID_W], \dut.fix_ram.given [g*FIX_W +: ADDR_W]});
            end
        end
    endgenerate

    // Records are ranges, in order, disjoint; what is on the CPU alone has no pins and no base; GPU memory is within the limit.
    function good(input [RANGES*FIX_W-1:0] f, input [RANGES*USE_W-1:0] u, input [PLACE_W-1:0] n);
        integer i;
        begin
            good = n <= RANGES;
            for (i = 0; i < RANGES; i = i + 1)
                if (i < n) begin
                    if (f[i*FIX_W+ADDR_W +: ADDR_W] > f[i*FIX_W +: ADDR_W] || u[i*USE_W+USE_W-2 +: 2] == 2'd3)
                        good = 1'b0;
                    if (u[i*USE_W+USE_W-2 +: 2] == C && u[i*USE_W +: ADDR_W+5] != 0)
                        good = 1'b0;
                    if (i > 0)
                        if ({f[(i-1)*FIX_W+2*ADDR_W +: ASID_W], f[(i-1)*FIX_W +: ADDR_W]} >= f[i*FIX_W+ADDR_W +: KEY_W])
                            good = 1'b0;
                end
        end
    endfunction
    function [ADDR_W+2:0] held(input [RANGES*FIX_W-1:0] f, input [RANGES*USE_W-1:0] u, input [PLACE_W-1:0] n);
        integer i;
        begin
            held = 0;
            for (i = 0; i < RANGES; i = i + 1)
                if (i < n && u[i*USE_W+USE_W-2 +: 2] != C)
                    held = held + f[i*FIX_W +: ADDR_W] - f[i*FIX_W+ADDR_W +: ADDR_W] + 1'b1;
        end
    endfunction
    wire [RANGES*FIX_W-1:0] fix_0 = \dut.fix_ram.given ;
    wire [RANGES*USE_W-1:0] use_0 = \dut.use_ram.given ;
    always @* assume (good(fix_0, use_0, used_0) && held(fix_0, use_0, used_0) <= limit);

    // ======== the byte, and the record that it is in: {there, state}
    (* anyconst *) wire [ASID_W-1:0] b_asid;
    (* anyconst *) wire [ADDR_W-1:0] b_at;
    function [2:0] state_of(input [RANGES*FIX_W-1:0] f, input [RANGES*USE_W-1:0] u, input [PLACE_W-1:0] n, input [ASID_W-1:0] a,
                            input [ADDR_W-1:0] at);
        integer i;
        begin
            state_of = 3'd0;
            for (i = 0; i < RANGES; i = i + 1)
                if (i < n && f[i*FIX_W+2*ADDR_W +: ASID_W] == a && f[i*FIX_W+ADDR_W +: ADDR_W] <= at && at <= f[i*FIX_W +: ADDR_W])
                    state_of = {1'b1, u[i*USE_W+USE_W-2 +: 2]};
        end
    endfunction
    wire [2:0] was = state_of(fix_0, use_0, used_0, b_asid, b_at);
    wire [2:0] is  = state_of(fix, use_, used, b_asid, b_at);

    // ======== beats, as they are sent
    wire              push = \dut.push ;
    wire [1:0]        kind;
    wire [2:0]        code;
    wire [7:0]        a_tag;
    wire [1:0]        a_state;
    wire              a_hit, a_based;
    wire [ASID_W-1:0] a_asid;
    wire [ADDR_W-1:0] a_start, a_last, a_base;
    assign {kind, code, a_tag, a_state, a_hit, a_based, a_asid, a_start, a_last, a_base} = \dut.beats.wdata ;
    wire of_byte = push && a_asid == b_asid && a_start <= b_at && b_at <= a_last;
    wire in_range = asid == b_asid && start <= b_at && b_at <= last;
    wire answer = push && kind == K_ANSWER;
    wire fresh  = (op == WRITE_CPU && whole) || op == RELEASE;   // all of the range is new, or means nothing
    reg  cpu, gpu;       // the byte's newest value is there
    reg  over, ok, refused, sent;
    reg  [2:0] a_code;
    always @(posedge clk) begin
        if (of_byte && kind == K_UP)
            gpu <= cpu;
        if (of_byte && kind == K_DOWN)
            cpu <= gpu;
        if (of_byte && kind == K_DROP)
            gpu <= 1'b0;
        if (push && kind != K_ANSWER)
            sent <= 1'b1;
        if (answer) begin
            over    <= 1'b1;
            a_code  <= code;
            ok      <= code == OK;
            refused <= code != OK && code != NOSPACE;
            if (in_range && code == OK && op == WRITE_GPU)
                {cpu, gpu} <= 2'b01;
            if (in_range && (code == OK || code == MISS) && (op == WRITE_CPU || op == RELEASE))
                {cpu, gpu} <= 2'b10;
            if (of_byte && code == OK && op == INV_GPU)
                {cpu, gpu} <= 2'b10;
            if (of_byte && code == OK && op == INV_CPU)
                {cpu, gpu} <= 2'b01;
        end
        if (first) begin
            {cpu, gpu} <= {was != {1'b1, G}, was[2] && was[1:0] != C};
            {over, ok, refused, sent} <= 4'd0;
        end
    end
    // a pinned record, any one
    (* anyconst *) wire [PLACE_W-1:0] p;
    wire [FIX_W-1:0] p_fix = fix_0 >> (p * FIX_W);
    wire [USE_W-1:0] p_use = use_0 >> (p * USE_W);
    wire pinned = p < used_0 && p_use[ADDR_W+1 +: 4] != 0;
    function kept(input [RANGES*FIX_W-1:0] f, input [PLACE_W-1:0] n, input [FIX_W-1:0] of);
        integer i;
        begin
            kept = 1'b0;
            for (i = 0; i < RANGES; i = i + 1)
                if (i < n && f[i*FIX_W +: FIX_W] == of)
                    kept = 1'b1;
        end
    endfunction
    function within(input [RANGES*FIX_W-1:0] f, input [PLACE_W-1:0] n, input [ASID_W-1:0] a, input [ADDR_W-1:0] from, input [ADDR_W-1:0] to);
        integer i;
        begin
            within = 1'b0;
            for (i = 0; i < RANGES; i = i + 1)
                if (i < n && f[i*FIX_W+2*ADDR_W +: ASID_W] == a && f[i*FIX_W+ADDR_W +: ADDR_W] <= from && to <= f[i*FIX_W +: ADDR_W])
                    within = 1'b1;
        end
    endfunction
    wire going = !first && taken && !over;
    always @* begin
        // An operation is answered once, with its tag, in time.
        answered: assert (!(cycle >= LONGEST && taken) || over);
        once: assert (!over || first || !push);
        tag_right: assert (!(going && answer) || a_tag == tag);
        unasked: assert (first || taken || !push);
        // Records stay ranges, disjoint and in order; GPU memory stays within the limit.
        table_right: assert (first || !over || good(fix, use_, used));
        limit_kept: assert (first || !over || held(fix, use_, used) <= limit);
        // What was found or made for a range is one record that contains it.
        one_contains: assert (first || !over || !ok || op > WRITE_GPU || within(fix, used, asid, start, last));
        // A pinned record stays, and no transfer is of it.
        pinned_stays: assert (first || !over || !pinned || kept(fix, used, p_fix));
        pinned_lies: assert (!(going && push && kind != K_ANSWER && pinned) || {a_asid, a_start, a_last} != p_fix);
        // What is refused changes nothing and sends nothing.
        refused_whole: assert (first || !over || !refused || (!sent && used == used_0));
        // UP and DOWN copy the newest value; what is dropped is on the CPU, or all of it is new.
        up_newest: assert (!(going && of_byte && kind == K_UP) || cpu);
        down_newest: assert (!(going && of_byte && kind == K_DOWN) || gpu);
        drop_safe: assert (!(going && of_byte && kind == K_DROP) || cpu || (fresh && in_range));
        // Who reads, or writes in part, finds the newest value.
        gpu_reads: assert (!(going && answer && code == OK && in_range && (op == READ_GPU || (op == WRITE_GPU && !whole))) || gpu);
        cpu_reads: assert (!(going && answer && (code == OK || code == MISS) && in_range && (op == READ_CPU || (op == WRITE_CPU && !whole))) || cpu);
        // It is somewhere, and the table says where.
        not_lost: assert (first || !over || cpu || gpu);
        state_true: assert (first || !over || ((is == {1'b1, G} || cpu) && (!is[2] || is[1:0] == C || gpu)));
        // Then nothing is under way: what is right so late stays so.
        rests: assert (!(cycle >= LONGEST + 7'd6) || (idle && !\dut.engine_busy  && !\dut.fix_we  && !\dut.use_we  && !push));
    end

endmodule
`default_nettype wire
