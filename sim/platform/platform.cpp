// SPDX-License-Identifier: Apache-2.0
// platform.cpp: see platform.h.
#include "platform.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "arrival_driver.h"
#include "arrival_gpu.h"
#include "arrival_policy.h"
#include "chunk_driver.h"
#include "decided_driver.h"
#include "decided_gpu.h"
#include "lt_unit.h"
#include "policy/registry.h"
#include "policy_unit.h"
#include "rtl_unit.h"

namespace {

// TEXT: pages, or a part of BASE, with SIGN behind it; at least 1.
uint32_t size_of(const std::string &name, const std::string &text, char sign, double per,
                 uint64_t base) {
    char *end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    const bool part = *end == sign && end[1] == 0;
    const bool digits = text.find_first_not_of("0123456789.") == text.find(sign);
    if (end == text.c_str() || !digits || (*end != 0 && !part) || !(value > 0) ||
        (!part && value != std::floor(value)) || value > GMMU_MAX_PAGES)
        bad("--" + name + ": found " + text + ", expected pages, or a number with " + sign);
    const double pages = part ? std::floor(value * per * static_cast<double>(base)) : value;
    if (pages > GMMU_MAX_PAGES)
        bad("--" + name + ": found " + text + ", expected at most " +
            std::to_string(GMMU_MAX_PAGES) + " pages");
    return pages < 1 ? 1 : static_cast<uint32_t>(pages);
}

// cfg_tier of a word; none: by priority.
unsigned place_of(const std::string &word) {
    static const char *const words[] = {"order", "random", "reuse", "priority"};
    for (unsigned i = 0; i < 4; i++)
        if (word == words[i])
            return GMMU_PLACE_ORDER + i;
    if (!word.empty())
        bad("--place: found " + word + ", expected order, random, reuse or priority");
    return GMMU_PLACE_PRIORITY;
}

unsigned search_of(const std::string &word) {
    if (word != "scan" && word != "sample" && word != "clock")
        bad("--search: found " + word + ", expected scan, sample or clock");
    return word == "scan"     ? GMMU_SEARCH_SCAN
           : word == "sample" ? GMMU_SEARCH_SAMPLE
                              : GMMU_SEARCH_CLOCK;
}

}  // namespace

Platform::Platform(const sc_core::sc_module_name &name, const Options &o, const Parameters &p,
                   const Rtl &rtl)
    : sc_module(name), options(o), parameters(p), pages_(gmmu_pages_create()) {
    SC_HAS_PROCESS(Platform);
    if (pages_ == nullptr)
        bad("out of memory: the page map");
    trace = std::make_unique<Trace>(o.trace, o.walks,
                                    o.page.empty() ? 0 : read_bytes("--page", o.page));
    if (!o.timeline.empty())
        timeline_ = std::make_unique<Timeline>(o.timeline);
    table_ = std::make_unique<PageTable>(pages_, o.policy == "none");
    make_unit(rtl);
    const uint64_t bytes = trace->page_bytes();
    walkers = std::make_unique<Walkers>("walkers", p, table_.get());
    if (arrival())
        make_arrival();
    else
        make_decided();
    dma = std::make_unique<Dma>("dma", bytes, tier2 != 0, timeline_.get());
    const auto pipe = [](const char *what, const auto &of) {
        return std::make_unique<Server>(what, 0, of.latency, of.bandwidth, of.bandwidth);
    };
    to_gpu = pipe("to_gpu", p.link);
    to_host = pipe("to_host", p.link);
    host = pipe("host", p.host);
    ssd = std::make_unique<Server>("ssd", p.ssd.commands, p.ssd.latency, p.ssd.read, p.ssd.write);
    bind();
    SC_THREAD(watch);
}

Platform::~Platform() {
    unit.reset();
    gmmu_future_free(&future_);
    gmmu_pages_destroy(pages_);
}

