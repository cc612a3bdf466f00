// SPDX-License-Identifier: Apache-2.0
// A variant beside itself with other launch parameters: added, compared, explained, kept in a session, removed.
#include "gpu/core/registry.hpp"
#include "gpu/core/wrong_on_purpose.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/request/launch_experiments.hpp"
#include "gui/request/launch_fields.hpp"
#include "gui/window/actions.hpp"
#include "gui/window/session_keeper.hpp"
#include "tests/gui/window/why_page_fixture.hpp"
#include "tests/support/schema.hpp"

#include <QAction>
#include <QFile>
#include <QLabel>
#include <QListView>
#include <QSignalSpy>
#include <QSpinBox>
#include <algorithm>

namespace warplens::gui::test {
namespace {

const std::string kRow = "tiled_output@block_width=16", kOther = "tiled_output@block_width=8";

class VariantRowsTest : public WhyPageTest {
protected:
    QAction* action(const char* name) { return window->findChild<QAction*>(QString::fromUtf8(name)); }
    LaunchFields* fields() { return find<LaunchFields>("launch-fields"); }
    /// Gives the row whose fields are unfolded a block width, by keys, and takes it.
    void takeWidth(int width) {
        ASSERT_TRUE(QTest::qWaitFor([this] { return fields()->isVisible(); }, kPatienceMs));
        auto* spin = find<QSpinBox>("launch-block_width");
        ASSERT_NE(spin, nullptr);
        spin->setFocus();
        spin->selectAll();
        QTest::keyClicks(spin, QString::number(width));
        QTest::keyClick(spin, Qt::Key_Return);
    }
    void duplicate(int width) {
        QTest::keyClick(window.get(), Qt::Key_D, Qt::ControlModifier);
        takeWidth(width);
    }
    /// Whether the problem is posed, so that something is said of a block.
    bool judged() {
        return QTest::qWaitFor([this] { return !find<QLabel>("launch-block")->text().isEmpty(); }, kPatienceMs);
    }
    bool compared() {
        QSignalSpy ended(&session().control(), &RunControl::compared);
        session().control().compare();
        return ended.wait(kPatienceMs) && idle();
    }
    bool load(const QString& path) {
        QSignalSpy opened(&window->keeper(), &SessionKeeper::opened);
        window->openInput(path);
        return opened.wait(kPatienceMs) && idle();
    }
    bool save(const QString& path) {
        QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
        window->keeper().save(path);
        return saved.wait(kPatienceMs);
    }
    std::string shownName(const std::string& id) {
        const RunTableModel& runs = session().runs();
        return runs.index(runs.rowOf(id), gpu::RunColumn::variant).data().toString().toStdString();
    }
};

TEST_F(VariantRowsTest, IsAddedByKeysComparedChangedAndRemoved) {
    open("gen:noise:64x48:f32");
    session().variants().setChecked({"naive", "tiled_output"});
    session().request().setCurrent("tiled_output");
    ASSERT_TRUE(filtered());
    const int ladder = session().variants().rowCount();
    duplicate(16);
    EXPECT_EQ(session().request().current(), kRow);
    ASSERT_TRUE(filtered()) << "it filters at once, as any row that is chosen";
    EXPECT_EQ(record(kRow).tunables.at("block_width"), 16);
    EXPECT_NE(session().results().of("tiled_output"), nullptr);
    auto* list = find<QListView>("variants");
    EXPECT_EQ(list->currentIndex().data().toString().toStdString(), kRow);
    EXPECT_EQ(list->model()->rowCount(), ladder + 1);

    ASSERT_TRUE(compared());
    EXPECT_EQ(session().runs().rowCount(), 3);
    for (const std::string& id : {std::string("naive"), std::string("tiled_output"), kRow}) {
        EXPECT_EQ(shownName(id), id);
        ASSERT_NE(session().runs().record(session().runs().rowOf(id)), nullptr) << id;
        EXPECT_EQ(session().runs().record(session().runs().rowOf(id))->id(), id);
    }
    EXPECT_TRUE(session().request().command().contains("--variants naive,tiled_output," + QString::fromStdString(kRow)))
        << session().request().command().toStdString();
    ASSERT_NE(session().results().report(), nullptr);
    EXPECT_EQ(session().results().report()->runs.back().record.id(), kRow);
    EXPECT_EQ(warplens::test::violation("report", gpu::toJson(*session().results().report())), "");
    comparePage()->setPaneCount(4);
    session().lookedAt().setReference("tiled_output");
    QStringList titles;
    for (const PaneContent& pane : comparePage()->panes()->panes()) titles << pane.title;
    EXPECT_TRUE(titles.contains(QString::fromStdString(kRow))) << titles.join(u' ').toStdString();
    EXPECT_TRUE(titles.contains("tiled_output")) << titles.join(u' ').toStdString();

    session().request().setBaseline(kRow);
    action("change-variant")->trigger();
    takeWidth(8);
    EXPECT_EQ(session().variants().rowOf(kRow), -1);
    EXPECT_EQ(session().request().current(), kOther);
    EXPECT_EQ(session().request().baseline(), kOther) << "the baseline is still that row";
    ASSERT_TRUE(filtered());
    EXPECT_EQ(record(kOther).tunables.at("block_width"), 8);
    session().lookedAt().setReference(kOther);
    action("remove-variant")->trigger();
    EXPECT_EQ(session().request().current(), "tiled_output");
    EXPECT_EQ(session().request().baseline(), "tiled_output");
    EXPECT_EQ(session().lookedAt().reference(), "tiled_output");
    EXPECT_EQ(session().variants().rowCount(), ladder);
    EXPECT_TRUE(idle());
}

TEST_F(VariantRowsTest, TheFieldsTakeNoRowThatIsThereAndNameTheNewOne) {
    open("gen:noise:16x16:u8");
    session().request().setCurrent("naive");
    EXPECT_FALSE(action("remove-variant")->isEnabled()) << "the ladder stays whole";
    EXPECT_FALSE(action("change-variant")->isEnabled());
    EXPECT_FALSE(fields()->isVisible()) << "folded until they are asked for";
    action("duplicate-variant")->trigger();
    auto* said = find<QLabel>("launch-said");
    EXPECT_FALSE(find<QPushButton>("launch-beside")->isEnabled());
    EXPECT_FALSE(said->isVisible());
    EXPECT_FALSE(find<QPushButton>("launch-change")->isVisible()) << "a row of the ladder stays what it is";
    find<QSpinBox>("launch-block_height")->setValue(4);
    EXPECT_TRUE(find<QPushButton>("launch-beside")->isEnabled());
    EXPECT_TRUE(said->text().contains("naive@block_height=4")) << said->text().toStdString();
    session().variants().add("naive@block_height=2");
    EXPECT_EQ(find<QSpinBox>("launch-block_height")->value(), 4) << "the list was filled anew while somebody typed";
    find<QSpinBox>("launch-block_height")->setValue(2);
    EXPECT_TRUE(said->text().startsWith("naive@block_height=2 is in the list")) << said->text().toStdString();
    session().request().setCurrent("opencv");
    EXPECT_FALSE(action("duplicate-variant")->isEnabled()) << "a library has none";
    EXPECT_FALSE(fields()->isVisible());
    const QList<QAction*> offered = find<QListView>("variants")->actions();
    for (const char* name : {"duplicate-variant", "change-variant", "remove-variant"})
        EXPECT_TRUE(offered.contains(action(name))) << name;
}

// Limits are told where they are typed, and the tiles drawn follow at once.
TEST_F(VariantRowsTest, TheFieldsSayWhatABlockDoesAndWhyItCannotBe) {
    open("gen:noise:64x48:f32");
    session().request().setCurrent("tiled_output");
    ASSERT_TRUE(filtered());
    QTest::keyClick(window.get(), Qt::Key_T);
    QTest::keyClick(window.get(), Qt::Key_D, Qt::ControlModifier);
    auto* block = find<QLabel>("launch-block");
    auto* refusal = find<QLabel>("launch-refusal");
    auto* height = find<QSpinBox>("launch-block_height");
    auto* beside = find<QPushButton>("launch-beside");
    auto* reset = find<QPushButton>("launch-reset");
    const auto type = [&](const char* keys) {
        height->setFocus();
        height->selectAll();
        QTest::keyClicks(height, QString::fromLatin1(keys));
    };
    LaunchDraft& draft = LaunchDraft::of(session().request());
    ASSERT_TRUE(judged());
    EXPECT_TRUE(block->text().startsWith("A block of 32 × 8 threads writes 32 × 8 outputs and stages "))
        << block->text().toStdString();
    EXPECT_FALSE(refusal->isVisible());
    EXPECT_FALSE(reset->isEnabled());
    EXPECT_FALSE(draft.footprint("tiled_output")) << "these are the row's own";
    type("33");
    EXPECT_TRUE(refusal->isVisible());
    EXPECT_FALSE(block->isVisible());
    EXPECT_TRUE(refusal->text().contains("32 x 33 = 1056 threads per block; the device allows 1024"))
        << refusal->text().toStdString();
    EXPECT_FALSE(beside->isEnabled());
    EXPECT_FALSE(draft.footprint("tiled_output"));
    QTest::keyClick(height, Qt::Key_Return);
    EXPECT_EQ(session().variants().rowOf("tiled_output@block_height=33"), -1) << "it is not taken";
    type("16");
    EXPECT_FALSE(refusal->isVisible());
    EXPECT_TRUE(block->text().startsWith("A block of 32 × 16 threads writes 32 × 16")) << block->text().toStdString();
    EXPECT_TRUE(beside->isEnabled());
    ASSERT_TRUE(draft.footprint("tiled_output"));
    EXPECT_EQ(draft.footprint("tiled_output")->tileHeight, 16);
    QTest::mouseClick(reset, Qt::LeftButton);
    EXPECT_EQ(height->value(), 8);
    EXPECT_FALSE(beside->isEnabled()) << "that row is there";
    type("4");
    QTest::keyClick(height, Qt::Key_Escape);
    EXPECT_FALSE(fields()->isVisible());
    EXPECT_FALSE(draft.footprint("tiled_output")) << "what is folded draws nothing";
    EXPECT_TRUE(idle());
}

// Registers that a recorded run reports, for the default filter: the occupancy follows what is typed.
TEST_F(VariantRowsTest, TheOccupancyFollowsWhatIsTyped) {
    open("gen:noise:64x48:f32");
    session().request().setCurrent("naive");
    action("duplicate-variant")->trigger();
    ASSERT_TRUE(judged());
    auto* full = find<QLabel>("launch-occupancy");
    ASSERT_TRUE(full->isVisible()) << "in builds without CUDA too: the registers are recorded";
    EXPECT_TRUE(find<QLabel>("launch-registers")->text().contains("registers per thread"));
    const QString own = full->text();
    find<QSpinBox>("launch-block_width")->setValue(1);
    find<QSpinBox>("launch-block_height")->setValue(1);
    EXPECT_TRUE(full->text().startsWith("Occupancy 32 of 64 warps, 50 %")) << full->text().toStdString();
    EXPECT_NE(full->text(), own) << "32 blocks of one warp each, however few its threads";
}

// By the mouse: the arrow in the current row, and by keys Right and Left; the list is as high as its rows and no
// higher.
TEST_F(VariantRowsTest, TheFieldsUnfoldInTheList) {
    open("gen:noise:16x16:u8");
    auto* list = find<QListView>("variants");
    session().request().setCurrent("naive");
    const int folded = list->sizeHint().height();
    const QModelIndex naive = list->model()->index(session().variants().rowOf("naive"), 0);
    const QRect row = list->visualRect(naive);
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, QPoint(row.right() - 8, row.center().y()));
    ASSERT_TRUE(fields()->isVisible());
    EXPECT_EQ(list->sizeHint().height(), folded + fields()->height());
    EXPECT_EQ(list->visualRect(naive).height(), row.height() + fields()->height());
    const QModelIndex next = naive.siblingAtRow(naive.row() + 1);
    EXPECT_GE(list->visualRect(next).top(), fields()->geometry().bottom()) << "nothing is covered";
    // A click on a field's label checks nothing.
    const auto before = session().variants().checked();
    QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                      QPoint(list->visualRect(naive).left() + 12, fields()->geometry().bottom() - 2));
    EXPECT_EQ(session().variants().checked(), before);
    session().request().setCurrent("constant");
    EXPECT_TRUE(fields()->isVisible()) << "they go with the current row";
    EXPECT_GT(fields()->y(), list->visualRect(naive).bottom());
    list->setFocus();
    QTest::keyClick(list, Qt::Key_Left);
    EXPECT_FALSE(fields()->isVisible());
    EXPECT_EQ(list->sizeHint().height(), folded);
    QTest::keyClick(list, Qt::Key_Right);
    EXPECT_TRUE(fields()->isVisible());
    QTest::qWait(20);
    QTest::keyClick(list, Qt::Key_Right);
    EXPECT_EQ(window->focusWidget(), find<QSpinBox>("launch-block_width"));
    // While something runs Escape stops that first.
    ASSERT_TRUE(QTest::qWaitFor([this] { return !session().activity().busy(); }, kPatienceMs));
    QTest::keyClick(find<QSpinBox>("launch-block_width"), Qt::Key_Escape);
    EXPECT_EQ(window->focusWidget(), list);
    // In a low window the dock scrolls there.
    window->resize(1280, 720);
    QTest::qWait(20);
    QTest::keyClick(list, Qt::Key_Right);
    EXPECT_TRUE(
        QTest::qWaitFor([this] { return !find<QWidget>("launch-beside")->visibleRegion().isEmpty(); }, kPatienceMs));
}

