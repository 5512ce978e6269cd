// SPDX-License-Identifier: Apache-2.0
// recorder.h: turns the calls of BLAS and LAPACK of a process into a .sem trace and a report.
//
// Any thread may call the functions, except create, finish and destroy. If memory that a call needs
// is missing, recording stops with one line on standard error, and the program goes on. A forked
// process starts a recording of its own.
#ifndef GMMU_BLAS_RECORDER_H
#define GMMU_BLAS_RECORDER_H

#include <stdio.h>

#include "blas/counter.h"
#include "blas/memo.h"
#include "blas/routines.h"
#include "blas/settings.h"
#include "blas/stats.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gmmu_blas_recorder gmmu_blas_recorder;
// A place in the program that calls a routine.
typedef struct gmmu_blas_site gmmu_blas_site;

// Creates a recorder. NULL: no memory.
gmmu_blas_recorder *gmmu_blas_recorder_create(const gmmu_blas_settings *settings);
// Writes the report, if there was a call, and the end of the trace. Without them if another thread
// is in the recorder for seconds.
void gmmu_blas_recorder_finish(gmmu_blas_recorder *r);
void gmmu_blas_recorder_destroy(gmmu_blas_recorder *r);
// True: the process made a call, recorded or not.
bool gmmu_blas_recorder_seen(gmmu_blas_recorder *r);
// Writes LINE to where the report goes; without a report to standard error.
void gmmu_blas_recorder_say(gmmu_blas_recorder *r, const char *line);
// Further lines of the report are FUNCTION's.
typedef void gmmu_blas_more_function(FILE *to);
void gmmu_blas_recorder_more(gmmu_blas_recorder *r, gmmu_blas_more_function *function);
bool gmmu_blas_recorder_works(const gmmu_blas_recorder *r);
// Called around a fork, so that no other thread is in the recorder then.
void gmmu_blas_recorder_lock(gmmu_blas_recorder *r);
void gmmu_blas_recorder_unlock(gmmu_blas_recorder *r);
// In a child of fork, after gmmu_blas_recorder_unlock: nothing was counted here.
void gmmu_blas_recorder_forked(gmmu_blas_recorder *r);
// The signal NUMBER ends the process.
void gmmu_blas_recorder_ends(gmmu_blas_recorder *r, int number);
// For a handler of signals. True: this thread is not in the recorder, and the handler may finish.
// False: THEN is called when this thread leaves the recorder.
bool gmmu_blas_recorder_may_finish(void (*then)(void));

// Returns the site of name NAME that calls ROUTINE. NULL: no memory.
gmmu_blas_site *gmmu_blas_recorder_site(gmmu_blas_recorder *r, const char *name,
                                        const char *routine);
// The report has SHOWN in place of the site's name.
void gmmu_blas_recorder_show(gmmu_blas_recorder *r, gmmu_blas_site *site, const char *shown);

// The object of the file PATH has the routine that SITE reaches.
void gmmu_blas_recorder_library(gmmu_blas_recorder *r, gmmu_blas_site *site, const char *path);

// Writes to TO, of SIZE bytes, the line of the program that calls: in a language with an
// interpreter, whose state says so. False: it is not known.
typedef bool gmmu_blas_line_function(char *to, size_t size);
// Lines are asked for by FUNCTION, in the thread that calls: of the first calls of a site, of each
// 16th, and of large ones.
void gmmu_blas_recorder_lines(gmmu_blas_recorder *r, gmmu_blas_line_function *function);

typedef struct {
    gmmu_blas_site *site;
    uint64_t time, flops;
    uint64_t spent;            // by the recorder before the call, ns
    uint64_t thread, process;  // CPU time before the call, if that is not small, ns; else 0
    uint64_t moves;            // calls that had begun or ended before, and this one
    uint64_t inner;            // calls of the table within the call
    unsigned operands;         // 0: the call is not in the trace
    unsigned scratch;          // pieces of scratch memory, behind the operands
    bool refused;              // the routine refused an argument: the call is counted only
    uint32_t unwritten;        // operands that turned out to be read alone, a bit each
    gmmu_sem_operand operand[GMMU_BLAS_MOST_OPERANDS];
    // Content of a factorisation; NULL: no factorisation, or the content is not kept.
    gmmu_blas_content *content;
    bool found;   // the content had been kept
    bool single;  // operations in single precision
    gmmu_blas_shape shape;
    bool asked, sampled;        // for the line; SAMPLED: as one of several
    char line[GMMU_BLAS_LINE];  // of the program; empty: it is not known
} gmmu_blas_record;

// Calls of fewer operations than this are only counted: by gmmu_blas_recorder_begin, or by whoever
// asks first, with the counter of SITE. The minimum is GMMU_MIN's, or rises while the program runs.
const uint64_t *gmmu_blas_recorder_least(const gmmu_blas_recorder *r);
gmmu_blas_counter *gmmu_blas_recorder_below(gmmu_blas_site *site);
// gmmu_blas_recorder_begin: a call from SITE is about to run. gmmu_blas_recorder_end: the call has
// run.
void gmmu_blas_recorder_begin(gmmu_blas_recorder *r, gmmu_blas_site *site,
                              const gmmu_blas_call *call, gmmu_blas_record *record);
void gmmu_blas_recorder_end(gmmu_blas_recorder *r, const gmmu_blas_record *record);
// False: no operand was in the BYTES from START on. The function takes no lock.
bool gmmu_blas_recorder_maybe(const gmmu_blas_recorder *r, uint64_t start, size_t bytes);
// The memory from START to LAST was allocated just now.
void gmmu_blas_recorder_came(gmmu_blas_recorder *r, uint64_t start, uint64_t last);
// The memory from START to LAST is about to be freed.
void gmmu_blas_recorder_freed(gmmu_blas_recorder *r, uint64_t start, uint64_t last);

// True: pages are closed, so that a system call on these pages would fail.
bool gmmu_blas_recorder_closes(const gmmu_blas_recorder *r);
// A system call of the program, from CODE, is about to access [start, last].
void gmmu_blas_recorder_touched(gmmu_blas_recorder *r, uint64_t start, uint64_t last, bool writes,
                                uint64_t code);
// The program does something to the pages of [start, last] that cannot be followed. The pages count
// as read and written, and are not watched until a call uses the pages again.
void gmmu_blas_recorder_left(gmmu_blas_recorder *r, uint64_t start, uint64_t last);

#ifdef __cplusplus
}
#endif
#endif
