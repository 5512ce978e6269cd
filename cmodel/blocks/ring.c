// SPDX-License-Identifier: Apache-2.0
// ring.c: see ring.h and docs/reference/blocks/ring.md.
#include "blocks/ring.h"

#include <string.h>

#include "blocks/beat.h"

enum {
    VERSION = 1,
    MOST_ENTRIES = 0xFFFF,  // of a ring
    BORDER = 4096,          // no burst crosses a multiple
    INTS = GMMU_RING_CONF0_INT_ON_OVERFLOW | GMMU_RING_CONF0_INT_ON_FILL_THRESH |
           GMMU_RING_CONF0_INT_ON_TIME | GMMU_RING_CONF0_INT_ON_ERROR,
    W1C = GMMU_RING_STATUS_HIGH_OVERFLOW_INT | GMMU_RING_STATUS_HIGH_LEVEL_INT |
          GMMU_RING_STATUS_HIGH_TIME_INT,
    INT_ABOVE_STATUS = 1,  // an INT_… of CONF0 is so many bits above its bit of STATUS_HIGH
};

// ---- sizes
static unsigned wider(unsigned a, unsigned b) {
    return a > b ? a : b;
}

static unsigned bits_of(const gmmu_config *cfg, unsigned c) {
    switch (c) {
        case GMMU_RING_DECISION:
            return gmmu_decision_layout_of(cfg).bits;
        case GMMU_RING_XFER:
            return gmmu_xfer_layout_of(cfg).bits;
        case GMMU_RING_RIT:
            return wider(gmmu_rit_layout_of(cfg).bits, gmmu_rit_head_layout_of(cfg).bits);
        case GMMU_RING_HIR:
            return wider(gmmu_hir_layout_of(cfg).bits, gmmu_hir_head_layout_of().bits);
        case GMMU_RING_DRV:
            return gmmu_drv_layout_of(cfg).bits;
        default:
            return gmmu_range_layout_of(cfg).bits;
    }
}

static unsigned words_of(const gmmu_ring_channel *ch) {
    return (ch->bits + 31) / 32;
}

static uint64_t address_mask(const gmmu_ring *r) {
    return UINT64_MAX >> (64 - r->addr_w);
}

// ---- a ring
// Entries from FROM on, before TO.
static uint32_t between(const gmmu_ring_channel *ch, uint32_t from, uint32_t to) {
    return to >= from ? to - from : to + ch->size - from;
}

static uint32_t behind(const gmmu_ring_channel *ch, uint32_t at) {
    return at + 1 == ch->size ? 0 : at + 1;
}

static uint32_t fill(const gmmu_ring_channel *ch) {
    return between(ch, ch->head, ch->tail);
}

static bool may_begin(const gmmu_ring_channel *ch) {
    return ch->enabled;  // 0 with an operation in progress, and after an error
}

static bool in_memory(const gmmu_ring_channel *ch) {
    return !ch->mode && ch->size >= 2;
}

// Of a channel that runs.
static uint32_t room(const gmmu_ring_channel *ch) {
    return ch->size - 1 - between(ch, ch->head, ch->next);
}

// An out channel's window has a beat.
static bool shows(const gmmu_ring_channel *ch) {
    return ch->enabled && ch->mode && ch->offered && !ch->go;
}

static bool under_way(const gmmu_ring_channel *ch) {
    if (ch->in)
        return ch->fetched != 0 || ch->fetching || ch->offered;
    return ch->writes != 0 || (ch->inside && !ch->discards);
}

// As the channel's RESET does.
static void restart(gmmu_ring_channel *ch) {
    ch->head = ch->tail = ch->next = 0;
    ch->phase = true;
    ch->status = 0;
    ch->error = false;
    ch->dropped = 0;
    ch->op = GMMU_RING_OP_NONE;
    ch->timer = 0;
    if (ch->in) {
        memset(ch->beat, 0, sizeof ch->beat);
        ch->offered = false;
    }
    ch->go = false;
}

static void end(gmmu_ring_channel *ch, unsigned op) {
    ch->enabled = false;
    ch->go = false;
    if (op > ch->op)
        ch->op = op;
}

