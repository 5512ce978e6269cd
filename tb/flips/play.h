// SPDX-License-Identifier: Apache-2.0
// play.h: a recorded trace on the unit alone, with a driver that keeps its own book of the frames
// and looks whether each decision fits into it.
//
// Walks come at random gaps, FILLs some time after their decision; now and then a frame is pinned,
// unpinned or freed; operations on ranges come beside. All of it depends on nothing but the seed
// and what the unit answers.
#pragma once
#include <algorithm>
#include <deque>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "blocks/crc32c.h"
#include "gmmu/trace.h"
#include "host/slots_side.h"
#include "lockstep/lockstep.h"

namespace flips {

// What is wrong with a run, the worst last.
enum Wrong {
    FINE,
    UNASKED,  // a decision that nobody waits for
    LOST,     // a fault was never decided; after CANCEL and ASK it was
    UNTOLD,   // a free frame was to be used, and there was none; after FILL of all frames not so
    NO_FREE,  // a free frame is to be used, and there is none
    SLOT,     // a page of Tier 2 is to leave a slot that does not hold it
    CLEAN,    // a page leaves as not dirty that was written
    RESTLESS_TOLD,  // as the next one, and the watchdog says so
    RESTLESS,       // all is answered, but the unit does not come to rest
    HANG_TOLD,      // as the next one, and the watchdog says so
    HANG,           // walks are not taken, or a fault is not decided after CANCEL and ASK
    OTHER,          // the victim is a frame's page, but the decision names another one
    ILLEGAL,        // the victim is pinned, leaving, empty, or no enabled frame
    WRONGS
};
inline const char *name_of(unsigned wrong) {
    static const char *const names[WRONGS] = {
        "fine",           "unasked",  "lost",       "untold", "no free frame", "slot",   "clean",
        "restless, told", "restless", "hang, told", "hang",   "other page",    "illegal"};
    return names[wrong];
}

struct Setting {
    std::string trace;
    uint32_t frames, search, tier, seed;
    uint32_t slots = 0;  // 0: all
};

class Play {
   public:
    using Page = std::pair<uint32_t, uint64_t>;
    Lockstep step;
    Wrong wrong = FINE;
    std::string about;
    uint64_t cycle = 0, walks = 0, faults = 0, victims = 0, pins = 0;
    // what left the unit so far: hashes of the victims, of the packets of two streams, of transfers
    // (of these only so many: one that decides otherwise takes another time, and so sees more or
    // less)
    uint64_t hashed_transfers = UINT64_MAX;
    uint64_t bad_word = UINT64_MAX;  // the first beat that is an answer BADWORD
    std::vector<uint64_t> trail;     // hashes of the beats, each by itself, from `trails` on
    uint64_t trails = UINT64_MAX;
    uint64_t hash_victims = 0, hash_packets = 0, hash_transfers = 0, transfers = 0, packets = 0;

    Play(const gmmu_config &cfg, const Setting &s, const std::vector<gmmu_walk> &trace)
        : step(cfg, registers(cfg, s), "garbage", s.seed),
          regs(registers(cfg, s)),
          rng(s.seed),
          frame(regs.frames),
          slots(regs.tier != GMMU_PLACE_NONE ? regs.t2_slots : 0),
          walk(trace) {
        step.compare = false;
        for (uint32_t f = regs.frames; f-- > 0;) free_frames.push_back(f);
        for (unsigned i = 0; i < 60000; i++) operations.push_back(operation(cfg));
        step.ranges().list = &operations;
        step.ranges().on_beat = [this](const uint32_t *w, unsigned n) {
            // kind, code: an answer BADWORD
            if ((w[0] & 3) == GMMU_RANGE_ANSWER && (w[0] >> 2 & 7) == GMMU_RANGE_BADWORD)
                bad_word = std::min(bad_word, transfers);
            uint64_t alone = 0;
            for (unsigned i = 0; i < n; i++) mix(&alone, w[i]);
            if (transfers++ < hashed_transfers)
                mix(&hash_transfers, alone);
            if (transfers > trails)
                trail.push_back(alone);
        };
        step.rit().on_beat = [this](const uint32_t *w, bool) { beat(w, GMMU_RIT_WORDS); };
        step.hir().on_beat = [this](const uint32_t *w, bool) { beat(w, GMMU_HIR_WORDS); };
    }
    bool reset() {
        const bool ok = step.reset();
        step.ranges().offers = 20;
        return ok;
    }

