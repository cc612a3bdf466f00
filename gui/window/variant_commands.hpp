// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/looked_at.hpp"
#include "gui/session/request_state.hpp"

#include <QObject>
#include <functional>
#include <string>

namespace warplens::gui {

class Actions;
class VariantList;

/// A variant again with other launch parameters, as a row of its own; other parameters for such a row; its removal. All
/// about the current row.
class VariantCommands : public QObject {
    Q_OBJECT
public:
    /// `list` offers them in its context menu, and is where launch parameters are typed; `showList` makes it seen.
    VariantCommands(const Actions& actions, RequestState& request, LookedAt& lookedAt, VariantList* list,
                    const std::function<void()>& showList);

private:
    /// Adds a row; in the place of another one where that is named.
    void take(const std::string& id, const std::string& instead);
    /// Whoever was about `old` is about `now` from here on; `old` leaves the list.
    void replace(std::string old, const std::string& now);

    RequestState& m_request;
    LookedAt& m_lookedAt;
};

}  // namespace warplens::gui
