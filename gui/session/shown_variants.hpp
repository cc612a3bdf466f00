// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"

#include <QString>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

class VariantListModel;

/// Which variants have a pane. A variant keeps its place while it is shown; a newly chosen one takes the place of the
/// one chosen before, never that of the baseline.
class ShownVariants {
public:
    /// `ladder`: ids that may be shown, in order. `places`: panes for results.
    void update(std::size_t places, const std::vector<std::string>& ladder, const std::string& baseline,
                const std::string& current);
    const std::vector<std::string>& ids() const { return m_ids; }

private:
    std::vector<std::string> m_ids;
    std::string m_previous;
};

/// One picture that can be chosen, flipped to or wiped against.
struct LineupEntry {
    QString key;    ///< "input" or a variant's id
    QString title;  ///< "input", "naive"
    std::optional<gpu::Idea> idea;
};

/// What the keys 1 to 9 stand for: the input, then the checked variants in the order of the ladder.
std::vector<LineupEntry> lineup(const VariantListModel& variants);

/// The key of the input in lineups, panes and references.
inline const QString kInputKey = QStringLiteral("input");

}  // namespace warplens::gui
