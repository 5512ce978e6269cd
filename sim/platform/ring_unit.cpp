// SPDX-License-Identifier: Apache-2.0
// ring_unit.cpp: --model rtl-ring, see rtl_unit.h. Walks are a stream. All else goes through
// cmodel/driver/unit_bus and unit_rings, as a driver in software has it: registers and counters
// over AXI4-Lite, decisions, packets and operations through rings in memory.
#include <verilated.h>

#include <vector>

#include "beats.h"
#include "blocks/beat.h"
#include "driver/unit_rings.h"
#include "ring_device.h"
#include "rtl_unit.h"

namespace {

// Entries of the rings. Rings of decisions and operations are small, so that they wrap often; those
// of packets hold the largest ones.
enum { DECISIONS = 32, OPERATIONS = 8, RECORDS = 4096 };
enum { MOST = 1000000 };  // reads of a register, until what is waited for has come

class RingUnit : public Unit {
   public:
    RingUnit(const sc_core::sc_module_name &name, const Parameters &p, const UnitSize &size)
        : Unit(name, p.unit.decision),
          p_(p),
          size_(size),
          regs_(size.regs),
          device_(MEMORY, p.unit.memory) {
        start();
    }
    uint64_t cycles() const override { return device_.cycles(); }
    gmmu_counters counters() override {
        gmmu_counters n = {};
        must(gmmu_bus_counters(bus(), &n), "its counters");
        return n;
    }

   protected:
    void walk(const WalkTag &tag) override;
    void operation(const gmmu_tier_drv_in &in) override;
    void foresee(const gmmu_gmt_registers &r) override {
        regs_.tier_model = r.model;
        regs_.tier_near = r.near;
        regs_.tier_far = r.far;
        write_regs();
    }
    void protect(uint32_t share) override {
        regs_.protect = share;
        write_regs();
    }

   private:
    // each ring has a part of its own, the largest entries in mind
    static constexpr size_t PART = 64 * RECORDS, MEMORY = 4 * PART;
    const Parameters &p_;
    const UnitSize &size_;
    gmmu_regs regs_;
    RingDevice device_;
    gmmu_config sizes_ = {};  // as the registers tell them
    gmmu_unit_ring decisions_ = {}, operations_ = {}, rit_ = {}, hir_ = {};
    const WalkTag *walk_ = nullptr;
    std::vector<gmmu_tier_decision> made_;
    struct Beat {
        uint32_t words[GMMU_UNIT_BEAT_WORDS];
        bool last;
    };
    std::vector<Beat> beats_;  // of packets, that came

