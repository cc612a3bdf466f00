// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the three-dimensional kernels of the family share: the window, the view of a volume, the sums and the launches.

#include "gpu/families/convolution/launching.cuh"

namespace warplens::gpu::convolution {
inline namespace WARPLENS_BUILD {

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
    /// Whether a box of this extent from (x, y, z) on lies inside.
    __device__ bool contains(int x, int y, int z, int boxWidth, int boxHeight, int boxDepth) const {
        return x >= 0 && y >= 0 && z >= 0 && x + boxWidth <= width && y + boxHeight <= height && z + boxDepth <= depth;
    }
};

/// Whether every value that this block's outputs read lies inside the volume; the block writes blockDim.x x blockDim.y
/// outputs of slice z.
template <class T>
__device__ bool blockReadsInside(const Volume<T>& in, Window3 window, int z) {
    return in.contains(static_cast<int>(blockIdx.x * blockDim.x) - window.radiusX(),
                       static_cast<int>(blockIdx.y * blockDim.y) - window.radiusY(), z - window.radiusZ(),
                       blockDim.x + window.width - 1, blockDim.y + window.height - 1, window.depth);
}

/// The weighted sum around (x, y, z), read from global memory: the definition, value by value.
template <class T>
__device__ float volumeSum(const Volume<T>& in, const float* weights, Window3 window, int x, int y, int z,
                           bool inside) {
    const int left = x - window.radiusX(), top = y - window.radiusY(), front = z - window.radiusZ();
    float sum = 0;
    for (int k = 0; k < window.depth; ++k) {
        for (int j = 0; j < window.height; ++j) {
            const float* row = weights + (k * window.height + j) * window.width;
            if (inside) {
                for (int i = 0; i < window.width; ++i) sum += row[i] * in(left + i, top + j, front + k);
            } else {
                for (int i = 0; i < window.width; ++i) {
                    float value;
                    if (in.read(left + i, top + j, front + k, value)) sum += row[i] * value;
                }
            }
        }
    }
    return sum;
}

/// Calls f(T{}) for the volume's stored type: three instances a kernel.
template <class F>
void dispatchVolume(const Arguments& a, F f) {
    io::withSampleType(a.inputType, f);
}

/// Calls f(volume, target, first, slices) for one channel after the other, in stretches that a grid's 65,535 layers of
/// `blockDepth` slices can hold. The target's slice 0 belongs to the volume's slice `first`.
template <class T, class F>
void forVolumes(LaunchContext& c, const Arguments& a, int blockDepth, F f) {
    const auto slice = static_cast<std::size_t>(a.width) * a.height;
    const int most = 65535 * blockDepth, inputDepth = a.depth + 2 * a.lead;
    const Target whole = targetOf(c, a);
    for (int channel = 0; channel < a.planes; ++channel) {
        const Volume<T> volume{static_cast<const T*>(c.address(a.input)) + channel * slice * inputDepth, a.width,
                               a.height, inputDepth, a.border};
        for (int first = 0; first < a.depth; first += most) {
            Target target = whole;
            target.data = static_cast<char*>(whole.data) +
                          (static_cast<std::size_t>(channel) * a.depth + first) * slice * io::sizeOf(whole.type);
            f(volume, target, a.lead + first, std::min(most, a.depth - first));
        }
    }
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::convolution
