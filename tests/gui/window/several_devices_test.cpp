// SPDX-License-Identifier: Apache-2.0
// Several devices at once, chosen as one is: here the CPU twice, where whoever has two GPUs finds both of them.
#include "gpu/core/registry.hpp"
#include "gui/compare/slab_strip.hpp"
#include "gui/document/session_document.hpp"
#include "gui/document/session_state.hpp"
#include "gui/window/header_bar.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QComboBox>
#include <QLabel>
#include <QSignalSpy>

namespace warplens::gui::test {
namespace {

class SeveralDevicesTest : public WindowTest {
protected:
    void iterate(const QString& input) {
        session().request().setFamily(gpu::familyOf("stencil"));
        session().parameters().set("iterations", std::int64_t{4});
        open(input);
        session().variants().setChecked({"naive", "tiled"});
        session().request().setCurrent("naive");
    }
    void compareNow() {
        QSignalSpy compared(&session().control(), &RunControl::compared);
        session().control().compare();
        ASSERT_TRUE(compared.wait(kPatienceMs));
        ASSERT_TRUE(idle());
    }
    const gpu::RunRecord* result() { return session().results().of("naive"); }
    SlabStrip* strip() { return find<SlabStrip>("slabs"); }
};

TEST_F(SeveralDevicesTest, ShareAVolumeAndTheWindowShowsWhoComputedWhat) {
    iterate("gen:noise:24x20x32:f32");
    compareNow();
    ASSERT_TRUE(result() != nullptr && result()->result.picture != nullptr);
    const auto alone = result()->result.picture;
    EXPECT_FALSE(strip()->isVisible()) << "one device has all of it";

    auto* devices = find<QComboBox>("device");
    EXPECT_EQ(devices->itemText(devices->count() - 1), "CPU as two devices");
    devices->setFocus();
    QTest::keyClick(devices, Qt::Key_End);
    EXPECT_EQ(session().devices().names(), "cpu,cpu");
    EXPECT_EQ(session().devices().id(), "cpu");
    EXPECT_EQ(devices->currentText(), "CPU as two devices");
    EXPECT_TRUE(session().request().command().contains("--device cpu,cpu"))
        << session().request().command().toStdString();
    ASSERT_TRUE(filtered());
    compareNow();
    ASSERT_NE(result(), nullptr);
    EXPECT_EQ(result()->status, gpu::Status::ok) << result()->reason;
    EXPECT_EQ(result()->runsOn, "cpu, cpu");
    ASSERT_NE(result()->result.picture, nullptr);
    EXPECT_TRUE(std::equal(alone->data(), alone->data() + alone->bytes(), result()->result.picture->data()))
        << "the bits of one device";
    ASSERT_TRUE(strip()->isVisible());
    EXPECT_EQ(strip()->accessibleDescription(), "cpu (1): slices 0 to 15; cpu (2): slices 16 to 31");

    // A session brings both back; a device that went away is told.
    const SessionDocument kept = capture(session());
    EXPECT_EQ(kept.device, "cpu,cpu");
    QTest::keyClick(devices, Qt::Key_Home);
    EXPECT_EQ(session().devices().names(), "cpu");
    ASSERT_TRUE(filtered());
    EXPECT_FALSE(strip()->isVisible());
    EXPECT_TRUE(apply(kept, session()).isEmpty());
    EXPECT_EQ(session().devices().names(), "cpu,cpu");
    SessionDocument elsewhere = kept;
    elsewhere.device = "cuda:6,cuda:7";
    EXPECT_EQ(apply(elsewhere, session()).value(0), "There is no device cuda:6,cuda:7 here; cpu is used.");
}

TEST_F(SeveralDevicesTest, OnePictureIsTheWorkOfOneAndThatIsSaid) {
    open("gen:noise:64x64:f32");
    session().devices().choose("cpu,cpu");
    ASSERT_TRUE(filtered()) << "what follows a slider runs on the first one";
    session().control().compare();
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return session().activity().notice().contains("several devices"); }, kPatienceMs))
        << session().activity().notice().toStdString();
    EXPECT_TRUE(session().activity().notice().contains("this is one picture"))
        << session().activity().notice().toStdString();
}

TEST_F(SeveralDevicesTest, SlabsOfOneDeviceAreShownAsWell) {
    iterate("gen:noise:24x20x32:f32");
    session().request().setMemoryCap(20'000);
    compareNow();
    ASSERT_TRUE(result() != nullptr && result()->slabs) << (result() != nullptr ? result()->reason : "none");
    ASSERT_TRUE(strip()->isVisible());
    EXPECT_EQ(strip()->accessibleDescription(), "cpu: slices 0 to 31");
}

}  // namespace
}  // namespace warplens::gui::test
