// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace warplens::gui {

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

}  // namespace warplens::gui
