// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/timeline.hpp"

#include "gpu/report/figures.hpp"
#include "gpu/report/stages.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <numeric>
#include <string_view>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr std::string_view kKernel = "kernel";
constexpr std::string_view kParts[] = {"upload", "planar layout", kKernel, "download"};

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

/// "; shared: cuda:0 31, cuda:1 29 pictures": how many went through each device, whose workers may be several. Empty
/// where all devices have one name.
std::string sharesOf(const Timeline& timeline) {
    std::string text;
    for (std::size_t stage = 0; stage < timeline.stages.size(); ++stage) {
        const auto& places = timeline.stages[stage].places;
        std::vector<std::string> devices;
        for (const std::string& place : places)
            if (std::ranges::find(devices, place) == devices.end()) devices.push_back(place);
        if (devices.size() < 2) continue;
        for (const std::string& device : devices) {
            const auto its = [&](const Timeline::Span& span) {
                const auto worker = static_cast<std::size_t>(span.worker);
                return span.stage == stage && worker < places.size() && places[worker] == device;
            };
            text += (text.empty() ? "; shared: " : ", ") + device + " " +
                    std::to_string(std::ranges::count_if(timeline.spans, its));
        }
    }
    return text.empty() ? text : text + " pictures";
}

}  // namespace

std::string Timeline::Stage::nameOf(int worker) const {
    if (workers == 1) return name;
    const auto at = static_cast<std::size_t>(worker);
    return name + " " + std::to_string(worker + 1) + (at < places.size() ? ", " + places[at] : "");
}

Timeline makeTimeline(const PipelineRun& run, const std::vector<PipelineStage>& stages,
                      const std::vector<TimelineItem>& items) {
    const auto since = [&](PipelineClock::time_point time) {
        return std::chrono::duration<double>(time - run.begin).count();
    };
    Timeline timeline{.seconds = since(run.end)};
    for (const PipelineStage& stage : stages)
        timeline.stages.push_back({stage.name, std::max(1, stage.workers), stage.places});
    for (const WorkInterval& work : run.intervals)
        timeline.spans.push_back({work.item, work.stage, work.worker, since(work.begin), since(work.end)});
    for (const TimelineItem& item : items) {
        for (const TimedRun& timed : item.runs) {
            if (timed.moments.empty())
                addParts(timeline, timeline.items.size(), timed.run, since(timed.begin), since(timed.end),
                         timed.toTheEnd, timed.worker);
            for (const StageLog::Span& span : timed.moments)
                if (std::ranges::find(kParts, std::string_view(span.stage)) != std::end(kParts))
                    timeline.parts.push_back(
                        {timeline.items.size(), span.stage, since(span.begin), since(span.end), false, timed.worker});
        }
        timeline.items.push_back(item.name);
        timeline.bytes.push_back(item.done ? item.bytes : 0);
        if (item.done) ++timeline.done;
    }
    // Of several that compute, the later item may have had its turn first.
    std::ranges::stable_sort(timeline.parts, {}, &Timeline::Part::begin);
    return timeline;
}

Timeline makeTimeline(const std::vector<RowMoments>& rows, StageLog::Clock::time_point begin,
                      StageLog::Clock::time_point end) {
    const auto since = [&](StageLog::Clock::time_point time) {
        return std::chrono::duration<double>(time - begin).count();
    };
    Timeline timeline{.seconds = since(end), .done = rows.size(), .variants = true};
    for (const RowMoments& row : rows) timeline.items.push_back(row.id);
    timeline.bytes.resize(rows.size());
    for (const std::string_view stage : StageLog::kStages) {
        bool there = false;
        for (std::size_t item = 0; item < rows.size(); ++item) {
            for (const StageLog::Span& span : rows[item].spans) {
                if (span.stage != stage) continue;
                timeline.spans.push_back({item, timeline.stages.size(), 0, since(span.begin), since(span.end)});
                there = true;
            }
        }
        if (there) timeline.stages.push_back({std::string(stage), 1});
    }
    return timeline;
}