static bool asks(const gmmu_ring_channel *ch) {
    const uint32_t status = ch->status | (ch->error ? GMMU_RING_STATUS_HIGH_ERROR : 0u);
    return (ch->flags >> INT_ABOVE_STATUS & status) != 0;
}

// What the cycle that begins is judged by.
static void look(gmmu_ring *r) {
    r->irq_next = false;
    for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) {
        gmmu_ring_channel *ch = &r->channel[c];
        const uint32_t n = fill(ch);
        ch->filled = n != 0;
        ch->windowed = !ch->in && ch->enabled && ch->mode;
        ch->done = ch->op != GMMU_RING_OP_NONE && !under_way(ch);
        ch->due = 0;
        if (!ch->in && !ch->mode && ch->threshold != 0 && n >= ch->threshold)
            ch->due |= GMMU_RING_STATUS_HIGH_LEVEL_INT;
        if (!ch->in && ch->wait != 0 && ch->filled && ch->timer >> ch->wait != 0)
            ch->due |= GMMU_RING_STATUS_HIGH_TIME_INT;
        r->irq_next = r->irq_next || asks(ch);
    }
}

void gmmu_ring_init(gmmu_ring *r, const gmmu_config *cfg, unsigned addr_w, unsigned data_w,
                    unsigned writes, unsigned ops) {
    memset(r, 0, sizeof *r);
    r->addr_w = addr_w;
    r->data_w = data_w;
    r->writes = writes;
    r->ops = ops;
    for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) {
        gmmu_ring_channel *ch = &r->channel[c];
        const bool of_ranges = c == GMMU_RING_XFER || c == GMMU_RING_RANGE;
        ch->present = !of_ranges || cfg->ranges != 0;
        ch->in = c >= GMMU_RING_DRV;
        ch->drops = c == GMMU_RING_RIT || c == GMMU_RING_HIR;
        ch->packets = ch->drops || c == GMMU_RING_XFER;
        ch->window = !ch->drops;
        ch->bits = (bits_of(cfg, c) + 7) / 8 * 8;
        for (ch->bytes = 16; ch->bytes < ch->bits / 8 + 1;) ch->bytes *= 2;
    }
    gmmu_ring_reset(r, true);
}

void gmmu_ring_reset(gmmu_ring *r, bool regs) {
    for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) {
        gmmu_ring_channel *ch = &r->channel[c];
        restart(ch);
        ch->enabled = ch->inside = ch->discards = ch->fetching = ch->offered = ch->waited = false;
        ch->overflows = ch->restarts = false;
        ch->fetched = ch->writes = 0;
        if (regs) {
            ch->flags = ch->threshold = ch->wait = ch->size = 0;
            ch->base = 0;
            ch->mode = false;
        }
    }
    r->under_way = 0;
    r->burst = -1;
    r->irq = false;
    look(r);
}

// ---- registers
static uint32_t merged(uint32_t old, uint32_t data, unsigned strobes) {
    for (unsigned b = 0; b < 4; b++)
        if (strobes >> b & 1)
            old = (old & ~(0xFFu << 8 * b)) | (data & 0xFFu << 8 * b);
    return old;
}

// The word at address AT of the page: of channel *C the word at *WITHIN. False: of none.
static bool in_channel(unsigned at, unsigned *c, unsigned *within) {
    if (at < GMMU_RING_FIRST)
        return false;
    *c = (at - GMMU_RING_FIRST) / GMMU_RING_LENGTH;
    *within = (at - GMMU_RING_FIRST) % GMMU_RING_LENGTH;
    return *c < GMMU_RING_CHANNELS;
}

