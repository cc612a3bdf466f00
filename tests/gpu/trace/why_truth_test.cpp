// SPDX-License-Identifier: Apache-2.0
// What is said of each rung of all families, in both directions between any two rungs, against the counts it cites.
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "gpu/report/figures.hpp"
#include "gpu/report/why.hpp"
#include "gpu/trace/variant_tracer.hpp"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <string_view>

namespace warplens::gpu::testing {
namespace {

/// The figure by its definition, from the sums alone.
double truth(WhyFigure figure, const Counters& c) {
    const auto of = [](double a, double b) { return b > 0 ? a / b : 0; };
    const auto& load = c.globalLoad;
    const auto& store = c.globalStore;
    double threads = 0;
    for (const auto& k : c.kernels) threads += static_cast<double>(k.blocks * k.block[0] * k.block[1] * k.block[2]);
    const auto passes = static_cast<double>(c.sharedLoad.wavefronts + c.sharedStore.wavefronts);
    switch (figure) {
        case WhyFigure::loadSectors: return static_cast<double>(load.sectors);
        case WhyFigure::sectorsPerLoad:
            return of(static_cast<double>(load.sectors), static_cast<double>(load.requests));
        case WhyFigure::idealSectors:
            return of(static_cast<double>(load.usefulBytes) / 32, static_cast<double>(load.requests));
        case WhyFigure::usefulLoadShare:
            return of(static_cast<double>(load.usefulBytes), 32.0 * static_cast<double>(load.sectors));
        case WhyFigure::textureSectors: return static_cast<double>(c.texture.sectors);
        case WhyFigure::storeSectors: return static_cast<double>(store.sectors);
        case WhyFigure::usefulStoreShare:
            return of(static_cast<double>(store.usefulBytes), 32.0 * static_cast<double>(store.sectors));
        case WhyFigure::reuse: return c.inputReuse;
        case WhyFigure::sharedWavefronts: return passes;
        case WhyFigure::passesPerShared:
            return of(passes, static_cast<double>(c.sharedLoad.requests + c.sharedStore.requests));
        case WhyFigure::globalAtomics: return static_cast<double>(c.globalAtomics.lanes);
        case WhyFigure::sharedAtomics: return static_cast<double>(c.sharedAtomics.lanes);
        case WhyFigure::lanesPerAddress:
            return of(static_cast<double>(c.globalAtomics.lanes + c.sharedAtomics.lanes),
                      static_cast<double>(c.globalAtomics.words + c.sharedAtomics.words));
        case WhyFigure::flops: return c.flops;
        case WhyFigure::operationsPerByte:
            return of(c.flops + c.matrixOperations, static_cast<double>(load.threadBytes + c.texture.threadBytes));
        case WhyFigure::idleThreadShare: return 1 - of(static_cast<double>(store.lanes), threads);
        case WhyFigure::threads: return threads;
        case WhyFigure::activeLanes: return c.activeLanes;
        case WhyFigure::barriers: return static_cast<double>(c.barriers);
        default: return -1;
    }
}

double read(std::string text) {
    std::erase(text, ',');
    const double value = std::strtod(text.c_str(), nullptr);
    return text.ends_with('%') ? value / 100 : value;
}

/// Words without a number but the size of a sector or a warp, and names.
bool bare(std::string words) {
    for (const char* known : {"32", "H200"}) {
        if (const auto at = words.find(known); at != std::string::npos) words.erase(at, std::string_view(known).size());
    }
    return words.find_first_of("0123456789") == std::string::npos;
}

/// Whether the sentence holds of the counts of both rungs.
void check(const WhySentence& sentence, const Counters& now, const Counters* before) {
    const std::string text = plainText(sentence);
    std::vector<std::pair<WhyFigure, double>> mine, its;
    for (const WhyPiece& piece : sentence.pieces) {
        ASSERT_EQ(piece.figure != WhyFigure::none, piece.origin.has_value()) << text;
        if (!piece.origin) {
            EXPECT_TRUE(bare(piece.text)) << "a number without an origin: " << text;
            continue;
        }
        if (*piece.origin != Origin::counted) continue;
        const double value = truth(piece.figure, piece.predecessor ? *before : now);
        // Three digits, or a tenth of a percent.
        EXPECT_NEAR(read(piece.text), value, std::max(0.006 * value, piece.text.ends_with('%') ? 0.00051 : 1e-9))
            << piece.text << " in: " << text;
        (piece.predecessor ? its : mine).emplace_back(piece.figure, value);
    }
    ASSERT_TRUE(text.ends_with('.')) << text;
    for (const auto& [figure, value] : its) {
        const auto own = std::ranges::find(mine, figure, &std::pair<WhyFigure, double>::first);
        ASSERT_NE(own, mine.end()) << text;
        if (sentence.claim == WhyClaim::saves) {
            EXPECT_LT(own->second, value) << text;
        } else if (sentence.claim == WhyClaim::adds) {
            EXPECT_GT(own->second, value) << text;
        }
    }
    // What is told of one alone, the other has none of.
    if (sentence.claim == WhyClaim::adds) {
        for (const auto& [figure, value] : mine) {
            if (std::ranges::find(its, figure, &std::pair<WhyFigure, double>::first) == its.end()) {
                EXPECT_EQ(truth(figure, *before), 0) << text;
            }
        }
    }
    if (sentence.claim == WhyClaim::wastes) {
        const auto [figure, value] = mine[mine.front().first == WhyFigure::threads ? 1 : 0];
        const bool share = figure == WhyFigure::usefulLoadShare || figure == WhyFigure::usefulStoreShare;
        if (share) {
            EXPECT_LT(value, 0.9) << text;
        } else if (figure == WhyFigure::activeLanes) {
            EXPECT_LT(value, 30) << text;
        } else {
            EXPECT_GE(value, figure == WhyFigure::idleThreadShare ? 0.03 : 1.05) << text;
        }
    }
    if (sentence.claim == WhyClaim::bound) {
        const bool onTensorCores = text.find("tensor cores") != std::string::npos;
        EXPECT_EQ(onTensorCores, now.matrixOperations > now.flops) << text;
        if (onTensorCores) return;
        const bool arithmetic = text.find("arithmetic may limit") != std::string::npos;
        EXPECT_EQ(arithmetic, mine.front().second >= 15) << text;
    }
}

TEST(WhyTruth, EverySentenceAboutEveryRungHolds) {
    const WhyCeilings ceilings{"H200", {.copyGbs = 1000, .fmaTflops = 15}, Origin::recorded};
    struct Case {
        const char* family;
        io::Shape shape;
        io::PixelType type;
        ParameterValues parameters;
    };
    const Case cases[] = {{"convolution", {80, 72}, io::PixelType::f32, {{"radius", std::int64_t{2}}}},
                          {"convolution", {50, 34, 1, 3}, io::PixelType::u8, {{"radius", std::int64_t{3}}}},
                          {"stencil", {34, 20, 34}, io::PixelType::f32, {{"iterations", std::int64_t{2}}}},
                          {"stencil", {72, 50}, io::PixelType::f32, {{"iterations", std::int64_t{2}}}},
                          {"histogram", {96, 80}, io::PixelType::u8, {}},
                          {"histogram", {96, 80}, io::PixelType::u8, {{"bins", std::int64_t{8}}}}};
    int sentences = 0, rungs = 0;
    for (const Case& one : cases) {
        const Family& family = familyOf(one.family);
        trace::VariantTracer tracer(family, noise(one.shape, one.type), one.parameters);
        std::map<const Variant*, Counters> counted;
        for (const Variant& variant : family.variants()) {
            const auto record = tracer.trace(variant, {}, {.whole = true}, {}, {});
            if (record.counters) counted[&variant] = *record.counters;
        }
        EXPECT_GE(counted.size(), 4U) << one.family;
        for (const auto& [variant, counters] : counted) {
            ++rungs;
            const WhyVariant rung{variant, &counters};
            for (const auto& sentence : explainVariant(rung, nullptr, ceilings)) check(sentence, counters, nullptr);
            for (const auto& [other, others] : counted) {
                if (other == variant) continue;
                const WhyVariant before{other, &others};
                const auto said = explainVariant(rung, &before, ceilings);
                EXPECT_LE(said.size(), 5U);
                for (const auto& sentence : said) check(sentence, counters, &others);
                sentences += static_cast<int>(said.size());
            }
        }
    }
    EXPECT_GE(rungs, 35);
    EXPECT_GT(sentences, 500);
}

TEST(WhyTruth, ThreadsThatWriteNothingAreCountedForTiles) {
    // 32 x 32 threads of which 28 x 28 write: 36 % of all, and more where the picture ends.
    trace::VariantTracer tracer(familyOf("convolution"), noise({112, 112}, io::PixelType::f32),
                                {{"radius", std::int64_t{2}}});
    const auto c =
        tracer.trace(variantOf(familyOf("convolution"), "tiled_input"), {}, {.whole = true}, {}, {}).counters;
    ASSERT_TRUE(c);
    EXPECT_DOUBLE_EQ(valueOf(WhyFigure::idleThreadShare, *c), 1 - 28.0 * 28 / (32 * 32));
    // Contiguous chunks: neighbouring lanes lie 16 bytes apart, so that a request touches far more sectors.
    trace::VariantTracer histogram(familyOf("histogram"), noise({256, 256}, io::PixelType::u8), {});
    const auto sectors = [&](const char* id) {
        return valueOf(WhyFigure::sectorsPerLoad,
                       *histogram.trace(variantOf(familyOf("histogram"), id), {}, {.whole = true}, {}, {}).counters);
    };
    EXPECT_GT(sectors("coarsened_contiguous"), 4 * sectors("coarsened"));
}

}  // namespace
}  // namespace warplens::gpu::testing
