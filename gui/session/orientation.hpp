// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <QString>
#include <vector>

namespace warplens::gui {

/// How a picture lies against what it was: first flipped horizontally or not, then turned right by quarters.
struct Orientation {
    bool flipped = false;
    int quarters = 0;  ///< 0 to 3

    bool operator==(const Orientation&) const = default;
    /// After one more of the services that turn and flip.
    Orientation then(gpu::Service step) const;
    Orientation then(const Orientation& next) const;
    /// The fewest steps that lead there.
    std::vector<gpu::Service> steps() const;
    /// "turned right"; empty when nothing is turned.
    QString words() const;
};

}  // namespace warplens::gui
