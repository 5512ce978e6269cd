// SPDX-License-Identifier: Apache-2.0
// gpu.h: what plays the trace, in either timeline: decided_gpu.h, arrival_gpu.h.
#pragma once
#include <tlm_utils/simple_initiator_socket.h>

#include <functional>
#include <string>

#include "depth_log.h"
#include "direct_socket.h"
#include "payload.h"
#include "trace.h"

class Gpu : public sc_core::sc_module {
   public:
    tlm_utils::simple_initiator_socket<Gpu> walks{"walks"};
    DirectSocket<Gpu> resumes{"resumes"};
    // Has all that was begun come to an end? Asked when the last walk is done.
    std::function<bool()> all_idle;
    std::function<void(const std::string &)> failed;

    Gpu(const sc_core::sc_module_name &name, const Parameters &p, Trace *trace)
        : sc_module(name), p_(p), trace_(trace) {
        SC_HAS_PROCESS(Gpu);
        resumes.register_b_transport(this, &Gpu::b_resume);
        SC_THREAD(play);
    }
    uint64_t done() const { return done_; }  // accesses
    bool finished() const { return finished_; }
    const sc_core::sc_time &run_time() const { return last_; }
    const sc_core::sc_time &stall_time() const { return stall_; }
    uint64_t stalls() const { return stalls_; }
    // Who waits; nothing if nobody does.
    virtual std::string waits() const = 0;
    DepthLog stalled;

   protected:
    const Parameters &p_;
    Trace *trace_;
    sc_core::sc_time last_, stall_;
    uint64_t done_ = 0, stalls_ = 0, stalled_now_ = 0;

    // The whole trace, until all is idle.
    virtual void play_all() = 0;
    virtual void b_resume(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) = 0;
    void prepare(tlm::tlm_generic_payload &trans) const {
        trans.set_data_length(static_cast<unsigned>(trace_->page_bytes()));
        trans.set_streaming_width(trans.get_data_length());
    }
    // WALK as a transaction to the walkers, DELAY from now.
    void send(Tagged<WalkTag> *walk, sc_core::sc_time *delay) {
        tlm::tlm_generic_payload &trans = walk->trans;
        trans.set_command(walk->tag.walk.write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
        trans.set_address(walk->tag.walk.vpn * trace_->page_bytes());
        trans.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
        walks->b_transport(trans, *delay);
        if (!trans.is_response_ok())
            bad("gpu: walk " + std::to_string(walk->tag.number) + " ended with " +
                trans.get_response_string());
    }
    static std::string text_of(uint64_t stalled, size_t warps, uint32_t warp, uint64_t number,
                               const gmmu_walk &walk, const sc_core::sc_time &since) {
        char text[200];
        std::snprintf(text, sizeof text,
                      "gpu: %llu of %zu warps are stalled; warp %u, walk %llu, waits for page "
                      "0x%llx of address space %u since %s",
                      static_cast<unsigned long long>(stalled), warps, warp,
                      static_cast<unsigned long long>(number),
                      static_cast<unsigned long long>(walk.vpn), walk.asid,
                      since.to_string().c_str());
        return text;
    }

   private:
    bool finished_ = false;

    void play() {
        try {
            play_all();
            if (last_ > sc_core::sc_time_stamp())
                wait(last_ - sc_core::sc_time_stamp());
            finished_ = true;
        } catch (const Bad &e) {
            failed(e.text);
        }
        sc_core::sc_stop();
    }
};
