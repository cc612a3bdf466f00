// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/report/stages.hpp"
#include "gpu/report/table.hpp"
#include "gui/session/run_table_model.hpp"
#include "tests/gpu/report/sample_comparison.hpp"

#include <QAbstractItemModelTester>
#include <algorithm>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

using Column = gpu::RunColumn;

gpu::Variant variant(const std::string& id, gpu::Variant::Kind kind = gpu::Variant::Kind::kernel) {
    gpu::Variant v;
    v.id = id;
    v.title = id;
    v.kind = kind;
    v.sentence = "idea of " + id;
    return v;
}

gpu::RunRecord timed(const gpu::Variant& v, double ms, gpu::Clock clock = gpu::Clock::device, double width = 0.001) {
    gpu::RunRecord record;
    record.variant = v.id;
    record.kind = v.kind;
    record.time = gpu::Timing{.clock = clock,
                              .medianMs = ms,
                              .q1Ms = ms - width,
                              .q3Ms = ms + width,
                              .minMs = ms - width,
                              .lowMs = ms - width,
                              .highMs = ms + width,
                              .samples = 20};
    record.verification = gpu::Verification{1e-7, 1e-6, 1.0, 0, {}, {}};
    record.launch = gpu::LaunchFacts{.registers = 32, .sharedBytes = 4096, .occupancy = 1};
    record.bandwidthGbs = 1000;
    record.percentOfLimit = 25;
    return record;
}

struct RunTable : testing::Test {
    gpu::Variant naive = variant("naive"), tiled = variant("tiled"), fast = variant("fast"),
                 library = variant("opencv", gpu::Variant::Kind::library);
    RunTableModel model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    RunSortProxy proxy{&model};
    QAbstractItemModelTester proxyTester{&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal};

    void expect(bool ranking) {
        model.setBaseline("naive");
        model.expect({&naive, &tiled, &fast, &library}, ranking);
    }
    QString text(const std::string& id, int column) { return model.index(model.rowOf(id), column).data().toString(); }
    QStringList order() {
        QStringList ids;
        for (int row = 0; row < proxy.rowCount(); ++row)
            ids << proxy.index(row, 0).data(RunTableModel::IdRole).toString();
        return ids;
    }
};

TEST_F(RunTable, VerdictWordComesBeforeTheRatio) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    model.setRecord(timed(tiled, 0.8));
    EXPECT_EQ(text("naive", Column::verdict), "baseline");
    EXPECT_EQ(text("fast", Column::verdict), "faster 4.00×");
    EXPECT_EQ(text("tiled", Column::verdict), "slower 0.750×");
    EXPECT_EQ(text("fast", Column::median), "0.150");
    EXPECT_EQ(text("fast", Column::ofLimit), "25 %");
}

TEST_F(RunTable, OverlappingIntervalsAreTheSameWithoutARatio) {
    expect(true);
    model.setRecord(timed(naive, 0.600, gpu::Clock::device, 0.01));
    model.setRecord(timed(tiled, 0.605, gpu::Clock::device, 0.01));
    EXPECT_EQ(text("tiled", Column::verdict), "same");
}

TEST_F(RunTable, AnotherClockHasNoRatioAndSortsLast) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    model.setRecord(timed(library, 0.1, gpu::Clock::library));
    EXPECT_EQ(text("opencv", Column::verdict), "other clock");
    EXPECT_EQ(order(), (QStringList{"fast", "naive", "tiled", "opencv"}));
}

TEST_F(RunTable, WithoutAGpuThereIsNoVerdictAndTheLadderIsTheOrder) {
    expect(false);
    model.setRecord(timed(naive, 9, gpu::Clock::simulated));
    model.setRecord(timed(fast, 3, gpu::Clock::simulated));
    proxy.sort(Column::median, Qt::AscendingOrder);
    EXPECT_EQ(order(), (QStringList{"naive", "tiled", "fast", "opencv"}));
    EXPECT_EQ(text("fast", Column::verdict), "–");
    EXPECT_FALSE(model.applies(Column::verdict));
    EXPECT_FALSE(model.index(0, Column::median).data(RunTableModel::RankedRole).toBool());
    EXPECT_FALSE(model.limitMs().has_value());
    EXPECT_EQ(model.headerData(Column::median, Qt::Horizontal).toString(), "CPU ms");
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        EXPECT_FALSE(proxy.tsv().contains("faster")) << column;
}

TEST_F(RunTable, UnverifiedAndWrongResultsHaveNoTime) {
    expect(true);
    gpu::RunRecord unverified = timed(tiled, 0.2);
    unverified.verification.reset();
    model.setRecord(unverified);
    EXPECT_EQ(text("tiled", Column::median), "–");
    EXPECT_EQ(text("tiled", Column::check), "unverified");
    gpu::RunRecord wrong = timed(fast, 0.1);
    wrong.status = gpu::Status::wrong;
    wrong.reason = "3 values are wrong";
    model.setRecord(wrong);
    EXPECT_EQ(text("fast", Column::median), "–");
    EXPECT_EQ(model.index(model.rowOf("fast"), Column::median).data(RunTableModel::ReasonRole).toString(),
              "3 values are wrong");
    EXPECT_EQ(model.time(model.rowOf("fast")), nullptr);
}

