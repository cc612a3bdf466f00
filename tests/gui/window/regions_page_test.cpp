// SPDX-License-Identifier: Apache-2.0
// The page Regions by real events: what is selected, what is labelled and measured, and that the pictures and the table
// show the same region.
#include "gui/regions/regions_page.hpp"

#include "gpu/core/separating_level.hpp"
#include "gpu/report/region_measures.hpp"
#include "gpu/report/region_outlines.hpp"
#include "gpu/run/runner.hpp"
#include "gui/kit/value_spin.hpp"
#include "gui/picture/pane.hpp"
#include "gui/regions/components_panel.hpp"
#include "gui/regions/counts_strip.hpp"
#include "gui/regions/measure_chart.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/session/propagation_replay.hpp"
#include "io/generate.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace warplens::gui::test {
namespace {

/// Three bright rectangles on a dark ground, of 200, 48 and 6 pixels; the first stands for a coin with a flaw.
io::Grid blocks() {
    io::Grid picture({80, 60, 1, 1}, io::PixelType::u8);
    for (std::int64_t y = 0; y < 60; ++y)
        for (std::int64_t x = 0; x < 80; ++x) picture.setValue(x, y, 0, 0, 10);
    const auto block = [&](int x0, int y0, int width, int height, double value) {
        for (int y = y0; y < y0 + height; ++y)
            for (int x = x0; x < x0 + width; ++x) picture.setValue(x, y, 0, 0, value);
    };
    block(10, 10, 20, 10, 180);
    block(50, 12, 8, 6, 150);
    block(40, 45, 3, 2, 200);
    return picture;
}

class RegionsPageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        session().inputs().use("blocks", "said", std::make_shared<const io::Grid>(blocks()));
        ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name() == "blocks"; }, kPatienceMs));
        QTest::mouseClick(find<QPushButton>("page-button-regions"), Qt::LeftButton);
        ASSERT_EQ(window->pages()->current(), &page());
        ASSERT_TRUE(shown());
    }
    RegionsPage& page() { return *find<RegionsPage>("page-regions"); }
    ComponentsPanel& panel() { return *page().components(); }
    QTableView* table() { return panel().findChild<QTableView*>("regions-table"); }
    /// The present result is in its pane.
    bool shown() {
        return filtered() && QTest::qWaitFor([this] { return page().settled(); }, kPatienceMs);
    }
    ImageView* input() { return page().inputPane()->view(); }
    ImageView* result() { return page().resultPane()->view(); }
    void click(ImageView* view, double x, double y, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, keys,
                          view->mapTo(window.get(), view->toWidget({x, y}).toPoint()));
    }
    template <class Widget>
    Widget* here(const char* name) {
        auto* widget = window->pages()->current()->findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }
    void level(double value) {
        find<ValueSpin>("regions-level")->setValue(value);
        ASSERT_TRUE(shown());
    }
    /// What the table shows, column by column.
    QStringList column(int index) {
        QStringList texts;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            texts << table()->model()->index(row, index).data().toString();
        return texts;
    }
    void clickRow(int row) {
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(table()->model()->index(row, 1)).center());
    }
    bool selected(std::int64_t pixels) {
        return QTest::qWaitFor([&] { return session().mask().inside() == pixels && idle(); }, kPatienceMs);
    }
    QRgb seen(ImageView* view, double x, double y) {
        return view->grab().toImage().pixel(view->toWidget({x, y}).toPoint() * view->devicePixelRatioF());
    }
};

