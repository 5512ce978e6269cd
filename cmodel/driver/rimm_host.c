// SPDX-License-Identifier: Apache-2.0
// rimm_host.c: see rimm_host.h and docs/guide/rimm_host.md.
//
// The priority list: pages of one row and one bin of TESLA have one priority, so the oldest of each
// such list stands for it. A page goes to the list of a higher bin when an answer finds it aged.
#include "driver/rimm_host.h"

#include "blocks/crc32c.h"
#include "blocks/log_bin.h"

enum { NIL = UINT32_MAX };

struct gmmu_rimm_page {
    uint64_t vpn, last;
    uint32_t asid;
    uint32_t older, younger;  // in its list
    uint32_t chained;         // next of its hash bucket
    uint16_t row;
    uint8_t bin;
    bool valid, pinned, leaving, listed;
};

static int init(gmmu_rimm_host *h, gmmu_arena *arena) {
    const gmmu_config *c = &h->cfg.unit;
    const size_t lists = (size_t)c->classes * c->bins;
    for (h->buckets = 1; h->buckets < h->cfg.frames;) h->buckets *= 2;
    int bad = gmmu_ref_rit_init(&h->rit, c, arena);
    bad |= gmmu_ppuc_init(&h->ppuc, c, arena);
    h->page = gmmu_take(arena, h->cfg.frames, sizeof *h->page);
    h->bucket = gmmu_take(arena, h->buckets, sizeof *h->bucket);
    h->oldest = gmmu_take(arena, lists, sizeof *h->oldest);
    h->youngest = gmmu_take(arena, lists, sizeof *h->youngest);
    return bad | (h->youngest == NULL);
}

size_t gmmu_rimm_host_bytes(const gmmu_rimm_config *cfg) {
    gmmu_rimm_host h = {.cfg = *cfg};
    gmmu_arena count = {0};
    (void)init(&h, &count);
    return count.used;
}

int gmmu_rimm_host_init(gmmu_rimm_host *h, const gmmu_rimm_config *cfg, void *mem, size_t size) {
    gmmu_arena arena = {mem, size, 0};
    *h = (gmmu_rimm_host){.cfg = *cfg};
    if (cfg->frames == 0 || cfg->frames > NIL / 2 || cfg->refresh > 63 || init(h, &arena) != 0)
        return 1;
    memset(h->bucket, 0xFF, h->buckets * sizeof *h->bucket);
    memset(h->oldest, 0xFF, (size_t)cfg->unit.classes * cfg->unit.bins * sizeof *h->oldest);
    memset(h->youngest, 0xFF, (size_t)cfg->unit.classes * cfg->unit.bins * sizeof *h->youngest);
    return 0;
}

// ---- where a page is
static uint32_t *bucket_of(const gmmu_rimm_host *h, uint32_t asid, uint64_t vpn) {
    const gmmu_config *c = &h->cfg.unit;
    return &h->bucket[gmmu_hash(asid, c->asid_w, vpn, c->vpn_w) & (h->buckets - 1)];
}

static uint32_t find(const gmmu_rimm_host *h, uint32_t asid, uint64_t vpn) {
    uint32_t f = *bucket_of(h, asid, vpn);
    while (f != NIL && (h->page[f].vpn != vpn || h->page[f].asid != asid)) f = h->page[f].chained;
    return f;
}

static void forget(gmmu_rimm_host *h, uint32_t frame) {
    const gmmu_rimm_page *p = &h->page[frame];
    uint32_t *at = bucket_of(h, p->asid, p->vpn);
    while (*at != frame) at = &h->page[*at].chained;
    *at = p->chained;
}

// ---- lists, oldest to youngest
static size_t list_of(const gmmu_rimm_host *h, const gmmu_rimm_page *p) {
    return (size_t)p->row * h->cfg.unit.bins + p->bin;
}

static unsigned bin_of(const gmmu_rimm_host *h, const gmmu_rimm_page *p) {
    return gmmu_bin(h->now > p->last ? h->now - p->last : 0, h->cfg.unit.bins);
}

