// SPDX-License-Identifier: Apache-2.0
// Every row on every device: each task of each type, number of channels and output; every remainder of a pack; and
// values that were worked out by hand.
#include "gpu/core/error.hpp"
#include "tests/support/family_on_device.hpp"

#include <gmock/gmock.h>

namespace warplens::gpu::testing {
namespace {

using io::PixelType;
using ::testing::HasSubstr;

Parameter::Value text(const char* value) { return std::string(value); }

Parameter::Value pictureOf(std::shared_ptr<const io::Grid> grid) {
    return std::make_shared<const NamedGrid>(NamedGrid{"second", std::move(grid)});
}

const std::vector<std::string>& tasks() {
    const auto& all = familyOf("elementwise").parameters();
    return std::ranges::find(all, "task", &Parameter::id)->choices;
}

class Elementwise : public FamilyOnDevice {
protected:
    Elementwise() : FamilyOnDevice("elementwise") {}

    /// The rows that are ok for a task, with a second picture where it takes one.
    std::set<std::string> okOf(const io::Shape& shape, PixelType type, ParameterValues values) {
        values.emplace("with", pictureOf(noise(shape, type, 7)));
        std::string what = std::to_string(shape.width) + "x" + std::to_string(shape.height) + " " + io::nameOf(type);
        for (const auto& [id, value] : values) what += " " + id + "=" + format(value);
        return expectAllOk(noise(shape, type, 3), values, what);
    }

    /// What the first row makes of a row of values, by whichever rows take it.
    void expectMade(const ParameterValues& values, PixelType type, const std::vector<double>& from,
                    const std::vector<double>& expected, const std::vector<double>& with = {}, int channels = 1) {
        const auto gridOf = [&](const std::vector<double>& all) {
            auto grid = std::make_shared<io::Grid>(
                io::Shape{static_cast<std::int64_t>(all.size()) / channels, 1, 1, channels}, type);
            for (std::size_t i = 0; i < all.size(); ++i)
                grid->setValue(static_cast<std::int64_t>(i) / channels, 0, 0, static_cast<int>(i) % channels, all[i]);
            return grid;
        };
        ParameterValues given = values;
        if (!with.empty()) given["with"] = pictureOf(gridOf(with));
        int rows = 0;
        for (const auto& run : m_runner.run(requestOf(gridOf(from), given)).runs) {
            if (run.status == Status::unsupported) continue;
            ASSERT_EQ(run.status, Status::ok) << describe(run);
            const io::Grid& made = *run.result.picture;
            const auto outputs = static_cast<std::size_t>(made.shape().channels);
            for (std::size_t i = 0; i < expected.size(); ++i)
                EXPECT_NEAR(made.value(static_cast<std::int64_t>(i / outputs), 0, 0, static_cast<int>(i % outputs)),
                            expected[i], 1e-6)
                    << run.variant << ' ' << format(values.begin()->second) << ' ' << i;
            ++rows;
        }
        EXPECT_GE(rows, 4);
    }
};

TEST_P(Elementwise, EveryTaskTypeAndNumberOfChannels) {
    for (const std::string& task : tasks()) {
        const bool needsColour = task == "white-balance" || task == "saturation" || task == "channel";
        const auto expectRows = [&](const io::Shape& shape, PixelType type, ParameterValues values) {
            values.emplace("task", task);
            values.emplace("red", 1.3);
            values.emplace("black", 10.0);
            values.emplace("midtones", 1.7);
            const auto ok = okOf(shape, type, values);
            for (const char* id : {"naive", "grid_stride", "consecutive", "coarsened", "vectorised"})
                EXPECT_TRUE(ok.contains(id)) << task << ' ' << id;
        };
        if (!needsColour) {
            expectRows({37, 5}, PixelType::f32, {});
            expectRows({16, 4}, PixelType::u8, {});
            expectRows({9, 7, 3}, PixelType::u16, {});
        }
        expectRows({19, 5, 1, 3}, PixelType::u8, {});
        expectRows({16, 4, 1, 3}, PixelType::f32, {});
        expectRows({13, 5, 1, 4}, PixelType::u16, {});
        expectRows({16, 3, 1, 4}, PixelType::u8, {{"alpha", text("filter")}});
    }
}

TEST_P(Elementwise, EveryOutputTypeAndConversion) {
    for (const char* output : {"u8", "u16", "f32"})
        for (const char* conversion : {"values", "range"})
            for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32})
                for (const char* task : {"copy", "gamma", "saturation"})
                    okOf({17, 3, 1, 4}, type,
                         {{"task", text(task)}, {"output-type", text(output)}, {"conversion", text(conversion)}});
}

TEST_P(Elementwise, EveryRemainderOfAPack) {
    for (std::int64_t width = 1; width <= 33; ++width) {
        okOf({width, 1}, PixelType::u8, {{"task", text("invert")}});
        okOf({width, 1, 1, 3}, PixelType::u8, {{"task", text("white-balance")}, {"green", 0.7}});
        okOf({1, width}, width % 2 == 0 ? PixelType::u16 : PixelType::f32, {{"task", text("axpy")}, {"gain", -0.5}});
    }
}

