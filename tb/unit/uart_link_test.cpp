// SPDX-License-Identifier: Apache-2.0
// uart_link_test.cpp: requests at random against what they say: each operation once and in order,
// each beat of the unit once and whole, each status for its reason; requests sent again, out of
// sequence, cut, damaged.
//
// State space: requests of all operations with random and cut arguments, responses of registers and
// readiness of streams that come when they like, beats of the unit at any time, a unit that does
// not rest. Parameter space: beats of the module's own sizes, packets of 256 bytes, the three RAM
// collision models, random initial state.
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "bench.h"
#include "board/link.h"

namespace {

enum { BYTES = 256, HEAD = 4, RUN_HEAD = 3, PATIENCE = 256 };
enum { WALK_N = 9, DRV_N = 9, RANGE_N = 10, STREAMS = 4 };
const unsigned beat_bytes[STREAMS] = {25, 13, 7, 15};
const unsigned beat_bits[STREAMS] = {200, 100, 54, 115};

using Bytes = std::vector<uint8_t>;

class Link : public bench::Block {
   public:
    uint64_t full = 0, stuck = 0, bad = 0, again = 0, ignored = 0, records = 0;

    explicit Link(const bench::Setup &s) : Block("uart_link", s) {
        dut->in_valid = 0;
        dut->quiet = 1;
        dut->rst = 1;
        for (int i = 0; i < 4; i++) cycle();
        dut->rst = 0;
    }

    void run(unsigned requests) {
        greet();
        for (unsigned i = 0; i < requests && ok(); i++) {
            rests_ = !rng.chance(60);
            takes_ = !rng.chance(40);
            gives_ = rng.below(4) * 20;
            if (rng.chance(20))
                greet();
            else
                one(make());
            if (rng.chance(300))
                repeat();
            if (rng.chance(200))
                unheard();
            rests_ = takes_ = true;
            actions++;
        }
    }

   private:
    bool rests_ = true, takes_ = true;
    unsigned gives_ = 0;
    gmmu_packet request_ = {}, answer_ = {};
    gmmu_packet_ear ear_ = {};
    std::deque<uint8_t> in_;
    bool answered_ = false;
    uint8_t seq_ = 0;
    // what the surroundings saw: registers' accesses and beats taken, in order; beats given of each
    // stream
    std::vector<Bytes> did_;
    std::deque<Bytes> given_[STREAMS];
    bool offered_[STREAMS] = {}, last_[STREAMS] = {};
    Bytes beat_[STREAMS];
    std::map<uint32_t, uint32_t> registers_;
    unsigned listen_ = 0, ever_ = 0, answer_in_ = 0;
    bool have_aw_ = false, have_w_ = false, have_ar_ = false;

    static Bytes bytes_of(uint64_t value, unsigned count) {
        Bytes b;
        for (unsigned i = 0; i < count; i++) b.push_back(static_cast<uint8_t>(value >> 8 * i));
        return b;
    }
    template <typename T>
    static void put(T &port, const Bytes &b) {
        uint64_t v = 0;
        for (std::size_t i = 0; i < b.size() && i < 8; i++)
            v |= static_cast<uint64_t>(b[i]) << 8 * i;
        port = static_cast<T>(v);
    }
    template <std::size_t N>
    static void put(VlWide<N> &port, const Bytes &b) {
        for (std::size_t i = 0; i < N; i++) port[i] = 0;
        for (std::size_t i = 0; i < b.size(); i++)
            port[i / 4] |= static_cast<uint32_t>(b[i]) << 8 * (i % 4);
    }
    template <typename T>
    static Bytes get(const T &port, unsigned count) {
        return bytes_of(port, count);
    }
    template <std::size_t N>
    static Bytes get(const VlWide<N> &port, unsigned count) {
        Bytes b;
        for (unsigned i = 0; i < count; i++)
            b.push_back(static_cast<uint8_t>(port[i / 4] >> 8 * (i % 4)));
        return b;
    }
    static Bytes tagged(unsigned tag, Bytes rest) {
        rest.insert(rest.begin(), static_cast<uint8_t>(tag));
        return rest;
    }

