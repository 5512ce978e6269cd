// SPDX-License-Identifier: Apache-2.0
// store.c: see store.h.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "sweep/store.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "sweep/claimant.h"
#include "sweep/sha256.h"
#include "trace/pages.h"

enum { PATH = 4096, MOST_NAMES = 100 };

struct gmmu_store {
    char folder[PATH / 2];
    char own[PATH / 2 + 256];  // this process's folder; "": it reads alone
    gmmu_claimant self;
    unsigned lease;
    bool linkless;  // this file system has no hard links: nobody claims
    bool left;
    char (*claims)[GMMU_STORE_KEY];
    size_t count, room;
    pthread_mutex_t lock;  // of what writes
};

static bool failed(const char *path, const char *expected, gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%.240s: %s, expected %s", path, strerror(errno),
                   expected);
    return false;
}

static void path_of(const gmmu_store *s, const char *part, const char *key, const char *ending,
                    char path[PATH]) {
    (void)snprintf(path, PATH, "%s/%s/%s%s", s->folder, part, key, ending);
}

static void own_path(const gmmu_store *s, const char *name, char path[PATH]) {
    (void)snprintf(path, PATH, "%s/%s", s->own, name);
}

gmmu_store *gmmu_store_look(const char *folder, gmmu_error *err) {
    gmmu_store *s = calloc(1, sizeof *s);
    if (s == NULL || strlen(folder) >= sizeof s->folder) {
        (void)snprintf(err->text, sizeof err->text, "%s",
                       s == NULL ? "out of memory" : "found a name of a folder that is too long");
        free(s);
        return NULL;
    }
    (void)snprintf(s->folder, sizeof s->folder, "%s", folder);
    s->self = gmmu_claimant_self();
    (void)pthread_mutex_init(&s->lock, NULL);
    return s;
}

// ---- files
// Writes all of TEXT to a new file PATH and syncs it.
static bool write_file(const char *path, const char *text, size_t size, gmmu_error *err) {
    const int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    bool good = to >= 0;
    while (good && size != 0) {
        const ssize_t part = write(to, text, size);
        if (part < 0 && errno == EINTR) {
            continue;
        }
        good = part > 0;
        text += good ? part : 0;
        size -= good ? (size_t)part : 0;
    }
    good = good && fsync(to) == 0;
    if (to >= 0) {
        const int why = errno;
        good = close(to) == 0 && good;
        errno = good || why == 0 ? errno : why;
    }
    return good || failed(path, "room to write", err);
}

static void sync_folder(const char *path) {
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
        (void)fsync(folder);
        (void)close(folder);
    }
}

// The digest of OBJECT without its member `check`. False: no memory.
static bool check_of(const json_t *object, char check[GMMU_SHA256_HEX]) {
    json_t *rest = json_copy((json_t *)object);
    (void)json_object_del(rest, "check");
    char *text = json_dumps(rest, JSON_COMPACT | JSON_SORT_KEYS | JSON_ENSURE_ASCII);
    json_decref(rest);
    if (text == NULL) {
        return false;
    }
    gmmu_sha256 sum = gmmu_sha256_start();
    gmmu_sha256_add(&sum, text, strlen(text));
    gmmu_sha256_end(&sum, check);
    free(text);
    return true;
}

gmmu_store_state gmmu_store_get(const gmmu_store *s, const char *part, const char *key,
                                json_t **object, gmmu_error *err) {
    char path[PATH];
    path_of(s, part, key, ".json", path);
    *object = NULL;
    FILE *f = fopen(path, "re");
    if (f == NULL) {
        if (errno == ENOENT || errno == ENOTDIR) {
            return GMMU_STORE_MISSING;
        }
        (void)failed(path, "a result of gmmu sweep", err);
        return GMMU_STORE_CORRUPT;
    }
    json_error_t bad;
    json_t *found = json_loadf(f, JSON_REJECT_DUPLICATES, &bad);
    (void)fclose(f);
    char check[GMMU_SHA256_HEX];
    const char *stated = json_string_value(json_object_get(found, "key"));
    const char *sum = json_string_value(json_object_get(found, "check"));
    if (found == NULL) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s:%d: found %.120s, expected a result of gmmu sweep", path, bad.line,
                       bad.text);
    } else if (stated == NULL || strcmp(stated, key) != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found the key \"%.60s\", expected that of its name", path,
                       stated == NULL ? "" : stated);
    } else if (sum == NULL || !check_of(found, check) || strcmp(sum, check) != 0) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found content whose digest is not its \"check\", expected a file "
                       "as gmmu sweep wrote it",
                       path);
    } else {
        *object = found;
        return GMMU_STORE_THERE;
    }
    json_decref(found);
    return GMMU_STORE_CORRUPT;
}

static bool make_folder(const char *path, gmmu_error *err) {
    return mkdir(path, 0777) == 0 || errno == EEXIST ||
           failed(path, "a folder that can be written", err);
}

