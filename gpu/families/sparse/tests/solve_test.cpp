// SPDX-License-Identifier: Apache-2.0
// Inpainting and cloning: every variant and solver against a dense elimination
// in double.
#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/families/sparse/tests/sparse_case.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;

ParameterValues solved(const std::string& task, const std::string& solver, double tolerance = 1e-5) {
    return {{"task", task}, {"solver", solver}, {"tolerance", tolerance}, {"iterations", std::int64_t{20000}}};
}

const std::vector<std::string> kSolvers{"jacobi", "cg", "multigrid"};

/// Three of the kernels that take a mask, others every time.
std::vector<std::string> threeOf(int turn) {
    const std::vector<std::string> all{"coo",        "csr_scalar", "csr_vector", "csr_stream",  "ell", "csc",
                                       "sliced_ell", "hybrid",     "merge_path", "matrix_free", "jds"};
    std::vector<std::string> some;
    for (int i = 0; i < 3; ++i) some.push_back(all[static_cast<std::size_t>(turn + 3 * i) % all.size()]);
    return some;
}

struct Place {
    int x, y, z;
};

/// The fields that the definition says, written down as one dense matrix a
/// channel and eliminated. `source` may be null: then neighbours are to be
/// equal.
std::vector<double> eliminated(const io::Grid& picture, const io::Grid& mask, const io::Grid* source, int atX, int atY,
                               int channel) {
    const io::Shape& s = picture.shape();
    std::vector<Place> unknowns;
    const auto guided = [&](const Place& p) {
        return source == nullptr ||
               (p.x >= atX && p.y >= atY && p.x - atX < source->shape().width && p.y - atY < source->shape().height);
    };
    const auto numberOf = [&](const Place& p) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < unknowns.size(); ++i)
            if (unknowns[i].x == p.x && unknowns[i].y == p.y && unknowns[i].z == p.z) return i;
        return std::nullopt;
    };
    for (int z = 0; z < s.depth; ++z)
        for (int y = 0; y < s.height; ++y)
            for (int x = 0; x < s.width; ++x)
                if (mask.value(x, y, z, 0) > 0 && guided({x, y, z})) unknowns.push_back({x, y, z});
    const auto guide = [&](const Place& p) { return source->value(p.x - atX, p.y - atY, p.z, channel); };
    const std::size_t n = unknowns.size();
    std::vector<std::vector<double>> rows(n, std::vector<double>(n + 1));
    for (std::size_t i = 0; i < n; ++i) {
        const Place p = unknowns[i];
        for (const Place step : {Place{-1, 0, 0}, {1, 0, 0}, {0, -1, 0}, {0, 1, 0}, {0, 0, -1}, {0, 0, 1}}) {
            const Place q{p.x + step.x, p.y + step.y, p.z + step.z};
            if (q.x < 0 || q.y < 0 || q.z < 0 || q.x >= s.width || q.y >= s.height || q.z >= s.depth) continue;
            rows[i][i] += 1;
            if (source != nullptr && guided(q)) rows[i][n] += guide(p) - guide(q);
            if (const auto j = numberOf(q))
                rows[i][*j] -= 1;
            else
                rows[i][n] += picture.value(q.x, q.y, q.z, channel);
        }
    }
    for (std::size_t k = 0; k < n; ++k) {
        std::size_t pivot = k;
        for (std::size_t i = k; i < n; ++i)
            if (std::fabs(rows[i][k]) > std::fabs(rows[pivot][k])) pivot = i;
        std::swap(rows[k], rows[pivot]);
        for (std::size_t i = 0; i < n; ++i) {
            if (i == k || rows[i][k] == 0) continue;
            const double factor = rows[i][k] / rows[k][k];
            for (std::size_t j = k; j <= n; ++j) rows[i][j] -= factor * rows[k][j];
        }
    }
    std::vector<double> field;
    for (std::int64_t pixel = 0; pixel < s.pixels(); ++pixel) {
        const Place p{static_cast<int>(pixel % s.width), static_cast<int>(pixel / s.width % s.height),
                      static_cast<int>(pixel / (s.width * s.height))};
        const auto number = numberOf(p);
        field.push_back(number ? rows[*number][n] / rows[*number][*number] : picture.value(p.x, p.y, p.z, channel));
    }
    return field;
}

