// SPDX-License-Identifier: Apache-2.0
#include "gui/lessons/lessons_page.hpp"

#include "gui/kernel/kernel_page.hpp"
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/lessons/lesson_chart.hpp"
#include "gui/lessons/lesson_widgets.hpp"
#include "gui/picture/why_text.hpp"
#include "gui/why/why_page.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/painted_text.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QRegularExpression>
#include <set>

namespace warplens::gui::test {
namespace {

class LessonsPageTest : public WindowTest {
protected:
    LessonsPage& page() { return *find<LessonsPage>("page-lessons"); }
    LessonModel& model() { return page().model(); }
    void press(Qt::Key key) {
        QTest::keyClick(QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : &page(), key);
    }
    /// The lesson about tiles: its answer follows from recorded times, whatever is counted.
    void show() {
        session().control().setTracer(std::make_shared<MadeUpTracer>());
        open("gen:noise:32x32:u8");
        window->activateWindow();
        window->pages()->setCurrent(&page());
        ASSERT_GE(model().count(), 15);
        page().setFocus();
        while (model().lesson()->id.find("when-a-tile-pays") == std::string::npos &&
               model().index() + 1 < model().count())
            press(Qt::Key_PageDown);
        ASSERT_EQ(model().lesson()->id, "06-when-a-tile-pays");
    }
    QString answer(int number) {
        return find<QPushButton>(qPrintable(QStringLiteral("lesson-answer-%1").arg(number)))->text();
    }
};

TEST_F(LessonsPageTest, IsWalkedThroughByKeysAlone) {
    show();
    press(Qt::Key_Return);
    EXPECT_EQ(model().step(), LessonModel::Step::predict) << "a prediction comes first";
    press(Qt::Key_2);
    EXPECT_EQ(model().chosen(), 1);
    EXPECT_TRUE(answer(2).contains("you"));
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
        << model().problem().toStdString();
    EXPECT_EQ(model().right(), 3);
    EXPECT_TRUE(answer(4).contains("right"));
    EXPECT_FALSE(answer(2).contains("right"));
    EXPECT_TRUE(find<LessonChart>("lesson-chart")
                    ->accessibleDescription()
                    .contains(QRegularExpression("constant, radius 4: [0-9.]+ ms \\(recorded\\)")));
    EXPECT_TRUE(find<LessonChart>("lesson-chart")->accessibleDescription().contains("(counted)"));
    EXPECT_EQ(find<LessonChart>("lesson-chart")->lines(), 1) << "times over the radius; sectors at one radius are bars";
    press(Qt::Key_1);
    EXPECT_EQ(model().chosen(), 1) << "what was predicted stays";
    press(Qt::Key_Return);
    EXPECT_TRUE(find<WhyText>("lesson-explanation")->isVisible());
    EXPECT_TRUE(find<WhyText>("lesson-explanation")
                    ->spoken()
                    .contains(QRegularExpression("[0-9.]+ ms \\(recorded\\) against [0-9.]+ ms \\(recorded\\)")))
        << find<WhyText>("lesson-explanation")->spoken().toStdString();
    press(Qt::Key_Backspace);
    EXPECT_EQ(model().step(), LessonModel::Step::reveal);
    press(Qt::Key_Return);
    press(Qt::Key_Return);
    EXPECT_EQ(model().step(), LessonModel::Step::tryThis);
    press(Qt::Key_Return);
    EXPECT_EQ(window->pages()->current()->id(), "why");
    EXPECT_EQ(session().request().current(), "tiled_output");
    EXPECT_EQ(std::get<std::int64_t>(session().parameters().value("radius")), 4);
    ASSERT_TRUE(QTest::qWaitFor([this] { return session().document().input() == "gen:noise:96x96:f32"; }, kPatienceMs));
}

TEST_F(LessonsPageTest, ListsAllLessonsByChapter) {
    show();
    press(Qt::Key_L);
    auto* menu = page().findChild<QMenu*>("lesson-menu");
    ASSERT_NE(menu, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible(); }, kPatienceMs));
    std::vector<QAction*> lessons;
    for (const QAction* chapter : menu->actions()) {
        ASSERT_NE(chapter->menu(), nullptr);
        for (QAction* lesson : chapter->menu()->actions()) lessons.push_back(lesson);
    }
    EXPECT_EQ(static_cast<int>(lessons.size()), model().count());
    EXPECT_EQ(std::ranges::count_if(lessons, &QAction::isChecked), 1);
    const auto last = std::ranges::find_if(lessons, [](const QAction* one) { return one->text().contains("spiral"); });
    ASSERT_NE(last, lessons.end());
    (*last)->trigger();
    menu->close();
    EXPECT_EQ(model().lesson()->id, "92-the-longest-way");
    QTest::mouseClick(find<QPushButton>("lesson-list"), Qt::LeftButton);
    EXPECT_TRUE(QTest::qWaitFor([&] { return menu->isVisible(); }, kPatienceMs));
    EXPECT_NE(menu->activeAction(), nullptr) << "keys begin at its chapter";
    menu->close();
}

