// SPDX-License-Identifier: Apache-2.0
// The panes of the compare page: flipping, choosing by number, wiping, linking.
#include "gpu/run/reference.hpp"
#include "gui/compare/magnifier.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "gui/picture/value_colours.hpp"
#include "gui/session/visible_variants.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSet>
#include <QTableWidget>
#include <QToolButton>
#include <cmath>
#include <vector>

namespace warplens::gui::test {
namespace {

class ComparePageTest : public WindowTest {
protected:
    PaneGrid* grid() { return comparePage()->panes(); }
    /// Opens a picture and waits until every pane has one.
    void show(const QString& input) {
        open(input);
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        ASSERT_TRUE(QTest::qWaitFor(
            [this] {
                for (const PaneContent& pane : grid()->panes())
                    if (pane.picture == nullptr) return false;
                return !session().activity().busy();
            },
            kPatienceMs));
    }
    QWidget* focus() { return QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(); }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(focus(), key, modifiers);
        QTest::qWait(20);
    }
    ImageView* view(int pane) { return grid()->pane(pane)->view(); }
    QImage picture(int pane) { return view(pane)->grab().toImage(); }
};

TEST_F(ComparePageTest, OneToSixPanes) {
    show("gen:noise:64x48:u8");
    for (int count = 1; count <= PaneGrid::kMaxPanes; ++count) {
        comparePage()->setPaneCount(count);
        QTest::qWait(20);
        ASSERT_EQ(static_cast<int>(grid()->panes().size()), count);
        for (int i = 0; i < count; ++i) EXPECT_TRUE(grid()->pane(i)->isVisible()) << i << " of " << count;
        EXPECT_EQ(grid()->panes().front().key == kInputKey, count > 1);
    }
}

TEST_F(ComparePageTest, EnterAndDoubleClickMaximiseAndRestore) {
    show("gen:noise:64x48:u8");
    view(2)->setFocus();
    QTest::keyClick(view(2), Qt::Key_Return);
    EXPECT_TRUE(grid()->maximised());
    EXPECT_TRUE(grid()->pane(2)->isVisible());
    EXPECT_FALSE(grid()->pane(0)->isVisible());
    QTest::mouseDClick(view(2), Qt::LeftButton);
    EXPECT_FALSE(grid()->maximised());
    EXPECT_TRUE(grid()->pane(0)->isVisible());
}

TEST_F(ComparePageTest, HoldingShiftShowsTheReferenceEverywhere) {
    show("gen:noise:64x48:u8");
    grid()->viewState()->setCursor(std::nullopt);
    const QImage input = picture(0), result = picture(1);
    ASSERT_NE(input, result);
    view(1)->setFocus();
    QTest::keyPress(focus(), Qt::Key_Shift);
    EXPECT_EQ(picture(1), input);
    for (int i = 1; i < 4; ++i) EXPECT_TRUE(view(i)->flipped()) << i;
    EXPECT_TRUE(grid()->pane(1)->caption()->spoken().contains("reference"));
    EXPECT_TRUE(grid()->pane(1)->caption()->spoken().startsWith("Input"));
    QTest::keyRelease(focus(), Qt::Key_Shift);
    EXPECT_EQ(picture(1), result);
    // Typing a capital letter is no flip.
    auto* text = find<QDoubleSpinBox>("sigma");
    text->setFocus();
    QTest::keyPress(text, Qt::Key_Shift);
    EXPECT_FALSE(grid()->flipped());
    QTest::keyRelease(text, Qt::Key_Shift);
    auto* button = find<QPushButton>("flip");
    QTest::mousePress(button, Qt::LeftButton);
    EXPECT_EQ(picture(1), input);
    QTest::mouseRelease(button, Qt::LeftButton);
    EXPECT_EQ(picture(1), result);
}

TEST_F(ComparePageTest, NumbersChooseResultsAndReference) {
    show("gen:noise:64x48:u8");
    const auto entries = lineup(session().variants());
    ASSERT_GE(entries.size(), 9U);
    view(0)->setFocus();
    for (int number = 2; number <= 9; ++number) {
        key(static_cast<Qt::Key>(Qt::Key_0 + number));
        EXPECT_EQ(QString::fromStdString(session().request().current()),
                  entries[static_cast<std::size_t>(number) - 1].key);
        EXPECT_EQ(grid()->panes()[static_cast<std::size_t>(grid()->current())].key.toStdString(),
                  session().request().current());
    }
    ASSERT_TRUE(filtered());
    key(Qt::Key_1);
    EXPECT_EQ(grid()->panes()[static_cast<std::size_t>(grid()->current())].key, kInputKey);
    for (int number = 9; number >= 1; --number) {
        key(static_cast<Qt::Key>(Qt::Key_0 + number), Qt::ShiftModifier);
        EXPECT_EQ(QString::fromStdString(session().lookedAt().reference()),
                  entries[static_cast<std::size_t>(number) - 1].key);
    }
    // A reference that has no pane is computed all the same.
    key(Qt::Key_8, Qt::ShiftModifier);
    EXPECT_TRUE(QTest::qWaitFor([this] { return grid()->pane(0)->comparable(); }, kPatienceMs))
        << "the input flips to a result";
    comparePage()->setPaneCount(1);
    key(Qt::Key_1);
    EXPECT_EQ(grid()->panes().front().key, kInputKey) << "alone";
    key(Qt::Key_2);
    EXPECT_EQ(grid()->panes().front().key, entries[1].key);
}

TEST_F(ComparePageTest, APaneThatALargerLayoutAddsIsFilled) {
    comparePage()->setPaneCount(2);
    show("gen:noise:64x48:u8");
    comparePage()->setPaneCount(PaneGrid::kMaxPanes);
    ASSERT_GE(session().lookedAt().shown().size(), 3U);
    const auto filled = [this] {
        return std::ranges::all_of(grid()->panes(), [](const auto& pane) { return pane.message.isEmpty(); });
    };
    EXPECT_TRUE(QTest::qWaitFor(filled, kPatienceMs));
    for (const std::string& id : session().lookedAt().shown()) EXPECT_FALSE(session().results().lacks(id)) << id;
}

TEST_F(ComparePageTest, TheWipeLineHasTheReferenceOnOneSide) {
    show("gen:noise:64x48:u8");
    grid()->viewState()->setCursor(std::nullopt);
    const QImage input = picture(0);
    view(1)->setFocus();
    const QImage result = picture(1);
    key(Qt::Key_W);
    ASSERT_TRUE(view(1)->wipe().has_value());
    EXPECT_TRUE(find<QPushButton>("wipe-button")->isChecked());
    EXPECT_EQ(view(1)->wipe()->other, "input");
    EXPECT_EQ(view(1)->wipe()->own.toStdString(), session().request().current());
    const int w = view(1)->width(), h = view(1)->height();
    // Away from line, handle and names each side is one of the two pictures.
    const auto sides = [&](const QRect& first, const QImage& of, const QRect& second, const QImage& ofSecond) {
        const QImage now = picture(1);
        EXPECT_EQ(now.copy(first), of.copy(first));
        EXPECT_EQ(now.copy(second), ofSecond.copy(second));
    };
    const QRect left(0, 40, w / 2 - 12, h - 80), right(w / 2 + 12, 40, w / 2 - 12, h - 80);
    sides(left, input, right, result);
    key(Qt::Key_S);
    sides(left, result, right, input);
    key(Qt::Key_S);
    key(Qt::Key_O);
    EXPECT_EQ(view(1)->wipe()->line, Qt::Horizontal);
    const QRect above(0, 40, w, h / 2 - 52), below(0, h / 2 + 12, w, h / 2 - 52);
    sides(above, input, below, result);
    QTest::mouseClick(view(1), Qt::LeftButton, Qt::ControlModifier, {w / 4, h / 2});
    EXPECT_EQ(view(1)->wipe()->line, Qt::Vertical);
    const QPointF centre = view(1)->viewState()->centre();
    QTest::mousePress(view(1), Qt::LeftButton, {}, {w / 2, h / 4});
    QTest::mouseMove(view(1), {w / 4, h / 4});
    QTest::mouseRelease(view(1), Qt::LeftButton, {}, {w / 4, h / 4});
    EXPECT_NEAR(view(1)->wipe()->at, 0.25, 0.01);
    EXPECT_EQ(view(1)->viewState()->centre(), centre) << "dragging the line does not move the picture";
    key(Qt::Key_BracketRight);
    EXPECT_NEAR(view(1)->wipe()->at, 0.27, 0.01);
    key(Qt::Key_W);
    EXPECT_FALSE(view(1)->wipe().has_value());
    grid()->viewState()->setCursor(std::nullopt);
    EXPECT_EQ(picture(1), result);
}

TEST_F(ComparePageTest, UnlinkedPanesHaveTheirOwnZoomAndRangeAndSaySo) {
    show("gen:noise:64x48:u8");
    key(Qt::Key_L, Qt::ControlModifier);
    ASSERT_FALSE(grid()->linked());
    EXPECT_TRUE(grid()->pane(1)->caption()->spoken().contains("not linked"));
    grid()->setCurrent(2);
    auto* range = comparePage()->range();
    auto* high = range->findChildren<QDoubleSpinBox*>()[1];
    high->setFocus();
    high->selectAll();
    QTest::keyClicks(high, "100");
    QTest::keyClick(high, Qt::Key_Return);
    EXPECT_EQ(view(2)->range().high, 100);
    EXPECT_EQ(view(1)->range().high, 255);
    grid()->setCurrent(1);
    EXPECT_EQ(high->value(), 255) << "the fields are those of the current pane";
    QTest::keyClick(view(1), Qt::Key_Plus);
    EXPECT_NE(view(1)->viewState()->zoom(), view(2)->viewState()->zoom());
    EXPECT_TRUE(grid()->pane(2)->caption()->spoken().contains("100"));
    grid()->setCurrent(2);
    key(Qt::Key_L, Qt::ControlModifier);
    for (int i = 0; i < 4; ++i) EXPECT_EQ(view(i)->range().high, 100) << "linking takes over the current pane's";
    EXPECT_FALSE(grid()->pane(1)->caption()->spoken().contains("not linked"));
}

TEST_F(ComparePageTest, TheDifferenceHasItsPaneItsFiguresAndItsFirstPixel) {
    show("gen:noise:64x48:u8");
    view(1)->setFocus();
    ASSERT_EQ(session().request().current(), session().request().baseline());
    key(Qt::Key_D);
    EXPECT_EQ(grid()->panes().back().key, "difference");
    EXPECT_TRUE(grid()->panes().back().message.contains("choose another"));
    view(2)->setFocus();
    session().request().setCurrent("constant");  // whose tiles are smaller than the picture
    const auto computed = [this] {
        return QTest::qWaitFor(
            [this] {
                return difference().difference() != nullptr && !difference().busy() &&
                       grid()->panes().back().picture == difference().difference()->picture;
            },
            kPatienceMs);
    };
    ASSERT_TRUE(computed());
    EXPECT_EQ(view(3)->colourMap(), ColourMap::diverging);
    EXPECT_EQ(view(3)->range().low, -view(3)->range().high) << "centred at 0";
    auto* table = find<QTableWidget>("difference-figures");
    EXPECT_EQ(table->item(4, 0)->text(), "0") << "the variants agree";
    EXPECT_TRUE(grid()->pane(3)->caption()->spoken().contains("no pixel differs"));

    // Against the input, by hand.
    auto* against = find<QComboBox>("difference-against");
    against->setFocus();
    QTest::keyClick(against, Qt::Key_Down);
    auto* metric = find<QComboBox>("difference-metric");
    metric->setFocus();
    QTest::keyClicks(metric, "abs");
    ASSERT_TRUE(computed());
    const io::Grid& input = *session().document().grid();
    const io::Grid& output = *record().result.picture;
    double largest = 0, sum = 0, squares = 0;
    int differing = 0;
    std::optional<QPoint> first;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const double d = std::abs(output.value(x, y) - input.value(x, y));
            largest = std::max(largest, d);
            sum += d;
            squares += d * d;
            differing += d > 0;
            if (d > 0 && !first) first = QPoint(x, y);
        }
    ASSERT_TRUE(first.has_value());
    EXPECT_EQ(table->item(0, 0)->text(), figureText(largest));
    EXPECT_EQ(table->item(1, 0)->text(), figureText(sum / (64 * 48)));
    EXPECT_EQ(table->item(2, 0)->text(), figureText(std::sqrt(squares / (64 * 48))));
    EXPECT_EQ(table->item(3, 0)->text(), figureText(20 * std::log10(255 / std::sqrt(squares / (64 * 48)))));
    EXPECT_EQ(table->item(4, 0)->text(), figureText(differing));
    // The first mismatch outside the border, at a seam: a click goes there.
    const PixelPlace seam = *difference().difference()->figures[2].first;
    table->scrollToItem(table->item(5, 2));
    const QRect cell = table->visualItemRect(table->item(5, 2));
    ASSERT_TRUE(table->viewport()->rect().contains(cell.center()))
        << table->viewport()->height() << " rows, cell at " << cell.y();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    EXPECT_EQ(grid()->viewState()->cursor(), QPoint(static_cast<int>(seam.x), static_cast<int>(seam.y)));
    EXPECT_GE(grid()->viewState()->zoom(), 16);
    EXPECT_TRUE(difference().regions().contains(Region::seams, seam.x, seam.y, input.shape()));
    auto* region = find<QComboBox>("difference-region");
    region->setFocus();
    QTest::keyClicks(region, "border");
    ASSERT_TRUE(computed());
    EXPECT_EQ(grid()->panes().back().picture->value(10, 10), 0) << "only border pixels are shown";
    EXPECT_EQ(grid()->panes().back().picture->value(0, 0), std::abs(output.value(0, 0) - input.value(0, 0)));
    view(1)->setFocus();
    key(Qt::Key_D, Qt::ShiftModifier);
    EXPECT_EQ(metric->currentText(), "squared");
    key(Qt::Key_D);
    EXPECT_NE(grid()->panes().back().key, "difference");
    EXPECT_FALSE(table->isVisible());
}

