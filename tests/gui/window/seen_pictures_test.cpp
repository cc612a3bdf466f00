// SPDX-License-Identifier: Apache-2.0
// After a comparison every pane shows its result, whatever the picture, the number of panes and the device, and whether
// results nobody looked at were kept.
#include "gpu/core/registry.hpp"
#include "gpu/render/pyramid.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/render.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QSignalSpy>
#include <algorithm>
#include <set>
#include <string>

namespace warplens::gui::test {
namespace {

/// On a kind of device: "cpu", "cuda".
/// How many pixels differ; all of them where the sizes do.
int differing(const QImage& one, const QImage& other) {
    if (one.size() != other.size()) return one.width() * one.height();
    int count = 0;
    for (int y = 0; y < one.height(); ++y)
        for (int x = 0; x < one.width(); ++x) count += (one.pixel(x, y) ^ other.pixel(x, y)) << 8 != 0;
    return count;
}

class SeenPicturesTest : public WindowTest, public testing::WithParamInterface<const char*> {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        const auto& list = session().devices().list().devices;
        const bool cpu = std::string(GetParam()) == "cpu";
        const auto at =
            std::ranges::find_if(list, [&](const gpu::DeviceInfo& device) { return (device.id == "cpu") == cpu; });
        if (at == list.end()) GTEST_SKIP() << "no such device here";
        session().devices().choose(at->id);
        comparePage()->panes()->viewState()->setPixelValues(false);
        // The CPU device runs enough of them for six panes.
        if (cpu)
            session().variants().setChecked(
                {"naive", "constant", "coarsened", "tiled_input", "tiled_output", "halo_cached"});
    }

    void compare(const std::string& input) {
        open(QString::fromStdString(input));
        QSignalSpy compared(&session().control(), &RunControl::compared);
        session().control().compare();
        ASSERT_TRUE(compared.wait(kPatienceMs));
    }

    /// Waits until nothing more will come; then compares every pane with a direct drawing of what it is to show.
    void expectSeen(const std::string& what) {
        SCOPED_TRACE(what);
        PaneGrid* grid = comparePage()->panes();
        const auto drawn = [&] {
            for (int i = 0; i < static_cast<int>(grid->panes().size()); ++i) grid->pane(i)->view()->grab();
            return !session().activity().busy() && comparePage()->settled();
        };
        ASSERT_TRUE(QTest::qWaitFor(drawn, kPatienceMs)) << session().activity().lastJob().toStdString();
        // A picture that came between two looks has its reduced levels made when it is drawn.
        QTest::qWait(50);
        ASSERT_TRUE(QTest::qWaitFor(drawn, kPatienceMs)) << session().activity().lastJob().toStdString();
        ASSERT_EQ(grid->panes().size(), static_cast<std::size_t>(comparePage()->paneCount()));
        for (int i = 0; i < comparePage()->paneCount(); ++i) {
            const PaneContent& content = grid->panes()[static_cast<std::size_t>(i)];
            const std::string key = content.key.toStdString();
            ASSERT_NE(content.picture, nullptr) << key << ": " << content.message.toStdString();
            const bool input = key == "input";
            EXPECT_EQ(content.picture, input ? session().document().grid() : record(key).result.picture);
            EXPECT_TRUE(input || content.state == ResultState::verified) << key;
            const ImageView* view = grid->pane(i)->view();
            const RenderRequest request = view->lookedAt();
            const auto levels = gpu::render::makePyramid(*content.picture, request.slice);
            const QImage seen = grid->pane(i)->view()->grab().toImage().convertToFormat(QImage::Format_RGB32);
            EXPECT_EQ(differing(seen, render(*content.picture, levels.get(), request)), 0)
                << key << ", and from it drawn without reduced levels "
                << differing(seen, render(*content.picture, nullptr, request)) << " of " << seen.width() * seen.height()
                << " pixels";
        }
    }

