// SPDX-License-Identifier: Apache-2.0
// pack.c: see pack.h.
#include "trace/pack.h"

#include <limits.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { GZIP_WINDOW = 15 + 16, XZ_LEVEL = 6, ZSTD_LEVEL = 3, GZIP_MEMORY = 8 };

struct gmmu_pack {
    const struct packer *how;
    union {
        z_stream gzip;
        lzma_stream xz;
        ZSTD_CCtx *zstd;
    } z;
};

typedef struct packer {
    const char *ending;
    bool (*start)(gmmu_pack *p);
    bool (*step)(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                 size_t *made, bool *done);
    void (*stop)(gmmu_pack *p);
} packer;

static bool gzip_start(gmmu_pack *p) {
    return deflateInit2(&p->z.gzip, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, GZIP_MEMORY,
                        Z_DEFAULT_STRATEGY) == Z_OK;
}

static bool gzip_step(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                      size_t *made, bool *done) {
    z_stream *z = &p->z.gzip;
    const unsigned take = *left < INT_MAX ? (unsigned)*left : INT_MAX;
    z->next_in = (unsigned char *)*at;
    z->avail_in = take;
    z->next_out = (unsigned char *)to;
    z->avail_out = (unsigned)room;
    int status = deflate(z, end && take == *left ? Z_FINISH : Z_NO_FLUSH);
    *at += take - z->avail_in;
    *left -= take - z->avail_in;
    *made = room - z->avail_out;
    *done = status == Z_STREAM_END;
    return status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR;
}

static void gzip_stop(gmmu_pack *p) {
    (void)deflateEnd(&p->z.gzip);
}

static bool xz_start(gmmu_pack *p) {
    p->z.xz = (lzma_stream)LZMA_STREAM_INIT;
    return lzma_easy_encoder(&p->z.xz, XZ_LEVEL, LZMA_CHECK_CRC64) == LZMA_OK;
}

static bool xz_step(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                    size_t *made, bool *done) {
    lzma_stream *z = &p->z.xz;
    z->next_in = (const unsigned char *)*at;
    z->avail_in = *left;
    z->next_out = (unsigned char *)to;
    z->avail_out = room;
    lzma_ret status = lzma_code(z, end ? LZMA_FINISH : LZMA_RUN);
    *at = (const char *)z->next_in;
    *left = z->avail_in;
    *made = room - z->avail_out;
    *done = status == LZMA_STREAM_END;
    return status == LZMA_OK || status == LZMA_STREAM_END || status == LZMA_BUF_ERROR;
}

static void xz_stop(gmmu_pack *p) {
    lzma_end(&p->z.xz);
}

static bool zstd_start(gmmu_pack *p) {
    p->z.zstd = ZSTD_createCCtx();
    return p->z.zstd != NULL &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->z.zstd, ZSTD_c_compressionLevel, ZSTD_LEVEL)) &&
           !ZSTD_isError(ZSTD_CCtx_setParameter(p->z.zstd, ZSTD_c_checksumFlag, 1));
}

static bool zstd_step(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                      size_t *made, bool *done) {
    ZSTD_inBuffer in = {.src = *at, .size = *left};
    ZSTD_outBuffer out = {.dst = to, .size = room};
    size_t status = ZSTD_compressStream2(p->z.zstd, &out, &in, end ? ZSTD_e_end : ZSTD_e_continue);
    *at += in.pos;
    *left -= in.pos;
    *made = out.pos;
    *done = end && status == 0;
    return !ZSTD_isError(status);
}

static void zstd_stop(gmmu_pack *p) {
    (void)ZSTD_freeCCtx(p->z.zstd);
}

static const packer packers[] = {{".gz", gzip_start, gzip_step, gzip_stop},
                                 {".xz", xz_start, xz_step, xz_stop},
                                 {".zst", zstd_start, zstd_step, zstd_stop}};

static const packer *find(const char *path) {
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof packers / sizeof packers[0]; i++) {
        const size_t ending = strlen(packers[i].ending);
        if (length > ending && strcmp(path + length - ending, packers[i].ending) == 0) {
            return &packers[i];
        }
    }
    return NULL;
}

size_t gmmu_pack_ending(const char *path) {
    const packer *how = find(path);
    return how == NULL ? 0 : strlen(how->ending);
}

gmmu_pack *gmmu_pack_create(const char *path) {
    gmmu_pack *p = calloc(1, sizeof *p);
    if (p != NULL) {
        p->how = find(path);
        if (!p->how->start(p)) {
            gmmu_pack_free(p);
            p = NULL;
        }
    }
    return p;
}

bool gmmu_pack_step(gmmu_pack *p, const char **at, size_t *left, bool end, char *to, size_t room,
                    size_t *made, bool *done) {
    return p->how->step(p, at, left, end, to, room, made, done);
}

void gmmu_pack_free(gmmu_pack *p) {
    if (p != NULL) {
        p->how->stop(p);
        free(p);
    }
}
