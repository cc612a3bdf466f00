// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gui/lenses/stencil/stencil_facts.hpp"
#include "gui/lenses/stencil/stencil_panel.hpp"

namespace warplens::gui {

namespace {

/// Coefficients as a cross, the largest stable step, and regions held at the crosshair.
class StencilLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse& refuse, QWidget* parent) const override {
        auto* stencil = new StencilPanel(request.parameters(), request.document(), parent);
        QObject::connect(stencil, &StencilPanel::refused, parent, refuse);
        return {{"stencil", stencil}, {"step", new StabilityNote(request.parameters(), request.document(), parent)}};
    }

    int taps(const RequestState& request) const override {
        const Document& document = request.document();
        if (document.empty()) return 0;
        const auto facts = stencilFacts(request.parameters().shaping(), document.grid()->shape().depth);
        return facts ? static_cast<int>(facts->weights.size()) : 0;
    }

    void addVolumeActions(RequestState& request, Activity& activity, VolumeState& state, Page& page) const override {
        new HeldRegions(request, activity, state, page);
    }
};

}  // namespace

namespace lenses {

const Lens& stencil() {
    static const StencilLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
