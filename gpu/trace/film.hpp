// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/run/runner.hpp"
#include "gpu/trace/warp_trace.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace warplens::gpu {

/// Asks for the life of one block.
struct FilmQuery {
    std::string kernel{};                            ///< as in KernelCounters; empty: the first one launched
    int launch = 0;                                  ///< of that kernel, from 0
    std::optional<std::array<unsigned, 3>> block{};  ///< none: the one of the pixel, or the middle one
    std::optional<std::array<std::int64_t, 3>> pixel{};
    bool operator==(const FilmQuery&) const = default;
};

/// A shared array of the block.
struct FilmArray {
    std::string name;  ///< as in the source
    std::int64_t bytes = 0;
    int valueBytes = 4;  ///< of the smallest access
    bool operator==(const FilmArray&) const = default;
};

/// One warp and one request of it.
struct FilmStep {
    int warp = 0;
    int epoch = 0;          ///< barriers that its lanes have passed before
    int round = 0;          ///< number of this request among the warp's between these barriers
    int array = -1;         ///< number in Film::arrays; -1 unless shared
    WarpRequest request{};  ///< its offset in shared memory is that in the array
    /// Of a store or an atomic that writes values: words of 4 bytes of each lane that takes part, in order: what the
    /// store left behind, or by how much the atomic changed its word, modulo 2^32.
    std::vector<std::uint32_t> values{};
    bool operator==(const FilmStep&) const = default;
};

/// What one block did, in an order in which it may have happened: between two barriers each warp makes a request in
/// turn. The order of the trace, no time.
struct Film {
    std::string kernel;
    int launch = 0;
    std::array<unsigned, 3> grid{}, block{};  ///< of the launch, in blocks and threads
    std::array<unsigned, 3> index{};          ///< of the block
    std::array<std::int64_t, 3> extent{};     ///< of the picture that the buffers' planes hold
    std::vector<WarpSite> sites{};
    std::vector<WarpBuffer> buffers{};
    std::vector<FilmArray> arrays{};
    std::vector<WarpSite> barriers{};  ///< where each barrier is, of file and line alone
    std::vector<FilmStep> steps{};
    std::int64_t omittedSteps = 0;  ///< further ones
    bool operator==(const Film&) const = default;

    int warps() const { return static_cast<int>((block[0] * block[1] * block[2] + 31) / 32); }
    const WarpSite& siteOf(const FilmStep& step) const { return sites[static_cast<std::size_t>(step.request.site)]; }
    /// Whether a global request touches planes of the picture's size.
    bool onPicture(const FilmStep& step) const {
        return step.request.buffer >= 0 && buffers[static_cast<std::size_t>(step.request.buffer)].valueBytes > 0;
    }
};

/// What a stretch of steps is about.
enum class FilmPhaseKind { setUp, load, add, compute, store, finish, stream, wait };
/// "set up", "load", "load and add", "compute", "store", "compute and store", "load and store", "wait"
const char* nameOf(FilmPhaseKind kind);

/// Steps of one kind that follow each other between two barriers. A wait is a barrier: it has no steps.
struct FilmPhase {
    FilmPhaseKind kind{};
    int first = 0, count = 0;
    int epoch = 0;
    bool operator==(const FilmPhase&) const = default;
};

/// Between two barriers: steps before anything is loaded are set up; those that load values, for most of them or to
/// keep them in shared memory, are load, or add where atomics put them there; those after the last other step that
/// write results are store, or finish where they read shared memory in between; where loads and stores of results take
/// turns, all are stream; all others compute. Where two barriers part them, the wait between.
std::vector<FilmPhase> phasesOf(const Film& film);

/// One value of the block's shared memory, or of a buffer that is no picture, after some steps.
struct FilmCell {
    bool filled = false;
    int warp = -1;  ///< the last that wrote it
    int lane = -1;
    std::int64_t pixel = -1;  ///< number of the picture's value that lies here as it was read; -1: it is computed
    std::uint32_t value = 0;  ///< bits; of cells over 4 bytes the lowest
    int atomics = 0;          ///< that changed it so far
    int loads = 0;            ///< requests of warps that read it so far
};

/// What a block has done after some of its steps.
class FilmState {
public:
    explicit FilmState(const Film& film);
    /// The state after the first `steps` steps, at most all. Backward it begins anew.
    void goTo(int steps);
    int at() const { return m_at; }

    /// Cells of a shared array, each of its valueBytes.
    const std::vector<FilmCell>& cells(int array) const { return m_cells[static_cast<std::size_t>(array)]; }
    /// What each warp does before the step at(): whether it waits at the barrier, has yet to come to it, or has ended.
    enum class Warp { works, waits, ended };
    Warp warp(int warp) const { return this->warp(warp, m_at); }
    /// The same of before another step; the warp of that step works.
    Warp warp(int warp, int step) const;
    /// Values of the picture, numbered through its planes, read and written so far.
    bool read(std::int64_t value) const { return bit(m_read, value); }
    bool written(std::int64_t value) const { return bit(m_written, value); }
    /// Steps that each warp has made.
    int made(int warp) const { return m_made[static_cast<std::size_t>(warp)]; }

private:
    void reset();
    void apply(const FilmStep& step);
    void applyShared(const FilmStep& step, const WarpSite& site);
    void applyPicture(const FilmStep& step, const WarpSite& site);
    static bool bit(const std::vector<bool>& of, std::int64_t at) {
        return at >= 0 && static_cast<std::size_t>(at) < of.size() && of[static_cast<std::size_t>(at)];
    }

    const Film& m_film;
    int m_at = 0;
    std::vector<std::vector<FilmCell>> m_cells;
    std::vector<bool> m_read, m_written;
    std::vector<int> m_made;
    /// Of a thread, since it last stored a value: its requests to the picture, and what the last one read.
    struct Loaded {
        std::int64_t first = -1, values = 0;
        int requests = 0;
    };
    std::vector<Loaded> m_loaded;
    std::vector<std::vector<int>> m_last;  ///< of each warp, the number of its last step in each epoch; -1: none
};

/// What the blocks of a launch over a plane write, where nothing else tells: tiles of whole blocks that cover it, or,
/// of a launch along one axis, the values in their order.
Footprint footprintOf(const std::array<unsigned, 3>& grid, const std::array<unsigned, 3>& block,
                      const std::array<std::int64_t, 3>& extent);
/// The picture's values that a request touches, numbered through its planes; empty unless it touches the picture.
std::vector<std::int64_t> valuesTouched(const Film& film, const FilmStep& step);
/// The cells of its array that a request touches, a lane each; with 32 banks of 4 bytes: bank = byte / 4 mod 32.
std::vector<std::pair<int, std::int64_t>> cellsTouched(const Film& film, const FilmStep& step);
/// What the warp does in this step: "Warp 2 reads 32 pixels, 4 of one row and 28 of the next".
std::string sentenceOf(const Film& film, const FilmStep& step);
/// What it costs: "7 sectors where 4 would do", "2 wavefronts: a 2-way bank conflict"; may be empty.
std::string costOf(const Film& film, const FilmStep& step);
/// What is done at the step's place, in a word or two: "global load", "shared atomic".
std::string accessOf(const WarpSite& site);
/// A value's bits as a person reads them: counts as integers, all else as f32.
std::string textOfBits(std::uint32_t bits);

/// Makes the film of a block of the request's only variant, or of its only kernel of the user's. Throws Error:
/// unsupported where it cannot be traced, argument where there is no such kernel, launch or block, cancelled.
using FilmMaker = std::function<Film(const Request& request, const FilmQuery& query, std::stop_token stop)>;

}  // namespace warplens::gpu
