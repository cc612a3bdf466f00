// SPDX-License-Identifier: Apache-2.0
// The main() of tests with widgets: no display needed, and the user's own settings and history are neither read nor
// written.
#include <QApplication>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <gtest/gtest.h>

namespace {

/// Where each begins, and its size.
constexpr int kScreens[][3] = {{0, 1920, 1200}, {4000, 1280, 720}, {6000, 1024, 600}, {8000, 800, 500}};

/// As the offscreen platform reads them.
QByteArray screens() {
    QByteArrayList each;
    for (const auto& [x, width, height] : kScreens)
        each << QStringLiteral(R"({"name": "%2x%3", "x": %1, "y": 0, "width": %2, "height": %3, "logicalDpi": 96,
            "logicalBaseDpi": 96, "dpr": 1})")
                    .arg(x)
                    .arg(width)
                    .arg(height)
                    .toUtf8();
    return "{\"screens\": [" + each.join(',') + "]}";
}

}  // namespace

int main(int argc, char** argv) {
    testing::InitGoogleTest(&argc, argv);
    // The build lists the tests on machines where Qt may have nothing to draw on.
    if (GTEST_FLAG_GET(list_tests)) return RUN_ALL_TESTS();

    const QTemporaryDir settings;
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    if (qgetenv("QT_QPA_PLATFORM") == "offscreen") {
        // Screens as people have them, side by side: a window must fit each.
        QFile config(settings.filePath("screens.json"));
        if (config.open(QIODevice::WriteOnly)) config.write(screens());
        config.close();
        qputenv("QT_QPA_PLATFORM", "offscreen:configfile=" + config.fileName().toUtf8());
    }
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
