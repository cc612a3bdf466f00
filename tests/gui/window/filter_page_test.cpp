// SPDX-License-Identifier: Apache-2.0
// The workspace Picture, as a person uses it: steps by name, one list, before and after, saved as what it is.
#include "gui/filter/filter_page.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/recipe/run.hpp"
#include "gui/filter/steps_panel.hpp"
#include "gui/kit/plot/plot_view.hpp"
#include "gui/picture/pane.hpp"
#include "gui/regions/components_panel.hpp"
#include "gui/regions/regions_page.hpp"
#include "gui/session/known_steps.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/volume/volume_panes.hpp"
#include "io/fit_format.hpp"
#include "io/generate.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QLabel>
#include <QListWidget>
#include <QSpinBox>
#include <QTableWidget>
#include <algorithm>
#include <cstring>
#include <map>
#include <random>

namespace warplens::gui::test {
namespace {

const QString kPicture = QStringLiteral("gen:blobs:96x64:u8");

bool sameBits(const io::Grid& one, const io::Grid& other) {
    return one.shape() == other.shape() && one.type() == other.type() &&
           std::memcmp(one.data(), other.data(), one.bytes()) == 0;
}

class FilterPageTest : public WindowTest {
protected:
    void SetUp() override {
        WindowTest::SetUp();
        QTest::keyClick(window.get(), Qt::Key_F2);
        ASSERT_EQ(window->pages()->workspace(), Page::Workspace::picture);
        ASSERT_EQ(window->pages()->current(), page());
    }

    FilterPage* page() { return find<FilterPage>("page-picture"); }
    QListWidget* steps() { return find<QListWidget>("steps"); }
    RecipeState& recipe() { return session().recipe(); }

    void openPicture(const QString& input) {
        session().inputs().open(input);
        ASSERT_TRUE(QTest::qWaitFor([&] { return session().document().input() == input; }, kPatienceMs));
        ASSERT_TRUE(idle());
    }
    /// As a person does: the key of the field, a word, Enter.
    void add(const QString& typed) {
        const int before = steps()->count();
        QTest::keyClick(window.get(), Qt::Key_Slash);
        auto* field = find<QLineEdit>("add-step");
        ASSERT_TRUE(field->hasFocus());
        QTest::keyClicks(field, typed);
        QTest::keyClick(field, Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return steps()->count() == before + 1; }, kPatienceMs))
            << typed.toStdString();
        ASSERT_TRUE(done());
    }
    /// All that was asked for is there.
    bool done() {
        return QTest::qWaitFor(
            [this] { return page()->settled() && page()->result() != nullptr && !session().activity().busy(); },
            kPatienceMs);
    }
    /// What the recipe makes, run by itself.
    std::shared_ptr<const io::Grid> expected() {
        gpu::Runner runner;
        gpu::Request base;
        base.input = page()->origin().picture.grid;
        base.device = session().devices().id();
        base.timing = gpu::TimingPolicy::once();
        base.hostLibraries = true;
        gpu::recipe::Recipe steps = recipe().place()->recipe;
        for (gpu::recipe::Step& step : steps.steps) step.variant = gpu::kAuto;
        if (gpu::recipe::stepsOn(steps).empty()) return base.input;
        return gpu::recipe::run(runner, steps, base, {}).result.picture;
    }
    void expectWhole(const char* after) {
        ASSERT_TRUE(done()) << after;
        const auto seen = page()->result(), wanted = expected();
        ASSERT_NE(wanted, nullptr) << after;
        EXPECT_TRUE(sameBits(*seen, *wanted)) << after;
    }
};

TEST_F(FilterPageTest, NothingRunsUnasked) {
    openPicture(kPicture);
    QTest::qWait(300);
    EXPECT_EQ(session().results().of(session().request().current()), nullptr);
    EXPECT_EQ(page()->result(), session().document().grid());
    EXPECT_TRUE(find<QLabel>("no-step")->isVisible());
    EXPECT_FALSE(find<QPushButton>("quiet-line")->isVisible());
}

