// SPDX-License-Identifier: Apache-2.0
// Listings that NVRTC 13.0 and nvdisasm 13.5 wrote of listings/tile.cuh.txt, read; and kernels listed here.
#include "gpu/user/listing.hpp"

#include "app/worker/client.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/device/text_kernel.hpp"
#include "gpu/run/user_kernel.hpp"
#include "io/generate.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace warplens::gpu::user {
namespace {

using Kind = InstructionKind;
using test::readText;

std::string data(const std::string& name) { return readText(std::string(WARPLENS_LISTINGS) + "/" + name); }
const std::string kFunction = "_Z4tilePKfPfiS0_";

Listing sass() { return parseSass(data("tile.sass"), data("tile.alive"), "tile.cuh", kFunction); }
Listing ptx() { return parsePtx(data("tile.ptx"), "tile.cuh", kFunction); }

/// The instructions of a line, first words only.
std::string codesOf(const Listing& listing, int line) {
    std::string codes;
    for (const std::size_t place : listing.ofLine(line)) {
        std::string text = listing.instructions[place].text;
        if (text.starts_with('@')) text.erase(0, text.find(' ') + 1);
        codes += (codes.empty() ? "" : " ") + text.substr(0, text.find(' '));
    }
    return codes;
}

TEST(ListingOfSass, HasAddressLineKindAndRegistersOfEachInstruction) {
    const Listing listing = sass();
    // 64 addresses, 13 of them padding behind the end.
    ASSERT_EQ(listing.instructions.size(), 51U);
    EXPECT_EQ(listing.instructions[0], (Instruction{"0000", "LDC R1, c[0x0][0x28]", Kind::constantLoad, 6, 3}));
    EXPECT_EQ(listing.instructions[10].text, "@!P0 LDG.E R4, desc[UR6][R2.64]");
    EXPECT_EQ(listing.instructions[10].kind, Kind::globalLoad);
    EXPECT_EQ(listing.instructions.back().text, "BRA `(.L_x_0)");
    EXPECT_EQ(listing.mostAlive(), 12);
}

TEST(ListingOfSass, CountsEachKind) {
    const Listing listing = sass();
    EXPECT_EQ(listing.count(Kind::globalLoad), 3);
    EXPECT_EQ(listing.count(Kind::globalStore), 1);
    EXPECT_EQ(listing.count(Kind::sharedLoad), 4);
    EXPECT_EQ(listing.count(Kind::sharedStore), 1);
    EXPECT_EQ(listing.count(Kind::constantLoad), 7);
    EXPECT_EQ(listing.count(Kind::localLoad), 0);
    EXPECT_EQ(listing.count(Kind::atomic), 1);
    EXPECT_EQ(listing.count(Kind::fma), 1) << "HFMA2 of zeros puts a constant into a register";
    EXPECT_EQ(listing.count(Kind::branch), 1);
    EXPECT_EQ(listing.count(Kind::barrier), 1);
}

TEST(ListingOfSass, LinksLinesAndWhatIsInlinedToTheInnermost) {
    EXPECT_EQ(codesOf(sass(), 10), "BAR.SYNC.DEFER_BLOCKING");
    EXPECT_EQ(codesOf(sass(), 3), "LDG.E LDG.E FFMA");
    EXPECT_EQ(codesOf(sass(), 16), "LDC.64 IMAD.WIDE STG.E");
    EXPECT_EQ(codesOf(sass(), 1), "");
    // Of a header that is not the user's the place where it was inlined counts.
    std::string text = data("tile.sass");
    for (std::size_t at = 0; (at = text.find("tile.cuh\", line 3 ", at)) != std::string::npos;)
        text.replace(at, 8, "math.cuh");
    EXPECT_EQ(codesOf(parseSass(text, {}, "tile.cuh", kFunction), 16), "LDG.E LDG.E LDC.64 IMAD.WIDE FFMA STG.E");
    EXPECT_EQ(parseSass(text, {}, "tile.cuh", kFunction).mostAlive(), -1);
    EXPECT_TRUE(parseSass(text, {}, "tile.cuh", "_Z5otherPf").empty());
}

TEST(ListingOfPtx, HasLinesAndKinds) {
    const Listing listing = ptx();
    EXPECT_EQ(listing.count(Kind::globalLoad), 3);
    EXPECT_EQ(listing.count(Kind::globalStore), 1);
    EXPECT_EQ(listing.count(Kind::sharedLoad), 4);
    EXPECT_EQ(listing.count(Kind::sharedStore), 1);
    EXPECT_EQ(listing.count(Kind::localStore), 1);
    EXPECT_EQ(listing.count(Kind::localLoad), 1);
    EXPECT_EQ(listing.count(Kind::constantLoad), 4) << "parameters";
    EXPECT_EQ(listing.count(Kind::atomic), 1);
    EXPECT_EQ(listing.count(Kind::fma), 1);
    EXPECT_EQ(listing.count(Kind::branch), 2);
    EXPECT_EQ(listing.count(Kind::barrier), 1);
    EXPECT_EQ(codesOf(listing, 3), "ld.global.f32 ld.global.f32 fma.rn.f32");
    EXPECT_EQ(codesOf(listing, 10), "bar.sync");
    EXPECT_EQ(listing.instructions.back().text, "ret");
    EXPECT_EQ(listing.instructions.back().line, 18);
    EXPECT_TRUE(parsePtx(data("tile.ptx"), "tile.cuh", "_Z5otherPf").empty());
}

class ListedHere : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string why = textRefusal(90); !why.empty()) GTEST_SKIP() << why;
    }
    static Listings list(const std::string& text) {
        return worker::listingsOf("my_tile.cuh", text,
                                  {.family = "convolution",
                                   .parameters = {},
                                   .tunables = {},
                                   .input = std::make_shared<const io::Grid>(io::generate("gen:noise:32x32:f32")),
                                   .capability = 90});
    }
    static std::string text() {
        std::string kernel = data("tile.cuh.txt");
        return kernel;
    }
};

