// SPDX-License-Identifier: Apache-2.0
// What people ran into: a row that cannot take the values, a step back that brings half of the work, a picture that
// turns flat, steps that go without a question.
#include "gui/kit/files.hpp"
#include "gui/lenses/histogram/histogram_page.hpp"
#include "gui/lessons/lessons_page.hpp"
#include "gui/picture/pane.hpp"
#include "gui/picture/pane_grid.hpp"
#include "gui/session/recipe_place.hpp"
#include "gui/session/samples.hpp"
#include "gui/window/session_keeper.hpp"
#include "io/crop.hpp"
#include "io/read.hpp"
#include "io/write.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/counted_walk.hpp"

#include <QAction>
#include <QDialog>
#include <QDir>
#include <QFileDialog>
#include <QLabel>
#include <QListWidget>
#include <QSignalSpy>
#include <QSpinBox>
#include <cstring>
#include <mutex>

namespace warplens::gui::test {
namespace {

class FoundByUsers : public CountedWalk {
protected:
    void TearDown() override {
        setUsualFolder({});
        CountedWalk::TearDown();
    }
    const std::string& current() { return session().request().current(); }
    std::string family() { return session().parameters().family()->id(); }
    const gpu::RunRecord* result() { return session().results().present(current()); }
    void radius(std::int64_t value) {
        session().parameters().set("radius", value);
        ASSERT_TRUE(filtered()) << "radius " << value << ": " << current() << ", "
                                << session().activity().notice().toStdString();
    }
    void use() {
        const QString before = session().document().name();
        window->findChild<QAction*>("use-result")->trigger();
        ASSERT_TRUE(waitFor([&] { return session().document().name() != before; }));
        ASSERT_TRUE(filtered());
    }
    std::size_t steps() {
        const RecipePlace* place = session().recipe().place();
        return place == nullptr ? 0 : place->recipe.steps.size();
    }
    DisplayRange range() { return comparePage()->panes()->viewState()->range(); }
};

// Every row of the family, named by the user, at a radius that some cannot take.
TEST_F(FoundByUsers, ARowThatCannotTakeTheValuesPassesThemOnAndComesBack) {
    open("gen:noise:40x30:u8");
    chooseFamily("median");
    ASSERT_TRUE(filtered());
    int passed = 0;
    for (const gpu::Variant& variant : session().parameters().family()->variants()) {
        session().request().setCurrent("naive");  // which takes all of these
        radius(1);
        session().request().setCurrent(variant.id);
        if (!waitFor([&] { return result() != nullptr && !session().activity().busy(); })) FAIL() << variant.id;
        if (result()->status != gpu::Status::ok) continue;  // one that cannot do a median of 3 x 3
        radius(6);
        ASSERT_NE(result(), nullptr) << variant.id;
        EXPECT_EQ(result()->status, gpu::Status::ok) << variant.id << " leaves the picture blank";
        EXPECT_EQ(session().request().chosen(), variant.id);
        if (current() != variant.id) {
            ++passed;
            const QString said = session().activity().lastJob();
            EXPECT_TRUE(said.contains(QString::fromStdString(variant.id))) << said.toStdString();
            EXPECT_EQ(session().results().present(variant.id)->status, gpu::Status::unsupported) << "its row says why";
        }
        radius(1);
        EXPECT_EQ(current(), variant.id) << "it comes back";
    }
    EXPECT_GE(passed, 3);
}

// One that is named although it cannot is shown with the reason; the next change passes on.
TEST_F(FoundByUsers, WhoNamesARowThatCannotIsToldWhy) {
    open("gen:noise:40x30:u8");
    chooseFamily("median");
    radius(6);
    session().request().setCurrent("shared_columns");
    ASSERT_TRUE(waitFor([this] { return result() != nullptr && !session().activity().busy(); }));
    EXPECT_EQ(current(), "shared_columns");
    EXPECT_EQ(result()->status, gpu::Status::unsupported);
    radius(7);
    EXPECT_EQ(result()->status, gpu::Status::ok) << current();
}

TEST_F(FoundByUsers, UndoBringsTheTaskBackWithThePicture) {
    open("gen:noise:40x30:u8");
    chooseFamily("median");
    radius(2);
    use();
    EXPECT_EQ(steps(), 1U);
    chooseFamily("convolution");
    ASSERT_TRUE(filtered());
    window->activateWindow();
    key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return !session().document().derived(); }));
    EXPECT_EQ(family(), "rank");
    EXPECT_EQ(gpu::format(session().parameters().value("radius")), "2");
    EXPECT_TRUE(session().activity().lastJob().contains("gen:noise")) << session().activity().lastJob().toStdString();
    EXPECT_EQ(session().activity().lastJob().contains(','), false) << "not what the picture was before";
    ASSERT_TRUE(filtered());
    key(Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier);
    ASSERT_TRUE(waitFor([this] { return session().document().derived(); }));
    EXPECT_EQ(family(), "convolution") << "as it was when it was taken back";
    EXPECT_EQ(steps(), 1U);
}

