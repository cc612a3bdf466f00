// SPDX-License-Identifier: Apache-2.0
#include "gui/session/rates.hpp"

#include "gpu/core/evolution.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/glyphs.hpp"
#include "gui/session/samples.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
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

/// The recorded time of a row as it stands in the ladder: chosen by its name alone, right, and a GPU's.
const gpu::RunRecord* ladderRun(const gpu::RecordedSource& source, const gpu::Variant& variant) {
    for (const gpu::ReportRun& run : source.report().runs) {
        const gpu::RunRecord& record = run.record;
        if (record.id() == variant.id && !record.choice && record.time && record.time->clock == gpu::Clock::device &&
            record.time->medianMs > 0 && stateOf(record) == ResultState::verified)
            return &record;
    }
    return nullptr;
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
    static std::mutex mutex;
    static std::map<QString, gpu::RecordedRuns> kept;  // by folder: WARPLENS_RESOURCES may come to name another
    const QString folder = resourceFolder(QStringLiteral("recorded"));
    const std::lock_guard lock(mutex);
    const auto found = kept.find(folder);
    return found != kept.end() ? found->second
                               : kept.emplace(folder, gpu::loadRecorded(folder.toStdString())).first->second;
}

const std::vector<gpu::StoredSweep>& recordedSweeps() {
    static const std::vector<gpu::StoredSweep> sweeps = [] {
        std::vector<std::string> problems;  // a test looks at what is shipped
        return gpu::loadSweeps(resourceFolder(QStringLiteral("recorded")).toStdString(), problems);
    }();
    return sweeps;
}

std::optional<RateTable> recordedRates(const gpu::RecordedRuns& runs, const gpu::Family& declared,
                                       const gpu::RecordedTask& task, std::size_t columns) {
    // The newest, and what was recorded with it: other values of the same size.
    const auto sources = runs.of(task, gpu::RecordedFigure::table);
    if (sources.empty()) return std::nullopt;
    const auto newest = std::ranges::max_element(
        sources, {}, [](const gpu::RecordedSource& source) { return source.report().environment.date.substr(0, 10); });
    const gpu::Report* first = &newest->report();

    RateTable table;
    table.device = deviceName(*first);
    table.size = sizeName(first->input.bytes);
    table.date = format::date(first->environment.date);
    table.limit = first->work.traffic == gpu::Traffic::read    ? QStringLiteral("read-only")
                  : first->work.traffic == gpu::Traffic::write ? QStringLiteral("write-only")
                                                               : QStringLiteral("copy");
    for (const gpu::Variant& variant : declared.variants())
        if (!gpu::isExplicitOnly(variant)) table.rows.push_back({&variant, {}});
    for (const gpu::RecordedSource& source : sources) {
        const gpu::Report& report = source.report();
        if (!together(report, *first) || table.columns.size() == static_cast<int>(columns)) continue;
        table.columns << inputKind(report);
        if (report.limits) {
            const double limit = gpu::limitOf(*report.limits, report.work.traffic);
            if (limit > 0) table.limitGbs = std::max(limit, table.limitGbs.value_or(0));
        }
        for (RateTable::Row& row : table.rows) {
            const gpu::RunRecord* run = ladderRun(source, *row.variant);
            row.gbs.push_back(run != nullptr ? run->bandwidthGbs : std::nullopt);
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
                                           const gpu::RecordedTask& task) {
    const gpu::Parameter* iterations = gpu::findRole(family.parameters(), gpu::Parameter::Role::iterations);
    if (iterations == nullptr) return std::nullopt;
    const auto stepsOf = [&](const gpu::Report& report) {
        return gpu::integerOf(family.parameters(), report.parameters, iterations->id);
    };
    const auto rank = [](const gpu::Report& r) {
        return std::tuple(r.environment.date.substr(0, 10), r.input.shape.pixels());
    };
    std::optional<gpu::RecordedSource> source;
    for (const gpu::RecordedSource& one : runs.of(task.apartFrom(iterations->id), gpu::RecordedFigure::table))
        if (one.report().device.ranks() && stepsOf(one.report()) > 0 &&
            (!source || rank(one.report()) > rank(source->report())))
            source = one;
    if (!source) return std::nullopt;
    const gpu::Report* best = &source->report();

    StepRates rates;
    rates.device = QString::fromStdString(best->device.name).remove(QStringLiteral("NVIDIA "));
    rates.size = sizeText(best->input);
    rates.date = format::date(best->environment.date);
    rates.copyGcells = copySweep(best->limits);
    rates.steps = stepsOf(*best);
    const auto cells = static_cast<double>(best->input.shape.pixels()) * best->input.shape.channels;
    for (const gpu::Variant& variant : family.variants()) {
        const gpu::RunRecord* run = ladderRun(*source, variant);
        if (run == nullptr) continue;
        const auto evolution = gpu::evolutionOf(run->result.tables);
        const auto steps = static_cast<double>(evolution ? evolution->iterations : rates.steps);
        if (steps <= 0) continue;
        const double ms = run->time->medianMs / steps;
        rates.rows.push_back({&variant, ms, cells / ms * 1e-6});
    }
    if (rates.rows.empty()) return std::nullopt;
    std::ranges::stable_sort(rates.rows, std::greater(), &StepRates::Row::gcells);
    return rates;
}

}  // namespace warplens::gui
