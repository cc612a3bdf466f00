// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/variant.hpp"
#include "gpu/device/device.hpp"
#include "io/pixel_type.hpp"

#include <array>
#include <cstddef>
#include <cstdint>

namespace warplens::gpu::sparse {

enum class Task { product, inpaint, clone };
/// `given`: a file's.
enum class Values { laplacian, diffusion, filter, given };
struct GivenMatrix;
/// How a matrix is stored.
enum class Format { none, coordinates, rows, ell, sliced, hybrid, diagonals, columns, jagged, dense };

constexpr int kSlice = 32;                                  ///< rows of a slice of sliced ELL
constexpr int kMostDiagonals = 25;                          ///< of the 5 x 5 filter
constexpr std::int64_t kMostDense = std::int64_t{1} << 26;  ///< values of a dense matrix
constexpr int kNoColumn = -1;                               ///< a place that is only there to fill up

/// What is asked, without where it lies. A row of the matrix is a pixel, or with a mask one of its unknowns.
struct Case {
    Task task = Task::product;
    Values matrix = Values::laplacian;
    io::PixelType type{};
    int width = 0, height = 0, depth = 1, channels = 1;
    int rows = 0;  ///< unknowns
    bool masked = false;
    float k = 1, step = 0;  ///< diffusion
    const GivenMatrix* given = nullptr;
    int longest = 0;  ///< row of a given matrix

    std::int64_t pixels() const { return std::int64_t{width} * height * depth; }
    int neighbours() const { return depth > 1 ? 6 : 4; }
    /// Of the longest row.
    int mostNonzeros() const {
        return matrix == Values::given ? longest : matrix == Values::filter ? kMostDiagonals : neighbours() + 1;
    }
};

/// What says a row of the matrix without storing it. Buffers by handle, 0 where there is none.
struct Rule : Case {
    std::uint64_t picture = 0;                          ///< floats; diffusion's weights come of it
    std::int64_t first = 0;                             ///< of the channel's values there
    std::uint64_t places = 0;                           ///< the pixel of each unknown
    std::uint64_t numbers = 0;                          ///< the unknown of each pixel, or -1
    std::uint64_t inside = 0;                           ///< a byte a pixel: whether it is an unknown
    std::uint64_t starts = 0, columns = 0, values = 0;  ///< of a given matrix
};

/// The matrix in one format. Unused handles are 0.
struct Stored {
    Format format = Format::none;
    int rows = 0;
    std::int64_t nonzeros = 0;
    std::int64_t places = 0;  ///< of values, those that fill up among them, without the tail
    int width = 0;            ///< ELL, hybrid: places a row
    /// Of jagged diagonals: starts of columns, and the row of each place in the new order.
    std::uint64_t starts = 0, rowOf = 0, columns = 0, values = 0;
    std::int64_t tail = 0;  ///< hybrid: nonzeros beyond the width
    std::uint64_t tailRows = 0, tailColumns = 0, tailValues = 0;
    int diagonals = 0;
    std::array<int, kMostDiagonals> offsets{};
};

struct Vector {
    std::uint64_t handle = 0;
    std::int64_t first = 0;
};

/// y = A x, of a stored matrix for each of several channels in one launch: their vectors lie one behind the other.
struct Product {
    Stored stored{};
    Rule rule{};
    Vector x{}, y{};
    int channels = 1;
};

/// What a kernel file offers to the family, one instance a build.
struct KernelEntry {
    void (*multiply)(LaunchContext&, const Product&, const TunableValues&) = nullptr;
    Footprint (*footprint)(const Case&, const TunableValues&) = nullptr;
    Format format = Format::none;
    /// Vectors hold every pixel, zeros where there is no unknown, instead of the unknowns alone.
    bool wholePictures = false;
};

/// What turns a rule into a stored matrix.
struct BuildingEntry {
    /// Nonzeros of each row.
    void (*lengths)(LaunchContext&, const Rule&, std::uint64_t lengths) = nullptr;
    /// Nonzeros of each column, added to `lengths`.
    void (*columnLengths)(LaunchContext&, const Rule&, std::uint64_t lengths) = nullptr;
    /// How many rows have a length of 0, 1, 2 ... 31, added to 32 counters.
    void (*histogram)(LaunchContext&, std::uint64_t lengths, int rows, std::uint64_t counters) = nullptr;
    /// Places of each slice of sliced ELL, from the lengths.
    void (*slices)(LaunchContext&, std::uint64_t lengths, int rows, std::uint64_t places) = nullptr;
    /// Nonzeros beyond a width, from the lengths.
    void (*beyond)(LaunchContext&, std::uint64_t lengths, int rows, int width, std::uint64_t rest) = nullptr;
    /// The sums of tiles of kScanTile values.
    void (*totals)(LaunchContext&, std::uint64_t values, int count, std::uint64_t totals) = nullptr;
    /// count + 1 exclusive sums, `bases` being those of the tiles before.
    void (*starts)(LaunchContext&, std::uint64_t values, int count, std::uint64_t bases,
                   std::uint64_t starts) = nullptr;
    /// Writes the nonzeros; `starts` are those of the rows (of the tails: hybrid; of jagged diagonals the new place of
    /// each row; of columns how many are there, at first none), 0 where no format needs them. What fills up is there
    /// already.
    void (*fill)(LaunchContext&, const Rule&, const Stored&, std::uint64_t starts) = nullptr;
    /// Between a picture and its unknowns, one channel.
    void (*gather)(LaunchContext&, const Rule&, const Vector& picture, const Vector& unknowns) = nullptr;
    void (*scatter)(LaunchContext&, const Rule&, const Vector& unknowns, const Vector& picture) = nullptr;
};

constexpr int kScanTile = 2048;

}  // namespace warplens::gpu::sparse