TEST_F(ListedHere, AKernelIsCompiledAndNotRun) {
    const Listings all = list(text());
    EXPECT_EQ(all.ptx.count(Kind::barrier), 1);
    EXPECT_FALSE(all.ptx.ofLine(10).empty());
    EXPECT_TRUE(all.compiler.starts_with("NVRTC ")) << all.compiler;
    // Either SASS, or the sentence that says how to come by it.
    if (all.whyNoSass.empty()) {
        EXPECT_EQ(all.sass.count(Kind::barrier), 1);
        EXPECT_GT(all.sass.mostAlive(), 0);
        EXPECT_TRUE(all.disassembler.starts_with("nvdisasm")) << all.disassembler;
    } else {
        EXPECT_NE(all.whyNoSass.find("nvdisasm was not found"), std::string::npos) << all.whyNoSass;
        EXPECT_TRUE(all.sass.empty());
    }
}

TEST(Listing, TheKernelOfTheVariantsOwnNameComesFirst) {
    Counters counters;
    for (const auto& [name, blocks] :
         {std::pair{"fill<float>", 4}, {"rows<float, 2>", 9}, {"haloCached<float, 2>", 1}, {"rows<float, 2>", 8}}) {
        counters.kernels.emplace_back();
        counters.kernels.back().kernel = name;
        counters.kernels.back().blocks = blocks;
    }
    Variant variant;
    variant.id = "halo_cached@block_width=16";
    const std::vector<std::string> expected{"haloCached<float, 2>", "rows<float, 2>", "fill<float>"};
    EXPECT_EQ(launchedKernels(variant, counters), expected);
}

TEST_F(ListedHere, ACopyOfAVariantIsListedAsTheVariantIs) {
    const Family& family = familyOf("convolution");
    const Variant& tiled = variantOf(family, "tiled_output");
    const Listings ours = worker::listingsOf(tiled, {"tiled_output<float, 2>"}, 90);
    const Listings copy = list(worker::copyOfVariant(family, tiled));
    EXPECT_EQ(copy.kernel, "tiled_output<float, 2>");
    EXPECT_EQ(copy.ptx.counts(), ours.ptx.counts());
    // One line more stands before the kernel.
    for (int line = 1; line < 80; ++line)
        EXPECT_EQ(copy.ptx.ofLine(line + 1).size(), ours.ptx.ofLine(line).size()) << line;
}

TEST_F(ListedHere, AVariantOfOursIsListedByItsOwnFile) {
    const Listings all = worker::listingsOf(variantOf(familyOf("convolution"), "naive"), {"naive<float, 2>"}, 90);
    // Both loops over 5 x 5 weights are unrolled: the border's way, and the way inside.
    EXPECT_GE(all.ptx.count(Kind::fma), 25);
    const auto store = std::ranges::find(all.ptx.instructions, Kind::globalStore, &Instruction::kind);
    ASSERT_NE(store, all.ptx.instructions.end());
    EXPECT_GT(store->line, 0) << "within naive.cuh, whatever was inlined there";
    EXPECT_EQ(all.kernel, "naive<float, 2>");
    EXPECT_THROW(worker::listingsOf(variantOf(familyOf("convolution"), "naive"), {"nobody<float>"}, 90), CompileError);
    try {
        worker::listingsOf(variantOf(familyOf("convolution"), "opencv"), {"naive<float, 2>"}, 90);
        FAIL();
    } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("is a library's"), std::string::npos) << error.what();
    }
}

