# SPDX-License-Identifier: Apache-2.0
"""The panel of report.py about ranges: what offloading the library calls of a .sem trace would move, and what goes back and forth."""
import html

PROTOCOLS = ("fig9", "naive", "wt", "wb", "split", "page:4k", "page:2m", "dfu")
SITES, PAIRS = 12, 10


def size(n):
    for unit in ("bytes", "KiB", "MiB", "GiB", "TiB"):
        if n < 1024 or unit == "TiB":
            return "%d %s" % (n, unit) if unit == "bytes" or n >= 100 else "%.3g %s" % (n, unit)
        n /= 1024


class Ranges:
    """All figures of one .sem trace. PLAY(*arguments) gives the rows of `gmmu semcache`, as dictionaries of text."""

    def __init__(self, name, play):
        self.name = self.id = name
        rows = play("--protocol", ",".join(PROTOCOLS))
        self.bounds = any(r["bound"] for r in rows)
        self.rows = {(r["protocol"], r["bound"]): r for r in rows}
        self.sites, self.pairs = play("--protocol", "split", "--sites"), play("--protocol", "split", "--pairs")

    def bars(self):
        """[(label, up, down, remote)]"""
        return [("%s%s" % (p, ", " + b if b else ""), int(r["up_bytes"]), int(r["down_bytes"]), int(r["remote_bytes"])) for (p, b), r in self.rows.items()]


def picture(r, pyplot):
    figure, ax = pyplot.subplots(figsize=(7, 0.24 * len(r.rows) + 0.9))
    bars = r.bars()
    left = [0] * len(bars)
    for part, (label, colour) in enumerate((("sent", "#1f5a92"), ("received", "#d8b365"), ("accessed by the CPU on the GPU", "#c0504d")), 1):
        width = [b[part] / 2 ** 20 for b in bars]
        ax.barh(range(len(bars)), width, 0.7, left=left, color=colour, label=label)
        left = [a + b for a, b in zip(left, width)]
    ax.set_yticks(range(len(bars)), [b[0] for b in bars], fontsize=7)
    ax.invert_yaxis()
    ax.set_xlabel("MiB")
    ax.legend(frameon=False, fontsize=7)
    return figure


def rows_table(head, rows):
    out = ["<table><tr>%s</tr>" % "".join("<th>%s</th>" % h for h in head)]
    out += ["<tr>%s</tr>" % "".join("<td>%s</td>" % html.escape(c) for c in row) for row in rows]
    return "\n".join(out + ["</table>"])


def section(r, pictures):
    """The elements of the page."""
    wb = r.rows["wb", "least" if r.bounds else ""]
    caption = "%s: what the link carries, by protocol.%s" % (r.name, " The CPU's accesses are not in the trace: bounds." if r.bounds else "")
    sites = [[s["site"], s["calls"], s["on_cpu"], size(int(s["up_bytes"])), size(int(s["down_bytes"])), "%.3g ms" % (1e3 * float(s["model_s"])),
              "%.3g ms" % (1e3 * float(s["cpu_s"])), s["pays"]] for s in r.sites[:SITES]]
    pairs = [[p["start"], size(int(p["bytes"])), p["site"], p["cpu_site"], p["moves"], size(int(p["moved_bytes"]))] for p in r.pairs[:PAIRS]]
    out = ['<h2 id="%s">%s: ranges</h2>' % (html.escape(r.id, True), html.escape(r.name)),
           "<p>%s calls, %s lookups, %s of %s results kept; times are a model's (docs/guide/semcache.md).</p>" %
           (wb["calls"], wb["lookups"], wb["elided"], wb["memos"]),
           pictures.done(picture(r, pictures.pyplot), r.name + "-ranges", caption),
           "<p>Call sites, write-back with records that split, most bytes first%s:</p>" % (" (of %d)" % len(r.sites) if len(r.sites) > SITES else ""),
           rows_table(["site", "calls", "on the CPU", "sent", "received", "time", "on the CPU alone", "pays"], sites)]
    if pairs:
        out += ["<p>What goes back and forth%s:</p>" % (" (of %d)" % len(r.pairs) if len(r.pairs) > PAIRS else ""),
                rows_table(["range", "bytes", "call site", "CPU code", "moves", "moved"], pairs)]
    return out
