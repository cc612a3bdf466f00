// SPDX-License-Identifier: Apache-2.0
// What people look for in the first ten minutes: cropping, dragging a result out, small pictures of recent files,
// printing, a folder of pictures, preferences that can be searched, and one page in German.
#include "gui/document/batch_window.hpp"
#include "gui/document/print_view.hpp"
#include "gui/kit/language.hpp"
#include "gui/picture/image_view.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/timeline/timeline_page.hpp"
#include "gui/window/actions.hpp"
#include "gui/window/preferences.hpp"
#include "io/crop.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QDrag>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPdfWriter>
#include <QTableWidget>
#include <QUrl>
#include <QXmlStreamReader>
#include <cstring>

namespace warplens::gui::test {
namespace {

const char* const kInput = "gen:noise:64x48:u8:seed=5";

class FirstMinutes : public WindowTest {
protected:
    ImageView* firstView() {
        for (ImageView* view : comparePage()->findChildren<ImageView*>())
            if (view->isVisible() && view->picture()) return view;
        return nullptr;
    }
    void drag(ImageView& view, QPointF from, QPointF to) {
        const QPoint a = view.toWidget(from).toPoint(), b = view.toWidget(to).toPoint();
        QTest::mousePress(&view, Qt::LeftButton, {}, a);
        QTest::mouseMove(&view, (a + b) / 2);
        QTest::mouseMove(&view, b);
        QTest::mouseRelease(&view, Qt::LeftButton, {}, b);
    }
    bool cropped() {
        return QTest::qWaitFor([this] { return session().document().name().contains("cropped"); }, kPatienceMs);
    }
    std::shared_ptr<const io::Grid> picture() { return session().document().grid(); }
    QString write(const char* name, const char* input) {
        const QString path = folder.filePath(QString::fromUtf8(name));
        io::write(io::generate(input), path.toStdString());
        return path;
    }
};

void expectSame(const io::Grid& got, const io::Grid& wanted) {
    ASSERT_EQ(got.shape(), wanted.shape());
    EXPECT_EQ(std::memcmp(got.data(), wanted.data(), wanted.bytes()), 0);
}

TEST_F(FirstMinutes, ARectangleThatIsDrawnIsThePictureAndUndoBringsBackTheWhole) {
    open(kInput);
    ImageView* view = firstView();
    ASSERT_NE(view, nullptr);
    QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    drag(*view, {10.5, 8.5}, {29.5, 19.5});
    ASSERT_TRUE(cropped()) << session().activity().notice().toStdString();
    expectSame(*picture(), io::crop(io::generate(kInput), 10, 8, 20, 12));
    ASSERT_TRUE(filtered());
    QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(QTest::qWaitFor([this] { return picture()->shape().width == 64; }, kPatienceMs));
    // The next drag moves the picture again.
    drag(*firstView(), {10.5, 8.5}, {29.5, 19.5});
    EXPECT_EQ(picture()->shape().width, 64);
}

TEST_F(FirstMinutes, EscapeLeavesThePictureWhole) {
    open(kInput);
    QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::keyClick(window.get(), Qt::Key_Escape);
    drag(*firstView(), {10.5, 8.5}, {29.5, 19.5});
    EXPECT_TRUE(idle());
    EXPECT_EQ(picture()->shape().width, 64);
}

TEST_F(FirstMinutes, WhatIsSeenIsCroppedByKeysAlone) {
    open(kInput);
    QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
    EXPECT_TRUE(idle());
    EXPECT_EQ(picture()->shape().width, 64) << "all of it is seen";
    for (int i = 0; i < 8; ++i) QTest::keyClick(firstView(), Qt::Key_Plus);
    const QPointF first = firstView()->toPicture({0, 0});
    ASSERT_GT(first.x(), 1);
    QTest::keyClick(window.get(), Qt::Key_T, Qt::ControlModifier);
    ASSERT_TRUE(cropped()) << session().activity().notice().toStdString();
    const auto x = static_cast<std::int64_t>(first.x()), y = static_cast<std::int64_t>(std::max(0.0, first.y()));
    expectSame(*picture(), io::crop(io::generate(kInput), x, y, picture()->shape().width, picture()->shape().height));
}

TEST_F(FirstMinutes, AChangedFileIsReloadedAndTheViewStays) {
    const QString path = write("leaf.png", "gen:gradient:40x30:u8");
    open(path);
    firstView()->setFocus();
    QTest::keyClick(firstView(), Qt::Key_Plus);
    const double zoom = comparePage()->panes()->viewState()->zoom();
    const auto reload = [this] { QTest::keyClick(window.get(), Qt::Key_F5, Qt::ControlModifier); };
    const io::Grid changed = io::generate("gen:noise:40x30:u8:seed=9");
    io::write(changed, path.toStdString());
    reload();
    ASSERT_TRUE(QTest::qWaitFor([&] { return picture()->value(7, 5) == changed.value(7, 5); }, kPatienceMs))
        << session().activity().notice().toStdString();
    expectSame(*picture(), changed);
    EXPECT_EQ(comparePage()->panes()->viewState()->zoom(), zoom);
    ASSERT_TRUE(filtered());
    // What was computed here has no file; what is gone leaves the picture as it was.
    ASSERT_TRUE(QFile::remove(path));
    reload();
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().activity().notice().contains("leaf.png"); }, kPatienceMs));
    expectSame(*picture(), changed);
    session().inputs().use("mine", "mine", std::make_shared<const io::Grid>(io::generate(kInput)));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name() == "mine"; }, kPatienceMs));
    reload();
    EXPECT_TRUE(session().activity().notice().contains("was computed here"));
}

