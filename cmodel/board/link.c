// SPDX-License-Identifier: Apache-2.0
// link.c: see link.h.
#include "board/link.h"

#include <stdio.h>
#include <string.h>

enum { HELLO = 0, RUN = 1, ANSWER = 0x80, VERSION = 1, HELLO_BYTES = 15, RUN_HEAD = 3 };
enum { READ_MOST = 512, LONGEST_WAIT_MS = 8000, LEAST = 64, GOOD_ENOUGH = 32 };

static bool fails(gmmu_error *err, const gmmu_link *l, const char *what) {
    (void)snprintf(err->text, sizeof err->text, "%.200s: %s", l->name, what);
    return false;
}

typedef enum { HEARD, SILENT, DAMAGED, GONE } heard;

// The answer to the request, until nothing came for the time that it may take.
static heard listen(gmmu_link *l) {
    uint8_t bytes[READ_MOST];
    const uint64_t dropped = l->ear.dropped;
    for (;;) {
        const bool damaged = l->ear.dropped != dropped;
        const long came = l->line.read(l->line.context, bytes, sizeof bytes,
                                       damaged ? l->wait_ms : l->patience_ms);
        if (came < 0)
            return GONE;
        if (came == 0)
            return damaged ? DAMAGED : SILENT;
        bool answered = false;
        for (long i = 0; i < came; i++)
            answered |= gmmu_packet_hear(&l->ear, bytes[i], &l->response) &&
                        l->response.seq == l->request.seq &&
                        l->response.kind == (l->request.kind | ANSWER);
        if (answered)
            return HEARD;
    }
}

// After an answer to the TRY-th sending: short packets get through where long ones do not.
static void learn(gmmu_link *l, unsigned try) {
    if (try >= 2) {
        l->most = l->most / 2 < LEAST ? LEAST : l->most / 2;
        l->good = 0;
    } else if (try == 0 && ++l->good == GOOD_ENOUGH) {
        l->most = l->most * 2 < l->is.bytes ? l->most * 2 : l->is.bytes;
        l->good = 0;
    }
    if (try == 0 && l->patience_ms / 2 >= l->wait_ms)
        l->patience_ms /= 2;
}

static bool exchange(gmmu_link *l, gmmu_error *err) {
    for (unsigned i = 0; i < l->tries; i++) {
        const size_t size = gmmu_packet_write(&l->request, l->bytes);
        if (!l->line.write(l->line.context, l->bytes, size))
            return fails(err, l, "found no line any more, expected the board");
        l->sent++;
        l->resent += i != 0;
        const heard h = listen(l);
        if (h == HEARD) {
            learn(l, i);
            return true;
        }
        if (h == GONE)
            return fails(err, l, "found no line any more, expected the board");
        // it may be slow rather than deaf
        if (h == SILENT && i % 2 == 1 && l->patience_ms < LONGEST_WAIT_MS)
            l->patience_ms *= 2;
    }
    (void)snprintf(err->text, sizeof err->text,
                   "%.200s: found no answer to %u requests, expected one of a board", l->name,
                   l->tries);
    return false;
}

// So that an answer to one who asked before is not taken for one to this.
static void forget(gmmu_link *l) {
    uint8_t bytes[READ_MOST];
    for (unsigned i = 0; i < 64 && l->line.read(l->line.context, bytes, sizeof bytes, 1) > 0; i++) {
    }
    l->ear = (gmmu_packet_ear){0};
}

bool gmmu_link_open(gmmu_link *l, gmmu_error *err) {
    l->patience_ms = l->wait_ms;
    forget(l);
    l->seq = 0xA5;
    l->request = (gmmu_packet){.seq = l->seq, .kind = HELLO};
    if (!exchange(l, err))
        return false;
    const uint8_t *p = l->response.payload;
    if (l->response.size != HELLO_BYTES || p[0] != VERSION) {
        (void)snprintf(err->text, sizeof err->text,
                       "%.200s: found version %u of the protocol, expected %u", l->name,
                       l->response.size != 0 ? p[0] : 0U, (unsigned)VERSION);
        return false;
    }
    l->is = (gmmu_link_hello){
        .fresh = p[1] & 1,
        .bytes = p[2] | (unsigned)p[3] << 8,
        .clock_hz = p[4] | (uint32_t)p[5] << 8 | (uint32_t)p[6] << 16 | (uint32_t)p[7] << 24,
        .walk = p[8],
        .drv = p[9],
        .range = p[10],
        .decision = p[11],
        .rit = p[12],
        .hir = p[13],
        .xfer = p[14]};
    if (l->is.bytes < 256 || l->is.bytes > GMMU_PACKET_MOST)
        return fails(err, l, "found packets of a size out of bounds, expected 256 to 4096 bytes");
    l->most = l->is.bytes;
    l->good = 0;
    return true;
}

