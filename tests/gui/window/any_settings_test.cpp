// SPDX-License-Identifier: Apache-2.0
// Whatever the settings hold, and whatever screen they come from, a window starts and lies on its screen.
#include "gui/window/window_place.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/program.hpp"

#include <QAction>
#include <QCoreApplication>
#include <QDataStream>
#include <QDir>
#include <QDockWidget>
#include <QFile>
#include <QScreen>
#include <QToolButton>
#include <QVariant>
#include <csignal>
#include <map>
#include <random>
#include <tuple>
#include <vector>

namespace warplens::gui::test {
namespace {

const QString kGeometry = QStringLiteral("window/geometry"), kState = QStringLiteral("window/state");

class AnySettingsTest : public WindowTest {
protected:
    void SetUp() override {
        qApp->setProperty(MainWindow::kNoQuestions, true);
        static const bool installed = (Theme::install(*qApp, SchemeChoice::dark), true);
        ASSERT_TRUE(installed);
        ASSERT_GE(QGuiApplication::screens().size(), 4) << "of the sizes that people have";
    }
    /// Starts with the settings, and looks.
    void start(const std::string& what) {
        SCOPED_TRACE(what);
        window = std::make_unique<MainWindow>(settings);
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        QTest::qWait(20);
        const QRect inside = window->screen()->availableGeometry();
        if (!window->isMaximized() && !window->isFullScreen()) {
            EXPECT_TRUE(inside.contains(window->frameGeometry()))
                << window->x() << ' ' << window->y() << ' ' << window->width() << " x " << window->height() << " on "
                << inside.x() << ' ' << inside.width() << " x " << inside.height();
        }
        EXPECT_LE(window->width(), inside.width());
        EXPECT_LE(window->height(), inside.height());
        for (const char* page : {"why", "volume", "compare"}) {
            window->pages()->setCurrent(window->pages()->page(QString::fromUtf8(page)));
            QCoreApplication::processEvents();
        }
        EXPECT_TRUE(find<QPushButton>("primary")->isVisible());
    }
    void stop() {
        window->close();
        window.reset();
    }
    /// What a window of this size leaves.
    void leave(QSize size, const char* page, bool docks) {
        settings.clear();
        window = std::make_unique<MainWindow>(settings);
        window->show();
        window->resize(size);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        QTest::qWait(20);
        window->pages()->setCurrent(window->pages()->page(QString::fromUtf8(page)));
        if (!docks) find<QDockWidget>("source-dock")->close();
        QCoreApplication::processEvents();
        stop();
    }
    /// What a window leaves that was maximised, full screen or neither on this screen.
    QVariant placeOn(QScreen* screen, Qt::WindowStates states) {
        QSettings other(folder.filePath("other.ini"), QSettings::IniFormat);
        other.clear();
        MainWindow there(other);
        there.setGeometry(QRect(screen->geometry().topLeft(), QSize(1584, 952)));
        there.setWindowState(states);
        there.show();
        QCoreApplication::processEvents();
        there.close();
        return other.value(kGeometry);
    }
};

TEST_F(AnySettingsTest, ALayoutOfAnyScreenStartsOnAnyOther) {
    std::vector<QVariant> layouts;
    for (const auto& [size, page, docks] :
         {std::tuple(QSize(2400, 1500), "compare", true), std::tuple(QSize(1600, 1000), "compare", false),
          std::tuple(QSize(1200, 700), "volume", true), std::tuple(QSize(780, 450), "compare", true)}) {
        leave(size, page, docks);
        layouts.push_back(settings.value(kState));
    }
    std::size_t number = 0;
    for (QScreen* screen : QGuiApplication::screens())
        for (const Qt::WindowStates states : {Qt::WindowStates(), Qt::WindowStates(Qt::WindowMaximized)}) {
            const QVariant place = placeOn(screen, states);
            // Each in turn; that of the largest window comes to every screen that is smaller.
            for (const std::size_t i : {std::size_t{0}, 1 + number % (layouts.size() - 1)}) {
                if (i == 0 && !states) continue;
                settings.clear();
                settings.setValue(kState, layouts[i]);
                settings.setValue(kGeometry, place);
                start("layout " + std::to_string(i) + " on " + screen->name().toStdString() +
                      (states ? ", maximised" : ""));
                stop();
            }
            ++number;
        }
    EXPECT_GE(number, 8U);
}

/// The bytes or the words of a setting, spoilt.
QVariant spoilt(const QVariant& kept, std::mt19937& random) {
    QByteArray bytes = kept.toByteArray();
    switch (random() % 5) {
        case 0: bytes.truncate(static_cast<int>(random() % static_cast<unsigned>(bytes.size() + 1))); break;
        case 1:
            for (char& byte : bytes) byte = static_cast<char>(random());
            break;
        case 2:
            if (!bytes.isEmpty())
                for (int i = 0; i < 8; ++i)
                    bytes[static_cast<int>(random() % static_cast<unsigned>(bytes.size()))] =
                        static_cast<char>(random());
            break;
        case 3: return static_cast<qlonglong>(random()) * 4'000'000'000LL;
        default: return QStringLiteral("no such thing");
    }
    return bytes;
}

TEST_F(AnySettingsTest, DamagedSettingsAreLeftOut) {
    leave({1500, 900}, "why", true);
    settings.setValue("window/theme", 1);
    settings.setValue("window/language", "en");
    settings.setValue("files/recent", QStringList{"/nowhere.png"});
    std::map<QString, QVariant> sound;
    for (const QString& key : settings.allKeys()) sound[key] = settings.value(key);
    ASSERT_TRUE(sound.contains(kGeometry) && sound.contains(kState));
    for (unsigned seed = 1; seed <= 6; ++seed) {
        std::mt19937 random(seed);
        settings.clear();
        for (const auto& [key, value] : sound)
            settings.setValue(key, random() % 3 == 0 ? value : spoilt(value, random));
        start("seed " + std::to_string(seed));
        stop();
    }
}

TEST_F(AnySettingsTest, WhatIsFittedLiesOnTheScreenWithItsFrame) {
    QWidget some;
    for (const QScreen* screen : QGuiApplication::screens())
        for (const QRect wish : {QRect(0, 0, 5000, 4000), QRect(-900, -900, 400, 300), QRect(100, 100, 1584, 952)}) {
            some.setGeometry(wish.translated(screen->geometry().topLeft()));
            WindowPlace::fitToScreen(some);
            bool inside = false;
            for (const QScreen* any : QGuiApplication::screens())
                inside = inside || any->availableGeometry().contains(QRect(some.pos(), some.size() + QSize(16, 48)));
            EXPECT_TRUE(inside) << some.x() << ' ' << some.y() << ' ' << some.width() << ' ' << some.height();
        }
}

class SmallWindowTest : public WindowTest, public testing::WithParamInterface<QSize> {};

// What cannot be reached is not there: header, page and docks lie within the window, and none over another.
TEST_P(SmallWindowTest, EverythingLiesWithinTheWindow) {
    open("gen:noise:64x48:u8");
    window->resize(GetParam());
    QTest::qWait(60);
    for (Page* page : window->pages()->pages()) {
        window->pages()->setCurrent(page);
        QTest::qWait(40);
        const std::string where = page->title().toStdString();
        EXPECT_EQ(window->size(), GetParam()) << where;
        const auto inside = [&](const QWidget* widget) {
            return window->rect().contains(QRect(widget->mapTo(window.get(), QPoint()), widget->size()));
        };
        EXPECT_TRUE(inside(page)) << where;
        EXPECT_GE(page->height(), GetParam().height() / 4) << where;
        EXPECT_TRUE(inside(find<QPushButton>("primary"))) << where;
        auto* menu = find<QToolButton>("page-menu");
        const bool lab = window->pages()->workspace() == Page::Workspace::lab;
        auto* button = find<QPushButton>(lab ? "page-button-compare" : "view-button-picture");
        auto* last = find<QPushButton>(lab ? "page-button-lessons" : "view-button-regions");
        EXPECT_NE(menu->isVisible(), button->isVisible()) << where << ": one of them leads to the pages";
        EXPECT_TRUE(inside(last) || menu->isVisible()) << where;
        for (const QDockWidget* dock : window->findChildren<QDockWidget*>())
            if (!dock->visibleRegion().isEmpty()) {
                EXPECT_TRUE(inside(dock)) << where << ": " << dock->objectName().toStdString();
            }
    }
}

INSTANTIATE_TEST_SUITE_P(Sizes, SmallWindowTest, testing::Values(QSize(1264, 672), QSize(1008, 552), QSize(784, 452)),
                         [](const auto& size) {
                             return std::to_string(size.param.width()) + "x" + std::to_string(size.param.height());
                         });

// With the scale that a small screen of many pixels has: 1600 x 1000 of twice the size is 800 x 500.
TEST_F(AnySettingsTest, AScaledScreenIsSmall) {
    const QString config = folder.filePath("screen.json");
    QFile file(config);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write(R"({"screens": [{"name": "s", "x": 0, "y": 0, "width": 1600, "height": 1000, "logicalDpi": 96,
        "logicalBaseDpi": 96, "dpr": 1}]})");
    file.close();
    const std::string program = (QCoreApplication::applicationDirPath() + "/warplens").toStdString();
    warplens::test::Program running({program, "--device", "cpu", "gen:noise:64x64:u8"},
                                    {{"QT_QPA_PLATFORM", "offscreen:configfile=" + config.toStdString()},
                                     {"QT_SCALE_FACTOR", "2"},
                                     {"XDG_CONFIG_HOME", folder.path().toStdString()}});
    const QString lock = folder.filePath("warplens/autosave");
    ASSERT_TRUE(QTest::qWaitFor([&] { return !QDir(lock).entryList(QDir::Files).isEmpty(); }, kPatienceMs));
    running.signal(SIGTERM);
    EXPECT_EQ(running.wait().status, 0);
    QSettings left(folder.filePath("warplens/warplens.conf"), QSettings::IniFormat);
    // The geometry that Qt writes: rectangles follow its head, of which the second is the normal one.
    const QByteArray place = left.value(kGeometry).toByteArray().mid(32);
    QDataStream stream(place);
    stream.setVersion(QDataStream::Qt_4_0);
    quint32 magic = 0;
    quint16 major = 0, minor = 0;
    QRect frame, normal;
    stream >> magic >> major >> minor >> frame >> normal;
    ASSERT_EQ(magic, 0x1D9D0CBU);
    EXPECT_LE(normal.width(), 800 - 16);
    EXPECT_LE(normal.height(), 500 - 48);
}

}  // namespace
}  // namespace warplens::gui::test
