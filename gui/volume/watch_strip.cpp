// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/watch_strip.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/paint.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/volume/frame_scrubber.hpp"
#include "gui/volume/residual_chart.hpp"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr int kControls = 44;
constexpr Length kFigure{19};
constexpr Length kRoomForKept{760};
}  // namespace

WatchStrip::WatchStrip(PlaybackModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
    setWidgetText(this, {.look = "dock", .name = tr("Watching the iteration")});
    makeColumn(this, {}, 0, {makeControls(), makeResidual()});
    connect(&model, &PlaybackModel::changed, this, &WatchStrip::refresh);
    drawIcons();
    refresh();
    on(this, {QEvent::PaletteChange}, [this] { drawIcons(); });
    // Projector mode has larger figures.
    after(this, {QEvent::StyleChange}, [this] { refresh(); });
    on(this, {QEvent::Resize}, [this] { m_kept->setVisible(width() >= kRoomForKept); });
}

QToolButton* WatchStrip::makeButton(const char* name, const QString& title, const QString& tip, QWidget* parent) {
    auto* button = made(new QToolButton(parent), {.id = name, .name = title, .tip = tip, .focus = true});
    button->setIconSize({14, 14});
    button->setFixedSize(36, 28);
    return button;
}

QWidget* WatchStrip::makeControls() {
    auto* controls = made(new QWidget(this), {.look = "strip"});
    QHBoxLayout* row = stripRow(controls, kControls);
    m_start =
        makeButton("watch-start", tr("Back to the start"), tr("Back to step 0; the curve is kept, dashed"), controls);
    m_play = makeButton("watch-play", tr("Play"), {}, controls);
    m_step = makeButton("watch-step", tr("Step"), {}, controls);
    connect(m_start, &QToolButton::clicked, &m_model, &PlaybackModel::toStart);
    connect(m_play, &QToolButton::clicked, this, [this] { m_model.playing() ? m_model.pause() : m_model.play(); });
    connect(m_step, &QToolButton::clicked, &m_model, &PlaybackModel::stepOnce);
    m_count = made(new QLabel(controls), {.id = "watch-count"});
    m_count->setTextFormat(Qt::RichText);
    m_scrubber = made(new FrameScrubber(controls), {.id = "watch-frames"});
    connect(m_scrubber, &FrameScrubber::chosen, &m_model, &PlaybackModel::show);
    m_kept = made(new QLabel(controls), {.id = "watch-kept", .look = "caption"});
    m_speed = made(new QComboBox(controls),
                   {.id = "watch-speed",
                    .name = tr("Speed"),
                    .tip = tr("Steps from one picture to the next; at most %1 pictures per second at 1 × and beyond")
                               .arg(PlaybackModel::kMostPictures),
                    .focus = true});
    for (const PlaybackModel::Speed& speed : PlaybackModel::speeds()) m_speed->addItem(speed.name);
    m_speed->setCurrentIndex(m_model.speed());
    connect(m_speed, &QComboBox::activated, &m_model, &PlaybackModel::setSpeed);
    m_export = made(new QPushButton(tr("Export frames"), controls), {.id = "watch-export", .look = "flat"});
    connect(m_export, &QPushButton::clicked, this, &WatchStrip::exportWanted);
    fill(row, {m_start, m_play, m_step, spacer(4), m_count, {m_scrubber, 1}, m_kept, m_speed, m_export});
    return controls;
}

QWidget* WatchStrip::makeResidual() {
    auto* residual = made(new QWidget(this), {.look = "dock"});
    auto* column = makeColumn(residual, {0, 0, 0, 2}, 0);
    auto* head = makeRow(nullptr, {kDockMargin, 4, kDockMargin, 0}, 6);
    auto* title = made(new QLabel(tr("Residual"), residual), {.look = "title"});
    auto* what = made(new QLabel(tr("largest change of a cell per step, log scale"), residual), {.look = "caption"});
    m_state = made(new QLabel(residual), {.id = "watch-state", .look = "caption"});
    fill(head, {title, new OriginMark(Origin::measured, residual), what, spring(), m_state});
    column->addLayout(head);
    m_chart = made(new ResidualChart(residual), {.id = "residual-chart"});
    column->addWidget(m_chart, 1);
    return residual;
}

