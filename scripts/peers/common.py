# SPDX-License-Identifier: Apache-2.0
"""What every family's peers.py uses: the inputs of cases, times by CUDA events, rows of results, and the definition of a filter on a corner."""
import ctypes
import itertools
import time

import numpy as np

ANY = None  # of a parameter: whatever its value
CUPY_BORDERS = {"zero": "constant", "replicate": "nearest", "reflect": "mirror", "wrap": "grid-wrap"}
NPP_BORDERS = {"zero": 1, "replicate": 2, "reflect": 4}


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


def channels_of(description):
    return next((int(part[2:]) for part in description.split(":")[4:] if part.startswith("c=")), 1)


def is_volume(description):
    return description.split(":")[2].count("x") == 2


def extents(description, scale):
    sides = [int(n) for n in description.split(":")[2].split("x")]
    return [n if n <= 16 else max(16, n // scale) for n in sides][::-1]


def spiral(shape, keys):
    y, x = np.ogrid[0 : shape[0], 0 : shape[1]]
    ring = np.minimum(np.minimum(x, y), np.minimum(shape[1] - 1 - x, shape[0] - 1 - y))
    return (ring % 2 == 0) ^ ((x == ring) & (y == ring + 1))


def checkerboard(shape, keys):
    return sum(np.ogrid[tuple(slice(n) for n in shape)][axis] // int(keys.get("cell", 8)) for axis in range(len(shape))) % 2


def blobs(shape, keys):
    """Random values a cell, smooth between them: of the same kind as the program's, not the same."""
    cell = int(keys.get("cell", 16))
    values = np.random.default_rng(0).random([n // cell + 2 for n in shape], dtype=np.float32)
    for axis, n in enumerate(shape):
        t = (np.arange(n) % cell / cell).astype(np.float32).reshape([-1 if a == axis else 1 for a in range(len(shape))])
        left = np.take(values, np.arange(n) // cell, axis)
        values = left + (np.take(values, np.arange(n) // cell + 1, axis) - left) * (t * t * (3 - 2 * t))
    return values


def coins(shape, keys):
    """Discs of random size, one a cell, on a dark ground."""
    cell, random = int(keys.get("cell", 64)), np.random.default_rng(0)
    radius = cell * (0.22 + 0.24 * random.random([n // cell + 1 for n in shape], dtype=np.float32))
    squared = sum((np.arange(n) % cell - (cell - 1) / 2).reshape([-1 if a == axis else 1 for a in range(len(shape))]) ** 2 for axis, n in enumerate(shape))
    own = np.ix_(*[np.arange(n) // cell for n in shape])
    return np.where(squared < radius[own] ** 2, 0.7, 0.22)


# What generated pictures have in regions.
REGIONS = {
    "spiral": spiral,
    "comb": lambda shape, keys: (np.arange(shape[0])[:, None] >= shape[0] - 1) | (np.arange(shape[1]) % 2 == 0),
    "checkerboard": checkerboard,
    "blobs": blobs,
    "coins": coins,
}


def picture(description, scale):
    parts = description.split(":")
    kind, kind_type = parts[1], np.dtype({"u8": "uint8", "u16": "uint16", "f32": "float32"}[parts[3]])
    channels = channels_of(description)
    shape = ([channels] if channels > 1 and kind in ("noise", "normal") else []) + extents(description, scale)
    full = 1.0 if kind_type == np.float32 else np.iinfo(kind_type).max
    random = np.random.default_rng(0)
    if kind == "constant":
        values = np.full(shape, np.ceil(full / 2) if full > 1 else 0.5)
    elif kind == "gradient":
        y, x = np.ogrid[0 : shape[-2], 0 : shape[-1]]
        values = full * (x + y) / (shape[-2] + shape[-1] - 2) * np.ones(shape)
    elif kind in REGIONS:
        keys = dict(p.split("=") for p in parts[4:])
        values = full * REGIONS[kind](tuple(shape), keys)
    elif kind == "normal":
        values = np.clip(random.normal(0.4, 0.12, shape), 0, 1) * full
    else:
        values = random.random(shape, dtype=np.float32) * full
    values = (values if full == 1 else np.rint(values)).astype(kind_type)
    # Channels of what is not random are equal.
    return values if channels == 1 or len(shape) > len(extents(description, scale)) else np.repeat(values[None], channels, 0)


def summary(samples):
    ms = sorted(samples)
    n = len(ms)
    half = 0.98 * n**0.5
    low, high = max(0, int(np.floor(n / 2 - half))), min(n - 1, int(np.ceil(n / 2 + half)) - 1)
    quantile = lambda q: float(np.quantile(ms, q))
    return {"clock": "cuda-event", "median_ms": quantile(0.5), "q1_ms": quantile(0.25), "q3_ms": quantile(0.75), "min_ms": ms[0],
            "low_ms": ms[low], "high_ms": ms[high], "samples": n, "l2": "cold"}


CYCLES_PER_MS = 2_000_000  # no GPU asked here is faster than 2 GHz


def timed(call, event, elapsed, hold):
    """The time of a call on the GPU: `hold(cycles)` keeps the GPU busy until the call is queued, so that launching it from Python is not
    counted, and what takes less than 50 microseconds is repeated between one pair of events, as the program does it. A call that waits for
    the GPU counts what it waits for."""

    def sample(repeats, cycles):
        begin, end = event(), event()
        if cycles:
            hold(cycles)
        begin.record()
        queued = time.perf_counter()
        for _ in range(repeats):
            call()
        queued = (time.perf_counter() - queued) * 1e3
        end.record()
        end.synchronize()
        return elapsed(begin, end) / repeats, queued

    first = [sample(1, 0) for _ in range(3)][-1]
    cycles = lambda queued: int(min(20.0, 1.5 * queued + 0.05) * CYCLES_PER_MS)
    alone = min(sample(1, cycles(first[1]))[0] for _ in range(3))
    repeats = max(1, min(32, int(np.ceil(0.05 / max(alone, 1e-3)))))
    return summary([sample(repeats, cycles(first[1] * repeats))[0] for _ in range(20)])


L2_BYTES = 50 << 20  # of an H100 and an H200


def row(name, time, check, byte_count, note=""):
    """`note` says in what the result is another than asked; one with a note is no better peer than one without."""
    # Calls follow one another: what fits the cache lies there since the last one.
    time = {**time, "l2": "cold" if byte_count > L2_BYTES else "warm"}
    return {"variant": name, "kind": "library", "runs_on": "cuda:0", "status": "ok", "reason": None, "tunables": {}, "time": time,
            "upload_ms": None, "layout_ms": None, "download_ms": None, "bandwidth_gbs": byte_count / time["median_ms"] * 1e-6,
            "percent_of_limit": None, "launch": None,
            "verification": {"max_abs_error": float(check[0]), "bound": float(check[1]), "checked_share": check[2], "mismatches": int(check[0] > check[1]),
                             "first_mismatch": None, "note": note},
            "counters": None, "result": [], "evolution": None}


def around(n, size, radius, border):
    """Of the first `size` places of a line of n the indices that a filter reads, and which of them lie inside."""
    i = np.arange(-radius, size + radius)
    inside = (i >= 0) & (i < n)
    if border == "wrap":
        return i % n, inside
    if border == "reflect":
        period = max(1, 2 * (n - 1))
        j = np.abs(i) % period
        return np.where(j >= n, period - j, j), inside
    return np.clip(i, 0, n - 1), inside


def filtered(values, weights, border):
    """The definition on a corner, in double precision: values and weights have as many axes."""
    most = 64 if weights.ndim == 2 else 24
    size = [min(most, n) for n in values.shape]
    read = [around(n, s, w // 2, border) for n, s, w in zip(values.shape, size, weights.shape)]
    padded = values[np.ix_(*(i for i, _ in read))].astype(np.float64)
    if border == "zero":
        for axis, (_, inside) in enumerate(read):
            padded *= inside.reshape([-1 if a == axis else 1 for a in range(values.ndim)])
    out = np.zeros(size)
    for at in itertools.product(*(range(n) for n in weights.shape)):
        out += weights[at] * padded[tuple(slice(a, a + s) for a, s in zip(at, size))]
    return out


def corner_check(result, values, weights, border, roundings=1):
    """A result's first corner: two borders or three and the inside beside them. An integer is rounded or cut off so many times on its way."""
    exact = filtered(values, weights, border)
    corner = tuple(slice(n) for n in exact.shape)
    error = np.abs(result[corner].astype(np.float64) - exact).max()
    # A library sums in its own order, TF32 left out.
    size = float(np.abs(weights).sum() * np.abs(values[corner].astype(np.float64)).max())
    bound = 64 * (weights.size + 1) * np.finfo(np.float32).eps * size + (roundings if result.dtype != np.float32 else 0)
    return float(error), float(bound), exact.size / values.size


def gaussian(radius, sigma=0.0):
    # OpenCV's rule for a sigma of 0, as Warplens has it; weights rounded to f32.
    sigma = sigma or 0.3 * (radius - 1) + 0.8
    g = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return (g / g.sum()).astype(np.float64)
