// SPDX-License-Identifier: Apache-2.0
// range_dir_twin_test.cpp: the twin of range_dir against a slow model written from its page, and
// against two memories on which its transfers are executed.
//
// State space: random operations of all kinds, on ranges that are, lie in, meet or miss what there
// is, from a byte to the whole address space; phases with no, some and many pins, and with GPU
// memory for nothing, little, all. Drivers that say no base, or a late one.
// Parameter space: twelve sets, 2 to 256 records, 8 to 64 bits of address, 1 to 4 address spaces;
// 1.1 million operations, with GMMU_LONG=1 11 million (GMMU_SEED: others).
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "range_dir_twin/slow.h"

namespace {

using namespace range_dir;

struct Sizes {
    unsigned ranges = 1, addr_w = 8, asids = 1, cells = 1;
    unsigned thousands = 1;  // of operations
};

// ---- a twin and what it sends
struct Twin {
    std::vector<char> memory;
    gmmu_range_dir dir;
    std::vector<Beat> beats, room;

    explicit Twin(unsigned ranges, uint64_t limit = UINT64_MAX)
        : memory(ranges * sizeof(gmmu_range) + 64) {
        gmmu_arena arena = {memory.data(), memory.size(), 0};
        EXPECT_EQ(gmmu_range_dir_init(&dir, ranges, limit, &arena), 0);
        room.resize(gmmu_range_dir_most_beats(&dir));
    }
    void op(const gmmu_range_op &o) {
        beats.assign(room.data(), room.data() + gmmu_range_dir_op(&dir, o, room.data()));
    }
    std::vector<gmmu_range> records() const { return {dir.range, dir.range + dir.used}; }
};

std::string text(const Beat &b) {
    static const char *const kind[] = {"UP", "DOWN", "DROP", "ANSWER"};
    std::string s = kind[b.kind] + (" " + std::to_string(b.asid)) + ":" + std::to_string(b.start) +
                    "-" + std::to_string(b.last);
    s += b.base_ok ? "@" + std::to_string(b.base) : "";
    if (b.kind == GMMU_RANGE_ANSWER)
        s += " code " + std::to_string(b.code) + " tag " + std::to_string(b.tag) + " state " +
             "CGS"[b.state % 3] + (b.hit ? " hit" : "");
    return s;
}
std::string text(const std::vector<Beat> &beats) {
    std::string s;
    for (const Beat &b : beats) s += (s.empty() ? "" : "; ") + text(b);
    return s;
}
bool same(const std::vector<Beat> &a, const std::vector<Beat> &b) {
    if (a.size() != b.size())
        return false;
    for (size_t i = 0; i < a.size(); i++)
        if (std::tie(a[i].kind, a[i].asid, a[i].start, a[i].last, a[i].base, a[i].base_ok,
                     a[i].code, a[i].tag, a[i].state,
                     a[i].hit) != std::tie(b[i].kind, b[i].asid, b[i].start, b[i].last, b[i].base,
                                           b[i].base_ok, b[i].code, b[i].tag, b[i].state, b[i].hit))
            return false;
    return true;
}
bool same(const gmmu_range &a, const gmmu_range &b) {
    return a.asid == b.asid && a.start == b.start && a.last == b.last && a.state == b.state &&
           a.base == b.base && a.base_ok == b.base_ok && a.hits == b.hits && a.pins == b.pins;
}

// ---- two memories, and what each byte should be: numbers, one a cell
class Memories {
   public:
    Memories(const Cells &c, unsigned asids)
        : cells_(c), cpu_(asids, std::vector<uint64_t>(c.count(), 0)), gpu_(cpu_), newest_(cpu_) {}

