# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
from peers.common import row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"product"}, "matrix": {"laplacian"}}


def torch(peer, case, values):
    """The Laplacian of a picture as a matrix in rows, the outermost pixels kept, times its pixels: cuSPARSE."""
    torch, parameters = peer.torch, case["parameters"]
    if values.ndim != 2 or "mask" in parameters or parameters.get("matrix", "laplacian") != "laplacian":
        return
    height, width = values.shape
    inner = torch.zeros(values.shape, dtype=torch.bool, device="cuda")
    inner[1:-1, 1:-1] = True
    inner = inner.ravel()
    starts = torch.zeros(values.size + 1, dtype=torch.int32, device="cuda")
    starts[1:] = torch.cumsum(torch.where(inner, 5, 1), 0)
    offsets = torch.tensor([-width, -1, 0, 1, width], dtype=torch.int32, device="cuda")
    kept = inner[:, None] | (offsets == 0)
    columns = (torch.arange(values.size, dtype=torch.int32, device="cuda")[:, None] + offsets)[kept]
    weights = torch.where(offsets == 0, torch.where(inner, 4.0, 1.0)[:, None], -1.0)[kept]
    matrix = torch.sparse_csr_tensor(starts, columns, weights, (values.size, values.size))
    x = torch.tensor(values, device="cuda").float()
    call = lambda: matrix @ x.ravel()
    exact = x.double()
    exact[1:-1, 1:-1] = 4 * exact[1:-1, 1:-1] - (x[:-2, 1:-1].double() + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    error = (call().reshape(height, width) - exact).abs()
    wrong = int((error > 48 * 2.0**-24 * x.abs().max()).sum())
    yield row("torch_csr", peer.timed(call), (wrong, float(error.max()), 1.0), 8 * values.size)