// The own folder with its claim, where others took this process for dead, as after a long sleep.
static bool renew(const gmmu_store *s, gmmu_error *err) {
    char path[PATH];
    char text[GMMU_CLAIMANT_TEXT];
    own_path(s, "claim", path);
    gmmu_claimant_print(&s->self, text);
    return make_folder(s->own, err) && write_file(path, text, strlen(text), err);
}

// With the lock.
static bool put(const gmmu_store *s, const char *part, const char *key, const char *text,
                gmmu_error *err) {
    char from[PATH];
    char to[PATH];
    own_path(s, "row", from);
    path_of(s, part, key, ".json", to);
    if (access(s->own, F_OK) != 0 && errno == ENOENT && !renew(s, err)) {
        return false;
    }
    bool good = write_file(from, text, strlen(text), err);
    if (good && rename(from, to) != 0) {
        good = failed(to, "a file that can be written", err);
    }
    if (!good) {
        (void)unlink(from);
        return false;
    }
    path_of(s, part, "", "", to);
    sync_folder(to);
    return true;
}

bool gmmu_store_put(gmmu_store *s, const char *part, const char *key, json_t *object,
                    gmmu_error *err) {
    char check[GMMU_SHA256_HEX];
    (void)json_object_set_new(object, "key", json_string(key));
    char *text = NULL;
    if (check_of(object, check)) {
        (void)json_object_set_new(object, "check", json_string(check));
        text = json_dumps(object, JSON_INDENT(1) | JSON_ENSURE_ASCII);
    }
    if (text == NULL) {
        (void)snprintf(err->text, sizeof err->text, "out of memory");
        return false;
    }
    (void)pthread_mutex_lock(&s->lock);
    const bool good = s->left || s->own[0] == '\0' || put(s, part, key, text, err);
    (void)pthread_mutex_unlock(&s->lock);
    free(text);
    return good;
}

// ---- claims
void gmmu_store_beat(const gmmu_store *s) {
    char path[PATH];
    own_path(s, "claim", path);
    (void)utimensat(AT_FDCWD, path, NULL, 0);
}

// The time of the file system, which may be another machine's: that of the own claim, renewed.
static time_t now_of(const gmmu_store *s) {
    struct stat status;
    char path[PATH];
    if (s->own[0] != '\0') {
        gmmu_store_beat(s);
        own_path(s, "claim", path);
        if (stat(path, &status) == 0) {
            return status.st_mtime;
        }
    }
    return time(NULL);
}

// The file of a claim: its process has ended, or has not renewed it for LEASE seconds. A file that
// is gone is not stale.
static bool is_stale(const gmmu_store *s, const char *path, unsigned lease, gmmu_claimant *who) {
    struct stat status;
    const bool known = gmmu_claimant_read(path, who);
    if (stat(path, &status) != 0) {
        return false;
    }
    return (known && gmmu_claimant_dead(who, &s->self)) ||
           now_of(s) - status.st_mtime > (time_t)lease;
}

static bool is_own(const gmmu_store *s, const char *path) {
    struct stat mine;
    struct stat other;
    char own[PATH];
    own_path(s, "claim", own);
    return stat(own, &mine) == 0 && stat(path, &other) == 0 && mine.st_ino == other.st_ino &&
           mine.st_dev == other.st_dev;
}

static bool note_claim(gmmu_store *s, const char *key) {
    if (s->count == s->room) {
        const size_t more = s->room == 0 ? 64 : 2 * s->room;
        void *bigger = gmmu_grow(s->claims, s->room, more, sizeof *s->claims, 0);
        if (bigger == NULL) {
            return false;
        }
        s->claims = bigger;
        s->room = more;
    }
    (void)snprintf(s->claims[s->count++], GMMU_STORE_KEY, "%s", key);
    return true;
}

// With the lock: a link to the own claim at PATH, in the place of a stale one if there is one.
static gmmu_claim take(gmmu_store *s, const char *path, gmmu_error *err) {
    char own[PATH];
    char more[PATH];
    own_path(s, "claim", own);
    own_path(s, "more", more);
    if (access(own, F_OK) != 0 && errno == ENOENT && !renew(s, err)) {
        return GMMU_CLAIM_BAD;
    }
    if (link(own, path) == 0) {
        return GMMU_CLAIM_MINE;
    }
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) {
        s->linkless = errno != EMLINK;
        return GMMU_CLAIM_MINE;
    }
    gmmu_claimant who;
    if (errno != EEXIST) {
        (void)failed(path, "a folder that can be written", err);
        return GMMU_CLAIM_BAD;
    }
    if (is_own(s, path)) {
        return GMMU_CLAIM_MINE;
    }
    if (!is_stale(s, path, s->lease, &who)) {
        return GMMU_CLAIM_OTHER;
    }
    const bool good = link(own, more) == 0 && rename(more, path) == 0 && is_own(s, path);
    (void)unlink(more);
    return good ? GMMU_CLAIM_MINE : GMMU_CLAIM_OTHER;
}