TEST_F(RegionsPageTest, LabelsAndMeasuresWhatIsAboveTheLevel) {
    EXPECT_EQ(session().parameters().family()->id(), "components") << "not one that waits for a seed";
    EXPECT_TRUE(window->findChild<QDockWidget*>("regions-statistics-dock")->isVisible());
    EXPECT_TRUE(window->findChild<QDockWidget*>("results-dock")->isVisible()) << "the times, as on Compare";
    // At first the picture says where its regions begin, and goes on to until somebody does.
    EXPECT_EQ(panel().model().rowCount(), 3);
    EXPECT_TRUE(find<QPushButton>("regions-auto-level")->isChecked());
    const double automatic = find<ValueSpin>("regions-level")->value();
    EXPECT_EQ(automatic, gpu::otsuThreshold(*session().document().grid()));
    level(5);
    EXPECT_FALSE(find<QPushButton>("regions-auto-level")->isChecked());
    EXPECT_EQ(panel().model().rowCount(), 1) << "all is above 5";
    find<QPushButton>("regions-auto-level")->click();
    ASSERT_TRUE(shown());
    EXPECT_EQ(find<ValueSpin>("regions-level")->value(), automatic);
    EXPECT_EQ(gpu::format(session().parameters().value("level")), "auto");
    EXPECT_EQ(panel().model().rowCount(), 3);
    level(100);
    EXPECT_EQ(column(1).join(' ').toStdString(), "200 48 6") << "the largest first";
    EXPECT_EQ(column(2).front().toStdString(), "10, 10, 20 × 10");
    EXPECT_EQ(column(3).front().toStdString(), "19.5, 14.5");
    QTest::mouseClick(table()->horizontalHeader()->viewport(), Qt::LeftButton, {},
                      {table()->horizontalHeader()->sectionViewportPosition(1) + 8, 8});
    EXPECT_EQ(column(1).join(' ').toStdString(), "6 48 200");
    auto* slider = find<QSlider>("regions-level-slider");
    EXPECT_EQ(slider->value(), 100) << "a stop a value";
    slider->setFocus();
    for (int i = 0; i < 6; ++i) QTest::keyClick(slider, Qt::Key_PageUp);
    ASSERT_TRUE(shown());
    EXPECT_EQ(std::get<double>(session().parameters().value("level")), slider->value());
    EXPECT_EQ(panel().model().rowCount(), 2) << "150 is not above " << slider->value();
}

TEST_F(RegionsPageTest, MeasuresStandInTheTableAndRegionsAreKeptByAnyOfThem) {
    level(100);
    const gpu::Table expected = gpu::measureRegions(
        *session().results().of(session().request().current())->result.picture, session().document().grid().get(), {});
    ASSERT_EQ(expected.rows(), 3u);
    clickRow(1);
    const auto chosen = panel().chosen();
    ASSERT_TRUE(chosen);
    auto* by = find<QComboBox>("keep-by");
    EXPECT_EQ(by->itemText(0), "Area px");
    const int mean = by->findText("Mean");
    ASSERT_GT(mean, 0) << "of the picture that was opened";
    by->setFocus();
    QTest::keyClicks(by, "Mean");
    EXPECT_EQ(by->currentIndex(), mean);
    EXPECT_EQ(panel().kept(), 3) << "all, until bounds are given";
    EXPECT_EQ(panel().chosen(), chosen);
    std::vector<double> means = expected.reals("mean");
    std::ranges::sort(means);
    EXPECT_EQ(find<ValueSpin>("keep-most")->value(), means.back());
    find<ValueSpin>("keep-least")->setValue(means.back());
    EXPECT_LT(panel().kept(), 3);
    const gpu::Table shown = panel().shownTable();
    EXPECT_EQ(shown.rows(), static_cast<std::size_t>(panel().kept()));
    EXPECT_EQ(shown.reals("mean").front(), means.back()) << "and the file has the measures";
    EXPECT_NE(shown.find("perimeter"), nullptr);
}

