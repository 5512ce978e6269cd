// SPDX-License-Identifier: Apache-2.0
// bench: plays the steps of tb/fourstate/steps.c to gmmu_tier_axil in a four-state simulator, from power-up without initial
// values, and looks at its outputs in every cycle: no control output may be x or z after the first reset, nor may a bit of
// a valid beat. Bits above a beat, in the last byte of its tdata, are x in what the unit reads, and must be 0 in what the unit
// drives. The memory behind the frame table's port holds x where nothing was written, and answers with x but for valid
// answers. It has a reset of its own (MEMORY 1: `unit_rst`; what was under way is forgotten) or none (MEMORY 0: all that
// was asked for is answered, whatever the unit does meanwhile). Ends with PASS, or with FAIL and the case, the cycle and
// the signal (SystemVerilog for $fatal alone). With GMMU_RINGS the unit is gmmu_tier_ring behind the software of rings.v.
//
//   vvp bench +steps=FILE +case=NAME
`default_nettype none
`timescale 1ns / 1ns
`include "gmmu_config.vh"
`ifdef GMMU_RINGS
`define TOP through_rings
`define UNIT unit.dut.tier_csr.unit
`else
`define TOP gmmu_tier_axil
`define UNIT unit.tier_csr.unit
`endif
module bench #(
    parameter MEMORY = 1, // 1: the memory is reset with the unit
    parameter TEST_EN = 0, // 1: all clocks run
    parameter LIMIT  = 20000, // cycles that anything may take