    // ---- a cycle of the surroundings
    void offer(unsigned s) {
        if (!offered_[s] && rng.chance(gives_)) {
            offered_[s] = true;
            last_[s] = s != 0 && rng.below(3) == 0;
            beat_[s].clear();
            for (unsigned i = 0; i < beat_bytes[s]; i++)
                beat_[s].push_back(static_cast<uint8_t>(rng.next()));
            beat_[s].back() &=
                static_cast<uint8_t>(bench::mask(beat_bits[s] - 8 * (beat_bytes[s] - 1)));
        }
    }
    void cycle() {
        for (unsigned s = 0; s < STREAMS; s++) offer(s);
        dut->s_axis_decision_tvalid = offered_[0];
        dut->s_axis_rit_tvalid = offered_[1];
        dut->s_axis_hir_tvalid = offered_[2];
        dut->s_axis_xfer_tvalid = offered_[3];
        dut->s_axis_rit_tlast = last_[1];
        dut->s_axis_hir_tlast = last_[2];
        dut->s_axis_xfer_tlast = last_[3];
        put(dut->s_axis_decision_tdata, beat_[0]);
        put(dut->s_axis_rit_tdata, beat_[1]);
        put(dut->s_axis_hir_tdata, beat_[2]);
        put(dut->s_axis_xfer_tdata, beat_[3]);
        dut->quiet = rests_ && rng.chance(900);
        dut->m_axis_walk_tready = takes_ && rng.chance(500);
        dut->m_axis_drv_tready = takes_ && rng.chance(500);
        dut->m_axis_range_tready = takes_ && rng.chance(500);
        dut->m_axil_awready = !have_aw_ && rng.chance(500);
        dut->m_axil_wready = !have_w_ && rng.chance(500);
        dut->m_axil_arready = !have_ar_ && rng.chance(500);
        const bool write = have_aw_ && have_w_ && answer_in_ == 0,
                   read = have_ar_ && answer_in_ == 0;
        dut->m_axil_bvalid = write;
        dut->m_axil_rvalid = read;
        dut->m_axil_bresp = write && aw_ >= 0x800 ? 2 : 0;
        dut->m_axil_rresp = read && ar_ >= 0x800 ? 2 : 0;
        dut->m_axil_rdata = read && ar_ < 0x800 ? registers_[ar_] : 0;
        dut->in_valid = !in_.empty() && rng.chance(700);
        dut->in_data = dut->in_valid ? in_.front() : 0;
        dut->out_ready = rng.chance(700);
        settle();
        if (!dut->rst)
            watch(write, read);
        if (dut->in_valid)
            in_.pop_front();
        edge();
    }
    uint32_t aw_ = 0, w_ = 0, ar_ = 0;
    void watch(bool write, bool read) {
        const bool ready[STREAMS] = {static_cast<bool>(dut->s_axis_decision_tready),
                                     static_cast<bool>(dut->s_axis_rit_tready),
                                     static_cast<bool>(dut->s_axis_hir_tready),
                                     static_cast<bool>(dut->s_axis_xfer_tready)};
        for (unsigned s = 0; s < STREAMS; s++)
            if (offered_[s] && ready[s]) {
                if (s == 0 || (listen_ >> (s - 1) & 1))
                    given_[s].push_back(tagged(s | (last_[s] ? 0x80 : 0), beat_[s]));
                offered_[s] = false;
            }
        if (dut->m_axis_walk_tvalid && dut->m_axis_walk_tready)
            did_.push_back(tagged(GMMU_LINK_WALK, get(dut->m_axis_walk_tdata, WALK_N)));
        if (dut->m_axis_drv_tvalid && dut->m_axis_drv_tready)
            did_.push_back(tagged(GMMU_LINK_DRV, get(dut->m_axis_drv_tdata, DRV_N)));
        if (dut->m_axis_range_tvalid && dut->m_axis_range_tready)
            did_.push_back(tagged(GMMU_LINK_RANGE, get(dut->m_axis_range_tdata, RANGE_N)));
        if (write && dut->m_axil_bready) {
            have_aw_ = have_w_ = false;
            if (aw_ < 0x800)
                registers_[aw_] = w_;
            Bytes b = bytes_of(aw_, 2), d = bytes_of(w_, 4);
            b.insert(b.end(), d.begin(), d.end());
            did_.push_back(tagged(GMMU_LINK_WRITE, b));
        }
        if (read && dut->m_axil_rready) {
            have_ar_ = false;
            did_.push_back(tagged(GMMU_LINK_READ, bytes_of(ar_, 2)));
        }
        if (dut->m_axil_awvalid && dut->m_axil_awready) {
            have_aw_ = true;
            aw_ = dut->m_axil_awaddr;
        }
        if (dut->m_axil_wvalid && dut->m_axil_wready) {
            have_w_ = true;
            w_ = dut->m_axil_wdata;
        }
        if (dut->m_axil_arvalid && dut->m_axil_arready) {
            have_ar_ = true;
            ar_ = dut->m_axil_araddr;
        }
        answer_in_ = have_ar_ || (have_aw_ && have_w_) ? static_cast<unsigned>(rng.below(3)) : 1;
        if (dut->out_valid && dut->out_ready)
            answered_ |= gmmu_packet_hear(&ear_, dut->out_data, &answer_);
    }

