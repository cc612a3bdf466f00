// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gui/lenses/merge/merge_path_panel.hpp"

namespace warplens::gui {

namespace {

/// Two lists of the picture's own values, and the path that a merge takes through them.
class MergeLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        return {{"task", new MergePathPanel(request.parameters(), request.document(), parent)}};
    }
};

}  // namespace

namespace lenses {

const Lens& merge() {
    static const MergeLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
