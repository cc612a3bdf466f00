// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/render/renderer.hpp"
#include "gui/kit/job_runner.hpp"

#include <QImage>
#include <QObject>
#include <QSize>
#include <QString>
#include <QTimer>
#include <memory>
#include <string>

namespace warplens::gui {

/// A drawn view of a volume.
struct RayFrame {
    QImage image;  ///< premultiplied, transparent beside the volume; coarse ones have fewer pixels than asked for
    gpu::render::View view;  ///< the view it shows
    double ms = 0;           ///< of the rays, measured
    bool fine = false;
};

/// Draws a volume on another thread: coarse and often while something moves, fine as soon as it rests. The newest
/// request counts: a coarse frame under way is finished, so that movement is seen, a fine one is given up. The size of
/// coarse frames follows what they take.
class RayFrames : public QObject {
    Q_OBJECT
public:
    struct Wanted {
        gpu::render::View view;
        gpu::render::Mode mode = gpu::render::Mode::maximum;
        gpu::render::Transfer transfer;
        QSize size;  ///< device pixels
    };

    explicit RayFrames(QObject* parent = nullptr);
    ~RayFrames() override;

    /// Where frames are drawn: "cpu" or "cuda:0". Nothing is drawn before it is set.
    void setDevice(const std::string& device);
    /// Null: nothing to draw.
    void setVolume(std::shared_ptr<const io::Grid> volume);
    /// `moving`: more of the like will follow; otherwise the fine frame comes at once.
    void request(const Wanted& wanted, bool moving);
    /// Nothing is started while held: the device is measuring.
    void setHeld(bool held);
    bool held() const { return m_held; }
    /// Whether the fine frame of the newest request has come, or failed, or there is nothing to draw.
    bool settled() const { return m_settled; }

signals:
    void drawn(const warplens::gui::RayFrame& frame);
    /// One sentence; nothing more comes for this request.
    void failed(const QString& why);

private:
    struct Place;
    void changed(bool moving);
    void next();
    void start(bool fine);
    void take(JobResult<RayFrame> result, bool fine);
    bool drawable() const;

    std::shared_ptr<Place> m_place;  ///< the renderer; the worker's alone
    std::shared_ptr<const io::Grid> m_volume;
    std::string m_device;
    Wanted m_wanted;
    bool m_held = false, m_settled = true;
    bool m_coarseWanted = false, m_fineWanted = false;
    enum class Running { none, coarse, fine } m_running = Running::none;
    double m_reduction = 2;  ///< screen pixels a pixel of a coarse frame, each way
    QTimer m_rest;
    JobRunner m_jobs;
};

}  // namespace warplens::gui