class SparseSolve : public SparseOnDevice {
protected:
    /// Pictures of some kernels against the elimination.
    void expectSolved(const std::shared_ptr<io::Grid>& picture, ParameterValues values, const io::Grid& mask,
                      const io::Grid* source, int x, int y, const std::string& what,
                      const std::vector<std::string>& variants) {
        std::vector<std::vector<double>> fields;
        const io::Shape& s = picture->shape();
        // An alpha that is kept is that of a mask without pixels.
        const io::Grid nothing = [&mask] {
            io::Grid made(mask.shape(), PixelType::u8);
            std::fill_n(made.data(), made.bytes(), std::byte{0});
            return made;
        }();
        for (int c = 0; c < s.channels; ++c) {
            const bool kept = c == 3 && !values.contains("alpha");
            fields.push_back(eliminated(*picture, kept ? nothing : mask, source, x, y, c));
        }
        const bool floats = picture->type() == PixelType::f32;
        const double top = picture->type() == PixelType::u8 ? 255 : picture->type() == PixelType::u16 ? 65535 : 1;
        for (const auto& run : m_runner.run(requestOf(picture, values, variants)).runs) {
            EXPECT_EQ(run.status, Status::ok) << what << ": " << describe(run);
            if (run.status != Status::ok) continue;
            EXPECT_EQ(evolutionOf(run.result.tables)->stopped, "tolerance") << what << ": " << run.variant;
            for (int c = 0; c < s.channels; ++c)
                for (std::int64_t i = 0; i < s.pixels(); ++i) {
                    double exact = fields[static_cast<std::size_t>(c)][static_cast<std::size_t>(i)];
                    if (!floats) exact = std::clamp(exact, 0.0, top);
                    const double got =
                        run.result.picture->value(i % s.width, i / s.width % s.height, i / (s.width * s.height), c);
                    ASSERT_NEAR(got, exact, (floats ? 0 : 0.5) + 0.01 * top)
                        << what << ": " << run.variant << " pixel " << i << " channel " << c;
                }
        }
    }
};

// Pictures up to 12 x 12, masks from a pixel to all but a few, every solver and
// type.
TEST_P(SparseSolve, Inpainting) {
    int turn = 0;
    for (const io::Shape shape :
         {io::Shape{1, 2}, io::Shape{2, 1}, io::Shape{3, 3}, io::Shape{5, 8, 1, 3}, io::Shape{7, 1}, io::Shape{12, 12},
          io::Shape{11, 7, 1, 4}, io::Shape{4, 3, 3}, io::Shape{3, 5, 2, 3}})
        for (const double share : {0.1, 0.5, 0.9}) {
            const PixelType type = std::array{PixelType::u8, PixelType::u16, PixelType::f32}[turn % 3];
            auto mask = randomMask(shape, share, static_cast<std::uint64_t>(++turn));
            // At least one of either kind.
            auto& grid = const_cast<io::Grid&>(*mask->grid);
            grid.setValue(0, 0, 0, 0, 255);
            grid.setValue(shape.width - 1, shape.height - 1, shape.depth - 1, 0, 0);
            for (const auto& solver : kSolvers)
                for (const char* alpha : {"keep", "filter"}) {
                    auto values = masked(solved("inpaint", solver), mask);
                    if (alpha == std::string("filter")) values["alpha"] = std::string(alpha);
                    if (shape.channels < 4 && values.contains("alpha")) continue;
                    expectSolved(noise(shape, type), values, grid, nullptr, 0, 0,
                                 solver + " " + alpha + " " + std::to_string(turn), threeOf(turn));
                }
        }
}

