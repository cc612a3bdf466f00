// SPDX-License-Identifier: Apache-2.0
#include "app/window/start_page.hpp"

#include "gui/session/session_state.hpp"
#include "gui/window/main_window.hpp"
#include "gui/window/page_stack.hpp"
#include "gui/window/session_keeper.hpp"

namespace warplens::app {

bool startOn(gui::MainWindow& window, const QString& name, const QString& file) {
    gui::Page* const page = window.pages()->page(name.toLower());
    if (page == nullptr) return false;
    window.pages()->setCurrent(page);
    if (gui::isSession(file))
        QObject::connect(
            &window.keeper(), &gui::SessionKeeper::opened, &window,
            [&window, page] { window.pages()->setCurrent(page); }, Qt::SingleShotConnection);
    return true;
}

}  // namespace warplens::app