TEST_F(RegionsPageTest, ARegionIsChosenInEitherPaneAndInTheTable) {
    level(100);
    const QPointF before = input()->viewState()->centre();
    click(result(), 52.5, 14.5);
    ASSERT_TRUE(panel().chosen());
    EXPECT_EQ(panel().model().area(*panel().chosen()), 48);
    EXPECT_EQ(page().chosenTag().pixels(), QRectF(50, 12, 8, 6));
    EXPECT_EQ(page().chosenTag().text().toStdString(), "label 2");
    EXPECT_EQ(input()->viewState()->centre(), before) << "what is seen stays where it was clicked";
    click(result(), 2.5, 2.5);
    EXPECT_FALSE(panel().chosen()) << "the ground is no region";
    EXPECT_TRUE(page().chosenTag().pixels().isEmpty());
    click(input(), 41.5, 45.5);
    ASSERT_TRUE(panel().chosen());
    EXPECT_EQ(panel().model().area(*panel().chosen()), 6);
    ASSERT_TRUE(selected(6)) << "the wand's click selects it, too";
    // From the table it is brought into view.
    input()->viewState()->setZoom(40, {5, 5});
    input()->viewState()->setCentre({5, 55});
    clickRow(0);
    EXPECT_EQ(page().chosenTag().pixels(), QRectF(10, 10, 20, 10));
    EXPECT_TRUE(QRectF(input()->rect()).contains(input()->toWidget({20, 15})));
    // Its box is drawn in both.
    input()->viewState()->fit();
    const QRgb accent = colour(Role::accent).rgb();
    for (ImageView* view : {input(), result()})
        EXPECT_EQ(seen(view, 20, 10), accent) << view->objectName().toStdString();
}

TEST_F(RegionsPageTest, AreasOutsideTheLimitsAreLeftOutAndOutlined) {
    level(100);
    EXPECT_EQ(panel().findChild<QLabel*>("components-kept")->text().toStdString(), "3 of 3");
    const QRgb colour = seen(result(), 20, 15);
    QTest::mouseClick(panel().findChild<ValueSpin*>("keep-least"), Qt::LeftButton);
    panel().findChild<ValueSpin*>("keep-least")->setValue(40);
    panel().findChild<ValueSpin*>("keep-most")->setValue(100);
    EXPECT_EQ(column(1).join(' ').toStdString(), "48");
    EXPECT_EQ(panel().findChild<QLabel*>("components-kept")->text().toStdString(), "1 of 3");
    EXPECT_EQ(panel().findChild<QLabel*>("components-mean")->text().toStdString(), "48 px");
    EXPECT_NE(seen(result(), 20, 15), colour) << "left out";
    EXPECT_EQ(seen(result(), 20, 15), qRgb(0, 0, 0));
    const QPoint edge = result()->toWidget({10, 15}).toPoint();
    const QImage image = result()->grab().toImage();
    int brightest = 0;
    for (int dx = -3; dx <= 3; ++dx) brightest = std::max(brightest, qRed(image.pixel(edge + QPoint(dx, 0))));
    EXPECT_GT(brightest, 100) << "its outline stays";
    level(120);
    EXPECT_EQ(column(1).join(' ').toStdString(), "48") << "the limits stay with another level";
    click(result(), 20, 15);
    EXPECT_FALSE(panel().chosen()) << "left out";
}

TEST_F(RegionsPageTest, TheRowsShownAreExported) {
    level(100);
    panel().findChild<ValueSpin*>("keep-least")->setValue(10);
    QTest::mouseClick(panel().findChild<QToolButton*>("export-components"), Qt::LeftButton);
    auto* dialog = window->findChild<QFileDialog*>("export-table");
    ASSERT_NE(dialog, nullptr);
    const QString path = folder.filePath("regions.csv");
    emit dialog->fileSelected(path);
    const auto linesOf = [&] {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()).split('\n', Qt::SkipEmptyParts)
                                              : QStringList();
    };
    const QStringList lines = linesOf();
    ASSERT_EQ(lines.size(), 3) << lines.join('|').toStdString();
    EXPECT_TRUE(lines[0].startsWith("label,area [px],x0 [px],")) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].startsWith("1,200,10,10,0,29,19,0,19.5,14.5")) << lines[1].toStdString();
    EXPECT_TRUE(lines[2].startsWith("2,48,")) << lines[2].toStdString();
    ASSERT_EQ(dialog->nameFilters().size(), 2);
    dialog->selectNameFilter(dialog->nameFilters().back());
    emit dialog->fileSelected(path);
    const QStringList plain = linesOf();
    EXPECT_TRUE(plain[0].startsWith("label,area,x0,")) << plain[0].toStdString();
    EXPECT_EQ(plain.mid(1), lines.mid(1));
    dialog->close();
}