// The source beside, over and within the picture's edges; where it ends,
// nothing is to differ.
TEST_P(SparseSolve, Cloning) {
    int turn = 0;
    for (const auto& [x, y] : {std::pair{2, 1}, {-3, -2}, {6, 5}, {0, 0}}) {
        const io::Shape shape{10, 9, 1, turn % 2 == 0 ? 1 : 3};
        const PixelType type = std::array{PixelType::u8, PixelType::u16, PixelType::f32}[++turn % 3];
        const auto source =
            std::make_shared<const NamedGrid>(NamedGrid{"source", noise({7, 8, 1, shape.channels}, type, 99)});
        auto mask = randomMask(shape, 0.8, static_cast<std::uint64_t>(turn));
        for (const auto& solver : kSolvers) {
            auto values = masked(solved("clone", solver), mask);
            values["source"] = source;
            values["at"] = std::to_string(x) + "," + std::to_string(y);
            expectSolved(noise(shape, type), values, *mask->grid, source->grid.get(), x, y, solver, threeOf(turn + 1));
        }
    }
}

// Without a mask all of the source but the picture's outermost pixels.
TEST_P(SparseSolve, CloningWithoutAMask) {
    const io::Shape shape{9, 9};
    const auto source = std::make_shared<const NamedGrid>(NamedGrid{"source", noise(shape, PixelType::f32, 5)});
    io::Grid inner(shape, PixelType::u8);
    std::fill_n(inner.as<std::uint8_t>(), 81, std::uint8_t{0});
    for (int y = 1; y < 8; ++y)
        for (int x = 1; x < 8; ++x) inner.setValue(x, y, 0, 0, 1);
    auto values = solved("clone", "multigrid");
    values["source"] = source;
    expectSolved(noise(shape, PixelType::f32), values, inner, source->grid.get(), 0, 0, "whole source", threeOf(2));
}

// Too large for an elimination: residuals, each against its equation. Multigrid
// needs few cycles, whatever the mask.
TEST_P(SparseSolve, LargerMasks) {
    const io::Shape shape{83, 59};
    const auto picture = noise(shape, PixelType::f32);
    for (const double share : {0.3, 0.6, 0.9, 0.99, 0.9995}) {
        const auto mask = randomMask(shape, share, 3);
        for (const std::string solver : {"cg", "multigrid"}) {
            if (solver == "cg" && share != 0.9) continue;
            auto request =
                requestOf(picture, masked(solved("inpaint", solver, 1e-4), mask), {"sliced_ell", "matrix_free"});
            for (const auto& run : m_runner.run(request).runs) {
                ASSERT_EQ(run.status, Status::ok) << describe(run);
                const auto evolution = evolutionOf(run.result.tables).value();
                EXPECT_EQ(evolution.stopped, "tolerance") << run.variant;
                EXPECT_LE(evolution.iterations, solver == "multigrid" ? 12 : 20000) << run.variant << share;
                EXPECT_EQ(evolution.residuals.front().value, 1);
                EXPECT_LE(evolution.residuals.back().value, 1e-4);
            }
        }
    }
}

/// What is left of inpainting's equations, as a part of what was there with zeros.
double leftOf(const io::Grid& picture, const io::Grid& mask, const io::Grid& result) {
    const io::Shape& s = picture.shape();
    double left = 0, first = 0;
    for (int y = 0; y < s.height; ++y)
        for (int x = 0; x < s.width; ++x) {
            if (mask.value(x, y, 0, 0) == 0) continue;
            double rest = 0, known = 0;
            for (const auto& [nx, ny] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}}) {
                if (nx < 0 || ny < 0 || nx >= s.width || ny >= s.height) continue;
                rest += result.value(nx, ny, 0, 0) - result.value(x, y, 0, 0);
                if (mask.value(nx, ny, 0, 0) == 0) known += picture.value(nx, ny, 0, 0);
            }
            left += rest * rest;
            first += known * known;
        }
    return std::sqrt(left / first);
}

