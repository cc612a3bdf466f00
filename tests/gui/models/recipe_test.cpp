// SPDX-License-Identifier: Apache-2.0
// Steps kept as one thing, without a window: chosen, changed, undone, opened, in sessions, and the same bits as the
// command line makes.
#include "gpu/core/registry.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/session_state.hpp"
#include "io/read.hpp"
#include "io/write.hpp"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

namespace warplens::gui {
namespace {

constexpr int kPatienceMs = 60'000;

bool sameBits(const io::Grid& a, const io::Grid& b) {
    return a.shape() == b.shape() && a.type() == b.type() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

class RecipeTest : public testing::Test {
protected:
    void SetUp() override {
        session().devices().fetch("cpu");
        ASSERT_TRUE(waitFor([this] { return session().devices().chosen() != nullptr; }));
        io::write(io::read("gen:noise:40x30:u8:seed=1"), file("p1.npy").toStdString());
        session().inputs().open(file("p1.npy"));
        ASSERT_TRUE(arrived([this] { return !session().document().empty(); }));
    }
    CompareSession& session() { return m_session; }
    RecipeState& recipe() { return session().recipe(); }
    std::vector<gpu::recipe::Step> steps() {
        return recipe().place() == nullptr ? std::vector<gpu::recipe::Step>() : recipe().place()->recipe.steps;
    }
    std::size_t at() { return recipe().place()->at; }
    const io::Grid& picture() { return *session().document().grid(); }
    std::shared_ptr<const io::Grid> result() {
        return session().results().of(session().request().current())->result.picture;
    }
    bool waitFor(const std::function<bool()>& what) { return QTest::qWaitFor(what, kPatienceMs); }
    /// The task's result is there, of the present values, and checked.
    bool filtered() {
        return waitFor([this] {
            const std::string& current = session().request().current();
            const gpu::RunRecord* record = session().results().of(current);
            return record != nullptr && !session().results().stale(current) && record->verification &&
                   !session().activity().busy();
        });
    }
    /// What is under way has come, and the task's result with it.
    bool arrived(const std::function<bool()>& what) { return waitFor(what) && filtered(); }
    void task(const char* family, const gpu::ParameterValues& values) {
        session().request().setFamily(gpu::familyOf(family));
        for (const auto& [id, value] : values) ASSERT_TRUE(session().parameters().set(id, value));
        ASSERT_TRUE(filtered());
    }
    void use() {
        const std::size_t before = steps().size();
        recipe().append();
        ASSERT_TRUE(arrived([&] { return steps().size() == before + 1; }));
    }
    void denoiseAndSharpen() {
        task("rank", {});
        use();
        task("convolution", {{"filter", std::string("unsharp")}});
        use();
    }
    QString file(const char* name) { return folder.filePath(QString::fromUtf8(name)); }
    /// Whether the command line ran well, where the temporary folder is.
    static std::string programs() { return QCoreApplication::applicationDirPath().toStdString(); }
    int shell(const std::string& line) {
        return std::system(
            ("cd '" + folder.path().toStdString() + "' && PATH=" + programs() + ":$PATH && " + line).c_str());
    }

    QTemporaryDir folder;

private:
    CompareSession m_session;
};

TEST_F(RecipeTest, TheCommandLineMakesTheSameBits) {
    denoiseAndSharpen();
    session().parameters().set("radius", std::int64_t{3});
    ASSERT_TRUE(filtered());
    for (const bool saved : {false, true}) {
        if (saved) {
            recipe().append();
            ASSERT_TRUE(arrived([this] { return steps().size() == 3; }));
            recipe().save(file("r.json"));
            recipe().select(2);
            ASSERT_TRUE(arrived([this] { return at() == 2; }));
        }
        const QString command = session().request().command();
        EXPECT_TRUE(command.startsWith("warplens-cli run")) << command.toStdString();
        EXPECT_EQ(command.contains("r.json"), saved) << command.toStdString();
        ASSERT_EQ(shell(command.toStdString()), 0) << command.toStdString();
        EXPECT_TRUE(sameBits(io::read(file("p1-recipe.npy").toStdString()), *result()));
    }
}

TEST_F(RecipeTest, StepsAreChosenChangedSwitchedMovedRemovedAndUndone) {
    const auto first = session().document().grid();
    denoiseAndSharpen();
    const auto both = session().document().grid();
    // Chosen: the task is that step, on what it works on.
    recipe().select(0);
    ASSERT_TRUE(arrived([this] { return at() == 0; }));
    EXPECT_EQ(session().document().grid(), first);
    EXPECT_EQ(session().parameters().family()->id(), "rank");
    EXPECT_FALSE(session().document().derived()) << "it is the file's own picture again";
    recipe().select(1);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    EXPECT_EQ(session().parameters().family()->id(), "convolution");
    EXPECT_TRUE(sameBits(*result(), *both));
    // Changed: the step follows the task.
    session().parameters().set("radius", std::int64_t{3});
    ASSERT_TRUE(filtered());
    EXPECT_EQ(gpu::format(steps()[1].parameters.at("radius")), "3");
    const auto wider = result();
    // Moved: the task stays the step that it is.
    recipe().move(1, 0);
    ASSERT_TRUE(arrived([this] { return steps()[0].family == "convolution"; }));
    EXPECT_EQ(at(), 0U);
    recipe().move(1, 0);
    ASSERT_TRUE(arrived([this] { return steps()[0].family == "rank"; }));
    EXPECT_EQ(at(), 1U);
    recipe().select(2);
    ASSERT_TRUE(arrived([this] { return at() == 2; }));
    EXPECT_TRUE(sameBits(picture(), *wider));
    EXPECT_TRUE(recipe().measured(0) && recipe().measured(1)) << "each step has its time";
    recipe().setOn(1, false);
    ASSERT_TRUE(arrived([this] { return !steps()[1].on; }));
    session().history().stack().undo();
    ASSERT_TRUE(arrived([this] { return steps()[1].on; }));
    // Switched off, moved, removed; and all of it undone.
    recipe().setOn(0, false);
    ASSERT_TRUE(arrived([this] { return !steps()[0].on; }));
    EXPECT_FALSE(sameBits(picture(), *wider));
    recipe().move(0, 1);
    ASSERT_TRUE(arrived([this] { return steps()[0].family == "convolution"; }));
    EXPECT_EQ(at(), 2U);
    recipe().setOn(1, true);
    ASSERT_TRUE(arrived([this] { return steps()[1].on; }));
    EXPECT_FALSE(sameBits(picture(), *wider)) << "the other way round";
    recipe().remove(0);
    ASSERT_TRUE(arrived([this] { return steps().size() == 1; }));
    for (int i = 0; i < 4; ++i) session().history().stack().undo();
    ASSERT_TRUE(filtered());
    EXPECT_EQ(steps().size(), 2U);
    EXPECT_EQ(steps()[0].family, "rank");
    EXPECT_TRUE(steps()[0].on);
    EXPECT_TRUE(sameBits(picture(), *wider));
    session().history().stack().redo();
    ASSERT_TRUE(filtered());
    EXPECT_FALSE(steps()[0].on);
    // Without steps there is no recipe.
    recipe().remove(1);
    ASSERT_TRUE(arrived([this] { return steps().size() == 1; }));
    recipe().remove(0);
    ASSERT_TRUE(arrived([this] { return recipe().place() == nullptr; }));
    EXPECT_EQ(session().document().grid(), first);
}

TEST_F(RecipeTest, ARecipesFileIsOpenedWithItsMasks) {
    QFile text(file("r.json"));
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write(R"({"schema": 1, "steps": [
        {"name": "mask", "family": "scan", "parameters": {"task": "threshold"}},
        {"family": "sparse", "input": "input", "parameters": {"task": "inpaint", "mask": {"step": "mask"}}}]})");
    text.close();
    recipe().open(text.fileName());
    ASSERT_TRUE(arrived([this] { return steps().size() == 2; })) << session().activity().notice().toStdString();
    const auto inpainted = session().document().grid();
    recipe().select(1);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    EXPECT_TRUE(sameBits(*result(), *inpainted)) << "the task takes the mask that step 1 makes";
    EXPECT_EQ(steps()[1].pictures.at("mask").kind, gpu::recipe::Source::Kind::step);
    recipe().move(0, 1);
    EXPECT_TRUE(session().activity().notice().contains("no earlier step is called 'mask'"));
    EXPECT_EQ(steps()[0].name, "mask");
    ASSERT_EQ(shell("warplens-cli run p1.npy --recipe r.json --device cpu -o o.npy > /dev/null"), 0);
    EXPECT_TRUE(sameBits(io::read(file("o.npy").toStdString()), *inpainted));
    recipe().open(file("p1.npy"));
    EXPECT_TRUE(session().activity().noticeIsError());
}

TEST_F(RecipeTest, PicturesFarFromTheStepAtHandAreLetGoAndComputedAgain) {
    task("rank", {});
    use();
    for (const char* filter : {"unsharp", "gaussian", "laplacian"}) {
        task("convolution", {{"filter", std::string(filter)}});
        use();
    }
    EXPECT_EQ(recipe().kept().pictures, 4U);
    const auto last = session().document().grid();
    recipe().setMostBytes(2 * last->bytes());
    EXPECT_EQ(recipe().kept().pictures, 2U);
    EXPECT_EQ(recipe().kept().made, 4U);
    recipe().select(1);  // what step 1 made is wanted again
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    const auto denoised = session().document().grid();
    EXPECT_EQ(denoised->type(), io::PixelType::u8);
    EXPECT_LE(recipe().kept().pictures, 3U);
    recipe().select(4);
    ASSERT_TRUE(arrived([this] { return at() == 4; }));
    EXPECT_TRUE(sameBits(picture(), *last));
    recipe().setMostBytes(0);
    EXPECT_EQ(recipe().kept().pictures, 0U);
    recipe().select(3);
    ASSERT_TRUE(arrived([this] { return at() == 3; }));
    EXPECT_TRUE(sameBits(*result(), *last));
}

TEST_F(RecipeTest, TurnsThatAreOpenedTogetherAreOneRun) {
    QFile text(file("r.json"));
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write(R"({"schema": 1, "steps": [{"family": "layout", "parameters": {"task": "rotate90"}},
        {"family": "layout", "parameters": {"task": "rotate90"}}, {"family": "rank"}]})");
    text.close();
    const auto first = session().document().grid();
    recipe().open(text.fileName());
    ASSERT_TRUE(arrived([this] { return steps().size() == 3; })) << session().activity().notice().toStdString();
    EXPECT_EQ(recipe().ranWithin(0), 1U);
    EXPECT_EQ(recipe().ranWithin(1), std::nullopt);
    EXPECT_TRUE(recipe().measured(1) != nullptr && recipe().measured(0) == nullptr);
    recipe().select(1);  // the first turn's own picture
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    EXPECT_EQ(picture().shape().width, first->shape().height);
    EXPECT_EQ(recipe().ranWithin(0), std::nullopt);
}

