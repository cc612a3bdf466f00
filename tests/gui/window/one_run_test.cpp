// SPDX-License-Identifier: Apache-2.0
// The status line tells one run: figures of different runs never stand side by side.
#include "gpu/core/registry.hpp"
#include "gui/window/status_line.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QSignalSpy>
#include <QSlider>
#include <functional>

namespace warplens::gui::test {
namespace {

class OneRunTest : public WindowTest {
protected:
    QString said() { return window->findChild<StatusLine*>()->text(); }
    /// Moves a slider until its run and the frame of that run are in the status line.
    void tellAFrame() {
        auto* slider = find<QSlider>("radius-slider");
        for (int attempt = 0; attempt < 20 && !said().contains("transfer"); ++attempt) {
            QTest::keyClick(slider, attempt % 2 == 0 ? Qt::Key_Right : Qt::Key_Left);
            ASSERT_TRUE(filtered());
        }
        ASSERT_TRUE(said().contains("kernel") && said().contains("display")) << said().toStdString();
    }
    void compareNow() {
        QSignalSpy compared(&session().control(), &RunControl::compared);
        session().control().compare();
        ASSERT_TRUE(compared.wait(kPatienceMs));
        ASSERT_TRUE(idle());
    }
};

TEST(StatusLine, SaysWhatIsLeftAtThePaceSoFar) {
    EXPECT_EQ(Activity::timesOf(2.9, 0.5), "");
    EXPECT_EQ(Activity::timesOf(10, 0.5), "10 s, about 10 s left");
    EXPECT_EQ(Activity::timesOf(10, 0.25), "10 s, about 30 s left");
    EXPECT_EQ(Activity::timesOf(60, 0.1), "60 s, about 9 min left");
    EXPECT_EQ(Activity::timesOf(300, 0.75), "5 min, about 100 s left");
    EXPECT_EQ(Activity::timesOf(10, 0.01), "10 s") << "too little is done to judge by";
    EXPECT_EQ(Activity::timesOf(10, 1), "10 s");
}

TEST_F(OneRunTest, TransferAndDisplayGoWithTheirRun) {
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"a comparison", [this] { compareNow(); }},
        {"another variant", [this] { session().request().setCurrent("tiled_input"); }},
        {"another picture", [this] { open("gen:gradient:60x50:u8"); }},
        {"a result as input", [this] { session().recipe().append(); }},
        {"another family", [this] { session().request().setFamily(gpu::familyOf("histogram")); }},
        {"values that are set", [this] { session().parameters().set("bins", std::int64_t{32}); }}};
    open("gen:noise:64x64:f32");
    session().variants().setChecked({"naive", "constant", "tiled_input"});
    for (const auto& [what, change] : changes) {
        if (session().parameters().family()->id() == "convolution") tellAFrame();
        const auto picture = session().document().grid();
        change();
        ASSERT_TRUE(idle());
        ASSERT_TRUE(filtered()) << what;
        EXPECT_FALSE(said().contains("transfer")) << what << ": " << said().toStdString();
        EXPECT_TRUE(said().contains("pixel/s")) << what << ": " << said().toStdString();
    }
    // Back at the run that the frame was of, its figures are of one run again, or there are none.
    session().request().setFamily(gpu::familyOf("convolution"));
    ASSERT_TRUE(filtered());
    tellAFrame();
}

TEST_F(OneRunTest, AComparisonIsNotToldOfOtherValues) {
    open("gen:noise:64x64:f32");
    session().variants().setChecked({"naive", "constant"});
    const std::vector<std::pair<const char*, std::function<void()>>> changes{
        {"values", [this] { session().parameters().set("radius", std::int64_t{4}); }},
        {"family", [this] { session().request().setFamily(gpu::familyOf("stencil")); }},
        {"picture", [this] { open("gen:gradient:60x50:u8"); }}};
    for (const auto& [what, change] : changes) {
        compareNow();
        ASSERT_TRUE(said().contains("Compared")) << said().toStdString();
        change();
        EXPECT_FALSE(said().contains("Compared")) << what << ": " << said().toStdString();
        ASSERT_TRUE(filtered());
    }
}

}  // namespace
}  // namespace warplens::gui::test
