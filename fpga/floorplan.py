# SPDX-License-Identifier: Apache-2.0
"""A picture of where nextpnr put a design: a tile is coloured for the part of it that has most cells there."""
import collections
import json
import re

COLOURS = ["#1f5a92", "#c0504d", "#4f9a4f", "#e0a030", "#7d5ba6", "#3fa7b5", "#d87fb0", "#8c6d46", "#9aba3c", "#5c6470", "#b04a8a", "#2f7f6f"]
BEL = re.compile(r"X(\d+)/Y(\d+)/(\S+)")


def cells(placed):
    """[(name, x, y, what it is)] of nextpnr's --write."""
    with open(placed, encoding="utf-8") as f:
        modules = json.load(f)["modules"]
    out = []
    for mod in modules.values():
        for name, cell in mod["cells"].items():
            m = BEL.search(cell.get("attributes", {}).get("NEXTPNR_BEL", ""))
            if m:
                out.append((name, int(m.group(1)), int(m.group(2)), cell["type"]))
    return out


def part(name):
    """The instance right in the block that a cell is of; of wrapper and block themselves, these."""
    m = re.match(r"dut\.([A-Za-z]\w*)\.", name)
    return m.group(1) if m else "the block's own" if name.startswith("dut.") else "shift registers, pins"


def draw(placed, title, path):
    """Writes PATH, .png or .svg, unless nothing is placed."""
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import patches, pyplot
    found = cells(placed)
    if not found:
        return False
    total = collections.Counter(part(name) for name, *_ in found)
    biggest = [p for p, _ in total.most_common(len(COLOURS) - 1)]
    colour = dict(zip(biggest, COLOURS))
    tiles = collections.defaultdict(collections.Counter)
    special = set()  # RAM and DSP
    for name, x, y, kind in found:
        tiles[x, y][part(name)] += 1
        if re.search(r"RAM(?!W)|DP16KD|MULT|MAC|ALU54", kind):
            special.add((x, y))
    width, height = max(x for x, _ in tiles) + 1, max(y for _, y in tiles) + 1
    most = max(sum(t.values()) for t in tiles.values())
    image = [[(1.0, 1.0, 1.0)] * width for _ in range(height)]
    for (x, y), t in tiles.items():
        rgb = matplotlib.colors.to_rgb(colour.get(t.most_common(1)[0][0], COLOURS[-1]))
        full = 1.0 if (x, y) in special else 0.35 + 0.65 * sum(t.values()) / most
        image[y][x] = tuple(1 - full * (1 - c) for c in rgb)
    figure, ax = pyplot.subplots(figsize=(7.5, 0.6 + 5.2 * height / width))
    ax.imshow(image, origin="lower", interpolation="nearest", aspect="equal")
    for x, y in special:
        ax.add_patch(patches.Rectangle((x - 0.5, y - 0.5), 1, 1, fill=False, edgecolor="black", linewidth=0.4))
    ax.set_xticks([])
    ax.set_yticks([])
    ax.set_title(title, loc="left", fontsize=8)
    names = [(p, colour[p]) for p in biggest] + ([("others", COLOURS[-1])] if len(total) > len(biggest) else [])
    ax.legend(handles=[patches.Patch(color=c, label="%s (%d)" % (p, total[p] if p in total else sum(n for q, n in total.items() if q not in colour)))
                       for p, c in names], loc="upper left", bbox_to_anchor=(1.01, 1), fontsize=6.5, frameon=False, title="cells of", title_fontsize=7,
              alignment="left")
    figure.savefig(path, dpi=110, bbox_inches="tight", metadata={"Software": None} if path.endswith(".png") else {"Date": None})
    pyplot.close(figure)
    return True
