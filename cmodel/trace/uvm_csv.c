// SPDX-License-Identifier: Apache-2.0
// uvm_csv.c: reads page-ins of a unified-memory simulator (docs/reference/formats.md, "Imported
// traces").
#include <string.h>
#include <strings.h>

#include "trace/message.h"
#include "trace/table.h"

static const gmmu_column columns[] = {
    {"start", COL_TIME, true, false}, {"end", COL_KNOWN, false, false},
    {"type", COL_TYPE, true, false},  {"addr", COL_ADDRESS, true, false},
    {"size", COL_SIZE, true, false},  {"sm", COL_SM, false, false},
    {NULL, COL_UNKNOWN, false, false}};

// Events that bring pages in, as GPGPU-Sim's UVM Smart names them; prefetch_breakdown are the
// transfers that a prefetch consists of. Other events are counted.
static bool is_page_in(const char *type, size_t length) {
    static const char *const known[] = {"memcpy_h2d", "prefetch_breakdown", "page_in"};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i]) == length && strncasecmp(type, known[i], length) == 0) {
            return true;
        }
    }
    return false;
}

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t size = 0;
    uint64_t sm = 0;
    size_t length = strcspn(value[COL_TYPE], " (");  // memcpy_h2d(1.25): with its duration
    if (length == 0) {
        return gmmu_refused(no, value[COL_TYPE], "a type of event");
    }
    if (!is_page_in(value[COL_TYPE], length)) {
        char shown[48];
        gmmu_printable(shown, sizeof shown, value[COL_TYPE], length, 0x80);
        gmmu_import_skip(m, "events of type", shown);
        return true;
    }
    NUMBER(COL_TIME, UINT64_MAX, true, "a start, a whole number below 2^64", w.time);
    NUMBER(COL_ADDRESS, UINT64_MAX, true, "an address below 2^64", address);
    NUMBER(COL_SIZE, IMPORT_BYTES, true, "a size of at most 2^40 bytes", size);
    NUMBER(COL_SM, UINT32_MAX, false, "an sm below 2^32", sm);
    w.sm = (uint32_t)sm;
    if (size == 0) {
        gmmu_import_skip(m, "page-ins of 0 bytes", "");
    } else {
        gmmu_import_range(m, address, size, w);
    }
    return true;
}

static const gmmu_table_kind table = {.columns = columns, .row = row};

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
    .free = gmmu_table_free,
};

const gmmu_form_kind gmmu_form_uvm_csv = {.name = "uvm-csv", GMMU_IMPORTED(importer)};
