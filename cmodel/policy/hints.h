// SPDX-License-Identifier: Apache-2.0
// hints.h: when a page is used next, forecast from the launches of kernels and from what was
// touched in each of them; no knowledge of the future.
//
// DeepUM's idea (ASPLOS 2023): kernels are launched in an order that repeats. The last launches,
// at most four, are looked up among all before: the present launch repeats the one in which they
// ended last time. So the walk to come is the one that came there, at the same distance from its
// launch; a page's next use is its first use behind that point:
//
//   launches     A  B  C  A  B            then, at walk t of the second B:
//   page p          x     y     now       p's next use is as far as y lies behind walk t of the
//                   |--t--|     |--t--|   first B
//
// A page keeps the last launches that touched it, each with its first and its last touch. One that
// was not touched behind that point is late, or does not come. One that was freed is not used
// again, unless launches repeat and so tell when its place is.
#ifndef GMMU_POLICY_HINTS_H
#define GMMU_POLICY_HINTS_H

#include <stdbool.h>
#include <stdint.h>

#include "gmmu/trace.h"
#include "trace/pages.h"

#ifdef __cplusplus
extern "C" {
#endif

// Not forecast: nothing like the present launch came before, or the page is late. And: it is dead.
#define GMMU_NEXT_UNKNOWN UINT64_MAX
#define GMMU_NEXT_NEVER (UINT64_MAX - 1)

enum {
    GMMU_FORECAST_CONTEXT = 4,         // launches that are looked up; then 2, then 1
    GMMU_FORECAST_SLOTS = 1 << 14,     // of the table of contexts; a later one takes a slot
    GMMU_FORECAST_LAUNCHES = 1 << 14,  // whose beginnings are kept
    GMMU_FORECAST_STAYS = 8            // launches that a page keeps
};

typedef struct gmmu_forecast gmmu_forecast;

// The pages are those of PAGES. NULL: no memory.
gmmu_forecast *gmmu_forecast_create(const gmmu_pages *pages);
void gmmu_forecast_destroy(gmmu_forecast *f);
// A hint. FOLLOWED: the next kernel to be launched is known to be NEXT.
void gmmu_forecast_hint(gmmu_forecast *f, const gmmu_hint *hint, bool followed, uint64_t next);
// A walk to PAGE. False: no memory.
bool gmmu_forecast_walk(gmmu_forecast *f, uint32_t page);
// Walks until PAGE, which was walked to before, is used next.
uint64_t gmmu_forecast_next(const gmmu_forecast *f, uint32_t page);
// Walks since its last one.
uint64_t gmmu_forecast_age(const gmmu_forecast *f, uint32_t page);

#ifdef __cplusplus
}
#endif
#endif