    // A transfer, as a driver does it. What is dropped has no value that is right.
    void transfer(const Beat &b) {
        for (int c = cells_.of(b.start); c <= cells_.of(b.last); c++)
            if (b.kind == GMMU_RANGE_UP)
                gpu_[b.asid][c] = cpu_[b.asid][c];
            else if (b.kind == GMMU_RANGE_DOWN)
                cpu_[b.asid][c] = gpu_[b.asid][c];
            else
                gpu_[b.asid][c] = ++number_;
    }
    // What OP was asked for is done now. False: a byte that is to be read is old.
    bool access(const gmmu_range_op &o, std::mt19937_64 &rng) {
        const bool on_gpu = o.op == GMMU_RANGE_WRITE_GPU || o.op == GMMU_RANGE_INV_CPU ||
                            o.op == GMMU_RANGE_READ_GPU;
        std::vector<uint64_t> &side = on_gpu ? gpu_[o.asid] : cpu_[o.asid];
        const bool reads = o.op == GMMU_RANGE_READ_GPU || o.op == GMMU_RANGE_READ_CPU;
        const bool frees = o.op == GMMU_RANGE_RELEASE;
        bool right = true;
        for (int c = cells_.of(o.start); c <= cells_.of(o.last); c++) {
            if (frees)
                newest_[o.asid][c] = cpu_[o.asid][c];  // its bytes mean nothing now
            else if (reads || (!o.whole && rng() % 2))
                right &= side[c] == newest_[o.asid][c];
            else
                side[c] = newest_[o.asid][c] = ++number_;
        }
        return right;
    }
    // Do the states of RECORDS tell the truth, and is untracked memory on the CPU?
    bool true_states(const std::vector<gmmu_range> &records) const {
        size_t i = 0;
        for (unsigned a = 0; a < cpu_.size(); a++)
            for (int c = 0; c < cells_.count(); c++) {
                while (i < records.size() &&
                       (records[i].asid < a ||
                        (records[i].asid == a && records[i].last < cells_.first(c))))
                    i++;
                const bool tracked = i < records.size() && records[i].asid == a &&
                                     records[i].start <= cells_.first(c);
                const unsigned state = tracked ? records[i].state : 0u;  // C
                if ((state != GMMU_RANGE_G && cpu_[a][c] != newest_[a][c]) ||
                    (state != GMMU_RANGE_C && gpu_[a][c] != newest_[a][c]))
                    return false;
            }
        return true;
    }

   private:
    const Cells &cells_;
    uint64_t number_ = 0;
    std::vector<std::vector<uint64_t>> cpu_, gpu_, newest_;
};

// ---- random operations
struct Random {
    const Cells &cells;
    unsigned asids;
    std::mt19937_64 rng;
    unsigned pins = 0, unpins = 0;  // of 100
    bool fill = false;              // as many records as there may be, pinned

    uint64_t below(uint64_t n) { return rng() % n; }
    bool chance(unsigned percent) { return below(100) < percent; }

