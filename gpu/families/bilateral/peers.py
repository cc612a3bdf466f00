# SPDX-License-Identifier: Apache-2.0
"""What PyTorch does of this family's tasks, for scripts/bench-peers: it has no bilateral filter, so a picture is moved by each tap, as people write it."""
import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"radius": ANY, "sigma-space": ANY, "sigma-value": ANY}


def averaged(library, x, padded, radius, space, value):
    height, width = x.shape[-2:]
    total, sums = library.zeros_like(x), library.zeros_like(x)
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            if dx * dx + dy * dy > radius * radius:
                continue
            tap = padded[..., radius + dy : radius + dy + height, radius + dx : radius + dx + width]
            weight = library.exp((tap - x) ** 2 * (-0.5 / value**2) - (dx * dx + dy * dy) / (2 * space**2))
            total += weight
            sums += weight * tap
    return sums / total


def torch(peer, case, values):
    """Of floats of one channel."""
    if values.ndim != 2 or values.dtype != np.float32:
        return
    of = case["parameters"]
    radius, space, value = int(of.get("radius", 5)), float(of.get("sigma-space", 3)), float(of.get("sigma-value", 10)) / 100
    if min(values.shape) <= radius:
        return
    x = peer.torch.tensor(values, device="cuda")

    def call():
        padded = peer.torch.nn.functional.pad(x[None, None], [radius] * 4, mode="reflect")[0, 0]
        return averaged(peer.torch, x, padded, radius, space, value)

    corner = values[:64, :64].astype(np.float64)
    around = np.pad(values, radius, "reflect")[: corner.shape[0] + 2 * radius, : corner.shape[1] + 2 * radius].astype(np.float64)
    exact = averaged(np, corner, around, radius, space, value)
    error = float(np.max(np.abs(call()[:64, :64].cpu().numpy() - exact)))
    yield row("torch_by_taps", peer.timed(call), (error, 1e-5, corner.size / values.size), 2 * values.nbytes)
