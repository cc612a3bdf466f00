// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/picture_field.hpp"

#include "gui/style/theme.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QPushButton>
#include <algorithm>

namespace warplens::gui {

namespace {
constexpr int kPadding = 24;
}

PictureField::PictureField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent),
      m_choose(new QPushButton(this)),
      m_clear(new QPushButton(tr("Clear"), this)),
      m_title(QString::fromStdString(parameter.title)) {
    const QString id = QString::fromStdString(parameter.id);
    m_choose->setObjectName(id + QStringLiteral("-choose"));
    m_choose->setMinimumWidth(60);
    m_clear->setObjectName(id + QStringLiteral("-clear"));
    m_clear->setAccessibleName(tr("Clear %1").arg(m_title));
    setLook(m_clear, "flat");
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(4);
    row->addWidget(m_choose, 1);
    row->addWidget(m_clear);
    connect(m_choose, &QPushButton::clicked, this, &PictureField::choose);
    connect(m_clear, &QPushButton::clicked, this, &PictureField::cleared);
    setToolTip(QString::fromStdString(parameter.help));
    setName({});
}

void PictureField::setName(const QString& name) {
    m_name = name;
    m_clear->setVisible(!name.isEmpty());
    m_choose->setToolTip(name.isEmpty() ? toolTip() : name);
    m_choose->setAccessibleName(name.isEmpty() ? tr("%1: choose a file").arg(m_title)
                                               : tr("%1: %2").arg(m_title, QFileInfo(name).fileName()));
    elide();
}

void PictureField::elide() {
    const QString text = m_name.isEmpty() ? tr("Choose...") : QFileInfo(m_name).fileName();
    m_choose->setText(
        m_choose->fontMetrics().elidedText(text, Qt::ElideMiddle, std::max(40, m_choose->width() - kPadding)));
}

void PictureField::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    elide();
}

void PictureField::choose() {
    auto* dialog = new QFileDialog(window(), tr("Choose a picture for %1").arg(m_title),
                                   m_name.isEmpty() ? QString() : QFileInfo(m_name).absolutePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &PictureField::chosen);
    dialog->open();
}

}  // namespace warplens::gui
