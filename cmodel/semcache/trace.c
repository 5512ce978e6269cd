// SPDX-License-Identifier: Apache-2.0
// trace.c: see trace.h. A line is read whole; a word of it is judged where it stands.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // getline
#endif
#include "semcache/trace.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "trace/message.h"
#include "trace/scan.h"

static const char *const kinds[GMMU_SEM_KINDS] = {"call", "cpu", "alloc", "free", "memo"};
static const char *const tracks[GMMU_SEM_TRACKS] = {"calls", "writes", "full"};
static const char head[] = "sem ";

struct gmmu_sem_reader {
    FILE *from;
    char *path;
    char *line;
    size_t room;
    uint64_t number;  // of the line, from 1
    unsigned version;
    gmmu_sem_track track;
    gmmu_sem_names sites, routines;
};

// What is wrong in a line, and where; EXPECTED is NULL: nothing is, there is no memory.
typedef struct {
    const char *at, *expected;
} refusal;

// ---- names

static bool names_grow(gmmu_sem_names *n) {
    const uint32_t room = n->room == 0 ? 64 : 2 * n->room;
    char **more = realloc(n->name, room * sizeof *more);
    if (more == NULL)
        return false;
    n->name = more;
    n->room = room;
    return true;
}

// The number of a name; sites are few, and mostly the one that was meant last time. False: no
// memory.
static bool names_find(gmmu_sem_names *n, const char *text, size_t length, uint32_t *number,
                       refusal *no) {
    for (uint32_t i = 0; i < n->used; i++)
        if (strncmp(n->name[i], text, length) == 0 && n->name[i][length] == 0) {
            *number = i;
            return true;
        }
    no->expected = NULL;
    if (n->used == n->room && !names_grow(n))
        return false;
    n->name[n->used] = strndup(text, length);
    *number = n->used;
    n->used += n->name[n->used] != NULL;
    return n->used > *number;
}

static void names_free(gmmu_sem_names *n) {
    for (uint32_t i = 0; i < n->used; i++) free(n->name[i]);
    free(n->name);
}

// ---- words

static bool scan_name(const char **p, const char **name, size_t *length) {
    const char *word = gmmu_scan_word(p, length);
    *name = word;
    return word != NULL && *length <= GMMU_SEM_MOST_NAME;
}

// START+BYTES.
static bool scan_range(const char **p, gmmu_sem_operand *o) {
    uint64_t bytes;
    if (**p == '0' && ((*p)[1] == 'x' || (*p)[1] == 'X'))
        *p += 2;
    if (!gmmu_scan_digits(p, 16, &o->start) || **p != '+')
        return false;
    ++*p;
    if (!gmmu_scan_digits(p, 10, &bytes) || bytes == 0 || bytes - 1 > UINT64_MAX - o->start)
        return false;
    o->last = o->start + (bytes - 1);
    return true;
}

static bool ends(const char *p) {
    return *p == 0 || *p == ' ' || *p == '\t';
}

// *COUNT/STRIDE behind a range, which is the first run.
static bool scan_runs(const char **p, gmmu_sem_operand *o) {
    uint64_t count, beyond;
    o->run = o->last - o->start + 1;
    ++*p;
    if (!gmmu_scan_digits(p, 10, &count) || **p != '/')
        return false;
    ++*p;
    return gmmu_scan_digits(p, 10, &o->stride) && count >= 2 && o->stride > o->run &&
           !__builtin_mul_overflow(count - 1, o->stride, &beyond) &&
           !__builtin_add_overflow(o->last, beyond, &o->last);
}

static bool scan_operand(const char **p, gmmu_sem_operand *o, unsigned version) {
    static const char letters[] = "rwuo";
    const char *letter = **p == 0 ? NULL : strchr(letters, **p);
    if (letter == NULL || (*p)[1] != ':')
        return false;
    *p += 2;
    o->reads = *letter == 'r' || *letter == 'u';
    o->writes = *letter != 'r';
    o->whole = *letter == 'o';
    return scan_range(p, o) && (**p != '*' || (version >= GMMU_SEM_GAPS && scan_runs(p, o))) &&
           ends(*p);
}

static const char range_wanted[] = "0xSTART+BYTES, one byte or more, within 64 bits";
static const char operand_wanted[] =
    "r:, w:, u: or o: and 0xSTART+BYTES, one byte or more, within 64 bits";
static const char runs_wanted[] =
    "r:, w:, u: or o: and 0xSTART+BYTES or 0xSTART+BYTES*COUNT/STRIDE, one byte or more, COUNT "
    "from "
    "2 on, STRIDE above BYTES, within 64 bits";

static bool scan_work(const char **at, gmmu_sem_event *e, refusal *no) {
    const char *p = *at;
    NEED(gmmu_scan_number(&p, 10, &e->flops), "floating-point operations, a number");
    NEED(gmmu_scan_number(&p, 10, &e->ns), "ns on the CPU, a number");
    *at = p;
    return true;
}