// A region as large as the picture, held at one edge, takes many steps, over which a residual that is only carried
// along says far less than what is left.
TEST_P(SparseSolve, TellsWhatIsLeft) {
    const io::Shape shape{70, 60};
    const auto picture = noise(shape, PixelType::f32);
    auto mask = std::make_shared<io::Grid>(shape, PixelType::u8);
    for (int y = 0; y < shape.height; ++y)
        for (int x = 0; x < shape.width; ++x) mask->setValue(x, y, 0, 0, y == 0 ? 0 : 255);
    const auto named = std::make_shared<const NamedGrid>(NamedGrid{"mask", mask});
    for (const std::string solver : {"cg", "multigrid"}) {
        auto values = masked(solved("inpaint", solver, 1e-6), named);
        values["iterations"] = std::int64_t{600};
        for (const auto& run : m_runner.run(requestOf(picture, values, {"matrix_free"})).runs) {
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            const double told = evolutionOf(run.result.tables).value().residuals.back().value;
            EXPECT_LE(leftOf(*picture, *mask, *run.result.picture), 1.5 * told + 1e-6) << solver;
        }
    }
}

// Stopped early it says so, and what is left is what it says.
TEST_P(SparseSolve, FewIterations) {
    const io::Shape shape{40, 31};
    for (const auto& solver : kSolvers) {
        auto values = masked(solved("inpaint", solver, 1e-6), randomMask(shape, 0.95));
        values["iterations"] = std::int64_t{2};
        for (const auto& run :
             m_runner.run(requestOf(noise(shape, PixelType::f32), values, {"csr_scalar", "matrix_free"})).runs) {
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            const auto evolution = evolutionOf(run.result.tables).value();
            EXPECT_EQ(evolution.stopped, "iterations") << run.variant;
            EXPECT_EQ(evolution.iterations, 2) << run.variant;
            EXPECT_EQ(evolution.residuals.back().iteration, 2) << run.variant;
        }
    }
}

// A result that is not what it claims is found: one pixel off, or a residual
// that is not there.
TEST_P(SparseSolve, VerificationFindsWhatIsWrong) {
    if (GetParam() != "cpu") GTEST_SKIP() << "the host's work";
    for (const io::Shape shape : {io::Shape{12, 12}, io::Shape{120, 70}}) {
        const auto values = masked(solved("inpaint", "cg"), randomMask(shape, 0.9));
        const auto picture = noise(shape, PixelType::f32);
        const auto problem = familyOf("sparse").pose(picture, values);
        const auto run = m_runner.run(requestOf(picture, values, {"csr_scalar"})).runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const Variant& variant = *std::ranges::find(familyOf("sparse").variants(), "csr_scalar", &Variant::id);
        const auto mismatches = [&](const auto& change) {
            auto changed = std::make_shared<io::Grid>(shape, PixelType::f32);
            std::copy_n(run.result.picture->as<float>(), shape.values(), changed->as<float>());
            change(changed->as<float>());
            return problem->verify({.picture = changed, .tables = run.result.tables}, variant, {}).mismatches;
        };
        EXPECT_EQ(mismatches([](float*) {}), 0);
        for (const std::int64_t at : {std::int64_t{0}, shape.values() / 2, shape.values() - 1})
            EXPECT_GT(mismatches([at](float* v) { v[at] += 0.2F; }), 0) << at;
        EXPECT_GT(mismatches([](float* v) { v[17] = std::numeric_limits<float>::quiet_NaN(); }), 0);
    }
}

/// The equations of an f32 picture, as the definition has them: what is left of each, and what it may be.
struct Rests {
    const io::Grid& picture;
    const io::Grid& mask;
    double claimed = 0, roundings = 0, largest = 0;

