// SPDX-License-Identifier: Apache-2.0
#include "app/window/desktop_identity.hpp"

#include <QGuiApplication>
#include <QIcon>

namespace warplens::app {

void setDesktopIdentity() {
    QGuiApplication::setDesktopFileName(QStringLiteral("org.warplens.warplens"));
    // From the program itself, so that it has its icon without being installed.
    QIcon icon;
    for (const int size : {16, 22, 24, 32, 48, 64, 128, 256})
        icon.addFile(QStringLiteral(":/warplens/desktop/icons/warplens-%1.png").arg(size));
    QGuiApplication::setWindowIcon(icon);
}

}  // namespace warplens::app
