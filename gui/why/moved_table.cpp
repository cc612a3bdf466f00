// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/ladder.hpp"
#include "gui/kit/panel.hpp"
#include "gui/kit/table.hpp"
#include "gui/why/why_panels.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

/// "÷ 17.5", "× 1.16", "new", "gone" or nothing.
QString changeText(double before, double now) {
    if (before == now) return {};
    if (before == 0) return QObject::tr("new");
    if (now == 0) return QObject::tr("gone");
    return now < before ? QStringLiteral("÷ ") + format::significant(before / now)
                        : QStringLiteral("× ") + format::significant(now / before);
}

class MovedTable : public QWidget {
public:
    explicit MovedTable(WhyModel& model, QWidget* parent = nullptr) : QWidget(parent), m_model(model) {
        setLook(this, "dock");
        auto* head = new QWidget(this);
        QHBoxLayout* row = titleRow(head, kTitleHeight, tr("What changed in the counts"));
        fill(row, {spring(), m_detail, new OriginMark(Origin::counted, head)});
        makeFigureTable(m_table, 4);
        makeColumn(this, {}, 0, {head, {m_table, 1}});
        connect(&model, &WhyModel::countsChanged, this, &MovedTable::refresh);
        refresh();
        on(this, {QEvent::Resize}, [this] { fitHeads(); });
        on(this, {QEvent::PaletteChange}, [this] { refresh(); });
    }

private:
    void refresh() {
        const gpu::Variant* variant = m_model.request().currentVariant();
        m_table->setRowCount(0);
        const gpu::Counters* now = variant == nullptr ? nullptr : m_model.counters(variant->id);
        const gpu::Variant* other = m_model.comparedVariant();
        const gpu::Counters* before = other == nullptr ? nullptr : m_model.counters(other->id);
        m_detail->setText(now == nullptr ? tr("not counted") : tr("all"));
        m_table->horizontalHeader()->setSectionResizeMode(0, QHeaderView::Stretch);
        for (int column = 1; column < 4; ++column)
            m_table->horizontalHeader()->setSectionResizeMode(column, QHeaderView::ResizeToContents);
        if (now == nullptr) return fitHeads();
        const auto text = [](const gpu::CounterMetric& figure, double value) {
            return QString::fromStdString(figure.format(value));
        };
        if (before != nullptr) {
            const auto timeNow = m_model.time(variant->id), timeBefore = m_model.time(other->id);
            if (timeNow && timeBefore && timeNow->origin == timeBefore->origin)
                addRow(tr("kernel time, ms"), format::milliseconds(timeBefore->time.medianMs),
                       format::milliseconds(timeNow->time.medianMs),
                       gpu::judge(timeNow->time, timeBefore->time) == gpu::Verdict::same
                           ? tr("same")
                           : changeText(timeBefore->time.medianMs, timeNow->time.medianMs),
                       timeNow->origin);
            for (const gpu::MetricChange& moved : gpu::movedFigures(*before, *now))
                addRow(QString::fromUtf8(moved.figure->name).replace(QStringLiteral("  "), QStringLiteral("    ")),
                       text(*moved.figure, moved.before), text(*moved.figure, moved.after),
                       changeText(moved.before, moved.after));
        } else {
            if (const auto time = m_model.time(variant->id))
                addRow(tr("kernel time, ms"), {}, format::milliseconds(time->time.medianMs), {}, time->origin);
            for (const gpu::CounterMetric& figure : gpu::countedFigures())
                if (const double value = figure.value(*now); value != 0)
                    addRow(QString::fromUtf8(figure.name).replace(QStringLiteral("  "), QStringLiteral("    ")), {},
                           text(figure, value), {});
        }
        fitHeads();
    }

    /// Heads with all their words, or those that have room beside the rows.
    void fitHeads() {
        const gpu::Variant* variant = m_model.request().currentVariant();
        const gpu::Variant* other = m_model.comparedVariant();
        const gpu::Variant* before = other != nullptr && m_model.counters(other->id) != nullptr ? other : nullptr;
        const auto head = [this](int column, const QString& text, const gpu::Variant* of, bool named) {
            auto* item = new QTableWidgetItem(named ? text : QString());
            if (of != nullptr) item->setIcon(ideaIcon(of->idea));
            if (of != nullptr) item->setToolTip(text);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            m_table->setHorizontalHeaderItem(column, item);
        };
        const auto fill = [&](bool wordy, bool named) {
            head(0, wordy ? tr("per picture") : tr("count"), nullptr, true);
            head(1, before == nullptr ? QString() : QString::fromStdString(before->id), before, named);
            head(2, variant == nullptr ? QString() : QString::fromStdString(variant->id), variant, named);
            head(3, before == nullptr ? QString() : tr("change"), nullptr, true);
            const auto* items = static_cast<const QAbstractItemView*>(m_table);
            int wide = 0;
            for (int column = 0; column < 4; ++column)
                wide +=
                    std::max(items->sizeHintForColumn(column), m_table->horizontalHeader()->sectionSizeHint(column));
            return wide <= m_table->viewport()->width();
        };
        // What a row counts must be readable; a variant has its mark, and its name in full in the ladder.
        if (!fill(true, true) && !fill(true, false)) fill(false, false);
    }

    void addRow(const QString& name, const QString& before, const QString& now, const QString& change,
                std::optional<Origin> origin = {}) {
        const int at = m_table->rowCount();
        m_table->insertRow(at);
        int column = 0;
        for (const QString& text : {name, before, now, change}) {
            auto* item = new QTableWidgetItem(text);
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            if (column == 2) {
                QFont bold = item->font();
                bold.setBold(true);
                item->setFont(bold);
            }
            if (origin && column == 0) {
                item->setIcon(originIcon(*origin));
                item->setToolTip(originExplanation(*origin));
            }
            m_table->setItem(at, column++, item);
        }
    }

    WhyModel& m_model;
    QLabel* m_detail = made(new QLabel(this), {.look = "caption"});
    QTableWidget* m_table =
        made(new QTableWidget(this), {.id = "moved-counts", .name = tr("What changed in the counts")});
};

}  // namespace

QWidget* makeMovedTable(WhyModel& model, QWidget* parent) { return new MovedTable(model, parent); }

}  // namespace warplens::gui
