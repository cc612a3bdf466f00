// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/window/window_fixture.hpp"

#include <QAccessible>
#include <QSet>

namespace warplens::gui::test {
namespace {

bool takesFocus(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
           widget->focusProxy() == nullptr;
}

TEST_F(WindowTest, EveryFocusableWidgetHasAName) {
    open("gen:noise:32x32:u8");
    int seen = 0;
    for (QWidget* widget : window->findChildren<QWidget*>()) {
        // A spin box speaks for the line edit inside it.
        if (!takesFocus(widget) || widget->objectName() == "qt_spinbox_lineedit") continue;
        ++seen;
        QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
        ASSERT_NE(face, nullptr) << widget->metaObject()->className();
        EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
            << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
            << widget->parentWidget()->metaObject()->className();
    }
    EXPECT_GT(seen, 15);
}

TEST_F(WindowTest, TabReachesEverything) {
    open("gen:noise:32x32:u8");
    window->activateWindow();
    window->setFocus();
    QSet<QWidget*> reached;
    for (int i = 0; i < 200; ++i) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(),
                        Qt::Key_Tab);
        if (QWidget* widget = QApplication::focusWidget()) reached << widget;
    }
    for (const char* name :
         {"filter", "radius", "radius-slider", "border", "device", "variants", "runs", "primary", "pane-layout"})
        EXPECT_TRUE(reached.contains(find<QWidget>(name))) << name;
}

}  // namespace
}  // namespace warplens::gui::test
