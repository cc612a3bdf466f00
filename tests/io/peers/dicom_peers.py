#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""dicom_peers.py WARPLENS_CLI [FOLDER ...]: what the program reads from DICOM files, against pydicom.

Makes hundreds of files of all layouts, codings and fields that change values or geometry, then takes the files in the
folders named (by default those that come with pydicom), and prints how many values differ and what was refused. Needs
numpy, pydicom, pylibjpeg with pylibjpeg-libjpeg and pylibjpeg-openjpeg, pyjpegls and python-gdcm. Not run by the tests,
as those packages are not among the program's; run it again when the reader of DICOM changes.
"""
import collections
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import numpy as np
import pydicom
import pydicom.uid as uids
from pydicom.dataset import Dataset, FileMetaDataset
from pydicom.pixels import apply_color_lut, apply_modality_lut, pixel_array
from pydicom.sequence import Sequence

warnings.simplefilter("ignore")
pydicom.config.settings.reading_validation_mode = 0
random = np.random.default_rng(7)
folder = pathlib.Path(tempfile.mkdtemp())
counts = collections.defaultdict(collections.Counter)
ROWS, COLUMNS = 6, 10
LARGE = 40, 48  # the encoder of JPEG 2000 takes no small pictures
NATIVE = (uids.ExplicitVRLittleEndian, uids.ImplicitVRLittleEndian, uids.ExplicitVRBigEndian,
          uids.DeflatedExplicitVRLittleEndian)
SCALES = (None, (1, -1024), (0.5, 3.25), (-2, 100), (1e-5, 0))


def cli(*words):
    return subprocess.run([sys.argv[1], *map(str, words)], capture_output=True, text=True, check=False)


def dataset(syntax, stored, *, bits, width=None, high=None, signed=False, photometric="MONOCHROME2", frames=1, **more):
    """A file of these stored numbers: frames x rows x columns (x samples)."""
    ds = Dataset()
    ds.file_meta = FileMetaDataset()
    ds.file_meta.TransferSyntaxUID = syntax
    ds.SOPClassUID = ds.file_meta.MediaStorageSOPClassUID = more.pop("kind", uids.CTImageStorage)
    ds.SOPInstanceUID = ds.file_meta.MediaStorageSOPInstanceUID = pydicom.uid.generate_uid()
    ds.SeriesInstanceUID, ds.StudyInstanceUID, ds.Modality = "1.2.3", "1.2", "OT"
    ds.Rows, ds.Columns = stored.shape[1:3]
    ds.SamplesPerPixel = stored.shape[3] if stored.ndim == 4 else 1
    ds.PhotometricInterpretation = photometric
    ds.BitsAllocated, ds.BitsStored = bits, width or bits
    ds.HighBit = high if high is not None else ds.BitsStored - 1
    ds.PixelRepresentation = int(signed)
    if ds.SamplesPerPixel > 1:
        ds.PlanarConfiguration = more.pop("planar", 0)
        if ds.PlanarConfiguration:
            stored = stored.transpose(0, 3, 1, 2)
    if frames > 1:
        ds.NumberOfFrames = frames
    for name, value in more.items():
        setattr(ds, name, value)
    order = ">" if syntax == uids.ExplicitVRBigEndian else "<"
    plain = stored.astype(stored.dtype.newbyteorder(order)).tobytes()
    ds.PixelData = plain + b"\0" * (len(plain) % 2)
    ds["PixelData"].VR = "OB" if bits == 8 and syntax != uids.ImplicitVRLittleEndian else "OW"
    return ds


def numbers(bits, width, signed, shape):
    low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed else (0, (1 << width) - 1)
    values = random.integers(low, high, shape, dtype=np.int64, endpoint=True)
    values.flat[:2] = low, high
    return values.astype(f"{'i' if signed else 'u'}{bits // 8}")


def save(ds, name="a.dcm"):
    path = folder / name
    syntax = ds.file_meta.TransferSyntaxUID
    pydicom.dcmwrite(path, ds, implicit_vr=syntax.is_implicit_VR, little_endian=syntax.is_little_endian,
                     enforce_file_format=True)
    return path


def check(group, path, wanted, tolerance=0.0, label=""):
    """Values as they come out of a filter that changes nothing."""
    tally = counts[group]
    tally["files"] += 1
    target = folder / "through.npy"
    target.unlink(missing_ok=True)
    done = cli("run", path, "layout", "--task", "copy", "--device", "cpu", "-o", target)
    if done.returncode != 0:
        said = done.stderr.strip().split(": ", 2)[-1]
        tally["refused: " + said[:150]] += 1
        return
    got = np.load(target).astype(np.float64)
    wanted = np.asarray(wanted, np.float64)
    if got.size != wanted.size or np.squeeze(got).shape != np.squeeze(wanted).shape:
        tally[f"SHAPE {got.shape} for {wanted.shape} {label or path.name}"] += 1
        return
    got, wanted = np.squeeze(got), np.squeeze(wanted)
    held = wanted if np.array_equal(got, wanted) else wanted.astype(np.float32).astype(np.float64)
    differ = ~((np.abs(got - held) <= tolerance) | (np.isnan(got) & np.isnan(held)))
    tally["values"] += wanted.size
    tally["values that differ"] += int(differ.sum())
    if differ.any():
        at = tuple(np.argwhere(differ)[0])
        tally[f"DIFFER {label or path.name}: {got[at]} for {held[at]} at {at}"] += 1


def check_geometry(group, path, spacing, origin=(0, 0, 0), direction=np.eye(3)):
    tally = counts[group]
    tally["geometries"] += 1
    done = cli("info", path, "--json")
    if done.returncode != 0:
        tally["geometry refused: " + done.stderr.strip()[-120:]] += 1
        return
    info = json.loads(done.stdout)
    got = [*info.get("spacing_mm", (1, 1, 1)), *info.get("origin_mm", (0, 0, 0)),
           *np.ravel(info.get("direction", np.eye(3)))]
    wanted = [*spacing, *origin, *np.ravel(direction)]
    if not np.allclose(got, wanted, atol=1e-6):
        tally[f"GEOMETRY {path.name}: {np.round(got, 4).tolist()} for {np.round(wanted, 4).tolist()}"] += 1


def greys():
    widths = {8: (8, 7, 1), 16: (16, 12, 9), 32: (32, 31, 24, 17)}
    for syntax, bits, signed, photometric in itertools.product(
            NATIVE, widths, (False, True), ("MONOCHROME2", "MONOCHROME1")):
        for width, scale in itertools.product(widths[bits], SCALES):
            if signed and width == 1:
                continue
            stored = numbers(bits, width, signed, (1, ROWS, COLUMNS))
            more = {} if scale is None else {"RescaleSlope": scale[0], "RescaleIntercept": scale[1]}
            # What the standard leaves open in the bits above the value is filled with noise.
            noisy = stored
            if width < bits:
                noise = random.integers(0, 1 << (bits - width), stored.shape, dtype=np.int64) << width
                noisy = ((stored.astype(np.int64) & ((1 << width) - 1)) | noise).astype(f"u{bits // 8}")
            path = save(dataset(syntax, noisy, bits=bits, width=width, signed=signed, photometric=photometric, **more))
            ds = pydicom.dcmread(path)
            theirs = apply_modality_lut(pixel_array(ds), ds)
            assert scale or np.array_equal(theirs, stored[0])
            check("greys, native", path, theirs, label=f"{syntax} {bits}/{width} {signed} {photometric} {scale}")


def high_bits():
    """Values that do not begin at the lowest bit, which pydicom does not move: expected by arithmetic of our own."""
    for syntax, (bits, width), signed in itertools.product(NATIVE, ((8, 6), (16, 12), (16, 10), (32, 20)), (False, True)):
        for high in range(width - 1, bits):
            stored = numbers(bits, width, signed, (1, ROWS, COLUMNS))
            shift = high + 1 - width
            moved = ((stored.astype(np.int64) & ((1 << width) - 1)) << shift).astype(f"u{bits // 8}")
            path = save(dataset(syntax, moved, bits=bits, width=width, high=high, signed=signed))
            check("high bits", path, stored[0], label=f"{syntax} {bits}/{width}/{high}")


def colours():
    for syntax, bits, planar, frames in itertools.product(NATIVE, (8, 16), (0, 1), (1, 3)):
        stored = numbers(bits, bits, False, (frames, ROWS, COLUMNS, 3))
        path = save(dataset(syntax, stored, bits=bits, photometric="RGB", planar=planar, frames=frames))
        check("colours, native", path, stored, label=f"{syntax} {bits} {planar}")
    for syntax, planar in itertools.product(NATIVE, (0, 1)):
        stored = numbers(8, 8, False, (1, ROWS, COLUMNS, 3))
        path = save(dataset(syntax, stored, bits=8, photometric="YBR_FULL", planar=planar))
        check("colours, native", path, pixel_array(pydicom.dcmread(path)), label=f"YBR_FULL {syntax} {planar}")
    for syntax in NATIVE:
        ds = dataset(syntax, numbers(8, 8, False, (1, ROWS, COLUMNS, 3)), bits=8, photometric="YBR_FULL_422")
        ds.PixelData = random.integers(0, 256, ROWS * COLUMNS * 2, dtype=np.uint8).tobytes()
        path = save(ds)
        check("colours, native", path, pixel_array(pydicom.dcmread(path)), label=f"YBR_FULL_422 {syntax}")


def palettes():
    # Expected by arithmetic of our own: pydicom holds indices in the entries' type, which is too small for some.
    shapes = ((256, 0), (64, 10), (64, 0), (65536, 0), (200, -20))
    for syntax, bits, entry_bits, (entries, first) in itertools.product(NATIVE[:3], (8, 16), (8, 16), shapes):
        signed = first < 0
        if entries > 256 and bits == 8:
            continue
        stored = numbers(bits, bits, signed, (1, ROWS, COLUMNS))
        if entries < 65536:
            stored = (stored % 300).astype(stored.dtype) if bits == 16 else stored
        ds = dataset(syntax, stored, bits=bits, signed=signed, photometric="PALETTE COLOR")
        for colour in ("Red", "Green", "Blue"):
            setattr(ds, colour + "PaletteColorLookupTableDescriptor", [entries % 65536, first, entry_bits])
            ds[colour + "PaletteColorLookupTableDescriptor"].VR = "SS" if signed else "US"
            table = random.integers(0, 1 << entry_bits, entries, dtype=np.int64).astype(f"u{entry_bits // 8}")
            if syntax == uids.ExplicitVRBigEndian:
                table = table.byteswap() if entry_bits == 16 else np.frombuffer(table.tobytes(), "<u2").byteswap()
            setattr(ds, colour + "PaletteColorLookupTableData", table.tobytes())
            ds[colour + "PaletteColorLookupTableData"].VR = "OW"
        path = save(ds)
        theirs = []
        read = pydicom.dcmread(path)
        index = np.clip(pixel_array(read).astype(np.int64) - first, 0, entries - 1)
        for colour in ("Red", "Green", "Blue"):
            raw = read[colour + "PaletteColorLookupTableData"].value
            order = ">" if syntax == uids.ExplicitVRBigEndian else "<"
            if entry_bits == 16:
                table = np.frombuffer(raw, order + "u2")
            else:
                table = np.frombuffer(np.frombuffer(raw, order + "u2").astype("<u2").tobytes(), "u1")
            theirs.append(table[index])
        wanted = np.stack(theirs, -1)
        check("palettes", path, wanted, label=f"{syntax} {bits} of {entries} from {first} x {entry_bits}")


def modality_tables():
    for syntax, bits, (entries, first), signed in itertools.product(
            NATIVE[:3], (8, 16), ((256, 0), (100, 50), (4096, -100)), (False, True)):
        if first < 0 and not signed:
            continue
        stored = numbers(bits, min(bits, 9), signed, (1, ROWS, COLUMNS))
        ds = dataset(syntax, stored, bits=bits, width=min(bits, 9), signed=signed)
        item = Dataset()
        item.LUTDescriptor = [entries, first, 16]
        item["LUTDescriptor"].VR = "SS" if signed else "US"
        item.LUTData = random.integers(0, 65536, entries).tolist()
        item["LUTData"].VR = "US"
        item.ModalityLUTType = "US"
        ds.ModalityLUTSequence = Sequence([item])
        path = save(ds)
        table = np.array(item.LUTData)
        wanted = table[np.clip(stored[0].astype(np.int64) - first, 0, entries - 1)]
        check("modality tables", path, wanted, label=f"{syntax} {entries} {first}")


def reals():
    for syntax, (name, kind) in itertools.product(NATIVE, (("FloatPixelData", "f4"), ("DoubleFloatPixelData", "f8"))):
        for scale, frames in itertools.product((None, (2.5, -1)), (1, 3)):
            stored = random.standard_normal((frames, ROWS, COLUMNS)).astype(kind)
            stored.flat[0] = np.nan
            ds = dataset(syntax, stored.astype("u4"), bits=8 * int(kind[1]), frames=frames)
            del ds.PixelData
            order = ">" if syntax == uids.ExplicitVRBigEndian else "<"
            setattr(ds, name, stored.astype(order + kind).tobytes())
            if scale:
                ds.RescaleSlope, ds.RescaleIntercept = scale
            wanted = stored.astype(np.float64) * (scale or (1, 0))[0] + (scale or (1, 0))[1]
            check("real numbers", save(ds), wanted, label=f"{syntax} {name}")


def single_bits():
    for columns, frames, syntax in itertools.product((8, 10, 13), (1, 3), NATIVE[:2]):
        stored = random.integers(0, 2, (frames, ROWS, columns), dtype=np.uint8)
        ds = dataset(syntax, stored, bits=1, frames=frames, kind=uids.SegmentationStorage)
        packed = np.packbits(stored.ravel(), bitorder="little").tobytes()
        ds.PixelData = packed + b"\0" * (len(packed) % 2)
        path = save(ds)
        assert np.array_equal(np.squeeze(pixel_array(pydicom.dcmread(path))), np.squeeze(stored))
        check("single bits", path, stored, label=f"{columns} {frames}")


def measures(spacing, thickness):
    item = Dataset()
    item.PixelSpacing, item.SliceThickness = list(spacing), thickness
    return Sequence([item])


def of(name, value):
    item = Dataset()
    setattr(item, name, value)
    return Sequence([item])


def enhanced():
    """Slopes, positions and spacings of each frame or of all; directions that are not the picture's axes."""
    axes = np.array([[0, 1, 0], [0, 0, -1], [-1, 0, 0]], float)  # rows: along a row, along a column, normal
    for syntax, signed, step, shared in itertools.product(NATIVE[:3], (False, True), (2.5, -1.25), (False, True)):
        for flat in (False, True):
            frames = 4
            stored = numbers(16, 12, signed, (frames, ROWS, COLUMNS))
            ds = dataset(syntax, stored, bits=16, width=12, signed=signed, frames=frames,
                         kind=uids.EnhancedCTImageStorage)
            scales = [(1.5, -7)] * frames if shared else [(1 + i / 2, 10 * i) for i in range(frames)]
            common, each = Dataset(), [Dataset() for _ in range(frames)]
            for i, (slope, intercept) in enumerate(scales):
                rule = of("RescaleSlope", slope)
                rule[0].RescaleIntercept, rule[0].RescaleType = intercept, "US"
                (common if shared else each[i]).PixelValueTransformationSequence = rule
                position = np.array([5.0, 6, 7]) + (0 if flat else step) * i * axes[2]
                each[i].PlanePositionSequence = of("ImagePositionPatient", position.tolist())
                place = common if shared else each[i]
                place.PlaneOrientationSequence = of("ImageOrientationPatient", axes[:2].ravel().tolist())
                place.PixelMeasuresSequence = measures((0.75, 0.5), 3)
            ds.SharedFunctionalGroupsSequence = Sequence([common])
            ds.PerFrameFunctionalGroupsSequence = Sequence(each)
            path = save(ds)
            wanted = np.stack([stored[i].astype(np.float64) * s + t for i, (s, t) in enumerate(scales)])
            check("enhanced", path, wanted, label=f"{syntax} {step} {shared}")
            direction = axes.T.copy()
            if step < 0 and not flat:
                direction[:, 2] *= -1
            check_geometry("enhanced", path, (0.5, 0.75, 3 if flat else abs(step)), (5, 6, 7), direction)


