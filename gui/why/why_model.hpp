// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/model/occupancy.hpp"
#include "gpu/report/recorded.hpp"
#include "gpu/report/why.hpp"
#include "gpu/trace/tracer.hpp"
#include "gpu/user/listing.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/derived.hpp"
#include "gui/session/lens.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/results.hpp"
#include "gui/session/run_control.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// What the Why page shows of the session's task: counts of every variant, times measured or recorded, a map of loads.
/// It counts only while it is active, and keeps what it has counted.
class WhyModel : public QObject {
    Q_OBJECT
public:
    /// What a family's pixels are shown as in place of reads; null: those.
    using MapOf = std::function<const PixelMap*(const gpu::Family& family)>;
    WhyModel(RequestState& request, Results& results, RunControl& control, Activity& activity, MapOf mapOf,
             QObject* parent = nullptr);

    /// Whether what is missing is counted as soon as the page is shown; else once it was asked for of this picture.
    void setAtOnce(bool atOnce) { m_atOnce = atOnce; }
    /// The page is shown.
    void setActive(bool active);
    /// Counts all variants that were not counted yet for the present picture and parameters.
    void explain();
    void cancel();
    bool counting() const { return m_countJobs.busy(); }
    /// Whether any of its jobs is under way, or about to be.
    bool busy() const { return m_countJobs.busy() || m_map.busy() || m_due.isActive(); }
    /// Why nothing is counted; empty: it is, or can be.
    const QString& problem() const { return m_problem; }
    /// "Traced 9 variants in 0.8 s", of the last time.
    const QString& lastJob() const { return m_lastJob; }

    /// The record with counters of a variant, or with the reason why it has none; null: not counted (yet).
    const gpu::RunRecord* record(const std::string& variant) const;
    const gpu::Counters* counters(const std::string& variant) const;
    /// The variant to compare the current one with: its predecessor unless another was chosen. Null: none.
    const gpu::Variant* comparedVariant() const;
    void setComparedVariant(const std::string& variant);

    /// The verified time of a variant: measured on a GPU in this task, or recorded.
    std::optional<gpu::WhyTime> time(const std::string& variant) const;
    /// The recorded run that the times of this task are taken from.
    std::optional<gpu::RecordedSource> recordedTimes() const { return source(gpu::RecordedFigure::time); }
    /// Ceilings of the present GPU, or of the recorded one.
    std::optional<gpu::WhyCeilings> ceilings() const;
    /// What a counted variant does: operations a byte that its threads load, and TFLOP/s by its time; 0 without a time.
    struct Rate {
        const gpu::Variant* variant;
        double operationsPerByte, tflops;
        QString from;  ///< of a recorded time: "H200, 22 Nov 2026", and the size of its picture where that is another
    };
    /// Of all variants that are counted and do floating-point operations.
    std::vector<Rate> rates() const;
    /// How full a variant's launch keeps a multiprocessor, and whose.
    struct OccupancyInfo {
        gpu::Occupancy occupancy;  ///< modelled
        gpu::BlockNeeds needs;     ///< reported by compiler and launch
        double reported = 0;       ///< 0..1 by the CUDA runtime; 0: it said nothing
        int kernels = 1;           ///< of several the needs are the largest of each
        QString device, date;      ///< "H200"; the date of a recorded launch, else empty
        QString size;              ///< of its picture, where it is another: a block takes the same
    };
    /// Of the launch on the present GPU, or of the recorded one. Nothing where neither is at hand.
    std::optional<OccupancyInfo> occupancy(const std::string& variant) const;
    /// What is to be said of the current variant; empty before it is counted.
    std::vector<gpu::WhySentence> sentences() const;
    /// The footprint of a variant's blocks; none for a library, or before there is a picture.
    std::optional<gpu::Footprint> footprint(const std::string& variant) const;

