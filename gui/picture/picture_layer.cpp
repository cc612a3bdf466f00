// SPDX-License-Identifier: Apache-2.0
#include "gui/picture/picture_layer.hpp"

#include "gui/kit/job_runner.hpp"
#include "gui/picture/value_colours.hpp"

#include <QElapsedTimer>
#include <exception>
#include <utility>

namespace warplens::gui {

namespace {

/// Above this many screen pixels a picture pixel there is nothing to average.
constexpr double kNeedsPyramid = 0.5;

}  // namespace

PictureLayer::PictureLayer(QObject* parent) : QObject(parent) {}

PictureLayer::~PictureLayer() { m_stop.request_stop(); }

void PictureLayer::setPicture(std::shared_ptr<const io::Grid> picture) {
    if (picture == m_picture) return;
    m_stop.request_stop();
    m_stop = {};
    m_picture = std::move(picture);
    m_pyramid.reset();
    m_levelsMs = 0;
    invalidate();
    if (!m_settled) {
        m_settled = true;
        emit settledChanged();
    }
}

void PictureLayer::sliceChanged() {
    if (m_picture && m_picture->shape().depth > 1) m_pyramid.reset();
    invalidate();
}

void PictureLayer::buildLevels(std::int64_t slice) {
    m_settled = false;
    inBackground(
        this,
        [picture = m_picture, slice,
         stop = m_stop.get_token()]() -> std::pair<std::shared_ptr<const gpu::render::Pyramid>, double> {
            QElapsedTimer clock;
            clock.start();
            try {
                auto made = gpu::render::makePyramid(*picture, slice, stop);
                return {std::move(made), static_cast<double>(clock.nsecsElapsed()) * 1e-6};
            } catch (const std::exception&) {
                // Memory is short: the picture goes on being sampled instead of averaged.
                return {std::make_shared<const gpu::render::Pyramid>(), 0};
            }
        },
        [this, slice,
         stop = m_stop.get_token()](const std::pair<std::shared_ptr<const gpu::render::Pyramid>, double>& result) {
            if (stop.stop_requested()) return;
            const auto& [made, ms] = result;
            m_settled = true;
            m_levelsMs = ms;
            if (slice == m_slice) m_pyramid = made;
            invalidate();
            emit settledChanged();
        });
}

bool PictureLayer::ready(const RenderRequest& request) {
    m_slice = request.slice;
    if (request.zoom > kNeedsPyramid || m_pyramid) return true;
    const bool labels = mapFor(*m_picture, request.map, request.labelColours) == ColourMap::labels;
    if (labels && m_picture->shape().channels == 1) return true;  // sampled
    if (m_settled) buildLevels(request.slice);
    return false;
}

const QImage& PictureLayer::drawn(const RenderRequest& request, double devicePixelRatio) {
    ready(request);
    if (m_drawn.isNull() || m_drawn.devicePixelRatio() != devicePixelRatio) {
        m_drawn = render(*m_picture, m_pyramid.get(), request);
        m_drawn.setDevicePixelRatio(devicePixelRatio);
    }
    return m_drawn;
}

}  // namespace warplens::gui
