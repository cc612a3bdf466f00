// SPDX-License-Identifier: Apache-2.0
#include "gui/lenses/lens.hpp"

#include "gui/lenses/stencil/stencil_facts.hpp"
#include "gui/lenses/stencil/stencil_panel.hpp"

namespace warplens::gui {

namespace {

/// Coefficients as a cross, the largest stable step, and regions held at the crosshair.
class StencilLens : public Lens {
public:
    std::vector<FormPart> formParts(CompareSession& session, const Refuse& refuse, QWidget* parent) const override {
        auto* stencil = new StencilPanel(session.parameters(), session.document(), parent);
        QObject::connect(stencil, &StencilPanel::refused, parent, refuse);
        return {{"stencil", stencil}, {"step", new StabilityNote(session.parameters(), session.document(), parent)}};
    }

    int taps(CompareSession& session) const override {
        const Document& document = session.document();
        if (document.empty()) return 0;
        const auto facts = stencilFacts(session.parameters().shaping(), document.grid()->shape().depth);
        return facts ? static_cast<int>(facts->weights.size()) : 0;
    }

    void addVolumeActions(CompareSession& session, VolumeState& state, Page& page) const override {
        new HeldRegions(session, state, page);
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
