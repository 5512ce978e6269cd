// SPDX-License-Identifier: Apache-2.0
// source.c: see source.h.
#include "run/source.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Walks between two lines of progress, and between two looks at the clock, minus one. A slow policy
// takes a millisecond a walk: then the time decides.
static const uint64_t progress_mask = (1U << 18) - 1;
static const uint64_t clock_mask = (1U << 8) - 1;
static const double first_seconds = 0.5;  // to the first line
static const double next_seconds = 0.2;   // to a further one

static gmmu_reader *open_reader(const gmmu_source *s, gmmu_error *err) {
    gmmu_import_settings settings = s->from.settings;
    settings.guess = true;
    gmmu_reader *r = gmmu_reader_open_import(s->path, s->from.form, &settings, err);
    const unsigned shift = s->from.coarse_shift;
    if (r != NULL && shift != 0 && gmmu_reader_coarsen(r, shift, err) != GMMU_OK) {
        gmmu_reader_close(r);
        r = NULL;
    }
    return r;
}

// Tells the listener, if there is one, a line.
__attribute__((format(printf, 2, 3))) static void say(const gmmu_source *s, const char *format,
                                                      ...) {
    if (s->listener.say == NULL) {
        return;
    }
    char text[1024];
    va_list rest;
    va_start(rest, format);
    (void)vsnprintf(text, sizeof text, format, rest);
    va_end(rest);
    s->listener.say(s->listener.context, text);
}

// The name of the trace in a message.
static const char *shown_name(const gmmu_source *s) {
    return strcmp(s->path, "-") == 0 ? "<stdin>" : s->path;
}

void gmmu_source_open_walks(gmmu_source *s, const gmmu_walk *walks, size_t count,
                            const gmmu_hint *hints, size_t hint_count, unsigned page_shift,
                            const gmmu_listener *listener) {
    *s = (gmmu_source){.path = "walks",
                       .listener = *listener,
                       .given = walks,
                       .given_hints = hints,
                       .count = count,
                       .hint_count = hint_count,
                       .keep = true,
                       .expected = count,
                       .page_shift = page_shift};
    (void)clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->last = s->start;
}

bool gmmu_source_open(gmmu_source *s, const char *path, const gmmu_source_form *from, bool twice,
                      const gmmu_listener *listener, gmmu_error *err) {
    *s = (gmmu_source){.path = path, .from = *from, .listener = *listener};
    (void)clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->last = s->start;
    s->reader = open_reader(s, err);
    if (s->reader == NULL) {
        return false;
    }
    const gmmu_form form = gmmu_reader_form(s->reader);
    if (from->form == GMMU_FORM_AUTO && form != GMMU_FORM_TEXT && form != GMMU_FORM_GWT) {
        s->from.form = form;
        say(s, "%s is read with --from %s, the one form that fits", shown_name(s),
            gmmu_form_name(form));
    }
    s->page_shift = gmmu_reader_page_shift(s->reader);
    if (gmmu_reader_note(s->reader) != NULL) {
        say(s, "%s", gmmu_reader_note(s->reader));
    }
    uint64_t done = 0;
    uint64_t total = 0;
    gmmu_reader_progress(s->reader, &done, &total);
    s->keep = twice && (total == 0 || strcmp(path, "-") == 0);
    if (s->keep) {
        say(s, "%s is kept in memory, since it must be read twice", shown_name(s));
    }
    return true;
}

static double seconds_between(const struct timespec *from, const struct timespec *to) {
    return (double)(to->tv_sec - from->tv_sec) + 1e-9 * (double)(to->tv_nsec - from->tv_nsec);
}

static void show_progress(gmmu_source *s, const struct timespec *now) {
    gmmu_progress p = {.walks = s->walks, .seconds = seconds_between(&s->start, now)};
    if (s->expected != 0) {
        p.done = s->walks;
        p.total = s->expected > p.done ? s->expected : p.done;
    } else if (s->reader != NULL) {
        gmmu_reader_progress(s->reader, &p.done, &p.total);
    }
    s->listener.progress(s->listener.context, &p);
    s->shown = true;
    s->last = *now;
}

