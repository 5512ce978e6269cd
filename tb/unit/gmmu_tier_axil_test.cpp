// SPDX-License-Identifier: Apache-2.0
// gmmu_tier_axil_test.cpp: the unit behind its bus, through the driver's own functions: what it is,
// its registers, its counters; and a soft reset is power-up: the same walks and operations get the
// same answers, cycle by cycle, whatever the unit did before.
//
// State space: accesses whose address and data come in any order and whose responses wait; walks,
// driver operations and range operations at random, of few pages, frames and slots, outputs that
// are taken or not; registers at random. Parameter space: the configuration that it is built for,
// the three RAM collision models, random initial state.
#include <array>
#include <vector>

#include "bench.h"
#include "driver/unit_bus.h"

namespace {

class Axil : public bench::Block {
   public:
    uint64_t accesses = 0, irqs = 0;

    explicit Axil(const bench::Setup &s) : Block("gmmu_tier_axil", s), bus_rng_(s.seed ^ 0xB05) {
        bus.context = this;
        bus.read32 = [](void *c, uint32_t address, uint32_t *data) {
            return static_cast<Axil *>(c)->access(false, address, data);
        };
        bus.write32 = [](void *c, uint32_t address, uint32_t data) {
            return static_cast<Axil *>(c)->access(true, address, &data);
        };
    }
    gmmu_bus bus = {};

    void power_up() {
        idle();
        dut->rst = 1;
        for (int i = 0; i < 4; i++) tick();
        dut->rst = 0;
    }
    // The reset sequence, which clears RAMs.
    bool ready() {
        idle();
        for (uint64_t i = 0; i < 400000; i++) {
            settle();
            if (dut->s_axis_walk_tready)
                return true;
            edge();
        }
        return false;
    }
    // COUNT cycles of random traffic from SEED on; what the unit shows goes into *seen, if there is
    // one.
    void traffic(uint64_t seed, uint64_t count, std::vector<uint64_t> *seen) {
        bench::Random r(seed);
        for (uint64_t i = 0; i < count; i++) {
            walk(&r);
            operation(&r);
            range(&r);
            dut->m_axis_decision_tready = r.chance(700);
            dut->m_axis_rit_tready = r.chance(700);
            dut->m_axis_hir_tready = r.chance(700);
            dut->m_axis_xfer_tready = r.chance(700);
            settle();
            if (seen != nullptr)
                seen->push_back(shown());
            irqs += dut->irq;
            taken_walk_ = dut->s_axis_walk_tready;
            taken_drv_ = dut->s_axis_drv_tready;
            taken_range_ = dut->s_axis_range_tready;
            edge();
        }
        idle();
    }
    // Nothing comes, all is taken, until the unit is quiet.
    bool drain() {
        idle();
        uint32_t status = 0;
        // a refresh of each row may be owed
        const uint64_t most = 20000 + 40ull * cfg.classes * cfg.bins;
        for (uint64_t i = 0; i < most && !(status & GMMU_CSR_QUIET); i++)
            if (!access(false, GMMU_CSR_STATUS, &status))
                return false;
        return status & GMMU_CSR_QUIET;
    }

   private:
    bench::Random bus_rng_;
    bool taken_walk_ = true, taken_drv_ = true, taken_range_ = true;

    void idle() {
        dut->s_axil_awvalid = dut->s_axil_wvalid = dut->s_axil_arvalid = 0;
        dut->s_axil_bready = dut->s_axil_rready = 0;
        dut->s_axis_walk_tvalid = dut->s_axis_drv_tvalid = dut->s_axis_range_tvalid = 0;
        dut->m_axis_decision_tready = dut->m_axis_rit_tready = 1;
        dut->m_axis_hir_tready = dut->m_axis_xfer_tready = 1;
        dut->m_frame_ar_ready = dut->m_frame_w_ready = 0;
        dut->m_frame_r_valid = dut->m_frame_b_valid = 0;
        taken_walk_ = taken_drv_ = taken_range_ = true;
    }

