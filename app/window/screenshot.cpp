// SPDX-License-Identifier: Apache-2.0
#include "app/window/screenshot.hpp"

#include "gui/window/page_stack.hpp"

#include <QApplication>
#include <QElapsedTimer>
#include <QTimer>
#include <cstdio>
#include <memory>
#include <utility>

namespace warplens::app {

namespace {
constexpr int kLookMs = 100;
constexpr int kCalmLooks = 5;
constexpr qint64 kGiveUpMs = 300'000;
}  // namespace

void takeScreenshot(gui::MainWindow& window, const QString& path, std::function<bool()> done) {
    auto* timer = new QTimer(&window);
    auto clock = std::make_shared<QElapsedTimer>();
    clock->start();
    auto calm = std::make_shared<int>(0);
    QObject::connect(timer, &QTimer::timeout, &window, [&window, path, clock, done = std::move(done), calm] {
        if (clock->elapsed() > kGiveUpMs) {
            std::fprintf(stderr,
                         "warplens: --screenshot: nothing to show within five minutes; take a smaller picture.\n");
            QApplication::exit(4);
            return;
        }
        const bool still = done() && !window.session().activity().busy() && window.pages()->current()->settled();
        *calm = still ? *calm + 1 : 0;
        if (*calm < kCalmLooks) return;
        const bool written = window.grab().save(path, "PNG");
        if (!written)
            std::fprintf(stderr, "warplens: %s could not be written; choose another name or folder.\n",
                         qPrintable(path));
        QApplication::exit(written ? 0 : 3);
    });
    timer->start(kLookMs);
}

}  // namespace warplens::app