TEST_F(RunTable, LimitLineIsMinimalBytesAtCopySpeed) {
    expect(true);
    model.setContext(gpu::Limits{.copyGbs = 4000}, gpu::Work{.bytesRead = 256'000'000, .bytesWritten = 256'000'000},
                     std::nullopt);
    ASSERT_TRUE(model.limitMs().has_value());
    EXPECT_NEAR(*model.limitMs(), 0.128, 1e-9);
}

TEST_F(RunTable, BaselineCanBeChanged) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    model.setBaseline("fast");
    EXPECT_EQ(text("naive", Column::verdict), "slower 0.250×");
    EXPECT_EQ(model.headerData(Column::verdict, Qt::Horizontal).toString(), "Against fast");
}

/// Each column that applies, against the tables that terminal, Markdown and HTML are drawn from.
void showsWhatReportsShow(const gpu::Comparison& comparison, const gpu::RecordedRuns* recorded) {
    const gpu::Report report = gpu::makeReport(comparison);
    const gpu::TextTable table = gpu::makeTable(report, recorded);
    RunTableModel model;
    std::vector<const gpu::Variant*> variants;
    for (const gpu::RunRecord& run : comparison.runs)
        variants.push_back(gpu::findVariant(comparison.family, run.variant));
    model.setBaseline("naive");
    model.expect(variants, comparison.device.ranks());
    for (const gpu::RunRecord& run : comparison.runs) model.setRecord(run);
    const gpu::RunsBeside beside = gpu::besideOf(report, recorded);
    model.setRecorded(beside.recorded);
    std::size_t compared = 0;
    for (const gpu::RunColumn& column : gpu::runColumns()) {
        if (column.id == Column::csvOnly) continue;
        const std::string title = gpu::titleOf(column, beside);
        const bool shown = gpu::applies(column, beside) && column.where != Column::Where::tables &&
                           column.where != Column::Where::stages;
        EXPECT_EQ(model.applies(column.id), shown) << title;
        if (!shown) continue;
        EXPECT_EQ(model.headerData(column.id, Qt::Horizontal).toString().toStdString(), title);
        EXPECT_EQ(model.origin(column.id), column.origin) << title;
        const auto at = std::ranges::find(table.columns, title, &gpu::TextTable::Column::title);
        ASSERT_EQ(at != table.columns.end(), column.where == Column::Where::everywhere) << title;
        for (std::size_t row = 0; row < report.runs.size(); ++row) {
            const std::string own = column.text(report.runs[row].record, beside);
            const std::string cell =
                at == table.columns.end() ? own : table.rows[row][static_cast<std::size_t>(at - table.columns.begin())];
            EXPECT_EQ(model.index(static_cast<int>(row), column.id).data().toString().toStdString(), cell) << title;
        }
        ++compared;
    }
    EXPECT_GT(compared, 5U);
}

TEST(RunColumns, theWindowShowsWhatReportsShow) {
    showsWhatReportsShow(test::cudaComparison(), nullptr);
    const gpu::RecordedRuns recorded({gpu::makeReport(test::cudaComparison())});
    gpu::Comparison comparison = test::cpuComparison();
    for (gpu::RunRecord& run : comparison.runs) run.launch = gpu::LaunchFacts{{1, 1, 1}, {32, 8, 1}, 0, 4096, 0, 1};
    showsWhatReportsShow(comparison, &recorded);
}

