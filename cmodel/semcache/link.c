// SPDX-License-Identifier: Apache-2.0
// link.c: see link.h. A file is a JSON object of numbers, or of arrays of a number and texts, its
// sources. The drop-in, which is loaded before any program, reads the file with libc alone.
#include "semcache/link.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/message.h"

enum { MOST_BYTES = 16384, MOST_NAME = 40 };

typedef struct {
    const char *path, *at;
    uint64_t line;
    gmmu_error *err;
} text;

// Past white space.
static char next(text *t) {
    for (; *t->at == ' ' || *t->at == '\t' || *t->at == '\r' || *t->at == '\n'; t->at++)
        t->line += *t->at == '\n';
    return *t->at;
}

static bool refuse(text *t, const char *expected) {
    char found[41];
    gmmu_printable(found, sizeof found, t->at, strcspn(t->at, "\n"), 0x80);
    FAIL(t->err, t->path, t->line, "found \"%s\", expected %s", found, expected);
    return false;
}

static bool take(text *t, char c, const char *expected) {
    if (next(t) != c)
        return refuse(t, expected);
    t->at++;
    return true;
}

// A text between quotation marks. TO, of MOST_NAME bytes, may be NULL.
static bool quoted(text *t, char *to, const char *expected) {
    if (next(t) != '"')
        return refuse(t, expected);
    const char *p = t->at + 1;
    while (*p != '"' && (unsigned char)*p >= ' ') p += p[0] == '\\' && p[1] != 0 ? 2 : 1;
    const size_t length = (size_t)(p - t->at) - 1;
    if (*p != '"' || (to != NULL && length >= MOST_NAME))
        return refuse(t, expected);
    if (to != NULL) {
        memcpy(to, t->at + 1, length);
        to[length] = 0;
    }
    t->at = p + 1;
    return true;
}

static bool number(text *t, double *value) {
    static const char expected[] = "a number above 0";
    const char first = next(t);
    char *end = NULL;
    if (first < '0' || first > '9')
        return refuse(t, expected);
    *value = strtod(t->at, &end);
    if (!(*value > 0 && *value < 1e12))
        return refuse(t, expected);
    t->at = end;
    return true;
}

// A number, alone or in an array with its sources.
static bool rate(text *t, double *value) {
    if (next(t) != '[')
        return number(t, value);
    t->at++;
    if (!number(t, value))
        return false;
    while (next(t) == ',') {
        t->at++;
        if (!quoted(t, NULL, "the number's source, a text"))
            return false;
    }
    return take(t, ']', "\",\" or \"]\"");
}

static bool members(text *t, gmmu_sem_link *l) {
    static const char names[] =
        "up_gbs, down_gbs, remote_gbs, transfer_us, gpu_gflops, gpu_single_gflops, gpu_gbs, "
        "cpu_gflops, cpu_gbs or call_us, each once";
    const struct {
        const char *name;
        double *value;
    } rates[] = {{"up_gbs", &l->up_gbs},         {"down_gbs", &l->down_gbs},
                 {"remote_gbs", &l->remote_gbs}, {"transfer_us", &l->transfer_us},
                 {"gpu_gflops", &l->gpu_gflops}, {"gpu_single_gflops", &l->gpu_single_gflops},
                 {"gpu_gbs", &l->gpu_gbs},       {"cpu_gflops", &l->cpu_gflops},
                 {"cpu_gbs", &l->cpu_gbs},       {"call_us", &l->call_us}};
    enum { RATES = sizeof rates / sizeof rates[0], DOUBLE = 4, SINGLE = 5 };
    bool has[RATES] = {false};
    if (!take(t, '{', "a JSON object"))
        return false;
    for (bool first = true; next(t) != '}'; first = false) {
        char name[MOST_NAME];
        unsigned i = 0;
        if (!first && !take(t, ',', "\",\" or \"}\""))
            return false;
        (void)next(t);
        const text before = *t;
        if (!quoted(t, name, names))
            return false;
        while (i < RATES && strcmp(name, rates[i].name) != 0) i++;
        if (i == RATES || has[i]) {
            *t = before;
            return refuse(t, names);
        }
        has[i] = true;
        if (!take(t, ':', "\":\"") || !rate(t, rates[i].value))
            return false;
    }
    t->at++;
    if (has[DOUBLE] && !has[SINGLE])
        l->gpu_single_gflops = l->gpu_gflops;
    return next(t) == 0 || refuse(t, "the end of the file");
}

bool gmmu_sem_link_read(const char *path, gmmu_sem_link *l, gmmu_error *err) {
    char all[MOST_BYTES + 1];
    FILE *file = fopen(path, "re");
    const size_t bytes = file == NULL ? 0 : fread(all, 1, sizeof all, file);
    const bool bad = file == NULL || ferror(file) != 0;
    const int why = errno;
    if (file != NULL)
        (void)fclose(file);
    if (bad) {
        FAIL(err, path, 0, "cannot be read: %s", strerror(why));
        return false;
    }
    if (bytes > MOST_BYTES) {
        FAIL(err, path, 0, "found more than %d bytes, expected that many at most", MOST_BYTES);
        return false;
    }
    all[bytes] = 0;
    text t = {path, all, 1, err};
    return members(&t, l);
}
