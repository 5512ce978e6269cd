// SPDX-License-Identifier: Apache-2.0
// gwt_hints.c: see gwt_hints.h.
#include "trace/gwt_hints.h"

#include <string.h>

#include "trace/gwt_varint.h"

// One of the sixteen magic numbers of zstd's skippable frames; then the frame's tag, whose last
// byte counts versions.
static const uint32_t skippable = 0x184D2A5A;
static const unsigned char tag[4] = {'G', 'W', 'H', 1};

size_t gmmu_gwt_put_hints(unsigned char *raw, const gmmu_hint *hints, size_t count,
                          uint64_t first) {
    unsigned char *p = raw + GWT_HINT_FRAME;
    memcpy(p, tag, sizeof tag);
    p = gwt_put_varint(p + sizeof tag, count);
    for (size_t i = 0; i < count; i++) {
        const gmmu_hint *h = &hints[i];
        *p++ = (unsigned char)h->kind;
        p = gwt_put_varint(p, h->walk - first);
        first = h->walk;
        if (h->kind != GMMU_HINT_LAUNCH) {
            p = gwt_put_varint(p, h->asid);
            p = gwt_put_varint(p, h->first);
            p = gwt_put_varint(p, h->pages);
        }
        if (h->kind != GMMU_HINT_FREE) {
            p = gwt_put_varint(p, h->id);
        }
    }
    gwt_put32(raw, skippable);
    gwt_put32(raw + 4, (uint32_t)(p - raw - GWT_HINT_FRAME));
    return (size_t)(p - raw);
}

bool gmmu_gwt_has_hints(const unsigned char *raw, size_t size) {
    return size >= GWT_HINT_FRAME + sizeof tag && gwt_get32(raw) == skippable &&
           memcmp(raw + GWT_HINT_FRAME, tag, sizeof tag) == 0;
}

// One hint, at most LEFT walks behind the one before, which stood before walk hint->walk.
static const char *get_hint(gwt_bytes *b, uint64_t left, gmmu_hint *hint) {
    uint64_t gap = 0;
    uint64_t asid = 0;
    const char *wrong = NULL;
    if (b->at == b->end || *b->at >= GMMU_HINT_KINDS) {
        return "kind";
    }
    *hint = (gmmu_hint){.walk = hint->walk, .kind = (gmmu_hint_kind)*b->at++};
    if (!gwt_varint(b, &gap) || gap > left) {
        return "walk";
    }
    hint->walk += gap;
    if (hint->kind != GMMU_HINT_LAUNCH) {
        if (!gwt_varint(b, &asid) || asid > UINT32_MAX) {
            return "asid";
        }
        hint->asid = (uint32_t)asid;
        if (!gwt_varint(b, &hint->first) || !gwt_varint(b, &hint->pages) ||
            !gmmu_hint_sound(hint, &wrong)) {
            return "range";
        }
    }
    return hint->kind == GMMU_HINT_FREE || gwt_varint(b, &hint->id) ? NULL : "id";
}

const char *gmmu_gwt_get_hints(const unsigned char *raw, size_t size, uint64_t first,
                               uint64_t walks, gmmu_hint_queue *q, size_t *count) {
    gwt_bytes b = {.at = raw + GWT_HINT_FRAME + sizeof tag, .end = raw + size};
    gmmu_hint hint = {.walk = first};
    uint64_t stated = 0;
    *count = 0;
    if (gwt_get32(raw + 4) != size - GWT_HINT_FRAME) {
        return "size";
    }
    if (!gwt_varint(&b, &stated) || stated == 0 || stated > GMMU_HINTS) {
        return "number";
    }
    for (; *count < stated; ++*count) {
        const char *wrong = get_hint(&b, first + walks - hint.walk, &hint);
        if (wrong != NULL) {
            return wrong;
        }
        if (!gmmu_hint_queue_add(q, &hint)) {
            return "memory";
        }
    }
    return b.at == b.end ? NULL : "end";
}
