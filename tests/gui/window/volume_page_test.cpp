// SPDX-License-Identifier: Apache-2.0
// The page of a volume in the real window.
#include "gui/volume/volume_page.hpp"

#include "gui/picture/image_view.hpp"
#include "gui/picture/pane_content.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/volume/ray_view.hpp"
#include "gui/volume/slice_view.hpp"
#include "gui/volume/volume_panes.hpp"
#include "gui/volume/volume_side.hpp"
#include "gui/window/page_stack.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QLabel>
#include <QPushButton>

namespace warplens::gui::test {
namespace {

class VolumeWindow : public WindowTest {
protected:
    void showVolume(const QString& input) {
        window->pages()->setCurrent(window->pages()->page("volume"));
        open(input);
        page = static_cast<VolumePage*>(window->pages()->current());
    }
    bool settled() {
        return QTest::qWaitFor([this] { return !session().activity().busy() && page->settled(); }, kPatienceMs);
    }
    VolumePage* page = nullptr;
};

TEST_F(VolumeWindow, ShowsTheResultOfTheChosenVariantElseTheInput) {
    showVolume("gen:sphere:32x24x16:f32");
    ASSERT_TRUE(settled());
    EXPECT_EQ(page->panes()->volume(), record().result.picture);
    EXPECT_TRUE(page->panes()->caption(VolumePanes::axial)->content().idea);
    EXPECT_TRUE(page->panes()->caption(VolumePanes::rays)->content().ms);
    const auto at = page->state().crosshair();
    EXPECT_EQ(at, (VolumeState::Voxel{16, 12, 8}));
    EXPECT_EQ(find<QLabel>("crosshair-value")->text(), pixelText(*record().result.picture, at[0], at[1], at[2]));
    EXPECT_TRUE(page->viewText().startsWith(QStringLiteral("x 16 y 12 z 8"))) << page->viewText().toStdString();
    EXPECT_EQ(find<QLabel>("spacing-text")->text(), QStringLiteral("Spacing 1:1:1"));
}

TEST_F(VolumeWindow, AFlatPictureHasNoThirdSpacing) {
    showVolume("gen:noise:32x24:u8");
    ASSERT_TRUE(settled());
    EXPECT_EQ(find<QLabel>("spacing-text")->text(), QStringLiteral("Spacing 1:1"));
}

TEST_F(VolumeWindow, AutoSetsTheRangeOfAllPages) {
    showVolume("gen:sphere:24x24x24:u8");
    ASSERT_TRUE(settled());
    ViewState& display = page->state().display();
    display.setRange({3, 4});
    QTest::mouseClick(find<QPushButton>("auto-range"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([&] { return display.range() != DisplayRange{3, 4}; }, kPatienceMs));
    EXPECT_LT(display.range().low, display.range().high);
    EXPECT_TRUE(find<QLabel>("range-text")->text().startsWith(QStringLiteral("Range ")));
    // The page that compares shows the same range, map and slice.
    page->state().setCrosshair({1, 2, 3});
    display.setColourMap(ColourMap::magma);
    window->pages()->setCurrent(window->pages()->page("compare"));
    auto* grid = comparePage()->panes();
    ASSERT_NE(grid, nullptr);
    EXPECT_EQ(grid->viewState(), &display);
    EXPECT_EQ(grid->viewState()->slice(), 3);
}

TEST_F(VolumeWindow, MenuKeysActOnTheCurrentPane) {
    showVolume("gen:sphere:24x24x24:u8");
    ASSERT_TRUE(settled());
    page->panes()->slice(SlicePlane::coronal)->setFocus();
    const double zoom = page->state().zoom(SlicePlane::coronal);
    page->zoomIn();
    EXPECT_GT(page->state().zoom(SlicePlane::coronal), zoom);
    page->fit();
    EXPECT_TRUE(page->state().fitted(SlicePlane::coronal));
    page->panes()->rayView()->setFocus();
    page->zoomIn();
    EXPECT_EQ(page->panes()->rayView()->view().zoom, 1.25);
    page->fit();
    EXPECT_EQ(page->panes()->rayView()->view().zoom, 1);
    page->setLinked(false);
    EXPECT_FALSE(find<QPushButton>("link-slices")->isChecked());
    reopen();
    page = static_cast<VolumePage*>(window->pages()->page("volume"));
    EXPECT_FALSE(page->linked());
}

TEST_F(VolumeWindow, ModesOf3dAreChosenBeside) {
    showVolume("gen:sphere:24x24x24:u8");
    ASSERT_TRUE(settled());
    EXPECT_FALSE(find<QWidget>("opacity")->isVisible());
    QTest::keyClick(find<QPushButton>("mode-2"), Qt::Key_Space);
    EXPECT_EQ(page->panes()->mode(), gpu::render::Mode::shaded);
    EXPECT_TRUE(find<QWidget>("opacity")->isVisible());
    ASSERT_TRUE(settled());
    EXPECT_EQ(page->panes()->caption(VolumePanes::rays)->content().title, QStringLiteral("Shaded"));
}

}  // namespace
}  // namespace warplens::gui::test
