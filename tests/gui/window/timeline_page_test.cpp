// SPDX-License-Identifier: Apache-2.0
// A timeline with the mouse, with the keyboard, and through a file; the ways of moving pictures measured there.
#include "gui/timeline/timeline_page.hpp"

#include "gui/timeline/timeline_view.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QSignalSpy>
#include <QSpinBox>
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

TEST_F(TimelinePageTest, ManyWorkersThatWaitLeaveRoomForTheDevices) {
    gpu::Timeline many{.items = {"a.png", "b.png"},
                       .bytes = {1, 1},
                       .stages = {{"decode", 48}, {"compute", 4, {"cuda:0", "cuda:0", "cuda:1", "cuda:1"}}},
                       .spans = {{0, 0, 47, 0, 1}, {0, 1, 0, 1, 6}, {1, 1, 2, 1, 6}},
                       .parts = {{0, "upload", 1, 2}, {0, "kernel", 2, 6}, {1, "upload", 1, 2}, {1, "kernel", 2, 6}},
                       .seconds = 6,
                       .done = 2};
    many.parts[2].worker = many.parts[3].worker = 2;
    page()->show(many, "many");
    QTest::qWait(1);
    const auto& all = model().lanes();
    ASSERT_EQ(all.size(), 56U);
    EXPECT_EQ(all[52].place, "cuda:0");
    EXPECT_EQ(all[55].place, "cuda:1");
    EXPECT_EQ(all[55].name, "compute 3, cuda:1: kernel");
    const TimelineModel::Place decoded{47, 0}, kernel{55, 0};
    EXPECT_GT(lanes()->barRect(kernel).height(), 3 * lanes()->barRect(decoded).height());
    for (const auto& place : {decoded, kernel}) {
        const QRectF bar = lanes()->barRect(place);
        QTest::mouseMove(lanes(), bar.center().toPoint());
        ASSERT_TRUE(QTest::qWaitFor([&] { return lanes()->looked() == place; }, kPatienceMs)) << place.first;
    }
    page()->show(sample(), "few");
    EXPECT_EQ(lanes()->barRect({0, 0}).height(), lanes()->barRect({2, 0}).height()) << "each a lane";
}

TEST_F(TimelinePageTest, OfSeveralOneIsChosenAndAllAreSaved) {
    auto* choice = find<QComboBox>("timeline-choice");
    EXPECT_FALSE(choice->isVisible());
    gpu::Timeline other = sample();
    other.stages = {{"upload", 1}, {"kernel", 1}, {"download", 1}};
    other.parts.clear();
    for (auto& span : other.spans) span.worker = 0;
    page()->showAll({{"Pinned memory", sample()}, {"Ring of three", other}}, "movement", Origin::measured);
    QTest::qWait(1);
    ASSERT_TRUE(choice->isVisible());
    EXPECT_EQ(model().lanes().front().name, "decode 1");
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Down);
    EXPECT_EQ(choice->currentText(), "Ring of three, 10.0 s");
    EXPECT_EQ(model().lanes().front().name, "upload");
    EXPECT_EQ(model().what(), "movement");
    const QString file = folder.filePath("several.json");
    page()->save(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->settled() && QFile::exists(file); }, kPatienceMs));
    page()->show(sample(), "other");
    EXPECT_FALSE(choice->isVisible());
    page()->open(file);
    ASSERT_TRUE(QTest::qWaitFor([&] { return model().what() == "several.json"; }, kPatienceMs));
    ASSERT_EQ(choice->count(), 2);
    EXPECT_EQ(choice->itemText(1), "Ring of three, 10.0 s");
    EXPECT_EQ(model().origin(), Origin::recorded);
}

class MovementPageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        open("gen:noise:64x24:f32");
        window->pages()->setCurrent(page());
        QTest::qWait(1);
    }
    TimelinePage* page() { return find<TimelinePage>("page-timeline"); }
    QPushButton* move() { return find<QPushButton>("timeline-move"); }
    QTableWidget* ways() { return find<QTableWidget>("movement-ways"); }
    QComboBox* choice() { return find<QComboBox>("timeline-choice"); }
    int rowOf(const QString& title) {
        for (int row = 0; row < ways()->rowCount(); ++row)
            if (ways()->item(row, 0)->text() == title) return row;
        return -1;
    }
};

