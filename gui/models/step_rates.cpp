// SPDX-License-Identifier: Apache-2.0
#include "gui/models/step_rates.hpp"

#include "gpu/core/evolution.hpp"
#include "gui/theme/format.hpp"
#include "gui/theme/glyphs.hpp"

#include <algorithm>
#include <tuple>

namespace warplens::gui {

namespace {

constexpr double kBytesPerCell = 8;  // one f32 read, one written

/// "512³ f32", "512 × 512 × 64 f32".
QString sizeText(const gpu::InputFacts& input) {
    const io::Shape& s = input.shape;
    const QString type = QString::fromStdString(input.type);
    if (s.width == s.height && s.height == s.depth) return QStringLiteral("%1³ %2").arg(format::integer(s.width), type);
    QString text = format::extent(s.width, s.height);
    if (s.depth > 1) text += QStringLiteral(" × ") + format::integer(s.depth);
    return text + ' ' + type;
}

}  // namespace

std::optional<double> copySweep(const std::optional<gpu::Limits>& limits) {
    if (!limits || limits->copyGbs <= 0) return std::nullopt;
    return limits->copyGbs / kBytesPerCell;
}

std::optional<StepRates> recordedStepRates(const gpu::RecordedRuns& runs, const gpu::Family& family,
                                           const gpu::ParameterValues& values) {
    const auto kindOf = [&](const gpu::ParameterValues& of) {
        return gpu::valueOf(family.parameters(), of, family.parameters().front().id);
    };
    const auto rank = [&](const gpu::Report& r) {
        return std::tuple(kindOf(r.parameters) == kindOf(values), r.environment.date.substr(0, 10),
                          r.input.shape.pixels());
    };
    const gpu::Report* best = nullptr;
    for (const gpu::Report& report : runs.reports)
        if (report.family == family.id() && report.device.ranks() &&
            gpu::integerOf(family.parameters(), report.parameters, "iterations") > 0 &&
            (best == nullptr || rank(report) > rank(*best)))
            best = &report;
    if (best == nullptr) return std::nullopt;

    StepRates rates;
    rates.device = QString::fromStdString(best->device.name).remove(QStringLiteral("NVIDIA "));
    rates.size = sizeText(best->input);
    rates.date = format::date(best->environment.date);
    rates.copyGcells = copySweep(best->limits);
    const auto asked = gpu::integerOf(family.parameters(), best->parameters, "iterations");
    const auto cells = static_cast<double>(best->input.shape.pixels()) * best->input.shape.channels;
    for (const gpu::Variant& variant : family.variants()) {
        const auto run =
            std::ranges::find_if(best->runs, [&](const gpu::ReportRun& r) { return r.record.id() == variant.id; });
        if (run == best->runs.end() || !run->record.time || run->record.time->clock != gpu::Clock::device ||
            stateOf(run->record) != ResultState::verified || run->record.time->medianMs <= 0)
            continue;
        const auto evolution = gpu::evolutionOf(run->record.result.tables);
        const auto steps = static_cast<double>(evolution ? evolution->iterations : asked);
        if (steps <= 0) continue;
        const double ms = run->record.time->medianMs / steps;
        rates.rows.push_back({&variant, ms, cells / ms * 1e-6});
    }
    if (rates.rows.empty()) return std::nullopt;
    std::ranges::stable_sort(rates.rows, std::greater(), &StepRates::Row::gcells);
    return rates;
}

}  // namespace warplens::gui
