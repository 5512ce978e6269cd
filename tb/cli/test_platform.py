# SPDX-License-Identifier: Apache-2.0
"""build/platform: wrong parameters, and where its messages stand; where the platform is built (make platform)."""
import os
import subprocess

import pytest

from command import refused, run

PLATFORM = "build/platform"
pytestmark = pytest.mark.skipif(not os.access(PLATFORM, os.X_OK), reason="found no build/platform")
WORDS = "sim/traces/spmv.walk --walks 200"


@pytest.mark.parametrize("key, expected", [
    ("gpu.warp", "one of gpu.warps, gpu.think, gpu.sms, gpu.frames_per_warp, gpu.window"),
    ("link", "one of link.bandwidth, link.latency"),
    ("gpus.warps", "a key of gpu, walkers, unit, driver, link, host, ssd, run, such as gpu.warps"),
])
def test_unknown_key(key, expected):
    assert refused(run(PLATFORM, "%s --set %s=8" % (WORDS, key))) == "platform: --set: found key %s, expected %s" % (key, expected)


@pytest.mark.parametrize("form", ["table", "csv", "json"])
def test_the_message_stands_behind_the_result(form):
    done = subprocess.run([PLATFORM, *WORDS.split(), "--format", form], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True)
    assert [line.startswith("platform: 200 walks in ") for line in done.stdout.splitlines()].index(True) == len(done.stdout.splitlines()) - 1
