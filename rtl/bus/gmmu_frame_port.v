// SPDX-License-Identifier: Apache-2.0
// gmmu_frame_port: brings the memory port to rest before a reset by register (docs/blocks/frame_mem.md, "Resets").
//
//   unit ─► requests ─┬─► memory        `stop`: a request that stands is taken, no other goes out
//                     └─► counts ─► `rests`: the memory has answered all
//   memory ─► answers ┘
//
// The counts belong to the port and not to the unit, so that they hold whatever state the unit is in. After `rst` they are
// 0: the memory is reset with the unit then, or at rest when `rst` ends.
`default_nettype none
module gmmu_frame_port #(
    // bits of a count: of all requests that may be under way at a time
    parameter COUNT_W = 22
) (
    input  wire              clk,
    // The reset of the power-up, not the one that waits for this port.
    input  wire              rst,
    // A reset waits: no request goes out but the one that stands.
    input  wire              stop,
    // The port is stopped, and no request is under way; registered.
    output reg               rests,
    // The unit's requests, as they come from its port.
    input  wire              unit_ar_valid,
    output wire              unit_ar_ready,
    input  wire              unit_w_valid,
    output wire              unit_w_ready,
    // The requests and answers as they pass at the memory.
    output wire              m_frame_ar_valid,
    input  wire              m_frame_ar_ready,
    input  wire              m_frame_r_valid,
    output wire              m_frame_w_valid,
    input  wire              m_frame_w_ready,
    input  wire              m_frame_b_valid
);

    reg               ar_shut; // No read goes out.
    reg               w_shut;  // No write goes out.
    reg [COUNT_W-1:0] reads;   // Reads that the memory has taken and not answered.
    reg [COUNT_W-1:0] writes;  // Writes that the memory has taken and not done.
    assign m_frame_ar_valid = unit_ar_valid && !ar_shut;
    assign unit_ar_ready    = m_frame_ar_ready && !ar_shut;
    assign m_frame_w_valid  = unit_w_valid && !w_shut;
    assign unit_w_ready     = m_frame_w_ready && !w_shut;
    wire ar_goes   = m_frame_ar_valid && m_frame_ar_ready;
    wire w_goes    = m_frame_w_valid && m_frame_w_ready;
    wire r_comes   = m_frame_r_valid && reads != 0;  // An answer that nothing asked for does not count.
    wire b_comes   = m_frame_b_valid && writes != 0;
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
