// SPDX-License-Identifier: Apache-2.0
// Reports: exported in every format, opened from files, many merged into one chart, command lines copied.
#include "gui/kit/plot/time_bars.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/reports/reports_window.hpp"
#include "gui/session/rates.hpp"
#include "gui/window/report_commands.hpp"
#include "tests/gui/window/recorded_here.hpp"
#include "tests/gui/window/window_fixture.hpp"
#include "tests/support/schema.hpp"

#include <QAction>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QFileInfo>
#include <QImage>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTableWidget>
#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warplens::gui::test {
namespace {

class ReportsTest : public WindowTest {
protected:
    void compare(const QString& input) {
        open(input);
        QSignalSpy compared(&session().control(), &RunControl::compared);
        QTest::keyClick(window.get(), Qt::Key_F5);
        ASSERT_TRUE(compared.wait(60'000));
        ASSERT_TRUE(idle());
        ASSERT_NE(session().results().report(), nullptr);
    }
    QByteArray read(const QString& name) {
        QFile file(folder.filePath(name));
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }
    /// Exports, and waits for the end.
    template <class Exporter>
    bool exports(Exporter* by, const QString& name) {
        QSignalSpy exported(by, &Exporter::exported);
        by->exportTo(folder.filePath(name));
        EXPECT_TRUE(exported.isEmpty()) << "written away from the UI thread";
        return exported.wait(kPatienceMs);
    }
    ReportCommands* commands() { return window->findChild<ReportCommands*>(); }
    ReportsWindow* reports() {
        window->activateWindow();
        QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier);
        return find<ReportsWindow>("reports-window");
    }
};

TEST_F(ReportsTest, WhatIsShownIsExportedInSevenFormats) {
    commands()->exportTo(folder.filePath("none.json"));
    EXPECT_TRUE(session().activity().notice().contains("compare first"));
    session().activity().dismissNotice();
    compare("gen:noise:48x40:u8");
    for (const char* name : {"r.json", "r.csv", "r.md", "r.html", "r.png", "r.svg", "r.pdf"})
        EXPECT_TRUE(exports(commands(), name)) << name;
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
    EXPECT_EQ(warplens::test::violation("report", read("r.json").toStdString()), "");
    const gpu::Report back = gpu::loadReport(folder.filePath("r.json").toStdString());
    EXPECT_EQ(back.runs.size(), static_cast<std::size_t>(session().runs().rowCount()));
    EXPECT_EQ(read("r.csv").count('\n'), session().runs().rowCount() + 1);
    EXPECT_TRUE(read("r.md").contains("| naive |"));
    EXPECT_TRUE(read("r.html").contains("data:image/png;base64,"));
    EXPECT_GT(QImage(folder.filePath("r.png")).width(), 700);
    EXPECT_TRUE(QSvgRenderer(folder.filePath("r.svg")).isValid());
    EXPECT_TRUE(read("r.svg").contains("naive"));
    EXPECT_TRUE(read("r.pdf").startsWith("%PDF-"));
    commands()->exportTo(folder.filePath("r.doc"));
    EXPECT_TRUE(QTest::qWaitFor([this] { return session().activity().notice().contains("must end in"); }, kPatienceMs));
    window->findChild<QAction*>("copy-markdown")->trigger();
    EXPECT_EQ(QApplication::clipboard()->text().toUtf8(), read("r.md"));
    // Values that changed since have no report.
    session().parameters().set("radius", std::int64_t{3});
    EXPECT_EQ(session().results().report(), nullptr);
}

TEST_F(ReportsTest, ManyReportsBecomeOneChart) {
    compare("gen:noise:48x40:u8");
    ASSERT_TRUE(exports(commands(), "a.json"));
    // A class: the same work, other machines.
    gpu::Report report = gpu::loadReport(folder.filePath("a.json").toStdString());
    QStringList paths;
    for (int i = 0; i < 12; ++i) {
        report.device.name = "machine " + std::to_string(i);
        for (gpu::ReportRun& run : report.runs)
            if (run.record.time) run.record.time->medianMs *= 1.1;
        QFile file(folder.filePath(QStringLiteral("%1.json").arg(i)));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(gpu::toJson(report)));
        paths << file.fileName();
    }
    paths << folder.filePath("missing.json");
    ReportsWindow* merged = reports();
    ASSERT_NE(merged, nullptr);
    ASSERT_EQ(merged->reports().reports().size(), 1U) << "the present comparison is in it";
    merged->open(paths);
    ASSERT_TRUE(QTest::qWaitFor([&] { return merged->reports().reports().size() == 13; }, kPatienceMs));
    EXPECT_TRUE(find<QLabel>("report-said")->text().contains("missing.json")) << "a bad file costs itself alone";
    auto* table = find<QTableWidget>("report-table");
    const auto rows = merged->reports().rows(gpu::Clock::simulated);
    EXPECT_EQ(table->rowCount(), static_cast<int>(rows.size()));
    EXPECT_EQ(rows.size(), 13U * session().runs().rowCount());
    EXPECT_EQ(rows[1].variant, rows[0].variant) << "reports stand together by variant";
    EXPECT_EQ(merged->reports().origin(0), Origin::measured);
    EXPECT_EQ(merged->reports().origin(1), Origin::recorded);
    ASSERT_TRUE(table->item(0, 2)->data(Qt::UserRole).isValid())
        << "where a time comes from, in the cell as they differ";
    EXPECT_EQ(table->item(0, 2)->data(Qt::UserRole).toInt(), static_cast<int>(Origin::measured));
    EXPECT_EQ(table->item(1, 3)->data(Qt::UserRole).toInt(), static_cast<int>(Origin::recorded));
    EXPECT_EQ(table->item(0, 0)->data(Qt::UserRole).toInt(), static_cast<int>(rows[0].idea))
        << "the shape of the variant";
    EXPECT_TRUE(rows[1].verdict.isEmpty()) << "CPU times rank nothing";
    EXPECT_EQ(ReportSet::letter(25) + ReportSet::letter(26), "ZAA");
    for (const char* name : {"m.csv", "m.md", "m.html", "m.png", "m.svg", "m.pdf"})
        EXPECT_TRUE(exports(merged, name)) << name;
    EXPECT_EQ(read("m.csv").count('\n'), static_cast<int>(rows.size()) + 1);
    EXPECT_TRUE(read("m.md").contains("machine 11"));
    EXPECT_EQ(read("m.html").count("<tr>"), static_cast<int>(rows.size()) + 1);
    EXPECT_TRUE(read("m.html").contains("machine 11") && !read("m.html").contains("<script"));
    EXPECT_FALSE(QImage(folder.filePath("m.png")).isNull());
    EXPECT_TRUE(read("m.pdf").startsWith("%PDF-"));
    auto* list = find<QListWidget>("report-list");
    list->setCurrentRow(3);
    list->setFocus();
    merged->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(merged));
    QTest::keyClick(list, Qt::Key_Delete);
    EXPECT_EQ(merged->reports().reports().size(), 12U);
    merged->close();
    window->activateWindow();
    compare("gen:noise:48x40:u16");
    ASSERT_EQ(reports(), merged) << "what was added is still there";
    EXPECT_TRUE(merged->isVisible());
    EXPECT_EQ(merged->reports().reports().size(), 12U) << "the present comparison takes the earlier one's place";
    EXPECT_EQ(merged->reports().reports().front().input.type, "u16");
}

