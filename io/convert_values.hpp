// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

/// What becomes of values of a type that a Grid does not have: one rule for every format. A stored type is named "u8",
/// "u16", "u32", "u64", "i8" ... "i64", "f16", "f32", "f64" or "bool"; stored values are in the host's byte order.
namespace warplens::io {

/// The type in which a stored one is held: u8, u16, u32, i32 and f32 as they are, bool as u8 (0 and 1), every other as
/// f32.
PixelType convertedType(std::string_view stored);

/// Bytes of one stored value of such a type; 0 for a type that is none.
std::int64_t bytesOfType(std::string_view type);

/// Which of the stored values: first, first + step, first + 2 step ...
struct Pick {
    std::int64_t first = 0;
    std::int64_t step = 1;
};

/// Converts values of one stored type, in as many pieces as they come in, to the nearest values of the type that holds
/// them, and counts those that changed.
class Conversion {
public:
    /// To convertedType(stored), or to another that holds the stored type: f32. `where` begins the messages.
    Conversion(std::string_view stored, std::string where);
    Conversion(std::string_view stored, PixelType held, std::string where);

    PixelType held() const { return m_held; }
    /// Whether it only copies.
    bool plain() const { return m_plain; }
    /// Puts `count` values, `step` apart, into places `outStep` apart (both counted in values). Throws
    /// Error(unsupported) when a finite value lies beyond the range of f32.
    void run(const std::byte* stored, std::int64_t step, std::byte* out, std::int64_t outStep, std::int64_t count);
    /// Names the stored type in the metadata, and says in a note what was rounded.
    void tell(Metadata& metadata) const;

private:
    using Run = std::int64_t (*)(const std::byte* stored, std::int64_t step, std::byte* out, std::int64_t outStep,
                                 std::int64_t count, const std::string& where);
    std::string m_stored, m_where;
    PixelType m_held;
    bool m_plain = false;
    Run m_run = nullptr;
    std::int64_t m_count = 0, m_changed = 0;
};

/// Fills the grid, of convertedType() or f32, from stored values. Adds a note where values changed. Throws as
/// Conversion. The caller has made sure that the values are there.
void convertValues(std::span<const std::byte> stored, std::string_view type, const Pick& pick, Grid& grid,
                   const std::string& where);

/// Fills an f32 grid with value * slope + intercept, computed in double precision and rounded once.
void scaleValues(std::span<const std::byte> stored, std::string_view type, double slope, double intercept, Grid& grid);

/// Turns every value of `size` bytes around.
void swapBytes(std::span<std::byte> values, std::size_t size);

}  // namespace warplens::io
