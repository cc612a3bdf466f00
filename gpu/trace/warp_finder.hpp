// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/trace/block_probe.hpp"
#include "gpu/trace/warp_trace.hpp"

#include <cstdint>
#include <optional>

namespace warplens::gpu::trace {

/// Finds the warp of a query and writes down its requests.
class WarpFinder final : public BlockProbe {
public:
    /// A loop may make millions of requests; so many are kept.
    static constexpr std::size_t kMostRequests = 20'000;

    /// The buffer that holds the picture's planes, and the values from row to row in it and in what is written.
    struct Input {
        std::uint64_t address = 0;
        std::int64_t pitch = 0;
    };

    /// `footprint` says where to look first.
    WarpFinder(const WarpQuery& query, const io::Shape& shape, const Footprint& footprint, const Input& input);

    std::vector<uint3> blocks(const LaunchView& launch) override;
    bool look(const LaunchView& launch, uint3 index, std::span<const LaneLog> threads, const FlowGraph& graph) override;
    const std::optional<WarpTrace>& found() const { return m_found; }

private:
    int valueBytes(const Allocation& buffer) const;
    /// Where what lies there would lie without padding, from which people see the pixel. Padding counts as the row's
    /// last value.
    std::int64_t withoutPadding(std::int64_t offset, int bytes) const;
    std::optional<std::size_t> threadOf(const LaunchView& launch, std::span<const LaneLog> threads) const;
    void replay(const LaunchView& launch, std::span<const LaneLog> lanes, const FlowGraph& graph);

    WarpQuery m_query;
    io::Shape m_shape;
    Footprint m_footprint;
    Input m_input;
    std::int64_t m_value;  ///< the pixel's place in a plane, padding counted
    std::optional<WarpTrace> m_found;
};

}  // namespace warplens::gpu::trace
