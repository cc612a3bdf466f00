// SPDX-License-Identifier: Apache-2.0
// Idea: one ray a pixel, straight through the volume; what is met on the way becomes the pixel's colour.
// The ray is one function for GPU and host: a kernel with a thread a pixel, and rows of a plain loop. Bricks that
// cannot change the pixel are passed over, and a ray ends as soon as nothing behind can be seen. Source: Levoy, Display
// of Surfaces from Volume Data, 1988; empty bricks after Levoy, Efficient Ray Tracing of Volume Data, 1990; re-derived.
#pragma once

#include "gpu/render/ray_scene.hpp"

#include <cstddef>
#include <cstdint>

namespace warplens::gpu::render {
inline namespace WARPLENS_BUILD {

template <class T>
struct RayVolume {
    const T* values;
    const BrickRange* bricks;
    const TableEntry* table;
    const std::int32_t* visible;
};

/// A cell and the place in it; positions outside count as on the face.
struct Place {
    std::size_t at, dx, dy, dz;
    float fx, fy, fz;
};

__host__ __device__ inline float within(float v, float low, float high) { return fminf(fmaxf(v, low), high); }

/// Cell along one axis and the part of the way through it.
__host__ __device__ inline int cellOf(float q, int extent, float& part) {
    q = within(q, 0.0F, static_cast<float>(extent - 1));
    const int cell = static_cast<int>(q) < extent - 1 ? static_cast<int>(q) : (extent > 1 ? extent - 2 : 0);
    part = q - static_cast<float>(cell);
    return cell;
}

__host__ __device__ inline Place placeOf(const RayScene& s, float x, float y, float z) {
    Place p;
    const int i = cellOf(x, s.extent[0], p.fx), j = cellOf(y, s.extent[1], p.fy), k = cellOf(z, s.extent[2], p.fz);
    const std::size_t row = static_cast<std::size_t>(s.extent[0]), slice = row * s.extent[1];
    p.at = k * slice + j * row + i;
    p.dx = s.extent[0] > 1 ? 1 : 0;
    p.dy = s.extent[1] > 1 ? row : 0;
    p.dz = s.extent[2] > 1 ? slice : 0;
    return p;
}

__host__ __device__ inline float between(float a, float b, float t) { return a + (b - a) * t; }

/// The eight values around a place, interpolated.
template <class T>
__host__ __device__ inline float valueAt(const T* values, const Place& p) {
    const T* v = values + p.at;
    const auto along = [&p](const T* w) {
        return between(static_cast<float>(w[0]), static_cast<float>(w[p.dx]), p.fx);
    };
    const float near = between(along(v), along(v + p.dy), p.fy);
    const float far = between(along(v + p.dz), along(v + p.dz + p.dy), p.fy);
    return between(near, far, p.fz);
}

template <class T>
__host__ __device__ inline float valueAt(const RayVolume<T>& volume, const RayScene& s, float x, float y, float z) {
    return valueAt(volume.values, placeOf(s, x, y, z));
}

__host__ __device__ inline int entryOf(const RayScene& s, float value) {
    return static_cast<int>(within((value - s.low) * s.scale + 0.5F, 0.0F, static_cast<float>(kTableSize - 1)));
}

__host__ __device__ inline std::uint32_t packed(float red, float green, float blue, float opacity) {
    const auto byte = [](float v) { return static_cast<std::uint32_t>(within(v, 0.0F, 1.0F) * 255 + 0.5F); };
    return byte(opacity) << 24 | byte(red) << 16 | byte(green) << 8 | byte(blue);
}

/// Each way of gathering says which bricks it need not see, takes samples until it has enough, and ends as a pixel.
struct Maximum {
    float best = -INFINITY;

    template <class T>
    __host__ __device__ bool skips(const RayVolume<T>&, const RayScene&, BrickRange range) const {
        return range.high <= best;
    }
    template <class T>
    __host__ __device__ bool take(const RayVolume<T>& volume, const RayScene& s, float x, float y, float z) {
        // A NaN compares false and leaves the best as it is.
        const float v = valueAt(volume, s, x, y, z);
        if (v > best) best = v;
        return best < s.enough;
    }
    template <class T>
    __host__ __device__ std::uint32_t pixel(const RayVolume<T>& volume, const RayScene& s) const {
        if (best == -INFINITY) return 0;
        const TableEntry c = volume.table[entryOf(s, best)];
        return packed(c.red, c.green, c.blue, 1);
    }
};

struct Average {
    float sum = 0;
    int count = 0;

    template <class T>
    __host__ __device__ bool skips(const RayVolume<T>&, const RayScene&, BrickRange) const {
        return false;
    }
    template <class T>
    __host__ __device__ bool take(const RayVolume<T>& volume, const RayScene& s, float x, float y, float z) {
        const float v = valueAt(volume, s, x, y, z);
        if (v == v) {
            sum += v;
            ++count;
        }
        return true;
    }
    template <class T>
    __host__ __device__ std::uint32_t pixel(const RayVolume<T>& volume, const RayScene& s) const {
        if (count == 0) return 0;
        const TableEntry c = volume.table[entryOf(s, sum / static_cast<float>(count))];
        return packed(c.red, c.green, c.blue, 1);
    }
};

struct Shaded {
    float red = 0, green = 0, blue = 0, left = 1;

    template <class T>
    __host__ __device__ bool skips(const RayVolume<T>& volume, const RayScene& s, BrickRange range) const {
        if (!(range.low <= range.high)) return true;
        const int a = entryOf(s, range.low), b = entryOf(s, range.high);
        const int first = a < b ? a : b, last = a < b ? b : a;
        return volume.visible[last + 1] == volume.visible[first];
    }
    template <class T>
    __host__ __device__ bool take(const RayVolume<T>& volume, const RayScene& s, float x, float y, float z) {
        const Place place = placeOf(s, x, y, z);
        const float v = valueAt(volume.values, place);
        if (!(v == v)) return true;
        const TableEntry c = volume.table[entryOf(s, v)];
        if (c.opacity <= 0) return true;
        const float weight = c.opacity * left, light = weight * lightAt(volume, s, place, x, y, z);
        red += c.red * light;
        green += c.green * light;
        blue += c.blue * light;
        left -= weight;
        return left > 1.0F / 256;
    }
    template <class T>
    __host__ __device__ std::uint32_t pixel(const RayVolume<T>&, const RayScene&) const {
        return packed(red, green, blue, 1 - left);
    }

private:
    /// A lamp at the eye: a surface across the ray is bright, one along it dim. Without a slope there is no surface.
    template <class T>
    __host__ __device__ static float lightAt(const RayVolume<T>& volume, const RayScene& s, const Place& p, float x,
                                             float y, float z) {
        constexpr float kAmbient = 0.25F;
        float gx, gy, gz;
        if (s.fine) {
            gx = (valueAt(volume, s, x + 1, y, z) - valueAt(volume, s, x - 1, y, z)) / 2;
            gy = (valueAt(volume, s, x, y + 1, z) - valueAt(volume, s, x, y - 1, z)) / 2;
            gz = (valueAt(volume, s, x, y, z + 1) - valueAt(volume, s, x, y, z - 1)) / 2;
        } else {
            const T* v = volume.values + p.at;
            const float origin = static_cast<float>(v[0]);
            gx = static_cast<float>(v[p.dx]) - origin;
            gy = static_cast<float>(v[p.dy]) - origin;
            gz = static_cast<float>(v[p.dz]) - origin;
        }
        gx *= s.toSlope[0];
        gy *= s.toSlope[1];
        gz *= s.toSlope[2];
        const float slope = sqrtf(gx * gx + gy * gy + gz * gz);
        if (!(slope > s.flat)) return 1;
        const float facing = fabsf(gx * s.forward[0] + gy * s.forward[1] + gz * s.forward[2]) / slope;
        return kAmbient + (1 - kAmbient) * facing;
    }
};

/// Where a ray is inside the volume: its first sample and how many there are.
struct Ray {
    float first[3];
    int samples;
};

__host__ __device__ inline Ray rayOf(const RayScene& s, int x, int y) {
    float begin = -INFINITY, end = INFINITY, origin[3];
    bool hits = true;
    for (int a = 0; a < 3; ++a) {
        origin[a] = s.corner[a] + static_cast<float>(x) * s.across[a] + static_cast<float>(y) * s.down[a];
        // The box reaches half a voxel beyond the outermost centres.
        const float low = -0.5F - origin[a], high = static_cast<float>(s.extent[a]) - 0.5F - origin[a];
        if (s.step[a] == 0) {
            hits = hits && low <= 0 && high > 0;
        } else {
            const float t0 = low / s.step[a], t1 = high / s.step[a];
            begin = fmaxf(begin, fminf(t0, t1));
            end = fminf(end, fmaxf(t0, t1));
        }
    }
    Ray ray;
    // A sample on the far face itself is none, however the length is rounded.
    ray.samples = hits && end > begin ? static_cast<int>(ceilf(end - begin - s.phase - 1e-3F)) : 0;
    for (int a = 0; a < 3; ++a) ray.first[a] = origin[a] + (begin + s.phase) * s.step[a];
    return ray;
}

template <class Gather, class T>
__host__ __device__ inline std::uint32_t march(const RayVolume<T>& volume, const RayScene& s, const Ray& ray) {
    Gather gather;
    for (int k = 0; k < ray.samples;) {
        const int remaining = ray.samples - k;
        std::size_t brick = 0;
        float leave = static_cast<float>(remaining);
        for (int a = 2; a >= 0; --a) {
            const float q = ray.first[a] + static_cast<float>(k) * s.step[a];
            float part;
            const int b = cellOf(q, s.extent[a], part) >> kBrickShift;
            brick = brick * s.bricks[a] + b;
            // Outermost bricks go on beyond the faces.
            if (s.step[a] > 0 && b + 1 < s.bricks[a]) {
                leave = fminf(leave, (static_cast<float>((b + 1) << kBrickShift) - q) / s.step[a]);
            } else if (s.step[a] < 0 && b > 0) {
                leave = fminf(leave, (static_cast<float>(b << kBrickShift) - q) / s.step[a]);
            }
        }
        const int here = leave > 1 ? static_cast<int>(ceilf(leave)) : 1;
        const int end = k + (here < remaining ? here : remaining);
        if (gather.skips(volume, s, volume.bricks[brick])) {
            k = end;
            continue;
        }
        for (; k < end; ++k) {
            const float t = static_cast<float>(k);
            if (!gather.take(volume, s, ray.first[0] + t * s.step[0], ray.first[1] + t * s.step[1],
                             ray.first[2] + t * s.step[2])) {
                return gather.pixel(volume, s);
            }
        }
    }
    return gather.pixel(volume, s);
}

/// The pixel (x, y): premultiplied 0xAARRGGBB, 0 beside the volume.
template <class T>
__host__ __device__ inline std::uint32_t castRay(const RayVolume<T>& volume, const RayScene& s, int x, int y) {
    const Ray ray = rayOf(s, x, y);
    if (ray.samples <= 0) return 0;
    switch (s.mode) {
        case Mode::maximum: return march<Maximum>(volume, s, ray);
        case Mode::average: return march<Average>(volume, s, ray);
        case Mode::shaded: return march<Shaded>(volume, s, ray);
    }
    return 0;
}

template <class T>
__global__ void raycast(RayVolume<T> volume, RayScene scene, std::uint32_t* pixels) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < scene.width && y < scene.height) {
        pixels[static_cast<std::size_t>(y) * scene.width + x] = castRay(volume, scene, x, y);
    }
}

