// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/sweep_document.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QObject>
#include <QString>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// Maps of the winning variant over radius and picture size: those recorded and shipped, those measured here and kept,
/// and the one being measured.
class CrossoverModel : public QObject {
    Q_OBJECT
public:
    /// A map that can be shown.
    struct Entry {
        gpu::Sweep sweep;
        Origin origin = Origin::measured;  ///< recorded: shipped, or of a GPU that is not here
        QString path;                      ///< where it lies; empty while it is being measured
    };
    explicit CrossoverModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent = nullptr);
    /// Where sweeps measured here are kept; those that lie there are read.
    void setFolder(const QString& folder);

    /// Those of the session's family, the newest first.
    std::vector<const Entry*> entries() const;
    /// The one shown; null: none.
    const Entry* current() const;
    void choose(const Entry* entry);
    /// "NVIDIA H200, 21 Nov 2026, gaussian, noise f32"
    static QString titleOf(const Entry& entry);

    /// Variants that compete in the map shown; one that is left out wins nowhere.
    bool competes(const std::string& variant) const { return !m_out.contains(variant); }
    void setCompetes(const std::string& variant, bool competes);
    std::set<std::string> among() const;
    std::optional<gpu::SweepWinner> winner(const gpu::SweepCell& cell) const;
    /// The cell of the map shown; null while it is not measured.
    const gpu::SweepCell* cell(std::size_t value, std::size_t size) const;

    /// Sweeps with the session's device and parameters; the lists as the command line takes them.
    void start(const QString& values, const QString& sizes);
    void cancel();
    bool busy() const { return m_jobs.busy(); }
    /// Reads a file that `warplens-cli sweep` wrote and shows it.
    void open(const QString& path);
    /// One sentence when something went wrong or was stopped.
    const QString& problem() const { return m_problem; }
    /// What a sweep takes at first: less where a CPU does it.
    QString usualValues() const;
    QString usualSizes() const;
    /// Why the session's family has no such map; empty: it can have one.
    QString refusal() const;

signals:
    void changed();
    void busyChanged();
    void progress(double fraction, const QString& what);

private:
    bool onGpu() const;
    void show(gpu::Sweep sweep);
    void keep();
    void fail(const QString& problem);

    RequestState& m_request;
    RunControl& m_control;
    Activity& m_activity;
    QString m_folder, m_problem;
    std::list<Entry> m_entries;  ///< addresses stay
    const Entry* m_chosen = nullptr;
    Entry* m_running = nullptr;
    std::set<std::string> m_out;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