gmmu_claim gmmu_store_claim(gmmu_store *s, const char *key, gmmu_error *err) {
    char path[PATH];
    path_of(s, "claims", key, "", path);
    (void)pthread_mutex_lock(&s->lock);
    gmmu_claim claim = s->left || s->linkless ? GMMU_CLAIM_MINE : take(s, path, err);
    if (claim == GMMU_CLAIM_MINE && !s->left && !note_claim(s, key)) {
        (void)unlink(path);
        (void)snprintf(err->text, sizeof err->text, "out of memory");
        claim = GMMU_CLAIM_BAD;
    }
    (void)pthread_mutex_unlock(&s->lock);
    return claim;
}

// With the lock.
static void give_back(gmmu_store *s, size_t i) {
    char path[PATH];
    path_of(s, "claims", s->claims[i], "", path);
    if (is_own(s, path)) {
        (void)unlink(path);
    }
    memmove(s->claims[i], s->claims[--s->count], GMMU_STORE_KEY);
}

void gmmu_store_release(gmmu_store *s, const char *key) {
    (void)pthread_mutex_lock(&s->lock);
    for (size_t i = 0; i < s->count; i++) {
        if (strcmp(s->claims[i], key) == 0) {
            give_back(s, i);
            break;
        }
    }
    (void)pthread_mutex_unlock(&s->lock);
}

bool gmmu_store_claimed(const gmmu_store *s, const char *key, unsigned lease, char *who,
                        size_t size) {
    char path[PATH];
    path_of(s, "claims", key, "", path);
    gmmu_claimant c = {{""}, {""}, {""}, 0, 0};
    if (access(path, F_OK) != 0 || is_stale(s, path, lease, &c)) {
        return false;
    }
    (void)snprintf(who, size, "%s:%ld", c.host, c.pid);
    return true;
}

// ---- processes
static void remove_worker(const char *folder) {
    static const char *const names[] = {"row", "more", "claim"};
    char path[PATH + 8];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
}

// Removes the folders of processes that have ended.
static void remove_dead(const gmmu_store *s) {
    char path[PATH];
    path_of(s, "workers", "", "", path);
    DIR *all = opendir(path);
    for (struct dirent *d = NULL; all != NULL && (d = readdir(all)) != NULL;) {
        char folder[PATH];
        char claim[PATH + 8];
        gmmu_claimant who;
        path_of(s, "workers", d->d_name, "", folder);
        (void)snprintf(claim, sizeof claim, "%s/claim", folder);
        if (d->d_name[0] == '.' || strcmp(folder, s->own) == 0) {
            continue;
        }
        if (is_stale(s, access(claim, F_OK) == 0 ? claim : folder, 10 * s->lease, &who)) {
            remove_worker(folder);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
}

// Removes the claims of processes that have ended: of jobs that nobody may ask for again.
static void remove_stale(const gmmu_store *s) {
    char path[PATH];
    path_of(s, "claims", "", "", path);
    DIR *all = opendir(path);
    for (struct dirent *d = NULL; all != NULL && (d = readdir(all)) != NULL;) {
        gmmu_claimant who;
        path_of(s, "claims", d->d_name, "", path);
        if (d->d_name[0] != '.' && is_stale(s, path, s->lease, &who)) {
            (void)unlink(path);
        }
    }
    if (all != NULL) {
        (void)closedir(all);
    }
}

static bool make_folders(gmmu_store *s, gmmu_error *err) {
    static const char *const parts[] = {"", "rows", "traces", "claims", "workers"};
    char path[PATH];
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        (void)snprintf(path, sizeof path, "%s%s%s", s->folder, i == 0 ? "" : "/", parts[i]);
        if (!make_folder(path, err)) {
            return false;
        }
    }
    for (unsigned i = 0; i < MOST_NAMES; i++) {
        (void)snprintf(s->own, sizeof s->own, "%s/workers/%s-%ld-%u", s->folder, s->self.host,
                       s->self.pid, i);
        if (mkdir(s->own, 0777) == 0) {
            char text[GMMU_CLAIMANT_TEXT];
            own_path(s, "claim", path);
            gmmu_claimant_print(&s->self, text);
            return write_file(path, text, strlen(text), err);
        }
        if (errno != EEXIST) {
            break;
        }
    }
    char own[sizeof s->own];
    memcpy(own, s->own, sizeof own);
    s->own[0] = '\0';
    return failed(own, "a folder that can be written", err);
}

gmmu_store *gmmu_store_join(const char *folder, unsigned lease, gmmu_error *err) {
    gmmu_store *s = gmmu_store_look(folder, err);
    if (s == NULL) {
        return NULL;
    }
    s->lease = lease;
    if (!make_folders(s, err)) {
        gmmu_store_leave(s);
        gmmu_store_free(s);
        return NULL;
    }
    remove_dead(s);
    remove_stale(s);
    return s;
}

void gmmu_store_leave(gmmu_store *s) {
    (void)pthread_mutex_lock(&s->lock);
    while (!s->left && s->count != 0) {
        give_back(s, s->count - 1);
    }
    if (!s->left && s->own[0] != '\0') {
        remove_worker(s->own);
    }
    s->left = true;
    (void)pthread_mutex_unlock(&s->lock);
}

void gmmu_store_free(gmmu_store *s) {
    if (s != NULL) {
        (void)pthread_mutex_destroy(&s->lock);
        free(s->claims);
        free(s);
    }
}
