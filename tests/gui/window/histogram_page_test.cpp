// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/histogram/histogram_page.hpp"

#include "gui/kit/elided.hpp"
#include "gui/lenses/histogram/histogram_chart.hpp"
#include "gui/picture/bins.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "io/read.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QToolButton>
#include <cmath>
#include <cstring>

namespace warplens::gui::test {
namespace {

class HistogramPageTest : public WindowTest {
protected:
    HistogramPage& page() { return *find<HistogramPage>("page-histogram"); }
    HistogramModel& model() { return page().model(); }
    HistogramChart* chart() { return find<HistogramChart>("counts"); }
    ImageView* picture() { return find<ImageView>("histogram-picture"); }
    /// The page, by a click on its name, with everything counted.
    void show(const QString& input) {
        open(input);
        QTest::mouseClick(find<QPushButton>("page-button-histogram"), Qt::LeftButton);
        ASSERT_EQ(window->pages()->current(), &page());
        ASSERT_TRUE(counted());
    }
    bool counted() {
        return QTest::qWaitFor(
            [this] {
                return model().counts() != nullptr && !model().outdated() && !model().busy() &&
                       !session().activity().busy() && model().figures() != nullptr && model().lanes() != nullptr;
            },
            kPatienceMs);
    }
    void drag(QWidget* on, QPointF from, QPointF to) {
        QTest::mousePress(on, Qt::LeftButton, Qt::NoModifier, from.toPoint());
        QTest::mouseMove(on, ((from + to) / 2).toPoint());
        QTest::mouseMove(on, to.toPoint());
        QTest::mouseRelease(on, Qt::LeftButton, Qt::NoModifier, to.toPoint());
    }
    const io::Grid& grid() { return *session().document().grid(); }
};

TEST_F(HistogramPageTest, ItsFamilyComesWithThePageAndGoesWithIt) {
    show("gen:noise:64x48:u8");
    EXPECT_EQ(session().parameters().family()->id(), "histogram");
    EXPECT_FALSE(window->findChild<QWidget*>("results-dock")->isVisible());
    EXPECT_TRUE(window->findChild<QWidget*>("histogram-statistics-dock")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_EQ(session().parameters().family()->id(), "convolution") << "the family last used on that page";
    EXPECT_FALSE(window->findChild<QWidget*>("histogram-statistics-dock")->isVisible());
    QTest::mouseClick(find<QPushButton>("page-button-histogram"), Qt::LeftButton);
    chooseFamily("blur");
    EXPECT_EQ(window->pages()->current()->id(), "compare") << "a family that this page does not show";
}

TEST_F(HistogramPageTest, NoNumberAndNoHeadIsCutInANarrowWindow) {
    show("gen:noise:64x48:u8");
    const std::vector<std::pair<bool, QSize>> looks{
        {false, {1280, 720}}, {true, {1280, 720}}, {true, {1920, 1080}}, {false, {1920, 1080}}};
    for (const auto& [project, size] : looks) {
        find<QAction>("projector")->setChecked(project);
        window->resize(size);
        QTest::qWait(50);
        int heads = 0;
        for (auto* label : page().statistics()->findChildren<QLabel*>())
            if (label->property("look") == "caption" && label->isVisible() && !label->wordWrap()) {
                ++heads;
                EXPECT_FALSE(label->text().contains(QChar(0x2026))) << size.width() << label->text().toStdString();
                EXPECT_GE(label->width(), label->fontMetrics().horizontalAdvance(label->text()))
                    << label->text().toStdString();
            }
        EXPECT_TRUE(project || heads >= 2) << "rates are recorded and shipped";
        const QString caption = find<QWidget>("counts-panel")->findChild<ElidedLabel*>()->text();
        EXPECT_TRUE(caption.startsWith("256 bins of 1") || (project && caption.isEmpty())) << caption.toStdString();
        for (auto* shown : page().findChildren<PaneCaption*>())
            for (const PaintedText& text : textsOf(shown))
                EXPECT_TRUE(text.text.startsWith("gen:") || !text.text.contains(QChar(0x2026)))
                    << size.width() << ": " << text.text.toStdString();
    }
    find<QAction>("projector")->setChecked(false);
}

TEST_F(HistogramPageTest, ADraggedRangeMarksItsPixelsAndNoOthers) {
    show("gen:noise:64x48:u8");
    drag(chart(), chart()->pointOf(100), chart()->pointOf(149));
    ASSERT_TRUE(model().range().has_value());
    EXPECT_EQ(*model().range(), (ValueRange{100, 150}));
    std::int64_t inside = 0;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) inside += grid().value(x, y) >= 100 && grid().value(x, y) < 150;
    EXPECT_EQ(model().markedPixels(), inside);
    EXPECT_TRUE(page().picturePane()->content().hint.startsWith(QString::number(inside)));

    picture()->viewState()->setCursor(std::nullopt);
    QTest::qWait(50);
    const QImage image = picture()->grab().toImage();
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const QColor seen = image.pixelColor(picture()->toWidget(QPointF(x + 0.5, y + 0.5)).toPoint());
            // The picture is grey; what is marked has the accent's hue.
            const bool marked = seen.blue() - seen.red() > 40;
            ASSERT_EQ(marked, grid().value(x, y) >= 100 && grid().value(x, y) < 150) << x << ' ' << y;
        }
    QTest::mouseClick(find<QPushButton>("mark-range"), Qt::LeftButton);
    const QImage plain = picture()->grab().toImage();
    for (int i = 0; i < 64; ++i) {
        const QColor seen = plain.pixelColor(picture()->toWidget(QPointF(i + 0.5, 20.5)).toPoint());
        EXPECT_EQ(seen.red(), seen.blue());
    }
}

TEST_F(HistogramPageTest, KeysPointAndSelect) {
    show("gen:noise:64x48:u8");
    chart()->setFocus();
    QTest::keyClick(chart(), Qt::Key_Home);
    EXPECT_EQ(chart()->pointed(), 0);
    for (int i = 0; i < 3; ++i) QTest::keyClick(chart(), Qt::Key_Right, Qt::ShiftModifier);
    EXPECT_EQ(model().range(), std::optional(ValueRange{0, 4}));
    EXPECT_TRUE(chart()->tooltipLines().join(' ').contains("3 ≤ v < 4"));
    EXPECT_TRUE(chart()->accessibleDescription().contains("0 ≤ v < 4"));
    QTest::keyClick(chart(), Qt::Key_Delete);
    EXPECT_FALSE(model().range().has_value());
    EXPECT_EQ(model().markRule(), nullptr);
}

TEST_F(HistogramPageTest, ThePixelUnderTheCursorMarksItsBin) {
    show("gen:noise:64x48:u8");
    QTest::mouseMove(picture(), picture()->toWidget(QPointF(11.5, 7.5)).toPoint());
    const int value = static_cast<int>(grid().value(11, 7));
    EXPECT_EQ(model().binsAt(QPoint(11, 7), 0), std::vector<int>{value});
    EXPECT_TRUE(page().viewText().contains(QString("bin %1").arg(value))) << page().viewText().toStdString();
    EXPECT_TRUE(page().viewText().contains("= 3,072")) << "every element once";
    EXPECT_EQ(find<ImageView>("contention-map")->viewState()->cursor(), QPoint(11, 7));
}

TEST_F(HistogramPageTest, BothAxesCanBeLogarithmic) {
    show("gen:noise:64x48:u8");
    EXPECT_TRUE(chart()->logCounts());
    const QImage before = chart()->grab().toImage();
    auto* linear = find<QPushButton>("count-axis-linear");
    linear->setFocus();
    QTest::keyClick(linear, Qt::Key_Space);
    EXPECT_FALSE(chart()->logCounts());
    EXPECT_NE(chart()->grab().toImage(), before);
    const double at = chart()->pointOf(10).x(), end = chart()->pointOf(255).x();
    QTest::mouseClick(find<QPushButton>("value-axis-log"), Qt::LeftButton);
    EXPECT_TRUE(chart()->logValues());
    EXPECT_GT(chart()->pointOf(10).x(), at + 100) << "the low bins have room";
    EXPECT_NEAR(chart()->pointOf(255).x(), end, 6);
    drag(chart(), chart()->pointOf(10), chart()->pointOf(20));
    EXPECT_EQ(model().range(), std::optional(ValueRange{10, 21})) << "what is under the pointer, on this axis too";
}

TEST_F(HistogramPageTest, ARectangleInThePictureIsWhatIsCounted) {
    show("gen:noise:64x48:u8");
    QTest::mouseClick(find<QPushButton>("select-region"), Qt::LeftButton);
    drag(picture(), picture()->toWidget(QPointF(8.5, 4.5)), picture()->toWidget(QPointF(23.5, 13.5)));
    EXPECT_EQ(gpu::format(session().parameters().value("region")), "8,4,16,10");
    EXPECT_EQ(find<QLineEdit>("region-rectangle")->text(), "8,4,16,10");
    ASSERT_TRUE(counted());
    std::vector<std::int64_t> expected(256);
    for (int y = 4; y < 14; ++y)
        for (int x = 8; x < 24; ++x) ++expected[static_cast<std::size_t>(grid().value(x, y))];
    EXPECT_EQ(model().counts()->channels[0].bins, expected);
    EXPECT_EQ(model().pixels(), 160);
    EXPECT_EQ(model().figures()->channels[0].figures.count, 160);
    EXPECT_TRUE(model().binsAt(QPoint(7, 4), 0).empty()) << "outside";
    auto* choice = find<QComboBox>("region-choice");
    choice->setFocus();
    QTest::keyClick(choice, Qt::Key_Up);
    EXPECT_EQ(gpu::format(session().parameters().value("region")), "") << "the whole picture again";
    ASSERT_TRUE(counted());
    EXPECT_EQ(model().pixels(), 64 * 48);
}

TEST_F(HistogramPageTest, EqualisesIntoTheNextInputAndBack) {
    show("gen:gradient:64x48:u8");
    const auto original = session().document().grid();
    std::vector<double> below(256);
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) ++below[static_cast<std::size_t>(original->value(x, y))];
    double first = 0;
    for (double& n : below)
        if (n > 0 && first == 0) first = n;
    for (std::size_t v = 1; v < 256; ++v) below[v] += below[v - 1];
    auto* button = find<QPushButton>("equalise");
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().grid() != original; }, kPatienceMs));
    EXPECT_TRUE(session().document().derived());
    EXPECT_TRUE(session().document().name().contains("equalised"));
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const double n = below[static_cast<std::size_t>(original->value(x, y))];
            ASSERT_EQ(grid().value(x, y), std::nearbyint(255 * (n - first) / (64 * 48 - first))) << x << ' ' << y;
        }
    ASSERT_TRUE(counted());
    EXPECT_TRUE(session().request().command().isEmpty()) << "no command line names this picture";

    const QString path = folder.filePath("equalised.npy");
    QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
    session().outputs().save(path);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    const io::Grid read = io::read(path.toStdString());
    ASSERT_EQ(read.bytes(), grid().bytes());
    EXPECT_EQ(std::memcmp(read.data(), grid().data(), read.bytes()), 0);

    QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(session().document().grid(), original);
    EXPECT_FALSE(session().document().derived());
    EXPECT_TRUE(counted());
}

