// SPDX-License-Identifier: Apache-2.0
// hir_cache_test.cpp: the HIR cache's RTL against its C twin, action by action and beat by beat,
// each in exactly the cycle that the documentation says.
//
// State space: a walk in every cycle to sparse ones; bursts to one entry, page sets of one set and
// of all, tags that differ in one bit, sets that overflow; swaps as often as they can be and as
// rare as it takes to fill the cache; generations that wrap while sets lie untouched; consumers
// that take every beat, few, none for thousands of cycles; counts of drops beyond 65535, more than
// 65536 packets; cfg_transfer that changes in any cycle; resets at any time; recorded walks.
// Parameter space: the configuration that it is built for; the three RAM collision models; random
// initial state.
#include "blocks/hir_cache.h"

#include <algorithm>
#include <deque>
#include <filesystem>
#include <list>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "bench.h"
#include "gmmu/trace.h"

namespace {

gmmu_hir_config hir_config() {
    const gmmu_config &c = bench::config();
    return {c.hir_sets, c.hir_ways, c.hir_pages, c.hir_cnt_w, c.vpn_w, c.asid_w};
}

constexpr unsigned kAll = 1u << 30;

struct Style {
    unsigned walk, fault;  // permille: of the cycles; of the walks
    unsigned again;        // permille of the walks: the page set of one of the few before
    unsigned sets, tags;   // in play; tags: of a set
    unsigned asids, transfer;
    unsigned ready, stall;  // permille of the cycles; now and then none for up to so many
    uint64_t cycles;
    unsigned flicker = 0;  // permille of the cycles in which cfg_transfer becomes another one
};

struct Walk {
    bool valid = false, fault = false;
    uint32_t asid = 0, transfer = 0;
    uint64_t vpn = 0;
    uint64_t gone = 0;  // packets whose last beat was taken by the end of the walk's cycle
};

class Hir : public bench::Block {
   public:
    uint64_t hits = 0, faults = 0, counted = 0, touched = 0, dropped = 0, packets = 0, skipped = 0,
             records = 0, longest = 0, same_entry = 0, during_drain = 0, saturated = 0;

    explicit Hir(const bench::Setup &s) : Block("hir_cache", s) {
        gmmu_arena need = {};
        (void)gmmu_hir_cache_init(&twin_, &hir_, &need);
        bytes_.resize(need.used);
        dut->rst = dut->clear = 0;
        dut->walk_valid = 0;
        dut->m_tready = 0;
        base_ = rng.next();
    }

    bool ok() const { return Block::ok(); }

    void reset() {
        gmmu_arena arena = {bytes_.data(), bytes_.size(), 0};
        (void)gmmu_hir_cache_init(&twin_, &hir_, &arena);
        // into walks of all kinds
        for (uint64_t i = rng.below(64); i > 0; i--) {
            noise();
            dut->walk_valid = rng.below(4) != 0;
            dut->cfg_transfer = 1;
            dut->m_tready = 1;
            tick();
        }
        dut->rst = 1;
        for (uint64_t i = rng.below(4); i < 4; i++) {
            noise();
            dut->walk_valid = 1;
            dut->clear = rng.below(2);
            dut->cfg_transfer = 1;
            tick();
        }
        dut->rst = 0;
        dut->walk_valid = 0;
        // clearing: a set a cycle, while `clear` is there
        // mostly the walks follow at once
        const unsigned until = hir_.sets + 4 + (rng.below(4) != 0 ? 0 : 2 * hir_.sets + 4);
        for (unsigned n = 0; n < until && ok();) {
            noise();
            dut->clear = rng.below(8) != 0;  // of no matter after the last set
            settle();
            expect("cleared", dut->cleared, n >= hir_.sets + 3);
            // nothing is left of what was under way
            expect("m_tvalid before the first walk", dut->m_tvalid, 0);
            expect("idle before the first walk", dut->idle, 1);
            expect("HIT before the first walk", dut->tvi_hit || dut->tvi_outcome, 0);
            expect("FAULT before the first walk", dut->tvi_fault || dut->tvi_due || dut->tvi_swap,
                   0);
            expect("counts before the first walk", dut->stat_drops | dut->stat_skipped, 0);
            n += dut->clear || n >= hir_.sets;
            edge();
        }
        dut->clear = 0;
        transfer_ = dut->cfg_transfer;
        beats_.clear();
        pipe_.assign(kStages, {});
        drops_.assign(2, 0);
        skips_.assign(2, 0);
        recent_.assign(6, {});
        closed_ = gone_ = gone_before_ = 0;
        busy_until_ = cycles - 1;
        stalled_ = 0;
    }

