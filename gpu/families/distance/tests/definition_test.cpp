// SPDX-License-Identifier: Apache-2.0
// What a distance is, by values worked out by hand; what the reference says, by every pixel's own look at all others.
#include "gpu/core/error.hpp"
#include "gpu/families/distance/tests/distance_case.hpp"
#include "tests/support/npp.hpp"

namespace warplens::gpu::distance {
namespace {

using testing::distances;
using testing::sprinkled;

const Variant& row(const std::string& id) {
    for (const Variant& variant : familyOf("distance").variants())
        if (variant.id == id) return variant;
    throw Error(Error::Kind::internal, "no row " + id);
}

std::shared_ptr<io::Grid> oneSite(const io::Shape& shape) {
    auto grid = sprinkled(shape, io::PixelType::u8, 0);
    grid->setValue(1, 2, 0, 0, 0);
    return grid;
}

TEST(DistanceDefinition, ByHand) {
    auto grid = oneSite({6, 5});
    const Case c{.type = io::PixelType::u8, .width = 6, .height = 5, .level = 0.5F};
    const auto squares = squaredDistances(*grid, c, 0, {});
    EXPECT_EQ(squares[0], 5);               // 1 and 2 steps
    EXPECT_EQ(squares[2 * 6 + 1], 0);       // the site
    EXPECT_EQ(squares[4 * 6 + 5], 16 + 4);  // 4 and 2 steps
    grid->setValue(5, 4, 0, 0, 0);
    EXPECT_EQ(squaredDistances(*grid, c, 0, {})[4 * 6 + 4], 1);
}

TEST(DistanceDefinition, TheReferenceIsEveryPixelsOwnLook) {
    for (const io::Shape shape : {io::Shape{29, 23}, io::Shape{9, 8, 7}, io::Shape{1, 1, 30}})
        for (const double share : {0.0, 0.01, 0.1, 0.6}) {
            const auto grid = sprinkled(shape, io::PixelType::f32, share, 3);
            grid->geometry.spacing = {0.5, 0.8, 3};
            for (const bool millimetres : {false, true}) {
                Case c{.type = io::PixelType::f32, .level = 0.5F, .millimetres = millimetres};
                if (millimetres) std::copy_n(grid->geometry.spacing.begin(), 3, c.spacing);
                const auto squares = squaredDistances(*grid, c, 0, {});
                for (std::int64_t i = 0; i < shape.pixels(); ++i) {
                    const auto x = i % shape.width, y = i / shape.width % shape.height;
                    const auto d = testing::definedAt(*grid, 0.5, millimetres, x, y, i / shape.width / shape.height, 0);
                    const double got = squares[static_cast<std::size_t>(i)];
                    if (d.squared < 0)
                        EXPECT_TRUE(std::isinf(got));
                    else if (millimetres)
                        EXPECT_NEAR(got, d.length * d.length, 1e-12 * got);
                    else
                        EXPECT_EQ(got, static_cast<double>(d.squared));
                }
            }
        }
}

TEST(DistanceDefinition, AWrongValueIsFound) {
    const auto input = oneSite({12, 9});
    for (const bool squared : {false, true})
        for (const std::string spacing : {"pixels", "mm"}) {
            const auto problem = familyOf("distance").pose(input, distances(squared, spacing));
            auto device = openDevice("cpu");
            Resident resident;
            const auto session = problem->open(*device, resident);
            session->prepare(row("separable"), problem->resolved(row("separable"), {}, device->info()));
            session->launch();
            double a = 0, b = 0;
            const Result result = session->download(a, b);
            EXPECT_EQ(problem->verify(result, row("separable"), {}).mismatches, 0);
            const auto changed = std::make_shared<io::Grid>(result.picture->clone());
            const double value = changed->value(11, 8);
            changed->setValue(11, 8, 0, 0,
                              squared ? value + 1 : std::nextafterf(static_cast<float>(value), 99) * 1.0001);
            EXPECT_EQ(problem->verify({.picture = changed, .tables = {}}, row("separable"), {}).mismatches, 1);
            // Jump flooding may be half as far again but for a twelfth, and no more; it can never be nearer than the
            // nearest.
            EXPECT_EQ(problem->verify({.picture = changed, .tables = {}}, row("jump_flooding"), {}).mismatches, 0);
            changed->setValue(11, 8, 0, 0, squared ? value * 2 : value * 1.41);
            EXPECT_EQ(problem->verify({.picture = changed, .tables = {}}, row("jump_flooding"), {}).mismatches, 0);
            changed->setValue(11, 8, 0, 0, squared ? std::floor(value * 2.1) : value * 1.42);
            EXPECT_EQ(problem->verify({.picture = changed, .tables = {}}, row("jump_flooding"), {}).mismatches, 1);
            changed->setValue(11, 8, 0, 0, squared ? value - 1 : value - 0.01);
            EXPECT_EQ(problem->verify({.picture = changed, .tables = {}}, row("jump_flooding"), {}).mismatches, 1);
        }
}

TEST(DistanceDefinition, TheCheckStopsWhenAsked) {
    const auto input = oneSite({40, 30, 3});
    const Case c{.type = io::PixelType::u8, .width = 40, .height = 30, .depth = 3, .level = 0.5F};
    std::stop_source asked;
    EXPECT_NO_THROW(squaredDistances(*input, c, 0, asked.get_token()));
    asked.request_stop();
    EXPECT_THROW(squaredDistances(*input, c, 0, asked.get_token()), Error);
    io::Grid output(input->shape(), io::PixelType::f32);
    const Verifier verifier(input, c);
    EXPECT_THROW(verifier.verify(output, 0, asked.get_token()), Error);
    EXPECT_THROW(verifier.verifyApproximate(output, asked.get_token()), Error);
}

// What may miss a site is never chosen by itself.
TEST(DistanceDefinition, JumpFloodingIsForThoseWhoAsk) {
    const auto problem = familyOf("distance").pose(oneSite({12, 9}), distances());
    EXPECT_TRUE(problem->widerBoundsShow());
    for (const Variant& variant : familyOf("distance").variants())
        EXPECT_EQ(problem->boundFactor(variant) > 1, variant.id == "jump_flooding") << variant.id;
}

TEST(DistanceDefinition, BlocksAreFittedToRows) {
    const auto threads = [](std::int64_t width, const std::string& id, const TunableValues& chosen = {}) {
        return familyOf("distance")
            .pose(oneSite({width, 3}), distances())
            ->resolved(row(id), chosen, {})
            .at("block_width");
    };
    for (const std::string id : {"banded", "near_first"}) {
        EXPECT_EQ(threads(1024, id), 128);
        EXPECT_EQ(threads(8192, id), 256);
        EXPECT_EQ(threads(16384, id), 512);
        EXPECT_EQ(threads(16384, id, {{"block_width", 64}}), 64);
    }
    EXPECT_EQ(threads(16384, "separable"), 64);
}

TEST(DistanceDefinition, RefusesWhatDoesNotFit) {
    const auto pose = [](const io::Shape& shape, const std::string& spacing, double mm) {
        auto grid = std::make_shared<io::Grid>(shape, io::PixelType::u8);
        std::fill_n(grid->as<std::uint8_t>(), grid->bytes(), std::uint8_t{1});
        grid->geometry.spacing[1] = mm;
        return familyOf("distance").pose(grid, distances(false, spacing));
    };
    EXPECT_NO_THROW(pose({46340, 1}, "pixels", 1));
    EXPECT_THROW(pose({46343, 1}, "pixels", 1), Error);
    EXPECT_NO_THROW(pose({65535, 1}, "mm", 1));
    EXPECT_THROW(pose({65536, 1}, "mm", 1), Error);
    for (const double mm : {0.0, -1.0, std::nan(""), 1e30, 1e-20}) EXPECT_THROW(pose({4, 4}, "mm", mm), Error) << mm;
    EXPECT_NO_THROW(pose({4, 4}, "pixels", 0.0));
}

TEST(DistanceNpp, SaysWhatItTakes) {
    using ::testing::HasSubstr;
    const auto why = [](const io::Shape& shape, io::PixelType type, const ParameterValues& values) {
        return testing::whyNotNpp("distance", sprinkled(shape, type, 0.1), values);
    };
    EXPECT_THAT(why({64, 70, 1, 3}, io::PixelType::u8, distances()), testing::isEmptyOrNppMissing());
    for (const auto type : {io::PixelType::u16, io::PixelType::f32})
        EXPECT_THAT(why({64, 70}, type, distances()), HasSubstr("pictures of u8"));
    EXPECT_THAT(why({63, 70}, io::PixelType::u8, distances()), HasSubstr("64 to 32,767"));
    EXPECT_THAT(why({64, 70, 2}, io::PixelType::u8, distances()), HasSubstr("two dimensions"));
    EXPECT_THAT(why({64, 70}, io::PixelType::u8, distances(true)), HasSubstr("squared"));
    EXPECT_THAT(why({64, 70}, io::PixelType::u8, distances(false, "mm")), HasSubstr("spacing"));
    EXPECT_THAT(why({64, 70}, io::PixelType::u8, distances(false, "pixels", -1)), HasSubstr("without a value"));
}

}  // namespace
}  // namespace warplens::gpu::distance
