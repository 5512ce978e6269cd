// SPDX-License-Identifier: Apache-2.0
// unit_rings.c: see unit_rings.h.
#include "driver/unit_rings.h"

#include <string.h>

enum {
    INTS = GMMU_RING_CONF0_INT_ON_OVERFLOW | GMMU_RING_CONF0_INT_ON_FILL_THRESH |
           GMMU_RING_CONF0_INT_ON_TIME | GMMU_RING_CONF0_INT_ON_ERROR,
    EVENTS = GMMU_RING_STATUS_HIGH_OVERFLOW_INT | GMMU_RING_STATUS_HIGH_LEVEL_INT |
             GMMU_RING_STATUS_HIGH_TIME_INT | GMMU_RING_STATUS_HIGH_ERROR,
    VERSION_MASK = 0xF,
};

static bool read32(const gmmu_unit_ring *r, uint32_t word, uint32_t *data) {
    return r->bus->read32(r->bus->context, r->at + word, data);
}

static bool write32(const gmmu_unit_ring *r, uint32_t word, uint32_t data) {
    return r->bus->write32(r->bus->context, r->at + word, data);
}

// Words in memory are little endian.
static uint32_t turned(uint32_t word) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    return __builtin_bswap32(word);
#else
    return word;
#endif
}

// Accesses to memory are not moved across: those before are done before those behind.
static void fence(void) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static uint32_t behind(const gmmu_unit_ring *r, uint32_t entry) {
    return entry + 1 == r->size ? 0 : entry + 1;
}

// Entries from FROM on, before TO.
static uint32_t between(const gmmu_unit_ring *r, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to + r->size - from;
}

static volatile uint32_t *words_of(const gmmu_unit_ring *r, uint32_t entry) {
    return r->memory + (uint64_t)entry * (r->bytes / 4);
}

static uint8_t last_byte(const gmmu_unit_ring *r, uint32_t entry) {
    return (uint8_t)(turned(words_of(r, entry)[r->bytes / 4 - 1]) >> 24);
}

// ---- a channel's life
static bool settled(gmmu_unit_ring *r, unsigned most) {
    uint32_t status;
    for (; most != 0; most--) {
        if (!read32(r, GMMU_RING_STATUS, &status))
            return false;
        if (status >> GMMU_RING_STATUS_OPERATION_IN_PROG == GMMU_RING_OP_NONE)
            return true;
    }
    return false;
}

static void forget(gmmu_unit_ring *r) {
    r->head = r->tail = r->next = 0;
    r->phase = true;
}

bool gmmu_rings_open(gmmu_unit_ring *r, const gmmu_bus *b, unsigned channel, unsigned most) {
    uint32_t cap, length, entry;
    memset(r, 0, sizeof *r);
    r->bus = b;
    r->at = GMMU_RING_PAGE;
    if (!read32(r, GMMU_RING_COMMON_CAP0, &cap) || !read32(r, GMMU_RING_COMMON_CAP1, &length) ||
        (cap >> GMMU_RING_COMMON_CAP0_VERSION & VERSION_MASK) != 1 ||
        channel >= (cap >> GMMU_RING_COMMON_CAP0_NUM_INSTANCES & 0xFF))
        return false;
    r->at += GMMU_RING_FIRST + channel * (length & 0xFFFF);
    if (!read32(r, GMMU_RING_ENTRY, &entry) || entry == 0)
        return false;
    r->bits = entry >> GMMU_RING_ENTRY_TDATA;
    r->bytes = 1u << (entry >> GMMU_RING_ENTRY_LOG2_BYTES & 0xFF);
    r->in = entry & GMMU_RING_ENTRY_IN;
    r->packets = entry & GMMU_RING_ENTRY_PACKETS;
    return gmmu_rings_reset(r, most);
}

// Phases of an earlier use would look new.
static void clear(gmmu_unit_ring *r) {
    for (uint64_t i = 0; i < gmmu_rings_bytes(r, r->size) / 4; i++) r->memory[i] = 0;
    fence();
}

bool gmmu_rings_reset(gmmu_unit_ring *r, unsigned most) {
    forget(r);
    // an operation that is in progress, of whoever was here before, ends first
    if (!settled(r, most) || !write32(r, GMMU_RING_CONF0, GMMU_RING_CONF0_RESET) ||
        !settled(r, most))
        return false;
    if (r->memory != NULL && !r->window)
        clear(r);
    return true;
}

