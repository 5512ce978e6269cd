// SPDX-License-Identifier: Apache-2.0
// report.h: what a step came to, as a table and as JSON.
#pragma once
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "gmmu/config.h"
#include "lockstep/report.h"
#include "options.h"

// One row of the table.
struct Row {
    std::string step;
    Activity did;
    uint64_t events = 0, faults = 0, mismatches = 0;
    std::vector<std::pair<std::string, uint64_t>> evictions;  // of the unit and of the others
    double seconds = 0;
    std::string note;

    // Behind what the row says already.
    void say(const std::string &more) { note += (note.empty() ? "" : "; ") + more; }
    // The step's memory: FRAMES, at most MOST, the configuration's.
    uint32_t memory(uint32_t frames, uint32_t most) {
        if (frames <= most)
            return frames;
        say("memory cut from " + std::to_string(frames) + " frames to the configuration's");
        return most;
    }
    // One more mismatch; the row says why.
    void differs(const std::string &why) {
        mismatches++;
        note = why;
    }
};

// The table, part by part: a step takes minutes, and its row is there when the step ends.
void print_heading();
void print_row(const Row &r, const Options &o);
// The sum, and the evictions.
void print_end(const std::vector<Row> &rows);
// OUT/report.json.
void write_report(const std::vector<Row> &rows, const Options &o, const gmmu_config &cfg);