TEST_F(FilterPageTest, StepsAreSaidByTheirUsualNamesAndMakeOnePicture) {
    openPicture(kPicture);
    add("sharpen");
    expectWhole("sharpen");
    add("median");
    expectWhole("median behind it");
    EXPECT_TRUE(steps()->item(0)->text().startsWith("Sharpen")) << steps()->item(0)->text().toStdString();
    EXPECT_TRUE(steps()->item(1)->text().startsWith("Median")) << steps()->item(1)->text().toStdString();
    EXPECT_EQ(page()->result()->type(), io::PixelType::u8) << "a file of a photograph holds it";
    EXPECT_TRUE(find<QPushButton>("quiet-line")->text().contains("Median"));
    EXPECT_TRUE(find<QPushButton>("quiet-line")->text().contains("verified"));

    // An earlier step is changed: what is seen is the whole still.
    steps()->setFocus();
    QTest::keyClick(steps(), Qt::Key_Up);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->at == 0; }, kPatienceMs));
    expectWhole("the first step chosen");
    const auto before = page()->result();
    session().parameters().set(session().parameters().family()->info().swept, std::int64_t{4});
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return page()->result() != nullptr && page()->result() != before; }, kPatienceMs));
    expectWhole("the first step changed");
    QTest::keyClick(steps(), Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !recipe().place()->recipe.steps[0].on; }, kPatienceMs));
    expectWhole("the first step off");
    QTest::keyClick(steps(), Qt::Key_Space);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->recipe.steps[0].on; }, kPatienceMs));
    QTest::keyClick(steps(), Qt::Key_Down, Qt::AltModifier);
    ASSERT_TRUE(QTest::qWaitFor([&] { return steps()->item(0)->text().startsWith("Median"); }, kPatienceMs));
    expectWhole("the order changed");
    QTest::keyClick(steps(), Qt::Key_Delete);
    ASSERT_TRUE(QTest::qWaitFor([&] { return steps()->count() == 1; }, kPatienceMs));
    expectWhole("a step removed");
}

TEST_F(FilterPageTest, AFamilyThatIsChosenByNameIsAStep) {
    openPicture(kPicture);
    add("sharpen");
    for (const gpu::Family* family : gpu::families()) {
        if (family == session().parameters().family() || family->id() != "rank") continue;
        session().request().setFamily(*family);
        ASSERT_TRUE(QTest::qWaitFor([&] { return steps()->count() == 2; }, kPatienceMs));
    }
    EXPECT_TRUE(steps()->item(1)->text().startsWith("Median"));
    expectWhole("a family from the palette");
}

TEST_F(FilterPageTest, AnyRadiusPassesToAVariantThatCan) {
    openPicture(kPicture);
    add("median");
    for (const std::int64_t radius : {4, 1, 7, 2}) {
        session().parameters().set(session().parameters().family()->info().swept, radius);
        ASSERT_TRUE(QTest::qWaitFor([&] { return page()->result() != nullptr; }, kPatienceMs)) << radius;
        expectWhole("another radius");
    }
}

TEST_F(FilterPageTest, ACurveIsDraggedInItsStep) {
    openPicture(kPicture);
    add("curves");
    auto* editor = dynamic_cast<PlotView*>(page()->steps()->findChild<QWidget*>(QStringLiteral("curve-editor")));
    ASSERT_NE(editor, nullptr);
    ASSERT_TRUE(editor->isVisible());
    EXPECT_GT(editor->width(), 160);
    const auto before = page()->result();
    editor->setFocus();
    QTest::keyClick(editor, Qt::Key_PageDown);
    QTest::keyClick(editor, Qt::Key_Up, Qt::ShiftModifier);
    ASSERT_TRUE(
        QTest::qWaitFor([&] { return page()->result() != nullptr && page()->result() != before; }, kPatienceMs));
    expectWhole("the first point raised");
    EXPECT_GE(page()->result()->value(0, 0), 25) << "black became 10 %";
    EXPECT_EQ(steps()->count(), 1) << "no key of the editor is a key of the list";
}

TEST_F(FilterPageTest, OneKeyLeadsToTheLabAndBackToTheSameStep) {
    openPicture(kPicture);
    add("sharpen");
    add("median");
    QTest::mouseClick(find<QPushButton>("quiet-line"), Qt::LeftButton);
    EXPECT_EQ(window->pages()->current(), comparePage());
    EXPECT_EQ(recipe().place()->at, 1U);
    const auto* family = session().parameters().family();
    ASSERT_TRUE(filtered());
    QTest::keyClick(window.get(), Qt::Key_F2);
    EXPECT_EQ(window->pages()->current(), page());
    EXPECT_EQ(session().parameters().family(), family);
    EXPECT_EQ(steps()->currentRow(), 1);
    expectWhole("back from the Lab");
    // Views by their keys, each in its workspace.
    QTest::keyClick(window.get(), Qt::Key_3, Qt::ControlModifier);
    EXPECT_EQ(window->pages()->current()->id(), "histogram");
    EXPECT_EQ(window->pages()->workspace(), Page::Workspace::picture);
    QTest::keyClick(window.get(), Qt::Key_1, Qt::ControlModifier);
    EXPECT_EQ(window->pages()->current(), page());
    EXPECT_EQ(session().parameters().family(), family) << "the step at hand is the task again";
    // The workspace is remembered.
    reopen();
    EXPECT_EQ(window->pages()->workspace(), Page::Workspace::picture);
}

