// SPDX-License-Identifier: Apache-2.0
#include "gui/why/why_page.hpp"

#include "gui/picture/pane.hpp"
#include "gui/picture/why_text.hpp"
#include "gui/session/rates.hpp"
#include "gui/why/source_texts.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QTableWidget>

namespace warplens::gui::test {
namespace {

/// Rows of a head that have colour: words and lines are grey, only marks are not.
int highestMark(QWidget* head) {
    const QImage image = head->grab().toImage();
    int rows = 0;
    for (int y = 0; y < image.height(); ++y) {
        bool any = false;
        for (int x = 0; x < image.width(); ++x) any = any || image.pixelColor(x, y).hsvSaturation() > 90;
        rows += any;
    }
    return rows;
}

TEST_F(WhyPageTest, CountsOnceAndShowsTheRungChosen) {
    show();
    EXPECT_FALSE(window->findChild<QWidget*>("task-dock")->isVisible());
    const int kernels = tracer->explained;
    EXPECT_GE(kernels, 9);
    click("rung-tiled_input");
    ASSERT_TRUE(settled());
    EXPECT_EQ(session().request().current(), "tiled_input");
    EXPECT_EQ(find<QComboBox>("ladder-against")->currentText(), "constant");
    const QString said = find<WhyText>("why-text")->spoken();
    EXPECT_TRUE(
        said.contains("11,000 (counted) sectors of 32 bytes from global memory where constant loads 8,000 (counted)") ||
        said.contains("11,000 (counted)"))
        << said.toStdString();
    auto* table = find<QTableWidget>("moved-counts");
    bool found = false;
    for (int row = 0; row < table->rowCount(); ++row) {
        if (!table->item(row, 0)->text().contains("sectors per load request")) continue;
        found = true;
        EXPECT_EQ(table->item(row, 1)->text(), "40.00");
        EXPECT_EQ(table->item(row, 2)->text(), "55.00");
        EXPECT_TRUE(table->item(row, 3)->text().startsWith("×"));
    }
    EXPECT_TRUE(found);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_TRUE(window->findChild<QWidget*>("task-dock")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    ASSERT_TRUE(settled());
    EXPECT_EQ(tracer->explained, kernels) << "what is counted is kept";
    session().parameters().set("radius", std::int64_t{3});
    ASSERT_TRUE(QTest::qWaitFor([&] { return tracer->explained > kernels && page().settled(); }, kPatienceMs));
}

TEST_F(WhyPageTest, TheRooflineHasEveryRungAndAPresentOrRecordedCeiling) {
    show();
    const auto rates = model().rates();
    ASSERT_EQ(rates.size(), static_cast<std::size_t>(tracer->explained.load()));
    int timed = 0;
    for (const auto& rate : rates) {
        EXPECT_EQ(rate.operationsPerByte, 0.2);
        EXPECT_FALSE(model().time(rate.variant->id)) << "none was recorded of 64 x 48 pixels";
        // 5,000 operations on 64 x 48 values, on the recorded picture as many a value.
        const gpu::RecordedTask task(*session().parameters().family(), session().parameters().values(),
                                     *session().document().grid(), session().document().input().toStdString());
        const auto sources = recordedRuns().of(task, gpu::RecordedFigure::rate);
        const gpu::Timing* time = sources.empty() ? nullptr : sources.front().time(*model().record(rate.variant->id));
        const double there = time ? static_cast<double>(sources.front().report().input.shape.values()) : 0;
        EXPECT_NEAR(rate.tflops, time ? 5000.0 / (64 * 48) * there / time->medianMs / 1e9 : 0, 1e-9)
            << rate.variant->id;
        timed += time != nullptr;
        EXPECT_EQ(rate.from.contains("scaled from 4,096 × 4,096"), time != nullptr) << rate.from.toStdString();
    }
    EXPECT_GT(timed, 5) << "rungs of the default filter are recorded";
    EXPECT_TRUE(find<QWidget>("roofline")->isVisible());
    EXPECT_TRUE(
        find<QWidget>("roofline")->accessibleDescription().contains("naive: 0.200 operations per byte (counted)"));
}

TEST_F(WhyPageTest, WhatTheTraceFoundStandsAtItsLine) {
    show();
    auto* button = find<QPushButton>("findings");
    EXPECT_FALSE(button->isVisible()) << "nothing was found";
    EXPECT_TRUE(find<HeatText>("heat-source")->found().isEmpty());
    tracer->defective = true;
    session().parameters().set("radius", std::int64_t{3});
    ASSERT_TRUE(QTest::qWaitFor([&] { return button->isVisible() && page().settled(); }, kPatienceMs));
    HeatText* source = find<HeatText>("heat-source");
    const QList<int> lines{MadeUpTracer::kDefect, MadeUpTracer::kDefect + 4};
    EXPECT_EQ(source->found(), lines);
    EXPECT_TRUE(button->text().contains("2 defects found: Data race in shared memory, line 31"))
        << button->text().toStdString();
    EXPECT_TRUE(
        find<WhyText>("why-text")->spoken().startsWith("Data race in shared memory: block (0, 0, 0) thread (1, 0, 0)"))
        << find<WhyText>("why-text")->spoken().toStdString();
    for (const int line : lines) {
        warp().chooseLine(line - 1);
        button->setFocus();
        QTest::keyClick(button, Qt::Key_Space);
        EXPECT_EQ(warp().line(), line);
        EXPECT_EQ(source->chosen(), line);
    }
    EXPECT_TRUE(source->textOf(lines.front()).contains("Data race in shared memory: block (0, 0, 0)"));
    EXPECT_TRUE(source->textOf(lines.back()).contains("Divergent barrier: thread (3, 0, 0) waits"));
    EXPECT_TRUE(find<QPushButton>("rung-naive")->toolTip().contains("shared-race"));
    tracer->defective = false;
    session().parameters().set("radius", std::int64_t{4});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !button->isVisible() && page().settled(); }, kPatienceMs));
    EXPECT_TRUE(source->found().isEmpty());
}

