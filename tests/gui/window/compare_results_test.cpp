// SPDX-License-Identifier: Apache-2.0
// What the compare page does with results beyond showing them: tiles and halos, history, snapshots, pinning.
#include "gpu/core/registry.hpp"
#include "gui/kit/marks.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/tiles_overlay.hpp"
#include "gui/session/history.hpp"
#include "gui/session/run_table_model.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/recorded_here.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTableView>
#include <QToolButton>
#include <algorithm>

namespace warplens::gui::test {
namespace {

class ResultsTest : public WindowTest {
protected:
    void show(const QString& input) {
        open(input);
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        ASSERT_TRUE(QTest::qWaitFor(
            [this] {
                for (const PaneContent& pane : comparePage()->panes()->panes())
                    if (pane.picture == nullptr) return false;
                return !session().activity().busy() && comparePage()->settled();
            },
            kPatienceMs));
        comparePage()->panes()->pane(0)->view()->setFocus();
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(), key,
                        modifiers);
        QTest::qWait(20);
    }
    std::int64_t radius() { return std::get<std::int64_t>(session().parameters().value("radius")); }
    void setRadius(std::int64_t value) { ASSERT_TRUE(session().parameters().set("radius", value)); }
    const io::Grid& input() { return *session().document().grid(); }
    bool inputIs(const QString& name) {
        return QTest::qWaitFor([&] { return session().document().input() == name; }, kPatienceMs);
    }
};

// As Qt does it where a table gets the focus while no row is current.
TEST_F(ResultsTest, ARowIsChosenByWhoSelectsItAndNotByTheFocus) {
    show("gen:noise:64x48:u8");
    auto* table = find<QTableView>("runs");
    const std::string current = session().request().current();
    const auto idOf = [&](int row) {
        return table->model()->index(row, 0).data(RunTableModel::IdRole).toString().toStdString();
    };
    const int other = idOf(0) == current ? 1 : 0;
    ASSERT_NE(idOf(other), current);
    table->selectionModel()->setCurrentIndex(table->model()->index(other, 0), QItemSelectionModel::NoUpdate);
    EXPECT_EQ(session().request().current(), current);
    table->selectRow(other);
    EXPECT_EQ(session().request().current(), idOf(other));
}

TEST_F(ResultsTest, TilesAreDrawnFromEachVariantsFootprint) {
    show("gen:noise:256x192:u8");
    PaneGrid* grid = comparePage()->panes();
    // The plain picture differs from the one with tiles in every pane; the second key press takes them away again.
    grid->viewState()->setCursor(QPoint(100, 90));
    std::vector<QImage> plain;
    for (int i = 0; i < 4; ++i) plain.push_back(grid->pane(i)->view()->grab().toImage());
    key(Qt::Key_T);
    EXPECT_TRUE(find<QPushButton>("tiles-button")->isChecked());
    for (int i = 0; i < 4; ++i)
        EXPECT_NE(grid->pane(i)->view()->grab().toImage(), plain[static_cast<std::size_t>(i)]) << i;
    // Moving the cursor within a tile moves the reads alone, beyond it the block.
    const QImage here = grid->pane(1)->view()->grab().toImage();
    key(Qt::Key_Right, Qt::ControlModifier);
    EXPECT_EQ(grid->viewState()->cursor(), QPoint(101, 90));
    EXPECT_NE(grid->pane(1)->view()->grab().toImage(), here);
    key(Qt::Key_Left, Qt::ControlModifier);
    EXPECT_EQ(grid->pane(1)->view()->grab().toImage(), here);
    QTest::mouseClick(find<QPushButton>("tiles-button"), Qt::LeftButton);
    for (int i = 0; i < 4; ++i)
        EXPECT_EQ(grid->pane(i)->view()->grab().toImage(), plain[static_cast<std::size_t>(i)]) << i;
}

TEST_F(ResultsTest, ATileHoldsItsPixelAndWhatItsPixelsRead) {
    // Every pixel of a tile reads inside what the block stages, or the rest goes through the cache.
    show("gen:noise:64x48:u8");
    for (int row = 0; row < session().variants().rowCount(); ++row) {
        const gpu::Variant& variant = *session().variants().variant(row);
        if (variant.kind != gpu::Variant::Kind::kernel) continue;
        session().request().setCurrent(variant.id);
        ASSERT_TRUE(filtered()) << variant.id;
        ASSERT_TRUE(record(variant.id).footprint) << variant.id;
        const gpu::Footprint f = *record(variant.id).footprint;
        for (const QPoint pixel : {QPoint(0, 0), QPoint(63, 47), QPoint(31, 17)}) {
            const QRectF tile = TilesOverlay::tileOf(f, pixel);
            EXPECT_TRUE(tile.contains(QPointF(pixel) + QPointF(0.5, 0.5))) << variant.id;
            const QRectF reads = QRectF(pixel, QSizeF(1, 1)).adjusted(-f.haloX, -f.haloY, f.haloX, f.haloY);
            const bool allStaged = f.staged && !f.haloThroughCache;
            EXPECT_TRUE(!allStaged || TilesOverlay::stagedOf(f, pixel).contains(reads)) << variant.id;
        }
    }
}

TEST(Results, AnotherPictureForgetsWhatOtherFamiliesWereLeftWith) {
    // No device is fetched, so that nothing runs by itself.
    CompareSession session;
    Results& results = session.results();
    const gpu::Family &first = *gpu::families()[0], &second = *gpu::families()[1];
    const std::string variant = first.variants().front().id;
    const auto fill = [&] {
        gpu::Comparison comparison;
        comparison.family = first.id();
        gpu::RunRecord record;
        record.family = first.id();
        record.variant = variant;
        record.status = gpu::Status::ok;
        session.request().setFamily(first);
        results.take(record, 1);
        results.take(comparison, gpu::Report{});
        session.request().setFamily(second);
    };
    fill();
    EXPECT_EQ(results.of(variant), nullptr);
    session.request().setFamily(first);
    EXPECT_NE(results.of(variant), nullptr) << "what a family was left with is there again";
    EXPECT_NE(results.report(), nullptr);
    fill();
    results.clear();
    session.request().setFamily(first);
    EXPECT_EQ(results.of(variant), nullptr);
    EXPECT_EQ(results.report(), nullptr) << "its numbers are of another picture";
}

TEST(TilesOverlay, SaysWhatAStencilReads) {
    const auto reads = [](int taps, int haloX, int haloY) {
        return TilesOverlay::readsOf({.footprint = {.haloX = haloX, .haloY = haloY}, .taps = taps}).toStdString();
    };
    EXPECT_EQ(reads(0, 2, 2), "pixel reads 5 × 5");
    EXPECT_EQ(reads(5, 1, 1), "cell reads a cross of 5");
    EXPECT_EQ(reads(7, 1, 1), "cell reads a cross of 7, five of them here");
    EXPECT_EQ(reads(27, 1, 1), "cell reads a cube of 27, nine of them here");
    EXPECT_EQ(reads(3, 1, 0), "cell reads three of a row");
    EXPECT_EQ(reads(7, 4, 4), "4 steps read up to 4 cells away");
}

TEST_F(ResultsTest, TheCrossOfAStencilIsDrawnAndSaid) {
    session().request().setFamily(gpu::familyOf("stencil"));
    open("gen:noise:24x24x6:f32");
    comparePage()->panes()->goTo({12, 12, 3});
    window->findChild<QAction*>("tiles")->setChecked(true);
    PaneGrid* grid = comparePage()->panes();
    ASSERT_TRUE(QTest::qWaitFor([&] { return grid->pane(1)->view()->settled(); }, kPatienceMs));
    grid->viewState()->setZoom(16);
    grid->viewState()->setCentre({12.5, 12.5});
    ASSERT_TRUE(QTest::qWaitFor([&] { return grid->pane(1)->view()->settled(); }, kPatienceMs));
    ImageView* view = grid->pane(0)->view();
    const QImage tiles = view->grab().toImage();
    window->findChild<QAction*>("tiles")->setChecked(false);
    const QImage plain = view->grab().toImage();
    // The outline goes around the cross: nothing is drawn at the corner of the square around it.
    const QPoint arm = view->toWidget({12.5, 11}).toPoint(), corner = view->toWidget({11, 11}).toPoint();
    const auto differs = [&](QPoint at) {
        return tiles.copy(QRect(at - QPoint(2, 2), QSize(5, 5))) != plain.copy(QRect(at - QPoint(2, 2), QSize(5, 5)));
    };
    EXPECT_TRUE(differs(arm));
    EXPECT_FALSE(differs(corner));
}

TEST_F(ResultsTest, UndoesAHundredStepsOfParametersAndInputs) {
    show("gen:noise:32x32:u8");
    const QString first = session().document().input();
    constexpr int kRounds = 120;
    for (int i = 0; i < kRounds; ++i) {
        setRadius(1 + i % 5);
        ASSERT_TRUE(session().parameters().set("sigma", 0.5 + 0.01 * i));
    }
    open("gen:checkerboard:24x24:u8");
    ASSERT_EQ(session().history().stack().count(), History::kSteps);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(session().document().input(), first);
    for (int i = kRounds - 1; i > kRounds - 50; --i) {
        EXPECT_DOUBLE_EQ(std::get<double>(session().parameters().value("sigma")), 0.5 + 0.01 * i);
        EXPECT_EQ(radius(), 1 + i % 5);
        window->findChild<QAction*>("undo")->trigger();
        window->findChild<QAction*>("undo")->trigger();
    }
    while (session().history().stack().canUndo()) window->findChild<QAction*>("undo")->trigger();
    while (session().history().stack().canRedo()) window->findChild<QAction*>("redo")->trigger();
    EXPECT_EQ(session().document().input(), "gen:checkerboard:24x24:u8");
    EXPECT_EQ(radius(), 1 + (kRounds - 1) % 5);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(record().result.picture->shape().width, 24);
}

TEST_F(ResultsTest, ADragIsOneStepAndAStepReturnsToItsFamily) {
    show("gen:noise:32x32:u8");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    const std::int64_t before = radius();
    for (int i = 0; i < 4; ++i) QTest::keyClick(slider, Qt::Key_Right);
    EXPECT_EQ(session().history().stack().count(), 1);
    window->pages()->setCurrent(window->pages()->page("histogram"));
    ASSERT_EQ(session().parameters().family()->id(), "histogram");
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(session().parameters().family()->id(), "convolution");
    EXPECT_EQ(radius(), before);
    EXPECT_FALSE(window->findChild<QAction*>("undo")->isEnabled());
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(radius(), before + 4);
}

TEST_F(ResultsTest, AResultBecomesTheNextInput) {
    show("gen:noise:40x30:f32");
    const QString first = session().document().input();
    const auto result = record().result.picture;
    key(Qt::Key_U);
    ASSERT_TRUE(inputIs(first + ", blur")) << session().document().input().toStdString();
    EXPECT_EQ(session().document().grid(), result);
    EXPECT_TRUE(session().request().command().contains("--recipe")) << "no file stands for it, steps do";
    ASSERT_TRUE(filtered());
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(session().document().input(), first);
    key(Qt::Key_Y, Qt::ControlModifier);
    EXPECT_EQ(session().document().grid(), result);
}

TEST_F(ResultsTest, SnapshotsAreReferencesAndTenAreKept) {
    show("gen:noise:48x40:u8");
    const auto kept = record().result.picture;
    key(Qt::Key_K);
    ASSERT_EQ(session().snapshots().all().size(), 1U);
    QAction* first = window->findChild<QAction*>("snapshot-1");
    ASSERT_TRUE(first->isEnabled() && first->isVisible());
    setRadius(7);
    ASSERT_TRUE(filtered());
    first->trigger();
    EXPECT_EQ(session().lookedAt().reference(), "snapshot-1");
    // Flipping shows the snapshot, subtracting takes it.
    comparePage()->panes()->setFlipped(true);
    EXPECT_TRUE(comparePage()->panes()->pane(1)->caption()->spoken().startsWith("Snapshot 1"));
    EXPECT_TRUE(comparePage()->panes()->pane(1)->view()->flipped());
    comparePage()->panes()->setFlipped(false);
    for (int i = 0; i < 12; ++i) key(Qt::Key_K);
    ASSERT_EQ(session().snapshots().all().size(), static_cast<std::size_t>(Snapshots::kMost));
    ASSERT_NE(session().snapshots().find("snapshot-1"), nullptr) << "the one looked at stays";
    EXPECT_EQ(session().snapshots().find("snapshot-1")->record.result.picture, kept);
    EXPECT_EQ(session().snapshots().find("snapshot-2"), nullptr);
}

TEST_F(ResultsTest, AnyResultIsPinnedAsBaseline) {
    show("gen:noise:32x32:u8");
    key(Qt::Key_4);
    ASSERT_TRUE(filtered());
    ASSERT_NE(session().request().baseline(), session().request().current());
    key(Qt::Key_P, Qt::ShiftModifier);
    EXPECT_EQ(session().request().baseline(), session().request().current());
}

/// No GPU is needed to see what would be said of one: records as a GPU gives them, in the window's own table.
TEST_F(ResultsTest, TheTrustBadgeSaysSpreadClockThrottlingAndWhatIsAboveTheLimit) {
    open("gen:noise:16x16:u8");
    auto* trust = find<QLabel>("trust");
    RunTableModel& runs = session().runs();
    std::vector<const gpu::Variant*> variants;
    for (const char* id : {"naive", "tiled_input"}) variants.push_back(session().variants().variant(id));
    const auto show = [&](const gpu::ClockState& clocks, double ofLimit) {
        runs.expect(variants, true);
        for (const gpu::Variant* variant : variants) {
            gpu::RunRecord record;
            record.variant = variant->id;
            record.kind = variant->kind;
            record.time = gpu::Timing{.clock = gpu::Clock::device,
                                      .medianMs = 1,
                                      .q1Ms = 0.98,
                                      .q3Ms = 1.01,
                                      .minMs = 0.97,
                                      .lowMs = 0.99,
                                      .highMs = 1.01,
                                      .samples = 40};
            record.verification = gpu::Verification{1e-7, 1e-6, 1.0, 0, {}, {}};
            record.percentOfLimit = variant->id == "naive" ? 50 : ofLimit;
            runs.setRecord(record);
        }
        runs.setContext({}, {}, clocks);
        QTest::qWait(60);
    };
    show({1980, 1980, false, {}}, 60);
    EXPECT_TRUE(trust->isVisible());
    EXPECT_EQ(trust->text(),
              QString::fromUtf8("trust: spread ≤ 3 %, clock steady at 1,980 MHz, no throttling, L2 cold, n = 40"));
    EXPECT_TRUE(find<OriginMark>("trust-origin")->isVisible()) << "a number has its origin beside it";
    show({1200, 1980, true, "power cap"}, 130);
    EXPECT_TRUE(trust->text().contains("clock 1,200 to 1,980 MHz, throttled: power cap"))
        << trust->text().toStdString();
    EXPECT_TRUE(trust->text().contains("1 above the limit"));
    for (const char* word : {"Spread:", "throttling:", "Above the limit:"})
        EXPECT_TRUE(trust->toolTip().contains(word)) << word;
    EXPECT_EQ(find<QWidget>("runs")->window(), trust->window()) << "beside the numbers";
}

TEST_F(ResultsTest, TheTableIsSortedByAClickAndItsHeadsExplainThemselves) {
    open("gen:noise:16x16:u8");
    RunTableModel& runs = session().runs();
    std::vector<const gpu::Variant*> variants;
    for (const char* id : {"naive", "constant", "tiled_input"}) variants.push_back(session().variants().variant(id));
    runs.expect(variants, true);
    for (const auto& [variant, ms] : {std::pair{variants[0], 2.0}, {variants[1], 3.0}, {variants[2], 1.0}}) {
        gpu::RunRecord record;
        record.variant = variant->id;
        record.kind = variant->kind;
        record.time = gpu::Timing{.clock = gpu::Clock::device,
                                  .medianMs = ms,
                                  .q1Ms = ms,
                                  .q3Ms = ms,
                                  .minMs = ms,
                                  .lowMs = ms,
                                  .highMs = ms,
                                  .samples = 40};
        record.verification = gpu::Verification{1e-7, 1e-6, 1.0, 0, {}, {}};
        runs.setRecord(record);
    }
    QTest::qWait(60);
    auto* table = find<QTableView>("runs");
    const auto order = [&] {
        QStringList ids;
        for (int row = 0; row < table->model()->rowCount(); ++row)
            ids << table->model()->index(row, 0).data(RunTableModel::IdRole).toString();
        return ids.join(' ').toStdString();
    };
    QHeaderView* head = table->horizontalHeader();
    const auto click = [&](int column) {
        QTest::mouseClick(head->viewport(), Qt::LeftButton, {},
                          QPoint(head->sectionViewportPosition(column) + 10, head->height() / 2));
        QTest::qWait(30);
    };
    EXPECT_EQ(order(), "tiled_input naive constant") << "the fastest first";
    click(gpu::RunColumn::median);
    EXPECT_EQ(order(), "constant naive tiled_input");
    click(gpu::RunColumn::median);
    EXPECT_EQ(order(), "tiled_input naive constant");
    for (int column = 1; column < RunTableModel::kColumns; ++column) {
        const QString title = table->model()->headerData(column, Qt::Horizontal).toString();
        const QString help = table->model()->headerData(column, Qt::Horizontal, Qt::ToolTipRole).toString();
        EXPECT_GT(help.size(), title.size() + 10) << title.toStdString();
        EXPECT_TRUE(help.contains('.')) << title.toStdString() << ": " << help.toStdString();
    }
}

TEST_F(ResultsTest, ColumnsAreChosenByARightClickAndStay) {
    show("gen:noise:64x48:u8");
    const auto table = [this] { return find<QTableView>("runs"); };
    ASSERT_FALSE(table()->isColumnHidden(gpu::RunColumn::maxError));
    const auto menu = [&] {
        QHeaderView* head = table()->horizontalHeader();
        emit head->customContextMenuRequested({20, 5});
        auto* shown = find<QMenu>("columns-menu");
        EXPECT_TRUE(QTest::qWaitFor([&] { return shown->isVisible(); }, kPatienceMs));
        return shown;
    };
    const auto entryOf = [&](QMenu* in, int column) {
        const QString title = table()->model()->headerData(column, Qt::Horizontal).toString();
        for (QAction* entry : in->actions())
            if (entry->text() == title) return entry;
        return static_cast<QAction*>(nullptr);
    };
    QMenu* chosen = menu();
    ASSERT_NE(entryOf(chosen, gpu::RunColumn::maxError), nullptr);
    EXPECT_EQ(entryOf(chosen, gpu::RunColumn::variant), nullptr) << "rows keep their names";
    entryOf(chosen, gpu::RunColumn::maxError)->trigger();
    chosen->close();
    EXPECT_TRUE(table()->isColumnHidden(gpu::RunColumn::maxError));
    EXPECT_FALSE(table()->isColumnHidden(gpu::RunColumn::median));
    reopen();
    EXPECT_TRUE(table()->isColumnHidden(gpu::RunColumn::maxError)) << "kept in the settings";
    chosen = menu();
    chosen->actions().back()->trigger();
    chosen->close();
    EXPECT_FALSE(table()->isColumnHidden(gpu::RunColumn::maxError));
}

TEST_F(ResultsTest, ColumnsHaveTheirWidthsAgainAfterProjectorMode) {
    show("gen:noise:32x32:u8");
    window->resize(1920, 1080);
    QSignalSpy compared(&session().control(), &RunControl::compared);
    session().control().compare();
    ASSERT_TRUE(compared.wait(kPatienceMs));
    auto* table = find<QTableView>("runs");
    const auto widths = [table] {
        std::vector<int> all;
        for (int column = 1; column < RunTableModel::kColumns; ++column)
            all.push_back(table->isColumnHidden(column) ? 0 : table->columnWidth(column));
        return all;
    };
    QTest::qWait(50);
    const auto before = widths();
    EXPECT_GT(std::ranges::count_if(before, [](int width) { return width > 0; }), 3);
    for (int round = 0; round < 2; ++round) {
        for (const bool project : {true, false}) {
            find<QAction>("projector")->setChecked(project);
            window->resize(project ? QSize(1280, 720) : QSize(1920, 1080));
            QTest::qWait(100);
            EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width())
                << (project ? "projector" : "plain");
        }
        EXPECT_EQ(widths(), before);
    }
}

