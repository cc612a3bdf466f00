// SPDX-License-Identifier: Apache-2.0
// Photographs of every screen, to be looked at: WARPLENS_PHOTO_FOLDER=DIR and --gtest_also_run_disabled_tests;
// QT_SCALE_FACTOR=2 makes 3200 x 2000 of 1600 x 1000. WARPLENS_PHOTO_ONLY=compare,palette takes these alone.
#include "app/trace/client.hpp"
#include "gpu/core/registry.hpp"
#include "gui/document/raw_dialog.hpp"
#include "gui/lessons/lesson_model.hpp"
#include "gui/lessons/lessons_page.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/reports/reports_window.hpp"
#include "gui/session/samples.hpp"
#include "gui/volume/playback_model.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/why/why_page.hpp"
#include "gui/window/recovery_box.hpp"
#include "io/generate.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QSignalSpy>
#include <functional>

namespace warplens::gui::test {
namespace {

class PhotoTest : public WindowTest {
protected:
    struct Look {
        QSize size;
        SchemeChoice choice;
        bool project;
        QString name;
    };
    static std::vector<Look> looks() {
        std::vector<Look> all;
        const bool large = qEnvironmentVariableIntValue("QT_SCALE_FACTOR") == 2;
        for (const QSize size : {QSize(1280, 720), QSize(1600, 1000)}) {
            if (large && size.width() < 1600) continue;
            const QString end = large ? QStringLiteral("2000") : QString::number(size.height());
            all.push_back({size, SchemeChoice::dark, false, end + "-dark"});
            all.push_back({size, SchemeChoice::light, false, end + "-light"});
            all.push_back({size, SchemeChoice::dark, true, end + "-projector"});
            all.push_back({size, SchemeChoice::light, true, end + "-projector-light"});
        }
        return all;
    }
    /// Takes something in every look, when it is asked for.
    void inEveryLook(const QString& name, const std::function<void(const Look&, const QString&)>& take) {
        const QStringList only = qEnvironmentVariable("WARPLENS_PHOTO_ONLY").split(',', Qt::SkipEmptyParts);
        if (!only.isEmpty() && !only.contains(name)) return;
        const QDir place(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER"));
        for (const Look& look : looks()) {
            Theme::apply(look.choice);
            window->resize(look.size);
            window->findChild<QAction*>("projector")->setChecked(look.project);
            take(look, place.filePath(name + '-' + look.name + ".png"));
            window->findChild<QAction*>("projector")->setChecked(false);
            QTest::qWait(30);
        }
    }
    /// One photograph for each look.
    void photograph(const QString& name, bool whole = true) {
        inEveryLook(name, [&](const Look& look, const QString& file) {
            QTest::qWait(120);
            window->resize(look.size);  // again, as a window shrinks only as far as what was there before it adapted
            if (whole) window->pages()->current()->fit();
            EXPECT_TRUE(QTest::qWaitFor([this] { return window->pages()->current()->settled(); }, kPatienceMs))
                << name.toStdString();
            QTest::qWait(120);
            EXPECT_TRUE(window->grab().save(file));
            EXPECT_EQ(window->size(), look.size) << file.toStdString();
        });
    }
    void trigger(const char* name) {
        window->findChild<QAction*>(QString::fromUtf8(name))->trigger();
        QTest::qWait(50);
    }
    /// A dialog is made anew for each look, as it takes its size from the type of that moment.
    void dialog(const QString& name, const std::function<QWidget*()>& make) {
        inEveryLook(name, [&](const Look&, const QString& file) {
            QTest::qWait(50);
            QWidget* box = make();
            ASSERT_NE(box, nullptr) << name.toStdString();
            QTest::qWait(150);
            EXPECT_TRUE(box->grab().save(file));
            box->close();
            QTest::qWait(30);
        });
    }
    void dialog(const char* action, const char* found, const QString& name) {
        dialog(name, [=, this]() -> QWidget* {
            trigger(action);
            return window->findChild<QDialog*>(QString::fromUtf8(found));
        });
    }
    void compare() {
        QSignalSpy compared(&session().control(), &RunControl::compared);
        session().control().compare();
        ASSERT_TRUE(compared.wait(kPatienceMs));
        ASSERT_TRUE(idle());
    }
    void press(QWidget* widget, Qt::Key key) {
        QTest::keyClick(widget, key);
        QTest::qWait(60);
    }
};

TEST_F(PhotoTest, DISABLED_EveryScreen) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    session().control().setTracer(std::make_shared<TraceProgram>());
    open(defaultSample());
    compare();
    photograph("compare");
    trigger("tiles");
    trigger("difference");
    trigger("magnifier");
    comparePage()->panes()->goTo({200, 150, 0});
    photograph("tiles");
    trigger("tiles");
    trigger("difference");
    trigger("magnifier");
    trigger("wipe");
    photograph("wipe");
    trigger("wipe");

