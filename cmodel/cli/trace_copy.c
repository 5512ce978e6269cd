// SPDX-License-Identifier: Apache-2.0
// trace_copy.c: `gmmu trace convert`, `cut`, `head` and `digest`: walks from one form to another.
#include "cli/trace_copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/source_options.h"
#include "cli/trace_filter.h"

static const char command[] = "gmmu trace";

// A number below 10^12 up to END, or OTHERWISE when there is none.
static bool range_end(const char *text, const char *end, uint64_t otherwise, uint64_t *value) {
    *value = text == end ? otherwise : 0;
    if (end - text > 12) {
        return false;
    }
    for (; text < end; text++) {
        if (*text < '0' || *text > '9') {
            return false;
        }
        *value = *value * 10 + (unsigned)(*text - '0');
    }
    return true;
}

bool parse_range(const char *text, uint64_t *first, uint64_t *last, gmmu_error *err) {
    const char *colon = strchr(text, ':');
    if (colon == NULL || !range_end(text, colon, 0, first) ||
        !range_end(colon + 1, text + strlen(text), UINT64_MAX, last) || *first >= *last) {
        (void)snprintf(err->text, sizeof err->text,
                       "--walks: found \"%.60s\", expected A:B, two walk numbers, A below B", text);
        return false;
    }
    return true;
}

// What is to be done with each walk.
typedef struct {
    gmmu_writer *writer;  // NULL: digest
    gmmu_digest digest;
    trace_filter *filter;  // NULL: each walk is taken
    uint64_t hits;         // of the TLBs
    uint64_t walks;        // that were taken
    uint64_t errors;       // that were gone over
} sink;

static int take(sink *to, const gmmu_walk *walk, gmmu_error *err) {
    bool hit = false;
    if (to->filter != NULL && trace_filter_access(to->filter, walk, &hit, err) != GMMU_OK) {
        return GMMU_BAD;
    }
    if (hit) {
        to->hits++;
        return GMMU_OK;
    }
    to->walks++;
    if (to->writer == NULL) {
        gmmu_digest_add(&to->digest, walk);
        return GMMU_OK;
    }
    return gmmu_writer_put(to->writer, walk, err);
}

// Passes on the hints that stand before the walk read last, or at the end.
static int take_hints(const gmmu_source *source, sink *to, gmmu_error *err) {
    size_t count = 0;
    const gmmu_hint *hints = gmmu_source_hints(source, &count);
    int status = GMMU_OK;
    for (size_t i = 0; to->writer != NULL && i < count && status == GMMU_OK; i++) {
        status = gmmu_writer_hint(to->writer, &hints[i], err);
    }
    return status;
}

// Says the first error; false if it is the end of the reading.
static bool go_over(const copy_request *c, gmmu_source *source, sink *to, const gmmu_error *err) {
    if (!c->keep_going) {
        return false;
    }
    if (to->errors++ == 0) {
        (void)fprintf(stderr, "%s: %s\n", command, err->text);
    }
    return gmmu_reader_recover(source->reader);
}

// Takes the walks FIRST … LAST - 1. GMMU_END when all is well. With errors that were gone over, the
// walks are numbered without the lost ones.
static int copy_walks(const copy_request *c, gmmu_source *source, uint64_t last, sink *to,
                      gmmu_error *err) {
    gmmu_walk walk;
    uint64_t at = 0;
    if (c->first != 0 && !c->keep_going) {
        at = c->first;
        if (gmmu_reader_seek(source->reader, at, err) != GMMU_OK) {
            return GMMU_BAD;
        }
    }
    while (at < last) {
        int status = gmmu_source_next(source, &walk, err);
        if (status == GMMU_OK) {
            if (at++ >= c->first &&
                (take_hints(source, to, err) != GMMU_OK || take(to, &walk, err) != GMMU_OK)) {
                return GMMU_BAD;
            }
        } else if (status == GMMU_END) {
            const bool last_copied = at > c->first || c->first == 0;
            return !last_copied || take_hints(source, to, err) == GMMU_OK ? GMMU_END : GMMU_BAD;
        } else if (!go_over(c, source, to, err)) {
            return to->errors != 0 ? GMMU_END : GMMU_BAD;
        }
    }
    return GMMU_END;
}