    // An access of the bus: each part comes when it likes, each response is taken when it likes.
    bool access(bool write, uint32_t address, uint32_t *data) {
        bool address_done = false, data_done = !write, good = false;
        dut->s_axil_awaddr = dut->s_axil_araddr = static_cast<uint16_t>(address);
        dut->s_axil_wdata = *data;
        dut->s_axil_wstrb = 15;
        bool offers = false, gives = false;
        for (int i = 0; i < 200; i++) {
            offers = !address_done && (offers || bus_rng_.below(2));
            gives = !data_done && (gives || bus_rng_.below(2));
            dut->s_axil_awvalid = offers && write;
            dut->s_axil_arvalid = offers && !write;
            dut->s_axil_wvalid = gives;
            dut->s_axil_bready = dut->s_axil_rready = bus_rng_.below(3) == 0;
            settle();
            const bool came = write ? dut->s_axil_bvalid : dut->s_axil_rvalid;
            const bool done = came && dut->s_axil_bready;
            if (came)
                good = (write ? dut->s_axil_bresp : dut->s_axil_rresp) == 0;
            if (came && !write)
                *data = dut->s_axil_rdata;
            expect("a response to nothing", came && !(address_done && data_done), 0);
            expect("a response of the other kind", write ? dut->s_axil_rvalid : dut->s_axil_bvalid,
                   0);
            if (offers && (write ? dut->s_axil_awready : dut->s_axil_arready))
                address_done = true;
            if (gives && dut->s_axil_wready)
                data_done = true;
            edge();
            if (done) {
                dut->s_axil_bready = dut->s_axil_rready = 0;
                accesses++;
                actions++;
                return good;
            }
        }
        expect("an access without a response", 1, 0);
        return false;
    }