TEST_F(ResultsTest, WhereTheTimeGoesStandsInColumnsAndInOneBarPerVariant) {
    show("gen:noise:48x32:u8:c=3");
    QSignalSpy compared(&session().control(), &RunControl::compared);
    session().control().compare();
    ASSERT_TRUE(compared.wait(kPatienceMs));
    auto* table = find<QTableView>("runs");
    const auto& shown = session().lookedAt().shown();
    const auto displayed = [&] {
        return std::ranges::all_of(shown,
                                   [&](const std::string& id) { return session().runs().displayMs(id).has_value(); });
    };
    ASSERT_TRUE(QTest::qWaitFor(displayed, kPatienceMs)) << "what the panes took is measured";
    QTest::mouseClick(find<QPushButton>("times-stages"), Qt::LeftButton);
    QTest::qWait(50);
    EXPECT_TRUE(find<QAction>("all-stages")->isChecked());
    using Column = gpu::RunColumn;
    EXPECT_TRUE(table->isColumnHidden(Column::median));
    for (const int column : {Column::layout, Column::kernel, Column::download, Column::display, Column::total,
                             Column::exposed, Column::check}) {
        EXPECT_FALSE(table->isColumnHidden(column)) << column;
        if (column != Column::check) {
            EXPECT_EQ(session().runs().origin(column), Origin::measured) << column;
        }
    }
    const RunTableModel& runs = session().runs();
    const QString bars = find<QWidget>("time-bars")->accessibleDescription();
    const gpu::Report& report = *session().results().report();
    int drawn = 0;
    for (const gpu::ReportRun& run : report.runs) {
        const std::string id = run.record.id();
        const int row = runs.rowOf(id);
        if (run.record.kind == gpu::Variant::Kind::library || runs.time(row) == nullptr) continue;
        const gpu::Stages stages = *runs.stagesOf(row);
        const double sum = *stages.layout + *stages.kernel + *stages.download + stages.upload.value_or(0);
        EXPECT_DOUBLE_EQ(*stages.total(), sum + stages.display.value_or(0)) << id;
        EXPECT_EQ(stages.display.has_value(), std::ranges::find(shown, id) != shown.end()) << id;
        EXPECT_EQ(run.displayMs, stages.display) << id << ": a report that is exported has it";
        const QString name = QString::fromStdString(id);
        EXPECT_TRUE(bars.contains(QStringLiteral("%1: %2 ms").arg(name, format::milliseconds(*stages.total())))) << id;
        EXPECT_TRUE(bars.contains(QStringLiteral("kernel %1").arg(format::milliseconds(*stages.kernel)))) << id;
        ++drawn;
    }
    EXPECT_GT(drawn, 4);
    EXPECT_TRUE(bars.contains("layout ") && bars.contains("download ") && bars.contains("display "));
    // Copied as shown.
    QTest::mouseClick(find<QToolButton>("copy-table"), Qt::LeftButton);
    EXPECT_TRUE(QGuiApplication::clipboard()->text().section('\n', 0, 0).contains("Exposed ms"));
    EXPECT_FALSE(QGuiApplication::clipboard()->text().section('\n', 0, 0).contains("CPU ms"));
    comparePage()->panes()->pane(0)->view()->setFocus();
    key(Qt::Key_T, Qt::ShiftModifier);
    EXPECT_FALSE(table->isColumnHidden(Column::median));
    EXPECT_TRUE(table->isColumnHidden(Column::total));
    EXPECT_FALSE(find<QWidget>("time-bars")->accessibleDescription().contains("download"));
}

