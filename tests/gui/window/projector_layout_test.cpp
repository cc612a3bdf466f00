// SPDX-License-Identifier: Apache-2.0
// Projector mode has larger type: what stands in a row has to fit all the same.
#include "tests/gui/window/window_fixture.hpp"

#include <QAction>
#include <QScrollArea>

namespace warplens::gui::test {
namespace {

class ProjectorLayoutTest : public WindowTest {
protected:
    void TearDown() override {
        find<QAction>("projector")->setChecked(false);
        WindowTest::TearDown();
    }
    void look(QSize size, bool project) {
        window->resize(size);
        find<QAction>("projector")->setChecked(project);
        QTest::qWait(60);
        window->resize(size);
        QTest::qWait(60);
    }
};

TEST_F(ProjectorLayoutTest, EveryRungOfTheLadderIsSeen) {
    window->pages()->setCurrent(window->pages()->page("why"));
    for (const QSize size : {QSize(1280, 720), QSize(1600, 900), QSize(1920, 1080)}) {
        look(size, true);
        auto* room = find<QScrollArea>("ladder-room");
        EXPECT_LE(room->widget()->width(), room->viewport()->width()) << size.width();
    }
}

}  // namespace
}  // namespace warplens::gui::test
