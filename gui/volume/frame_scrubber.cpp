// SPDX-License-Identifier: Apache-2.0
#include "gui/volume/frame_scrubber.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

namespace warplens::gui {

namespace {
constexpr Length kHandle{6}, kGroove{3};
constexpr double kTickApart = 3;  // px; nearer ones melt into one
}  // namespace

FrameScrubber::FrameScrubber(QWidget* parent) : QSlider(Qt::Horizontal, parent) {
    setFocusPolicy(Qt::StrongFocus);
    setWidgetText(this, {.name = tr("Kept frames"),
                         .tip = tr("Kept frames: drag, or use the arrow keys, to look at an earlier one")});
    setMinimumWidth(80);
    setFixedHeight(28);
}

void FrameScrubber::setFrames(std::vector<std::int64_t> kept, std::size_t shown, std::int64_t steps) {
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

double FrameScrubber::xOf(std::int64_t step) const {
    return kHandle + (width() - 2 * kHandle) * static_cast<double>(step) / std::max(1, maximum());
}

void FrameScrubber::paintEvent(QPaintEvent*) {
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

void FrameScrubber::choose(std::ptrdiff_t index) {
    if (m_kept.empty()) return;
    const auto kept = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(index, 0, std::ssize(m_kept) - 1));
    if (kept != m_shown) emit chosen(kept);
}

void FrameScrubber::chooseAt(double x) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < m_kept.size(); ++i)
        if (std::abs(xOf(m_kept[i]) - x) < std::abs(xOf(m_kept[best]) - x)) best = i;
    choose(static_cast<std::ptrdiff_t>(best));
}

void FrameScrubber::keyPressEvent(QKeyEvent* event) {
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

void FrameScrubber::wheelEvent(QWheelEvent* event) {
    // Only the one that was chosen scrolls.
    if (!hasFocus()) return event->ignore();
    choose(static_cast<std::ptrdiff_t>(m_shown) + (event->angleDelta().y() > 0 ? -1 : 1));
    event->accept();
}

void FrameScrubber::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) chooseAt(event->position().x());
}

void FrameScrubber::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons() & Qt::LeftButton) chooseAt(event->position().x());
}

void FrameScrubber::mouseReleaseEvent(QMouseEvent*) {}

}  // namespace warplens::gui