// Does frame A leave before frame B of the same priority?
static bool older(const gmmu_rimm_host *h, uint32_t a, uint32_t b) {
    return h->page[a].last != h->page[b].last ? h->page[a].last < h->page[b].last : a < b;
}

// Puts FRAME into its list behind frame AT, NIL: in front.
static void link_behind(gmmu_rimm_host *h, uint32_t frame, uint32_t at) {
    gmmu_rimm_page *p = &h->page[frame];
    const size_t l = list_of(h, p);
    p->older = at;
    p->younger = at == NIL ? h->oldest[l] : h->page[at].younger;
    *(p->older == NIL ? &h->oldest[l] : &h->page[p->older].younger) = frame;
    *(p->younger == NIL ? &h->youngest[l] : &h->page[p->younger].older) = frame;
    p->listed = true;
}

static void unlink_page(gmmu_rimm_host *h, uint32_t frame) {
    gmmu_rimm_page *p = &h->page[frame];
    const size_t l = list_of(h, p);
    if (!p->listed)
        return;
    *(p->older == NIL ? &h->oldest[l] : &h->page[p->older].younger) = p->younger;
    *(p->younger == NIL ? &h->youngest[l] : &h->page[p->younger].older) = p->older;
    p->listed = false;
}

// Into the list of its row and age; from the young end, where it nearly always belongs.
static void link_page(gmmu_rimm_host *h, uint32_t frame) {
    gmmu_rimm_page *p = &h->page[frame];
    p->bin = (uint8_t)bin_of(h, p);
    uint32_t at = h->youngest[list_of(h, p)];
    while (at != NIL && older(h, frame, at)) at = h->page[at].older;
    link_behind(h, frame, at);
}

static bool may_leave(const gmmu_rimm_page *p) {
    return p->valid && !p->pinned && !p->leaving;
}

// The row was given to another reference: its pages count as of any. Both lists of a bin are
// sorted: one pass from the young end merges them.
static void to_global(gmmu_rimm_host *h, unsigned row) {
    const unsigned bins = h->cfg.unit.bins;
    for (unsigned b = 0; b < bins; b++) {
        uint32_t at = h->youngest[b];
        for (uint32_t f = h->youngest[(size_t)row * bins + b], next; f != NIL; f = next) {
            next = h->page[f].older;
            while (at != NIL && older(h, f, at)) at = h->page[at].older;
            h->page[f].row = 0;
            link_behind(h, f, at);
        }
        h->oldest[(size_t)row * bins + b] = h->youngest[(size_t)row * bins + b] = NIL;
    }
    // pages that are in no list
    for (uint32_t f = 0; f < h->cfg.frames; f++)
        if (h->page[f].row == row)
            h->page[f].row = 0;
}

// Pages whose TESLA has left their list's bin, highest bin first: so each comes to lists of older
// ones.
static void age(gmmu_rimm_host *h) {
    const unsigned bins = h->cfg.unit.bins, rows = h->cfg.unit.classes;
    for (unsigned b = bins - 1; b-- > 0;)
        for (unsigned r = 0; r < rows; r++) {
            const size_t l = (size_t)r * bins + b;
            uint32_t f;
            while ((f = h->oldest[l]) != NIL && bin_of(h, &h->page[f]) > b) {
                unlink_page(h, f);
                link_page(h, f);
            }
        }
}

// ---- learning
static void refresh(gmmu_rimm_host *h) {
    for (unsigned r = 0; r < h->cfg.unit.classes; r++) {
        if (!h->rit.row[r].pending)
            continue;
        const gmmu_class cls = {(uint16_t)r, h->rit.way[r].gen};
        gmmu_ppuc_refresh(&h->ppuc, cls, gmmu_ref_rit_refresh(&h->rit, r), &h->rit.row[0],
                          h->cfg.pseudo);
        (void)gmmu_ppuc_install(&h->ppuc, true);
        h->stats.refreshes++;
    }
}

static uint64_t period_of(const gmmu_rimm_host *h, uint64_t time) {
    return (time == 0 ? 0 : time - 1) >> h->cfg.refresh;
}

