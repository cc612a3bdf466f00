// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme.hpp"

#include "gui/kit/focus_ring.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QGridLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLayout>
#include <QObject>
#include <QPointer>
#include <QPushButton>
#include <QSlider>
#include <QStyle>
#include <QStyleFactory>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <vector>

static void initialiseControlsResource() { Q_INIT_RESOURCE(controls); }

namespace warplens::gui {

namespace {

int scaled(int length, double factor) { return static_cast<int>(std::lround(length * factor)); }

void scaleSizes(QWidget* widget, double factor) {
    const QSize least = widget->minimumSize(), most = widget->maximumSize();
    const auto greatest = [&](int length) {
        return length >= QWIDGETSIZE_MAX ? QWIDGETSIZE_MAX : std::min(scaled(length, factor), QWIDGETSIZE_MAX);
    };
    // A fixed size has both; the wider one goes first, so that neither pushes the other.
    widget->setMaximumSize(std::max(greatest(most.width()), most.width()),
                           std::max(greatest(most.height()), most.height()));
    widget->setMinimumSize(scaled(least.width(), factor), scaled(least.height(), factor));
    widget->setMaximumSize(greatest(most.width()), greatest(most.height()));
}

void scaleLayout(QLayout* layout, double factor) {
    for (int i = 0; i < layout->count(); ++i)
        if (QSpacerItem* room = layout->itemAt(i)->spacerItem()) {
            const QSize size = room->sizeHint();
            const QSizePolicy policy = room->sizePolicy();
            room->changeSize(scaled(size.width(), factor), scaled(size.height(), factor), policy.horizontalPolicy(),
                             policy.verticalPolicy());
        }
    const QMargins m = layout->contentsMargins();
    layout->setContentsMargins(scaled(m.left(), factor), scaled(m.top(), factor), scaled(m.right(), factor),
                               scaled(m.bottom(), factor));
    if (auto* grid = qobject_cast<QGridLayout*>(layout)) {
        if (grid->horizontalSpacing() > 0) grid->setHorizontalSpacing(scaled(grid->horizontalSpacing(), factor));
        if (grid->verticalSpacing() > 0) grid->setVerticalSpacing(scaled(grid->verticalSpacing(), factor));
    } else if (layout->spacing() > 0) {
        layout->setSpacing(scaled(layout->spacing(), factor));
    }
}

void scaleSections(QHeaderView& header, double factor) {
    // Another default resizes every section, so that their own sizes are kept first.
    std::vector<int> sizes;
    for (int i = 0; i < header.count(); ++i) sizes.push_back(header.sectionSize(i));
    if (factor < 1) header.setMinimumSectionSize(scaled(header.minimumSectionSize(), factor));
    header.setDefaultSectionSize(scaled(header.defaultSectionSize(), factor));
    if (header.orientation() == Qt::Vertical) return;
    for (int i = 0; i < header.count(); ++i) {
        const bool own = header.sectionResizeMode(i) == QHeaderView::Interactive && !header.isSectionHidden(i);
        if (own) header.resizeSection(i, scaled(sizes[static_cast<std::size_t>(i)], factor));
    }
}

/// Multiplies what the widgets of a window were told in pixels: least and greatest sizes, margins, spacings, row
/// heights, fonts of their own. Multiplying by f and then by 1/f changes nothing for f of at least 1.
void scaleWidgets(QWidget* window, double factor) {
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        scaleSizes(widget, factor);
        if (widget->testAttribute(Qt::WA_SetFont) && widget->font().pixelSize() > 0) {
            QFont font = widget->font();
            font.setPixelSize(scaled(font.pixelSize(), factor));
            widget->setFont(font);
        }
        if (qobject_cast<QLabel*>(widget) != nullptr) {
            const QMargins m = widget->contentsMargins();
            widget->setContentsMargins(scaled(m.left(), factor), scaled(m.top(), factor), scaled(m.right(), factor),
                                       scaled(m.bottom(), factor));
        }
        if (auto* button = qobject_cast<QAbstractButton*>(widget); button != nullptr && !button->icon().isNull())
            button->setIconSize(
                QSize(scaled(button->iconSize().width(), factor), scaled(button->iconSize().height(), factor)));
        if (auto* box = qobject_cast<QComboBox*>(widget)) box->setIconSize(box->iconSize() * factor);
        if (auto* header = qobject_cast<QHeaderView*>(widget)) {
            scaleSections(*header, factor);
        } else if (auto* view = qobject_cast<QAbstractItemView*>(widget)) {
            if (view->iconSize().isValid()) view->setIconSize(view->iconSize() * factor);
            view->doItemsLayout();
        }
    }
    for (QLayout* layout : window->findChildren<QLayout*>()) scaleLayout(layout, factor);
}

bool isField(const QObject* object) {
    return qobject_cast<const QComboBox*>(object) != nullptr ||
           qobject_cast<const QAbstractSpinBox*>(object) != nullptr;
}

bool scrollsWithItsPanel(const QObject* object) {
    if (qobject_cast<const QSlider*>(object) == nullptr) return false;
    for (const QObject* outer = object->parent(); outer != nullptr; outer = outer->parent())
        if (qobject_cast<const QAbstractScrollArea*>(outer) != nullptr) return true;
    return false;
}

/// A wheel that turns over a panel scrolls the panel, whatever lies under the cursor: a list of choices or a field of
/// numbers takes it only once it has the focus, and so does a slider in a panel that scrolls. Watches the whole
/// application.
class WheelGuard : public QObject {
public:
    explicit WheelGuard(QObject* parent) : QObject(parent) { qApp->installEventFilter(this); }

    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Polish && isField(watched)) {
            // Qt gives the focus by the wheel before anybody is asked.
            auto* field = static_cast<QWidget*>(watched);
            if ((field->focusPolicy() & Qt::WheelFocus) == Qt::WheelFocus) field->setFocusPolicy(Qt::StrongFocus);
        } else if (event->type() == QEvent::Wheel && (isField(watched) || scrollsWithItsPanel(watched)) &&
                   !static_cast<QWidget*>(watched)->hasFocus()) {
            event->ignore();
            return true;
        }
        return false;
    }
};

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
