// SPDX-License-Identifier: Apache-2.0
// Idea: a matrix in any format, made of the rule of its rows: count, sum up, write down.
// Changed from nothing: no variant, but what is done before one is timed. Its time stands in the table of formats.
// Needs: as many lengths as rows.
// Block: 256 threads, a row each; tiles of 2,048 lengths are summed up in shared memory.
// Source: our own.
// Look at: nothing here is worth timing twice: a matrix is built once and multiplied often.
#pragma once

#include "gpu/families/sparse/launching.cuh"

namespace warplens::gpu::sparse {
inline namespace WARPLENS_BUILD {

constexpr int kBuildThreads = 256, kScanItems = kScanTile / kBuildThreads, kBins = 32;

/// As forRow(), of given matrices as well.
template <class F>
__device__ void forAnyRow(const Rows& r, int row, F f) {
    if (r.kind != Values::given) return forRow(r, row, f);
    for (int i = r.starts[row]; i < r.starts[row + 1]; ++i) f(r.columns[i], r.values[i]);
}

template <class Number>
__global__ void countRows(Rows r, Number* lengths) {
    const std::int64_t row = threadOfGrid();
    if (row >= r.count) return;
    int count = 0;
    forAnyRow(r, static_cast<int>(row), [&count](int, float) { ++count; });
    lengths[row] = count;
}

template <class Number>
__global__ void countColumns(Rows r, Number* lengths) {
    const std::int64_t row = threadOfGrid();
    if (row < r.count)
        forAnyRow(r, static_cast<int>(row), [lengths](int column, float) { atomicAdd(&lengths[column], 1); });
}

template <class Number>
__global__ void countLengths(const Number* lengths, int rows, int* counters) {
    __shared__ int bins[kBins];
    if (threadIdx.x < kBins) bins[threadIdx.x] = 0;
    __syncthreads();
    const std::int64_t row = threadOfGrid();
    if (row < rows) atomicAdd(&bins[lengths[row]], 1);
    __syncthreads();
    if (threadIdx.x < kBins && bins[threadIdx.x] > 0) atomicAdd(&counters[threadIdx.x], bins[threadIdx.x]);
}

template <class Number>
__global__ void countSlices(const Number* lengths, int rows, int* places) {
    const std::int64_t slice = threadOfGrid(), first = slice * kSlice;
    if (first >= rows) return;
    int longest = 0;
    for (std::int64_t row = first; row < first + kSlice && row < rows; ++row)
        longest = lengths[row] > longest ? lengths[row] : longest;
    places[slice] = longest * kSlice;
}

template <class Number>
__global__ void countBeyond(const Number* lengths, int rows, int width, int* rest) {
    const std::int64_t row = threadOfGrid();
    if (row < rows) rest[row] = lengths[row] > width ? lengths[row] - width : 0;
}

/// The sums before each thread's own, of a block; `all` becomes their total.
__device__ inline int sumBefore(int own, int* sums, int& all) {
    const int t = static_cast<int>(threadIdx.x);
    sums[t] = own;
    __syncthreads();
    for (int apart = 1; apart < kBuildThreads; apart *= 2) {
        const int before = t >= apart ? sums[t - apart] : 0;
        __syncthreads();
        sums[t] += before;
        __syncthreads();
    }
    all = sums[kBuildThreads - 1];
    return sums[t] - own;
}

template <class Number>
__global__ void sumTiles(const Number* values, int count, int* totals) {
    __shared__ int sums[kBuildThreads];
    const std::int64_t first = std::int64_t{blockIdx.x} * kScanTile;
    int own = 0, all = 0;
    for (int k = 0; k < kScanItems; ++k) {
        const std::int64_t i = first + k * kBuildThreads + threadIdx.x;
        if (i < count) own += values[i];
    }
    sumBefore(own, sums, all);
    if (threadIdx.x == 0) totals[blockIdx.x] = all;
}

template <class Number>
__global__ void scanTiles(const Number* values, int count, const int* bases, int* starts) {
    __shared__ int sums[kBuildThreads];
    const std::int64_t first = std::int64_t{blockIdx.x} * kScanTile + threadIdx.x * kScanItems;
    int own = 0, all = 0;
    for (std::int64_t i = first; i < first + kScanItems && i < count; ++i) own += values[i];
    int sum = bases[blockIdx.x] + sumBefore(own, sums, all);
    for (std::int64_t i = first; i < first + kScanItems && i < count; ++i) {
        starts[i] = sum;
        sum += values[i];
        if (i == count - 1) starts[count] = sum;
    }
}

/// Where the nonzeros of a format go.
template <class V>
struct Destination {
    Format format;
    int rows, width, diagonals;
    int offsets[kMostDiagonals];
    const int* starts;     ///< of rows, slices or tails; the rows' new places
    const int* ofColumns;  ///< of columns, or jagged ones
    int* filled;           ///< nonzeros that a column has so far
    int *rowOf, *columns;
    V* values;
    int *tailRows, *tailColumns;
    V* tailValues;

    __device__ void put(int row, int k, int column, float value) const {
        std::int64_t at = std::int64_t{k} * rows + row;
        switch (format) {
            case Format::coordinates:
            case Format::rows: at = starts[row] + k; break;
            case Format::sliced: at = starts[row / kSlice] + k * kSlice + row % kSlice; break;
            case Format::hybrid:
                if (k < width) break;
                at = starts[row] + k - width;
                tailRows[at] = row;
                tailColumns[at] = column;
                tailValues[at] = value;
                return;
            case Format::diagonals: {
                int d = 0;
                while (offsets[d] != column - row) ++d;
                values[std::int64_t{d} * rows + row] = value;
                return;
            }
            case Format::columns:
                at = ofColumns[column] + atomicAdd(&filled[column], 1);
                rowOf[at] = row;
                values[at] = value;
                return;
            case Format::jagged: at = ofColumns[k] + starts[row]; break;
            case Format::dense: values[std::int64_t{column} * rows + row] = value; return;
            case Format::ell:
            case Format::none: break;
        }
        if (format == Format::coordinates) rowOf[at] = row;
        columns[at] = column;
        values[at] = value;
    }
};

template <class V>
__global__ void fillRows(Rows r, Destination<V> to) {
    const std::int64_t i = threadOfGrid();
    if (i >= r.count) return;
    const int row = static_cast<int>(i);
    int k = 0;
    forAnyRow(r, row, [&](int column, float value) { to.put(row, k++, column, value); });
}

template <class V>
__global__ void gatherUnknowns(const int* places, int count, const V* from, V* to) {
    const std::int64_t i = threadOfGrid();
    if (i < count) to[i] = from[places == nullptr ? i : places[i]];
}
template <class V>
__global__ void scatterUnknowns(const int* places, int count, const V* from, V* to) {
    const std::int64_t i = threadOfGrid();
    if (i < count) to[places == nullptr ? i : places[i]] = from[i];
}

inline dim3 buildBlock() { return {kBuildThreads}; }
inline dim3 buildGrid(std::int64_t count) { return {blocksOf(count, kBuildThreads)}; }
inline int* integersTo(LaunchContext& c, std::uint64_t handle) {
    return handle == 0 ? nullptr : static_cast<int*>(c.address(handle));
}

inline void launchLengths(LaunchContext& c, const Rule& r, std::uint64_t lengths) {
    launch(c, &countRows<int>, buildGrid(r.rows), buildBlock(), 0, rowsOf(c, r), integersTo(c, lengths));
}
inline void launchColumnLengths(LaunchContext& c, const Rule& r, std::uint64_t lengths) {
    launch(c, &countColumns<int>, buildGrid(r.rows), buildBlock(), 0, rowsOf(c, r), integersTo(c, lengths));
}
inline void launchHistogram(LaunchContext& c, std::uint64_t lengths, int rows, std::uint64_t counters) {
    launch(c, &countLengths<int>, buildGrid(rows), buildBlock(), 0, integers(c, lengths), rows,
           integersTo(c, counters));
}
inline void launchSlices(LaunchContext& c, std::uint64_t lengths, int rows, std::uint64_t places) {
    launch(c, &countSlices<int>, buildGrid(blocksOf(rows, kSlice)), buildBlock(), 0, integers(c, lengths), rows,
           integersTo(c, places));
}
inline void launchBeyond(LaunchContext& c, std::uint64_t lengths, int rows, int width, std::uint64_t rest) {
    launch(c, &countBeyond<int>, buildGrid(rows), buildBlock(), 0, integers(c, lengths), rows, width,
           integersTo(c, rest));
}
inline void launchTotals(LaunchContext& c, std::uint64_t values, int count, std::uint64_t totals) {
    launch(c, &sumTiles<int>, dim3(blocksOf(count, kScanTile)), buildBlock(), 0, integers(c, values), count,
           integersTo(c, totals));
}
inline void launchStarts(LaunchContext& c, std::uint64_t values, int count, std::uint64_t bases, std::uint64_t starts) {
    launch(c, &scanTiles<int>, dim3(blocksOf(count, kScanTile)), buildBlock(), 0, integers(c, values), count,
           integers(c, bases), integersTo(c, starts));
}
inline void launchFill(LaunchContext& c, const Rule& r, const Stored& s, std::uint64_t starts) {
    Destination<float> to{s.format,
                          s.rows,
                          s.width,
                          s.diagonals,
                          {},
                          integers(c, starts),
                          integers(c, s.starts),
                          integersTo(c, starts),
                          integersTo(c, s.rowOf),
                          integersTo(c, s.columns),
                          s.values == 0 ? nullptr : static_cast<float*>(c.address(s.values)),
                          integersTo(c, s.tailRows),
                          integersTo(c, s.tailColumns),
                          s.tailValues == 0 ? nullptr : static_cast<float*>(c.address(s.tailValues))};
    for (int d = 0; d < s.diagonals; ++d) to.offsets[d] = s.offsets[static_cast<std::size_t>(d)];
    launch(c, &fillRows<float>, buildGrid(r.rows), buildBlock(), 0, rowsOf(c, r), to);
}
inline void launchGather(LaunchContext& c, const Rule& r, const Vector& picture, const Vector& unknowns) {
    launch(c, &gatherUnknowns<float>, buildGrid(r.rows), buildBlock(), 0, integers(c, r.places), r.rows,
           input(c, picture), output(c, unknowns));
}
inline void launchScatter(LaunchContext& c, const Rule& r, const Vector& unknowns, const Vector& picture) {
    launch(c, &scatterUnknowns<float>, buildGrid(r.rows), buildBlock(), 0, integers(c, r.places), r.rows,
           input(c, unknowns), output(c, picture));
}

BuildingEntry building_entry() {
    return {.lengths = &launchLengths,
            .columnLengths = &launchColumnLengths,
            .histogram = &launchHistogram,
            .slices = &launchSlices,
            .beyond = &launchBeyond,
            .totals = &launchTotals,
            .starts = &launchStarts,
            .fill = &launchFill,
            .gather = &launchGather,
            .scatter = &launchScatter};
}

}  // namespace WARPLENS_BUILD
}  // namespace warplens::gpu::sparse