def doses():
    for bits, step, frames, absolute in itertools.product((16, 32), (2.5, -3), (1, 4), (False, True)):
        stored = numbers(bits, bits, False, (frames, ROWS, COLUMNS))
        ds = dataset(uids.ExplicitVRLittleEndian, stored, bits=bits, frames=frames, kind=uids.RTDoseStorage)
        ds.DoseGridScaling, ds.DoseUnits, ds.Modality = "1.25e-05", "GY", "RTDOSE"
        ds.ImagePositionPatient, ds.ImageOrientationPatient = [1, 2, -30], [1, 0, 0, 0, 1, 0]
        ds.PixelSpacing = [2, 1.5]
        ds.GridFrameOffsetVector = [step * i + (-30 if absolute else 0) for i in range(frames)]
        path = save(ds)
        check("doses", path, stored * 1.25e-05, label=f"{bits} {step} {frames}")
        check_geometry("doses", path, (1.5, 2, abs(step) if frames > 1 else 1), (1, 2, -30),
                       np.diag([1, 1, -1 if step < 0 and frames > 1 else 1]))


def spacings():
    fields = (({}, (1, 1, 1)), ({"PixelSpacing": [0.5, 0.25]}, (0.25, 0.5, 1)),
              ({"ImagerPixelSpacing": [0.2, 0.1]}, (0.1, 0.2, 1)),
              ({"NominalScannedPixelSpacing": [0.3, 0.4]}, (0.4, 0.3, 1)),
              ({"PixelSpacing": [0.5, 0.25], "ImagerPixelSpacing": [0.2, 0.1]}, (0.25, 0.5, 1)),
              ({"PixelSpacing": [0.5, 0.25], "SpacingBetweenSlices": 3}, (0.25, 0.5, 3)),
              ({"PixelAspectRatio": [2, 1]}, (1, 2, 1)))
    for (more, wanted), syntax in itertools.product(fields, NATIVE):
        stored = numbers(16, 16, False, (1, ROWS, COLUMNS))
        path = save(dataset(syntax, stored, bits=16, **more))
        check_geometry("spacings", path, wanted)


