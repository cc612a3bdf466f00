// SPDX-License-Identifier: Apache-2.0
#include "gpu/bench/draw.hpp"

#include "gpu/core/error.hpp"
#include "gpu/core/fnv.hpp"
#include "gpu/core/registry.hpp"
#include "io/generate.hpp"
#include "tests/support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

namespace warplens::test {

namespace bench = gpu::bench;
using testing::HasSubstr;

namespace {

const std::string kFamilies = std::string(WARPLENS_SOURCE_DIR) + "/gpu/families";
constexpr std::int64_t kAnySize = 1'000'000'000'000;

/// A family of every type of parameter that takes whatever is not u16: what is drawn of it changes with the drawing
/// alone, whichever families there are.
class MadeUp : public gpu::Family {
public:
    const gpu::FamilyInfo& info() const override { return m_info; }
    const std::vector<gpu::Parameter>& parameters() const override { return m_parameters; }
    const std::vector<gpu::Variant>& variants() const override { return m_variants; }

private:
    std::unique_ptr<gpu::Problem> makeProblem(std::shared_ptr<const io::Grid> input,
                                              const gpu::ParameterValues& values) const override {
        gpu::validate(m_parameters, values);
        if (input->type() == io::PixelType::u16) throw gpu::Error(gpu::Error::Kind::unsupported, "no u16");
        return nullptr;
    }
    using Type = gpu::Parameter::Type;
    gpu::FamilyInfo m_info{.id = "made-up"};
    std::vector<gpu::Variant> m_variants{};
    std::vector<gpu::Parameter> m_parameters{
        {.id = "task", .type = Type::choice, .fallback = std::string("a"), .choices = {"a", "b", "c"}},
        {.id = "radius", .type = Type::integer, .fallback = std::int64_t{2}, .minimum = 0, .maximum = 1000},
        {.id = "steps",
         .type = Type::integer,
         .fallback = std::int64_t{1},
         .minimum = 1,
         .maximum = 1000,
         .visibleWhen = "task",
         .visibleWhenIn = {"b"}},
        {.id = "flag", .type = Type::flag, .fallback = false},
        {.id = "level", .type = Type::real, .fallback = 0.5, .minimum = 0, .maximum = 1e9},
        {.id = "amount", .type = Type::real, .fallback = 0.5, .minimum = 0, .maximum = 1e9},
        {.id = "matrix", .type = Type::text, .fallback = std::string()},
        {.id = "with", .type = Type::picture, .fallback = std::shared_ptr<const gpu::NamedGrid>()},
        {.id = "quiet", .type = Type::flag, .fallback = false, .advanced = true}};
};

std::vector<bench::FamilyDraws> madeUp() {
    static const MadeUp family;
    using Kind = bench::DrawRule::Kind;
    bench::DrawEntry entry;
    entry.parameters["level"] = {.kind = Kind::ofFullScale, .least = 0.1, .most = 0.9};
    entry.parameters["matrix"] = {.kind = Kind::numbers, .least = -1, .most = 1, .columns = {1, 7}, .rows = {1, 3}};
    entry.parameters["with"] = {.kind = Kind::oneOf, .texts = {"gen:noise:{any}x{width}:f32:seed=2"}};
    return {{&family, {entry}}};
}

std::vector<std::int64_t> sidesOf(const std::string& input) {
    std::string size = input.substr(input.find(':', 4) + 1);
    std::vector<std::int64_t> sides;
    std::istringstream text(size.substr(0, size.find(':')));
    for (std::string side; std::getline(text, side, 'x');) sides.push_back(std::stoll(side));
    return sides;
}

std::string text(const bench::Case& one) { return bench::casesJson({one}); }

}  // namespace

TEST(Draw, aSeedsTasksAreTheSameOnEveryMachine) {
    const std::string drawn =
        bench::casesJson(bench::drawCases(madeUp(), {.seed = 7, .cases = 60, .largest = 1'000'000}));
    EXPECT_EQ(gpu::fnv1a(drawn), 16530000201666564074U) << drawn;
    EXPECT_NE(drawn, bench::casesJson(bench::drawCases(madeUp(), {.seed = 8, .cases = 60, .largest = 1'000'000})));
}

TEST(Draw, aTaskFollowsFromSeedAndNumberAlone) {
    const auto draws = bench::loadDraws(kFamilies);
    const auto all = bench::drawCases(draws, {.seed = 3, .cases = 40, .largest = 40'000});
    ASSERT_EQ(all.size(), 40U);
    for (const int number : {40, 1, 17}) {
        const auto alone = bench::drawCase(draws, {.seed = 3, .cases = number, .largest = 40'000}, number);
        EXPECT_EQ(text(alone), text(all[static_cast<std::size_t>(number - 1)]));
    }
    // What fits a small budget stays as it is with a larger one, as far as it was the first attempt.
    const auto large = bench::drawCases(draws, {.seed = 3, .cases = 40, .largest = 1'000'000'000});
    int kept = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_EQ(large[i].family, all[i].family);
        bench::Case task = large[i];
        task.id = all[i].id;  // which says how large tasks may be
        kept += text(task) == text(all[i]);
    }
    EXPECT_GT(kept, 3);
}

TEST(Draw, everyFamilyTakesItsTurn) {
    const auto draws = bench::loadDraws(kFamilies);
    const std::size_t count = gpu::families().size();
    const auto all = bench::drawCases(draws, {.seed = 11, .cases = static_cast<int>(3 * count), .largest = 20'000});
    std::set<std::string> ids;
    for (std::size_t turn = 0; turn < 3; ++turn) {
        std::set<std::string> families;
        for (std::size_t i = 0; i < count; ++i) {
            const bench::Case& one = all[turn * count + i];
            families.insert(one.family);
            ids.insert(one.id);
            EXPECT_EQ(one.suite, "random");
            // At its own size, as it is run; the drawing asked about a smaller one where it was large.
            const auto make = [](const std::string& name) {
                return std::make_shared<const io::Grid>(io::generate(name));
            };
            EXPECT_NO_THROW(gpu::familyOf(one.family).pose(make(one.input), bench::withPictures(one.parameters, make)))
                << text(one);
        }
        EXPECT_EQ(families.size(), count) << "turn " << turn;
    }
    EXPECT_EQ(ids.size(), all.size());
    EXPECT_TRUE(ids.contains("random-11-1-20000"));
}

TEST(Draw, sizesAreOddPrimeThinAndVolumes) {
    const auto all = bench::drawCases(madeUp(), {.seed = 5, .cases = 400, .largest = kAnySize});
    int sides = 0, odd = 0, prime = 0, sixteens = 0, thin = 0, volumes = 0, large = 0, largest = 0;
    for (const bench::Case& one : all) {
        const auto extents = sidesOf(one.input);
        const bool volume = extents.size() == 3;
        volumes += volume;
        thin += !volume && std::min(extents[0], extents[1]) < 16;
        for (const std::int64_t side : extents) {
            ASSERT_GE(side, volume ? 2 : 1) << one.input;
            ASSERT_LE(side, volume ? 1024 : 16384) << one.input;
            ++sides;
            odd += side % 2 == 1;
            sixteens += side % 16 == 0;
            bool divided = side < 2;
            for (std::int64_t d = 2; d * d <= side; ++d) divided = divided || side % d == 0;
            prime += !divided;
            large += side > 8192;
            largest = std::max(largest, static_cast<int>(side));
        }
    }
    const auto share = [&](int part, std::size_t of) { return 100 * part / static_cast<int>(of); };
    EXPECT_GT(share(odd, static_cast<std::size_t>(sides)), 40);
    EXPECT_GT(share(prime, static_cast<std::size_t>(sides)), 25);
    EXPECT_GT(share(sixteens, static_cast<std::size_t>(sides)), 15);
    EXPECT_GT(share(large, static_cast<std::size_t>(sides)), 4);
    EXPECT_GT(largest, 14000);
    EXPECT_GT(share(volumes, all.size()), 18);
    EXPECT_GT(share(thin, all.size()), 12);
    EXPECT_LT(share(thin, all.size()), 35);
}

TEST(Draw, whatIsRefusedOrTooLargeIsDrawnAnew) {
    for (const bench::Case& one : bench::drawCases(madeUp(), {.seed = 2, .cases = 50, .largest = 30'000})) {
        EXPECT_THAT(one.input, testing::Not(HasSubstr(":u16"))) << "which the family refuses";
        const auto with = std::get<std::shared_ptr<const gpu::NamedGrid>>(one.parameters.at("with"));
        const auto bytes = io::generate(one.input).bytes() + io::generate(with->name).bytes();
        EXPECT_LE(bytes, 30'000U) << text(one);
        EXPECT_EQ(sidesOf(with->name)[1], sidesOf(one.input)[0]) << "as high as the picture is wide";
        EXPECT_EQ(one.parameters.contains("steps"), gpu::format(one.parameters.at("task")) == "b");
        EXPECT_LE(std::get<std::int64_t>(one.parameters.at("radius")), 32) << "16 times the default";
        const double full = one.input.find(":u8") != std::string::npos ? 255 : 1;
        EXPECT_LE(std::get<double>(one.parameters.at("level")), 0.9 * full);
        EXPECT_GE(std::get<double>(one.parameters.at("level")), 0.09 * full);
        EXPECT_FALSE(one.parameters.contains("amount")) << "a real number without a rule stays at its default";
    }
    EXPECT_THROW(bench::drawCase(madeUp(), {.seed = 2, .cases = 1, .largest = 1}, 1), gpu::Error);
}

TEST(Draw, whatASuiteSaysWrongIsNamed) {
    const TemporaryFolder folder;
    const std::string id = gpu::families().front()->id();
    std::filesystem::create_directories(folder / id);
    const auto refused = [&](const std::string& entry, const std::string& why) {
        writeText(folder / (id + "/suite.json"), R"({"random": [)" + entry + "]}");
        try {
            bench::loadDraws(folder.path());
            ADD_FAILURE() << entry;
        } catch (const gpu::Error& error) {
            EXPECT_THAT(error.what(), HasSubstr(why));
            EXPECT_THAT(error.what(), HasSubstr("suite.json: entry 1 of random"));
        }
    };
    refused(R"({"parameters": {"speed": "default"}})", "no parameter \"speed\"");
    refused(R"({"shapes": ["round"]})", "no shape \"round\"");
    refused(R"({"inputs": []})", "inputs is empty");
    refused(R"({"weight": 0})", "a weight is 1 or more");
}

}  // namespace warplens::test
