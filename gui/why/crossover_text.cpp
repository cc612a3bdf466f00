// SPDX-License-Identifier: Apache-2.0
#include "gui/why/crossover_text.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/theme/format.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace warplens::gui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Crossover", text); }

gpu::Idea ideaOf(const gpu::Family& family, const std::string& id) {
    const auto found = std::ranges::find(family.variants(), gpu::variantIn(id), &gpu::Variant::id);
    return found == family.variants().end() ? gpu::Idea::plain : found->idea;
}

using AxisKind = gpu::SweepAxis::Kind;

/// How the medians of two rows relate, as "1.24×".
QString factor(const gpu::SweepWinner& winner) { return format::ratio(winner.ratio); }

QString timeText(const gpu::Timing& time) { return tr("%1 ms").arg(format::milliseconds(time.medianMs)); }

/// "block width", "radius, pixels".
QString axisTitle(const gpu::SweepAxis& axis, const gpu::Family& family) {
    if (axis.kind == AxisKind::size) return tr("size of the picture, pixels");
    if (axis.kind == AxisKind::type) return tr("type of the values");
    QString title = QString::fromStdString(axis.id).replace(u'_', u' ');
    const auto parameter = std::ranges::find(family.parameters(), axis.id, &gpu::Parameter::id);
    if (axis.kind == AxisKind::parameter && parameter != family.parameters().end() && parameter->unit == "px")
        title += tr(", pixels");
    return title;
}

QString valueText(const gpu::SweepAxis& axis, const std::string& value) {
    if (axis.kind == AxisKind::size) {
        const auto [width, height] = gpu::parseSize(axis.id, value);
        return format::extent(width, height);
    }
    bool whole = false;
    const QString text = QString::fromStdString(value);
    const qlonglong number = text.toLongLong(&whole);
    return whole ? format::integer(number) : text;
}

/// Why nobody who counts could run here; empty: somebody did.
QString refusalOf(const gpu::SweepCell& cell, const CrossoverModel& model) {
    QString why;
    for (const gpu::SweepRow& row : cell.rows) {
        if (!(model.shown().empty() ? model.competes(row.id) : row.id == model.shown())) continue;
        if (row.status == gpu::Status::ok) return {};
        if (why.isEmpty())
            why = tr("%1: %2: %3")
                      .arg(QString::fromStdString(row.id), QString::fromUtf8(gpu::nameOf(row.status)),
                           QString::fromStdString(row.reason));
    }
    return why;
}

/// The time of the variant shown, beside the fastest one of the same work.
void fillTime(CrossoverChart::Cell& shown, const gpu::SweepCell& cell, const CrossoverModel& model) {
    const auto row = std::ranges::find(cell.rows, model.shown(), &gpu::SweepRow::id);
    const auto best = model.best(cell);
    if (row == cell.rows.end() || !row->time || !best) {
        shown.name = tr("verified");
        shown.spoken = tr("verified; no time of a GPU");
        return;
    }
    double slowest = 0, fastest = 0;
    for (const gpu::SweepCell& other : model.current()->sweep.cells) {
        const auto found = std::ranges::find(other.rows, model.shown(), &gpu::SweepRow::id);
        if (found == other.rows.end() || !found->time) continue;
        slowest = std::max(slowest, found->time->medianMs);
        fastest = fastest <= 0 ? found->time->medianMs : std::min(fastest, found->time->medianMs);
    }
    const double ms = row->time->medianMs;
    shown.share = slowest > fastest ? (slowest - ms) / (slowest - fastest) : 1;
    shown.figure = timeText(*row->time);
    const double ratio = best->row->time->medianMs > 0 ? ms / best->row->time->medianMs : 1;
    if (best->cell == &cell)
        shown.name = tr("fastest");
    else if (gpu::judge(*best->row->time, *row->time) == gpu::Verdict::same)
        shown.name = tr("same as the fastest");
    else
        shown.name = format::ratio(ratio);
    shown.spoken = tr("%1, %2").arg(shown.figure, shown.name);
}

