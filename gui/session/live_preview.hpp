// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/session/live_frames.hpp"
#include "gui/session/results.hpp"

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <string>

namespace warplens::gui {

class Activity;

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
