# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"sums", "integral", "compact", "box"}, "along": ANY, "kind": {"inclusive"}, "level": ANY, "radius": ANY}


def level_of(case):
    return float(case["parameters"].get("level", 0.5))


def running_sums(package, peer, case, values, sums):
    """Sums of a case, by cumsum over these axes (none: over all values); `sums` gives its result and the call that is timed."""
    task, along = case["parameters"].get("task", "sums"), case["parameters"].get("along", "values")
    if task not in ("sums", "integral") or values.dtype == np.uint16 or values.ndim != 2:
        return
    axes = [1, 0] if task == "integral" else {"values": [], "rows": [1], "columns": [0]}[along]
    result, call = sums(axes)
    floats = values.dtype == np.float32
    exact = values if axes else values.ravel()
    for axis in axes or [0]:
        exact = np.cumsum(exact, axis, dtype=np.float64 if floats else np.uint32)
    found = result()
    error = float(np.abs(found - exact).max()) if floats else float((found.astype(np.uint32) != exact).sum())
    bound = 64 * float(np.finfo(np.float32).eps) * float(np.abs(exact).max()) if floats else 0.0
    yield row(f"{package}_cumsum", peer.timed(call), (error, bound, 1.0), values.nbytes + 4 * values.size)


def torch(peer, case, values):
    torch = peer.torch
    x = torch.tensor(values, device="cuda") if values.dtype != np.uint16 else None

    def sums(axes):
        kind = torch.float32 if values.dtype == np.float32 else torch.int32

        def call():
            y = x if axes else x.ravel()
            for axis in axes or [0]:
                y = torch.cumsum(y, axis, dtype=kind)
            return y

        return lambda: call().cpu().numpy(), call

    yield from running_sums("torch", peer, case, values, sums)
    if case["parameters"].get("task") == "compact" and x is not None:
        call = lambda: torch.nonzero(x.ravel() > level_of(case))
        kept = np.flatnonzero(values > level_of(case))
        wrong = int(call().numel() != kept.size or (call().cpu().numpy().ravel() != kept).sum())
        yield row("torch_nonzero", peer.timed(call), (wrong, 0, 1.0), values.nbytes)


def cupy(peer, case, values):
    cupy = peer.cupy
    x = cupy.asarray(values)

    def sums(axes):
        kind = cupy.float32 if values.dtype == np.float32 else cupy.uint32

        def call():
            y = x if axes else x.ravel()
            for axis in axes or [0]:
                y = cupy.cumsum(y, axis, dtype=kind)
            return y

        return lambda: call().get(), call

    yield from running_sums("cupy", peer, case, values, sums)
    if case["parameters"].get("task") == "compact":
        call = lambda: cupy.flatnonzero(x > level_of(case))
        kept = np.flatnonzero(values > level_of(case))
        wrong = int(call().size != kept.size or (call().get() != kept).sum())
        yield row("cupy_flatnonzero", peer.timed(call), (wrong, 0, 1.0), values.nbytes)
    if case["parameters"].get("task") == "box" and values.dtype == np.float32 and values.ndim == 2:
        # Its windows are mirrored at edges; those that lie inside are the same.
        r = int(case["parameters"]["radius"])
        call = lambda: peer.ndimage.uniform_filter(x, 2 * r + 1)
        exact = values[: 2 * r + 1, : 2 * r + 1].astype(np.float64).mean()
        error, bound = abs(float(call()[r, r]) - exact), 1e-4 * float(np.abs(values[: 2 * r + 1, : 2 * r + 1]).mean())
        yield row("cupy_uniform_filter", peer.timed(call), (error, bound, 1 / values.size), 2 * values.nbytes)


def npp(peer, case, values):
    if case["parameters"].get("task") != "integral" or values.dtype != np.uint8 or values.ndim != 2:
        return
    # NPP's integral has a row and a column of zeros before it.
    x = peer.cupy.asarray(values)
    out = peer.cupy.empty((values.shape[0] + 1, values.shape[1] + 1), np.int32)
    source, size = peer.image(x, 1)
    once = peer.call(peer.statistics.nppiIntegral_8u32s_C1R_Ctx, *source, *peer.image(out, 1)[0], size, ctypes.c_int(0))
    exact = np.cumsum(np.cumsum(values, 0, dtype=np.uint32), 1, dtype=np.uint32)
    wrong = int((out[1:, 1:].get().view(np.uint32) != exact).sum())
    yield row("npp_integral", peer.timed(once), (wrong, 0, 1.0), 5 * values.nbytes)
