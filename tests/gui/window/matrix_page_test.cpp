// SPDX-License-Identifier: Apache-2.0
// The Matrix page on a picture with a painted mask: rows under the cursor, and the curves of the solvers.
#include "gui/lenses/sparse/matrix_page.hpp"

#include "gpu/core/evolution.hpp"
#include "gui/lenses/sparse/matrix_views.hpp"
#include "gui/lenses/sparse/solve_chart.hpp"
#include "gui/picture/why_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QLabel>
#include <QTest>

namespace warplens::gui::test {
namespace {

class MatrixPageTest : public WindowTest {
protected:
    MatrixPage& page() { return *find<MatrixPage>("page-matrix"); }
    MatrixModel& model() { return page().model(); }
    void show() {
        window->pages()->setCurrent(&page());
        ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled() && model().rows() != nullptr; }, kPatienceMs))
            << model().problem().toStdString();
    }
    /// 7 lines of 20 unknowns.
    void paint() {
        session().mask().begin("box", true);
        session().mask().polygon(QPolygonF(QRectF(20, 10, 20, 7)), 0);
        session().mask().end();
    }
    QString formats() { return find<WarpRowsView>("matrix-formats")->spoken(); }
};

TEST_F(MatrixPageTest, TheRowUnderTheCursorIsShownInEveryView) {
    open("gen:noise:64x48:u8");
    ASSERT_NO_FATAL_FAILURE(show());
    EXPECT_EQ(session().parameters().family()->id(), "sparse") << "the page's own family came with it";
    EXPECT_EQ(model().rows()->count(), 64 * 48);
    EXPECT_EQ(model().place(model().row()), QPoint(32, 24)) << "the middle";
    auto* view = find<ImageView>("matrix-picture");
    const QPoint to = view->toWidget({30.5, 23.5}).toPoint();
    QTest::mouseMove(window->windowHandle(), view->mapTo(window.get(), to));
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().row() == 23 * 64 + 30; }, kPatienceMs));
    // Lanes of its warp: an outermost pixel's row is kept.
    EXPECT_TRUE(find<WarpRowsView>("matrix-lanes")->spoken().contains("156 of 160 lane steps work, 98 %"));
    EXPECT_TRUE(formats().contains("ell: every row as long as the longest: 4 padded")) << formats().toStdString();
    EXPECT_TRUE(page().viewText().contains("row 1,502 at x 30 y 23")) << page().viewText().toStdString();
    // What is painted has other rows.
    paint();
    ASSERT_TRUE(QTest::qWaitFor([this] { return page().settled() && model().rows()->count() == 140; }, kPatienceMs));
    EXPECT_TRUE(find<WhyText>("matrix-why")->spoken().contains("of 140 rows")) << "and so has what is told";
}

TEST_F(MatrixPageTest, SolversAreComparedAndAStepOfOneIsShown) {
    open("gen:noise:64x48:u8");
    ASSERT_NO_FATAL_FAILURE(show());
    EXPECT_FALSE(page().primary().enabled) << "a product has no solver";
    session().parameters().set("task", std::string("inpaint"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().rows() == nullptr && page().settled(); }, kPatienceMs));
    EXPECT_TRUE(find<QLabel>("matrix-none")->text().contains("inpaint needs one"));
    paint();
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().rows() != nullptr && page().settled(); }, kPatienceMs));
    ASSERT_EQ(model().curves().size(), 1U) << "of the solver at hand";
    ASSERT_TRUE(page().primary().enabled);
    page().runPrimary();
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model().busy() && model().curves().size() == 3; }, kPatienceMs));
    std::map<std::string, std::int64_t> products;
    for (const auto& [solver, curve] : model().curves()) {
        EXPECT_TRUE(curve.solved) << solver;
        EXPECT_EQ(curve.points.front().left, 1) << solver;
        EXPECT_LE(curve.points.back().left, 1e-3) << solver;
        products[solver] = curve.points.back().products;
    }
    EXPECT_LT(products["cg"], products["jacobi"]);
    EXPECT_EQ(products["multigrid"] % 5, 0);
    // A click on Jacobi's curve: the picture as it was then, and the curve stays whole.
    auto* chart = page().findChild<SolveChart*>();
    const auto& jacobi = model().curves().at("jacobi").points;
    ASSERT_GT(jacobi.size(), 2U);
    const std::int64_t step = jacobi[1].step, last = jacobi.back().step;
    QTest::mouseClick(chart, Qt::LeftButton, {}, chart->pointAt("jacobi", 1).toPoint());
    EXPECT_EQ(model().solver(), "jacobi");
    EXPECT_EQ(model().iterations(), step);
    ASSERT_TRUE(filtered());
    const auto done = gpu::evolutionOf(record().result.tables);
    ASSERT_TRUE(done);
    EXPECT_EQ(done->iterations, step);
    EXPECT_EQ(model().curves().at("jacobi").points.back().step, last);
    // Another mask is another system.
    session().mask().clear();
    EXPECT_TRUE(model().curves().empty());
}

}  // namespace
}  // namespace warplens::gui::test