TEST_F(WhyPageTest, ComparesWithAnyRung) {
    show();
    click("rung-separable");
    auto* against = find<QComboBox>("ladder-against");
    against->setFocus();
    QTest::keyClick(against, Qt::Key_Home);
    EXPECT_EQ(model().comparedVariant()->id, "naive");
    EXPECT_TRUE(find<WhyText>("why-text")->spoken().contains("naive"));
}

TEST_F(WhyPageTest, EscapeStopsCountingAndF6GoesOn) {
    tracer = std::make_shared<MadeUpTracer>();
    tracer->slow = true;
    session().control().setTracer(tracer);
    open("gen:noise:64x48:f32");
    click("page-button-why");
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().counting() && tracer->asked > 0; }, kPatienceMs));
    page().setFocus();
    QTest::keyClick(&page(), Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model().counting(); }, kPatienceMs));
    EXPECT_EQ(tracer->stopped, 1);
    EXPECT_TRUE(model().problem().contains("F6"));
    tracer->slow = false;
    QTest::keyClick(window.get(), Qt::Key_F6);
    ASSERT_TRUE(settled());
    EXPECT_TRUE(model().problem().isEmpty());
    EXPECT_GE(tracer->explained, 9);
}

TEST_F(WhyPageTest, LinesAndRequestsByMouseAndKeys) {
    show();
    HeatText* source = find<HeatText>("heat-source");
    EXPECT_EQ(warp().line(), MadeUpTracer::kLine);
    EXPECT_EQ(source->highest(), MadeUpTracer::sectorsOf(session().request().current()));
    EXPECT_EQ(warp().requests(), MadeUpTracer::kLoads);
    EXPECT_NE(warpWords().find("4 sectors"), std::string::npos) << warpWords();
    auto* chart = find<QWidget>("warp-chart");
    for (int width = 320; width <= 900; width += 20) {
        chart->resize(width, chart->height());
        std::vector<QRectF> numbers;
        for (const PaintedText& text : textsOf(chart)) {
            bool number = false;
            text.text.toInt(&number);
            if (number) numbers.push_back(text.box);
        }
        for (std::size_t i = 1; i < numbers.size(); ++i)
            EXPECT_GE(numbers[i].left(), numbers[i - 1].right() + 3) << "lanes' numbers run together, " << width;
    }
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Right);
    EXPECT_EQ(warp().position(), 1);
    EXPECT_NE(warpWords().find("where 4 would do: the row starts 4 bytes into a sector."), std::string::npos)
        << warpWords();
    click("warp-next");
    EXPECT_EQ(warp().position(), 2);
    EXPECT_FALSE(find<QPushButton>("warp-next")->isEnabled());
    QTest::keyClick(chart, Qt::Key_Left);
    EXPECT_EQ(warp().position(), 1);
    source->setFocus();
    QTest::keyClick(source, Qt::Key_Down);
    EXPECT_EQ(warp().line(), MadeUpTracer::kLine + 2);
    EXPECT_NE(warpWords().find("32 wavefronts"), std::string::npos) << warpWords();
    EXPECT_NE(warpWords().find("bank 0 has to deliver 32 different words"), std::string::npos) << warpWords();
    EXPECT_TRUE(source->accessibleDescription().contains("25 wavefronts in 10 requests"));
    QTest::keyClick(source, Qt::Key_Up);
    EXPECT_EQ(warp().line(), MadeUpTracer::kLine);
    click("heat-1");
    EXPECT_EQ(source->highest(), 15) << "25 wavefronts where 10 would do";
    click("heat-2");
    EXPECT_EQ(source->highest(), 10 * 32 - 160) << "lanes at rest";
    source->setFocus();
    QTest::keyClick(source, Qt::Key_Down);
    QTest::keyClick(source, Qt::Key_Down);
    EXPECT_EQ(source->accessibleDescription(),
              "line 35, 50; branch, each part of its condition counted by itself: executed by warps 40 times, "
              "divergent 10 times, 25 %; "
              "5.00 lanes then diverged from their warp each time");
    EXPECT_EQ(warp().requests(), 0) << "it asks no memory";
    QTest::keyClick(source, Qt::Key_Up);
    EXPECT_EQ(warp().line(), MadeUpTracer::kLine + 2);
    EXPECT_TRUE(source->textOf(MadeUpTracer::kLine + 5).startsWith("line 35"));
    click("heat-3");
    EXPECT_EQ(source->highest(), 0);
    EXPECT_TRUE(source->textOf(MadeUpTracer::kLine + 5).isEmpty())
        << "a line that only branches has its place in divergence alone";
}