TEST_F(FilterPageTest, AVolumeIsSeenBeforeAndBehindItsSteps) {
    openPicture(QStringLiteral("gen:blobs:24x20x8:u8"));
    ASSERT_NO_FATAL_FAILURE(add("median"));
    ASSERT_NO_FATAL_FAILURE(add("blur"));
    QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier);
    ASSERT_EQ(window->pages()->current()->id(), "volume");
    const auto& panes = *static_cast<VolumePage*>(window->pages()->current())->panes();
    const auto opened = page()->origin().picture.grid;
    const auto shows = [&](bool input) {
        return QTest::qWaitFor([&] { return panes.volume() != nullptr && (panes.volume() == opened) == input; },
                               kPatienceMs);
    };
    EXPECT_TRUE(shows(false));
    QTest::keyClick(window.get(), Qt::Key_W);
    EXPECT_TRUE(shows(true));
    EXPECT_TRUE(find<QPushButton>("volume-input")->isChecked());
    QTest::keyClick(window.get(), Qt::Key_W);
    EXPECT_TRUE(shows(false));
    EXPECT_NE(panes.volume(), session().document().grid()) << "nor what the last step takes";
}

TEST_F(FilterPageTest, TheViewVolumeIsOfVolumes) {
    const auto press = [this] { QTest::keyClick(window.get(), Qt::Key_2, Qt::ControlModifier); };
    auto* button = find<QPushButton>("view-button-volume");
    openPicture(kPicture);
    EXPECT_TRUE(button->isHidden());
    press();
    EXPECT_EQ(window->pages()->current(), page());
    openPicture(QStringLiteral("gen:blobs:24x20x8:u8"));
    EXPECT_FALSE(button->isHidden());
    press();
    EXPECT_EQ(window->pages()->current()->id(), "volume");
    EXPECT_EQ(window->pages()->workspace(), Page::Workspace::picture);
    // A flat picture has none; in the Lab its iterations are watched there.
    openPicture(kPicture);
    EXPECT_EQ(window->pages()->current(), page());
    EXPECT_TRUE(button->isHidden());
    QTest::keyClick(window.get(), Qt::Key_F2);
    EXPECT_FALSE(find<QPushButton>("page-button-volume")->isHidden());
    window->pages()->setCurrent(window->pages()->page("volume"));
    EXPECT_EQ(window->pages()->workspace(), Page::Workspace::lab);
    QTest::keyClick(window.get(), Qt::Key_F2);
    EXPECT_EQ(window->pages()->current(), page());
}

TEST_F(FilterPageTest, InputAndResultByWipeKeyOrSideBySide) {
    openPicture(kPicture);
    add("blur");
    QTest::keyClick(window.get(), Qt::Key_W);
    EXPECT_EQ(page()->shows(), FilterPage::Shows::wipe);
    QTest::keyClick(window.get(), Qt::Key_B);
    EXPECT_EQ(page()->panes()->panes().size(), 2U);
    QTest::keyClick(window.get(), Qt::Key_I);
    ASSERT_EQ(page()->panes()->panes().size(), 1U);
    EXPECT_EQ(page()->panes()->panes()[0].picture, page()->origin().picture.grid);
    QTest::keyClick(window.get(), Qt::Key_I);
    EXPECT_EQ(page()->panes()->panes()[0].picture, page()->result());
}

