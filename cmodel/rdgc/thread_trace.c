// SPDX-License-Identifier: Apache-2.0
// thread_trace.c: the text form of the threads' accesses (paper, Fig. 3). docs/guide/rdgc.md,
// "Per-thread trace".
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "rdgc/logical.h"
#include "trace/message.h"
#include "trace/unpack.h"

enum { LINE = 256 };

static const char header_mark[] = "# gmmu-rdgc ";
static const char header_form[] = "\"# gmmu-rdgc 1 blocks=NB threads=Bdim\"";

// The accesses of a warp whose lines stand together.
typedef struct {
    uint64_t block, warp, number;
    uint64_t addr[GMMU_WARP];
    uint32_t mask;  // 0: none yet
    unsigned kind;
} group;

typedef struct {
    gmmu_rdgc_trace *trace;
    const char *name;
    uint64_t line;
    uint64_t blocks, threads;  // of the grid, of a block; 0 before the first grid
    group open;
} reader;

// A number below 2^64 off *at, in decimal or 0x hex.
static bool number(const char **at, uint64_t *value) {
    const char *p = *at;
    unsigned base = 10;
    if (p[0] == '0' && p[1] == 'x') {
        base = 16;
        p += 2;
    }
    const char *first = p;
    uint64_t v = 0;
    for (;; p++) {
        unsigned d = *p >= '0' && *p <= '9'   ? (unsigned)(*p - '0')
                     : *p >= 'a' && *p <= 'f' ? (unsigned)(*p - 'a') + 10
                     : *p >= 'A' && *p <= 'F' ? (unsigned)(*p - 'A') + 10
                                              : base;
        if (d >= base)
            break;
        if (v > (UINT64_MAX - d) / base)
            return false;
        v = v * base + d;
    }
    *at = p;
    *value = v;
    return p != first;
}

// Says that at AT, up to the next comma, there is not what was expected.
static int refuse(const reader *r, const char *at, const char *expected, gmmu_error *err) {
    char shown[60];
    size_t length = strcspn(at, ",");
    gmmu_printable(shown, sizeof shown, at, length, 0x80);
    if (*at == '\0')
        FAIL(err, r->name, r->line, "found the end of the line, expected %s", expected);
    else
        FAIL(err, r->name, r->line, "found \"%s\", expected %s", shown, expected);
    return GMMU_BAD;
}

// Puts the line in front of what the logical model says.
static int place_error(const reader *r, gmmu_error *err) {
    gmmu_error inner = *err;
    FAIL(err, r->name, r->line, "%.300s", inner.text);
    return GMMU_BAD;
}

static int flush(reader *r, gmmu_error *err) {
    group *g = &r->open;
    if (g->mask == 0)
        return GMMU_OK;
    int rc =
        gmmu_rdgc_trace_add(r->trace, g->block, g->warp, g->number, g->kind, g->mask, g->addr, err);
    g->mask = 0;
    return rc == GMMU_OK ? GMMU_OK : place_error(r, err);
}

static int header(reader *r, const char *line, gmmu_error *err) {
    static const char one[] = "1 blocks=";
    static const char two[] = " threads=";
    uint64_t blocks = 0;
    uint64_t threads = 0;
    const char *at = line + sizeof header_mark - 1;
    bool ok = strncmp(at, one, sizeof one - 1) == 0;
    at += ok ? sizeof one - 1 : 0;
    ok = ok && number(&at, &blocks) && strncmp(at, two, sizeof two - 1) == 0;
    at += ok ? sizeof two - 1 : 0;
    ok = ok && number(&at, &threads) && *at == '\0';
    if (!ok)
        return refuse(r, line, header_form, err);
    if (flush(r, err) != GMMU_OK)
        return GMMU_BAD;
    if (gmmu_rdgc_trace_begin(r->trace, blocks, threads, err) != GMMU_OK)
        return place_error(r, err);
    r->blocks = blocks;
    r->threads = threads;
    return GMMU_OK;
}

