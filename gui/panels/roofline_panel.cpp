// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/roofline_panel.hpp"

#include "gui/charts/roofline_chart.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/elided_label.hpp"
#include "gui/views/marks.hpp"
#include "gui/views/strip.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace warplens::gui {

RooflinePanel::RooflinePanel(WhyModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_chart(new RooflineChart(this)),
      m_note(new ElidedLabel(this)),
      m_origin(new OriginMark(Origin::recorded, this)) {
    m_chart->setObjectName(QStringLiteral("roofline"));
    auto* head = new QWidget(this);
    QHBoxLayout* row = titleRow(head, kTitleHeight, tr("Roofline"), 5);
    setLook(m_note, "caption");
    auto* points = new QLabel(tr("  points"), head);
    setLook(points, "caption");
    m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addWidget(m_note, 1);
    row->addWidget(m_origin);
    row->addWidget(points);
    row->addWidget(new OriginMark(Origin::modelled, head));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(m_chart, 1);
}

void RooflinePanel::refresh() {
    std::vector<RooflineChart::Point> points;
    for (const WhyModel::Rate& rate : m_model.rates())
        points.push_back({QString::fromStdString(rate.variant->id), rate.variant->idea, rate.operationsPerByte,
                          rate.tflops, rate.variant->id == m_model.session().current(),
                          rate.variant == m_model.against()});
    const auto ceilings = m_model.ceilings();
    setVisible(!points.empty());
    m_note->setFullText(ceilings ? tr("ceilings of %1").arg(QString::fromStdString(ceilings->device))
                                 : tr("no ceilings at hand"));
    m_origin->setVisible(ceilings.has_value());
    if (ceilings) m_origin->setOrigin(ceilings->origin);
    m_chart->setPoints(std::move(points), ceilings);
}

}  // namespace warplens::gui
