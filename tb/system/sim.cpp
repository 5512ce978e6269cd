// SPDX-License-Identifier: Apache-2.0
// sim.cpp: `make sim`: one test, a description in sim/tests/, on RTL and C model in lock-step.
//
// Steps: an "example" of the paper (priorities of a few pages at given times, against the exact
// rationals), or "walks": a recorded trace on the standard schedule (docs/schedule.md), with the
// harness as driver. Exit status: 0 all equal, 1 mismatch, 2 usage or bad input.
#include <getopt.h>
#include <jansson.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "blocks/crc32c.h"
#include "blocks/schedule.h"
#include "driver.h"
#include "exact/leu.h"
#include "host_side.h"
#include "hpe_side.h"
#include "lockstep/lockstep.h"
#include "policy/policy.h"

namespace {

struct Options {
    std::string test, out = "build/sim", mode = "cross";
    uint32_t seed = 1;
    int only = -1;       // this step alone
    bool quick = false;  // without the steps that are "long"
    uint64_t wave_from = 1, wave_to = 0;
};

// One row of the closing table.
struct Row {
    std::string step;
    Activity did;
    uint64_t events = 0, faults = 0, mismatches = 0;
    std::vector<std::pair<std::string, uint64_t>> evictions;  // of the unit and of the others
    double seconds = 0;
    std::string note;
};

struct Bad {
    std::string text;
};

[[noreturn]] void bad(const std::string &text) {
    throw Bad{text};
}

class Progress {
   public:
    explicit Progress(std::string what) : name(std::move(what)), tty(isatty(2) != 0) {}
    ~Progress() {
        if (tty)
            std::fprintf(stderr, "\r\033[K");
    }
    void at(uint64_t done, uint64_t total, uint64_t cycles) {
        if (!tty || (done & 1023) != 0)
            return;
        const double s = seconds();
        if (s < shown + 0.2)
            return;
        shown = s;
        std::fprintf(stderr, "\r\033[K%s: %3.0f %%, %.2f M cycles/s, %.0f s left", name.c_str(),
                     100.0 * static_cast<double>(done) / static_cast<double>(total ? total : 1),
                     static_cast<double>(cycles) / s / 1e6,
                     s * static_cast<double>(total - done) / static_cast<double>(done ? done : 1));
    }
    double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

   private:
    std::string name;
    bool tty;
    double shown = 0;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

struct Reader {
    gmmu_error err = {};
    gmmu_reader *r;
    explicit Reader(const std::string &path) : r(gmmu_reader_open(path.c_str(), &err)) {
        if (r == nullptr)
            bad(err.text);
    }
    ~Reader() { gmmu_reader_close(r); }
    bool next(gmmu_walk *w) {
        const int s = gmmu_reader_next(r, w, &err);
        if (s == GMMU_BAD)
            bad(err.text);
        return s == GMMU_OK;
    }
};

gmmu_tier_drv_in drv_op(unsigned op, uint32_t frame, uint32_t asid, uint64_t vpn) {
    gmmu_tier_drv_in d = {};
    d.op = op;
    d.frame = frame;
    d.asid = asid;
    d.vpn = vpn;
    return d;
}

// A recorded walk as the walker sends it; FRAME -1: its page is not resident.
gmmu_tier_walk_in walk_of(const gmmu_walk &walk, int64_t frame, const gmmu_config &cfg) {
    gmmu_tier_walk_in w = {};
    w.vpn = walk.vpn;
    w.asid = walk.asid;
    w.ref = gmmu_fold_ref(walk.ref, cfg.ref_w);
    w.write = walk.write;
    w.fault = frame < 0;
    w.frame = frame < 0 ? 0 : static_cast<uint32_t>(frame);
    return w;
}

// The unit under test with walker and driver in front of it.
class Bench {
   public:
    Lockstep step;
    std::vector<gmmu_tier_decision> decisions;  // since the caller last looked

