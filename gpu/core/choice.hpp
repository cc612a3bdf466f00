// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <string>

namespace warplens::gpu {

/// A variant with its tunables that was chosen for the user, and why.
struct Choice {
    enum class Source { cache, table, order };

    std::string variant{};
    TunableValues tunables{};
    Source source = Source::order;
    std::string why{};  ///< one clause: which measurement it rests on
};

const char* nameOf(Choice::Source source);  ///< "cache", "table", "order"

}  // namespace warplens::gpu
