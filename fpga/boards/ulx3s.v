// SPDX-License-Identifier: Apache-2.0
// ulx3s: the unit on a ULX3S (ECP5-85F), behind its USB serial port (docs/guide/boards.md). Button FIRE 1 resets.
//
// LEDs, from the lowest: the clock is there, a request is being done, the unit rests, something is to be told (irq).
`default_nettype none
`include "gmmu_config.vh"
module ulx3s #(
    parameter BAUD = 3000000,
`include "gmmu_parameters.vh"
) (
    input  wire       clk_25mhz,
    input  wire       btn_fire1,
    input  wire       ftdi_txd, // from the computer
    output wire       ftdi_rxd,
    output wire       wifi_gpio0,
    output wire [7:0] led
);
    localparam CLK_HZ = 60000000;
    wire clk, locked;
    // 25 MHz / 5 * 12 = 60 MHz; VCO 600 MHz
    (* FREQUENCY_PIN_CLKI = "25" *) (* FREQUENCY_PIN_CLKOP = "60" *) (* ICP_CURRENT = "12" *) (* LPF_RESISTOR = "8" *)
    EHXPLLL #(
        .CLKI_DIV(5), .CLKFB_DIV(12), .CLKOP_DIV(10), .CLKOP_CPHASE(4), .CLKOP_FPHASE(0), .CLKOP_ENABLE("ENABLED"), .FEEDBK_PATH("CLKOP"),
        .PLLRST_ENA("DISABLED"), .INTFB_WAKE("DISABLED"), .STDBY_ENABLE("DISABLED"), .DPHASE_SOURCE("DISABLED")
    ) pll (
        .CLKI(clk_25mhz), .CLKFB(clk), .CLKOP(clk), .LOCK(locked), .RST(1'b0), .STDBY(1'b0), .PHASESEL0(1'b0), .PHASESEL1(1'b0), .PHASEDIR(1'b1),
        .PHASESTEP(1'b1), .PHASELOADREG(1'b1), .PLLWAKESYNC(1'b0), .ENCLKOP(1'b0)
    );

    reg [15:0] wait_left = 16'hFFFF; // cycles until the clock is sure, and the button does not bounce
    reg [1:0]  button;
    always @(posedge clk) begin
        button    <= {button[0], btn_fire1};
        wait_left <= !locked || button[1] ? 16'hFFFF : wait_left == 0 ? 16'd0 : wait_left - 1'b1;
    end
    reg rst = 1'b1;
    always @(posedge clk) rst <= wait_left != 0;

    wire active, quiet, irq;
    gmmu_tier_uart #(
        .CLK_HZ(CLK_HZ), .DIV(CLK_HZ / BAUD), .BYTES(4096),
        .VPN_W(VPN_W), .ASID_W(ASID_W), .REF_W(REF_W), .SM_W(SM_W), .TIME_W(TIME_W), .FRAMES(FRAMES), .CLASSES(CLASSES), .WAYS(WAYS), .BINS(BINS),
        .CNT_W(CNT_W), .EXEC_W(EXEC_W), .GEN_W(GEN_W), .FAULTS(FAULTS), .NOTES(NOTES), .LATE(LATE), .SEQ_W(SEQ_W), .POOL(POOL), .K(K),
        .SAMPLER(SAMPLER), .SWAYS(SWAYS), .RECQ(RECQ),
        .SIDEQ(SIDEQ), .FRAME_MEM(FRAME_MEM), .TOUCHQ(TOUCHQ), .LINES(LINES), .RITQ(RITQ), .HIR_SETS(HIR_SETS), .HIR_WAYS(HIR_WAYS),
        .HIR_PAGES(HIR_PAGES), .HIR_CNT_W(HIR_CNT_W), .T2_SLOTS(T2_SLOTS), .TP_SETS(TP_SETS), .TP_WAYS(TP_WAYS), .TP_TAG_W(TP_TAG_W), .TP_CNT_W(TP_CNT_W),
        .RANGES(RANGES), .PARITY(PARITY)
    ) unit (.clk(clk), .rst(rst), .rxd(ftdi_txd), .txd(ftdi_rxd), .active(active), .quiet(quiet), .irq(irq));
    assign led = {4'd0, irq, quiet, active, locked};
    assign wifi_gpio0 = 1'b1; // else the ESP32 takes the board
endmodule
`default_nettype wire
