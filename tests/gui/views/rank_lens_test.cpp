// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gui/lenses/rank/rank_network.hpp"
#include "gui/picture/view_state.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/session/lens.hpp"

#include <QLabel>
#include <QSpinBox>
#include <QTest>
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>

namespace warplens::gui {
namespace {

// By the 0-1 principle all inputs of zeros and ones are all inputs.
TEST(RankNetwork, BringsTheMedianOfNineToItsWireWhateverTheValues) {
    const RankNetwork network = rankNetwork(1);
    ASSERT_EQ(network.wires, 9);
    for (unsigned bits = 0; bits < 512; ++bits) {
        std::vector<double> values;
        for (unsigned i = 0; i < 9; ++i) values.push_back(bits >> i & 1U);
        const auto after = flowThrough(network, values, network.steps());
        std::sort(values.begin(), values.end());
        ASSERT_EQ(after[static_cast<std::size_t>(network.result)], values[4]) << bits;
    }
}

// What the kernels are compiled from.
template <int N>
void expectThatOfTheKernels(const RankNetwork& drawn) {
    constexpr const gpu::rank::Network& network = gpu::rank::Pruned<gpu::rank::Sort<N>, N / 2, 1>::kNetwork;
    ASSERT_EQ(drawn.steps(), network.count);
    EXPECT_EQ(drawn.result, network.order.at[N / 2]);
    for (int i = 0; i < network.count; ++i) {
        const gpu::rank::Exchange& exchange = drawn.exchanges[static_cast<std::size_t>(i)];
        EXPECT_EQ(exchange.low, network.at[i].low);
        EXPECT_EQ(exchange.high, network.at[i].high);
    }
}

TEST(RankNetwork, IsThatOfTheKernels) {
    expectThatOfTheKernels<9>(rankNetwork(1));
    expectThatOfTheKernels<25>(rankNetwork(2));
}

TEST(RankNetwork, OfTwentyFiveIsThatToo) {
    const RankNetwork network = rankNetwork(2);
    unsigned seed = 7;
    for (int round = 0; round < 3000; ++round) {
        std::vector<double> values;
        for (int i = 0; i < 25; ++i) values.push_back((seed = seed * 1664525U + 1013904223U) >> (round % 2 ? 31 : 24));
        const auto after = flowThrough(network, values, network.steps());
        std::nth_element(values.begin(), values.begin() + 12, values.end());
        ASSERT_EQ(after[static_cast<std::size_t>(network.result)], values[12]) << round;
    }
}

// No line is drawn over another, none before one that it needs, and each exchange matters to the median.
TEST(RankNetwork, HasColumnsInWhichNothingMeets) {
    for (const int radius : {1, 2}) {
        const RankNetwork network = rankNetwork(radius);
        ASSERT_EQ(network.columns.size(), network.exchanges.size());
        for (std::size_t i = 0; i < network.exchanges.size(); ++i) {
            EXPECT_LT(network.columns[i], network.columnCount);
            for (std::size_t j = 0; j < i; ++j) {
                const auto &a = network.exchanges[i], &b = network.exchanges[j];
                const bool shared = a.low == b.low || a.low == b.high || a.high == b.low || a.high == b.high;
                if (shared) {
                    EXPECT_GT(network.columns[i], network.columns[j]);
                }
                const bool apart = std::max(a.low, a.high) < std::min(b.low, b.high) ||
                                   std::max(b.low, b.high) < std::min(a.low, a.high);
                EXPECT_TRUE(apart || network.columns[i] != network.columns[j]);
            }
        }
    }
}

TEST(RankNetwork, HasWhatIsNoNumberLast) {
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const RankNetwork network = rankNetwork(1);
    std::vector<double> values{nan, 3, nan, 1, 5, nan, 2, 4, nan};  // five numbers: the median is the largest
    EXPECT_EQ(flowThrough(network, values, network.steps())[static_cast<std::size_t>(network.result)], 5);
}

TEST(RankNetwork, WritesItsValuesShort) {
    for (const auto& [value, text] :
         {std::pair{5.0, "5"}, {0.0, "0"}, {255.0, "255"}, {65535.0, "65535"}, {0.498, ".498"}})
        EXPECT_EQ(slotText(value, 3).toStdString(), text);
}

class RankNetworkPanelTest : public testing::Test {
protected:
    RankNetworkPanelTest() { session.request().setFamily(gpu::familyOf("rank")); }
    void open() {
        auto grid = std::make_shared<io::Grid>(io::Shape{5, 5}, io::PixelType::u8);
        for (std::int64_t i = 0; i < 25; ++i) grid->setValue(i % 5, i / 5, 0, 0, static_cast<double>(i * 7 % 25));
        OpenedPicture picture;
        picture.grid = grid;
        session.document().set(QStringLiteral("test"), picture);
        view.setPictureSize({5, 5});
        dynamic_cast<PixelFollower&>(panel).follow(&view);
        panel.resize(300, 420);
        panel.show();
    }
    std::string text(const char* name) {
        return panel.findChild<QLabel*>(QString::fromLatin1(name))->text().toStdString();
    }

