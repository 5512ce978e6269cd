// SPDX-License-Identifier: Apache-2.0
// checkers.h: the list of the checkers: each block's (blocks.h), and those of the unit's own parts.
//
// The first difference is the one that is reported. What an action was given, its owner compares
// before it does the action; so among those that hear of it only a walk's time has to come first,
// and what is made of the blocks' answers last.
#pragma once
#include "lockstep/blocks.h"
#include "lockstep/fault_unit.h"
#include "lockstep/parity_log.h"
#include "lockstep/record_feed.h"
#include "lockstep/refresh_wait.h"
#include "lockstep/side_port.h"
#include "lockstep/tier_place.h"
#include "lockstep/walk_pipe.h"
#include "lockstep/watchdog.h"

namespace lockstep {

using Checkers = CheckerSet<WalkPipe, SidePort, GMMU_BLOCK_CHECKERS, RecordFeed, TierPlace,
                            FaultUnit, RefreshWait, ParityLog, Watchdog>;

}  // namespace lockstep
