// SPDX-License-Identifier: Apache-2.0
// What the program is started with counts: its page and its resources.
#include "app/window/start_page.hpp"
#include "gui/session/samples.hpp"
#include "gui/window/page_stack.hpp"
#include "gui/window/session_keeper.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <string>

namespace warplens::gui::test {
namespace {

class StartTest : public WindowTest {
protected:
    bool openSession(const QString& path) {
        QSignalSpy opened(&window->keeper(), &SessionKeeper::opened);
        window->openInput(path);
        return opened.wait(kPatienceMs);
    }
    std::string current() const { return window->pages()->current()->id().toStdString(); }
};

TEST_F(StartTest, APageThatWasAskedForStandsBeforeTheSessions) {
    window->openInput("gen:noise:33x33:u8");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session().document().empty(); }, kPatienceMs));
    QTemporaryDir scratch;
    const QString path = scratch.filePath("s.warplens");
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    const std::string own = current();
    window->keeper().save(path);
    ASSERT_TRUE(saved.wait(kPatienceMs));

    EXPECT_FALSE(app::startOn(*window, "nowhere", path));
    ASSERT_TRUE(app::startOn(*window, "Why", path));
    EXPECT_EQ(current(), "why");
    ASSERT_TRUE(openSession(path));
    EXPECT_EQ(current(), "why");
    ASSERT_TRUE(openSession(path));
    EXPECT_EQ(current(), own) << "only the first time";
}

TEST_F(StartTest, ASecondWindowDoesNotCoverTheFirst) {
    window->move(100, 80);
    reopen();  // takes the place that was left
    const QPoint left = window->pos();
    QPoint place;
    {
        const MainWindow second(settings), third(settings);
        place = second.pos();
        // But for the frame, which a window that is not shown has not.
        EXPECT_LE((place - left - QPoint(32, 32)).manhattanLength(), 16);
        EXPECT_EQ(third.pos() - place, QPoint(32, 32));
    }
    EXPECT_EQ(MainWindow(settings).pos(), place) << "that of one that is gone";
}

/// Docks that the page closed on has not are shown for the next start: that must not push the window off the screen.
TEST_F(StartTest, IsAsLargeAsItWasLeftWhateverPageItWasLeftOn) {
    open("gen:noise:64x48:u8");
    constexpr QSize kSize(1584, 952);
    for (const char* page : {"lessons", "why", "timeline", "compare"}) {
        window->resize(kSize);
        window->pages()->setCurrent(window->pages()->page(page));
        ASSERT_TRUE(idle());
        window->close();
        window = std::make_unique<MainWindow>(settings);
        window->session().devices().fetch("cpu");
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        open("gen:noise:64x48:u8");
        ASSERT_TRUE(idle());
        EXPECT_EQ(window->size(), kSize) << page;
    }
}

TEST_F(StartTest, ResourcesAreWhereTheEnvironmentSays) {
    const QString before = resourceFolder("samples");
    QTemporaryDir scratch;
    ASSERT_TRUE(QDir(scratch.path()).mkdir("samples"));
    qputenv("WARPLENS_RESOURCES", scratch.path().toUtf8());
    const QString samples = resourceFolder("samples"), recorded = resourceFolder("recorded");
    qunsetenv("WARPLENS_RESOURCES");
    EXPECT_TRUE(samples == scratch.filePath("samples")) << samples.toStdString();
    EXPECT_TRUE(recorded.isEmpty()) << "another folder is no stand-in";
    EXPECT_TRUE(resourceFolder("samples") == before);
}

}  // namespace
}  // namespace warplens::gui::test