    /// In the layout at hand, in the largest, and in one pane.
    void expectSeenInEveryLayout(const std::string& what) {
        for (const int panes : {comparePage()->paneCount(), PaneGrid::kMaxPanes, 1}) {
            comparePage()->setPaneCount(panes);
            expectSeen(what + " in " + std::to_string(panes));
        }
    }
};

/// Every remainder modulo 16 of width and height with 1, 3 and 4 channels, each type with each of those.
std::vector<std::string> everyRemainder() {
    std::vector<std::string> inputs;
    const char* types[] = {"u8", "u16", "f32"};
    const int channels[] = {1, 3, 4};
    for (int r = 0; r < 16; ++r)
        for (int c = 0; c < 3; ++c) {
            const int width = 1 + r + 16 * c, height = 1 + (5 * r + c) % 16 + 16 * ((r + c) % 3);
            std::string input =
                "gen:noise:" + std::to_string(width) + 'x' + std::to_string(height) + ':' + types[(r + c) % 3];
            if (channels[c] > 1) input += ":c=" + std::to_string(channels[c]);
            inputs.push_back(input);
        }
    return inputs;
}

TEST_P(SeenPicturesTest, EveryRemainderChannelAndTypeIsSeen) {
    int turn = 0;
    for (const std::string& input : everyRemainder()) {
        // As the program has it, and as with pictures too large to be kept unseen.
        session().results().setKeptBytes(turn % 2 == 0 ? std::size_t{64} << 20 : 0);
        comparePage()->setPaneCount(2 + turn % 5);
        compare(input);
        turn % 4 < 2 ? expectSeen(input) : expectSeenInEveryLayout(input);
        if (HasFailure()) return;
        ++turn;
    }
}

TEST_P(SeenPicturesTest, ResultsThatWereNotKeptComeBackWhenTheyAreLookedAt) {
    session().results().setKeptBytes(0);
    compare("gen:noise:120x90:u8:c=3");
    expectSeenInEveryLayout("after the comparison");
    const int times = session().runs().time(0)->samples;
    EXPECT_GT(times, 1);
    comparePage()->setPaneCount(3);
    for (const std::string& id : session().variants().checked()) {
        session().request().setCurrent(id);
        expectSeen("chosen " + id);
    }
    EXPECT_EQ(session().runs().time(0)->samples, times) << "a run for its picture is no time";
    // Another family, and back.
    session().request().setFamily(*gpu::families().back());
    ASSERT_TRUE(idle());
    session().request().setFamily(*gpu::families().front());
    ASSERT_TRUE(filtered());
    comparePage()->setPaneCount(PaneGrid::kMaxPanes);
    expectSeen("back in the family");
    // One whose pictures come with tables: what is left of a result without its picture is not nothing.
    const auto& families = gpu::families();
    session().request().setFamily(**std::ranges::find_if(families, [](const auto* f) { return f->info().iterates; }));
    compare("gen:noise:60x50:u8");
    std::set<std::string> ran;
    for (const std::string& id : session().variants().checked())
        if (record(id).status == gpu::Status::ok) ran.insert(id);
    ASSERT_GE(ran.size(), 4U);
    session().variants().setChecked(ran);
    comparePage()->setPaneCount(3);
    for (const std::string& id : ran) {
        session().request().setCurrent(id);
        expectSeen("chosen " + id);
    }
}

TEST_P(SeenPicturesTest, LargePicturesAreSeen) {
    if (!session().devices().ranking() && qEnvironmentVariableIsEmpty("WARPLENS_LARGE_PICTURES"))
        GTEST_SKIP() << "minutes on the CPU: set WARPLENS_LARGE_PICTURES";
    // About 64 MiB, where results without a pane stop being kept, and beyond.
    for (const char* input :
         {"gen:noise:4096x4096:f32", "gen:noise:4097x4096:f32", "gen:noise:6001x3999:f32", "gen:noise:6000x4000:u8:c=3",
          "gen:noise:6001x3999:u8:c=3", "gen:noise:5003x3511:u16:c=4", "gen:noise:10000x10000:u8"}) {
        comparePage()->setPaneCount(4);
        compare(input);
        expectSeenInEveryLayout(input);
        if (HasFailure()) return;
    }
}

INSTANTIATE_TEST_SUITE_P(Devices, SeenPicturesTest, testing::Values("cpu", "cuda"),
                         [](const auto& one) { return std::string(one.param); });

}  // namespace
}  // namespace warplens::gui::test