TEST_F(FilterPageTest, AMaskOf16BitsLeavesItsInputToBeSeen) {
    io::Grid dim = io::generate("gen:blobs:48x32:u16");
    for (std::int64_t i = 0; i < dim.shape().values(); ++i)
        reinterpret_cast<std::uint16_t*>(dim.data())[i] /= 64;  // as a microscope's 10 bits
    const QString input = folder.filePath("dim.tif");
    io::write(dim, input.toStdString());
    openPicture(input);
    add("otsu");
    add("fill holes");
    auto* grid = page()->findChild<PaneGrid*>();
    const auto brightest = [&] {
        grid->pane(0)->view()->setFlipped(true);
        const QImage seen = grid->pane(0)->view()->grab().toImage().convertToFormat(QImage::Format_Grayscale8);
        grid->pane(0)->view()->setFlipped(false);
        int most = 0;
        for (int y = seen.height() / 4; y < 3 * seen.height() / 4; ++y)
            for (int x = seen.width() / 4; x < 3 * seen.width() / 4; ++x)
                most = std::max<int>(most, qGray(seen.pixel(x, y)));
        return most;
    };
    QTest::keyClick(window.get(), Qt::Key_W);
    EXPECT_TRUE(QTest::qWaitFor([&] { return brightest() > 200; }, 3000)) << brightest();
    QTest::keyClick(window.get(), Qt::Key_I);
    ASSERT_TRUE(done());
    EXPECT_LT(grid->pane(0)->view()->range().high, 1100);
    QTest::keyClick(window.get(), Qt::Key_I);
    ASSERT_TRUE(done());
    EXPECT_EQ(grid->pane(0)->view()->range(), grid->viewState()->range());
}

TEST_F(FilterPageTest, ThePictureHasMostOfASmallWindow) {
    openPicture(kPicture);
    add("blur");
    const auto shown = [this] { return page()->panes()->pane(0)->caption()->isVisible(); };
    EXPECT_TRUE(shown());
    window->resize(1280, 720);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !shown(); }, kPatienceMs));
    const QWidget* picture = page()->panes()->pane(0)->view();
    EXPECT_TRUE(QTest::qWaitFor([&] { return picture->width() * picture->height() >= 1280 * 720 * 6 / 10; }, 3000))
        << picture->width() << " x " << picture->height();
    page()->setShows(FilterPage::Shows::both);
    ASSERT_TRUE(QTest::qWaitFor(shown, kPatienceMs));
    page()->setShows(FilterPage::Shows::result);
    window->resize(1600, 1000);
    ASSERT_TRUE(QTest::qWaitFor(shown, kPatienceMs));
}

TEST_F(FilterPageTest, SavesAsWhatAPhotographIs) {
    const QString input = folder.filePath("photo.jpg");
    io::write(io::generate("gen:blobs:96x64:u8"), input.toStdString());
    openPicture(input);
    add("sharpen");
    // 32-bit values, which no JPEG has: converted on the way, and said before.
    session().parameters().setText("output-type", "f32");
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return page()->result() != nullptr && page()->result()->type() == io::PixelType::f32; }, kPatienceMs));
    QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
    auto* box = window->findChild<QDialog*>("save-box");
    ASSERT_NE(box, nullptr);
    auto* formats = box->findChild<QComboBox*>("save-format");
    formats->setCurrentIndex(formats->findData("jpeg"));
    box->findChild<QSpinBox*>("save-quality")->setValue(80);
    auto* lost = box->findChild<QLabel*>("save-lost");
    ASSERT_TRUE(QTest::qWaitFor([&] { return lost->text().contains("quality 80"); }, kPatienceMs))
        << lost->text().toStdString();
    EXPECT_TRUE(lost->text().contains("rounded to 8 bits"));
    EXPECT_TRUE(box->findChild<QLabel*>("save-size")->text().startsWith("about "));
    EXPECT_EQ(box->findChild<QLineEdit*>("save-name")->text(), "photo-sharpen");
    const auto result = page()->result();
    QTest::keyClick(box, Qt::Key_Return);
    const QString saved = folder.filePath("photo-sharpen.jpg");
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(saved) && !session().activity().busy(); }, kPatienceMs))
        << session().activity().notice().toStdString();
    const io::Grid back = io::read(saved.toStdString());
    ASSERT_EQ(back.shape(), result->shape());
    double worst = 0;
    for (int y = 0; y < 64; ++y)
        for (int x = 0; x < 96; ++x)
            worst = std::max(worst, std::abs(back.value(x, y) - std::clamp(result->value(x, y), 0.0, 255.0)));
    EXPECT_LT(worst, 80) << "JPEG at quality 80";
}