TEST_F(RegionsPageTest, OutlinesOfTheRegionsKeptAreWritten) {
    level(100);
    panel().findChild<ValueSpin*>("keep-least")->setValue(10);
    QTest::mouseClick(panel().findChild<QToolButton*>("export-outlines"), Qt::LeftButton);
    auto* dialog = window->findChild<QFileDialog*>("save-outlines");
    ASSERT_NE(dialog, nullptr);
    const QString path = folder.filePath("RoiSet.zip");
    emit dialog->fileSelected(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(path); }, kPatienceMs));
    const io::Grid& labels = *session().results().of(session().request().current())->result.picture;
    const auto outlines = gpu::regionOutlines(labels, [](std::int64_t label) { return label != 3; }, {});
    ASSERT_EQ(outlines.size(), 2U);
    const auto expected = gpu::toImageJ(outlines, labels.shape());
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    EXPECT_EQ(file.readAll(),
              QByteArray(reinterpret_cast<const char*>(expected.data()), static_cast<qsizetype>(expected.size())));
    dialog->close();
}

TEST_F(RegionsPageTest, TwoMeasuresAreAScatterInWhichRegionsAreChosen) {
    level(100);
    auto* against = find<QComboBox>("shown-against");
    auto* scatter = dynamic_cast<MeasureScatter*>(panel().findChild<QWidget*>("measures-scatter"));
    ASSERT_NE(scatter, nullptr);
    EXPECT_FALSE(scatter->isVisible());
    ASSERT_GT(against->findText("Mean"), 0);
    against->setFocus();
    QTest::keyClicks(against, "Mean");
    ASSERT_TRUE(scatter->isVisible());
    EXPECT_FALSE(find<QWidget>("areas-chart")->isVisible());
    // From the least area on: 6 pixels of 200, 48 of 150, 200 of 180.
    EXPECT_EQ(scatter->plot().choices.at, (QPolygonF{{6, 200}, {48, 150}, {200, 180}}));
    clickRow(0);
    EXPECT_EQ(scatter->chosen(), 2) << "the largest stands first";
    QTest::mouseClick(scatter, Qt::LeftButton, {}, scatter->places().place({48, 150}).toPoint());
    ASSERT_TRUE(panel().chosen());
    EXPECT_EQ(panel().model().area(*panel().chosen()), 48);
    EXPECT_EQ(page().chosenTag().pixels(), QRectF(50, 12, 8, 6)) << "marked in the picture as well";
    EXPECT_EQ(scatter->spokenChoice().toStdString(), "region 2: Area px 48, Mean 150");
    QTest::keyClick(scatter, Qt::Key_Left);
    EXPECT_EQ(panel().model().area(*panel().chosen()), 6);

    find<ValueSpin>("keep-least")->setValue(10);
    const auto points = [&](std::size_t mark) { return std::get<PointMark>(scatter->plot().marks.at(mark)).at; };
    EXPECT_EQ(points(0), (QPolygonF{{6, 200}})) << "left out";
    EXPECT_EQ(points(1), (QPolygonF{{48, 150}, {200, 180}}));
    level(120);
    EXPECT_TRUE(scatter->isVisible()) << "the choice stays with another level";
    against->setFocus();
    QTest::keyClick(against, Qt::Key_Home);
    EXPECT_FALSE(scatter->isVisible());
    EXPECT_TRUE(find<QWidget>("areas-chart")->isVisible());
}

TEST_F(RegionsPageTest, TheWandSelectsAndFollowsItsTolerance) {
    click(input(), 20, 15);
    ASSERT_TRUE(selected(200));
    EXPECT_EQ(page().selectedTag().text().toStdString(), "wand: 200 pixels");
    EXPECT_EQ(page().selectedTag().pixels(), QRectF(10, 10, 20, 10));
    click(input(), 52, 14, Qt::ShiftModifier);
    ASSERT_TRUE(selected(248)) << "one more";
    click(input(), 2, 2);
    ASSERT_TRUE(selected(80 * 60 - 254)) << "another";
    auto* tolerance = here<QSlider>("region-tolerance-slider");
    tolerance->setValue(145);
    ASSERT_TRUE(selected(80 * 60 - 206)) << "10 and 150 are 140 apart";
    EXPECT_EQ(here<ValueSpin>("region-tolerance")->text().toStdString(), "145") << "of whole values";
    tolerance->setValue(10);
    ASSERT_TRUE(selected(80 * 60 - 254)) << "and back";
    QTest::mouseClick(here<QPushButton>("regions-undo"), Qt::LeftButton);
    ASSERT_TRUE(selected(248));
    QTest::mouseClick(here<QPushButton>("region-clear"), Qt::LeftButton);
    EXPECT_TRUE(session().mask().empty());
    EXPECT_TRUE(page().selectedTag().text().isEmpty());
}

