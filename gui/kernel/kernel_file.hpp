// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/user/kept_texts.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/job_runner.hpp"

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>
#include <optional>
#include <vector>

namespace warplens::gui {

/// The text that is being written, and where it is kept: in the user's file when that is saved; with every key in a
/// draft of ours, from which the next start goes on, however this one ended; and as versions, each time something came
/// of a run. A file that is changed elsewhere is read again.
class KernelFile : public QObject {
    Q_OBJECT
public:
    explicit KernelFile(Activity& activity, QObject* parent = nullptr);
    ~KernelFile() override;
    /// Drafts and versions lie there; until it is said nothing is kept.
    void setFolder(const QString& folder) { m_kept.setFolder(folder.toStdString()); }

    const QString& text() const { return m_text; }
    /// Of the user's file; empty: it has none yet.
    const QString& path() const { return m_path; }
    /// "my_kernel.cuh"
    QString name() const;
    /// By which compilers and rows know it: path(), else name().
    std::string place() const { return (m_path.isEmpty() ? name() : m_path).toStdString(); }
    /// Whether the user's file holds something else.
    bool changed() const { return m_text != m_saved; }
    /// What was typed. Written to the draft at once.
    void type(const QString& text);
    /// Begins another one that has no file; the present text stays as a version.
    void begin(const QString& text);
    void open(const QString& path) { read(path, false); }
    void save(const QString& path);
    /// The draft that a program left, or nothing.
    bool restore();

    struct Version {
        QString path, title;
    };
    /// The newest first.
    std::vector<Version> versions() const;
    /// Keeps the text as it is, unless it is the newest version: `state` is a word on what came of it.
    void keep(const QString& state);
    /// The text of a version; empty when it cannot be read.
    static QString textOf(const Version& version);
    bool busy() const { return m_files.busy() || (m_drafts && m_drafts->busy()); }

signals:
    /// text() is another one that was not typed; `again`: the same file, changed elsewhere.
    void replaced(bool again);
    /// Path or changed() may be others.
    void fileChanged();

private:
    void read(const QString& path, bool again);
    void take(const QString& path, const QString& saved, const QString& text, bool again);
    void writeDraft();
    gpu::user::KeptTexts::Draft draft() const;
    void watch();

    Activity& m_activity;
    gpu::user::KeptTexts m_kept;
    QString m_text, m_path, m_saved;
    QFileSystemWatcher m_watcher;
    QTimer m_seen;
    std::optional<JobRunner> m_drafts{std::in_place};
    JobRunner m_files;
};

}  // namespace warplens::gui