TEST_F(MovementPageTest, EachWayIsMeasuredAndSeenAndTheOthersSayWhyNot) {
    open("gen:noise:64x8:f32");
    EXPECT_FALSE(ways()->isVisible());
    EXPECT_EQ(find<QSpinBox>("timeline-pictures")->value(), 4) << "on a CPU";
    QTest::mouseClick(move(), Qt::LeftButton);
    EXPECT_FALSE(move()->isEnabled()) << "one at a time";
    ASSERT_TRUE(QTest::qWaitFor([this] { return ways()->isVisible(); }, kPatienceMs))
        << session().activity().notice().toStdString();
    ASSERT_TRUE(idle());
    EXPECT_TRUE(move()->isEnabled());
    ASSERT_EQ(ways()->rowCount(), 11);
    EXPECT_EQ(choice()->count(), 9);
    const int bands = rowOf("In bands");
    ASSERT_GE(bands, 0);
    EXPECT_TRUE(ways()->item(bands, 1)->text().contains("unsupported: the picture is too small for bands"))
        << ways()->item(bands, 1)->text().toStdString();
    EXPECT_GT(ways()->item(0, 2)->text().toDouble(), 0);
    EXPECT_TRUE(page()->model().what().startsWith("4 pictures of 2 KiB through convolution"))
        << page()->model().what().toStdString();
    EXPECT_EQ(page()->model().origin(), Origin::measured);
    EXPECT_EQ(page()->model().timeline().items.size(), 4U);
    EXPECT_TRUE(find<QLabel>("movement-note")->toolTip().contains("On the CPU device"));

    ways()->setFocus();
    // The null stream, which no CPU device has, lies between.
    for (int i = 0; i < 3; ++i) QTest::keyClick(ways(), Qt::Key_Down);
    EXPECT_EQ(choice()->currentIndex(), 2);
    EXPECT_TRUE(choice()->currentText().startsWith("Two streams, ")) << choice()->currentText().toStdString();
    EXPECT_EQ(page()->model().timeline().stages.size(), 3U);
    choice()->setFocus();
    QTest::keyClick(choice(), Qt::Key_End);
    EXPECT_EQ(ways()->currentRow(), rowOf("Managed memory"));
    EXPECT_EQ(page()->model().lanes().back().name, "host reads");
    choice()->setCurrentIndex(0);
    QTest::keyClick(choice(), Qt::Key_End);
    // A refused one between others is no timeline: what is shown stays.
    ways()->setFocus();
    ways()->setCurrentCell(bands, 0);
    EXPECT_EQ(choice()->currentIndex(), choice()->count() - 1);

    page()->show(sample(), "a folder");
    EXPECT_FALSE(ways()->isVisible());
}

TEST_F(MovementPageTest, EscapeStopsThemAndThePictureIsFilteredAgain) {
    auto* pictures = find<QSpinBox>("timeline-pictures");
    pictures->setFocus();
    pictures->selectAll();
    QTest::keyClicks(pictures, "1000");
    QTest::keyClick(pictures, Qt::Key_Return);
    ASSERT_EQ(pictures->value(), 1000);
    QSignalSpy told(&session().activity(), &Activity::progress);
    QTest::mouseClick(move(), Qt::LeftButton);
    ASSERT_TRUE(told.count() > 0 || told.wait(kPatienceMs));
    QTest::keyClick(window.get(), Qt::Key_Escape);
    ASSERT_TRUE(idle());
    EXPECT_TRUE(session().activity().lastJob().startsWith("Stopped after "))
        << session().activity().lastJob().toStdString();
    EXPECT_TRUE(move()->isEnabled());
    // The device is there for the next run, and the number stays the user's.
    open("gen:noise:48x24:f32");
    EXPECT_EQ(pictures->value(), 1000);
}

TEST_F(MovementPageTest, AComparisonIsOfferedAsItHappened) {
    auto* offered = find<QPushButton>("timeline-comparison");
    EXPECT_FALSE(offered->isEnabled());
    session().variants().setChecked({"naive", "constant"});
    window->pages()->setCurrent(window->pages()->page("compare"));
    QSignalSpy compared(&session().control(), &RunControl::compared);
    QTest::keyClick(window.get(), Qt::Key_F5);
    ASSERT_TRUE(compared.wait(kPatienceMs));
    window->pages()->setCurrent(page());
    EXPECT_TRUE(page()->model().timeline().variants) << "nothing else was shown";
    page()->show(sample(), "a folder");
    ASSERT_TRUE(offered->isEnabled());
    QTest::mouseClick(offered, Qt::LeftButton);
    const gpu::Timeline& timeline = page()->model().timeline();
    EXPECT_EQ(timeline.items, (std::vector<std::string>{"naive", "constant"}));
    EXPECT_TRUE(page()->model().what().startsWith("comparison in Convolution on CPU"))
        << page()->model().what().toStdString();
    auto* lanes = find<TimelineView>("timeline-lanes");
    lanes->setFocus();
    QTest::keyClick(lanes, Qt::Key_Right);
    EXPECT_TRUE(lanes->accessibleDescription().contains(": naive; from "))
        << lanes->accessibleDescription().toStdString();
    QString said;
    for (const QLabel* label : page()->findChildren<QLabel*>())
        if (label->isVisible()) said += label->text();
    EXPECT_TRUE(said.contains("<b>2</b> of 2 variants in ")) << said.toStdString();
    EXPECT_FALSE(said.contains("pictures/s")) << said.toStdString();
}

TEST_F(MovementPageTest, WhatCannotBeMovedIsSaidInOneLine) {
    chooseFamily("histogram");
    window->pages()->setCurrent(page());
    QTest::mouseClick(move(), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return session().activity().notice().contains("makes no picture that could be brought back"); },
        kPatienceMs))
        << session().activity().notice().toStdString();
    EXPECT_FALSE(ways()->isVisible());
}

}  // namespace
}  // namespace warplens::gui::test
