// SPDX-License-Identifier: Apache-2.0
// The life of one block against what the text of the kernels says it must be, and against the counters.
#include "gpu/trace/film.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/trace/tally.hpp"
#include "gpu/trace/variant_tracer.hpp"
#include "io/generate.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

namespace warplens::gpu::testing {
namespace {

constexpr int kRadius = 2;

int lanesOf(const FilmStep& step) { return std::popcount(step.request.mask); }

/// Steps of one kind of access, those of one warp in their order.
std::vector<FilmStep> stepsOf(const Film& film, Space space, Operation operation, int warp) {
    std::vector<FilmStep> steps;
    for (const FilmStep& step : film.steps) {
        const WarpSite& site = film.siteOf(step);
        if (site.space == space && site.operation == operation && step.warp == warp) steps.push_back(step);
    }
    return steps;
}

class FilmOfTiles : public ::testing::Test {
protected:
    static constexpr int kWidth = 96, kHeight = 80, kStaged = 32 + 2 * kRadius, kRows = 8 + 2 * kRadius;
    static constexpr unsigned kX = 1, kY = 4;

    static const io::Grid& picture() { return *input(); }
    static std::shared_ptr<const io::Grid> input() {
        static const auto grid = noise({kWidth, kHeight}, io::PixelType::f32);
        return grid;
    }
    static Film film(const FilmQuery& query, const std::string& variant = "tiled_output") {
        static trace::VariantTracer tracer(familyOf("convolution"), input(), {{"radius", std::int64_t{kRadius}}});
        return tracer.film(variantOf(familyOf("convolution"), variant), {}, query, {});
    }
    static const Film& film() {
        static const Film one = film(FilmQuery{.block = std::array{kX, kY, 0U}});
        return one;
    }
    /// The picture's value that cell i of the tile holds.
    static std::int64_t pixelOf(int i) {
        return (static_cast<int>(kY) * 8 - kRadius + i / kStaged) * kWidth + static_cast<int>(kX) * 32 - kRadius +
               i % kStaged;
    }
};

// Threads are numbered through: cell i of the tile is loaded by thread i mod 256 in turn i / 256.
TEST_F(FilmOfTiles, EachWarpReadsTheseAndFillsThoseCells) {
    EXPECT_EQ(film().index, (std::array{kX, kY, 0U}));
    EXPECT_EQ(film().warps(), 8);
    ASSERT_EQ(film().arrays.size(), 1U);
    EXPECT_EQ(film().arrays[0].bytes, 4 * kStaged * kRows);
    ASSERT_EQ(film().barriers.size(), 1U);
    EXPECT_TRUE(film().barriers[0].file.ends_with("tiled_output.cuh")) << film().barriers[0].file;
    for (int warp = 0; warp < 8; ++warp) {
        const auto loads = stepsOf(film(), Space::global, Operation::load, warp);
        const auto stores = stepsOf(film(), Space::shared, Operation::store, warp);
        const std::size_t turns = warp < 6 ? 2 : 1;  // 432 cells of 256 threads: 176 lanes more
        ASSERT_EQ(loads.size(), turns) << warp;
        ASSERT_EQ(stores.size(), turns) << warp;
        for (std::size_t turn = 0; turn < turns; ++turn) {
            const int first = static_cast<int>(turn) * 256 + warp * 32;
            EXPECT_EQ(lanesOf(loads[turn]), std::min(32, kStaged * kRows - first));
            EXPECT_EQ(loads[turn].epoch, 0);
            EXPECT_EQ(stores[turn].request.count.wavefronts, 1);
            const auto pixels = valuesTouched(film(), loads[turn]);
            const auto cells = cellsTouched(film(), stores[turn]);
            ASSERT_EQ(cells.size(), pixels.size());
            for (std::size_t lane = 0; lane < pixels.size(); ++lane) {
                EXPECT_EQ(pixels[lane], pixelOf(first + static_cast<int>(lane)));
                EXPECT_EQ(cells[lane].second, first + static_cast<int>(lane));
            }
        }
        const auto taps = stepsOf(film(), Space::shared, Operation::load, warp);
        ASSERT_EQ(taps.size(), 25U);
        std::set<std::int64_t> firsts;
        for (const FilmStep& tap : taps) {
            EXPECT_EQ(tap.epoch, 1);
            firsts.insert(tap.request.offset[0] / 4);
        }
        std::set<std::int64_t> expected;
        for (int j = 0; j < 5; ++j)
            for (int i = 0; i < 5; ++i) expected.insert((warp + j) * kStaged + i);
        EXPECT_EQ(firsts, expected) << warp;
    }
}

/// Phases of one warp's requests: g and G load from and store to global memory, s, S and A read, fill and add to shared
/// memory, | is a barrier.
std::string phasesOfRequests(const std::string& requests) {
    constexpr std::array kSites{std::pair('g', std::pair(Space::global, Operation::load)),
                                std::pair('G', std::pair(Space::global, Operation::store)),
                                std::pair('s', std::pair(Space::shared, Operation::load)),
                                std::pair('S', std::pair(Space::shared, Operation::store)),
                                std::pair('A', std::pair(Space::shared, Operation::atomic))};
    Film film{.kernel = "kernel", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    for (const auto& [letter, does] : kSites)
        film.sites.push_back({.space = does.first, .operation = does.second, .bytes = 4});
    for (const char letter : requests) {
        if (letter == '|') film.barriers.push_back({});
        for (std::size_t i = 0; i < kSites.size(); ++i) {
            if (kSites[i].first != letter) continue;
            FilmStep step{.epoch = static_cast<int>(film.barriers.size())};
            step.request.site = static_cast<int>(i);
            film.steps.push_back(std::move(step));
        }
    }
    std::string text;
    for (const FilmPhase& phase : phasesOf(film)) text += std::string(text.empty() ? "" : ", ") + nameOf(phase.kind);
    return text;
}

TEST(FilmPhases, AreNamedByWhatTheirRequestsDo) {
    EXPECT_EQ(phasesOfRequests("gSgS|ssssG"), "load, wait, compute, store");
    EXPECT_EQ(phasesOfRequests("S|gAgA|sG"), "set up, wait, load and add, wait, compute, store") << "a histogram";
    EXPECT_EQ(phasesOfRequests("ggGgGgG"), "load and store") << "a march through rows";
    EXPECT_EQ(phasesOfRequests("gS|ssGssGssG"), "load, wait, compute, compute and store") << "a merge";
    EXPECT_EQ(phasesOfRequests("G|sggG"), "set up, wait, load, store") << "a ticket is no result";
}

TEST_F(FilmOfTiles, CellsHoldThePicturesOwnValuesAndSayWhich) {
    FilmState state(film());
    const auto phases = phasesOf(film());
    ASSERT_EQ(phases.size(), 4U);
    EXPECT_EQ(phases[0].kind, FilmPhaseKind::load);
    EXPECT_EQ(phases[1].kind, FilmPhaseKind::wait);
    EXPECT_EQ(phases[2].kind, FilmPhaseKind::compute);
    EXPECT_EQ(phases[3].kind, FilmPhaseKind::store);
    EXPECT_EQ(phases[0].count, 28);
    state.goTo(phases[0].count);
    for (int i = 0; i < kStaged * kRows; ++i) {
        const FilmCell& cell = state.cells(0)[static_cast<std::size_t>(i)];
        ASSERT_TRUE(cell.filled) << i;
        EXPECT_EQ(cell.pixel, pixelOf(i));
        EXPECT_EQ(std::bit_cast<float>(cell.value), picture().as<float>()[pixelOf(i)]) << i;
        EXPECT_EQ(cell.warp, i / 32 % 8);
    }
    EXPECT_TRUE(state.read(pixelOf(0)));
    EXPECT_FALSE(state.read(pixelOf(0) - 1));
    EXPECT_FALSE(state.written(pixelOf(kStaged * kRadius + kRadius)));
    // In the second turn warps 6 and 7 have nothing to do: they wait while the others load.
    state.goTo(8 + 8 + 2);
    EXPECT_EQ(state.warp(6), FilmState::Warp::waits);
    EXPECT_EQ(state.warp(0), FilmState::Warp::works);
    EXPECT_EQ(std::ranges::count_if(state.cells(0), &FilmCell::filled), 256);
    state.goTo(static_cast<int>(film().steps.size()));
    EXPECT_TRUE(state.written(pixelOf(kStaged * kRadius + kRadius)));
    EXPECT_EQ(state.warp(3), FilmState::Warp::ended);
}

// A tile beyond the picture holds what no one has read; what the same thread read in the turn before is not that.
TEST_F(FilmOfTiles, CellsOutsideThePictureHoldNoPixel) {
    trace::VariantTracer tracer(familyOf("convolution"), input(),
                                {{"radius", std::int64_t{kRadius}}, {"border", std::string("zero")}});
    const Film corner = tracer.film(variantOf(familyOf("convolution"), "tiled_output"), {},
                                    FilmQuery{.block = std::array{0U, 0U, 0U}}, {});
    FilmState state(corner);
    state.goTo(phasesOf(corner)[0].count);
    for (int i = 0; i < kStaged * kRows; ++i) {
        const FilmCell& cell = state.cells(0)[static_cast<std::size_t>(i)];
        const int x = i % kStaged - kRadius, y = i / kStaged - kRadius;
        ASSERT_TRUE(cell.filled) << i;
        EXPECT_EQ(cell.pixel, x < 0 || y < 0 ? -1 : y * kWidth + x) << i;
    }
}

TEST_F(FilmOfTiles, ABlockIsFoundByAPixelAndRefusedByNumber) {
    EXPECT_EQ(film(FilmQuery{.pixel = std::array<std::int64_t, 3>{40, 35, 0}}), film());
    try {
        film(FilmQuery{.block = std::array{3U, 0U, 0U}});
        FAIL() << "there are 3 blocks a row";
    } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "block 3,0,0 lies outside the grid of 3 x 10 x 1 blocks");
    }
    EXPECT_THROW(film(FilmQuery{.kernel = "no such"}), Error);
    EXPECT_THROW(film(FilmQuery{.launch = 7}), Error);
}

// Bins of a privatised histogram end up with what the block counted.
TEST(FilmOfBins, AtomicsAddUpToTheBlocksOwnCounts) {
    const auto input = noise({64, 16}, io::PixelType::u8);
    trace::VariantTracer tracer(familyOf("histogram"), input, {{"bins", std::int64_t{16}}});
    const Film film = tracer.film(variantOf(familyOf("histogram"), "privatised"), {}, {}, {});
    FilmState state(film);
    std::map<std::int64_t, std::uint32_t> expected;
    std::set<std::int64_t> pixels;
    for (const FilmStep& step : film.steps)
        if (film.siteOf(step).operation == Operation::load)
            for (const std::int64_t value : valuesTouched(film, step)) pixels.insert(value);
    ASSERT_FALSE(pixels.empty());
    for (const std::int64_t pixel : pixels) ++expected[input->as<std::uint8_t>()[pixel] / 16];
    const auto last = std::ranges::find_if(film.steps.rbegin(), film.steps.rend(), [&](const FilmStep& step) {
        return step.array >= 0 && film.siteOf(step).operation == Operation::atomic;
    });
    ASSERT_NE(last, film.steps.rend());
    state.goTo(static_cast<int>(film.steps.rend() - last));
    for (const auto& [bin, count] : expected) {
        const FilmCell& cell = state.cells(last->array)[static_cast<std::size_t>(bin)];
        EXPECT_EQ(cell.value, count) << bin;
        EXPECT_EQ(cell.atomics, static_cast<int>(count)) << bin;
    }
}

/// A scan by look-back: what the middle tile's block adds it learned from those before it.
TEST(FilmOfLookBack, ABlockReadsWhatThoseBeforeItPublished) {
    const auto input = noise({512, 128}, io::PixelType::f32);
    const Family& family = familyOf("scan");
    trace::VariantTracer tracer(family, input, {});
    const auto row = std::ranges::find(family.variants(), std::string("look_back"), &Variant::id);
    ASSERT_NE(row, family.variants().end());
    const Film film = tracer.film(*row, {}, {}, {});
    EXPECT_GT(film.index[0] + film.index[1], 0U);
    EXPECT_FALSE(film.steps.empty());
    EXPECT_EQ(film.omittedSteps, 0);
}

TEST(FilmOfQueue, IsOfABlockThatFindsWork) {
    const auto input = std::make_shared<const io::Grid>(io::generate("gen:maze:64x64:u8"));
    const Family& family = familyOf("flood");
    trace::VariantTracer tracer(family, input, {{"seeds", std::string("1,1")}});
    const Variant& row = variantOf(family, "privatised");
    std::string kernel;
    try {
        tracer.film(row, {}, {.kernel = "none"}, {});
    } catch (const Error& error) {
        const std::string said = error.what();
        kernel = said.substr(said.find("private_queues"));
        kernel = kernel.substr(0, kernel.find("; "));
    }
    const Film film = tracer.film(row, {}, {.kernel = kernel}, {});
    EXPECT_EQ(film.index[0], 0U) << "the seed alone is queued";
    EXPECT_TRUE(
        std::ranges::any_of(film.sites, [](const WarpSite& site) { return site.operation == Operation::atomic; }));
}

class FilmOfFamily : public ::testing::TestWithParam<const Family*> {};
INSTANTIATE_TEST_SUITE_P(All, FilmOfFamily, ::testing::ValuesIn(families()),
                         [](const auto& family) { return family.param->id(); });

void expectInRange(const Film& film, const std::string& what) {
    EXPECT_FALSE(film.steps.empty()) << what;
    std::vector<int> epochs(static_cast<std::size_t>(film.warps()), 0);
    for (const FilmStep& step : film.steps) {
        ASSERT_TRUE(step.warp >= 0 && step.warp < film.warps()) << what;
        ASSERT_NE(step.request.mask, 0U) << what;
        ASSERT_LE(step.epoch, static_cast<int>(film.barriers.size())) << what;
        ASSERT_GE(step.epoch, std::exchange(epochs[static_cast<std::size_t>(step.warp)], step.epoch)) << what;
        const WarpSite& site = film.siteOf(step);
        EXPECT_EQ(step.array >= 0, site.space == Space::shared) << what;
        EXPECT_EQ(step.request.buffer >= 0, isGlobal(site.space)) << what;
        const std::int64_t bytes = step.array >= 0 ? film.arrays[static_cast<std::size_t>(step.array)].bytes
                                   : step.request.buffer >= 0
                                       ? film.buffers[static_cast<std::size_t>(step.request.buffer)].bytes
                                       : 1 << 16;
        for (std::size_t lane = 0; lane < 32; ++lane) {
            if (!(step.request.mask >> lane & 1U)) continue;
            ASSERT_TRUE(step.request.offset[lane] >= 0 && step.request.offset[lane] < bytes)
                << what << " " << accessOf(site) << " " << site.file << ":" << site.line;
        }
        EXPECT_EQ(step.values.empty(), site.operation == Operation::load || site.space == Space::constant) << what;
    }
    const auto phases = phasesOf(film);
    int next = 0;
    for (const FilmPhase& phase : phases) {
        EXPECT_EQ(phase.first, next) << what;
        next += phase.count;
    }
    EXPECT_EQ(next, static_cast<int>(film.steps.size())) << what;
    FilmState state(film);
    state.goTo(next);
}

// Where one launch of few blocks is all there is, their films together are the counters; unless what a block does hangs
// on how far others are.
TEST_P(FilmOfFamily, EveryTracedVariantHasOneAndAllTogetherAreTheCounters) {
    const Family& family = *GetParam();
    std::unique_ptr<trace::VariantTracer> tracer;
    for (const auto type : {io::PixelType::f32, io::PixelType::u8}) {
        try {
            if (tracer == nullptr)
                tracer = std::make_unique<trace::VariantTracer>(family, noise({40, 24}, type), ParameterValues{});
        } catch (const Error&) {
            // another type
        }
    }
    ASSERT_NE(tracer, nullptr);
    int films = 0;
    for (const Variant& variant : family.variants()) {
        const RunRecord record = tracer->trace(variant, {}, {.whole = true}, {}, {});
        if (!record.counters) continue;
        std::int64_t requests = 0;
        bool all = true;
        for (const KernelCounters& kernel : record.counters->kernels) {
            const auto what = variant.id + " " + kernel.kernel;
            const Film film = tracer->film(variant, {}, {.kernel = kernel.kernel}, {});
            expectInRange(film, what);
            ++films;
            all = all && kernel.launches == 1 && kernel.blocks <= (record.counters->globalAtomics.requests > 0 ? 1 : 4);
            if (!all) continue;
            for (unsigned i = 0; i < kernel.blocks; ++i) {
                const std::array block{i % kernel.grid[0], i / kernel.grid[0] % kernel.grid[1],
                                       i / kernel.grid[0] / kernel.grid[1]};
                const Film one = tracer->film(variant, {}, {.kernel = kernel.kernel, .block = block}, {});
                for (const FilmStep& step : one.steps) requests += step.request.count.requests;
                requests += one.omittedSteps;
            }
        }
        if (!all) continue;
        const Counters& c = *record.counters;
        EXPECT_EQ(requests, c.globalLoad.requests + c.globalStore.requests + c.sharedLoad.requests +
                                c.sharedStore.requests + c.constant.requests + c.texture.requests +
                                c.globalAtomics.requests + c.sharedAtomics.requests)
            << variant.id;
    }
    EXPECT_GT(films, 0);
}

}  // namespace
}  // namespace warplens::gpu::testing
