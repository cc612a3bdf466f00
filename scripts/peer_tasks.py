# SPDX-License-Identifier: Apache-2.0
"""What the tasks of scripts/bench-peers are, in NumPy: which of them peers do as they are meant, filters and stencils by their definition."""
import itertools

import numpy as np

ANY = None
# By family the parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {
    "convolution": {"filter": {"gaussian", "box", "custom", "sharpen", "emboss", "laplacian", "laplacian4", "laplacian8", "sobel_x", "sobel_y", "scharr_x",
                               "scharr_y", "prewitt_x", "prewitt_y"},
                    "radius": ANY, "sigma": ANY, "amount": ANY, "matrix": ANY, "dimensions": {"2", "3"}, "border": {"zero", "replicate", "reflect", "wrap"},
                    "normalise": {"false"}, "output-type": {"auto"}},
    "stencil": {"stencil": {"heat", "jacobi", "smoothing", "sharpening", "blur", "weights27", "custom"}, "iterations": ANY, "dimensions": ANY, "diffusivity": ANY,
                "step": ANY, "amount": ANY, "coefficients": ANY, "weights27": ANY, "output-type": {"f32"}},
    "histogram": {"bins": ANY, "range": ANY, "channels": {"each", "luminance"}},
    "reduction": {"measure": {"statistics"}, "along": ANY, "keep": {"maximum"}},
    "scan": {"task": {"sums", "integral", "compact", "box"}, "along": ANY, "kind": {"inclusive"}, "level": ANY, "radius": ANY},
    "layout": {"task": {"copy", "transpose", "rotate90", "rotate180", "rotate270", "flip-x", "flip-y"}},
    "rank": {"task": {"rank", "open", "close"}, "radius": ANY, "percentile": {"0", "50", "100"}, "shape": {"square"}, "dimensions": {"2"},
             "border": {"zero", "replicate", "reflect", "wrap"}},
    "merge": {"task": ANY},
    "product": {"task": {"product", "bank", "dct"}, "with": ANY, "keep": ANY},
    "sparse": {"task": {"product"}, "matrix": {"laplacian"}},
    "components": {"level": ANY, "connectivity": ANY},
    "distance": {"level": ANY, "squared": {"false"}, "spacing": {"pixels"}},
}
# Kinds of generated pictures that bench-peers makes alike, or whose values make no difference.
KINDS = {"noise", "normal", "constant", "gradient", "checkerboard", "blobs", "coins", "spiral", "comb"}
# Families with a peer for pictures of several channels, which lie there one behind the other.
CHANNELS = {"convolution", "stencil", "rank"}


def channels_of(description):
    return next((int(part[2:]) for part in description.split(":")[4:] if part.startswith("c=")), 1)


def is_volume(description):
    return description.split(":")[2].count("x") == 2


def understood(case):
    """Whether the peers do what the case asks for."""
    known = UNDERSTOOD.get(case["family"])
    kind = case["input"].split(":")[1]
    if known is None or kind not in KINDS or kind in ("spiral", "comb") and is_volume(case["input"]):
        return False
    given = {name: value for name, value in case["parameters"].items() if name != "alpha"}  # which no peer takes a picture with
    if any(name not in known or (known[name] is not ANY and value not in known[name]) for name, value in given.items()):
        return False
    return channels_of(case["input"]) == 1 or case["family"] in CHANNELS


NAMED = {
    "emboss": [-2, -1, 0, -1, 1, 1, 0, 1, 2],
    "laplacian": [0, 1, 0, 1, -4, 1, 0, 1, 0],
    "laplacian4": [0, 1, 0, 1, -4, 1, 0, 1, 0],
    "laplacian8": [1, 1, 1, 1, -8, 1, 1, 1, 1],
    "sobel_x": [-1, 0, 1, -2, 0, 2, -1, 0, 1],
    "scharr_x": [-3, 0, 3, -10, 0, 10, -3, 0, 3],
    "prewitt_x": [-1, 0, 1, -1, 0, 1, -1, 0, 1],
}


