// SPDX-License-Identifier: Apache-2.0
// Holes are filled and objects cloned by the mouse alone; how many clicks it takes stands in walks.md beside this file.
#include "gui/lenses/sparse/source_layer.hpp"
#include "gui/picture/pane_grid.hpp"
#include "io/generate.hpp"
#include "io/write.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QComboBox>
#include <QFileDialog>
#include <QListView>
#include <QListWidget>
#include <QPushButton>
#include <QTreeView>
#include <QWindow>
#include <algorithm>
#include <cmath>

namespace warplens::gui::test {
namespace {

/// A row of a list, where it is seen.
QPoint rowIn(QAbstractItemView& view, const QModelIndex& row) {
    view.scrollTo(row);
    return view.visualRect(row).center();
}

class SparseWalks : public CountedWalk {
protected:
    void SetUp() override {
        CountedWalk::SetUp();
        window->resize(1920, 1080);  // every tool has its button
        comparePage()->setPaneCount(2);
    }
    void TearDown() override {
        qputenv("HOME", m_home);
        CountedWalk::TearDown();
    }
    ImageView* view() { return comparePage()->panes()->pane(0)->view(); }
    SourceLayer* source() { return view()->findChild<SourceLayer*>(); }
    void click(QWidget* at, QPoint where) {
        ++m_clicks;
        QTest::mouseClick(at, Qt::LeftButton, {}, where);
        QTest::qWait(20);
    }
    void click(QWidget* at) { click(at, at->rect().center()); }
    QPoint at(QPointF picture) { return view()->mapTo(window.get(), view()->toWidget(picture).toPoint()); }
    /// Pressed, moved in `steps`, released: as much as a click.
    void drag(QPointF from, QPointF to, int steps = 8) {
        ++m_clicks;
        QWindow* handle = window->windowHandle();
        QTest::mousePress(handle, Qt::LeftButton, {}, at(from));
        for (int i = 1; i <= steps; ++i) QTest::mouseMove(handle, at(from + (to - from) * (double(i) / steps)));
        QTest::mouseRelease(handle, Qt::LeftButton, {}, at(to));
        QTest::qWait(20);
    }
    void takeFamily(const QString& title) {
        click(find<QPushButton>("family-chooser"));
        auto* rows = find<QListWidget>("family-rows");
        for (int row = 0; row < rows->count(); ++row)
            if (rows->item(row)->data(Qt::UserRole).toString() == title) {
                click(rows->viewport(), rowIn(*rows, rows->model()->index(row, 0)));
                ASSERT_TRUE(waitFor([&] { return session().parameters().family()->id() == title.toStdString(); }));
                return;
            }
        FAIL() << title.toStdString();
    }
    void takeTask(const QString& task) {
        auto* tasks = find<QComboBox>("task");
        click(tasks);
        QTest::qWait(QApplication::doubleClickInterval() + 50);  // the list takes no click of the same hand before
        click(tasks->view()->viewport(), rowIn(*tasks->view(), tasks->model()->index(tasks->findText(task), 0)));
        ASSERT_EQ(gpu::format(session().parameters().value("task")), task.toStdString());
    }
    void takeFile(const char* field, const QString& name) {
        click(find<QPushButton>(field));
        QFileDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) != nullptr; }));
        QAbstractItemView* files = dialog->findChild<QTreeView*>("treeView");
        if (!files->isVisible()) files = dialog->findChild<QListView*>("listView");
        QModelIndex file;
        ASSERT_TRUE(waitFor([&] {
            for (int row = 0; row < files->model()->rowCount(files->rootIndex()); ++row) {
                const QModelIndex one = files->model()->index(row, 0, files->rootIndex());
                if (one.data().toString() == name) file = one;
            }
            return file.isValid();
        }));
        click(files->viewport(), rowIn(*files, file));
        for (auto* button : dialog->findChildren<QPushButton*>())
            if (button->isDefault()) return click(button);
        FAIL() << "no button opens the file";
    }
    QPushButton* maskButton() { return find<QPushButton>("paint-mask-button"); }
    std::string place() { return gpu::format(session().parameters().value("at")); }
    const QByteArray m_home = qgetenv("HOME");
    const io::Grid& solved() { return *record().result.picture; }
};

