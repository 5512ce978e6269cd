// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_run: the operations of a request, one after the other (docs/blocks/uart_link.md).
//
//   state    what happens                                        next state
//   NEXT     The next operation is looked for.                   FETCH; END after the last one
//   FETCH    Its first byte is read from the request.            OP
//   OP       That byte says which operation it is.               WAIT; END if there is no such operation
//   WAIT     The operation waits for the beat before, and for
//            rest if it says so.
//              A beat comes from the unit:                       BEAT
//              The operation may go:                             LOAD; DO if it has no arguments
//              The request ends within the arguments:            END
//              The response has no room:                         END
//              Nothing has moved for a long time:                END
//   BEAT     The beat is written into the response.              WAIT
//   LOAD     A byte of the arguments is read.                    LOADED
//   LOADED   The byte is kept.                                   LOAD; DO after the last one
//   DO       The operation is done: an access of a register
//            or a beat begins.                                   ACCESS; NEXT if there is no answer
//   ACCESS   The access has its answer.                          ANSWER
//   ANSWER   The answer is written into the response.            NEXT
//   END      The operations are over.                            NEXT for the next request
`default_nettype none
module gmmu_uart_link_run #(
    parameter ADDR_W     = 9, // log2 of the bytes of a request
    parameter PATIENCE_W = 24 // log2 of the cycles without progress after which an operation is given up
) (
    input  wire              clk,
    input  wire              rst,
    // The session begins the operations and learns how they ended.
    input  wire              runs,        // A request begins, whose operations are done from the next cycle on.
    input  wire              run,         // The operations of a request are done.
    output wire              over,        // The operations end with this cycle.
    output reg  [1:0]        status,      // The reason of the end: 0 all done, 1 no room, 2 stuck, 3 a bad operation.
    output reg  [15:0]       done,        // This number of operations was done.
    // The buffer of the request; a byte comes a cycle after its read.
    input  wire [ADDR_W:0]   size,        // The request ends before this address.
    output wire              re,          // A byte is read,
    output wire [ADDR_W-1:0] raddr,       // from this address.
    input  wire [7:0]        byte_in,     // The byte that was read a cycle ago.
    // What the operation does (uart_link_master).
    output reg  [2:0]        op,          // The operation's code.
    input  wire [6:0]        needs,       // The operation has this number of bytes of arguments.
    input  wire              accesses,    // The operation is an access of a register, which has an answer.
    output wire              loads,       // The arguments are loaded:
    output wire              keep,        // a byte of them has come,
    input  wire              loaded,      // and is the last one.
    output wire              act,         // The operation is done in this cycle.
    output wire              access,      // The access waits for its answer.
    input  wire              answered,    // The access has its answer.
    input  wire              under_way,   // A beat was not taken yet.
    input  wire              moves,       // A beat is taken in this cycle.
    // What the response records (uart_link_records, uart_link_response).
    input  wire              comes,       // A beat comes from the unit.
    input  wire              beat_fits,   // The response has room for this beat.
    input  wire              answer_fits, // The response has room for an answer.
    output wire              records,     // A record is written, a byte a cycle:
    output wire              of_access,   // of an access's answer; else of a beat.
    input  wire              recorded,    // The record's last byte is written.
    input  wire              quiet        // The unit rests.
);
    localparam [3:0] NEXT = 4'd0;
    localparam [3:0] FETCH = 4'd1;
    localparam [3:0] OP = 4'd2;
    localparam [3:0] WAIT = 4'd3;
    localparam [3:0] BEAT = 4'd4;
    localparam [3:0] LOAD = 4'd5;
    localparam [3:0] LOADED = 4'd6;
    localparam [3:0] DO = 4'd7;
    localparam [3:0] ACCESS = 4'd8;
    localparam [3:0] ANSWER = 4'd9;
    localparam [3:0] END = 4'd10;
    localparam [1:0] ALL = 2'd0;
    localparam [1:0] FULL = 2'd1;
    localparam [1:0] STUCK = 2'd2;
    localparam [1:0] BAD = 2'd3;
    localparam [6:0] LAST_OP = 7'd6;
    localparam [ADDR_W:0] FOUR = 4; // Operations begin behind the packet's head.

    reg  [3:0] state;
    reg  [3:0] next;
    reg  [1:0] why; // The reason, if the operations end with this cycle.
    reg  [ADDR_W:0] rp; // The request's next byte has this address.
    wire       known = byte_in[6:0] <= LAST_OP; // The byte is an operation's code.
    wire       may_go;    // The operation need not wait any more.
    wire       impatient; // Nothing has moved for a long time.
    wire       has_bytes = rp + {{ADDR_W-6{1'b0}}, needs} <= size; // The request has all arguments.
    wire       has_room = !accesses || answer_fits; // The response has room for the answer.

    // ======== states
    always @* begin
        next = state;
        why  = ALL;
        case (state)
            NEXT:  next = rp == size ? END : FETCH;
            FETCH: next = OP;
            OP:
                if (known) next = WAIT;
                else {next, why} = {END, BAD};
            WAIT:
                if (comes && beat_fits) next = BEAT;
                else if (comes) {next, why} = {END, FULL};
                else if (may_go && !has_bytes) {next, why} = {END, BAD};
                else if (may_go && !has_room) {next, why} = {END, FULL};
                else if (may_go) next = needs == 7'd0 ? DO : LOAD;
                else if (impatient) {next, why} = {END, STUCK};
            BEAT:    if (recorded) next = WAIT;
            LOAD:    next = LOADED;
            LOADED:  next = loaded ? DO : LOAD;
            DO:      next = accesses ? ACCESS : NEXT;
            ACCESS:  if (answered) next = ANSWER;
            ANSWER:  if (recorded) next = NEXT;
            default: next = NEXT;
        endcase
    end

    always @(posedge clk)
        if (rst || !run) state <= NEXT;
        else state <= next;

    assign over      = run && next == END;
    assign re        = state == FETCH || state == LOAD;
    assign loads     = state == LOAD || state == LOADED;
    assign keep      = state == LOADED;
    assign act       = state == DO;
    assign access    = state == ACCESS;
    assign of_access = state == ACCESS || state == ANSWER;
    assign records   = state == BEAT || state == ANSWER;

    // ======== what the states leave
    always @(posedge clk)
        if (runs) rp <= FOUR;
        else if (re) rp <= rp + 1'b1;
    assign raddr = rp[ADDR_W-1:0];

    always @(posedge clk)
        if (over) status <= why;

    always @(posedge clk)
        if (runs) done <= 16'd0;
        else if (act) done <= done + 1'b1;

    reg rests; // The operation waits until the unit has rested.
    always @(posedge clk)
        if (state == OP) begin
            op    <= byte_in[2:0];
            rests <= byte_in[7];
        end

    // ======== rest and patience
    reg [2:0] calm; // The unit has rested for this number of cycles, or for more than 7.
    wire      resting = state == WAIT && quiet && !under_way && !comes;
    always @(posedge clk)
        if (!resting) calm <= 3'd0;
        else if (!(&calm)) calm <= calm + 3'd1;
    assign may_go = (!rests || &calm) && !under_way;

    reg [PATIENCE_W-1:0] idle; // The operation has waited for this number of cycles in which nothing moved.
    always @(posedge clk)
        if (state == WAIT && !moves) idle <= idle + 1'b1;
        else idle <= {PATIENCE_W{1'b0}};
    assign impatient = &idle;
endmodule
`default_nettype wire
