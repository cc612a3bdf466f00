// SPDX-License-Identifier: Apache-2.0
#include "gui/kit/theme/metrics.hpp"
#include "gui/kit/theme/tokens.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/recorded_here.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAccessible>
#include <QAction>
#include <QDialog>
#include <QLabel>
#include <QSet>
#include <map>
#include <set>

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
        const auto focusable = [this] {
            QList<QWidget*> found = window->findChildren<QWidget*>();
            // A spin box speaks for the line edit inside it.
            found.removeIf([](const QWidget* widget) {
                return !takesFocus(widget) || widget->objectName() == "qt_spinbox_lineedit";
            });
            return found;
        };
        // What a page shows once it has counted comes when it comes.
        EXPECT_TRUE(QTest::qWaitFor([&] { return focusable().size() > 10; }, kPatienceMs)) << page->id().toStdString();
        for (QWidget* widget : focusable()) {
            QAccessibleInterface* face = QAccessible::queryAccessibleInterface(widget);
            ASSERT_NE(face, nullptr) << widget->metaObject()->className();
            EXPECT_FALSE(face->text(QAccessible::Name).isEmpty())
                << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " in "
                << widget->parentWidget()->metaObject()->className() << " on page " << page->id().toStdString();
        }
    }
}

TEST_F(WindowTest, EveryFocusableWidgetOfTheDialogsHasAName) {
    open("gen:noise:32x32:u8");
    for (const char* action : {"palette", "change-keys", "presets", "reports", "history", "go-to-pixel", "help",
                               "guide", "words-elsewhere"}) {
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
                    << widget->metaObject()->className() << " " << widget->objectName().toStdString() << " of "
                    << action;
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
                             "contention", "select-region", "equalise", "stretch", "histogram-picture",
                             "contention-map", "cumulative", "channel-red", "counts", "copy-statistics", "lanes"})
        EXPECT_TRUE(reached.contains(find<QWidget>(name))) << name;
}

// --- contrast and room -----------------------------------------------------------------------------------------------

/// WCAG 2.1: 4.5 : 1; 3 : 1 from 24 px on, bold from 18.66 px on.
double contrastNeeded(const QFont& font) {
    const double pixels = font.pixelSize() > 0 ? font.pixelSize() : font.pointSizeF() * 96 / 72;
    return pixels >= 24 || (font.bold() && pixels >= 18.66) ? 3 : 4.5;
}

QString widgetPlace(const QWidget* widget) {
    QString place = QString::fromUtf8(widget->metaObject()->className()).section("::", -1) + ' ' + widget->objectName();
    if (const QWidget* parent = widget->parentWidget())
        place += " in " + QString::fromUtf8(parent->metaObject()->className()).section("::", -1) + ' ' +
                 parent->objectName();
    return place;
}

/// Whether some scroll area around can bring hidden parts into sight.
bool scrolls(const QWidget* widget, Qt::Orientation direction) {
    for (const QWidget* at = widget; at != nullptr; at = at->parentWidget()) {
        const auto* area = qobject_cast<const QAbstractScrollArea*>(at);
        if (area == nullptr) continue;
        if (area->objectName() == "ladder-room") return true;  // follows the rung chosen
        const bool wide = direction == Qt::Horizontal;
        if ((wide ? area->horizontalScrollBarPolicy() : area->verticalScrollBarPolicy()) != Qt::ScrollBarAlwaysOff)
            return true;
    }
    return false;
}

