// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/families/merge/parameters.hpp"
#include "io/grid.hpp"

#include <cmath>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace warplens::gpu::merge {

/// The family's order: -0 before +0, NaN last.
template <class T>
bool comesBefore(T a, T b) {
    if constexpr (std::is_same_v<T, float>) {
        if (a == b) return std::signbit(a) && !std::signbit(b);
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
    }
    return a < b;
}

/// What is asked for, and the values of which it is made: of each channel `first` values are one list, the others
/// behind them another.
struct ChosenLists {
    Chosen chosen;
    std::shared_ptr<const io::Grid> values;
    std::uint64_t first = 0;
};

/// Puts both lists into one picture where two are merged: below one another where they are equally wide, else in one
/// row. A null input stays null. Throws Error(argument) where the lists do not go together, or are given and not
/// sorted.
ChosenLists listsOf(std::shared_ptr<const io::Grid> input, const Chosen& chosen);

/// The table `co_rank`: the steps of the binary search for how many of the first `rank` outputs come from the first
/// list of channel 0. Both lists are sorted.
std::shared_ptr<const Table> coRankSteps(const io::Grid& sortedLists, std::uint64_t first, std::uint64_t rank);

}  // namespace warplens::gpu::merge
