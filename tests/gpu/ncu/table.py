#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""table.py NCU.csv WARPLENS_CLI OUT: the trace's counts beside the hardware's, as OUT.csv and OUT.md.

NCU.csv is what collect wrote on a machine with a GPU. The trace counts every block of its cases anew, and those of the families' hardware.txt that it
lacks keep their rows of OUT.csv; causes.csv says why a count differs, by case (or *), variant and quantity. Fails when a variant is missing, ran with another grid on the
GPU, or differs beyond the limit without a cause. Standard library only.
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from readings import read

HERE = pathlib.Path(__file__).parent

# Quantity: the report's own counters, the hardware's to be added up, by how many percent they may differ.
GLOBAL, SHARED = "_pipe_lsu_mem_global_op_", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_"
TEXTURE = "_pipe_tex_mem_texture"
QUANTITIES = {
    "global load requests": (("global_load", "requests"), {"l1tex__t_requests" + GLOBAL + "ld": 1}, 1),
    "global load sectors": (("global_load", "sectors"), {"l1tex__t_sectors" + GLOBAL + "ld": 1}, 1),
    "texture requests": (("texture", "requests"), {"l1tex__t_requests" + TEXTURE: 1}, 1),
    "texture sectors": (("texture", "sectors"), {"l1tex__t_sectors" + TEXTURE: 1}, 1),
    "global store requests": (("global_store", "requests"), {"l1tex__t_requests" + GLOBAL + "st": 1}, 1),
    "global store sectors": (("global_store", "sectors"), {"l1tex__t_sectors" + GLOBAL + "st": 1}, 1),
    "global atomic requests": (("atomics", "global", "requests"),
                               {"l1tex__t_requests" + GLOBAL + "red": 1, "l1tex__t_requests" + GLOBAL + "atom": 1}, 1),
    "shared load wavefronts": (("shared_load", "wavefronts"), {SHARED + "ld": 1}, 2),
    "shared store wavefronts": (("shared_store", "wavefronts"), {SHARED + "st": 1}, 2),
    "shared atomic requests": (("atomics", "shared", "requests"), {"smsp__inst_executed_op_shared_atom": 1}, 2),
    "floating-point operations": (("flops",), {f"smsp__sass_thread_inst_executed_op_{precision}{kind}_pred_on": 2 if kind == "fma" else 1
                                               for precision in "fd" for kind in ("fma", "add", "mul")}, 1),
}
FIELDS = ("case", "variant", "quantity", "counted", "hardware", "deviation_percent", "limit_percent", "cause")


def cases():
    for path in sorted((HERE.parents[2] / "gpu/families").glob("*/hardware.txt")):
        for line in path.read_text().splitlines():
            if line.startswith("ncu "):
                _, name, variants, arguments = line.split(maxsplit=3)
                yield name, variants.split(","), arguments


def number(text):
    return float(text.replace(",", ""))


def read_hardware(path):
    """{(case, variant): its launches, each {"grid", "block", metric: value}} and the header's {key: text}."""
    facts, read_launches = read(path)
    launches = {}
    for at, row in read_launches:
        shape = {key: [int(n) for n in re.findall(r"\d+", row[key.title() + " Size"])] for key in ("grid", "block")}
        metrics = {key[:-4]: number(text) for key, text in row.items() if key.endswith(".sum") and re.match(r"[\d,.]+$", text)}
        launches.setdefault(at, []).append(shape | metrics)
    return launches, facts


def count(cli, variants, arguments):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        subprocess.run([cli, "explain", *arguments.split(), "--variants", ",".join(variants), "--every-block", "--report", report],
                       check=True, stdout=subprocess.DEVNULL)
        return {run["variant"]: run["counters"] for run in json.loads(report.read_text())["runs"]}


