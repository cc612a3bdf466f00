#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""raster_peers.py WARPLENS_CLI [N]: pictures and stacks as numpy, tifffile and Pillow write them.

Each generated file is read by its peer and by the program: values, type, spacing, orientation and, of a stack, every
frame have to agree; with N, of every N-th file. Not run by the tests, as those packages are not among the program's
(python3 -m venv V && V/bin/pip install numpy tifffile imagecodecs pillow); run it again when a reader of pictures
changes. The exit status is 1 where anything differs.
"""
import collections
import concurrent.futures
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import tifffile
from PIL import Image, ImageOps

TYPES = "bool u1 u2 u4 u8 i1 i2 i4 i8 f2 f4 f8".split()
SOURCE = {"bool": "bool", "u1": "u8", "u2": "u16", "u4": "u32", "u8": "u64", "i1": "i8", "i2": "i16", "i4": "i32",
          "i8": "i64", "f2": "f16", "f4": "f32", "f8": "f64"}
random = np.random.default_rng(48)
folder = pathlib.Path(tempfile.mkdtemp())
# What a file is, and what has to come out: frame -> values (z, y, x, c), x and y (and z) spacing in mm, source type.
Case = collections.namedtuple("Case", "path frames spacing source tolerance about refusal")
cases = []


def values(kind, shape):
    kind = np.dtype(kind)
    if kind.kind == "b":
        return random.integers(0, 2, shape).astype(bool)
    if kind.kind == "f":
        return (random.standard_normal(shape) * 100).astype(kind)
    low, high = np.iinfo(kind).min, np.iinfo(kind).max
    given = random.integers(low, high, shape, dtype=kind, endpoint=True)
    given.flat[0], given.flat[-1] = low, high
    return given


def zyxc(array, axes):
    """Any of y x, z y x, y x c and z y x c as the last of them."""
    array = np.asarray(array)
    if "z" not in axes:
        array = array[None]
    return array if "c" in axes else array[..., None]


def add(name, frames, spacing=(1, 1, 1), source=None, tolerance=0, about="", refusal=None):
    if isinstance(frames, np.ndarray):
        frames = {0: frames}
    cases.append(Case(folder / name, frames, spacing, source, tolerance, about, refusal))
    return folder / name


def number():
    return f"{len(cases):04d}"


def npys():
    shapes = {"yx": (7, 9), "zyx": (4, 7, 9), "yxc": (7, 9, 3), "zyxc": (3, 7, 9, 4)}
    for kind, order, fortran, (axes, shape) in itertools.product(TYPES, "<>", (False, True), shapes.items()):
        given = values(kind, shape)
        path = add(f"{number()}.npy", zyxc(given, axes), source=SOURCE[kind], about=f"npy {kind} {order} {axes}")
        given = given.astype(given.dtype.newbyteorder(order))
        np.save(path, np.asfortranarray(given) if fortran else given)


def tiffs():
    ways = [{}, {"bigtiff": True}, {"tile": (16, 16)}, {"rowsperstrip": 4}]
    ways += [{"compression": c} for c in ("lzw", "zlib", "zstd", "lzma", "packbits", "lerc")]
    ways += [{"compression": c, "predictor": True, **blocks} for c in ("lzw", "zlib", "zstd")
             for blocks in ({}, {"tile": (16, 16)})]
    shapes = {"yx": (21, 33), "zyx": (3, 21, 33), "yxc": (21, 33, 3), "cyx": (3, 21, 33)}
    for kind, order, way, (axes, shape) in itertools.product(TYPES[1:], "<>", ways, shapes.items()):
        compression = way.get("compression")
        if compression == "lerc" and (kind in ("u8", "i8", "f2") or axes == "cyx"):
            continue
        if way.get("predictor") and kind in ("u8", "i8") and axes != "yx":
            continue
        given = values(kind, shape)
        how = dict(way)
        if "c" in axes:
            how |= {"photometric": "rgb", "planarconfig": "contig" if axes == "yxc" else "separate"}
        else:
            how |= {"photometric": "minisblack"}
        name = f"{number()}.tif"
        try:
            tifffile.imwrite(folder / name, given, byteorder=order, resolution=(254, 127), resolutionunit="inch", **how)
        except Exception:  # which the peer does not write either
            continue
        back = tifffile.imread(folder / name)
        assert np.array_equal(back, given), (kind, way, axes)
        expected = zyxc(given if axes != "cyx" else given.transpose(1, 2, 0), axes.replace("cyx", "yxc"))
        add(name, expected, (0.1, 0.2, 1), SOURCE[kind], about=f"tiff {kind} {order} {way} {axes}")


def stacks():
    units = {"um": 1e-3, "micron": 1e-3, "\\u00B5m": 1e-3, "nm": 1e-6, "mm": 1, "cm": 10, "inch": 25.4}
    extents = [(1, 4, 1), (2, 3, 1), (3, 2, 2), (4, 2, 1), (1, 1, 5), (2, 1, 3), (5, 2, 2), (1, 3, 2)]  # c z t
    for (c, z, t), unit, kind, order in itertools.product(extents, units, ("u1", "u2", "f4"), "<>"):
        if unit not in ("um", "mm") and (kind != "u2" or order == ">"):
            continue
        given = values(kind, (t, z, c, 6, 7))
        name = f"{number()}.tif"
        tifffile.imwrite(folder / name, given, imagej=True, byteorder=order, resolution=(4, 8),
                         metadata={"axes": "TZCYX", "unit": unit, "spacing": 1.5})
        mm = units[unit]
        add(name, framesOf(given), (mm / 4, mm / 8, 1.5 * mm if z > 1 else None), SOURCE[kind],
            about=f"imagej c{c} z{z} t{t} {unit} {kind} {order}")
    for (c, z, t), axes, unit in itertools.product(extents, ("TZCYX", "TCZYX", "ZTCYX", "CZTYX"), ("um", "mm", "nm")):
        given = values("u2", (t, z, c, 6, 7))
        turned = np.moveaxis(given, (0, 1, 2), [axes.index(a) for a in "TZC"])
        name = f"{number()}.ome.tif"
        sign = "µm" if unit == "um" else unit
        tifffile.imwrite(folder / name, turned, ome=True, photometric="minisblack", metadata={
            "axes": axes, "PhysicalSizeX": 0.25, "PhysicalSizeXUnit": sign, "PhysicalSizeY": 0.125,
            "PhysicalSizeYUnit": sign, "PhysicalSizeZ": 1.5, "PhysicalSizeZUnit": sign})
        mm = units[unit]
        add(name, framesOf(given), (mm / 4, mm / 8, 1.5 * mm if z > 1 else None), "u16",
            about=f"ome c{c} z{z} t{t} {axes} {unit}")


def framesOf(given):
    """Volumes of t z c y x by the program's rule: three channels are colours, a movie's times are slices, and of the
    rest channels come first."""
    if given.shape[1] == 1 and given.shape[0] > 1:
        given = given.transpose(1, 0, 2, 3, 4)
    t, _, c = given.shape[:3]
    if c == 3:
        volumes = [given[i].transpose(0, 2, 3, 1) for i in range(t)]
    else:
        volumes = [given[i, :, j, ..., None] for i in range(t) for j in range(c)]
    frames = {0: volumes[0]}
    return frames | {i + 1: v for i, v in enumerate(volumes)} if len(volumes) > 1 else frames


def picture(mode, size=(33, 21)):
    shape = size[::-1]
    if mode == "1":
        return Image.fromarray(values("u1", shape) > 127)
    if mode == "P":
        image = Image.fromarray(values("u1", shape), "P")
        image.putpalette(values("u1", (768,)).tobytes())
        return image
    if mode == "I;16":
        return Image.fromarray(values("u2", shape))
    if mode == "F":
        return Image.fromarray(values("f4", shape))
    if mode == "I":
        return Image.fromarray(values("i4", shape))
    channels = len(mode)
    # Smooth, so that JPEG keeps it.
    y, x = np.mgrid[:shape[0], :shape[1]]
    planes = [(x * (3 + i) + y * (2 + i)) % 200 if mode != "CMYK" else x + y for i in range(channels)]
    return Image.fromarray(np.squeeze(np.stack(planes, -1).astype("u1")), mode)


def expectedOf(image):
    if image.mode == "P":
        image = image.convert("RGBA" if "transparency" in image.info else "RGB")
    if image.mode == "CMYK":
        image = image.convert("RGB")
    if image.mode == "1":
        return zyxc(np.asarray(image).astype("u1") * 255, "yx")
    array = np.asarray(image)
    if image.mode == "LA":
        array = array[..., [0, 0, 0, 1]]
    return zyxc(array, "yxc" if array.ndim == 3 else "yx")


def pillow():
    modes = {"png": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16"), "jpg": ("L", "RGB", "CMYK"),
             "tif": ("1", "L", "LA", "P", "RGB", "RGBA", "I;16", "I", "F"), "bmp": ("1", "L", "P", "RGB", "RGBA")}
    for ending in modes:
        for mode, orientation, dpi in itertools.product(modes[ending], range(1, 9), (None, (254, 127))):
            if ending == "bmp" and orientation > 1:
                continue
            ways = [{}]
            if ending == "tif" and orientation in (1, 6):
                ways = [{"compression": c} for c in (None, "tiff_lzw", "tiff_adobe_deflate", "packbits")]
                ways += [{"compression": c} for c in ("group3", "group4", "tiff_ccitt")] if mode == "1" else []
            if ending == "jpg":
                ways = [{"quality": 95}, {"quality": 90, "progressive": True}, {"quality": 95, "subsampling": 0}]
            for way in ways:
                image = picture(mode)
                exif = Image.Exif()
                exif[0x0112] = orientation
                how = dict(way)
                if orientation > 1:
                    how["exif"] = exif
                if dpi:
                    how["dpi"] = dpi
                name = f"{number()}.{ending}"
                image.save(folder / name, **how)
                spacing = (0.1, 0.2, 1) if dpi else (1, 1, 1)
                if ending == "bmp" and not dpi:  # for which Pillow writes 96 an inch, in whole ones a metre
                    spacing = (1 / 3.78, 1 / 3.78, 1)
                if orientation > 4:
                    spacing = (spacing[1], spacing[0], 1)
                with Image.open(folder / name) as back:
                    if ending == "tif":  # whose orientation Pillow loses as it loads it
                        back = image.copy()
                        back.getexif()[0x0112] = orientation
                    expected = expectedOf(ImageOps.exif_transpose(back))
                add(name, expected, spacing, tolerance=2 if ending == "jpg" else 0,
                    about=f"{ending} {mode} orientation {orientation} {dpi} {way}")


def refused():
    """What neither a picture nor a volume can be: refused by name, never called damaged."""
    complexes = values("f4", (7, 9)) + 1j * values("f4", (7, 9))
    for kind in ("c8", "c16"):
        add(f"{number()}.npy", np.zeros(0), about=f"npy {kind}", refusal="complex")
        np.save(cases[-1].path, complexes.astype(kind))
        add(f"{number()}.tif", np.zeros(0), about=f"tiff {kind}", refusal="complex")
        tifffile.imwrite(cases[-1].path, complexes.astype(kind))
    for photometric, word in (("separated", "CMYK"), ("cielab", "L*a*b*")):
        add(f"{number()}.tif", np.zeros(0), about=f"tiff {photometric}", refusal=word)
        tifffile.imwrite(cases[-1].path, values("u1", (7, 9, 4 if photometric == "separated" else 3)),
                         photometric=photometric)
    add(f"{number()}.npy", np.zeros(0), about="npy of 1e300", refusal="beyond the range of f32")
    np.save(cases[-1].path, np.full((3, 3), 1e300))


def call(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, check=False)


def differences(case):
    """Frames, values and what is wrong, or the refusal."""
    compared = 0
    for frame, expected in case.frames.items():
        chosen = ["--frame", frame] if frame else []
        target = case.path.with_suffix(f".{frame}.out.npy")
        copied = call("run", case.path, "layout", "--task", "copy", "--as", "f32", "--device", "cpu", *chosen, "-o",
                      target)
        if copied.returncode == 3:
            return 0, copied.stderr.strip().replace(str(case.path), "FILE"), None
        if copied.returncode:
            return 0, None, f"status {copied.returncode}: {copied.stderr.strip()}"
        told = json.loads(call("info", case.path, "--json", *chosen).stdout)
        shape = [told["depth"], told["height"], told["width"], told["channels"]]
        if shape != list(expected.shape):
            return compared, None, f"frame {frame}: shape {shape}, not {list(expected.shape)}"
        got = np.load(target).reshape(shape)
        target.unlink()
        with np.errstate(over="ignore"):
            wanted = expected.astype("f4").astype("f8")
        wrong = np.abs(got.astype("f8") - wanted) > case.tolerance
        if wrong.any():
            return compared, None, f"frame {frame}: {wrong.sum()} of {wrong.size} values"
        compared += wrong.size
        if case.source and told["source_type"] != case.source:
            return compared, None, f"type {told['source_type']}, not {case.source}"
        if case.source in ("u1", "u2", "u4", "i4") and told["type"] != case.source:
            return compared, None, f"held as {told['type']}"
        for found, there in zip(told["spacing_mm"], case.spacing):
            if there is not None and abs(found / there - 1) > (1e-4 if case.path.suffix != ".tif" else 1e-9):
                return compared, None, f"spacing {told['spacing_mm']}, not {case.spacing}"
    return compared, None, None


def main():
    for generate in (npys, tiffs, stacks, pillow, refused):
        generate()
    count = collections.defaultdict(collections.Counter)
    reasons = collections.Counter()
    failed = False
    chosen = cases[::int(sys.argv[2]) if len(sys.argv) > 2 else 1]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for case, (compared, refusal, wrong) in zip(chosen, pool.map(differences, chosen)):
            group = count[case.about.split()[0]]
            group["files"] += 1
            group["values"] += compared
            group["refused"] += refusal is not None
            if refusal and case.refusal and case.refusal in refusal and "damaged" not in refusal:
                reasons[refusal] += 1
            elif refusal or wrong or case.refusal:
                failed = True
                group["differ"] += 1
                print(f"{case.about}: {wrong or refusal or 'not refused'}", flush=True)
    for name, group in count.items():
        print(f"{name}: {group['files']} files, {group['values']} values, {group['differ']} differ, "
              f"{group['refused']} refused")
    for reason, times in reasons.items():
        print(f"refused {times}: {reason}")
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
