// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/watch_strip.hpp"

#include "gui/kit/paint.hpp"
#include "gui/kit/panel.hpp"
#include "gui/volume/step_charts.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <vector>

namespace warplens::gui {

namespace {

constexpr Length kHandle{6}, kGroove{3};
constexpr double kTickApart = 3;  // px; nearer ones melt into one

/// A slider over the steps of an iteration that stops at the kept frames alone, each a tick below.
class FrameScrubber : public QSlider {
public:
    explicit FrameScrubber(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
        setFocusPolicy(Qt::StrongFocus);
        setWidgetText(this, {.name = tr("Kept frames"),
                             .tip = tr("Kept frames: drag, or use the arrow keys, to look at an earlier one")});
        setMinimumWidth(80);
        setFixedHeight(28);
    }

    /// `kept` are steps, ascending; `shown` is the index of the one that is shown.
    void setFrames(std::vector<std::int64_t> kept, std::size_t shown, std::int64_t steps) {
        m_kept = std::move(kept);
        m_shown = std::min(shown, m_kept.empty() ? 0 : m_kept.size() - 1);
        const std::int64_t end = std::max<std::int64_t>({1, steps, m_kept.empty() ? 0 : m_kept.back()});
        setRange(0, static_cast<int>(std::min<std::int64_t>(end, std::numeric_limits<int>::max())));
        setValue(m_kept.empty() ? 0 : static_cast<int>(m_kept[m_shown]));
        setEnabled(!m_kept.empty());
        setAccessibleDescription(m_kept.empty() ? QString()
                                                : tr("frame %1 of %2, step %3")
                                                      .arg(format::integer(static_cast<std::int64_t>(m_shown) + 1),
                                                           format::integer(static_cast<std::int64_t>(m_kept.size())),
                                                           format::integer(m_kept[m_shown])));
        update();
    }

    QSize sizeHint() const override { return {320, 28}; }

    /// The user chose a frame, by index.
    std::function<void(std::size_t index)> chosen;

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        const double middle = height() / 2.0 - 3, at = xOf(value());
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour(Role::line));
        painter.drawRoundedRect(QRectF(0, middle - kGroove / 2.0, width(), kGroove), 1, 1);
        painter.setBrush(colour(isEnabled() ? Role::accent : Role::text3));
        painter.drawRoundedRect(QRectF(0, middle - kGroove / 2.0, at, kGroove), 1, 1);
        double before = -kTickApart;
        for (const std::int64_t step : m_kept) {
            const double x = std::floor(xOf(step));
            if (x - before < kTickApart) continue;
            before = x;
            painter.fillRect(QRectF(x, middle + kHandle + 3, 1, 5), colour(Role::text3));
        }
        painter.setBrush(colour(isEnabled() ? Role::text1 : Role::text3));
        painter.drawEllipse(QPointF(at, middle), kHandle, kHandle);
        if (!hasFocus()) return;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(colour(Role::accent), 2));
        painter.drawEllipse(QPointF(at, middle), kHandle + 1, kHandle + 1);
    }

    void keyPressEvent(QKeyEvent* event) override {
        const auto at = static_cast<std::ptrdiff_t>(m_shown);
        switch (event->key()) {
            case Qt::Key_Left:
            case Qt::Key_Down: return choose(at - 1);
            case Qt::Key_Right:
            case Qt::Key_Up: return choose(at + 1);
            case Qt::Key_PageDown: return choose(at - 10);
            case Qt::Key_PageUp: return choose(at + 10);
            case Qt::Key_Home: return choose(0);
            case Qt::Key_End: return choose(std::ssize(m_kept) - 1);
            default: QWidget::keyPressEvent(event);
        }
    }

    void wheelEvent(QWheelEvent* event) override {
        // Only the one that was chosen scrolls.
        if (!hasFocus()) return event->ignore();
        choose(static_cast<std::ptrdiff_t>(m_shown) + (event->angleDelta().y() > 0 ? -1 : 1));
        event->accept();
    }

    void mousePressEvent(QMouseEvent* event) override {
        if (event->button() == Qt::LeftButton) chooseAt(event->position().x());
    }

    void mouseMoveEvent(QMouseEvent* event) override {
        if (event->buttons() & Qt::LeftButton) chooseAt(event->position().x());
    }

    void mouseReleaseEvent(QMouseEvent*) override {}

private:
    double xOf(std::int64_t step) const {
        return kHandle + (width() - 2 * kHandle) * static_cast<double>(step) / std::max(1, maximum());
    }

    void chooseAt(double x) {
        std::size_t best = 0;
        for (std::size_t i = 1; i < m_kept.size(); ++i)
            if (std::abs(xOf(m_kept[i]) - x) < std::abs(xOf(m_kept[best]) - x)) best = i;
        choose(static_cast<std::ptrdiff_t>(best));
    }

    void choose(std::ptrdiff_t index) {
        if (m_kept.empty()) return;
        const auto kept = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(index, 0, std::ssize(m_kept) - 1));
        if (kept != m_shown) chosen(kept);
    }

    std::vector<std::int64_t> m_kept;
    std::size_t m_shown = 0;
};

constexpr int kControls = 44;
constexpr Length kFigure{19};
constexpr Length kRoomForKept{760};