TEST_F(RegionsPageTest, AFamilyThatGrowsRegionsTakesTheClicksAsSeeds) {
    chooseFamily("Flood");
    EXPECT_EQ(window->pages()->current(), &page());
    ASSERT_TRUE(shown());
    click(input(), 20, 15);
    ASSERT_TRUE(shown());
    EXPECT_EQ(page().selectedTag().text().toStdString(), "wand: 200 pixels");
    click(input(), 52, 14, Qt::ShiftModifier);
    ASSERT_TRUE(shown());
    EXPECT_EQ(page().selectedTag().text().toStdString(), "wand: 248 pixels");
    auto* tolerance = here<QSlider>("region-tolerance-slider");
    tolerance->setValue(30);
    ASSERT_TRUE(shown());
    EXPECT_EQ(std::get<double>(session().parameters().value("tolerance")), 30);
    session().parameters().set("tolerance", 20.0);
    EXPECT_EQ(tolerance->value(), 20) << "the form's value is the strip's";
    ASSERT_TRUE(shown());
    QTest::mouseClick(here<QPushButton>("regions-as-mask"), Qt::LeftButton);
    EXPECT_EQ(session().mask().inside(), 248);
}

TEST_F(RegionsPageTest, TheFrontierPlaysAsAFilm) {
    chooseFamily("Flood");
    ASSERT_TRUE(shown());
    click(input(), 10.5, 10.5);
    ASSERT_TRUE(shown());
    auto* strip = here<CountsStrip>("counts-strip");
    EXPECT_TRUE(strip->isVisible());
    ASSERT_TRUE(page().watchable());
    const std::vector<std::int64_t>& frontier = strip->findChild<CountsCurve*>()->counts();
    ASSERT_EQ(frontier.size(), 20 + 10 - 1U) << "the way to the far corner";
    EXPECT_EQ(std::accumulate(frontier.begin(), frontier.end(), std::int64_t{0}), 200);
    EXPECT_EQ(frontier[5], 6) << "a diagonal";
    QTest::mouseClick(here<QToolButton>("regions-step"), Qt::LeftButton);
    for (int i = 0; i < 5; ++i) QTest::keyClick(&page(), Qt::Key_N);
    EXPECT_EQ(strip->step(), std::optional<std::int64_t>(5));
    EXPECT_EQ(page().selectedTag().text().toStdString(), "flood, step 5: frontier 6 pixels");
    input()->viewState()->fit();
    EXPECT_EQ(seen(input(), 13.5, 12.5), colour(Role::accent).rgb()) << "3 + 2 steps from the seed";
    EXPECT_NE(seen(input(), 20.5, 12.5), colour(Role::accent).rgb()) << "not reached yet";
    // On the curve a place is a step.
    auto* curve = strip->findChild<CountsCurve*>();
    QTest::mouseClick(curve, Qt::LeftButton, {}, {curve->width() - 1, curve->height() / 2});
    EXPECT_EQ(strip->step(), std::optional<std::int64_t>(28));
    QTest::mouseClick(here<QToolButton>("regions-play"), Qt::LeftButton);
    EXPECT_TRUE(page().playing());
    EXPECT_LT(*strip->step(), 28) << "from the start again";
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page().playing(); }, kPatienceMs));
    EXPECT_EQ(strip->step(), std::optional<std::int64_t>(28));
    // Another seed is another film.
    click(input(), 52, 14);
    ASSERT_TRUE(shown());
    EXPECT_FALSE(strip->step());
    QTest::mouseClick(here<QToolButton>("regions-play"), Qt::LeftButton);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_FALSE(page().playing()) << "nobody sees it";
}