bool gmmu_rings_memory(gmmu_unit_ring *r, void *memory, uint64_t address, uint32_t size) {
    r->memory = memory;
    r->size = size;
    r->window = false;
    clear(r);
    return write32(r, GMMU_RING_MODE, 0) && write32(r, GMMU_RING_BASE, (uint32_t)address) &&
           write32(r, GMMU_RING_BASE_HIGH, (uint32_t)(address >> 32)) &&
           write32(r, GMMU_RING_SIZE, size);
}

bool gmmu_rings_window(gmmu_unit_ring *r) {
    r->window = true;
    return write32(r, GMMU_RING_MODE, GMMU_RING_MODE_WINDOW);
}

bool gmmu_rings_interrupts(gmmu_unit_ring *r, const gmmu_unit_interrupts *when) {
    const bool level = when->watermark != 0 || r->window;
    return write32(r, GMMU_RING_CONF2, when->watermark) && write32(r, GMMU_RING_WAIT, when->wait) &&
           write32(r, GMMU_RING_CONF0,
                   (level ? GMMU_RING_CONF0_INT_ON_FILL_THRESH : 0u) |
                       (when->wait != 0 ? GMMU_RING_CONF0_INT_ON_TIME : 0u) |
                       (when->overflow ? GMMU_RING_CONF0_INT_ON_OVERFLOW : 0u) |
                       (when->error ? GMMU_RING_CONF0_INT_ON_ERROR : 0u));
}

static bool enables(gmmu_unit_ring *r, uint32_t enable) {
    uint32_t conf;
    return read32(r, GMMU_RING_CONF0, &conf) && write32(r, GMMU_RING_CONF0, (conf & INTS) | enable);
}

bool gmmu_rings_enable(gmmu_unit_ring *r) {
    return enables(r, GMMU_RING_CONF0_ENABLE);
}

bool gmmu_rings_disable(gmmu_unit_ring *r, unsigned most) {
    return settled(r, most) && enables(r, 0) && settled(r, most);
}

// ---- after an interrupt
bool gmmu_rings_asking(const gmmu_bus *b, uint32_t *channels) {
    return b->read32(b->context, GMMU_RING_PAGE + GMMU_RING_IRQ, channels);
}

bool gmmu_rings_events(gmmu_unit_ring *r, uint32_t *events) {
    if (!read32(r, GMMU_RING_STATUS_HIGH, events))
        return false;
    *events &= EVENTS;
    return (*events & ~(uint32_t)GMMU_RING_STATUS_HIGH_ERROR) == 0 ||
           write32(r, GMMU_RING_STATUS_HIGH, *events);
}

bool gmmu_rings_dropped(gmmu_unit_ring *r, uint32_t *packets) {
    return read32(r, GMMU_RING_DROPPED, packets);
}

// ---- out channels
bool gmmu_rings_look(gmmu_unit_ring *r, uint32_t *entries) {
    uint32_t at;
    if (!read32(r, GMMU_RING_HEAD_TAIL, &at))
        return false;
    fence();  // entries are read after TAIL
    // entries that were polled may lie behind what the unit has learnt so far
    const uint32_t told = at >> GMMU_RING_HEAD_TAIL_TAIL;
    r->tail = told;
    const bool polled = between(r, r->head, told) < between(r, r->head, r->next);
    if (entries != NULL)
        *entries = polled ? 0 : between(r, r->next, told);
    return true;
}

static void take(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last) {
    const volatile uint32_t *words = words_of(r, r->next);
    const unsigned bytes = r->bits / 8;
    memset(beat, 0, GMMU_UNIT_BEAT_WORDS * sizeof *beat);
    for (unsigned i = 0; i < (bytes + 3) / 4; i++) beat[i] = turned(words[i]);
    if (bytes % 4 != 0)
        beat[bytes / 4] &= (1u << 8 * (bytes % 4)) - 1;
    if (last != NULL)
        *last = last_byte(r, r->next) & GMMU_RING_BYTE_LAST;
    r->next = behind(r, r->next);
    r->phase = r->next == 0 ? !r->phase : r->phase;
}

