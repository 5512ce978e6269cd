// SPDX-License-Identifier: Apache-2.0
// gmmu_uart_link_run: executes the operations of a request, one after the other (docs/reference/blocks/uart_link.md).
//
//   state    what happens                                        next state
//   NEXT     The next operation is looked for.                   FETCH; END after the last operation
//   FETCH    The operation's first byte is read.                 OP
//   OP       The first byte says which operation it is.          WAIT; END for an unknown operation
//   WAIT     The operation waits for the beat before, and for
//            a quiet unit if the operation asks for that.
//              A beat comes from the unit:                       BEAT
//              The operation may go:                             LOAD; DO without arguments
//              The request ends within the arguments:            END
//              The response has no room:                         END
//              Nothing has moved for a long time:                END
//   BEAT     The beat is written into the response.              WAIT
//   LOAD     A byte of the arguments is read.                    LOADED
//   LOADED   The byte is kept.                                   LOAD; DO after the last byte
//   DO       The operation is done: a register access or a
//            beat begins.                                        ACCESS; NEXT without an answer
//   ACCESS   The access has its answer.                          ANSWER
//   ANSWER   The answer is written into the response.            NEXT
//   END      The operations are over.                            NEXT for the next request
`default_nettype none
module gmmu_uart_link_run #(
    parameter ADDR_W     = 9, // log2 of the bytes of a request
    parameter PATIENCE_W = 24 // log2 of the cycles without progress after which an operation is aborted
) (
    input  wire              clk,
    input  wire              rst,
    // the session begins the operations and learns how the operations ended
    input  wire              runs,        // a request begins; its operations are done from the next cycle on
    input  wire              run,         // the operations of a request are done
    output wire              over,        // the operations end with this cycle
    output reg  [1:0]        status,      // reason of the end: 0 all done, 1 no room, 2 stuck, 3 a bad operation
    output reg  [15:0]       done,        // number of operations done
    // the buffer of the request
    input  wire [ADDR_W:0]   size,        // bytes of the request
    output wire              re,          // a byte is read
    output wire [ADDR_W-1:0] raddr,       // place of the read byte
    input  wire [7:0]        byte_in,     // the read byte, a cycle after `re`
    // the operation (uart_link_master)
    output reg  [2:0]        op,          // code of the operation
    input  wire [6:0]        needs,       // bytes of the operation's arguments
    input  wire              accesses,    // the operation is a register access, which has an answer
    output wire              loads,       // the arguments are loaded
    output wire              keep,        // a byte of the arguments has come
    input  wire              loaded,      // the byte is the last byte of the arguments
    output wire              act,         // the operation is done in this cycle
    output wire              access,      // the access waits for its answer
    input  wire              answered,    // the access has its answer
    input  wire              under_way,   // a beat was not taken yet
    input  wire              moves,       // a beat is taken in this cycle
    // records of the response (uart_link_records, uart_link_response)
    input  wire              comes,       // a beat comes from the unit
    input  wire              beat_fits,   // the response has room for this beat
    input  wire              answer_fits, // the response has room for an answer
    output wire              records,     // a record is written, a byte a cycle
    output wire              of_access,   // the record is an access's answer; else a beat
    input  wire              recorded,    // the last byte of the record is written
    input  wire              quiet        // the unit rests
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
    localparam [ADDR_W:0] FOUR = 4; // operations begin behind the packet's head

    reg  [3:0]      state;                                              // state, as above
    reg  [3:0]      next;                                               // next state
    reg  [1:0]      why;                                                // reason of the end, if the operations end with this cycle
    reg  [ADDR_W:0] rp;                                                 // place of the next byte of the request
    wire            known     = byte_in[6:0] <= LAST_OP;                // the byte is the code of an operation
    wire            may_go;                                             // the operation need not wait any more
    wire            impatient;                                          // nothing has moved for a long time
    wire            has_bytes = rp + {{ADDR_W-6{1'b0}}, needs} <= size; // the request has all arguments
    wire            has_room  = !accesses || answer_fits;               // the response has room for the answer

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

    // ======== registers that the states change
    always @(posedge clk)
        if (runs) rp <= FOUR;
        else if (re) rp <= rp + 1'b1;
    assign raddr = rp[ADDR_W-1:0];

    always @(posedge clk)
        if (over) status <= why;

    always @(posedge clk)
        if (runs) done <= 16'd0;
        else if (act) done <= done + 1'b1;

    reg rests; // the operation waits until the unit has rested
    always @(posedge clk)
        if (state == OP) begin
            op    <= byte_in[2:0];
            rests <= byte_in[7];
        end

    // ======== rest and patience
    reg  [2:0] calm;                                                     // cycles that the unit has rested, at most 7
    wire       resting = state == WAIT && quiet && !under_way && !comes; // the unit rests, and the operation waits
    always @(posedge clk)
        if (!resting) calm <= 3'd0;
        else if (!(&calm)) calm <= calm + 3'd1;
    assign may_go = (!rests || &calm) && !under_way;

    reg [PATIENCE_W-1:0] idle; // cycles of the operation's wait in which nothing moved
    always @(posedge clk)
        if (state == WAIT && !moves) idle <= idle + 1'b1;
        else idle <= {PATIENCE_W{1'b0}};
    assign impatient = &idle;
endmodule
`default_nettype wire
