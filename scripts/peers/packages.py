# SPDX-License-Identifier: Apache-2.0
"""The packages that tasks are done with: PyTorch (cuDNN), CuPy, and NPP by ctypes, where version 13 of its libraries can be loaded. What each does of a
family's tasks is the function called as its entry in the family's peers.py."""
import ctypes
import functools

from peers.common import Size, timed


class Torch:
    name, entry = "PyTorch", "torch"

    def __init__(self):
        import torch

        self.torch = torch
        torch.backends.cudnn.benchmark = True
        torch.backends.cudnn.allow_tf32 = False
        self.gpu = torch.cuda.get_device_name(0)
        self.version = f"PyTorch {torch.__version__}, cuDNN {torch.backends.cudnn.version()}"

    def timed(self, call):
        cuda = self.torch.cuda
        return timed(call, lambda: cuda.Event(enable_timing=True), lambda begin, end: begin.elapsed_time(end), cuda._sleep)


class Cupy:
    name, entry = "CuPy", "cupy"

    def __init__(self):
        import cupy
        import cupyx.scipy.ndimage as ndimage

        self.cupy, self.ndimage = cupy, ndimage
        self.gpu = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
        self.version = f"CuPy {cupy.__version__}"
        self.spin = cupy.RawKernel('extern "C" __global__ void spin(long long n) { for (long long t = clock64(); clock64() - t < n;); }', "spin")

    def timed(self, call):
        cuda = self.cupy.cuda
        return timed(call, cuda.Event, cuda.get_elapsed_time, lambda cycles: self.spin((1,), (1,), (cycles,)))


class StreamContext(ctypes.Structure):
    """NppStreamContext, as nppdefs.h of version 13 lays it out."""

    _fields_ = [("stream", ctypes.c_void_p), ("device", ctypes.c_int), ("multiprocessors", ctypes.c_int), ("threads", ctypes.c_int),
                ("block_threads", ctypes.c_int), ("shared", ctypes.c_size_t), ("major", ctypes.c_int), ("minor", ctypes.c_int),
                ("flags", ctypes.c_uint), ("workspace", ctypes.c_uint)]


class Npp:
    name, entry = "NPP", "npp"

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