TEST_F(VariantRowsTest, ExperimentsAreWhatAVariantCanDo) {
    for (const gpu::Family* family : gpu::families()) {
        for (const gpu::Variant& variant : family->variants()) {
            for (const LaunchExperiment& experiment : experimentsOf(variant)) {
                EXPECT_FALSE(experiment.rows.empty()) << variant.id;
                for (const gpu::RunKey& key : experiment.rows) {
                    EXPECT_NO_THROW(gpu::parseRunSpec(*family, key.id())) << key.id();
                    EXPECT_NE(key.id(), variant.id);
                }
            }
        }
    }
    const auto ids = [](const char* variant) {
        QStringList all;
        for (const LaunchExperiment& experiment : experimentsOf(gpu::variantOf(gpu::familyOf("convolution"), variant)))
            for (const gpu::RunKey& key : experiment.rows) all << QString::fromStdString(key.id());
        return all.join(u' ');
    };
    EXPECT_EQ(ids("naive"), "naive@block_width=8 naive@block_height=16@block_width=16 naive@block_height=32");
    EXPECT_TRUE(ids("coarsened")
                    .endsWith("coarsened@outputs_per_thread=1 coarsened@outputs_per_thread=2 "
                              "coarsened@outputs_per_thread=8 coarsened@outputs_per_thread=16"))
        << ids("coarsened").toStdString();
    EXPECT_EQ(ids("opencv"), "");
}