TEST_F(FilterPageTest, CropsByHandlesAndKeysUntilAnotherStepIsCurrent) {
    openPicture(kPicture);
    add("blur");
    add("crop");
    const auto part = [this] {
        return session().parameters().value(session().parameters().findRole(gpu::Parameter::Role::box)->id);
    };
    const auto keeps = [&](const char* box) { return part() == gpu::Parameter::Value(std::string(box)); };
    ImageView* view = page()->panes()->pane(0)->view();
    ASSERT_EQ(view->picture()->shape().width, 96) << "all of it is seen";
    EXPECT_TRUE(view->hasFocus());
    const auto drag = [&](QPointF from, QPointF to) {
        QTest::mousePress(view, Qt::LeftButton, {}, view->toWidget(from).toPoint());
        QTest::mouseMove(view, view->toWidget((from + to) / 2).toPoint());
        QTest::mouseMove(view, view->toWidget(to).toPoint());
        QTest::mouseRelease(view, Qt::LeftButton, {}, view->toWidget(to).toPoint());
        ASSERT_TRUE(done());
    };
    drag({30, 20}, {70, 50});  // within the whole: a part of it
    EXPECT_TRUE(keeps("30,20,41,31"));
    window->findChild<QAction*>("undo")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return keeps("") && done(); }, kPatienceMs));
    drag({96, 64}, {80, 48});  // the lower right corner
    EXPECT_TRUE(keeps("0,0,80,48"));
    drag({40, 24}, {48, 30});  // within: it moves
    EXPECT_TRUE(keeps("8,6,80,48"));
    drag({8, 30}, {18, 40});  // the left edge alone
    EXPECT_TRUE(keeps("18,6,70,48"));
    QTest::keyClick(view, Qt::Key_Left);
    QTest::keyClick(view, Qt::Key_Down, Qt::ShiftModifier);
    QTest::keyClick(view, Qt::Key_Right, Qt::ControlModifier);
    EXPECT_TRUE(keeps("17,16,71,48"));
    auto* ratio = find<QComboBox>("crop-ratio");
    ratio->setFocus();
    QTest::keyClick(ratio, Qt::Key_Home);
    for (int i = 0; i < 2; ++i) QTest::keyClick(ratio, Qt::Key_Down);
    EXPECT_EQ(ratio->currentText(), "1 : 1");
    EXPECT_TRUE(keeps("17,16,48,48"));
    QTest::qWait(History::kOneDragMs + 100);  // what follows is a step of undo by itself
    find<QSpinBox>("crop-width")->setValue(20);
    EXPECT_TRUE(done());
    EXPECT_EQ(steps()->item(1)->text(), QStringLiteral("Crop   20 × 48"));
    window->findChild<QAction*>("undo")->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return keeps("17,16,48,48") && done(); }, kPatienceMs));

    // It applies when another step is current, and can be changed later.
    steps()->setFocus();
    QTest::keyClick(steps(), Qt::Key_Up);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->at == 0; }, kPatienceMs));
    expectWhole("cropped");
    EXPECT_EQ(page()->result()->shape().width, 48);
    EXPECT_EQ(page()->panes()->panes()[0].picture, page()->result());
    EXPECT_FALSE(find<QWidget>("crop-form")->isVisible());
    QTest::keyClick(steps(), Qt::Key_Down);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->at == 1 && done(); }, kPatienceMs));
    EXPECT_EQ(page()->panes()->panes()[0].picture->shape().width, 96);
    view = page()->panes()->pane(0)->view();
    view->setFocus();
    QTest::keyClick(view, Qt::Key_Return);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->behindLast() && done(); }, kPatienceMs));
    EXPECT_EQ(page()->panes()->panes()[0].picture->shape().width, 48);
    // What it kept is wiped against what the file has there.
    page()->setShows(FilterPage::Shows::wipe);
    EXPECT_TRUE(page()->panes()->pane(0)->comparable());
    EXPECT_TRUE(page()->panes()->pane(0)->view()->wipe());
    add("invert");
    EXPECT_EQ(recipe().place()->at, 2u) << "the new step is the current one, not the first";
    EXPECT_EQ(steps()->currentRow(), 2);
}

