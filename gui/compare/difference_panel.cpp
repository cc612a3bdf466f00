// SPDX-License-Identifier: Apache-2.0
#include "gui/compare/difference_panel.hpp"

#include "gui/kit/panel.hpp"

#include <QClipboard>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHeaderView>
#include <QTableWidget>
#include <limits>

namespace warplens::gui {

namespace {

constexpr int kColumnWidth = 68;
enum Row { Largest, Mean, Rmse, Psnr, Mismatching, First, Worst, kRows };

QString placeText(const PixelPlace& place, bool volume) {
    QString text = format::integer(place.x) + QStringLiteral(", ") + format::integer(place.y);
    if (volume) text += QStringLiteral(", ") + format::integer(place.z);
    return text;
}

QString textOf(const DifferenceFigures& figures, int row, bool volume) {
    if (figures.pixels == 0) return QStringLiteral("–");
    switch (row) {
        case Largest: return figureText(figures.maximum);
        case Mean: return figureText(figures.mean);
        case Rmse: return figureText(figures.rmse);
        case Psnr: return figureText(figures.psnr.value_or(std::numeric_limits<double>::infinity()));
        case Mismatching: return format::integer(figures.mismatching);
        case Worst: return figures.worst ? placeText(*figures.worst, volume) : DifferencePanel::tr("none");
        case First: return figures.first ? placeText(*figures.first, volume) : DifferencePanel::tr("none");
        default: return {};
    }
}

/// Of the absolute difference the figures are those of the metric, of others only what no metric changes.
std::optional<double> earlyOf(const ServedDifference& served, int row, Metric metric) {
    if (row == Rmse) return served.rmse;
    if (row == Psnr) return served.psnr;
    if (metric != Metric::absolute || (row != Largest && row != Mean)) return std::nullopt;
    return row == Largest ? served.largest : served.mean;
}

}  // namespace

DifferencePanel::DifferencePanel(DifferenceModel& model, QWidget* parent)
    : QWidget(parent),
      m_model(model),
      m_metric(made(
          new QComboBox(this),
          {.id = "difference-metric",
           .name = tr("Metric of the difference"),
           .tip = tr("Relative: to the larger magnitude of the two. ULP: representable values between the two.")})),
      m_against(made(new QComboBox(this), {.id = "difference-against", .name = tr("What is subtracted")})),
      m_region(made(new QComboBox(this),
                    {.id = "difference-region",
                     .name = tr("Pixels shown in the difference"),
                     .tip = tr("Border pixels: the filter reaches over the edge. Tile seams: the outermost outputs "
                               "of each block's tile.")})),
      m_table(made(new QTableWidget(kRows, static_cast<int>(kRegions.size()), this),
                   {.id = "difference-figures", .name = tr("Figures of the difference")})) {
    setLook(this, "dock");
    setMinimumWidth(kLeastWidth);
    setMaximumWidth(kWidth);
    auto* copy = made(new QToolButton(this), {.id = "copy-difference",
                                              .look = "flat",
                                              .name = tr("Copy the figures of the difference"),
                                              .focus = true,
                                              .text = tr("Copy"),
                                              .does = [this] { QGuiApplication::clipboard()->setText(text()); }});
    for (const Metric metric : kMetrics) m_metric->addItem(nameOf(metric));
    for (const Region region : kRegions) m_region->addItem(nameOf(region));
    m_metric->setCurrentIndex(static_cast<int>(model.metric()));
    auto* form = new QFormLayout;
    form->setContentsMargins(0, 0, 0, 0);
    form->setVerticalSpacing(4);
    form->addRow(tr("Metric"), m_metric);
    form->addRow(tr("Against"), m_against);
    form->addRow(tr("Show"), m_region);

    m_table->setHorizontalHeaderLabels({tr("All"), tr("Border"), tr("Seams"), tr("Inside"), tr("Slabs")});
    m_table->setVerticalHeaderLabels({tr("Largest"), tr("Mean"), tr("RMSE"), tr("PSNR dB"), tr("Pixels differ"),
                                      tr("First at x, y"), tr("Largest at")});
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    m_table->setTabKeyNavigation(false);
    m_table->setShowGrid(false);
    m_table->setCornerButtonEnabled(false);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->verticalHeader()->setDefaultSectionSize(kRowHeight);
    m_table->verticalHeader()->setMinimumSectionSize(kRowHeight);
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    m_table->horizontalHeader()->setDefaultSectionSize(kColumnWidth);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    m_table->horizontalHeader()->setFixedHeight(kRowHeight);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_table->setFixedHeight(kRowHeight * (kRows + 1) + 4);
    const auto choose = [this](int row, int column) {
        if (m_model.difference() == nullptr) return;
        const DifferenceFigures& figures = m_model.difference()->figures[static_cast<std::size_t>(column)];
        const auto& place = row == First ? figures.first : figures.worst;
        if ((row == First || row == Worst) && place) emit placeChosen(*place);
    };
    connect(m_table, &QTableWidget::cellClicked, this, choose);
    connect(m_table, &QTableWidget::cellActivated, this, choose);

    auto* title = made(new QLabel(tr("Difference"), this), {.look = "title"});
    makeColumn(this, {kDockMargin, kGap, kDockMargin, kGap}, kGap,
               {makeRow(nullptr, {}, -1, {title, new OriginMark(Origin::measured, this), spring(), copy}), form,
                m_table, spring()});

    connect(m_metric, &QComboBox::currentIndexChanged, this,
            [this](int i) { m_model.setMetric(kMetrics[static_cast<std::size_t>(i)]); });
    connect(m_region, &QComboBox::currentIndexChanged, this,
            [this](int i) { m_model.setRegion(kRegions[static_cast<std::size_t>(i)]); });
    connect(m_against, &QComboBox::currentIndexChanged, this, &DifferencePanel::operandChanged);
    connect(&model, &DifferenceModel::changed, this, &DifferencePanel::refresh);
    setOperands({}, {});
    refresh();
}

void DifferencePanel::setOperands(const QString& baseline, const QString& reference) {
    const QStringList names{tr("baseline %1").arg(baseline), tr("reference %1").arg(reference), tr("double reference")};
    const QSignalBlocker quiet(m_against);
    while (m_against->count() < names.size()) m_against->addItem({});
    for (int i = 0; i < names.size(); ++i) m_against->setItemText(i, names[i]);
}

int DifferencePanel::operand() const { return m_against->currentIndex(); }

void DifferencePanel::nextMetric() { m_metric->setCurrentIndex((m_metric->currentIndex() + 1) % m_metric->count()); }

void DifferencePanel::refresh() {
    const Difference* difference = m_model.difference();
    const bool volume = difference != nullptr && difference->picture->shape().depth > 1;
    for (int column = 0; column < m_table->columnCount(); ++column)
        for (int row = 0; row < kRows; ++row) {
            QTableWidgetItem* item = m_table->item(row, column);
            if (item == nullptr) m_table->setItem(row, column, item = new QTableWidgetItem);
            item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
            if (difference == nullptr) {
                const ServedDifference* served = column == 0 ? m_model.served() : nullptr;
                const auto early = served == nullptr ? std::nullopt : earlyOf(*served, row, m_model.metric());
                item->setText(early ? figureText(*early) : QStringLiteral("–"));
                item->setToolTip(early ? served->by : QString());
                continue;
            }
            const DifferenceFigures& figures = difference->figures[static_cast<std::size_t>(column)];
            item->setText(textOf(figures, row, volume));
            QString tip;
            if (row == Mismatching && figures.pixels > 0)
                tip = tr("%1 of %2 pixels").arg(format::integer(figures.mismatching), format::integer(figures.pixels));
            if ((row == First && figures.first) || (row == Worst && figures.worst))
                tip = tr("Click or Enter: go there");
            if (row == Psnr) tip = tr("Peak %1").arg(format::value(difference->peak));
            item->setToolTip(tip);
        }
    const RegionShape& shape = m_model.regions();
    m_table->setColumnHidden(static_cast<int>(Region::slabs), shape.slabSlices == 0);
    QTableWidgetItem* differ = m_table->verticalHeaderItem(Mismatching);
    differ->setText(m_model.againstExact() ? tr("Not nearest") : tr("Pixels differ"));
    differ->setToolTip(m_model.againstExact()
                           ? tr("Pixels with a value that is not the one of its type nearest to the double reference.")
                           : QString());
    m_table->horizontalHeaderItem(3)->setToolTip(tr("Neither border nor seams."));
    m_table->horizontalHeaderItem(4)->setToolTip(
        tr("The first and last slices of slabs of %1 slices, where two meet.").arg(shape.slabSlices));
    m_table->horizontalHeaderItem(1)->setToolTip(
        tr("%1 × %2 pixels from the edge: the filter reaches over it.").arg(shape.haloX).arg(shape.haloY));
    m_table->horizontalHeaderItem(2)->setToolTip(
        shape.tileWidth > 0
            ? tr("The outermost outputs where tiles of %1 × %2 meet.").arg(shape.tileWidth).arg(shape.tileHeight)
            : tr("No tiles are known of this variant."));
}

QString DifferencePanel::text() const {
    QStringList heads{QString()};
    for (int column = 0; column < m_table->columnCount(); ++column)
        if (!m_table->isColumnHidden(column)) heads << m_table->horizontalHeaderItem(column)->text();
    QStringList lines{heads.join('\t')};
    for (int row = 0; row < kRows; ++row) {
        QStringList cells{m_table->verticalHeaderItem(row)->text()};
        for (int column = 0; column < m_table->columnCount(); ++column)
            if (!m_table->isColumnHidden(column)) cells << m_table->item(row, column)->text();
        lines << cells.join('\t');
    }
    return lines.join('\n') + '\n';
}

}  // namespace warplens::gui