// What faults that take time do not go with.
void Platform::check_arrival() const {
    const Options &o = options;
    const char *const decided = ", expected --set run.timeline=decided with it";
    if (o.place == "reuse")
        bad("--place: found reuse" + std::string(decided));
    if (o.driver != "unit" && o.driver != "duel")
        bad("--driver: found " + o.driver + decided);
    if (parameters.driver.pin)
        bad(std::string("parameter driver.pin: found yes") + decided);
    if (parameters.driver.replay == Parameters::PAGE)
        bad(std::string("parameter driver.replay: found page") + decided);
    if (parameters.unit.fresh > 31)
        bad("parameter unit.fresh: found " + std::to_string(parameters.unit.fresh) +
            ", expected at most 31");
}

// What chunks do not go with.
void Platform::check_chunks(const std::string &policy) const {
    const uint64_t grain = parameters.driver.grain, page = trace->page_bytes();
    const std::string what = "parameter driver.grain: found " + std::to_string(grain) + " bytes";
    if (policy == "uvm" && tier2 != 0)
        bad("--policy: found uvm with --tier2, expected --set run.timeline=decided with it");
    if (policy == "uvm" && parameters.unit.ahead != 0)
        bad("--policy: found uvm, which names nobody ahead of need, expected unit.ahead=0 with it");
    if (parameters.driver.fair != 0)
        bad("parameter driver.fair: found " + std::to_string(parameters.driver.fair) +
            " with memory in chunks, expected 0 with it");
    if (grain == 0)
        return;
    if (tier2 != 0)
        bad(what + " with --tier2, expected page with it");
    if (grain < page || grain / page > frames)
        bad(what + ", expected at least a page, " + std::to_string(page) +
            " bytes, and at most memory, " + std::to_string(frames) + " pages");
    if (options.policy.find("chunk=") != std::string::npos)
        bad(what + " with --policy " + options.policy + ", expected one of the two sizes");
}

// The memory of uvm, or of driver.grain, by arrival.
void Platform::make_chunks(const std::string &policy, const char *policy_options) {
    const uint64_t grain = parameters.driver.grain;
    check_chunks(policy);
    std::string text = policy == "uvm" && policy_options != nullptr ? policy_options : "";
    if (grain != 0)
        text += ":chunk=" + std::to_string(grain / trace->page_bytes());
    if (parameters.driver.prefetch == Parameters::ALONE &&
        text.find("prefetch=") == std::string::npos)
        text += ":prefetch=none";
    text.erase(0, text.find_first_not_of(':'));
    gmmu_policy_config c = {};
    c.frames = frames;
    c.page_shift = page_shift();
    c.options = text.empty() ? nullptr : text.c_str();
    chunks_ = std::make_unique<ChunkMemory>(c, grain == 0 ? 0 : parameters.driver.big);
    chunk = chunks_->blocks.chunk;
}

uint32_t Platform::pages() const {
    // the driver numbers pages that it prefetches, too
    return chunk_driver != nullptr ? static_cast<uint32_t>(chunk_driver->chunk_counts.distinct)
                                   : gmmu_pages_count(pages_);
}

// The RTL of the program has the sizes that are asked for.
void Platform::check_rtl(const Rtl &rtl) const {
    const gmmu_config &sizes = *gmmu_config_find(rtl.config);
    const std::string model = "--model " + options.model;
    if (std::string(size_->cfg.name) != rtl.config || size_->cfg.frames != sizes.frames)
        bad(model + ": found " + std::to_string(size_->regs.frames) + " frames of configuration " +
            size_->cfg.name + ", expected at most " + std::to_string(sizes.frames) +
            " of configuration " + rtl.config);
    if (size_->cfg.t2_slots != sizes.t2_slots)
        bad(model + ": found " + std::to_string(size_->regs.t2_slots) +
            " slots of Tier 2, expected at most " + std::to_string(sizes.t2_slots));
}

