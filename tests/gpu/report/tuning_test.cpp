// SPDX-License-Identifier: Apache-2.0
// What `auto` chooses: on synthetic tables, with a problem that refuses what it is told to.
#include "gpu/run/tuning.hpp"

#include "gpu/bench/result.hpp"
#include "gpu/core/environment.hpp"
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gpu/run/tune.hpp"
#include "gpu/run/tuning/files.hpp"
#include "tests/gpu/report/sample_comparison.hpp"
#include "tests/support/schema.hpp"
#include "tests/support/temporary_folder.hpp"

#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <memory>
#include <set>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens::test {

namespace fs = std::filesystem;
using gpu::Choice;
using gpu::Traits;
using gpu::TunableValues;
using gpu::TuningTable;
using testing::HasSubstr;

namespace {

Traits traits(double filter, double values = 1e6, const std::string& type = "f32") {
    return {.kinds = {{"type", type}}, .sizes = {{"filter", {filter, 8}}, {"values", {values, 0.5}}}};
}

/// Only asked for its traits and what it refuses.
class FakeProblem final : public gpu::Problem {
public:
    explicit FakeProblem(Traits traits) : m_traits(std::move(traits)) {}
    std::set<std::string> refused;  ///< variants
    std::set<int> refusedBlockHeights;
    std::set<std::string> wide;  ///< variants of a wider bound
    bool shows = true;           ///< whether it can be seen

    gpu::Work work() const override { return {}; }
    Traits traits() const override { return m_traits; }
    std::vector<std::string> facts() const override { return {}; }
    std::string refusal(const gpu::Variant& variant, const TunableValues& tunables,
                        const gpu::DeviceInfo&) const override {
        const auto height = tunables.find("block_height");
        if (height != tunables.end() && refusedBlockHeights.contains(height->second)) return "too high";
        return refused.contains(variant.id) ? variant.id + " is refused" : "";
    }
    double boundFactor(const gpu::Variant& variant) const override { return wide.contains(variant.id) ? 4 : 1; }
    bool widerBoundsShow() const override { return shows; }
    gpu::Footprint footprint(const gpu::Variant&, const TunableValues&) const override { return {}; }
    std::unique_ptr<gpu::Session> open(gpu::Device&, gpu::Resident&) const override { return nullptr; }
    gpu::Result runLibrary(const gpu::Variant&, double&, std::stop_token) const override { return {}; }
    gpu::Verification verify(const gpu::Result&, const gpu::Variant&, std::stop_token) const override { return {}; }

private:
    Traits m_traits;
};

gpu::DeviceInfo gpuNamed(const std::string& name) {
    gpu::DeviceInfo info;
    info.name = name;
    info.kind = name.starts_with("CPU") ? gpu::DeviceKind::simt : gpu::DeviceKind::cuda;
    return info;
}

TuningTable table(const std::string& device, std::vector<gpu::TuningEntry> entries) {
    return {.device = device,
            .driver = "13.0",
            .version = "1",
            .date = "2026-01-31T00:00:00Z",
            .source = "a test",
            .entries = std::move(entries)};
}

gpu::TuningEntry entry(Traits of, std::vector<gpu::RankedRow> rows) {
    return {.family = "convolution", .traits = std::move(of), .rows = std::move(rows)};
}

TuningTable h200() {
    return table("NVIDIA H200", {entry(traits(5), {{"streamed", {}, 1}, {"naive", {{"block_height", 16}}, 2}}),
                                 entry(traits(31), {{"separable", {}, 1}, {"tiled_output", {{"block_width", 64}}, 3}}),
                                 entry(traits(5, 1e6, "u8"), {{"register_blocked", {}, 1}})});
}

const gpu::Family& convolution() { return gpu::familyOf("convolution"); }

Choice choose(const gpu::Tuning& tuning, const FakeProblem& problem, const std::string& device = "NVIDIA H200",
              const TunableValues& wanted = {}) {
    return tuning.choose(convolution(), problem, gpuNamed(device), wanted);
}

gpu::RunRecord record(const std::string& variant, double ms, const TunableValues& tunables = {}) {
    gpu::RunRecord made;
    made.family = "convolution";
    made.variant = variant;
    made.tunables = gpu::resolve(gpu::variantOf(convolution(), variant), tunables);
    made.time = timing(gpu::Clock::device, ms);
    made.verification.emplace().checkedShare = 1;
    return made;
}

}  // namespace

