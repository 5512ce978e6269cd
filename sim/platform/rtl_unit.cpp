// SPDX-License-Identifier: Apache-2.0
// rtl_unit.cpp: see rtl_unit.h.
#include "rtl_unit.h"

#include <algorithm>

#include "Vunit.h"
#include "beats.h"
#include "gmmu/config.h"

using sc_core::sc_signal;

namespace {

template <int N>
void put(sc_dt::sc_bv<N> *beat, gmmu_field f, uint64_t value) {
    beat->range(static_cast<int>(f.offset + f.width) - 1, static_cast<int>(f.offset)) =
        sc_dt::sc_uint<64>(value).range(static_cast<int>(f.width) - 1, 0);
}
template <int N>
uint64_t get(const sc_dt::sc_bv<N> &beat, gmmu_field f) {
    return beat.range(static_cast<int>(f.offset + f.width) - 1, static_cast<int>(f.offset))
        .to_uint64();
}

// A beat in words of 32 bits; up to 64 bits are a number.
template <int N>
void words_of(const sc_dt::sc_bv<N> &beat, uint32_t *words) {
    for (int at = 0; at < N; at += 32)
        words[at / 32] = beat.range(std::min(at + 31, N - 1), at).to_uint();
}
[[maybe_unused]] void words_of(uint64_t beat, uint32_t *words) {
    words[0] = static_cast<uint32_t>(beat);
    words[1] = static_cast<uint32_t>(beat >> 32);
}

// A signal for each port, bound to it.
template <typename Port>
struct signal_of;
template <typename T>
struct signal_of<sc_core::sc_in<T>> : sc_signal<T> {
    using beat = T;
};
template <typename T>
struct signal_of<sc_core::sc_out<T>> : sc_signal<T> {
    using beat = T;
};

class RtlUnit : public Unit {
   public:
    RtlUnit(const sc_core::sc_module_name &name, const Parameters &p, const UnitSize &size)
        : Unit(name, p.unit.decision), size_(size), p_(p) {
        bind();
    }
    uint64_t cycles() const override { return cycles_; }
    gmmu_counters counters() override;

   protected:
    void walk(const WalkTag &tag) override;
    void operation(const gmmu_tier_drv_in &in) override;
    void foresee(const gmmu_gmt_registers &r) override;
    void protect(uint32_t share) override;

   private:
    const UnitSize &size_;
    const Parameters &p_;
    const gmmu_walk_layout walk_at_ = gmmu_walk_layout_of(&size_.cfg);
    const gmmu_drv_layout drv_at_ = gmmu_drv_layout_of(&size_.cfg);
    const gmmu_decision_layout decision_at_ = gmmu_decision_layout_of(&size_.cfg);
    Vunit rtl_{"rtl"};
    uint64_t cycles_ = 0;
    bool reset_ = false;
    const WalkTag *walk_ = nullptr;
    std::vector<gmmu_tier_decision> made_;
    struct Beat {
        uint32_t words[GMMU_RIT_WORDS];
        bool last;
    };
    std::vector<Beat> beats_;  // of packets, that left
    sc_signal<bool> clk_{"clk"};
#define GMMU_PORT(name) signal_of<std::remove_reference_t<decltype(Vunit::name)>> name;
// clang-format off
#define GMMU_PORTS(X) \
    X(rst) X(test_en) X(cfg_pseudo) X(cfg_feed) X(cfg_censor) X(cfg_rit_fault) X(cfg_t2_full) \
    X(cfg_tier_default) X(cfg_tier_model) X(cfg_tie) X(cfg_search) X(cfg_sample) X(cfg_rit_wait) \
    X(cfg_refresh) X(cfg_rit_batch) X(cfg_protect) X(cfg_tier) X(s_axis_walk_tvalid) \
    X(s_axis_drv_tvalid) X(m_axis_decision_tready) X(s_axis_walk_tready) X(s_axis_drv_tready) \
    X(m_axis_decision_tvalid) X(m_frame_ar_valid) X(m_frame_w_valid) X(m_frame_ar_ready) \
    X(m_frame_w_ready) X(m_frame_r_valid) X(m_frame_b_valid) X(m_frame_ar_addr) \
    X(m_frame_w_addr) X(m_axis_rit_tvalid) X(m_axis_rit_tlast) X(m_axis_hir_tvalid) \
    X(m_axis_hir_tlast) X(m_axis_rit_tready) X(m_axis_hir_tready) X(s_axis_range_tvalid) \
    X(m_axis_xfer_tready) X(s_axis_range_tready) X(m_axis_xfer_tvalid) X(m_axis_xfer_tlast) \
    X(quiet) X(cfg_frames) X(cfg_transfer) X(cfg_t2_slots) X(cfg_tier_near) X(cfg_tier_far) \
    X(cfg_range_bytes) X(stat_walks) X(stat_stale_hits) X(stat_merged) X(stat_fault_drops) \
    X(stat_rec_drops) X(stat_drv_errors) X(stat_parity) X(stat_parity_last) X(stat_none) \
    X(stat_touch_drops) X(stat_stolen) X(stat_rit_drops) X(stat_hir_drops) X(stat_hir_skipped) \
    X(stat_t2_stale) X(stat_t2_none) X(m_frame_r_data) X(m_frame_w_data) X(m_axis_hir_tdata) \
    X(s_axis_walk_tdata) X(s_axis_drv_tdata) X(m_axis_decision_tdata) X(m_axis_rit_tdata) \
    X(s_axis_range_tdata) X(m_axis_xfer_tdata) X(cfg_flush) X(stat_flushes) \
    X(cfg_watchdog) X(stat_watchdog) X(stat_watchdog_last) X(cfg_fresh) X(cfg_ahead) \
    X(stat_replays) X(stat_again) X(stat_lost) X(stat_late) X(stat_none_fresh) X(stat_ahead)
    // clang-format on
    GMMU_PORTS(GMMU_PORT)
#undef GMMU_PORT

