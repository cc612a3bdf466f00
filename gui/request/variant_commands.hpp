// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/compare/looked_at.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/marks.hpp"

#include <QDialog>
#include <functional>
#include <memory>
#include <string>
#include <vector>

class QLabel;
class QPushButton;

namespace warplens::gui {

class Actions;

/// Asks for the launch parameters of a row: those of a variant, or of a row that has some of its own. While they are
/// chosen it says which tile a block has by them, and why the device runs none, where it is so.
class LaunchBox : public QDialog {
    Q_OBJECT
public:
    LaunchBox(RequestState& request, const std::string& id, QWidget* window);

signals:
    /// The id of a run that is not in the list yet.
    void chosen(const std::string& id);

private:
    QWidget* field(const gpu::Tunable& tunable);
    gpu::RunKey key() const;
    std::string id() const { return key().id(); }
    /// The present picture's problem is posed aside: it may take a while.
    void pose();
    void refresh();
    /// Says what a block of these parameters does; whether the device runs it.
    bool judge();

    RequestState& m_request;
    gpu::AskedRun m_row;
    struct Field {
        const gpu::Tunable* tunable;
        std::function<int()> value;
        std::function<void(int)> set;
    };
    std::vector<Field> m_fields;
    JobRunner m_poseJobs;
    std::shared_ptr<const gpu::Problem> m_problem;  ///< null until it is posed, and where it cannot be
    QLabel *m_said, *m_block, *m_refusal;
    StatusMark* m_mark;
    QPushButton *m_reset, *m_take;
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
