// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/sparse/matrix_views.hpp"
#include "gui/lenses/sparse/products_view.hpp"
#include "gui/lenses/sparse/solve_chart.hpp"
#include "gui/lenses/sparse/source_layer.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

namespace sparse = gpu::sparse;

/// 34 unknowns of a picture of 12 x 6: a full block of 8 x 4 in its middle, two pixels by themselves.
std::shared_ptr<const sparse::MatrixRows> blockOfUnknowns() {
    auto mask = std::make_shared<io::Grid>(io::Shape{12, 6}, io::PixelType::u8);
    auto picture = std::make_shared<io::Grid>(io::Shape{12, 6}, io::PixelType::u8);
    for (int y = 0; y < 6; ++y)
        for (int x = 0; x < 12; ++x) {
            const bool block = x >= 2 && x < 10 && y >= 1 && y < 5, alone = (x == 0 || x == 11) && y == 0;
            mask->setValue(x, y, 0, 0, block || alone ? 255 : 0);
            picture->setValue(x, y, 0, 0, 10 * x);
        }
    return std::make_shared<const sparse::MatrixRows>(sparse::matrixRows(
        picture,
        {{"task", std::string("product")}, {"mask", std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{"m", mask})}},
        {}));
}

// Counted by hand: rows 0 and 1 stand alone; of the block's 32 rows 12 lie inside, 16 at an edge, 4 in a corner.
TEST(FormatsView, SaysWhatTheFirstWarpTakes) {
    const auto rows = blockOfUnknowns();
    ASSERT_EQ(rows->count(), 34);
    const std::unique_ptr<WarpRowsView> made{makeFormatsView()};
    WarpRowsView& view = *made;
    view.resize(480, 560);
    view.setRows(rows, 0, 32, 0);
    // Without the block's last two rows: an edge's and a corner's.
    const int nonzeros = 2 + 12 * 5 + 15 * 4 + 3 * 3;
    ASSERT_EQ(nonzeros, 131);
    const QStringList said = view.spoken().split('\n');
    ASSERT_EQ(said.size(), 7);
    EXPECT_EQ(said[0], "coo: row, column, value of every nonzero; 12.0 per nonzero, 1,572 bytes (counted)");
    EXPECT_EQ(said[1], "csr: row starts, columns, values; 9.0 per nonzero, 1,180 bytes (counted)");
    EXPECT_EQ(said[2], "ell: every row as long as the longest: 29 padded; 9.8 per nonzero, 1,280 bytes (counted)");
    EXPECT_EQ(said[3], "sliced_ell: as long as the longest of 32: 29 padded; 9.8 per nonzero, 1,288 bytes (counted)");
    // A third of 34 rows have five nonzeros.
    EXPECT_EQ(said[4], "hybrid: 5 per row, 0 in a COO tail, 29 padded; 9.8 per nonzero, 1,280 bytes (counted)");
    EXPECT_EQ(said[5], "diagonals: the unknowns of a mask do not lie on a few diagonals");
    EXPECT_EQ(said[6], "matrix_free: rows computed from the pixel's position; 0 bytes (counted)");
    EXPECT_EQ(view.accessibleDescription(), view.spoken());
}

TEST(FormatsView, TheRowUnderTheMouseIsChosen) {
    const auto rows = blockOfUnknowns();
    const std::unique_ptr<WarpRowsView> made{makeFormatsView()};
    WarpRowsView& view = *made;
    view.resize(480, 560);
    view.setRows(rows, 0, 32, 5);
    view.show();
    QSignalSpy chosen(&view, &WarpRowsView::rowChosen);
    const QImage before = view.grab().toImage();
    // Every strip gives its row: down the middle of the 20th of 32 places.
    std::set<int> found;
    for (int y = 0; y < view.height(); y += 3) {
        QTest::mouseClick(&view, Qt::LeftButton, {}, {12 + 456 * 39 / 64, y});
        while (!chosen.isEmpty()) found.insert(chosen.takeFirst().front().toInt());
    }
    EXPECT_TRUE(found.contains(19)) << "of ELL, its slices and hybrid";
    EXPECT_GE(found.size(), 2U) << "of coordinates and rows another";
    QTest::keyClick(&view, Qt::Key_Right);
    ASSERT_FALSE(chosen.isEmpty());
    EXPECT_EQ(chosen.takeFirst().front().toInt(), 6);
    view.setRows(rows, 0, 32, 20);
    EXPECT_NE(view.grab().toImage(), before);
}

