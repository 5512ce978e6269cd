// SPDX-License-Identifier: Apache-2.0
// cachelib.c: reads CacheLib's published requests to a key-value cache (docs/reference/formats.md,
// "Imported traces").
#include <strings.h>

#include "trace/table.h"

static const gmmu_column columns[] = {
    {"key", COL_VPN, true, false},         {"op", COL_TYPE, true, false},
    {"op_count", COL_COUNT, false, false}, {"op_time", COL_TIME, false, false},
    {"size", COL_KNOWN, false, false},     {"key_size", COL_KNOWN, false, false},
    {"ttl", COL_KNOWN, false, false},      {"cache_hits", COL_KNOWN, false, false},
    {"usecase", COL_KNOWN, false, false},  {"sub_usecase", COL_KNOWN, false, false},
    {NULL, COL_UNKNOWN, false, false}};

// Sets *write by the operation; *left_out: of no access. False: unknown.
static bool operation(const char *op, bool *write, bool *left_out) {
    static const struct {
        const char *name;
        bool write, left_out;
    } known[] = {{"GET", false, false},      {"GET_LEASE", false, false}, {"SET", true, false},
                 {"SET_LEASE", true, false}, {"DELETE", false, true},     {"ADD", true, false}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strcasecmp(op, known[i].name) == 0) {
            *write = known[i].write;
            *left_out = known[i].left_out;
            return true;
        }
    }
    return false;
}

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_table *t = m->form;
    gmmu_walk w = {0};
    uint64_t count = 1;
    bool left_out = false;
    if (!operation(value[COL_TYPE], &w.write, &left_out)) {
        return gmmu_refused(no, value[COL_TYPE], "GET, SET, GET_LEASE, SET_LEASE, ADD or DELETE");
    }
    NUMBER(COL_TIME, UINT64_MAX, false, "op_time, a whole number", w.time);
    if (*value[COL_COUNT] != '\0') {
        NUMBER(COL_COUNT, UINT32_MAX, true, "op_count below 2^32", count);
    }
    if (left_out) {
        gmmu_import_skip(m, "operations DELETE", "");
        return true;
    }
    if (!gmmu_table_text(&t->pages, value[COL_VPN], &w.vpn, no)) {
        return false;
    }
    if (count == 0) {
        gmmu_import_skip(m, "operations with op_count 0", "");
    } else {
        gmmu_import_repeat(m, count, w);
    }
    return true;
}

static const gmmu_table_kind table = {.columns = columns, .row = row};

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    (void)given;
    return gmmu_table_start(r, &table, true, err);
}

static const gmmu_importer importer = {
    .size = sizeof(gmmu_table),
    .shift = USUAL_SHIFT,
    .start = start,
    .record = gmmu_import_record,
    .line = gmmu_table_line,
    .note = gmmu_table_note,
    .free = gmmu_table_free,
};

const gmmu_form_kind gmmu_form_cachelib = {
    .name = "cachelib", .identities = true, GMMU_IMPORTED(importer)};
