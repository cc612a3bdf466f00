// SPDX-License-Identifier: Apache-2.0
// What each task means, spelled out on small pictures; refusals; and whether the check finds what is wrong.
#include "gpu/core/error.hpp"
#include "gpu/families/scan/reference.hpp"
#include "gpu/families/scan/tests/scan_case.hpp"
#include "tests/support/npp.hpp"

#include <cstring>
#include <gmock/gmock.h>
#include <span>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;

std::shared_ptr<io::Grid> gridOf(const io::Shape& shape, PixelType type, const std::vector<double>& values) {
    auto grid = std::make_shared<io::Grid>(shape, type);
    std::size_t i = 0;
    for (std::int64_t z = 0; z < shape.depth; ++z)
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x)
                for (int c = 0; c < shape.channels; ++c) grid->setValue(x, y, z, c, values.at(i++));
    return grid;
}

RunRecord runOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values,
                const std::string& variant = kAuto) {
    Request request = scanRequest(input, values, "cpu");
    request.variants = {variant};
    Runner runner;
    return runner.run(request).runs.front();
}

std::vector<double> pictureOf(const std::shared_ptr<const io::Grid>& input, const ParameterValues& values) {
    const auto run = runOf(input, values);
    EXPECT_EQ(run.status, Status::ok) << describe(run);
    std::vector<double> all;
    if (run.result.picture == nullptr) return all;
    const io::Grid& made = *run.result.picture;
    for (std::int64_t z = 0; z < made.shape().depth; ++z)
        for (std::int64_t y = 0; y < made.shape().height; ++y)
            for (std::int64_t x = 0; x < made.shape().width; ++x)
                for (int c = 0; c < made.shape().channels; ++c) all.push_back(made.value(x, y, z, c));
    return all;
}

//  1 2 3
//  4 5 6
TEST(ScanTasks, SumsAlongValuesRowsAndColumns) {
    const auto input = gridOf({3, 2}, PixelType::u8, {1, 2, 3, 4, 5, 6});
    const std::vector<std::pair<ParameterValues, std::vector<double>>> cases{
        {runningSums("values"), {1, 3, 6, 10, 15, 21}}, {runningSums("values", "exclusive"), {0, 1, 3, 6, 10, 15}},
        {runningSums("rows"), {1, 3, 6, 4, 9, 15}},     {runningSums("rows", "exclusive"), {0, 1, 3, 0, 4, 9}},
        {runningSums("columns"), {1, 2, 3, 5, 7, 9}},   {runningSums("columns", "exclusive"), {0, 0, 0, 1, 2, 3}},
        {scanTask("integral"), {1, 3, 6, 5, 12, 21}}};
    for (const auto& [values, expected] : cases) EXPECT_THAT(pictureOf(input, values), ElementsAreArray(expected));
    EXPECT_EQ(runOf(input, {}).result.picture->type(), PixelType::u32);
}

TEST(ScanTasks, ChannelsAndSlicesAreSummedApart) {
    EXPECT_THAT(pictureOf(gridOf({2, 1, 1, 3}, PixelType::u8, {1, 2, 3, 10, 20, 30}), {}),
                ElementsAreArray({1, 2, 3, 11, 22, 33}));
    const auto volume = gridOf({2, 1, 2}, PixelType::f32, {1, 2, 4, 8});
    EXPECT_THAT(pictureOf(volume, {}), ElementsAreArray({1, 3, 7, 15}));
    EXPECT_THAT(pictureOf(volume, scanTask("integral")), ElementsAreArray({1, 3, 4, 12}));
}

// 70,000 x 65,535 is more than 32 bits hold; a window's sum, a difference of such sums, is right all the same.
TEST(ScanTasks, IntegersWrapAroundAndWindowsStayRight) {
    auto white = std::make_shared<io::Grid>(io::Shape{350, 200}, PixelType::u16);
    for (std::int64_t y = 0; y < 200; ++y)
        for (std::int64_t x = 0; x < 350; ++x) white->setValue(x, y, 0, 0, 65535);
    EXPECT_EQ(pictureOf(white, scanTask("integral")).back(),
              static_cast<double>(static_cast<std::uint32_t>(70000ULL * 65535)));
    for (const double mean : pictureOf(white, {{"task", std::string("box")}, {"radius", std::int64_t{1023}}}))
        ASSERT_EQ(mean, 65535);
}

