// SPDX-License-Identifier: Apache-2.0
// A lesson by keyboard alone: sample, four variants, flip, wipe, difference, a tile seam, a report, two reports merged.
#include "gui/picture/pane_grid.hpp"
#include "gui/reports/reports_window.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <cstdio>

namespace warplens::gui::test {
namespace {

class WalkTest : public WindowTest {
protected:
    /// Where the keyboard is.
    QWidget* focus() {
        if (QWidget* widget = QApplication::focusWidget()) return widget;
        return QApplication::activeWindow() != nullptr ? QApplication::activeWindow() : window.get();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_keys;
        QTest::keyClick(focus(), key, modifiers);
        QTest::qWait(20);
    }
    void type(const QString& text) {
        m_keys += static_cast<int>(text.size());
        QTest::keyClicks(focus(), text);
        QTest::qWait(20);
    }
    void step(const char* what) {
        std::printf("%3d keys: %s\n", m_keys - m_before, what);
        m_before = m_keys;
    }
    /// A dialog takes the keyboard as soon as it is there.
    QWidget* dialog(const char* inside) {
        QWidget* found = nullptr;
        EXPECT_TRUE(QTest::qWaitFor([&] {
            for (QWidget* top : QApplication::topLevelWidgets())
                for (QWidget* widget : top->findChildren<QWidget*>(QString::fromUtf8(inside)))
                    if (widget->isVisible()) found = widget;
            return found != nullptr;
        })) << inside;
        if (found == nullptr) return nullptr;
        found->window()->activateWindow();
        EXPECT_TRUE(QTest::qWaitForWindowActive(found->window()));
        return found;
    }
    void back() {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    int m_keys = 0, m_before = 0;
};

TEST_F(WalkTest, ATeacherNeedsNoMouse) {
    back();
    key(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_NE(dialog("command-text"), nullptr);
    type("sample zone");
    key(Qt::Key_Return);
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return session().document().input().startsWith("gen:zoneplate"); }, kPatienceMs));
    ASSERT_TRUE(filtered());
    back();
    step("open a sample by name");

    key(Qt::Key_J, Qt::ControlModifier);
    key(Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(session().variants().checkedCount(), 0);
    key(Qt::Key_Home);
    for (int i = 0; i < 4; ++i) {
        if (i > 0) key(Qt::Key_Down);
        key(Qt::Key_Space);
    }
    ASSERT_EQ(session().variants().checkedCount(), 4);
    QSignalSpy compared(&session().control(), &RunControl::compared);
    key(Qt::Key_F5);
    ASSERT_TRUE(compared.wait(60'000));
    ASSERT_TRUE(idle());
    EXPECT_EQ(session().results().report()->runs.size(), 4U);
    step("check four variants and compare them");

    PaneGrid* grid = comparePage()->panes();
    QTest::keyPress(focus(), Qt::Key_Shift);
    ++m_keys;
    EXPECT_TRUE(grid->flipped());
    QTest::keyRelease(focus(), Qt::Key_Shift);
    EXPECT_FALSE(grid->flipped());
    step("flip to the input and back");

    key(Qt::Key_W);
    EXPECT_TRUE(grid->pane(grid->current())->view()->wipe().has_value());
    for (int i = 0; i < 3; ++i) key(Qt::Key_BracketRight);
    key(Qt::Key_O);
    key(Qt::Key_S);
    key(Qt::Key_W);
    step("wipe: on, move, turn, swap, off");

    key(Qt::Key_D);
    ASSERT_TRUE(QTest::qWaitFor([this] { return difference().difference() != nullptr; }, kPatienceMs));
    key(Qt::Key_D, Qt::ShiftModifier);
    step("difference and its next metric");

    key(Qt::Key_T);
    key(Qt::Key_G, Qt::ControlModifier);
    ASSERT_NE(dialog("go-to-place"), nullptr);
    type("32 32");
    key(Qt::Key_Return);
    back();
    EXPECT_EQ(grid->viewState()->cursor(), QPoint(32, 32));
    EXPECT_GE(grid->viewState()->zoom(), 16);
    key(Qt::Key_M);
    step("inspect the seam at 32, 32 with tiles and magnifier");

    key(Qt::Key_E, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_NE(dialog("fileNameEdit"), nullptr);
    const QString first = folder.filePath("a.json");
    auto* name = qobject_cast<QLineEdit*>(focus());
    ASSERT_NE(name, nullptr) << "the name is where the keyboard is";
    name->selectAll();
    QTest::keyClicks(name, first);  // a person types a few letters; the folder here is long
    m_keys += 6;
    key(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(first); }, kPatienceMs));
    back();
    step("export the report");

    key(Qt::Key_R, Qt::ControlModifier);
    ASSERT_NE(dialog("report-table"), nullptr);
    key(Qt::Key_O, Qt::ControlModifier);
    ASSERT_NE(dialog("fileNameEdit"), nullptr);
    if (qobject_cast<QLineEdit*>(focus()) == nullptr) key(Qt::Key_N, Qt::AltModifier);
    name = qobject_cast<QLineEdit*>(focus());
    ASSERT_NE(name, nullptr) << focus()->metaObject()->className() << ' ' << focus()->objectName().toStdString();
    QTest::keyClicks(name, first);
    m_keys += 6;
    key(Qt::Key_Return);
    auto* merged = window->findChild<ReportsWindow*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return merged->reports().reports().size() == 2; }, kPatienceMs));
    step("merge it with the present one");
    std::printf("%3d keys in all\n", m_keys);
    EXPECT_LT(m_keys, 90);
}

}  // namespace
}  // namespace warplens::gui::test
