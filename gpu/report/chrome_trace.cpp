// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/report/timeline.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace warplens::gpu {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kTracks[] = {"upload", "planar layout", "kernel", "download"};
constexpr const char* kModelledPart = "modelled: the median times the number of samples";
constexpr const char* kMeasuredBy = "measured, ";
constexpr const char *kPicture = "picture", *kVariant = "variant";  // the number of an item
constexpr const char *kPictures = "pictures", *kVariants = "variants";

std::int64_t nanoseconds(double seconds) { return std::llround(seconds * 1e9); }

/// Tracks of one process, in the order in which they are to stand.
class Trace {
public:
    Trace(const Timeline& timeline, int process, const std::string& name, Json& events)
        : m_timeline(timeline), m_process(process), m_events(events) {
        Json named = event("M", 0, "process_name");
        named["args"]["name"] = name;
        m_events.push_back(named);
        for (std::size_t stage = 0; stage < timeline.stages.size(); ++stage) addStage(stage);
        int most = 0;
        for (const Timeline::Part& part : timeline.parts) most = std::max(most, part.worker);
        for (int worker = 0; worker <= most; ++worker)
            for (const char* part : kTracks) addParts(part, worker);
    }

private:
    Json event(const char* phase, int track, const std::string& name) const {
        return {{"ph", phase}, {"pid", m_process}, {"tid", track}, {"name", name}};
    }

    void addStage(std::size_t stage) {
        const Timeline::Stage& whole = m_timeline.stages[stage];
        for (int worker = 0; worker < whole.workers; ++worker) {
            const int at = track(whole.nameOf(worker));
            for (const Timeline::Span& span : m_timeline.spans)
                if (span.stage == stage && span.worker == worker) add(at, whole.name, span, "measured", whole.workers);
        }
    }

