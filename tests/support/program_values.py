# SPDX-License-Identifier: Apache-2.0
"""What the scripts share that ask another library for the values of a test (make_scipy_*.py)."""
import json
import pathlib
import subprocess
import tempfile

import numpy


def values_of(cli, name):
    """A generated picture or volume as the program reads it."""
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "values.npy"
        subprocess.run([cli, "run", name, "convolution", "--filter", "identity", "--device", "cpu", "-o", str(out)],
                       check=True, stdout=subprocess.DEVNULL)
        return numpy.load(out)


def print_entries(entries):
    """A JSON array with a line an entry."""
    print("[\n" + ",\n".join(json.dumps(e, separators=(",", ":")) for e in entries) + "\n]")
