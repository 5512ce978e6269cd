// SPDX-License-Identifier: Apache-2.0
// gmmu_check.svh: a rule of the checkers: a condition that makes the rule apply, what then must hold, and who is at fault if it does not
// (docs/guide/checkers.md).
//
//   `GMMU_UNIT(NAME, WHEN, THEN, SAYS, SEE)             a duty of the unit: an assertion
//   `GMMU_USER(NAME, WHEN, THEN, WHO, SAYS, SEE)        a duty of WHO, a party outside the unit: an assumption
//   `GMMU_EITHER(NAME, UNIT, WHEN, THEN, WHO, SAYS, SEE) one of both: UNIT, a constant, says which
//   ..._EVER                                            the same, also while rst is 1
//
// Each rule has a cover property NAME_applies, which counts how often the rule applied. SEE is the section that states the rule. A
// formal tool proves the assertions under the assumptions; a simulator checks both. Icarus has no concurrent assertions: there a
// rule is the same check as a process, in four states.
`ifndef GMMU_CHECK_SVH
`define GMMU_CHECK_SVH

`ifdef __ICARUS__
`define GMMU_RULE(KIND, NAME, RESTS, WHEN, THEN, WHO, SAYS, SEE) \
    always @(posedge clk) if (!(RESTS) && (WHEN) && (THEN) !== 1'b1) $display("%0t %m: GMMU rule NAME: fault of %0s: %0s (%0s)", $time, WHO, SAYS, SEE);
`else
`define GMMU_RULE(KIND, NAME, RESTS, WHEN, THEN, WHO, SAYS, SEE) \
    NAME: KIND property (@(posedge clk) disable iff (RESTS) (WHEN) |-> (THEN)) \
        else $error("GMMU rule %s: fault of %0s: %0s (%0s)", `"NAME`", WHO, SAYS, SEE); \
    NAME``_applies: cover property (@(posedge clk) disable iff (RESTS) (WHEN));
`endif

// (Verilator 5.006 takes no action block of an assumption. It checks both alike.)
`ifdef VERILATOR
`define GMMU_ASSUME assert
`else
`define GMMU_ASSUME assume
`endif
`define GMMU_UNIT(NAME, WHEN, THEN, SAYS, SEE) `GMMU_RULE(assert, NAME, rst, WHEN, THEN, "the unit", SAYS, SEE)
`define GMMU_USER(NAME, WHEN, THEN, WHO, SAYS, SEE) `GMMU_RULE(`GMMU_ASSUME, NAME, rst, WHEN, THEN, WHO, SAYS, SEE)
`define GMMU_UNIT_EVER(NAME, WHEN, THEN, SAYS, SEE) `GMMU_RULE(assert, NAME, 1'b0, WHEN, THEN, "the unit", SAYS, SEE)
`define GMMU_EITHER(NAME, UNIT, WHEN, THEN, WHO, SAYS, SEE) \
    if (UNIT) begin : NAME``_unit \
        `GMMU_RULE(assert, NAME, rst, WHEN, THEN, "the unit", SAYS, SEE) \
    end else begin : NAME``_user \
        `GMMU_RULE(`GMMU_ASSUME, NAME, rst, WHEN, THEN, WHO, SAYS, SEE) \
    end

`endif
