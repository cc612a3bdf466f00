# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import numpy as np
from peers.common import row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"copy", "transpose", "rotate90", "rotate180", "rotate270", "flip-x", "flip-y"}}


TURNS = {"copy": lambda a: a, "transpose": lambda a: a.T, "rotate90": lambda a: a[::-1].T, "rotate180": lambda a: a[::-1, ::-1],
         "rotate270": lambda a: a.T[::-1], "flip-x": lambda a: a[:, ::-1], "flip-y": lambda a: a[::-1]}


def torch(peer, case, values):
    torch, turned = peer.torch, TURNS.get(case["parameters"]["task"])
    if turned is None or values.ndim != 2:
        return
    if values.dtype == np.uint16:
        values = values.view(np.int16)
    x = torch.tensor(values, device="cuda")
    ways = {"transpose": lambda: x.t().contiguous(), "rotate90": lambda: torch.rot90(x, -1).contiguous(), "rotate180": lambda: torch.rot90(x, 2).contiguous(),
            "rotate270": lambda: torch.rot90(x, 1).contiguous(), "flip-x": lambda: torch.flip(x, (1,)), "flip-y": lambda: torch.flip(x, (0,)),
            "copy": lambda: x.clone()}
    call = ways[case["parameters"]["task"]]
    wrong = int((call().cpu().numpy() != turned(values)).sum())
    yield row("torch_turn", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)


def cupy(peer, case, values):
    turned = TURNS.get(case["parameters"]["task"])
    if turned is None or values.ndim != 2:
        return
    x = peer.cupy.asarray(values)
    call = lambda: peer.cupy.ascontiguousarray(turned(x)) if turned is not TURNS["copy"] else x.copy()
    wrong = int((call().get() != turned(values)).sum())
    yield row("cupy_turn", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)
    if case["parameters"]["task"] == "transpose" and values.dtype == np.float32:
        from cupy import cublas

        # Columns are cuBLAS's rows: the transposed picture is written as a matrix whose columns are the input's rows.
        out = peer.cupy.empty((values.shape[1], values.shape[0]), np.float32, order="C")
        call = lambda: cublas.geam("T", "N", 1.0, x.T, 0.0, out.T, out=out.T)
        call()
        wrong = int((out.get() != values.T).sum())
        yield row("cublas_geam", peer.timed(call), (wrong, 0, 1.0), 2 * values.nbytes)


def npp(peer, case, values):
    if case["parameters"]["task"] != "transpose" or values.ndim != 2:
        return
    x = peer.cupy.asarray(values)
    out = peer.cupy.empty(values.shape[::-1], values.dtype)
    function = f"nppiTranspose_{({1: '8u', 2: '16u', 4: '32f'})[values.itemsize]}_C1R_Ctx"
    once = peer.call(getattr(peer.exchange, function), *peer.image(x, 1)[0], *peer.image(out, 1)[0], peer.image(x, 1)[1])
    wrong = int((out.get() != values.T).sum())
    yield row("npp_transpose", peer.timed(once), (wrong, 0, 1.0), 2 * values.nbytes)