    Bench(const gmmu_config &cfg, const gmmu_regs &regs, const Options &o, const char *ram)
        : step(cfg, regs, ram, o.seed) {
        step.compare = o.mode == "cross";
        if (o.wave_from <= o.wave_to)
            step.wave(o.out + "/waves.fst", o.wave_from, o.wave_to);
    }
    bool reset() { return step.reset(); }
    // Runs to rest. False: a mismatch, or it does not come to rest.
    bool rest() {
        const uint64_t limit = step.did.cycles + 64ull * step.cfg.frames + 4000000;
        // a walk needs a few cycles to be seen at `quiet`; that it stays so twice is rest
        for (unsigned n = 0; n < 2;) {
            const Lockstep::Cycle c = step.cycle();
            if (c.decided)
                decisions.push_back(c.decision);
            n = c.quiet ? n + 1 : 0;
            if (step.mismatch.found)
                return false;
            if (step.did.cycles > limit) {
                step.mismatch.found = true;
                step.mismatch.block = "gmmu_tier";
                step.mismatch.field = "does not come to rest";
                step.mismatch.cycle = step.did.cycles;
                step.mismatch.walk = step.did.walks;
                return false;
            }
        }
        return true;
    }
    bool walk(const gmmu_tier_walk_in &w) {
        step.offer_walk(w);
        return rest();
    }
    bool drv(const gmmu_tier_drv_in &d) {
        step.offer_drv(d);
        return rest();
    }
};

// The twin alone, on the standard schedule.
class Alone {
   public:
    std::vector<gmmu_tier_decision> decisions;
    Alone(const gmmu_config &cfg, const gmmu_regs &regs) : memory(gmmu_tier_bytes(&cfg) + 16) {
        if (gmmu_tier_init(&u, &cfg, &regs, memory.data(), memory.size()) != 0)
            bad("configuration is not legal");
    }
    gmmu_tier_walk_out walk(const gmmu_tier_walk_in &w) {
        const gmmu_tier_walk_out out = gmmu_tier_walk(&u, w);
        gmmu_tier_settle(&u, take, this);
        return out;
    }
    void drv(const gmmu_tier_drv_in &d) {
        (void)gmmu_tier_drv(&u, d);
        gmmu_tier_settle(&u, take, this);
    }

   private:
    gmmu_tier u;
    std::vector<char> memory;
    static void take(void *self, const gmmu_tier_decision *d) {
        static_cast<Alone *>(self)->decisions.push_back(*d);
    }
};

bool alike(const gmmu_tier_decision &a, const gmmu_tier_decision &b) {
    return a.seq == b.seq && a.tier == b.tier && a.frame == b.frame && a.priority == b.priority &&
           a.vpn == b.vpn && a.victim_vpn == b.victim_vpn && a.victim_dirty == b.victim_dirty;
}

std::string text_of(json_t *o, const char *key) {
    const char *s = json_string_value(json_object_get(o, key));
    if (s == nullptr)
        bad(std::string("step: found no \"") + key + "\", expected a string");
    return s;
}

// ---- an example of the paper
struct Seen {
    std::map<uint32_t, uint16_t> priority;  // of each frame
};

bool parse_ratio(const std::string &s, gmmu_exact_ratio *r) {
    char *end;
    r->num = std::strtoull(s.c_str(), &end, 10);
    r->den = *end == '/' ? std::strtoull(end + 1, &end, 10) : 1;
    return *end == 0 && r->den != 0;
}

Row run_example(json_t *j, const gmmu_config &cfg, const Options &o) {
    const std::string pattern = text_of(j, "trace");
    const uint64_t periods =
        static_cast<uint64_t>(json_integer_value(json_object_get(j, "periods")));
    const uint64_t at = static_cast<uint64_t>(json_integer_value(json_object_get(j, "at")));
    std::map<char, uint64_t> ref;
    std::map<char, gmmu_exact_ratio> expected;
    std::map<char, uint32_t> frame;  // pages take frames in the order of first use
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(j, "refs"), key, value) ref[key[0]] =
        static_cast<uint64_t>(json_integer_value(value));
    json_object_foreach(json_object_get(j, "expect"), key, value) {
        gmmu_exact_ratio r;
        if (!parse_ratio(json_string_value(value), &r))
            bad(std::string("step: found expectation \"") + json_string_value(value) +
                "\", expected a rational");
        expected[key[0]] = r;
    }
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = static_cast<uint32_t>(expected.size());
    regs.pseudo = 0;
    regs.refresh = 0;  // priorities as of every walk
    regs.sample = 0;   // learnt from every page
    Row row;
    row.step = text_of(j, "example");
    Bench b(cfg, regs, o, "garbage");
    gmmu_exact_leu *exact = gmmu_exact_leu_create();
    Seen seen;
    b.step.on_candidate = [&](uint32_t f, uint16_t priority) { seen.priority[f] = priority; };
    double worst = 0;
    uint64_t checked = 0;
    const auto differs = [&](const std::string &what) {
        if (row.mismatches++ == 0)
            row.note = what;
    };
    bool ok = b.reset();
    const uint64_t period = pattern.size();
    for (uint64_t t = 1; ok && t <= periods * period + at; t++) {
        const char page = pattern[(t - 1) % period];
        gmmu_tier_walk_in w = {};
        w.vpn = 0x100u + static_cast<unsigned char>(page);
        w.ref = ref[page];
        w.fault = frame.count(page) == 0;
        w.frame = w.fault ? 0 : frame[page];
        ok = b.walk(w);
        (void)gmmu_exact_leu_walk(exact, {0, w.vpn}, w.ref);
        if (ok && w.fault) {
            const uint32_t f = static_cast<uint32_t>(frame.size());
            frame[page] = f;
            b.decisions.clear();
            ok = b.drv(drv_op(GMMU_FILL, f, 0, w.vpn));
        }
        row.events++;
        if (!ok || t < 2 * period || t % period != at)
            continue;
        // A page that is not there is asked for: a search, and no access; then it is called off.
        seen.priority.clear();
        b.decisions.clear();
        ok = b.drv(drv_op(GMMU_ASK, 0, 0, 0x999)) && !b.decisions.empty();
        if (!ok)
            break;
        const gmmu_tier_decision d = b.decisions.back();
        ok = b.drv(drv_op(GMMU_CANCEL, d.frame, 0, 0x999));
        char lowest = 0;
        for (const auto &[name, want] : expected) {
            gmmu_exact_ratio is;
            if (!gmmu_exact_leu_priority(exact, {0, 0x100u + static_cast<unsigned char>(name)}, t,
                                         &is) ||
                is.num * want.den != want.num * is.den)
                differs("leu-exact: page " + std::string(1, name) + " is " +
                        std::to_string(is.num) + "/" + std::to_string(is.den));
            const double exact_value = static_cast<double>(is.num) / static_cast<double>(is.den);
            const double unit = gmmu_minifloat_value(seen.priority[frame[name]]);
            const double error = (exact_value - unit) / exact_value;
            worst = std::max(worst, std::fabs(error));
            if (error < 0 || error >= std::ldexp(1, -10))
                differs("the unit's priority of page " + std::string(1, name) + " is " +
                        std::to_string(unit));
            if (lowest == 0 || want.num * expected[lowest].den < expected[lowest].num * want.den)
                lowest = name;
            checked++;
        }
        if (d.tier != GMMU_TIER_2 || d.frame != frame[lowest])
            differs("the victim is not the page of the lowest priority");
    }
    gmmu_exact_leu_destroy(exact);
    if (ok)
        b.step.finish();
    row.did = b.step.did;
    if (b.step.mismatch.found) {
        row.mismatches++;
        row.note = b.step.mismatch.text();
    }
    if (row.mismatches == 0) {
        char s[160];
        std::snprintf(s, sizeof s,
                      "%" PRIu64
                      " priorities as printed; unit within %.2g of leu-exact (bound 2^-10)",
                      checked, worst);
        row.note = s;
        if (checked == 0) {
            row.mismatches++;
            row.note = "nothing was checked";
        }
    }
    return row;
}

// ---- a recorded trace
uint64_t number_of(json_t *o, const char *key, uint64_t otherwise) {
    json_t *v = json_object_get(o, key);
    return json_is_integer(v) ? static_cast<uint64_t>(json_integer_value(v)) : otherwise;
}

// A recorded trace, read once: its length, its pages, and what other policies make of it.
class Recorded {
   public:
    const std::string path;
    uint64_t walks = 0, distinct = 0;

