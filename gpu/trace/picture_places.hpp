// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/trace/recorder.hpp"
#include "gpu/trace/warp_trace.hpp"
#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <tuple>
#include <vector>

namespace warplens::gpu::trace {

/// As KernelCounters names the launch's kernel.
std::string nameOfKernel(const LaunchView& launch);

/// Where the values of a picture lie in the buffers of a launch.
class PicturePlaces {
public:
    /// The buffer that holds the picture's planes, and the values from row to row in it and in what is written.
    struct Input {
        std::uint64_t address = 0;
        std::int64_t pitch = 0;
    };
    /// `footprint` says which blocks a pixel is likely to belong to.
    PicturePlaces(const io::Shape& shape, const Footprint& footprint, const Input& input)
        : m_shape(shape), m_footprint(footprint), m_input(input) {}

    const io::Shape& shape() const { return m_shape; }
    const Input& input() const { return m_input; }
    /// Of a value, where the buffer holds such planes, else 0.
    int valueBytes(const Allocation& buffer) const;
    std::vector<WarpBuffer> buffers(const LaunchView& launch) const;
    /// Where what lies there would lie without padding, from which people see the pixel. Padding counts as the row's
    /// last value.
    std::int64_t withoutPadding(std::int64_t offset, int bytes) const;
    /// A pixel's place in a plane, padding counted.
    std::int64_t place(std::int64_t x, std::int64_t y, std::int64_t z) const {
        return (z * m_shape.height + y) * m_input.pitch + x;
    }
    /// Blocks that have to do with a pixel where the kernel goes by its footprint, in a plane or along a row.
    std::vector<uint3> likelyBlocks(const LaunchView& launch, std::int64_t x, std::int64_t y, std::int64_t z) const;

private:
    io::Shape m_shape;
    Footprint m_footprint;
    Input m_input;
};

/// Turns the accesses that lanes of a warp make together into requests, and notes where the code makes them.
class RequestWriter {
public:
    RequestWriter(const LaunchView& launch, const PicturePlaces& places) : m_launch(launch), m_places(places) {}
    /// Constant arrays lie where the loader put them: offsets count from the lowest address that these lanes read.
    void findConstants(std::span<const LaneLog> lanes);
    WarpRequest write(std::span<const LoggedAccess> active, std::uint32_t mask);
    const std::vector<WarpSite>& sites() const { return m_sites; }

private:
    int siteOf(const LoggedAccess& access);

    const LaunchView& m_launch;
    const PicturePlaces& m_places;
    std::uint64_t m_constants = 0;
    std::vector<std::tuple<std::uint32_t, Space, Operation, unsigned>> m_known;
    std::vector<WarpSite> m_sites;
};

}  // namespace warplens::gpu::trace
