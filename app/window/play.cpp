// SPDX-License-Identifier: Apache-2.0
#include "app/window/play.hpp"

#include "gpu/core/registry.hpp"
#include "gui/volume/playback_model.hpp"
#include "gui/volume/volume_page.hpp"
#include "gui/window/page_stack.hpp"

#include <algorithm>
#include <memory>

namespace warplens::app {

std::function<bool()> playSteps(gui::MainWindow& window, std::int64_t steps) {
    auto* page = qobject_cast<gui::VolumePage*>(window.pages()->page(QStringLiteral("volume")));
    window.pages()->setCurrent(page);
    const auto iterates = [](const gpu::Family* family) { return family->info().iterates && family->info().volumes; };
    window.session().request().setFamily(**std::ranges::find_if(gpu::families(), iterates));
    gui::ParameterState& parameters = window.session().parameters();
    const std::string& iterations = parameters.findRole(gpu::Parameter::Role::iterations)->id;
    const auto asked = std::get<std::int64_t>(parameters.value(iterations));
    parameters.set(iterations, steps);
    enum class Stage { waiting, playing, done };
    auto stage = std::make_shared<Stage>(Stage::waiting);
    gui::PlaybackModel& model = page->playback();
    const auto follow = [&model, &parameters, &iterations, stage, steps, asked] {
        if (*stage == Stage::waiting && model.ready()) {
            *stage = Stage::playing;
            model.play();
        } else if (*stage == Stage::playing && !model.playing() && model.step() == steps) {
            *stage = Stage::done;
            if (asked > steps) parameters.set(iterations, asked);  // it could go on
        }
    };
    // Later, as what it does changes the model again.
    QObject::connect(&model, &gui::PlaybackModel::changed, page, follow, Qt::QueuedConnection);
    return [stage] { return *stage == Stage::done; };
}

}  // namespace warplens::app
