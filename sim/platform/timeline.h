// SPDX-License-Identifier: Apache-2.0
// timeline.h: what happened when, as trace events that Perfetto shows.
#pragma once
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "parameters.h"
#include "payload.h"

class Timeline {
   public:
    explicit Timeline(const std::string &path) : file_(std::fopen(path.c_str(), "w")) {
        if (file_ == nullptr)
            bad(path + ": cannot be written");
        std::fprintf(file_,
                     "{\"displayTimeUnit\": \"ns\", \"traceEvents\": [\n"
                     "{\"ph\": \"M\", \"pid\": 1, \"name\": \"process_name\", \"args\": "
                     "{\"name\": \"platform\"}}");
        name(DRIVER, "driver: batches");
        name(LEAVES, "pages that leave near memory");
        name(COMES, "pages that come");
        name(BELOW, "host to SSD");
    }
    Timeline(const Timeline &) = delete;
    Timeline &operator=(const Timeline &) = delete;
    ~Timeline() { (void)end(); }
    // Nothing comes after it. False: something could not be written.
    bool end() {
        if (file_ == nullptr)
            return true;
        std::fprintf(file_, "\n]}\n");
        const bool good = std::ferror(file_) == 0;
        const bool closed = std::fclose(file_) == 0;
        file_ = nullptr;
        return good && closed;
    }
    // Ends now.
    void batch(const sc_core::sc_time &begun, size_t pages) {
        std::fprintf(file_,
                     ",\n{\"ph\": \"X\", \"pid\": 1, \"tid\": %d, \"name\": \"%zu pages\", "
                     "\"ts\": %.6f, \"dur\": %.6f}",
                     DRIVER, pages, us(begun), us(sc_core::sc_time_stamp() - begun));
    }
    // Ends at END.
    void copy(const Copy &c, const sc_core::sc_time &end) {
        const int row = c.from == GMMU_NEAR ? LEAVES : c.to == GMMU_NEAR ? COMES : BELOW;
        for (const bool begins : {true, false})
            std::fprintf(file_,
                         ",\n{\"ph\": \"%c\", \"pid\": 1, \"tid\": %d, \"cat\": \"copy\", \"id\": "
                         "%llu, \"name\": \"page %u\", \"ts\": %.6f}",
                         begins ? 'b' : 'e', row, static_cast<unsigned long long>(copies_), c.page,
                         us(begins ? c.begun : end));
        copies_++;
    }
    // A counter's VALUES, one each PART.
    void counter(const std::string &what, const std::vector<double> &values,
                 const sc_core::sc_time &part) {
        for (size_t i = 0; i < values.size(); i++)
            std::fprintf(file_,
                         ",\n{\"ph\": \"C\", \"pid\": 1, \"name\": \"%s\", \"ts\": %.6f, "
                         "\"args\": {\"depth\": %.4f}}",
                         what.c_str(), us(part) * static_cast<double>(i), values[i]);
    }

   private:
    enum { DRIVER = 1, LEAVES, COMES, BELOW };
    std::FILE *file_;
    uint64_t copies_ = 0;
    static double us(const sc_core::sc_time &t) { return static_cast<double>(t.value()) * 1e-6; }
    void name(int row, const char *text) {
        std::fprintf(file_,
                     ",\n{\"ph\": \"M\", \"pid\": 1, \"tid\": %d, \"name\": \"thread_name\", "
                     "\"args\": {\"name\": \"%s\"}}",
                     row, text);
    }
};
