// SPDX-License-Identifier: Apache-2.0
// sha256.c: see sha256.h.
#include "sweep/sha256.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t turn(uint32_t x, unsigned by) {
    return x >> by | x << (32 - by);
}

static void take_block(uint32_t state[8], const unsigned char *block) {
    uint32_t w[64];
    for (unsigned i = 0; i < 16; i++) {
        const unsigned char *p = block + (size_t)4 * i;
        w[i] = (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
    }
    for (unsigned i = 16; i < 64; i++) {
        const uint32_t x = w[i - 15];
        const uint32_t y = w[i - 2];
        w[i] = w[i - 16] + (turn(x, 7) ^ turn(x, 18) ^ x >> 3) + w[i - 7] +
               (turn(y, 17) ^ turn(y, 19) ^ y >> 10);
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (unsigned i = 0; i < 64; i++) {
        const uint32_t one =
            h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + rounds[i] + w[i];
        const uint32_t two =
            (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + one;
        d = c;
        c = b;
        b = a;
        a = one + two;
    }
    const uint32_t v[8] = {a, b, c, d, e, f, g, h};
    for (unsigned i = 0; i < 8; i++) {
        state[i] += v[i];
    }
}

gmmu_sha256 gmmu_sha256_start(void) {
    return (gmmu_sha256){.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                   0x9b05688c, 0x1f83d9ab, 0x5be0cd19}};
}

void gmmu_sha256_add(gmmu_sha256 *s, const void *data, size_t size) {
    const unsigned char *p = data;
    while (size != 0) {
        const size_t at = s->bytes % sizeof s->block;
        size_t part = sizeof s->block - at;
        part = size < part ? size : part;
        if (part == sizeof s->block) {
            take_block(s->state, p);
        } else {
            memcpy(s->block + at, p, part);
            if (at + part == sizeof s->block) {
                take_block(s->state, s->block);
            }
        }
        s->bytes += part;
        p += part;
        size -= part;
    }
}

void gmmu_sha256_end(gmmu_sha256 *s, char hex[GMMU_SHA256_HEX]) {
    static const unsigned char zeros[64];
    const uint64_t bits = s->bytes * 8;
    unsigned char length[8];
    for (unsigned i = 0; i < 8; i++) {
        length[i] = (unsigned char)(bits >> (56 - 8 * i));
    }
    gmmu_sha256_add(s, "\x80", 1);
    gmmu_sha256_add(s, zeros, (120 - s->bytes % 64) % 64);
    gmmu_sha256_add(s, length, sizeof length);
    for (unsigned i = 0; i < 8; i++) {
        (void)snprintf(hex + (size_t)8 * i, GMMU_SHA256_HEX - (size_t)8 * i, "%08x",
                       (unsigned)s->state[i]);
    }
}

bool gmmu_sha256_file(const char *path, char hex[GMMU_SHA256_HEX], gmmu_error *err) {
    unsigned char part[1 << 14];
    FILE *f = fopen(path, "re");
    gmmu_sha256 sum = gmmu_sha256_start();
    size_t size = 0;
    while (f != NULL && (size = fread(part, 1, sizeof part, f)) != 0) {
        gmmu_sha256_add(&sum, part, size);
    }
    const bool good = f != NULL && ferror(f) == 0;
    if (!good) {
        (void)snprintf(err->text, sizeof err->text, "%.300s: %s, expected a file to digest", path,
                       strerror(errno));
    }
    if (f != NULL) {
        (void)fclose(f);
    }
    gmmu_sha256_end(&sum, hex);
    return good;
}
