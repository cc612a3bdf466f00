// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/kit/notice_bar.hpp"
#include "gui/kit/source_view.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/lens.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QDockWidget>
#include <QDoubleSpinBox>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QUrl>
#include <algorithm>
#include <cstring>

namespace warplens::gui::test {
namespace {

TEST_F(WindowTest, OpensAGeneratedPictureAndFiltersIt) {
    open("gen:noise:64x48:f32");
    const gpu::RunRecord* record = session().results().of(session().request().current());
    ASSERT_NE(record->result.picture, nullptr);
    EXPECT_EQ(record->result.picture->shape(), session().document().grid()->shape());
    EXPECT_EQ(record->verification->mismatches, 0);
    EXPECT_TRUE(window->windowTitle().contains("gen:noise"));
    EXPECT_FALSE(session().results().rate().isEmpty());
}

TEST_F(WindowTest, UntilAVariantIsNamedAutoFilters) {
    open("gen:noise:64x48:f32");
    const std::string chosen = session().request().current();
    ASSERT_TRUE(record(chosen).choice);
    EXPECT_EQ(record(chosen).choice->variant, chosen);
    EXPECT_EQ(record(chosen).choice->source, gpu::Choice::Source::table);
    session().request().setCurrent("tiled_input");
    ASSERT_TRUE(filtered());
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(session().request().current(), "tiled_input") << "the user's choice stays";
    EXPECT_FALSE(record("tiled_input").choice);
}

TEST_F(WindowTest, OpensANumpyFileThatIsDropped) {
    const QString path = folder.filePath("a.npy");
    io::write(io::read("gen:gradient:40x30:u16"), path.toStdString());
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter(QPoint(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &enter);
    EXPECT_TRUE(enter.isAccepted());
    QDropEvent drop(QPointF(400, 400), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(window.get(), &drop);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(session().document().grid()->type(), io::PixelType::u16);
    EXPECT_EQ(settings.value("recent/files").toStringList(), QStringList{path});
}

TEST_F(WindowTest, ASliderFiltersLive) {
    open("gen:noise:64x64:u8");
    const auto before = record().result.picture;
    auto* slider = find<QSlider>("radius-slider");
    QSignalSpy results(&session().results(), &Results::changed);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(slider->value(), 3);
    EXPECT_TRUE(session().results().stale(session().request().current()))
        << "the old picture is not passed off as the new one";
    ASSERT_TRUE(filtered());
    EXPECT_NE(record().result.picture, before);
    // At a larger radius the centre of the noise is another value.
    QTest::keyClick(slider, Qt::Key_End);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(std::get<std::int64_t>(session().parameters().value("radius")), 31);
}

TEST_F(WindowTest, TheExactFieldAndTheSliderAgree) {
    auto* field = find<QDoubleSpinBox>("sigma");
    EXPECT_EQ(field->text(), "auto 1.10") << "sigma 0 shows the value that follows";
    field->setFocus();
    field->selectAll();
    QTest::keyClicks(field, "2.5");
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_DOUBLE_EQ(std::get<double>(session().parameters().value("sigma")), 2.5);
    auto* slider = find<QSlider>("sigma-slider");
    const int at = slider->value();
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_NEAR(std::get<double>(session().parameters().value("sigma")), 2.6, 1e-9) << "an arrow is one step";
    EXPECT_GT(slider->value(), at - 1);
}

TEST_F(WindowTest, ParametersComeAndGoWithTheFilter) {
    auto* filter = find<QComboBox>("filter");
    auto* matrix = find<QWidget>("matrix");
    EXPECT_FALSE(matrix->isVisible());
    filter->setFocus();
    QTest::keyClicks(filter, "custom");
    QTest::keyClick(filter, Qt::Key_Return);
    EXPECT_EQ(gpu::format(session().parameters().value("filter")), "custom");
    EXPECT_TRUE(matrix->isVisible());
    EXPECT_FALSE(find<QWidget>("radius")->isVisible());
}

TEST_F(WindowTest, WeightsHaveAsManyDecimalsAsFit) {
    open("gen:noise:32x32:f32");
    // One after the other: a minus from another font is painted by itself.
    const auto paintedFor = [this](const char* filter, std::int64_t radius) {
        session().parameters().set("filter", std::string(filter));
        session().parameters().set("radius", radius);
        QString all;
        for (const PaintedText& text : textsOf(find<FilterMatrixView>("filter-matrix"))) all += text.text + ' ';
        return all.replace(QChar(0x2212) + QString(" "), QChar(0x2212));
    };
    EXPECT_TRUE(paintedFor("gaussian", 2).contains(" .090 .137 .090 "));
    EXPECT_TRUE(paintedFor("unsharp", 2).contains(QString(" %1.09 1.9 %1.09 ").arg(QChar(0x2212))));
    EXPECT_TRUE(paintedFor("box", 4).contains(" .01 .01 .01 "));
    EXPECT_EQ(paintedFor("gaussian", 4), "") << "most of its weights would read .00";
    EXPECT_EQ(paintedFor("gaussian", 9), "") << "a tint alone";
}

TEST_F(WindowTest, AMatrixIsTypedCellByCell) {
    open("gen:noise:32x32:f32");
    session().parameters().set("filter", std::string("custom"));
    ASSERT_TRUE(filtered());
    const std::string variant = session().request().current();
    auto* matrix = find<FilterMatrixView>("filter-matrix");
    QTest::mouseClick(matrix, Qt::LeftButton, {}, {8, 8});
    for (const char number : {'2', '-', '3'}) {
        QTest::keyClick(QApplication::focusWidget(), number);
        if (number == '2') QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
    EXPECT_EQ(matrix->text(), "2,-3,0;0,1,0;0,0,0");
    EXPECT_EQ(session().request().current(), variant) << "digits choose a variant elsewhere";
}

TEST_F(WindowTest, AMatrixComesFromAFile) {
    open("gen:noise:32x32:f32");
    const QString path = folder.filePath("m.csv");
    QFile file(path);
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("0,-1,0\r\n-1,5,-1\r\n0,-1,0\r\n");
    file.close();
    const auto files = lensOf(gpu::familyOf("convolution")).valuesFiles();
    ASSERT_EQ(files.size(), 1U);
    session().inputs().openValues(path, files.front().read);
    ASSERT_TRUE(QTest::qWaitFor([this] { return gpu::format(session().parameters().value("filter")) == "custom"; },
                                kPatienceMs));
    ASSERT_TRUE(filtered());
    EXPECT_EQ(find<FilterMatrixView>("filter-matrix")->text(), "0,-1,0;-1,5,-1;0,-1,0");
    session().inputs().openValues(folder.filePath("none.csv"), files.front().read);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().activity().noticeIsError(); }, kPatienceMs));
}

TEST_F(WindowTest, ComparesAllVariantsByKey) {
    open("gen:noise:64x64:f32");
    QSignalSpy compared(&session().control(), &RunControl::compared);
    QTest::keyClick(window.get(), Qt::Key_F5);
    EXPECT_TRUE(session().control().comparing());
    ASSERT_TRUE(compared.wait(kPatienceMs));
    ASSERT_TRUE(idle());
    const RunTableModel& runs = session().runs();
    EXPECT_EQ(runs.rowCount(), std::ranges::count_if(gpu::familyOf("convolution").variants(),
                                                     [](const auto& variant) { return !gpu::isExplicitOnly(variant); }))
        << "the others run when they are named";
    for (int row = 0; row < runs.rowCount(); ++row) {
        ASSERT_NE(runs.record(row), nullptr) << runs.variant(row)->id;
        EXPECT_EQ(runs.record(row)->status, gpu::Status::ok)
            << runs.variant(row)->id << ": " << runs.record(row)->reason;
        EXPECT_NE(runs.time(row), nullptr) << runs.variant(row)->id;
    }
    EXPECT_TRUE(session().activity().lastJob().startsWith("Compared")) << session().activity().lastJob().toStdString();
    EXPECT_TRUE(find<NoticeBar>("notice")->text().contains("no winner")) << "CPU times rank nothing";
    window->findChild<QAction*>("copy-table-action")->trigger();
    EXPECT_TRUE(QApplication::clipboard()->text().contains("naive\t"));
}

TEST_F(WindowTest, EscapeStopsAComparison) {
    open("gen:noise:1024x1024:f32:c=3");
    find<QPushButton>("primary")->click();
    ASSERT_TRUE(session().control().comparing());
    const RunTableModel& runs = session().runs();
    const auto done = [&] {
        int count = 0;
        for (int row = 0; row < runs.rowCount(); ++row) count += runs.record(row) != nullptr ? 1 : 0;
        return count;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return done() > 0; }, kPatienceMs));
    const int before = done();
    QTest::keyClick(window.get(), Qt::Key_Escape);
    ASSERT_TRUE(idle());
    EXPECT_LE(done(), before + 2) << "one may be on its way, one may be at its end";
    EXPECT_LT(done(), runs.rowCount());
    EXPECT_FALSE(session().control().comparing());
    EXPECT_TRUE(session().activity().lastJob().startsWith("Cancelled")) << session().activity().lastJob().toStdString();
}