    bool unknown(std::int64_t x, std::int64_t y) const { return mask.value(x, y) > 0; }
    template <class F>
    void neighbours(std::int64_t x, std::int64_t y, F f) const {
        const io::Shape& s = picture.shape();
        for (const auto& [u, v] : {std::pair{x - 1, y}, {x + 1, y}, {x, y - 1}, {x, y + 1}})
            if (u >= 0 && v >= 0 && u < s.width && v < s.height) f(u, v);
    }
    int count(std::int64_t x, std::int64_t y) const {
        int all = 0;
        neighbours(x, y, [&](auto, auto) { ++all; });
        return all;
    }
    double rest(const io::Grid& of, std::int64_t x, std::int64_t y) const {
        double sum = -count(x, y) * of.value(x, y);
        neighbours(x, y, [&](auto u, auto v) { sum += (unknown(u, v) ? of : picture).value(u, v); });
        return sum;
    }
    double noise(std::int64_t x, std::int64_t y) const {
        double size = 0;
        neighbours(x, y, [&](auto u, auto v) { size += std::fabs(picture.value(u, v)); });
        return roundings * (8 * largest + size);
    }
    /// One equation's bound.
    double bound(std::int64_t x, std::int64_t y) const { return claimed + noise(x, y); }
    /// Calls f(x, y) for the unknowns.
    template <class F>
    void each(F f) const {
        for (std::int64_t y = 0; y < picture.shape().height; ++y)
            for (std::int64_t x = 0; x < picture.shape().width; ++x)
                if (unknown(x, y)) f(x, y);
    }
    /// Of all together.
    double found(const io::Grid& of) const {
        double sum = 0;
        each([&](auto x, auto y) { sum += std::pow(rest(of, x, y), 2); });
        return std::sqrt(sum);
    }
    double allowed() const {
        double sum = 0;
        each([&](auto x, auto y) { sum += std::pow(noise(x, y), 2); });
        return claimed + std::sqrt(sum);
    }
    /// Moves a value by which so many bounds of its equation are left.
    void leave(io::Grid& of, std::int64_t x, std::int64_t y, double bounds) const {
        of.setValue(x, y, 0, 0, of.value(x, y) - (bounds * bound(x, y) - rest(of, x, y)) / count(x, y));
    }
};

// So many unknowns are not solved in double: each equation has a bound, and what is left of all together.
TEST_P(SparseSolve, OfManyUnknownsErrorsNearTheirBoundsAreFound) {
    if (GetParam() != "cpu") GTEST_SKIP() << "the host's work";
    const io::Shape shape{120, 70};
    const auto mask = randomMask(shape, 0.9);
    const auto values = masked(solved("inpaint", "cg", 1e-4), mask);
    const auto picture = noise(shape, PixelType::f32);
    const auto problem = familyOf("sparse").pose(picture, values);
    const auto run = m_runner.run(requestOf(picture, values, {"csr_scalar"})).runs.front();
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    const Variant& variant = *std::ranges::find(familyOf("sparse").variants(), "csr_scalar", &Variant::id);
    Rests rests{*picture, *mask->grid};
    double first = 0;
    rests.each([&](auto x, auto y) {
        double right = 0;
        int known = 0;
        rests.neighbours(x, y, [&](auto u, auto v) {
            if (!rests.unknown(u, v)) ++known, right += picture->value(u, v);
        });
        first += right * right;
        if (known > 0) rests.largest = std::max(rests.largest, std::fabs(right) / known);
    });
    const auto evolution = evolutionOf(run.result.tables).value();
    rests.claimed = evolution.residuals.back().value * std::sqrt(first) * 1.01;
    rests.roundings = 0x1p-24 * (16 + 2 * static_cast<double>(evolution.iterations));
    const auto verified = [&](const io::Grid& changed) {
        return problem->verify({.picture = std::make_shared<io::Grid>(changed.clone()), .tables = run.result.tables},
                               variant, {});
    };
    int places = 0;
    for (const auto& [x, y] : {std::pair{60, 35}, {0, 0}, {119, 40}, {50, 69}, {17, 3}}) {
        if (!rests.unknown(x, y)) continue;
        ++places;
        io::Grid changed = run.result.picture->clone();
        rests.leave(changed, x, y, 0.6);
        EXPECT_EQ(verified(changed).mismatches, 0) << x << ' ' << y;
        rests.leave(changed, x, y, 1.5);
        const std::string place = "x " + std::to_string(x) + " y " + std::to_string(y) + ' ';
        EXPECT_TRUE(verified(changed).firstMismatch.starts_with(place)) << verified(changed).firstMismatch;
    }
    EXPECT_GE(places, 3);
    // Every equation within its bound, and all together not.
    io::Grid changed = run.result.picture->clone();
    const double allowed = rests.allowed();
    const auto leaveMore = [&](std::int64_t from, double parts) {
        double left = rests.found(changed);
        int moved = 0;
        rests.each([&](auto x, auto y) {
            if (x % 4 != from || y % 4 != from || left >= parts * allowed) return;
            rests.leave(changed, x, y, 0.6);
            if (++moved % 4 == 0) left = rests.found(changed);
        });
    };
    leaveMore(0, 0.7);
    EXPECT_EQ(verified(changed).mismatches, 0) << rests.found(changed) << " of " << allowed;
    leaveMore(2, 1.3);
    ASSERT_GE(rests.found(changed), 1.3 * allowed);
    ASSERT_LE(rests.found(changed), 4 * allowed);
    EXPECT_TRUE(verified(changed).firstMismatch.starts_with("a residual of")) << verified(changed).firstMismatch;
}