    const gmmu_bus *bus() const { return device_.bus(); }
    static void must(bool good, const char *what) {
        if (!good)
            bad(std::string("unit: the RTL refuses, or does not come to an end with, ") + what);
    }
    void start();
    void open(gmmu_unit_ring *r, unsigned channel, uint32_t entries, unsigned part);
    void write_regs();
    void interrupt();
    void take_decisions();
    void take_packets(gmmu_unit_ring *r);
    void acknowledge(gmmu_unit_ring *r);
    void rest();
    void tell_beats();
    void tell_all(uint64_t begun);
};

void RingUnit::open(gmmu_unit_ring *r, unsigned channel, uint32_t entries, unsigned part) {
    must(gmmu_rings_open(r, bus(), channel, MOST), "opening a ring");
    const gmmu_unit_interrupts when = {1, 0, true, true};
    must(gmmu_rings_memory(r, device_.memory() + part * PART, device_.address() + part * PART,
                           entries) &&
             (r->in || gmmu_rings_interrupts(r, &when)) && gmmu_rings_enable(r),
         "setting up a ring");
}

void RingUnit::start() {
    uint32_t version;
    device_.reset();
    must(gmmu_bus_identify(bus(), &sizes_, &version), "telling its sizes");
    if (sizes_.frames != size_.cfg.frames || sizes_.t2_slots != size_.cfg.t2_slots)
        bad("unit: found RTL of other sizes than configuration " + std::string(size_.cfg.name));
    // registers that count from a reset on are in force behind it
    must(gmmu_bus_write_regs(bus(), &regs_) && gmmu_bus_reset(bus(), true, MOST) &&
             gmmu_bus_wait_regs(bus(), MOST),
         "its registers");
    open(&decisions_, GMMU_RING_DECISION, DECISIONS, 0);
    open(&operations_, GMMU_RING_DRV, OPERATIONS, 1);
    if (size_.hears.rit)
        open(&rit_, GMMU_RING_RIT, RECORDS, 2);
    if (size_.hears.hir)
        open(&hir_, GMMU_RING_HIR, RECORDS, 3);
    rest();
    made_.clear();
}

void RingUnit::write_regs() {
    must(gmmu_bus_write_regs(bus(), &regs_), "its registers");
    rest();
    must(gmmu_bus_wait_regs(bus(), MOST), "its registers");
    tell_beats();
}

// What the driver does at an interrupt, while the unit goes on.
void RingUnit::interrupt() {
    uint32_t asking = 0;
    must(gmmu_rings_asking(bus(), &asking), "telling who asks for an interrupt");
    if (asking >> GMMU_RING_RIT & 1)
        take_packets(&rit_);
    if (asking >> GMMU_RING_HIR & 1)
        take_packets(&hir_);
    if (asking >> GMMU_RING_DECISION & 1)
        take_decisions();
}

void RingUnit::acknowledge(gmmu_unit_ring *r) {
    uint32_t events = 0;
    must(gmmu_rings_give_back(r) && gmmu_rings_events(r, &events), "an interrupt");
    if (events & GMMU_RING_STATUS_HIGH_ERROR)
        bad("unit: memory has refused an access of the RTL");
    if (events & GMMU_RING_STATUS_HIGH_OVERFLOW_INT)
        bad("unit: the RTL has dropped a packet, as its ring is full");
}

void RingUnit::take_decisions() {
    const gmmu_decision_layout at = gmmu_decision_layout_of(&sizes_);
    uint32_t beat[GMMU_UNIT_BEAT_WORDS];
    must(gmmu_rings_look(&decisions_, nullptr), "telling of its decisions");
    while (gmmu_rings_take(&decisions_, beat, nullptr))
        made_.push_back(get_decision(at, [&beat](gmmu_field f) { return gmmu_beat_get(beat, f); }));
    acknowledge(&decisions_);
}

void RingUnit::take_packets(gmmu_unit_ring *r) {
    must(gmmu_rings_look(r, nullptr), "telling of its packets");
    for (uint32_t beats; (beats = gmmu_rings_packet(r)) != 0;) {
        for (; beats != 0; beats--) {
            Beat b = {};
            must(gmmu_rings_take(r, b.words, &b.last), "a packet");
            beats_.push_back(b);
        }
    }
    acknowledge(r);
}

// Until nothing is under way in the unit and its rings, and no interrupt stands.
void RingUnit::rest() {
    // a walk needs a few cycles to be seen at `quiet`, and an interrupt comes some behind its entry
    constexpr unsigned RESTS = 6;
    const uint64_t limit = device_.cycles() + 64ull * size_.cfg.frames + 8 * MOST;
    for (unsigned n = 0; n < RESTS;) {
        device_.cycle();
        n = device_.quiet() && !device_.irq() ? n + 1 : 0;
        if (device_.irq())
            interrupt();
        if (device_.cycles() > limit)
            bad("unit: the RTL does not come to rest");
    }
}

void RingUnit::walk(const WalkTag &tag) {
    const gmmu_tier_walk_in in = unit_walk(size_.cfg, tag);
    uint32_t beat[GMMU_UNIT_BEAT_WORDS] = {};
    put_walk(gmmu_walk_layout_of(&size_.cfg), in,
             [&beat](gmmu_field f, uint64_t value) { gmmu_beat_put(beat, f, value); });
    walk_ = &tag;
    const uint64_t begun = device_.cycles();
    device_.walk(beat);
    rest();
    tell_all(begun);
}

void RingUnit::operation(const gmmu_tier_drv_in &in) {
    uint32_t beat[GMMU_UNIT_BEAT_WORDS] = {}, waiting = 1;
    bool full = true;
    put_operation(gmmu_drv_layout_of(&sizes_), in,
                  [&beat](gmmu_field f, uint64_t value) { gmmu_beat_put(beat, f, value); });
    const uint64_t begun = device_.cycles();
    must(gmmu_rings_post(&operations_, beat, &full) && !full && gmmu_rings_ring(&operations_),
         "an operation of the driver");
    for (unsigned n = 0; n < MOST && waiting != 0; n++)
        must(gmmu_rings_waiting(&operations_, &waiting), "an operation of the driver");
    must(waiting == 0, "an operation of the driver");
    rest();
    tell_all(begun);
}

void RingUnit::tell_beats() {
    for (const Beat &b : beats_) tell(b.words, b.last);
    beats_.clear();
}

void RingUnit::tell_all(uint64_t begun) {
    tell_beats();
    const sc_core::sc_time took =
        p_.unit.measured ? static_cast<double>(device_.cycles() - begun) * p_.unit.clock : takes();
    while (!made_.empty()) {
        const gmmu_tier_decision d = made_.front();
        made_.erase(made_.begin());
        decide(*walk_, d, took);
    }
}

}  // namespace

static std::unique_ptr<Unit> make_ring_unit(const Parameters &p, const UnitSize &size) {
    static const char *none[] = {"platform"};
    Verilated::commandArgs(1, none);
    return std::make_unique<RingUnit>("unit", p, size);
}

Rtl rtl_of_program() {
    return {"rtl-ring", GMMU_CONFIG_NAME, make_ring_unit};
}
