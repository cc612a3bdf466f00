// SPDX-License-Identifier: Apache-2.0
#include "gpu/families/sparse/stored_matrix.hpp"

#include "gpu/families/sparse/matrix_rows.hpp"
#include "gpu/families/sparse/problem.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace warplens::gpu::sparse {
namespace {

constexpr int kFillWithNothing = 0, kFillWithNoColumn = 0xff;
/// Whole quads, so that 16 bytes can be read at the end.
constexpr std::int64_t padded(std::int64_t count) { return (count + 7) / 4 * 4; }

}  // namespace

const char* nameOf(Format format) {
    switch (format) {
        case Format::coordinates: return "coo";
        case Format::rows: return "csr";
        case Format::ell: return "ell";
        case Format::sliced: return "sliced ell";
        case Format::hybrid: return "hybrid";
        case Format::diagonals: return "diagonals";
        case Format::none: break;
    }
    return "none";
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
std::int64_t StoredMatrix::bytesAtMost(const Case& of) {
    constexpr std::int64_t kRest = 1 << 14;
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
                             .values = Column::Reals{milliseconds}});
    return table;
}

}  // namespace warplens::gpu::sparse
