// SPDX-License-Identifier: Apache-2.0
// Watching an iteration in the real window, by mouse and keys.
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/volume/playback_model.hpp"
#include "gui/volume/slice_view.hpp"
#include "gui/volume/step_charts.hpp"
#include "gui/volume/step_sections.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/volume/volume_panes.hpp"
#include "io/read.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QComboBox>
#include <QDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>
#include <cstring>

namespace warplens::gui::test {
namespace {

class WatchWindow : public WindowTest {
protected:
    void watch(const QString& input, std::int64_t steps) {
        page = static_cast<VolumePage*>(window->pages()->page("volume"));
        window->pages()->setCurrent(page);
        session().request().setFamily(gpu::familyOf("stencil"));
        session().parameters().set("iterations", steps);
        open(input);
    }
    PlaybackModel& model() { return page->playback(); }
    void press(const char* name) { QTest::mouseClick(find<QToolButton>(name), Qt::LeftButton); }
    bool reaches(std::int64_t step) {
        return QTest::qWaitFor([&] { return model().step() >= step; }, kPatienceMs);
    }
    bool rests() {
        return QTest::qWaitFor([&] { return !model().playing() && !model().busy() && !session().activity().busy(); },
                               kPatienceMs);
    }
    /// What the panes show is what so many steps of the reference variant give.
    void expectField(std::int64_t steps) {
        gpu::Request request;
        request.input = session().document().grid();
        request.family = "stencil";
        request.parameters = session().parameters().shaping();
        request.parameters["iterations"] = steps;
        request.variants = {"naive"};
        request.device = "cpu";
        request.timing = gpu::TimingPolicy::once();
        gpu::Runner runner;
        const auto expected = runner.run(request).runs.at(0).result.picture;
        const auto shown = page->panes()->volume();
        ASSERT_EQ(shown->bytes(), expected->bytes());
        const auto* a = reinterpret_cast<const float*>(shown->data());
        const auto* b = reinterpret_cast<const float*>(expected->data());
        for (std::size_t i = 0; i < shown->bytes() / sizeof(float); ++i) ASSERT_NEAR(a[i], b[i], 1e-5) << "value " << i;
    }
    VolumePage* page = nullptr;
};

TEST_F(WatchWindow, PlaysToTheEndInLockstepAndAgrees) {
    watch("gen:hotspots:20x16x12:f32", 6);
    EXPECT_FALSE(model().begun());
    press("watch-play");
    ASSERT_TRUE(reaches(6));
    ASSERT_TRUE(rests());
    EXPECT_EQ(find<QLabel>("watch-state")->text(), "all steps taken");
    EXPECT_TRUE(find<QLabel>("watch-count")->text().contains("of 6 steps"));
    EXPECT_EQ(model().frames().frames().size(), 7U) << "the start and each step";
    EXPECT_EQ(model().residuals().size(), 6U);
    expectField(6);
    // Everyone took part but the library, and says what a step took.
    std::size_t players = 0;
    for (const auto& player : model().players()) {
        if (player.variant == "opencv") {
            EXPECT_FALSE(player.refusal.empty());
            continue;
        }
        EXPECT_GT(player.msPerStep, 0) << player.variant;
        EXPECT_EQ(model().checks().count(player.variant), 1U) << player.variant;
        ++players;
    }
    EXPECT_EQ(players + 1, gpu::askedRuns(gpu::familyOf("stencil"), {}).size());
    EXPECT_EQ(find<QLabel>("agreement-verdict")->text(), "verified");
    EXPECT_EQ(find<QLabel>("agreement-share")->text(), "100 %");
    EXPECT_NE(find<QLabel>("agreement-error")->text(), "–");
    // A CPU's clock ranks nothing: ladder order, no bar of it.
    const auto& bars = find<RateBars>("rate-bars")->bars();
    ASSERT_EQ(bars.size(), players);
    for (std::size_t i = 0; i < bars.size(); ++i)
        EXPECT_TRUE(bars[i].aside.startsWith("CPU, here")) << bars[i].name.toStdString();
}

// A device that holds a few slices alone: played slab by slab, which is said, and the fields are the same.
TEST_F(WatchWindow, PlaysAVolumeThatDoesNotFitSlabBySlab) {
    session().request().setMemoryCap(20'000);
    watch("gen:hotspots:20x16x12:f32", 4);
    EXPECT_TRUE(session().request().command().endsWith("--memory-limit 20000"));
    press("watch-play");
    ASSERT_TRUE(reaches(4));
    ASSERT_TRUE(rests());
    EXPECT_TRUE(find<QLabel>("rate-note")->text().contains("slabs of"))
        << find<QLabel>("rate-note")->text().toStdString();
    expectField(4);
    EXPECT_EQ(find<QLabel>("agreement-verdict")->text(), "verified");
}

TEST_F(WatchWindow, StepsGoesBackAndShowsKeptFrames) {
    watch("gen:hotspots:20x16x12:f32", 50);
    page->state().setCrosshair({3, 4, 5});
    for (std::int64_t step = 1; step <= 3; ++step) {
        QTest::keyClick(window.get(), Qt::Key_N);
        ASSERT_TRUE(reaches(step));
        ASSERT_TRUE(rests());
    }
    EXPECT_EQ(model().shown()->step, 3);
    expectField(3);
    // An earlier frame by key and by mouse; the panes stay where they were.
    auto* scrubber = find<QWidget>("watch-frames");
    scrubber->setFocus();
    QTest::keyClick(scrubber, Qt::Key_Left);
    EXPECT_EQ(model().shown()->step, 2);
    expectField(2);
    QTest::mouseClick(scrubber, Qt::LeftButton, {}, {2, 11});
    EXPECT_EQ(model().shown()->step, 0);
    EXPECT_EQ(std::memcmp(page->panes()->volume()->data(), session().document().grid()->data(),
                          page->panes()->volume()->bytes()),
              0);
    EXPECT_EQ(page->state().crosshair(), (VolumeState::Voxel{3, 4, 5}));
    EXPECT_EQ(model().step(), 3) << "looking back takes nothing away";
    // A step from there goes to the next kept frame, at the end computes one.
    QTest::keyClick(scrubber, Qt::Key_End);
    press("watch-step");
    ASSERT_TRUE(reaches(4));
    ASSERT_TRUE(rests());
    EXPECT_EQ(model().frames().frames().size(), 5U);

    press("watch-start");
    ASSERT_TRUE(rests());
    EXPECT_EQ(model().step(), 0);
    EXPECT_EQ(model().earlier().size(), 4U) << "kept as the dashed curve";
    press("watch-step");
    ASSERT_TRUE(reaches(1));
    ASSERT_TRUE(rests());
    expectField(1);
}

TEST_F(WatchWindow, PausingIsHeardAtOnceAndTheWindowGoesOn) {
    page = static_cast<VolumePage*>(window->pages()->page("volume"));
    window->pages()->setCurrent(page);
    session().request().setFamily(gpu::familyOf("stencil"));
    session().parameters().set("iterations", std::int64_t{100000});
    session().inputs().open("gen:noise:96x96x64:f32");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session().document().empty(); }, kPatienceMs));
    // Filtering live would take minutes; watching does not wait for it.
    find<QComboBox>("watch-speed")->setFocus();
    QTest::keyClick(find<QComboBox>("watch-speed"), Qt::Key_End);
    EXPECT_EQ(PlaybackModel::speeds()[static_cast<std::size_t>(model().speed())].steps, 50)
        << "seconds for one picture";
    press("watch-play");
    ASSERT_TRUE(QTest::qWaitFor([&] { return model().begun(); }, kPatienceMs));
    for (int round = 0; round < 3; ++round) {
        QTest::qWait(120);
        const auto before = model().step();
        QTest::keyClick(window.get(), Qt::Key_Escape);
        EXPECT_FALSE(model().playing());
        ASSERT_TRUE(QTest::qWaitFor([&] { return !model().busy(); }, kPatienceMs));
        EXPECT_LE(model().step(), before + 50) << "no picture is begun after the key";
        QTest::keyClick(window.get(), Qt::Key_P);
        EXPECT_TRUE(model().playing());
    }
    QTest::keyClick(window.get(), Qt::Key_Escape);
    EXPECT_FALSE(session().activity().busy());
}

