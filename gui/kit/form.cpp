// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/form.hpp"

#include "gui/kit/theme.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QScrollArea>
#include <QSplitter>
#include <algorithm>
#include <vector>

namespace warplens::gui {

namespace {

template <class Layout>
Layout* make(QWidget* parent, const QMargins& margins, int spacing, std::initializer_list<Part> parts) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins(margins);
    layout->setSpacing(spacing);
    fill(layout, parts);
    return layout;
}

class EventCall : public QObject {
public:
    EventCall(QWidget* watched, std::initializer_list<QEvent::Type> types, std::function<void()> what)
        : QObject(watched), m_types(types), m_what(std::move(what)) {
        watched->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (std::ranges::find(m_types, event->type()) != m_types.end()) m_what();
        return false;
    }

private:
    std::vector<QEvent::Type> m_types;
    std::function<void()> m_what;
};

}  // namespace

void onEvent(QWidget* watched, std::initializer_list<QEvent::Type> types, std::function<void()> what) {
    new EventCall(watched, types, std::move(what));
}

void setWidgetText(QWidget* widget, const WidgetText& words) {
    if (!words.id.isEmpty()) widget->setObjectName(words.id.toString());
    if (words.look != nullptr) setLook(widget, words.look);
    if (words.name) widget->setAccessibleName(*words.name);
    if (words.tip) widget->setToolTip(*words.tip);
    if (words.focus) widget->setFocusPolicy(Qt::StrongFocus);
    if (auto* label = qobject_cast<QLabel*>(widget)) {
        if (words.wraps) label->setWordWrap(true);
        if (words.of != nullptr) label->setBuddy(words.of);
    } else if (auto* box = qobject_cast<QComboBox*>(widget); box != nullptr && words.letters > 0) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(words.letters);
    } else if (auto* button = qobject_cast<QAbstractButton*>(widget)) {
        if (words.checkable) button->setCheckable(true);
        if (!words.text.isEmpty()) button->setText(words.text);
        if (words.does) QObject::connect(button, &QAbstractButton::clicked, button, words.does);
    }
}

void setUpDialog(QDialog* dialog, QAnyStringView id, const QString& title, QSize wanted) {
    dialog->setObjectName(id.toString());
    dialog->setWindowTitle(title);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    const QWidget* over = dialog->parentWidget();
    if (!wanted.isEmpty()) dialog->resize(over != nullptr ? wanted.boundedTo(over->window()->size()) : wanted);
}

Part spacer(int pixels) { return {pixels, 0}; }

Part spring(int stretch) { return {-1, stretch}; }

void fill(QBoxLayout* to, std::initializer_list<Part> parts) {
    for (const Part& part : parts) {
        if (part.m_widget != nullptr)
            to->addWidget(part.m_widget, part.m_stretch, part.m_alignment);
        else if (part.m_layout != nullptr)
            to->addLayout(part.m_layout, part.m_stretch);
        else if (part.m_room >= 0)
            to->addSpacing(part.m_room);
        else
            to->addStretch(part.m_stretch);
    }
}

QHBoxLayout* makeRow(QWidget* parent, const QMargins& margins, int spacing, std::initializer_list<Part> parts) {
    return make<QHBoxLayout>(parent, margins, spacing, parts);
}

QVBoxLayout* makeColumn(QWidget* parent, const QMargins& margins, int spacing, std::initializer_list<Part> parts) {
    return make<QVBoxLayout>(parent, margins, spacing, parts);
}

QScrollArea* makeScroll(QWidget* content, QWidget* parent) {
    auto* scroll = new QScrollArea(parent);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (content != nullptr) scroll->setWidget(content);
    return scroll;
}

QSplitter* makeSplitter(Qt::Orientation orientation, QWidget* parent, std::initializer_list<Part> widgets) {
    auto* split = new QSplitter(orientation, parent);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    for (const Part& part : widgets) {
        split->addWidget(part.m_widget);
        if (part.m_stretch > 0) split->setStretchFactor(split->count() - 1, part.m_stretch);
    }
    return split;
}

QHBoxLayout* stripRow(QWidget* strip, int height, int spacing) {
    strip->setFixedHeight(height);
    return makeRow(strip, {kDockMargin, 0, kDockMargin, 0}, spacing);
}

QHBoxLayout* titleRow(QWidget* head, int height, const QString& title, int spacing) {
    QHBoxLayout* row = stripRow(head, height, spacing);
    row->addWidget(made(new QLabel(title, head), {.look = "title"}));
    return row;
}

}  // namespace warplens::gui