TEST_F(WhyPageTest, APortableVariantsSourceStandsBesideCudas) {
    show();
    session().request().setCurrent("opencl_tiled_input");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page().settled(); }, kPatienceMs));
    EXPECT_EQ(find<QComboBox>("ladder-against")->currentText(), "tiled_input");
    EXPECT_TRUE(find<WhyText>("why-text")->accessibleDescription().contains("is not CUDA and is not traced"));
    const QString cuda = find<DifferenceText>("source-before")->toPlainText(),
                  openCl = find<DifferenceText>("source-now")->toPlainText();
    EXPECT_TRUE(cuda.contains("__syncthreads()"));
    EXPECT_TRUE(openCl.contains("barrier(CLK_LOCAL_MEM_FENCE)"));
    EXPECT_EQ(cuda.count('\n'), openCl.count('\n')) << "line by line";
}

TEST_F(WhyPageTest, APixelClickedGivesItsWarp) {
    show();
    click("rung-tiled_input");
    ASSERT_TRUE(settled());
    ImageView* view = picture();
    view->viewState()->fit();
    const int before = tracer->warps;
    QTest::mouseClick(view, Qt::LeftButton, Qt::NoModifier, view->toWidget(QPointF(9.5, 20.5)).toPoint());
    ASSERT_TRUE(QTest::qWaitFor([&] { return tracer->warps > before && warp().trace() != nullptr; }, kPatienceMs));
    EXPECT_EQ(warp().pixel(), QPoint(9, 20));
    EXPECT_EQ(warp().trace()->lane, 9);
    const auto& scene = page().tiles().scene();
    ASSERT_TRUE(scene.has_value());
    EXPECT_EQ(scene->pixel, QPoint(9, 20));
    ASSERT_EQ(scene->warp.size(), 32U);
    EXPECT_EQ(scene->warp.front(), QPoint(0, 20));
    EXPECT_TRUE(scene->footprint.staged);
    const QRectF tile = TilesOverlay::tileOf(scene->footprint, *scene->pixel),
                 staged = TilesOverlay::stagedOf(scene->footprint, *scene->pixel);
    EXPECT_EQ(tile, QRectF(0, 0, 28, 28));
    EXPECT_EQ(staged, QRectF(-2, -2, 32, 32));
    view->viewState()->setCursor(QPoint(40, 30));
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Return);
    EXPECT_EQ(warp().pixel(), QPoint(40, 30));
    click("why-tiles");
    EXPECT_FALSE(page().tiles().scene().has_value());
}

