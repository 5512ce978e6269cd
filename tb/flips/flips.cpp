// SPDX-License-Identifier: Apache-2.0
// flips.cpp: what becomes of the unit when one bit of a register or of a RAM turns over
// (docs/reference/signoff/flips.md).
//
//   flips [--flips N] [--seed S] [--each N] [--of TEXT] [--list]
//   flips --marks
//
// A recorded trace runs; at each of its points so many processes go on from there: one as it is,
// and others with one bit turned, each for WALKS walks and until all faults are decided; at each
// WHOLE-th point also until the unit rests. What leaves them is compared with what leaves the
// first, and the driver's book (judge.h) says whether it is right. --of: only bits of what has TEXT
// in its name. --marks: marks of something under way turn, and are not waited for; a record of
// range_dir turns bad behind its check. (What the watchdog tells: tb/unit/gmmu_tier/owed.h.)
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <map>

#include "flips/bits.h"
#include "flips/play.h"
#include "sizes.h"

namespace {

using namespace flips;

enum {
    WALKS = 100,
    APART = 40,
    BOUND = 40000,
    BEFORE = 1500,
    WHOLE = 4,
    TRAIL = 1000,
    RECORDS = 3
};

// What a process found, in memory that all share.
struct Outcome {
    bool done;
    unsigned wrong;
    uint64_t victims, packets, transfers, parity;  // hashes of what left; words found wrong
    uint64_t beats, bad_word;                      // of transfers; before the first BADWORD
    // hashes of beats, from the one after `first` on
    uint64_t first, trails, trail[TRAIL];
    char about[96];
};

// Effects in the table, of which a flip counts as the gravest.
enum Effect { NOTHING, REFUSED, PACKETS, VICTIMS, TRANSFERS, FIRST_WRONG };
constexpr unsigned effect_of(Wrong w) {
    return FIRST_WRONG + static_cast<unsigned>(w) - 1;
}
constexpr unsigned EFFECTS = effect_of(WRONGS);

struct Row {
    uint64_t flips = 0, flagged = 0;
    std::array<uint64_t, EFFECTS> effects = {};
};

// The block that a module's instance is of.
std::string block_of(const std::string &part) {
    static const std::set<std::string> in = {"frame_store", "learner", "range_port", "fault_unit",
                                             "tier_place"};
    static const std::set<std::string> blocks = {
        "frame_table", "segment",     "ref_rit",   "ppuc",         "trace_sampler",
        "record_feed", "fault_queue", "range_dir", "tier_predict", "tier2_table"};
    std::istringstream path(part);
    std::string name, block = "gmmu_tier";
    std::getline(path, name, '.');
    while (std::getline(path, name, '.'))
        if (name.compare(0, 2, "g_") != 0 &&
            (block == "gmmu_tier" || (in.count(block) && blocks.count(name))))
            block = name;
    return block;
}

template <typename Dut>
auto parity_of(const Dut &dut, int) -> decltype(dut.stat_parity, uint64_t{}) {
    return dut.stat_parity;
}
template <typename Dut>
uint64_t parity_of(const Dut &, long) {
    return 0;
}

void tell(const Play &p, Outcome *o) {
    o->wrong = p.judge.wrong;
    o->victims = p.judge.hash;
    o->packets = p.hash_packets;
    o->transfers = p.hash_transfers;
    o->beats = p.transfers;
    o->bad_word = p.bad_word;
    o->first = p.trails;
    o->trails = std::min<uint64_t>(p.trail.size(), TRAIL);
    std::copy_n(p.trail.begin(), o->trails, o->trail);
    o->parity = parity_of(*p.step.dut, 0);
    std::snprintf(o->about, sizeof o->about, "%s", p.judge.about.c_str());
    o->done = true;
}

// In a process of its own: the run goes on for WALKS walks, then all rests.
void go_on(Play *p, const Bit *bit, unsigned later, bool whole, uint64_t beats, Outcome *o) {
    const pid_t child = fork();
    if (child < 0) {
        std::perror("flips: fork");
        std::exit(2);
    }
    if (child != 0) {
        int status;
        waitpid(child, &status, 0);
        return;
    }
    bool ok = true;
    for (unsigned c = 0; ok && c < later; c++) ok = p->run();
    p->hashed_transfers = beats;
    p->trails = p->transfers;
    p->trail.clear();
    p->bad_word = UINT64_MAX;
    if (bit != nullptr)
        bit->flip();
    const uint64_t walks = p->walks + WALKS, until = p->cycle + BOUND + 40 * WALKS;
    while (ok && p->walks < walks && p->cycle < until) ok = p->run();
    if (ok)
        p->settle(BOUND, whole);
    else
        p->watch();
    tell(*p, o);
    _exit(0);
}

// Before the answer BADWORD beats are left out, and no other ones sent.
bool left_out(const Outcome &o, const Outcome &as_it_is) {
    uint64_t j = 0;
    for (uint64_t i = 0; i < o.bad_word - o.first; i++) {
        while (j < as_it_is.trails && as_it_is.trail[j] != o.trail[i]) j++;
        if (j++ >= as_it_is.trails)
            return false;
    }
    return true;
}

unsigned effect_of(const Outcome &o, const Outcome &as_it_is) {
    if (!o.done)
        return effect_of(HANG);  // the bench itself broke: see the list
    if (o.wrong != FINE)
        return effect_of(static_cast<Wrong>(o.wrong));
    // after an operation that was refused others follow
    if (o.bad_word != UINT64_MAX && o.bad_word - o.first <= o.trails)
        return !left_out(o, as_it_is)          ? TRANSFERS
               : o.victims != as_it_is.victims ? VICTIMS
               : o.packets != as_it_is.packets ? PACKETS
                                               : REFUSED;
    return o.beats >= as_it_is.beats && o.transfers != as_it_is.transfers ? TRANSFERS
           : o.victims != as_it_is.victims                                ? VICTIMS
           : o.packets != as_it_is.packets                                ? PACKETS
                                                                          : NOTHING;
}

std::vector<gmmu_walk> read(const std::string &path) {
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    std::vector<gmmu_walk> walks;
    gmmu_walk w;
    while (r != nullptr && gmmu_reader_next(r, &w, &err) == GMMU_OK) walks.push_back(w);
    gmmu_reader_close(r);
    if (walks.empty()) {
        std::fprintf(stderr, "flips: %s: %s\n", path.c_str(), err.text);
        std::exit(2);
    }
    return walks;
}

class Flips {
   public:
    std::map<std::string, Row> rows;    // "block, RAM" or "block, registers"
    std::map<std::string, Row> severe;  // by register, those with more than other victims
    std::map<std::string, std::string> example;
    uint64_t flips = 0, victims = 0, pins = 0, transfers = 0, packets = 0, broken = 0;
    std::size_t flop_bits = 0, rams = 0;
    uint64_t ram_bits = 0;