// After more walks, of which there were BEFORE: shows the progress, if it is time.
static void look_at_progress(gmmu_source *s, uint64_t before) {
    if (s->listener.progress == NULL || (before ^ s->walks) <= clock_mask) {
        return;
    }
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    if ((before ^ s->walks) > progress_mask ||
        seconds_between(&s->last, &now) > (s->shown ? next_seconds : first_seconds)) {
        show_progress(s, &now);
    }
}

void gmmu_source_advance(gmmu_source *s, size_t count) {
    const uint64_t before = s->walks;
    s->walks += count;
    look_at_progress(s, before);
}

void gmmu_source_hush(gmmu_source *s) {
    if (s->shown) {
        s->listener.progress(s->listener.context, NULL);
    }
    s->shown = false;
}

// Room for COUNT more items of SIZE bytes behind *USED ones; false when there is no memory.
static bool make_room(void **items, size_t used, size_t *room, size_t count, size_t size) {
    if (used + count <= *room) {
        return true;
    }
    size_t more = *room == 0 ? 4 * (size_t)GMMU_SOURCE_BATCH : *room * 2;
    more = more < used + count ? used + count : more;
    void *bigger = gmmu_grow(*items, *room, more, size, 0);
    if (bigger != NULL) {
        *items = bigger;
        *room = more;
    }
    return bigger != NULL;
}

// Keeps COUNT walks, and the hints that stand before them.
static int keep_walks(gmmu_source *s, const gmmu_walk *walks, size_t count, gmmu_error *err) {
    size_t hints = 0;
    const gmmu_hint *before = gmmu_reader_hints(s->reader, &hints);
    if (!make_room((void **)&s->kept, s->count, &s->room, count, sizeof *walks) ||
        !make_room((void **)&s->kept_hints, s->hint_count, &s->hint_room, hints, sizeof *before)) {
        (void)snprintf(err->text, sizeof err->text, "out of memory after %zu walks", s->count);
        return GMMU_BAD;
    }
    if (count != 0) {
        memcpy(s->kept + s->count, walks, count * sizeof *walks);
    }
    if (hints != 0) {
        memcpy(s->kept_hints + s->hint_count, before, hints * sizeof *before);
    }
    s->count += count;
    s->hint_count += hints;
    s->given = s->kept;
    s->given_hints = s->kept_hints;
    return GMMU_OK;
}

// Says in one line what an imported trace holds beside walks: "N what, N what were not converted".
static void report_skipped(const gmmu_source *s) {
    const char *what = NULL;
    uint64_t count = 0;
    char text[1000] = "";
    size_t used = 0;
    for (size_t i = 0; (count = gmmu_reader_skipped(s->reader, i, &what)) != 0; i++) {
        const int n = snprintf(text + used, sizeof text - used, "%s%llu %s", i == 0 ? "" : ", ",
                               (unsigned long long)count, what);
        used += used + (size_t)n < sizeof text ? (size_t)n : 0;
    }
    if (what != NULL) {
        say(s, "%s were not converted", text);
    }
}

void gmmu_source_digest_to(gmmu_source *s, gmmu_source_digest *digest) {
    s->digest = digest;
    *digest =
        (gmmu_source_digest){gmmu_digest_start(s->page_shift), gmmu_digest_start(s->page_shift)};
}

// COUNT more walks, and the hints before them. A hint counts as two walks that have its numbers.
static void add_to_digest(gmmu_source *s, const gmmu_walk *walks, size_t count) {
    size_t hints = 0;
    const gmmu_hint *before = s->digest == NULL ? NULL : gmmu_reader_hints(s->reader, &hints);
    for (size_t i = 0; s->digest != NULL && i < count; i++) {
        gmmu_digest_add(&s->digest->walks, &walks[i]);
    }
    for (size_t i = 0; i < hints; i++) {
        const gmmu_hint *h = &before[i];
        const gmmu_walk one = {.vpn = h->first, .ref = h->id, .time = h->walk, .asid = h->asid};
        const gmmu_walk two = {.vpn = h->pages, .sm = (uint32_t)h->kind};
        gmmu_digest_add(&s->digest->hints, &one);
        gmmu_digest_add(&s->digest->hints, &two);
    }
}

