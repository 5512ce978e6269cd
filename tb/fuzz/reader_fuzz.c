// SPDX-License-Identifier: Apache-2.0
// reader_fuzz.c: feeds any bytes to the trace reader. The first byte chooses the form (its low four
// bits), whether to recover after errors (0x80), whether to seek (0x40), and the page size of an
// imported trace (0x10); the rest is the file.
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

static void read_all(const char *path, unsigned how) {
    gmmu_error err;
    gmmu_walk walk;
    gmmu_form form = (gmmu_form)((how & 0x0f) % GMMU_FORMS);
    gmmu_reader *r = gmmu_reader_open_as(path, form, (how & 0x10) != 0 ? 12 : 0, &err);
    if (r == NULL) {
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
        if (status == GMMU_BAD && (strchr(err.text, '\n') != NULL || err.text[0] == '\0')) {
            abort();  // a message is one line
        }
        if (status == GMMU_END ||
            (status == GMMU_BAD && ((how & 0x80) == 0 || !gmmu_reader_recover(r)))) {
            break;
        }
    }
    gmmu_reader_close(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0) {
        return 0;
    }
    int fd = memfd_create("fuzz", 0);
    char path[32];
    (void)snprintf(path, sizeof path, "/dev/fd/%d", fd);
    if (fd >= 0 && write(fd, data + 1, size - 1) == (ssize_t)size - 1) {
        read_all(path, data[0]);
    }
    (void)close(fd);
    return 0;
}