TEST_F(LessonsPageTest, GoesOnWhereOneStoppedAndKeepsWhatIsDone) {
    show();
    press(Qt::Key_2);
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs));
    press(Qt::Key_PageDown);
    const std::string stopped = model().lesson()->id;
    reopen();
    window->pages()->setCurrent(&page());
    ASSERT_NE(model().lesson(), nullptr);
    EXPECT_EQ(model().lesson()->id, stopped);
    EXPECT_EQ(model().score().of, 1);
    EXPECT_EQ(model().score().right, 0);
    EXPECT_EQ(find<QLabel>("lesson-chapter")->text(), "Tiles in shared memory, after Global memory");
    press(Qt::Key_L);
    auto* menu = page().findChild<QMenu*>("lesson-menu");
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu->isVisible(); }, kPatienceMs));
    const auto chapters = menu->actions();
    EXPECT_TRUE(std::ranges::any_of(
        chapters, [](const QAction* one) { return one->text().startsWith("Tiles in shared memory, 1 of "); }));
    menu->close();
}

TEST_F(LessonsPageTest, OpensThePageThatItsTextSpeaksOf) {
    show();
    while (model().lesson()->id != "92-the-longest-way" && model().index() + 1 < model().count())
        model().select(model().index() + 1);
    press(Qt::Key_1);
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
        << model().problem().toStdString();
    EXPECT_FALSE(find<LessonChart>("lesson-chart")->accessibleDescription().contains("floating-point"));
    for (int i = 0; i < 3; ++i) press(Qt::Key_Return);
    EXPECT_EQ(window->pages()->current()->id(), "compare");
}

TEST_F(LessonsPageTest, OpensTheFilmThatItsTextSpeaksOf) {
    show();
    while (model().lesson()->id != "20-trees-that-diverge" && model().index() + 1 < model().count())
        model().select(model().index() + 1);
    press(Qt::Key_1);
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
        << model().problem().toStdString();
    for (int i = 0; i < 3; ++i) press(Qt::Key_Return);
    ASSERT_EQ(window->pages()->current()->id(), "why");
    EXPECT_EQ(find<WhyPage>("page-why")->part(), WhyPage::Part::film);
}

TEST_F(LessonsPageTest, WaysOfMovingThatLoseAreWalkedByKeysToTheTimeline) {
    show();
    for (const auto& [id, right] : {std::pair("27-a-copy-that-waits", 2), std::pair("28-not-copied-and-late", 1)}) {
        SCOPED_TRACE(id);
        window->pages()->setCurrent(&page());
        page().setFocus();
        while (model().lesson()->id != id && model().index() + 1 < model().count()) press(Qt::Key_PageDown);
        ASSERT_EQ(model().lesson()->id, id);
        press(Qt::Key_1);
        press(Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
            << model().problem().toStdString();
        EXPECT_EQ(model().right(), right);
        EXPECT_TRUE(find<LessonChart>("lesson-chart")->accessibleDescription().contains("(recorded)"));
        for (int i = 0; i < 3; ++i) press(Qt::Key_Return);
        EXPECT_EQ(window->pages()->current()->id(), "timeline");
        ASSERT_TRUE(idle());
    }
}

TEST_F(LessonsPageTest, HasOneButtonThatGoesOnAndNamesWhereItsNumbersComeFrom) {
    show();
    const auto shown = [this] {
        int count = 0;
        for (const QPushButton* button : window->findChildren<QPushButton*>())
            if (button->isVisible() && button->property("look") == "primary") ++count;
        return count;
    };
    EXPECT_EQ(shown(), 1);
    EXPECT_FALSE(find<QPushButton>("lesson-next")->isEnabled()) << "a prediction comes first";
    press(Qt::Key_2);
    EXPECT_TRUE(find<QPushButton>("lesson-next")->isEnabled());
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
        << model().problem().toStdString();
    const QString sources = find<LessonSources>("lesson-sources")->accessibleName();
    EXPECT_TRUE(sources.contains(QRegularExpression("Recorded: NVIDIA H200, .*pixels \\(recorded\\)")))
        << sources.toStdString();
    EXPECT_TRUE(sources.contains("(counted)"));
    press(Qt::Key_Escape);
    EXPECT_EQ(shown(), 1) << "the window's own, again";
}

TEST_F(LessonsPageTest, CountsTheFirstPredictionsThatWereRight) {
    show();
    const auto predict = [this](Qt::Key answer) {
        press(answer);
        press(Qt::Key_Return);
        return QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs);
    };
    const auto* list = find<QPushButton>("lesson-list");
    EXPECT_FALSE(list->text().contains("right")) << "nothing is predicted yet";
    ASSERT_TRUE(predict(Qt::Key_2)) << model().problem().toStdString();
    EXPECT_TRUE(list->text().contains(", 0 of 1 right")) << list->text().toStdString();
    press(Qt::Key_PageDown);
    press(Qt::Key_PageUp);
    ASSERT_TRUE(predict(Qt::Key_4));
    EXPECT_TRUE(list->text().contains(", 0 of 1 right")) << "a second try is no prediction";
}

