// SPDX-License-Identifier: Apache-2.0
// What the window draws of a matrix: against rows that are enumerated here, and against the formats as they are built.
#include "gpu/families/sparse/matrix_rows.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/evolution.hpp"
#include "gpu/families/sparse/lattice.hpp"
#include "gpu/families/sparse/problem.hpp"
#include "gpu/families/sparse/tests/sparse_case.hpp"
#include "io/generate.hpp"

#include <algorithm>
#include <numeric>

namespace warplens::gpu::testing {
namespace {

using sparse::Format;

/// Unknowns in raster order, each with itself and its neighbours among them.
struct Enumerated {
    std::vector<int> lengths, pixels;
};

Enumerated enumerated(const io::Grid& mask) {
    Enumerated found;
    const io::Shape& s = mask.shape();
    const auto inside = [&](std::int64_t x, std::int64_t y, std::int64_t z) {
        return x >= 0 && y >= 0 && z >= 0 && x < s.width && y < s.height && z < s.depth && mask.value(x, y, z) > 0;
    };
    for (std::int64_t z = 0; z < s.depth; ++z)
        for (std::int64_t y = 0; y < s.height; ++y)
            for (std::int64_t x = 0; x < s.width; ++x) {
                if (!inside(x, y, z)) continue;
                found.pixels.push_back(static_cast<int>((z * s.height + y) * s.width + x));
                found.lengths.push_back(1 + inside(x - 1, y, z) + inside(x + 1, y, z) + inside(x, y - 1, z) +
                                        inside(x, y + 1, z) + inside(x, y, z - 1) + inside(x, y, z + 1));
            }
    return found;
}

// The window's strips and lanes: each warp of some masks, counted by hand.
TEST(MatrixRows, AreThoseThatOneEnumerates) {
    int warps = 0;
    for (const io::Shape shape : {io::Shape{14, 8}, io::Shape{31, 9}, io::Shape{7, 6, 5}})
        for (const double share : {0.15, 0.5, 0.9}) {
            const auto mask = randomMask(shape, share);
            const Enumerated by = enumerated(*mask->grid);
            const auto rows = sparse::matrixRows(noise(shape, io::PixelType::u8), masked(multiplied("laplacian"), mask),
                                                 std::stop_token());
            ASSERT_EQ(std::vector<int>(rows.lengths.begin(), rows.lengths.end()), by.lengths);
            const int longest = *std::max_element(by.lengths.begin(), by.lengths.end());
            EXPECT_EQ(rows.longest, longest);
            for (int row = 0; row < rows.count(); ++row) {
                ASSERT_EQ(rows.pixelOf(row), by.pixels[static_cast<std::size_t>(row)]);
                ASSERT_EQ(rows.rowAt(rows.pixelOf(row)), row);
            }
            for (int first = 0; first < rows.count(); first += sparse::kWarp, ++warps) {
                const int count = std::min(sparse::kWarp, rows.count() - first);
                std::int64_t nonzeros = 0, beyond = 0, most = 0;
                for (int row = first; row < first + count; ++row) {
                    const int length = by.lengths[static_cast<std::size_t>(row)];
                    nonzeros += length;
                    beyond += std::max(0, length - rows.shared);
                    most = std::max<std::int64_t>(most, length);
                }
                const auto bytes = [&](Format format) { return storedRows(rows, format, first, count).bytes; };
                const auto padded = [&](Format format) { return storedRows(rows, format, first, count).padded; };
                EXPECT_EQ(bytes(Format::coordinates), 12 * nonzeros);
                EXPECT_EQ(bytes(Format::rows), 8 * nonzeros + 4 * (count + 1));
                EXPECT_EQ(bytes(Format::ell), 8 * longest * count);
                EXPECT_EQ(bytes(Format::sliced), 8 * most * 32 + 8);
                EXPECT_EQ(bytes(Format::hybrid), 8 * rows.shared * count + 12 * beyond);
                EXPECT_EQ(bytes(Format::none), 0);
                EXPECT_EQ(padded(Format::coordinates), 0);
                EXPECT_EQ(padded(Format::rows), 0);
                EXPECT_EQ(padded(Format::ell), longest * count - nonzeros);
                EXPECT_EQ(padded(Format::sliced), most * 32 - nonzeros);
                EXPECT_EQ(padded(Format::hybrid), rows.shared * count + beyond - nonzeros);
                EXPECT_EQ(threadPerRow(rows, first, count).working, nonzeros);
                EXPECT_EQ(threadPerRow(rows, first, count).all, 32 * most);
                EXPECT_EQ(warpPerRow(rows, first, count).working, nonzeros);
                EXPECT_EQ(warpPerRow(rows, first, count).all, 32 * count) << "no row is longer than a warp";
            }
        }
    EXPECT_GT(warps, 20);
}

// All rows together are what the builder made of them, in every format and of every matrix.
TEST(MatrixRows, AreWhatTheBuilderStores) {
    const auto device = openDevice("cpu");
    for (const char* matrix : {"laplacian", "diffusion", "filter", "mask"}) {
        const io::Shape shape{37, 11};
        const auto picture = noise(shape, io::PixelType::f32);
        const bool mask = std::string(matrix) == "mask";
        const ParameterValues values =
            mask ? masked(multiplied("laplacian"), randomMask(shape, 0.5)) : multiplied(matrix);
        const auto rows = sparse::matrixRows(picture, values, std::stop_token());
        const sparse::SparseProblem problem(picture, values);
        const sparse::Lattice lattice(*device, problem.posed(), problem.unknowns());
        sparse::Rule rule = lattice.rule();
        std::vector<float> floats(picture->as<float>(), picture->as<float>() + shape.pixels());
        const Buffer weights = sparse::uploaded(*device, floats);
        rule.picture = weights.handle();
        for (int row = 0; !mask && row < rows.count(); ++row) {
            int filled = 0;
            for (const int offset : sparse::diagonalsOf(rows.posed)) filled += onDiagonal(rows, row, offset);
            ASSERT_EQ(filled, rows.lengths[static_cast<std::size_t>(row)]) << matrix << ' ' << row;
        }
        for (const Format format :
             {Format::coordinates, Format::rows, Format::ell, Format::sliced, Format::hybrid, Format::diagonals}) {
            if (mask && format == Format::diagonals) {
                EXPECT_EQ(storedRows(rows, format, 0, rows.count()).bytes, 0) << "not stored so";
                continue;
            }
            const sparse::StoredMatrix built(*device, rule, format);
            const auto told = storedRows(rows, format, 0, rows.count());
            EXPECT_EQ(told.nonzeros, built.stored().nonzeros) << matrix << ' ' << nameOf(format);
            EXPECT_EQ(told.tail, built.stored().tail) << matrix << ' ' << nameOf(format);
            EXPECT_EQ(told.padded, built.stored().places + built.stored().tail - built.stored().nonzeros)
                << matrix << ' ' << nameOf(format);
            // A buffer ends with up to seven integers more.
            EXPECT_LE(told.bytes, built.bytes()) << matrix << ' ' << nameOf(format);
            EXPECT_GE(told.bytes + 5 * 28, built.bytes()) << matrix << ' ' << nameOf(format);
        }
    }
}

// What the residuals' column says: without the products that only look at what is left.
TEST(MatrixRows, ASolversStepsTakeSoManyProducts) {
    const auto device = openDevice("cpu");
    const io::Shape shape{40, 30};
    const auto picture = noise(shape, io::PixelType::u8);
    const auto mask = randomMask(shape, 0.7);
    const sparse::SparseProblem problem(picture, masked({{"task", std::string("inpaint")}}, mask));
    const sparse::Lattice lattice(*device, problem.posed(), problem.unknowns());
    const sparse::Rule rule = lattice.rule();
    const sparse::StoredMatrix matrix(*device, rule, Format::rows);
    const Variant* variant = findVariant("sparse", "csr_scalar");
    ASSERT_NE(variant, nullptr);
    const sparse::KernelEntry* entry = sparse::ladder().entryOf(*variant, device->info());
    const Buffer right = sparse::uploaded(*device, problem.system().rightSide(problem.unknowns()));
    const Buffer solution = device->allocate(right.bytes());
    for (const sparse::Method method :
         {sparse::Method::jacobi, sparse::Method::conjugateGradients, sparse::Method::multigrid}) {
        std::int64_t products = 0;
        sparse::Solver solver(*device, rule, rule.rows, method, [&](std::uint64_t x, std::uint64_t y) {
            ++products;
            sparse::multiply(device->context(), *entry, {{"block_width", 64}}, &matrix, rule, {x, 0}, {y, 0});
        });
        const ConvergenceHistory done = solver.solve(right, solution, {1e-3, 4000});
        ASSERT_EQ(done.stopped, "tolerance");
        // Jacobi looks with each residual that it tells, the others once, at the end.
        const auto looks =
            method == sparse::Method::jacobi ? static_cast<std::int64_t>(done.residuals.size()) : std::int64_t{1};
        EXPECT_EQ(products - looks, done.iterations * sparse::productsPerStep(method)) << static_cast<int>(method);
        EXPECT_GT(done.iterations, 2);
    }
}

// The lesson "A coarse grid sees far" tells these steps; a twentieth more or less is another order of sums.
TEST(MatrixRows, TheLessonsStepsAreTheSolvers) {
    const auto flat = std::make_shared<io::Grid>(io::generate("gen:constant:64x64:f32"));
    Request request;
    request.input = std::make_shared<io::Grid>(io::generate("gen:gradient:64x64:f32"));
    request.family = "sparse";
    request.device = "cpu";
    request.timing = TimingPolicy::once();
    request.verify = false;
    request.variants = {"matrix_free"};
    Runner runner;
    for (const auto& [solver, told] : {std::pair{"jacobi", 1024}, {"cg", 67}, {"multigrid", 3}}) {
        request.parameters = {{"task", std::string("clone")},
                              {"source", std::make_shared<const NamedGrid>(NamedGrid{"flat", flat})},
                              {"solver", std::string(solver)},
                              {"iterations", std::int64_t{9999}}};
        const auto run = runner.run(request).runs.front();
        ASSERT_EQ(run.status, Status::ok) << describe(run);
        const auto done = evolutionOf(run.result.tables);
        ASSERT_TRUE(done);
        EXPECT_EQ(done->stopped, "tolerance");
        EXPECT_NEAR(static_cast<double>(done->iterations), told, 0.05 * told) << solver;
        const Table* residuals = findTable(run.result.tables, "residuals");
        ASSERT_NE(residuals, nullptr);
        const std::int64_t each = std::string(solver) == "multigrid" ? 5 : 1;
        EXPECT_EQ(residuals->integers("products").back(), each * done->iterations);
    }
}

TEST(MatrixRows, TellWhatIsMissing) {
    EXPECT_THROW(sparse::matrixRows(noise({9, 9}, io::PixelType::u8), {{"task", std::string("inpaint")}}, {}), Error);
}

}  // namespace
}  // namespace warplens::gpu::testing