static bool scan_operands(const char **at, unsigned version, gmmu_sem_event *e, refusal *no) {
    const char *p = *at, *wanted = version >= GMMU_SEM_GAPS ? runs_wanted : operand_wanted;
    do {
        NEED(e->operands < GMMU_SEM_MOST_OPERANDS, "the end of the line after 16 operands");
        NEED(scan_operand(&p, &e->operand[e->operands], version), wanted);
        e->operands++;
        gmmu_scan_blanks(&p);
    } while (e->kind == GMMU_SEM_CALL && *p != 0);
    *at = p;
    return true;
}

// The words of a line after its first. False: *NO says why, or there was no memory.
static bool scan_event(gmmu_sem_reader *r, const char *p, gmmu_sem_event *e, refusal *no) {
    const char *name;
    size_t length;
    NEED(gmmu_scan_number(&p, 10, &e->time), "a time in ns, a number");
    if (e->kind == GMMU_SEM_CALL || e->kind == GMMU_SEM_CPU || e->kind == GMMU_SEM_MEMO) {
        NEED(scan_name(&p, &name, &length), "a call site, at most 200 characters");
        if (!names_find(&r->sites, name, length, &e->site, no))
            return false;
    }
    if (e->kind == GMMU_SEM_CALL || e->kind == GMMU_SEM_MEMO) {
        NEED(scan_name(&p, &name, &length), "a routine's name, at most 200 characters");
        if (!names_find(&r->routines, name, length, &e->routine, no))
            return false;
    }
    if (e->kind == GMMU_SEM_CALL && !scan_work(&p, e, no))
        return false;
    if (e->kind == GMMU_SEM_CALL || e->kind == GMMU_SEM_CPU) {
        if (!scan_operands(&p, r->version, e, no))
            return false;
    } else {
        NEED(scan_range(&p, &e->operand[0]) && ends(p), range_wanted);
        e->operands = 1;
    }
    if (e->kind == GMMU_SEM_MEMO) {
        e->operand[0].reads = true;
        NEED(gmmu_scan_number(&p, 10, &e->result) && e->result != 0,
             "the result's bytes, from 1 on");
        if (!scan_work(&p, e, no))
            return false;
    }
    NEED(*p == 0, "the end of the line");
    return true;
}

// ---- the reader

// The next line that is not empty and no comment, without its newline. GMMU_OK, END, BAD.
static int next_line(gmmu_sem_reader *r, gmmu_error *err) {
    for (;;) {
        errno = 0;
        const ssize_t n = getline(&r->line, &r->room, r->from);
        if (n < 0 && ferror(r->from) != 0) {
            FAIL(err, r->path, r->number, "cannot be read: %s", strerror(errno));
            return GMMU_BAD;
        }
        if (n < 0 && errno == ENOMEM) {
            FAIL(err, r->path, r->number + 1, "no memory for the line");
            return GMMU_BAD;
        }
        if (n < 0)
            return GMMU_END;
        r->number++;
        size_t length = (size_t)n;
        if (memchr(r->line, 0, length) != NULL) {
            FAIL(err, r->path, r->number, "found a byte 0, expected text");
            return GMMU_BAD;
        }
        while (length > 0 && (r->line[length - 1] == '\n' || r->line[length - 1] == '\r')) length--;
        r->line[length] = 0;
        const char *p = r->line;
        gmmu_scan_blanks(&p);
        if (*p != 0 && *p != '#')
            return GMMU_OK;
    }
}

static void refuse(const gmmu_sem_reader *r, refusal no, gmmu_error *err) {
    char found[61];
    gmmu_printable(found, sizeof found, no.at, strlen(no.at), 0x80);
    if (*no.at == 0)
        FAIL(err, r->path, r->number, "found the end of the line, expected %s", no.expected);
    else
        FAIL(err, r->path, r->number, "found \"%s\", expected %s", found, no.expected);
}

static int read_head(gmmu_sem_reader *r, gmmu_error *err) {
    const int status = next_line(r, err);
    if (status == GMMU_BAD)
        return GMMU_BAD;
    const char *version = r->line + (sizeof head - 1);
    if (status == GMMU_OK && strncmp(r->line, head, sizeof head - 1) == 0 && version[0] >= '1' &&
        version[0] <= '0' + GMMU_SEM_VERSION && version[1] == ' ')
        for (unsigned i = 0; i < GMMU_SEM_TRACKS; i++)
            if (strcmp(version + 2, tracks[i]) == 0) {
                r->version = (unsigned)(version[0] - '0');
                r->track = (gmmu_sem_track)i;
                return GMMU_OK;
            }
    refuse(r,
           (refusal){status == GMMU_OK ? r->line : "", "sem 1 or sem 2, and calls, writes or full"},
           err);
    return GMMU_BAD;
}

