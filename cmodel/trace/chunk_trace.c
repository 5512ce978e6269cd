// SPDX-License-Identifier: Apache-2.0
// chunk_trace.c: reads what gpu_ext's chunk_trace prints of the driver nvidia-uvm: which blocks of
// a process are given memory and are used (docs/reference/formats.md, "Imported traces").
#include <string.h>

#include "trace/table.h"

enum { BLOCK_SHIFT = 21, BASE_PAGE = 4096, BLOCK_PAGES = 512 };

static const gmmu_column columns[] = {
    {"time_ms", COL_TIME, true, false},      {"hook_type", COL_TYPE, true, false},
    {"pid", COL_KNOWN, false, false},        {"owner_pid", COL_ASID, true, false},
    {"va_space", COL_KNOWN, false, false},   {"cpu", COL_KNOWN, false, false},
    {"chunk_addr", COL_KNOWN, false, false}, {"list_addr", COL_KNOWN, false, false},
    {"va_block", COL_KNOWN, false, false},   {"va_start", COL_ADDRESS, true, false},
    {"va_end", COL_KNOWN, false, false},     {"va_page_index", COL_COUNT, true, false},
    {NULL, COL_UNKNOWN, false, false}};

static bool row(gmmu_reader *r, const char *const *value, refusal *no) {
    gmmu_import *m = r->own;
    gmmu_walk w = {0};
    uint64_t address = 0;
    uint64_t page = 0;
    uint64_t process = 0;
    const char *type = value[COL_TYPE];
    const bool used =
        strcmp(type, "ACTIVATE") == 0 || strcmp(type, "POPULATE") == 0 || strcmp(type, "USED") == 0;
    if (!used && strcmp(type, "EVICTION_PREPARE") != 0 && strcmp(type, "DEPOPULATE") != 0 &&
        strcmp(type, "UNKNOWN") != 0) {
        return gmmu_refused(no, type, "ACTIVATE, POPULATE, USED, DEPOPULATE or EVICTION_PREPARE");
    }
    NUMBER(COL_TIME, UINT64_MAX, true, "time_ms, a whole number", w.time);
    NUMBER(COL_COUNT, UINT32_MAX, true, "va_page_index, a whole number", page);
    if (!used) {
        gmmu_import_skip(m, "events", type);
        return true;
    }
    if (*value[COL_ADDRESS] == '\0') {
        gmmu_import_skip(m, "events without a block of addresses", "");
        return true;
    }
    NUMBER(COL_ADDRESS, UINT64_MAX, true, "va_start, an address", address);
    NUMBER(COL_ASID, UINT32_MAX, true, "owner_pid, a process", process);
    if (page >= BLOCK_PAGES || address > UINT64_MAX - page * BASE_PAGE) {
        return gmmu_refused(no, value[COL_COUNT], "a va_page_index below 512");
    }
    w.asid = (uint32_t)process;
    gmmu_import_range(m, address + page * BASE_PAGE, 1, w);
    return true;
}

static const gmmu_table_kind table = {.columns = columns, .row = row};

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    return gmmu_table_start(r, &table, given->page_shift != 0, err);
}

static const gmmu_importer importer = {
    .size = sizeof(gmmu_table),
    .shift = BLOCK_SHIFT,
    .start = start,
    .record = gmmu_import_record,
    .line = gmmu_table_line,
    .note = gmmu_table_note,
    .free = gmmu_table_free,
};

const gmmu_form_kind gmmu_form_chunk_trace = {.name = "chunk-trace", GMMU_IMPORTED(importer)};