TEST_F(VariantRowsTest, TheFieldsGoWithTheirFamily) {
    open("gen:noise:16x16:u8");
    session().request().setCurrent("naive");
    action("duplicate-variant")->trigger();
    ASSERT_TRUE(fields()->isVisible());
    for (const gpu::Family* family : gpu::families()) {
        session().request().setFamily(*family);
        const gpu::Variant* current = session().request().currentVariant();
        ASSERT_NE(current, nullptr);
        EXPECT_EQ(fields()->isVisible(), !current->tunables.empty()) << family->id();
        for (const gpu::Tunable& tunable : current->tunables)
            EXPECT_NE(window->findChild<QWidget*>(QString::fromStdString("launch-" + tunable.id)), nullptr)
                << family->id() << ' ' << tunable.id;
    }
    EXPECT_TRUE(idle());
}

TEST_F(VariantRowsTest, RowsThatASessionTakesAwayAreNobodysChoice) {
    open("gen:noise:16x16:u8");
    session().variants().add(kRow);
    session().request().setCurrent(kRow);
    session().request().setBaseline(kRow);
    session().variants().setAdded({});
    EXPECT_EQ(session().request().current(), "tiled_output");
    EXPECT_EQ(session().request().baseline(), "tiled_output");
    session().request().setBaseline(kRow);
    EXPECT_EQ(session().request().baseline(), "tiled_output") << "a row that is not there";
    EXPECT_TRUE(idle());
}

