// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link: what a computer says over a serial line, done: accesses of registers, beats of streams (docs/blocks/uart_link.md).
//
//   in_ ─► packet_rx ─► request ─► operations, one after the other ─► m_axil_, m_axis_walk, m_axis_drv, m_axis_range
//   out_ ◄─ packet_tx ◄─ response ◄─ answers, and what comes from s_axis_decision, s_axis_rit, s_axis_hir, s_axis_xfer
//
// A request is done once: the same one again, by its sequence number, has the same response again.
`default_nettype none
module gmmu_uart_link #(
    parameter WALK_BITS  = 67,
    parameter DRV_BITS   = 67,
    parameter RANGE_BITS = 80,
    parameter DEC_BITS   = 200,
    parameter RIT_BITS   = 100,
    parameter HIR_BITS   = 54,
    parameter XFER_BITS  = 115,
    // of a request and of a response, heads of four among them; a power of two, at least 256
    parameter BYTES      = 512,
    // log2 of the cycles without progress after which an operation is given up
    parameter PATIENCE_W = 24,
    parameter CLK_HZ     = 60000000
) (
    input  wire                  clk, rst,
    // the serial line's bytes
    input  wire                  in_valid,
    input  wire [7:0]            in_data,
    output wire                  out_valid,
    input  wire                  out_ready,
    output wire [7:0]            out_data,
    // registers
    output wire [11:0]           m_axil_awaddr, m_axil_araddr,
    output wire [31:0]           m_axil_wdata,
    output reg                   m_axil_awvalid, m_axil_wvalid, m_axil_arvalid,
    input  wire                  m_axil_awready, m_axil_wready, m_axil_arready, m_axil_bvalid, m_axil_rvalid,
    input  wire [1:0]            m_axil_bresp, m_axil_rresp,
    output wire                  m_axil_bready, m_axil_rready,
    input  wire [31:0]           m_axil_rdata,
    // streams
    output wire [WALK_BITS-1:0]  m_axis_walk_tdata,
    output wire [DRV_BITS-1:0]   m_axis_drv_tdata,
    output wire [RANGE_BITS-1:0] m_axis_range_tdata,
    output reg                   m_axis_walk_tvalid, m_axis_drv_tvalid, m_axis_range_tvalid,
    input  wire                  m_axis_walk_tready, m_axis_drv_tready, m_axis_range_tready,
    input  wire [DEC_BITS-1:0]   s_axis_decision_tdata,
    input  wire [RIT_BITS-1:0]   s_axis_rit_tdata,
    input  wire [HIR_BITS-1:0]   s_axis_hir_tdata,
    input  wire [XFER_BITS-1:0]  s_axis_xfer_tdata,
    input  wire                  s_axis_decision_tvalid, s_axis_rit_tvalid, s_axis_hir_tvalid, s_axis_xfer_tvalid,
    input  wire                  s_axis_rit_tlast, s_axis_hir_tlast, s_axis_xfer_tlast,
    output wire                  s_axis_decision_tready, s_axis_rit_tready, s_axis_hir_tready, s_axis_xfer_tready,
    input  wire                  quiet,  // of the unit
    output wire                  active  // a request is being done or answered
);
    localparam ADDR_W = $clog2(BYTES);
    localparam WALK_N = (WALK_BITS + 7) / 8, DRV_N = (DRV_BITS + 7) / 8, RANGE_N = (RANGE_BITS + 7) / 8, DEC_N = (DEC_BITS + 7) / 8;
    localparam RIT_N = (RIT_BITS + 7) / 8, HIR_N = (HIR_BITS + 7) / 8, XFER_N = (XFER_BITS + 7) / 8;
    localparam IN_N = WALK_N > DRV_N ? (WALK_N > RANGE_N ? WALK_N : RANGE_N) : DRV_N > RANGE_N ? DRV_N : RANGE_N;
    localparam IN_BITS = 8 * (IN_N > 6 ? IN_N : 6); // an access of a register has 6 bytes
    generate
        if (BYTES < 256 || BYTES != 1 << ADDR_W || DEC_N > 120 || RIT_N > 120 || HIR_N > 120 || XFER_N > 120 || IN_N > 120) begin : g_bad
            BYTES_must_be_a_power_of_two_and_a_beat_at_most_half_of_256_bytes stop_here();
        end
    endgenerate

    // ======== packets and their buffers
    localparam [7:0] HELLO = 8'd0, RUN = 8'd1;
    wire              have, rx_we;
    wire [7:0]        seq, kind, byte_in, rx_wdata, tx_rdata;
    wire [ADDR_W:0]   size;
    wire [ADDR_W-1:0] rx_waddr, tx_raddr;
    wire              tx_re, sending;
    reg               take, send, rx_re, tx_we;
    reg  [ADDR_W:0]   rp, wp, answer; // next byte of the request, of the response; bytes of the response
    reg  [7:0]        tx_wdata;
    reg  [ADDR_W-1:0] tx_waddr;
    gmmu_packet_rx #(.BYTES(BYTES)) packet_rx (
        .clk(clk), .rst(rst), .in_valid(in_valid), .in_data(in_data), .we(rx_we), .waddr(rx_waddr), .wdata(rx_wdata), .have(have), .take(take),
        .seq(seq), .kind(kind), .size(size)
    );
    gmmu_packet_tx #(.BYTES(BYTES)) packet_tx (
        .clk(clk), .rst(rst), .send(send), .size(answer), .busy(sending), .re(tx_re), .raddr(tx_raddr), .rdata(tx_rdata), .out_valid(out_valid),
        .out_ready(out_ready), .out_data(out_data)
    );
    gmmu_ram_sdp #(.WIDTH(8), .DEPTH(BYTES)) request (
        .clk(clk), .we(rx_we), .waddr(rx_waddr), .wdata(rx_wdata), .re(rx_re), .raddr(rp[ADDR_W-1:0]), .rdata(byte_in)
    );
    gmmu_ram_sdp #(.WIDTH(8), .DEPTH(BYTES)) response (
        .clk(clk), .we(tx_we), .waddr(tx_waddr), .wdata(tx_wdata), .re(tx_re), .raddr(tx_raddr), .rdata(tx_rdata)
    );

    // ======== what a packet says
    localparam [3:0] REST = 4'd0, NEXT = 4'd1, FETCH = 4'd2, OP = 4'd3, WAIT = 4'd4, LOAD = 4'd5, LOADED = 4'd6, DO = 4'd7, ACCESS = 4'd8,
                     BYTES_OUT = 4'd9, FINISH = 4'd10, SEND = 4'd11, SENDING = 4'd12, TAKE = 4'd13, GREET = 4'd14;
    localparam [2:0] OP_WRITE = 3'd1, OP_READ = 3'd2, OP_WALK = 3'd3, OP_DRV = 3'd4, OP_RANGE = 3'd5, OP_LISTEN = 3'd6;
    localparam [1:0] ALL = 2'd0, FULL = 2'd1, STUCK = 2'd2, BAD = 2'd3;
    localparam [2:0] FROM_DEC = 3'd0, FROM_RIT = 3'd1, FROM_HIR = 3'd2, FROM_XFER = 3'd3, FROM_WRITE = 3'd4, FROM_READ = 3'd5;
    localparam [ADDR_W:0] ROOM = BYTES[ADDR_W:0], FOUR = 4, HEAD = 7, OF_READ = 6;

    reg [3:0]            state;
    reg                  known, fresh;  // last is one; no HELLO has come since the reset
    reg [7:0]            last;          // sequence number of the request that was done
    reg [15:0]           done;          // operations
    reg [1:0]            status;
    reg [2:0]            op;
    reg                  rests;         // the operation waits for `quiet`
    reg [2:0]            calm;          // cycles in which all rested
    reg [6:0]            need, index;   // bytes of the operation; of those that come or go
    reg [IN_BITS-1:0]    in;
    reg [2:0]            listen;        // to m_axis_rit, _hir, _xfer
    reg [2:0]            from;          // whose bytes go into the response
    reg                  refused;       // an access's
    reg [31:0]           word;
    reg [PATIENCE_W-1:0] idle;          // cycles without progress
    reg [3:0]            greeting;
    reg                  back;          // where to after a record: WAIT, else NEXT
    reg                  tag;           // its first byte is still to come

    assign m_axis_walk_tdata  = in[WALK_BITS-1:0];
    assign m_axis_drv_tdata   = in[DRV_BITS-1:0];
    assign m_axis_range_tdata = in[RANGE_BITS-1:0];
    wire unused_in = &{1'b0, in}; // what fills up the last byte
    assign m_axil_awaddr = in[11:0];
    assign m_axil_araddr = in[11:0];
    assign m_axil_wdata  = in[47:16];
    assign m_axil_bready = state == ACCESS;
    assign m_axil_rready = state == ACCESS;
    assign active = state != REST;
    wire   under_way = m_axis_walk_tvalid || m_axis_drv_tvalid || m_axis_range_tvalid;

    // ---- what comes from the unit: one after the other, byte by byte; a beat stays until its last byte is taken
    wire [3:0] comes = {s_axis_xfer_tvalid && listen[2], s_axis_hir_tvalid && listen[1], s_axis_rit_tvalid && listen[0], s_axis_decision_tvalid};
    wire [2:0] first = comes[0] ? FROM_DEC : comes[1] ? FROM_RIT : comes[2] ? FROM_HIR : FROM_XFER;
    reg  [6:0] bytes_first, bytes;
    always @* begin
        case (first)
            FROM_DEC: bytes_first = DEC_N[6:0];
            FROM_RIT: bytes_first = RIT_N[6:0];
            FROM_HIR: bytes_first = HIR_N[6:0];
            default:  bytes_first = XFER_N[6:0];
        endcase
        case (from)
            FROM_DEC:  bytes = DEC_N[6:0];
            FROM_RIT:  bytes = RIT_N[6:0];
            FROM_HIR:  bytes = HIR_N[6:0];
            FROM_XFER: bytes = XFER_N[6:0];
            FROM_READ: bytes = 7'd5;
            default:   bytes = 7'd1;
        endcase
    end
    wire [ADDR_W:0]   room = ROOM - wp;
    wire              fits = room > {{ADDR_W-6{1'b0}}, bytes_first};
    wire [8*DEC_N-1:0]  dec_bytes  = {{8*DEC_N-DEC_BITS{1'b0}}, s_axis_decision_tdata};
    wire [8*RIT_N-1:0]  rit_bytes  = {{8*RIT_N-RIT_BITS{1'b0}}, s_axis_rit_tdata};
    wire [8*HIR_N-1:0]  hir_bytes  = {{8*HIR_N-HIR_BITS{1'b0}}, s_axis_hir_tdata};
    wire [8*XFER_N-1:0] xfer_bytes = {{8*XFER_N-XFER_BITS{1'b0}}, s_axis_xfer_tdata};
    wire [39:0]         read_bytes = {word, 7'd0, refused};
    reg  [7:0] byte_out;
    always @* begin
        case (from)
            FROM_DEC:  byte_out = dec_bytes[8*index +: 8];
            FROM_RIT:  byte_out = rit_bytes[8*index +: 8];
            FROM_HIR:  byte_out = hir_bytes[8*index +: 8];
            FROM_XFER: byte_out = xfer_bytes[8*index +: 8];
            default:   byte_out = read_bytes[8*index[2:0] +: 8];
        endcase
    end
    wire ends = state == BYTES_OUT && !tag && index == bytes - 1'b1; // the last byte of a record
    assign s_axis_decision_tready = ends && from == FROM_DEC;
    assign s_axis_rit_tready  = !listen[0] || (ends && from == FROM_RIT);
    assign s_axis_hir_tready  = !listen[1] || (ends && from == FROM_HIR);
    assign s_axis_xfer_tready = !listen[2] || (ends && from == FROM_XFER);
    wire last_of = from == FROM_RIT ? s_axis_rit_tlast : from == FROM_HIR ? s_axis_hir_tlast : from == FROM_XFER && s_axis_xfer_tlast;

    // ---- HELLO's answer
    reg [7:0] greet;
    localparam [31:0] HZ = CLK_HZ;
    localparam [15:0] SIZE = BYTES[15:0];
    always @*
        case (greeting)
            4'd0:    greet = 8'd1; // version of all this
            4'd1:    greet = {7'd0, fresh};
            4'd2:    greet = SIZE[7:0];
            4'd3:    greet = SIZE[15:8];
            4'd4:    greet = HZ[7:0];
            4'd5:    greet = HZ[15:8];
            4'd6:    greet = HZ[23:16];
            4'd7:    greet = HZ[31:24];
            4'd8:    greet = WALK_N[7:0];
            4'd9:    greet = DRV_N[7:0];
            4'd10:   greet = RANGE_N[7:0];
            4'd11:   greet = DEC_N[7:0];
            4'd12:   greet = RIT_N[7:0];
            4'd13:   greet = HIR_N[7:0];
            default: greet = XFER_N[7:0];
        endcase
    localparam [3:0] GREETINGS = 4'd15;

    // ---- the response's head, written last; a HELLO's has four bytes, what follows them stands already
    reg  [2:0] head_at;
    reg  [7:0] head;
    wire [ADDR_W:0] length = wp - FOUR;
    wire [15:0] length16 = {{15-ADDR_W{1'b0}}, length};
    always @*
        case (head_at)
            3'd0:    head = seq;
            3'd1:    head = kind | 8'h80;
            3'd2:    head = length16[7:0];
            3'd3:    head = length16[15:8];
            3'd4:    head = {6'd0, status};
            3'd5:    head = done[7:0];
            default: head = done[15:8];
        endcase

    always @* begin
        tx_we    = 1'b0;
        tx_waddr = wp[ADDR_W-1:0];
        tx_wdata = byte_out;
        if (state == BYTES_OUT) begin
            tx_we = 1'b1;
            if (tag)
                tx_wdata = {last_of, 4'd0, from};
        end
        if (state == GREET) begin
            tx_we    = 1'b1;
            tx_wdata = greet;
        end
        if (state == FINISH) begin
            tx_we    = 1'b1;
            tx_waddr = {{ADDR_W-3{1'b0}}, head_at};
            tx_wdata = head;
        end
        rx_re = state == FETCH || state == LOAD;
        send  = state == SEND;
        take  = state == TAKE;
    end

    // ---- an operation's bytes, and whether there are so many
    reg [6:0] needs;
    always @*
        case (op)
            OP_WRITE:  needs = 7'd6;
            OP_READ:   needs = 7'd2;
            OP_WALK:   needs = WALK_N[6:0];
            OP_DRV:    needs = DRV_N[6:0];
            OP_RANGE:  needs = RANGE_N[6:0];
            OP_LISTEN: needs = 7'd1;
            default:   needs = 7'd0;
        endcase
    wire has_bytes = rp + {{ADDR_W-6{1'b0}}, needs} <= size;
    wire calms = !rests || &calm, may_go = calms && !under_way;
    wire has_room = (op != OP_WRITE && op != OP_READ) || room >= OF_READ;
    wire moves = (m_axis_walk_tvalid && m_axis_walk_tready) || (m_axis_drv_tvalid && m_axis_drv_tready) || (m_axis_range_tvalid && m_axis_range_tready);
    integer i;

    always @(posedge clk) begin
        if (m_axis_walk_tready) m_axis_walk_tvalid <= 1'b0;
        if (m_axis_drv_tready) m_axis_drv_tvalid <= 1'b0;
        if (m_axis_range_tready) m_axis_range_tvalid <= 1'b0;
        if (m_axil_awready) m_axil_awvalid <= 1'b0;
        if (m_axil_wready) m_axil_wvalid <= 1'b0;
        if (m_axil_arready) m_axil_arvalid <= 1'b0;
        calm <= quiet && !under_way && !moves && comes == 0 && state == WAIT ? calm + {2'd0, !(&calm)} : 3'd0;
        idle <= state == WAIT && !moves ? idle + 1'b1 : {PATIENCE_W{1'b0}};
        case (state)
            REST:
                if (have) begin
                    wp       <= FOUR;
                    rp       <= FOUR;
                    done     <= 16'd0;
                    status   <= ALL;
                    greeting <= 4'd0;
                    head_at  <= 3'd0;
                    state    <= TAKE;
                    if (kind == HELLO) begin
                        listen <= 3'd0;
                        state  <= GREET;
                    end else if (kind == RUN && known && seq == last) begin
                        state <= SEND;
                    end else if (kind == RUN && known && seq == last + 8'd1) begin
                        wp    <= HEAD;
                        state <= NEXT;
                    end
                end
            NEXT: state <= rp == size ? FINISH : FETCH;
            FETCH: begin
                rp    <= rp + 1'b1;
                state <= OP;
            end
            OP: begin
                op    <= byte_in[2:0];
                rests <= byte_in[7];
                state <= WAIT;
                if (byte_in[6:3] != 0 || byte_in[2:0] == 3'd7) begin
                    status <= BAD;
                    state  <= FINISH;
                end
            end
            WAIT:
                if (comes != 0) begin
                    from  <= first;
                    index <= 7'd0;
                    tag   <= 1'b1;
                    back  <= 1'b1;
                    state <= BYTES_OUT;
                    if (!fits) begin
                        status <= FULL;
                        state  <= FINISH;
                    end
                end else if (may_go) begin
                    need  <= needs;
                    index <= 7'd0;
                    state <= needs == 0 ? DO : LOAD;
                    if (!has_bytes || !has_room) begin
                        status <= has_bytes ? FULL : BAD;
                        state  <= FINISH;
                    end
                end else if (&idle) begin
                    status <= STUCK;
                    state  <= FINISH;
                end
            LOAD: begin
                rp    <= rp + 1'b1;
                state <= LOADED;
            end
            LOADED: begin
                for (i = 0; i < IN_BITS / 8; i = i + 1)
                    if (index == i[6:0])
                        in[8*i +: 8] <= byte_in;
                index <= index + 1'b1;
                state <= index == need - 1'b1 ? DO : LOAD;
            end
            DO: begin
                m_axis_walk_tvalid  <= op == OP_WALK;
                m_axis_drv_tvalid   <= op == OP_DRV;
                m_axis_range_tvalid <= op == OP_RANGE;
                m_axil_awvalid      <= op == OP_WRITE;
                m_axil_wvalid       <= op == OP_WRITE;
                m_axil_arvalid      <= op == OP_READ;
                if (op == OP_LISTEN)
                    listen <= in[2:0];
                done  <= done + 1'b1;
                state <= op == OP_WRITE || op == OP_READ ? ACCESS : NEXT;
            end
            ACCESS: begin
                from    <= op == OP_WRITE ? FROM_WRITE : FROM_READ;
                index   <= 7'd0;
                tag     <= 1'b1;
                back    <= 1'b0;
                word    <= m_axil_rdata;
                refused <= op == OP_WRITE ? m_axil_bresp != 2'd0 : m_axil_rresp != 2'd0;
                if (m_axil_bvalid || m_axil_rvalid)
                    state <= BYTES_OUT;
            end
            BYTES_OUT: begin
                wp  <= wp + 1'b1;
                tag <= 1'b0;
                if (!tag)
                    index <= index + 1'b1;
                if (ends)
                    state <= back ? WAIT : NEXT;
            end
            GREET: begin
                wp       <= wp + 1'b1;
                greeting <= greeting + 1'b1;
                if (greeting == GREETINGS - 1'b1)
                    state <= FINISH;
            end
            FINISH: begin
                answer  <= wp;
                head_at <= head_at + 1'b1;
                if (head_at == (kind == HELLO ? 3'd3 : 3'd6)) begin
                    state <= SEND;
                    known <= 1'b1;
                    last  <= seq;
                    fresh <= 1'b0;
                end
            end
            SEND:    state <= SENDING;
            SENDING: if (!sending && !out_valid) state <= TAKE;
            default: state <= REST;
        endcase
        if (rst) begin
            state  <= REST;
            known  <= 1'b0;
            fresh  <= 1'b1;
            listen <= 3'd0;
            {m_axis_walk_tvalid, m_axis_drv_tvalid, m_axis_range_tvalid} <= 3'd0;
            {m_axil_awvalid, m_axil_wvalid, m_axil_arvalid} <= 3'd0;
        end
    end
endmodule
`default_nettype wire
