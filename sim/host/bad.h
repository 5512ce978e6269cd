// SPDX-License-Identifier: Apache-2.0
// bad.h: a description, a trace or a file that cannot be used ends the simulation.
#pragma once
#include <string>

struct Bad {
    std::string text;
};

[[noreturn]] inline void bad(const std::string &text) {
    throw Bad{text};
}
