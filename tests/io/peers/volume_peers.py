#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""volume_peers.py WARPLENS_CLI: NRRD, MetaImage and NIfTI as nibabel, SimpleITK and pynrrd write and read them.

Each generated file is read by its peer and by the program; values, spacing, origin and direction have to agree. Then
every bit of some compressed files is flipped: a different value with status 0 is a failure. Not run by the tests, as
those packages are not among the program's (python3 -m venv V && V/bin/pip install numpy nibabel SimpleITK pynrrd); run
it again when a volume format changes. The exit status is 1 where anything differs.
"""
import collections
import gzip
import itertools
import json
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile

import nibabel
import nrrd
import numpy as np
import SimpleITK as sitk

TYPES = (np.uint8, np.int8, np.uint16, np.int16, np.uint32, np.int32, np.uint64, np.int64, np.float32, np.float64)
# Of left-posterior-superior, one axis a column: a turn about two axes.
a, b = 0.3, 1.1
OBLIQUE = np.array([[np.cos(a), -np.sin(a) * np.cos(b), np.sin(a) * np.sin(b)],
                    [np.sin(a), np.cos(a) * np.cos(b), -np.cos(a) * np.sin(b)], [0, np.sin(b), np.cos(b)]])
DIRECTIONS = (np.eye(3), np.array([[0, 1, 0], [1, 0, 0], [0, 0, -1.0]]), OBLIQUE)
SPACING = np.array((0.5, 0.75, 2.0))
ORIGIN = np.array((-3.5, 4.25, 10.0))
TO_LPS = np.diag((-1.0, -1.0, 1.0))
MM = {"mm": 1, "um": 1e-3, "cm": 10, "m": 1000}
random = np.random.default_rng(48)
folder = pathlib.Path(tempfile.mkdtemp())
File = collections.namedtuple("File", "path frame values spacing origin direction about")
count = collections.Counter()
reasons = collections.Counter()


def values(kind, shape):
    if np.dtype(kind).kind == "f":
        return (random.standard_normal(shape) * 1000).astype(kind)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    # Whole range, extremes included.
    given = random.integers(low, high, shape, dtype=kind, endpoint=True)
    given.flat[0], given.flat[-1] = low, high
    return given


def call(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, check=False)


def zyx(array, channels=False):
    """x, y, z(, c) as nibabel and pynrrd have it, in the order of NPY."""
    return array.transpose((2, 1, 0, 3) if channels else tuple(range(array.ndim))[::-1])


def place(affine):
    """Spacing, origin and direction of left-posterior-superior of a matrix to it."""
    spacing = np.linalg.norm(affine[:3, :3], axis=0)
    return spacing, affine[:3, 3], affine[:3, :3] / spacing


def niftis():
    scales = (None, (2.0, -3.0), (0.0, 7.0), (float("nan"), float("nan")))
    for number, (kind, order, ending, scale, version) in enumerate(
            itertools.product(TYPES, "<>", ("nii", "nii.gz"), scales, (1, 2))):
        affine = np.eye(4)
        affine[:3, :3] = TO_LPS @ (DIRECTIONS[number % 3] * SPACING)
        affine[:3, 3] = TO_LPS @ ORIGIN
        maker = nibabel.Nifti1Image if version == 1 else nibabel.Nifti2Image
        header = maker.header_class(endianness=order)
        header.set_data_dtype(np.dtype(kind).newbyteorder(order))
        shape = ((5, 7, 4), (5, 7, 4, 3), (5, 7))[number % 3]
        given = values(kind, shape)
        image = maker(given, affine, header)
        sform, qform = ((1, 0), (0, 1), (2, 1))[number // 3 % 3]
        image.set_sform(affine, sform)
        image.set_qform(affine, qform)
        unit = ("mm", "meter", "micron")[number // 2 % 3]
        image.header.set_xyzt_units(unit)
        path = folder / f"n{number}.{ending}"
        nibabel.save(image, path)
        raw = bytearray(gzip.decompress(path.read_bytes()) if ending.endswith("gz") else path.read_bytes())
        slope = scale or (1.0, 0.0)
        struct.pack_into(order + ("ff" if version == 1 else "dd"), raw, 112 if version == 1 else 176, *slope)
        path.write_bytes(gzip.compress(raw) if ending.endswith("gz") else raw)
        peer = nibabel.load(path)
        wanted = np.asanyarray(peer.dataobj)
        spacing, origin, direction = place(np.diag((-1.0, -1.0, 1.0, 1.0)) @ peer.affine)
        mm = {"mm": 1, "meter": 1000, "micron": 1e-3}[unit]
        frames = (1, 3) if len(shape) == 4 else (0,)
        for frame in frames:
            shown = wanted[..., frame - 1] if frame else wanted
            shown = shown if shown.ndim == 3 else shown[..., None]
            yield File(path, frame, zyx(shown), spacing * mm, origin * mm, direction, f"{kind.__name__} {order} {scale}")
    for number, (fields, version) in enumerate(itertools.product(("RGB", "RGBA"), (1, 2))):
        dtype = np.dtype([(one, "u1") for one in fields])
        plain = random.integers(0, 255, (5, 7, 4, len(fields)), dtype=np.uint8)
        maker = nibabel.Nifti1Image if version == 1 else nibabel.Nifti2Image
        path = folder / f"c{number}.nii"
        nibabel.save(maker(np.ascontiguousarray(plain).view(dtype)[..., 0], np.eye(4)), path)
        yield File(path, 0, zyx(plain, True), np.ones(3), np.zeros(3), np.diag((-1.0, -1.0, 1.0)), fields)


def of_itk(path, about):
    image = sitk.ReadImage(str(path))
    axes = image.GetDimension()
    array = sitk.GetArrayFromImage(image)
    spacing, origin, direction = np.ones(3), np.zeros(3), np.eye(3)
    shown = min(axes, 3)
    spacing[:shown] = image.GetSpacing()[:shown]
    origin[:shown] = image.GetOrigin()[:shown]
    direction[:shown, :shown] = np.reshape(image.GetDirection(), (axes, axes))[:shown, :shown]
    frame = 0
    if axes == 4:
        frame = 2
        array = array[1]
    if axes == 2:
        array = array[None]
    return File(path, frame, array, spacing, origin, direction, about)


def itks():
    ways = (("nrrd", False), ("nrrd", True), ("nhdr", True), ("mha", False), ("mha", True), ("mhd", False),
            ("mhd", True), ("nii", False), ("nii.gz", True))
    for number, (kind, axes, channels, (ending, packed)) in enumerate(
            itertools.product(TYPES, (2, 3, 4), (1, 3), ways)):
        if ending.startswith("nii") and (channels == 3 or axes != 3):
            continue  # a vector is five dimensions there, and two lose their direction
        if channels == 3 and axes == 4:
            continue
        shape = (2, 4, 7, 5)[-axes:] + ((3,) if channels == 3 else ())
        image = sitk.GetImageFromArray(values(kind, shape), isVector=channels == 3)
        image.SetSpacing(tuple(SPACING[:axes]) + (1.0,) * (axes - 3))
        image.SetOrigin(tuple(ORIGIN[:axes]) + (0.0,) * (axes - 3))
        direction = np.eye(axes)
        inner = DIRECTIONS[number % 3] if axes > 2 else np.array([[0.8, -0.6], [0.6, 0.8]])
        direction[:len(inner), :len(inner)] = inner
        image.SetDirection(direction.flatten())
        path = folder / f"i{number}.{ending}"
        sitk.WriteImage(image, str(path), packed)
        yield of_itk(path, f"{kind.__name__} {axes} {channels} {packed}")


def metas():
    """What SimpleITK reads but does not write: the other byte order, text, values at the end of their file."""
    names = dict(zip(TYPES, ("UCHAR", "CHAR", "USHORT", "SHORT", "UINT", "INT", "ULONG_LONG", "LONG_LONG", "FLOAT", "DOUBLE")))
    for number, (kind, big, place_, header) in enumerate(
            itertools.product(TYPES, (False, True), ("LOCAL", "d.raw", "LIST"), (0, -1, 9))):
        given = values(kind, (4, 7, 5))
        data = given.astype(np.dtype(kind).newbyteorder(">" if big else "<")).tobytes()
        text = (f"ObjectType = Image\nNDims = 3\nDimSize = 5 7 4\nElementSpacing = 0.5 0.75 2\nOffset = -3.5 4.25 10\n"
                f"TransformMatrix = {' '.join(map(repr, DIRECTIONS[number % 3].T.flatten().tolist()))}\n"
                f"ElementType = MET_{names[kind]}\nElementByteOrderMSB = {big}\n")
        before = b"" if header == 0 else b"x" * (9 if header > 0 else 31)
        path = folder / f"m{number}.{'mha' if place_ == 'LOCAL' else 'mhd'}"
        if place_ == "LOCAL":
            if header > 0:
                continue
            path.write_bytes((text + f"HeaderSize = {header}\nElementDataFile = LOCAL\n").encode() + before + data)
        elif place_ == "LIST":
            part = len(data) // 4
            lines = [f"m{number}-{i}.raw" for i in range(4)]
            for i, line in enumerate(lines):
                (folder / line).write_bytes(before + data[i * part:(i + 1) * part])
            path.write_text(text + f"HeaderSize = {header}\nElementDataFile = LIST\n" + "\n".join(lines) + "\n")
        else:
            (folder / f"m{number}.raw").write_bytes(before + data)
            path.write_text(text + f"HeaderSize = {header}\nElementDataFile = m{number}.raw\n")
        yield of_itk(path, f"{kind.__name__} big={big} {place_} {header}")


def nrrds():
    spaces = {"left-posterior-superior": (1, 1, 1), "right-anterior-superior": (-1, -1, 1),
              "left-anterior-superior": (1, -1, 1), None: (1, 1, 1)}
    for number, (kind, encoding, order, (space, to_lps), detached) in enumerate(
            itertools.product(TYPES, ("raw", "gzip", "bzip2", "ascii"), ("little", "big"), spaces.items(), (False, True))):
        if encoding == "ascii" and np.dtype(kind).itemsize == 8 and np.dtype(kind).kind != "f":
            continue  # which pynrrd writes with 17 digits, and does not read
        unit = list(MM)[number % 4]
        given = values(kind, (5, 7, 4))
        header = {"encoding": encoding, "endian": order}
        direction = DIRECTIONS[number % 3]
        if space:
            header.update({"space": space, "space directions": (direction * SPACING).T, "space origin": ORIGIN,
                           "space units": [unit] * 3})
            origin, direction = np.array(to_lps) * ORIGIN, np.diag(to_lps) @ direction
        else:
            header.update({"spacings": SPACING, "units": [unit] * 3})
            origin, direction = np.zeros(3), np.eye(3)
        path = folder / f"r{number}.{'nhdr' if detached else 'nrrd'}"
        nrrd.write(str(path), given.astype(np.dtype(kind).newbyteorder("<" if order == "little" else ">")), header,
                   index_order="F", detached_header=detached)
        wanted, told = nrrd.read(str(path), index_order="F")
        assert np.array_equal(wanted, given) and told["encoding"] == encoding
        mm = MM[unit]
        yield File(path, 0, zyx(wanted), SPACING * mm, origin * mm, direction, f"{kind.__name__} {encoding} {order} {space}")
    kinds = (["RGB-color", "domain", "domain", "domain"], ["domain", "vector", "domain", "domain"],
             ["domain", "domain", "domain", "RGB-color"], ["space", "space", "space", "time"],
             ["time", "space", "space", "space"])
    for number, (kind, axes) in enumerate(itertools.product(TYPES, kinds)):
        other = next(i for i, one in enumerate(axes) if one not in ("domain", "space"))
        given = values(kind, tuple(3 if i == other else (5, 7, 4)[i - (i > other)] for i in range(4)))
        path = folder / f"k{number}.nrrd"
        nrrd.write(str(path), given, {"encoding": "gzip", "kinds": axes}, index_order="F")
        wanted, _ = nrrd.read(str(path), index_order="F")
        last = np.moveaxis(wanted, other, -1)
        frame = 2 if axes[other] == "time" else 0
        yield File(path, frame, zyx(last[..., 1]) if frame else zyx(last, True), np.ones(3), np.zeros(3), np.eye(3),
                   f"{kind.__name__} {axes}")


def agrees(one, info, got):
    """Empty, or what differs."""
    wanted = np.asarray(one.values)
    if got.size != wanted.size:
        return f"extents {got.shape}, not {wanted.shape}"
    got = got.reshape(wanted.shape)
    # What no type of the program holds is rounded to the nearest one, and said.
    held = wanted.astype(got.dtype) if got.dtype != wanted.dtype else wanted
    if not np.array_equal(got, held, equal_nan=got.dtype.kind == "f"):
        # A scale is computed in other steps than its peer's.
        scaled = any("multiplied" in note for note in info["notes"])
        if not scaled or not np.allclose(got, held, rtol=3e-7, atol=1e-6):
            return "values"
    said = info["notes"] or info["type"] in ("u32", "i32")  # held as they are
    if not np.array_equal(held.astype(np.float64), wanted.astype(np.float64)) and not said:
        return "a rounding that is not said"
    for name, value in (("spacing_mm", one.spacing), ("origin_mm", one.origin), ("direction", one.direction.flatten())):
        if not np.allclose(info[name], value, rtol=2e-6, atol=2e-6):
            return f"{name} {info[name]}, not {value.tolist()}"
    return ""


def compare(group, made):
    for one in made:
        count[group, "files"] += 1
        target = folder / "got.npy"
        target.unlink(missing_ok=True)
        frame = ("--frame", one.frame) if one.frame else ()
        # The family that copies takes no integers of 32 bits.
        wide = ("--as", "f32") if one.values.dtype in (np.uint32, np.int32) else ()
        done = call("run", one.path, "layout", "--task", "copy", "--device", "cpu", "-o", target, *frame, *wide)
        info = call("info", one.path, "--json", *frame)
        if done.returncode or info.returncode:
            count[group, "refused"] += 1
            reasons[group, (done.stderr or info.stderr).strip().split(": ", 1)[-1][-160:]] += 1
            continue
        difference = agrees(one, json.loads(info.stdout), np.load(target))
        count[group, "values"] += one.values.size
        if difference:
            count[group, "differ"] += 1
            print(f"{group} {one.path.name} ({one.about}): {difference}")


def compressed():
    given = values(np.uint16, (9, 7, 4))
    for ending, encoding in (("nrrd", "gzip"), ("nrrd", "bzip2")):
        path = folder / f"flip-{encoding}.{ending}"
        nrrd.write(str(path), given, {"encoding": encoding, "endian": "little"}, index_order="F")
        yield path, path, path.read_bytes().index(b"\n\n") + 2
    path = folder / "flip.nhdr"
    nrrd.write(str(path), given, {"encoding": "gzip", "endian": "little"}, index_order="F", detached_header=True)
    yield path, next(folder.glob("flip.raw*")), 0
    image = sitk.GetImageFromArray(given)
    for ending, data in (("mha", "mha"), ("mhd", "zraw")):
        path = folder / f"flip-itk.{ending}"
        sitk.WriteImage(image, str(path), True)
        bytes_ = path.read_bytes()
        yield path, path.with_suffix("." + data), bytes_.index(b"LOCAL\n") + 6 if ending == "mha" else 0
    for version, maker in ((1, nibabel.Nifti1Image), (2, nibabel.Nifti2Image)):
        path = folder / f"flip{version}.nii.gz"
        nibabel.save(maker(given, np.eye(4)), path)
        yield path, path, 0


def flips(step):
    for path, data, begin in compressed():
        whole = data.read_bytes()
        target = folder / "got.npy"

        def read():
            target.unlink(missing_ok=True)
            done = call("run", path, "layout", "--task", "copy", "--device", "cpu", "-o", target)
            return done, np.load(target) if done.returncode == 0 else None

        sound = read()[1]
        group = f"one bit flipped, {path.name}"
        for bit in range(8 * begin, 8 * len(whole), step):
            harmed = bytearray(whole)
            harmed[bit // 8] ^= 1 << bit % 8
            data.write_bytes(harmed)
            done, got = read()
            count[group, "files"] += 1
            if done.returncode == 3:
                count[group, "refused"] += 1
            elif done.returncode or not np.array_equal(got, sound):
                count[group, "differ"] += 1
                print(f"{group}: bit {bit}, status {done.returncode} {done.stderr.strip()}")
            else:
                count[group, "values"] += got.size
        data.write_bytes(whole)


wanted = sys.argv[2:] or ["nibabel", "SimpleITK", "MetaImage", "pynrrd", "flips"]
for name, made in (("nibabel", niftis), ("SimpleITK", itks), ("MetaImage", metas), ("pynrrd", nrrds)):
    if name in wanted:
        compare(name, made())
if "flips" in wanted:
    flips(5)
shutil.rmtree(folder)
for group in dict.fromkeys(group for group, _ in count):
    print(f"{group}: " + ", ".join(f"{count[group, what]} {what}" for what in ("files", "values", "differ", "refused")))
for (group, reason), times in reasons.items():
    print(f"  {group} refused {times}: {reason}")
sys.exit(any(what == "differ" and times for (_, what), times in count.items()))
