// SPDX-License-Identifier: Apache-2.0
#include "gui/session/lens.hpp"

#include "gui/lenses/product/product_tiles_panel.hpp"

namespace warplens::gui {

namespace {

/// The parts of both factors that the block of the pixel under the cursor stages.
class ProductLens : public Lens {
public:
    std::vector<FormPart> formParts(RequestState& request, const Refuse&, QWidget* parent) const override {
        return {{"keep", new ProductTilesPanel(request, parent)}};
    }
};

}  // namespace

namespace lenses {

const Lens& product() {
    static const ProductLens lens;
    return lens;
}

}  // namespace lenses

}  // namespace warplens::gui