bool gmmu_link_run(gmmu_link *l, const uint8_t *ops, size_t size, gmmu_link_done *done,
                   gmmu_error *err) {
    if (size > l->is.bytes - GMMU_PACKET_HEAD)
        return fails(err, l, "found a request above the size that the board takes");
    l->request.seq = ++l->seq;
    l->request.kind = RUN;
    l->request.size = (uint16_t)size;
    memcpy(l->request.payload, ops, size);
    if (!exchange(l, err)) {
        // why: is it there, but was reset meanwhile?
        gmmu_error none;
        gmmu_link_hello before = l->is;
        const unsigned tries = l->tries;
        l->tries = 2;
        if (gmmu_link_open(l, &none) && l->is.fresh)
            (void)fails(err, l, "found a board that was reset meanwhile, expected its answer");
        l->tries = tries;
        l->is = before;
        return false;
    }
    if (l->response.size < RUN_HEAD)
        return fails(err, l, "found a response without a head, expected status and count");
    const uint8_t *p = l->response.payload;
    *done = (gmmu_link_done){p[0], p[1] | (unsigned)p[2] << 8, l->response.size - RUN_HEAD};
    return true;
}

bool gmmu_link_record(const gmmu_link *l, const gmmu_link_done *done, size_t *at, unsigned *kind,
                      const uint8_t **bytes, size_t *size) {
    const size_t sizes[] = {l->is.decision, l->is.rit, l->is.hir, l->is.xfer, 1, 5};
    if (*at >= done->records)
        return false;
    const uint8_t *p = l->response.payload + RUN_HEAD + *at;
    const unsigned of = *p & ~(unsigned)GMMU_LINK_LAST;
    *kind = *p;
    *bytes = p + 1;
    *size = of < sizeof sizes / sizeof sizes[0] ? sizes[of] : 0;
    if (*size + 1 > done->records - *at)
        *size = 0;  // cut
    *at = *size == 0 ? done->records : *at + *size + 1;
    return true;
}

// An access: its operation, and the one record that comes of it.
static bool access_word(gmmu_link_registers *r, const uint8_t *ops, size_t count, unsigned of,
                        uint32_t *data) {
    gmmu_link_done done;
    if (!gmmu_link_run(r->link, ops, count, &done, &r->err))
        return false;
    size_t at = 0, size;
    unsigned kind;
    const uint8_t *bytes;
    bool found = false, good = false;
    while (gmmu_link_record(r->link, &done, &at, &kind, &bytes, &size))
        if (kind == of && size != 0) {
            found = true;
            good = bytes[0] == 0;
            for (unsigned i = 0; of == GMMU_LINK_OF_READ && i < 4; i++)
                *data = (i == 0 ? 0 : *data) | (uint32_t)bytes[1 + i] << 8 * i;
        }
    if (!found)
        return fails(&r->err, r->link, "found no answer to an access of a register");
    if (!good)
        return fails(&r->err, r->link, "found no register where one was expected");
    return true;
}

static bool read_word(void *context, uint32_t address, uint32_t *data) {
    const uint8_t ops[] = {GMMU_LINK_READ, (uint8_t)address, (uint8_t)(address >> 8)};
    return access_word(context, ops, sizeof ops, GMMU_LINK_OF_READ, data);
}

static bool write_word(void *context, uint32_t address, uint32_t data) {
    const uint8_t ops[] = {GMMU_LINK_WRITE,      (uint8_t)address,     (uint8_t)(address >> 8),
                           (uint8_t)data,        (uint8_t)(data >> 8), (uint8_t)(data >> 16),
                           (uint8_t)(data >> 24)};
    uint32_t none;
    return access_word(context, ops, sizeof ops, GMMU_LINK_OF_WRITE, &none);
}

gmmu_bus gmmu_link_bus(gmmu_link_registers *r) {
    return (gmmu_bus){r, read_word, write_word};
}
