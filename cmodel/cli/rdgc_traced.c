// SPDX-License-Identifier: Apache-2.0
// rdgc_traced.c: kernel traces of Accel-Sim as a source of `gmmu rdgc`.
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cut.h"
#include "cli/rdgc_request.h"
#include "gmmu/trace.h"

// The form of the file, whose first bytes say too little, is one of kernel traces.
static bool is_guessed(const char *source, gmmu_form *form) {
    const gmmu_import_settings settings = {.guess = true};
    gmmu_error err;
    gmmu_reader *reader = gmmu_reader_open_import(source, GMMU_FORM_AUTO, &settings, &err);
    *form = reader != NULL ? gmmu_reader_form(reader) : GMMU_FORM_AUTO;
    gmmu_reader_close(reader);
    return *form == GMMU_FORM_ACCELSIM || *form == GMMU_FORM_ACCELSIM_LIST;
}

bool rdgc_is_traced(const char *source, gmmu_form *form) {
    static const struct {
        const char *begin;
        gmmu_form form;
    } known[] = {{"-kernel name", GMMU_FORM_ACCELSIM},
                 {"#BEGIN_TB", GMMU_FORM_ACCELSIM},
                 {"kernel", GMMU_FORM_ACCELSIM_LIST},
                 {"Memcpy", GMMU_FORM_ACCELSIM_LIST},
                 {"cudaMalloc", GMMU_FORM_ACCELSIM_LIST},
                 {"nccl", GMMU_FORM_ACCELSIM_LIST},
                 {"\xef\xbb\xbf", GMMU_FORM_AUTO},       // a byte order mark
                 {"\x1f\x8b", GMMU_FORM_AUTO},           // gzip
                 {"\xfd\x37zXZ", GMMU_FORM_AUTO},        // xz
                 {"\x28\xb5\x2f\xfd", GMMU_FORM_AUTO}};  // zstd
    struct stat kind;
    char first[16] = "";
    FILE *in = stat(source, &kind) == 0 && S_ISREG(kind.st_mode) ? fopen(source, "r") : NULL;
    if (in == NULL) {
        return false;
    }
    first[fread(first, 1, sizeof first - 1, in)] = '\0';
    (void)fclose(in);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (strncmp(first, known[i].begin, strlen(known[i].begin)) == 0) {
            *form = known[i].form;
            return *form != GMMU_FORM_AUTO || is_guessed(source, form);
        }
    }
    return false;
}

// What is no access of device memory, in one line.
static void report_skipped(const gmmu_reader *reader) {
    const char *what = NULL;
    uint64_t count = 0;
    size_t i = 0;
    for (; (count = gmmu_reader_skipped(reader, i, &what)) != 0; i++) {
        (void)fprintf(stderr, "%s%llu %s", i == 0 ? "gmmu rdgc: " : ", ", (unsigned long long)count,
                      what);
    }
    if (i != 0) {
        (void)fprintf(stderr, " were not taken\n");
    }
}

int rdgc_read_traced(const rdgc_request *r, const gmmu_kernel_watch *watch, gmmu_error *err) {
    const gmmu_import_settings settings = {.watch = watch};
    gmmu_reader *reader = gmmu_reader_open_import(r->source, r->form, &settings, err);
    if (reader == NULL) {
        return GMMU_BAD;
    }
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        gmmu_walk walk;
        status = gmmu_reader_next(reader, &walk, err);
    }
    if (status == GMMU_END) {
        report_skipped(reader);
        if (gmmu_reader_unended(reader)) {
            cut_say("gmmu rdgc", strcmp(r->source, "-") == 0 ? "<stdin>" : r->source);
        }
    }
    gmmu_reader_close(reader);
    return status == GMMU_END ? GMMU_OK : GMMU_BAD;
}
