// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the three-dimensional kernels of the family share: the window, the view of a volume, the sums and the launches.

#include "gpu/families/convolution/launching.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

/// Slices of a block of width x height threads that has as many as fit.
inline int fullBlockDepth(const TunableValues& t) {
    constexpr int kMostThreads = 1024, kMostDeep = 64;  // on every GPU
    return std::clamp(kMostThreads / (t.at("block_width") * t.at("block_height")), 1, kMostDeep);
}

/// The filter's extent, known at run time only: three unrolled sides would triple the instances.
struct Window3 {
    int width, height, depth;
    __device__ int radiusX() const { return width / 2; }
    __device__ int radiusY() const { return height / 2; }
    __device__ int radiusZ() const { return depth / 2; }
};

/// One channel of an input volume: slices of width x height values of T, x fastest, read with a border.
template <class T>
struct Volume {
    const T* data;
    int width, height, depth;
    Border border;

    /// The value inside the volume; no check.
    __device__ float operator()(int x, int y, int z) const {
        return static_cast<float>(data[(static_cast<std::size_t>(z) * height + y) * width + x]);
    }
    /// Reads with the border. False, and no memory touched, where the border is zero and (x, y, z) lies outside.
    __device__ bool read(int x, int y, int z, float& value) const {
        x = remap(x, width, border);
        y = remap(y, height, border);
        z = remap(z, depth, border);
        if (x < 0 || y < 0 || z < 0) return false;
        value = (*this)(x, y, z);
        return true;
    }
    /// Reads with the border, zero included.
    __device__ float at(int x, int y, int z) const {
        float value = 0;
        read(x, y, z, value);
        return value;
    }
    /// Slice z, which lies inside.
    __device__ Plane<T> slice(int z) const {
        return {data + static_cast<std::size_t>(z) * height * width, width, height, border, {width}};
    }
    /// Whether a box of this extent from (x, y, z) on lies inside.
    __device__ bool contains(int x, int y, int z, int boxWidth, int boxHeight, int boxDepth) const {
        return x >= 0 && y >= 0 && z >= 0 && x + boxWidth <= width && y + boxHeight <= height && z + boxDepth <= depth;
    }
};

/// Whether every value lies inside the volume that the outputs of blockDim.x x blockDim.y threads from (firstX, firstY)
/// of slice z on read.
template <class T>
__device__ bool blockReadsInside(const Volume<T>& in, Window3 window, int firstX, int firstY, int z) {
    return in.contains(firstX - window.radiusX(), firstY - window.radiusY(), z - window.radiusZ(),
                       blockDim.x + window.width - 1, blockDim.y + window.height - 1, window.depth);
}
/// The block's own outputs.
template <class T>
__device__ bool blockReadsInside(const Volume<T>& in, Window3 window, int z) {
    return blockReadsInside(in, window, blockIdx.x * blockDim.x, blockIdx.y * blockDim.y, z);
}

/// The weighted sum around (x, y, z), read from global memory: the definition, value by value. fmaf, so that the CPU's
/// compiler rounds both loops alike: a slab's blocks lie inside where the whole volume's reach its border.
template <class In>
__device__ float volumeSum(const In& in, const float* weights, Window3 window, int x, int y, int z, bool inside) {
    const int left = x - window.radiusX(), top = y - window.radiusY(), front = z - window.radiusZ();
    float sum = 0;
    for (int k = 0; k < window.depth; ++k) {
        for (int j = 0; j < window.height; ++j) {
            const float* row = weights + (k * window.height + j) * window.width;
            if (inside) {
                for (int i = 0; i < window.width; ++i) sum = fmaf(row[i], in(left + i, top + j, front + k), sum);
            } else {
                for (int i = 0; i < window.width; ++i) {
                    float value;
                    if (in.read(left + i, top + j, front + k, value)) sum = fmaf(row[i], value, sum);
                }
            }
        }
    }
    return sum;
}

