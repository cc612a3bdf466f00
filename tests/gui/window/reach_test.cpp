// SPDX-License-Identifier: Apache-2.0
// Reaching everything: commands by name, keys, presets, projector mode.
#include "gui/kit/keys.hpp"
#include "gui/kit/theme/fonts.hpp"
#include "gui/kit/theme/metrics.hpp"
#include "gui/window/actions.hpp"
#include "gui/window/command_palette.hpp"
#include "gui/window/key_editor.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QAbstractButton>
#include <QKeySequenceEdit>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QShortcut>
#include <QTableWidget>
#include <QTextBrowser>
#include <QToolButton>
#include <algorithm>
#include <map>

namespace warplens::gui::test {
namespace {

class ReachTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        comparePage()->setFocus();
    }
    template <class Dialog>
    Dialog* dialog(const char* name) {
        Dialog* found = nullptr;
        const bool there =
            QTest::qWaitFor([&] { return (found = window->findChild<Dialog*>(QString::fromUtf8(name))) != nullptr; });
        EXPECT_TRUE(there) << name;
        return found;
    }
    /// Types into the palette and presses Enter.
    void command(const QString& typed) {
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
        QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
        auto* text = dialog<QLineEdit>("command-text");
        ASSERT_NE(text, nullptr);
        QTest::keyClicks(text, typed);
        QTest::keyClick(text, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QLineEdit*>("command-text") == nullptr; }));
    }
    QAction* action(const char* name) { return window->findChild<QAction*>(QString::fromUtf8(name)); }
    std::string value(const char* id) { return gpu::format(session().parameters().value(id)); }
};

TEST_F(ReachTest, CommandsFiltersVariantsPresetsAndFamiliesByName) {
    const bool hidden = action("hide-docks")->isChecked();
    command("hide docks");
    EXPECT_NE(action("hide-docks")->isChecked(), hidden);
    command("hide docks");
    command("filter box");
    EXPECT_EQ(value("filter"), "box");
    command("variant tiled_output");
    EXPECT_EQ(session().request().current(), "tiled_output");
    command("preset borders");
    EXPECT_EQ(value("border"), "wrap");
    EXPECT_EQ(value("radius"), "7");
    command("family histogram");
    EXPECT_EQ(session().parameters().family()->id(), "histogram");
    command("page compare");
    command("sample zoneplate");
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return session().document().input().startsWith("gen:zoneplate"); }, kPatienceMs));
}

TEST_F(ReachTest, ThePaletteHoldsEveryActionThatCanBeDone) {
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* list = dialog<QListWidget>("command-list");
    ASSERT_NE(list, nullptr);
    QStringList shown;
    for (int i = 0; i < list->count(); ++i) shown << list->item(i)->text();
    for (const QAction* action : window->findChild<Actions*>()->all()) {
        if (!action->isEnabled() || !action->isVisible() || action->objectName() == "palette") continue;
        const QString text = ": " + plainText(*action);
        EXPECT_TRUE(std::ranges::any_of(shown, [&](const QString& s) { return s.contains(text); }))
            << text.toStdString();
    }
    auto* text = dialog<QLineEdit>("command-text");
    QTest::keyClick(text, Qt::Key_Down);
    EXPECT_EQ(list->currentRow(), 1);
    QTest::keyClicks(text, "no such thing at all");
    EXPECT_EQ(list->count(), 0);
    auto* none = window->findChild<QDialog*>("command-palette")->findChild<QLabel*>("command-none");
    ASSERT_NE(none, nullptr);
    EXPECT_TRUE(none->isVisible() && !list->isVisible()) << "an empty list says so";
    QTest::keyClick(text, Qt::Key_Return);
    QTest::keyClick(text, Qt::Key_Escape);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->findChild<QDialog*>("command-palette") == nullptr; }));
}

TEST(MatchScore, LettersInOrderBeginningsFirst) {
    EXPECT_LT(matchScore("xyz", "Hide docks"), 0);
    EXPECT_LT(matchScore("skcod", "docks"), 0);
    EXPECT_GT(matchScore("hd", "Hide docks"), matchScore("hd", "shaded"));
    EXPECT_GT(matchScore("docks", "Hide docks"), 0);
    EXPECT_EQ(matchScore("", "anything"), 0);
}

