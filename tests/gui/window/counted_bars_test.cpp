// SPDX-License-Identifier: Apache-2.0
// What Compare draws where no time ranks the variants.
#include "gui/kit/plot/time_bars.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <algorithm>

namespace warplens::gui::test {
namespace {

/// Where no time ranks, what is drawn is what was counted, of the task at hand alone.
TEST_F(WindowTest, WithoutATimeThatRanksTheCountsOfTheTaskAreDrawn) {
    session().control().setTracer(std::make_shared<MadeUpTracer>());
    open("gen:noise:64x48:u8");
    session().parameters().set("filter", std::string("custom"));  // no recorded run has it
    ASSERT_TRUE(filtered());
    session().control().compare();
    ASSERT_TRUE(idle());
    auto* const bars = find<TimeBars>("time-bars");
    EXPECT_TRUE(QTest::qWaitFor([&] { return bars->isHidden(); }, kPatienceMs));
    window->pages()->setCurrent(window->pages()->page("why"));
    find<QAction>("explain")->trigger();
    ASSERT_TRUE(idle());
    window->pages()->setCurrent(window->pages()->page("compare"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !bars->isHidden(); }, kPatienceMs));
    const auto says = [&](const QString& what) {
        return std::ranges::any_of(textsOf(bars), [&](const PaintedText& one) { return one.text.contains(what); });
    };
    EXPECT_TRUE(says(QStringLiteral("MB")));
    EXPECT_FALSE(says(QStringLiteral("ms")));
    session().parameters().set("border", std::string("wrap"));
    EXPECT_TRUE(QTest::qWaitFor([&] { return bars->isHidden() || !says(QStringLiteral("MB")); }, kPatienceMs))
        << "they are of another task now";
}

}  // namespace
}  // namespace warplens::gui::test
