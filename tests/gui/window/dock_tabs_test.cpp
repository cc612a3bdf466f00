// SPDX-License-Identifier: Apache-2.0
// What a narrow window puts behind the task is reached by a tab, however often the window has been wide since.
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QTabBar>

namespace warplens::gui::test {
namespace {

class DockTabsTest : public WindowTest, public testing::WithParamInterface<const char*> {
protected:
    void become(QSize size) {
        window->resize(size);
        QTest::qWait(40);
    }
    void turnTo(const char* page) {
        window->pages()->setCurrent(window->pages()->page(QString::fromUtf8(page)));
        QTest::qWait(40);
    }
    /// The captions in sight, each row in brackets; an empty row counts.
    std::string captions() {
        std::string rows;
        for (QTabBar* bar : window->findChildren<QTabBar*>(QString(), Qt::FindDirectChildrenOnly)) {
            if (!bar->isVisible() || !window->rect().contains(bar->geometry())) continue;
            QStringList painted;
            if (window->childAt(bar->geometry().center()) == bar)  // nothing lies on it
                for (const PaintedText& text : textsOf(bar)) painted << text.text;
            painted.sort();
            rows += '[' + painted.join(QStringLiteral(", ")).toStdString() + ']';
        }
        return rows;
    }
};

TEST_P(DockTabsTest, AreThereWheneverTheWindowIsNarrow) {
    turnTo(GetParam());
    const std::string behind =
        std::string(GetParam()) == "volume" ? "[Task, Volume statistics]" : "[Histogram statistics, Task]";
    for (int turn = 0; turn < 3; ++turn) {
        become({1200, 720});
        EXPECT_EQ(captions(), behind) << turn;
        for (const char* other : {"compare", "volume", "histogram"}) turnTo(other);
        turnTo(GetParam());
        EXPECT_EQ(captions(), behind) << turn << ", after other pages";
        become({1600, 1000});
        EXPECT_EQ(captions(), "") << turn;
        for (const char* other : {"volume", "histogram"}) turnTo(other);
        turnTo(GetParam());
        EXPECT_EQ(captions(), "") << turn << ", after other pages";
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, DockTabsTest, testing::Values("volume", "histogram"),
                         [](const auto& page) { return std::string(page.param); });

}  // namespace
}  // namespace warplens::gui::test
