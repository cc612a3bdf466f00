// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/ladder.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/model/occupancy.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/table.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace warplens::gpu {

namespace {

constexpr double kSectorBytes = 32;

double each(std::int64_t sum, std::int64_t count) {
    return count > 0 ? static_cast<double>(sum) / static_cast<double>(count) : 0;
}

std::string whole(double value) { return withCommas(std::llround(value)); }
std::string bytes(double value) { return byteSize(std::llround(value)); }
std::string fraction(double value) { return fmt::format("{:.2f}", value); }
std::string share(double value) { return percent(value); }

/// The counted run of a variant: the one that was named alone, else the first.
const RunRecord* countedOf(const Report& report, const std::string& variant) {
    const RunRecord* found = nullptr;
    for (const ReportRun& run : report.runs) {
        const RunRecord& record = run.record;
        if (record.variant != variant || !record.counters) continue;
        if (record.chosen.empty()) return &record;
        if (found == nullptr) found = &record;
    }
    return found;
}

std::string line(const char* name, const std::string& text) { return fmt::format("    {:<38} {}\n", name, text); }

/// Recorded launches of a report's task, and from which of them something was told.
struct Launches {
    std::vector<RecordedSource> sources;
    std::vector<const RecordedSource*> told{};
};

/// The modelled occupancy of the recorded launch of this very run; empty where none is.
std::string occupancyText(Launches& launches, const RunRecord& record) {
    for (const RecordedSource& source : launches.sources) {
        const RunRecord* run = source.run(record);
        const auto needs = run != nullptr && run->launch ? needsOf(*run->launch) : std::nullopt;
        const auto occupancy = needs ? occupancyOf(*needs, source.report().device) : std::nullopt;
        if (!occupancy) continue;
        std::string text =
            line("occupancy (m)", percent(occupancy->share()) +
                                      fmt::format(", {} registers per thread and {} of shared memory per block (R)",
                                                  needs->registers, byteSize(needs->sharedBytes))) +
            "      " + occupancySentence(*occupancy) + "\n";
        if (needs->localBytes.value_or(0) > 0)
            text += line("local memory per thread (R)", byteSize(*needs->localBytes) + " (spills and indexed arrays)");
        if (std::ranges::find(launches.told, &source) == launches.told.end()) launches.told.push_back(&source);
        return text;
    }
    return {};
}

std::string rung(const Report& report, const ReportRun& run, Launches& launches) {
    const RunRecord& record = run.record;
    const Variant* variant = record.yours ? nullptr : &variantOf(familyOf(report.family), record.variant);
    std::string text = variant == nullptr
                           ? record.id() + " (yours)\n"
                           : fmt::format("{} \u2013 {}: {}\n", record.id(), variant->title, variant->sentence);
    if (!record.counters) return text + fmt::format("    {}: {}\n", nameOf(record.status), record.reason);
    const Counters& counters = *record.counters;
    if (record.status == Status::ok && !record.reason.empty()) text += "    " + record.reason + "\n";
    const RunRecord* before = variant == nullptr ? nullptr : countedOf(report, variant->predecessor);
    if (before == nullptr) {
        for (const CounterMetric& figure : countedFigures()) {
            if (const double value = figure.value(counters); value != 0)
                text += line(figure.name, figure.format(value));
        }
    } else {
        text += "  against " + before->id() + ":\n";
        const auto moved = movedFigures(*before->counters, counters);
        for (const auto& [figure, old, now] : moved) {
            std::string change = figure->format(old) + " \u2192 " + figure->format(now);
            if (old != 0 && now != 0) change += fmt::format("  ({:+.0f} %)", 100 * (now / old - 1));
            text += line(figure->name, change);
        }
        if (moved.empty()) text += "    no count changed by 1 % or more\n";
    }
    text += occupancyText(launches, record);
    for (const TraceFinding& finding : counters.findings)
        text += fmt::format("    FOUND {}: {}\n", finding.check, finding.message);
    return text;
}

}  // namespace

