// SPDX-License-Identifier: Apache-2.0
// decisions.c: a digest of all that a policy decides, to compare two builds.
//
// usage: decisions POLICY[:OPTIONS] PERCENT[,PERCENT...] TRACE...: a line for each trace and memory
// of PERCENT of its pages, "TRACE POLICY FRAMES FAULTS EVICTIONS DIGEST". The digest is FNV-1a over
// the faults and the victims, each with the number of its walk.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gmmu/trace.h"
#include "policy/outcome.h"
#include "policy/registry.h"
#include "trace/pages.h"

enum { AHEAD = 16 };

typedef struct {
    gmmu_walk *walk;
    uint32_t *page;
    size_t count, cap;
    gmmu_pages *pages;
} trace;

static void stop(const char *what) {
    (void)fprintf(stderr, "decisions: %s\n", what);
    exit(2);
}

static void put(trace *t, const gmmu_walk *walk) {
    if (t->count == t->cap) {
        t->cap = t->cap == 0 ? 1 << 16 : t->cap * 2;
        t->walk = realloc(t->walk, t->cap * sizeof *t->walk);
        t->page = realloc(t->page, t->cap * sizeof *t->page);
        if (t->walk == NULL || t->page == NULL)
            stop("out of memory");
    }
    t->walk[t->count] = *walk;
    t->page[t->count++] = gmmu_pages_index(t->pages, walk->asid, walk->vpn);
}

static trace read_trace(const char *path) {
    trace t = {.pages = gmmu_pages_create()};
    gmmu_error err;
    gmmu_walk walk;
    gmmu_reader *in = gmmu_reader_open(path, &err);
    int status = in == NULL || t.pages == NULL ? GMMU_BAD : GMMU_OK;
    while (status == GMMU_OK && (status = gmmu_reader_next(in, &walk, &err)) == GMMU_OK)
        put(&t, &walk);
    if (status != GMMU_END)
        stop(err.text);
    gmmu_reader_close(in);
    return t;
}

static uint64_t mix(uint64_t digest, uint64_t x) {
    for (unsigned i = 0; i < 8; i++) digest = (digest ^ (x >> (8 * i) & 255)) * 0x100000001b3U;
    return digest;
}

static void replay(const trace *t, const char *path, const char *spec, uint32_t frames) {
    const char *colon = strchr(spec, ':');
    const size_t length = colon != NULL ? (size_t)(colon - spec) : strlen(spec);
    const gmmu_policy *policy = gmmu_policy_find(spec, length);
    const gmmu_policy_config config = {.frames = frames,
                                       .pages = t->pages,
                                       .options = colon != NULL ? colon + 1 : NULL,
                                       .seed = 1};
    gmmu_error err = {"no such policy"};
    void *state = policy == NULL ? NULL : policy->create(&config, &err);
    if (state == NULL)
        stop(err.text);
    uint64_t digest = 0xcbf29ce484222325U, faults = 0, evictions = 0;
    for (size_t i = 0; i < t->count; i++) {
        gmmu_outcome out;
        if (policy->prefetch != NULL && i + AHEAD < t->count)
            policy->prefetch(state, t->page[i + AHEAD]);
        if (policy->access(state, t->page[i], &t->walk[i], &out, &err) != GMMU_OK)
            stop(err.text);
        if (out.fault) {
            const uint32_t victim = gmmu_outcome_victim(&out);
            faults++;
            evictions += victim != GMMU_NO_PAGE;
            digest = mix(mix(digest, i), victim);
        }
    }
    policy->destroy(state);
    printf("%s %s %" PRIu32 " %" PRIu64 " %" PRIu64 " %016" PRIx64 "\n", path, spec, frames, faults,
           evictions, digest);
}

int main(int argc, char **argv) {
    if (argc < 4)
        stop("expected POLICY[:OPTIONS] PERCENT[,PERCENT...] TRACE...");
    for (int i = 3; i < argc; i++) {
        const trace t = read_trace(argv[i]);
        char *at = argv[2];
        while (*at != '\0') {
            const uint64_t percent = strtoull(at, &at, 10);
            const uint64_t frames = gmmu_pages_count(t.pages) * percent / 100;
            replay(&t, argv[i], argv[1], frames == 0 ? 1 : (uint32_t)frames);
            at += *at == ',';
        }
        free(t.walk);
        free(t.page);
        gmmu_pages_destroy(t.pages);
    }
    return 0;
}