void Platform::make_unit(const Rtl &rtl) {
    const Options &o = options;
    const size_t colon = o.policy.find(':');
    const std::string policy_name = o.policy.substr(0, colon);
    const bool of_unit = o.policy == "unit", none = o.policy == "none";
    const gmmu_policy *policy =
        of_unit || none ? nullptr : gmmu_policy_find(policy_name.data(), policy_name.size());
    if (!of_unit && !none && policy == nullptr)
        bad("--policy: found " + o.policy + ", expected unit, none or one of gmmu replay --help");
    const bool of_rtl = o.model != "lt";
    if (of_rtl && !of_unit)
        bad("--model " + o.model + ": found --policy " + o.policy + ", expected unit");
    if (of_rtl && o.model != rtl.model)
        bad("--model " + o.model + ": found a program without this RTL, expected build/platform-" +
            (o.model == "rtl" ? "" : "ring-") + "tiny or -default");
    if (!of_unit && (o.driver != "unit" || parameters.driver.pin))
        bad("--policy: found " + o.policy + ", expected unit for --driver and driver.pin");
    if (parameters.driver.pin && o.driver == "hpe")
        bad("--driver: found hpe, expected unit or rimm for driver.pin: the page set chain pins no "
            "page");
    if (o.driver != "unit" && !o.tier2.empty())
        bad("--driver: found " + o.driver + ", expected unit for --tier2");
    if (!of_unit && !o.search.empty())
        bad("--policy: found " + o.policy + ", expected unit for --search");
    if (o.tier2.empty() && !o.place.empty())
        bad("--place: found " + o.place + ", expected --tier2 with it");
    if (arrival())
        check_arrival();
    else if (parameters.driver.grain != 0)
        bad("parameter driver.grain: found " + std::to_string(parameters.driver.grain) +
            " bytes, expected page with --set run.timeline=decided");
    else if (parameters.driver.fair != 0)
        bad("parameter driver.fair: found " + std::to_string(parameters.driver.fair) +
            ", expected 0 with --set run.timeline=decided");
    const bool keep = policy != nullptr && policy->needs_future;
    if (o.distinct > GMMU_MAX_PAGES)
        bad("--distinct: found " + std::to_string(o.distinct) + ", expected at most " +
            std::to_string(GMMU_MAX_PAGES) + " pages");
    auto distinct = static_cast<uint32_t>(o.distinct);
    if (keep || (o.frames.find('%') != std::string::npos && o.distinct == 0))
        distinct = trace->look_ahead(pages_, keep && parameters.driver.grain == 0, &future_, 0);
    frames = none ? 1 : size_of("frames", o.frames, '%', 0.01, distinct);
    tier2 = o.tier2.empty() ? 0 : size_of("tier2", o.tier2, 'x', 1, frames);
    const char *const policy_options =
        colon == std::string::npos ? nullptr : o.policy.c_str() + colon + 1;
    if (arrival() && !none && (policy_name == "uvm" || parameters.driver.grain != 0))
        make_chunks(policy_name, policy_options);
    const bool own = chunks_ != nullptr && policy_name == "uvm";  // the driver itself decides
    const uint32_t places = frames / chunk;                       // as who decides has them
    if (arrival() && !none && parameters.unit.ahead > places / 4)
        bad("parameter unit.ahead: found " + std::to_string(parameters.unit.ahead) +
            ", expected at most a quarter of the " + std::to_string(places) + " frames");
    if (of_unit) {
        config = !o.config.empty() ? o.config : of_rtl ? rtl.config : "default";
        size_ = std::make_unique<UnitSize>(config, places, tier2, place_of(o.place));
        side_ = make_side(o.driver, size_->cfg, &size_->regs);
        if (side_ != nullptr)
            size_->hears = side_->hears();
        if (!o.search.empty())
            size_->regs.search = search_of(o.search);
        if (arrival()) {
            size_->regs.fresh = parameters.unit.fresh;
            size_->regs.ahead = parameters.unit.ahead;
        }
        if (of_rtl)
            check_rtl(rtl);
        unit = of_rtl ? rtl.make(parameters, *size_)
                      : std::make_unique<LtUnit>("unit", parameters.unit.decision, *size_);
    } else if (none) {
        unit = std::make_unique<NoUnit>("unit");
    } else {
        gmmu_policy_config c = {};
        c.frames = places;
        c.future = keep ? &future_ : nullptr;
        c.options = policy_options;
        c.seed = o.seed;
        c.tier2 = tier2;
        c.page_shift = page_shift();
        gmmu_pages *names = pages_;
        if (chunks_ != nullptr) {
            names = chunks_->blocks.numbers;
            c.page_shift += chunks_->shift();
            if (keep)
                trace->look_ahead(names, true, &future_, chunks_->shift());
        }
        c.pages = names;
        if (!arrival()) {
            unit = std::make_unique<PolicyUnit>("unit", parameters, policy, c);
            return;
        }
        if (own) {
            unit = std::make_unique<DriverUnit>("unit");
            return;
        }
        auto u = std::make_unique<ArrivalPolicy>("unit", parameters, policy, c, names);
        if (u->hears_merged)
            merged_ = [a = u.get(), n = chunk](const gmmu_walk &walk, uint64_t number) {
                gmmu_walk of = walk;
                of.vpn /= n;
                a->merged(of, number);
            };
        unit = std::move(u);
    }
}

