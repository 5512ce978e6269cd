# SPDX-License-Identifier: Apache-2.0
"""csr_test.py: registers.py on gmmu_tier_axil in Icarus: all is as the RDL says; and each of these tests fails where it should, with a wrong RDL or a
wrong copy of the RTL."""
import glob
import json
import os
import shutil
import sys
import unittest
import xml.etree.ElementTree as ET

from cocotb_tools.runner import get_runner

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILD = os.path.join(ROOT, "build", "test", "descriptions")
RDL = os.path.join(ROOT, "descriptions", "gmmu_registers.rdl")
TESTS = ["reset", "read_write", "bit_bash", "aliasing", "no_delay"]
# small, so that a cycle costs little; with an upper word of cfg_range_bytes
SMALL = {"VPN_W": 52, "ASID_W": 5, "FRAMES": 12, "FAULTS": 4, "POOL": 1, "CLASSES": 4, "T2_SLOTS": 0, "RANGES": 0}
TIERS = {"VPN_W": 36, "FRAMES": 37, "T2_SLOTS": 5, "TIME_W": 24, "RANGES": 2}


def rtl(root):
    return sorted(glob.glob(root + "/rtl/*.v") + glob.glob(root + "/rtl/*/*.v"))


def run(name, sizes, tests, root=ROOT, rdl=RDL):
    """{test: failure or ""} of TESTS, each with the message of its failure."""
    folder = os.path.join(BUILD, name)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    sys.path.insert(0, HERE)
    log = os.path.join(folder, "log")
    runner = get_runner("icarus")
    runner.build(sources=rtl(root), hdl_toplevel="gmmu_tier_axil", includes=[root + "/rtl"], defines={"GMMU_CONFIG_TINY": 1, "GMMU_CLK_GATE": 1},
                 parameters=sizes, build_dir=folder, timescale=("1ns", "1ns"), log_file=log)
    more = {"RDL": rdl, "RDL_DEFINES": json.dumps({"GMMU_CONFIG_TINY": ""}), "RDL_PARAMETERS": json.dumps(sizes), "COCOTB_ANSI_OUTPUT": "0"}
    results = runner.test(test_module="registers", hdl_toplevel="gmmu_tier_axil", testcase=tests, build_dir=folder, extra_env=more,
                          results_xml=os.path.join(folder, "results.xml"), log_file=log)
    found = {}
    for case in ET.parse(results).iter("testcase"):
        failures = [child for child in case if child.tag in ("failure", "error")]
        found[case.get("name")] = (failures[0].get("error_msg") or failures[0].get("message") or failures[0].text or "failed") if failures else ""
    return found


class Right(unittest.TestCase):
    """The RTL is as the RDL says, at two sizes."""

    def check(self, name, sizes, tests):
        self.assertEqual(run(name, sizes, tests), {test: "" for test in tests})

    def test_small(self):
        self.check("small", SMALL, TESTS)

    def test_tiers(self):
        self.check("tiers", TIERS, ["reset", "read_write", "no_delay"])


class Wrong(unittest.TestCase):
    """What is wrong is found, by the test that is for it."""

    def changed(self, path, old, new):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        self.assertIn(old, text, path)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))

    def fails(self, name, test, said, old, new, path="descriptions/gmmu_registers.rdl"):
        """With NEW in place of OLD in a copy of PATH, TEST fails, and its message has SAID."""
        root = os.path.join(BUILD, "wrong-" + name)
        shutil.rmtree(root, ignore_errors=True)
        for folder in ("descriptions", "rtl"):
            shutil.copytree(os.path.join(ROOT, folder), os.path.join(root, folder))
        self.changed(os.path.join(root, path), old, new)
        found = run("run-" + name, SMALL, [test], root, os.path.join(root, "descriptions", "gmmu_registers.rdl"))
        self.assertEqual(list(found), [test])
        self.assertIn(said, found[test])

    def test_reset_in_rdl(self):
        self.fails("reset", "reset", "cfg_refresh", "} value[4:0] = 6;", "} value[4:0] = 7;")

    def test_width_in_rdl(self):
        self.fails("width", "bit_bash", "cfg_watchdog", "} value[3:0] = 8;", "} value[4:0] = 8;")

    def test_access_in_rdl(self):
        self.fails("access", "read_write", "version", "} version @", "    field { sw = rw; hw = r; } more[31:24] = 0;\n    } version @")

    def test_address_in_rdl(self):
        self.fails("address", "read_write", "cfg_tie", "} cfg_tie @ 0x298;", "} cfg_tie @ 0x29c;")

    def test_back_door_in_rdl(self):
        self.fails("door", "read_write", "stat_merged", "registers.k_merged", "registers.k_none")

    def test_register_without_reset(self):
        self.fails("no-reset", "reset", "", ") reg_feed (\n        .clk(clk),\n        .rst(all_rst)", ") reg_feed (\n        .clk(clk),\n        .rst(1'b0)",
                   "rtl/bus/gmmu_csr.v")

    def test_register_with_the_address_of_another(self):
        self.fails("alias", "aliasing", "cfg_sample", ".WORD(136)", ".WORD(134)", "rtl/bus/gmmu_csr.v")

    def test_addresses_that_repeat(self):
        self.fails("repeat", "aliasing", "addresses without a register", "s_axil_awaddr[ADDR_W-1:2]", "{2'b00, s_axil_awaddr[ADDR_W-3:2]}",
                   "rtl/lib/gmmu_axil_port.v")

    def test_counter_read_for_another(self):
        self.fails("counter", "read_write", "stat_none", "from_counters <= k_none;", "from_counters <= k_merged;", "rtl/bus/gmmu_csr.v")

    def test_bit_that_stays(self):
        self.fails("stuck", "bit_bash", "irq_enable", "enabled <= req_data[EVENTS-1:0]", "enabled <= req_data[EVENTS-1:0] | 6'd32", "rtl/bus/gmmu_csr.v")

    def test_write_that_clears_all_events(self):
        self.fails("clear", "bit_bash", "irq", "happened & ~(w_irq ? req_data[EVENTS-1:0] : {EVENTS{1'b0}})", "happened & ~{EVENTS{w_irq}}",
                   "rtl/bus/gmmu_csr.v")

    def test_address_taken_too_early(self):
        self.fails("early", "no_delay", "", "assign s_axil_awready = !have_aw;", "assign s_axil_awready = 1'b1;", "rtl/lib/gmmu_axil_port.v")


if __name__ == "__main__":
    unittest.main()
