// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu {

/// How a run was cut into slabs along one axis, and which device computed which of them. Along axis 2 a line is a
/// slice, along axis 1 a row, along axis 0 a pixel of a single row.
struct SlabMap {
    /// Neighbouring slabs that one device computed.
    struct Stretch {
        std::size_t device = 0;  ///< its place in `devices`
        std::int64_t first = 0, lines = 0;
        bool operator==(const Stretch&) const = default;
    };

    int axis = 2;
    std::int64_t lines = 0;            ///< in all
    std::int64_t each = 0;             ///< lines that a slab computes; the last one may have fewer
    std::int64_t halo = 0;             ///< lines that a slab reads beyond each of its ends
    std::vector<std::string> devices;  ///< ids; "cpu" may stand there several times
    std::vector<Stretch> held;         ///< in the order of the lines

    std::int64_t count() const { return each > 0 ? (lines + each - 1) / each : 0; }
    bool shared() const { return devices.size() > 1; }
    /// "slices", "rows", "pixels".
    const char* unit() const { return axis == 2 ? "slices" : axis == 1 ? "rows" : "pixels"; }
    bool operator==(const SlabMap&) const = default;
};

}  // namespace warplens::gpu
