// SPDX-License-Identifier: Apache-2.0
// slow.h: range_dir as its page says it (docs/reference/blocks/range_dir.md), with an owner for
// each byte.
//
// Bytes that no range ever parts are one cell; a range is a row of cells. Nothing is sorted,
// nothing is searched but by looking at every cell, and records have no ends but those of their
// cells.
#pragma once
#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <tuple>
#include <vector>

#include "blocks/range_dir.h"

namespace range_dir {

__extension__ typedef unsigned __int128 u128;

// The cells of an address space of WIDTH bits: cell i has the bytes from POINT[i] to POINT[i+1]
// - 1.
struct Cells {
    std::vector<u128> point;
    Cells(unsigned width, unsigned n, uint64_t seed) {
        const u128 bytes = static_cast<u128>(1) << width;
        std::mt19937_64 rng(seed);
        std::set<u128> at = {0, bytes};
        // single bytes at both ends and in the middle; the rest anywhere, large and small
        for (unsigned i = 1; i <= n / 4 && i < bytes / 4; i++)
            at.insert({i, bytes - i, bytes / 2 + i});
        while (at.size() <= n && at.size() <= bytes)
            at.insert((static_cast<u128>(rng()) >> rng() % 60) % bytes);
        point.assign(at.begin(), at.end());
    }
    int count() const { return static_cast<int>(point.size()) - 1; }
    uint64_t first(int cell) const { return static_cast<uint64_t>(point[cell]); }
    uint64_t last(int cell) const { return static_cast<uint64_t>(point[cell + 1] - 1); }
    u128 bytes(int cell) const { return point[cell + 1] - point[cell]; }
    // The cell with byte AT.
    int of(uint64_t at) const {
        const auto after = std::upper_bound(point.begin(), point.end(), static_cast<u128>(at));
        return static_cast<int>(after - point.begin()) - 1;
    }
};

struct Record {
    unsigned state = GMMU_RANGE_C, hits = 0, pins = 0;
    bool base_ok = false;
    uint64_t base = 0;
};

using Beat = gmmu_range_beat;

class Slow {
   public:
    const Cells &cells;
    unsigned ranges;
    u128 limit = 0;
    std::vector<std::vector<int>> owner;  // [asid][cell]: a record's name; 0: none
    std::map<int, Record> record;
    std::vector<Beat> beats;

    Slow(const Cells &c, unsigned n, unsigned asids)
        : cells(c), ranges(n), owner(asids, std::vector<int>(c.count(), 0)) {}

    struct Shown {
        int name;
        Beat beat;
    };
    // The records, each once, in order of (asid, start), as beats show them.
    std::vector<Shown> all() const {
        std::vector<Shown> found;
        found.reserve(record.size());
        for (unsigned a = 0; a < owner.size(); a++)
            for (int c = 0, before = 0; c < cells.count(); before = owner[a][c++]) {
                if (owner[a][c] == 0)
                    continue;
                if (owner[a][c] != before) {
                    const Record &r = record.at(owner[a][c]);
                    Beat b = {};
                    b.asid = a;
                    b.start = cells.first(c);
                    b.base = r.base;
                    b.base_ok = r.base_ok;
                    found.push_back({owner[a][c], b});
                }
                found.back().beat.last = cells.last(c);
            }
        return found;
    }
    // Record NAME as a beat shows it.
    Beat shown(unsigned asid, int name) const {
        const std::vector<int> &of = owner[asid];
        int low = 0, high = cells.count() - 1;
        while (of[low] != name) low++;
        while (of[high] != name) high--;
        const Record &r = record.at(name);
        Beat b = {};
        b.asid = asid;
        b.start = cells.first(low);
        b.last = cells.last(high);
        b.base = r.base;
        b.base_ok = r.base_ok;
        return b;
    }

    void op(const gmmu_range_op &o) {
        op_ = o;
        beats.clear();
        if (o.op > 11 || (o.op != GMMU_RANGE_BASE && o.start > o.last))
            return refuse(GMMU_RANGE_BAD);
        if (o.op == GMMU_RANGE_BASE) {
            const int name = owner[o.asid][cells.of(o.start)];
            if (name == 0 || record[name].state == GMMU_RANGE_C)
                return refuse(GMMU_RANGE_MISS);
            record[name].base = o.last;
            record[name].base_ok = true;
            return answer(GMMU_RANGE_OK, true, name);
        }
        from_ = cells.of(o.start);
        to_ = cells.of(o.last);
        met_.clear();
        for (int c = from_; c <= to_; c++)
            if (owner[o.asid][c] != 0 && (met_.empty() || met_.back() != owner[o.asid][c]))
                met_.push_back(owner[o.asid][c]);
        if (o.op <= GMMU_RANGE_WRITE_GPU)
            gpu();
        else if (o.op <= GMMU_RANGE_RELEASE)
            cpu();
        else
            one();
    }

