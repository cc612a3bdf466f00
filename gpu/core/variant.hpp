// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/footprint.hpp"

#include <map>
#include <string>
#include <vector>

namespace warplens::gpu {

/// What a rung is about. Colour and shape of a variant belong to its idea, the same in every family.
enum class Idea {
    plain,
    cache,
    coarsening,
    sharedTile,
    sharedTileRefined,
    loss,
    registers,
    registersAlone,
    streaming,
    tensorCores,
    workSaved,
    savedAndFused,
    savedAndStreamed,
    savedInRing,
    library
};

const char* nameOf(Idea idea);

/// Which of the work's multiply-adds a kernel does one by one in f32, so that they can be held against the measured
/// rate.
enum class MultiplyAdds {
    uncounted,
    all,
    rowAndColumn  ///< of a square filter, one row of its taps and one column; else as the work says
};

/// A number of a kernel's launch that the user may set with --set id=value. The names are the same everywhere.
struct Tunable {
    std::string id{};  ///< "block_width", "block_height", "outputs_per_thread" ...
    int fallback = 0;
    int minimum = 0, maximum = 0;
    std::vector<int> choices{};  ///< when not empty, only these
    std::string help{};
};

using TunableValues = std::map<std::string, int>;

/// One rung of a family's ladder: a kernel of ours, a library a user would pick instead, or a rung in another language.
struct Variant {
    /// A portable row is the same work by the same definition, written in a language that runs on other makers' devices
    /// (gpu/core/portable.hpp). It has a clock of its own and so is never ranked; `auto` and `all` leave it out.
    enum class Kind { kernel, library, portable };
    /// For a library row one of the first two, where the library runs; for a portable row one of the last two, what it
    /// runs through.
    enum class Devices { cpu, cuda, both, opencl, openacc };

    std::string id{};
    std::string title{};
    Kind kind = Kind::kernel;
    Idea idea = Idea::plain;
    MultiplyAdds multiplyAdds = MultiplyAdds::uncounted;
    std::string sentence{};     ///< the idea in a few words
    std::string predecessor{};  ///< id of the rung before it, or empty
    Devices devices = Devices::both;
    std::vector<int> dimensions{2};
    std::vector<Tunable> tunables{};
    std::string range{};  ///< what it supports, in words
    std::string citation{};
    std::string source{};  ///< path of the kernel's file below the repository root; empty for a library
};

const char* nameOf(Variant::Kind kind);        ///< "kernel", "library", "portable"
const char* nameOf(Variant::Devices devices);  ///< "cpu", "cuda", "cpu, cuda", "opencl", "openacc"

/// The values to launch with: defaults overlaid with `chosen`. Throws Error(argument) for an unknown id or a value out
/// of range.
TunableValues resolve(const Variant& variant, const TunableValues& chosen);

}  // namespace warplens::gpu
