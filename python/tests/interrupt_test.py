# SPDX-License-Identifier: Apache-2.0
# interrupt_test.py: Ctrl-C ends long calls, and the GIL is free meanwhile.
import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import gmmu

# CPU time from the signal to the exception: a machine with other work to do makes the wait longer, not this
SOON = 0.5

CODE = """
import os, signal, sys, threading, time
import numpy as np
import gmmu
sent = []
def send():
    sent.append(time.process_time())
    os.kill(os.getpid(), signal.SIGINT)
class Lru(gmmu.Policy):
    def __init__(self, frames):
        super().__init__(frames)
        self.order = dict()
    def hit(self, page, walk):
        self.order[page] = self.order.pop(page)
    def insert(self, page, walk):
        self.order[page] = None
    def victim(self, page, walk):
        page = next(iter(self.order))
        del self.order[page]
        return page
class Slow(gmmu.Policy):
    def victim(self, page, walk):
        return page - self.frames
walks = gmmu.make_walks(np.arange(2_000_000))
random = np.random.default_rng(1)
mixed = gmmu.make_walks(random.integers(0, 200_000, 2_000_000), ref=random.integers(0, 1000, 2_000_000))
timer = threading.Timer(float(sys.argv[1]), send)
{before}
timer.start()
try:
    {call}
    print("ended")
except KeyboardInterrupt:
    print(time.process_time() - sent[0])
"""

CALLS = {
    "many policies": ("", "gmmu.replay(walks, ['lru,arc,lirs,2q,lfu,clockpro'] * 4, '50%')"),
    "a slow policy": ("", "gmmu.replay(mixed, 'mockingjay,leu-exact', 20_000)"),
    "a class": ("", "gmmu.replay(walks, Slow, '10%,20%,30%,40%,50%,60%,70%,80%')"),
    "C policies beside a class": ("", "gmmu.replay(mixed, ['mockingjay', Lru], 20_000)"),
    "curves": ("", "gmmu.mrc(walks, 'lru,opt,leu-exact,lirs')"),
    "reading": ("gmmu.write(sys.argv[2], (walks for _ in range(6)))", "gmmu.read(sys.argv[2])"),
    "writing": ("", "gmmu.write(sys.argv[2], (walks for _ in range(20)))"),
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_ctrl_c(tmp_path, name):
    before, call = CALLS[name]
    code = CODE.format(before=before, call=call)
    done = subprocess.run([sys.executable, "-c", code, "0.2", str(tmp_path / "t.walk.zst")], capture_output=True, text=True, check=True,
                          timeout=300)
    assert done.stdout.strip() != "ended" and float(done.stdout) < SOON
    assert name != "writing" or not (tmp_path / "t.walk.zst").exists()


def test_a_handler_that_returns_does_not_end_the_call():
    seen = []
    walks = gmmu.make_walks(np.arange(2_000_000))
    before = signal.signal(signal.SIGUSR1, lambda *_: seen.append(1))
    try:
        timer = threading.Timer(0.05, lambda: os.kill(os.getpid(), signal.SIGUSR1))
        timer.start()
        assert gmmu.replay(walks, "lru,arc,lirs,2q,lfu", "50%,75%")["accesses"].tolist() == [2_000_000] * 10
        timer.join()
    finally:
        signal.signal(signal.SIGUSR1, before)
    assert seen == [1]


def test_the_gil_is_free():
    walks = gmmu.make_walks(np.arange(2_000_000))
    begun, ticks, done = threading.Event(), [], threading.Event()

    def tick():
        begun.wait()
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    thread = threading.Thread(target=tick)
    thread.start()
    begun.set()
    start = time.monotonic()
    gmmu.replay(walks, "arc,lirs,lfu", "50%")
    end = time.monotonic()
    done.set()
    thread.join()
    assert len([t for t in ticks if start < t < end]) >= 10
