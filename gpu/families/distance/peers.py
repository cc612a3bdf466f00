# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import ctypes

import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"level": ANY, "squared": {"false"}, "spacing": {"pixels"}}


def asks_distance(case):
    """Whether peers can be asked: pictures of noise are made alike here, and their distances are roots in pixels."""
    return case["input"].startswith("gen:noise:") and "level" in case["parameters"]


def distance_check(found, values, level):
    """Against every site's distance from 32 places; sites farther off than the farthest of them could be are left out."""
    places = np.random.default_rng(3).integers(0, values.shape, (32, values.ndim))
    wrong = 0
    for place in places:
        for reach in (64, max(values.shape)):
            first = np.maximum(place - reach, 0)
            part = values[tuple(slice(a, b) for a, b in zip(first, place + reach + 1))]
            sites = np.argwhere(part <= level)
            if len(sites) and (square := int(((sites + first - place) ** 2).sum(1).min())) <= reach * reach:
                wrong += abs(float(found[tuple(place)]) - square**0.5) > 1e-6 * square**0.5
                break
    return wrong, 0, 32 / values.size


def cupy(peer, case, values):
    if not asks_distance(case):
        return
    level = float(case["parameters"]["level"])
    x = peer.cupy.asarray(values > level)
    ways = {"cupy_distance": lambda: peer.ndimage.distance_transform_edt(x)}
    try:
        from cucim.core.operations.morphology import distance_transform_edt

        ways["cucim_distance"] = lambda: distance_transform_edt(x)
    except ImportError:
        pass
    for name, call in ways.items():  # of a mask that was made before
        yield row(name, peer.timed(call), distance_check(call().get(), values, level), 5 * values.size)


def npp(peer, case, values):
    if not asks_distance(case) or values.ndim != 2 or values.dtype != np.uint8:
        return
    level = float(case["parameters"]["level"])
    x = peer.cupy.asarray(values)
    out = peer.cupy.empty(values.shape, np.float32)
    source, size = peer.image(x, 1)
    wanted = ctypes.c_size_t()
    peer.filtering.nppiDistanceTransformPBAGetBufferSize(size, ctypes.byref(wanted))
    buffer = peer.cupy.empty(wanted.value, np.uint8)
    nothing = [ctypes.c_void_p(), ctypes.c_int(0)]
    once = peer.call(peer.filtering.nppiDistanceTransformPBA_8u32f_C1R_Ctx, *source, ctypes.c_ubyte(0), ctypes.c_ubyte(int(level)), *nothing, *nothing,
                     *nothing, *peer.image(out, 1)[0], size, ctypes.c_void_p(buffer.data.ptr))
    check = distance_check(out.get(), values, level)
    yield row("npp_distance", peer.timed(once), check, 5 * values.size)
