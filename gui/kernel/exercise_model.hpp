// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/exercise/hand_in.hpp"
#include "gui/kernel/kernel_model.hpp"
#include "gui/session/input_files.hpp"

#include <QObject>
#include <functional>
#include <map>
#include <optional>

class QSettings;

namespace warplens::gui {

/// The exercise that is being done on the page Kernel: its task is the session's, and what is written is judged each
/// time something came of a run. Hints that were opened, goals and the text stay from one start to the next.
class ExerciseModel : public QObject {
    Q_OBJECT
public:
    ExerciseModel(RequestState& request, InputFiles& inputs, RunControl& control, KernelFile& file, KernelModel& kernel,
                  Activity& activity, QObject* parent = nullptr);

    /// Reads the exercises that are shipped, and a teacher's own folder beside them, the first time.
    const std::vector<gpu::exercise::Exercise>& all();
    /// Adds those of a folder of folders.
    void addFolder(const QString& folder);

    const gpu::exercise::Exercise* exercise() const;
    int index() const { return m_index; }
    void choose(int index);
    /// One of that name, if there is one.
    void choose(const QString& name);
    void leave();
    void beginAgain();

    /// How far one has come with an exercise.
    struct Progress {
        int hints = 0, reached = 0;
        bool solved = false, gaveUp = false;
        QString text{};
    };
    const Progress& progress(int index) const;
    void openHint();
    void giveUp();
    bool solutionShown() const { return progress(m_index).solved || progress(m_index).gaveUp; }
    /// Of the kernel as handed out, and of the one that is written; nothing: not yet, or of another text.
    const std::optional<gpu::exercise::Judgement>& before() const { return m_before; }
    const std::optional<gpu::exercise::Judgement>& now() const { return m_now; }
    /// What is wrong on a picture that is not shown; nothing: the page itself says it, or all is right.
    std::optional<gpu::user::KernelProblem> problem() const;
    bool busy() const { return m_jobs.busy() || m_starts.busy(); }
    /// Writes what is to be handed in.
    void handIn(const QString& path);

    void restore(const QSettings& settings);
    void save(QSettings& settings) const;

signals:
    void changed();
    /// Another exercise, or none.
    void chosen();

private:
    void kernelChanged();
    void judge();
    /// What a worker does to judge a text.
    std::function<gpu::exercise::Judgement(const JobContext&)> judging(const std::string& text) const;

    RequestState& m_request;
    InputFiles& m_inputs;
    RunControl& m_control;
    KernelFile& m_file;
    KernelModel& m_kernel;
    Activity& m_activity;
    std::vector<gpu::exercise::Exercise> m_all;
    std::map<std::string, Progress> m_progress;
    QStringList m_folders;
    bool m_loaded = false;
    int m_index = -1;
    std::optional<gpu::exercise::Judgement> m_before, m_now;
    QString m_judged;
    JobRunner m_jobs, m_starts;  ///< last
};

}  // namespace warplens::gui