gmmu_sem_reader *gmmu_sem_open(const char *path, gmmu_error *err) {
    gmmu_sem_reader *r = calloc(1, sizeof *r);
    const bool input = strcmp(path, "-") == 0;
    if (r != NULL)
        r->path = strdup(input ? "standard input" : path);
    if (r == NULL || r->path == NULL) {
        FAIL(err, path, 0, "no memory");
        free(r);
        return NULL;
    }
    r->from = input ? stdin : fopen(path, "re");
    if (r->from == NULL)
        FAIL(err, path, 0, "cannot be opened: %s", strerror(errno));
    if (r->from == NULL || read_head(r, err) != GMMU_OK) {
        gmmu_sem_close(r);
        return NULL;
    }
    return r;
}

void gmmu_sem_close(gmmu_sem_reader *r) {
    if (r == NULL)
        return;
    if (r->from != NULL && r->from != stdin)
        (void)fclose(r->from);
    names_free(&r->sites);
    names_free(&r->routines);
    free(r->line);
    free(r->path);
    free(r);
}

int gmmu_sem_next(gmmu_sem_reader *r, gmmu_sem_event *e, gmmu_error *err) {
    const int status = next_line(r, err);
    if (status != GMMU_OK)
        return status;
    *e = (gmmu_sem_event){.kind = GMMU_SEM_KINDS};
    const char *p = r->line;
    size_t length;
    const char *word = gmmu_scan_word(&p, &length);
    for (unsigned i = 0; i < GMMU_SEM_KINDS; i++)
        if (strlen(kinds[i]) == length && memcmp(word, kinds[i], length) == 0)
            e->kind = (gmmu_sem_kind)i;
    refusal no = {word, "call, cpu, alloc, free or memo"};
    if (e->kind != GMMU_SEM_KINDS) {
        no.expected = NULL;
        if (scan_event(r, p, e, &no))
            return GMMU_OK;
    }
    if (no.expected == NULL)
        FAIL(err, r->path, r->number, "no memory for a name");
    else
        refuse(r, no, err);
    return GMMU_BAD;
}

void gmmu_sem_refuse(const gmmu_sem_reader *r, const char *found, const char *expected,
                     gmmu_error *err) {
    (void)snprintf(err->text, sizeof err->text, "%.200s:%zu: found %s, expected %s", r->path,
                   (size_t)r->number, found, expected);
}

gmmu_sem_track gmmu_sem_tracked(const gmmu_sem_reader *r) {
    return r->track;
}

unsigned gmmu_sem_version(const gmmu_sem_reader *r) {
    return r->version;
}

const gmmu_sem_names *gmmu_sem_sites(const gmmu_sem_reader *r) {
    return &r->sites;
}

const gmmu_sem_names *gmmu_sem_routines(const gmmu_sem_reader *r) {
    return &r->routines;
}

// ---- an operand

uint64_t gmmu_sem_runs(const gmmu_sem_operand *o) {
    return o->run == 0 ? 1 : (o->last - o->start + 1 - o->run) / o->stride + 1;
}

uint64_t gmmu_sem_bytes(const gmmu_sem_operand *o) {
    return o->run == 0 ? o->last - o->start + 1 : gmmu_sem_runs(o) * o->run;
}

gmmu_sem_operand gmmu_sem_hull(const gmmu_sem_operand *o) {
    gmmu_sem_operand hull = *o;
    hull.whole = o->whole && o->run == 0;
    hull.run = hull.stride = 0;
    return hull;
}

// ---- the writer

int gmmu_sem_write_head(FILE *to, unsigned version, gmmu_sem_track track) {
    return fprintf(to, "%s%u %s\n", head, version, tracks[track]);
}

static int write_operand(FILE *to, const gmmu_sem_operand *o, bool letter) {
    const int kind = o->whole ? 'o' : o->reads && o->writes ? 'u' : o->writes ? 'w' : 'r';
    if (letter && fprintf(to, " %c:", kind) < 0)
        return -1;
    if (fprintf(to, "%s0x%" PRIx64 "+%" PRIu64, letter ? "" : " ", o->start,
                o->run != 0 ? o->run : o->last - o->start + 1) < 0)
        return -1;
    return o->run == 0 ? 0 : fprintf(to, "*%" PRIu64 "/%" PRIu64, gmmu_sem_runs(o), o->stride);
}

int gmmu_sem_write(FILE *to, const gmmu_sem_event *e, const char *site, const char *routine) {
    const bool call = e->kind == GMMU_SEM_CALL, memo = e->kind == GMMU_SEM_MEMO;
    int status = fprintf(to, "%s %" PRIu64, kinds[e->kind], e->time);
    if (status >= 0 && (call || memo || e->kind == GMMU_SEM_CPU))
        status = fprintf(to, " %s", site);
    if (status >= 0 && (call || memo))
        status = fprintf(to, " %s", routine);
    if (status >= 0 && call)
        status = fprintf(to, " %" PRIu64 " %" PRIu64, e->flops, e->ns);
    for (uint32_t i = 0; i < e->operands && status >= 0; i++)
        status = write_operand(to, &e->operand[i], call || e->kind == GMMU_SEM_CPU);
    if (status >= 0 && memo)
        status = fprintf(to, " %" PRIu64 " %" PRIu64 " %" PRIu64, e->result, e->flops, e->ns);
    return status < 0 ? status : fputc('\n', to);
}
