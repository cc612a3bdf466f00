// SPDX-License-Identifier: Apache-2.0
// Idea: a projection by 16-byte loads, four of them under way; a thread keeps only what is asked for.
// Changed from ray_split: packs of neighbouring lines along y and z, packs of a line for each of 8 lanes along x.
// Needs: nothing; along y and z rows that are no multiple of 16 bytes are loaded value by value.
// Block: 32 x block_height threads; a part for each thread and value of a pack in shared memory along y and z.
// Source: ours.
// Look at: add() of Part: one comparison a value where ray counts, sums and compares twice.
#pragma once

#include "gpu/families/reduction/lines.cuh"
#include "gpu/kernels/load_once.cuh"

namespace warplens::gpu::reduction {
inline namespace WARPLENS_BUILD {

enum class Wanted { maximum, minimum, total };

/// What one projection keeps of a line.
template <class T, Wanted kWanted>
struct Part {
    static constexpr bool kFloats = Line<T>::kFloats, kTotal = kWanted == Wanted::total;
    using Value = std::conditional_t<kTotal, typename Line<T>::Sum, typename Line<T>::Extreme>;
    Value value{};
    unsigned seen = 0;  ///< values that are numbers; of integers all are, and nobody counts

    __device__ Part() {
        if constexpr (kWanted == Wanted::maximum) value = Line<T>().high;
        if constexpr (kWanted == Wanted::minimum) value = Line<T>().low;
    }
    __device__ void add(T given) {
        if constexpr (kFloats) {
            if (given != given) return;
            ++seen;
        }
        join(static_cast<Value>(given));
    }
    __device__ void merge(const Part& other) {
        seen += other.seen;
        join(other.value);
    }
    __device__ Line<T> line(Wide length) const {
        Line<T> line;
        line.count = kFloats ? Wide{seen} : length;
        if constexpr (kTotal)
            line.sum = value;
        else
            line.low = line.high = value;
        return line;
    }

private:
    __device__ void join(Value other) {
        if constexpr (kTotal)
            value += other;
        else if constexpr (kWanted == Wanted::maximum)
            value = other > value ? other : value;
        else
            value = other < value ? other : value;
    }
};

struct PackedRays {
    static constexpr unsigned kLanes = 8;  ///< that share a line along x: 128 bytes a request and line
    static constexpr unsigned kLinesPerWarp = 32 / kLanes, kAhead = 4;
};

/// Along x: the packs of a line in turn by the lanes that share it, the values beside them one by one.
template <class T, Wanted kWanted>
__device__ void alongRows(const Rays<T>& rays) {
    constexpr unsigned kValues = Pack<T>::kValues;
    const Wide warp = Wide{blockIdx.x} * blockDim.y + threadIdx.y;
    const Wide output = warp * PackedRays::kLinesPerWarp + threadIdx.x / PackedRays::kLanes;
    const unsigned lane = threadIdx.x % PackedRays::kLanes;
    Part<T, kWanted> part;
    if (output < rays.outputs) {
        const T* const first = rays.lineOf(output);
        const Wide misaligned = (16 - reinterpret_cast<std::uintptr_t>(first) % 16) % 16 / sizeof(T);
        const Wide head = misaligned < rays.length ? misaligned : rays.length, packs = (rays.length - head) / kValues;
        for (Wide i = lane; i < head; i += PackedRays::kLanes) part.add(first[i]);
        const auto* const from = reinterpret_cast<const Pack<T>*>(first + head);
#pragma unroll 4
        for (Wide i = lane; i < packs; i += PackedRays::kLanes) {
            const Pack<T> pack = loadOnce(from + i);
#pragma unroll
            for (unsigned k = 0; k < kValues; ++k) part.add(pack[static_cast<int>(k)]);
        }
        for (Wide i = head + packs * kValues + lane; i < rays.length; i += PackedRays::kLanes) part.add(first[i]);
    }
    for (unsigned apart = PackedRays::kLanes / 2; apart >= 1; apart /= 2) {
        Part<T, kWanted> other;
        other.value = __shfl_down_sync(0xffffffffU, part.value, apart);
        other.seen = __shfl_down_sync(0xffffffffU, part.seen, apart);
        part.merge(other);
    }
    if (lane == 0 && output < rays.outputs) rays.store(output, part.line(rays.length));
}

template <class T, Wanted kWanted>
__global__ void ray_packed(Rays<T> rays, bool aligned) {
    if (rays.inner == 1) return alongRows<T, kWanted>(rays);
    constexpr unsigned kValues = Pack<T>::kValues;
    // Value k of this thread is output first + k * apart: neighbours in a pack, or a warp's width apart.
    const Wide warp = Wide{blockIdx.x} * 32 * kValues, apart = aligned ? 1 : 32;
    const Wide first = warp + threadIdx.x * (aligned ? kValues : 1);
    Part<T, kWanted> parts[kValues];
    if (aligned && first < rays.outputs) {
        const T* const from = rays.lineOf(first);
        Wide i = threadIdx.y;
        for (; i + (PackedRays::kAhead - 1) * blockDim.y < rays.length; i += PackedRays::kAhead * blockDim.y) {
            Pack<T> packs[PackedRays::kAhead];
#pragma unroll
            for (unsigned a = 0; a < PackedRays::kAhead; ++a)
                packs[a] = loadOnce(reinterpret_cast<const Pack<T>*>(from + (i + a * blockDim.y) * rays.inner));
#pragma unroll
            for (unsigned a = 0; a < PackedRays::kAhead; ++a)
#pragma unroll
                for (unsigned k = 0; k < kValues; ++k) parts[k].add(packs[a][static_cast<int>(k)]);
        }
        for (; i < rays.length; i += blockDim.y) {
            const Pack<T> pack = loadOnce(reinterpret_cast<const Pack<T>*>(from + i * rays.inner));
#pragma unroll
            for (unsigned k = 0; k < kValues; ++k) parts[k].add(pack[static_cast<int>(k)]);
        }
    } else if (!aligned) {
#pragma unroll
        for (unsigned k = 0; k < kValues; ++k) {
            if (first + k * apart >= rays.outputs) break;
            const T* const from = rays.lineOf(first + k * apart);
            for (Wide i = threadIdx.y; i < rays.length; i += blockDim.y) parts[k].add(from[i * rays.inner]);
        }
    }
    const SharedCells<Part<T, kWanted>> shared{blockDim.y * kValues * 32};
    const auto slot = [](unsigned y, unsigned k) { return (y * kValues + k) * 32 + threadIdx.x; };
#pragma unroll
    for (unsigned k = 0; k < kValues; ++k) shared.put(slot(threadIdx.y, k), parts[k]);
    __syncthreads();  // every thread's parts are there
    for (unsigned k = threadIdx.y; k < kValues; k += blockDim.y) {
        if (first + k * apart >= rays.outputs) return;
        Part<T, kWanted> part = shared.get(slot(0, k));
        for (unsigned y = 1; y < blockDim.y; ++y) part.merge(shared.get(slot(y, k)));
        rays.store(first + k * apart, part.line(rays.length));
    }
}

inline void launchRayPacked(LaunchContext& c, const Arguments& a, const TunableValues& t) {
    const auto rows = static_cast<unsigned>(t.at("block_height"));
    dispatchRays(c, a, [&]<class T>(const Rays<T>& rays) {
        constexpr unsigned kValues = Pack<T>::kValues;
        const bool aligned = rays.inner % kValues == 0 && reinterpret_cast<std::uintptr_t>(rays.in) % 16 == 0;
        const unsigned perBlock = rays.inner == 1 ? rows * PackedRays::kLinesPerWarp : 32 * kValues;
        const auto launchOf = [&]<class P>(P, void (*kernel)(Rays<T>, bool)) {
            launch(c, kernel, dim3(static_cast<unsigned>((rays.outputs + perBlock - 1) / perBlock)), dim3(32, rows),
                   SharedCells<P>::bytes(32 * kValues * rows), rays, aligned);
        };
        switch (a.keep) {
            case Keep::maximum: return launchOf(Part<T, Wanted::maximum>{}, &ray_packed<T, Wanted::maximum>);
            case Keep::minimum: return launchOf(Part<T, Wanted::minimum>{}, &ray_packed<T, Wanted::minimum>);
            default: return launchOf(Part<T, Wanted::total>{}, &ray_packed<T, Wanted::total>);
        }
    });
}

inline Footprint rayPackedFootprint(const Case& k, const TunableValues& t) {
    const int rows = t.at("block_height"), values = k.floats() ? 4 : k.type == io::PixelType::u16 ? 8 : 16;
    return {.blockWidth = 32,
            .blockHeight = rows,
            .tileWidth = k.lines.inner == 1 ? rows * static_cast<int>(PackedRays::kLinesPerWarp) : 32 * values,
            .tileHeight = 1,
            .order = Order::rows};
}

KernelEntry ray_packed_entry() {
    return {.launch = &launchRayPacked, .footprint = &rayPackedFootprint, .statistics = false, .projects = true};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::reduction
