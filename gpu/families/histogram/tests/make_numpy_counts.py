#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_numpy_counts.py WARPLENS_CLI > numpy_counts.json

Writes the counts that numpy's searchsorted finds on the edges of the definition, for every sample picture and for generated
inputs. numpy_test.cpp compares them with what the program counts; numpy itself is needed only here. The values come out of
the program as NPY files, which the identity filter leaves as they are.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy

ROOT = pathlib.Path(__file__).resolve().parents[3]
SAMPLES = sorted(p.name for p in (ROOT / "resources/samples").glob("*.png"))
GENERATED = [
    "gen:noise:211x97:u8:seed=3", "gen:noise:211x97:u16:seed=4", "gen:noise:211x97:f32:seed=5", "gen:noise:31x17x9:f32:seed=6",
    "gen:noise:101x53:u8:c=4:seed=7", "gen:gradient:211x97:u8", "gen:gradient:211x97:f32:axis=xy", "gen:checkerboard:211x97:u16",
    "gen:zoneplate:211x97:f32", "gen:gaussian:211x97:f32", "gen:impulse:64x64:f32", "gen:constant:64x64:f32", "gen:constant:64x64:u8",
]
NAMES = {1: ["value"], 3: ["red", "green", "blue"], 4: ["red", "green", "blue", "alpha"]}


def default_range(values):
    if values.dtype == numpy.uint8:
        return 0.0, 256.0
    if values.dtype == numpy.uint16:
        return 0.0, 65536.0
    low, high = values.min(), values.max()
    if low == high:
        return float(low) - 0.5, float(low) + 0.5
    return float(low), float(numpy.nextafter(high, numpy.float32(numpy.inf)))


def count(values, low, high, bins):
    edges = low + numpy.arange(bins + 1, dtype=numpy.float64) * (high - low) / bins
    edges[-1] = high
    place = numpy.searchsorted(edges, values.astype(numpy.float64), side="right") - 1
    inside = place[(place >= 0) & (place < bins)]
    return {
        "below": int((place < 0).sum()),
        "above": int((place >= bins).sum()),
        "bins": numpy.bincount(inside, minlength=bins).tolist(),
    }


def main():
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "values.npy"
        for name in SAMPLES + GENERATED:
            source = name if name.startswith("gen:") else str(ROOT / "resources/samples" / name)
            subprocess.run([sys.argv[1], "run", source, "convolution", "--filter", "identity", "--alpha", "filter", "--device", "cpu",
                            "-o", str(out)], check=True, stdout=subprocess.DEVNULL)
            values = numpy.load(out)
            out.unlink()
            channels = values.shape[-1] if values.ndim > 2 and values.shape[-1] in (3, 4) else 1
            planes = values.reshape(-1, channels).T
            low, high = default_range(values)
            cases = [(7, None), (256, None)]
            if values.dtype == numpy.float32:
                cases.append((257, (0.1, 0.7)))
            elif values.dtype == numpy.uint16:
                cases.append((300, (1000.0, 17000.5)))
            for bins, given in cases:
                ends = given or (low, high)
                entries.append({
                    "input": name, "bins": bins, "range": "" if given is None else "%r,%r" % given,
                    "channels": [{"name": n, **count(p, *ends, bins)} for n, p in zip(NAMES[channels], planes)],
                })
    print("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]")


if __name__ == "__main__":
    main()
