// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "tests/gui/window/window_fixture.hpp"

#include <QFile>
#include <QLineEdit>

namespace warplens::gui::test {

/// What somebody wants done, with the keys and clicks that it takes; they stand in walks.md beside this file.
class CountedWalk : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    /// Whether walks.md has it so.
    void step(const QString& what) {
        QFile notes(QStringLiteral(WARPLENS_SOURCE_DIR "/tests/gui/window/walks.md"));
        ASSERT_TRUE(notes.open(QIODevice::ReadOnly));
        const QString line = QStringLiteral("| %1 | %2 | %3 |").arg(what).arg(m_clicks).arg(m_keys);
        EXPECT_TRUE(QString::fromUtf8(notes.readAll()).contains(line)) << line.toStdString();
        m_clicks = m_keys = 0;
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_keys;
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : window.get(), key, modifiers);
        QTest::qWait(20);
    }
    /// By the palette: Ctrl+K, words, Enter.
    void ask(const QString& words) {
        key(Qt::Key_K, Qt::ControlModifier);
        auto* text = window->findChild<QLineEdit*>("command-text");
        ASSERT_NE(text, nullptr);
        m_keys += static_cast<int>(words.size());
        QTest::keyClicks(text, words);
        ++m_keys;
        QTest::keyClick(text, Qt::Key_Return);
        ASSERT_TRUE(waitFor([this] { return window->findChild<QLineEdit*>("command-text") == nullptr; }));
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kPatienceMs); }

    int m_keys = 0, m_clicks = 0;
};

}  // namespace warplens::gui::test
