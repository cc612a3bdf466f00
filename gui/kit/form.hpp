// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/kit/theme/metrics.hpp"

#include <QAnyStringView>
#include <QBoxLayout>
#include <QEvent>
#include <QMargins>
#include <QSize>
#include <QString>
#include <QTimer>
#include <functional>
#include <initializer_list>
#include <optional>
#include <utility>

class QDialog;
class QScrollArea;
class QSplitter;

namespace warplens::gui {

/// What a widget is called, how it looks, what it says and does. What is left out stays as it is.
struct WidgetText {
    QAnyStringView id{};            ///< object name
    const char* look = nullptr;     ///< as in setLook()
    std::optional<QString> name{};  ///< for screen readers
    std::optional<QString> tip{};
    bool wraps = false;            ///< a label: over several lines
    bool checkable = false;        ///< a button
    bool focus = false;            ///< by Tab and by a click
    int letters = 0;               ///< a combo box: as wide as so many, whatever its entries
    QString text{};                ///< a tool button
    QWidget* of = nullptr;         ///< a label: of which field
    std::function<void()> does{};  ///< a button that is clicked
};
void setWidgetText(QWidget* widget, const WidgetText& words);

/// The same of a widget just made.
template <class Widget>
Widget* made(Widget* widget, const WidgetText& words) {
    setWidgetText(widget, words);
    return widget;
}

/// What each dialog needs: it goes away when it is closed, and is no larger than wanted and than the window it is over.
void setUpDialog(QDialog* dialog, QAnyStringView id, const QString& title, QSize wanted = {});

/// Calls `what` before `widget` hears of an event of these types, for as long as both are whole: a base class that is
/// left of `owner` is not asked. `watched` is `owner` itself, or a part of it.
void onEvent(QWidget* watched, std::initializer_list<QEvent::Type> types, std::function<void()> what);
template <class Owner, class What>
void on(Owner* owner, QWidget* watched, std::initializer_list<QEvent::Type> types, What what) {
    onEvent(watched, types, [owner, what = std::move(what)] {
        if (dynamic_cast<Owner*>(static_cast<QObject*>(owner)) != nullptr) what();
    });
}
template <class Owner, class What>
void on(Owner* owner, std::initializer_list<QEvent::Type> types, What what) {
    on(owner, owner, types, std::move(what));
}
/// The same a moment later, when what such an event changes is changed everywhere: type is larger, widths are known.
template <class Owner, class What>
void after(Owner* owner, std::initializer_list<QEvent::Type> types, What what) {
    on(owner, types, [owner, what = std::move(what)] { QTimer::singleShot(0, owner, what); });
}

/// What stands in a row or a column.
class Part {
public:
    Part(QWidget* widget, int stretch = 0, Qt::Alignment alignment = {})
        : m_widget(widget), m_alignment(alignment), m_stretch(stretch) {}
    Part(QLayout* layout, int stretch = 0) : m_layout(layout), m_stretch(stretch) {}

private:
    friend Part spacer(int pixels);
    friend Part spring(int stretch);
    friend void fill(QBoxLayout* to, std::initializer_list<Part> parts);
    friend QSplitter* makeSplitter(Qt::Orientation, QWidget* parent, std::initializer_list<Part> widgets);
    Part(int room, int stretch) : m_room(room), m_stretch(stretch) {}

    QWidget* m_widget = nullptr;
    QLayout* m_layout = nullptr;
    Qt::Alignment m_alignment{};
    int m_room = -1, m_stretch = 0;
};
/// So many pixels that nothing stands in.
Part spacer(int pixels);
/// Room that takes what the others leave.
Part spring(int stretch = 1);

/// Puts parts at the end, in their order.
void fill(QBoxLayout* to, std::initializer_list<Part> parts);
/// A row or a column of a widget, or of none for a layout within another, and what stands in it.
QHBoxLayout* makeRow(QWidget* parent, const QMargins& margins, int spacing, std::initializer_list<Part> parts = {});
QVBoxLayout* makeColumn(QWidget* parent, const QMargins& margins, int spacing, std::initializer_list<Part> parts = {});

/// Scrolls up and down what is as wide as itself; keys are its content's own. `content` may be set later.
QScrollArea* makeScroll(QWidget* content, QWidget* parent);
/// Its line is thin, and its parts do not vanish: widgets, whose stretch is what they get of the room that comes.
QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent, std::initializer_list<Part> widgets = {});

/// Makes `strip` one of a fixed height, logical pixels, and gives it a row with the docks' margins.
QHBoxLayout* stripRow(QWidget* strip, int height, int spacing = kGap);
/// As stripRow(), of a panel's head: it begins with the title.
QHBoxLayout* titleRow(QWidget* head, int height, const QString& title, int spacing = kGap);

}  // namespace warplens::gui