TEST_F(WatchWindow, AnotherChoiceEndsItAndKeepsItsCurve) {
    watch("gen:hotspots:16x16:f32", 4);
    EXPECT_FALSE(page->panes()->slice(SlicePlane::coronal)->isVisible()) << "a picture has one slice";
    press("watch-play");
    ASSERT_TRUE(reaches(4));
    ASSERT_TRUE(rests());
    session().parameters().set("iterations", std::int64_t{8});
    EXPECT_EQ(model().step(), 4) << "more steps of the same";
    press("watch-play");
    ASSERT_TRUE(reaches(8));
    session().parameters().set("step", 0.2);
    EXPECT_FALSE(model().begun());
    EXPECT_EQ(model().earlier().size(), 8U);
    open("gen:noise:16x16:f32");
    EXPECT_TRUE(model().earlier().empty()) << "of another picture";
    session().parameters().set("tolerance", 1e3);
    press("watch-play");
    ASSERT_TRUE(reaches(1));
    ASSERT_TRUE(rests());
    EXPECT_EQ(model().step(), 1) << "stops below the tolerance";
    EXPECT_TRUE(find<QLabel>("watch-state")->text().contains("no cell changes"));
}

TEST_F(WatchWindow, FramesBecomeASeriesThatReadsAgain) {
    watch("gen:hotspots:16x12x8:f32", 3);
    press("watch-play");
    ASSERT_TRUE(reaches(3));
    ASSERT_TRUE(rests());
    QTest::mouseClick(find<QPushButton>("watch-export"), Qt::LeftButton);
    auto* dialog = page->findChild<QDialog*>("export-frames");
    ASSERT_NE(dialog, nullptr);
    delete dialog;
    const auto draw = [](const io::Grid& field) {
        QImage image(4, 3, QImage::Format_RGB32);
        image.fill(qRgb(static_cast<int>(255 * field.value(8, 6, 4, 0)), 0, 9));
        return image;
    };
    const QString path = folder.filePath("heat.png");
    model().exportFrames(path, draw);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model().exporting(); }, kPatienceMs));
    EXPECT_TRUE(session().activity().lastJob().contains("heat-0000.png to heat-0003.png"))
        << session().activity().lastJob().toStdString() << session().activity().notice().toStdString();
    const io::Grid series = io::read("series:" + folder.filePath("heat-####.png").toStdString());
    EXPECT_EQ(series.shape().depth, 4);
    EXPECT_EQ(series.value(0, 0, 2, 0), static_cast<int>(255 * model().frames().frames()[2].field->value(8, 6, 4, 0)));
    // What is there is not written over.
    model().exportFrames(path, draw);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model().exporting(); }, kPatienceMs));
    EXPECT_TRUE(session().activity().notice().contains("heat-0000.png: the file exists already"))
        << session().activity().notice().toStdString();
    model().exportFrames(folder.filePath("nowhere/heat.png"), draw);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !model().exporting(); }, kPatienceMs));
    EXPECT_TRUE(session().activity().notice().contains("0 of 4 frames were written"))
        << session().activity().notice().toStdString();
}

