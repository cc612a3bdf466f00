// SPDX-License-Identifier: Apache-2.0
// What the map of winners is made from.
#include "gpu/core/registry.hpp"
#include "gui/session/compare_session.hpp"
#include "gui/why/crossover_model.hpp"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <algorithm>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

class CrossoverTest : public testing::Test {
protected:
    void SetUp() override {
        session.devices().fetch("cpu");
        ASSERT_TRUE(QTest::qWaitFor([this] { return session.devices().chosen() != nullptr; }, 60'000));
        session.request().setFamily(gpu::familyOf("convolution"));
        model.setFolder(folder.path());
    }
    /// naive and constant are the same at radius 1, constant wins at radius 2, tiled_input has no time.
    static gpu::Sweep sweep() {
        gpu::Sweep sweep;
        sweep.device.kind = gpu::DeviceKind::cuda;
        sweep.device.name = "NVIDIA Test";
        sweep.environment.date = "2099-01-31T00:00:00Z";
        sweep.family = "convolution";
        sweep.axes = {{gpu::SweepAxis::Kind::parameter, "radius", {"1", "2"}},
                      {gpu::SweepAxis::Kind::size, "size", {"64x64"}}};
        sweep.input = "noise";
        sweep.type = "f32";
        sweep.sizes = {{64, 64}};
        sweep.variants = {"naive", "constant", "tiled_input"};
        const auto row = [](const char* id, double ms) {
            gpu::Timing time{
                .clock = gpu::Clock::device, .medianMs = ms, .lowMs = ms * 0.99, .highMs = ms * 1.01, .samples = 20};
            return gpu::SweepRow{id, gpu::Status::ok, "", time};
        };
        const gpu::SweepRow wrong{"tiled_input", gpu::Status::wrong, "3 values are wrong", {}};
        sweep.cells = {{{"1", "64x64"}, 64, 64, {row("naive", 1), row("constant", 1.001), wrong}},
                       {{"2", "64x64"}, 64, 64, {row("naive", 3), row("constant", 2), wrong}}};
        return sweep;
    }
    void write(const QString& name, const gpu::Sweep& written) {
        QFile file(folder.filePath(name));
        ASSERT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(gpu::toJson(written)));
    }
    QTemporaryDir folder;
    CompareSession session;
    CrossoverModel model{session.request(), session.control(), session.activity()};
};

TEST_F(CrossoverTest, WhatIsNotExactIsNotTheFastestOfAComparison) {
    const auto& variants = gpu::familyOf("convolution").variants();
    session.runs().expect({&variants[0], &variants[1]}, true);
    const auto take = [&](const gpu::Variant& variant, double ms, const char* note) {
        gpu::RunRecord record;
        record.variant = variant.id;
        record.time = gpu::Timing{.clock = gpu::Clock::device, .medianMs = ms, .lowMs = ms, .highMs = ms, .samples = 9};
        record.verification = gpu::Verification{.checkedShare = 1, .firstMismatch = {}, .note = note};
        session.results().take(record, 1);
    };
    take(variants[0], 2, "");
    take(variants[1], 1, "3 of 100 values are not the nearest distance");
    EXPECT_EQ(session.results().fastest(), &variants[0]);
    take(variants[1], 1, "");
    EXPECT_EQ(session.results().fastest(), &variants[1]);
}

TEST_F(CrossoverTest, ReadsWhatLiesInItsFolder) {
    write(QStringLiteral("a.sweep.json"), sweep());
    model.setFolder(folder.path());
    ASSERT_NE(model.current(), nullptr);
    EXPECT_EQ(model.current()->origin, Origin::measured);
    EXPECT_EQ(CrossoverModel::titleOf(*model.current()), "radius × size, NVIDIA Test, 31 Jan 2099, noise f32");
    EXPECT_EQ(model.winner(*model.cell(0, 0))->verdict, gpu::Verdict::same);
    EXPECT_EQ(model.winner(*model.cell(1, 0))->fastest->id, "constant");
    EXPECT_EQ(model.cell(2, 0), nullptr);
    model.setCompetes("constant", false);
    EXPECT_EQ(model.winner(*model.cell(1, 0))->fastest->id, "naive");
    model.setCompetes("naive", false);
    EXPECT_FALSE(model.winner(*model.cell(1, 0)));
    model.setCompetes("tiled_input", false);
    EXPECT_FALSE(model.winner(*model.cell(1, 0))) << "nobody competes";
}

// Over blocks: what is best is taken into the request, and the command line says the same.
TEST_F(CrossoverTest, TheBestBlockIsTakenAsARowOfItsOwn) {
    gpu::Sweep blocks = sweep();
    blocks.axes = {{gpu::SweepAxis::Kind::tunable, "block_width", {"8", "16"}},
                   {gpu::SweepAxis::Kind::parameter, "radius", {"1", "3"}}};
    blocks.variants = {"naive"};
    blocks.cells.clear();
    double ms = 9;
    for (const char* radius : {"1", "3"})
        for (const char* width : {"8", "16"}) {
            gpu::SweepCell cell{{width, radius}, 64, 64, {sweep().cells[0].rows[0]}};
            cell.rows[0].time->medianMs = --ms;
            blocks.cells.push_back(cell);
        }
    write(QStringLiteral("a.sweep.json"), blocks);
    model.setFolder(folder.path());
    ASSERT_NE(model.current(), nullptr);
    const auto best = model.best(*model.cell(0, 1));
    ASSERT_TRUE(best);
    EXPECT_EQ(best->cell, model.cell(1, 1));
    model.use(*best->cell, best->row->id);
    EXPECT_EQ(session.request().current(), "naive@block_width=16");
    EXPECT_EQ(gpu::integerOf(session.parameters().parameters(), session.parameters().values(), "radius"), 3);
    EXPECT_TRUE(model.problem().isEmpty()) << model.problem().toStdString();

    // The row that was added has its width: it takes no part, and is not in the command.
    session.variants().setChecked({"naive", "constant", "naive@block_width=16", "opencv"});
    EXPECT_EQ(model.command({QStringLiteral("block_width=8,16"), QStringLiteral("radius=1:2")}),
              "warplens-cli sweep convolution --over block_width=8,16 --over radius=1,2 --variants naive,constant "
              "--device cpu");
    EXPECT_TRUE(model.command({QStringLiteral("block_width=")}).isEmpty());
    session.variants().setChecked({"opencv"});
    model.start({QStringLiteral("block_width=8,16")});
    EXPECT_FALSE(model.busy());
    EXPECT_TRUE(model.problem().contains(QStringLiteral("check one"))) << model.problem().toStdString();
}

TEST_F(CrossoverTest, ExportsInEveryFormAndRefusesOthers) {
    write(QStringLiteral("a.sweep.json"), sweep());
    model.setFolder(folder.path());
    for (const char* name : {"b.sweep.json", "b.csv", "b.md", "b.html"}) {
        model.save(folder.filePath(QString::fromLatin1(name)));
        EXPECT_TRUE(model.problem().isEmpty()) << model.problem().toStdString();
        QFile file(folder.filePath(QString::fromLatin1(name)));
        ASSERT_TRUE(file.open(QIODevice::ReadOnly)) << name;
        EXPECT_TRUE(file.readAll().contains("constant")) << name;
    }
    model.save(folder.filePath(QStringLiteral("b.png")));
    EXPECT_TRUE(model.problem().contains(QStringLiteral(".html")));
}

TEST_F(CrossoverTest, OpensAFileAndRefusesWhatIsNone) {
    write(QStringLiteral("good.json"), sweep());
    model.open(folder.filePath(QStringLiteral("good.json")));
    ASSERT_NE(model.current(), nullptr);
    EXPECT_EQ(model.current()->origin, Origin::recorded) << "that GPU is not here";
    EXPECT_TRUE(model.problem().isEmpty());
    model.open(folder.filePath(QStringLiteral("missing.sweep.json")));
    EXPECT_FALSE(model.problem().isEmpty());
    session.request().setFamily(gpu::familyOf("histogram"));
    EXPECT_EQ(model.current(), nullptr);
    EXPECT_TRUE(model.refusal().isEmpty()) << "blocks and sizes can be varied";
    model.open(folder.filePath(QStringLiteral("good.json")));
    EXPECT_TRUE(model.problem().contains(QStringLiteral("convolution")));
}

TEST_F(CrossoverTest, ASweepOfTheCpuIsKeptAndNamesNobody) {
    model.start({QStringLiteral("radius=1, x"), QStringLiteral("size=16")});
    EXPECT_TRUE(model.problem().contains(QStringLiteral("'x'"))) << model.problem().toStdString();
    EXPECT_FALSE(model.busy());
    model.start({QStringLiteral("radius=1,2"), QStringLiteral("size=16, 24x8")});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model.busy(); }, 60'000));
    ASSERT_NE(model.current(), nullptr) << model.problem().toStdString();
    EXPECT_EQ(model.current()->sweep.cells.size(), 4U);
    EXPECT_TRUE(QFile::exists(model.current()->path));
    for (std::size_t value = 0; value < 2; ++value)
        for (std::size_t size = 0; size < 2; ++size) EXPECT_FALSE(model.winner(*model.cell(value, size)));
    model.setFolder(folder.path());
    const auto& entries = model.entries();
    EXPECT_TRUE(std::ranges::any_of(entries, [](const auto* entry) {
        return entry->sweep.device.kind == gpu::DeviceKind::simt;
    })) << "read again";
}

TEST_F(CrossoverTest, CancelKeepsTheCellsThatWereMeasured) {
    int shown = 0;
    QObject::connect(&model, &CrossoverModel::changed, &model, [&] {
        const CrossoverModel::Entry* entry = model.current();
        if (entry != nullptr && entry->sweep.device.kind == gpu::DeviceKind::simt && !entry->sweep.cells.empty() &&
            shown++ == 0)
            model.cancel();
    });
    model.start({QStringLiteral("radius=1,15"), QStringLiteral("size=16,3000")});
    ASSERT_TRUE(QTest::qWaitFor([this] { return !model.busy(); }, 60'000));
    ASSERT_NE(model.current(), nullptr);
    EXPECT_TRUE(model.current()->sweep.interrupted);
    EXPECT_GE(model.current()->sweep.cells.size(), 1U);
    EXPECT_LT(model.current()->sweep.cells.size(), 4U);
    EXPECT_TRUE(QFile::exists(model.current()->path));
    EXPECT_TRUE(model.problem().contains(QStringLiteral("Stopped after")));
}

}  // namespace
}  // namespace warplens::gui