    Flips(unsigned turned, unsigned seed, const std::string &text)
        : each(turned),
          of(text),
          rng(seed),
          shared(static_cast<Outcome *>(mmap(nullptr, 2 * sizeof(Outcome), PROT_READ | PROT_WRITE,
                                             MAP_SHARED | MAP_ANONYMOUS, -1, 0))) {}

    // False: without a flip something is wrong.
    bool run(const Setting &s, uint64_t wanted) {
        const std::string root = std::getenv("GMMU_ROOT") ? std::getenv("GMMU_ROOT") : ".";
        const std::vector<gmmu_walk> walks = read(root + "/sim/traces/" + s.trace);
        Play p(config_of_build(), s, walks);
        if (!p.reset()) {
            std::fprintf(stderr, "flips: the reset sequence does not end\n");
            return false;
        }
        const Bits bits(*p.step.dut->contextp(), of);
        if (bits.none()) {
            std::fprintf(stderr, "flips: nothing has \"%s\" in its name\n", of.c_str());
            return false;
        }
        flop_bits = bits.flop_bits();
        rams = bits.ram_count();
        ram_bits = bits.ram_bits();
        uint64_t at = BEFORE;
        for (uint64_t done = 0; done < wanted;) {
            while (p.walks < at && p.walks + WALKS + APART < walks.size())
                if (!p.run())
                    return refuse(p, s);
            at += APART;
            const unsigned later = static_cast<unsigned>(rng() % 300);
            std::memset(shared, 0, 2 * sizeof *shared);
            const bool whole = point++ % WHOLE == 0;
            go_on(&p, nullptr, later, whole, UINT64_MAX, &shared[0]);
            const Outcome as_it_is = shared[0];
            if (!as_it_is.done || as_it_is.wrong != FINE || as_it_is.parity != 0) {
                std::fprintf(stderr, "flips: %s: without a flip: %s\n", s.trace.c_str(),
                             as_it_is.about);
                return false;
            }
            for (unsigned i = 0; i < each && done < wanted; i++, done++) {
                const Bit bit = bits.any(rng);
                std::memset(&shared[1], 0, sizeof *shared);
                go_on(&p, &bit, later, whole, as_it_is.beats, &shared[1]);
                count(bit, shared[1], as_it_is);
            }
            progress(done, wanted, s);
        }
        victims += p.judge.victims;
        pins += p.judge.pins;
        transfers += p.transfers;
        packets += p.packets;
        return true;
    }

