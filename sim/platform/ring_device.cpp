// SPDX-License-Identifier: Apache-2.0
// ring_device.cpp: see ring_device.h.
#include "ring_device.h"

#include <cstdlib>
#include <cstring>

#include "Vring.h"
#include "host/bad.h"

namespace {

constexpr unsigned INCR = 1, OKAY = 0, SLVERR = 2;
constexpr uint64_t PAGE = 4096;         // no burst of AXI crosses a multiple of it
constexpr unsigned PATIENCE = 4000000;  // cycles that an access or a walk may wait

// A port as words of 32 bits, bit 0 first.
[[maybe_unused]] void to_port(const uint32_t *words, IData *port) {
    *port = words[0];
}
[[maybe_unused]] void to_port(const uint32_t *words, QData *port) {
    *port = words[0] | static_cast<QData>(words[1]) << 32;
}
template <size_t N>
[[maybe_unused]] void to_port(const uint32_t *words, VlWide<N> *port) {
    for (size_t i = 0; i < N; i++) (*port)[i] = words[i];
}
// A port as bytes: least significant first, as this machine's numbers have them.
template <typename T>
void to_bytes(const T &port, uint8_t *bytes) {
    static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "bytes of a port");
    std::memcpy(bytes, &port, sizeof port);
}

}  // namespace

void RingDevice::Freed::operator()(uint8_t *p) const {
    std::free(p);
}

RingDevice::RingDevice(size_t bytes, unsigned way)
    : rtl_(std::make_unique<Vring>()),
      bytes_(bytes),
      memory_(static_cast<uint8_t *>(std::aligned_alloc(64, bytes))),
      way_(way) {
    if (memory_ == nullptr)
        bad("out of memory: the unit's rings");
    // what a driver has not cleared is not 0
    std::memset(memory_.get(), 0xA5, bytes);
    bus_.context = this;
    bus_.read32 = [](void *c, uint32_t address, uint32_t *data) {
        return static_cast<RingDevice *>(c)->access(false, address, data);
    };
    bus_.write32 = [](void *c, uint32_t address, uint32_t data) {
        return static_cast<RingDevice *>(c)->access(true, address, &data);
    };
}

RingDevice::~RingDevice() {
    rtl_->final();
}

uint64_t RingDevice::address() const {
    // the upper word of an address is in use where there is one
    return sizeof rtl_->m_axi_awaddr == 8 ? 0x1240000000 : 0x40000000;
}

bool RingDevice::irq() const {
    return rtl_->irq != 0;
}

bool RingDevice::quiet() const {
    return rtl_->quiet != 0;
}

void RingDevice::reset() {
    Vring &r = *rtl_;
    r.rst = 1;
    for (int i = 0; i < 4; i++) cycle();
    r.rst = 0;
    for (unsigned i = 0; !seen_.walk_ready; i++) {
        cycle();
        if (i == PATIENCE)
            bad("unit: the RTL does not come out of reset");
    }
}

// A burst that the unit asks for, on its way.
RingDevice::Burst RingDevice::burst(uint64_t at, unsigned len, unsigned size, unsigned kind) {
    const uint64_t width = sizeof rtl_->m_axi_wdata, bytes = (len + 1) * width;
    if (1u << size != width || kind != INCR || at % PAGE + bytes > PAGE || at % width != 0)
        bad("unit: the RTL asks memory for a burst that AXI or the block ring has not");
    const uint64_t from = at - address();
    const bool good = at >= address() && from <= bytes_ && bytes <= bytes_ - from;
    return {from, len + 1, good, cycles_ + way_};
}

void RingDevice::offer_answers() {
    Vring &r = *rtl_;
    r.m_axi_awready = r.m_axi_wready = r.m_axi_arready = 1;
    r.m_axi_bvalid = !written_.empty() && written_.front().due <= cycles_;
    if (r.m_axi_bvalid)
        r.m_axi_bresp = written_.front().good ? OKAY : SLVERR;
    r.m_axi_rvalid = !read_.empty() && read_.front().due <= cycles_;
    if (r.m_axi_rvalid) {
        const Answer &a = read_.front();
        r.m_axi_rresp = a.good ? OKAY : SLVERR;
        r.m_axi_rlast = a.last;
        std::memcpy(&r.m_axi_rdata, a.data.data(), a.data.size());
    }
}

