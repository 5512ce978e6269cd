// SPDX-License-Identifier: Apache-2.0
// csv.c: reads any table with columns of the usual names as walks (docs/reference/formats.md,
// "Imported traces").
#include "trace/table.h"

static const gmmu_column columns[] = {
    {"vpn", COL_VPN, false},         {"page", COL_VPN, false},  {"addr", COL_ADDRESS, false},
    {"address", COL_ADDRESS, false}, {"size", COL_SIZE, false}, {"ref", COL_REF, false},
    {"pc", COL_REF, false},          {"rw", COL_RW, false},     {"write", COL_RW, false},
    {"sm", COL_SM, false},           {"asid", COL_ASID, false}, {"time", COL_TIME, false},
    {NULL, COL_UNKNOWN, false}};

// A page is named, or an address.
static bool check(gmmu_table *t, refusal *no) {
    if (t->has[COL_VPN] == t->has[COL_ADDRESS]) {
        return gmmu_refused(no, t->has[COL_VPN] ? "both" : "neither",
                            "either a column vpn or a column addr in the header");
    }
    if (t->has[COL_VPN] && t->has[COL_SIZE]) {
        t->has[COL_SIZE] = false;  // of an access in a page that is named
        gmmu_table_ignore(t, "size");
    }
    return true;
}

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    uint64_t asid = 0;
    bool named = ((const gmmu_table *)m->form)->has[COL_VPN];
    NUMBER(COL_VPN, UINT64_MAX, named, "a page number below 2^64", w.vpn);
    NUMBER(COL_ADDRESS, UINT64_MAX, !named, "an address below 2^64", address);
    NUMBER(COL_SIZE, TABLE_BYTES, false, "a size of at most 2^40 bytes", size);
    NUMBER(COL_REF, UINT64_MAX, false, "a reference below 2^64", w.ref);
    NUMBER(COL_SM, UINT32_MAX, false, "an sm below 2^32", sm);
    NUMBER(COL_ASID, UINT32_MAX, false, "an asid below 2^32", asid);
    NUMBER(COL_TIME, UINT64_MAX, false, "a time, a whole number below 2^64", w.time);
    if (!gmmu_table_write(value[COL_RW], &w.write, no)) {
        return false;
    }
    w.sm = (uint32_t)sm;
    w.asid = (uint32_t)asid;
    if (named) {
        m->walks[m->count++] = w;
    } else {
        gmmu_import_range(m, address, size == 0 ? 1 : size, w);
    }
    return true;
}

static const gmmu_table_kind table = {.columns = columns, .check = check, .row = row};

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    return gmmu_table_start(r, &table, given->page_shift != 0, err);
}

static const gmmu_importer importer = {
    .size = sizeof(gmmu_table),
    .shift = USUAL_SHIFT,
    .start = start,
    .record = gmmu_import_record,
    .line = gmmu_table_line,
    .note = gmmu_table_note,
};

const gmmu_form_kind gmmu_form_csv = {.name = "csv", GMMU_IMPORTED(importer)};
