// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/sweep_document.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QObject>
#include <QString>
#include <QStringList>
#include <list>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// Sweeps over one or two axes: those recorded and shipped, those measured here and kept, and the one being measured.
class CrossoverModel : public QObject {
    Q_OBJECT
public:
    /// A sweep that can be shown.
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
    /// The cell of the sweep shown; null while it is not measured.
    const gpu::SweepCell* cell(std::size_t first, std::size_t second = 0) const;
    /// The variant whose times are shown, by its id; empty: the winners among those that compete.
    const std::string& shown() const { return m_shown; }
    void setShown(const std::string& variant);
    /// The fastest of what does the same work as a cell, of the variant shown or of those that compete.
    std::optional<gpu::SweepBest> best(const gpu::SweepCell& cell) const;
    /// Takes a cell's parameters, and a run as it was there, into the request: it is the current one then.
    void use(const gpu::SweepCell& cell, const std::string& id);

    /// What the session's family can be swept over; empty without one.
    std::vector<gpu::SweepAxis> axes() const;
    /// What a sweep begins with: the family's own parameter and the size, or the block. Smaller where a CPU does it.
    std::vector<gpu::SweepAxis> usualAxes() const;
    /// Sweeps with the session's device, parameters and checked kernels; axes as the command line takes them. Where
    /// neither size nor type is varied it is the open picture that is worked on.
    void start(const QStringList& axes);
    /// The command line that does the same; empty when it is not known, as for a picture that was not saved.
    QString command(const QStringList& axes) const;
    void cancel() { m_jobs.cancel(); }
    bool busy() const { return m_jobs.busy(); }
    /// Reads a file that `warplens-cli sweep` wrote and shows it.
    void open(const QString& path);
    /// Writes the sweep shown in the form that the name ends in.
    void save(const QString& path);
    /// One sentence when something went wrong or was stopped.
    const QString& problem() const { return m_problem; }
    /// Why nothing can be swept; empty: something can.
    QString refusal() const;

signals:
    void changed();
    void busyChanged();
    void progress(double fraction, const QString& what);

private:
    bool onGpu() const;
    std::vector<std::string> competitors(const std::vector<gpu::SweepAxis>& axes) const;
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
    std::string m_shown;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
