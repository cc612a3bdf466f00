// SPDX-License-Identifier: Apache-2.0
// What people who come from elsewhere want done, found by the words that they know. How many keys and clicks it takes
// stands in walks.md beside this file.
#include "gpu/core/registry.hpp"
#include "gui/picture/figures_view.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/regions/components_panel.hpp"
#include "gui/regions/regions_page.hpp"
#include "gui/session/results.hpp"
#include "gui/session/samples.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QTableView>
#include <algorithm>
#include <cmath>

namespace warplens::gui::test {
namespace {

class UserWalksTest : public CountedWalk {
protected:
    void key(QWidget* at, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
        ++m_keys;
        QTest::keyClick(at, key, modifiers);
        QTest::qWait(20);
    }
    /// Where the keyboard is.
    QWidget* focus() { return QApplication::focusWidget() != nullptr ? QApplication::focusWidget() : window.get(); }
    /// By the palette: Ctrl+K, words, Enter.
    void ask(const QString& words) {
        key(focus(), Qt::Key_K, Qt::ControlModifier);
        auto* text = window->findChild<QLineEdit*>("command-text");
        ASSERT_NE(text, nullptr);
        m_keys += static_cast<int>(words.size());
        QTest::keyClicks(text, words);
        const auto* first = window->findChild<QListWidget*>("command-list")->item(0);
        ASSERT_NE(first, nullptr) << words.toStdString();
        m_found = first->text();
        key(text, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor(
            [this] { return window->findChild<QLineEdit*>(QStringLiteral("command-text")) == nullptr; }, kPatienceMs));
        window->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window.get()));
    }
    /// By the menus: a click opens each, the last one takes the entry.
    void menu(const QStringList& titles, const char* action) {
        auto* wanted = find<QAction>(action);
        QList<QAction*> entries = window->findChild<QMenuBar*>()->actions();
        QMenu* open = nullptr;
        for (const QString& title : titles) {
            const auto entry =
                std::ranges::find_if(entries, [&](const QAction* one) { return one->text().remove('&') == title; });
            ASSERT_NE(entry, entries.end()) << title.toStdString();
            open = (*entry)->menu();
            ASSERT_NE(open, nullptr) << title.toStdString();
            open->popup(window->mapToGlobal(QPoint(10, 40)));
            ++m_clicks;
            QTest::qWait(20);
            entries = open->actions();
        }
        ASSERT_TRUE(entries.contains(wanted)) << action;
        ++m_clicks;
        QTest::mouseClick(open, Qt::LeftButton, {}, open->actionGeometry(wanted).center());
    }
    /// By mouse, in a widget of the page shown.
    void click(QWidget* on, QPointF at, Qt::KeyboardModifiers keys = {}) {
        ++m_clicks;
        QTest::mouseClick(window->windowHandle(), Qt::LeftButton, keys, on->mapTo(window.get(), at.toPoint()));
        QTest::qWait(20);
    }
    void click(const char* name) {
        auto* const button = window->pages()->current()->findChild<QWidget*>(QString::fromUtf8(name));
        QWidget* const on = button != nullptr ? button : find<QWidget>(name);
        ASSERT_TRUE(on != nullptr && on->isVisible()) << name;
        click(on, on->rect().center());
    }
    bool task(const char* family, const char* parameter, const char* value) {
        return session().parameters().family()->id() == family &&
               gpu::format(session().parameters().value(parameter)) == value;
    }
    const io::Shape& extents() { return session().document().grid()->shape(); }

    QString m_found;
};

TEST_F(UserWalksTest, WordsOfImageJFindWhatTheyMean) {
    open("gen:noise:64x48:u8");
    ask("set meas");
    ASSERT_TRUE(filtered()) << m_found.toStdString();
    EXPECT_TRUE(task("reduction", "measure", "statistics")) << m_found.toStdString();
    EXPECT_TRUE(waitFor([this] {
        for (const auto* table : window->findChildren<QTableView*>("figures"))
            if (table->isVisible() && table->model()->rowCount() > 5) return true;
        return false;
    })) << "minimum, maximum, mean, variance are read";
    step("Set measurements");
    ask("auto thr");
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(task("elementwise", "threshold-by", "otsu")) << m_found.toStdString();
    step("Auto threshold");
    ask("rotate 90");
    EXPECT_TRUE(waitFor([this] { return extents().width == 48 && extents().height == 64; })) << m_found.toStdString();
    ASSERT_TRUE(idle());
    step("Rotate 90 degrees right");
    ask("equalize");
    EXPECT_TRUE(waitFor([this] { return session().document().name().contains("equalised"); })) << m_found.toStdString();
    ASSERT_TRUE(idle());
    step("Equalize histogram");
}

