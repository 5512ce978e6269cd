# SPDX-License-Identifier: Apache-2.0
"""command.py: what the tests of the command line share: running a program, and reading what the program wrote."""
import csv
import io
import json
import os
import shlex
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
POLICIES = ("opt lru mru fifo clock random lfu 2q arc lirs clockpro srrip rrip-hpe sieve s3fifo uvm vmin osl mean-ri osl-rank hawkeye mockingjay "
            "leu-exact leu leu-host leu2 hpe hinted hinted-known bam gmt-tierorder gmt-random gmt-reuse gmt-foretold tier opt-tiers").split()


class Done:
    """A program that has ended: its exit status, its standard output (as bytes and as text), its messages."""

    def __init__(self, done):
        self.status, self.bytes = done.returncode, done.stdout
        self.messages = done.stderr.decode()

    @property
    def text(self):
        return self.bytes.decode()

    @property
    def lines(self):
        return self.text.splitlines()

    @property
    def walks(self):
        """The lines of a walk trace, without its header and its hints."""
        return [line for line in self.lines if not line.startswith("#")]

    @property
    def rows(self):
        """CSV: a dictionary a row."""
        return list(csv.DictReader(io.StringIO(self.text)))

    def column(self, name):
        return [row[name] for row in self.rows]

    def columns(self, *names):
        """The named columns, a tuple a row."""
        return [tuple(row[name] for name in names) for row in self.rows]

    def without(self, *names):
        """The rows without the named columns: what two runs have in common."""
        return [{key: value for key, value in row.items() if key not in names} for row in self.rows]

    def json(self):
        return json.loads(self.text)


def run(program, words, *more, stdin=None, path=None):
    """Runs PROGRAM. WORDS are split as a shell splits them; MORE are arguments as they are.
    STDIN: a file or bytes. PATH: the search path."""
    given = stdin if isinstance(stdin, bytes) else open(stdin, "rb").read() if stdin else b""
    environment = dict(os.environ, LC_ALL="C.UTF-8", **({"PATH": path} if path else {}))
    arguments = [program, *shlex.split(words), *[str(m) for m in more]]
    return Done(subprocess.run(arguments, input=given, capture_output=True, env=environment, check=False, timeout=300))


def refused(done):
    """The message of a wrong input: exit status 2, and one line that says what was found and what was expected."""
    assert done.status == 2, "exit status %d: %s%s" % (done.status, done.text[-500:], done.messages[-500:])
    assert done.messages.endswith("\n") and done.messages.count("\n") == 1, done.messages
    return done.messages[:-1]


class Command:
    """The `gmmu` command: gmmu("replay --policy lru", file)."""

    def __init__(self, program):
        self.program = program

    def __call__(self, words, *more, status=0, stdin=None):
        done = run(self.program, words, *more, stdin=stdin)
        assert done.status == status, "exit status %d: gmmu %s: %s" % (done.status, words, done.messages[-1000:])
        return done

    def csv(self, words, *more, stdin=None):
        return self(words, *more, "--format", "csv", stdin=stdin)

    def refuses(self, words, *more, stdin=None):
        """The message with which the command refuses these arguments."""
        return refused(run(self.program, words, *more, stdin=stdin))