static uint32_t read_of(const gmmu_ring_channel *ch, unsigned within) {
    if (within >= GMMU_RING_WINDOW) {
        const unsigned i = (within - GMMU_RING_WINDOW) / 4;
        return i < words_of(ch) && ch->window && (ch->in || shows(ch)) ? ch->beat[i] : 0;
    }
    switch (within) {
        case GMMU_RING_CAP0:
            return (ch->drops ? GMMU_RING_CAP0_OVERFLOW_INT : 0u) |
                   (ch->in ? 0u : GMMU_RING_CAP0_LEVEL_INT);
        case GMMU_RING_CAP0_HIGH:
            return (uint32_t)MOST_ENTRIES << GMMU_RING_CAP0_HIGH_HOTLIST_SIZE;
        case GMMU_RING_CAP1_HIGH:
            return GMMU_RING_CAP1_HIGH_ALWAYS_ON;
        case GMMU_RING_CONF0:
            return ch->flags | (ch->enabled ? GMMU_RING_CONF0_ENABLE : 0u);
        case GMMU_RING_CONF1_HIGH:
            return 1u << GMMU_RING_CONF1_HIGH_REPORTING_MODE;  // always on
        case GMMU_RING_CONF2:
            return ch->threshold;
        case GMMU_RING_STATUS:
            return (ch->enabled ? GMMU_RING_STATUS_ENABLED : 0u) |
                   ch->op << GMMU_RING_STATUS_OPERATION_IN_PROG;
        case GMMU_RING_STATUS_HIGH:
            return ch->status | (ch->error ? GMMU_RING_STATUS_HIGH_ERROR : 0u);
        case GMMU_RING_HEAD_TAIL:
            return ch->head | ch->tail << GMMU_RING_HEAD_TAIL_TAIL;
        case GMMU_RING_BASE:
            return (uint32_t)ch->base;
        case GMMU_RING_BASE_HIGH:
            return (uint32_t)(ch->base >> 32);
        case GMMU_RING_SIZE:
            return ch->size;
        case GMMU_RING_WAIT:
            return ch->wait;
        case GMMU_RING_ENTRY:
            return gmmu_log2(ch->bytes) | (ch->in ? GMMU_RING_ENTRY_IN : 0u) |
                   (ch->packets ? GMMU_RING_ENTRY_PACKETS : 0u) |
                   (ch->drops ? GMMU_RING_ENTRY_DROPS : 0u) |
                   (ch->window ? GMMU_RING_ENTRY_HAS_WINDOW : 0u) |
                   ch->bits << GMMU_RING_ENTRY_TDATA;
        case GMMU_RING_DROPPED:
            return ch->dropped;
        case GMMU_RING_MODE:
            return ch->mode;
        case GMMU_RING_GO:
            if (ch->in)
                return ch->offered ? GMMU_RING_GO_GO : 0u;
            return shows(ch) ? GMMU_RING_GO_GO | (ch->last ? GMMU_RING_GO_LAST : 0u) : 0u;
        default:
            return 0;
    }
}

bool gmmu_ring_read(const gmmu_ring *r, unsigned word, uint32_t *data) {
    const unsigned at = 4 * word;
    unsigned c, within;
    *data = 0;
    if (at == GMMU_RING_COMMON_CAP0)
        *data = VERSION | GMMU_RING_CHANNELS << GMMU_RING_COMMON_CAP0_NUM_INSTANCES;
    else if (at == GMMU_RING_COMMON_CAP1)
        *data = GMMU_RING_LENGTH;
    else if (at == GMMU_RING_IRQ)
        for (c = 0; c < GMMU_RING_CHANNELS; c++) *data |= (uint32_t)asks(&r->channel[c]) << c;
    else if (in_channel(at, &c, &within))
        *data = r->channel[c].present ? read_of(&r->channel[c], within) : 0;
    else
        return at < GMMU_RING_FIRST;
    return true;
}

static bool write_conf0(gmmu_ring_channel *ch, uint32_t data, unsigned strobes) {
    const uint32_t old = ch->flags | (ch->enabled ? GMMU_RING_CONF0_ENABLE : 0u);
    const uint32_t now = merged(old, data, strobes);
    const bool resets = now & GMMU_RING_CONF0_RESET;
    const bool enables = now & GMMU_RING_CONF0_ENABLE && !resets;
    if (ch->op != GMMU_RING_OP_NONE || (enables && (ch->error || (!ch->mode && ch->size < 2))))
        return false;
    ch->flags = now & INTS;
    if (resets)
        end(ch, GMMU_RING_OP_RESET);
    else if (ch->enabled && !enables)
        end(ch, GMMU_RING_OP_DISABLE);
    ch->enabled = enables;
    return true;
}

