// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/report/recorded.hpp"
#include "gpu/report/report.hpp"

#include <string>
#include <vector>

namespace warplens::gpu {

/// A number that a variant's counters give, by the name people read.
struct CounterMetric {
    const char* name;
    double (*value)(const Counters&);
    std::string (*format)(double);
};

/// Those of which a ladder tells, in its order.
const std::vector<CounterMetric>& countedFigures();

/// A figure of a rung and of the one it came from.
struct MetricChange {
    const CounterMetric* figure;
    double before, after;
};

/// What moved by one percent or more between two rungs.
std::vector<MetricChange> movedFigures(const Counters& before, const Counters& after);

/// The counted ladder as people read it: each rung, what changed from its predecessor, and the counts that moved by it.
/// Where `recorded`, which may be null, has the very launch of a rung, its registers and the occupancy that follows.
std::string ladderText(const Report& report, const RecordedRuns* recorded = nullptr);

}  // namespace warplens::gpu
