#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""agreement.py WARPLENS_CLI: what the program reads and writes, against pynrrd, nibabel, tifffile and numpy.

Not run by the tests, as those packages (and imagecodecs, for tifffile) are not among the program's; run it again when a
volume format changes. Arrays of pynrrd and nibabel are x, y, z; those of NPY and TIFF z, y, x.
"""
import gzip
import itertools
import json
import pathlib
import struct
import subprocess
import sys
import tempfile

import nibabel
import nrrd
import numpy as np
import tifffile

SPACING = (0.5, 0.75, 2.0)
ORIGIN = (-3.5, 4.25, 10.0)
AXES = np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1]], float)  # one a column, towards left, posterior, superior
STORED = (np.uint8, np.uint16, np.int16, np.float32)
random = np.random.default_rng(5)
folder = pathlib.Path(tempfile.mkdtemp())


def cli(*words):
    done = subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, (words, done.stderr)
    return done.stdout


def through(source, ending, *options):
    """The same values in another file: a filter that changes nothing."""
    target = folder / f"through.{ending}"
    target.unlink(missing_ok=True)
    cli("run", source, "convolution", "--filter", "identity", "--radius", 0, "--device", "cpu", "-o", target, *options)
    return target


def values(kind, shape):
    if np.dtype(kind).kind == "f":
        return random.standard_normal(shape).astype(kind)
    low, high = (-1000, 1000) if kind == np.int32 else (np.iinfo(kind).min, np.iinfo(kind).max)
    return random.integers(low, high, shape, dtype=kind, endpoint=True)


def same(a, b):
    return a.shape == b.shape and np.array_equal(a.astype(np.float64), b.astype(np.float64))


def expect_geometry(path, axes):
    info = json.loads(cli("info", path, "--json"))
    assert np.allclose(info["spacing_mm"], SPACING, atol=1e-5), info
    assert np.allclose(info["origin_mm"], ORIGIN, atol=1e-5), info
    assert np.allclose(np.reshape(info["direction"], (3, 3)), axes, atol=1e-5), info


def nrrds():
    header = {"space": "left-posterior-superior", "space directions": (AXES * SPACING).T, "space origin": ORIGIN}
    path = folder / "theirs.nrrd"
    for kind, encoding in itertools.product(STORED, ("raw", "gzip", "bzip2", "ascii")):
        given = values(kind, (5, 7, 4))
        nrrd.write(str(path), given, {**header, "encoding": encoding}, index_order="F")
        assert same(np.load(through(path, "npy")), given.transpose(2, 1, 0)), (kind, encoding)
        expect_geometry(path, AXES)
        for options, wanted in (((), "gzip"), (("--uncompressed",), "raw")):
            ours, told = nrrd.read(str(through(path, "nrrd", *options)), index_order="F")
            assert ours.dtype == kind and np.array_equal(ours, given), (kind, ours.dtype)
            assert np.allclose(told["space directions"], header["space directions"]), told
            assert np.allclose(told["space origin"], ORIGIN) and told["encoding"] == wanted, told
            yield


def niftis():
    ras = np.diag([-1.0, -1.0, 1.0])
    affine = np.eye(4)
    affine[:3, :3] = ras @ (AXES * SPACING)
    affine[:3, 3] = ras @ ORIGIN
    scales = (None, (2.0, -3.0))
    for kind, ending, scale in itertools.product((*STORED, np.int32, np.float64), ("nii", "nii.gz"), scales):
        path = folder / f"theirs.{ending}"
        nibabel.save(nibabel.Nifti1Image(values(kind, (5, 7, 4, 3)), affine, dtype=kind), path)
        if scale:  # of values as they are stored, which nibabel would divide
            opened = gzip.open if ending.endswith("gz") else open
            with opened(path, "rb") as file:
                raw = bytearray(file.read())
            struct.pack_into("<ff", raw, 112, *scale)
            with opened(path, "wb") as file:
                file.write(bytes(raw))
        if kind == np.int32 and not scale:  # labels, which no filter takes
            info = json.loads(cli("info", path, "--json"))
            assert info["type"] == "i32", info
            yield
            continue
        wanted = np.asanyarray(nibabel.load(path).dataobj).astype(np.float64)
        for frame in (1, 3):
            got = np.load(through(path, "npy", "--frame", frame))
            assert np.allclose(got, wanted[..., frame - 1].transpose(2, 1, 0), rtol=1e-6, atol=1e-6), (kind, scale)
            yield
        expect_geometry(path, AXES)


def tiffs():
    ways = ({}, {"bigtiff": True}, {"compression": "zlib"}, {"tile": (16, 16)}, {"byteorder": ">"})
    for kind, how in itertools.product(STORED, ways):
        given, path = values(kind, (4, 21, 33)), folder / "theirs.tif"
        tifffile.imwrite(path, given, photometric="minisblack", **how)
        assert same(np.load(through(path, "npy")), given), (kind, how)
        ours = tifffile.imread(through(path, "tif"))
        assert ours.dtype == kind and np.array_equal(ours, given), (kind, how, ours.dtype)
        yield


def npys():
    for kind in (np.uint8, np.uint16, np.float32):
        given, path = values(kind, (4, 21, 33)), folder / "theirs.npy"
        np.save(path, given)
        ours = np.load(through(path, "npy"))
        assert ours.dtype == kind and np.array_equal(ours, given), kind
        yield


for check in (nrrds, niftis, tiffs, npys):
    print(f"{check.__name__}: {sum(1 for _ in check())} comparisons agree")
