// SPDX-License-Identifier: Apache-2.0
// The main() of tests with widgets: no display needed, and the user's own settings and history are neither read nor
// written.
#include <QApplication>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <gtest/gtest.h>

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    // The build lists the tests on machines where Qt may have nothing to draw on.
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();

    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir settings;
    qputenv("WARPLENS_HISTORY", "off");
    QStandardPaths::setTestModeEnabled(true);
    for (const auto format : {QSettings::NativeFormat, QSettings::IniFormat}) {
        QSettings::setPath(format, QSettings::UserScope, settings.path());
    }
    QCoreApplication::setOrganizationName(QStringLiteral("warplens-tests"));
    QCoreApplication::setApplicationName(QStringLiteral("warplens-tests"));
    const QApplication application(argc, argv);
    return RUN_ALL_TESTS();
}
