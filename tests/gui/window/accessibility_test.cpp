// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/window/window_fixture.hpp"

#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QSet>

namespace warplens::gui::test {
namespace {

bool takesFocus(const QWidget* widget) {
    return widget->isVisible() && widget->isEnabled() && widget->focusPolicy() != Qt::NoFocus &&
           widget->focusProxy() == nullptr;
}

TEST_F(WindowTest, EveryFocusableWidgetHasAName) {
    open("gen:noise:32x32:u8:c=3");
    for (Page* page : window->pages()->pages()) {
        window->pages()->setCurrent(page);
        ASSERT_TRUE(idle());
        QTest::qWait(30);
        int seen = 0;
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            // A spin box speaks for the line edit inside it.
            if (!takesFocus(widget) || widget->objectName() == "qt_spinbox_lineedit") continue;
            ++seen;
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(face, nullptr) << widget->metaObject()->className();
            EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
                << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
                << widget->parentWidget()->metaObject()->className() << " on page " << page->id().toStdString();
        }
        EXPECT_GT(seen, 10) << page->id().toStdString();
    }
}

TEST_F(WindowTest, EveryFocusableWidgetOfTheDialogsHasAName) {
    open("gen:noise:32x32:u8");
    for (const char* action : {"palette", "change-keys", "presets", "reports", "go-to-pixel", "help"}) {
        window->findChild<QAction*>(QString::fromUtf8(action))->trigger();
        QTest::qWait(30);
        const auto dialogs = window->findChildren<QDialog*>();
        ASSERT_FALSE(dialogs.isEmpty()) << action;
        for (QDialog* dialog : dialogs) {
            EXPECT_FALSE(dialog->windowTitle().isEmpty()) << action;
            for (QWidget* widget : dialog->findChildren<QWidget*>()) {
                if (!takesFocus(widget) || widget->objectName().startsWith("qt_")) continue;
                QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
                ASSERT_NE(face, nullptr) << widget->metaObject()->className();
                EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
                    << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " of " << action;
            }
            dialog->close();
        }
        QTest::qWait(30);
    }
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

TEST_F(WindowTest, TabReachesTheWholeHistogramPage) {
    open("gen:noise:32x32:u8:c=3");
    window->pages()->setCurrent(window->pages()->page("histogram"));
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QWidget*>("channel-red") != nullptr; }, kPatienceMs));
    window->activateWindow();
    window->setFocus();
    QSet<QWidget*> reached;
    for (int i = 0; i < 200; ++i) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(),
                        Qt::Key_Tab);
        if (QWidget* widget = QApplication::focusWidget()) reached << widget;
    }
    for (const char* name : {"bins", "range-low", "range-high", "region-choice", "contention-variant", "mark-range",
                             "contention", "select-region", "equalise", "stretch", "histogram-picture", "contention-map",
                             "cumulative", "channel-red", "counts", "copy-statistics", "lanes"})
        EXPECT_TRUE(reached.contains(find<QWidget>(name))) << name;
}

}  // namespace
}  // namespace warplens::gui::test