TEST(Tuning, theNearestEntryOfTheDevicesTableDecides) {
    const gpu::Tuning tuning({table("NVIDIA A100", {entry(traits(5), {{"constant", {}, 1}})}), h200()}, {});
    const std::pair<Traits, const char*> expected[] = {{traits(5), "streamed"},
                                                       {traits(9), "streamed"},
                                                       {traits(5, 4e9), "streamed"},
                                                       {traits(15), "separable"},
                                                       {traits(63), "separable"},
                                                       {traits(5, 1e6, "u8"), "register_blocked"},
                                                       {traits(7, 1e3, "u8"), "register_blocked"}};
    for (const auto& [asked, variant] : expected) {
        const Choice choice = choose(tuning, FakeProblem(asked));
        EXPECT_EQ(choice.variant, variant);
        EXPECT_EQ(choice.source, Choice::Source::table);
        EXPECT_EQ(choice.why, "the table shipped for NVIDIA H200, measured 2026-01-31");
    }
    EXPECT_EQ(choose(tuning, FakeProblem(traits(5)), "NVIDIA A100").variant, "constant");
}

TEST(Tuning, whatIsRefusedGivesWayToTheNextRowAndTunedValuesToTheDefaults) {
    const gpu::Tuning tuning({h200()}, {});
    FakeProblem problem(traits(5));
    problem.refused = {"streamed"};
    EXPECT_EQ(choose(tuning, problem).variant, "naive");
    EXPECT_EQ(choose(tuning, problem).tunables, (TunableValues{{"block_height", 16}}));
    problem.refusedBlockHeights = {16};
    EXPECT_EQ(choose(tuning, problem).variant, "naive");
    EXPECT_EQ(choose(tuning, problem).tunables, TunableValues());
    problem.refused = {"streamed", "naive"};
    EXPECT_EQ(choose(tuning, problem).source, Choice::Source::order) << "no row of the table is left";
    for (const gpu::Variant& variant : convolution().variants()) problem.refused.insert(variant.id);
    try {
        choose(tuning, problem);
        FAIL() << "something was chosen";
    } catch (const gpu::Error& error) {
        EXPECT_EQ(error.kind(), gpu::Error::Kind::unsupported);
        EXPECT_THAT(error.what(), HasSubstr("is refused"));
    }
}

TEST(Tuning, whatTheUserSetIsKeptAndTheVariantHasIt) {
    const gpu::Tuning tuning({h200()}, {});
    const Choice choice = choose(tuning, FakeProblem(traits(5)), "NVIDIA H200", {{"block_width", 64}});
    EXPECT_EQ(choice.variant, "naive") << "streamed has no block_width";
    EXPECT_EQ(choice.tunables, (TunableValues{{"block_height", 16}, {"block_width", 64}}));
    try {
        choose(tuning, FakeProblem(traits(5)), "NVIDIA H200", {{"colour", 3}});
        FAIL() << "something was chosen";
    } catch (const gpu::Error& error) {
        EXPECT_EQ(error.kind(), gpu::Error::Kind::argument);
    }
}

TEST(Tuning, anUnknownGpuTakesTheOrderOfAnotherButNotItsTunablesNorACpus) {
    const gpu::Tuning tuning({table("CPU (SIMT)", {entry(traits(5), {{"constant", {}, 1}})}), h200()}, {});
    FakeProblem problem(traits(5));
    problem.refused = {"streamed"};
    const Choice choice = choose(tuning, problem, "NVIDIA B300");
    EXPECT_EQ(choice.variant, "naive");
    EXPECT_EQ(choice.tunables, TunableValues());
    EXPECT_EQ(choice.source, Choice::Source::order);
    EXPECT_THAT(choice.why, HasSubstr("NVIDIA B300 has no table"));
    EXPECT_EQ(choose(tuning, problem, "CPU (SIMT)").variant, "constant");
}

