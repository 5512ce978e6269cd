// SPDX-License-Identifier: Apache-2.0
// precompiled.h: headers that most tests include, compiled once for tests of C and once for benches
// of RTL (tb/rules.mk). Each test includes what it uses nevertheless.
#ifndef GMMU_TB_PRECOMPILED_H
#define GMMU_TB_PRECOMPILED_H
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <utility>
#include <vector>
#ifdef GMMU_BENCH
#include <verilated.h>
#endif
#endif
