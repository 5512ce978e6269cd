# SPDX-License-Identifier: Apache-2.0
"""What scripts/time_results.py and scripts/platform_results.py share: runs of build/platform that are kept, means, pictures, options."""
import concurrent.futures
import glob
import hashlib
import json
import math
import os
import subprocess
import sys

import page

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PLATFORM, PARAMETERS = "build/platform", "config/platform.json"


def mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def f2(x):
    return "%.2f" % x


def percent(size):
    return size.replace("%", " %")


def fail(name, text):
    print("%s: %s" % (name, text), file=sys.stderr)
    sys.exit(2)


def begin(name, what, *more):
    """(options, {parameter: value in config/platform.json}) of the command NAME; MORE: (option, how) of argparse."""
    parser = page.parser(what, no_doc=True)
    parser.add_argument("--jobs", type=int, default=2)
    for option, how in more:
        parser.add_argument(option, **how)
    o = parser.parse_args()
    os.chdir(ROOT)
    if not os.access(PLATFORM, os.X_OK):
        fail(name, "found no %s, expected it: make %s" % (PLATFORM, name))
    with open(PARAMETERS, encoding="utf-8") as f:
        return o, {"%s.%s" % (g, k): str(v[0]) for g, members in json.load(f).items() for k, v in members.items()}


class Runs:
    """Each run once, in build/NAME/runs.json. A run is COMMAND(runs, *key), a key begins with the trace."""

    def __init__(self, name, command):
        self.name, self.command_of, self.folder = name, command, "build/" + name
        with open(PLATFORM, "rb") as program, open(PARAMETERS, "rb") as parameters:
            self.of = hashlib.sha256(program.read() + parameters.read()).hexdigest()
        self.rows, self.keys, self.paths = {}, {}, {}
        try:
            with open(self.folder + "/runs.json", encoding="utf-8") as f:
                kept = json.load(f)
            self.rows = kept["rows"] if kept["of"] == self.of else {}
        except (OSError, ValueError, KeyError):
            pass
        for path in sorted(glob.glob("sim/traces/*.walk") + glob.glob("sim/traces/*.gwt")):
            self.paths[os.path.basename(path).rsplit(".", 1)[0]] = path
        self.larger = {"large/" + os.path.basename(path).rsplit(".", 1)[0]: path for path in sorted(glob.glob("sim/traces/large/*.gwt"))}

    def command(self, trace, *key):
        return self.command_of(self.paths.get(trace) or self.larger[trace], trace, *key)

    def want(self, *key):
        self.keys.setdefault(" ".join(self.command(*key)), key)

    def save(self):
        os.makedirs(self.folder, exist_ok=True)
        with open(self.folder + "/runs.new", "w", encoding="utf-8") as f:
            json.dump({"of": self.of, "rows": self.rows}, f)
        os.replace(self.folder + "/runs.new", self.folder + "/runs.json")

    def all(self, jobs):
        todo = [self.command(*k) for c, k in self.keys.items() if c not in self.rows]
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            for n, (command, done) in enumerate(zip(todo, pool.map(lambda c: subprocess.run(c, capture_output=True, text=True), todo))):
                if done.returncode != 0:
                    self.save()
                    fail(self.name, "%s: %s" % (" ".join(command), done.stderr.strip()))
                found = json.loads(done.stdout)
                found.pop("queues", None)
                self.rows[" ".join(command)] = found
                if n % 50 == 49 or n + 1 == len(todo):
                    print("%d of %d runs" % (n + 1, len(todo)), file=sys.stderr)
                    self.save()

    def at(self, *key):
        return self.rows[" ".join(self.command(*key))]

    def time(self, *key):
        return self.at(*key)["run_us"]


def setting_options(words):
    """The options that set parameters."""
    return [word for s in words for word in ("--set", s)]
