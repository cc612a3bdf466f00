// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/lessons/measure.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/input_files.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"

#include <QObject>
#include <QSettings>
#include <QString>
#include <map>
#include <vector>

namespace warplens::gui {

/// Walks through the lessons: predict, run, reveal, explain, try this. The numbers of a lesson are counted when it is
/// run.
class LessonModel : public QObject {
    Q_OBJECT
public:
    enum class Step { predict, run, reveal, explain, tryThis };
    static constexpr int kSteps = 5;

    explicit LessonModel(RequestState& request, InputFiles& inputs, RunControl& control, QObject* parent = nullptr);

    /// Reads the lessons that are shipped, and then the user's own, the first time.
    void load();
    int count() const { return static_cast<int>(m_lessons.all.size()); }
    int index() const { return m_index; }
    const std::vector<gpu::Lesson>& all() const { return m_lessons.all; }
    const std::vector<gpu::LessonChapter>& chapters() const { return m_lessons.chapters; }
    /// Whether a lesson was ever run to its answer.
    bool done(const gpu::Lesson& lesson) const { return m_first.contains(lesson.id); }
    /// "Scan, after Reduction"; of a lesson that has no chapter empty.
    QString chapterOf(const gpu::Lesson& lesson) const;
    /// Null when there is none.
    const gpu::Lesson* lesson() const;
    Step step() const { return m_step; }
    /// Number of the answer predicted, -1: none yet.
    int chosen() const { return m_chosen; }
    /// Number of the right answer, -1 before it is counted.
    int right() const { return m_right; }
    /// Of the lessons that were run, how many there are and in how many the first prediction was right.
    struct Score {
        int right = 0, of = 0;
    };
    Score score() const;
    /// Empty before they are counted.
    const gpu::LessonValues& values() const { return m_values; }
    /// Why it cannot go on; empty: it can.
    const QString& problem() const { return m_problem; }
    bool busy() const { return m_jobs.busy(); }
    /// The explanation with its numbers; empty before they are counted.
    std::vector<gpu::WhySentence> explanation() const;
    /// For below the chart: "Recorded: NVIDIA H200, 21 Nov 2026, 8,192 × 8,192 pixels"; empty: no number is.
    QString recordedFrom() const;
    /// "Counted just now on gen:noise:96x96:f32"; empty before it is.
    QString countedFrom() const;

    /// The exercise that the lesson ends in; empty: none.
    QString exerciseTitle() const;
    /// What a class expects, by the numbers of the answers; before the run.
    const std::vector<int>& votes() const { return m_votes; }
    bool voting() const { return m_voting; }
    /// Predictions are votes from now on, or one's own again, which is then that of most where there is none yet.
    void setVoting(bool voting);
    void takeVoteBack();
    /// Adds what others have written by savePrediction(); what is none of this lesson is told by problem().
    void collect(const QStringList& paths);
    void savePrediction(const QString& path);

    /// Takes another lesson, from its beginning; what lies outside is clamped.
    void select(int index);
    /// Predicts, or counts a vote; only before the run.
    void choose(int answer);
    /// One step on. Without a prediction the first step stays; after the last the task to try is opened, and
    /// tryWanted() told.
    void goOn();
    void goBack();
    /// What was learned, and where one stopped.
    void restore(const QSettings& settings);
    void save(QSettings& settings) const;

signals:
    void changed();
    void progress(double fraction, const QString& what);
    /// The task to try is being opened in the session, to be looked at on that page.
    void tryWanted(const QString& page);

private:
    void run();
    void openTry();

    RequestState& m_request;
    InputFiles& m_inputs;
    RunControl& m_control;
    gpu::Lessons m_lessons;
    gpu::RecordedRuns m_recorded;
    bool m_loaded = false;
    int m_index = 0, m_chosen = -1, m_right = -1;
    std::map<std::string, bool> m_first;  ///< by lesson's id: whether its first prediction was right
    std::string m_stopped;                ///< the lesson that was shown at the end
    Step m_step = Step::predict;
    std::vector<int> m_votes, m_voted;  ///< by answer; the answers in the order of their votes
    bool m_voting = false;
    gpu::LessonValues m_values;
    QString m_problem;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
