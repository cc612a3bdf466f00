// SPDX-License-Identifier: Apache-2.0
// What someone who comes from an image editor looks for: equalise, stretch, project, threshold, statistics; by menu and
// by name, undone and saved; and sums, which are no picture like the one that is open.
#include "gpu/core/registry.hpp"
#include "gpu/families/histogram/tone.hpp"
#include "gui/kit/theme/format.hpp"
#include "gui/picture/inspector_strip.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/picture/statistics.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/volume/volume_panes.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QSignalSpy>
#include <algorithm>

namespace warplens::gui::test {
namespace {

class PictureWorkTest : public WindowTest {
protected:
    void trigger(const char* name) {
        auto* action = find<QAction>(name);
        ASSERT_TRUE(action->isEnabled()) << name;
        action->trigger();
    }
    bool is(const QString& name) {
        return QTest::qWaitFor([&] { return session().document().name() == name; }, kPatienceMs);
    }
    /// The values of one channel, each with how many are below it or the same, spread as OpenCV does.
    static io::Grid equalised(const io::Grid& picture) {
        const std::size_t levels = picture.type() == io::PixelType::u8 ? 256 : 65536;
        gpu::BinnedCounts counts;
        for (std::size_t edge = 0; edge <= levels; ++edge) counts.edges.push_back(static_cast<double>(edge));
        for (int c = 0; c < picture.shape().channels; ++c) {
            gpu::CountedChannel channel;
            channel.bins.resize(levels);
            for (std::int64_t i = 0; i < picture.shape().pixels(); ++i)
                ++channel.bins[static_cast<std::size_t>(picture.value(i, 0, 0, c))];
            counts.channels.push_back(channel);
        }
        return gpu::histogram::equalise(picture, counts);
    }
    static double furthest(const io::Grid& a, const io::Grid& b) {
        if (a.shape() != b.shape() || a.type() != b.type()) return 1e9;
        double most = 0;
        for (std::int64_t i = 0; i < a.shape().pixels(); ++i)
            for (int c = 0; c < a.shape().channels; ++c)
                most = std::max(most, std::abs(a.value(i, 0, 0, c) - b.value(i, 0, 0, c)));
        return most;
    }
};

TEST_F(PictureWorkTest, LeavesAlphaAlone) {
    io::Grid picture({57, 41, 1, 4}, io::PixelType::u8);
    for (std::int64_t i = 0; i < picture.shape().values(); ++i)
        picture.as<std::uint8_t>()[i] = static_cast<std::uint8_t>(40 + i * 37 % 101);
    const QString input = folder.filePath("alpha.npy");
    io::write(picture, input.toStdString());
    ASSERT_NO_FATAL_FAILURE(open(input));
    ASSERT_NO_FATAL_FAILURE(trigger("equalise-picture"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().name().endsWith("equalised"); }, kPatienceMs));
    const auto made = session().document().grid();
    int colours = 0, alphas = 0;
    for (std::int64_t i = 0; i < picture.shape().values(); ++i)
        (i % 4 == 3 ? alphas : colours) += made->as<std::uint8_t>()[i] != picture.as<std::uint8_t>()[i];
    EXPECT_GT(colours, 0);
    EXPECT_EQ(alphas, 0);
}

TEST_F(PictureWorkTest, EqualisesBytesAnd16BitsSaysByWhomAndUndoes) {
    EXPECT_FALSE(find<QAction>("equalise-picture")->isEnabled()) << "nothing is open";
    for (const char* type : {"u8", "u8:c=3", "u16"}) {
        const QString input = QStringLiteral("gen:zoneplate:57x41:%1").arg(type);
        SCOPED_TRACE(type);
        ASSERT_NO_FATAL_FAILURE(open(input));
        const auto opened = session().document().grid();
        ASSERT_NO_FATAL_FAILURE(trigger("equalise-picture"));
        ASSERT_TRUE(is(input + ", equalised")) << session().activity().notice().toStdString();
        EXPECT_LE(furthest(*session().document().grid(), equalised(*opened)), 1) << "roundings may differ";
        EXPECT_NE(furthest(*session().document().grid(), *opened), 0);
        ASSERT_TRUE(filtered()) << "filters run on it";
        QTest::keyClick(window.get(), Qt::Key_Z, Qt::ControlModifier);
        ASSERT_TRUE(is(input));
        EXPECT_EQ(session().document().grid(), opened);
    }
}

TEST_F(PictureWorkTest, SaysWhatDidIt) {
    for (const auto& [type, by] : {std::pair{"u8", "opencv of Running sums"}, {"u16", "global_bins of Running sums"}}) {
        const QString input = QStringLiteral("gen:noise:40x30:%1").arg(type);
        ASSERT_NO_FATAL_FAILURE(open(input));
        QStringList said;
        QObject here;
        QObject::connect(&session().activity(), &Activity::lastJobChanged, &here,
                         [&] { said << session().activity().lastJob(); });
        ASSERT_NO_FATAL_FAILURE(trigger("equalise-picture"));
        ASSERT_TRUE(is(input + ", equalised"));
        EXPECT_TRUE(said.join('\n').contains(by)) << said.join('\n').toStdString();
    }
}

TEST_F(PictureWorkTest, WhatCannotBeEqualisedSaysSoAndStays) {
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:40x30:f32"));
    const auto opened = session().document().grid();
    ASSERT_NO_FATAL_FAILURE(trigger("equalise-picture"));
    ASSERT_TRUE(
        QTest::qWaitFor([this] { return session().activity().notice().contains("floating point"); }, kPatienceMs));
    EXPECT_EQ(session().document().grid(), opened);
}

TEST_F(PictureWorkTest, StretchesEveryTypeAndSavesIt) {
    for (const char* type : {"u8", "u16:c=3", "f32"}) {
        const QString input = QStringLiteral("gen:hotspots:61x40:%1").arg(type);
        ASSERT_NO_FATAL_FAILURE(open(input));
        const auto opened = session().document().grid();
        ASSERT_NO_FATAL_FAILURE(trigger("stretch-picture"));
        ASSERT_TRUE(is(input + ", stretched"));
        const DisplayRange range = autoRange(statisticsOf(*opened));
        const auto stretched = session().document().grid();
        EXPECT_EQ(furthest(*stretched, gpu::histogram::stretch(*opened, range.low, range.high)), 0);
        const QString path = folder.filePath(QStringLiteral("stretched-%1.npy").arg(type).replace(':', '-'));
        QSignalSpy saved(&session().outputs(), &ResultFiles::saved);
        ASSERT_NO_FATAL_FAILURE(trigger("save-picture"));
        auto* dialog = window->findChild<QFileDialog*>();
        ASSERT_NE(dialog, nullptr);
        dialog->selectFile(path);
        QMetaObject::invokeMethod(dialog, "accept");
        ASSERT_TRUE(saved.wait(kPatienceMs)) << session().activity().notice().toStdString();
        EXPECT_EQ(furthest(io::read(path.toStdString()), *stretched), 0);
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QFileDialog*>() == nullptr; }, kPatienceMs));
    }
}