TEST(SolveChart, TheTitleOfItsAxisIsNeverCut) {
    SolveChart chart;
    bool brief = false, whole = false;
    for (int width = chart.minimumSizeHint().width(); width <= 600; width += 10) {
        chart.resize(width, 300);
        const QString title = chart.axisTitle();
        EXPECT_LE(QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(title), chart.area().width()) << width;
        (title.contains("matrix") ? whole : brief) = true;
    }
    EXPECT_TRUE(brief && whole);
}

TEST(LanesView, SaysHowManyLaneStepsWork) {
    const auto rows = blockOfUnknowns();
    const std::unique_ptr<WarpRowsView> made{makeLanesView()};
    WarpRowsView& view = *made;
    view.resize(480, 300);
    view.setRows(rows, 0, 32, 0);
    EXPECT_EQ(view.spoken(),
              "csr_scalar, one thread per row: 131 of 160 lane steps work, 82 % (counted)\n"
              "csr_vector, one warp per row, 32 rows in turn: 131 of 1,024 lane steps work, 13 % (counted)");
    EXPECT_FALSE(view.grab().isNull());
    // The two rows that are left: an edge's and a corner's.
    view.setRows(rows, 32, 2, 33);
    EXPECT_TRUE(view.spoken().contains("7 of 128 lane steps work")) << view.spoken().toStdString();
    EXPECT_FALSE(view.grab().isNull());
}

gpu::Report productsOf(int side, const std::string& matrix, const std::vector<std::pair<std::string, double>>& runs) {
    gpu::Report report;
    report.family = "sparse";
    report.environment.date = "2026-01-31T12:00:00Z";
    report.input.shape = {side, side};
    report.input.type = "f32";
    report.parameters = {{"task", std::string("product")}, {"matrix", matrix}};
    report.device.name = "NVIDIA H200";
    report.limits = gpu::Limits{.copyGbs = 4000};
    report.work.bytesRead = report.work.bytesWritten = std::int64_t{4} * side * side;
    for (const auto& [variant, ms] : runs) {
        gpu::ReportRun run;
        run.record.family = "sparse";
        run.record.variant = variant;
        run.record.time = gpu::Timing{.clock = gpu::Clock::device, .medianMs = ms};
        report.runs.push_back(run);
    }
    return report;
}

TEST(ProductsView, HasTheFastestOfEachFormatBesideAReadAndAWrite) {
    const gpu::Report small = productsOf(1000, "laplacian", {{"coo", 9}});
    gpu::Report masked = productsOf(9001, "laplacian", {{"coo", 5}}), bytes = masked;
    masked.parameters["mask"] = std::string("mask.png");
    bytes.input.type = "u8";
    const gpu::RecordedRuns runs(
        {small,
         productsOf(8000, "laplacian",
                    {{"coo", 2.0}, {"csr_scalar", 0.9}, {"csr_stream", 0.8}, {"matrix_free", 0.14}, {"cusparse", 1.2}}),
         productsOf(9000, "filter", {{"coo", 5}}), masked, bytes});
    ProductsView view;
    view.resize(420, 200);
    EXPECT_EQ(view.spoken(), "");
    EXPECT_EQ(recordedProducts(runs, gpu::RecordedTask(productsOf(1, "diffusion", {}))), nullptr);
    const gpu::Report* largest = recordedProducts(runs, gpu::RecordedTask(small));
    ASSERT_EQ(largest, &runs.all()[1]) << "the largest picture of this type without a mask";
    const QImage before = view.grab().toImage();
    view.setReport(largest);
    EXPECT_EQ(view.source(), "NVIDIA H200, 8,000 × 8,000 f32, 31 Jan 2026");
    EXPECT_EQ(view.spoken(),
              "coo by coo: 2.00 ms (recorded)\ncsr by csr_stream: 0.800 ms (recorded)\n"
              "matrix_free by matrix_free: 0.140 ms (recorded)\ncuSPARSE by cusparse: 1.20 ms (recorded)\n"
              "the picture read once and written once: 0.128 ms (modelled)");
    EXPECT_NE(view.grab().toImage(), before);
    // What failed, or ran on another clock, stands for nothing.
    gpu::Report partly = *largest;
    partly.runs[2].record.status = gpu::Status::wrong;
    partly.runs[3].record.time->clock = gpu::Clock::simulated;
    view.setReport(&partly);
    EXPECT_TRUE(view.spoken().contains("csr by csr_scalar: 0.900 ms")) << view.spoken().toStdString();
    EXPECT_FALSE(view.spoken().contains("matrix_free"));
}