// What is handed over at the edge that comes.
void RingDevice::take_beats() {
    const Vring &r = *rtl_;
    if (r.m_axi_awvalid)
        writes_.push_back(burst(r.m_axi_awaddr, r.m_axi_awlen, r.m_axi_awsize, r.m_axi_awburst));
    if (r.m_axi_wvalid) {
        const size_t at = came_.size();
        came_.resize(at + sizeof r.m_axi_wdata);
        to_bytes(r.m_axi_wdata, came_.data() + at);
        if (r.m_axi_wstrb != (1u << sizeof r.m_axi_wdata) - 1)
            bad("unit: the RTL writes parts of words");
        if (r.m_axi_wlast) {
            contents_.push_back(came_);
            came_.clear();
        }
    }
    // an address may come behind its data
    for (; whole_ < writes_.size() && whole_ < contents_.size(); whole_++) {
        writes_[whole_].due = cycles_ + way_;
        if (contents_[whole_].size() != writes_[whole_].beats * sizeof r.m_axi_wdata)
            bad("unit: a write of the RTL has other beats than its address says");
    }
    if (r.m_axi_arvalid)
        reads_.push_back(burst(r.m_axi_araddr, r.m_axi_arlen, r.m_axi_arsize, r.m_axi_arburst));
    if (r.m_axi_bvalid && r.m_axi_bready)
        written_.pop_front();
    if (r.m_axi_rvalid && r.m_axi_rready)
        read_.pop_front();
}

// Bursts that are at the memory take effect; their answers begin the way back.
void RingDevice::move_memory() {
    while (whole_ != 0 && writes_.front().due <= cycles_) {
        const Burst &w = writes_.front();
        if (w.good)
            std::memcpy(memory_.get() + w.address, contents_.front().data(),
                        contents_.front().size());
        written_.push_back({cycles_ + way_, w.good, true, {}});
        writes_.pop_front();
        contents_.pop_front();
        whole_--;
    }
    while (!reads_.empty() && reads_.front().due <= cycles_) {
        const Burst &b = reads_.front();
        const size_t width = sizeof rtl_->m_axi_rdata;
        for (unsigned i = 0; i < b.beats; i++) {
            Answer a = {cycles_ + way_, b.good, i + 1 == b.beats, std::vector<uint8_t>(width)};
            if (b.good)
                std::memcpy(a.data.data(), memory_.get() + b.address + i * width, width);
            read_.push_back(std::move(a));
        }
        reads_.pop_front();
    }
}

void RingDevice::cycle() {
    Vring &r = *rtl_;
    move_memory();
    offer_answers();
    r.clk = 0;
    r.eval();
    seen_ = {r.s_axis_walk_tready != 0, r.s_axil_awready != 0,  r.s_axil_wready != 0,
             r.s_axil_arready != 0,     r.s_axil_bvalid != 0,   r.s_axil_rvalid != 0,
             r.s_axil_bresp == OKAY,    r.s_axil_rresp == OKAY, r.s_axil_rdata};
    if (!r.rst)
        take_beats();
    r.clk = 1;
    r.eval();
    cycles_++;
}

void RingDevice::walk(const uint32_t *beat) {
    Vring &r = *rtl_;
    to_port(beat, &r.s_axis_walk_tdata);
    r.s_axis_walk_tvalid = 1;
    unsigned waited = 0;
    do {
        cycle();
        if (++waited > PATIENCE)
            bad("unit: the RTL does not take a walk");
    } while (!seen_.walk_ready);
    r.s_axis_walk_tvalid = 0;
}

bool RingDevice::access(bool write, uint32_t at, uint32_t *data) {
    Vring &r = *rtl_;
    r.s_axil_awaddr = r.s_axil_araddr = static_cast<uint16_t>(at);
    r.s_axil_wdata = *data;
    r.s_axil_wstrb = 15;
    r.s_axil_awvalid = r.s_axil_wvalid = write;
    r.s_axil_arvalid = !write;
    r.s_axil_bready = r.s_axil_rready = 1;
    for (unsigned waited = 0; waited < PATIENCE; waited++) {
        cycle();
        r.s_axil_awvalid = r.s_axil_awvalid && !seen_.aw_ready;
        r.s_axil_wvalid = r.s_axil_wvalid && !seen_.w_ready;
        r.s_axil_arvalid = r.s_axil_arvalid && !seen_.ar_ready;
        if (write ? seen_.b_valid : seen_.r_valid) {
            r.s_axil_bready = r.s_axil_rready = 0;
            *data = write ? *data : seen_.r_data;
            return write ? seen_.b_good : seen_.r_good;
        }
    }
    bad("unit: the RTL does not answer an access to its registers");
}
