// SPDX-License-Identifier: Apache-2.0
// rimm_host_test.cpp: the RIMM host against a scan of all its pages, and against the device: with
// equal tables both choose alike.
//
// State space: few references for few rows, so that rows are taken away while their pages stay;
// pages that are used, filled over, freed, pinned, kept; ages of all bins; time that wraps; records
// out of order; packets that are missing, too short, too long. The recorded traces, record by
// record through the beats. Parameter space: 1 to 64 frames, refresh at every walk to rare, 4 to 64
// rows, TIME_W 12 to 24.
#include "driver/rimm_host.h"

#include <gtest/gtest.h>

#include <cinttypes>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/schedule.h"
#include "gmmu/trace.h"

namespace {

uint32_t seed_of_run() {
    const char *s = std::getenv("GMMU_SEED");
    return s ? static_cast<uint32_t>(std::strtoul(s, nullptr, 0)) : 1;
}

gmmu_config small(unsigned classes, unsigned time_w) {
    gmmu_config c = *gmmu_config_find("tiny");
    c.classes = classes;
    c.time_w = time_w;
    c.cnt_w = 6;
    c.frames = 64;
    return c;
}

// The host with its memory; sends whole packets.
struct Host {
    gmmu_rimm_host h;
    std::vector<char> memory;
    std::vector<gmmu_rimm_fault> faults;
    uint32_t seq = 0;
    explicit Host(const gmmu_rimm_config &c) : memory(gmmu_rimm_host_bytes(&c)) {
        EXPECT_EQ(gmmu_rimm_host_init(&h, &c, memory.data(), memory.size()), 0);
        h.on_fault = [](void *self, const gmmu_rimm_fault *f) {
            static_cast<Host *>(self)->faults.push_back(*f);
        };
        h.ctx = this;
    }
    int beat(const gmmu_rit_head &head, bool last) {
        uint32_t words[GMMU_RIT_WORDS];
        gmmu_rit_pack_head(&h.cfg.unit, &head, words);
        return gmmu_rimm_host_beat(&h, words, last);
    }
    int beat(const gmmu_rit_event &e, bool last) {
        uint32_t words[GMMU_RIT_WORDS];
        gmmu_rit_pack_event(&h.cfg.unit, &e, words);
        return gmmu_rimm_host_beat(&h, words, last);
    }
    void packet(const gmmu_rit_packet &p) {
        EXPECT_EQ(beat(p.head, false), GMMU_RIMM_OK);
        for (unsigned i = 0; i < p.head.n; i++)
            EXPECT_EQ(beat(p.event[i], i + 1 == p.head.n), GMMU_RIMM_OK);
    }
    void event(const gmmu_rit_event &e) {
        EXPECT_EQ(beat(gmmu_rit_head{seq++ & 0xFFFF, 1, 0, e.time}, false), GMMU_RIMM_OK);
        EXPECT_EQ(beat(e, true), GMMU_RIMM_OK);
    }
};

// What the host should know, and the choice by looking at every page.
struct Slow {
    struct Page {
        bool valid = false, pinned = false, leaving = false;
        uint32_t asid = 0;
        uint64_t vpn = 0, last = 0;
        gmmu_class cls = {0, 0};
    };
    std::vector<Page> page;
    std::optional<uint32_t> find(uint32_t asid, uint64_t vpn) const {
        for (uint32_t f = 0; f < page.size(); f++)
            if (page[f].valid && page[f].asid == asid && page[f].vpn == vpn)
                return f;
        return {};
    }
    static uint16_t priority(const gmmu_rimm_host &h, const Page &p) {
        const unsigned row =
            gmmu_ppuc_serving_row(&h.ppuc, p.cls, gmmu_ref_rit_current(&h.rit, p.cls));
        const uint64_t tau = h.now - p.last;
        return gmmu_ppuc_priority(&h.ppuc, row,
                                  static_cast<uint32_t>(std::min<uint64_t>(tau, UINT32_MAX)));
    }
    std::optional<uint32_t> victim(const gmmu_rimm_host &h) const {
        std::optional<uint32_t> best;
        for (uint32_t f = 0; f < page.size(); f++) {
            const Page &p = page[f];
            if (!p.valid || p.pinned || p.leaving)
                continue;
            if (!best || priority(h, p) < priority(h, page[*best]) ||
                (priority(h, p) == priority(h, page[*best]) && p.last < page[*best].last))
                best = f;
        }
        return best;
    }
};

// Random events and operations; every answer is compared.
struct Did {
    uint64_t answers = 0, none = 0, allocated = 0;
};
Did random_run(uint32_t seed) {
    std::mt19937_64 rng(seed);
    const auto below = [&](uint64_t n) { return rng() % n; };
    const unsigned classes[] = {4, 8, 16}, refreshes[] = {0, 3, 6};
    gmmu_rimm_config c = {};
    c.unit = small(classes[below(3)], 12 + static_cast<unsigned>(below(9)));
    c.frames = 1 + static_cast<uint32_t>(below(below(2) ? 64 : 6));
    c.pseudo = below(2);
    c.refresh = refreshes[below(3)];
    c.touch = below(4) != 0;
    Host host(c);
    gmmu_rimm_host &h = host.h;
    Slow slow;
    slow.page.resize(c.frames);
    Did did;
    const uint64_t mask = (1ull << c.unit.time_w) - 1, pages = 2 + c.frames * 2,
                   refs = 2 + below(2 * c.unit.classes);
    std::vector<gmmu_rimm_fault> open;
    uint64_t now = below(mask / 4);
    for (int i = 0; i < 6000; i++) {
        const unsigned what = static_cast<unsigned>(below(100));
        const uint32_t frame = static_cast<uint32_t>(below(c.frames));
        if (what < 60) {
            gmmu_rit_event e = {};
            now += below(8)   ? below(4)
                   : below(8) ? below(200)
                              : below(mask / 2 - 64);  // the host knows half of the range
            // now and then a record of before
            const uint64_t time = below(20) || now < 50 ? now : now - below(50);
            e.rec = below(4) != 0;
            e.access = !e.rec || below(4) != 0;
            e.fault = e.access && below(3) == 0;
            e.time = static_cast<uint32_t>(time & mask);
            if (e.rec) {
                e.censored = below(4) == 0;
                e.known = below(4) != 0;
                e.r_ref = e.known ? 0x10 * below(refs) : 0;
                e.interval = static_cast<uint32_t>(below(2) ? below(30) : below(mask / 4));
            }
            if (e.access) {
                e.vpn = below(pages);
                e.asid = static_cast<uint32_t>(below(2));
                e.ref = 0x10 * below(refs);
            }
            host.faults.clear();
            host.event(e);
            EXPECT_EQ(host.faults.size(), e.fault);
            if (e.access) {
                const auto f = slow.find(e.asid, e.vpn);
                if (f && (c.touch || e.fault) && time >= slow.page[*f].last) {
                    slow.page[*f].last = time;
                    slow.page[*f].cls = {0, 0};
                    for (unsigned r = 1; r < c.unit.classes; r++)
                        if (h.rit.way[r].valid && h.rit.way[r].ref == e.ref &&
                            h.rit.way[r].asid == e.asid)
                            slow.page[*f].cls = {static_cast<uint16_t>(r), h.rit.way[r].gen};
                }
            }
            for (const gmmu_rimm_fault &f : host.faults) {
                EXPECT_EQ(f.time, time);
                if (!slow.find(f.asid, f.vpn))
                    open.push_back(f);
            }
        } else if (what < 90 && !open.empty()) {
            const gmmu_rimm_fault f = open.back();
            open.pop_back();
            const gmmu_rimm_victim v = gmmu_rimm_host_answer(&h, &f);
            const auto wanted = slow.victim(h);
            EXPECT_EQ(v.found, wanted.has_value());
            did.answers++;
            did.none += !v.found;
            if (!v.found || !wanted)
                continue;
            Slow::Page &p = slow.page[v.frame];
            EXPECT_EQ(v.frame, *wanted) << "seed " << seed << " step " << i;
            EXPECT_EQ(v.priority, Slow::priority(h, slow.page[*wanted]));
            EXPECT_EQ(v.vpn, p.vpn);
            EXPECT_EQ(v.asid, p.asid);
            EXPECT_EQ(v.tesla, h.now - p.last);
            if (v.frame != *wanted)
                return did;
            p.leaving = true;
            const unsigned end = static_cast<unsigned>(below(8));
            if (end == 0) {
                gmmu_rimm_host_keep(&h, v.frame);
                p.leaving = false;
            } else if (end == 1) {
                gmmu_rimm_host_free(&h, v.frame);
                p = {};
            } else if (end != 2) {  // else it stays on its way out
                if (const auto twice = slow.find(f.asid, f.vpn))
                    slow.page[*twice] = {};
                gmmu_rimm_host_fill(&h, v.frame, &f);
                p = {.valid = true, .asid = f.asid, .vpn = f.vpn, .last = f.time, .cls = f.cls};
            }
        } else if (what < 95) {
            // a page comes in without an answer
            const gmmu_rimm_fault f =
                gmmu_rimm_host_fault(&h, static_cast<uint32_t>(below(2)), below(pages),
                                     0x10 * below(refs), now += below(3));
            if (const auto twice = slow.find(f.asid, f.vpn))
                slow.page[*twice] = {};
            gmmu_rimm_host_fill(&h, frame, &f);
            slow.page[frame] = {
                .valid = true, .asid = f.asid, .vpn = f.vpn, .last = f.time, .cls = f.cls};
        } else if (what < 97) {
            gmmu_rimm_host_free(&h, frame);
            slow.page[frame] = {};
        } else {
            const bool pin = below(3) == 0;
            gmmu_rimm_host_pin(&h, frame, pin);
            if (slow.page[frame].valid)
                slow.page[frame].pinned = pin;
        }
        // rows that were taken away stay away
        for (Slow::Page &p : slow.page)
            if (!gmmu_ref_rit_current(&h.rit, p.cls))
                p.cls = {0, 0};
    }
    did.allocated = h.stats.allocated;
    return did;
}

TEST(RimmHost, ChoosesAsAScanOfAllPages) {
    Did sum;
    for (uint32_t s = 0; s < 150 && !::testing::Test::HasFailure(); s++) {
        const Did d = random_run(seed_of_run() * 1000 + s);
        sum.answers += d.answers;
        sum.none += d.none;
        sum.allocated += d.allocated;
    }
    EXPECT_GT(sum.answers, 50000u);
    EXPECT_GT(sum.none, 100u);
    EXPECT_GT(sum.allocated, 10000u);
    std::printf("rimm_host: %" PRIu64 " answers compared, %" PRIu64 " rows taken\n", sum.answers,
                sum.allocated);
}

// Equal tables, equal pages: the device's scan and the host's lists.
TEST(RimmHost, EqualTablesEqualVictims) {
    std::mt19937_64 rng(seed_of_run());
    const auto below = [&](uint64_t n) { return rng() % n; };
    uint64_t cases = 0, ties = 0, lively = 0;
    for (int t = 0; t < 400; t++) {
        gmmu_config c = small(8, 20);
        gmmu_regs regs = gmmu_regs_default(&c);
        regs.frames = 1 + static_cast<uint32_t>(below(c.frames));
        gmmu_tier u;
        std::vector<char> memory(gmmu_tier_bytes(&c));
        ASSERT_EQ(gmmu_tier_init(&u, &c, &regs, memory.data(), memory.size()), 0);
        Host host({c, regs.frames, true, 8, true});
        gmmu_rimm_host &h = host.h;
        // the device learns at random, the host gets its tables
        u.walk.time = static_cast<uint32_t>(1 + below(1 << 18));
        for (int i = 0; i < 20; i++) (void)gmmu_ref_rit_execute(&u.rit, 0, below(9));
        for (unsigned r = 0; r < c.classes; r++) {
            gmmu_ref_rit_clear(&u.rit, r);
            for (int i = static_cast<int>(below(40)); i > 0; i--)
                (void)gmmu_ref_rit_learn(&u.rit,
                                         {{static_cast<uint16_t>(r), u.rit.way[r].gen},
                                          static_cast<uint32_t>(below(below(2) ? 1000 : 20)),
                                          below(5) == 0});
        }
        for (unsigned r = 0; r < c.classes; r++)
            if (r == 0 || below(8)) {
                gmmu_tier_refresh(&u, r);
                (void)gmmu_tier_install(&u);
            }
        std::copy(u.rit.way, u.rit.way + c.classes, h.rit.way);
        std::copy(u.ppuc.priority, u.ppuc.priority + c.classes * c.bins, h.ppuc.priority);
        std::copy(u.ppuc.ready, u.ppuc.ready + c.classes, h.ppuc.ready);
        h.timed = true;
        h.now = u.walk.time;
        for (uint32_t f = 0; f < regs.frames; f++) {
            if (below(10) == 0)
                continue;
            const uint16_t row = static_cast<uint16_t>(below(c.classes));
            gmmu_rimm_fault page = {};
            page.vpn = 100 + f;
            page.time = u.walk.time - below(std::min<uint64_t>(u.walk.time, below(2) ? 8 : 4000));
            page.cls = {
                row, static_cast<uint16_t>(below(9) ? u.rit.way[row].gen : u.rit.way[row].gen ^ 1)};
            (void)gmmu_frame_table_fill(&u.frames.table, f,
                                        {page.vpn, 0, static_cast<uint32_t>(page.time), page.cls,
                                         true, false, false, false, false, false},
                                        u.walk.time);
            u.faults.resident++;
            gmmu_rimm_host_fill(&h, f, &page);
            if (below(12) == 0) {
                u.frames.table.seen[f].pinned = true;
                gmmu_rimm_host_pin(&h, f, true);
            }
        }
        // one after the other until nobody may leave
        for (;;) {
            gmmu_victim_select_end(&u.select);
            do (void)gmmu_tier_cand(&u, gmmu_victim_select_next(&u.select, regs.frames));
            while (u.select.active);
            const gmmu_victim_cand *best = gmmu_victim_select_best(&u.select);
            gmmu_rimm_fault f = {};
            f.time = u.walk.time;
            const gmmu_rimm_victim v = gmmu_rimm_host_answer(&h, &f);
            ASSERT_EQ(v.found, best != nullptr);
            if (!v.found)
                break;
            ASSERT_EQ(v.frame, best->frame) << "case " << t;
            ASSERT_EQ(v.priority, best->priority);
            ASSERT_EQ(v.vpn, u.frames.table.page[v.frame].vpn);
            cases++;
            lively += v.priority != 0;
            for (unsigned s = 0, alike = 0; s < c.pool; s++)  // another one of its priority
                ties += (u.select.valid >> s & 1) != 0 && u.select.priority[s] == v.priority &&
                        alike++ == 1;
            u.frames.table.seen[v.frame].leaving = true;
        }
    }
    EXPECT_GT(cases, 5000u);
    EXPECT_GT(ties, 1000u);
    EXPECT_GT(lively, 1000u);
    std::printf("rimm_host: %" PRIu64 " victims compared with the device's, %" PRIu64
                " of them tied, %" PRIu64 " not dead\n",
                cases, ties, lively);
}

// A recorded trace: the unit decides, its records feed the host, whose victim is compared.
struct Replayed {
    uint64_t walks = 0, victims = 0, alike = 0, records = 0, exported = 0, refs = 0, allocated = 0;
    bool tables_equal = true;
};

Replayed replay(const char *name, gmmu_config cfg, gmmu_regs regs, unsigned percent) {
    struct Ctx {
        Host *host;
        std::vector<gmmu_tier_decision> made;
        uint64_t sent = 0;
    } ctx;
    Replayed did;
    const char *root = std::getenv("GMMU_ROOT");
    const std::string path = std::string(root ? root : ".") + "/sim/traces/" + name;
    gmmu_error err = {};
    std::vector<gmmu_walk> walks;
    std::set<std::pair<uint32_t, uint64_t>> distinct, refs;
    gmmu_reader *in = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(in, nullptr) << err.text;
    if (in == nullptr)
        return did;
    for (gmmu_walk w; gmmu_reader_next(in, &w, &err) == GMMU_OK;) {
        walks.push_back(w);
        distinct.insert({w.asid, w.vpn});
        refs.insert({w.asid, gmmu_fold_ref(w.ref, cfg.ref_w)});
    }
    gmmu_reader_close(in);
    regs.frames = static_cast<uint32_t>(distinct.size() * percent / 100);
    Host host({cfg, regs.frames, regs.pseudo != 0, regs.refresh, true});
    gmmu_tier u;
    std::vector<char> memory(gmmu_tier_bytes(&cfg));
    EXPECT_EQ(gmmu_tier_init(&u, &cfg, &regs, memory.data(), memory.size()), 0);
    ctx.host = &host;
    u.rit_ctx = &ctx;
    u.rit_sink = [](void *c, const gmmu_rit_packet *p) {
        static_cast<Ctx *>(c)->host->packet(*p);
        static_cast<Ctx *>(c)->sent += p->head.n;
    };
    const auto decided = [](void *c, const gmmu_tier_decision *d) {
        static_cast<Ctx *>(c)->made.push_back(*d);
    };
    std::map<std::pair<uint32_t, uint64_t>, uint32_t> frame_of;
    std::vector<std::pair<uint32_t, uint64_t>> page_of(regs.frames);
    uint32_t filled = 0;
    for (const gmmu_walk &walk : walks) {
        const std::pair<uint32_t, uint64_t> page(walk.asid, walk.vpn);
        const auto is = frame_of.find(page);
        gmmu_tier_walk_in w = {};
        w.vpn = walk.vpn;
        w.asid = walk.asid;
        w.ref = gmmu_fold_ref(walk.ref, cfg.ref_w);
        w.write = walk.write;
        w.fault = is == frame_of.end();
        w.frame = w.fault ? 0 : is->second;
        ctx.made.clear();
        host.faults.clear();
        const gmmu_tier_walk_out o = gmmu_tier_walk(&u, w);
        did.exported += o.exported == GMMU_RIT_QUEUED;
        gmmu_tier_settle(&u, decided, &ctx);
        did.walks++;
        if (!w.fault)
            continue;
        EXPECT_EQ(ctx.made.size(), 1u);
        EXPECT_EQ(host.faults.size(), 1u);
        if (ctx.made.size() != 1 || host.faults.size() != 1)
            return did;
        const gmmu_tier_decision d = ctx.made[0];
        const gmmu_rimm_fault f = host.faults[0];
        EXPECT_EQ(f.time, did.walks);
        EXPECT_EQ(host.h.now, did.walks);
        gmmu_tier_drv_in fill = {};
        fill.op = GMMU_FILL;
        fill.vpn = d.vpn;
        fill.asid = d.asid;
        fill.frame = d.frame;
        if (d.tier == GMMU_TIER_FREE) {
            fill.frame = filled++;
        } else {
            const gmmu_rimm_victim v = gmmu_rimm_host_answer(&host.h, &f);
            did.victims++;
            did.alike +=
                v.found && v.frame == d.frame && v.priority == d.priority && v.vpn == d.victim_vpn;
            if (v.found && v.frame != d.frame)
                gmmu_rimm_host_keep(&host.h, v.frame);
            frame_of.erase(page_of[d.frame]);
        }
        const gmmu_tier_drv_out left = gmmu_tier_drv(&u, fill);
        did.exported += left.exported == GMMU_RIT_QUEUED;
        gmmu_tier_settle(&u, decided, &ctx);
        gmmu_rimm_host_fill(&host.h, fill.frame, &f);
        page_of[fill.frame] = page;
        frame_of[page] = fill.frame;
    }
    EXPECT_EQ(host.h.stats.lost_packets + host.h.stats.bad_packets + host.h.stats.dropped +
                  u.rit_export.drops,
              0u);
    did.refs = refs.size();
    did.allocated = host.h.stats.allocated;
    did.records = ctx.sent + u.rit_export.waiting;
    // the histograms, reference by reference, when all records have arrived
    for (unsigned i = 0; i < u.rit_export.waiting; i++) {
        const unsigned at = (u.rit_export.first + i) % cfg.ritq;
        gmmu_rit_event e = u.rit_export.queue[at];
        host.seq = host.h.next_seq;
        host.event(e);
    }
    for (unsigned r = 0; r < cfg.classes; r++)
        for (unsigned k = 0; k < cfg.classes; k++) {
            const gmmu_rit_way &a = u.rit.way[r], &b = host.h.rit.way[k];
            if (r == 0 ? k != 0 : !a.valid || !b.valid || a.ref != b.ref || a.asid != b.asid)
                continue;
            did.tables_equal &= std::equal(u.rit.row[r].reuse, u.rit.row[r].reuse + cfg.bins,
                                           host.h.rit.row[k].reuse) &&
                                std::equal(u.rit.row[r].censored, u.rit.row[r].censored + cfg.bins,
                                           host.h.rit.row[k].censored);
        }
    return did;
}

TEST(RimmHost, RecordedTracesEqualVictims) {
    uint64_t victims = 0;
    for (const char *name : {"2dconv.walk", "bfs.walk", "gemm.walk", "hotspot.walk", "kmeans.walk",
                             "spmv.walk", "srad_v2.walk"})
        for (const bool feed : {true, false}) {
            gmmu_config cfg = *gmmu_config_find("default");
            gmmu_regs regs = gmmu_regs_default(&cfg);
            regs.rit_batch = 64;
            regs.feed = feed;
            // a page that leaves in the walk of a tick is learnt after the device's refresh, but
            // the host hears of both with one time (docs/papers/leu.md, H5)
            regs.censor = !feed;
            // all sampled, and room for every page, so that the host hears of all accesses
            regs.sample = 0;
            cfg.time_w = 28;  // so many entries need it
            cfg.sampler = 16384;
            cfg.sways = 8;
            const Replayed d = replay(name, cfg, regs, 50);
            ASSERT_EQ(d.allocated, d.refs)
                << name << ": a row was taken away: the tables cannot be equal";
            EXPECT_EQ(d.alike, d.victims) << name << " feed " << feed;
            EXPECT_TRUE(d.tables_equal) << name;
            if (feed) {  // the sampler's SCRUBs export too, unseen here
                EXPECT_EQ(d.records, d.exported) << name;
            }
            EXPECT_GT(d.victims, 500u);
            victims += d.victims;
        }
    std::printf("rimm_host: %" PRIu64
                " victims of recorded traces, the host's all as the device's\n",
                victims);
}

TEST(RimmHost, ReadsOnlyWholePackets) {
    Host host({*gmmu_config_find("tiny"), 4, true, 8, true});
    gmmu_rit_event e = {};
    e.rec = true;
    e.interval = 5;
    e.time = 9;
    // fine; then two are missing
    EXPECT_EQ(host.beat(gmmu_rit_head{0, 1, 0, 9}, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(gmmu_rit_head{3, 2, 7, 9}, false), GMMU_RIMM_LOST);
    EXPECT_EQ(host.beat(e, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.h.stats.lost_packets, 2u);
    EXPECT_EQ(host.h.stats.dropped, 7u);
    EXPECT_EQ(host.h.stats.records, 3u);
    // the number goes round
    host.h.next_seq = 65535;
    EXPECT_EQ(host.beat(gmmu_rit_head{65535, 1, 0, 9}, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(gmmu_rit_head{0, 3, 0, 9}, false), GMMU_RIMM_OK);
    // too short: what was there counts
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_BAD);
    EXPECT_EQ(host.h.stats.records, 5u);
    // too long: the rest is left out
    EXPECT_EQ(host.beat(gmmu_rit_head{1, 1, 0, 9}, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, false), GMMU_RIMM_BAD);
    EXPECT_EQ(host.beat(e, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.h.stats.records, 6u);
    // no record, with and without more beats
    EXPECT_EQ(host.beat(gmmu_rit_head{2, 0, 0, 9}, true), GMMU_RIMM_BAD);
    EXPECT_EQ(host.beat(gmmu_rit_head{2, 0, 0, 9}, false), GMMU_RIMM_BAD);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.h.stats.bad_packets, 4u);
    EXPECT_EQ(host.h.stats.records, 6u);
    EXPECT_EQ(host.beat(gmmu_rit_head{2, 1, 0, 9}, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.h.stats.records, 7u);
}

TEST(RimmHost, RefusesWhatCannotWork) {
    gmmu_rimm_config c = {*gmmu_config_find("tiny"), 4, true, 8, true};
    gmmu_rimm_host h;
    std::vector<char> memory(gmmu_rimm_host_bytes(&c));
    EXPECT_EQ(gmmu_rimm_host_init(&h, &c, memory.data(), memory.size()), 0);
    EXPECT_NE(gmmu_rimm_host_init(&h, &c, memory.data(), memory.size() - 1), 0);
    c.refresh = 64;
    EXPECT_NE(gmmu_rimm_host_init(&h, &c, memory.data(), memory.size()), 0);
    c.refresh = 8;
    for (const uint32_t frames : {0U, UINT32_MAX / 2 + 1}) {
        c.frames = frames;
        EXPECT_NE(gmmu_rimm_host_init(&h, &c, memory.data(), memory.size()), 0);
    }
}

// What a driver may ask at any time changes nothing where there is nothing to change.
TEST(RimmHost, KeepsAndPinsWhatIsThere) {
    Host host({*gmmu_config_find("tiny"), 4, true, 8, true});
    const gmmu_rimm_fault f = gmmu_rimm_host_fault(&host.h, 0, 7, 1, 0);
    gmmu_rimm_host_keep(&host.h, 2);  // an empty frame
    EXPECT_FALSE(gmmu_rimm_host_answer(&host.h, &f).found);
    gmmu_rimm_host_fill(&host.h, 2, &f);
    gmmu_rimm_host_keep(&host.h, 2);        // it was not leaving
    gmmu_rimm_host_pin(&host.h, 2, false);  // it was not pinned
    gmmu_rimm_host_pin(&host.h, 2, true);
    gmmu_rimm_host_keep(&host.h, 2);  // it stays out of reach
    EXPECT_FALSE(gmmu_rimm_host_answer(&host.h, &f).found);
    gmmu_rimm_host_pin(&host.h, 2, false);
    const gmmu_rimm_fault later = gmmu_rimm_host_fault(&host.h, 0, 8, 1, 300);
    const gmmu_rimm_victim v = gmmu_rimm_host_answer(&host.h, &later);
    EXPECT_TRUE(v.found);
    EXPECT_EQ(v.frame, 2u);
    EXPECT_EQ(v.tesla, 300u);
    gmmu_rimm_host_pin(&host.h, 2, true);  // it is leaving: no list takes it back
    gmmu_rimm_host_pin(&host.h, 2, false);
    EXPECT_FALSE(gmmu_rimm_host_answer(&host.h, &later).found);
}

// A time from before the first one is 0; faults come in without anybody who listens; a head of
// records that do not follow is no packet.
TEST(RimmHost, TimesBeforeTheFirst) {
    const gmmu_config &c = *gmmu_config_find("tiny");
    Host host({c, 4, true, 8, true});
    gmmu_rit_event e = {};
    e.access = e.fault = true;
    e.time = 3;
    host.h.on_fault = nullptr;
    EXPECT_EQ(host.beat(gmmu_rit_head{0, 2, 0, 3}, false), GMMU_RIMM_OK);
    EXPECT_EQ(host.beat(e, false), GMMU_RIMM_OK);
    e.time = ((1U << c.time_w) - 10) & ((1U << c.time_w) - 1);
    EXPECT_EQ(host.beat(e, true), GMMU_RIMM_OK);
    EXPECT_EQ(host.h.now, 3u);
    EXPECT_EQ(host.h.stats.faults, 2u);
    EXPECT_EQ(host.beat(gmmu_rit_head{1, 2, 0, 3}, true), GMMU_RIMM_BAD);
}

}  // namespace
