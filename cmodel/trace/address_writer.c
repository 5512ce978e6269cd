// SPDX-License-Identifier: Apache-2.0
// address_writer.c: see address_writer.h.
#include "trace/address_writer.h"

#include <stdlib.h>

enum { LINE = 80 };

typedef struct {
    unsigned shift;
    uint64_t walks;
} address_writer;

static int start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err) {
    address_writer *a = w->own = calloc(1, sizeof *a);
    if (a == NULL) {
        return gmmu_output_fail(err, w->out.name, "out of memory");
    }
    a->shift = about->page_shift;
    return GMMU_OK;
}

// Sets *address of the page; such a form has no address spaces.
static int address_of(gmmu_writer *w, const gmmu_walk *walk, uint64_t *address, gmmu_error *err) {
    const address_writer *a = w->own;
    *address = walk->vpn << a->shift;
    if (walk->asid != 0 || *address >> a->shift != walk->vpn) {
        (void)snprintf(
            err->text, sizeof err->text, "%.200s: found %s in walk %llu, expected %s", w->out.name,
            walk->asid != 0 ? "an address space" : "a page beyond 2^64 bytes",
            (unsigned long long)a->walks,
            walk->asid != 0 ? "asid 0: the form has addresses alone" : "an address below 2^64");
        return GMMU_BAD;
    }
    return GMMU_OK;
}

static int put_line(gmmu_writer *w, const char *line, int length, gmmu_error *err) {
    address_writer *a = w->own;
    a->walks++;
    return gmmu_output_bytes(&w->out, line, (size_t)length, err);
}

static int put_ramulator(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    char line[LINE];
    uint64_t address = 0;
    if (address_of(w, walk, &address, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    int n = snprintf(line, sizeof line, "0x%llx %c\n", (unsigned long long)address,
                     walk->write ? 'W' : 'R');
    return put_line(w, line, n, err);
}

static int put_ramulator2(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    char line[LINE];
    uint64_t address = 0;
    if (address_of(w, walk, &address, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    int n = snprintf(line, sizeof line, "%s 0x%llx\n", walk->write ? "ST" : "LD",
                     (unsigned long long)address);
    return put_line(w, line, n, err);
}

// The cycle is the walk's time, or the number of the walk.
static int put_dramsim3(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err) {
    const address_writer *a = w->own;
    char line[LINE];
    uint64_t address = 0;
    if (address_of(w, walk, &address, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    int n = snprintf(line, sizeof line, "0x%llx %s %llu\n", (unsigned long long)address,
                     walk->write ? "WRITE" : "READ",
                     (unsigned long long)(walk->time != 0 ? walk->time : a->walks));
    return put_line(w, line, n, err);
}

// Such a form has no hints: they are left out.
static int no_hint(gmmu_writer *w, const gmmu_hint *hint, gmmu_error *err) {
    (void)w;
    (void)hint;
    (void)err;
    return GMMU_OK;
}

static int finish(gmmu_writer *w, gmmu_error *err) {
    return gmmu_output_flush(&w->out, err);
}

#define WRITER(put_) \
    { .start = start, .put = (put_), .hint = no_hint, .finish = finish, .close = free }
const gmmu_form_writer gmmu_ramulator_writer = WRITER(put_ramulator);
const gmmu_form_writer gmmu_ramulator2_writer = WRITER(put_ramulator2);
const gmmu_form_writer gmmu_dramsim3_writer = WRITER(put_dramsim3);
