// SPDX-License-Identifier: Apache-2.0
#include "gui/why/why_panels.hpp"

#include "gui/kit/panel.hpp"
#include "gui/why/roofline_chart.hpp"

#include <utility>

namespace warplens::gui {

namespace {

/// How full the current variant keeps a multiprocessor, what limits it, and what would lift that.
class OccupancyPanel : public QWidget {
public:
    OccupancyPanel(WhyModel& model, QWidget* page) : QWidget(page), m_model(model) {
        setObjectName(QStringLiteral("occupancy"));
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kTitleHeight, tr("Occupancy"), 5);
        fill(row, {spring(), m_figure, m_modelled});
        m_sentence->setContentsMargins(kDockMargin, 2, kDockMargin, 0);
        auto* foot =
            makeRow(nullptr, {kDockMargin, 2, kDockMargin, kGap}, 5, {{m_facts, 1}, {m_origin, 0, Qt::AlignBottom}});
        makeColumn(this, {}, 0, {head, m_bar, m_sentence, foot});
        connect(&model, &WhyModel::countsChanged, this, &OccupancyPanel::refresh);
        connect(&model.results(), &Results::changed, this, &OccupancyPanel::refresh);
        refresh();
        on(this, page, {QEvent::Resize}, [this, page] {
            const bool compact = page->height() < kRoomyPage * typeScale();
            if (std::exchange(m_compact, compact) != compact) refresh();
        });
    }

private:
    void refresh() {
        const gpu::Variant* variant = m_model.request().currentVariant();
        const auto full = variant == nullptr ? std::nullopt : m_model.occupancy(variant->id);
        for (QWidget* widget :
             {static_cast<QWidget*>(m_bar), static_cast<QWidget*>(m_sentence), static_cast<QWidget*>(m_modelled)})
            widget->setVisible(full.has_value());
        setAccessibleName(tr("Occupancy"));
        m_facts->setVisible(!full || !m_compact);
        m_origin->setVisible(full && !m_compact);
        if (!full) {
            m_figure->setText(tr("not known"));
            m_facts->setText(
                tr("Only the compiler for a GPU reports registers per thread; the CPU device has none, and no recorded "
                   "launch fits this task."));
            return setAccessibleDescription(m_facts->text());
        }
        const gpu::Occupancy& occupancy = full->occupancy;
        m_figure->setText(tr("%1 of %2 warps, %3")
                              .arg(occupancy.warps)
                              .arg(occupancy.mostWarps)
                              .arg(format::percent(occupancy.share())));
        m_figure->setToolTip(
            tr("Theoretical occupancy: warps resident on a multiprocessor (SM), of the most that fit."));
        m_bar->setOccupancy(occupancy, variant->idea);
        m_sentence->setText(QString::fromStdString(gpu::occupancySentence(occupancy)));
        const QString shared = full->needs.sharedBytes > 0
                                   ? tr("%1 of shared memory").arg(format::bytes(full->needs.sharedBytes))
                                   : tr("no shared memory");
        QStringList facts{tr("%1 registers per thread, %2 threads and %3 per block")
                              .arg(full->needs.registers)
                              .arg(format::integer(full->needs.threads), shared)};
        if (const auto local = full->needs.localBytes.value_or(0); local > 0)
            facts << tr("%1 of local memory per thread: spills and indexed arrays").arg(format::bytes(local));
        if (full->kernels > 1) facts << tr("the largest of %1 launches").arg(full->kernels);
        facts << (full->date.isEmpty()   ? full->device
                  : full->size.isEmpty() ? tr("%1, recorded %2").arg(full->device, full->date)
                                         : tr("%1, recorded %2 with %3: a block takes the same at every size")
                                               .arg(full->device, full->date, full->size));
        if (full->reported > 0) facts << tr("the CUDA runtime says %1").arg(format::percent(full->reported));
        m_facts->setText(facts.join(QStringLiteral("; ")));
        setToolTip(tr("%1 (reported)").arg(m_facts->text()));
        setAccessibleDescription(m_figure->text() + QStringLiteral("; ") + m_sentence->text());
    }

    WhyModel& m_model;
    QLabel *m_figure = made(new QLabel(this), {.id = "occupancy-figure", .look = "caption"}),
           *m_sentence = made(new QLabel(this), {.id = "occupancy-sentence", .look = "caption", .wraps = true}),
           *m_facts = made(new QLabel(this), {.id = "occupancy-facts", .look = "hint", .wraps = true});
    OriginMark *m_modelled = new OriginMark(Origin::modelled, this), *m_origin = new OriginMark(Origin::reported, this);
    OccupancyBar* m_bar = new OccupancyBar(this);
    bool m_compact = false;
};

/// The roofline of all counted variants under a title that says whose ceilings they are; hidden while nothing is
/// counted.
class RooflinePanel : public QWidget {
public:
    RooflinePanel(WhyModel& model, QWidget* parent) : QWidget(parent), m_model(model) {
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kTitleHeight, tr("Roofline"), 5);
        auto* points = made(new QLabel(tr("  points"), head), {.look = "caption"});
        m_note->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        fill(row, {{m_note, 1}, m_origin, points, new OriginMark(Origin::modelled, head)});
        makeColumn(this, {}, 0, {head, {m_chart, 1}});
        connect(&model, &WhyModel::countsChanged, this, &RooflinePanel::refresh);
        connect(&model, &WhyModel::busyChanged, this, &RooflinePanel::refresh);
        refresh();
    }

private:
    void refresh() {
        std::vector<RooflineChart::Point> points;
        QString from;
        for (const WhyModel::Rate& rate : m_model.rates()) {
            points.push_back({QString::fromStdString(rate.variant->id), rate.variant->idea, rate.operationsPerByte,
                              rate.tflops, rate.variant->id == m_model.request().current(),
                              rate.variant == m_model.comparedVariant(), rate.from});
            if (!rate.from.isEmpty()) from = rate.from;
        }
        const auto ceilings = m_model.ceilings();
        setVisible(!points.empty());
        const QString of =
            ceilings ? tr("ceilings of %1").arg(QString::fromStdString(ceilings->device)) : tr("ceilings not known");
        m_note->setFullText(from.isEmpty() ? of : tr("%1; points of %2").arg(of, from));
        m_origin->setVisible(ceilings.has_value());
        if (ceilings) m_origin->setOrigin(ceilings->origin);
        m_chart->setPoints(std::move(points), ceilings);
    }

    WhyModel& m_model;
    RooflineChart* m_chart = made(new RooflineChart(this), {.id = "roofline"});
    ElidedLabel* m_note = made(new ElidedLabel(this), {.look = "caption"});
    OriginMark* m_origin = new OriginMark(Origin::recorded, this);
};

}  // namespace

QWidget* makeOccupancyPanel(WhyModel& model, QWidget* page) { return new OccupancyPanel(model, page); }

QWidget* makeRooflinePanel(WhyModel& model, QWidget* parent) { return new RooflinePanel(model, parent); }

}  // namespace warplens::gui
