// SPDX-License-Identifier: Apache-2.0
#pragma once

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
    rowAndColumn  ///< of a square filter, one row of its taps and one column
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

/// One rung of a family's ladder: a kernel of ours, or a library a user would pick instead.
struct Variant {
    enum class Kind { kernel, library };
    /// For a library row one of them, where the library runs.
    enum class Devices { cpu, cuda, both };

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

const char* nameOf(Variant::Devices devices);  ///< "cpu", "cuda", "cpu, cuda"

/// The values to launch with: defaults overlaid with `chosen`. Throws Error(argument) for an unknown id or a value out
/// of range.
TunableValues resolve(const Variant& variant, const TunableValues& chosen);

/// How blocks follow one another over the picture.
enum class Order {
    tiles,  ///< a grid of tiles
    rows    ///< along the rows, as values lie in memory
};

/// What one block touches, in pixels of the output plane; drawn as overlays.
struct Footprint {
    int blockWidth = 0, blockHeight = 0;                                   ///< threads
    int tileWidth = 0, tileHeight = 0;                                     ///< outputs a block writes
    int stagedLeft = 0, stagedTop = 0, stagedRight = 0, stagedBottom = 0;  ///< staged in shared memory beyond the tile
    bool staged = false;                                                   ///< whether anything is staged at all
    int haloX = 0, haloY = 0;                                              ///< what an output reads to each side
    bool haloThroughCache = false;  ///< whether the halo is read from global memory, not staged
    Order order = Order::tiles;
    int stagedDepth = 0;  ///< of a matrix product: columns of its left, rows of its right factor staged at a time
};

}  // namespace warplens::gpu