    for (const gpu::Family* family : gpu::families()) {
        if (family == gpu::families().front() || family->info().iterates) continue;  // shown elsewhere
        session().request().setFamily(*family);
        if (family->id() == "scan") session().parameters().set("task", std::string("integral"));
        compare();
        comparePage()->panes()->goTo({200, 150, 0});
        photograph(QString::fromStdString("compare-" + family->id()));
    }

    window->pages()->setCurrent(window->pages()->page("histogram"));
    ASSERT_TRUE(filtered());
    compare();
    photograph("histogram");

    session().request().setFamily(gpu::familyOf("convolution"));
    window->pages()->setCurrent(window->pages()->page("why"));
    window->pages()->current()->runPrimary();
    ASSERT_TRUE(QTest::qWaitFor(
        [this] { return !session().activity().busy() && window->pages()->current()->settled(); }, kPatienceMs));
    photograph("why");
    auto* why = static_cast<WhyPage*>(window->pages()->current());
    why->setPart(WhyPage::Part::sources);
    photograph("why-sources");
    why->setPart(WhyPage::Part::crossover);
    photograph("why-crossover");
    why->setPart(WhyPage::Part::picture);

    auto* lessons = static_cast<LessonsPage*>(window->pages()->page("lessons"));
    window->pages()->setCurrent(lessons);
    lessons->setFocus();
    while (lessons->model().lesson()->id != "06-when-a-tile-pays" &&
           lessons->model().index() + 1 < lessons->model().count())
        press(lessons, Qt::Key_PageDown);
    photograph("lesson-predict");
    press(lessons, Qt::Key_2);
    press(lessons, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return lessons->model().step() == LessonModel::Step::reveal; }, kPatienceMs));
    photograph("lesson-reveal");
    press(lessons, Qt::Key_Return);
    photograph("lesson-explain");

    auto* volume = static_cast<VolumePage*>(window->pages()->page("volume"));
    window->pages()->setCurrent(volume);
    session().request().setFamily(gpu::familyOf("stencil"));
    session().parameters().set("iterations", std::int64_t{40});
    session().inputs().open("gen:hotspots:64x64x64:f32");
    ASSERT_TRUE(QTest::qWaitFor([&] { return volume->playback().ready(); }, kPatienceMs));
    ASSERT_TRUE(idle());
    trigger("play");
    EXPECT_TRUE(QTest::qWaitFor([&] { return volume->playback().step() >= 12; }, kPatienceMs));
    trigger("play");
    ASSERT_TRUE(idle());
    photograph("volume");
}

TEST_F(PhotoTest, DISABLED_TheMatrix) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    open(defaultSample());
    session().request().setFamily(gpu::familyOf("sparse"));
    Page* page = window->pages()->page("matrix");
    window->pages()->setCurrent(page);
    ASSERT_TRUE(filtered());
    photograph("matrix-product", false);
    Mask& mask = session().mask();
    mask.begin("strokes", true);
    mask.line({120, 160}, {300, 260}, 4, 0);
    mask.line({150, 300}, {260, 200}, 6, 0);
    mask.line({200, 120}, {230, 300}, 3, 0);
    mask.end();
    session().parameters().set("task", std::string("inpaint"));
    ASSERT_TRUE(filtered());
    page->runPrimary();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session().activity().busy() && page->settled(); }, kPatienceMs));
    photograph("matrix", false);
    window->pages()->setCurrent(comparePage());
    const auto patch = std::make_shared<io::Grid>(io::generate("gen:noise:160x100:u8"));
    session().parameters().set("source", std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{"noise", patch}));
    session().parameters().set("at", std::string("210,140"));
    session().mask().forget();
    session().parameters().set("task", std::string("clone"));
    ASSERT_TRUE(filtered());
    photograph("clone");
}

