// SPDX-License-Identifier: Apache-2.0
// stamp_lirs.h: LIRS without its stack and its queue, by time stamps, to be read beside
// cmodel/blocks/segment.c; and the steps from it to the protected segment, one at a time.
//
// As it stands, with no departure, it is LIRS (docs/reference/blocks/segment.md says why):
//
//   LIRS's stack and queue             here
//   a LIR page                         a frame that is protected
//   the LIR page at S's bottom         the protected frame whose last access is oldest
//   a HIR page that S has              its last access is less than T walks ago, T being the age
//                                      of that frame
//   pruning                            nothing: T only gets younger
//   a page's place in queue Q          the walk in which it was last accessed as HIR, or let go
//
// The third row is what the segment has. The last is a second stamp a frame, which it has not.
#ifndef GMMU_TB_STAMP_LIRS_H
#define GMMU_TB_STAMP_LIRS_H

#include <cstdint>
#include <vector>

#include "blocks/config.h"
#include "blocks/segment.h"

class StampLirs {
   public:
    // What the segment does otherwise, whoever may leave first apart.
    struct Departures {
        bool by_last_access = false;  // the unprotected leave by last access, not by second stamp
        bool late = false;            // frames are let go in searches, not as soon as one too many
        bool follows = false;         // T is segment.c's register; with LATE
    };
    static constexpr uint32_t NOBODY = UINT32_MAX;

    // PAGES of the trace are numbered from 0; LIMIT frames may be protected.
    StampLirs(uint32_t frames, uint32_t limit, uint32_t pages, Departures d)
        : departs_(d), frames_(frames), limit_(limit), pages_(pages) {
        const gmmu_config *cfg = gmmu_config_find("default");
        gmmu_segment_init(&segment_, cfg);
        gmmu_segment_allow(&segment_, limit);
    }

    // Returns the page that leaves, or NOBODY.
    uint32_t access(uint32_t page) {
        now_++;
        Page &p = pages_[page];
        uint32_t leaves = NOBODY;
        const bool known = p.last != NEVER;
        const uint64_t interval = now_ - p.last;
        if (p.frame == NOWHERE) {
            p.frame = static_cast<uint32_t>(frame_.size());
            if (frame_.size() < frames_) {
                frame_.push_back({});
            } else {
                p.frame = search();
                leaves = frame_[p.frame].page;
                pages_[leaves].frame = NOWHERE;
                protect(&frame_[p.frame], false);
            }
        }
        Frame &f = frame_[p.frame];
        const bool becomes = !f.guarded && (known ? takes(interval) : segment_.filling);
        f.page = page;
        p.last = f.last = f.queued = now_;
        if (becomes) {
            protect(&f, true);
            if (!departs_.late && segment_.count > limit_)
                let_go(oldest());
        }
        return leaves;
    }
    uint32_t guarded() const { return segment_.count; }

   private:
    static constexpr uint64_t NEVER = UINT64_MAX;
    static constexpr uint32_t NOWHERE = UINT32_MAX;
    struct Page {
        uint64_t last = NEVER;  // LIRS: never forgotten; here nothing older than T is asked for
        uint32_t frame = NOWHERE;
    };
    struct Frame {
        uint32_t page = 0;
        uint64_t last = 0, queued = 0;
        bool guarded = false;
    };

    // gmmu_segment_takes, T being the age of the oldest protected frame.
    bool takes(uint64_t interval) {
        if (departs_.follows)
            return gmmu_segment_takes(&segment_, static_cast<uint32_t>(interval));
        return segment_.filling || (segment_.count != 0 && interval < now_ - oldest()->last);
    }
    // The victim's frame.
    uint32_t search() {
        for (Frame &f : frame_)
            if (departs_.follows && f.guarded && gmmu_segment_lets_go(&segment_, age(f)))
                let_go(&f);
        while (departs_.late && !departs_.follows && segment_.count > limit_) let_go(oldest());
        uint32_t first = 0;
        for (uint32_t f = 1; f < frame_.size(); f++)
            if (leaves_before(frame_[f], frame_[first]))
                first = f;
        gmmu_segment_searched(&segment_);
        return first;
    }
    bool leaves_before(const Frame &a, const Frame &b) const {
        if (a.guarded != b.guarded)
            return b.guarded;
        return departs_.by_last_access ? a.last < b.last : a.queued < b.queued;
    }
    uint32_t age(const Frame &f) const { return static_cast<uint32_t>(now_ - f.last); }
    void protect(Frame *f, bool guarded) {
        if (f->guarded == guarded)
            return;
        f->guarded = guarded;
        gmmu_segment_count(&segment_, guarded);
    }
    void let_go(Frame *f) {
        protect(f, false);
        f->queued = now_;
    }
    // The protected frame whose last access is oldest; there is one.
    Frame *oldest() {
        Frame *found = nullptr;
        for (Frame &f : frame_)
            if (f.guarded && (found == nullptr || f.last < found->last))
                found = &f;
        return found;
    }

    const Departures departs_;
    const uint32_t frames_, limit_;
    uint64_t now_ = 0;
    gmmu_segment segment_ = {};  // count and filling; T only where it FOLLOWS
    std::vector<Page> pages_;
    std::vector<Frame> frame_;
};

#endif