// Those that move channels have packs of a channel which begin elsewhere in another, and pairs of another form.
TEST_P(Elementwise, EveryChannelTakenAndReplaced) {
    for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32})
        for (const char* channel : {"red", "green", "blue", "alpha"})
            for (const std::int64_t width : {15, 16}) {
                const io::Shape shape{width, 3, 1, 4};
                okOf(shape, type, {{"task", text("channel")}, {"channel", text(channel)}});
                const ParameterValues replaced{{"task", text("replace-channel")}, {"channel", text(channel)}};
                okOf(shape, type, replaced);
                ParameterValues grey = replaced;
                grey["with"] = pictureOf(noise({width, 3}, type, 9));
                grey["output-type"] = text("f32");
                okOf(shape, type, grey);
                if (std::string(channel) != "alpha") okOf({width, 3}, type, replaced);
            }
}

TEST_P(Elementwise, EveryNumberOfPointsOfACurve) {
    std::string points = "0,100";
    for (int k = 1; k < 16; ++k) {
        points += ';' + std::to_string(6.5 * k) + ',' + std::to_string(k % 3 == 0 ? 10 * k : 90 - 5 * k);
        for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f32})
            okOf({13, 5, 1, 1 + k % 2 * 3}, type, {{"task", text("curves")}, {"points", text(points.c_str())}});
    }
}

TEST_P(Elementwise, EveryTunable) {
    for (const Variant& variant : familyOf("elementwise").variants())
        for (const Tunable& tunable : variant.tunables)
            for (const int value : tunable.choices.empty() ? std::vector<int>{1, 3, 32} : tunable.choices)
                EXPECT_FALSE(expectAllOk(noise({67, 13}, PixelType::u8), {{"task", text("gamma")}}, tunable.id,
                                         {variant.id}, {{tunable.id, value}})
                                 .empty());
}

