// SPDX-License-Identifier: Apache-2.0
// The part of VolumePage that watches an iteration.
#include "gpu/core/registry.hpp"
#include "gui/kit/files.hpp"
#include "gui/kit/form.hpp"
#include "gui/session/lens.hpp"
#include "gui/volume/playback_model.hpp"
#include "gui/volume/slice_render.hpp"
#include "gui/volume/step_sections.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/volume/volume_panes.hpp"
#include "gui/volume/volume_side.hpp"
#include "gui/volume/watch_strip.hpp"

#include <QFileInfo>
#include <QVBoxLayout>
#include <cmath>

namespace warplens::gui {

namespace {

/// One slice at 100 %, in the colours shown.
SliceRequest wholeSlice(const VolumeState& state, SlicePlane plane) {
    const PlaneAxes axes = axesOf(plane);
    const auto extent = [&](int axis) {
        const auto a = static_cast<std::size_t>(axis);
        return state.extent()[a] * state.spacing()[a];
    };
    SliceRequest request;
    request.plane = plane;
    request.index = state.crosshair()[static_cast<std::size_t>(axes.across)];
    request.pixelsPerMm = 1 / state.smallestSpacing();
    request.size = {static_cast<int>(std::lround(extent(axes.right) * request.pixelsPerMm)),
                    static_cast<int>(std::lround(extent(axes.down) * request.pixelsPerMm))};
    request.centre = {extent(axes.right) / 2, extent(axes.down) / 2};
    request.spacing = state.spacing();
    request.range = state.display().range();
    request.map = state.display().colourMap();
    return request;
}

}  // namespace

void VolumePage::makeWatch(QVBoxLayout* column) {
    for (const gpu::Family* family : gpu::families())
        lensOf(*family).addVolumeActions(m_request, m_activity, m_state, *this);
    m_watch = made(new WatchStrip(*m_playback, this), {.id = "watch"});
    column->addWidget(m_watch);
    on(this, {QEvent::Resize}, [this] { m_watch->setRoom(height()); });
    auto* rate = new RateSection(m_request, *m_playback, m_side);
    auto* agreement = new AgreementSection(m_request, *m_playback, m_side);
    m_side->addSection(rate);
    m_side->addSection(agreement);
    connect(m_watch, &WatchStrip::exportWanted, this, &VolumePage::exportFrames);
    connect(m_playback, &PlaybackModel::frameShown, this, &VolumePage::refresh);
    connect(m_playback, &PlaybackModel::changed, this, &Page::viewChanged);
    const auto show = [this, rate, agreement] {
        const gpu::Family* family = m_request.parameters().family();
        const bool iterates = family != nullptr && family->info().iterates;
        for (QWidget* widget : std::initializer_list<QWidget*>{m_watch, rate, agreement}) widget->setVisible(iterates);
    };
    connect(&m_request.parameters(), &ParameterState::familyChanged, m_watch, show);
    show();
}

bool VolumePage::watchable() const { return m_playback->ready(); }

bool VolumePage::playing() const { return m_playback->playing(); }

void VolumePage::playOrPause() { m_playback->playing() ? m_playback->pause() : m_playback->play(); }

void VolumePage::step() { m_playback->stepOnce(); }

void VolumePage::exportFrames() {
    const auto plane =
        static_cast<SlicePlane>(m_panes->current() == VolumePanes::rays ? VolumePanes::axial : m_panes->current());
    const SliceRequest request = wholeSlice(m_state, plane);
    openFileDialog(this,
                   {.title = tr("Export the kept frames: a number is put after the name"),
                    .filters = {tr("PNG (*.png)")},
                    .suffix = QStringLiteral("png"),
                    .name = QFileInfo(m_request.document().name()).baseName() + QStringLiteral("-frame"),
                    .id = "export-frames"},
                   this, [this, request](const QString& path) {
                       m_playback->exportFrames(
                           path, [request](const io::Grid& field) { return renderSlice(field, request); });
                   });
}

}  // namespace warplens::gui
