// SPDX-License-Identifier: Apache-2.0
// explain_stay.c: see explain_stay.h.
#include "cli/explain_stay.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/output.h"
#include "policy/policy.h"

static const gmmu_move *move_at(const gmmu_outcome *out, uint32_t i) {
    return i < out->count ? &out->move[i] : &out->after[i - out->count];
}

static uint32_t move_count(const gmmu_outcome *out) {
    return out->count + out->after_count;
}

uint32_t explain_victim(const gmmu_outcome *out) {
    for (uint32_t i = 0; i < move_count(out); i++) {
        if (move_at(out, i)->from == GMMU_NEAR) {
            return move_at(out, i)->page;
        }
    }
    return GMMU_NO_PAGE;
}

static bool take_move(explain_stays *s, uint64_t event, const gmmu_move *m) {
    if (!GMMU_ROOM(s->pages, s->cap, m->page, 0)) {
        return false;
    }
    explain_page *p = &s->pages[m->page];
    if (m->to == GMMU_NEAR) {
        *p = (explain_page){.came = event, .in = true};
    } else if (m->from == GMMU_NEAR) {
        p->in = false;
    }
    return true;
}

bool explain_stays_take(explain_stays *s, uint64_t event, uint32_t page, const gmmu_outcome *out) {
    if (!GMMU_ROOM(s->pages, s->cap, page, 0)) {
        return false;
    }
    for (uint32_t i = 0; i < out->count; i++) {
        if (!take_move(s, event, &out->move[i])) {
            return false;
        }
    }
    explain_page *p = &s->pages[page];
    if (!p->in) {  // it came ahead of its first use
        *p = (explain_page){.in = true};
    }
    p->last = event;
    p->uses++;
    for (uint32_t i = 0; i < out->after_count; i++) {
        if (!take_move(s, event, &out->after[i])) {
            return false;
        }
    }
    return true;
}

explain_stay explain_stays_of(const explain_stays *s, uint64_t event, const gmmu_outcome *out) {
    const uint32_t victim = explain_victim(out);
    explain_stay v = {.event = event, .by_last = 1, .by_arrival = 1, .by_uses = 1};
    if (victim < s->cap && s->pages[victim].in) {
        v.page = s->pages[victim];
    } else {  // it came with this very walk
        v.page = (explain_page){.came = event, .last = event, .uses = 1, .in = true};
        v.resident = 1;
    }
    for (uint32_t i = 0; i < s->cap; i++) {
        const explain_page *p = &s->pages[i];
        if (p->in) {
            v.resident++;
            v.by_last += p->last < v.page.last ? 1U : 0U;
            v.by_arrival += p->came < v.page.came ? 1U : 0U;
            v.by_uses += p->uses < v.page.uses ? 1U : 0U;
        }
    }
    for (uint32_t i = 0; i < move_count(out); i++) {
        const gmmu_move *m = move_at(out, i);
        v.others += m->from == GMMU_NEAR && m->page != victim ? 1U : 0U;
    }
    v.others += out->untouched_out;
    return v;
}

void explain_stays_free(explain_stays *s) {
    free(s->pages);
}

void explain_print_stay(const explain_stay *v) {
    if (v->page.came == 0) {
        (void)printf("stay: came ahead of its first use");
    } else {
        (void)printf("stay: came with event %" PRIu64, v->page.came);
    }
    if (v->page.uses == 0) {
        (void)printf(", not used\n");
    } else {
        (void)printf(", uses %" PRIu64 ", the last with event %" PRIu64 ", %" PRIu64
                     " walks before\n",
                     v->page.uses, v->page.last, v->event - v->page.last);
    }
    (void)printf("place: among %" PRIu32 " resident pages that were ever used %" PRIu32
                 " by last use, %" PRIu32 " by arrival (1: the oldest), %" PRIu32
                 " by uses (1: the fewest)\n",
                 v->resident, v->by_last, v->by_arrival, v->by_uses);
    if (v->others != 0) {
        (void)printf("with it: %" PRIu32 " further pages left\n", v->others);
    }
}

json_t *explain_json_stay(const explain_stay *v) {
    json_t *object = json_object();
    output_number(object, "came", v->page.came);
    output_number(object, "last_use", v->page.last);
    output_number(object, "uses", v->page.uses);
    output_number(object, "resident", v->resident);
    output_number(object, "place_by_last_use", v->by_last);
    output_number(object, "place_by_arrival", v->by_arrival);
    output_number(object, "place_by_uses", v->by_uses);
    output_number(object, "further_pages", v->others);
    return object;
}