    explicit Recorded(const std::string &file) : path(file), pages(gmmu_pages_create()) {
        Reader in(path);
        gmmu_walk w;
        while (in.next(&w)) {
            index.push_back(gmmu_pages_index(pages, w.asid, w.vpn));
            walks++;
        }
        distinct = gmmu_pages_count(pages);
        future.count = index.size();
        future.pages = static_cast<uint32_t *>(std::malloc(index.size() * sizeof(uint32_t) + 1));
        if (future.pages == nullptr)
            bad("out of memory");
        std::copy(index.begin(), index.end(), future.pages);
        if (gmmu_future_build(&future, static_cast<uint32_t>(distinct)) != GMMU_OK)
            bad("out of memory");
    }
    Recorded(const Recorded &) = delete;
    Recorded &operator=(const Recorded &) = delete;
    ~Recorded() {
        gmmu_future_free(&future);
        gmmu_pages_destroy(pages);
    }
    std::string name() const { return path.substr(path.rfind('/') + 1); }
    // Evictions of a policy with so many FRAMES.
    uint64_t evictions(const char *policy, uint32_t frames, const char *options = nullptr) {
        gmmu_error err = {};
        const gmmu_policy *p = gmmu_policy_find(policy, std::strlen(policy));
        gmmu_policy_config pc = {};
        pc.options = options;
        pc.frames = frames;
        pc.pages = pages;
        pc.future = p->needs_future ? &future : nullptr;
        gmmu_sim *sim = gmmu_sim_create(p, &pc, &err);
        if (sim == nullptr)
            bad(err.text);
        Reader in(path);
        Progress progress(std::string("  ") + policy);
        gmmu_walk w;
        gmmu_outcome out;
        for (uint64_t i = 0; in.next(&w); i++) {
            if (gmmu_sim_access(sim, index[i], &w, &out, &err) != GMMU_OK)
                bad(err.text);
            progress.at(i + 1, index.size(), i);
        }
        const uint64_t n = gmmu_sim_counts(sim).evictions;
        gmmu_sim_destroy(sim);
        return n;
    }