TEST(Tuning, withoutTablesTheLadderIsTakenFromItsEnd) {
    const auto& ladder = convolution().variants();
    const auto last = std::find_if(ladder.rbegin(), ladder.rend(),
                                   [](const auto& v) { return v.kind == gpu::Variant::Kind::kernel; });
    const Choice choice = choose(gpu::Tuning(), FakeProblem(traits(5)));
    EXPECT_EQ(choice.variant, last->id);
    EXPECT_THAT(choice.why, HasSubstr("no table"));
}

TEST(Tuning, aRowWithAWiderBoundIsTakenByNameOnly) {
    const gpu::Tuning tuning({table("NVIDIA H200", {entry(traits(5), {{"tensor_core", {}, 1}, {"streamed", {}, 2}})})},
                             {});
    FakeProblem problem(traits(5));
    EXPECT_EQ(choose(tuning, problem).variant, "tensor_core");
    problem.wide = {"tensor_core"};
    EXPECT_EQ(choose(tuning, problem).variant, "streamed");
    problem.shows = false;
    EXPECT_EQ(choose(tuning, problem).variant, "tensor_core") << "bytes do not show it";
}

TEST(Tuning, onlyBytesHideAWiderBound) {
    for (const auto& [type, output, shows] :
         {std::tuple{io::PixelType::u8, "same", false}, std::tuple{io::PixelType::u8, "f32", true},
          std::tuple{io::PixelType::u16, "same", true}, std::tuple{io::PixelType::f32, "same", true}}) {
        const auto picture = std::make_shared<io::Grid>(io::Shape{8, 8, 1, 1}, type);
        const auto problem = convolution().pose(picture, {{"output-type", std::string(output)}});
        EXPECT_EQ(problem->widerBoundsShow(), shows) << io::nameOf(type) << " to " << output;
    }
    const auto bytes = std::make_shared<io::Grid>(io::Shape{8, 8, 1, 1}, io::PixelType::u8);
    for (const std::int64_t radius : {1, 2, 3, 4, 7}) {
        EXPECT_FALSE(convolution().pose(bytes, {{"radius", radius}})->widerBoundsShow()) << radius;
    }
    const auto large = convolution().pose(bytes, {{"filter", std::string("custom")},
                                                  {"matrix", std::string("1000 -1000 1")},
                                                  {"output-type", std::string("same")}});
    EXPECT_TRUE(large->widerBoundsShow()) << "large weights carry the bound to whole levels";
}

TEST(Tuning, onlyTensorCoresHaveAWiderBoundAmongKernels) {
    const auto picture = std::make_shared<io::Grid>(io::Shape{8, 8, 1, 1}, io::PixelType::f32);
    for (const char* id : {"convolution", "stencil", "histogram"}) {
        const gpu::Family& family = gpu::familyOf(id);
        const auto problem = family.pose(picture, {});
        for (const gpu::Variant& variant : family.variants()) {
            if (variant.kind != gpu::Variant::Kind::kernel) continue;
            EXPECT_EQ(problem->boundFactor(variant) > 1, variant.idea == gpu::Idea::tensorCores)
                << id << ' ' << variant.id;
        }
    }
}

TEST(Tuning, theCacheWinsWhereItMeasuredSuchAProblem) {
    const auto cache = table("NVIDIA H200", {entry(traits(5), {{"tiled_output", {{"block_width", 16}}, 1}})});
    const gpu::Tuning tuning({h200()}, {table("NVIDIA A100", {entry(traits(5), {{"naive", {}, 1}})}), cache});
    const Choice choice = choose(tuning, FakeProblem(traits(5, 2e6)));
    EXPECT_EQ(choice.variant, "tiled_output");
    EXPECT_EQ(choice.tunables, (TunableValues{{"block_width", 16}}));
    EXPECT_EQ(choice.source, Choice::Source::cache);
    for (const Traits& far : {traits(7), traits(5, 64e6), traits(5, 1e6, "u16")})
        EXPECT_EQ(choose(tuning, FakeProblem(far)).source, Choice::Source::table);
}

