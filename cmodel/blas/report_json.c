// SPDX-License-Identifier: Apache-2.0
// report_json.c: see report_json.h.
#include "blas/report_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

// Bytes of the UTF-8 character at P; 0: there is none.
static unsigned utf8(const unsigned char *p) {
    const unsigned n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
    if (p[0] > 0xf4 || (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
        (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
        return 0;
    for (unsigned i = 1; i < n; i++)
        if ((p[i] & 0xc0) != 0x80)
            return 0;
    return n;
}

static void put_text(FILE *to, const char *text) {
    const unsigned char *p = (const unsigned char *)text;
    (void)fputc('"', to);
    while (*p != 0) {
        const unsigned n = utf8(p);
        if (*p < ' ' || *p == '"' || *p == '\\' || *p == 0x7f)
            (void)fprintf(to, "\\u%04x", *p);
        else if (n == 0)
            (void)fputc('?', to);
        else
            (void)fwrite(p, 1, n, to);
        p += n == 0 ? 1 : n;
    }
    (void)fputc('"', to);
}

static void member_text(FILE *to, const char *name, const char *text) {
    (void)fprintf(to, "\"%s\":", name);
    put_text(to, text);
}

static void put_shapes(FILE *to, const gmmu_blas_stats *s) {
    (void)fprintf(to, ",\"shapes\":[");
    for (unsigned i = 0; i < s->shapes; i++) {
        const gmmu_blas_shape_row *row = &s->shape[i];
        (void)fprintf(to,
                      "%s{\"type\":\"%c\",\"m\":%" PRId64 ",\"n\":%" PRId64 ",\"k\":%" PRId64
                      ",\"calls\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",\"naive_ns\":%.0f}",
                      i == 0 ? "" : ",", row->is.type, row->is.m, row->is.n, row->is.k, row->calls,
                      row->ns, row->naive_ns);
    }
    gmmu_blas_shape least;
    (void)fprintf(to, "],\"other_shapes\":%" PRIu64 ",\"pays_from\":", s->other_shapes);
    if (gmmu_blas_stats_pays(s, &least))
        (void)fprintf(to, "{\"type\":\"%c\",\"m\":%" PRId64 ",\"n\":%" PRId64 ",\"k\":%" PRId64 "}",
                      least.type, least.m, least.n, least.k);
    else
        (void)fprintf(to, "null");
    (void)fprintf(to, ",\"sizes\":[");
    const char *before = "";
    for (unsigned i = 0; i < GMMU_BLAS_SIZES; i++) {
        if (s->size[i].calls == 0)
            continue;
        (void)fprintf(to, "%s{\"from\":%u,\"calls\":%" PRIu64 ",\"cpu_ns\":%.0f,\"naive_ns\":%.0f}",
                      before, 1U << i, s->size[i].calls, s->size[i].cpu_ns, s->size[i].naive_ns);
        before = ",";
    }
}

static void put_lines(FILE *to, const gmmu_blas_report *r, const gmmu_blas_stats *s) {
    (void)fprintf(to, "],\"lines\":[");
    for (unsigned i = 0; i < s->lines; i++) {
        (void)fprintf(to, "%s{", i == 0 ? "" : ",");
        member_text(to, "line", s->line[i].text);
        (void)fprintf(to, ",\"calls\":%" PRIu64 ",\"cpu_ns\":%" PRIu64 ",\"naive_ns\":%.0f}",
                      s->line[i].calls, s->line[i].ns, s->line[i].naive_ns);
    }
    (void)fprintf(to, "],\"cpu_sides\":[");
    for (unsigned i = 0; i < s->sides; i++) {
        const gmmu_blas_side_row *row = &s->side[i];
        (void)fprintf(to, "%s{", i == 0 ? "" : ",");
        member_text(to, "code", gmmu_blas_side_name(r, row->site));
        (void)fprintf(to,
                      ",\"downs\":%" PRIu64 ",\"down_bytes\":%" PRIu64 ",\"ups\":%" PRIu64
                      ",\"up_bytes\":%" PRIu64 "}",
                      row->downs, row->down_bytes, row->ups, row->up_bytes);
    }
    (void)fprintf(to, "]");
}

static void put_site(FILE *to, const gmmu_blas_report *r, const gmmu_blas_row *l) {
    const gmmu_sem_row *least = &l->is.least, *most = &l->is.most;
    (void)fprintf(to, "{");
    member_text(to, "routine", l->routine);
    (void)fprintf(to, ",");
    member_text(to, "site", l->name);
    (void)fprintf(to, ",");
    if (l->library != NULL)
        member_text(to, "library", l->library);
    else
        (void)fprintf(to, "\"library\":null");
    (void)fprintf(to, ",\"estimate\":%s", l->estimated ? "true" : "false");
    (void)fprintf(to,
                  ",\"calls\":%" PRIu64 ",\"below\":%" PRIu64 ",\"flops\":%" PRIu64
                  ",\"cpu_ns\":%" PRIu64 ",\"bytes\":%" PRIu64
                  ",\"naive_ns\":%.0f"
                  ",\"least_bytes\":%" PRIu64 ",\"most_bytes\":%" PRIu64
                  ",\"least_ns\":%.0f,\"most_ns\":%.0f",
                  l->calls, l->below, l->flops, l->ns, l->bytes, l->naive_ns,
                  least->up_bytes + least->down_bytes, most->up_bytes + most->down_bytes, least->ns,
                  most->ns);
    if (l->stats != NULL) {
        put_shapes(to, l->stats);
        put_lines(to, r, l->stats);
    }
    (void)fprintf(to, "}");
}

static void put_way(FILE *to, const char *name, const gmmu_blas_report *r, const gmmu_blas_way *w) {
    (void)fprintf(to,
                  ",\"%s\":{\"ns\":%.0f,\"cpu_ns\":%.0f,\"protocol\":\"%s\",\"min\":%" PRIu64 "}",
                  name, w->ns > 0 ? w->ns : 0, gmmu_blas_cpu_ns(r, w->ns), w->protocol, w->minimum);
}

static void put_process(FILE *to, const gmmu_blas_report *r) {
    const gmmu_blas_settings *s = r->settings;
    const bool ranked = *s->rank.number != 0;
    (void)fprintf(to, "{\"gmmu_blas\":1,\"process\":%ld,\"rank\":%s,\"ranks\":%s,", (long)getpid(),
                  ranked ? s->rank.number : "null", *s->rank.of != 0 ? s->rank.of : "null");
    member_text(to, "host", s->rank.host);
    (void)fprintf(to, ",");
    member_text(to, "program", s->program);
    (void)fprintf(to, ",\"signal\":");
    if (r->signal != 0)
        (void)fprintf(to, "%d", r->signal);
    else
        (void)fprintf(to, "null");
    (void)fprintf(to, ",\"track\":\"%s\",", gmmu_blas_tracks[s->track]);
    member_text(to, "machine", s->link_name);
    (void)fprintf(to,
                  ",\"ns\":%" PRIu64 ",\"process_cpu_ns\":%" PRIu64 ",\"recorder_ns\":%" PRIu64
                  ",\"calls_cpu_ns\":%" PRIu64 ",\"waited_ns\":%" PRIu64 ",\"min\":%" PRIu64
                  ",\"min_at_end\":%" PRIu64,
                  r->ns, r->cpu_ns, r->spent_ns, r->busy_ns, r->waited_ns, r->least, r->last);
}

void gmmu_blas_report_json(FILE *to, const gmmu_blas_report *r) {
    gmmu_blas_protocol protocol[GMMU_BLAS_PROTOCOLS];
    const unsigned protocols = gmmu_blas_protocols(r, protocol);
    gmmu_blas_way least, most;
    gmmu_blas_row all;
    uint32_t n;
    gmmu_blas_row *rows = gmmu_blas_rows(r, &n, &all);
    gmmu_blas_ways(r, &least, &most);
    put_process(to, r);
    (void)fprintf(to, ",\"pays_from\":");
    if (gmmu_blas_pays_from(r) != 0)
        (void)fprintf(to, "%" PRIu64, gmmu_blas_pays_from(r));
    else
        (void)fprintf(to, "null");
    put_way(to, "saves_most", r, &most);
    put_way(to, "saves_least", r, &least);
    (void)fprintf(to, ",\"protocols\":[");
    for (unsigned i = 0; i < protocols; i++)
        (void)fprintf(to,
                      "%s{\"protocol\":\"%s\",\"bound\":\"%s\",\"up_bytes\":%" PRIu64
                      ",\"down_bytes\":%" PRIu64 ",\"ns\":%.0f}",
                      i == 0 ? "" : ",", protocol[i].name, protocol[i].bound,
                      protocol[i].row.up_bytes, protocol[i].row.down_bytes, protocol[i].row.ns);
    (void)fprintf(to, "],\"sites\":[");
    for (uint32_t i = 0; rows != NULL && i < n; i++) {
        (void)fprintf(to, "%s", i == 0 ? "" : ",");
        put_site(to, r, &rows[i]);
    }
    (void)fprintf(to, "]}\n");
    free(rows);
}
