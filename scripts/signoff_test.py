#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""signoff_test.py: does scripts/signoff.py go on where a run ended? On parts that write a word into a file each. And does scripts/mutate.py keep the
reasons of mutants, and no others' reasons? Exit status 0: as expected."""
import os
import shutil
import sys
import tempfile
import types
import unittest
import unittest.mock

import formal
import mutate
import signoff


class Proofs(unittest.TestCase):
    def test_a_result_of_the_same_sources_that_holds_for_longer_stays(self):
        def row(result, of="a"):
            return {"result": result, "of": of}
        for was, now, kept in (("unbounded", "30 cycles", 0), ("30 cycles", "unbounded", 1), ("30 cycles", "28 cycles", 0),
                               ("28 cycles", "30 cycles", 1), ("unbounded", "FAILS in frame 3: x.vcd", 1),
                               ("unbounded", "no result, see x.log", 1), ("FAILS in frame 3: x.vcd", "9 cycles", 1)):
            rows = row(was), row(now)
            self.assertIs(formal.says_more(*rows), rows[kept], (was, now))
        self.assertEqual(formal.says_more(row("unbounded", "b"), row("9 cycles"))["result"], "9 cycles")
        self.assertEqual(formal.says_more(None, row("9 cycles"))["result"], "9 cycles")
        bug = row("credit_kept (frame 64)"), row("within (frame 15)")
        self.assertIs(formal.says_more(*bug), bug[1])

    def test_what_a_harness_leaves_out_is_part_of_its_digest_and_how_long_is_searched_is_not(self):
        os.chdir(signoff.ROOT)
        with open("tb/formal/fault_unit.v", encoding="utf-8") as file:
            text = file.read()
        found = []
        for old, new in (("", ""), ("//: pdr 100 s", "//: pdr 90 s"), ("//: pdr 100 s", "//: pdr 100 s\n//: cut head_valid")):
            with tempfile.TemporaryDirectory() as folder:
                os.symlink(os.path.join(signoff.ROOT, "rtl"), os.path.join(folder, "rtl"))
                shutil.copytree("tb/formal", os.path.join(folder, "tb/formal"))
                self.assertIn(old, text)
                with open(os.path.join(folder, "tb/formal/fault_unit.v"), "w", encoding="utf-8") as file:
                    file.write(text.replace(old, new) if old else text)
                try:
                    os.chdir(folder)
                    found.append((formal.digest("fault_unit"), formal.Harness("fault_unit").given))
                finally:
                    os.chdir(signoff.ROOT)
        self.assertEqual(found[0], found[1])
        self.assertNotEqual(found[0][0], found[2][0])


