// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_master: executes one operation at a time: a register access, a stream beat, or a choice of the streams to listen
// to (docs/reference/blocks/uart_link.md).
//
//   byte_in ─► arguments ─┬─► m_axil_
//                         ├─► m_axis_walk, m_axis_drv, m_axis_range
//                         └─► listen
`default_nettype none
module gmmu_uart_link_master #(
    parameter WALK_BITS  = 67,
    parameter DRV_BITS   = 67,
    parameter RANGE_BITS = 80
) (
    input  wire                  clk,
    input  wire                  rst,
    // the operation (uart_link_run)
    input  wire [2:0]            op,                  // code of the operation
    output reg  [6:0]            needs,               // bytes of the operation's arguments
    output wire                  accesses,            // the operation is a register access, which has an answer
    input  wire                  loads,               // the arguments are loaded
    input  wire                  keep,                // a byte of the arguments has come
    input  wire [7:0]            byte_in,             // the byte that has come
    output wire                  loaded,              // the byte is the last byte of the arguments
    input  wire                  act,                 // the operation is done in this cycle
    input  wire                  access,              // the access waits for its answer
    output wire                  answered,            // the access has its answer
    output wire                  wrote,               // the access wrote; else the access read
    output reg                   refused,             // the access was an error
    output reg  [31:0]           word,                // the word that was read
    output wire                  under_way,           // a beat was not taken yet
    output wire                  moves,               // a beat is taken in this cycle
    input  wire                  greets,              // a session begins, which listens to no stream
    output reg  [2:0]            listen,              // streams that are listened to: bit 0 m_axis_rit, 1 m_axis_hir, 2 m_axis_xfer
    // registers, by AXI4-Lite; the module is the manager
    output wire [11:0]           m_axil_awaddr,       // write address, in bytes
    output reg                   m_axil_awvalid,      // a write address is offered
    input  wire                  m_axil_awready,      // the write address is accepted
    output wire [31:0]           m_axil_wdata,        // write data
    output reg                   m_axil_wvalid,       // write data are offered
    input  wire                  m_axil_wready,       // write data are accepted
    input  wire [1:0]            m_axil_bresp,        // response of the write, OKAY or SLVERR
    input  wire                  m_axil_bvalid,       // a write response is offered
    output wire                  m_axil_bready,       // the write response is taken
    output wire [11:0]           m_axil_araddr,       // read address, in bytes
    output reg                   m_axil_arvalid,      // a read address is offered
    input  wire                  m_axil_arready,      // the read address is accepted
    input  wire [31:0]           m_axil_rdata,        // read data
    input  wire [1:0]            m_axil_rresp,        // response of the read, OKAY or SLVERR
    input  wire                  m_axil_rvalid,       // read data are offered
    output wire                  m_axil_rready,       // read data are taken
    // streams to the unit
    output wire [WALK_BITS-1:0]  m_axis_walk_tdata,   // a walk, a beat of s_axis_walk
    output reg                   m_axis_walk_tvalid,  // a walk is offered
    input  wire                  m_axis_walk_tready,  // the unit accepts a walk
    output wire [DRV_BITS-1:0]   m_axis_drv_tdata,    // a driver operation, a beat of s_axis_drv
    output reg                   m_axis_drv_tvalid,   // a driver operation is offered
    input  wire                  m_axis_drv_tready,   // the unit accepts a driver operation
    output wire [RANGE_BITS-1:0] m_axis_range_tdata,  // a range operation, a beat of s_axis_range
    output reg                   m_axis_range_tvalid, // a range operation is offered
    input  wire                  m_axis_range_tready  // the unit accepts a range operation
);
    localparam WALK_N = (WALK_BITS + 7) / 8;
    localparam DRV_N = (DRV_BITS + 7) / 8;
    localparam RANGE_N = (RANGE_BITS + 7) / 8;
    localparam BEAT_N = WALK_N > DRV_N ? (WALK_N > RANGE_N ? WALK_N : RANGE_N) : DRV_N > RANGE_N ? DRV_N : RANGE_N;
    localparam MOST = BEAT_N > 6 ? BEAT_N : 6; // a write has an address of two bytes and a word of four
    localparam [2:0] OP_WRITE = 3'd1;
    localparam [2:0] OP_READ = 3'd2;
    localparam [2:0] OP_WALK = 3'd3;
    localparam [2:0] OP_DRV = 3'd4;
    localparam [2:0] OP_RANGE = 3'd5;
    localparam [2:0] OP_LISTEN = 3'd6;

    // ======== kind and length of the operation
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
    assign accesses = op == OP_WRITE || op == OP_READ;

    // ======== arguments of the operation, byte by byte, the lowest first
    reg [8*MOST-1:0] arguments; // arguments of the operation
    reg [6:0]        index;     // number of the byte that comes next
    integer i;
    always @(posedge clk) begin
        if (!loads) index <= 7'd0;
        else if (keep) index <= index + 7'd1;
        for (i = 0; i < MOST; i = i + 1)
            if (keep && index == i[6:0]) arguments[8*i +: 8] <= byte_in;
    end
    assign loaded = index == needs - 7'd1;

    // ======== an access of a register: address and word are offered apart, the answer is taken at once
    always @(posedge clk)
        if (rst) m_axil_awvalid <= 1'b0;
        else if (act) m_axil_awvalid <= op == OP_WRITE;
        else if (m_axil_awready) m_axil_awvalid <= 1'b0;
    always @(posedge clk)
        if (rst) m_axil_wvalid <= 1'b0;
        else if (act) m_axil_wvalid <= op == OP_WRITE;
        else if (m_axil_wready) m_axil_wvalid <= 1'b0;
    always @(posedge clk)
        if (rst) m_axil_arvalid <= 1'b0;
        else if (act) m_axil_arvalid <= op == OP_READ;
        else if (m_axil_arready) m_axil_arvalid <= 1'b0;
    assign m_axil_awaddr = arguments[11:0];
    assign m_axil_araddr = arguments[11:0];
    assign m_axil_wdata  = arguments[47:16];
    assign m_axil_bready = access;
    assign m_axil_rready = access;

    assign answered = m_axil_bvalid || m_axil_rvalid;
    assign wrote    = op == OP_WRITE;
    always @(posedge clk)
        if (access) begin
            word    <= m_axil_rdata;
            refused <= wrote ? m_axil_bresp != 2'd0 : m_axil_rresp != 2'd0;
        end

    // ======== a beat of a stream: offered until taken
    always @(posedge clk)
        if (rst) m_axis_walk_tvalid <= 1'b0;
        else if (act) m_axis_walk_tvalid <= op == OP_WALK;
        else if (m_axis_walk_tready) m_axis_walk_tvalid <= 1'b0;
    always @(posedge clk)
        if (rst) m_axis_drv_tvalid <= 1'b0;
        else if (act) m_axis_drv_tvalid <= op == OP_DRV;
        else if (m_axis_drv_tready) m_axis_drv_tvalid <= 1'b0;
    always @(posedge clk)
        if (rst) m_axis_range_tvalid <= 1'b0;
        else if (act) m_axis_range_tvalid <= op == OP_RANGE;
        else if (m_axis_range_tready) m_axis_range_tvalid <= 1'b0;
    assign m_axis_walk_tdata  = arguments[WALK_BITS-1:0];
    assign m_axis_drv_tdata   = arguments[DRV_BITS-1:0];
    assign m_axis_range_tdata = arguments[RANGE_BITS-1:0];

    assign under_way = m_axis_walk_tvalid || m_axis_drv_tvalid || m_axis_range_tvalid;
    assign moves = (m_axis_walk_tvalid && m_axis_walk_tready) || (m_axis_drv_tvalid && m_axis_drv_tready) ||
                   (m_axis_range_tvalid && m_axis_range_tready);

    // ======== which streams of the unit are listened to
    always @(posedge clk)
        if (rst || greets) listen <= 3'd0;
        else if (act && op == OP_LISTEN) listen <= arguments[2:0];

    wire unused_arguments = &{1'b0, arguments}; // (some bits fill up the last byte)
endmodule
`default_nettype wire