TEST(ScanTasks, WindowsEndWhereThePictureDoes) {
    const auto input = gridOf({3, 2}, PixelType::u8, {0, 3, 6, 9, 12, 18});
    const ParameterValues box{{"task", std::string("box")}, {"radius", std::int64_t{1}}};
    EXPECT_THAT(pictureOf(input, box), ElementsAreArray({6, 8, 10, 6, 8, 10}));
    const ParameterValues mask{{"task", std::string("threshold")}, {"radius", std::int64_t{1}}, {"offset", 3.0}};
    EXPECT_THAT(pictureOf(input, mask), ElementsAreArray({0, 0, 0, 255, 255, 255}));
}

TEST(ScanTasks, KeptValuesStandInRasterOrder) {
    const auto input = gridOf({2, 2, 1, 3}, PixelType::u8, {9, 0, 8, 0, 0, 0, 0, 7, 6, 5, 5, 9});
    const auto run = runOf(input, {{"task", std::string("compact")}, {"level", 5.0}});
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    const Table& kept = *run.result.tables.front();
    EXPECT_EQ(kept.id, "kept");
    EXPECT_THAT(kept.integers("x"), ElementsAreArray({0, 0, 0, 0, 1}));
    EXPECT_THAT(kept.integers("y"), ElementsAreArray({0, 0, 1, 1, 1}));
    EXPECT_THAT(kept.integers("z"), ElementsAreArray({0, 0, 0, 0, 0}));
    EXPECT_THAT(kept.integers("channel"), ElementsAreArray({0, 2, 1, 2, 2}));
    EXPECT_THAT(kept.integers("value"), ElementsAreArray({9, 8, 7, 6, 9}));
    EXPECT_EQ(runOf(input, {{"task", std::string("compact")}, {"level", 255.0}}).result.tables.front()->rows(), 0U);
}

TEST(ScanTasks, NotANumberIsNotAboveALevel) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto run = runOf(gridOf({3, 1}, PixelType::f32, {nan, 2, 1}), {{"task", std::string("compact")}});
    ASSERT_EQ(run.status, Status::ok) << describe(run);
    EXPECT_THAT(run.result.tables.front()->reals("value"), ElementsAreArray({2.0, 1.0}));
}

// Only sums behind it are touched by what is not finite, whatever the tree.
TEST(ScanTasks, NotFiniteValuesReachLaterSumsAlone) {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double odd : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
        for (const std::int64_t at : {0, 31, 256, 1023, 2999}) {
            auto input = noise({3000, 2}, PixelType::f32);
            input->setValue(at, 0, 0, 0, odd);
            for (const auto& values : {runningSums("values"), runningSums("rows", "exclusive"), scanTask("integral")}) {
                Request request = scanRequest(input, values, "cpu");
                Runner runner;
                for (const auto& run : runner.run(request).runs)
                    EXPECT_TRUE(run.status == Status::ok || run.status == Status::unsupported) << describe(run);
            }
        }
}

/// Noise, dark with few grey values, constant: clipped bins and none, empty bins before the first.
std::vector<std::shared_ptr<io::Grid>> greyPictures(PixelType type) {
    std::vector<std::shared_ptr<io::Grid>> all;
    const std::vector<io::Shape> shapes{{64, 48}, {97, 61},   {96, 61},   {3, 5},
                                        {1, 1},   {267, 258}, {264, 260}, {512, 264}};
    for (const auto& shape : std::span(shapes).first(type == PixelType::u8 ? shapes.size() : 2)) {
        all.push_back(noise(shape, type));
        auto dark = noise(shape, type, 3), one = noise(shape, type, 4);
        for (std::int64_t y = 0; y < shape.height; ++y)
            for (std::int64_t x = 0; x < shape.width; ++x) {
                dark->setValue(x, y, 0, 0, 17 + std::floor(dark->value(x, y) / 40));
                one->setValue(x, y, 0, 0, 99);
            }
        all.push_back(dark);
        all.push_back(one);
    }
    return all;
}

