// SPDX-License-Identifier: Apache-2.0
// nvprof.c: reads the page faults of unified memory that `nvprof --print-gpu-trace` prints, as a
// table or with --csv (docs/reference/formats.md, "Imported traces").
#include <string.h>

#include "trace/import.h"
#include "trace/scan.h"

enum { LONGEST_NAME = 48 };

typedef struct {
    bool header, csv;
    double unit;  // csv: nanoseconds of the first column's unit
} nvprof;

static double nanoseconds(const char *unit, size_t length) {
    static const struct {
        const char *name;
        double factor;
    } known[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strlen(known[i].name) == length && memcmp(known[i].name, unit, length) == 0) {
            return known[i].factor;
        }
    }
    return 0;
}

// "529.04ms", or in csv "529.04" or "\"529.04\"", in nanoseconds.
static bool start_of(const nvprof *f, const char *p, uint64_t *time) {
    double value = 0;
    double scale = 1;
    uint64_t digits = 0;
    p += strspn(p, " \t");
    const bool quoted = f->csv && *p == '"';
    p += strspn(p, " \t\"");
    const char *first = p;
    for (; *p == '.' || (*p >= '0' && *p <= '9'); p++) {
        if (*p == '.') {
            digits++;
        } else {
            value = value * 10 + (*p - '0');
            scale *= digits != 0 ? 10 : 1;
        }
    }
    const double unit = f->csv ? f->unit : nanoseconds(p, strspn(p, "abcdefghijklmnopqrstuvwxyz"));
    const bool ended = !f->csv || (quoted ? *p == '"' : *p == '\0' || strchr(" \t,", *p) != NULL);
    value = value / scale * unit;
    *time = value < 1e18 ? (uint64_t)(value + 0.5) : 0;
    return p != first && ended && digits <= 1 && unit != 0 && value < 1e18;
}

// The address before the name at END: the last word with 0x.
static bool address_before(const char *line, const char *end, uint64_t *address) {
    const char *found = NULL;
    for (const char *p = line; p + 2 < end; p++) {
        const bool first = p == line || strchr(" \t,\"", p[-1]) != NULL;
        found = first && p[0] == '0' && p[1] == 'x' ? p : found;
    }
    if (found == NULL) {
        return false;
    }
    found += 2;
    return gmmu_scan_digits(&found, 16, address) && strchr(" \t,\"", *found) != NULL &&
           strspn(found, " \t,\"") == (size_t)(end - found);
}

// The line of the columns' names; in csv the units stand in the next.
static bool header_line(nvprof *f, const char *line) {
    if (strstr(line, "Virtual Address") == NULL || strstr(line, "Name") == NULL) {
        return false;
    }
    f->header = true;
    f->csv = strchr(line, ',') != NULL;
    f->unit = 0;
    return true;
}

static bool units_line(nvprof *f, const char *line) {
    const char *p = line + strspn(line, "\"");
    f->unit = nanoseconds(p, strcspn(p, "\","));
    return f->unit != 0;
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    static const char faults[] = "Unified Memory GPU page faults]";
    gmmu_import *m = r->own;
    nvprof *f = m->form;
    const char *name = strstr(line, "[Unified Memory ");
    gmmu_walk w = {0};
    uint64_t address = 0;
    if (strncmp(line, "==", 2) == 0 || line[strspn(line, " \t")] == '\0') {
        return true;
    }
    if (header_line(f, line)) {
        return true;
    }
    if (!f->header) {
        gmmu_import_skip(m, "lines of the program", "");
        return true;
    }
    if (f->csv && f->unit == 0) {
        return units_line(f, line) || gmmu_refused(no, line, "a line of units, as ms,ms,…");
    }
    if (!start_of(f, line, &w.time)) {
        if (line[strspn(line, "\"")] >= '0' && line[strspn(line, "\"")] <= '9') {
            return gmmu_refused(no, line, "a start, a number with its unit");
        }
        gmmu_import_skip(m, "lines of the program", "");
        return true;
    }
    if (name == NULL) {
        gmmu_import_skip(m, "kernels and copies", "");
        return true;
    }
    if (strncmp(name + 1, faults, sizeof faults - 1) != 0) {
        const char *end = strchr(name, ']');
        char what[LONGEST_NAME];
        if (end == NULL) {
            return gmmu_refused(no, name, "a bracket behind the name");
        }
        (void)snprintf(what, sizeof what, "%.*s", (int)(end - name - 1), name + 1);
        gmmu_import_skip(m, "events", what);
        return true;
    }
    if (!address_before(line, name, &address)) {
        return gmmu_refused(no, line, "a virtual address before the name");
    }
    gmmu_import_range(m, address, 1, w);
    return true;
}

static bool end(gmmu_import *m, refusal *no) {
    const nvprof *f = m->form;
    return f->header || gmmu_refused(no, "the end of the file", "the header of nvprof's trace");
}

static const gmmu_importer importer = {
    .size = sizeof(nvprof),
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
    .end = end,
    .long_lines = true,
};

const gmmu_form_kind gmmu_form_nvprof = {.name = "nvprof", GMMU_IMPORTED(importer)};
