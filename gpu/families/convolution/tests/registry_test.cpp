// SPDX-License-Identifier: Apache-2.0
// Registry x device x border x type x channels x sizes: every kernel against the double reference.
#include "gpu/families/convolution/tests/every_row.hpp"
#include "io/crop.hpp"
#include "tests/support/devices.hpp"
#include "tests/support/sanitized.hpp"

#include <array>
#include <cmath>
#include <cstring>

namespace warplens::gpu::testing {
namespace {

using warplens::testing::kSanitized, warplens::testing::skippedUnderSanitizer;

class OnDevice : public EveryRow, public ::testing::WithParamInterface<std::string> {
protected:
    void SetUp() override { requireDevice(GetParam()); }

    void expectAllOk(const std::shared_ptr<const io::Grid>& input, const ParameterValues& parameters,
                     const std::string& what, int* okCount = nullptr) {
        EveryRow::expectAllOk(GetParam(), input, parameters, what, okCount);
    }
};

TEST_P(OnDevice, EverySizeUpTo20) {
    for (int place = 0; const auto& border : kBorders) {
        ++place;
        for (int height = 1; height <= 20; ++height) {
            for (int width = 1; width <= 20; ++width) {
                if (skippedUnderSanitizer(place + height + width)) continue;
                int ok = 0;
                expectAllOk(noise({width, height}, io::PixelType::f32, static_cast<std::uint64_t>(width * 31 + height)),
                            {{"border", border}, {"radius", std::int64_t{2}}},
                            border + " " + std::to_string(width) + "x" + std::to_string(height), &ok);
                ASSERT_EQ(ok, static_cast<int>(usualRows("convolution"))) << border << width << "x" << height;
            }
        }
    }
}

TEST_P(OnDevice, FiltersOfOneRowByEveryVariant) {
    for (const auto& border : kBorders) {
        for (const io::Shape shape : {io::Shape{1, 1}, io::Shape{1031, 1}, io::Shape{70, 37, 1, 3}}) {
            for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
                int ok = 0;
                const auto what = border + " " + std::to_string(shape.width) + " " + io::nameOf(type);
                expectAllOk(
                    noise(shape, type),
                    {{"filter", std::string("custom")}, {"matrix", std::string("1 4 9 5 2")}, {"border", border}}, what,
                    &ok);
                ASSERT_EQ(ok, static_cast<int>(usualRows("convolution"))) << what;
            }
        }
    }
}

TEST_P(OnDevice, EveryTypeChannelsBorderAndRadius) {
    for (int t = 0; const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
        ++t;
        for (int c = 0; const int channels : {1, 3, 4}) {
            ++c;
            for (int b = 0; const auto& border : kBorders) {
                ++b;
                for (int r = 0; const int radius : {0, 1, 2, 3, 4, 5, 7, 11}) {
                    if (skippedUnderSanitizer(t + c + b + ++r)) continue;
                    expectAllOk(noise({67, 41, 1, channels}, type),
                                {{"border", border}, {"radius", std::int64_t{radius}}},
                                std::string(io::nameOf(type)) + " c" + std::to_string(channels) + " " + border + " r" +
                                    std::to_string(radius));
                }
            }
        }
    }
}

TEST_P(OnDevice, PrimesPowersOfTwoAndTheirNeighbours) {
    for (const auto& [width, height] : std::vector<std::pair<int, int>>{{31, 33},
                                                                        {32, 32},
                                                                        {33, 31},
                                                                        {63, 65},
                                                                        {64, 64},
                                                                        {65, 63},
                                                                        {127, 129},
                                                                        {257, 101},
                                                                        {70, 70},
                                                                        {1, 257},
                                                                        {257, 1}}) {
        for (const auto& border : kBorders) {
            expectAllOk(noise({width, height}, io::PixelType::u8), {{"border", border}, {"radius", std::int64_t{3}}},
                        border + " " + std::to_string(width) + "x" + std::to_string(height));
        }
    }
}

// Rows that no four values divide are padded for those rows of the ladder that load four at a time: the frame ends in
// the midst of them.
TEST_P(OnDevice, EveryRemainderOfAWidth) {
    for (int place = 0; int width : {32, 33, 34, 35, 49, 50, 51, 63, 65, 66, 67, 77, 78, 79, 95, 97, 126, 129}) {
        for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
            const auto& border = kBorders[static_cast<std::size_t>(++place) % kBorders.size()];
            const int radius = std::vector{1, 2, 3, 5, 7}[static_cast<std::size_t>(place) % 5];
            if (skippedUnderSanitizer(place)) continue;
            expectAllOk(noise({width, 19, 1, std::vector{1, 3, 4}[static_cast<std::size_t>(place / 3) % 3]}, type),
                        {{"border", border}, {"radius", std::int64_t{radius}}},
                        std::to_string(width) + " " + io::nameOf(type) + " " + border + " r" + std::to_string(radius));
        }
    }
}

