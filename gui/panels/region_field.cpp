// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/region_field.hpp"

#include <QComboBox>
#include <QLineEdit>
#include <QVBoxLayout>

namespace warplens::gui {

namespace {
enum Choice { kWhole, kRectangle };
}

RegionField::RegionField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent), m_choice(new QComboBox(this)), m_rectangle(new QLineEdit(this)) {
    const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
    m_choice->setObjectName(id + QStringLiteral("-choice"));
    m_choice->setAccessibleName(title);
    m_choice->setToolTip(QString::fromStdString(parameter.help));
    m_choice->setFocusPolicy(Qt::StrongFocus);
    m_choice->addItems({tr("whole picture"), tr("rectangle")});
    m_rectangle->setObjectName(id + QStringLiteral("-rectangle"));
    m_rectangle->setAccessibleName(tr("%1 as x, y, width, height").arg(title));
    m_rectangle->setPlaceholderText(tr("x, y, width, height"));
    m_rectangle->setToolTip(tr("Type x, y, width, height, or draw it with Select region on the Histogram page."));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(4);
    column->addWidget(m_choice);
    column->addWidget(m_rectangle);
    m_rectangle->hide();
    connect(m_choice, &QComboBox::activated, this, [this](int choice) {
        m_rectangle->setVisible(choice == kRectangle);
        if (choice == kRectangle) m_rectangle->setFocus();
        // A rectangle typed before is taken up again.
        emit edited(choice == kRectangle ? m_rectangle->text().remove(' ') : QString());
    });
    connect(m_rectangle, &QLineEdit::editingFinished, this, [this] {
        if (m_choice->currentIndex() == kRectangle) emit edited(m_rectangle->text().remove(' '));
    });
}

void RegionField::setText(const QString& text) {
    if (text.isEmpty()) {
        // While a rectangle is being typed there is none yet.
        if (m_rectangle->hasFocus()) return;
        m_choice->setCurrentIndex(kWhole);
        m_rectangle->hide();
        return;
    }
    m_choice->setCurrentIndex(kRectangle);
    if (!m_rectangle->hasFocus() || !m_rectangle->isModified()) m_rectangle->setText(text);
    m_rectangle->show();
}

}  // namespace warplens::gui
