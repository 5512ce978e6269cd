// SPDX-License-Identifier: Apache-2.0
// report.cpp: see report.h.
#include "report.h"

#include <cinttypes>
#include <cstdarg>
#include <cstdio>
#include <vector>

#include "arrival_driver.h"
#include "arrival_gpu.h"
#include "chunk_driver.h"

namespace {

struct Column {
    std::string name, value;
    bool text;
    const char *note;
};

std::string print(const char *format, ...) __attribute__((format(printf, 1, 2)));
std::string print(const char *format, ...) {
    char s[256];
    va_list list;
    va_start(list, format);
    std::vsnprintf(s, sizeof s, format, list);
    va_end(list);
    return s;
}

// TEXT between quotes, for JSON.
std::string quoted(const std::string &text) {
    std::string s = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            s += '\\';
        s += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
    return s + "\"";
}

class Columns {
   public:
    std::vector<Column> all;
    void text(const char *name, const std::string &value, const char *note = "") {
        all.push_back({name, value, true, note});
    }
    void count(const std::string &name, uint64_t value, const char *note = "") {
        all.push_back({name, print("%" PRIu64, value), false, note});
    }
    void real(const std::string &name, double value, const char *note = "") {
        all.push_back({name, print("%.6g", value), false, note});
    }
    // Microseconds, to the picosecond.
    void time(const char *name, const sc_core::sc_time &t, const char *note = "") {
        const uint64_t ps = t.value();
        all.push_back(
            {name, print("%" PRIu64 ".%06" PRIu64, ps / 1000000, ps % 1000000), false, note});
    }
};

double part(const sc_core::sc_time &of, const sc_core::sc_time &whole) {
    return whole.value() == 0
               ? 0
               : static_cast<double>(of.value()) / static_cast<double>(whole.value());
}

}  // namespace