const std::vector<CounterMetric>& countedFigures() {
    using C = const Counters&;
    static const std::vector<CounterMetric> figures{
        {"thread blocks",
         [](C c) {
             std::int64_t blocks = 0;
             for (const KernelCounters& kernel : c.kernels) blocks += kernel.blocks;
             return static_cast<double>(blocks);
         },
         &whole},
        {"global load requests", [](C c) { return static_cast<double>(c.globalLoad.requests); }, &whole},
        {"  sectors per load request", [](C c) { return each(c.globalLoad.sectors, c.globalLoad.requests); },
         &fraction},
        {"  bytes loaded in sectors", [](C c) { return kSectorBytes * static_cast<double>(c.globalLoad.sectors); },
         &bytes},
        {"  global load efficiency",
         [](C c) { return each(c.globalLoad.usefulBytes, c.globalLoad.sectors) / kSectorBytes; }, &share},
        {"texture requests", [](C c) { return static_cast<double>(c.texture.requests); }, &whole},
        {"  sectors per texture request", [](C c) { return each(c.texture.sectors, c.texture.requests); }, &fraction},
        {"  bytes fetched in sectors", [](C c) { return kSectorBytes * static_cast<double>(c.texture.sectors); },
         &bytes},
        {"loads per input value", [](C c) { return c.inputReuse; }, &fraction},
        {"global store requests", [](C c) { return static_cast<double>(c.globalStore.requests); }, &whole},
        {"  sectors per store request", [](C c) { return each(c.globalStore.sectors, c.globalStore.requests); },
         &fraction},
        {"shared load requests", [](C c) { return static_cast<double>(c.sharedLoad.requests); }, &whole},
        {"  wavefronts per shared load", [](C c) { return each(c.sharedLoad.wavefronts, c.sharedLoad.requests); },
         &fraction},
        {"shared store requests", [](C c) { return static_cast<double>(c.sharedStore.requests); }, &whole},
        {"  wavefronts per shared store", [](C c) { return each(c.sharedStore.wavefronts, c.sharedStore.requests); },
         &fraction},
        {"constant requests", [](C c) { return static_cast<double>(c.constant.requests); }, &whole},
        {"  words per constant request", [](C c) { return each(c.constant.words, c.constant.requests); }, &fraction},
        {"global atomic requests", [](C c) { return static_cast<double>(c.globalAtomics.requests); }, &whole},
        {"  lanes per global address, mean", [](C c) { return each(c.globalAtomics.lanes, c.globalAtomics.words); },
         &fraction},
        {"  lanes per global address, most", [](C c) { return static_cast<double>(c.globalAtomics.worst); }, &whole},
        {"shared atomic requests", [](C c) { return static_cast<double>(c.sharedAtomics.requests); }, &whole},
        {"  lanes per shared address, mean", [](C c) { return each(c.sharedAtomics.lanes, c.sharedAtomics.words); },
         &fraction},
        {"  lanes per shared address, most", [](C c) { return static_cast<double>(c.sharedAtomics.worst); }, &whole},
        {"atomics per block and address, most", [](C c) { return static_cast<double>(c.blockContention); }, &whole},
        {"annotated races", [](C c) { return static_cast<double>(c.annotatedRaces); }, &whole},
        {"barriers", [](C c) { return static_cast<double>(c.barriers); }, &whole},
        {"floating-point operations", [](C c) { return c.flops; }, &whole},
        {"  of them by atomics", [](C c) { return c.atomicFlops; }, &whole},
        {"operations of matrix products", [](C c) { return c.matrixOperations; }, &whole},
        {"operations per byte loaded", [](C c) { return c.operationsPerByte; }, &fraction},
        {"active threads per warp", [](C c) { return c.activeLanes; }, &fraction},
        {"divergent branches", [](C c) { return static_cast<double>(c.divergentBranches); }, &whole},
    };
    return figures;
}

std::vector<MetricChange> movedFigures(const Counters& before, const Counters& after) {
    std::vector<MetricChange> moved;
    for (const CounterMetric& figure : countedFigures()) {
        const double old = figure.value(before), now = figure.value(after);
        const double larger = std::max(std::fabs(old), std::fabs(now));
        if (std::fabs(now - old) >= 0.01 * larger && larger > 0) moved.push_back({&figure, old, now});
    }
    return moved;
}

std::string ladderText(const Report& report, const RecordedRuns* recorded) {
    Launches launches{.sources = recorded == nullptr ? std::vector<RecordedSource>()
                                                     : recorded->of(RecordedTask(report), RecordedFigure::launch)};
    std::string text =
        fmt::format("{} ({}, {}), {}: {}; numbers counted by the trace (C)\n", report.input.name,
                    extents(report.input.shape), report.input.type, report.family, parameterSummary(report));
    double least = 1;
    for (const ReportRun& run : report.runs) {
        if (run.record.kind == Variant::Kind::library) continue;
        text += "\n" + rung(report, run, launches);
        if (run.record.counters) least = std::min(least, run.record.counters->tracedShare);
    }
    text += least < 1
                ? fmt::format(
                      "\nCounts are scaled from a sample of blocks, corners and edges included: {} of them at least.\n",
                      percent(least))
                : "\nEvery block was traced.\n";
    std::string from;
    bool otherSize = false;
    for (const RecordedSource* source : launches.told) {
        from += (from.empty() ? "" : "; ") + source->label();
        otherSize = otherSize || !source->sameSize();
    }
    if (!from.empty())
        text += "Occupancy is modelled (m) from launches recorded on " + from +
                (otherSize ? ": a block of this launch takes the same at every size.\n" : ".\n");
    return text + "Counts tell what a kernel requests, not how long it takes: they name no winner.\n";
}

}  // namespace warplens::gpu
