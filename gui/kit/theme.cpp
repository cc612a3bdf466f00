// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme.hpp"

#include "gui/kit/focus_ring.hpp"
#include "gui/kit/projector.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/wheel_guard.hpp"

#include <QApplication>
#include <QEvent>
#include <QPointer>
#include <QPushButton>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>
#include <QWidget>
#include <algorithm>

static void initialiseControlsResource() { Q_INIT_RESOURCE(controls); }

namespace warplens::gui {

namespace {

/// What the desktop said before our own palette covered it.
QPalette desktopPalette;
SchemeChoice chosen = SchemeChoice::followDesktop;
QPointer<FocusRing> ring;
QPointer<WheelGuard> guard;

/// A button whose words become bold while it is chosen has room for them then, too.
class BoldRoom : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* watched, QEvent* event) override {
        const auto type = event->type();
        if (type == QEvent::StyleChange || type == QEvent::FontChange || type == QEvent::Polish ||
            type == QEvent::Show) {
            auto* button = static_cast<QPushButton*>(watched);
            QFont bold = button->font();
            bold.setBold(true);
            const int more = QFontMetrics(bold).horizontalAdvance(button->text()) -
                             button->fontMetrics().horizontalAdvance(button->text());
            const int wide = button->sizeHint().width() + std::max(0, more);
            if (button->minimumWidth() != wide) button->setMinimumWidth(wide);
        }
        return QObject::eventFilter(watched, event);
    }
};

}  // namespace

void Theme::install(QApplication& application, SchemeChoice choice) {
    initialiseControlsResource();
    loadFonts();
    desktopPalette = application.palette();
    application.setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    application.setFont(textFont(TextSize::body));
    QToolTip::setFont(textFont(TextSize::caption));
    apply(choice);
    if (!ring) ring = new FocusRing(&application);
    if (!guard) guard = new WheelGuard(&application);
}

void Theme::apply(SchemeChoice choice) {
    chosen = choice;
    const Scheme scheme = choice == SchemeChoice::dark    ? Scheme::dark
                          : choice == SchemeChoice::light ? Scheme::light
                                                          : schemeOf(desktopPalette);
    setScheme(scheme);
    QApplication::setPalette(palette(scheme));
    QToolTip::setPalette(palette(scheme));
    qApp->setStyleSheet(styleSheet(scheme));
}

void Theme::setProjector(double type, QWidget* window) {
    const double before = typeScale();
    if (type == before) return;
    setProjectorMetrics(type);
    scaleWidgets(window, type / before);
    QApplication::setFont(textFont(TextSize::body));
    QToolTip::setFont(textFont(TextSize::caption));
    apply(chosen);
}

SchemeChoice Theme::choice() { return chosen; }

Scheme Theme::schemeOf(const QPalette& palette) {
    const QColor window = palette.color(QPalette::Active, QPalette::Window);
    const QColor text = palette.color(QPalette::Active, QPalette::WindowText);
    return window.lightnessF() < text.lightnessF() ? Scheme::dark : Scheme::light;
}

QPalette Theme::palette(Scheme scheme) {
    const auto of = [scheme](Role role) { return colour(role, scheme); };
    QPalette p;
    p.setColor(QPalette::Window, of(Role::dock));
    p.setColor(QPalette::WindowText, of(Role::text1));
    p.setColor(QPalette::Base, of(Role::dock));
    p.setColor(QPalette::AlternateBase, of(Role::dock));
    p.setColor(QPalette::Text, of(Role::text1));
    p.setColor(QPalette::Button, of(Role::control));
    p.setColor(QPalette::ButtonText, of(Role::text1));
    p.setColor(QPalette::BrightText, of(Role::onAccent));
    p.setColor(QPalette::Highlight, of(Role::selection));
    p.setColor(QPalette::HighlightedText, of(Role::text1));
    p.setColor(QPalette::PlaceholderText, of(Role::text3));
    p.setColor(QPalette::ToolTipBase, of(Role::strip));
    p.setColor(QPalette::ToolTipText, of(Role::text1));
    p.setColor(QPalette::Link, of(Role::accent));
    p.setColor(QPalette::LinkVisited, of(Role::accent));
    p.setColor(QPalette::Light, of(Role::control));
    p.setColor(QPalette::Midlight, of(Role::hairline));
    p.setColor(QPalette::Mid, of(Role::line));
    p.setColor(QPalette::Dark, of(Role::line));
    p.setColor(QPalette::Shadow, of(Role::canvas));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText}) {
        p.setColor(QPalette::Disabled, role, of(Role::text3));
    }
    return p;
}

void setLook(QWidget* widget, const char* look) {
    widget->setProperty("look", QString::fromLatin1(look));
    // A plain QWidget paints no background of a style sheet unless told to.
    widget->setAttribute(Qt::WA_StyledBackground);
    widget->style()->unpolish(widget);
    widget->style()->polish(widget);
    widget->update();
    static QPointer<BoldRoom> room;
    const QLatin1String name(look);
    if (!qobject_cast<QPushButton*>(widget) || (name != QLatin1String("page") && name != QLatin1String("segment")))
        return;
    if (!room) room = new BoldRoom(qApp);
    widget->installEventFilter(room);
}

}  // namespace warplens::gui