TEST_F(WhyPageTest, FilesThatAKernelIncludesAreShownToo) {
    show();
    auto* file = find<QComboBox>("heat-file");
    ASSERT_EQ(file->count(), 2);
    EXPECT_EQ(file->itemText(1), "view.cuh");
    EXPECT_EQ(warp().file(), session().request().currentVariant()->source);
    file->setFocus();
    QTest::keyClick(file, Qt::Key_Down);
    EXPECT_EQ(warp().file(), "gpu/kernels/view.cuh");
    EXPECT_EQ(warp().line(), 22);
    EXPECT_TRUE(find<HeatText>("heat-source")->toPlainText().contains("struct")) << "its own text";
    EXPECT_EQ(find<HeatText>("heat-source")->highest(), MadeUpTracer::sectorsOf(session().request().current()));
    click("rung-tiled_input");
    ASSERT_TRUE(settled());
    EXPECT_EQ(file->currentText(), "tiled_input.cuh") << "another rung begins with its own";
}

TEST_F(WhyPageTest, OfAHistogramTheMapIsContention) {
    tracer = std::make_shared<MadeUpTracer>();
    session().control().setTracer(tracer);
    open("gen:constant:64x48:u8:value=9");
    window->resize(1280, 720);
    click("page-button-histogram");
    click("page-button-why");
    click("rung-naive");
    ASSERT_TRUE(settled());
    EXPECT_LE(window->width(), 1280) << "the docks of two pages at once must not widen the window";
    QTest::keyClick(window.get(), Qt::Key_A);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().map() != nullptr; }, kPatienceMs));
    EXPECT_EQ(page().picturePane()->content().title, "Contention");
    EXPECT_EQ(page().picturePane()->content().hint, "mean 32.0") << "all lanes of a warp meet on a flat picture";
    EXPECT_EQ(tracer->maps, 0);
}

TEST_F(WhyPageTest, TheMapOfReadsIsCountedWhenItIsWanted) {
    show();
    EXPECT_EQ(tracer->maps, 0);
    click("why-reads");
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().map() != nullptr; }, kPatienceMs));
    const PaneContent& content = page().picturePane()->content();
    EXPECT_EQ(content.picture, model().map()->loads);
    EXPECT_EQ(content.hint, "mean 2.50");
    EXPECT_EQ(content.hintOrigin, Origin::counted);
    EXPECT_EQ(picture()->viewState()->range(), (DisplayRange{1, 4}));
    EXPECT_EQ(picture()->viewState()->colourMap(), ColourMap::cividis);
    click("why-reads");
    EXPECT_EQ(page().picturePane()->content().picture, session().document().grid());
}