TEST_F(HistogramPageTest, StretchMakesTheSelectedRangeTheWholeScale) {
    show("gen:noise:64x48:u8");
    const auto original = session().document().grid();
    drag(chart(), chart()->pointOf(50), chart()->pointOf(99));
    QTest::mouseClick(find<QPushButton>("stretch"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().grid() != original; }, kPatienceMs));
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const double v = std::clamp((original->value(x, y) - 50) / 50 * 255, 0.0, 255.0);
            ASSERT_EQ(grid().value(x, y), std::nearbyint(v)) << x << ' ' << y;
        }
}

TEST_F(HistogramPageTest, RangeFieldsAndBinsCountAnew) {
    show("gen:noise:64x48:f32");
    auto* low = find<QDoubleSpinBox>("range-low");
    auto* high = find<QDoubleSpinBox>("range-high");
    EXPECT_NEAR(low->value(), model().counts()->edges.front(), 1e-8) << "what the empty text amounts to";
    for (auto* spin : {low, high}) {
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, spin == low ? "0.25" : "0.75");
        QTest::keyClick(spin, Qt::Key_Return);
    }
    EXPECT_EQ(gpu::format(session().parameters().value("range")), "0.25,0.75");
    ASSERT_TRUE(counted());
    std::int64_t below = 0, above = 0;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            below += grid().value(x, y) < 0.25;
            above += grid().value(x, y) >= 0.75;
        }
    EXPECT_EQ(model().counts()->channels[0].below, below);
    EXPECT_EQ(model().counts()->channels[0].above, above);
    EXPECT_EQ(model().pixels(), 64 * 48);
    QTest::mouseClick(find<QPushButton>("range-auto"), Qt::LeftButton);
    EXPECT_EQ(gpu::format(session().parameters().value("range")), "");
}

