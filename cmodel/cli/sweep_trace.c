// SPDX-License-Identifier: Apache-2.0
// sweep_trace.c: see sweep_trace.h.
#include "cli/sweep_trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/output.h"
#include "pool/pool.h"
#include "sweep/sha256.h"

// A file that changed less than so long ago may change again at the same time of modification.
enum { SETTLED = 2 };  // seconds

typedef struct {
    sweep_trace *traces;
    gmmu_store *store;
    const char *identity;
} knowing;

// The name of a note: by the file's place and how it is read.
static bool note_key(const sweep_trace *t, const char *identity, char key[GMMU_STORE_KEY]) {
    const gmmu_import_settings *s = &t->from.settings;
    char *path = realpath(t->path, NULL);
    const char *columns = s->columns == NULL ? "-" : s->columns;
    const char *separators = s->separators == NULL ? "-" : s->separators;
    char rest[120];
    (void)snprintf(rest, sizeof rest, "\n%d %u %u %" PRIu64 " %d %d\n", (int)t->from.form,
                   t->from.coarse_shift, s->page_shift, s->iterations, s->no_header ? 1 : 0,
                   s->renumber ? 1 : 0);
    if (path == NULL) {
        return false;
    }
    char hex[GMMU_SHA256_HEX];
    gmmu_sha256 sum = gmmu_sha256_start();
    gmmu_sha256_add(&sum, path, strlen(path));
    gmmu_sha256_add(&sum, rest, strlen(rest));
    // texts of any length, each with its end
    gmmu_sha256_add(&sum, columns, strlen(columns) + 1);
    gmmu_sha256_add(&sum, separators, strlen(separators) + 1);
    gmmu_sha256_add(&sum, identity, strlen(identity));
    gmmu_sha256_end(&sum, hex);
    (void)snprintf(key, GMMU_STORE_KEY, "%.32s", hex);
    free(path);
    return true;
}

// What of a file changes when its content does.
static void state_of(const struct stat *s, char state[120]) {
    (void)snprintf(state, 120, "%lld bytes, inode %llu, %lld.%09ld, %lld.%09ld",
                   (long long)s->st_size, (unsigned long long)s->st_ino,
                   (long long)s->st_mtim.tv_sec, s->st_mtim.tv_nsec, (long long)s->st_ctim.tv_sec,
                   s->st_ctim.tv_nsec);
}

static bool take_number(const json_t *note, const char *name, uint64_t *value) {
    const char *text = json_string_value(json_object_get(note, name));
    *value = text == NULL ? 0 : strtoull(text, NULL, 16);
    return text != NULL;
}

static bool from_note(sweep_trace *t, const json_t *note, const char *state) {
    const char *stated = json_string_value(json_object_get(note, "file"));
    uint64_t distinct = 0;
    uint64_t shift = 0;
    const bool good =
        stated != NULL && strcmp(stated, state) == 0 && take_number(note, "digest", &t->digest) &&
        take_number(note, "hint_digest", &t->hint_digest) &&
        take_number(note, "hints", &t->hints) && take_number(note, "walks", &t->walks) &&
        take_number(note, "distinct", &distinct) && take_number(note, "page_shift", &shift);
    t->distinct = (uint32_t)distinct;
    t->page_shift = (unsigned)shift;
    return good;
}

static json_t *to_note(const sweep_trace *t, const char *state) {
    json_t *note = json_object();
    (void)json_object_set_new(note, "path", output_text(t->path));
    (void)json_object_set_new(note, "file", json_string(state));
    output_hex(note, "digest", t->digest);
    output_hex(note, "hint_digest", t->hint_digest);
    output_hex(note, "hints", t->hints);
    output_hex(note, "walks", t->walks);
    output_hex(note, "distinct", t->distinct);
    output_hex(note, "page_shift", t->page_shift);
    return note;
}

