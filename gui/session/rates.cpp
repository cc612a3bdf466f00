// SPDX-License-Identifier: Apache-2.0
#include "gui/session/rates.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/session/samples.hpp"

#include <algorithm>
#include <bit>
#include <tuple>

namespace warplens::gui {

namespace {

QString sizeName(std::int64_t bytes) {
    const auto size = static_cast<std::uint64_t>(bytes);
    if (!std::has_single_bit(size)) return format::bytes(bytes);
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString power;
    for (const QChar digit : QString::number(std::countr_zero(size))) power += digits[digit.digitValue()];
    return QStringLiteral("2%1 bytes").arg(power);
}

/// "NVIDIA H200" is an H200 to everybody.
QString deviceName(const gpu::Report& report) {
    return QString::fromStdString(report.device.name).remove(QStringLiteral("NVIDIA "));
}

bool together(const gpu::Report& a, const gpu::Report& b) {
    return a.device.name == b.device.name && a.input.bytes == b.input.bytes && a.input.type == b.input.type &&
           a.parameters == b.parameters && a.environment.date.substr(0, 10) == b.environment.date.substr(0, 10);
}

/// By what is written of them: a mask that is none is a picture here and an empty text in a report.
bool sameValues(const gpu::ParameterValues& a, const gpu::ParameterValues& b) {
    return std::ranges::equal(a, b, [](const auto& one, const auto& other) {
        return one.first == other.first && gpu::format(one.second) == gpu::format(other.second);
    });
}

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

QString inputKind(const gpu::Report& run) {
    const QString name = QString::fromStdString(run.input.name);
    return name.startsWith(QStringLiteral("gen:")) ? name.section(':', 1, 1) : name.section('/', -1).section('.', 0, 0);
}

const gpu::RecordedRuns& recordedRuns() {
    static const gpu::RecordedRuns runs = gpu::loadRecorded(resourceFolder(QStringLiteral("recorded")).toStdString());
    return runs;
}

const std::vector<gpu::StoredSweep>& recordedSweeps() {
    static const std::vector<gpu::StoredSweep> sweeps = [] {
        std::vector<std::string> problems;  // a test looks at what is shipped
        return gpu::loadSweeps(resourceFolder(QStringLiteral("recorded")).toStdString(), problems);
    }();
    return sweeps;
}

std::optional<RateTable> recordedRates(const gpu::RecordedRuns& runs, const std::string& family,
                                       const gpu::ParameterValues& parameters, std::size_t columns) {
    const gpu::Family& declared = gpu::familyOf(family);
    const auto complete = [&](const gpu::ParameterValues& values) {
        gpu::ParameterValues all;
        for (const gpu::Parameter& p : declared.parameters())
            all[p.id] = gpu::valueOf(declared.parameters(), values, p.id);
        return all;
    };
    const auto newestOf = [&](const gpu::ParameterValues& values) {
        const gpu::Report* newest = nullptr;
        for (const gpu::Report& report : runs.reports)
            if (report.family == family && sameValues(complete(report.parameters), values) &&
                (newest == nullptr || report.environment.date.substr(0, 10) > newest->environment.date.substr(0, 10)))
                newest = &report;
        return newest;
    };
    const gpu::Report* first = newestOf(complete(parameters));
    if (first == nullptr) first = newestOf(complete({}));
    if (first == nullptr) return std::nullopt;

    RateTable table;
    table.device = deviceName(*first);
    table.size = sizeName(first->input.bytes);
    table.date = format::date(first->environment.date);
    table.limit = first->work.traffic == gpu::Traffic::read    ? QStringLiteral("read-only")
                  : first->work.traffic == gpu::Traffic::write ? QStringLiteral("write-only")
                                                               : QStringLiteral("copy");
    for (const gpu::Variant& variant : declared.variants())
        if (!gpu::onlyByName(variant)) table.rows.push_back({&variant, {}});
    for (const gpu::Report& report : runs.reports) {
        if (report.family != family || !together(report, *first) || table.columns.size() == static_cast<int>(columns))
            continue;
        table.columns << inputKind(report);
        if (report.limits) {
            const double limit = gpu::limitOf(*report.limits, report.work.traffic);
            if (limit > 0) table.limitGbs = std::max(limit, table.limitGbs.value_or(0));
        }
        for (RateTable::Row& row : table.rows) {
            const auto run = std::ranges::find_if(
                report.runs, [&](const gpu::ReportRun& r) { return r.record.id() == row.variant->id; });
            const bool shown = run != report.runs.end() && run->record.time &&
                               run->record.time->clock == gpu::Clock::device &&
                               stateOf(run->record) == ResultState::verified;
            row.gbs.push_back(shown ? run->record.bandwidthGbs : std::nullopt);
        }
    }
    std::erase_if(table.rows, [](const RateTable::Row& row) {
        return std::ranges::none_of(row.gbs, [](const auto& rate) { return rate.has_value(); });
    });
    std::ranges::stable_sort(table.rows, [](const RateTable::Row& a, const RateTable::Row& b) {
        return a.gbs.front().value_or(0) > b.gbs.front().value_or(0);
    });
    return table;
}

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