// Kernels that store four at a time are built for either type of output.
TEST_P(OnDevice, IntegersStoredAsFloats) {
    for (int place = 0; const auto type : {io::PixelType::u8, io::PixelType::u16}) {
        for (const std::int64_t radius : {1, 2, 3, 4, 5, 7}) {
            const auto& border = kBorders[static_cast<std::size_t>(++place) % kBorders.size()];
            if (skippedUnderSanitizer(place)) continue;
            expectAllOk(noise({67 + radius, 37, 1, 2}, type),
                        {{"border", border}, {"radius", radius}, {"output-type", std::string("f32")}},
                        std::string(io::nameOf(type)) + " r" + std::to_string(radius));
        }
    }
}

// In three dimensions a picture is a volume of one slice, whose kernels know no padding.
TEST_P(OnDevice, APictureInThreeDimensionsIsNotPadded) {
    for (const std::int64_t width : {33, 67, 70}) {
        for (const auto& border : kBorders) {
            expectAllOk(noise({width, 19}, io::PixelType::f32),
                        {{"dimensions", std::string("3")}, {"radius", std::int64_t{1}}, {"border", border}},
                        border + " " + std::to_string(width));
        }
    }
}

// What is padded has the bits of what is not, whichever part of a kernel makes a pixel.
TEST_P(OnDevice, PaddedRowsAreToldAndGiveTheSameBits) {
    const auto device = openDevice(GetParam());
    const auto matrix = std::string("0.1 0.2 0.3 0.2 0.1; 0 0 0 0 0; 0.01 0.02 0.03 0.02 0.01");
    for (int place = 0; const auto& border : kBorders) {
        for (const auto type : {io::PixelType::u8, io::PixelType::f32}) {
            if (skippedUnderSanitizer(place++)) continue;
            const auto what = border + ' ' + io::nameOf(type);
            const auto input = noise({67, 23, 1, 4}, type);
            auto request = requestFor(
                input, {{"filter", std::string("custom")}, {"matrix", matrix}, {"border", border}}, GetParam());
            request.variants = {"naive", "register_blocked", "streamed", "separable_streamed", "tensor_core"};
            const auto problem = familyOf("convolution").pose(input, request.parameters);
            const auto comparison = m_runner.run(request);
            ASSERT_EQ(comparison.runs.size(), 5U);
            EXPECT_EQ(comparison.runs.front().reason, "");
            for (const RunRecord& run : comparison.runs) {
                if (lacksCode(run)) continue;
                ASSERT_EQ(run.status, Status::ok) << what << describe(run);
                if (run.variant == "naive") continue;
                EXPECT_EQ(run.reason, "rows padded from 67 to 96 values on the device; layout is what that takes");
                // Where others bring the input and fetch the result, they lie as in the picture.
                Resident resident;
                resident.asItLies = true;
                const auto session = problem->open(*device, resident);
                const Variant& variant = variantOf(familyOf("convolution"), run.variant);
                session->prepare(variant, problem->resolved(variant, {}, device->info()));
                EXPECT_EQ(session->pitch(), 0);
                session->poisonOutput();
                session->launch();
                double layoutMs = 0, downloadMs = 0;
                const auto result = session->download(layoutMs, downloadMs).picture;
                // Of bytes as they lie the tensor cores' general kernel rounds weights otherwise.
                if (run.variant == "tensor_core" && type == io::PixelType::u8) continue;
                EXPECT_EQ(std::memcmp(result->data(), run.result.picture->data(), result->bytes()), 0)
                    << what << ' ' << run.variant;
            }
        }
    }
}

TEST_P(OnDevice, LongThinPictures) {
    const int length = kSanitized ? 7000 : 70000;  // more than 16 bits count
    expectAllOk(noise({length, 1}, io::PixelType::f32), {{"border", std::string("wrap")}}, "a row");
    expectAllOk(noise({1, length}, io::PixelType::f32), {{"border", std::string("reflect")}}, "a column");
}

