// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <string>
#include <string_view>

namespace warplens::gpu {

/// How far kernels are compiled for the task at hand.
enum class SpecialisationMode {
    off,       ///< not at all
    extent,    ///< for a filter's extent, never for its weights
    whatPays,  ///< also for the weights where enough of them are 0
    weights,   ///< also for the weights, whatever they are: to compare with
};

inline std::string_view specialisingWord() {
    const char* const set = std::getenv("WARPLENS_SPECIALISE");
    return set != nullptr ? set : "";
}

/// By WARPLENS_SPECIALISE: "off", "extent" or "weights"; whatPays where it is not set, or to another word, which
/// programs refuse.
inline SpecialisationMode specialisingWish() {
    const std::string_view wish = specialisingWord();
    if (wish == "off") return SpecialisationMode::off;
    if (wish == "extent") return SpecialisationMode::extent;
    if (wish == "weights") return SpecialisationMode::weights;
    return SpecialisationMode::whatPays;
}

/// What is wrong with WARPLENS_SPECIALISE and what to do; empty: nothing.
inline std::string specialisingProblem() {
    const std::string word(specialisingWord());
    if (word.empty() || specialisingWish() != SpecialisationMode::whatPays) return {};
    return "WARPLENS_SPECIALISE=" + word + ": give off, extent or weights, or unset it";
}

}  // namespace warplens::gpu
