// SPDX-License-Identifier: Apache-2.0
// What is asked for as one value: each change is told once and whole, and undo and redo bring every state back.
#include "gpu/core/registry.hpp"
#include "gui/session/compare_session.hpp"
#include "io/generate.hpp"

#include <QTest>
#include <gtest/gtest.h>
#include <random>

namespace warplens::gui {
namespace {

constexpr int kPatienceMs = 60'000;

class TaskTest : public testing::Test {
protected:
    void SetUp() override {
        session.devices().fetch("cpu");
        ASSERT_TRUE(QTest::qWaitFor([this] { return session.devices().chosen() != nullptr; }, kPatienceMs));
        open(1);
        QObject::connect(&session.request(), &RequestState::taskChanged, [this](const Task& before, const Task& now) {
            EXPECT_EQ(before, last);
            EXPECT_EQ(now, session.request().task());
            EXPECT_EQ(now.family, session.parameters().family());
            EXPECT_EQ(now.values, session.parameters().values());
            EXPECT_EQ(now.current, session.request().current());
            EXPECT_EQ(now.picture.picture.grid, session.document().grid());
            last = now;
            ++told;
        });
        last = session.request().task();
    }
    void open(int seed) {
        const QString input = QStringLiteral("gen:noise:9x7:u8:seed=%1").arg(seed);
        const auto grid = std::make_shared<const io::Grid>(io::generate(input.toStdString()));
        session.document().set(input, {grid, thumbnailOf(*grid)});
    }
    int toldBy(const std::function<void()>& change) {
        const int before = told;
        change();
        return told - before;
    }

    CompareSession session;
    Task last;
    int told = 0;
};

TEST_F(TaskTest, EachChangeIsToldOnceAndWhole) {
    RequestState& request = session.request();
    ParameterState& values = session.parameters();
    EXPECT_EQ(toldBy([&] { request.setFamily(gpu::familyOf("rank")); }), 1);
    EXPECT_EQ(toldBy([&] { request.setFamily(gpu::familyOf("rank")); }), 0) << "nothing changed";
    EXPECT_EQ(toldBy([&] { values.set("radius", std::int64_t{2}); }), 1);
    EXPECT_EQ(toldBy([&] { values.set("radius", std::int64_t{2}); }), 0);
    const std::string other = request.variants().variant(2)->id;
    EXPECT_EQ(toldBy([&] { request.setCurrent(other); }), 1);
    EXPECT_EQ(last.chosen, other);
    EXPECT_EQ(toldBy([&] { request.setBaseline(other); }), 1);
    EXPECT_EQ(toldBy([&] { request.variants().setChecked({other}); }), 1);
    EXPECT_EQ(toldBy([&] { open(2); }), 1);
    EXPECT_EQ(toldBy([&] { request.setMemoryCap(1 << 30); }), 1);
    EXPECT_EQ(toldBy([&] { session.devices().choose("cpu,cpu"); }), 1);
    EXPECT_EQ(toldBy([&] {
                  request.change([&] {
                      request.setFamily(gpu::familyOf("convolution"));
                      values.set("radius", std::int64_t{3});
                      values.set("filter", std::string("gaussian"));
                      open(3);
                  });
              }),
              1)
        << "several at once are one change";
    EXPECT_EQ(gpu::format(last.values.at("radius")), "3");
}

TEST_F(TaskTest, UndoAndRedoBringEveryStateBack) {
    RequestState& request = session.request();
    QUndoStack& steps = session.history().stack();
    steps.clear();
    std::mt19937 random(20261129);
    const auto below = [&](std::size_t count) { return static_cast<std::size_t>(random() % count); };
    const std::vector<const gpu::Family*> families{&gpu::familyOf("rank"), &gpu::familyOf("convolution"),
                                                   &gpu::familyOf("distance")};
    request.setFamily(*families.front());
    struct State {
        Task before, after;
    };
    std::vector<State> states;  // of each step
    for (int seed = 2; steps.count() < History::kSteps - 1;) {
        const Task before = last;
        const int count = steps.count();
        switch (below(6)) {
            case 0: request.setFamily(*families[below(families.size())]); break;
            case 1: open(seed++); break;
            case 2: request.setCurrent(request.variants().rows()[below(request.variants().rows().size())]->id); break;
            default: {
                const auto& parameters = session.parameters().parameters();
                const gpu::Parameter& parameter = parameters[below(parameters.size())];
                if (parameter.choices.empty()) continue;
                session.parameters().setText(
                    parameter.id, QString::fromStdString(parameter.choices[below(parameter.choices.size())]));
                // Two changes of one value in a moment are one step.
                if (steps.count() == count && last != before) states.back().after = last;
            }
        }
        if (steps.count() > count) states.push_back({before, last});
        if (steps.count() < count) states.pop_back();  // a value that went back in that moment
    }
    ASSERT_EQ(states.size(), static_cast<std::size_t>(steps.count()));
    const auto same = [&](const Task& wanted, std::size_t step) {
        EXPECT_TRUE(last.samePicture(wanted)) << step << ' ' << last.picture.input.toStdString();
        ASSERT_EQ(last.family, wanted.family) << step;
        for (const gpu::Parameter& parameter : last.family->parameters())
            EXPECT_TRUE(last.sameValue(wanted, parameter.id)) << step << ' ' << parameter.id;
    };
    // A picture that comes again brings the family that was at hand when it went: that of the step behind it.
    for (std::size_t i = 0; i < states.size(); ++i)
        if (!states[i].before.samePicture(states[i].after)) {
            const Task& next = i + 1 < states.size() ? states[i + 1].before : last;
            states[i].after.family = next.family;
            states[i].after.values = next.values;
        }
    for (int turn = 0; turn < 2; ++turn) {
        for (std::size_t i = states.size(); i-- > 0;) {
            steps.undo();
            same(states[i].before, i);
        }
        EXPECT_FALSE(steps.canUndo());
        for (std::size_t i = 0; i < states.size(); ++i) {
            steps.redo();
            same(states[i].after, i);
        }
        EXPECT_FALSE(steps.canRedo());
    }
}

TEST_F(TaskTest, AStepOfAValueKeepsNoPicture) {
    session.request().setFamily(gpu::familyOf("rank"));
    const std::weak_ptr<const io::Grid> first = session.document().grid();
    session.parameters().set("radius", std::int64_t{2});
    session.parameters().set("percentile", 25.0);
    ASSERT_EQ(session.history().stack().count(), 2);
    session.history().quietly([this] { open(2); });
    EXPECT_TRUE(QTest::qWaitFor([&] { return first.expired() && !session.activity().busy(); }, kPatienceMs));
    session.history().stack().undo();
    EXPECT_EQ(gpu::format(session.parameters().value("percentile")), "50");
    EXPECT_TRUE(first.expired());
}

}  // namespace
}  // namespace warplens::gui
