# SPDX-License-Identifier: Apache-2.0
"""What PyTorch does of this family's tasks, for scripts/bench-peers: it has no non-local means, so per offset a picture of squared differences is averaged, as people write it."""
import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"patch-radius": ANY, "search-radius": ANY, "strength": ANY}


def averaged(padded, height, width, patch, search, strength, box, exp):
    """The padded picture has the patch and the search radius to each side; box() means over a patch what it is given, a patch radius wider."""
    own = padded[..., search : search + height + 2 * patch, search : search + width + 2 * patch]
    total = sums = 0
    for dy in range(2 * search + 1):
        for dx in range(2 * search + 1):
            other = padded[..., dy : dy + height + 2 * patch, dx : dx + width + 2 * patch]
            weight = exp(box((own - other) ** 2) * (-1 / strength**2))
            total = total + weight
            sums = sums + weight * other[..., patch : patch + height, patch : patch + width]
    return sums / total


def torch(peer, case, values):
    """Of floats of one channel."""
    if values.ndim != 2 or values.dtype != np.float32:
        return
    of = case["parameters"]
    patch, search, strength = int(of.get("patch-radius", 2)), int(of.get("search-radius", 5)), float(of.get("strength", 4)) / 100
    reach = patch + search
    if min(values.shape) <= reach:
        return
    x = peer.torch.tensor(values, device="cuda")
    functional = peer.torch.nn.functional

    def call():
        padded = functional.pad(x[None, None], [reach] * 4, mode="reflect")
        box = lambda squares: functional.avg_pool2d(squares, 2 * patch + 1, stride=1)
        return averaged(padded, *values.shape, patch, search, strength, box, peer.torch.exp)[0, 0]

    def box(squares):
        return np.lib.stride_tricks.sliding_window_view(squares, (2 * patch + 1,) * 2).mean((-2, -1))

    corner = values[:64, :64].shape
    around = np.pad(values, reach, "reflect")[: corner[0] + 2 * reach, : corner[1] + 2 * reach].astype(np.float64)
    exact = averaged(around, *corner, patch, search, strength, box, np.exp)
    error = float(np.max(np.abs(call()[:64, :64].cpu().numpy() - exact)))
    yield row("torch_by_offsets", peer.timed(call), (error, 1e-5, exact.size / values.size), 2 * values.nbytes)