def read_causes():
    with open(HERE / "causes.csv", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    return {(row["case"], row["variant"], row["quantity"]): row["cause"] for row in rows}


def read_since():
    """Kernels changed since the hardware's counters were read: {(case, variant): what}. Their figures, both, are of then."""
    with open(HERE / "since.csv", newline="") as file:
        return {(row["case"], row["variant"]): row["change"] for row in csv.DictReader(file)}


def shapes_of(counters):
    return sorted((k["grid"], k["block"]) for k in counters["kernels"] for _ in range(k["launches"]))


def compare(cli, hardware, causes, kept):
    rows, problems = [], []
    since = read_since()
    had = {(row["case"], row["variant"]) for row in kept}
    for case, variants, arguments in cases():
        old = {v for v in variants if (case, v) in since or ((case, v) not in hardware and (case, v) in had)}
        new = [v for v in variants if v not in old]
        counted = count(cli, new, arguments) if new else {}
        for variant in variants:
            if variant in old:
                rows += [row for row in kept if (row["case"], row["variant"]) == (case, variant)]
                continue
            counters = counted[variant]
            # A run may prepare its input by the same kernels, then launches once to load the code and once for the result.
            launches = hardware.get((case, variant), [])[-len(shapes_of(counters)):]
            if shapes_of(counters) != sorted((launch["grid"], launch["block"]) for launch in launches):
                problems.append(f"{case} {variant}: the GPU ran {[(x['grid'], x['block']) for x in launches]}, counted are {shapes_of(counters)}")
                continue
            for quantity, (field, metrics, limit) in QUANTITIES.items():
                ours = counters
                for key in field:
                    ours = ours[key]
                if quantity == "floating-point operations":
                    ours -= counters["atomic_flops"]  # no instruction of the multiprocessor adds there
                known = any(metric in launch for metric in metrics for launch in launches)
                theirs = sum(factor * launch.get(metric, 0) for metric, factor in metrics.items() for launch in launches)
                if ours == theirs == 0:
                    continue
                if not known:
                    problems.append(f"{case} {variant}: {quantity}: ncu gave none of {', '.join(metrics)}")
                    continue
                deviation = 100 * (ours - theirs) / theirs if theirs else float("inf")
                cause = causes.get((case, variant, quantity)) or causes.get(("*", variant, quantity)) or causes.get((case, "*", quantity), "")
                if abs(deviation) > limit and not cause:
                    problems.append(f"{case} {variant}: {quantity}: {ours:.0f} counted, {theirs:.0f} by hardware ({deviation:+.2f} %), no cause")
                rows.append(dict(zip(FIELDS, (case, variant, quantity, int(ours), int(theirs), f"{deviation:.3f}", limit,
                                              cause if abs(deviation) > limit else ""))))
    return rows, problems


def read_rows(path):
    if not path.exists():
        return []
    with open(path, newline="") as file:
        return [row | {"counted": int(row["counted"]), "hardware": int(row["hardware"])} for row in csv.DictReader(file)]


def markdown(rows, facts, older):
    within = [row for row in rows if not row["cause"]]
    equal = [row for row in rows if row["counted"] == row["hardware"]]
    lines = ["# The trace's counts beside the hardware's", "",
             f"{facts['device'].split(',')[0]}, {facts['date']}; ncu {facts['ncu'].split()[1]}, driver {facts['device'].split(', ')[-1]}. "
             "*Counted* is the trace, every block of it; *hardware* are the GPU's own counters, read by ncu. "
             "`tests/gpu/ncu/collect` and `table.py` there made this file and the `.csv` beside it.", "",
             f"Of {len(rows)} figures (what is zero on both sides is left out) {len(equal)} are equal to the last digit and {len(within)} within "
             f"their limit: {', '.join(f'{q} {limit} %' for q, (_, _, limit) in QUANTITIES.items())}. "
             "Each of the others has its cause in the last column.", ""]
    if older:
        lines += [f"Read earlier, and kept from the table before this one: {', '.join(older)}.", ""]
    since = read_since()
    if since:
        lines += ["Changed since the counters were read; counts and counters here are both of the kernel before:", ""]
        lines += [f"- {variant} ({case}): {change}" for (case, variant), change in since.items()] + [""]
    for case, _, arguments in cases():
        lines += [f"## {case}", "", f"`warplens-cli explain {arguments} --every-block`", "",
                  "| Variant | Quantity | Counted | Hardware | Deviation | Cause |", "|---|---|---:|---:|---:|---|"]
        for row in rows:
            if row["case"] == case:
                deviation = "equal" if row["counted"] == row["hardware"] else f"{float(row['deviation_percent']):+.2f} %"
                lines.append(f"| {row['variant']} | {row['quantity']} | {row['counted']:,} | {row['hardware']:,} | {deviation} | {row['cause']} |")
        lines.append("")
    return "\n".join(lines).rstrip("\n") + "\n"


def main():
    hardware, facts = read_hardware(pathlib.Path(sys.argv[1]))
    out = sys.argv[3]
    rows, problems = compare(sys.argv[2], hardware, read_causes(), read_rows(pathlib.Path(out + ".csv")))
    with open(out + ".csv", "w", newline="") as file:
        writer = csv.DictWriter(file, FIELDS, lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    read_now = {case for case, _ in hardware}
    pathlib.Path(out + ".md").write_text(markdown(rows, facts, [case for case, _, _ in cases() if case not in read_now]))
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
