// SPDX-License-Identifier: Apache-2.0
// Steps kept as one thing: made by keys and by mouse (counted in walks.md), changed, undone, saved, and the same bits
// in window, command line and batch.
#include "gui/recipe/recipe_strip.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/recipe_state.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/counted_walk.hpp"
#include "tests/support/program.hpp"
#include "tests/support/schema.hpp"

#include <QAction>
#include <QCheckBox>
#include <QContextMenuEvent>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QMenu>
#include <QScrollArea>
#include <QSignalSpy>
#include <QWindow>
#include <cstring>

namespace warplens::gui::test {
namespace {

bool sameBits(const io::Grid& a, const io::Grid& b) {
    return a.shape() == b.shape() && a.type() == b.type() && std::memcmp(a.data(), b.data(), a.bytes()) == 0;
}

std::string textOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

class RecipeTest : public CountedWalk {
protected:
    RecipeState& recipe() { return session().recipe(); }
    std::vector<gpu::recipe::Step> steps() {
        return recipe().place() == nullptr ? std::vector<gpu::recipe::Step>() : recipe().place()->recipe.steps;
    }
    std::size_t at() { return recipe().place()->at; }
    const io::Grid& picture() { return *session().document().grid(); }
    std::shared_ptr<const io::Grid> result() { return record().result.picture; }
    /// What is under way has come, and the task's result with it.
    bool arrived(const std::function<bool()>& what) { return waitFor(what) && filtered(); }
    void nameFile(const QString& path) {
        QLineEdit* name = nullptr;
        ASSERT_TRUE(waitFor([&] { return (name = window->findChild<QLineEdit*>("fileNameEdit")) != nullptr; }));
        name->selectAll();
        m_keys += 12;  // "denoise.json" in the folder it begins in
        QTest::keyClicks(name, path);
        ++m_keys;
        QTest::keyClick(name, Qt::Key_Return);
        ASSERT_TRUE(waitFor([&] { return QFile::exists(path); }));
    }
    void click(const char* name) {
        auto* widget = find<QWidget>(name);
        ASSERT_TRUE(widget != nullptr && widget->isVisible()) << name;
        ++m_clicks;
        QTest::mouseClick(widget, Qt::LeftButton, {}, widget->rect().center());
        QTest::qWait(20);
    }
    /// Median, then sharpened: two steps, as by keys.
    void denoiseAndSharpen() {
        ask("despeckle");
        ASSERT_TRUE(filtered());
        key(Qt::Key_U);
        ASSERT_TRUE(arrived([this] { return steps().size() == 1; }));
        ask("unsharp");
        ASSERT_TRUE(filtered());
        key(Qt::Key_U);
        ASSERT_TRUE(arrived([this] { return steps().size() == 2; }));
    }
    QString pictureFile(int number) {
        const QString path = folder.filePath(QStringLiteral("p%1.npy").arg(number));
        io::write(io::read("gen:noise:40x30:u8:seed=" + std::to_string(number)), path.toStdString());
        return path;
    }
    std::string cliName() {
        return QDir(QCoreApplication::applicationDirPath()).filePath("warplens-cli").toStdString();
    }
};

TEST_F(RecipeTest, AWalkByKeysThenABatchOfTheFolder) {
    QDir(folder.path()).mkpath("in");
    for (int i = 0; i < 3; ++i)
        ASSERT_TRUE(QFile::rename(pictureFile(i), folder.filePath(QStringLiteral("in/p%1.npy").arg(i))));
    open(folder.filePath("in/p1.npy"));
    EXPECT_FALSE(find<QWidget>("recipe-strip")->isVisible()) << "calm while there is none";
    denoiseAndSharpen();
    EXPECT_TRUE(find<QWidget>("recipe-strip")->isVisible());
    step("Denoise, then sharpen, by keys");
    ask("save the recipe");
    nameFile(folder.filePath("denoise.json"));
    ASSERT_TRUE(idle());
    step("Save it for the folder, by keys");
    EXPECT_EQ(warplens::test::violation("recipe", textOf(folder.filePath("denoise.json"))), "");
    const auto outcome = warplens::test::runProgram({cliName(), "run", folder.filePath("in").toStdString(), "--recipe",
                                                     folder.filePath("denoise.json").toStdString(), "--device", "cpu",
                                                     "-o", folder.filePath("out").toStdString()});
    ASSERT_EQ(outcome.status, 0) << outcome.err;
    EXPECT_EQ(QDir(folder.filePath("out")).entryList(QDir::Files).size(), 3);
    EXPECT_TRUE(sameBits(io::read(folder.filePath("out/p1.npy").toStdString()), picture())) << "batch as window";
    EXPECT_FALSE(sameBits(io::read(folder.filePath("out/p2.npy").toStdString()), picture()));
}

TEST_F(RecipeTest, TheStripByMouseAndKeys) {
    open(pictureFile(1));
    ask("despeckle");
    ASSERT_TRUE(filtered());
    key(Qt::Key_U);
    ASSERT_TRUE(arrived([this] { return steps().size() == 1; }));
    m_keys = m_clicks = 0;
    ask("unsharp");
    ASSERT_TRUE(filtered());
    m_keys = 0;
    click("recipe-add");
    ASSERT_TRUE(arrived([this] { return steps().size() == 2; }));
    click("recipe-step-1");
    ASSERT_TRUE(arrived([this] { return at() == 0; }));
    EXPECT_TRUE(find<QPushButton>("recipe-step-1")->isChecked());
    click("recipe-on-2");
    ASSERT_TRUE(arrived([this] { return !steps()[1].on; }));
    click("recipe-on-2");
    ASSERT_TRUE(arrived([this] { return steps()[1].on; }));
    click("recipe-add");  // behind the last
    ASSERT_TRUE(arrived([this] { return at() == 2; }));
    step("Add a step, look at the one before, switch the last off and on, go on");
    // Dragged behind the second.
    auto* name = find<QPushButton>("recipe-step-1");
    auto* second = find<QPushButton>("recipe-step-2");
    const QPoint from = name->mapTo(window.get(), name->rect().center());
    const QPoint to = second->mapTo(window.get(), second->rect().center());
    QWindow* handle = window->windowHandle();
    QTest::mousePress(handle, Qt::LeftButton, {}, from);
    QTest::mouseMove(handle, (from + to) / 2);
    QTest::mouseMove(handle, to);
    QTest::mouseRelease(handle, Qt::LeftButton, {}, to);
    ASSERT_TRUE(arrived([this] { return steps()[0].family == "convolution"; }));
    EXPECT_EQ(at(), 2U);
    // Back by Ctrl and an arrow; timed; switched; removed.
    find<QPushButton>("recipe-step-2")->setFocus();
    key(Qt::Key_Left, Qt::ControlModifier);
    ASSERT_TRUE(arrived([this] { return steps()[0].family == "rank"; }));
    EXPECT_TRUE(find<QPushButton>("recipe-step-1")->hasFocus()) << "the keyboard stays with the step";
    key(Qt::Key_T);
    ASSERT_TRUE(waitFor([this] { return session().activity().lastJob().contains("Timed step 1"); }));
    EXPECT_FALSE(find<QAction>("tiles")->isChecked()) << "T is the step's";
    EXPECT_TRUE(recipe().measured(0)->verified);
    key(Qt::Key_Space);
    ASSERT_TRUE(arrived([this] { return !steps()[0].on; }));
    key(Qt::Key_Delete);
    ASSERT_TRUE(arrived([this] { return steps().size() == 1; }));
    key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(arrived([this] { return steps().size() == 2; }));
    key(Qt::Key_Left, Qt::AltModifier);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    key(Qt::Key_Right, Qt::AltModifier);
    ASSERT_TRUE(arrived([this] { return at() == 2; }));
}

// Where there is little room the sum of the times gives way, then names; never a switch or a time. Digits of times are
// as many as they are, so that every width is tried.
TEST_F(RecipeTest, StepsFitTheStripAtEveryWidthInBothSizesOfType) {
    open(pictureFile(1));
    denoiseAndSharpen();
    for (const std::size_t step : {0U, 1U}) {
        recipe().time(step);
        ASSERT_TRUE(waitFor([&] { return recipe().measured(step) != nullptr && !session().activity().busy(); }));
    }
    const auto texts = [](const QWidget& of) {
        QStringList all;
        for (const auto* step : of.findChildren<StepButton*>()) all << step->text();
        for (const auto* label : of.findChildren<QLabel*>())
            if (label->isVisible()) all << label->text();
        return all;
    };
    const auto settle = [] {
        for (int i = 0; i < 20; ++i) {
            QCoreApplication::sendPostedEvents();
            QCoreApplication::processEvents();
        }
    };
    for (const bool project : {false, true}) {
        find<QAction>("projector")->setChecked(project);
        RecipeStrip strip(recipe(), session().request());
        strip.setVisible(true);
        const auto* area = strip.findChild<QScrollArea*>();
        bool whole = false, cut = false;
        const int least = project ? 900 : 720;  // where two names have their least width
        for (int width = 1400; width >= least; width -= 17) {
            strip.resize(width, strip.height());
            settle();
            EXPECT_LE(area->widget()->width(), area->viewport()->width()) << width << ' ' << project;
            const QStringList now = texts(strip);
            bool elided = false;
            for (const QString& text : now) elided = elided || text.contains(QChar(0x2026));
            const bool summed = !now.filter(QStringLiteral("= ")).isEmpty();
            EXPECT_FALSE(elided && summed) << width << ' ' << project << " the sum goes before a letter does";
            for (auto* on : strip.findChildren<QCheckBox*>()) {
                const QPoint right = on->mapTo(area->viewport(), QPoint(on->width(), 0));
                EXPECT_LE(right.x(), area->viewport()->width()) << width << ' ' << project;
            }
            settle();
            EXPECT_EQ(texts(strip), now) << width << ' ' << project << ": it comes to rest";
            whole = whole || summed;
            cut = cut || elided;
        }
        EXPECT_TRUE(whole && cut) << project << ": both ends were seen";
    }
    // The window of a small projector.
    find<QAction>("projector")->setChecked(false);
    window->resize(1280, 720);
    find<QAction>("projector")->setChecked(true);
    const auto* area = find<QWidget>("recipe-strip")->findChild<QScrollArea*>();
    EXPECT_TRUE(waitFor([&] { return area->widget()->width() <= area->viewport()->width(); }))
        << area->widget()->width() << ' ' << area->viewport()->width();
    find<QAction>("projector")->setChecked(false);
}

TEST_F(RecipeTest, AMaskIsChosenFromAnEarlierStepByMouse) {
    open(pictureFile(1));
    ASSERT_TRUE(filtered());
    QFile text(folder.filePath("r.json"));
    ASSERT_TRUE(text.open(QIODevice::WriteOnly));
    text.write(R"({"schema": 1, "steps": [{"family": "scan", "parameters": {"task": "threshold"}},
        {"family": "sparse", "input": "input"}]})");
    text.close();
    recipe().open(text.fileName());
    ASSERT_TRUE(waitFor([this] { return recipe().place() != nullptr && steps().size() == 2; }));
    recipe().select(1);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    const auto all = result();
    m_clicks = m_keys = 0;
    auto* name = find<QPushButton>("recipe-step-2");
    ++m_clicks;
    QContextMenuEvent wanted(QContextMenuEvent::Mouse, name->rect().center(), name->mapToGlobal(name->rect().center()));
    QApplication::sendEvent(name, &wanted);
    QMenu* menu = nullptr;
    ASSERT_TRUE(waitFor([&] { return (menu = window->findChild<QMenu*>("recipe-step-menu")) != nullptr; }));
    auto* sources = menu->findChild<QMenu*>("recipe-source-mask");
    ASSERT_NE(sources, nullptr);
    ++m_clicks;
    QTest::mouseClick(menu, Qt::LeftButton, {}, menu->actionGeometry(sources->menuAction()).center());
    ASSERT_TRUE(waitFor([&] { return sources->isVisible(); }));
    ASSERT_EQ(sources->actions().size(), 3) << "step 1, the input, nothing";
    EXPECT_TRUE(sources->actions().back()->isChecked());
    ++m_clicks;
    QTest::mouseClick(sources, Qt::LeftButton, {}, sources->actionGeometry(sources->actions().front()).center());
    ASSERT_TRUE(arrived([this] { return !steps()[1].pictures.empty(); }))
        << session().activity().notice().toStdString();
    step("Take the mask from the first step, by mouse");
    EXPECT_EQ(steps()[0].name, "scan");
    EXPECT_EQ(steps()[1].pictures.at("mask").kind, gpu::recipe::Source::Kind::step);
    EXPECT_TRUE(find<QPushButton>("recipe-step-2")->toolTip().contains("mask from scan"));
    EXPECT_FALSE(sameBits(*result(), *all));
}

TEST_F(RecipeTest, ASessionKeepsTheStepsAndNoArray) {
    open(pictureFile(1));
    denoiseAndSharpen();
    const auto both = session().document().grid();
    recipe().select(1);
    ASSERT_TRUE(arrived([this] { return at() == 1; }));
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(folder.filePath("s.warplens"));
    ASSERT_TRUE(saved.wait(kPatienceMs));
    EXPECT_EQ(warplens::test::violation("session", textOf(folder.filePath("s.warplens"))), "");
    EXPECT_TRUE(QDir(folder.path()).entryList({"s.warplens.input*"}).isEmpty());
    reopen();
    window->openInput(folder.filePath("s.warplens"));
    ASSERT_TRUE(arrived([this] { return steps().size() == 2; })) << session().activity().notice().toStdString();
    EXPECT_EQ(at(), 1U);
    EXPECT_TRUE(sameBits(*result(), *both));
    EXPECT_FALSE(find<QAction>("undo")->isEnabled());
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();
    EXPECT_TRUE(session().request().command().contains("--recipe"));
}

}  // namespace
}  // namespace warplens::gui::test
