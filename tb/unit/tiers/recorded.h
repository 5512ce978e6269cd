// SPDX-License-Identifier: Apache-2.0
// recorded.h: the recorded traces, for the tests of tiers.
#ifndef GMMU_TB_TIERS_RECORDED_H
#define GMMU_TB_TIERS_RECORDED_H

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "gmmu/trace.h"

inline std::string trace_folder() {
    const char *root = std::getenv("GMMU_ROOT");
    return std::string(root != nullptr ? root : ".") + "/sim/traces";
}

inline std::vector<gmmu_walk> read_trace(const std::string &path) {
    gmmu_error err = {};
    gmmu_reader *r = gmmu_reader_open(path.c_str(), &err);
    EXPECT_NE(r, nullptr) << err.text;
    std::vector<gmmu_walk> walks;
    for (gmmu_walk w; r != nullptr && gmmu_reader_next(r, &w, &err) == GMMU_OK;) {
        walks.push_back(w);
    }
    gmmu_reader_close(r);
    return walks;
}

// GMMU_LONG: all of sim/traces and, if GMMU_TRACES names one, of a folder beside; else some.
inline std::vector<std::string> recorded_traces(const std::vector<std::string> &some) {
    std::vector<std::string> all;
    if (std::getenv("GMMU_LONG") == nullptr) {
        for (const std::string &name : some) {
            all.push_back(trace_folder() + "/" + name);
        }
        return all;
    }
    std::vector<std::string> folders = {trace_folder()};
    if (std::getenv("GMMU_TRACES") != nullptr) {
        folders.emplace_back(std::getenv("GMMU_TRACES"));
    }
    for (const std::string &folder : folders) {
        for (const auto &e : std::filesystem::directory_iterator(folder)) {
            if (e.path().extension() == ".walk" || e.path().extension() == ".gwt") {
                all.push_back(e.path().string());
            }
        }
    }
    std::sort(all.begin(), all.end());
    EXPECT_GE(all.size(), 39u);
    return all;
}

#endif
