// SPDX-License-Identifier: Apache-2.0
// accelsim_list.c: reads Accel-Sim's kernelslist.g: the kernels of a program in their order, each a
// file of its own, and what was copied to the device (docs/reference/formats.md, "Imported
// traces").
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/import.h"
#include "trace/message.h"
#include "trace/scan.h"

enum { RANGES = 4096, LONGEST_FOLDER = 4096 };

typedef struct {
    gmmu_reader *kernel;  // that is being read; NULL: none
    gmmu_import_settings settings;
    uint64_t kernels, ranges;  // numbers of both
    bool failed;               // the kernel, behind walks that were still to be given
    gmmu_error why;
    bool allocations;  // the list has cudaMalloc: copies are no allocations
    // Allocations that were given; of further ones each copy is given.
    struct {
        uint64_t address, bytes;
    } given[RANGES];
} list;

static void dispose(void *form) {
    if (form != NULL) {
        gmmu_reader_close(((list *)form)->kernel);
    }
}

static bool start(gmmu_reader *r, const gmmu_import_settings *given, gmmu_error *err) {
    list *l = gmmu_import_of(r)->form;
    (void)err;
    l->settings = (gmmu_import_settings){.page_shift = given->page_shift};
    return true;
}

// ",ADDRESS,BYTES"
static bool range(const char *p, uint64_t *address, uint64_t *bytes, refusal *no) {
    NEED(*p == ',', "a comma and an address");
    p++;
    NEED(p[0] == '0' && p[1] == 'x' && (p += 2, gmmu_scan_digits(&p, 16, address)) && *p == ',',
         "an address with 0x, and a comma");
    p++;
    NEED(gmmu_scan_number(&p, 10, bytes) && *bytes <= IMPORT_BYTES && p[strspn(p, " \t")] == '\0',
         "a size of at most 2^40 bytes at the line's end");
    return true;
}

// The range becomes an allocation, once.
static bool allocate(gmmu_reader *r, uint64_t address, uint64_t bytes, refusal *no) {
    gmmu_import *m = r->own;
    list *l = m->form;
    const uint64_t most = l->ranges < RANGES ? l->ranges : RANGES;
    if (bytes == 0) {
        gmmu_import_skip(m, "ranges of 0 bytes", "");
        return true;
    }
    for (uint64_t i = 0; i < most; i++) {
        if (l->given[i].address == address && l->given[i].bytes == bytes) {
            return true;
        }
    }
    if (l->ranges < RANGES) {
        l->given[l->ranges].address = address;
        l->given[l->ranges].bytes = bytes;
    }
    const uint64_t last = address > UINT64_MAX - (bytes - 1) ? UINT64_MAX : address + (bytes - 1);
    gmmu_hint hint = {.kind = GMMU_HINT_ALLOC,
                      .id = l->ranges++,
                      .first = address >> m->shift,
                      .pages = (last >> m->shift) - (address >> m->shift) + 1};
    return gmmu_import_hint(r, hint) || gmmu_refused(no, "no memory", "memory for a hint");
}

// Opens the kernel NAME, which lies beside the list, or NAME with the ending of a packed file.
static gmmu_reader *open_kernel(gmmu_reader *r, const char *name, gmmu_error *err) {
    static const char *const endings[] = {"", ".xz", ".gz", ".zst"};
    list *l = gmmu_import_of(r)->form;
    const char *slash = strrchr(r->in.file.name, '/');
    const int folder = slash == NULL || *name == '/' ? 0 : (int)(slash - r->in.file.name) + 1;
    char path[LONGEST_FOLDER + MAX_LINE + 8];
    if (folder > LONGEST_FOLDER) {
        FAIL(err, r->in.file.name, r->line, "found a path of %d bytes, expected at most %d", folder,
             LONGEST_FOLDER);
        return NULL;
    }
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        (void)snprintf(path, sizeof path, "%.*s%s%s", folder, r->in.file.name, name, endings[i]);
        if (access(path, R_OK) == 0) {
            return gmmu_reader_open_import(path, GMMU_FORM_ACCELSIM, &l->settings, err);
        }
    }
    char shown[60];
    gmmu_printable(shown, sizeof shown, name, strlen(name), 0x80);
    FAIL(err, r->in.file.name, r->line,
         "found no readable file \"%s\" beside the list, expected the trace of a kernel", shown);
    return NULL;
}

