// SPDX-License-Identifier: Apache-2.0
// Figures that a family works out for the window are those that the CPU would show.
#include "gui/session/served_figures.hpp"

#include "gpu/core/error.hpp"
#include "gpu/run/service.hpp"
#include "gui/compare/difference_panel.hpp"
#include "gui/lenses/histogram/histogram_jobs.hpp"
#include "io/generate.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QLabel>
#include <QTableWidget>
#include <cmath>
#include <limits>
#include <utility>

namespace warplens::gui::test {
namespace {

std::shared_ptr<const io::Grid> pictureOf(const std::string& text) {
    return std::make_shared<const io::Grid>(io::generate(text));
}

/// The emulated device, on which each kernel can be named.
gpu::DeviceInfo emulated() { return *gpu::listDevices().find("cpu"); }

gpu::Request onKernel(gpu::Request request) {
    request.variants = {"fused"};
    return request;
}

void alike(const gpu::histogram::Statistics& a, const gpu::histogram::Statistics& b, const std::string& what) {
    EXPECT_EQ(a.count, b.count) << what;
    EXPECT_EQ(a.finite, b.finite) << what;
    EXPECT_EQ(a.nan, b.nan) << what;
    EXPECT_EQ(a.minimum, b.minimum) << what;
    EXPECT_EQ(a.maximum, b.maximum) << what;
    EXPECT_NEAR(a.mean, b.mean, 1e-6 * std::abs(b.mean)) << what;
    EXPECT_NEAR(a.deviation, b.deviation, 1e-6 * b.deviation) << what;
}

TEST(ServedFigures, AreThoseOfTheCpuOfEveryPictureAndRegion) {
    gpu::Runner runner;
    for (const std::string type : {"u8", "u16", "f32"})
        for (const std::string channels : {"", ":c=3", ":c=4"})
            for (const std::string region : {"", "3,5,20,17"}) {
                const std::string what = type + channels + " " + region;
                const HistogramInput input{pictureOf("gen:noise:45x37:" + type + channels + ":seed=3"),
                                           {{"region", region}}};
                FigureWork counted(input), served(input);
                counted.count({});
                const auto request = gpu::serviceRequest(gpu::Service::statistics, {}, served.values(), emulated());
                ASSERT_TRUE(served.serve(runner, onKernel(request), {})) << what;
                ASSERT_EQ(served.figures().channels.size(), counted.figures().channels.size());
                EXPECT_TRUE(served.figures().by.endsWith("not checked yet")) << served.figures().by.toStdString();
                EXPECT_TRUE(served.figures().by.startsWith("fused on cpu")) << served.figures().by.toStdString();
                for (std::size_t c = 0; c < counted.figures().channels.size(); ++c) {
                    alike(served.figures().channels[c].figures, counted.figures().channels[c].figures, what);
                    EXPECT_FALSE(served.figures().channels[c].ranked) << what;
                }
                served.count({});
                served.check(runner, {});
                EXPECT_TRUE(served.figures().by.contains("checked; percentiles on the CPU"))
                    << served.figures().by.toStdString();
                for (std::size_t c = 0; c < counted.figures().channels.size(); ++c) {
                    alike(served.figures().channels[c].figures, counted.figures().channels[c].figures, what);
                    EXPECT_EQ(served.figures().channels[c].figures.median,
                              counted.figures().channels[c].figures.median);
                    EXPECT_TRUE(served.figures().channels[c].ranked) << what;
                }
            }
}

TEST(ServedFigures, InfinitiesAreLeftToTheCpu) {
    auto grid = io::generate("gen:noise:16x16:f32");
    grid.setValue(3, 4, 0, 0, std::numeric_limits<double>::infinity());
    FigureWork work({std::make_shared<const io::Grid>(std::move(grid)), {}});
    gpu::Runner runner;
    const auto request = gpu::serviceRequest(gpu::Service::statistics, {}, work.values(), emulated());
    EXPECT_FALSE(work.serve(runner, onKernel(request), {}));
    work.count({});
    work.check(runner, {});
    EXPECT_EQ(work.figures().channels[0].figures.positiveInfinity, 1);
    EXPECT_TRUE(std::isfinite(work.figures().channels[0].figures.mean));
    EXPECT_TRUE(work.figures().by.startsWith("on the CPU, measured ")) << work.figures().by.toStdString();
    EXPECT_TRUE(work.figures().by.endsWith("infinities are left out")) << work.figures().by.toStdString();
}

TEST(ServedFigures, OfADifferenceAreThoseOfTheCpu) {
    gpu::Runner runner;
    for (const std::string type : {"u8", "u16", "f32"})
        for (const std::string channels : {"", ":c=3"}) {
            const auto a = pictureOf("gen:noise:45x37:" + type + channels + ":seed=3");
            const auto b = pictureOf("gen:noise:45x37:" + type + channels + ":seed=4");
            const auto served = servedDifference(gpu::serve(runner, onKernel(differenceRequest({a, b}, emulated()))));
            ASSERT_TRUE(served.has_value());
            const DifferenceFigures all = differenceOf(*a, *b, Metric::absolute, Region::all, {}).figures[0];
            EXPECT_NEAR(served->rmse, all.rmse, 1e-6 * all.rmse) << type << channels;
            EXPECT_NEAR(served->largest, all.maximum, 1e-6 * all.maximum) << type << channels;
            EXPECT_NEAR(served->mean, all.mean, 1e-6 * all.mean) << type << channels;
            if (type != "f32" || channels.empty()) {  // channels of floats have spans of their own
                EXPECT_NEAR(served->psnr, *all.psnr, 1e-4) << type << channels;
            }
            const auto same = servedDifference(gpu::serve(runner, onKernel(differenceRequest({a, a}, emulated()))));
            EXPECT_TRUE(std::isinf(same->psnr));
        }
}

TEST(ServedFigures, OfARangeAreThoseOfTheCpu) {
    gpu::Runner runner;
    const auto served = [&](const std::shared_ptr<const io::Grid>& picture) {
        StatisticsRequests asked(picture, emulated());
        asked.statistics.variants = {"fused"};
        asked.quantiles.variants = {"vectorised"};
        return asked.served(runner);
    };
    for (const std::string text : {"gen:noise:45x37:u8", "gen:noise:70x50:u16:seed=5", "gen:noise:40x50:f32:seed=2"}) {
        auto grid = io::generate(text);
        if (grid.type() == io::PixelType::f32)
            for (int x = 0; x < 40; x += 3) grid.setValue(x, 7, 0, 0, std::numeric_limits<double>::quiet_NaN());
        const auto picture = std::make_shared<const io::Grid>(std::move(grid));
        const auto made = served(picture);
        const PictureStatistics cpu = statisticsOf(*picture);
        ASSERT_TRUE(made.has_value()) << text;
        EXPECT_EQ(made->minimum, cpu.minimum) << text;
        EXPECT_EQ(made->maximum, cpu.maximum) << text;
        EXPECT_EQ(made->low, cpu.low) << text;
        EXPECT_EQ(made->high, cpu.high) << text;
        EXPECT_EQ(made->finite, cpu.finite) << text;
        EXPECT_EQ(made->nonFinite, cpu.nonFinite) << text;
        EXPECT_TRUE(made->by.startsWith("vectorised on cpu, measured ")) << made->by.toStdString();
    }
    auto grid = io::generate("gen:noise:16x16:f32");
    grid.setValue(3, 4, 0, 0, std::numeric_limits<double>::infinity());
    EXPECT_FALSE(served(std::make_shared<const io::Grid>(std::move(grid))));
}

TEST(ServedFigures, AreLeftToTheCpuWhereItIsTheOnlyDevice) {
    gpu::Runner runner;
    const auto a = pictureOf("gen:noise:32x32:u8");
    EXPECT_FALSE(serveStatistics(runner, emulated(), a, {}));
    EXPECT_FALSE(serveStatistics(runner, std::nullopt, a, {}));
    EXPECT_FALSE(serveDifference(runner, emulated(), {a, a}, {}));
    EXPECT_FALSE(serveDifference(runner, std::nullopt, {a, a}, {}));
}

TEST(ServedFigures, OfADifferenceStandBeforeItsPictureIsThere) {
    DifferenceModel model;
    DifferencePanel panel(model);
    model.setMetric(Metric::absolute);
    model.setServe([](const DifferenceModel::Pictures&, const std::stop_token&) {
        return ServedDifference{.rmse = 12.5, .psnr = 30.25, .largest = 77, .mean = 3.5, .by = "fused on cuda:0"};
    });
    QStringList early;
    QObject::connect(&model, &DifferenceModel::changed, &panel, [&] {
        const auto* table = panel.findChild<QTableWidget*>();
        if (model.difference() != nullptr || model.served() == nullptr) return;
        for (int row = 0; row < 4; ++row) early << table->item(row, 0)->text();
        early << table->item(0, 0)->toolTip();
    });
    const auto a = pictureOf("gen:noise:64x64:u8"), b = pictureOf("gen:noise:64x64:u8:seed=9");
    model.setPictures(a, b, {});
    ASSERT_TRUE(QTest::qWaitFor([&] { return model.difference() != nullptr; }, kPatienceMs));
    EXPECT_EQ(early.join('|'), "77|3.50|12.5|30.3|fused on cuda:0") << early.join('|').toStdString();
}

class ServedFiguresTest : public WindowTest {};

TEST_F(ServedFiguresTest, TheDockSaysWhatComputedThem) {
    chooseFamily("histogram");
    window->pages()->setCurrent(window->pages()->page("histogram"));
    open("gen:noise:48x48:u8");
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return window->findChild<QLabel*>("statistics-by") != nullptr; }, kPatienceMs));
    EXPECT_TRUE(find<QLabel>("statistics-by")->text().startsWith("on the CPU, measured "));
}

}  // namespace
}  // namespace warplens::gui::test
