// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string_view>

namespace warplens::gpu {

/// How far kernels are compiled for the task at hand.
enum class SpecialisingWish {
    off,       ///< not at all
    extent,    ///< for a filter's extent, never for its weights
    whatPays,  ///< also for the weights where enough of them are 0
    weights,   ///< also for the weights, whatever they are: to compare with
};

/// By WARPLENS_SPECIALISE: "off", "extent" or "weights"; whatPays where it is not set or another word.
inline SpecialisingWish specialisingWish() {
    const char* const set = std::getenv("WARPLENS_SPECIALISE");
    const std::string_view wish = set != nullptr ? set : "";
    if (wish == "off") return SpecialisingWish::off;
    if (wish == "extent") return SpecialisingWish::extent;
    if (wish == "weights") return SpecialisingWish::weights;
    return SpecialisingWish::whatPays;
}

}  // namespace warplens::gpu