TEST_P(SparseSolve, Refusals) {
    const auto picture = noise({6, 5}, PixelType::f32);
    const auto why = [&](const ParameterValues& values, const std::shared_ptr<io::Grid>& of) {
        try {
            const auto run = m_runner.run(requestOf(of, values, {"ell"})).runs.front();
            return run.reason.empty() ? std::string("taken") : run.reason;
        } catch (const Error& error) {
            return std::string(error.what());
        }
    };
    EXPECT_EQ(why(solved("inpaint", "cg"), picture), "mask: there is none: inpaint needs one of the pixels to fill");
    EXPECT_EQ(why(masked(solved("inpaint", "cg"), randomMask({6, 5}, 2)), picture),
              "mask: it covers the whole picture: leave some of it to start from");
    EXPECT_EQ(why(masked(solved("inpaint", "cg"), randomMask({6, 5}, 0)), picture),
              "mask: 'mask' is nowhere above 0: there is no unknown; mark some pixels");
    EXPECT_EQ(why(solved("clone", "cg"), picture), "source: there is none: clone needs the picture to clone in");
    auto placed = solved("clone", "cg");
    placed["source"] = std::make_shared<const NamedGrid>(NamedGrid{"s", noise({3, 3}, PixelType::f32)});
    for (const std::string text : {"", "3", "a,b", "1,2,3", "1, 2", "99999999999,1"}) {
        placed["at"] = text;
        EXPECT_EQ(why(placed, picture), "at: '" + text + "' is not a place: give it as X,Y, like 40,25");
    }
    placed["at"] = std::string("50,1");
    EXPECT_EQ(why(placed, picture),
              "at: the source lies on none of the picture's inner pixels, and the outermost are kept: move it");
    EXPECT_EQ(why(masked(placed, randomMask({6, 5}, 0.5)), picture),
              "mask: 'mask' is nowhere above 0 where the source lies: move one of them");
    auto odd = noise({6, 5}, PixelType::f32);
    odd->as<float>()[7] = std::numeric_limits<float>::infinity();
    io::Grid one({6, 5}, PixelType::u8);
    std::fill_n(one.as<std::uint8_t>(), 30, std::uint8_t{0});
    one.setValue(2, 1, 0, 0, 1);
    const auto beside = std::make_shared<const NamedGrid>(NamedGrid{"m", std::make_shared<io::Grid>(std::move(one))});
    EXPECT_EQ(why(masked(solved("inpaint", "cg"), beside), odd),
              "mask: values around it are not finite, and would be everywhere in "
              "it: take them in as well");
}

INSTANTIATE_TEST_SUITE_P(Sparse, SparseSolve, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