class LookTest : public WindowTest {
protected:
    /// Every text that a visible widget paints, against what it stands on in the window's picture.
    void expectReadable(QWidget* top, const std::string& where) {
        const QImage picture = top->grab().toImage().convertToFormat(QImage::Format_RGB32);
        int seen = 0;
        QList<QWidget*> widgets = top->findChildren<QWidget*>();
        widgets << top;
        for (QWidget* widget : widgets) {
            if (!widget->isVisibleTo(top) || !widget->isEnabled() || widget->size().isEmpty()) continue;
            const QRect shown = widget->visibleRegion().boundingRect();
            for (const PaintedText& text : textsOf(widget)) {
                const QRect box = text.box.toAlignedRect() & shown;
                if (box.width() < 3 || box.height() < 6) continue;
                const QRect area = box.translated(widget->mapTo(top, QPoint())) & picture.rect();
                if (area.isEmpty()) continue;
                ++seen;
                const QColor ground = groundOf(picture, area);
                EXPECT_GE(contrast(text.colour, ground), contrastNeeded(text.font))
                    << where << ": \"" << text.text.toStdString() << "\" " << text.colour.name().toStdString() << " on "
                    << ground.name().toStdString() << ", " << widgetPlace(widget).toStdString();
            }
        }
        EXPECT_GT(seen, 0) << where;
    }
    /// Labels and buttons that are smaller than their text, or stick out of what holds them.
    static std::vector<std::string> withoutRoom(const QWidget* top) {
        std::vector<std::string> without;
        for (QWidget* widget : top->findChildren<QWidget*>()) {
            if (!widget->isVisibleTo(top)) continue;
            const auto* label = qobject_cast<const QLabel*>(widget);
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            const bool fixed = (label != nullptr && !label->wordWrap() && !label->text().isEmpty()) ||
                               (button != nullptr && !button->text().isEmpty());
            if (!fixed || widget->property("elides").toBool()) continue;
            bool room = widget->minimumSizeHint().width() <= widget->width() + 1;
            const QRect shown = widget->visibleRegion().boundingRect();
            if (!shown.isEmpty()) {  // else in a tab behind another
                // Bold while it is chosen, it may be wider than it says.
                for (const PaintedText& text : textsOf(widget)) room = room && text.box.width() <= widget->width();
                room = room && (scrolls(widget, Qt::Horizontal) || shown.width() >= widget->width() - 1) &&
                       (scrolls(widget, Qt::Vertical) || shown.height() >= widget->height() - 1);
            }
            if (!room)
                without.push_back('"' + (label != nullptr ? label->text() : button->text()).toStdString() + "\" " +
                                  widgetPlace(widget).toStdString());
        }
        return without;
    }
    static void expectRoom(const QWidget* top, const std::string& where) {
        // Docks find their widths in several turns of the event loop.
        const bool found = QTest::qWaitFor([&] { return withoutRoom(top).empty(); }, 2000);
        EXPECT_TRUE(found) << where << ": " << testing::PrintToString(withoutRoom(top));
    }
    void project(bool on) {
        window->findChild<QAction*>("projector")->setChecked(on);
        QTest::qWait(30);
    }
};

TEST_F(LookTest, EveryTextIsReadableInEveryThemeAndHasRoomInEveryWindow) {
    session().control().setTracer(std::make_shared<MadeUpTracer>());
    open("gen:noise:64x48:u8");
    session().control().compare();
    ASSERT_TRUE(idle());
    struct Look {
        QSize size;
        SchemeChoice choice;
        bool projects;
    };
    // Every theme; every size of window; a page keeps its place in each.
    for (const Look& look :
         {Look{{1280, 720}, SchemeChoice::dark, false}, Look{{1280, 720}, SchemeChoice::light, true},
          Look{{1920, 1080}, SchemeChoice::light, false}, Look{{1920, 1080}, SchemeChoice::dark, true}}) {
        Theme::apply(look.choice);
        window->resize(look.size);
        project(look.projects);
        window->resize(look.size);  // again, as a window shrinks only as far as what was there before it adapted
        for (Page* page : window->pages()->pages()) {
            window->pages()->setCurrent(page);
            ASSERT_TRUE(idle());
            QTest::qWait(20);
            window->resize(look.size);
            QTest::qWait(10);
            ASSERT_TRUE(QTest::qWaitFor([&] { return page->settled(); }, kPatienceMs)) << page->id().toStdString();
            const std::string where = page->id().toStdString() + ' ' + std::to_string(look.size.height()) +
                                      (look.choice == SchemeChoice::dark ? " dark" : " light") +
                                      (look.projects ? " projector" : "");
            QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
            EXPECT_LE(window->width(), look.size.width()) << where;
            EXPECT_LE(window->height(), look.size.height()) << where;
            expectReadable(window.get(), where);
            expectRoom(window.get(), where);
        }
        project(false);
    }
    Theme::apply(SchemeChoice::dark);
}

