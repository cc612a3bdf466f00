// SPDX-License-Identifier: Apache-2.0
// Every step that Picture offers makes the same bits in its list of steps, in a batch and on the command line.
#include "gpu/core/error.hpp"
#include "gpu/recipe/file.hpp"
#include "gui/session/folder_run.hpp"
#include "gui/session/known_steps.hpp"
#include "gui/session/recipe_work.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/support/program.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QTemporaryDir>
#include <QTest>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <optional>

namespace warplens::gui {
namespace {

constexpr int kPatienceMs = 60'000;

bool sameBits(const io::Grid& a, const io::Grid& b) {
    return a.shape() == b.shape() && a.type() == b.type() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

class EveryStep : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        QDir(m_folder.path()).mkdir("in");
        m_input = std::make_shared<const io::Grid>(io::generate(GetParam()));
        io::write(*m_input, path("in/p.npy"));
    }
    std::string path(const std::string& name) const {
        return m_folder.filePath(QString::fromStdString(name)).toStdString();
    }
    /// Runs `work` as the window does, on another thread.
    template <class Work>
    void asJob(Work work) {
        QObject owner;
        JobRunner jobs;
        jobs.start(
            &owner,
            [&](const JobContext& context) {
                work(context);
                return Done{};
            },
            [](JobResult<Done> result) { EXPECT_TRUE(result) << result.failure().message.toStdString(); });
        ASSERT_TRUE(QTest::qWaitFor([&] { return !jobs.busy(); }, kPatienceMs));
    }
    /// As the list of steps has it made; null: such a picture is nothing for the step, or it makes none.
    std::shared_ptr<const io::Grid> listed(const gpu::recipe::Step& step, const JobContext& context) {
        gpu::Request base;
        base.input = m_input;
        base.device = "cpu";
        base.timing = gpu::TimingPolicy::once();
        base.measureLimits = false;
        base.hostLibraries = true;
        try {
            return makeStep(m_runner, {{step}}, 1, base, {}, context).picture.grid;
        } catch (const gpu::Error&) {
            return nullptr;
        }
    }
    io::Grid batched(const gpu::recipe::Step& step, const std::string& to, const JobContext& context) {
        FolderPlan plan{.request = {},
                        .recipe = {{step}},
                        .devices = {"cpu"},
                        .from = m_folder.filePath("in"),
                        .to = m_folder.filePath(QString::fromStdString(to)),
                        .ending = "npy",
                        .files = {"p.npy"}};
        plan.request.timing = gpu::TimingPolicy::once();
        plan.request.measureLimits = false;
        plan.request.hostLibraries = true;
        runFolder(m_runner, plan, context, [&](const FolderRow& row) {
            EXPECT_EQ(row.became, FolderRow::Became::done) << to << ": " << row.said.toStdString();
        });
        return io::read(path(to + "/p.npy"));
    }

    QTemporaryDir m_folder;
    std::shared_ptr<const io::Grid> m_input;
    gpu::Runner m_runner;
};

TEST_P(EveryStep, MakesTheSameBitsInTheListInABatchAndOnTheCommandLine) {
    gpu::recipe::Recipe all;
    std::vector<std::shared_ptr<const io::Grid>> made;
    std::vector<io::Grid> batches;
    asJob([&](const JobContext& context) {
        for (const KnownStep& known : knownSteps(nullptr)) {
            gpu::recipe::Step step{.family = known.family->id(), .parameters = known.values};
            const auto picture = listed(step, context);
            if (picture == nullptr) continue;
            batches.push_back(batched(step, "step " + std::to_string(made.size() + 1), context));
            made.push_back(picture);
            step.input.kind = gpu::recipe::Source::Kind::input;
            all.steps.push_back(step);
        }
    });
    EXPECT_GT(made.size(), 30U);
    // One process for all of them: each takes the input.
    gpu::recipe::save(all, path("all.json"));
    const test::Outcome ended = test::runProgram(
        {QCoreApplication::applicationDirPath().toStdString() + "/warplens-cli", "run", path("in/p.npy"), "--recipe",
         path("all.json"), "--keep-steps", path("kept"), "--device", "cpu"});
    ASSERT_EQ(ended.status, 0) << ended.err;
    for (std::size_t i = 0; i < made.size(); ++i) {
        const gpu::recipe::Step& step = all.steps[i];
        const std::string what = nameOf(step, knownSteps(nullptr)).title.toStdString() + " (" + step.family +
                                 ", step " + std::to_string(i + 1) + ")";
        EXPECT_TRUE(sameBits(*made[i], batches[i])) << what << " in a batch";
        std::optional<io::Grid> kept;
        for (const auto& entry : std::filesystem::directory_iterator(path("kept")))
            if (entry.path().stem() == "p.step-" + std::to_string(i + 1)) kept = io::read(entry.path().string());
        ASSERT_TRUE(kept) << what;
        EXPECT_TRUE(sameBits(*made[i], *kept)) << what << " on the command line";
    }
}

INSTANTIATE_TEST_SUITE_P(Pictures, EveryStep,
                         testing::Values("gen:blobs:40x33:u8:c=3", "gen:blobs:40x33:u8", "gen:blobs:20x17x7:u8"),
                         [](const auto& which) {
                             return which.index == 0 ? "colour" : which.index == 1 ? "grey" : "volume";
                         });

}  // namespace
}  // namespace warplens::gui
