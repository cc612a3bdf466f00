// SPDX-License-Identifier: Apache-2.0
#include "gui/request/family_chooser.hpp"

#include "gpu/core/registry.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QListWidget>
#include <QSignalSpy>
#include <QVBoxLayout>

namespace warplens::gui::test {
namespace {

class FamilyChooserTest : public WindowTest {
protected:
    FamilyChooser* button() { return find<FamilyChooser>("family-chooser"); }
    QListWidget* rows() { return window->findChild<QListWidget*>(QStringLiteral("family-rows")); }
    QLineEdit* text() { return window->findChild<QLineEdit*>(QStringLiteral("family-text")); }
    void openByKey() {
        window->activateWindow();
        button()->setFocus();
        QTest::keyClick(button(), Qt::Key_Space);
        ASSERT_NE(rows(), nullptr);
        ASSERT_TRUE(QTest::qWaitFor([this] { return text()->hasFocus(); }, kPatienceMs));
    }
    /// Whether the list is gone and the button has the focus.
    bool closed() {
        return QTest::qWaitFor([this] { return rows() == nullptr && button()->hasFocus(); }, kPatienceMs);
    }
    std::string family() { return session().parameters().family()->id(); }
};

TEST_F(FamilyChooserTest, LettersFilterOverNamesAndTasksAndEnterChooses) {
    ASSERT_NO_FATAL_FAILURE(openByKey());
    EXPECT_EQ(rows()->count(), static_cast<int>(gpu::families().size()));
    EXPECT_EQ(rows()->currentItem()->data(Qt::UserRole).toString().toStdString(), family());
    for (const gpu::Family* wanted : gpu::families()) {
        if (rows() == nullptr) {
            ASSERT_NO_FATAL_FAILURE(openByKey());
        }
        QTest::keyClicks(text(), QString::fromStdString(wanted->info().task).section(',', 0, 0).toUpper());
        ASSERT_EQ(rows()->count(), 1) << wanted->id();
        QTest::keyClick(text(), Qt::Key_Return);
        EXPECT_TRUE(closed()) << wanted->id();
        EXPECT_EQ(family(), wanted->id());
        EXPECT_TRUE(button()->accessibleName().contains(QString::fromStdString(wanted->title())));
    }
    ASSERT_NO_FATAL_FAILURE(openByKey());
    QTest::keyClicks(text(), "no such thing");
    EXPECT_EQ(rows()->count(), 0);
    QTest::keyClick(text(), Qt::Key_Return);
    EXPECT_NE(rows(), nullptr) << "nothing is chosen, nothing closes";
}

TEST_F(FamilyChooserTest, EscapeLeavesEverythingAsItWas) {
    const std::string before = family();
    ASSERT_NO_FATAL_FAILURE(openByKey());
    QTest::keyClick(text(), Qt::Key_Down);
    QTest::keyClick(text(), Qt::Key_Escape);
    EXPECT_TRUE(closed());
    EXPECT_EQ(family(), before);
}

TEST_F(FamilyChooserTest, ArrowsAndClicksChoose) {
    ASSERT_NO_FATAL_FAILURE(openByKey());
    const int last = rows()->count() - 1;
    for (int i = 0; i <= last; ++i) QTest::keyClick(text(), Qt::Key_Down);
    EXPECT_EQ(rows()->currentRow(), last) << "no further than the last";
    QTest::keyClick(text(), Qt::Key_Up);
    EXPECT_EQ(rows()->currentRow(), last - 1);
    const std::string wanted = rows()->item(last)->data(Qt::UserRole).toString().toStdString();
    QTest::mouseClick(rows()->viewport(), Qt::LeftButton, {}, rows()->visualItemRect(rows()->item(last)).center());
    EXPECT_TRUE(closed());
    EXPECT_EQ(family(), wanted);
}

// The chooser is made for more families than there are.
TEST_F(FamilyChooserTest, ThirteenFamiliesStandInTheirGroupsAndFit) {
    const char* kRows[][3] = {{"Convolution", "Filter", "Blur, sharpen, find edges"},
                              {"Stencil", "Iterate", "Heat, waves, step by step"},
                              {"Histogram", "Count and measure", "Values in bins"},
                              {"Statistics", "Count and measure", "Sums, extremes, differences"},
                              {"Median and rank", "Filter", "Despeckle, erode, dilate"},
                              {"Running sums", "Count and measure", "Box mean, threshold, equalise"},
                              {"Layout", "Rearrange", "Transpose, turn, split channels"},
                              {"Sorted merge", "Order", "Sort, merge, exact quantiles"},
                              {"Flood", "Regions", "Magic wand, mazes"},
                              {"Components", "Regions", "Label and measure"},
                              {"Distance", "Regions", "To the nearest pixel outside"},
                              {"Matrix product", "Solve", "DCT, filter banks, colours"},
                              {"Sparse solve", "Solve", "Inpaint, clone"}};
    std::vector<gpu::FamilyInfo> infos;
    for (const auto& [title, group, task] : kRows)
        infos.push_back({.id = QString(title).toLower().replace(' ', '_').toStdString(),
                         .title = title,
                         .group = group,
                         .task = task});
    std::vector<const gpu::FamilyInfo*> families;
    for (const gpu::FamilyInfo& info : infos) families.push_back(&info);
    QWidget small;
    small.resize(1280, 720);
    FamilyChooser chooser(families, &small);
    chooser.setCurrent(families[9]);
    chooser.setGeometry(12, 160, 240, chooser.height());
    small.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&small));
    EXPECT_EQ(chooser.height(), 32);
    QTest::mouseClick(&chooser, Qt::LeftButton);
    auto* list = chooser.findChild<QListWidget*>(QStringLiteral("family-rows"));
    auto* typed = chooser.findChild<QLineEdit*>(QStringLiteral("family-text"));
    ASSERT_NE(list, nullptr);
    EXPECT_EQ(list->window()->width(), 452);
    EXPECT_TRUE(QRect(small.mapToGlobal(QPoint()), small.size()).contains(list->window()->geometry()));
    ASSERT_EQ(list->count(), 13);
    EXPECT_EQ(list->item(1)->text(), "Median and rank") << "with the filters, though it came later";
    EXPECT_EQ(list->currentItem()->text(), "Components");
    for (int row = 0; row < list->count(); ++row)
        EXPECT_TRUE(list->viewport()->rect().contains(list->visualItemRect(list->item(row))))
            << list->item(row)->text().toStdString();
    if (const QString to = qEnvironmentVariable("WARPLENS_PHOTO_FOLDER"); !to.isEmpty())
        list->window()->grab().save(to + QStringLiteral("/family-list.png"));
    QTest::keyClicks(typed, "sor");
    ASSERT_EQ(list->count(), 1);
    QSignalSpy chosen(&chooser, &FamilyChooser::chosen);
    QTest::keyClick(typed, Qt::Key_Return);
    ASSERT_EQ(chosen.count(), 1);
    EXPECT_EQ(chosen.front().front().value<std::string>(), "sorted_merge");
}

}  // namespace
}  // namespace warplens::gui::test