TEST_F(PhotoTest, DISABLED_SumsScansAndTurns) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    open(defaultSample());
    const auto task = [this](const char* family, const char* parameter, const char* value) {
        session().request().setFamily(gpu::familyOf(family));
        session().parameters().set(parameter, std::string(value));
        ASSERT_TRUE(filtered());
        compare();
        comparePage()->panes()->goTo({200, 150, 0});
    };
    ASSERT_NO_FATAL_FAILURE(task("reduction", "measure", "statistics"));
    photograph("statistics");
    ASSERT_NO_FATAL_FAILURE(task("scan", "task", "equalise"));
    photograph("equalise");
    ASSERT_NO_FATAL_FAILURE(task("scan", "task", "integral"));
    photograph("integral");
    ASSERT_NO_FATAL_FAILURE(task("scan", "task", "box"));
    photograph("box");
    ASSERT_NO_FATAL_FAILURE(task("layout", "task", "rotate90"));
    photograph("turned");
    session().parameters().set("task", std::string("stride"));
    ASSERT_TRUE(filtered());
    auto* why = static_cast<WhyPage*>(window->pages()->page("why"));
    window->pages()->setCurrent(why);
    why->setPart(WhyPage::Part::crossover);
    photograph("strides");
    why->setPart(WhyPage::Part::picture);
    window->pages()->setCurrent(comparePage());
    open("gen:hotspots:96x80x48:f32");
    ASSERT_NO_FATAL_FAILURE(task("reduction", "along", "z"));
    photograph("projection");
}

TEST_F(PhotoTest, DISABLED_TheWorkbench) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    session().control().setTracer(std::make_shared<TraceProgram>());
    open(defaultSample());
    session().request().setCurrent("tiled_output");
    compare();
    trigger("duplicate-variant");
    photograph("launch-fields");
    session().request().setFamily(gpu::familyOf("rank"));
    ASSERT_TRUE(filtered());
    trigger("use-result");
    ASSERT_TRUE(filtered());
    session().request().setFamily(gpu::familyOf("convolution"));
    ASSERT_TRUE(filtered());
    trigger("use-result");
    ASSERT_TRUE(filtered());
    trigger("all-stages");
    compare();
    photograph("recipe");
    dialog("batch", "batch-window", "batch");
    trigger("all-stages");
    window->pages()->setCurrent(window->pages()->page("regions"));
    ASSERT_TRUE(filtered());
    photograph("regions");
    window->pages()->setCurrent(window->pages()->page("timeline"));
    photograph("timeline", false);
    dialog("history", "history-window", "history");
    dialog("preferences-action", "preferences", "preferences");
}

TEST_F(PhotoTest, DISABLED_Movement) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    open("gen:noise:256x160:f32");
    window->pages()->setCurrent(window->pages()->page("timeline"));
    QTest::mouseClick(find<QPushButton>("timeline-move"), Qt::LeftButton);
    ASSERT_TRUE(idle());
    photograph("movement");
    compare();
    QTest::mouseClick(find<QPushButton>("timeline-comparison"), Qt::LeftButton);
    photograph("comparison-timeline");
}

TEST_F(PhotoTest, DISABLED_EveryDialog) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    open(defaultSample());
    dialog("palette", "command-palette", "palette");
    dialog("help", "help-window", "keys");
    dialog("change-keys", "key-editor", "key-editor");
    dialog("presets", "preset-box", "presets");
    dialog("go-to-pixel", "go-to", "go-to");
    dialog("about", "about-window", "about");
    compare();
    dialog("reports", [this]() -> QWidget* {
        trigger("reports");
        auto* reports = window->findChild<ReportsWindow*>();
        reports->addRecorded();
        return reports;
    });
    const QString values = folder.filePath("head-64x48x10.raw");
    QFile file(values);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    for (int i = 0; i < 64 * 48 * 10; ++i) file.putChar(static_cast<char>(i % 251));
    file.close();
    dialog("raw", [&]() -> QWidget* {
        auto* raw = new RawDialog(values, window.get());
        raw->show();
        QTest::qWait(200);
        return raw;
    });
    QFile lost(folder.filePath("autosave/1-1.warplens"));
    ASSERT_TRUE(lost.open(QIODevice::WriteOnly));
    lost.close();
    dialog("recovery", [&]() -> QWidget* {
        auto* box = makeRecoveryBox(window->keeper(), folder.filePath("autosave/1-1.warplens"), window.get());
        box->show();
        return box;
    });
}

}  // namespace
}  // namespace warplens::gui::test