    enum { STEP = 1 << 17 };  // of the watchdog
    // No more walks and operations.
    void rest() {
        over = true;
        step.ranges().offers = 0;
    }
    // One cycle. False: something is wrong.
    bool run() {
        cycle++;
        offer_walk();
        offer_drv();
        Vdut &dut = *step.dut;
        dut.m_axis_decision_tready = 1;
        const Cycle c = step.cycle();
        quiet = c.quiet;
        if (c.drv_taken)
            taken();
        if (c.decided)
            decided(c.decision);
        return wrong < NO_FREE;
    }
    // Walks are over: what is owed comes within so many cycles, or is asked for again; then, if
    // WHOLE (which takes most of the time: rows are refreshed), the unit comes to rest.
    void settle(uint64_t bound, bool whole) {
        settle_faults(bound, whole);
        watch();
    }
    // Of a hang, a unit that does not come to rest: does its watchdog tell?
    void watch() {
        if (wrong != HANG && wrong != RESTLESS)
            return;
        step.ranges().offers = 0;
        for (uint64_t n = 0; n < 3 * STEP && step.dut->stat_watchdog == 0; n++) (void)step.cycle();
        if (step.dut->stat_watchdog == 0)
            return;
        about += "; the watchdog has " + std::to_string(step.dut->stat_watchdog_last);
        wrong = wrong == HANG ? HANG_TOLD : RESTLESS_TOLD;
    }
    void settle_faults(uint64_t bound, bool whole) {
        rest();
        for (unsigned again = 0; again < 3; again++) {
            const uint64_t until = cycle + bound;
            for (unsigned calm = 0; calm < (whole ? 3 : 300) && cycle < until;) {
                if (!run())
                    return;
                calm = (quiet || (!whole && outstanding.empty())) && answered() ? calm + 1 : 0;
            }
            if (outstanding.empty() && answered())
                return cycle >= until ? found(RESTLESS, "no rest") : void();
            if (again == 2)
                return found(HANG, "a fault is not decided, asked for again or not");
            found(LOST, "a fault was not decided");
            for (const auto &p :
                 outstanding) {  // docs/guide/integration.md, A decision that stays away
                ops.push_back(operation_of(GMMU_CANCEL, held(), p.first));
                ops.push_back(operation_of(GMMU_ASK, 0, p.first));
            }
        }
    }

   private:
    enum State { EMPTY, HELD, LEAVING };
    struct Frame {
        State state = EMPTY;
        Page page;
        bool pinned = false;
        uint64_t since = 0;    // the operation that pinned or freed it was taken
        uint64_t written = 0;  // the first write since FILL, or FILL of a page that was written
    };
    // What is known of a page that is asked for: a walk of it wrote; the unit forgot that.
    struct Asked {
        bool written = false, forgotten = false;
    };
    struct Answer {
        uint64_t due;
        gmmu_tier_decision d;
    };
    enum {
        GRACE = 3000,     // cycles in which a decision may have been under way before an operation
        UNDER_WAY = 300,  // and after its victim's dirty bit was read
        SWEEPS = 8        // of all frames
    };
    const gmmu_regs regs;
    std::mt19937_64 rng;
    std::vector<Frame> frame;
    std::vector<uint32_t> free_frames;
    std::deque<uint32_t> pinned;
    std::map<Page, uint32_t> where;
    SlotsSide slots;
    std::map<Page, Asked> outstanding;
    std::set<Page> below;  // pages of Tier 2 that were written
    std::deque<Answer> answers;
    std::deque<gmmu_tier_drv_in> ops;
    const std::vector<gmmu_walk> &walk;
    std::vector<gmmu_range_op> operations;
    gmmu_tier_drv_in op = {};
    bool drv_waits = false, quiet = false, over = false;
    uint64_t next_at = 0, refused = 0, sweeps = 0;

