// SPDX-License-Identifier: Apache-2.0
#include "gui/models/run_sort_proxy.hpp"
#include "gui/models/run_table_model.hpp"

#include <QAbstractItemModelTester>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

using Column = RunTableModel::Column;

gpu::Variant variant(const std::string& id, gpu::Variant::Kind kind = gpu::Variant::Kind::kernel) {
    gpu::Variant v;
    v.id = id;
    v.title = id;
    v.kind = kind;
    v.sentence = "idea of " + id;
    return v;
}

gpu::RunRecord timed(const gpu::Variant& v, double ms, gpu::Clock clock = gpu::Clock::cudaEvent, double width = 0.001) {
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
        for (int row = 0; row < proxy.rowCount(); ++row) ids << proxy.index(row, 0).data().toString();
        return ids;
    }
};

TEST_F(RunTable, VerdictWordComesBeforeTheRatio) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    model.setRecord(timed(tiled, 0.8));
    EXPECT_EQ(text("naive", Column::Against), "baseline");
    EXPECT_EQ(text("fast", Column::Against), "faster 4.00×");
    EXPECT_EQ(text("tiled", Column::Against), "slower 0.750×");
    EXPECT_EQ(text("fast", Column::Median), "0.150");
    EXPECT_EQ(text("fast", Column::OfLimit), "25 %");
}

TEST_F(RunTable, OverlappingIntervalsAreTheSameWithoutARatio) {
    expect(true);
    model.setRecord(timed(naive, 0.600, gpu::Clock::cudaEvent, 0.01));
    model.setRecord(timed(tiled, 0.605, gpu::Clock::cudaEvent, 0.01));
    EXPECT_EQ(text("tiled", Column::Against), "same");
}

TEST_F(RunTable, AnotherClockHasNoRatioAndSortsLast) {
    expect(true);
    model.setRecord(timed(naive, 0.6));
    model.setRecord(timed(fast, 0.15));
    model.setRecord(timed(library, 0.1, gpu::Clock::cpuLibrary));
    EXPECT_EQ(text("opencv", Column::Against), "other clock");
    EXPECT_EQ(order(), (QStringList{"fast", "naive", "tiled", "opencv"}));
}

TEST_F(RunTable, WithoutAGpuThereIsNoVerdictAndTheLadderIsTheOrder) {
    expect(false);
    model.setRecord(timed(naive, 9, gpu::Clock::cpuSimt));
    model.setRecord(timed(fast, 3, gpu::Clock::cpuSimt));
    proxy.sort(Column::Median, Qt::AscendingOrder);
    EXPECT_EQ(order(), (QStringList{"naive", "tiled", "fast", "opencv"}));
    EXPECT_EQ(text("fast", Column::Against), "–");
    EXPECT_FALSE(model.applies(Column::Against));
    EXPECT_FALSE(model.index(0, Column::Median).data(RunTableModel::RankedRole).toBool());
    EXPECT_FALSE(model.limitMs().has_value());
    EXPECT_EQ(model.headerData(Column::Median, Qt::Horizontal).toString(), "CPU ms");
    for (int column = 0; column < RunTableModel::kColumns; ++column)
        EXPECT_FALSE(proxy.tsv().contains("faster")) << column;
}

TEST_F(RunTable, UnverifiedAndWrongResultsHaveNoTime) {
    expect(true);
    gpu::RunRecord unverified = timed(tiled, 0.2);
    unverified.verification.reset();
    model.setRecord(unverified);
    EXPECT_EQ(text("tiled", Column::Median), "–");
    EXPECT_EQ(text("tiled", Column::Check), "unverified");
    gpu::RunRecord wrong = timed(fast, 0.1);
    wrong.status = gpu::Status::wrong;
    wrong.reason = "3 values are wrong";
    model.setRecord(wrong);
    EXPECT_EQ(text("fast", Column::Median), "–");
    EXPECT_EQ(model.index(model.rowOf("fast"), Column::Median).data(RunTableModel::ReasonRole).toString(),
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
    EXPECT_EQ(text("naive", Column::Against), "slower 0.250×");
    EXPECT_EQ(model.headerData(Column::Against, Qt::Horizontal).toString(), "Against fast");
}

TEST_F(RunTable, EveryNumberColumnHasAnOrigin) {
    for (const int column : {Column::Median, Column::Quartiles, Column::Bandwidth, Column::OfLimit})
        EXPECT_EQ(model.origin(column), Origin::measured) << column;
    for (const int column : {Column::Registers, Column::Shared, Column::Occupancy})
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
