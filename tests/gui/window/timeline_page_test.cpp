// SPDX-License-Identifier: Apache-2.0
// A timeline with the mouse, with the keyboard, and through a file.
#include "gui/timeline/timeline_page.hpp"

#include "gui/timeline/timeline_view.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QFile>
#include <QLabel>
#include <QTableWidget>
#include <QWheelEvent>

namespace warplens::gui::test {
namespace {

/// Two decoders, each busy for 3 s of 10; computing is so for 7.5 s.
gpu::Timeline sample() {
    return {.items = {"a.png", "in/b.png", "c.png"},
            .bytes = {500'000'000, 0, 2'000'000'000},
            .stages = {{"decode", 2}, {"compute", 1}, {"encode", 1}},
            .spans = {{0, 0, 0, 0, 1},
                      {1, 0, 1, 0.5, 3.5},
                      {2, 0, 0, 4, 6},
                      {0, 1, 0, 1, 3},
                      {1, 1, 0, 3.5, 6.5},
                      {2, 1, 0, 7, 9.5},
                      {0, 2, 0, 3, 3.5}},
            .parts = {{0, "upload", 1.5, 2}, {0, "kernel", 2, 3, true}},
            .seconds = 10,
            .done = 2};
}

class TimelinePageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->pages()->setCurrent(page());
        page()->show(sample(), "naive on the folder scans");
        QTest::qWait(1);
    }
    TimelinePage* page() { return find<TimelinePage>("page-timeline"); }
    TimelineModel& model() { return page()->model(); }
    TimelineView* lanes() { return find<TimelineView>("timeline-lanes"); }
    QString detail() { return find<QLabel>("timeline-detail")->toolTip() + find<QLabel>("timeline-detail")->text(); }
    void wheel(QPointF at, int by) {
        QWheelEvent event(at, lanes()->mapToGlobal(at), {}, {0, by}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QCoreApplication::sendEvent(lanes(), &event);
    }
};

TEST_F(TimelinePageTest, NamesLanesTheCriticalStageAndTheRates) {
    QStringList names;
    for (const auto& lane : model().lanes()) names << lane.name;
    EXPECT_EQ(names.join(' '), "decode 1 decode 2 compute upload kernel encode");
    EXPECT_TRUE(find<QLabel>("timeline-critical")
                    ->text()
                    .contains("Critical stage: compute, busy 75 % of the time (measured)"));
    auto* stages = find<QTableWidget>("timeline-stages");
    ASSERT_EQ(stages->rowCount(), 3);
    EXPECT_EQ(stages->item(0, 3)->text(), "1,500 ms");  // 0 to 1 and 3 to 3.5
    EXPECT_EQ(stages->item(1, 3)->text(), "critical");
    EXPECT_EQ(stages->item(0, 4)->text(), "1.00");
    EXPECT_DOUBLE_EQ(model().exposedSeconds(), 2.5);
    QString said;
    for (const QLabel* label : page()->findChildren<QLabel*>()) said += label->text();
    EXPECT_TRUE(said.contains("<b>0.2</b> pictures/s") || said.contains("<b>0.200</b> pictures/s"))
        << said.toStdString();
    EXPECT_TRUE(said.contains("<b>0.250</b> GB/s")) << said.toStdString();
}

TEST_F(TimelinePageTest, TheMouseZoomsMovesAndTells) {
    const QRectF bar = lanes()->barRect({2, 1});  // computing b.png, 3.5 to 6.5 s
    QTest::mouseMove(lanes(), bar.center().toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return lanes()->looked().has_value(); }, kPatienceMs));
    EXPECT_EQ(*lanes()->looked(), (TimelineModel::Place{2, 1}));
    EXPECT_TRUE(detail().contains("compute: picture 2, b.png")) << detail().toStdString();
    EXPECT_TRUE(detail().contains("3,000 ms (measured)")) << detail().toStdString();
    wheel(bar.center(), 480);
    EXPECT_LT(model().to() - model().from(), 5);
    EXPECT_TRUE(lanes()->barRect({2, 1}).contains(bar.center())) << "what is under the mouse stays there";
    const double from = model().from();
    QTest::mousePress(lanes(), Qt::LeftButton, {}, bar.center().toPoint());
    QMouseEvent drag(QEvent::MouseMove, bar.center() + QPointF(60, 0), lanes()->mapToGlobal(bar.center()),
                     Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
    QCoreApplication::sendEvent(lanes(), &drag);
    QTest::mouseRelease(lanes(), Qt::LeftButton);
    EXPECT_LT(model().from(), from);
    wheel(bar.center(), -4800);
    EXPECT_EQ(model().from(), 0);
    EXPECT_EQ(model().to(), 10);
}

TEST_F(TimelinePageTest, KeysChooseBarsZoomAndMove) {
    lanes()->setFocus();
    QTest::keyClick(lanes(), Qt::Key_Right);
    ASSERT_EQ(model().chosen(), (TimelineModel::Place{0, 0}));
    QTest::keyClick(lanes(), Qt::Key_Right);
    EXPECT_TRUE(lanes()->accessibleDescription().contains("picture 3")) << "the decoder's second";
    for (int i = 0; i < 4; ++i) QTest::keyClick(lanes(), Qt::Key_Down);
    EXPECT_TRUE(lanes()->accessibleDescription().contains("modelled")) << "three samples of a kernel";
    QTest::keyClick(lanes(), Qt::Key_Down);
    QTest::keyClick(lanes(), Qt::Key_Down);
    EXPECT_EQ(model().chosen(), (TimelineModel::Place{5, 0})) << "no lane below";
    for (int i = 0; i < 9; ++i) QTest::keyClick(lanes(), Qt::Key_Plus);
    const double width = model().to() - model().from();
    EXPECT_LT(width, 1);
    QTest::keyClick(lanes(), Qt::Key_End);
    EXPECT_DOUBLE_EQ(model().to(), 10);
    QTest::keyClick(lanes(), Qt::Key_Left, Qt::ShiftModifier);
    EXPECT_LT(model().to(), 10);
    QTest::keyClick(lanes(), Qt::Key_Up);
    const auto& bar = model().bar(*model().chosen());
    EXPECT_LE(model().from(), bar.end) << "it comes into view";
    EXPECT_GE(model().to(), bar.begin);
    QTest::keyClick(window.get(), Qt::Key_F);
    EXPECT_DOUBLE_EQ(model().to() - model().from(), 10);
}

TEST_F(TimelinePageTest, ASavedOneIsOpenedAsRecorded) {
    const QString file = folder.filePath("t.json");
    page()->save(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->settled() && QFile::exists(file); }, kPatienceMs));
    page()->show({.items = {"z"}, .stages = {{"decode", 1}}, .spans = {{0, 0, 0, 0, 1}}, .seconds = 1}, "other");
    window->pages()->setCurrent(window->pages()->pages().front());
    window->openInput(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model().what() == "t.json"; }, kPatienceMs));
    EXPECT_EQ(window->pages()->current(), page());
    EXPECT_EQ(model().origin(), Origin::recorded);
    EXPECT_EQ(gpu::toChromeTrace(model().timeline()), gpu::toChromeTrace(sample()));
    EXPECT_TRUE(model().describe({0, 0}).join(' ').contains("(recorded)"));
    QFile broken(folder.filePath("broken.json"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("[]");
    broken.close();
    page()->open(broken.fileName());
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().activity().notice().contains("no timeline"); }, kPatienceMs));
    EXPECT_EQ(model().what(), "t.json") << "what is shown stays";
}

}  // namespace
}  // namespace warplens::gui::test