TEST_P(OnDevice, ALargePicture) {
    if (GetParam() == "cpu") GTEST_SKIP() << "16384 x 16384 is for the GPU: the SIMT device would take minutes";
    auto request =
        requestFor(noise({16384, 16384}, io::PixelType::u8), {{"border", std::string("reflect")}}, GetParam());
    for (const Variant& variant : familyOf("convolution").variants()) {
        if (variant.kind == Variant::Kind::kernel) request.variants.push_back(variant.id);
    }
    const auto comparison = m_runner.run(request);
    ASSERT_EQ(comparison.runs.size(), request.variants.size());
    for (const auto& run : comparison.runs) {
        const bool refused = run.variant == "texture" && run.status == Status::unsupported;
        EXPECT_TRUE(run.status == Status::ok || lacksCode(run) || refused) << describe(run);
    }
}

TEST_P(OnDevice, EveryNamedFilter) {
    const Family& family = familyOf("convolution");
    for (const auto& parameter : family.parameters()) {
        if (parameter.id != "filter") continue;
        for (const auto& filter : parameter.choices) {
            for (const auto type : {io::PixelType::u8, io::PixelType::f32}) {
                expectAllOk(noise({50, 37, 1, 3}, type), {{"filter", filter}, {"angle", 30.0}}, filter);
            }
        }
    }
}

TEST_P(OnDevice, OddMatricesThatAreNotSquare) {
    for (const auto& [w, h] : std::vector<std::pair<int, int>>{
             {1, 1}, {1, 3}, {3, 1}, {5, 3}, {3, 7}, {63, 1}, {1, 63}, {63, 63}, {15, 15}}) {
        std::string matrix;
        for (int j = 0; j < h; ++j) {
            for (int i = 0; i < w; ++i) matrix += std::to_string(((i * 7 + j * 13) % 19) / 190.0) + " ";
            matrix += ";";
        }
        for (const auto& border : kBorders) {
            expectAllOk(noise({40, 23}, io::PixelType::f32),
                        {{"filter", std::string("custom")}, {"matrix", matrix}, {"border", border}},
                        border + " matrix " + std::to_string(w) + "x" + std::to_string(h));
        }
    }
}

// Strips, turns and rings of every length: sides that are no whole number of quads or turns, pictures of several
// strips.
TEST_P(OnDevice, WideSeparableFilters) {
    std::vector<std::string> separable;
    for (const Variant& variant : familyOf("convolution").variants()) {
        if (variant.id.starts_with("separable")) separable.push_back(variant.id);
    }
    for (int place = 0; const auto& [w, h] : std::vector<std::pair<int, int>>{
                            {1, 9}, {9, 1}, {11, 13}, {17, 17}, {23, 25}, {63, 5}, {5, 63}, {25, 15}, {63, 63}}) {
        ++place;
        std::string matrix;  // whole numbers, so that it is a product exactly
        for (int j = 0; j < h; ++j) {
            for (int i = 0; i < w; ++i) matrix += std::to_string((1 + i * 5 % 7) * (1 + j * 3 % 8)) + " ";
            matrix += ";";
        }
        for (int b = 0; const auto& border : kBorders) {
            ++b;
            for (int t = 0; const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
                if (skippedUnderSanitizer(place + b + ++t)) continue;
                auto request =
                    requestFor(noise({301, 97}, type),
                               {{"filter", std::string("custom")}, {"matrix", matrix}, {"border", border}}, GetParam());
                request.variants = separable;
                request.tunables = {{"rows_per_thread", 40}};
                for (const auto& run : m_runner.run(request).runs) {
                    ASSERT_EQ(run.status, Status::ok)
                        << border << ' ' << io::nameOf(type) << ' ' << w << 'x' << h << ": " << describe(run);
                    EXPECT_EQ(run.verification->checkedShare, 1.0);
                }
            }
        }
    }
}

TEST_P(OnDevice, VolumesGoSliceBySlice) {
    for (const auto& border : kBorders)
        expectAllOk(noise({19, 17, 5, 1}, io::PixelType::u16), {{"border", border}}, "volume " + border);
    expectAllOk(noise({9, 8, 3, 4}, io::PixelType::u8), {}, "volume with alpha");
}

TEST_P(OnDevice, NotANumberAndInfinityAgreeInClassAndPlace) {
    auto grid = noise({45, 39}, io::PixelType::f32);
    grid->setValue(7, 9, 0, 0, std::numeric_limits<double>::quiet_NaN());
    grid->setValue(30, 20, 0, 0, std::numeric_limits<double>::infinity());
    grid->setValue(0, 38, 0, 0, -std::numeric_limits<double>::infinity());
    grid->setValue(44, 0, 0, 0, 1e-40);
    for (const auto& border : kBorders) {
        for (const std::string filter : {"gaussian", "sobel_x", "laplacian4", "box"}) {
            auto request = requestFor(grid, {{"border", border}, {"filter", filter}}, GetParam());
            const auto comparison = m_runner.run(request);
            for (const auto& run : comparison.runs) {
                // OpenCV is held to its own definition; here it is our kernels that must agree.
                if (run.kind == Variant::Kind::kernel && run.status != Status::unsupported) {
                    EXPECT_EQ(run.status, Status::ok) << filter << " " << border << ": " << describe(run);
                }
            }
        }
    }
}

