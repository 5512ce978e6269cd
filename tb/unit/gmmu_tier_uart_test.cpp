// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_uart_test.cpp: the unit behind its serial line, bit by bit, through the functions that
// `gmmu fpga` has: what it is, its registers, walks whose decisions are compared with the C
// model's; on a line that flips, loses and doubles bytes and cuts packets; on one that is dead, and
// on a board that is reset meanwhile.
//
// State space: walks at random of few pages and instructions, faults on damage of either direction
// at random. Parameter space: the three RAM collision models, random initial state.
#include <string>
#include <vector>

#include "bench.h"
#include "board/play.h"
#include "serial.h"

namespace {

enum { DIV = 4, CYCLES_A_MS = 400 };

class Board : public bench::Block {
   public:
    gmmu_link link = {};
    Damage damage;
    unsigned cut = 0;   // of 100 packets
    bool dead = false;  // nothing comes through
    bool gone = false;  // the line is unplugged
    uint64_t reset_at = ~0ull;

    explicit Board(const bench::Setup &s) : Block("gmmu_tier_uart", s), noise_(s.seed ^ 0xE7A) {
        link.line.context = this;
        link.line.read = [](void *c, uint8_t *to, size_t room, unsigned ms) {
            return static_cast<Board *>(c)->read(to, room, ms);
        };
        link.line.write = [](void *c, const uint8_t *bytes, size_t count) {
            return static_cast<Board *>(c)->write(bytes, count);
        };
        link.name = "line";
        link.wait_ms = 25;
        link.tries = 30;
        dut->rxd = 1;
        dut->rst = 1;
        for (int i = 0; i < 4; i++) cycle();
        dut->rst = 0;
    }

   private:
    bench::Random noise_;
    SerialEnd wire_{DIV};
    std::deque<uint8_t> came_;

