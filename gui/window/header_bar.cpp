// SPDX-License-Identifier: Apache-2.0
#include "gui/window/header_bar.hpp"

#include "gui/kit/form.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>

namespace warplens::gui {

HeaderBar::HeaderBar(RequestState& request, RunControl& control, Activity& activity, QWidget* parent)
    : QWidget(parent),
      m_request(request),
      m_control(control),
      m_menus(new QMenuBar(this)),
      m_pages(new QHBoxLayout),
      m_device(new QLabel(this)),
      m_primary(new QPushButton(this)) {
    setLook(this, "strip");
    setFixedHeight(kHeaderHeight);
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);  // no menu folds away
    setLook(m_device, "label");
    setWords(m_primary, {.id = "primary", .look = "primary"});
    connect(m_primary, &QPushButton::clicked, this, &HeaderBar::primaryClicked);

    // Three columns, the outer two of equal weight, so that the pages stand in the middle of the window.
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(4, 0, kGap, 0);
    auto* right = makeRow(nullptr, {}, kDockMargin, {spring(), m_device, m_primary});
    m_pages->setSpacing(0);
    grid->addWidget(m_menus, 0, 0, Qt::AlignLeft | Qt::AlignVCenter);
    grid->addLayout(m_pages, 0, 1);
    grid->addLayout(right, 0, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1);

    connect(&request.devices(), &DeviceChoice::changed, this, &HeaderBar::refresh);
    connect(&activity, &Activity::busyChanged, this, &HeaderBar::refresh);
    connect(&control, &RunControl::compared, this, &HeaderBar::refresh);
    connect(&request.variants(), &VariantListModel::checkedChanged, this, &HeaderBar::refresh);
    refresh();
}

QPushButton* HeaderBar::addPage(const QString& title, bool chosen) {
    auto* button = made(new QPushButton(title, this), {.look = "page", .name = tr("Page %1").arg(title)});
    button->setCheckable(true);
    button->setAutoExclusive(true);
    button->setChecked(chosen);
    m_pages->addWidget(button);
    return button;
}

void HeaderBar::setDeviceHidden(bool hidden) {
    m_deviceHidden = hidden;
    refresh();
}

void HeaderBar::setPagePrimary(const Page::Primary& primary) {
    m_pagePrimary = primary;
    refresh();
}

void HeaderBar::refresh() {
    const gpu::DeviceInfo* device = m_request.devices().chosen();
    m_device->setVisible(!m_deviceHidden && device != nullptr);
    if (device != nullptr) {
        const auto others = m_request.devices().beside().size();
        const QString name = QString::fromStdString(device->name);
        m_device->setText(QStringLiteral("%1 (%2)").arg(
            others == 0 ? name : tr("%1 × %2").arg(others + 1).arg(name),
            QString::fromStdString(m_request.devices().names()).replace(',', QStringLiteral(", "))));
    }
    const int count = m_request.variants().checkedCount();
    m_primary->setText(m_control.comparing() ? tr("Cancel   Esc")
                       : count == 1          ? tr("Compare 1 variant   F5")
                                             : tr("Compare %1 variants   F5").arg(count));
    m_primary->setToolTip(m_control.comparing() ? tr("Stops the comparison; what is done so far stays.")
                                                : tr("Runs every checked variant, checks it and times it."));
    const bool own = !m_pagePrimary.text.isEmpty() && !m_control.comparing();
    m_primary->setEnabled(!own || m_pagePrimary.enabled);
    m_primary->setVisible(!own || m_pagePrimary.shown);
    if (own) {
        m_primary->setText(m_pagePrimary.text);
        m_primary->setToolTip(m_pagePrimary.tip);
    }
    m_primary->setAccessibleName(m_primary->text().simplified());
}

}  // namespace warplens::gui