TEST_F(RegionsPageTest, PassesOfPropagationAreACurve) {
    level(100);
    auto* strip = here<CountsStrip>("counts-strip");
    EXPECT_FALSE(strip->isVisible()) << "one pass needs none";
    session().request().setCurrent("propagation");
    ASSERT_TRUE(shown());
    EXPECT_TRUE(strip->isVisible());
    const gpu::Table& passes = *record("propagation").result.tables.back();
    EXPECT_EQ(strip->findChild<CountsCurve*>()->counts(), passes.integers("changed"));
    // They play, too: the labels converge in the picture.
    ASSERT_TRUE(page().watchable());
    const auto labels = page().resultPane()->content().picture;
    auto* curve = strip->findChild<CountsCurve*>();
    const auto pass = [&](double share) {
        QTest::mouseClick(curve, Qt::LeftButton, {},
                          {static_cast<int>(share * (curve->width() - 1)), curve->height() / 2});
        return QTest::qWaitFor([&] { return page().settled(); }, kPatienceMs);
    };
    ASSERT_TRUE(pass(0));
    EXPECT_EQ(page().resultPane()->content().hint.toStdString(), "after pass 1");
    const auto first = page().resultPane()->content().picture;
    EXPECT_EQ(first->value(10, 10), 1) << "the first pixel has its label from the start";
    EXPECT_GT(first->value(29, 19), 3) << "the last one none yet";
    EXPECT_EQ(first->value(0, 0), 0);
    ASSERT_TRUE(pass(1));
    EXPECT_EQ(std::memcmp(page().resultPane()->content().picture->data(), labels->data(), labels->bytes()), 0)
        << "in the end they are the result";
    session().request().setCurrent("union_find");
    ASSERT_TRUE(shown());
    EXPECT_FALSE(strip->isVisible());
    EXPECT_NE(page().resultPane()->content().state, std::nullopt) << "the result again";
}

// Against the passes that the kernel counted itself, over neighbourhoods and ways.
TEST(PropagationReplay, ChangesAsManyLabelsInEachPassAsTheKernel) {
    gpu::Runner runner;
    for (const char* input : {"gen:spiral:17x13:u8", "gen:blobs:33x21:u8:cell=5", "gen:comb:19x12:u8",
                              "gen:blobs:9x8x7:u8:cell=3", "gen:noise:31x9:u8"})
        for (const bool corners : {false, true}) {
            gpu::Request request;
            request.family = "components";
            request.input = std::make_shared<const io::Grid>(io::generate(input));
            const bool volume = request.input->shape().depth > 1;
            request.parameters = {{"level", 120.0},
                                  {"connectivity", std::string(volume    ? corners ? "26" : "6"
                                                               : corners ? "8"
                                                                         : "4")}};
            request.device = "cpu";
            request.variants = {"propagation"};
            request.timing = gpu::TimingPolicy::once();
            request.measureLimits = false;
            const gpu::Comparison done = runner.run(request);
            const gpu::RunRecord& run = done.runs.front();
            ASSERT_EQ(run.status, gpu::Status::ok) << input << ' ' << run.reason;
            const auto& changed = run.result.tables.back()->integers("changed");
            PropagationReplay replay(run.result.picture, corners);
            for (const std::int64_t labels : changed) EXPECT_EQ(replay.advance(), labels) << input << ' ' << corners;
            const auto end = replay.picture();
            EXPECT_EQ(std::memcmp(end->data(), run.result.picture->data(), end->bytes()), 0) << input;
            replay.go(1);
            EXPECT_EQ(replay.pass(), 1) << "back to an earlier pass";
        }
}

