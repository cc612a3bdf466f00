# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import numpy as np
from peers.common import ANY, picture, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"task": {"product", "bank", "dct"}, "with": ANY, "keep": ANY}


def product_factor(case, values, scale):
    """The right factor of a case: another picture, or the picture's own transpose."""
    named = case["parameters"].get("with")
    return picture(named, scale)[::-1].copy() if named else np.ascontiguousarray(values.T).astype(np.float32)


def product_check(made, left, right, bits):
    """A corner of 64 x 64 in double precision, against the bound of `bits` bits a factor."""
    a, b = left[:64].astype(np.float64), right[:, :64].astype(np.float64)
    lacks = 2.0 ** (1 - bits) if bits < 24 else 0
    bound = ((left.shape[1] + 1) * np.finfo(np.float32).eps + lacks) * float((np.abs(a) @ np.abs(b)).max())
    return float(np.abs(made - a @ b).max()), bound, 64 * 64 / (left.shape[0] * right.shape[1])


def bank(peer, values, weights):
    torch, side = peer.torch, weights.shape[1]
    x = torch.tensor(values, device="cuda")[None, None]
    w = torch.tensor(weights, device="cuda")[:, None]
    padding = side // 2
    with torch.no_grad():
        call = lambda: torch.nn.functional.conv2d(x, w, padding=padding)
        made = call()[0, 0, :8, :8].double().cpu().numpy()
        padded = np.pad(values[: 8 + side, : 8 + side].astype(np.float64), padding)
        exact = np.array([[(padded[i : i + side, j : j + side] * weights[0]).sum() for j in range(8)] for i in range(8)])
        bound = 64 * (side * side + 1) * float(np.finfo(np.float32).eps) * float(np.abs(exact).max())
        check = float(np.abs(made - exact).max()), bound, 64 / (values.size * len(weights))
        yield row("cudnn_bank", peer.timed(call), check, values.nbytes + 4 * values.size * len(weights))


def torch(peer, case, values):
    torch, task = peer.torch, case["parameters"].get("task", "product")
    if task == "bank" and values.dtype == np.float32 and values.ndim == 2 and "with" in case["parameters"]:
        weights = np.random.default_rng(2).random([int(n) for n in case["parameters"]["with"].split(":")[2].split("x")][::-1], dtype=np.float32)
        yield from bank(peer, values, weights)
    elif task == "bank" and values.dtype == np.float32:
        yield from bank(peer, values, np.random.default_rng(2).random((48, 15, 15), dtype=np.float32))
    if task != "product" or values.ndim != 2:
        return
    right = product_factor(case, values, peer.scale)
    x, y = torch.tensor(values.astype(np.float32), device="cuda"), torch.tensor(right, device="cuda")
    for name, tf32, bits in (("torch_matmul", False, 24), ("torch_matmul_tf32", True, 11)):
        torch.backends.cuda.matmul.allow_tf32 = tf32
        call = lambda: torch.matmul(x, y)
        check = product_check(call()[:64, :64].cpu().numpy(), values, right, bits)
        yield row(name, peer.timed(call), check, values.nbytes + right.nbytes + 4 * values.shape[0] * right.shape[1], "TF32: 11 bits a factor" if tf32 else "")
    torch.backends.cuda.matmul.allow_tf32 = False


def cupy(peer, case, values):
    task = case["parameters"].get("task", "product")
    if values.ndim != 2 or task not in ("product", "dct"):
        return
    x = peer.cupy.asarray(values.astype(np.float32))
    if task == "product":
        right = product_factor(case, values, peer.scale)
        y = peer.cupy.asarray(right)
        call = lambda: peer.cupy.matmul(x, y)
        yield row("cupy_matmul", peer.timed(call), product_check(call()[:64, :64].get(), values, right, 24), values.nbytes + right.nbytes)
        return
    from cupyx.scipy import fft

    keep = int(case["parameters"].get("keep", 25))
    rows, columns = (-(-keep * n // 100) for n in values.shape)

    def cut():
        f = fft.dctn(x, norm="ortho")
        f[rows:] = 0
        f[:, columns:] = 0
        return fft.idctn(f, norm="ortho")

    # The mean alone is checked: it is the first frequency, which is always kept.
    error = abs(float(cut().mean()) - float(values.mean(dtype=np.float64)))
    yield row("cupyx_dct", peer.timed(cut), (error, 1e-4 * float(np.abs(values).max()), 1.0), 2 * values.nbytes)