TEST_F(FilterPageTest, TheOtherViewsShowWhatAllStepsMakeAndNothingOfVariants) {
    openPicture(kPicture);
    add("threshold");
    add("invert");
    steps()->setFocus();
    QTest::keyClick(steps(), Qt::Key_Up);
    ASSERT_TRUE(QTest::qWaitFor([&] { return recipe().place()->at == 0 && done(); }, kPatienceMs));
    const auto wanted = page()->result();
    QTest::keyClick(window.get(), Qt::Key_Slash);
    auto* field = find<QLineEdit>("add-step");
    QTest::keyClicks(field, "measure");
    QTest::keyClick(field, Qt::Key_Return);
    auto* regions = find<RegionsPage>("page-regions");
    ASSERT_EQ(window->pages()->current(), regions);
    EXPECT_TRUE(QTest::qWaitFor(
        [&] {
            const auto seen = regions->inputPane()->content().picture;
            return seen != nullptr && sameBits(*seen, *wanted) && regions->resultPane()->content().picture != nullptr;
        },
        kPatienceMs))
        << "the regions are those of the last step";
    EXPECT_EQ(steps()->count(), 2) << "to look is no step";
    EXPECT_TRUE(steps()->hasFocus()) << "not what leads to the Lab";
    QTest::keyClick(window.get(), Qt::Key_Slash);
    EXPECT_TRUE(field->hasFocus()) << "its key is heard beside every view";
    regions->setFocus();
    const auto shown = [this](const char* dock) { return find<QWidget>(dock)->isVisible(); };
    EXPECT_TRUE(shown("steps-dock"));
    EXPECT_FALSE(shown("task-dock") || shown("results-dock") || shown("source-dock"));
    EXPECT_TRUE(find<QPushButton>("quiet-line")->isVisible());
    QTest::keyClick(window.get(), Qt::Key_F2);
    EXPECT_FALSE(shown("steps-dock"));
    EXPECT_TRUE(shown("task-dock"));
    EXPECT_FALSE(find<QPushButton>("quiet-line")->isVisible());
}

TEST_F(FilterPageTest, AFoundLevelBecomesANumber) {
    openPicture(kPicture);
    add("otsu");
    const auto before = page()->result();
    auto* found = page()->steps()->findChild<QPushButton*>(QStringLiteral("found-level"));
    ASSERT_NE(found, nullptr);
    ASSERT_TRUE(found->isVisible());
    EXPECT_TRUE(found->text().contains("by otsu")) << found->text().toStdString();
    const auto number = [this] { return page()->steps()->findChild<QWidget*>(QStringLiteral("threshold")); };
    EXPECT_FALSE(number()->isVisible()) << "a rule says it";
    QTest::mouseClick(found, Qt::LeftButton);
    ASSERT_TRUE(done());
    EXPECT_FALSE(found->isVisible());
    EXPECT_TRUE(number()->isVisible());
    EXPECT_EQ(gpu::format(session().parameters().value("threshold-by")), "percent");
    EXPECT_TRUE(sameBits(*page()->result(), *before));
}

TEST_F(FilterPageTest, TheSameStepsForAFolderBeginAsTheyWereSaved) {
    const QString input = folder.filePath("in/a.png");
    QDir(folder.path()).mkdir("in");
    io::write(io::generate("gen:blobs:96x64:u16"), input.toStdString());
    openPicture(input);
    add("sharpen");
    settings.setValue("save/format", "jpeg");
    settings.setValue("save/quality", 70);
    QFile::copy(input, folder.filePath("in/a-sharpen.png"));  // as it is saved
    QTest::mouseClick(find<QPushButton>("batch-this"), Qt::LeftButton);
    EXPECT_EQ(find<QTableWidget>("batch-table")->rowCount(), 1) << "not what the steps made";
    EXPECT_EQ(find<QComboBox>("batch-ending")->currentText(), "jpg");
    EXPECT_EQ(find<QSpinBox>("batch-quality")->value(), 70);
    EXPECT_TRUE(find<QComboBox>("batch-work")->currentText().contains("Sharpen"));
    auto* lost = find<QLabel>("batch-lost");
    EXPECT_TRUE(QTest::qWaitFor([&] { return lost->text().contains("16 bits become 8"); }, kPatienceMs))
        << lost->text().toStdString();
    // PNG holds 16 bits, and makes 8 of them where that is chosen.
    find<QComboBox>("batch-ending")->setCurrentText("png");
    auto* types = find<QComboBox>("batch-type");
    types->setCurrentIndex(types->findText("8 bit"));
    QTest::mouseClick(find<QPushButton>("batch-start"), Qt::LeftButton);
    const QString made = folder.filePath("in-results/a.png");
    ASSERT_TRUE(QTest::qWaitFor([&] { return QFile::exists(made); }, kPatienceMs))
        << find<QLabel>("batch-said")->text().toStdString();
    EXPECT_EQ(io::read(made.toStdString()).type(), io::PixelType::u8);
}

