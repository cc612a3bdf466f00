// SPDX-License-Identifier: Apache-2.0
// What every family says of itself holds: nobody else knows which one it is.
#include "gpu/core/registry.hpp"
#include "gpu/core/separating_level.hpp"
#include "gpu/device/simt/simt_device.hpp"
#include "gpu/families/convolution/tests/convolution_case.hpp"
#include "io/generate.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>
#include <set>

namespace warplens::gpu {
namespace {

class Families : public ::testing::TestWithParam<const Family*> {
protected:
    const Family& family() const { return *GetParam(); }
    const FamilyInfo& info() const { return family().info(); }
    const Parameter* parameter(const std::string& id) const {
        const auto& all = family().parameters();
        const auto found = std::ranges::find(all, id, &Parameter::id);
        return found == all.end() ? nullptr : &*found;
    }
    std::unique_ptr<Problem> problem() const {
        const auto picture = std::make_shared<const io::Grid>(io::generate("gen:noise:64x48:f32"));
        return family().pose(picture, {});
    }
};

INSTANTIATE_TEST_SUITE_P(All, Families, ::testing::ValuesIn(families()),
                         [](const auto& given) { return given.param->id(); });

TEST_P(Families, HaveEachRoleOnceAndWhatTheyDoAsksFor) {
    using enum Parameter::Role;
    std::set<Parameter::Role> roles;
    for (const Parameter& one : family().parameters())
        EXPECT_TRUE(one.role == Parameter::Role::none || roles.insert(one.role).second) << one.id;
    EXPECT_TRUE(!info().iterates || roles.contains(iterations));
    EXPECT_TRUE(info().regions != Regions::grows || roles.contains(seeds));
    EXPECT_TRUE(!info().services.contains(Service::comparison) || roles.contains(otherPicture));
    EXPECT_TRUE(!info().services.contains(Service::selectRegion) ||
                (roles.contains(seeds) && roles.contains(valueTolerance) && roles.contains(connectivity)));
}

TEST_P(Families, AreFoundByTheirIds) {
    EXPECT_EQ(findFamily(info().id), &family());
    EXPECT_EQ(&familyOf(info().id), &family());
    for (const Variant& variant : family().variants()) EXPECT_EQ(findVariant(info().id, variant.id), &variant);
    EXPECT_EQ(findVariant(info().id, "sorcery"), nullptr);
    EXPECT_EQ(findFamily("sorcery"), nullptr);
    EXPECT_EQ(findVariant("sorcery", "naive"), nullptr);
}

TEST_P(Families, AreATaskWithAResult) {
    EXPECT_FALSE(info().title.empty());
    EXPECT_FALSE(info().group.empty());
    EXPECT_FALSE(info().task.empty());
    EXPECT_TRUE(info().makesPicture || info().makesTables);
}

TEST_P(Families, TakeWhatTheySayTheyDoForOthers) {
    for (const auto& [service, values] : info().services) {
        EXPECT_NO_THROW(validate(family().parameters(), values));
        EXPECT_EQ(&familyFor(service), &family()) << "one family does it";
    }
}

TEST_P(Families, HaveTheParametersThatTheySpeakOf) {
    if (!info().swept.empty()) {
        ASSERT_NE(parameter(info().swept), nullptr);
        EXPECT_EQ(parameter(info().swept)->type, Parameter::Type::integer);
    }
    if (info().iterates) {
        ASSERT_NE(parameter("iterations"), nullptr);
        EXPECT_EQ(parameter("iterations")->type, Parameter::Type::integer);
    }
    if (info().moved) {
        EXPECT_FALSE(info().moved->sliders.empty());
        for (const auto& [id, steps] : info().moved->sliders) {
            EXPECT_NE(parameter(id), nullptr);
            EXPECT_GT(steps, 0);
        }
        EXPECT_NO_THROW(validate(family().parameters(), info().moved->from));
        EXPECT_FALSE(info().moved->words.empty());
    }
    for (const Parameter& one : family().parameters()) {
        if (one.follows == nullptr) continue;
        EXPECT_EQ(one.follows({}).index(), one.fallback.index()) << one.id;
    }
}

TEST_P(Families, NameTheRowsOfTheirLists) {
    for (const NameList& list : family().lists()) {
        std::size_t values = 0;
        for (const auto& column : list.columns) values += column.ids.size();
        std::set<NameList::Value> names;
        for (const auto& row : list.rows()) {
            EXPECT_EQ(row.size(), values) << list.id;
            EXPECT_TRUE(names.insert(row.front()).second) << list.id << " names one twice";
        }
        EXPECT_FALSE(names.empty()) << list.id;
    }
}

TEST_P(Families, HaveAFileForEveryKernel) {
    for (const Variant& variant : family().variants()) {
        EXPECT_EQ(variant.source.empty(), variant.kind == Variant::Kind::library) << variant.id;
        EXPECT_TRUE(std::filesystem::exists(WARPLENS_SOURCE_DIR "/" + variant.source)) << variant.source;
        for (const Tunable& tunable : variant.tunables) {
            EXPECT_GE(tunable.fallback, tunable.minimum) << variant.id << ' ' << tunable.id;
            EXPECT_LE(tunable.fallback, tunable.maximum) << variant.id << ' ' << tunable.id;
            if (tunable.choices.empty()) continue;
            EXPECT_TRUE(std::ranges::is_sorted(tunable.choices)) << variant.id << ' ' << tunable.id;
            EXPECT_EQ(tunable.choices.front(), tunable.minimum) << variant.id << ' ' << tunable.id;
            EXPECT_EQ(tunable.choices.back(), tunable.maximum) << variant.id << ' ' << tunable.id;
            EXPECT_TRUE(std::ranges::count(tunable.choices, tunable.fallback)) << variant.id << ' ' << tunable.id;
        }
    }
}

// A picture comes out in tiles, or along the rows where a value needs no place; what only counts values goes along the
// rows. What refuses the problem says nothing of
// it.
TEST_P(Families, SayHowBlocksFollowOneAnother) {
    const auto posed = problem();
    for (const Variant& variant : family().variants()) {
        if (variant.kind != Variant::Kind::kernel) continue;
        if (!posed->refusal(variant, posed->resolved(variant, {}, simtDeviceInfo()), simtDeviceInfo()).empty())
            continue;
        const Footprint footprint = posed->footprint(variant, posed->resolved(variant, {}, simtDeviceInfo()));
        const bool values = footprint.tileHeight == 1 && footprint.haloX == 0 && footprint.haloY == 0;
        EXPECT_TRUE(footprint.order == (info().makesPicture ? Order::tiles : Order::rows) ||
                    (footprint.order == Order::rows && values))
            << variant.id;
    }
}

/// Values of a type about a level that no value of the type is, and a level that lies between the same two of them.
struct Between {
    io::PixelType type;
    std::vector<double> values;
    double level, plain;
};

/// What the rows that are right made of it.
std::map<std::string, std::string> rightResults(const Family& family, ParameterValues values, double level,
                                                const std::shared_ptr<const io::Grid>& picture) {
    values["level"] = level;
    Request request = testing::requestFor(picture, std::move(values), "cpu");
    request.family = family.id();
    Runner runner;
    std::map<std::string, std::string> made;
    for (const RunRecord& run : runner.run(request).runs) {
        EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << testing::describe(run);
        if (run.status != Status::ok) continue;
        std::string& result = made[run.variant];
        if (const auto& grid = run.result.picture)
            result.assign(reinterpret_cast<const char*>(grid->data()), grid->bytes());
        else
            result = toCsv(*run.result.tables.front());
    }
    return made;
}

// What the picture says is what its number would have made, and the report says the number.
TEST_P(Families, TakeTheLevelThatThePictureSays) {
    const Parameter* level = parameter("level");
    if (level == nullptr || level->fallback != Parameter::Value(std::string(kAutomatic))) return;
    for (const char* input :
         {"gen:coins:61x47:u8:seed=3", "gen:blobs:40x30:u16:cell=7", "gen:blobs:19x60:f32:cell=5"}) {
        const auto picture = std::make_shared<const io::Grid>(io::generate(input));
        const double found = otsuThreshold(*picture);
        Request request = testing::requestFor(picture, {}, "cpu");
        request.family = family().id();
        Runner runner;
        const Comparison automatic = runner.run(request);
        request.parameters["level"] = found;
        const Comparison given = runner.run(request);
        ASSERT_EQ(automatic.runs.size(), given.runs.size());
        for (std::size_t i = 0; i < given.runs.size(); ++i) {
            const io::Grid *a = automatic.runs[i].result.picture.get(), *b = given.runs[i].result.picture.get();
            ASSERT_EQ(a == nullptr, b == nullptr);
            EXPECT_TRUE(a == nullptr || std::memcmp(a->data(), b->data(), a->bytes()) == 0) << given.runs[i].variant;
        }
        char said[40];
        std::snprintf(said, sizeof said, "level %.6g,", found);
        EXPECT_TRUE(std::ranges::any_of(automatic.facts, [&](const auto& fact) { return fact.starts_with(said); }))
            << input;
        EXPECT_FALSE(std::ranges::any_of(given.facts, [&](const auto& fact) { return fact.starts_with("level"); }));
    }
}

// One rule for a picture of one value, whatever the value is: all of it is inside where it is above 0.
TEST_P(Families, TakeALevelOfAPictureOfOneValue) {
    const Parameter* level = parameter("level");
    if (level == nullptr || level->fallback != Parameter::Value(std::string(kAutomatic))) return;
    const auto flat = [](double value, const io::Shape& shape = {7, 6}) {
        auto picture = std::make_shared<io::Grid>(shape, io::PixelType::f32);
        std::fill_n(picture->as<float>(), shape.values(), static_cast<float>(value));
        return picture;
    };
    const auto made = [this](const std::shared_ptr<const io::Grid>& picture) {
        Request request = testing::requestFor(picture, {}, "cpu");
        request.family = family().id();
        Runner runner;
        Comparison all = runner.run(request);
        EXPECT_TRUE(
            std::ranges::any_of(all.facts, [](const auto& fact) { return fact.starts_with("level 0, as all"); }));
        const auto right = std::ranges::find(all.runs, Status::ok, &RunRecord::status);
        const Result result = right == all.runs.end() ? Result{} : right->result;
        EXPECT_NE(result.picture, nullptr);
        if (result.picture == nullptr) return std::string{};
        return std::string(reinterpret_cast<const char*>(result.picture->data()), result.picture->bytes());
    };
    const std::string inside = made(flat(5)), outside = made(flat(0));
    EXPECT_NE(inside, outside);
    for (const double value : {0.25, 1e-38, 3e38}) EXPECT_EQ(made(flat(value)), inside) << value;
    for (const double value : {-0.25, -3e38}) EXPECT_EQ(made(flat(value)), outside) << value;
    // One pixel that a sample may miss makes it a picture of two values.
    for (const std::int64_t at : {0, 7, 180599}) {
        const auto spotted = flat(0.25, {600, 301});
        spotted->as<float>()[at] = 5;
        const double found = otsuThreshold(*spotted);
        EXPECT_TRUE(found >= 0.25 && found < 5) << found;
    }
}

// skimage.filters.threshold_* of scikit-image 0.26 on the same values; its bins of floats are 1/256 of the range wide.
TEST(SeparatingLevel, IsScikitImages) {
    io::Grid bytes({.width = 64, .height = 64}, io::PixelType::u8),
        floats({.width = 64, .height = 64}, io::PixelType::f32);
    for (int i = 0; i < 64 * 64; ++i) {
        const int v = i * 7919 % 1009;
        int value = v < 700 ? v * 60 / 700 : 90 + (v - 700) * (v - 700) * 165 / (308 * 308);
        if (i < 2) value = i * 255;
        bytes.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(value);
        floats.as<float>()[i] = static_cast<float>(value * value) / 1000;
    }
    EXPECT_EQ(separatingLevel(bytes, "triangle"), 102);
    EXPECT_EQ(separatingLevel(bytes, "isodata"), 87);
    EXPECT_EQ(separatingLevel(bytes, "li"), std::floor(72.41916398629382));
    EXPECT_EQ(separatingLevel(bytes, "mean"), std::floor(64.7548828125));
    EXPECT_EQ(separatingLevel(bytes, "otsu"), otsuThreshold(bytes));
    const double bins = 2 * 65.025 / 255;
    EXPECT_NEAR(separatingLevel(floats, "triangle"), 3.6830568313598633, bins);
    EXPECT_NEAR(separatingLevel(floats, "isodata"), 21.463329315185547, bins);
    EXPECT_NEAR(separatingLevel(floats, "li"), 7.415616035461426, 1e-3);
    EXPECT_NEAR(separatingLevel(floats, "mean"), 7.972027778625488, 1e-5);
    EXPECT_THROW(separatingLevel(bytes, "yen"), Error);
    for (const std::string& rule : levelRules()) {
        floats.as<float>()[5] = std::numeric_limits<float>::quiet_NaN();
        EXPECT_TRUE(std::isfinite(separatingLevel(floats, rule))) << rule;
        std::fill_n(bytes.as<std::uint8_t>(), 64 * 64, std::uint8_t{7});
        EXPECT_EQ(separatingLevel(bytes, rule), 0) << rule;
    }
}

// As numpy's `picture > level` does in double: 255 is above 254.99999999, and 0.1 in single precision above 0.1.
TEST_P(Families, CompareALevelAsItWasGiven) {
    const Parameter* level = parameter("level");
    if (level == nullptr) return;
    ParameterValues values;
    if (!level->visibleWhen.empty()) values[level->visibleWhen] = level->visibleWhenIn.front();
    for (const Between& between :
         {Between{io::PixelType::u8, {0, 254, 255}, 254.99999999, 254},
          Between{io::PixelType::u8, {0, 1, 2}, 1.00000001, 1},
          Between{io::PixelType::u16, {0, 65534, 65535}, 65534.9999999, 65534},
          Between{io::PixelType::f32, {0, 0.1F, 1}, 0.1, 0.05}, Between{io::PixelType::f32, {0, 0.7F, 1}, 0.7, 0.8},
          Between{io::PixelType::f32, {-1, -0.1F, 1}, -0.1, -0.05}}) {
        const auto picture = std::make_shared<io::Grid>(io::Shape{37, 5}, between.type);
        for (std::int64_t i = 0; i < picture->shape().pixels(); ++i)
            picture->setValue(i % 37, i / 37, 0, 0, between.values[static_cast<std::size_t>(i * i % 11 % 3)]);
        const auto made = rightResults(family(), values, between.level, picture);
        EXPECT_FALSE(made.empty());
        EXPECT_TRUE(made == rightResults(family(), values, between.plain, picture)) << between.level;
    }
}

}  // namespace
}  // namespace warplens::gpu
