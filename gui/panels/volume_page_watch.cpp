// SPDX-License-Identifier: Apache-2.0
// The part of VolumePage that watches an iteration.
#include "gui/models/held_regions.hpp"
#include "gui/models/playback_model.hpp"
#include "gui/panels/stencil_sections.hpp"
#include "gui/panels/volume_page.hpp"
#include "gui/panels/volume_side.hpp"
#include "gui/panels/watch_strip.hpp"
#include "gui/views/slice_render.hpp"
#include "gui/views/volume_panes.hpp"

#include <QAction>
#include <QDir>
#include <QFileDialog>
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
    makeHeldActions();
    m_watch = new WatchStrip(*m_playback, this);
    m_watch->setObjectName(QStringLiteral("watch"));
    column->addWidget(m_watch);
    auto* rate = new RateSection(m_session, *m_playback, m_side);
    auto* agreement = new AgreementSection(m_session, *m_playback, m_side);
    m_side->addSection(rate);
    m_side->addSection(agreement);
    connect(m_watch, &WatchStrip::exportWanted, this, &VolumePage::exportFrames);
    connect(m_playback, &PlaybackModel::frameShown, this, &VolumePage::refresh);
    connect(m_playback, &PlaybackModel::changed, this, &Page::viewChanged);
    const auto show = [this, rate, agreement] {
        const gpu::Family* family = m_session.parameters().family();
        const bool stencil = family != nullptr && family->id() == "stencil";
        for (QWidget* widget : std::initializer_list<QWidget*>{m_watch, rate, agreement}) widget->setVisible(stencil);
    };
    connect(&m_session.parameters(), &ParameterState::familyChanged, m_watch, show);
    show();
}

void VolumePage::makeHeldActions() {
    QList<QAction*> held;
    const auto on = [&](const char* name, const QString& text, const QKeySequence& key, auto&& what) {
        auto* action = new QAction(text, this);
        action->setObjectName(QString::fromUtf8(name));
        action->setShortcut(key);
        action->setShortcutContext(Qt::WindowShortcut);
        addAction(action);  // a widget's actions hear their keys only while it is shown
        connect(action, &QAction::triggered, this, what);
        held << action;
    };
    on("hold-hot", tr("&Hold hot around the crosshair"), QKeySequence(Qt::Key_H), [this] { hold(true); });
    on("hold-cold", tr("Hold &cold around the crosshair"), QKeySequence(Qt::Key_C), [this] { hold(false); });
    on("release-held", tr("&Release what is held"), {},
       [this] { m_session.parameters().set("regions", std::string()); });
    const auto enable = [this, held] {
        const ParameterState& parameters = m_session.parameters();
        const bool stencil = parameters.family() != nullptr && parameters.has("regions");
        const bool any = stencil && !parameters.isDefault("regions");
        for (QAction* action : held) action->setEnabled(stencil && (any || action != held.back()));
    };
    connect(&m_session.parameters(), &ParameterState::familyChanged, this, enable);
    connect(&m_session.parameters(), &ParameterState::changed, this, enable);
    enable();
}

void VolumePage::hold(bool hot) {
    if (m_session.document().empty()) return;
    const DisplayRange range = m_state.display().range();
    ParameterState& parameters = m_session.parameters();
    const auto regions = withRegion(QString::fromStdString(gpu::format(parameters.value("regions"))),
                                    hot ? range.high : range.low, m_state.crosshair(), m_state.extent());
    if (!regions)
        return m_session.report(
            tr("Eight regions are held, and more are not possible; release some, or edit the list."));
    parameters.set("regions", regions->toStdString());
}

void VolumePage::resizeEvent(QResizeEvent* event) {
    Page::resizeEvent(event);
    m_watch->setRoom(height());
}

bool VolumePage::watchable() const {
    return m_playback->ready();
}

bool VolumePage::playing() const {
    return m_playback->playing();
}

void VolumePage::playOrPause() {
    m_playback->playing() ? m_playback->pause() : m_playback->play();
}

void VolumePage::step() {
    m_playback->stepOnce();
}

void VolumePage::exportFrames() {
    const auto plane =
        static_cast<SlicePlane>(m_panes->current() == VolumePanes::rays ? VolumePanes::axial : m_panes->current());
    const SliceRequest request = wholeSlice(m_state, plane);
    auto* dialog =
        new QFileDialog(this, tr("Export the kept frames: a number is put after the name"), QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setObjectName(QStringLiteral("export-frames"));
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setNameFilters({tr("PNG (*.png)")});
    dialog->setDefaultSuffix(QStringLiteral("png"));
    dialog->selectFile(QFileInfo(m_session.document().name()).baseName() + QStringLiteral("-frame"));
    connect(dialog, &QFileDialog::fileSelected, this, [this, request](const QString& path) {
        m_playback->exportFrames(path, [request](const io::Grid& field) { return renderSlice(field, request); });
    });
    dialog->open();
}

}  // namespace warplens::gui
