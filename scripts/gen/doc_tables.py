# SPDX-License-Identifier: Apache-2.0
"""Tables of docs/README.md, docs/reference/formats.md and docs/reference/registers.md, and excerpts of sources, between <!-- generated:NAME --> marks."""
import os
import re

from gen import csr
from gen.description import width_in, with_derived


def configurations(src):
    names = list(src["configurations"])
    of = {name: with_derived(src, name) for name in names}
    out = ["| parameter | " + " | ".join(names) + " | meaning |", "|---|" + "---|" * (len(names) + 1)]
    rows = [row[:2] for row in src["parameters"]] + [[n, "%s (from `%s`)" % (text, f)] for n, f, text in src["derived"]]
    for par, text in rows:
        out.append("| `%s` | " % par + " | ".join(str(of[name][par]) for name in names) + " | %s |" % text)
    return out


def streams(src):
    env = with_derived(src, "default")
    out = ["| stream | field | width | bits in `default` | meaning |", "|---|---|---|---|---|"]
    for st in src["streams"]:
        off = 0
        for name, w, text in st["fields"]:
            n = width_in(w, env)
            shown = w.replace("log2", "log2 of").replace(" - ", " − ").replace(" * ", " · ")
            out.append("| `%s` | `%s` | %s | %d:%d | %s |" % (st["name"], name, shown, off + n - 1, off, text))
            off += n
    return out


def tdata(src):
    """Bits of each port's tdata, and those of its widest beat."""
    names = list(src["configurations"])
    out = ["| port | " + " | ".join(names) + " |", "|---|" + "---|" * len(names)]
    for port in dict.fromkeys(st["name"].split()[0] for st in src["streams"]):
        row = []
        for name in names:
            env = with_derived(src, name)
            beat = max(sum(width_in(w, env) for _, w, _ in st["fields"]) for st in src["streams"] if st["name"].split()[0] == port)
            row.append("%d (%d)" % ((beat + 7) // 8 * 8, beat))
        out.append("| `%s` | %s |" % (port, " | ".join(row)))
    return out


def words(src):
    """The words between the parts of the unit, and their fields."""
    out = ["| word | driven by | field | width | meaning |", "|---|---|---|---|---|"]
    for bundle in src["bundles"]:
        driver = "[{0}]({0}.md)".format(bundle["from"]) if "from" in bundle else ""
        out.append("| **`%s`** | %s | | | **%s** |" % (bundle["name"], driver, bundle["of"]))
        out += ["| | | `%s` | %s | %s |" % (name, width.replace("*", "\\*"), text.replace("*", "\\*")) for name, width, text in bundle["fields"]]
    return out


def codes(src):
    out = ["| of | code | name | meaning |", "|---|---|---|---|"]
    for group in src["codes"]:
        for i, (number, name, text) in enumerate(group["codes"]):
            out.append("| %s | %d | `%s_%s` | %s |" % ("" if i else group["of"], number, group["group"], name, text))
    return out


def registers(src):
    out = ["| register | address | width | reset | in force | meaning |", "|---|---|---|---|---|---|"]
    return out + ["| `%s` | 0x%03x | %s | %s | %s | %s |" % (r[0], at[3], r[1], r[2], in_force(src, r[0]), r[3])
                  for r, at in zip(src["registers"], csr.registers(src))]


def in_force(src, name):
    after = "while `quiet`" if name in src["quiet_registers"] else src["in_force"][name]
    return "+%d" % after if isinstance(after, int) else after


def counters(src):
    return ["| counter | address | counts |", "|---|---|---|"] + \
        ["| `%s` | 0x%03x | %s |" % (c[0], csr.COUNTERS + 4 * i, c[1]) for i, c in enumerate(src["counters"])]


def pages(texts):
    """The pages of docs/reference/blocks, {path: text}, each with its first sentence."""
    out = ["| page | what |", "|---|---|"]
    for rel, text in texts.items():
        name = os.path.basename(rel)[:-3]
        first = re.search(r"^# .*?\n\n(.*?\.)(?=\s)", text, flags=re.S).group(1).replace("\n", " ")
        # the sentence stands in docs/README.md: its links, which begin at the page, begin there
        first = re.sub(r"\]\((?!\w+:)([^)#]+)", lambda m: "](" + os.path.relpath(os.path.join(os.path.dirname(rel), m.group(1)), "docs"), first)
        out.append("| [%s](%s) | %s |" % (name, os.path.relpath(rel, "docs"), first))
    return out


def excerpts(sources):
    """A function: the lines of NAME, between its marks `// excerpt NAME` and `// end NAME` in one of SOURCES, {path: text}, as a code block."""
    found = {}
    for rel, text in sources.items():
        for name, body in re.findall(r"^ *// excerpt (\w+)\n(.*?)^ *// end \1$", text, flags=re.M | re.S):
            if name in found:
                raise SystemExit("gen_config.py: %s: excerpt %s stands twice" % (rel, name))
            indent = min(len(line) - len(line.lstrip()) for line in body.splitlines() if line.strip())
            language = {"v": "verilog", "cpp": "cpp", "c": "c"}[rel.rsplit(".", 1)[1]]
            found[name] = ["```" + language] + [line[indent:] for line in body.splitlines()] + ["```"]
    return found.__getitem__


def fill(text, tables):
    """TEXT with TABLES, lists of lines by name, between their marks; some of the name after theirs."""
    def sub(m):
        table = tables[m.group(1)]
        lines = table(m.group(2)) if m.group(2) else table
        return "<!-- generated:%s -->\n%s\n<!-- /generated -->" % (" ".join(filter(None, m.groups())), "\n".join(lines))
    return re.sub(r"<!-- generated:(\w+)(?: (\w+))? -->.*?<!-- /generated -->", sub, text, flags=re.S)
