// SPDX-License-Identifier: Apache-2.0
#include "gui/views/strip.hpp"

#include "gui/style/theme.hpp"

#include <QHBoxLayout>
#include <QLabel>

namespace warplens::gui {

QHBoxLayout* stripRow(QWidget* strip, int height, int spacing) {
    strip->setFixedHeight(height);
    auto* row = new QHBoxLayout(strip);
    row->setContentsMargins(kDockMargin, 0, kDockMargin, 0);
    row->setSpacing(spacing);
    return row;
}

QHBoxLayout* titleRow(QWidget* head, int height, const QString& title, int spacing) {
    QHBoxLayout* row = stripRow(head, height, spacing);
    auto* name = new QLabel(title, head);
    setLook(name, "title");
    row->addWidget(name);
    return row;
}

}  // namespace warplens::gui
