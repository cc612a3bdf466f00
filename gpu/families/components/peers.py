# SPDX-License-Identifier: Apache-2.0
"""What PyTorch, CuPy and NPP do of this family's tasks, for scripts/bench-peers."""
from peers.common import ANY, row

# Parameters, with their values, that peers do as the program does; a task with another one has no peers.
UNDERSTOOD = {"level": ANY, "connectivity": ANY}


def cupy(peer, case, values):
    """Masks are made beforehand, and no table: numbers of labels and pixels are compared with those of SciPy."""
    import scipy.ndimage

    corners = case["parameters"].get("connectivity", "all") not in ("4", "6")
    if values.ndim == 2 and case["parameters"].get("connectivity") in ("6", "26"):
        return
    structure = scipy.ndimage.generate_binary_structure(values.ndim, values.ndim if corners else 1)
    mask = values > float(case["parameters"]["level"])
    exact, count = scipy.ndimage.label(mask, structure)
    x = peer.cupy.asarray(mask)
    call = lambda: peer.ndimage.label(x, structure)
    labels, found = call()
    wrong = abs(int(found) - count) + int((labels.get() != exact).sum())
    yield row("cupy_label", peer.timed(call), (wrong, 0, 1.0), values.nbytes + 4 * values.size)
    try:
        from cucim.skimage.measure import label
    except ImportError:
        return
    call = lambda: label(x, connectivity=values.ndim if corners else 1)
    wrong = abs(int(call().max()) - count)
    yield row("cucim_label", peer.timed(call), (wrong, 0, 1.0), values.nbytes + 4 * values.size)