TEST(Tuning, putReplacesTheSameProblemAndCombineTakesTheWorstRatio) {
    TuningTable made = h200();
    gpu::put(made, entry(traits(5), {{"naive", {}, 1}}));
    EXPECT_EQ(made.entries.size(), 3U);
    EXPECT_EQ(made.entries[0].rows[0].variant, "naive");
    gpu::put(made, entry(traits(6), {{"naive", {}, 1}}));
    EXPECT_EQ(made.entries.size(), 4U);
    const auto both =
        gpu::combine({entry(traits(5), {{"naive", {}, 1}, {"streamed", {}, 1.1}, {"tiled_input", {}, 1.2}}),
                      entry(traits(5), {{"streamed", {}, 1}, {"naive", {}, 3}})});
    ASSERT_EQ(both.rows.size(), 2U);
    EXPECT_EQ(both.rows[0].variant, "streamed");
    EXPECT_EQ(both.rows[0].relative, 1.1);
    EXPECT_EQ(both.rows[1].relative, 3);
}

TEST(Tuning, aRankingHoldsWhatIsRightVerifiedAndOurs) {
    std::vector<gpu::RunRecord> records{record("naive", 4),        record("naive", 3, {{"block_width", 64}}),
                                        record("streamed", 2),     record("tiled_input", 1),
                                        record("tiled_output", 1), record("separable", 1),
                                        record("constant", 1)};
    records[3].status = gpu::Status::wrong;
    records[4].verification.reset();
    records[5].kind = gpu::Variant::Kind::library;
    records[6].variant = "auto";
    std::vector<const gpu::RunRecord*> all;
    for (const auto& one : records) all.push_back(&one);
    const auto ranked = gpu::rankingOf("convolution", traits(5), all);
    ASSERT_EQ(ranked.rows.size(), 2U);
    EXPECT_EQ(ranked.rows[0].variant, "streamed");
    EXPECT_EQ(ranked.rows[1].variant, "naive");
    EXPECT_EQ(ranked.rows[1].relative, 1.5);
    EXPECT_EQ(ranked.rows[1].tunables, (TunableValues{{"block_width", 64}})) << "defaults are not written";
}

TEST(Tuning, neighboursOfATunableAreAllowed) {
    EXPECT_EQ(gpu::neighbours({.id = "a", .fallback = 4, .minimum = 1, .maximum = 8, .choices = {1, 2, 4, 8}}, 4),
              (std::vector<int>{2, 8}));
    EXPECT_EQ(gpu::neighbours({.id = "a", .fallback = 1, .minimum = 1, .maximum = 8, .choices = {1, 2}}, 1),
              (std::vector<int>{2}));
    EXPECT_EQ(gpu::neighbours({.id = "a", .fallback = 32, .minimum = 1, .maximum = 64}, 32),
              (std::vector<int>{16, 64}));
    EXPECT_EQ(gpu::neighbours({.id = "a", .fallback = 1, .minimum = 1, .maximum = 64}, 1), (std::vector<int>{2, 4}));
}

TEST(TuningFiles, goThereAndBackAndObeyTheirSchema) {
    const std::string json = gpu::tuning::toJson(h200());
    EXPECT_EQ(violation("tuning", json), "");
    const TuningTable back = gpu::tuning::parseTable(json, "t.json");
    EXPECT_EQ(gpu::tuning::toJson(back), json);
    EXPECT_EQ(back.entries[1].rows[1].tunables, (TunableValues{{"block_width", 64}}));
}

namespace {

gpu::TuningEntry measuredTask(const std::string& task, const std::string& best = "naive") {
    gpu::TuningEntry made = entry(traits(5), {{best, {}, 1}});
    made.task = task;
    made.date = "2026-02-03T10:00:00Z";
    made.bestMs = 0.25;
    return made;
}

}  // namespace