bool gmmu_rings_take(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last) {
    if (between(r, r->head, r->next) >= between(r, r->head, r->tail))
        return false;
    take(r, beat, last);
    return true;
}

bool gmmu_rings_poll(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last) {
    // the place before HEAD is never written: its phase is of the pass before
    if (((last_byte(r, r->next) & GMMU_RING_BYTE_PHASE) != 0) != r->phase)
        return false;
    fence();  // the rest of the entry is read after its phase
    take(r, beat, last);
    return true;
}

uint32_t gmmu_rings_packet(const gmmu_unit_ring *r) {
    if (between(r, r->head, r->next) >= between(r, r->head, r->tail))
        return 0;
    uint32_t beats = 1;
    for (uint32_t at = r->next; at != r->tail; at = behind(r, at), beats++)
        if (last_byte(r, at) & GMMU_RING_BYTE_LAST)
            return beats;
    return 0;
}

bool gmmu_rings_give_back(gmmu_unit_ring *r) {
    if (r->next == r->head)
        return true;
    if (between(r, r->head, r->next) > between(r, r->head, r->tail) && !gmmu_rings_look(r, NULL))
        return false;
    const bool all = between(r, r->head, r->next) <= between(r, r->head, r->tail);
    const uint32_t head = all ? r->next : r->tail;
    if (head == r->head)
        return true;
    fence();  // entries are read before the unit may write there
    if (!write32(r, GMMU_RING_HEAD_TAIL, head << GMMU_RING_HEAD_TAIL_HEAD))
        return false;
    r->head = head;
    return true;
}

// ---- in channels
bool gmmu_rings_waiting(gmmu_unit_ring *r, uint32_t *operations) {
    uint32_t at;
    if (!read32(r, GMMU_RING_HEAD_TAIL, &at))
        return false;
    r->head = at >> GMMU_RING_HEAD_TAIL_HEAD & 0xFFFF;
    *operations = between(r, r->head, r->next);
    return true;
}

bool gmmu_rings_post(gmmu_unit_ring *r, const uint32_t *beat, bool *full) {
    uint32_t waiting;
    *full = behind(r, r->next) == r->head;
    if (*full && !gmmu_rings_waiting(r, &waiting))
        return false;
    *full = behind(r, r->next) == r->head;
    if (*full)
        return true;
    volatile uint32_t *words = words_of(r, r->next);
    for (unsigned i = 0; i < (r->bits + 31) / 32; i++) words[i] = turned(beat[i]);
    r->next = behind(r, r->next);
    return true;
}

bool gmmu_rings_ring(gmmu_unit_ring *r) {
    if (r->next == r->tail)
        return true;
    fence();  // operations are in memory before the unit hears of them
    if (!write32(r, GMMU_RING_HEAD_TAIL, r->next << GMMU_RING_HEAD_TAIL_TAIL))
        return false;
    r->tail = r->next;
    return true;
}

// ---- windows
bool gmmu_rings_read_one(gmmu_unit_ring *r, uint32_t beat[GMMU_UNIT_BEAT_WORDS], bool *last,
                         bool *there) {
    uint32_t go;
    if (!read32(r, GMMU_RING_GO, &go))
        return false;
    *there = go & GMMU_RING_GO_GO;
    if (!*there)
        return true;
    memset(beat, 0, GMMU_UNIT_BEAT_WORDS * sizeof *beat);
    for (unsigned i = 0; i < (r->bits + 31) / 32; i++)
        if (!read32(r, GMMU_RING_WINDOW + 4 * i, &beat[i]))
            return false;
    if (last != NULL)
        *last = go & GMMU_RING_GO_LAST;
    return write32(r, GMMU_RING_GO, GMMU_RING_GO_GO);
}

bool gmmu_rings_write_one(gmmu_unit_ring *r, const uint32_t *beat, bool *busy) {
    uint32_t go;
    if (!read32(r, GMMU_RING_GO, &go))
        return false;
    *busy = go & GMMU_RING_GO_GO;
    if (*busy)
        return true;
    for (unsigned i = 0; i < (r->bits + 31) / 32; i++)
        if (!write32(r, GMMU_RING_WINDOW + 4 * i, beat[i]))
            return false;
    return write32(r, GMMU_RING_GO, GMMU_RING_GO_GO);
}
