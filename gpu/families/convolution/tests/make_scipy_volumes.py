#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_scipy_volumes.py WARPLENS_CLI > scipy_volumes.json

Writes what scipy.ndimage's Gaussian makes of generated volumes, each axis with its own sigma and radius. scipy_test.cpp
compares it with what the program finds; scipy itself is needed only here.
"""
import pathlib
import sys

import numpy
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tests" / "support"))
from program_values import print_entries, values_of  # noqa: E402

MODES = {"zero": "constant", "replicate": "nearest", "reflect": "mirror", "wrap": "wrap"}
# Input, border, sigma in mm, radius along the finest axis, spacing in mm along x, y, z.
CASES = [
    ("gen:noise:9x7x5:f32:seed=3", "zero", 0.9, 2, (1, 1, 1)), ("gen:noise:9x7x5:f32:seed=4", "replicate", 1.3, 3, (1, 1, 1)),
    ("gen:noise:11x5x6:u8:seed=5", "reflect", 1.5, 5, (0.5, 0.8, 2.5)), ("gen:noise:6x11x5:u16:seed=6", "wrap", 2.0, 4, (2, 1, 1)),
    ("gen:noise:7x8x9:f32:seed=7", "reflect", 6.0, 20, (1, 1, 3)), ("gen:noise:9x8x5:f32:seed=8", "wrap", 20.0, 63, (1, 1, 1)),
]


def main():
    entries = []
    for name, border, sigma, radius, spacing in CASES:
        values = values_of(sys.argv[1], name).astype(float)
        for axis, step in enumerate(reversed(spacing)):
            reach = int(numpy.ceil(radius * min(spacing) / step - 1e-6))
            values = ndimage.gaussian_filter1d(values, sigma / step, axis, radius=reach, mode=MODES[border])
        entries.append({"input": name, "border": border, "sigma": sigma, "radius": radius, "spacing": spacing,
                        "values": [float(f"{value:.9g}") for value in values.ravel()]})
    print_entries(entries)


if __name__ == "__main__":
    main()
