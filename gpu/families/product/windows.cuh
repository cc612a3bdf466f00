// SPDX-License-Identifier: Apache-2.0
#pragma once

// What a block of a bank of filters works on, and where its windows lie: implicit and implicit_tensor.

#include "gpu/families/product/launching.cuh"

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

/// A tile of one channel's pixels and a group of filters; P says how many of each.
template <class P>
struct BankBlock {
    int channel, group, left, top, before;
    std::int64_t pixels;

    /// blockIdx.z: channels, each with all groups.
    __device__ explicit BankBlock(const Banking& bank)
        : left(blockIdx.x * P::kWidth),
          top(blockIdx.y * P::kHeight),
          before(bank.side / 2),
          pixels(std::int64_t{bank.width} * bank.height) {
        const int groups = (bank.count + P::kFilters - 1) / P::kFilters;
        channel = blockIdx.z / groups;
        group = blockIdx.z % groups;
    }
    /// f(value), where value(x, y) is the picture's at a place of the tile with what is around it; zero beyond the
    /// picture. Filling a tile is all that the picture's type matters for.
    template <class F>
    __device__ void withValues(const Banking& bank, const void* in, F f) const {
        const auto of = [&](const auto* all) {
            const auto* const plane = all + channel * pixels;
            f([&](int x, int y) {
                const int column = left + x - before, row = top + y - before;
                const bool inside = column >= 0 && column < bank.width && row >= 0 && row < bank.height;
                return inside ? static_cast<float>(plane[std::int64_t{row} * bank.width + column]) : 0.0F;
            });
        };
        switch (bank.type) {
            case io::PixelType::u8: return of(static_cast<const std::uint8_t*>(in));
            case io::PixelType::u16: return of(static_cast<const std::uint16_t*>(in));
            default: return of(static_cast<const float*>(in));
        }
    }
    /// Where row y of the tile is stored for one filter of the group.
    __device__ float* output(const Banking& bank, float* out, int filter, int y) const {
        const std::int64_t slice = std::int64_t{channel} * bank.count + group * P::kFilters + filter;
        return out + slice * pixels + std::int64_t{top + y} * bank.width + left;
    }
};

template <class P>
dim3 bankGrid(const Banking& bank) {
    return {ceilDiv(bank.width, P::kWidth), ceilDiv(bank.height, P::kHeight),
            ceilDiv(bank.count, P::kFilters) * static_cast<unsigned>(bank.channels)};
}

/// A tile with what windows reach beyond it.
template <class P>
Footprint bankFootprint(const Case& asked, const TunableValues&) {
    const int before = asked.side / 2, after = asked.side - 1 - before;
    return {.blockWidth = P::kThreads,
            .blockHeight = 1,
            .tileWidth = P::kWidth,
            .tileHeight = P::kHeight,
            .stagedLeft = before,
            .stagedTop = before,
            .stagedRight = after,
            .stagedBottom = after,
            .staged = true,
            .haloX = before,
            .haloY = before};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
