// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/timeline.hpp"
#include "gpu/run/transfer_benchmark.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/kit/theme/glyphs.hpp"

#include <QObject>
#include <QString>
#include <optional>
#include <utility>
#include <vector>

namespace warplens::gui {

class Activity;
class RequestState;
class RunControl;

/// The ways of moving pictures, measured with the picture that is open and the current variant on the chosen device.
class MovementModel : public QObject {
    Q_OBJECT
public:
    static constexpr int kMostPictures = 1024;

    MovementModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent = nullptr);

    /// So many that a GPU is busy for long enough and the host has them: 2 to 16; on a CPU a few, as it takes long.
    int usualPictures() const;
    /// Does nothing while one is under way, or nothing is there to run.
    void start(int pictures);
    bool busy() const { return m_jobs.busy(); }
    bool ready() const;

signals:
    void busyChanged(bool busy);
    /// How many are usual, or whether there is something to run.
    void taskChanged();
    /// One ended; of one that was stopped what was done.
    void measured(const warplens::gpu::TransferBenchmark& movement);

private:
    gpu::MovementRequest request(int pictures) const;
    void finish(JobResult<gpu::TransferBenchmark> result);

    RequestState& m_request;
    RunControl& m_control;
    Activity& m_activity;
    JobRunner m_jobs;
};

/// A timeline as lanes of bars, the part of it that is seen, and the bar chosen. Times are seconds since its begin.
class TimelineModel : public QObject {
    Q_OBJECT
public:
    struct Bar {
        std::size_t item = 0;
        double begin = 0, end = 0;
        bool modelled = false;  ///< its duration
    };
    /// What one worker did, or one engine.
    struct Lane {
        QString name, stage;  ///< "decode 2", "decode"
        QString place;        ///< a part's device, where the stage has several
        bool part = false;    ///< of the stage before it: where its bars begin was not measured
        bool critical = false;
        int workers = 1;          ///< of its stage
        std::vector<Bar> bars{};  ///< by their begin
    };
    /// A bar by its lane and its number there.
    using Place = std::pair<int, int>;

    using QObject::QObject;

    /// `from`: measured, or recorded when a file was opened.
    void show(gpu::Timeline timeline, const QString& what, Origin from);
    bool empty() const { return m_timeline.stages.empty(); }
    const gpu::Timeline& timeline() const { return m_timeline; }
    const QString& what() const { return m_what; }
    Origin origin() const { return m_origin; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    const std::vector<gpu::StageShare>& shares() const { return m_shares; }
    const gpu::StageShare& critical() const { return m_shares[m_critical]; }
    /// When no worker of the critical stage works.
    const std::vector<std::pair<double, double>>& exposed() const { return m_exposed; }
    double exposedSeconds() const;

    double from() const { return m_from; }
    double to() const { return m_to; }
    /// Keeps `at` where it is seen; a factor above 1 sees less. What is seen stays within the run.
    void zoom(double factor, double at);
    /// By a share of what is seen; positive: later.
    void pan(double share);
    void see(double from, double to);
    void fit() { see(0, m_timeline.seconds); }

    std::optional<Place> chosen() const { return m_chosen; }
    void choose(std::optional<Place> place);
    /// The bar before or after the chosen one, or the nearest one so many lanes below; brings it into view. Without a
    /// chosen one: the first.
    void step(int bars, int lanes);
    const Bar& bar(Place place) const { return m_lanes[place.first].bars[place.second]; }
    /// The bar of the lane at that time, or within `around` seconds of it.
    std::optional<Place> at(int lane, double seconds, double around) const;

    /// "1.37 ms", "3.21 s".
    static QString text(double seconds);
    /// Stage, picture, when, how long and where that is known from, each in a line of its own.
    QStringList describe(Place place) const;

signals:
    void changed();
    /// Another part of it is seen, or another bar is chosen.
    void seen();

private:
    void makeLanes();
    void addParts(const gpu::Timeline::Stage& whole);

    gpu::Timeline m_timeline;
    QString m_what;
    Origin m_origin = Origin::measured;
    std::vector<Lane> m_lanes;
    std::vector<gpu::StageShare> m_shares;
    std::size_t m_critical = 0;
    std::vector<std::pair<double, double>> m_exposed;
    double m_from = 0, m_to = 1;
    std::optional<Place> m_chosen;
};

}  // namespace warplens::gui
