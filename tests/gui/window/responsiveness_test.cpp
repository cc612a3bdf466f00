// SPDX-License-Identifier: Apache-2.0
#include "tests/gui/window/slowness.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QElapsedTimer>
#include <QSlider>
#include <QTimer>
#include <algorithm>

namespace warplens::gui::test {
namespace {

/// The longest time between two turns of the event loop.
class Heartbeat {
public:
    Heartbeat() {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, [this] { m_longest = std::max(m_longest, m_clock.restart()); });
        m_clock.start();
        m_timer.start(5);
    }
    qint64 longest() const {
        return m_longest;
    }

private:
    QTimer m_timer;
    QElapsedTimer m_clock;
    qint64 m_longest = 0;
};

TEST_F(WindowTest, NeverBlocksWhileEverythingRuns) {
    open("gen:noise:512x512:f32");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    const Heartbeat heart;
    // A comparison is replaced by slider moves, a larger picture is read, variants are chosen, another comparison runs.
    session().compare();
    QTest::qWait(500);
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(slider, i < 6 ? Qt::Key_Right : Qt::Key_Left);
        QTest::qWait(30);
    }
    session().open("gen:noise:2048x1536:u8:c=3");
    for (int row = 0; row < 6; ++row) {
        session().setCurrent(session().variants().variant(row)->id);
        QTest::qWait(60);
    }
    session().compare();
    QTest::qWait(1500);
    session().cancel();
    ASSERT_TRUE(idle());
    EXPECT_LE(heart.longest(), 100 * kSlowness) << "milliseconds without a turn of the event loop";
}

TEST_F(WindowTest, ASliderIsAnsweredQuickly) {
    open("gen:noise:512x512:u8");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    std::vector<qint64> waits;
    for (int i = 0; i < 5; ++i) {
        QElapsedTimer clock;
        clock.start();
        QTest::keyClick(slider, i % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !session().stale(session().current()); }, kPatienceMs));
        waits.push_back(clock.elapsed());
        ASSERT_TRUE(filtered());
    }
    std::ranges::sort(waits);
    RecordProperty("median_ms", static_cast<int>(waits[2]));
    EXPECT_LE(waits[2], 150 * kSlowness) << "median of five, in milliseconds";
}

}  // namespace
}  // namespace warplens::gui::test
