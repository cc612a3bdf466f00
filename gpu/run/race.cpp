// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/race.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/statistics.hpp"
#include "gpu/run/timing.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <limits>

namespace warplens::gpu {
namespace {

using Steady = std::chrono::steady_clock;

constexpr int kLeastOnGpu = 3;
// A row that takes as long records no graph.
constexpr double kLongMs = 50;

/// Sets of buffers that together are twice the cache; one where a pass alone is, or where there is no such cache.
std::int64_t setsFor(const Work& work, const DeviceInfo& device) {
    const auto touched = work.bytesRead + work.bytesWritten;
    if (!device.ranks() || touched <= 0 || touched >= 2 * device.l2Bytes) return 1;
    constexpr std::int64_t kMostSets = 64;
    return std::clamp<std::int64_t>((2 * device.l2Bytes + touched - 1) / touched, 1, kMostSets);
}

}  // namespace

/// An entrant on its way.
struct Race::Lane {
    Entrant* entrant = nullptr;
    std::vector<double> ms{};
    double roughMs = 0;
    double spentSeconds = 0;
    int repeats = 1;
    bool done = false;
};

Race::Race(const Problem& problem, Device& device, std::vector<std::unique_ptr<Resident>>& residents,
           const RacePolicy& policy)
    : m_problem(problem), m_device(device), m_policy(policy), m_cuda(device.info().ranks()) {
    const auto sets = static_cast<std::size_t>(setsFor(problem.work(), device.info()));
    // What an earlier race held beyond that is given back first.
    if (residents.size() > sets) residents.resize(sets);
    while (residents.size() < sets) residents.push_back(std::make_unique<Resident>());
    for (const auto& resident : residents) {
        m_sessions.push_back(problem.open(device, *resident));
        if (const auto plan = m_sessions.back()->plan(); !plan.empty()) {
            throw Error(Error::Kind::unsupported, "does not fit " + device.info().id + " as a whole (" + plan + ")");
        }
    }
}

void Race::run(std::vector<Entrant>& entrants, std::stop_token stop, const Observer& observer) {
    m_stop = std::move(stop);
    m_device.setStop(m_stop);
    std::vector<Lane> lanes;
    double told = 0;
    const auto tell = [&](const std::string& what) {
        if (observer.progress) observer.progress(told / static_cast<double>(entrants.size() + 1), what);
        ++told;
    };
    for (Entrant& entrant : entrants) {
        if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        RunRecord& record = entrant.record;
        if (record.status != Status::ok) continue;
        tell(record.variant);
        try {
            if (onHost(*entrant.variant)) {
                runLibraryRow(m_problem, *entrant.variant, m_policy.timing, m_stop, record);
                applyVerification(record, m_problem.verify(record.result, *entrant.variant, m_stop));
                record.result = {};
                continue;
            }
            Lane lane{.entrant = &entrant};
            first(lane);
            if (record.status == Status::ok) lanes.push_back(std::move(lane));
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::fault) throw;
            record.status = error.kind() == Error::Kind::unsupported ? Status::unsupported : Status::failed;
            record.reason = error.what();
            record.time.reset();
            record.result = {};
        }
    }
    tell("all in turn");
    if (m_cuda) leaveOut(lanes);
    while (std::any_of(lanes.begin(), lanes.end(), [](const Lane& lane) { return !lane.done; })) {
        for (Lane& lane : lanes) {
            if (lane.done) continue;
            if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            sampleOnce(lane);
            lane.done = finished(lane);
        }
    }
    for (Lane& lane : lanes) lane.entrant->record.time = summarise(lane.ms, m_cuda ? Clock::device : Clock::simulated);
}

/// Once for the result.
void Race::first(Lane& lane) {
    RunRecord& record = lane.entrant->record;
    lane.roughMs = makeResult(m_device, *m_sessions.front(), *lane.entrant->variant, record);
    applyVerification(record, m_problem.verify(record.result, *lane.entrant->variant, m_stop));
    // Pictures and counts are for a comparison to show; a race is about time.
    record.result = {};
    // On the CPU a sample may cost as much as the budget; it has no cold start either.
    if (!m_cuda) {
        lane.ms.push_back(lane.roughMs);
        lane.spentSeconds = lane.roughMs * 1e-3;
        lane.done = finished(lane);
    }
    if (m_cuda) lane.repeats = repeatsFor(lane.roughMs);
}

void Race::leaveOut(std::vector<Lane>& lanes) const {
    double best = std::numeric_limits<double>::max();
    for (const Lane& lane : lanes) best = std::min(best, lane.roughMs);
    for (Lane& lane : lanes) {
        const double times = lane.roughMs / best;
        if (times <= m_policy.leaveOutBeyond) continue;
        lane.ms = {lane.roughMs};
        lane.done = true;
        char text[80];
        std::snprintf(text, sizeof text, "timed once: that run took %.0f times the best row's", times);
        lane.entrant->record.reason = text;
    }
}

void Race::launchNext() {
    m_sessions[m_next]->launch();
    m_next = (m_next + 1) % m_sessions.size();
}

void Race::sampleOnce(Lane& lane) {
    const auto start = Steady::now();
    for (const auto& session : m_sessions) session->prepare(*lane.entrant->variant, lane.entrant->record.tunables);
    if (m_cuda) {
        // Untimed: what is made on the first launches after prepare(), as code loaded by one and a graph recorded by
        // the next, which only short rows have; and the clock's way up after the last row.
        const std::size_t rounds = lane.roughMs < kLongMs ? 2 : 1;
        for (std::size_t i = 0; i < rounds * m_sessions.size(); ++i) launchNext();
        m_device.synchronize();
    }
    const double ms = m_device.time([&] {
        for (int i = 0; i < lane.repeats; ++i) launchNext();
    });
    m_device.takeLaunchFacts();
    lane.ms.push_back(ms / lane.repeats);
    lane.spentSeconds += std::chrono::duration<double>(Steady::now() - start).count();
}

bool Race::finished(const Lane& lane) const {
    return enough(m_policy.timing, lane.ms, lane.spentSeconds, m_cuda ? kLeastOnGpu : 1);
}

}  // namespace warplens::gpu
