// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/focus_ring.hpp"
#include "gui/kit/form.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/kit/theme.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/range_bar.hpp"
#include "tests/gui/views/samples.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

class Chart : public testing::Test {
protected:
    void SetUp() override {
        Theme::apply(SchemeChoice::dark);
        chart.resize(320, 300);
        chart.setBars(samples::bars());
        chart.show();
    }
    /// The colour just inside the bar of a row.
    QColor barColour(int row) {
        return chart.grab().toImage().pixelColor(20, kHeadHeight + row * kRowHeight + kRowHeight / 2);
    }
    TimeBars chart;
};

TEST_F(Chart, BarsHaveTheColoursOfTheirIdeas) {
    EXPECT_EQ(barColour(0), colour(gpu::Idea::savedAndFused));
    EXPECT_EQ(barColour(8), colour(gpu::Idea::loss));
    chart.setScrollOffset(kRowHeight);
    EXPECT_EQ(barColour(0), colour(gpu::Idea::registers));
}

TEST_F(Chart, WithoutRankingBarsAreGrey) {
    chart.setRanking(false, QStringLiteral("CPU (SIMT) time: ranks nothing"));
    for (int row = 0; row < 9; ++row) EXPECT_EQ(barColour(row), colour(Role::text3));
    EXPECT_TRUE(chart.accessibleDescription().contains(QStringLiteral("ranks nothing")));
}

TEST_F(Chart, LengthsStartAtZeroAndAreInProportion) {
    const QImage image = chart.grab().toImage();
    const auto end = [&](int row, const QColor& ink) {
        int last = 0;
        // Above the whisker's line and beside its caps.
        for (int x = 16; x < 320; ++x) {
            if (image.pixelColor(x, kHeadHeight + row * kRowHeight + kRowHeight / 2 - 5) == ink) last = x;
        }
        return last - 15;
    };
    const double slow = end(8, colour(gpu::Idea::loss)), middle = end(7, colour(gpu::Idea::coarsening));
    EXPECT_NEAR(middle / slow, 0.803 / 1.30, 0.01);
}

TEST_F(Chart, RowsAreChosenByMouseAndKey) {
    QSignalSpy spy(&chart, &TimeBars::rowChosen);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, {100, kHeadHeight + 2 * kRowHeight + 5});
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.takeFirst()[0], 2);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, {100, 5});
    EXPECT_EQ(spy.count(), 0);
    chart.setSelectedRow(2);
    QTest::keyClick(&chart, Qt::Key_Down);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy.takeFirst()[0], 3);
    EXPECT_EQ(chart.grab().toImage().pixelColor(2, kHeadHeight + 2 * kRowHeight + 5), colour(Role::selection));
}

TEST_F(Chart, SaysEverythingInWords) {
    chart.setLimit(0.126, QStringLiteral("input once + output once at copy speed"));
    const QString said = chart.accessibleDescription();
    EXPECT_TRUE(said.contains(QString::fromUtf8("register_tiled: 0.216 ms, quartiles 0.215 – 0.218")));
    EXPECT_TRUE(said.contains(QStringLiteral("opencv: CPU clock: not drawn on this scale")));
    EXPECT_TRUE(said.contains(QStringLiteral("limit 0.126 ms: input once")));
}

class Matrix : public testing::Test {
protected:
    void SetUp() override {
        view.setMatrix(3, 3, {1, 2, 1, 2, 4, 2, 1, 2, 1});
        view.setEditable(true);
        view.resize(view.sizeHint());
        view.show();
        view.setFocus();
        QCoreApplication::processEvents();
    }
    QLineEdit* editor() { return view.findChild<QLineEdit*>(); }
    FilterMatrixView view;
};