TEST_F(WatchWindow, RecordedRatesStandBesideTheLineOfACopy) {
    watch("gen:hotspots:12x12x12:f32", 2);
    gpu::Report report;
    report.family = "stencil";
    report.environment.date = "2026-11-21";
    report.device.name = "NVIDIA H200";
    report.device.kind = gpu::DeviceKind::cuda;
    report.limits.emplace().copyGbs = 4000;
    report.input.shape = {512, 512, 512, 1};
    report.input.type = "f32";
    report.parameters["iterations"] = std::int64_t{10};
    const auto add = [&](const char* variant, double ms, bool right) {
        gpu::ReportRun run;
        run.record.variant = variant;
        run.record.status = right ? gpu::Status::ok : gpu::Status::wrong;
        run.record.time = gpu::Timing{};
        run.record.time->clock = gpu::Clock::device;
        run.record.time->medianMs = ms;
        run.record.verification = gpu::Verification{};
        run.record.verification->checkedShare = 1;
        report.runs.push_back(run);
    };
    add("naive", 6.4, true);
    add("fused", 1.9, true);
    add("tiled", 0.1, false);
    gpu::Report other = report;
    other.environment.date = "2026-11-22";
    other.input.type = "u16";
    const gpu::RecordedRuns runs({report, other});
    auto* section = window->findChild<RateSection*>();
    ASSERT_NE(section, nullptr);
    section->setRecorded(runs);
    const auto& bars = section->bars()->bars();
    ASSERT_EQ(bars.size(), 2U) << "what is wrong has no rate";
    EXPECT_EQ(bars[0].name, "fused");
    EXPECT_NEAR(*bars[0].gcells, 512.0 * 512 * 512 * 10 / 1.9e-3 * 1e-9, 1e-6);
    EXPECT_EQ(bars[1].time, "0.640 ms");
    EXPECT_TRUE(section->bars()->accessibleDescription().contains("500: one sweep at copy speed"))
        << "4,000 GB/s over 8 bytes a cell";
    EXPECT_TRUE(find<QLabel>("rate-note")->text().contains("fused passes the line"));
    EXPECT_TRUE(find<QLabel>("rate-note")->text().contains("Recorded 21 Nov 2026, 10 steps"));
}