   private:
    gmmu_pages *pages;
    std::vector<uint32_t> index;
    gmmu_future future = {};
};

uint32_t frames_of(const std::string &text, uint64_t distinct) {
    char *end;
    const uint64_t n = std::strtoull(text.c_str(), &end, 10);
    const uint64_t frames = *end == '%' ? std::max<uint64_t>(1, distinct * n / 100) : n;
    if (n == 0 || (*end != 0 && std::strcmp(end, "%") != 0))
        bad("step: found frames \"" + text + "\", expected N or N%");
    return static_cast<uint32_t>(frames);
}

// Walks come at random gaps of 1 to GAP cycles and wait for nothing; the driver answers each
// decision 1 to LATENCY cycles later. The walker holds back a fault only while all entries of the
// queue are taken.
void stream_walks(const Recorded &trace, const gmmu_regs &regs, const gmmu_config &cfg,
                  const Options &o, uint64_t latency, uint64_t gap, unsigned rit_ready, Row *row) {
    struct Answer {
        uint64_t due;
        gmmu_tier_decision d;
    };
    Bench b(cfg, regs, o, "garbage");
    HostSide host(cfg, regs);
    if (rit_ready != 0) {
        b.step.rit().ready = rit_ready;
        host.listen(&b.step);
    }
    std::mt19937_64 rng(o.seed);
    Residency where(regs.frames);
    std::deque<Answer> answers;
    std::set<std::pair<uint32_t, uint64_t>> outstanding;
    Reader in(trace.path);
    Progress progress(row->step);
    gmmu_walk walk;
    uint64_t evictions = 0, next_at = 0, cycle = 0;
    bool ok = b.reset(), more = in.next(&walk), drv_waits = false, quiet = false;
    gmmu_tier_decision filling = {};
    while (ok && (more || !quiet || !answers.empty() || drv_waits)) {
        cycle++;
        if (more && cycle >= next_at) {
            const int64_t frame = where.find({walk.asid, walk.vpn});
            const std::pair<uint32_t, uint64_t> page(walk.asid, walk.vpn);
            if (frame >= 0 || outstanding.count(page) != 0 || outstanding.size() < cfg.faults) {
                const gmmu_tier_walk_in w = walk_of(walk, frame, cfg);
                b.step.offer_walk(w);
                if (w.fault) {
                    row->faults += outstanding.insert(page).second;
                }
                row->events++;
                more = in.next(&walk);
                next_at = cycle + (gap > 1 ? 1 + rng() % gap : 1);
                progress.at(row->events, trace.walks, b.step.did.cycles);
            }
        }
        if (!drv_waits && !answers.empty() && cycle >= answers.front().due) {
            filling = answers.front().d;
            answers.pop_front();
            if (filling.tier == GMMU_TIER_NONE)
                b.step.offer_drv(drv_op(GMMU_ASK, 0, filling.asid, filling.vpn));
            else
                b.step.offer_drv(where.prepare(filling));
            drv_waits = true;
        }
        b.step.take_decisions(rng() % 4 != 0);
        const Lockstep::Cycle c = b.step.cycle();
        quiet = c.quiet;
        if (c.drv_taken) {
            drv_waits = false;
            if (filling.tier != GMMU_TIER_NONE) {
                where.arrived();
                outstanding.erase({filling.asid, filling.vpn});
            }
        }
        if (c.decided) {
            if (c.decision.tier == GMMU_TIER_2) {
                evictions++;
                where.unmap(c.decision.frame);  // at once: nobody may still hit it
            }
            const uint64_t due = cycle + 1 + rng() % latency;
            answers.push_back(
                {answers.empty() ? due : std::max(due, answers.back().due), c.decision});
        }
        ok = !b.step.mismatch.found && cycle < 10000 * (trace.walks + 1000);
    }
    if (ok)
        b.step.finish();
    row->seconds = progress.seconds();
    row->did = b.step.did;
    row->note = std::to_string(evictions) + " evictions; " +
                std::to_string(b.step.twin.stats.merged) + " faults joined, " +
                std::to_string(b.step.twin.stats.rec_drops) + " records dropped, " +
                std::to_string(b.step.twin.sampler.stolen) + " samples stolen";
    if (rit_ready != 0 && o.mode == "cross") {
        bool lost;
        row->note += "; " + host.report(b.step, &lost);
        row->mismatches += lost;
    }
    if (b.step.mismatch.found || !ok) {
        row->mismatches++;
        row->note =
            ok || b.step.mismatch.found ? b.step.mismatch.text() : "does not come to an end";
    }
}

// HPE with the driver in software: hits leave the RTL in packets, the page set chain's victim goes
// back. The unit's own decision asks for another frame as a rule: the page goes where HPE says, and
// CANCEL takes the unit's back.
Row run_hpe(json_t *j, const gmmu_config &cfg, const Options &o) {
    Recorded trace(text_of(j, "walks"));
    Row row;
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = std::min(frames_of(text_of(j, "frames"), trace.distinct), cfg.frames);
    regs.search = GMMU_SEARCH_SAMPLE;
    json_t *hir = json_object_get(j, "hpe");
    regs.transfer = static_cast<uint32_t>(number_of(hir, "transfer", regs.transfer));
    row.step = trace.name() + ", " + std::to_string(regs.frames) + " of " +
               std::to_string(trace.distinct) + " pages, HPE";
    const bool rtl = o.mode != "model", model = o.mode != "rtl";
    Bench b(cfg, regs, o, "garbage");
    b.step.hir().ready = static_cast<unsigned>(number_of(hir, "ready", 1000));
    Alone alone(cfg, regs);
    HpeSide heard(cfg, regs), told(cfg, regs);
    heard.listen(&b.step);
    Residency where(regs.frames);
    uint64_t evictions = 0, unlike = 0;
    bool ok = !rtl || b.reset();
    Reader in(trace.path);
    Progress progress(row.step);
    gmmu_walk walk;
    const auto drive = [&](const gmmu_tier_drv_in &op) {
        if (rtl)
            ok = ok && b.drv(op);
        if (model)
            alone.drv(op);
    };
    while (ok && in.next(&walk)) {
        const int64_t frame = where.find({walk.asid, walk.vpn});
        const gmmu_tier_walk_in w = walk_of(walk, frame, cfg);
        if (w.fault) {
            heard.fault(w.asid, w.vpn);
            told.fault(w.asid, w.vpn);
        }
        if (rtl)
            ok = b.walk(w);
        if (model) {
            const gmmu_tier_walk_out out = alone.walk(w);
            if (out.hir_swap)
                told.packet(out.hir_packet);
        }
        row.events++;
        if (ok && w.fault) {
            row.faults++;
            const std::vector<gmmu_tier_decision> &made = rtl ? b.decisions : alone.decisions;
            if (made.empty() || made.back().tier == GMMU_TIER_NONE) {
                row.mismatches++;
                row.note = "walk " + std::to_string(row.events) + ": no decision for a fault";
                break;
            }
            gmmu_tier_decision d = made.back();
            const uint32_t unit_frame = d.frame;
            if (d.tier == GMMU_TIER_2) {
                const gmmu_psc_page v = rtl ? heard.victim() : told.victim();
                if (o.mode == "cross") {
                    const gmmu_psc_page u = told.victim();
                    unlike += u.vpn != v.vpn || u.asid != v.asid;
                }
                const int64_t place = where.find({v.asid, v.vpn});
                if (place < 0) {
                    row.mismatches++;
                    row.note =
                        "walk " + std::to_string(row.events) + ": HPE's victim is not resident";
                    break;
                }
                d.frame = static_cast<uint32_t>(place);
                evictions++;
            }
            drive(where.fill(d));
            if (d.frame != unit_frame)
                drive(drv_op(GMMU_CANCEL, unit_frame, d.asid, d.vpn));
            heard.filled(w.asid, w.vpn);
            told.filled(w.asid, w.vpn);
            b.decisions.clear();
            alone.decisions.clear();
        }
        progress.at(row.events, trace.walks, b.step.did.cycles);
    }
    if (rtl && ok)
        b.step.finish();
    row.seconds = progress.seconds();
    row.did = b.step.did;
    const HpeSide &side = rtl ? heard : told;
    if (b.step.mismatch.found) {
        row.mismatches++;
        row.note = b.step.mismatch.text();
    } else if (row.mismatches == 0) {
        row.note = std::to_string(side.records) + " records in " + std::to_string(side.packets) +
                   " packets, " + std::to_string(b.step.twin.hir.drops) + " hits dropped; " +
                   side.category();
        row.mismatches += side.bad || unlike != 0 ||
                          (o.mode == "cross" && (told.bad || told.records != heard.records));
    }
    row.evictions.push_back({"unit", evictions});
    if (row.mismatches == 0) {
        const std::string options =
            "sets=" + std::to_string(cfg.hir_sets) + ":ways=" + std::to_string(cfg.hir_ways) +
            ":set=" + std::to_string(cfg.hir_pages) + ":bits=" + std::to_string(cfg.hir_cnt_w) +
            ":transfer=" + std::to_string(regs.transfer);
        row.evictions.push_back({"hpe", trace.evictions("hpe", regs.frames, options.c_str())});
        if (row.evictions.back().second != evictions) {
            row.mismatches++;
            row.note += "; the policy hpe evicts otherwise";
        }
        for (const char *p : {"leu", "lru", "opt"})
            row.evictions.push_back({p, trace.evictions(p, regs.frames)});
    }
    return row;
}

Row run_walks(json_t *j, const gmmu_config &cfg, const Options &o) {
    Recorded trace(text_of(j, "walks"));
    Row row;
    gmmu_regs regs = gmmu_regs_default(&cfg);
    regs.frames = frames_of(text_of(j, "frames"), trace.distinct);
    const char *search = json_string_value(json_object_get(j, "search"));
    regs.search = search != nullptr && std::strcmp(search, "sample") == 0 ? GMMU_SEARCH_SAMPLE
                                                                          : GMMU_SEARCH_SCAN;
    json_t *rit = json_object_get(j, "rit");
    regs.feed = static_cast<uint32_t>(number_of(j, "feed", regs.feed));
    regs.censor = static_cast<uint32_t>(number_of(j, "censor", regs.censor));
    if (rit != nullptr) {
        regs.rit_batch = static_cast<uint32_t>(number_of(rit, "batch", cfg.ritq));
        regs.rit_fault = static_cast<uint32_t>(number_of(rit, "faults", 1));
        regs.rit_wait = static_cast<uint32_t>(number_of(rit, "wait", regs.rit_wait));
    }
    const unsigned rit_ready =
        rit == nullptr ? 0 : static_cast<unsigned>(number_of(rit, "ready", 1000));
    const uint64_t latency = number_of(j, "latency", 0), gap = number_of(j, "gap", 0);
    const uint64_t bound = number_of(j, "decision_cycles", 0);
    const gmmu_config &sized = cfg;
    if (regs.frames > cfg.frames) {
        // the largest memory that this configuration has
        row.note =
            "memory cut from " + std::to_string(regs.frames) + " frames to the configuration's";
        regs.frames = cfg.frames;
    }
    row.step = trace.name() + ", " + std::to_string(regs.frames) + " of " +
               std::to_string(trace.distinct) + " pages" + (regs.search ? ", sample" : "") +
               (latency ? ", latency" : "") + (regs.feed ? ", fed by hits" : "");
    if (latency != 0 && o.mode != "model") {
        stream_walks(trace, regs, cfg, o, latency, gap, rit_ready, &row);
        return row;
    }
    const bool rtl = o.mode != "model";
    Bench b(sized, regs, o, "garbage");
    Alone alone(sized, regs);
    HostSide host(sized, regs);
    if (rit_ready != 0) {
        b.step.rit().ready = rit_ready;
        host.listen(&b.step);
    }
    Residency where(regs.frames);
    uint64_t evictions = 0;
    bool ok = !rtl || b.reset();
    Reader in(trace.path);
    Progress progress(row.step);
    gmmu_walk walk;
    while (ok && in.next(&walk)) {
        const Residency::Page page = {walk.asid, walk.vpn};
        const int64_t frame = where.find(page);
        const gmmu_tier_walk_in w = walk_of(walk, frame, cfg);
        if (rtl)
            ok = b.walk(w);
        if (o.mode != "rtl")
            (void)alone.walk(w);
        row.events++;
        std::vector<gmmu_tier_decision> &made = rtl ? b.decisions : alone.decisions;
        if (ok && w.fault) {
            row.faults++;
            // rtl and leu decide alike: the RTL's order of actions and the standard schedule's
            if (o.mode == "cross" &&
                (b.decisions.size() != alone.decisions.size() || b.decisions.empty() ||
                 !alike(b.decisions.back(), alone.decisions.back()))) {
                row.mismatches++;
                row.note = "walk " + std::to_string(row.events) +
                           ": the RTL decides otherwise than the standard schedule";
                break;
            }
            if (made.empty() || made.back().tier == GMMU_TIER_NONE) {
                row.mismatches++;
                row.note = "walk " + std::to_string(row.events) + ": no decision for a fault";
                break;
            }
            evictions += made.back().tier == GMMU_TIER_2;
            const gmmu_tier_drv_in fill = where.fill(made.back());
            if (rit_ready != 0 && o.mode == "cross")
                host.decided(made.back(), fill.frame);
            b.decisions.clear();
            alone.decisions.clear();
            if (rtl)
                ok = b.drv(fill);
            if (o.mode != "rtl")
                alone.drv(fill);
        }
        progress.at(row.events, trace.walks, b.step.did.cycles);
    }
    if (rtl && ok)
        b.step.finish();
    row.seconds = progress.seconds();
    row.did = b.step.did;
    if (b.step.mismatch.found) {
        row.mismatches++;
        row.note = b.step.mismatch.text();
    }
    if (bound != 0 && row.mismatches == 0 && o.mode == "cross") {
        row.note = "longest search " + std::to_string(row.did.longest_search) + " cycles (bound " +
                   std::to_string(bound) + ")";
        row.mismatches += row.did.longest_search > bound || row.did.longest_search == 0;
    }
    if (rit_ready != 0 && row.mismatches == 0 && o.mode == "cross") {
        bool lost;
        const std::string said = host.report(b.step, &lost);
        row.note = std::to_string(host.alike) + " of " + std::to_string(host.asked) +
                   " victims alike; " + said;
        row.mismatches +=
            lost || b.step.twin.rit_export.drops != 0;  // the unit rests: the host keeps up
        // where the tables are equal, all must be alike: no row of either was ever taken away
        bool taken = false;
        for (unsigned r = 0; r < cfg.classes; r++)
            taken |= b.step.twin.rit.way[r].valid && b.step.twin.rit.way[r].gen != 1;
        if (json_is_true(json_object_get(rit, "alike")) && !taken)
            row.mismatches += host.alike != host.asked || host.asked == 0;
        row.note += taken ? "; rows were taken away" : "";
    }
    row.evictions.push_back({"unit", evictions});
    if (row.mismatches == 0)
        for (const char *p : {"leu-exact", "lru", "clock", "opt"})
            row.evictions.push_back({p, trace.evictions(p, regs.frames)});
    if (row.mismatches == 0 && rit_ready != 0) {
        const std::string options = std::string("config=") + cfg.name +
                                    ":feed=" + std::to_string(regs.feed) +
                                    ":censor=" + std::to_string(regs.censor);
        const std::string batch = options + ":batch=" + std::to_string(regs.rit_batch);
        row.evictions.push_back({"leu", trace.evictions("leu", regs.frames, options.c_str())});
        row.evictions.push_back(
            {"leu-host", trace.evictions("leu-host", regs.frames, batch.c_str())});
    }
    return row;
}

// What a run without the other side cannot say.
std::string mismatches_of(const Row &r, const Options &o) {
    return o.mode == "cross" ? std::to_string(r.mismatches) : "-";
}

// ---- the reports
void print_table(const std::vector<Row> &rows, const Options &o) {
    std::printf("\n%-46s %9s %10s %9s %8s %10s\n", "step", "events", "cycles", "decisions",
                "faults", "mismatches");
    uint64_t events = 0, mismatches = 0;
    for (const Row &r : rows) {
        std::string name = r.step;
        if (name.size() > 46)
            name = name.substr(0, 43) + "...";
        std::printf("%-46s %9" PRIu64 " %10" PRIu64 " %9" PRIu64 " %8" PRIu64 " %10s\n",
                    name.c_str(), r.events, r.did.cycles, r.did.decisions, r.faults,
                    mismatches_of(r, o).c_str());
        if (!r.note.empty())
            std::printf("    %s\n", r.note.c_str());
        events += r.events;
        mismatches += r.mismatches;
    }
    std::printf("%-46s %9" PRIu64 " %*s %10" PRIu64 "\n", "all", events, 29, "", mismatches);
    bool head = false;
    for (const Row &r : rows) {
        if (r.evictions.size() < 2)
            continue;
        if (!head) {
            std::printf("\n%-46s", "evictions");
            for (const auto &e : r.evictions) std::printf(" %10s", e.first.c_str());
            std::printf("\n");
            head = true;
        }
        std::printf("%-46s", r.step.c_str());
        for (const auto &e : r.evictions) std::printf(" %10" PRIu64, e.second);
        std::printf("\n");
    }
    std::printf("\n");
}

void write_report(const std::vector<Row> &rows, const Options &o, const gmmu_config &cfg) {
    json_t *list = json_array();
    for (const Row &r : rows) {
        json_t *e = json_object();
        for (const auto &x : r.evictions)
            json_object_set_new(e, x.first.c_str(),
                                json_integer(static_cast<json_int_t>(x.second)));
        json_array_append_new(
            list, json_pack("{s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:f, s:s, s:o}",
                            "step", r.step.c_str(), "events", static_cast<json_int_t>(r.events),
                            "cycles", static_cast<json_int_t>(r.did.cycles), "actions",
                            static_cast<json_int_t>(r.did.actions()), "candidates",
                            static_cast<json_int_t>(r.did.cands), "decisions",
                            static_cast<json_int_t>(r.did.decisions), "refreshes",
                            static_cast<json_int_t>(r.did.installs), "faults",
                            static_cast<json_int_t>(r.faults), "longest_search",
                            static_cast<json_int_t>(r.did.longest_search), "mismatches",
                            static_cast<json_int_t>(r.mismatches), "seconds", r.seconds, "note",
                            r.note.c_str(), "evictions", e));
    }
    json_t *all =
        json_pack("{s:s, s:s, s:s, s:I, s:o}", "test", o.test.c_str(), "config", cfg.name, "mode",
                  o.mode.c_str(), "seed", static_cast<json_int_t>(o.seed), "steps", list);
    const std::string path = o.out + "/report.json";
    if (json_dump_file(all, path.c_str(), JSON_INDENT(2)) != 0)
        bad(path + ": cannot be written");
    json_decref(all);
}

int run(const Options &o) {
    json_error_t je;
    json_t *test = json_load_file(o.test.c_str(), 0, &je);
    if (test == nullptr)
        bad(o.test + ":" + std::to_string(je.line) + ": " + je.text);
    const gmmu_config *cfg = gmmu_config_find(GMMU_CONFIG_NAME);
    std::vector<Row> rows;
    bool equal = true;
    size_t i;
    json_t *step;
    json_array_foreach(json_object_get(test, "steps"), i, step) {
        if (o.only >= 0 && static_cast<size_t>(o.only) != i)
            continue;
        if (o.quick && json_is_true(json_object_get(step, "long"))) {
            std::printf("step %zu is left out: long\n", i);
            continue;
        }
        const bool example = json_object_get(step, "example") != nullptr;
        if (example && o.mode != "cross")
            continue;
        const bool hpe = json_object_get(step, "hpe") != nullptr;
        rows.push_back(example ? run_example(step, *cfg, o)
                       : hpe   ? run_hpe(step, *cfg, o)
                               : run_walks(step, *cfg, o));
        if (rows.back().mismatches != 0) {
            equal = false;
            std::printf("MISMATCH step %zu cycle %" PRIu64 ": %s\n", i, rows.back().did.cycles,
                        rows.back().note.c_str());
            break;
        }
    }
    json_decref(test);
    if (rows.empty())
        bad(o.test + ": no step to run");
    print_table(rows, o);
    write_report(rows, o, *cfg);
    return equal ? 0 : 1;
}

}  // namespace

