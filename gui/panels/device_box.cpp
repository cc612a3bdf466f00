// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/device_box.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>

namespace warplens::gui {

namespace {
constexpr Length kLabelWidth{76}, kRoomy{270};
}  // namespace

DeviceBox::DeviceBox(CompareSession& session, QWidget* parent)
    : QWidget(parent), m_session(session), m_combo(new QComboBox(this)) {
    m_combo->setObjectName(QStringLiteral("device"));
    m_combo->setAccessibleName(tr("Device"));
    m_combo->setToolTip(tr("Where kernels run. Library rows say themselves where they run."));
    m_combo->setFocusPolicy(Qt::StrongFocus);
    auto* label = new QLabel(tr("Device"), this);
    setLook(label, "label");
    label->setMinimumWidth(kLabelWidth);
    label->setBuddy(m_combo);
    auto* row = new QHBoxLayout;
    row->setSpacing(kGap);
    row->addWidget(label);
    row->addWidget(m_combo, 1);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(row);

    connect(m_combo, &QComboBox::activated, this,
            [this](int index) { m_session.setDevice(m_combo->itemData(index).toString().toStdString()); });
    connect(&m_session, &CompareSession::devicesChanged, this, &DeviceBox::refreshList);
    connect(&m_session, &CompareSession::deviceChanged, this, &DeviceBox::refreshFacts);
    refreshList();
}

void DeviceBox::refreshList() {
    m_combo->clear();
    for (const gpu::DeviceInfo& device : m_session.devices().devices) {
        const QString name = QString::fromStdString(device.name), id = QString::fromStdString(device.id);
        m_combo->addItem(device.ranks() ? QStringLiteral("%1 (%2)").arg(name, id) : name, id);
    }
    m_combo->setEnabled(m_combo->count() > 0);
    if (m_combo->count() == 0) m_combo->setPlaceholderText(tr("looking for devices"));
    refreshFacts();
}

void DeviceBox::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    indent();
}

void DeviceBox::indent() {
    // Below the choice where there is room, else from the margin: figures are never cut.
    m_facts->layout()->setContentsMargins(width() >= kRoomy ? kLabelWidth + kGap : 0, 0, 0, 0);
}

void DeviceBox::refreshFacts() {
    delete m_facts;
    m_facts = new QWidget(this);
    auto* row = new QHBoxLayout(m_facts);
    row->setSpacing(4);
    const auto say = [&](const QString& text, std::optional<Origin> origin) {
        auto* label = new QLabel(text, m_facts);
        setLook(label, "caption");
        row->addWidget(label);
        if (origin) row->addWidget(new OriginMark(*origin, m_facts));
        row->addSpacing(4);
    };
    if (const gpu::DeviceInfo* device = m_session.device()) {
        m_combo->setCurrentIndex(m_combo->findData(QString::fromStdString(device->id)));
        if (device->ranks()) {
            say(tr("%1 SMs").arg(device->multiprocessors), Origin::reported);
            if (m_session.limits() && m_session.limits()->copyGbs > 0)
                say(tr("copy %1 GB/s").arg(format::integer(std::llround(m_session.limits()->copyGbs))),
                    Origin::measured);
            else
                say(format::bytes(device->memoryBytes), Origin::reported);
        } else {
            say(device->multiprocessors == 1 ? tr("1 core") : tr("%1 cores").arg(device->multiprocessors),
                Origin::reported);
            if (!m_session.devices().whyNoCuda.empty()) say(tr("no CUDA device"), std::nullopt);
        }
    }
    row->addStretch(1);
    layout()->addWidget(m_facts);
    indent();
}

}  // namespace warplens::gui