   private:
    const unsigned each;
    const std::string of;
    std::mt19937_64 rng;
    Outcome *shared;
    uint64_t point = 0;
    std::time_t told = std::time(nullptr);

    bool refuse(const Play &p, const Setting &s) {
        std::fprintf(stderr, "flips: %s: without a flip: %s\n", s.trace.c_str(),
                     p.judge.about.c_str());
        return false;
    }
    void count(const Bit &bit, const Outcome &o, const Outcome &as_it_is) {
        const unsigned e = effect_of(o, as_it_is);
        flips++;
        broken += !o.done;
        const std::string block = block_of(bit.of->part);
        for (Row *r : {&rows[block + (bit.of->ram ? " | RAM" : " | registers")], &rows["all | "]}) {
            r->flips++;
            r->flagged += o.parity != 0;
            r->effects[e]++;
        }
        if (e < TRANSFERS)
            return;
        const std::string name = bit.of->part + "." + bit.of->name;
        Row &r = severe[name];
        r.flips++;
        r.flagged += o.parity != 0;
        r.effects[e]++;
        if (o.about[0])
            example[name] = o.about;
    }
    void progress(uint64_t done, uint64_t wanted, const Setting &s) {
        if (std::time(nullptr) < told + 30)
            return;
        told = std::time(nullptr);
        std::fprintf(stderr, "flips: %s, %llu of %llu\n", s.trace.c_str(),
                     static_cast<unsigned long long>(done),
                     static_cast<unsigned long long>(wanted));
    }
};

const char *effect_name(unsigned e) {
    static const char *const first[] = {"none", "refused", "packets", "victims", "transfers"};
    return e < FIRST_WRONG ? first[e] : name_of(e - FIRST_WRONG + 1);
}

void print(const std::map<std::string, Row> &rows, const char *head,
           const std::map<std::string, std::string> *example) {
    std::printf("| %s | flips | flagged |", head);
    for (unsigned e = 0; e < EFFECTS; e++) std::printf(" %s |", effect_name(e));
    std::printf("%s\n|%s---|---|", example ? " such as |" : "", example ? "---|" : "---|---|");
    for (unsigned e = 0; e < EFFECTS; e++) std::printf("---|");
    std::printf("%s\n", example ? "---|" : "");
    for (const auto &r : rows) {
        std::printf("| %s | %llu | %llu |", r.first.c_str(),
                    static_cast<unsigned long long>(r.second.flips),
                    static_cast<unsigned long long>(r.second.flagged));
        for (const uint64_t n : r.second.effects)
            std::printf(n ? " %llu |" : " |", static_cast<unsigned long long>(n));
        std::printf("%s\n", example && example->count(r.first)
                                ? (" " + example->at(r.first) + " |").c_str()
                                : "");
    }
}

// A mark or a count of something under way; it turns where another register has at least this
// value.
struct Mark {
    const char *name, *where;
    uint32_t least, most;
};

// So often one of its bits turns, once: nothing waits for ever.
bool goes_on(const Mark &m) {
    enum { TIMES = 4, WITHIN = 80000, AFTER = 1500 };
    const std::vector<gmmu_walk> walks =
        read(std::string(std::getenv("GMMU_ROOT") ? std::getenv("GMMU_ROOT") : ".") +
             "/sim/traces/spmv.walk");
    auto *const o = static_cast<Outcome *>(
        mmap(nullptr, sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    unsigned turns = 0, bad = 0;
    std::mt19937_64 rng(1);
    for (const uint32_t search : {GMMU_SEARCH_SAMPLE, GMMU_SEARCH_CLOCK}) {
        const uint32_t tier = search == GMMU_SEARCH_SAMPLE ? GMMU_PLACE_PRIORITY : GMMU_PLACE_REUSE;
        Play p(config_of_build(),
               {.trace = "", .frames = 64, .search = search, .tier = tier, .seed = 1, .slots = 100},
               walks);
        const Bits bits(*p.step.dut->contextp(), m.name), all(*p.step.dut->contextp(), "");
        const Register *where = m.where ? all.find(std::string("gmmu_tier.") + m.where) : nullptr;
        if (bits.none() || (m.where && where == nullptr) || !p.reset()) {
            std::fprintf(stderr, "flips: there is no %s\n", m.name);
            return false;
        }
        for (unsigned c = 0; c < 15000; c++) (void)p.run();
        for (unsigned n = 0; n < TIMES; n++) {
            const Bit bit = bits.of_flop(rng);
            const uint64_t later = rng() % 300;
            std::memset(o, 0, sizeof *o);
            const pid_t child = fork();
            if (child == 0) {
                for (uint64_t c = 0; c < later; c++) (void)p.run();
                bool there = where == nullptr;
                for (unsigned c = 0; !there && c < WITHIN; c++) {
                    (void)p.run();
                    there = where->data[0] >= m.least && where->data[0] <= m.most;
                }
                if (there)
                    bit.flip();
                bool ok = true;
                for (unsigned c = 0; ok && c < AFTER; c++) ok = p.run();
                if (ok)
                    p.settle(BOUND, n % 2 == 0);
                tell(p, o);
                o->beats = there;
                _exit(0);
            }
            waitpid(child, nullptr, 0);
            turns += o->beats != 0;
            if (!o->done || o->wrong >= NO_FREE) {
                bad++;
                std::fprintf(stderr, "flips: %s: %s\n", m.name, o->about);
            }
            for (unsigned c = 0; c < 300; c++) (void)p.run();
        }
    }
    std::printf("%s  %-60s %u times\n", bad == 0 && turns > 0 ? "ok  " : "FAIL", m.name, turns);
    return bad == 0 && turns > 0;
}

// A record turns bad between the check of its words and the transfer that it wants.
bool bad_in_time() {
    const std::vector<gmmu_walk> walks =
        read(std::string(std::getenv("GMMU_ROOT") ? std::getenv("GMMU_ROOT") : ".") +
             "/sim/traces/bfs.walk");
    Play p(config_of_build(),
           {.trace = "",
            .frames = 96,
            .search = GMMU_SEARCH_SAMPLE,
            .tier = GMMU_PLACE_NONE,
            .seed = 1},
           walks);
    const Bits bits(*p.step.dut->contextp(), "range_dir.");
    const std::string dir = "gmmu_tier.range_port.g_ranges.range_dir.";
    const Register *on = bits.find(dir + "the_engine.on"),
                   *at = bits.find(dir + "the_engine.place"),
                   *words = bits.find(dir + "fix_ram.mem");
    auto *const shared = static_cast<Outcome *>(mmap(
        nullptr, 2 * sizeof(Outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    if (on == nullptr || at == nullptr || words == nullptr || !p.reset())
        return false;
    std::mt19937_64 rng(1);
    unsigned refused = 0, wrong = 0, points = 0;
    for (unsigned c = 0; c < 20000; c++) (void)p.run();
    for (; points < 150; points++) {
        std::memset(shared, 0, 2 * sizeof *shared);
        const uint32_t bit = static_cast<uint32_t>(rng() % words->width);
        for (const bool turns : {false, true}) {
            const pid_t child = fork();
            if (child != 0) {
                waitpid(child, nullptr, 0);
                continue;
            }
            while ((on->data[0] >> RECORDS & 1) == 0) (void)p.run();
            p.trails = p.transfers;
            p.trail.clear();
            p.bad_word = UINT64_MAX;
            if (turns)
                Bit{words, at->data[0] % words->words, bit}.flip();
            for (unsigned c = 0; c < 1000; c++) (void)p.run();
            tell(p, &shared[turns]);
            _exit(0);
        }
        const unsigned e = effect_of(shared[1], shared[0]);
        refused += e == REFUSED;
        wrong += e == TRANSFERS || !shared[0].done || !shared[1].done;
        for (unsigned c = 0; c < 500; c++) (void)p.run();
    }
    const bool ok = wrong == 0 && refused > 20;
    std::printf(
        "%s  a record turns bad behind its check: %u times, %u operations refused, %u wrong "
        "transfers\n",
        ok ? "ok  " : "FAIL", points, refused, wrong);
    return ok;
}

bool marks_turn() {
    bool ok = true;
    static const Mark marks[] = {
        {"gmmu_tier.victim_select.answers", nullptr, 0, 0},
        {"gmmu_tier.victim_select.issued", "victim_select.state", 3, 3},
        {"gmmu_tier.victim_select.state", nullptr, 0, 0},
        {"tier_place.g_tiers.victim_select.answers",
         "fault_unit.tier_place.g_tiers.victim_select.state", 2, 2},
        {"tier_place.g_tiers.victim_select.issued",
         "fault_unit.tier_place.g_tiers.victim_select.state", 3, 3},
        {"tier_place.g_tiers.look_sent", nullptr, 0, 0},
        {"tier_place.g_tiers.waits", "fault_unit.tier_place.g_tiers.state", 4, 4},
        {"tier_place.g_tiers.rise_sent", "fault_unit.tier_place.g_tiers.state", 3, 3},
        {"tier_place.g_tiers.state", "fault_unit.made", 1, 1},
        {"fault_unit.made", "fault_unit.made", 1, 1},
        {"tier_predict.writer", nullptr, 0, 0},
        {"side_port.age_sent", "side_port.age_owed", 1, 1},
        {"side_port.install_sent", nullptr, 0, 0},
        {"fault_unit.fault_queue.head_valid", nullptr, 0, 0},
        {"learner.ppuc.l6_valid_q", nullptr, 0, 0},
        {"record_feed.walk_places.count", nullptr, 0, 0},
        {"record_feed.walk_records.words.wp", nullptr, 0, 0},
        {"record_feed.side_places.count", nullptr, 0, 0},
        {"record_feed.side_records.words.wp", nullptr, 0, 0},
    };
    for (const Mark &m : marks) ok = goes_on(m) && ok;
    ok = bad_in_time() && ok;
    return ok;
}

}  // namespace

int main(int argc, char **argv) {
    uint64_t flips = 12000;
    unsigned seed = 1, each = 20;
    bool list = false;
    std::string of;
    for (int i = 1; i < argc; i++) {
        const std::string a = argv[i];
        if (a == "--list") {
            list = true;
        } else if (a == "--marks") {
            return marks_turn() ? 0 : 1;
        } else if (i + 1 < argc && a == "--of") {
            of = argv[++i];
        } else if (i + 1 < argc && (a == "--flips" || a == "--seed" || a == "--each")) {
            const uint64_t n = std::strtoull(argv[++i], nullptr, 0);
            if (a == "--flips")
                flips = n;
            if (a == "--seed")
                seed = static_cast<unsigned>(n);
            if (a == "--each")
                each = static_cast<unsigned>(n);
        } else {
            std::fprintf(stderr,
                         "usage: flips [--flips N] [--seed S] [--each N] [--of TEXT] [--list]\n"
                         "       flips --marks\n");
            return 2;
        }
    }
    // clang-format off
    const Setting settings[] = {{.trace = "bfs.walk", .frames = 96, .search = GMMU_SEARCH_SAMPLE, .tier = GMMU_PLACE_NONE, .seed = seed},
                                {.trace = "atax.walk", .frames = 64, .search = GMMU_SEARCH_SAMPLE, .tier = GMMU_PLACE_REUSE, .seed = seed + 1},
                                {.trace = "kmeans.walk", .frames = 96, .search = GMMU_SEARCH_SCAN, .tier = GMMU_PLACE_PRIORITY, .seed = seed + 2},
                                {.trace = "spmv.walk", .frames = 96, .search = GMMU_SEARCH_CLOCK, .tier = GMMU_PLACE_NONE, .seed = seed + 3}};
    // clang-format on
    Flips f(each, seed, of);
    const unsigned parts = sizeof settings / sizeof *settings;
    for (unsigned i = 0; i < parts; i++)
        if (!f.run(settings[i], flips / parts + (i < flips % parts)))
            return 1;
    print(f.rows, "block | in", nullptr);
    if (list) {
        std::printf("\n");
        print(f.severe, "register", &f.example);
    }
    uint64_t illegal = 0, hangs = 0, told = 0;
    const Row &all = f.rows["all | "];
    illegal = all.effects[effect_of(ILLEGAL)] + all.effects[effect_of(OTHER)];
    hangs = all.effects[effect_of(HANG)];
    told = all.effects[effect_of(HANG_TOLD)];
    std::printf(
        "\n%llu flips of %zu register bits and of %zu RAMs (%llu bits), seed %u: %llu flagged, "
        "%llu decisions for a frame that is pinned, "
        "empty, leaving or another page's, %llu hangs and %llu that the watchdog told, %llu times "
        "the "
        "bench broke; %llu victims, "
        "%llu pins, %llu beats of transfers and %llu "
        "of packets without flips\n",
        static_cast<unsigned long long>(f.flips), f.flop_bits, f.rams,
        static_cast<unsigned long long>(f.ram_bits), seed,
        static_cast<unsigned long long>(all.flagged), static_cast<unsigned long long>(illegal),
        static_cast<unsigned long long>(hangs), static_cast<unsigned long long>(told),
        static_cast<unsigned long long>(f.broken), static_cast<unsigned long long>(f.victims),
        static_cast<unsigned long long>(f.pins), static_cast<unsigned long long>(f.transfers),
        static_cast<unsigned long long>(f.packets));
    return 0;
}
