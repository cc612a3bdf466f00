// SPDX-License-Identifier: Apache-2.0
// While a slider moves the device draws what is seen; the result comes down, and is verified, when the slider rests.
#include "gui/picture/pane_grid.hpp"
#include "gui/session/live_preview.hpp"
#include "tests/gui/window/slowness.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/program.hpp"
#include "tests/support/schema.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QSignalSpy>
#include <QSlider>

namespace warplens::gui::test {
namespace {

class FramesTest : public WindowTest {
protected:
    Pane* currentPane() {
        PaneGrid* grid = comparePage()->panes();
        for (int i = 0; i < static_cast<int>(grid->panes().size()); ++i)
            if (grid->panes()[static_cast<std::size_t>(i)].key.toStdString() == session().request().current())
                return grid->pane(i);
        ADD_FAILURE() << "the current result has no pane";
        return nullptr;
    }
    QImage seen() { return currentPane()->view()->grab().toImage(); }
    /// The slider counts as moving until rest(), however long that takes on this machine, and the frame is in the pane.
    void move(Qt::Key key = Qt::Key_Right) {
        auto* slider = find<QSlider>("radius-slider");
        slider->setFocus();
        QSignalSpy painted(&session().preview(), &LivePreview::painted);
        QTest::keyClick(slider, key);
        policy().drop();
        ASSERT_TRUE(QTest::qWaitFor([&] { return !painted.isEmpty(); }, kPatienceMs))
            << session().activity().notice().toStdString();
    }
    void rest() { policy().requestAtRest(); }

private:
    LivePolicy& policy() { return *session().control().findChild<LivePolicy*>(); }
};

TEST_F(FramesTest, AMovedSliderIsSeenBeforeTheResultComesAndLooksTheSame) {
    if (kSlowness > 1) GTEST_SKIP() << "under sanitizers the slider rests before the frame is looked at";
    // Large enough to be seen reduced: the frame must be averaged as the picture will be.
    for (const char* input : {"gen:noise:1201x997:f32", "gen:noise:300x200:u8:c=3"}) {
        open(input);
        const QImage before = seen();
        const auto picture = record().result.picture;
        move();
        ASSERT_TRUE(session().preview().shown());
        EXPECT_TRUE(session().results().stale(session().request().current()));
        EXPECT_EQ(record().result.picture, picture) << "nothing was brought down";
        EXPECT_TRUE(
            QTest::qWaitFor([&] { return currentPane()->content().state == ResultState::unverified; }, kPatienceMs));
        EXPECT_FALSE(currentPane()->content().timeMs) << "its time appears when the check has passed";
        EXPECT_TRUE(session().preview().times().isEmpty());
        const QImage frame = seen();
        EXPECT_NE(frame, before);

        rest();
        ASSERT_TRUE(filtered());
        EXPECT_FALSE(session().preview().shown());
        EXPECT_NE(record().result.picture, picture);
        EXPECT_TRUE(session().preview().times().contains("kernel"));
        EXPECT_TRUE(session().preview().times().contains("transfer"));
        EXPECT_TRUE(session().preview().times().contains("display"));
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                seen();
                return !currentPane()->view()->hasFrame();
            },
            kPatienceMs));
        EXPECT_EQ(currentPane()->content().state, ResultState::verified);
        EXPECT_EQ(seen(), frame) << input << ": the result looks unlike its frame";
    }
}

TEST_F(FramesTest, AViewThatMovesGetsAFrameWithoutAKernel) {
    open("gen:noise:400x300:f32");
    int computed = 0, drawn = 0;
    QObject::connect(&session().preview().frames(), &LiveFrames::drawn, window.get(), [&](const LiveFrame& frame) {
        ++drawn;
        computed += frame.preview.computed ? 1 : 0;
    });
    move();
    ASSERT_EQ(computed, 1);
    const int before = drawn;
    comparePage()->panes()->viewState()->actualSize();
    ASSERT_TRUE(session().preview().shown());
    ASSERT_TRUE(QTest::qWaitFor([&] { return drawn > before; }, kPatienceMs));
    EXPECT_EQ(computed, 1);
    rest();
    ASSERT_TRUE(filtered());
}

TEST_F(FramesTest, ResultsThatLieOnTheHostComeAsBefore) {
    open("gen:noise:64x48:u8");
    session().request().setCurrent("opencv");
    ASSERT_TRUE(filtered());
    const auto picture = record("opencv").result.picture;
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    ASSERT_TRUE(filtered());
    EXPECT_FALSE(session().preview().shown());
    EXPECT_NE(record("opencv").result.picture, picture);
    EXPECT_TRUE(session().preview().times().isEmpty());
}

TEST_F(FramesTest, NoFrameOutlivesItsVariantOrItsPicture) {
    open("gen:noise:64x48:u8");
    move();
    session().request().setCurrent("tiled_input");
    EXPECT_FALSE(session().preview().shown());
    ASSERT_TRUE(filtered());
    move();
    session().control().compare();
    EXPECT_FALSE(session().preview().shown());
    ASSERT_TRUE(idle());
    move(Qt::Key_Left);
    open("gen:gradient:50x40:u8");
    EXPECT_FALSE(session().preview().shown());
    QTest::qWait(20);
    EXPECT_FALSE(currentPane()->view()->hasFrame());
}

TEST_F(FramesTest, TheBenchMeasuresOnTheCpuAsWell) {
    const QString report = folder.filePath("interactive.json");
    const std::string program = (QCoreApplication::applicationDirPath() + "/warplens").toStdString();
    const std::map<std::string, std::string> offscreen{{"QT_QPA_PLATFORM", "offscreen"}};
    const auto outcome =
        warplens::test::runProgram({program, "--bench-interactive", "--device", "cpu", "--size", "640x400", "--report",
                                    report.toStdString(), "gen:noise:96x80:f32"},
                                   offscreen);
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    for (const char* part :
         {"gen:noise:96x80:f32", "median", "p95", "event to picture", "kernel", "transfer", "display", "100 events"})
        EXPECT_NE(outcome.out.find(part), std::string::npos) << part << " in\n" << outcome.out;
    QFile file(report);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(warplens::test::violation("interactive", file.readAll().toStdString()), "");

    EXPECT_EQ(warplens::test::runProgram({program, "--report", "x.json"}, offscreen).status, 2);
    EXPECT_EQ(warplens::test::runProgram({program, "--family", "rank"}, offscreen).status, 2);
    EXPECT_EQ(warplens::test::runProgram({program, "--bench-interactive", "--family", "merge"}, offscreen).status, 2);
    const auto median = warplens::test::runProgram({program, "--bench-interactive", "--family", "rank", "--device",
                                                    "cpu", "--size", "640x400", "gen:noise:40x30:u8"},
                                                   offscreen);
    ASSERT_EQ(median.status, 0) << median.err;
    EXPECT_NE(median.out.find("100 events of the radius slider"), std::string::npos) << median.out;
    EXPECT_EQ(warplens::test::runProgram({program, "--bench-interactive", "--device", "cpu", "--report",
                                          "/nowhere/x.json", "gen:noise:64x64:u8"},
                                         offscreen)
                  .status,
              3);
}

}  // namespace
}  // namespace warplens::gui::test
