// SPDX-License-Identifier: Apache-2.0
// samples.h: a small trace in each of the imported forms.
#ifndef GMMU_TB_GWT_SAMPLES_H
#define GMMU_TB_GWT_SAMPLES_H

#include <string>

#include "gwt_form.h"

inline const std::string kLackey =
    "==12== Lackey, an example Valgrind tool\nI  04001000,3\n L 1ffeffe7e8,8\n S 00000ffc,8\n"
    " M 0421c7cc,4\n\nI  04001003,5\n==12== \n";

inline const std::string kAccelsim =
    "-kernel name = k\n-shmem base_addr = 0x00007f0000000000\n"
    "-local mem base_addr = 0x00007e0000000000\n-enable lineinfo = 0\n\n#traces format = x\n\n"
    "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = 7\n"
    "0010 ffffffff 1 R6 S2R 0 0 0 \n"
    "00a0 ffffffff 1 R4 LDG.E 1 R4 4 1 0x7fb0fc430fc0 4 0 \n"   // two pages
    "00b0 00000007 0 STG.E 2 R6 R9 4 2 0x10000 8192 -4096 0\n"  // three pages
    "00c0 00000011 0 RED.E.ADD 2 R6 R9 4 0 0x5000 0x5004 0\n"   // one page
    "00d0 00000003 1 R1 LD.E 1 R4 8 0 0x7f0000000100 0x6ffc\n"  // shared, two pages
    "00e0 ffffffff 1 R1 LDS 1 R4 4 1 0x100 4\n00f0 00000000 1 R1 LDG.E 1 R4 4 1 0x0 0\n#END_TB\n";

inline const std::string kOracle = u32(7) + u64(0x123456789abcdef0) + u32(100) + u64(UINT64_MAX) +
                                   u32(9) + u64(5) + u32(1) + u64(0);

inline const std::string kCsv =
    "# any tool\n\n\"Time\"; sm ;ADDR;pc;rw;size;warp\n1; 2 ;0x1ffc;0x40;r;8;3\r\n"
    "2;3;\"8192\";0x44;Store;;\n\n# a comment\n;;4096;;;1;\n";

inline const std::string kUvm =
    "start,end,type,addr,size,sm\n10,20,memcpy_h2d,0x3000,8192,1\n15,25,kernel_launch,,,0\n"
    "30,40,prefetch_breakdown(1.25),20480,1,0\n31,50,prefetch,20480,65536,0\n"
    "60,70,write_back,0x3000,8192,1\n61,70,write_back,0,4096,1\n70,71,MEMCPY_H2D,1,0,0\n"
    "80,90,page_in,4095,2,7\n";

inline const std::string kG10 =
    "kernel_id,kernel_name,exec_cycles,rw,tensor_id,is_weight,bytes,va_start\n"
    "0,conv,100,w,3,0,4194304,2097152\n0,conv,100,r,1,1,2,2097151\n0,conv,100,r,2,0,0,9\n"
    "7,add,50,r,3,0,1,2097152\n0,conv,10,r,3,0,1,0\n";

inline const std::string kMooncake =
    "{\"timestamp\": 5, \"input_length\": 600, \"output_length\": 3, \"hash_ids\": [0, 9]}\n\n"
    "{\"hash_ids\": [], \"timestamp\": 6}\r\n"
    "{\"timestamp\": 7, \"hash_ids\": [0, 1, 2, 3, 4, 5, 6, 7, 9223372036854775807]}";

inline const std::string kHintedText =
    "# gmmu-walk 1 page_shift=12\n#!hints 1\n#!alloc,0x100,5,0\n#!alloc,7,1,1,2\n#!launch,16\n"
    "0x100,0x10,r\n#!launch,32\n0x101,0x20,w\n#!free,0x100,5\n";

// The lines of a warp instruction in NVBit's mem_trace.
inline std::string nvbit_lanes() {
    std::string lanes;
    for (int i = 0; i < 30; i++) lanes += " 0x0000000000000000";
    return lanes;
}

struct ToolSample {
    gmmu_form form;
    std::string text;
    size_t walks;
};