TEST_F(RecipeTest, ASessionHoldsTheStepsAndTheFile) {
    denoiseAndSharpen();
    const auto both = session().document().grid();
    recipe().select(1);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    const SessionDocument kept = capture(session());
    EXPECT_EQ(kept.input, file("p1.npy"));
    EXPECT_EQ(kept.name, QString()) << "no array";
    EXPECT_EQ(kept.at, 1);
    const SessionDocument read = parseSession(toJson(kept, folder.path()), file("s.warplens"));
    EXPECT_EQ(read.recipe, kept.recipe);
    EXPECT_EQ(read.at, 1);
    session().inputs().open(file("p1.npy"));
    ASSERT_TRUE(arrived([this] { return recipe().place() == nullptr; }));
    apply(read, session());
    ASSERT_TRUE(arrived([this] { return recipe().place() != nullptr; }));
    EXPECT_EQ(at(), 1U);
    EXPECT_TRUE(sameBits(*result(), *both));
    EXPECT_FALSE(session().history().stack().canUndo());
}

TEST_F(RecipeTest, ASessionWhoseLastStepDoesNotRunKeepsItsSteps) {
    denoiseAndSharpen();
    SessionDocument kept = capture(session());
    kept.recipe.steps.push_back({.family = "scan", .parameters = {{"task", std::string("equalise")}}});  // of floats
    kept.at = 3;
    session().inputs().open(file("p1.npy"));
    ASSERT_TRUE(arrived([this] { return recipe().place() == nullptr; }));
    apply(kept, session());
    ASSERT_TRUE(waitFor([this] { return recipe().place() != nullptr; }));
    EXPECT_EQ(at(), 2U) << "at the step that fails";
    EXPECT_EQ(recipe().place()->recipe, kept.recipe);
    EXPECT_NE(session().activity().notice(), QString());
}

