// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/timeline.hpp"
#include "gpu/run/runner.hpp"
#include "gpu/trace/tracer.hpp"
#include "gui/kit/activity.hpp"
#include "gui/session/live_preview.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warplens::gui {

/// Starts runs and ends them: live filtering when something that is asked for changes, the checks behind it,
/// comparisons. Results go to Results, frames to LivePreview.
class RunControl : public QObject {
    Q_OBJECT
public:
    RunControl(gpu::Runner& runner, RequestState& request, VisibleVariants& lookedAt, Results& results,
               LivePreview& preview, Activity& activity, QObject* parent = nullptr);

    /// Runs all checked variants, as soon as there is a picture and a device.
    void compare();
    /// Whether a picture that was opened is filtered as soon as it is there; else when something is asked of it.
    void setAtOnce(bool atOnce) { m_atOnce = atOnce; }
    /// As RequestState::setFiltering(); what `auto` took for the Lab by emulation is taken anew where only the picture
    /// counts, as a folder of pictures will.
    void setFiltering(bool filtering);
    /// Whether nothing was asked of the picture since it was opened.
    bool resting() const { return m_resting; }
    /// Whether a comparison is under way.
    bool comparing() const { return m_comparing; }
    /// Gives up what is being filtered live, for something that needs the device more; the next change filters again.
    void cancelLive();
    /// After cancelLive(), when nothing came of it: filters again what lacks.
    void resumeLive() { refilterFor(m_request.current()); }

    /// The one runner of the program: work on a device is done one after the other.
    gpu::Runner& runner() const { return m_runner; }
    /// Who counts; null until it was handed in: then nothing can be counted.
    void setTracer(std::shared_ptr<gpu::Tracer> tracer) { m_tracer = std::move(tracer); }
    const std::shared_ptr<gpu::Tracer>& tracer() const { return m_tracer; }

signals:
    /// A comparison ended, interrupted or not, or had nothing to compare.
    void compared();
    /// Before compared(), when something was run: what was done for each variant when, and what it was.
    void timed(const warplens::gpu::Timeline& timeline, const QString& what);

private:
    void taskChanged(const Task& before, const Task& now);
    void valuesChanged();
    /// Nothing that was asked for so far comes any more.
    void dropRuns();
    void discardRuns();
    void refilter();
    /// The same for what is looked at from now on, when there is no picture of it.
    void refilterFor(const std::string& variant);
    void startLive();
    /// One live run, and where the variant that the user named cannot take the values, why.
    struct Lived {
        gpu::RunRecord record;
        std::optional<gpu::RunRecord> refused;  ///< of the one named; `record` is then what `auto` took instead
    };
    Lived runLive(const gpu::Request& live, bool passesOn, const JobContext& context);
    void sayPassedOn(const gpu::RunRecord& refused, const gpu::RunRecord& instead);
    /// Whether the current variant has no result of these values, or one that only says why it cannot have any.
    bool currentIsOfNoUse() const;
    /// Verifies `first`, if there is one; then runs and verifies each of `others`; then has the guesses race for what
    /// `auto` showed first.
    void startChecks(const gpu::Request& request, const std::optional<gpu::RunRecord>& first,
                     const std::vector<std::string>& others);
    /// What `auto` takes by a race instead of what it guessed; nothing where it was no guess.
    std::optional<gpu::RunRecord> settleChoice(const gpu::Request& live, gpu::RunRecord shown,
                                               const JobContext& context);
    /// Computes again what is looked at and was not kept, and what came to be looked at by more panes.
    void fetch();
    struct Compared {
        gpu::Comparison comparison;
        gpu::Report report;
        gpu::Timeline timeline;
    };
    void finishComparison(JobResult<Compared> result, int asked);
    void cancel();

    gpu::Runner& m_runner;
    RequestState& m_request;
    VisibleVariants& m_lookedAt;
    Results& m_results;
    LivePreview& m_preview;
    Activity& m_activity;
    std::shared_ptr<gpu::Tracer> m_tracer;
    bool m_compareAsked = false;
    bool m_comparing = false;
    /// The user named the current variant, and nothing else has changed since: he is shown why it cannot, if it cannot.
    bool m_named = false;
    bool m_atOnce = true, m_resting = false;
    bool m_emulated = false;  ///< what `auto` took last had to be a kernel, on a device whose times rank nothing
    bool m_grown = false;     ///< there are more panes than when it was last looked for what lacks
    QElapsedTimer m_clock;
    LivePolicy m_live{this};
    QTimer m_fetch;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
