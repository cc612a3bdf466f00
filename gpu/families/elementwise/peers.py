# SPDX-License-Identifier: Apache-2.0
"""What PyTorch and CuPy do of this family's tasks, for scripts/bench-peers."""
import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"copy", "invert", "exposure", "gamma"}, "stops": ANY, "gamma": ANY, "output-type": {"same"}}


def tasks(parameters):
    """Each task of floats, by operators that both libraries have."""
    return {"copy": lambda x: x + 0, "invert": lambda x: 1 - x, "exposure": lambda x: x * 2.0 ** float(parameters.get("stops", 1)),
            "gamma": lambda x: x ** (1 / float(parameters.get("gamma", 2.2)))}


def timed(peer, name, case, values, x, back):
    task = tasks(case["parameters"])[case["parameters"].get("task", "invert")]
    exact = task(values.astype(np.float64))
    error = float(np.max(np.abs(back(task(x)) - exact)))
    yield row(name, peer.timed(lambda: task(x)), (error, 1e-5 * float(np.max(np.abs(exact))), 1.0), 2 * values.nbytes)


def torch(peer, case, values):
    if values.dtype == np.float32:
        yield from timed(peer, "torch_elementwise", case, values, peer.torch.tensor(values, device="cuda"), lambda y: y.cpu().numpy())


def cupy(peer, case, values):
    if values.dtype == np.float32:
        yield from timed(peer, "cupy_elementwise", case, values, peer.cupy.asarray(values), lambda y: y.get())
