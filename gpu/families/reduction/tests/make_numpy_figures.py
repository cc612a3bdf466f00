#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_numpy_figures.py WARPLENS_CLI > numpy_figures.json

Writes the figures that numpy (and math.fsum, for exact sums) finds in generated inputs and sample pictures. numpy_test.cpp
compares them with what the program finds; numpy itself is needed only here. The values come out of the program as NPY
files, which the identity filter leaves as they are.
"""
import json
import math
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[4]
SINGLE = [
    "gen:noise:211x97:u8:seed=3", "gen:noise:211x97:u16:seed=4", "gen:noise:211x97:f32:seed=5", "gen:noise:31x17x9:f32:seed=6",
    "gen:noise:101x53:u8:c=4:seed=7", "gen:gradient:211x97:u8", "gen:gradient:211x97:f32:axis=xy", "gen:checkerboard:211x97:u16",
    "gen:zoneplate:211x97:f32", "gen:gaussian:211x97:f32", "gen:constant:64x64:f32", "camera.png",
]
PAIRS = [
    ("gen:noise:211x97:u8:seed=3", "gen:noise:211x97:u8:seed=4"), ("gen:noise:211x97:u16:seed=3", "gen:gradient:211x97:u16"),
    ("gen:noise:211x97:f32:seed=3", "gen:zoneplate:211x97:f32"), ("gen:noise:31x17x9:f32:seed=3", "gen:noise:31x17x9:f32:seed=4"),
    ("gen:noise:101x53:u8:c=3:seed=7", "gen:noise:101x53:u8:c=3:seed=8"), ("gen:constant:64x64:f32", "gen:constant:64x64:f32"),
]
VOLUMES = ["gen:noise:7x5x4:u8:seed=1", "gen:noise:7x5x4:u16:seed=2", "gen:noise:7x5x4:f32:seed=3"]


def read(folder, name):
    out = pathlib.Path(folder) / "values.npy"
    source = name if name.startswith("gen:") else str(ROOT / "resources/samples" / name)
    subprocess.run([sys.argv[1], "run", source, "convolution", "--filter", "identity", "--alpha", "filter", "--device", "cpu",
                    "-o", str(out)], check=True, stdout=subprocess.DEVNULL)
    values = numpy.load(out)
    out.unlink()
    return values


def planes(values):
    channels = values.shape[-1] if values.ndim > 2 and values.shape[-1] in (3, 4) else 1
    return [values.reshape(-1, channels)[:, c].astype(numpy.float64) for c in range(channels)]


def statistics(values):
    channels = values.shape[-1] if values.ndim > 2 and values.shape[-1] in (3, 4) else 1
    width = values.shape[-1 if channels == 1 else -2]
    height = values.shape[-2 if channels == 1 else -3]
    rows = []
    for plane in planes(values):
        total = math.fsum(plane)
        mean = total / plane.size
        row = {"count": plane.size, "minimum": plane.min(), "maximum": plane.max(), "sum": total, "mean": mean,
               "variance": math.fsum((plane - mean) ** 2) / plane.size}
        for name, at in (("minimum", int(plane.argmin())), ("maximum", int(plane.argmax()))):
            row.update({name + "_x": at % width, name + "_y": at // width % height, name + "_z": at // width // height})
        rows.append(row)
    return rows


def comparison(a, b):
    rows = []
    span = float(numpy.ptp(b.astype(numpy.float64))) or 1.0
    for x, y in zip(planes(a), planes(b)):
        peak = {"uint8": 255.0, "uint16": 65535.0}.get(a.dtype.name, span)
        gap = numpy.abs(x - y)
        rmse = math.sqrt(math.fsum(gap * gap) / gap.size)
        rows.append({"dot": math.fsum(x * y), "max_abs": gap.max(), "mean_abs": math.fsum(gap) / gap.size, "rmse": rmse,
                     "psnr": 20 * math.log10(peak / rmse) if rmse > 0 else None, "mismatches": int((x != y).sum())})
    return rows


def main():
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        for name in SINGLE:
            entries.append({"input": name, "rows": statistics(read(folder, name))})
        for name, other in PAIRS:
            entries.append({"input": name, "with": other, "rows": comparison(read(folder, name), read(folder, other))})
        for name in VOLUMES:
            values = read(folder, name).astype(numpy.float64)
            for axis, along in enumerate("zyx"):
                for keep in ("maximum", "minimum", "mean", "sum"):
                    made = getattr(values, keep[:3] if keep.endswith("imum") else keep)(axis=axis)
                    entries.append({"input": name, "along": along, "keep": keep, "picture": made.tolist()})
    print("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]")


if __name__ == "__main__":
    main()
