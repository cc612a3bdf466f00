# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, around, channels_of, CUPY_BORDERS, NPP_BORDERS, row, Size

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {
    "task": {"rank", "open", "close"}, "radius": ANY, "percentile": {"0", "50", "100"}, "shape": {"square"}, "dimensions": {"2"},
    "border": {"zero", "replicate", "reflect", "wrap"},
}
# Pictures of several channels lie there one behind the other.
CHANNELS = True


def median_check(found, values, side, border="replicate"):
    """Against NumPy on a corner."""
    radius, size = side // 2, [min(48, n) for n in values.shape]
    read = [around(n, s, radius, border) for n, s in zip(values.shape, size)]
    padded = values[np.ix_(*(i for i, _ in read))]
    if border == "zero":
        padded = padded * np.outer(*(inside for _, inside in read)).astype(values.dtype)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (side, side))
    exact = np.sort(windows.reshape(*windows.shape[:2], -1), -1)[..., side * side // 2]
    wrong = int((found[: exact.shape[0], : exact.shape[1]] != exact).sum())
    return wrong, 0, exact.size / values.size


def cupy(peer, case, values):
    parameters = case["parameters"]
    radius, percentile, border = int(parameters.get("radius", "1")), parameters.get("percentile", "50"), parameters.get("border", "replicate")
    mode, task, flat = CUPY_BORDERS[border], parameters.get("task", "rank"), values.ndim - 2
    if flat > 1 or channels_of(case["input"]) == 4:
        return
    x, side = peer.cupy.asarray(values), 2 * radius + 1
    out, window = peer.cupy.empty_like(x), (1,) * flat + (side, side)  # channels and slices one by one
    extremes = ["minimum_filter", "maximum_filter"]
    if task != "rank" or percentile != "50":
        names = extremes if task == "open" else extremes[::-1] if task == "close" else [extremes[percentile != "0"]]

        def call():
            made = x
            for name in names:
                made = getattr(peer.ndimage, name)(made, window, mode=mode)
            return made

        import scipy.ndimage

        exact = values[0] if flat else values
        for name in names:
            exact = getattr(scipy.ndimage, name)(exact, side, mode=mode)
        made = call()
        wrong = int(((made[0] if flat else made).get() != exact).sum())
        yield row("cupy_" + ("extreme" if len(names) == 1 else task), peer.timed(call), (wrong, 0, exact.size / values.size), 2 * values.nbytes)
        return
    if radius > 7:  # CuPy sorts every window anew: minutes of a large one
        return
    call = lambda: peer.ndimage.median_filter(x, size=window, output=out, mode=mode)
    call()
    first = (out[0] if flat else out).get(), values[0] if flat else values
    yield row("cupy_median", peer.timed(call), median_check(*first, side, border), 2 * values.nbytes)
    if border != "replicate" or flat:
        return
    try:
        from cucim.skimage.filters import median
    except ImportError:
        return
    footprint = np.ones((side, side), bool)
    call = lambda: median(x, footprint, out=out, mode="nearest")
    call()
    yield row("cucim_median", peer.timed(call), median_check(out.get(), values, side), 2 * values.nbytes)


def npp(peer, case, values):
    parameters = case["parameters"]
    side = 2 * int(parameters.get("radius", "1")) + 1
    # On 8192 x 8192 it faults with floats from 7 x 7 on and with bytes at 15 x 15, and the context is lost with it.
    most = {"float32": 5, "uint16": 7, "uint8": 11}[str(values.dtype)]
    if values.ndim != 2 or side > most or parameters.get("percentile", "50") != "50" or parameters.get("border", "replicate") != "replicate" or parameters.get("task", "rank") != "rank":
        return
    x, kind = peer.cupy.asarray(values), {"uint8": "8u", "uint16": "16u", "float32": "32f"}[str(values.dtype)]
    out = peer.cupy.empty_like(x)
    source, size = peer.image(x, 1)
    mask, anchor = Size(side, side), Size(side // 2, side // 2)
    wanted = ctypes.c_uint()
    peer.call(getattr(peer.filtering, f"nppiFilterMedianBorderGetBufferSize_{kind}_C1R_Ctx"), size, mask, ctypes.byref(wanted))
    buffer = peer.cupy.empty(max(1, wanted.value), np.uint8)
    function = f"nppiFilterMedianBorder_{kind}_C1R_Ctx"
    once = peer.call(getattr(peer.filtering, function), *source, size, Size(0, 0), *peer.image(out, 1)[0], size, mask, anchor,
                     ctypes.c_void_p(buffer.data.ptr), ctypes.c_int(NPP_BORDERS["replicate"]))
    yield row("npp_median", peer.timed(once), median_check(out.get(), values, side), 2 * values.nbytes)
