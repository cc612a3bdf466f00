// SPDX-License-Identifier: Apache-2.0
#include "gpu/history/earlier.hpp"

#include "gpu/report/figures.hpp"

#include <algorithm>
#include <functional>

namespace warplens::gpu::history {

namespace {

/// Less is the weather.
constexpr double kLeast = 1.05;

bool clearlySlower(const Timing& now, const Timing& then) {
    const double spreads = (now.q3Ms - now.q1Ms) + (then.q3Ms - then.q1Ms);
    return judge(now, then) == Verdict::slower && now.medianMs - then.medianMs > spreads &&
           now.medianMs > kLeast * then.medianMs;
}

/// The times of a GPU alone: those of the CPU device and of libraries on the host depend on what else the host does.
/// Slabs are timed one by one, and several devices take less time than one.
bool sameRun(const RunRecord& a, const RunRecord& b) {
    const auto devices = [](const RunRecord& run) { return run.slabs ? run.slabs->devices.size() : 0; };
    return a.id() == b.id() && a.tunables == b.tunables && a.time && b.time && a.time->clock == Clock::device &&
           devices(a) == devices(b);
}

}  // namespace

std::vector<Slower> slowerThanBefore(const Report& now, const std::vector<Report>& earlier) {
    std::vector<Slower> slower;
    for (const ReportRun& run : now.runs) {
        Slower found;
        for (const Report& report : earlier) {
            for (const ReportRun& before : report.runs) {
                const RunRecord& then = before.record;
                if (!sameRun(run.record, then) || !clearlySlower(*run.record.time, *then.time)) continue;
                if (!found.run.empty() && found.thenMs <= then.time->medianMs) continue;
                found = {run.record.id(), run.record.time->medianMs, then.time->medianMs, report.environment.date};
            }
        }
        if (!found.run.empty()) slower.push_back(found);
    }
    std::ranges::sort(slower, std::greater(), [](const Slower& one) { return one.nowMs / one.thenMs; });
    return slower;
}

std::string sentenceOf(const std::vector<Slower>& slower) {
    if (slower.empty()) return "";
    const Slower& most = slower.front();
    std::string text = "Slower than on " + most.date.substr(0, 10) + ": " + most.run + " " + threeDigits(most.nowMs) +
                       " ms now, " + threeDigits(most.thenMs) +
                       " ms then (recorded; same picture, parameters, device and driver)";
    if (const std::size_t more = slower.size() - 1; more > 0)
        text += more == 1 ? "; so is 1 more run" : "; so are " + std::to_string(more) + " more runs";
    return text + ".";
}

}  // namespace warplens::gpu::history