void Platform::make_decided() {
    warps = parameters.gpu.warps;
    gpu = std::make_unique<DecidedGpu>("gpu", parameters, trace.get());
    auto d = std::make_unique<DecidedDriver>("driver", parameters, table_.get(), frames,
                                             timeline_.get(), std::move(side_));
    d->tiers = tier2 != 0 && options.policy == "unit";
    if (d->tiers)
        table_->slots = SlotsSide(tier2);
    driver = std::move(d);
}

void Platform::make_arrival() {
    warps = parameters.gpu.warps;
    if (parameters.gpu.frames_per_warp != 0 && options.policy != "none")
        warps = std::max(1u, std::min(warps, frames / parameters.gpu.frames_per_warp));
    auto g = std::make_unique<ArrivalGpu>("gpu", parameters, warps, trace.get());
    std::unique_ptr<ArrivalDriver> d;
    if (chunks_ != nullptr) {
        auto *of_driver = dynamic_cast<DriverUnit *>(unit.get());
        if (of_driver != nullptr) {
            auto u = std::make_unique<UvmDriver>("driver", parameters, table_.get(), frames,
                                                 chunks_.get(), timeline_.get());
            of_driver->walked = [u = u.get()](const WalkTag &tag) { u->walked(tag); };
            chunk_driver = u.get();
            d = std::move(u);
        } else {
            auto u = std::make_unique<DecidedChunks>("driver", parameters, table_.get(), frames,
                                                     chunks_.get(), timeline_.get());
            u->asks = options.policy == "unit";
            chunk_walks_ = std::make_unique<ChunkWalks>("chunks", u.get());
            chunk_driver = u.get();
            d = std::move(u);
        }
    } else {
        d = std::make_unique<ArrivalDriver>("driver", parameters, table_.get(), frames,
                                            page_shift(), timeline_.get());
    }
    g->merged = merged_;
    g->walkers = walkers.get();
    g->is_there = [this](const gmmu_walk &walk) {
        return (*table_)[table_->number(walk.asid, walk.vpn)].place == GMMU_NEAR;
    };
    d->lose_others = options.lose_others;
    d->side = std::move(side_);
    d->tiers = tier2 != 0;
    d->slots = d->tiers && options.policy == "unit";
    if (d->slots)
        table_->slots = SlotsSide(tier2);
    arrival_gpu = g.get();
    arrival_driver = d.get();
    d->replaying = [this] { return arrival_gpu->replaying(); };
    d->nudge = [this](const sc_core::sc_time &delay) { arrival_gpu->nudge(delay); };
    d->drops = [this] { return unit->counters().fault_drops; };
    d->due = &g->operation_due;
    d->horizon = &g->horizon;
    g->operate = [this](const sc_core::sc_time &delay) { arrival_driver->operate_next(delay); };
    g->landed = [this](const sc_core::sc_time &delay) { arrival_driver->landed(delay); };
    gpu = std::move(g);
    driver = std::move(d);
}

