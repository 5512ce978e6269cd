// SPDX-License-Identifier: Apache-2.0
// trace.h: walk traces: the record, the reader and the writer (docs/formats.md, "Walk trace").
//
// A walk trace is policy-free: every access that reaches the GMMU, in order. Residency, and so
// hit or fault, is decided at replay.
#ifndef GMMU_TRACE_H
#define GMMU_TRACE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

// One walk: a coalesced page reference that missed the TLBs.
typedef struct {
    uint64_t vpn;   // virtual page number
    uint64_t ref;   // memory instruction that made the access (its PC, or a hash of it)
    uint64_t time;  // the recorder's own clock, 0 when absent; no policy reads it
    uint32_t asid;  // address space; page identity is (asid, vpn)
    uint32_t sm;    // streaming multiprocessor
    bool write;
} gmmu_walk;

// What went wrong, in one line: "FILE:LINE: found X, expected Y".
typedef struct {
    char text[512];
} gmmu_error;

enum {
    GMMU_OK = 0,   // done, or one record read
    GMMU_END = 1,  // no more records
    GMMU_BAD = 2   // bad input; the gmmu_error says file, line, found, expected
};

typedef struct gmmu_reader gmmu_reader;
typedef struct gmmu_writer gmmu_writer;

// Opens PATH ("-" is standard input) and reads the header line. NULL on failure, *err filled.
gmmu_reader *gmmu_reader_open(const char *path, gmmu_error *err);
// Reads the next walk: GMMU_OK, GMMU_END or GMMU_BAD. Streams: memory does not grow.
int gmmu_reader_next(gmmu_reader *r, gmmu_walk *walk, gmmu_error *err);
// log2 of the page size in bytes, from the header.
unsigned gmmu_reader_page_shift(const gmmu_reader *r);
// The line of the record read last, counted from 1.
uint64_t gmmu_reader_line(const gmmu_reader *r);
// What progress needs: bytes read so far and bytes in all (0 when not a regular file).
void gmmu_reader_progress(const gmmu_reader *r, uint64_t *done, uint64_t *total);
void gmmu_reader_close(gmmu_reader *r);

// Creates PATH ("-" is standard output) and writes the header line. COMMENT (may be NULL) follows
// as '# ' lines. NULL on failure, *err filled.
gmmu_writer *gmmu_writer_open(const char *path, unsigned page_shift, const char *comment,
                              gmmu_error *err);
// Writes one walk in the shortest form that keeps it: vpn,ref,rw[,sm[,asid[,time]]].
int gmmu_writer_put(gmmu_writer *w, const gmmu_walk *walk, gmmu_error *err);
// Flushes and closes; a write error that only shows here (a full disk) is reported.
int gmmu_writer_close(gmmu_writer *w, gmmu_error *err);

#ifdef __cplusplus
}
#endif
#endif
