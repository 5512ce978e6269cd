// SPDX-License-Identifier: Apache-2.0
// unit.cpp: the unit's C model call by call, and the unit as a simulator's memory.
// python/gmmu/_unit.py wraps both.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "blocks/beat.h"
#include "blocks/steps.h"
#include "driver/unit_memory.h"
#include "driver/unit_regs.h"
#include "gmmu/csr.h"
#include "long_call.h"
#include "module.h"

namespace nb = nanobind;

namespace {

// A column of rows, with any stride: of a structured array as it is.
template <typename T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu>;

template <typename T>
class Values {
   public:
    explicit Values(const Column<T> &column)
        : data_(column.data()), stride_(column.shape(0) > 1 ? column.stride(0) : 1) {}
    T operator[](size_t i) const { return data_[static_cast<int64_t>(i) * stride_]; }

   private:
    const T *data_;
    int64_t stride_;  // in values
};

// ---- values from Python

[[noreturn]] void refuse(const std::string &text) {
    gmmu_error err;
    (void)snprintf(err.text, sizeof err.text, "%s", text.c_str());
    throw_error(err);
}

uint64_t most(unsigned bits) {
    return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

// VALUE, of at most BITS bits. WHERE and NAME begin the message of a refusal.
uint64_t number(nb::handle value, const char *where, const char *name, unsigned bits) {
    // a bool of NumPy is no index
    const bool is_bool =
        bits == 1 && std::strncmp(Py_TYPE(value.ptr())->tp_name, "numpy.bool", 10) == 0;
    const nb::object index = is_bool ? nb::object(nb::int_(PyObject_IsTrue(value.ptr())))
                                     : nb::steal(PyNumber_Index(value.ptr()));
    const std::string field = std::string(where) + name;
    if (!index.is_valid()) {
        PyErr_Clear();
        throw nb::value_error(
            (field + ": found " + nb::repr(value).c_str() + ", expected a number").c_str());
    }
    const uint64_t found = PyLong_AsUnsignedLongLong(index.ptr());
    const bool beyond = PyErr_Occurred() != nullptr;
    PyErr_Clear();
    if (beyond || found > most(bits))
        throw nb::value_error((field + ": found " + nb::str(index).c_str() + ", expected 0.." +
                               std::to_string(most(bits)) + " (" + std::to_string(bits) +
                               (bits == 1 ? " bit)" : " bits)"))
                                  .c_str());
    return found;
}

// The sizes of a unit: of each name of gmmu.layouts.Config its value.
gmmu_config sizes_of(const nb::dict &from, const std::string &name) {
    gmmu_config c = {};
    c.name = name.c_str();
#define SIZE(size, address) \
    c.size = static_cast<unsigned>(number(from[#size], "config: ", #size, 32));
    GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
    return c;
}

void legal_sizes(const gmmu_config &c) {
    const char *bad = gmmu_config_error(&c);
    if (bad != nullptr)
        refuse("configuration " + std::string(c.name) + " with " + std::to_string(c.frames) +
               " frames: " + bad);
}

// REGS with the values of FROM, of cfg_NAME each, in their place.
void set_regs(gmmu_regs *regs, const gmmu_config *c, const nb::dict &from) {
#define REGISTER(name, address, bits, reset, wide, waits) \
    if (from.contains("cfg_" #name))                      \
        regs->name =                                      \
            static_cast<decltype(regs->name)>(number(from["cfg_" #name], "", "cfg_" #name, bits));
    GMMU_CSR_LIST(REGISTER)
#undef REGISTER
    if (regs->flush != 0)
        refuse("cfg_flush: found " + std::to_string(regs->flush) +
               ", expected 0: flush(asid) does both writes");
    gmmu_error err;
    if (!gmmu_unit_regs_legal(c, regs, &err))
        throw_error(err);
}

nb::dict dict_of(const gmmu_regs &regs) {
    nb::dict all;
#define REGISTER(name, address, bits, reset, wide, waits) all["cfg_" #name] = regs.name;
    GMMU_CSR_LIST(REGISTER)
#undef REGISTER
    return all;
}

nb::dict dict_of(const gmmu_counters &counters) {
    nb::dict all;
#define COUNTER(name) all["stat_" #name] = counters.name;
    GMMU_COUNTERS(COUNTER)
#undef COUNTER
    return all;
}

// ---- structures that are rows of NumPy's

template <typename T>
const char *kind_of() {
    static_assert(std::is_integral_v<T>);
    if (std::is_same_v<T, bool>)
        return "?";
    return sizeof(T) == 8 ? "u8" : sizeof(T) == 4 ? "u4" : sizeof(T) == 2 ? "u2" : "u1";
}

// {names, formats, offsets, itemsize} for numpy.dtype
struct RowType {
    nb::list names, formats, offsets;
    void add(const char *name, const char *format, size_t offset) {
        names.append(name);
        formats.append(format);
        offsets.append(offset);
    }
    nb::dict dict(size_t bytes) const {
        nb::dict all;
        all["names"] = names;
        all["formats"] = formats;
        all["offsets"] = offsets;
        all["itemsize"] = bytes;
        return all;
    }
};

// A decision, its fields in the order of m_axis_decision, and the walk of a batch behind which it
// came.
struct DecisionRow {
    uint64_t walk, vpn, v_vpn, t2_vpn;
    uint32_t seq, asid, frame, v_asid, v_last, t2_slot, t2_asid;
    uint16_t prio;
    uint8_t tier, pred;
    bool v_dirty, ahead, lost, fresh, rise, swap, forced, t2_valid, t2_dirty;
};

#define DECISION_FIELDS(X) \
    X(seq)                 \
    X(asid)                \
    X(vpn)                 \
    X(tier)                \
    X(frame)               \
    X(v_asid)              \
    X(v_vpn)               \
    X(v_dirty)             \
    X(prio)                \
    X(v_last)              \
    X(ahead)               \
    X(lost)                \
    X(fresh)               \
    X(rise) X(swap) X(pred) X(forced) X(t2_valid) X(t2_slot) X(t2_asid) X(t2_vpn) X(t2_dirty)

nb::dict decision_type() {
    RowType t;
    t.add("walk", "u8", offsetof(DecisionRow, walk));
#define FIELD(name) \
    t.add(#name, kind_of<decltype(DecisionRow::name)>(), offsetof(DecisionRow, name));
    DECISION_FIELDS(FIELD)
#undef FIELD
    return t.dict(sizeof(DecisionRow));
}

#define ACCESS_FIELDS(X) \
    X(frame)             \
    X(from)              \
    X(first)             \
    X(victim_to)         \
    X(victim_asid)       \
    X(victim_vpn) X(victim_dirty) X(priority) X(slot) X(t2_left) X(t2_asid) X(t2_vpn) X(t2_dirty)

nb::dict access_type() {
    RowType t;
#define FIELD(name) \
    t.add(#name, kind_of<decltype(gmmu_unit_access::name)>(), offsetof(gmmu_unit_access, name));
    ACCESS_FIELDS(FIELD)
#undef FIELD
    return t.dict(sizeof(gmmu_unit_access));
}

DecisionRow row_of(const gmmu_tier_decision &d, uint64_t walk) {
    DecisionRow r;
    std::memset(&r, 0, sizeof r);
    r.walk = walk;
    r.seq = d.seq, r.asid = d.asid, r.vpn = d.vpn, r.tier = static_cast<uint8_t>(d.tier),
    r.frame = d.frame;
    r.v_asid = d.victim_asid, r.v_vpn = d.victim_vpn, r.v_dirty = d.victim_dirty,
    r.prio = d.priority, r.v_last = d.victim_last;
    r.ahead = d.ahead, r.lost = d.lost, r.fresh = d.fresh, r.rise = d.rise, r.swap = d.swap,
    r.pred = static_cast<uint8_t>(d.pred);
    r.forced = d.forced, r.t2_valid = d.t2_valid, r.t2_slot = d.t2_slot, r.t2_asid = d.t2_asid,
    r.t2_vpn = d.t2_vpn, r.t2_dirty = d.t2_dirty;
    return r;
}

// ---- one call at a time, though the GIL is released in long ones

// Calls EACH(i) for i below N without the GIL, until EACH returns false; Ctrl-C ends the loop.
template <typename F>
void without_gil(size_t n, F each) {
    std::atomic<bool> stop = false;
    long_call(stop, [&] {
        for (size_t i = 0; i < n && !stop.load(std::memory_order_relaxed) && each(i); i++) continue;
    });
}

// ---- the unit

using Words = std::vector<uint32_t>;

struct PacketBeat {
    Words words;
    bool last;
};

// The state of a unit: what the C model has of it, and what waits outside.
struct Snapshot {
    uint64_t owner;  // number of the unit: an address may come again
    gmmu_tier unit;
    gmmu_tier_steps steps;
    std::vector<uint64_t> memory;
    std::deque<gmmu_tier_decision> decisions;
    std::deque<PacketBeat> rit, hir;
};

class Unit {
   public:
    Unit(const std::string &name, const nb::dict &sizes, const nb::dict &regs, bool hir)
        : name_(name) {
        const gmmu_config c = sizes_of(sizes, name_);
        legal_sizes(c);
        gmmu_regs r = gmmu_regs_default(&c);
        if (c.frame_mem != 0)
            r.search = GMMU_SEARCH_SAMPLE;  // whatever cfg_search says
        set_regs(&r, &c, regs);
        memory_.resize(gmmu_tier_bytes(&c) / sizeof(uint64_t) + 2);
        if (gmmu_tier_init(&unit_, &c, &r, memory_.data(), memory_.size() * sizeof(uint64_t)) != 0)
            refuse("unit: out of memory");
        unit_.hir_unheard = !hir;
        unit_.rit_sink = take_rit;
        unit_.rit_ctx = this;
    }
    Unit(const Unit &) = delete;
    Unit &operator=(const Unit &) = delete;

    // vpn, ref, asid, sm, write, fault, frame, t2, slot, replay; whether the schedule follows
    nb::tuple walk(const nb::args &a) {
        const Busy busy(busy_, "unit");
        const gmmu_walk_layout l = gmmu_walk_layout_of(&unit_.cfg);
        const char *const at = "walk: ";
        gmmu_tier_walk_in in = {};
        in.vpn = number(a[0], at, "vpn", l.vpn.width);
        in.ref = number(a[1], at, "ref", l.ref.width);
        in.asid = static_cast<uint32_t>(number(a[2], at, "asid", l.asid.width));
        (void)number(a[3], at, "sm", l.sm.width);
        in.write = number(a[4], at, "write", 1) != 0;
        in.fault = number(a[5], at, "fault", 1) != 0;
        in.frame = static_cast<uint32_t>(number(a[6], at, "frame", l.frame.width));
        in.t2 = number(a[7], at, "t2", 1) != 0;
        in.slot = static_cast<uint32_t>(number(a[8], at, "slot", l.slot.width));
        in.replay = number(a[9], at, "replay", 1) != 0;
        const gmmu_tier_walk_out out = one(in);
        if (nb::cast<bool>(a[10]))
            settle();
        const gmmu_reuse &r = out.reuse;
        return nb::make_tuple(out.time, out.place.cls.row, out.place.cls.gen, out.place.allocated,
                              r.valid, out.sampled.hit, out.record, out.touch, out.fault,
                              out.exported, out.hir);
    }

    // op, frame, vpn, asid, dirty, returns, was, t2, slot, force, ahead; whether the schedule
    // follows
    nb::tuple driver(const nb::args &a) {
        const Busy busy(busy_, "unit");
        const gmmu_drv_layout l = gmmu_drv_layout_of(&unit_.cfg);
        const char *const at = "driver: ";
        gmmu_tier_drv_in in = {};
        in.op = static_cast<unsigned>(number(a[0], at, "op", l.op.width));
        in.frame = static_cast<uint32_t>(number(a[1], at, "frame", l.frame.width));
        in.vpn = number(a[2], at, "vpn", l.vpn.width);
        in.asid = static_cast<uint32_t>(number(a[3], at, "asid", l.asid.width));
        in.dirty = number(a[4], at, "dirty", 1) != 0;
        in.returns = number(a[5], at, "returns", 1) != 0;
        in.was = static_cast<uint32_t>(number(a[6], at, "was", l.was.width));
        in.t2 = number(a[7], at, "t2", 1) != 0;
        in.slot = static_cast<uint32_t>(number(a[8], at, "slot", l.slot.width));
        in.force = number(a[9], at, "force", 1) != 0;
        in.ahead = number(a[10], at, "ahead", 1) != 0;
        const gmmu_tier_drv_out out = gmmu_tier_drv(&unit_, in);
        if (nb::cast<bool>(a[11]))
            settle();
        return nb::make_tuple(out.refused, out.entry_hit, out.fresh, out.t2_stale, out.record,
                              out.fault, out.exported);
    }

    // WALK or REPLAY alone, as the RTL reports it on tvi: the fields of `walk` but the last; then
    // whether a SCRUB took the sampler's turn, a FLUSH the directory's, and whether the packet
    // before has not left m_axis_hir.
    nb::tuple act_walk(const nb::args &a) {
        told_ = {nb::cast<bool>(a[10]), nb::cast<bool>(a[11]), nb::cast<bool>(a[12])};
        nb::list fields;
        for (size_t i = 0; i < 10; i++) fields.append(a[i]);
        fields.append(false);
        const nb::tuple out = walk(nb::borrow<nb::args>(nb::tuple(fields)));
        told_ = {};
        return out;
    }
    // An action that is neither WALK nor DRV, with the operand that the RTL chose (a frame, row,
    // queue, slot, kind or limit; 0: none). Its results, or None: the action is not owed.
    nb::object act(const std::string &name, uint64_t operand, uint64_t more) {
        const Busy busy(busy_, "unit");
        static const Action actions[] = {
            {"ENTER", &Unit::act_enter},       {"EXPIRE", &Unit::act_expire},
            {"TOUCH", &Unit::act_touch},       {"AGE", &Unit::act_age},
            {"INSTALL", &Unit::act_install},   {"CAND", &Unit::act_cand},
            {"HAND", &Unit::act_hand},         {"DECIDE", &Unit::act_decide},
            {"FORETELL", &Unit::act_foretell}, {"FORGET", &Unit::act_forget},
            {"RISE", &Unit::act_rise},         {"CAND2", &Unit::act_cand2},
            {"PLACE", &Unit::act_place},       {"ALLOW", &Unit::act_allow},
            {"LEARN", &Unit::act_learn},       {"CLEAR", &Unit::act_clear},
            {"HALVE", &Unit::act_halve},       {"REFRESH", &Unit::act_refresh},
            {"THRESH", &Unit::act_thresh},     {"SCRUB", &Unit::act_scrub},
            {"FLUSH", &Unit::act_flush},       {"SEND", &Unit::act_send},
        };
        for (const Action &action : actions)
            if (name == action.name)
                return (this->*action.act)(static_cast<uint32_t>(operand),
                                           static_cast<uint32_t>(more));
        refuse("act: found action " + name + ", expected one of docs/guide/schedule.md");
    }

    // A pass that steps began is ended first.
    void settle() {
        while (steps_.phase != 0) (void)gmmu_tier_step(&unit_, &steps_, take_decision, this);
        if (!gmmu_tier_settled(&unit_))
            gmmu_tier_settle(&unit_, take_decision, this);
    }
    void settle_locked() {
        const Busy busy(busy_, "unit");
        settle();
    }
    // The name of the action done, or None.
    nb::object step() {
        const Busy busy(busy_, "unit");
        const char *name = gmmu_step_name(gmmu_tier_step(&unit_, &steps_, take_decision, this));
        if (settled())  // the rest of the pass has nothing to do
            steps_ = {};
        return name == nullptr ? nb::object(nb::none()) : nb::object(nb::str(name));
    }
    nb::object decision() {
        const Busy busy(busy_, "unit");
        if (decisions_.empty())
            return nb::none();
        const DecisionRow r = row_of(decisions_.front(), 0);
        decisions_.pop_front();
        nb::list fields;
#define FIELD(name) fields.append(static_cast<uint64_t>(r.name));
        DECISION_FIELDS(FIELD)
#undef FIELD
        return nb::tuple(fields);
    }
    size_t waiting() const {
        return decisions_.size();
    }
    // gmmu_tier_settled says nothing of a unit that exports records: there a batch may be due.
    bool settled_locked() {
        const Busy busy(busy_, "unit");
        return settled();
    }
    bool settled() {
        const uint32_t batch = unit_.regs.rit_batch;
        unit_.regs.rit_batch = 0;
        const bool rest = gmmu_tier_settled(&unit_);
        unit_.regs.rit_batch = batch;
        return rest && (batch == 0 || !gmmu_rit_export_due(&unit_.rit_export, batch));
    }

    // Walks of a batch, each settled; DecisionRows as bytes. What waited before comes first, as of
    // walk 0.
    nb::bytes walks(Column<uint64_t> vpn, Column<uint64_t> ref, Column<uint32_t> asid,
                    Column<bool> write, Column<bool> fault, Column<uint32_t> frame, Column<bool> t2,
                    Column<uint32_t> slot, Column<bool> replay) {
        const Busy busy(busy_, "unit");
        const Values<uint64_t> vpns(vpn), refs(ref);
        const Values<uint32_t> asids(asid), in_frame(frame), slots(slot);
        const Values<bool> writes(write), faults(fault), t2s(t2), replays(replay);
        std::vector<DecisionRow> rows;
        const auto collect = [&](uint64_t walk) {
            for (; !decisions_.empty(); decisions_.pop_front())
                rows.push_back(row_of(decisions_.front(), walk));
        };
        collect(0);
        without_gil(vpn.shape(0), [&](size_t i) {
            gmmu_tier_walk_in in = {};
            in.vpn = vpns[i], in.ref = refs[i], in.asid = asids[i], in.write = writes[i],
            in.fault = faults[i];
            in.frame = in_frame[i], in.t2 = t2s[i], in.slot = slots[i], in.replay = replays[i];
            (void)one(in);
            settle();
            collect(i);
            return true;
        });
        return nb::bytes(rows.data(), rows.size() * sizeof(DecisionRow));
    }

    void change(const nb::dict &from) {
        const Busy busy(busy_, "unit");
        gmmu_regs r = unit_.regs;
        set_regs(&r, &unit_.cfg, from);
        if (r.sample != unit_.regs.sample)
            refuse("cfg_sample: found " + std::to_string(r.sample) + ", expected " +
                   std::to_string(unit_.regs.sample) +
                   ": the register comes into force at reset alone");
        bool waits = false;
#define WAITS(name, address, bits, reset, wide, quiet) \
    waits |= (quiet) && r.name != unit_.regs.name;
        GMMU_CSR_LIST(WAITS)
#undef WAITS
        if (waits) {
            settle();
            gmmu_tier_configure(&unit_, &r);
            return;
        }
        gmmu_tier_change(&unit_, &r);
        unit_.regs.watchdog = r.watchdog, unit_.regs.flush = r.flush;
        if (r.protect != unit_.regs.protect)
            gmmu_tier_protect(&unit_, r.protect);
        gmmu_tier_range_limit(&unit_, r.range_bytes);
    }
    void flush(const nb::args &a) {
        const Busy busy(busy_, "unit");
        gmmu_tier_flush(&unit_,
                        static_cast<uint32_t>(number(a[0], "flush: ", "asid", unit_.cfg.asid_w)));
        settle();
    }

    // Beats of m_axis_xfer, their fields in its order.
    // op, tag, asid, start, last, whole, pin
    nb::list range(const nb::args &a) {
        const Busy busy(busy_, "unit");
        if (unit_.cfg.ranges == 0)
            refuse("range: found RANGES 0, expected a configuration with ranges");
        const gmmu_range_layout l = gmmu_range_layout_of(&unit_.cfg);
        const char *const at = "range: ";
        gmmu_range_op in = {};
        in.op = static_cast<uint8_t>(number(a[0], at, "op", l.op.width));
        in.tag = static_cast<uint8_t>(number(a[1], at, "tag", l.tag.width));
        in.asid = static_cast<uint32_t>(number(a[2], at, "asid", l.asid.width));
        in.start = number(a[3], at, "start", l.start.width);
        in.last = number(a[4], at, "last", l.last.width);
        in.whole = number(a[5], at, "whole", 1) != 0;
        in.pin = number(a[6], at, "pin", 1) != 0;
        const uint32_t n = gmmu_tier_range(&unit_, in);
        nb::list beats;
        for (uint32_t i = 0; i < n; i++) {
            const gmmu_range_beat &b = unit_.range_beats[i];
            beats.append(nb::make_tuple(b.kind, b.code, b.tag, b.state, static_cast<int>(b.hit),
                                        static_cast<int>(b.base_ok), b.asid, b.start, b.last,
                                        b.base));
        }
        return beats;
    }

    nb::list rit() {
        return beats(rit_);
    }
    nb::list hir() {
        return beats(hir_);
    }
    nb::dict counters() const {
        return dict_of(gmmu_tier_counters(&unit_));
    }
    nb::dict registers() const {
        return dict_of(unit_.regs);
    }
    uint32_t time() const {
        return unit_.walk.time;
    }

    // The C model keeps its whole state in its structure and in one piece of memory.
    std::unique_ptr<Snapshot> snapshot() {
        const Busy busy(busy_, "unit");
        return std::make_unique<Snapshot>(
            Snapshot{id_, unit_, steps_, memory_, decisions_, rit_, hir_});
    }
    void restore(const Snapshot &s) {
        const Busy busy(busy_, "unit");
        if (s.owner != id_)
            refuse("restore: found the snapshot of another unit, expected one of this unit");
        unit_ = s.unit;
        steps_ = s.steps;
        std::copy(s.memory.begin(), s.memory.end(),
                  memory_.begin());  // in its place: the structure points into it
        decisions_ = s.decisions;
        rit_ = s.rit;
        hir_ = s.hir;
    }

   private:
    // What of a walk the C model cannot know: docs/guide/schedule.md, WALK.
    struct Told {
        bool stolen, no_row, hir_busy;
    };
    struct Action {
        const char *name;
        nb::object (Unit::*act)(uint32_t operand, uint32_t more);
    };

    static inline std::atomic<uint64_t> units_ = 0;
    const uint64_t id_ = ++units_;
    std::string name_;
    gmmu_tier unit_;
    Told told_ = {};
    gmmu_tier_steps steps_ = {};
    std::vector<uint64_t> memory_;
    std::deque<gmmu_tier_decision> decisions_;
    std::deque<PacketBeat> rit_, hir_;
    std::atomic<bool> busy_ = false;

    gmmu_tier_walk_out one(const gmmu_tier_walk_in &from) {
        gmmu_tier_walk_in in = from;
        in.stolen = told_.stolen, in.no_row = told_.no_row, in.hir_busy = told_.hir_busy;
        if (!in.replay) {
            const gmmu_tier_walk_out out = gmmu_tier_walk_inline(&unit_, &in);
            if (out.hir_swap)
                send(out.hir_packet);
            return out;
        }
        const gmmu_tier_replay_out did = gmmu_tier_replay(&unit_, in);
        gmmu_tier_walk_out out = {};
        out.time = unit_.walk.time;
        out.place.cls = did.cls;
        out.reuse.valid = did.match;
        out.fault = did.fault;
        out.touch = did.touch;
        return out;
    }
    // ---- actions one by one; a guard each, as the C model trusts its caller
    template <typename... T>
    static nb::object results(T... values) {
        return nb::object(nb::make_tuple(static_cast<uint64_t>(values)...));
    }
    static nb::object not_owed() {
        return nb::object(nb::none());
    }
    bool tiers() const {
        return unit_.cfg.t2_slots != 0;
    }
    // With tiers a decision FREE is complete when nothing of the page is left to do.
    void complete() {
        if (gmmu_tier_placing(&unit_) && unit_.place.d.tier == GMMU_TIER_FREE &&
            !gmmu_tier_foretell_owed(&unit_, GMMU_TP_RETURN) && !gmmu_tier_rise_owed(&unit_))
            decisions_.push_back(gmmu_tier_unplaced(&unit_));
    }
    nb::object act_enter(uint32_t, uint32_t) {
        if (unit_.faults.queue.noted == 0)
            return not_owed();
        const gmmu_fault_put put = gmmu_tier_enter(&unit_);
        return results(put.outcome, put.entry);
    }
    nb::object act_expire(uint32_t, uint32_t) {
        const int64_t frame = gmmu_tier_expire_due(&unit_);
        if (frame < 0)
            return not_owed();
        gmmu_tier_expire(&unit_, static_cast<uint32_t>(frame));
        return results(frame);
    }
    nb::object act_touch(uint32_t, uint32_t) {
        if (unit_.frames.mem.n == 0)
            return not_owed();
        const uint32_t frame = unit_.frames.mem.slot[unit_.frames.mem.head].frame;
        const gmmu_reuse out = gmmu_tier_touch(&unit_, nullptr);
        return results(frame, out.valid);
    }
    nb::object act_age(uint32_t, uint32_t) {
        if (!unit_.side.age_owed)
            return not_owed();
        uint32_t index = 0;
        const bool clamped = gmmu_tier_age(&unit_, &index);
        return results(index, clamped);
    }
    nb::object act_install(uint32_t, uint32_t) {
        if (!unit_.ppuc.engine.busy)
            return not_owed();
        const unsigned row = unit_.ppuc.engine.cls.row;
        const bool current = gmmu_tier_install(&unit_);
        return results(row, current);
    }
    // A search may take fresh frames if its fault was an ASK with `force` when the search began.
    bool forced(bool is) {
        const bool right = !unit_.select.rests
                               ? is == unit_.select.forced
                               : !is || gmmu_fault_queue_forced(&unit_.faults.queue);
        unit_.select.forced = is;
        return right;
    }
    nb::object act_cand(uint32_t frame, uint32_t by_force) {
        if (!forced(by_force != 0) || unit_.select.clock ||
            frame != gmmu_victim_select_next(&unit_.select, unit_.regs.frames))
            return not_owed();
        const gmmu_tier_cand_out c = gmmu_tier_cand(&unit_, frame);
        return results(c.eligible, c.row, c.candidate.priority, c.guarded);
    }
    nb::object act_hand(uint32_t frame, uint32_t by_force) {
        if (!forced(by_force != 0) || !unit_.select.clock ||
            gmmu_victim_select_best(&unit_.select) != nullptr ||
            frame != gmmu_victim_select_next(&unit_.select, unit_.regs.frames))
            return not_owed();
        const gmmu_tier_hand_out h = gmmu_tier_hand(&unit_, frame);
        return results(h.eligible, h.used);
    }
    nb::object act_decide(uint32_t, uint32_t) {
        const int entry = gmmu_fault_queue_head(&unit_.faults.queue);
        const bool none_asks = entry < 0 && !gmmu_fault_unit_ahead_owed(
                                                &unit_.faults, unit_.regs.frames, unit_.regs.ahead);
        const bool looks = entry >= 0 &&
                           !gmmu_tier_needs_no_search(&unit_, static_cast<unsigned>(entry)) &&
                           !gmmu_victim_select_searched(&unit_.select);
        if (gmmu_tier_placing(&unit_) || (none_asks && unit_.select.rests))
            return not_owed();
        const gmmu_tier_decision d = gmmu_tier_decide(&unit_);
        if (looks && d.tier != GMMU_TIER_RETRY)
            return not_owed();
        if (d.tier != GMMU_TIER_RETRY && !(d.ahead && d.tier == GMMU_TIER_NONE) &&
            !gmmu_tier_placing(&unit_))
            decisions_.push_back(d);
        complete();
        return results(d.tier, d.frame, d.priority, d.ahead);
    }
    nb::object act_foretell(uint32_t kind, uint32_t) {
        if (!tiers() || kind > GMMU_TP_AGE || !gmmu_tier_foretell_owed(&unit_, kind))
            return not_owed();
        const gmmu_tp_answer a = gmmu_tier_foretell(&unit_, kind);
        complete();
        return results(a.found, a.pred);
    }
    nb::object act_forget(uint32_t going, uint32_t) {
        if (!tiers() || (going != 0) == unit_.place.predict.forgetting)
            return not_owed();
        gmmu_tier_forget(&unit_, going != 0);
        return results(going);
    }
    nb::object act_rise(uint32_t, uint32_t) {
        if (!tiers() || !gmmu_tier_rise_owed(&unit_))
            return not_owed();
        const uint32_t slot = unit_.place.slot;
        const bool rises = gmmu_tier_rise(&unit_, slot);
        complete();
        return results(slot, rises);
    }
    nb::object act_cand2(uint32_t slot, uint32_t) {
        gmmu_victim_select *v = &unit_.place.slots.select;
        if (!tiers() || !gmmu_tier_placing(&unit_) ||
            (v->clock && gmmu_victim_select_best(v) != nullptr) ||
            slot != gmmu_victim_select_next(v, unit_.regs.t2_slots))
            return not_owed();
        const gmmu_tier_cand_out c = gmmu_tier_cand2(&unit_, slot);
        return results(c.eligible, c.row, c.candidate.priority);
    }
    nb::object act_place(uint32_t, uint32_t) {
        if (!tiers() || !gmmu_tier_placing(&unit_))
            return not_owed();
        const gmmu_tier_decision d = gmmu_tier_placed(&unit_);
        if (d.tier != GMMU_TIER_RETRY)
            decisions_.push_back(d);
        return results(d.tier);
    }
    nb::object act_allow(uint32_t limit, uint32_t) {
        const unsigned share = unit_.regs.protect;
        if (unit_.cfg.frame_mem != 0 ||
            limit != static_cast<uint64_t>(unit_.regs.frames) * share >> 8)
            return not_owed();
        gmmu_tier_protect(&unit_, share);
        return results(limit);
    }
    nb::object act_learn(uint32_t queue, uint32_t) {
        const gmmu_record_queue *q = queue < 2 ? &unit_.feed.queue[queue] : nullptr;
        if (q == nullptr || q->n == 0)
            return not_owed();
        const unsigned row = q->slot[q->head].cls.row;
        const gmmu_rit_learnt l = gmmu_tier_learn(&unit_, queue);
        return results(row, l.applied, l.bin, l.row_count, l.global_count);
    }
    nb::object act_clear(uint32_t row, uint32_t) {
        if (row >= unit_.cfg.classes || !unit_.rit.row[row].clear_owed)
            return not_owed();
        gmmu_tier_clear(&unit_, row);
        return results(row);
    }
    nb::object act_halve(uint32_t row, uint32_t) {
        if (row >= unit_.cfg.classes || !unit_.rit.row[row].halve_owed)
            return not_owed();
        gmmu_tier_halve(&unit_, row);
        return results(row);
    }
    nb::object act_refresh(uint32_t row, uint32_t) {
        if (row >= unit_.cfg.classes || !unit_.rit.row[row].pending || unit_.ppuc.engine.busy)
            return not_owed();
        gmmu_tier_refresh(&unit_, row);
        return results(row);
    }
    nb::object act_thresh(uint32_t, uint32_t) {
        if (!gmmu_trace_sampler_thresh_owed(&unit_.sampler))
            return not_owed();
        return results(gmmu_tier_thresh(&unit_));
    }
    nb::object act_scrub(uint32_t, uint32_t) {
        if (!gmmu_tier_scrub_due(&unit_))
            return not_owed();
        const gmmu_scrubbed s = gmmu_tier_scrub(&unit_, nullptr, nullptr);
        return results(s.index, s.removed);
    }
    nb::object act_flush(uint32_t row, uint32_t asid) {
        if (row >= unit_.cfg.classes)
            return not_owed();
        return results(gmmu_tier_flush_row(&unit_, row, asid));
    }
    nb::object act_send(uint32_t, uint32_t) {
        if (unit_.rit_export.waiting == 0)
            return not_owed();
        gmmu_rit_packet packet;
        gmmu_tier_send(&unit_, &packet);
        take_rit(this, &packet);
        return results(packet.head.n);
    }
    void send(const gmmu_hir_packet &p) {
        uint32_t words[GMMU_HIR_WORDS];
        gmmu_hir_pack_head(&p.head, words);
        hir_.push_back({Words(words, words + GMMU_HIR_WORDS), p.head.n == 0});
        for (unsigned i = 0; i < p.head.n; i++) {
            gmmu_hir_pack_record(&unit_.hir.cfg, &p.record[i], words);
            hir_.push_back({Words(words, words + GMMU_HIR_WORDS), i + 1 == p.head.n});
        }
    }
    static void take_decision(void *self, const gmmu_tier_decision *d) {
        static_cast<Unit *>(self)->decisions_.push_back(*d);
    }
    static void take_rit(void *self, const gmmu_rit_packet *p) {
        gmmu_rit_beats(&static_cast<Unit *>(self)->unit_.cfg, p, take_beat, self);
    }
    static void take_beat(void *self, const uint32_t words[GMMU_RIT_WORDS], bool last) {
        static_cast<Unit *>(self)->rit_.push_back({Words(words, words + GMMU_RIT_WORDS), last});
    }
    // (bytes, last) of each beat that waits.
    nb::list beats(std::deque<PacketBeat> &from) {
        const Busy busy(busy_, "unit");
        nb::list all;
        for (; !from.empty(); from.pop_front()) {
            const Words &w = from.front().words;
            all.append(
                nb::make_tuple(nb::bytes(w.data(), w.size() * sizeof w[0]), from.front().last));
        }
        return all;
    }
};

// ---- the unit as a simulator's memory

class Memory {
   public:
    Memory(const std::string &name, const nb::dict &sizes, const nb::dict &regs, uint32_t frames,
           uint32_t tier2, const nb::dict &own_sizes)
        : name_(name) {
        gmmu_config c = sizes_of(sizes, name_);
        gmmu_regs r;
        const unsigned place =
            regs.contains("cfg_tier")
                ? static_cast<unsigned>(number(regs["cfg_tier"], "", "cfg_tier", 3))
                : GMMU_PLACE_PRIORITY;
        gmmu_unit_memory_sizes(&c, &r, frames, tier2, place);
#define SIZE(size, address)        \
    if (own_sizes.contains(#size)) \
        c.size = static_cast<unsigned>(number(own_sizes[#size], "config: ", #size, 32));
        GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
        legal_sizes(c);
        set_regs(&r, &c, regs);
        gmmu_error err;
        memory_.reset(gmmu_unit_memory_create(&c, &r, &err));
        if (memory_ == nullptr)
            throw_error(err);
    }

    // vpn, ref, asid, write
    nb::tuple access(const nb::args &a) {
        const Busy busy(busy_, "unit");
        gmmu_walk w = {};
        w.vpn = number(a[0], "access: ", "vpn", cfg()->vpn_w);
        w.ref = number(a[1], "access: ", "ref", 64);
        w.asid = static_cast<uint32_t>(number(a[2], "access: ", "asid", cfg()->asid_w));
        w.write = number(a[3], "access: ", "write", 1) != 0;
        gmmu_unit_access out;
        gmmu_error err;
        if (gmmu_unit_memory_access(memory_.get(), &w, &out, &err) != GMMU_OK)
            throw_error(err);
        nb::list fields;
#define FIELD(name) fields.append(out.name);
        ACCESS_FIELDS(FIELD)
#undef FIELD
        return nb::tuple(fields);
    }

    // OUT: a gmmu_unit_access a walk, as bytes.
    void walks(Column<uint64_t> vpn, Column<uint64_t> ref, Column<uint32_t> asid,
               Column<bool> write,
               nb::ndarray<uint8_t, nb::ndim<1>, nb::c_contig, nb::device::cpu> out) {
        const Busy busy(busy_, "unit");
        const Values<uint64_t> vpns(vpn), refs(ref);
        const Values<uint32_t> asids(asid);
        const Values<bool> writes(write);
        auto *rows = reinterpret_cast<gmmu_unit_access *>(out.data());
        gmmu_error err = {};
        bool failed = false;
        without_gil(vpn.shape(0), [&](size_t i) {
            gmmu_walk w = {};
            w.vpn = vpns[i], w.ref = refs[i], w.asid = asids[i], w.write = writes[i];
            failed = gmmu_unit_memory_access(memory_.get(), &w, &rows[i], &err) != GMMU_OK;
            return !failed;
        });
        if (failed)
            throw_error(err);
    }

    // Of vpn, asid: (tier, frame or slot), or None.
    nb::object find(const nb::args &a) {
        const Busy busy(busy_, "unit");
        uint32_t where = 0;
        const unsigned tier =
            gmmu_unit_memory_find(memory_.get(), asid_of(a[1]), vpn_of(a[0]), &where);
        return tier == 0 ? nb::object(nb::none()) : nb::object(nb::make_tuple(tier, where));
    }
    bool pin(const nb::args &a) {
        const Busy busy(busy_, "unit");
        return gmmu_unit_memory_pin(memory_.get(), asid_of(a[1]), vpn_of(a[0]),
                                    nb::cast<bool>(a[2]));
    }
    bool release(const nb::args &a) {
        const Busy busy(busy_, "unit");
        return gmmu_unit_memory_free(memory_.get(), asid_of(a[1]), vpn_of(a[0]));
    }
    void flush(const nb::args &a) {
        const Busy busy(busy_, "unit");
        gmmu_unit_memory_flush(memory_.get(), asid_of(a[0]));
    }
    nb::dict counts() const {
        const gmmu_unit_memory_counts c = gmmu_unit_memory_counted(memory_.get());
        nb::dict all;
        all["accesses"] = c.accesses;
        all["faults"] = c.faults;
        all["cold"] = c.cold;
        all["evictions"] = c.evictions;
        all["writebacks"] = c.writebacks;
        all["tier2_hits"] = c.tier2_hits;
        all["tier2_puts"] = c.tier2_puts;
        all["tier3_writes"] = c.tier3_writes;
        return all;
    }
    nb::dict counters() const {
        return dict_of(gmmu_unit_memory_counters(memory_.get()));
    }
    nb::dict registers() const {
        return dict_of(*gmmu_unit_memory_regs(memory_.get()));
    }
    nb::dict sizes() const {
        nb::dict all;
        all["name"] = name_;
#define SIZE(size, address) all[#size] = cfg()->size;
        GMMU_CSR_SIZE_LIST(SIZE)
#undef SIZE
        return all;
    }

   private:
    struct Destroy {
        void operator()(gmmu_unit_memory *m) const { gmmu_unit_memory_destroy(m); }
    };
    std::string name_;
    std::unique_ptr<gmmu_unit_memory, Destroy> memory_;
    std::atomic<bool> busy_ = false;

    const gmmu_config *cfg() const {
        return gmmu_unit_memory_config(memory_.get());
    }
    uint32_t asid_of(nb::handle asid) const {
        return static_cast<uint32_t>(number(asid, "page: ", "asid", cfg()->asid_w));
    }
    uint64_t vpn_of(nb::handle vpn) const {
        return number(vpn, "page: ", "vpn", cfg()->vpn_w);
    }
};

}  // namespace

void bind_unit(nb::module_ &m) {
    nb::class_<Snapshot>(m, "Snapshot", "The whole state of a unit, made by Unit.snapshot.");
    nb::class_<Unit>(m, "Unit")
        .def(nb::init<const std::string &, const nb::dict &, const nb::dict &, bool>())
        .def("walk", &Unit::walk)
        .def("driver", &Unit::driver)
        .def("act", &Unit::act)
        .def("act_walk", &Unit::act_walk)
        .def("settle", &Unit::settle_locked)
        .def("step", &Unit::step)
        .def("decision", &Unit::decision)
        .def("waiting", &Unit::waiting)
        .def("settled", &Unit::settled_locked)
        .def("walks", &Unit::walks)
        .def("change", &Unit::change)
        .def("flush", &Unit::flush)
        .def("range", &Unit::range)
        .def("rit", &Unit::rit)
        .def("hir", &Unit::hir)
        .def("counters", &Unit::counters)
        .def("registers", &Unit::registers)
        .def("time", &Unit::time)
        .def(
            "snapshot", [](Unit &u) { return u.snapshot().release(); },
            nb::rv_policy::take_ownership)
        .def("restore", &Unit::restore);
    nb::class_<Memory>(m, "Memory")
        .def(nb::init<const std::string &, const nb::dict &, const nb::dict &, uint32_t, uint32_t,
                      const nb::dict &>())
        .def("access", &Memory::access)
        .def("walks", &Memory::walks)
        .def("find", &Memory::find)
        .def("pin", &Memory::pin)
        .def("free", &Memory::release)
        .def("flush", &Memory::flush)
        .def("counts", &Memory::counts)
        .def("counters", &Memory::counters)
        .def("registers", &Memory::registers)
        .def("sizes", &Memory::sizes);
    m.attr("decision_type") = decision_type();
    m.attr("access_type") = access_type();
}
