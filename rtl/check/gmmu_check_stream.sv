// SPDX-License-Identifier: Apache-2.0
// gmmu_check_stream: the handshake of a stream: a beat that is offered stays as it is until it is taken; no bit of it is unknown; reserved
// bits are 0; nothing passes in reset.
`default_nettype none
`include "gmmu_check.svh"
module gmmu_check_stream #(
    parameter W      = 8,          // bits of tdata
    parameter USED   = 8,          // bits of a beat; the bits above are reserved
    parameter UNIT   = 0,          // 1: the unit sends the beats; 0: the unit receives the beats
    parameter WAITS  = 1,          // 1: tready is 0 in reset
    parameter STREAM = "a stream", // name of the stream
    parameter WHO    = "the user"  // the party at the other end
) (
    input wire         clk,
    input wire         rst,
    input wire         valid, // a beat is offered
    input wire         ready, // the beat is taken
    input wire         last,  // the beat is the last of its packet
    input wire [W-1:0] data   // the beat
);
    reg         waits;   // a beat was offered in the cycle before, and not taken
    reg         resets;  // rst was 1 in the cycle before
    reg [W-1:0] was;            // the beat of the cycle before
    reg         was_last;       // last of the cycle before
    initial {waits, resets} = 0;
    always @(posedge clk) begin
        waits    <= !rst && valid && !ready;
        resets   <= rst;
        was      <= data;
        was_last <= last;
    end

    localparam SEE = "docs/guide/integration.md#ports-and-clocks";
    `GMMU_EITHER(valid_stays, UNIT, waits, valid, WHO, {STREAM, ": an offered beat was taken back before it was taken"}, SEE)
    `GMMU_EITHER(data_stays, UNIT, waits && valid, data == was && last == was_last, WHO, {STREAM, ": an offered beat changed before it was taken"},
        SEE)
    `GMMU_EITHER(valid_known, UNIT, 1'b1, (^valid) !== 1'bx, WHO, {STREAM, ": tvalid is unknown"}, SEE)
    `GMMU_EITHER(ready_known, !UNIT, 1'b1, (^ready) !== 1'bx, WHO, {STREAM, ": tready is unknown"}, SEE)
    `GMMU_EITHER(data_known, UNIT, valid, (^{last, data}) !== 1'bx, WHO, {STREAM, ": a bit of an offered beat is unknown"}, SEE)
    generate
        if (W > USED) begin : g_reserved
            `GMMU_EITHER(reserved_zero, UNIT, valid, data[W-1:USED] == 0, WHO, {STREAM, ": a reserved bit above the beat is not 0"},
                "docs/reference/formats.md#streams")
        end
        if (UNIT) begin : g_sends
            `GMMU_UNIT_EVER(silent_in_reset, resets, !valid, {STREAM, ": a beat is offered in reset"}, SEE)
        end else begin : g_receives
            `GMMU_UNIT_EVER(silent_in_reset, resets && WAITS != 0, !ready, {STREAM, ": a beat is accepted in reset"}, SEE)
        end
    endgenerate
endmodule
`default_nettype wire