static void take_digest(sweep_trace *t, const gmmu_source_digest *digest) {
    t->digest = gmmu_digest_value(&digest->walks);
    t->hint_digest = gmmu_digest_value(&digest->hints);
    t->walks = digest->walks.walks;
    t->hints = digest->hints.walks / 2;
}

static bool read_trace(sweep_trace *t) {
    gmmu_source source;
    gmmu_source_digest digest;
    gmmu_pages *pages = gmmu_pages_create();
    bool good = false;
    if (pages == NULL) {
        (void)gmmu_policy_no_memory("page map", &t->err);
    } else if (source_open(&source, "gmmu sweep", t->path, &t->from, false, &t->err)) {
        int status = GMMU_OK;
        gmmu_source_digest_to(&source, &digest);
        while (status == GMMU_OK) {
            const gmmu_walk *walks = NULL;
            uint32_t index[GMMU_SOURCE_BATCH];
            size_t count = 0;
            status = gmmu_source_batch(&source, &walks, &count, &t->err);
            if (status != GMMU_BAD &&
                gmmu_source_index(pages, walks, count, index, &t->err) != GMMU_OK) {
                status = GMMU_BAD;
            }
        }
        good = status == GMMU_END;
        take_digest(t, &digest);
        t->distinct = gmmu_pages_count(pages);
        t->page_shift = source.page_shift;
        gmmu_source_close(&source);
    }
    gmmu_pages_destroy(pages);
    return good;
}

static void know_one(void *context, size_t i) {
    const knowing *k = context;
    sweep_trace *t = &k->traces[i];
    struct stat status;
    struct stat after;
    char key[GMMU_STORE_KEY];
    char state[120];
    if (stat(t->path, &status) != 0 || !S_ISREG(status.st_mode)) {
        (void)snprintf(t->err.text, sizeof t->err.text, "%.300s: %s, expected a file", t->path,
                       stat(t->path, &status) != 0 ? strerror(errno) : "found none");
        return;
    }
    state_of(&status, state);
    const bool noting = t->from.form != GMMU_FORM_ACCELSIM_LIST && note_key(t, k->identity, key);
    json_t *note = NULL;
    gmmu_error ignored;
    if (noting && gmmu_store_get(k->store, "traces", key, &note, &ignored) == GMMU_STORE_THERE) {
        t->known = t->noted = from_note(t, note, state);
        json_decref(note);
    }
    if (t->known) {
        return;
    }
    t->known = read_trace(t);
    struct timespec now;
    (void)clock_gettime(CLOCK_REALTIME, &now);
    const bool settled = stat(t->path, &after) == 0 && after.st_size == status.st_size &&
                         after.st_mtim.tv_sec == status.st_mtim.tv_sec &&
                         after.st_mtim.tv_nsec == status.st_mtim.tv_nsec &&
                         now.tv_sec - after.st_mtim.tv_sec >= SETTLED;
    if (t->known && noting && settled) {
        note = to_note(t, state);
        (void)gmmu_store_put(k->store, "traces", key, note, &ignored);  // only saves a reading
        json_decref(note);
    }
}

void sweep_traces_know(sweep_trace *traces, size_t count, unsigned threads, gmmu_store *store,
                       const char *identity) {
    knowing k = {traces, store, identity};
    gmmu_pool *pool = gmmu_pool_create(threads < count ? threads : (unsigned)count);
    gmmu_pool_run(pool, know_one, &k, count);
    gmmu_pool_destroy(pool);
}

bool sweep_trace_same(const sweep_trace *t, const gmmu_source_digest *digest, gmmu_store *store,
                      const char *identity) {
    sweep_trace now = *t;
    take_digest(&now, digest);
    const bool same = now.digest == t->digest && now.hint_digest == t->hint_digest;
    char key[GMMU_STORE_KEY];
    if (!same && note_key(t, identity, key)) {
        gmmu_error ignored;
        json_t *note = to_note(t, "void");
        (void)gmmu_store_put(store, "traces", key, note, &ignored);
        json_decref(note);
    }
    return same;
}
