// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/timeline.hpp"

#include "gpu/report/figures.hpp"
#include "gpu/report/stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr const char* kKernel = "kernel";

using Json = nlohmann::ordered_json;
using Times = std::vector<std::pair<double, double>>;

/// When any worker of the stage works, without overlaps, in order.
Times unionOf(const Timeline& timeline, std::size_t stage) {
    Times all, joined;
    for (const Timeline::Span& span : timeline.spans)
        if (span.stage == stage) all.emplace_back(span.begin, span.end);
    std::ranges::sort(all);
    for (const auto& [begin, end] : all) {
        if (joined.empty() || begin > joined.back().second)
            joined.emplace_back(begin, end);
        else
            joined.back().second = std::max(joined.back().second, end);
    }
    return joined;
}

double lengthOf(const Times& times) {
    double sum = 0;
    for (const auto& [begin, end] : times) sum += end - begin;
    return sum;
}

/// How long both are at work.
double common(const Times& a, const Times& b) {
    double sum = 0;
    for (auto i = a.begin(), j = b.begin(); i != a.end() && j != b.end();) {
        sum += std::max(0.0, std::min(i->second, j->second) - std::max(i->first, j->first));
        if (i->second < j->second)
            ++i;
        else
            ++j;
    }
    return sum;
}

Json event(const char* phase, int track, const std::string& name) {
    return {{"ph", phase}, {"pid", 1}, {"tid", track}, {"name", name}};
}

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

/// Tracks in the order in which they are to stand.
class Trace {
public:
    explicit Trace(const Timeline& timeline) : m_timeline(timeline) {
        Json process = event("M", 0, "process_name");
        process["args"]["name"] = "Warplens";
        m_events.push_back(process);
    }

    int track(const std::string& name) {
        const int number = ++m_tracks;
        Json named = event("M", number, "thread_name"), sorted = event("M", number, "thread_sort_index");
        named["args"]["name"] = name;
        sorted["args"]["sort_index"] = number;
        m_events.push_back(named);
        m_events.push_back(sorted);
        return number;
    }

    void add(int track, const std::string& category, std::size_t item, double begin, double end, const char* origin) {
        Json made = event("X", track, m_timeline.items[item]);
        made["cat"] = category;
        made["ts"] = static_cast<double>(nanoseconds(begin)) / 1e3;
        made["dur"] = static_cast<double>(nanoseconds(end) - nanoseconds(begin)) / 1e3;
        made["args"] = {{"picture", item + 1}, {"origin", origin}};
        m_events.push_back(std::move(made));
    }

    Json take() { return std::move(m_events); }

private:
    const Timeline& m_timeline;
    Json m_events = Json::array();
    int m_tracks = 0;
};

}  // namespace

Timeline makeTimeline(const PipelineRun& run, const std::vector<PipelineStage>& stages,
                      std::vector<std::string> names) {
    const auto since = [&](PipelineClock::time_point time) {
        return std::chrono::duration<double>(time - run.begin).count();
    };
    Timeline timeline{.items = std::move(names), .seconds = since(run.end)};
    for (const PipelineStage& stage : stages) timeline.stages.push_back({stage.name, std::max(1, stage.workers)});
    for (const WorkInterval& work : run.intervals)
        timeline.spans.push_back({work.item, work.stage, work.worker, since(work.begin), since(work.end)});
    return timeline;
}

void addParts(Timeline& timeline, std::size_t item, const RunRecord& run, double begin, double end, bool toTheEnd) {
    const Stages stages = stagesOf(run, {});
    const double samples = run.time ? run.time->samples : 1;
    const bool repeated = samples > 1;
    const std::pair<const char*, double> parts[] = {{"upload", stages.upload.value_or(0)},
                                                    {"planar layout", stages.layout.value_or(0)},
                                                    {kKernel, stages.kernel.value_or(0) * samples},
                                                    {"download", stages.download.value_or(0)}};
    double sum = 0;
    for (const auto& [name, ms] : parts) sum += ms * 1e-3;
    double at = toTheEnd ? std::max(begin, end - sum) : begin;
    for (const auto& [name, ms] : parts) {
        const double until = std::min(at + ms * 1e-3, end);
        if (until > at) timeline.parts.push_back({item, name, at, until, repeated && name == kKernel});
        at = std::max(at, until);
    }
}