/// Below the panes while a stencil is the task: start, play, step, the kept frames, and the residual's curve.
class WatchStrip : public QWidget {
public:
    /// `model` outlives this.
    WatchStrip(PlaybackModel& model, std::function<void()> exportFrames, QWidget* page)
        : QWidget(page), m_model(model), m_exportFrames(std::move(exportFrames)) {
        setWidgetText(this, {.look = "dock", .name = tr("Watching the iteration")});
        makeColumn(this, {}, 0, {makeControls(), makeResidual()});
        connect(&model, &PlaybackModel::changed, this, &WatchStrip::refresh);
        drawIcons();
        refresh();
        on(this, {QEvent::PaletteChange}, [this] { drawIcons(); });
        // Projector mode has larger figures.
        after(this, {QEvent::StyleChange}, [this] { refresh(); });
        on(this, page, {QEvent::Resize}, [this, page] {
            constexpr Length kLeastCurve{72}, kMostCurve{156};
            m_chart->setMaximumHeight(std::clamp<int>(page->height() / 6, kLeastCurve, kMostCurve));
        });
        on(this, {QEvent::Resize}, [this] { m_kept->setVisible(width() >= kRoomForKept); });
    }

private:
    QWidget* makeControls() {
        auto* controls = made(new QWidget(this), {.look = "strip"});
        QHBoxLayout* row = stripRow(controls, kControls);
        m_start = makeButton("watch-start", tr("Back to the start"), tr("Back to step 0; the curve is kept, dashed"),
                             controls);
        m_play = makeButton("watch-play", tr("Play"), {}, controls);
        m_step = makeButton("watch-step", tr("Step"), {}, controls);
        connect(m_start, &QToolButton::clicked, &m_model, &PlaybackModel::toStart);
        connect(m_play, &QToolButton::clicked, this, [this] { m_model.playing() ? m_model.pause() : m_model.play(); });
        connect(m_step, &QToolButton::clicked, &m_model, &PlaybackModel::stepOnce);
        m_count = made(new QLabel(controls), {.id = "watch-count"});
        m_count->setTextFormat(Qt::RichText);
        m_scrubber = made(new FrameScrubber(controls), {.id = "watch-frames"});
        m_scrubber->chosen = [this](std::size_t index) { m_model.show(index); };
        m_kept = made(new QLabel(controls), {.id = "watch-kept", .look = "caption"});
        m_speed =
            made(new QComboBox(controls),
                 {.id = "watch-speed",
                  .name = tr("Speed"),
                  .tip = tr("Steps from one picture to the next; at most %1 pictures per second at 1 × and beyond")
                             .arg(PlaybackModel::kMostPictures),
                  .focus = true});
        for (const PlaybackModel::Speed& speed : PlaybackModel::speeds()) m_speed->addItem(speed.name);
        m_speed->setCurrentIndex(m_model.speed());
        connect(m_speed, &QComboBox::activated, &m_model, &PlaybackModel::setSpeed);
        m_export = made(new QPushButton(tr("Export frames"), controls), {.id = "watch-export", .look = "flat"});
        connect(m_export, &QPushButton::clicked, this, m_exportFrames);
        fill(row, {m_start, m_play, m_step, spacer(4), m_count, {m_scrubber, 1}, m_kept, m_speed, m_export});
        return controls;
    }

    QWidget* makeResidual() {
        auto* residual = made(new QWidget(this), {.look = "dock"});
        auto* column = makeColumn(residual, {0, 0, 0, 2}, 0);
        auto* head = makeRow(nullptr, {kDockMargin, 4, kDockMargin, 0}, 6);
        auto* title = made(new QLabel(tr("Residual"), residual), {.look = "title"});
        auto* what =
            made(new QLabel(tr("largest change of a cell per step, log scale"), residual), {.look = "caption"});
        m_state = made(new QLabel(residual), {.id = "watch-state", .look = "caption"});
        fill(head, {title, new OriginMark(Origin::measured, residual), what, spring(), m_state});
        column->addLayout(head);
        m_chart = made(new ResidualChart(residual), {.id = "residual-chart"});
        column->addWidget(m_chart, 1);
        return residual;
    }

    QToolButton* makeButton(const char* name, const QString& title, const QString& tip, QWidget* parent) {
        auto* button = made(new QToolButton(parent), {.id = name, .name = title, .tip = tip, .focus = true});
        button->setIconSize({14, 14});
        button->setFixedSize(36, 28);
        return button;
    }

    void refresh() {
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
        m_count->setMinimumWidth(QFontMetrics(large).horizontalAdvance(steps) +
                                 QFontMetrics(small).horizontalAdvance(of) + kGap);
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
                         : !newest         ? tr("the run stands at step %1").arg(format::integer(m_model.step()))
                         : !m_model.even() ? tr("paused within a step")
                         : m_model.begun() ? tr("paused")
                                           : QString());
        drawIcons();
    }

    void drawIcons() {
        m_start->setIcon(transportIcon(Transport::start));
        m_play->setIcon(transportIcon(m_model.playing() ? Transport::pause : Transport::play));
        m_step->setIcon(transportIcon(Transport::step));
    }

    PlaybackModel& m_model;
    std::function<void()> m_exportFrames;
    QToolButton *m_start = nullptr, *m_play = nullptr, *m_step = nullptr;
    QLabel *m_count = nullptr, *m_kept = nullptr, *m_state = nullptr;
    FrameScrubber* m_scrubber = nullptr;
    QComboBox* m_speed = nullptr;
    QPushButton* m_export = nullptr;
    ResidualChart* m_chart = nullptr;
};

}  // namespace

QWidget* makeWatchStrip(PlaybackModel& model, std::function<void()> exportFrames, QWidget* page) {
    return new WatchStrip(model, std::move(exportFrames), page);
}

}  // namespace warplens::gui
