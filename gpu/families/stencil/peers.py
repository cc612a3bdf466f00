# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
import itertools

import numpy as np
from peers.common import ANY, channels_of, is_volume, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {
    "stencil": {"heat", "jacobi", "smoothing", "sharpening", "blur", "weights27", "custom"}, "iterations": ANY, "dimensions": ANY, "diffusivity": ANY,
    "step": ANY, "amount": ANY, "coefficients": ANY, "weights27": ANY, "output-type": {"f32"},
}
# Pictures of several channels lie there one behind the other.
CHANNELS = True


def taps_of(parameters, depth):
    """A step of a stencil as {(dz, dy, dx): weight}, and how many axes it reaches along."""
    name, choice = parameters.get("stencil", "heat"), parameters.get("dimensions", "auto")
    axes = int(choice) if choice != "auto" else 3 if depth > 1 else 2
    numbers = lambda id: [float(v) for v in parameters.get(id, "").replace(";", ",").split(",") if v]
    near = [(0, 0, -1), (0, 0, 1), (0, -1, 0), (0, 1, 0), (-1, 0, 0), (1, 0, 0)]
    if name == "weights27":
        weights = numbers("weights27")
        if len(weights) != 27:
            weights = [[8, 4, 2, 1][sum(abs(d) for d in at)] / 64 for at in itertools.product((-1, 0, 1), repeat=3)]
        return dict(zip(itertools.product((-1, 0, 1), repeat=3), weights)), 3
    if name == "custom":
        given = numbers("coefficients")
        axes = len(given) // 2
        return dict(zip([(0, 0, 0)] + near[: 2 * axes], given)), axes
    if name == "blur":
        axes, centre, neighbour = 1, 0.5, 0.25
    elif name == "heat":
        r = float(parameters.get("diffusivity", "1")) * float(parameters.get("step", "0.1"))
        centre, neighbour = 1 - 2 * axes * r, r
    elif name == "jacobi":
        centre, neighbour = 0.0, 1 / (2.0 * axes)
    elif name == "smoothing":
        centre, neighbour = 0.5, 1 / (4.0 * axes)
    else:
        amount = float(parameters.get("amount", "0.1"))
        centre, neighbour = 1 + 2 * axes * amount, -amount
    return {(0, 0, 0): centre, **{at: neighbour for at in near[: 2 * axes]}}, axes


def stencil_step(taps, axes, copy):
    """One step of fields (..., z, y, x) or (..., y, x); the outermost cells of the axes that it reaches along stay."""

    def shifted(field, at):
        where = [slice(None)] * field.ndim
        for back in range(1, axes + 1):
            first = 1 + at[3 - back]
            where[-back] = slice(first, field.shape[-back] - 2 + first)
        return tuple(where)

    def step(field):
        out = copy(field)
        out[shifted(field, (0, 0, 0))] = sum(weight * field[shifted(field, at)] for at, weight in taps.items() if weight)
        return out

    return step


def torch(peer, case, values):
    """All steps of an iteration, each as torch.compile fuses it; the first ten are checked."""
    torch, parameters = peer.torch, case["parameters"]
    steps, channels = int(parameters.get("iterations", "50")), channels_of(case["input"])
    if steps == 0 or channels == 4:
        return
    field = values.astype(np.float32)
    depth = values.shape[-3] if is_volume(case["input"]) else 1
    taps, axes = taps_of(parameters, depth)
    if axes == 3 and depth == 1 or min(values.shape[-axes:]) < 3:
        return
    checked = min(steps, 10)
    # Of the last axes a corner from which no step brings in what is left out.
    corner = tuple(slice(32 + checked) for _ in range(min(field.ndim - (channels > 1), 3)))
    part = (field[0] if channels > 1 else field)[corner].astype(np.float64)
    size = float(np.abs(part).max()) * max(1.0, sum(abs(w) for w in taps.values())) ** checked
    once = stencil_step(taps, axes, np.copy)
    for _ in range(checked):
        part = once(part)
    torch._dynamo.reset()  # a shape is compiled for itself
    step = torch.compile(stencil_step({at: float(np.float32(w)) for at, w in taps.items()}, axes, torch.clone), dynamic=False)
    x = torch.tensor(field, device="cuda")

    def run(count):
        u = x
        for _ in range(count):
            u = step(u)
        return u

    made = run(checked)
    made = (made[0] if channels > 1 else made)[tuple(slice(32) for _ in corner)].double().cpu().numpy()
    exact = part[tuple(slice(32) for _ in corner)]
    bound = 8 * checked * (len(taps) + 1) * float(np.finfo(np.float32).eps) * size
    check = float(np.abs(made - exact).max()), bound, exact.size / values.size
    yield row("torch_compile", peer.timed(lambda: run(steps)), check, values.nbytes + 4 * values.size)