TEST_F(HistogramPageTest, ColoursAreChannelsOfTheirOwn) {
    show("gen:noise:64x48:u8:c=3");
    ASSERT_EQ(model().counts()->channels.size(), 3U);
    drag(chart(), chart()->pointOf(0), chart()->pointOf(63));
    const auto expected = [&](bool green) {
        std::int64_t count = 0;
        for (int y = 0; y < 48; ++y)
            for (int x = 0; x < 64; ++x) {
                bool any = false;
                for (int c = 0; c < 3; ++c) any = any || ((c != 1 || green) && grid().value(x, y, 0, c) < 64);
                count += any;
            }
        return count;
    };
    EXPECT_EQ(model().markedPixels(), expected(true));
    auto* button = find<QPushButton>("channel-green");
    button->setFocus();
    QTest::keyClick(button, Qt::Key_Space);
    EXPECT_EQ(model().shownChannels(), (std::vector<bool>{true, false, true}));
    EXPECT_EQ(model().markedPixels(), expected(false));
}

TEST_F(HistogramPageTest, FiguresAndLanesAreSaidInWords) {
    show("gen:noise:64x48:u8");
    QTest::mouseClick(find<QToolButton>("copy-statistics"), Qt::LeftButton);
    const QString copied = QApplication::clipboard()->text();
    EXPECT_TRUE(copied.contains("pixels\t3,072")) << copied.toStdString();
    QTest::mouseClick(find<QPushButton>("copy-counts"), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text().count('\n'), 256 + 4);
    EXPECT_EQ(model().lanes()->counted.count(), 64 * 48 / 32) << "naive: a request a warp";
    auto* variant = find<QComboBox>("contention-variant");
    variant->setFocus();
    QTest::keyClicks(variant, "warp");
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return model().lanes() && model().lanes()->variant == "warp_aggregated"; }, kPatienceMs));
    EXPECT_EQ(model().lanes()->counted.mean(), 1) << "lanes that were matched do not meet";
}

TEST_F(HistogramPageTest, OnTheComparePageAVariantShowsItsBins) {
    open("gen:noise:64x48:u8");
    chooseFamily("histogram");
    EXPECT_EQ(window->pages()->current()->id(), "compare");
    ASSERT_TRUE(filtered());
    QTest::qWait(30);
    const PaneGrid* panes = comparePage()->panes();
    auto* current = panes->pane(panes->current());
    EXPECT_TRUE(current->findChild<BinsView*>()->isVisible());
    EXPECT_FALSE(current->view()->isVisible());
    EXPECT_TRUE(panes->pane(0)->view()->isVisible()) << "the input is a picture still";
}

}  // namespace
}  // namespace warplens::gui::test
