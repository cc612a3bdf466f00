// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/registry.hpp"
#include "gpu/families/convolution/filter.hpp"
#include "gui/lenses/convolution/filter_facts.hpp"
#include "gui/lenses/convolution/filter_matrix_view.hpp"
#include "gui/lenses/convolution/filter_panel.hpp"
#include "gui/lenses/lens.hpp"

#include <QLineEdit>
#include <QSpinBox>
#include <QTest>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

TEST(FilterFacts, OfAVolumeHaveEverySlice) {
    const gpu::ParameterValues values{
        {"filter", std::string("laplacian")}, {"radius", std::int64_t{1}}, {"dimensions", std::string("3")}};
    const auto facts = filterFacts(values);
    ASSERT_TRUE(facts);
    EXPECT_EQ(facts->depth, 3);
    const auto whole = gpu::convolution::makeFilter(values);
    EXPECT_EQ(facts->weights, whole.weights);
    for (int z = 0; z < 3; ++z)
        EXPECT_EQ(facts->slice(z),
                  std::vector<float>(whole.weights.begin() + 9 * z, whole.weights.begin() + 9 * z + 9));
    EXPECT_NE(facts->slice(0), facts->slice(1));
    EXPECT_FALSE(facts->separable);
}

/// The panel on a filter.
class FilterPanelTest : public testing::Test {
protected:
    FilterPanelTest() {
        state.setFamily(gpu::familyOf("convolution"));
        panel.show();
    }
    void set(const std::string& id, const std::string& value) {
        QString why;
        ASSERT_TRUE(state.set(id, value, &why)) << why.toStdString();
    }
    QString shown(int slice) {
        slices()->setValue(slice);
        return panel.matrix()->text();
    }
    QSpinBox* slices() { return panel.findChild<QSpinBox*>(QStringLiteral("filter-slice")); }

    ParameterState state;
    FilterPanel panel{state};
};

TEST_F(FilterPanelTest, ShowsAVolumesFilterSliceBySlice) {
    EXPECT_FALSE(slices()->isVisible()) << "in two dimensions there is one";
    set("dimensions", "3");
    set("filter", "laplacian");
    ASSERT_TRUE(slices()->isVisible());
    EXPECT_EQ(slices()->value(), slices()->maximum() / 2 + 1) << "the middle one first";
    const auto facts = filterFacts(state.values());
    ASSERT_EQ(slices()->maximum(), facts->depth);
    for (int z = 0; z < facts->depth; ++z) EXPECT_EQ(shown(z + 1), matrixText(facts->width, facts->slice(z))) << z;
    set("dimensions", "2");
    EXPECT_FALSE(slices()->isVisible());
    EXPECT_EQ(panel.matrix()->text(),
              matrixText(filterFacts(state.values())->width, filterFacts(state.values())->weights));
}

TEST_F(FilterPanelTest, ChangesTheSliceThatIsShownAndNoOther) {
    set("dimensions", "3");
    set("matrix", "1,2,3;4,5,6;7,8,9;;1,0,0;0,1,0;0,0,1;;9,8,7;6,5,4;3,2,1");
    set("filter", "custom");
    EXPECT_EQ(shown(3), "9,8,7;6,5,4;3,2,1");
    ASSERT_TRUE(panel.matrix()->editable());
    panel.matrix()->setCurrentCell({2, 0});
    panel.matrix()->edit(QStringLiteral("-7"));
    QTest::keyClick(panel.matrix()->findChild<QLineEdit*>(), Qt::Key_Return);
    EXPECT_EQ(slices()->value(), 3) << "it stays on the slice";
    EXPECT_EQ(panel.matrix()->text(), "9,8,-7;6,5,4;3,2,1");
    EXPECT_EQ(gpu::format(state.value("matrix")), "1,2,3;4,5,6;7,8,9;;1,0,0;0,1,0;0,0,1;;9,8,-7;6,5,4;3,2,1");
}

TEST(FilterFacts, SayWhatAFilterIs) {
    const auto gaussian = filterFacts({});
    ASSERT_TRUE(gaussian.has_value());
    EXPECT_EQ(gaussian->width, 5);
    EXPECT_NEAR(gaussian->sum, 1, 1e-6);
    EXPECT_TRUE(gaussian->separable);
    QString why;
    EXPECT_FALSE(filterFacts({{"filter", std::string("custom")}, {"matrix", std::string("1 2; 3")}}, &why).has_value());
    EXPECT_FALSE(why.isEmpty());
}

}  // namespace
}  // namespace warplens::gui