TEST_F(ReportsTest, VerdictsBetweenReportsFollowTheIntervals) {
    ReportSet set;
    for (const gpu::Report& report : recordedRuns().all())
        if (report.family == "convolution" && set.reports().empty()) set.add(report);
    ASSERT_EQ(set.reports().size(), 1U) << "recorded runs are shipped";
    gpu::Report faster = set.reports().front();
    for (gpu::ReportRun& run : faster.runs)
        if (run.record.time)
            for (double* ms : {&run.record.time->medianMs, &run.record.time->q1Ms, &run.record.time->q3Ms,
                               &run.record.time->minMs, &run.record.time->lowMs, &run.record.time->highMs})
                *ms /= 2;
    set.add(faster, false, "anna.json");
    set.add(set.reports().front());
    EXPECT_TRUE(set.label(1).startsWith("B: anna.json, ")) << "two of one machine and day are told apart";
    EXPECT_TRUE(set.label(1).contains(QString::fromStdString(faster.environment.date).mid(11, 5)));
    EXPECT_EQ(set.label(1).section(", ", 1), set.label(2).mid(3)) << "without a file nothing stands there";
    int judged = 0;
    for (const ReportSet::Row& row : set.rows(gpu::Clock::device)) {
        if (!row.time) continue;
        ++judged;
        EXPECT_EQ(row.verdict.section(' ', 0, 0), (std::array{"", "faster", "same"}[row.report])) << row.variant;
    }
    EXPECT_GT(judged, 9);
}