    // ---- requests
    void send(const gmmu_packet &p) {
        std::vector<uint8_t> line(GMMU_PACKET_LINE);
        line.resize(gmmu_packet_write(&p, line.data()));
        in_.insert(in_.end(), line.begin(), line.end());
    }
    bool listen_for(unsigned most) {
        answered_ = false;
        for (unsigned i = 0; i < most && !answered_; i++) cycle();
        for (int i = 0; i < 4; i++) cycle();  // until the request is forgotten
        return answered_;
    }
    void greet() {
        request_ = {};
        request_.seq = seq_ = static_cast<uint8_t>(rng.next());
        send(request_);
        listen_ = 0;
        expect("HELLO answered", listen_for(20000), 1);
        expect("HELLO's kind", answer_.kind, 0x80);
        expect("HELLO's size", answer_.size, 15);
        expect("bytes of a packet", answer_.payload[2] | answer_.payload[3] << 8, BYTES);
        expect("bytes of a walk", answer_.payload[8], WALK_N);
        expect("bytes of a decision", answer_.payload[11], beat_bytes[0]);
        expect("bytes of a transfer", answer_.payload[14], beat_bytes[3]);
    }
    std::vector<Bytes> make() {
        std::vector<Bytes> ops;
        const unsigned sizes[] = {0, 6, 2, WALK_N, DRV_N, RANGE_N, 1};
        const unsigned kind = static_cast<unsigned>(rng.below(4));
        std::size_t size = 0;
        for (unsigned i = 0, n = static_cast<unsigned>(rng.below(20)); i < n; i++) {
            const unsigned op =
                static_cast<unsigned>(kind == 0 ? uint64_t{GMMU_LINK_READ} : rng.below(7));
            Bytes b = {static_cast<uint8_t>(op | (rng.chance(300) ? GMMU_LINK_RESTS : 0))};
            for (unsigned k = 0; k < sizes[op]; k++) b.push_back(static_cast<uint8_t>(rng.next()));
            if (op == GMMU_LINK_WRITE || op == GMMU_LINK_READ)
                b[2] &= 0xF, b[1] &= 0x3C;
            if (op == GMMU_LINK_LISTEN)
                b[1] &= 7;
            if (op == GMMU_LINK_WALK)
                b.back() &= 7;
            if (op == GMMU_LINK_DRV)
                b.back() &= 7;
            if (size + b.size() > BYTES - HEAD)
                break;
            size += b.size();
            ops.push_back(b);
        }
        if (!ops.empty() && rng.chance(100)) {  // cut, or none of the operations
            if (ops.back().size() > 1 && rng.below(2))
                ops.back().pop_back();
            else
                ops.back() = {static_cast<uint8_t>(rng.below(2) ? 7 : 0x10 << rng.below(3))};
        }
        return ops;
    }
    static bool wrong(const Bytes &op) {
        const std::size_t sizes[] = {1, 7, 3, 1 + WALK_N, 1 + DRV_N, 1 + RANGE_N, 2};
        return (op[0] & 0x7F) > GMMU_LINK_LISTEN || op.size() != sizes[op[0] & 0x7F];
    }

