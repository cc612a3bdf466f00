// SPDX-License-Identifier: Apache-2.0
// A step's value is dragged on a large picture: what is seen comes first.
#include "gui/filter/filter_page.hpp"
#include "gui/session/live_preview.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QSignalSpy>
#include <algorithm>
#include <cstdio>

namespace warplens::gui::test {
namespace {

class DraggedStepTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->resize(1280, 720);
        QTest::keyClick(window.get(), Qt::Key_F2);
        ASSERT_EQ(window->pages()->current(), page());
    }

    FilterPage* page() { return find<FilterPage>("page-picture"); }
    RecipeState& recipe() { return session().recipe(); }
    ImageView* view() { return page()->panes()->pane(0)->view(); }

    void openPicture(const QString& input) {
        session().inputs().open(input);
        ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == input; }, kPatienceMs));
        ASSERT_TRUE(idle());
    }
    bool done() {
        return QTest::qWaitFor(
            [this] { return page()->settled() && page()->result() != nullptr && !session().activity().busy(); },
            kPatienceMs);
    }
    void add(const QString& typed) {
        auto* field = find<QLineEdit>("add-step");
        field->setText(typed);
        QTest::keyClick(field, Qt::Key_Return);
        ASSERT_TRUE(done());
    }
    void select(std::size_t step) {
        recipe().select(step);
        ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->at == step; }, kPatienceMs));
        ASSERT_TRUE(done());
    }
};

TEST_F(DraggedStepTest, WhatIsSeenOfAllStepsComesBeforeTheWholeAndLooksTheSame) {
    openPicture(QStringLiteral("gen:noise:1201x900:u8:c=3"));
    for (const char* step : {"median", "sharpen", "levels"}) add(step);
    auto* policy = session().control().findChild<LivePolicy*>();
    for (const std::size_t step : {0, 1}) {
        select(step);
        const auto before = page()->result();
        QSignalSpy frames(view(), &ImageView::framePainted);
        ASSERT_TRUE(session().parameters().setText(step == 0 ? "radius" : "amount", QStringLiteral("2")));
        policy->drop();  // the value moves still
        ASSERT_TRUE(QTest::qWaitFor([&] { return !frames.isEmpty(); }, kPatienceMs));
        EXPECT_EQ(page()->result(), nullptr) << "none of these values is there";
        EXPECT_EQ(view()->picture(), before) << "nothing whole was made";
        ASSERT_TRUE(
            QTest::qWaitFor([&] { return page()->panes()->panes()[0].state == ResultState::unverified; }, kPatienceMs));
        const QImage frame = view()->grab().toImage();
        policy->requestAtRest();
        ASSERT_TRUE(QTest::qWaitFor([&] { return page()->result() != nullptr; }, kPatienceMs));
        ASSERT_TRUE(done());
        ASSERT_TRUE(QTest::qWaitFor(
            [&] {
                view()->grab();
                return !view()->hasFrame() && view()->settled();
            },
            kPatienceMs));
        EXPECT_EQ(view()->grab().toImage(), frame) << "step " << step;
    }
}

// Both are work for the same processors.
TEST_F(DraggedStepTest, TheWholeWaitsForThePictureThatIsUnderWay) {
    openPicture(QStringLiteral("gen:noise:301x200:u8:c=3"));
    for (const char* step : {"median", "levels"}) add(step);
    select(0);
    auto* policy = session().control().findChild<LivePolicy*>();
    ASSERT_TRUE(session().parameters().setText("radius", QStringLiteral("2")));
    ASSERT_TRUE(session().preview().frames().drawing());
    policy->due();
    EXPECT_FALSE(policy->running());
    EXPECT_TRUE(policy->pending());
    ASSERT_TRUE(done());
    EXPECT_FALSE(session().preview().frames().drawing());
}

// A benchmark, run by hand: WARPLENS_DEVICE=cuda:0 for a GPU. What is seen first, and the whole result once the value
// rests.
TEST_F(DraggedStepTest, DISABLED_FromTheValueToThePicture) {
    const std::string device = qEnvironmentVariable("WARPLENS_DEVICE", "cpu").toStdString();
    session().devices().choose(device);
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().devices().chosen()->id == device; }, kPatienceMs));
    openPicture(QStringLiteral("gen:noise:6000x4000:u8:c=3"));
    for (const char* step : {"median", "sharpen", "levels"}) add(step);
    const auto measure = [&](std::size_t step, const char* parameter, const std::vector<double>& values) {
        select(step);
        std::vector<qint64> shown, whole;
        for (int i = 0; i < 22; ++i) {  // ends with the other value than it begins with
            QSignalSpy frames(view(), &ImageView::framePainted), pictures(view(), &ImageView::picturePainted);
            QElapsedTimer since;
            since.start();
            ASSERT_TRUE(session().parameters().setText(
                parameter, QString::number(values[static_cast<std::size_t>(i) % values.size()])));
            // A wait that polls would take one of two cores.
            const auto wait = [&](auto until) {
                QEventLoop loop;
                for (auto painted : {&ImageView::framePainted, &ImageView::picturePainted})
                    QObject::connect(view(), painted, &loop, [&] {
                        if (until()) loop.quit();
                    });
                QTimer::singleShot(kPatienceMs, &loop, &QEventLoop::quit);
                if (!until()) loop.exec();
                return since.elapsed();
            };
            shown.push_back(wait([&] { return !frames.isEmpty() || !pictures.isEmpty(); }));
            if (i % 3 == 0) whole.push_back(wait([&] { return !pictures.isEmpty(); }));
        }
        ASSERT_TRUE(done());
        std::ranges::sort(shown);
        std::ranges::sort(whole);
        std::printf("%s at %.0f %%: %lld ms from the value to the picture, median of %zu (%lld to %lld); whole %lld\n",
                    parameter, 100 * view()->viewState()->zoom(), shown[shown.size() / 2], shown.size(), shown.front(),
                    shown.back(), whole[whole.size() / 2]);
        std::fflush(stdout);
    };
    for (const double zoom : {0.0, 1.0}) {
        if (zoom > 0) page()->actualSize();
        measure(2, "white", {94, 93});
        measure(1, "amount", {1.1, 1.2});
        measure(0, "radius", {2, 1});
    }
}

}  // namespace
}  // namespace warplens::gui::test
