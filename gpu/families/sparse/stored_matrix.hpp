// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gpu/core/table.hpp"
#include "gpu/families/sparse/arguments.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace warplens::gpu::sparse {

/// A matrix on a device in one format, built there. Every member throws Error.
class StoredMatrix {
public:
    /// The device and the buffers of the rule must outlive it.
    StoredMatrix(Device& device, const Rule& rule, Format format);

    /// What one takes at most while it is built; none: whatever its format, but for dense.
    static std::int64_t bytesAtMost(const Case& of, Format format = Format::none);

    const Stored& stored() const { return m_stored; }
    std::int64_t bytes() const;
    /// Milliseconds of the kernels that built it.
    double conversionMs() const { return m_conversionMs; }

private:
    Buffer integers(std::int64_t count);
    std::uint64_t keep(std::int64_t count, int fill);
    void timed(const std::function<void()>& work) { m_conversionMs += m_device.time(work); }
    /// count + 1 sums; returns the last one.
    std::int64_t scan(const Buffer& values, int count, const Buffer& starts);
    void shape();
    void shapeColumns();
    void shapeJagged();
    int widthOf();
    void findDiagonals();

    Device& m_device;
    const BuildingEntry& m_build;
    Rule m_rule;
    Stored m_stored;
    std::vector<Buffer> m_buffers;
    Buffer m_lengths, m_starts;  ///< while it is built
    double m_conversionMs = 0;
};

/// Places that a format has for a given matrix, at most.
std::int64_t placesOf(const GivenMatrix& of, Format format);

constexpr int kLengths = 32;  ///< that a row can have: 0 to 31

/// What the lengths of all rows come to, of how many rows there are of each length.
struct Widths {
    std::int64_t nonzeros = 0;
    int longest = 0;  ///< of the longest row
    int shared = 0;   ///< what at least a third of the rows fill
};
Widths widthsOf(const std::array<std::int32_t, kLengths>& counters, int rows);

/// A row a format: rows, nonzeros, bytes a nonzero, places filled up, bytes, milliseconds to build, and what that is of
/// a dense matrix. Of several channels' matrices the sums. Without a matrix: nothing is stored.
Table formatsTable(const std::vector<StoredMatrix>& matrices, const Case& of);
const char* nameOf(Format format);
/// When it takes fewer bytes than a dense matrix of N x N: indices and values have 4 bytes each.
const char* savesWhile(Format format);

}  // namespace warplens::gpu::sparse