TEST_F(FoundByUsers, AResultThatBecomesTheInputLooksAsItDid) {
    open("gen:gradient:64x48:u8");
    session().parameters().set("filter", std::string("unsharp"));
    ASSERT_TRUE(filtered());
    ASSERT_EQ(result()->result.picture->type(), io::PixelType::f32);
    const DisplayRange before = range();
    use();
    ASSERT_TRUE(idle());
    QTest::qWait(100);  // its extremes are worked out beside
    EXPECT_EQ(range(), before);
    // Another scale of values has another range.
    session().inputs().derive("scaled", "scaled", [](const std::stop_token&) {
        io::Grid far(io::Shape{16, 16, 1, 1}, io::PixelType::f32);
        for (int i = 0; i < 256; ++i) far.as<float>()[i] = 1e6F + static_cast<float>(i);
        return far;
    });
    EXPECT_TRUE(waitFor([this] { return range().low > 1e5; })) << range().low << ' ' << range().high;
}

TEST_F(FoundByUsers, CroppingKeepsTheStepsOfTheRecipe) {
    open("gen:noise:40x30:u8");
    chooseFamily("median");
    ASSERT_TRUE(filtered());
    use();
    ASSERT_EQ(steps(), 1U);
    auto* view = comparePage()->panes()->pane(0)->view();
    view->viewState()->setZoom(view->viewState()->zoom() * 3);
    const QRect seen = view->seenPixels();
    window->activateWindow();
    key(Qt::Key_T, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([&] { return session().document().grid()->shape().width == seen.width(); }))
        << session().activity().notice().toStdString();
    EXPECT_EQ(steps(), 1U);
    EXPECT_TRUE(find<QWidget>("recipe-strip")->isVisible());
    const io::Grid part = io::crop(io::read("gen:noise:40x30:u8"), seen.x(), seen.y(), seen.width(), seen.height());
    const io::Grid& origin = *session().recipe().place()->origin.picture.grid;
    ASSERT_EQ(origin.bytes(), part.bytes());
    EXPECT_EQ(std::memcmp(origin.data(), part.data(), part.bytes()), 0);
    ASSERT_TRUE(filtered());
    key(Qt::Key_Z, Qt::ControlModifier);
    EXPECT_TRUE(waitFor([this] { return session().document().grid()->shape().width == 40; }));
    EXPECT_EQ(steps(), 1U);
}

TEST_F(FoundByUsers, TurningAndEqualisingAreStepsOfTheRecipe) {
    open("gen:noise:40x30:u8");
    chooseFamily("median");
    ASSERT_TRUE(filtered());
    use();
    ASSERT_EQ(steps(), 1U);
    const auto median = session().document().grid();
    window->activateWindow();
    key(Qt::Key_BracketRight, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return steps() == 2; })) << session().activity().notice().toStdString();
    EXPECT_TRUE(find<QWidget>("recipe-strip")->isVisible());
    const auto turned = session().document().grid();
    ASSERT_EQ(turned->shape(), (io::Shape{30, 40, 1, 1}));
    EXPECT_EQ(turned->value(29, 0), median->value(0, 0));
    EXPECT_EQ(turned->value(29, 39), median->value(39, 0));
    find<QAction>("equalise-picture")->trigger();
    ASSERT_TRUE(waitFor([this] { return steps() == 3; })) << session().activity().notice().toStdString();
    EXPECT_EQ(session().recipe().place()->recipe.steps.back().family, "scan");
    EXPECT_EQ(session().recipe().place()->at, 3U);
    ASSERT_TRUE(filtered());
    key(Qt::Key_Z, Qt::ControlModifier);
    ASSERT_TRUE(waitFor([this] { return steps() == 2; }));
    EXPECT_TRUE(std::equal(turned->data(), turned->data() + turned->bytes(), session().document().grid()->data()));
    // What no step can be leaves them, and says so.
    ASSERT_TRUE(filtered());
    find<QAction>("stretch-picture")->trigger();
    ASSERT_TRUE(waitFor([this] { return steps() == 0; }));
    EXPECT_TRUE(session().activity().lastJob().contains("steps are left"))
        << session().activity().lastJob().toStdString();
}

