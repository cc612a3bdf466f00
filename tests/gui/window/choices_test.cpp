// SPDX-License-Identifier: Apache-2.0
// Choosing one of several in a file or a folder.
#include "gui/session/picture_facts.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QSignalSpy>
#include <QSpinBox>

namespace warplens::gui::test {
namespace {

io::Grid numbered(const io::Shape& shape) {
    io::Grid grid(shape, io::PixelType::u8);
    for (std::int64_t i = 0; i < shape.values(); ++i) grid.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    return grid;
}

class ChoicesWindow : public WindowTest {
protected:
    bool opens(const std::function<bool(const Document&)>& wanted) {
        return QTest::qWaitFor([&] { return !session().document().empty() && wanted(session().document()); },
                               kPatienceMs);
    }
};

TEST_F(ChoicesWindow, PagesOfAStackAreSlicesOrOneOfThem) {
    const QString path = folder.filePath("stack.tif");
    io::write(numbered({6, 5, 3, 1}), path.toStdString());
    open(path);
    auto* page = find<QSpinBox>("read-frame");
    ASSERT_TRUE(page->isVisible());
    EXPECT_EQ(page->text(), "all");
    page->setFocus();
    QTest::keyClick(page, Qt::Key_Up);
    QTest::keyClick(page, Qt::Key_Up);
    ASSERT_TRUE(opens([](const Document& d) { return d.choice().frame == 2; }))
        << session().activity().notice().toStdString();
    ASSERT_EQ(session().document().grid()->shape().depth, 1);
    EXPECT_EQ(session().document().grid()->value(0, 0, 0, 0), 30);
    EXPECT_TRUE(session().request().command().contains(" --frame 2 ")) << session().request().command().toStdString();
    page->selectAll();
    QTest::keyClicks(page, "0\r");
    ASSERT_TRUE(opens([](const Document& d) { return d.grid()->shape().depth == 3; }));
    EXPECT_EQ(page->text(), "all");
    // A picture of one page has nothing to choose.
    open("gen:noise:8x8:u8");
    EXPECT_FALSE(page->isVisible());
    EXPECT_FALSE(find<QComboBox>("read-series")->isVisible());
}

TEST_F(ChoicesWindow, NumberedPicturesAreOpenedByOneOfThem) {
    for (const int number : {8, 9, 10}) {
        io::Grid slice = numbered({6, 5, 1, 1});
        slice.setValue(0, 0, 0, 0, number);
        io::write(slice, folder.filePath(QStringLiteral("s-%1.png").arg(number)).toStdString());
    }
    find<QAction>("open-series")->trigger();
    auto* dialog = window->findChild<QFileDialog*>("open-series-dialog");
    ASSERT_NE(dialog, nullptr);
    emit dialog->fileSelected(folder.filePath("s-10.png"));
    ASSERT_TRUE(opens([](const Document& d) { return d.input().startsWith("series:"); }))
        << session().activity().notice().toStdString();
    const auto grid = session().document().grid();
    ASSERT_EQ(grid->shape().depth, 3);
    for (const int z : {0, 1, 2}) EXPECT_EQ(grid->value(0, 0, z, 0), 8 + z);
}

TEST(PictureFacts, OffersTheSeriesAndFramesOfAFolder) {
    Document document;
    PictureFacts facts(document);
    QSignalSpy wanted(&facts, &PictureFacts::choiceWanted);
    OpenedPicture picture;
    io::Grid grid = numbered({4, 4, 2, 1});
    grid.metadata.format = "dicom";
    grid.metadata.series = {{"1.1", "scout", 1}, {"1.2", "", 40}, {"1.3", "late", 40}};
    grid.metadata.pages = 5;
    grid.metadata.page = 1;
    picture.grid = std::make_shared<const io::Grid>(std::move(grid));
    document.set("folder", picture);
    facts.show();
    auto* series = facts.findChild<QComboBox*>("read-series");
    auto* frame = facts.findChild<QSpinBox*>("read-frame");
    ASSERT_TRUE(series->isVisible() && frame->isVisible());
    EXPECT_EQ(series->currentIndex(), 1) << "the largest, the first of two";
    EXPECT_EQ(series->itemText(0), "scout, 1 file");
    EXPECT_EQ(series->itemText(1), "1.2, 40 files");
    EXPECT_EQ(frame->minimum(), 1);
    EXPECT_EQ(frame->maximum(), 5);
    EXPECT_TRUE(wanted.isEmpty());
    QTest::keyClick(frame, Qt::Key_Up);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted.takeFirst().at(0).value<ReadChoice>(), (ReadChoice{2, ""}));
    QTest::keyClick(series, Qt::Key_End);
    ASSERT_EQ(wanted.size(), 1);
    EXPECT_EQ(wanted.takeFirst().at(0).value<ReadChoice>(), (ReadChoice{1, "1.3"}));
    // What could not be read is taken back.
    emit document.choiceRejected();
    EXPECT_EQ(series->currentIndex(), 1);
    EXPECT_EQ(frame->value(), 1);
}

}  // namespace
}  // namespace warplens::gui::test
