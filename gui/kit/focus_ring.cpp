// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/focus_ring.hpp"

#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"

#include <QCoreApplication>
#include <QFocusEvent>
#include <QPainter>
#include <QProxyStyle>

namespace warplens::gui {

namespace {

/// 2 px of ring and 1 px of air on each side.
class RingStyle : public QProxyStyle {
public:
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        if (metric == PM_FocusFrameHMargin || metric == PM_FocusFrameVMargin) return 3;
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override {
        if (hint == SH_FocusFrame_AboveWidget) return 1;
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
};

class Frame : public QFocusFrame {
public:
    Frame() {
        auto* const style = new RingStyle;
        style->setParent(this);
        setStyle(style);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(colour(Role::accent), 2 * lineScale()));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
    }
};

}  // namespace

FocusRing::FocusRing(QObject* parent) : QObject(parent) { QCoreApplication::instance()->installEventFilter(this); }

FocusRing::~FocusRing() {
    // As a child of the application this runs when widgets can no longer be deleted; their window has done it then.
    if (QCoreApplication::instance()) delete m_frame;
}

bool FocusRing::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::FocusIn && watched->isWidgetType()) {
        const Qt::FocusReason reason = static_cast<QFocusEvent*>(event)->reason();
        const bool byKey =
            reason == Qt::TabFocusReason || reason == Qt::BacktabFocusReason || reason == Qt::ShortcutFocusReason;
        follow(byKey ? static_cast<QWidget*>(watched) : nullptr);
    } else if (event->type() == QEvent::FocusOut && watched == widget()) {
        follow(nullptr);
    }
    return false;
}

void FocusRing::follow(QWidget* target) {
    // A window of its own (a menu, a dialog without controls) has nothing to draw a ring in.
    if (target && target->isWindow()) target = nullptr;
    if (target == widget()) return;
    if (!m_frame) m_frame = new Frame;
    m_frame->setWidget(target);
}

}  // namespace warplens::gui