    static gmmu_regs registers(const gmmu_config &cfg, const Setting &s) {
        gmmu_regs r = gmmu_regs_default(&cfg);
        r.frames = s.frames;
        r.search = s.search;
        r.tier = cfg.t2_slots != 0 ? s.tier : 0;
        r.tier_model = r.tier != 0;
        if (s.slots != 0)
            r.t2_slots = std::min(r.t2_slots, s.slots);
        r.tier_near = 200;
        r.tier_far = 2000;
        r.rit_batch = 8;
        r.rit_wait = 8;
        r.transfer = 8;
        r.protect = 64;
        r.refresh = 5;
        r.range_bytes = 24u << 12;
        r.watchdog = 1;
        return r;
    }
    gmmu_range_op operation(const gmmu_config &cfg) {
        gmmu_range_op o = {};
        static const uint8_t kinds[] = {
            GMMU_RANGE_READ_GPU,  GMMU_RANGE_READ_GPU, GMMU_RANGE_WRITE_GPU, GMMU_RANGE_READ_CPU,
            GMMU_RANGE_WRITE_CPU, GMMU_RANGE_LOOKUP,   GMMU_RANGE_RELEASE};
        o.op = kinds[rng() % sizeof kinds];
        o.tag = static_cast<uint8_t>(rng());
        o.start = (rng() % (2 * std::max(cfg.ranges, 1u))) << 12;
        o.last = o.start + ((1 + rng() % 3) << 12) - 1;
        o.whole = rng() % 3 == 0;
        return o;
    }
    static gmmu_tier_drv_in operation_of(unsigned kind, uint32_t f, Page p) {
        gmmu_tier_drv_in d = {};
        d.op = static_cast<decltype(d.op)>(kind);
        d.frame = f;
        d.asid = p.first;
        d.vpn = p.second;
        return d;
    }
    void found(Wrong w, const std::string &text) {
        if (w > wrong) {
            wrong = w;
            about = text;
        }
    }
    bool answered() const { return answers.empty() && ops.empty() && !drv_waits; }
    static void mix(uint64_t *hash, uint64_t with) {
        *hash = (*hash ^ with) * 0x9E3779B97F4A7C15ull;
        *hash ^= *hash >> 29;
    }