TEST_F(Matrix, IsEditedByKeys) {
    QSignalSpy spy(&view, &FilterMatrixView::matrixEdited);
    EXPECT_EQ(view.currentCell(), QPoint(1, 1));
    QTest::keyClick(&view, Qt::Key_Left);
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(view.currentCell(), QPoint(0, 0));
    QTest::keyClick(&view, Qt::Key_Up);
    EXPECT_EQ(view.currentCell(), QPoint(0, 0));
    QTest::keyClicks(&view, QStringLiteral("-"));
    ASSERT_TRUE(editor()->isVisible());
    QTest::keyClicks(editor(), QStringLiteral("0.1"));
    QTest::keyClick(editor(), Qt::Key_Return);
    ASSERT_EQ(spy.count(), 1);
    EXPECT_EQ(spy[0][0].toString(), QStringLiteral("-0.100000001,2,1;2,4,2;1,2,1"));
    EXPECT_FALSE(editor()->isVisible());
}

TEST_F(Matrix, TabGoesFromWeightToWeight) {
    QSignalSpy spy(&view, &FilterMatrixView::matrixEdited);
    QTest::keyClick(&view, Qt::Key_Return);
    ASSERT_TRUE(editor()->isVisible());
    QTest::keyClicks(editor(), QStringLiteral("9"));
    QTest::keyClick(editor(), Qt::Key_Tab);
    EXPECT_EQ(view.currentCell(), QPoint(2, 1));
    ASSERT_TRUE(editor()->isVisible());
    QTest::keyClicks(editor(), QStringLiteral("8"));
    QTest::keyClick(editor(), Qt::Key_Tab);
    EXPECT_EQ(view.currentCell(), QPoint(0, 2)) << "the next row";
    QTest::keyClick(editor(), Qt::Key_Backtab, Qt::ShiftModifier);
    EXPECT_EQ(view.currentCell(), QPoint(2, 1));
    EXPECT_EQ(spy.last()[0].toString(), QStringLiteral("1,2,1;2,9,8;1,2,1"));
}

TEST_F(Matrix, EscapeAndNonsenseChangeNothing) {
    QSignalSpy spy(&view, &FilterMatrixView::matrixEdited);
    QTest::mouseDClick(&view, Qt::LeftButton, {}, {5, 5});
    ASSERT_TRUE(editor()->isVisible());
    EXPECT_EQ(view.currentCell(), QPoint(0, 0));
    QTest::keyClicks(editor(), QStringLiteral("7"));
    QTest::keyClick(editor(), Qt::Key_Escape);
    view.edit(QStringLiteral("abc"));
    QTest::keyClick(editor(), Qt::Key_Return);
    EXPECT_TRUE(editor()->isVisible());
    QTest::keyClick(editor(), Qt::Key_Escape);
    view.edit(QStringLiteral("1"));
    QTest::keyClick(editor(), Qt::Key_Return);  // the value it has already
    view.setEditable(false);
    view.edit();
    EXPECT_FALSE(editor()->isVisible());
    EXPECT_EQ(spy.count(), 0);
    EXPECT_EQ(view.text(), QStringLiteral("1,2,1;2,4,2;1,2,1"));
}

TEST_F(Matrix, DrawsEverySizeInItsHint) {
    for (const QSize size : {QSize(1, 1), QSize(63, 1), QSize(1, 63), QSize(63, 63), QSize(7, 5)}) {
        view.setMatrix(size.width(), size.height(),
                       std::vector<float>(static_cast<std::size_t>(size.width() * size.height()), 0.5F));
        EXPECT_LE(view.sizeHint().width(), 240);
        EXPECT_LE(view.sizeHint().height(), 240);
        view.resize(view.sizeHint());
        EXPECT_FALSE(view.grab().isNull());
    }
}

