// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/trace/block_probe.hpp"
#include "gpu/trace/picture_places.hpp"
#include "gpu/trace/warp_trace.hpp"

#include <cstdint>
#include <optional>

namespace warplens::gpu::trace {

/// Finds the warp of a query and writes down its requests.
class WarpFinder final : public BlockProbe {
public:
    /// A loop may make millions of requests; so many are kept.
    static constexpr std::size_t kMostRequests = 20'000;

    WarpFinder(const WarpQuery& query, PicturePlaces places);

    std::vector<uint3> blocks(const LaunchView& launch) override;
    bool look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads, const FlowGraph& graph) override;
    const std::optional<WarpTrace>& found() const { return m_found; }

private:
    std::optional<std::size_t> threadOf(const LaunchView& launch, std::span<const LaneLog> threads) const;
    void replay(const LaunchView& launch, std::span<const LaneLog> lanes, const FlowGraph& graph);

    WarpQuery m_query;
    PicturePlaces m_places;
    std::int64_t m_value;  ///< the pixel's place in a plane, padding counted
    std::optional<WarpTrace> m_found;
};

}  // namespace warplens::gpu::trace