TEST_F(FirstMinutes, AResultIsDraggedOutAsAPictureAndAFile) {
    open(kInput);
    Pane* pane = nullptr;
    for (Pane* one : comparePage()->findChildren<Pane*>())
        if (one->isVisible() && one->content().idea && one->view()->picture()) pane = one;
    ASSERT_NE(pane, nullptr) << "no pane shows a result";
    PaneCaption* caption = pane->caption();
    QTest::mousePress(caption, Qt::LeftButton, {}, {40, 10});
    QTest::mouseMove(caption, {60, 40});  // without a desktop nobody takes the drag, and it ends at once
    const auto* dragged = pane->findChild<QDrag*>();
    ASSERT_NE(dragged, nullptr);
    const auto image = qvariant_cast<QImage>(dragged->mimeData()->imageData());
    const QString path = dragged->mimeData()->urls().value(0).toLocalFile();
    QTest::mouseRelease(caption, Qt::LeftButton, {}, {60, 40});
    ASSERT_EQ(image.size(), QSize(64, 48));
    EXPECT_TRUE(path.endsWith(".png"));
    const QImage kept(path);
    ASSERT_FALSE(kept.isNull()) << path.toStdString();
    EXPECT_EQ(kept.convertToFormat(QImage::Format_RGB32), image.convertToFormat(QImage::Format_RGB32));
    // A grey picture keeps its order: the brightest and the darkest value are so in the file.
    const io::Grid& result = *pane->view()->picture();
    int least = 0, most = 0;
    for (int i = 1; i < 64 * 48; ++i) {
        const auto value = [&](int at) { return result.value(at % 64, at / 64); };
        if (value(i) < value(least)) least = i;
        if (value(i) > value(most)) most = i;
    }
    EXPECT_LT(qGray(kept.pixel(least % 64, least / 64)), qGray(kept.pixel(most % 64, most / 64)));
}

TEST_F(FirstMinutes, RecentFilesHaveSmallPicturesUntilTheyAreForgotten) {
    const QString path = write("leaf.png", "gen:gradient:40x30:u8");
    open(path);
    auto* menu = window->findChild<Actions*>()->recent;
    emit menu->aboutToShow();
    ASSERT_FALSE(menu->actions().isEmpty());
    QAction* entry = menu->actions().front();
    EXPECT_TRUE(entry->text().endsWith("leaf.png"));
    const QImage small = entry->icon().pixmap(56, 56).toImage();
    ASSERT_FALSE(small.isNull());
    EXPECT_LT(qGray(small.pixel(2, small.height() / 2)), qGray(small.pixel(small.width() - 3, small.height() / 2)));
    reopen();
    emit window->findChild<Actions*>()->recent->aboutToShow();
    EXPECT_FALSE(window->findChild<Actions*>()->recent->actions().front()->icon().isNull()) << "after a new start too";

    QTest::keyClick(window.get(), Qt::Key_Comma, Qt::ControlModifier);
    QTest::mouseClick(find<QPushButton>("preferences-forget"), Qt::LeftButton);
    EXPECT_TRUE(QDir(folder.filePath("thumbnails")).isEmpty());
    EXPECT_FALSE(settings.contains("recent/files"));
}