TEST(UnknownsOverlay, SaysWhatARowIs) {
    const auto rows = blockOfUnknowns();
    UnknownsOverlay overlay;
    const auto text = [&](int row) {
        overlay.setRows(rows, 0, 32, row);
        return overlay.rowText().toStdString();
    };
    EXPECT_EQ(text(0), "row 0: 2 × itself − 0 neighbours; dashed: known") << "in the picture's corner";
    EXPECT_EQ(text(2), "row 2: 4 × itself − 2 neighbours; dashed: known");
    EXPECT_EQ(text(11), "row 11: 4 × itself − 4 neighbours");
    ImageView view;
    auto picture = std::make_shared<io::Grid>(io::Shape{12, 6}, io::PixelType::u8);
    std::fill_n(picture->as<std::uint8_t>(), 72, std::uint8_t{40});
    view.resize(480, 300);
    view.setPicture(picture);
    view.show();
    const QImage plain = view.grab().toImage();
    view.setOverlays({&overlay});
    EXPECT_NE(view.grab().toImage(), plain);
}

SolveCurve falling(double by, std::int64_t products, int steps) {
    SolveCurve curve;
    double left = 1;
    for (int i = 0; i <= steps; ++i, left *= by) curve.points.push_back({i, i * products, left});
    curve.solved = true;
    return curve;
}

TEST(SolveChart, AClickTakesAStepAndADragGoesAlong) {
    SolveChart chart;
    chart.resize(420, 280);
    chart.setCurves({{"jacobi", falling(0.97, 1, 200)}, {"multigrid", falling(0.2, 5, 6)}}, "multigrid", std::nullopt);
    chart.show();
    EXPECT_EQ(chart.spoken(),
              "Jacobi: 0.00226 of the first residual after 200 products, 200 steps (counted)\n"
              "multigrid: 6.4e−5 of the first residual after 30 products, 6 steps (counted)");
    QSignalSpy chosen(&chart, &SolveChart::stepChosen);
    QTest::mousePress(&chart, Qt::LeftButton, {}, chart.pointAt("multigrid", 3).toPoint());
    QTest::mouseMove(&chart, chart.pointAt("multigrid", 5).toPoint());
    QTest::mouseRelease(&chart, Qt::LeftButton, {}, chart.pointAt("multigrid", 5).toPoint());
    ASSERT_GE(chosen.size(), 2);
    EXPECT_EQ(chosen.front().at(1).toLongLong(), 3);
    EXPECT_EQ(chosen.back().at(1).toLongLong(), 5);
    for (const auto& one : chosen) EXPECT_EQ(one.front().value<std::string>(), "multigrid");
    const QImage before = chart.grab().toImage();
    chart.setCurves({{"multigrid", falling(0.2, 5, 6)}}, "multigrid", 2);
    EXPECT_NE(chart.grab().toImage(), before);
    chosen.clear();
    QTest::keyClick(&chart, Qt::Key_Right);
    QTest::keyClick(&chart, Qt::Key_Left);
    ASSERT_EQ(chosen.size(), 2);
    EXPECT_EQ(chosen.front().at(1).toLongLong(), 3);
    EXPECT_EQ(chosen.back().at(1).toLongLong(), 1);
    chart.setCurves({}, "cg", std::nullopt);
    EXPECT_EQ(chart.spoken(), "No solver has run.");
    EXPECT_FALSE(chart.grab().isNull());
}

}  // namespace
}  // namespace warplens::gui
