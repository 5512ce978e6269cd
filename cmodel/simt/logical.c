// SPDX-License-Identifier: Apache-2.0
// logical.c: see logical.h.
#include "simt/logical.h"

int gmmu_simt_logical_grid(void *trace, const gmmu_simt_grid *grid, gmmu_error *err) {
    return gmmu_rdgc_trace_begin_issue(trace, grid->blocks, grid->threads, err);
}

int gmmu_simt_logical_op(void *trace, const gmmu_simt_warp *w, unsigned sm, const gmmu_simt_op *op,
                         gmmu_error *err) {
    uint64_t addr[GMMU_WARP];
    (void)sm;
    for (uint32_t rest = op->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        addr[lane] = op->array->base + op->index[lane] * op->array->element;
    }
    unsigned kind = op->atomic ? GMMU_RDGC_ATOMIC : op->write ? GMMU_RDGC_WRITE : GMMU_RDGC_READ;
    return gmmu_rdgc_trace_issue(trace, w->block, w->index, kind, op->mask, addr, err);
}