TEST_F(WatchWindow, TheCrossShowsPresetsAndMakesItsOwn) {
    watch("gen:hotspots:12x12x12:f32", 2);
    auto* cross = find<QWidget>("coefficient-cross");
    const auto weights = [cross] {
        std::vector<float> values;
        for (const QLineEdit* each : cross->findChildren<QLineEdit*>())
            if (!each->isHidden()) values.push_back(each->text().replace(QChar(0x2212), u'-').toFloat());
        return values;
    };
    EXPECT_EQ(weights().size(), 7U);
    EXPECT_TRUE(find<QLabel>("stability")->text().startsWith("stable up to 0.167"));
    // Nor does projector mode cut a cell, on or off again.
    for (const bool project : {true, false}) {
        find<QAction>("projector")->setChecked(project);
        QTest::qWait(50);
        for (const QLineEdit* each : cross->findChildren<QLineEdit*>())
            EXPECT_TRUE(cross->rect().contains(each->geometry())) << project;
    }
    auto* cell = find<QLineEdit>("coefficient-3");
    cell->setFocus();
    cell->selectAll();
    QTest::keyClicks(cell, "0.25");
    QTest::keyClick(cell, Qt::Key_Return);
    EXPECT_EQ(gpu::format(session().parameters().value("stencil")), "custom");
    EXPECT_EQ(weights()[3], 0.25F);
    EXPECT_EQ(weights()[4], 0.1F) << "the others as they were";
    EXPECT_EQ(find<QLabel>("stencil-sum")->text(), "sum 1.150");
    EXPECT_FALSE(find<QLabel>("stability")->isVisible());
    ASSERT_TRUE(filtered());
    // A preset is itself again, whatever was typed before.
    auto* stencil = find<QComboBox>("stencil");
    stencil->setFocus();
    QTest::keyClick(stencil, Qt::Key_Home);
    EXPECT_EQ(gpu::format(session().parameters().value("stencil")), "heat");
    EXPECT_EQ(weights()[3], 0.1F);
    cell->setFocus();
    cell->selectAll();
    QTest::keyClicks(cell, "many");
    QTest::keyClick(cell, Qt::Key_Return);
    EXPECT_TRUE(session().activity().notice().contains("is not a number"))
        << session().activity().notice().toStdString();
    EXPECT_EQ(gpu::format(session().parameters().value("stencil")), "heat");
    // A picture has no neighbours along z.
    open("gen:hotspots:12x12:f32");
    EXPECT_EQ(weights().size(), 5U);
    EXPECT_FALSE(find<QLineEdit>("coefficient-5")->isVisible());
    // The first custom stencil begins where the preset was.
    session().parameters().set("coefficients", std::string());
    QTest::keyClick(stencil, Qt::Key_End);
    EXPECT_EQ(gpu::format(session().parameters().value("stencil")), "custom");
    EXPECT_EQ(weights().size(), 5U);
    EXPECT_EQ(weights()[0], 0.6F);
}

