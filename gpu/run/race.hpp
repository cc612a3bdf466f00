// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"
#include "gpu/run/runner.hpp"

#include <memory>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// A row of a race: a variant as it was described (makeRunRecord) for the problem.
struct TimedVariant {
    const Variant* variant = nullptr;
    RunRecord record;
};

/// How a race is run.
struct RacePolicy {
    TimingPolicy timing;
    /// On a GPU a row whose one run takes this many times the best is not timed further; its record says so.
    double leaveOutBeyond = 20;
    /// A library on the host that takes longer is stopped, where it looks whether to go on, and left out; 0: none is.
    double hostSeconds = 0;
};

/// Times the rows of one problem on one device in turn, a sample of each after the other, so that whatever drifts
/// meanwhile (clocks, heat, neighbours) meets all alike. Every row runs first once for its result, which is verified
/// and dropped. Where the working set would fit the L2 cache, several sets of buffers are used in turn, together twice
/// the cache.
class Race {
public:
    /// `residents` keep the input between races on the same picture; the race adds what it needs. All must outlive it.
    /// Throws Error(outOfMemory), and Error(unsupported) when the problem does not fit the device as a whole.
    Race(const Problem& problem, Device& device, std::vector<std::unique_ptr<Resident>>& residents,
         const RacePolicy& policy);

    /// Fills in the records of all entrants that are not unsupported. Throws Error(cancelled), and Error(fault) when
    /// the device is lost; what else befalls a row is in its record.
    void run(std::vector<TimedVariant>& entrants, std::stop_token stop, const Observer& observer = {});

    /// Sets of buffers used in turn.
    int sets() const { return static_cast<int>(m_sessions.size()); }
    /// Their sessions; what is run on them between races is nobody's result.
    std::vector<Session*> sessions() const;

private:
    struct Row;
    void first(Row& row);
    void onHostAlone(TimedVariant& entrant);
    void sampleOnce(Row& row);
    void leaveOut(std::vector<Row>& rows) const;
    bool finished(const Row& row) const;
    void launchNext();

    const Problem& m_problem;
    Device& m_device;
    RacePolicy m_policy;
    bool m_cuda;
    std::vector<std::unique_ptr<Session>> m_sessions;
    std::size_t m_next = 0;  ///< the session whose turn it is
    std::stop_token m_stop;
};

}  // namespace warplens::gpu