TEST_F(FilterPageTest, AFileIsSavedAsWhatItIsWhereThatHoldsTheResult) {
    const QString input = folder.filePath("photo.jpg"), cells = folder.filePath("cells.tif");
    io::write(io::generate("gen:blobs:96x64:u8:c=3"), input.toStdString());
    io::Grid measured = io::generate("gen:blobs:40x40:u16");
    measured.geometry.spacing = {0.0002, 0.0002, 1};
    io::write(measured, cells.toStdString());
    settings.setValue("save/format", "png");
    const auto offered = [this] {
        QTest::keyClick(window.get(), Qt::Key_S, Qt::ControlModifier);
        auto* box = window->findChild<QDialog*>("save-box");
        const QString id = box->findChild<QComboBox*>("save-format")->currentData().toString();
        delete box;
        window->activateWindow();
        return id.toStdString();
    };
    openPicture(input);
    EXPECT_EQ(find<QPushButton>("chip-4")->text(), "Levels");
    add("sharpen");
    EXPECT_EQ(offered(), "jpeg");
    session().parameters().setText("output-type", "f32");
    ASSERT_TRUE(QTest::qWaitFor([&] { return page()->result() && page()->result()->type() == io::PixelType::f32; },
                                kPatienceMs));
    EXPECT_EQ(offered(), "png") << "as the last one was";
    openPicture(cells);
    EXPECT_EQ(find<QPushButton>("chip-3")->text(), "Threshold") << "other steps are likely";
    EXPECT_EQ(offered(), "tiff");
}

TEST_F(FilterPageTest, RegionsOfAFolderAreMeasuredAsThoseSeen) {
    QDir(folder.path()).mkdir("in");
    for (const char* name : {"in/a.tif", "in/b.tif"})
        io::write(io::generate(QByteArray(name).contains("a.") ? "gen:blobs:96x64:u16" : "gen:blobs:60x50:u16:seed=3"),
                  folder.filePath(name).toStdString());
    openPicture(folder.filePath("in/a.tif"));
    add("threshold");
    QTest::keyClick(window.get(), Qt::Key_Slash);
    QTest::keyClicks(find<QLineEdit>("add-step"), "measure");
    QTest::keyClick(find<QLineEdit>("add-step"), Qt::Key_Return);
    auto* panel = find<RegionsPage>("page-regions")->components();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !panel->model().measures().empty(); }, kPatienceMs));
    const gpu::Table seen = panel->shownTable();
    QTest::mouseClick(find<QPushButton>("batch-this"), Qt::LeftButton);
    EXPECT_TRUE(find<QComboBox>("batch-work")->currentText().contains("regions"));
    QTest::mouseClick(find<QPushButton>("batch-start"), Qt::LeftButton);
    auto* said = find<QLabel>("batch-said");
    ASSERT_TRUE(QTest::qWaitFor([&] { return said->text() == "2 done, 0 failed"; }, kPatienceMs))
        << said->text().toStdString() << find<QTableWidget>("batch-table")->item(0, 1)->text().toStdString();
    QFile csv(folder.filePath("in-results/a.csv")), zip(folder.filePath("in-results/b.zip"));
    ASSERT_TRUE(csv.open(QIODevice::ReadOnly) && zip.open(QIODevice::ReadOnly));
    const QList<QByteArray> lines = csv.readAll().trimmed().split('\n');
    EXPECT_EQ(lines.size() - 1, static_cast<qsizetype>(seen.columns.front().size()));
    // Of the file's values, not of black and white: no mean is that of white.
    const auto mean = lines[0].split(',').indexOf("mean");
    ASSERT_GE(mean, 0) << lines[0].toStdString();
    const gpu::Column* wanted = seen.find("mean");
    ASSERT_NE(wanted, nullptr);
    double sum = 0, wantedSum = 0;
    for (qsizetype row = 1; row < lines.size(); ++row) {
        sum += lines[row].split(',')[mean].toDouble();
        wantedSum += wanted->number(static_cast<std::size_t>(row - 1));
        EXPECT_LT(lines[row].split(',')[mean].toDouble(), 65535);
    }
    EXPECT_NEAR(sum, wantedSum, 1e-6 * wantedSum);
    EXPECT_TRUE(zip.read(2) == "PK");
    EXPECT_TRUE(QFile::exists(folder.filePath("in-results/b.tif")));
}

/// What must come back: the steps with all they hold, and which of them is at hand.
struct Place {
    gpu::recipe::Recipe recipe;
    std::size_t at = 0;
    bool operator==(const Place&) const = default;
};