TEST_F(UserWalksTest, WordsOfImageJProjectAVolume) {
    open("gen:noise:24x20x8:u8");
    ask("z project");
    EXPECT_TRUE(waitFor([this] { return extents().depth == 1 && extents().width == 24; })) << m_found.toStdString();
    ASSERT_TRUE(idle());
    EXPECT_TRUE(session().document().name().contains("maximum")) << m_found.toStdString();
    step("Z project, max intensity");
}

TEST_F(UserWalksTest, EveryWordFindsWhatItStandsFor) {
    open("gen:noise:24x20x8:u8");  // a volume: every command is there
    QFile file(QStringLiteral(":/warplens/controls/words.json"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const QJsonArray words = QJsonDocument::fromJson(file.readAll()).array();
    ASSERT_FALSE(words.isEmpty());
    key(focus(), Qt::Key_K, Qt::ControlModifier);
    auto* text = find<QLineEdit>("command-text");
    auto* list = find<QListWidget>("command-list");
    for (const QJsonValue& one : words) {
        const QString action = one["action"].toString();
        const gpu::Family* family = gpu::findFamily(one["family"].toString().toStdString());
        if (action.isEmpty() && family == nullptr) continue;  // of a family to come
        if (family == nullptr) {
            EXPECT_NE(window->findChild<QAction*>(action), nullptr) << action.toStdString();
        }
        const QJsonObject values = one["values"].toObject();
        for (auto value = values.begin(); value != values.end(); ++value) {
            const auto& known = family->parameters();
            const auto parameter = std::ranges::find(known, value.key().toStdString(), &gpu::Parameter::id);
            ASSERT_NE(parameter, known.end()) << value.key().toStdString();
            EXPECT_NO_THROW(gpu::parse(*parameter, value.value().toString().toStdString()))
                << value.key().toStdString();
        }
        for (const QJsonValue& word : one["words"].toArray()) {
            text->setText(word.toString());
            ASSERT_GT(list->count(), 0) << word.toString().toStdString();
            EXPECT_TRUE(list->item(0)->text().contains(word.toString() + ':'))
                << word.toString().toStdString() << " finds " << list->item(0)->text().toStdString();
        }
    }
    text->window()->close();
}

TEST_F(UserWalksTest, TheSameByTheMenus) {
    open("gen:noise:24x20x8:u8");
    menu({"Edit", "Contrast and projections"}, "project-mean");
    EXPECT_TRUE(waitFor([this] { return extents().depth == 1; }));
    ASSERT_TRUE(idle());
    step("Edit > Contrast and projections > Z projection, mean");
    menu({"Edit", "Turn and flip"}, "turn-right");
    EXPECT_TRUE(waitFor([this] { return extents().width == 20; }));
    ASSERT_TRUE(idle());
    step("Edit > Turn and flip > Turn right");
}

TEST_F(UserWalksTest, TheCoatOfThePhotographerIsSelected) {
    open(defaultSample());
    ASSERT_TRUE(session().document().name().startsWith("camera"));
    click("page-button-regions");
    auto* page = find<RegionsPage>("page-regions");
    ImageView* input = page->inputPane()->view();
    ASSERT_TRUE(filtered());
    click(input, input->toWidget({180.5, 300.5}));
    ASSERT_TRUE(waitFor([this] { return !session().mask().empty() && !session().activity().busy(); }));
    EXPECT_EQ(session().mask().inside(), 58588) << "as the command line floods it";
    EXPECT_EQ(page->selectedTag().text().toStdString(), "wand: 58,588 pixels");
    const Mask& mask = session().mask();
    EXPECT_TRUE(mask.at(180, 300, 0) && mask.at(200, 250, 0) && mask.at(160, 300, 0)) << "the coat";
    EXPECT_FALSE(mask.at(400, 60, 0) || mask.at(20, 60, 0) || mask.at(480, 480, 0)) << "sky and grass";
    EXPECT_EQ(m_keys, 0);
    step("Select the coat of the photographer");
}

TEST_F(UserWalksTest, TheCoinsAreLabelledAndMeasured) {
    open("gen:coins:256x256:u8:seed=11");
    click("page-button-regions");
    auto* page = find<RegionsPage>("page-regions");
    ASSERT_TRUE(filtered());
    const ComponentsModel& coins = page->components()->model();
    ASSERT_TRUE(waitFor([&] { return coins.rowCount() == 16; })) << coins.rowCount() << " of 4 x 4 coins";
    step("Label and measure the coins");
    auto* table = find<QTableView>("regions-table");
    click(table->viewport(), table->visualRect(table->model()->index(0, ComponentsModel::kArea)).center());
    const auto largest = page->components()->chosen();
    ASSERT_TRUE(largest);
    double most = 0;
    for (int row = 0; row < coins.rowCount(); ++row) most = std::max(most, coins.area(static_cast<std::size_t>(row)));
    EXPECT_EQ(coins.area(*largest), most);
    EXPECT_FALSE(page->chosenTag().pixels().isEmpty()) << "outlined in both pictures";
    step("Show the largest coin");
    ImageView* result = page->resultPane()->view();
    const auto place = placeOf(*coins.table(), 0);
    ASSERT_TRUE(place);
    click(result, result->toWidget(place->box.center()));
    EXPECT_EQ(page->components()->chosen(), std::optional<std::size_t>(0)) << "its row is chosen";
    EXPECT_EQ(m_keys, 0);
    step("Read the figures of a coin");
}

double apart(const io::Grid& a, const io::Grid& b) {
    double squares = 0;
    for (std::int64_t i = 0; i < a.shape().pixels(); ++i) squares += std::pow(a.value(i, 0) - b.value(i, 0), 2);
    return std::sqrt(squares / static_cast<double>(a.shape().pixels()));
}

TEST_F(UserWalksTest, APhotographerTakesSaltAndPepperOut) {
    const io::Grid clean = io::generate("gen:gradient:96x72:u8");
    io::Grid noisy = clean.clone();
    for (std::int64_t i = 0; i < noisy.shape().pixels(); i += 13) noisy.as<std::uint8_t>()[i] = i % 2 == 0 ? 255 : 0;
    const QString photo = folder.filePath("photo.npy"), out = folder.filePath("out.npy");
    io::write(noisy, std::filesystem::path(photo.toStdString()));
    open(photo);
    ask("despeckle");
    ASSERT_TRUE(filtered());
    EXPECT_EQ(session().parameters().family()->id(), "rank") << m_found.toStdString();
    step("Despeckle");
    key(focus(), Qt::Key_K);
    const auto median = record().result.picture;
    step("Keep a snapshot of it");
    ask("gaussian b");
    ASSERT_TRUE(filtered());
    EXPECT_TRUE(task("convolution", "filter", "gaussian")) << m_found.toStdString();
    const auto blurred = record().result.picture;
    step("Gaussian blur");
    ASSERT_EQ(session().snapshots().all().size(), 1U);
    EXPECT_LT(apart(*median, clean), 0.2 * apart(*blurred, clean)) << "the median is what helps here";
    ask("reference snap");
    EXPECT_NE(session().lookedAt().reference(), "input") << m_found.toStdString();
    key(focus(), Qt::Key_W);
    EXPECT_TRUE(find<QAction>("wipe")->isChecked());
    key(focus(), Qt::Key_W);
    step("Wipe between the two");
    ask("despeckle");
    ASSERT_TRUE(filtered());
    key(focus(), Qt::Key_S, Qt::ControlModifier);
    QLineEdit* name = nullptr;
    ASSERT_TRUE(waitFor([&] { return (name = window->findChild<QLineEdit*>("fileNameEdit")) != nullptr; }));
    name->selectAll();
    m_keys += 7;
    QTest::keyClicks(name, out);
    key(name, Qt::Key_Return);
    ASSERT_TRUE(waitFor([&] { return QFile::exists(out) && !session().activity().busy(); }));
    EXPECT_EQ(apart(io::read(out.toStdString()), *median), 0);
    step("Save the median's result");
}

}  // namespace
}  // namespace warplens::gui::test