static void say_loss(const gmmu_source *source, const sink *to) {
    gmmu_loss loss = gmmu_reader_loss(source->reader);
    (void)fprintf(stderr,
                  "%s: %" PRIu64 " errors: kept %" PRIu64 " walks, lost %" PRIu64
                  " walks of bad blocks and %" PRIu64 " bad lines%s\n",
                  command, to->errors, to->walks, loss.walks, loss.lines,
                  loss.rest ? ", and the rest of the file" : "");
}

// True if PATH is the file that is being read: it must not be emptied.
static bool same_file(const char *trace, const char *path) {
    struct stat a;
    struct stat b;
    bool standard = strcmp(trace, "-") == 0;
    return (standard ? fstat(STDIN_FILENO, &a) : stat(trace, &a)) == 0 && stat(path, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino && S_ISREG(a.st_mode);
}

// Closes the trace that was written; what is incomplete without --keep-going does not stay.
static int close_output(const char *path, sink *to, int status, gmmu_error *err) {
    gmmu_error ignored;
    struct stat kind;
    int closed = gmmu_writer_close(to->writer, status == GMMU_END ? err : &ignored);
    status = status == GMMU_END && closed != GMMU_OK ? GMMU_BAD : status;
    if (status != GMMU_END && strcmp(path, "-") != 0 && lstat(path, &kind) == 0 &&
        S_ISREG(kind.st_mode)) {
        (void)unlink(path);
    }
    return status;
}

static int run(const copy_request *c, bool digest) {
    const char *path = c->output == NULL ? "-" : c->output;
    gmmu_error err = {""};
    gmmu_source source = {0};
    sink to = {0};
    int status = GMMU_BAD;
    uint64_t last = c->walks_given || c->head_given ? c->last : UINT64_MAX;
    if (!digest && strcmp(path, "-") != 0 && same_file(c->trace, path)) {
        (void)snprintf(err.text, sizeof err.text,
                       "%.200s: found the trace that is read, expected another file to write to",
                       path);
    } else if (source_open(&source, command, c->trace, &c->from, false, &err)) {
        const gmmu_about *about = gmmu_reader_about(source.reader);
        gmmu_about texts = {
            .page_shift = about->page_shift,
            .source = c->about.source != NULL ? c->about.source : about->source,
            .licence = c->about.licence != NULL ? c->about.licence : about->licence,
            .comment = c->about.comment != NULL ? c->about.comment : about->comment};
        to.digest = gmmu_digest_start(about->page_shift);
        to.filter =
            c->filtered ? trace_filter_create((unsigned)c->l1_tlb, (unsigned)c->l2_tlb) : NULL;
        if (c->filtered && to.filter == NULL) {
            (void)snprintf(err.text, sizeof err.text, "out of memory for the TLBs");
        } else {
            to.writer = digest ? NULL : gmmu_writer_open_as(path, c->form, &texts, &err);
        }
        if ((digest || to.writer != NULL) && (!c->filtered || to.filter != NULL)) {
            status = copy_walks(c, &source, last, &to, &err);
        }
        if (to.writer != NULL) {
            status = close_output(path, &to, status, &err);
        }
    }
    if (status != GMMU_END) {
        (void)fprintf(stderr, "%s: %s\n", command, err.text);
    } else if (to.errors != 0) {
        say_loss(&source, &to);
    }
    if (status == GMMU_END && c->filtered) {
        (void)fprintf(stderr, "%s: %" PRIu64 " walks, and %" PRIu64 " accesses that hit a TLB\n",
                      command, to.walks, to.hits);
    }
    trace_filter_free(to.filter);
    if (status == GMMU_END && digest) {
        (void)printf("%016" PRIx64 "  %" PRIu64 " walks  %s\n", gmmu_digest_value(&to.digest),
                     to.walks, c->trace);
    }
    gmmu_source_close(&source);
    return status == GMMU_END && to.errors == 0 ? 0 : 2;
}

int trace_copy(const copy_request *c) {
    return run(c, false);
}

int trace_digest(const copy_request *c) {
    return run(c, true);
}