TEST_P(Elementwise, ValuesWorkedOutByHand) {
    using Values = std::vector<double>;
    const auto task = [](const char* id, ParameterValues more = {}) {
        more["task"] = text(id);
        return more;
    };
    const Values bytes{0, 1, 100, 128, 200, 255};
    expectMade(task("invert"), PixelType::u8, bytes, {255, 254, 155, 127, 55, 0});
    expectMade(task("invert"), PixelType::u16, {0, 65535, 5}, {65535, 0, 65530});
    expectMade(task("invert"), PixelType::f32, {0.25, 1, 3}, {0.75, 0, -2});
    expectMade(task("exposure"), PixelType::u8, bytes, {0, 2, 200, 255, 255, 255});
    expectMade(task("exposure", {{"stops", -2.0}}), PixelType::f32, {1, 10}, {0.25, 2.5});
    // Halves go to the even neighbour.
    expectMade(task("scale", {{"gain", 0.5}}), PixelType::u8, {1, 3, 5, 7}, {0, 2, 2, 4});
    // 255 (128 / 255)^(1 / 2.2) = 186.4
    expectMade(task("gamma"), PixelType::u8, bytes, {0, 21, 167, 186, 228, 255});
    // 20 % of 255 is 51, 80 % is 204: 100 becomes 255 x 49 / 153 = 81.7.
    expectMade(task("levels", {{"black", 20.0}, {"white", 80.0}}), PixelType::u8, bytes, {0, 0, 82, 128, 248, 255});
    // By scipy.interpolate.PchipInterpolator, which takes the same slopes.
    expectMade(task("curves"), PixelType::u8, bytes, {0, 1, 92, 128, 212, 255});
    const ParameterValues steep{{"points", text("10,5; 20,60; 50,30; 60,31; 61,90; 90,95")}};
    expectMade(task("curves", steep), PixelType::u8,
               {0, 25, 26, 40, 51, 80, 127, 140, 153, 154, 155, 156, 200, 229, 230, 255},
               {13, 13, 16, 116, 153, 128, 77, 77, 79, 130, 211, 230, 241, 242, 242, 242});
    expectMade(task("curves", steep), PixelType::f32, {-1, 0.15, 0.2, 0.35, 0.605, 0.75, 2},
               {0.05, 0.4140625, 0.6, 0.45, 0.6047205, 0.94235225, 0.95});
    expectMade(task("curves", {{"points", text("0,100;100,0")}}), PixelType::u16, {0, 65535, 5}, {65535, 0, 65530});
    expectMade(task("channel", {{"channel", text("blue")}}), PixelType::u8, {1, 2, 3, 4, 5, 6}, {3, 6}, {}, 3);
    expectMade(task("colour"), PixelType::u16, {300, 7}, {300, 300, 300, 7, 7, 7});
    expectMade(task("replace-channel", {{"channel", text("green")}}), PixelType::u8, {1, 2, 3}, {1, 9, 3}, {8, 9, 10},
               3);
    expectMade(task("replace-channel", {{"channel", text("green")}}), PixelType::f32, {1, 2}, {1, 8, 1, 2, 9, 2},
               {8, 9});
    expectMade(task("clip", {{"black", 20.0}, {"white", 80.0}}), PixelType::u8, {0, 60, 250}, {51, 60, 204});
    expectMade(task("threshold"), PixelType::u8, {0, 127, 128, 255}, {0, 0, 255, 255});
    expectMade(task("threshold"), PixelType::f32, {0.5, 0.51, -1}, {0, 1, 0});
    expectMade(task("threshold", {{"threshold-by", text("mean")}}), PixelType::u16, {0, 10, 20, 250}, {0, 0, 0, 65535});
    expectMade(task("absolute"), PixelType::f32, {-2, 3}, {2, 3});
    expectMade(task("white-balance", {{"red", 2.0}, {"blue", 0.5}}), PixelType::u8, {10, 20, 31}, {20, 20, 16}, {}, 3);
    // 0.2126 x 100 + 0.7152 x 50 + 0.0722 x 200 = 71.46
    expectMade(task("grey"), PixelType::u8, {100, 50, 200}, {71}, {}, 3);
    expectMade(task("saturation", {{"saturation", 0.0}}), PixelType::u8, {100, 50, 200}, {71, 71, 71}, {}, 3);
    expectMade(task("saturation", {{"saturation", 2.0}}), PixelType::u8, {100, 50, 200}, {129, 29, 255}, {}, 3);
    const Values a{200, 100, 10, 9}, b{100, 100, 20, 0};
    expectMade(task("add"), PixelType::u8, a, {255, 200, 30, 9}, b);
    expectMade(task("subtract"), PixelType::u8, a, {100, 0, 0, 9}, b);
    expectMade(task("subtract"), PixelType::f32, a, {100, 0, -10, 9}, b);
    expectMade(task("multiply", {{"gain", 0.01}}), PixelType::u8, a, {200, 100, 2, 0}, b);
    expectMade(task("divide", {{"gain", 10.0}}), PixelType::u8, a, {20, 10, 5, 0}, b);
    expectMade(task("minimum"), PixelType::u8, a, {100, 100, 10, 0}, b);
    expectMade(task("maximum"), PixelType::u8, a, {200, 100, 20, 9}, b);
    expectMade(task("difference"), PixelType::u8, a, {100, 0, 10, 9}, b);
    expectMade(task("blend", {{"opacity", 0.25}}), PixelType::u8, a, {175, 100, 12, 7}, b);
    expectMade(task("axpy", {{"gain", -1.0}}), PixelType::f32, a, {-100, 0, 10, -9}, b);
    const ParameterValues words{{"output-type", text("u16")}, {"conversion", text("range")}};
    expectMade(task("copy", words), PixelType::u8, {0, 1, 255}, {0, 257, 65535});
    expectMade(task("copy", {{"output-type", text("u8")}}), PixelType::u16, {0, 300, 77}, {0, 255, 77});
    expectMade(task("invert"), PixelType::u8, {1, 2, 3, 4}, {254, 253, 252, 4}, {}, 4);
}

TEST(ElementwiseTasks, RefuseWhatTheyCannotDo) {
    const Family& family = familyOf("elementwise");
    const auto whyNot = [&](const std::shared_ptr<const io::Grid>& input, const ParameterValues& values) {
        try {
            static_cast<void>(family.pose(input, values));
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const auto grey = noise({5, 4}, PixelType::u8);
    EXPECT_THAT(whyNot(grey, {{"task", text("add")}}), HasSubstr("second picture"));
    EXPECT_THAT(whyNot(grey, {{"task", text("add")}, {"with", pictureOf(noise({4, 4}, PixelType::u8))}}),
                HasSubstr("other extents"));
    EXPECT_THAT(whyNot(grey, {{"task", text("add")}, {"with", pictureOf(noise({5, 4}, PixelType::f32))}}),
                HasSubstr("another type"));
    EXPECT_THAT(whyNot(grey, {{"task", text("saturation")}}), HasSubstr("one channel"));
    EXPECT_THAT(whyNot(grey, {{"task", text("channel")}}), HasSubstr("one channel"));
    EXPECT_THAT(whyNot(noise({5, 4, 1, 3}, PixelType::u8), {{"task", text("channel")}, {"channel", text("alpha")}}),
                HasSubstr("no alpha"));
    for (const char* points : {"", "0,0", "0,0;1", "0,0;0,1", "5,0;4,1", "0,0;x,1", "0,0;nan,1", "0,0;1e9,1"})
        EXPECT_THAT(whyNot(grey, {{"task", text("curves")}, {"points", text(points)}}), HasSubstr("points: "))
            << points;
    EXPECT_THAT(whyNot(grey, {{"task", text("levels")}, {"black", 100.0}}), HasSubstr("above black"));
}

INSTANTIATE_TEST_SUITE_P(Elementwise, Elementwise, kDevices, nameOfDevice);

}  // namespace
}  // namespace warplens::gpu::testing
