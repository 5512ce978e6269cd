#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""products_test.py: does scripts/products.py find what goes against the direction? On small trees. Prints only what is not as
expected; exit status 0: all is."""
import os
import sys
import tempfile
import unittest

import products
import quiet

ROWS = [{"name": "unit", "holds": ["rtl", "cmodel/blocks"], "includes": []},
        {"name": "trace", "holds": ["cmodel/blocks/trace.h", "cmodel/trace"], "includes": []},
        {"name": "replay", "holds": ["cmodel/policy"], "includes": ["unit", "trace"]},
        {"name": "tests", "holds": ["tb"], "includes": ["*"]}]
FILES = {"rtl/u.v": '`include "u.vh"\n', "rtl/u.vh": "",
         "cmodel/blocks/u.h": "", "cmodel/blocks/u.c": '#include "blocks/u.h"\nint step(void) {\n    return 1;\n}\n',
         "cmodel/blocks/trace.h": "", "cmodel/trace/t.c": '#include "blocks/trace.h"\n#include <stdio.h>\n#include "Vdut.h"\n',
         "cmodel/policy/p.h": '#include "blocks/u.h"\n', "cmodel/policy/p.c": '#include "policy/p.h"\n#include "blocks/trace.h"\n',
         "tb/unit/t.cpp": '#include "policy/p.h"\n'}


class Direction(unittest.TestCase):
    def faults(self, files=(), rows=ROWS):
        """Of the tree above with other FILES."""
        with tempfile.TemporaryDirectory() as root:
            files = {**FILES, **dict(files)}
            for path, text in files.items():
                os.makedirs(os.path.join(root, os.path.dirname(path)), exist_ok=True)
                with open(os.path.join(root, path), "w", encoding="utf-8") as f:
                    f.write(text)
            tree = products.Tree(root, sorted(files))
            return list(products.Products(rows).faults(tree, products.units(tree)))

    def rows(self, name, **changes):
        return [{**row, **changes} if row["name"] == name else row for row in ROWS]

    def test_a_tree_in_one_direction_has_no_fault(self):
        self.assertEqual(self.faults(), [])

    def test_an_include_against_the_direction_is_told_with_its_line(self):
        self.assertEqual(self.faults({"cmodel/blocks/u.h": '// u\n\n#  include "policy/p.h"\n'}),
                         ['cmodel/blocks/u.h:3: include "policy/p.h": unit leans on replay, expected no other product'])

    def test_nobody_includes_tests(self):
        self.assertEqual(self.faults({"tb/driver.h": "", "cmodel/policy/q.cpp": '#include "driver.h"\n'}),
                         ['cmodel/policy/q.cpp:1: include "driver.h": replay leans on tests, expected unit, trace'])

    def test_an_include_from_the_files_own_folder_comes_first(self):
        self.assertEqual(self.faults({"tb/p.h": "", "cmodel/policy/q.c": '#include "p.h"\n'}), [])
        self.assertEqual(len(self.faults({"tb/r.h": "", "cmodel/policy/q.c": '#include "r.h"\n'})), 1)

    def test_verilog_includes_count_too(self):
        self.assertEqual(self.faults({"tb/b.vh": "", "rtl/u.v": '`timescale 1ns/1ns\n`include "b.vh"\n'}),
                         ['rtl/u.v:2: include "b.vh": unit leans on tests, expected no other product'])

    def test_a_file_has_its_own_product(self):
        self.assertEqual(self.faults({"cmodel/blocks/u.h": '#include "blocks/trace.h"\n'}),
                         ['cmodel/blocks/u.h:1: include "blocks/trace.h": unit leans on trace, expected no other product'])

    def test_a_function_that_is_declared_by_hand_counts_too(self):
        self.assertEqual(self.faults({"cmodel/trace/t.c": '#include "blocks/trace.h"\nint step(void);\nint two(void) {\n    return step();\n}\n'}),
                         ["cmodel/trace/t.c:2: step: trace leans on unit, expected no other product"])

    def test_static_functions_and_words_in_comments_are_nobodys(self):
        macro = "#define LANES __attribute__((pure)) static inline\n"
        self.assertEqual(self.faults({"cmodel/blocks/u.c": macro + "LANES int step(void) {\n    return 1;\n}\n",
                                      "cmodel/trace/t.c": '#include "blocks/trace.h"\nint t(void) {\n    return step(); // step\n}\n'}), [])
        self.assertEqual(self.faults({"cmodel/trace/t.c": '#include "blocks/trace.h"\n// step\nconst char *t = "step";\n'}), [])

    def test_each_folder_has_a_product(self):
        self.assertEqual(self.faults({"tools/x.py": ""}), ["tools: found no product, expected the folder in config/products.json"])

    def test_the_table_has_no_circle(self):
        rows = self.rows("unit", includes=["replay"])
        found = self.faults({"cmodel/blocks/u.c": '#include "policy/p.h"\n'}, rows)
        self.assertEqual(found, ["config/products.json: circle of products: replay > unit > replay"])
        found = self.faults({"cmodel/trace/t.c": '#include "unit/t.cpp"\n'}, self.rows("trace", includes=["tests"]))
        self.assertIn("config/products.json: circle of products: tests > trace > tests", found)

    def test_the_table_says_what_is(self):
        self.assertEqual(self.faults({}, self.rows("trace", includes=["unit"])),
                         ["config/products.json: trace includes unit: found no include that needs it"])
        self.assertEqual(self.faults({}, self.rows("trace", includes=["units"])), ["config/products.json: trace includes units: no such product"])
        self.assertEqual(self.faults({}, self.rows("tests", holds=["tb", "gone"])), ["config/products.json: gone: no such file or folder"])
        self.assertEqual(self.faults({}, self.rows("tests", holds=["tb", "rtl"]))[0], "config/products.json: rtl: found in two products, expected one")


class Circles(unittest.TestCase):
    def test_a_shortest_way_is_named_once(self):
        graph = {"a": {"b": 1}, "b": {"c": 1, "a": 1}, "c": {"a": 1}, "d": {"a": 1}}
        self.assertEqual(sorted(map(sorted, products.circles(graph))), [["a", "b"], ["a", "b", "c"]])
        self.assertEqual(products.circles({"a": {"b": 1}, "b": {}}), [])

    def test_this_tree_has_none(self):
        tree = products.repository()
        table = products.read_table(os.path.join(products.ROOT, products.TABLE))
        self.assertEqual(list(table.faults(tree, products.units(tree))), [])
        self.assertGreater(len(tree.text), 500)


if __name__ == "__main__":
    sys.exit(quiet.run(sys.modules[__name__]))
