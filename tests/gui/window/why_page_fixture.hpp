// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gui/picture/image_view.hpp"
#include "gui/why/why_page.hpp"
#include "tests/gui/window/counted_task.hpp"
#include "tests/gui/window/window_fixture.hpp"

#include <QLabel>
#include <QPushButton>
#include <memory>

namespace warplens::gui::test {

/// A window on its page Why, with made-up counts.
class WhyPageTest : public WindowTest {
protected:
    WhyPage& page() { return *find<WhyPage>("page-why"); }
    WhyModel& model() { return page().model(); }
    WarpModel& warp() { return page().warp(); }
    ImageView* picture() { return find<ImageView>("why-picture"); }
    /// What the panel of one warp says.
    std::string warpWords() {
        QStringList words;
        for (const QLabel* label : find<QWidget>("warp-chart")->parentWidget()->findChildren<QLabel*>())
            words << label->text() << label->toolTip();
        return words.join(u' ').toStdString();
    }
    void click(const char* name) { QTest::mouseClick(find<QPushButton>(name), Qt::LeftButton); }
    bool settled() {
        return QTest::qWaitFor([this] { return page().settled() && warp().trace() != nullptr; }, kPatienceMs);
    }
    /// The page with everything counted, on a picture of 64 x 48.
    void show() {
        tracer = std::make_shared<MadeUpTracer>();
        session().control().setTracer(tracer);
        open("gen:noise:64x48:f32");
        click("page-button-why");
        ASSERT_EQ(window->pages()->current(), &page());
        ASSERT_TRUE(settled());
    }
    std::shared_ptr<MadeUpTracer> tracer;
};

}  // namespace warplens::gui::test
