// SPDX-License-Identifier: Apache-2.0
// The part of RunTableModel that says more than a cell: a row's tooltip, how far the numbers can be trusted.
#include "gpu/core/evolution.hpp"
#include "gpu/run/limit.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/session/run_table_model.hpp"

#include <algorithm>

namespace warplens::gui {

namespace {

const QString kNothing = QStringLiteral("–");
constexpr double kAboveLimit = 100.5;  // percent; what would read 100 is none

/// Which limit a share is of.
QString ofWhat(const gpu::RunRecord& record, const gpu::Limits& limits, gpu::Traffic traffic) {
    const std::string_view limit = gpu::limitOfShare(record, limits, traffic);
    if (limit.empty()) return {};
    return limit == gpu::kFmaLimit
               ? RunTableModel::tr(" of the arithmetic limit (FMA rate)")
               : RunTableModel::tr(" of the memory limit (%1 speed)").arg(QString::fromUtf8(gpu::nameOf(traffic)));
}

}  // namespace

QString RunTableModel::tooltip(const Row& row) const {
    QStringList lines{QString::fromStdString(row.variant->id + ": " + row.variant->sentence)};
    if (!row.record) return (lines << tr("Not run with these parameters")).join('\n');
    if (const QString why = reason(row); !why.isEmpty()) lines << why;
    const gpu::RunRecord& record = *row.record;
    for (int column = gpu::RunColumn::median; column < gpu::RunColumn::check; ++column) {
        const QString value = text(row, column).toString();
        if (column == gpu::RunColumn::recorded || !applies(column) || value == kNothing) continue;
        lines << headerData(column, Qt::Horizontal).toString() + QStringLiteral(": ") + value;
        if (column == gpu::RunColumn::ofLimit && m_limits) lines.last() += ofWhat(record, *m_limits, m_work.traffic);
    }
    if (timeOf(row) != nullptr)
        lines << tr("clock %1, n = %2%3")
                     .arg(QString::fromUtf8(gpu::nameOf(record.time->clock)))
                     .arg(record.time->samples)
                     .arg(record.time->warmL2 ? tr(", warm L2") : QString());
    if (record.launch && record.launch->block[0] > 0)
        lines << tr("block %1 × %2, grid %3 × %4")
                     .arg(record.launch->block[0])
                     .arg(record.launch->block[1])
                     .arg(record.launch->grid[0])
                     .arg(record.launch->grid[1]);
    if (record.verification) {
        lines << tr("%1 of the values checked, error at most %2, bound %3")
                     .arg(format::percent(record.verification->checkedShare),
                          QString::number(record.verification->maxAbsError, 'g', 3),
                          QString::number(record.verification->bound, 'g', 3));
        if (!record.verification->note.empty()) lines << QString::fromStdString(record.verification->note);
    }
    if (const auto evolution = gpu::evolutionOf(record.result.tables); evolution && !evolution->residuals.empty())
        lines << (evolution->stopped == "tolerance" ? tr("stopped at the tolerance after %1 steps, %2 %3")
                                                    : tr("all %1 steps taken, %2 in the last %3"))
                     .arg(format::integer(evolution->iterations),
                          evolution->measure == gpu::ConvergenceHistory::Measure::residual ? tr("residual")
                                                                                           : tr("largest change"),
                          QString::number(evolution->residuals.back().value, 'g', 3));
    return lines.join('\n');
}

QString RunTableModel::trust() const {
    int least = 0, most = 0, above = 0;
    double spread = 0;
    bool warm = false;
    for (const Row& row : m_rows) {
        const gpu::Timing* t = timeOf(row);
        if (t == nullptr || row.variant->kind != gpu::Variant::Kind::kernel) continue;
        least = least == 0 ? t->samples : std::min(least, t->samples);
        most = std::max(most, t->samples);
        warm = warm || t->warmL2;
        if (m_ranking && row.record->percentOfLimit.value_or(0) > kAboveLimit) ++above;
        if (t->samples > 2 && t->medianMs > 0) spread = std::max(spread, (t->q3Ms - t->q1Ms) / t->medianMs);
    }
    if (most == 0) return {};
    QStringList parts;
    if (spread > 0) parts << tr("spread ≤ %1").arg(format::percent(spread));
    if (m_ranking && m_clocks && m_clocks->smMhzMax > 0) {
        const QString highest = format::integer(m_clocks->smMhzMax);
        parts << (m_clocks->smMhzMin == m_clocks->smMhzMax
                      ? tr("clock steady at %1 MHz").arg(highest)
                      : tr("clock %1 to %2 MHz").arg(format::integer(m_clocks->smMhzMin), highest))
              << (m_clocks->throttled ? tr("throttled: %1").arg(QString::fromStdString(m_clocks->reason))
                                      : tr("no throttling"));
    }
    if (m_ranking) parts << (warm ? tr("warm L2") : tr("L2 cold"));
    if (above > 0) parts << tr("%1 above the limit").arg(above);
    parts << (least == most ? tr("n = %1").arg(least) : tr("n = %1 to %2").arg(least).arg(most));
    return parts.join(QStringLiteral(", "));
}

}  // namespace warplens::gui