void Platform::bind() {
    gpu->walks.bind(walkers->walks);
    if (chunk_walks_ != nullptr) {
        walkers->unit.bind(chunk_walks_->walks);
        chunk_walks_->unit.bind(unit->walks);
    } else {
        walkers->unit.bind(unit->walks);
    }
    walkers->faults.bind(driver->faults);
    unit->decisions.bind(driver->decisions);
    unit->packets.bind(driver->packets);
    if (!arrival() || arrival_driver->side != nullptr)
        walkers->before_fault = [this] { driver->catch_up(); };
    driver->operations.bind(unit->operations);
    driver->jobs.bind(dma->jobs);
    driver->resumes.bind(gpu->resumes);
    dma->to_gpu.bind(to_gpu->socket);
    dma->to_host.bind(to_host->socket);
    dma->host.bind(host->socket);
    dma->ssd.bind(ssd->socket);
    if (arrival()) {
        dma->due = &arrival_gpu->copy_due;
        dma->nudge = [this](const sc_core::sc_time &delay) { arrival_gpu->nudge(delay); };
        arrival_gpu->copy = [this](const sc_core::sc_time &delay) { dma->step_next(delay); };
    }
    gpu->all_idle = [this] { return driver->idle() && dma->idle(); };
    gpu->failed = driver->failed = [this](const std::string &text) { failure_ = text; };
    dma->lose = options.lose_copy;
    driver->stick = options.lose_batch;
    driver->lose = options.lose_resume;
    unit->lose = options.lose_decision;
}

// Ends a run in which nothing goes on, or in which replays answer no access.
void Platform::watch() {
    enum { IN_VAIN = 64 };
    struct {
        uint64_t done, steps, replays;
    } before = {UINT64_MAX, 0, 0}, now;
    for (;;) {
        wait(parameters.run.watchdog);
        now.done = gpu->done();
        now.steps = driver->counts.batches + dma->copies();
        now.replays = arrival() ? arrival_gpu->counts.replays : 0;
        if (!gpu->finished() && now.done == before.done) {
            if (now.steps == before.steps)
                stuck_ = "nothing went on";
            else if (now.replays >= before.replays + IN_VAIN)
                stuck_ = "no access ended, by " + std::to_string(now.replays - before.replays) +
                         " replays of the GPU,";
            if (!stuck_.empty()) {
                sc_core::sc_stop();
                return;
            }
        }
        before = now;
    }
}

int Platform::run() {
    const std::clock_t begun = std::clock();
    sc_core::sc_start();
    seconds = static_cast<double>(std::clock() - begun) / CLOCKS_PER_SEC + 1e-9;
    end = std::max(gpu->run_time(), sc_core::sc_time_stamp());
    std::fflush(stdout);  // what SystemC said stands before the errors, which are not buffered
    if (!failure_.empty()) {
        std::fprintf(stderr, "platform: %s\n", failure_.c_str());
        return 2;
    }
    if (!stuck_.empty()) {
        std::fprintf(stderr,
                     "platform: watchdog: %s for %s, until %s, after %llu walks\n"
                     "  %s\n  %s\n  %s\n",
                     stuck_.c_str(), parameters.run.watchdog.to_string().c_str(),
                     end.to_string().c_str(), static_cast<unsigned long long>(gpu->done()),
                     gpu->waits().c_str(), driver->waits().c_str(), dma->waits().c_str());
        return 1;
    }
    if (options.distinct != 0 && options.distinct != pages()) {
        std::fprintf(stderr, "platform: --distinct: found %llu, expected %u, the pages of %s\n",
                     static_cast<unsigned long long>(options.distinct), pages(),
                     trace->path.c_str());
        return 2;
    }
    const char *what;
    for (size_t i = 0; DepthLog *log = logs(i, &what); i++) {
        log->finish(end);
        sc_core::sc_time part;
        const std::vector<double> series = log->series(&part);
        if (timeline_ != nullptr)
            timeline_->counter(what, series, part);
    }
    return 0;
}

DepthLog *Platform::logs(size_t i, const char **what) {
    static const char *const names[] = {
        "walks", "stalled_warps", "fault_buffer", "link_to_gpu", "link_to_host", "host", "ssd"};
    DepthLog *const all[] = {&walkers->depth, &gpu->stalled, &driver->buffer, &to_gpu->depth,
                             &to_host->depth, &host->depth,  &ssd->depth};
    if (i >= sizeof all / sizeof all[0])
        return nullptr;
    *what = names[i];
    return all[i];
}