    gmmu_range_op range(const std::vector<gmmu_range> &records, bool pinned) {
        gmmu_range_op o = {};
        o.asid = static_cast<uint32_t>(below(asids));
        int from = static_cast<int>(below(cells.count())), to = from;
        if (!records.empty() && chance(60)) {
            size_t i = below(records.size());
            for (size_t n = 0; pinned && records[i].pins == 0 && n < records.size(); n++)
                i = (i + 1) % records.size();
            o.asid = records[i].asid;
            from = cells.of(records[i].start);
            to = cells.of(records[i].last);
            if (chance(30)) {  // a part of it
                from += static_cast<int>(below(to - from + 1));
                to -= static_cast<int>(below(to - from + 1));
            } else if (chance(20)) {  // and a neighbour
                from -= static_cast<int>(below(3));
                to += static_cast<int>(below(3));
            }
        } else {
            to += chance(2) ? static_cast<int>(below(cells.count())) : static_cast<int>(below(3));
            if (below(500) == 0) {
                from = 0;
                to = cells.count();
            }
        }
        from = from < 0 ? 0 : from;
        to = to >= cells.count() ? cells.count() - 1 : to;
        o.start = cells.first(from);
        o.last = cells.last(to);
        return o;
    }
    gmmu_range_op op(const std::vector<gmmu_range> &records, unsigned addr_w) {
        static const unsigned weight[] = {12, 24, 20, 14, 12, 4, 4, 4, 3, 3, 0, 8, 1, 0, 0, 1};
        unsigned kind = GMMU_RANGE_UNPIN;
        if (!chance(unpins)) {
            unsigned at = static_cast<unsigned>(below(110));
            for (kind = 0; at >= weight[kind]; kind++) at -= weight[kind];
        }
        gmmu_range_op o = range(records, kind == GMMU_RANGE_UNPIN);
        o.op = static_cast<uint8_t>(kind);
        o.whole = chance(40);
        o.pin = chance(pins);
        o.tag = static_cast<uint8_t>(rng());
        if (fill && !chance(10)) {
            const int cell = static_cast<int>(below(cells.count()));
            o.op = GMMU_RANGE_READ_GPU;
            o.start = cells.first(cell);
            o.last = cells.last(cell);
            o.pin = true;
        } else if (kind == GMMU_RANGE_BASE)
            o.last = rng() >> (64 - addr_w);
        else if (below(200) == 0)
            std::swap(o.start, o.last);
        return o;
    }
};

struct Seen {
    uint64_t code[6] = {}, kind[4] = {}, refused = 0, full = 0, saturated = 0, hulls = 0;
};

// One step: OP in the twin and in the slow model, all of it compared.
void step(const gmmu_range_op &o, Twin *t, Slow *slow, Memories *m, std::mt19937_64 *rng,
          Seen *seen) {
    static std::vector<gmmu_range> before, now;
    before.assign(t->dir.range, t->dir.range + t->dir.used);
    t->op(o);
    slow->op(o);
    ASSERT_TRUE(same(t->beats, slow->beats))
        << text(t->beats) << "\nexpected " << text(slow->beats);
    now.assign(t->dir.range, t->dir.range + t->dir.used);

    // an answer, the packet's last beat
    ASSERT_LE(t->beats.size(), gmmu_range_dir_most_beats(&t->dir));
    for (size_t i = 0; i < t->beats.size(); i++)
        ASSERT_EQ(t->beats[i].kind == GMMU_RANGE_ANSWER, i + 1 == t->beats.size());
    const Beat &answer = t->beats.back();
    seen->code[answer.code]++;

    // the records: those of the slow model, disjoint, in order
    const auto all = slow->all();
    ASSERT_EQ(now.size(), all.size());
    ASSERT_LE(now.size(), slow->ranges);
    for (size_t i = 0; i < now.size(); i++) {
        const Beat &b = all[i].beat;
        const Record &r = slow->record.at(all[i].name);
        const gmmu_range want = {b.start,
                                 b.last,
                                 b.base,
                                 b.asid,
                                 static_cast<uint8_t>(r.state),
                                 static_cast<uint8_t>(r.hits),
                                 static_cast<uint8_t>(r.pins),
                                 b.base_ok,
                                 0};
        ASSERT_TRUE(same(now[i], want)) << i;
        ASSERT_TRUE(i == 0 || now[i - 1].asid < b.asid || now[i - 1].last < b.start);
        ASSERT_TRUE(r.state != GMMU_RANGE_C || (r.pins == 0 && !r.base_ok));
        seen->saturated += r.hits == GMMU_RANGE_MOST_HITS;
    }

    // pinned records stay, and no transfer is of one
    size_t at = 0;
    for (const gmmu_range &r : before) {
        if (r.pins == 0)
            continue;
        while (at < now.size() && (now[at].asid != r.asid || now[at].start != r.start)) at++;
        ASSERT_LT(at, now.size());
        ASSERT_EQ(now[at].last, r.last);
        for (const Beat &b : t->beats)
            ASSERT_TRUE(b.kind == GMMU_RANGE_ANSWER || b.asid != r.asid || b.start != r.start);
    }

    // refused: nothing has happened
    if (answer.code != GMMU_RANGE_OK && answer.code != GMMU_RANGE_NOSPACE) {
        seen->refused++;
        ASSERT_EQ(t->beats.size(), 1u);
        ASSERT_EQ(now.size(), before.size());
        for (size_t i = 0; i < now.size(); i++) ASSERT_TRUE(same(now[i], before[i]));
    }
    // the limit: what grows is below it
    u128 held = 0, held_before = 0;
    for (const gmmu_range &r : now)
        held += r.state != GMMU_RANGE_C ? static_cast<u128>(r.last) - r.start + 1 : 0;
    for (const gmmu_range &r : before)
        held_before += r.state != GMMU_RANGE_C ? static_cast<u128>(r.last) - r.start + 1 : 0;
    ASSERT_TRUE(held <= held_before || held <= slow->limit);
    seen->full += held == slow->limit;
    seen->hulls += t->beats.size() > 3;

    // the newest bytes: transfers, then what was asked for
    for (const Beat &b : t->beats) {
        seen->kind[b.kind]++;
        if (b.kind != GMMU_RANGE_ANSWER)
            m->transfer(b);
    }
    const bool never_on_gpu = o.op == GMMU_RANGE_READ_CPU || o.op == GMMU_RANGE_WRITE_CPU;
    const bool does = o.op >= GMMU_RANGE_READ_GPU && o.op <= GMMU_RANGE_INV_CPU &&
                      o.op != GMMU_RANGE_TO_GPU && o.op != GMMU_RANGE_TO_CPU;
    if (does &&
        (answer.code == GMMU_RANGE_OK || (answer.code == GMMU_RANGE_MISS && never_on_gpu))) {
        ASSERT_TRUE(m->access(o, *rng));
    }
    ASSERT_TRUE(m->true_states(now));
}

void run(const Sizes &sizes, uint64_t ops, uint64_t seed) {
    const Cells cells(sizes.addr_w, sizes.cells, seed);
    Twin t(sizes.ranges);
    Slow slow(cells, sizes.ranges, sizes.asids);
    Memories memories(cells, sizes.asids);
    Random random = {cells, sizes.asids, std::mt19937_64(seed), 0, 0};
    Seen seen;
    for (uint64_t i = 0; i < ops && !testing::Test::HasFatalFailure(); i++) {
        if (i % 1000 == 0) {
            static const unsigned pins[] = {0, 10, 30, 70}, unpins[] = {0, 5, 20, 30};
            random.pins = pins[random.below(4)];
            random.unpins = unpins[random.below(4)];
            random.fill = i / 1000 % 8 == 4;
            // for nothing, all that there may be, or so many of the cells
            u128 bytes = 0;
            for (int c = 0; c < cells.count(); c++) bytes += random.chance(25) ? cells.bytes(c) : 0;
            const uint64_t most = UINT64_MAX >> (64 - sizes.addr_w);
            t.dir.limit = i / 1000 % 8 == 1 ? 0 : i / 1000 % 4 == 0 || bytes > most ? most : bytes;
            slow.limit = t.dir.limit;
        }
        gmmu_range_op o = random.op(t.records(), sizes.addr_w);
        if (i / 1000 % 8 == 5)
            for (const gmmu_range &r : t.records())
                if (r.pins != 0) {  // until no pin is left
                    o.op = GMMU_RANGE_UNPIN;
                    o.asid = r.asid;
                    o.start = r.start;
                    o.last = r.last;
                }
        step(o, &t, &slow, &memories, &random.rng, &seen);
        if (testing::Test::HasFatalFailure())
            std::printf("operation %llu: op %u of %u:%llu-%llu, whole %d, pin %d\n",
                        (unsigned long long)i, o.op, o.asid, (unsigned long long)o.start,
                        (unsigned long long)o.last, o.whole, o.pin);
    }
    for (uint64_t n : seen.code) EXPECT_GT(n, 0u);
    for (uint64_t n : seen.kind) EXPECT_GT(n, ops / 1000);
    EXPECT_TRUE(seen.full > 0 || sizes.ranges > 64);  // a limit met to the byte
    EXPECT_GT(seen.hulls, ops / 1000);
    std::printf(
        "RANGES %3u ADDR_W %2u, %u spaces, %3d cells: OK %llu MISS %llu BUSY %llu FULL %llu "
        "NOSPACE %llu "
        "BAD %llu; UP %llu DOWN %llu DROP %llu; hits full %llu\n",
        sizes.ranges, sizes.addr_w, sizes.asids, cells.count(), (unsigned long long)seen.code[0],
        (unsigned long long)seen.code[1], (unsigned long long)seen.code[2],
        (unsigned long long)seen.code[3], (unsigned long long)seen.code[4],
        (unsigned long long)seen.code[5], (unsigned long long)seen.kind[0],
        (unsigned long long)seen.kind[1], (unsigned long long)seen.kind[2],
        (unsigned long long)seen.saturated);
}

TEST(RangeDir, AsThePageSays) {
    static const Sizes sets[] = {
        {.ranges = 2, .addr_w = 8, .cells = 256, .thousands = 100},
        {.ranges = 2, .addr_w = 64, .cells = 12, .thousands = 120},
        {.ranges = 3, .addr_w = 9, .asids = 2, .cells = 16, .thousands = 120},
        {.ranges = 4, .addr_w = 16, .cells = 24, .thousands = 120},
        {.ranges = 5, .addr_w = 8, .asids = 4, .cells = 12, .thousands = 120},
        {.ranges = 7, .addr_w = 33, .cells = 40, .thousands = 120},
        {.ranges = 8, .addr_w = 64, .asids = 2, .cells = 32, .thousands = 120},
        {.ranges = 16, .addr_w = 32, .asids = 4, .cells = 32, .thousands = 100},
        {.ranges = 31, .addr_w = 20, .asids = 2, .cells = 80, .thousands = 100},
        {.ranges = 64, .addr_w = 64, .cells = 200, .thousands = 60},
        {.ranges = 100, .addr_w = 40, .asids = 3, .cells = 120, .thousands = 20},
        {.ranges = 256, .addr_w = 64, .cells = 900, .thousands = 20}};
    uint64_t ops = 0;
    const bool all = std::getenv("GMMU_LONG") != nullptr;
    const char *seed = std::getenv("GMMU_SEED");
    uint64_t n = seed ? std::strtoull(seed, nullptr, 0) : 1;
    for (const Sizes &s : sets) {
        SCOPED_TRACE(std::to_string(s.ranges) + " records, " + std::to_string(s.addr_w) + " bits");
        const uint64_t now = s.thousands * (all ? 10000 : 1000);
        run(s, now, n++);
        ops += now;
        if (HasFailure())
            break;
    }
    EXPECT_GE(ops, 1000000u);
}

// ---- by hand
gmmu_range_op op(unsigned kind, uint64_t start, uint64_t last, bool whole = false,
                 bool pin = false) {
    gmmu_range_op o = {};
    o.op = static_cast<uint8_t>(kind);
    o.start = start;
    o.last = last;
    o.whole = whole;
    o.pin = pin;
    return o;
}
std::string does(Twin *t, const gmmu_range_op &o) {
    t->op(o);
    return text(t->beats);
}

TEST(RangeDir, TheWorkedExample) {
    Twin t(4, 100);
    const auto answer = [](const char *range, int code, const char *state) {
        return "ANSWER 0:" + std::string(range) + " code " + std::to_string(code) +
               " tag 0 state " + state;
    };
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 0, 39)), "UP 0:0-39; " + answer("0-39", 0, "S"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_BASE, 0, 1000)), answer("0-39@1000", 0, "S hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_WRITE_GPU, 40, 79, true)), answer("40-79", 0, "G"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 80, 99)), "UP 0:80-99; " + answer("80-99", 0, "S"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_CPU, 50, 59)),
              "DOWN 0:40-79; " + answer("50-59", 0, "C hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_WRITE_GPU, 40, 49)), answer("40-79", 0, "G hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 30, 49)),
              "DROP 0:0-39@1000; DOWN 0:40-79; DROP 0:40-79; UP 0:0-79; " + answer("0-79", 0, "S"));
    EXPECT_EQ(t.dir.range[0].hits, 1);
    EXPECT_EQ(does(&t, op(GMMU_RANGE_WRITE_CPU, 80, 99, true)),
              "DROP 0:80-99; " + answer("80-99", 0, "C hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 100, 139, false, true)),
              "DROP 0:0-79; UP 0:100-139; " + answer("100-139", 0, "S"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_WRITE_CPU, 120, 120)), answer("120-120", 2, "C"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 0, 79)), answer("0-79", 4, "C hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_UNPIN, 100, 139)), answer("100-139", 0, "S hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_READ_GPU, 0, 79)),
              "DROP 0:100-139; UP 0:0-79; " + answer("0-79", 0, "S hit"));
    EXPECT_EQ(does(&t, op(GMMU_RANGE_RELEASE, 0, 9)), "DROP 0:0-79; " + answer("0-9", 0, "C hit"));
    EXPECT_EQ(t.dir.used, 2u);
}

