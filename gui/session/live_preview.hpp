// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/recipe/recipe.hpp"
#include "gpu/run/live.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/results.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace warplens::gpu::recipe {
class Drafter;
}

namespace warplens::gui {

class Activity;

/// What a pane shows while a slider moves: one variant's result as its device drew it. Unverified.
struct LiveFrame {
    std::shared_ptr<const gpu::render::Display> display;  ///< what was asked for
    gpu::Preview preview;                                 ///< with what is seen
    std::uint64_t run = 0;                                ///< as it was asked for
};

/// Has results drawn on the device that computed them, on another thread, for the one pane that is looked at. The
/// newest request counts: a frame under way is finished, so that movement is seen, unless it takes longer than 250 ms.
class LiveFrames : public QObject {
    Q_OBJECT
public:
    static constexpr int kPatienceMs = 250;

    explicit LiveFrames(gpu::Runner& runner, QObject* parent = nullptr);
    ~LiveFrames() override;

    /// Says how the result is looked at; null: by nobody.
    using Look = std::function<std::shared_ptr<const gpu::render::Display>()>;
    /// Who is asked before frames are made; the first of them that looks is shown to.
    void addLook(Look look) { m_looks.push_back(std::move(look)); }
    void askLook();
    /// How the result is looked at from now on; null: by nobody. What is there already is drawn again.
    void look(std::shared_ptr<const gpu::render::Display> display);
    /// Asks for frames of these values, which are given back with the number `run`. False when there will be none:
    /// nobody looks, or the variant, or what was chosen in its place, has no result on the device. With `steps` frames
    /// are of what these make of the request's picture (gpu/recipe/draft.hpp).
    bool request(const gpu::Request& request, std::uint64_t run, const gpu::recipe::Recipe& steps = {});
    /// Nothing more comes of the values asked for so far.
    void drop();
    /// Whether the newest values were asked for and not dropped.
    bool active() const { return m_request.has_value(); }
    /// Whether a frame of them is under way.
    bool drawing() const { return m_running; }

signals:
    void drawn(const warplens::gui::LiveFrame& frame);
    /// Nothing comes of these values: the ordinary run has to say what there is.
    void unavailable();
    void failed(const warplens::gui::JobFailure& failure);

private:
    /// What a refusal holds for.
    struct Refused {
        std::shared_ptr<const io::Grid> input;
        std::string family, device;
        std::vector<std::string> variants;
        std::int64_t width = 0, height = 0;  ///< of what was looked at
        bool operator==(const Refused&) const = default;
    };
    static Refused keyOf(const gpu::Request& request, const gpu::render::Display& display);
    void start();
    void take(JobResult<LiveFrame> result);

    gpu::Runner& m_runner;
    std::unique_ptr<gpu::recipe::Drafter> m_drafter;
    gpu::recipe::Recipe m_steps;
    std::vector<Look> m_looks;
    std::shared_ptr<const gpu::render::Display> m_display;
    std::optional<gpu::Request> m_request;
    std::uint64_t m_run = 0;
    std::optional<Refused> m_refused;
    bool m_running = false, m_again = false;
    QElapsedTimer m_since;
    JobRunner m_jobs;
};

/// When a moved slider starts a run. Changes within 60 ms become one; a run that is nearly done is let finish, so that
/// dragging shows a stream of pictures; one that takes longer than 250 ms is replaced.
class LivePolicy : public QObject {
    Q_OBJECT
public:
    static constexpr int kDebounceMs = 60;
    static constexpr int kPatienceMs = 250;

    explicit LivePolicy(QObject* parent = nullptr);
    /// Something changed.
    void request();
    /// Something changed whose picture is seen without the run: that waits until nothing has changed for 60 ms.
    void requestAtRest();
    /// Forgets a request that is not due yet.
    void drop();
    /// The run of the last due() began, or ended in whatever way.
    void began();
    void ended();
    bool running() const { return m_running; }
    bool pending() const { return m_timer.isActive() || m_waiting; }

signals:
    /// Run now, with the newest values.
    void due();

private:
    void elapsed();
    QTimer m_timer;
    QElapsedTimer m_since;
    bool m_running = false;
    bool m_waiting = false;
};

/// Shows a result before it is here: frames of it that the device draws while a slider moves.
class LivePreview : public QObject {
    Q_OBJECT
public:
    LivePreview(gpu::Runner& runner, RequestState& request, Results& results, Activity& activity,
                QObject* parent = nullptr);

    /// Frames of the current variant's result.
    LiveFrames& frames() { return m_frames; }
    /// Whether such a frame stands for the current variant's result, which has not come yet.
    bool shown() const { return m_shown; }
    /// Asks for a frame of the present values; false when there will be none.
    bool ask();
    /// No more frames: the result has come, or will not.
    void end();
    /// To be told by who paints a frame, and in how many milliseconds (measured).
    void notePainted(double ms);
    /// Kernel, transfer and display of one run apart; empty until its result was verified, and where another run's
    /// result has taken its place.
    QString times() const;

signals:
    /// A frame of new values, or of a new view, is in its pane.
    void painted(double ms);
    /// No frame is valid any more: the result has come, or will not.
    void ended();

private:
    /// In the workspace Picture: the task as a step, by this variant, and those behind it. Empty: the task alone is
    /// what is seen. Nothing: what could be drawn is not what is seen.
    std::optional<gpu::recipe::Recipe> steps(const std::string& variant) const;
    void take(const LiveFrame& frame);

    RequestState& m_request;
    Results& m_results;
    Activity& m_activity;
    LiveFrames m_frames;
    bool m_shown = false;
    /// Of the last frame, milliseconds.
    struct Times {
        std::uint64_t run = 0;
        std::string variant;
        double transfer = 0, colour = 0, paint = 0;
    };
    std::optional<Times> m_times;
};

}  // namespace warplens::gui