/// Every family's kernels compile with what stands in for the standard library: the first of each is asked for.
TEST_F(ListedHere, AVariantOfEveryFamilyIsListed) {
    for (const Family* family : families()) {
        const auto& variants = family->variants();
        const auto first = std::ranges::find(variants, Variant::Kind::kernel, &Variant::kind);
        ASSERT_NE(first, variants.end());
        const test::Outcome listed =
            test::cli({"assembly", family->id(), "--variant", first->id, "--listing", "ptx", "--json"});
        ASSERT_EQ(listed.status, 0) << family->id() << ": " << listed.err;
        const auto json = nlohmann::json::parse(listed.out);
        const auto &counts = json.at("counts"), &stores = counts.at("global_store"), &atomics = counts.at("atomic");
        EXPECT_GT(stores.get<int>() + atomics.get<int>(), 0) << family->id() << ": " << json.at("kernel");
    }
}

TEST_F(ListedHere, WhatDoesNotCompileSaysSo) {
    std::string broken = text();
    broken.replace(broken.find("width ? in[x]"), 5, "wide");
    try {
        list(broken);
        FAIL();
    } catch (const CompileError& error) {
        EXPECT_TRUE(error.errors().front().starts_with("my_tile.cuh:9: ")) << error.errors().front();
    }
}

TEST_F(ListedHere, TheCommandPrintsTextAndJson) {
    const test::TemporaryFolder folder;
    test::writeText(folder / "my_tile.cuh", text());
    const std::vector<std::string> ask{"assembly",  "convolution", "--kernel", folder / "my_tile.cuh",
                                       "--listing", "ptx"};
    const test::Outcome told = test::cli(ask);
    EXPECT_EQ(told.status, 0) << told.err;
    EXPECT_NE(told.out.find("barrier         10         bar.sync  0"), std::string::npos) << told.out;
    EXPECT_NE(told.out.find("     1  barrier\n"), std::string::npos) << told.out;
    std::vector<std::string> json = ask;
    json.push_back("--json");
    const test::Outcome printed = test::cli(json);
    EXPECT_EQ(test::violation("assembly", printed.out), "");
    EXPECT_EQ(nlohmann::json::parse(printed.out).at("counts").at("barrier"), 1);
    std::vector<std::string> old = ask;
    old.insert(old.end(), {"--capability", "1.1"});
    const test::Outcome refused = test::cli(old);
    EXPECT_EQ(refused.status, 2);
    EXPECT_NE(refused.err.find("does not support compute capability 1.1"), std::string::npos) << refused.err;
    const test::Outcome ours = test::cli(
        {"assembly", "convolution", "--variant", "naive", "--instance", "float,2", "--listing", "ptx", "--json"});
    EXPECT_EQ(test::violation("assembly", ours.out), "") << ours.err;
    EXPECT_EQ(nlohmann::json::parse(ours.out).at("kernel"), "naive<float,2>");
    // The one that a task launches, by the trace of it.
    const test::Outcome launched =
        test::cli({"assembly", "sparse", "--variant", "csr_vector", "--listing", "ptx", "--json"});
    EXPECT_EQ(launched.status, 0) << launched.err;
    EXPECT_EQ(nlohmann::json::parse(launched.out).at("kernel"), "csrVector<float>");
    EXPECT_EQ(test::cli({"assembly", "convolution", "--instance", "float,2"}).status, 2);
    EXPECT_EQ(test::cli({"assembly", "convolution"}).status, 2);
    // Without the disassembler one sentence says what to install.
    const test::Outcome without =
        test::cli({"assembly", "convolution", "--kernel", folder / "my_tile.cuh", "--listing", "sass"},
                  {{"WARPLENS_NVDISASM", "/nowhere/nvdisasm"}});
    EXPECT_EQ(without.status, 2);
    EXPECT_NE(without.err.find("install it"), std::string::npos) << without.err;
    EXPECT_TRUE(test::isOneLine(without.err));
}

}  // namespace
}  // namespace warplens::gpu::user
