// SPDX-License-Identifier: Apache-2.0
// "Find the best block for this filter and show why", by the mouse and by keys; how many it takes stands in walks.md
// beside this file.
#include "gpu/core/registry.hpp"
#include "gui/why/crossover_chart.hpp"
#include "gui/why/why_page.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QMenu>
#include <QPushButton>
#include <QTimer>
#include <QToolButton>

namespace warplens::gui::test {
namespace {

const std::string kBest = "tiled_output@block_height=16@block_width=16";

class BlockWalk : public CountedWalk {
protected:
    void SetUp() override {
        CountedWalk::SetUp();
        session().control().setTracer(std::make_shared<MadeUpTracer>());
        open("gen:noise:64x48:f32");
        session().request().setCurrent("tiled_output");
        sweeps().setFolder(folder.filePath("sweeps"));
    }
    WhyPage& page() { return *find<WhyPage>("page-why"); }
    CrossoverModel& sweeps() { return page().sweeps(); }
    CrossoverChart* chart() { return find<CrossoverChart>("crossover-chart"); }
    void click(QWidget* at) {
        ++m_clicks;
        QTest::mouseClick(at, Qt::LeftButton);
        QTest::qWait(20);
    }
    void click(const char* name) { click(find<QPushButton>(name)); }
    void press(QWidget* at, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_keys;
        QTest::keyClick(at, key, modifiers);
        QTest::qWait(20);
    }
    /// Two clicks: the button and an entry of its menu.
    void experiment(const QString& title) {
        auto* button = find<QToolButton>("launch-experiments");
        QTimer::singleShot(100, button, [this, button, title] {
            QMenu* menu = button->menu();
            for (QAction* entry : menu->actions()) {
                if (!entry->text().startsWith(title)) continue;
                ++m_clicks;
                return QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(entry).center());
            }
            menu->close();
        });
        ++m_clicks;
        QTest::mouseClick(button, Qt::LeftButton);
        ASSERT_TRUE(waitFor([button] { return !button->menu()->isVisible(); }));
    }
    /// To be looked at, where WARPLENS_PHOTO_FOLDER says where to.
    void photograph(const char* name) {
        const QString to = qEnvironmentVariable("WARPLENS_PHOTO_FOLDER");
        if (to.isEmpty()) return;
        for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
            window->resize(size);
            QTest::qWait(200);
            window->grab().save(QStringLiteral("%1/%2-%3.png").arg(to, QString::fromLatin1(name)).arg(size.width()));
        }
    }
    /// A sweep of a GPU over blocks, as one lies among the user's own; 16 x 16 is the best.
    void writeSweep() { write("blocks", blocks()); }
    void write(const char* name, const gpu::Sweep& sweep) {
        QDir().mkpath(folder.filePath("sweeps"));
        QFile file(folder.filePath(QStringLiteral("sweeps/%1.sweep.json").arg(QString::fromLatin1(name))));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(gpu::toJson(sweep)));
        file.close();
        sweeps().setFolder(folder.filePath("sweeps"));
    }
    static gpu::Sweep blocks() {
        gpu::Sweep sweep;
        sweep.device.kind = gpu::DeviceKind::cuda;
        sweep.device.name = "NVIDIA Test";
        sweep.environment.date = "2099-01-31T00:00:00Z";
        sweep.family = "convolution";
        sweep.axes = {{gpu::SweepAxis::Kind::tunable, "block_width", {"8", "16", "32"}},
                      {gpu::SweepAxis::Kind::tunable, "block_height", {"8", "16", "64"}}};
        sweep.input = "noise";
        sweep.type = "f32";
        sweep.sizes = {{64, 64}};
        sweep.variants = {"naive", "tiled_output"};
        for (const std::string& width : sweep.axes[0].values) {
            for (const std::string& height : sweep.axes[1].values) {
                const auto row = [](const char* id, double ms) {
                    return gpu::SweepRow{id, gpu::Status::ok, "",
                                         gpu::Timing{.clock = gpu::Clock::device,
                                                     .medianMs = ms,
                                                     .lowMs = ms * 0.99,
                                                     .highMs = ms * 1.01,
                                                     .samples = 20}};
                };
                const bool best = width == "16" && height == "16", large = width == "32" && height == "64";
                gpu::SweepCell cell{{width, height}, 64, 64, {row("naive", 3), row("tiled_output", best ? 1 : 2)}};
                if (large)
                    for (gpu::SweepRow& one : cell.rows) one = {one.id, gpu::Status::unsupported, "2048 threads", {}};
                sweep.cells.push_back(cell);
            }
        }
        return sweep;
    }
};

