// SPDX-License-Identifier: Apache-2.0
// The window stays with its user: it waits for no device, no turn of its event loop does the work of a worker, and a
// slider costs one kernel. Told by counts and by the processor time of its own thread, so that it does not matter what
// else the machine does.
#include "gpu/core/registry.hpp"
#include "gui/window/page_stack.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QSlider>
#include <QTimer>
#include <algorithm>
#include <atomic>
#include <chrono>
#include <ctime>
#include <semaphore>
#include <thread>

namespace warplens::gui::test {
namespace {

/// Keeps the device busy until it is let go: whoever waits for it waits for ever.
class HeldDevice {
public:
    HeldDevice(gpu::Runner& runner, const gpu::Request& request) {
        m_thread = std::jthread([this, &runner, request] {
            gpu::Observer observer;
            observer.record = [this](const gpu::RunRecord&) {
                m_held.release();
                m_waitedFor = !m_letGo.try_acquire_for(std::chrono::milliseconds(kPatienceMs));
            };
            runner.run(request, {}, observer);
        });
        m_held.acquire();
    }
    void letGo() {
        m_letGo.release();
        m_thread.join();
    }
    /// Whether nobody came to let it go.
    bool waitedFor() const { return m_waitedFor; }

private:
    std::binary_semaphore m_held{0}, m_letGo{0};
    std::atomic<bool> m_waitedFor{false};
    std::jthread m_thread;
};

TEST_F(WindowTest, WaitsForNoDevice) {
    open("gen:noise:256x256:f32");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    int posted = 0, handled = 0;
    const auto turn = [&] {
        ++posted;
        QMetaObject::invokeMethod(
            window.get(), [&] { ++handled; }, Qt::QueuedConnection);
        QTest::qWait(5);
    };
    HeldDevice device(session().control().runner(), session().request().make({"naive"}, true));
    session().control().compare();
    turn();
    for (int i = 0; i < 12; ++i) {
        QTest::keyClick(slider, i < 6 ? Qt::Key_Right : Qt::Key_Left);
        turn();
    }
    session().inputs().open("gen:noise:1024x768:u8:c=3");
    EXPECT_TRUE(QTest::qWaitFor([this] { return session().document().input().contains("1024"); }, kPatienceMs / 2))
        << "reading needs no device";
    for (int row = 0; row < 6; ++row) {
        session().request().setCurrent(session().variants().variant(row)->id);
        turn();
    }
    for (Page* page : window->pages()->pages()) {
        window->pages()->setCurrent(page);
        turn();
    }
    window->pages()->setCurrent(comparePage());
    for (const gpu::Family* family : gpu::families()) {
        session().request().setFamily(*family);
        session().control().compare();
        turn();
        session().activity().cancel();
        turn();
    }
    EXPECT_EQ(handled, posted);
    EXPECT_FALSE(device.waitedFor()) << "the window waited for the device";
    device.letGo();
    EXPECT_TRUE(idle());
}

/// Milliseconds of the processor that this thread has had.
double spent() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

/// The most that the event loop's thread has spent between two beats of a timer.
class Turns {
public:
    Turns() {
        m_timer.setTimerType(Qt::PreciseTimer);
        QObject::connect(&m_timer, &QTimer::timeout, [this] {
            const double now = spent();
            m_most = std::max(m_most, now - m_last);
            m_last = now;
        });
        m_last = spent();
        m_timer.start(1);
    }
    double most() const { return m_most; }

private:
    QTimer m_timer;
    double m_last = 0, m_most = 0;
};

TEST_F(WindowTest, NoTurnOfTheEventLoopDoesTheWorkOfAWorker) {
    open("gen:noise:512x512:f32");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    double most = 0;
    {
        const Turns turns;
        // A comparison is replaced by slider moves, a larger picture is read, variants are chosen, another one runs.
        session().control().compare();
        QTest::qWait(200);
        for (int i = 0; i < 12; ++i) {
            QTest::keyClick(slider, i < 6 ? Qt::Key_Right : Qt::Key_Left);
            QTest::qWait(30);
        }
        session().inputs().open("gen:noise:2048x1536:u8:c=3");
        ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().input().contains("2048"); }, kPatienceMs));
        for (int row = 0; row < 6; ++row) {
            session().request().setCurrent(session().variants().variant(row)->id);
            QTest::qWait(60);
        }
        session().control().compare();
        QTest::qWait(1000);
        session().activity().cancel();
        ASSERT_TRUE(idle());
        most = turns.most();
    }
    // What the thread spends on painting the window once is the measure, on this machine and in this build.
    double painting = 0;
    for (int i = 0; i < 3; ++i) {
        const double before = spent();
        window->grab();
        painting = std::max(painting, spent() - before);
    }
    RecordProperty("turns_per_painting", std::to_string(most / painting));
    EXPECT_LE(most, 5 * painting) << "milliseconds; painting the window takes " << painting;
}

TEST_F(WindowTest, ASliderCostsOneKernelAndIsSeenBeforeItIsVerified) {
    open("gen:noise:512x512:u8");
    auto* slider = find<QSlider>("radius-slider");
    slider->setFocus();
    int kernels = 0;
    QStringList seen;
    const auto look = [&] {
        const gpu::RunRecord* record = session().results().of(session().request().current());
        if (record == nullptr || session().results().stale(session().request().current())) return;
        const QString state = record->verification ? "verified" : "unverified";
        if (seen.isEmpty() || seen.back() != state) seen << state;
    };
    QObject::connect(&session().results(), &Results::changed, window.get(), look);
    QObject::connect(&session().preview().frames(), &LiveFrames::drawn, window.get(),
                     [&](const LiveFrame& frame) { kernels += frame.preview.computed ? 1 : 0; });
    for (int i = 0; i < 5; ++i) {
        kernels = 0;
        seen.clear();
        QTest::keyClick(slider, i % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
        ASSERT_TRUE(filtered());
        EXPECT_EQ(seen, (QStringList{"unverified", "verified"})) << i;
        EXPECT_LE(kernels, 1) << i;
    }
}

}  // namespace
}  // namespace warplens::gui::test