   private:
    gmmu_range_op op_ = {};
    int from_ = 0, to_ = 0, names_ = 0;
    std::vector<int> met_;

    int &own(int c) { return owner[op_.asid][c]; }
    // Has record NAME every byte of the range? Has the range every byte of it?
    bool contains(int name) const {
        for (int c = from_; c <= to_; c++)
            if (owner[op_.asid][c] != name)
                return false;
        return true;
    }
    bool covered(int name) const {
        for (int c = 0; c < cells.count(); c++)
            if (owner[op_.asid][c] == name && (c < from_ || c > to_))
                return false;
        return true;
    }
    static u128 bytes(const Beat &b) { return static_cast<u128>(b.last) - b.start + 1; }
    void send(unsigned kind, unsigned asid, int name) {
        beats.push_back(shown(asid, name));
        beats.back().kind = static_cast<uint8_t>(kind);
    }
    void answer(unsigned code, bool hit, int name) {
        Beat b = {};
        if (name != 0) {
            b = shown(op_.asid, name);
            b.state = static_cast<uint8_t>(record[name].state);
        } else {
            b.asid = op_.asid;
            b.start = op_.start;
            b.last = op_.last;
        }
        b.kind = GMMU_RANGE_ANSWER;
        b.code = static_cast<uint8_t>(code);
        b.tag = op_.tag;
        b.hit = hit;
        beats.push_back(b);
    }
    void refuse(unsigned code) { answer(code, false, 0); }

    // To C; DOWN unless the CPU writes all of it.
    void to_c(unsigned asid, int name, bool down) {
        Record &r = record[name];
        if (r.state == GMMU_RANGE_G && down)
            send(GMMU_RANGE_DOWN, asid, name);
        if (r.state != GMMU_RANGE_C)
            send(GMMU_RANGE_DROP, asid, name);
        r.state = GMMU_RANGE_C;
        r.base_ok = false;
        r.base = 0;
    }
    void remove(unsigned asid, int name) {
        for (int &o : owner[asid])
            if (o == name)
                o = 0;
        record.erase(name);
    }

    // FIND: the record, or 0 and the code why not.
    int find(unsigned *code, bool *hit) {
        *hit = false;
        if (met_.empty()) {
            if (record.size() == ranges) {
                std::set<std::tuple<bool, unsigned, unsigned, uint64_t, int>> order;
                for (const Shown &s : all())
                    if (record[s.name].pins == 0)
                        order.emplace(record[s.name].state != GMMU_RANGE_C, record[s.name].hits,
                                      s.beat.asid, s.beat.start, s.name);
                if (order.empty()) {
                    *code = GMMU_RANGE_FULL;
                    return 0;
                }
                const auto [on_gpu, hits, asid, start, name] = *order.begin();
                to_c(asid, name, true);
                remove(asid, name);
            }
            record[++names_] = Record();
            for (int c = from_; c <= to_; c++) own(c) = names_;
            return names_;
        }
        if (met_.size() == 1 && contains(met_[0])) {
            Record &r = record[met_[0]];
            if (op_.op != GMMU_RANGE_LOOKUP && op_.pin && r.pins == 15) {
                *code = GMMU_RANGE_BUSY;
                return 0;
            }
            r.hits = r.hits == 255 ? 255 : r.hits + 1;
            *hit = true;
            return met_[0];
        }
        unsigned hits = 0;
        for (int name : met_) {
            if (record[name].pins != 0) {
                *code = GMMU_RANGE_BUSY;
                return 0;
            }
            hits += record[name].hits;
        }
        for (int name : met_) to_c(op_.asid, name, true);
        const int hull = ++names_;
        int low = from_, high = to_;
        for (int c = 0; c < cells.count(); c++)
            for (int name : met_)
                if (own(c) == name) {
                    low = c < low ? c : low;
                    high = c > high ? c : high;
                }
        for (int c = low; c <= high; c++) own(c) = hull;
        for (int name : met_) record.erase(name);
        record[hull].hits = hits > 255 ? 255 : hits;
        return hull;
    }

