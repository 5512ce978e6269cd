// SPDX-License-Identifier: Apache-2.0
// oracle_general.c: reads libCacheSim's oracleGeneral (docs/reference/formats.md, "Imported
// traces").
#include "trace/gwt.h"
#include "trace/import.h"
#include "trace/message.h"

enum { RECORD = 24, KEPT = 1024 };

// The first records, for the doubt about a file whose form nobody named.
typedef struct {
    size_t count;
    uint64_t object[KEPT], next[KEPT];
} first_records;

// More requests than any trace has.
#define MOST_REQUESTS (UINT64_C(1) << 48)

// True: a text, not a record. The next access would be beyond MOST_REQUESTS.
static bool is_text(const unsigned char *record) {
    for (size_t i = 0; i < RECORD; i++) {
        if ((record[i] < ' ' && (record[i] < '\t' || record[i] > '\r')) || record[i] == 0x7f) {
            return false;
        }
    }
    return true;
}

// True: there is no next access.
static bool is_none(uint64_t next) {
    return next == 0 || next >= UINT64_MAX - 1 || next == INT64_MAX;
}

// True: the next access of record NUMBER, from 1 on, is one: none (-1, -2, 0, 2^63 - 1), or a later
// request.
static bool is_next(uint64_t next, uint64_t number) {
    return is_none(next) || (next >= number && next <= MOST_REQUESTS);
}

// True: the next access of each record is where the records say. BASE: the number of the first.
static bool agree(const first_records *f, uint64_t base) {
    for (size_t i = 0; i < f->count; i++) {
        const uint64_t next = f->next[i];
        if (next == UINT64_MAX - 1) {  // not known
            continue;
        }
        const bool inside = !is_none(next) && next - base < f->count;
        const size_t stop = inside ? (size_t)(next - base) : f->count;
        for (size_t j = i + 1; j < stop; j++) {
            if (f->object[j] == f->object[i]) {
                return false;
            }
        }
        if (inside && (stop <= i || f->object[stop] != f->object[i])) {
            return false;
        }
    }
    return true;
}

static const char *doubt(const gmmu_reader *r) {
    const gmmu_import *m = r->own;
    const first_records *f = m->form;
    return agree(f, 1) || agree(f, 0) ? NULL : "with next accesses that are not there";
}

// uint32 time, uint64 object, uint32 size, int64 next access, packed and little-endian. False: the
// next access of record NUMBER is none.
static inline bool decode(const unsigned char *record, uint64_t number, gmmu_walk *walk) {
    *walk = (gmmu_walk){.time = gwt_get32(record), .vpn = gwt_get64(record + 4)};
    return is_next(gwt_get64(record + 16), number);
}

// The walks of the records that the buffer has whole and that are good, up to MOST.
static size_t take(gmmu_reader *r, gmmu_walk *walks, size_t most) {
    const unsigned char *at = (const unsigned char *)r->in.at;
    const size_t whole = (size_t)(r->in.end - r->in.at) / RECORD;
    size_t count = 0;
    most = whole < most ? whole : most;
    while (count < most && decode(at + count * RECORD, r->walks + count + 1, &walks[count])) {
        count++;
    }
    r->in.at += count * RECORD;
    return count;
}

// Keeps the COUNT records at RECORDS, up to the number that the doubt needs.
static void keep(first_records *first, const unsigned char *records, size_t count) {
    for (size_t i = 0; i < count && first->count < KEPT; i++) {
        first->object[first->count] = gwt_get64(records + i * RECORD + 4);
        first->next[first->count++] = gwt_get64(records + i * RECORD + 16);
    }
}

// The records that are at hand, as many as there is room for; else the next one.
static int record_in(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    const unsigned char *records = (const unsigned char *)r->in.at;
    m->count = take(r, m->walks, IMPORT_WALKS);
    if (r->probe) {
        keep(m->form, records, m->count);
    }
    if (m->count != 0) {
        return GMMU_OK;
    }
    unsigned char record[RECORD];
    size_t got = 0;
    const uint64_t offset = gmmu_bytes_offset(&r->in);
    const uint64_t number = r->walks + 1;
    if (!gmmu_bytes_fetch(&r->in, record, sizeof record, &got, err)) {
        return GMMU_BAD;
    }
    if (got == 0) {
        return GMMU_END;
    }
    r->line = number;
    if (got < sizeof record) {
        FAIL(err, r->in.file.name, 0, "record %llu at byte %llu: found %zu bytes, expected %d",
             (unsigned long long)number, (unsigned long long)offset, got, RECORD);
        r->in.stuck = true;
        return GMMU_BAD;
    }
    if (!decode(record, number, &m->walks[0])) {
        FAIL(err, r->in.file.name, 0,
             "record %llu at byte %llu: found %s %lld, expected a later request or -1, as records "
             "of "
             "oracleGeneral have",
             (unsigned long long)number, (unsigned long long)offset,
             is_text(record) ? "text, the next access" : "the next access",
             (long long)gwt_get64(record + 16));
        r->in.stuck = true;
        return GMMU_BAD;
    }
    if (r->probe) {
        keep(m->form, record, 1);
    }
    m->count = 1;
    return GMMU_OK;
}

static const gmmu_importer importer = {
    .size = sizeof(first_records), .shift = USUAL_SHIFT, .record = record_in};

const gmmu_form_kind gmmu_form_oracle_general = {.name = "oracle-general",
                                                 .identities = true,
                                                 .any_number = true,
                                                 .binary = true,
                                                 .records = true,
                                                 .take = take,
                                                 .doubt = doubt,
                                                 GMMU_IMPORTED(importer)};