TEST_F(ReportsTest, RecordedRunsStandBesideThePresentOne) {
    compare("gen:noise:48x40:u8");
    EXPECT_FALSE(session().runs().applies(gpu::RunColumn::recorded)) << "none was recorded of that size";
    const RecordedHere recordedHere(48, 40);
    compare("gen:noise:48x40:u8");
    // The shipped runs have a Gaussian of radius 2 among them, which is the default.
    const RunTableModel& runs = session().runs();
    ASSERT_TRUE(runs.applies(gpu::RunColumn::recorded));
    EXPECT_EQ(runs.origin(gpu::RunColumn::recorded), Origin::recorded);
    EXPECT_TRUE(runs.headerData(gpu::RunColumn::recorded, Qt::Horizontal).toString().contains("H200"));
    EXPECT_NE(runs.index(0, gpu::RunColumn::recorded).data().toString(), "–");
    // Bars are drawn of them, as the times of this CPU rank nothing.
    auto* const bars = find<TimeBars>("time-bars");
    EXPECT_TRUE(QTest::qWaitFor([bars] { return bars->accessibleDescription().contains("Recorded: NVIDIA H200"); },
                                kPatienceMs));
    EXPECT_TRUE(bars->isVisible());
    const auto bar = QStringLiteral("naive: %1 ms").arg(format::milliseconds(runs.recordedTime(0)->medianMs));
    EXPECT_TRUE(bars->accessibleDescription().contains(bar)) << bars->accessibleDescription().toStdString();
    ReportsWindow* merged = reports();
    QTest::mouseClick(find<QPushButton>("report-recorded"), Qt::LeftButton);
    EXPECT_GT(merged->reports().reports().size(), 1U);
    EXPECT_EQ(merged->reports().clocks().front(), gpu::Clock::device);
    EXPECT_EQ(find<QComboBox>("report-clock")->itemText(0), "cuda-event") << "two clocks never stand in one chart";
    session().parameters().set("radius", std::int64_t{11});
    EXPECT_FALSE(runs.applies(gpu::RunColumn::recorded));
    merged->close();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    session().parameters().set("sigma", 1.37);
    compare("gen:noise:48x40:u8");
    EXPECT_FALSE(runs.applies(gpu::RunColumn::recorded));
    EXPECT_TRUE(QTest::qWaitFor([bars] { return !bars->isVisible(); }, kPatienceMs)) << "no chart: it ranks nothing";
}

TEST_F(ReportsTest, TheTableHasTheRoomAndEveryTimeItsOrigin) {
    compare("gen:noise:48x40:u8");
    ReportsWindow* merged = reports();
    auto* table = find<QTableWidget>("report-table");
    const auto head = [&](int column) { return table->model()->headerData(column, Qt::Horizontal, kCellOriginRole); };
    EXPECT_EQ(head(2).toInt(), static_cast<int>(Origin::measured));
    EXPECT_EQ(head(3), head(2));
    EXPECT_FALSE(table->item(1, 2)->data(Qt::UserRole).isValid()) << "said once, in the head";
    QTest::mouseClick(find<QPushButton>("report-recorded"), Qt::LeftButton);
    QTest::qWait(50);
    EXPECT_EQ(find<QComboBox>("report-clock")->currentText(), "cpu-simt");
    EXPECT_EQ(head(2).toInt(), static_cast<int>(Origin::measured)) << "the recorded ones have another clock";
    find<QComboBox>("report-clock")->setCurrentIndex(0);
    EXPECT_EQ(head(2).toInt(), static_cast<int>(Origin::recorded));
    QTest::qWait(30);
    EXPECT_EQ(table->viewport()->height() % kRowHeight, 0) << "no row is cut";
    EXPECT_GT(table->height(), merged->height() / 2) << "the table takes what the notes leave";
    const auto notes = merged->reports().notesByReport();
    EXPECT_LT(notes.size(), static_cast<qsizetype>(merged->reports().reports().size())) << "a line each";
    for (int column = 0; column < table->columnCount(); ++column)
        EXPECT_EQ(table->horizontalHeaderItem(column)->textAlignment() & Qt::AlignHorizontal_Mask,
                  column >= 2 && column <= 4 ? Qt::AlignRight : Qt::AlignLeft)
            << column;
    // One's own beside another's with the same clock: no origin in common.
    ReportSet both;
    both.add(merged->reports().reports().front(), true);
    EXPECT_EQ(both.commonOrigin(both.rows(gpu::Clock::simulated)), Origin::measured);
    both.add(merged->reports().reports().front());
    EXPECT_EQ(both.commonOrigin(both.rows(gpu::Clock::simulated)), std::nullopt);
}

TEST_F(ReportsTest, CommandLinesAreCopied) {
    open("gen:noise:32x32:u8");
    session().parameters().set("radius", std::int64_t{3});
    QMenu menu;
    commands()->fillCommands(&menu);
    QStringList lines;
    for (QAction* action : menu.actions()) {
        action->trigger();
        lines << QApplication::clipboard()->text();
    }
    const QString current = QString::fromStdString(session().request().current());
    EXPECT_TRUE(
        lines.contains("warplens-cli compare gen:noise:32x32:u8 convolution --radius 3 --variants all --device cpu"));
    EXPECT_TRUE(lines.contains("warplens-cli run gen:noise:32x32:u8 convolution --radius 3 --variant " + current +
                               " --device cpu -o generated-" + current + ".npy"));
    EXPECT_TRUE(lines.contains("warplens-cli info gen:noise:32x32:u8"));
    EXPECT_GE(lines.size(), 9);
}

