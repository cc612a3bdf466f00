// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/job_runner.hpp"

#include <QObject>
#include <QString>
#include <cstdint>
#include <vector>

namespace warplens::gui {

/// What is under way, and what is said of it: the jobs' lanes, the notice, the line about the last job. It holds no
/// lane; who has one shows it here.
class Activity : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// A lane whose jobs count as busy; it outlives what it tells.
    void watch(JobRunner& lane);
    bool busy() const;
    /// Stops what is under way; what is done so far stays.
    void cancel() { emit cancelled(); }

    /// What is asked for has changed: what was said about earlier runs no longer holds.
    void beginRun();
    /// Counts what was asked for: figures of one number belong to one run.
    std::uint64_t run() const { return m_run; }

    /// Says what was done, in the status line; `ofRun`: no longer, once something else is asked for.
    void note(const QString& job, bool ofRun = false);
    /// What the last job was and took: "Compared 9 variants in 4.1 s".
    const QString& lastJob() const { return m_lastJob; }

    /// "12 s, about 36 s left": as if the rest went at the pace so far; empty in the first three seconds, and without
    /// the rest where too little is done to judge by. `fraction` 0..1.
    static QString timesOf(double seconds, double fraction);

    /// Says one sentence that is not about a job; empty: nothing is wrong.
    void report(const QString& sentence);
    void fail(const JobFailure& failure);
    /// What must be known as long as nothing is wrong, until it is dismissed; may hold <b>.
    void setPersistentNotice(const QString& sentence);
    /// Whether that is said where one is now.
    void setPersistentShown(bool shown);
    /// What is to be done on the page that is shown, as a lesson asks it; stays until it is dismissed or another takes
    /// its place.
    void instruct(const QString& sentence);
    /// Whether notice() is such an instruction.
    bool noticeIsInstruction() const { return m_error.isEmpty() && !m_instruction.isEmpty(); }
    /// What is wrong, what is to be done, or what must be known; may hold <b>. Empty: nothing.
    QString notice() const;
    /// Whether notice() is about something that went wrong.
    bool noticeIsError() const { return !m_error.isEmpty(); }
    void dismissNotice();

signals:
    void busyChanged();
    void progress(double fraction, const QString& what);
    void noticeChanged();
    void lastJobChanged();
    /// Whoever has work under way ends it.
    void cancelled();

private:
    std::vector<const JobRunner*> m_lanes;
    std::uint64_t m_run = 0;
    QString m_lastJob;
    bool m_lastJobOfRun = false;  ///< it holds for what was asked for then
    QString m_error, m_instruction, m_standing;
    bool m_standingDismissed = false, m_standingShown = true;
};

}  // namespace warplens::gui