void Report::print(Platform &p) {
    const sc_core::sc_time run = p.gpu->run_time();
    const Driver::Counts &n = p.driver->counts;
    Columns c;
    c.text("trace", p.options.trace);
    c.text("policy", p.options.policy);
    c.text("timeline", p.arrival() ? "arrival" : "decided");
    c.text("driver", p.options.driver);
    c.text("model", p.options.model);
    c.text("config", p.config);
    c.count("frames", p.frames, "pages of GPU memory");
    c.count("tier2", p.tier2, "pages of host memory, 0: all");
    c.count("warps", p.warps);
    c.count("walks", p.gpu->done(), "accesses of the trace");
    c.count("distinct", p.pages());
    c.time("run_us", run, "until the last walk is done");
    c.count("faults", n.faults);
    c.count("cold", n.cold);
    c.count("evictions", n.evictions);
    c.count("writebacks", n.writebacks, "evicted pages that had been written");
    c.count("hasty", n.hasty, "evicted pages that were still on their way");
    c.count("joined", n.joined, "walks to a page that was on its way");
    c.count("tier2_hits", n.tier2_hits);
    c.count("tier2_puts", n.tier2_puts);
    c.count("tier3_writes", n.tier3_writes);
    c.time("stall_us", p.gpu->stall_time(), "of all warps together");
    c.real("stall_per_fault_us",
           n.faults == 0
               ? 0
               : static_cast<double>(p.gpu->stall_time().value()) * 1e-6 / double(n.faults),
           "joined walks included");
    c.count("batches", n.batches);
    c.real("pages_per_batch", n.batches == 0 ? 0
                                             : double(n.batch_entries - n.duplicates) /
                                                   static_cast<double>(n.batches));
    c.count("duplicates", n.duplicates, "entries of the fault buffer");
    if (p.arrival()) {
        const ArrivalDriver::MoreCounts &m = p.arrival_driver->more;
        const ArrivalGpu::Counts &g = p.arrival_gpu->counts;
        const gmmu_counters u = p.unit->counters();
        c.count("merged", g.merged, "accesses behind an earlier one's walk in the same TLB");
        c.count("replays", g.replays, "of the whole GPU");
        c.count("replayed", g.repeated, "walks of replays");
        c.count("replayed_in_vain", g.repeated_in_vain, "walks of replays that faulted");
        c.count("fetched", m.fetched, "pages that came");
        if (p.chunk_driver != nullptr) {
            const ChunkDriver::ChunkCounts &v = p.chunk_driver->chunk_counts;
            c.count("chunk", p.chunk, "pages of a chunk");
            c.count("chunks", p.frames / p.chunk, "of GPU memory");
            c.count("prefetched", v.prefetched, "pages that came without a fault");
            c.count("used", v.used, "prefetched pages with an access before they left");
            c.count("unused", v.unused, "pages that left without an access");
            c.count("chunks_out", v.chunks_out);
            c.count("within", v.within, "faults of pages of resident chunks");
        }
        c.count("ahead", m.ahead, "pages that left ahead of need");
        c.count("none", m.none, "decisions without a frame");
        c.count("asks", m.asks);
        c.count("others", m.others, "pages that came with a batch that had no frame for its own");
        c.count("flushed", m.flushed, "entries of the fault buffer, by replays");
        c.count("pins", m.pins, "pages pinned, of SMs behind");
        c.count("again", u.again, "replays whose page was still on its way");
        c.count("lost", u.lost, "replays whose page had left, or had got no frame");
        c.count("late", u.late, "faults behind the FILL of their page");
        c.count("drops", u.fault_drops, "faults and asks that found no room");
        c.count("stale_hits", u.stale_hits);
        c.count("refused", u.drv_errors, "operations of the driver");
    }
    c.real("driver_use", part(p.driver->busy(), run), "without the time that pages take");
    c.count("bytes_to_gpu", p.to_gpu->bytes_written());
    c.count("bytes_to_host", p.to_host->bytes_read());
    c.count("ssd_read_bytes", p.ssd->bytes_read());
    c.count("ssd_write_bytes", p.ssd->bytes_written());
    c.real("link_to_gpu_use", part(p.to_gpu->busy(), run));
    c.real("link_to_host_use", part(p.to_host->busy(), run));
    c.real("ssd_use", part(p.ssd->busy(), run), "of its data path");
    c.text("digest", ::print("%016" PRIx64, p.unit->digest()), "of all decisions in their order");
    c.text("moves", ::print("%016" PRIx64, p.driver->moves()), "of all pages that moved");
    c.count("decisions", p.unit->decided());
    if (p.options.model != "lt")
        c.count("cycles", p.unit->cycles());
    const char *what;
    const size_t queues_at = c.all.size();
    for (size_t i = 0; const DepthLog *log = p.logs(i, &what); i++) {
        const std::string name = what;
        c.count(name + ".n", log->entered());
        c.real(name + ".depth", log->mean_depth(p.end));
        c.count(name + ".most", log->most());
        c.real(name + ".stay_us", log->mean_stay_ps() * 1e-6);
        c.real(name + ".little", log->little_error(p.end));
    }
    if (p.options.format == "table") {
        for (size_t i = 0; i < queues_at; i++)
            std::printf("%-20s %24s  %s\n", c.all[i].name.c_str(), c.all[i].value.c_str(),
                        c.all[i].note);
        std::printf("\n%-14s %12s %12s %8s %14s %10s\n", "queue", "entered", "mean depth", "most",
                    "mean stay, us", "Little");
        for (size_t i = queues_at; i + 5 <= c.all.size(); i += 5) {
            const std::string name = c.all[i].name.substr(0, c.all[i].name.size() - 2);
            std::printf("%-14s %12s %12s %8s %14s %10s\n", name.c_str(), c.all[i].value.c_str(),
                        c.all[i + 1].value.c_str(), c.all[i + 2].value.c_str(),
                        c.all[i + 3].value.c_str(), c.all[i + 4].value.c_str());
        }
    } else if (p.options.format == "csv") {
        for (size_t i = 0; i < c.all.size(); i++)
            std::printf("%s%s", i == 0 ? "" : ",", c.all[i].name.c_str());
        std::printf("\n");
        for (size_t i = 0; i < c.all.size(); i++)
            std::printf("%s%s", i == 0 ? "" : ",", c.all[i].value.c_str());
        std::printf("\n");
    } else {
        std::printf("{");
        for (size_t i = 0; i < c.all.size(); i++)
            std::printf("%s\n  \"%s\": %s", i == 0 ? "" : ",", c.all[i].name.c_str(),
                        c.all[i].text ? quoted(c.all[i].value).c_str() : c.all[i].value.c_str());
        for (size_t i = 0; p.options.series; i++) {
            const DepthLog *log = p.logs(i, &what);
            if (log == nullptr)
                break;
            sc_core::sc_time width;
            const std::vector<double> series = log->series(&width);
            std::printf(",\n  \"%s.series\": [%.6g", what, double(width.value()) * 1e-6);
            for (const double v : series) std::printf(", %.4g", v);
            std::printf("]");
        }
        std::printf("\n}\n");
    }
    // standard error is not buffered: in a pipe the line would stand within a row
    std::fflush(stdout);
    const double rate = double(p.gpu->done()) / p.seconds;
    std::fprintf(stderr, "platform: %" PRIu64 " walks in %.3g s of processor time: %.3g %s",
                 p.gpu->done(), p.seconds, rate < 1e4 ? rate : rate * 1e-6,
                 rate < 1e4 ? "walks/s" : "M walks/s");
    if (p.unit->cycles() != 0)
        std::fprintf(stderr, ", %.2f M cycles/s", double(p.unit->cycles()) / p.seconds * 1e-6);
    std::fprintf(stderr, "\n");
}
