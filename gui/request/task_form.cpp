// SPDX-License-Identifier: Apache-2.0
#include "gui/request/task_form.hpp"

#include "gpu/core/registry.hpp"
#include "gpu/core/separating_level.hpp"
#include "gui/session/lens.hpp"

#include <utility>

namespace warplens::gui {

ParameterForm* makeTaskForm(RequestState& request, Results& results, InputFiles& inputs,
                            std::function<void(const QString& why)> refuse, FormFor use, QWidget* parent) {
    auto* form = new ParameterForm(request.parameters(), parent);
    for (const gpu::Family* family : gpu::families()) {
        const auto put = [&](const std::vector<Lens::FormPart>& parts) {
            for (const Lens::FormPart& part : parts) form->setBelow(*family, part.parameter, part.widget);
        };
        put(lensOf(*family).editors(request, refuse, parent));
        if (use == FormFor::explaining) put(lensOf(*family).formParts(request, refuse, parent));
    }
    QObject::connect(form, &ParameterForm::refused, form, std::move(refuse));
    QObject::connect(&results, &Results::changed, form,
                     [&results, form] { form->setFollowedRange(results.countedRange()); });
    const auto tellPicture = [&request, form] {
        const auto grid = request.document().grid();
        form->setPicture(grid);
        const gpu::Parameter* level = request.parameters().findRole(gpu::Parameter::Role::level);
        if (grid != nullptr && level != nullptr) form->setFound(level->id, gpu::otsuThreshold(*grid));
    };
    QObject::connect(&request.document(), &Document::changed, form, tellPicture);
    QObject::connect(&request.parameters(), &ParameterState::familyChanged, form, tellPicture);
    tellPicture();
    QObject::connect(form, &ParameterForm::pictureWanted, &inputs, &InputFiles::openParameter);
    return form;
}

}  // namespace warplens::gui