TEST(MatchScore, LettersWithinWordsAloneAreNoAnswer) {
    EXPECT_LT(matchScore("clone", "Clear level of noise"), 0);
    EXPECT_LT(matchScore("crop", "Compare or open"), 0);
    EXPECT_LT(matchScore("mask", "Maximum, task"), 0);
    EXPECT_GT(matchScore("cont", "Colour normal, contrast"), 0) << "another beginning is tried";
    EXPECT_GT(matchScore("gblur", "Gaussian blur"), 0);
    EXPECT_GT(matchScore("tiledruns", "tiled_runs"), 0);
    EXPECT_GT(matchScore("ussian", "Gaussian"), 0);
    EXPECT_GT(matchScore("mask", "Paint a mask"), matchScore("mask", "unmasked"));
}

TEST_F(ReachTest, WordsOfOtherProgramsAndPresetsOfOtherFamiliesAreFound) {
    open("gen:noise:24x20:u8");
    QTest::keyClick(window.get(), Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    auto* text = dialog<QLineEdit>("command-text");
    auto* list = dialog<QListWidget>("command-list");
    ASSERT_TRUE(text != nullptr && list != nullptr);
    const auto firstOf = [&](const char* typed) {
        text->setText(QString::fromUtf8(typed));
        return list->count() == 0 ? QString() : list->item(0)->text();
    };
    for (const auto& [typed, stands] : {std::pair{"clone", "clone a picture into the mask"},
                                        {"mask", "Paint a mask"},
                                        {"lasso", "Paint a mask"},
                                        {"magic wand", "Flood fill"},
                                        {"bucket fill", "Flood fill"},
                                        {"healing brush", "fill the mask"},
                                        {"clone stamp", "clone a picture"},
                                        {"analyze particles", "Components"},
                                        {"watershed", "Watershed"},
                                        {"label coins", "Label coins"}})
        EXPECT_TRUE(firstOf(typed).contains(stands)) << typed << " finds " << firstOf(typed).toStdString();
    QTest::keyClick(text, Qt::Key_Escape);
    ASSERT_TRUE(QTest::qWaitFor([this] { return window->findChild<QDialog*>("command-palette") == nullptr; }));
    command("label coins");
    EXPECT_EQ(session().parameters().family()->id(), "components");
    EXPECT_EQ(value("connectivity"), "8");
}

TEST_F(ReachTest, AQuestionMarkShowsEveryKey) {
    QTest::keyClick(comparePage(), Qt::Key_Question);
    auto* text = dialog<QTextBrowser>("");
    ASSERT_NE(text, nullptr);
    const QString sheet = text->toPlainText();
    for (const QAction* action : window->findChild<Actions*>()->all()) {
        if (action->shortcut().isEmpty() || action->property("sheetKeys").isValid()) continue;
        EXPECT_TRUE(sheet.contains(plainText(*action))) << plainText(*action).toStdString();
        EXPECT_TRUE(sheet.contains(action->shortcut().toString(QKeySequence::NativeText)));
    }
}

// A key that a button has for itself is on no sheet, in no palette, and nobody can change it.
TEST_F(ReachTest, EveryKeyIsInTheOneTable) {
    const QList<QAction*> all = window->findChild<Actions*>()->all();
    action("reports")->trigger();
    ASSERT_NE(window->findChild<QDialog*>("reports-window"), nullptr);
    for (const QShortcut* key : window->findChildren<QShortcut*>())
        ADD_FAILURE() << key->key().toString().toStdString() << " of " << key->parent()->objectName().toStdString();
    for (const QAbstractButton* button : window->findChildren<QAbstractButton*>())
        EXPECT_TRUE(button->shortcut().isEmpty())
            << button->objectName().toStdString() << " " << button->text().toStdString();
    for (QAction* action : window->findChildren<QAction*>())
        EXPECT_TRUE(action->shortcut().isEmpty() || all.contains(action)) << action->objectName().toStdString();
}

TEST_F(ReachTest, NoMenuHasALetterTwice) {
    open("gen:noise:24x20:u8");
    for (const QMenu* menu : window->findChild<QMenuBar*>()->findChildren<QMenu*>()) {
        std::map<QString, QString> taken;
        for (const QAction* entry : menu->actions()) {
            const QString letter = QKeySequence::mnemonic(entry->text()).toString();
            if (letter.isEmpty()) continue;
            const auto [at, free] = taken.emplace(letter, entry->text());
            EXPECT_TRUE(free) << menu->title().toStdString() << ": " << entry->text().toStdString() << " and "
                              << at->second.toStdString();
        }
    }
}

TEST_F(ReachTest, KeysOfTwoPagesDoNotMeet) {
    const auto pressT = [&](const char* page) {
        window->pages()->setCurrent(window->pages()->page(page));
        QTest::keyClick(window.get(), Qt::Key_T);
    };
    ASSERT_FALSE(action("tiles")->isChecked());
    ASSERT_TRUE(action("why-tiles")->isChecked());
    pressT("compare");
    EXPECT_TRUE(action("tiles")->isChecked());
    EXPECT_TRUE(action("why-tiles")->isChecked());
    pressT("why");
    EXPECT_TRUE(action("tiles")->isChecked());
    EXPECT_FALSE(action("why-tiles")->isChecked());
    auto* keys = window->findChild<KeyMap*>();
    ASSERT_NE(keys, nullptr);
    EXPECT_EQ(keys->set(action("why-tiles"), Qt::Key_W), nullptr) << "the wipe line is on another page";
    EXPECT_EQ(keys->set(action("why-tiles"), Qt::Key_B), action("why-block")) << "of the same page";
    EXPECT_EQ(keys->set(action("why-tiles"), Qt::Key_F), action("fit")) << "heard on every page";
    EXPECT_EQ(keys->set(action("why-tiles"), QKeySequence::SelectAll), action("check-all")) << "beside every page";
    EXPECT_EQ(keys->set(action("why-tiles"), QKeySequence::Delete), nullptr) << "heard in another window";
}

TEST_F(ReachTest, KeysAreChangedKeptAndGivenBack) {
    action("change-keys")->trigger();
    auto* table = dialog<QTableWidget>("key-table");
    auto* edit = dialog<QKeySequenceEdit>("key-edit");
    ASSERT_TRUE(table != nullptr && edit != nullptr);
    const auto choose = [&](const QString& text) {
        const auto found = table->findItems(text, Qt::MatchExactly);
        ASSERT_EQ(found.size(), 1) << text.toStdString();
        table->setCurrentItem(found.front());
    };
    const auto take = [&](Qt::Key key) {
        edit->setFocus();
        edit->clear();
        QTest::keyClick(edit, key);
        QTest::mouseClick(find<QPushButton>("key-take"), Qt::LeftButton);
    };
    choose("Tiles and halos");
    take(Qt::Key_W);
    EXPECT_TRUE(find<QLabel>("key-said")->text().contains("Wipe line"));
    EXPECT_EQ(action("tiles")->shortcut(), QKeySequence(Qt::Key_T)) << "a key that is taken is refused";
    take(Qt::Key_X);
    EXPECT_EQ(action("tiles")->shortcut(), QKeySequence(Qt::Key_X));
    window->findChild<QDialog*>("key-editor")->close();
    QTest::qWait(20);
    reopen();
    window->activateWindow();
    ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    QTest::keyClick(comparePage(), Qt::Key_X);
    EXPECT_TRUE(action("tiles")->isChecked());
    action("change-keys")->trigger();
    QTest::mouseClick(dialog<QPushButton>("key-reset"), Qt::LeftButton);
    EXPECT_EQ(action("tiles")->shortcut(), QKeySequence(Qt::Key_T));
}

TEST_F(ReachTest, PresetsAreSavedRenamedAppliedRemoved) {
    ASSERT_TRUE(session().parameters().set("radius", std::int64_t{6}));
    QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    auto* name = dialog<QLineEdit>("preset-name");
    ASSERT_NE(name, nullptr);
    QTest::keyClicks(name, "mine");
    QTest::keyClick(name, Qt::Key_Return);
    auto* list = dialog<QListWidget>("preset-list");
    const auto own = [&] { return list->findItems("mine", Qt::MatchExactly); };
    ASSERT_EQ(own().size(), 1);
    reopen();  // they are on disk
    QTest::keyClick(window.get(), Qt::Key_R, Qt::ControlModifier | Qt::ShiftModifier);
    list = dialog<QListWidget>("preset-list");
    name = dialog<QLineEdit>("preset-name");
    ASSERT_EQ(own().size(), 1);
    ASSERT_TRUE(session().parameters().set("radius", std::int64_t{2}));
    list->setCurrentItem(own().front());
    QTest::mouseClick(find<QPushButton>("preset-apply"), Qt::LeftButton);
    EXPECT_EQ(value("radius"), "6");
    auto* shown = find<QToolButton>("preset-button");
    EXPECT_EQ(shown->text(), "Preset: mine");
    ASSERT_TRUE(session().parameters().set("radius", std::int64_t{5}));
    EXPECT_EQ(shown->text(), "Preset: none");
    ASSERT_TRUE(session().parameters().set("radius", std::int64_t{6}));
    QTest::keyClicks(name, "yours");
    QTest::mouseClick(find<QPushButton>("preset-rename"), Qt::LeftButton);
    EXPECT_TRUE(own().isEmpty());
    ASSERT_EQ(list->findItems("yours", Qt::MatchExactly).size(), 1);
    list->setCurrentItem(list->findItems("yours", Qt::MatchExactly).front());
    QTest::mouseClick(find<QPushButton>("preset-remove"), Qt::LeftButton);
    EXPECT_TRUE(list->findItems("yours", Qt::MatchExactly).isEmpty());
    // What came with the program stays.
    list->setCurrentRow(0);
    const int count = list->count();
    QTest::mouseClick(find<QPushButton>("preset-remove"), Qt::LeftButton);
    EXPECT_EQ(list->count(), count);
    action("reset-parameters")->trigger();
    EXPECT_TRUE(session().parameters().isDefault("radius"));
}

TEST_F(ReachTest, F11IsTheWholeScreenAndBack) {
    QTest::keyClick(window.get(), Qt::Key_F11);
    EXPECT_TRUE(QTest::qWaitFor([this] { return window->isFullScreen(); }));
    QTest::keyClick(window.get(), Qt::Key_F11);
    EXPECT_TRUE(QTest::qWaitFor([this] { return !window->isFullScreen(); }));
}

TEST_F(ReachTest, ProjectorModeEnlargesAndReturns) {
    open("gen:noise:64x64:u8");
    window->resize(1920, 1080);
    QTest::qWait(50);
    auto* primary = find<QPushButton>("primary");
    const QSize before = primary->size();
    const int header = primary->parentWidget()->height();
    const QColor text = colour(Role::text3), back = colour(Role::dock);
    const double contrastBefore = contrast(text, back);
    QTest::keyClick(comparePage(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::qWait(100);
    EXPECT_EQ(textFont(TextSize::caption).pixelSize(), 19);
    EXPECT_EQ(primary->font().pixelSize(), 21);
    EXPECT_NEAR(primary->parentWidget()->height(), 1.6 * header, 1);
    EXPECT_GT(contrast(colour(Role::text3), colour(Role::dock)), contrastBefore);
    EXPECT_EQ(lineScale(), 2);
    EXPECT_EQ(window->size(), QSize(1920, 1080)) << "nothing pushes the window beyond the screen";
    auto* last = find<QLabel>("last-key");
    QTest::keyClick(comparePage(), Qt::Key_W);
    EXPECT_TRUE(last->isVisible());
    EXPECT_TRUE(last->text().startsWith("W ") && last->text().contains("Wipe line")) << last->text().toStdString();
    QTest::keyClick(comparePage(), Qt::Key_F, Qt::ControlModifier | Qt::ShiftModifier);
    QTest::qWait(100);
    EXPECT_FALSE(last->isVisible());
    EXPECT_EQ(primary->font().pixelSize(), 13);
    EXPECT_EQ(primary->parentWidget()->height(), header);
    EXPECT_EQ(primary->height(), before.height());
}

}  // namespace
}  // namespace warplens::gui::test
