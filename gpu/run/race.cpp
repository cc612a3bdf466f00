// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/race.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/rows.hpp"
#include "gpu/run/statistics.hpp"
#include "gpu/run/time_limit.hpp"
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
struct Race::Row {
    TimedVariant* entrant = nullptr;
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

void Race::run(std::vector<TimedVariant>& entrants, std::stop_token stop, const Observer& observer) {
    m_stop = std::move(stop);
    m_device.setStop(m_stop);
    std::vector<Row> rows;
    double told = 0;
    const auto tell = [&](const std::string& what) {
        // The first runs count as half of the way, the rounds in turn as the other.
        if (observer.progress) observer.progress(0.5 * told / static_cast<double>(entrants.size() + 1), what);
        ++told;
    };
    for (TimedVariant& entrant : entrants) {
        if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
        RunRecord& record = entrant.record;
        if (record.status != Status::ok) continue;
        tell(record.variant);
        try {
            if (onHost(*entrant.variant)) {
                onHostAlone(entrant);
                continue;
            }
            Row row{.entrant = &entrant};
            first(row);
            if (record.status == Status::ok) rows.push_back(std::move(row));
        } catch (const Error& error) {
            if (error.kind() == Error::Kind::cancelled || error.kind() == Error::Kind::fault) throw;
            applyError(record, error);
        }
    }
    tell("all in turn");
    if (m_cuda) leaveOut(rows);
    while (std::any_of(rows.begin(), rows.end(), [](const Row& row) { return !row.done; })) {
        for (Row& row : rows) {
            if (row.done) continue;
            if (m_stop.stop_requested()) throw Error(Error::Kind::cancelled, "stopped");
            sampleOnce(row);
            row.done = finished(row);
            const auto done = std::ranges::count_if(rows, &Row::done);
            if (row.done && observer.progress)
                observer.progress(0.5 + 0.5 * static_cast<double>(done) / static_cast<double>(rows.size()),
                                  "all in turn");
        }
    }
    for (Row& row : rows) row.entrant->record.time = summarise(row.ms, clockOf(m_device.info()));
}

std::vector<Session*> Race::sessions() const {
    std::vector<Session*> all;
    for (const auto& session : m_sessions) all.push_back(session.get());
    return all;
}

void Race::onHostAlone(TimedVariant& entrant) {
    RunRecord& record = entrant.record;
    const TimeLimit limit(m_policy.hostSeconds, m_stop);
    try {
        runHostRow(m_problem, *entrant.variant, m_policy.timing, limit.token(), record);
    } catch (const Error& error) {
        if (error.kind() != Error::Kind::cancelled || !limit.up()) throw;
        char text[80];
        std::snprintf(text, sizeof text, "left out: the library takes more than %.3g s here", m_policy.hostSeconds);
        throw Error(Error::Kind::unsupported, text);
    }
    applyVerification(record, m_problem.verify(record.result, *entrant.variant, m_stop));
    record.result = {};
}

/// Once for the result.
void Race::first(Row& row) {
    RunRecord& record = row.entrant->record;
    row.roughMs = makeResult(m_device, *m_sessions.front(), *row.entrant->variant, record);
    applyVerification(record, m_problem.verify(record.result, *row.entrant->variant, m_stop));
    // Pictures and counts are for a comparison to show; a race is about time.
    record.result = {};
    // On the CPU a sample may cost as much as the budget; it has no cold start either.
    if (!m_cuda) {
        row.ms.push_back(row.roughMs);
        row.spentSeconds = row.roughMs * 1e-3;
        row.done = finished(row);
    }
    if (m_cuda) row.repeats = repeatsFor(row.roughMs);
}

void Race::leaveOut(std::vector<Row>& rows) const {
    double best = std::numeric_limits<double>::max();
    for (const Row& row : rows) best = std::min(best, row.roughMs);
    for (Row& row : rows) {
        const double times = row.roughMs / best;
        if (times <= m_policy.leaveOutBeyond) continue;
        row.ms = {row.roughMs};
        row.done = true;
        char text[80];
        std::snprintf(text, sizeof text, "timed once: that run took %.0f times the best row's", times);
        row.entrant->record.reason = text;
    }
}

void Race::launchNext() {
    m_sessions[m_next]->launch();
    m_next = (m_next + 1) % m_sessions.size();
}

void Race::sampleOnce(Row& row) {
    const auto start = Steady::now();
    for (const auto& session : m_sessions) session->prepare(*row.entrant->variant, row.entrant->record.tunables);
    if (m_cuda) {
        // Untimed: what is made on the first launches after prepare(), as code loaded by one and a graph recorded by
        // the next, which only short rows have; and the clock's way up after the last row.
        const std::size_t rounds = row.roughMs < kLongMs ? 2 : 1;
        for (std::size_t i = 0; i < rounds * m_sessions.size(); ++i) launchNext();
        m_device.synchronize();
    }
    const double ms = m_device.time([&] {
        for (int i = 0; i < row.repeats; ++i) launchNext();
    });
    m_device.takeLaunchFacts();
    row.ms.push_back(ms / row.repeats);
    row.spentSeconds += std::chrono::duration<double>(Steady::now() - start).count();
}

bool Race::finished(const Row& row) const {
    return enough(m_policy.timing, row.ms, row.spentSeconds, m_cuda ? kLeastOnGpu : 1);
}

}  // namespace warplens::gpu