    bool room(int wants) {
        u128 used = 0, pinned = 0;
        const std::vector<Shown> records = all();
        for (const Shown &s : records)
            if (record[s.name].state != GMMU_RANGE_C) {
                used += bytes(s.beat);
                pinned += record[s.name].pins ? bytes(s.beat) : 0;
            }
        const u128 wanted = bytes(shown(op_.asid, wants));
        if (wanted + pinned > limit)
            return false;
        while (wanted + used > limit) {
            std::set<std::tuple<unsigned, unsigned, uint64_t, int>> order;
            for (const Shown &s : records)
                if (record[s.name].state != GMMU_RANGE_C && record[s.name].pins == 0)
                    order.emplace(record[s.name].hits, s.beat.asid, s.beat.start, s.name);
            const auto [hits, asid, start, name] = *order.begin();
            used -= bytes(shown(asid, name));
            to_c(asid, name, true);
        }
        return true;
    }

    void gpu() {
        unsigned code = GMMU_RANGE_OK;
        bool hit = false;
        const int name = find(&code, &hit);
        if (name == 0)
            return refuse(code);
        Record &r = record[name];
        if (op_.op == GMMU_RANGE_LOOKUP)
            return answer(GMMU_RANGE_OK, hit, name);
        if (r.state == GMMU_RANGE_C) {
            if (!room(name))
                return answer(GMMU_RANGE_NOSPACE, hit, name);
            if (op_.op == GMMU_RANGE_READ_GPU || !(op_.whole && covered(name)))
                send(GMMU_RANGE_UP, op_.asid, name);
            r.state = GMMU_RANGE_S;
        }
        if (op_.op == GMMU_RANGE_WRITE_GPU)
            r.state = GMMU_RANGE_G;
        if (op_.pin)
            r.pins++;
        answer(GMMU_RANGE_OK, hit, name);
    }

    void cpu() {
        if (met_.empty())
            return refuse(GMMU_RANGE_MISS);
        for (int name : met_)
            if (record[name].pins != 0 &&
                (op_.op != GMMU_RANGE_READ_CPU || record[name].state == GMMU_RANGE_G))
                return refuse(GMMU_RANGE_BUSY);
        for (int name : met_) {
            if (op_.op != GMMU_RANGE_READ_CPU) {
                const bool whole = op_.op == GMMU_RANGE_RELEASE || op_.whole;
                to_c(op_.asid, name, !(whole && covered(name)));
            } else if (record[name].state == GMMU_RANGE_G) {
                send(GMMU_RANGE_DOWN, op_.asid, name);
                record[name].state = GMMU_RANGE_S;
            }
        }
        if (op_.op == GMMU_RANGE_RELEASE)
            for (int name : met_) remove(op_.asid, name);
        answer(GMMU_RANGE_OK, true, 0);
    }

    void one() {
        if (met_.size() != 1 || !contains(met_[0]))
            return refuse(GMMU_RANGE_MISS);
        const int name = met_[0];
        Record &r = record[name];
        switch (op_.op) {
            case GMMU_RANGE_TO_GPU:
                if (r.state == GMMU_RANGE_G)
                    return refuse(GMMU_RANGE_BAD);
                if (r.pins)
                    return refuse(GMMU_RANGE_BUSY);
                if (r.state == GMMU_RANGE_C && !room(name))
                    return answer(GMMU_RANGE_NOSPACE, true, name);
                send(GMMU_RANGE_UP, op_.asid, name);
                r.state = GMMU_RANGE_S;
                break;
            case GMMU_RANGE_TO_CPU:
                if (r.state == GMMU_RANGE_C)
                    return refuse(GMMU_RANGE_BAD);
                if (r.pins)
                    return refuse(GMMU_RANGE_BUSY);
                send(GMMU_RANGE_DOWN, op_.asid, name);
                r.state = GMMU_RANGE_S;
                break;
            case GMMU_RANGE_INV_GPU:
                if (r.state == GMMU_RANGE_G)
                    return refuse(GMMU_RANGE_BAD);
                if (r.pins)
                    return refuse(GMMU_RANGE_BUSY);
                to_c(op_.asid, name, true);
                break;
            case GMMU_RANGE_INV_CPU:
                if (r.state == GMMU_RANGE_C)
                    return refuse(GMMU_RANGE_BAD);
                r.state = GMMU_RANGE_G;
                break;
            default:  // UNPIN
                if (r.pins == 0)
                    return refuse(GMMU_RANGE_BAD);
                r.pins--;
        }
        answer(GMMU_RANGE_OK, true, name);
    }
};

}  // namespace range_dir
