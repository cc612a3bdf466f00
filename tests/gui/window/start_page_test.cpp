// SPDX-License-Identifier: Apache-2.0
// The start, by keys, as somebody sees it who has just installed the program; and what is asked before work is lost.
#include "gui/window/start_page.hpp"

#include "gui/filter/filter_page.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/session/samples.hpp"
#include "gui/why/why_page.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QDialog>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMimeData>
#include <QUrl>

namespace warplens::gui::test {
namespace {

class StartPageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->close();
        window.reset();
        settings.clear();
        window = std::make_unique<MainWindow>(settings);
        window->session().devices().fetch("cpu");
        window->resize(1280, 720);
        window->showStart();
        window->show();
        ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitFor([this] { return session().devices().chosen() != nullptr; }, kPatienceMs));
    }
    void TearDown() override {
        qApp->setProperty(MainWindow::kNoQuestions, true);
        WindowTest::TearDown();
    }
    bool starting() const { return window->pages()->current() == window->pages()->start(); }
    void key(int key) { QTest::keyClick(QApplication::focusWidget(), static_cast<Qt::Key>(key)); }
    bool opened() {
        return QTest::qWaitFor([this] { return !session().document().empty() && !starting(); }, kPatienceMs);
    }
    QString file(const char* name, const char* input) {
        const QString path = folder.filePath(name);
        io::write(io::generate(input), path.toStdString());
        return path;
    }
    void drop(const QString& path) {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(path)});
        QDragEnterEvent enter(QPoint(9, 9), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &enter);
        QDropEvent event(QPointF(9, 9), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window.get(), &event);
    }
    QDialog* question() { return window->findChild<QDialog*>("quit-box"); }
};

TEST_F(StartPageTest, NothingRunsUntilItIsAskedFor) {
    EXPECT_TRUE(starting());
    EXPECT_TRUE(find<QLabel>("start-calm")->isVisible());
    EXPECT_FALSE(find<QPushButton>("primary")->isVisible());
    EXPECT_TRUE(find<QLabel>("recent-none")->isVisible());
    EXPECT_LE(find<QWidget>("start-content")->minimumSizeHint().height(), 720);
    key(Qt::Key_2);  // compare kernels
    ASSERT_TRUE(opened());
    EXPECT_EQ(session().document().input(), defaultSample());
    EXPECT_EQ(window->pages()->current(), comparePage());
    EXPECT_NE(qobject_cast<ImageView*>(comparePage()->focusWidget()), nullptr) << "no field takes the next letter";
    const auto ran = [this] { return session().results().of(session().request().current()) != nullptr; };
    QTest::qWait(600);  // longer than what waits for values to rest
    EXPECT_FALSE(ran() || session().activity().busy());
    auto* why = find<WhyPage>("page-why");
    window->pages()->setCurrent(why);
    QTest::qWait(600);
    EXPECT_FALSE(why->model().busy());
    EXPECT_EQ(why->model().record(session().request().current()), nullptr);
    window->pages()->setCurrent(comparePage());
    session().parameters().set("radius", std::int64_t{3});
    EXPECT_TRUE(QTest::qWaitFor(ran, kPatienceMs)) << "a value that changes is one that is asked for";
}

TEST_F(StartPageTest, EveryWayInHasItsKeys) {
    key(Qt::Key_3);
    EXPECT_EQ(window->pages()->current()->id(), "lessons");
    window->showStart();
    // Tab leads from the ways to the samples, arrows lead within.
    ASSERT_EQ(QApplication::focusWidget(), find<QAbstractButton>("way-filter"));
    key(Qt::Key_Tab);
    ASSERT_EQ(QApplication::focusWidget(), find<QAbstractButton>("sample-1"));
    key(Qt::Key_Right);
    ASSERT_EQ(QApplication::focusWidget(), find<QAbstractButton>("sample-2"));
    window->pages()->setWorkspaceToCome(Page::Workspace::picture);
    key(Qt::Key_Return);
    ASSERT_TRUE(opened());
    EXPECT_EQ(session().document().input(), samplePictures()[1]);
    EXPECT_EQ(window->pages()->workspace(), Page::Workspace::picture);
    // It is among the files opened last, and Esc leads back to it.
    window->findChild<QAction*>("start")->trigger();
    ASSERT_TRUE(starting());
    EXPECT_EQ(find<QAbstractButton>("recent-1")->text(), QFileInfo(samplePictures()[1]).fileName());
    key(Qt::Key_Escape);
    EXPECT_FALSE(starting());
    // A file that is dropped is shown at once.
    window->showStart();
    const QString dropped = file("dropped.png", "gen:noise:40x30:u8");
    drop(dropped);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == dropped && !starting(); }, kPatienceMs));
    // The key 1 asks for a picture.
    window->showStart();
    key(Qt::Key_1);
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QFileDialog*>() != nullptr; }, kPatienceMs));
    window->findChild<QFileDialog*>()->reject();
    EXPECT_TRUE(starting());
}

TEST_F(StartPageTest, StepsAreAskedForBeforeAnotherPictureTakesTheirPlace) {
    qApp->setProperty(MainWindow::kNoQuestions, false);
    const QString first = file("first.png", "gen:noise:40x30:u8"), second = file("second.png", "gen:noise:33x21:u8");
    window->openInput(first);
    ASSERT_TRUE(opened());
    window->openInput(second);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == second; }, kPatienceMs));
    EXPECT_EQ(question(), nullptr) << "nothing would be lost";

    auto* page = find<FilterPage>("page-picture");
    ASSERT_EQ(window->pages()->current(), page);
    QTest::keyClick(window.get(), Qt::Key_Slash);
    QTest::keyClicks(find<QLineEdit>("add-step"), "sharpen");
    QTest::keyClick(find<QLineEdit>("add-step"), Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return session().recipe().place() != nullptr && page->result() != nullptr && page->settled(); },
        kPatienceMs));
    drop(first);
    ASSERT_NE(question(), nullptr);
    EXPECT_TRUE(find<QLabel>("quit-text")->text().contains("a step"));
    QTest::mouseClick(find<QPushButton>("quit-cancel"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return question() == nullptr; }, kPatienceMs));
    EXPECT_EQ(page->origin().input, second);

    // Saving goes on to what was asked for.
    ASSERT_TRUE(idle());
    drop(first);
    QTest::mouseClick(find<QPushButton>("quit-save"), Qt::LeftButton);
    auto* box = window->findChild<QDialog*>("save-box");
    ASSERT_NE(box, nullptr);
    QTest::keyClick(box, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == first; }, kPatienceMs))
        << session().activity().notice().toStdString();
    EXPECT_TRUE(QFile::exists(folder.filePath("second-sharpen.png")));
    EXPECT_EQ(session().recipe().place(), nullptr);
}

}  // namespace
}  // namespace warplens::gui::test
