// SPDX-License-Identifier: Apache-2.0
// Projector mode has larger type: what stands in a row has to fit all the same.
#include "gpu/report/run_columns.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>

namespace warplens::gui::test {
namespace {

class ProjectorLayoutTest : public WindowTest {
protected:
    void TearDown() override {
        find<QAction>("projector")->setChecked(false);
        WindowTest::TearDown();
    }
    void look(QSize size, bool project) {
        window->resize(size);
        find<QAction>("projector")->setChecked(project);
        QTest::qWait(60);
        window->resize(size);
        QTest::qWait(60);
    }
};

TEST_F(ProjectorLayoutTest, EveryRungOfTheLadderIsSeen) {
    window->pages()->setCurrent(window->pages()->page("why"));
    for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)}) {
        look(size, true);
        auto* room = find<QScrollArea>("ladder-room");
        EXPECT_LE(room->widget()->width(), room->viewport()->width()) << size.width();
    }
}

// Where all stages are shown, the stacked bars are the point: columns that say the same give way to them.
TEST_F(ProjectorLayoutTest, StackedBarsAreReadBesideAWholeTable) {
    open("gen:noise:48x40:u8");
    session().variants().setChecked({"naive", session().request().current()});
    session().control().compare();
    ASSERT_TRUE(idle());
    find<QPushButton>("times-stages")->click();
    auto* table = find<QTableView>("runs");
    auto* bars = find<QWidget>("time-bars");
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)})
        for (const bool project : {true, false}) {
            look(size, project);
            const auto whole = [&] { return table->horizontalScrollBar()->maximum() == 0 && bars->width() >= 260; };
            EXPECT_TRUE(QTest::qWaitFor(whole, kPatienceMs)) << size.width() << ' ' << project << ' ' << bars->width()
                                                             << ' ' << table->horizontalScrollBar()->maximum();
        }
    look({1280, 720}, true);
    const auto hidden = [&] { return table->isColumnHidden(gpu::RunColumn::total); };
    EXPECT_TRUE(QTest::qWaitFor(hidden, kPatienceMs)) << "the bars say it";
    find<QAction>("projector")->setChecked(false);
    window->resize(2400, 1080);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !hidden(); }, kPatienceMs));
    EXPECT_FALSE(table->isColumnHidden(gpu::RunColumn::download));
}

}  // namespace
}  // namespace warplens::gui::test
