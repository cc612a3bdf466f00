# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"bins": ANY, "range": ANY, "channels": {"each", "luminance"}}


def cupy(peer, case, values):
    bins, asked = int(case["parameters"].get("bins", "256")), case["parameters"].get("range", "")
    flat = peer.cupy.asarray(values).ravel()
    if values.dtype == np.uint8 and bins == 256 and not asked:
        call = lambda: peer.cupy.bincount(flat, minlength=256)
        wrong = int(np.abs(call().get() - np.bincount(values.ravel(), minlength=256)).max())
        yield row("cupy_bincount", peer.timed(call), (wrong, 0, 1.0), values.nbytes)
    # Its last bin takes the upper end as well, which integers below it never reach, and edges are rounded otherwise.
    span = tuple(float(v) for v in asked.split(",")) if asked else None if values.dtype == np.float32 else (0, np.iinfo(values.dtype).max + 1)
    call = lambda: peer.cupy.histogram(flat, bins, span)[0]
    moved = int(np.abs(call().get() - np.histogram(values, bins, span)[0]).sum())
    yield row("cupy_histogram", peer.timed(call), (moved, values.size // 1000, 1.0), values.nbytes)


def npp(peer, case, values):
    if values.dtype != np.uint8 or case["parameters"].get("bins", "256") != "256" or case["parameters"].get("range"):
        return
    x = peer.cupy.asarray(values.reshape(values.shape[-2], -1))
    source, size = peer.image(x, 1)
    wanted = ctypes.c_size_t()
    peer.call(peer.statistics.nppiHistogramEvenGetBufferSize_8u_C1R_Ctx, size, ctypes.c_int(257), ctypes.byref(wanted))
    buffer, counts = peer.cupy.empty(wanted.value, np.uint8), peer.cupy.zeros(256, np.int32)
    once = peer.call(peer.statistics.nppiHistogramEven_8u_C1R_Ctx, *source, size, ctypes.c_void_p(counts.data.ptr), ctypes.c_int(257),
                     ctypes.c_int(0), ctypes.c_int(256), ctypes.c_void_p(buffer.data.ptr))
    wrong = int(np.abs(counts.get() - np.bincount(values.ravel(), minlength=256)).max())
    yield row("npp_histogram", peer.timed(once), (wrong, 0, 1.0), values.nbytes)