`include "gmmu_parameters.vh"
`include "gmmu_derived.vh"
) ();
`include "gmmu_streams.vh"
    localparam WIDE = 512; // bits of a beat in the file of steps

    reg clk = 1'b0;
    reg rst;
    always #5 clk = !clk;

    // ======== the unit
    reg  [11:0]            awaddr;
    reg  [11:0]            araddr;
    reg  [31:0]            wdata;
    reg                    awvalid;
    reg                    wvalid;
    reg                    arvalid;
    reg                    bready;
    reg                    rready;
    wire                   awready;
    wire                   wready;
    wire                   arready;
    wire                   bvalid;
    wire                   rvalid;
    wire [1:0]             bresp;
    wire [1:0]             rresp;
    wire [31:0]            rdata;
    wire                   irq;
    wire                   quiet;
    wire                   unit_rst;
    reg  [WALK_BITS-1:0]   walk;
    reg  [DRV_BITS-1:0]    op;
    reg  [RANGE_BITS-1:0]  range;
    reg                    walk_valid;
    reg                    op_valid;
    reg                    range_valid;
    wire                   walk_ready;
    wire                   op_ready;
    wire                   range_ready;
    wire [DEC_TDATA-1:0]   decision;
    wire [RIT_TDATA-1:0]   rit;
    wire [HIR_TDATA-1:0]   hir;
    wire [XFER_TDATA-1:0]  xfer;
    wire                   decision_valid;
    wire                   rit_valid;
    wire                   hir_valid;
    wire                   xfer_valid;
    wire                   rit_last;
    wire                   hir_last;
    wire                   xfer_last;
    reg                    decision_ready;
    reg                    rit_ready;
    reg                    hir_ready;
    reg                    xfer_ready;
    wire                   ar_valid;
    wire                   w_valid;
    reg                    ar_ready;
    reg                    w_ready;
    reg                    r_valid;
    reg                    b_valid;
    wire [FRAME_W-1:0]     ar_addr;
    wire [FRAME_W-1:0]     w_addr;
    reg  [WORD_BITS-1:0]   r_data;
    wire [WORD_BITS-1:0]   w_data;
    `TOP #(
        .FRAMES(FRAMES),
        .FRAME_MEM(FRAME_MEM),
        .LINES(LINES),
        .BINS(BINS),
        .SAMPLER(SAMPLER),
        .T2_SLOTS(T2_SLOTS),
        .TP_SETS(TP_SETS),
        .TP_WAYS(TP_WAYS),
        .RANGES(RANGES),
        .PARITY(PARITY)
    ) unit (
        .clk(clk),
        .rst(rst),
        .test_en(TEST_EN != 0),
        .s_axil_awaddr(awaddr),
        .s_axil_araddr(araddr),
        .s_axil_awprot(3'd0),
        .s_axil_arprot(3'd0),
        .s_axil_awvalid(awvalid),
        .s_axil_wvalid(wvalid),
        .s_axil_arvalid(arvalid),
        .s_axil_awready(awready),
        .s_axil_wready(wready),
        .s_axil_arready(arready),
        .s_axil_wdata(wdata),
        .s_axil_wstrb(4'hF),
        .s_axil_bresp(bresp),
        .s_axil_rresp(rresp),
        .s_axil_bvalid(bvalid),
        .s_axil_rvalid(rvalid),
        .s_axil_bready(bready),
        .s_axil_rready(rready),
        .s_axil_rdata(rdata),
        .irq(irq),
        .quiet(quiet),
        .unit_rst(unit_rst),
        .s_axis_walk_tdata({{WALK_TDATA-WALK_BITS{1'bx}}, walk}),
        .s_axis_walk_tvalid(walk_valid),
        .s_axis_walk_tready(walk_ready),
        .s_axis_drv_tdata({{DRV_TDATA-DRV_BITS{1'bx}}, op}),
        .s_axis_drv_tvalid(op_valid),
        .s_axis_drv_tready(op_ready),
        .m_axis_decision_tdata(decision),
        .m_axis_decision_tvalid(decision_valid),
        .m_axis_decision_tready(decision_ready),
        .m_frame_ar_valid(ar_valid),
        .m_frame_ar_ready(ar_ready),
        .m_frame_ar_addr(ar_addr),
        .m_frame_r_valid(r_valid),
        .m_frame_r_data(r_data),
        .m_frame_w_valid(w_valid),
        .m_frame_w_ready(w_ready),
        .m_frame_w_addr(w_addr),
        .m_frame_w_data(w_data),
        .m_frame_b_valid(b_valid),
        .m_axis_rit_tdata(rit),
        .m_axis_rit_tvalid(rit_valid),
        .m_axis_rit_tlast(rit_last),
        .m_axis_rit_tready(rit_ready),
        .m_axis_hir_tdata(hir),
        .m_axis_hir_tvalid(hir_valid),
        .m_axis_hir_tlast(hir_last),
        .m_axis_hir_tready(hir_ready),
        .s_axis_range_tdata({{RANGE_TDATA-RANGE_BITS{1'bx}}, range}),
        .s_axis_range_tvalid(range_valid),
        .s_axis_range_tready(range_ready),
        .m_axis_xfer_tdata(xfer),
        .m_axis_xfer_tvalid(xfer_valid),
        .m_axis_xfer_tlast(xfer_last),
        .m_axis_xfer_tready(xfer_ready)
    );

    // ======== what is found
    reg [8*64-1:0]    name;
    reg [8*256-1:0]   file;
    integer           cycle = 0;
    integer           steps = 0;  // the line of the file that is played
    integer           beats = 0;  // valid beats that were looked at
    integer           decisions = 0;
    reg               traffic = 1'b0; // at random, until the unit is in reset
    reg               known = 1'b0; // a rising edge in reset has passed
    integer           reads_asked = 0; // of the memory: requests that it took, and answers that it gave
    integer           reads_done = 0;
    integer           writes_asked = 0;
    integer           writes_done = 0;
    task fail(input [8*40-1:0] what);
        $fatal(1, "FAIL %0s: cycle %0d, step %0d: %0s", name, cycle, steps, what);
    endtask
    task control(input [8*24-1:0] signal, input value);
        if (value !== 1'b0 && value !== 1'b1)
            $fatal(1, "FAIL %0s: cycle %0d, step %0d: %0s is %b", name, cycle, steps, signal, value);
    endtask
    // PARITY_OF is the exclusive or of a beat's bits: x if one of them is
    task beat(input [8*24-1:0] signal, input valid, input parity_of);
        if (valid) begin
            beats = beats + 1;
            if (parity_of !== 1'b0 && parity_of !== 1'b1)
                $fatal(1, "FAIL %0s: cycle %0d, step %0d: a bit of %0s is x", name, cycle, steps, signal);
        end
    endtask
    // BITS above a beat, in the last byte of its tdata, are 0
    task reserved(input [8*24-1:0] signal, input valid, input [7:0] bits);
        if (valid && bits !== 8'd0)
            $fatal(1, "FAIL %0s: cycle %0d, step %0d: bits above the beat of %0s are %b", name, cycle, steps, signal, bits);
    endtask
    // an offer stays, and stays the same, until it is taken, unless the unit is reset by its pin
    reg                       was_rst = 1'b1; // the unit was in reset in the cycle before
    reg                       ar_waited = 1'b0;
    reg                       w_waited = 1'b0;
    reg [FRAME_W-1:0]         ar_was;
    reg [FRAME_W+WORD_BITS-1:0] w_was;
    always @(posedge clk) begin
        cycle <= cycle + 1;
        if (rst)
            known <= 1'b1;
        if (known) begin
            control("unit_rst", unit_rst);
            control("quiet", quiet);
            control("irq", irq);
            control("s_axil_awready", awready);
            control("s_axil_wready", wready);
            control("s_axil_arready", arready);
            control("s_axil_bvalid", bvalid);
            control("s_axil_rvalid", rvalid);
            control("s_axis_walk_tready", walk_ready);
            control("s_axis_drv_tready", op_ready);
            control("s_axis_range_tready", range_ready);
            control("m_axis_decision_tvalid", decision_valid);
            control("m_axis_rit_tvalid", rit_valid);
            control("m_axis_rit_tlast", rit_last);
            control("m_axis_hir_tvalid", hir_valid);
            control("m_axis_hir_tlast", hir_last);
            control("m_axis_xfer_tvalid", xfer_valid);
            control("m_axis_xfer_tlast", xfer_last);
            control("m_frame_ar_valid", ar_valid);
            control("m_frame_w_valid", w_valid);
            beat("s_axil_bresp", bvalid, ^bresp);
            beat("s_axil_rresp", rvalid, ^rresp);
            beat("s_axil_rdata", rvalid, ^rdata);
            beat("m_axis_decision_tdata", decision_valid, ^decision);
            beat("m_axis_rit_tdata", rit_valid, ^rit);
            beat("m_axis_hir_tdata", hir_valid, ^hir);
            beat("m_axis_xfer_tdata", xfer_valid, ^xfer);
            reserved("m_axis_decision_tdata", decision_valid, decision >> DEC_BITS);
            reserved("m_axis_rit_tdata", rit_valid, rit >> RIT_BITS);
            reserved("m_axis_hir_tdata", hir_valid, hir >> HIR_BITS);
            reserved("m_axis_xfer_tdata", xfer_valid, xfer >> XFER_BITS);
            beat("m_frame_ar_addr", ar_valid, ^ar_addr);
            beat("m_frame_w_addr", w_valid, ^w_addr);
            beat("m_frame_w_data", w_valid, ^w_data);
            if (unit_rst && ar_valid)
                fail("m_frame_ar_valid is 1 in reset");
            if (unit_rst && w_valid)
                fail("m_frame_w_valid is 1 in reset");
            if (unit_rst && !was_rst && !rst && (reads_done != reads_asked || writes_done != writes_asked))
                fail("a reset by a register begins too early");
            if (ar_waited && !rst && !(ar_valid && ar_addr === ar_was))
                fail("a read at m_frame_ar was taken back");
            if (w_waited && !rst && !(w_valid && {w_addr, w_data} === w_was))
                fail("a write at m_frame_w was taken back");
            was_rst   <= unit_rst;
            ar_waited <= ar_valid && !ar_ready && !rst;
            w_waited  <= w_valid && !w_ready && !rst;
            ar_was    <= ar_addr;
            w_was     <= {w_addr, w_data};
        end
    end

    // ======== TEST_EN: no clock rests
    wire [6:0] clocks = {`UNIT.clk_main, `UNIT.clk_learn, `UNIT.clk_export, `UNIT.clk_faults, `UNIT.clk_search, `UNIT.clk_ppuc,
                         `UNIT.range_port.g_ranges.gated};
    integer rested = 0; // cycles in which a clock rested
    always @(posedge clk)
        if (known) begin
            #1;
            if (clocks !== 7'h7F)
                rested = rested + 1;
            if (TEST_EN != 0 && rested != 0)
                fail("a clock rests in the scan test");
        end

    // ======== the memory: answers in order, 2 to 20 cycles later, or more behind others; amid traffic 20 to 80, so that a reset
    // finds some under way
    localparam ASKED = 64; // requests under way: a power of two, more than FRAMES and LINES together
    reg [WORD_BITS-1:0] word [0:FRAMES-1];
    reg [FRAME_W-1:0]   read_at [0:ASKED-1];
    reg [FRAME_W-1:0]   write_at [0:ASKED-1];
    reg [WORD_BITS-1:0] write_of [0:ASKED-1];
    integer             read_due [0:ASKED-1];
    integer             write_due [0:ASKED-1];
    integer             seed = 1;
    wire                memory_rst = MEMORY != 0 && unit_rst;
    function integer time_of(input slow); // (changes `seed`)
        time_of = slow ? 20 + $unsigned($random(seed)) % 60 : 1 + $unsigned($random(seed)) % 19;
    endfunction
    function chance(input integer permille);
        chance = $unsigned($random(seed)) % 1000 < permille;
    endfunction
    always @(posedge clk) begin
        r_valid <= 1'b0;
        r_data  <= {WORD_BITS{1'bx}};
        b_valid <= 1'b0;
        if (reads_done != reads_asked && read_due[reads_done % ASKED] <= cycle) begin
            r_valid    <= 1'b1;
            r_data     <= word[read_at[reads_done % ASKED]];
            reads_done  = reads_done + 1;
        end
        if (writes_done != writes_asked && write_due[writes_done % ASKED] <= cycle) begin
            b_valid     <= 1'b1;
            word[write_at[writes_done % ASKED]] = write_of[writes_done % ASKED];
            writes_done = writes_done + 1;
        end
        if (known && ar_valid && ar_ready) begin
            read_at[reads_asked % ASKED]  = ar_addr;
            read_due[reads_asked % ASKED] = cycle + time_of(traffic);
            reads_asked = reads_asked + 1;
        end
        if (known && w_valid && w_ready) begin
            write_at[writes_asked % ASKED]  = w_addr;
            write_of[writes_asked % ASKED]  = w_data;
            write_due[writes_asked % ASKED] = cycle + time_of(traffic);
            writes_asked = writes_asked + 1;
        end
        ar_ready <= chance(600);
        w_ready  <= chance(600);
        if (memory_rst) begin
            reads_done   = reads_asked;
            writes_done  = writes_asked;
            r_valid     <= 1'b0;
            b_valid     <= 1'b0;
            ar_ready    <= 1'b0;
            w_ready     <= 1'b0;
        end
    end

    // ======== traffic at random, until the unit is in reset; and the outputs, which are taken or not
    reg  [DEC_TDATA-1:0]   came [0:15]; // decisions that no step has looked at
    integer                came_in = 0;
    integer                came_out = 0;
    reg                    drops = 1'b0; // nobody looks at them
    always @(posedge clk) begin
        if (decision_valid && decision_ready && known && !drops) begin
            came[came_in % 16] = decision;
            came_in = came_in + 1;
            decisions = decisions + 1;
        end
    end
    always @(negedge clk) begin
        decision_ready = chance(700);
        rit_ready      = chance(700);
        hir_ready      = chance(700);
        xfer_ready     = chance(700);
        if (traffic && unit_rst === 1'b1) begin
            traffic     = 1'b0;
            walk_valid  = 1'b0;
            op_valid    = 1'b0;
            range_valid = 1'b0;
        end else if (traffic) begin
            if (!walk_valid || walk_taken) begin
                walk_valid = chance(600);
                walk       = {{WALK_BITS{1'b0}}, $random(seed), $random(seed)};
                walk[WALK_VPN_O +: VPN_W]   = $random(seed) & 31;
                walk[WALK_REF_O +: REF_W]   = $random(seed) & 7;
                walk[WALK_ASID_O +: ASID_W] = $random(seed) & 1;
                walk[WALK_FAULT_O]          = chance(400);
                walk[WALK_FRAME_O +: FRAME_W] = $random(seed);
            end
            if (!op_valid || op_taken) begin
                op_valid = chance(300);
                op       = {{DRV_BITS{1'b0}}, $random(seed), $random(seed)};
                op[DRV_OP_O +: 4]           = 1 + $unsigned($random(seed)) % 10;
                op[DRV_ASID_O +: ASID_W]    = $random(seed) & 1;
                op[DRV_VPN_O +: VPN_W]      = $random(seed) & 31;
                op[DRV_RETURNS_O]           = 1'b0;
            end
            if (!range_valid || range_taken) begin
                range_valid = RANGES != 0 && chance(300);
                range       = {RANGE_BITS{1'b0}};
                range[RANGE_OP_O +: RANGE_OP_W]       = $unsigned($random(seed)) % 11;
                range[RANGE_TAG_O +: RANGE_TAG_W]     = $random(seed);
                range[RANGE_START_O +: RANGE_START_W] = ($random(seed) & 31) << 6;
                range[RANGE_LAST_O +: RANGE_LAST_W]   = range[RANGE_START_O +: RANGE_START_W] + 63;
            end
        end
    end
    // what was taken at the rising edge before
    reg walk_taken = 1'b0;
    reg op_taken = 1'b0;
    reg range_taken = 1'b0;
    always @(posedge clk) begin
        walk_taken  <= walk_valid && walk_ready;
        op_taken    <= op_valid && op_ready;
        range_taken <= range_valid && range_ready;
    end

    // ======== steps
    integer         fd;
    integer         from;  // the cycle in which the step began
    integer         found;
    integer         i;
    reg [7:0]       letter;
    reg [31:0]      at;
    reg [31:0]      mask;
    reg [31:0]      data;
    reg [31:0]      got;
    reg [WIDE-1:0]  wide;
    reg [WIDE-1:0]  of_interest;
    reg             again;
    task wait_long(input [8*40-1:0] what); // another cycle, but not too many
        begin
            if (cycle - from > LIMIT)
                fail(what);
            @(negedge clk);
        end
    endtask
    task bus_write(input [11:0] address, input [31:0] value);
        begin
            awaddr  = address;
            wdata   = value;
            awvalid = 1'b1;
            wvalid  = 1'b1;
            while (awvalid || wvalid) begin
                #1;
                again = awready && wready; // both are taken in this cycle
                wait_long("s_axil_awready stays 0");
                if (again) begin
                    awvalid = 1'b0;
                    wvalid  = 1'b0;
                end
            end
            while (!bvalid)
                wait_long("s_axil_bvalid stays 0");
            got = bresp;
            @(negedge clk);
        end
    endtask
    task bus_read(input [11:0] address);
        begin
            araddr  = address;
            arvalid = 1'b1;
            while (arvalid) begin
                #1;
                again = arready;
                wait_long("s_axil_arready stays 0");
                if (again)
                    arvalid = 1'b0;
            end
            while (!rvalid)
                wait_long("s_axil_rvalid stays 0");
            got = rdata;
            @(negedge clk);
        end
    endtask

    initial begin
        if (!$value$plusargs("case=%s", name))
            name = "case";
        if (!$value$plusargs("steps=%s", file))
            fail("found no +steps=FILE");
        fd = $fopen(file, "r");
        if (fd == 0)
            fail("cannot read the file of steps");
        // as at power-up: what comes from outside is known, as the integrator ties it
        rst         = 1'b0;
        awaddr      = 12'd0;
        araddr      = 12'd0;
        wdata       = 32'd0;
        awvalid     = 1'b0;
        wvalid      = 1'b0;
        arvalid     = 1'b0;
        bready      = 1'b1;
        rready      = 1'b1;
        walk        = 0;
        op          = 0;
        range       = 0;
        walk_valid  = 1'b0;
        op_valid    = 1'b0;
        range_valid = 1'b0;
        letter      = 8'd0;
        repeat (3) @(negedge clk);
        while (letter != ".") begin
            found = $fscanf(fd, " %c", letter);
            if (found != 1)
                fail("found no end of the steps");
            steps = steps + 1;
            from  = cycle;
            case (letter)
                "W": begin
                    found = $fscanf(fd, "%h %h", at, data);
                    bus_write(at[11:0], data);
                    if (got != 0)
                        fail("a write was refused");
                end
                "C": begin
                    found = $fscanf(fd, "%h %h", at, data);
                    bus_read(at[11:0]);
                    if (got !== data)
                        $fatal(1, "FAIL %0s: cycle %0d, step %0d: read %h at %h, expected %h", name, cycle, steps, got, at, data);
                end
                "P": begin
                    found = $fscanf(fd, "%h %h %h", at, mask, data);
                    bus_read(at[11:0]);
                    while ((got & mask) !== data) begin
                        wait_long("a bit of the status stays as it is");
                        bus_read(at[11:0]);
                    end
                end
                "A":
                    for (i = 0; i < 260; i = i + 1) // the map, and some beyond
                        bus_read({i[9:0], 2'b00});
                "k": begin
                    found = $fscanf(fd, "%h", wide);
                    walk       = wide[WALK_BITS-1:0];
                    walk_valid = 1'b1;
                    while (walk_valid) begin
                        #1;
                        again = walk_ready;
                        wait_long("s_axis_walk_tready stays 0");
                        if (again)
                            walk_valid = 1'b0;
                    end
                end
                "d": begin
                    found = $fscanf(fd, "%h", wide);
                    op       = wide[DRV_BITS-1:0];
                    op_valid = 1'b1;
                    while (op_valid) begin
                        #1;
                        again = op_ready;
                        wait_long("s_axis_drv_tready stays 0");
                        if (again)
                            op_valid = 1'b0;
                    end
                end
                "x": begin
                    found = $fscanf(fd, "%h", wide);
                    range       = wide[RANGE_BITS-1:0];
                    range_valid = 1'b1;
                    while (range_valid) begin
                        #1;
                        again = range_ready;
                        wait_long("s_axis_range_tready stays 0");
                        if (again)
                            range_valid = 1'b0;
                    end
                end
                "q": begin
                    if (came_in != came_out)
                        fail("found a decision that the C model does not make");
                    @(negedge clk);
                    while (!quiet)
                        wait_long("quiet stays 0");
                end
                "e": begin
                    found = $fscanf(fd, "%h %h", of_interest, wide);
                    if (came_in == came_out)
                        fail("found no decision, expected one");
                    if ((came[came_out % 16] & of_interest[DEC_TDATA-1:0]) !== wide[DEC_TDATA-1:0])
                        $fatal(1, "FAIL %0s: cycle %0d, step %0d: found decision %h, expected %h where the mask is %h", name, cycle, steps,
                               came[came_out % 16], wide[DEC_TDATA-1:0], of_interest[DEC_TDATA-1:0]);
                    came_out = came_out + 1;
                end
                "n": begin
                    found = $fscanf(fd, "%h", at);
                    traffic = 1'b1;
                    drops   = 1'b1;
                    repeat (at) @(negedge clk);
                end
                "S": begin
                    found = $fscanf(fd, "%h", data);
                    bus_write(12'h008, data);
                    if (got != 0)
                        fail("a reset was refused");
                    got = 32'd2;
                    while (got[1])
                        bus_read(12'h00C);
                    drops    = 1'b0;
                    came_out = came_in;
                end
                "H": begin
                    found = $fscanf(fd, "%h", at);
                    rst   = 1'b1;
                    repeat (at) @(negedge clk);
                    // a memory without a reset comes to rest before the unit's ends
                    while (reads_done != reads_asked || writes_done != writes_asked || r_valid === 1'b1 || b_valid === 1'b1)
                        wait_long("the memory does not come to rest");
                    rst      = 1'b0;
                    @(negedge clk);
                    drops    = 1'b0;
                    came_out = came_in;
                end
                ".": ;
                default: fail("found a step that is none");
            endcase
        end
        if (came_in != came_out)
            fail("found a decision that the C model does not make");
`ifdef GMMU_CLK_GATE
        if (TEST_EN == 0 && rested == 0)
            fail("no clock ever rests");
`endif
        $display("PASS %0s: %0d cycles, %0d steps, %0d decisions, %0d valid beats", name, cycle, steps, decisions, beats);
        $finish;
    end
endmodule
`default_nettype wire
