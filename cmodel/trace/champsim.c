// SPDX-License-Identifier: Apache-2.0
// champsim.c: reads ChampSim's traces: an instruction a record of 64 bytes
// (docs/reference/formats.md, "Imported traces").
#include "trace/gwt.h"
#include "trace/import.h"

enum {
    RECORD = 64,
    IS_BRANCH = 8,
    TAKEN = 9,
    WRITES = 16,
    WRITE_COUNT = 2,
    READS = 32,
    READ_COUNT = 4
};

// uint64 ip, uint8 is_branch, branch_taken, 2 + 4 registers, uint64 written[2], read[4]; 0: none.
static int record_in(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    unsigned char record[RECORD];
    int status = gmmu_import_fixed(r, record, sizeof record, err);
    if (status != GMMU_OK) {
        return status;
    }
    if (record[IS_BRANCH] > 1 || record[TAKEN] > 1) {
        return gmmu_import_refuse_fixed(r, RECORD, "a byte that is neither 0 nor 1",
                                        "is_branch and branch_taken of a ChampSim instruction",
                                        err);
    }
    const uint64_t ip = gwt_get64(record);
    for (size_t i = 0; i < READ_COUNT + WRITE_COUNT; i++) {
        const bool write = i >= READ_COUNT;
        const size_t at = write ? WRITES + 8 * (i - READ_COUNT) : READS + 8 * i;
        const uint64_t address = gwt_get64(record + at);
        if (address != 0) {
            m->walks[m->count++] =
                (gmmu_walk){.vpn = address >> m->shift, .ref = ip, .write = write};
        }
    }
    if (m->count == 0) {
        gmmu_import_skip(m, "instructions without access", "");
    }
    return GMMU_OK;
}

static const gmmu_importer importer = {.shift = USUAL_SHIFT, .record = record_in};

const gmmu_form_kind gmmu_form_champsim = {
    .name = "champsim", .binary = true, GMMU_IMPORTED(importer)};
