// SPDX-License-Identifier: Apache-2.0
// perf_script.c: reads events with an address as `perf script` prints them, and page faults as
// ftrace prints them (docs/reference/formats.md, "Imported traces").
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // strcasestr
#endif
#include <string.h>

#include "trace/import.h"
#include "trace/scan.h"

enum { WORDS = 64, FAULT_WRITES = 2, NANOSECONDS = 9, SHORTEST_IP = 5 };

typedef struct {
    bool sample;  // a line before: call chains may follow
} perf_script;

// "3678.072400:" in nanoseconds.
static bool time_of(const char *word, uint64_t *time) {
    uint64_t seconds = 0;
    uint64_t part = 0;
    const char *p = word;
    if (!gmmu_scan_digits(&p, 10, &seconds) || *p != '.' || seconds > UINT32_MAX) {
        return false;
    }
    const char *first = ++p;
    if (!gmmu_scan_digits(&p, 10, &part) || p[0] != ':' || p[1] != '\0' ||
        p - first > NANOSECONDS) {
        return false;
    }
    for (ptrdiff_t digits = p - first; digits < NANOSECONDS; digits++) {
        part *= 10;
    }
    *time = seconds * UINT64_C(1000000000) + part;
    return true;
}

static bool hexadecimal(const char *word, uint64_t *value) {
    const char *p = word;
    return gmmu_scan_digits(&p, 16, value) && *p == '\0';
}

// The process of "pid/tid" among the words before the time. A single number may be a thread.
static uint32_t process(char *const *words, size_t count) {
    for (size_t i = count; i > 0; i--) {
        const char *p = words[i - 1];
        uint64_t pid = 0;
        uint64_t tid = 0;
        if (gmmu_scan_digits(&p, 10, &pid) && *p++ == '/' && gmmu_scan_digits(&p, 10, &tid) &&
            *p == '\0' && pid <= UINT32_MAX) {
            return (uint32_t)pid;
        }
    }
    return 0;
}

// The instruction, behind the address: with a data source in front the last hexadecimal number of
// a row of these, since weights stand before; else the first. 0: none.
static uint64_t instruction(char *const *words, size_t count, bool last) {
    uint64_t ip = 0;
    for (size_t i = 0; i < count; i++) {
        uint64_t value = 0;
        if (!hexadecimal(words[i], &value)) {
            if (ip != 0) {
                break;
            }
        } else if (strlen(words[i]) >= SHORTEST_IP) {
            ip = value;
            if (!last) {
                break;
            }
        }
    }
    return ip;
}

// "address=0x… ip=0x… error_code=0x…", the tracepoint of a page fault.
static bool page_fault(gmmu_import *m, char *const *words, size_t count, gmmu_walk w, refusal *no) {
    uint64_t address = 0;
    uint64_t code = 0;
    if (count < 3 || strncmp(words[1], "ip=0x", 5) != 0 ||
        strncmp(words[2], "error_code=0x", 13) != 0 ||
        !gmmu_scan_whole(words[0] + strlen("address="), UINT64_MAX, &address) ||
        !gmmu_scan_whole(words[1] + strlen("ip="), UINT64_MAX, &w.ref) ||
        !gmmu_scan_whole(words[2] + strlen("error_code="), UINT64_MAX, &code)) {
        return gmmu_refused(no, words[0], "address=0x…, ip=0x… and error_code=0x…");
    }
    w.write = (code & FAULT_WRITES) != 0;
    gmmu_import_range(m, address, 1, w);
    return true;
}

// A line of a call chain: an address and a symbol.
static bool is_chain(const perf_script *f, const char *line, char *const *words) {
    uint64_t ip = 0;
    return f->sample && (*line == ' ' || *line == '\t') && hexadecimal(words[0], &ip);
}

// Sets *write by the data source "|OP LOAD|…" in LINE, or by the name of the event. *OTHER: the
// source is neither.
static bool direction(const char *line, const char *event, bool *write, bool *other) {
    const char *op = strstr(line, "|OP ");
    *write = false;
    *other = false;
    if (op != NULL) {
        char name[32] = "";
        const size_t length = strcspn(op + 4, "|");
        memcpy(name, op + 4, length < sizeof name ? length : sizeof name - 1);
        *write = strstr(name, "STORE") != NULL;
        *other = !*write && strstr(name, "LOAD") == NULL;
        return true;
    }
    *write = strcasestr(event, "store") != NULL;
    return *write || strcasestr(event, "load") != NULL || strcasestr(event, "fault") != NULL;
}

// What stands behind the event: "ADDR [DATA SOURCE] [weights] [IP symbol]".
static bool sample(gmmu_import *m, const char *line, const char *event, char *const *words,
                   size_t count, gmmu_walk w, refusal *no) {
    uint64_t address = 0;
    bool other = false;
    const char *source = strstr(line, "|OP ");
    if (count == 0 || !hexadecimal(words[0], &address)) {
        return gmmu_refused(no, count == 0 ? "" : words[0],
                            "an address behind the event, from perf script -F +addr");
    }
    if (!direction(line, event, &w.write, &other)) {
        return gmmu_refused(no, event,
                            "an event named load, store or fault, or -F +data_src of perf script");
    }
    if (other) {
        gmmu_import_skip(m, "samples of neither a load nor a store", "");
    } else if (address == 0) {
        gmmu_import_skip(m, "samples without an address", "");
    } else {
        size_t at = 1;
        while (source != NULL && at < count && words[at][0] != '|') {
            at++;
        }
        w.ref = instruction(words + at, count - at, source != NULL);
        gmmu_import_range(m, address, 1, w);
    }
    return true;
}

static bool line_in(gmmu_reader *r, char *line, refusal *no) {
    gmmu_import *m = r->own;
    perf_script *f = m->form;
    char copy[MAX_LINE + 1];
    char *words[WORDS];
    size_t at = 0;
    gmmu_walk w = {0};
    memcpy(copy, line, strlen(line) + 1);
    const size_t count = gmmu_scan_split(copy, words, WORDS);
    if (count == 0 || *words[0] == '#') {
        return true;
    }
    while (at < count && !time_of(words[at], &w.time)) {
        at++;
    }
    if (at == count) {
        return is_chain(f, line, words) || gmmu_refused(no, line, "a time, as in 3678.072400:");
    }
    f->sample = true;
    w.asid = process(words, at);
    size_t event = at + 1;
    while (event < count && words[event][strlen(words[event]) - 1] != ':') {
        event++;
    }
    if (event == count || event > at + 2) {
        return gmmu_refused(no, line, "an event and a colon behind the time");
    }
    if (event + 1 < count && strncmp(words[event + 1], "address=", 8) == 0) {
        return page_fault(m, words + event + 1, count - event - 1, w, no);
    }
    return sample(m, line, words[event], words + event + 1, count - event - 1, w, no);
}

static const gmmu_importer importer = {
    .size = sizeof(perf_script),
    .shift = USUAL_SHIFT,
    .record = gmmu_import_record,
    .line = line_in,
    .long_lines = true,
};

const gmmu_form_kind gmmu_form_perf_script = {.name = "perf-script", GMMU_IMPORTED(importer)};
