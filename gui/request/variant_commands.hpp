// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/run_key.hpp"
#include "gui/compare/looked_at.hpp"

#include <QDialog>
#include <functional>
#include <string>
#include <utility>
#include <vector>

class QLabel;
class QPushButton;

namespace warplens::gui {

class Actions;

/// Asks for the launch parameters of a row: those of a variant, or of a row that has some of its own.
class LaunchBox : public QDialog {
    Q_OBJECT
public:
    LaunchBox(RequestState& request, const std::string& id, QWidget* window);

signals:
    /// The id of a run that is not in the list yet.
    void chosen(const std::string& id);

private:
    QWidget* field(const gpu::Tunable& tunable);
    std::string id() const;
    void refresh();

    RequestState& m_request;
    gpu::AskedRun m_row;
    std::vector<std::pair<const gpu::Tunable*, std::function<int()>>> m_values;
    QLabel* m_said;
    QPushButton* m_take;
};

/// A variant again with other launch parameters, as a row of its own; other parameters for such a row; its removal. All
/// about the current row.
class VariantCommands : public QObject {
    Q_OBJECT
public:
    /// `list` offers them in its context menu.
    VariantCommands(const Actions& actions, RequestState& request, LookedAt& lookedAt, QWidget* list, QWidget* window);

private:
    /// Adds a row; in the place of another one where that is named.
    void take(const std::string& id, const std::string& instead);
    /// Whoever was about `old` is about `now` from here on; `old` leaves the list.
    void replace(std::string old, const std::string& now);

    RequestState& m_request;
    LookedAt& m_lookedAt;
};

}  // namespace warplens::gui
