// SPDX-License-Identifier: Apache-2.0
// gmmu_derived.vh: parameters of the unit that follow from its sizes and are not to be set: bits of numbers and of beats.
// Include it at the end of the parameter list of a module that has gmmu_parameters.vh in it.
/* verilator lint_off UNUSEDPARAM */ // a module uses some
parameter FRAME_W = FRAMES > 1 ? $clog2(FRAMES) : 1, parameter ROW_W = CLASSES > 1 ? $clog2(CLASSES) : 1,
parameter BIN_W = $clog2(BINS), parameter SAMP_W = $clog2(SAMPLER), parameter IDX_W = FAULTS > 1 ? $clog2(FAULTS) : 1,
parameter T2_W = T2_SLOTS > 1 ? $clog2(T2_SLOTS) : 1, parameter PLACE_W = FRAME_W > T2_W ? FRAME_W : T2_W, parameter CLASS_W = ROW_W + GEN_W,
parameter TP_W = TP_SETS * TP_WAYS > 1 ? $clog2(TP_SETS * TP_WAYS) : 1,
parameter STAMPS = FRAMES + FAULTS + (T2_SLOTS != 0 ? T2_SLOTS + TP_SETS * TP_WAYS : 0),
parameter AGE_W = STAMPS > 2 << FRAME_W ? $clog2(STAMPS) : FRAME_W + 1,
parameter WALK_BITS = VPN_W + REF_W + ASID_W + SM_W + 4 + FRAME_W + T2_W,
parameter DRV_BITS  = 4 + FRAME_W + ASID_W + VPN_W + 5 + TIME_W + T2_W,
parameter DEC_BITS  = SEQ_W + 3 * (ASID_W + VPN_W) + 2 + FRAME_W + 11 + 16 + TIME_W + T2_W,
parameter WORD_BITS = 4 + ROW_W + GEN_W + TIME_W + ASID_W + VPN_W,
parameter RIT_REC_BITS = 5 + 2 * (ASID_W + REF_W + TIME_W) + VPN_W, parameter RIT_HEAD_BITS = 40 + TIME_W,
parameter RIT_BITS  = RIT_REC_BITS > RIT_HEAD_BITS ? RIT_REC_BITS : RIT_HEAD_BITS,
parameter HIR_REC_BITS = ASID_W + VPN_W - $clog2(HIR_PAGES) + HIR_PAGES * HIR_CNT_W, parameter HIR_BITS = HIR_REC_BITS > 48 ? HIR_REC_BITS : 48,
parameter RANGE_BITS = 38 + ASID_W + 2 * VPN_W, parameter XFER_BITS = 53 + ASID_W + 3 * VPN_W,
// bits of tdata of a port: the bytes that hold a beat; bits above the beat are reserved: 0 from the unit, ignored by the unit
parameter WALK_TDATA = (WALK_BITS + 7) / 8 * 8, parameter DRV_TDATA = (DRV_BITS + 7) / 8 * 8, parameter RANGE_TDATA = (RANGE_BITS + 7) / 8 * 8,
parameter DEC_TDATA = (DEC_BITS + 7) / 8 * 8, parameter RIT_TDATA = (RIT_BITS + 7) / 8 * 8, parameter HIR_TDATA = (HIR_BITS + 7) / 8 * 8,
parameter XFER_TDATA = (XFER_BITS + 7) / 8 * 8
/* verilator lint_on UNUSEDPARAM */
