#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the arrays in fixtures/ that numpy_test.cpp compares with: stencil steps by array slices, in float64.

Not run by the tests; run it again when a case changes. Arrays are z, y, x.
"""
import pathlib

import numpy as np

FOLDER = pathlib.Path(__file__).parent / "fixtures"


def inner(a, dims, dz=0, dy=0, dx=0):
    """The inside of the volume, moved; an axis that is not in use is taken whole."""
    cut = []
    for n, used, d in zip(a.shape, (dims > 2, dims > 1, True), (dz, dy, dx)):
        cut.append(slice(1 + d, n - 1 + d) if used else slice(None))
    return a[tuple(cut)]


def star(a, c):
    dims = (len(c) - 1) // 2
    moves = [(0, 0, 0), (0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)]
    out = a.copy()
    inner(out, dims)[...] = sum(w * inner(a, dims, *m) for w, m in zip(c, moves))
    return out


def box(a, w):
    out = a.copy()
    moves = [(dz, dy, dx) for dz in (-1, 0, 1) for dy in (-1, 0, 1) for dx in (-1, 0, 1)]
    inner(out, 3)[...] = sum(wi * inner(a, 3, *m) for wi, m in zip(w, moves))
    return out


def save(name, a):
    np.save(FOLDER / f"{name}.npy", a.astype(np.float32))


def main():
    FOLDER.mkdir(exist_ok=True)
    start = np.random.default_rng(7).random((9, 7, 11), dtype=np.float32)
    save("start", start)
    start = start.astype(np.float64)

    a = start
    for _ in range(10):
        a = star(a, [1 - 6 * 0.1] + 6 * [0.1])
    save("heat3d_10", a)

    a = start
    for _ in range(7):
        a = star(a, [0.3, 0.25, 0.1, -0.2, 0.4])
    save("given2d_7", a)

    a = start
    for _ in range(5):
        a = star(a, [0.5, 0.25, 0.25])
    save("blur_5", a)

    weights = (np.arange(27) - 9) / 200
    a = start
    for _ in range(4):
        a = box(a, weights)
    save("box27_4", a)

    def held(b):
        b = b.copy()
        b[:, :, 0] = 4
        b[2:5, 3, 6:9] = -1
        return b

    a = held(start)
    for _ in range(20):
        a = held(star(a, [0] + 6 * [1 / 6]))
    save("jacobi_held_20", a)


if __name__ == "__main__":
    main()
