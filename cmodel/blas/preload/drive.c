// SPDX-License-Identifier: Apache-2.0
// drive.c: a call of a driver, whose arguments are described by its signature (drivers.h).
#include <string.h>

#include "blas/preload/preload.h"

// Bytes of what an argument points to; 0: it is an array, or code.
static size_t bytes_of(gmmu_blas_kind kind, const gmmu_blas_call *c) {
    switch (kind) {
        case GMMU_BLAS_CHAR:
        case GMMU_BLAS_LETTER:
            return 1;
        case GMMU_BLAS_INT:
        case GMMU_BLAS_FOUND:
        case GMMU_BLAS_INFO:
            return (size_t)c->integer;
        case GMMU_BLAS_VALUE:
        case GMMU_BLAS_ESTIMATE:
            return c->type == 's' || c->type == 'c' ? sizeof(float) : sizeof(double);
        default:
            return 0;
    }
}

static bool is_result(gmmu_blas_kind kind) {
    return kind == GMMU_BLAS_FOUND || kind == GMMU_BLAS_INFO || kind == GMMU_BLAS_ESTIMATE ||
           kind == GMMU_BLAS_LETTER;
}

// A kernel on the GPU gets copies: it finds the program's pages closed.
static void hand_over(gmmu_blas_drive *d) {
    for (unsigned i = 0; i < d->signature->count; i++) {
        const size_t bytes = bytes_of(d->signature->argument[i].kind, &d->frame.call);
        d->given[i] = d->argument[i];
        if (bytes != 0 && d->argument[i] != NULL) {
            memcpy(&d->value[i], d->argument[i], bytes);
            d->argument[i] = &d->value[i];
        } else {
            d->argument[i] = gmmu_blas_place(&d->frame, d->argument[i]);
        }
    }
}

static void take_back(gmmu_blas_drive *d) {
    for (unsigned i = 0; i < d->signature->count; i++)
        if (is_result(d->signature->argument[i].kind))
            memcpy(d->given[i], &d->value[i],
                   bytes_of(d->signature->argument[i].kind, &d->frame.call));
}

void gmmu_blas_drive_begin(gmmu_blas_drive *d, const gmmu_blas_target *target, uintptr_t frame) {
    gmmu_blas_site *site = atomic_load_explicit(&target->site, memory_order_relaxed);
    d->within = d->records = false;
    d->began = 0;
    if (site == NULL || gmmu_blas_within(frame)) {
        gmmu_blas_inner++;
        return;
    }
    gmmu_blas_driver_fill(&d->frame.call, d->signature, d->argument);
    d->within = true;
    gmmu_blas_enter(&d->frame.mark);
    if (gmmu_blas_driver_asks(&d->frame.call))
        return;
    switch (gmmu_blas_below(target, gmmu_blas_flops(&d->frame.call))) {
        case GMMU_BLAS_NOT_BELOW:
            break;
        case GMMU_BLAS_TIMED:
            d->target = target;
            d->began = gmmu_blas_clock();
            return;
        default:
            return;
    }
    d->records = true;
    gmmu_blas_go_on(&d->frame, site);
    if (d->frame.on_gpu)
        hand_over(d);
}

void gmmu_blas_drive_end(gmmu_blas_drive *d) {
    if (!d->within)
        return;
    if (!d->records) {
        if (d->began != 0)
            gmmu_blas_below_took(d->target, gmmu_blas_clock() - d->began);
        gmmu_blas_exit();
        return;
    }
    int64_t info = 0;
    for (unsigned i = 0; i < d->signature->count; i++)
        if (d->signature->argument[i].kind == GMMU_BLAS_INFO && d->frame.call.integer == 4)
            info = *(const int32_t *)d->argument[i];
        else if (d->signature->argument[i].kind == GMMU_BLAS_INFO)
            info = *(const int64_t *)d->argument[i];
        else if (d->signature->argument[i].kind == GMMU_BLAS_LETTER)
            memcpy((char *)&d->frame.call + d->signature->argument[i].at, d->argument[i], 1);
    d->frame.record.refused = info < 0;
    d->frame.record.unwritten = gmmu_blas_driver_unwritten(&d->frame.call, d->frame.record.operand,
                                                           d->frame.record.operands);
    gmmu_blas_leave(&d->frame);
    if (d->frame.on_gpu)
        take_back(d);
}
