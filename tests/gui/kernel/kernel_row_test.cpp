// SPDX-License-Identifier: Apache-2.0
// A kernel of the user's as a row of the comparison: put there, shown, compared, kept in a session, taken out.

#include "app/worker/client.hpp"
#include "gui/kernel/kernel_page.hpp"
#include "gui/kernel/kernel_text.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/window/session_keeper.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QFile>
#include <QSignalSpy>
#include <QToolButton>
#include <fstream>

namespace warplens::gui::test {
namespace {

const std::string kMine = "my_kernel";

class KernelRowTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        page()->model().setMaker(worker::makeKernel);
        open("gen:noise:40x32:f32");
        session().variants().setChecked({"naive"});
        window->pages()->setCurrent(page());
        ASSERT_TRUE(QTest::qWaitFor([this] { return !text()->toPlainText().isEmpty(); }, kPatienceMs));
    }
    KernelPage* page() { return find<KernelPage>("page-kernel"); }
    KernelText* text() { return find<KernelText>("kernel-text"); }
    QToolButton* button() { return find<QToolButton>("kernel-row"); }
    void put() { QTest::mouseClick(button(), Qt::LeftButton); }
    void toCompare() { window->pages()->setCurrent(comparePage()); }
    bool compared() {
        QSignalSpy ended(&session().control(), &RunControl::compared);
        session().control().compare();
        return ended.wait(kPatienceMs) && idle();
    }
    const gpu::ReportRun& reported(const std::string& id) {
        const auto& runs = session().results().report()->runs;
        return *std::ranges::find_if(runs, [&](const gpu::ReportRun& run) { return run.record.id() == id; });
    }
};

TEST_F(KernelRowTest, IsComparedAndShownLikeAnyVariantAndTakenOut) {
    const int ladder = session().variants().rowCount();
    put();
    EXPECT_TRUE(button()->isChecked());
    EXPECT_EQ(session().variants().rowCount(), ladder + 1);
    EXPECT_EQ(session().variants().checked(), (std::vector<std::string>{"naive", kMine}));
    EXPECT_TRUE(session().request().command().isEmpty()) << "no file holds it yet";

    toCompare();
    ASSERT_TRUE(compared());
    const RunTableModel& runs = session().runs();
    const int row = runs.rowOf(kMine);
    ASSERT_GE(row, 0);
    EXPECT_EQ(runs.index(row, 0).data(RunTableModel::RunsOnRole).toString(), "yours");
    EXPECT_NE(runs.time(row), nullptr);
    EXPECT_NE(reported(kMine).source.find("__global__"), std::string::npos);
    EXPECT_EQ(reported("naive").source, "");

    session().request().setCurrent(kMine);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(record(kMine).status, gpu::Status::ok);
    const auto pane = [this]() -> std::optional<PaneContent> {
        for (const PaneContent& one : comparePage()->panes()->panes())
            if (one.key == QString::fromStdString(kMine)) return one;
        return std::nullopt;
    };
    ASSERT_TRUE(QTest::qWaitFor([&] { return pane() && pane()->picture != nullptr; }, kPatienceMs));
    EXPECT_TRUE(pane()->detail.startsWith("yours")) << pane()->detail.toStdString();

    // Other values filter by it as by any variant.
    QString why;
    ASSERT_TRUE(session().parameters().setText("radius", "1", &why)) << why.toStdString();
    ASSERT_TRUE(filtered());
    EXPECT_EQ(session().request().current(), kMine);
    EXPECT_EQ(record().status, gpu::Status::ok);

    // Removed as any row that was added, it leaves the list and nobody points to it.
    window->findChild<QAction*>("remove-variant")->trigger();
    EXPECT_EQ(session().variants().rowCount(), ladder);
    EXPECT_EQ(session().request().current(), session().variants().variant(0)->id);
    EXPECT_FALSE(button()->isChecked());
    ASSERT_TRUE(filtered());
}

TEST_F(KernelRowTest, AWrongOneHasNoTimeAndAnEditedOneRunsAgain) {
    put();
    toCompare();
    session().request().setCurrent(kMine);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(record().status, gpu::Status::ok);

    window->pages()->setCurrent(page());
    QString wrong = text()->toPlainText();
    text()->replaceText(wrong.replace("out[y * width + x] = ", "out[y * width + x] = 1 + "));
    ASSERT_TRUE(wrong.contains("= 1 + ")) << wrong.toStdString();
    toCompare();
    ASSERT_TRUE(filtered());
    EXPECT_EQ(record(kMine).status, gpu::Status::wrong);
    ASSERT_TRUE(compared());
    EXPECT_EQ(session().runs().time(session().runs().rowOf(kMine)), nullptr);
    EXPECT_NE(session().runs().time(session().runs().rowOf("naive")), nullptr);

    // One that does not compile is a row that says so, and the others are compared.
    window->pages()->setCurrent(page());
    text()->replaceText(wrong.replace("= 1 + ", "= nobody + "));
    toCompare();
    ASSERT_TRUE(compared());
    const int row = session().runs().rowOf(kMine);
    EXPECT_TRUE(session().runs().index(row, 0).data(RunTableModel::ReasonRole).toString().contains("my_kernel.cuh:"))
        << session().runs().index(row, 0).data(RunTableModel::ReasonRole).toString().toStdString();
    EXPECT_NE(session().runs().time(session().runs().rowOf("naive")), nullptr);
}

TEST_F(KernelRowTest, ASessionAndACommandKnowItsFile) {
    const QString path = folder.filePath("mine.cuh");
    page()->file().save(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->file().path() == path; }, kPatienceMs));
    put();
    EXPECT_TRUE(session().request().command().endsWith("--variants naive --kernel " + path + " --device cpu"))
        << session().request().command().toStdString();
    session().variants().setChecked({"mine"});
    EXPECT_TRUE(session().request().command().contains("--variants none --kernel "))
        << session().request().command().toStdString();
    toCompare();
    session().request().setCurrent("mine");
    ASSERT_TRUE(filtered());

    const QString file = folder.filePath("kept.warplens");
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(file);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    reopen();
    page()->model().setMaker(worker::makeKernel);
    QSignalSpy opened(&window->keeper(), &SessionKeeper::opened);
    window->openInput(file);
    ASSERT_TRUE(opened.wait(kPatienceMs));
    EXPECT_EQ(session().variants().checked(), (std::vector<std::string>{"mine"}));
    EXPECT_EQ(session().request().current(), "mine");
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(record().yours);

    // A file that is gone is told, and the rest of the session is there.
    ASSERT_TRUE(QFile::remove(path));
    reopen();
    page()->model().setMaker(worker::makeKernel);
    QSignalSpy again(&window->keeper(), &SessionKeeper::opened);
    window->openInput(file);
    ASSERT_TRUE(again.wait(kPatienceMs));
    EXPECT_TRUE(session().activity().notice().contains("mine.cuh")) << session().activity().notice().toStdString();
    EXPECT_EQ(session().variants().kernel("mine"), nullptr);
}

}  // namespace
}  // namespace warplens::gui::test