TEST_F(WatchWindow, EverythingKeepsItsPlaceInEveryModeAndSize) {
    window->resize(1920, 1080);
    watch("gen:hotspots:12x12x12:f32", 2);
    auto* cross = find<QWidget>("coefficient-cross");
    const auto expectApart = [&](const char* where) {
        QTest::qWait(30);
        const auto cells = cross->findChildren<QLineEdit*>();
        ASSERT_EQ(cells.size(), 7) << where;
        for (const QLineEdit* cell : cells) {
            EXPECT_TRUE(cross->rect().contains(cell->geometry())) << where << ' ' << cell->objectName().toStdString();
            EXPECT_NEAR(cell->height(), 24.0 * cross->width() / 170, 1) << where;
        }
        // The axes' boxes stand beside and below one another; those along z lie aslant over the corners.
        for (const int i : {1, 2, 3, 4})
            EXPECT_FALSE(cells[0]->geometry().intersects(cells[i]->geometry())) << where << ' ' << i;
    };
    expectApart("plain");
    QAction* projects = window->findChild<QAction*>("projector");
    for (const char* shown : {"volume", "compare"}) {
        // What is hidden meanwhile is laid out later.
        window->pages()->setCurrent(window->pages()->page(shown));
        projects->setChecked(true);
        QTest::qWait(30);
        window->pages()->setCurrent(window->pages()->page("volume"));
        expectApart("projector");
        EXPECT_GT(cross->width(), 170);
        EXPECT_TRUE(find<QLabel>("watch-count")->text().contains("font-size:30px")) << "the key figure grows, too";
        window->pages()->setCurrent(window->pages()->page(shown));
        projects->setChecked(false);
        QTest::qWait(30);
        window->pages()->setCurrent(window->pages()->page("volume"));
        expectApart("plain again");
        EXPECT_EQ(cross->width(), 170);
    }
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        window->resize(size);
        QTest::qWait(30);
        EXPECT_LT(find<QWidget>("watch")->height(), page->panes()->height())
            << "the curve leaves a low window to the panes";
    }
}

TEST_F(WatchWindow, RegionsAreHeldAroundTheCrosshairByKeys) {
    watch("gen:hotspots:40x32x24:f32", 4);
    page->state().display().setRange({0.25, 2});
    page->state().setCrosshair({20, 10, 0});
    QTest::keyClick(window.get(), Qt::Key_H);
    EXPECT_EQ(find<QLineEdit>("regions")->text(), "2 at x=18..22 y=9..11 z=0..1");
    page->state().setCrosshair({4, 10, 12});
    QTest::keyClick(window.get(), Qt::Key_C);
    QTest::keyClick(window.get(), Qt::Key_C);
    EXPECT_EQ(find<QLineEdit>("regions")->text(), "2 at x=18..22 y=9..11 z=0..1; 0.25 at x=2..6 y=9..11 z=11..13");
    QTest::keyClick(window.get(), Qt::Key_P);
    ASSERT_TRUE(reaches(4));
    ASSERT_TRUE(rests());
    EXPECT_EQ(page->panes()->volume()->value(22, 11, 1, 0), 2);
    EXPECT_EQ(page->panes()->volume()->value(4, 10, 12, 0), 0.25);
    expectField(4);
    EXPECT_EQ(find<QLabel>("agreement-verdict")->text(), "verified");
    // No more than there can be.
    for (int x = 0; x < 12; ++x) {
        page->state().setCrosshair({x, 20, 12});
        QTest::keyClick(window.get(), Qt::Key_H);
    }
    EXPECT_EQ(find<QLineEdit>("regions")->text().count(';'), 7);
    EXPECT_TRUE(session().activity().notice().startsWith("Eight regions"))
        << session().activity().notice().toStdString();
    find<QAction>("release-held")->trigger();
    EXPECT_EQ(find<QLineEdit>("regions")->text(), "");
    EXPECT_FALSE(find<QAction>("release-held")->isEnabled());
}

TEST_F(WatchWindow, ThePageKeepsTheFamilyItTakes) {
    watch("gen:hotspots:12x12x12:f32", 2);
    window->pages()->setCurrent(window->pages()->page("compare"));
    EXPECT_EQ(session().parameters().family()->id(), "stencil");
    window->pages()->setCurrent(window->pages()->page("histogram"));
    EXPECT_EQ(session().parameters().family()->id(), "histogram");
    window->pages()->setCurrent(page);
    EXPECT_EQ(session().parameters().family()->id(), "stencil") << "the one last used there";
}

}  // namespace
}  // namespace warplens::gui::test