    // Offered beats stay until they are taken.
    void walk(bench::Random *r) {
        const gmmu_walk_layout l = gmmu_walk_layout_of(&cfg);
        if (dut->s_axis_walk_tvalid && !taken_walk_)
            return;
        dut->s_axis_walk_tvalid = r->chance(600);
        clear_bits(dut->s_axis_walk_tdata);
        put_bits(dut->s_axis_walk_tdata, l.vpn, r->below(300));
        put_bits(dut->s_axis_walk_tdata, l.ref, r->below(12));
        put_bits(dut->s_axis_walk_tdata, l.asid, r->below(2));
        put_bits(dut->s_axis_walk_tdata, l.write, r->below(2));
        put_bits(dut->s_axis_walk_tdata, l.fault, r->below(3) == 0);
        put_bits(dut->s_axis_walk_tdata, l.frame, r->below(cfg.frames));
        put_bits(dut->s_axis_walk_tdata, l.t2, r->below(4) == 0);
        put_bits(dut->s_axis_walk_tdata, l.slot, r->below(32));
    }
    void operation(bench::Random *r) {
        const gmmu_drv_layout l = gmmu_drv_layout_of(&cfg);
        if (dut->s_axis_drv_tvalid && !taken_drv_)
            return;
        dut->s_axis_drv_tvalid = r->chance(200);
        clear_bits(dut->s_axis_drv_tdata);
        for (const gmmu_field &f : {l.dirty, l.returns, l.was, l.t2, l.slot})
            put_bits(dut->s_axis_drv_tdata, f, r->below(2) ? r->next() : r->below(4));
        put_bits(dut->s_axis_drv_tdata, l.op, r->below(10));
        put_bits(dut->s_axis_drv_tdata, l.vpn, r->below(300));
        put_bits(dut->s_axis_drv_tdata, l.asid, r->below(2));
        put_bits(dut->s_axis_drv_tdata, l.frame, r->below(cfg.frames));
    }
    void range(bench::Random *r) {
        const gmmu_range_layout l = gmmu_range_layout_of(&cfg);
        if (dut->s_axis_range_tvalid && !taken_range_)
            return;
        const uint64_t start = r->below(4096);
        dut->s_axis_range_tvalid = r->chance(100);
        clear_bits(dut->s_axis_range_tdata);
        put_bits(dut->s_axis_range_tdata, l.op, r->below(13));
        put_bits(dut->s_axis_range_tdata, l.tag, r->below(256));
        put_bits(dut->s_axis_range_tdata, l.start, start);
        put_bits(dut->s_axis_range_tdata, l.last, start + r->below(300));
    }
    // A number of all that the unit shows in a cycle.
    uint64_t shown() {
        uint64_t h = 0;
        const auto take = [&h](uint64_t v) { h = (h ^ v) * 0x9E3779B97F4A7C15ull + (h >> 29); };
        const auto beat = [&take](bool valid, const auto &data) {
            take(valid);
            const auto *p = reinterpret_cast<const unsigned char *>(&data);
            for (std::size_t i = 0; valid && i < sizeof data; i++) take(p[i]);
        };
        beat(dut->m_axis_decision_tvalid, dut->m_axis_decision_tdata);
        beat(dut->m_axis_rit_tvalid, dut->m_axis_rit_tdata);
        beat(dut->m_axis_hir_tvalid, dut->m_axis_hir_tdata);
        beat(dut->m_axis_xfer_tvalid, dut->m_axis_xfer_tdata);
        take(dut->s_axis_walk_tready);
        take(dut->s_axis_drv_tready);
        take(dut->s_axis_range_tready);
        take(dut->irq);
        return h;
    }
};

gmmu_regs random_regs(bench::Random *r, const gmmu_config &c) {
    gmmu_regs g = gmmu_regs_default(&c);
    g.search = static_cast<uint32_t>(r->below(3));
    g.feed = static_cast<uint32_t>(r->below(2));
    g.sample = static_cast<uint32_t>(r->below(4));
    g.refresh = 4 + static_cast<uint32_t>(r->below(4));
    g.rit_batch = static_cast<uint32_t>(r->below(9));
    g.transfer = static_cast<uint32_t>(r->below(12));
    g.protect = static_cast<uint32_t>(r->below(256));
    g.frames = 1 + static_cast<uint32_t>(r->below(32));
    g.t2_slots = static_cast<uint32_t>(r->below(32));
    g.tier = static_cast<uint32_t>(r->below(5));
    g.range_bytes = r->below(4096);
    return g;
}

bool same(const gmmu_config &c, const gmmu_regs &a, const gmmu_regs &b) {
    bool is = true;
#define SAME(name, at, bits, reset, wide, waits) is = is && a.name == b.name;
    const gmmu_config *config = &c;
    (void)config;
    GMMU_CSR_LIST(SAME)
#undef SAME
    return is;
}

TEST(GmmuTierAxil, TheDriverKnowsTheUnit) {
    const gmmu_config &cfg = bench::config();
    Axil u({.ram = "garbage", .seed = bench::seed_of_run()});
    u.power_up();
    ASSERT_TRUE(u.ready());
    gmmu_config is;
    uint32_t version;
    ASSERT_TRUE(gmmu_bus_identify(&u.bus, &is, &version));
#define SIZE(name, at) EXPECT_EQ(is.name, cfg.name);
    GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
    gmmu_regs r = {};
    ASSERT_TRUE(gmmu_bus_read_regs(&u.bus, &r));
    EXPECT_TRUE(same(cfg, r, gmmu_regs_default(&cfg)));
    bench::Random rng(bench::seed_of_run());
    for (int i = 0; i < 20; i++) {
        const gmmu_regs to = random_regs(&rng, cfg);
        u.traffic(rng.next(), 300, nullptr);
        ASSERT_TRUE(gmmu_bus_write_regs(&u.bus, &to));
        ASSERT_TRUE(u.drain());
        ASSERT_TRUE(gmmu_bus_wait_regs(&u.bus, 10));
        ASSERT_TRUE(gmmu_bus_read_regs(&u.bus, &r));
        EXPECT_TRUE(same(cfg, r, to));
    }
    EXPECT_FALSE(u.bus.write32(u.bus.context, GMMU_CSR_ID, 1));
    EXPECT_FALSE(u.bus.read32(u.bus.context, 0xFFC, &version));
    gmmu_counters n;
    ASSERT_TRUE(gmmu_bus_counters(&u.bus, &n));
    EXPECT_GT(n.walks, 1000u);
    EXPECT_FALSE(u.mismatch.found) << u.mismatch.text();
}

// By the driver's function, between walks and while they come.
TEST(GmmuTierAxil, AnAddressSpaceIsFlushed) {
    Axil u({.ram = "garbage", .seed = bench::seed_of_run()});
    bench::Random rng(bench::seed_of_run());
    u.power_up();
    ASSERT_TRUE(u.ready());
    for (unsigned i = 1; i <= 5; i++) {
        u.traffic(rng.next(), 300, nullptr);
        ASSERT_TRUE(
            gmmu_bus_flush(&u.bus, static_cast<uint32_t>(rng.bits(bench::config().asid_w)), 200));
        gmmu_counters n;
        ASSERT_TRUE(gmmu_bus_counters(&u.bus, &n));
        EXPECT_EQ(n.flushes, i);
    }
    EXPECT_FALSE(gmmu_bus_flush(&u.bus, 0, 0));
    EXPECT_FALSE(u.mismatch.found) << u.mismatch.text();
}

TEST(GmmuTierAxil, ASoftResetIsPowerUp) {
    enum : uint64_t { CYCLES = 3000 };
    unsigned compared = 0;
    uint64_t irqs = 0;
    for (const bench::Setup &s : bench::setups(3)) {
        SCOPED_TRACE(s.ram);
        Axil u(s);
        bench::Random rng(s.seed);
        const gmmu_regs to = random_regs(&rng, bench::config());
        const uint64_t stimuli = rng.next();
        std::vector<uint64_t> first, again;
        const auto play = [&](std::vector<uint64_t> *seen, gmmu_counters *n) {
            ASSERT_TRUE(u.ready());
            ASSERT_TRUE(u.bus.write32(u.bus.context, GMMU_CSR_IRQ_ENABLE, 0x3F));
            ASSERT_TRUE(gmmu_bus_write_regs(&u.bus, &to));
            ASSERT_TRUE(gmmu_bus_wait_regs(&u.bus, 2000));
            ASSERT_TRUE(gmmu_bus_reset(&u.bus, true, 100));  // cfg_sample is taken at reset
            ASSERT_TRUE(u.ready());
            u.traffic(stimuli, CYCLES, seen);
            ASSERT_TRUE(u.drain());
            ASSERT_TRUE(gmmu_bus_counters(&u.bus, n));
        };
        gmmu_counters a = {}, b = {};
        u.power_up();
        play(&first, &a);
        const gmmu_regs other = random_regs(&rng, bench::config());
        ASSERT_TRUE(gmmu_bus_write_regs(&u.bus, &other));
        u.traffic(rng.next(), 2000, nullptr);
        ASSERT_TRUE(gmmu_bus_reset(&u.bus, false, 100));
        gmmu_regs r = {};
        ASSERT_TRUE(gmmu_bus_read_regs(&u.bus, &r));
        EXPECT_TRUE(same(bench::config(), r, gmmu_regs_default(&bench::config())));
        play(&again, &b);
        ASSERT_EQ(first.size(), again.size());
        for (size_t i = 0; i < first.size(); i++) ASSERT_EQ(first[i], again[i]) << "cycle " << i;
        EXPECT_EQ(std::memcmp(&a, &b, sizeof a), 0);
        EXPECT_FALSE(u.mismatch.found) << u.mismatch.text();
        EXPECT_GT(a.walks, CYCLES / 4);
        compared += static_cast<unsigned>(first.size());
        irqs += u.irqs;
    }
    EXPECT_GT(irqs, 1000u);
    std::printf("[ vectors  ] %u cycles after a soft reset as after power-up\n", compared);
}

}  // namespace
