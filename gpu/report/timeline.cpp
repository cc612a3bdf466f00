// SPDX-License-Identifier: Apache-2.0
#include "gpu/report/timeline.hpp"

#include "gpu/core/error.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/stages.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace warplens::gpu {
namespace {

constexpr const char* kKernel = "kernel";
constexpr const char* kParts[] = {"upload", "planar layout", kKernel, "download"};
constexpr const char* kModelled = "modelled: the median times the number of samples";

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
        if (item < m_timeline.bytes.size() && m_timeline.bytes[item] > 0)
            made["args"]["bytes"] = m_timeline.bytes[item];
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
                      const std::vector<TimelineItem>& items) {
    const auto since = [&](PipelineClock::time_point time) {
        return std::chrono::duration<double>(time - run.begin).count();
    };
    Timeline timeline{.seconds = since(run.end)};
    for (const PipelineStage& stage : stages) timeline.stages.push_back({stage.name, std::max(1, stage.workers)});
    for (const WorkInterval& work : run.intervals)
        timeline.spans.push_back({work.item, work.stage, work.worker, since(work.begin), since(work.end)});
    for (const TimelineItem& item : items) {
        for (const TimedRun& timed : item.runs)
            addParts(timeline, timeline.items.size(), timed.run, since(timed.begin), since(timed.end), timed.toTheEnd);
        timeline.items.push_back(item.name);
        timeline.bytes.push_back(item.done ? item.bytes : 0);
        if (item.done) ++timeline.done;
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

void addParts(Timeline& timeline, std::size_t item, const RunRecord& run, double begin, double end, bool toTheEnd) {
    const Stages stages = stagesOf(run, {});
    const double samples = run.time ? run.time->samples : 1;
    const bool repeated = samples > 1;
    const double ms[] = {stages.upload.value_or(0), stages.layout.value_or(0), stages.kernel.value_or(0) * samples,
                         stages.download.value_or(0)};
    double at = toTheEnd ? std::max(begin, end - std::accumulate(std::begin(ms), std::end(ms), 0.0) * 1e-3) : begin;
    for (std::size_t i = 0; i < std::size(kParts); ++i) {
        const double until = std::min(at + ms[i] * 1e-3, end);
        if (until > at) timeline.parts.push_back({item, kParts[i], at, until, repeated && kParts[i] == kKernel});
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
    return text + exposed;
}

std::string toChromeTrace(const Timeline& timeline) {
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
    for (const char* name : kParts) {
        if (std::ranges::find(timeline.parts, name, &Timeline::Part::name) == timeline.parts.end()) continue;
        const int track = trace.track(std::string("compute: ") + name);
        for (const Timeline::Part& part : timeline.parts)
            if (part.name == name)
                trace.add(track, name, part.item, part.begin, part.end,
                          part.modelled ? kModelled : "duration measured, place by its order");
    }
    Json stages = Json::array();
    const auto shares = stageShares(timeline);
    for (const StageShare& stage : shares)
        stages.push_back({{"name", stage.name},
                          {"workers", stage.workers},
                          {"busy_seconds", stage.busySeconds},
                          {"busy_share", stage.share},
                          {"exposed_seconds", stage.exposedSeconds}});
    const TimelineRates rates = ratesOf(timeline);
    const Json document{{"displayTimeUnit", "ms"},
                        {"otherData",
                         {{"origin", "measured, host's steady clock"},
                          {"pictures", timeline.done},
                          {"seconds", timeline.seconds},
                          {"pictures_per_second", rates.pictures},
                          {"gigabytes_per_second", rates.gigabytes},
                          {"critical_stage", shares[criticalOf(shares)].name},
                          {"stages", stages}}},
                        {"traceEvents", trace.take()}};
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

constexpr std::size_t kMostItems = 1'000'000;
constexpr int kMostWorkers = 1024;
constexpr double kMostSeconds = 1e9;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 42;  // a million of them can be added up

/// What toChromeTrace() wrote, event by event.
class TraceReader {
public:
    explicit TraceReader(const Json& document) {
        const Json& whole = document.at("otherData");
        m_read.done = whole.at("pictures").get<std::size_t>();
        m_read.seconds = whole.at("seconds").get<double>();
        if (!(m_read.seconds >= 0 && m_read.seconds < kMostSeconds))
            throw std::runtime_error("the run takes 0 to 1e9 seconds");
        for (const Json& stage : whole.at("stages")) {
            m_read.stages.push_back({stage.at("name").get<std::string>(), stage.at("workers").get<int>()});
            const int workers = m_read.stages.back().workers;
            if (workers < 1 || workers > kMostWorkers) throw std::runtime_error("a stage has 1 to 1024 workers");
        }
        if (m_read.stages.empty()) throw std::runtime_error("there is no stage");
        for (const Json& event : document.at("traceEvents"))
            if (event.at("ph") == "X") take(event);
        if (m_read.spans.empty()) throw std::runtime_error("there is no event of a stage");
        if (m_read.done > m_read.items.size()) throw std::runtime_error("more pictures came through than there are");
    }
    Timeline result() { return std::move(m_read); }

private:
    void take(const Json& event) {
        const Json& told = event.at("args");
        const auto number = told.at("picture").get<std::size_t>();
        if (number < 1 || number > kMostItems) throw std::runtime_error("pictures have numbers from 1 to 1000000");
        const double begin = event.at("ts").get<double>() / 1e6, end = begin + event.at("dur").get<double>() / 1e6;
        if (!(begin >= 0 && end >= begin && end < kMostSeconds))
            throw std::runtime_error("an event lies outside of the run");
        m_read.seconds = std::max(m_read.seconds, end);
        if (m_read.items.size() < number) {
            m_read.items.resize(number);
            m_read.bytes.resize(number);
        }
        const std::size_t item = number - 1;
        m_read.items[item] = event.at("name").get<std::string>();
        m_read.bytes[item] = told.value("bytes", std::int64_t{0});
        if (m_read.bytes[item] < 0 || m_read.bytes[item] > kMostBytes)
            throw std::runtime_error("a picture has 0 bytes to 4 TiB");
        const auto category = event.at("cat").get<std::string>();
        const auto stage = std::ranges::find(m_read.stages, category, &Timeline::Stage::name);
        if (stage == m_read.stages.end()) {
            m_read.parts.push_back({item, category, begin, end, told.at("origin") == kModelled});
            return;
        }
        // Tracks of a stage are numbered in the order of its workers; one without events cannot be told from the next.
        const auto index = static_cast<std::size_t>(stage - m_read.stages.begin());
        auto& tracks = m_tracks[index];
        const int track = event.at("tid").get<int>();
        auto at = std::ranges::find(tracks, track);
        if (at == tracks.end()) at = tracks.insert(tracks.end(), track);
        const auto worker = static_cast<int>(at - tracks.begin());
        if (worker >= stage->workers) throw std::runtime_error(category + " has more tracks than workers");
        m_read.spans.push_back({item, index, worker, begin, end});
    }

    Timeline m_read;
    std::map<std::size_t, std::vector<int>> m_tracks;  ///< of each stage
};

}  // namespace

Timeline fromChromeTrace(const std::string& json, const std::string& where) {
    try {
        return TraceReader(Json::parse(json)).result();
    } catch (const std::exception& error) {
        throw Error(Error::Kind::argument, where + ": no timeline that Warplens wrote: " + error.what());
    }
}

}  // namespace warplens::gpu
