# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"measure": {"statistics"}, "along": ANY, "keep": {"maximum"}}


def figures_check(found, values):
    """Least, largest, mean and variance against NumPy in double precision, as the largest error relative to the values' own size."""
    exact = [float(values.min()), float(values.max()), float(values.mean(dtype=np.float64)), float(values.var(dtype=np.float64))]
    size = max(abs(exact[0]), abs(exact[1]))
    error = max(abs(f - e) / scale for f, e, scale in zip(found, exact, [size, size, size, size * size]))
    return error, 1e-5, 1.0


def projection(peer, case, values):
    if values.dtype == np.uint16:  # which PyTorch hardly computes with; the same bytes
        values = (values >> 1).astype(np.int16)
    axis = {"z": 0, "y": 1, "x": 2}[case["parameters"]["along"]]
    x = peer.torch.tensor(values, device="cuda")
    call = lambda: peer.torch.amax(x, axis)
    wrong = int((call().cpu().numpy() != values.max(axis)).sum())
    yield row("torch_amax", peer.timed(call), (wrong, 0, 1.0), values.nbytes)


def torch(peer, case, values):
    torch = peer.torch
    if case["parameters"].get("along", "all") != "all":
        if values.ndim == 3:
            yield from projection(peer, case, values)
    elif values.dtype == np.float32:
        x = torch.tensor(values, device="cuda").ravel()
        call = lambda: (torch.aminmax(x), x.sum(), torch.var_mean(x, correction=0))
        found = [float(v) for v in (*call()[0], *call()[2])]
        yield row("torch_statistics", peer.timed(call), figures_check(found, values), values.nbytes)


def cupy(peer, case, values):
    if case["parameters"].get("along", "all") != "all":
        return
    x = peer.cupy.asarray(values).ravel()
    call = lambda: (x.min(), x.max(), x.mean(), x.var())
    found = [float(v) for v in call()]
    yield row("cupy_statistics", peer.timed(call), figures_check(found, values), values.nbytes)


def npp(peer, case, values):
    if values.ndim != 2 or values.dtype == np.uint16 or case["parameters"].get("along", "all") != "all":
        return
    x, kind = peer.cupy.asarray(values), "8u" if values.dtype == np.uint8 else "32f"
    source, size = peer.image(x, 1)
    wanted, buffers, calls = ctypes.c_size_t(), [], []
    found = peer.cupy.zeros(4, np.float64)
    extremes = peer.cupy.zeros(2, values.dtype)
    at = lambda array, i: ctypes.c_void_p(array.data.ptr + i * array.itemsize)
    for name, outputs in ((f"nppiMinMax_{kind}_C1R", [at(extremes, 0), at(extremes, 1)]), (f"nppiMean_StdDev_{kind}_C1R", [at(found, 2), at(found, 3)])):
        sizing = name.replace("nppiMinMax", "nppiMinMaxGetBufferHostSize").replace("nppiMean_StdDev", "nppiMeanStdDevGetBufferHostSize")
        peer.call(getattr(peer.statistics, f"{sizing}_Ctx"), size, ctypes.byref(wanted))
        buffers.append(peer.cupy.empty(wanted.value, np.uint8))
        buffer = ctypes.c_void_p(buffers[-1].data.ptr)
        order = [*outputs, buffer] if "MinMax" in name else [buffer, *outputs]
        calls.append(peer.call(getattr(peer.statistics, f"{name}_Ctx"), *source, size, *order))
    once = lambda: [call() for call in calls]
    least, largest = extremes.get()
    mean, deviation = found.get()[2:]
    check = figures_check([float(least), float(largest), float(mean), float(deviation) ** 2], values)
    yield row("npp_statistics", peer.timed(once), check, values.nbytes)
