// SPDX-License-Identifier: Apache-2.0
// step_example.cpp: an example of the paper: the priorities of a few pages at given times, the
// unit's against the exact rationals, and those against what is printed.
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "driver/page.h"
#include "exact/leu.h"
#include "host/bad.h"
#include "step.h"
#include "unit.h"

namespace {

bool parse_ratio(const std::string &s, gmmu_exact_ratio *r) {
    char *end;
    r->num = std::strtoull(s.c_str(), &end, 10);
    r->den = *end == '/' ? std::strtoull(end + 1, &end, 10) : 1;
    return *end == 0 && r->den != 0;
}

uint64_t vpn_of(char page) {
    return 0x100u + static_cast<unsigned char>(page);
}

class Example {
   public:
    Row row;

    Example(json_t *j, const gmmu_config &cfg, const Options &o)
        : pattern(text_of(j, "trace")),
          periods(number_of(j, "periods", 0)),
          at(number_of(j, "at", 0)),
          expected(expected_of(j)),
          unit(cfg, registers(cfg), o),
          exact(gmmu_exact_leu_create()) {
        const char *key;
        json_t *value;
        json_object_foreach(json_object_get(j, "refs"), key, value) ref[key[0]] =
            static_cast<uint64_t>(json_integer_value(value));
        row.step = text_of(j, "example");
        unit.on_candidate([this](uint32_t f, uint16_t priority) { seen[f] = priority; });
    }
    Example(const Example &) = delete;
    Example &operator=(const Example &) = delete;
    ~Example() { gmmu_exact_leu_destroy(exact); }

    void run() {
        bool ok = unit.reset();
        const uint64_t period = pattern.size();
        for (uint64_t t = 1; ok && t <= periods * period + at; t++) {
            ok = walk(pattern[(t - 1) % period]);
            row.events++;
            if (ok && t >= 2 * period && t % period == at)
                ok = ask(t);
        }
        if (ok)
            unit.finish();
        row.did = unit.did();
        if (unit.mismatch().found)
            row.differs(unit.mismatch().text());
        if (row.mismatches == 0) {
            char s[160];
            std::snprintf(s, sizeof s,
                          "%" PRIu64
                          " priorities as printed; unit within %.2g of leu-exact (bound 2^-10)",
                          checked, worst);
            row.note = s;
            if (checked == 0)
                row.differs("nothing was checked");
        }
    }

   private:
    using Expected = std::map<char, gmmu_exact_ratio>;
    const std::string pattern;
    const uint64_t periods, at;
    Expected expected;
    std::map<char, uint64_t> ref;
    std::map<char, uint32_t> frame;     // pages take frames in the order of first use
    std::map<uint32_t, uint16_t> seen;  // priority of each frame
    Unit unit;
    gmmu_exact_leu *exact;
    double worst = 0;
    uint64_t checked = 0;

    static Expected expected_of(json_t *j) {
        Expected all;
        const char *key;
        json_t *value;
        json_object_foreach(json_object_get(j, "expect"), key, value) {
            gmmu_exact_ratio r;
            if (!parse_ratio(json_string_value(value), &r))
                bad(std::string("step: found expectation \"") + json_string_value(value) +
                    "\", expected a rational");
            all[key[0]] = r;
        }
        return all;
    }
    gmmu_regs registers(const gmmu_config &cfg) const {
        gmmu_regs regs = gmmu_regs_default(&cfg);
        regs.frames = static_cast<uint32_t>(expected.size());
        regs.pseudo = 0;
        regs.refresh = 0;  // priorities as of every walk
        regs.sample = 0;   // learnt from every page
        return regs;
    }
    // The first that is found.
    void differs(const std::string &what) {
        if (row.mismatches++ == 0)
            row.note = what;
    }

    bool walk(char page) {
        gmmu_tier_walk_in w = {};
        w.vpn = vpn_of(page);
        w.ref = ref[page];
        w.fault = frame.count(page) == 0;
        w.frame = w.fault ? 0 : frame[page];
        const bool ok = unit.walk(w);
        (void)gmmu_exact_leu_walk(exact, {0, w.vpn}, w.ref);
        if (!ok || !w.fault)
            return ok;
        const uint32_t f = static_cast<uint32_t>(frame.size());
        frame[page] = f;
        unit.decisions.clear();
        return unit.drv(driver::operation(GMMU_FILL, f, {0, w.vpn}));
    }
    // A page that is not there is asked for: a search, and no access; then it is called off.
    bool ask(uint64_t t) {
        seen.clear();
        unit.decisions.clear();
        if (!unit.drv(driver::operation(GMMU_ASK, 0, {0, 0x999})) || unit.decisions.empty())
            return false;
        const gmmu_tier_decision d = unit.decisions.back();
        const bool ok = unit.drv(driver::operation(GMMU_CANCEL, d.frame, {0, 0x999}));
        char lowest = 0;
        for (const auto &[name, want] : expected) {
            check(name, want, t);
            if (lowest == 0 || want.num * expected[lowest].den < expected[lowest].num * want.den)
                lowest = name;
        }
        if (d.tier != GMMU_TIER_2 || d.frame != frame[lowest])
            differs("the victim is not the page of the lowest priority");
        return ok;
    }
    void check(char name, const gmmu_exact_ratio &want, uint64_t t) {
        gmmu_exact_ratio is;
        if (!gmmu_exact_leu_priority(exact, {0, vpn_of(name)}, t, &is) ||
            is.num * want.den != want.num * is.den)
            differs("leu-exact: page " + std::string(1, name) + " is " + std::to_string(is.num) +
                    "/" + std::to_string(is.den));
        const double exact_value = static_cast<double>(is.num) / static_cast<double>(is.den);
        const double value = gmmu_minifloat_value(seen[frame[name]]);
        const double error = (exact_value - value) / exact_value;
        worst = std::max(worst, std::fabs(error));
        if (error < 0 || error >= std::ldexp(1, -10))
            differs("the unit's priority of page " + std::string(1, name) + " is " +
                    std::to_string(value));
        checked++;
    }
};

}  // namespace

Row run_example(json_t *j, const gmmu_config &cfg, const Options &o) {
    Example e(j, cfg, o);
    e.run();
    return e.row;
}