TEST_F(SparseWalks, AScratchIsPaintedOverAndFilled) {
    const io::Grid clean = io::generate("gen:gradient:96x72:u8");
    io::Grid scratched = clean.clone();
    for (int i = 20; i < 70; ++i)
        for (int k = 0; k < 3; ++k) scratched.setValue(i, i / 2 + k, 0, 0, 255);
    const QString photo = folder.filePath("photo.npy");
    io::write(scratched, std::filesystem::path(photo.toStdString()));
    open(photo);
    ASSERT_NO_FATAL_FAILURE(takeFamily("sparse"));
    ASSERT_NO_FATAL_FAILURE(takeTask("inpaint"));
    ASSERT_TRUE(maskButton()->isVisible());
    click(maskButton());
    ASSERT_TRUE(session().regions().on());
    drag({20, 11}, {70, 36});
    ASSERT_TRUE(filtered()) << session().activity().notice().toStdString();
    click(maskButton());
    step("Inpaint a scratch");
    double worst = 0;
    for (std::int64_t i = 0; i < clean.shape().pixels(); ++i)
        worst = std::max(worst, std::abs(solved().value(i, 0) - clean.value(i, 0)));
    EXPECT_LE(worst, 3) << "what was scratched is as it was";
}

TEST_F(SparseWalks, AnObjectIsClonedByDragging) {
    qputenv("HOME", folder.path().toUtf8());  // where a dialog begins
    io::Grid patch = io::generate("gen:gradient:16x12:u8");
    for (int y = 4; y < 8; ++y)
        for (int x = 5; x < 11; ++x) patch.setValue(x, y, 0, 0, 250);
    io::write(patch, std::filesystem::path(folder.filePath("patch.npy").toStdString()));
    open("gen:gradient:96x72:u8");
    ASSERT_NO_FATAL_FAILURE(takeFamily("sparse"));
    ASSERT_NO_FATAL_FAILURE(takeTask("clone"));
    EXPECT_TRUE(source()->isHidden()) << "there is none yet";
    ASSERT_NO_FATAL_FAILURE(takeFile("source-choose", "patch.npy"));
    ASSERT_TRUE(waitFor([this] { return source()->isVisible(); }));
    ASSERT_TRUE(filtered());
    EXPECT_EQ(source()->source(), QRect(0, 0, 16, 12));
    drag({8, 6}, {48, 36});
    EXPECT_EQ(place(), "40,30");
    EXPECT_EQ(source()->text(), "source at 40, 30");
    ASSERT_TRUE(filtered());
    step("Clone an object");
    const io::Grid before = io::generate("gen:gradient:96x72:u8");
    EXPECT_GT(solved().value(48, 36), before.value(48, 36) + 40) << "the object is there";
    EXPECT_EQ(solved().value(8, 6), before.value(8, 6)) << "and no more where it was";
}

// While it is dragged each place is told, and results come before the button is let go.
TEST_F(SparseWalks, TheSourceGoesWithTheMouse) {
    open("gen:gradient:96x72:u8");
    chooseFamily("sparse");
    const auto patch = std::make_shared<io::Grid>(io::generate("gen:noise:20x10:u8"));
    session().parameters().set("task", std::string("clone"));
    session().parameters().set("source", std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{"patch", patch}));
    ASSERT_TRUE(filtered());
    QWindow* handle = window->windowHandle();
    QTest::mousePress(handle, Qt::LeftButton, {}, at({10, 5}));
    QTest::mouseMove(handle, at({15, 9}));
    QTest::mouseMove(handle, at({30, 25}));
    EXPECT_EQ(place(), "20,20");
    EXPECT_EQ(source()->text(), "source at 20, 20, moved by +20, +20");
    ASSERT_TRUE(filtered()) << "the button is still held";
    QTest::mouseMove(handle, at({40, 25}));
    QTest::mouseRelease(handle, Qt::LeftButton, {}, at({40, 25}));
    EXPECT_EQ(place(), "30,20");
    // Beside it a click brings its middle; a drag there moves the view alone.
    const QPointF centre = comparePage()->panes()->viewState()->centre();
    click(view(), view()->toWidget({70.5, 50.5}).toPoint());
    EXPECT_EQ(place(), "60,45");
    comparePage()->panes()->viewState()->setZoom(12);
    drag({40, 30}, {46, 30});
    EXPECT_EQ(place(), "60,45");
    EXPECT_NE(comparePage()->panes()->viewState()->centre(), centre);
    // Out of the picture it goes no further than that something is left to solve.
    comparePage()->panes()->viewState()->fit();
    drag({70, 50}, {95, 71});
    EXPECT_EQ(place(), "85,66");
    drag({90, 70}, {150, 70});
    EXPECT_EQ(place(), "94,66");
    // What is painted has the mouse.
    session().regions().setOn(true);
    drag({95, 67}, {60, 40});
    EXPECT_EQ(place(), "94,66");
    EXPECT_FALSE(session().mask().empty());
    session().regions().setOn(false);
    session().parameters().set("task", std::string("inpaint"));
    EXPECT_TRUE(source()->isHidden());
}

}  // namespace
}  // namespace warplens::gui::test
