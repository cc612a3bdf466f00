// SPDX-License-Identifier: Apache-2.0
// Several devices at once, chosen as one is: here the CPU twice, where whoever has two GPUs finds both of them.
#include "gpu/core/registry.hpp"
#include "gui/compare/slab_strip.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/session/folder_run.hpp"
#include "gui/session/session_state.hpp"
#include "gui/window/header_bar.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/schema.hpp"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDir>
#include <QScrollArea>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTableView>
#include <QWheelEvent>
#include <QtTest/qtestspontaneevent.h>
#include <algorithm>
#include <optional>

namespace warplens::gui::test {
namespace {

class SeveralDevicesTest : public WindowTest {
protected:
    void iterate(const QString& input) {
        session().request().setFamily(gpu::familyOf("stencil"));
        session().parameters().set("iterations", std::int64_t{4});
        open(input);
        session().variants().setChecked({"naive", "tiled"});
        session().request().setCurrent("naive");
    }
    void compareNow() {
        QSignalSpy compared(&session().control(), &RunControl::compared);
        session().control().compare();
        ASSERT_TRUE(compared.wait(kPatienceMs));
        ASSERT_TRUE(idle());
    }
    const gpu::RunRecord* result() { return session().results().of("naive"); }
    SlabStrip* strip() { return find<SlabStrip>("slabs"); }
};

TEST_F(SeveralDevicesTest, ShareAVolumeAndTheWindowShowsWhoComputedWhat) {
    iterate("gen:noise:24x20x32:f32");
    compareNow();
    ASSERT_TRUE(result() != nullptr && result()->result.picture != nullptr);
    const auto alone = result()->result.picture;
    EXPECT_FALSE(strip()->isVisible()) << "one device has all of it";

    auto* devices = find<QComboBox>("device");
    EXPECT_EQ(devices->itemText(devices->count() - 1), "CPU as two devices");
    devices->setFocus();
    QTest::keyClick(devices, Qt::Key_End);
    EXPECT_EQ(session().devices().names(), "cpu,cpu");
    EXPECT_EQ(session().devices().id(), "cpu");
    EXPECT_EQ(devices->currentText(), "CPU as two devices");
    EXPECT_TRUE(session().request().command().contains("--device cpu,cpu"))
        << session().request().command().toStdString();
    ASSERT_TRUE(filtered());
    compareNow();
    ASSERT_NE(result(), nullptr);
    EXPECT_EQ(result()->status, gpu::Status::ok) << result()->reason;
    EXPECT_EQ(result()->runsOn, "cpu, cpu");
    ASSERT_NE(result()->result.picture, nullptr);
    EXPECT_TRUE(std::equal(alone->data(), alone->data() + alone->bytes(), result()->result.picture->data()))
        << "the bits of one device";
    ASSERT_TRUE(strip()->isVisible());
    EXPECT_EQ(strip()->accessibleDescription(), "cpu (1): slices 0 to 15; cpu (2): slices 16 to 31");

    // A session brings both back; a device that went away is told.
    const SessionDocument kept = capture(session());
    EXPECT_EQ(kept.device, "cpu,cpu");
    QTest::keyClick(devices, Qt::Key_Home);
    EXPECT_EQ(session().devices().names(), "cpu");
    ASSERT_TRUE(filtered());
    EXPECT_FALSE(strip()->isVisible());
    EXPECT_TRUE(apply(kept, session()).isEmpty());
    EXPECT_EQ(session().devices().names(), "cpu,cpu");
    SessionDocument elsewhere = kept;
    elsewhere.device = "cuda:6,cuda:7";
    EXPECT_EQ(apply(elsewhere, session()).value(0), "There is no device cuda:6,cuda:7 here; cpu is used.");
}

TEST_F(SeveralDevicesTest, ExchangeHalosInTheWayThatIsChosen) {
    iterate("gen:noise:24x20x32:f32");
    auto* halos = find<QComboBox>("halos");
    EXPECT_FALSE(halos->isVisible()) << "one device has none";
    session().devices().choose("cpu,cpu");
    ASSERT_TRUE(halos->isVisible());
    EXPECT_EQ(halos->currentText(), "behind the interior");
    EXPECT_FALSE(session().request().command().contains("--exchange")) << "the default";
    EXPECT_TRUE(capture(session()).halos.isEmpty());
    compareNow();
    ASSERT_NE(result(), nullptr);
    ASSERT_NE(result()->result.picture, nullptr);
    const auto overlapped = result()->result.picture;

    halos->setFocus();
    QTest::keyClick(halos, Qt::Key_End);
    EXPECT_EQ(session().devices().halos(), gpu::HaloExchangeMode::host);
    EXPECT_TRUE(session().request().command().endsWith("--exchange host"))
        << session().request().command().toStdString();
    ASSERT_TRUE(filtered());
    compareNow();
    ASSERT_NE(result(), nullptr);
    EXPECT_EQ(result()->status, gpu::Status::ok) << result()->reason;
    EXPECT_TRUE(session().runs().plan().contains("of halos through the host")) << session().runs().plan().toStdString();
    ASSERT_NE(result()->result.picture, nullptr);
    EXPECT_TRUE(
        std::equal(overlapped->data(), overlapped->data() + overlapped->bytes(), result()->result.picture->data()));

    for (int way = 0; way < halos->count(); ++way) {
        halos->setFocus();
        QTest::keyClick(halos, Qt::Key_Home);
        for (int i = 0; i < way; ++i) QTest::keyClick(halos, Qt::Key_Down);
        ASSERT_EQ(halos->currentIndex(), way);
        EXPECT_EQ(warplens::test::violation("session", toJson(capture(session()), QStringLiteral("/")).toStdString()),
                  "")
            << halos->currentText().toStdString();
    }
    ASSERT_EQ(session().devices().halos(), gpu::HaloExchangeMode::host) << "the last";

    // A session keeps it, and a filter exchanges none.
    const SessionDocument kept = capture(session());
    EXPECT_EQ(kept.halos, "host");
    QTest::keyClick(halos, Qt::Key_Home);
    EXPECT_EQ(session().devices().halos(), gpu::HaloExchangeMode::overlapped);
    EXPECT_TRUE(apply(kept, session()).isEmpty());
    EXPECT_EQ(session().devices().halos(), gpu::HaloExchangeMode::host);
    session().request().setFamily(gpu::familyOf("convolution"));
    EXPECT_FALSE(halos->isVisible());
    EXPECT_FALSE(session().request().command().contains("--exchange"));
}

// Whoever scrolls the panel must not choose another device on the way.
TEST_F(SeveralDevicesTest, AreNotChosenByTheWheelThatScrollsThePanel) {
    open("gen:noise:64x64:f32");
    auto* devices = find<QComboBox>("device");
    QWidget* outer = devices->parentWidget();
    while (outer != nullptr && qobject_cast<QScrollArea*>(outer) == nullptr) outer = outer->parentWidget();
    ASSERT_NE(outer, nullptr);
    auto* const panel = static_cast<QScrollArea*>(outer);
    QScrollBar* const bar = panel->verticalScrollBar();
    panel->ensureWidgetVisible(devices);
    const int before = bar->value();
    ASSERT_GT(bar->maximum(), before);
    // As the desktop sends it: only then does it go from the widget under the cursor to those around it.
    const auto turn = [&] {
        const QPointF at = devices->rect().center();
        QWheelEvent wheel(at, devices->mapToGlobal(at), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase,
                          false);
        QSpontaneKeyEvent::setSpontaneous(&wheel);
        qApp->notify(devices, &wheel);
    };
    devices->clearFocus();
    turn();
    EXPECT_EQ(session().devices().names(), "cpu");
    EXPECT_GT(bar->value(), before);
    EXPECT_EQ(devices->focusPolicy(), Qt::StrongFocus) << "a wheel gives no focus either";

    devices->setFocus();
    ASSERT_TRUE(devices->hasFocus());
    bar->setValue(before);
    turn();
    EXPECT_EQ(session().devices().names(), "cpu,cpu");
}

TEST_F(SeveralDevicesTest, ShareAPictureThatIsFiltered) {
    open("gen:noise:64x64:f32");
    session().devices().choose("cpu,cpu");
    ASSERT_TRUE(filtered()) << "what follows a slider runs on the first one";
    session().variants().setChecked({"naive", "tiled_input"});
    session().request().setCurrent("naive");
    compareNow();
    ASSERT_TRUE(result() != nullptr && result()->slabs) << (result() != nullptr ? result()->reason : "none");
    EXPECT_EQ(result()->runsOn, "cpu, cpu");
    EXPECT_TRUE(strip()->isVisible());
    EXPECT_EQ(strip()->accessibleDescription(), "cpu (1): rows 0 to 31; cpu (2): rows 32 to 63");
}

TEST_F(SeveralDevicesTest, WhatIsTheWorkOfOneSaysWhy) {
    session().request().setFamily(gpu::familyOf("components"));
    open("gen:noise:64x64:u8");
    session().devices().choose("cpu,cpu");
    session().control().compare();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return session().activity().notice().contains("several devices"); }, kPatienceMs))
        << session().activity().notice().toStdString();
    EXPECT_TRUE(session().activity().notice().contains("it works on all of its input at once"))
        << session().activity().notice().toStdString();
}

