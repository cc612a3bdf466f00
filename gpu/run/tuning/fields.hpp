// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <nlohmann/json.hpp>

namespace warplens::gpu::tuning {

/// {"kinds": {...}, "sizes": {...}}; weights belong to the problem that asks and are not written.
nlohmann::ordered_json toJson(const Traits& traits);
/// Throws what nlohmann throws.
Traits traitsOf(const nlohmann::ordered_json& json);

}  // namespace warplens::gpu::tuning
