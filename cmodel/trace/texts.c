// SPDX-License-Identifier: Apache-2.0
// texts.c: see texts.h.
#include "trace/texts.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 1 << 10, FIRST_BYTES = 1 << 14 };

typedef struct {
    size_t at, size;  // in the bytes
    uint64_t hash;
} text;

// Open addressing; a slot holds the text's number plus one.
struct gmmu_texts {
    uint32_t *slots;
    size_t mask;
    text *texts;
    size_t count, room;
    char *bytes;
    size_t used, bytes_room;
};

uint64_t gmmu_text_hash(uint64_t hash, const char *from, size_t size) {
    hash ^= UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ (unsigned char)from[i]) * UINT64_C(0x100000001b3);
    }
    return hash;
}

static uint64_t mix(uint64_t h) {
    return (h ^ h >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20;
}

gmmu_texts *gmmu_texts_create(void) {
    gmmu_texts *t = calloc(1, sizeof *t);
    if (t != NULL) {
        t->slots = calloc(FIRST_SLOTS, sizeof *t->slots);
        t->mask = FIRST_SLOTS - 1;
        if (t->slots == NULL) {
            free(t);
            t = NULL;
        }
    }
    return t;
}

// The slot of the text with HASH, or the free one that it would take.
static size_t find(const gmmu_texts *t, uint64_t hash, const char *from, size_t size) {
    size_t slot = mix(hash) & t->mask;
    for (; t->slots[slot] != 0; slot = (slot + 1) & t->mask) {
        const text *x = &t->texts[t->slots[slot] - 1];
        if (x->hash == hash && x->size == size && memcmp(t->bytes + x->at, from, size) == 0) {
            break;
        }
    }
    return slot;
}

static bool more_slots(gmmu_texts *t) {
    size_t slots = 2 * (t->mask + 1);
    uint32_t *bigger = calloc(slots, sizeof *bigger);
    if (bigger == NULL) {
        return false;
    }
    free(t->slots);
    t->slots = bigger;
    t->mask = slots - 1;
    for (size_t i = 0; i < t->count; i++) {
        size_t slot = mix(t->texts[i].hash) & t->mask;
        while (t->slots[slot] != 0) {
            slot = (slot + 1) & t->mask;
        }
        t->slots[slot] = (uint32_t)(i + 1);
    }
    return true;
}

static bool make_room(gmmu_texts *t, size_t size) {
    if (t->count == t->room) {
        size_t room = t->room == 0 ? FIRST_SLOTS : 2 * t->room;
        text *bigger = realloc(t->texts, room * sizeof *bigger);
        if (bigger == NULL) {
            return false;
        }
        t->texts = bigger;
        t->room = room;
    }
    if (t->bytes_room - t->used <= size) {
        size_t room = 2 * t->bytes_room + FIRST_BYTES + size;
        char *bigger = realloc(t->bytes, room);
        if (bigger == NULL) {
            return false;
        }
        t->bytes = bigger;
        t->bytes_room = room;
    }
    return t->count < UINT32_MAX / 2 && (2 * t->count <= t->mask || more_slots(t));
}

bool gmmu_texts_number(gmmu_texts *t, const char *from, size_t size, uint32_t *number) {
    const uint64_t hash = gmmu_text_hash(0, from, size);
    size_t slot = find(t, hash, from, size);
    if (t->slots[slot] == 0) {
        if (!make_room(t, size)) {
            return false;
        }
        slot = find(t, hash, from, size);
        t->texts[t->count++] = (text){.at = t->used, .size = size, .hash = hash};
        memcpy(t->bytes + t->used, from, size);
        t->used += size;
        t->slots[slot] = (uint32_t)t->count;
    }
    *number = t->slots[slot] - 1;
    return true;
}

void gmmu_texts_free(gmmu_texts *t) {
    if (t != NULL) {
        free(t->slots);
        free(t->texts);
        free(t->bytes);
        free(t);
    }
}