    void bind() {
        rtl_.clk(clk_);
#define GMMU_BIND(name) rtl_.name(name);
        GMMU_PORTS(GMMU_BIND)
#undef GMMU_BIND
    }
    void configure();
    void reset();
    void cycle();
    void rest();
    // The packets and decisions that came.
    void tell_all(uint64_t begun);
    void tell_beats();
    void hear();
    gmmu_tier_decision decision() const;
};

void RtlUnit::configure() {
    const gmmu_regs &r = size_.regs;
    cfg_frames.write(r.frames);
    cfg_pseudo.write(r.pseudo != 0);
    cfg_feed.write(r.feed != 0);
    cfg_censor.write(r.censor != 0);
    cfg_search.write(r.search);
    cfg_sample.write(r.sample);
    cfg_refresh.write(r.refresh);
    cfg_rit_batch.write(r.rit_batch);
    cfg_rit_fault.write(r.rit_fault != 0);
    cfg_rit_wait.write(r.rit_wait);
    cfg_transfer.write(r.transfer);
    cfg_protect.write(r.protect);
    cfg_t2_slots.write(r.t2_slots);
    cfg_tier.write(r.tier);
    cfg_t2_full.write(r.t2_full != 0);
    cfg_tier_default.write(r.tier_default != 0);
    cfg_tier_model.write(r.tier_model != 0);
    cfg_tier_near.write(r.tier_near);
    cfg_tier_far.write(r.tier_far);
    cfg_tie.write(r.tie != 0);
    cfg_range_bytes.write(static_cast<decltype(cfg_range_bytes)::beat>(r.range_bytes));
    cfg_flush.write(r.flush);
    cfg_watchdog.write(r.watchdog);
    cfg_fresh.write(r.fresh);
    cfg_ahead.write(r.ahead);
    m_axis_decision_tready.write(true);
    m_axis_rit_tready.write(true);
    m_axis_hir_tready.write(true);
    m_axis_xfer_tready.write(true);
    m_frame_ar_ready.write(true);
    m_frame_w_ready.write(true);
}

// The kernel's time stands still: two deltas for an edge and what follows from it.
void RtlUnit::cycle() {
    clk_.write(true);
    wait(sc_core::SC_ZERO_TIME);
    wait(sc_core::SC_ZERO_TIME);
    clk_.write(false);
    wait(sc_core::SC_ZERO_TIME);
    wait(sc_core::SC_ZERO_TIME);
    cycles_++;
    if (m_axis_decision_tvalid.read())
        made_.push_back(decision());
    hear();
}

void RtlUnit::reset() {
    configure();
    rst.write(true);
    for (int i = 0; i < 3; i++) cycle();
    rst.write(false);
    while (!s_axis_walk_tready.read() || !quiet.read()) cycle();
    made_.clear();
    reset_ = true;
}

void RtlUnit::rest() {
    const uint64_t limit = cycles_ + 64ull * size_.cfg.frames + 4000000;
    // a walk needs a few cycles to be seen at `quiet`; that it stays so twice is rest
    for (unsigned n = 0; n < 2;) {
        cycle();
        n = quiet.read() ? n + 1 : 0;
        if (cycles_ > limit)
            bad("unit: the RTL does not come to rest");
    }
}

void RtlUnit::walk(const WalkTag &tag) {
    if (!reset_)
        reset();
    const gmmu_tier_walk_in in = unit_walk(size_.cfg, tag);
    typename decltype(s_axis_walk_tdata)::beat beat;
    put_walk(walk_at_, in, [&beat](gmmu_field f, uint64_t value) { put(&beat, f, value); });
    walk_ = &tag;
    const uint64_t begun = cycles_;
    s_axis_walk_tdata.write(beat);
    s_axis_walk_tvalid.write(true);
    // while the clock is low: a gated clock that rests wakes by the next edge
    wait(sc_core::SC_ZERO_TIME);
    wait(sc_core::SC_ZERO_TIME);
    cycle();
    s_axis_walk_tvalid.write(false);
    rest();
    tell_all(begun);
}

void RtlUnit::operation(const gmmu_tier_drv_in &in) {
    typename decltype(s_axis_drv_tdata)::beat beat;
    put_operation(drv_at_, in, [&beat](gmmu_field f, uint64_t value) { put(&beat, f, value); });
    const uint64_t begun = cycles_;
    s_axis_drv_tdata.write(beat);
    s_axis_drv_tvalid.write(true);
    bool taken = false;
    const uint64_t limit = cycles_ + 1000000;
    for (wait(sc_core::SC_ZERO_TIME), wait(sc_core::SC_ZERO_TIME); !taken;) {
        taken = s_axis_drv_tready.read();
        cycle();
        if (cycles_ > limit)
            bad("unit: the RTL does not take an operation of the driver");
    }
    s_axis_drv_tvalid.write(false);
    rest();
    tell_all(begun);
}

void RtlUnit::foresee(const gmmu_gmt_registers &r) {
    cfg_tier_model.write(r.model);
    cfg_tier_near.write(r.near);
    cfg_tier_far.write(r.far);
    rest();
    tell_beats();
}

void RtlUnit::protect(uint32_t share) {
    cfg_protect.write(share);
    rest();
    tell_beats();
}

void RtlUnit::hear() {
    const auto take = [this](const auto &tdata, bool last) {
        Beat b = {};
        words_of(tdata, b.words);
        b.last = last;
        beats_.push_back(b);
    };
    if (size_.hears.hir && m_axis_hir_tvalid.read())
        take(m_axis_hir_tdata.read(), m_axis_hir_tlast.read());
    if (size_.hears.rit && m_axis_rit_tvalid.read())
        take(m_axis_rit_tdata.read(), m_axis_rit_tlast.read());
}

void RtlUnit::tell_beats() {
    for (const Beat &b : beats_) tell(b.words, b.last);
    beats_.clear();
}

void RtlUnit::tell_all(uint64_t begun) {
    tell_beats();
    const sc_core::sc_time took =
        p_.unit.measured ? static_cast<double>(cycles_ - begun) * p_.unit.clock : takes();
    while (!made_.empty()) {
        const gmmu_tier_decision d = made_.front();
        made_.erase(made_.begin());
        decide(*walk_, d, took);
    }
}

gmmu_counters RtlUnit::counters() {
    gmmu_counters c = {};
    const auto number = [](const auto &signal) { return static_cast<uint32_t>(signal.read()); };
    c.stale_hits = number(stat_stale_hits);
    c.fault_drops = number(stat_fault_drops);
    c.drv_errors = number(stat_drv_errors);
    c.none = number(stat_none);
    c.again = number(stat_again);
    c.lost = number(stat_lost);
    c.late = number(stat_late);
    c.none_fresh = number(stat_none_fresh);
    c.ahead = number(stat_ahead);
    return c;
}

gmmu_tier_decision RtlUnit::decision() const {
    const auto &beat = m_axis_decision_tdata.read();
    return get_decision(decision_at_, [&beat](gmmu_field f) { return get(beat, f); });
}

}  // namespace

static std::unique_ptr<Unit> make_rtl_unit(const Parameters &p, const UnitSize &size) {
    static const char *none[] = {"platform"};
    Verilated::commandArgs(1, none);
    return std::make_unique<RtlUnit>("unit", p, size);
}

Rtl rtl_of_program() {
    return {"rtl", GMMU_CONFIG_NAME, make_rtl_unit};
}
