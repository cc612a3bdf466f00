// SPDX-License-Identifier: Apache-2.0
// How two listings differ, and the listings that came with the program.
#include "gpu/user/shipped.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/run/user_kernel.hpp"
#include "io/sha256.hpp"
#include "tests/app/cli.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <gmock/gmock.h>
#include <map>
#include <nlohmann/json.hpp>

namespace warplens::gpu::user {
namespace {

namespace fs = std::filesystem;
using RowKind = DifferenceRow::Kind;
using ::testing::HasSubstr;

const fs::path kShipped = fs::path(WARPLENS_SOURCE_DIR) / "resources" / "listings";

Listing listingOf(const std::vector<std::string>& texts) {
    Listing listing;
    for (const std::string& text : texts) listing.instructions.push_back(sassInstruction("0000", text, 0, -1));
    return listing;
}

TEST(ListingDifference, RegistersAndLabelsAreNoneAndTheRestIs) {
    const Listing before = listingOf({"S2R R12, SR_TID.X", "@!P0 FFMA R4, R5.reuse, UR6, R7", "BRA `(.L_x_3)",
                                      "ld.global.f32 %f12, [%rd4+8]", "@%p3 bra $L__BB0_3", "ULDC UR4, c[0x0][0x24c]",
                                      "ld.param.u64 %rd1, [_Z5naivePf_param_0]", "EXIT"});
    const Listing now = listingOf({"S2R R1, SR_TID.X", "@!P3 FFMA R9, R9, UR16, R70", "BRA `(.L_x_14)",
                                   "ld.global.f32 %f1, [%rd40+8]", "@%p1 bra $L__BB2_13", "BAR.SYNC 0x0",
                                   "ULDC UR6, c[0x0][0x210]", "ld.param.u64 %rd3, [_Z4tilePf_param_2]", "EXIT"});
    const std::vector<DifferenceRow> expected{{RowKind::same, 1, 1}, {RowKind::same, 2, 2}, {RowKind::same, 3, 3},
                                              {RowKind::same, 4, 4}, {RowKind::same, 5, 5}, {RowKind::added, 0, 6},
                                              {RowKind::same, 6, 7}, {RowKind::same, 7, 8}, {RowKind::same, 8, 9}};
    EXPECT_EQ(differenceOf(before, now), expected);
    // Another offset, another special register, another predicate's sense, a constant.
    for (const auto& [one, other] : {std::pair{"LDG.E R2, [R4+0x10]", "LDG.E R2, [R4+0x20]"},
                                     {"S2R R1, SR_TID.X", "S2R R1, SR_TID.Y"},
                                     {"LDC R1, c[0x0][0x28]", "LDC R1, c[0x3][0x28]"},
                                     {"@P0 EXIT", "@!P0 EXIT"},
                                     {"MOV R1, 0x1", "MOV R1, 0x2"},
                                     {"mov.u32 %r1, %tid.x", "mov.u32 %r1, %tid.y"}})
        EXPECT_EQ(differenceOf(listingOf({one}), listingOf({other})).front().kind, RowKind::changed) << one;
}

TEST(ListingDifference, FiguresOfBothStandBesideEachOther) {
    const auto figures =
        figuresOf(listingOf({"LDG.E R2, [R4]", "EXIT"}), listingOf({"LDG.E R2, [R4]", "FFMA R1, R2, R3, R4"}));
    ASSERT_EQ(figures.size(), 3U);
    EXPECT_EQ(figures[0].name + figures[1].name + figures[2].name, "instructionsglobal loadFMA");
    EXPECT_EQ(figures[1].before, 1);
    EXPECT_EQ(figures[2].before, 0);
    EXPECT_EQ(figures[2].now, 1);
}

TEST(ShippedListings, AreOfTheKernelsAsTheyAre) {
    std::uintmax_t bytes = 0;
    std::size_t families = 0, all = 0, told = 0, linked = 0;
    for (const auto& entry : fs::directory_iterator(kShipped)) {
        if (entry.path().extension() != ".gz") continue;
        ++families;
        bytes += entry.file_size();
        const std::string id = entry.path().stem().stem().string();
        const Family& family = familyOf(id);
        const ShippedListings read = readShipped(kShipped, id);
        EXPECT_EQ(read.capability, 90) << id;
        EXPECT_TRUE(read.compiler.starts_with("NVRTC ") && read.disassembler.starts_with("nvdisasm ")) << id;
        ASSERT_FALSE(read.list.empty()) << id;
        for (const ShippedListing& one : read.list) {
            const Variant& variant = variantOf(family, one.variant);
            EXPECT_EQ(one.sha256, io::sha256(test::readText(fs::path(WARPLENS_SOURCE_DIR) / variant.source)))
                << variant.source << ": make its listing anew with scripts/listings, or take it out by --drop-outdated";
            EXPECT_GT(one.sass.instructions.size(), 8U) << one.kernel;
            EXPECT_TRUE(std::ranges::any_of(one.sass.instructions, [](const Instruction& i) {
                return i.text.ends_with("EXIT");
            })) << one.kernel;
            ++all;
            told += one.sass.mostAlive() > 0 ? 1 : 0;
            linked += one.sass.countsByLine().empty() ? 0 : 1;
        }
    }
    EXPECT_EQ(families, gpu::families().size());
    // nvdisasm does not count every kernel's registers, and some kernels lie in a header that theirs includes.
    EXPECT_GT(told, all * 9 / 10);
    EXPECT_GT(linked, all * 3 / 4);
    EXPECT_LE(bytes, 1'500'000U);
}

class WithShipped : public ::testing::Test {
protected:
    const Variant& naive = variantOf(familyOf("convolution"), "naive");
    static VariantListingMaker refusing(Error::Kind kind) {
        return withShipped([kind](const Variant&, const std::vector<std::string>&, int,
                                  std::stop_token) -> Listings { throw Error(kind, "no compiler: install it"); },
                           kShipped);
    }
};

TEST_F(WithShipped, StandInWhereNothingCompilesAndSaySo) {
    const Listings all = refusing(Error::Kind::unsupported)(naive, {"naive<float, 2>"}, 90, {});
    EXPECT_EQ(all.kernel, "naive<float, 2>");
    EXPECT_GT(all.sass.count(InstructionKind::fma), 0);
    EXPECT_EQ(all.whyNoSass, "");
    EXPECT_THAT(all.shipped, HasSubstr("for compute capability 9"));
    EXPECT_THAT(all.shipped, HasSubstr(all.compiler + " and " + all.disassembler));
    EXPECT_THAT(all.shipped, HasSubstr("no compiler: install it"));
    EXPECT_EQ(refusing(Error::Kind::unsupported)(naive, {"naive<float,2>"}, 90, {}).kernel, "naive<float, 2>");
}

TEST_F(WithShipped, NotForAnotherInstanceAnotherGpuOrAnotherReason) {
    const auto why = [&](Error::Kind kind, const std::string& kernel, int capability) -> std::string {
        try {
            refusing(kind)(naive, {kernel}, capability, {});
        } catch (const Error& error) {
            return error.what();
        }
        return "listed";
    };
    const std::string none = "no compiler: install it; of this instance no listing is shipped";
    EXPECT_EQ(why(Error::Kind::unsupported, "naive<double, 2>", 90), none);
    EXPECT_EQ(why(Error::Kind::unsupported, "naive<float, 2>", 80), none);
    EXPECT_EQ(why(Error::Kind::argument, "naive<float, 2>", 90), "no compiler: install it");
}

TEST_F(WithShipped, SassAloneWhereNothingDisassembles) {
    const auto make = [&](const std::string& kernel, const std::string& whyNoSass) {
        return withShipped(
            [=](const Variant&, const std::vector<std::string>&, int, std::stop_token) {
                return Listings{
                    .kernel = kernel, .ptx = listingOf({"ret"}), .compiler = "NVRTC 99", .whyNoSass = whyNoSass};
            },
            kShipped)(naive, {kernel}, 90, {});
    };
    const Listings here = make("naive<float, 2>", "no nvdisasm");
    EXPECT_EQ(here.ptx.instructions.front().text, "ret");
    EXPECT_EQ(here.compiler, "NVRTC 99");
    EXPECT_FALSE(here.sass.empty());
    EXPECT_THAT(here.shipped, HasSubstr("no nvdisasm"));
    EXPECT_EQ(make("naive<double, 2>", "no nvdisasm").whyNoSass, "no nvdisasm; of this instance no listing is shipped");
    EXPECT_TRUE(make("naive<float, 2>", "").sass.empty()) << "there was no need";
}

TEST(AssemblyCommand, ShowsWhatWasShippedAndHowTwoVariantsDiffer) {
    const std::map<std::string, std::string> nowhere{{"WARPLENS_NVDISASM", "/nowhere/nvdisasm"}};
    std::vector<std::string> ask{"assembly", "convolution", "--variant", "constant", "--listing", "sass", "--json"};
    const test::Outcome json = test::cli(ask, nowhere);
    ASSERT_EQ(json.status, 0) << json.err;
    EXPECT_EQ(test::violation("assembly", json.out), "");
    EXPECT_THAT(nlohmann::json::parse(json.out).at("shipped").get<std::string>(),
                HasSubstr("shipped with the program"));
    ask.back() = "--against";
    ask.emplace_back("naive");
    const test::Outcome both = test::cli(ask, nowhere);
    ASSERT_EQ(both.status, 0) << both.err;
    EXPECT_THAT(both.out, HasSubstr("SASS of constant<"));
    EXPECT_THAT(both.out, HasSubstr(" against naive<"));
    EXPECT_THAT(both.out, HasSubstr("\n-"));
    EXPECT_THAT(both.out, HasSubstr("\n+"));
    EXPECT_THAT(both.out, HasSubstr("constant load\n"));
    EXPECT_EQ(test::cli({"assembly", "convolution", "--kernel", "my.cuh", "--against", "naive"}).status, 2);
}

}  // namespace
}  // namespace warplens::gpu::user
