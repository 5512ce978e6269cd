// SPDX-License-Identifier: Apache-2.0
// oracle_general.c: reads libCacheSim's oracleGeneral (docs/reference/formats.md, "Imported
// traces").
#include "trace/gwt.h"
#include "trace/import.h"
#include "trace/message.h"

enum { RECORD = 24 };

// uint32 time, uint64 object, uint32 size, int64 next access, packed and little-endian.
static int record_in(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    unsigned char record[RECORD];
    size_t got = 0;
    uint64_t offset = gmmu_bytes_offset(&r->in);
    if (!gmmu_bytes_fetch(&r->in, record, sizeof record, &got, err)) {
        return GMMU_BAD;
    }
    if (got == 0) {
        return GMMU_END;
    }
    r->line++;
    if (got < sizeof record) {
        FAIL(err, r->in.file.name, 0, "record %llu at byte %llu: found %zu bytes, expected %d",
             (unsigned long long)r->line, (unsigned long long)offset, got, RECORD);
        r->in.stuck = true;
        return GMMU_BAD;
    }
    m->walks[0] = (gmmu_walk){.time = gwt_get32(record), .vpn = gwt_get64(record + 4)};
    m->count = 1;
    return GMMU_OK;
}

static const gmmu_importer importer = {.shift = USUAL_SHIFT, .record = record_in};

// The first record's time may look like gzip's magic.
const gmmu_form_kind gmmu_form_oracle_general = {
    .name = "oracle-general", .identities = true, .never_gzip = true, GMMU_IMPORTED(importer)};
