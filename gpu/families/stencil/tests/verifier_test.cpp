// SPDX-License-Identifier: Apache-2.0
// Who checks the check: fields are made wrong on purpose, by a little more and a little less than the bound, cell by
// cell. What is right, and by how much it may be off, is worked out here once more, from the definition.
#include "gpu/families/stencil/verify.hpp"
#include "tests/support/family_case.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <limits>

namespace warplens::gpu::testing {
namespace {

struct Cell {
    double value, bound;
};

/// n steps over every channel that is stepped, cell by cell.
class Field {
public:
    Field(const io::Grid& input, stencil::Operator op, int channels)
        : m_shape(input.shape()), m_op(std::move(op)), m_channels(channels) {
        visit([&](std::int64_t x, std::int64_t y, std::int64_t z, int c) {
            m_cells.push_back({input.value(x, y, z, c), 0});
            for (const auto& region : m_op.regions)
                if (in(region, x, y, z)) m_cells.back().value = region.value;
        });
    }

    void step() {
        const auto before = m_cells;
        const double gamma = (m_op.taps() + 1) * 0x1p-23;
        visit([&](std::int64_t x, std::int64_t y, std::int64_t z, int c) {
            Cell& cell = m_cells[index(x, y, z, c)];
            cell.bound = 0;
            if (kept(x, y, z)) return;
            cell = {0, m_op.taps() * 0x1p-149};
            for (int t = 0; t < m_op.taps(); ++t) {
                const auto [dx, dy, dz] = offsetOf(t);
                const Cell& from = before[index(x + dx, y + dy, z + dz, c)];
                const double w = m_op.weights[static_cast<std::size_t>(t)];
                cell.value += w * from.value;
                cell.bound += std::fabs(w) * ((1 + gamma) * from.bound + gamma * std::fabs(from.value));
            }
        });
    }

    template <class F>
    void visit(F f) const {
        for (std::int64_t z = 0; z < m_shape.depth; ++z)
            for (std::int64_t y = 0; y < m_shape.height; ++y)
                for (std::int64_t x = 0; x < m_shape.width; ++x)
                    for (int c = 0; c < m_channels; ++c) f(x, y, z, c);
    }
    const Cell& at(std::int64_t x, std::int64_t y, std::int64_t z, int c) const { return m_cells[index(x, y, z, c)]; }

private:
    std::size_t index(std::int64_t x, std::int64_t y, std::int64_t z, int c) const {
        return static_cast<std::size_t>(((z * m_shape.height + y) * m_shape.width + x) * m_channels + c);
    }
    static bool in(const stencil::Region& r, std::int64_t x, std::int64_t y, std::int64_t z) {
        return x >= r.first[0] && x <= r.last[0] && y >= r.first[1] && y <= r.last[1] && z >= r.first[2] &&
               z <= r.last[2];
    }
    bool kept(std::int64_t x, std::int64_t y, std::int64_t z) const {
        const int axes = dimensionsOf(m_op.pattern);
        if (x == 0 || x == m_shape.width - 1) return true;
        if (axes > 1 && (y == 0 || y == m_shape.height - 1)) return true;
        if (axes > 2 && (z == 0 || z == m_shape.depth - 1)) return true;
        return std::ranges::any_of(m_op.regions, [&](const auto& region) { return in(region, x, y, z); });
    }
    std::array<int, 3> offsetOf(int tap) const {
        if (m_op.pattern == stencil::Pattern::box) return {tap % 3 - 1, tap / 3 % 3 - 1, tap / 9 - 1};
        std::array<int, 3> offset{};
        if (tap > 0) offset[static_cast<std::size_t>((tap - 1) / 2)] = tap % 2 == 1 ? -1 : 1;
        return offset;
    }