TEST_F(WhyPageTest, OccupancyIsThatOfTheRecordedLaunch) {
    show();
    session().parameters().set("radius", std::int64_t{4});
    ASSERT_TRUE(settled());
    click("rung-register_tiled");
    EXPECT_EQ(find<QLabel>("occupancy-figure")->text(), "48 of 64 warps, 75 %");
    EXPECT_EQ(find<QLabel>("occupancy-sentence")->text(),
              "6 blocks of 8 warps; limited by registers: at 32 per thread instead of 40, 8 blocks would fit.");
    const QString facts = find<QLabel>("occupancy-facts")->text();
    EXPECT_TRUE(facts.contains("40 registers per thread, 256 threads and 11.3 KiB of shared memory per block") ||
                facts.contains("11.2 KiB"))
        << facts.toStdString();
    EXPECT_TRUE(facts.contains(QRegularExpression("recorded [0-9]+ [A-Z][a-z]+ 2026")) &&
                facts.contains("the CUDA runtime says 75 %"))
        << facts.toStdString();
    session().parameters().set("radius", std::int64_t{6});
    ASSERT_TRUE(settled());
    EXPECT_EQ(find<QLabel>("occupancy-figure")->text(), "not known");
    EXPECT_FALSE(find<QLabel>("occupancy-sentence")->isVisible());
}

TEST_F(WhyPageTest, SourcesStandSideBySide) {
    show();
    click("rung-tiled_input");
    ASSERT_TRUE(settled());
    QTest::keyClick(window.get(), Qt::Key_E);
    auto *before = find<DifferenceText>("source-before"), *now = find<DifferenceText>("source-now");
    ASSERT_TRUE(QTest::qWaitFor([&] { return now->isVisible(); }, kPatienceMs));
    EXPECT_FALSE(find<HeatText>("heat-source")->isVisible());
    EXPECT_TRUE(find<QTableWidget>("moved-counts")->isVisible()) << "counts and times beside it";
    EXPECT_TRUE(before->toPlainText().contains("constant"));
    EXPECT_TRUE(now->toPlainText().contains("dynamicShared"));
    EXPECT_EQ(before->document()->blockCount(), now->document()->blockCount()) << "row against row";
    EXPECT_TRUE(find<QLabel>("source-changes")->text().contains("added"));
    QTest::keyClick(window.get(), Qt::Key_J);
    const int first = now->verticalScrollBar()->value();
    click("change-next");
    EXPECT_GT(now->verticalScrollBar()->value(), first);
    EXPECT_EQ(before->verticalScrollBar()->value(), now->verticalScrollBar()->value());
    click("change-previous");
    EXPECT_EQ(now->verticalScrollBar()->value(), first);
    auto* against = find<QComboBox>("ladder-against");
    against->setFocus();
    QTest::keyClick(against, Qt::Key_Home);
    EXPECT_TRUE(before->toPlainText().contains("naive"));
    click("rung-naive");
    EXPECT_TRUE(find<QLabel>("source-changes")->text().isEmpty()) << "the first rung changed nothing";
    click("why-part-picture");
    EXPECT_TRUE(find<HeatText>("heat-source")->isVisible());
    EXPECT_FALSE(now->isVisible());
}

TEST_F(WhyPageTest, TheSourceBesideTheComparisonLeadsToWhatChanged) {
    session().control().setTracer(std::make_shared<MadeUpTracer>());
    open("gen:noise:64x48:u8");
    session().request().setBaseline("naive");
    session().request().setCurrent("tiled_input");
    ASSERT_TRUE(filtered());
    auto* difference = find<QPushButton>("source-difference");
    ASSERT_TRUE(difference->isVisible());
    EXPECT_EQ(difference->text(), "Diff with naive");
    QTest::mouseClick(difference, Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return find<DifferenceText>("source-before")->isVisible(); }, kPatienceMs));
    EXPECT_TRUE(find<DifferenceText>("source-before")->toPlainText().contains("void naive("));
    session().request().setCurrent("naive");
    window->pages()->setCurrent(window->pages()->page("compare"));
    EXPECT_FALSE(difference->isVisible()) << "nothing differs from itself";
}