    void pass(uint8_t byte, std::deque<uint8_t> *to) {
        if (!dead)
            damage.pass(byte, to, [this](uint64_t n) { return noise_.below(n); });
    }
    bool write(const uint8_t *bytes, size_t count) {
        if (gone)
            return false;
        if (noise_.below(100) < cut) {
            count = noise_.below(count);
            damage.done++;
        }
        for (size_t i = 0; i < count; i++) pass(bytes[i], &wire_.to_board);
        return true;
    }
    long read(uint8_t *to, size_t room, unsigned ms) {
        for (uint64_t n = 0; n < static_cast<uint64_t>(ms) * CYCLES_A_MS; n++) {
            if (gone)
                return -1;
            if (!came_.empty() && !wire_.receives())
                break;
            n = wire_.sends() ? 0 : n;
            cycle();
        }
        size_t count = 0;
        for (; count < room && !came_.empty(); count++) {
            to[count] = came_.front();
            came_.pop_front();
        }
        return static_cast<long>(count);
    }
    void cycle() {
        if (cycles == reset_at)
            dut->rst = 1;
        if (cycles == reset_at + 4)
            dut->rst = 0;
        dut->rxd = wire_.drive();
        settle();
        if (!dut->rst)
            wire_.sample(dut->txd);
        for (; !wire_.from_board.empty(); wire_.from_board.pop_front())
            pass(wire_.from_board.front(), &came_);
        expect("start or stop bit", wire_.framing_error, false);
        edge();
    }
};

gmmu_regs few_frames(unsigned frames) {
    gmmu_regs r = gmmu_regs_default(&bench::config());
    r.frames = frames;
    r.refresh = 8;  // the priorities of all rows take 80 000 cycles
    return r;
}

// WALKS walks at random; says what went wrong.
std::string play(Board *b, const gmmu_regs &regs, unsigned walks, gmmu_board_score *score,
                 void (*before)(Board *, unsigned) = nullptr) {
    gmmu_error err = {""};
    gmmu_config cfg;
    uint32_t version;
    if (!gmmu_link_open(&b->link, &err) || !gmmu_board_play_config(&b->link, &cfg, &version, &err))
        return err.text;
    gmmu_board_play *p = gmmu_board_play_create(&b->link, &cfg, &regs, &err);
    if (p == nullptr)
        return err.text;
    bench::Random r(b->mismatch.setup.seed);
    bool good = true;
    for (unsigned i = 0; i < walks && good; i++) {
        if (before != nullptr)
            before(b, i);
        gmmu_walk w = {};
        w.vpn = r.below(8) < 5 ? r.below(20) : r.below(200);
        w.ref = 0x100 + r.below(6);
        w.asid = r.below(16) == 0;
        w.write = r.below(4) == 0;
        good = gmmu_board_play_walk(p, &w, &err);
    }
    if (good)
        (void)gmmu_board_play_end(p, &err);
    *score = gmmu_board_play_score(p);
    gmmu_board_play_free(p);
    return score->mismatches != 0 ? score->where : err.text;
}

TEST(GmmuTierUart, SaysWhatItIs) {
    for (const bench::Setup &s : bench::setups(1)) {
        Board b(s);
        gmmu_error err = {""};
        ASSERT_TRUE(gmmu_link_open(&b.link, &err)) << err.text;
        EXPECT_TRUE(b.link.is.fresh);
        EXPECT_EQ(b.link.is.bytes, 512u);
        EXPECT_EQ(b.link.is.clock_hz, 60000000u);
        const gmmu_config &c = bench::config();
        EXPECT_EQ(b.link.is.walk, (gmmu_walk_layout_of(&c).bits + 7) / 8);
        EXPECT_EQ(b.link.is.drv, (gmmu_drv_layout_of(&c).bits + 7) / 8);
        EXPECT_EQ(b.link.is.decision, (gmmu_decision_layout_of(&c).bits + 7) / 8);
        ASSERT_TRUE(gmmu_link_open(&b.link, &err)) << err.text;
        EXPECT_FALSE(b.link.is.fresh);
        gmmu_config found;
        uint32_t version;
        ASSERT_TRUE(gmmu_board_play_config(&b.link, &found, &version, &err)) << err.text;
#define SAME(name, at) EXPECT_EQ(found.name, c.name) << #name;
        GMMU_CSR_SIZE_LIST(SAME)
#undef SAME
        // where there is no register
        gmmu_link_registers registers = {&b.link, {""}};
        const gmmu_bus bus = gmmu_link_bus(&registers);
        uint32_t data;
        EXPECT_FALSE(bus.read32(bus.context, 0xF00, &data));
        EXPECT_STREQ(registers.err.text, "line: found no register where one was expected");
        EXPECT_EQ(b.link.resent, 0u);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    }
}

TEST(GmmuTierUart, DecidesAsTheModel) {
    Board b(bench::Setup{.ram = "garbage", .seed = bench::seed_of_run()});
    gmmu_board_score score;
    EXPECT_EQ(play(&b, few_frames(24), 10000, &score), "");
    EXPECT_EQ(score.walks, 10000u);
    EXPECT_EQ(score.decisions, score.faults);
    EXPECT_GT(score.evictions, 100u);
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
}

TEST(GmmuTierUart, DamageDoesNoHarm) {
    const Damage kinds[] = {{6, 0, 0, 0}, {0, 6, 0, 0}, {0, 0, 6, 0},
                            {0, 0, 0, 6}, {2, 2, 2, 2}, {}};
    unsigned n = 0;
    for (const Damage &d : kinds) {
        Board b(bench::Setup{.ram = "old", .seed = bench::seed_of_run() + n++});
        b.damage = d;
        b.cut = d.flip == d.lose ? 10 : 0;
        gmmu_board_score score;
        EXPECT_EQ(play(&b, few_frames(16), 1000, &score), "") << n;
        EXPECT_EQ(score.walks, 1000u);
        EXPECT_EQ(score.decisions, score.faults);
        EXPECT_GT(b.damage.done, 10u);
        EXPECT_GT(b.link.resent, 5u);
        EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
    }
}

TEST(GmmuTierUart, AnotherDecisionIsFound) {
    Board b(bench::Setup{});
    gmmu_board_score score;
    // behind the player's back the unit searches otherwise
    const std::string said = play(&b, few_frames(16), 600, &score, [](Board *board, unsigned i) {
        if (i != 200)
            return;
        gmmu_link_registers registers = {&board->link, {""}};
        const gmmu_bus bus = gmmu_link_bus(&registers);
        EXPECT_TRUE(bus.write32(bus.context, GMMU_CSR_SEARCH, GMMU_SEARCH_CLOCK));
    });
    EXPECT_EQ(score.mismatches, 1u);
    EXPECT_NE(said.find("decision's "), std::string::npos) << said;
    EXPECT_GE(score.walks, 200u);
}

TEST(GmmuTierUart, SaysWhyNothingComes) {
    Board b(bench::Setup{});
    gmmu_error err = {""};
    b.dead = true;
    b.link.tries = 4;
    EXPECT_FALSE(gmmu_link_open(&b.link, &err));
    EXPECT_STREQ(err.text, "line: found no answer to 4 requests, expected one of a board");
    b.dead = false;
    gmmu_board_score score;
    EXPECT_EQ(play(&b, few_frames(16), 600, &score,
                   [](Board *board, unsigned i) { board->gone |= i == 300; }),
              "line: found no line any more, expected the board");
    b.gone = false;
    b.link.tries = 4;
    EXPECT_EQ(play(&b, few_frames(16), 600, &score,
                   [](Board *board, unsigned i) {
                       if (i == 300)
                           board->reset_at = board->cycles + 100;
                   }),
              "line: found a board that was reset meanwhile, expected its answer");
    // and it can be played to again
    b.reset_at = ~0ull;
    EXPECT_EQ(play(&b, few_frames(16), 300, &score), "");
    EXPECT_FALSE(b.mismatch.found) << b.mismatch.text();
}

}  // namespace