template <class F>
void forValues(io::PixelType type, const void* values, F f) {
    io::withType(type, [&]<class T>(T) { f(static_cast<const T*>(values)); });
}

inline void launchRaycast(LaunchContext& c, const RayScene& s, const RaycastEntry::Handles& h, io::PixelType type) {
    // Neighbouring rays read neighbouring cells: square warps of 8 x 4 keep them in few cache lines.
    const dim3 block(8, 8), grid((s.width + 7) / 8, (s.height + 7) / 8);
    forValues(type, c.address(h.values), [&]<class T>(const T* values) {
        const RayVolume<T> volume{values, static_cast<const BrickRange*>(c.address(h.bricks)),
                                  static_cast<const TableEntry*>(c.address(h.table)),
                                  static_cast<const std::int32_t*>(c.address(h.visible))};
        launch(c, &raycast<T>, grid, block, 0, volume, s, static_cast<std::uint32_t*>(c.address(h.pixels)));
    });
}

inline void raycastRows(const RayScene& s, const RaycastEntry::Memory& m, io::PixelType type, int begin, int end) {
    forValues(type, m.values, [&]<class T>(const T* values) {
        const RayVolume<T> volume{values, m.bricks, m.table, m.visible};
        for (int y = begin; y < end; ++y) {
            for (int x = 0; x < s.width; ++x)
                m.pixels[static_cast<std::size_t>(y) * s.width + x] = castRay(volume, s, x, y);
        }
    });
}

RaycastEntry raycastEntryOfBuild() { return {&launchRaycast, &raycastRows}; }

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::render
