// SPDX-License-Identifier: Apache-2.0
#include "gui/window/header_bar.hpp"

#include "gui/kit/panel.hpp"

#include <QMenuBar>
#include <algorithm>

namespace warplens::gui {

HeaderBar::HeaderBar(RequestState& request, RunControl& control, Activity& activity, QWidget* parent)
    : QWidget(parent),
      m_request(request),
      m_control(control),
      m_switch(new QWidget(this)),
      m_menus(new QMenuBar(this)),
      m_pages(new QWidget(this)),
      m_folded(
          made(new QToolButton(this), {.id = "page-menu", .look = "flat", .tip = tr("The pages of this window.")})),
      m_device(made(new QLabel(this), {.look = "label"})),
      m_primary(made(new QPushButton(this),
                     {.id = "primary", .look = "primary", .does = [this] { emit primaryClicked(); }})) {
    setLook(this, "strip");
    setFixedHeight(kHeaderHeight);
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);  // no menu folds away

    // Three columns, the outer two of equal weight, so that the pages stand in the middle of the window.
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(4, 0, kGap, 0);
    auto* right = makeRow(nullptr, {}, kDockMargin, {spring(), m_device, m_primary});
    makeRow(m_pages, {}, 0);
    m_folded->setPopupMode(QToolButton::InstantPopup);
    m_folded->setMenu(new QMenu(m_folded));
    m_folded->hide();
    auto* between = makeRow(m_switch, {}, 0);
    const auto workspace = [&](Page::Workspace which, const char* id, const QString& title, const QString& tip) {
        auto* button =
            made(new QPushButton(title, m_switch),
                 {.id = id, .look = "segment", .name = tr("Workspace %1").arg(title), .tip = tip, .checkable = true});
        button->setAutoExclusive(true);
        connect(button, &QPushButton::clicked, this, [this, which] { emit workspaceWanted(which); });
        between->addWidget(button);
        m_workspaces[which] = button;
    };
    workspace(Page::Workspace::picture, "workspace-picture", tr("Picture"),
              tr("Filter the picture, step by step (F2 changes the workspace)."));
    workspace(Page::Workspace::lab, "workspace-lab", tr("Lab"),
              tr("Compare and explain the variants of the current step (F2 changes the workspace)."));
    grid->addLayout(makeRow(nullptr, {}, kGap, {m_switch, m_menus}), 0, 0, Qt::AlignLeft | Qt::AlignVCenter);
    grid->addLayout(makeRow(nullptr, {}, 0, {m_pages, m_folded}), 0, 1);
    grid->addLayout(right, 0, 2);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(2, 1);

    connect(&request.devices(), &DeviceChoice::changed, this, &HeaderBar::refresh);
    connect(&activity, &Activity::busyChanged, this, &HeaderBar::refresh);
    connect(&control, &RunControl::compared, this, &HeaderBar::refresh);
    connect(&request.variants(), &VariantListModel::checkedChanged, this, &HeaderBar::refresh);
    refresh();
    on(this, {QEvent::Resize}, [this] { fit(); });
}

QPushButton* HeaderBar::addPage(Page::Workspace workspace, const QString& title, bool chosen) {
    auto* button =
        made(new QPushButton(title, this), {.look = "page", .name = tr("Page %1").arg(title), .checkable = true});
    button->setAutoExclusive(true);
    button->setChecked(chosen);
    m_pages->layout()->addWidget(button);
    QAction* entry = m_folded->menu()->addAction(title);
    connect(entry, &QAction::triggered, button, &QPushButton::click);
    const auto name = [this, title](bool shown) {
        if (!shown) return;
        m_folded->setText(title + QStringLiteral(" ▾"));
        m_folded->setAccessibleName(tr("Page %1").arg(title));
    };
    connect(button, &QPushButton::toggled, m_folded, name);
    name(chosen);
    m_entries.push_back({workspace, button, entry});
    return button;
}

void HeaderBar::setWorkspace(Page::Workspace workspace) {
    m_workspaces[workspace]->setChecked(true);
    m_workspace = workspace;
    showEntries();
}

void HeaderBar::setOffered(const QPushButton* page, bool offered) {
    const auto entry = std::ranges::find(m_entries, page, &Entry::button);
    if (std::exchange(entry->offered, offered) != offered) showEntries();
}

void HeaderBar::showEntries() {
    for (const Entry& entry : m_entries) {
        const bool shown = entry.workspace == m_workspace && entry.offered;
        entry.button->setVisible(shown);
        entry.action->setVisible(shown);
    }
    fit();
}

void HeaderBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::StyleChange || event->type() == QEvent::FontChange) fit();
}

void HeaderBar::fit() {
    if (layout() == nullptr || m_pages->layout() == nullptr) return;
    const QMargins margins = layout()->contentsMargins();
    const int device = m_device->isHidden() ? 0 : m_device->sizeHint().width() + kDockMargin;
    const int room = width() - margins.left() - margins.right() - m_menus->sizeHint().width() -
                     m_switch->sizeHint().width() - kGap - device;
    const auto fits = [&](const QString& text, const QWidget* pages) {
        m_primary->setText(text);
        const int button = m_primary->isHidden() ? 0 : m_primary->sizeHint().width() + kDockMargin;
        return pages->sizeHint().width() + button <= room;
    };
    const bool unfolded = fits(m_whole, m_pages) || fits(m_short, m_pages);
    m_pages->setVisible(unfolded && m_pagesShown);
    m_folded->setVisible(!unfolded && m_pagesShown);
    if (!unfolded && !fits(m_whole, m_folded)) fits(m_short, m_folded);
}

void HeaderBar::setPagesShown(bool shown) {
    m_pagesShown = shown;
    fit();
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
    const bool comparing = m_control.comparing(), own = !m_pagePrimary.text.isEmpty() && !comparing;
    m_whole = own          ? m_pagePrimary.text
              : comparing  ? tr("Cancel   Esc")
              : count == 1 ? tr("Compare 1 variant   F5")
                           : tr("Compare %1 variants   F5").arg(count);
    m_short = own || comparing ? m_whole : tr("Compare %1").arg(count);
    m_primary->setToolTip(own          ? m_pagePrimary.tip
                          : comparing  ? tr("Cancels the comparison; keeps finished runs.")
                          : count == 0 ? tr("No variant is checked; check those to compare in the list on the left.")
                                       : tr("Runs every checked variant, checks it and times it."));
    m_primary->setEnabled(own ? m_pagePrimary.enabled : comparing || count > 0);
    m_primary->setVisible(!own || m_pagePrimary.shown);
    m_primary->setAccessibleName(m_whole.simplified());
    fit();
}

}  // namespace warplens::gui
