// SPDX-License-Identifier: Apache-2.0
#include "gpu/core/error.hpp"
#include "gpu/core/registry.hpp"
#include "gpu/core/run_key.hpp"
#include "gui/session/document.hpp"
#include "gui/session/equivalent_command.hpp"
#include "gui/session/file_formats.hpp"
#include "gui/session/layout_rules.hpp"
#include "gui/session/live_preview.hpp"
#include "gui/session/parameter_state.hpp"
#include "gui/session/presets.hpp"
#include "gui/session/recent_files.hpp"
#include "gui/session/variant_list_model.hpp"
#include "gui/session/visible_variants.hpp"
#include "io/read.hpp"

#include <QAbstractItemModelTester>
#include <QElapsedTimer>
#include <QFile>
#include <QSettings>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>
#include <set>

namespace warplens::gui {
namespace {

const gpu::Family& convolution() { return gpu::familyOf("convolution"); }

TEST(ParameterState, TakesOnlyWhatIsAllowed) {
    ParameterState state;
    state.setFamily(convolution());
    QSignalSpy changed(&state, &ParameterState::changed);
    EXPECT_TRUE(state.set("radius", std::int64_t{5}));
    QString why;
    EXPECT_FALSE(state.set("radius", std::int64_t{500}, &why));
    EXPECT_FALSE(why.isEmpty());
    EXPECT_EQ(std::get<std::int64_t>(state.value("radius")), 5);
    EXPECT_EQ(changed.size(), 1);
    EXPECT_FALSE(state.set("no-such", true));
}

// Whether their files write a value as a number or as a text.
TEST(Presets, EveryOneThatIsShippedIsTakenAndRecognised) {
    const Presets presets{QString()};
    EXPECT_TRUE(presets.problems().isEmpty()) << presets.problems().join('|').toStdString();
    for (const gpu::Family* family : gpu::families()) {
        const auto all = presets.of(*family);
        EXPECT_FALSE(all.empty()) << family->id();
        for (const Preset& preset : all) {
            ParameterState state;
            state.setFamily(*family);
            EXPECT_EQ(preset.apply(state).toStdString(), "") << family->id();
            EXPECT_TRUE(preset.matches(state)) << family->id() << ", " << preset.name.toStdString();
        }
    }
}

TEST(ParameterState, ShowsWhatShapesTheResult) {
    ParameterState state;
    state.setFamily(convolution());
    const auto visible = [&](const std::string& id) {
        for (const gpu::Parameter& p : state.parameters())
            if (p.id == id) return state.visible(p);
        ADD_FAILURE() << id;
        return false;
    };
    EXPECT_TRUE(visible("sigma"));
    EXPECT_FALSE(visible("matrix"));
    ASSERT_TRUE(state.set("filter", std::string("custom")));
    EXPECT_FALSE(visible("sigma"));
    EXPECT_TRUE(visible("matrix"));
}

TEST(ParameterState, SigmaZeroFollowsTheRadius) {
    const auto& all = convolution().parameters();
    const auto sigma = std::ranges::find(all, "sigma", &gpu::Parameter::id);
    ASSERT_NE(sigma, all.end());
    ASSERT_NE(sigma->follows, nullptr);
    EXPECT_NEAR(std::get<double>(sigma->follows({{"radius", std::int64_t{2}}})), 1.1, 1e-12);
}

TEST(VariantList, IsTheLadderAndCheckable) {
    VariantListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFamily(convolution());
    EXPECT_EQ(model.rowCount(), static_cast<int>(convolution().variants().size()));
    const int usual = static_cast<int>(gpu::askedRuns(convolution(), {}).size());
    EXPECT_LT(usual, model.rowCount()) << "portable rows are there";
    EXPECT_EQ(model.checkedCount(), usual) << "and are not checked";
    ASSERT_TRUE(model.setData(model.index(0), Qt::Unchecked, Qt::CheckStateRole));
    EXPECT_EQ(model.checkedCount(), usual - 1);
    EXPECT_EQ(model.checked().front(), convolution().variants()[1].id);
}

TEST(VariantList, HoldsAVariantAgainWithTunablesOfItsOwn) {
    VariantListModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setFamily(convolution());
    const int ladder = model.rowCount(), checked = model.checkedCount();
    model.add("tiled_output@block_width=16@block_height=4");
    model.add("naive@block_width=64");
    model.add("tiled_output@block_width=8");
    const std::vector<std::string> added{"tiled_output@block_height=4@block_width=16", "naive@block_width=64",
                                         "tiled_output@block_width=8"};
    EXPECT_EQ(model.addedTo(convolution()), added);
    EXPECT_EQ(model.rowCount(), ladder + 3);
    EXPECT_EQ(model.rowOf(added[1]), 1) << "below the variant's own row";
    const int own = model.rowOf("tiled_output");
    EXPECT_EQ(model.rowOf(added[0]), own + 1);
    EXPECT_EQ(model.rowOf(added[2]), own + 2);
    EXPECT_EQ(model.index(1).data().toString().toStdString(), added[1]);
    EXPECT_EQ(model.variant(1)->source, model.variant(0)->source);
    EXPECT_EQ(model.checkedCount(), checked + 3);

    model.add(added[1]);
    EXPECT_EQ(model.rowCount(), ladder + 3) << "one that is there is not added again";
    EXPECT_THROW(model.add("naive@colour=3"), gpu::Error);
    EXPECT_THROW(model.add("naive@block_width=0"), gpu::Error);
    model.remove("naive");
    EXPECT_EQ(model.rowCount(), ladder + 3) << "the ladder stays whole";

    // A row keeps its mark while another family is looked at.
    ASSERT_TRUE(model.setData(model.index(1), Qt::Unchecked, Qt::CheckStateRole));
    model.setFamily(gpu::familyOf("histogram"));
    EXPECT_EQ(model.rowCount(), static_cast<int>(gpu::familyOf("histogram").variants().size()));
    model.setFamily(convolution());
    EXPECT_EQ(model.addedTo(convolution()), added);
    EXPECT_EQ(model.data(model.index(1), Qt::CheckStateRole).toInt(), Qt::Unchecked);

    const gpu::Variant* row = model.variant(1);
    model.remove(added[1]);
    EXPECT_EQ(model.rowOf(added[1]), -1);
    EXPECT_EQ(row->id, added[1]) << "who still shows it may go on";
    model.setAdded({"naive@block_width=64", "naive@colour=3", "magic", "constant", "naive@block_width=064"});
    EXPECT_EQ(model.addedTo(convolution()), std::vector<std::string>{"naive@block_width=64"});
    model.setAdded({});
    EXPECT_EQ(model.rowCount(), ladder);
    EXPECT_EQ(model.checkedCount(), checked);
}

TEST(ShownVariants, KeepTheirPlaces) {
    const std::vector<std::string> ladder{"a", "b", "c", "d", "e"};
    ShownVariants shown;
    shown.update(3, ladder, "a", "b");
    EXPECT_EQ(shown.ids(), (std::vector<std::string>{"a", "b", "c"}));
    shown.update(3, ladder, "a", "c");
    EXPECT_EQ(shown.ids(), (std::vector<std::string>{"a", "b", "c"})) << "choosing what is shown moves nothing";
    shown.update(3, ladder, "a", "e");
    EXPECT_EQ(shown.ids(), (std::vector<std::string>{"a", "b", "e"}));
    shown.update(1, ladder, "a", "e");
    EXPECT_EQ(shown.ids(), (std::vector<std::string>{"e"}));
    shown.update(1, ladder, "a", "a");
    EXPECT_EQ(shown.ids(), (std::vector<std::string>{"a"}));
}

TEST(EquivalentCommand, LeavesOutDefaultsAndQuotes) {
    ParameterState state;
    state.setFamily(convolution());
    const auto compare = [&](const QString& input, const ReadChoice& choice = {},
                             const std::vector<std::string>& variants = {}, const std::string& device = {}) {
        return commandOf("compare", {input, choice, state, variants, {}, device});
    };
    EXPECT_EQ(compare("photo.png", {}, {}, "cpu"),
              "warplens-cli compare photo.png convolution --variants all --device cpu");
    state.set("radius", std::int64_t{4});
    state.set("border", std::string("wrap"));
    EXPECT_EQ(
        compare("/a b/it's.png", {}, {"naive", "constant"}),
        "warplens-cli compare '/a b/it'\\''s.png' convolution --radius 4 --border wrap --variants naive,constant");
    state.set("normalise", true);
    EXPECT_TRUE(compare("x").contains("--normalise --border wrap")) << compare("x").toStdString();
    state.set("normalise", false);
    state.set("offset", -3.0);
    EXPECT_TRUE(compare("x").contains("--offset=-3"));
    EXPECT_TRUE(compare("x", {3, "1.2.4"}).startsWith("warplens-cli compare x convolution --frame 3 --series 1.2.4 "));
    EXPECT_TRUE(compare("x", {0, "", true}).startsWith("warplens-cli compare x convolution --as f32 "));
}

TEST(EquivalentCommand, AllIsTheLadderAsItStands) {
    ParameterState state;
    state.setFamily(convolution());
    VariantListModel model;
    model.setFamily(convolution());
    const auto list = [&] {
        return commandOf("compare", {"x", {}, state, model.checked(), {}, {}}).section("--variants ", 1).toStdString();
    };
    EXPECT_EQ(list(), "all");
    model.add("naive@block_width=8");
    EXPECT_TRUE(list().starts_with("naive,naive@block_width=8,constant,")) << list();
    std::set<std::string> checked = model.checkedOf(convolution());
    checked.erase("naive");
    model.setChecked(checked);
    EXPECT_TRUE(list().starts_with("naive@block_width=8,constant,")) << "as many rows as the ladder, but others";
    const CommandContext now{"x", {}, state, model.checked(), "naive@block_width=8", ""};
    EXPECT_TRUE(commandOf("compare", now).contains("--variants naive@block_width=8,constant,"));
    EXPECT_TRUE(
        commandRunning(now.current, now).contains("--variant naive@block_width=8 -o x-naive@block_width=8.npy"));
    EXPECT_TRUE(commandOf("explain", now).contains("--variants naive@block_width=8,constant,"));
}

TEST(SeriesGuess, TheLastNumberStandsForAll) {
    const QTemporaryDir folder;
    for (const char* name : {"pad-007.png", "pad-100.png", "scan2_9.tif", "scan2_10.tif", "none.png", "a7.jp2"})
        QFile(folder.filePath(name)).open(QIODevice::WriteOnly);
    const auto guess = [&](const char* name) { return seriesOf(folder.filePath(name)); };
    const auto series = [&](const char* pattern) { return QStringLiteral("series:") + folder.filePath(pattern); };
    EXPECT_EQ(guess("pad-007.png"), series("pad-###.png"));
    EXPECT_EQ(guess("pad-100.png"), series("pad-###.png")) << "a neighbour has zeros before its number";
    EXPECT_EQ(guess("scan2_10.tif"), series("scan2_#.tif"));
    EXPECT_EQ(guess("scan2_9.tif"), series("scan2_#.tif"));
    EXPECT_EQ(guess("a7.jp2"), series("a#.jp2"));
    EXPECT_EQ(guess("none.png"), "");
}

TEST(RecentFiles, NewestFirstWithoutMissingOnes) {
    const QTemporaryDir folder;
    QSettings settings(folder.filePath("s.ini"), QSettings::IniFormat);
    RecentFiles recent(settings);
    for (const char* name : {"a.png", "b.png", "c.png"}) {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        recent.add(file.fileName());
    }
    recent.add(folder.filePath("a.png"));
    recent.add("gen:noise:8x8:u8");
    QFile::remove(folder.filePath("b.png"));
    EXPECT_EQ(recent.list(), (QStringList{folder.filePath("a.png"), folder.filePath("c.png")}));
}

TEST(LivePolicy, ManyChangesAreOneRun) {
    LivePolicy policy;
    QSignalSpy due(&policy, &LivePolicy::due);
    for (int i = 0; i < 10; ++i) policy.request();
    EXPECT_TRUE(due.wait(1000));
    QTest::qWait(2 * LivePolicy::kDebounceMs);
    EXPECT_EQ(due.size(), 1);
}

TEST(LivePolicy, WhatIsSeenAlreadyRunsWhenTheSliderRests) {
    LivePolicy policy;
    QSignalSpy due(&policy, &LivePolicy::due);
    QElapsedTimer clock;
    clock.start();
    // Twice the debounce in steps that are shorter than it: no rest in between.
    while (clock.elapsed() < 2 * LivePolicy::kDebounceMs) {
        policy.requestAtRest();
        QTest::qWait(LivePolicy::kDebounceMs / 6);
    }
    EXPECT_EQ(due.size(), 0);
    EXPECT_TRUE(due.wait(1000));
}

TEST(LivePolicy, LetsAShortRunFinishAndReplacesALongOne) {
    LivePolicy policy;
    QSignalSpy due(&policy, &LivePolicy::due);
    policy.began();
    policy.request();
    QTest::qWait(2 * LivePolicy::kDebounceMs);
    EXPECT_EQ(due.size(), 0) << "the run under way is still young";
    policy.ended();
    EXPECT_TRUE(due.wait(200));
    policy.began();
    policy.request();
    EXPECT_TRUE(due.wait(2 * LivePolicy::kPatienceMs)) << "a long run is replaced";
}

TEST(LayoutRules, NothingGoesInALargeWindowAndAllInASmallOne) {
    EXPECT_EQ(layoutRules({1600, 1000}), LayoutRules{});
    const LayoutRules small = layoutRules({1280, 720});
    EXPECT_TRUE(small.sourceBehindResults && small.ideasInTooltips && small.fewColumns && small.lowResults &&
                small.deviceHidden && small.taskNarrow && small.legendFolded);
    // The order of the rules for width.
    int before = 0;
    for (int width = 1600; width >= 1280; --width) {
        const LayoutRules r = layoutRules({width, 1000});
        const int given = r.sourceBehindResults + r.fewColumns + r.deviceHidden + r.taskNarrow + r.legendFolded;
        EXPECT_GE(given, before);
        before = given;
        EXPECT_TRUE(r.sourceBehindResults || given == 0);
    }
}

TEST(Document, SaysWhatThePictureIs) {
    Document document;
    OpenedPicture picture;
    picture.grid = std::make_shared<const io::Grid>(io::read("gen:noise:640x480:u8:c=3"));
    picture.thumbnail = thumbnailOf(*picture.grid, 112);
    document.set("gen:noise:640x480:u8:c=3", picture);
    EXPECT_EQ(document.facts().value(0), "640 × 480, 3 channels");
    EXPECT_EQ(document.facts().value(1), "u8, 900 KiB");
    EXPECT_EQ(document.thumbnail().size(), QSize(112, 84));
    EXPECT_TRUE(document.geometry().isEmpty());
    io::Grid volume = io::read("gen:noise:4x3x2:u8");
    volume.geometry.spacing = {0.5, 0.5, 2};
    volume.geometry.origin = {1, 2, 3};
    volume.geometry.direction = {0, 1, 0, 1, 0, 0, 0, 0, -1};
    picture.grid = std::make_shared<const io::Grid>(std::move(volume));
    document.set("turned.nrrd", picture);
    EXPECT_EQ(document.facts().value(2), "spacing 0.5 × 0.5 × 2 mm");
    EXPECT_EQ(document.geometry().value(0), "origin 1, 2, 3 mm");
    EXPECT_EQ(document.geometry().value(1), "x axis points to 0, 1, 0");
    EXPECT_EQ(document.geometry().value(3), "z axis points to 0, 0, −1");
    EXPECT_TRUE(document.geometry().value(4).contains("LPS")) << "a sign means nothing without its convention";
}

}  // namespace
}  // namespace warplens::gui