TEST_F(FirstMinutes, TheViewIsPrintedIntoAPdf) {
    open(kInput);
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier);
    EXPECT_TRUE(find<QDialog>("print-dialog")->isVisible());
    find<QDialog>("print-dialog")->close();
    const QString path = folder.filePath("view.pdf");
    {
        QPdfWriter paper(path);
        paintPage(paper, comparePage()->view(), "noise, naive");
    }
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    EXPECT_TRUE(bytes.startsWith("%PDF"));
    EXPECT_TRUE(bytes.contains("/Subtype /Image")) << "the view lies in it";
}

TEST_F(FirstMinutes, AFolderOfPicturesIsDoneAndWhatFailsSaysWhy) {
    open(kInput);
    QDir(folder.path()).mkdir("in");
    write("in/a.png", "gen:noise:40x30:u8:seed=1");
    const QString second = write("in/b.npy", "gen:noise:33x21:f32:seed=2");
    write("in/b.png", "gen:noise:20x20:u8:seed=3");  // its result would have the same name
    QFile broken(folder.filePath("in/c.png"));
    ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
    broken.write("no picture");
    broken.close();
    QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    auto* start = find<QPushButton>("batch-start");
    EXPECT_FALSE(start->isEnabled());
    QTest::keyClicks(find<QLineEdit>("batch-from"), folder.filePath("in"));
    EXPECT_EQ(find<QLineEdit>("batch-to")->text(), folder.filePath("in-results")) << "beside the pictures";
    EXPECT_TRUE(start->isEnabled());
    find<QLineEdit>("batch-to")->clear();
    EXPECT_FALSE(start->isEnabled()) << "nowhere to put results yet";
    QTest::keyClicks(find<QLineEdit>("batch-to"), folder.filePath("out"));
    // What was chosen stays.
    QTest::keyClicks(find<QLineEdit>("batch-from"), QStringLiteral("x"));
    QTest::keyClick(find<QLineEdit>("batch-from"), Qt::Key_Backspace);
    EXPECT_EQ(find<QLineEdit>("batch-to")->text(), folder.filePath("out"));
    find<QComboBox>("batch-ending")->setCurrentText("npy");
    auto* table = find<QTableWidget>("batch-table");
    ASSERT_EQ(table->rowCount(), 4);
    auto* said = find<QLabel>("batch-said");
    const auto run = [&] {
        QTest::mouseClick(start, Qt::LeftButton);
        return QTest::qWaitFor([&] { return start->isEnabled() && said->text().contains("failed"); }, kPatienceMs);
    };
    ASSERT_TRUE(run()) << said->text().toStdString();
    EXPECT_EQ(said->text(), "2 done, 2 failed");
    EXPECT_EQ(table->item(0, 1)->text(), "a.npy, checked");
    for (const auto& [row, why] : {std::pair{2, "b.npy exists already"}, std::pair{3, "c.png"}}) {
        const QString text = table->item(row, 1)->text();
        EXPECT_TRUE(text.startsWith("failed: ") && text.contains(why)) << text.toStdString();
    }
    const io::Grid made = io::read(folder.filePath("out/b.npy").toStdString());
    const gpu::Timeline& timeline = find<TimelinePage>("page-timeline")->model().timeline();
    EXPECT_EQ(timeline.items, (std::vector<std::string>{"a.png", "b.npy", "b.png", "c.png"}));
    EXPECT_EQ(timeline.done, 2U);
    EXPECT_EQ(timeline.spans.size(), 4U + 3 * 2);
    EXPECT_FALSE(timeline.parts.empty());
    QTest::mouseClick(find<QPushButton>("batch-timeline"), Qt::LeftButton);
    EXPECT_EQ(window->pages()->current()->id(), "timeline");
    window->pages()->setCurrent(window->pages()->pages().front());
    find<BatchWindow>("batch-window")->close();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    open(second);
    expectSame(made, *record().result.picture);

    QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    start = find<QPushButton>("batch-start");
    said = find<QLabel>("batch-said");
    table = find<QTableWidget>("batch-table");
    find<QComboBox>("batch-ending")->setCurrentText("npy");
    ASSERT_TRUE(run()) << said->text().toStdString();
    EXPECT_EQ(said->text(), "0 done, 2 done before, 2 failed") << "the same work goes on";
    EXPECT_EQ(table->item(0, 1)->text(), "a.npy, done before");
    // Results of other work are neither taken for its own nor written over.
    find<BatchWindow>("batch-window")->close();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    session().parameters().set("radius", std::int64_t{3});
    ASSERT_TRUE(filtered());
    QTest::keyClick(window.get(), Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    start = find<QPushButton>("batch-start");
    said = find<QLabel>("batch-said");
    table = find<QTableWidget>("batch-table");
    find<QComboBox>("batch-ending")->setCurrentText("npy");
    ASSERT_TRUE(run()) << said->text().toStdString();
    EXPECT_EQ(said->text(), "0 done, 4 failed");
    EXPECT_TRUE(table->item(0, 1)->text().contains("exists already"));
    expectSame(made, io::read(folder.filePath("out/b.npy").toStdString()));
}

/// Every text of the preferences that a user sees or hears, in order.
QStringList wordsOn(const QWidget& page) {
    QStringList texts{page.windowTitle()};
    for (const QWidget* widget : page.findChildren<QWidget*>()) {
        texts << widget->accessibleName() << widget->accessibleDescription() << widget->toolTip();
        if (const auto* label = qobject_cast<const QLabel*>(widget)) texts << label->text();
        if (const auto* button = qobject_cast<const QAbstractButton*>(widget)) texts << button->text();
        if (const auto* box = qobject_cast<const QComboBox*>(widget))
            for (int i = 0; i < box->count(); ++i) texts << box->itemText(i);
        if (const auto* edit = qobject_cast<const QLineEdit*>(widget)) texts << edit->placeholderText();
    }
    texts.removeAll(QString());
    return texts;
}

TEST_F(FirstMinutes, PreferencesAreFoundByTheirWordsAndActAtOnce) {
    QTest::keyClick(window.get(), Qt::Key_Comma, Qt::ControlModifier);
    auto* search = find<QLineEdit>("preferences-search");
    auto* theme = find<QComboBox>("preferences-theme");
    QTest::keyClicks(search, "light col");
    EXPECT_TRUE(theme->isVisible());
    EXPECT_FALSE(find<QWidget>("preferences-history")->isVisible());
    EXPECT_FALSE(find<QWidget>("preferences-none")->isVisible());
    QTest::keyClicks(search, " xyzzy");
    EXPECT_FALSE(theme->isVisible());
    EXPECT_TRUE(find<QWidget>("preferences-none")->isVisible());
    search->clear();
    theme->setFocus();
    QTest::keyClick(theme, Qt::Key_End);
    EXPECT_EQ(Theme::choice(), SchemeChoice::light);
    QTest::keyClick(theme, Qt::Key_Up);
    EXPECT_EQ(Theme::choice(), SchemeChoice::dark);
}

TEST_F(FirstMinutes, ThePreferencesAreGermanToTheLastWord) {
    QTest::keyClick(window.get(), Qt::Key_Comma, Qt::ControlModifier);
    auto* page = find<Preferences>("preferences");
    const QStringList english = wordsOn(*page);
    ASSERT_GT(english.size(), 30);
    auto* language = find<QComboBox>("preferences-language");
    language->setFocus();
    QTest::keyClick(language, Qt::Key_Down);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->windowTitle() == "Einstellungen"; }, kPatienceMs));
    const QStringList german = wordsOn(*page);
    ASSERT_EQ(german.size(), english.size());
    for (qsizetype i = 0; i < german.size(); ++i) EXPECT_NE(german[i], english[i]) << english[i].toStdString();
    EXPECT_EQ(settings.value(Preferences::kLanguage), "de");

    // What is compiled is what the translation says, message by message.
    QFile file(QStringLiteral(WARPLENS_SOURCE_DIR "/resources/translations/warplens_de.ts"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QXmlStreamReader xml(&file);
    QString source;
    int messages = 0;
    while (!xml.atEnd()) {
        xml.readNext();
        if (!xml.isStartElement()) continue;
        if (xml.name() == QStringLiteral("source")) source = xml.readElementText();
        if (xml.name() != QStringLiteral("translation")) continue;
        ++messages;
        EXPECT_EQ(QCoreApplication::translate("warplens::gui::Preferences", source.toUtf8().constData()),
                  xml.readElementText())
            << source.toStdString() << ": run lrelease";
    }
    EXPECT_GE(messages, 30);
    useLanguage("en");
}

}  // namespace
}  // namespace warplens::gui::test