// After COUNT more walks and STATUS: counts and keeps them, shows the progress.
static int took(gmmu_source *s, const gmmu_walk *walks, size_t count, int status, gmmu_error *err) {
    if (status == GMMU_END && !s->reported) {
        s->reported = true;
        report_skipped(s);
        if (gmmu_reader_unended(s->reader)) {
            say(s, GMMU_SOURCE_CUT, shown_name(s));
        }
    }
    uint64_t before = s->walks;
    s->walks += count;
    look_at_progress(s, before);
    add_to_digest(s, walks, count);
    if (status != GMMU_OK) {
        gmmu_source_hush(s);
    }
    if (s->keep && keep_walks(s, walks, count, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    return status;
}

// Out of memory: COUNT more walks were given; at the end of the trace COUNT is 0.
static void give_hints(gmmu_source *s, size_t count) {
    gmmu_source_advance(s, count);
    if (count == 0) {
        gmmu_source_hush(s);
    }
    s->hint_at = s->hint_end;
    while (s->hint_end < s->hint_count &&
           (count == 0 || s->given_hints[s->hint_end].walk < s->walks)) {
        s->hint_end++;
    }
}

const gmmu_hint *gmmu_source_hints(const gmmu_source *s, size_t *count) {
    if (s->reader != NULL) {
        return gmmu_reader_hints(s->reader, count);
    }
    *count = s->hint_end - s->hint_at;
    return *count == 0 ? NULL : s->given_hints + s->hint_at;
}

bool gmmu_source_stopped(const gmmu_source *s, gmmu_error *err) {
    const bool stop = s->listener.stop != NULL && s->listener.stop(s->listener.context);
    if (stop) {
        (void)snprintf(err->text, sizeof err->text, "stopped");
    }
    return stop;
}

int gmmu_source_some(gmmu_source *s, size_t most, const gmmu_walk **walks, size_t *count,
                     gmmu_error *err) {
    if (gmmu_source_stopped(s, err)) {
        *walks = s->batch;
        *count = 0;
        return GMMU_BAD;
    }
    *count = most;
    if (s->reader == NULL) {
        size_t left = s->count - s->at;
        *count = left < *count ? left : *count;
        give_hints(s, *count);
        if (left == 0) {
            *walks = s->batch;  // where there are none; of an empty trace nothing was kept
            return GMMU_END;
        }
        *walks = s->given + s->at;
        s->at += *count;
        return GMMU_OK;
    }
    int status = gmmu_reader_batch(s->reader, s->batch, walks, count, err);
    return took(s, *walks, *count, status, err);
}

int gmmu_source_batch(gmmu_source *s, const gmmu_walk **walks, size_t *count, gmmu_error *err) {
    return gmmu_source_some(s, GMMU_SOURCE_BATCH, walks, count, err);
}

int gmmu_source_next(gmmu_source *s, gmmu_walk *walk, gmmu_error *err) {
    if (s->reader == NULL) {
        give_hints(s, s->at == s->count ? 0 : 1);
        if (s->at == s->count) {
            return GMMU_END;
        }
        *walk = s->given[s->at++];
        return GMMU_OK;
    }
    int status = gmmu_reader_next(s->reader, walk, err);
    return took(s, walk, status == GMMU_OK ? 1 : 0, status, err);
}

bool gmmu_source_rewind(gmmu_source *s, gmmu_error *err) {
    (void)clock_gettime(CLOCK_MONOTONIC, &s->start);
    s->last = s->start;
    s->expected = s->walks;
    s->walks = 0;
    s->at = s->hint_at = s->hint_end = 0;
    s->digest = NULL;
    gmmu_reader_close(s->reader);
    s->reader = s->keep ? NULL : open_reader(s, err);
    return s->keep || s->reader != NULL;
}

int gmmu_source_index(gmmu_pages *pages, const gmmu_walk *walks, size_t count, uint32_t *index,
                      gmmu_error *err) {
    return gmmu_pages_index_walks(pages, walks, count, index) == count
               ? GMMU_OK
               : gmmu_policy_no_memory("page map", err);
}

// The walks of the whole trace, as the header states or as the part read so far lets expect, if
// that is believable; 0: not known.
static uint64_t expected_walks(const gmmu_source *s) {
    static const uint64_t most = 1 << 28;
    uint64_t walks = s->count;
    if (s->reader != NULL) {
        uint64_t done = 0;
        uint64_t total = 0;
        walks = gmmu_reader_about(s->reader)->walks;
        gmmu_reader_progress(s->reader, &done, &total);
        if (walks == GMMU_UNKNOWN && done != 0 && total > done) {
            walks = (uint64_t)((double)s->walks * ((double)total / (double)done) * 1.01);
        }
    }
    return walks <= most ? walks : 0;
}

// Room for COUNT more walks in FUTURE.
static bool grow_future(const gmmu_source *s, gmmu_future *future, size_t *room, size_t count) {
    if (future->count + count <= *room) {
        return true;
    }
    const size_t expected = (size_t)expected_walks(s) + GMMU_SOURCE_BATCH;
    const size_t twice = *room != 0 ? *room * 2 : 1 << 16;
    const size_t more = *room == 0 && expected > future->count + count ? expected : twice;
    uint32_t *pages = gmmu_grow(future->pages, *room, more, sizeof *pages, 0);
    future->pages = pages == NULL ? future->pages : pages;
    uint8_t *writes = pages == NULL ? NULL : gmmu_grow(future->writes, *room, more, 1, 0);
    future->writes = writes == NULL ? future->writes : writes;
    *room = writes == NULL ? *room : more;
    return writes != NULL;
}

// The kernels launched before the walks read last.
static bool note_launches(const gmmu_source *s, gmmu_future *future, size_t *room) {
    size_t count = 0;
    const gmmu_hint *hints = gmmu_source_hints(s, &count);
    for (size_t i = 0; i < count; i++) {
        if (hints[i].kind != GMMU_HINT_LAUNCH) {
            continue;
        }
        if (!make_room((void **)&future->launches, future->launch_count, room, 1,
                       sizeof *future->launches)) {
            return false;
        }
        future->launches[future->launch_count++] = hints[i].id;
    }
    return true;
}

bool gmmu_source_look_ahead(gmmu_source *s, gmmu_pages *pages, gmmu_future *future, bool keep,
                            gmmu_error *err) {
    size_t room = 0;
    size_t launch_room = 0;
    int status = GMMU_OK;
    while (status == GMMU_OK) {
        const gmmu_walk *walks = NULL;
        size_t count = 0;
        uint32_t other[GMMU_SOURCE_BATCH];
        uint32_t *index = other;
        status = gmmu_source_batch(s, &walks, &count, err);
        if (status == GMMU_BAD) {
            return false;
        }
        if (keep) {
            if (!grow_future(s, future, &room, count) || !note_launches(s, future, &launch_room)) {
                return gmmu_policy_no_memory("look-ahead", err) == GMMU_OK;
            }
            if (count != 0) {
                index = future->pages + future->count;
            }
            for (size_t i = 0; i < count; i++) {
                future->writes[future->count + i] = walks[i].write;
            }
        }
        if (gmmu_source_index(pages, walks, count, index, err) != GMMU_OK) {
            return false;
        }
        future->count += count;
    }
    if (keep && gmmu_future_build(future, gmmu_pages_count(pages)) != GMMU_OK) {
        return gmmu_policy_no_memory("look-ahead", err) == GMMU_OK;
    }
    return gmmu_source_rewind(s, err);
}

void gmmu_source_close(gmmu_source *s) {
    gmmu_reader_close(s->reader);
    free(s->kept);
    free(s->kept_hints);
    s->reader = NULL;
    s->kept = NULL;
    s->kept_hints = NULL;
}
