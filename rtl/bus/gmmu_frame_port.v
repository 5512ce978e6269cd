// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_port: brings the memory port to rest before a reset by register (docs/reference/blocks/frame_mem.md, "Resets").
//
//   unit ─► requests ─┬─► memory        `stop`: a request that is offered is taken, no other goes out
//                     └─► counts ─► `rests`: the memory has answered all requests
//   memory ─► answers ┘
//
// The counts belong to the port and not to the unit, so the counts hold whatever state the unit is in. After `rst` the counts
// are 0: the memory is reset with the unit, or at rest when `rst` ends.
`default_nettype none
module gmmu_frame_port #(
    // bits of a count; the count must reach all requests that may be under way
    parameter COUNT_W = 22
) (
    input  wire clk,
    input  wire rst,              // the reset at power-up, not the reset that waits for this port
    input  wire stop,             // a reset waits: no further request goes out; a request that is offered stays
    output reg  rests,            // the port is stopped, and no request is under way; registered
    // requests of the unit
    input  wire unit_ar_valid,    // the unit offers a read
    output wire unit_ar_ready,    // the unit's read is accepted
    input  wire unit_w_valid,     // the unit offers a write
    output wire unit_w_ready,     // the unit's write is accepted
    // requests and answers at the memory
    output wire m_frame_ar_valid, // a read is offered to the memory
    input  wire m_frame_ar_ready, // the memory accepts the read
    input  wire m_frame_r_valid,  // the memory answers a read
    output wire m_frame_w_valid,  // a write is offered to the memory
    input  wire m_frame_w_ready,  // the memory accepts the write
    input  wire m_frame_b_valid   // the memory reports a write as done
);

    reg               ar_shut; // no read goes out
    reg               w_shut;  // no write goes out
    reg [COUNT_W-1:0] reads;   // number of reads that the memory has accepted and not answered
    reg [COUNT_W-1:0] writes;  // number of writes that the memory has accepted and not done
    assign m_frame_ar_valid = unit_ar_valid && !ar_shut;
    assign unit_ar_ready    = m_frame_ar_ready && !ar_shut;
    assign m_frame_w_valid  = unit_w_valid && !w_shut;
    assign unit_w_ready     = m_frame_w_ready && !w_shut;
    wire ar_goes = m_frame_ar_valid && m_frame_ar_ready; // the memory accepts a read
    wire w_goes  = m_frame_w_valid && m_frame_w_ready;   // the memory accepts a write
    wire r_comes = m_frame_r_valid && reads != 0;        // the memory answers a read; an answer without a read does not count
    wire b_comes = m_frame_b_valid && writes != 0;       // the memory reports a write as done; a report without a write does not count
    always @(posedge clk) begin
        ar_shut <= stop && (ar_shut || !m_frame_ar_valid || m_frame_ar_ready);
        w_shut  <= stop && (w_shut || !m_frame_w_valid || m_frame_w_ready);
        reads   <= reads + {{COUNT_W-1{1'b0}}, ar_goes} - {{COUNT_W-1{1'b0}}, r_comes};
        writes  <= writes + {{COUNT_W-1{1'b0}}, w_goes} - {{COUNT_W-1{1'b0}}, b_comes};
        rests   <= stop && ar_shut && w_shut && reads == 0 && writes == 0;
        if (rst) begin
            ar_shut <= 1'b0;
            w_shut  <= 1'b0;
            reads   <= 0;
            writes  <= 0;
            rests   <= 1'b0;
        end
    end

endmodule
`default_nettype wire