def series():
    for slopes, signed, step in itertools.product(((1, 1, 1, 1), (1, 1.5, 2, 2.5)), (False, True), (2.5, 0.7)):
        place = folder / "series"
        place.mkdir(exist_ok=True)
        wanted = []
        for i in random.permutation(4):
            stored = numbers(16, 12, signed, (1, ROWS, COLUMNS))
            ds = dataset(uids.ExplicitVRLittleEndian, stored, bits=16, width=12, signed=signed, RescaleSlope=slopes[i],
                         RescaleIntercept=-3, ImagePositionPatient=[1, 2, 3 + step * int(i)], PixelSpacing=[0.5, 0.25],
                         ImageOrientationPatient=[1, 0, 0, 0, 1, 0], InstanceNumber=int(9 - i))
            save(ds, f"series/{i}.dcm")
            wanted.append((i, stored[0].astype(np.float64) * slopes[i] - 3))
        check("series", place, np.stack([values for _, values in sorted(wanted, key=lambda w: w[0])]))
        check_geometry("series", place, (0.25, 0.5, step), (1, 2, 3))


def coded():
    """Without loss; JPEG with loss is compared with pydicom's, to a few steps."""
    import gdcm

    theirs = {"JPEG lossless": gdcm.TransferSyntax.JPEGLosslessProcess14_1,
              "JPEG lossless, any predictor": gdcm.TransferSyntax.JPEGLosslessProcess14,
              "JPEG baseline": gdcm.TransferSyntax.JPEGBaselineProcess1,
              "JPEG extended": gdcm.TransferSyntax.JPEGExtendedProcess2_4}
    for (bits, width), signed, samples, frames in itertools.product(
            ((8, 8), (8, 7), (16, 16), (16, 12), (16, 10), (16, 13)), (False, True), (1, 3), (1, 3)):
        if samples == 3 and (signed or width != bits):
            continue
        shape = (frames, *LARGE, 3) if samples == 3 else (frames, *LARGE)
        stored = numbers(bits, width, signed, shape)
        photometric = "RGB" if samples == 3 else "MONOCHROME2"
        label = f"{bits}/{width} {signed} x {samples} x {frames}"
        for name, syntax in (("RLE", uids.RLELossless), ("JPEG-LS", uids.JPEGLSLossless),
                             ("JPEG 2000", uids.JPEG2000Lossless)):
            ds = dataset(uids.ExplicitVRLittleEndian, stored, bits=bits, width=width, signed=signed, frames=frames,
                         photometric="YBR_RCT" if samples == 3 and name == "JPEG 2000" else photometric)
            try:
                ds.compress(syntax, encoding_plugin="" if name != "JPEG 2000" else "pylibjpeg", generate_instance_uid=False)
            except Exception as error:  # what an encoder of theirs does not take
                counts[name][f"not encoded: {str(error)[:60]}"] += 1
                continue
            check(name, save(ds), stored, label=f"{name} {label}")
        plain = save(dataset(uids.ExplicitVRLittleEndian, stored, bits=bits, width=width, signed=signed, frames=frames,
                             photometric=photometric), "plain.dcm")
        for name, syntax in theirs.items():
            reader, change, writer = gdcm.ImageReader(), gdcm.ImageChangeTransferSyntax(), gdcm.ImageWriter()
            reader.SetFileName(str(plain))
            lossy = "lossless" not in name
            if not reader.Read() or (lossy and (bits > 8 and width != 12 or signed or width == 7)):
                continue
            change.SetTransferSyntax(gdcm.TransferSyntax(syntax))
            change.SetInput(reader.GetImage())
            if (bits > 8) != (name == "JPEG extended") and lossy or not change.Change():
                continue
            writer.SetFile(reader.GetFile())
            writer.SetImage(change.GetOutput())
            writer.SetFileName(str(folder / "a.dcm"))
            if not writer.Write():
                continue
            wanted = stored
            if lossy:
                try:
                    wanted = pixel_array(pydicom.dcmread(folder / "a.dcm"))
                except Exception as error:
                    counts[name][f"not read by pydicom: {str(error)[:60]}"] += 1
                    continue
            check(name, folder / "a.dcm", wanted, 3 if lossy else 0, label=f"{name} {label}")