    io::Shape m_shape;
    stencil::Operator m_op;
    int m_channels;
    std::vector<Cell> m_cells;
};

stencil::Operator operatorOf(stencil::Pattern pattern, bool region) {
    stencil::Operator op;
    op.pattern = pattern;
    for (int t = 0; t < op.taps(); ++t)
        op.weights[static_cast<std::size_t>(t)] = (t % 4 == 3 ? -0.13F : 0.31F) + 0.01F * static_cast<float>(t);
    if (region) op.regions.push_back({{2, 1, 0}, {3, 2, 2}, 0.625F});
    return op;
}

void expectFindsEveryCell(const io::Shape& shape, stencil::Pattern pattern, int steps, bool region) {
    const int channels = shape.channels == 4 ? 3 : shape.channels;
    const auto input = noise(shape, io::PixelType::f32);
    const stencil::Operator op = operatorOf(pattern, region);
    const stencil::Verifier verifier(input, op, channels);
    Field field(*input, op, channels);
    for (int n = 0; n < steps; ++n) field.step();
    for (const double factor : {1.0, 4.0}) {
        io::Grid off = input->clone();
        const auto shift = [&](std::int64_t x, std::int64_t y, std::int64_t z, int c, double bounds) {
            const Cell& cell = field.at(x, y, z, c);
            off.setValue(x, y, z, c, cell.value + bounds * factor * cell.bound);
        };
        field.visit([&](auto x, auto y, auto z, int c) { shift(x, y, z, c, (x + y + z) % 2 == 0 ? 0.5 : -0.5); });
        const auto within = verifier.verify(off, steps, {}, factor);
        EXPECT_EQ(within.mismatches, 0) << within.firstMismatch;
        EXPECT_EQ(within.checkedShare, 1.0);
        field.visit([&](auto x, auto y, auto z, int c) {
            const Cell& cell = field.at(x, y, z, c);
            for (const double bounds : {1.5, -1.5}) {
                shift(x, y, z, c, bounds);
                // A cell that is kept may not change at all.
                if (cell.bound == 0)
                    off.setValue(x, y, z, c, std::nextafter(static_cast<float>(cell.value), bounds > 0 ? 9.0F : -9.0F));
                const auto found = verifier.verify(off, steps, {}, factor);
                ASSERT_EQ(found.mismatches, 1) << x << ' ' << y << ' ' << z << ' ' << c << " after " << steps;
                EXPECT_EQ(found.firstMismatch.find("x " + std::to_string(x) + " y " + std::to_string(y) + " "), 0U)
                    << found.firstMismatch;
                EXPECT_NE(found.firstMismatch.find("channel " + std::to_string(c) + ":"), std::string::npos);
            }
            shift(x, y, z, c, 0);
        });
        if (channels == shape.channels) continue;
        const auto alpha = static_cast<float>(input->value(1, 1, 0, 3));
        off.setValue(1, 1, 0, 3, std::nextafter(alpha, 2.0F));
        EXPECT_EQ(verifier.verify(off, steps, {}, factor).mismatches, 1) << "a channel that is kept";
    }
}

TEST(StencilVerifier, FindsOneAndAHalfBoundsAnywhereAndNeverHalfOfOne) {
    for (const int steps : {0, 1, 3}) {
        expectFindsEveryCell({9, 2, 2}, stencil::Pattern::line, steps, false);
        expectFindsEveryCell({7, 6, 2, 3}, stencil::Pattern::cross, steps, true);
        expectFindsEveryCell({6, 5, 5, 4}, stencil::Pattern::star, steps, true);
        expectFindsEveryCell({5, 6, 5}, stencil::Pattern::star, steps, false);
        expectFindsEveryCell({5, 5, 6}, stencil::Pattern::box, steps, false);
        expectFindsEveryCell({2, 5, 5}, stencil::Pattern::star, steps, false);
    }
}

TEST(StencilVerifier, AnIntegerLiesHalfALevelAndTheBoundFromTheUnroundedValue) {
    for (const auto& [type, level] : {std::pair{io::PixelType::u8, 200}, std::pair{io::PixelType::u16, 40000}}) {
        auto input = std::make_shared<io::Grid>(io::Shape{5, 4, 1, 1}, type);
        for (std::int64_t i = 0; i < 20; ++i) input->setValue(i % 5, i / 5, 0, 0, level);
        stencil::Operator op;
        op.pattern = stencil::Pattern::cross;
        const double bound = 6 * 0x1p-23 * (level + 0.5);
        for (const auto& [bounds, wrong] : {std::pair{0.5, 0}, std::pair{1.5, 6}, std::pair{-0.5, 0}}) {
            // Weights that make level + 0.5, but for `bounds`, of the inner cells.
            op.weights = {static_cast<float>(1 + (0.5 + bounds * bound) / level), 0, 0, 0, 0};
            const double exact = static_cast<double>(op.weights[0]) * level;
            const double own = 6 * 0x1p-23 * exact;
            const stencil::Verifier verifier(input, op, 1);
            io::Grid off = input->clone();
            EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, exact - level > 0.5 + own ? 6 : 0);
            EXPECT_EQ(exact - level > 0.5 + own, wrong > 0) << "the weight is fine enough";
            for (const int distant : {level - 1, level + 2}) {
                off.setValue(2, 1, 0, 0, distant);
                EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, wrong > 0 ? 6 : 1);
                off.setValue(2, 1, 0, 0, level);
            }
            off.setValue(4, 3, 0, 0, level + 1);
            EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, wrong + 1) << "a cell of the face keeps its value";
        }
        // Beyond the type's range its end is right.
        const int top = type == io::PixelType::u8 ? 255 : 65535;
        for (const auto& [weight, end, beside] : {std::tuple{2.0F, top, top - 1}, std::tuple{-1.0F, 0, 1}}) {
            op.weights = {weight};
            const stencil::Verifier verifier(input, op, 1);
            io::Grid off = input->clone();
            for (const std::int64_t y : {1, 2})
                for (const std::int64_t x : {1, 2, 3}) off.setValue(x, y, 0, 0, end);
            EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, 0);
            off.setValue(3, 2, 0, 0, beside);
            EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, 1);
        }
    }
}

