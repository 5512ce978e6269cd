// SPDX-License-Identifier: Apache-2.0
// writer.h: what the writers of both forms share.
#ifndef GMMU_TRACE_WRITER_H
#define GMMU_TRACE_WRITER_H

#include "gmmu/trace.h"

enum { WRITE_BUFFER = 1 << 18 };

typedef struct gmmu_gwt_writer gmmu_gwt_writer;

struct gmmu_writer {
    int fd;
    bool failed;  // what could not be written is not tried again
    size_t used;
    uint64_t written;      // bytes that have left the buffer
    gmmu_gwt_writer *gwt;  // NULL: text
    char *name;
    char buffer[WRITE_BUFFER];
};

// Sets *err to what went wrong in the file NAME; returns GMMU_BAD.
int gmmu_writer_fail(gmmu_error *err, const char *name, const char *what);
int gmmu_writer_flush(gmmu_writer *w, gmmu_error *err);
// Writes SIZE bytes, of any number.
int gmmu_writer_bytes(gmmu_writer *w, const void *from, size_t size, gmmu_error *err);

int gmmu_text_start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err);
int gmmu_text_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);

int gmmu_gwt_start(gmmu_writer *w, const gmmu_about *about, gmmu_error *err);
int gmmu_gwt_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);
// Writes the last block, the end record and, in a file, the counts in the header.
int gmmu_gwt_finish(gmmu_writer *w, gmmu_error *err);
void gmmu_gwt_writer_free(gmmu_gwt_writer *g);

#endif