TEST_F(ComparePageTest, TheDoubleReferenceHasAPaneAndIsTheOtherSideOfTheDifference) {
    show("gen:noise:64x48:f32");
    session().request().setCurrent("constant");
    ASSERT_TRUE(filtered());
    view(1)->setFocus();
    key(Qt::Key_G);
    const auto of = [this](const QString& name) {
        for (const PaneContent& pane : grid()->panes())
            if (pane.key == name) return pane;
        return PaneContent{};
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return of(kExactKey).picture != nullptr; }, kPatienceMs));
    EXPECT_EQ(grid()->panes().size(), 4U) << "in the place of a result";
    EXPECT_EQ(grid()->panes().front().key, kInputKey);
    gpu::Runner runner;
    const gpu::RunRecord record = this->record("constant");
    const gpu::DoubleReference exact =
        gpu::doubleReference(runner, session().request().make({"constant"}, true), record);
    const auto& seen = of(kExactKey).picture;
    for (std::int64_t y = 0; y < 48; ++y)
        for (std::int64_t x = 0; x < 64; ++x)
            ASSERT_EQ(seen->value(x, y), static_cast<float>(*exact.value(x, y))) << x << ' ' << y;

    // As the other side of the difference, chosen by keys; in ulp, region by region.
    key(Qt::Key_D);
    auto* against = find<QComboBox>("difference-against");
    against->setFocus();
    QTest::keyClick(against, Qt::Key_End);
    EXPECT_EQ(against->currentText(), "double reference");
    const gpu::RegionShape regions = gpu::regionsOf(record);
    const gpu::Difference expected =
        gpu::differenceOf(*record.result.picture, exact, gpu::Metric::ulp, gpu::Region::all, regions);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            return difference().againstExact() && difference().difference() != nullptr &&
                   of("difference").picture == difference().difference()->picture;
        },
        kPatienceMs));
    EXPECT_EQ(grid()->panes().size(), 4U);
    EXPECT_EQ(of("difference").legend, " ulp");
    EXPECT_TRUE(of("difference").detail.contains("minus double reference"));
    auto* table = find<QTableWidget>("difference-figures");
    for (const gpu::Region region : {gpu::Region::all, gpu::Region::border, gpu::Region::seams, gpu::Region::inside}) {
        const gpu::DifferenceFigures& figures = expected.figures[static_cast<std::size_t>(region)];
        ASSERT_GT(figures.pixels, 0);
        const int column = static_cast<int>(region);
        EXPECT_EQ(table->item(0, column)->text(), figureText(figures.maximum)) << column;
        EXPECT_EQ(table->item(1, column)->text(), figureText(figures.mean)) << column;
        EXPECT_EQ(table->item(4, column)->text(), format::integer(figures.mismatching)) << column;
    }
    EXPECT_LT(expected.figures[0].mean, 1);
    EXPECT_TRUE(table->isColumnHidden(static_cast<int>(gpu::Region::slabs)));
    EXPECT_EQ(table->verticalHeaderItem(4)->text(), "Not nearest");
    const PixelPlace worst = *expected.figures[static_cast<std::size_t>(gpu::Region::seams)].worst;
    table->setCurrentCell(6, static_cast<int>(gpu::Region::seams));
    table->setFocus();
    QTest::keyClick(table, Qt::Key_Return);
    EXPECT_EQ(grid()->viewState()->cursor(), QPoint(static_cast<int>(worst.x), static_cast<int>(worst.y)));

    // To flip to, and gone again.
    view(1)->setFocus();
    key(Qt::Key_G, Qt::ShiftModifier);
    EXPECT_EQ(session().lookedAt().reference(), kExactKey.toStdString());
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid()->pane(1)->comparable(); }, kPatienceMs));
    key(Qt::Key_G);
    EXPECT_TRUE(of(kExactKey).key.isEmpty());
    session().lookedAt().setReference("input");
    key(Qt::Key_D);
    EXPECT_TRUE(QTest::qWaitFor([&] { return session().exact().exact() == nullptr; }, kPatienceMs))
        << "what nobody looks at takes no memory";
}

