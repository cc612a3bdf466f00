// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/stored_matrix.hpp"

#include "gpu/families/sparse/given_matrix.hpp"
#include "gpu/families/sparse/matrix_rows.hpp"
#include "gpu/families/sparse/problem.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <utility>

namespace warplens::gpu::sparse {
namespace {

constexpr int kFillWithNothing = 0, kFillWithNoColumn = 0xff;
/// Whole quads, so that 16 bytes can be read at the end.
constexpr std::int64_t padded(std::int64_t count) { return (count + 7) / 4 * 4; }

}  // namespace

std::int64_t placesOf(const GivenMatrix& of, Format format) {
    const std::int64_t rows = of.rows;
    switch (format) {
        case Format::ell: return rows * of.longest;
        case Format::sliced: return of.slicedPlaces;
        case Format::hybrid: return rows * of.shared + of.nonzeros();
        case Format::diagonals: return rows * of.diagonals;
        case Format::dense: return rows * rows;
        default: return of.nonzeros();
    }
}

const char* nameOf(Format format) {
    switch (format) {
        case Format::coordinates: return "coo";
        case Format::rows: return "csr";
        case Format::ell: return "ell";
        case Format::sliced: return "sliced ell";
        case Format::hybrid: return "hybrid";
        case Format::diagonals: return "diagonals";
        case Format::columns: return "csc";
        case Format::jagged: return "jds";
        case Format::dense: return "dense";
        case Format::none: break;
    }
    return "none";
}

const char* savesWhile(Format format) {
    switch (format) {
        case Format::coordinates: return "fewer than a third of the values are nonzero";
        case Format::rows:
        case Format::columns: return "fewer than (1 - 1/N) / 2 of the values are nonzero";
        case Format::ell: return "the longest row has fewer than N / 2 nonzeros";
        case Format::sliced: return "the longest rows of the slices have fewer than N / 2 nonzeros on average";
        case Format::hybrid: return "2 N w + 3 t < N x N, with w places per row and t nonzeros beyond them";
        case Format::diagonals: return "the nonzeros lie on fewer than N diagonals";
        case Format::jagged: return "2 S + N + K < N x N, with S nonzeros, K of them in the longest row";
        case Format::dense: return "never: the others are compared with it";
        case Format::none: break;
    }
    return "always";
}

StoredMatrix::StoredMatrix(Device& device, const Rule& rule, Format format)
    : m_device(device), m_build(building(device.info())), m_rule(rule) {
    m_stored.format = format;
    m_stored.rows = rule.rows;
    m_lengths = integers(rule.rows);
    timed([&] { m_build.lengths(device.context(), m_rule, m_lengths.handle()); });
    m_stored.width = widthOf();
    shape();
    timed([&] { m_build.fill(device.context(), m_rule, m_stored, m_starts ? m_starts.handle() : m_stored.starts); });
    m_lengths = {};
    m_starts = {};
}

Buffer StoredMatrix::integers(std::int64_t count) {
    return m_device.allocate(static_cast<std::size_t>(padded(count)) * sizeof(std::int32_t));
}

std::uint64_t StoredMatrix::keep(std::int64_t count, int fill) {
    m_buffers.push_back(integers(count));
    m_device.fill(m_buffers.back(), fill);
    return m_buffers.back().handle();
}

// Three integers a nonzero, and beside them lengths, starts and what is beyond a hybrid's width, an integer a row each,
// with their tiles' totals.
std::int64_t StoredMatrix::bytesAtMost(const Case& of, Format format) {
    constexpr std::int64_t kRest = 1 << 14;
    if (format == Format::dense) return 4 * std::int64_t{of.rows} * of.rows + 4 * std::int64_t{of.rows} + kRest;
    if (of.given != nullptr) return 12 * placesOf(*of.given, format) + 13 * std::int64_t{of.rows} + kRest;
    return std::int64_t{of.rows} * (12 * of.mostNonzeros() + 13) + kRest;
}

std::int64_t StoredMatrix::bytes() const {
    std::int64_t bytes = 0;
    for (const Buffer& buffer : m_buffers) bytes += static_cast<std::int64_t>(buffer.bytes());
    return bytes;
}

std::int64_t StoredMatrix::scan(const Buffer& values, int count, const Buffer& starts) {
    std::vector<std::int32_t> bases(static_cast<std::size_t>((count + kScanTile - 1) / kScanTile));
    const Buffer totals = integers(static_cast<std::int64_t>(bases.size()));
    LaunchContext& context = m_device.context();
    const std::size_t bytes = bases.size() * sizeof(std::int32_t);
    timed([&] { m_build.totals(context, values.handle(), count, totals.handle()); });
    m_device.download(bases.data(), totals, bytes);
    const std::int64_t all = std::accumulate(bases.begin(), bases.end(), std::int64_t{0});
    std::exclusive_scan(bases.begin(), bases.end(), bases.begin(), 0);
    m_device.upload(totals, bases.data(), bytes);
    timed([&] { m_build.starts(context, values.handle(), count, totals.handle(), starts.handle()); });
    m_device.synchronize();
    return all;
}

void StoredMatrix::shape() {
    Stored& s = m_stored;
    const int rows = s.rows;
    const bool coordinates = s.format == Format::coordinates;
    if (s.format == Format::diagonals) {
        findDiagonals();
        s.places = std::int64_t{s.diagonals} * rows;
        s.values = keep(s.places, kFillWithNothing);
        return;
    }
    if (s.format == Format::dense) {
        s.places = std::int64_t{rows} * rows;
        s.values = keep(s.places, kFillWithNothing);
        return;
    }
    if (s.format == Format::columns) return shapeColumns();
    if (s.format == Format::jagged) return shapeJagged();
    if (coordinates || s.format == Format::rows) {
        Buffer starts = integers(rows + std::int64_t{1});
        s.places = scan(m_lengths, rows, starts);
        if (coordinates) {
            m_starts = std::move(starts);
            s.rowOf = keep(s.places, kFillWithNothing);
        } else {
            s.starts = starts.handle();
            m_buffers.push_back(std::move(starts));
        }
        s.columns = keep(s.places, kFillWithNothing);
        s.values = keep(s.places, kFillWithNothing);
        return;
    }
    if (s.format == Format::sliced) {
        const int slices = (rows + kSlice - 1) / kSlice;
        const Buffer places = integers(slices);
        timed([&] { m_build.slices(m_device.context(), m_lengths.handle(), rows, places.handle()); });
        Buffer starts = integers(slices + std::int64_t{1});
        s.places = scan(places, slices, starts);
        s.starts = starts.handle();
        m_buffers.push_back(std::move(starts));
    } else {
        s.places = std::int64_t{s.width} * rows;
    }
    if (s.format == Format::hybrid) {
        const Buffer rest = integers(rows);
        timed([&] { m_build.beyond(m_device.context(), m_lengths.handle(), rows, s.width, rest.handle()); });
        m_starts = integers(rows + std::int64_t{1});
        s.tail = scan(rest, rows, m_starts);
        s.tailRows = keep(s.tail, kFillWithNothing);
        s.tailColumns = keep(s.tail, kFillWithNothing);
        s.tailValues = keep(s.tail, kFillWithNothing);
    }
    s.columns = keep(s.places, kFillWithNoColumn);
    s.values = keep(s.places, kFillWithNothing);
}

/// As many columns as rows.
void StoredMatrix::shapeColumns() {
    Stored& s = m_stored;
    m_device.fill(m_lengths, kFillWithNothing);
    timed([&] { m_build.columnLengths(m_device.context(), m_rule, m_lengths.handle()); });
    Buffer starts = integers(s.rows + std::int64_t{1});
    s.places = scan(m_lengths, s.rows, starts);
    s.starts = starts.handle();
    m_buffers.push_back(std::move(starts));
    s.rowOf = keep(s.places, kFillWithNothing);
    s.values = keep(s.places, kFillWithNothing);
    m_starts = integers(s.rows);
    m_device.fill(m_starts, kFillWithNothing);
}

/// Rows of the same length keep their order.
void StoredMatrix::shapeJagged() {
    Stored& s = m_stored;
    const auto rows = static_cast<std::size_t>(s.rows);
    std::vector<std::int32_t> lengths(rows), order(rows), places(rows);
    std::vector<std::int32_t> starts(static_cast<std::size_t>(s.width) + 1);
    m_device.download(lengths.data(), m_lengths, rows * sizeof(std::int32_t));
    std::iota(order.begin(), order.end(), 0);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::int32_t row) { return lengths[static_cast<std::size_t>(row)]; });
    for (std::size_t place = 0; place < rows; ++place) {
        const auto row = static_cast<std::size_t>(order[place]);
        places[row] = static_cast<std::int32_t>(place);
        for (std::int32_t k = 0; k < lengths[row]; ++k) ++starts[static_cast<std::size_t>(k) + 1];
    }
    std::partial_sum(starts.begin(), starts.end(), starts.begin());
    const auto upload = [&](const std::vector<std::int32_t>& values) {
        Buffer buffer = integers(static_cast<std::int64_t>(values.size()));
        m_device.upload(buffer, values.data(), values.size() * sizeof(std::int32_t));
        return buffer;
    };
    m_starts = upload(places);
    s.starts = m_buffers.emplace_back(upload(starts)).handle();
    s.rowOf = m_buffers.emplace_back(upload(order)).handle();
    m_device.synchronize();
    s.places = s.nonzeros;
    s.columns = keep(s.places, kFillWithNothing);
    s.values = keep(s.places, kFillWithNothing);
}