static bool write_head_tail(gmmu_ring_channel *ch, uint32_t data, unsigned strobes) {
    const unsigned half = ch->in ? strobes >> 2 & 3 : strobes & 3;
    const uint32_t now = ch->in ? data >> 16 : data & 0xFFFF;
    if (!in_memory(ch) || half == 1 || half == 2)
        return false;
    if (half == 0)
        return true;
    if (now >= ch->size)
        return false;
    if (ch->in) {
        if (between(ch, ch->tail, now) > ch->size - 1 - fill(ch))
            return false;
        ch->tail = now;
        return true;
    }
    if (between(ch, ch->head, now) > fill(ch))
        return false;
    ch->head = now;
    ch->restarts = true;
    return true;
}

// What may change only while the channel is as after a reset.
static bool write_setting(const gmmu_ring *r, gmmu_ring_channel *ch, unsigned within, uint32_t data,
                          unsigned strobes) {
    if (ch->enabled || ch->op != GMMU_RING_OP_NONE || ch->head != 0 || ch->tail != 0)
        return false;
    if (within == GMMU_RING_SIZE) {
        const uint32_t size = merged(ch->size, data, strobes) & MOST_ENTRIES;
        if (size < 2)
            return false;
        ch->size = size;
    } else if (within == GMMU_RING_MODE) {
        const bool mode = merged(ch->mode, data, strobes) & 1;
        if (mode && !ch->window)
            return false;
        ch->mode = mode;
    } else {
        const unsigned shift = within == GMMU_RING_BASE ? 0 : 32;
        const uint32_t word = merged((uint32_t)(ch->base >> shift), data, strobes);
        ch->base = (ch->base & ~(UINT64_C(0xFFFFFFFF) << shift)) | (uint64_t)word << shift;
        ch->base &= address_mask(r) & ~UINT64_C(63);
    }
    return true;
}

static bool write_go(gmmu_ring_channel *ch, uint32_t data, unsigned strobes) {
    if (!ch->enabled || !ch->mode)
        return false;
    if (!(data & strobes & GMMU_RING_GO_GO))
        return true;
    if (ch->in ? ch->offered : !shows(ch))
        return false;
    if (ch->in)
        ch->offered = true;
    else
        ch->go = true;
    return true;
}

static bool write_window(gmmu_ring_channel *ch, unsigned i, uint32_t data, unsigned strobes) {
    if (!ch->in || !ch->mode || ch->offered || i >= words_of(ch))
        return false;
    const unsigned left = ch->bits - 32 * i;
    ch->beat[i] = merged(ch->beat[i], data, strobes) & (left < 32 ? (1u << left) - 1 : UINT32_MAX);
    return true;
}

bool gmmu_ring_write(gmmu_ring *r, unsigned word, uint32_t data, unsigned strobes) {
    unsigned c, within;
    if (r->stops || !in_channel(4 * word, &c, &within) || !r->channel[c].present)
        return false;
    gmmu_ring_channel *ch = &r->channel[c];
    if (within >= GMMU_RING_WINDOW)
        return write_window(ch, (within - GMMU_RING_WINDOW) / 4, data, strobes);
    switch (within) {
        case GMMU_RING_CONF0:
            return write_conf0(ch, data, strobes);
        case GMMU_RING_CONF2:
            ch->threshold = merged(ch->threshold, data, strobes) & 0xFFFF;
            return true;
        case GMMU_RING_STATUS_HIGH:
            ch->status &= ~(merged(0, data, strobes) & W1C);
            return true;
        case GMMU_RING_HEAD_TAIL:
            return write_head_tail(ch, data, strobes);
        case GMMU_RING_BASE:
        case GMMU_RING_BASE_HIGH:
        case GMMU_RING_SIZE:
        case GMMU_RING_MODE:
            return write_setting(r, ch, within, data, strobes);
        case GMMU_RING_WAIT:
            ch->wait = merged(ch->wait, data, strobes) & 31;
            return true;
        case GMMU_RING_GO:
            return write_go(ch, data, strobes);
        default:
            return false;
    }
}

// ---- out channels
void gmmu_ring_shown(gmmu_ring *r, unsigned c, const uint32_t *beat, bool last) {
    gmmu_ring_channel *ch = &r->channel[c];
    ch->offered = ch->waited = beat != NULL;
    ch->last = beat != NULL && (last || !ch->packets);
    if (beat != NULL)
        memcpy(ch->beat, beat, words_of(ch) * sizeof *beat);
}