    void one(const std::vector<Bytes> &ops) {
        request_ = {};
        request_.seq = ++seq_;
        request_.kind = 1;
        for (const Bytes &op : ops)
            for (const uint8_t byte : op) request_.payload[request_.size++] = byte;
        did_.clear();
        for (auto &g : given_) g.clear();
        const std::map<uint32_t, uint32_t> before = registers_;
        // of LISTEN the bench learns when the operations before it have been done: until then all
        // count
        ever_ = listen_;
        for (const Bytes &op : ops)
            if ((op[0] & 0x7F) == GMMU_LINK_LISTEN && op.size() == 2)
                ever_ |= op[1];
        const unsigned was = listen_;
        listen_ = 7;
        send(request_);
        if (!expect("a request answered", listen_for(60000), 1))
            return;
        judge(ops, before, was);
        // a beat on its way leaves in the end, and stays the one it is
        takes_ = true;
        for (int i = 0; i < 40; i++) cycle();
    }
    void judge(const std::vector<Bytes> &ops, const std::map<uint32_t, uint32_t> &before,
               unsigned was) {
        expect("sequence", answer_.seq, request_.seq);
        expect("kind", answer_.kind, 0x81);
        const unsigned status = answer_.payload[0],
                       done = answer_.payload[1] | answer_.payload[2] << 8;
        expect("status", status <= GMMU_LINK_BAD, 1);
        if (!expect("operations done", done <= ops.size(), 1))
            return;
        if (status == GMMU_LINK_ALL)
            expect("all done", done, ops.size());
        else if (!expect("one is left", done < ops.size(), 1))
            return;
        for (unsigned i = 0; i < done; i++) expect("done though wrong", wrong(ops[i]), 0);
        const std::size_t used = HEAD + answer_.size;
        if (status == GMMU_LINK_BAD)
            expect("BAD of a good operation", wrong(ops[done]), 1);
        if (status == GMMU_LINK_FULL)
            expect("FULL with room", BYTES - used < 1 + beat_bytes[0], 1);
        if (status == GMMU_LINK_STUCK)
            expect("STUCK though nothing is", rests_ && takes_, 0);
        full += status == GMMU_LINK_FULL;
        stuck += status == GMMU_LINK_STUCK;
        bad += status == GMMU_LINK_BAD;
        // what was done, in order; the last beat may still be on its way
        std::size_t at = 0;
        std::vector<Bytes> answers;
        std::map<uint32_t, uint32_t> registers = before;
        listen_ = was;
        for (unsigned i = 0; i < done; i++) {
            const unsigned op = ops[i][0] & 0x7F;
            if (op == GMMU_LINK_LISTEN)
                listen_ = ops[i][1];
            if (op == GMMU_LINK_NONE || op == GMMU_LINK_LISTEN)
                continue;
            Bytes what = ops[i];
            what[0] = static_cast<uint8_t>(op);
            if (at == did_.size() && op >= GMMU_LINK_WALK) {
                for (unsigned k = i + 1; k < done; k++)
                    expect("an operation past one under way",
                           (ops[k][0] & 0x7F) == GMMU_LINK_NONE ||
                               (ops[k][0] & 0x7F) == GMMU_LINK_LISTEN,
                           1);
                break;
            }
            if (!expect("an operation that was not done", at < did_.size(), 1))
                return;
            expect("an operation done otherwise", did_[at++] == what, 1);
            const uint32_t address = what[1] | static_cast<uint32_t>(what[2]) << 8;
            const uint8_t refused = address >= 0x800;
            if (op == GMMU_LINK_WRITE) {
                answers.push_back({GMMU_LINK_OF_WRITE, refused});
                if (!refused)
                    registers[address] = what[3] | static_cast<uint32_t>(what[4]) << 8 |
                                         static_cast<uint32_t>(what[5]) << 16 |
                                         static_cast<uint32_t>(what[6]) << 24;
            }
            if (op == GMMU_LINK_READ) {
                Bytes b = {GMMU_LINK_OF_READ, refused};
                for (const uint8_t byte : bytes_of(refused ? 0 : registers[address], 4))
                    b.push_back(byte);
                answers.push_back(b);
            }
        }
        expect("more done than said", at, did_.size());
        read_records(answers);
    }
    // Each record is the next one of its source.
    void read_records(const std::vector<Bytes> &answers) {
        std::size_t at = RUN_HEAD, answer = 0;
        while (at < answer_.size) {
            const unsigned tag = answer_.payload[at], of = tag & 0x7F;
            const unsigned size = of < STREAMS ? beat_bytes[of] : of == GMMU_LINK_OF_WRITE ? 1 : 5;
            if (!expect("a record of nothing",
                        of <= GMMU_LINK_OF_READ && at + 1 + size <= answer_.size, 1))
                return;
            const Bytes record(answer_.payload + at, answer_.payload + at + 1 + size);
            at += 1 + size;
            records++;
            if (of >= STREAMS) {
                if (!expect("an answer to nothing", answer < answers.size(), 1))
                    return;
                expect("another answer", record == answers[answer++], 1);
                continue;
            }
            expect("a beat to which nobody listens", of == 0 || (ever_ >> (of - 1) & 1), 1);
            // beats that came while nobody listened are not among the records
            while (of != 0 && !given_[of].empty() && given_[of].front() != record)
                given_[of].pop_front();
            if (!expect("a beat of nothing", given_[of].empty(), 0))
                return;
            expect("another beat", record == given_[of].front(), 1);
            given_[of].pop_front();
        }
        expect("an answer that is missing", answer, answers.size());
        expect("a decision that is missing", given_[0].size(), 0);
    }
    // The same request again: the same answer, and nothing is done.
    void repeat() {
        if (request_.kind == 0)
            return;
        const gmmu_packet before = answer_;
        did_.clear();
        send(request_);
        if (!expect("answered again", listen_for(20000), 1))
            return;
        again++;
        expect("done again", did_.size(), 0);
        expect("another answer's size", answer_.size, before.size);
        for (unsigned i = 0; i < before.size; i++)
            expect("another answer", answer_.payload[i], before.payload[i]);
    }
    // What is no request of this sequence, or none at all.
    void unheard() {
        gmmu_packet p = request_;
        p.kind = 1;
        p.seq = static_cast<uint8_t>(seq_ + 2 + rng.below(250));
        if (rng.below(4) == 0) {
            p.seq = static_cast<uint8_t>(seq_ + 1);
            p.kind = static_cast<uint8_t>(2 + rng.below(250));
        }
        did_.clear();
        const std::size_t from = in_.size();
        std::size_t at;
        switch (rng.below(5)) {
            case 0:  // a bit is not what it was
                send(p);
                in_[from + 1 + rng.below(in_.size() - from - 2)] ^=
                    static_cast<uint8_t>(1 << rng.below(8));
                break;
            case 1:  // too long, but else as it should be
                p.seq = static_cast<uint8_t>(seq_ + 1);
                p.kind = 1;
                p.size = static_cast<uint16_t>(BYTES - HEAD + 1 + rng.below(300));
                for (unsigned i = 0; i < p.size; i++) p.payload[i] = 0;
                send(p);
                break;
            case 2:  // with an escape of what needs none
                p.seq = static_cast<uint8_t>(seq_ + 1);
                p.kind = 1;
                p.size = 0;
                send(p);
                // the kind, 1, behind a sequence number that may have an escape
                at = in_[from + 1] == 0x7D ? from + 3 : from + 2;
                in_[at] ^= 0x20;
                in_.insert(in_.begin() + static_cast<long>(at), 0x7D);
                break;
            default:
                send(p);
        }
        answered_ = false;
        while (!in_.empty()) cycle();
        for (int i = 0; i < 200; i++) cycle();
        expect("an answer to no request", answered_, 0);
        expect("done without a request", did_.size(), 0);
        ignored++;
    }
};

TEST(UartLink, DoesWhatRequestsSay) {
    uint64_t full = 0, stuck = 0, bad = 0, again = 0, ignored = 0, records = 0;
    bench::expect_lockstep("uart_link", 3, [&](const bench::Setup &s) {
        Link b(s);
        b.run(600);
        full += b.full;
        stuck += b.stuck;
        bad += b.bad;
        again += b.again;
        ignored += b.ignored;
        records += b.records;
        bench::Outcome o;
        o.add(b);
        return o;
    });
    EXPECT_GT(full, 20u);
    EXPECT_GT(stuck, 20u);
    EXPECT_GT(bad, 20u);
    EXPECT_GT(again, 100u);
    EXPECT_GT(ignored, 100u);
    EXPECT_GT(records, 1000u);
}

}  // namespace
