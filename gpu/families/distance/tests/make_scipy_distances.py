#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_scipy_distances.py WARPLENS_CLI > scipy_distances.json

Writes the distances that scipy.ndimage.distance_transform_edt finds in generated inputs: in pixels the squares, which are
integers, of its nearest sites; with steps in mm the distances. scipy_test.cpp compares them with what the program finds;
scipy itself is needed only here.
"""
import pathlib
import sys

import numpy
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tests" / "support"))
from program_values import print_entries, values_of  # noqa: E402

CASES = [
    ("gen:noise:37x23:u8:seed=3", 12, None), ("gen:noise:70x31:u16:seed=4", 300, None), ("gen:hotspots:40x21:f32:count=9:sigma=3", 0.05, None),
    ("gen:maze:33x21:u8", 10, None), ("gen:noise:11x9x7:u8:seed=5", 8, None), ("gen:noise:37x23:f32:seed=6", 0.03, [0.7, 1.25, 1]),
    ("gen:noise:11x9x7:f32:seed=6", 0.02, [0.5, 0.8, 3]),
]


def main():
    entries = []
    for name, level, spacing in CASES:
        values = values_of(sys.argv[1], name)
        away = ~(values <= level)
        if spacing is None:
            nearest = ndimage.distance_transform_edt(away, return_distances=False, return_indices=True)
            steps = nearest - numpy.indices(values.shape)
            entry = {"squared": (steps.astype(int) ** 2).sum(0).ravel().tolist()}
        else:
            found = ndimage.distance_transform_edt(away, sampling=spacing[::-1][3 - values.ndim:])
            entry = {"spacing": spacing, "distances": [float(f"{value:.9g}") for value in found.ravel()]}
        entries.append({"input": name, "level": level, **entry})
    print_entries(entries)


if __name__ == "__main__":
    main()
