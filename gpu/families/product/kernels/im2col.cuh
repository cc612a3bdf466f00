// SPDX-License-Identifier: Apache-2.0
// Idea: what every pixel's window holds becomes a column of a matrix, and a bank of filters one product.
// Changed from double_buffered: the right factor is written first, side x side values per pixel, band by band.
// Needs: room for a band: 256 MiB, or as much as one has.
// Block: as double_buffered, 64 rows; the band is written by a kernel of its own, timed as well.
// Source: Chellapilla, Puri and Simard, High Performance Convolutional Neural Networks, 2006; re-derived.
// Look at: bytes written and read again: side x side times the picture, against none in implicit.
#pragma once

#include "gpu/families/product/pipeline.cuh"

#include <algorithm>

namespace warplens::gpu::product {
inline namespace WARPLENS_BUILD {

struct BandPolicy {
    static constexpr std::int64_t kFloats = 1 << 26, kWhole = 128;  ///< of a band; pixels that it is a multiple of
};

/// Terms of one column: those of the window in rows, filled up with zeros to whole quads. blockIdx.y is the term.
template <class T>
__global__ void writeWindows(const T* in, float* band, Banking bank, std::int64_t first, std::int64_t bandPixels) {
    const std::int64_t at = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x, pixel = first + at;
    if (at >= bandPixels) return;
    const int term = blockIdx.y, before = bank.side / 2;
    const int x = static_cast<int>(pixel % bank.width) + term % bank.side - before;
    const std::int64_t y = pixel / bank.width + term / bank.side - before;
    const bool inside = term < bank.side * bank.side && x >= 0 && x < bank.width && y >= 0 && y < bank.height;
    band[term * bandPixels + at] = inside ? static_cast<float>(in[y * bank.width + x]) : 0.0F;
}

inline std::int64_t bandPixelsOf(std::int64_t pixels, int taps) {
    const std::int64_t most = BandPolicy::kFloats / wholeQuads(taps) / BandPolicy::kWhole * BandPolicy::kWhole;
    const std::int64_t all = (pixels + BandPolicy::kWhole - 1) / BandPolicy::kWhole * BandPolicy::kWhole;
    return std::min(all, most);
}

inline void launchIm2col(LaunchContext& c, const Banking& bank, const TunableValues&) {
    constexpr int kThreads = 256;
    const std::int64_t pixels = std::int64_t{bank.width} * bank.height, band = bandPixelsOf(pixels, bank.taps());
    const dim3 grid(static_cast<unsigned>((band + kThreads - 1) / kThreads),
                    static_cast<unsigned>(wholeQuads(bank.taps())));
    Multiplication m{.rows = bank.count,
                     .inner = bank.taps(),
                     .a = {bank.filters, 0, bank.filterRow, 0},
                     .b = {bank.scratch, 0, band, 0},
                     .c = {bank.output, 0, pixels, 0}};
    io::withSampleType(bank.type, [&]<class T>(T) {
        for (int channel = 0; channel < bank.channels; ++channel) {
            const T* const in = static_cast<const T*>(c.address(bank.input)) + channel * pixels;
            for (std::int64_t first = 0; first < pixels; first += band) {
                launch(c, &writeWindows<T>, grid, dim3(kThreads), 0, in, static_cast<float*>(c.address(bank.scratch)),
                       bank, first, band);
                m.columns = static_cast<int>(std::min(band, pixels - first));
                m.c.first = channel * bank.count * pixels + first;
                launchPipeline<4>(c, m);
            }
        }
    });
}

inline std::size_t bandFloats(const Case& asked) {
    const std::int64_t pixels = std::int64_t{asked.width} * asked.height;
    return static_cast<std::size_t>(bandPixelsOf(pixels, asked.taps()) * wholeQuads(asked.taps()));
}

inline Footprint im2colFootprint(const Case&, const TunableValues&) {
    return {
        .blockWidth = 256, .blockHeight = 1, .tileWidth = 128, .tileHeight = 1, .staged = true, .order = Order::rows};
}

KernelEntry im2col_entry() {
    return {.filter = &launchIm2col,
            .footprint = &im2colFootprint,
            .filterScratch = &bandFloats,
            .sharedBytes = [](const Case&, const TunableValues&) { return PipelinePolicy<4>::kBytes; },
            .code = {kTensorCapability, [] { return reinterpret_cast<const void*>(&double_buffered<4>); }}};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::product