// The last byte of 64 bits, and all of them: 2^64 bytes fit nowhere, and nothing wraps.
TEST(RangeDir, TheLastByte) {
    Twin t(2);
    const uint64_t end = UINT64_MAX;
    EXPECT_EQ(t.dir.limit, end);
    (void)does(&t, op(GMMU_RANGE_WRITE_GPU, end, end, true));
    EXPECT_EQ(t.dir.range[0].state, GMMU_RANGE_G);
    (void)does(&t, op(GMMU_RANGE_READ_GPU, 0, 0));
    EXPECT_EQ(t.dir.used, 2u);
    t.op(op(GMMU_RANGE_READ_GPU, 0, end));
    EXPECT_EQ(t.beats.size(), 4u);  // DROP, DOWN, DROP, answer
    EXPECT_EQ(t.beats.back().code, GMMU_RANGE_NOSPACE);
    EXPECT_EQ(t.dir.used, 1u);
    EXPECT_EQ(t.dir.range[0].last, end);
    t.op(op(GMMU_RANGE_RELEASE, end, end));
    EXPECT_EQ(t.dir.used, 0u);
    t.op(op(GMMU_RANGE_READ_GPU, 1, end));  // 2^64 - 1: all the limit
    EXPECT_EQ(t.beats.back().code, GMMU_RANGE_OK);
    t.op(op(GMMU_RANGE_LOOKUP, 1, 0));
    EXPECT_EQ(t.beats.back().code, GMMU_RANGE_BAD);
}

