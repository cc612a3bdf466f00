# SPDX-License-Identifier: Apache-2.0
"""NVIDIA Performance Primitives as a peer of scripts/bench-peers, by ctypes: where version 13 of its libraries can be loaded."""
import ctypes
import functools

import numpy as np

BORDERS = {"zero": 1, "replicate": 2, "reflect": 4}


class Size(ctypes.Structure):
    _fields_ = [("width", ctypes.c_int), ("height", ctypes.c_int)]


class StreamContext(ctypes.Structure):
    """NppStreamContext, as nppdefs.h of version 13 lays it out."""

    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int), ("threads", ctypes.c_int),
                ("block_threads", ctypes.c_int), ("shared", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("flags", ctypes.c_uint), ("workspace", ctypes.c_uint)]


class Npp:
    name = "NPP"

    def __init__(self, cupy_peer):
        """Memory and events are CuPy's. Raises OSError when NPP is missing."""
        self.peer, self.cupy, self.gpu = cupy_peer, cupy_peer.cupy, cupy_peer.gpu
        ctypes.CDLL("libnppc.so.13")
        p = self.cupy.cuda.runtime.getDeviceProperties(0)
        self.context = StreamContext(None, 0, p["multiProcessorCount"], p["maxThreadsPerMultiProcessor"], p["maxThreadsPerBlock"],
                                     p["sharedMemPerBlock"], p["major"], p["minor"], 0, 0)
        self.version = "NPP 13"

    filtering = functools.cached_property(lambda self: ctypes.CDLL("libnppif.so.13"))
    statistics = functools.cached_property(lambda self: ctypes.CDLL("libnppist.so.13"))
    exchange = functools.cached_property(lambda self: ctypes.CDLL("libnppidei.so.13"))

    def timed(self, call):
        return self.peer.timed(call)

    def call(self, function, *arguments):
        """A call that is ready to be timed. Raises RuntimeError with NPP's status when NPP refuses it."""

        def once():
            status = function(*arguments, self.context)
            if status < 0:
                raise RuntimeError(f"{function.__name__} gave status {status}")

        once()
        self.cupy.cuda.Stream.null.synchronize()
        return once

    def image(self, array, channels):
        height, width = array.shape[:2]
        return [ctypes.c_void_p(array.data.ptr), ctypes.c_int(width * channels * array.itemsize)], Size(width, height)

    def run(self, case, values, tools):
        """Rows for a case. `tools` is what bench-peers makes rows and checks with."""
        return getattr(self, case["family"], lambda *_: [])(case, values, tools)

    def convolution(self, case, values, tools):
        parameters, channels = case["parameters"], tools.channels_of(case["input"])
        border, radius = parameters.get("border", "zero"), int(parameters.get("radius", "2"))
        if channels not in (1, 3) or tools.is_volume(case["input"]) or border not in BORDERS or parameters.get("filter", "gaussian") != "gaussian":
            return
        planes = values if channels == 1 else np.ascontiguousarray(np.moveaxis(values, 0, -1))
        x, weights, side = self.cupy.asarray(planes), tools.gaussian(radius, float(parameters.get("sigma", "0"))), 2 * radius + 1
        out = self.cupy.empty_like(x)
        row_weights = self.cupy.asarray(weights.astype(np.float32))
        all_weights = self.cupy.asarray(np.outer(weights, weights).astype(np.float32))
        kind = {"uint8": "8u", "uint16": "16u", "float32": "32f"}[str(values.dtype)]
        source, size = self.image(x, channels)
        target, _ = self.image(out, channels)
        zero = Size(0, 0)
        direct = f"nppiFilterBorder{'' if kind == '32f' else '32f'}_{kind}_C{channels}R_Ctx"  # 32f: the weights' type, where it is not the picture's
        ways = {"npp_filter": (direct, [ctypes.c_void_p(all_weights.data.ptr), Size(side, side), Size(radius, radius)]),
                "npp_gauss": (f"nppiFilterGaussAdvancedBorder_{kind}_C{channels}R_Ctx", [ctypes.c_int(side), ctypes.c_void_p(row_weights.data.ptr)])}
        for name, (function, arguments) in ways.items():
            for asked in dict.fromkeys([border, "replicate"]):
                try:
                    once = self.call(getattr(self.filtering, function), *source, size, zero, *target, size, *arguments, ctypes.c_int(BORDERS[asked]))
                except (RuntimeError, AttributeError) as refused:
                    print(f"bench-peers: {case['id']}, {name}, border {asked}: {refused}")
                    continue
                first = out[: 64 + 2 * radius, : 64 + 2 * radius].get()
                one = values if channels == 1 else values[0]
                square = np.outer(weights, weights).astype(np.float32).astype(np.float64)
                check = tools.corner_check(first if channels == 1 else first[..., 0], one, square, asked)
                yield tools.row(name, self.timed(once), check, 2 * values.nbytes, "" if asked == border else f"border {asked}")
                break

    def layout(self, case, values, tools):
        if case["parameters"]["task"] != "transpose" or values.ndim != 2:
            return
        x = self.cupy.asarray(values)
        out = self.cupy.empty(values.shape[::-1], values.dtype)
        function = f"nppiTranspose_{({1: '8u', 2: '16u', 4: '32f'})[values.itemsize]}_C1R_Ctx"
        once = self.call(getattr(self.exchange, function), *self.image(x, 1)[0], *self.image(out, 1)[0], self.image(x, 1)[1])
        wrong = int((out.get() != values.T).sum())
        yield tools.row("npp_transpose", self.timed(once), (wrong, 0, 1.0), 2 * values.nbytes)

    def rank(self, case, values, tools):
        parameters = case["parameters"]
        side = 2 * int(parameters.get("radius", "1")) + 1
        # On 8192 x 8192 it faults with floats from 7 x 7 on and with bytes at 15 x 15, and the context is lost with it.
        most = {"float32": 5, "uint16": 7, "uint8": 11}[str(values.dtype)]
        if values.ndim != 2 or side > most or parameters.get("percentile", "50") != "50" or parameters.get("border", "replicate") != "replicate" or parameters.get("task", "rank") != "rank":
            return
        x, kind = self.cupy.asarray(values), {"uint8": "8u", "uint16": "16u", "float32": "32f"}[str(values.dtype)]
        out = self.cupy.empty_like(x)
        source, size = self.image(x, 1)
        mask, anchor = Size(side, side), Size(side // 2, side // 2)
        wanted = ctypes.c_uint()
        self.call(getattr(self.filtering, f"nppiFilterMedianBorderGetBufferSize_{kind}_C1R_Ctx"), size, mask, ctypes.byref(wanted))
        buffer = self.cupy.empty(max(1, wanted.value), np.uint8)
        function = f"nppiFilterMedianBorder_{kind}_C1R_Ctx"
        once = self.call(getattr(self.filtering, function), *source, size, Size(0, 0), *self.image(out, 1)[0], size, mask, anchor,
                         ctypes.c_void_p(buffer.data.ptr), ctypes.c_int(BORDERS["replicate"]))
        yield tools.row("npp_median", self.timed(once), tools.median_check(out.get(), values, side), 2 * values.nbytes)

    def distance(self, case, values, tools):
        if not tools.asks_distance(case) or values.ndim != 2 or values.dtype != np.uint8:
            return
        level = float(case["parameters"]["level"])
        x = self.cupy.asarray(values)
        out = self.cupy.empty(values.shape, np.float32)
        source, size = self.image(x, 1)
        wanted = ctypes.c_size_t()
        self.filtering.nppiDistanceTransformPBAGetBufferSize(size, ctypes.byref(wanted))
        buffer = self.cupy.empty(wanted.value, np.uint8)
        nothing = [ctypes.c_void_p(), ctypes.c_int(0)]
        once = self.call(self.filtering.nppiDistanceTransformPBA_8u32f_C1R_Ctx, *source, ctypes.c_ubyte(0), ctypes.c_ubyte(int(level)), *nothing, *nothing,
                         *nothing, *self.image(out, 1)[0], size, ctypes.c_void_p(buffer.data.ptr))
        check = tools.distance_check(out.get(), values, level)
        yield tools.row("npp_distance", self.timed(once), check, 5 * values.size)

    def scan(self, case, values, tools):
        if case["parameters"].get("task") != "integral" or values.dtype != np.uint8 or values.ndim != 2:
            return
        # NPP's integral has a row and a column of zeros before it.
        x = self.cupy.asarray(values)
        out = self.cupy.empty((values.shape[0] + 1, values.shape[1] + 1), np.int32)
        source, size = self.image(x, 1)
        once = self.call(self.statistics.nppiIntegral_8u32s_C1R_Ctx, *source, *self.image(out, 1)[0], size, ctypes.c_int(0))
        exact = np.cumsum(np.cumsum(values, 0, dtype=np.uint32), 1, dtype=np.uint32)
        wrong = int((out[1:, 1:].get().view(np.uint32) != exact).sum())
        yield tools.row("npp_integral", self.timed(once), (wrong, 0, 1.0), 5 * values.nbytes)

    def reduction(self, case, values, tools):
        if values.ndim != 2 or values.dtype == np.uint16 or case["parameters"].get("along", "all") != "all":
            return
        x, kind = self.cupy.asarray(values), "8u" if values.dtype == np.uint8 else "32f"
        source, size = self.image(x, 1)
        wanted, buffers, calls = ctypes.c_size_t(), [], []
        found = self.cupy.zeros(4, np.float64)
        extremes = self.cupy.zeros(2, values.dtype)
        at = lambda array, i: ctypes.c_void_p(array.data.ptr + i * array.itemsize)
        for name, outputs in ((f"nppiMinMax_{kind}_C1R", [at(extremes, 0), at(extremes, 1)]), (f"nppiMean_StdDev_{kind}_C1R", [at(found, 2), at(found, 3)])):
            sizing = name.replace("nppiMinMax", "nppiMinMaxGetBufferHostSize").replace("nppiMean_StdDev", "nppiMeanStdDevGetBufferHostSize")
            self.call(getattr(self.statistics, f"{sizing}_Ctx"), size, ctypes.byref(wanted))
            buffers.append(self.cupy.empty(wanted.value, np.uint8))
            buffer = ctypes.c_void_p(buffers[-1].data.ptr)
            order = [*outputs, buffer] if "MinMax" in name else [buffer, *outputs]
            calls.append(self.call(getattr(self.statistics, f"{name}_Ctx"), *source, size, *order))
        once = lambda: [call() for call in calls]
        least, largest = extremes.get()
        mean, deviation = found.get()[2:]
        check = tools.figures_check([float(least), float(largest), float(mean), float(deviation) ** 2], values)
        yield tools.row("npp_statistics", self.timed(once), check, values.nbytes)

    def histogram(self, case, values, tools):
        if values.dtype != np.uint8 or case["parameters"].get("bins", "256") != "256" or case["parameters"].get("range"):
            return
        x = self.cupy.asarray(values.reshape(values.shape[-2], -1))
        source, size = self.image(x, 1)
        wanted = ctypes.c_size_t()
        self.call(self.statistics.nppiHistogramEvenGetBufferSize_8u_C1R_Ctx, size, ctypes.c_int(257), ctypes.byref(wanted))
        buffer, counts = self.cupy.empty(wanted.value, np.uint8), self.cupy.zeros(256, np.int32)
        once = self.call(self.statistics.nppiHistogramEven_8u_C1R_Ctx, *source, size, ctypes.c_void_p(counts.data.ptr), ctypes.c_int(257),
                         ctypes.c_int(0), ctypes.c_int(256), ctypes.c_void_p(buffer.data.ptr))
        wrong = int(np.abs(counts.get() - np.bincount(values.ravel(), minlength=256)).max())
        yield tools.row("npp_histogram", self.timed(once), (wrong, 0, 1.0), values.nbytes)
