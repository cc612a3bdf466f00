// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/compare/run_table.hpp"
#include "gui/request/parameter_form.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QAction>
#include <QDockWidget>
#include <QListView>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

namespace warplens::gui::test {
namespace {

TEST_F(WindowTest, EveryRegisteredFamilyCanBeChosen) {
    for (const gpu::Family* family : gpu::families()) {
        chooseFamily(QString::fromStdString(family->title()));
        EXPECT_EQ(session().parameters().family(), family);
        EXPECT_EQ(find<QListView>("variants")->model()->rowCount(), static_cast<int>(family->variants().size()));
        EXPECT_EQ(find<RunTable>("runs")->model()->rowCount(), static_cast<int>(gpu::askedRuns(*family, {}).size()));
        for (const gpu::Parameter& parameter : family->parameters())
            EXPECT_NE(window->findChild<QWidget*>(QString::fromStdString(parameter.id)), nullptr) << parameter.id;
    }
}

TEST_F(WindowTest, AFamilyIsFoundAsItWasLeft) {
    if (gpu::families().size() < 2) GTEST_SKIP() << "one family";
    open("gen:noise:48x40:u8");
    const gpu::Family& first = *session().parameters().family();
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Right);
    ASSERT_TRUE(filtered());
    const gpu::RunRecord before = record();
    session().request().setFamily(*gpu::families().back());
    ASSERT_TRUE(filtered());
    EXPECT_NE(record().family, before.family);
    session().request().setFamily(first);
    EXPECT_EQ(std::get<std::int64_t>(session().parameters().value("radius")), 3);
    ASSERT_NE(session().results().of(before.variant), nullptr) << "without another run";
    EXPECT_EQ(record(before.variant).result.picture, before.result.picture);
    EXPECT_FALSE(session().results().stale(before.variant));
}

// Every family, past every page: one that has nothing to show for it brings another family, but does not choose it.
TEST_F(WindowTest, APageSwitchKeepsTheFamily) {
    const auto& pages = window->pages()->pages();
    for (const gpu::Family* family : gpu::families())
        for (Page* page : pages) {
            window->pages()->setCurrent(pages.front());
            session().request().setFamily(*family);
            ASSERT_EQ(window->pages()->current(), pages.front());
            window->pages()->setCurrent(page);
            EXPECT_EQ(session().parameters().family() == family, page->takes(*family)) << page->id().toStdString();
            window->pages()->setCurrent(pages.front());
            EXPECT_EQ(session().parameters().family(), family)
                << family->id() << " after the page " << page->id().toStdString();
        }
}

TEST_F(WindowTest, PagesChangeByMouseAndByKey) {
    std::vector<Page*> pages = window->pages()->pages();
    std::erase_if(pages, [](const Page* page) { return !page->standsIn(Page::Workspace::lab); });
    ASSERT_FALSE(pages.empty());
    EXPECT_EQ(window->pages()->current(), pages.front());
    for (std::size_t i = pages.size(); i-- > 0;) {
        auto* button = find<QPushButton>(qPrintable(QStringLiteral("page-button-") + pages[i]->id()));
        QTest::mouseClick(button, Qt::LeftButton);
        EXPECT_EQ(window->pages()->current(), pages[i]);
        EXPECT_TRUE(button->isChecked());
        EXPECT_TRUE(pages[i]->isVisible());
        EXPECT_TRUE(pages[i]->takes(*session().parameters().family())) << pages[i]->id().toStdString();
        EXPECT_EQ(window->findChild<QDockWidget*>("results-dock")->isVisible(), pages[i]->docks().results);
    }
    for (std::size_t i = 0; i < pages.size(); ++i) {
        QTest::keyClick(window.get(), static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
        EXPECT_EQ(window->pages()->current(), pages[i]);
    }
}

TEST_F(WindowTest, ADockThatWasClosedStaysClosedAcrossPages) {
    const auto& pages = window->pages()->pages();
    if (pages.size() < 2) GTEST_SKIP() << "one page";
    auto* source = window->findChild<QDockWidget*>("source-dock");
    source->close();
    window->pages()->setCurrent(pages.back());
    window->pages()->setCurrent(pages.front());
    EXPECT_FALSE(source->isVisible());
    EXPECT_TRUE(window->findChild<QDockWidget*>("results-dock")->isVisible());
    // Hidden all at once, another page, shown again: what that page wants is there.
    QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
    window->pages()->setCurrent(pages.back());
    EXPECT_FALSE(window->findChild<QDockWidget*>("task-dock")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_B, Qt::ControlModifier);
    EXPECT_EQ(window->findChild<QDockWidget*>("task-dock")->isVisible(), pages.back()->docks().task);
    EXPECT_EQ(window->findChild<QDockWidget*>("results-dock")->isVisible(), pages.back()->docks().results);
}

}  // namespace
}  // namespace warplens::gui::test
