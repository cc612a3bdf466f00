# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, channels_of, corner_check, CUPY_BORDERS, gaussian, is_volume, NPP_BORDERS, row, Size

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {
    "filter": {"gaussian", "box", "custom", "sharpen", "emboss", "laplacian", "laplacian4", "laplacian8", "sobel_x", "sobel_y", "scharr_x",
    "scharr_y", "prewitt_x", "prewitt_y"},
    "radius": ANY, "sigma": ANY, "amount": ANY, "matrix": ANY, "dimensions": {"2", "3"}, "border": {"zero", "replicate", "reflect", "wrap"},
    "normalise": {"false"}, "output-type": {"auto"},
}
# Pictures of several channels lie there one behind the other.
CHANNELS = True


NAMED = {
    "emboss": [-2, -1, 0, -1, 1, 1, 0, 1, 2],
    "laplacian": [0, 1, 0, 1, -4, 1, 0, 1, 0],
    "laplacian4": [0, 1, 0, 1, -4, 1, 0, 1, 0],
    "laplacian8": [1, 1, 1, 1, -8, 1, 1, 1, 1],
    "sobel_x": [-1, 0, 1, -2, 0, 2, -1, 0, 1],
    "scharr_x": [-3, 0, 3, -10, 0, 10, -3, 0, 3],
    "prewitt_x": [-1, 0, 1, -1, 0, 1, -1, 0, 1],
}


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


def torch(peer, case, values):
    torch, parameters = peer.torch, case["parameters"]
    weights = weights_of(parameters)
    if values.dtype != np.float32 or weights is None or max(weights.shape) > 31:
        return
    volume = is_volume(case["input"])
    if volume and channels_of(case["input"]) > 1 or channels_of(case["input"]) == 4 or weights.ndim == 3 and not volume:
        return
    border = parameters.get("border", "zero")
    # Channels, and the slices that a filter of two axes takes one by one, are a batch.
    batch = values[None, None] if weights.ndim == 3 or values.ndim == 2 else values[:, None]
    w = torch.tensor(weights.astype(np.float32), device="cuda")[None, None]
    x = torch.tensor(batch, device="cuda")
    conv = torch.nn.functional.conv3d if weights.ndim == 3 else torch.nn.functional.conv2d
    padding = [n // 2 for n in weights.shape]
    sides = [p for p in padding[::-1] for _ in range(2)]
    mode = {"replicate": "replicate", "reflect": "reflect", "wrap": "circular"}.get(border)
    call = (lambda: conv(torch.nn.functional.pad(x, sides, mode=mode), w)) if mode else (lambda: conv(x, w, padding=padding))
    with torch.no_grad():
        corner = tuple(slice(64) for _ in weights.shape)
        first = batch[0, 0]
        check = corner_check(call()[0, 0][corner].cpu().numpy(), first, weights, border)
        yield row("cudnn", peer.timed(call), check, 2 * values.nbytes)


def cupy(peer, case, values):
    parameters, weights = case["parameters"], weights_of(case["parameters"])
    channels, volume = channels_of(case["input"]), is_volume(case["input"])
    if weights is None or values.ndim > 3 or channels == 4 or weights.ndim == 3 and not volume:
        return
    x = peer.cupy.asarray(values)
    border = parameters.get("border", "zero")
    mode, flat = CUPY_BORDERS[border], values.ndim - weights.ndim  # a leading axis that is not filtered along
    out = peer.cupy.empty(values.shape, result_type(values, weights))
    w = peer.cupy.asarray(weights.reshape((1,) * flat + weights.shape).astype(np.float32))
    ways = {}
    if parameters.get("filter", "gaussian") == "gaussian":
        radius = int(parameters.get("radius", "2"))
        sigma = float(parameters.get("sigma", "0")) or 0.3 * (radius - 1) + 0.8
        sigmas, radii = ([0] * flat + [sigma] * weights.ndim, [0] * flat + [radius] * weights.ndim) if flat else (sigma, radius)
        ways["cupy_gaussian"] = lambda: peer.ndimage.gaussian_filter(x, sigmas, output=out, mode=mode, radius=radii)
    if weights.size <= 343:
        ways["cupy_correlate"] = lambda: peer.ndimage.correlate(x, w, output=out, mode=mode)
    first = values[0] if flat else values
    corner = tuple(slice(64) for _ in weights.shape)
    for name, call in ways.items():
        call()
        # gaussian_filter keeps the picture's type from axis to axis.
        check = corner_check((out[0] if flat else out)[corner].get(), first, weights, border, weights.ndim if name == "cupy_gaussian" else 1)
        yield row(name, peer.timed(call), check, values.nbytes + out.nbytes)


def npp(peer, case, values):
    parameters, channels = case["parameters"], channels_of(case["input"])
    border, radius = parameters.get("border", "zero"), int(parameters.get("radius", "2"))
    if channels not in (1, 3) or is_volume(case["input"]) or border not in NPP_BORDERS or parameters.get("filter", "gaussian") != "gaussian":
        return
    planes = values if channels == 1 else np.ascontiguousarray(np.moveaxis(values, 0, -1))
    x, weights, side = peer.cupy.asarray(planes), gaussian(radius, float(parameters.get("sigma", "0"))), 2 * radius + 1
    out = peer.cupy.empty_like(x)
    row_weights = peer.cupy.asarray(weights.astype(np.float32))
    all_weights = peer.cupy.asarray(np.outer(weights, weights).astype(np.float32))
    kind = {"uint8": "8u", "uint16": "16u", "float32": "32f"}[str(values.dtype)]
    source, size = peer.image(x, channels)
    target, _ = peer.image(out, channels)
    zero = Size(0, 0)
    direct = f"nppiFilterBorder{'' if kind == '32f' else '32f'}_{kind}_C{channels}R_Ctx"  # 32f: the weights' type, where it is not the picture's
    ways = {"npp_filter": (direct, [ctypes.c_void_p(all_weights.data.ptr), Size(side, side), Size(radius, radius)]),
            "npp_gauss": (f"nppiFilterGaussAdvancedBorder_{kind}_C{channels}R_Ctx", [ctypes.c_int(side), ctypes.c_void_p(row_weights.data.ptr)])}
    for name, (function, arguments) in ways.items():
        for asked in dict.fromkeys([border, "replicate"]):
            try:
                once = peer.call(getattr(peer.filtering, function), *source, size, zero, *target, size, *arguments, ctypes.c_int(NPP_BORDERS[asked]))
            except (RuntimeError, AttributeError) as refused:
                print(f"bench-peers: {case['id']}, {name}, border {asked}: {refused}")
                continue
            first = out[: 64 + 2 * radius, : 64 + 2 * radius].get()
            one = values if channels == 1 else values[0]
            square = np.outer(weights, weights).astype(np.float32).astype(np.float64)
            check = corner_check(first if channels == 1 else first[..., 0], one, square, asked)
            yield row(name, peer.timed(once), check, 2 * values.nbytes, "" if asked == border else f"border {asked}")
            break
