// SPDX-License-Identifier: Apache-2.0
// A mask is painted by mouse and keys over the picture, taken back, kept, and is what a family works on.
#include "gpu/core/counts.hpp"
#include "gpu/core/registry.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/regions/region_strip.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/read.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QFile>
#include <QSignalSpy>
#include <QSpinBox>
#include <QWindow>
#include <algorithm>
#include <cmath>
#include <random>

namespace warplens::gui::test {
namespace {

io::Grid blankMask(std::int64_t width, std::int64_t height, std::int64_t depth = 1) {
    io::Grid mask({width, height, depth, 1}, io::PixelType::u8);
    std::fill_n(mask.as<std::uint8_t>(), mask.shape().values(), 0);
    return mask;
}

bool inside(const io::Grid& mask, std::int64_t x, std::int64_t y) { return mask.value(x, y, 0, 0) != 0; }

TEST(MaskRaster, ALineCoversTheCentresNearIt) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> place(-4, 24), size(0.5, 6);
    for (int n = 0; n < 60; ++n) {
        io::Grid mask = blankMask(20, 17);
        const QPointF a(place(random), place(random)), b = n % 5 == 0 ? a : QPointF(place(random), place(random));
        const double radius = size(random);
        const PixelBox box = drawLine(mask, a, b, radius, 0, 255);
        for (int y = 0; y < 17; ++y)
            for (int x = 0; x < 20; ++x) {
                double nearest = 1e9;  // by trying places along the way
                for (int i = 0; i <= 2000; ++i) {
                    const QPointF on = a + (b - a) * (i / 2000.0) - QPointF(x + 0.5, y + 0.5);
                    nearest = std::min(nearest, std::hypot(on.x(), on.y()));
                }
                const auto under = [&](QPointF p) { return std::floor(p.x()) == x && std::floor(p.y()) == y; };
                if (std::abs(nearest - radius) > 1e-2) {
                    EXPECT_EQ(inside(mask, x, y), nearest < radius || under(a) || under(b))
                        << n << ' ' << x << ' ' << y;
                }
                if (inside(mask, x, y)) {
                    EXPECT_TRUE(x >= box.x0 && x < box.x1 && y >= box.y0 && y < box.y1);
                }
            }
    }
}

TEST(MaskRaster, APolygonCoversTheCentresInIt) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> place(-5, 28);
    for (int n = 0; n < 60; ++n) {
        io::Grid mask = blankMask(23, 19);
        QPolygonF corners;
        for (int i = 0; i < 3 + n % 5; ++i) corners << QPointF(place(random), place(random));
        drawPolygon(mask, corners, 0, 255);
        for (int y = 0; y < 19; ++y)
            for (int x = 0; x < 23; ++x)
                EXPECT_EQ(inside(mask, x, y), corners.containsPoint({x + 0.5, y + 0.5}, Qt::OddEvenFill))
                    << n << ' ' << x << ' ' << y;
    }
}

class MaskTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        comparePage()->setPaneCount(2);
        open("gen:noise:64x48:u8");
        QTest::qWait(30);
        view()->setFocus();
    }
    ImageView* view() { return comparePage()->panes()->pane(0)->view(); }
    Mask& mask() { return session().mask(); }
    QPoint at(double x, double y) { return view()->mapTo(window.get(), view()->toWidget({x, y}).toPoint()); }
    /// To the window, which gives it to whatever lies there.
    void drag(QPointF from, QPointF to, int steps = 8) {
        QWindow* handle = window->windowHandle();
        QTest::mousePress(handle, Qt::LeftButton, {}, at(from.x(), from.y()));
        for (int i = 1; i <= steps; ++i) {
            const QPointF p = from + (to - from) * (static_cast<double>(i) / steps);
            QTest::mouseMove(handle, at(p.x(), p.y()));
        }
        QTest::mouseRelease(handle, Qt::LeftButton, {}, at(to.x(), to.y()));
    }
    void click(double x, double y, Qt::KeyboardModifiers keys = {}) {
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, keys, at(x, y));
    }
    void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(view(), key, modifiers); }
    std::int64_t counted() { return elementsOf(gpu::countsOf(record().result.tables)->channels.front()); }
};

