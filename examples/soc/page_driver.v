// SPDX-License-Identifier: Apache-2.0
// page_driver: what a driver does about a decision of gmmu_tier (docs/guide/integration.md), one after the other: a victim is unmapped,
// a page takes COPY cycles to go out and to come in, FILL tells the unit, then the page is mapped. The decision of a page that is
// resident is not followed: CANCEL.
`default_nettype none
module page_driver #(
    parameter PAGE_W  = 10,
    parameter FRAME_W = 8,
    parameter COPY    = 20 // cycles that a page takes, at least 1
) (
    input  wire               clk, rst,
    // the unit's decision
    input  wire               decision_valid,
    output wire               decision_ready,
    input  wire [1:0]         decision_tier,
    input  wire [PAGE_W-1:0]  decision_page, victim_page,
    input  wire [FRAME_W-1:0] victim_frame,
    input  wire               decision_resident, // decision_page is in the page table
    // an operation: FILL of `frame` with `page`, ASK for `page`, or CANCEL of the decision
    output wire               op_valid, op_ask, op_cancel,
    input  wire               op_ready,
    output reg  [PAGE_W-1:0]  page,
    output reg  [FRAME_W-1:0] frame,
    // the page table
    output wire               map_valid, map_comes,
    output wire [PAGE_W-1:0]  map_page,
    output reg  [31:0]        faults, evictions // that were served
);

    localparam TIER_NONE = 2'd0, TIER_FREE = 2'd1;
    localparam IDLE = 3'd0, UNMAP = 3'd1, COPIES = 3'd2, FILL = 3'd3, MAP = 3'd4, ASK = 3'd5, CANCEL = 3'd6;
    reg [2:0]         state;
    reg [31:0]        left;
    reg [PAGE_W-1:0]  victim;
    reg [FRAME_W-1:0] empty; // the first frame that was never used: the unit says FREE as long as there is one
    assign decision_ready = state == IDLE;
    assign op_valid  = state == FILL || state == ASK || state == CANCEL;
    assign op_ask    = state == ASK;
    assign op_cancel = state == CANCEL;
    assign map_valid = state == UNMAP || state == MAP;
    assign map_comes = state == MAP;
    assign map_page  = state == MAP ? page : victim;

    always @(posedge clk) begin
        // excerpt hardware_driver
        case (state)
            IDLE: if (decision_valid) begin
                page   <= decision_page;
                victim <= victim_page;
                frame  <= decision_tier == TIER_FREE ? empty : victim_frame;
                left   <= COPY - 1;
                if (decision_resident)
                    state <= decision_tier == TIER_NONE ? IDLE : CANCEL;
                else
                    state <= decision_tier == TIER_NONE ? ASK : decision_tier == TIER_FREE ? COPIES : UNMAP;
                if (decision_tier == TIER_FREE && !decision_resident)
                    empty <= empty + 1'b1;
            end
            UNMAP: begin
                state     <= COPIES;
                evictions <= evictions + 1;
            end
            COPIES: begin
                left <= left - 1;
                if (left == 0)
                    state <= FILL;
            end
            FILL: if (op_ready)
                state <= MAP;
            MAP: begin
                state  <= IDLE;
                faults <= faults + 1;
            end
            default: if (op_ready) // ASK: no page could leave, and the unit decides again. CANCEL: the fault ends, and a victim stays
                state <= IDLE;
        endcase
        // end hardware_driver
        if (rst) begin
            state     <= IDLE;
            empty     <= 0;
            faults    <= 0;
            evictions <= 0;
        end
    end

endmodule
`default_nettype wire