TEST(StencilVerifier, NotANumberAndInfinityMustAgreeInClassAndPlace) {
    const double classes[] = {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(),
                              -std::numeric_limits<double>::infinity(), 0.25};
    auto input = noise({9, 6}, io::PixelType::f32);
    for (int i = 0; i < 4; ++i) input->setValue(1 + 2 * i, 2 + i % 2, 0, 0, classes[i]);
    stencil::Operator op;
    op.pattern = stencil::Pattern::line;
    op.weights = {1};
    // A weight of 0 times what is not finite is no number: beside such cells stands NaN.
    const stencil::Verifier verifier(input, op, 1);
    io::Grid right = input->clone();
    for (const std::int64_t y : {2, 3}) {
        for (std::int64_t x = 1; x < 8; ++x) {
            bool beside = false;
            for (const std::int64_t other : {x - 1, x + 1}) beside |= !std::isfinite(input->value(other, y, 0, 0));
            if (beside) right.setValue(x, y, 0, 0, classes[0]);
        }
    }
    EXPECT_EQ(verifier.verify(right, 1, {}).mismatches, 0) << verifier.verify(right, 1, {}).firstMismatch;
    for (int i = 0; i < 4; ++i) {
        const std::int64_t x = 1 + 2 * i, y = 2 + i % 2;
        const double before = right.value(x, y, 0, 0);
        for (const double other : classes) {
            const bool same = std::isnan(before) ? std::isnan(other) : before == other;
            right.setValue(x, y, 0, 0, other);
            EXPECT_EQ(verifier.verify(right, 1, {}).mismatches, same ? 0 : 1) << i << " as " << other;
        }
        right.setValue(x, y, 0, 0, before);
    }
}

/// A picture too large to be checked whole: every box, at each of its corners, and no other value.
TEST(StencilVerifier, SampledBoxesCoverWhatTheySayUpToTheirEdges) {
    const io::Shape shape{5801, 5701, 1, 1};
    const auto input = std::make_shared<io::Grid>(shape, io::PixelType::u8);
    for (std::int64_t i = 0; i < shape.values(); ++i) input->as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i % 251);
    stencil::Operator op;
    op.pattern = stencil::Pattern::cross;
    op.weights = {1};
    const stencil::Verifier verifier(input, op, 1);
    const auto boxes = sampleBoxes(shape, op.pattern, 1, 1);
    ASSERT_EQ(boxes.size(), 9U);
    io::Grid off = input->clone();
    const auto fine = verifier.verify(off, 1, {});
    EXPECT_EQ(fine.mismatches, 0) << fine.firstMismatch;
    std::int64_t cells = 0;
    const auto change = [&](std::int64_t x, std::int64_t y) {
        std::uint8_t& value = off.as<std::uint8_t>()[y * shape.width + x];
        value = static_cast<std::uint8_t>(value ^ 1U);
    };
    for (const stencil::Box& box : boxes) {
        cells += box.cells();
        for (const auto y : {box.lo[1], box.hi[1] - 1}) {
            for (const auto x : {box.lo[0], box.hi[0] - 1}) {
                change(x, y);
                EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, 1) << x << ' ' << y;
                change(x, y);
            }
        }
    }
    EXPECT_DOUBLE_EQ(fine.checkedShare, static_cast<double>(cells) / static_cast<double>(shape.values()));
    for (std::int64_t i = 0; i < shape.values(); ++i) change(i % shape.width, i / shape.width);
    EXPECT_EQ(verifier.verify(off, 1, {}).mismatches, cells);
}

TEST(StencilVerifier, SampledBoxesLieApartAtEveryEndAndInTheMiddle) {
    for (const auto& [shape, steps] : std::vector<std::pair<io::Shape, int>>{
             {{8192, 8192}, 100}, {{512, 512, 512}, 50}, {{20000, 40, 300}, 40}, {{1024, 1024, 1024}, 8}}) {
        const auto boxes = stencil::sampleBoxes(shape, stencil::Pattern::star, steps, 1);
        ASSERT_GT(boxes.size(), 1U);
        const std::int64_t extent[3] = {shape.width, shape.height, shape.depth};
        std::int64_t corners = 0, middle = 0;
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            bool corner = true, inner = true;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                const auto lo = boxes[i].lo[axis], hi = boxes[i].hi[axis];
                ASSERT_TRUE(lo >= 0 && lo < hi && hi <= extent[axis]);
                corner = corner && (lo == 0 || hi == extent[axis]);
                inner = inner && lo <= extent[axis] / 2 + 7 && hi > extent[axis] / 2 - 7;
            }
            corners += corner ? 1 : 0;
            middle += inner ? 1 : 0;
            for (std::size_t j = 0; j < i; ++j) {
                bool apart = false;
                for (std::size_t axis = 0; axis < 3; ++axis)
                    apart = apart || boxes[i].hi[axis] <= boxes[j].lo[axis] || boxes[j].hi[axis] <= boxes[i].lo[axis];
                EXPECT_TRUE(apart) << i << " and " << j;
            }
        }
        EXPECT_GE(middle, 1);
        // An axis along which there is one box alone has both ends in it.
        std::int64_t expected = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) expected *= boxes.front().hi[axis] == extent[axis] ? 1 : 2;
        EXPECT_EQ(corners, expected);
    }
}

}  // namespace
}  // namespace warplens::gpu::testing
