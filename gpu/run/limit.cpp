// SPDX-License-Identifier: Apache-2.0
#include "gpu/run/limit.hpp"

#include "gpu/core/registry.hpp"

#include <algorithm>
#include <cmath>

namespace warplens::gpu {
namespace {

/// Of all multiply-adds of the work, the share that a row does; 0 where they are not counted.
double shareOfOperations(const RunRecord& record, const Work& work, std::int64_t values) {
    const Variant* row = findVariant(record.family, record.choice ? record.choice->variant : record.variant);
    if (row == nullptr || row->multiplyAdds == MultiplyAdds::uncounted || work.operations <= 0) return 0;
    if (row->multiplyAdds == MultiplyAdds::all) return 1;
    if (work.alongAxes > 0) return work.alongAxes / work.operations;
    // A square filter of as many taps: its side is what a separable row multiplies in each direction.
    const double taps = work.operations / (2 * static_cast<double>(values));
    return 2 * std::sqrt(taps) / taps;
}

}  // namespace

double memoryFloorMs(const Work& work, const Limits& limits) {
    const double gbs = limitOf(limits, work.traffic);
    return gbs > 0 ? static_cast<double>(work.bytesRead + work.bytesWritten) / (gbs * 1e6) : 0;
}

Floors floorsOf(const RunRecord& record, const Work& work, std::int64_t values, const Limits& limits) {
    Floors floors{.memoryMs = memoryFloorMs(work, limits)};
    if (limits.fmaTflops > 0)
        floors.arithmeticMs = work.operations * shareOfOperations(record, work, values) / (limits.fmaTflops * 1e9);
    return floors;
}

std::optional<ShareOfLimit> shareOfLimit(const Floors& floors, double medianMs) {
    if (floors.memoryMs <= 0 || medianMs <= 0) return std::nullopt;
    return ShareOfLimit{100 * std::max(floors.memoryMs, floors.arithmeticMs) / medianMs,
                        floors.arithmeticMs > floors.memoryMs};
}

std::string_view limitOfShare(const RunRecord& record, const Limits& limits, Traffic traffic) {
    const double gbs = limitOf(limits, traffic);
    if (!record.percentOfLimit || !record.bandwidthGbs || gbs <= 0) return "";
    constexpr double kRounding = 1 + 1e-9;  // the two were multiplied in another order
    return *record.percentOfLimit > 100 * *record.bandwidthGbs / gbs * kRounding ? kFmaLimit : nameOf(traffic);
}

}  // namespace warplens::gpu
