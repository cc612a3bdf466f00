// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"
#include "gpu/run/sweep_axis.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// One kernel at one cell of a sweep. No time unless its result was right.
struct SweepRow {
    std::string id;  ///< of the run: the variant, with tunables where some were chosen; not those that are varied
    Status status = Status::ok;
    std::string reason;  ///< of what is not ok: one sentence
    std::optional<Timing> time;
    std::string note{};  ///< why it is not exact, or of which other definition; empty: it is
};

/// One value of each axis.
struct SweepCell {
    std::vector<std::string> at{};       ///< a value an axis
    std::int64_t width = 0, height = 0;  ///< of the picture, pixels
    std::vector<SweepRow> rows{};        ///< in the order of the ladder
};

/// Times of a family's kernels over one or two axes.
struct Sweep {
    std::string version;  ///< of Warplens
    Environment environment;
    DeviceInfo device;
    std::optional<Limits> limits;
    std::string family;
    std::vector<SweepAxis> axes;
    ParameterValues parameters;                      ///< all that are not varied
    std::string input;                               ///< what the pictures are: "noise", or the name of the one
    std::string type;                                ///< of their values, "u8"; empty where it is varied
    std::vector<std::array<std::int64_t, 2>> sizes;  ///< width and height of every picture, pixels
    std::vector<std::string> variants;               ///< ids of runs
    std::vector<SweepCell> cells;                    ///< measured so far, picture by picture
    bool interrupted = false;

    /// Cells when all are measured.
    std::size_t wanted() const;
    /// By a value of the first and one of the second axis (0 where there is none); null while it is not measured.
    const SweepCell* cell(std::size_t first, std::size_t second = 0) const;
};

/// What to sweep over.
struct SweepRequest {
    std::string family;
    std::vector<SweepAxis> axes;  ///< one or two, of which no two are the same
    ParameterValues parameters;
    std::vector<std::string> variants;  ///< ids as in Request; empty: every kernel that has the tunables varied
    std::vector<std::shared_ptr<const UserKernel>> kernels{};  ///< of the user's, after the ladder
    std::string device;                                        ///< as in Request
    TimingPolicy timing;                 ///< on a CPU each variant is timed once: its times decide nothing
    std::string input;                   ///< the name of what `picture` makes
    std::array<std::int64_t, 2> size{};  ///< of the pictures where no axis varies it
    std::string type;                    ///< of their values where no axis varies it
    std::function<std::shared_ptr<const io::Grid>(std::int64_t width, std::int64_t height, const std::string& type)>
        picture;
};

/// The families that have a parameter which a sweep varies unasked, with commas between their ids.
std::string sweptFamilies();

/// Uniform noise, the picture of a sweep that has none of its own; its name in a request is "noise".
std::shared_ptr<const io::Grid> noisePicture(std::int64_t width, std::int64_t height, const std::string& type);
/// One picture for all cells; axes of size and type are refused with it.
void sweepOn(SweepRequest& request, std::shared_ptr<const io::Grid> picture, const std::string& name);

/// Measures and verifies cell by cell and tells each whole one; what a cell refuses stands in its rows. Stopping
/// returns those that were finished, with `interrupted` set. Throws Error as Runner::run does, and Error(argument) for
/// axes, values or variants that make no sense, and where every cell is refused.
Sweep runSweep(Runner& runner, const SweepRequest& request, const std::stop_token& stop, const Observer& observer = {},
               const std::function<void(const Sweep&)>& cellDone = {});

/// "block_width 8, radius 3"
std::string placeOf(const Sweep& sweep, const SweepCell& cell);
/// A run of the sweep as it was in a cell, with the tunables varied: "tiled_output@block_width=16".
std::string runAt(const Sweep& sweep, const SweepCell& cell, const std::string& id);

/// Who is fastest in a cell. Rows of another clock than a GPU's take no part, nor do those that are not exact, nor
/// variants outside `among` (empty: all).
struct SweepWinner {
    const SweepRow* fastest = nullptr;
    const SweepRow* next = nullptr;       ///< the runner-up; null: nobody else has a time
    std::vector<const SweepRow*> same{};  ///< those whose intervals overlap with the fastest one's
    double ratio = 1;                     ///< the runner-up's median over the fastest one's
    Verdict verdict = Verdict::faster;    ///< of the fastest against the runner-up
};
/// Nothing where no row has a time of a GPU. Points into the cell.
std::optional<SweepWinner> winnerOf(const SweepCell& cell, const std::set<std::string>& among = {});
std::optional<SweepWinner> winnerOf(SweepCell&& cell, const std::set<std::string>& among = {}) = delete;

/// The fastest run among the cells that do the same work as `cell`: those that differ from it in tunables alone.
struct SweepBest {
    const SweepCell* cell = nullptr;
    const SweepRow* row = nullptr;
};
/// Nothing where winnerOf() has none. Points into the sweep.
std::optional<SweepBest> bestOf(const Sweep& sweep, const SweepCell& cell, const std::set<std::string>& among = {});

}  // namespace warplens::gpu