TEST_F(LessonsPageTest, TellsWhatItsWordsMean) {
    show();
    std::set<QString> told;
    model().select(0);
    for (int i = 0; i < model().count(); ++i, press(Qt::Key_PageDown)) {
        ASSERT_EQ(model().index(), i);
        const QString shown = find<QLabel>("lesson-words")->text();
        const auto words = wordsOf(*model().lesson());
        EXPECT_GE(words.size(), 3U) << model().lesson()->id;
        for (const LessonWord& word : words) {
            EXPECT_TRUE(shown.contains("<b>" + word.word + "</b>: " + word.meaning.toHtmlEscaped()))
                << word.word.toStdString();
            told.insert(word.word);
        }
    }
    for (const char* word :
         {"thread", "block", "warp", "lane", "sector", "tile", "shared memory", "atomic", "bin", "stencil"})
        EXPECT_TRUE(told.contains(word)) << word;
    gpu::Lesson other;
    other.question = "A blockhouse, a warped tilework";
    EXPECT_TRUE(wordsOf(other).empty()) << "whole words only";
}

TEST_F(LessonsPageTest, ItsTypeIsForAProjectorAlready) {
    show();
    const auto pixels = [this] {
        return std::pair{find<QLabel>("lesson-title")->font().pixelSize(),
                         find<QPushButton>("lesson-next")->font().pixelSize()};
    };
    const auto before = pixels();
    auto* mode = window->findChild<QAction*>("projector");
    mode->setChecked(true);
    EXPECT_GT(typeScale(), 1);
    EXPECT_EQ(pixels(), before);
    mode->setChecked(false);
    EXPECT_EQ(pixels(), before);
}

TEST_F(LessonsPageTest, ShowsTheLastKeyOnceAndSaysHowToScroll) {
    show();
    auto* mode = window->findChild<QAction*>("projector");
    window->resize(1280, 720);
    mode->setChecked(true);
    page().setFocus();
    press(Qt::Key_2);
    EXPECT_FALSE(find<QLabel>("last-key")->isVisible()) << "the page has its own place for it";
    auto* more = find<QLabel>("lesson-more");
    EXPECT_TRUE(QTest::qWaitFor([&] { return more->isVisible(); }, kPatienceMs))
        << "the words do not fit below four answers";
    press(Qt::Key_Escape);
    QTest::keyClick(comparePage(), Qt::Key_W);
    EXPECT_TRUE(find<QLabel>("last-key")->isVisible());
    mode->setChecked(false);
}

