// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/user/attempt.hpp"
#include "gui/kernel/kernel_file.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QPoint>
#include <QTimer>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gui {

/// Compiles, runs and checks what is being written, a pause after the last key or at once, and keeps what came of it.
/// A newer text ends the older one's run; the last result stays, and is older then.
class KernelModel : public QObject {
    Q_OBJECT
public:
    static constexpr int kPauseMs = 400;

    KernelModel(RequestState& request, RunControl& control, KernelFile& file, Activity& activity,
                QObject* parent = nullptr);

    /// As VariantListModel::setMaker().
    void setMaker(gpu::KernelMaker maker) { m_request.variants().setMaker(std::move(maker)); }
    /// Nothing runs while nobody sees it.
    void setSeen(bool seen);
    /// Compiles and runs without waiting for a pause.
    void run();
    bool busy() const { return m_jobs.busy() || m_pause.isActive(); }

    /// What came of the newest text that was tried; nothing yet: it has not ended.
    const std::optional<gpu::RunRecord>& record() const { return m_tried.record; }
    const std::vector<gpu::user::KernelProblem>& problems() const { return m_tried.problems; }
    /// Why nothing could be tried: no compiler, no picture; a sentence.
    QString refusal() const { return QString::fromStdString(m_tried.refusal); }
    /// The last attempt that made a picture; null: none did.
    const gpu::user::Attempt* shown() const { return m_shown ? &*m_shown : nullptr; }
    /// Whether that is of another text or task than the present one.
    bool older() const;
    /// Where the first wrong value of the last run is, and what it is: "1.5 instead of 1.25".
    std::optional<QPoint> wrongPixel() const;
    QString wrongValue() const;

    /// The numbers that may be chosen, of the text's head and of the block; none where no kernel can be read.
    const std::vector<gpu::Tunable>& tunables() const { return m_tunables; }
    /// The text with another number in its head.
    QString withTunable(const std::string& id, int value) const;
    /// A file to begin with for the task at hand. Empty, with a notice, where no kernel can do it.
    QString startingFile(bool plain);
    /// The current variant's own file, as a kernel of the user's. Empty, with a notice, where it has none.
    QString copyOfVariant();

    /// Whether the kernel stands below the family's ladder, as a row of every comparison.
    bool inComparison() const { return m_request.variants().kernel(m_row) != nullptr; }
    /// Puts it there, or takes it out again.
    void toggleComparison();
    /// Gives its row the present text, as is done when that is saved. One that holds no kernel leaves the row as it is,
    /// and that is said.
    void followComparison();

signals:
    void changed();

private:
    void textChanged();
    void taskChanged();
    void demand();
    void start();
    void take(const gpu::user::Attempt& tried);
    void refuse(const QString& why);
    /// Adds the present text as a row; says why not.
    void addRow();

    RequestState& m_request;
    RunControl& m_control;
    KernelFile& m_file;
    Activity& m_activity;
    gpu::user::Attempt m_tried;
    std::optional<gpu::user::Attempt> m_shown;
    bool m_taskMoved = false;  ///< since m_shown
    std::vector<gpu::Tunable> m_tunables;
    std::string m_row;       ///< id of the row that the last text has which held a kernel
    QString m_text, m_name;  ///< of which those are
    bool m_seen = false, m_due = false;
    QTimer m_pause;
    JobRunner m_jobs;  ///< last
};

}  // namespace warplens::gui