TEST_F(ComparePageTest, APixelIsGoneToAndMagnified) {
    show("gen:noise:64x48:f32");
    view(1)->setFocus();
    key(Qt::Key_M);
    auto* magnifier = find<Magnifier>("magnifier");
    EXPECT_TRUE(magnifier->isVisible());
    key(Qt::Key_G, Qt::ControlModifier);
    auto* text = find<QLineEdit>("go-to-place");
    QTest::keyClicks(text, "64 3");
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_TRUE(text->isVisible()) << "there is no column 64";
    text->selectAll();
    QTest::keyClicks(text, "63, 11");
    QTest::keyClick(text, Qt::Key_Return);
    EXPECT_EQ(grid()->viewState()->cursor(), QPoint(63, 11));
    EXPECT_EQ(grid()->viewState()->centre(), QPointF(63.5, 11.5));
    QTest::keyClick(view(1), Qt::Key_Left, Qt::ControlModifier);
    QTest::keyClick(view(1), Qt::Key_Down, Qt::ControlModifier);
    EXPECT_EQ(grid()->viewState()->cursor(), QPoint(62, 12));
    const io::Grid& picture = *grid()->panes()[1].picture;
    EXPECT_TRUE(magnifier->lines()[1].contains(pixelText(picture, 62, 12)))
        << magnifier->lines().join('|').toStdString();
    const DisplayRange range = grid()->viewState()->range();
    const double t = std::clamp((picture.value(62, 12) - range.low) / (range.high - range.low), 0.0, 1.0);
    EXPECT_NEAR(magnifier->lines()[2].section(' ', 1, 1).toDouble(), 255 * t, 1) << "what is shown of it";
}