TEST_F(PictureWorkTest, ProjectsAVolume) {
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:20x12:u8"));
    EXPECT_FALSE(find<QAction>("project-maximum")->isEnabled()) << "a picture has no slices";
    const QString input = QStringLiteral("gen:hotspots:14x10x6:f32");
    ASSERT_NO_FATAL_FAILURE(open(input));
    const auto opened = session().document().grid();
    ASSERT_NO_FATAL_FAILURE(trigger("project-maximum"));
    ASSERT_TRUE(is(input + ", maximum along z"));
    const auto projected = session().document().grid();
    ASSERT_EQ(projected->shape(), (io::Shape{14, 10, 1, 1}));
    for (std::int64_t y = 0; y < 10; ++y)
        for (std::int64_t x = 0; x < 14; ++x) {
            double most = opened->value(x, y, 0);
            for (std::int64_t z = 1; z < 6; ++z) most = std::max(most, opened->value(x, y, z));
            EXPECT_EQ(projected->value(x, y), most);
        }
    EXPECT_FALSE(find<QAction>("project-maximum")->isEnabled());
}

TEST_F(PictureWorkTest, SumsHaveARangeOfTheirOwnAndTheCursorABox) {
    session().request().setFamily(gpu::familyOf("scan"));
    session().request().setCurrent("one_pass");
    session().parameters().set("radius", std::int64_t{3});
    session().parameters().set("task", std::string("integral"));
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:40x30:u8"));
    ASSERT_TRUE(QTest::qWaitFor([this] { return comparePage()->settled(); }, kPatienceMs));
    PaneGrid* grid = comparePage()->panes();
    const auto input = session().document().grid();
    const auto sums = record("one_pass").result.picture;
    bool found = false;
    for (const PaneContent& pane : grid->panes()) {
        if (pane.picture == input) {
            EXPECT_FALSE(pane.display) << "the picture keeps its range";
        }
        if (pane.picture != sums) continue;
        found = true;
        ASSERT_TRUE(pane.display);
        EXPECT_EQ(pane.display->range.high, sums->value(39, 29)) << "the last sum is the largest";
        EXPECT_EQ(pane.display->map, ColourMap::grey) << "sums are no labels";
    }
    EXPECT_TRUE(found);
    auto* strip = comparePage()->findChild<InspectorStrip*>();
    ASSERT_NE(strip, nullptr);
    comparePage()->panes()->goTo({20, 15, 0});
    double expected = 0;
    for (int y = 12; y <= 18; ++y)
        for (int x = 17; x <= 23; ++x) expected += input->value(x, y);
    EXPECT_TRUE(strip->text().contains(QStringLiteral("7 × 7: D "))) << strip->text().toStdString();
    EXPECT_TRUE(strip->text().contains(" = " + format::value(expected) + ", mean")) << strip->text().toStdString();
    session().parameters().set("task", std::string("sums"));
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !strip->text().contains("7 × 7"); }, kPatienceMs));
    session().parameters().set("task", std::string("box"));
    ASSERT_TRUE(filtered());
    ASSERT_TRUE(QTest::qWaitFor([&] { return strip->text().contains("by 4 reads"); }, kPatienceMs));
    for (const PaneContent& pane : grid->panes()) EXPECT_FALSE(pane.display) << "means are like the picture";
}