static int access_line(reader *r, const char *line, gmmu_error *err) {
    static const char *const expected[] = {"AN, a number below 2^32 - 1", "BID, a number below NB",
                                           "TID, a number below Bdim", "S, r, w or a",
                                           "ADD, a number below 2^64, and the end of the line"};
    enum { AN, BID, TID, S, ADD, FIELDS };
    const uint64_t most[] = {GMMU_RDGC_MAX_NUMBER, r->blocks - 1, r->threads - 1, 2, UINT64_MAX};
    uint64_t v[FIELDS];
    const char *at = line;
    for (unsigned i = 0; i < FIELDS; i++) {
        const char *first = at;
        bool ok = true;
        if (i == S) {
            ok = *at == 'r' || *at == 'w' || *at == 'a';
            v[S] = *at == 'a' ? GMMU_RDGC_ATOMIC : *at == 'w' ? GMMU_RDGC_WRITE : GMMU_RDGC_READ;
            at += ok;
        } else {
            ok = number(&at, &v[i]);
        }
        if (ok && *at == '\0' && i < ADD)
            return refuse(r, at, expected[i + 1], err);
        if (!ok || *at != (i < ADD ? ',' : '\0') || v[i] > most[i])
            return refuse(r, first, expected[i], err);
        at++;
    }
    group *g = &r->open;
    uint64_t warp = v[TID] / GMMU_WARP;
    unsigned lane = (unsigned)(v[TID] % GMMU_WARP);
    bool same = g->block == v[BID] && g->warp == warp && g->number == v[AN] && g->kind == v[S] &&
                (g->mask >> lane & 1) == 0;
    if (!same && flush(r, err) != GMMU_OK)
        return GMMU_BAD;
    g->block = v[BID];
    g->warp = warp;
    g->number = v[AN];
    g->kind = (unsigned)v[S];
    g->mask |= UINT32_C(1) << lane;
    g->addr[lane] = v[ADD];
    return GMMU_OK;
}

// One line without its end.
static int one_line(reader *r, const char *line, gmmu_error *err) {
    if (strncmp(line, header_mark, sizeof header_mark - 1) == 0)
        return header(r, line, err);
    if (*line == '#' || line[strspn(line, " \t")] == '\0')
        return GMMU_OK;
    if (r->threads == 0)
        return refuse(r, line, header_form, err);
    return access_line(r, line, err);
}

int gmmu_rdgc_trace_read(gmmu_rdgc_trace *t, FILE *in, const char *name, gmmu_error *err) {
    reader r = {.trace = t, .name = name};
    char line[LINE] = "";
    while (fgets(line, sizeof line, in) != NULL) {
        r.line++;
        size_t length = strcspn(line, "\n");
        if (r.line == 1 && gmmu_packing_find(line, sizeof line) != NULL) {
            FAIL(err, name, 0,
                 "found a compressed file, expected text: zcat, xzcat or zstdcat FILE | gmmu rdgc "
                 "-");
            return GMMU_BAD;
        }
        if (line[length] == '\0' && !feof(in)) {
            FAIL(err, name, r.line,
                 "found a line of more than %d bytes or with a zero byte, expected %s", LINE - 2,
                 header_form);
            return GMMU_BAD;
        }
        length -= length > 0 && line[length - 1] == '\r';
        line[length] = '\0';
        if (one_line(&r, line, err) != GMMU_OK)
            return GMMU_BAD;
    }
    if (ferror(in) != 0) {
        FAIL(err, name, 0, "found a read error (%s), expected a per-thread trace", strerror(errno));
        return GMMU_BAD;
    }
    if (r.threads == 0) {
        FAIL(err, name, 0, "found no grid, expected %s", header_form);
        return GMMU_BAD;
    }
    if (flush(&r, err) != GMMU_OK)
        return GMMU_BAD;
    if (gmmu_rdgc_trace_order(t, err) == GMMU_OK)
        return GMMU_OK;
    r.line = 0;
    return place_error(&r, err);
}

int gmmu_rdgc_trace_write(const gmmu_rdgc_trace *t, FILE *out) {
    for (size_t k = 0; k < gmmu_rdgc_trace_grids(t); k++) {
        const gmmu_rdgc_grid *g = gmmu_rdgc_trace_grid(t, k);
        if (fprintf(out, "%s1 blocks=%" PRIu32 " threads=%" PRIu32 "\n", header_mark, g->blocks,
                    g->threads) < 0)
            return -1;
        for (uint32_t i = 0; i < g->count; i++) {
            const gmmu_rdgc_record *r = &g->records[i];
            uint64_t addr[GMMU_WARP];
            (void)gmmu_rdgc_record_addresses(g, r, addr);
            for (uint32_t rest = r->mask; rest != 0; rest &= rest - 1) {
                int lane = __builtin_ctz(rest);
                if (fprintf(out, "%" PRIu32 ",%" PRIu32 ",%d,%c,0x%" PRIx64 "\n", r->number,
                            r->block, r->warp * GMMU_WARP + lane,
                            r->atomic  ? 'a'
                            : r->write ? 'w'
                                       : 'r',
                            addr[lane]) < 0)
                    return -1;
            }
        }
    }
    return 0;
}