Widths widthsOf(const std::array<std::int32_t, kLengths>& counters, int rows) {
    Widths made;
    std::int64_t filled = 0;
    for (int length = kLengths - 1; length >= 0; --length) {
        const std::int64_t count = counters[static_cast<std::size_t>(length)];
        made.nonzeros += count * length;
        filled += count;
        if (count > 0 && made.longest == 0) made.longest = length;
        if (made.shared == 0 && 3 * filled >= rows) made.shared = length;
    }
    return made;
}

/// Also counts the nonzeros. The longest row's width, but of a hybrid what a third of the rows fill.
int StoredMatrix::widthOf() {
    if (const GivenMatrix* const given = m_rule.given; given != nullptr) {
        m_stored.nonzeros = given->nonzeros();
        return m_stored.format == Format::hybrid ? given->shared : given->longest;
    }
    std::array<std::int32_t, kLengths> counters{};
    const Buffer bins = integers(counters.size());
    m_device.fill(bins, 0);
    timed([&] { m_build.histogram(m_device.context(), m_lengths.handle(), m_stored.rows, bins.handle()); });
    m_device.download(counters.data(), bins, sizeof counters);
    const Widths widths = widthsOf(counters, m_stored.rows);
    m_stored.nonzeros = widths.nonzeros;
    return m_stored.format == Format::hybrid ? widths.shared : widths.longest;
}

