# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import numpy as np
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": ANY}


def halves(values):
    """The two lists that a merge begins with, each sorted; the first has one value more where they are odd."""
    flat = values.ravel()
    middle = flat.size - flat.size // 2
    return np.sort(flat[:middle]), np.sort(flat[middle:])


def torch(peer, case, values):
    if case["parameters"].get("task", "merge") != "sort" or values.dtype == np.uint16 or values.ndim != 2:
        return
    x = peer.torch.tensor(values, device="cuda").ravel()
    call = lambda: peer.torch.sort(x)[0]
    wrong = int((call().cpu().numpy() != np.sort(values.ravel())).sum())
    yield row("torch_sort", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)


def cupy(peer, case, values):
    """CuPy has no merge: what its users call on two sorted lists is a sort of both, one behind the other."""
    task = case["parameters"].get("task", "merge")
    if values.ndim != 2:
        return
    x = peer.cupy.asarray(np.concatenate(halves(values)) if task == "merge" else values.ravel())
    exact = np.sort(values.ravel())
    if task == "quantiles":
        shares = np.array([0, 0.1, 1, 5, 25, 50, 75, 95, 99, 99.9, 100])
        call = lambda: peer.cupy.percentile(x, shares, method="lower")
        wrong = int((call().get() != np.percentile(exact, shares, method="lower")).sum())
        yield row("cupy_percentile", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)
        return
    call = lambda: peer.cupy.sort(x)
    wrong = int((call().get() != exact).sum())
    yield row("cupy_sort", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)
