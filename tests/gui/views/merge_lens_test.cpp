// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gui/lenses/merge/merge_path.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"

#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace warplens::gui {
namespace {

std::shared_ptr<io::Grid> rowOf(const std::vector<double>& values) {
    auto grid = std::make_shared<io::Grid>(io::Shape{static_cast<std::int64_t>(values.size()), 1}, io::PixelType::f32);
    for (std::size_t i = 0; i < values.size(); ++i) grid->setValue(static_cast<std::int64_t>(i), 0, 0, 0, values[i]);
    return grid;
}

/// Few values, so that many are equal.
std::vector<double> someValues(int count, unsigned seed) {
    std::vector<double> values;
    for (int i = 0; i < count; ++i) values.push_back((seed = seed * 1664525U + 1013904223U) >> 29);
    return values;
}

TEST(MergePath, IsThatOfAStableMerge) {
    for (int count = 1; count <= 48; ++count) {
        const auto values = someValues(count, static_cast<unsigned>(count));
        const MergePath path = mergePathOf(*rowOf(values), (count + 1) / 2);
        std::vector<double> a(values.begin(), values.begin() + (count + 1) / 2),
            b(values.begin() + (count + 1) / 2, values.end());
        std::sort(a.begin(), a.end());
        std::sort(b.begin(), b.end());
        ASSERT_EQ(path.a, a);
        ASSERT_EQ(path.b, b);
        // A value of a comes after those of b that are smaller, and before those that are equal.
        for (std::size_t i = 0; i < a.size(); ++i) {
            const auto smaller = std::lower_bound(b.begin(), b.end(), a[i]) - b.begin();
            const auto output = i + static_cast<std::size_t>(smaller);
            EXPECT_EQ(path.fromA.at(output), static_cast<int>(i));
            EXPECT_EQ(path.fromA.at(output + 1), static_cast<int>(i) + 1);
        }
    }
}

// Whatever the values: rounds follow one another, a ring loads each value once and never holds more than it can.
TEST(MergePath, RoundsLoadEachValueOnce) {
    for (unsigned seed = 1; seed <= 40; ++seed) {
        const int count = static_cast<int>(seed) + 9;
        const MergePath path = mergePathOf(*rowOf(someValues(count, seed)), seed % 2 == 0 ? count / 3 : count - 4);
        int outputs = 0, loaded = 0, usedA = 0, usedB = 0;
        for (int n = 0; n < path.rounds(); ++n) {
            const MergeRound round = roundOf(path, n);
            EXPECT_EQ(round.first, outputs);
            EXPECT_EQ(round.a.first, usedA);
            EXPECT_EQ(round.b.first, usedB);
            EXPECT_EQ(round.a.used + round.b.used, round.count);
            for (const RingFill& ring : {round.a, round.b}) {
                EXPECT_LE(ring.held, MergePath::kTile);
                EXPECT_LE(ring.used, ring.held);
                EXPECT_TRUE(ring.loaded >= 0 && ring.loaded <= ring.held);
            }
            EXPECT_LE(round.probes.size(), 4U) << "a search among eight values";
            outputs += round.count;
            loaded += round.loaded();
            usedA += round.a.used;
            usedB += round.b.used;
        }
        EXPECT_EQ(outputs, path.outputs());
        EXPECT_EQ(loaded, path.outputs());
    }
}

TEST(SlotText, WholeValuesAreWhole) {
    EXPECT_EQ(slotText(5, 2).toStdString(), "5");
    EXPECT_EQ(slotText(255, 2).toStdString(), "255");
    EXPECT_EQ(slotText(65535, 3).toStdString(), "65535");
    EXPECT_EQ(slotText(0.498, 2).toStdString(), ".50");
}

TEST(MergePath, HasNaNLast) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const MergePath path = mergePathOf(*rowOf({nan, 1, 3, 2}), 2);
    EXPECT_EQ(path.a.front(), 1);
    EXPECT_TRUE(std::isnan(path.a.back()));
    EXPECT_EQ(path.fromA, (std::vector<int>{0, 1, 1, 1, 2}));
}

class MergePathPanelTest : public testing::Test {
protected:
    MergePathPanelTest() { session.request().setFamily(gpu::familyOf("merge")); }
    void open(const std::shared_ptr<io::Grid>& grid) {
        OpenedPicture picture;
        picture.grid = grid;
        session.document().set(QStringLiteral("test"), picture);
    }
    QString text(const char* name) { return panel.findChild<QLabel*>(QString::fromLatin1(name))->text(); }

    CompareSession session;
    const std::unique_ptr<QWidget> owned{
        lensOf(gpu::familyOf("merge")).formParts(session.request(), {}, nullptr).front().widget};
    QWidget& panel = *owned;
};

TEST_F(MergePathPanelTest, IsThereForItsFamilyAndAPicture) {
    EXPECT_TRUE(panel.isHidden());
    open(rowOf(someValues(48, 3)));
    EXPECT_FALSE(panel.isHidden());
    session.request().setFamily(gpu::familyOf("convolution"));
    EXPECT_TRUE(panel.isHidden());
}

TEST_F(MergePathPanelTest, StepsThroughTheRoundsAndSaysWhatTheyLoad) {
    open(rowOf(someValues(48, 3)));
    panel.resize(300, 420);
    panel.show();
    auto* round = panel.findChild<QSpinBox*>(QStringLiteral("merge-round"));
    auto* view = panel.findChild<QWidget*>(QStringLiteral("merge-path"));
    ASSERT_EQ(round->maximum(), 6);
    EXPECT_EQ(text("merge-lists"), "24 and 24 values of the lists, sorted");
    EXPECT_TRUE(text("merge-loads").contains("A ring loads 16 and keeps 0; a tile loads all 16."))
        << text("merge-loads").toStdString();
    const QImage first = view->grab().toImage();
    QTest::keyClick(view, Qt::Key_Right);
    EXPECT_EQ(round->value(), 2);
    EXPECT_TRUE(text("merge-loads").contains("A ring loads 8 and keeps 8; a tile loads all 16."))
        << text("merge-loads").toStdString();
    EXPECT_NE(view->grab().toImage(), first);
    QTest::keyClick(view, Qt::Key_Left);
    EXPECT_EQ(view->grab().toImage(), first);
}

// One value, a list alone, none that is finite: drawn without a fault.
TEST_F(MergePathPanelTest, DrawsTheSmallestLists) {
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    for (const std::vector<double>& values : {std::vector<double>{5}, {5, 5}, {nan, nan, nan}, {infinity, -infinity}}) {
        open(rowOf(values));
        panel.show();
        EXPECT_FALSE(panel.grab().isNull());
    }
}

}  // namespace
}  // namespace warplens::gui