TEST_F(ResultsTest, NamesAreWholeAsSoonAsTheColumnsAreThere) {
    const RecordedHere recordedHere(32, 32);
    show("gen:noise:32x32:u8");
    QSignalSpy compared(&session().control(), &RunControl::compared);
    session().control().compare();
    ASSERT_TRUE(compared.wait(kPatienceMs));
    auto* table = find<QTableView>("runs");
    // The recorded times come with the comparison, and nothing else resizes the window then.
    ASSERT_TRUE(QTest::qWaitFor([&] { return !table->isColumnHidden(gpu::RunColumn::recorded); }, kPatienceMs));
    QTest::qWait(50);
    for (const PaintedText& text : textsOf(table->viewport()))
        EXPECT_FALSE(text.text.contains(QChar(0x2026))) << text.text.toStdString();
    EXPECT_LE(table->horizontalHeader()->length(), table->viewport()->width());
}

TEST_F(ResultsTest, NoRowIsCutAndTheChosenOneIsSeenInEverySize) {
    show("gen:noise:32x32:u8");
    QSignalSpy compared(&session().control(), &RunControl::compared);
    session().control().compare();
    ASSERT_TRUE(compared.wait(kPatienceMs));
    auto* table = find<QTableView>("runs");
    session().request().setCurrent("separable_streamed");
    for (const bool project : {false, true, false}) {
        find<QAction>("projector")->setChecked(project);
        for (const QSize size : {QSize(1280, 720), QSize(1500, 901), QSize(1280, 720)}) {
            window->resize(size);
            const int row = kRowHeight;
            const auto seen = [&] {
                const QRect chosen = table->visualRect(table->currentIndex());
                return table->viewport()->height() % row == 0 && chosen.top() >= 0 &&
                       chosen.bottom() <= table->viewport()->height();
            };
            QTest::qWait(60);
            EXPECT_TRUE(QTest::qWaitFor(seen, kPatienceMs));
            EXPECT_EQ(table->verticalHeader()->offset() % row, 0);
            EXPECT_EQ(table->viewport()->height() % row, 0) << size.height() << (project ? " projector" : " plain");
            const QRect chosen = table->visualRect(table->currentIndex());
            EXPECT_GE(chosen.top(), 0);
            EXPECT_LE(chosen.bottom(), table->viewport()->height());
            EXPECT_EQ(window->size(), size);
        }
    }
}

