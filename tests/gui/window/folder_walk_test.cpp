// SPDX-License-Identifier: Apache-2.0
// A photographer's walk: denoise, sharpen, resize nothing, 200 pictures of which two are broken, by keys and by mouse;
// how many it takes stands in walks.md beside this file.
#include "gui/document/batch_window.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/recipe_state.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDateTime>
#include <QDesktopServices>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QProgressBar>
#include <QTableWidget>
#include <QTextBrowser>
#include <cstring>

namespace warplens::gui::test {
namespace {

// Each PNG is a process that decodes it; the others are read within a millisecond.
constexpr int kPictures = 200, kPngs = 20, kBroken[] = {7, 14}, kOtherPictures = 4;

class FolderWalk : public CountedWalk {
protected:
    void SetUp() override {
        CountedWalk::SetUp();
        QDir(folder.path()).mkdir("in");
        for (int i = 0; i < kPictures; ++i) {
            const QString path = file("in", i, i < kPngs ? "png" : "npy");
            if (i < kOtherPictures || i == kPngs)
                io::write(io::generate("gen:noise:80x60:u8:seed=" + std::to_string(i)), path.toStdString());
            else
                ASSERT_TRUE(
                    QFile::copy(i < kPngs ? file("in", i % kOtherPictures, "png") : file("in", kPngs, "npy"), path));
        }
        for (const int i : kBroken) {
            QFile broken(file("in", i, "png"));
            ASSERT_TRUE(broken.open(QIODevice::WriteOnly));
            broken.write("no picture");
        }
        open(file("in", 1, "png"));
        m_keys = m_clicks = 0;
    }
    QString file(const char* in, int number, const char* ending) {
        return folder.filePath(QStringLiteral("%1/p%2.%3")
                                   .arg(QLatin1String(in))
                                   .arg(number, 3, 10, QChar(u'0'))
                                   .arg(QLatin1String(ending)));
    }
    std::size_t steps() {
        const RecipePlace* place = session().recipe().place();
        return place == nullptr ? 0 : place->recipe.steps.size();
    }
    bool stepMade(std::size_t count) {
        return waitFor([&] { return steps() == count; }) && filtered();
    }
    void ask(const QString& words) {
        CountedWalk::ask(words);
        ASSERT_TRUE(filtered());
    }
    void click(QWidget* at, QPoint where) {
        ASSERT_TRUE(at != nullptr && at->isVisible());
        ++m_clicks;
        QTest::mouseClick(at, Qt::LeftButton, {}, where);
        QTest::qWait(20);
    }
    void click(const char* name) {
        auto* at = find<QWidget>(name);
        click(at, at->rect().center());
    }
    void clickRow(QAbstractItemView* rows, int row) {
        const QModelIndex index = rows->model()->index(row, 0);
        rows->scrollTo(index);
        click(rows->viewport(), rows->visualRect(index).center());
    }
    void menu(const QString& title, const char* action) {
        for (QAction* top : window->findChild<QMenuBar*>()->actions()) {
            if (top->text().remove('&') != title) continue;
            QMenu* menu = top->menu();
            menu->popup(window->mapToGlobal(QPoint(10, 40)));
            ++m_clicks;
            QTest::qWait(20);
            auto* wanted = find<QAction>(action);
            for (QAction* entry : menu->actions())
                if (entry->menu() != nullptr && entry->menu()->actions().contains(wanted)) {
                    click(menu, menu->actionGeometry(entry).center());
                    ASSERT_TRUE(waitFor([entry] { return entry->menu()->isVisible(); }));
                    menu = entry->menu();
                    break;
                }
            click(menu, menu->actionGeometry(wanted).center());
            return;
        }
        FAIL() << title.toStdString();
    }
    void takeFamily(const QString& id) {
        click("family-chooser");
        auto* rows = find<QListWidget>("family-rows");
        for (int row = 0; row < rows->count(); ++row)
            if (rows->item(row)->data(Qt::UserRole).toString() == id) return clickRow(rows, row);
        FAIL() << id.toStdString();
    }
    QLabel* said() { return find<QLabel>("batch-said"); }
    bool ended() {
        return waitFor([this] { return find<QWidget>("batch-start")->isEnabled() && said()->text().contains("done"); });
    }
    /// What the folder's run says and leaves; the recipe made the same of the picture that is open.
    void expectAllDone() {
        EXPECT_EQ(QDir(folder.filePath("in-results")).entryList(QDir::Files).size(), 198);
        const io::Grid wanted = io::read(file("in-results", 1, "tif").toStdString());
        const io::Grid& seen = *session().document().grid();
        ASSERT_EQ(wanted.shape(), seen.shape()) << "resized nothing";
        EXPECT_EQ(std::memcmp(wanted.data(), seen.data(), seen.bytes()), 0) << "folder as window";
        click("batch-failures");
        auto* table = find<QTableWidget>("batch-table");
        for (int row = 0; row < kPictures; ++row)
            EXPECT_EQ(table->isRowHidden(row), row != kBroken[0] && row != kBroken[1]) << row;
        EXPECT_TRUE(table->item(kBroken[0], 1)->text().startsWith("failed: p007.png: ")) << "which, and why";
    }
    /// To be looked at, where WARPLENS_PHOTO_FOLDER says where to.
    void photograph(const char* name) {
        const QString to = qEnvironmentVariable("WARPLENS_PHOTO_FOLDER");
        if (to.isEmpty()) return;
        find<QWidget>("batch-window")->grab().save(QStringLiteral("%1/%2.png").arg(to, QLatin1String(name)));
        window->grab().save(QStringLiteral("%1/%2-window.png").arg(to, QLatin1String(name)));
    }
};

TEST_F(FolderWalk, TwoHundredPicturesByKeys) {
    ask("despeckle");
    key(Qt::Key_U);
    ASSERT_TRUE(stepMade(1));
    ask("unsharp");
    key(Qt::Key_U);
    ASSERT_TRUE(stepMade(2));
    step("Denoise, then sharpen, by keys");
    key(Qt::Key_O, Qt::ControlModifier | Qt::AltModifier);
    EXPECT_TRUE(find<QComboBox>("batch-work")->currentText().startsWith("All steps")) << "both steps, not the task";
    key(Qt::Key_Return);
    auto* progress = find<QProgressBar>("batch-progress");
    ASSERT_TRUE(waitFor([&] { return progress->value() > 0; })) << said()->text().toStdString();
    photograph("batch-running");
    const int keys = m_keys;
    key(Qt::Key_Escape);
    ASSERT_TRUE(ended());
    EXPECT_TRUE(find<QWidget>("batch-window")->isVisible()) << "Esc ends the work, not the window";
    EXPECT_TRUE(said()->text().contains("stopped")) << said()->text().toStdString();
    const int stood = static_cast<int>(QDir(folder.filePath("in-results")).entryList(QDir::Files).size());
    const QDateTime made = QFileInfo(file("in-results", 0, "tif")).lastModified();
    key(Qt::Key_Return);  // the focus is on Start again
    ASSERT_TRUE(ended());
    m_keys = keys;
    EXPECT_EQ(said()->text(), QStringLiteral("%1 done, %2 done before, 2 failed").arg(198 - stood).arg(stood));
    EXPECT_EQ(find<QTableWidget>("batch-table")->item(0, 1)->text(), "p000.tif, done before");
    EXPECT_EQ(QFileInfo(file("in-results", 0, "tif")).lastModified(), made);
    QTextBrowser desktop;
    QDesktopServices::setUrlHandler("file", &desktop, "setSource");
    key(Qt::Key_Return);
    EXPECT_EQ(desktop.source().toLocalFile(), folder.filePath("in-results"));
    QDesktopServices::unsetUrlHandler("file");
    step("Run the recipe over its folder of 200 and open the results, by keys");
    expectAllDone();
    photograph("batch-failures");
    key(Qt::Key_Escape);
    EXPECT_TRUE(waitFor([this] { return window->findChild<QWidget*>("batch-window") == nullptr; }));
}

TEST_F(FolderWalk, TwoHundredPicturesByMouse) {
    takeFamily("rank");
    ASSERT_TRUE(filtered());
    menu("View", "use-result");
    ASSERT_TRUE(stepMade(1));
    takeFamily("convolution");
    ASSERT_TRUE(filtered());
    auto* filter = find<QComboBox>("filter");
    click("filter");
    QTest::qWait(QApplication::doubleClickInterval() + 50);  // the list takes no click of the same hand before
    clickRow(filter->view(), filter->findText("unsharp"));
    ASSERT_TRUE(filtered());
    click("recipe-add");
    ASSERT_TRUE(stepMade(2));
    step("Denoise, then sharpen, by mouse");
    menu("File", "batch");
    click("batch-start");
    ASSERT_TRUE(ended());
    step("Run the recipe over its folder of 200, by mouse");
    EXPECT_EQ(said()->text(), "198 done, 2 failed");
    expectAllDone();
}

}  // namespace
}  // namespace warplens::gui::test
