#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What limits the benchmark's rows, by the hardware's counters.

    limits.py rows BENCH.json          the best rows of each case that has goals of its own or missed one beside another case, as collect-limits
                                       runs it: case, variant, arguments
    limits.py table LIMITS.csv OUT     OUT.csv and OUT.md from what collect-limits wrote

Every figure is reported by ncu, from one launch with cold caches at the GPU's own clocks: times are a little longer than those
of the benchmark.
"""
import csv
import json
import sys
from fnmatch import fnmatch
from pathlib import Path

from readings import read

STALL = "smsp__average_warps_issue_stalled_"
WORDS = {"long_scoreboard": "global memory", "short_scoreboard": "shared memory", "math_pipe_throttle": "a busy arithmetic unit",
         "mio_throttle": "the queue of shared memory and conversions", "lg_throttle": "the queue of global memory",
         "not_selected": "another warp's turn", "wait": "a fixed delay", "barrier": "a barrier", "dispatch_stall": "the dispatcher",
         "no_instruction": "an instruction", "imc_miss": "a constant", "membar": "a fence"}


def figure(row, name):
    found = [text for key, text in row.items() if key.split(" ")[0].startswith(name)]
    return float(found[0].replace(",", "")) if found and found[0] else None


def rows(bench):
    suites = sorted((Path(__file__).parents[3] / "gpu/families").glob("*/suite.json"))
    done = {case["id"]: case for case in json.loads(Path(bench).read_text())["cases"] if case["report"]}
    for family, case in ((p.parent.name, case) for p in suites for case in json.loads(p.read_text())["cases"]):
        if case["id"] not in done:  # a bench of some suites, or one that was stopped
            continue
        runs = [run for run in done[case["id"]]["report"]["runs"] if run["kind"] == "kernel" and run["status"] == "ok" and run["variant"] != "auto"]
        options = " ".join(f"--{key} {value}" for key, value in case["parameters"].items())
        missed = {goal["variant"] for goal in done[case["id"]]["goals"] if goal.get("case") and goal["met"] is False}
        for variant in sorted(missed | {best(runs, goal["rows"]) for goal in case.get("goals", []) if "case" not in goal}):
            print(case["id"], variant, case["input"], family, options)


def best(runs, patterns):
    matches = lambda run, some: any(fnmatch(run["variant"], pattern) for pattern in some)
    without = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    only = [pattern for pattern in patterns if not pattern.startswith("!")]
    wanted = [run for run in runs if not matches(run, without) and (not only or matches(run, only))]
    return min(wanted, key=lambda run: run["time"]["median_ms"])["variant"]


def table(source, out):
    facts, launches = read(Path(source))
    made = []
    for (case, variant), row in launches:
        stalls = {reason: figure(row, f"{STALL}{reason}_per_issue_active") for reason in WORDS}
        worst = sorted((value, reason) for reason, value in stalls.items() if value)[::-1][:2]
        moved = (figure(row, "dram__bytes_read.sum") or 0) + (figure(row, "dram__bytes_write.sum") or 0)
        ms = figure(row, "gpu__time_duration") / 1e6
        made.append({
            "case": case, "variant": variant, "ms": f"{ms:.4f}", "dram_bytes": int(moved), "dram_gbs": f"{moved / ms / 1e6:.0f}",
            "dram_percent": figure(row, "dram__throughput"), "l2_percent": figure(row, "lts__throughput"), "l1_percent": figure(row, "l1tex__throughput"),
            "shared_percent": figure(row, "l1tex__data_pipe_lsu_wavefronts_mem_shared"), "fma_percent": figure(row, "sm__inst_executed_pipe_fma"),
            "alu_percent": figure(row, "sm__inst_executed_pipe_alu"), "xu_percent": figure(row, "sm__inst_executed_pipe_xu"),
            "tensor_percent": figure(row, "sm__inst_executed_pipe_tensor"), "issue_percent": figure(row, "smsp__issue_active"),
            "warps_percent": figure(row, "sm__warps_active"), "registers": int(figure(row, "launch__registers_per_thread") or 0),
            "waits_for": "; ".join(f"{WORDS[reason]} {value:.2f}" for value, reason in worst)})
    with open(f"{out}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, made[0], lineterminator="\n")
        writer.writeheader()
        writer.writerows(made)
    heads = {"case": "Case", "variant": "Row", "ms": "Time, ms", "dram_gbs": "DRAM, GB/s", "dram_percent": "DRAM, %", "l2_percent": "L2, %",
             "l1_percent": "L1, %", "shared_percent": "Shared, %", "fma_percent": "FMA, %", "alu_percent": "ALU, %", "tensor_percent": "Tensor, %",
             "issue_percent": "Issue, %", "warps_percent": "Warps, %", "registers": "Registers", "waits_for": "Warps wait for, warps an instruction"}
    shown = lambda value: "–" if value is None else f"{value:.0f}" if isinstance(value, float) else str(value)
    lines = [f"# What limits the benchmark's rows: {facts['device'].split(',')[0]}, {facts['date']}", "",
             "Reported by ncu, percent of the unit's peak while a multiprocessor works (DRAM, L2, shared memory: of the whole time). One launch, caches cold.",
             "", "| " + " | ".join(heads.values()) + " |", "|---|---|" + "---:|" * (len(heads) - 3) + "---|"]
    lines += ["| " + " | ".join(shown(row[key]) for key in heads) + " |" for row in made]
    Path(f"{out}.md").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    if len(sys.argv) == 3 and sys.argv[1] == "rows":
        rows(sys.argv[2])
    elif len(sys.argv) == 4 and sys.argv[1] == "table":
        table(*sys.argv[2:])
    else:
        sys.exit("limits.py rows BENCH.json | limits.py table LIMITS.csv OUT")
