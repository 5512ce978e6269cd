// SPDX-License-Identifier: Apache-2.0
// step_time.cpp: a recorded trace behind a walker that replays and a driver to which faults take
// time (tb/driver/walker.h, batch.h): warps, each with at most one access, take the walks of the
// trace in turn; faults are served in batches, and what waits is asked for again.
//
// Beside the lock-step: no fault is dropped, every access is served, and the decisions of both
// sides have one digest.
#include <algorithm>
#include <cinttypes>
#include <random>

#include "driver/timed_run.h"
#include "driver/twin_run.h"
#include "host/bad.h"
#include "progress.h"
#include "unit.h"
#include "walks.h"

namespace {

// What the step is told of walker and driver.
struct Told {
    driver::Walker::Settings walker;
    driver::BatchDriver::Settings driver;

    Told(json_t *j, const gmmu_config &cfg, uint32_t seed, Walks *w) {
        const auto number = [j](const char *key, uint64_t otherwise) {
            return static_cast<unsigned>(number_of(j, key, otherwise));
        };
        walker.warps = number("warps", 256);
        if (walker.warps > cfg.faults) {
            w->row.say("warps cut from " + std::to_string(walker.warps) + " to FAULTS");
            walker.warps = cfg.faults;
        }
        walker.tlbs = number("tlbs", 1);
        walker.tells = number("tells", 1) != 0;
        walker.every = number("every", 10);
        walker.delay = number("delay", 200);
        walker.seed = driver.seed = seed;
        driver.batch = number("batch", 256);
        driver.collects = number("collects", 200);
        driver.latency = number("latency", 20000);
        driver.each = number("each", 0);
        driver.prefetches = number("prefetch", 0);
        driver.cancels = number("cancels", 0);
        w->regs.ahead = std::min(number("ahead", 0), w->regs.frames / 4);
        w->regs.fresh = cfg.late == 0 ? 0 : number("fresh", 12);
        w->row.step += std::string(walker.tells ? "" : ", untold") +
                       (w->regs.ahead != 0 ? ", ahead " + std::to_string(w->regs.ahead) : "");
        w->row.say(std::to_string(walker.warps) + " warps, " + std::to_string(walker.tlbs) +
                   (walker.tlbs == 1 ? " TLB" : " TLBs"));
    }
};

// The trace, as the warps take it.
class Source {
   public:
    uint64_t given = 0;

    Source(const Walks &walks, const gmmu_config &config)
        : w_(walks), cfg_(config), in_(walks.trace.path) {}
    bool next(driver::Access *a) {
        gmmu_walk walk;
        if (given >= w_.limit || !in_.next(&walk))
            return false;
        const gmmu_tier_walk_in sent = walk_of(walk, cfg_);
        a->page = {sent.asid, sent.vpn};
        a->ref = sent.ref;
        a->write = sent.write;
        given++;
        return true;
    }
    // One of the next pages, as a driver guesses.
    driver::Page neighbour(driver::Page page) {
        return {page.first, (page.second + 1 + rng_() % 4) & mask()};
    }

   private:
    const Walks &w_;
    const gmmu_config &cfg_;
    Reader in_;
    std::mt19937 rng_;