    bool run(const Style &s) {
        uint32_t transfer = s.transfer;
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            if (rng.chance(s.flicker))
                transfer = static_cast<uint32_t>(rng.below(3) == 0 ? rng.edgy(16)
                                                                   : rng.below(2 * s.transfer + 2));
            Walk w;
            w.valid = rng.chance(s.walk);
            w.fault = rng.chance(s.fault);
            w.transfer = transfer;
            page(s, &w);
            if (stalled_ > 0)
                stalled_--;
            else if (s.stall != 0 && rng.below(200) == 0)
                stalled_ = rng.below(s.stall);
            cycle(w, stalled_ == 0 && rng.chance(s.ready));
        }
        return ok();
    }

    // One cycle: W, if it is valid; is a beat taken? A fault takes cfg_transfer as it was in the
    // cycle before.
    void cycle(Walk w, bool ready) {
        noise();
        dut->walk_valid = w.valid;
        if (w.valid || rng.below(2)) {
            dut->walk_fault = w.fault;
            dut->walk_asid = w.asid;
            dut->walk_vpn = w.vpn;
        }
        dut->cfg_transfer = w.transfer;
        std::swap(w.transfer, transfer_);
        dut->m_tready = ready;
        settle();
        stream();
        w.gone = gone_;
        expect("stat_drops", dut->stat_drops, drops_.front());
        expect("stat_skipped", dut->stat_skipped, skips_.front());
        expect("idle", dut->idle, cycles > busy_until_ && gone_before_ == closed_);
        act(pipe_.front());
        pipe_.pop_front();
        pipe_.push_back(w);
        drops_.pop_front();
        drops_.push_back(twin_.drops);
        skips_.pop_front();
        skips_.push_back(twin_.skipped);
        gone_before_ = gone_;
        if (w.valid)
            busy_until_ = std::max(busy_until_, cycles + 5);
        edge();
    }

    // No walks until all is at rest; then all that was recorded leaves, and nothing is left.
    bool drain() {
        Walk none;
        const uint64_t limit = cycles + 4ull * hir_.sets * hir_.ways + 64;
        while (ok() && (cycles <= busy_until_ || !beats_.empty()) && cycles < limit)
            cycle(none, true);
        cycle(none, true);
        expect("idle at rest", dut->idle, 1);
        Walk last;
        last.transfer = 1;
        cycle(last, true);
        last.valid = last.fault = true;
        cycle(last, true);
        for (uint64_t i = 0; i < hir_.sets * hir_.ways + 24ull && ok(); i++) cycle(none, true);
        expect("packets that left", gone_, closed_);
        expect("entries left", 0, twin_.n);
        return ok();
    }

    const gmmu_hir_cache &twin() const { return twin_; }

   private:
    static constexpr unsigned kStages = 5;
    struct Beat {
        uint32_t words[GMMU_HIR_WORDS];
        bool last;
        uint64_t from;  // stands at the port from this cycle on
    };
    const gmmu_hir_config hir_ = hir_config();
    const unsigned shift_ = static_cast<unsigned>(__builtin_ctz(hir_.pages)),
                   low_ = static_cast<unsigned>(__builtin_ctz(hir_.sets));
    const unsigned high_w_ =
        cfg.vpn_w - shift_ > low_ ? cfg.vpn_w - shift_ - low_ : 1;  // bits of a set's tags
    const unsigned beat_bits_ = gmmu_hir_beat_bits(&hir_);
    std::vector<char> bytes_;
    gmmu_hir_cache twin_ = {};
    std::deque<Walk> pipe_;  // walks whose results are to come
    std::deque<Beat> beats_;
    std::deque<uint32_t> drops_, skips_;  // so many, two cycles before and then
    std::deque<std::pair<uint32_t, uint64_t>> recent_;
    uint64_t closed_ = 0, gone_ = 0,
             gone_before_ = 0;  // packets closed, taken whole; taken by the cycle before
    uint64_t busy_until_ = 0;
    uint64_t stalled_ = 0, base_ = 0;
    uint32_t transfer_ = 0;  // of the cycle before

