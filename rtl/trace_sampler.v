// SPDX-License-Identifier: Apache-2.0
// trace_sampler: reuse intervals of a hash-selected sample of pages (docs/blocks/trace_sampler.md).
//
// Set-associative table of pages {valid, page, class, last}. One slot a cycle, read at x3, done at
// x5: the ACCESS of a walk whose hash is below the threshold, or a SCRUB, which visits the entries
// round robin and removes what is too old or no longer in the sample. A SCRUB takes slots that
// accesses leave empty; one that waited 2^WAIT_W - 1 cycles takes the next, whosever it is.
// Within a cycle: THRESH, then SCRUB, then ACCESS.
//
// The page is kept as its name {rest of the key, hash}: CRC-32C maps the key's low 32 bits one to
// one for any rest, so names are equal if and only if the pages are. The set needs no storing then,
// and a SCRUB has the hash at hand.
// Source: LEU 3.3 (Trace Sampler); SHARDS (FAST '15), fixed size.
`default_nettype none
module trace_sampler #(
    parameter VPN_W   = 52,
    parameter ASID_W  = 8,
    parameter TIME_W  = 24,
    // bits of a class: row and generation of the Ref RIT
    parameter CLASS_W = 10,
    // WAYS times a power of two
    parameter ENTRIES = 1024,
    parameter WAYS    = 4,
    // a SCRUB waits at most 2^WAIT_W - 1 cycles
    parameter WAIT_W  = 6,
    parameter INDEX_W = ENTRIES > 1 ? $clog2(ENTRIES) : 1
) (
    input  wire               clk,
    input  wire               rst,
    input  wire [3:0]         cfg_sample,   // the first threshold is 65536 >> cfg_sample
    // clearing after reset: one set a cycle until `cleared`; no walks yet
    input  wire               clear,
    output wire               cleared,
    // walks, hit or fault; x5 is four cycles after x1
    input  wire               x1_valid,
    input  wire [ASID_W-1:0]  x1_asid,
    input  wire [VPN_W-1:0]   x1_vpn,
    input  wire [CLASS_W-1:0] x5_class,
    input  wire [TIME_W-1:0]  x5_time,      // of this walk: now + 1
    input  wire [TIME_W-1:0]  now,          // walks before this cycle's x5
    // pulse: one SCRUB is owed; done within 2^WAIT_W + 2 cycles; pulses 2^WAIT_W apart are never lost
    input  wire               scrub_owed,
    input  wire               scrub_calm,   // a SCRUB that is not overdue waits for this
    output wire               scrubbing,    // one is on its way to x5
    // records of ACCESS and of SCRUB (always censored); at most one of them in a cycle
    output wire               rec_valid,
    output wire [CLASS_W-1:0] rec_class,
    output wire [TIME_W-1:0]  rec_interval,
    output wire               rec_censored,
    output wire               srec_valid,
    output wire [CLASS_W-1:0] srec_class,
    output wire [TIME_W-1:0]  srec_interval,
    output wire               idle,         // nothing owed, nothing under way after x5
    output reg  [31:0]        stat_stolen,  // selected accesses that were not sampled
    // tvi: the actions of this cycle, in order
    output reg                tvi_thresh_valid,
    output wire [16:0]        tvi_thresh,   // the threshold (after THRESH)
    output wire               tvi_scrub_valid,
    output wire [INDEX_W-1:0] tvi_scrub_index,
    output wire               tvi_scrub_removed,
    output wire               tvi_selected, // of the walk at x5
    output wire               tvi_stolen,
    output wire               tvi_hit
);

    localparam SETS   = ENTRIES / WAYS;
    localparam SET_W  = SETS > 1 ? $clog2(SETS) : 1;
    localparam WAYI_W = WAYS > 1 ? $clog2(WAYS) : 1;
    localparam LOW    = SETS > 1 ? SET_W : 0; // hash bits that the set stands for
    localparam KEY_W  = ASID_W + VPN_W;
    localparam NAME_W = KEY_W > 32 ? KEY_W : 32;
    localparam TAG_W  = NAME_W - LOW;
    localparam E_W    = 1 + TAG_W + CLASS_W + TIME_W;
    localparam COUNT_W = $clog2(ENTRIES + 1);
    localparam FULL   = ENTRIES - ENTRIES / 8;
    localparam LAST_WAY = WAYS - 1;
    localparam LAST_SET = SETS - 1;

    generate
        if (SETS * WAYS != ENTRIES || (SETS & (SETS - 1)) != 0 || SETS > 65536) begin : g_bad_entries
            ENTRIES_must_be_WAYS_times_a_power_of_two_up_to_65536 stop_here();
        end
        if (TIME_W < 3 || TIME_W > 32) begin : g_bad_time
            TIME_W_out_of_range stop_here();
        end
    endgenerate

    // ---- clearing after reset
    reg [SET_W:0] clear_at;
    assign cleared = clear_at == SETS[SET_W:0];
    wire clearing = clear && !cleared;
    always @(posedge clk)
        if (rst)
            clear_at <= 0;
        else if (clearing)
            clear_at <= clear_at + 1'b1;

    // ---- x1: the page's name; x2: is it in the sample
    wire [KEY_W-1:0]  x1_key = {x1_asid, x1_vpn};
    wire [31:0]       x1_hash;
    wire [NAME_W-1:0] x1_name;
    crc32c #(.WIDTH(KEY_W)) page_hash (.data(x1_key), .hash(x1_hash));
    generate
        if (KEY_W > 32) begin : g_rest
            assign x1_name = {x1_key[KEY_W-1:32], x1_hash};
        end else begin : g_no_rest
            assign x1_name = x1_hash;
        end
    endgenerate

    reg              x2_valid, x3_selected;
    reg [NAME_W-1:0] x2_name, x3_name;
    reg [16:0]       x2_threshold; // runs three cycles before `threshold`, which x5 sees
    always @(posedge clk) begin
        x2_valid    <= x1_valid && !rst;
        x2_name     <= x1_name;
        x3_selected <= x2_valid && {1'b0, x2_name[31:16]} < x2_threshold && !rst;
        x3_name     <= x2_name;
    end

    // ---- x3: whose slot it is
    reg                scrub_due;   // asked for by scrub_owed
    reg  [COUNT_W-1:0] pass;        // SCRUBs of a pass that are still to be issued
    reg  [WAIT_W-1:0]  refused;     // cycles that the SCRUB has waited for a slot
    reg  [SET_W-1:0]   scrub_set;
    reg  [WAYI_W-1:0]  scrub_way;
    reg  [3:1]         lowering;    // a THRESH is on its way
    wire x3_scrub = (scrub_due || pass != 0) && ((!x3_selected && scrub_calm) || &refused) && !clear;
    wire [SET_W-1:0] x3_set = clearing ? clear_at[SET_W-1:0] : x3_scrub ? scrub_set :
                              SETS > 1 ? x3_name[SET_W-1:0] : {SET_W{1'b0}};
    always @(posedge clk)
        if (rst) begin
            scrub_due <= 1'b0;
            pass      <= 0;
            refused   <= 0;
            scrub_set <= 0;
            scrub_way <= 0;
        end else begin
            // one that is on its way when the pulse comes, for a pass, will do
            scrub_due <= !clear && ((scrub_owed && !x3_scrub && !x4_scrub) || (scrub_due && !x3_scrub));
            if (lowering[1])
                pass <= ENTRIES[COUNT_W-1:0];
            else if (x3_scrub && pass != 0)
                pass <= pass - 1'b1;
            refused <= x3_scrub || !(scrub_due || pass != 0) ? {WAIT_W{1'b0}} : refused + 1'b1;
            if (x3_scrub) begin
                scrub_way <= scrub_way == LAST_WAY[WAYI_W-1:0] ? {WAYI_W{1'b0}} : scrub_way + 1'b1;
                if (scrub_way == LAST_WAY[WAYI_W-1:0])
                    scrub_set <= scrub_set == LAST_SET[SET_W-1:0] ? {SET_W{1'b0}} : scrub_set + 1'b1;
            end
        end

    reg              x4_selected, x4_scrub, x4_clear, x4_pass;
    reg              x5_selected, x5_scrub, x5_clear, x5_pass, x5_lookup;
    reg [TAG_W-1:0]  x4_tag, x5_tag;
    reg [SET_W-1:0]  x4_set, x5_set;
    reg [WAYI_W-1:0] x4_way, x5_way;
    always @(posedge clk) begin
        x4_selected <= x3_selected && !rst;
        x4_scrub    <= x3_scrub && !rst;
        x4_clear    <= clearing && !rst;
        x4_pass     <= pass != 0 && !rst;
        x4_tag      <= x3_name[NAME_W-1:LOW];
        x4_set      <= scrub_set;
        x4_way      <= scrub_way;
        x5_selected <= x4_selected && !rst;
        x5_scrub    <= x4_scrub && !rst;
        x5_lookup   <= x4_selected && !x4_scrub && !rst;
        x5_clear    <= x4_clear && !rst;
        x5_pass     <= x4_pass && !rst;
        x5_tag      <= x4_tag;
        x5_set      <= x4_set;
        x5_way      <= x4_way;
    end

    // ---- a set: WAYS times {valid, tag, class, last}, way 0 lowest
    wire [WAYS*E_W-1:0] x5_q, ram_b;
    reg  [WAYS*E_W-1:0] x5_d;
    wire                x5_removed;
    ram_rmw #(.WIDTH(WAYS * E_W), .DEPTH(SETS), .ADDR_W(SET_W)) table_ram (
        .clk(clk), .rst(rst),
        .a0_addr(x3_set), .a2_q(x5_q), .a2_we(x5_clear || x5_lookup || x5_removed), .a2_d(x5_d),
        .b0_addr({SET_W{1'b0}}), .b2_q(ram_b)
    );
    wire unused_b = &{1'b0, ram_b}; // read port that nobody uses

    // ---- x5: the way that it is about: that of SCRUB; the hit; the first free; the oldest
    reg  [WAYS-1:0]     match, free, oldest, way;
    reg                 seen;
    integer i, j;
    always @* begin
        seen   = 1'b0;
        oldest = {WAYS{1'b1}};
        for (i = 0; i < WAYS; i = i + 1) begin
            match[i] = x5_q[i*E_W + E_W - 1] && x5_q[i*E_W + CLASS_W + TIME_W +: TAG_W] == x5_tag;
            free[i]  = !x5_q[i*E_W + E_W - 1] && !seen;
            seen     = seen || free[i];
            // no age reaches 2^(TIME_W-1): the difference of two stamps has the sign of their order
            for (j = i + 1; j < WAYS; j = j + 1)
                if ($signed(x5_q[j*E_W +: TIME_W] - x5_q[i*E_W +: TIME_W]) < 0)
                    oldest[i] = 1'b0;
                else
                    oldest[j] = 1'b0;
        end
        for (i = 0; i < WAYS; i = i + 1)
            way[i] = x5_scrub ? x5_way == i[WAYI_W-1:0] :
                     match != 0 ? match[i] : seen ? free[i] : oldest[i];
    end

    // ---- its entry, and what it becomes
    wire [TIME_W-1:0]  x5_now = x5_scrub ? now : x5_time;
    reg  [E_W-1:0]     was;
    wire               was_valid = was[E_W-1];
    wire [CLASS_W-1:0] was_class = was[TIME_W +: CLASS_W];
    wire [15:0]        was_rank  = was[CLASS_W + TIME_W + 16 - LOW +: 16];
    wire [TIME_W-1:0]  interval  = x5_now - was[TIME_W-1:0];
    wire unused_was = &{1'b0, was};
    integer k;
    always @* begin
        was  = 0;
        x5_d = x5_q;
        for (k = 0; k < WAYS; k = k + 1) begin
            was = was | (x5_q[k*E_W +: E_W] & {E_W{way[k]}});
            if (way[k])
                x5_d[k*E_W +: E_W] = {!x5_scrub, x5_tag, x5_class, x5_time};
            if (x5_clear)
                x5_d[k*E_W + E_W - 1] = 1'b0;
        end
    end

    reg  [16:0] threshold;
    wire        x5_hit = x5_lookup && match != 0;
    assign x5_removed = x5_scrub && was_valid &&
                        ({1'b0, was_rank} >= threshold || interval[TIME_W-1:TIME_W-2] != 0);

    assign rec_valid     = x5_lookup && (match != 0 || !seen);
    assign rec_class     = was_class;
    assign rec_interval  = interval;
    assign rec_censored  = match == 0;
    assign srec_valid    = x5_removed;
    assign srec_class    = was_class;
    assign srec_interval = interval;

    // ---- fixed size: at 7/8 full the threshold falls by an eighth, then one pass of SCRUBs
    reg  [COUNT_W-1:0] occupied;
    reg                x6_lookup, thresh_owed;
    wire [16:0]        step = x2_threshold[16:3] == 0 ? 17'd1 : {3'd0, x2_threshold[16:3]};
    wire               x5_grows = x5_lookup && match == 0 && seen;
    always @(posedge clk) begin
        x6_lookup   <= x5_lookup && !rst;
        occupied    <= occupied + {{COUNT_W-1{1'b0}}, x5_grows} - {{COUNT_W-1{1'b0}}, x5_removed};
        stat_stolen <= stat_stolen + {31'd0, tvi_stolen};
        // done in the order of x5: x2 compares with the new threshold three cycles earlier
        lowering    <= {lowering[2:1], thresh_owed && lowering == 0};
        tvi_thresh_valid <= lowering[3];
        if (thresh_owed && lowering == 0)
            x2_threshold <= x2_threshold - step;
        if (lowering[3])
            threshold <= x2_threshold;
        if (lowering[3])
            thresh_owed <= 1'b0;
        else if (x6_lookup && occupied >= FULL[COUNT_W-1:0] && !x5_pass && threshold != 17'd1)
            thresh_owed <= 1'b1;
        if (rst || clearing) begin
            threshold    <= 17'd65536 >> cfg_sample;
            x2_threshold <= 17'd65536 >> cfg_sample;
        end
        if (rst) begin
            occupied    <= 0;
            stat_stolen <= 32'd0;
            lowering    <= 3'd0;
            thresh_owed <= 1'b0;
            tvi_thresh_valid <= 1'b0;
        end
    end

    assign scrubbing = x4_scrub || x5_scrub;
    assign idle = !scrub_due && pass == 0 && !x4_scrub && !x5_scrub && !x5_lookup && !x6_lookup &&
                  !thresh_owed && !tvi_thresh_valid && !clear;

    wire [31:0] x5_index = x5_set * WAYS + {{32-WAYI_W{1'b0}}, x5_way};
    wire unused_index = &{1'b0, x5_index[31:INDEX_W]};
    assign tvi_thresh        = threshold;
    assign tvi_scrub_valid   = x5_scrub;
    assign tvi_scrub_index   = x5_index[INDEX_W-1:0];
    assign tvi_scrub_removed = x5_removed;
    assign tvi_selected      = x5_selected;
    assign tvi_stolen        = x5_selected && x5_scrub;
    assign tvi_hit           = x5_hit;

endmodule
`default_nettype wire
