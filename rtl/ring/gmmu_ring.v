// SPDX-License-Identifier: Apache-2.0
// gmmu_ring: the unit's streams as rings in memory, or as windows of registers, for a driver in software (docs/reference/blocks/ring.md).
//
//   decision, xfer, hir, rit ─► ring_out ─► ring_writer ─► AW, W    `ring_out`, `ring_in`: pointers and registers of a channel
//                                  ▲            └─ TAIL ◄─ B
//                bus ─► words ◄────┤
//                                  ▼
//              drv, range ◄──── ring_in ◄──── ring_fetcher ◄─► AR, R
`default_nettype none
`include "gmmu_config.vh"
module gmmu_ring #(
/* verilator lint_off UNUSEDPARAM */ // the block needs the widths of beats alone
`include "gmmu_parameters.vh" // sizes, of config/gmmu.json
/* verilator lint_on UNUSEDPARAM */
    parameter RING_ADDR_W = 64, // bits of an address in memory, 32 to 64
    parameter RING_DATA_W = 64, // bits of the data bus: 32, 64 or 128
    parameter RING_WRITES = 8,  // entries under way to memory, 1 to 32
    parameter RING_OPS    = 8,  // operations of a channel that are read ahead; a power of two, 2 to 16
`include "gmmu_derived.vh" // sizes that follow from these
) (
    input  wire                   clk,
    input  wire                   rst,
    // resets by a register of csr
    input  wire                   unit_rst,               // the unit is in reset; the channels are as after their own resets
    input  wire                   regs_rst,               // the registers are in reset, too
    input  wire                   stops,                  // a reset waits or is under way: nothing begins, and no register is written
    output wire                   rests,                  // nothing is under way in memory
    // a request of the bus, which has its answer two cycles later
    input  wire                   req_valid,              // a request comes in this cycle
    input  wire                   req_write,              // the request writes a word; else the request reads a word
    input  wire [9:0]             req_word,               // number of a word of the page
    input  wire [31:0]            req_data,               // the word that is written
    input  wire [3:0]             req_strb,               // byte strobes of the write
    output reg                    ans_valid,              // an answer is given in this cycle
    output reg                    ans_bad,                // the word cannot be read or written, and nothing has changed
    output reg  [31:0]            ans_data,               // the word that is read; 0 if the answer is bad or the request wrote
    output reg                    irq,                    // an enabled status bit of a channel is set
    output wire                   idle,                   // nothing is under way in memory, and no operation waits for the unit
    // streams from the unit
    input  wire [DEC_TDATA-1:0]   s_axis_decision_tdata,  // a decision, a beat of m_axis_decision
    input  wire                   s_axis_decision_tvalid, // a decision is offered
    output wire                   s_axis_decision_tready, // the ring takes the decision
    input  wire [XFER_TDATA-1:0]  s_axis_xfer_tdata,      // a transfer or an answer, a beat of m_axis_xfer
    input  wire                   s_axis_xfer_tlast,      // the beat of xfer is the last of its packet
    input  wire                   s_axis_xfer_tvalid,     // a transfer or an answer is offered
    output wire                   s_axis_xfer_tready,     // the ring takes the transfer or answer
    input  wire [RIT_TDATA-1:0]   s_axis_rit_tdata,       // a beat of records, a beat of m_axis_rit
    input  wire                   s_axis_rit_tlast,       // the beat of rit is the last of its packet
    input  wire                   s_axis_rit_tvalid,      // a beat of records is offered
    output wire                   s_axis_rit_tready,      // the ring takes the beat of records
    input  wire [HIR_TDATA-1:0]   s_axis_hir_tdata,       // a beat of hit records, a beat of m_axis_hir
    input  wire                   s_axis_hir_tlast,       // the beat of hir is the last of its packet
    input  wire                   s_axis_hir_tvalid,      // a beat of hit records is offered
    output wire                   s_axis_hir_tready,      // the ring takes the beat of hit records
    // streams to the unit
    output wire [DRV_TDATA-1:0]   m_axis_drv_tdata,       // a driver operation, a beat of s_axis_drv
    output wire                   m_axis_drv_tvalid,      // a driver operation is offered
    input  wire                   m_axis_drv_tready,      // the unit takes the driver operation
    output wire [RANGE_TDATA-1:0] m_axis_range_tdata,     // a range operation, a beat of s_axis_range
    output wire                   m_axis_range_tvalid,    // a range operation is offered
    input  wire                   m_axis_range_tready,    // the unit takes the range operation
    // memory: an AXI4 manager (ARM IHI 0022) with one ID; bursts INCR, beats of the bus' width
    output wire                   m_axi_awid,             // 0
    output wire [RING_ADDR_W-1:0] m_axi_awaddr,           // address of the entry
    output wire [7:0]             m_axi_awlen,            // beats of the entry, less one
    output wire [2:0]             m_axi_awsize,           // log2 of the bytes of a beat
    output wire [1:0]             m_axi_awburst,          // INCR
    output wire                   m_axi_awlock,           // 0
    output wire [3:0]             m_axi_awcache,          // normal memory, bufferable
    output wire [2:0]             m_axi_awprot,           // data, not secure, not privileged
    output wire [3:0]             m_axi_awqos,            // 0
    output wire                   m_axi_awvalid,          // a write address is offered
    input  wire                   m_axi_awready,          // the write address is taken
    output wire [RING_DATA_W-1:0] m_axi_wdata,            // data of the entry
    output wire [RING_DATA_W/8-1:0] m_axi_wstrb,          // all bytes are written
    output wire                   m_axi_wlast,            // the beat is the last of the entry
    output wire                   m_axi_wvalid,           // a beat of the entry is offered
    input  wire                   m_axi_wready,           // the beat is taken
    input  wire                   m_axi_bid,              // ID of the answer; ignored
    input  wire [1:0]             m_axi_bresp,            // answer to the oldest entry: 0 OKAY
    input  wire                   m_axi_bvalid,           // an answer to a write is offered
    output wire                   m_axi_bready,           // 1
    output wire                   m_axi_arid,             // 0
    output wire [RING_ADDR_W-1:0] m_axi_araddr,           // address of the burst
    output wire [7:0]             m_axi_arlen,            // beats of the burst, less one
    output wire [2:0]             m_axi_arsize,           // log2 of the bytes of a beat
    output wire [1:0]             m_axi_arburst,          // INCR
    output wire                   m_axi_arlock,           // 0
    output wire [3:0]             m_axi_arcache,          // normal memory, bufferable
    output wire [2:0]             m_axi_arprot,           // data, not secure, not privileged
    output wire [3:0]             m_axi_arqos,            // 0
    output wire                   m_axi_arvalid,          // a read address is offered
    input  wire                   m_axi_arready,          // the read address is taken
    input  wire                   m_axi_rid,              // ID of the data; ignored
    input  wire [RING_DATA_W-1:0] m_axi_rdata,            // data of the burst
    input  wire [1:0]             m_axi_rresp,            // answer to the beat: 0 OKAY
    input  wire                   m_axi_rlast,            // the beat is the last of the burst
    input  wire                   m_axi_rvalid,           // a beat of the burst is offered
    output wire                   m_axi_rready            // 1
);
`include "gmmu_streams.vh"

    // log2 of the bytes of an entry: a beat and its last byte
    localparam DEC_K   = DEC_TDATA < 128 ? 4 : $clog2(DEC_TDATA / 8 + 1);
    localparam XFER_K  = XFER_TDATA < 128 ? 4 : $clog2(XFER_TDATA / 8 + 1);
    localparam RIT_K   = RIT_TDATA < 128 ? 4 : $clog2(RIT_TDATA / 8 + 1);
    localparam HIR_K   = HIR_TDATA < 128 ? 4 : $clog2(HIR_TDATA / 8 + 1);
    localparam DRV_K   = DRV_TDATA < 128 ? 4 : $clog2(DRV_TDATA / 8 + 1);
    localparam RANGE_K = RANGE_TDATA < 128 ? 4 : $clog2(RANGE_TDATA / 8 + 1);
    localparam OUT_A   = DEC_K > XFER_K ? DEC_K : XFER_K;
    localparam OUT_B   = RIT_K > HIR_K ? RIT_K : HIR_K;
    localparam OUT_K   = OUT_A > OUT_B ? OUT_A : OUT_B;   // of the longest entry of out channels
    localparam IN_K    = DRV_K > RANGE_K ? DRV_K : RANGE_K; // of the longest entry of in channels
    localparam OUT_BITS = 8 << OUT_K;
    localparam IN_BITS  = 8 << IN_K;
    localparam B       = $clog2(RING_DATA_W / 8);         // log2 of the bytes of a beat of the bus

    // An unknown module stops every tool at elaboration, with its name as the reason.
    generate
        if (RING_ADDR_W < 32 || RING_ADDR_W > 64) begin : g_bad_addr
            RING_ADDR_W_must_be_32_to_64 stop_here();
        end
        if (RING_DATA_W != 32 && RING_DATA_W != 64 && RING_DATA_W != 128) begin : g_bad_data
            RING_DATA_W_must_be_32_or_64_or_128 stop_here();
        end
        if (RING_WRITES < 1 || RING_WRITES > 32) begin : g_bad_writes
            RING_WRITES_must_be_1_to_32 stop_here();
        end
        if (RING_OPS < 2 || RING_OPS > 16 || (RING_OPS & (RING_OPS - 1)) != 0) begin : g_bad_ops
            RING_OPS_must_be_a_power_of_two_2_to_16 stop_here();
        end
        if (OUT_K > 6 || IN_K > 6) begin : g_bad_entry
            an_entry_has_more_than_64_bytes stop_here();
        end
    endgenerate

    // ======== the bus: a request is executed in the cycle behind, and answered another cycle later
    reg         r_valid;                                         // a request is executed
    reg         r_write;                                         // the request writes
    reg  [9:0]  r_at;                                            // {channel, word in the channel}; the first four words of the page are the last ones here
    reg  [31:0] r_data;                                          // the word that is written
    reg  [3:0]  r_strb;                                          // byte strobes of the write
    wire [31:0] r_mask  = {{8{r_strb[3]}}, {8{r_strb[2]}}, {8{r_strb[1]}}, {8{r_strb[0]}}}; // bits of strobed bytes are 1
    wire        write   = r_write && !stops;                     // the request may write
    wire        common  = r_at[9:2] == 8'hff;                    // the word is one of the page's first four
    wire        all_irq = r_at == 10'h1fc;                       // the word is RING_IRQ
    reg  [5:0]  sel;                                             // a bit for each channel: the request is to it
    wire [5:0]  bad;                                             // a bit for each channel: the word cannot be written
    wire [5:0]  asks;                                            // a bit for each channel: an enabled status bit is set
    wire [31:0] read_decision;                                   // word of decision
    wire [31:0] read_xfer;                                       // word of xfer
    wire [31:0] read_rit;                                        // word of rit
    wire [31:0] read_hir;                                        // word of hir
    wire [31:0] read_drv;                                        // word of drv
    wire [31:0] read_range;                                      // word of range
    wire        real_word = common || all_irq || r_at[9:6] < 4'd6; // the word can be read
    wire        ok        = r_write ? !stops && r_at[9:6] < 4'd6 && (sel & bad) == 6'd0 : real_word; // the request can be executed
    integer c;
    always @* for (c = 0; c < 6; c = c + 1) sel[c] = r_valid && r_at[9:6] == c[3:0];
    always @(posedge clk) begin
        r_valid   <= req_valid && !rst;
        r_write   <= req_write;
        r_at      <= req_word - 10'd4;
        r_data    <= req_data;
        r_strb    <= req_strb;
        ans_valid <= r_valid && !rst;
        ans_bad   <= !ok;
        case (r_at[9:6])
            4'd0: ans_data <= read_decision;
            4'd1: ans_data <= read_xfer;
            4'd2: ans_data <= read_rit;
            4'd3: ans_data <= read_hir;
            4'd4: ans_data <= read_drv;
            4'd5: ans_data <= read_range;
            4'd7: ans_data <= {26'd0, asks};
            default: ans_data <= r_at[1:0] == 2'd0 ? 32'h00000601 : r_at[1:0] == 2'd2 ? 32'h00000100 : 32'd0;
        endcase
        if (!ok || r_write) ans_data <= 32'd0;
        irq <= asks != 6'd0 && !unit_rst && !rst;
    end

    wire all_rst = rst || (unit_rst && regs_rst); // all registers of the channels are reset

    // ======== channels from the unit: the writer's turn goes to decision, xfer, hir, rit, in this order
    wire                   writer_ready;   // the writer takes an entry
    wire                   writer_rests;   // no entry is under way
    wire                   turn = writer_ready && !stops; // a channel has the turn
    wire [3:0]             wants;          // a bit for each out channel: a beat wants the turn
    wire [3:0]             takes;          // a bit for each out channel: a beat becomes an entry
    wire [3:0]             done;           // a bit for each out channel: memory has answered an entry
    wire                   done_ok;        // memory has the entry
    wire [RING_ADDR_W-1:0] decision_base;  // address of decision's ring
    wire [RING_ADDR_W-1:0] xfer_base;      // address of xfer's ring
    wire [RING_ADDR_W-1:0] rit_base;       // address of rit's ring
    wire [RING_ADDR_W-1:0] hir_base;       // address of hir's ring
    wire [15:0]            decision_put;   // number of decision's next entry
    wire [15:0]            xfer_put;       // number of xfer's next entry
    wire [15:0]            rit_put;        // number of rit's next entry
    wire [15:0]            hir_put;        // number of hir's next entry
    wire [(8<<DEC_K)-1:0]  decision_entry; // decision's next entry
    wire [(8<<XFER_K)-1:0] xfer_entry;     // xfer's next entry
    wire [(8<<RIT_K)-1:0]  rit_entry;      // rit's next entry
    wire [(8<<HIR_K)-1:0]  hir_entry;      // hir's next entry


    gmmu_ring_out #(
        .PACKETS(0),
        .DROPS(0),
        .BITS(DEC_TDATA),
        .K(DEC_K),
        .ADDR_W(RING_ADDR_W)
    ) decision (
        .clk(clk),
        .rst(all_rst),
        .clear(unit_rst),
        .stops(stops),
        .sel(sel[0]),
        .write(write),
        .at(r_at[5:0]),
        .data(r_data),
        .strb(r_strb),
        .mask(r_mask),
        .read(read_decision),
        .bad(bad[0]),
        .irq(asks[0]),
        .s_tdata(s_axis_decision_tdata),
        .s_tlast(1'b1),
        .s_tvalid(s_axis_decision_tvalid),
        .s_tready(s_axis_decision_tready),
        .wants(wants[0]),
        .turn(turn),
        .takes(takes[0]),
        .entry(decision_entry),
        .base(decision_base),
        .put(decision_put),
        .done(done[0]),
        .done_ok(done_ok)
    );
    generate
        if (RANGES != 0) begin : g_xfer
            gmmu_ring_out #(
                .PACKETS(1),
                .DROPS(0),
                .BITS(XFER_TDATA),
                .K(XFER_K),
                .ADDR_W(RING_ADDR_W)
            ) xfer (
                .clk(clk),
                .rst(all_rst),
                .clear(unit_rst),
                .stops(stops),
                .sel(sel[1]),
                .write(write),
                .at(r_at[5:0]),
                .data(r_data),
                .strb(r_strb),
                .mask(r_mask),
                .read(read_xfer),
                .bad(bad[1]),
                .irq(asks[1]),
                .s_tdata(s_axis_xfer_tdata),
                .s_tlast(s_axis_xfer_tlast),
                .s_tvalid(s_axis_xfer_tvalid),
                .s_tready(s_axis_xfer_tready),
                .wants(wants[1]),
                .turn(turn && !wants[0]),
                .takes(takes[1]),
                .entry(xfer_entry),
                .base(xfer_base),
                .put(xfer_put),
                .done(done[1]),
                .done_ok(done_ok)
            );
        end else begin : g_no_xfer
            assign {read_xfer, bad[1], asks[1], s_axis_xfer_tready, wants[1], takes[1]} = {32'd0, 5'b10000};
            assign {xfer_entry, xfer_base, xfer_put} = {(8<<XFER_K)+RING_ADDR_W+16{1'b0}};
            wire unused_xfer = &{1'b0, s_axis_xfer_tdata, s_axis_xfer_tlast, s_axis_xfer_tvalid, sel[1], done[1]};
        end
    endgenerate

    gmmu_ring_out #(
        .PACKETS(1),
        .DROPS(1),
        .BITS(RIT_TDATA),
        .K(RIT_K),
        .N_O(RIT_HEAD_N_O),
        .N_W(RIT_HEAD_N_W),
        .ADDR_W(RING_ADDR_W)
    ) rit (
        .clk(clk),
        .rst(all_rst),
        .clear(unit_rst),
        .stops(stops),
        .sel(sel[2]),
        .write(write),
        .at(r_at[5:0]),
        .data(r_data),
        .strb(r_strb),
        .mask(r_mask),
        .read(read_rit),
        .bad(bad[2]),
        .irq(asks[2]),
        .s_tdata(s_axis_rit_tdata),
        .s_tlast(s_axis_rit_tlast),
        .s_tvalid(s_axis_rit_tvalid),
        .s_tready(s_axis_rit_tready),
        .wants(wants[2]),
        .turn(turn && !wants[0] && !wants[1] && !wants[3]),
        .takes(takes[2]),
        .entry(rit_entry),
        .base(rit_base),
        .put(rit_put),
        .done(done[2]),
        .done_ok(done_ok)
    );

    gmmu_ring_out #(
        .PACKETS(1),
        .DROPS(1),
        .BITS(HIR_TDATA),
        .K(HIR_K),
        .N_O(HIR_HEAD_N_O),
        .N_W(HIR_HEAD_N_W),
        .ADDR_W(RING_ADDR_W)
    ) hir (
        .clk(clk),
        .rst(all_rst),
        .clear(unit_rst),
        .stops(stops),
        .sel(sel[3]),
        .write(write),
        .at(r_at[5:0]),
        .data(r_data),
        .strb(r_strb),
        .mask(r_mask),
        .read(read_hir),
        .bad(bad[3]),
        .irq(asks[3]),
        .s_tdata(s_axis_hir_tdata),
        .s_tlast(s_axis_hir_tlast),
        .s_tvalid(s_axis_hir_tvalid),
        .s_tready(s_axis_hir_tready),
        .wants(wants[3]),
        .turn(turn && !wants[0] && !wants[1]),
        .takes(takes[3]),
        .entry(hir_entry),
        .base(hir_base),
        .put(hir_put),
        .done(done[3]),
        .done_ok(done_ok)
    );

    // ======== the writer
    wire [OUT_BITS-1:0]    entry = ({OUT_BITS{takes[0]}} & {{OUT_BITS-(8<<DEC_K){1'b0}}, decision_entry})
                                 | ({OUT_BITS{takes[1]}} & {{OUT_BITS-(8<<XFER_K){1'b0}}, xfer_entry})
                                 | ({OUT_BITS{takes[2]}} & {{OUT_BITS-(8<<RIT_K){1'b0}}, rit_entry})
                                 | ({OUT_BITS{takes[3]}} & {{OUT_BITS-(8<<HIR_K){1'b0}}, hir_entry}); // the entry that is taken

    wire [RING_ADDR_W-1:0] base  = ({RING_ADDR_W{takes[0]}} & decision_base)
                                 | ({RING_ADDR_W{takes[1]}} & xfer_base)
                                 | ({RING_ADDR_W{takes[2]}} & rit_base)
                                 | ({RING_ADDR_W{takes[3]}} & hir_base); // address of its channel's ring
    wire [21:0]            place = ({22{takes[0]}} & ({6'd0, decision_put} << DEC_K))
                                 | ({22{takes[1]}} & ({6'd0, xfer_put} << XFER_K))
                                 | ({22{takes[2]}} & ({6'd0, rit_put} << RIT_K))
                                 | ({22{takes[3]}} & ({6'd0, hir_put} << HIR_K)); // its place there, in bytes
    wire [4:0]             beats = (takes[0] ? 5'd1 << (DEC_K - B) : 5'd0)
                                 | (takes[1] ? 5'd1 << (XFER_K - B) : 5'd0)
                                 | (takes[2] ? 5'd1 << (RIT_K - B) : 5'd0)
                                 | (takes[3] ? 5'd1 << (HIR_K - B) : 5'd0); // its beats
    wire [3:0]             last_beat = beats[3:0] - 4'd1; // its beats, less one
    wire [3:0]             awlen;          // beats of the entry on AW, less one
    gmmu_ring_writer #(
        .CHANNELS(4),
        .BYTES(1 << OUT_K),
        .WRITES(RING_WRITES),
        .ADDR_W(RING_ADDR_W),
        .DATA_W(RING_DATA_W)
    ) writer (
        .clk(clk),
        .rst(rst),
        .ready(writer_ready),
        .rests(writer_rests),
        .load(takes),
        .entry(entry),
        .base(base),
        .place(place),
        .last_beat(last_beat),
        .done(done),
        .done_ok(done_ok),
        .m_axi_awaddr(m_axi_awaddr),
        .m_axi_awlen(awlen),
        .m_axi_awvalid(m_axi_awvalid),
        .m_axi_awready(m_axi_awready),
        .m_axi_wdata(m_axi_wdata),
        .m_axi_wlast(m_axi_wlast),
        .m_axi_wvalid(m_axi_wvalid),
        .m_axi_wready(m_axi_wready),
        .m_axi_bresp(m_axi_bresp),
        .m_axi_bvalid(m_axi_bvalid)
    );
    assign m_axi_awlen = {4'd0, awlen};

    // ======== channels to the unit: drv is read before range
    wire                   fetcher_ready;  // no burst is under way
    wire [1:0]             reads;          // {range, drv}: operations are to be read
    wire [1:0]             holds;          // {range, drv}: an operation waits for the unit
    wire                   may_pick   = fetcher_ready && !stops;               // a burst may begin
    wire                   pick_drv   = may_pick && reads[0];                  // a burst of drv begins
    wire                   pick_range = may_pick && reads[1] && !reads[0];     // a burst of range begins
    wire [RING_ADDR_W-1:0] drv_base;       // address of drv's ring
    wire [RING_ADDR_W-1:0] range_base;     // address of range's ring
    wire [15:0]            drv_from;       // drv's entry that is read next
    wire [15:0]            range_from;     // range's entry that is read next
    wire [15:0]            drv_tail;       // drv's entry behind the newest
    wire [15:0]            range_tail;     // range's entry behind the newest
    wire [15:0]            drv_size;       // entries of drv's ring
    wire [15:0]            range_size;     // entries of range's ring
    wire [4:0]             drv_places;     // operations that drv has places for
    wire [4:0]             range_places;   // operations that range has places for
    wire                   counted;        // the number of entries of the burst is known
    wire [4:0]             entries;        // entries of the burst
    wire                   push;           // an entry has come
    wire [IN_BITS-1:0]     word;           // the entry, in the high bytes
    wire                   ends;           // the burst is over
    wire                   ends_ok;        // all of the burst was OKAY

    gmmu_ring_in #(
        .BITS(DRV_TDATA),
        .K(DRV_K),
        .OPS(RING_OPS),
        .ADDR_W(RING_ADDR_W)
    ) drv (
        .clk(clk),
        .rst(all_rst),
        .clear(unit_rst || rst),
        .sel(sel[4]),
        .write(write),
        .at(r_at[5:0]),
        .data(r_data),
        .strb(r_strb),
        .mask(r_mask),
        .read(read_drv),
        .bad(bad[4]),
        .irq(asks[4]),
        .holds(holds[0]),
        .m_tdata(m_axis_drv_tdata),
        .m_tvalid(m_axis_drv_tvalid),
        .m_tready(m_axis_drv_tready),
        .wants(reads[0]),
        .pick(pick_drv),
        .base(drv_base),
        .from(drv_from),
        .tail(drv_tail),
        .size(drv_size),
        .places(drv_places),
        .counted(counted),
        .entries(entries),
        .push(push),
        .word(word[IN_BITS-(8<<DRV_K) +: DRV_TDATA]),
        .ends(ends),
        .ends_ok(ends_ok)
    );
    generate
        if (RANGES != 0) begin : g_range
            gmmu_ring_in #(
                .BITS(RANGE_TDATA),
                .K(RANGE_K),
                .OPS(RING_OPS),
                .ADDR_W(RING_ADDR_W)
            ) range (
                .clk(clk),
                .rst(all_rst),
                .clear(unit_rst || rst),
                .sel(sel[5]),
                .write(write),
                .at(r_at[5:0]),
                .data(r_data),
                .strb(r_strb),
                .mask(r_mask),
                .read(read_range),
                .bad(bad[5]),
                .irq(asks[5]),
                .holds(holds[1]),
                .m_tdata(m_axis_range_tdata),
                .m_tvalid(m_axis_range_tvalid),
                .m_tready(m_axis_range_tready),
                .wants(reads[1]),
                .pick(pick_range),
                .base(range_base),
                .from(range_from),
                .tail(range_tail),
                .size(range_size),
                .places(range_places),
                .counted(counted),
                .entries(entries),
                .push(push),
                .word(word[IN_BITS-(8<<RANGE_K) +: RANGE_TDATA]),
                .ends(ends),
                .ends_ok(ends_ok)
            );
        end else begin : g_no_range
            assign {read_range, bad[5], asks[5], holds[1], m_axis_range_tvalid, reads[1]} = {32'd0, 5'b10000};
            assign m_axis_range_tdata = {RANGE_TDATA{1'b0}};
            assign {range_base, range_from, range_tail, range_size, range_places} = {RING_ADDR_W+53{1'b0}};
            wire unused_range = &{1'b0, m_axis_range_tready, sel[5], pick_range};
        end
    endgenerate
    gmmu_ring_fetcher #(
        .BYTES(1 << IN_K),
        .ADDR_W(RING_ADDR_W),
        .DATA_W(RING_DATA_W)
    ) fetcher (
        .clk(clk),
        .rst(rst),
        .ready(fetcher_ready),
        .pick(pick_drv || pick_range),
        .pick_k(reads[0] ? DRV_K[2:0] : RANGE_K[2:0]),
        .base(reads[0] ? drv_base : range_base),
        .from(reads[0] ? drv_from : range_from),
        .tail(reads[0] ? drv_tail : range_tail),
        .size(reads[0] ? drv_size : range_size),
        .places(reads[0] ? drv_places : range_places),
        .counted(counted),
        .entries(entries),
        .push(push),
        .word(word),
        .ends(ends),
        .ends_ok(ends_ok),
        .m_axi_araddr(m_axi_araddr),
        .m_axi_arlen(m_axi_arlen),
        .m_axi_arvalid(m_axi_arvalid),
        .m_axi_arready(m_axi_arready),
        .m_axi_rdata(m_axi_rdata),
        .m_axi_rresp(m_axi_rresp),
        .m_axi_rlast(m_axi_rlast),
        .m_axi_rvalid(m_axi_rvalid)
    );

    // ======== rest, and what never changes on the bus of memory
    assign rests = writer_rests && fetcher_ready;
    assign idle  = rests && holds == 2'b00;
    assign m_axi_awid    = 1'b0;
    assign m_axi_awsize  = B[2:0];
    assign m_axi_awburst = 2'b01;
    assign m_axi_awlock  = 1'b0;
    assign m_axi_awcache = 4'b0011;
    assign m_axi_awprot  = 3'b010;
    assign m_axi_awqos   = 4'd0;
    assign m_axi_wstrb   = {RING_DATA_W/8{1'b1}};
    assign m_axi_bready  = 1'b1;
    assign m_axi_arid    = 1'b0;
    assign m_axi_arsize  = B[2:0];
    assign m_axi_arburst = 2'b01;
    assign m_axi_arlock  = 1'b0;
    assign m_axi_arcache = 4'b0011;
    assign m_axi_arprot  = 3'b010;
    assign m_axi_arqos   = 4'd0;
    assign m_axi_rready  = 1'b1;
    wire unused_ring = &{1'b0, m_axi_bid, m_axi_rid, beats, word, wants[2]};
endmodule
`default_nettype wire