TEST_F(WindowTest, MovingASliderReplacesAComparison) {
    open("gen:noise:256x256:f32");
    QTest::keyClick(window.get(), Qt::Key_F5);
    QTest::qWait(20);
    auto* slider = find<QSlider>("radius-slider");
    QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_FALSE(session().control().comparing());
    ASSERT_TRUE(filtered());
    for (int row = 0; row < session().runs().rowCount(); ++row) {
        const gpu::Timing* time = session().runs().time(row);
        EXPECT_TRUE(time == nullptr || time->samples == 1) << "no time of the old values is left";
    }
}

TEST_F(WindowTest, SavesTheResultInFullDepth) {
    open("gen:noise:33x31:f32");
    const QString path = folder.filePath("out.npy");
    QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
    session().outputs().save(path);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    const io::Grid read = io::read(path.toStdString());
    const auto output = record().result.picture;
    ASSERT_EQ(read.bytes(), output->bytes());
    EXPECT_EQ(std::memcmp(read.data(), output->data(), read.bytes()), 0);
}

TEST_F(WindowTest, ExportsTheViewAsShown) {
    open("gen:checkerboard:64x64:u8");
    const QImage view = comparePage()->view();
    const QString path = folder.filePath("view.png");
    QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
    session().outputs().exportView(view, path);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    EXPECT_EQ(QImage(path).size(), view.size());
}