TEST_P(OnDevice, IntegerResultsSaturateAndTakeAnOffset) {
    expectAllOk(noise({40, 30}, io::PixelType::u8),
                {{"filter", std::string("sharpen")}, {"amount", 5.0}, {"output-type", std::string("same")}},
                "saturating");
    expectAllOk(noise({40, 30}, io::PixelType::u8), {{"filter", std::string("emboss")}, {"offset", 128.0}}, "offset");
    expectAllOk(noise({40, 30}, io::PixelType::u16),
                {{"filter", std::string("sobel_x")}, {"output-type", std::string("f32")}}, "f32");
}

// A pixel is made by a thread away from the border, by the frame's, or where rows are short by blocks for any width:
// windows that lie inside the picture give the same bits, where sums begin with the offset as where they end with it.
TEST_P(OnDevice, APixelsBitsDoNotTellWhoMadeIt) {
    constexpr std::int64_t kWide = 150, kHigh = 70;
    for (const auto type : {io::PixelType::u8, io::PixelType::u16, io::PixelType::f32}) {
        const auto input = noise({kWide, kHigh}, type);
        for (const std::int64_t radius : {1, 2, 5}) {
            for (const std::string variant : {"register_blocked", "streamed", "separable_streamed"}) {
                const auto made = [&](const std::shared_ptr<const io::Grid>& picture) {
                    auto request =
                        requestFor(picture, {{"radius", radius}, {"offset", 3.7}, {"output-type", std::string("f32")}},
                                   GetParam());
                    request.variants = {variant};
                    const auto run = m_runner.run(request).runs.front();
                    EXPECT_EQ(run.status, Status::ok) << describe(run);
                    return run.result.picture;
                };
                const auto whole = made(input);
                for (const auto& [x, y, width, height] :
                     {std::array<std::int64_t, 4>{37, 21, 80, 40}, {61, 3, 17, 60}}) {
                    const auto part = made(std::make_shared<io::Grid>(io::crop(*input, x, y, width, height)));
                    ASSERT_TRUE(whole && part);
                    for (std::int64_t j = radius; j < height - radius; ++j)
                        for (std::int64_t i = radius; i < width - radius; ++i)
                            ASSERT_EQ(part->value(i, j), whole->value(x + i, y + j))
                                << variant << ' ' << io::nameOf(type) << " radius " << radius << " at " << x + i << ", "
                                << y + j << " of " << width << " columns";
                }
            }
        }
    }
}

TEST_P(OnDevice, EveryTunableOfEveryVariant) {
    const auto input = noise({150, 131}, io::PixelType::f32);
    const std::vector<std::pair<int, int>> shapes{{8, 8}, {16, 16}, {32, 4}, {64, 16}, {33, 7}, {128, 1}, {13, 11}};
    for (int place = 0; const Variant& variant : familyOf("convolution").variants()) {
        if (variant.kind == Variant::Kind::portable) continue;
        ++place;
        // Each turn gives every tunable a value: of its choices, or of a shape.
        for (std::size_t turn = 0; turn < shapes.size(); ++turn) {
            TunableValues chosen;
            for (const auto& tunable : variant.tunables) {
                const auto& [width, height] = shapes[turn];
                chosen[tunable.id] = !tunable.choices.empty()       ? tunable.choices[turn % tunable.choices.size()]
                                     : tunable.id == "block_width"  ? width
                                     : tunable.id == "block_height" ? height
                                                                    : width - 7;
            }
            for (int r = 0; const int radius : {2, 4, 5}) {
                if (skippedUnderSanitizer(place + static_cast<int>(turn) + r++)) continue;
                auto request = requestFor(input, {{"radius", std::int64_t{radius}}, {"border", std::string("reflect")}},
                                          GetParam());
                request.variants = {variant.id};
                request.tunables = chosen;
                const auto run = m_runner.run(request).runs.front();
                if (run.status == Status::unsupported)
                    EXPECT_FALSE(run.reason.empty());
                else
                    EXPECT_EQ(run.status, Status::ok) << "turn " << turn << ": " << describe(run);
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Convolution, OnDevice, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
