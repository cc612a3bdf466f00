#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make_scipy_steps.py WARPLENS_CLI > scipy_steps.json

Writes the steps of floods of generated inputs: scipy.ndimage.binary_dilation within a mask, step by step, which has to end
where binary_propagation does. scipy_test.cpp compares them with what the program finds; scipy itself is needed only here.
"""
import pathlib
import sys

import numpy
from scipy import ndimage

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[4] / "tests" / "support"))
from program_values import print_entries, values_of  # noqa: E402

CASES = [
    ("gen:maze:33x21:u8", [[0, 0, 0]], 0, "4"), ("gen:maze:33x21:u8", [[32, 0, 0]], 0, "8"),
    ("gen:hotspots:40x21:u8:count=9:sigma=3", [[20, 10, 0]], 90, "4"), ("gen:noise:37x23:u16:seed=3", [[18, 11, 0]], 30000, "8"),
    ("gen:constant:35x34:f32", [[3, 4, 0], [30, 20, 0]], 0, "4"), ("gen:noise:11x9x7:u8:seed=5", [[5, 4, 3]], 120, "6"),
    ("gen:noise:11x9x7:u8:seed=5", [[5, 4, 3]], 70, "26"),
]


def main():
    entries = []
    for name, seeds, tolerance, connectivity in CASES:
        values = values_of(sys.argv[1], name).astype(float)
        places = [tuple(seed[::-1][3 - values.ndim:]) for seed in seeds]
        mask = numpy.abs(values - values[places[0]]) <= tolerance
        structure = ndimage.generate_binary_structure(values.ndim, 1 if connectivity in "46" else values.ndim)
        reached = numpy.zeros(values.shape, bool)
        for place in places:
            reached[place] = True
        steps, whole = numpy.where(reached, 0, -1), ndimage.binary_propagation(reached, structure, mask)
        for level in range(1, values.size):
            reached = ndimage.binary_dilation(reached, structure, mask=mask)
            if not (reached & (steps < 0)).any():
                break
            steps[reached & (steps < 0)] = level
        assert (whole == (steps >= 0)).all()
        entries.append({"input": name, "seeds": seeds, "tolerance": tolerance, "connectivity": connectivity,
                        "steps": steps.ravel().tolist()})
    print_entries(entries)


if __name__ == "__main__":
    main()