TEST_F(BlockWalk, ExperimentsOfTheBookTakeTwoClicks) {
    const int ladder = session().variants().rowCount();
    experiment("Blocks 8");
    EXPECT_EQ(session().variants().rowCount(), ladder + 3);
    EXPECT_GE(session().variants().rowOf(kBest), 0);
    step("Blocks 8 x 8 to 32 x 32 beside the variant");
    photograph("experiments");
    session().request().setCurrent("coarsened");
    experiment("Coarsening");
    EXPECT_GE(session().variants().rowOf("coarsened@outputs_per_thread=16"), 0);
    step("Coarsening 1 to 16 beside the variant");
    experiment("Remove all");
    EXPECT_EQ(session().variants().rowCount(), ladder);
    step("Take those rows away again");
}

TEST_F(BlockWalk, TheBestBlockIsFoundAndExplainedByTheMouseAndByKeys) {
    writeSweep();
    click("page-button-why");
    click("why-part-crossover");
    EXPECT_EQ(chart()->map().cells.size(), 9U);
    EXPECT_EQ(chart()->map().cells[8].name, "refused");
    photograph("sweep-map");
    click("sweep-use-best");
    EXPECT_EQ(session().request().current(), kBest);
    step("Find the best block of a filter");
    click("why-part-picture");
    ASSERT_TRUE(waitFor([this] { return page().model().counters(kBest) != nullptr; }));
    EXPECT_FALSE(page().model().sentences().empty());
    step("Show why it is the best");

    session().variants().setAdded({});
    window->pages()->setCurrent(window->pages()->page("compare"));
    auto* why = window->findChild<QAction*>("page-why");
    ASSERT_NE(why, nullptr);
    const QKeyCombination combination = why->shortcut()[0];
    press(window.get(), combination.key(), combination.keyboardModifiers());
    ASSERT_EQ(window->pages()->current(), &page());
    press(window.get(), Qt::Key_X);
    ASSERT_TRUE(chart()->hasFocus());
    press(chart(), Qt::Key_Return);
    EXPECT_EQ(session().request().current(), kBest);
    step("Find the best block of a filter, by keys");
    press(window.get(), Qt::Key_I);
    ASSERT_TRUE(waitFor([this] { return page().model().counters(kBest) != nullptr; }));
    step("Show why it is the best, by a key");
}

// Over one axis the variants are curves, and what was refused stands at the foot.
TEST_F(BlockWalk, OneAxisIsDrawnAsCurves) {
    gpu::Sweep one = blocks();
    one.axes.erase(one.axes.begin());
    one.cells.erase(one.cells.begin(), one.cells.begin() + 6);
    for (gpu::SweepCell& cell : one.cells) cell.at.erase(cell.at.begin());
    one.cells[1].rows[1].time->medianMs = 1.5;
    write("one", one);
    click("page-button-why");
    press(window.get(), Qt::Key_X);
    SweepCurve* curve = find<SweepCurve>("sweep-curve");
    ASSERT_TRUE(curve->isVisible());
    EXPECT_FALSE(chart()->isVisible());
    EXPECT_TRUE(curve->hasFocus());
    ASSERT_EQ(curve->curves().curves.size(), 2U);
    EXPECT_EQ(curve->curves().values, (QStringList{"8", "16", "64"}));
    EXPECT_EQ(curve->curves().refused, (std::vector<bool>{false, false, true}));
    EXPECT_FALSE(curve->curves().curves[0].points[2]) << "a refused one has no time";
    EXPECT_LT(curve->place(1, 3).y(), curve->place(1, 1.5).y()) << "slower is higher";
    press(curve, Qt::Key_Right);
    EXPECT_EQ(curve->chosen(), 1);
    photograph("sweep-curve");
    QTest::mouseClick(curve, Qt::LeftButton, {}, curve->place(2, 1).toPoint());
    EXPECT_EQ(curve->chosen(), 2);
    EXPECT_TRUE(curve->accessibleDescription().contains("2048 threads"))
        << curve->accessibleDescription().toStdString();
    press(curve, Qt::Key_Left);
    click("competes-tiled_output");
    EXPECT_EQ(curve->curves().curves.size(), 1U);
    press(curve, Qt::Key_Return);
    EXPECT_TRUE(session().request().current().starts_with("naive@block_height=")) << session().request().current();
}

}  // namespace
}  // namespace warplens::gui::test
