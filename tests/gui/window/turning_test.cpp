// SPDX-License-Identifier: Apache-2.0
// The open picture turned and flipped, by keys and menu: where every value goes, the way back, the file saved.
#include "gpu/core/registry.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/volume/volume_panes.hpp"
#include "gui/window/actions.hpp"
#include "io/read.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QFileDialog>
#include <QSignalSpy>
#include <functional>

namespace warplens::gui::test {
namespace {

/// Where in a picture of this width and height the value at x, y of the turned one lay.
using Source = std::function<std::pair<std::int64_t, std::int64_t>(std::int64_t x, std::int64_t y, const io::Shape&)>;

const Source kRight = [](auto x, auto y, const io::Shape& s) { return std::pair{y, s.height - 1 - x}; };
const Source kLeft = [](auto x, auto y, const io::Shape& s) { return std::pair{s.width - 1 - y, x}; };
const Source kAround = [](auto x, auto y, const io::Shape& s) { return std::pair{s.width - 1 - x, s.height - 1 - y}; };
const Source kMirrored = [](auto x, auto y, const io::Shape& s) { return std::pair{s.width - 1 - x, y}; };
const Source kUpsideDown = [](auto x, auto y, const io::Shape& s) { return std::pair{x, s.height - 1 - y}; };
/// Flipped horizontally, then turned right.
const Source kMirroredRight = [](auto x, auto y, const io::Shape& s) {
    return std::pair{s.width - 1 - y, s.height - 1 - x};
};
const Source kMirroredLeft = [](auto x, auto y, const io::Shape&) { return std::pair{y, x}; };

class TurningTest : public WindowTest {
protected:
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::ControlModifier) {
        QTest::keyClick(window.get(), key, modifiers);
    }
    void trigger(const char* name) { find<QAction>(name)->trigger(); }
    /// Makes it the current variant by name, so that none is chosen in its place.
    void name(const std::string& variant) {
        session().request().setCurrent("read_coalesced");
        session().request().setCurrent(variant);
    }
    bool is(const QString& name) {
        return QTest::qWaitFor([&] { return session().document().name() == name; }, kPatienceMs);
    }
    /// Empty when every value is where `source` says, in the same type; else what is not.
    static std::string wrong(const io::Grid& turned, const io::Grid& from, bool swaps, const Source& source) {
        const io::Shape &s = from.shape(), &t = turned.shape();
        const io::Shape expected{swaps ? s.height : s.width, swaps ? s.width : s.height, s.depth, s.channels};
        if (t != expected) return "extents";
        if (turned.type() != from.type()) return "type";
        for (std::int64_t z = 0; z < t.depth; ++z)
            for (std::int64_t y = 0; y < t.height; ++y)
                for (std::int64_t x = 0; x < t.width; ++x)
                    for (int c = 0; c < t.channels; ++c) {
                        const auto [sx, sy] = source(x, y, s);
                        if (turned.value(x, y, z, c) != from.value(sx, sy, z, c))
                            return "value at " + std::to_string(x) + ", " + std::to_string(y);
                    }
        return {};
    }
};

TEST_F(TurningTest, KeysTurnEveryTypeAndChannelAndBack) {
    for (const char* type : {"u8", "u16", "f32"})
        for (const char* channels : {"", ":c=3", ":c=4"}) {
            const QString input = QStringLiteral("gen:noise:37x22:%1%2").arg(type, channels);
            SCOPED_TRACE(input.toStdString());
            ASSERT_NO_FATAL_FAILURE(open(input));
            const auto opened = session().document().grid();
            press(Qt::Key_BracketRight);
            ASSERT_TRUE(is(input + ", turned right")) << session().activity().notice().toStdString();
            EXPECT_EQ(wrong(*session().document().grid(), *opened, true, kRight), "");
            EXPECT_EQ(window->windowTitle(), input + ", turned right - Warplens");
            EXPECT_TRUE(session().request().command().isEmpty()) << "no command makes it";
            ASSERT_TRUE(filtered()) << "filters run on it";
            EXPECT_EQ(record().result.picture->shape().width, 22);
            press(Qt::Key_BracketLeft);
            ASSERT_TRUE(is(input));
            EXPECT_EQ(session().document().grid(), opened) << "the picture itself, no copy";
            EXPECT_FALSE(session().document().derived());
            press(Qt::Key_BracketLeft);
            ASSERT_TRUE(is(input + ", turned left"));
            EXPECT_EQ(wrong(*session().document().grid(), *opened, true, kLeft), "");
        }
}

TEST_F(TurningTest, EveryWayAPictureCanLieAndItsName) {
    struct Way {
        std::vector<const char*> steps;
        const char* name;
        bool swaps;
        Source source;
    };
    const Way ways[] = {
        {{"turn-right", "turn-right"}, ", turned by 180°", false, kAround},
        {{"flip-horizontally"}, ", flipped horizontally", false, kMirrored},
        {{"flip-vertically"}, ", flipped vertically", false, kUpsideDown},
        {{"flip-horizontally", "turn-right"}, ", flipped horizontally, turned right", true, kMirroredRight},
        {{"flip-horizontally", "turn-left"}, ", flipped horizontally, turned left", true, kMirroredLeft},
        // The same by other ways.
        {{"turn-left", "flip-horizontally"}, ", flipped horizontally, turned right", true, kMirroredRight},
        {{"turn-right", "flip-vertically"}, ", flipped horizontally, turned right", true, kMirroredRight},
        {{"turn-right", "turn-right", "turn-right"}, ", turned left", true, kLeft},
        {{"turn-right", "turn-right", "flip-horizontally"}, ", flipped vertically", false, kUpsideDown},
        {{"flip-vertically", "flip-horizontally", "turn-left"}, ", turned right", true, kRight},
        {{"turn-left", "flip-vertically", "turn-left", "flip-vertically"}, "", false, {}},
    };
    const QString input = QStringLiteral("gen:noise:19x12:u8:c=3");
    ASSERT_NO_FATAL_FAILURE(open(input));
    const auto opened = session().document().grid();
    for (const Way& way : ways) {
        Orientation orientation;
        for (const char* step : way.steps) {
            trigger(step);
            for (const auto& [action, service] : window->findChild<Actions*>()->turns)
                if (action->objectName() == QLatin1String(step)) orientation = orientation.then(service);
            const QString words = orientation.words();
            ASSERT_TRUE(is(words.isEmpty() ? input : input + ", " + words)) << step << ", " << words.toStdString();
        }
        ASSERT_EQ(session().document().name().toStdString(), input.toStdString() + way.name);
        if (way.source)
            EXPECT_EQ(wrong(*session().document().grid(), *opened, way.swaps, way.source), "") << way.name;
        else
            EXPECT_EQ(session().document().grid(), opened);
        if (way.source) session().inputs().undoPicture();
        ASSERT_EQ(session().document().grid(), opened);
    }
}

TEST_F(TurningTest, KeysPressedAtOnceAllCount) {
    const QString input = QStringLiteral("gen:noise:300x200:f32");
    ASSERT_NO_FATAL_FAILURE(open(input));
    const auto opened = session().document().grid();
    press(Qt::Key_BracketRight);
    press(Qt::Key_BracketRight);
    ASSERT_TRUE(is(input + ", turned by 180°"));
    EXPECT_EQ(wrong(*session().document().grid(), *opened, false, kAround), "");
    press(Qt::Key_BracketRight);
    press(Qt::Key_BracketLeft);
    ASSERT_TRUE(idle());
    EXPECT_EQ(session().document().name(), input + ", turned by 180°") << "there and back is nothing";
    press(Qt::Key_Z);
    ASSERT_TRUE(is(input));
    EXPECT_EQ(session().document().grid(), opened);
    press(Qt::Key_Y);
    ASSERT_TRUE(is(input + ", turned by 180°"));
}

TEST_F(TurningTest, OfAVolumeEverySliceIsTurned) {
    const QString input = QStringLiteral("gen:hotspots:14x10x6:f32");
    ASSERT_NO_FATAL_FAILURE(open(input));
    const auto opened = session().document().grid();
    press(Qt::Key_BracketRight);
    ASSERT_TRUE(is(input + ", each slice turned right"));
    EXPECT_EQ(wrong(*session().document().grid(), *opened, true, kRight), "");
}

TEST_F(TurningTest, TheOpenPictureIsSavedAsItIsTurned) {
    EXPECT_FALSE(find<QAction>("save-picture")->isEnabled()) << "nothing is open";
    EXPECT_FALSE(find<QAction>("turn-right")->isEnabled());
    const QString input = QStringLiteral("gen:noise:37x22:u16:c=3");
    ASSERT_NO_FATAL_FAILURE(open(input));
    const auto opened = session().document().grid();
    press(Qt::Key_BracketLeft);
    ASSERT_TRUE(is(input + ", turned left"));
    const QString path = folder.filePath("turned.npy");
    QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
    trigger("save-picture");
    auto* dialog = window->findChild<QFileDialog*>();
    ASSERT_NE(dialog, nullptr);
    dialog->selectFile(path);
    QMetaObject::invokeMethod(dialog, "accept");
    ASSERT_TRUE(saved.wait(kPatienceMs)) << session().activity().notice().toStdString();
    EXPECT_EQ(wrong(io::read(path.toStdString()), *opened, true, kLeft), "");
}

/// The whole picture lies in its pane.
void expectWhole(const Pane& pane) {
    const ImageView& view = *pane.view();
    const io::Shape& shape = view.picture()->shape();
    const ViewState& state = *view.viewState();
    const double ratio = view.devicePixelRatioF();
    const QPointF middle(view.width() * ratio / 2, view.height() * ratio / 2);
    const QPointF first = middle - state.centre() * state.zoom();
    const QPointF last =
        middle +
        (QPointF(static_cast<double>(shape.width), static_cast<double>(shape.height)) - state.centre()) * state.zoom();
    const QString key = pane.content().key;
    EXPECT_GE(first.x(), -0.5) << key.toStdString();
    EXPECT_GE(first.y(), -0.5) << key.toStdString();
    EXPECT_LE(last.x(), view.width() * ratio + 0.5) << key.toStdString();
    EXPECT_LE(last.y(), view.height() * ratio + 0.5) << key.toStdString();
}

TEST_F(TurningTest, ResultsOfOtherExtentsAreShownWhole) {
    session().request().setFamily(gpu::familyOf("layout"));
    session().variants().setChecked({"read_coalesced", "write_coalesced", "pixel_per_thread"});
    name("write_coalesced");
    for (const char* input : {"gen:noise:320x100:u8:c=3", "gen:noise:60x300:f32", "gen:hotspots:40x20x8:f32"}) {
        ASSERT_NO_FATAL_FAILURE(open(input));
        for (const char* task : {"rotate90", "copy", "transpose", "reslice"}) {
            SCOPED_TRACE(std::string(input) + ", " + task);
            session().parameters().set("task", std::string(task));
            ASSERT_TRUE(filtered());
            ASSERT_TRUE(QTest::qWaitFor([this] { return comparePage()->settled(); }, kPatienceMs));
            PaneGrid* grid = comparePage()->panes();
            ASSERT_GE(grid->panes().size(), 2U);
            for (std::size_t i = 0; i < grid->panes().size(); ++i)
                if (grid->panes()[i].picture != nullptr) expectWhole(*grid->pane(static_cast<int>(i)));
        }
    }
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:32x20:u8:c=3"));
    session().request().setCurrent("pixel_per_thread");
    session().parameters().set("task", std::string("planar"));
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(QTest::qWaitFor([this] { return comparePage()->panes()->viewState()->depth() == 3; }, kPatienceMs))
        << "a slice a channel";
}

TEST_F(TurningTest, AVolumeOfOtherDepthIsShownAsTheResultItIs) {
    auto* page = static_cast<VolumePage*>(window->pages()->page("volume"));
    window->pages()->setCurrent(page);
    session().request().setFamily(gpu::familyOf("layout"));
    name("write_coalesced");
    ASSERT_NO_FATAL_FAILURE(open("gen:hotspots:40x20x8:f32"));
    for (const char* order : {"yzx", "xzy", "zyx"}) {
        session().parameters().set("task", std::string("reslice"));
        session().parameters().set("order", std::string(order));
        ASSERT_TRUE(filtered());
        const auto result = record("write_coalesced").result.picture;
        EXPECT_TRUE(QTest::qWaitFor([&] { return page->panes()->volume() == result; }, kPatienceMs)) << order;
        EXPECT_EQ(page->state().extent()[2], result->shape().depth);
        EXPECT_LT(page->state().crosshair()[2], result->shape().depth);
    }
}

TEST_F(TurningTest, FramesOfATurnedPictureAreSeenAndLookLikeIt) {
    session().request().setFamily(gpu::familyOf("layout"));
    name("write_coalesced");
    session().parameters().set("task", std::string("stride"));
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:320x100:u8:c=3"));
    const auto pane = [&] {
        PaneGrid* grid = comparePage()->panes();
        for (int i = 0; i < static_cast<int>(grid->panes().size()); ++i)
            if (grid->panes()[static_cast<std::size_t>(i)].key == "write_coalesced") return grid->pane(i);
        return static_cast<Pane*>(nullptr);
    };
    // A frame is of the extents that were seen last: the same values once more, which only the task tells apart.
    for (const char* task : {"rotate90", "rotate270", "transpose"}) {
        session().parameters().set("task", std::string(task));
        ASSERT_TRUE(filtered());
        EXPECT_EQ(pane()->view()->picture()->shape().width, 100) << task;
    }
    QSignalSpy drawn(&session().preview().frames(), &LiveFrames::drawn);
    // A slow machine may find the values at rest before the frame is drawn: then once more.
    for (int attempt = 0; attempt < 20 && drawn.isEmpty(); ++attempt) {
        session().parameters().set("task", std::string(attempt % 2 == 0 ? "rotate90" : "rotate270"));
        ASSERT_TRUE(filtered());
    }
    EXPECT_FALSE(drawn.isEmpty()) << "a turned picture has frames as well";
    session().parameters().set("task", std::string("stride"));
    drawn.clear();
    session().parameters().set("step", std::int64_t{3});
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(drawn.isEmpty()) << "none of a picture of other extents than those looked at";
    EXPECT_EQ(pane()->view()->picture()->shape().width, 107);
}

TEST_F(TurningTest, WhatCannotBeTurnedSaysSoAndStays) {
    const auto labels = std::make_shared<io::Grid>(io::Shape{5, 4, 1, 1}, io::PixelType::u32);
    session().inputs().use("labels", "", labels);
    ASSERT_TRUE(is("labels"));
    press(Qt::Key_BracketRight);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().activity().notice().contains("u32"); }, kPatienceMs));
    EXPECT_EQ(session().document().grid(), labels);
}

}  // namespace
}  // namespace warplens::gui::test
