// SPDX-License-Identifier: Apache-2.0
// Photographs of the screens, to be looked at: WARPLENS_PHOTO_FOLDER=DIR and --gtest_also_run_disabled_tests.
#include "gui/models/recorded_rates.hpp"
#include "gui/models/samples.hpp"
#include "gui/panels/reports_window.hpp"
#include "gui/views/pane_grid.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QSignalSpy>

namespace warplens::gui::test {
namespace {

class PhotoTest : public WindowTest {
protected:
    void photograph(QWidget* widget, const QString& name) {
        QTest::qWait(150);
        const QString place = qEnvironmentVariable("WARPLENS_PHOTO_FOLDER");
        EXPECT_TRUE(widget->grab().save(QDir(place).filePath(name + QStringLiteral(".png")))) << name.toStdString();
    }
    void trigger(const char* name) {
        window->findChild<QAction*>(QString::fromUtf8(name))->trigger();
        QTest::qWait(50);
    }
    void dialog(const char* action, const char* name, const QString& file) {
        trigger(action);
        auto* box = window->findChild<QDialog*>(QString::fromUtf8(name));
        ASSERT_NE(box, nullptr) << name;
        photograph(box, file);
        box->close();
        QTest::qWait(30);
    }
};

TEST_F(PhotoTest, DISABLED_EveryScreen) {
    ASSERT_FALSE(qEnvironmentVariable("WARPLENS_PHOTO_FOLDER").isEmpty());
    open(defaultSample());
    QSignalSpy compared(&session(), &CompareSession::compared);
    session().compare();
    ASSERT_TRUE(compared.wait(kPatienceMs));
    ASSERT_TRUE(idle());
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        for (const auto& [choice, scheme] : {std::pair{SchemeChoice::dark, "dark"}, std::pair{SchemeChoice::light, "light"}}) {
            Theme::apply(choice);
            window->resize(size);
            const QString suffix = QStringLiteral("-%1-%2").arg(size.width()).arg(QString::fromUtf8(scheme));
            for (const bool project : {false, true}) {
                if (project && size.width() < 1900) continue;
                window->findChild<QAction*>("projector")->setChecked(project);
                const QString end = suffix + (project ? QStringLiteral("-projector") : QString());
                photograph(window.get(), "compare" + end);
                trigger("tiles");
                trigger("difference");
                comparePage()->goTo({200, 150, 0});
                photograph(window.get(), "tiles" + end);
                trigger("tiles");
                trigger("difference");
                window->pages()->current()->fit();
            }
            window->findChild<QAction*>("projector")->setChecked(false);
            QTest::qWait(50);
            dialog("palette", "command-palette", "palette" + suffix);
            dialog("change-keys", "key-editor", "keys" + suffix);
            dialog("presets", "preset-box", "presets" + suffix);
            trigger("reports");
            auto* reports = window->findChild<ReportsWindow*>();
            reports->addRecorded();
            photograph(reports, "reports" + suffix);
            reports->close();
            QTest::qWait(30);
        }
    }
}

}  // namespace
}  // namespace warplens::gui::test
