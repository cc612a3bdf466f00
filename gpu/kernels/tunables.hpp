// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu {

// What makes the tunables of a row of variants.inc.

inline Tunable tunable(std::string id, int fallback, int minimum, int maximum, std::string help) {
    return {.id = std::move(id), .fallback = fallback, .minimum = minimum, .maximum = maximum, .help = std::move(help)};
}

/// `choices` rise.
inline Tunable tunable(std::string id, int fallback, std::vector<int> choices, std::string help) {
    Tunable made = tunable(std::move(id), fallback, choices.front(), choices.back(), std::move(help));
    made.choices = std::move(choices);
    return made;
}

inline Tunable blockWidth(int fallback) {
    return tunable("block_width", fallback, 1, 1024, "Threads per block along x.");
}

inline Tunable blockHeight(int fallback) {
    return tunable("block_height", fallback, 1, 1024, "Threads per block along y.");
}

inline Tunable blockHeight(int fallback, std::vector<int> choices) {
    return tunable("block_height", fallback, std::move(choices), "Threads per block along y.");
}

inline Tunable outputsPerThread(int fallback, std::vector<int> choices,
                                std::string help = "Outputs that one thread computes.") {
    return tunable("outputs_per_thread", fallback, std::move(choices), std::move(help));
}

inline Tunable rowsPerThread(int fallback, std::string help) {
    return tunable("rows_per_thread", fallback, 1, 65536, std::move(help));
}

}  // namespace warplens::gpu
