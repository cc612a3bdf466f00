// SPDX-License-Identifier: Apache-2.0
// The film of a block of a kernel of the user's.
#include "app/trace/client.hpp"
#include "app/trace/protocol.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "tests/app/cli.hpp"
#include "tests/worker/own_kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdexcept>

namespace warplens::worker::testing {
namespace {

using ::testing::HasSubstr;

gpu::Request taskOf(const std::string& picture, gpu::ParameterValues parameters) {
    gpu::Request request;
    request.input = std::make_shared<const io::Grid>(io::generate(picture));
    request.family = "convolution";
    request.parameters = std::move(parameters);
    return request;
}

gpu::Film filmKernel(const std::string& text, const gpu::FilmQuery& query = {},
                     const std::string& picture = "gen:noise:96x80:f32") {
    gpu::Request request = taskOf(picture, {{"filter", std::string("identity")}});
    request.kernels = {makeKernel("/somewhere/my_kernel.cuh", text)};
    return TraceProgram().film(request, query, {});
}

const std::string kTiled = kernelWith(
    "    __shared__ float tile[8][32];\n    tile[threadIdx.y][threadIdx.x] = 2.0f * threadIdx.x;\n"
    "    __syncthreads();\n    if (tile[threadIdx.y][0] > 1) return;");

TEST(FilmedKernel, ShowsWhatItsLinesDo) {
    const gpu::Film film = filmKernel(kTiled, {.block = {{1, 4, 0}}});
    EXPECT_EQ(film.kernel, "mine");
    EXPECT_EQ(film.index, (std::array<unsigned, 3>{1, 4, 0}));
    EXPECT_EQ(film.grid, (std::array<unsigned, 3>{3, 10, 1}));
    ASSERT_EQ(film.arrays.size(), 1U);
    EXPECT_EQ(film.arrays[0].name, "tile");
    EXPECT_EQ(film.arrays[0].bytes, 8 * 32 * 4);
    ASSERT_EQ(film.barriers.size(), 1U);
    EXPECT_EQ(film.barriers[0].file, "my_kernel.cuh");
    EXPECT_EQ(film.barriers[0].line, 7);
    // Each of eight warps fills a row, reads its first cell, reads a row of the picture and writes it.
    ASSERT_EQ(film.steps.size(), 8U * 4);
    EXPECT_EQ(film.siteOf(film.steps[3]).line, 6);
    EXPECT_EQ(sentenceOf(film, film.steps[3]), "Warp 3 fills 32 cells of tile");
    EXPECT_EQ(gpu::textOfBits(film.steps[3].values.at(31)), "62");
    EXPECT_EQ(film.siteOf(film.steps[8]).line, 8);
    EXPECT_EQ(valuesTouched(film, film.steps[16]).front(), 32 * 96 + 32);
    EXPECT_EQ(film.siteOf(film.steps.back()).line, 9);
    EXPECT_EQ(filmKernel(kTiled, {.pixel = {{40, 33, 0}}}), film) << "the block of that pixel";
}

TEST(FilmedKernel, ThatIsACopyIsFilmedAsTheOriginal) {
    gpu::Request request = taskOf("gen:noise:96x80:u8", {{"radius", std::int64_t{2}}});
    request.variants = {"tiled_output"};
    const gpu::FilmQuery query{.block = {{1, 4, 0}}};
    const gpu::Film ours = TraceProgram().film(request, query, {});
    const gpu::Family& family = gpu::familyOf("convolution");
    request.variants.clear();
    request.kernels = {makeKernel("my_copy.cuh", copyOfVariant(family, gpu::variantOf(family, "tiled_output")))};
    const gpu::Film theirs = TraceProgram().film(request, query, {});
    EXPECT_EQ(theirs.kernel, ours.kernel);
    EXPECT_EQ(theirs.arrays, ours.arrays);
    ASSERT_EQ(theirs.steps.size(), ours.steps.size());
    for (std::size_t i = 0; i < ours.steps.size(); ++i) {
        EXPECT_EQ(sentenceOf(theirs, theirs.steps[i]), sentenceOf(ours, ours.steps[i]));
        EXPECT_EQ(theirs.steps[i].request.offset, ours.steps[i].request.offset);
        EXPECT_EQ(theirs.steps[i].values, ours.steps[i].values);
    }
    EXPECT_EQ(theirs.barriers.at(0).file, "my_copy.cuh");
}

TEST(FilmedKernel, ThatDoesWhatItMustNotHasNoFilm) {
    try {
        filmKernel(kernelWith("    out[width * height + x] = 1;"));
        FAIL() << "no error";
    } catch (const gpu::Error& error) {
        EXPECT_EQ(error.kind(), gpu::Error::Kind::fault);
        EXPECT_THAT(error.what(), HasSubstr("my_kernel.cuh:5"));
    }
    EXPECT_THROW(filmKernel(kTiled, {.block = {{9, 0, 0}}}), gpu::Error);
}

TEST(FilmedKernel, IsNotTrustedToTellTheTruth) {
    const gpu::Film film = filmKernel(kTiled);
    const auto refuses = [&](const auto& change) {
        gpu::Film wrong = film;
        change(wrong);
        EXPECT_THROW(trace_protocol::filmOf(trace_protocol::toJson(wrong)), std::runtime_error);
    };
    EXPECT_EQ(trace_protocol::filmOf(trace_protocol::toJson(film)), film);
    refuses([](gpu::Film& f) { f.arrays[0].valueBytes = 0; });
    refuses([](gpu::Film& f) { f.arrays[0].bytes = std::int64_t{1} << 50; });
    refuses([](gpu::Film& f) { f.block = {1 << 20, 1 << 10, 1}; });
    refuses([](gpu::Film& f) { f.extent[0] = 0; });
    refuses([](gpu::Film& f) { f.buffers[0].bytes = std::int64_t{1} << 39; });
    refuses([](gpu::Film& f) { f.sites[0].bytes = 1 << 30; });
    refuses([](gpu::Film& f) { f.steps[0].warp = 8; });
    refuses([](gpu::Film& f) { f.steps[0].epoch = 2; });
    refuses([](gpu::Film& f) { f.steps[0].request.offset[0] = -4; });
    refuses([](gpu::Film& f) { f.steps[0].request.mask = 0; });
}

TEST(FilmedKernel, IsToldOnTheCommandLine) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "my_kernel.cuh", kTiled);
    const std::vector<std::string> call{"film",     "gen:noise:96x80:f32",   "convolution", "--filter", "identity",
                                        "--kernel", folder / "my_kernel.cuh"};
    const test::Outcome outcome = test::cli(call);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_THAT(outcome.out, HasSubstr("barrier at my_kernel.cuh:7"));
    auto both = call;
    both.insert(both.end(), {"--variant", "naive"});
    EXPECT_EQ(test::cli(both).status, 2);
}

}  // namespace
}  // namespace warplens::worker::testing