RunRecord timesOf(const RunRecord& run) {
    RunRecord times;
    times.status = run.status;
    times.time = run.time;
    times.uploadMs = run.uploadMs;
    times.layoutMs = run.layoutMs;
    times.downloadMs = run.downloadMs;
    return times;
}

void addParts(Timeline& timeline, std::size_t item, const RunRecord& run, double begin, double end, bool toTheEnd,
              int worker) {
    const Stages stages = stagesOf(run, {});
    const double samples = run.time ? run.time->samples : 1;
    const bool repeated = samples > 1;
    const double ms[] = {stages.upload.value_or(0), stages.layout.value_or(0), stages.kernel.value_or(0) * samples,
                         stages.download.value_or(0)};
    double at = toTheEnd ? std::max(begin, end - std::accumulate(std::begin(ms), std::end(ms), 0.0) * 1e-3) : begin;
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        const double until = std::min(at + ms[i] * 1e-3, end);
        if (until > at)
            timeline.parts.push_back(
                {item, std::string(kParts[i]), at, until, repeated && kParts[i] == kKernel, worker});
        at = std::max(at, until);
    }
}

std::vector<StageShare> stageShares(const Timeline& timeline) {
    std::vector<StageShare> shares;
    for (const Timeline::Stage& stage : timeline.stages)
        shares.push_back({.name = stage.name, .workers = stage.workers});
    std::vector<int> worked(shares.size());
    for (const Timeline::Span& span : timeline.spans) {
        shares[span.stage].busySeconds += span.end - span.begin;
        ++worked[span.stage];
    }
    for (std::size_t i = 0; i < shares.size(); ++i) {
        StageShare& stage = shares[i];
        if (timeline.seconds > 0) stage.share = stage.busySeconds / (stage.workers * timeline.seconds);
        if (stage.busySeconds > 0) stage.aloneRate = worked[i] * stage.workers / stage.busySeconds;
    }
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

std::vector<std::pair<double, double>> idleTimes(const Timeline& timeline, std::size_t stage) {
    Times idle;
    double since = 0;
    for (const auto& [begin, end] : unionOf(timeline, stage)) {
        if (begin > since) idle.emplace_back(since, begin);
        since = std::max(since, end);
    }
    if (timeline.seconds > since) idle.emplace_back(since, timeline.seconds);
    return idle;
}

TimelineRates ratesOf(const Timeline& timeline) {
    if (timeline.seconds <= 0) return {};
    const auto bytes = std::accumulate(timeline.bytes.begin(), timeline.bytes.end(), std::int64_t{0});
    return {.pictures = static_cast<double>(timeline.done) / timeline.seconds,
            .gigabytes = static_cast<double>(bytes) / timeline.seconds * 1e-9};
}

std::string summaryOf(const Timeline& timeline) {
    const auto shares = stageShares(timeline);
    const StageShare& critical = shares[criticalOf(shares)];
    const TimelineRates rates = ratesOf(timeline);
    std::string text = threeDigits(rates.pictures) + " pictures per second" +
                       (rates.gigabytes > 0 ? ", " + threeDigits(rates.gigabytes) + " GB/s" : "") +
                       " (measured): " + std::to_string(timeline.done) + " in " + threeDigits(timeline.seconds) +
                       " s; critical stage: " + critical.name + ", " + std::to_string(critical.workers) +
                       (critical.workers == 1 ? " worker" : " workers") + ", busy " + percent(critical.share) +
                       " of the time";
    std::string exposed;
    for (const StageShare& stage : shares)
        if (&stage != &critical)
            exposed += (exposed.empty() ? "; exposed: " : ", ") + stage.name + " " +
                       threeDigits(stage.exposedSeconds * 1e3) + " ms";
    return text + exposed + sharesOf(timeline);
}

}  // namespace warplens::gpu