TEST_F(WindowTest, AFailureIsOneSentenceAndTheWindowLivesOn) {
    open("gen:noise:32x32:u8");
    session().inputs().open(folder.filePath("missing.npy"));
    auto* notice = find<NoticeBar>("notice");
    ASSERT_TRUE(QTest::qWaitFor([&] { return notice->text().contains("missing.npy"); }, kPatienceMs));
    EXPECT_TRUE(notice->isVisible());
    EXPECT_EQ(QApplication::activeModalWidget(), nullptr);
    EXPECT_EQ(session().document().input(), "gen:noise:32x32:u8");
    session().outputs().save(folder.filePath("no/such/folder/a.npy"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return notice->text().contains("no/such"); }, kPatienceMs));
}

TEST_F(WindowTest, OneCurrentVariantEverywhere) {
    open("gen:noise:32x32:u8");
    auto* list = find<QListView>("variants");
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Home);
    QTest::keyClick(list, Qt::Key_Down);
    QTest::keyClick(list, Qt::Key_Down);
    const std::string current = session().request().current();
    EXPECT_EQ(current, session().variants().variant(2)->id);
    ASSERT_TRUE(filtered());
    auto* table = find<RunTable>("runs");
    EXPECT_EQ(table->currentIndex().siblingAtColumn(0).data().toString().toStdString(), current);
    EXPECT_TRUE(window->findChild<SourceView*>()->text().contains("__global__"));
    QTest::qWait(20);
    const PaneGrid* panes = comparePage()->panes();
    EXPECT_EQ(panes->panes()[static_cast<std::size_t>(panes->current())].key.toStdString(), current);
}

TEST_F(WindowTest, SpaceChecksAVariant) {
    auto* list = find<QListView>("variants");
    const int all = session().variants().checkedCount();
    list->setFocus();
    list->setCurrentIndex(list->model()->index(0, 0));
    QTest::keyClick(list, Qt::Key_Space);
    EXPECT_EQ(session().variants().checkedCount(), all - 1);
    EXPECT_TRUE(find<QPushButton>("primary")->text().contains(QString::number(all - 1)));
}

TEST_F(WindowTest, CopiesTheCommandLine) {
    open("gen:noise:32x32:u8");
    window->findChild<QAction*>("copy-command")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text(),
              "warplens-cli compare gen:noise:32x32:u8 convolution --variants all --device cpu");
}

TEST_F(WindowTest, AdaptsToASmallScreen) {
    open("gen:noise:64x64:u8");
    auto* source = window->findChild<QDockWidget*>("source-dock");
    auto* results = window->findChild<QDockWidget*>("results-dock");
    EXPECT_TRUE(window->tabifiedDockWidgets(results).isEmpty());
    window->resize(1280, 720);
    QTest::qWait(50);
    EXPECT_EQ(window->size(), QSize(1280, 720)) << "nothing may force a larger window";
    EXPECT_TRUE(window->tabifiedDockWidgets(results).contains(source));
    EXPECT_TRUE(session().variants().ideasInTooltips());
    reopen();  // remembered as small, opened large
    source = window->findChild<QDockWidget*>("source-dock");
    results = window->findChild<QDockWidget*>("results-dock");
    QTest::qWait(50);
    EXPECT_TRUE(window->tabifiedDockWidgets(results).isEmpty());
    EXPECT_TRUE(source->isVisible());
}

TEST_F(WindowTest, HidesDocksAndRemembersItself) {
    auto* hide = window->findChild<QAction*>("hide-docks");
    QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
    EXPECT_TRUE(hide->isChecked());
    EXPECT_FALSE(window->findChild<QDockWidget*>("task-dock")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
    EXPECT_TRUE(window->findChild<QDockWidget*>("task-dock")->isVisible());
    comparePage()->setPaneCount(2);
    comparePage()->setLinked(false);
    reopen();
    EXPECT_EQ(comparePage()->paneCount(), 2);
    EXPECT_FALSE(comparePage()->panes()->linked());
}

}  // namespace
}  // namespace warplens::gui::test