TEST_F(MaskTest, StrokesArePaintedErasedAndTakenBack) {
    EXPECT_TRUE(find<RegionStrip>("region-strip")->isHidden());
    drag({10, 10}, {30, 10});
    EXPECT_TRUE(mask().empty()) << "without a tool dragging pans";
    comparePage()->panes()->viewState()->fit();
    key(Qt::Key_B);
    EXPECT_FALSE(find<RegionStrip>("region-strip")->isHidden());
    find<QSpinBox>("region-size")->setValue(6);
    view()->setFocus();
    drag({10, 10}, {40, 10});
    const std::int64_t stroke = mask().inside();
    EXPECT_NEAR(static_cast<double>(stroke), 30 * 6 + 28, 25) << "a bar with round ends";
    EXPECT_TRUE(mask().at(25, 10, 0));
    EXPECT_FALSE(mask().at(25, 16, 0));
    key(Qt::Key_E);
    drag({25, 2}, {25, 20});
    EXPECT_FALSE(mask().at(25, 10, 0));
    EXPECT_LT(mask().inside(), stroke);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(mask().inside(), stroke);
    EXPECT_TRUE(mask().at(25, 10, 0));
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(mask().empty());
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(mask().inside(), stroke);
    QTest::mouseClick(find<QPushButton>("region-invert"), Qt::LeftButton);
    EXPECT_EQ(mask().inside(), 64 * 48 - stroke);
    QTest::mouseClick(find<QPushButton>("region-clear"), Qt::LeftButton);
    EXPECT_TRUE(mask().empty());
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(mask().inside(), 64 * 48 - stroke);
}

TEST_F(MaskTest, ItsToolsForceNoLargerWindow) {
    key(Qt::Key_B);
    for (const bool project : {false, true}) {
        find<QAction>("projector")->setChecked(project);
        for (const RegionTool tool :
             {RegionTool::brush, RegionTool::wand, RegionTool::polygon, RegionTool::wand, RegionTool::eraser}) {
            session().regions().setTool(tool);
            window->resize(1280, 720);
            QTest::qWait(40);
            EXPECT_EQ(window->size(), QSize(1280, 720)) << project << nameOf(tool).toStdString();
        }
    }
    find<QAction>("projector")->setChecked(false);
}

TEST_F(MaskTest, ItsKeysAreHeardWhereverTheFocusWas) {
    if (QApplication::focusWidget() != nullptr) QApplication::focusWidget()->clearFocus();
    key(Qt::Key_B);
    ASSERT_TRUE(session().regions().on());
    key(Qt::Key_W);
    EXPECT_EQ(session().regions().tool(), RegionTool::wand) << "not the wipe";
}

TEST_F(MaskTest, ItsVeilGoesWithTheTools) {
    key(Qt::Key_B);
    drag({10, 10}, {12, 10}, 2);
    const auto veils = [&] {
        const auto layers = window->findChildren<QWidget*>(QStringLiteral("paint-layer"));
        return std::ranges::count_if(layers, [](const QWidget* layer) { return layer->isVisible(); });
    };
    EXPECT_GT(veils(), 0);
    key(Qt::Key_Escape);
    ASSERT_FALSE(session().regions().on());
    EXPECT_EQ(veils(), 0) << "what was made under it is to be seen";
    EXPECT_FALSE(mask().empty());
}

TEST_F(MaskTest, TwoStrokesAreTwoSteps) {
    key(Qt::Key_B);
    drag({10, 10}, {12, 10}, 2);
    const std::int64_t first = mask().inside();
    drag({50, 40}, {52, 40}, 2);
    EXPECT_GT(mask().inside(), first);
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(mask().inside(), first) << "however quickly they follow each other";
}

