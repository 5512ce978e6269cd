# SPDX-License-Identifier: Apache-2.0
"""Tables of a module's ports and of its stages, from its port list and the comments there."""
import os
import re

from gen.description import ROOT

PORT = re.compile(r"(input|output)\s+(?:wire|reg)?\s*(\[[^\]]*\])?\s*(\w+(?:\s*,\s*(?!input\b|output\b)\w+)*)\s*,?\s*(?://\s*(.*))?$")
SHOWN = re.compile(r"`GMMU_SHOW1?\((?:(\[.*?\]),\s*)?(\w+),.*?\)\s*(?://\s*(.*))?$")
STAGE = re.compile(r"([a-z])(\d+)_")
LANES = "wsml"  # stages of a walk, of a side action, of an action that comes back from memory, of a lookup
NO_STAGE = ("t2",)  # Tier 2


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def port_list(path):
    """[(group's comment, in or out, bits, [names], comment)] of the module in PATH."""
    text = read(path)
    body = re.search(r"^module \w+ (?:#\(.*?\n\) )?\((.*?)\n\);", text, flags=re.M | re.S).group(1)
    for header in re.findall(r'`include "(\w+\.vh)"', body):
        body += "\n\n" + read("rtl/" + header).replace("\n", "\n\n")  # each comment there stands for itself
    rows, group = [], ""
    after_comment = False
    for line in (part.strip() for part in body.split("\n")):
        if line.startswith("//"):
            group = (group + " " if after_comment else "") + line[2:].strip()
            after_comment = True
            continue
        after_comment = False
        found, shown = PORT.match(line), SHOWN.match(line)
        if found:
            way, bits, names, what = found.groups()
            rows.append((group, way[:-3], bits, re.split(r"\s*,\s*", names), what or ""))
        elif shown:
            rows.append((group, "out", shown.group(1), [shown.group(2)], shown.group(3) or ""))
        elif line and not line.startswith("`"):
            raise ValueError('%s: found "%s" among the ports' % (path, line))
    return rows


def width(bits):
    """[N-1:0] as N."""
    if bits is None:
        return "1"
    high = bits[1:-1].split(":")[0].strip()
    if high.isdigit():
        return str(int(high) + 1)
    return re.sub(r"-\s*1$", "", high).strip() if re.search(r"-\s*1$", high) else high + "+1"


def escaped(text):
    return text.replace("|", "\\|").replace("*", "\\*")


def ports(path):
    """The table; a row without a port says what the next ones are about."""
    out, group = ["| port | | bits | what |", "|---|---|---|---|"], ""
    for about, way, bits, names, what in port_list(path):
        if about != group:
            group = about
            out.append("| | | | **%s** |" % escaped(about))
        out.append("| %s | %s | %s | %s |" % (", ".join("`%s`" % n for n in names), way, escaped(width(bits)), escaped(what)))
    return out


def stages(path):
    """Which ports belong to which stage, in the order of time: a stage is a letter of LANES with a number; any other such prefix is an error."""
    at = {}
    for _, way, _, names, _ in port_list(path):
        for name in names:
            found = STAGE.match(name)
            if found and found.group(0)[:-1] not in NO_STAGE:
                if found.group(1) not in LANES:
                    raise ValueError('%s: found port "%s", expected a stage of %s or a prefix of NO_STAGE' % (path, name, ", ".join(LANES)))
                key = (found.group(1), int(found.group(2)))
                at.setdefault(key, {"in": [], "out": []})[way].append("`%s`" % name)
    out = ["| stage | takes | gives |", "|---|---|---|"]
    for (lane, n), of in sorted(at.items(), key=lambda item: (LANES.index(item[0][0]), item[0][1])):
        out.append("| %s%d | %s | %s |" % (lane, n, ", ".join(of["in"]), ", ".join(of["out"])))
    return out


def about(path):
    """What the module's file says at its top, with its drawing as one."""
    lines = []
    for line in read(path).split("\n")[1:]:
        if not line.startswith("//") or line.startswith("//:"):
            break
        lines.append(line[3:])
    lines[0] = re.sub(r" \(docs/[^)]*\)", "", lines[0])
    out, drawn = [], False
    for line in lines:
        if line and line.startswith("  ") != drawn:
            drawn = not drawn
            if not drawn:
                out.insert(len(out) - (out[-1] == ""), "```")
            else:
                out.append("```")
        out.append(line)
    return out + ["```"] * drawn


def unknown(page, path):
    """Names in the first column of PAGE's tables under "## Ports" that are no port of PATH: NAME, NAME_ of several, or NAME*."""
    section = re.search(r"^## Ports\n(.*?)(?=^## |\Z)", page, flags=re.M | re.S)
    names = [n for _, _, _, group, _ in port_list(path) for n in group]
    rows = re.findall(r"^\|([^|]*)\|", section.group(1) if section else "", flags=re.M)
    told = [n for row in rows for n in re.findall(r"`([^`]+)`", row)]
    return [n for n in told if n not in names and not any(p.startswith(n.rstrip("*") if "*" in n else n + "_") for p in names)]