class Resuming(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.table, self.ran = self.at("signoff.csv"), self.at("ran")
        self.said = []

    def at(self, name):
        return os.path.join(self.folder.name, name)

    def part(self, name, end="true"):
        return signoff.Part(name, ["sh", "-c", "echo %s >>%s; echo 7 of 9 found; %s" % (name, self.ran, end)], r"\d of \d found")

    def run_parts(self, parts, sources="a", **more):
        return signoff.run(parts, self.table, self.at("logs"), "1.2", lambda paths: sources + paths[0], say=self.said.append, **more)

    def has_run(self):
        """The parts that ran since this was asked last."""
        if not os.path.exists(self.ran):
            return []
        with open(self.ran, encoding="utf-8") as file:
            names = file.read().split()
        os.remove(self.ran)
        return names

    def test_what_passed_is_not_run_again(self):
        parts = [self.part("x"), self.part("kind/y")]
        self.assertEqual((self.run_parts(parts), self.has_run()), (0, ["x", "kind/y"]))
        self.assertEqual((self.run_parts(parts), self.has_run()), (0, []))
        self.assertEqual((self.run_parts(parts, fresh=True), self.has_run()), (0, ["x", "kind/y"]))
        row = signoff.read_table(self.table)["kind/y"]
        self.assertEqual([row[k] for k in ("release", "sources", "reads", "result", "figure")],
                         ["1.2", "artl", "artl", "passed", "7 of 9 found"])
        self.assertRegex(row["date"] + " " + row["minutes"], r"^\d+-\d+-\d+ \d+\.\d$")
        self.assertIn("part 2 of 2: kind/y: kept", self.said[-5])

    def test_what_failed_is_run_again_and_the_rest_goes_on(self):
        flag = self.at("flag")
        parts = [self.part("x"), self.part("y", "test -e " + flag), self.part("z")]
        self.assertEqual((self.run_parts(parts), self.has_run()), (1, ["x", "y", "z"]))
        self.assertEqual(signoff.read_table(self.table)["y"]["result"], "failed")
        with open(flag, "w", encoding="utf-8"):
            pass
        self.assertEqual((self.run_parts(parts), self.has_run()), (0, ["y"]))

    def test_a_stopped_run_goes_on_with_the_part_that_it_was_in(self):
        parts = [self.part("x"), signoff.Part("stopped", [self.at("no such command")]), self.part("z")]
        with self.assertRaises(FileNotFoundError):
            self.run_parts(parts)
        self.assertEqual(list(signoff.read_table(self.table)), ["x"])
        parts[1] = self.part("stopped")
        self.has_run()
        self.assertEqual((self.run_parts(parts), self.has_run()), (0, ["stopped", "z"]))

    def test_other_sources(self):
        parts = [self.part("x"), self.part("y")]
        self.run_parts(parts)
        self.run_parts(parts[:1], sources="b")
        self.assertEqual(self.has_run(), ["x", "y", "x"])
        rows = signoff.read_table(self.table)
        self.assertEqual([signoff.state(rows.get(n), r, "brtl", "brtl") for n, r in (("x", "1.2"), ("y", "1.2"), ("y", "1.3"), ("z", "1.2"))],
                         ["passed", "passed, of release 1.2, sources before a change", "passed, of release 1.2", "never run"])
        self.assertEqual(signoff.state(rows["y"], "1.2", "brtl", "artl"), "passed, what it reads is the same")

    def test_a_part_runs_again_if_what_it_reads_has_changed(self):
        parts = [self.part("x")._replace(reads=["tb"]), self.part("y")._replace(reads=["rtl"])]
        now = {"tb": "1", "rtl": "1"}
        for changed, ran in (("", ["x", "y"]), ("", []), ("tb", ["x"]), ("rtl", ["y"])):
            if changed:
                now[changed] += "'"
            signoff.run(parts, self.table, self.at("logs"), "1.2", lambda paths: now[paths[0]], say=self.said.append)
            self.assertEqual(self.has_run(), ran)

    def test_what_the_true_parts_read_is_there(self):
        os.chdir(signoff.ROOT)
        for part in signoff.all_parts():
            self.assertEqual([p for p in part.reads if not os.path.exists(p) and p != "tb/unit/" + part.name.split("/")[-1]], [], part.name)

    def test_a_counterexample_of_either_engine_counts(self):
        harness = types.SimpleNamespace(frames=40, bmc_s=30, deep=False, steps=0, pdr_s=60, plain=False, inductive=False)
        far, none = 'Output 0 of miter "m" was asserted in frame 100.', "No output asserted in 40 frames."
        for pdr, result in (("Property proved", "unbounded"), ("", "40 cycles"), (far, "FAILS in frame 100, see /tmp/x.pdr.log")):
            with unittest.mock.patch.object(formal, "Harness", return_value=harness), unittest.mock.patch.object(
                    formal, "abc", side_effect=lambda d, name, *_, pdr=pdr: (none if name.endswith("bmc") else pdr, 1.0)):
                self.assertEqual(formal.prove("b", "/tmp", 0, "x", None)[1:3], (result, not result.startswith("FAILS")))
                self.assertEqual(formal.prove_together("b", "/tmp")[0], {"unbounded": True, "40 cycles": False}.get(result))

    def test_a_reason_for_a_line_makes_none_but_the_report_older(self):
        self.assertEqual([p.name for p in signoff.all_parts() if "tb" in p.reads or signoff.WAIVERS in p.reads], ["coverage/report"])

    def test_digest(self):
        os.makedirs(self.at("rtl/lib"))
        found = set()
        for name, text in (("rtl/a.v", "1"), ("rtl/a.v", "2"), ("rtl/lib/b.v", "2"), ("docs", "3"), ("tb.txt", "4")):
            with open(self.at(name), "w", encoding="utf-8") as file:
                file.write(text)
            found.add(signoff.digest(["rtl", "tb", "tb.txt"], self.folder.name))
        self.assertEqual(len(found), 4)

    def test_comments_of_c_have_no_part_in_a_digest(self):
        def of(text, name="a.c"):
            with open(self.at(name), "w", encoding="utf-8") as file:
                file.write(text)
            return signoff.digest([name], self.folder.name)
        code = 'int a = 1\'000; // it\'s one\nchar b[] = "/* no comment */", c = \'"\'; // "\nint d; /* of\ntwo */ int e;\n'
        same = of(code)
        for old, new in (("// it's one", ""), ("of\ntwo", "of one"), ('// "', "//  other"), ("int d;", "\n  int   d;"), ("\nint d;", "\n// \\\nmore\nint d;")):
            self.assertIn(old, code)
            self.assertEqual(of(code.replace(old, new)), same, new)
        for old, new in (("000", "001"), ("no comment", "comment"), ("/* no", "/*  no"), ("= '\"'", "= '\\''"),
                         ("// it's one\n", "// it's one "), ("int e", "int f")):
            self.assertIn(old, code)
            self.assertNotEqual(of(code.replace(old, new)), same, new)
        self.assertNotEqual(of("a // b", "a.v"), of("a", "a.v"))
        self.assertNotEqual(of('R"x(// 1)x"'), of('R"x(// 2)x"'))

    def test_names(self):
        parts = [self.part(n) for n in ("a/x", "a/y", "ab", "b")]
        self.assertEqual([p.name for p in signoff.chosen(parts, ["a", "b"])], ["a/x", "a/y", "b"])
        self.assertEqual(signoff.chosen(parts, []), parts)
        with self.assertRaises(KeyError):
            signoff.chosen(parts, ["a/x", "c"])

    def test_the_true_parts_have_names_of_their_own(self):
        os.chdir(signoff.ROOT)
        names = [p.name for p in signoff.all_parts()]
        self.assertEqual(len(names), len(set(names)))
        self.assertGreater(len(names), 50)

    def test_a_figure_worse_than_wanted_is_a_result(self):
        missed, = {p.missed for p in signoff.all_parts() if p.missed}
        part = self.part("x", "echo too slow: y; echo make: fpga] Error 1; exit 2")._replace(missed=missed)
        self.assertEqual((self.run_parts([part]), self.has_run()), (0, ["x"]))
        self.assertEqual(signoff.read_table(self.table)["x"]["result"], "missed")
        self.assertEqual((self.run_parts([part]), self.has_run()), (0, []))
        for name, said in ("y", "echo too slow: y; echo make: fpga] Error 2"), ("z", "echo Traceback; echo make: fpga] Error 1"):
            self.assertEqual(self.run_parts([self.part(name, said + "; exit 2")._replace(missed=missed)]), 1)


class Reasons(unittest.TestCase):
    def test_a_reason_of_another_line_is_asked_for_again(self):
        def row(line, port, reason):
            return {"source": "a.v:%d" % line, "what": "$x$a.v:%d$%d.%s (inv)" % (line, line + 1, port), "reason": reason}
        why = mutate.reasons([row(10, "A[0]", "never 1"), row(20, "B[0]", "of one line"), row(21, "B[0]", "of the other")])
        self.assertEqual(why["a.v:10 $x$a.v:10$11.A[0] (inv)"], "never 1")
        self.assertEqual(why["a.v: $x$a.v:$.A[0] (inv)"], "? before: never 1")
        self.assertNotIn("a.v: $x$a.v:$.B[0] (inv)", why)  # two mutants, two reasons


if __name__ == "__main__":
    sys.exit(0 if unittest.main(exit=False).result.wasSuccessful() else 1)