TEST_F(VariantRowsTest, IsARungOfThePageWhy) {
    show();
    session().request().setCurrent("tiled_output");
    duplicate(16);
    ASSERT_TRUE(QTest::qWaitFor([this] { return model().counters(kRow) != nullptr; }, kPatienceMs))
        << "counted as the others are";
    auto* rung = find<QPushButton>("rung-tiled_output@block_width=16");
    ASSERT_NE(rung, nullptr);
    EXPECT_TRUE(rung->isChecked());
    EXPECT_FALSE(model().sentences().empty());
    model().setComparedVariant("tiled_output");
    ASSERT_NE(model().comparedVariant(), nullptr);
    EXPECT_EQ(model().comparedVariant()->id, "tiled_output");
    const auto tiles = model().footprint(kRow), own = model().footprint("tiled_output");
    ASSERT_TRUE(tiles && own);
    EXPECT_EQ(tiles->tileWidth, 16);
    EXPECT_NE(tiles->tileWidth, own->tileWidth);
    action("remove-variant")->trigger();
    EXPECT_EQ(window->findChild<QPushButton*>("rung-tiled_output@block_width=16"), nullptr);
    ASSERT_TRUE(settled());
}

TEST_F(VariantRowsTest, AllRowsComeBackWithASession) {
    open("gen:gradient:40x30:u16");
    ASSERT_TRUE(save(folder.filePath("plain.warplens")));
    for (const std::string& id : {kOther, kRow}) session().variants().add(id);
    session().variants().setChecked({"naive", kRow});
    session().request().setCurrent(kRow);
    session().request().setBaseline(kRow);
    session().lookedAt().setReference(kOther);
    ASSERT_TRUE(filtered());
    session().outputs().takeSnapshot();
    ASSERT_TRUE(save(folder.filePath("s.warplens")));
    QFile file(folder.filePath("s.warplens"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    QByteArray text = file.readAll();
    EXPECT_EQ(warplens::test::violation("session", text.toStdString()), "");
    reopen();
    ASSERT_TRUE(load(file.fileName())) << session().activity().notice().toStdString();
    const gpu::Family& family = *session().parameters().family();
    EXPECT_EQ(session().variants().addedTo(family), (std::vector<std::string>{kOther, kRow}));
    EXPECT_EQ(session().variants().checked(), (std::vector<std::string>{"naive", kRow}));
    EXPECT_EQ(session().request().current(), kRow);
    EXPECT_EQ(session().request().baseline(), kRow);
    EXPECT_EQ(session().lookedAt().reference(), kOther);
    ASSERT_EQ(session().snapshots().all().size(), 1U);
    EXPECT_EQ(session().snapshots().all().front().record.id(), kRow);
    EXPECT_FALSE(session().activity().noticeIsError()) << session().activity().notice().toStdString();

    // A row that this version cannot have is said, the others come.
    QFile strange(folder.filePath("strange.warplens"));
    ASSERT_TRUE(strange.open(QIODevice::WriteOnly));
    strange.write(text.replace("tiled_output@block_width=8", "tiled_output@colour=8"));
    strange.close();
    ASSERT_TRUE(load(strange.fileName()));
    EXPECT_TRUE(QTest::qWaitFor([this] { return session().activity().notice().contains("colour"); }, kPatienceMs));
    EXPECT_EQ(session().variants().addedTo(family), std::vector<std::string>{kRow});

    // As a session of the version before, which knew no such rows.
    ASSERT_TRUE(load(folder.filePath("plain.warplens"))) << session().activity().notice().toStdString();
    EXPECT_TRUE(session().variants().addedTo(family).empty());
    EXPECT_EQ(session().variants().checkedCount(),
              std::ranges::count_if(gpu::familyOf("convolution").variants(),
                                    [](const auto& variant) { return !gpu::isExplicitOnly(variant); }));
    QFile plain(folder.filePath("plain.warplens"));
    ASSERT_TRUE(plain.open(QIODevice::ReadOnly));
    EXPECT_FALSE(plain.readAll().contains("\"rows\":"));
}

}  // namespace
}  // namespace warplens::gui::test