TEST_F(PictureWorkTest, TheSortingNetworkHasTheWindowUnderTheCursor) {
    ASSERT_NO_FATAL_FAILURE(open("gen:noise:20x16:u8"));
    session().request().setFamily(gpu::familyOf("rank"));
    ASSERT_TRUE(filtered());
    auto* title = find<QLabel>("rank-window");
    EXPECT_TRUE(title->isVisible());
    ImageView* view = comparePage()->panes()->pane(0)->view();
    QTest::mouseMove(view, view->toWidget({5.5, 7.5}).toPoint());
    EXPECT_TRUE(QTest::qWaitFor([&] { return title->text() == "Window of pixel 5, 7"; }, kPatienceMs))
        << title->text().toStdString();
    // The other page's cursor counts while it is shown.
    window->pages()->setCurrent(window->pages()->page("why"));
    ViewState* why = window->pages()->current()->currentView();
    ASSERT_NE(why, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return why->pictureSize() == QSize(20, 16); }, kPatienceMs));
    why->setCursor(QPoint(3, 2));
    EXPECT_EQ(title->text().toStdString(), "Window of pixel 3, 2");
    ASSERT_TRUE(idle());
}

TEST_F(PictureWorkTest, WindowsOfAVolumeAreShownAsAVolume) {
    auto* page = static_cast<VolumePage*>(window->pages()->page("volume"));
    window->pages()->setCurrent(page);
    ASSERT_NO_FATAL_FAILURE(open("gen:hotspots:24x20x8:f32"));
    session().request().setFamily(gpu::familyOf("scan"));
    EXPECT_EQ(window->pages()->current(), page);
    session().request().setCurrent("one_pass");
    session().parameters().set("task", std::string("box"));
    ASSERT_TRUE(filtered());
    const auto result = record("one_pass").result.picture;
    ASSERT_NE(result, nullptr);
    EXPECT_TRUE(QTest::qWaitFor([&] { return page->panes()->volume() == result; }, kPatienceMs));
    // Where the result is no volume, the picture that is open is shown.
    session().request().setFamily(gpu::familyOf("reduction"));
    EXPECT_EQ(window->pages()->current(), page);
    ASSERT_TRUE(idle());
    EXPECT_TRUE(QTest::qWaitFor([&] { return page->panes()->volume() == session().document().grid(); }, kPatienceMs));
}

/// Someone who knows the words of an image editor, and not where they stand here.
TEST_F(PictureWorkTest, TheWordsOfAnImageEditorFindWhatTheyMean) {
    ASSERT_NO_FATAL_FAILURE(open("gen:hotspots:14x10x6:u16"));
    const std::pair<const char*, const char*> words[] = {
        {"equal", "Equalise histogram"}, {"contrast", "contrast"},
        {"stretch", "Stretch contrast"}, {"clahe", "CLAHE"},
        {"z proj", "Z projection"},      {"turn right", "Turn right"},
        {"flip v", "Flip vertically"},   {"32-bit", "Convert to 32"},
        {"statistics", "Statistics"},    {"threshold", "Running sums"},
        {"histogram", "istogram"},       {"save orig", "Save original"},
    };
    for (const auto& [typed, expected] : words) {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        QLineEdit* text = nullptr;
        ASSERT_TRUE(QTest::qWaitFor(
            [&] { return (text = window->findChild<QLineEdit*>(QStringLiteral("command-text"))) != nullptr; }));
        QTest::keyClicks(text, typed);
        auto* list = text->window()->findChild<QListWidget*>();
        ASSERT_NE(list, nullptr);
        QStringList first;
        for (int row = 0; row < std::min(3, list->count()); ++row) first << list->item(row)->text();
        EXPECT_TRUE(first.join('\n').contains(expected)) << typed << " finds\n" << first.join('\n').toStdString();
        QTest::keyClick(text, Qt::Key_Escape);
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QLineEdit*>("command-text") == nullptr; }));
    }
}

}  // namespace
}  // namespace warplens::gui::test