/// Stages that nothing has have no column; the others are those of the reports' table.
TEST_F(RunTable, TheStagesAreThoseOfTheReports) {
    gpu::Comparison comparison = test::cudaComparison();
    for (gpu::RunRecord& run : comparison.runs) {
        if (!run.time || run.kind == gpu::Variant::Kind::library) continue;
        run.layoutMs = 0;
        run.downloadMs = 0.25;
    }
    gpu::Report report = gpu::makeReport(comparison);
    report.runs[0].displayMs = 0.125;
    const gpu::TextTable table = gpu::stagesTable(report);
    std::vector<const gpu::Variant*> variants;
    for (const gpu::RunRecord& run : comparison.runs)
        variants.push_back(gpu::findVariant(comparison.family, run.variant));
    RunTableModel window;
    window.expect(variants, true);
    for (const gpu::RunRecord& run : comparison.runs) window.setRecord(run);
    window.setDisplay("naive", 0.125);
    EXPECT_FALSE(window.applies(Column::upload)) << "kernels alone at first";
    window.setStages(true);
    EXPECT_FALSE(window.applies(Column::median));
    EXPECT_FALSE(window.applies(Column::layout)) << "a grey picture has no layout to change";
    int compared = 0;
    for (const gpu::RunColumn& column : gpu::runColumns()) {
        if (column.id == Column::csvOnly || column.where != Column::Where::stages) continue;
        const auto at = std::ranges::find(table.columns, column.title, &gpu::TextTable::Column::title);
        ASSERT_EQ(window.applies(column.id), at != table.columns.end()) << column.title;
        if (at == table.columns.end()) continue;
        for (int row = 0; row < window.rowCount(); ++row) {
            if (window.time(row) == nullptr) continue;  // in the window nothing stands without a check
            EXPECT_EQ(window.index(row, column.id).data().toString().toStdString(),
                      table.rows[static_cast<std::size_t>(row)][static_cast<std::size_t>(at - table.columns.begin())])
                << column.title << row;
            ++compared;
        }
    }
    EXPECT_EQ(compared, 18) << "three rows, six stages";
    EXPECT_EQ(window.index(0, Column::total).data().toString(), "2.88");
    EXPECT_EQ(window.index(0, Column::exposed).data().toString(), "0.750");
    EXPECT_EQ(window.index(window.rowOf("constant"), Column::display).data().toString(), "–");
    window.setRecord(comparison.runs[0]);
    EXPECT_FALSE(window.displayMs("naive").has_value()) << "of another picture";
}

TEST_F(RunTable, TheTooltipSaysWhichLimitAShareIsOf) {
    expect(true);
    model.setContext(gpu::Limits{.copyGbs = 4000, .fmaTflops = 50}, {}, {});
    model.setRecord(timed(naive, 0.6));  // 1,000 GB/s, 25 %
    gpu::RunRecord computing = timed(fast, 0.15);
    computing.percentOfLimit = 60;
    model.setRecord(computing);
    const auto tip = [&](const std::string& id) {
        return model.index(model.rowOf(id), Column::variant).data(Qt::ToolTipRole).toString();
    };
    EXPECT_TRUE(tip("naive").contains("Of limit: 25 % of the memory limit (copy speed)")) << tip("naive").toStdString();
    EXPECT_TRUE(tip("fast").contains("Of limit: 60 % of the arithmetic limit (FMA rate)")) << tip("fast").toStdString();
}

TEST_F(RunTable, AVariantStandsBesideItself) {
    const gpu::Variant narrow = variant("naive@block_width=8"), wide = variant("naive@block_width=64");
    model.setBaseline(narrow.id);
    model.expect({&naive, &wide, &narrow}, true);
    const auto again = [](int width, double ms) {
        gpu::RunRecord record = timed(variant("naive"), ms);
        record.chosen = {{"block_width", width}};
        record.tunables = {{"block_height", 8}, {"block_width", width}};
        return record;
    };
    model.setRecord(timed(naive, 0.6));
    model.setRecord(again(8, 0.15));
    model.setRecord(again(64, 0.3));
    for (const gpu::Variant* row : std::initializer_list<const gpu::Variant*>{&naive, &wide, &narrow})
        EXPECT_EQ(text(row->id, Column::variant).toStdString(), row->id);
    EXPECT_EQ(text(narrow.id, Column::verdict), "baseline");
    EXPECT_EQ(text(wide.id, Column::verdict), "slower 0.500×");
    EXPECT_EQ(text(naive.id, Column::verdict), "slower 0.250×");
    proxy.sort(Column::variant);
    EXPECT_EQ(order(), (QStringList{"naive", "naive@block_width=64", "naive@block_width=8"}));

    gpu::Report recorded;
    recorded.family = "convolution";
    recorded.runs.push_back({again(64, 0.01), {}});
    model.setRecorded(gpu::RecordedSource(recorded, true));
    EXPECT_EQ(text(wide.id, Column::recorded), "0.0100");
    EXPECT_EQ(text(naive.id, Column::recorded), "–") << "another launch";
}

TEST_F(RunTable, EveryNumberColumnHasAnOrigin) {
    for (const int column : {Column::median, Column::quartiles, Column::bandwidth, Column::ofLimit})
        EXPECT_EQ(model.origin(column), Origin::measured) << column;
    for (const int column : {Column::registers, Column::shared, Column::occupancy})
        EXPECT_EQ(model.origin(column), Origin::reported) << column;
}

TEST_F(RunTable, TsvIsTheTableAsShown) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    const QStringList lines = proxy.tsv().split('\n', Qt::SkipEmptyParts);
    ASSERT_EQ(lines.size(), 5);
    EXPECT_TRUE(lines[0].startsWith("Variant\tMedian ms\t")) << lines[0].toStdString();
    EXPECT_TRUE(lines[1].startsWith("fast\t0.150\t")) << lines[1].toStdString();
}

}  // namespace
}  // namespace warplens::gui