/// Stages width x height x depth values from (left, top, front) on, all threads of the block taking part.
template <class T>
__device__ void stageBox(float* tile, const Volume<T>& in, int left, int top, int front, int width, int height,
                         int depth) {
    const int threads = blockDim.x * blockDim.y * blockDim.z;
    const int number = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    // Dividing once and stepping on is much cheaper than dividing for every value.
    const int stepX = threads % width, stepY = threads / width % height, stepZ = threads / width / height;
    int x = number % width, y = number / width % height, z = number / width / height;
    const bool inside = in.contains(left, top, front, width, height, depth);
    while (z < depth) {
        tile[(z * height + y) * width + x] =
            inside ? in(left + x, top + y, front + z) : in.at(left + x, top + y, front + z);
        x += stepX;
        y += stepY;
        z += stepZ;
        if (x >= width) {
            x -= width;
            ++y;
        }
        if (y >= height) {
            y -= height;
            ++z;
        }
    }
}

/// The weighted sum of a box in shared memory whose first value is tile[0]: rows are `width` values apart, slices
/// `height` rows.
__device__ inline float boxSum(const float* tile, int width, int height, const float* weights, Window3 window) {
    float sum = 0;
    for (int k = 0; k < window.depth; ++k) {
        for (int j = 0; j < window.height; ++j) {
            const float* row = tile + (k * height + j) * width;
            for (int i = 0; i < window.width; ++i) sum += *weights++ * row[i];
        }
    }
    return sum;
}

/// Of a kernel that computes one voxel per thread and reads its window through the caches.
inline Footprint voxelPerThreadFootprint(const TunableValues& t, const Box& filter) {
    return pixelPerThreadFootprint(t, filter.width, filter.height);
}

/// Calls f(T{}) for the volume's stored type: three instances a kernel.
template <class F>
void dispatchVolume(const Arguments& a, F f) {
#ifndef __CUDACC_RTC__
    io::withSampleType(a.inputType, f);
#endif
}

/// Calls f(volume, target, first, slices) for one channel after the other, in stretches that a grid's 65,535 layers of
/// `blockDepth` slices can hold. The target's slice 0 belongs to the volume's slice `first`; `data` and `whole` begin
/// with the first channel.
template <class T, class F>
void forVolumes(const Arguments& a, const T* data, const Target& whole, int blockDepth, F f) {
    const auto slice = static_cast<std::size_t>(a.width) * a.height;
    const int most = 65535 * std::min(blockDepth, 32768), inputDepth = a.depth + 2 * a.lead;
    for (int channel = 0; channel < a.planes; ++channel) {
        const Volume<T> volume{data + channel * slice * inputDepth, a.width, a.height, inputDepth, a.border};
        for (int first = 0; first < a.depth; first += most) {
            Target target = whole;
            target.data = static_cast<char*>(whole.data) +
                          (static_cast<std::size_t>(channel) * a.depth + first) * slice * io::sizeOf(whole.type);
            f(volume, target, a.lead + first, std::min(most, a.depth - first));
        }
    }
}

/// From the input to the output.
template <class T, class F>
void forVolumes(LaunchContext& c, const Arguments& a, int blockDepth, F f) {
    forVolumes(a, static_cast<const T*>(c.address(a.input)), targetOf(c, a), blockDepth, f);
}

/// A pass that works within slices: all of the input's, those that lead included.
inline Arguments withinSlices(const Arguments& a) {
    Arguments b = a;
    b.depth = a.depth + 2 * a.lead;
    b.lead = 0;
    return b;
}

/// The scratch of the given number as the output of such a pass: floats, nothing added.
inline Target scratchOf(LaunchContext& c, const Arguments& a, int number) {
    const auto plane = static_cast<std::size_t>(a.width) * a.height;
    float* const all = static_cast<float*>(c.address(a.scratch));
    return {all + number * plane * (a.depth + 2 * a.lead) * a.planes,
            io::PixelType::f32,
            a.width,
            a.height,
            plane,
            0,
            {a.width}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