TEST(SourceView, HighlightsAndNumbers) {
    Theme::apply(SchemeChoice::dark);
    SourceView view;
    view.resize(384, 300);
    view.setSource(
        QStringLiteral("naive.cuh"),
        QStringLiteral("// idea\n__global__ void naive(View<float> out) {\n    out.set(1.5f);  /* two\n lines */ }\n"),
        gpu::Idea::plain);
    view.show();
    view.grab();
    EXPECT_EQ(view.editor()->document()->blockCount(), 4);
    const auto colourAt = [&](int line, int column) {
        const QTextBlock block = view.editor()->document()->findBlockByNumber(line - 1);
        for (const auto& range : block.layout()->formats()) {
            if (column >= range.start && column < range.start + range.length) return range.format.foreground().color();
        }
        return QColor();
    };
    EXPECT_EQ(colourAt(1, 3), colour(Role::comment));
    EXPECT_EQ(colourAt(2, 0), colour(Role::keyword));
    EXPECT_EQ(colourAt(2, 12), colour(Role::type));
    EXPECT_EQ(colourAt(2, 18), colour(Role::call));
    EXPECT_EQ(colourAt(2, 23), colour(Role::type));
    EXPECT_FALSE(colourAt(2, 36).isValid());
    EXPECT_EQ(colourAt(3, 8), colour(Role::call));
    EXPECT_EQ(colourAt(3, 14), colour(Role::number));
    EXPECT_EQ(colourAt(3, 22), colour(Role::comment));
    EXPECT_EQ(colourAt(4, 1), colour(Role::comment));
    EXPECT_FALSE(colourAt(4, 10).isValid());
    EXPECT_TRUE(view.editor()->isReadOnly());

    Theme::apply(SchemeChoice::light);
    QCoreApplication::processEvents();
    EXPECT_EQ(colourAt(2, 0), colour(Role::keyword, Scheme::light));
    Theme::apply(SchemeChoice::dark);
    view.setMessage(QStringLiteral("opencv"), QStringLiteral("for a library"), gpu::Idea::library);
    EXPECT_FALSE(colourAt(1, 0).isValid());
    Theme::apply(SchemeChoice::light);
    view.setSource(QStringLiteral("a.cuh"), QStringLiteral("const int a;\n"), gpu::Idea::plain);
    QCoreApplication::processEvents();
    EXPECT_EQ(colourAt(1, 0), colour(Role::keyword, Scheme::light)) << "a theme chosen while words stood there";
    Theme::apply(SchemeChoice::dark);
    QCoreApplication::processEvents();
    EXPECT_EQ(colourAt(1, 0), colour(Role::keyword, Scheme::dark));
}

TEST(OriginLegend, FoldsIntoOneButton) {
    OriginLegend legend;
    legend.show();
    const int open = legend.sizeHint().width();
    legend.setFolded(true);
    EXPECT_LT(legend.sizeHint().width(), open / 2);
    auto* const button = legend.findChild<QToolButton*>();
    ASSERT_TRUE(button->isVisible());
    EXPECT_EQ(button->menu()->actions().size(), 5);
}

TEST(Form, WordsSayWhatAWidgetIsAndDoes) {
    QWidget panel;
    int clicks = 0;
    auto* button =
        made(new QToolButton(&panel),
             {.id = "go", .tip = "Goes", .checkable = true, .focus = true, .text = "Go", .does = [&] { ++clicks; }});
    auto* box = made(new QComboBox(&panel), {.letters = 7});
    auto* label = made(new QLabel("&Where", &panel), {.wraps = true, .of = box});
    button->click();
    EXPECT_EQ(clicks, 1);
    EXPECT_TRUE(button->isChecked());
    EXPECT_EQ(button->focusPolicy(), Qt::StrongFocus);
    EXPECT_EQ(button->text(), "Go");
    EXPECT_EQ(box->minimumContentsLength(), 7);
    EXPECT_TRUE(label->wordWrap());
    EXPECT_EQ(label->buddy(), box);
    setWidgetText(button, {.name = "Go there"});  // what is left out stays
    EXPECT_TRUE(button->isCheckable());
    EXPECT_EQ(button->toolTip(), "Goes");
}

/// A visible window is hidden by the destructor of its base class, when what its own class has is gone.
TEST(Form, EventsAreHeardForAsLongAsTheirOwnerIsWhole) {
    struct Owner : QWidget {
        explicit Owner(int& hidden, int& resized) : part(new QWidget(this)) {
            on(this, {QEvent::Hide}, [&hidden] { ++hidden; });
            on(this, part, {QEvent::Resize}, [&resized] { ++resized; });
        }
        QWidget* part;
    };
    int hidden = 0, resized = 0;
    {
        Owner owner(hidden, resized);
        owner.show();
        owner.hide();
        EXPECT_EQ(hidden, 1);
        owner.show();
        resized = 0;
        owner.part->resize(owner.part->size() + QSize(5, 5));
        EXPECT_EQ(resized, 1);
    }
    EXPECT_EQ(hidden, 1);
}

