// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/range_field.hpp"

#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/value_spin.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QSignalBlocker>

namespace warplens::gui {

namespace {

constexpr int kFieldWidth = 56;

QString exactly(double value) { return QString::number(value, 'g', QLocale::FloatingPointShortest); }

}  // namespace

RangeField::RangeField(const gpu::Parameter& parameter, QWidget* parent)
    : QWidget(parent),
      m_low(new ValueSpin(this)),
      m_high(new ValueSpin(this)),
      m_auto(new QPushButton(tr("Auto"), this)) {
    const QString id = QString::fromStdString(parameter.id), title = QString::fromStdString(parameter.title);
    m_low->setObjectName(id + QStringLiteral("-low"));
    m_high->setObjectName(id + QStringLiteral("-high"));
    m_low->setAccessibleName(tr("%1 from").arg(title));
    m_high->setAccessibleName(tr("%1 up to, without it").arg(title));
    auto* fields = new QHBoxLayout;
    fields->setSpacing(6);
    for (ValueSpin* spin : {m_low, m_high}) {
        spin->setMinimumWidth(kFieldWidth);
        spin->setToolTip(QString::fromStdString(parameter.help));
        connect(spin, &QDoubleSpinBox::valueChanged, this, &RangeField::send);
    }
    auto* to = new QLabel(tr("to"), this);
    setLook(to, "label");
    fields->addWidget(m_low, 1);
    fields->addWidget(to);
    fields->addWidget(m_high, 1);
    setLook(m_auto, "flat");
    m_auto->setObjectName(id + QStringLiteral("-auto"));
    m_auto->setAccessibleName(tr("%1: as the picture has it").arg(title));
    m_auto->setToolTip(tr("The whole range of the type; of a float picture, what is there."));
    connect(m_auto, &QPushButton::clicked, this, [this] { emit edited({}); });
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(fields);
    column->addWidget(m_auto, 0, Qt::AlignRight);
    m_auto->hide();
}

void RangeField::show(double low, double high) {
    const QSignalBlocker quietLow(m_low), quietHigh(m_high);
    m_low->setValue(low);
    m_high->setValue(high);
}

void RangeField::setText(const QString& text) {
    m_text = text;
    m_auto->setVisible(!text.isEmpty());
    if (!text.isEmpty())
        show(text.section(',', 0, 0).toDouble(), text.section(',', 1).toDouble());
    else if (m_followed)
        show(m_followed->first, m_followed->second);
}

void RangeField::setFollowed(std::optional<std::pair<double, double>> range) {
    m_followed = range;
    if (m_text.isEmpty()) setText(m_text);
}

void RangeField::send() { emit edited(exactly(m_low->value()) + ',' + exactly(m_high->value())); }

}  // namespace warplens::gui