    uint64_t mask() const { return cfg_.vpn_w == 64 ? ~0ull : (1ull << cfg_.vpn_w) - 1; }
};

// What came of the run, from either side.
void judge(const driver::Walker &walker, const driver::BatchDriver &driver, bool ended, Row *row) {
    const driver::Walker::Counts &walks = walker.counts();
    const driver::BatchDriver::Counts &did = driver.counts();
    row->events = walks.accesses;
    row->faults = walks.faults;
    row->say(std::to_string(did.evictions) + " evictions; " + std::to_string(did.batches) +
             " batches, up to " + std::to_string(did.largest) + " faults; " +
             std::to_string(walks.repeated) + " walks of " + std::to_string(walks.replays) +
             " replays, " + std::to_string(did.prefetched) + " pages prefetched, " +
             std::to_string(did.cancelled + did.ahead_cancelled) + " decisions cancelled");
    if (row->mismatches != 0)
        return;
    if (!ended)
        row->differs("does not come to an end: " + std::to_string(walks.served) + " of " +
                     std::to_string(walks.accesses) + " accesses served");
    else if (walks.served != walks.accesses)
        row->differs(std::to_string(walks.served) + " of " + std::to_string(walks.accesses) +
                     " accesses served");
}

// The counters, and the digest of the decisions.
void judge(const gmmu_counters &c, const driver::Digest &digest, Row *row) {
    char value[20];
    std::snprintf(value, sizeof value, "%016" PRIx64, digest.value());
    row->say(std::to_string(c.lost) + " lost, " + std::to_string(c.again) + " again, " +
             std::to_string(c.late) + " late, " + std::to_string(c.merged) + " joined, " +
             std::to_string(c.ahead) + " ahead; " + std::to_string(c.none) + " without a frame (" +
             std::to_string(c.none_fresh) + " of fresh ones), " + std::to_string(c.stale_hits) +
             " stale hits; decisions " + value);
    if (row->mismatches == 0 && c.fault_drops != 0)
        row->differs(std::to_string(c.fault_drops) + " faults dropped");
}

// Hears the twin's decisions.
class Listener : public driver::Watcher {
   public:
    driver::Digest digest;
    void decided(const driver::Decision &d) override { digest.add(d); }
};

// The twin alone, on the standard schedule.
void run_twin(const Walks &w, const Told &told, const gmmu_config &cfg, Source *source, Row *row) {
    driver::TwinRun run(
        cfg, w.regs, told.driver, told.walker,
        [source](unsigned, driver::Access *a) { return source->next(a); },
        [source](driver::Page p) { return source->neighbour(p); });
    if (!run.good())
        bad("configuration is not legal");
    Listener listener;
    run.watcher = &listener;
    const uint64_t most = 1000 * (w.trace.walks + 1000);
    judge(run.walker, run.driver, run.run(most), row);
    row->did.decisions = listener.digest.decisions;
    judge(gmmu_tier_counters(&run.unit), listener.digest, row);
}

}  // namespace

Keys time_keys(const gmmu_config &cfg) {
    return trace_keys(cfg) + Keys{number_key("latency", 1),
                                  number_key("every", 1, UINT16_MAX),
                                  number_key("delay", 0, UINT16_MAX),
                                  number_key("tlbs", 1, 1024),
                                  number_key("warps", 1, UINT16_MAX),
                                  number_key("tells", 0, 1),
                                  number_key("batch", 1, 256),
                                  number_key("collects", 0, UINT32_MAX),
                                  number_key("each", 0, UINT32_MAX),
                                  number_key("prefetch", 0, 1000),
                                  number_key("cancels", 0, 999),
                                  number_key("ahead", 0, UINT16_MAX),
                                  number_key("fresh", 0, cfg.time_w - 2)};
}

Row run_time(json_t *j, const gmmu_config &cfg, const Options &o) {
    Walks w(j, cfg);
    Row &row = w.row;
    const Told told(j, cfg, o.seed, &w);
    Source source(w, cfg);
    Progress progress(row.step);
    if (!o.rtl()) {
        run_twin(w, told, cfg, &source, &row);
        row.seconds = progress.seconds();
        return row;
    }
    Unit unit(cfg, w.regs, o);
    driver::TimedRun<Unit> run(
        &unit, w.regs, told.driver, told.walker, unit.memory_slack(),
        [&source](unsigned, driver::Access *a) { return source.next(a); },
        [&source](driver::Page p) { return source.neighbour(p); });
    std::mt19937 rng(o.seed);
    // of all that waits in between some is served in so many cycles, or nothing ever will be
    const uint64_t patience =
        100 * (told.driver.latency + 10000ull + told.walker.warps * (told.driver.each + 1000ull));
    bool ok = unit.reset();
    while (ok && !run.ended() && run.idle() < patience) {
        run.step(rng() % 4 != 0);
        ok = !unit.mismatch().found;
        progress.at(source.given, std::min(w.limit, w.trace.walks), unit.did().cycles);
    }
    if (ok && run.ended())
        unit.finish();
    row.seconds = progress.seconds();
    row.did = unit.did();
    if (unit.mismatch().found)
        row.differs(unit.mismatch().text());
    judge(run.walker, run.driver, run.ended(), &row);
    if (o.cross())
        judge(gmmu_tier_counters(&unit.twin()), run.digest, &row);
    if (o.cross() && row.mismatches == 0 && run.digest.value() != unit.twin_digest().value())
        row.differs("the decisions of both sides have different digests");
    return row;
}