TEST_F(MaskTest, KeysChooseToolsAndSizes) {
    key(Qt::Key_B);
    RegionTools& tools = session().regions();
    for (const RegionTool tool : kRegionTools) {
        key(keyOf(tool));
        EXPECT_EQ(tools.tool(), tool);
        EXPECT_TRUE(find<QPushButton>(qPrintable("region-" + nameOf(tool).toLower()))->isChecked());
    }
    EXPECT_FALSE(window->findChild<QAction*>("wipe")->isChecked()) << "W was the wand's";
    int size = tools.size();
    for (int i = 0; i < 40; ++i, size = tools.size()) {
        key(Qt::Key_BracketRight);
        EXPECT_TRUE(tools.size() > size || tools.size() == RegionTools::kMostSize);
    }
    for (int i = 0; i < 60; ++i, size = tools.size()) {
        key(Qt::Key_BracketLeft);
        EXPECT_TRUE(tools.size() < size || tools.size() == 1);
    }
    EXPECT_EQ(tools.size(), 1);
    key(Qt::Key_Escape);
    EXPECT_FALSE(tools.on());
    key(Qt::Key_W);
    EXPECT_TRUE(window->findChild<QAction*>("wipe")->isChecked()) << "its key again";
}

TEST_F(MaskTest, APolygonIsClosedByEnterAndDroppedByEsc) {
    key(Qt::Key_B);
    key(Qt::Key_P);
    for (const QPointF corner : {QPointF(5, 5), QPointF(45, 5), QPointF(45, 35)}) click(corner.x(), corner.y());
    EXPECT_EQ(session().regions().corners().size(), 3);
    EXPECT_TRUE(mask().empty());
    key(Qt::Key_Return);
    EXPECT_NEAR(static_cast<double>(mask().inside()), 40 * 30 / 2, 60);
    EXPECT_TRUE(mask().at(40, 10, 0));
    EXPECT_FALSE(mask().at(10, 30, 0));
    const std::int64_t before = mask().inside();
    click(5, 40);
    click(8, 44);
    key(Qt::Key_Backspace);
    EXPECT_EQ(session().regions().corners().size(), 1);
    key(Qt::Key_Escape);
    EXPECT_TRUE(session().regions().corners().isEmpty());
    EXPECT_TRUE(session().regions().on()) << "only the polygon went";
    EXPECT_EQ(mask().inside(), before);
}

TEST_F(MaskTest, IsWhatAFamilyWorksOnAndUndoAgrees) {
    key(Qt::Key_B);
    drag({10, 10}, {40, 30});
    chooseFamily("histogram");
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), mask().inside());
    EXPECT_LT(counted(), 64 * 48);
    view()->setFocus();
    key(Qt::Key_E);
    const int steps = session().history().stack().count();
    drag({10, 10}, {14, 14});
    drag({14, 14}, {20, 20});
    EXPECT_EQ(session().history().stack().count(), steps + 2) << "the parameter's change is no step of its own";
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), mask().inside());
    key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), mask().inside());
    EXPECT_TRUE(session().request().command().isEmpty()) << "no file has it";
    QTest::mouseClick(find<QPushButton>("region-clear"), Qt::LeftButton);
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), 64 * 48);
    EXPECT_FALSE(session().request().command().isEmpty());
}

TEST_F(MaskTest, ItsBoundsAreARegion) {
    chooseFamily("histogram");
    view()->setFocus();
    key(Qt::Key_B);
    key(Qt::Key_P);
    for (const QPointF corner : {QPointF(8, 6), QPointF(28, 6), QPointF(28, 16), QPointF(8, 16)})
        click(corner.x(), corner.y());
    key(Qt::Key_Return);
    const QRect bounds = mask().bounds(0);
    QTest::mouseClick(find<QPushButton>("region-bounds"), Qt::LeftButton);
    EXPECT_EQ(gpu::format(session().parameters().value("region")), QStringLiteral("%1,%2,%3,%4")
                                                                       .arg(bounds.x())
                                                                       .arg(bounds.y())
                                                                       .arg(bounds.width())
                                                                       .arg(bounds.height())
                                                                       .toStdString());
    EXPECT_EQ(bounds.width() * bounds.height(), mask().inside()) << "a rectangle";
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), mask().inside());
}

