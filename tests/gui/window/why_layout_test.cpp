// SPDX-License-Identifier: Apache-2.0
// A part of the page Why that was left is found again as it was; and the table says where a library's row runs.
#include "gpu/core/registry.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <set>
#include <vector>

namespace warplens::gui::test {
namespace {

TEST_F(WhyPageTest, CrossoverAndBackFindsThePartsAsTheyWere) {
    show();
    const auto shares = [this] {
        const QSize whole = page().size();
        const QSize picture = this->picture()->size(), warp = find<QWidget>("warp-chart")->parentWidget()->size();
        return std::vector<double>{double(picture.width()) / whole.width(), double(picture.height()) / whole.height(),
                                   double(warp.height()) / whole.height()};
    };
    const std::vector<double> before = shares();
    EXPECT_GT(before[1], 0.3);
    const auto expectTheSame = [&](const char* what) {
        const std::vector<double> after = shares();
        for (std::size_t i = 0; i < before.size(); ++i) EXPECT_NEAR(after[i], before[i], 0.03) << what << ' ' << i;
    };
    for (const char* part : {"why-part-crossover", "why-part-sources"}) {
        click(part);
        QTest::qWait(30);
        // Another warp is told of while its panel is hidden.
        session().request().setCurrent(session().request().current() == "constant" ? "tiled_input" : "constant");
        ASSERT_TRUE(filtered());
        click("why-part-picture");
        ASSERT_TRUE(settled());
        QTest::qWait(60);
        expectTheSame(part);
        click(part);
        window->resize(1400, 860);
        QTest::qWait(60);
        window->resize(1600, 1000);
        QTest::qWait(60);
        click("why-part-picture");
        QTest::qWait(60);
        expectTheSame("resized meanwhile");
    }
}

TEST_F(WhyPageTest, BegunAtTheCrossoverThePictureHasItsRoom) {
    tracer = std::make_shared<MadeUpTracer>();
    session().control().setTracer(tracer);
    page().setPart(WhyPage::Part::crossover);
    open("gen:noise:64x48:f32");
    click("page-button-why");
    QTest::qWait(60);
    click("why-part-picture");
    ASSERT_TRUE(settled());
    QTest::qWait(60);
    EXPECT_GT(picture()->height(), page().height() * 3 / 10);
    EXPECT_GT(picture()->width(), page().width() * 3 / 10);
}

TEST_F(WindowTest, LibrariesSayWhereTheyRun) {
    std::set<QString> told;
    for (const gpu::Family* family : gpu::families()) {
        session().request().setFamily(*family);
        const RunTableModel& runs = session().runs();
        for (int row = 0; row < runs.rowCount(); ++row) {
            const gpu::Variant& variant = *runs.variant(row);
            const QString runsOn = runs.data(runs.index(row, 0), RunTableModel::RunsOnRole).toString();
            const bool library = variant.kind == gpu::Variant::Kind::library;
            if (variant.kind == gpu::Variant::Kind::portable)
                EXPECT_EQ(runsOn, variant.id.starts_with("acc_") ? "OpenACC" : "OpenCL") << variant.id;
            else
                EXPECT_EQ(runsOn, !library                                        ? QString()
                                  : variant.devices == gpu::Variant::Devices::cpu ? "CPU"
                                                                                  : "GPU")
                    << variant.id;
            told.insert(runsOn);
        }
    }
    EXPECT_TRUE(told.contains("CPU"));
}

}  // namespace
}  // namespace warplens::gui::test