// Records behind BEAT, the header of a packet of channel C.
static uint32_t records(unsigned c, const uint32_t *beat) {
    static const gmmu_config any = {.time_w = 0};  // no size moves the header's n
    const gmmu_field n =
        c == GMMU_RING_RIT ? gmmu_rit_head_layout_of(&any).n : gmmu_hir_head_layout_of().n;
    return (uint32_t)gmmu_beat_get(beat, n);
}

// BEAT is the header of a packet for which there is no room.
static bool overflows(const gmmu_ring_channel *ch, unsigned c, const uint32_t *beat) {
    return ch->drops && !ch->inside && may_begin(ch) && room(ch) < records(c, beat) + 1;
}

gmmu_ring_fate gmmu_ring_takes(const gmmu_ring *r, unsigned c, const uint32_t *beat, bool last) {
    const gmmu_ring_channel *ch = &r->channel[c];
    const gmmu_ring_fate writes =
        r->under_way < r->writes ? GMMU_RING_FATE_ENTRY : GMMU_RING_FATE_NO;
    (void)last;
    if (r->stops)
        return GMMU_RING_FATE_NO;
    if (ch->drops && ch->inside)
        return ch->discards ? GMMU_RING_FATE_DISCARD : writes;
    if (ch->drops)
        return !may_begin(ch) || overflows(ch, c, beat) ? GMMU_RING_FATE_DISCARD : writes;
    if (ch->mode)
        return ch->go ? GMMU_RING_FATE_READ : GMMU_RING_FATE_NO;
    return may_begin(ch) && room(ch) != 0 ? writes : GMMU_RING_FATE_NO;
}

static void write_entry(gmmu_ring *r, unsigned c, const uint32_t *beat, bool last,
                        gmmu_ring_entry *entry) {
    gmmu_ring_channel *ch = &r->channel[c];
    entry->address = (ch->base + (uint64_t)ch->next * ch->bytes) & address_mask(r);
    entry->bytes = ch->bytes;
    memset(entry->data, 0, sizeof entry->data);
    for (unsigned b = 0; b < ch->bits / 8; b++)
        entry->data[b] = (uint8_t)(beat[b / 4] >> 8 * (b % 4));
    entry->data[ch->bytes - 1] = (uint8_t)((last || !ch->packets ? GMMU_RING_BYTE_LAST : 0u) |
                                           (ch->phase ? GMMU_RING_BYTE_PHASE : 0u));
    ch->next = behind(ch, ch->next);
    ch->phase = ch->next == 0 ? !ch->phase : ch->phase;
    ch->writes++;
    r->order[r->under_way++] = (uint8_t)c;
}

gmmu_ring_fate gmmu_ring_take(gmmu_ring *r, unsigned c, const uint32_t *beat, bool last,
                              gmmu_ring_entry *entry) {
    gmmu_ring_channel *ch = &r->channel[c];
    const gmmu_ring_fate fate = gmmu_ring_takes(r, c, beat, last);
    if (fate == GMMU_RING_FATE_NO)
        return fate;
    if (overflows(ch, c, beat)) {
        ch->dropped++;
        ch->overflows = true;
    }
    if (fate == GMMU_RING_FATE_ENTRY)
        write_entry(r, c, beat, last, entry);
    if (ch->drops) {
        ch->inside = !last;
        ch->discards = !last && fate == GMMU_RING_FATE_DISCARD;
    }
    ch->offered = ch->go = false;
    return fate;
}

static void fail(gmmu_ring_channel *ch) {
    ch->error = true;
    ch->discards = ch->inside;  // the rest of a packet whose begin is lost
    end(ch, GMMU_RING_OP_DISABLE);
}

void gmmu_ring_written(gmmu_ring *r, bool ok) {
    gmmu_ring_channel *ch = &r->channel[r->order[0]];
    r->under_way--;
    memmove(r->order, r->order + 1, r->under_way);
    ch->writes--;
    if (!ok)
        fail(ch);
    else if (!ch->error)
        ch->tail = behind(ch, ch->tail);
}

// ---- in channels
static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