    void noise() {
        dut->walk_fault = rng.below(2);
        dut->walk_asid = rng.bits(cfg.asid_w);
        dut->walk_vpn = rng.bits(cfg.vpn_w);
        dut->cfg_transfer = rng.bits(16);
        dut->m_tready = rng.below(2);
    }

    void page(const Style &s, Walk *w) {
        uint64_t set;
        if (rng.chance(s.again)) {
            // mostly the very last ones
            const auto &r = recent_[rng.below(2) ? 0 : rng.below(recent_.size())];
            w->asid = r.first;
            set = r.second;
            if (rng.below(10) == 0)  // nearly the same
                set ^= 1ull << rng.below(cfg.vpn_w - shift_);
        } else {
            w->asid = static_cast<uint32_t>(rng.below(s.asids) & bench::mask(cfg.asid_w));
            if (s.asids > 1 && rng.below(16) == 0)
                w->asid = static_cast<uint32_t>(rng.edgy(cfg.asid_w));
            const uint64_t index =
                s.sets >= hir_.sets ? rng.next() : base_ + rng.below(s.sets) * 0x9E3779B1u;
            const uint64_t tag = rng.below(s.tags);
            // small numbers, or one bit of a random one changed
            const uint64_t high =
                base_ & 4096 ? tag
                             : (base_ >> 16) ^ (tag == 0 ? 0 : 1ull << (tag * 7 + base_) % high_w_);
            set = high << low_ | ((index ^ w->asid) & (hir_.sets - 1));
        }
        w->vpn = (set << shift_ | rng.below(rng.below(2) ? hir_.pages : std::min(2u, hir_.pages))) &
                 bench::mask(cfg.vpn_w);
        recent_.pop_back();
        recent_.emplace_front(w->asid, w->vpn >> shift_);
    }

    // What the walk of five cycles ago did.
    void act(const Walk &w) {
        expect("HIT", dut->tvi_hit, w.valid && !w.fault);
        expect("FAULT", dut->tvi_fault, w.valid && w.fault);
        if (!w.valid) {
            expect("outcome without a walk", dut->tvi_outcome, 0);
            expect("due without a walk", dut->tvi_due, 0);
            expect("swap without a walk", dut->tvi_swap, 0);
            return;
        }
        actions++;
        if (w.fault) {
            faults++;
            expect("outcome of a fault", dut->tvi_outcome, 0);
            const bool due = gmmu_hir_cache_fault(&twin_, w.transfer);
            expect("due", dut->tvi_due, due);
            // free when the last beat had been taken by the fault's cycle
            const bool other_free = closed_ == w.gone;
            expect("swap", dut->tvi_swap, due && other_free);
            if (due)
                swap(other_free);
            return;
        }
        hits++;
        during_drain += closed_ != gone_;
        const unsigned was = gmmu_hir_cache_hit(&twin_, w.asid, w.vpn);
        expect("outcome", dut->tvi_outcome, was);
        expect("due after a hit", dut->tvi_due, 0);
        expect("swap after a hit", dut->tvi_swap, 0);
        counted += was == GMMU_HIR_COUNTED;
        touched += was == GMMU_HIR_TOUCHED;
        dropped += was == GMMU_HIR_DROPPED;
        same_entry += was == GMMU_HIR_COUNTED && pipe_[1].valid && !pipe_[1].fault &&
                      pipe_[1].asid == w.asid && pipe_[1].vpn == w.vpn;
        busy_until_ = std::max(busy_until_, cycles + (was == GMMU_HIR_DROPPED ? 1 : 3));
    }

    void swap(bool other_free) {
        actions++;
        gmmu_hir_packet p = {};
        if (!gmmu_hir_cache_drain_swap(&twin_, other_free, &p)) {
            skipped++;
            busy_until_ = std::max(busy_until_, cycles + 1);
            return;
        }
        packets++;
        closed_++;
        longest = std::max<uint64_t>(longest, p.head.n);
        saturated += p.head.dropped == 65535;
        Beat b = {{}, p.head.n == 0, cycles + 4};
        gmmu_hir_pack_head(&p.head, b.words);
        beats_.push_back(b);
        for (unsigned i = 0; i < p.head.n; i++) {
            gmmu_hir_pack_record(&hir_, &p.record[i], b.words);
            b.last = i + 1 == p.head.n;
            beats_.push_back(b);
        }
    }

