// SPDX-License-Identifier: Apache-2.0
// trace.h: .sem traces: what a program's library calls read and write, and what its CPU code
// touches between them (docs/reference/formats.md, "Ranges: .sem").
#ifndef GMMU_SEM_TRACE_H
#define GMMU_SEM_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gmmu/trace.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GMMU_SEM_MOST_OPERANDS = 16, GMMU_SEM_MOST_NAME = 200 };

// The bytes [start, last] of an operand. Neither: the line was wrong.
typedef struct {
    uint64_t start, last;
    bool reads, writes;
    bool whole;  // every byte is written, and none is read before
} gmmu_sem_operand;

typedef enum {
    GMMU_SEM_CALL,   // of a library's routine
    GMMU_SEM_CPU,    // an access of the CPU, outside all calls
    GMMU_SEM_ALLOC,  // memory comes
    GMMU_SEM_FREE,   // memory goes
    GMMU_SEM_MEMO,   // a result that depends on one operand alone, and may be kept
    GMMU_SEM_KINDS
} gmmu_sem_kind;

typedef struct {
    gmmu_sem_kind kind;
    uint64_t time;     // ns since the program began
    uint32_t site;     // CALL, CPU, MEMO: the number of the call site's name
    uint32_t routine;  // CALL, MEMO: that of the routine's or of the computation's
    uint64_t flops,
        ns;  // CALL, MEMO: floating-point operations; what it took on the CPU, 0: not known
    uint64_t result;    // MEMO: bytes of its result
    uint32_t operands;  // of `operand`: CALL any number, else 1
    gmmu_sem_operand operand[GMMU_SEM_MOST_OPERANDS];
} gmmu_sem_event;

// What the trace's CPU accesses are: none; writes; all.
typedef enum { GMMU_SEM_CALLS, GMMU_SEM_WRITES, GMMU_SEM_FULL, GMMU_SEM_TRACKS } gmmu_sem_track;

// Names by number, from 0.
typedef struct {
    char **name;
    uint32_t used, room;
} gmmu_sem_names;

typedef struct gmmu_sem_reader gmmu_sem_reader;

// Opens PATH, "-" is standard input. NULL and *err: it cannot be read, or its first line is wrong.
gmmu_sem_reader *gmmu_sem_open(const char *path, gmmu_error *err);
void gmmu_sem_close(gmmu_sem_reader *r);
// GMMU_OK, GMMU_END or GMMU_BAD: "FILE:LINE: found …, expected …".
int gmmu_sem_next(gmmu_sem_reader *r, gmmu_sem_event *e, gmmu_error *err);
gmmu_sem_track gmmu_sem_tracked(const gmmu_sem_reader *r);
// Sites and routines have one list each; the text is the reader's.
const gmmu_sem_names *gmmu_sem_sites(const gmmu_sem_reader *r);
const gmmu_sem_names *gmmu_sem_routines(const gmmu_sem_reader *r);

// The first line, and an event's, with a newline. Negative, as printf: not written.
int gmmu_sem_write_head(FILE *to, gmmu_sem_track track);
int gmmu_sem_write(FILE *to, const gmmu_sem_event *e, const char *site, const char *routine);

#ifdef __cplusplus
}
#endif
#endif
