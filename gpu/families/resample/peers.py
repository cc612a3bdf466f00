# SPDX-License-Identifier: Apache-2.0
"""What PyTorch does of this family's tasks, for scripts/bench-peers."""
import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"resize"}, "method": {"bilinear", "catmull-rom"}, "magnification": ANY, "antialias": ANY}


def torch(peer, case, values):
    """Bilinear and cubic of a = -0.5 where PyTorch antialiases; its other cubic filter has a = -0.75."""
    method, factor = case["parameters"].get("method", "bilinear"), float(case["parameters"].get("magnification", 0.5))
    if values.ndim != 2 or values.dtype != np.float32 or (method != "bilinear" and factor >= 1):
        return
    size = [max(1, int(np.floor(n * factor + 0.5))) for n in values.shape]
    x = peer.torch.tensor(values, device="cuda")[None, None]
    mode = "bilinear" if method == "bilinear" else "bicubic"
    resize = lambda of: peer.torch.nn.functional.interpolate(of, size=size, mode=mode, antialias=factor < 1)
    error = float((resize(x).double() - resize(x.double())).abs().max())
    yield row("torch_interpolate", peer.timed(lambda: resize(x)), (error, 1e-4, 1.0), values.nbytes + 4 * size[0] * size[1])
