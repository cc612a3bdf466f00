// SPDX-License-Identifier: Apache-2.0
// Display gamma: typed beside the range, seen in every pane, kept with the session, never in the values.
#include "gui/picture/pane_grid.hpp"
#include "gui/window/session_keeper.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QApplication>
#include <QDoubleSpinBox>
#include <QPushButton>
#include <QSignalSpy>
#include <cmath>

namespace warplens::gui::test {
namespace {

class DisplayGammaTest : public WindowTest {
protected:
    QDoubleSpinBox* field() { return find<QDoubleSpinBox>("display-gamma"); }
    void type(const QString& gamma) {
        window->findChild<QAction*>("ask-gamma")->trigger();
        ASSERT_EQ(QApplication::focusWidget(), field());
        QTest::keyClicks(field(), gamma);
        QTest::keyClick(field(), Qt::Key_Return);
    }
    /// How far the first pane's pixels are from what a gamma makes of their values, at most.
    double off(double gamma) {
        const ImageView& view = *comparePage()->panes()->pane(0)->view();
        const QImage seen = comparePage()->panes()->pane(0)->view()->grab().toImage();
        const io::Grid& input = *session().document().grid();
        const DisplayRange range = view.range();
        double most = 0;
        for (int y = 0; y < input.shape().height; ++y)
            for (int x = 0; x < input.shape().width; ++x) {
                const double t = std::clamp((input.value(x, y) - range.low) / (range.high - range.low), 0.0, 1.0);
                const double shade = 255 * std::pow(t, 1 / gamma);
                const QRgb pixel = seen.pixel(view.toWidget(QPointF(x + 0.5, y + 0.5)).toPoint());
                most = std::max(most, std::abs(qGreen(pixel) - shade));
            }
        return most;
    }
};

TEST_F(DisplayGammaTest, BrightensWhatIsShownAndStaysWithTheSession) {
    open("gen:gradient:64x48:u8");
    comparePage()->panes()->viewState()->setPixelValues(false);
    comparePage()->panes()->viewState()->setCursor(std::nullopt);
    ASSERT_TRUE(filtered());
    const std::shared_ptr<const io::Grid> before = session().document().grid();
    EXPECT_LE(off(1), 1);
    EXPECT_FALSE(field()->isVisible()) << "calm while there is none";
    type("2.2");
    EXPECT_LE(off(2.2), 2);
    EXPECT_GT(off(1), 30);
    EXPECT_EQ(session().document().grid(), before) << "the picture is the same";
    QTest::mouseClick(find<QPushButton>("display-range-auto"), Qt::LeftButton);
    ASSERT_TRUE(QTest::qWaitFor([this] { return find<QPushButton>("display-range-auto")->isEnabled(); }, kPatienceMs));
    EXPECT_LE(off(2.2), 2) << "Auto is about black and white alone";

    const QString path = folder.filePath("s.warplens");
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(path);
    ASSERT_TRUE(saved.wait(kPatienceMs));
    QTest::mouseClick(find<QPushButton>("range-reset"), Qt::LeftButton);
    EXPECT_EQ(field()->value(), 1);
    EXPECT_FALSE(field()->isVisible());
    EXPECT_LE(off(1), 1);
    QSignalSpy opened(&window->keeper(), &SessionKeeper::opened);
    window->openInput(path);
    ASSERT_TRUE(opened.wait(kPatienceMs) && idle());
    EXPECT_TRUE(field()->isVisible());
    EXPECT_EQ(field()->value(), 2.2);
    EXPECT_EQ(field()->text(), QString::fromUtf8("γ 2.2"));

    window->resize(2400, 1000);  // room for all of a caption, however long its time is
    comparePage()->setLinked(false);
    TextRecorder recorder(comparePage()->panes()->size());
    comparePage()->panes()->render(&recorder);
    EXPECT_TRUE(std::ranges::any_of(recorder.texts(), [](const PaintedText& one) {
        return one.text.contains(QString::fromUtf8("γ 2.2"));
    })) << "panes that are not linked say what they show";
}

}  // namespace
}  // namespace warplens::gui::test
