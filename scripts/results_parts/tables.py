# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/reference/results.md and the figures in its sentences."""
import page
import split
from results_parts.figures import PARTS
from results_parts.study import BY_TRACE, NAME, OPTION_SIZES, OPTIONS, SIZES, UNIT, option

TITLE = {"chosen-on": "chosen on", "held-out": "held out", "all": "all"}
WORST = 10


def text_of(value, form="%.2f"):
    return "-" if value is None else form % value


def percent(size):
    return size.replace("%", " %")


def by_part(title, value, sizes=SIZES, form="%.2f"):
    """Cells of a row: VALUE(size, part) for each size, halves and whole beside each other."""
    return [title] + [text_of(value(size, part), form) for size in sizes for part in PARTS]


def part_heads(first, sizes=SIZES):
    return [first] + ["%s, %s" % (percent(size), TITLE[part]) for size in sizes for part in PARTS]


def policies(traces):
    """Evictions over OPT's, geometric means."""
    rows = [by_part(NAME[p], lambda s, h, p=p: traces.mean(p, s, h)) for p in traces.rivals]
    rows.append(by_part("best policy of each trace", traces.mean_of_best))
    rows.append(by_part("traces in the mean", lambda s, h: len(traces.counted(h, s)), form="%d"))
    return page.markdown(part_heads("policy"), rows)


def shares(traces):
    """Of a policy's evictions, per cent that are OPT's too, arithmetic means."""
    shown = [p for p in BY_TRACE if p in traces.rivals]
    rows = [by_part(NAME[p], lambda s, h, p=p: 100 * traces.mean_share(p, s, h), form="%.0f") for p in shown]
    return page.markdown(part_heads("policy"), rows)


def by_trace(traces, size):
    shown = [p for p in BY_TRACE if p in traces.rivals]
    head = ["trace", "walks", "pages", "frames", "`opt` evicts"] + [NAME[p] for p in shown]
    head += ["best", "unit's that are OPT's too", "sampler's entries"]
    rows = []
    for part in split.HALVES:
        for t in traces.part(part):
            row = traces.row(t, UNIT, size)
            note = dict(word.split("=", 1) for word in row["note"].split())
            best = traces.best(t, size)
            rows.append([t, row["accesses"], row["distinct"], row["frames"], str(traces.evictions(t, "opt", size))] +
                        [text_of(traces.over(t, p, size)) for p in shown] +
                        ["%s %s" % (NAME[best].strip("*"), text_of(traces.over(t, best, size))),
                         text_of(traces.share(t, UNIT, size) and 100 * traces.share(t, UNIT, size), "%.0f %%"), note.get("sampled", "")])
        rows.append(mean_row(traces, TITLE[part], part, shown, size))
    rows.append(mean_row(traces, "all", "all", shown, size))
    return page.markdown(head, rows)


def mean_row(traces, title, part, shown, size):
    share = traces.mean_share(UNIT, size, part)
    return (["**%s**, mean of %d" % (title, len(traces.counted(part, size))), "", "", "", ""] +
            [text_of(traces.mean(p, size, part)) for p in shown] +
            [text_of(traces.mean_of_best(size, part)), text_of(share and 100 * share, "%.0f %%"), ""])


def worst(traces):
    """The unit's ten worst at each size."""
    rows = []
    for size in SIZES:
        names = sorted(traces.counted("all", size), key=lambda t: -traces.over(t, UNIT, size))[:WORST]
        for n, t in enumerate(names):
            best = traces.best(t, size)
            rows.append([percent(size) if n == 0 else "", t, TITLE[traces.half[t]], str(traces.evictions(t, "opt", size))] +
                        [text_of(traces.over(t, p, size)) for p in (UNIT, "lru", "lirs")] +
                        ["%s %s" % (NAME[best].strip("*"), text_of(traces.over(t, best, size)))])
    return page.markdown(["memory", "trace", "half", "`opt` evicts", "the unit", "`lru`", "`lirs`", "best"], rows)


def options(traces):
    """The unit's evictions over OPT's with one option changed."""
    head = part_heads("", OPTION_SIZES)[1:]
    rows = []
    for title, default, values in OPTIONS:
        base = option(dict(values)[default]) if default is not None else UNIT
        for n, (label, options_) in enumerate(values):
            policy = option(options_)
            cells = [title if n == 0 else "", "**%s**" % label if label == default else label]
            cells += by_part("", lambda s, h, p=policy: traces.mean(p, s, h), OPTION_SIZES, "%.3f")[1:]
            rows.append(cells + [worst_change(traces, policy, base)])
    return page.markdown(["option", "value"] + head + ["loses most"], rows)


def worst_change(traces, policy, base):
    """The trace on which an option loses most against BASE, the default of its group."""
    change = {(t, s): traces.over(t, policy, s, base) for s in OPTION_SIZES for t in traces.counted("all", s)}
    (trace, size), most = max(change.items(), key=lambda item: item[1])
    return "" if most < 1.005 else "%s, %s: %+.0f %%" % (trace, percent(size), 100 * most - 100)


def bounds(traces):
    """Name, size, part, value, limit. Over all traces they must hold; by half they are shown."""
    for part in PARTS:
        for size in OPTION_SIZES:
            most = min(traces.counted(part, size), key=lambda t, s=size: traces.over(t, UNIT, s, "lru"))
            yield "evictions over `leu-exact`", size, part, traces.mean(UNIT, size, part, "leu-exact"), 1.03
            yield "evictions over `lru`", size, part, traces.mean(UNIT, size, part, "lru"), 0.70
            yield "evictions over `lru` without %s" % most, size, part, traces.mean(UNIT, size, part, "lru", (most,)), 0.80


def bound_table(traces):
    rows = [[name, TITLE[part], percent(size), "%.3f" % value, "%.2f" % limit, "holds" if value <= limit else "**does not hold**"]
            for name, size, part, value, limit in bounds(traces)]
    return page.markdown(["geometric mean", "traces", "memory", "found", "at most", ""], rows)


def split_table(traces):
    rows = [[family, TITLE[half], ", ".join(k for k in split.families()[family] if k in traces.path)]
            for family, half in split.half_of_family().items()]
    return page.markdown(["family", "half", "traces"], rows)


def all_tables(recorded, larger):
    tables = {"split": split_table(recorded), "bounds": bound_table(recorded), "options": options(recorded)}
    for name, traces in (("recorded", recorded), ("larger", larger)):
        tables.update({"policies_" + name: policies(traces), "shares_" + name: shares(traces), "worst_" + name: worst(traces)})
        tables.update({"%s_%s" % (name, size.rstrip("%")): by_trace(traces, size) for size in SIZES})
    return tables


def all_values(recorded, larger):
    """Figures in the text: SET_POLICY_SIZE_PART."""
    values = {}
    for name, traces in (("recorded", recorded), ("larger", larger)):
        for key, policy in (("unit", UNIT), ("lru", "lru"), ("lirs", "lirs"), ("exact", "leu-exact"), ("leu2", "leu2"), ("duel", UNIT + ":duel=1")):
            if policy in traces.rivals:
                values.update({"%s_%s_%s_%s" % (name, key, s.rstrip("%"), h.replace("-", "")): text_of(traces.mean(policy, s, h))
                               for s in SIZES for h in PARTS})
        values.update({"%s_best_%s_%s" % (name, s.rstrip("%"), h.replace("-", "")): text_of(traces.mean_of_best(s, h))
                       for s in SIZES for h in PARTS})
        values["%s_traces" % name] = str(len(traces.names))
    return values