// Byte for byte: a kernel beside OpenCV's own calls, whatever the check says.
TEST(ScanTasks, EqualiseAndClaheAreOpenCVs) {
    for (const auto type : {PixelType::u8, PixelType::u16})
        for (const auto& input : greyPictures(type)) {
            std::vector<ParameterValues> cases;
            if (type == PixelType::u8) cases.push_back(scanTask("equalise"));
            // Tables of 65,536 bins are long for the SIMT device.
            const bool large = input->shape().width > 100;  // for tiles that are blended by words
            for (const double clip : large ? std::vector{2.0} : std::vector{0.0, 1.0, 2.0, 40.0})
                for (const int tiles : type == PixelType::u8 ? std::vector{1, 3, 8} : std::vector{1})
                    cases.push_back({{"task", std::string("clahe")}, {"clip", clip}, {"tiles", std::int64_t{tiles}}});
            for (const auto& values : cases) {
                const auto ours = runOf(input, values, "global_bins"), theirs = runOf(input, values, "opencv");
                ASSERT_EQ(ours.status, Status::ok) << describe(ours);
                ASSERT_EQ(theirs.status, Status::ok) << describe(theirs);
                const io::Grid &made = *ours.result.picture, &expected = *theirs.result.picture;
                EXPECT_EQ(std::memcmp(made.data(), expected.data(), expected.bytes()), 0)
                    << input->shape().width << " wide " << io::nameOf(type);
            }
        }
}

TEST(ScanTasks, RefuseWhatTheyCannotDo) {
    const auto floats = noise({8, 8}, PixelType::f32);
    EXPECT_THROW(runOf(floats, scanTask("equalise")), Error);
    EXPECT_THROW(runOf(floats, scanTask("clahe")), Error);
    floats->setValue(3, 3, 0, 0, std::numeric_limits<double>::quiet_NaN());
    EXPECT_THAT(runOf(floats, scanTask("box"), "naive").reason, HasSubstr("NaN"));
    floats->setValue(3, 3, 0, 0, -3.4e38);
    EXPECT_THAT(runOf(floats, scanTask("box"), "naive").reason, HasSubstr("drown"));
    EXPECT_THAT(runOf(noise({8, 8}, PixelType::u16), scanTask("box"), "look_back").reason, HasSubstr("64 bits"));
    EXPECT_THAT(runOf(noise({8, 8}, PixelType::u16), scanTask("clahe"), "shared_bins").reason, HasSubstr("u16"));
    EXPECT_THAT(runOf(noise({8, 8}, PixelType::u8), {}, "direct").reason, HasSubstr("box and threshold"));
    const ParameterValues wide{{"task", std::string("box")}, {"radius", std::int64_t{32}}};
    EXPECT_THAT(runOf(noise({8, 8}, PixelType::u8), wide, "direct").reason, HasSubstr("up to 31"));
    EXPECT_THAT(runOf(noise({8, 8}, PixelType::u8), {}, "global_bins").reason, HasSubstr("equalise"));
    EXPECT_THAT(runOf(noise({1100, 1000}, PixelType::u8), {}, "naive").reason, HasSubstr("1100000 values"));
}

// One value off anywhere is found.
TEST(ScanTasks, TheCheckFindsWhatIsWrong) {
    for (const auto type : {PixelType::u8, PixelType::f32})
        for (const char* name : {"sums", "integral", "box", "threshold", "equalise", "clahe"}) {
            if (type == PixelType::f32 && std::string(name).find_first_of("q") != std::string::npos) continue;
            if (type == PixelType::f32 && std::string(name) == "clahe") continue;
            const auto input = noise({21, 13}, type);
            const auto problem = familyOf("scan").pose(input, scanTask(name));
            const RunRecord run = runOf(input, scanTask(name));
            const Variant& variant = *findVariant("scan", run.variant);
            Result result = run.result;
            ASSERT_EQ(problem->verify(result, variant, {}).mismatches, 0) << name;
            auto wrong = std::make_shared<io::Grid>(result.picture->clone());
            const double was = wrong->value(20, 12);
            wrong->setValue(20, 12, 0, 0,
                            wrong->type() == PixelType::f32 ? was * 1.01 + 0.01
                            : was > 100                     ? was - 1
                                                            : was + 1);
            result.picture = wrong;
            EXPECT_EQ(problem->verify(result, variant, {}).mismatches, 1) << name;
        }
}

TEST(ScanNpp, SaysWhatItTakes) {
    const auto u8 = gridOf({3, 2, 1, 3}, PixelType::u8, std::vector<double>(18, 1));
    EXPECT_THAT(whyNotNpp("scan", u8, scanTask("integral")), isEmptyOrNppMissing());
    EXPECT_THAT(whyNotNpp("scan", u8, scanTask("box")), HasSubstr("integral pictures"));
    const auto u16 = gridOf({3, 2}, PixelType::u16, std::vector<double>(6, 1));
    EXPECT_THAT(whyNotNpp("scan", u16, scanTask("integral")), HasSubstr("u8 alone"));
}

}  // namespace
}  // namespace warplens::gpu::testing
