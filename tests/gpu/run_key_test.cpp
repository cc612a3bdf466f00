// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/run_key.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/run/runner.hpp"
#include "io/generate.hpp"

#include <functional>
#include <gtest/gtest.h>

namespace warplens {
namespace {

using namespace gpu;

std::string refusalOf(const std::function<void()>& what) {
    try {
        what();
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), Error::Kind::argument);
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << error.what();
        return error.what();
    }
    return "accepted";
}

Request requestOf(const std::vector<std::string>& variants) {
    Request request;
    request.input = std::make_shared<const io::Grid>(io::generate("gen:zoneplate:40x30:u8"));
    request.inputName = "zoneplate";
    request.family = "convolution";
    request.variants = variants;
    request.device = "cpu";
    request.timing = TimingPolicy::once();
    return request;
}

std::vector<std::string> idsOf(const Comparison& comparison) {
    std::vector<std::string> ids;
    for (const RunRecord& run : comparison.runs) ids.push_back(run.id());
    return ids;
}

/// Each value that a tunable may have at its ends and its middle.
std::vector<int> someValues(const Tunable& tunable) {
    if (!tunable.choices.empty()) return tunable.choices;
    return {tunable.minimum, tunable.fallback, tunable.maximum};
}

}  // namespace

TEST(RunKey, everyVariantWithEachOfItsTunablesIsSpelledAndReadBack) {
    for (const Family* family : families()) {
        for (const Variant& variant : family->variants()) {
            EXPECT_EQ(parseRunSpec(*family, variant.id).id(), variant.id);
            RunKey all{.variant = variant.id, .chosen = {}};
            for (const Tunable& tunable : variant.tunables) {
                for (const int value : someValues(tunable)) {
                    const RunKey key{.variant = variant.id, .chosen = {{tunable.id, value}}};
                    EXPECT_EQ(key.id(), variant.id + '@' + tunable.id + '=' + std::to_string(value));
                    EXPECT_EQ(parseRunKey(key.id()), key);
                    EXPECT_EQ(variantIn(key.id()), variant.id);
                    EXPECT_EQ(parseRunSpec(*family, key.id()).variant, &variant);
                    EXPECT_EQ(parseRunSpec(*family, key.id()).id(), key.id()) << "a default is chosen as well";
                }
                all.chosen[tunable.id] = tunable.fallback;
            }
            EXPECT_EQ(parseRunKey(all.id()), all);
        }
    }
}

TEST(RunKey, hasOneSpellingWhateverTheOrder) {
    EXPECT_EQ(parseRunKey("a@y=2@x=1"), parseRunKey("a@x=1@y=2"));
    EXPECT_EQ(parseRunKey("a@y=2@x=1").id(), "a@x=1@y=2");
    EXPECT_EQ(parseRunKey("a@x=007").id(), "a@x=7");
}

TEST(RunKey, whatIsNotOfTheFormIsRefusedInOneLine) {
    for (const char* text : {"", "@", "@x=1", "a@", "a@x", "a@x=", "a@=1", "a@x=1@", "a@x=one", "a@x=1.5", "a@x= 1",
                             "a@x=99999999999", "a@@x=1"})
        EXPECT_NE(refusalOf([&] { parseRunKey(text); }).find("VARIANT@TUNABLE=NUMBER"), std::string::npos) << text;
    EXPECT_EQ(refusalOf([] { parseRunKey("a@x=1@x=2"); }), "'a@x=1@x=2': x is given twice");
    const Family& family = familyOf("convolution");
    EXPECT_NE(refusalOf([&] { parseRunSpec(family, "magic@block_width=8"); }).find("magic"), std::string::npos);
    EXPECT_EQ(refusalOf([&] { parseRunSpec(family, "naive@colour=3"); }), "naive has no tunable 'colour'");
    EXPECT_EQ(refusalOf([&] { parseRunSpec(family, "naive@block_width=0"); }),
              "naive: block_width = 0 is not possible: choose 1 to 1024");
    EXPECT_NE(refusalOf([&] { parseRunSpec(family, "auto@block_width=8"); }).find("--set"), std::string::npos);
}

TEST(RunKey, theSameRunTwiceIsNamed) {
    const Family& family = familyOf("convolution");
    for (const auto& [first, second] :
         {std::pair("naive", "naive"), std::pair("naive@block_width=8", "naive@block_width=08"),
          std::pair("naive@block_width=8@block_height=4", "naive@block_height=4@block_width=8")}) {
        const std::string why = refusalOf([&, one = first, two = second] {
            askedRuns(family, {one, "constant", two});
        });
        EXPECT_EQ(why.rfind(parseRunKey(first).id() + " is named twice", 0), 0U) << why;
    }
    EXPECT_EQ(askedRuns(family, {"naive", "naive@block_width=32"}).size(), 2U) << "a default that was chosen";
}

TEST(RunKey, runsStandInTheOrderOfTheLadderAndOfOneVariantAsNamed) {
    const Family& family = familyOf("convolution");
    std::vector<std::string> ids;
    for (const RunSpec& run : askedRuns(family, {"constant", "naive@block_width=64", "naive", "naive@block_width=8"}))
        ids.push_back(run.id());
    EXPECT_EQ(ids, (std::vector<std::string>{"naive@block_width=64", "naive", "naive@block_width=8", "constant"}));
    const auto portable = std::ranges::count(family.variants(), Variant::Kind::portable, &Variant::kind);
    EXPECT_EQ(portable, 3);
    EXPECT_EQ(askedRuns(family, {}).size() + 3, family.variants().size()) << "portable rows run where they are named";
}

TEST(RunKey, aVariantRunsBesideItselfAndSetIsForTheRest) {
    Runner runner;
    Request request =
        requestOf({"tiled_output@block_width=16", "naive", "tiled_output@block_width=32", "tiled_output"});
    request.tunables = {{"block_width", 8}, {"block_height", 4}};
    const Comparison done = runner.run(request);
    EXPECT_EQ(idsOf(done), (std::vector<std::string>{"naive", "tiled_output@block_width=16",
                                                     "tiled_output@block_width=32", "tiled_output"}));
    const int widths[] = {8, 16, 32, 8};
    for (std::size_t i = 0; i < done.runs.size(); ++i) {
        const RunRecord& run = done.runs[i];
        EXPECT_EQ(run.status, Status::ok) << run.reason;
        EXPECT_EQ(run.tunables.at("block_width"), widths[i]) << run.id();
        EXPECT_EQ(run.tunables.at("block_height"), 4) << run.id();
        EXPECT_EQ(run.variant, variantIn(run.id()));
        EXPECT_TRUE(run.verification.has_value());
    }
}

TEST(RunKey, autoIsTheRowOfTheVariantAlone) {
    Runner runner;
    const std::string taken = runner.run(requestOf({kAuto})).runs.front().id();
    ASSERT_EQ(taken, variantIn(taken));
    const Variant& variant = variantOf(familyOf("convolution"), taken);
    ASSERT_FALSE(variant.tunables.empty());
    const Tunable& tunable = variant.tunables.front();
    const std::string other = taken + '@' + tunable.id + '=' + std::to_string(tunable.fallback);
    const Comparison done = runner.run(requestOf({kAuto, other, taken}));
    ASSERT_EQ(done.runs.size(), 2U) << "what auto took and was named as well is one row";
    for (const RunRecord& run : done.runs) EXPECT_EQ(run.choice.has_value(), run.id() == taken) << run.id();
}

}  // namespace warplens