// Something of TIME comes next: priorities that were due before it are made.
static void advance(gmmu_rimm_host *h, uint64_t time) {
    if (!h->timed) {
        h->now = time;
        h->timed = true;
    }
    if (time <= h->now)
        return;
    refresh(h);
    if (period_of(h, time) != period_of(h, h->now)) {
        gmmu_ref_rit_tick(&h->rit);
        refresh(h);
    }
    h->now = time;
}

// TIME modulo 2^TIME_W, as the one nearest to now.
static uint64_t whole_time(const gmmu_rimm_host *h, uint32_t time) {
    const unsigned w = h->cfg.unit.time_w;
    const uint64_t mask = (1ull << w) - 1, ahead = (time - h->now) & mask;
    if (!h->timed || ahead <= mask / 2)
        return h->now + ahead;
    const uint64_t behind = mask + 1 - ahead;
    return h->now > behind ? h->now - behind : 0;
}

// The place of a reference, given one if it has none.
static gmmu_class place_of(gmmu_rimm_host *h, uint32_t asid, uint64_t ref) {
    const gmmu_rit_place at = gmmu_ref_rit_execute(&h->rit, asid, ref);
    if (at.allocated) {
        gmmu_ppuc_forget(&h->ppuc, at.cls.row);
        to_global(h, at.cls.row);
        gmmu_ref_rit_clear(&h->rit, at.cls.row);
        h->stats.allocated++;
    }
    return at.cls;
}

static void learn(gmmu_rimm_host *h, const gmmu_rit_event *e) {
    gmmu_rit_record rec = {{0, 0}, e->interval, e->censored};
    if (e->known)
        rec.cls = place_of(h, e->r_asid, e->r_ref);
    (void)gmmu_ref_rit_learn(&h->rit, rec);
    if (h->rit.row[rec.cls.row].halve_owed)
        gmmu_ref_rit_halve(&h->rit, rec.cls.row);
    if (h->rit.row[0].halve_owed)
        gmmu_ref_rit_halve(&h->rit, 0);
    h->stats.records++;
    h->stats.known += e->known;
}

static void touch(gmmu_rimm_host *h, uint32_t frame, gmmu_class cls, uint64_t time) {
    gmmu_rimm_page *p = &h->page[frame];
    if (time < p->last)
        return;
    const bool was_listed = p->listed;
    unlink_page(h, frame);
    p->last = time;
    p->row = cls.row;
    if (was_listed)
        link_page(h, frame);
    h->stats.touches++;
}

static void event(gmmu_rimm_host *h, const gmmu_rit_event *e) {
    const uint64_t time = whole_time(h, e->time);
    gmmu_rimm_fault f = {.vpn = e->vpn, .ref = e->ref, .time = time, .asid = e->asid};
    advance(h, time);
    if (e->access) {
        f.cls = place_of(h, e->asid, e->ref);
        const uint32_t frame = find(h, e->asid, e->vpn);
        if (frame != NIL && (h->cfg.touch || e->fault))
            touch(h, frame, f.cls, time);
    }
    if (e->rec)
        learn(h, e);
    if (e->access && h->on_access != NULL)
        h->on_access(h->ctx, &f);
    if (e->fault) {
        h->stats.faults++;
        if (h->on_fault != NULL)
            h->on_fault(h->ctx, &f);
    }
}

int gmmu_rimm_host_beat(gmmu_rimm_host *h, const uint32_t words[GMMU_RIT_WORDS], bool last) {
    int status = GMMU_RIMM_OK;
    if (h->skipping) {
        h->skipping = !last;
        return status;
    }
    if (h->beats_left == 0) {
        const gmmu_rit_head head = gmmu_rit_unpack_head(&h->cfg.unit, words);
        if (head.n == 0 || last) {
            h->stats.bad_packets++;
            h->skipping = !last;
            return GMMU_RIMM_BAD;
        }
        if (head.seq != h->next_seq) {
            h->stats.lost_packets += (head.seq - h->next_seq) & 0xFFFF;
            status = GMMU_RIMM_LOST;
        }
        h->next_seq = (head.seq + 1) & 0xFFFF;
        h->head_time = head.time;
        h->beats_left = head.n;
        h->stats.dropped += head.dropped;
        h->stats.packets++;
        return status;
    }
    const gmmu_rit_event e = gmmu_rit_unpack_event(&h->cfg.unit, words);
    h->beats_left--;
    event(h, &e);
    if (last != (h->beats_left == 0)) {
        h->stats.bad_packets++;
        h->beats_left = 0;
        h->skipping = !last;
        return GMMU_RIMM_BAD;
    }
    if (last)
        advance(h, whole_time(h, h->head_time));
    return status;
}