    /// Whether the map of loads is wanted of the current variant.
    void setMapWanted(bool wanted);
    bool mapWanted() const { return m_mapWanted; }
    /// What the map is: reads of each pixel, unless the family has another.
    const PixelMap& mapKind() const;
    /// Null until it is counted; mapProblem() may say why it never will be.
    const gpu::LoadMap* map() const;
    const QString& mapProblem() const { return m_map.problem(); }
    RequestState& request() const { return m_request; }
    Results& results() const { return m_results; }
    /// Who counts; null: nothing can be counted.
    const std::shared_ptr<gpu::Tracer>& tracer() const { return m_control.tracer(); }
    /// Who lists what the compiler makes of variants; empty until it was handed in: then nothing is listed.
    const gpu::user::VariantListingMaker& lister() const { return m_lister; }
    void setLister(gpu::user::VariantListingMaker lister) { m_lister = std::move(lister); }
    /// Whether it is at work.
    bool listing() const { return m_listing; }
    void setListing(bool listing) { m_listing = listing; }
    /// For the replay of single warps: the present task with the current variant, or another, alone; nothing while
    /// there is no picture.
    std::optional<gpu::Request> asked() const { return asked(m_request.current()); }
    std::optional<gpu::Request> asked(const std::string& variant) const;

signals:
    /// Records, times or what is compared.
    void countsChanged();
    void mapChanged();
    void busyChanged();
    void progress(double fraction, const QString& what);
    /// Picture, family or parameters: whatever was asked about one warp is over.
    void taskChanged();

private:
    /// Which task something is of. A picture that is open no more is nobody's here.
    struct TaskKey {
        std::weak_ptr<const io::Grid> input;
        std::string family;
        gpu::ParameterValues parameters;
        bool operator==(const TaskKey& other) const;
    };
    /// All that was counted of one task; it is small.
    struct Task {
        TaskKey key;
        std::map<std::string, gpu::RunRecord> records;
    };
    struct MapKey {
        TaskKey task;
        std::string variant;
        bool operator==(const MapKey&) const = default;
    };
    static constexpr std::size_t kKeptTasks = 6, kKeptMaps = 12;
    TaskKey presentKey() const;
    /// The present task; null while there is none.
    const Task* task() const;
    /// It as its family poses it, once that is done. While the task changes, what is posed is the one before.
    const gpu::Problem* posed() const {
        const bool present = !m_tasks.empty() && m_posed.key() == m_tasks.front().key && m_posed.value() != nullptr;
        return present ? m_posed.value()->get() : nullptr;
    }
    static QString shortName(const std::string& device);
    /// "H200, 22 Nov 2026, scaled from 8,192 × 8,192 f32"
    static QString sourceText(const gpu::RecordedSource& source);
    /// The recorded run of the present task that has such a figure and is first of all.
    std::optional<gpu::RecordedSource> source(gpu::RecordedFigure figure) const;
    /// All tunables that a row of the present task runs with; nothing before that is known.
    std::optional<gpu::TunableValues> tunablesOf(const std::string& id) const;
    void follow();
    bool counts() const { return m_atOnce || m_explained; }
    std::vector<std::vector<std::string>> missingVariants() const;
    /// Traces the parts one after the other and tells of each run as it is done. On another thread.
    gpu::Comparison count(gpu::Tracer& tracer, const std::vector<gpu::Request>& parts, const JobContext& context);
    void findTask();
    void pose();
    void startMap();
    void take(const gpu::RunRecord& record);

    RequestState& m_request;
    Results& m_results;
    RunControl& m_control;
    Activity& m_activity;
    MapOf m_mapOf;
    const gpu::RecordedRuns& m_recordedRuns;
    std::optional<gpu::RecordedTask> m_asked;  ///< as numbers are recorded of the present task; with it
    gpu::user::VariantListingMaker m_lister;
    bool m_active = false, m_mapWanted = false, m_atOnce = true, m_explained = false, m_listing = false;
    QString m_problem, m_lastJob;
    std::string m_compared;
    std::deque<Task> m_tasks;  ///< the present one first; empty while there is none
    QElapsedTimer m_clock;
    QTimer m_due;
    Derived<TaskKey, std::shared_ptr<const gpu::Problem>> m_posed{[this] { emit countsChanged(); }};
    Derived<MapKey, gpu::LoadMap> m_map{[this] { emit mapChanged(); }, kKeptMaps};
    JobRunner m_countJobs;
};

}  // namespace warplens::gui