TEST_F(RegionsPageTest, WrongPixelsOfAnApproximateDistanceAreMarked) {
    chooseFamily("Distance");
    EXPECT_EQ(window->pages()->current(), &page());
    level(100);
    const PaneContent& content = page().resultPane()->content();
    ASSERT_TRUE(content.display);
    EXPECT_EQ(content.display->map, ColourMap::viridis);
    EXPECT_EQ(content.legend.toStdString(), "distance, px");
    session().parameters().set("squared", true);
    ASSERT_TRUE(shown());
    EXPECT_EQ(content.legend.toStdString(), "squared distance, px²");
    session().parameters().set("squared", false);
    ASSERT_TRUE(shown());
    session().control().compare();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !session().control().comparing(); }, kPatienceMs));
    session().request().setCurrent("jump_flooding");
    ASSERT_TRUE(shown());
    const gpu::RunRecord& run = record("jump_flooding");
    ASSERT_TRUE(run.verification);
    EXPECT_TRUE(find<QLabel>("regions-told")->text().startsWith(QString::fromStdString(run.verification->note)))
        << find<QLabel>("regions-told")->text().toStdString();
}

TEST(SeparatingLevel, PartsTwoKindsOfValues) {
    for (const double low : {0.0, 20.0, 90.0})
        for (const double high : {130.0, 200.0, 255.0}) {
            io::Grid picture({64, 64, 1, 1}, io::PixelType::u8);
            for (std::int64_t i = 0; i < 64 * 64; ++i)
                picture.setValue(i, 0, 0, 0, std::min(255.0, (i % 3 == 0 ? high : low) + static_cast<double>(i % 7)));
            const double level = gpu::otsuThreshold(picture);
            EXPECT_GE(level, low + 6) << low << ' ' << high;
            EXPECT_LT(level, high) << low << ' ' << high;
            EXPECT_EQ(level, std::floor(level)) << "a value that such a picture can have";
        }
    io::Grid flat({5, 5, 1, 1}, io::PixelType::f32);
    for (std::int64_t i = 0; i < 25; ++i) flat.setValue(i, 0, 0, 0, 0.25);
    EXPECT_EQ(gpu::otsuThreshold(flat), 0) << "inside where it is above 0, as masks have it";
}

TEST_F(RegionsPageTest, NeighboursAreThoseOfTheTaskAndOfTheWand) {
    io::Grid diagonal({8, 8, 1, 1}, io::PixelType::u8);
    for (std::int64_t y = 0; y < 8; ++y)
        for (std::int64_t x = 0; x < 8; ++x) diagonal.setValue(x, y, 0, 0, x == y ? 200 : 0);
    session().inputs().use("diagonal", "said", std::make_shared<const io::Grid>(std::move(diagonal)));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name() == "diagonal"; }, kPatienceMs));
    level(100);
    EXPECT_EQ(panel().model().rowCount(), 1);
    QTest::mouseClick(find<QPushButton>("regions-few"), Qt::LeftButton);
    ASSERT_TRUE(shown());
    EXPECT_EQ(panel().model().rowCount(), 8);
    EXPECT_TRUE(find<QPushButton>("regions-few")->isChecked());
    EXPECT_FALSE(find<QPushButton>("regions-many")->isChecked());
    click(input(), 3.5, 3.5);
    ASSERT_TRUE(selected(1));
    QTest::mouseClick(find<QPushButton>("regions-many"), Qt::LeftButton);
    ASSERT_TRUE(shown());
    EXPECT_EQ(panel().model().rowCount(), 1);
    click(input(), 3.5, 3.5);
    EXPECT_TRUE(selected(8));
}

TEST_F(RegionsPageTest, ItsToolsGoWithItAndForceNoLargerWindow) {
    EXPECT_TRUE(session().regions().on());
    chooseFamily("Flood");  // with a curve below the pictures
    ASSERT_TRUE(shown());
    for (const bool project : {false, true}) {
        find<QAction>("projector")->setChecked(project);
        for (const QSize size : {QSize(1920, 1080), QSize(1280, 720)}) {
            for (int turn = 0; turn < 3; ++turn) {  // it shrinks only as far as what was there before it adapted
                window->resize(size);
                QTest::qWait(60);
            }
            EXPECT_EQ(window->size(), size) << (project ? "projector" : "");
        }
    }
    find<QAction>("projector")->setChecked(false);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_FALSE(session().regions().on()) << "a drag pans there again";
}

}  // namespace
}  // namespace warplens::gui::test
