// SPDX-License-Identifier: Apache-2.0
#pragma once

// What every kernel of the family works on: a field, its weights, and the cells that keep their value.

#include "gpu/families/stencil/arguments.hpp"
#include "gpu/kernels/ceil_div.hpp"

#include <algorithm>
#include <cstddef>

namespace warplens::gpu::stencil {
inline namespace WARPLENS_BUILD {

/// The lesser and the greater of two.
__device__ inline int least(int a, int b) { return a < b ? a : b; }
__device__ inline int most(int a, int b) { return a > b ? a : b; }

/// Floats that are not negative order as their bits do, and a NaN lies above infinity.
__device__ inline unsigned bitsOf(float value) {
    unsigned bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/// Weights as a kernel's argument, which lies in constant memory: all threads of a warp read the same one at once.
struct Weights {
    float c[27];
};

/// The boxes of cells that are held. Passed by value as well.
struct Held {
    struct Box {
        int first[3], last[3];
    };
    Box box[kMaxRegions];
    int count;
    int depth;  ///< slices of one field: 1D and 2D stencils see the slices of all fields in a row

    __device__ bool contains(int x, int y, int slice) const {
        const int z = slice % depth;
        for (int i = 0; i < count; ++i) {
            const Box& b = box[i];
            if (x >= b.first[0] && x <= b.last[0] && y >= b.first[1] && y <= b.last[1] && z >= b.first[2] &&
                z <= b.last[2])
                return true;
        }
        return false;
    }
};

/// Values of width x height x depth cells, x fastest, before and after a pass. Whole: rows lie a width apart and all
/// slices are written; kernels that are built for both then have three numbers less to fetch, 2 to 8 % of their time.
template <bool Whole>
struct FieldOf {
    const float* in;
    float* out;
    int width, height, depth;
    Held held;
    int padded, first, last;  ///< values from row to row; slices that are written, the last one excluded

    /// Values from row to row.
    __host__ __device__ int pitch() const { return Whole ? width : padded; }
    __host__ __device__ int from() const { return Whole ? 0 : first; }
    __host__ __device__ int to() const { return Whole ? depth : last; }
    __device__ std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(z) * height + y) * pitch() + x;
    }
    __device__ bool contains(int x, int y, int z) const {
        return x >= 0 && x < width && y >= 0 && y < height && z >= 0 && z < depth;
    }
    /// The value, or 0 outside, where nobody needs it.
    __device__ float at(int x, int y, int z) const { return contains(x, y, z) ? in[index(x, y, z)] : 0.0F; }
    __device__ std::ptrdiff_t rowPitch() const { return pitch(); }
    __device__ std::ptrdiff_t slicePitch() const { return static_cast<std::ptrdiff_t>(pitch()) * height; }
};
using Field = FieldOf<false>;

/// reachY() and reachZ() as constants, which device code may use.
template <Pattern P>
inline constexpr int kReachY = reachY(P);
template <Pattern P>
inline constexpr int kReachZ = reachZ(P);

/// Whether a cell keeps its value: on an outermost face of an axis in use (or beyond it), or in a region that is held.
template <Pattern P, bool Whole>
__device__ bool keeps(const FieldOf<Whole>& f, int x, int y, int z) {
    if (x <= 0 || x >= f.width - 1) return true;
    if (kReachY < P >> 0 && (y <= 0 || y >= f.height - 1)) return true;
    if (kReachZ < P >> 0 && (z <= 0 || z >= f.depth - 1)) return true;
    return f.held.count > 0 && f.held.contains(x, y, z);
}

// Every kernel adds in the same order with the same fused operations, so that all variants agree to the last bit.

__device__ inline float lineSum(const Weights& k, float centre, float left, float right) {
    return fmaf(k.c[2], right, fmaf(k.c[1], left, k.c[0] * centre));
}

__device__ inline float crossSum(const Weights& k, float centre, float left, float right, float up, float down) {
    return fmaf(k.c[4], down, fmaf(k.c[3], up, lineSum(k, centre, left, right)));
}

__device__ inline float starSum(const Weights& k, float centre, float left, float right, float up, float down,
                                float below, float above) {
    return fmaf(k.c[6], above, fmaf(k.c[5], below, crossSum(k, centre, left, right, up, down)));
}

/// The weighted sum around here[0]; below[0] and above[0] are the same cell one slice before and after, rows `pitch`
/// apart.
template <Pattern P>
__device__ float weightedSum(const Weights& k, const float* below, const float* here, const float* above,
                             std::ptrdiff_t pitch) {
    if constexpr (P == Pattern::line) {
        return lineSum(k, here[0], here[-1], here[1]);
    } else if constexpr (P == Pattern::cross) {
        return crossSum(k, here[0], here[-1], here[1], here[-pitch], here[pitch]);
    } else if constexpr (P == Pattern::star) {
        return starSum(k, here[0], here[-1], here[1], here[-pitch], here[pitch], below[0], above[0]);
    } else {
        const float* const slices[3] = {below, here, above};
        float sum = 0;
#pragma unroll
        for (int i = 0; i < 27; ++i) sum = fmaf(k.c[i], slices[i / 9][(i / 3 % 3 - 1) * pitch + i % 3 - 1], sum);
        return sum;
    }
}

inline Weights weightsOf(const Operator& op) {
    Weights weights{};
    std::copy(op.weights.begin(), op.weights.end(), weights.c);
    return weights;
}

inline Held heldOf(const Operator& op, int depth) {
    Held held{};
    held.depth = depth;
    held.count = static_cast<int>(op.regions.size());
    for (int i = 0; i < held.count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            held.box[i].first[axis] = op.regions[i].first[axis];
            held.box[i].last[axis] = op.regions[i].last[axis];
        }
    }
    return held;
}

/// Calls f(Field): per field in 3D; once for the slices of all fields together below, since slices know nothing of each
/// other.
template <class F>
void forFields(LaunchContext& c, const Pass& p, F f) {
    Field field{static_cast<const float*>(c.address(p.input)),
                static_cast<float*>(c.address(p.output)),
                p.width,
                p.height,
                p.depth,
                heldOf(*p.op, p.depth),
                p.pitch,
                p.firstSlice,
                p.lastSlice > 0 ? p.lastSlice : p.depth};
    if (dimensionsOf(p.op->pattern) < 3) {
        field.depth = field.last = p.depth * p.fields;
        f(field);
        return;
    }
    const std::size_t cells = static_cast<std::size_t>(p.pitch) * p.height * p.depth;
    for (int i = 0; i < p.fields; ++i) {
        f(field);
        field.in += cells;
        field.out += cells;
    }
}

/// The same for kernels that are built for both: calls f(FieldOf<true>) where it serves.
template <class F>
void forEitherField(LaunchContext& c, const Pass& p, F f) {
    forFields(c, p, [&](const Field& field) {
        if (field.padded == field.width && field.first == 0 && field.last == field.depth)
            f(FieldOf<true>{field.in, field.out, field.width, field.height, field.depth, field.held, field.padded,
                            field.first, field.last});
        else
            f(field);
    });
}

template <Pattern P>
struct As {
    static constexpr Pattern kPattern = P;
};

/// Calls f(As<P>) for the pattern, of those given.
template <Pattern... P, class F>
void forPattern(Pattern pattern, F f) {
    (void)((pattern == P && (f(As<P>{}), true)) || ...);
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::stencil
