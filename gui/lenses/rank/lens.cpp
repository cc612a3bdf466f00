// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gui/lenses/rank/rank_network_panel.hpp"
#include "gui/session/request_state.hpp"

namespace warplens::gui {

namespace {

/// The network that sorts the window of the pixel under the cursor; the window itself is among tiles and halos.
class RankLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        auto* panel = new RankNetworkPanel(request.parameters(), request.document(), parent);
        const auto tell = [panel, &request] { panel->setVariant(request.currentVariant()); };
        QObject::connect(&request, &RequestState::taskChanged, panel, tell);
        tell();
        return {{"border", panel}};
    }
};

}  // namespace

namespace lenses {

const Lens& rank() {
    static const RankLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