TEST_F(ReportsTest, SeveralExportsAtOnceReplaceNone) {
    compare("gen:noise:32x32:u8");
    QSignalSpy exported(commands(), &ReportCommands::exported);
    // The page first: it is painted for its picture, and what painting takes is in the report.
    for (const char* name : {"3.html", "1.json", "2.png", "4.json"}) commands()->exportTo(folder.filePath(name));
    EXPECT_TRUE(QTest::qWaitFor([&] { return exported.size() == 4; }, kPatienceMs)) << exported.size();
    EXPECT_EQ(read("1.json"), read("4.json"));
}

/// Every action is asked for its command line by keys, in the palette; each line is then typed into a shell for real.
TEST_F(ReportsTest, EveryActionsCommandLineIsCopiedAndWorks) {
    open("gen:noise:24x20:u8");
    session().variants().setChecked({"naive", "tiled_input"});
    compare("gen:noise:24x20:u8");
    ASSERT_TRUE(exports(commands(), "A.json"));
    ASSERT_TRUE(QFile::copy(folder.filePath("A.json"), folder.filePath("B.json")));
    window->activateWindow();
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* list = find<QListWidget>("command-list");
    auto* text = find<QLineEdit>("command-text");
    auto* said = find<QLabel>("command-line");
    std::map<QString, QStringList> lines;  // and which entries gave them
    QStringList without;
    for (int row = 0; row < list->count(); ++row) {
        list->setCurrentRow(row);
        QApplication::clipboard()->clear();
        QTest::keyClick(text, Qt::Key_C, Qt::ControlModifier);
        const QString line = QApplication::clipboard()->text();
        if (line.isEmpty()) {
            EXPECT_TRUE(said->toolTip().contains("No command-line equivalent") ||
                        said->text().contains("No command-line equivalent"));
            without << list->item(row)->text();
        } else {
            EXPECT_TRUE(line.startsWith("warplens-cli ")) << line.toStdString();
            lines[line] << list->item(row)->text();
        }
    }
    QTest::keyClick(text, Qt::Key_Escape);
    // What acts on the picture or the reports has one; what is about the window has none, and says so.
    for (const char* action :
         {"Open", "Save result", "Export report", "Copy table", "Copy report as Markdown", "Compare reports", "Compare",
          "Count all variants", "Variant: naive", "Filter: box", "Page: Histogram", "Page: Volume"})
        EXPECT_FALSE(std::ranges::any_of(without, [&](const QString& entry) {
            return entry.section(": ", 1).section("    ", 0, 0) == QLatin1String(action) ||
                   entry == QLatin1String(action);
        })) << action;
    for (const char* action : {"Action: Zoom in", "Action: Hide docks", "Action: Undo"})
        EXPECT_FALSE(std::ranges::any_of(lines, [&](const auto& line) { return line.second.contains(action); }))
            << action;
    const bool traced = QFileInfo::exists(QCoreApplication::applicationDirPath() + "/warplens-trace");
    int run = 0;
    std::set<QString> verbs;
    for (const auto& [line, entries] : lines) {
        // One of each kind is enough; the parameters' spelling has a test of its own.
        const QString kind = line.section(' ', 1, 1) + (line.contains("--report") ? line.section('.', -1) : QString()) +
                             (line.contains("histogram") ? "h"
                              : line.contains("stencil") ? "s"
                                                         : "");
        if (line.contains("resources") || !verbs.insert(kind).second) continue;
        QProcess shell;
        shell.setWorkingDirectory(folder.path());
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert("PATH", QCoreApplication::applicationDirPath() + ':' + environment.value("PATH"));
        shell.setProcessEnvironment(environment);
        shell.start("sh", {"-c", line});
        ASSERT_TRUE(shell.waitForFinished(kPatienceMs)) << line.toStdString();
        if (kind == "explain" && !traced) {  // a build under sanitizers counts nothing
            EXPECT_NE(shell.exitCode(), 0);
            EXPECT_TRUE(shell.readAllStandardError().contains("warplens-trace")) << line.toStdString();
            continue;
        }
        EXPECT_EQ(shell.exitCode(), 0) << line.toStdString() << ": " << shell.readAllStandardError().toStdString();
        ++run;
    }
    EXPECT_GE(run, traced ? 8 : 7)
        << "info, run, compare with and without reports, explain, diff, list, histogram, stencil";
    EXPECT_FALSE(read("generated-report.md").isEmpty());
}

}  // namespace
}  // namespace warplens::gui::test