// Entries of the burst that channel C could begin.
static uint32_t fetchable(const gmmu_ring *r, unsigned c, uint64_t *address) {
    const gmmu_ring_channel *ch = &r->channel[c];
    *address = (ch->base + (uint64_t)ch->next * ch->bytes) & address_mask(r);
    if (!may_begin(ch) || ch->mode)
        return 0;
    uint32_t n = least(between(ch, ch->next, ch->tail), r->ops - ch->fetched);
    n = least(n, ch->size - ch->next);
    // at most 16 entries of 64 bytes: 256 beats of 4 bytes, the most of a burst
    return least(n, (uint32_t)((BORDER - *address % BORDER) / ch->bytes));
}

bool gmmu_ring_fetch(gmmu_ring *r, unsigned c, gmmu_ring_burst *burst) {
    gmmu_ring_channel *ch = &r->channel[c];
    uint64_t other;
    if (r->stops || r->burst >= 0)
        return false;
    if (c == GMMU_RING_RANGE && fetchable(r, GMMU_RING_DRV, &other) != 0)
        return false;  // drv goes first
    burst->entries = fetchable(r, c, &burst->address);
    burst->bytes = burst->entries * ch->bytes;
    if (burst->entries == 0)
        return false;
    r->burst = (int)c;
    r->burst_entries = burst->entries;
    ch->fetching = true;
    return true;
}

void gmmu_ring_fetched(gmmu_ring *r, const uint8_t *data, bool ok) {
    gmmu_ring_channel *ch = &r->channel[r->burst];
    r->burst = -1;
    ch->fetching = false;
    if (!ok) {
        fail(ch);
        return;
    }
    for (uint32_t i = 0; i < r->burst_entries; i++, data += ch->bytes) {
        uint32_t *op = ch->ops[(ch->first + ch->fetched++) % r->ops];
        memset(op, 0, sizeof ch->ops[0]);
        for (unsigned b = 0; b < ch->bits / 8; b++) op[b / 4] |= (uint32_t)data[b] << 8 * (b % 4);
        ch->next = behind(ch, ch->next);
    }
}

const uint32_t *gmmu_ring_op(const gmmu_ring *r, unsigned c) {
    const gmmu_ring_channel *ch = &r->channel[c];
    if (ch->mode)
        return ch->offered ? ch->beat : NULL;
    return ch->fetched != 0 ? ch->ops[ch->first] : NULL;
}

void gmmu_ring_op_taken(gmmu_ring *r, unsigned c) {
    gmmu_ring_channel *ch = &r->channel[c];
    if (ch->mode) {
        ch->offered = false;
        return;
    }
    ch->first = (ch->first + 1) % r->ops;
    ch->fetched--;
    ch->head = behind(ch, ch->head);
}

// ---- cycles
void gmmu_ring_clock(gmmu_ring *r) {
    r->irq = r->irq_next;
    for (unsigned c = 0; c < GMMU_RING_CHANNELS; c++) {
        gmmu_ring_channel *ch = &r->channel[c];
        ch->status |= ch->due | (ch->overflows ? GMMU_RING_STATUS_HIGH_OVERFLOW_INT : 0u) |
                      (ch->windowed && ch->waited ? GMMU_RING_STATUS_HIGH_LEVEL_INT : 0u);
        if (!ch->filled || ch->restarts)
            ch->timer = 0;
        else if (ch->timer >> 31 == 0)
            ch->timer++;
        if (ch->done && ch->op == GMMU_RING_OP_RESET)
            restart(ch);
        if (ch->done)
            ch->op = GMMU_RING_OP_NONE;
        ch->waited = !ch->in && ch->offered;
        ch->go = false;  // of its cycle alone
        ch->overflows = ch->restarts = false;
    }
    look(r);
}

bool gmmu_ring_irq(const gmmu_ring *r) {
    return r->irq;
}

bool gmmu_ring_rests(const gmmu_ring *r) {
    return r->under_way == 0 && r->burst < 0;
}

bool gmmu_ring_idle(const gmmu_ring *r) {
    return gmmu_ring_rests(r) && gmmu_ring_op(r, GMMU_RING_DRV) == NULL &&
           gmmu_ring_op(r, GMMU_RING_RANGE) == NULL;
}

void gmmu_ring_stop(gmmu_ring *r, bool stops) {
    r->stops = stops;
}