TEST_F(ResultsTest, ASnapshotIsSeenInThePanesAndSubtracted) {
    open("gen:noise:24x24:u8");
    QTest::keyClick(comparePage(), Qt::Key_K);
    ASSERT_EQ(session().snapshots().all().size(), 1U);
    const auto kept = session().snapshots().all().front();
    session().parameters().set("radius", std::int64_t{5});
    ASSERT_TRUE(filtered());
    // Chosen as the reference, it is what Shift shows in every pane, and named there.
    window->findChild<QAction*>("snapshot-1")->trigger();
    EXPECT_EQ(session().lookedAt().reference(), kept.key.toStdString());
    PaneGrid* grid = comparePage()->panes();
    QTest::keyPress(comparePage(), Qt::Key_Shift);
    ASSERT_TRUE(grid->flipped());
    const QImage flipped = grid->pane(grid->current())->view()->grab().toImage();
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid->pane(grid->current())->view()->settled(); }));
    QTest::keyRelease(comparePage(), Qt::Key_Shift);
    EXPECT_TRUE(QTest::qWaitFor([&] { return grid->pane(grid->current())->view()->settled(); }));
    EXPECT_NE(grid->pane(grid->current())->view()->grab().toImage(), flipped);
    EXPECT_TRUE(window->findChild<QAction*>("snapshot-1")->text().contains("Snapshot 1"));
}

}  // namespace
}  // namespace warplens::gui::test