TEST_F(FilterPageTest, UndoBringsBackWhatAnotherTaskOfTheStepDoesNotUse) {
    openPicture(QStringLiteral("gen:noise:24x20:u8"));
    ParameterState& parameters = session().parameters();
    const gpu::Family& family = gpu::familyOf("elementwise");
    recipe().insert(family, {{"task", std::string("exposure")}});
    ASSERT_TRUE(idle());
    parameters.set("stops", 0.5);
    ASSERT_TRUE(idle());
    parameters.set("task", std::string("invert"));
    ASSERT_TRUE(idle());
    recipe().insert(family, {{"task", std::string("invert")}});
    ASSERT_TRUE(idle());
    for (int i = 0; i < 4 && parameters.value("task") != gpu::Parameter::Value(std::string("exposure")); ++i) {
        session().history().stack().undo();
        ASSERT_TRUE(idle());
    }
    EXPECT_EQ(parameters.value("task"), gpu::Parameter::Value(std::string("exposure")));
    EXPECT_EQ(parameters.value("stops"), gpu::Parameter::Value(0.5));
}

/// Another value of the current step, as a field of it would set one: anything that it takes.
void changeAValue(ParameterState& parameters, std::mt19937& random) {
    using Type = gpu::Parameter::Type;
    std::vector<const gpu::Parameter*> numbers;
    for (const gpu::Parameter& one : parameters.parameters())
        if (one.type == Type::integer || one.type == Type::real || one.type == Type::choice) numbers.push_back(&one);
    if (numbers.empty()) return;
    const gpu::Parameter& one = *numbers[random() % numbers.size()];
    const auto quarters = static_cast<int>(random() % 5);
    const double number = one.minimum + quarters * (std::min(one.maximum, one.minimum + 4) - one.minimum) / 4;
    if (one.type == Type::choice)
        parameters.set(one.id, one.choices[random() % one.choices.size()]);
    else if (one.type == Type::integer)
        parameters.set(one.id, static_cast<std::int64_t>(number));
    else
        parameters.set(one.id, number);
}

// A state is what there was when the history was so long: values of one drag follow each other without a step.
TEST_F(FilterPageTest, UndoGivesBackEveryStateOfRandomWork) {
    openPicture(QStringLiteral("gen:noise:24x20:u8"));
    const auto place = [this] {
        const RecipePlace* now = recipe().place();
        Place held = now == nullptr ? Place{} : Place{now->recipe, now->at};
        for (gpu::recipe::Step& step : held.recipe.steps) {
            step.variant.clear();  // what ran is no choice of the user's
            const auto& parameters = gpu::familyOf(step.family).parameters();
            std::erase_if(step.parameters, [&](const auto& one) {  // a default says the same as none
                return one.second == gpu::valueOf(parameters, {}, one.first);
            });
        }
        return held;
    };
    QUndoStack& stack = session().history().stack();
    stack.clear();
    stack.setUndoLimit(0);
    std::map<int, Place> places{{0, place()}};  // by length of the history
    std::mt19937 random(7);
    std::vector<KnownStep> known = knownSteps(nullptr);
    std::erase_if(known, [](const KnownStep& one) { return one.likely.isEmpty() || !one.view.isEmpty(); });
    const int asked = qEnvironmentVariableIntValue("WARPLENS_RANDOM_ACTIONS");
    for (int i = 0; i < (asked > 0 ? asked : 40); ++i) {
        const std::size_t count = recipe().place() == nullptr ? 0 : recipe().place()->recipe.steps.size();
        const auto any = [&] { return static_cast<std::size_t>(random() % std::max<std::size_t>(count, 1)); };
        switch (count < 2 ? 0 : random() % 8) {
            case 0: {
                const KnownStep& step = known[random() % known.size()];
                recipe().insert(*step.family, step.values);
                break;
            }
            case 1: recipe().select(any()); break;
            case 2: recipe().move(any(), any()); break;
            case 3: recipe().setOn(any(), random() % 2 == 0); break;
            case 4: recipe().duplicate(any()); break;
            case 5: recipe().remove(any()); break;
            default: changeAValue(session().parameters(), random); break;
        }
        ASSERT_TRUE(idle());
        places.erase(places.upper_bound(stack.index()), places.end());
        places[stack.index()] = place();
    }
    const auto expectPlace = [&] {
        ASSERT_TRUE(idle());
        const auto then = places.find(stack.index());
        ASSERT_TRUE(then == places.end() || then->second == place())
            << "where the history is " << stack.index() << " long";
    };
    EXPECT_GE(places.size(), 25U);
    while (stack.canUndo()) {
        stack.undo();
        expectPlace();
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(stack.index(), 0);
    while (stack.canRedo()) {
        stack.redo();
        expectPlace();
        if (HasFatalFailure()) return;
    }
    EXPECT_EQ(stack.index(), places.rbegin()->first);
}

}  // namespace
}  // namespace warplens::gui::test
