// SPDX-License-Identifier: Apache-2.0
// Lengths of a calibrated picture are shown in its unit and in pixels, and may be given in either.
#include "gpu/core/registry.hpp"
#include "gui/request/parameter_form.hpp"

#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>
#include <memory>

namespace warplens::gui {
namespace {

class LengthFieldTest : public testing::Test {
protected:
    LengthFieldTest() {
        state.setFamily(gpu::familyOf("convolution"));
        state.set("filter", std::string("gaussian"));
        form.resize(300, 500);
        form.show();
    }
    void open(double x, double y) {
        auto grid = std::make_shared<io::Grid>(io::Shape{8, 8}, io::PixelType::u8);
        grid->geometry.spacing = {x, y, 1};
        form.setPicture(grid);
    }
    QDoubleSpinBox* field(const char* id) { return form.findChild<QDoubleSpinBox*>(QLatin1String(id)); }
    QPushButton* other(const char* id) {
        return form.findChild<QPushButton*>(QLatin1String(id) + QLatin1String("-unit"));
    }

    ParameterState state;
    ParameterForm form{state};
};

TEST_F(LengthFieldTest, SaysBothAndTakesEither) {
    EXPECT_FALSE(other("sigma")->isVisible()) << "no picture";
    open(0.0005, 0.0005);
    ASSERT_TRUE(other("sigma")->isVisible());
    EXPECT_EQ(other("sigma")->text(), QStringLiteral("= 0.55 µm")) << "1.1 pixels follow from the radius";
    state.set("sigma", 3.0);
    state.set("radius", std::int64_t{6});
    EXPECT_EQ(other("sigma")->text(), QStringLiteral("= 1.5 µm"));
    EXPECT_EQ(other("radius")->text(), QStringLiteral("= 3 µm"));
    EXPECT_TRUE(field("sigma")->suffix().isEmpty());

    QSignalSpy changed(&state, &ParameterState::changed);
    QTest::mouseClick(other("radius"), Qt::LeftButton);
    EXPECT_TRUE(state.lengthsInUnit());
    EXPECT_EQ(changed.count(), 0) << "the unit is no value";
    EXPECT_EQ(field("sigma")->suffix(), QStringLiteral(" µm"));
    EXPECT_DOUBLE_EQ(field("sigma")->value(), 1.5);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 3);
    EXPECT_EQ(other("radius")->text(), QStringLiteral("= 6 px"));

    field("sigma")->setValue(2);
    EXPECT_NEAR(std::get<double>(state.value("sigma")), 4, 1e-9);
    // A radius that is typed is the nearest one, and says so when the typing is over.
    field("radius")->setFocus();
    field("radius")->selectAll();
    QTest::keyClicks(field("radius"), QStringLiteral("3.7"));
    EXPECT_EQ(std::get<std::int64_t>(state.value("radius")), 7);
    EXPECT_EQ(other("radius")->text(), QStringLiteral("= 7 px"));
    EXPECT_DOUBLE_EQ(field("radius")->value(), 3.7) << "not overwritten while it is typed";
    QTest::keyClick(field("radius"), Qt::Key_Return);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 3.5);
    // A step is a pixel still.
    QTest::keyClick(field("radius"), Qt::Key_Up);
    EXPECT_EQ(std::get<std::int64_t>(state.value("radius")), 8);
    form.findChild<QSlider*>(QStringLiteral("radius-slider"))->setValue(5);
    EXPECT_EQ(std::get<std::int64_t>(state.value("radius")), 5);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 2.5);

    QTest::mouseClick(other("sigma"), Qt::LeftButton);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 5);
    EXPECT_NEAR(field("sigma")->value(), 4, 1e-9);
    EXPECT_TRUE(field("radius")->suffix().isEmpty());
}

TEST_F(LengthFieldTest, AreNotSaidOfWhatIsPrintedUnlessAsked) {
    auto scan = std::make_shared<io::Grid>(io::Shape{8, 8, 1, 1}, io::PixelType::u8);
    scan->geometry.spacing = {0.1, 0.1, 1};
    scan->metadata.dpi = {254, 254};
    form.setPicture(scan);
    EXPECT_FALSE(other("sigma")->isVisible());
    state.setLengthsInUnit(true);
    EXPECT_TRUE(other("sigma")->isVisible());
    EXPECT_EQ(field("radius")->suffix(), QStringLiteral(" mm"));
}

TEST_F(LengthFieldTest, ANameAboveFoldsItsChoices) {
    const auto seen = [this](const char* id) {
        const auto all = form.findChildren<QWidget*>(QLatin1String(id));
        return std::ranges::any_of(all, [](const QWidget* one) { return one->isVisible(); });
    };
    ASSERT_TRUE(seen("filter") && seen("border") && seen("radius"));
    form.setNamed(true);
    EXPECT_FALSE(seen("filter") || seen("border") || seen("dimensions"));
    EXPECT_TRUE(seen("radius"));
    form.setPicture(std::make_shared<io::Grid>(io::Shape{8, 8, 4, 1}, io::PixelType::u8));
    EXPECT_TRUE(seen("dimensions")) << "of a volume";
    QTest::mouseClick(form.findChild<QPushButton*>(QStringLiteral("more-parameters")), Qt::LeftButton);
    EXPECT_TRUE(seen("filter"));
}

TEST_F(LengthFieldTest, ARowIsSeenOnceWhenAWidgetIsPutBelowIt) {
    QWidget below;
    form.setBelow(*state.family(), "radius", &below);
    const auto fields = form.findChildren<QDoubleSpinBox*>(QStringLiteral("radius"));
    EXPECT_EQ(std::ranges::count_if(fields, [](const QWidget* one) { return one->isVisible(); }), 1);
    below.setParent(nullptr);
}

TEST_F(LengthFieldTest, AreInMillimetresOfLargePixelsAndPixelsWhereAxesDiffer) {
    open(0.5, 0.5);
    EXPECT_EQ(other("radius")->text(), QStringLiteral("= 1 mm"));
    state.setLengthsInUnit(true);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 1);
    open(5e-8, 5e-8);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 1e-4) << "µm of an electron microscope";
    EXPECT_EQ(std::get<std::int64_t>(state.value("radius")), 2);
    open(0.5, 0.25);
    EXPECT_FALSE(other("radius")->isVisible());
    EXPECT_DOUBLE_EQ(field("radius")->value(), 2);
    EXPECT_TRUE(field("radius")->suffix().isEmpty());
    open(0.5, 0.5);
    EXPECT_DOUBLE_EQ(field("radius")->value(), 1);
    state.set("radius", std::int64_t{4});
    EXPECT_DOUBLE_EQ(field("radius")->value(), 2);
}

}  // namespace
}  // namespace warplens::gui