    // What stands at the port: the packet, four cycles after DRAIN_SWAP, without a gap; a beat that
    // is not taken stays.
    void stream() {
        const bool wanted = !beats_.empty() && cycles >= beats_.front().from;
        if (!expect("m_tvalid", dut->m_tvalid, wanted) || !wanted)
            return;
        const Beat &b = beats_.front();
        for (unsigned i = 0; i < beat_bits_; i += 32)
            expect("beat", get_bits(dut->m_tdata, {i, std::min(32u, beat_bits_ - i)}),
                   b.words[i / 32]);
        expect("m_tlast", dut->m_tlast, b.last);
        if (dut->m_tready) {
            gone_ += b.last;
            records++;
            beats_.pop_front();
        }
    }
};

struct Sum : bench::Outcome {
    uint64_t counted = 0, touched = 0, dropped = 0, packets = 0, skipped = 0, longest = 0,
             same_entry = 0, during_drain = 0;
    bool add(const Hir &b) {
        counted += b.counted;
        touched += b.touched;
        dropped += b.dropped;
        packets += b.packets;
        skipped += b.skipped;
        longest = std::max(longest, b.longest);
        same_entry += b.same_entry;
        during_drain += b.during_drain;
        return Outcome::add(b);
    }
};

Sum g_seen;  // of all runs: are the stimuli worth it?

bench::Outcome run(const bench::Setup &s) {
    Hir b(s);
    bench::Random any(s.seed * 31 + 7);
    const unsigned w = bench::config().hir_ways, all = bench::config().hir_sets * w;
    const unsigned many = std::min(all, 2000u);
    // walk, fault, again, sets, tags, asids, transfer, ready, stall, cycles
    const Style styles[] = {
        {1000, 30, 300, kAll, w + 1, 2, 16, 1000, 0, 4000},  // HPE's
        {950, 60, 200, 1, w + 1, 1, 6, 1000, 0, 4000},       // one set that overflows
        {1000, 100, 100, 2, w, 2, 2, 1000, 0, 4000},         // just fitting
        {1000, 20, 950, 4, 3, 2, 3, 900, 0, 3000},           // bursts to one entry
        {980, 50, 500, 3, 2 * w, 4, 4, 300, 0, 3000},        // conflict storms, a slow consumer
        {950, 200, 400, kAll, 2, 1, 1, 1000, 40, 4000},      // swaps as often as can be
        {1000, 500, 500, 2, w + 2, 2, 1, 1000, 0, 4000},
        {120, 700, 0, kAll, 2, 1, 1, 1000, 0, 16000},  // generations wrap, sets lie untouched
        {30, 900, 0, 3, 2, 1, 1, 1000, 0, 10000},
        {970, 5, 200, kAll, w + 4, 3, 2, 1000, 3 * many,
         3ull * many + 2000},  // filled; none taken for long
        {970, 50, 200, kAll, w + 4, kAll, 16, 30, 0, 4000},
        {500, 500, 300, 4, w, 2, 0, 1000, 0, 500},            // no swap ever
        {950, 300, 300, 5, w + 1, 2, 5, 800, 100, 5000, 30},  // cfg_transfer changes
        {950, 900, 300, 5, w + 1, 2, 60, 900, 20, 3000, 200},
        {10, 500, 300, 5, w + 1, 2, 1, 1000, 0, 4000},  // alone in the stages
    };
    b.reset();
    for (int i = 0; i < 24 && b.ok(); i++) {
        b.reset();
        (void)b.run({900, 200, 300, kAll, w, 2, 1, 1000, 0, 40});
    }
    for (int round = 0; round < 2 && b.ok(); round++)
        for (const Style &style : styles) {
            if (!b.ok())
                break;
            if (any.below(3) == 0)
                b.reset();
            (void)b.run(style);
            if (any.below(2))
                (void)b.drain();
        }
    g_seen.add(b);
    bench::Outcome o;
    o.add(b);
    return o;
}

