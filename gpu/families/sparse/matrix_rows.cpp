// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/matrix_rows.hpp"

#include "gpu/core/error.hpp"
#include "gpu/families/sparse/lattice.hpp"
#include "gpu/families/sparse/problem.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <set>
#include <span>

namespace warplens::gpu::sparse {
namespace {

constexpr std::int64_t kValue = 4, kPlace = 8;  // a value; with its column

std::span<const std::int32_t> some(const MatrixRows& rows, int first, int count) {
    return std::span(rows.lengths).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

int longestOf(std::span<const std::int32_t> lengths) {
    return lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
}

std::int64_t sumOf(std::span<const std::int32_t> lengths) {
    std::int64_t sum = 0;
    for (const std::int32_t length : lengths) sum += length;
    return sum;
}

/// From a pixel to one that its row has a nonzero for.
struct Step {
    int x = 0, y = 0, z = 0;
};
std::vector<Step> stepsOf(const Case& of) {
    std::vector<Step> steps;
    const int reach = of.matrix == Values::filter ? 2 : 1;
    for (int j = -reach; j <= reach; ++j)
        for (int i = -reach; i <= reach; ++i)
            if (reach == 2 || i == 0 || j == 0) steps.push_back({i, j, 0});
    if (of.depth > 1 && reach == 1) steps.insert(steps.end(), {{0, 0, -1}, {0, 0, 1}});
    return steps;
}

std::vector<float> firstChannel(const io::Grid& picture) {
    std::vector<float> values(static_cast<std::size_t>(picture.shape().pixels()));
    for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(picture.value(static_cast<std::int64_t>(i), 0));
    return values;
}

/// What says the matrix of the first channel, and what that needs.
struct FirstRule {
    FirstRule(Device& device, const io::Grid& picture, const Case& of, const Unknowns& unknowns)
        : lattice(device, of, unknowns), rule(lattice.rule()) {
        if (of.matrix != Values::diffusion) return;
        weights = uploaded(device, firstChannel(picture));
        rule.picture = weights.handle();
    }
    Lattice lattice;
    Rule rule;
    Buffer weights;
};

}  // namespace

CompressedRows compressedRows(const io::Grid& input, const Case& of, const Unknowns& unknowns) {
    const auto device = openDevice("cpu");
    const FirstRule first(*device, input, of, unknowns);
    const StoredMatrix matrix(*device, first.rule, Format::rows);
    device->synchronize();
    const Stored& stored = matrix.stored();
    CompressedRows rows;
    const auto take = [&]<class T>(std::vector<T>& to, std::uint64_t handle, std::int64_t count) {
        to.resize(static_cast<std::size_t>(count));
        std::memcpy(to.data(), device->context().address(handle), to.size() * sizeof(T));
    };
    take(rows.starts, stored.starts, std::int64_t{stored.rows} + 1);
    take(rows.columns, stored.columns, stored.nonzeros);
    take(rows.values, stored.values, stored.nonzeros);
    return rows;
}

int MatrixRows::rowAt(std::int64_t pixel) const {
    return unknowns.masked() ? unknowns.numbers[static_cast<std::size_t>(pixel)] : static_cast<int>(pixel);
}

std::int64_t MatrixRows::pixelOf(int row) const {
    return unknowns.masked() ? unknowns.places[static_cast<std::size_t>(row)] : row;
}

MatrixRows matrixRows(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                      const std::stop_token& stop) {
    const SparseProblem problem(input, values);
    if (problem.posed().given != nullptr)
        throw Error(Error::Kind::unsupported, "a file's matrix is not drawn: take laplacian, diffusion or filter");
    MatrixRows made{.posed = problem.posed(), .unknowns = problem.unknowns(), .lengths = {}};
    const auto device = openDevice("cpu");
    device->setStop(stop);
    const FirstRule first(*device, *input, made.posed, made.unknowns);
    made.lengths.resize(static_cast<std::size_t>(made.posed.rows));
    const std::size_t bytes = made.lengths.size() * sizeof(std::int32_t);
    const Buffer lengths = device->allocate(bytes);
    building(device->info()).lengths(device->context(), first.rule, lengths.handle());
    device->synchronize();
    device->download(made.lengths.data(), lengths, bytes);
    std::array<std::int32_t, kLengths> counters{};
    for (const std::int32_t length : made.lengths) ++counters[static_cast<std::size_t>(length)];
    const Widths widths = widthsOf(counters, made.posed.rows);
    made.longest = widths.longest;
    made.shared = widths.shared;
    made.nonzeros = widths.nonzeros;
    return made;
}

StoredRows storedRows(const MatrixRows& rows, Format format, int first, int count) {
    const auto lengths = some(rows, first, count);
    StoredRows made{.nonzeros = sumOf(lengths)};
    std::int64_t places = made.nonzeros;
    switch (format) {
        case Format::coordinates: made.bytes = (kPlace + 4) * places; break;
        case Format::rows: made.bytes = kPlace * places + 4 * (count + std::int64_t{1}); break;
        case Format::ell:
            made.width = rows.longest;
            places = std::int64_t{made.width} * count;
            made.bytes = kPlace * places;
            break;
        case Format::sliced: {
            const int slices = (count + kSlice - 1) / kSlice;
            places = 0;
            for (int slice = 0; slice < slices; ++slice) {
                const int begin = slice * kSlice;
                const int width = longestOf(some(rows, first + begin, std::min(kSlice, count - begin)));
                made.width = std::max(made.width, width);
                places += std::int64_t{width} * kSlice;
            }
            made.bytes = kPlace * places + 4 * (slices + std::int64_t{1});
            break;
        }
        case Format::hybrid:
            made.width = rows.shared;
            places = std::int64_t{made.width} * count;
            for (const std::int32_t length : lengths) made.tail += std::max(0, length - made.width);
            made.bytes = kPlace * places + (kPlace + 4) * made.tail;
            break;
        case Format::diagonals:
            if (rows.posed.masked) break;
            made.width = static_cast<int>(diagonalsOf(rows.posed).size());
            places = std::int64_t{made.width} * count;
            made.bytes = kValue * places;
            break;
        case Format::columns: made.bytes = kPlace * places + 4 * (count + std::int64_t{1}); break;
        case Format::jagged:
            made.width = longestOf(lengths);
            made.bytes = kPlace * places + 4 * (count + made.width + std::int64_t{1});
            break;
        case Format::dense:
            made.width = rows.count();
            places = std::int64_t{made.width} * count;
            made.bytes = kValue * places;
            break;
        case Format::none: places = made.nonzeros; break;
    }
    made.padded = places + made.tail - made.nonzeros;
    return made;
}

std::vector<int> diagonalsOf(const Case& of) {
    if (of.given != nullptr) return of.given->offsets;
    std::set<int> offsets;
    for (const Step& step : stepsOf(of)) offsets.insert((step.z * of.height + step.y) * of.width + step.x);
    std::erase_if(offsets, [&](int offset) { return std::abs(offset) >= of.rows; });
    return {offsets.begin(), offsets.end()};
}

bool onDiagonal(const MatrixRows& rows, int row, int offset) {
    const Case& of = rows.posed;
    if (rows.lengths[static_cast<std::size_t>(row)] == 1) return offset == 0;
    const int x = row % of.width, y = row / of.width % of.height, z = row / of.width / of.height;
    return std::ranges::any_of(stepsOf(of), [&](const Step& step) {
        const bool inside = x + step.x >= 0 && x + step.x < of.width && y + step.y >= 0 && y + step.y < of.height &&
                            z + step.z >= 0 && z + step.z < of.depth;
        return inside && (step.z * of.height + step.y) * of.width + step.x == offset;
    });
}

LaneSteps threadPerRow(const MatrixRows& rows, int first, int count) {
    const auto lengths = some(rows, first, count);
    return {sumOf(lengths), std::int64_t{kWarp} * longestOf(lengths)};
}

LaneSteps warpPerRow(const MatrixRows& rows, int first, int count) {
    const auto lengths = some(rows, first, count);
    LaneSteps steps{.working = sumOf(lengths), .all = 0};
    for (const std::int32_t length : lengths) steps.all += (length + kWarp - 1) / kWarp * kWarp;
    return steps;
}

}  // namespace warplens::gpu::sparse
