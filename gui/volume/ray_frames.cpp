// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/ray_frames.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace warplens::gui {

namespace {

constexpr int kRestMs = 180;
/// Between these a coarse frame keeps its size: 10 frames a second with something to spare, and not far below.
constexpr double kSlowMs = 70, kQuickMs = 30, kAimMs = 50;
constexpr double kMostReduction = 8;

}  // namespace

struct RayFrames::Place {
    std::string device;
    std::unique_ptr<gpu::render::Renderer> renderer;
};

RayFrames::RayFrames(QObject* parent) : QObject(parent), m_place(std::make_shared<Place>()) {
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMs);
    connect(&m_rest, &QTimer::timeout, this, [this] {
        m_fineWanted = true;
        next();
    });
}

RayFrames::~RayFrames() = default;

bool RayFrames::drawable() const {
    return m_volume != nullptr && !m_device.empty() && !m_wanted.size.isEmpty() && !m_wanted.transfer.colours.empty();
}

void RayFrames::setDevice(const std::string& device) {
    if (std::exchange(m_device, device) != device) changed(false);
}

void RayFrames::setVolume(std::shared_ptr<const io::Grid> volume) {
    if (volume == m_volume) return;
    m_volume = std::move(volume);
    changed(true);  // a field that evolves sends one after the other
}

void RayFrames::request(const Wanted& wanted, bool moving) {
    m_wanted = wanted;
    changed(moving);
}

void RayFrames::setHeld(bool held) {
    m_held = held;
    if (held && m_running != Running::none) {
        // Given up and asked for again later.
        m_jobs.discard();
        m_running = Running::none;
        m_fineWanted = true;
    }
    next();
}

void RayFrames::changed(bool moving) {
    m_settled = !drawable();
    m_rest.stop();
    m_fineWanted = m_coarseWanted = false;
    if (m_settled) {
        m_jobs.discard();
        m_running = Running::none;
        return;
    }
    if (m_running == Running::fine) {
        m_jobs.discard();
        m_running = Running::none;
    }
    m_coarseWanted = moving;
    m_fineWanted = !moving;
    if (moving) m_rest.start();
    next();
}

void RayFrames::next() {
    if (m_held || m_running != Running::none || !drawable()) return;
    if (m_coarseWanted)
        start(false);
    else if (m_fineWanted)
        start(true);
}

void RayFrames::start(bool fine) {
    m_running = fine ? Running::fine : Running::coarse;
    (fine ? m_fineWanted : m_coarseWanted) = false;
    gpu::render::FrameRequest request;
    request.view = m_wanted.view;
    request.mode = m_wanted.mode;
    request.transfer = m_wanted.transfer;
    const double reduction = fine ? 1 : m_reduction;
    request.width = std::max(1, static_cast<int>(std::lround(m_wanted.size.width() / reduction)));
    request.height = std::max(1, static_cast<int>(std::lround(m_wanted.size.height() / reduction)));
    request.fine = fine;
    m_jobs.start(
        this,
        [place = m_place, volume = m_volume, device = m_device, request](const JobContext& context) {
            if (place->renderer == nullptr || place->device != device) {
                place->renderer.reset();
                place->renderer = gpu::render::openRenderer(device);
                place->device = device;
            }
            place->renderer->setVolume(volume, context.stop());
            const gpu::render::Frame frame = place->renderer->render(request, context.stop());
            RayFrame made;
            made.view = request.view;
            made.ms = frame.ms;
            made.fine = request.fine;
            made.image = QImage(frame.width, frame.height, QImage::Format_ARGB32_Premultiplied);
            for (int y = 0; y < frame.height; ++y)
                std::memcpy(made.image.scanLine(y), frame.pixels.data() + static_cast<std::size_t>(y) * frame.width,
                            static_cast<std::size_t>(frame.width) * sizeof(std::uint32_t));
            return made;
        },
        [this, fine](JobResult<RayFrame> result) { take(std::move(result), fine); });
}

void RayFrames::take(JobResult<RayFrame> result, bool fine) {
    m_running = Running::none;
    if (!result) {
        if (!result.cancelled()) {
            m_coarseWanted = m_fineWanted = false;
            m_rest.stop();
            m_settled = true;
            emit failed(result.failure().message);
        }
        return next();
    }
    if (!fine) {
        const double ms = result.value().ms;
        if (ms > kSlowMs || ms < kQuickMs)
            m_reduction = std::clamp(m_reduction * std::sqrt(ms / kAimMs), 1.0, kMostReduction);
    }
    m_settled = fine && !m_fineWanted && !m_coarseWanted;
    emit drawn(result.value());
    next();
}

}  // namespace warplens::gui
