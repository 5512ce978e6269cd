// SPDX-License-Identifier: Apache-2.0
// server.h: what serves requests in their order: one way of the link, the host's memory, the SSD.
//
// A request waits for a command slot, then for LATENCY, then its bytes for the data path, which one
// request has at a time. Of a pipe latency comes behind the data, so that it keeps nobody waiting.
#pragma once

#include <queue>
#include <string>
#include <vector>

#include "depth_log.h"
#include "direct_socket.h"
#include "parameters.h"
#include "payload.h"

class Server : public sc_core::sc_module {
   public:
    DirectSocket<Server> socket{"socket"};

    // COMMANDS 0: a pipe.
    Server(const sc_core::sc_module_name &name, uint32_t commands, const sc_core::sc_time &latency,
           Rate read, Rate write)
        : sc_module(name), commands_(commands), latency_(latency), read_(read), write_(write) {
        socket.register_b_transport(this, &Server::b_transport);
        for (uint32_t i = 0; i < commands; i++) free_.push(sc_core::SC_ZERO_TIME);
    }
    uint64_t bytes_read() const { return bytes_read_; }
    uint64_t bytes_written() const { return bytes_written_; }
    const sc_core::sc_time &busy() const { return busy_; }
    DepthLog depth;

   private:
    uint32_t commands_;
    sc_core::sc_time latency_;
    Rate read_, write_;
    uint64_t bytes_ = 0;
    sc_core::sc_time reads_, writes_;  // what BYTES_ take on the data path
    sc_core::sc_time path_free_;       // when the data path is
    std::priority_queue<sc_core::sc_time, std::vector<sc_core::sc_time>, std::greater<>> free_;
    sc_core::sc_time busy_;
    uint64_t bytes_read_ = 0, bytes_written_ = 0;

    void b_transport(tlm::tlm_generic_payload &trans, sc_core::sc_time &delay) {
        const sc_core::sc_time now = simcontext()->time_stamp(), came = now + delay;
        const bool write = trans.is_write();
        const uint64_t bytes = trans.get_data_length();
        if (bytes != bytes_) {  // all requests of a run have one size
            bytes_ = bytes;
            reads_ = read_.of(bytes);
            writes_ = write_.of(bytes);
        }
        const sc_core::sc_time &data = write ? writes_ : reads_;
        sc_core::sc_time start = came, done;
        if (commands_ != 0) {
            start = std::max(start, free_.top()) + latency_;
            free_.pop();
        }
        start = std::max(start, path_free_);
        path_free_ = done = start + data;
        if (commands_ != 0)
            free_.push(done);
        else
            done += latency_;
        busy_ += data;
        (write ? bytes_written_ : bytes_read_) += bytes;
        depth.enter(came, now);
        depth.leave(done, came);
        delay = done - now;
        trans.set_response_status(tlm::TLM_OK_RESPONSE);
    }
};
