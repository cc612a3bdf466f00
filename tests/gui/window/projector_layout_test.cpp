// SPDX-License-Identifier: Apache-2.0
// Projector mode has larger type: what stands in a row has to fit all the same.
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QDockWidget>
#include <QScrollArea>
#include <QTabBar>
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

TEST_F(ProjectorLayoutTest, StatisticsBehindTheTaskHaveATab) {
    for (const char* id : {"volume", "histogram"}) {
        window->pages()->setCurrent(window->pages()->page(QString::fromUtf8(id)));
        for (const auto& [wide, project] :
             {std::pair{1280, true}, {1920, false}, {1920, true}, {1280, false}, {1280, true}}) {
            look({wide, wide * 9 / 16}, project);
            const bool narrow = wide == 1280 && project;
            int bars = 0;
            for (const QTabBar* bar : window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
                if (!bar->isVisible() || bar->count() == 0) continue;
                ++bars;
                for (int i = 0; i < bar->count(); ++i)
                    EXPECT_GT(bar->tabRect(i).width(), bar->fontMetrics().horizontalAdvance(bar->tabText(i))) << id;
                EXPECT_EQ(window->childAt(bar->geometry().center()), bar) << id << ": nothing lies on it";
            }
            if (narrow) {
                EXPECT_EQ(bars, 1) << id;
            }
            auto* dock = find<QDockWidget>(qPrintable(id + QStringLiteral("-statistics-dock")));
            EXPECT_FALSE(dock->isHidden());
            EXPECT_GT(dock->width(), 300);
        }
    }
}

}  // namespace
}  // namespace warplens::gui::test
