// SPDX-License-Identifier: Apache-2.0
// trace.h: .sem traces: the bytes that a program's library calls read and write, and the bytes that
// its CPU code touches between the calls (docs/reference/formats.md, "Ranges: .sem").
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

// An operand: the bytes [start, last]; with gaps, runs of RUN bytes from START on, each STRIDE
// bytes behind the one before, up to LAST. An operand that is neither read nor written is an error
// of its line.
typedef struct {
    uint64_t start, last;
    bool reads, writes;
    bool whole;       // every byte is written, and no byte is read before; the gaps are no part
    uint64_t run;     // 0: no gaps
    uint64_t stride;  // more than RUN
} gmmu_sem_operand;

typedef enum {
    GMMU_SEM_CALL,   // a call of a library's routine
    GMMU_SEM_CPU,    // an access of the CPU, outside all calls
    GMMU_SEM_ALLOC,  // memory is allocated
    GMMU_SEM_FREE,   // memory is freed
    GMMU_SEM_MEMO,   // a result that depends on one operand alone, and may be kept
    GMMU_SEM_KINDS
} gmmu_sem_kind;

typedef struct {
    gmmu_sem_kind kind;
    uint64_t time;     // ns since the program began
    uint32_t site;     // CALL, CPU, MEMO: number of the call site's name
    uint32_t routine;  // CALL, MEMO: number of the routine's or the computation's name
    uint64_t flops,
        ns;           // CALL, MEMO: floating-point operations; time on the CPU in ns, 0: not known
    uint64_t result;  // MEMO: bytes of the result
    bool single;      // CALL, MEMO: operations in single precision; the reader does not set it
    uint32_t operands;  // number of operands: CALL any number, else 1
    gmmu_sem_operand operand[GMMU_SEM_MOST_OPERANDS];
} gmmu_sem_event;

// The CPU accesses of a trace. CALLS: none. WRITES: writes. FULL: reads and writes.
typedef enum { GMMU_SEM_CALLS, GMMU_SEM_WRITES, GMMU_SEM_FULL, GMMU_SEM_TRACKS } gmmu_sem_track;

// The versions of the format. From 2 on operands may have gaps.
enum { GMMU_SEM_PLAIN = 1, GMMU_SEM_GAPS, GMMU_SEM_VERSION = GMMU_SEM_GAPS };

// Names by number, from 0.
typedef struct {
    char **name;
    uint32_t used, room;
} gmmu_sem_names;

typedef struct gmmu_sem_reader gmmu_sem_reader;

// Opens PATH ("-" is standard input). NULL and *err: the file cannot be read, or the first line is
// wrong.
gmmu_sem_reader *gmmu_sem_open(const char *path, gmmu_error *err);
// Closes the file, and frees R (NULL: nothing) with all names. Standard input stays open.
void gmmu_sem_close(gmmu_sem_reader *r);
// Reads the next event. Returns GMMU_OK, GMMU_END or GMMU_BAD (*err: "FILE:LINE: found X, expected
// Y").
int gmmu_sem_next(gmmu_sem_reader *r, gmmu_sem_event *e, gmmu_error *err);
// The event that was read last is refused: *err is "FILE:LINE: found FOUND, expected EXPECTED".
void gmmu_sem_refuse(const gmmu_sem_reader *r, const char *found, const char *expected,
                     gmmu_error *err);
// Return which CPU accesses the trace has, and its version, from the first line.
gmmu_sem_track gmmu_sem_tracked(const gmmu_sem_reader *r);
unsigned gmmu_sem_version(const gmmu_sem_reader *r);
// Return the names of all sites and of all routines so far. The reader owns the texts, and may move
// `name` at the next event.
const gmmu_sem_names *gmmu_sem_sites(const gmmu_sem_reader *r);
const gmmu_sem_names *gmmu_sem_routines(const gmmu_sem_reader *r);

// Return the number of runs of an operand, its bytes without the gaps, and the operand with its
// gaps in it: not written in every byte, if there are gaps.
uint64_t gmmu_sem_runs(const gmmu_sem_operand *o);
uint64_t gmmu_sem_bytes(const gmmu_sem_operand *o);
gmmu_sem_operand gmmu_sem_hull(const gmmu_sem_operand *o);

// Write the first line, and the line of an event, with a newline. A negative result, as of printf:
// the line was not written. A file of VERSION 1 has no operands with gaps: write their hulls.
int gmmu_sem_write_head(FILE *to, unsigned version, gmmu_sem_track track);
int gmmu_sem_write(FILE *to, const gmmu_sem_event *e, const char *site, const char *routine);

#ifdef __cplusplus
}
#endif
#endif
