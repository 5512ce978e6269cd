// SPDX-License-Identifier: Apache-2.0
// fault_table.h: the rows of tb/faults.txt, and of the tables in tb/faults that blocks have of
// their own.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

inline std::vector<std::string> rows_of_faults() {
    namespace fs = std::filesystem;
    const char *root = std::getenv("GMMU_ROOT");
    const fs::path tb = fs::path(root ? root : ".") / "tb";
    std::vector<fs::path> tables;
    if (fs::exists(tb / "faults"))
        for (const auto &f : fs::directory_iterator(tb / "faults")) tables.push_back(f.path());
    std::sort(tables.begin(), tables.end());
    tables.insert(tables.begin(), tb / "faults.txt");
    std::vector<std::string> rows;
    for (const fs::path &table : tables) {
        std::ifstream in(table);
        for (std::string line; std::getline(in, line);)
            if (!line.empty() && line[0] != '#')
                rows.push_back(line);
    }
    return rows;
}