std::vector<StageShare> stageShares(const Timeline& timeline) {
    std::vector<StageShare> shares;
    for (const Timeline::Stage& stage : timeline.stages)
        shares.push_back({.name = stage.name, .workers = stage.workers});
    for (const Timeline::Span& span : timeline.spans) shares[span.stage].busySeconds += span.end - span.begin;
    for (StageShare& stage : shares)
        if (timeline.seconds > 0) stage.share = stage.busySeconds / (stage.workers * timeline.seconds);
    const std::size_t critical = criticalOf(shares);
    const Times hiding = unionOf(timeline, critical);
    for (std::size_t i = 0; i < shares.size(); ++i) {
        const Times own = unionOf(timeline, i);
        shares[i].exposedSeconds = i == critical ? 0 : std::max(0.0, lengthOf(own) - common(own, hiding));
    }
    return shares;
}

std::size_t criticalOf(const std::vector<StageShare>& shares) {
    const auto most = std::ranges::max_element(shares, {}, &StageShare::share);
    return static_cast<std::size_t>(most - shares.begin());
}

std::string summaryOf(const Timeline& timeline, std::size_t done) {
    const auto shares = stageShares(timeline);
    const StageShare& critical = shares[criticalOf(shares)];
    const double rate = timeline.seconds > 0 ? static_cast<double>(done) / timeline.seconds : 0;
    std::string text = threeDigits(rate) + " pictures per second (measured): " + std::to_string(done) + " in " +
                       threeDigits(timeline.seconds) + " s; critical stage: " + critical.name + ", " +
                       std::to_string(critical.workers) + (critical.workers == 1 ? " worker" : " workers") + ", busy " +
                       percent(critical.share) + " of the time";
    std::string exposed;
    for (const StageShare& stage : shares)
        if (&stage != &critical)
            exposed += (exposed.empty() ? "; exposed: " : ", ") + stage.name + " " +
                       threeDigits(stage.exposedSeconds * 1e3) + " ms";
    return text + exposed;
}

std::string toChromeTrace(const Timeline& timeline, std::size_t done) {
    Trace trace(timeline);
    for (std::size_t stage = 0; stage < timeline.stages.size(); ++stage) {
        const auto& [name, workers] = timeline.stages[stage];
        for (int worker = 0; worker < workers; ++worker) {
            const int track = trace.track(workers == 1 ? name : name + " " + std::to_string(worker + 1));
            for (const Timeline::Span& span : timeline.spans)
                if (span.stage == stage && span.worker == worker)
                    trace.add(track, name, span.item, span.begin, span.end, "measured");
        }
    }
    for (const char* name : {"upload", "planar layout", kKernel, "download"}) {
        if (std::ranges::find(timeline.parts, name, &Timeline::Part::name) == timeline.parts.end()) continue;
        const int track = trace.track(std::string("compute: ") + name);
        for (const Timeline::Part& part : timeline.parts)
            if (part.name == name)
                trace.add(track, name, part.item, part.begin, part.end,
                          part.modelled ? "modelled: the median times the number of samples"
                                        : "duration measured, place by its order");
    }
    Json stages = Json::array();
    const auto shares = stageShares(timeline);
    for (const StageShare& stage : shares)
        stages.push_back({{"name", stage.name},
                          {"workers", stage.workers},
                          {"busy_seconds", stage.busySeconds},
                          {"busy_share", stage.share},
                          {"exposed_seconds", stage.exposedSeconds}});
    const Json document{
        {"displayTimeUnit", "ms"},
        {"otherData",
         {{"origin", "measured, host's steady clock"},
          {"pictures", done},
          {"seconds", timeline.seconds},
          {"pictures_per_second", timeline.seconds > 0 ? static_cast<double>(done) / timeline.seconds : 0},
          {"critical_stage", shares[criticalOf(shares)].name},
          {"stages", stages}}},
        {"traceEvents", trace.take()}};
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace warplens::gpu