    CompareSession session;
    ParameterState& state = session.parameters();
    ViewState view;
    const std::unique_ptr<QWidget> owned{
        lensOf(gpu::familyOf("rank")).formParts(session.request(), {}, nullptr).front().widget};
    QWidget& panel = *owned;
};

TEST_F(RankNetworkPanelTest, IsThereForItsFamilyAndAPicture) {
    EXPECT_TRUE(panel.isHidden());
    open();
    EXPECT_FALSE(panel.isHidden());
    session.request().setFamily(gpu::familyOf("convolution"));
    EXPECT_TRUE(panel.isHidden());
}

TEST_F(RankNetworkPanelTest, StepsByKeysAndFollowsTheCursor) {
    open();
    auto* step = panel.findChild<QSpinBox*>(QStringLiteral("rank-exchange"));
    auto* wires = panel.findChild<QWidget*>(QStringLiteral("rank-network"));
    const int steps = rankNetwork(1).steps();
    EXPECT_EQ(step->maximum(), steps);
    EXPECT_EQ(step->value(), steps);
    // Around the middle: 6 * 7, 7 * 7, 8 * 7, 11 * 7 ... modulo 25.
    EXPECT_EQ(text("rank-window"), "Window of pixel 2, 2");
    EXPECT_NE(text("rank-words").find("The median, 12, leaves on wire"), std::string::npos) << text("rank-words");
    view.setCursor(QPoint(0, 0));
    EXPECT_EQ(text("rank-window"), "Window of pixel 0, 0");
    // 0 0 7, 0 0 7, 10 10 17 with the edge's pixels again.
    EXPECT_NE(text("rank-words").find("The median, 7, leaves on wire"), std::string::npos) << text("rank-words");
    view.setCursor(std::nullopt);
    EXPECT_EQ(text("rank-window"), "Window of pixel 0, 0") << "the last one stays";
    ASSERT_TRUE(state.set("border", std::string("zero")));
    EXPECT_NE(text("rank-words").find("The median, 0, leaves on wire"), std::string::npos) << text("rank-words");
    const QImage last = wires->grab().toImage();
    QTest::keyClick(wires, Qt::Key_Left);
    EXPECT_EQ(step->value(), steps - 1);
    EXPECT_NE(wires->grab().toImage(), last);
    QTest::keyClick(wires, Qt::Key_Home);
    EXPECT_EQ(text("rank-words"), "The values as they come in, row by row.");
    QTest::keyClick(wires, Qt::Key_End);
    EXPECT_EQ(wires->grab().toImage(), last);
}

TEST_F(RankNetworkPanelTest, SaysWhatIsDoneInsteadOfANetwork) {
    open();
    session.request().setCurrent("selection");
    auto* wires = panel.findChild<QWidget*>(QStringLiteral("rank-network"));
    const auto setTo = [&](const char* id, const gpu::Parameter::Value& value) { ASSERT_TRUE(state.set(id, value)); };
    for (const auto& [id, other, back] :
         std::vector<std::tuple<const char*, gpu::Parameter::Value, gpu::Parameter::Value>>{
             {"radius", std::int64_t{3}, std::int64_t{2}},
             {"percentile", 25.0, 50.0},
             {"shape", std::string("cross"), std::string("square")},
             {"task", std::string("open"), std::string("rank")}}) {
        setTo(id, other);
        EXPECT_TRUE(wires->isHidden()) << id;
        EXPECT_NE(text("rank-words").find("selection: counts bit by bit"), std::string::npos) << text("rank-words");
        setTo(id, back);
        EXPECT_FALSE(wires->isHidden()) << id;
        EXPECT_FALSE(panel.grab().isNull());
    }
    EXPECT_EQ(panel.findChild<QSpinBox*>(QStringLiteral("rank-exchange"))->maximum(), rankNetwork(2).steps());
}

}  // namespace
}  // namespace warplens::gui