TEST_F(FoundByUsers, WhatIsNotSavedIsAskedForBeforeItIsLost) {
    qApp->setProperty(MainWindow::kNoQuestions, false);
    const auto box = [this] { return window->findChild<QDialog*>("quit-box"); };
    open("gen:noise:40x30:u8");
    window->close();
    EXPECT_EQ(box(), nullptr) << "a picture that was only filtered is no work";
    EXPECT_FALSE(window->isVisible());
    window->show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(window.get()));
    window->activateWindow();
    use();
    window->findChild<QAction*>("quit")->trigger();
    ASSERT_NE(box(), nullptr);
    EXPECT_TRUE(window->isVisible());
    EXPECT_TRUE(window->findChild<QLabel*>("quit-text")->text().contains("a step"));
    QTest::mouseClick(find<QPushButton>("quit-cancel"), Qt::LeftButton);
    ASSERT_TRUE(waitFor([&] { return box() == nullptr; }));
    EXPECT_TRUE(window->isVisible());
    // Saved, nothing is lost.
    QSignalSpy saved(&window->keeper(), &SessionKeeper::saved);
    window->keeper().save(folder.filePath("s.warplens"));
    ASSERT_TRUE(saved.wait(kPatienceMs));
    window->close();
    EXPECT_EQ(box(), nullptr);
    EXPECT_FALSE(window->isVisible());
    window->show();
    session().outputs().takeSnapshot();
    window->close();
    ASSERT_NE(box(), nullptr);
    EXPECT_TRUE(window->findChild<QLabel*>("quit-text")->text().contains("kept"));
    QTest::mouseClick(find<QPushButton>("quit-anyway"), Qt::LeftButton);
    EXPECT_TRUE(waitFor([this] { return !window->isVisible(); }));
    qApp->setProperty(MainWindow::kNoQuestions, true);
}

TEST_F(FoundByUsers, AHistogramShowsTheSliceAndTheRangeThatAllPagesShow) {
    open("gen:noise:24x20x9:u16");
    comparePage()->panes()->setRange({100, 4000});
    comparePage()->panes()->viewState()->setSlice(6);
    window->pages()->setCurrent(window->pages()->page("histogram"));
    ASSERT_TRUE(idle());
    const ViewState* shown = find<ImageView>("histogram-picture")->viewState();
    EXPECT_EQ(shown->slice(), 6);
    EXPECT_EQ(shown->range(), (DisplayRange{100, 4000}));
    auto* slice = find<QSpinBox>("histogram-slice");
    EXPECT_EQ(slice->value(), 6);
    slice->setValue(2);
    EXPECT_EQ(shown->slice(), 2);
    EXPECT_EQ(comparePage()->panes()->viewState()->slice(), 2);
    EXPECT_EQ(range(), (DisplayRange{100, 4000}));
    for (const QSize size : {QSize(1600, 1000), QSize(1264, 672)}) {
        window->resize(size);
        QTest::qWait(60);
        for (auto* field : window->findChildren<QAbstractSpinBox*>()) {
            auto* text = field->findChild<QLineEdit*>();
            if (!field->isVisible() || text == nullptr || !field->isEnabled()) continue;
            EXPECT_LE(text->fontMetrics().horizontalAdvance(text->text()), text->width())
                << field->objectName().toStdString() << " cuts " << text->text().toStdString() << " at "
                << size.width();
        }
    }
}

TEST_F(FoundByUsers, SharpenSharpensWhateverTheTask) {
    open("gen:noise:40x30:u8");
    for (const char* task : {"median", "histogram", "convolution"}) {
        chooseFamily(task);
        ASSERT_TRUE(idle());
        window->activateWindow();
        ask("sharpen");
        EXPECT_EQ(family(), "convolution") << task;
        const std::string filter = gpu::format(session().parameters().value("filter"));
        EXPECT_TRUE(filter == "unsharp" || filter == "sharpen") << task << " gives " << filter;
        session().parameters().set("filter", std::string("gaussian"));
    }
    // What another family can do is found by its own word.
    chooseFamily("median");
    ask("emboss");
    EXPECT_EQ(gpu::format(session().parameters().value("filter")), "emboss");
}

TEST_F(FoundByUsers, AllAreCheckedAndNoneCannotBeCompared) {
    VariantListModel& variants = session().variants();
    auto* list = find<QWidget>("variants");
    auto* button = find<QPushButton>("primary");
    const int usual = variants.checkedCount();
    for (int turn = 0; turn < 2; ++turn) {
        list->setFocus();
        QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier);
        EXPECT_EQ(variants.checkedCount(), usual) << "all that run unnamed were checked already";
    }
    variants.setChecked({"naive"});
    QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier);
    EXPECT_EQ(variants.checkedCount(), usual);
    EXPECT_TRUE(button->isEnabled());
    QTest::keyClick(list, Qt::Key_A, Qt::ControlModifier | Qt::ShiftModifier);
    EXPECT_EQ(variants.checkedCount(), 0);
    EXPECT_FALSE(button->isEnabled());
    EXPECT_TRUE(button->toolTip().contains("No variant is checked")) << button->toolTip().toStdString();
}

