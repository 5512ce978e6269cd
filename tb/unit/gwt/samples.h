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

// Behind the frame of three walks.
inline const std::string kHintFrame =
    u32(0x184D2A5A) + u32(19) + "GWH" + std::string("\1\3\0\0\x09\1\3\4\5\6\7\2\0\0\1\1", 16);

#endif