TEST(Tuning, guessesBeginWithTheChoiceAndHoldEveryKernelThatCan) {
    const gpu::Tuning tuning(
        {h200(), table("NVIDIA A100", {entry(traits(5), {{"constant", {{"block_width", 64}}, 1}})})}, {});
    FakeProblem problem(traits(5));
    problem.refused = {"tiled_input"};
    const auto guesses = tuning.guesses(convolution(), problem, gpuNamed("NVIDIA H200"), {});
    ASSERT_GT(guesses.size(), 6U);
    EXPECT_EQ(guesses[0].choice.variant, "streamed");
    EXPECT_EQ(guesses[0].relative, 1) << "the table's word";
    std::set<std::string> early, all;
    for (std::size_t i = 0; i < guesses.size(); ++i) {
        if (i < 6) early.insert(guesses[i].choice.variant);
        all.insert(guesses[i].choice.variant);
        EXPECT_FALSE(guesses[i].choice.variant == "constant" && !guesses[i].choice.tunables.empty())
            << "tunables follow a GPU's own numbers";
    }
    for (const char* each : {"streamed", "separable", "register_blocked", "constant", "separable_ring"})
        EXPECT_TRUE(early.contains(each)) << each << ": first of an entry, or the ladder's end";
    for (const gpu::Variant& variant : convolution().variants())
        EXPECT_EQ(all.contains(variant.id), variant.kind == gpu::Variant::Kind::kernel && variant.id != "tiled_input" &&
                                                !gpu::isIntentionallyWrong(variant))
            << variant.id;
    const auto tuned = std::ranges::find_if(guesses, [](const gpu::Guess& guess) {
        return guess.choice.tunables == TunableValues{{"block_height", 16}};
    });
    ASSERT_NE(tuned, guesses.end());
    EXPECT_EQ(tuned->choice.variant, "naive");
    EXPECT_EQ(tuned->relative, 2);
    EXPECT_EQ(gpu::Tuning().guesses(convolution(), problem, gpuNamed("NVIDIA H200"), {}).back().choice.variant, "naive")
        << "without tables the ladder, from its end on";
}

/// The beginning of the ladder may cost all that a race is worth.
TEST(Tuning, rowsThatATablePutsNearTheBestComeBeforeTheLaddersBeginning) {
    const gpu::Tuning tuning({table("NVIDIA H200", {entry(traits(5), {{"streamed", {}, 1},
                                                                      {"separable_fused", {}, 1.2},
                                                                      {"coarsened", {}, 1.4},
                                                                      {"tiled_input", {}, 1.9}})})},
                             {});
    const FakeProblem problem(traits(5));
    std::vector<std::string> order;
    for (const auto& guess : tuning.guesses(convolution(), problem, gpuNamed("NVIDIA H200"), {}))
        order.push_back(guess.choice.variant);
    const std::vector<std::string> first(order.begin(), order.begin() + 4);
    EXPECT_EQ(first, (std::vector<std::string>{"streamed", "separable_ring", "separable_fused", "coarsened"}));
    EXPECT_EQ(order.back(), "naive");
    EXPECT_TRUE(std::ranges::find(order, "tiled_input") != order.end());
}

TEST(Tuning, tasksStandBesideWhatHoldsForAllAndLeaveWhenThereAreTooMany) {
    TuningTable made = h200();
    for (std::size_t i = 0; i <= gpu::kMostTasks; ++i) gpu::put(made, measuredTask(std::to_string(i)));
    gpu::put(made, measuredTask("7", "streamed"));
    EXPECT_EQ(made.entries.size(), 3 + gpu::kMostTasks);
    const gpu::Tuning tuning({}, {made});
    const auto device = gpuNamed("NVIDIA H200");
    EXPECT_EQ(tuning.measured(device, "0"), nullptr) << "the oldest left";
    ASSERT_NE(tuning.measured(device, "1"), nullptr);
    EXPECT_EQ(tuning.measured(device, "7")->rows[0].variant, "streamed");
    EXPECT_EQ(tuning.measured(gpuNamed("NVIDIA A100"), "7"), nullptr);
    gpu::put(made, entry(traits(5), {{"separable", {}, 1}}));
    EXPECT_EQ(made.entries.size(), 3U) << "tune measured more thoroughly";
}

TEST(TuningFiles, tasksGoThereAndBack) {
    TuningTable made = h200();
    gpu::put(made, measuredTask("0123456789abcdef"));
    const std::string json = gpu::tuning::toJson(made);
    EXPECT_EQ(violation("tuning", json), "");
    const TuningTable back = gpu::tuning::parseTable(json, "t.json");
    EXPECT_EQ(gpu::tuning::toJson(back), json);
    EXPECT_EQ(back.entries.back().task, "0123456789abcdef");
    EXPECT_EQ(back.entries.back().bestMs, 0.25);
}

