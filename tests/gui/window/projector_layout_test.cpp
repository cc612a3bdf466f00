// SPDX-License-Identifier: Apache-2.0
// Projector mode has larger type: what stands in a row has to fit all the same.
#include "gpu/report/run_columns.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QApplication>
#include <QEvent>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableView>
#include <algorithm>
#include <utility>

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
    session().request().setCurrent("separable_streamed");
    session().variants().setChecked({"naive", "separable_streamed"});
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
    const auto named = [&] {
        return std::ranges::count(textsOf(table->viewport()), QString("separable_streamed"), &PaintedText::text) == 1;
    };
    EXPECT_TRUE(QTest::qWaitFor(named, kPatienceMs)) << "no name is cut";
    find<QAction>("projector")->setChecked(false);
    window->resize(2400, 1080);
    EXPECT_TRUE(QTest::qWaitFor([&] { return !hidden(); }, kPatienceMs));
    EXPECT_FALSE(table->isColumnHidden(gpu::RunColumn::download));
}

/// Leaves a column out at the first resize under larger type, as a window that adapts may do.
class ColumnsMeanwhile : public QObject {
public:
    explicit ColumnsMeanwhile(RunTable* table) : m_table(table) { qApp->installEventFilter(this); }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize && typeScale() > 1 && !std::exchange(m_done, true))
            m_table->setHiddenByChoice({gpu::RunColumn::maxError});
        return false;
    }

private:
    RunTable* m_table;
    bool m_done = false;
};

TEST_F(ProjectorLayoutTest, ColumnsAreScaledOnce) {
    open("gen:noise:48x40:u8");
    look({1280, 720}, false);
    auto* table = find<RunTable>("runs");
    const int plain = table->columnWidth(gpu::RunColumn::check);
    const ColumnsMeanwhile meanwhile(table);
    look({1280, 720}, true);
    EXPECT_NEAR(table->columnWidth(gpu::RunColumn::check), plain * typeScale(), 1);
}

}  // namespace
}  // namespace warplens::gui::test