/// Notes what is asked for, in order.
class NotingTracer final : public gpu::Tracer {
public:
    gpu::Comparison explain(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) override {
        const std::lock_guard lock(m_mutex);
        m_asked.push_back(request.variants);
        return m_counts.explain(request, stop, observer);
    }
    gpu::WarpTrace warp(const gpu::Request& request, const gpu::WarpQuery& query, std::stop_token stop) override {
        return m_counts.warp(request, query, stop);
    }
    gpu::LoadMap loads(const gpu::Request& request, std::stop_token stop, const gpu::Observer& observer) override {
        return m_counts.loads(request, stop, observer);
    }
    std::vector<std::vector<std::string>> asked() {
        const std::lock_guard lock(m_mutex);
        return m_asked;
    }

private:
    std::mutex m_mutex;
    MadeUpTracer m_counts;
    std::vector<std::vector<std::string>> m_asked;
};

TEST_F(FoundByUsers, WhatIsLookedAtIsCountedFirst) {
    const auto tracer = std::make_shared<NotingTracer>();
    session().control().setTracer(tracer);
    open("gen:noise:40x30:f32");
    session().request().setCurrent("tiled_input");
    ASSERT_TRUE(filtered());
    window->pages()->setCurrent(window->pages()->page("why"));
    ASSERT_TRUE(waitFor([&] { return tracer->asked().size() == 2; }));
    EXPECT_EQ(tracer->asked()[0], (std::vector<std::string>{"tiled_input", "constant"}));
    std::size_t kernels = 0;
    for (const gpu::Variant* row : session().variants().rows()) kernels += row->kind == gpu::Variant::Kind::kernel;
    EXPECT_EQ(tracer->asked()[1].size(), kernels - 2);
}

TEST_F(FoundByUsers, EscapeClosesWhatWentWrong) {
    session().activity().report("Something went wrong; try again.");
    window->activateWindow();
    comparePage()->setFocus();
    key(Qt::Key_Escape);
    EXPECT_FALSE(session().activity().noticeIsError());
}

TEST_F(FoundByUsers, ALessonSaysWhatToDoWhereItIsDone) {
    session().control().setTracer(std::make_shared<MadeUpTracer>());
    open("gen:noise:32x32:u8");
    auto* page = find<LessonsPage>("page-lessons");
    window->pages()->setCurrent(page);
    LessonModel& model = page->model();
    model.choose(0);
    for (int i = 0; i < 8 && window->pages()->current() == page; ++i) {
        model.goOn();
        ASSERT_TRUE(waitFor([&] { return !model.busy(); })) << model.problem().toStdString();
    }
    ASSERT_NE(window->pages()->current(), page);
    EXPECT_TRUE(session().activity().noticeIsInstruction());
    const QString text = QString::fromStdString(model.lesson()->tryThis.text);
    bool seen = false;
    for (const QLabel* label : window->pages()->current()->findChildren<QLabel*>())
        seen = seen || (label->isVisible() && label->text().contains(text.toHtmlEscaped()));
    EXPECT_TRUE(seen) << text.toStdString();
}

TEST_F(FoundByUsers, TheFirstDialogsBeginBesideThePicture) {
    QDir(folder.path()).mkpath("pictures");
    const QString path = folder.filePath("pictures/p.npy");
    io::write(io::read("gen:noise:20x20:u8"), path.toStdString());
    settings.setValue("folders/save", folder.filePath("gone"));
    window->openInput(path);
    ASSERT_TRUE(waitFor([&] { return session().document().input() == path; }));
    ASSERT_TRUE(filtered());
    for (const char* action : {"save-result", "save-session", "save-recipe", "open"}) {
        if (std::string(action) == "save-recipe") use();
        window->findChild<QAction*>(QString::fromUtf8(action))->trigger();
        QFileDialog* dialog = nullptr;
        ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) != nullptr; })) << action;
        EXPECT_EQ(dialog->directory().absolutePath(), folder.filePath("pictures")) << action;
        dialog->reject();
        ASSERT_TRUE(waitFor([&] { return window->findChild<QFileDialog*>() == nullptr; })) << action;
    }
}

TEST_F(FoundByUsers, NoDialogBeginsAmongTheProgramsOwnSamples) {
    window->openInput(defaultSample());
    ASSERT_TRUE(waitFor([&] { return session().document().input() == defaultSample(); }));
    window->findChild<QAction*>("save-session")->trigger();
    QFileDialog* dialog = nullptr;
    ASSERT_TRUE(waitFor([&] { return (dialog = window->findChild<QFileDialog*>()) != nullptr; }));
    EXPECT_EQ(dialog->directory().absolutePath(), QDir::homePath());
    dialog->reject();
}

}  // namespace
}  // namespace warplens::gui::test
