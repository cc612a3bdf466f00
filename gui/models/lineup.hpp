// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QString>
#include <optional>
#include <vector>

namespace warplens::gui {

class CompareSession;

/// One picture that can be chosen, flipped to or wiped against.
struct LineupEntry {
    QString key;    ///< "input" or a variant's id
    QString title;  ///< "input", "naive"
    std::optional<gpu::Idea> idea;
};

/// What the keys 1 to 9 stand for: the input, then the checked variants in the order of the ladder.
std::vector<LineupEntry> lineup(CompareSession& session);

/// The key of the input in lineups, panes and references.
inline const QString kInputKey = QStringLiteral("input");

}  // namespace warplens::gui