TEST_F(LessonsPageTest, LongAnswersAreWrappedNotCutOff) {
    show();
    auto* mode = window->findChild<QAction*>("projector");
    window->resize(1280, 720);
    mode->setChecked(true);
    page().setFocus();
    while (model().lesson()->id.find("neighbours-or-chunks") == std::string::npos &&
           model().index() + 1 < model().count())
        press(Qt::Key_PageDown);
    press(Qt::Key_1);
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs))
        << model().problem().toStdString();
    QTest::qWait(50);
    auto* button = find<QPushButton>("lesson-answer-1");
    EXPECT_TRUE(button->text().contains("you"));
    // What is painted are the key, whose answer it is, and every word of it, in lines within the button.
    QString painted;
    int lines = 0;
    double right = 0;
    for (const PaintedText& text : textsOf(button)) {
        EXPECT_TRUE(QRectF(button->rect()).contains(text.box)) << text.text.toStdString();
        if (text.text == "you")
            right = text.box.left();
        else if (text.text != "1")
            painted += (lines++ > 0 ? " " : "") + text.text.trimmed();
    }
    EXPECT_EQ(painted.toStdString(), model().lesson()->answers.front().text);
    EXPECT_GT(lines, 1);
    for (const PaintedText& text : textsOf(button))
        EXPECT_TRUE(text.text == "you" || text.box.right() < right) << text.text.toStdString();
    const QWidget* shown = button->parentWidget()->parentWidget()->parentWidget();
    EXPECT_TRUE(shown->rect().contains(QRect(button->mapTo(shown, QPoint()), button->size())))
        << "beyond the edge of its column";
    mode->setChecked(false);
}

TEST_F(LessonsPageTest, AClassVotesByKeysAndFromFilesBeforeTheRun) {
    show();
    press(Qt::Key_V);
    EXPECT_TRUE(model().voting());
    for (const Qt::Key key : {Qt::Key_4, Qt::Key_2, Qt::Key_4, Qt::Key_1}) press(key);
    press(Qt::Key_Backspace);
    EXPECT_EQ(model().chosen(), -1) << "votes are nobody's prediction";
    EXPECT_TRUE(answer(4).contains("2 of 3 votes")) << answer(4).toStdString();
    EXPECT_TRUE(answer(1).contains("0 of 3 votes"));
    press(Qt::Key_V);
    EXPECT_EQ(model().chosen(), 3) << "of most";
    press(Qt::Key_2);
    EXPECT_EQ(model().chosen(), 1);
    const QString file = folder.filePath("anna.json");
    model().savePrediction(file);
    model().collect({file, file, folder.filePath("gone.json")});
    EXPECT_TRUE(answer(2).contains("3 of 5 votes")) << answer(2).toStdString();
    EXPECT_TRUE(model().problem().contains("gone.json")) << model().problem().toStdString();
    const auto texts = textsOf(find<QPushButton>("lesson-answer-2"));
    EXPECT_TRUE(std::ranges::any_of(texts, [](const PaintedText& text) { return text.text == "3"; }));
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs));
    EXPECT_TRUE(answer(4).contains("2 of 5 votes")) << "the bars stay beside the right one";
    press(Qt::Key_PageDown);
    EXPECT_TRUE(model().votes().empty());
}

TEST_F(LessonsPageTest, EndsInAnExerciseOfItsChapter) {
    show();
    auto* exercise = find<QPushButton>("lesson-exercise");
    EXPECT_FALSE(exercise->isVisible());
    press(Qt::Key_E);
    EXPECT_EQ(window->pages()->current(), &page()) << "not before the end";
    press(Qt::Key_1);
    press(Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().step() == LessonModel::Step::reveal; }, kPatienceMs));
    for (int i = 0; i < 2; ++i) press(Qt::Key_Return);
    ASSERT_EQ(model().step(), LessonModel::Step::tryThis);
    EXPECT_TRUE(exercise->isVisible());
    EXPECT_TRUE(exercise->text().contains("Read before it was written")) << exercise->text().toStdString();
    press(Qt::Key_E);
    EXPECT_EQ(window->pages()->current()->id(), "kernel");
    const auto* chosen = find<KernelPage>("page-kernel")->exercises().exercise();
    ASSERT_NE(chosen, nullptr);
    EXPECT_EQ(chosen->name, "050-missing-barrier");
}

TEST_F(LessonsPageTest, EscapeLeavesAndWithoutATracerItSaysSo) {
    show();
    session().control().setTracer(nullptr);
    press(Qt::Key_1);
    press(Qt::Key_Return);
    EXPECT_FALSE(model().problem().isEmpty());
    press(Qt::Key_Backspace);
    EXPECT_EQ(model().step(), LessonModel::Step::predict);
    for (const QSize size : {QSize(1280, 720), QSize(1920, 1080)}) {
        window->resize(size);
        QTest::qWait(20);
        EXPECT_EQ(window->size(), size) << "nothing may force a larger window";
        for (const char* name : {"lesson-next", "lesson-before", "lesson-after", "lesson-answer-1"})
            EXPECT_GE(find<QPushButton>(name)->height(), 44) << name;
    }
    press(Qt::Key_Escape);
    EXPECT_EQ(window->pages()->current()->id(), "compare");
}

}  // namespace
}  // namespace warplens::gui::test