// Passes on the hints that stand before the walk read last.
static bool kernel_hints(gmmu_reader *r, gmmu_error *err) {
    list *l = gmmu_import_of(r)->form;
    size_t count = 0;
    const gmmu_hint *hint = gmmu_reader_hints(l->kernel, &count);
    for (size_t i = 0; i < count; i++) {
        if (!gmmu_import_hint(r, hint[i])) {
            FAIL(err, r->in.file.name, r->line, "found no memory, expected some for a hint");
            return false;
        }
    }
    return true;
}

// Takes the next walks of the kernel, with the hints before them. At its end the list goes on.
static int kernel_walks(gmmu_reader *r, gmmu_error *err) {
    gmmu_import *m = r->own;
    list *l = m->form;
    int status = GMMU_OK;
    while (m->count < IMPORT_WALKS && status == GMMU_OK) {
        gmmu_walk walk;
        status = gmmu_reader_next(l->kernel, &walk, err);
        if (status != GMMU_BAD && !kernel_hints(r, err)) {
            status = GMMU_BAD;
        }
        if (status == GMMU_OK) {
            m->walks[m->count++] = walk;
        }
    }
    if (status == GMMU_OK) {
        return GMMU_OK;
    }
    if (status == GMMU_END) {
        const char *what = NULL;
        uint64_t count = 0;
        for (size_t i = 0; (count = gmmu_reader_skipped(l->kernel, i, &what)) != 0; i++) {
            gmmu_import_skip_many(m, what, count);
        }
        gmmu_bytes_skip_line(&r->in);
    }
    gmmu_reader_close(l->kernel);
    l->kernel = NULL;
    if (status == GMMU_BAD && m->count != 0) {
        l->failed = true;
        l->why = *err;
        return GMMU_OK;
    }
    return status == GMMU_END ? GMMU_OK : GMMU_BAD;
}

// Takes a line that is no kernel.
static bool other_line(gmmu_reader *r, const char *line, refusal *no) {
    gmmu_import *m = r->own;
    list *l = m->form;
    uint64_t address = 0;
    uint64_t bytes = 0;
    const size_t length = strcspn(line, ",");
    if (length == 10 && strncmp(line, "cudaMalloc", length) == 0) {
        l->allocations = true;
        return range(line + length, &address, &bytes, no) && allocate(r, address, bytes, no);
    }
    if (length == 10 && strncmp(line, "MemcpyHtoD", length) == 0) {
        return range(line + length, &address, &bytes, no) &&
               (l->allocations || allocate(r, address, bytes, no));
    }
    if (strncmp(line, "Memcpy", 6) == 0 || strncmp(line, "cudaFree", 8) == 0) {
        gmmu_import_skip(m, "other copies and frees", "");
        return true;
    }
    if (strncmp(line, "nccl", 4) == 0) {
        gmmu_import_skip(m, "calls of NCCL", "");
        return true;
    }
    return line[strspn(line, " \t")] == '\0' || *line == '#' ||
           gmmu_refused(no, line, "a kernel's file, MemcpyHtoD,ADDRESS,BYTES or cudaMalloc");
}

static int record_in(gmmu_reader *r, gmmu_error *err) {
    list *l = gmmu_import_of(r)->form;
    char line[MAX_LINE + 1];
    size_t whole = 0;
    if (l->failed) {
        l->failed = false;
        *err = l->why;
        return GMMU_BAD;
    }
    if (l->kernel != NULL) {
        return kernel_walks(r, err);
    }
    int status = gmmu_import_line(r, line, &whole, err);
    if (status == GMMU_END && l->kernels == 0) {
        FAIL(err, r->in.file.name, r->line, "found the end of the list, expected a kernel");
        r->in.stuck = true;
        return GMMU_BAD;
    }
    if (status != GMMU_OK) {
        return status;
    }
    if (strncmp(line, "kernel", 6) == 0) {
        line[strcspn(line, " \t")] = '\0';
        l->kernels++;
        if (r->probe) {
            r->in.at += whole;
            return GMMU_OK;
        }
        l->kernel = open_kernel(r, line, err);
        return l->kernel == NULL ? GMMU_BAD : GMMU_OK;
    }
    refusal no = {.at = line, .expected = ""};
    if (!other_line(r, line, &no)) {
        return gmmu_import_refuse(r, &no, err);
    }
    r->in.at += whole;
    return GMMU_OK;
}

static const gmmu_importer importer = {
    .size = sizeof(list),
    .shift = USUAL_SHIFT,
    .start = start,
    .record = record_in,
    .free = dispose,
};

const gmmu_form_kind gmmu_form_accelsim_list = {
    .name = "accelsim-list", .others = true, GMMU_IMPORTED(importer)};
