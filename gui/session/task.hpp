// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/multi_device_problem.hpp"
#include "gpu/core/parameter.hpp"
#include "gui/session/document.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace warplens::gpu {
class Family;
class UserKernel;
}  // namespace warplens::gpu

namespace warplens::gui {

/// What is asked for, as a value: of which picture, which family with which values, by which rows, and where. Copies
/// share the picture.
struct Task {
    Document::State picture;
    const gpu::Family* family = nullptr;
    gpu::ParameterValues values;     ///< those that were chosen; absent ones are defaults
    std::vector<std::string> added;  ///< rows with tunables of their own, beside the family's variants
    std::map<std::string, std::shared_ptr<const gpu::UserKernel>> kernels;  ///< of the user's, by their rows' ids
    std::set<std::string> checked;
    std::string current, baseline;
    std::string chosen;  ///< the variant that the user named; empty: none
    std::string devices;
    gpu::HaloExchangeMode halos = gpu::HaloExchangeMode::overlapped;
    std::int64_t memoryCap = 0;

    bool samePicture(const Task& other) const;
    bool sameValues(const Task& other) const { return family == other.family && values == other.values; }
    bool sameValue(const Task& other, const std::string& id) const;
    /// Of the family's parameter of that role; true where it has none.
    bool sameValue(const Task& other, gpu::Parameter::Role role) const;
    bool sameRows(const Task& other) const { return family == other.family && added == other.added; }
    /// Whether what was found on the one's devices holds on the other's.
    bool sameDevices(const Task& other) const;
    /// Whether both have the same current variant, of the same family.
    bool sameCurrent(const Task& other) const { return family == other.family && current == other.current; }
    bool operator==(const Task& other) const;
};

}  // namespace warplens::gui
