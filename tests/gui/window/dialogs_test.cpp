// SPDX-License-Identifier: Apache-2.0
// How dialogs are laid out: whole rows, whole sentences, in every size of the type.
#include "gui/kit/lesson_words.hpp"
#include "gui/kit/table.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/window/recovery_box.hpp"
#include "io/format.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTableWidget>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>
#include <algorithm>
#include <memory>

namespace warplens::gui::test {
namespace {

class DialogsTest : public WindowTest {
protected:
    void TearDown() override {
        Theme::setProjector(1, window.get());
        WindowTest::TearDown();
    }
    QDialog* show(const char* action, const char* name) {
        window->findChild<QAction*>(QString::fromUtf8(action))->trigger();
        QTest::qWait(30);
        return find<QDialog>(name);
    }
    static void expectWhole(const QDialog* dialog) {
        for (const QLabel* label : dialog->findChildren<QLabel*>())
            if (label->wordWrap()) {
                EXPECT_GE(label->height(), label->heightForWidth(label->width())) << label->text().toStdString();
            }
    }
};

TEST_F(DialogsTest, WrappedSentencesAreWholeInAnyType) {
    // Large enough to be higher than two thirds of the screen, where Qt would cut a first size.
    for (const double type : {1.0, kSmallProjectorType, kProjectorType, 3.0}) {
        Theme::setProjector(type, window.get());
        QDialog* about = show("about", "about-window");
        ASSERT_NE(about, nullptr);
        expectWhole(about);
        EXPECT_GE(about->width(), Length(360));
        about->close();
        QTest::qWait(10);
        const std::unique_ptr<QDialog> recovery(
            makeRecoveryBox(window->keeper(), folder.filePath("none"), window.get()));
        recovery->show();
        QTest::qWait(10);
        expectWhole(recovery.get());
        recovery->setAttribute(Qt::WA_DeleteOnClose, false);
    }
}

/// Every format, and none besides, so that a new one needs no change of a dialog.
TEST_F(DialogsTest, FilesAreAskedForByTheListOfFormats) {
    open("gen:noise:64x48:u8:seed=5");
    const auto patternsOf = [](const QStringList& filters) {
        QStringList patterns;
        for (const QString& filter : filters)
            patterns += filter.section('(', 1).section(')', 0, 0).split(' ', Qt::SkipEmptyParts);
        patterns.sort();
        return patterns;
    };
    const auto asked = [&](const char* action, bool first) {
        window->findChild<QAction*>(QString::fromUtf8(action))->trigger();
        auto* dialog = window->findChild<QFileDialog*>();
        const QStringList filters = dialog == nullptr ? QStringList() : dialog->nameFilters();
        delete dialog;
        return patternsOf(first ? filters.first(1) : filters);
    };
    QStringList read{"*.raw", "*.bin"}, written, folders;
    for (const io::Format& format : io::formats()) {
        for (const auto* extensions : {&format.extensions, &format.readAs})
            for (const char* extension : *extensions) {
                read << QStringLiteral("*.") + extension;
                if (!format.table) folders << QStringLiteral("picture.") + extension;
            }
        if (format.writes.empty() || format.geometry || format.table) continue;
        for (const char* extension : format.extensions) written << QStringLiteral("*.") + extension;
    }
    for (QStringList* list : {&read, &written, &folders}) list->sort();
    EXPECT_EQ(asked("open", true), read);
    const QAction* save = window->findChild<QAction*>("save-picture");
    ASSERT_TRUE(QTest::qWaitFor([&] { return save->isEnabled(); }, kPatienceMs));
    EXPECT_EQ(asked("save-picture", false), written);
    QDir(folder.path()).mkdir("in");
    for (const QString& name : folders) ASSERT_TRUE(QFile(folder.filePath("in/" + name)).open(QIODevice::WriteOnly));
    QDialog* batch = show("batch", "batch-window");
    ASSERT_NE(batch, nullptr);
    batch->findChild<QLineEdit*>("batch-from")->setText(folder.filePath("in"));
    auto* table = batch->findChild<QTableWidget*>("batch-table");
    QStringList listed;
    for (int row = 0; row < table->rowCount(); ++row) listed << table->item(row, 0)->text();
    listed.sort();
    EXPECT_EQ(listed, folders);
    batch->close();
}

TEST_F(DialogsTest, TheGuideLeadsToItsChapters) {
    QTest::keyClick(window.get(), Qt::Key_F1);
    auto* guide = find<QDialog>("guide-window");
    ASSERT_NE(guide, nullptr);
    auto* text = guide->findChild<QTextBrowser*>("guide-text");
    EXPECT_TRUE(text->toPlainText().startsWith("The window\n")) << text->toPlainText().left(80).toStdString();
    EXPECT_FALSE(text->toPlainText().contains("screenshots")) << "pictures are left out with their captions";
    EXPECT_GT(text->document()->begin().next().blockFormat().bottomMargin(), 4) << "paragraphs stand apart";
    for (const char* chapter : {"command-line", "files", "variants", "benchmarks"}) {
        text->setSource(QUrl(QStringLiteral("%1.md").arg(chapter)));
        EXPECT_TRUE(text->source().path().endsWith(QStringLiteral("/%1.md").arg(chapter))) << chapter;
        EXPECT_GT(text->toPlainText().size(), 1500) << chapter;
        EXPECT_FALSE(text->toPlainText().contains(":begin -->")) << chapter;
        text->backward();
    }
    text->setSource(QUrl(QStringLiteral("../gpu/lessons/README.md")));
    EXPECT_TRUE(text->source().path().endsWith("/window.md")) << "what is no chapter leads nowhere";
    guide->close();
}

TEST_F(DialogsTest, KeysGrowWithTheType) {
    window->resize(1920, 1080);
    for (const double type : {1.0, kProjectorType}) {
        Theme::setProjector(type, window.get());
        QDialog* help = show("help", "help-window");
        ASSERT_NE(help, nullptr);
        EXPECT_EQ(help->width(), Length(560));
        help->close();
        QTest::qWait(10);
    }
}

/// By menu, as a person looks for them.
TEST_F(DialogsTest, KeysAreGrouped) {
    QDialog* help = show("help", "help-window");
    ASSERT_NE(help, nullptr);
    const QString text = help->findChild<QTextBrowser*>()->toPlainText();
    qsizetype at = 0;
    for (const char* group : {"\nFile\n", "\nView\n", "\nRun\n", "\nIn panes and lists\n"}) {
        EXPECT_EQ(text.count(QLatin1String(group)), 1) << group << text.toStdString();
        at = std::max(at, text.indexOf(QLatin1String(group)));
    }
    EXPECT_LT(text.indexOf("Ctrl+O"), text.indexOf("\nView\n"));
    EXPECT_GT(text.indexOf("Wheel"), at);
    help->close();
}

TEST_F(DialogsTest, WordsOfOtherLanguagesStandBesideCudas) {
    QDialog* words = show("words-elsewhere", "words-window");
    ASSERT_NE(words, nullptr);
    const QString text = words->findChild<QTextBrowser*>()->toPlainText();
    for (const char* language : {"CUDA", "OpenCL", "OpenACC", "HIP", "HSA"})
        EXPECT_TRUE(text.contains(QLatin1String(language))) << language;
    // Every thing has a word in each language.
    const auto* document = words->findChild<QTextBrowser*>()->document();
    const QTextTable* table = nullptr;
    for (const QTextFrame* frame : document->rootFrame()->childFrames())
        if (const auto* found = qobject_cast<const QTextTable*>(frame)) table = found;
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->columns(), 6);
    int whole = 0;
    for (int row = 1; row < table->rows(); ++row) {
        if (table->cellAt(row, 0).columnSpan() > 1) continue;
        for (int column = 0; column < 6; ++column)
            EXPECT_FALSE(table->cellAt(row, column).firstCursorPosition().block().text().isEmpty()) << row << column;
        ++whole;
    }
    EXPECT_GE(whole, 20);
    EXPECT_TRUE(text.contains("work-item") && text.contains("__syncthreads()") && text.contains("gang"));
    words->close();
}

TEST_F(DialogsTest, TheGlossaryHasEveryWordOfTheLessons) {
    QDialog* glossary = show("glossary", "glossary-window");
    ASSERT_NE(glossary, nullptr);
    const QString text = glossary->findChild<QTextBrowser*>()->toPlainText();
    const std::vector<LessonWord> words = allWords();
    EXPECT_GE(words.size(), 90U);
    for (const LessonWord& word : words)
        EXPECT_TRUE(text.contains(word.word + ": " + word.meaning)) << word.word.toStdString();
    EXPECT_TRUE(std::ranges::is_sorted(words, {}, [](const LessonWord& word) { return word.word.toLower(); }));
    glossary->close();
}

TEST_F(DialogsTest, ListsHaveRowsOfTheTheme) {
    QDialog* palette = show("palette", "command-palette");
    ASSERT_NE(palette, nullptr);
    auto* list = palette->findChild<QListWidget*>();
    EXPECT_EQ(list->sizeHintForRow(0), kRowHeight);
    const auto open = list->findItems("Action: Open", Qt::MatchExactly);
    ASSERT_EQ(open.size(), 1);
    EXPECT_EQ(open.front()->data(RowDelegate::kRightRole).toString(), "Ctrl+O") << "in a column of their own";
    palette->close();
    QDialog* presets = show("presets", "preset-box");
    ASSERT_NE(presets, nullptr);
    EXPECT_EQ(presets->findChild<QListWidget*>()->sizeHintForRow(0), kRowHeight);
}

TEST_F(DialogsTest, TheKeyTableShowsWholeRowsUnderTheirHeads) {
    QDialog* editor = show("change-keys", "key-editor");
    ASSERT_NE(editor, nullptr);
    auto* table = editor->findChild<QTableWidget*>();
    EXPECT_EQ(table->viewport()->height() % kRowHeight, 0);
    EXPECT_TRUE(table->horizontalHeader()->defaultAlignment().testFlag(Qt::AlignLeft));
    EXPECT_FALSE(table->showGrid());
    EXPECT_FALSE(find<QLabel>("key-said")->text().isEmpty()) << "no empty band at the foot";
}

}  // namespace
}  // namespace warplens::gui::test