TEST(TuningFiles, severalProgramsLoseNothingOfEachOther) {
    const TemporaryFolder folder;
    const fs::path cache = folder / "not/there/yet";
    constexpr int kPrograms = 4, kTasks = 6;
    std::vector<pid_t> children;
    for (int program = 0; program < kPrograms; ++program) {
        children.push_back(fork());
        if (children.back() != 0) continue;
        int kept = 0;
        const auto tuning = gpu::tuning::load(folder / "none", cache);
        for (int i = 0; i < kTasks; ++i)
            if (tuning->keep(gpuNamed("NVIDIA H200"), measuredTask(std::to_string(program * kTasks + i))).empty())
                ++kept;
        _exit(kept == kTasks ? 0 : 1);
    }
    for (const pid_t child : children) {
        int status = -1;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    const auto all = gpu::tuning::load(folder / "none", cache);
    EXPECT_EQ(all->problems(), "");
    for (int i = 0; i < kPrograms * kTasks; ++i)
        EXPECT_NE(all->measured(gpuNamed("NVIDIA H200"), std::to_string(i)), nullptr) << i;
}

TEST(TuningFiles, aCacheThatCannotBeWrittenIsToldAndABrokenOneBegunAnew) {
    const TemporaryFolder folder;
    std::ofstream(folder / "file") << "x";
    const auto none = gpu::tuning::load(folder / "none", folder / "file/below");
    EXPECT_THAT(none->keep(gpuNamed("NVIDIA H200"), measuredTask("1")), HasSubstr("file/below: cannot be made"));
    const fs::path cache = folder / "cache";
    fs::create_directories(cache);
    const auto fresh = gpu::tuning::emptyCache(gpuNamed("NVIDIA H200"), gpu::describeEnvironment());
    std::ofstream(gpu::tuning::cacheFile(cache, fresh)) << "{";
    std::string warning;
    gpu::tuning::update(
        cache, fresh, [](TuningTable& there) { gpu::put(there, measuredTask("1")); },
        [&](const std::string& what) { warning = what; });
    EXPECT_THAT(warning, HasSubstr("it is not JSON; a new one is begun"));
    EXPECT_NE(gpu::tuning::load(folder / "none", cache)->measured(gpuNamed("NVIDIA H200"), "1"), nullptr);
    EXPECT_FALSE(gpu::tuning::load(folder / "none", {})->keep) << "without a cache nothing is kept";
}

TEST(TuningFiles, everyTruncationIsRefusedInOneLine) {
    const std::string json = gpu::tuning::toJson(h200());
    for (std::size_t length = 0; length + 2 < json.size(); ++length) {
        try {
            gpu::tuning::parseTable(json.substr(0, length), "t.json");
            ADD_FAILURE() << length << " bytes were read";
        } catch (const gpu::Error& error) {
            EXPECT_TRUE(std::string(error.what()).starts_with("t.json: not a tuning table: "));
        }
    }
    for (const char* bad :
         {"[]", "{}", "{\"device\": 3}", "null",
          "{\"device\":\"a\",\"driver\":\"b\",\"warplens\":\"c\",\"date\":\"d\",\"source\":\"e\",\"entries\":[{}]}"})
        EXPECT_THROW(gpu::tuning::parseTable(bad, "t.json"), gpu::Error) << bad;
}

TEST(TuningFiles, aBrokenCacheIsToldAndTheTableTakenInstead) {
    const TemporaryFolder folder;
    fs::create_directories(fs::path(folder / "shipped"));
    fs::create_directories(fs::path(folder / "cache"));
    std::ofstream(folder / "shipped/h200.json") << gpu::tuning::toJson(h200());
    const auto environment = gpu::describeEnvironment();
    TuningTable cache = gpu::tuning::emptyCache(gpuNamed("CPU (SIMT)"), environment);
    cache.entries = {entry(traits(5), {{"constant", {}, 1}})};
    const fs::path file = gpu::tuning::cacheFile(folder / "cache", cache);
    std::ofstream(file) << gpu::tuning::toJson(cache);
    cache.version = "0.0.0";
    std::ofstream(gpu::tuning::cacheFile(folder / "cache", cache)) << gpu::tuning::toJson(cache);

    const auto good = gpu::tuning::load(folder / "shipped", folder / "cache");
    EXPECT_EQ(good->problems(), "");
    EXPECT_EQ(good->cached().size(), 1U) << "another version's measurements count no more";
    EXPECT_EQ(choose(*good, FakeProblem(traits(5)), "CPU (SIMT)").source, Choice::Source::cache);

    std::ofstream(file) << "{\"device\": ";
    const auto broken = gpu::tuning::load(folder / "shipped", folder / "cache");
    EXPECT_THAT(broken->problems(), HasSubstr(file.string()));
    EXPECT_THAT(broken->problems(), HasSubstr("delete the file"));
    const Choice choice = choose(*broken, FakeProblem(traits(5)));
    EXPECT_EQ(choice.source, Choice::Source::table);
    EXPECT_THAT(choice.why, HasSubstr("cache is not used"));
    EXPECT_EQ(gpu::tuning::load(folder / "none", {})->shipped().size(), 0U);
}

TEST(TuningFiles, theShippedTablesNameRowsThatExist) {
    const fs::path folder = fs::path(WARPLENS_SOURCE_DIR) / "resources" / "tuning";
    const auto tuning = gpu::tuning::load(folder, {});
    EXPECT_EQ(tuning->problems(), "");
    EXPECT_FALSE(tuning->shipped().empty());
    for (const auto& file : fs::directory_iterator(folder)) {
        if (file.path().extension() != ".json") continue;
        EXPECT_EQ(violation("tuning", readText(file.path())), "") << file.path();
    }
    int cpus = 0;
    for (const TuningTable& shipped : tuning->shipped()) {
        std::set<std::string> families;
        for (const auto& one : shipped.entries) {
            families.insert(one.family);
            for (const auto& row : one.rows)
                EXPECT_NO_THROW(gpu::resolve(gpu::variantOf(gpu::familyOf(one.family), row.variant), row.tunables))
                    << shipped.device;
        }
        // Everyone can measure on the CPU device; a GPU's owner adds its entries when there is one.
        if (!shipped.device.starts_with("CPU")) continue;
        ++cpus;
        for (const gpu::Family* family : gpu::families())
            EXPECT_TRUE(families.contains(family->id())) << shipped.device << " lacks " << family->id();
    }
    EXPECT_EQ(cpus, 1);
}

TEST(TuningFiles, aFamilyThatATableLacksIsChosenByItsLadderAndThatIsSaid) {
    const gpu::Tuning tuning({table("NVIDIA H200", {}), table("NVIDIA A100", {})}, {});
    const Choice choice = choose(tuning, FakeProblem(traits(5)));
    EXPECT_EQ(choice.source, Choice::Source::order);
    EXPECT_EQ(choice.why,
              "no table has convolution on NVIDIA H200: the last kernel of the ladder that fits; tune "
              "measures here");
    // Where there are rows, and none fits, it is not the table that lacks.
    FakeProblem problem(traits(5));
    problem.refused = {"streamed"};
    const gpu::Tuning one({table("NVIDIA H200", {entry(traits(5), {{"streamed", {}, 1}})})}, {});
    EXPECT_EQ(choose(one, problem).why, "no row of a table fits: the last kernel of the ladder that can do it");
}

TEST(TuningFiles, aBenchmarkMakesATableWithCasesOfTheSameTraitsCombined) {
    gpu::bench::Result result;
    result.device = gpuNamed("NVIDIA H200");
    result.environment.cudaDriver = "13.0";
    for (const double second : {1.5, 0.5}) {
        gpu::Report report = gpu::makeReport(cudaComparison());
        report.runs = {{record("naive", 1), {}}, {record("streamed", second), {}}};
        result.cases.push_back({.what = {.id = "a",
                                         .suite = "s",
                                         .title = "t",
                                         .input = "i",
                                         .family = "convolution",
                                         .parameters = {},
                                         .goals = {}},
                                .report = report,
                                .problem = {},
                                .traits = traits(5)});
    }
    const TuningTable made = gpu::bench::tableOf(result);
    ASSERT_EQ(made.entries.size(), 1U);
    EXPECT_EQ(made.device, "NVIDIA H200");
    EXPECT_EQ(made.entries[0].rows[0].variant, "streamed") << "at worst 1.5 times, naive twice";
    EXPECT_EQ(made.entries[0].rows[0].relative, 1.5);
    EXPECT_EQ(made.entries[0].rows[1].relative, 2);
}

}  // namespace warplens::test