TEST(NoticeBar, IsThereOnlyWithText) {
    NoticeBar bar;
    EXPECT_TRUE(bar.isHidden());
    bar.setNotice(QStringLiteral("No GPU, so <b>no winner is named</b>."));
    EXPECT_FALSE(bar.isHidden());
    EXPECT_EQ(bar.text(), QStringLiteral("No GPU, so no winner is named."));
    bar.setAction(QStringLiteral("Why?"), QStringLiteral("F1"));
    QSignalSpy spy(&bar, &NoticeBar::actionTriggered);
    bar.findChild<QPushButton*>()->click();
    EXPECT_EQ(spy.count(), 1);
    bar.setNotice({});
    EXPECT_TRUE(bar.isHidden());
}

TEST(FocusRing, FollowsKeysAndNotTheMouse) {
    FocusRing ring;
    QWidget window;
    QVBoxLayout layout(&window);
    QPushButton first(QStringLiteral("first")), second(QStringLiteral("second"));
    layout.addWidget(&first);
    layout.addWidget(&second);
    window.show();
    window.activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    first.setFocus(Qt::MouseFocusReason);
    EXPECT_EQ(ring.widget(), nullptr);
    QTest::keyClick(&window, Qt::Key_Tab);
    EXPECT_EQ(ring.widget(), &second);
    // 2 px of ring and 1 px of air around the button.
    QCoreApplication::processEvents();
    ASSERT_TRUE(ring.frame());
    EXPECT_TRUE(ring.frame()->isVisible());
    EXPECT_EQ(ring.frame()->geometry(), second.geometry().adjusted(-3, -3, 3, 3));
    QTest::mouseClick(&first, Qt::LeftButton);
    EXPECT_EQ(ring.widget(), nullptr);
}

TEST(FocusRing, OutlivesTheWindowsItWasIn) {
    FocusRing ring;
    for (int i = 0; i < 2; ++i) {
        QWidget window;
        QPushButton button(QStringLiteral("only"), &window);
        window.show();
        window.activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
        button.clearFocus();
        button.setFocus(Qt::TabFocusReason);
        EXPECT_EQ(ring.widget(), &button);
    }
    EXPECT_EQ(ring.widget(), nullptr);
}

TEST(Accessibility, EveryControlHasANameAndIsReachedByKey) {
    PaneGrid grid;
    grid.setPanes({inputPane(samples::scene(16, 16, io::PixelType::u8), QStringLiteral("a.png"))});
    TimeBars chart;
    FilterMatrixView matrix;
    SourceView source;
    RangeBar range;
    OriginLegend legend;
    NoticeBar notice;
    InspectorStrip inspector;
    notice.setAction(QStringLiteral("Why?"));
    for (QWidget* top :
         std::initializer_list<QWidget*>{&grid, &chart, &matrix, &source, &range, &legend, &notice, &inspector}) {
        auto all = top->findChildren<QWidget*>();
        all.push_back(top);
        for (const QWidget* w : all) {
            const bool inner = qobject_cast<const QAbstractSpinBox*>(w->parentWidget()) ||
                               w->objectName().startsWith(QStringLiteral("qt_"));
            if (inner || w->focusPolicy() == Qt::NoFocus) continue;
            const auto* const button = qobject_cast<const QAbstractButton*>(w);
            EXPECT_FALSE(w->accessibleName().isEmpty() && (!button || button->text().isEmpty()))
                << w->metaObject()->className() << " in " << top->metaObject()->className();
            EXPECT_TRUE(w->focusPolicy() & Qt::TabFocus) << w->metaObject()->className();
        }
    }
    EXPECT_FALSE(inspector.accessibleName().isEmpty());
    EXPECT_FALSE(legend.accessibleName().isEmpty());
}

}  // namespace
}  // namespace warplens::gui