void StoredMatrix::findDiagonals() {
    const std::vector<int> offsets = diagonalsOf(m_rule);
    m_stored.diagonals = static_cast<int>(offsets.size());
    std::copy(offsets.begin(), offsets.end(), m_stored.offsets.begin());
}

namespace {

/// What the format saves of a dense matrix of so many values, and when it does.
void addAgainstDense(Table& table, Format format, std::int64_t bytes, std::int64_t nonzeros, std::int64_t places) {
    const auto percent = [places](double part, double of) {
        return Column::Reals{std::round(1e4 * part / (of * static_cast<double>(places))) / 100};
    };
    const auto add = [&table](const char* id, const char* title, const char* unit, auto values) {
        table.columns.push_back(
            {.id = id, .title = title, .unit = unit, .origin = Origin::counted, .values = std::move(values)});
    };
    add("share", "Nonzero", "%", percent(static_cast<double>(nonzeros), 1));
    add("dense_bytes", "Dense", "B", Column::Integers{4 * places});
    add("of_dense", "Of dense", "%", percent(static_cast<double>(bytes), 4));
    add("saves_while", "Saves while", "", Column::Texts{savesWhile(format)});
}

}  // namespace

Table formatsTable(const std::vector<StoredMatrix>& matrices, const Case& of) {
    std::int64_t bytes = 0, places = 0, nonzeros = 0;
    double milliseconds = 0;
    for (const StoredMatrix& one : matrices) {
        bytes += one.bytes();
        nonzeros += one.stored().nonzeros;
        places += one.stored().places + one.stored().tail;
        milliseconds += one.conversionMs();
    }
    const auto count = static_cast<std::int64_t>(matrices.size());
    const Format format = matrices.empty() ? Format::none : matrices.front().stored().format;
    Table table{.id = "formats", .title = "Formats", .columns = {}};
    const auto counted = [&](const char* id, const char* title, std::int64_t value, const char* unit = "") {
        table.columns.push_back(
            {.id = id, .title = title, .unit = unit, .origin = Origin::counted, .values = Column::Integers{value}});
    };
    table.columns.push_back(
        {.id = "format", .title = "Format", .origin = Origin::counted, .values = Column::Texts{nameOf(format)}});
    counted("matrices", "Matrices", count);
    counted("rows", "Rows", of.rows);
    counted("nonzeros", "Nonzeros", nonzeros);
    counted("padded", "Padded places", std::max<std::int64_t>(0, places - nonzeros));
    counted("bytes", "Bytes", bytes, "B");
    const double each =
        nonzeros > 0 ? std::round(100.0 * static_cast<double>(bytes) / static_cast<double>(nonzeros)) / 100 : 0;
    table.columns.push_back({.id = "bytes_per_nonzero",
                             .title = "Bytes per nonzero",
                             .unit = "B",
                             .origin = Origin::counted,
                             .values = Column::Reals{each}});
    table.columns.push_back({.id = "conversion_ms",
                             .title = "Built in",
                             .unit = "ms",
                             .origin = Origin::measured,
                             .values = Column::Reals{std::round(1e3 * milliseconds) / 1e3}});
    addAgainstDense(table, format, bytes, nonzeros, std::max<std::int64_t>(count, 1) * of.rows * of.rows);
    return table;
}

}  // namespace warplens::gpu::sparse
