// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/session_state.hpp"
#include "gui/session/snapshots.hpp"

#include <QLockFile>
#include <QObject>
#include <QString>
#include <QTimer>
#include <memory>

namespace warplens::io {
class Grid;
}

namespace warplens::gui {

class PageStack;
class SessionKeeper;

/// What was made here and lies in no file: steps, a picture that was computed, what is painted, results that are kept.
/// A filtered picture that was only looked at is none of it.
class UnsavedWork : public QObject {
    Q_OBJECT
public:
    UnsavedWork(CompareSession& session, SessionKeeper& keeper, QObject* parent = nullptr);

    /// Results that are kept stay where another picture is opened.
    enum class Before { quit, another };
    /// In a few words: "2 steps"; empty: all of it is saved, or there is nothing.
    QString what(Before before = Before::quit) const;
    /// It may be lost, until more is made.
    void giveUp() { m_saved = now(); }

private:
    struct State {
        std::weak_ptr<const io::Grid> picture;
        gpu::recipe::Recipe recipe;
        int mask = 0;
        std::size_t snapshots = 0;
    };
    static bool same(const State& a, const State& b);
    State now() const;

    CompareSession& m_session;
    State m_saved;
    bool m_opening = false;  ///< a session's steps are being computed
};

/// Session files: saving, opening, keeping a copy every 30 s while something changes, and bringing it back after a
/// crash. Files are written beside their name and renamed, on another thread; a session is whole or not there.
class SessionKeeper : public QObject {
    Q_OBJECT
public:
    static constexpr int kIntervalMs = 30'000;

    /// Copies are kept in `folder`, one a running program.
    SessionKeeper(CompareSession& session, PageStack& pages, const QString& folder, QObject* parent = nullptr);
    /// The copy goes when the program ends in order, and so does one that is being written.
    ~SessionKeeper() override;

    void setInterval(int milliseconds) { m_timer.setInterval(milliseconds); }
    void save(const QString& path);
    /// Reads a session and its input; a failure leaves everything as it was, with a notice.
    void open(const QString& path);
    /// The newest copy whose program is gone, or empty.
    QString lost() const;
    /// Opens a lost copy, or throws it away.
    void recover(const QString& path);
    void discard(const QString& path);
    /// The desktop session may end now, in order: the copy goes, until the next change after an interval.
    void rest();
    const QString& copy() const { return m_copy; }

signals:
    void saved(const QString& path);
    void opened(const QString& path);
    /// What open() was given is no session that can be read; the notice says so as well. Of its picture InputFiles
    /// tells.
    void refused(const warplens::gui::JobFailure& failure);

private:
    void refuse(const JobFailure& failure);
    SessionDocument present() const;
    void keep();
    void write(const QString& path, std::function<void()> done);
    void open(const SessionDocument& document, const QString& path, const ReadSnapshots& snapshots);
    void take(const SessionDocument& document, const QString& path, const ReadSnapshots& snapshots);
    void takeMask(const io::Grid& mask);
    void checkHash(const SessionDocument& document);

    CompareSession& m_session;
    PageStack& m_pages;
    QString m_folder, m_copy;
    std::unique_ptr<QLockFile> m_lock;  ///< says that the copy's program lives
    QTimer m_timer;
    std::optional<SessionDocument> m_kept;
    std::shared_ptr<const io::Grid> m_hashed;  ///< whose hash is m_hash
    QString m_hash;
    std::shared_ptr<const io::Grid> m_beside;  ///< the computed picture that lies beside the copy
    SnapshotHashes m_snapshotHashes;
    struct End {
        SessionKeeper& keeper;
        ~End();
    };
    End m_end{*this};  ///< before the jobs, which are over when it goes
    JobRunner m_jobs, m_hashJobs, m_openJobs;
};

}  // namespace warplens::gui