TEST_F(ComparePageTest, ValuesStandOnLargePixelsUntilSwitchedOff) {
    show("gen:gradient:64x48:u8");
    view(1)->setFocus();
    ViewState* state = grid()->viewState();
    state->setCentre({10, 10});
    state->setCursor(std::nullopt);
    state->setZoom(31);
    const auto ink = [&] {
        // Colours of one pixel's block, edges left out: one without a number on it, several with.
        const QPointF corner = view(1)->toWidget({10, 10});
        const QImage image = picture(1).copy(QRectF(corner, QSizeF(30, 30)).toRect().adjusted(2, 2, -2, -2));
        QSet<QRgb> seen;
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) seen << image.pixel(x, y);
        return seen.size();
    };
    EXPECT_EQ(ink(), 1);
    state->setZoom(32);
    EXPECT_GT(ink(), 3);
    key(Qt::Key_V);
    EXPECT_EQ(ink(), 1);
}

TEST_F(ComparePageTest, ValuesOutsideTheRangeAreMarked) {
    show("gen:gradient:64x48:u8");
    grid()->viewState()->setCursor(std::nullopt);
    grid()->viewState()->setRange({100, 150});
    view(0)->setFocus();
    key(Qt::Key_R);
    const QImage image = picture(0);
    const io::Grid& input = *session().document().grid();
    int below = 0, above = 0;
    for (int y = 0; y < 48; ++y)
        for (int x = 0; x < 64; ++x) {
            const QRgb seen = image.pixel(view(0)->toWidget(QPointF(x + 0.5, y + 0.5)).toPoint());
            const double value = input.value(x, y);
            ASSERT_EQ(seen == kBelowColour, value < 100) << value;
            ASSERT_EQ(seen == kAboveColour, value > 150) << value;
            below += value < 100;
            above += value > 150;
        }
    EXPECT_GT(below, 0);
    EXPECT_GT(above, 0);
    key(Qt::Key_R);
    EXPECT_FALSE(grid()->viewState()->markOutside());
}

