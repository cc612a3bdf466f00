// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/evolution.hpp"
#include "gpu/core/playback.hpp"
#include "gui/kit/activity.hpp"
#include "gui/kit/job_runner.hpp"
#include "gui/session/request_state.hpp"
#include "gui/session/run_control.hpp"
#include "gui/volume/frame_store.hpp"

#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace warplens::gui {

/// The largest change of a cell in a step.
struct ResidualPoint {
    std::int64_t step = 0;
    double change = 0;
};

/// The checked variants of an iteration, watched step by step in lockstep on a thread of their own, and the
/// frames of the current variant that were kept. Another picture, device, parameter or choice of variants ends it; what
/// its residuals were stays as the earlier run. Nothing here blocks.
class PlaybackModel : public QObject {
    Q_OBJECT
public:
    /// Pictures a second, at most.
    static constexpr int kMostPictures = 25;
    /// How fast: so many steps from one picture to the next, so many pictures a second at most.
    struct Speed {
        QString name;
        std::int64_t steps;
        int picturesPerSecond;
    };
    static const std::vector<Speed>& speeds();
    static constexpr int kUsualSpeed = 2;  ///< one step a picture

    /// `session` outlives this.
    explicit PlaybackModel(RequestState& request, RunControl& control, Activity& activity, QObject* parent = nullptr);
    ~PlaybackModel() override;

    /// Whether there is an iteration to watch: a family that iterates, a picture, a device, and no comparison being
    /// timed.
    bool ready() const;
    bool playing() const { return m_playing; }
    /// Whether anything is computed at the moment.
    bool busy() const { return m_jobs.busy(); }
    /// Whether the fields have been put on the device.
    bool begun() const { return !m_frames.empty(); }
    /// The last step that all variants have taken, and how many were asked for.
    std::int64_t step() const { return m_state.step; }
    std::int64_t steps() const;
    /// Why it ended by itself, or empty.
    const QString& ended() const { return m_ended; }

    const FrameStore& frames() const { return m_frames; }
    /// The kept frame that is looked at; null before the first.
    const KeptFrame* shown() const;
    std::size_t shownIndex() const { return m_shown; }
    /// Steps aside from the newest frame, or back to it.
    void show(std::size_t index);

    const std::vector<ResidualPoint>& residuals() const { return m_residuals; }
    /// Of the run before this one, on the same picture.
    const std::vector<ResidualPoint>& earlier() const { return m_earlier; }

    /// Who takes part, with the times of the last steps; who does not, with the reason. Empty before the start.
    const std::vector<gpu::Player>& players() const { return m_state.players; }
    /// How the fields go over the device slab by slab; empty: they lie there as a whole.
    const std::string& plan() const { return m_state.plan; }
    /// What the check at step() said of each variant so far; empty until it rests.
    const std::map<std::string, gpu::Verification>& checks() const { return m_checks; }
    bool checking() const { return m_checking; }
    /// False after a pause within a step, which some variants had taken already.
    bool even() const { return m_even; }
    int speed() const { return m_speed; }
    /// Writes every kept frame as `path`-0000.png and so on, drawn by `draw` on another thread.
    void exportFrames(const QString& path, std::function<QImage(const io::Grid&)> draw);
    bool exporting() const { return m_exports.busy(); }

public slots:
    void play();
    /// Stops at once: what was under way is given up, and taken up again when it goes on.
    void pause();
    void stepOnce();
    void toStart();
    void setSpeed(int index);

signals:
    /// Something of the above is another; frames and residuals included.
    void changed();
    /// Another field is to be seen.
    void frameShown();

private:
    struct Place;
    struct Tick {
        gpu::PlaybackState state;
        std::shared_ptr<const io::Grid> start;  ///< the field of step 0, when this tick was the first
        std::shared_ptr<const io::Grid> field;
        std::string variant;
    };
    void reset(bool samePicture);
    void tick(std::int64_t steps, bool fromStart = false);
    void take(const Tick& tick);
    void check();
    void showCurrent();
    std::int64_t stepsLeft() const { return std::max<std::int64_t>(0, steps() - m_state.step); }

    RequestState& m_request;
    RunControl& m_control;
    Activity& m_activity;
    std::shared_ptr<Place> m_place;  ///< the playback; the worker's alone
    gpu::PlaybackState m_state;
    FrameStore m_frames;
    std::size_t m_shown = 0;
    std::vector<ResidualPoint> m_residuals, m_earlier;
    std::map<std::string, gpu::Verification> m_checks;
    QString m_ended;
    int m_speed = kUsualSpeed;
    bool m_playing = false, m_running = false, m_checking = false;
    bool m_even = true;  ///< no tick was given up since the last one that ended
    QElapsedTimer m_sinceTick;
    QTimer m_next;
    JobRunner m_jobs, m_exports;
};

}  // namespace warplens::gui
