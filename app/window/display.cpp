// SPDX-License-Identifier: Apache-2.0
#include "app/window/display.hpp"

#include <QMessageLogContext>
#include <QString>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

namespace warplens::app {

namespace {

int s_status = 0;

struct Said {
    QtMsgType type;
    QString text;
};
std::vector<Said>& said() {
    static std::vector<Said> messages;
    return messages;
}

void hear(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type != QtFatalMsg) return said().push_back({type, text});
    std::fputs(
        "warplens: no display could be opened; start it in a desktop session, or use warplens-cli, which needs none "
        "(pictures for scripts: QT_QPA_PLATFORM=offscreen).\n",
        stderr);
    std::_Exit(s_status);  // returning would abort
}

}  // namespace

DisplayGuard::DisplayGuard(int status) : m_before(nullptr) {
    s_status = status;
    m_before = qInstallMessageHandler(hear);
}

DisplayGuard::~DisplayGuard() {
    qInstallMessageHandler(m_before);
    for (const Said& one : std::exchange(said(), {})) qt_message_output(one.type, QMessageLogContext(), one.text);
}

}  // namespace warplens::app
