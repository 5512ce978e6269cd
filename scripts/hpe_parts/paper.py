# SPDX-License-Identifier: Apache-2.0
"""HPE's paper: its applications and what it says of them; the policies that are replayed for it."""

SIZES = ("75%", "50%")

# Table II, and what the text states of each under 75 % and 50 %: L always LRU, M always MRU-C, J moves the search point,
# S switches between both (§V.C); classes: R regular, 2 irregular#2, L either irregular one (§V.A, §V.C). None: not stated.
PAPER = [
    ("HOT", "hotspot", "I", "M", "M", "R"), ("LEU", "leukocyte", "I", "M", "M", "R"), ("CUT", "cutcp", "I", "M", "M", "R"),
    ("2DC", "2dconv", "I", "M", "M", "R"), ("GEM", "gemm", "I", "M", "M", "R"), ("SRD", "srad_v2", "II", "J", "J", "R"),
    ("HSD", "hotspot3d", "II", "M", "J", "R"), ("MRQ", "mri-q", "II", "M", "M", "R"), ("STN", "stencil", "II", "M", "M", "R"),
    ("PAT", "pathfinder", "III", "M", "M", "R"), ("DWT", "dwt2d", "III", "M", "J", "R"), ("BKP", "backprop", "III", "M", "M", "R"),
    ("KMN", "kmeans", "III", "L", "L", "2"), ("SAD", "sad", "III", "S", "S", "2"), ("NW", "nw", "IV", "L", "L", "L"),
    ("BFS", "bfs", "IV", "S", "S", "2"), ("MVT", "mvt", "IV", "L", "L", "L"), ("HWL", "heartwall", "V", None, None, None),
    ("SGM", "sgemm", "V", "M", "J", "R"), ("HIS", "histo", "V", "S", "S", "2"), ("SPV", "spmv", "V", "L", "L", "L"),
    ("B+T", "b+tree", "VI", "L", "L", "L"), ("HYB", "hybridsort", "VI", "L", "L", "L")]
APPS = [p[1] for p in PAPER]
SHORT = {p[1]: p[0] for p in PAPER}
TYPES = ["I", "II", "III", "IV", "V", "VI"]
NUMERALS = {"open": "–", "regular": "R", "irregular1": "1", "irregular2": "2"}
CATEGORY = {"R": "regular", "2": "irregular#2", "L": "irregular", None: "not stated"}
STRATEGY = {"L": "LRU", "M": "MRU-C", "J": "MRU-C, search point moved", "S": "switches", None: "not stated"}

# RRIP as §V.B has it: for type II new pages are distant and wait 128 faults, else long and 0.
RRIP_LONG, RRIP_FAR = "rrip-hpe", "rrip-hpe:distant=1:delay=128"
CLOCKPRO = "clockpro:mc=128"
OTHERS = ["opt", "lru", "random", RRIP_LONG, RRIP_FAR, CLOCKPRO]

# The sensitivity study of §V.A: no adjustment, the strategy by hand, no HIR.
BY_HAND = "ideal=1:trigger=0"
HAND = {("set", n): "set=%d" % n for n in (8, 16, 32)}
HAND.update({("interval", n): "interval=%d" % n for n in (32, 64, 128)})

SWEEPS = [("set", "page set size", [1, 2, 4, 8, 16, 32], 16), ("interval", "interval, faults", [16, 32, 64, 128, 256], 64),
          ("transfer", "transfer, faults", [1, 8, 16, 32, 64], 16)]

# Decision, alternative, options.
OPEN = [
    ("E1", "counters saturate at 256, not 64", "saturate=256"),
    ("E2", "statistics without the new partition", "counted=1"),
    ("E2", "statistics of the old partition alone", "counted=2"),
    ("E3", "no counter is 16: the least of all", "mruc=1"),
    ("E3", "the set nearest the MRU end, whatever its counter", "mruc=2"),
    ("E4", "the search point never moves", "jumps=0"),
    ("E4", "it moves once at most", "jumps=1"),
    ("E4", "a jump ends with its interval", "brief=1"),
    ("E4", "jumps for small footprints too", "large=0"),
    ("E5", "a strategy that never ran is not tried", "untried=1"),
    ("E5", "at a tie the other strategy comes", "tie=1"),
    ("E6", "all intervals of a strategy count", "total=1"),
    ("E7", "a search for every page", "afresh=1"),
    ("E8", "every 16th wrong eviction of an interval adjusts", "again=1"),
    ("E9", "evictions are forgotten after two intervals", "window=1"),
    ("E10", "no set is ever divided", "divide=0"),
    ("E10", "sets are divided at 32 touches", "divide=32"),
    ("E10", "at 24", "divide=24"),
    ("E11", "only 16 divisions are remembered", "history=16"),
    ("E13", "a packet comes before the fault", "records=0"),
    ("E14", "hits touch the secondary first", "second=1"),
    ("E15", "a packet comes after the eviction", "records=2"),
]
# What is no reading of the paper, but another size or rule.
REPAIRS = [
    ("no HIR", "ideal=1"), ("HIR of 16 × 2", "sets=16:ways=2"), ("HIR counters of 1 bit", "bits=1"),
    ("HIR counters of 4 bits", "bits=4"),
    ("threshold 0.5", "ratio=50"), ("threshold 1", "ratio=100"), ("all are regular", "category=1"), ("all are irregular#1 (LRU)", "category=2"),
    ("all are irregular#2", "category=3"), ("no adjustment", "trigger=0"), ("adjustment from 8 wrong evictions on", "trigger=8"),
    ("from 32 on", "trigger=32"), ("FIFOs of 1024", "fifo=1024"), ("FIFOs of 8192", "fifo=8192"),
    ("together: E1 256, E4 never, E10 32, E15 after", "saturate=256:jumps=0:divide=32:records=2")]
TOGETHER = REPAIRS[-1][1]
FIXES = [("class by hand", ["category=1", "category=2", "category=3", "category=1:jumps=0"]), ("counter limit", ["saturate=256"]),
         ("adjustment", ["trigger=0", "trigger=8", "trigger=32", "untried=1"]), ("jumps", ["jumps=0", "jumps=1"]),
         ("longer FIFOs", ["fifo=1024", "fifo=8192"]), ("MRU-C", ["mruc=1", "mruc=2"]), ("page sets", ["set=1", "set=2", "set=4", "set=8", "set=32"]),
         ("interval", ["interval=16", "interval=32", "interval=128", "interval=256"]), ("division", ["divide=0", "divide=24", "divide=32"]),
         ("HIR", ["ideal=1", "bits=1", "bits=4"])]


def hpe(options=""):
    return "hpe:" + options if options else "hpe"


def hand(axis, value, category):
    return hpe("%s:category=%d:%s=%d" % (BY_HAND, category, axis, value))


def is_class(found, stated):
    """FOUND, a category of replay's notes, is what PAPER has."""
    return NUMERALS[found] in ("1", "2") if stated == "L" else NUMERALS[found] == stated
