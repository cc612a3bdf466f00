// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/family.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warplens::gpu {

/// One thing that a sweep varies, its values as a user types them.
struct SweepAxis {
    enum class Kind { parameter, tunable, size, type };
    Kind kind = Kind::parameter;
    std::string id{};                   ///< of the parameter or the tunable; "size", "type"
    std::vector<std::string> values{};  ///< "3", "wrap", "256x128", "u8"
    bool operator==(const SweepAxis&) const = default;
};

const char* nameOf(SweepAxis::Kind kind);  ///< "parameter", "tunable", "size", "type"

/// Values of an axis: more than that nobody reads.
inline constexpr std::size_t kMostSweepValues = 64;

/// All that can be varied, each with values to begin with: tunables, the family's parameters, size and type of
/// pictures.
std::vector<SweepAxis> sweepAxes(const Family& family);

/// "block_width=8,16,32", "radius=1:7", "sigma=0.5:2:0.5", "size=512,1024x768", "type=u8,f32", "border=zero,wrap".
/// Values stand once. Throws Error(argument).
SweepAxis parseSweepAxis(const Family& family, const std::string& text);
/// "block_width=8,16,32"
std::string textOf(const SweepAxis& axis);

/// Width and height of "256x128"; one number is a square. Throws Error(argument) that begins with `name`.
std::array<std::int64_t, 2> parseSize(const std::string& name, const std::string& text);

}  // namespace warplens::gpu