CrossoverChart::Cell chartCell(const gpu::SweepCell* cell, const CrossoverModel& model, const gpu::Family& family) {
    CrossoverChart::Cell shown;
    if (cell == nullptr) {
        shown.name = shown.spoken = tr("not measured");
        return shown;
    }
    const bool gpuTimes = model.current()->sweep.device.ranks();
    const auto winner = gpuTimes ? model.winner(*cell) : std::nullopt;
    const auto name = [](const gpu::SweepRow* row) { return QString::fromStdString(row->id); };
    if (const QString why = refusalOf(*cell, model); !why.isEmpty()) {
        shown.name = tr("refused");
        shown.detail = why;
        shown.spoken = tr("refused: %1").arg(why);
    } else if (!model.shown().empty()) {
        fillTime(shown, *cell, model);
    } else if (!winner) {
        shown.name = gpuTimes ? tr("no time") : tr("no winner");
        shown.spoken = gpuTimes ? tr("none of those that compete has a time") : tr("no winner: times of a CPU");
    } else if (winner->verdict == gpu::Verdict::same) {
        shown.same = {ideaOf(family, winner->fastest->id)};
        QStringList names{name(winner->fastest)};
        for (const gpu::SweepRow* row : winner->same) {
            shown.same.push_back(ideaOf(family, row->id));
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
        shown.idea = ideaOf(family, winner->fastest->id);
        shown.name = name(winner->fastest);
        if (winner->next == nullptr) {
            shown.figure = timeText(*winner->fastest->time);
            shown.spoken = tr("%1 alone has a time").arg(shown.name);
        } else {
            shown.figure = factor(*winner);
            shown.detail = tr("%1, ahead of %2").arg(timeText(*winner->fastest->time), name(winner->next));
            shown.spoken = tr("%1 is fastest, %2 ahead of %3").arg(shown.name, shown.figure, name(winner->next));
        }
    }
    if (!shown.figure.isEmpty()) shown.origin = model.current()->origin;
    shown.spoken = cellTitle(*cell, model.current()->sweep) + QStringLiteral(": ") + shown.spoken;
    return shown;
}

}  // namespace

QString axisName(const gpu::SweepAxis& axis) {
    return axis.kind == AxisKind::size   ? tr("size of the picture")
           : axis.kind == AxisKind::type ? tr("type of the values")
                                         : QString::fromStdString(axis.id).replace(u'_', u' ');
}

QString cellTitle(const gpu::SweepCell& cell, const gpu::Sweep& sweep) {
    QStringList parts;
    for (std::size_t i = 0; i < sweep.axes.size(); ++i) {
        const QString value = valueText(sweep.axes[i], cell.at[i]);
        const bool itself = sweep.axes[i].kind == AxisKind::size || sweep.axes[i].kind == AxisKind::type;
        parts << (itself ? value : axisName(sweep.axes[i]) + u' ' + value);
    }
    // Launch after launch over a picture that fits the cache measures the cache.
    const bool cached = std::ranges::any_of(cell.rows, [](const gpu::SweepRow& row) {
        return row.time && row.time->clock == gpu::Clock::device && row.time->warmL2;
    });
    if (cached) parts << tr("warm L2");
    return parts.join(QStringLiteral(", "));
}

bool showsCurve(const CrossoverModel& model) {
    const CrossoverModel::Entry* entry = model.current();
    return entry != nullptr && entry->sweep.axes.size() == 1 && entry->sweep.device.ranks();
}

