// SPDX-License-Identifier: Apache-2.0
#include "gui/panels/occupancy_panel.hpp"

#include "gui/charts/occupancy_bar.hpp"
#include "gui/style/theme.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/metrics.hpp"
#include "gui/views/marks.hpp"
#include "gui/views/strip.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>

namespace warplens::gui {

OccupancyPanel::OccupancyPanel(WhyModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_figure(new QLabel(this)),
      m_sentence(new QLabel(this)),
      m_facts(new QLabel(this)),
      m_modelled(new OriginMark(Origin::modelled, this)),
      m_origin(new OriginMark(Origin::reported, this)),
      m_bar(new OccupancyBar(this)) {
    setObjectName(QStringLiteral("occupancy"));
    auto* head = new QWidget(this);
    QHBoxLayout* row = titleRow(head, kTitleHeight, tr("Occupancy"), 5);
    setLook(m_figure, "caption");
    m_figure->setObjectName(QStringLiteral("occupancy-figure"));
    row->addStretch(1);
    row->addWidget(m_figure);
    row->addWidget(m_modelled);
    setLook(m_sentence, "caption");
    m_sentence->setObjectName(QStringLiteral("occupancy-sentence"));
    m_sentence->setWordWrap(true);
    m_sentence->setContentsMargins(kDockMargin, 2, kDockMargin, 0);
    setLook(m_facts, "hint");
    m_facts->setObjectName(QStringLiteral("occupancy-facts"));
    m_facts->setWordWrap(true);
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(kDockMargin, 2, kDockMargin, kGap);
    foot->setSpacing(5);
    foot->addWidget(m_facts, 1);
    foot->addWidget(m_origin, 0, Qt::AlignBottom);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(head);
    column->addWidget(m_bar);
    column->addWidget(m_sentence);
    column->addLayout(foot);
    connect(&model, &WhyModel::countsChanged, this, &OccupancyPanel::refresh);
    connect(&model.session(), &CompareSession::resultsChanged, this, &OccupancyPanel::refresh);
    refresh();
}

void OccupancyPanel::setCompact(bool compact) {
    if (compact == m_compact) return;
    m_compact = compact;
    refresh();
}

void OccupancyPanel::refresh() {
    const gpu::Variant* variant = m_model.session().variant(m_model.session().current());
    const auto full = variant == nullptr ? std::nullopt : m_model.fullness(variant->id);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_sentence), static_cast<QWidget*>(m_modelled)})
        widget->setVisible(full.has_value());
    setAccessibleName(tr("Occupancy"));
    m_facts->setVisible(!full || !m_compact);
    m_origin->setVisible(full && !m_compact);
    if (!full) {
        m_figure->setText(tr("not known"));
        m_facts->setText(
            tr("The registers of a thread are told by a GPU's compiler; the CPU device has none, and no recorded "
               "launch fits this task."));
        return setAccessibleDescription(m_facts->text());
    }
    const gpu::Occupancy& occupancy = full->occupancy;
    m_figure->setText(
        tr("%1 of %2 warps, %3").arg(occupancy.warps).arg(occupancy.mostWarps).arg(format::percent(occupancy.share())));
    m_figure->setToolTip(tr("Warps that a multiprocessor (SM) holds at once, of those that it could hold."));
    m_bar->setOccupancy(occupancy, variant->idea);
    m_sentence->setText(QString::fromStdString(gpu::occupancySentence(occupancy)));
    const QString shared = full->needs.sharedBytes > 0
                               ? tr("%1 of shared memory").arg(format::bytes(full->needs.sharedBytes))
                               : tr("no shared memory");
    QStringList facts{tr("%1 registers a thread, %2 threads and %3 a block")
                          .arg(full->needs.registers)
                          .arg(format::integer(full->needs.threads), shared)};
    if (full->kernels > 1) facts << tr("the largest of %1 launches").arg(full->kernels);
    facts << (full->date.isEmpty() ? full->device : tr("%1, recorded %2").arg(full->device, full->date));
    if (full->reported > 0) facts << tr("the CUDA runtime says %1").arg(format::percent(full->reported));
    m_facts->setText(facts.join(QStringLiteral("; ")));
    setToolTip(tr("%1 (reported)").arg(m_facts->text()));
    setAccessibleDescription(m_figure->text() + QStringLiteral("; ") + m_sentence->text());
}

}  // namespace warplens::gui
