// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "io/grid.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplens::gpu {

/// What a check compares a picture with, value by value: the double reference, unrounded. Of a solution whose exact one
/// is too dear it is what its equation asks for beside its neighbours.
class DoubleReference {
public:
    /// Of a picture of this shape and type; of no value is anything known yet.
    DoubleReference(const io::Shape& shape, io::PixelType type);

    const io::Shape& shape() const { return m_shape; }
    /// Of the picture that is checked.
    io::PixelType type() const { return m_type; }
    /// Nothing where the check does not look. No range check.
    std::optional<double> value(std::int64_t x, std::int64_t y, std::int64_t z = 0, int channel = 0) const;
    /// 0..1 of all values.
    double knownShare() const;
    /// As a picture to look at: f32, and of integers of 32 bits their own type. NaN, or 0, where nothing is known.
    io::Grid picture() const;

    /// By several threads at once, each for values of its own.
    void set(const std::array<std::int64_t, 3>& place, int channel, double exact);

private:
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z, int channel) const {
        return static_cast<std::size_t>(((z * m_shape.height + y) * m_shape.width + x) * m_shape.channels + channel);
    }

    io::Shape m_shape;
    io::PixelType m_type;
    std::vector<double> m_values;
};

/// While it lives, whoever judges `output` writes down what with. One at a time of a picture; both outlive it.
class ReferenceWitness {
public:
    ReferenceWitness(const io::Grid& output, DoubleReference& reference);
    ~ReferenceWitness();
    ReferenceWitness(const ReferenceWitness&) = delete;
    ReferenceWitness& operator=(const ReferenceWitness&) = delete;

    /// Null: nobody asks about this picture.
    static DoubleReference* of(const io::Grid& output);

private:
    const io::Grid* m_output;
};

}  // namespace warplens::gpu