int main(int argc, char **argv) {
    Options o;
    const option longs[] = {{"test", required_argument, nullptr, 't'},
                            {"out", required_argument, nullptr, 'o'},
                            {"seed", required_argument, nullptr, 's'},
                            {"mode", required_argument, nullptr, 'm'},
                            {"step", required_argument, nullptr, 'n'},
                            {"wave-from", required_argument, nullptr, 'f'},
                            {"wave-to", required_argument, nullptr, 'u'},
                            {"quick", no_argument, nullptr, 'q'},
                            {nullptr, 0, nullptr, 0}};
    for (int c; (c = getopt_long(argc, argv, "", longs, nullptr)) != -1;) {
        switch (c) {
            case 't':
                o.test = optarg;
                break;
            case 'o':
                o.out = optarg;
                break;
            case 's':
                o.seed = static_cast<uint32_t>(std::strtoul(optarg, nullptr, 0));
                break;
            case 'm':
                o.mode = optarg;
                break;
            case 'n':
                o.only = std::atoi(optarg);
                break;
            case 'f':
                o.wave_from = std::strtoull(optarg, nullptr, 0);
                break;
            case 'q':
                o.quick = true;
                break;
            case 'u':
                o.wave_to = std::strtoull(optarg, nullptr, 0);
                break;
            default:
                return 2;
        }
    }
    if (o.test.empty() || (o.mode != "cross" && o.mode != "rtl" && o.mode != "model")) {
        std::fprintf(stderr,
                     "sim: usage: --test FILE [--out DIR] [--seed N] [--mode cross|rtl|model] "
                     "[--step N] [--quick] "
                     "[--wave-from CYCLE --wave-to CYCLE]\n");
        return 2;
    }
    try {
        return run(o);
    } catch (const Bad &b) {
        std::fprintf(stderr, "sim: %s\n", b.text.c_str());
        return 2;
    }
}