void WatchStrip::setRoom(int height) {
    constexpr Length kLeast{72}, kMost{156};
    m_chart->setMaximumHeight(std::clamp<int>(height / 6, kLeast, kMost));
}

void WatchStrip::refresh() {
    const KeptFrame* shown = m_model.shown();
    const std::int64_t at = shown != nullptr ? shown->step : 0;
    const bool playing = m_model.playing(), ready = m_model.ready();
    const QString steps = format::integer(m_model.steps()), of = tr("of %1 steps").arg(steps);
    m_count->setText(QStringLiteral("<span style='font-size:%3px; font-weight:bold'>%1</span> %2")
                         .arg(format::integer(at), of)
                         .arg(int(kFigure)));
    // The number's room does not change while it counts.
    const QFont small = textFont(TextSize::body);
    QFont large = small;
    large.setPixelSize(kFigure);
    large.setBold(true);
    m_count->setMinimumWidth(QFontMetrics(large).horizontalAdvance(steps) + QFontMetrics(small).horizontalAdvance(of) +
                             kGap);
    std::vector<std::int64_t> kept;
    for (const KeptFrame& frame : m_model.frames().frames()) kept.push_back(frame.step);
    const auto count = static_cast<std::int64_t>(kept.size());
    m_scrubber->setFrames(std::move(kept), m_model.shownIndex(), m_model.steps());
    m_kept->setText(count == 1 ? tr("1 kept frame") : tr("%1 kept frames").arg(format::integer(count)));
    m_kept->setToolTip(
        tr("%1 of at most %2; beyond that every other frame goes, so that those left are spread over the run")
            .arg(format::bytes(static_cast<std::int64_t>(m_model.frames().bytes())),
                 format::bytes(static_cast<std::int64_t>(m_model.frames().bound()))));
    m_chart->setCurves(m_model.residuals(), m_model.earlier(), m_model.steps(), at);

    m_play->setEnabled(playing || (ready && m_model.steps() > 0));
    setWidgetText(m_play, {.name = playing ? tr("Pause") : tr("Play"),
                           .tip = playing ? tr("Pause (P)") : tr("Play all checked variants in lockstep (P)")});
    m_step->setEnabled(playing || ready);
    m_step->setToolTip(playing ? tr("Pause (N)") : tr("One step, or to the next kept frame (N)"));
    m_start->setEnabled(m_model.begun());
    m_export->setEnabled(m_model.begun() && !playing && !m_model.exporting());
    m_export->setToolTip(
        tr("Writes the kept frames as PNG pictures, numbered: the slice of the current pane, 100 %, in "
           "the colours shown"));
    if (m_speed->currentIndex() != m_model.speed()) m_speed->setCurrentIndex(m_model.speed());
    const bool newest = m_model.shownIndex() + 1 >= static_cast<std::size_t>(std::max<std::int64_t>(1, count));
    m_state->setText(!m_model.ended().isEmpty() ? m_model.ended()
                     : playing                  ? tr("playing; Esc pauses")
                     : !newest                  ? tr("the run stands at step %1").arg(format::integer(m_model.step()))
                     : !m_model.even()          ? tr("paused within a step")
                     : m_model.begun()          ? tr("paused")
                                                : QString());
    drawIcons();
}

void WatchStrip::drawIcons() {
    m_start->setIcon(transportIcon(Transport::start));
    m_play->setIcon(transportIcon(m_model.playing() ? Transport::pause : Transport::play));
    m_step->setIcon(transportIcon(Transport::step));
}

}  // namespace warplens::gui