TEST_F(MaskTest, IsSavedAndOpenedAsAPicture) {
    key(Qt::Key_B);
    drag({10, 10}, {40, 30});
    const auto painted = mask().picture();
    for (const char* name : {"mask.png", "mask.npy"}) {
        const QString path = folder.filePath(QString::fromUtf8(name));
        QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
        session().outputs().write(painted, path);
        ASSERT_TRUE(saved.wait(kPatienceMs));
        mask().clear();
        bool taken = false;
        session().inputs().readAside(path, [&](const io::Grid& read) { taken = mask().take(read).isEmpty(); });
        ASSERT_TRUE(QTest::qWaitFor([&] { return taken; }, kPatienceMs)) << name;
        ASSERT_NE(mask().picture(), nullptr);
        EXPECT_EQ(std::memcmp(mask().picture()->data(), painted->data(), painted->bytes()), 0) << name;
    }
    EXPECT_FALSE(mask().take(blankMask(10, 10)).isEmpty()) << "of another size";
    EXPECT_EQ(mask().inside(), std::count(painted->as<std::uint8_t>(), painted->as<std::uint8_t>() + 64 * 48, 255));
    // One that is chosen in the form of a family is what is painted on.
    mask().clear();
    chooseFamily("histogram");
    session().inputs().openParameter("mask", folder.filePath("mask.npy"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !mask().empty(); }, kPatienceMs));
    ASSERT_TRUE(filtered());
    EXPECT_EQ(counted(), mask().inside());
}

TEST_F(MaskTest, ComesBackWithItsSession) {
    key(Qt::Key_B);
    drag({10, 10}, {40, 30});
    const auto painted = mask().picture();
    const QString path = folder.filePath("a.warplens");
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(path);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    reopen();
    EXPECT_TRUE(mask().empty());
    window->openInput(path);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !mask().empty(); }, kPatienceMs));
    EXPECT_EQ(std::memcmp(mask().picture()->data(), painted->data(), painted->bytes()), 0);
    // Saved without one, its file goes.
    ASSERT_TRUE(idle());
    mask().clear();
    QSignalSpy again(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(path);
    ASSERT_TRUE(again.wait(kPatienceMs));
    EXPECT_FALSE(QFile::exists(path + ".mask.npy"));
}

TEST_F(MaskTest, BelongsToPicturesOfItsExtents) {
    key(Qt::Key_B);
    drag({10, 10}, {40, 30});
    const std::int64_t stroke = mask().inside();
    window->findChild<QAction*>("turn-right")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().grid()->shape().width == 48; }, kPatienceMs));
    EXPECT_TRUE(mask().empty());
    window->findChild<QAction*>("undo")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().grid()->shape().width == 64; }, kPatienceMs));
    EXPECT_EQ(mask().inside(), stroke);
    window->findChild<QAction*>("undo")->trigger();
    EXPECT_TRUE(mask().empty());
}

TEST_F(MaskTest, TheWandTakesWhatLooksLikeItOrSaysThatItCannot) {
    key(Qt::Key_B);
    key(Qt::Key_W);
    click(20.5, 20.5);
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session().regions().busy(); }, kPatienceMs));
    const auto offers = [](const gpu::Family* family) {
        return family->info().services.contains(gpu::Service::selectRegion);
    };
    if (std::ranges::any_of(gpu::families(), offers)) {
        EXPECT_TRUE(mask().at(20, 20, 0));
        const std::int64_t narrow = mask().inside();
        session().regions().setTolerance(255);
        ASSERT_TRUE(QTest::qWaitFor([this] { return !session().regions().busy(); }, kPatienceMs));
        EXPECT_EQ(mask().inside(), 64 * 48) << "everything is as near as that";
        key(Qt::Key_Z, Qt::ControlModifier);
        EXPECT_TRUE(mask().empty()) << "one tolerance took the place of the other";
        EXPECT_GT(narrow, 0);
    } else {
        EXPECT_TRUE(session().activity().noticeIsError());
        EXPECT_TRUE(mask().empty());
    }
}

}  // namespace
}  // namespace warplens::gui::test