// The forms of which a file has few lines.
inline const ToolSample kTools[] = {
    {GMMU_FORM_NVBIT,
     "a line\nMEMTRACE: CTX 0x00007f8a0040a000 - LAUNCH - Kernel pc 0x7f1000 - Kernel name f - "
     "grid "
     "launch id 1 - grid size 1,1,1\nMEMTRACE: CTX 0x00007f8a0040a000 - grid_launch_id 1 - CTA "
     "0,1,0 "
     "- warp 3 - LDG.E - 0x00007f0000001000 0x00007f0000002000" +
         nvbit_lanes() + " \n",
     2},
    {GMMU_FORM_NVPROF,
     "==1== Profiling result:\n   Start  Duration   Unified Memory  Virtual Address  "
     "Name\n529.04ms  "
     "188.99us   1   0x7f1e3c000000  [Unified Memory GPU page faults]\n",
     1},
    {GMMU_FORM_CHUNK_TRACE,
     "time_ms,hook_type,owner_pid,va_start,va_page_index\n0,ACTIVATE,4321,0x7f0000200000,16\n"
     "6,EVICTION_PREPARE,,,0\n",
     1},
    {GMMU_FORM_DRMEMTRACE,
     "  12  1:  1296577 ifetch 3 byte(s) @ 0x00007fe2fd1f6fa0 48 89 e7 mov\n  13  1:  W1.T12 read "
     "8 "
     "byte(s) @ 0x00007ffe00001ffc by PC 0x00007fe2fd1f6fa0\n    1296577    00 00 00\n",
     2},
    {GMMU_FORM_PERF_SCRIPT,
     "a 465/472 [002] 5.8: 1 cpu/L/: 7ffdf1391b0c 1026 |OP LOAD|LVL L1|BLK N/A 5 7 7fad7c47425d x\n"
     "b 3 6288.896762: page_fault_user: address=0x55bc6c5557d0 ip=0x7ff74f7aa84c error_code=0x7\n",
     2},
    {GMMU_FORM_PERF_MEM,
     "# PID, TID, IP, ADDR, LOCAL WEIGHT, DSRC, "
     "SYMBOL\n42,42,0x401136,0x7ffd12345678,32,0x42,a:m\n",
     1},
    {GMMU_FORM_CACHELIB, "key,op,size,op_count\n16,SET,82,1\nabc,GET,0,3\nabc,DELETE,0,1\n", 4},
    {GMMU_FORM_PINATRACE, "0x401000: R 0x1008\n0x7f0000401010: W 0x12ff8 8 0x0\n#eof\n", 2},
    {GMMU_FORM_RAMULATOR, "0x00001008 R\n00012ff8 W\n", 2},
    {GMMU_FORM_RAMULATOR_CPU, "3 4104\n1 0x1000 77816\n0 77816 W\n", 4},
    {GMMU_FORM_RAMULATOR2, "LD 0x1008\nST 77816\n", 2},
    {GMMU_FORM_DRAMSIM3, "0x1008 READ  30\n0x2000 P_MEM_WR 40\n", 2},
    {GMMU_FORM_DRAMSYS, "# c\n31: read 0x1008\n40: (8192) write 0x2000 0xde\n", 2},
    {GMMU_FORM_GEM5, "r,4104,8,0,1000\nu,9,4,0,2100\n7,w,4096,64,0,4000,4198404\n", 2},
    {GMMU_FORM_PROSPERO, "10 R 4104 8\n12 W 8192 8192\n", 3},
    {GMMU_FORM_MSR, "128166372003061629,hm,1,Read,4096,4096,100\n", 1},
    {GMMU_FORM_SPC, "0,8,4096,r,0.000000\n1,144,512,W,0.026214,x\n", 2},
    {GMMU_FORM_CHAMPSIM,
     u64(0x401000) + std::string("\0\1\1\2\3\4\5\6", 8) + u64(0) + u64(0x1000) + u64(0x2000) +
         u64(0) + u64(0) + u64(0),
     2},
    {GMMU_FORM_VSCSI, u32(1) + u32(8192) + u32(2) + u32(0x0100002a) + u64(8) + u64(7), 2},
};

// Behind the frame of three walks.
inline const std::string kHintFrame =
    u32(0x184D2A5A) + u32(19) + "GWH" + std::string("\1\3\0\0\x09\1\3\4\5\6\7\2\0\0\1\1", 16);

#endif