TEST_F(SeveralDevicesTest, SlabsOfOneDeviceAreShownAsWell) {
    iterate("gen:noise:24x20x32:f32");
    session().request().setMemoryCap(20'000);
    compareNow();
    ASSERT_TRUE(result() != nullptr && result()->slabs) << (result() != nullptr ? result()->reason : "none");
    ASSERT_TRUE(strip()->isVisible());
    EXPECT_EQ(strip()->accessibleDescription(), "cpu: slices 0 to 31");
    const auto* table = find<QTableView>("runs");
    for (const bool project : {true, false})
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
            find<QAction>("projector")->setChecked(project);
            window->resize(size);
            QTest::qWait(100);
            EXPECT_GE(table->viewport()->height(), kRowHeight) << size.width() << ' ' << project;
            EXPECT_EQ(table->viewport()->height() % kRowHeight, 0) << size.width() << ' ' << project;
            EXPECT_TRUE(strip()->isVisible() || size.width() < 1600) << project << ": it gives way to the last row";
        }
}

TEST(FolderOnSeveralDevices, SharesThePicturesToTheFilesOfOne) {
    constexpr int kPictures = 12;
    QTemporaryDir folder;
    QDir(folder.path()).mkdir("in");
    FolderPlan plan;
    plan.request.family = "convolution";
    plan.request.variants = {"naive"};
    plan.request.timing = gpu::TimingPolicy::once();
    plan.from = folder.filePath("in");
    plan.ending = "npy";
    for (int i = 0; i < kPictures; ++i) {
        plan.files << QStringLiteral("%1.npy").arg(i);
        io::write(io::generate("gen:noise:60x50:f32:seed=" + std::to_string(i)),
                  QDir(plan.from).filePath(plan.files.back()).toStdString());
    }
    const auto made = [&](const char* to, std::vector<std::string> devices) {
        plan.to = folder.filePath(QString::fromLatin1(to));
        plan.devices = std::move(devices);
        std::optional<FolderOutcome> outcome;
        QObject owner;
        JobRunner jobs;
        gpu::Runner runner;
        jobs.start(
            &owner,
            [&](const JobContext& context) { return runFolder(runner, plan, context, [](const FolderRow&) {}); },
            [&](JobResult<FolderOutcome> result) {
                if (result) outcome = std::move(result.value());
            });
        EXPECT_TRUE(QTest::qWaitFor([&] { return !jobs.busy(); }, kPatienceMs));
        return outcome;
    };
    const auto one = made("one", {"cpu"}), three = made("three", {"cpu", "cpu", "cpu"});
    ASSERT_TRUE(one && three);
    EXPECT_EQ(one->failed + three->failed, 0);
    EXPECT_EQ(three->timeline.done, std::size_t{kPictures});
    for (const QString& name : plan.files) {
        const io::Grid a = io::read(folder.filePath("one/" + name).toStdString());
        const io::Grid b = io::read(folder.filePath("three/" + name).toStdString());
        ASSERT_EQ(a.bytes(), b.bytes());
        EXPECT_TRUE(std::equal(a.data(), a.data() + a.bytes(), b.data())) << name.toStdString();
    }
    const auto workers = [](const FolderOutcome& outcome) {
        const auto& stages = outcome.timeline.stages;
        return std::ranges::find(stages, std::string("compute"), &gpu::Timeline::Stage::name)->workers;
    };
    EXPECT_EQ(workers(*one), 1);
    EXPECT_EQ(workers(*three), 3);
}

}  // namespace
}  // namespace warplens::gui::test