TEST_F(RecipeTest, TimesAreOfOneDevice) {
    denoiseAndSharpen();
    ASSERT_NE(recipe().measured(0), nullptr);
    int told = 0;
    QObject::connect(&recipe(), &RecipeState::changed, &recipe(), [&] { ++told; });
    session().devices().choose("cuda:7");
    EXPECT_GT(told, 0);
    EXPECT_EQ(recipe().measured(0), nullptr) << "of the device that was left";
    session().devices().choose("cpu");
    EXPECT_NE(recipe().measured(0), nullptr);
}

TEST_F(RecipeTest, APaintedMaskLiesInNoFile) {
    const auto mask = std::make_shared<const io::Grid>(io::read("gen:checkerboard:40x30:u8"));
    task("sparse", {{"task", std::string("inpaint")},
                    {"mask", std::make_shared<const gpu::NamedGrid>(gpu::NamedGrid{kPaintedMask, mask})}});
    const auto inpainted = result();
    use();
    EXPECT_TRUE(sameBits(picture(), *inpainted));
    EXPECT_EQ(session().request().command(), QString());
    recipe().save(file("r.json"));
    EXPECT_TRUE(session().activity().notice().contains("lies in no file"));
    EXPECT_FALSE(QFile::exists(file("r.json")));
    EXPECT_FALSE(capture(session()).name.isEmpty()) << "the picture itself is kept";
}

}  // namespace
}  // namespace warplens::gui