    void addParts(const char* name, int worker) {
        const auto wanted = [&](const Timeline::Part& part) { return part.name == name && part.worker == worker; };
        if (std::ranges::none_of(m_timeline.parts, wanted)) return;
        const auto stage = std::ranges::find(m_timeline.stages, "compute", &Timeline::Stage::name);
        const bool known = stage != m_timeline.stages.end() && !stage->places.empty();
        const int at = track((known ? stage->nameOf(worker) : "compute") + ": " + name);
        for (const Timeline::Part& part : m_timeline.parts)
            if (wanted(part))
                add(at, name, part, part.modelled ? kModelledPart : "duration measured, place by its order",
                    known ? stage->workers : 1);
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

    /// A span or a part of one of so many workers.
    template <class T>
    void add(int at, const std::string& category, const T& what, const char* origin, int workers) {
        const std::size_t item = what.item;
        Json made = event("X", at, m_timeline.items[item]);
        made["cat"] = category;
        made["ts"] = static_cast<double>(nanoseconds(what.begin)) / 1e3;
        made["dur"] = static_cast<double>(nanoseconds(what.end) - nanoseconds(what.begin)) / 1e3;
        made["args"] = {{m_timeline.variants ? kVariant : kPicture, item + 1}, {"origin", origin}};
        if (workers > 1) made["args"]["worker"] = what.worker + 1;
        if (item < m_timeline.bytes.size() && m_timeline.bytes[item] > 0)
            made["args"]["bytes"] = m_timeline.bytes[item];
        m_events.push_back(std::move(made));
    }

    const Timeline& m_timeline;
    int m_process;
    Json& m_events;
    int m_tracks = 0;
};

/// What holds for the whole of a timeline.
Json wholeOf(const Timeline& timeline) {
    const auto shares = stageShares(timeline);
    Json stages = Json::array();
    for (const StageShare& stage : shares)
        stages.push_back({{"name", stage.name},
                          {"workers", stage.workers},
                          {"busy_seconds", stage.busySeconds},
                          {"busy_share", stage.share},
                          {"exposed_seconds", stage.exposedSeconds}});
    for (std::size_t i = 0; i < stages.size(); ++i)
        if (const auto& places = timeline.stages[i].places; !places.empty()) stages[i]["places"] = places;
    const TimelineRates rates = ratesOf(timeline);
    Json whole{{"origin", kMeasuredBy + timeline.clock}};
    whole[timeline.variants ? kVariants : kPictures] = timeline.done;
    whole["seconds"] = timeline.seconds;
    if (!timeline.variants) {
        whole["pictures_per_second"] = rates.pictures;
        whole["gigabytes_per_second"] = rates.gigabytes;
    }
    whole["critical_stage"] = shares[criticalOf(shares)].name;
    whole["stages"] = stages;
    return whole;
}

std::string documentOf(Json whole, Json events) {
    const Json document{{"displayTimeUnit", "ms"}, {"otherData", std::move(whole)}, {"traceEvents", std::move(events)}};
    return document.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

constexpr std::size_t kMostItems = 1'000'000, kMostTimelines = 100;
constexpr int kMostWorkers = 1024;
constexpr double kMostSeconds = 1e9;
constexpr std::int64_t kMostBytes = std::int64_t{1} << 42;  // a million of them can be added up

/// One timeline of what toChromeTrace() wrote, event by event.
class TraceReader {
public:
    TraceReader(const Json& whole, const Json& events, int process) : m_process(process) {
        m_read.variants = whole.contains(kVariants);
        m_read.done = whole.at(m_read.variants ? kVariants : kPictures).get<std::size_t>();
        m_read.seconds = whole.at("seconds").get<double>();
        if (!(m_read.seconds >= 0 && m_read.seconds < kMostSeconds))
            throw std::runtime_error("the run takes 0 to 1e9 seconds");
        const auto origin = whole.value("origin", std::string());
        if (origin.starts_with(kMeasuredBy)) m_read.clock = origin.substr(std::string(kMeasuredBy).size());
        for (const Json& stage : whole.at("stages")) {
            m_read.stages.push_back({stage.at("name").get<std::string>(), stage.at("workers").get<int>(),
                                     stage.value("places", std::vector<std::string>())});
            const int workers = m_read.stages.back().workers;
            if (workers < 1 || workers > kMostWorkers) throw std::runtime_error("a stage has 1 to 1024 workers");
            const auto places = m_read.stages.back().places.size();
            if (places != 0 && places != static_cast<std::size_t>(workers))
                throw std::runtime_error("a stage has a place for each worker, or none");
        }
        if (m_read.stages.empty()) throw std::runtime_error("there is no stage");
        for (const Json& event : events)
            if (event.at("ph") == "X" && (process == 0 || event.at("pid") == process)) take(event);
        if (m_read.spans.empty()) throw std::runtime_error("there is no event of a stage");
        if (m_read.done > m_read.items.size()) throw std::runtime_error("more pictures came through than there are");
    }
    Timeline result() { return std::move(m_read); }

private:
    void take(const Json& event) {
        const Json& told = event.at("args");
        const auto number = told.at(m_read.variants ? kVariant : kPicture).get<std::size_t>();
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
        const int numbered = told.value("worker", 0);  // from 1
        if (numbered < 0 || numbered > kMostWorkers) throw std::runtime_error("workers have numbers from 1 to 1024");
        const auto category = event.at("cat").get<std::string>();
        const auto stage = std::ranges::find(m_read.stages, category, &Timeline::Stage::name);
        if (stage == m_read.stages.end()) {
            m_read.parts.push_back(
                {item, category, begin, end, told.at("origin") == kModelledPart, std::max(0, numbered - 1)});
            return;
        }
        const auto index = static_cast<std::size_t>(stage - m_read.stages.begin());
        const int worker = numbered > 0 ? numbered - 1 : workerOf(index, event.at("tid").get<int>());
        if (worker >= stage->workers) throw std::runtime_error(category + " has more tracks than workers");
        m_read.spans.push_back({item, index, worker, begin, end});
    }

    /// Where no worker is named, tracks of a stage are numbered in the order of its workers; one without events cannot
    /// be told from the next.
    int workerOf(std::size_t stage, int track) {
        auto& tracks = m_tracks[stage];
        auto at = std::ranges::find(tracks, track);
        if (at == tracks.end()) at = tracks.insert(tracks.end(), track);
        return static_cast<int>(at - tracks.begin());
    }

    int m_process;  ///< 0: all events are its own
    Timeline m_read;
    std::map<std::size_t, std::vector<int>> m_tracks;  ///< of each stage
};

}  // namespace

std::string toChromeTrace(const Timeline& timeline) {
    Json events = Json::array();
    const Trace trace(timeline, 1, "Warplens", events);
    return documentOf(wholeOf(timeline), std::move(events));
}

std::string toChromeTrace(const std::vector<NamedTimeline>& timelines) {
    Json events = Json::array(), wholes = Json::array();
    for (const NamedTimeline& one : timelines) {
        const Trace trace(one.timeline, static_cast<int>(wholes.size()) + 1, one.name, events);
        Json whole{{"name", one.name}};
        whole.update(wholeOf(one.timeline));
        wholes.push_back(std::move(whole));
    }
    return documentOf({{"timelines", std::move(wholes)}}, std::move(events));
}

std::vector<NamedTimeline> fromChromeTrace(const std::string& json, const std::string& where) {
    try {
        const Json document = Json::parse(json);
        const Json &whole = document.at("otherData"), &events = document.at("traceEvents");
        if (!whole.contains("timelines")) return {{"", TraceReader(whole, events, 0).result()}};
        std::vector<NamedTimeline> list;
        for (const Json& one : whole.at("timelines")) {
            if (list.size() == kMostTimelines) throw std::runtime_error("there are more than 100 timelines");
            const int process = static_cast<int>(list.size()) + 1;
            list.push_back({one.at("name").get<std::string>(), TraceReader(one, events, process).result()});
        }
        if (list.empty()) throw std::runtime_error("there is no timeline");
        return list;
    } catch (const std::exception& error) {
        throw Error(Error::Kind::argument, where + ": no timeline that Warplens wrote: " + error.what());
    }
}

}  // namespace warplens::gpu
