# SPDX-License-Identifier: Apache-2.0
# memory_test.py: where memory ends, a call raises MemoryError, and the program goes on.
import subprocess
import sys

import pytest

CODE = """
import resource, sys
import numpy as np
import gmmu
walks = gmmu.make_walks(np.arange(2_000_000))
gmmu.write(sys.argv[1], walks)
class Fifo(gmmu.Policy):
    def victim(self, page, walk):
        return page - self.frames
with open("/proc/self/statm") as f:
    now = int(f.read().split()[0]) * resource.getpagesize()
before = resource.getrlimit(resource.RLIMIT_AS)
resource.setrlimit(resource.RLIMIT_AS, (now + {room} * 2**20, before[1]))
try:
    {call}
    print("ended")
except MemoryError as error:
    resource.setrlimit(resource.RLIMIT_AS, before)
    print(type(error).__name__, gmmu.replay(walks, ["lru", Fifo], "50%")["accesses"].tolist())
"""


@pytest.mark.parametrize("room, call", [
    (100, "gmmu.replay(walks, ['lru,arc,lirs,lfu,clockpro'] * 4, '50%', threads=1)"),
    (60, "gmmu.replay(walks, ['lru,arc,lirs,lfu,clockpro', Fifo] * 2, '50%', threads=1)"),
    (60, "gmmu.mrc(walks, 'lru,opt,arc', threads=1)"),
    (60, "gmmu.read(sys.argv[1])"),
])
def test_memory_ends(tmp_path, room, call):
    code = CODE.format(room=room, call=call)
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path / "t.gwt")], capture_output=True, text=True, check=False, timeout=300)
    assert (done.returncode, done.stdout) == (0, "MemoryError [2000000, 2000000]\n"), done.stderr