TEST_F(ComparePageTest, EveryColourMapIsChosenForAllPanes) {
    show("gen:noise:32x32:f32");
    auto* maps = comparePage()->findChild<QToolButton*>("colour-map");
    ASSERT_NE(maps, nullptr);
    std::vector<QImage> seen;
    for (QAction* map : maps->menu()->actions()) {
        if (!map->data().isValid()) continue;  // what is no map
        map->trigger();
        ASSERT_TRUE(QTest::qWaitFor([this] { return view(0)->settled() && view(1)->settled(); }, kPatienceMs));
        EXPECT_TRUE(maps->text().startsWith(map->text())) << map->text().toStdString();
        for (const QImage& other : seen) EXPECT_NE(picture(0), other) << map->text().toStdString();
        seen.push_back(picture(0));
        EXPECT_EQ(view(1)->viewState()->colourMap(), view(0)->viewState()->colourMap());
    }
    EXPECT_EQ(seen.size(), 8U) << "grey, viridis, cividis, magma, inferno, turbo, one that diverges, and labels";
}

TEST_F(ComparePageTest, LettersLookUpAChoiceInAList) {
    show("gen:noise:64x48:u8");
    auto* filter = find<QComboBox>("filter");
    filter->setFocus();
    QTest::keyClicks(filter, "s");
    EXPECT_EQ(filter->currentText().left(1).toStdString(), "s");
    EXPECT_FALSE(view(1)->wipe().has_value());
}

}  // namespace
}  // namespace warplens::gui::test
