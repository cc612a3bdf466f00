// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/record.hpp"
#include "gpu/core/variant.hpp"
#include "gpu/run/user_kernel.hpp"
#include "gui/kernel/kernel_file.hpp"
#include "gui/kernel/kernel_words.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QPoint>
#include <QTimer>
#include <memory>
#include <optional>
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
    const std::optional<gpu::RunRecord>& record() const { return m_record; }
    const std::vector<KernelProblem>& problems() const { return m_problems; }
    /// Why nothing could be tried: no compiler, no picture; a sentence.
    const QString& refusal() const { return m_refusal; }
    /// The last result with a picture, and the input it is of, which may be a part of the open one.
    struct Shown {
        gpu::RunRecord record;
        std::shared_ptr<const io::Grid> input;
        QString text;
        bool onCpu = true;
    };
    const Shown* shown() const { return m_shown ? &*m_shown : nullptr; }
    /// Whether that is of another text or task than the present one.
    bool older() const;
    /// Where the first wrong value of the last run is, and what it is: "1.5 instead of 1.25".
    std::optional<QPoint> wrongPixel() const { return m_wrong; }
    const QString& wrongValue() const { return m_wrongValue; }

    /// The numbers that may be chosen, of the text's head and of the block; none where no kernel can be read.
    const std::vector<gpu::Tunable>& tunables() const { return m_tunables; }
    /// The text with another number in its head.
    QString withTunable(const std::string& id, int value) const;
    /// A file to begin with for the task at hand. Empty, with a notice, where no kernel can do it.
    QString startingFile(bool plain);
    /// The current variant's own file, as a kernel of the user's. Empty, with a notice, where it has none.
    QString copyOfVariant();

signals:
    void changed();

private:
    void textChanged();
    void taskChanged();
    void demand();
    void start();
    struct Tried;
    Tried attempt(const gpu::Request& request, const gpu::KernelMaker& maker, const QString& path, const QString& text,
                  const JobContext& context) const;
    void take(const Tried& tried);

    RequestState& m_request;
    RunControl& m_control;
    KernelFile& m_file;
    Activity& m_activity;
    std::optional<gpu::RunRecord> m_record;
    std::vector<KernelProblem> m_problems;
    QString m_refusal, m_wrongValue;
    std::optional<Shown> m_shown;
    bool m_taskMoved = false;  ///< since m_shown
    std::optional<QPoint> m_wrong;
    std::vector<gpu::Tunable> m_tunables;
    QString m_text;  ///< whose tunables those are
    bool m_seen = false, m_due = false;
    QTimer m_pause;
    JobRunner m_jobs;  ///< last
};

}  // namespace warplens::gui
