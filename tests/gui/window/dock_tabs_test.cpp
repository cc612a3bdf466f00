// SPDX-License-Identifier: Apache-2.0
// What a narrow window puts behind the task is reached by a tab, however often the window has been wide since.
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QDockWidget>
#include <QTabBar>
#include <array>

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
    /// Docks move from the event loop, later on a busy machine.
    void expectCaptions(const std::string& wanted, const std::string& when) {
        EXPECT_TRUE(QTest::qWaitFor([&] { return captions() == wanted; }, kPatienceMs)) << when << ": " << captions();
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
        expectCaptions(behind, std::to_string(turn));
        for (const char* other : {"compare", "volume", "histogram"}) turnTo(other);
        turnTo(GetParam());
        expectCaptions(behind, std::to_string(turn) + ", after other pages");
        become({1600, 1000});
        expectCaptions("", std::to_string(turn));
        for (const char* other : {"volume", "histogram"}) turnTo(other);
        turnTo(GetParam());
        expectCaptions("", std::to_string(turn) + ", after other pages");
    }
}

INSTANTIATE_TEST_SUITE_P(Pages, DockTabsTest, testing::Values("volume", "histogram"),
                         [](const auto& page) { return std::string(page.param); });

class DocksTest : public WindowTest {};

// Other pages do without some docks, and are as wide as they need to be.
TEST_F(DocksTest, EveryDockHasItsOwnSizeAgainAfterEveryPage) {
    open("gen:noise:64x48:f32");
    auto *task = find<QDockWidget>("task-dock"), *source = find<QDockWidget>("source-dock"),
         *results = find<QDockWidget>("results-dock");
    for (const auto& [taskWidth, sourceWidth, height] : {std::array{300, 420, 260}, std::array{350, 330, 330}}) {
        window->resizeDocks({task, source}, {taskWidth, sourceWidth}, Qt::Horizontal);
        window->resizeDocks({results}, {height}, Qt::Vertical);
        QTest::qWait(20);
        ASSERT_EQ((std::array{task->width(), source->width(), results->height()}),
                  (std::array{taskWidth, sourceWidth, height}));
        for (Page* page : window->pages()->pages()) {
            window->pages()->setCurrent(page);
            QTest::qWait(20);
            window->pages()->setCurrent(comparePage());
            QTest::qWait(50);
            EXPECT_EQ((std::array{task->width(), source->width(), results->height()}),
                      (std::array{taskWidth, sourceWidth, height}))
                << "after " << page->title().toStdString();
        }
    }
}

}  // namespace
}  // namespace warplens::gui::test