def gaussian(radius, sigma=0.0):
    # OpenCV's rule for a sigma of 0, as Warplens has it; weights rounded to f32.
    sigma = sigma or 0.3 * (radius - 1) + 0.8
    g = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return (g / g.sum()).astype(np.float64)


def weights_of(parameters):
    """The filter of a convolution, of two or three axes, as f32 in f64; None for one that is not known here."""
    name, radius = parameters.get("filter", "gaussian"), int(parameters.get("radius", "2"))
    axes = int(parameters.get("dimensions", "2"))
    if name == "gaussian":
        row = gaussian(radius, float(parameters.get("sigma", "0")))
        weights = np.outer(row, row) if axes == 2 else row[:, None, None] * np.outer(row, row)
    elif name == "box":
        weights = np.full((2 * radius + 1,) * axes, (2 * radius + 1.0) ** -axes)
    elif axes == 3:
        return None
    elif name == "custom":
        weights = np.array([[float(v) for v in line.split(",")] for line in parameters["matrix"].split(";")])
    elif name == "sharpen":
        a = float(parameters.get("amount", "1"))
        weights = np.array([[0, -a, 0], [-a, 1 + 4 * a, -a], [0, -a, 0]])
    elif name.endswith("_y"):
        weights = np.array(NAMED[name[:-1] + "x"], np.float64).reshape(3, 3).T
    else:
        weights = np.array(NAMED[name], np.float64).reshape(3, 3)
    return weights.astype(np.float32).astype(np.float64)


def result_type(values, weights):
    """Integers stay integers but where weights are negative."""
    return np.dtype(np.float32) if (weights < 0).any() else values.dtype


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


def taps_of(parameters, depth):
    """A step of a stencil as {(dz, dy, dx): weight}, and how many axes it reaches along."""
    name, choice = parameters.get("stencil", "heat"), parameters.get("dimensions", "auto")
    axes = int(choice) if choice != "auto" else 3 if depth > 1 else 2
    numbers = lambda id: [float(v) for v in parameters.get(id, "").replace(";", ",").split(",") if v]
    near = [(0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)]
    if name == "weights27":
        weights = numbers("weights27")
        if len(weights) != 27:
            weights = [[8, 4, 2, 1][sum(abs(d) for d in at)] / 64 for at in itertools.product((-1, 0, 1), repeat=3)]
        return dict(zip(itertools.product((-1, 0, 1), repeat=3), weights)), 3
    if name == "custom":
        given = numbers("coefficients")
        axes = len(given) // 2
        return dict(zip([(0, 0, 0)] + near[: 2 * axes], given)), axes
    if name == "blur":
        axes, centre, neighbour = 1, 0.5, 0.25
    elif name == "heat":
        r = float(parameters.get("diffusivity", "1")) * float(parameters.get("step", "0.1"))
        centre, neighbour = 1 - 2 * axes * r, r
    elif name == "jacobi":
        centre, neighbour = 0.0, 1 / (2.0 * axes)
    elif name == "smoothing":
        centre, neighbour = 0.5, 1 / (4.0 * axes)
    else:
        amount = float(parameters.get("amount", "0.1"))
        centre, neighbour = 1 + 2 * axes * amount, -amount
    return {(0, 0, 0): centre, **{at: neighbour for at in near[: 2 * axes]}}, axes


def stencil_step(taps, axes, copy):
    """One step of fields (..., z, y, x) or (..., y, x); the outermost cells of the axes that it reaches along stay."""

    def shifted(field, at):
        where = [slice(None)] * field.ndim
        for back in range(1, axes + 1):
            first = 1 + at[3 - back]
            where[-back] = slice(first, field.shape[-back] - 2 + first)
        return tuple(where)

    def step(field):
        out = copy(field)
        out[shifted(field, (0, 0, 0))] = sum(weight * field[shifted(field, at)] for at, weight in taps.items() if weight)
        return out

    return step
