// SPDX-License-Identifier: Apache-2.0
// Larger type never pushes the window past its screen, on no page and in no size; and a part of a page that was left is
// found again as it was.
#include "gpu/core/registry.hpp"
#include "gui/panels/warp_panel.hpp"
#include "gui/theme/tokens.hpp"
#include "tests/gui/window/why_page_fixture.hpp"

#include <QAction>
#include <set>
#include <vector>

namespace warplens::gui::test {
namespace {

TEST_F(WhyPageTest, ProjectorModeKeepsTheWindowsSizeOnEveryPage) {
    show();
    for (const QSize size : {QSize(1600, 1000), QSize(1600, 900), QSize(1920, 1080), QSize(1280, 720)}) {
        for (Page* page : window->pages()->pages()) {
            window->pages()->setCurrent(page);
            window->resize(size);
            QTest::qWait(40);
            ASSERT_EQ(window->size(), size) << page->id().toStdString() << " before";
            for (const bool project : {true, false}) {
                find<QAction>("projector")->setChecked(project);
                QTest::qWait(40);
                EXPECT_EQ(window->size(), size) << page->id().toStdString() << (project ? " projected" : " after");
            }
        }
        // Nor does going to a page while it is on.
        find<QAction>("projector")->setChecked(true);
        for (Page* page : window->pages()->pages()) {
            window->pages()->setCurrent(page);
            QTest::qWait(40);
            EXPECT_EQ(window->size(), size) << page->id().toStdString() << " gone to";
        }
        find<QAction>("projector")->setChecked(false);
        QTest::qWait(40);
    }
}

TEST_F(WhyPageTest, CrossoverAndBackFindsThePartsAsTheyWere) {
    show();
    const auto shares = [this] {
        const QSize whole = page().size();
        const QSize picture = this->picture()->size(), warp = page().findChild<WarpPanel*>()->size();
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
        session().setCurrent(session().current() == "constant" ? "tiled_input" : "constant");
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
    session().setTracer(tracer);
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

TEST_F(WindowTest, ARingAroundAFocusedButtonIsWhole) {
    window->activateWindow();
    for (const char* name : {"page-button-compare", "page-button-why", "primary"}) {
        auto* button = find<QPushButton>(name);
        const QImage plain = window->grab().toImage();
        button->setFocus(Qt::TabFocusReason);
        QTest::qWait(30);
        const QImage ringed = window->grab().toImage();
        // Where the ring is painted; on all four sides of the button there is some.
        const QRect place(button->mapTo(window.get(), QPoint()), button->size());
        const auto changed = [&](const QRect& strip) {
            int count = 0;
            const QRect inside = strip & window->rect();
            for (int y = inside.top(); y <= inside.bottom(); ++y)
                for (int x = inside.left(); x <= inside.right(); ++x)
                    count +=
                        ringed.pixel(x, y) == colour(Role::accent).rgb() && ringed.pixel(x, y) != plain.pixel(x, y);
            return count;
        };
        const int wide = place.width() / 2, high = place.height() / 3;
        EXPECT_GT(changed({place.left(), place.top() - 4, place.width(), 8}), wide) << name << " above";
        EXPECT_GT(changed({place.left(), place.bottom() - 4, place.width(), 8}), wide) << name << " below";
        EXPECT_GT(changed({place.left() - 4, place.top(), 8, place.height()}), high) << name << " left";
        EXPECT_GT(changed({place.right() - 4, place.top(), 8, place.height()}), high) << name << " right";
        find<QWidget>("variants")->setFocus(Qt::OtherFocusReason);
    }
}

TEST_F(WindowTest, LibrariesSayWhereTheyRun) {
    std::set<QString> told;
    for (const gpu::Family* family : gpu::families()) {
        session().setFamily(*family);
        const RunTableModel& runs = session().runs();
        for (int row = 0; row < runs.rowCount(); ++row) {
            const gpu::Variant& variant = *runs.variant(row);
            const QString runsOn = runs.data(runs.index(row, 0), RunTableModel::RunsOnRole).toString();
            const bool library = variant.kind == gpu::Variant::Kind::library;
            EXPECT_EQ(runsOn, !library ? QString() : variant.devices == "cpu" ? "CPU" : "GPU") << variant.id;
            told.insert(runsOn);
        }
    }
    EXPECT_TRUE(told.contains("CPU"));
}

}  // namespace
}  // namespace warplens::gui::test
