// SPDX-License-Identifier: Apache-2.0
// drmemtrace.c: reads what DynamoRIO's view tool prints of a drmemtrace (docs/reference/formats.md,
// "Imported traces").
#include <string.h>

#include "trace/import.h"
#include "trace/scan.h"

typedef struct {
    uint64_t time;  // of the last marker of time
} drmemtrace;

enum { WORDS = 24 };

// Lines of the tool around the records.
static bool is_frame(const char *line) {
    static const char *const begins[] = {"Output format:", "<record#>", "<--record#->", "----",
                                         "View tool results:"};
    const char *p = line + strspn(line, " \t");
    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++) {
        if (strncmp(p, begins[i], strlen(begins[i])) == 0) {
            return true;
        }
    }
    return *p == '\0' || strstr(p, " : total ") != NULL;
}

// "<marker: …>", "<thread N exited>" and the like.
static bool remark(drmemtrace *d, const char *line, bool *bad) {
    static const char marker[] = "<marker: timestamp ";
    const size_t length = strlen(line);
    const char *time = strstr(line, marker);
    if (strchr(line, '<') == NULL || line[length - 1] != '>') {
        return false;
    }
    if (time != NULL) {
        time += sizeof marker - 1;
        *bad = !gmmu_scan_digits(&time, 10, &d->time) || *time != '>';
    }
    return true;
}

// The workload of "W3.T1774673": its address space; 0 without. False: too large.
static bool workload(const char *thread, uint32_t *asid) {
    uint64_t number = 0;
    const char *p = thread + 1;
    const bool has = *thread == 'W' && p[strspn(p, "0123456789")] == '.';
    const bool good = !has || (gmmu_scan_digits(&p, 10, &number) && number <= UINT32_MAX);
    *asid = (uint32_t)number;
    return good;
}

// The bytes of a long instruction, alone on their line, behind numbers and a thread.
static bool is_bytes(char *const *word, size_t count) {
    size_t before = count;
    while (before > 0 && strlen(word[before - 1]) == 2 &&
           strspn(word[before - 1], "0123456789abcdef") == 2) {
        before--;
    }
    return before < count && before > 0 && before <= 3;
}

static bool address_of(const char *text, uint64_t *address) {
    return strncmp(text, "0x", 2) == 0 && gmmu_scan_whole(text, UINT64_MAX, address);
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    gmmu_import *m = r->own;
    drmemtrace *d = m->form;
    char copy[MAX_LINE + 1];
    char *words[WORDS];
    size_t at = 0;
    uint64_t size = 0;
    uint64_t address = 0;
    uint64_t pc = 0;
    bool bad = false;
    if (is_frame(line) || remark(d, line, &bad)) {
        return !bad || gmmu_refused(no, line, "<marker: timestamp N>, N below 2^64");
    }
    memcpy(copy, line, strlen(line) + 1);
    const size_t count = gmmu_scan_split(copy, words, WORDS);
    while (at < count && strcmp(words[at], "byte(s)") != 0) {
        at++;
    }
    if (at == count) {
        return is_bytes(words, count) ||
               gmmu_refused(no, line, "a record, N byte(s) @ 0x…, or a marker");
    }
    if (at < 3 || at + 2 >= count || strcmp(words[at + 1], "@") != 0 ||
        !gmmu_scan_whole(words[at - 1], UINT32_MAX, &size) ||
        !address_of(words[at + 2], &address)) {
        return gmmu_refused(no, line, "a kind, a size, byte(s) @ and an address");
    }
    uint32_t asid = 0;
    if (!workload(words[at - 3], &asid)) {
        return gmmu_refused(no, words[at - 3], "a workload below 2^32, as in W3.T292");
    }
    const char *kind = words[at - 2];
    const bool write = strcmp(kind, "write") == 0;
    const bool fetch = strcmp(kind, "ifetch") == 0;
    if (!fetch &&
        (at + 5 >= count || strcmp(words[at + 3], "by") != 0 || strcmp(words[at + 4], "PC") != 0 ||
         !address_of(words[at + 5], &pc) || strlen(words[at + 5]) != strlen(words[at + 2]))) {
        return gmmu_refused(no, line, "by PC 0x… at the end of the record, as long as the address");
    }
    if (fetch) {
        gmmu_import_skip(m, "instruction fetches", "");
    } else if (strncmp(kind, "pref", 4) == 0 || strcmp(kind, "iflush") == 0 ||
               strcmp(kind, "dflush") == 0) {
        gmmu_import_skip(m, "prefetches and flushes", "");
    } else if (write || strcmp(kind, "read") == 0) {
        gmmu_import_range(m, address, size == 0 ? 1 : size,
                          (gmmu_walk){.ref = pc, .time = d->time, .asid = asid, .write = write});
    } else {
        return gmmu_refused(no, line, "read, write, ifetch, a prefetch or a flush");
    }
    return true;
}

static const gmmu_importer importer = {
    .size = sizeof(drmemtrace),
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
};

const gmmu_form_kind gmmu_form_drmemtrace = {.name = "drmemtrace", GMMU_IMPORTED(importer)};
