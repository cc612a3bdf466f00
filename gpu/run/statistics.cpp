// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/statistics.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu {
namespace {

double quantile(const std::vector<double>& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const auto above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

}  // namespace

Timing summarise(std::vector<double> ms, Clock clock) {
    std::sort(ms.begin(), ms.end());
    Timing t;
    t.clock = clock;
    t.samples = static_cast<int>(ms.size());
    t.medianMs = quantile(ms, 0.5);
    t.q1Ms = quantile(ms, 0.25);
    t.q3Ms = quantile(ms, 0.75);
    t.minMs = ms.front();
    // Ranks n/2 -+ 1.96 sqrt(n)/2 of the sorted samples hold the median with 95 % (binomial, normal approximation).
    const double n = static_cast<double>(ms.size());
    const double half = 0.98 * std::sqrt(n);
    const auto low = static_cast<std::int64_t>(std::floor(n / 2 - half));
    const auto high = static_cast<std::int64_t>(std::ceil(n / 2 + half));
    t.lowMs = ms[static_cast<std::size_t>(std::max<std::int64_t>(low - 1, 0))];
    t.highMs = ms[static_cast<std::size_t>(std::min<std::int64_t>(high, static_cast<std::int64_t>(ms.size()) - 1))];
    return t;
}

Clock clockOf(const DeviceInfo& device) { return device.ranks() ? Clock::device : Clock::simulated; }

const char* nameOf(Status status) {
    switch (status) {
        case Status::ok: return "ok";
        case Status::wrong: return "wrong";
        case Status::failed: return "failed";
        case Status::unsupported: return "unsupported";
    }
    return "";
}

const char* nameOf(Clock clock) {
    switch (clock) {
        case Clock::device: return "cuda-event";
        case Clock::simulated: return "cpu-simt";
        case Clock::library: return "cpu-library";
        case Clock::opencl: return "opencl-event";
        case Clock::openacc: return "cpu-openacc";
    }
    return "";
}

const char* nameOf(Traffic traffic) {
    switch (traffic) {
        case Traffic::copy: return "copy";
        case Traffic::read: return "read";
        case Traffic::write: return "write";
    }
    return "";
}

double limitOf(const Limits& limits, Traffic traffic) {
    switch (traffic) {
        case Traffic::copy: return limits.copyGbs;
        case Traffic::read: return limits.readGbs;
        case Traffic::write: return limits.writeGbs;
    }
    return 0;
}

const char* nameOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::faster: return "faster";
        case Verdict::slower: return "slower";
        case Verdict::same: return "same";
        case Verdict::undecided: return "undecided";
    }
    return "";
}

Verdict judge(const Timing& time, const Timing& baseline) {
    // CUDA events resolve about half a microsecond; a difference below that says nothing.
    constexpr double kResolutionMs = 0.0005;
    if (time.clock != baseline.clock || time.samples < 3 || baseline.samples < 3) return Verdict::undecided;
    if (time.medianMs < kResolutionMs && baseline.medianMs < kResolutionMs) return Verdict::undecided;
    if (time.highMs < baseline.lowMs) return Verdict::faster;
    if (time.lowMs > baseline.highMs) return Verdict::slower;
    return Verdict::same;
}

}  // namespace warplens::gpu
