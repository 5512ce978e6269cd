// SPDX-License-Identifier: Apache-2.0
// gmmu_tvi.vh: the tier verification interface: the actions of each cycle and their results (docs/guide/schedule.md), one
// line each: range, name, what it shows. gmmu_tier includes it twice with GMMU_TVI, as ports and as assignments, and not
// at all without. Codes: gmmu_codes.vh.
// the actions of this cycle and their results, in the order SEND, side, enter, background, walk
`GMMU_SHOW1(tvi_send, send) // SEND: a packet of records for m_axis_rit is closed, before the records of this cycle
`GMMU_SHOW([1:0], tvi_rit_side, side_export) // outcome of the side record for m_axis_rit, RIT_*
`GMMU_SHOW([1:0], tvi_rit_walk, walk_export) // outcome of the walk's record for m_axis_rit, RIT_*
`GMMU_SHOW1(tvi_side_valid, s3[S3_VALID_O]) // a side action takes effect
`GMMU_SHOW([3:0], tvi_side_kind, s3[S3_KIND_O +: 4]) // kind of the side action, SIDE_*
`GMMU_SHOW([FRAME_W-1:0], tvi_side_frame, s3[S3_FRAME_O +: FRAME_W]) // frame of the side action
`GMMU_SHOW([T2_W-1:0], tvi_side_slot, s3[S3_SLOT_O +: T2_W]) // slot of the side action
`GMMU_SHOW1(tvi_drv_found, !find_req || find_ready) // the operation that the driver offers needs no page of fault_queue, or the page is found
`GMMU_SHOW1(tvi_drv_refused, s3_refused) // the driver's operation is refused
`GMMU_SHOW1(tvi_drv_left, s3_left) // FILL, FREE: the page that was in the frame is gone
`GMMU_SHOW1(tvi_drv_hit, s3_hit) // FILL: the page has a fault; CANCEL: the page has a decided fault
`GMMU_SHOW([1:0], tvi_drv_record, learner_tvi[LTVI_LEFT_RECORD_O +: 2]) // outcome of the record of the page that left in the cycle before, REC_*
`GMMU_SHOW([TIME_W-1:0], tvi_drv_age, s3_left ? held[HELD_AGE_O +: TIME_W] : {TIME_W{1'b0}}) // FILL, FREE: age of the page that left; else 0
`GMMU_SHOW([2:0], tvi_drv_fault, s3_fault) // ASK: outcome of the page's fault, FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_drv_entry, s3_entry) // entry of the fault of the side action
`GMMU_SHOW1(tvi_fill_dirty, fill_dirty) // FILL: dirty bit of the frame from now on
`GMMU_SHOW([TIME_W-1:0], tvi_fill_last, fill_last) // FILL: last access of the page
`GMMU_SHOW([ROW_W-1:0], tvi_fill_row, fill_class[GEN_W +: ROW_W]) // FILL: row of the page's last access
`GMMU_SHOW([GEN_W-1:0], tvi_fill_gen, fill_class[GEN_W-1:0]) // FILL: generation of the page's last access
`GMMU_SHOW([AGE_W-1:0], tvi_age_index, age_index) // AGE: the frame, fault, slot or entry of the predictor that AGE visits
`GMMU_SHOW1(tvi_age_clamped, age_fault_done ? age_clamped : held[HELD_CLAMPED_O] || slot_held[SLOT_CLAMPED_O]) // AGE: the time stamp is clamped
`GMMU_SHOW1(tvi_install_current, learner_tvi[LTVI_INSTALL_CURRENT_O]) // INSTALL: the row's generation is current
`GMMU_SHOW([ROW_W-1:0], tvi_row, s3[S3_INSTALL_O] ? learner_tvi[LTVI_INSTALL_ROW_O +: ROW_W] : learner_tvi[LTVI_SERVING_O +: ROW_W]) // INSTALL: the row; CAND, CAND2: row that serves the candidate
`GMMU_SHOW1(tvi_cand_eligible, s3[S3_CAND2_O] ? slot_held[SLOT_ELIGIBLE_O] : held[HELD_ELIGIBLE_O]) // CAND, CAND2: the candidate is eligible
`GMMU_SHOW1(tvi_fresh, held[HELD_FRESH_O]) // CAND, HAND, EXPIRE: the page is fresh
`GMMU_SHOW1(tvi_forced, forced) // CAND, HAND, DECIDE: the search may take a fresh frame
`GMMU_SHOW1(tvi_search_idle, select_idle) // no search is under way or wanted
`GMMU_SHOW1(tvi_hand_recent, held[HELD_RECENT_O]) // HAND: the page was hit since it was filled or passed
`GMMU_SHOW([TIME_W-1:0], tvi_cand_last, s3[S3_CAND2_O] ? slot_held[SLOT_LAST_O +: TIME_W] : held[HELD_LAST_O +: TIME_W]) // CAND, CAND2: last access of the candidate
`GMMU_SHOW([2:0], tvi_dec_tier, decide_tier) // DECIDE: outcome, TIER_*
`GMMU_SHOW1(tvi_dec_ahead, decide_ahead) // DECIDE: no fault is undecided; the decision is ahead of need
`GMMU_SHOW1(tvi_dec_fresh, decide_fresh) // DECIDE NONE: a fresh frame was passed over
`GMMU_SHOW1(tvi_fill_fresh, fill_fresh) // FILL: the frame is fresh from now on
`GMMU_SHOW1(tvi_dec_kept, f_take && held[HELD_TAKEN_O] && f_keep) // DECIDE: the candidate is kept, and the outcome is RETRY
`GMMU_SHOW([IDX_W-1:0], tvi_dec_entry, decide_entry) // DECIDE: entry of the decided fault
`GMMU_SHOW([15:0], tvi_dec_priority, decide_priority) // DECIDE: priority of the victim
`GMMU_SHOW1(tvi_rises, tiers_tvi[TTVI_RISES_O]) // RISE: the page leaves its slot
`GMMU_SHOW([2:0], tvi_place_tier, tiers_tvi[TTVI_PLACE_O +: 3]) // PLACE: tier of the victim, TIER_*
`GMMU_SHOW1(tvi_forgetting, tiers_tvi[TTVI_FORGETTING_O]) // a FORGET is under way: no page has or gets an entry of the predictor
`GMMU_SHOW1(tvi_foretell_valid, tiers_tvi[TTVI_FORETELL_O]) // a FORETELL takes effect, before the side action
`GMMU_SHOW([2:0], tvi_foretell_kind, tiers_tvi[TTVI_KIND_O +: 3]) // kind of the FORETELL, TP_*
`GMMU_SHOW1(tvi_enter_valid, enter_valid) // ENTER takes effect: the oldest noted fault meets the outstanding faults
`GMMU_SHOW([2:0], tvi_enter_fault, enter_outcome) // ENTER: outcome of the fault, FAULT_*
`GMMU_SHOW([IDX_W-1:0], tvi_enter_entry, enter_entry) // ENTER: entry of the fault
`GMMU_SHOW1(tvi_age_fault, age_fault_done) // AGE of an outstanding fault takes effect, in the place of an ENTER
`GMMU_SHOW1(tvi_allow, store_tvi[STVI_ALLOW_O]) // ALLOW: the limit of protected frames changes, after the side action
`GMMU_SHOW([FRAME_W:0], tvi_limit, store_tvi[STVI_LIMIT_O +: FRAME_W+1]) // ALLOW: number of frames that may be protected
`GMMU_SHOW1(tvi_pending, learner_tvi[LTVI_PENDING_O]) // some row is pending, before the actions of this cycle
`GMMU_SHOW1(tvi_bg_valid, learner_tvi[LTVI_BG_VALID_O]) // a background action takes effect
`GMMU_SHOW([1:0], tvi_bg_kind, learner_tvi[LTVI_BG_KIND_O +: 2]) // kind of the background action, BG_*
`GMMU_SHOW([ROW_W-1:0], tvi_bg_row, learner_tvi[LTVI_BG_ROW_O +: ROW_W]) // row of the background action
`GMMU_SHOW1(tvi_bg_queue, learner_tvi[LTVI_BG_QUEUE_O]) // LEARN: queue of the record
`GMMU_SHOW1(tvi_bg_applied, learner_tvi[LTVI_BG_APPLIED_O]) // LEARN: the record counts in its row
`GMMU_SHOW1(tvi_thresh_valid, learner_tvi[LTVI_THRESH_VALID_O]) // THRESH takes effect
`GMMU_SHOW([16:0], tvi_thresh, learner_tvi[LTVI_THRESH_O +: 17]) // the sampler's threshold, after THRESH
`GMMU_SHOW1(tvi_scrub_valid, learner_tvi[LTVI_SCRUB_VALID_O]) // SCRUB takes effect
`GMMU_SHOW1(tvi_scrub_removed, learner_tvi[LTVI_SCRUB_REMOVED_O]) // SCRUB: the entry is removed
`GMMU_SHOW([SAMP_W-1:0], tvi_scrub_index, learner_tvi[LTVI_SCRUB_INDEX_O +: SAMP_W]) // SCRUB: number of the entry
`GMMU_SHOW([TIME_W-1:0], tvi_scrub_age, learner_tvi[LTVI_SCRUB_AGE_O +: TIME_W]) // SCRUB: age of the entry
`GMMU_SHOW([ROW_W-1:0], tvi_scrub_row, learner_tvi[LTVI_SCRUB_CLASS_O + GEN_W +: ROW_W]) // SCRUB: row of the entry
`GMMU_SHOW([GEN_W-1:0], tvi_scrub_gen, learner_tvi[LTVI_SCRUB_CLASS_O +: GEN_W]) // SCRUB: generation of the entry
`GMMU_SHOW([1:0], tvi_scrub_record, learner_tvi[LTVI_SCRUB_RECORD_O +: 2]) // outcome of SCRUB's record of the cycle before, REC_*
`GMMU_SHOW1(tvi_flush_valid, w9_flush) // FLUSH takes effect, in the turn of the WALK and before the WALK
`GMMU_SHOW1(tvi_flushing, learner_tvi[LTVI_FLUSHING_O]) // a FLUSH pass is under way, before the actions of this cycle
`GMMU_SHOW1(tvi_flush_removed, w9_flush && given) // FLUSH: the row loses its owner
`GMMU_SHOW([ROW_W-1:0], tvi_flush_row, given_class[GEN_W +: ROW_W]) // FLUSH: the row
`GMMU_SHOW1(tvi_sampled_selected, learner_tvi[LTVI_SAMP_SELECTED_O]) // WALK: the page is in the sample
`GMMU_SHOW1(tvi_sampled_stolen, learner_tvi[LTVI_SAMP_STOLEN_O]) // WALK: the turn of the access went to a SCRUB
`GMMU_SHOW1(tvi_sampled_hit, learner_tvi[LTVI_SAMP_HIT_O]) // WALK: the page has an entry in the sampler
`GMMU_SHOW1(tvi_sampled_record, learner_tvi[LTVI_SAMP_VALID_O]) // WALK: the sampler gives a record
`GMMU_SHOW([TIME_W-1:0], tvi_sampled_interval, learner_tvi[LTVI_SAMP_INTERVAL_O +: TIME_W]) // WALK: reuse interval or age of the sampler's record
`GMMU_SHOW([ROW_W-1:0], tvi_sampled_row, learner_tvi[LTVI_SAMP_CLASS_O + GEN_W +: ROW_W]) // WALK: row of the sampler's record
`GMMU_SHOW([GEN_W-1:0], tvi_sampled_gen, learner_tvi[LTVI_SAMP_CLASS_O +: GEN_W]) // WALK: generation of the sampler's record
`GMMU_SHOW1(tvi_walk_valid, w9[W9_VALID_O]) // WALK takes effect
`GMMU_SHOW([TIME_W-1:0], tvi_walk_time, w9[W9_TIME_O +: TIME_W]) // WALK: time
`GMMU_SHOW([ROW_W-1:0], tvi_walk_row, w9_class[GEN_W +: ROW_W]) // WALK: row of the reference
`GMMU_SHOW([GEN_W-1:0], tvi_walk_gen, w9_class[GEN_W-1:0]) // WALK: generation of that row
`GMMU_SHOW1(tvi_walk_alloc, w9_alloc) // WALK: the reference gets the row with this walk
`GMMU_SHOW1(tvi_walk_tick, w9[W9_TICK_O]) // WALK: refresh tick
`GMMU_SHOW([1:0], tvi_walk_touch, w9_touch) // FRAME_MEM: outcome of the walk hit, REC_*
`GMMU_SHOW1(tvi_walk_match, hit_match) // the frame holds the page of the walk hit; FRAME_MEM: of TOUCH, as are the next three. Not of a replay
`GMMU_SHOW1(tvi_replay_match, hit_found) // REPLAY: the frame holds the page; FRAME_MEM: of the TOUCH of a replay
`GMMU_SHOW([ROW_W-1:0], tvi_walk_was_row, hit1_class[GEN_W +: ROW_W]) // row of the access before the walk hit of the cycle before
`GMMU_SHOW([GEN_W-1:0], tvi_walk_was_gen, hit1_class[GEN_W-1:0]) // generation of the access before the walk hit of the cycle before
`GMMU_SHOW([TIME_W-1:0], tvi_walk_ri, hit1_interval) // reuse interval of the walk hit of the cycle before
`GMMU_SHOW([1:0], tvi_walk_record, learner_tvi[LTVI_WALK_RECORD_O +: 2]) // outcome of the record of the walk of the cycle before, REC_*
`GMMU_SHOW([2:0], tvi_walk_fault, w9_outcome) // WALK, REPLAY: what became of the fault: FAULT_NONE, QUEUED (noted), DROPPED
`GMMU_SHOW1(tvi_replay_valid, w9[W9_REPLAY_O]) // REPLAY takes effect
`GMMU_SHOW([1:0], tvi_walk_hir, hir_outcome) // outcome of the walk hit in the HIR cache, HIR_*
`GMMU_SHOW1(tvi_walk_due, hir_due) // the walk's fault makes DRAIN_SWAP due
`GMMU_SHOW1(tvi_walk_swap, hir_swap) // DRAIN_SWAP closes a packet
`GMMU_SHOW1(tvi_range, s_axis_range_tvalid && s_axis_range_tready) // RANGE: the operation at s_axis_range is taken; its packet is the next of m_axis_xfer
// results that come later, each in the order of its actions
`GMMU_SHOW1(tvi_learnt_valid, learner_tvi[LTVI_LEARNT_VALID_O]) // the results of a LEARN are here
`GMMU_SHOW([BIN_W-1:0], tvi_learnt_bin, learner_tvi[LTVI_LEARNT_BIN_O +: BIN_W]) // LEARN: bin of the record
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_count, learner_tvi[LTVI_LEARNT_COUNT_O +: CNT_W]) // LEARN: count of the row
`GMMU_SHOW([CNT_W-1:0], tvi_learnt_gcount, learner_tvi[LTVI_LEARNT_GCOUNT_O +: CNT_W]) // LEARN: count of row 0
`GMMU_SHOW1(tvi_snap_valid, learner_tvi[LTVI_SNAP_VALID_O]) // REFRESH: the counts of a bin are here, a bin a cycle
`GMMU_SHOW([BIN_W-1:0], tvi_snap_bin, learner_tvi[LTVI_SNAP_BIN_O +: BIN_W]) // REFRESH: the bin
`GMMU_SHOW([CNT_W-1:0], tvi_snap_reuse, learner_tvi[LTVI_SNAP_REUSE_O +: CNT_W]) // REFRESH: number of reuses of the row in the bin
`GMMU_SHOW([CNT_W-1:0], tvi_snap_censored, learner_tvi[LTVI_SNAP_CENSORED_O +: CNT_W]) // REFRESH: number of censored records of the row in the bin
`GMMU_SHOW([CNT_W-1:0], tvi_snap_greuse, learner_tvi[LTVI_SNAP_GREUSE_O +: CNT_W]) // REFRESH: number of reuses of row 0 in the bin
`GMMU_SHOW([CNT_W-1:0], tvi_snap_gcensored, learner_tvi[LTVI_SNAP_GCENSORED_O +: CNT_W]) // REFRESH: number of censored records of row 0 in the bin
`GMMU_SHOW1(tvi_prio_valid, learner_tvi[LTVI_PRIO_VALID_O]) // REFRESH: a bin's priority is here, from the last bin down
`GMMU_SHOW([BIN_W-1:0], tvi_prio_bin, learner_tvi[LTVI_PRIO_BIN_O +: BIN_W]) // REFRESH: bin of the priority
`GMMU_SHOW([15:0], tvi_prio, learner_tvi[LTVI_PRIO_O +: 16]) // REFRESH: priority of the bin, minifloat
`GMMU_SHOW1(tvi_looked_valid, looked[LOOKED_VALID_O] && !looked[LOOKED_T2_O]) // the priority of a CAND is here
`GMMU_SHOW([FRAME_W-1:0], tvi_looked_frame, looked[LOOKED_PLACE_O +: FRAME_W]) // CAND: the frame
`GMMU_SHOW([15:0], tvi_looked_priority, looked[LOOKED_PRIORITY_O +: 16]) // CAND, CAND2: the priority, minifloat
`GMMU_SHOW1(tvi_looked2_valid, looked[LOOKED_VALID_O] && looked[LOOKED_T2_O]) // the priority of a CAND2 is here
`GMMU_SHOW([T2_W-1:0], tvi_looked2_slot, looked[LOOKED_PLACE_O +: T2_W]) // CAND2: the slot
`GMMU_SHOW1(tvi_foretold_valid, tiers_tvi[TTVI_FORETOLD_O]) // the result of a FORETELL is here
`GMMU_SHOW([1:0], tvi_foretold_pred, tiers_tvi[TTVI_PRED_O +: 2]) // FORETELL: the tier that is foretold; 0: none
`GMMU_SHOW([1:0], tvi_foretold_right, tiers_tvi[TTVI_RIGHT_O +: 2]) // RETURN: the tier that was right; 0: not learnt
`GMMU_SHOW([1:0], tvi_foretold_goes, tiers_tvi[TTVI_GOES_O +: 2]) // LEAVE: the tier to which the page goes
`GMMU_SHOW1(tvi_foretold_found, tiers_tvi[TTVI_FOUND_O]) // FORETELL: the page has an entry
`GMMU_SHOW1(tvi_foretold_forced, tiers_tvi[TTVI_FORCED_O]) // LEAVE: Tier 3 is foretold, and the page goes to Tier 2
`GMMU_SHOW1(tvi_foretold_clamped, tiers_tvi[TTVI_CLAMPED_O]) // FORETELL AGE: the time of the entry is clamped
`GMMU_SHOW1(tvi_looked_guarded, looked_guarded) // CAND: the frame is protected
`GMMU_SHOW([FRAME_W:0], tvi_guarded, store_tvi[STVI_COUNT_O +: FRAME_W+1]) // number of protected frames, after the side action and the ALLOW of four cycles before
`GMMU_SHOW([TIME_W+6:0], tvi_horizon, store_tvi[STVI_T_O +: TIME_W+7]) // T, in 1/256 walks, after the side action of four cycles before
`GMMU_SHOW1(tvi_filling, store_tvi[STVI_FILLING_O]) // the protected segment fills, after the side action of four cycles before
