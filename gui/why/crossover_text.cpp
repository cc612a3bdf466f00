// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_text.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Crossover", text); }

gpu::Idea ideaOf(const gpu::Family& family, const gpu::SweepRow& row) {
    const auto found = std::ranges::find(family.variants(), gpu::variantIn(row.id), &gpu::Variant::id);
    return found == family.variants().end() ? gpu::Idea::plain : found->idea;
}

/// How the medians of two rows relate, as "1.24×".
QString factor(const gpu::SweepWinner& winner) { return format::ratio(winner.ratio); }

CrossoverChart::Cell chartCell(const gpu::SweepCell* cell, const CrossoverModel& model, const gpu::Family& family,
                               bool gpuTimes) {
    CrossoverChart::Cell shown;
    if (cell == nullptr)
        return {.idea = {},
                .same = {},
                .name = tr("not measured"),
                .figure = {},
                .detail = {},
                .spoken = tr("not measured")};
    const auto winner = gpuTimes ? model.winner(*cell) : std::nullopt;
    const auto name = [](const gpu::SweepRow* row) { return QString::fromStdString(row->id); };
    if (!winner) {
        shown.name = gpuTimes ? tr("no time") : tr("no winner");
        shown.spoken = gpuTimes ? tr("none of those that compete has a time") : tr("no winner: times of a CPU");
    } else if (winner->verdict == gpu::Verdict::same) {
        shown.same = {ideaOf(family, *winner->fastest)};
        QStringList names{name(winner->fastest)};
        for (const gpu::SweepRow* row : winner->same) {
            shown.same.push_back(ideaOf(family, *row));
            names << name(row);
        }
        shown.name = tr("same");
        shown.figure = factor(*winner);
        shown.detail = names.join(QStringLiteral(", "));
        shown.spoken = tr("the same within their intervals: %1").arg(shown.detail);
    } else if (winner->verdict == gpu::Verdict::undecided) {
        shown.name = tr("undecided");
        shown.spoken = tr("undecided: too few timings, or below the clock's resolution");
    } else {
        shown.idea = ideaOf(family, *winner->fastest);
        shown.name = name(winner->fastest);
        if (winner->next == nullptr) {
            shown.spoken = tr("%1 alone has a time").arg(shown.name);
        } else {
            shown.figure = factor(*winner);
            shown.detail = tr("ahead of %1").arg(name(winner->next));
            shown.spoken = tr("%1 is fastest, %2 ahead of %3").arg(shown.name, shown.figure, name(winner->next));
        }
    }
    shown.spoken = cellTitle(*cell, model.current()->sweep.parameter) + QStringLiteral(": ") + shown.spoken;
    return shown;
}

}  // namespace

QString cellTitle(const gpu::SweepCell& cell, const std::string& parameter) {
    const QString title = tr("%1 %2, %3")
                              .arg(QString::fromStdString(parameter))
                              .arg(cell.value)
                              .arg(format::extent(cell.width, cell.height));
    // Launch after launch over a picture that fits the cache measures the cache.
    const bool cached = std::ranges::any_of(cell.rows, [](const gpu::SweepRow& row) {
        return row.time && row.time->clock == gpu::Clock::device && row.time->warmL2;
    });
    return cached ? tr("%1, warm L2").arg(title) : title;
}

CrossoverChart::Map crossoverMap(const CrossoverModel& model, const gpu::Family& family) {
    CrossoverChart::Map map;
    const CrossoverModel::Entry* entry = model.current();
    if (entry == nullptr) return map;
    const gpu::Sweep& sweep = entry->sweep;
    map.rowTitle = QString::fromStdString(sweep.parameter) + tr(", pixels");
    map.columnTitle = tr("size of the picture, pixels");
    for (const std::int64_t value : sweep.values) map.rows << format::integer(value);
    for (const auto& [width, height] : sweep.sizes) map.columns << format::extent(width, height);
    for (std::size_t row = 0; row < sweep.values.size(); ++row)
        for (std::size_t column = 0; column < sweep.sizes.size(); ++column)
            map.cells.push_back(chartCell(model.cell(row, column), model, family, sweep.device.ranks()));
    return map;
}

QString crossoverHint(const CrossoverModel& model) {
    const CrossoverModel::Entry* entry = model.current();
    if (const QString refusal = model.refusal(); !refusal.isEmpty()) return refusal;
    if (entry == nullptr)
        return tr(
            "No map of a GPU is at hand. Sweep measures one on the present device; a CPU's times name no winner.");
    const gpu::Sweep& sweep = entry->sweep;
    if (!sweep.device.ranks())
        return tr(
            "Measured on the SIMT device, where a kernel runs on a CPU with the meaning of CUDA: these times are no "
            "times of a GPU, "
            "so that no winner is named.");
    QString origin = entry->origin == Origin::recorded ? tr("Recorded on %1, %2.") : tr("Measured on %1, %2.");
    origin = origin.arg(QString::fromStdString(sweep.device.name), format::date(sweep.environment.date));
    return origin + tr(" A cell names the fastest variant and how many times as long the runner-up takes; same: their "
                       "95 % intervals overlap.");
}

std::vector<CellTime> cellTimes(const gpu::SweepCell& cell, const CrossoverModel& model) {
    std::vector<const gpu::SweepRow*> rows;
    for (const gpu::SweepRow& row : cell.rows) rows.push_back(&row);
    const bool ranked = model.current()->sweep.device.ranks();
    std::ranges::stable_sort(rows, [ranked](const gpu::SweepRow* a, const gpu::SweepRow* b) {
        if (a->time.has_value() != b->time.has_value()) return a->time.has_value();
        return ranked && a->time && a->time->medianMs < b->time->medianMs;
    });
    std::vector<CellTime> times;
    for (const gpu::SweepRow* row : rows) {
        CellTime time{.variant = QString::fromStdString(row->id), .median = {}, .interval = {}, .reason = {}};
        time.counts = row->time && model.competes(row->id);
        if (row->time) {
            time.median = format::milliseconds(row->time->medianMs);
            if (row->time->samples > 1)
                time.interval = QStringLiteral("%1–%2").arg(format::milliseconds(row->time->lowMs),
                                                            format::milliseconds(row->time->highMs));
            if (!model.competes(row->id)) time.reason = tr("left out below");
        } else {
            time.median = QString::fromUtf8(gpu::nameOf(row->status));
            time.reason = QString::fromStdString(row->reason);
        }
        times.push_back(std::move(time));
    }
    return times;
}

}  // namespace warplens::gui