CrossoverChart::Map crossoverMap(const CrossoverModel& model, const gpu::Family& family) {
    CrossoverChart::Map map;
    const CrossoverModel::Entry* entry = model.current();
    if (entry == nullptr) return map;
    const gpu::Sweep& sweep = entry->sweep;
    map.rowTitle = axisTitle(sweep.axes[0], family);
    for (const std::string& value : sweep.axes[0].values) map.rows << valueText(sweep.axes[0], value);
    if (sweep.axes.size() > 1) {
        map.columnTitle = axisTitle(sweep.axes[1], family);
        for (const std::string& value : sweep.axes[1].values) map.columns << valueText(sweep.axes[1], value);
    } else {
        map.columns << format::extent(sweep.sizes.front()[0], sweep.sizes.front()[1]);
    }
    for (int row = 0; row < map.rows.size(); ++row)
        for (int column = 0; column < map.columns.size(); ++column)
            map.cells.push_back(
                chartCell(model.cell(static_cast<std::size_t>(row), static_cast<std::size_t>(column)), model, family));
    return map;
}

SweepCurve::Curves sweepCurves(const CrossoverModel& model, const gpu::Family& family) {
    SweepCurve::Curves curves;
    if (!showsCurve(model)) return curves;
    const gpu::Sweep& sweep = model.current()->sweep;
    curves.title = axisTitle(sweep.axes[0], family);
    curves.origin = model.current()->origin;
    for (std::size_t i = 0; i < sweep.axes[0].values.size(); ++i) {
        const gpu::SweepCell* cell = sweep.cell(i);
        curves.values << valueText(sweep.axes[0], sweep.axes[0].values[i]);
        curves.spoken << chartCell(cell, model, family).spoken;
        curves.refused.push_back(cell != nullptr && std::ranges::any_of(cell->rows, [](const gpu::SweepRow& row) {
                                     return row.status != gpu::Status::ok;
                                 }));
    }
    for (const std::string& id : sweep.variants) {
        if (!(model.shown().empty() ? model.competes(id) : id == model.shown())) continue;
        SweepCurve::Curve curve{.name = QString::fromStdString(id), .idea = ideaOf(family, id), .points = {}};
        for (std::size_t i = 0; i < sweep.axes[0].values.size(); ++i) {
            const gpu::SweepCell* cell = sweep.cell(i);
            std::optional<SweepCurve::Point> point;
            if (cell != nullptr) {
                const auto row = std::ranges::find(cell->rows, id, &gpu::SweepRow::id);
                if (row != cell->rows.end() && row->time)
                    point = SweepCurve::Point{row->time->medianMs, row->time->lowMs, row->time->highMs};
            }
            curve.points.push_back(point);
        }
        curves.curves.push_back(std::move(curve));
    }
    return curves;
}

QString bestText(const gpu::SweepCell& cell, const CrossoverModel& model) {
    const auto best = model.best(cell);
    if (!best) return {};
    return tr("Best: %1, %2")
        .arg(QString::fromStdString(gpu::runAt(model.current()->sweep, *best->cell, best->row->id)),
             timeText(*best->row->time));
}

QString crossoverHint(const CrossoverModel& model) {
    const CrossoverModel::Entry* entry = model.current();
    if (const QString refusal = model.refusal(); !refusal.isEmpty()) return refusal;
    if (entry == nullptr)
        return tr(
            "There is no sweep of a GPU. Sweep measures one on the present device; a CPU's times name no winner.");
    const gpu::Sweep& sweep = entry->sweep;
    if (!sweep.device.ranks())
        return tr(
            "Measured on the SIMT device, where a kernel runs on a CPU with the meaning of CUDA: these times are no "
            "times of a GPU, "
            "so that no winner is named.");
    QString origin = entry->origin == Origin::recorded ? tr("Recorded on %1, %2.") : tr("Measured on %1, %2.");
    origin = origin.arg(QString::fromStdString(sweep.device.name), format::date(sweep.environment.date));
    if (showsCurve(model)) return origin + tr(" A curve is a variant; a bar in a box at the foot: some were refused.");
    if (!model.shown().empty())
        return origin + tr(" Times of %1; below the name of a cell stands how many times the fastest one's it is.")
                            .arg(QString::fromStdString(model.shown()));
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
