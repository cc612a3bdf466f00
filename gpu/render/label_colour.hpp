// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#ifdef __CUDACC__
#define WARPLENS_EVERYWHERE __host__ __device__
#else
#define WARPLENS_EVERYWHERE
#endif

namespace warplens::gpu::render {

/// The colour of one label, 0xffRRGGBB: black for 0, the background; dark grey for -1, which stands for none; for every
/// other one of its own, the same in every picture, bright enough to tell it from both. In integers alone, so that
/// every device draws the same.
WARPLENS_EVERYWHERE constexpr std::uint32_t labelColour(std::int64_t label) {
    if (label == 0) return 0xff000000U;
    if (label == -1) return 0xff303030U;
    // Steps of the golden ratio: hues of labels that follow one another lie far apart.
    const std::uint32_t turned = static_cast<std::uint32_t>(label) * 2654435769U;
    const std::uint32_t hue = (turned >> 16) * 6U >> 8;  // six sectors of 256
    // Labels whose hues fall together still differ in brightness and saturation.
    const std::uint32_t mixed = (turned ^ turned >> 15) * 2246822519U;
    const std::uint32_t most = 160 + (mixed >> 25) * 3 / 4;          // 160 to 255
    const std::uint32_t least = most * (mixed >> 18 & 0x7fU) / 256;  // up to half of it
    const std::uint32_t part = hue & 0xffU, rise = least + (most - least) * part / 256;
    const std::uint32_t fall = most - (most - least) * part / 256;
    switch (hue >> 8) {
        case 0: return 0xff000000U | most << 16 | rise << 8 | least;
        case 1: return 0xff000000U | fall << 16 | most << 8 | least;
        case 2: return 0xff000000U | least << 16 | most << 8 | rise;
        case 3: return 0xff000000U | least << 16 | fall << 8 | most;
        case 4: return 0xff000000U | rise << 16 | least << 8 | most;
        default: return 0xff000000U | most << 16 | least << 8 | fall;
    }
}

/// The label that a finite value stands for: the nearest integer of 32 bits.
WARPLENS_EVERYWHERE constexpr std::int64_t labelNear(float value) {
    if (value >= 4294967296.0F) return 4294967295LL;
    if (value <= -2147483648.0F) return -2147483648LL;
    const auto towardsZero = static_cast<std::int64_t>(value);
    const float rest = value - static_cast<float>(towardsZero);
    return towardsZero + (rest >= 0.5F ? 1 : rest <= -0.5F ? -1 : 0);
}

}  // namespace warplens::gpu::render

#undef WARPLENS_EVERYWHERE
