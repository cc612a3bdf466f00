// SPDX-License-Identifier: Apache-2.0
#include "io/grid.hpp"

#include "io/error.hpp"
#include "io/memory.hpp"

#include <cstdlib>
#include <cstring>

namespace warplens::io {

std::int64_t checkedMultiply(std::int64_t a, std::int64_t b, const char* what) {
    std::int64_t product = 0;
    if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) {
        throw Error(Error::Kind::limit, std::string(what) + " does not fit 64 bits: choose a smaller size");
    }
    return product;
}

std::int64_t Shape::pixels() const {
    return checkedMultiply(checkedMultiply(width, height, "width x height"), depth, "width x height x depth");
}

std::int64_t Shape::values() const { return checkedMultiply(pixels(), channels, "the number of values"); }

void Grid::Free::operator()(std::byte* p) const { std::free(p); }

Grid::Grid(const Shape& shape, PixelType type) : m_shape(shape), m_type(type) {
    const auto bytes = checkedMultiply(shape.values(), static_cast<std::int64_t>(sizeOf(type)), "the size in bytes");
    m_bytes = static_cast<std::size_t>(bytes);
    m_data.reset(allocate(m_bytes));
}

double Grid::value(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const {
    const auto i = index(x, y, z, channel);
    return withType(m_type, [&]<class T>(T) -> double { return as<T>()[i]; });
}

void Grid::setValue(std::int64_t x, std::int64_t y, std::int64_t z, int channel, double value) {
    const auto i = index(x, y, z, channel);
    withType(m_type, [&]<class T>(T) { as<T>()[i] = static_cast<T>(value); });
}

Grid Grid::clone() const {
    Grid copy(m_shape, m_type);
    if (m_bytes > 0) std::memcpy(copy.data(), data(), m_bytes);
    copy.geometry = geometry;
    copy.metadata = metadata;
    return copy;
}

}  // namespace warplens::io
