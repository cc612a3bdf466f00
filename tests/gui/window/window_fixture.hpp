// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/compare/compare_page.hpp"
#include "gui/compare/difference_tool.hpp"
#include "gui/kit/theme.hpp"
#include "gui/window/main_window.hpp"
#include "gui/window/page_stack.hpp"

#include <QApplication>
#include <QLineEdit>
#include <QPushButton>
#include <QSettings>
#include <QTemporaryDir>
#include <QTest>
#include <gtest/gtest.h>
#include <memory>
#include <stdexcept>

namespace warplens::gui::test {

constexpr int kPatienceMs = 60'000;

/// A real window on the CPU device, driven by input events.
class WindowTest : public testing::Test {
protected:
    void SetUp() override {
        static const bool installed = (Theme::install(*qApp, SchemeChoice::dark), true);
        ASSERT_TRUE(installed);
        qApp->setProperty(MainWindow::kNoQuestions, true);  // nobody answers
        settings.setValue(MainWindow::kAtOnce, true);
        settings.setValue(QStringLiteral("window/workspace"), QStringLiteral("lab"));
        reopen();
    }
    void TearDown() override { window.reset(); }

    /// Closes the window and opens it again with the same settings.
    void reopen() {
        if (window) window->close();
        window.reset();
        window = std::make_unique<MainWindow>(settings);
        window->resize(1600, 1000);
        window->session().devices().fetch("cpu");
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return session().devices().chosen() != nullptr; }, kPatienceMs));
    }

    CompareSession& session() { return window->session(); }
    ComparePage* comparePage() { return find<ComparePage>("page-compare"); }
    const DifferenceModel& difference() { return comparePage()->findChild<DifferenceTool*>()->model(); }
    template <class Widget>
    Widget* find(const char* name) {
        auto* widget = window->findChild<Widget*>(QString::fromUtf8(name));
        EXPECT_NE(widget, nullptr) << name;
        return widget;
    }

    /// As a person does: a click on the chooser, a few letters of a name or a task, Enter.
    void chooseFamily(const QString& typed) {
        QTest::mouseClick(find<QPushButton>("family-chooser"), Qt::LeftButton);
        auto* text = window->findChild<QLineEdit*>(QStringLiteral("family-text"));
        ASSERT_NE(text, nullptr);
        QTest::keyClicks(text, typed);
        QTest::keyClick(text, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor(
            [this] { return window->findChild<QWidget*>(QStringLiteral("family-text")) == nullptr; }, kPatienceMs));
    }

    bool idle() {
        return QTest::qWaitFor([this] { return !session().activity().busy(); }, kPatienceMs);
    }
    /// The current variant's result is there, belongs to the present values and was checked.
    bool filtered() {
        return QTest::qWaitFor(
            [this] {
                const gpu::RunRecord* record = session().results().of(session().request().current());
                return record != nullptr && !session().results().stale(session().request().current()) &&
                       record->verification && !session().activity().busy();
            },
            kPatienceMs);
    }
    /// What a variant made last, waited for; without one the test fails and ends.
    const gpu::RunRecord& record(const std::string& id) {
        if (!QTest::qWaitFor([&] { return session().results().of(id) != nullptr; }, kPatienceMs))
            throw std::runtime_error("no result of " + id);
        return *session().results().of(id);
    }
    const gpu::RunRecord& record() { return record(session().request().current()); }
    void open(const QString& input) {
        session().inputs().open(input);
        ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == input; }, kPatienceMs))
            << session().activity().notice().toStdString();
        ASSERT_TRUE(filtered());
    }

    QTemporaryDir folder;
    QSettings settings{folder.filePath("settings.ini"), QSettings::IniFormat};
    std::unique_ptr<MainWindow> window;
};

}  // namespace warplens::gui::test
