// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"

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
    std::string id;  ///< of the run: the variant, with tunables where some were chosen
    Status status = Status::ok;
    std::string reason;  ///< of what is not ok: one sentence
    std::optional<Timing> time;
    std::string note{};  ///< why it is not exact, or of which other definition; empty: it is
};

/// One size and one value of the parameter that is varied.
struct SweepCell {
    std::int64_t value = 0;
    std::int64_t width = 0, height = 0;  ///< pixels
    std::vector<SweepRow> rows;          ///< in the order of the ladder
};

/// Times of a family's kernels over a parameter and the size of the picture.
struct Sweep {
    std::string version;  ///< of Warplens
    Environment environment;
    DeviceInfo device;
    std::optional<Limits> limits;
    std::string family;
    std::string parameter;       ///< the one that is varied: "radius"
    ParameterValues parameters;  ///< all others
    std::string input;           ///< what the pictures are: "noise"
    std::string type;            ///< of their values: "u8", "u16" or "f32"
    std::vector<std::int64_t> values;
    std::vector<std::array<std::int64_t, 2>> sizes;  ///< width and height, pixels
    std::vector<std::string> variants;               ///< ids of runs
    std::vector<SweepCell> cells;                    ///< measured so far, size by size
    bool interrupted = false;
};

/// What to sweep over.
struct SweepRequest {
    std::string family, parameter;
    ParameterValues parameters;
    std::vector<std::int64_t> values;
    std::vector<std::array<std::int64_t, 2>> sizes;
    std::vector<std::string> variants;  ///< ids as in Request; empty: every kernel of the family
    std::string device;                 ///< as in Request
    TimingPolicy timing;                ///< on a CPU each variant is timed once: its times decide nothing
    std::string input, type;            ///< names of what `picture` makes
    std::function<std::shared_ptr<const io::Grid>(std::int64_t width, std::int64_t height)> picture;
};

/// The families that have a parameter to sweep over, with commas between their ids.
std::string sweptFamilies();

/// "1,2,4" as numbers. Throws Error(argument) that begins with `name`.
std::vector<std::int64_t> parseWholeNumbers(const std::string& name, const std::string& text);
/// "512,1024x768" as widths and heights; one number is a square. Throws Error(argument) that begins with `name`.
std::vector<std::array<std::int64_t, 2>> parseSizes(const std::string& name, const std::string& text);

/// Measures cell by cell and tells each whole one. Stopping returns those that were finished, with `interrupted` set.
/// Throws Error as Runner::run does; a request without values, sizes or kernels is refused with Error(argument).
Sweep runSweep(Runner& runner, const SweepRequest& request, const std::stop_token& stop, const Observer& observer = {},
               const std::function<void(const Sweep&)>& cellDone = {});

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

}  // namespace warplens::gpu