def found(path):
    """A file that people have, against what pydicom makes of it."""
    group = f"files of {path.parent.name}"
    try:
        ds = pydicom.dcmread(path)
        if not any(name in ds for name in ("PixelData", "FloatPixelData", "DoubleFloatPixelData")):
            return
        with path.open("rb") as file:
            if file.read(132)[128:] != b"DICM":
                counts[group]["without DICM, left out"] += 1
                return
        wanted = pixel_array(ds)
    except Exception as error:
        counts[group]["not read by pydicom"] += 1
        done = cli("info", path)
        counts[group][f"  of these read here: {done.returncode == 0}"] += 1
        return
    wanted = np.asarray(wanted)
    if ds.PhotometricInterpretation == "PALETTE COLOR":
        wanted = apply_color_lut(wanted, ds)
    elif "DoseGridScaling" in ds:
        wanted = wanted * float(ds.DoseGridScaling)
    elif "PerFrameFunctionalGroupsSequence" not in ds and ds.SamplesPerPixel == 1:
        wanted = apply_modality_lut(wanted, ds)
    syntax = ds.file_meta.get("TransferSyntaxUID", uids.ImplicitVRLittleEndian)
    lossy = syntax in (uids.JPEGBaseline8Bit, uids.JPEGExtended12Bit, uids.JPEG2000, uids.JPEGLSNearLossless)
    check(group, path, wanted, 4 if lossy else 0)


def main():
    for check_all in (greys, high_bits, colours, palettes, modality_tables, reals, single_bits, enhanced, doses, spacings,
                      series, coded):
        check_all()
    folders = sys.argv[2:] or [pathlib.Path(pydicom.__file__).parent / "data" / "test_files"]
    for place in folders:
        for path in sorted(pathlib.Path(place).rglob("*")):
            if path.is_file() and path.suffix in (".dcm", ""):
                found(path)
    for group, tally in counts.items():
        print(f"{group}: " + ", ".join(f"{tally.pop(name)} {name}" for name in ("files", "values", "values that differ",
                                                                              "geometries") if name in tally))
        for what, count in sorted(tally.items()):
            print(f"    {count} x {what}")


main()
