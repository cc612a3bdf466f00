// SPDX-License-Identifier: Apache-2.0
// The ways of moving pictures, and what a comparison did when, without a window.
#include "gpu/core/registry.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/timeline/timeline_model.hpp"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>
#include <map>

namespace warplens::gui {
namespace {

constexpr int kPatienceMs = 60'000;

class MovementModelTest : public testing::Test {
protected:
    void SetUp() override {
        session.devices().fetch("cpu");
        ASSERT_TRUE(QTest::qWaitFor([this] { return session.devices().chosen() != nullptr; }, kPatienceMs));
        session.request().setFamily(gpu::familyOf("convolution"));
    }
    void open(const QString& input) {
        session.inputs().open(input);
        ASSERT_TRUE(QTest::qWaitFor([&] { return session.document().input() == input && idle(); }, kPatienceMs));
    }
    bool idle() { return !session.activity().busy(); }

    CompareSession session;
    MovementModel model{session.request(), session.control(), session.activity()};
};

TEST_F(MovementModelTest, MovesThePictureByTheCurrentVariantAndLeavesTheDeviceAsItWas) {
    EXPECT_FALSE(model.ready());
    open("gen:noise:64x80:u8");
    ASSERT_TRUE(model.ready());
    EXPECT_EQ(model.usualPictures(), 4);
    session.request().setCurrent("constant");
    gpu::TransferBenchmark seen;
    QObject::connect(&model, &MovementModel::measured,
                     [&](const gpu::TransferBenchmark& movement) { seen = movement; });
    model.start(6);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !seen.rows.empty() && idle(); }, kPatienceMs));
    EXPECT_EQ(seen.variant, "constant");
    EXPECT_EQ(seen.pictures, 6U);
    EXPECT_EQ(seen.device.id, "cpu");
    ASSERT_EQ(seen.rows.size(), gpu::movementWays().size());
    for (const gpu::MovementRow& row : seen.rows) {
        const bool able = row.way != "null_stream";
        EXPECT_EQ(row.status, able ? gpu::Status::ok : gpu::Status::unsupported) << row.way << row.reason;
        // Nothing is drawn before the way began, nor after its end.
        for (const gpu::MovementSpan& span : row.spans) {
            EXPECT_GE(span.begin, 0) << row.way;
            EXPECT_LE(span.end, row.seconds) << row.way;
        }
    }
    // A library row moves nothing: then a kernel is chosen.
    const auto& variants = gpu::familyOf("convolution").variants();
    const auto library = std::ranges::find(variants, gpu::Variant::Kind::library, &gpu::Variant::kind);
    ASSERT_NE(library, variants.end());
    session.request().setCurrent(library->id);
    seen.rows.clear();
    model.start(2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !seen.rows.empty() && idle(); }, kPatienceMs))
        << session.activity().notice().toStdString();
    EXPECT_TRUE(seen.choice.has_value());
}

TEST_F(MovementModelTest, AComparisonTellsWhatWasDoneForEachVariantAsItHappened) {
    open("gen:noise:40x30:u8:c=3");
    session.variants().setChecked({"naive", "constant", "tiled_input"});
    gpu::Timeline timeline;
    QObject::connect(&session.control(), &RunControl::timed, [&](const gpu::Timeline& told) { timeline = told; });
    QSignalSpy compared(&session.control(), &RunControl::compared);
    session.control().compare();
    ASSERT_TRUE(compared.count() > 0 || compared.wait(kPatienceMs));
    ASSERT_TRUE(timeline.variants);
    ASSERT_EQ(timeline.items.size(), 3U);
    EXPECT_EQ(timeline.items.front(), "naive");
    std::map<std::string, std::map<std::size_t, int>> bars;  // by stage and variant
    std::vector<double> first(3, 1e9), last(3, 0);
    for (const auto& span : timeline.spans) {
        ++bars[timeline.stages[span.stage].name][span.item];
        EXPECT_LE(0, span.begin);
        EXPECT_LE(span.begin, span.end);
        EXPECT_LE(span.end, timeline.seconds);
        first[span.item] = std::min(first[span.item], span.begin);
        last[span.item] = std::max(last[span.item], span.end);
    }
    EXPECT_LE(last[0], first[1]) << "one after the other";
    EXPECT_LE(last[1], first[2]);
    for (std::size_t item = 0; item < 3; ++item) {
        const gpu::RunRecord* record = session.results().of(timeline.items[item]);
        ASSERT_NE(record, nullptr);
        // The first pass is one of the warm-ups.
        EXPECT_GE(bars["kernel"][item], record->time->samples) << timeline.items[item];
        EXPECT_EQ(bars["download"][item], 1);
        EXPECT_EQ(bars["verify"][item], 1);
        EXPECT_GE(bars["planar layout"][item], 1) << "back to interleaved";
        EXPECT_LE(bars["upload"][item], item == 0 ? 1 : 0) << "it lies there already";
    }
}

}  // namespace
}  // namespace warplens::gui
