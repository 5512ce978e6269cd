// SPDX-License-Identifier: Apache-2.0
// A register on a clock that rests, for proofs of one clock: it keeps its value while CLK is 0 (scripts/formal.py, RESTS).
(* techmap_celltype = "$dff" *)
module map_rests #(
    parameter WIDTH        = 1,
    parameter CLK_POLARITY = 1
) (
    input  wire             CLK,
    input  wire [WIDTH-1:0] D,
    output wire [WIDTH-1:0] Q
);

    \$ff #(.WIDTH(WIDTH)) _TECHMAP_REPLACE_ (.D(CLK ? D : Q), .Q(Q));

endmodule