TEST_F(WhyPageTest, EveryRungHasItsPlaceInANarrowWindow) {
    show();
    window->resize(1280, 720);
    click("rung-separable_fused");
    ASSERT_TRUE(settled());
    const QWidget* room = find<QWidget>("ladder-room");
    int named = 0;
    for (const QPushButton* rung : room->findChildren<QPushButton*>()) {
        const QRect place(rung->mapTo(room, QPoint()), rung->size());
        EXPECT_TRUE(room->rect().contains(place)) << rung->objectName().toStdString();
        EXPECT_GE(rung->width(), rung->minimumSizeHint().width()) << rung->objectName().toStdString();
        named += rung->text().isEmpty() ? 0 : 1;
    }
    EXPECT_EQ(find<QPushButton>("rung-separable_fused")->text(), "separable_fused") << "the one chosen is named";
    EXPECT_GE(named, 3);
}

TEST_F(WhyPageTest, LargerTypeCutsNoWordsAndMovesNoWindow) {
    show();
    window->resize(1280, 720);
    int marks = 0;
    for (const bool project : {true, false}) {
        find<QAction>("projector")->setChecked(project);
        for (const char* part : {"why-part-crossover", "why-part-picture"}) {
            click(part);
            QTest::qWait(60);
            EXPECT_EQ(window->size(), QSize(1280, 720)) << part;
        }
        const int high = highestMark(find<QTableWidget>("moved-counts")->horizontalHeader());
        if (project)
            marks = high;
        else
            EXPECT_GE(marks, high + 2) << "marks in heads grow with the type";
        EXPECT_GE(high, 8);
        const auto* chart = find<QWidget>("warp-chart");
        EXPECT_GE(chart->height(), chart->minimumSizeHint().height()) << "the words below leave the warp its room";
        for (const QLabel* words : chart->parentWidget()->findChildren<QLabel*>()) {
            if (!words->isVisible() || !words->wordWrap()) continue;
            EXPECT_GE(words->height(), words->heightForWidth(words->width())) << words->text().toStdString();
        }
    }
}

TEST_F(WhyPageTest, HeadsOfCountsKeepTheNamesThatHaveRoom) {
    show();
    auto* table = find<QTableWidget>("moved-counts");
    const auto named = [table](int column) { return !table->horizontalHeaderItem(column)->text().isEmpty(); };
    QStringList heads;
    for (const int width : {1280, 1920, 1280}) {
        window->resize(width, 1000);
        QTest::qWait(60);
        heads << table->horizontalHeaderItem(0)->text() + u'|' + table->horizontalHeaderItem(2)->text();
        EXPECT_EQ(named(1), named(2)) << width;
        EXPECT_FALSE(table->horizontalHeaderItem(2)->toolTip().isEmpty()) << "a rung's name in full";
        int shown = 0;
        for (int column = 0; column < 4; ++column) shown += table->columnWidth(column);
        EXPECT_LE(shown, table->viewport()->width()) << width;
        for (int column = 0; column < 4; ++column) {
            EXPECT_GE(table->columnWidth(column), table->horizontalHeader()->sectionSizeHint(column))
                << width << ", column " << column;
        }
    }
    EXPECT_TRUE(heads[1].endsWith(u'|' + table->horizontalHeaderItem(2)->toolTip()))
        << "there is room in a wide window: " << heads[1].toStdString();
    EXPECT_EQ(heads[0], heads[2]) << "back in the small window";
}

TEST_F(WhyPageTest, KeepsTheFamilyAndSaysWhatIsMissing) {
    session().control().setTracer(nullptr);
    open("gen:noise:64x48:u8");
    click("page-button-histogram");
    click("page-button-why");
    EXPECT_EQ(session().parameters().family()->id(), "histogram");
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model().problem().isEmpty(); }, kPatienceMs));
    EXPECT_NE(window->findChild<QPushButton*>("rung-privatised"), nullptr);
    EXPECT_EQ(window->findChild<QPushButton*>("rung-tiled_input"), nullptr);
}

}  // namespace
}  // namespace warplens::gui::test
