// SPDX-License-Identifier: Apache-2.0
// reader_fuzz.c: feeds any bytes to the trace reader. The first byte says whether to recover after
// errors (0x80), whether to seek (0x40), whether to guess the form (0x20), the page size of an
// imported trace (0x10), whether to number pages (0x08), and how a table is laid out (0x07). The
// second byte is the form; the rest is the file.
// `make fuzz` runs it, once with checksums and once past them.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // memfd_create
#endif
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "gmmu/trace.h"

enum { MOST = 1 << 14 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// A message is one printable line.
static void check_message(const gmmu_error *err) {
    if (strchr(err->text, '\n') != NULL || err->text[0] == '\0') {
        abort();
    }
}

static void read_all(const char *path, unsigned how, unsigned form) {
    gmmu_error err;
    gmmu_walk walk;
    static const struct {
        const char *columns, *separators;
        bool no_header;
    } tables[] = {{"addr,rw,time", NULL, true},
                  {"addr:hex,rw:word,-:number?,...", " ", true},
                  {"page:text,asid:text,rw,ref:0x?", NULL, true},
                  {"addr=a,rw=b,time*1000=c", NULL, false},
                  {"time*1000000,addr*512,size,rw:u|-,addr,store|addr", ",", true},
                  {"ref:hex:colon,rw:word,addr:dec,size:bracket?", " ;", true},
                  {"page,same,sm,asid,rw", "\t", false},
                  {"page,rw,", ",", true}};
    const gmmu_import_settings settings = {.page_shift = (how & 0x10) != 0 ? 12 : 0,
                                           .columns = tables[how & 7].columns,
                                           .separators = tables[how & 7].separators,
                                           .no_header = tables[how & 7].no_header,
                                           .guess = (how & 0x20) != 0,
                                           .renumber = (how & 0x08) != 0};
    gmmu_reader *r = gmmu_reader_open_import(path, (gmmu_form)(form % GMMU_FORMS), &settings, &err);
    if (r == NULL) {
        check_message(&err);
        return;
    }
    if ((how & 0x40) != 0) {
        (void)gmmu_reader_seek(r, how, &err);
    }
    // a record may stand for many pages
    for (int i = 0; i < MOST; i++) {
        size_t hints = 0;
        int status = gmmu_reader_next(r, &walk, &err);
        const gmmu_hint *hint = gmmu_reader_hints(r, &hints);
        for (size_t k = 0; k < hints; k++) {
            const bool range = hint[k].kind != GMMU_HINT_LAUNCH;
            if (hint[k].kind >= GMMU_HINT_KINDS || range != (hint[k].pages != 0)) {
                abort();
            }
        }
        if (status == GMMU_BAD) {
            check_message(&err);
        }
        if (status == GMMU_END ||
            (status == GMMU_BAD && ((how & 0x80) == 0 || !gmmu_reader_recover(r)))) {
            break;
        }
    }
    gmmu_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 2) {
        return 0;
    }
    int fd = memfd_create("fuzz", 0);
    char path[32];
    (void)snprintf(path, sizeof path, "/dev/fd/%d", fd);
    if (fd >= 0 && write(fd, data + 2, size - 2) == (ssize_t)size - 2) {
        read_all(path, data[0], data[1]);
    }
    (void)close(fd);
    return 0;
}