// More packets than numbers; a count of drops beyond its end; so many faults to a swap as the
// register can say.
bench::Outcome slow(const bench::Setup &s) {
    Hir b(s);
    const unsigned w = bench::config().hir_ways;
    b.reset();
    // walk, fault, again, sets, tags, asids, transfer, ready, stall, cycles
    (void)b.run({1000, 990, 0, kAll, 2, 1, 1, 1000, 0, 65536 * 12});
    if (b.ok() && b.packets < 65536)
        b.mismatch = {true, "hir_cache", "packets of the bench", b.cycles, b.packets, 65536, s};
    b.reset();
    for (unsigned transfer : {65535u, 65534u, 32769u})
        (void)b.run({1000, 995, 0, 2, w, 1, transfer, 1000, 0, 2 * 65800});
    Walk hit, fault;
    hit.valid = fault.valid = fault.fault = true;
    hit.transfer = fault.transfer = 1;
    b.reset();
    const unsigned sets = bench::config().hir_sets, pages = bench::config().hir_pages;
    for (unsigned extra : {65534u, 65535u, 65536u, 65550u}) {
        for (unsigned i = 0; i < w + extra && b.ok(); i++) {
            hit.vpn = static_cast<uint64_t>(std::min(i, w)) * sets * pages &
                      bench::mask(bench::config().vpn_w);
            b.cycle(hit, true);
        }
        (void)b.drain();
    }
    bench::Outcome o;
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(HirCacheFaults, EachIsSeen) {
    bench::expect_faults_seen("hir_cache", 1, [](const bench::Setup &s) {
        bench::Outcome o = run(s);
        if (o.mismatch.found || std::string(s.ram) != "garbage")
            return o;
        const bench::Outcome rest = slow(s);
        o.actions += rest.actions;
        o.cycles += rest.cycles;
        o.mismatch = rest.mismatch;
        return o;
    });
}

#else

TEST(HirCache, LockStep) {
    g_seen = {};
    bench::expect_lockstep("hir_cache", 4, run);
    if (bench::actions_of_run() != 0)
        return;  // at any sizes
    std::printf("hir_cache: %" PRIu64 " counted (%" PRIu64 " once more the page before, %" PRIu64
                " while the other bank drains), %" PRIu64 " first touches, %" PRIu64
                " dropped, %" PRIu64 " packets of at most %" PRIu64 " records, %" PRIu64
                " swaps skipped\n",
                g_seen.counted, g_seen.same_entry, g_seen.during_drain, g_seen.touched,
                g_seen.dropped, g_seen.packets, g_seen.longest, g_seen.skipped);
    EXPECT_GT(g_seen.same_entry, 10000u);
    EXPECT_GT(g_seen.during_drain, 10000u);
    EXPECT_GT(g_seen.touched, 10000u);
    EXPECT_GT(g_seen.dropped, 10000u);
    EXPECT_GT(g_seen.packets, 5000u);
    EXPECT_GT(g_seen.skipped, 1000u);
    EXPECT_GE(g_seen.longest,
              std::min(bench::config().hir_sets * bench::config().hir_ways, 1024u) * 9 / 10);
}

TEST(HirCache, NumbersWrapAndDropsSaturate) {
    const bench::Outcome o = slow({"garbage", bench::seed_of_run(), 0});
    EXPECT_FALSE(o.mismatch.found) << o.mismatch.text();
}

// A hit in every cycle, to one entry, to one set, to all, while the other bank drains: each is done
// five cycles later (the bench compares that in every cycle), and none is lost where there is room.
TEST(HirCache, OneHitACycle) {
    const gmmu_hir_config c = hir_config();
    const unsigned entries = c.sets * c.ways, n = 4 * entries + 1000;
    Hir b({"garbage", bench::seed_of_run(), 0});
    b.reset();
    Walk fault;
    fault.valid = fault.fault = true;
    fault.transfer = 1;
    uint64_t hits = 0, wanted = 0;
    for (int round = 0; round < 6 && b.ok(); round++) {
        for (unsigned i = 0; i < n && b.ok(); i++) {
            Walk w;
            w.valid = true;
            w.transfer = 1;
            // all sets; one set; one entry
            const uint64_t set = round % 3 == 0   ? i % entries
                                 : round % 3 == 1 ? i % c.ways * c.sets
                                                  : 0;
            w.vpn = (set * c.pages + i % 3 % c.pages) & bench::mask(c.vpn_w);
            b.cycle(w, i % 2 == 0);
            wanted++;
        }
        b.cycle(fault, true);
    }
    for (unsigned i = 0; i < 3 * entries + 30 && b.ok(); i++) b.cycle({}, true);
    hits = b.counted + b.touched;
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    EXPECT_EQ(b.hits, wanted);
    EXPECT_EQ(hits, wanted);
    EXPECT_EQ(b.dropped, 0u);
    EXPECT_GE(b.packets, 3u);
    EXPECT_GT(b.during_drain, 3u * entries);
}

// ======== recorded walks

using Page = std::pair<uint32_t, uint64_t>;

struct Traced {
    std::vector<Page> walks;
    std::size_t pages = 0;  // distinct ones
};

// The first so many walks of a trace, as wide as the block's pages.
Traced read_trace(const std::string &path, std::size_t most) {
    Traced t;
    gmmu_error err;
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    if (r == nullptr)
        return t;
    std::map<Page, bool> seen;
    gmmu_walk w;
    int status = GMMU_OK;
    while (t.walks.size() < most && (status = gmmu_reader_next(r, &w, &err)) == GMMU_OK) {
        const Page p = {w.asid & static_cast<uint32_t>(bench::mask(bench::config().asid_w)),
                        w.vpn & bench::mask(bench::config().vpn_w)};
        t.walks.push_back(p);
        seen[p] = true;
    }
    EXPECT_NE(status, GMMU_BAD) << err.text;
    gmmu_reader_close(r);
    t.pages = seen.size();
    return t;
}

// Hits and faults by LRU in memory for 75 % of the pages.
class Lru {
   public:
    explicit Lru(std::size_t frames) : frames_(std::max<std::size_t>(1, frames)) {}
    bool access(const Page &p) {
        const auto at = where_.find(p);
        const bool hit = at != where_.end();
        if (hit) {
            order_.erase(at->second);
        } else if (where_.size() == frames_) {
            where_.erase(order_.back());
            order_.pop_back();
        }
        order_.push_front(p);
        where_[p] = order_.begin();
        return hit;
    }

   private:
    std::size_t frames_;
    std::list<Page> order_;
    std::map<Page, std::list<Page>::iterator> where_;
};

// Short forms of a few traces; with GMMU_LONG (make conformance) the whole of all, dense and with
// gaps.
TEST(HirCache, RecordedWalks) {
    const bool all = std::getenv("GMMU_LONG") != nullptr;
    const char *root = std::getenv("GMMU_ROOT");
    const std::string folder = std::string(root ? root : ".") + "/sim/traces";
    std::vector<std::string> paths;
    for (const auto &entry : std::filesystem::directory_iterator(folder)) {
        const std::string ext = entry.path().extension();
        const std::string name = entry.path().stem();
        if ((ext == ".walk" || ext == ".gwt") &&
            (all || name == "bfs" || name == "sad" || name == "spmv" || name == "histo"))
            paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    ASSERT_GE(paths.size(), all ? 39u : 4u);
    uint64_t walks = 0, packets = 0, dropped = 0, hits = 0, cycles = 0;
    for (const std::string &path : paths) {
        const Traced t = read_trace(path, all ? SIZE_MAX : 15000);
        ASSERT_FALSE(t.walks.empty()) << path;
        Hir b({"garbage", bench::seed_of_run(), 0});
        bench::Random rng(t.walks.size());
        Lru memory(t.pages * 3 / 4);
        b.reset();
        const unsigned gap = static_cast<unsigned>(rng.below(4)) * 200;  // permille of the cycles
        for (const Page &p : t.walks) {
            Walk w;
            w.transfer = 16;
            while (rng.chance(gap) && b.ok()) b.cycle(w, rng.chance(900));
            w.valid = true;
            w.asid = p.first;
            w.vpn = p.second;
            w.fault = !memory.access(p);
            b.cycle(w, rng.chance(900));
            if (!b.ok())
                break;
        }
        b.drain();
        ASSERT_FALSE(b.mismatch.found) << path << ": " << b.mismatch.text();
        EXPECT_EQ(b.hits + b.faults, t.walks.size() + 1) << path;
        walks += t.walks.size();
        hits += b.hits;
        packets += b.packets;
        dropped += b.dropped;
        cycles += b.cycles;
    }
    std::printf("hir_cache (%s): %" PRIu64 " recorded walks of %zu traces compared in %" PRIu64
                " cycles: %" PRIu64 " hits, %" PRIu64 " dropped, %" PRIu64 " packets\n",
                GMMU_CONFIG_NAME, walks, paths.size(), cycles, hits, dropped, packets);
    EXPECT_GT(packets, 10u);
}

#endif

}  // namespace