gmmu_rimm_fault gmmu_rimm_host_fault(gmmu_rimm_host *h, uint32_t asid, uint64_t vpn, uint64_t ref,
                                     uint64_t time) {
    gmmu_rimm_fault f = {.vpn = vpn, .ref = ref, .time = time, .asid = asid};
    advance(h, time);
    f.cls = place_of(h, asid, ref);
    h->stats.faults++;
    return f;
}

gmmu_rimm_victim gmmu_rimm_host_answer(gmmu_rimm_host *h, const gmmu_rimm_fault *f) {
    const unsigned bins = h->cfg.unit.bins;
    gmmu_rimm_victim v = {0};
    uint32_t best = NIL;
    advance(h, f->time);
    age(h);
    for (unsigned r = 0; r < h->cfg.unit.classes; r++) {
        const unsigned serving = h->ppuc.ready[r] != 0 ? r : 0;
        for (unsigned b = 0; b < bins; b++) {
            const uint32_t is = h->oldest[(size_t)r * bins + b];
            if (is == NIL)
                continue;
            const uint16_t priority =
                h->ppuc.ready[serving] != 0 ? h->ppuc.priority[(size_t)serving * bins + b] : 0;
            if (best == NIL || priority < v.priority ||
                (priority == v.priority && older(h, is, best))) {
                best = is;
                v.priority = priority;
            }
        }
    }
    if (best == NIL)
        return v;
    gmmu_rimm_page *p = &h->page[best];
    unlink_page(h, best);
    p->leaving = true;
    v.found = true;
    v.frame = best;
    v.asid = p->asid;
    v.vpn = p->vpn;
    v.tesla = h->now - p->last;
    return v;
}

void gmmu_rimm_host_free(gmmu_rimm_host *h, uint32_t frame) {
    gmmu_rimm_page *p = &h->page[frame];
    if (!p->valid)
        return;
    unlink_page(h, frame);
    forget(h, frame);
    *p = (gmmu_rimm_page){0};
}

void gmmu_rimm_host_fill(gmmu_rimm_host *h, uint32_t frame, const gmmu_rimm_fault *f) {
    gmmu_rimm_page *p = &h->page[frame];
    const uint32_t elsewhere = find(h, f->asid, f->vpn);
    if (elsewhere != NIL)
        gmmu_rimm_host_free(h, elsewhere);
    gmmu_rimm_host_free(h, frame);
    p->valid = true;
    p->vpn = f->vpn;
    p->asid = f->asid;
    p->last = f->time;
    p->row = gmmu_ref_rit_current(&h->rit, f->cls) ? f->cls.row : 0;
    p->chained = *bucket_of(h, p->asid, p->vpn);
    *bucket_of(h, p->asid, p->vpn) = frame;
    link_page(h, frame);
}

void gmmu_rimm_host_keep(gmmu_rimm_host *h, uint32_t frame) {
    gmmu_rimm_page *p = &h->page[frame];
    p->leaving = false;
    if (may_leave(p) && !p->listed)
        link_page(h, frame);
}

void gmmu_rimm_host_pin(gmmu_rimm_host *h, uint32_t frame, bool pinned) {
    gmmu_rimm_page *p = &h->page[frame];
    if (!p->valid)
        return;
    p->pinned = pinned;
    if (pinned)
        unlink_page(h, frame);
    else if (may_leave(p) && !p->listed)
        link_page(h, frame);
}
