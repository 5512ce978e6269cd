// SPDX-License-Identifier: Apache-2.0
// perf_mem.c: reads the samples that `perf mem report -D` prints (docs/reference/formats.md,
// "Imported traces").
#include <string.h>

#include "trace/import.h"
#include "trace/scan.h"

enum { FIELDS = 9, OP_LOAD = 2, OP_STORE = 4, PADDED = 18 };

typedef struct {
    char separator;  // 0: blanks
    bool known;
    bool physical, page_size;  // columns that are there, too
} perf_mem;

// "# PID, TID, IP, ADDR, [PHYS ADDR, ][DATA PAGE SIZE, ]LOCAL WEIGHT, DSRC, SYMBOL"
static bool header(perf_mem *f, const char *line) {
    if (strncmp(line, "# PID, TID, IP, ADDR, ", 22) == 0) {
        f->physical = strstr(line, "PHYS ADDR") != NULL;
        f->page_size = strstr(line, "DATA PAGE SIZE") != NULL;
    }
    return *line == '#';
}

// The separator is what stands behind the first number.
static void find_separator(perf_mem *f, const char *line) {
    const char *p = line + strspn(line, " \t");
    p += strspn(p, "0123456789");
    f->separator = (char)(*p == ' ' || *p == '\t' ? '\0' : *p);
    f->known = true;
}

// Splits the first fields of LINE in place.
static size_t split(const perf_mem *f, char *line, char **field) {
    const char between[2] = {f->separator, '\0'};
    const char *stops = f->separator == '\0' ? " \t" : between;
    size_t count = 0;
    char *p = line;
    while (count < FIELDS) {
        p += strspn(p, " \t");
        if (*p == '\0') {
            break;
        }
        field[count++] = p;
        p += strcspn(p, stops);
        if (*p != '\0') {
            *p++ = '\0';
        }
    }
    return count;
}

static bool hexadecimal(const char *text, uint64_t *value) {
    return strncmp(text, "0x", 2) == 0 && gmmu_scan_whole(text, UINT64_MAX, value);
}

// Without -x perf prints "0x016" before the digits of an address. All 16 digits with their zeros
// would be as long as 13 digits behind "0x016".
static bool address_of(const perf_mem *f, const char *text, uint64_t *address, refusal *no) {
    const size_t length = strlen(text);
    if (f->separator == '\0' && strncmp(text, "0x016", 5) == 0) {
        if (length == PADDED) {
            return gmmu_refused(no, text, "an address that perf mem report -D -x, prints");
        }
        const char *p = text + 5;
        return (gmmu_scan_digits(&p, 16, address) && *p == '\0') ||
               gmmu_refused(no, text, "an address in hexadecimal");
    }
    return hexadecimal(text, address) || gmmu_refused(no, text, "an address with 0x");
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    gmmu_import *m = r->own;
    perf_mem *f = m->form;
    char *field[FIELDS];
    uint64_t pid = 0;
    uint64_t tid = 0;
    uint64_t weight = 0;
    uint64_t source = 0;
    uint64_t address = 0;
    gmmu_walk w = {0};
    if (header(f, line) || line[strspn(line, " \t")] == '\0') {
        return true;
    }
    if (!f->known) {
        find_separator(f, line);
    }
    const size_t at = (f->physical ? 1 : 0) + (f->page_size ? 1 : 0);
    const size_t count = split(f, line, field);
    if (count < 7 + at) {
        return gmmu_refused(no, line, "PID, TID, IP, ADDR, weight, DSRC and symbol of a sample");
    }
    if (!gmmu_scan_whole(field[0], INT32_MAX, &pid) ||
        !gmmu_scan_whole(field[1], INT32_MAX, &tid)) {
        return gmmu_refused(no, field[0], "the numbers of a process and a thread");
    }
    if (!hexadecimal(field[2], &w.ref)) {
        return gmmu_refused(no, field[2], "an IP with 0x");
    }
    if (!address_of(f, field[3], &address, no)) {
        return false;
    }
    if (!gmmu_scan_whole(field[4 + at], UINT64_MAX, &weight)) {
        return gmmu_refused(no, field[4 + at], "a weight");
    }
    if (!hexadecimal(field[5 + at], &source)) {
        return gmmu_refused(no, field[5 + at], "a data source with 0x");
    }
    if ((source & (OP_LOAD | OP_STORE)) == 0) {
        gmmu_import_skip(m, "samples of neither a load nor a store", "");
    } else if (address == 0) {
        gmmu_import_skip(m, "samples without an address", "");
    } else {
        w.write = (source & OP_STORE) != 0;
        w.asid = (uint32_t)pid;
        gmmu_import_range(m, address, 1, w);
    }
    return true;
}

static const gmmu_importer importer = {
    .size = sizeof(perf_mem),
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
    .long_lines = true,
};

const gmmu_form_kind gmmu_form_perf_mem = {.name = "perf-mem", GMMU_IMPORTED(importer)};
