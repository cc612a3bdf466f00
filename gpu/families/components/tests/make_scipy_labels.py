#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_scipy_labels.py WARPLENS_CLI > scipy_labels.json

Writes the labels that scipy.ndimage.label finds in generated inputs, and what find_objects and center_of_mass say of each.
scipy_test.cpp compares them with what the program finds; scipy itself is needed only here.
"""
import pathlib
import sys

import numpy
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tests" / "support"))
from program_values import print_entries, values_of  # noqa: E402

CASES = [
    ("gen:noise:37x23:u8:seed=3", 105, "4"), ("gen:noise:37x23:u8:seed=3", 150, "8"), ("gen:maze:33x21:u16", 30000, "4"),
    ("gen:hotspots:40x21:f32:count=9:sigma=3", 0.3, "8"), ("gen:noise:11x9x7:u8:seed=5", 170, "6"),
    ("gen:noise:11x9x7:f32:seed=6", 0.85, "26"),
]


def main():
    entries = []
    for name, level, connectivity in CASES:
        inside = values_of(sys.argv[1], name) > level
        structure = ndimage.generate_binary_structure(inside.ndim, 1 if connectivity in "46" else inside.ndim)
        labels, count = ndimage.label(inside, structure)
        firsts = numpy.unique(labels, return_index=True)[1]
        order = [label for label in labels.ravel()[numpy.sort(firsts)] if label > 0]
        numbers = numpy.zeros(count + 1, int)
        numbers[order] = numpy.arange(1, count + 1)
        labels = numbers[labels]
        rows = []
        for label, box in enumerate(ndimage.find_objects(labels), 1):
            centre = ndimage.center_of_mass(labels == label)
            row = {"area": int((labels == label).sum())}
            for axis, (part, at) in zip("xyz", zip(box[::-1], centre[::-1])):
                row.update({axis + "0": part.start, axis + "1": part.stop - 1, "c" + axis: float(at)})
            rows.append(row)
        entries.append({"input": name, "level": level, "connectivity": connectivity, "labels": labels.ravel().tolist(),
                        "rows": rows})
    print_entries(entries)


if __name__ == "__main__":
    main()
