// SPDX-License-Identifier: Apache-2.0
// settings.c: see settings.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // program_invocation_short_name
#endif
#include "blas/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "semcache/link.h"
#include "trace/message.h"
#include "trace/scan.h"

static const char *given(const char *name) {
    const char *value = getenv(name);
    return value == NULL || *value == 0 ? NULL : value;
}

static void refuse(gmmu_error *err, const char *name, const char *found, const char *expected) {
    char printable[61];
    gmmu_printable(printable, sizeof printable, found, strlen(found), 0x80);
    FAIL(err, name, 0, "found \"%s\", expected %s", printable, expected);
}

static bool is_number(const char *text) {
    return text != NULL && *text != 0 && strlen(text) < 12 &&
           strspn(text, "0123456789") == strlen(text);
}

// The first of NAMES that is a number; NULL: none is.
static const char *first_number(const char *const *names, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        if (is_number(getenv(names[i])))
            return getenv(names[i]);
    return NULL;
}

// PMIx before Slurm: mpirun within a job of Slurm has Slurm's number of the job's step.
static const char *rank_number(void) {
    static const char *const names[] = {"PMIX_RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK",
                                        "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
    return first_number(names, sizeof names / sizeof names[0]);
}

static void read_rank(gmmu_blas_rank *r) {
    static const char *const names[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MV2_COMM_WORLD_SIZE",
                                        "SLURM_NTASKS"};
    const char *number = rank_number(), *of = first_number(names, sizeof names / sizeof names[0]);
    (void)snprintf(r->number, sizeof r->number, "%s", number == NULL ? "" : number);
    (void)snprintf(r->of, sizeof r->of, "%s", number == NULL || of == NULL ? "" : of);
    if (gethostname(r->host, sizeof r->host - 1) != 0)
        r->host[0] = 0;
}

bool gmmu_blas_file_name(char *to, size_t size, const char *name, long process) {
    size_t used = 0;
    while (*name != 0 && used + 1 < size) {
        if (name[0] == '%' && name[1] == 'p') {
            const int n = snprintf(to + used, size - used, "%ld", process);
            used += (size_t)n;
            name += 2;
        } else if (name[0] == '%' && name[1] == 'r') {
            const char *rank = rank_number();
            const int n = snprintf(to + used, size - used, "%s", rank == NULL ? "none" : rank);
            used += (size_t)n;
            name += 2;
        } else {
            to[used++] = *name++;
        }
    }
    to[used < size ? used : size - 1] = 0;
    return *name == 0 && used < size;
}

// *NAME, if it is relative, as it is meant from here: the program may go elsewhere before it calls
// something. As it was if that cannot be told.
static void stay_here(const char **name) {
    char here[4096];
    if (*name == NULL || **name == '/' || strcmp(*name, "stderr") == 0 ||
        getcwd(here, sizeof here) == NULL)
        return;
    const size_t size = strlen(here) + strlen(*name) + 2;
    char *absolute = malloc(size);
    if (absolute == NULL)
        return;
    (void)snprintf(absolute, size, "%s/%s", here, *name);
    *name = absolute;
}

const char *const gmmu_blas_tracks[GMMU_SEM_TRACKS] = {"calls", "writes", "full"};

static bool track_by_name(const char *name, gmmu_sem_track *track) {
    for (int i = 0; i < GMMU_SEM_TRACKS; i++)
        if (strcmp(name, gmmu_blas_tracks[i]) == 0) {
            *track = (gmmu_sem_track)i;
            return true;
        }
    return false;
}

bool gmmu_blas_settings_read(gmmu_blas_settings *s, gmmu_error *err) {
    *s = (gmmu_blas_settings){.track = GMMU_SEM_CALLS,
                              .link = gmmu_sem_usual_link,
                              .trace = given("GMMU_TRACE"),
                              .report = given("GMMU_REPORT"),
                              .json = given("GMMU_JSON"),
                              .link_name = "config/links/v100.json, as GMMU_LINK is not set"};
    read_rank(&s->rank);
    gmmu_printable(s->program, sizeof s->program, program_invocation_short_name,
                   strlen(program_invocation_short_name), 0x80);
    const char *track = given("GMMU_TRACK"), *least = given("GMMU_MIN");
    const char *shadow = given("GMMU_SHADOW"), *memo = given("GMMU_MEMO");
    char name[4096];
    const char *sites = given("GMMU_SITES");
    const char *back_end = given("GMMU_TRACK_BACKEND"), *link = given("GMMU_LINK");
    if (track != NULL && !track_by_name(track, &s->track)) {
        refuse(err, "GMMU_TRACK", track, "calls, writes or full");
        return false;
    }
    if (back_end != NULL && !gmmu_track_backend_by_name(back_end, &s->backend)) {
        refuse(err, "GMMU_TRACK_BACKEND", back_end, "auto, uffd, compare or mprotect");
        return false;
    }
    if (least != NULL && !gmmu_scan_whole(least, 1000000, &s->least)) {
        refuse(err, "GMMU_MIN", least, "a number from 0 to 1000000");
        return false;
    }
    s->sites = GMMU_BLAS_USUAL_SITES;
    if (sites != NULL && !gmmu_scan_whole(sites, 1000000, &s->sites)) {
        refuse(err, "GMMU_SITES", sites, "a number from 0 to 1000000");
        return false;
    }
    if (link != NULL && !gmmu_sem_link_read(link, &s->link, err))
        return false;
    if (link != NULL)
        s->link_name = link;
    if (memo != NULL && !gmmu_scan_whole(memo, 1 << 24, &s->memo)) {
        refuse(err, "GMMU_MEMO", memo, "MiB for contents that are kept, from 0 to 16777216");
        return false;
    }
    if (shadow != NULL && (!gmmu_scan_whole(shadow, 1 << 24, &s->shadow) || s->shadow == 0)) {
        refuse(err, "GMMU_SHADOW", shadow, "MiB of GPU memory, from 1 to 16777216");
        return false;
    }
    const char *idle = given("GMMU_SHADOW_THREADS");
    if (idle != NULL && !gmmu_scan_whole(idle, 1000, &s->shadow_threads)) {
        refuse(err, "GMMU_SHADOW_THREADS", idle, "a number from 0 to 1000");
        return false;
    }
    if (shadow != NULL && track != NULL && s->track != GMMU_SEM_CALLS) {
        refuse(err, "GMMU_TRACK", track, "calls with GMMU_SHADOW, which protects pages itself");
        return false;
    }
    if (shadow != NULL && s->memo != 0) {
        refuse(err, "GMMU_MEMO", memo, "0 with GMMU_SHADOW, whose pages are closed");
        return false;
    }
    // a trace has all calls, and shadow execution checks all
    s->find_least = least == NULL && s->trace == NULL && shadow == NULL;
    if (s->find_least)
        s->least = GMMU_BLAS_FIRST_MIN;
    stay_here(&s->trace);
    stay_here(&s->report);
    stay_here(&s->json);
    const struct {
        const char *name, *value;
    } files[] = {{"GMMU_TRACE", s->trace}, {"GMMU_REPORT", s->report}, {"GMMU_JSON", s->json}};
    for (unsigned i = 0; i < sizeof files / sizeof files[0]; i++)
        if (files[i].value != NULL &&
            !gmmu_blas_file_name(name, sizeof name - 32, files[i].value, 0)) {
            refuse(err, files[i].name, files[i].value, "a file's name of at most 4000 characters");
            return false;
        }
    if (s->trace == NULL && s->report == NULL && s->json == NULL)
        s->report = "stderr";
    return true;
}