    void offer_walk() {
        if (over || walks >= walk.size() || cycle < next_at)
            return;
        if (!step.dut->s_axis_walk_tready) {
            if (++refused > 64)
                found(HANG, "walks are not taken");
            return;
        }
        refused = 0;
        const gmmu_walk &w = walk[walks];
        const Page page(w.asid, w.vpn);
        const auto it = where.find(page);
        if (it == where.end() && outstanding.count(page) == 0 &&
            outstanding.size() >= step.cfg.faults)
            return;
        gmmu_tier_walk_in sent = {};
        sent.asid = w.asid;
        sent.vpn = w.vpn;
        sent.ref = gmmu_fold_ref(w.ref, step.cfg.ref_w);
        sent.write = w.write;
        sent.fault = it == where.end();
        sent.frame = sent.fault ? 0 : it->second;
        slots.asks(&sent);
        step.offer_walk(sent);
        if (sent.fault) {
            faults += outstanding.count(page) == 0;
            outstanding[page].written |= sent.write;
        } else if (sent.write && frame[sent.frame].written == 0)
            frame[sent.frame].written = cycle;
        walks++;
        next_at = cycle + 1 + rng() % 12;
    }
    void offer_drv() {
        if (drv_waits)
            return;
        if (ops.empty())
            answer();
        if (ops.empty() && !over && rng() % 64 == 0)
            odd();
        while (!ops.empty() && is_over(ops.front())) ops.pop_front();
        if (ops.empty())
            return;
        op = ops.front();
        ops.pop_front();
        if (op.op == GMMU_FILL || op.op == GMMU_T2_SWAP)
            op.dirty = is_written(Page(op.asid, op.vpn), op.frame);
        step.offer_drv(op);
        drv_waits = true;
    }
    void answer() {
        if (answers.empty() || cycle < answers.front().due)
            return;
        const gmmu_tier_decision d = answers.front().d;
        const Page page(d.asid, d.vpn);
        if (d.tier == GMMU_TIER_FREE && free_frames.empty()) {  // one that was freed of late comes
            if (std::none_of(frame.begin(), frame.end(),
                             [](const Frame &f) { return f.state == EMPTY; }))
                return sweep(page);
            freed();
            return;
        }
        answers.pop_front();
        if (d.tier == GMMU_TIER_NONE) {
            ops.push_back(operation_of(GMMU_ASK, 0, page));
            return;
        }
        gmmu_tier_drv_in fill = operation_of(GMMU_FILL, d.frame, page);
        if (d.tier == GMMU_TIER_FREE) {
            fill.frame = free_frames.back();
            free_frames.pop_back();
        }
        for (const gmmu_tier_drv_in &o : slots.answer(d, fill)) ops.push_back(o);
    }
    // A frame is leaving, or empty, that the driver was not told of. FILL of all that it holds
    // brings that one back, and the fault is asked for again.
    void sweep(Page page) {
        if (++sweeps > SWEEPS)
            return found(NO_FREE, "a free frame is to be used, and there is none");
        found(UNTOLD, "a free frame was to be used, and there was none");
        answers.pop_front();
        ops.push_back(operation_of(GMMU_CANCEL, held(), page));
        for (uint32_t f = 0; f < frame.size(); f++)
            if (frame[f].state == HELD) {
                ops.push_back(operation_of(GMMU_FILL, f, frame[f].page));
                if (frame[f].pinned)
                    ops.push_back(operation_of(GMMU_PIN, f, frame[f].page));
            }
        ops.push_back(operation_of(GMMU_ASK, 0, page));
    }
    // The unit does not know that the page to be filled was written.
    bool is_written(Page page, uint32_t n) const {
        const auto it = outstanding.find(page);
        const Frame &f = frame[n % frame.size()];
        return (it != outstanding.end() && it->second.written && it->second.forgotten) ||
               (f.state == HELD && f.page == page && f.written != 0);
    }
    // FILL of a frame that has left meanwhile.
    bool is_over(const gmmu_tier_drv_in &o) const {
        const Page page(o.asid, o.vpn);
        const Frame &f = frame[o.frame % frame.size()];
        return o.op == GMMU_FILL && outstanding.count(page) == 0 &&
               (f.state != HELD || f.page != page);
    }
    // A frame whose page is not leaving, as far as the driver knows.
    uint32_t held() const {
        for (uint32_t f = 0; f < frame.size(); f++)
            if (frame[f].state == HELD)
                return f;
        return 0;
    }
    // Frames that were freed so long ago that no decision names them.
    void freed() {
        for (uint32_t f = 0; f < frame.size(); f++)
            if (frame[f].state == EMPTY && frame[f].since != 0 && cycle > frame[f].since + GRACE) {
                frame[f].since = 0;
                free_frames.push_back(f);
            }
    }
    // PIN, UNPIN or FREE of some frame.
    void odd() {
        freed();
        if (pinned.size() >= frame.size() / 8 || (!pinned.empty() && rng() % 8 == 0)) {
            Frame &f = frame[pinned.front()];
            f.pinned = false;
            ops.push_back(operation_of(GMMU_UNPIN, pinned.front(), f.page));
            pinned.pop_front();
            return;
        }
        const uint32_t n = static_cast<uint32_t>(rng() % frame.size());
        // a page that is to go to Tier 2 by then would not be there any more
        const bool may_free = regs.tier == GMMU_PLACE_NONE;
        if (frame[n].state == HELD && !frame[n].pinned)
            ops.push_back(
                operation_of(may_free && rng() % 8 == 0 ? GMMU_FREE : GMMU_PIN, n, frame[n].page));
    }
    void taken() {
        drv_waits = false;
        Frame &f = frame[op.frame % frame.size()];
        const Page page(op.asid, op.vpn);
        if (op.op == GMMU_FILL || op.op == GMMU_T2_SWAP) {
            if (f.pinned)
                unpin(op.frame);
            const auto it = outstanding.find(page);
            const bool was = f.state == HELD && f.page == page && f.written != 0;
            const bool written =
                below.erase(page) != 0 || was || (it != outstanding.end() && it->second.written);
            f = {HELD, page, false, cycle, written ? cycle : 0};
            where[page] = op.frame;
            outstanding.erase(page);
        } else if (op.op == GMMU_CANCEL && outstanding.count(page) != 0) {
            outstanding[page].forgotten = true;
        } else if (op.op == GMMU_PIN && f.state == HELD) {
            f.pinned = true;
            f.since = cycle;
            pinned.push_back(op.frame);
            pins++;
        } else if (op.op == GMMU_FREE && f.state == HELD) {
            where.erase(f.page);
            f.state = EMPTY;
            f.since = cycle;
            f.written = 0;
        }
    }
    void decided(const gmmu_tier_decision &d) {
        const Page page(d.asid, d.vpn), victim(d.victim_asid, d.victim_vpn);
        mix(&hash_victims, d.vpn * 8 + d.tier);
        if (outstanding.count(page) == 0) {
            ops.push_back(operation_of(GMMU_CANCEL, d.frame, page));
            return found(UNASKED, "a decision that nobody waits for");
        }
        if (d.t2_valid && !slots.holds(d.t2_asid, d.t2_vpn, d.t2_slot))
            return found(SLOT, "slot " + std::to_string(d.t2_slot));
        if (d.t2_valid && below.erase({d.t2_asid, d.t2_vpn}) != 0 && !d.t2_dirty)
            found(CLEAN, "slot " + std::to_string(d.t2_slot));
        slots.decided(d);
        if (d.tier == GMMU_TIER_2 || d.tier == GMMU_TIER_3) {
            mix(&hash_victims, d.frame);
            if (!leaves(d.frame, victim, d.victim_dirty, d.tier == GMMU_TIER_2))
                return;
            victims++;
        }
        const uint64_t due = cycle + 1 + rng() % 200;
        answers.push_back({answers.empty() ? due : std::max(due, answers.back().due), d});
    }
    void unpin(uint32_t n) {
        pinned.erase(std::remove(pinned.begin(), pinned.end(), n), pinned.end());
        frame[n].pinned = false;
    }
    bool leaves(uint32_t n, Page victim, bool dirty, bool to_slot) {
        const std::string at = "frame " + std::to_string(n);
        if (n >= frame.size()) {
            found(ILLEGAL, at + " is not enabled");
            return false;
        }
        Frame &f = frame[n];
        const bool late =
            f.since != 0 && cycle <= f.since + GRACE;  // it was under way before the operation
        if (f.state == LEAVING || (f.state == EMPTY && !late))
            found(ILLEGAL, at + (f.state == LEAVING ? " is leaving" : " is empty"));
        else if (f.pinned && !late)
            found(ILLEGAL, at + " is pinned");
        else if (f.page != victim)
            found(OTHER, at + " has another page");
        else {
            // a write that was on its way may have come too late
            if (f.written != 0 && cycle > f.written + UNDER_WAY) {
                if (!dirty)
                    found(CLEAN, at + " is written");
                if (to_slot && regs.tier != GMMU_PLACE_NONE)
                    below.insert(f.page);
            }
            unpin(n);
            where.erase(f.page);
            f.state = LEAVING;
            f.since = 0;
            f.written = 0;
            return true;
        }
        return false;
    }
    void beat(const uint32_t *w, unsigned n) {
        packets++;
        for (unsigned i = 0; i < n; i++) mix(&hash_packets, w[i]);
    }
};

}  // namespace flips