TEST_F(LookTest, ProjectorModeThickensTheLinesOfEveryChart) {
    const RecordedHere recordedHere(64, 48);
    session().control().setTracer(std::make_shared<MadeUpTracer>());
    open("gen:noise:64x48:u8");
    session().control().compare();
    ASSERT_TRUE(idle());
    window->resize(1920, 1080);
    using Widths = std::map<std::string, double>;
    // A hairline is the grid of a chart, not what it says.
    const auto measure = [this] {
        Widths widths;
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            const QString type = QString::fromUtf8(widget->metaObject()->className()), own = widget->objectName();
            const std::string name = (own.isEmpty() ? type : own).toStdString();
            const auto charts = [](const QString& it) {
                return it.endsWith("chart") || it.endsWith("bars") || it.endsWith("plotview");
            };
            if (!charts(type.toLower()) && !charts(own)) continue;
            if (widget->isVisible() && !widget->visibleRegion().isEmpty())
                if (const double widest = widestLineOf(widget); widest > 1) widths[name] = widest;
        }
        return widths;
    };
    // A chart is filled by what is counted or read beside the page; the slower the machine, the later.
    const std::map<std::string, std::vector<std::string>> charts{
        {"compare", {"time-bars"}}, {"why", {"roofline", "warp-chart"}}, {"histogram", {"counts"}}};
    for (Page* page : window->pages()->pages()) {
        window->pages()->setCurrent(page);
        const std::string id = page->id().toStdString();
        ASSERT_TRUE(idle());
        const auto drawn = [&] {
            const Widths widths = measure();
            return page->settled() && (!charts.contains(id) || std::ranges::all_of(charts.at(id), [&](auto& name) {
                       return widths.contains(name);
                   }));
        };
        ASSERT_TRUE(QTest::qWaitFor(drawn, kPatienceMs)) << id;
        const Widths plain = measure();
        project(true);
        ASSERT_TRUE(QTest::qWaitFor(drawn, kPatienceMs)) << id << " projected";
        for (const auto& [name, width] : measure()) {
            if (!plain.contains(name)) continue;
            EXPECT_NEAR(width, 2 * plain.at(name), 0.01) << id << ' ' << name;
        }
        project(false);
    }
}

TEST_F(LookTest, DialogsAreReadableAndHaveRoom) {
    open("gen:noise:32x32:u8");
    // A change of look is what takes the time.
    for (const bool projects : {true, false}) {
        project(projects);
        Theme::apply(projects ? SchemeChoice::dark : SchemeChoice::light);
        for (const char* action : {"palette", "change-keys", "presets", "reports", "history", "go-to-pixel", "help",
                                   "guide", "words-elsewhere", "about"}) {
            window->findChild<QAction*>(QString::fromUtf8(action))->trigger();
            QTest::qWait(20);
            auto dialogs = window->findChildren<QDialog*>();
            // That of reports is kept when it is closed.
            dialogs.removeIf([](const QDialog* dialog) { return dialog->isHidden(); });
            ASSERT_EQ(dialogs.size(), 1) << action;
            const std::string where = std::string(action) + (projects ? " dark projector" : " light");
            expectReadable(dialogs.front(), where);
            expectRoom(dialogs.front(), where);
            dialogs.front()->close();
            QTest::qWait(10);
        }
    }
    Theme::apply(SchemeChoice::dark);
}

}  // namespace
}  // namespace warplens::gui::test