// A merge is refused before the first record of it was touched.
TEST(RangeDir, AMergeWithAPinIsRefusedWhole) {
    Twin t(8);
    (void)does(&t, op(GMMU_RANGE_WRITE_GPU, 0, 9));
    (void)does(&t, op(GMMU_RANGE_READ_GPU, 10, 19));
    (void)does(&t, op(GMMU_RANGE_READ_GPU, 20, 29, false, true));
    for (unsigned kind : {GMMU_RANGE_LOOKUP, GMMU_RANGE_READ_GPU, GMMU_RANGE_WRITE_GPU,
                          GMMU_RANGE_WRITE_CPU, GMMU_RANGE_RELEASE}) {
        t.op(op(kind, 5, 25));
        ASSERT_EQ(t.beats.size(), 1u) << kind;
        EXPECT_EQ(t.beats[0].code, GMMU_RANGE_BUSY) << kind;
        EXPECT_EQ(t.dir.used, 3u);
        EXPECT_EQ(t.dir.range[0].state, GMMU_RANGE_G);
    }
    t.op(op(GMMU_RANGE_READ_CPU, 5, 25));  // the pinned one is S: reading changes nothing of it
    EXPECT_EQ(t.beats.back().code, GMMU_RANGE_OK);
}

TEST(RangeDir, TakesItsMemoryOnce) {
    gmmu_arena count = {nullptr, 0, 0};
    gmmu_range_dir d;
    EXPECT_NE(gmmu_range_dir_init(&d, 16, 0, &count), 0);
    std::vector<char> memory(count.used);
    gmmu_arena arena = {memory.data(), memory.size(), 0},
               small = {memory.data(), memory.size() - 1, 0};
    EXPECT_NE(gmmu_range_dir_init(&d, 16, 0, &small), 0);
    EXPECT_EQ(gmmu_range_dir_init(&d, 16, 0, &arena), 0);
}

}  // namespace
