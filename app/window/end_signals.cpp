// SPDX-License-Identifier: Apache-2.0
#include "app/window/end_signals.hpp"

#include "gui/window/main_window.hpp"

#include <QApplication>
#include <QSocketNotifier>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <sys/eventfd.h>
#include <unistd.h>

namespace warplens::app {

namespace {

int s_wake = -1;

// Next to nothing is allowed in a handler: it wakes the event loop, which does the rest.
void wake(int) {
    const int kept = errno;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = ::write(s_wake, &one, sizeof one);
    errno = kept;
}

}  // namespace

void endOnSignals(QApplication& application, int status) {
    s_wake = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (s_wake < 0) return;
    auto* woken = new QSocketNotifier(s_wake, QSocketNotifier::Read, &application);
    QObject::connect(woken, &QSocketNotifier::activated, &application, [woken, status] {
        woken->setEnabled(false);
        QApplication::setQuitOnLastWindowClosed(false);  // it would end with status 0
        qApp->setProperty(gui::MainWindow::kNoQuestions, true);
        QApplication::closeAllWindows();
        QApplication::exit(status);
    });
    for (const int signal : {SIGTERM, SIGHUP, SIGINT}) {
        struct sigaction present {};
        sigaction(signal, nullptr, &present);
        if (present.sa_handler == SIG_IGN) continue;
        struct sigaction action {};
        action.sa_handler = wake;
        action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
        sigemptyset(&action.sa_mask);
        sigaction(signal, &action, nullptr);
    }
}

}  // namespace warplens::app
