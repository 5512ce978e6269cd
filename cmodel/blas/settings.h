// SPDX-License-Identifier: Apache-2.0
// settings.h: the settings of the drop-in, from the environment (docs/guide/blas.md).
#ifndef GMMU_BLAS_SETTINGS_H
#define GMMU_BLAS_SETTINGS_H

#include "semcache/play.h"
#include "semcache/track.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of a process of MPI, or of Slurm; the texts are empty where it is neither.
typedef struct {
    char number[12], of[12];  // of so many
    char host[64];
} gmmu_blas_rank;

typedef struct {
    gmmu_sem_track track;        // GMMU_TRACK
    gmmu_track_backend backend;  // GMMU_TRACK_BACKEND
    const char *trace;           // GMMU_TRACE: a file's name; NULL: no trace
    const char *report;          // GMMU_REPORT: a file's name, or "stderr"; NULL: no report
    const char *json;            // GMMU_JSON: a file's name; NULL: none
    uint64_t least;      // GMMU_MIN: calls of fewer than 2·least³ operations are left to the CPU
    bool find_least;     // LEAST is where to begin: it rises while recording takes too much time
    gmmu_sem_link link;  // GMMU_LINK: the machine of the report's times
    const char *link_name;
    gmmu_blas_rank rank;
    char program[64];         // its short name, printable
    uint64_t memo;            // GMMU_MEMO: MiB for contents of factorisations; 0: none are kept
    uint64_t sites;           // GMMU_SITES: call sites of the report, at most; 0: all
    uint64_t shadow;          // GMMU_SHADOW: MiB of GPU memory; 0: no shadow execution
    uint64_t shadow_threads;  // GMMU_SHADOW_THREADS: threads that touch nothing
} gmmu_blas_settings;

extern const char *const gmmu_blas_tracks[GMMU_SEM_TRACKS];  // words of GMMU_TRACK

// Where the minimum begins that is found while the program runs: a smaller call takes the CPU no
// longer than a GPU's kernel takes to begin.
enum { GMMU_BLAS_FIRST_MIN = 16, GMMU_BLAS_USUAL_SITES = 20 };

// Reads the settings. File names become absolute, and are kept until the process ends, as the
// environment is. False: a setting is wrong; *err says "NAME: found X, expected Y".
bool gmmu_blas_settings_read(gmmu_blas_settings *s, gmmu_error *err);
// Writes NAME to TO, with the process's number in place of %p, and its rank in place of %r ("none":
// there is none). False: the result is longer than SIZE − 1.
bool gmmu_blas_file_name(char *to, size_t size, const char *name, long process);

#ifdef __cplusplus
}
#endif
#endif
