// SPDX-License-Identifier: Apache-2.0
// csr_test.cpp: the registers behind the bus, RTL against C twin, cycle by cycle; and each field of
// the description read, written and reset.
//
// State space: requests in a row and apart, to every word of the map and to none; every strobe;
// registers that wait for a unit that is quiet seldom, often, always, while it is offered something
// or not; counters that count by 0 to 3 a cycle; events alone and together, forgotten in the cycle
// in which they happen; resets of either kind, at any time, also while registers wait, behind a
// memory port that is at rest or not; words of a register of two in either order, or alone.
// Parameter space: the configuration that it is built for, random initial state.
#include "blocks/csr.h"

#include <array>
#include <deque>
#include <map>
#include <vector>

#include "bench.h"
#include "names.h"

namespace {

struct Style {
    unsigned asks = 0;              // permille of the cycles
    unsigned quiet = 0, comes = 0;  // permille
    unsigned counts = 0;            // permille of the cycles a counter counts
    unsigned events = 0;            // permille
    unsigned resets = 0;            // permille of the requests
    unsigned two = 0;               // permille of the requests for registers of two words
    uint64_t cycles = 0;
};

// The registers of the description.
struct Register {
    const char *name;
    uint32_t address;
    unsigned bits;
    uint64_t reset;
    bool wide, waits;
};

std::vector<Register> registers() {
    const gmmu_config *c = &bench::config();
    std::vector<Register> all;
#define ADD(name, address, bits, reset, wide, waits) \
    all.push_back({#name, address, bits, reset, wide, waits});
    GMMU_CSR_LIST(ADD)
#undef ADD
    return all;
}

class Csr : public bench::Block {
   public:
    uint64_t bad = 0, resets = 0, waited = 0, irqs = 0;

    explicit Csr(const bench::Setup &s) : Block("csr", s) {}

    // Whoever asks meanwhile, or has just asked, gets no answer.
    void reset() {
        request_ = {.valid = true, .address = GMMU_CSR_STATUS, .strobes = 15};
        unit_ = {};
        unit_.rests = true;
        dut->rst = 1;
        for (int i = 0; i < 3; i++) {
            drive();
            settle();
            expect("no answer in a reset", dut->ans_valid && i != 0, false);
            edge();
        }
        request_ = {};
        dut->rst = 0;
        gmmu_csr_init(&twin_, &cfg);
        answers_.assign(2, Answer{});
    }

    bool run(const Style &s) {
        for (uint64_t i = 0; i < s.cycles && ok(); i++) {
            random_unit(s);
            random_request(s);
            cycle();
        }
        return ok();
    }

    // An access by itself; the unit is QUIET or not.
    gmmu_csr_answer access(bool write, uint32_t address, uint32_t data, bool quiet = true,
                           uint8_t strobes = 15) {
        unit_.quiet = quiet;
        unit_.comes = false;
        request_ = {
            .valid = true, .write = write, .address = address, .data = data, .strobes = strobes};
        cycle();
        const gmmu_csr_answer a = answers_.back().is;
        request_ = {};
        cycle();
        cycle();
        return a;
    }
    void idle(unsigned n) {
        request_ = {};
        for (unsigned i = 0; i < n; i++) cycle();
    }
    // Each counter counts, one more than the one before.
    void count(uint32_t by) {
#define COUNT(name) unit_.counters.name += by++;
        GMMU_COUNTERS(COUNT)
#undef COUNT
    }
    gmmu_csr_unit &unit() {
        return unit_;
    }
    uint64_t output(const std::string &name) {
#define OUTPUT(member)   \
    if (name == #member) \
        return dut->cfg_##member;
        GMMU_REGISTERS(OUTPUT)
#undef OUTPUT
        ADD_FAILURE() << name;
        return 0;
    }
    bool in_reset() const {
        return gmmu_csr_resets(&twin_, unit_.rests);
    }

   private:
    struct Answer {
        bool valid = false;
        gmmu_csr_answer is = {};
    };
    gmmu_csr twin_ = {};
    gmmu_csr_request request_ = {};
    gmmu_csr_unit unit_ = {};
    std::deque<Answer> answers_;

    void drive() {
        dut->req_valid = request_.valid;
        dut->req_write = request_.write;
        dut->req_word = static_cast<uint16_t>(request_.address / 4);
        dut->req_data = request_.data;
        dut->req_strb = request_.strobes;
        dut->quiet = unit_.quiet;
        dut->comes = unit_.comes;
        dut->rests = unit_.rests;
        dut->event_rit = (unit_.events & GMMU_CSR_IRQ_RIT) != 0;
        dut->event_hir = (unit_.events & GMMU_CSR_IRQ_HIR) != 0;
        dut->event_xfer = (unit_.events & GMMU_CSR_IRQ_XFER) != 0;
        dut->event_decision = (unit_.events & GMMU_CSR_IRQ_DECISION) != 0;
#define DRIVE(name) dut->stat_##name = unit_.counters.name;
        GMMU_COUNTERS(DRIVE)
#undef DRIVE
    }

    void random_unit(const Style &s) {
        unit_.quiet = rng.chance(s.quiet);
        unit_.comes = rng.chance(s.comes);
        unit_.rests = rng.below(4) != 0;
        unit_.events = 0;
        for (const uint32_t e :
             {GMMU_CSR_IRQ_RIT, GMMU_CSR_IRQ_HIR, GMMU_CSR_IRQ_XFER, GMMU_CSR_IRQ_DECISION})
            unit_.events |= rng.chance(s.events) ? e : 0;
#define COUNTS(name)          \
    if (rng.chance(s.counts)) \
        unit_.counters.name = next(unit_.counters.name);
        GMMU_COUNTERS(COUNTS)
        if (in_reset())
            unit_.counters = {};
#undef COUNTS
    }

    // At most three more; now and then any number, as after long, that shows in the lowest two
    // bits.
    uint32_t next(uint32_t count) {
        const auto more = static_cast<uint32_t>(rng.below(4));
        return rng.below(50) || more == 0
                   ? count + more
                   : (static_cast<uint32_t>(rng.bits(32)) & ~3u) | ((count + more) & 3);
    }

    void random_request(const Style &s) {
        request_ = {};
        request_.valid = rng.chance(s.asks);
        request_.write = rng.below(2) != 0;
        request_.strobes = static_cast<uint8_t>(rng.below(4) ? 15 : rng.below(16));
        request_.data = static_cast<uint32_t>(rng.edgy(32));
        const std::vector<Register> all = registers();
        switch (rng.below(8)) {
            case 0:
                request_.address = rng.below(2) ? 4 * static_cast<uint32_t>(rng.below(8))
                                                : uint32_t{GMMU_CSR_CONTROL};
                break;
            case 1:
                request_.address = 4 * static_cast<uint32_t>(rng.below(1024));
                break;
            case 2:
                request_.address = GMMU_CSR_COUNTERS + 4 * static_cast<uint32_t>(rng.below(20));
                break;
            case 3:
                request_.address = rng.below(2) ? GMMU_CSR_IRQ : GMMU_CSR_IRQ_ENABLE;
                break;
            default: {
                const Register &r = all[rng.below(all.size())];
                request_.address =
                    r.address + 4 * static_cast<uint32_t>(rng.below(r.wide ? 2 : 8) == 1);
                if (rng.below(4) == 0)  // nearly
                    request_.address ^= 4u << rng.below(10);
                break;
            }
        }
        if (rng.chance(s.two))
            for (const Register &r : all)
                if (r.wide)
                    request_.address = r.address + 4 * static_cast<uint32_t>(rng.below(2));
        if (request_.address == GMMU_CSR_CONTROL) {
            const uint32_t kinds[] = {0, GMMU_CSR_RESET, GMMU_CSR_UNIT_RESET,
                                      GMMU_CSR_RESET | GMMU_CSR_UNIT_RESET};
            request_.data &= ~uint32_t{GMMU_CSR_RESET | GMMU_CSR_UNIT_RESET};
            request_.data |= rng.chance(s.resets) ? kinds[rng.below(4)] : 0;
        }
    }

    void cycle() {
        drive();
        settle();
        const Answer &due = answers_.front();
        expect("an answer", dut->ans_valid, due.valid);
        if (due.valid) {
            expect("nothing is there", dut->ans_bad, due.is.bad);
            expect("what is read", dut->ans_data, due.is.data);
        }
        answers_.pop_front();
        expect("irq", dut->irq, twin_.irq);
        expect("reset of the unit", dut->unit_rst, in_reset());
        expect("a reset stops the memory port", dut->stops, twin_.left != 0);
        expect("reset of the registers", dut->regs_rst, in_reset() && !twin_.keep);
#define COMPARE(member) expect("cfg_" #member, dut->cfg_##member, twin_.in_force.member);
        GMMU_REGISTERS(COMPARE)
#undef COMPARE
        waited += twin_.pending;
        irqs += twin_.irq;
        const bool was = in_reset();
        Answer a;
        a.valid = request_.valid;
        a.is = gmmu_csr_cycle(&twin_, request_, &unit_);
        if (a.is.bad)
            a.is.data = 0;
        answers_.push_back(a);
        bad += a.valid && a.is.bad;
        resets += !was && in_reset();
        actions += a.valid;
        edge();
    }
};

bench::Outcome run(const bench::Setup &s) {
    bench::Outcome o;
    Csr b(s);
    const Style styles[] = {
        // clang-format off
        {.asks = 1000, .quiet = 500, .comes = 500, .counts = 100, .events = 100, .resets = 20, .cycles = 6000},
        {.asks = 1000, .quiet = 30, .comes = 300, .counts = 10, .events = 20, .cycles = 6000},
        {.asks = 300, .quiet = 1000, .counts = 500, .events = 300, .resets = 100, .cycles = 4000},
        {.asks = 900, .quiet = 900, .comes = 900, .counts = 5, .events = 3, .resets = 500, .cycles = 6000},
        {.asks = 500, .quiet = 5, .counts = 1000, .events = 1000, .resets = 10, .cycles = 3000},
        {.asks = 1, .quiet = 500, .two = 500, .cycles = 80000}, // words come into force alone
        {.asks = 500, .quiet = 500, .two = 900, .cycles = 2000},
        // clang-format on
    };
    b.reset();
    for (const Style &style : styles)
        if (!b.mismatch.found)
            b.run(style);
    if (!b.mismatch.found) {
        b.reset();
        b.run(styles[0]);
    }
    o.add(b);
    return o;
}

#ifdef GMMU_FAULTS

TEST(CsrFaults, EachIsSeen) {
    bench::expect_faults_seen("csr", 4, run);
}

#else

TEST(Csr, LockStep) {
    bench::expect_lockstep("csr", 8, run);
}

TEST(Csr, AllIsReached) {
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_TRUE(b.run({.asks = 900,
                       .quiet = 300,
                       .comes = 300,
                       .counts = 100,
                       .events = 100,
                       .resets = 300,
                       .cycles = 40000}))
        << b.mismatch.text();
    EXPECT_GT(b.bad, 1000u);
    EXPECT_GT(b.resets, 10u);
    EXPECT_GT(b.waited, 1000u);
    EXPECT_GT(b.irqs, 1000u);
}

// From the description: each register has its reset value, takes all its bits and no others, is in
// force at once or when the unit is quiet, and is reset again.
TEST(Csr, EveryRegister) {
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    unsigned fields = 0;
    const auto read = [&](const Register &r) {
        const gmmu_csr_answer low = b.access(false, r.address, 0);
        EXPECT_FALSE(low.bad) << r.name;
        const gmmu_csr_answer high = b.access(false, r.address + 4, 0);
        EXPECT_EQ(high.bad, !r.wide) << r.name;
        return low.data | (r.wide ? uint64_t{high.data} << 32 : 0);
    };
    const auto write = [&](const Register &r, uint64_t value, bool quiet) {
        const auto upper = static_cast<uint32_t>(value >> 32);
        EXPECT_EQ(b.access(true, r.address + 4, upper, quiet).bad, !r.wide) << r.name;
        EXPECT_FALSE(b.access(true, r.address, static_cast<uint32_t>(value), quiet).bad) << r.name;
    };
    for (const Register &r : registers()) {
        SCOPED_TRACE(r.name);
        EXPECT_EQ(read(r), r.reset);
        EXPECT_EQ(b.output(r.name), r.reset);
        for (const uint64_t value : {~uint64_t{0}, uint64_t{0}, uint64_t{0xA5C396E1A5C396E1}}) {
            const uint64_t before = b.output(r.name);
            write(r, value, false);
            EXPECT_EQ(b.output(r.name), r.waits ? before : value & bench::mask(r.bits));
            EXPECT_EQ(read(r), value & bench::mask(r.bits));  // it waits for that, too
            EXPECT_EQ(b.output(r.name), value & bench::mask(r.bits));
        }
        fields++;
    }
    EXPECT_FALSE(b.access(true, GMMU_CSR_CONTROL, GMMU_CSR_RESET).bad);
    while (b.in_reset()) EXPECT_TRUE(b.access(true, GMMU_CSR_PROTECT, 1).bad);
    for (const Register &r : registers()) {
        EXPECT_EQ(read(r), r.reset) << r.name;
        EXPECT_EQ(b.output(r.name), r.reset) << r.name;
    }
    EXPECT_TRUE(b.mismatch.found == false) << b.mismatch.text();
    std::printf("[ fields   ] %u registers\n", fields);
}

TEST(Csr, EverySizeAndCounter) {
    const gmmu_config &c = bench::config();
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    EXPECT_EQ(b.access(false, GMMU_CSR_ID, 0).data, 0x554D4D47u);
    unsigned sizes = 0, counters = 0, number = 1000;
#define SIZE(name, address)                               \
    EXPECT_EQ(b.access(false, address, 0).data, c.name);  \
    EXPECT_TRUE(b.access(true, address, 0).bad) << #name; \
    sizes++;
    GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
    b.count(number);
    EXPECT_FALSE(b.access(true, GMMU_CSR_CONTROL, GMMU_CSR_SNAPSHOT).bad);
    b.count(number);  // they go on; the snapshot does not
    uint32_t address = GMMU_CSR_COUNTERS;
#define COUNTER(name)                                               \
    EXPECT_EQ(b.access(false, address, 0).data, number++) << #name; \
    EXPECT_TRUE(b.access(true, address, 0).bad) << #name;           \
    address += 4;                                                   \
    counters++;
    GMMU_COUNTERS(COUNTER)
#undef COUNTER
    EXPECT_TRUE(b.access(false, address, 0).bad);
    EXPECT_TRUE(b.mismatch.found == false) << b.mismatch.text();
    std::printf("[ fields   ] %u sizes, %u counters\n", sizes, counters);
}

// What a driver must look after, and nothing that a correct driver may see.
TEST(Csr, WhichCountersRaiseAnEvent) {
    const std::map<std::string, uint32_t> raised = {
        {"drv_errors", GMMU_CSR_IRQ_ERROR}, {"parity", GMMU_CSR_IRQ_ERROR},
        {"watchdog", GMMU_CSR_IRQ_ERROR},   {"fault_drops", GMMU_CSR_IRQ_DROP},
        {"rec_drops", GMMU_CSR_IRQ_DROP},   {"touch_drops", GMMU_CSR_IRQ_DROP},
        {"rit_drops", GMMU_CSR_IRQ_DROP},   {"hir_drops", GMMU_CSR_IRQ_DROP}};
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    std::size_t some = 0;
    const auto events = [&] {
        b.idle(4);
        const uint32_t happened = b.access(false, GMMU_CSR_IRQ, 0).data;
        (void)b.access(true, GMMU_CSR_IRQ, happened);
        return happened;
    };
    (void)events();
#define COUNTER(name)                                                               \
    b.unit().counters.name++;                                                       \
    EXPECT_EQ(events(), raised.count(#name) != 0 ? raised.at(#name) : 0u) << #name; \
    some += raised.count(#name);
    GMMU_COUNTERS(COUNTER)
#undef COUNTER
    EXPECT_EQ(some, raised.size());
    EXPECT_TRUE(b.mismatch.found == false) << b.mismatch.text();
}

// A register of two words: either order, a word again, a word alone, writes without strobes.
TEST(Csr, TwoWordsComeIntoForceTogetherInEitherOrder) {
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    unsigned wide = 0;
    const unsigned patience = GMMU_CSR_PATIENCE;
    for (const Register &r : registers()) {
        if (!r.wide)
            continue;
        SCOPED_TRACE(r.name);
        wide++;
        const uint64_t all = bench::mask(r.bits);
        const uint32_t upper = r.address + 4, lower = r.address;
        const auto status = [&] { return b.access(false, GMMU_CSR_STATUS, 0).data; };
        const unsigned quiet{GMMU_CSR_QUIET}, pending{GMMU_CSR_QUIET | GMMU_CSR_PENDING};
        uint64_t value = r.reset;
        for (const bool upper_first : {false, true, true, false, false}) {
            const uint64_t before = value;
            value = (before ^ 0x5A3C96E1A5C3691E) & all;
            const auto word = [&](bool is_upper) {
                (void)b.access(true, is_upper ? upper : lower,
                               static_cast<uint32_t>(value >> (is_upper ? 32 : 0)));
            };
            word(upper_first);
            EXPECT_EQ(b.output(r.name), before);
            EXPECT_EQ(b.access(false, upper_first ? upper : lower, 0).data,
                      static_cast<uint32_t>(value >> (upper_first ? 32 : 0)));  // as written
            const bool differs = ((before ^ value) >> (upper_first ? 32 : 0) & 0xFFFFFFFF) != 0;
            EXPECT_EQ(status(), differs ? pending : quiet);
            word(upper_first);  // again
            EXPECT_EQ(b.output(r.name), before);
            word(!upper_first);
            EXPECT_EQ(b.output(r.name), value);
            EXPECT_EQ(status(), quiet);
        }
        // alone, just when the time is over; a word written again begins its time again
        (void)b.access(true, lower, ~static_cast<uint32_t>(value));
        b.idle(patience / 2);
        (void)b.access(true, lower, ~static_cast<uint32_t>(value));
        b.idle(patience - 3);  // three cycles are in `access`
        EXPECT_EQ(b.output(r.name), value);
        b.idle(1);
        value ^= 0xFFFFFFFF;
        EXPECT_EQ(b.output(r.name), value & all);
        b.idle(1);
        EXPECT_EQ(status(), quiet);
        // a write without strobes is none of a word
        (void)b.access(true, upper, 0, true, 0);
        (void)b.access(true, lower, 1);
        EXPECT_EQ(b.output(r.name), value & all);
        (void)b.access(true, upper, 0, true, 0);
        EXPECT_EQ(b.output(r.name), value & all);
        (void)b.access(true, upper, 0, true, 1);
        EXPECT_EQ(b.output(r.name), ((value & ~uint64_t{0xFFFFFFFFFF}) | 1) & all);
        // a reset forgets a word that waits
        (void)b.access(true, lower, 7);
        (void)b.access(true, GMMU_CSR_CONTROL, GMMU_CSR_RESET);
        b.idle(8);
        EXPECT_EQ(b.output(r.name), r.reset);
        (void)b.access(true, upper, 0);
        EXPECT_EQ(b.output(r.name), r.reset);
        b.idle(patience);
    }
    EXPECT_GT(wide, 0u);
    EXPECT_TRUE(b.mismatch.found == false) << b.mismatch.text();
    std::printf("[ fields   ] %u registers of two words\n", wide);
}

// A register that waits: what the next walk meets is what was written before it came.
TEST(Csr, ARegisterWaitsForAUnitThatIsQuietAndGetsNothing) {
    Csr b({.ram = "garbage", .seed = bench::seed_of_run()});
    b.reset();
    (void)b.access(true, GMMU_CSR_TIER, 3, false);
    EXPECT_EQ(b.output("tier"), 0u);
    EXPECT_EQ(b.access(false, GMMU_CSR_STATUS, 0, false).data, unsigned{GMMU_CSR_PENDING});
    EXPECT_EQ(b.access(false, GMMU_CSR_TIER, 0, false).data, 3u);
    EXPECT_EQ(b.output("tier"), 0u);
    (void)b.access(false, GMMU_CSR_STATUS, 0, true);
    EXPECT_EQ(b.output("tier"), 3u);
    // a reset of the unit alone keeps it, and puts in force what waits
    (void)b.access(true, GMMU_CSR_TIER, 4, false);
    (void)b.access(true, GMMU_CSR_CONTROL, GMMU_CSR_UNIT_RESET, false);
    for (int i = 0; i < 4; i++) (void)b.access(false, GMMU_CSR_STATUS, 0, false);
    EXPECT_FALSE(b.in_reset());
    EXPECT_EQ(b.output("tier"), 4u);
    EXPECT_TRUE(b.mismatch.found == false) << b.mismatch.text();
}

#endif

}  // namespace
