// SPDX-License-Identifier: Apache-2.0
// A family that is added by its folder and its line is chosen, compared, shown and explained in the window.
#include "app/trace/client.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/why/why_page.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QClipboard>
#include <QLabel>
#include <QTableView>
#include <QToolButton>

namespace warplens::gui::test {
namespace {

class ToyWindow : public WindowTest {
protected:
    void SetUp() override {
#ifdef WARPLENS_TOY_TRACE
        qputenv("WARPLENS_TRACE", WARPLENS_TOY_TRACE);
#endif
        WindowTest::SetUp();
    }
    void show() {
        open("gen:noise:50x40:u8:c=3");
        chooseFamily("black and white");
        ASSERT_EQ(session().parameters().family()->id(), "toy");
        ASSERT_TRUE(filtered());
    }
};

TEST_F(ToyWindow, ShowsItsPicturesAndItsTable) {
    show();
    session().control().compare();
    ASSERT_TRUE(idle());
    for (const char* id : {"plain", "coarsened"}) {
        const gpu::RunRecord* record = session().results().of(id);
        ASSERT_NE(record, nullptr) << id;
        EXPECT_EQ(record->status, gpu::Status::ok) << id;
        ASSERT_TRUE(record->verification) << id;
        EXPECT_EQ(record->verification->mismatches, 0) << id;
    }
    QTest::qWait(50);
    int pictures = 0;
    for (const Pane* pane : comparePage()->findChildren<Pane*>()) pictures += pane->content().picture != nullptr;
    EXPECT_GE(pictures, 3) << "the input and a result each";
    auto* figures = comparePage()->findChild<FiguresView*>();
    auto* table = [&]() -> QTableView* {
        for (auto* view : comparePage()->findChildren<QTableView*>(QStringLiteral("figures")))
            if (view->isVisible()) return view;
        return nullptr;
    }();
    ASSERT_NE(figures, nullptr);
    ASSERT_NE(table, nullptr) << "the table stands beside the panes";
    ASSERT_EQ(table->model()->rowCount(), 3);
    EXPECT_EQ(table->model()->headerData(1, Qt::Horizontal).toString(), "Values");
    EXPECT_GT(table->model()->index(2, 1).data(Qt::ToolTipRole).toInt(), 1000) << "of 2,000 above 100";
    QTest::keyClick(table, Qt::Key_C, Qt::ControlModifier);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().startsWith("Channel\tValues\n0\t"));
    // Another value: another count, and another family: no table.
    const QString before = table->model()->index(0, 1).data().toString();
    session().parameters().set("level", std::int64_t{200});
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(QTest::qWaitFor([&] { return table->model()->index(0, 1).data().toString() != before; }, kPatienceMs));
    chooseFamily("blur");
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(QTest::qWaitFor([&] { return !table->isVisible(); }, kPatienceMs));
}

#ifdef WARPLENS_TOY_TRACE
TEST_F(ToyWindow, IsExplained) {
    session().control().setTracer(std::make_shared<TraceProgram>());
    show();
    QTest::mouseClick(find<QPushButton>("page-button-why"), Qt::LeftButton);
    auto* page = find<WhyPage>("page-why");
    ASSERT_EQ(window->pages()->current(), page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->model().counters("plain") != nullptr; }, kPatienceMs));
    EXPECT_GT(page->model().counters("plain")->globalLoad.requests, 0);
    EXPECT_FALSE(page->model().counters("plain")->lines.empty());
}
#endif

}  // namespace
}  // namespace warplens::gui::test
